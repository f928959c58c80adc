"""A seed -> a program without its truth: mains that use shapes, each with some instances."""

from __future__ import annotations

import hashlib
import random
import re
from functools import cache
from pathlib import Path
from typing import Final

from tests.oracle import grammar, java, python
from tests.oracle.frame import Draft, camel
from tests.oracle.java import Java, JavaProgram
from tests.oracle.program import Language, Program
from tests.oracle.python import Module, PythonProgram

PYTHON_SHARE: Final = 0.25
"""So many of the programs are Python."""

MAIN_CLASSES: Final = ("Application", "Main", "Bootstrap", "ConsumerApp", "Starter", "Runner")


def generate(seed: int, python_share: float = PYTHON_SHARE) -> Program:
    """The program of a seed; deterministic in the seed and the features that are registered."""
    name = f"p{seed:06d}"
    language: Language = "java"
    if random.Random(f"language {seed}").random() < python_share:
        language = "python"
    draft = _python(name, seed) if language == "python" else _java(name, seed)
    return Program(
        name,
        seed,
        language,
        grammar_version(),
        tuple(sorted(draft.tags)),
        tuple(draft.mains),
        draft.inputs,
        draft.random_values,
        draft.finish(),
    )


@cache
def grammar_version() -> str:
    """A hash of the generator's own sources and stubs."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted([*folder.glob("*.py"), *Path(grammar.__file__).parent.glob("*.py")]):
        if path.stem in _NOT_GENERATING or path.stem.startswith("test_"):
            continue
        digest.update(path.name.encode() + path.read_bytes())
    for path in sorted((folder / "stubs").rglob("*.*")):
        if path.suffix in (".py", ".java"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_NOT_GENERATING: Final = (
    "__main__",
    "score",
    "report",
    "analyzer",
    "store",
    "sample",
    "metamorphic",
    "written",
)
"""Modules on which no program and no truth depends."""


def _count(p: Draft, shares: list[float]) -> int:
    return p.rng.choices(range(1, len(shares) + 1), shares)[0]


def _java(name: str, seed: int) -> JavaProgram:
    p = JavaProgram(name, seed)
    if p.root != p.root.lower():
        p.tag("capital-package")
    count = _count(p, [1 - 0.4 * p.density, 0.3 * p.density, 0.1 * p.density])
    if count > 1:
        p.tag("several-mains")
    mains: list[tuple[Java, list[list[str]]]] = [
        (p.java(p.choose(*MAIN_CLASSES), package=p.root), []) for _ in range(count)
    ]
    for _ in range(_count(p, [1.1 - p.density, 0.5 * p.density, 0.3 * p.density])):
        use = p.pick(java.shape)(p)
        for _ in range(_count(p, [0.25, 0.4, 0.25, 0.1])):
            c, parts = p.rng.choice(mains)
            statements = use(c, p.instance())
            if p.chance(0.4 * p.density):
                statements = p.pick(java.wrap)(p, c, statements)
            parts.append(statements)
    for c, parts in mains:
        body = [line for part in parts for line in _scoped(p, c, part, len(parts) > 1)]
        c.first("public static void main(String[] args) throws Exception {\n" + "\n".join(body) + "\n}")
    p.mains = [f"{c.package}.{c.name}" for c, _ in mains]
    return p


def _scoped(p: JavaProgram, c: Java, statements: list[str], several: bool) -> list[str]:
    """Statements that declare locals get a method or a block of their own when others stand beside them."""
    declares = any(
        re.match(r"[\w.<>\[\], ]+ \w+ = ", line) and not line.startswith("return") for line in statements
    )
    if not several or not declares:
        return statements
    if p.chance(0.6) and not any("args" in line for line in statements):
        name = p.uid("run" + camel(p.choose("first", "second", "worker", "listener", "part")))
        c.method(f"private static void {name}() throws Exception", statements)
        return [f"{name}();"]
    return ["{", *statements, "}"]


def _python(name: str, seed: int) -> PythonProgram:
    p = PythonProgram(name, seed)
    count = _count(p, [0.8, 0.2])
    if count > 1:
        p.tag("py-several-mains")
    mains: list[tuple[Module, list[str]]] = [
        (p.module(p.choose("main", "run", "app_main", "worker_main"), "main"), []) for _ in range(count)
    ]
    for _ in range(_count(p, [1.1 - 0.6 * p.density, 0.6 * p.density])):
        use = p.pick(python.shape)(p)
        for _ in range(_count(p, [0.25, 0.4, 0.25, 0.1])):
            m, body = p.rng.choice(mains)
            statements = use(m, p.instance()) or ["pass"]
            if p.chance(0.25 * p.density):
                statements = p.pick(python.wrap)(p, m, statements)
            body += statements
    for m, body in mains:
        m.add("def main():", *python.indent(body or ["pass"]))
        m.tail += ["", "", 'if __name__ == "__main__":', "    main()"]
    p.mains = [f"{m.name}.py" for m, _ in mains]
    return p
