"""Rows of an analyzer against what runs did: what is right, unknown, missing, and what no run ever did.

Counted over *expectations* (one subscription of one started consumer): exact, unknown (contradicts nothing, but leaves
null what could be known), missing. Over rows: false values by kind, phantoms (nobody has that group, or nobody starts
it), infeasible alternatives of a choice, duplicates, noise. README.md has the rules.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from subdrift.linter.broker.names import NameVerdict, check_group
from tests.oracle.analyzer import Row
from tests.oracle.program import INPUT_MARK, Files, Made, Program, Subscribed

FIELDS: Final = ("group", "topic", "expression", "filter_type", "message_model")
OF_SUBSCRIPTION: Final = ("topic", "expression", "filter_type")
NEVER_SUBSCRIBED: Final = "never-subscribed"
NOT_APPLICABLE: Final = "not-applicable"
_RANDOM = re.compile(r"[0-9a-f]{8}[-_]?[0-9a-f]{4}[-_]?[0-9a-f]{4}|\d{13}", re.IGNORECASE)

Values = Mapping[str, str | None]
"""One expectation: the FIELDS."""

Span = tuple[str, int, int]
"""Path, first and last line."""


@dataclass(frozen=True, slots=True)
class Note:
    """One deviation: `unknown`, `missing`, `wrong`, `wrong-low`, `infeasible` or `duplicate`, for reading."""

    what: str
    kind: str
    said: str
    is_possible: bool = False
    """Of a row: it says only that this may be, under a condition that a run decides or as one of several choices; or that
    a consumer of unknown group does what one of them does, or would do if clients took the name of its group."""
    is_anyones: bool = False
    """Of a row: all it says is true of some consumer, though not of the one it stands beside."""


@dataclass(slots=True)
class Judged:
    """What came of one program."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Every consumer whole, no wrong row, no infeasible alternative."""
        c = self.counts
        return c["whole"] == c["consumers"] and not c["wrong"] and not c["infeasible"]


def normal(expression: str | None) -> str | None:
    """A tag expression as the set it is."""
    if expression is None:
        return None
    return " || ".join(sorted({part.strip() for part in expression.split("||")} - {""})) or "*"


def knowable(text: str | None) -> bool:
    """Whether a text is the same in every run, whatever comes from outside, and one the clients take: not blank."""
    return text is None or not (not text.strip() or INPUT_MARK in text.lower() or _RANDOM.search(text))


class Consumer:
    """A consumer of the truth, ready for comparison."""

    def __init__(self, made: Made, spans: Spans) -> None:
        self.made = made
        stacks = [made.created, *(s.places for v in made.variants for s in v.subscriptions)]
        self.places = {spans.of(place) for stack in stacks for place in stack}
        self.paths = {path for path, _, _ in self.places}
        self.in_thread = spans.in_function(made.created[-1])
        self.expected: list[Values] = []
        self.allowed: list[Values] = []
        for variant in made.variants:
            if made.started and not variant.started:
                continue
            common = {"group": variant.group, "message_model": variant.model}
            if not variant.subscriptions:
                self._allow({**common, **dict.fromkeys(OF_SUBSCRIPTION)}, True)
            for each in variant.subscriptions:
                values = {"topic": each.topic, "expression": normal(each.expression)}
                self._allow({**common, **values, "filter_type": each.filter_type}, each.required)

    def _allow(self, values: Values, required: bool) -> None:
        if values not in self.allowed:
            self.allowed.append(values)
            if required:
                self.expected.append(values)

    @property
    def is_refused(self) -> bool:
        """Whether clients refuse the name of its group: it does not start."""
        return all(check_group(each.group or "") is not NameVerdict.OK for each in self.made.variants)

    def agrees(self, row: Row) -> bool:
        return any(not compare(row, values)[0] for values in self.allowed)

    def has_group(self, row: Row) -> bool:
        return row["group"] is not None and any(v["group"] == row["group"] for v in self.allowed)

    def has_topic(self, row: Row) -> bool:
        return row["topic"] is not None and any(v["topic"] == row["topic"] for v in self.allowed)


