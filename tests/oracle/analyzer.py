"""A program's files -> the rows of `subdrift list`, by the pipeline in this process or by another command."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from subdrift.linter import pipeline
from subdrift.linter.report import listing
from subdrift.linter.sources.checkout import Repository
from tests.oracle.program import Files
from tests.oracle.truth import write

Row = dict[str, Any]
COMMAND_SECONDS_MAX = 300


def rows(files: Files, command: str = "") -> list[Row]:
    """The rows about Java, Kotlin and Python files. In `command`, `{dir}` stands for the program's folder.

    Raises `RuntimeError` where the command fails.
    """
    with TemporaryDirectory() as folder:
        write(files.items(), Path(folder))
        found = _run(command, folder) if command else _analyse(files, folder)
    return [row for row in found if row["path"].endswith((".java", ".kt", ".py"))]


def told(files: Files) -> bool:
    """Whether anything is said of a program: a row, or a diagnostic that names one of its files."""
    with TemporaryDirectory() as folder:
        write(files.items(), Path(folder))
        result = _result(files, folder)
    return bool(result.consumers) or any(each.at.origin.path in files for each in result.diagnostics)


def _analyse(files: Files, folder: str) -> list[Row]:
    return listing.rows(_result(files, folder).consumers)


def _result(files: Files, folder: str) -> pipeline.Result:
    repository = Repository("program", folder, only=tuple(files))
    return pipeline.analyse([repository], (), options=pipeline.Options(workers=1))


def _run(command: str, folder: str) -> list[Row]:
    words = [word.replace("{dir}", folder) for word in shlex.split(command)]
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=COMMAND_SECONDS_MAX, cwd=folder, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
