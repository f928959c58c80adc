"""Small repositories at the edge of what is modelled: `fixtures/edge/NAME` holds the files, `truth.json` what they did."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.oracle.program import Language, Program, made

FOLDER: Final = Path(__file__).parents[2] / "fixtures" / "edge"
TRUTH: Final = "truth.json"
_LANGUAGES: Final[dict[str, Language]] = {".java": "java", ".kt": "kotlin", ".py": "python"}


def programs() -> Iterator[Program]:
    """All of them by name, with their truth. Those in Python run as `main.py`, those on the JVM by `r.Main`."""
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir()):
        yield _program(folder)


def _program(folder: Path) -> Program:
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != TRUTH)
    language = next(_LANGUAGES[path.suffix] for path in paths if path.suffix in _LANGUAGES)
    mains = {"java": ("r.Main",), "kotlin": ("r.MainKt",), "python": ("main.py",)}[language]
    return Program(
        folder.name, 0, language, "by hand", (folder.name,), mains, ((),), False,
        {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths},
        tuple(map(made, json.loads((folder / TRUTH).read_text(encoding="utf-8")))),
    )  # fmt: skip
