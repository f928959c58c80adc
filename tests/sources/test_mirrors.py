"""Bare repositories and mirrors stand beside checkouts: what HEAD holds is what a clean checkout of it would."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

from tests.adopt.scratch import environment, subdrift
from tests.registry.kit import (
    against,
    committed,
    copied,
    groups_of,
    members,
    published,
    repositories_of,
    said,
    whole,
)


def mirrored(org: Path) -> Path:
    """The same organisation, every repository a mirror."""
    mirrors = org.parent / "mirrors"
    mirrors.mkdir()
    for folder in repositories_of(org):
        (folder / ".subdrift.toml").write_text(f'repository = "acme/{folder.name}"\n')
        committed(folder)
        command = ("git", "clone", "-q", "--mirror", str(folder), str(mirrors / f"{folder.name}.git"))
        subprocess.run(command, env=environment(), check=True)
    return mirrors


def test_an_organisation_of_mirrors_gives_what_its_checkouts_give(tmp_path: Path) -> None:
    org = copied("shop", tmp_path / "org")
    mirrors = mirrored(org)
    plain = subdrift("check", "--org", org, "--no-cache", "--output-format", "json")

    of_mirrors = subdrift("check", "--org", mirrors, "--no-cache", "--output-format", "json")

    assert plain.code == of_mirrors.code == 1
    assert of_mirrors.out == plain.out
    assert '"acme/orders"' in of_mirrors.out


def test_the_registry_of_mirrors_serves_a_checkout(tmp_path: Path) -> None:
    org = copied("shared-listener", tmp_path / "org")
    file = published(mirrored(org), tmp_path / "registry.db")
    expected = whole(org)
    found = against(org / "loyalty", file)

    own = groups_of(expected.consumers, "acme/loyalty")
    assert {one.rule for one in found.findings} == {"divergent-tags", "shared-group"}
    assert said(found.findings, own, "acme/loyalty") == said(expected.findings, own, "acme/loyalty")
    assert Counter(one.id for one in members(found.consumers, own)) == Counter(
        one.id for one in members(expected.consumers, own)
    )


def test_a_bare_repository_without_a_commit_costs_itself_alone(tmp_path: Path) -> None:
    org = copied("shared-listener", tmp_path / "org")
    subprocess.run(("git", "init", "-q", "--bare", str(org / "new.git")), env=environment(), check=True)

    said = subdrift("check", "--org", org, "--no-cache")

    assert said.code == 1
    assert "new.git: a bare repository without a commit" in said.err


def test_what_needs_a_work_tree_is_refused_for_a_bare_repository(tmp_path: Path) -> None:
    org = copied("shared-listener", tmp_path / "org")
    mirror = mirrored(org) / "crm.git"

    for option, sentence in (
        ("--fix", "is a bare repository; --diff shows them"),
        ("--new-from=HEAD", "only a checkout has a state to compare with"),
        ("--staged", "so nothing is staged"),
    ):
        said = subdrift("check", mirror, "--no-cache", option)
        assert said.code == 2
        assert sentence in said.err
    assert sorted(path.name for path in mirror.iterdir()) == sorted(
        path.name for path in (tmp_path / "mirrors" / "loyalty.git").iterdir()
    )
