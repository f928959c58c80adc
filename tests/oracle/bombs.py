"""`python -m tests.oracle.bombs`: every library function that execution knows, with extreme arguments and growth in loops.

Each bomb is a program of one file that makes one consumer. Its analysis has to end within 10 s of processor time and
1 GB, must not end the run, and must say something: a consumer that no bound lets it come to is not passed over in silence.
callables come from the peers' declarations, `dir` and `javap`.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

from subdrift.linter.resolve.execute import peers
from tests.oracle.analyzer import told
from tests.oracle.program import Files

CPU_SECONDS_MAX: Final = 10
BYTES_MAX: Final = 1 << 30
BATCH: Final = 50

_PYTHON_HEAD: Final = """import configparser
import re
import textwrap

import yaml
from rocketmq.client import PushConsumer

big = "ab1 "
for _ in range(16):
    big = big + big
many = [str(n) for n in range(500)]
nested = many
for _ in range(12):
    nested = [nested, nested]
"""
_PYTHON_TAIL: Final = """
consumer = PushConsumer("g")
consumer.subscribe(str(x), print)
consumer.start()
"""
_PYTHON_EXTREMES: Final = (
    "10**9", "-10**9", "10**40", "0", "None", "big", "many", "nested", "'(a+)+$'", "'a' * 40", "1e308", "'%999999999d'",
    "{n: big for n in range(200)}", "range(10**9)", "lambda *each: big", "'{:>999999999}'", "b'ab' * 100000",
)  # fmt: skip
_MAKERS: Final = {
    "builtins.str": "big", "bytes": "big.encode()", "re.Pattern": "__import__('re').compile('(a+)+$')",
    "re.Match": "__import__('re').match('(.*)', big)", "io.StringIO": "__import__('io').StringIO(big)",
    "queue": "__import__('queue').Queue()", "Counter": "__import__('collections').Counter(big)",
    "ChainMap": "__import__('collections').ChainMap({}, {1: 2})", "list": "list(many)", "dict": "dict(enumerate(many))",
    "set": "set(many)", "deque": "__import__('collections').deque(many)", "bytearray": "bytearray(big.encode())",
}  # fmt: skip
_METHODS: Final = {
    "list": list, "dict": dict, "set": set, "bytearray": bytearray, "builtins.str": str, "bytes": bytes,
}  # fmt: skip

_JAVA: Final = """import java.util.*;
import java.util.stream.*;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

