"""The units of work, pure functions both drivers schedule: `survey` and `read` a file, `consume` a deployable,
`judge` a consumer group. Between them: what the facts at hand ask for (`Wanted`), and who meets whom (`groups`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import TYPE_CHECKING

from linter.extract import read as read
from linter.extract.prefilter import is_candidate, is_context, is_factories, language_of, other_language
from linter.model.addresses import clusters
from linter.model.consumer import Confidence, Consumer, ConsumerGroup, Value
from linter.model.expr import Why
from linter.model.finding import (
    PLACES_MAX,
    Diagnostic,
    Finding,
    Place,
    Remark,
    Rule,
    Scope,
    Severity,
    Verdict,
)
from linter.model.location import START, Location, Origin
from linter.model.message import Message, say
from linter.model.prediction import Prediction
from linter.resolve import definitions, own_annotations
from linter.resolve.configuration import Configuration, Surroundings
from linter.resolve.consumers import Consumers as Consumers
from linter.resolve.consumers import consume as resolve_consumers
from linter.resolve.definitions import Definitions
from linter.resolve.evaluate import World
from linter.resolve.execute.program import Program
from linter.resolve.modules import Deployable, Modules
from linter.resolve.owners import Owners
from linter.resolve.place import Placed, python_module, scope_of, spring_file
from linter.resolve.spring import applications

if TYPE_CHECKING:
    from linter.broker.assume import Assume

ROUNDS_MAX = 10
"""Rounds of reading what the facts at hand mention."""

REVERSE_PASSES_MAX = 4
"""Passes over all files for the callers and subtypes of names learned on the way."""

BELOW = "<"
"""In the place of a type in a pair of names: the subtypes of the other are meant."""

COMBINATIONS_MAX = 64
"""Combinations of alternatives and views of one group in one environment that are judged."""

EXAMPLES_MAX = 64
"""Members of one shape that group rules look at; the others could add places only, and are counted."""

_MAIN = (
    b"static void main(",
    b"@SpringBootApplication",
    b"@EnableAutoConfiguration",
    b"SpringApplication.run(",
)
_NEVER_CALLED = frozenset({"main", "__init__", "<init>", "setUp", "tearDown", "test"})
_LIBRARIES = (
    "java.",
    "javax.",
    "jakarta.",
    "org.springframework.",
    "lombok.",
    "kotlin.",
    "scala.",
    "reactor.",
)


# -- reading ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Survey:
    """What the bytes of a file tell before anything is parsed. `unread` names a language that is not read; `context`:
    it says which beans an application has, and is read in every repository of a run that holds a candidate."""

    candidate: bool
    starts: bool
    unread: str = ""
    context: bool = False


def surveyed(path: str) -> bool:
    """Whether the bytes of a file of this name are looked at when nothing asked for it."""
    language = language_of(path)
    if language == "config":
        return spring_file(path) is not None
    return language in ("java", "kotlin", "python", "xml") or other_language(path) is not None


def survey(path: str, content: bytes) -> Survey:
    """Whether a file may declare a consumer, and whether a process may start in it."""
    language = language_of(path)
    if language is None:
        other = other_language(path)
        return Survey(False, False, other if other and is_candidate(None, content) else "")
    starts = False
    if language == "java":
        starts = any(token in content for token in _MAIN)
    elif language == "kotlin":
        starts = b"fun main(" in content or any(token in content for token in _MAIN[1:])
    elif language == "python":
        starts = b"__main__" in content
    return Survey(
        is_candidate(language, content),
        starts,
        context=language in ("java", "kotlin") and is_context(content),
    )


def always_read(path: str) -> bool:
    """Whether a file is read in every repository of a run that holds a candidate: build, Spring and deployment files,
    and who owns the code."""
    language = language_of(path)
    return language in ("build", "deploy", "owners") or (
        language == "config" and (spring_file(path) is not None or is_factories(path.rpartition("/")[2]))
    )


# -- consuming ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answers:
    """What the configuration of a repository settles: `[values]` (key, profile or "", text) and where it stands."""

    values: tuple[tuple[str, str, str], ...] = ()
    at: Location | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the facts at hand mention and no file read so far defines.

    `types` are full names (Python's start with a dot); `callers` pairs of simple names (type, member) whose call
    sites are wanted, (type, type) for constructors, subtypes and uses of annotations, (`BELOW`, type) for subtypes
    alone; `files` base names of settings files that code loads.
    """

    types: frozenset[str] = frozenset()
    callers: frozenset[tuple[str, str]] = frozenset()
    files: frozenset[str] = frozenset()


