"""Random edits of an organisation, each followed by a scan that goes by the one before: its answer is that of one process
over everything.

    python -m tests.spark.rescans DIRECTORY --scans 40 --seed 1

works on a copy of the repositories below a directory, and prints each scan whose answer differs, and how many repositories
were consumed. With `--whole` the answer is held against a scan of everything instead. Exit code 1 where any differed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from subdrift.linter.report import json as report
from subdrift.linter.sources.checkout import Repository
from subdrift.spark_jobs import ScanReport, scan
from subdrift.spark_jobs.session import session
from tests.edits import SUFFIXES, edited
from tests.registry.kit import committed, repositories_of
from tests.spark.test_agreement import in_one_process, json_of

EDITS_MAX = 3
"""Edits between two scans."""
ABSENT = 0.1
"""How often a repository is not there."""
_CONSUMING = re.compile(r"consuming ([\d,]+) repositories")


class Rescan(NamedTuple):
    """A scan that went by another: what was edited, how many repositories were consumed, and what is not as it must be."""

    edits: str
    consumed: int
    differs: tuple[str, ...]


def rescans(org: Path, place: Path, scans: int, seed: int, whole: bool = False) -> Iterator[Rescan]:
    """Edits the repositories below a folder, which are changed, and scans them again and again in the Spark that runs."""
    one = random.Random(seed)
    folders = repositories_of(org)
    for folder in folders:
        committed(folder)
    before = ""
    for number in range(scans + 1):
        there = [folder for folder in folders if one.random() >= ABSENT] or folders
        edits = []
        for _ in range(one.randint(1, EDITS_MAX) if before else 0):
            folder = one.choice(folders)
            files = [path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
            if files:
                edits.append(f"{folder.name}/{edited(folder, one, files)}")
                committed(folder)
        manifest = place / f"{number}.jsonl"
        lines = [{"repo": folder.name, "path": str(folder), "head": head(folder)} for folder in there]
        manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
        told: list[str] = []
        out = place / f"out-{number}"
        done = scan(None, str(manifest), str(out), since=before, progress=told.append)
        consumed = sum(int(found[1].replace(",", "")) for text in told if (found := _CONSUMING.search(text)))
        differs = (
            beside(done, scan(None, str(manifest), f"{out}-whole")) if whole else differences(done, there)
        )
        yield Rescan("; ".join(edits) or "nothing", consumed, tuple(differs))
        shutil.rmtree(before, ignore_errors=True)
        before = str(out)


def head(folder: Path) -> str:
    """The commit a repository is at."""
    name = (folder / ".git" / "HEAD").read_text().strip().removeprefix("ref: ")
    return (folder / ".git" / name).read_text().strip()


def differences(done: ScanReport, there: list[Path]) -> Iterator[str]:
    """Parts of a scan's answer that are not those of one process."""
    result, expected = in_one_process(tuple(Repository(folder.name, str(folder)) for folder in there))
    pairs = {
        "findings": (done.triaged.findings, expected.findings),
        "diagnostics": (done.triaged.diagnostics, expected.diagnostics),
        "report": (report.render(done.content), json_of(result, expected, done.content.version)),
        "files": (done.counts.files, result.files),
        "parsed": (done.counts.parsed, result.parsed),
        "consumers": (done.counts.consumers, len({one.id for one in result.consumers})),
    }
    yield from (name for name, (ours, theirs) in pairs.items() if ours != theirs)


def beside(done: ScanReport, other: ScanReport) -> Iterator[str]:
    """Parts of a scan's answer that are not those of another scan."""
    pairs = {
        "findings": (done.triaged.findings, other.triaged.findings),
        "diagnostics": (done.triaged.diagnostics, other.triaged.diagnostics),
        "report": (report.render(done.content), report.render(other.content)),
        "files": (done.counts.files, other.counts.files),
        "parsed": (done.counts.parsed, other.counts.parsed),
        "rounds": (done.counts.rounds, other.counts.rounds),
        "consumers": (done.counts.consumers, other.counts.consumers),
    }
    yield from (name for name, (ours, theirs) in pairs.items() if ours != theirs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--scans", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    spark = session("local[2]")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        org = Path(folder) / "org"
        shutil.copytree(arguments.directory, org, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        place = Path(folder) / "place"
        place.mkdir()
        for one in rescans(org, place, arguments.scans, arguments.seed, arguments.whole):
            wrong += bool(one.differs)
            print(f"{one.consumed:4} consumed  {', '.join(one.differs) or 'same'}  {one.edits}", flush=True)
    spark.stop()
    print(f"{arguments.scans} scans, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
