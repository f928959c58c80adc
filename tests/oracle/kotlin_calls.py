"""Expressions of Kotlin's language and library, with what a run of each gives: `fixtures/oracle/kotlin_calls.jsonl.gz`.

`KOTLIN_LIB=FOLDER python -m tests.oracle.kotlin_calls` compiles the questions of `written/kotlin_calls.txt` (`kotlin.py` says
what the folder holds), drops those that do not compile, runs the others and records the answers. `--show` says what the
analyzer says otherwise, `--unknown` what it does not know; `--only TEXT` asks those that hold a text.

A question is a line. A line `@W = A ; B` names values: a question in which `W` stands is asked with each of them in its place.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tests.oracle import kotlin
from tests.oracle.calls import Asked, differences, load
from tests.oracle.program import Files

WRITTEN: Final = Path(__file__).parent / "written" / "kotlin_calls.txt"
RECORDED: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "kotlin_calls.jsonl.gz"
TOGETHER: Final = 100
"""Questions in one file that is compiled."""

_SHOWN: Final = {"S": "({}).toList()", "A": "({}).contentToString()", "=": "{}", "!": "{}"}
"""How the value of a kind is shown: a sequence and an array have no text."""

_RUNNING: Final = """
fun ask(number: Int, call: () -> Any?) {
    val said = try {
        when (val given = call()) {
            is Sequence<*> -> "S" + given.toList()
            is Array<*> -> "A" + given.contentToString()
            is IntArray -> "A" + given.contentToString()
            is CharArray -> "A" + given.contentToString()
            is ByteArray -> "A" + given.contentToString()
            else -> "=" + given
        }
    } catch (thrown: Throwable) {
        "!" + thrown.javaClass.name
    }
    System.out.println("@$number" + said.replace("\\\\", "\\\\\\\\").replace("\\n", "\\\\n").replace("\\r", "\\\\r"))
}
"""


def questions() -> Iterator[str]:
    """The written questions, each with the values that its letters name."""
    for section in _sections()[1:]:
        named: dict[str, list[str]] = {}
        for line in section.splitlines()[1:]:
            if line.startswith("@"):
                named[line[1]] = line[5:].split(" ; ")
            elif line:
                letter = next((one for one in named if re.search(rf"\b{one}\b", line)), "")
                for value in named.get(letter, [""]):
                    yield re.sub(rf"\b{letter}\b", partial(_put, value), line) if letter else line


def _put(value: str, _found: re.Match[str]) -> str:
    return value


def files(asked: Sequence[Asked]) -> Files:
    """Questions as programs: a consumer each, whose topic is the answer behind a `t`, or `threw`."""
    imports, declared = _declared()
    found = {"src/main/kotlin/a/Declared.kt": f"package a\n{imports}{declared}"}
    for number, one in enumerate(asked):
        found[f"src/main/kotlin/q{number}/Main.kt"] = f"""package q{number}
import a.*
{imports}import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer
fun main() {{
    val topic = try {{ "t" + ({one.call}) }} catch (e: Throwable) {{ "threw" }}
    val consumer = DefaultMQPushConsumer("g{number}")
    consumer.subscribe(topic, "*")
    consumer.start()
}}
"""
    return found


def record(library: Path) -> list[Asked]:
    """Compiles the questions and runs them."""
    asked = list(dict.fromkeys(questions()))
    with tempfile.TemporaryDirectory() as folder:
        while bad := _refused(asked, Path(folder), library):
            asked = [call for number, call in enumerate(asked) if number not in bad]
        path = os.pathsep.join(
            (f"{folder}/classes", *(str(next(library.glob(name))) for name in kotlin.RUNTIME))
        )
        done = subprocess.run(["java", "-cp", path, "a.MainKt"], capture_output=True, text=True, check=True)
    found = re.findall(r"^@(\d+)([=!SA])(.*)$", done.stdout, re.M)
    answered = [(_SHOWN[kind].format(asked[int(n)]), kind, _bare(said)) for n, kind, said in found]
    return [
        Asked(call, ("!" if kind == "!" else "=") + said)
        for call, kind, said in answered
        if not re.search(r"\w@[0-9a-f]{5,}", said)
    ]


def _sections() -> list[str]:
    return re.split(r"^=== ", WRITTEN.read_text(encoding="utf-8"), flags=re.M)[1:]


def _declared() -> tuple[str, str]:
    """The imports of all questions, and what they share."""
    lines = _sections()[0].splitlines(keepends=True)[1:]
    return "".join(one for one in lines if one.startswith("import ")), "".join(
        one for one in lines if not one.startswith("import ")
    )


def _bare(said: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found[1], found[1]), said)


def _refused(asked: Sequence[str], folder: Path, library: Path) -> set[int]:
    """The questions that do not compile."""
    imports, declared = _declared()
    sources = folder / "sources"
    sources.mkdir(exist_ok=True)
    for old in sources.iterdir():
        old.unlink()
    (sources / "Declared.kt").write_text(f"package a\n{imports}{declared}{_RUNNING}", encoding="utf-8")
    parts = range(0, len(asked), TOGETHER)
    for start in parts:
        lines = "".join(
            f"    ask({start + n}) {{ {call} }}\n" for n, call in enumerate(asked[start : start + TOGETHER])
        )
        text = f"package a\n{imports}fun m{start}() {{\n{lines}}}\n"
        (sources / f"Ask{start}.kt").write_text(text, encoding="utf-8")
    calls = "".join(f"    m{start}()\n" for start in parts)
    (sources / "Main.kt").write_text(f"package a\nfun main() {{\n{calls}}}\n", encoding="utf-8")
    path = os.pathsep.join(str(next(library.glob(name))) for name in kotlin.RUNTIME)
    done = subprocess.run(
        ["java", "-Xss16m", "-cp", f"{library}/*", str(kotlin.COMPILE)], input=f"{sources}|{folder / 'classes'}|{path}\n",
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    first = imports.count("\n") + 3
    found = re.findall(r"/Ask(\d+)\.kt:(\d+):\d+: error: (.*)", done.stderr)
    bad = {int(start) + int(line) - first for start, line, _ in found}
    for start, line, why in found:
        print(f"{asked[int(start) + int(line) - first]}  {why}", file=sys.stderr)
    if "OK" not in done.stdout and not bad:
        raise RuntimeError(done.stderr)
    return bad


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.kotlin_calls", description=__doc__)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--unknown", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    if not (given.show or given.unknown):
        asked = record(Path(os.environ["KOTLIN_LIB"]))
        lines = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in asked)
        RECORDED.write_bytes(gzip.compress(lines.encode(), mtime=0))
        print(f"{len(asked)} questions")
        return 0
    asked = [one for one in load(RECORDED) if given.only in one.call]
    counts = {"false": 0, "unknown": 0}
    for one, told in differences(asked, files, unknown=given.unknown):
        kind = "unknown" if None in told else "false"
        counts[kind] += 1
        print(f"{kind}: {one.call}  is {one.answer!r}  told {told}", flush=True)
    print(f"{len(asked)} questions, {counts}", file=sys.stderr)
    return int(bool(counts["false"]))


if __name__ == "__main__":
    sys.exit(main())
