"""Runs the cases of `fixtures/cases` and the examples of the rules' texts through the real pipeline, in process.

A case is a `##` section with code blocks; a line with a path in backticks names the file of the block below it. Comments
at the end of a line (or alone on the line above) say what must be there, parted by `;`:

    subscribes: GROUP TOPIC EXPRESSION [namespace=N] [model=M] [mode=M] [type=T] [profile=P] [api=A]
                [scope=S] [client=VERSION] [deployable=FOLDER] [confidence=C]
    sends: TOPIC TAG [namespace=N] [profile=P] [carries=A,B?] ["delay=level 3"] ...
           (in cases/sends alone, whose cases are about nothing else; - is no tag)
    finds: rule-name=level[, rule-name=level]
    problem: diagnostic-name[, diagnostic-name]

A value with blanks stands in double quotes, `?reason` is a value that is not known. The word `organisation` on a line of
its own makes each top folder a repository. Files below `before/` are what the repositories of those names were when their
registry was published, and announce nothing. Everything is compared both ways: what is not announced fails, and what is
announced and missing fails. The one exception is `unresolved-value`: it follows from the `?`, so it may be left out.
A line `known gap: reason` turns a case round: it must fail, until the gap is closed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter import pipeline, settings
from subdrift.linter.model.consumer import Consumer, Subscription, Value
from subdrift.linter.model.finding import Diagnostic, Finding
from subdrift.linter.model.topics import joined
from subdrift.linter.sources.checkout import Repository
from subdrift.linter.stages.senders import judge_topics
from subdrift.linter.triage import triage
from tests.words import en

ROOT = Path(__file__).parent.parent
CASES = ROOT / "fixtures" / "cases"
TEXTS = ROOT / "rules" / "docs"

OF_TOPICS = {rule.name for rule in rules.ALL if rule.check_topics is not None}
"""Rules for which sends are looked for, too."""

BEFORE = "before"
"""The folder of what repositories were."""

_PATH = re.compile(r"^\W*(?:\w+\W+)?`(?P<path>[^`\n]*[^`\s/])`\s*[:：]?\W*$")
_FENCE = re.compile(r"^(?P<ticks>```+|~~~+)\s*(?P<language>[\w.+-]*)")
_NOTE = re.compile(
    r"(?P<before>^|.*?\s)(?P<open>//|\#|<!--|/\*|--)\s*(?P<text>(?:subscribes|sends|finds|problem):.*?)\s*(?:-->|\*/)?\s*$"
)
_PART = re.compile(r"\s*(?P<kind>subscribes|sends|finds|problem):(?P<rest>(?:\"[^\"]*\"|[^;])*)(?:;|$)")
_DETAILS = (
    "namespace", "model", "mode", "type", "profile", "api", "scope", "client", "deployable", "confidence", "live",
    "carries", "delay",
)  # fmt: skip
_SUFFIXES = {
    "java": "java",
    "python": "py",
    "py": "py",
    "yaml": "yml",
    "yml": "yml",
    "properties": "properties",
    "xml": "xml",
    "toml": "toml",
    "gradle": "gradle",
    "groovy": "gradle",
    "kotlin": "kt",
}


class CaseError(ValueError):
    """A case that cannot be read; names the file and line."""


@dataclass(frozen=True)
class Expected:
    """One announced subscription; `details` are compared where they are given."""

    path: str
    line: int
    group: str
    topic: str
    expression: str
    details: tuple[tuple[str, str], ...] = ()


@dataclass
class Case:
    """A section of a Markdown file: its files, and what its comments announce, by (path, line)."""

    name: str
    organisation: bool = False
    known_gap: str = ""
    sends: bool = False
    topics: bool = False
    files: dict[str, str] = field(default_factory=dict)
    subscribes: list[Expected] = field(default_factory=list)
    finds: set[tuple[str, int, str]] = field(default_factory=set)
    levels: dict[tuple[str, int, str], str] = field(default_factory=dict)
    problems: set[tuple[str, int, str]] = field(default_factory=set)


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of one Markdown file; sections without a code block of a known language are prose."""
    case = Case("")
    announced = ""
    lines = path.read_text(encoding="utf-8").split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        fence = _FENCE.match(line)
        if line.startswith("## "):
            if case.files:
                yield case
            case, announced = Case(line[3:].strip()), ""
        elif line.strip().strip("`*_().").lower() == "organisation":
            case.organisation = True
        elif line.lower().startswith("known gap:"):
            case.known_gap = line[len("known gap:") :].strip()
        elif named := _PATH.match(line):
            announced = named["path"]
        elif fence:
            end = index
            while end < len(lines) and lines[end].strip() != fence["ticks"]:
                end += 1
            if end == len(lines):
                raise CaseError(f"{path}:{index}: this code block does not end")
            block, index = lines[index:end], end + 1
            suffix = _SUFFIXES.get(fence["language"].lower())
            if announced or suffix:
                _add(case, announced or _default_path(case, suffix or "", block), block, path)
            announced = ""
        elif line.strip():
            announced = ""
    if case.files:
        yield case


