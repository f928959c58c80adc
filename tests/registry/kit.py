"""Organisations published and asked, in this process and without the command line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from subdrift.linter import settings
from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli import publish
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Finding, Scope
from subdrift.linter.model.topics import Map, joined
from subdrift.linter.pipeline import Options, Result, analyse
from subdrift.linter.registry.beyond import Beyond
from subdrift.linter.registry.entries import places_of
from subdrift.linter.registry.reader import Registry
from subdrift.linter.sources.checkout import discover
from subdrift.rules import ALL
from tests.words import en

ORGS = Path(__file__).parents[2] / "fixtures" / "orgs"
SENDERS = ("senders.check=true",)
NAMES = sorted(path.name for path in ORGS.iterdir() if path.is_dir())


def copied(name: str, to: Path) -> Path:
    """A sample organisation to edit, each of its folders a repository of its own."""
    shutil.copytree(ORGS / name, to)
    for folder in repositories_of(to):
        mark = folder / ".subdrift.toml"
        if not mark.exists():
            mark.write_text("")
    return to


def repositories_of(org: Path) -> list[Path]:
    return sorted(path for path in org.iterdir() if path.is_dir() and not path.name.startswith("."))


def whole(org: Path) -> Result:
    return analyse(discover([], str(org), name_in_settings), ALL)


def name_in_settings(root: str) -> str:
    """What a repository calls itself in its configuration."""
    return settings.load(root).repository


def published(org: Path, file: Path, *, senders: bool = False) -> Path:
    """The registry of an organisation as `check --org --registry-out` writes it, with `[senders] check` or without."""
    inputs = checkouts.Inputs(org=str(org), cache=False, config=SENDERS * senders, publishes=True)
    job = checkouts.prepare(inputs)
    result = checkouts.with_senders(job, inputs, checkouts.analysed(job, job.repositories, inputs))
    publish.publish(str(file), job, result, inputs)
    job.close()
    return file


def mapped(org: Path) -> Map:
    """Who sends what to whom in a whole organisation."""
    repositories = discover([], str(org), name_in_settings)
    reading = analyse(repositories, ()).consumers
    return joined(
        reading, analyse(repositories, (), options=Options(sends=True)).consumers, organisation=True
    )


def mapped_against(repository: Path, file: Path) -> Map:
    """The same as one repository sees it beside a registry."""
    inputs = checkouts.Inputs(
        paths=(str(repository),), against=str(file), cache=False, quiet=True, config=SENDERS
    )
    job = checkouts.prepare(inputs)
    result = checkouts.with_senders(job, inputs, checkouts.execute(job, inputs))
    job.close()
    assert result.map is not None
    return result.map


def against(repository: Path, file: Path) -> Result:
    """What a check of one repository makes of a registry."""
    (one,) = discover([str(repository)], None, name_in_settings)
    with Registry(str(file)) as registry:
        return analyse([one], ALL, beyond=Beyond(registry, frozenset({one.name})))


Key = tuple[str, str | None]


def groups_of(consumers: Iterable[Consumer], repo: str) -> set[Key]:
    """The groups a repository takes part in: it holds a member, or a value of one comes from it."""
    return {
        (one.cluster, one.group.text or one.group.symbol)
        for one in consumers
        if any(at.origin.repo == repo for at in places_of(one)) or _runs_in(one, repo)
    }


def _runs_in(one: Consumer, repo: str) -> bool:
    return one.deployable.partition(":")[0] == repo


def said(findings: Iterable[Finding], groups: set[Key], repo: str) -> list[object]:
    """Everything a report says about some groups, and about the consumers of one repository."""
    return [
        (
            one.rule,
            one.identity,
            one.state,
            one.level,
            en(one.message),
            one.places,
            one.counts,
            str(one.prediction),
        )
        for one in sorted(findings, key=lambda one: (one.rule, one.identity, one.state))
        if (
            any((one.cluster, name) in groups for name in (one.group, (one.group or "").partition(" of ")[0]))
            if one.scope is Scope.GROUP
            else one.places[0].at.origin.repo == repo
        )
    ]


def members(consumers: Iterable[Consumer], groups: set[Key]) -> list[Consumer]:
    """The consumers of some groups, as they are compared."""
    found = [one for one in consumers if (one.cluster, one.group.text or one.group.symbol) in groups]
    return sorted(found, key=lambda one: (one.at, one.id, one.environments, one.choice))


def committed(repository: Path) -> str:
    """Make a git repository of a folder; its commit."""
    from tests.adopt.scratch import environment

    def git(*arguments: str) -> str:
        command = ("git", *arguments)
        done = subprocess.run(
            command, cwd=repository, env=environment(), check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    return git("rev-parse", "HEAD")
