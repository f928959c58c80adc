"""Organisations of generated repositories: one process, Spark on one machine, a cluster, a second scan.

Every run must give what the generator promised, and Spark's report that of one process, byte for byte, or the bench stops.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.bench import organisation
from tests.bench.generator import Promise
from tests.bench.measure import Sample, once, peak_bytes
from tests.bench.organisation import Organisation
from tests.bench.table import ROOT, Bench, WrongResultError, check, command, line, surroundings

CPU_SECONDS = 6.5
"""A third of what the first version took for a thousand repositories, on the machine that was measured on."""
MEMORY_MIB = 150.0
BUDGETS = ((10_000, (1.25, 0.1)), (1_000, (1.5, 0.2)))
"""From so many repositories on, a scan beside one process, and a later scan beside it."""
START_SECONDS = 5.0
CHANGED_EVERY = 100
GROWTH = 1.25


def one_process(bench: Bench) -> None:
    """`check --org` without a cache, once for each size: CPU for each repository, and how that grows."""
    each: dict[int, float] = {}
    for count in bench.options.organisation:
        root, _ = _made(bench, count)
        target = bench.scratch / f"organisation-{count}.json"
        run = command(
            f"{count} repositories", [*check("--org", root, cache=None), "--output", f"json={target}"]
        )
        sample = once(run)
        shown = _kept(count, sample.code, target)
        each[count] = sample.cpu / count
        line("check --org", [sample], {})
        budget = CPU_SECONDS if count == 1_000 else None
        bench.add(f"check --org, {count:,} repositories: CPU", budget, "s", sample.cpu, shown)
        bench.add(f"  of it for each repository, {count:,}", None, "ms", each[count] * 1_000)
    sizes = sorted(each)
    for least, most in itertools.pairwise(sizes):
        budget = GROWTH if least >= 1_000 else None  # below, starting up is most of it
        bench.add(f"CPU for each repository, {least:,} -> {most:,}", budget, "x", each[most] / each[least])


def memory(bench: Bench) -> None:
    """The peak of a check of many repositories, the whole tree of processes."""
    for count in bench.options.repositories:
        _peak(bench, count)


def _peak(bench: Bench, count: int) -> None:
    root, _ = _made(bench, count)
    target = bench.scratch / f"organisation-{count}.json"
    arguments = [*check("--org", root, cache=None), "--output", f"json={target}"]
    peak = peak_bytes(command("memory", arguments)) / (1 << 20)
    shown = _kept(count, 0, target)
    budget = MEMORY_MIB if count == 1_000 else None
    bench.add(f"peak memory, {count:,} repositories", budget, "MiB", peak, shown)


def _made(bench: Bench, count: int) -> tuple[Path, int]:
    """A generated organisation, and how many files it has."""
    root = bench.scratch / f"organisation-{count}"
    if root.exists():
        return root, sum(len(files) for _, _, files in os.walk(root))
    files = organisation.generate(root, Organisation(count))
    print(f"\norganisation of {count:,} repositories, {files:,} files", flush=True)
    return root, files


def _kept(count: int, code: int, target: Path) -> str:
    """What a run found, in words. Raises `WrongResultError` where that is not what was promised."""
    if code != 0:
        raise WrongResultError(f"{count} repositories: exit code {code}")
    found = json.loads(target.read_text())
    rules = Counter(one["rule"] for one in found["findings"])
    counted = found["summary"]
    given = Promise(counted["consumers"], counted["groups"], rules["divergent-tags"], counted["blind_spots"])
    if given != Organisation(count).promise:
        raise WrongResultError(f"{count} repositories: promised {Organisation(count).promise}, found {given}")
    return f"{given.consumers:,} consumers, {len(found['findings']):,} findings"


def spark(bench: Bench) -> None:
    """`scan` on this machine against `check --org -j 2`, and again after one repository in a hundred wants another tag."""
    for count in bench.options.repositories:
        _spark(bench, count)


def _spark(bench: Bench, count: int) -> None:
    root, _ = _made(bench, count)
    manifest = bench.scratch / f"manifest-{count}.jsonl"
    _committed(root, manifest)
    target, out = bench.scratch / f"spark-{count}.json", bench.scratch / f"tables-{count}"
    one = _checked(root, target)
    shown = _kept(count, one.code, target)
    first = _scan(bench, [f"--manifest={manifest}", f"--out={out}"])
    _same(target, first["report"])
    changed = _edited(root)
    _committed(root, manifest)
    again = _scan(bench, [f"--manifest={manifest}", f"--out={out}", f"--since={out}"])
    other = _checked(root, target)
    _same(target, again["report"])
    line("check -j 2", [one, other], {})
    check_seconds = (one.wall + other.wall) / 2  # one before, one after: others may use the machine too
    budgets = next((budgets for least, budgets in BUDGETS if count >= least), (None, None))
    work = (
        f"scan, local[2], {count:,} repositories, less {START_SECONDS:.0f} s for Spark's start: x check -j 2"
    )
    took = first["session"] + first["seconds"] - START_SECONDS
    bench.add(work, budgets[0], "x", took / check_seconds, shown)
    work = f"scan --since, {changed} of {count:,} repositories changed: x the scan"
    bench.add(work, budgets[1], "x", again["seconds"] / first["seconds"], shown)
    for name, each in ((f"scan, {count:,}", first), (f"scan --since, {count:,}", again)):
        told = ", ".join(f"{number:,} {what}" for what, number in each["steps"].items())
        bench.add(f"  {name}: seconds beside Spark's start", None, "s", each["seconds"], told)
        bench.add(f"  {name}: CPU of all processes", None, "s", each["cpu"], f"start {each['session']:.1f} s")
        bench.add(f"  {name}: peak of the driver's Python", None, "MiB", each["peak"])
    bench.add(f"  check -j 2, {count:,}", None, "s", check_seconds, f"CPU {(one.cpu + other.cpu) / 2:.1f} s")


def _checked(root: Path, target: Path) -> Sample:
    arguments = [*check("--org", root, "-j", "2", cache=None), "--output", f"json={target}"]
    return once(command("one process", arguments))


def _edited(root: Path) -> int:
    """One service in so many wants another tag; how many do."""
    folders = sorted(path for path in root.iterdir() if path.name.startswith("service-"))[::CHANGED_EVERY]
    for folder in folders:
        source = next(folder.rglob("Main*.java"))
        source.write_text(source.read_text().replace('"PAID || ', '"PAID || EDITED || '))
    return len(folders)


def cluster(bench: Bench) -> None:
    """A standalone cluster of a master and two workers, each a process of its own, against one process."""
    from tests.bench.cluster import Standalone

    count = bench.options.cluster
    root, _ = _made(bench, count)
    target = bench.scratch / f"cluster-{count}.json"
    one = once(
        command("one process", [*check("--org", root, "-j", "2", cache=None), "--output", f"json={target}"])
    )
    shown = _kept(count, one.code, target)
    with Standalone(bench.scratch / "cluster", workers=2) as standalone:
        found = _scan(
            bench,
            [f"--org={root}", f"--out={bench.scratch / 'cluster-out'}", f"--master={standalone.url}"],
            standalone.surroundings,
        )
    _same(target, found["report"])
    bench.add(f"scan, a master and 2 workers, {count:,} repositories: × one process", None, "x",
              found["seconds"] / one.wall, f"{shown}; {found['workers']} executors read")  # fmt: skip


def _scan(bench: Bench, arguments: Sequence[str], more: dict[str, str] | None = None) -> dict[str, Any]:
    """One scan in a Spark of its own; seconds, those of the session apart."""
    told = bench.scratch / "scan.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.scan", *arguments, f"--told={told}"],
        cwd=ROOT,
        env={**surroundings(), **(more or {})},
        check=False,
        stdout=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        raise WrongResultError(f"scan: exit code {done.returncode}")
    found: dict[str, Any] = json.loads(told.read_text())
    return found


def _same(one_process: Path, report: str) -> None:
    mine, other = json.loads(one_process.read_text()), json.loads(report)
    for name in ("findings", "diagnostics", "summary"):
        if mine[name] != other[name]:
            raise WrongResultError(f"Spark and one process differ in {name}")


def _committed(root: Path, manifest: Path) -> None:
    """Commits whatever is not committed in every repository, and lists all of them with their commits."""
    folders = sorted(path for path in root.iterdir() if path.is_dir())
    started = time.perf_counter()
    with ThreadPoolExecutor(4) as pool:
        heads = list(pool.map(_commit, folders))
    lines = [
        json.dumps({"repo": folder.name, "path": str(folder), "head": head})
        for folder, head in zip(folders, heads, strict=True)
    ]
    manifest.write_text("\n".join(lines) + "\n")
    print(f"  {len(folders):,} repositories committed in {time.perf_counter() - started:.0f} s", flush=True)


def _commit(folder: Path) -> str:
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    git += ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "commit.gpgsign=false"]

    def run(*arguments: str) -> str:
        done = subprocess.run([*git, *arguments], cwd=folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    if not (folder / ".git").exists():
        run("init", "-q")
    if run("status", "--porcelain"):
        run("add", "-A")
        run("commit", "-q", "-m", "made")
    return run("rev-parse", "HEAD")
