"""Every construct at n, 2n and 4n: no doubling may cost more than 2.3 times as much.

The calls that Python makes are counted, and do not know how busy the machine is. What libraries do inside of one call is
not seen so; `make hostile` measures it by the processor, the least of many rounds, with a factor of 2.7.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path

import pytest

from subdrift.linter.broker.scenario.document import ScenarioError
from subdrift.linter.broker.scenario.reader import parse_scenario
from subdrift.linter.broker.selector import compile_selector
from subdrift.linter.extract import read
from subdrift.linter.model.tags import parse_tags
from subdrift.linter.report.terminal import safe, settled
from subdrift.linter.settings import SettingsError, parse
from subdrift.linter.sources.ignore import is_ignored, parse_rules
from subdrift.linter.stages.reading import survey
from subdrift.linter.text.encodings import to_utf8

FACTOR_MAX = 2.3
CLOCK_FACTOR_MAX = 2.7
"""By the clock a line of a large file is dearer than one of a small file: memory is touched for the first time, and leaves
the caches. `java: comments` takes 0.04 page faults a line in a file of 6,400 lines, 0.23 in one of 102,400, and up to 2.5
times as long for twice the lines. A quadratic loop takes four times as long."""
SECONDS_MIN = 0.03
"""The smallest size is doubled, and then repeated, until it takes so long; below, the clock says more than the code."""
SIZE_MAX = 25_600
"""The smallest size is not larger, so that the largest is still one that files may have: beyond, memory says more."""
TRIES = 2
ROUNDS_LEAST = 2
ROUNDS = 30
"""Measured again before it is believed: a busy machine is not a quadratic loop."""
SIZE = 200
"""The smallest size at which calls are counted."""

JAVA = (
    "package x; import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer; class A {{ {members}\n"
    'void m() throws Exception {{ DefaultMQPushConsumer c = new DefaultMQPushConsumer("g"); c.subscribe("T", "a");\n'
    "{body} }} }}"
)
PYTHON = 'from rocketmq.client import PushConsumer\nc = PushConsumer("g")\nc.subscribe("T", print, "a")\n'


def java(
    body: Callable[[int], str] | None = None, members: Callable[[int], str] | None = None
) -> Callable[[int], object]:
    return lambda n: read(
        "A.java", JAVA.format(body=body(n) if body else "", members=members(n) if members else "").encode()
    )


def reads(name: str, text: Callable[[int], str]) -> Callable[[int], object]:
    return lambda n: read(name, text(n).encode())


def refused(call: Callable[[], object], *errors: type[Exception]) -> None:
    with pytest.raises(errors):
        call()


def ignored(n: int) -> None:
    rules = parse_rules("*a" * 30 + "b\n", "")
    for _ in range(n):
        is_ignored("a" * 250, False, rules)


CONSTRUCTS: dict[str, Callable[[int], object]] = {
    "java: statements": java(lambda n: 'String s = "a" + 1;\n' * n),
    "java: fields": java(members=lambda n: "".join(f'static final String F{i} = "f{i}";\n' for i in range(n))),
    "java: methods": java(members=lambda n: "".join(f"void m{i}() {{ x(); }}\n" for i in range(n))),
    "java: subscriptions": java(lambda n: "".join(f'c.subscribe("T{i}", "a");\n' for i in range(n))),
    "java: comments": java(lambda n: "// subdrift\n" * n),
    "java: a long text": java(lambda n: f'c.subscribe("{"t" * n}", "a");'),
    "java: broken code": java(lambda n: "if ( { x = ;\n" * n),
    "python: statements": reads("a.py", lambda n: PYTHON + "s = 'a' + str(1)\n" * n),
    "python: subscriptions": reads("a.py", lambda n: PYTHON + "".join(f'c.subscribe("T{i}", print, "a")\n' for i in range(n))),
    "python: functions": reads("a.py", lambda n: PYTHON + "".join(f"def f{i}():\n    return {i}\n" for i in range(n))),
    "yaml: keys": reads("a.yml", lambda n: "".join(f"k{i}: v\n" for i in range(n))),
    "yaml: images that are built": reads("a.yml", lambda n: "uses: docker/build-push-action@v6\n" * n),
    "shell: images that are built": reads("a.sh", lambda n: "docker build -t a .\n" * n),
    "survey: words in one comment": lambda n: survey("A.java", b"// " + b"void main(" * n),
    "yaml: merge keys": reads("a.yml", lambda n: "b: &b {x: 1}\n" + "".join(f"k{i}: {{<<: *b}}\n" for i in range(n))),
    "properties: lines": reads("a.properties", lambda n: "".join(f"k{i}=v\\u0041\n" for i in range(n))),
    "properties: one long line": reads("a.properties", lambda n: "k=" + "v\\\n" * n),
    "toml: keys": reads("a.toml", lambda n: "".join(f"a.b.k{i} = 'v'\n" for i in range(n))),
    "toml: words in a text": reads("a.toml", lambda n: "a = '''\n" + "word" * n + "\n'''\n"),
    "ini: options": reads("a.ini", lambda n: "[a]\n" + "".join(f"k{i} = v\n" for i in range(n))),
    "xml: beans": reads("s.xml", lambda n: "<beans>" + "".join(f"<bean id='b{i}' class='C'/>" for i in range(n)) + "</beans>"),
    "pom: dependencies": reads("pom.xml", lambda n: "<project><dependencies>" + "<dependency><groupId>a</groupId>"
                               "<artifactId>b</artifactId></dependency>" * n + "</dependencies></project>"),
    "gradle: dependencies": reads("build.gradle", lambda n: "dependencies {\n" + "implementation 'a:b:1'\n" * n + "}\n"),
    "settings: keys": lambda n: parse("[values]\n" + "".join(f"k{i} = 'v'\n" for i in range(n)), "f"),
    "settings: a mistake": lambda n: refused(
        lambda: parse("[values]\n" + "".join(f"k{i} = 'v'\n" for i in range(n)) + "z = 1979-05-27\n", "f"), SettingsError),
    "settings: clusters": lambda n: parse("[clusters]\n" + "".join(f"c{i} = ['h{i}:1']\n" for i in range(n)), "f"),
    "scenario: unknown keys": lambda n: refused(
        lambda: parse_scenario("".join(f"k{i} = 1\n" for i in range(n)), "f"), ScenarioError),
    "tags": lambda n: parse_tags(" || ".join(f"t{i}" for i in range(n))),
    "selector: terms": lambda n: compile_selector("a IN (" + ", ".join(f"'{i}'" for i in range(n)) + ")"),
    "ignore: stars": ignored,
    "reports: a long text": lambda n: settled(safe("::x\n" * n)) and settled("##[x]\n" * n),
    "encodings": lambda n: to_utf8(("x\n" * (n // 2)).encode("utf-16-le")),
}  # fmt: skip


def calls(construct: Callable[[int], object], size: int) -> int:
    """The calls of functions, of Python's own too, that it takes at a size."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        construct(size)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_calls_grow_with_the_size_and_no_faster(name: str) -> None:
    small, middle, large = (calls(CONSTRUCTS[name], SIZE * times) for times in (1, 2, 4))
    assert middle <= FACTOR_MAX * small
    assert large <= FACTOR_MAX * middle


