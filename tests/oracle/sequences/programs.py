"""Sequences as programs: to be run for their truth, and to be analysed, a consumer for each sequence."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from collections.abc import Sequence as Many
from dataclasses import replace
from pathlib import Path
from textwrap import indent
from typing import Final

from tests.oracle.program import Files
from tests.oracle.sequences.calls import Language, Sequence

_IMPORTS: Final = "".join(
    f"import {each};\n"
    for each in ("java.util.*", "java.util.concurrent.atomic.*", "java.util.function.*", "java.util.stream.*")
)
_JAVA: Final = """package app;

{imports}import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

public class Main {{
    public static void main(String[] args) throws Exception {{
{calls}
    }}

    private static void open(String group, String topic) throws Exception {{
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
        consumer.subscribe(topic, "*");
        consumer.start();
    }}
{methods}}}
"""
_PYTHON: Final = """from rocketmq.client import PushConsumer


def on_message(msg):
    pass


def open_one(group, topic):
    consumer = PushConsumer(group)
    consumer.subscribe(topic, on_message, "*")
    consumer.start()

{functions}

{calls}
"""


def files(language: Language, sequences: Many[Sequence]) -> Files:
    """A program that opens the consumer `g-N` on the text of sequence N, for each of these."""
    if language == "java":
        calls = "\n".join(f'        open("g-{one.number}", s{one.number}());' for one in sequences)
        methods = "".join(map(_method, sequences))
        return {"src/main/java/app/Main.java": _JAVA.format(imports=_IMPORTS, calls=calls, methods=methods)}
    calls = "\n".join(f'open_one("g-{one.number}", s{one.number}())' for one in sequences)
    functions = "".join(map(_function, sequences))
    return {"main.py": _PYTHON.format(functions=functions, calls=calls)}


def _method(one: Sequence) -> str:
    body = "\n".join(f"        {line}" for line in one.body)
    head = f'\n    static String s{one.number}() {{\n        String out = "";\n'
    head += "        StringBuilder seen = new StringBuilder();\n"
    return f"{head}{body}\n        return out + seen;\n    }}\n"


def _function(one: Sequence) -> str:
    body = indent("\n".join(one.body), "    ")
    return f'\n\ndef s{one.number}():\n    out = ""\n{body}\n    return out\n'


def run(language: Language, sequences: Iterable[Sequence]) -> list[Sequence]:
    """The sequences with the text that each gave: one JVM for all in Java, one interpreter for all in Python.

    Raises `RuntimeError` where they do not compile, or one throws.
    """
    given = list(sequences)
    with tempfile.TemporaryDirectory() as folder:
        texts = (_run_java if language == "java" else _run_python)(given, Path(folder))
    return [replace(one, text=text) for one, text in zip(given, texts, strict=True)]


def _run_java(sequences: list[Sequence], folder: Path) -> list[str]:
    by_type: dict[str, list[Sequence]] = {}
    for one in sequences:
        by_type.setdefault(one.type, []).append(one)
    for name, several in by_type.items():
        calls = "\n".join(f"        System.out.println(s{one.number}());" for one in several)
        methods = "".join(map(_method, several))
        (folder / f"S_{name}.java").write_text(
            f"{_IMPORTS}public class S_{name} {{\n    static void all() {{\n{calls}\n    }}\n{methods}}}\n",
            "utf-8",
        )
    all_ = "".join(f"        S_{name}.all();\n" for name in by_type)
    (folder / "Run.java").write_text(
        f"public class Run {{\n    public static void main(String[] a) {{\n{all_}    }}\n}}\n", "utf-8"
    )
    _checked(["javac", "-nowarn", "-encoding", "UTF-8", *map(str, folder.glob("*.java"))])
    return _checked(["java", "-cp", str(folder), "Run"]).splitlines()


def _run_python(sequences: list[Sequence], folder: Path) -> list[str]:
    parts = []
    for index, one in enumerate(sequences):
        parts.append(_function(replace(one, number=index)) + f"\nprint(s{index}())\n")
    path = folder / "run.py"
    path.write_text("".join(parts), "utf-8")
    return _checked([sys.executable, "-S", str(path)]).splitlines()


def _checked(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr[-3000:]}")
    return done.stdout
