"""`python -m tests.bench [TREE...]`: what a scan costs, as ratios to floors measured in the same run.

P is a bare interpreter, R is ripgrep counting a word that no file holds, over the files the scanner reads. Results come
first: a tree whose cold and warm runs differ, or that does not give what it must, is not measured. A table of budgets
and what was measured ends the run. No figure here fails anything.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import linter
from linter.sources.checkout import discover
from linter.stages import always_read, surveyed
from tests.bench import organisation
from tests.bench.generator import Knobs, Made, Promise, generate
from tests.bench.measure import Command, Ratio, Sample, once, peak_bytes, ratio, rounds
from tests.bench.organisation import Organisation

ROOT = Path(__file__).parent.parent.parent

ABSENT = "never-in-any-file"
HOOK_FILES = 5_000


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the closing table."""

    work: str
    budget: float
    unit: str
    found: float
    results: str = ""


class WrongResultError(Exception):
    """A run did not give what it must; its speed means nothing."""


@dataclass(frozen=True, slots=True)
class Tree:
    """What is scanned: a repository, how many files of it are read, and what must come out if that is known."""

    name: str
    root: Path
    files: int
    bytes: int
    listing: Path
    promise: Promise | None = None


def main() -> int:
    options = _options()
    if shutil.which("rg") is None or shutil.which("xargs") is None:
        print(
            "R is measured with ripgrep, and `rg` (or `xargs`) is not installed: "
            "apt-get install ripgrep findutils, or brew install ripgrep",
            file=sys.stderr,
        )
        return 2
    table: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="subdrift-bench-") as folder:
        scratch = Path(folder)
        _machine(options.rounds)
        try:
            _start(options.rounds, scratch, table)
            for path in options.trees:
                _scan(_checkout(Path(path).resolve(), scratch), options, scratch, table, DENSE)
            if options.synthetic:
                knobs = replace(
                    Knobs(seed=options.seed), files=options.synthetic, sites=max(4, options.synthetic // 50)
                )
                tree, made = _synthetic("synthetic", knobs, scratch)
                print(f"\nsynthetic: seed {knobs.seed}, digest {made.digest}, {made.promise}")
                _scan(tree, options, scratch, table, SPARSE)
            if options.hook:
                _hook(options, scratch)
            _organisations(options, scratch, table)
            if options.growth:
                _growth(options, scratch)
        except WrongResultError as error:
            print(f"stopped: {error}", file=sys.stderr)
            return 1
    _print(table)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("trees", nargs="*", metavar="TREE", help="repositories on disk")
    parser.add_argument("--rounds", type=int, default=5, help="counted rounds (default 5)")
    parser.add_argument(
        "--synthetic", type=int, default=2_000, metavar="FILES", help="0: none (default 2000)"
    )
    parser.add_argument(
        "--organisation",
        type=int,
        nargs="*",
        default=[100],
        metavar="REPOSITORIES",
        help="sizes of generated organisations, one run each without a cache (default 100; none: no number)",
    )
    parser.add_argument(
        "--hook", action="store_true", help=f"the hook on a repository of {HOOK_FILES:,} files"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", action="store_true", help="1, 2 and 4 times one knob, with the exponent")
    parser.add_argument("--memory", action="store_true", help="one more run each, for the peak memory")
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="what earlier runs gave: compared, and added to where new",
    )
    return parser.parse_args()


def _machine(count: int) -> None:
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(
        f"subdrift {linter.__version__}, Python {platform.python_version()}, {git}, {cores} cores, {count} rounds"
    )


def _check(*arguments: str | Path, cache: Path | None) -> list[str]:
    where = ["--no-cache"] if cache is None else ["--cache-dir", str(cache)]
    return [sys.executable, "-m", "linter", "check", *map(str, arguments), *where, "--exit-zero"]


def _environment() -> dict[str, str]:
    return {"PYTHONPATH": str(ROOT)}


def _command(name: str, arguments: list[str], cwd: Path = ROOT, **more: Any) -> Command:
    return Command(name, arguments, cwd, environment=_environment(), **more)


# -- starting up --------------------------------------------------------------------------------------------------


def _start(count: int, scratch: Path, table: list[Measured]) -> None:
    made = {}
    for name, suffix in (("java", "Listener0.java"), ("python", "main.py")):
        root = scratch / f"one-{name}"
        generate(scratch / f"all-{name}", Knobs(files=0, sites=8, modules=1))
        source = next((scratch / f"all-{name}").rglob(suffix))
        root.mkdir()
        made[name] = shutil.copy(source, root / suffix)
    commands = [
        _command("pass", [sys.executable, "-c", "pass"]),
        _command("--version", [sys.executable, "-m", "linter", "--version"]),
        _command("--help", [sys.executable, "-m", "linter", "--help"]),
        _command("one Java file", _check(made["java"], cache=None)),
        _command("one Python file", _check(made["python"], cache=None)),
    ]
    found = rounds(commands, count)
    print("\nstarting up, × a bare interpreter (P)")
    for command in commands:
        _line(command.name, found[command.name], {"P": ratio(found[command.name], found["pass"])})
    for name, budget in (("one Java file", 9.0), ("one Python file", 17.0)):
        table.append(Measured(name, budget, "P", ratio(found[name], found["pass"]).median))


# -- scanning -----------------------------------------------------------------------------------------------------


def _checkout(root: Path, scratch: Path) -> Tree:
    (repository,) = discover([str(root)])
    paths = [path for path in repository.files() if surveyed(path) or always_read(path)]
    names = [repository.path_on_disk(path) for path in paths]
    there = [name for name in names if os.path.isfile(name)]
    listing = scratch / f"{repository.name.replace('/', '+')}.list"
    listing.write_bytes(b"\0".join(map(os.fsencode, there)))
    return Tree(repository.name, root, len(there), sum(map(os.path.getsize, there)), listing)


def _synthetic(name: str, knobs: Knobs, scratch: Path) -> tuple[Tree, Made]:
    root = scratch / name
    made = generate(root, knobs)
    git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "made"]):
        subprocess.run([*git, *arguments], cwd=root, check=True, capture_output=True)
    return replace(_checkout(root, scratch), name=name, promise=made.promise), made


