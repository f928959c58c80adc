"""Arguments of the methods that make consumers in Java programs."""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracle.frame import Texts, lit
from tests.oracle.java import Java, JavaProgram


def actuals(p: JavaProgram, c: Java, inst: Texts, names: Sequence[str]) -> tuple[list[str], Texts]:
    """(statements, expressions) for the values an instance needs."""
    pre: list[str] = []
    out: Texts = {}
    for n in names:
        if n == "flag":
            out[n] = inst["flag"]
        elif n == "kind":
            out[n] = lit(inst["kind"])
        else:
            st, e = p.loc(c, inst[n])
            pre += st
            out[n] = e
    return pre, out


def formals(p: JavaProgram, extra: float = 0.6) -> list[str]:
    """The parameters of a method that makes consumers."""
    names = ["group", "topic", "tags"]
    if p.chance(extra * 0.6):
        names.append("flag")
        p.tag("flag-argument")
    if p.chance(extra * 0.4):
        names.append("kind")
        p.tag("kind-argument")
    if p.chance(0.3):
        p.rng.shuffle(names)
    return names


def java_type(name: str) -> str:
    return "boolean" if name == "flag" else "String"


def signature(names: Sequence[str]) -> str:
    return ", ".join(f"{java_type(n)} {n}" for n in names)
