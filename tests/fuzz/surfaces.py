"""Every kind of input subdrift reads, as one entry each: what takes the bytes, what it may raise, what to start from.

A new surface is one more `Surface` in `SURFACES`; its seeds may be files of `corpus/<name>/`, texts here, or fixtures.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from subdrift.linter.broker.scenario.document import ScenarioError
from subdrift.linter.broker.scenario.given.reader import parse_given
from subdrift.linter.broker.scenario.reader import parse_scenario
from subdrift.linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
from subdrift.linter.extract import read
from subdrift.linter.extract.candidates import makes_consumer
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.model.tags import TagSyntaxError, parse_tags
from subdrift.linter.model.wire import WireError, dumps, loads
from subdrift.linter.registry.reader import Registry
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.resolve.owners import Owners
from subdrift.linter.settings import SettingsError, parse
from subdrift.linter.sources.ignore import is_ignored, parse_rules
from subdrift.linter.store import baseline, earlier, lock
from subdrift.linter.store.baseline import BaselineError
from subdrift.linter.store.cache import Cache
from subdrift.linter.store.lock import LockError

ROOT = Path(__file__).parent.parent.parent
CORPUS = Path(__file__).parent / "corpus"
SEEDS_MAX = 60
"""Fixtures a surface starts from, spread over all there are."""


@dataclass(frozen=True, slots=True)
class Surface:
    """`take` gets the bytes; what it raises beyond `allowed` is a finding, and so is more time than
    `microseconds_per_byte` (of the machine's own pace, see `tests.fuzz.engine.pace`) on inputs of some size, or more
    memory at once than `bytes_per_byte`. Below `seconds_min` no input is slow, whatever its size: a machine has other
    things to do, and `programs.ran` runs a program twice to the bound of its steps, some 2 s each."""

    name: str
    take: Callable[[bytes], object]
    seeds: Callable[[], Iterator[bytes]]
    allowed: tuple[type[BaseException], ...] = ()
    words: tuple[bytes, ...] = ()
    microseconds_per_byte: float = 60.0
    bytes_per_byte: int = 4_000
    seconds_min: float = 1.5


class InternalError(Exception):
    """An extractor lost a file to a bug of its own."""


def reading(name: str) -> Callable[[bytes], object]:
    """Read a file of that name as the extractors do; its facts survive the wire."""

    def take(content: bytes) -> None:
        makes_consumer("Go", content)
        facts = read(name, content)
        if facts is None:
            return
        for problem in facts.problems:
            if problem.name == "internal-error":
                raise InternalError(problem.message)
        if loads(FileFacts, dumps(facts)) != facts:
            raise InternalError("facts change on the wire")

    return take


def owned(content: bytes) -> object:
    """Read it as CODEOWNERS, and ask for the owners of a file."""
    facts = read("CODEOWNERS", content)
    assert facts is None or facts.owned, "a bug of the reader"
    found = [] if facts is None else [Placed(Origin("app", "CODEOWNERS"), facts)]
    return Owners.among(found).of("src/main/java/com/acme/OrderListener.java")


def files(*patterns: str, under: str = "fixtures") -> Callable[[], Iterator[bytes]]:
    """The smaller files of these patterns in the fixtures."""

    def seeds() -> Iterator[bytes]:
        found = sorted(
            path for pattern in patterns for path in (ROOT / under).rglob(pattern) if path.is_file()
        )
        small = [path for path in found if path.stat().st_size < 20_000]
        for path in small[:: max(1, len(small) // SEEDS_MAX)]:
            yield path.read_bytes()

    return seeds


def blocks(language: str) -> Callable[[], Iterator[bytes]]:
    """The code blocks of the cases in that language."""

    def seeds() -> Iterator[bytes]:
        found: list[bytes] = []
        for page in sorted((ROOT / "fixtures" / "cases").rglob("*.md")):
            parts = page.read_text(encoding="utf-8").split("```")
            found += [
                part.partition("\n")[2].encode() for part in parts[1::2] if part.startswith(language + "\n")
            ]
        yield from found[:: max(1, len(found) // SEEDS_MAX)]

    return seeds


def texts(*given: str) -> Callable[[], Iterator[bytes]]:
    return lambda: (one.encode() for one in given)


def _settings(content: bytes) -> None:
    parse(content.decode("utf-8", "replace"), "f")


def _scenario(content: bytes) -> None:
    parse_scenario(content.decode("utf-8", "replace"), "f")


def _given(content: bytes) -> None:
    parse_given(content.decode("utf-8", "replace"), "f", parse_scenario(_SCENARIO, "f"))


def _selector(content: bytes) -> None:
    compile_selector(content.decode("utf-8", "replace"))


def _tags(content: bytes) -> None:
    parse_tags(content.decode("utf-8", "replace"))


def _baseline(content: bytes) -> None:
    entries = baseline.parse(content, "f")
    if set(baseline.parse(baseline.render(entries).encode(), "f")) != set(entries):
        raise InternalError("a baseline changes when it is written")


def _report(content: bytes) -> None:
    earlier.parse(content, "f")


def _registry(content: bytes) -> None:
    """A registry of these bytes is refused, or all that a check asks it for is as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "registry.db")
        Path(file).write_bytes(content)
        with Registry(file) as registry:
            for repo in registry.repositories:
                about = registry.about(repo)
                if about is None or about.name != repo:
                    raise InternalError("a repository that is not what it was asked for")
                held = registry.files_of(repo)
                registry.facts(held)
                registry.builds(repo)
                registry.starts(repo)
                registry.files_asked_for(repo)
            registry.clusters(())


