"""Single repositories: starting up, cold, warm, one edited file, the hook, memory, growth."""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from subdrift.linter.sources.checkout import discover
from subdrift.linter.stages import always_read, surveyed
from tests.bench.generator import Knobs, Made, Promise, generate
from tests.bench.measure import Command, peak_bytes, ratio, rounds
from tests.bench.table import ROOT, Bench, WrongResultError, check, command, line, surroundings

ABSENT = "never-in-any-file"
HOOK_FILES = 5_000
MEMORY_FILES = 10_000
DENSE = {"cold": 40.0, "warm": 12.0}
SPARSE = {"cold": 7.0, "warm": 5.0}
"""Budgets in R."""
HOOK_WARM = 1.5
"""What the hook may cost beside a warm check of the repository."""
PROMISED = frozenset({"divergent-tags", "shared-group"})
"""Rules that say something of a generated repository; the second notes that listeners differ."""
MEMORY_MIB = 80.0


@dataclass(frozen=True, slots=True)
class Tree:
    """What is scanned: a repository, how many files of it are read, and what must come out if that is known."""

    name: str
    root: Path
    files: int
    bytes: int
    listing: Path
    promise: Promise | None = None


def start(bench: Bench) -> None:
    """One file given, against a bare interpreter."""
    files = {"one Java file": _one_file(bench, "java"), "one Python file": _one_file(bench, "python")}
    commands = [
        command("pass", [sys.executable, "-c", "pass"]),
        command("--version", [sys.executable, "-m", "subdrift", "--version"]),
        command("--help", [sys.executable, "-m", "subdrift", "--help"]),
        *(command(name, check(file, cache=None)) for name, file in files.items()),
    ]
    found = rounds(commands, bench.options.rounds)
    print("\nstarting up, × a bare interpreter (P)")
    for each in commands:
        line(each.name, found[each.name], {"P": ratio(found[each.name], found["pass"])})
    for name, budget in (("one Java file", 9.0), ("one Python file", 17.0)):
        shown = _short(_document(files[name], None))
        bench.add(name, budget, "P", ratio(found[name], found["pass"]).median, shown)


def _one_file(bench: Bench, language: str) -> Path:
    suffix = {"java": "Listener0.java", "python": "main.py"}[language]
    root = bench.scratch / f"one-{language}"
    if not root.exists():
        generate(bench.scratch / f"all-{language}", Knobs(files=0, sites=8, modules=1))
        source = next((bench.scratch / f"all-{language}").rglob(suffix))
        root.mkdir()
        shutil.copy(source, root / suffix)
    return root / suffix


def trees(bench: Bench) -> None:
    """The repositories given on the command line: cold and warm against ripgrep."""
    for path in bench.options.trees:
        _scan(_checkout(Path(path).resolve(), bench.scratch), bench, DENSE)