@dataclass(slots=True)
class Known:
    """All facts at hand, indexed for `consume`. Build one per round."""

    modules: Modules
    world: World
    files: tuple[Placed, ...]
    answers: Mapping[str, Answers] = field(default_factory=dict)
    surroundings: Surroundings = field(default_factory=Surroundings)
    _owners: dict[str, Owners] = field(default_factory=dict)
    _by_module: dict[object, list[Placed]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        files: Iterable[Placed],
        starts: Iterable[Origin],
        repos: Sequence[str],
        answers: Mapping[str, Answers] | None = None,
        modules: Modules | None = None,
        earlier: Known | None = None,
        *,
        settle: bool = False,
    ) -> Known:
        """`modules` are those of the whole run where `files` are only a part of it; `earlier` is what was known a
        round before, of some of these files; with `settle` nothing is taken over that would come out differently now."""
        placed = tuple(sorted(files, key=lambda each: each.origin))
        modules = modules or Modules((p for p in placed if p.facts.build), starts, repos)
        by_name: dict[str, list[Placed]] = {}
        by_module: dict[object, list[Placed]] = {}
        for each in placed:
            by_name.setdefault(each.origin.path.rpartition("/")[2], []).append(each)
            by_module.setdefault(modules.of(each.origin), []).append(each)
        world = World(
            modules,
            Definitions(placed, modules),
            {each.origin: each for each in placed},
            by_name,
            Program(placed, earlier.world.program if earlier else None, settle=settle),
        )
        surroundings = Surroundings.of(placed, world.wanted_files)
        return cls(modules, world, placed, answers or {}, surroundings, _by_module=by_module)

    def owners_of(self, origin: Origin) -> tuple[str, ...]:
        """Those that the CODEOWNERS file of its repository names for a file."""
        found = self._owners.get(origin.repo)
        if found is None:
            inside = (one for one in self.files if one.origin.repo == origin.repo)
            found = self._owners[origin.repo] = Owners(inside)
        return found.of(origin.path)

    def deployables(self) -> tuple[Deployable, ...]:
        """Those that may hold a consumer."""
        return tuple(d for d in self.modules.deployables if self.may_consume(d))

    def may_consume(self, deployable: Deployable) -> bool:
        """Whether a deployable may hold a consumer."""
        if deployable.tests_only:
            return any(
                placed.facts.sites or placed.facts.unit
                for placed in self._by_module.get(deployable.key, ())
                if scope_of(placed.origin.path) == "test"
            )
        return any(self._holds(key) for key in deployable.takes_in)

    def _holds(self, key: object) -> bool:
        return any(p.facts.sites or p.facts.unit or p.facts.config for p in self._by_module.get(key, ()))

    def files_of(self, deployable: Deployable) -> list[Placed]:
        """The files of the modules a deployable takes in; another module's tests are not taken in."""
        return [
            placed
            for key in deployable.takes_in
            for placed in self._by_module.get(key, ())
            if (
                placed.facts.config or (scope_of(placed.origin.path) == "test" and key == deployable.key)
                if deployable.tests_only
                else key == deployable.key or scope_of(placed.origin.path) != "test"
            )
        ]

    @property
    def settled(self) -> bool:
        """Whether all that was consumed took in all facts at hand; else a round that settles it is to follow."""
        return self.world.program.settled

    def wanted(self) -> Wanted:
        """What was asked for while consuming, and the names of own annotations."""
        types = frozenset(
            name
            for name in self.world.definitions.missing
            if not name.startswith(_LIBRARIES) and name.strip(".")
        )
        pairs = self.world.wanted | {(BELOW, name) for name in self.world.definitions.extended}
        pairs |= {(name, name) for name in own_annotations.learned_names(self.files)}
        callers = frozenset(pair for pair in pairs if pair[1] not in _NEVER_CALLED and all(pair))
        return Wanted(types, callers, frozenset(self.world.wanted_files))

    def apart(self, deployable: Deployable, cluster_of: Callable[[str], str]) -> Unit:
        """`consume`, with what this one deployable looked up; `asked` and `wanted` tell that of all of them together."""
        world, definitions = self.world, self.world.definitions
        before = (definitions.asked, definitions.missing, world.wanted)
        definitions.asked, definitions.missing, world.wanted = set(), set(), set()
        try:
            found = consume(self, deployable, cluster_of)
            return Unit(deployable.key.repo, found, self.asked())
        finally:
            before[0].update(definitions.asked)
            before[1].update(definitions.missing)
            before[2].update(world.wanted)
            definitions.asked, definitions.missing, world.wanted = before

    def asked(self) -> frozenset[str]:
        """The keys under which files of further repositories could have changed what was consumed.

        As long as no other file of the run has one of them (`keys_of`), consuming these files by themselves gives
        what consuming all files of the run gives.
        """
        missing = {name for name in self.world.definitions.missing if name.startswith(".")}
        modules = {f"module:{part}" for name in missing for part in name.split(".")[-2:] if part}
        used = {
            f"import:{name}" if owner == "import" else f"call:{name}" for owner, name in self.world.wanted
        }
        return frozenset(self.world.definitions.asked | modules | used)


