"""Where reports go: stdout, files, the summary page of a workflow; everything else goes to stderr."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from linter.report.language import LANGUAGES, Language, language
from linter.report.terminal import Style, safe, style_for

if TYPE_CHECKING:
    from linter.report.content import Content, Texts
    from linter.report.detail import Detail

STDOUT = "-"


class CannotError(Exception):
    """The job cannot be done; the text says why and what would help."""


def complain(text: str) -> None:
    """Say something on stderr that is no finding."""
    lines = [safe(line) for line in text.split("\n")]
    sys.stderr.write(f"subdrift: {lines[0]}\n" + "".join(f"  {line}\n" for line in lines[1:]))


def language_of(option: str, configured: str) -> Language:
    """The language of a run: the option, else $SUBDRIFT_LANG, else the configuration, else English."""
    chosen = option or os.environ.get("SUBDRIFT_LANG", "") or configured or "en"
    if chosen not in LANGUAGES:
        raise CannotError(f"SUBDRIFT_LANG is one of {', '.join(LANGUAGES)}, not {chosen!r}")
    return language(chosen)


def stdout_style(color: str) -> Style:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return style_for(color, sys.stdout.isatty(), encoding, os.environ)


def rendered(kind: str, content: Content, texts: Texts, style: Style, detail: Detail | None = None) -> str:
    """A report in one format."""
    match kind:
        case "text":
            from linter.report import text

            return text.render(content, texts, style, detail)
        case "concise":
            from linter.report import concise

            return concise.render(content, style)
        case "json":
            from linter.report import json

            return json.render(content)
        case "sarif":
            from linter.report import sarif

            return sarif.render(content, texts)
        case "github":
            from linter.report import github

            return github.render(content)
        case _:
            raise CannotError(f"there is no output format {kind!r}")


def safe_lines(text: str) -> str:
    """Text of source files, with nothing in it that could steer a terminal."""
    return "\n".join(map(safe, text.split("\n")))


def write(text: str, file: str) -> None:
    """Write a report whole, or say why not. `-` is stdout."""
    if file == STDOUT:
        sys.stdout.write(text)
        return
    try:
        with open(file, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as out:
            out.write(text)
    except OSError as error:
        raise CannotError(f"{file}: the report could not be written: {error.strerror or error}") from error


def write_step_summary(content: Content) -> None:
    """Markdown for the page of a workflow run, where there is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    from linter.report.github import step_summary

    try:
        with open(path, "a", encoding="utf-8", newline="\n") as out:
            out.write(step_summary(content))
    except OSError as error:
        complain(f"the step summary could not be written: {error.strerror or error}")