def cost(construct: Callable[[int], object], size: int, times: int = 1) -> float:
    """Seconds of the processor for some runs at a size, the best of a few tries."""
    best = float("inf")
    for _ in range(TRIES):
        gc.collect()
        gc.disable()  # it costs by what the tests hold, not by the input
        try:
            begun = time.process_time()
            for _ in range(times):
                construct(size)
            best = min(best, time.process_time() - begun)
        finally:
            gc.enable()
    return best


def growth(construct: Callable[[int], object], size: int, rounds: int = ROUNDS, repeated: int = 1) -> float:
    """How many times as much the worse of two doublings costs.

    The small sizes are run more often, so that each measure takes as long as the others and meets as much of what the
    machine has to do besides. A busy moment only ever adds: the least of several rounds is nearest to the code's own cost.
    """
    least = [float("inf")] * 3
    for number in range(rounds):
        costs = [cost(construct, size * times, repeated * 4 // times) for times in (1, 2, 4)]
        least = [min(pair) for pair in zip(least, costs, strict=True)]
        if number + 1 >= ROUNDS_LEAST and worse(least) <= CLOCK_FACTOR_MAX:
            break
    return worse(least)


def worse(costs: Sequence[float]) -> float:
    small, middle, large = costs
    return 2 * max(middle / small, large / middle)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_time_grows_with_the_size_and_no_faster(name: str) -> None:
    construct = CONSTRUCTS[name]
    size = 50
    while (seconds := cost(construct, size)) < SECONDS_MIN and size < SIZE_MAX:
        size *= 2
    found = growth(construct, size, repeated=ceil(SECONDS_MIN / seconds))
    assert found <= CLOCK_FACTOR_MAX, f"{found:.2f} times as long for twice the size, from {size}"


STATM = Path("/proc/self/statm")
HELD_MAX = 48 << 20
"""Bytes that may stay behind after all of `FILES` were read: far less than once was lost for each."""
FILES = 12
CLASSES = (
    "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer\n"
    + "class A { fun subscribe() {} " * 2_000
)


@pytest.mark.skipif(not STATM.exists(), reason="needs Linux's /proc")
def test_what_files_take_is_given_back() -> None:
    """Kotlin's grammar looks at parts of a text again and again, and the parser's library keeps all that it was handed."""

    def held(number: int) -> int:
        read("a.kt", f"{CLASSES}// {number}\n".encode())
        gc.collect()
        return int(STATM.read_text(encoding="ascii").split()[1]) * resource.getpagesize()

    first = held(0)
    assert [held(number) for number in range(1, FILES + 1)][-1] - first < HELD_MAX


def quadratic(size: int) -> None:
    for _ in range(size):
        b"".join(iter((b"x",) * size))


def quadratic_in_calls(size: int) -> None:
    for _ in range(size):
        for _ in range(size):
            len("")


def test_the_measures_see_what_is_quadratic() -> None:
    assert growth(quadratic, 250, 2) > FACTOR_MAX
    assert calls(quadratic_in_calls, 40) > FACTOR_MAX * calls(quadratic_in_calls, 20)