@dataclass(frozen=True, slots=True)
class Unit:
    """What one deployable of `repo` came to, and what it looked up (as in `Known.asked`)."""

    repo: str
    found: Consumers
    asked: frozenset[str]


def keys_of(placed: Placed) -> frozenset[str]:
    """The keys under which other files can find a file, in the spelling of `Known.asked`."""
    found = set(definitions.keys_of(placed))
    if placed.facts.unit is not None:
        found |= {f"call:{name}" for name, _ in placed.facts.unit.calls}
    if placed.facts.language == "python" and placed.facts.unit is not None:
        imports = placed.facts.unit.imports
        found |= {f"import:{part}" for one in imports for part in (*one.path.split("."), one.member) if part}
    return frozenset(found)


def consume(known: Known, deployable: Deployable, cluster_of: Callable[[str], str]) -> Consumers:
    """The consumers of one deployable in all its environments, with what could not be determined."""
    files = known.files_of(deployable)
    if not files:
        return Consumers((), ())
    answers = known.answers.get(deployable.key.repo, Answers())
    configuration = Configuration(
        deployable,
        known.modules,
        files,
        {(key, profile): text for key, profile, text in answers.values},
        answers.at,
        frozenset(known.world.imported_files),
        known.surroundings,
        applications=applications.started(deployable, known.modules, files),
    )
    found = resolve_consumers(known.world, deployable, files, configuration, "")
    consumers = tuple(
        replace(
            one,
            cluster=cluster_of(one.name_server.text) if one.name_server.text else one.cluster,
            owners=known.owners_of(one.at.origin),
        )
        for one in found.consumers
    )
    return Consumers(consumers, (*found.diagnostics, *_blind_spots(consumers)))


def _blind_spots(consumers: Iterable[Consumer]) -> Iterator[Diagnostic]:
    """One diagnostic for each value of a member that is not known; test code is counted by `list` alone."""
    seen: set[tuple[Location, str, str]] = set()
    for consumer in consumers:
        if consumer.scope == "test" or consumer.disabled:
            continue
        for at, name, value in _values_at(consumer):
            if value.known or value.not_applicable or value.why is None:
                continue
            if name == "consume_mode" or (at, name, value.detail) in seen:
                continue
            seen.add((at, name, value.detail))
            yield Diagnostic("unresolved-value", _blind_sentence(consumer, name, value), at, _remedy(value))


def _values_at(consumer: Consumer) -> Iterator[tuple[Location, str, Value]]:
    yield consumer.at, "group", consumer.group
    yield consumer.at, "namespace", consumer.namespace
    yield consumer.at, "message_model", consumer.message_model
    for one in consumer.subscriptions:
        yield one.at, "topic", one.topic
        yield one.at, "expression", one.expression
        yield one.at, "filter_type", one.filter_type


def _blind_sentence(consumer: Consumer, name: str, value: Value) -> Message:
    if value.why is Why.NEVER_SUBSCRIBED:
        return say("never-subscribes")
    assert value.why is not None
    reason = say(f"why.{value.why.value}")
    if value.detail:
        reason = say("reason-with-detail", reason=reason, detail=value.detail)
    field = say(f"field.{name}")
    if consumer.group.text is not None and name != "group":
        return say("unresolved-value.of-group", field=field, group=consumer.group.text, reason=reason)
    return say("unresolved-value", field=field, reason=reason)


