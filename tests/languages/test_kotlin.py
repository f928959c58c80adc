"""Kotlin source -> the form that all languages share."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.languages.kotlin import CONTENT_MAX, facade, lower
from subdrift.linter.languages.kotlin.repair import close_members
from subdrift.linter.languages.kotlin.syntax import GRAMMAR
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir
from tests.languages.cases import cases, lowered
from tests.languages.checks import check, mutated, steps
from tests.languages.walk import nodes, text_at

CASES = cases("kotlin")
DEEP = 10_000
SLOW = {"objects": 1_000, "braces": 2_000, "generics": 5_000}
"""Shapes that are broken to the grammar: its recovery takes time that grows with the square."""


@pytest.mark.parametrize("case", [pytest.param(case, id=case["title"]) for case in CASES])
def test_lowered_form(case: re.Match[str]) -> None:
    assert lowered("kotlin", case["mark"], case["source"]) == case["ir"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["title"]) for case in CASES])
def test_places_are_those_of_the_names(case: re.Match[str]) -> None:
    content = case["source"].encode()
    found = 0
    for node in nodes(lower(content)):
        if isinstance(node, ir.Name):
            assert text_at(content, node.at).strip("`") == node.name.partition("'")[0]
            found += 1
        elif isinstance(node, ir.Call) and node.name not in (
            "",
            "<init>",
            "getValue",
            "rangeTo",
            "rangeUntil",
        ):
            assert text_at(content, node.name_at) == node.name
            found += 1
    assert found or case["mark"] != "body"


def test_columns_count_code_points() -> None:
    content = 'val n = f("一😀$x，$二", y)'.encode()
    found = {
        node.name: text_at(content, node.at) for node in nodes(lower(content)) if isinstance(node, ir.Name)
    }
    assert found == {"x": "x", "二": "二", "y": "y"}


def test_the_class_of_a_file() -> None:
    assert [unit.name for unit in lower(b"fun main() { }", "my-app").types] == ["My_appKt"]
    assert [unit.name for unit in lower(b"class A", "app").types] == ["A"]
    assert facade("") == ""


def test_a_file_above_the_limit_is_broken_at_its_start() -> None:
    unit = lower(b"class A " + b" " * CONTENT_MAX)
    assert (unit.types, unit.broken) == ((), ((1, 1, 1, 1),))
    assert unit.skipped is not None
    assert unit.skipped.value("most") == str(CONTENT_MAX)


def test_repair_leaves_texts_and_comments() -> None:
    kept = b'class A { val a = "x }"; val b = """ } """; val c = "${d { e }}" /* } */ // }\n val f = \'}\''
    assert close_members(kept) == kept
    assert close_members(b"class A { fun f() { } }") == b"class A { fun f() { };}"


# -- depth and growth -------------------------------------------------------------------------------------------------

_BODY = "fun f() { %s }"

GROWING: dict[str, Callable[[int], str]] = {
    "calls": lambda n: _BODY % ("x" + ".g()" * n + ".last(1)"),
    "fields": lambda n: _BODY % ("x = y" + "?.g" * n + "; last(1)"),
    "indexes": lambda n: _BODY % ("x = y" + "[0]" * n + "; last(1)"),
    "sum": lambda n: _BODY % ("x = last(1)" + ' + "a"' * n),
    "infix": lambda n: _BODY % ("x = last(1)" + " to b" * n),
    "elvis": lambda n: _BODY % ("x = last(1)" + " ?: b" * n),
    "parentheses": lambda n: _BODY % ("x = " + "(" * n + "last(1)" + ")" * n),
    "signs": lambda n: _BODY % ("x = " + "- " * n + "last(1)"),
    "bangs": lambda n: _BODY % ("x = last(1)" + "!!" * n),
    "arguments": lambda n: _BODY % ("f(" * n + "last(1)" + ")" * n),
    "lambdas": lambda n: _BODY % ("f { " * n + "last(1)" + " }" * n),
    "conditions": lambda n: _BODY % ("x = " + "if (a) b else " * n + "last(1)"),
    "else": lambda n: _BODY % ("if (a) { b = 1 } else " * n + "last(1)"),
    "if": lambda n: _BODY % ("if (a) " * n + "last(1)"),
    "nested if": lambda n: _BODY % ("f { " + "if (a) { " * n + "last(1)" + " } else b" * n + " }"),
    "loops": lambda n: _BODY % ("while (a) " * n + "last(1)"),
    "when": lambda n: _BODY % ("when (a) { else -> " * n + "last(1)" + " }" * n),
    "texts": lambda n: _BODY % ("x = " + '"${' * n + "last(1)" + '}"' * n),
    "generics": lambda n: _BODY % ("val x: " + "A<" * n + "B" + ">" * n + " = last(1)"),
    "function types": lambda n: _BODY % ("val x: " + "() -> " * n + "B = last(1)"),
    "classes": lambda n: "class A { " * n + "val x = last(1)" + "\n}" * n,
    "objects": lambda n: _BODY % ("val x = object { val y = " * n + "last(1)" + "\n}" * n),
    "annotations": lambda n: "@A(" * n + "last(1)" + ")" * n + " class B",
    "statements": lambda n: _BODY % ("f(x);" * n + "last(1)"),
    "functions": lambda n: "fun f() { g(1) }\n" * n + "val x = last(1)",
    "braces": lambda n: "class A { " + "fun f() { g(1) } " * n + "val x = last(1) }",
    "templates": lambda n: _BODY % ('x = "' + "$a" * n + '"; last(1)'),
    "open templates": lambda n: _BODY % ('x = "' + "${" * n + "; last(1)"),
}


@pytest.mark.parametrize("shape", GROWING)
def test_deep_and_long_sources_are_lowered_or_cut(shape: str) -> None:
    unit = lower(GROWING[shape](SLOW.get(shape, DEEP)).encode())
    assert ir.decode(ir.encode(unit)) == unit
    assert unit.broken or ("last", 1) in unit.calls


@pytest.mark.parametrize("shape", ["calls", "sum", "else", "arguments", "lambdas"])
def test_what_is_cut_says_so(shape: str) -> None:
    whole = nodes(lower(GROWING[shape](LEVELS_MAX // 10).encode()))
    assert not [node for node in whole if isinstance(node, ir.Opaque)]
    cut = nodes(lower(GROWING[shape](DEEP).encode()))
    assert {node.what for node in cut if isinstance(node, ir.Opaque)} == {"too-many"}


@pytest.mark.parametrize("shape", GROWING)
def test_work_grows_with_the_source(shape: str) -> None:
    """Counted in lines of Python run, which do not depend on the machine; a text that is given up costs less than a shorter
    one that is not."""
    first, second, third = (steps(lower, GROWING[shape](size).encode()) for size in (600, 1200, 2400))
    assert third - second < 2.5 * abs(second - first) + 1000


# -- any bytes --------------------------------------------------------------------------------------------------------

WORDS = (
    *sorted(set(GRAMMAR.names.values())),
    "a",
    "B",
    "'c'",
    "\\",
    "\\u0041",
    "群",
    "//",
    "/*",
    "*/",
    "1",
    "1.5",
    "l@",
)
"""All keywords and signs of the grammar; the names of its node kinds serve as identifiers."""

SOURCES = [case["source"] for case in CASES]


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_lowered(content: bytes) -> None:
    check(lower, content)


@settings(deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_words_are_lowered(words: list[str]) -> None:
    check(lower, " ".join(words).encode())


@settings(deadline=None, max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from(SOURCES))
def test_mutated_sources_are_lowered(chance: random.Random, source: str) -> None:
    check(lower, mutated(source.encode(), chance, WORDS))