def _commands(tree: Tree, scratch: Path) -> list[Command]:
    cold, warm = scratch / "cold", scratch / f"warm-{tree.name.replace('/', '+')}"
    edited = next((path for path in sorted(tree.root.rglob("*.java"))), None)
    floor = ["xargs", "-0", "-a", str(tree.listing), "rg", "-c", "--no-messages", ABSENT]
    commands = [
        _command("pass", [sys.executable, "-c", "pass"]),
        _command("ripgrep", floor, tree.root),
        _command(
            "cold", _check(tree.root, cache=cold), prepare=lambda: shutil.rmtree(cold, ignore_errors=True)
        ),
        _command("warm", _check(tree.root, cache=warm)),
    ]
    if tree.promise is not None and edited is not None:  # never a tree that is somebody's
        one = edited
        commands.append(_command("one edited", _check(tree.root, cache=warm), prepare=lambda: _edit(one)))
    return commands


def _edit(path: Path) -> None:
    """A comment more at the end of a file."""
    with path.open("a") as file:
        file.write("// edited\n")


DENSE = {"cold": 40.0, "warm": 12.0}
SPARSE = {"cold": 7.0, "warm": 5.0}
"""Budgets in R."""


def _scan(
    tree: Tree, options: argparse.Namespace, scratch: Path, table: list[Measured], budgets: dict[str, float]
) -> None:
    print(f"\n{tree.name}: {tree.files:,} files read, {tree.bytes / 1e6:.1f} MB")
    result = _results(tree, scratch)
    _compare(tree, result, options.results)
    print(f"  {result}")
    commands = _commands(tree, scratch)
    found = rounds(commands, options.rounds)
    floor = found["ripgrep"]
    for name, budget in budgets.items():
        shown = f"{result['consumers']} consumers, {sum(result['findings'].values())} findings"
        table.append(Measured(f"{name}, {tree.name}", budget, "R", ratio(found[name], floor).median, shown))
    for command in commands:
        samples = found[command.name]
        _line(command.name, samples, {"R": ratio(samples, floor), "P": ratio(samples, found["pass"])})
    if options.memory:
        for command in commands[2:4]:
            print(f"  {command.name:<16} peak {peak_bytes(command) / 1e6:,.0f} MB")


def _results(tree: Tree, scratch: Path) -> dict[str, Any]:
    """What a run without a cache gives; a cold and a warm one must give the same."""
    cache = scratch / f"warm-{tree.name.replace('/', '+')}"
    documents = []
    for where in (None, cache, cache):
        command = [*_check(tree.root, cache=where), "--output-format", "json"]
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **_environment()}, capture_output=True, check=False
        )
        if done.returncode != 0:
            raise WrongResultError(f"{tree.name}: exit code {done.returncode}: {done.stderr.decode()[:400]}")
        documents.append(json.loads(done.stdout))
    if documents[0] != documents[1] or documents[0] != documents[2]:
        raise WrongResultError(f"{tree.name}: with and without the cache differ")
    summary = documents[0]["summary"]
    rules = Counter(one["rule"] for one in documents[0]["findings"])
    found = {
        **{name: summary[name] for name in ("files", "consumers", "groups", "blind_spots")},
        "findings": dict(sorted(rules.items())),
    }
    promise = tree.promise
    if promise is not None:
        given = Promise(
            summary["consumers"], summary["groups"], rules["divergent-tags"], summary["blind_spots"]
        )
        if given != promise or set(rules) - {"divergent-tags"}:
            raise WrongResultError(f"{tree.name}: promised {promise}, found {given} and {dict(rules)}")
    return found