def _remedy(value: Value) -> Message | None:
    if value.why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY) and value.detail:
        return say("answer-in-values", key=value.detail)
    if value.why is Why.AMBIGUOUS:
        return say("declare-dependency")
    return None


# -- judging ----------------------------------------------------------------------------------------------------


def groups(consumers: Iterable[Consumer]) -> tuple[ConsumerGroup, ...]:
    """Consumers by (cluster, namespace, group); those whose group or namespace is unknown are in none, but for groups
    that are the same unknown inside one deployable."""
    found: dict[tuple[str, str, str], list[Consumer]] = {}
    for consumer in consumers:
        key = group_key(consumer)
        if key is not None:
            found.setdefault(key, []).append(consumer)
    return tuple(
        ConsumerGroup(namespace, name, cluster, tuple(sorted(members, key=_order)))
        for (cluster, namespace, name), members in sorted(found.items())
    )


def group_key(consumer: Consumer) -> tuple[str, str, str] | None:
    """Cluster, namespace and group of a consumer; None where group or namespace is not known, or the group is one of
    RocketMQ's own tools."""
    from linter.broker.names import is_system_group

    if consumer.namespace.text is None:
        return None
    name = consumer.group.text or _symbol(consumer)
    if not name or is_system_group(name):
        return None
    return (consumer.cluster, consumer.namespace.text, name)


def _symbol(consumer: Consumer) -> str:
    """The name of a group that is not known but the same for all of a deployable that get it from the same keys."""
    if not consumer.group.symbol or not consumer.deployable:
        return ""
    whole = consumer.deployable
    owner = whole if ":" in whole else f"{consumer.at.origin.repo}:{whole}"
    return f"{consumer.group.symbol} of {owner.removesuffix(':.')}"


def _order(consumer: Consumer) -> tuple[Location, str, tuple[str, ...]]:
    return (consumer.at, consumer.id, consumer.environments)


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
                symbol=consumer.symbol,
                ordinal=remark.ordinal + _ORDINALS_OF_ONE * _ordinal(consumer),
            )


_ORDINALS_OF_ONE = 1_000
"""Keeps findings about two consumers of one symbol apart."""


def _ordinal(consumer: Consumer) -> int:
    tail = consumer.id.rpartition(":")[2]
    return int(tail) if tail.isdigit() else 0


@dataclass(slots=True)
class _Met:
    """A remark with every environment it holds in, and what its level rests on."""

    remark: Remark
    rule: Rule
    environments: list[str]
    level: Severity
    conditional: Message | None
    prediction: Prediction


def judge(group: ConsumerGroup, rules: Sequence[Rule], assume: Assume) -> Verdict:
    """Rules and model on one group, environment by environment; one finding for one fact."""
    met: dict[tuple[str, str | None, tuple[str, ...]], _Met] = {}
    worst: Prediction | None = None
    group_rules = [rule for rule in rules if rule.check_group is not None]
    shapes = _shapes(group.consumers)
    for environment in group.environments:
        for members in _views(group.members(environment)):
            if len(members) < 2:
                continue
            from linter.broker.members import (
                predict_group,
            )  # a run over few files may have nothing to compare

            prediction = predict_group(members, assume)
            if worst is None or prediction.worst > worst.worst:
                worst = prediction
            examples, others = _examples(members, shapes)
            for rule in group_rules:
                assert rule.check_group is not None
                for remark in rule.check_group(group, examples):
                    whole = _counting(remark, others, shapes) if others else remark
                    _meet(met, rule, whole, group, environment, examples, prediction)
    findings = [_finding(group, one) for one in met.values()]
    silent: dict[int, bool] = {}
    for consumer in group.consumers:
        shape = shapes[id(consumer)]
        if not silent.get(shape):
            found = list(judge_consumer(consumer, rules))
            silent[shape] = not found
            findings += found
    return Verdict(
        group.namespace,
        group.name,
        group.cluster,
        len({c.id for c in group.consumers}),
        tuple(told_apart(sorted(_merged(findings), key=_finding_order))),
        worst,
    )


