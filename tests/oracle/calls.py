"""Calls of library methods with plain arguments, and which types objects of the library are of, with what a JVM answers:
`fixtures/oracle/calls.jsonl.gz`.

`JAVA_LIB=FOLDER python -m tests.oracle.calls` finds the methods of `CLASSES` by reflection, writes calls of them with the
arguments of `GIVEN`, runs them (needs a JDK, and the jars of `idioms.LIBRARIES` with Spring's core) and records the answers.
`python -m tests.oracle.calls --show` says what the analyzer says otherwise.

`expressions.jsonl.gz` beside it has expressions of any kind: `JAVA_LIB=FOLDER python -m tests.oracle.calls --add FILE` adds
those of a file, one a line (the jars are those of `idioms.LIBRARIES` and of commons-text 1.12).
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.oracle.analyzer import rows
from tests.oracle.program import Files

RECORDED: Final = Path(__file__).parents[2] / "fixtures" / "oracle" / "calls.jsonl.gz"
EXPRESSIONS: Final = RECORDED.with_name("expressions.jsonl.gz")
SEED: Final = 5
TURNS: Final = 3
"""Calls of one method with other arguments."""
TOGETHER: Final = 20
"""Calls in one program of those that are asked."""

_JDK = (
    "lang.Math lang.Integer lang.Long lang.Boolean lang.Character lang.String lang.StringBuilder util.Arrays util.Collections "
    "util.Objects util.List util.Map util.Set util.ArrayList util.LinkedHashMap util.TreeMap util.TreeSet util.ArrayDeque "
    "util.Optional util.StringJoiner time.LocalDate time.Duration util.stream.Stream util.stream.IntStream"
)
_OTHERS = (
    "org.apache.commons.lang3.StringUtils org.apache.commons.lang3.ArrayUtils org.apache.commons.lang3.BooleanUtils "
    "org.apache.commons.lang3.math.NumberUtils org.apache.commons.lang3.ObjectUtils com.google.common.base.Strings "
    "com.google.common.base.CharMatcher com.google.common.collect.Lists com.google.common.collect.Sets "
    "com.google.common.collect.Maps com.google.common.collect.ImmutableList com.google.common.collect.ImmutableMap "
    "com.google.common.collect.ImmutableSet com.google.common.collect.Iterables cn.hutool.core.util.StrUtil "
    "cn.hutool.core.util.ArrayUtil cn.hutool.core.collection.CollUtil cn.hutool.core.map.MapUtil "
    "cn.hutool.core.convert.Convert cn.hutool.core.util.NumberUtil cn.hutool.core.util.ObjectUtil "
    "cn.hutool.core.util.BooleanUtil org.apache.commons.collections4.CollectionUtils "
    "org.apache.commons.collections4.MapUtils org.springframework.util.StringUtils "
    "org.springframework.util.CollectionUtils org.springframework.util.ObjectUtils org.apache.commons.lang.StringUtils"
)
CLASSES: Final = (*(f"java.{name}" for name in _JDK.split()), *_OTHERS.split())
_IN_FULL = ("org.apache.commons.lang.", "org.springframework.")
"""Packages whose classes have the simple names of others."""

_WITHOUT = (
    "wait notify notifyAll getClass hashCode exit forEach forEachRemaining parallel parallelStream random shuffle "
    "getLong getInteger getBoolean hash identityToString codePoints chars spliterator generate iterate parallelSort "
    "parallelPrefix parallelSetAll describeConstable resolveConstantDesc intern onClose close uuid"
)
_SKIPPED = frozenset(_WITHOUT.split())
"""Methods whose answers are others each time, go to the end of the program, or have no text."""

GIVEN: Final[dict[str, Sequence[str]]] = {
    "java.lang.String": (
        '"abc"',
        '"a,b;c"',
        '" x "',
        '""',
        '"Ab"',
        '"b"',
    ),
    "java.lang.CharSequence": (
        '"abc"',
        '"a,b;c"',
        '" "',
        '"b"',
    ),
    "java.lang.Object": (
        '"o"',
        '"abc"',
    ),
    "int": (
        "2",
        "0",
        "1",
    ),
    "long": (
        "3L",
        "1L",
    ),
    "char": (
        "'b'",
        "','",
    ),
    "boolean": (
        "true",
        "false",
    ),
    "double": ("2.5",),
    "float": ("1.5f",),
    "short": ("(short) 2",),
    "byte": ("(byte) 1",),
    "[Ljava.lang.String;": (
        'new String[]{"p", "q"}',
        'new String[]{"b"}',
    ),
    "[Ljava.lang.Object;": ('new Object[]{"p", 1}',),
    "[Ljava.lang.CharSequence;": ('new CharSequence[]{"p", "abc"}',),
    "[I": ("new int[]{3, 1}",),
    "[C": ("new char[]{'x', 'b'}",),
    "[J": ("new long[]{4L}",),
    "[D": ("new double[]{1.5}",),
    "java.util.List": ('List.of("b", "a")',),
    "java.util.Collection": (
        'List.of("b", "a")',
        'new ArrayList<>(List.of("c"))',
    ),
    "java.lang.Iterable": ('List.of("b", "a")',),
    "java.util.Set": ('new TreeSet<>(Set.of("b", "z"))',),
    "java.util.Map": ('new LinkedHashMap<>(Map.of("k", "v"))',),
    "java.util.Iterator": ('List.of("i", "j").iterator()',),
    "java.util.Comparator": ("Comparator.naturalOrder()",),
    "java.util.function.Function": ('x -> x + "!"',),
    "java.util.function.Predicate": ('x -> x.equals("b")',),
    "java.util.function.UnaryOperator": ('x -> x + "?"',),
    "java.util.function.Supplier": ('() -> "s"',),
    "java.util.function.BiFunction": ('(x, y) -> x + "" + y',),
    "java.util.function.BinaryOperator": ("(x, y) -> x + y",),
    "java.util.function.Consumer": ("x -> { }",),
    "java.util.function.ToIntFunction": ("x -> x.length()",),
    "java.util.function.IntFunction": ('n -> "n" + n',),
    "java.util.function.IntPredicate": ("n -> n > 1",),
    "java.util.function.IntUnaryOperator": ("n -> n + 1",),
    "java.lang.Integer": ("5",),
    "java.lang.Boolean": ("true",),
    "java.lang.Long": ("6L",),
    "java.lang.Character": ("'c'",),
    "java.lang.Number": ("7",),
    "java.lang.Comparable": ('"cmp"',),
    "com.google.common.base.Function": ('x -> x + "!"',),
    "com.google.common.base.Predicate": ('x -> x.equals("b")',),
    "java.util.stream.Collector": (
        'Collectors.joining("-")',
        "Collectors.toList()",
    ),
    "java.util.stream.Stream": ('Stream.of("s", "t")',),
    "org.apache.commons.collections4.Predicate": ('x -> x.equals("b")',),
    "org.apache.commons.collections4.Transformer": ('x -> x + "!"',),
    "java.time.Duration": ("Duration.ofMinutes(2)",),
    "java.time.LocalDate": ("LocalDate.of(2024, 2, 29)",),
    "cn.hutool.core.lang.Filter": ("x -> true",),
    "java.lang.Class": (
        "String.class",
        "Integer.class",
    ),
}
"""Arguments of a type, by the name that the JVM has for it."""

RECEIVERS: Final[dict[str, Sequence[str]]] = {
    "java.lang.String": (
        '"a,b;cB"',
        '"  pad "',
        '"xyx"',
    ),
    "java.lang.StringBuilder": ('new StringBuilder("abcb")',),
    "java.util.List": ('List.of("b", "a", "c")',),
    "java.util.ArrayList": ('new ArrayList<>(List.of("b", "a", "c"))',),
    "java.util.Map": ('new LinkedHashMap<>(Map.of("k", "v"))',),
    "java.util.LinkedHashMap": ('new LinkedHashMap<String, String>(Map.of("abc", "v"))',),
    "java.util.TreeMap": ('new TreeMap<>(Map.of("abc", "1", "b", "2", "x", "3"))',),
    "java.util.Set": ('Set.of("b")',),
    "java.util.TreeSet": ('new TreeSet<>(List.of("b", "a", "x"))',),
    "java.util.ArrayDeque": ('new ArrayDeque<>(List.of("b", "a"))',),
    "java.util.Optional": (
        'Optional.of("b")',
        "Optional.<String>empty()",
    ),
    "java.util.StringJoiner": ('new StringJoiner("-", "<", ">").add("j")',),
    "java.time.LocalDate": ("LocalDate.of(2024, 2, 29)",),
    "java.time.Duration": ("Duration.ofSeconds(3725)",),
    "java.util.stream.Stream": ('Stream.of("b", "a", "cc")',),
    "java.util.stream.IntStream": ("IntStream.of(3, 1, 2)",),
    "java.lang.Integer": ("Integer.valueOf(5)",),
    "com.google.common.base.CharMatcher": ("CharMatcher.is('b')",),
    "com.google.common.collect.ImmutableList": ('ImmutableList.of("b", "a", "c")',),
    "com.google.common.collect.ImmutableMap": ('ImmutableMap.of("abc", "1", "b", "2")',),
    "com.google.common.collect.ImmutableSet": ('ImmutableSet.of("b", "a")',),
}
"""Objects whose methods are called."""

_IMPORTS = """import java.util.*;
import java.util.function.*;
import java.util.stream.*;
import java.time.*;
""" + "".join(f"import {one};\n" for one in CLASSES if not one.startswith(("java.", *_IN_FULL)))

_WITH = """
com.google.common.base Ascii CaseFormat CharMatcher Defaults Joiner MoreObjects Preconditions Splitter Stopwatch Strings
com.google.common.base Suppliers Throwables Verify
com.google.common.collect ComparisonChain Comparators EvictingQueue FluentIterable HashBiMap HashMultiset ImmutableBiMap
com.google.common.collect ImmutableList ImmutableListMultimap ImmutableMap ImmutableMultimap ImmutableMultiset ImmutableRangeMap
com.google.common.collect ImmutableSet ImmutableSortedMap ImmutableSortedSet ImmutableTable Iterables Lists Maps Multimaps Sets
com.google.common.collect MinMaxPriorityQueue Ordering Streams TreeMultiset
com.google.common.hash Hashing
com.google.common.io BaseEncoding
java.lang.reflect Modifier
java.math MathContext
java.security MessageDigest
java.util.concurrent CompletableFuture TimeUnit
java.util.function Function Predicate Supplier
java.util.zip CRC32
org.apache.commons.lang3 ObjectUtils
org.apache.commons.lang3.math Fraction
"""
_ALL_OF = """
java.io java.math java.net java.nio java.nio.charset java.nio.file java.text java.time java.time.format java.time.temporal
java.util java.util.function java.util.regex java.util.stream org.apache.commons.lang3 org.apache.commons.lang3.builder
org.apache.commons.lang3.math org.apache.commons.lang3.time org.apache.commons.lang3.tuple com.google.common.math
com.google.common.net com.google.common.primitives
"""
_MORE_IMPORTS = "".join(f"import {one}.*;\n" for one in _ALL_OF.split()) + "".join(
    f"import {package}.{name};\n"
    for package, *names in map(str.split, _WITH.strip().splitlines())
    for name in names
)
"""What expressions may name."""

_LISTING = """import java.lang.reflect.*;
public class Listing {
  public static void main(String[] names) throws Exception {
    for (String name : names) for (Method m : Class.forName(name).getMethods()) {
      if (m.isSynthetic() || m.isAnnotationPresent(Deprecated.class)) continue;
      StringBuilder types = new StringBuilder();
      for (Class<?> type : m.getParameterTypes()) types.append(type.getName()).append(' ');
      String of = Modifier.isStatic(m.getModifiers()) ? "static" : "";
      System.out.println(String.join("\\t", name, m.getName(), of, types.toString().trim(), m.getReturnType().getName()));
    }
  }
}
"""

_RUNNING = """public class Running {
  interface Call { Object get() throws Exception; }
  static void ask(int number, Call call) {
    String said;
    try { said = "=" + call.get(); } catch (Throwable thrown) { said = "!" + thrown.getClass().getName(); }
    System.out.println("@" + number + said.replace("\\\\", "\\\\\\\\").replace("\\n", "\\\\n"));
  }
%s
}
"""


class Asked(NamedTuple):
    """A call, and the text of what it gives; of one that throws, the class of that behind a `!`."""

    call: str
    answer: str


def load(recorded: Path = RECORDED) -> list[Asked]:
    """What was recorded."""
    with gzip.open(recorded, "rt", encoding="utf-8") as lines:
        return [Asked(*json.loads(line)) for line in lines]


def _save(path: Path, asked: Sequence[Asked]) -> None:
    lines = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in asked)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def differences(
    asked: Sequence[Asked],
    written: Callable[[Sequence[Asked]], Files] | None = None,
    *,
    unknown: bool = False,
) -> Iterator[tuple[Asked, list[str | None]]]:
    """The calls of which the analyzer says something else, with what it says: neither the answer nor that it is not known, or
    not the answer."""
    for start in range(0, len(asked), TOGETHER):
        together = asked[start : start + TOGETHER]
        said: dict[str | None, list[str | None]] = {}
        for row in rows((written or _files)(together)):
            said.setdefault(row["group"], []).append(row["topic"])
        for number, one in enumerate(together):
            told = said.get(f"g{number}", [])
            expected = "threw" if one.answer[0] == "!" else f"t{one.answer[1:]}"
            if (unknown and None in told) or (
                told != [expected] and None not in (told or said) and expected.strip() not in told
            ):
                yield one, told


def of_expressions(asked: Sequence[Asked]) -> Iterator[tuple[Asked, list[str | None]]]:
    """As `differences`, of expressions."""
    return differences(asked, lambda some: _files(some, _MORE_IMPORTS))


def _files(asked: Sequence[Asked], imports: str = "") -> Files:
    return {"src/main/java/a/Main.java": _program(asked, imports or _IMPORTS)}


def _program(asked: Sequence[Asked], imports: str) -> str:
    calls = "".join(
        f'    try {{ open("g{n}", "t" + ({one.call})); }} catch (Exception e) {{ open("g{n}", "threw"); }}\n'
        for n, one in enumerate(asked)
    )
    return f"""package a;
{imports}import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
public class Main {{
  public static void main(String[] args) throws Exception {{
{calls}  }}
  private static void open(String group, String topic) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
    consumer.subscribe(topic, "*");
    consumer.start();
  }}
}}
"""


def record() -> list[Asked]:
    """Finds the methods, writes the calls and runs them."""
    with tempfile.TemporaryDirectory() as folder:
        java = _Java(Path(folder), os.environ.get("JAVA_LIB", "none"))
        listed = java.run("Listing", _LISTING, *CLASSES).stdout
        calls = [*_calls([line.split("\t") for line in sorted(listed.splitlines())]), *_questions()]
        return _answered(java, calls, _IMPORTS)


def added(expressions: Iterable[str]) -> list[Asked]:
    """The recorded expressions and more, with their answers."""
    every = dict.fromkeys(
        [*(one.call for one in load(EXPRESSIONS)), *expressions] if EXPRESSIONS.exists() else expressions
    )
    with tempfile.TemporaryDirectory() as folder:
        return _answered(_Java(Path(folder), os.environ.get("JAVA_LIB", "none")), list(every), _MORE_IMPORTS)


def _answered(java: _Java, calls: list[str], imports: str) -> list[Asked]:
    """Those of the calls that compile, and have an answer that is the same each time."""
    while bad := java.refused(_asking(calls, imports)):
        calls = [call for number, call in enumerate(calls) if number not in bad]
    found = dict(re.findall(r"^@(\d+)([=!].*)$", java.run("Running", _asking(calls, imports)).stdout, re.M))
    answered = (
        Asked(call, _ESCAPED.sub(lambda one: {"n": "\n"}.get(one[1], one[1]), found[str(n)]))
        for n, call in enumerate(calls)
        if str(n) in found
    )
    return [one for one in answered if not re.search(r"\w@[0-9a-f]{5,}", one.answer)]


_ESCAPED: Final = re.compile(r"\\(.)")


def _calls(methods: Sequence[Sequence[str]]) -> Iterator[str]:
    drawn = random.Random(SEED)
    for owner, name, of, types, gives in methods:
        taken = types.split()
        if name in _SKIPPED or any(each not in GIVEN for each in taken):
            continue
        ways = list(itertools.product(*(GIVEN[each] for each in taken)))
        drawn.shuffle(ways)
        written = owner if owner.startswith(_IN_FULL) else owner.rpartition(".")[2]
        for way in ways[:TURNS]:
            for target in (written,) if of else RECEIVERS.get(owner, ())[:2]:
                shown = _shown(f"{target}.{name}({', '.join(way)})", gives)
                yield from () if shown is None else (shown,)


_OBJECTS: Final = """
new ArrayList<>(List.of("a"))
Arrays.asList("a")
List.of("a")
Collections.singletonList("a")
new LinkedHashMap<>(Map.of("a","b")).values()
new TreeMap<>(Map.of("a","b")).keySet()
new HashMap<>(Map.of("a","b")).entrySet()
Set.of("a")
new LinkedHashSet<>(List.of("a"))
new TreeSet<>(List.of("a"))
new ArrayDeque<>(List.of("a"))
new LinkedList<>(List.of("a"))
Map.of("a","b")
new TreeMap<>(Map.of("a","b"))
new LinkedHashMap<>(Map.of("a","b"))
new Properties()
Collections.unmodifiableList(new ArrayList<>(List.of("a")))
new ArrayList<>(List.of("a","b")).subList(0,1)
Stream.of("a").collect(Collectors.toList())
Stream.of("a").toList()
Optional.of("a")
Optional.empty()
"a"
new StringBuilder("a")
1
1L
1.5
'c'
true
new String[]{"a"}
new int[]{1}
Map.entry("a","b")
Arrays.asList("a").iterator()
Collections.emptyList()
Collections.emptyMap()
new StringJoiner(",")
new Object[]{"a"}
java.util.EnumSet.of(java.util.concurrent.TimeUnit.DAYS)
java.util.concurrent.TimeUnit.DAYS
Integer.valueOf(3)
new java.util.concurrent.atomic.AtomicInteger(3)
Collections.synchronizedList(new ArrayList<>(List.of("a")))
new java.util.concurrent.ConcurrentHashMap<>(Map.of("a","b"))
new java.util.concurrent.CopyOnWriteArrayList<>(List.of("a"))
new RuntimeException("a")
new IllegalStateException("a")
"""
_TYPES: Final = """
List ArrayList Collection Iterable Set java.util.SortedSet Map java.util.SortedMap TreeMap LinkedHashMap
java.util.Queue java.util.Deque CharSequence String Number Integer Comparable Object[] String[]
java.util.RandomAccess Map.Entry java.io.Serializable java.util.Properties java.util.AbstractList LinkedList
java.util.HashMap Enum RuntimeException Cloneable
"""


def _questions() -> Iterator[str]:
    """Which types objects of the library are of."""
    for made, type_ in itertools.product(_OBJECTS.strip().splitlines(), _TYPES.split()):
        yield f"String.valueOf((Object) {made} instanceof {type_})"


def _shown(call: str, gives: str) -> str | None:
    """A call whose result has a text."""
    if gives == "void" or gives.endswith(("Iterator", "Enumeration")) or gives.startswith("[["):
        return None
    if gives.startswith("["):
        return f"Arrays.toString({call})"
    boxed = ".boxed()" if gives == "java.util.stream.IntStream" else ""
    return f"{call}{boxed}.collect(Collectors.toList())" if gives.endswith(".Stream") or boxed else call


def _asking(calls: Sequence[str], imports: str) -> str:
    parts = range(0, len(calls), 200)
    methods = [
        f"  static void m{start}() {{\n"
        + "".join(
            f"    ask({start + n}, () -> {call});\n" for n, call in enumerate(calls[start : start + 200])
        )
        + "  }\n"
        for start in parts
    ]
    main = "".join(f" m{start}();" for start in parts)
    return imports + _RUNNING % ("".join(methods) + f"  public static void main(String[] args) {{{main} }}")


class _Java(NamedTuple):
    folder: Path
    jars: str

    def run(self, name: str, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        self._compiled(name, source)
        command = ["java", "-cp", f"{self.jars}/*:{self.folder}", name, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True)

    def refused(self, source: str) -> set[int]:
        """The calls that do not compile."""
        errors = self._compiled("Running", source).stderr
        lines = source.splitlines()
        found = (
            re.match(r"\s+ask\((\d+)", lines[int(line) - 1])
            for line in re.findall(r"java:(\d+): error", errors)
        )
        return {int(one[1]) for one in found if one is not None}

    def _compiled(self, name: str, source: str) -> subprocess.CompletedProcess[str]:
        path = self.folder / f"{name}.java"
        path.write_text(source, encoding="utf-8")
        command = [
            "javac",
            "-nowarn",
            "-proc:none",
            "-Xmaxerrs",
            "100000",
            "-cp",
            f"{self.jars}/*",
            "-d",
            str(self.folder),
            str(path),
        ]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.calls", description=__doc__)
    parser.add_argument("--show", action="store_true", help="print what differs from the recorded answers")
    parser.add_argument(
        "--add", type=Path, help="record these expressions, one a line, with those that are recorded"
    )
    options = parser.parse_args()
    if options.show:
        asked, more = load(), load(EXPRESSIONS)
        found = [*differences(asked), *of_expressions(more)]
        asked += more
        for one, told in found:
            print(f"{one.call}  is {one.answer}  told {told}")
        print(f"{len(asked)} calls, {len(found)} told falsely", file=sys.stderr)
        return int(bool(found))
    asked = added(options.add.read_text(encoding="utf-8").splitlines()) if options.add else record()
    _save(EXPRESSIONS if options.add else RECORDED, asked)
    counts: Counter[Any] = Counter(one.answer[0] for one in asked)
    print(f"{len(asked)} calls, {counts['!']} of which throw")
    return 0


if __name__ == "__main__":
    sys.exit(main())
