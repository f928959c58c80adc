"""The few forms of Spring's expression language that say a value: a text with methods on it, a key of the environment."""

from __future__ import annotations

import re

from subdrift.linter.resolve.execute.deferred import later
from subdrift.linter.resolve.execute.values import Key, Step, Text, text

_QUOTED = re.compile(r"#\{\s*'((?:[^']|'')*)'((?:\.\w+\((?:'[^']*'(?:,\s*'[^']*')*)?\))*)\s*\}")
_CALL = re.compile(r"\.(\w+)\(((?:'[^']*'(?:,\s*'[^']*')*)?)\)")
_ENVIRONMENT = re.compile(r"#\{\s*(?:@)?environment(?:\.getProperty\('([^']+)'\)|\['([^']+)'\])\s*\}")
_SIMPLE = {"trim": "trim", "strip": "trim", "toLowerCase": "lower", "toUpperCase": "upper", "toString": ""}


def expression(written: str, step: Step) -> tuple[Text, str | None] | None:
    """The text of an expression and the separator that takes it apart (None: it is one text); None for other forms."""
    key = _ENVIRONMENT.fullmatch(written.strip())
    if key is not None:
        return Text((Key(text(key[1] or key[2])),), (step,)), None
    match = _QUOTED.fullmatch(written.strip())
    if match is None:
        return None
    inner = match[1].replace("''", "'")
    found = Text((Key(text(inner), None, "value"),), (step,)) if "${" in inner else text(inner, (step,))
    calls = _CALL.findall(match[2])
    for number, (name, written_arguments) in enumerate(calls):
        arguments = re.findall(r"'([^']*)'", written_arguments)
        if name == "split" and len(arguments) == 1 and number == len(calls) - 1:
            return found, arguments[0]
        if name == "replace" and len(arguments) == 2:
            found = later(found, "replace", *arguments)
        elif name == "concat" and len(arguments) == 1:
            found = Text((*found.parts, arguments[0]), found.steps)
        elif name in _SIMPLE and not arguments:
            found = later(found, _SIMPLE[name]) if _SIMPLE[name] else found
        else:
            return None
    return found, None