def _shapes(consumers: Iterable[Consumer]) -> dict[int, int]:
    """`id` of each consumer -> the number of its shape."""
    numbers: dict[tuple[object, ...], int] = {}
    return {id(one): numbers.setdefault(_shape(one), len(numbers)) for one in consumers}


def _shape(one: Consumer) -> tuple[object, ...]:
    """Equal for consumers of which rules and model say the same, places apart."""
    return (
        one.api,
        one.scope,
        one.group.text,
        one.namespace.text,
        one.version,
        one.broken,
        one.disabled,
        one.group.confidence,
        one.namespace.confidence,
        one.consume_mode.confidence,
        _known(one.message_model),
        one.instance_name.text,
        one.post_subscription.text,
        one.strategy.text,
        one.consume_from.text,
        one.owners,
        tuple(
            (
                _known(each.topic),
                _known(each.expression),
                _known(each.filter_type),
                each.late,
                each.dropped is not None,
            )
            for each in one.subscriptions
        ),
    )


def _known(value: Value) -> tuple[object, ...]:
    return (value.text, value.why, value.confidence)


def _examples(
    members: tuple[Consumer, ...], shapes: Mapping[int, int]
) -> tuple[tuple[Consumer, ...], Mapping[int, Sequence[Consumer]]]:
    """The first members of each shape, and by shape those that were left out."""
    if len(members) <= EXAMPLES_MAX:
        return members, {}
    found: dict[int, list[Consumer]] = {}
    for member in members:
        found.setdefault(shapes[id(member)], []).append(member)
    if max(map(len, found.values())) <= EXAMPLES_MAX:
        return members, {}
    others = {shape: alike[EXAMPLES_MAX:] for shape, alike in found.items() if len(alike) > EXAMPLES_MAX}
    left_out = {id(one) for alike in others.values() for one in alike}
    return tuple(one for one in members if id(one) not in left_out), others


def _counting(remark: Remark, others: Mapping[int, Sequence[Consumer]], shapes: Mapping[int, int]) -> Remark:
    """The remark with the number of further places that the members left out would have added."""
    shown = {place.at for place in remark.places}
    places = {
        at
        for shape in dict.fromkeys(shapes[id(member)] for member in remark.members)
        for one in others.get(shape, ())
        if (at := _place(one, remark.topic)) not in shown
    }
    return replace(remark, more_places=len(places), counts=tuple(_counts(remark, others, shapes)))


def _counts(
    remark: Remark, others: Mapping[int, Sequence[Consumer]], shapes: Mapping[int, int]
) -> Iterator[int]:
    """The consumers on each side, those among them that the rule was not shown."""
    members = iter(remark.members)
    for count in remark.counts:
        alike = {shapes[id(member)] for member in islice(members, count)}
        yield count + sum(len(others.get(shape, ())) for shape in alike)


def _place(member: Consumer, topic: str | None) -> Location:
    """Where a member says what a remark about the topic is about."""
    if topic is None:
        return member.at
    return next((one.at for one in reversed(member.subscriptions) if one.topic.text == topic), member.at)


def _views(members: Sequence[Consumer]) -> Iterator[tuple[Consumer, ...]]:
    """Who is in the group at once: one row of each choice, and one cluster for each repository and protocol.

    Within a repository two lists of name servers that have no address in common separate; a member whose address is
    not known is in every view.
    """
    rows: dict[str, list[Consumer]] = {}
    for member in members:
        rows.setdefault(member.id, []).append(member)
    cluster = _clusters(members)
    found: dict[tuple[str, str], set[int]] = {}
    for member in members:
        if id(member) in cluster:
            found.setdefault(_side(member), set()).add(cluster[id(member)])
    split = {side: sorted(numbers) for side, numbers in found.items() if len(numbers) > 1}
    for picked in islice(product(*split.values()), COMBINATIONS_MAX):
        chosen = dict(zip(split, picked, strict=True))
        inside = [
            options
            for options in rows.values()
            if (side := _side(options[0])) not in chosen
            or cluster.get(id(options[0]), chosen[side]) == chosen[side]
        ]
        yield from islice(product(*inside), COMBINATIONS_MAX)


def _side(member: Consumer) -> tuple[str, str]:
    """What a member's address is compared within: its repository and the protocol it speaks."""
    return (member.at.origin.repo, member.traits.client.value)


