"""What a Python file says before anything runs: whether a program starts in it, and uses of clients nobody can follow."""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.clients.python import Shape, maker
from subdrift.linter.model import ir
from subdrift.linter.model.facts import FileFacts, Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say
from subdrift.linter.model.walk import nodes

_TYPE_TESTS = frozenset({"isinstance", "issubclass", "cast"})
"""Calls that take a class without making anything of it."""


def facts(unit: ir.Unit) -> FileFacts:
    """The facts of a Python file."""
    return FileFacts("python", problems=tuple(_problems(unit)), runs=_runs(unit), unit=unit)


def _runs(unit: ir.Unit) -> bool:
    """Whether the file asks if it is the program: `if __name__ == "__main__"`."""
    return any(
        isinstance(one, ir.If) and _is_main_test(one.test)
        for module in unit.types
        for method in module.methods
        for one in (method.body or () if method.name == "<module>" else ())
    )


def _is_main_test(test: ir.Expr) -> bool:
    if not isinstance(test, ir.Binary) or test.operator != "==":
        return False
    sides = (test.left, test.right)
    return any(isinstance(side, ir.Name) and side.name == "__name__" for side in sides) and any(
        isinstance(side, ir.Const) and side.value == "__main__" for side in sides
    )


def _problems(unit: ir.Unit) -> Iterator[Problem]:
    if unit.skipped:
        yield Problem("skipped-file", unit.skipped, say("split-or-exclude"), START)
    elif unit.broken:
        yield Problem("parse-error", say("not-python-3"), say("not-read-here"), Span(*unit.broken[0]))
    classes = {
        one.name: f"{one.path}.{one.member}"
        for one in unit.imports
        if one.name and one.member and not one.level and maker(f"{one.path}.{one.member}") is not None
    }
    if classes:
        yield from _handed_on(unit, classes)
        if any(_takes_callback(full) for full in classes.values()):
            yield from _no_callback(unit)


def _takes_callback(full: str) -> bool:
    found = maker(full)
    return found is not None and found.shape is Shape.CALLBACK


def _handed_on(unit: ir.Unit, classes: dict[str, str]) -> Iterator[Problem]:
    """Consumer classes that are handed on by name, without a consumer being made of them in the file."""
    called = {name for name, _ in unit.calls}
    for name, full in classes.items():
        if name in called:
            continue
        at = _value_use(name, unit)
        if at is not None:
            yield Problem("unrecognised-use", say("use-not-understood", name=full), say("call-directly"), at)


def _value_use(name: str, unit: ir.Unit) -> Span | None:
    """The first place where a name is used as a value: no annotation, base class, type test or decorator."""

    def enters(node: ir.Record) -> bool:
        is_test = isinstance(node, ir.Call) and node.name in _TYPE_TESTS
        return not is_test and not isinstance(node, ir.Annotation)

    every = nodes(unit.types, enters=enters)
    return min(
        (Span(*one.at) for one in every if isinstance(one, ir.Name) and one.name == name), default=None
    )


def _no_callback(unit: ir.Unit) -> Iterator[Problem]:
    """Subscriptions whose filter stands in the place of the callback: it filters nothing."""
    for node in nodes(unit.types):
        if not isinstance(node, ir.Call) or node.name != "subscribe" or len(node.args) != 2:
            continue
        second = node.args[1]
        if second.name in ("", "callback") and isinstance(second.value, ir.Const):
            written = second.value
            if isinstance(written.value, str):
                yield Problem(
                    "unrecognised-use",
                    say("text-as-callback", text=repr(written.value)),
                    say("expression-third"),
                    Span(*written.at),
                )
