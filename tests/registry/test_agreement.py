"""A check of one repository against a registry says what a check of the whole organisation says of its groups."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from subdrift.linter.pipeline import Result
from tests.registry.kit import (
    NAMES,
    against,
    copied,
    groups_of,
    members,
    published,
    repositories_of,
    said,
    whole,
)

SEEDS = range(4)
EDITED = re.compile(r'"([A-Za-z][\w-]{2,})"|(?<=: )([A-Z][A-Z_]{2,})$', re.MULTILINE)


def assert_agrees(expected: Result, found: Result, repo: str) -> int:
    """That both say the same of the repository's groups, by the same members; how many findings that are."""
    groups = groups_of(expected.consumers, repo)
    theirs = said(expected.findings, groups, repo)
    assert members(found.consumers, groups) == members(expected.consumers, groups)
    assert said(found.findings, groups, repo) == theirs
    return len(theirs)


@pytest.mark.parametrize("name", NAMES)
def test_every_repository_of_a_sample_organisation_sees_what_the_whole_organisation_shows(
    name: str, tmp_path: Path
) -> None:
    org = copied(name, tmp_path / "org")
    expected = whole(org)
    file = published(org, tmp_path / "registry.db")

    found = [assert_agrees(expected, against(folder, file), folder.name) for folder in repositories_of(org)]

    assert sum(found) or not expected.findings


def edit(repository: Path, chance: random.Random) -> str:
    """One change such as people make; what it was."""
    files = sorted(
        path
        for path in repository.rglob("*")
        if path.suffix in (".java", ".py", ".yml", ".properties", ".kt")
    )
    file = chance.choice(files)
    text = file.read_text()
    told = f"{file.relative_to(repository)}"
    match chance.choice(("delete", "move", "change", "change", "change")):
        case "delete":
            file.unlink()
            return f"without {told}"
        case "move":
            mark = "//" if file.suffix in (".java", ".kt") else "#"
            file.write_text(f"{mark} a line more\n{text}")
            return f"lines moved in {told}"
        case _:
            spots = list(EDITED.finditer(text))
            if not spots:
                return "nothing"
            spot = chance.choice(spots)
            other = chance.choice(("EDITED", *(one[1] or one[2] for one in spots)))
            start, end = spot.span(1 if spot[1] else 2)
            file.write_text(text[:start] + other + text[end:])
            return f"{spot[0]} is {other} in {told}"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_an_edited_repository_sees_itself_as_it_is_now_and_the_others_as_they_were(
    name: str, seed: int, tmp_path: Path
) -> None:
    chance = random.Random(f"{name} {seed}")
    org = copied(name, tmp_path / "org")
    file = published(org, tmp_path / "registry.db")
    repository = chance.choice(repositories_of(org))
    edits = [edit(repository, chance) for _ in range(chance.randint(1, 3))]

    assert_agrees(whole(org), against(repository, file), repository.name), edits