def _clusters(members: Iterable[Consumer]) -> dict[int, int]:
    """`id` of each member whose address is known -> the number of its cluster."""
    known = [one for one in members if one.name_server.text and not one.name_server.default]
    numbers = clusters(one.name_server.text or "" for one in known)
    return {id(one): numbers[one.name_server.text or ""] for one in known}


def _left_out(group: ConsumerGroup, one: _Met) -> tuple[str, ...]:
    """Places of the first members that were not compared, because their name servers are others."""
    cluster = _clusters(group.consumers)
    here = {_side(each): cluster[id(each)] for each in one.remark.members if id(each) in cluster}
    apart = [
        each
        for each in group.consumers
        if each.takes_part
        and id(each) in cluster
        and here.get(_side(each), cluster[id(each)]) != cluster[id(each)]
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
    if conditional is not None or _confidence(remark, remark.members) is Confidence.LOW:
        level = min(level, Severity.WARNING)
    key = (rule.name, remark.topic, remark.differs)
    known = met.get(key)
    if known is None:
        met[key] = _Met(remark, rule, [environment], level, conditional, prediction)
        return
    if environment not in known.environments:
        known.environments.append(environment)
    if (level, conditional is None) > (known.level, known.conditional is None):
        met[key] = replace_met(known, remark, level, conditional, prediction)


def replace_met(
    known: _Met, remark: Remark, level: Severity, conditional: Message | None, prediction: Prediction
) -> _Met:
    return _Met(remark, known.rule, known.environments, level, conditional, prediction)


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
    return say("only-through-members", scopes=[say(f"scope.{scope}") for scope in scopes])


def _confidence(remark: Remark, members: Sequence[Consumer]) -> Confidence:
    return min((member.confidence for member in members), default=Confidence.HIGH)


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
        help=one.remark.help,
        counts=one.remark.counts,
        prediction=one.prediction,
        cluster=group.cluster,
        left_out=_left_out(group, one),
    )


def told_apart(findings: Iterable[Finding]) -> Iterator[Finding]:
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


def problems(placed: Placed) -> Iterator[Diagnostic]:
    """The diagnostics of one file, placed."""
    for problem in placed.facts.problems:
        yield Diagnostic(problem.name, problem.message, placed.at(problem.at), problem.help)


def unread(origin: Origin, language: str) -> Diagnostic:
    """The diagnostic of a file in a language that is not read."""
    return Diagnostic(
        "unread-language",
        say("unread-language", language=language),
        Location(origin, START),
        say("compare-by-hand"),
    )


