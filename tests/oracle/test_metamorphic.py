"""What is said does not change when a program is written in another way that every run takes alike."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.oracle import metamorphic, sample, store
from tests.oracle.analyzer import rows
from tests.oracle.metamorphic import essence
from tests.oracle.program import Files, Program
from tests.oracle.truth import record

ORGANISATIONS = Path(__file__).parents[2] / "fixtures" / "orgs"
EVERY = 10
"""So many of the sample's programs go by for one that is looked at."""

NOT_YET: dict[tuple[str, str], str] = {}
"""(transformation, java, python or a repository) -> why the analyzer does not hold it yet."""


@cache
def programs(language: str) -> tuple[Program, ...]:
    """Programs of the sample, more of those by hand."""
    every = [program for program in store.load(sample.SAMPLE) if program.language == language]
    by_hand = [program for program in every if not program.seed]
    return (*by_hand[::3], *[program for program in every if program.seed][::EVERY])


@cache
def said(program_name: str, language: str) -> Counter[tuple[object, ...]]:
    files = next(program.files for program in programs(language) if program.name == program_name)
    return essence(rows(files))


def pending(name: str, side: str) -> list[pytest.MarkDecorator]:
    reason = NOT_YET.get((name, side))
    return [pytest.mark.xfail(strict=True, reason=reason)] if reason else []


def cases() -> Iterator[object]:
    for name in metamorphic.ALL:
        for language in ("java", "python"):
            if (name, language) not in (("packages renamed", "python"), ("modules split", "python")):
                yield pytest.param(name, language, marks=pending(name, language), id=f"{name}-{language}")


@pytest.mark.parametrize(("name", "language"), list(cases()))
def test_another_writing_says_the_same(name: str, language: str) -> None:
    changed: list[str] = []
    applied = 0
    for program in programs(language):
        files = metamorphic.ALL[name](program.files)
        if files is not None and files != program.files:
            applied += 1
            if essence(rows(files)) != said(program.name, language):
                changed.append(program.name)
    assert applied > 2
    assert not changed, f"{len(changed)} of {applied}: {', '.join(changed)}"


def read(folder: Path) -> Files:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".gz"
    }


def repositories() -> Iterator[object]:
    for folder in sorted(path for org in ORGANISATIONS.iterdir() for path in org.iterdir() if path.is_dir()):
        for name in ("unrelated files", "members reordered", "constant extracted", "helper extracted"):
            before = read(folder)
            if metamorphic.ALL[name](before) not in (None, before):
                key = str(folder.relative_to(ORGANISATIONS))
                yield pytest.param(name, folder, marks=pending(name, key), id=f"{name}-{key}")


@pytest.mark.parametrize(("name", "folder"), list(repositories()))
def test_a_sample_repository_says_the_same(name: str, folder: Path) -> None:
    before = read(folder)
    after = metamorphic.ALL[name](before)
    assert after is not None
    assert essence(rows(after)) == essence(rows(before))


def test_members_change_places() -> None:
    text = "class A {\n void a() {}\n int n = 1;\n A() { n = 2; }\n class B {\n void x() {}\n void y() {}\n }\n}\n"
    files = metamorphic.members_reordered({"A.java": text})
    assert files is not None
    order = re.findall(r"void (\w)|(A\(\))|int (n)", files["A.java"])
    assert ["".join(one) for one in order] == ["A()", "n", "a", "y", "x"]


RUN = sorted(set(metamorphic.ALL) - {"packages renamed", "identifiers renamed", "modules split"})


@cache
def ran() -> dict[str, list[tuple[Program, Program]]]:
    """Programs before and after each transformation. All are run at once: one compiler, one virtual machine."""
    some = [one for language in ("java", "python") for one in programs(language) if not one.random][::8]
    pairs = []
    for number, name in enumerate(RUN):
        for program in some:
            files = metamorphic.ALL[name](program.files)
            if files is not None:
                own = f"{program.name}-{number}"
                pairs.append((name, program, replace(program, name=own, files=files, truth=())))
    found: dict[str, list[tuple[Program, Program]]] = {}
    for (name, before, _), after in zip(pairs, record([after for *_, after in pairs]), strict=True):
        found.setdefault(name, []).append((before, after))
    return found


@pytest.mark.parametrize("name", RUN)
@pytest.mark.skipif(shutil.which("javac") is None, reason="running Java programs needs a JDK 17")
def test_another_writing_runs_the_same(name: str) -> None:
    """The transformations themselves are held by running what they give."""
    assert ran()[name]
    for before, after in ran()[name]:
        assert not after.error, after.name
        assert held(after) == held(before), after.name


def held(program: Program) -> Counter[object]:
    """What the runs made, without places."""
    return Counter(
        tuple(
            replace(v, subscriptions=tuple(replace(s, places=()) for s in v.subscriptions))
            for v in made.variants
        )
        for made in program.truth
    )
