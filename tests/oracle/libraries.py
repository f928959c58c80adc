"""Programs with libraries: `LOMBOK_JAR=FILE python -m tests.oracle.libraries` runs `written/libraries.txt` and records it.

`FILE` is the jar of `org.projectlombok:lombok`, copied by `mvn dependency:copy`; the compiler takes it for an annotation
processor.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.oracle import store, truth, written
from tests.oracle.program import Program

RECORDED: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "programs" / "libraries.jsonl.gz"
SOURCES: Final = written.SOURCES / "libraries.txt"


def programs() -> Iterator[Program]:
    """The programs, without their truth."""
    parts = written._WHOLE.split(SOURCES.read_text(encoding="utf-8"))[1:]
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        yield written._whole("java", name, body)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        stubs = truth._compiled_stubs(work)
        every = list(programs())
        known = truth._java(every, stubs, work, truth.SOURCES, os.environ["LOMBOK_JAR"])
        done = [truth._judged(one, known[one.name]) for one in every]
    for one in done:
        if one.error:
            raise truth.TruthError(f"{one.name}: {one.error}")
    store.save(RECORDED, done)
    print(f"{len(done)} programs are recorded in {RECORDED}")


if __name__ == "__main__":
    main()