def _default_path(case: Case, suffix: str, block: list[str]) -> str:
    text = "\n".join(block)
    if suffix == "java":
        package = re.search(r"^\s*package\s+([\w.]+)\s*;", text, re.MULTILINE)
        types = re.search(
            r"^[\w\s@()\",.=*|&-]*?\b(?:class|interface|enum|record|@interface)\s+(\w+)", text, re.M
        )
        folder = f"{package[1].replace('.', '/')}/" if package else ""
        stem, last = f"src/main/java/{folder}{types[1] if types else 'Main'}", "java"
    elif suffix == "xml":
        stem, last = ("pom" if "<project" in text else "src/main/resources/beans"), "xml"
    elif suffix in ("yml", "properties"):
        stem, last = "src/main/resources/application", suffix
    else:
        stem, last = {"toml": "pyproject", "gradle": "build"}.get(suffix, "main"), suffix
    found, count = f"{stem}.{last}", 1
    while found in case.files:
        count += 1
        found = f"{stem}{count}.{last}"
    return found


def _add(case: Case, path: str, block: list[str], source: Path) -> None:
    if path in case.files:
        raise CaseError(f"{source}: the case {case.name!r} has {path} twice")
    text: list[str] = []
    for number, line in enumerate(block, 1):
        note = _NOTE.match(line)
        if note is None:
            text.append(line)
            continue
        alone = not note["before"].strip()
        _announce(case, path, _next(block, number) if alone else number, note["text"], source)
        text.append(note["before"].rstrip())
    case.files[path] = "\n".join(text) + "\n"


def _next(block: list[str], number: int) -> int:
    """The line a comment on a line of its own speaks for: the next one that is no such comment."""
    while number < len(block) and (note := _NOTE.match(block[number])) and not note["before"].strip():
        number += 1
    return number + 1


def _announce(case: Case, path: str, line: int, text: str, source: Path) -> None:
    at = 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None:
            raise CaseError(f"{source}: {case.name!r}: cannot read {text[at:]!r}")
        at = part.end()
        if part["kind"] in ("subscribes", "sends"):
            words = shlex.split(part["rest"], posix=True) if '"' in part["rest"] else part["rest"].split()
            values = [word for word in words if not re.match(rf"(?:{'|'.join(_DETAILS)})=", word)]
            details = tuple(
                (name, value)
                for word in words
                if word not in values
                for name, _, value in [word.partition("=")]
            )
            if part["kind"] == "sends":
                values.insert(0, "")
            if len(values) == 2 and values[1].startswith("?"):
                values.append(values[1])
            if len(values) != 3:
                raise CaseError(f"{source}: {case.name!r}: not GROUP TOPIC EXPRESSION: {part['rest']!r}")
            group, topic, expression = values
            case.subscribes.append(Expected(path, line, group, topic, expression, details))
        else:
            names = [name.strip().partition("=") for name in part["rest"].split(",") if name.strip()]
            target = case.finds if part["kind"] == "finds" else case.problems
            target |= {(path, line, name) for name, _, _ in names}
            case.levels |= {(path, line, name): level for name, _, level in names if level}


def _all_cases() -> Iterator[tuple[str, Case]]:
    for path in sorted(CASES.glob("**/*.md")) + sorted(TEXTS.glob("*.md")):
        base = path.relative_to(CASES if path.is_relative_to(CASES) else TEXTS.parent)
        if path.name != "README.md":
            for case in read_cases(path):
                case.sends = path.parent == CASES / "sends"
                case.topics = path.name.partition(".")[0] in OF_TOPICS
                yield f"{base.with_suffix('')}: {case.name}", case


# -- running ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    consumers: tuple[Consumer, ...]
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]


