# ruff: noqa: E501 - programs are data
"""Execution is total, bounded and deterministic: on programs made at random, on real ones changed at random, on those
that are small to write and large to run."""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import subprocess
import sys
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from subdrift.linter.extract import read
from subdrift.linter.model import wire
from subdrift.linter.resolve.execute.budgets import STEPS_MAX
from tests.fuzz import programs
from tests.fuzz.surfaces import blocks
from tests.hostile.bombs import BOMBS, source
from tests.hostile.kit import ROOT, SECONDS_MAX, environment

EXAMPLES = 1_000 if os.environ.get("SUBDRIFT_HOSTILE") else 40
BYTES_MAX = 1 << 30
"""Address space that a bomb may take beyond that of the tests themselves."""
CPU_SECONDS_MAX = 120
"""The end of patience with a bomb; none is held to a time, but a hang must end."""
FACTOR_MAX = 2.3
RUNS_MAX = 8
"""Runs of one file of a bomb: entries, callbacks, what nobody calls."""


@cache
def seeds(language: str) -> tuple[bytes, ...]:
    return tuple(blocks(language)())


@pytest.mark.parametrize("language", programs.LANGUAGES)
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 1 << 32))
@example(seed=231020)
@example(seed=7030531)
def test_any_program_ends_without_an_error(language: str, seed: int) -> None:
    """Bounded too: `consume` raises where a run goes on beyond its steps."""
    done = programs.consume({programs.PATHS[language]: programs.made(language, random.Random(seed))})
    assert done.runs >= 1


@pytest.mark.parametrize("language", programs.LANGUAGES)
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 1 << 32))
@example(seed=3957)
def test_any_change_of_a_program_ends_without_an_error(language: str, seed: int) -> None:
    choose = random.Random(seed)
    given_, other = choose.choice(seeds(language)), choose.choice(seeds(language))
    programs.consume({programs.PATHS[language]: programs.mended(given_, language, choose, (other,))})


def test_what_is_made_at_random_makes_consumers_and_runs_on() -> None:
    done = [
        programs.consume({programs.PATHS[language]: programs.made(language, random.Random(seed))})
        for language in programs.LANGUAGES
        for seed in range(12)
    ]
    assert sum(one.consumers for one in done) >= 12
    assert len({one.steps for one in done}) >= 12


def test_a_bug_costs_its_program_and_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from subdrift.linter.model import ir
    from subdrift.linter.resolve.execute.interpreter import STATEMENTS

    def broken(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setitem(STATEMENTS, ir.If, broken)
    with pytest.raises(KeyError, match="a bug"):
        programs.ran("java")(source("java: conditions on one variable"))
    monkeypatch.setattr(programs, "RAISES", False)
    done = programs.ran("java")(source("java: conditions on one variable"))
    assert done is not None
    (problem,) = (one for part in done.consumed for one in part.diagnostics if one.name == "internal-error")
    assert problem.at.span.line > 1
    assert "KeyError: 'a bug'" in str(problem.message)


# -- bombs --------------------------------------------------------------------------------------------------------

FAST = frozenset(name for number, name in enumerate(BOMBS) if number % 8 == 2)
"""Run in `make test` too."""


STATM = Path("/proc/self/statm")


def apart(call: Callable[[], Any]) -> Any:
    """What a call gives in a process of its own with an end to memory and patience."""
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.close(reader)
            held = int(STATM.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (held + BYTES_MAX, held + BYTES_MAX))
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS_MAX, CPU_SECONDS_MAX))
            try:
                told = {"found": call()}
            except BaseException:  # noqa: BLE001 - the other process raises it
                told = {"raised": traceback.format_exc()[-2000:]}
            with open(writer, "w", encoding="utf-8") as out:
                json.dump(told, out)
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as said:
        text = said.read()
    os.waitpid(pid, 0)
    assert text, "it did not end"
    told = json.loads(text)
    assert "raised" not in told, told["raised"]
    return told["found"]


@pytest.mark.skipif(not STATM.exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one not in FAST)) for one in BOMBS]
)
def test_what_is_small_to_write_and_large_to_run_ends(name: str) -> None:
    def run() -> tuple[int, int, int]:
        done = programs.ran(BOMBS[name][0])(source(name))
        assert done is not None
        return done.consumers, done.steps, done.runs

    consumers, steps, runs = apart(run)
    assert consumers == 1
    assert runs <= RUNS_MAX
    assert steps <= RUNS_MAX * (STEPS_MAX + 2_000)


# -- growth -------------------------------------------------------------------------------------------------------

JAVA = (
    "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\nclass Main {{ {members}\n"
    "public static void main(String[] args) throws Exception {{\n"
    'DefaultMQPushConsumer c = new DefaultMQPushConsumer("g"); String s = "";\n{body}\n'
    'c.subscribe("T" + s, "a"); c.start(); }} }}'
)
PYTHON = "import sys\nfrom rocketmq.client import PushConsumer\nc = PushConsumer('g')\ns = ''\n{}\nc.subscribe('T' + s, print, 'a')\nc.start()\n"


