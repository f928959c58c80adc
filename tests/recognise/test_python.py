"""Python files read alone: bytes in, facts out. What a project as a whole gives is in fixtures/cases/python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract import read as read_any
from subdrift.linter.model.facts import FileFacts
from tests.extract.files import PYTHON, assert_sound, mutations

HEAD = "from rocketmq.client import PushConsumer\n"


def read(source: str | bytes) -> FileFacts:
    facts = read_any("x.py", source if isinstance(source, bytes) else source.encode())
    assert facts is not None
    assert not any(problem.name == "internal-error" for problem in facts.problems)
    return facts


def test_an_entry_point_is_noticed() -> None:
    assert read("if __name__ == '__main__':\n    pass\n").runs
    assert read('if "__main__" == __name__:\n    pass\n').runs
    assert not read("main()\n").runs


def test_suppressions_are_comments_not_texts() -> None:
    facts = read(f"{HEAD}# subdrift: ignore[divergent-tags] on purpose\nx = '# subdrift: ignore[a] b'\n")
    (found,) = facts.suppressions
    assert found.rules == ("divergent-tags",)
    assert 3 in found.lines


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("registry.register('push', PushConsumer)\n", 2),
        ("make = PushConsumer\n", 2),
        ("PushConsumer('g')\nregister(PushConsumer)\n", 0),
        ("def f(c: PushConsumer) -> PushConsumer:\n    return isinstance(c, PushConsumer)\n", 0),
        ("class Own(PushConsumer):\n    pass\n", 0),
        ("PushConsumer('g').subscribe('t', 'a||b')\n", 2),
        ("PushConsumer('g').subscribe('t', f, 'a||b')\n", 0),
    ],
)
def test_uses_that_nobody_can_follow_are_told(source: str, line: int) -> None:
    found = [(problem.name, problem.at.line) for problem in read(HEAD + source).problems]
    assert found == ([("unrecognised-use", line)] if line else [])


@pytest.mark.parametrize(
    "source",
    [
        "x=" + "[" * 120 + "]" * 120,
        "x=" + "(" * 5000 + ")" * 5000,
        "x=" + "+".join(["a"] * 20_000),
        "x=" + "+".join(["a"] * 500),
        "if a: pass\n" + "elif b: pass\n" * 2000,
        "x=[" + "1," * 200_000 + "]",
        "x=" + "not " * 3000 + "a",
        "x=" + "lambda:" * 900 + "a",
        "class A:\n x=1\n" * 40_000,
        "a\x00b",
        "# coding: no-such-codec\nx = = 1",
        "# coding: rot13\nk = 1 1",
        "x = " + "'a' " * 100_000,
    ],
    ids=range(13),
)
def test_hostile_files_cost_one_diagnostic(source: str) -> None:
    facts = read(source)
    assert len(facts.problems) <= 1
    assert_sound(facts)


@settings(max_examples=60, deadline=None)
@given(mutations(PYTHON))
def test_any_mutation_gives_facts_and_sound_places(content: bytes) -> None:
    assert_sound(read(content))


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
def test_any_bytes_give_facts(content: bytes) -> None:
    assert_sound(read(content))