def run(case: Case, folder: Path) -> Outcome:
    """Writes the files of a case and analyses them; suppressed findings are left out."""
    for path, text in case.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    names = (
        sorted({PurePosixPath(path).parts[0] for path in case.files} - {BEFORE})
        if case.organisation
        else ["case"]
    )
    roots = {name: folder / name if case.organisation else folder for name in names}
    own = {name: settings.load(str(root)) for name, root in roots.items()}
    repositories = [
        Repository(name, str(root), exclude=settings.excluded(own[name], own[name]))
        for name, root in roots.items()
    ]
    result = pipeline.analyse(
        repositories, rules.ALL, _policy(roots), pipeline.Options(workers=1, sends=case.sends), cache=None
    )
    if case.topics:
        options = pipeline.Options(workers=1, sends=True)
        sent = pipeline.analyse(repositories, (), _policy(roots), options, seen=result.seen).consumers
        found = joined(result.consumers, sent, organisation=case.organisation)
        earlier = [
            Repository(name, str(folder / BEFORE / name))
            for name in names
            if (folder / BEFORE / name).exists()
        ]
        if earlier:
            read = pipeline.analyse(earlier, (), None, pipeline.Options(workers=1)).consumers
            sent = pipeline.analyse(earlier, (), None, options).consumers
            found = replace(found, before=joined(read, sent).topics)
        result = replace(result, findings=(*result.findings, *judge_topics(found, rules.ALL)))
    suppressions = [(p.origin, s) for p in result.suppressions for s in p.facts.suppressions]
    judged = triage(result.findings, result.diagnostics, suppressions, result.consumers, rules.ALL)
    return Outcome(result.consumers, judged.active, judged.active_diagnostics)


def _policy(roots: dict[str, Path]) -> pipeline.Policy:
    found = {name: settings.load(str(root)) for name, root in roots.items()}
    answers = {name: settings.answers_of(name, each, settings.Settings()) for name, each in found.items()}
    clusters = next((each for each in found.values() if each.clusters), settings.Settings())
    return pipeline.Policy(answers=answers, cluster_of=clusters.cluster_of)


def _path(case: Case, repo: str, path: str) -> str:
    return f"{repo}/{path}" if case.organisation else path


def _spell(value: Value) -> str:
    if value.text is not None:
        return value.text
    return f"?{value.why.value if value.why else ''}"


def _rows(case: Case, outcome: Outcome) -> Iterator[tuple[Expected, Consumer, Subscription | None]]:
    """What was extracted, spelled as a case would announce it; a consumer without subscriptions is a row too."""
    for consumer in outcome.consumers:
        for subscription in consumer.subscriptions or (None,):
            at = subscription.at if subscription else consumer.at
            topic = _spell(subscription.topic) if subscription else "?never-subscribed"
            expression = _spell(subscription.expression) if subscription else topic
            if topic == "?never-subscribed":
                expression = topic
            path = _path(case, at.origin.repo, at.origin.path)
            group = "" if case.sends else _spell(consumer.group)
            yield (
                Expected(path, at.span.line, group, topic, expression or "-"),
                consumer,
                subscription,
            )


def _carried(subscription: Subscription | None) -> str:
    """The properties of what is sent: `a?` perhaps, `...` others; - for none, ? where nothing is known."""
    carried = subscription.carried if subscription is not None else None
    if carried is None:
        return "?"
    names = [one.name + "?" * (not one.sure) for one in carried.properties]
    return ",".join([*names, *["..."] * bool(carried.more)]) or "-"


def _detail(name: str, consumer: Consumer, subscription: Subscription | None) -> tuple[str, ...]:
    match name:
        case "namespace":
            return (_spell(consumer.namespace),)
        case "model":
            return (_spell(consumer.message_model),)
        case "mode":
            return (_spell(consumer.consume_mode),)
        case "api":
            return (consumer.api,)
        case "scope":
            return (consumer.scope,)
        case "client":
            return (consumer.version or "?undefined",)
        case "deployable":
            return (consumer.deployable or "unknown",)
        case "carries":
            return (_carried(subscription),)
        case "delay":
            assert subscription is not None
            assert subscription.carried is not None
            return (_spell(subscription.carried.delay) or "-",)
        case "confidence":
            return (consumer.confidence.text,)
        case "profile":
            return consumer.environments
        case "live":
            return ("yes" if consumer.takes_part else "no",)
        case "type":
            return (_spell(subscription.filter_type) if subscription else "",)
    raise CaseError(f"no such detail: {name}")


def _same(expected: Expected, row: Expected) -> bool:
    """Whether they agree; `?` without a reason stands for every reason."""
    wanted = (expected.group, expected.topic, expected.expression)
    found = (row.group, row.topic, row.expression)
    return (expected.path, expected.line) == (row.path, row.line) and all(
        _agrees(a, b) for a, b in zip(wanted, found, strict=True)
    )


def _agrees(wanted: str, found: str) -> bool:
    return wanted == found or (wanted == "?" and found.startswith("?"))