def _registry_seeds() -> Iterator[bytes]:
    from tests.registry.kit import published

    with tempfile.TemporaryDirectory() as folder:
        yield published(ROOT / "fixtures" / "orgs" / "shop", Path(folder, "registry.db")).read_bytes()


def _lock(content: bytes) -> None:
    rows = lock.parse(content, "f")
    if lock.parse(lock.render(rows).encode(), "f") != rows:
        raise InternalError("a lock file changes when it is written")
    for _ in lock.changes(rows, rows[::2]):
        pass


def running(language: str) -> Callable[[bytes], object]:
    """Read a file of a language, run it and make its consumers."""

    def take(content: bytes) -> None:
        from tests.fuzz import programs

        programs.ran(language)(content)

    return take


def _wire(content: bytes) -> None:
    loads(FileFacts, content.decode("utf-8", "replace"))


def _ignore(content: bytes) -> None:
    rules = parse_rules(content.decode("utf-8", "replace"), "")
    for path in ("a", "a/b.java", "src/main/java/" + "a" * 200 + ".java", "a/" * 60 + "b"):
        is_ignored(path, False, rules)


def _cache(content: bytes) -> None:
    """A database of these bytes answers nothing, or what was put in; and takes new entries again."""
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "v")
        os.mkdir(home)
        Path(home, "facts.db").write_bytes(content)
        key = b"k" * 32
        for _ in range(2):
            with contextlib.closing(Cache(folder, "v")) as cache:
                for facts in cache.get([key]).values():
                    if facts not in (None, FileFacts("java")):
                        raise InternalError("an entry nobody put in")
                cache.put({key: FileFacts("java")})


