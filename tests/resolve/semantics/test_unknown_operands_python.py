"""What hangs on a number or text that nobody knows is not known either, in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.oracle.analyzer import rows

NUMBERS = (0, 1, 2)
TEXTS = ("a", "b", "c", "k", "q", "x", "", "3", "zz")
"""What runs are given for `u` and `k`."""

_PROGRAM = """import sys
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque
from itertools import dropwhile, islice, product, takewhile


class Held:
    def __init__(self):
        self.a = "1"


def group(u, k):
    l = ["a", "b", "c"]
    m = {{"k": "v", "x": "y"}}
    s = {{"a", "b"}}
    d = deque(["a", "b", "c"])
    o = Held()
    {statement}
    return {asked}

"""
_MAIN = """
from rocketmq.client import PushConsumer

consumer = PushConsumer(group(int(sys.argv[1]), sys.argv[2]))
consumer.subscribe("orders", print, "*")
consumer.start()
"""


class Form(NamedTuple):
    """A statement and what is asked for after it. `held`: not answered as if it were known."""

    statement: str
    asked: str
    held: bool

    @property
    def source(self) -> str:
        return _PROGRAM.format(statement=self.statement or "pass", asked=self.asked)


def forms() -> list[Form]:
    text = Path(__file__).with_name("unknown_operands_python.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    parts = [line.removeprefix("! ").partition("=> ") for line in lines]
    return [
        Form(statement.strip(), asked, not line.startswith("! "))
        for line, (statement, _, asked) in zip(lines, parts, strict=True)
    ]


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(
            form,
            id=f"{form.statement} {form.asked}".strip(),
            marks=() if form.held else pytest.mark.xfail(strict=True, reason="answered as if it were known"),
        )
        for form in forms()
    ],
)
def test_what_hangs_on_an_unknown_is_not_known(form: Form) -> None:
    found = rows({"main.py": form.source + _MAIN})
    assert found
    assert len(found) > 1 or found[0]["group"] is None


def test_runs_of_these_forms_differ() -> None:
    assert not [form for form in forms() if len(_outcomes(form)) < 2]


def _outcomes(form: Form) -> set[str]:
    space: dict[str, Any] = {}
    exec(compile(form.source, form.statement, "exec", dont_inherit=True), space)
    found = set()
    for number in NUMBERS:
        for text in TEXTS:
            try:
                found.add(str(space["group"](number, text)))
            except (LookupError, ValueError, TypeError) as error:
                found.add(type(error).__name__)
    return found


OWN = """
import random
from rocketmq.client import PushConsumer
class Own:
    def __init__(self, name):
        self.name = name
    def opened(self, *others):
        consumer = PushConsumer(self.name)
        consumer.subscribe("t", print)
        consumer.start()
        return self
    __add__ = __radd__ = __matmul__ = __eq__ = __lt__ = __contains__ = __neg__ = __invert__ = opened
own = Own("one") if random.random() > 0.5 else Own("two")
"""


@pytest.mark.parametrize(
    "asked", ["own + 1", "1 + own", "own @ 1", "own == 1", "own != 1", "own < 1", "1 in own", "-own", "~own"]
)
def test_an_operator_of_ones_own_runs_on_one_of_several_values_alone(asked: str) -> None:
    found = {row["group"]: bool(row["conditions"]) for row in rows({"main.py": f"{OWN}\n{asked}\n"})}
    assert found == {"one": True, "two": True}