def _compare(tree: Tree, found: dict[str, Any], file: Path | None) -> None:
    if file is None:
        return
    known: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    if known.setdefault(tree.name, found) != found:
        raise WrongResultError(f"{tree.name}: {file} says {known[tree.name]}, found {found}")
    file.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


# -- the hook and organisations ------------------------------------------------------------------------------------


def _hook(options: argparse.Namespace, scratch: Path) -> None:
    knobs = replace(Knobs(seed=options.seed), files=HOOK_FILES, sites=100)
    tree, _ = _synthetic("hook", knobs, scratch)
    print(
        f"\nthe hook: one changed file given, {tree.files:,} files in the repository, {_results(tree, scratch)}"
    )
    one = next(path for path in sorted(tree.root.rglob("Listener*.java")))
    warm = scratch / "warm-hook"
    command = _command("hook", _check(one, cache=warm), prepare=lambda: _edit(one))
    _line("hook", rounds([command], options.rounds)["hook"], {})


def _organisations(options: argparse.Namespace, scratch: Path, table: list[Measured]) -> None:
    """CPU per repository, without a cache, once each: the largest against the smallest."""
    each: dict[int, float] = {}
    for count in options.organisation:
        knobs = Organisation(count)
        root = scratch / f"organisation-{count}"
        files = organisation.generate(root, knobs)
        target = scratch / f"organisation-{count}.json"
        command = _command(
            f"{count} repositories",
            [*_check("--org", root, cache=None), "--output", f"json={target}"],
        )
        sample = once(command)
        if sample.code != 0:
            raise WrongResultError(f"{count} repositories: exit code {sample.code}")
        summary = json.loads(target.read_text())
        rules = Counter(one["rule"] for one in summary["findings"])
        counted = summary["summary"]
        given = Promise(
            counted["consumers"], counted["groups"], rules["divergent-tags"], counted["blind_spots"]
        )
        if given != knobs.promise:
            raise WrongResultError(f"{count} repositories: promised {knobs.promise}, found {given}")
        each[count] = sample.cpu / count
        print(f"\norganisation of {count:,} repositories, {files:,} files: {given}")
        _line("check --org", [sample], {})
        shutil.rmtree(root)
    if len(each) > 1:
        least, most = min(each), max(each)
        table.append(
            Measured(f"CPU per repository, {least:,} -> {most:,}", 1.25, "x", each[most] / each[least])
        )


def _print(table: list[Measured]) -> None:
    print(f"\n{'work':<44} {'budget':>8} {'measured':>9}")
    for one in table:
        kept = "" if one.found <= one.budget else "  missed"
        shown = f"  {one.results}" if one.results else ""
        print(f"{one.work:<44} {one.budget:6.2f} {one.unit} {one.found:7.2f} {one.unit}{kept}{shown}")


# -- growth -------------------------------------------------------------------------------------------------------


def _growth(options: argparse.Namespace, scratch: Path) -> None:
    base = Knobs(seed=options.seed, files=1_000, sites=64)
    print("\ngrowth: seconds of CPU, cold, for 1, 2 and 4 times one knob, and the exponent of the last step")
    for name in ("files", "sites", "group", "chain"):
        times = []
        for factor in (1, 2, 4):
            knobs = replace(base, **{name: getattr(base, name) * factor})
            tree, _ = _synthetic(f"{name}-{factor}", knobs, scratch)
            _results(tree, scratch)
            cold = _command("cold", _check(tree.root, cache=None))
            times.append(statistics.median(one.cpu for one in rounds([cold], options.rounds)["cold"]))
        exponent = math.log(times[2] / times[1], 2)
        shown = "  ".join(f"{one:6.2f}" for one in times)
        print(f"  {name:<8} {getattr(base, name):>6}  {shown}   n^{exponent:.2f}")


def _line(name: str, samples: list[Sample], ratios: dict[str, Ratio]) -> None:
    wall = statistics.median(one.wall for one in samples) * 1000
    cpu = statistics.median(one.cpu for one in samples) * 1000
    codes = sorted({one.code for one in samples})
    parts = [
        f"{each.median:6.1f} {unit} (min {each.minimum:.1f}, cpu {each.cpu:.1f}{', noisy' if each.is_noisy else ''})"
        for unit, each in ratios.items()
    ]
    shown = "" if codes == [0] else f"  exit codes {codes}"
    print(f"  {name:<16} {wall:8.0f} ms wall {cpu:8.0f} ms cpu  {'  '.join(parts)}{shown}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