public class Main {{
    public static void main(String[] args) throws Exception {{
        String big = "ab1 ";
        for (int i = 0; i < 16; i++) big = big + big;
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) many.add("n" + i);
        Object x = big;
        {body}
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
        consumer.subscribe(String.valueOf(x), "*");
        consumer.start();
    }}
}}
"""
_JAVA_EXTREMES: Final = (
    "2_000_000_000", "Integer.MIN_VALUE", "Long.MAX_VALUE", "0", "-1", "null", "big", "many", '"(a+)+$"', '"%999999999d"',
    "new int[2_000_000_000]", "new String[1_000_000]", "each -> big", "(one, two) -> big + one + two", "1e308", "'c'",
    '"x".repeat(30)',
)  # fmt: skip
_OBJECTS: Final = {
    "java.lang.String": "big",
    "java.lang.StringBuilder": "new StringBuilder(big)",
    "java.util.ArrayList": "new ArrayList<>(many)",
    "java.util.LinkedList": "new LinkedList<>(many)",
    "java.util.HashMap": "new HashMap<>(Map.of(1, big))",
    "java.util.TreeMap": "new TreeMap<>(Map.of(1, big))",
    "java.util.HashSet": "new HashSet<>(many)",
    "java.util.Properties": "new Properties()",
    "java.util.stream.Stream": "many.stream()",
    "java.util.StringJoiner": "new StringJoiner(big)",
    "java.math.BigInteger": "new BigInteger(big)",
    "java.util.PriorityQueue": "new PriorityQueue<>(many)",
}


@dataclass(frozen=True, slots=True)
class Bomb:
    """A program; `called` is the callable it is made of."""

    called: str
    files: Files


@dataclass(frozen=True, slots=True)
class Burst:
    """What one bomb took; `error` says what ended its analysis or that it said nothing, "" where all is well."""

    index: int
    seconds: float
    error: str


@cache
def callables() -> tuple[tuple[str, str, str], ...]:
    """Language, receiver or "" and name of all that is called: declared peers, tables, methods of common types."""
    found: set[tuple[str, str, str]] = set()
    for language, owner, name in peers.REGISTRY:
        if language == "python" and owner in _MAKERS:
            found.add((language, _MAKERS[owner], name))
        elif language == "python":
            module = "" if owner == "builtins" else owner
            found.add((language, "", f"{module}.{name}".lstrip(".")))
        else:
            found.add(("java", "", f"{owner}.{name}"))
    for kind, type_ in _METHODS.items():
        found |= {("python", _MAKERS[kind], name) for name in dir(type_) if not name.startswith("_")}
    for full, made in _OBJECTS.items():
        listed = subprocess.run(
            ["javap", "-public", full], capture_output=True, text=True, check=False
        ).stdout
        found |= {("java", made, name) for name in re.findall(r"(\w+)\(", listed)}
    return tuple(sorted(one for one in found if one[2].replace(".", "").isidentifier()))


def bombs(seed: int, of_each: int) -> Iterator[Bomb]:
    """So many programs for each callable, one with a call, the next with a call in a loop that grows, and so on."""
    rng = random.Random(seed)
    for language, receiver, name in callables():
        for turn in range(of_each):
            make = _python if language == "python" else _java
            files = make(rng, receiver, name, grows=turn % 2 == 1)
            yield Bomb(f"{language} {receiver}.{name}", files)
    yield from (
        Bomb(f"python {where}: {code}", _python_long(code, where)) for code in _WRITES for where in _PLACES
    )
    yield from (Bomb(f"java {where}: {code}", _java_long(code, where)) for code in _ADDS for where in _PLACES)
    yield from (Bomb(f"python {code}", _python_of(f"x = {code}\n")) for code in _OPERATIONS)
    yield from (Bomb(f"java {code}", _java_of(f"x = {code};")) for code in _CALLS)
    yield from (
        Bomb(f"java loop {code}", _java_of(f"while (true) {{ x = {code}; big = big + x; }}"))
        for code in _CALLS
    )


_PLACES: Final = ("before", "called", "made", "loaded")
"""Where a loop stands that no budget lets come to its end: before the consumer, or in what is called, made or loaded there."""

_WRITES: Final = (
    "it = []; it.append(n)", "it = []; it.insert(0, [it])", "it = []; it += [n]", "it = {}; it[n] = it",
    "it = {}; it.update({n: n})", "it = {}; it.setdefault(n, []).append(n)", "it = set(); it.add(n)", "it = set(); it |= {n}",
    "it = ''; it += str(n)", "it = bytearray(); it += b'x'", "it = (); it += (n,)", "it = 0; it += n",
    "it = __import__('collections').deque(); it.append(n)", "it = __import__('collections').Counter(); it[n] += 1",
)  # fmt: skip

_ADDS: Final = (
    "List<Object> it = new ArrayList<>(); it.add(n);", "List<Object> it = new LinkedList<>(); it.add(0, n);",
    "Map<Object, Object> it = new HashMap<>(); it.put(n, it.size());", "Deque<Object> it = new ArrayDeque<>(); it.push(n);",
    "Map<Object, Object> it = new HashMap<>(); it.merge(n, 1, (a, b) -> a);", "Set<Object> it = new HashSet<>(); it.add(n);",
    "Map<Object, List<Object>> it = new HashMap<>(); it.computeIfAbsent(n, k -> new ArrayList<>()).add(n);",
    "StringBuilder it = new StringBuilder(); it.append(n);", "Map<Object, Object> it = new TreeMap<>(); it.put(n, n);",
    'Properties it = new Properties(); it.setProperty("k" + n, "v");', 'String it = ""; it += n;', "long it = 0; it += n;",
)  # fmt: skip


def _python_long(code: str, where: str) -> Files:
    made, _, write = code.partition("; ")
    body = [made, *(f"{'    ' * depth}for {name} in range(250):" for depth, name in enumerate("abc"))]
    body += [
        f"{'    ' * 3}n = f'{{a}} {{b}} {{c}}'"
        if "n" in write and "0" not in made
        else f"{'    ' * 3}n = a * b * c"
    ]
    body += [f"{'    ' * 3}{write}"]
    match where:
        case "called":
            return _python_of("\n    ".join(("def fill():", *body, "return it")) + "\nx = fill()\n")
        case "made":
            lines = "\n        ".join(("    def __init__(self):", *body, "self.it = it"))
            return _python_of(f"class Filled:\n{lines}\nx = Filled().it\n")
        case "loaded":
            lines = "\n    ".join(("class Filled:", *body))
            return _python_of(f"{lines}\nx = Filled.it\n")
        case _:
            return _python_of("\n".join(body) + "\nx = it\n")


def _java_long(code: str, where: str) -> Files:
    made, _, write = code.partition("; ")
    loops = "".join(f"for (int {name} = 0; {name} < 250; {name}++) " for name in "abc")
    number = "long n = (long) a * b * c;" if made.startswith("long") else 'String n = a + " " + b + " " + c;'
    body = f"{made}; {loops}{{ {number} {write} }}"
    match where:
        case "called":
            member, call = f"static Object fill() {{ {body} return it; }}", "x = fill();"
        case "made":
            member, call = f"Object held; Main() {{ {body} held = it; }}", "x = new Main().held;"
        case "loaded":
            member, call = f"static Object held; static {{ {body} held = it; }}", "x = held;"
        case _:
            member, call = "", f"{body} x = it;"
    (path, text), *_ = _java_of(call).items()
    return {path: text.replace("public static void main", f"{member}\n    public static void main")}


_OPERATIONS: Final = (
    "'x' * 10**9", "[0] * 10**9", "1 << 10**9", "10 ** 10 ** 9", "'%0999999999d' % 1", "f'{1:>999999999}'",
    "big * 10**6", "many * 10**8", "b'x' * 10**10", "big[::1] * 10**5", "tuple(many) * 10**8", "2 ** 2 ** 40",
    "[a + b for a in many for b in many for c in many]", "sum(range(10**12))", "'{0:{1}}'.format(1, 10**9)",
    "list(range(10**10))", "max(range(10**11))", "10**9 in range(0, 10**20, 7)", "big.join(many).join(many)",
    "re.search('(a+)+$', 'a' * 40 + 'b')", "[re.search('(a|a)*$', 'a' * 40 + 'b') for _ in range(100)]",
    "re.sub('', big, big)", "re.findall('(.*)*x', big)", "textwrap.indent(big * 100, big)", "round(1, -10**9)",
    "(big * 50).expandtabs(10**9)", "big.translate({97: big})", "big.encode().replace(b'a', big.encode())",
    "yaml.safe_load('a: &a [x,x,x,x,x,x,x,x,x]\\n' + ''.join(f'{c}: &{c} [' + ','.join(['*' + p] * 9) + ']\\n'"
    " for p, c in zip('abcdefgh', 'bcdefghi')))",
    "configparser.ConfigParser(dict([('v0', 'x' * 40)] + [(f'v{n}', f'%(v{n - 1})s' * 40) for n in range(1, 9)]))"
    ".get('DEFAULT', 'v8')",
)  # fmt: skip

_CALLS: Final = (
    "Arrays.copyOf(new int[1], 2_000_000_000)", "Arrays.asList(new String[2_000_000_000])", '"x".repeat(2_000_000_000)',
    '"a".repeat(40).concat("b").matches("(a+)+")', 'big.replaceAll("", big)', 'big.replace("a", big)', "big.split(\"\")",
    'String.format("%2000000000d", 1)', "Collections.nCopies(2_000_000_000, big)", "String.join(big, many)",
    "IntStream.range(0, 2_000_000_000).boxed().collect(Collectors.toList())", 'big.replaceAll("(a|a)*c", "$0$0$0")',
    "Stream.iterate(big, s -> s + s).limit(2_000_000_000).collect(Collectors.joining())", "new String(new char[2_000_000_000])",
    "many.stream().flatMap(a -> many.stream()).flatMap(a -> many.stream()).map(a -> a + big).collect(Collectors.toList())",
    "new StringBuilder(big).insert(0, big).reverse().append(new char[2_000_000_000])",
)  # fmt: skip


def _arguments(rng: random.Random, extremes: Sequence[str]) -> str:
    return ", ".join(rng.choice(extremes) for _ in range(rng.choice((0, 1, 1, 2, 2, 3))))


def _python(rng: random.Random, receiver: str, name: str, *, grows: bool) -> Files:
    arguments = _arguments(rng, _PYTHON_EXTREMES)
    module = name.rpartition(".")[0]
    code = f"import {module}\n" if module and not receiver else ""
    code += f"it = {receiver}\n" if receiver else ""
    called = f"it.{name}" if receiver else name
    if grows:
        given = ", ".join(filter(None, ("" if receiver else "x", arguments)))
        again = "    it = x or it\n" if receiver else ""
        code += f"x = big\nfor _ in range(40):\n    x = {called}({given})\n{again}    x = [x, x]\n"
    else:
        code += f"x = {called}({arguments})\n"
    return _python_of(code)


def _python_of(code: str) -> Files:
    return {"main.py": _PYTHON_HEAD + code + _PYTHON_TAIL}


def _java(rng: random.Random, receiver: str, name: str, *, grows: bool) -> Files:
    arguments = _arguments(rng, _JAVA_EXTREMES)
    if receiver:
        body, called = f"var it = {receiver};\n        ", f"it.{name}"
    else:
        body, called = "", name
    if grows:
        given = ", ".join(filter(None, ("" if receiver else "x", arguments)))
        body += f"for (int i = 0; i < 40; i++) {{ x = {called}({given}); big = big + x; many.add(big); }}"
    else:
        body += f"x = {called}({arguments});"
    return _java_of(body)


def _java_of(body: str) -> Files:
    return {"src/main/java/Main.java": _JAVA.format(body=body)}


# -- running --------------------------------------------------------------------------------------------------------


class _TooLong(BaseException):
    pass


def _stop(*_: Any) -> None:
    raise _TooLong


def _child(given: Sequence[tuple[int, Bomb]], pipe: Connection) -> None:
    pages = int(open("/proc/self/statm", encoding="ascii").read().split()[0])  # noqa: SIM115
    most = pages * resource.getpagesize() + BYTES_MAX
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    signal.signal(signal.SIGPROF, _stop)
    for index, bomb in given:
        begin = time.process_time()
        used = int(begin) + CPU_SECONDS_MAX + 3
        resource.setrlimit(resource.RLIMIT_CPU, (used, resource.RLIM_INFINITY))  # within a call of C code
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS_MAX)
        error = ""
        try:
            error = "" if told(bomb.files) else "silent"
        except _TooLong:
            error = "time"
        except MemoryError:
            error = "memory"
        except Exception as problem:  # noqa: BLE001 - that it ends is what is looked for
            error = f"ended: {problem!r}"[:300]
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(Burst(index, time.process_time() - begin, error))
    pipe.close()


def burst(given: Sequence[Bomb]) -> Iterator[Burst]:
    """What each bomb took, in processes of their own; one that dies has burst its bomb, and the next go on."""
    context = get_context("fork")
    left = list(enumerate(given))
    while left:
        mine, its = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(left[:BATCH], its))
        child.start()
        its.close()
        done = 0
        try:
            while done < min(BATCH, len(left)):
                yield mine.recv()
                done += 1
        except EOFError:
            child.join()
            yield Burst(left[done][0], CPU_SECONDS_MAX, f"killed: {child.exitcode}")
            done += 1
        child.join()
        left = left[done:]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.bombs", description=__doc__)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--of-each", type=int, default=2, help="programs for each callable")
    parser.add_argument("--only", default="", help="callables that hold this")
    options = parser.parse_args()
    given = [bomb for bomb in bombs(options.seed, options.of_each) if options.only in bomb.called]
    bad, slowest = 0, 0.0
    for one in burst(given):
        slowest = max(slowest, one.seconds)
        if one.error:
            bad += 1
            text = next(iter(given[one.index].files.values()))
            print(f"{given[one.index].called}: {one.error}, {one.seconds:.1f} s\n{text}", flush=True)
    print(
        f"{len(given)} bombs of {len(callables())} callables: {bad} burst, the slowest took {slowest:.1f} s"
    )
    return int(bool(bad) or not given)


if __name__ == "__main__":
    sys.exit(main())