def sparse(bench: Bench) -> None:
    """A generated repository with few consumers: cold, warm, and with one file edited."""
    files = bench.options.synthetic
    knobs = replace(Knobs(seed=bench.options.seed), files=files, sites=max(4, files // 50))
    tree, made = _synthetic("synthetic", knobs, bench.scratch)
    print(f"\nsynthetic: seed {knobs.seed}, digest {made.digest}, {made.promise}")
    _scan(tree, bench, SPARSE)


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


def _commands(tree: Tree, bench: Bench) -> list[Command]:
    scratch = bench.scratch
    cold, warm = scratch / "cold", scratch / f"warm-{tree.name.replace('/', '+')}"
    edited = next((path for path in sorted(tree.root.rglob("Listener*.java"))), None)
    floor = ["xargs", "-0", "-a", str(tree.listing), "rg", "-c", "--no-messages", ABSENT]
    commands = [
        command("pass", [sys.executable, "-c", "pass"]),
        command("ripgrep", floor, tree.root),
        command(
            "cold", check(tree.root, cache=cold), prepare=lambda: shutil.rmtree(cold, ignore_errors=True)
        ),
        command("warm", check(tree.root, cache=warm)),
    ]
    if tree.promise is not None and edited is not None:  # never a tree that is somebody's
        one = edited
        commands += [
            command("one edited", check(tree.root, cache=warm), prepare=lambda: _edit(one)),
            command("one file", check(_one_file(bench, "java"), cache=None)),
        ]
    return commands


def _edit(path: Path) -> None:
    """A comment more at the end of a file."""
    with path.open("a") as file:
        file.write("// edited\n")


def _scan(tree: Tree, bench: Bench, budgets: dict[str, float]) -> None:
    print(f"\n{tree.name}: {tree.files:,} files read, {tree.bytes / 1e6:.1f} MB")
    result = _results(tree, bench.scratch)
    _compare(tree, result, bench.options.results)
    print(f"  {result}")
    commands = _commands(tree, bench)
    found = rounds(commands, bench.options.rounds)
    floor = found["ripgrep"]
    shown = f"{result['consumers']} consumers, {sum(result['findings'].values())} findings"
    for name, budget in budgets.items():
        bench.add(f"{name}, {tree.name}", budget, "R", ratio(found[name], floor).median, shown)
    for each in commands:
        samples = found[each.name]
        line(each.name, samples, {"R": ratio(samples, floor), "P": ratio(samples, found["pass"])})
    if "one edited" in found:
        pairs = zip(found["one edited"], found["warm"], found["one file"], strict=True)
        share = statistics.median(edited.wall / (warm.wall + one.wall) for edited, warm, one in pairs)
        bench.add(f"one edited file, {tree.name}: × (warm + one file)", 1.0, "x", share, shown)


def _document(path: Path, cache: Path | None) -> dict[str, Any]:
    arguments = [*check(path, cache=cache), "--output-format", "json"]
    done = subprocess.run(arguments, cwd=ROOT, env=surroundings(), capture_output=True, check=False)
    if done.returncode != 0:
        raise WrongResultError(f"{path}: exit code {done.returncode}: {done.stderr.decode()[:400]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _short(document: dict[str, Any]) -> str:
    return f"{document['summary']['consumers']} consumers, {len(document['findings'])} findings"


def _results(tree: Tree, scratch: Path) -> dict[str, Any]:
    """What a run without a cache gives; a cold and a warm one must give the same."""
    cache = scratch / f"warm-{tree.name.replace('/', '+')}"
    documents = [_document(tree.root, where) for where in (None, cache, cache)]
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
        if given != promise or set(rules) - PROMISED:
            raise WrongResultError(f"{tree.name}: promised {promise}, found {given} and {dict(rules)}")
    return found


def _compare(tree: Tree, found: dict[str, Any], file: Path | None) -> None:
    if file is None:
        return
    known: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    if known.setdefault(tree.name, found) != found:
        raise WrongResultError(f"{tree.name}: {file} says {known[tree.name]}, found {found}")
    file.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


def hook(bench: Bench) -> None:
    """What the hook runs: one changed file given, in a repository of many, against a warm check of all of it."""
    knobs = replace(Knobs(seed=bench.options.seed), files=HOOK_FILES, sites=100)
    tree, _ = _synthetic("hook", knobs, bench.scratch)
    result = _results(tree, bench.scratch)
    print(f"\nthe hook: one changed file given, {tree.files:,} files in the repository, {result}")
    one = next(path for path in sorted(tree.root.rglob("Listener*.java")))
    cache = bench.scratch / "warm-hook"
    commands = [
        command("warm", check(tree.root, cache=cache)),
        command("hook", check(one, cache=cache), prepare=lambda: _edit(one)),
    ]
    found = rounds(commands, bench.options.rounds)
    share = ratio(found["hook"], found["warm"])
    line("hook", found["hook"], {"x warm": share})
    work = f"hook, {HOOK_FILES:,} files: × a warm check"
    bench.add(work, HOOK_WARM, "x", share.median, f"{result['consumers']} consumers")


def memory(bench: Bench) -> None:
    """The peak of a cold check of a large repository, the whole tree of processes."""
    knobs = replace(Knobs(seed=bench.options.seed), files=MEMORY_FILES, sites=MEMORY_FILES // 50)
    tree, _ = _synthetic("memory", knobs, bench.scratch)
    result = _results(tree, bench.scratch)
    peak = peak_bytes(command("cold", check(tree.root, cache=None))) / (1 << 20)
    print(f"\npeak memory, {tree.files:,} files: {peak:.0f} MiB, {result}")
    bench.add(
        f"peak memory, {MEMORY_FILES:,} files", MEMORY_MIB, "MiB", peak, f"{result['consumers']} consumers"
    )


def growth(bench: Bench) -> None:
    """Seconds of CPU for 1, 2 and 4 times one knob, with the exponent."""
    base = Knobs(seed=bench.options.seed, files=1_000, sites=64)
    print("\ngrowth: seconds of CPU, cold, for 1, 2 and 4 times one knob, and the exponent of the last step")
    for name in ("files", "sites", "group", "chain"):
        times = []
        for factor in (1, 2, 4):
            knobs = replace(base, **{name: getattr(base, name) * factor})
            tree, _ = _synthetic(f"{name}-{factor}", knobs, bench.scratch)
            _results(tree, bench.scratch)
            cold = command("cold", check(tree.root, cache=None))
            times.append(statistics.median(one.cpu for one in rounds([cold], bench.options.rounds)["cold"]))
        exponent = math.log(times[2] / times[1], 2)
        shown = "  ".join(f"{one:6.2f}" for one in times)
        print(f"  {name:<8} {getattr(base, name):>6}  {shown}   n^{exponent:.2f}")
        bench.add(f"growth with {name}, exponent", math.log(2.2, 2), "", exponent)