def _cache_seeds() -> Iterator[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.closing(Cache(folder, "v")) as cache:
            cache.put({b"k" * 32: FileFacts("java"), b"l" * 32: None})
        yield Path(folder, "v", "facts.db").read_bytes()


_SCENARIO = (
    '{"topics": {"T": 4}, "members": [{"name": "a", "subscriptions": [{"topic": "T", "expression": "x"}]},'
    ' {"name": "b", "subscriptions": [{"topic": "T", "type": "SQL92", "expression": "a > 1"}]}]}'
)

_JAVA = (
    b"@RocketMQMessageListener(",
    b"subscribe(",
    b"new DefaultMQPushConsumer(",
    b"class A {",
    b"->",
    b"\\u0041",
    b'"""',
)
_PYTHON = (
    b"PushConsumer(",
    b".subscribe(",
    b"lambda: ",
    b"def f():\n ",
    b"f'{x}'",
    b"class A:\n ",
    b"\\N{DASH}",
)
_KOTLIN = (
    b"DefaultMQPushConsumer(",
    b".apply {",
    b"fun f() {",
    b"when (x) {",
    b'"${x}"',
    b"object : A {",
    b"?: ",
    b"!!",
)
_BASELINE = (
    '{\n  "schema_version": 1,\n  "findings": [\n    {"rule": "divergent-tags", "group": "g", "topic": "T", "scope": "group",'
    ' "level": "error", "identity": "1", "state": "2"}\n  ]\n}\n'
)
_REPORT = (
    '{"schema_version": 1, "tool": {}, "findings": [{"rule": "divergent-tags", "level": "error", "scope": "group",'
    ' "namespace": "", "group": "g", "topic": null, "identity": "1", "state": "2", "suppressed": null,'
    ' "places": [{"repo": "a", "path": "b"}]}]}\n'
)
_LOCK = "# c\ng\tT\tTAG a || b\tCLUSTERING\t.\tdefault\ng\\u{41}\t-\t?dynamic x\\\\\tBROADCASTING\tb\tp,q\n"
_YAML = (b"&a ", b"*a", b"<<: ", b"? ", b"- ", b"${a:b}", b"!!x ", b"\t", b"---\n", b"|\n", b"rocketmq:")

RUN_SECONDS = 9.0
"""What a run may take in any case: one that uses up its steps, twice, took some 4 on the machine the limits were set on,
and the pace of a machine that others use changes while it runs."""

SURFACES: tuple[Surface, ...] = (
    Surface("java", reading("A.java"), blocks("java"), words=_JAVA, microseconds_per_byte=150),
    Surface("python", reading("a.py"), blocks("python"), words=_PYTHON, microseconds_per_byte=400),
    Surface(
        "java-run",
        running("java"),
        blocks("java"),
        words=_JAVA,
        microseconds_per_byte=2_000,
        seconds_min=RUN_SECONDS,
    ),
    Surface(
        "python-run",
        running("python"),
        blocks("python"),
        words=_PYTHON,
        microseconds_per_byte=2_000,
        seconds_min=RUN_SECONDS,
    ),
    # its grammar holds every way to read what nobody closed, until the parse is ended
    Surface(
        "kotlin",
        reading("A.kt"),
        blocks("kotlin"),
        words=_KOTLIN,
        microseconds_per_byte=400,
        bytes_per_byte=24_000,
    ),
    Surface(
        "kotlin-run",
        running("kotlin"),
        blocks("kotlin"),
        words=_KOTLIN,
        microseconds_per_byte=2_000,
        seconds_min=RUN_SECONDS,
    ),
    Surface("yaml", reading("application.yml"), blocks("yaml"), words=_YAML, microseconds_per_byte=150),
    Surface(
        "compose",
        reading("docker-compose.yml"),
        files("*compose*.y*ml"),
        words=_YAML,
        microseconds_per_byte=150,
    ),
    Surface(
        "values",
        reading("values-prod.yaml"),
        texts("env:\n- name: A\n  value: b\n", "image: {tag: 1}\nextraEnv:\n  A: '{{ .Values.x }}'\n"),
        words=(*_YAML, b"{{ .Values.a }}", b"env:\n- name: A\n  value: b\n", b"valueFrom:"),
        microseconds_per_byte=150,
    ),
    Surface(
        "deployment",
        reading("deployment.yaml"),
        texts(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers:\n"
            "      - name: a\n        image: x\n        env:\n        - name: A\n          value: b\n",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  application.yml: |\n    a: b\n  A: c\n",
            "{{- if .Values.x }}\nkind: Deployment\n{{ end }}\n",
        ),
        words=(*_YAML, b"{{ .Values.a }}", b"{{- range", b"kind: ConfigMap", b"envFrom:", b"data:"),
        microseconds_per_byte=150,
    ),
    Surface(
        "properties",
        reading("application.properties"),
        blocks("properties"),
        words=(b"\\u", b"\\\n", b"#---\n", b"${a}"),
    ),
    Surface(
        "xml",
        reading("spring.xml"),
        blocks("xml"),
        words=(b"<beans>", b"<!DOCTYPE a [", b"&a;", b"<![CDATA[", b"<bean id="),
    ),
    Surface("pom", reading("pom.xml"), files("pom.xml"), words=(b"<dependency>", b"<parent>", b"${a}")),
    Surface(
        "gradle",
        reading("build.gradle"),
        files("*.gradle", "*.gradle.kts"),
        words=(b"dependencies {", b"'''", b"$a", b"/*"),
    ),
    Surface(
        "pyproject",
        reading("pyproject.toml"),
        files("pyproject.toml"),
        words=(b"[a.b]", b"= '''", b"{a=", b"1979-05-27"),
    ),
    Surface("toml", reading("config.toml"), blocks("toml"), words=(b"[[a]]", b'"""', b"a.b.c = ", b"nan")),
    Surface(
        "ini",
        reading("a.ini"),
        texts("[a]\nb = c\n d\n[DEFAULT]\nx: y\n"),
        words=(b"[DEFAULT]", b"= ", b"\n "),
    ),
    Surface(
        "json",
        reading("a.json"),
        texts('{"a": [1, {"b": "\\u0041"}], "c": null}'),
        words=(b"\\ud800", b"1e999", b"[["),
    ),
    Surface(
        "dockerfile",
        reading("Dockerfile"),
        files("Dockerfile*"),
        words=(b"ENV A=", b"ARG ", b"\\\n", b"ENTRYPOINT ["),
    ),
    Surface(
        "owners",
        owned,
        texts("* @a\n/src/**/x*.java @b/c d@e.f # no\n[Section][2] @g\n\\ h\n"),
        words=(b"**/", b"*", b"[", b"]", b"\\", b" @a"),
    ),
    Surface(
        "requirements",
        reading("requirements.txt"),
        files("requirements*.txt"),
        words=(b"==", b"-r ", b"; ", b"[x]"),
    ),
    Surface(
        "settings",
        _settings,
        texts(
            (ROOT / "docs" / "configuration.md")
            .read_text(encoding="utf-8")
            .split("```")[1]
            .partition("\n")[2]
        ),
        (SettingsError,),
        (b"[values]", b"[assume.groups.g]", b"[[", b"'''", b"= {"),
    ),
    Surface(
        "scenario",
        _scenario,
        files("*.toml", under="linter/broker/examples"),
        (ScenarioError,),
        (b"[[members]]", b"topics", b"= {", b"["),
    ),
    Surface(
        "given",
        _given,
        texts(
            '{"clientIds": ["a", "b"], "phases": [{"phase": 1, "winner": {"T": {"expression": "x"}}, '
            '"allocation": {"a": {"T": [0]}}}]}'
        ),
        (ScenarioError,),
        (b'"winner":', b"{", b"null"),
    ),
    Surface(
        "baseline",
        _baseline,
        texts(_BASELINE),
        (BaselineError,),
        (b'"path": "a",', b"[", b"null", b"\\ud800"),
    ),
    Surface(
        "report",
        _report,
        texts(_BASELINE, _REPORT),
        (BaselineError,),
        (b'"path": "a",', b"[", b"null", b"\\ud800", b"9" * 5_000, b'"tool": {},'),
    ),
    Surface(
        "registry",
        _registry,
        _registry_seeds,
        (RegistryError,),
        (b"SQLite format 3\0", b"\0\0\0", b'{"', b"x\x9c"),
        microseconds_per_byte=300,
    ),
    Surface("lock", _lock, texts(_LOCK), (LockError,), (b"\t", b"\\u{", b"}", b"\\", b"?", b"TAG ", b"\n")),
    Surface(
        "selector",
        _selector,
        texts(
            "a > 1 AND b IN ('x', 'y') OR NOT c IS NULL",
            "a BETWEEN 1 AND 2",
            "TAGS = 'a' AND (b <> 1.5E3)",
            "a CONTAINS 'x'",
        ),
        (SelectorRejected, SelectorTooDeep),
        (b"(", b" AND ", b" NOT ", b"''", b" IN (", b"1e9", b"BETWEEN "),
    ),
    Surface("tags", _tags, texts("a || b", "*", "a||b|| c"), (TagSyntaxError,), (b"||", b"|", b"*")),
    Surface("wire", _wire, texts(dumps(FileFacts("java"))), (WireError,), (b"[", b"{", b"null", b"1")),
    Surface(
        "ignore", _ignore, texts("*.log\n!/a\n**/b\n[a-z]?\\*\n"), (), (b"**/", b"*a*", b"[!", b"\\", b"!")
    ),
    Surface("cache", _cache, _cache_seeds, (), (b"SQLite format 3\0", b"\0\0\0"), microseconds_per_byte=300),
)
