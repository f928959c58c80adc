"""Profile expressions of Spring: `prod & !test`."""

from __future__ import annotations

import re
from collections.abc import Iterator


def names_in(expression: str) -> Iterator[str]:
    """The profiles an expression mentions."""
    for part in re.split(r"[&|()\s]+", expression):
        if part.lstrip("!"):
            yield part.lstrip("!")


def profile_holds(expression: str, active: tuple[str, ...]) -> bool:
    """Whether a profile expression holds: a name, `!`, `&`, `|` and parentheses; a broken one does not."""
    expression = expression.strip()
    if expression in active:
        return True
    tokens = re.findall(r"[()&|!]|[^()&|!\s]+", expression)
    position = 0

    def either() -> bool:
        nonlocal position
        found = both()
        while position < len(tokens) and tokens[position] == "|":
            position += 1
            right = both()
            found = found or right
        return found

    def both() -> bool:
        nonlocal position
        found = single()
        while position < len(tokens) and tokens[position] == "&":
            position += 1
            right = single()
            found = found and right
        return found

    def single() -> bool:
        nonlocal position
        token = tokens[position] if position < len(tokens) else ""
        position += 1
        if token == "!":
            return not single()
        if token == "(" and position < len(tokens):
            found = either()
            position += 1
            return found
        return token in active

    return either()
