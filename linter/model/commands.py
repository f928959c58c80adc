"""Command lines and variables of deployment files: the words of a line, the settings in it, texts with variables in them.

A Java process is told by `-Dkey=text` before its class and by `--key=text` behind it, by `SPRING_APPLICATION_JSON`, and by
the options the JVM takes from its environment.
"""

from __future__ import annotations

import itertools
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from subdrift.linter.model.facts import Told

WORDS_MAX = 500
"""Words of one command line."""

VALUES_MAX = 2_000
"""Values of one JSON text that are told a process."""

CHARS_MAX = 1 << 20
"""Characters of their keys, and of a word that variables are filled into."""

OUTSIDE = "$(…)"
"""Stands in a word for a text that is not known."""

OF_THE_JVM = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
"""Variables that the JVM reads by itself."""

OF_SCRIPTS = ("JAVA_OPTS", "JAVA_OPTIONS")
"""Variables that the start scripts of images and servers hand on; a command line that does not name one ignores it."""

_SYSTEM = r"(?s)-D(%?[\w.\-\[\]]+)=(.*)"
_ARGUMENT = r"(?s)--([\w.\-\[\]]+)=(.*)"
_DASHED = r"(?s)(-(?!D)[A-Za-z][\w\-]*(?:\.[\w\-\[\]]+)+)=(.*)"
"""An argument with one dash, which some frameworks read: the dash stays with its key."""
_FORMS = ((_SYSTEM, Told.PROPERTY), (_ARGUMENT, Told.ARGUMENT), (_DASHED, Told.ARGUMENT))
_SHELLS = r"(?:.*/)?(?:ba|da|a|z)?sh"
_OPEN = r"\$\{?[A-Za-z_(]"
_VARIABLE = r"\$(?:\{([A-Za-z_]\w*)(?::?([-=?+])([^}]{0,500}))?\}|([A-Za-z_]\w*)|(\$))"
_CLUSTER_VARIABLE = r"\$\(([A-Za-z_][\w.-]*)\)"


def split(text: str) -> list[str]:
    """As a shell splits words, or at blanks where quotes are not closed."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def words_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """The words of a command line; a command handed to a shell is taken apart."""
    words = split(given) if isinstance(given, str) else list(given)
    found: list[str] = []
    for number, word in enumerate(words[:WORDS_MAX]):
        found += split(word) if number > 1 and is_shell(words[number - 2 : number]) else [word]
    return tuple(found[:WORDS_MAX])


def is_shell(words: Sequence[str]) -> bool:
    """Whether the words of a line hand what follows to a shell."""
    return any(
        word == "-c" and re.fullmatch(_SHELLS, before) is not None
        for before, word in itertools.pairwise(words)
    )


def interpolated(text: str, known: Mapping[str, str | None]) -> str | None:
    """A text of a compose file or a Dockerfile with its variables filled in, None where one comes from outside."""
    result = filled_in(text, known)
    return None if OUTSIDE in result else result


def filled_in(text: str, known: Mapping[str, str | None]) -> str:
    """The same, with a mark for what comes from outside: `${X:-d}` gives d where X is not known, `$$` is a dollar."""
    return _filled(text, lambda match: "$" if match[5] else _given(match, known))


def _filled(text: str, given: Callable[[re.Match[str]], str | None]) -> str:
    """A text with its variables replaced, as long as that does not make it too long."""
    room = CHARS_MAX - len(text)

    def held(match: re.Match[str]) -> str:
        nonlocal room
        found = given(match)
        room -= len(found or "")
        return OUTSIDE if found is None or room < 0 else found

    return re.sub(_VARIABLE, held, text)


def _given(match: re.Match[str], known: Mapping[str, str | None]) -> str | None:
    held = known.get(match[1] or match[4])
    return held if held is not None else match[3] if match[2] in ("-", "=") else None


def expanded(words: Sequence[str], known: Mapping[str, str | None]) -> Iterator[str]:
    """The words that a process gets: a shell fills in variables, and takes one that stands alone apart; Kubernetes fills in
    `$(NAME)` in any line. What is not known stays as it is written."""
    shell = is_shell(words)
    room = CHARS_MAX
    for word in words:
        alone = re.fullmatch(_VARIABLE, word) if shell else None
        text = known.get(alone[1] or alone[4] or "") if alone is not None else None
        if text is not None:
            made = split(text)[:WORDS_MAX]
        elif shell and alone is None:
            made = [_filled(word, lambda match: _in_shell(match, known))]
        else:
            made = [re.sub(_CLUSTER_VARIABLE, lambda match: known.get(match[1]) or match[0], word)]
        room -= sum(map(len, made))
        if room < 0:
            return
        yield from made


def _in_shell(match: re.Match[str], known: Mapping[str, str | None]) -> str:
    """What a shell puts for a variable; a default only where nobody sets it from outside."""
    found = _given(match, known)
    return match[0] if found is None or (match[1] in known and known[match[1]] is None) else found


def settings(words: Sequence[str]) -> Iterator[tuple[Told, str, str | None]]:
    """What a command line hands to its program: how, the key, and the text, None where it comes from outside. Of one key
    written twice the later one holds."""
    for form, told in _FORMS:
        matches = [match for word in words if (match := re.fullmatch(form, word)) is not None]
        for key, text in {match[1]: match[2] for match in matches}.items():
            yield told, key, None if re.search(_OPEN, text) else text


def leaves(text: str | None) -> list[tuple[str, str]]:
    """The leaves of a JSON object by their dotted keys."""
    try:
        root = json.loads(text or "")
    except (ValueError, RecursionError):
        return []
    found: list[tuple[str, str]] = []
    stack: list[tuple[str, Any]] = [("", root)] if isinstance(root, dict) else []
    chars = 0
    while stack and len(found) < VALUES_MAX and chars < CHARS_MAX:
        key, value = stack.pop()
        chars += len(key)
        if isinstance(value, dict):
            stack += [(f"{key}.{name}" if key else str(name), inner) for name, inner in value.items()]
        elif isinstance(value, list):
            stack += [(f"{key}[{index}]", inner) for index, inner in enumerate(value)]
        else:
            found.append((key, value if isinstance(value, str) else json.dumps(value)))
    return found
