"""Programs by hand in idioms of their languages: `written/*_idioms.txt`, in the format of `written.py`.

`KOTLIN_LIB=FOLDER python -m tests.oracle.idioms` runs them and records their truth (needs a JDK 17, and the compiler of
Kotlin as `kotlin.py` says). What falls short of it is listed in `edge.toml`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.oracle import kotlin, store, truth, written
from tests.oracle.program import Language, Program

RECORDED: Final = written.RECORDED.with_name("idioms.jsonl.gz")


def programs() -> Iterator[Program]:
    """The programs, without their truth."""
    languages: tuple[Language, ...] = ("java", "python")
    for language in languages:
        yield from written.whole(language, f"{language}_idioms.txt")
    yield from kotlin.programs(kotlin.WRITTEN.with_name("kotlin_idioms.txt"))


def main() -> int:
    given = list(programs())
    made = truth.record([program for program in given if program.language != "kotlin"])
    of_kotlin = [program for program in given if program.language == "kotlin"]
    made += kotlin.record(of_kotlin, Path(os.environ["KOTLIN_LIB"]))
    for program in made:
        if program.error:
            print(f"{program.name}: {program.error}", file=sys.stderr)
    store.save(RECORDED, made)
    return int(any(program.error for program in made))


if __name__ == "__main__":
    sys.exit(main())
