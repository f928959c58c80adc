"""Rules and model on one consumer group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence, Consumer, ConsumerGroup
from subdrift.linter.model.finding import (
    PLACES_MAX,
    Finding,
    Place,
    Remark,
    Rule,
    Scope,
    Severity,
    Verdict,
    digest,
)
from subdrift.linter.model.message import Message, quoted, say, verbatim
from subdrift.linter.model.prediction import Prediction
from subdrift.linter.stages.causes import causes, not_own
from subdrift.linter.stages.examples import counting, examples_of, shapes_of
from subdrift.linter.stages.membership import clusters_of, side_of, views
from subdrift.linter.stages.remedies import remedies

if TYPE_CHECKING:
    from subdrift.linter.broker.assume import Assume


def judge_consumer(consumer: Consumer, rules: Iterable[Rule]) -> Iterator[Finding]:
    """What consumer rules say about one consumer, also where its group is unknown."""
    for rule in rules:
        if rule.check_consumer is None:
            continue
        for remark in rule.check_consumer(consumer):
            level, conditional = _at_most(rule, remark), None
            if consumer.scope != "main":
                level = min(level, Severity.WARNING)
                conditional = say("only-in-code", scopes=say(f"scope.{consumer.scope}"))
            elif _is_left_out(consumer):
                level, conditional = min(level, Severity.WARNING), say("only-if-it-is-made")
            confidence = _confidence(remark, (consumer,))
            if confidence is Confidence.LOW:
                level = min(level, Severity.WARNING)
            yield Finding(
                rule=rule.name,
                level=level,
                scope=Scope.CONSUMER,
                message=remark.message,
                group=consumer.group.text,
                namespace=consumer.namespace.text or "",
                topic=remark.topic,
                places=remark.places,
                values=remark.differs,
                environments=consumer.environments,
                confidence=confidence,
                conditional=conditional,
                help=remark.help,
                cost=remark.cost,
                symbol=consumer.symbol,
                ordinal=remark.ordinal + _ORDINALS_OF_ONE * _ordinal(consumer),
            )


def _is_left_out(consumer: Consumer) -> bool:
    """Whether nothing makes a consumer here: its class is no bean, or a condition keeps it away."""
    return consumer.disabled and all(one.kind != "invalid-group" for one in consumer.conditions)


_ORDINALS_OF_ONE = 1_000
"""Keeps findings about two consumers of one symbol apart."""


def _ordinal(consumer: Consumer) -> int:
    tail = consumer.id.rpartition(":")[2]
    return int(tail) if tail.isdigit() else 0


class _Met(Struct):
    """A remark with every environment it holds in, and what its level rests on."""

    remark: Remark
    rule: Rule
    environments: list[str]
    level: Severity
    conditional: Message | None
    prediction: Prediction
    members: tuple[Consumer, ...]


class _Compared(Struct):
    """What members that are there at once come to, and what the rules say of the examples among them."""

    prediction: Prediction
    examples: tuple[Consumer, ...]
    remarks: list[tuple[Rule, Remark]]


def judge(group: ConsumerGroup, rules: Sequence[Rule], assume: Assume) -> Verdict:
    """Rules and model on one group, environment by environment; one finding for one fact."""
    met: dict[tuple[str, str | None, tuple[str, ...]], _Met] = {}
    worst: Prediction | None = None
    group_rules = [rule for rule in rules if rule.check_group is not None]
    shapes = shapes_of(group.consumers)
    compared: dict[tuple[int, ...], _Compared] = {}
    for environment in group.environments:
        for members in views(group.members(environment)):
            if len(members) < 2:
                continue
            same = tuple(map(id, members))  # in most groups, in every environment
            if same not in compared:
                compared[same] = _compared(group, members, group_rules, shapes, assume)
            found = compared[same]
            if worst is None or found.prediction.worst > worst.worst:
                worst = found.prediction
            for rule, remark in found.remarks:
                _meet(met, rule, remark, group, environment, found.examples, found.prediction)
    findings = list(_findings(group, list(met.values()), assume))
    silent: dict[int, bool] = {}
    for consumer in group.consumers:
        shape = shapes[id(consumer)]
        if not silent.get(shape):
            said = list(judge_consumer(consumer, rules))
            silent[shape] = not said
            findings += said
    return Verdict(
        group.namespace,
        group.name,
        group.cluster,
        len({c.id for c in group.consumers}),
        tuple(_told_apart(sorted(_merged(findings), key=_finding_order))),
        worst,
    )


def _compared(
    group: ConsumerGroup,
    members: tuple[Consumer, ...],
    rules: Iterable[Rule],
    shapes: Mapping[int, int],
    assume: Assume,
) -> _Compared:
    from subdrift.linter.broker.members import (
        predict_group,  # a run over few files may have nothing to compare
    )

    examples, others = examples_of(members, shapes)
    alike = len({shapes[id(member)] for member in members}) == 1
    remarks = [
        (rule, counting(remark, others, shapes) if others else remark)
        for rule in rules
        if rule.check_group is not None and not (alike and rule.contrasts)
        for remark in rule.check_group(group, examples)
    ]
    return _Compared(predict_group(members, assume), examples, remarks)


def _left_out(group: ConsumerGroup, one: _Met) -> tuple[str, ...]:
    """Places of the first members that were not compared, because their name servers are others."""
    cluster = clusters_of(group.consumers)
    here = {side_of(each): cluster[id(each)] for each in one.remark.members if id(each) in cluster}
    apart = [
        each
        for each in group.consumers
        if each.takes_part
        and id(each) in cluster
        and here.get(side_of(each), cluster[id(each)]) != cluster[id(each)]
        and not set(one.environments).isdisjoint(each.environments)
    ]
    return tuple(dict.fromkeys(f"{each.at.origin.path}:{each.at.span.line}" for each in apart[:3]))


def _meet(
    met: dict[tuple[str, str | None, tuple[str, ...]], _Met],
    rule: Rule,
    remark: Remark,
    group: ConsumerGroup,
    environment: str,
    members: tuple[Consumer, ...],
    prediction: Prediction,
) -> None:
    level = _at_most(rule, remark)
    if rule.predicted and not prediction.impact(remark.topic).is_damage:
        level = Severity.NOTE
    conditional = _needs_other_scope(rule, remark, group, members)
    if conditional is None and not group.defined_by_all(environment):
        conditional = say("only-in-profile", profile=environment)
    if conditional is None:
        conditional = _needs_a_switch(rule, remark, group, members)
    if conditional is not None or _confidence(remark, remark.members) is Confidence.LOW:
        level = min(level, Severity.WARNING)
    key = (rule.name, remark.topic, remark.differs)
    known = met.get(key)
    if known is None:
        met[key] = _Met(remark, rule, [environment], level, conditional, prediction, members)
        return
    if environment not in known.environments:
        known.environments.append(environment)
    if (level, conditional is None) > (known.level, known.conditional is None):
        met[key] = _Met(remark, known.rule, known.environments, level, conditional, prediction, members)


def _at_most(rule: Rule, remark: Remark) -> Severity:
    return rule.at_most if remark.at_most is None else min(rule.at_most, remark.at_most)


def _needs_other_scope(
    rule: Rule, remark: Remark, group: ConsumerGroup, members: tuple[Consumer, ...]
) -> Message | None:
    """Said when the disagreement exists only through test or sample members."""
    main = tuple(member for member in members if member.scope == "main")
    if len(main) == len(members):
        return None
    assert rule.check_group is not None
    if len(main) > 1 and any(again.topic == remark.topic for again in rule.check_group(group, main)):
        return None
    scopes = sorted({member.scope for member in members if member.scope != "main"})
    said = [say(f"scope.{scope}") for scope in scopes]
    signs = dict.fromkeys(member.sign for member in members if member.sign)
    if signs:
        return say("only-through-members-by", scopes=said, detail=next(iter(signs)))
    return say("only-through-members", scopes=said)


def _needs_a_switch(
    rule: Rule, remark: Remark, group: ConsumerGroup, members: tuple[Consumer, ...]
) -> Message | None:
    """Said when the disagreement exists only where an open condition holds that not all who disagree are made under."""
    if not any(member.switches for member in members):
        return None
    ways = dict.fromkeys(_open(member) for member in members)
    for way in ways:
        together = tuple(member for member in members if _open(member) == way)
        assert rule.check_group is not None
        if len(together) > 1 and any(
            again.topic == remark.topic for again in rule.check_group(group, together)
        ):
            return None
    told = list(dict.fromkeys(one for member in remark.members or members for one in member.switches))
    written = [one.text for one in told if one.written]
    texts = list(dict.fromkeys(written or [one.text for one in told]))[:SWITCHES_TOLD_MAX]
    if written:
        return say("only-if-switched", switches=[quoted(text) for text in texts])
    return say("only-as-decided", switches=[verbatim(text) for text in texts])


def _open(member: Consumer) -> tuple[str, tuple[tuple[str, str], ...]]:
    """What an open member hangs on, within its repository; equal for all that nothing keeps away."""
    switches = tuple(sorted((one.kind, one.text) for one in member.switches))
    return (member.at.origin.repo if switches else "", switches)


SWITCHES_TOLD_MAX = 3
"""Open conditions a finding names."""


def _confidence(remark: Remark, members: Sequence[Consumer]) -> Confidence:
    return min((member.confidence for member in members), default=Confidence.HIGH)


def _findings(group: ConsumerGroup, met: Sequence[_Met], assume: Assume) -> Iterator[Finding]:
    """The remarks of each cause as findings, with one way out."""
    for number, positions in enumerate(causes([one.remark for one in met])):
        parts = [met[position] for position in positions]
        cause = digest(("cause", group.namespace, group.cluster, group.name, str(number)))
        worst = max(parts, key=lambda one: one.level)
        told = [(one.rule, one.remark) for one in parts if one.level > Severity.NOTE]
        help_, goal = remedies(told, group, worst.members, assume) if told else ((), None)
        for one in parts:
            others = [(each.rule, each.remark.topic) for each in parts if each is not one]
            own = help_ if one.level > Severity.NOTE else one.remark.help
            yield replace(
                _finding(group, one),
                cause=cause,
                help=own,
                rollout=goal if one.level > Severity.NOTE else None,
                not_own=not_own(one.rule, one.remark.topic, others),
            )


def _finding(group: ConsumerGroup, one: _Met) -> Finding:
    return Finding(
        rule=one.rule.name,
        level=one.level,
        scope=Scope.GROUP,
        message=one.remark.message,
        group=group.name,
        namespace=group.namespace,
        topic=one.remark.topic,
        places=one.remark.places[:PLACES_MAX],
        more_places=max(0, len(one.remark.places) - PLACES_MAX) + one.remark.more_places,
        values=one.remark.differs,
        environments=tuple(one.environments),
        confidence=_confidence(one.remark, one.remark.members),
        conditional=one.conditional,
        cost=one.remark.cost,
        counts=one.remark.counts,
        prediction=one.prediction,
        cluster=group.cluster,
        left_out=_left_out(group, one),
    )


def _told_apart(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Group findings with identities of their own: a number where one environment holds several of one kind."""
    met: dict[str, int] = {}
    for one in findings:
        number = met.get(one.identity, 0)
        met[one.identity] = number + 1
        yield replace(one, ordinal=number) if number and one.scope is Scope.GROUP else one


def _merged(findings: Iterable[Finding]) -> Iterator[Finding]:
    """One finding for one fact: consumer findings that differ only by environment or deployable are one."""
    found: dict[tuple[str, str, tuple[Place, ...]], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.identity, finding.places)
        known = found.get(key)
        if known is None:
            found[key] = finding
        else:
            environments = tuple(dict.fromkeys((*known.environments, *finding.environments)))
            found[key] = replace(known, environments=environments)
    yield from found.values()


def _finding_order(finding: Finding) -> tuple[object, ...]:
    return (-finding.level, finding.rule, finding.topic or "", finding.places[0].at, finding.values)
