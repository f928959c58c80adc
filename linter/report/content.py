"""What every report is made from: findings, diagnostics, consumers and counts, with the text they point into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from enum import Enum

from msgspec import Struct, field

from subdrift.linter.model.called import by_id
from subdrift.linter.model.consumer import Consumer, TrailStep
from subdrift.linter.model.counts import Tally
from subdrift.linter.model.finding import Diagnostic, Finding, Severity, by_cause, sent_order
from subdrift.linter.model.known import Known
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.prediction import Prediction
from subdrift.linter.model.topics import Map
from subdrift.linter.model.unknown import NOT_READ, count_blind, unknown_values, unreachable
from subdrift.linter.report.language import Language, english
from subdrift.linter.report.made import Made, unknown
from subdrift.linter.report.names import Names, names_of
from subdrift.linter.report.needed import needed
from subdrift.linter.report.told import Told, ToldDiagnostic, told_cause, told_diagnostic

ReadText = Callable[[Origin], bytes | None]
"""The bytes of a file of the run; None where they cannot be had (another machine, gone since)."""


class About(Struct, frozen=True):
    """A rule or diagnostic, for reports that describe what they mention. `markdown` is its whole text, or ""."""

    name: str
    summary: str
    level: Severity
    markdown: str = ""


class Origins(Struct, frozen=True):
    """Where the value of one field at one place comes from, in some environments."""

    field: str
    trail: tuple[TrailStep, ...]
    environments: tuple[str, ...]

    def concerns(self, environments: tuple[str, ...]) -> bool:
        return not environments or any(one in environments for one in self.environments)


Trails = dict[Location, tuple[Origins, ...]]


class Why(Enum):
    """Why active findings are counted and not shown, as the last line says it."""

    OLD = "old"
    BASELINE = "baseline"
    OUTSIDE = "outside"
    UNSELECTED = "unselected"
    ELSEWHERE = "elsewhere"


class Aside(Struct, frozen=True):
    """Findings that are counted and not shown."""

    why: Why
    findings: tuple[Finding, ...]


class Side(Struct, frozen=True):
    """A repository outside of the run: its commit ("" unknown), when that was made (seconds since 1970), its owners."""

    head: str
    time: int | None
    owners: tuple[str, ...]


class Organisation(Struct, frozen=True):
    """The registry a run was compared with. Times in seconds since 1970; `side` answers for files outside of the run;
    `readers` counts the groups of other repositories that read what the run sends, and these repositories, None where what
    sends was not looked for."""

    repositories: int
    taken: int
    now: int
    side: Callable[[Origin], Side | None]
    readers: tuple[int, int] | None = None


class Unknown(Struct, frozen=True):
    """One thing that is not known, in `count` places of which `at` is the first. `why` and `detail` as in `Value`."""

    field: str
    why: str
    detail: str
    count: int
    at: Location


class Earlier(Struct, frozen=True):
    """A run of before, beside this one. `new` and `changed` are identities of findings of now; a changed one was there
    with other values. `gone` are those that no longer occur."""

    name: str
    new: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    gone: tuple[Known, ...] = ()


OwnersOf = Callable[[Origin], tuple[str, ...]]
"""Who owns a file, as `CODEOWNERS` of its repository says."""


def everywhere(origin: Origin) -> bool:
    """For runs that no path narrows."""
    return True


def nobody(origin: Origin) -> tuple[str, ...]:
    """For runs that know of no owners."""
    return ()


class Content(Struct, frozen=True):
    """One run, triaged. `home` names the one repository it is about, "" where it is about several.

    `foreign` are the ids of consumers of repositories outside of the run: they are compared with, and not counted.

    `findings` and `diagnostics` have no language yet; `shown` and `shown_diagnostics` are what a format prints;
    JSON has every diagnostic.
    """

    version: str
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]
    consumers: tuple[Consumer, ...]
    files: int
    home: str
    catalogue: tuple[About, ...] = ()
    show_suppressed: bool = False
    language: Language = field(default_factory=english)
    since: str = ""
    """What a reader calls the base, where only what is new since then is reported."""
    aside: tuple[Aside, ...] = ()
    quiet: bool = False
    """For people: findings only, no counts."""
    fail_on: Severity = Severity.ERROR
    """The level from which a finding fails the run."""
    repositories: int = 0
    owners: OwnersOf = nobody
    earlier: Earlier | None = None
    organisation: Organisation | None = None
    foreign: frozenset[str] = frozenset()
    unread: tuple[Diagnostic, ...] = ()
    """What was not read or not understood (`model/unknown.py`): of the whole run, where only what is new is reported."""
    is_selected: Callable[[Origin], bool] = everywhere
    """Whether a file lies under the paths that are reported."""
    made: Callable[[Iterable[str]], Made] = unknown
    """How the report came about, given the repositories of which it shows places."""
    map: Map | None = None
    """Who sends what to whom, where anything asked for it."""
    project: str = ""
    """The address of this project's files in a browser, "" where nothing says."""
    _by_id: dict[str, Consumer] = field(default_factory=dict)

    def page_about(self, name: str) -> str:
        """The address of the text about a rule or diagnostic, "" where nothing says."""
        return f"{self.project}/rules/docs/{name}.{self.language.name}.md" if self.project else ""

    @property
    def glossary(self) -> str:
        """The address of the words of reports, "" where nothing says."""
        return f"{self.project}/docs/glossary.md" if self.project else ""

    @property
    def own(self) -> tuple[Consumer, ...]:
        """The consumers of the run's own repositories."""
        if not self.foreign:
            return self.consumers
        return tuple(one for one in self.consumers if one.id not in self.foreign)

    @property
    def reported(self) -> tuple[Consumer, ...]:
        """Those of them that lie under the paths that are reported."""
        return tuple(one for one in self.own if self.is_selected(one.at.origin))

    @property
    def shown(self) -> tuple[Told, ...]:
        """The findings a report shows, those of one cause as one with parts: worst first, then costliest, then by place."""
        kept = (one for one in self.findings if self.show_suppressed or one.suppressed is None)

        def order(parts: tuple[Finding, ...]) -> tuple[object, ...]:
            first = parts[0]
            place = first.places[0].at
            return (-first.level, -first.impact, sent_order(first), place, first.rule, first.identity)

        return tuple(told_cause(one, self.language) for one in sorted(by_cause(kept), key=order))

    @property
    def entries(self) -> tuple[Told, ...]:
        """The same with each part by itself, for formats that say one thing about one line."""
        return tuple(part for one in self.shown for part in one.all_parts)

    @property
    def shown_diagnostics(self) -> tuple[ToldDiagnostic, ...]:
        """Those on which something depends."""
        return tuple(one for one in self.every_diagnostic if one.needed)

    @property
    def every_diagnostic(self) -> tuple[ToldDiagnostic, ...]:
        """For those who ask for all: those on which nothing depends among them."""
        wanted = frozenset(self.needed_diagnostics)
        kept = (one for one in self.diagnostics if self.show_suppressed or one.suppressed is None)
        order = sorted(kept, key=lambda one: (one.at, one.name, one.message))
        return tuple(told_diagnostic(one, self.language, one in wanted) for one in order)

    @property
    def needed_diagnostics(self) -> tuple[Diagnostic, ...]:
        """The same before they have a language, suppressed ones too."""
        return tuple(needed(self.diagnostics, self.own))

    @property
    def groups(self) -> int:
        """Consumer groups with a known name."""
        return len(
            {(c.namespace.text or "", c.group.text, c.cluster) for c in self.own if c.group.text is not None}
        )

    @property
    def members(self) -> int:
        """Consumers; the rows of one consumer count once."""
        return len({one.id for one in self.own})

    @property
    def tally(self) -> Tally:
        """What every output counts."""
        return Tally.of(self.findings, self.needed_diagnostics)

    @property
    def skipped_files(self) -> int:
        """Files and folders that were not read although they might have mattered."""
        return len({one.at.origin for one in self.diagnostics if one.name in NOT_READ})

    @property
    def unreachable(self) -> int:
        """Repositories that could not be opened or listed at all."""
        return len(unreachable(self.diagnostics))

    def blind_spots(self) -> Counter[str]:
        """How many there are: values by their field, then `file` (not read) and `place` (not understood)."""
        return count_blind(self.own, self.unread)

    def unknowns(self) -> tuple[Unknown, ...]:
        """The values that are not known, those of one field and cause together; most places first."""
        found: dict[tuple[str, str, str], set[Location]] = {}
        for one in unknown_values(self.own):
            found.setdefault((one.field, one.why.value, one.value.detail), set()).add(one.at)
        every = (Unknown(*key, len(places), min(places)) for key, places in found.items())
        return tuple(sorted(every, key=lambda each: (-each.count, each.why, each.field, each.detail)))

    def names(self, prediction: Prediction) -> Names:
        """What a reader calls the members of a prediction."""
        if not self._by_id:
            self._by_id.update(by_id(self.consumers))
        return names_of(prediction, self._by_id)

    def trails(self) -> Trails:
        """Where the values of a subscription or consumer come from, by its place; literals have no trail."""
        found: dict[Location, dict[Origins, None]] = {}
        for consumer in self.consumers:
            values = [
                ("group", consumer.group, consumer.at),
                ("message_model", consumer.message_model, consumer.at),
            ]
            for one in consumer.subscriptions:
                values += [("topic", one.topic, one.at), ("expression", one.expression, one.at)]
            for name, value, at in values:
                if value.trail:
                    found.setdefault(at, {})[Origins(name, value.trail, consumer.environments)] = None
        return {at: tuple(every) for at, every in found.items()}


class Texts(Struct):
    """The files of a run as text, decoded once each."""

    read: ReadText
    kept: Callable[[Origin, int], str | None] | None = None
    """One line of a file that cannot be read here, where somebody has kept it."""
    _lines: dict[Origin, list[str]] = field(default_factory=dict)

    def line(self, origin: Origin, number: int) -> str | None:
        """One line without its end, None where there is none."""
        if origin not in self._lines:
            content = self.read(origin)
            self._lines[origin] = [] if content is None else _decode(content).split("\n")
        lines = self._lines[origin]
        if not lines and self.kept is not None:
            return self.kept(origin, number)
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else None


def nothing(origin: Origin) -> bytes | None:
    """For runs whose files are out of reach: frames show places and labels without code."""
    return None


def plural(count: int, one: str, many: str = "") -> str:
    """`1 file`, `2 files`, `1,234 entries`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _decode(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8", "replace")
