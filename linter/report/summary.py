"""The last lines of a report: what was found, what was looked at, and what stayed in the dark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from subdrift.linter.model.addresses import clusters
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Scope, Severity, by_cause
from subdrift.linter.model.location import Location
from subdrift.linter.model.prediction import Impact
from subdrift.linter.report.content import Content, Why
from subdrift.linter.report.organisation import last_line
from subdrift.linter.report.terminal import safe

IDLE_MAX = 10
"""Consumers that take no part a report names."""

_IDLE = frozenset(("not-a-bean", "never-started", "not-reached", "disabled"))
_DAMAGE = (
    (Impact.FAILS_TO_START, "fails-to-start"),
    (Impact.LOST, "lost"),
    (Impact.STUCK, "stuck"),
    (Impact.DELAYED, "delayed"),
)
_KINDS = (
    "consumer",
    "group",
    "namespace",
    "topic",
    "expression",
    "filter_type",
    "message_model",
    "file",
    "place",
)


def headline(content: Content) -> str:
    """`2 of 64 groups disagree; messages of 1 can be lost.`: groups of main code, or of all where none is; "" where it is
    not as simple, and where nothing else is said."""
    main = [one for one in content.own if one.scope == "main"]
    groups = _named(main or content.own)
    worst: dict[tuple[str, ...], Impact] = {}
    for one in content.findings:
        key = _key(one.cluster, one.namespace, one.group)
        counted = one.suppressed is None and one.scope is Scope.GROUP and one.level >= Severity.WARNING
        if counted and key in groups and (not main or any(place.scope == "main" for place in one.places)):
            worst[key] = max(worst.get(key, Impact.NOTHING), one.impact)
    word, damage = content.language.word, Counter(worst.values())
    if not worst:
        told = any(one.scope is Scope.GROUP for one in content.findings)
        told |= any(one.findings for one in content.aside)
        said = bool(groups) and bool(content.tally.active) and not told
        return word("headline.none", groups=len(groups)) if said else ""
    listed = [word(f"headline.{code}", count=damage[impact]) for impact, code in _DAMAGE if damage[impact]]
    return word(
        "headline.one" if len(worst) == 1 else "headline",
        found=len(worst),
        groups=len(groups),
        damage=word("headline.damage", listed=content.language.comma.join(listed)) if listed else "",
    )


def _named(consumers: Iterable[Consumer]) -> set[tuple[str, str, str]]:
    """The groups of some consumers, as far as their names are known."""
    return {
        _key(one.cluster, one.namespace.text, one.group.text)
        for one in consumers
        if one.group.text is not None
    }


def _key(cluster: str, namespace: str | None, group: str | None) -> tuple[str, str, str]:
    return cluster, namespace or "", group or ""


def verdict(content: Content) -> str:
    """`1 error, 2 warnings (1 suppressed); registry of 212 repositories, 2 h old`, or the sentence of a clean run."""
    said, beyond = _verdict(content), last_line(content)
    return f"{said.removesuffix('.').removesuffix('。')}{beyond}" if beyond else said


def _verdict(content: Content) -> str:
    word, comma = content.language.word, content.language.comma
    found = content.tally
    hidden = _hidden(content)
    new = ".new" if content.since or any(one.why is Why.BASELINE for one in content.aside) else ""
    since = word("since", base=content.language.detail(content.since)) if content.since else ""
    counted = (
        (f"error{new}", found.errors),
        (f"warning{new}", found.warnings),
        (f"note{new}", found.notes),
        # a baseline need not hold what was there of them
        ("diagnostic.new" if content.since else "diagnostic", found.diagnostics),
    )
    parts = [word(f"count.{name}", count=count) for name, count in counted if count]
    if parts:
        return word("counts", listed=comma.join(parts), since=since, hidden=hidden)
    if not content.members:
        return word("no-consumers", files=content.files)
    if new:
        return word("nothing-new", since=since, hidden=hidden)
    if any(one.findings for one in content.aside):
        return word("nothing-here", hidden=hidden)
    if found.suppressed:
        return word("only-suppressed", count=found.suppressed)
    code = "all-consistent" if content.groups > 1 else "one-consistent"
    return word(
        code,
        groups=content.groups,
        consumers=content.members,
        files=content.files,
        blind=blind_spots(content),
    )


def beside(content: Content) -> str:
    """`Beside before.json: 1 new, 0 changed, 2 gone.`, or "" where no run of before was given."""
    earlier = content.earlier
    if earlier is None:
        return ""
    return content.language.word(
        "beside",
        base=earlier.name,
        fresh=count(content, earlier.new),
        changed=count(content, earlier.changed - earlier.new),
        gone=len(earlier.gone),
    )


def count(content: Content, identities: Collection[str]) -> int:
    """The findings of these identities, those of one cause as one."""
    return len(by_cause(one for one in content.findings if one.identity in identities))


def idle(content: Content) -> list[str]:
    """Where nothing else is said: the consumers that take no part, or may not, each with the reason, and groups whose
    members are not compared for their addresses."""
    if content.tally.active:
        return []
    word = content.language.word
    found: dict[str, str] = {}
    for consumer in content.reported:
        reasons = dict.fromkeys(
            word(f"idle.{one.kind}")
            + (word("idle.detail", detail=content.language.detail(one.text)) if one.text else "")
            for one in consumer.conditions
            if one.kind in _IDLE
        )
        if reasons and consumer.scope == "main":
            text = consumer.group.text
            about = "" if text is None else word("idle.of-group", group=text)
            said = word("idle", group=about, reasons=content.language.comma.join(reasons))
            found.setdefault(consumer.id, f"{place_of(consumer.at, content.home)}: {safe(said)}")
    lines = [*found.values(), *_apart(content)]
    more = [word("idle.more", count=len(lines) - IDLE_MAX)] if len(lines) > IDLE_MAX else []
    return [*lines[:IDLE_MAX], *more]


def _apart(content: Content) -> Iterator[str]:
    """A line for each group of one repository that has members at addresses with nothing in common."""
    found: dict[tuple[str, ...], dict[str, Location]] = {}
    for one in content.reported:
        address = one.name_server
        if one.takes_part and one.scope == "main" and one.group.text and address.text and not address.default:
            side = (one.at.origin.repo, one.traits.client.value, one.cluster)
            for environment in one.environments:
                key = (*side, one.namespace.text or "", one.group.text, environment)
                found.setdefault(key, {}).setdefault(address.text, one.at)
    told: dict[tuple[str, ...], str] = {}
    for (*_, group, _), places in found.items():
        numbers = clusters(places)
        sides = {numbers[text]: text for text in reversed(places)}
        if len(sides) > 1:
            listed = content.language.comma.join(f"`{sides[number]}`" for number in sorted(sides))
            said = content.language.word("idle.apart", group=group, listed=listed)
            at = min(places.values())
            told.setdefault((group, listed), f"{place_of(at, content.home)}: {safe(said)}")
    yield from told.values()


def place_of(at: Location, home: str) -> str:
    place = f"{safe(at.origin.path)}:{at.span.line}:{at.span.column}"
    return place if at.origin.repo == home else f"{safe(at.origin.repo)}: {place}"


def _hidden(content: Content) -> str:
    """` (3 old, 2 in the baseline, 1 suppressed)`: what is counted and not shown."""
    word = content.language.word
    parts = [
        word(f"aside.{one.why.value}", count=len(by_cause(one.findings)))
        for one in content.aside
        if one.findings
    ]
    if suppressed := content.tally.suppressed:
        parts.append(word("aside.suppressed", count=suppressed))
    return word("hidden", listed=content.language.comma.join(parts)) if parts else ""


def scope(content: Content) -> str:
    """`Checked 412 files, 31 consumers, 14 groups; blind spots: 1 topic (subdrift unresolved).`"""
    word = content.language.word
    every, main = _named(content.own), _named(one for one in content.own if one.scope == "main")
    # a scan has the consumers of some groups alone
    beside = len(every - main) if main and len(every) == content.groups else 0
    return word(
        "checked",
        files=content.files,
        consumers=content.members,
        groups=content.groups,
        beside=word("checked.beside", count=beside) if beside else "",
        blind=blind_spots(content),
    )


def blind_spots(content: Content) -> str:
    """`blind spots: 1 topic, 2 expressions (subdrift unresolved)`, or `0 blind spots`."""
    found = content.blind_spots()
    word, comma = content.language.word, content.language.comma
    if not found:
        return word("no-blind-spots")
    listed = comma.join(word(f"blind.{name}", count=found[name]) for name in _KINDS if found[name])
    return word("blind-spots", listed=listed)
