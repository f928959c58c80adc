"""Whole programs that send, written by hand: `written/{java,kotlin,python}_senders.txt`.

They are run over the stubs, whose producers record each message they send as a subject of its own: its one subscription is
the topic with the tag, `*` where there is none; in the place of the filter's type stand its properties and its delay.
`python -m tests.oracle.senders` runs and records them (needs a JDK 17, and `KOTLIN_LIB` as `tests.oracle.kotlin` does: without
it Kotlin's programs stay as recorded), or says with `--show` what the analyzer has to say otherwise.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from subdrift.linter import pipeline
from subdrift.linter.report import sends
from subdrift.linter.sources.checkout import Repository
from tests.oracle import kotlin, store
from tests.oracle.analyzer import Row
from tests.oracle.program import INPUT_MARK, Files, Program, Subscribed
from tests.oracle.truth import record, write
from tests.oracle.written import whole

RECORDED: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "programs" / "senders.jsonl.gz"


def programs() -> Iterator[Program]:
    """The programs, without their truth."""
    yield from whole("java", "java_senders.txt")
    yield from kotlin.programs(kotlin.WRITTEN.with_name("kotlin_senders.txt"))
    yield from whole("python", "python_senders.txt")


def rows(files: Files) -> list[Row]:
    """The rows of `list --sends` about a program."""
    with TemporaryDirectory() as folder:
        write(files.items(), Path(folder))
        repository = Repository("program", folder, only=tuple(files))
        result = pipeline.analyse([repository], (), options=pipeline.Options(workers=1, sends=True))
        return sends.rows(sends.sent(result.consumers))


def sent(program: Program) -> list[Subscribed]:
    """The messages that the runs of a program have sent."""
    return [
        one
        for made in program.truth
        if made.api.endswith("send")
        for variant in made.variants
        for one in variant.subscriptions
    ]


def faults(program: Program, found: list[Row]) -> Iterator[str]:
    """What is said and not true, and what was sent and no row stands for."""
    truth = sent(program)
    found = [row for row in found if not _claims_nothing(row)]
    for row in found:
        if (row["topic"], row["tag"]) != (None, None) and not any(_stands_for(row, one) for one in truth):
            yield f"false: {row['path']}:{row['line']} {row['topic']} {row['tag']}"
    for one in truth:
        if not any(_stands_for(row, one) for row in found):
            yield f"missing: {one.topic} {one.expression} at {one.places}"


def exact(program: Program, found: list[Row]) -> tuple[int, int]:
    """How many of the messages have a row that says all of them that can be known, and how many there are."""
    truth = sent(program)
    known = sum(any(_stands_for(row, one) and _says_all(row, one) for row in found) for one in truth)
    return known, len(truth)


def _claims_nothing(row: Row) -> bool:
    """Whether a row says of itself that nothing calls it."""
    return any(one["kind"] == "never-started" for one in row["conditions"])


def _stands_for(row: Row, one: Subscribed) -> bool:
    """Whether a row is about a message: it stands at a call that led to it, and contradicts nothing."""
    if f"{row['path']}:{row['line']}" not in one.places:
        return False
    pairs = ((row["topic"], one.topic), (row["tag"], _tag(one)))
    return all(said is None or said == true for said, true in pairs) and _is_sent_with(row, one)


def _is_sent_with(row: Row, one: Subscribed) -> bool:
    """Whether what a row says of properties and delay is so, where that was recorded: `a,b|level 3`."""
    listed, recorded, delay = (one.filter_type or "").partition("|")
    if not recorded:
        return True
    names = set(filter(None, listed.split(",")))
    said = {each["name"]: each["sure"] for each in row["properties"]}
    is_open = "properties" in row["unresolved"]
    return (
        all(name in names for name, sure in said.items() if sure)
        and (is_open or names <= said.keys())
        and row["delay"] in (None, delay)
    )


def _says_all(row: Row, one: Subscribed) -> bool:
    pairs = ((row["topic"], one.topic), (row["tag"], _tag(one)))
    return all(said == true or INPUT_MARK in (true or "") for said, true in pairs)


def _tag(one: Subscribed) -> str | None:
    return "" if one.expression == "*" else one.expression


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.senders", description=__doc__)
    parser.add_argument("--show", action="store_true", help="print what differs from the recorded truth")
    if parser.parse_args().show:
        for program in store.load(RECORDED):
            found = rows(program.files)
            print(program.name, *exact(program, found))
            print("\n".join(faults(program, found)))
        return 0
    recorded = {program.name: program for program in store.load(RECORDED)} if RECORDED.exists() else {}
    every = list(programs())
    made = record([one for one in every if one.language != "kotlin"])
    library = os.environ.get("KOTLIN_LIB")
    for one in (each for each in every if each.language == "kotlin"):
        made += kotlin.record([one], Path(library)) if library else [recorded[one.name]]
    for program in made:
        if program.error:
            print(f"{program.name}: {program.error}", file=sys.stderr)
    store.save(RECORDED, made)
    return int(any(program.error for program in made))


if __name__ == "__main__":
    sys.exit(main())
