"""Programs written by hand, for what no grammar draws: a class or module gives texts, a `main` subscribes by each of them.

`written/java.txt` and `written/python.txt` hold them, each under a line `=== NAME TURNS`: a class `NAME` with a static
method `of(text, turn)`, a module with a function of that name. `written/java_programs.txt` and
`written/python_programs.txt` hold whole programs, each under a line `=== NAME`: one file with a `main`, or files under
lines `--- PATH`, with `main` behind the path of those that are run. `python -m tests.oracle.written` runs them and records
their truth (needs a JDK 17), or says with `--show` what the analyzer has to say otherwise.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.oracle import store
from tests.oracle.analyzer import rows
from tests.oracle.program import Language, Program
from tests.oracle.report import deviations
from tests.oracle.score import judge
from tests.oracle.truth import record

SOURCES: Final = Path(__file__).parent / "written"
RECORDED: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "programs" / "written.jsonl.gz"
TEXT: Final = "Orders-a_b"
"""What every method is given."""

_HEAD: Final = re.compile(r"^=== (\w+) (\d+)\n", re.M)
_WHOLE: Final = re.compile(r"^=== (\w+)\n", re.M)
_FILE: Final = re.compile(r"^--- (\S+)( main)?\n", re.M)
_ALONE: Final[dict[Language, str]] = {"java": "src/main/java/app/Main.java", "python": "main.py"}
"""The path of the one file of a program."""

_JAVA: Final = """package app;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

public class Main {{
    public static void main(String[] args) throws Exception {{
{calls}
    }}

    private static void open(String group, String topic) throws Exception {{
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
        consumer.subscribe(topic, "*");
        consumer.start();
    }}
}}
"""

_PYTHON: Final = """from rocketmq.client import ConsumeStatus, PushConsumer
from {name} import of


def on_message(msg):
    return ConsumeStatus.CONSUME_SUCCESS


def open_one(group, topic):
    consumer = PushConsumer(group)
    consumer.subscribe(topic, on_message, "*")
    consumer.start()


def main():
{calls}


if __name__ == "__main__":
    main()
"""


def programs() -> Iterator[Program]:
    """The programs, without their truth."""
    languages: tuple[Language, ...] = ("java", "python")
    for language in languages:
        parts = _HEAD.split((SOURCES / f"{language}.txt").read_text(encoding="utf-8"))[1:]
        for name, turns, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            yield _program(language, name, int(turns), body)
        yield from whole(language, f"{language}_programs.txt")


def whole(language: Language, name: str) -> Iterator[Program]:
    """The whole programs of a file, without their truth."""
    parts = _WHOLE.split((SOURCES / name).read_text(encoding="utf-8"))[1:]
    for each, body in zip(parts[::2], parts[1::2], strict=True):
        yield _whole(language, each, body)


def _whole(language: Language, name: str, body: str) -> Program:
    """A program of one file or several."""
    parts = _FILE.split(body)
    if len(parts) == 1:
        parts = ["", _ALONE[language], " main", body]
    files = dict(zip(parts[1::3], parts[3::3], strict=True))
    mains = tuple(path for path, main in zip(parts[1::3], parts[2::3], strict=True) if main)
    if language == "java":
        mains = tuple(
            path.removeprefix("src/main/java/").removesuffix(".java").replace("/", ".") for path in mains
        )
    return Program(name, 0, language, "written", (name,), mains, ((),), False, files)


def _program(language: Language, name: str, turns: int, body: str) -> Program:
    if language == "java":
        calls = "\n".join(f'        open("g-{turn}", {name}.of("{TEXT}", {turn}));' for turn in range(turns))
        folder = "src/main/java/app"
        files = {
            f"{folder}/Main.java": _JAVA.format(calls=calls),
            f"{folder}/{name}.java": f"package app;\n\n{body}",
        }
        main = "app.Main"
    else:
        calls = "\n".join(f'    open_one("g-{turn}", of("{TEXT}", {turn}))' for turn in range(turns))
        files = {"main.py": _PYTHON.format(name=name, calls=calls), f"{name}.py": body}
        main = "main.py"
    return Program(name, 0, language, "written", (name,), (main,), ((),), False, files)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.written", description=__doc__)
    parser.add_argument("--show", action="store_true", help="print what differs from the recorded truth")
    if parser.parse_args().show:
        for program in store.load(RECORDED):
            print("\n".join(deviations(program, judge(program, rows(program.files)).notes)))
        return 0
    made = record(list(programs()))
    for program in made:
        if program.error:
            print(f"{program.name}: {program.error}", file=sys.stderr)
    store.save(RECORDED, made)
    return int(any(program.error for program in made))


if __name__ == "__main__":
    sys.exit(main())
