"""Calls that sequences are drawn from: a type, how one is made, and a row for each call.

A row is `method: code`. `$x` is the object under one of its two names, `$s` a short text, `$k` a key, `$i` a small index,
`$n` a number. `!` before the code says that it may raise, `;` after it that it gives no value. `;;` parts the statements
of `make`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

Language = Literal["java", "python"]
LEAST: Final = 3
MOST: Final = 9


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the method it stands for, its code, whether it may raise, whether it gives a value."""

    method: str
    code: str
    raises: bool
    gives: bool


@dataclass(frozen=True, slots=True)
class Type:
    """A type: how its object `x` and the second name `v` are made, what is shown at the end, and its calls."""

    language: Language
    name: str
    made: str
    shown: str
    calls: tuple[Call, ...]
    full: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """The statements of one sequence and the methods they call; `text` is what a run gave."""

    type: str
    number: int
    methods: tuple[str, ...]
    body: tuple[str, ...]
    text: str = ""


def types(language: Language, text: str) -> Iterator[Type]:
    """The types of a table: `== NAME FULL.NAME`, lines `make CODE` and `show CODE`, `+ NAME` for the calls of another
    type, `all-raise` after calls of which every one may raise, and rows."""
    known: dict[str, tuple[Call, ...]] = {}
    for part in text.split("\n== ")[1:]:
        head, *lines = part.splitlines()
        name, full = head.split()
        made = shown = ""
        calls: list[Call] = []
        for line in (each.strip() for each in lines if each.strip()):
            word, _, rest = line.partition(" ")
            if word == "make":
                made = rest
            elif word == "show":
                shown = rest
            elif word == "+":
                calls += known[rest]
            elif word == "all-raise":
                calls = [replace(each, raises=True) for each in calls]
            else:
                calls.append(_call(line))
        known[name] = tuple(calls)
        if made:
            yield Type(language, name, made, shown, known[name], full)


def _call(line: str) -> Call:
    method, _, code = line.partition(": ")
    raises = code.startswith("!")
    gives = not code.endswith(";")
    return Call(method, code.removeprefix("!").removesuffix(";"), raises, gives)


def sequence(one: Type, number: int, seed: int) -> Sequence:
    """The sequence of a number: the first ones are each call of the type alone, the others drawn."""
    rng = random.Random(f"{seed} {one.language} {one.name} {number}")
    if number < len(one.calls):
        drawn = [one.calls[number]]
    else:
        drawn = [rng.choice(one.calls) for _ in range(rng.randint(LEAST, MOST))]
    body = _filled(one.made, rng).split(" ;; ")
    body += (_statement(one.language, call, _filled(call.code, rng)) for call in drawn)
    body.append(_told(one.language, f"({one.shown})", raises=True))
    return Sequence(one.name, number, tuple(call.method for call in drawn), tuple(body))


def _filled(code: str, rng: random.Random) -> str:
    for mark, choices in (("$s", "abcde"), ("$k", "pqr"), ("$i", "012"), ("$n", "1234")):
        while mark in code:
            code = code.replace(mark, rng.choice(choices), 1)
    while "$x" in code:
        code = code.replace("$x", rng.choice("xxxxy"), 1)
    return code


def _statement(language: Language, call: Call, code: str) -> str:
    if call.gives:
        return _told(language, code, raises=call.raises)
    if not call.raises:
        return f"{code};" if language == "java" else code
    if language == "java":
        return f'try {{ {code}; }} catch (RuntimeException e) {{ out += "!;"; }}'
    return f"try:\n    {code}\nexcept Exception:\n    out += '!;'"


def _told(language: Language, code: str, *, raises: bool) -> str:
    if language == "java":
        told = f'out += {code} + ";";'
        return f'try {{ {told} }} catch (RuntimeException e) {{ out += "!;"; }}' if raises else told
    told = f"out += repr({code}) + ';'"
    return f"try:\n    {told}\nexcept Exception:\n    out += '!;'" if raises else told
