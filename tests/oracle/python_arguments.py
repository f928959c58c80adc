"""Arguments of the functions that make consumers in Python programs."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle.frame import Texts
from tests.oracle.python import Module, PythonProgram


def arguments(p: PythonProgram, m: Module, inst: Texts, names: Sequence[str]) -> Texts:
    """Expressions for the values an instance needs."""
    return {n: (inst["flag"].title() if n == "flag" else p.val(m, inst[n])) for n in names}


def parameters(p: PythonProgram) -> list[str]:
    """The parameters of a function that makes consumers."""
    names = ["group", "topic", "tags"]
    if p.chance(0.3):
        names.append("flag")
        p.tag("py-flag-argument")
    return names


def call(p: PythonProgram, a: Texts, names: Sequence[str]) -> str:
    """Arguments by position or by name."""
    k = p.rng.randint(0, len(names)) if p.chance(0.4) else len(names)
    return ", ".join([a[n] for n in names[:k]] + [f"{n}={a[n]}" for n in names[k:]])
