"""`KOTLIN_LIB=FOLDER python -m tests.oracle.kotlin PROGRAMS`: run Kotlin programs and record what they did.

`FOLDER` holds the jars of the compiler (`org.jetbrains.kotlin:kotlin-compiler-embeddable` with its dependencies, copied by
`mvn dependency:copy-dependencies`). Each folder below `PROGRAMS` is a program of its `.kt` files, whose `Main.kt` is in
the package `com.acme`; without `PROGRAMS`, those recorded are run again. The sources are kept in the record itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.oracle import store, truth
from tests.oracle.program import Program

RECORDED: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "programs" / "kotlin.jsonl.gz"
SOURCES: Final = "src/main/kotlin"
COMPILER: Final = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"


def read(folder: Path) -> list[Program]:
    """The programs of a folder, by name."""
    found = []
    for each in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = {
            f"{SOURCES}/{_package(path)}/{path.name}": path.read_text(encoding="utf-8")
            for path in sorted(each.glob("*.kt"))
        }
        name = f"kotlin-{each.name}"
        found.append(
            Program(name, 0, "kotlin", "by hand", (each.name,), ("com.acme.MainKt",), ((),), False, files)
        )
    return found


def _package(path: Path) -> str:
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return first.removeprefix("package ").strip().replace(".", "/")


def record(programs: Iterable[Program], library: Path) -> list[Program]:
    """The programs with their truth. Raises `TruthError` where one does not compile or throws."""
    done = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        stubs = truth._compiled_stubs(work)
        runtime = str(next(library.glob("kotlin-stdlib-[0-9]*.jar")))
        for program in programs:
            truth.write(program.files.items(), work / program.name)
            target = work / "classes" / program.name
            classpath = os.pathsep.join((runtime, str(stubs)))
            compiled = subprocess.run(
                ["java", "-cp", f"{library}/*", COMPILER, "-no-stdlib", "-no-reflect", "-nowarn", "-cp", classpath,
                 "-d", str(target), str(work / program.name / SOURCES)],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if compiled.returncode:
                raise truth.TruthError(f"{program.name} does not compile:\n{compiled.stderr}")
            known = truth._java([program], stubs, work, SOURCES, runtime)
            made = truth._judged(program, known[program.name])
            if made.error:
                raise truth.TruthError(f"{program.name}: {made.error}")
            done.append(made)
    return done


def main() -> None:
    given = sys.argv[1:]
    programs = read(Path(given[0])) if given else list(store.load(RECORDED))
    store.save(RECORDED, record(programs, Path(os.environ["KOTLIN_LIB"])))
    print(f"{len(programs)} programs are recorded in {RECORDED}")


if __name__ == "__main__":
    main()