class Tool:
    """The rows of one consumer of the analyzer."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.is_choice = any(row.get("choice") for row in rows)
        self.places = {(row["path"], row["line"], row.get("end_line") or row["line"]) for row in rows}
        self.is_off = all(
            row.get("disabled") or "never-started" in json.dumps(row.get("conditions") or []) for row in rows
        )

    def near(self, consumer: Consumer) -> int:
        """2: at a statement of the consumer's stacks; 1: in a file of them; 0: elsewhere."""
        for path, first, last in self.places:
            if any(path == p and a <= last and first <= b for p, a, b in consumer.places):
                return 2
        return int(any(path in consumer.paths for path, _, _ in self.places))

    def says_all_of(self, consumer: Consumer) -> bool:
        """Whether a row says everything of one subscription: then its place does not matter."""
        return any(
            row["group"] and row["topic"] and compare(row, values) == ((), ())
            for row in self.rows
            for values in consumer.allowed
        )

    def fit(self, consumer: Consumer) -> float:
        """How well the values of the two agree."""
        total = 0.0
        for values in consumer.expected:
            different, open_ = min(
                (compare(row, values) for row in self.rows), key=lambda found: (len(found[0]), len(found[1]))
            )
            agrees = 0.6 - 0.02 * len(open_) - 0.005 * ("group" in open_) if open_ else 1.0
            total += 0.25 / (1 + len(different)) if different else agrees
        right = [consumer.agrees(row) for row in self.rows]
        missed = (
            0.05 if self.is_choice and any(right) else 0.3
        )  # of one of several the others are right elsewhere
        return total - missed * right.count(False)


