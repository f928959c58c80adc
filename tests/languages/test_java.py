"""Java source -> the form that all languages share."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.languages.java import lower
from subdrift.linter.languages.java.syntax import NAMES
from subdrift.linter.languages.text import CONTENT_MAX
from subdrift.linter.languages.trees import LEVELS_MAX
from subdrift.linter.model import ir
from tests.languages.cases import cases, lowered
from tests.languages.checks import check, mutated, steps
from tests.languages.walk import nodes, text_at

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "fixtures").rglob("*.java"))
DEEP = 10_000


@pytest.mark.parametrize("case", [pytest.param(case, id=case["title"]) for case in cases("java")])
def test_lowered_form(case: re.Match[str]) -> None:
    assert lowered("java", case["mark"], case["source"]) == case["ir"]


@pytest.mark.parametrize("path", SOURCES[::3], ids=lambda path: path.name)
def test_a_real_file_is_lowered_whole(path: Path) -> None:
    content = path.read_bytes()
    unit = lower(content)
    assert unit.types or unit.package
    assert ir.decode(ir.encode(unit)) == unit
    if not unit.broken:
        assert {node.what for node in nodes(unit) if isinstance(node, ir.Opaque)} <= {"assert", "subject"}
    if b"lombok" in content:
        return  # what a processor writes stands at the name of its class
    for node in nodes(unit):
        if isinstance(node, ir.Name):
            assert text_at(content, node.at) == node.name or b"\\u" in content
        elif isinstance(node, ir.Call) and node.name != "<init>":
            assert text_at(content, node.name_at) == node.name


def test_literals_have_the_values_that_java_prints() -> None:
    source = ROOT / "tests/languages/literals/Literals.java"
    every, reals = (field.value for field in lower(source.read_bytes()).types[0].fields)
    assert isinstance(every, ir.Sequence)
    assert isinstance(reals, ir.Sequence)
    printed = []
    for item in every.items:
        assert isinstance(item, ir.Const)
        kind = "Character" if item.char else "String" if isinstance(item.value, str) else "number"
        printed.append(f"{kind} {str(item.value).encode('utf-16-be').hex()}")
    values = [item.value if isinstance(item, ir.Cast) else item for item in reals.items]  # `2f` is a cast
    printed += [str(item.value) for item in values if isinstance(item, ir.Const)]
    recorded = source.with_suffix(".txt").read_text().replace("Integer", "number").replace("Long", "number")
    assert printed == recorded.splitlines()


def test_columns_count_code_points() -> None:
    content = 'class A { /* 群组 😀 */ String 名 = f("一😀二", x\\u0041y, z); }'.encode()
    unit = lower(content)
    found = {node.name: text_at(content, node.at) for node in nodes(unit) if isinstance(node, ir.Name)}
    assert found == {"xAy": "x\\u0041y", "z": "z"}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030", "latin-1"])
def test_encodings(encoding: str) -> None:
    text = 'class A { String s = "é"; }' if encoding == "latin-1" else 'class A { String s = "群组"; }'
    field = lower(text.encode(encoding)).types[0].fields[0]
    assert isinstance(field.value, ir.Const)
    assert str(field.value.value) in text


def test_a_file_above_the_limit_is_skipped_for_a_reason() -> None:
    unit = lower(b"class A { } " + b" " * CONTENT_MAX)
    assert (unit.types, unit.broken) == ((), ((1, 1, 1, 1),))
    assert unit.skipped is not None
    assert unit.skipped.value("most") == str(CONTENT_MAX)


# -- depth and growth -------------------------------------------------------------------------------------------------

_BODY = "class A { void f() { %s } }"

GROWING: dict[str, Callable[[int], str]] = {
    "calls": lambda n: _BODY % ("x" + ".g()" * n + ".last(1);"),
    "fields": lambda n: _BODY % ("x = y" + ".g" * n + "; last(1);"),
    "indexes": lambda n: _BODY % ("x = y" + "[0]" * n + "; last(1);"),
    "sum": lambda n: _BODY % ("x = last(1)" + ' + "a"' * n + ";"),
    "parentheses": lambda n: _BODY % ("x = " + "(" * n + "last(1)" + ")" * n + ";"),
    "signs": lambda n: _BODY % ("x = " + "- " * n + "last(1);"),
    "arguments": lambda n: _BODY % ("f(" * n + "last(1)" + ")" * n + ";"),
    "lambdas": lambda n: _BODY % ("x = " + "() -> " * n + "last(1);"),
    "conditions": lambda n: _BODY % ("x = " + "a ? b : " * n + "last(1);"),
    "else": lambda n: _BODY % ("if (a) b(); else " * n + "last(1);"),
    "if": lambda n: _BODY % ("if (a) " * n + "last(1);"),
    "blocks": lambda n: _BODY % ("{" * n + "last(1);" + "}" * n),
    "loops": lambda n: _BODY % ("for (;;) " * n + "last(1);"),
    "labels": lambda n: _BODY % ("a: " * n + "last(1);"),
    "arrays": lambda n: _BODY % ("int[] x = " + "{" * n + "last(1)" + "}" * n + ";"),
    "casts": lambda n: _BODY % ("x = " + "(A) " * n + "last(1);"),
    "generics": lambda n: _BODY % ("A<" * n + "B" + ">" * n + " x = last(1);"),
    "dimensions": lambda n: _BODY % ("A" + "[]" * n + " x = last(1);"),
    "dotted type": lambda n: _BODY % ("new " + "a." * n + "B(last(1));"),
    "switches": lambda n: _BODY % ("switch (a) { default: " * n + "last(1);" + "}" * n),
    "anonymous": lambda n: _BODY % ("x = " + "new A() { int x = " * n + "last(1)" + "; }" * n + ";"),
    "classes": lambda n: "class A { " * n + "int x = last(1);" + "}" * n,
    "annotations": lambda n: "@A(" * n + "last(1)" + ")" * n + " class B { }",
    "patterns": lambda n: _BODY % ("x = last(1) instanceof " + "A(" * n + "int x" + ")" * n + ";"),
    "statements": lambda n: _BODY % ("f(x);" * n + "last(1);"),
    "methods": lambda n: "class A { " + "void f() { g(1); }" * n + "int x = last(1); }",
    "errors": lambda n: _BODY % ("x ) ;" * n + "last(1);"),
    "lines": lambda n: "class A { " + "\n/* 群 */" * n + "int x = last(1); }",
    "escapes": lambda n: _BODY % ('x = "' + "\\u0041\\n" * n + '"; last(1);'),
}


@pytest.mark.parametrize("shape", GROWING)
def test_deep_and_long_sources_are_lowered_or_cut(shape: str) -> None:
    unit = lower(GROWING[shape](DEEP).encode())
    assert ir.decode(ir.encode(unit)) == unit
    assert unit.broken or ("last", 1) in unit.calls


@pytest.mark.parametrize("shape", ["calls", "sum", "else", "arguments", "blocks", "lambdas"])
def test_what_is_cut_says_so(shape: str) -> None:
    whole = nodes(lower(GROWING[shape](LEVELS_MAX // 10).encode()))
    assert not [node for node in whole if isinstance(node, ir.Opaque)]
    cut = nodes(lower(GROWING[shape](DEEP).encode()))
    assert {node.what for node in cut if isinstance(node, ir.Opaque)} == {"too-many"}


@pytest.mark.parametrize("shape", GROWING)
def test_work_grows_with_the_source(shape: str) -> None:
    """Counted in lines of Python run, which do not depend on the machine."""
    first, second, third = (steps(lower, GROWING[shape](size).encode()) for size in (600, 1200, 2400))
    assert third - second < 2.5 * (second - first) + 1000


# -- any bytes --------------------------------------------------------------------------------------------------------


@given(st.binary(max_size=400))
def test_any_bytes_are_lowered(content: bytes) -> None:
    check(lower, content)


WORDS = (
    *sorted(set(NAMES.values())),
    "a",
    "B",
    '"x"',
    "'c'",
    '"""',
    "\\",
    "\\u0041",
    "群",
    "//",
    "/*",
    "*/",
    "1",
    "1.5",
)
"""All keywords and signs of the grammar; the names of its node kinds serve as identifiers."""


@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_words_are_lowered(words: list[str]) -> None:
    check(lower, " ".join(words).encode())


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from(SOURCES))
def test_mutated_sources_are_lowered(chance: random.Random, path: Path) -> None:
    check(lower, mutated(path.read_bytes(), chance, WORDS))


def test_mutated_sources_keep_most_calls() -> None:
    """Recovery is not in vain: with one brace gone, two thirds of the calls of the fixtures are still found."""
    kept = wanted = 0
    for path in SOURCES:
        content = path.read_bytes()
        calls = set(lower(content).calls)
        brace = content.find(b"{", len(content) // 2)
        if brace < 0:
            continue
        wanted += len(calls)
        kept += len(calls & set(lower(content[:brace] + content[brace + 1 :]).calls))
    assert wanted > 200
    assert kept / wanted > 0.66