def complaints(case: Case, outcome: Outcome) -> Iterator[str]:
    """Every difference between what a case announces and what came out."""
    rows = list(_rows(case, outcome))
    for expected in case.subscribes:
        if not any(
            _same(expected, row)
            and all(
                any(_agrees(value, found) for found in _detail(name, consumer, subscription))
                for name, value in expected.details
            )
            for row, consumer, subscription in rows
        ):
            yield f"missing subscription: {expected}"
    for row in dict.fromkeys(row for row, _, _ in rows):
        if not any(_same(expected, row) for expected in case.subscribes):
            yield f"unannounced subscription: {row}"
    places = {
        finding: {
            (_path(case, p.at.origin.repo, p.at.origin.path), p.at.span.line, finding.rule)
            for p in finding.places
        }
        for finding in outcome.findings
    }
    for finding, of in places.items():
        if not of & case.finds:
            yield f"unannounced finding: {finding.rule}: {en(finding.message)} at {sorted(of)}"
    for path, line, name in sorted(case.finds - set[tuple[str, int, str]]().union(*places.values())):
        yield f"missing finding: {name} at {path}:{line}"
    for key, level in sorted(case.levels.items()):
        found = sorted({finding.level.text for finding, of in places.items() if key in of})
        if found and level not in found:
            yield f"another level: {key[2]} at {key[0]}:{key[1]} is {', '.join(found)}, not {level}"
    problems = {
        (_path(case, d.at.origin.repo, d.at.origin.path), d.at.span.line, d.name): d
        for d in outcome.diagnostics
    }
    for key, diagnostic in problems.items():
        if key not in case.problems and diagnostic.name != "unresolved-value":
            yield f"unannounced problem: {diagnostic.name}: {en(diagnostic.message)} at {diagnostic.at}"
    for path, line, name in sorted(case.problems - problems.keys()):
        yield f"missing problem: {name} at {path}:{line}"


FOUND = dict(_all_cases())


@pytest.mark.parametrize("name", FOUND)
def test_a_case_gives_what_its_comments_announce_and_nothing_else(name: str, tmp_path: Path) -> None:
    case = FOUND[name]
    differences = list(complaints(case, run(case, tmp_path)))
    if case.known_gap:
        assert differences, f"the gap is closed, remove the line: {case.known_gap}"
        pytest.xfail(case.known_gap)
    assert not differences, "\n".join(differences)


def test_every_case_announces_the_level_of_what_it_finds() -> None:
    """So that a finding cannot rise or fall unnoticed; the texts of the rules show names alone."""
    for name, case in FOUND.items():
        if not name.startswith("docs/"):
            assert set(case.levels) == case.finds, name


def test_cases_were_found() -> None:
    assert len(FOUND) > 20


SELF = """# not a case

## two listeners disagree
`orders/src/main/java/OrderListener.java`
```java
@RocketMQMessageListener(consumerGroup = "g", topic = "t", selectorExpression = "a")  // subscribes: g t a
class OrderListener {}
```
Prose between.

```python
consumer.subscribe("t", on_message, "b || c")  # subscribes: g t "b || c" model=CLUSTERING; finds: divergent-tags, x
# problem: parse-error
broken(
```

## a second one
organisation

`billing/a.yml`:
```yaml
key: value  # subscribes: ?undefined t "*"
```
```text
no file
```
"""


def test_a_case_is_read_with_its_files_and_announcements(tmp_path: Path) -> None:
    (tmp_path / "self.md").write_text(SELF, encoding="utf-8")
    first, second = read_cases(tmp_path / "self.md")
    java, python = first.files
    assert (java, python) == ("orders/src/main/java/OrderListener.java", "main.py")
    assert first.files[java].startswith("@RocketMQMessageListener(")
    assert "subscribes" not in first.files[java]
    assert first.subscribes == [
        Expected(java, 1, "g", "t", "a"),
        Expected(python, 1, "g", "t", "b || c", (("model", "CLUSTERING"),)),
    ]
    assert first.finds == {(python, 1, "divergent-tags"), (python, 1, "x")}
    assert first.problems == {(python, 3, "parse-error")}
    assert not first.organisation
    assert second.organisation
    assert second.subscribes == [Expected("billing/a.yml", 1, "?undefined", "t", "*")]
    assert second.files == {"billing/a.yml": "key: value\n"}


def test_differences_are_told_in_both_directions(tmp_path: Path) -> None:
    case = Case("c", subscribes=[Expected("a.py", 1, "g", "t", "*")], finds={("a.py", 1, "divergent-tags")})
    told = list(complaints(case, Outcome((), (), ())))
    assert [line.split(":")[0] for line in told] == ["missing subscription", "missing finding"]