def compare(row: Row, values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields that contradict, and those that could be known and are null."""
    different: list[str] = []
    open_: list[str] = []
    reasons = row.get("unresolved") or {}
    nothing = values["topic"] is None and values["filter_type"] is None
    for name in FIELDS:
        have, want = row[name], values[name]
        if name == "expression":
            have = normal(have)
        if nothing and name in OF_SUBSCRIPTION:
            if have is not None:
                different.append(name)
            elif name == "topic" and reasons.get(name) not in (NEVER_SUBSCRIBED, NOT_APPLICABLE):
                open_.append(name)
        elif have is None:
            if name == "topic" and reasons.get(name) == NEVER_SUBSCRIBED:
                different.append(NEVER_SUBSCRIBED)
            elif reasons.get(name) != NOT_APPLICABLE and want is not None and knowable(want):
                open_.append(name)
        elif have != want:  # a text from outside never stands in the sources, so any guess differs
            different.append(name)
    return tuple(different), tuple(open_)


def judge(program: Program, rows: Iterable[Row]) -> Judged:
    """Rows of an analyzer -> counts and deviations."""
    spans = Spans(program.files)
    consumers = [Consumer(made, spans) for made in program.truth]
    by_consumer: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_consumer[row["consumer"]].append(row)
    tools = [Tool(found) for found in by_consumer.values()]
    return _Judge(
        [c for c in consumers if c.made.started], [c for c in consumers if not c.made.started], tools
    ).judged()


class _Judge:
    def __init__(self, live: list[Consumer], idle: list[Consumer], tools: list[Tool]) -> None:
        self.live, self.idle, self.tools = live, idle, tools
        self.found = Judged()
        self.tool_of: dict[int, int] = {}
        self.consumer_of: dict[int, int] = {}

    def judged(self) -> Judged:
        self._pair()
        for index, consumer in enumerate(self.live):
            tool = self.tools[self.tool_of[index]] if index in self.tool_of else None
            self._expectations(consumer, tool)
        for index, tool in enumerate(self.tools):
            if not tool.is_off:
                self.found.counts["rows"] += len(tool.rows)
                if index in self.consumer_of:
                    self._matched(tool, self.live[self.consumer_of[index]])
                else:
                    self._unmatched(tool)
        return self.found

    def _pair(self) -> None:
        """Pair consumers by how well their values fit, then by place; what is certain before what only may be."""
        pairs = []
        for i, consumer in enumerate(self.live):
            for j, tool in enumerate(self.tools):
                near = tool.near(consumer)
                if not tool.is_off and (near or tool.says_all_of(consumer)):
                    certain = not all(map(is_possible, tool.rows))
                    pairs.append((tool.fit(consumer) + 0.1 * near, certain, -i, -j))
        for *_, i, j in sorted(pairs, reverse=True):
            if -i not in self.tool_of and -j not in self.consumer_of:
                self.tool_of[-i], self.consumer_of[-j] = -j, -i

    def _expectations(self, consumer: Consumer, tool: Tool | None) -> None:
        counts = self.found.counts
        counts["consumers"] += 1
        whole = True
        for values in consumer.expected:
            counts["expected"] += 1
            verdicts = [compare(row, values) for row in tool.rows] if tool else []
            if ((), ()) in verdicts:
                counts["exact"] += 1
                continue
            whole = False
            fine = [open_ for different, open_ in verdicts if not different]
            said = f"{_shown(values)}, made at {', '.join(consumer.made.created[:3])}"
            if fine:
                counts["unknown"] += 1
                names = min(fine, key=len)
                counts.update("unknown:" + name for name in names)
                self.found.notes.append(Note("unknown", ",".join(names), said))
            else:
                counts["missing"] += 1
                self.found.notes.append(Note("missing", "row differs" if tool else "no row", said))
        if whole and tool and all(consumer.agrees(row) for row in tool.rows):
            counts["whole"] += 1

    def _matched(self, tool: Tool, consumer: Consumer) -> None:
        right = [consumer.agrees(row) for row in tool.rows]
        for row, is_right in zip(tool.rows, right, strict=True):
            if is_right:
                continue
            if tool.is_choice and any(right):
                self.found.counts["infeasible"] += 1
                self.found.notes.append(Note("infeasible", "", shown(row)))
            else:
                self._wrong(row, self._kind(row, consumer))

    def _unmatched(self, tool: Tool) -> None:
        if all(row["group"] is None and row["topic"] is None for row in tool.rows):
            self.found.counts["noise"] += 1
        elif any(all(consumer.agrees(row) for row in tool.rows) for consumer in self.live):
            self.found.counts["duplicate"] += 1
            self.found.notes.append(Note("duplicate", "", shown(tool.rows[0])))
        else:
            for row in tool.rows:
                self._wrong(row, self._kind(row, None))

    def _kind(self, row: Row, consumer: Consumer | None) -> str:
        """Why a row is there that no run explains, as far as values tell."""
        if consumer is not None:
            differing = [compare(row, values)[0] for values in consumer.allowed]
            closest = min(differing, key=lambda names: len(names))
            if closest == (NEVER_SUBSCRIBED,):
                return NEVER_SUBSCRIBED
        if any(each.agrees(row) for each in self.idle):
            return "never-started"
        if any(each.agrees(row) for each in self.live):
            return "mixed-instances"
        same = [
            compare(row, values)[0]
            for each in self.live
            for values in each.allowed
            if (values["group"], values["topic"]) == (row["group"], row["topic"])
        ]
        if same and row["topic"] is not None:
            fewest = min(same, key=lambda names: len(names))
            return "value:" + ",".join(fewest)
        group = any(each.has_group(row) for each in self.live)
        topic = any(each.has_topic(row) for each in self.live)
        if group:
            return "mixed-instances" if topic else "extra-subscription"
        return "value:group" if topic and consumer is not None else "never-run"

    def _wrong(self, row: Row, kind: str) -> None:
        low = "-low" if row.get("confidence") == "low" else ""
        counts = self.found.counts
        counts["wrong" + low] += 1
        counts[f"wrong{low}:{kind}"] += 1
        if not low:
            counts["phantom" if kind in ("never-run", "never-started") else "false"] += 1
        anyones = any(each.agrees(row) for each in self.live)
        taken = anyones or any(each.is_refused and each.agrees(row) for each in self.idle)
        possible = is_possible(row) or (taken and row["group"] is None)
        self.found.notes.append(Note("wrong" + low, kind, shown(row), possible, anyones))


def _shown(values: Mapping[str, Any]) -> str:
    return " ".join("null" if values[name] is None else repr(values[name]) for name in FIELDS)


def is_possible(row: Row) -> bool:
    """Whether a row says only that this may be: under a condition, as one of several, or if what no run came to is come to."""
    kinds = {one["kind"] for one in row.get("conditions") or ()}
    return bool(row.get("choice")) or not kinds.isdisjoint(("condition", "not-reached"))


def shown(row: Row) -> str:
    """A row on one line."""
    reasons = ", ".join(
        f"{name}: {why}" for name, why in (row.get("unresolved") or {}).items() if name in FIELDS
    )
    conditions = ", ".join(f"{one['kind']} {one['text']}" for one in row.get("conditions") or ())
    extra = [f"({reasons})"] if reasons else []
    extra += [f"choice {row['choice']}"] if row.get("choice") else []
    extra += [f"if {conditions}"] if conditions else []
    return " ".join([f"{row['path']}:{row['line']}", _shown(row), row.get("confidence") or "", *extra])


class Spans:
    """The lines of the statement at a place, by the program's texts."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._lines: dict[str, list[str]] = {}
        self._python: dict[str, list[tuple[int, int]]] = {}
        self._functions: dict[str, list[tuple[int, int]]] = {}

    def of(self, place: str) -> Span:
        path, number = place.rsplit(":", 1)
        line = int(number)
        if path.endswith(".py"):
            around = [span for span in self._statements(path) if span[0] <= line <= span[1]]
            first, last = min(around, key=lambda span: span[1] - span[0], default=(line, line))
            return path, first, last
        lines = self._of_file(path)
        first = last = line
        if not 0 < line <= len(lines):  # of code that no file holds, as a proxy's
            return path, line, line
        while 1 < first <= len(lines) + 1 and not _ends(lines[first - 2], (";", "{", "}", ":")):
            first -= 1
        while last <= len(lines) and not _ends(lines[last - 1], (";", "{", "}")):
            last += 1
        return path, first, last

    def in_function(self, place: str) -> bool:
        """Whether the outermost line of a stack stands in a function that is not a `main`: what begins there runs in a
        thread."""
        path, number = place.rsplit(":", 1)
        if path.endswith(".kt"):
            return int(number) > 0  # a `main` is called by code that no file holds
        if path.endswith(".java"):
            return not any("void main(" in line for line in self._of_file(path))
        if path not in self._functions:
            tree = ast.parse(self._files.get(path, ""))
            found = (
                node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            )
            self._functions[path] = [(node.lineno, node.end_lineno or 0) for node in found]
        return any(first < int(number) <= last for first, last in self._functions[path])

    def _of_file(self, path: str) -> list[str]:
        if path not in self._lines:
            self._lines[path] = self._files.get(path, "").split("\n")
        return self._lines[path]

    def _statements(self, path: str) -> list[tuple[int, int]]:
        if path not in self._python:
            nodes = ast.walk(ast.parse(self._files.get(path, "")))
            self._python[path] = [_head(node) for node in nodes if isinstance(node, ast.stmt)]
        return self._python[path]


def _ends(line: str, ends: tuple[str, ...]) -> bool:
    return line.strip().endswith(ends)


def _head(node: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, of a compound one those of its head."""
    body = getattr(node, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
    return node.lineno, max(last, node.lineno)


def perfect(program: Program) -> list[Row]:
    """The rows of an analyzer that knows everything that can be known."""
    rows: list[Row] = []
    for index, made in enumerate(program.truth):
        variants = [variant for variant in made.variants if variant.started]
        for variant in variants:
            required: list[Subscribed | None] = [s for s in variant.subscriptions if s.required]
            for each in required or [None]:
                path, line = (each.places if each else made.created)[0].rsplit(":", 1)
                values = {
                    "group": variant.group,
                    "topic": each.topic if each else None,
                    "expression": each.expression if each else None,
                    "filter_type": each.filter_type if each else None,
                    "message_model": variant.model,
                }
                reasons = {name: "dynamic" for name, text in values.items() if not knowable(text)}
                if each is None:
                    reasons["topic"] = NEVER_SUBSCRIBED
                rows.append(
                    {
                        **values,
                        **dict.fromkeys(reasons),
                        "path": path,
                        "line": int(line),
                        "consumer": f"c{index}",
                        "choice": f"c{index}" if len(variants) > 1 else "",
                        "unresolved": reasons,
                        "confidence": "high",
                    }
                )
    return rows
