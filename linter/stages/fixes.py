"""What `--fix` changes: the edits that settle a finding, safe where no subscription changes its meaning by them.

Safe: equal lists of tags get one spelling, and a subscription goes that a later one of the same client replaces with all it
asks for. Not safe, since other messages arrive then: `||` between tags, and `*` alone where a star stands in a list.
A text is changed where it stands as one literal, or as the value of a key. Where others use it too, an edit is made that is
right for all of them, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from subdrift.linter.model.consumer import Consumer, Subscription
from subdrift.linter.model.edit import Edit, Left, Removal, Retext
from subdrift.linter.model.finding import Finding
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.tags import ALL_TAGS, SEPARATOR, TagSyntaxError, java_trim, parse_tags

FIXABLE: Final = frozenset(
    ("tag-order-differs", "topic-subscribed-twice", "wrong-tag-separator", "star-in-list")
)
"""The rules of which findings can be settled by an edit."""

_TAG: Final = "TAG"


class Use(Struct, frozen=True):
    """What a place is used for: `role` is the field of the consumer, `text` what the whole value says."""

    namespace: str
    group: str | None
    topic: str | None
    role: str
    filter_type: str | None
    text: str | None


Uses = Mapping[Location, frozenset[Use]]
"""What every place is used for that the value of a consumer was made of."""


class Fix(Struct, frozen=True):
    """An edit of a file for a rule. `left` says why it is not to be made, None where it may be."""

    rule: str
    origin: Origin
    edit: Edit
    safe: bool
    left: Left | None = None


def plan(findings: Iterable[Finding], consumers: Iterable[Consumer]) -> list[Fix]:
    """The edits for all findings that are not suppressed, one a place at most. `consumers`: all of the run."""
    consumers = tuple(consumers)
    active = [one for one in findings if one.rule in FIXABLE and one.suppressed is None]
    if not active:
        return []
    uses = _uses_of(consumers)
    planned: dict[Location, Fix] = {}
    covers = _covers(consumers) if any(one.rule == "topic-subscribed-twice" for one in active) else {}
    for finding in active:
        match finding.rule:
            case "tag-order-differs":
                found = _spelled_alike(finding, uses)
            case "topic-subscribed-twice":
                found = _idle(finding, covers)
            case _:
                found = _meant(finding, uses)
        for one in found:
            at = Location(one.origin, one.edit.at)
            if at not in planned or planned[at].left is not None:
                planned[at] = one
    return list(planned.values())


def _uses_of(consumers: Iterable[Consumer]) -> Uses:
    found: dict[Location, set[Use]] = {}
    for consumer in consumers:
        who = consumer.namespace.text or "", consumer.group.text
        for role in ("group", "namespace", "message_model", "instance_name", "name_server"):
            value = getattr(consumer, role)
            for step in value.trail:
                found.setdefault(step.at, set()).add(Use(*who, None, role, None, value.text))
        for one in consumer.subscriptions:
            for role, value in (("topic", one.topic), ("expression", one.expression)):
                use = Use(*who, one.topic.text, role, one.filter_type.text, value.text)
                for step in value.trail:
                    found.setdefault(step.at, set()).add(use)
    return {at: frozenset(every) for at, every in found.items()}


# -- equal lists of tags ------------------------------------------------------------------------------------------


def _spelled_alike(finding: Finding, uses: Uses) -> Iterator[Fix]:
    """The spelling of most becomes that of all, without repetitions; that of a place with other users stays."""
    written = [
        (place, place.label.value("text")) for place in finding.places if place.label.code == "written"
    ]
    counted = [
        (finding.counts[place.side], text) for place, text in written if place.side < len(finding.counts)
    ]
    if not counted:
        return
    shared = {
        text: place.value_at
        for place, text in written
        if place.value_at is not None and _others(uses.get(place.value_at, frozenset()))
    }
    best = _once(max(counted, key=lambda pair: (pair[0], _once(pair[1]) == pair[1], pair[1]))[1])
    if shared:
        best = min(shared)
    for place, text in written:
        if text == best or parse_tags(text).tags != parse_tags(best).tags:
            continue
        at = place.value_at or place.at
        left = Left.SHARED if at in shared.values() else None
        yield Fix(finding.rule, at.origin, Retext(at.span, text, best), True, left)


def _others(users: Iterable[Use]) -> bool:
    """Whether a place says something to several groups or topics, or is more than a tag expression."""
    return len({(one.namespace, one.group, one.topic) for one in users}) > 1 or any(
        one.role != "expression" for one in users
    )


def _once(text: str) -> str:
    """A list of tags without those that stand in it already."""
    parts: dict[str, str] = {}
    for part in text.split(SEPARATOR):
        parts.setdefault(java_trim(part), part)
    return text if len(parts) == text.count(SEPARATOR) + 1 else java_trim(SEPARATOR.join(parts.values()))


# -- expressions that do not say what they mean -------------------------------------------------------------------


def _meant(finding: Finding, uses: Uses) -> Iterator[Fix]:
    """The text that a remark proposes, at the literal that is all of the expression."""
    text = finding.message.value("expression")
    meant = next((meant for one in finding.help if (meant := one.value("meant"))), "")
    if finding.rule == "star-in-list" or ALL_TAGS in map(java_trim, meant.split(SEPARATOR)):
        names_one = any(character.isalnum() for character in text)
        meant = ALL_TAGS if names_one or finding.rule == "star-in-list" else ""
    if not meant or meant == text:
        return
    place = finding.places[0]
    at = place.value_at or place.at
    users = uses.get(at, frozenset()) if place.value_at else frozenset()
    alike = all(one.role == "expression" and one.filter_type == _TAG and one.text == text for one in users)
    left = Left.COMPOSED if not users else None if alike else Left.SHARED
    if left is None:
        meant = _as_others(meant, users, uses)
    yield Fix(finding.rule, at.origin, Retext(at.span, text, meant), False, left)


def _as_others(meant: str, users: frozenset[Use], uses: Uses) -> str:
    """The tags as most of the same groups spell them already, so that no further spelling comes up."""
    wanted = parse_tags(meant).tags
    groups = {(one.namespace, one.group, one.topic) for one in users}
    spelled: Counter[str] = Counter()
    for one in {use for every in uses.values() for use in every}:
        if one.role == "expression" and one.text and (one.namespace, one.group, one.topic) in groups:
            spelled[one.text] += _tags(one.text) == wanted
    best = max(spelled, key=lambda text: (spelled[text], text), default=meant)
    return best if spelled[best] else meant


def _tags(text: str) -> frozenset[str] | None:
    try:
        return parse_tags(text).tags
    except TagSyntaxError:
        return None


# -- subscriptions that a later one replaces ----------------------------------------------------------------------


def _idle(finding: Finding, covers: Mapping[Location, frozenset[Location]]) -> Iterator[Fix]:
    """The calls of which every message arrives by a later call, whoever makes them."""
    for place in finding.places:
        behind = sorted(
            one.span for one in covers.get(place.at, ()) if one.origin == place.at.origin and one != place.at
        )
        if behind:
            yield Fix(finding.rule, place.at.origin, Removal(place.at.span, tuple(behind)), True)


def _covers(consumers: Iterable[Consumer]) -> dict[Location, frozenset[Location]]:
    """For each call the later ones that make it needless for every consumer that makes it."""
    found: dict[Location, frozenset[Location]] = {}
    for consumer in consumers:
        calls = consumer.subscriptions
        for number, one in enumerate(calls):
            same = [later for later in calls[number + 1 :] if later.topic.text == one.topic.text]
            behind = frozenset(
                later.at
                for later in same
                if _is_equal(one, later) or (later is same[-1] and _asks_more(one, later))
            )
            found[one.at] = found.get(one.at, behind) & behind
    return found


def _is_equal(one: Subscription, other: Subscription) -> bool:
    known = None not in (one.topic.text, one.expression.text, one.filter_type.text)
    steady = not (one.late or other.late or one.dropped or other.dropped)
    return (
        known
        and steady
        and (one.filter_type.text, one.expression.text) == (other.filter_type.text, other.expression.text)
    )


def _asks_more(one: Subscription, other: Subscription) -> bool:
    """Whether all that one call asks for arrives by the other, too."""
    if not (one.filter_type.text == other.filter_type.text == _TAG) or one.topic.text is None:
        return False
    if one.late or other.late or one.dropped or other.dropped:
        return False
    first, second = one.expression.text, other.expression.text
    if first is None or second is None or (few := _tags(first)) is None or (many := _tags(second)) is None:
        return False
    return parse_tags(second).is_all or (bool(few) and few <= many)
