"""`python -m tests.bench.registry`: what a registry of 100,000 subscriptions adds to the check of one repository.

The registry is that of a small generated organisation, with the consumers and files of a thousand repositories more
that share nothing with it. Three checks run warm: without a registry, against that of the small organisation alone
(what comparing, judging and reporting one disagreement costs), and against the large one.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli import publish
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.registry import writer
from subdrift.linter.registry.entries import About, FileRow
from tests.bench import organisation
from tests.bench.measure import rounds
from tests.bench.organisation import DRIFT_EVERY, MEMBERS, Organisation
from tests.bench.table import Bench, WrongResultError, command

SUBSCRIPTIONS = 100_000
REPOSITORIES = 1_000
BUDGET_SECONDS = 0.05
ROUNDS = 7
FLOORS = {"small": "a small registry", "without": "none"}


def generate(root: Path, file: Path, small: Path, subscriptions: int = SUBSCRIPTIONS) -> Path:
    """Writes a small organisation, a registry of it and of many others, one of it alone; the repository whose group
    drifts."""
    knobs = Organisation(MEMBERS * DRIFT_EVERY, fillers=4)
    organisation.generate(root, knobs)
    inputs = checkouts.Inputs(org=str(root), cache=False)
    job = checkouts.prepare(inputs)
    result = checkouts.analysed(job, job.repositories, inputs)
    publish.publish(str(small), job, result, inputs)
    whole = publish.gathered(job, result, inputs)
    name, one = next((repo, consumer) for repo, consumer in whole.consumers if "00000" in repo)
    assert result.material is not None
    facts = [FileRow.of(placed) for placed in result.material.files if placed.origin.repo == name]
    names = [f"other/service-{number:05}" for number in range(REPOSITORIES)]
    many = replace(
        whole,
        repositories=(*whole.repositories, *(About(each, "0" * 40, 1_700_000_000) for each in names)),
        files=(
            *whole.files,
            *(_file(row, each, number) for number, each in enumerate(names) for row in facts),
        ),
        consumers=(*whole.consumers, *_consumers(one, names, subscriptions)),
        asks=(*whole.asks, *((each, f"type:com.other.s{number}.Names") for number, each in enumerate(names))),
    )
    writer.publish(str(file), many)
    job.close()
    return root / f"service-{MEMBERS * DRIFT_EVERY - 1:05}"


def _file(row: FileRow, repo: str, number: int) -> FileRow:
    keys = tuple(f"{key}.of{number}" for key in row.keys)
    return replace(row, origin=Origin(repo, row.origin.path), keys=keys)


def _consumers(one: Consumer, names: list[str], count: int) -> Iterator[tuple[str, Consumer]]:
    for number in range(count):
        repo = names[number % len(names)]
        at = Location(Origin(repo, one.at.origin.path), one.at.span)
        yield (
            repo,
            replace(
                one,
                id=f"{repo}:.:{number}",
                at=at,
                group=replace(one.group, text=f"other-{number // MEMBERS}", trail=()),
                subscriptions=tuple(
                    replace(
                        each,
                        at=at,
                        topic=replace(each.topic, trail=()),
                        expression=replace(each.expression, trail=()),
                    )
                    for each in one.subscriptions
                ),
            ),
        )


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        _measured(Path(folder))
    return 0


def measured(bench: Bench) -> None:
    """A part of the bench."""
    scratch = bench.scratch / "against"
    scratch.mkdir()
    for floor, (more, shown) in _measured(scratch).items():
        work = f"--against, {SUBSCRIPTIONS:,} subscriptions: more than {FLOORS[floor]}"
        bench.add(work, BUDGET_SECONDS, "s", more, shown)


def _measured(scratch: Path) -> dict[str, tuple[float, str]]:
    """Seconds of CPU more than each floor, with what was found."""
    file = scratch / "registry.db"
    small = scratch / "small.db"
    repository = generate(scratch / "org", file, small)
    check = [sys.executable, "-m", "subdrift", "check", str(repository), "--exit-zero"]
    check += ["--cache-dir", str(scratch / "cache"), "--output", f"json={scratch / 'found.json'}"]
    commands = [
        command("without", check),
        command("small", [*check, "--against", str(small)]),
        command("large", [*check, "--against", str(file)]),
    ]
    found = rounds(commands, ROUNDS)
    rules = [one["rule"] for one in json.loads((scratch / "found.json").read_text())["findings"]]
    if rules != ["divergent-tags"]:
        raise WrongResultError(f"the registry must show one disagreement, found {rules}")
    size = file.stat().st_size >> 20
    print(f"\nregistry of {SUBSCRIPTIONS:,} subscriptions, {REPOSITORIES:,} repositories, {size} MiB")
    for name, samples in found.items():
        print(f"  {name:<8} {statistics.median(one.cpu for one in samples):.3f} s cpu")
    more: dict[str, tuple[float, str]] = {}
    for floor in FLOORS:
        pairs = zip(found["large"], found[floor], strict=True)
        seconds = statistics.median(one.cpu - other.cpu for one, other in pairs)
        print(f"  large - {floor:<8} {seconds:.3f} s cpu (budget {BUDGET_SECONDS} s)")
        more[floor] = (seconds, f"{len(rules)} finding")
    return more


if __name__ == "__main__":
    sys.exit(main())