# -- demand -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """What one round reads in every repository.

    First the files that may define `names` (`files` are those that are base names of settings files), then every file
    that mentions one of the pairs `learned` since (as in `Wanted`).
    """

    names: tuple[str, ...]
    files: frozenset[str]
    learned: frozenset[tuple[str, str]]


class Demand:
    """What a run has looked for so far: nothing is looked for twice."""

    def __init__(self) -> None:
        self._looked: set[str] = set()
        self._learned: frozenset[tuple[str, str]] = frozenset()
        self._passes = 0

    @property
    def learned(self) -> frozenset[tuple[str, str]]:
        """The pairs whose users have been looked for."""
        return self._learned

    def request(self, wanted: Wanted) -> Request:
        """What to read for what a round asked for."""
        names = tuple(sorted((wanted.types | wanted.files) - self._looked))
        self._looked.update(names)
        before = self._learned
        learned: frozenset[tuple[str, str]] = frozenset()
        if wanted.callers - before and self._passes < REVERSE_PASSES_MAX:
            self._passes += 1
            learned = wanted.callers - before
            self._learned = before | learned
        return Request(names, wanted.files, learned)


Content = Callable[[str], "bytes | None"]
"""Path -> the bytes of a file of one repository, None where they cannot be had."""


def defining(request: Request, paths: Paths, read: Container[str], content: Content) -> tuple[str, ...]:
    """The files of one repository that may define what a round asks for, but those `read` already."""
    chosen: dict[str, None] = {}
    for name in request.names:
        found = paths.named(name) if name in request.files else paths.defining(name)
        simple, neighbours = ("", []) if found else paths.neighbours(name)
        chosen.update(dict.fromkeys(path for path in found if path not in read))
        for path in neighbours:
            if path not in read and path not in chosen and _declares(content(path), simple):
                chosen[path] = None
    return tuple(chosen)


def _declares(content: bytes | None, simple: str) -> bool:
    return content is not None and any(
        f"{word} {simple}".encode() in content for word in ("class", "interface", "enum", "record")
    )


_CALL = rb"(?:(?:^|[^\w>\]\s])\s*|\b(?:return|else|do|throw|yield|await|assert|in|and|or|not|if)\s+)"
"""What stands before the name in a call; a declaration has a type or a keyword there."""


@functools.cache
def _use(owner: str, name: str) -> re.Pattern[bytes]:
    """What a use of a learned name looks like: a call; for a type its construction, a subtype, an annotation, or it as a
    value."""
    word = re.escape(name.encode())
    if owner == "import":  # a Python module that does something when it is imported
        return re.compile(rb"\b(?:from|import)\s+[\w.]*\b" + word + rb"\b")
    subtype = _SUBTYPE.replace(b"NAME", word)
    if owner == BELOW:
        return re.compile(subtype)
    if owner != name:
        return re.compile(_CALL + word + rb"\s*\(|" + _REFERENCE + word + rb"\b")
    made = rb"\b" + word + rb"\s*(?:<[^;{]{0,300}?>\s*)?[({]"
    handed = rb"[(,]\s*(?:\w+\.)*" + word + rb"\s*[,)]"  # a class of Python is a value
    annotated = rb"@(?:\w+[.:])*" + word + rb"\b"
    reference = _REFERENCE + word + rb"\b|\b" + word + rb"::new\b"
    return re.compile(rb"|".join((made, subtype, handed, annotated, reference)))


_REFERENCE = rb"::\s*"
_SUBTYPE = rb"|".join(
    (
        rb"\b(?:extends|implements)\s[^{;]{0,300}?(?<!\w)NAME\b",
        rb"\b(?:class|interface|object)\b[^{;=]{0,300}?:[^{;=]{0,300}?(?<!\w)NAME\b",
        rb"\bclass\s+\w+\s*\([^)]{0,300}?(?<!\w)NAME\b",
        rb"\bnew\s+(?:\w+\.)*NAME\b[^{;]{0,300}?\)\s*\{",
    )
)
"""What extends or implements a type: in Java, Kotlin and Python, and an anonymous class."""

_WORDS = re.compile(rb"\w+").findall
_WORD = re.compile(rb"\w+").fullmatch


class Uses:
    """The pairs of names a round has learned, asked of one file after the other: prepare it once a round.

    A file costs one pass over its words however many names were learned; a pattern is compiled for a pair only when a
    file holds both of its names.
    """

    def __init__(self, learned: Iterable[tuple[str, str]]) -> None:
        self._owners: dict[bytes, list[tuple[str, str]]] = {}
        self._odd: list[
            tuple[str, str]
        ] = []  # names that are not made of ASCII letters alone: no word of a file
        for owner, name in sorted(learned):
            word = name.encode()
            if _WORD(word):
                self._owners.setdefault(word, []).append((owner, name))
            else:
                self._odd.append((owner, name))
        self._few = sorted(self._owners) if len(self._owners) <= _FEW else None

    def __bool__(self) -> bool:
        return bool(self._owners or self._odd)

    def in_file(self, content: bytes) -> bool:
        """Whether the bytes of a source file use one of the names."""
        return next(self.found(content), None) is not None

    def found(self, content: bytes) -> Iterator[tuple[str, str]]:
        """The pairs whose names the bytes of a source file use."""
        present: Iterable[bytes]
        if self._few is not None:
            present = (word for word in self._few if word in content)
        else:
            present = self._owners.keys() & set(_WORDS(content))
        yield from (pair for word in present for pair in self._owners[word] if _is_used(pair, content))
        for owner, name in self._odd:
            if name.encode() in content and _is_used((owner, name), content):
                yield owner, name


_FEW = 24
"""Names that are searched one by one: that is faster than to take a file apart into words."""


def _is_used(pair: tuple[str, str], content: bytes) -> bool:
    return (pair[0] == BELOW or _holds(pair[0].encode(), content)) and _use(*pair).search(content) is not None


_SHORT = 2
"""Letters of a name that nearly every file holds somewhere inside a word."""


def _holds(word: bytes, content: bytes) -> bool:
    if len(word) > _SHORT:
        return word in content
    return re.search(rb"\b" + re.escape(word) + rb"\b", content) is not None


def mentioning(uses: Uses, paths: Iterable[str], content: Content) -> Iterator[tuple[str, bytes]]:
    """The files of one repository, of those at `paths` that are not read yet, that mention a name a round has learned, with
    their bytes."""
    if not uses:
        return
    for path in paths:
        if language_of(path) in ("java", "kotlin", "python"):
            found = content(path)
            if found is not None and uses.in_file(found):
                yield path, found


class Paths:
    """The paths of one repository, indexed for demand: which file may define a name."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = {}
        self._folders: dict[str, list[str]] = {}
        self._kotlin: dict[str, list[str]] = {}
        for path in paths:
            folder, _, name = path.rpartition("/")
            self._by_name.setdefault(name, []).append(path)
            if name.endswith((".kt", ".kts")):
                self._kotlin.setdefault(folder, []).append(path)
            if name.endswith(".java"):
                self._folders.setdefault(folder, []).append(path)
        self._packages: dict[str, list[str]] = {}
        for folder in self._folders:
            self._packages.setdefault(folder.rpartition("/")[2], []).append(folder)

    def defining(self, name: str) -> list[str]:
        """The files whose path says that they define a type (Python names start with a dot)."""
        return self._python(name[1:]) if name.startswith(".") else self._java(name) or self._of_package(name)

    def _of_package(self, name: str) -> list[str]:
        """Every Kotlin file of the package a name is declared in: a file's name says nothing. Its folder may leave out
        the first parts of the package."""
        parts = name.split(".")
        end = next((i for i, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
        for cut in range(end + 1 if self._kotlin else 0):
            tail = "/".join(parts[cut:end])
            found = [
                path
                for folder, inside in self._kotlin.items()
                if folder == tail or folder.endswith(f"/{tail}" if tail else "/kotlin")
                for path in inside
            ]
            if found:
                return found
        return []

    def neighbours(self, name: str) -> tuple[str, list[str]]:
        """A Java type's simple name, and the files of its package, where no file bears its name."""
        package, simple = _java_parts(name)
        if not simple or not package or self._java(name):
            return "", []
        tail = package.replace(".", "/")
        folders = [
            folder
            for folder in self._packages.get(tail.rpartition("/")[2], ())
            if folder == tail or folder.endswith(f"/{tail}")
        ]
        return simple, [path for folder in folders for path in self._folders[folder]]

    def named(self, name: str) -> list[str]:
        """The files of a base name; `*` in it stands for any part."""
        if "*" not in name:
            return self._by_name.get(name, [])
        fits = re.compile(re.escape(name).replace(r"\*", "[^/]+")).fullmatch
        return [path for base, paths in self._by_name.items() if fits(base) for path in paths]

    def _java(self, name: str) -> list[str]:
        for package, simple in _java_splits(name):
            if f"{simple}.java" not in self._by_name:
                continue
            tail = f"{package.replace('.', '/')}/{simple}.java" if package else f"{simple}.java"
            dotted = f"{package}/{simple}.java"  # a folder named like the whole package
            found = [
                path
                for path in self._by_name.get(f"{simple}.java", ())
                if path == tail or path.endswith((f"/{tail}", f"/{dotted}"))
            ]
            if found:
                return found
        return []

    def _python(self, name: str) -> list[str]:
        parts = tuple(part for part in name.split(".") if part)
        found: list[str] = []
        for cut in range(len(parts), 0, -1):
            module = parts[:cut]
            for base in (f"{module[-1]}.py", "__init__.py"):
                found += [
                    path for path in self._by_name.get(base, ()) if python_module(path)[-cut:] == module
                ]
            if found:
                break
        return found


@functools.lru_cache(1 << 16)
def _java_splits(name: str) -> tuple[tuple[str, str], ...]:
    """Every way to tell package and outermost type of a full name apart; a package may be capitalised too."""
    parts = name.split(".")
    return tuple((".".join(parts[:index]), part) for index, part in enumerate(parts) if part[:1].isupper())


@functools.lru_cache(1 << 16)
def _java_parts(name: str) -> tuple[str, str]:
    """Package and outermost type of a full name, told apart by the case of the first letter."""
    parts = name.split(".")
    for index, part in enumerate(parts):
        if part[:1].isupper():
            return ".".join(parts[:index]), part
    return name, ""
