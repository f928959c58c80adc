"""The help of the command line in the reader's language: typer's commands with their texts replaced."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from typing import Any, Final

from subdrift.linter.report.terminal import cells, wrapped

_HEADINGS: Final = {"Options": "选项", "Arguments": "参数", "Commands": "命令"}
_USAGE: Final = {"OPTIONS": "选项", "COMMAND": "命令", "ARGS": "参数"}
_MARKS: Final = {"default: ": "默认：", "required": "必填"}
_FIRST_CELLS_MAX: Final = 30
"""Cells of the first column of options; a longer name stands on a line of its own."""


def language_asked(arguments: Sequence[str]) -> str:
    """The language of a command line: its own `--lang`, else $SUBDRIFT_LANG, else ""."""
    given = ""
    for number, one in enumerate(arguments):
        if one == "--lang" and number + 1 < len(arguments):
            given = arguments[number + 1]
        elif one.startswith("--lang="):
            given = one.partition("=")[2]
    return given or os.environ.get("SUBDRIFT_LANG", "")


def name_arguments(command: Any) -> None:
    """Let help show arguments by their names alone, and not by the types of this program."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: ""
    for one in getattr(command, "commands", {}).values():
        name_arguments(one)


def translate(command: Any, texts: Mapping[str, str], above: Any = None) -> None:
    """Replace every help text of a command and of those below it."""
    command.help = texts.get(command.help, command.help)
    command.short_help = texts.get(command.short_help, command.short_help)
    for parameter in command.params:
        text = getattr(parameter, "help", None)
        if text:
            parameter.help = texts.get(text, text)
    command.context_class = _speaking(command.context_class)
    context = command.context_class(command, parent=above, **command.context_settings)
    option = command.get_help_option(context)
    if option is not None:
        option.help = texts.get(option.help, option.help)
    for one in getattr(command, "commands", {}).values():
        translate(one, texts, context)


def width_of_terminal() -> int:
    """Cells that a line of help may have."""
    return max(60, min(110, shutil.get_terminal_size((100, 24)).columns))


def _speaking(context: Any) -> Any:
    """The class of a command's context, with Chinese headings and lines that end where Chinese lines may."""
    plain: Any = context.formatter_class

    class Chinese(plain):  # type: ignore[misc]
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            said = re.sub("|".join(_USAGE), lambda found: _USAGE[found[0]], args)
            lead = f"用法：{prog} "
            self._write(wrapped(said, self.width, lead, " " * cells(lead)))

        def write_heading(self, heading: str) -> None:
            self.write(f"{' ' * self.current_indent}{_HEADINGS.get(heading, heading)}：\n")

        def write_text(self, text: str) -> None:
            lead = " " * self.current_indent
            for number, paragraph in enumerate(text.split("\n\n")):
                self._write([""] * bool(number) + wrapped(paragraph, self.width, lead, lead))

        def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 0, col_spacing: int = 2) -> None:
            lead = " " * self.current_indent
            first = min(max(cells(name) for name, _ in rows), _FIRST_CELLS_MAX) + col_spacing
            for name, text in rows:
                said = re.sub(r"(?<=\[).*(?=\]$)", _marked, text)
                room = " " * (first - cells(name))
                lines = [] if room else [f"{lead}{name}"]
                begin = f"{lead}{name}{room}" if room else lead + " " * first
                self._write(lines + wrapped(said, self.width, begin, lead + " " * first))

        def _write(self, lines: Sequence[str]) -> None:
            self.write("".join(f"{line.rstrip()}\n" for line in lines))

    return type(context.__name__, (context,), {"formatter_class": Chinese})


def _marked(found: re.Match[str]) -> str:
    """What stands in the brackets behind an option: its default, bounds, and whether it is required."""
    said = found[0]
    for english, chinese in _MARKS.items():
        said = said.replace(english, chinese)
    return said
