"""The help of the command line in the reader's language: typer's commands with their texts replaced."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Any


def language_asked(arguments: Sequence[str]) -> str:
    """The language of a command line: its own `--lang`, else $SUBDRIFT_LANG, else ""."""
    given = ""
    for number, one in enumerate(arguments):
        if one == "--lang" and number + 1 < len(arguments):
            given = arguments[number + 1]
        elif one.startswith("--lang="):
            given = one.partition("=")[2]
    return given or os.environ.get("SUBDRIFT_LANG", "")


def translate(command: Any, texts: Mapping[str, str], above: Any = None) -> None:
    """Replace every help text of a command and of those below it."""
    command.help = texts.get(command.help, command.help)
    command.short_help = texts.get(command.short_help, command.short_help)
    for parameter in command.params:
        text = getattr(parameter, "help", None)
        if text:
            parameter.help = texts.get(text, text)
    context = command.context_class(command, parent=above, **command.context_settings)
    option = command.get_help_option(context)
    if option is not None:
        option.help = texts.get(option.help, option.help)
    for one in getattr(command, "commands", {}).values():
        translate(one, texts, context)


def width_of_wide() -> int:
    """The width to give where every character may take two cells."""
    return max(60, min(110, shutil.get_terminal_size((100, 24)).columns)) * 2 // 3
