"""Which piece of a composed value a report underlines: the one that the other sides do not have."""

from __future__ import annotations

import pytest

from subdrift.linter.model.consumer import TrailStep, Value
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.rules.sides import source


def _value(text: str, *steps: tuple[str, int, int]) -> Value:
    """A value whose trail says each `what` at a line and column of one file."""
    where = Origin("shop", "App.java")
    return Value(
        text,
        trail=tuple(
            TrailStep(Location(where, Span(line, column, line, column + len(what))), what)
            for what, line, column in steps
        ),
    )


LITERAL = _value("PAID", ('"PAID"', 9, 30))
COMPOSED = _value("PAID || LATE", ('"PAID"', 3, 5), ('" || "', 14, 8), ("Tags.LATE", 4, 1), ('"LATE"', 4, 5))
SQL = _value("amount > 100 AND a = 1", ('"amount > "', 20, 10), ('"100"', 20, 23), ('" AND a = 1"', 20, 30))
KEYS = _value("PAID || LATE", ('"${first} || ${second}"', 6, 1), ("`first`", 2, 8), ("`second`", 3, 8))
OTHER_KEYS = _value("PAID || SENT", ('"${first} || ${third}"', 8, 1), ("`first`", 2, 8), ("`third`", 4, 8))
FAR_KEYS = _value("LATE || PAID", ('"${a}"', 12, 1), ("`a`", 40, 8))

LINES = {
    "a literal is where it is written, whatever the others say": (LITERAL, (COMPOSED,), (9, 30, 36)),
    "a text that came without a trail is nowhere": (_value("PAID"), (COMPOSED,), None),
    "of constants on several lines the one the other side lacks": (COMPOSED, (LITERAL,), (4, 5, 11)),
    "a piece is told that one of several sides lacks": (
        COMPOSED,
        (LITERAL, _value("LATE || PAID")),
        (4, 5, 11),
    ),
    "of pieces of several lines that each differ the first that does": (
        COMPOSED,
        (LITERAL, _value("LATE")),
        (4, 5, 11),
    ),
    "of pieces on several lines in another order the first": (
        COMPOSED,
        (_value("LATE || PAID"),),
        (3, 5, 11),
    ),
    "of pieces on several lines with other blanks the blank": (
        COMPOSED,
        (_value("PAID||LATE"),),
        (14, 8, 14),
    ),
    "constants in another order say nothing about it": (
        _value("B || A", ("Tags.B", 8, 1), ('"B"', 8, 5), ('" || "', 3, 4), ("Tags.A", 7, 1), ('"A"', 7, 5)),
        (_value("A || B"),),
        None,
    ),
    "of three tags on three lines the one at which the order changes": (
        _value("A||B||C", ('"A||"', 1, 1), ('"B"', 2, 1), ('"||C"', 3, 1)),
        (_value("A||C||B"),),
        (2, 1, 4),
    ),
    "nothing to compare with: no piece of several lines": (COMPOSED, (), None),
    "a number inside a selector": (SQL, (_value("amount > 1000 AND a = 1"),), (20, 23, 28)),
    "pieces on one line that differ by a sign only": (SQL, (_value("amount < 100 AND a = 1"),), (20, 10, 42)),
    "two pieces of one line that differ": (SQL, (_value("amount > 7 AND b = 1"),), (20, 23, 42)),
    "a key that is the other side's too": (KEYS, (OTHER_KEYS,), (3, 8, 16)),
    "the key whose value the other side lacks": (KEYS, (_value("PAID"),), (3, 8, 16)),
    "keys of one literal that nobody lacks: the literal": (KEYS, (FAR_KEYS,), (6, 1, 24)),
    "a text told twice is one piece": (
        _value("PAID || LATE", ('"PAID"', 3, 5), ('" || LATE"', 7, 5), ('" || LATE"', 2, 9)),
        (LITERAL,),
        (7, 5, 15),
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_the_piece_that_differs(name: str) -> None:
    value, others, expected = LINES[name]
    found = source(value, others)
    assert (found and (found.span.line, found.span.column, found.span.end_column)) == expected


def test_a_key_whose_text_cannot_be_told_is_what_differs() -> None:
    value = _value("x PAID y", ('"x "', 1, 1), ("`tag`", 2, 8), ('" y"', 1, 9))
    found = source(value, (_value("x SENT y"),))
    assert found is not None
    assert found.span.line == 2