def java(body: Callable[[int], str] = lambda n: "", members: Callable[[int], str] = lambda n: "") -> Any:
    return "java", lambda n: JAVA.format(body=body(n), members=members(n)).encode()


GROWS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "conditions on one variable": java(lambda n: "".join(f'if (System.getenv("A").equals("{i}")) s = s + {i};\n' for i in range(n))),
    "conditions on many variables": java(lambda n: "".join(f'if (System.getenv("A{i}") != null) s = s + {i};\n' for i in range(n))),
    "branches of one chain": java(lambda n: "".join(f'if (args[0].equals("{i}")) s = "x{i}"; else ' for i in range(n // 2)) + "s = null;"),
    "cases of a switch": java(lambda n: "switch (args[0]) {" + "".join(f'case "{i}": s = "x{i}"; break;' for i in range(n)) + "}"),
    "subscriptions": java(lambda n: "".join(f'c.subscribe("T{i}", "a");\n' for i in range(n))),
    "elements under conditions, joined": java(lambda n: "List<String> l = new ArrayList<>();" + "".join(f'if (System.getenv("E{i}") != null) l.add("v{i}");\n' for i in range(n)) + 's = String.join(",", l);'),
    "elements under conditions, one of them": java(lambda n: "List<String> l = new ArrayList<>();" + "".join(f'if (System.getenv("E{i}") != null) l.add("v{i}");\n' for i in range(n)) + "s = l.get(5) + l.size();"),
    "methods in a row": java(lambda n: "m0();", lambda n: "".join(f"static void m{i}() {{ m{i + 1}(); }}" for i in range(n)) + f"static void m{n}() {{}}"),
    "methods beside each other": java(lambda n: "".join(f"m{i}();" for i in range(n)), lambda n: "".join(f"static void m{i}() {{ }}" for i in range(n))),
    "python: conditions on one argument": ("python", lambda n: PYTHON.format("".join(f"if sys.argv[1] == '{i}': s = s + '{i}'\n" for i in range(n))).encode()),
    "python: elements under conditions": ("python", lambda n: PYTHON.format("l = []\n" + "".join(f"if sys.argv[{i}]: l.append('v{i}')\n" for i in range(n)) + "s = ','.join(l) + l[5]\n").encode()),
    "python: cases of a match": ("python", lambda n: PYTHON.format("match sys.argv[1]:\n" + "".join(f"  case '{i}': s = '{i}'\n" for i in range(n))).encode()),
}  # fmt: skip
SIZE = 100
"""The smallest, beyond the choices that are told apart; beyond `STEPS_MAX` nothing grows any more."""


def work(language: str, content: bytes) -> int:
    """Python's own count of the calls that consuming a program takes: it does not know how busy the machine is."""
    facts = read(programs.PATHS[language], content)
    assert facts is not None
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(note)
    try:
        programs.consume({programs.PATHS[language]: facts})
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", GROWS)
def test_work_grows_with_the_program_and_no_faster(name: str) -> None:
    language, make = GROWS[name]
    small, middle, large = (work(language, make(SIZE * times)) for times in (1, 2, 4))
    assert middle <= FACTOR_MAX * small
    assert large <= FACTOR_MAX * middle


# -- determinism --------------------------------------------------------------------------------------------------


def digests(count: int) -> list[str]:
    """What programs made and changed at random give, a digest each."""
    found = []
    for language in programs.LANGUAGES:
        for seed in range(count):
            choose = random.Random(seed)
            for facts in (
                programs.made(language, choose),
                programs.mended(choose.choice(seeds(language)), language, choose),
            ):
                done = programs.consume({programs.PATHS[language]: facts})
                text = "\n".join(
                    wire.dumps(one) for part in done.consumed for one in (*part.consumers, *part.diagnostics)
                )
                found.append(hashlib.sha256(f"{done.steps} {text}".encode()).hexdigest()[:16])
    return found


def test_results_do_not_depend_on_the_hash_seed() -> None:
    count = 200 if os.environ.get("SUBDRIFT_HOSTILE") else 12
    told = []
    for seed in ("1", "2"):
        script = f"import json; from tests.hostile.test_engine import everything; print(json.dumps(everything({count})))"
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, env=environment({"PYTHONHASHSEED": seed}), capture_output=True,
            text=True, check=False, timeout=20 * SECONDS_MAX,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout))
    first, second = told
    assert first == second
    assert len(first) > count * len(programs.LANGUAGES)


def everything(count: int) -> list[str]:
    """Digests of random programs, and of `check` and `list` over every sample organisation."""
    from subdrift import rules
    from subdrift.linter.pipeline import Options, analyse
    from subdrift.linter.report import listing
    from subdrift.linter.sources.checkout import discover

    found = digests(count)
    for org in sorted((ROOT / "fixtures" / "orgs").iterdir()):
        if org.is_dir():
            result = analyse(discover([], str(org)), rules.ALL, None, Options(workers=1), cache=None)
            text = json.dumps([listing.rows(result.consumers), [wire.dumps(one) for one in result.findings],
                               [wire.dumps(one) for one in result.diagnostics]])  # fmt: skip
            found.append(f"{org.name} {hashlib.sha256(text.encode()).hexdigest()[:16]}")
    return found
