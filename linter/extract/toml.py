"""TOML of source trees: text in, a table or the one problem that stands for the file out."""

from __future__ import annotations

import re
from typing import Any

from subdrift.linter.model.facts import Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say
from subdrift.linter.text.bounded import BoundedError, check_toml

_PLACE = re.compile(r"line (\d+), column (\d+)")


def load(text: str) -> dict[str, Any] | Problem:
    """The table a text holds. What would keep the parser too long is a `skipped-file`."""
    import tomllib  # most trees have none

    try:
        check_toml(text)
        return tomllib.loads(text.replace("\r\n", "\n"))
    except BoundedError as error:
        at = Span(error.line, 1, error.line, 1)
        message = say(f"bounded.{error.kind}", language="TOML", most=error.most)
        return Problem("skipped-file", message, say("flatten-or-exclude"), at)
    except (ValueError, RecursionError) as error:
        found = _PLACE.search(str(error))
        at = Span(int(found[1]), int(found[2]), int(found[1]), int(found[2])) if found else START
        message = say("does-not-parse", language="TOML", reason=str(error))
        return Problem("parse-error", message, say("file-not-read"), at)
