"""`KOTLIN_LIB=FOLDER python -m tests.oracle.kotlin [NAME ...]`: run the Kotlin programs written by hand, and record it.

`FOLDER` holds the jars of the compiler (`org.jetbrains.kotlin:kotlin-compiler-embeddable` with its dependencies, copied by
`mvn dependency:copy-dependencies`); its standard library and coroutines are what programs run with. With names those are run
again, the others stay as recorded. `--show` says what the analyzer has to say otherwise, `--only` shows it without running.

`written/kotlin_programs.txt` holds the programs as `written.py` has it; behind ` main` may stand the classes whose `main` runs.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from tests.oracle import store, truth
from tests.oracle.analyzer import rows
from tests.oracle.program import Program
from tests.oracle.report import deviations
from tests.oracle.score import judge
from tests.oracle.sound import faults

WRITTEN: Final = Path(__file__).parent / "written" / "kotlin_programs.txt"
RECORDED: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "programs" / "kotlin.jsonl.gz"
SOURCES: Final = "src/main/kotlin"
COMPILE: Final = truth.STUBS / "kotlin" / "Compile.java"
RUNTIME: Final = ("kotlin-stdlib-[0-9]*.jar", "kotlinx-coroutines-core-jvm-[0-9]*.jar")

_WHOLE: Final = re.compile(r"^=== (\w+)\n", re.M)
_FILE: Final = re.compile(r"^--- (\S+)(?: (main)((?: \S+)*))?\n", re.M)


def programs(written: Path = WRITTEN) -> Iterator[Program]:
    """The programs of a file, without their truth."""
    whole = _WHOLE.split(written.read_text(encoding="utf-8"))[1:]
    for name, body in zip(whole[::2], whole[1::2], strict=True):
        parts = _FILE.split(body)
        if len(parts) == 1:
            parts = ["", f"{SOURCES}/app/Main.kt", "main", "", body]
        files: dict[str, str] = {}
        mains: list[str] = []
        for path, main, classes, text in zip(*(parts[start::4] for start in (1, 2, 3, 4)), strict=True):
            files[path] = text
            if main:
                mains += classes.split() or [_facade(path)]
        yield Program(f"kotlin-{name}", 0, "kotlin", "written", (name,), tuple(mains), ((),), False, files)


def _facade(path: str) -> str:
    return path.removeprefix(f"{SOURCES}/").removesuffix(".kt").replace("/", ".") + "Kt"


def record(given: Iterable[Program], library: Path) -> list[Program]:
    """The programs with their truth, or with the error that kept them from having one."""
    chosen = list(given)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        stubs = truth._compiled_stubs(work)
        runtime = [str(next(library.glob(name))) for name in RUNTIME]
        lines = []
        for program in chosen:
            truth.write(program.files.items(), work / program.name)
            target = work / "classes" / program.name
            path = os.pathsep.join((*runtime, str(stubs)))
            lines.append(f"{work / program.name / SOURCES}|{target}|{path}\n")
        done = subprocess.run(
            ["java", "-cp", f"{library}/*", str(COMPILE)], input="".join(lines), text=True,
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        compiled = [
            program for program, line in zip(chosen, done.stdout.split(), strict=True) if line == "OK"
        ]
        known = truth._java(compiled, stubs, work, SOURCES, *runtime)
        failed = {"compile": "see above"}
        return [truth._judged(program, known.get(program.name, failed)) for program in chosen]


def show(given: Iterable[Program]) -> None:
    """Prints what the analyzer says otherwise."""
    for program in given:
        found = rows(program.files)
        print("\n".join((*deviations(program, judge(program, found).notes), *faults(program, found))))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.kotlin", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", action="store_true")
    asked = parser.parse_args()
    recorded = {program.name: program for program in store.load(RECORDED)} if RECORDED.exists() else {}
    chosen = [each for each in programs() if not asked.names or each.tags[0] in asked.names]
    if asked.only:
        show(recorded[each.name] for each in chosen)
        return 0
    made = record(chosen, Path(os.environ["KOTLIN_LIB"]))
    bad = [program for program in made if program.error]
    for program in bad:
        print(f"{program.name}: {program.error}", file=sys.stderr)
    new = {program.name: program for program in made}
    store.save(RECORDED, [new.get(each.name) or recorded[each.name] for each in programs()])
    if asked.show:
        show(made)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
