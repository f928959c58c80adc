"""Where reports go: stdout, files, the summary page of a workflow; everything else goes to stderr."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.message import UnusableError
from subdrift.linter.report.language import LANGUAGES, Language, language
from subdrift.linter.report.terminal import Style, safe, settled, style_for

if TYPE_CHECKING:
    from subdrift.linter.report.content import Content, Texts
    from subdrift.linter.report.detail import Detail

STDOUT = "-"
_left: list[TextIO | None] = []
"""Stdout, once its reader has left."""


class CannotError(UnusableError):
    """The job cannot be done; the text says why and what would help."""


def complain(text: str) -> None:
    """Say something on stderr that is no finding; nobody need be listening."""
    if sys.stderr is None:
        return
    lines = [safe(line) for line in text.split("\n")]
    said = f"subdrift: {lines[0]}\n" + "".join(f"  {line}\n" for line in lines[1:])
    try:
        sys.stderr.write(settled(said))
        sys.stderr.flush()
    except (OSError, ValueError):  # a full disk or a closed pipe: there is nowhere left to say it
        _forget(sys.stderr)


def language_of(option: str, configured: str) -> Language:
    """The language of a run: the option, else $SUBDRIFT_LANG, else the configuration, else English."""
    chosen = option or os.environ.get("SUBDRIFT_LANG", "") or configured or "en"
    if chosen not in LANGUAGES:
        raise CannotError("option.lang", languages=", ".join(LANGUAGES), chosen=repr(chosen))
    return language(chosen)


def stdout_style(color: str) -> Style:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    is_terminal = sys.stdout is not None and not sys.stdout.closed and sys.stdout.isatty()
    return style_for(color, is_terminal, encoding, os.environ)


def rendered(kind: str, content: Content, texts: Texts, style: Style, detail: Detail | None = None) -> str:
    """A report in one format."""
    match kind:
        case "text":
            from subdrift.linter.report import text

            return text.render(content, texts, style, detail)
        case "concise":
            from subdrift.linter.report import concise

            return concise.render(content, style)
        case "json":
            from subdrift.linter.report import json

            return json.render(content)
        case "sarif":
            from subdrift.linter.report import sarif

            return sarif.render(content, texts)
        case "github":
            from subdrift.linter.report import github

            return github.render(content)
        case "gitlab":
            from subdrift.linter.report import gitlab

            return gitlab.render(content)
        case "junit":
            from subdrift.linter.report import junit

            return junit.render(content)
        case "rdjson":
            from subdrift.linter.report import rdjson

            return rdjson.render(content, texts)
        case "markdown":
            from subdrift.linter.report import markdown

            return markdown.render(content)
        case "html":
            from subdrift.linter.report import page

            return page.render(content, texts)
        case _:
            raise CannotError("option.no-format", kind=repr(kind))


def safe_lines(text: str) -> str:
    """Text of source files, with nothing in it that could steer a terminal."""
    return "\n".join(map(safe, text.split("\n")))


def write(text: str, file: str) -> None:
    """Write a report whole, or say why not. `-` is stdout, whose reader may have seen enough at any time.

    The summary page of a workflow is added to.
    """
    try:
        if file == STDOUT:
            _write_out(text)
        elif file == os.environ.get("GITHUB_STEP_SUMMARY"):
            _append(file, text)
        else:
            files.write(file, text.encode("utf-8", "surrogateescape"))
    except BrokenPipeError:
        _forget(sys.stdout)
    except (OSError, ValueError) as error:
        where = "stdout" if file == STDOUT else file
        if file == STDOUT:
            _forget(sys.stdout)
        raise CannotError("output.report", where=where, reason=reason_of(error)) from error


def _append(file: str, text: str) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o666)
    with open(handle, "ab") as out:
        out.write(text.encode("utf-8", "backslashreplace"))


def _write_out(text: str) -> None:
    if sys.stdout is None:
        raise CannotError("output.no-stdout")
    sys.stdout.write(text)
    sys.stdout.flush()


def reader_has_left() -> bool:
    """Whether nobody reads what is written to stdout any more."""
    return bool(_left)


def _forget(stream: TextIO | None) -> None:
    """Keep the interpreter from complaining on its way out about a stream that takes nothing any more."""
    if stream is sys.stdout:
        _left.append(stream)
    if stream is not None:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def write_step_summary(content: Content) -> None:
    """Markdown for the page of a workflow run, where there is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    from subdrift.linter.report.markdown import render

    try:
        _append(path, render(content))
    except (OSError, ValueError) as error:
        complain(content.language.word("output.summary", reason=content.language.text(reason_of(error))))
