"""What no lack of knowledge may cause: rows that no run explains, and subscriptions that no row stands for.

A row that leaves open what it does not know, or that stands for some consumer of its place, is silent about none; a row
that says something else, or that a consumer is never started, stands for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Final

from tests.oracle.analyzer import Row
from tests.oracle.program import Program
from tests.oracle.score import Consumer, Judged, Spans, Tool, Values, compare, judge


def faults(
    program: Program, rows: Sequence[Row], judged: Judged | None = None, *, possible: bool = False
) -> Iterator[str]:
    """A line for each false value, phantom and silently missing subscription.

    A row that says of one consumer, as one of several choices, what is true of another is no fault. `possible`: nothing
    is one that a row says only under an open condition or as one of several choices; so it is where knowledge is taken
    away, since a condition that nobody knows has to leave both ways open.
    """
    for note in (judged or judge(program, rows)).notes:
        if note.what == "wrong" and not (note.is_possible and (possible or note.is_anyones)):
            yield f"{note.kind}: {note.said}"
    expected = list(_expected(program))
    for consumer, values in expected:
        own = {name for name in ("group", "topic") if _is_alone(name, consumer, values, expected)}
        if not any(_stands_for(row, consumer, values, own) for row in rows):
            said = " ".join(str(values[name]) for name in ("group", "topic", "expression"))
            yield f"silent: {said}, made at {', '.join(consumer.made.created[:3])}"


_REFERENCE: Final = re.compile(r"::(?:new\b|[A-Z]\w*Consumer\b)")
_MADE: Final = re.compile(r"\bnew\b|Consumer\(")


def _expected(program: Program) -> Iterator[tuple[Consumer, Values]]:
    spans = Spans(program.files)
    texts = {path: text.split("\n") for path, text in program.files.items() if not path.endswith(".py")}
    references = {
        (path, line, line)
        for path, lines in texts.items()
        for line, text in enumerate(lines, 1)
        if _REFERENCE.search(text)
    }
    for made in program.truth:
        if made.started:
            consumer = Consumer(made, spans)
            path, first, last = spans.of(made.created[0])
            if path in texts and not _MADE.search("\n".join(texts[path][first - 1 : last])):
                consumer.places |= references  # the stack does not show the reference that has made it
            yield from ((consumer, values) for values in consumer.expected)


def _is_alone(
    name: str, consumer: Consumer, values: Values, expected: Sequence[tuple[Consumer, Values]]
) -> bool:
    """Whether no other consumer of a program has a value."""
    return values[name] is not None and all(
        one is consumer or each[name] != values[name] for one, each in expected
    )


def _stands_for(row: Row, consumer: Consumer, values: Values, own: Set[str]) -> bool:
    """`own`: the values that only this consumer has; a row that says one of them stands for it wherever it is. The stack of
    another thread does not lead to the code that started it, where a row may stand."""
    tool = Tool([row])
    different, unknown = compare(row, values)
    near = tool.near(consumer)
    # one that is made with a map of its subscriptions is shown where that is filled
    filled = near == 1 and row["api"] == consumer.made.api and "grpc" in consumer.made.api
    named = any(row[name] is not None for name in own) or (near and consumer.in_thread)
    return not tool.is_off and not different and (near == 2 or filled or named or not unknown)
