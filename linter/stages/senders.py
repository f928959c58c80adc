"""What is known of senders, put beside findings: who sends the tags that a disagreement loses, or that nobody is seen to.

Nothing here reads a file; sends are rows of a run of their own, and whoever asks has joined them (`model.topics`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final

from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence
from subdrift.linter.model.finding import PLACES_MAX, Finding, Rule, Scope, SentTag, Severity
from subdrift.linter.model.message import say
from subdrift.linter.model.prediction import Impact
from subdrift.linter.model.topics import Map, Sent, Topic, application_of, is_sure

TAGS_MAX: Final = 8
"""Lost tags of a finding whose senders are told."""
_OF_OTHERS: Final = ("*", "(other)")
"""How predictions call messages of all tags that nobody asks for by name."""


def is_asked(findings: Iterable[Finding]) -> bool:
    """Whether any finding loses messages by their tags, so that their senders are worth a look."""
    return any(one.level > Severity.NOTE and next(_lost(one), None) for one in findings)


def lost_tags(finding: Finding, topics: Sequence[Topic] = ()) -> Iterator[tuple[str, str]]:
    """Topic and tag of the messages that may be lost by what a finding is about. Of those that are none of the tags that are
    asked for it is the tags that are sent to one of the `topics`."""
    for topic, lost, asked in _lost(finding):
        yield from ((topic, tag) for tag in lost if tag is not None)
        if None in lost:
            sent = {tag for one in topics if one.name == topic for tag in map(_sure_tag, one.sent) if tag}
            yield from ((topic, tag) for tag in sorted(sent - asked))


def _sure_tag(one: Sent) -> str | None:
    return one.tag if is_sure(one) else None


def _lost(finding: Finding) -> Iterator[tuple[str, Iterable[str | None], Set[str]]]:
    """Topics of which messages may be lost, with their tags, None for all that are not asked for, and the tags that are."""
    own = finding.own
    if own is None or finding.impact < Impact.LOST:
        return
    for topic in own.topics:
        if finding.topic in (None, topic.topic):
            classes = [each for outcome in topic.outcomes for each in outcome.classes]
            lost = [one.message for one in classes if one.lost.is_possible]
            tags = dict.fromkeys(one.tag for one in lost if one.tag or one.label in _OF_OTHERS)
            if tags:
                yield topic.topic, tags, {one.message.tag for one in classes if one.message.tag}


def with_senders(findings: Iterable[Finding], found: Map, *, complete: bool) -> Iterator[Finding]:
    """The findings with the senders of what they lose; nothing is said where the run sends nothing at all. `complete`: every
    sender there is takes part in this run; an error about nothing but tags that nobody sends is a warning then, and says so.
    """
    is_said = complete or bool(found.unknown) or any(topic.sent for topic in found.topics)
    for one in findings:
        of_group = [topic for topic in found.topics if _is_of(topic, one)]
        tags = list(lost_tags(one, of_group)) if is_said and one.level > Severity.NOTE else []
        if not tags:
            yield one
            continue
        senders = tuple(
            sent_tag(topic, tag, of_group, found, complete=complete) for topic, tag in tags[:TAGS_MAX]
        )
        told = replace(one, senders=senders)
        if complete and len(tags) <= TAGS_MAX and all(each.is_nobody for each in senders) and _of_tags(one):
            conditional = one.conditional or say("only-of-tags-nobody-sends")
            told = replace(told, level=min(one.level, Severity.WARNING), conditional=conditional)
        yield told


def judge_topics(found: Map, rules: Iterable[Rule]) -> Iterator[Finding]:
    """What rules say of who sends what to whom."""
    told: dict[tuple[str, str], int] = {}
    for rule in rules:
        for remark in rule.check_topics(found) if rule.check_topics is not None else ():
            about = remark.members[0]
            level = rule.at_most if remark.at_most is None else min(rule.at_most, remark.at_most)
            confidence = min(one.confidence for one in remark.members)
            if confidence is Confidence.LOW:
                level = min(level, Severity.WARNING)
            ordinal = told.get((rule.name, about.symbol), 0)
            told[rule.name, about.symbol] = ordinal + 1
            yield Finding(
                rule=rule.name,
                level=level,
                scope=Scope.CONSUMER,
                message=remark.message,
                group=None,
                namespace=about.namespace.text or "",
                topic=remark.topic,
                places=remark.places[:PLACES_MAX],
                more_places=max(0, len(remark.places) - PLACES_MAX),
                values=remark.differs,
                environments=about.environments,
                confidence=confidence,
                help=remark.help,
                symbol=about.symbol,
                ordinal=ordinal,
            )


def _of_tags(finding: Finding) -> bool:
    """Whether all that may be lost is of single tags."""
    own = finding.own
    return own is not None and all(
        each.message.tag is not None
        for topic in own.topics
        if finding.topic in (None, topic.topic)
        for outcome in topic.outcomes
        for each in outcome.classes
        if each.lost.is_possible
    )


def sent_tag(
    name: str, tag: str | None, topics: Iterable[Topic], found: Map, *, complete: bool = False
) -> SentTag:
    """Who sends a tag to the topic of a name among some topics; any tag where `tag` is None."""
    every = [one for topic in topics if topic.name == name for one in topic.sent]
    sure = [one for one in every if tag in (None, one.tag) and is_sure(one)]
    places = {(application_of(one.sender), one.message.at): None for one in sure}
    may_be = [one for one in every if (tag is None or one.tag in (None, tag)) and one not in sure]
    return SentTag(
        name, tag or "", tuple(places), len({one.message.at for one in (*may_be, *found.unknown)}), complete
    )


def _is_of(topic: Topic, finding: Finding) -> bool:
    return topic.namespace == finding.namespace and finding.cluster in ("", topic.cluster)
