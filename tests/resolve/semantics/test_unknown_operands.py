"""What hangs on a number or text that nobody knows is not known either: no definite value where a run may give another."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.oracle.analyzer import rows

NUMBERS = (0, 1, 2, 3)
TEXTS = ("a", "k", "x", "true", "b", "3", "q", "v", "")
"""What runs are given for `u` and `k`."""

_CLASS = """package app;

import java.util.*;
import java.util.stream.*;
{imports}
public class {name} {{
    {main}
    static String group(int u, String k) {{
        List<String> l = new ArrayList<>(Arrays.asList("a", "b", "c"));
        Map<String, String> m = new HashMap<>();
        m.put("k", "v");
        m.put("x", "y");
        String[] arr = {{"a", "b", "c"}};
        StringBuilder sb = new StringBuilder("abc");
        Set<String> s = new TreeSet<>(Arrays.asList("a", "b"));
        Deque<String> d = new ArrayDeque<>(Arrays.asList("a", "b", "c"));
        {statement}
        return {asked};
    }}
}}
"""
_MAIN = """public static void main(String[] args) throws Exception {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group(Integer.parseInt(args[0]), args[1]));
        consumer.subscribe("orders", "*");
        consumer.start();
    }"""
_RUN = """public static String run(int u, String k) {
        try {
            return group(u, k);
        } catch (RuntimeException e) {
            return e.getClass().getName();
        }
    }"""


class Form(NamedTuple):
    """A statement and what is asked for after it. `held`: not answered as if it were known."""

    statement: str
    asked: str
    held: bool

    def source(self, name: str, imports: str, main: str) -> str:
        return _CLASS.format(
            name=name, imports=imports, main=main, statement=self.statement, asked=self.asked
        )


def forms() -> list[Form]:
    text = Path(__file__).with_name("unknown_operands.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    parts = [line.removeprefix("! ").partition("=> ") for line in lines]
    return [
        Form(statement.strip(), asked, not line.startswith("! "))
        for line, (statement, _, asked) in zip(lines, parts, strict=True)
    ]


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(
            form,
            id=f"{form.statement} {form.asked}".strip(),
            marks=() if form.held else pytest.mark.xfail(strict=True, reason="answered as if it were known"),
        )
        for form in forms()
    ],
)
def test_what_hangs_on_an_unknown_is_not_known(form: Form) -> None:
    client = "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\n"
    found = rows({"src/main/java/app/Main.java": form.source("Main", client, _MAIN)})
    assert found
    assert len(found) > 1 or found[0]["group"] is None


@pytest.mark.skipif(shutil.which("javac") is None, reason="running Java programs needs a JDK 17")
def test_runs_of_these_forms_differ(tmp_path: Path) -> None:
    calls = []
    for number, form in enumerate(forms()):
        (tmp_path / f"Form{number}.java").write_text(form.source(f"Form{number}", "", _RUN), encoding="utf-8")
        calls.append(f'System.out.println({number} + " " + outcomes((u, k) -> Form{number}.run(u, k)));')
    numbers, texts = ", ".join(map(str, NUMBERS)), ", ".join(f'"{one}"' for one in TEXTS)
    (tmp_path / "All.java").write_text(
        "package app;\n\npublic class All {\n"
        "    interface One { String run(int u, String k); }\n"
        "    static int outcomes(One one) {\n        java.util.Set<String> found = new java.util.HashSet<>();\n"
        f"        for (int u : new int[] {{{numbers}}}) for (String k : new String[] {{{texts}}}) "
        "found.add(one.run(u, k));\n        return found.size();\n    }\n"
        "    public static void main(String[] args) {\n        " + "\n        ".join(calls) + "\n    }\n}\n",
        encoding="utf-8",
    )
    sources = sorted(map(str, tmp_path.glob("*.java")))
    subprocess.run(
        ["javac", "-nowarn", "-d", str(tmp_path / "out"), *sources], check=True, capture_output=True
    )
    ran = subprocess.run(
        ["java", "-cp", str(tmp_path / "out"), "app.All"], check=True, capture_output=True, text=True
    )
    counts = dict(line.split() for line in ran.stdout.splitlines())
    every = forms()
    assert not [every[int(number)] for number, count in counts.items() if int(count) < 2]
    assert len(counts) == len(every)
