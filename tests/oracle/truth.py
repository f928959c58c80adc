"""Runs programs over the recording stubs and folds what was recorded into consumers.

A consumer is the same in two runs when it is made at the same stack of places and the same turn of a loop; runs with
other inputs, or of other mains, give variants where they differ. Java programs are compiled and run in a few virtual
machines, each main with a class loader of its own; each Python main gets an interpreter of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from subdrift.linter.broker.names import NameVerdict, check_group
from tests.oracle.program import INPUT_MARK, Made, Program, Subscribed, Variant

STUBS: Final = Path(__file__).parent / "stubs"
ENVIRONMENT: Final = {f"MQ_{name}": f"{INPUT_MARK}env{name.lower()}" for name in ("GROUP", "TOPIC", "TAGS")}
"""What programs find in their environment; a variable that has a default in the program is not set."""

_JAVA: Final = ("java", "-Xss512k", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
SOURCES: Final = "src/main/java"
DEFAULT_GROUP: Final = "DEFAULT_CONSUMER"
PYTHON_SECONDS_MAX: Final = 20
Raw = dict[str, Any]


class TruthError(RuntimeError):
    """The harness itself could not run; says what is needed."""


def record(
    programs: Sequence[Program], jobs: int = 1, jars: Sequence[str] = (), packages: str = ""
) -> list[Program]:
    """The programs with their truth, or with the error that kept them from having one. Needs a JDK for Java.

    `jars`, and the folder `packages`, hold the libraries that programs run with.
    """
    known = {}
    java = [program for program in programs if program.language == "java"]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        with ThreadPoolExecutor(jobs) as pool:
            if java:
                stubs = _compiled_stubs(work)
                parts = [java[start::jobs] for start in range(jobs) if java[start::jobs]]
                for found in pool.map(lambda part: _java(part, stubs, work, SOURCES, *jars), parts):
                    known.update(found)
            python = [program for program in programs if program.language == "python"]
            done = pool.map(lambda one: _python(one, work, packages), python)
            known.update({one.name: {"runs": runs} for one, runs in zip(python, done, strict=True)})
    return [_judged(program, known.get(program.name, {"compile": "no result"})) for program in programs]


def _judged(program: Program, found: Raw) -> Program:
    if "compile" in found:
        return replace(program, error="compile: " + found["compile"])
    errors = [run["error"] for run in found["runs"] if run["error"]]
    if errors:
        return replace(program, error="run: " + "; ".join(errors))
    return replace(program, truth=merge(program, found["runs"]))


# -- folding ------------------------------------------------------------------------------------------------------


def fold(raw: Raw, place: dict[str, str]) -> Variant:
    """The recorded events of one consumer -> what it was at the end."""
    known: dict[str, str | None] = {"group": None, "namespace": None, "model": "CLUSTERING"}
    if raw["api"] in ("push", "lite-pull", "pull"):
        known["group"] = DEFAULT_GROUP
    held: dict[str, Subscribed] = {}
    gone: dict[str, Subscribed] = {}
    replaced: list[Subscribed] = []
    started = False
    for event in raw["events"]:
        operation, arguments = event["op"], event["args"]
        if operation in known and not started:  # a running client keeps what it started with
            known[operation] = arguments[0]
        elif operation == "subscribe":
            topic, expression, filter_type = arguments
            if topic in held:
                replaced.append(held[topic])
            at = places(event["stack"], place)
            held[topic] = Subscribed(topic, expression or "*", filter_type, True, at)
            gone.pop(topic, None)
        elif operation == "unsubscribe":
            taken = held.pop(arguments[0], None)
            if taken is not None and started:
                gone[arguments[0]] = taken
        elif operation == "start":
            started = check_group(known["group"]) is NameVerdict.OK  # the client refuses others
    optional = [replace(each, required=False) for each in (*gone.values(), *replaced)]
    subscriptions = sorted([*held.values(), *optional], key=lambda each: str(each.topic))
    return Variant(known["group"], known["namespace"], known["model"] or "", started, tuple(subscriptions))


def places(stack: Iterable[str], table: dict[str, str]) -> tuple[str, ...]:
    """`path:line` of a run as `path:line` of the program."""
    split = [frame.rsplit(":", 1) for frame in stack]
    return tuple(f"{table.get(path, path)}:{line}" for path, line in split)


@dataclass(slots=True)
class _Found:
    mains: set[str]
    api: str
    created: tuple[str, ...]
    variants: list[Variant] = field(default_factory=list)

    def bare(self) -> tuple[Variant, ...]:
        """Its variants with the innermost places only."""
        return tuple(
            replace(v, subscriptions=tuple(replace(s, places=s.places[:1]) for s in v.subscriptions))
            for v in self.variants
        )

    def take(self, other: _Found) -> None:
        """Take in an equal consumer, made and subscribed at the same innermost places."""
        self.mains |= other.mains
        outer = sorted({*self.created[1:], *other.created[1:]} - set(self.created[:1]))
        self.created = (*self.created[:1], *outer)
        for index, (mine, its) in enumerate(zip(self.variants, other.variants, strict=True)):
            pairs = zip(mine.subscriptions, its.subscriptions, strict=True)
            self.variants[index] = replace(
                mine,
                subscriptions=tuple(
                    replace(a, places=tuple(dict.fromkeys((*a.places, *b.places)))) for a, b in pairs
                ),
            )


def merge(program: Program, runs: Iterable[Raw]) -> tuple[Made, ...]:
    """All runs of a program -> its consumers."""
    table = {path.split("/", 3)[3]: path for path in program.files if path.startswith("src/main/")}
    found: dict[tuple[str, tuple[str, ...], int], _Found] = {}
    for run in runs:
        turns: dict[tuple[str, ...], int] = {}
        for raw in run["consumers"]:
            created = places(raw["created"], table)
            turns[created] = turns.get(created, 0) + 1
            key = (run["main"], created, turns[created])
            one = found.setdefault(key, _Found({run["main"]}, raw["api"], created))
            variant = fold(raw, table)
            if variant not in one.variants:
                one.variants.append(variant)
    consumers: list[_Found] = []
    for one in found.values():
        same = (o for o in consumers if o.created[:1] == one.created[:1] and o.bare() == one.bare())
        twin = next(same, None)
        if twin is None:
            consumers.append(one)
        else:
            twin.take(one)
    return tuple(Made(tuple(sorted(c.mains)), c.api, c.created, tuple(c.variants)) for c in consumers)


# -- running ------------------------------------------------------------------------------------------------------


def write(files: Iterable[tuple[str, str]], folder: Path) -> None:
    """Write files below a folder."""
    for path, text in files:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")


def _compiled_stubs(work: Path) -> Path:
    out = work / "stubs"
    sources = sorted(map(str, (STUBS / "java").rglob("*.java")))
    command = ["javac", "-nowarn", "-g:lines,source", "-encoding", "UTF-8", "-d", str(out), *sources]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise TruthError("running Java programs needs a JDK 17: no javac on the path") from error
    if done.returncode:
        raise TruthError("the stubs do not compile:\n" + done.stderr)
    return out


def _java(
    programs: Sequence[Program], stubs: Path, work: Path, sources: str = SOURCES, *libraries: str
) -> dict[str, Raw]:
    lines = []
    for program in programs:
        write(program.files.items(), work / program.name)
        inputs = program.inputs * (2 if program.random else 1)
        arguments = ";".join(",".join(each) or "-" for each in inputs)
        lines.append("|".join([str(work / program.name), sources, ",".join(program.mains), arguments]))
    done = subprocess.run(
        [*_JAVA, "-cp", str(stubs), "oracle.Harness", str(stubs), str(work / "classes"), *libraries],
        input="\n".join(lines) + "\n",
        text=True,
        capture_output=True,
        env={**os.environ, **ENVIRONMENT, "LC_ALL": "C.UTF-8"},
        check=False,
    )
    if done.returncode:
        raise TruthError("the harness failed:\n" + done.stderr[-2000:])
    return {row["dir"]: row for row in map(json.loads, done.stdout.splitlines())}


_RUN_ONE: Final = """
import runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except BaseException as error:
    if not isinstance(error, SystemExit) or error.code:
        print(repr(error), file=sys.stderr)
from rocketmq._recorder import dump
print("\\n@@" + dump())
"""


def _python(program: Program, work: Path, packages: str) -> list[Raw]:
    folder = work / program.name
    write(program.files.items(), folder)
    environment = {
        **os.environ,
        **ENVIRONMENT,
        "PYTHONPATH": os.pathsep.join(filter(None, (str(STUBS / "python"), str(folder), packages))),
        "ORACLE_ROOT": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    runs: list[Raw] = []
    for main in program.mains:
        for arguments in program.inputs * (2 if program.random else 1):
            done = subprocess.run(
                [sys.executable, "-S", "-c", _RUN_ONE, str(folder / main), *arguments],
                cwd=folder,
                env=environment,
                text=True,
                capture_output=True,
                timeout=PYTHON_SECONDS_MAX,
                check=False,
            )
            _, mark, dumped = done.stdout.rpartition("@@")
            error = done.stderr.strip() or ("" if mark else "no record")
            runs.append({"main": main, "error": error, "consumers": json.loads(dumped) if mark else []})
    return runs
