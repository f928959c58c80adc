"""`subdrift rollout`: a group and what shall become of it in, the orders of steps that lose nothing out.

What is deployed is what the code says, or said at a revision; the goal is given, or what the code says since then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.broker.members import clients, supposed
from subdrift.linter.broker.rollout import regroup, tags
from subdrift.linter.broker.rollout.plan import Do, Plan, RolloutError, Setting
from subdrift.linter.broker.scenario.document import ScenarioError
from subdrift.linter.broker.scenario.reader import parse_scenario
from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import FilterType
from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli.commands import inputs_of
from subdrift.linter.cli.job import Job
from subdrift.linter.cli.news import at_revision
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError, language_of
from subdrift.linter.cli.predict import read_text
from subdrift.linter.model.called import short_names
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.finding import SentTag
from subdrift.linter.model.message import quoted, say, verbatim
from subdrift.linter.model.tags import TagSyntaxError, parse_tags
from subdrift.linter.model.unknown import lost
from subdrift.linter.pipeline import Looked, Result
from subdrift.linter.report import rollouts
from subdrift.linter.report.cost import EVERY_MESSAGE
from subdrift.linter.report.json import compose
from subdrift.linter.report.terminal import Style
from subdrift.linter.stages.senders import sent_tag


class Goal(Struct, frozen=True):
    """What is asked for: tags of a topic, groups of their own for some members, or one set of topics for all."""

    topic: str = ""
    to: str = ""
    split: tuple[str, ...] = ()
    union: bool = False

    @property
    def moves(self) -> dict[str, str]:
        """Member -> its new group. Raises `CannotError`."""
        found = {}
        for one in self.split:
            member, equals, group = one.rpartition("=")
            if not (member and equals and group):
                raise CannotError("rollout.bad-move", move=repr(one))
            found[member] = group
        return found


def rollout(
    group: str, goal: Goal, start: str, scenario: str, options: Options, output_format: str, style: Style
) -> str:
    """The answer as text, Markdown or JSON. Raises `CannotError`."""
    _check_goal(goal, start, scenario)
    try:
        if scenario:
            plan = _of_scenario(group, goal, scenario, options)
            senders: tuple[SentTag, ...] = ()
            configured = ""
        else:
            plan, senders, configured = _of_code(group, goal, start, options)
    except RolloutError as error:
        raise CannotError("rollout.of-group", group=repr(group), what=error.message) from error
    if output_format == "json":
        return compose(rollouts.document(plan, senders), indent=2) + "\n"
    language = language_of(options.lang, configured)
    if output_format == "markdown":
        return rollouts.markdown(plan, language, senders)
    return rollouts.render(plan, style, language, senders)


def _check_goal(goal: Goal, start: str, scenario: str) -> None:
    if scenario and start:
        raise CannotError("option.from-and-scenario")
    if bool(goal.split) + goal.union + bool(goal.topic) != 1 or (goal.to and not goal.topic):
        raise CannotError("rollout.one-goal")
    if goal.topic and not goal.to and not start:
        raise CannotError("option.no-goal")
    try:
        parse_tags(goal.to or "*")
    except TagSyntaxError as error:
        raise CannotError("option.goal-without-tags", goal=repr(goal.to)) from error


def _of_scenario(group: str, goal: Goal, file: str, options: Options) -> Plan:
    if options.paths or options.org is not None:
        raise CannotError("option.scenario-and-paths")
    try:
        found = parse_scenario(read_text(file), file)
    except ScenarioError as error:
        raise CannotError(verbatim(str(error))) from error
    if goal.topic:
        _check_topic(goal.topic, {each.topic for one in found.members for each in one.subscriptions})
    queues = tuple((name, count or 4) for name, count in found.topics)
    setting = Setting(group, found.members, queues, pop=found.pop, proxy_apart=found.proxy_apart)
    known = {one.name: one.name for one in found.members}
    return _plan(setting, goal, known, found.broker_version, found.client_version, found.property_filter)


def _plan(
    setting: Setting,
    goal: Goal,
    names: Mapping[str, str],
    broker: Version,
    client: Version,
    property_filter: bool,
) -> Plan:
    """The plan; `names`: what a member may be called on the command line -> its name in the plan."""
    if goal.topic:
        return tags.plan(setting, goal.topic, goal.to, broker, client)
    if goal.union:
        return regroup.union(setting, broker, client, property_filter)
    moves = {names.get(name, name): group for name, group in goal.moves.items()}
    return regroup.split(setting, moves, broker, client, property_filter)


def _of_code(name: str, goal: Goal, start: str, options: Options) -> tuple[Plan, tuple[SentTag, ...], str]:
    """The plan, who sends what it holds back, and the language the configuration asks for."""
    inputs = inputs_of(options)
    job = checkouts.prepare(inputs)
    try:
        looked = Looked()
        result = now = checkouts.execute(job, inputs, looked)
        _all_read(result, job, options)
        if goal.topic and not goal.to:
            goal = Goal(goal.topic, _tags_of(_consumers(result, name, goal.topic), goal.topic))
        if start:
            result = at_revision(job, inputs, start, looked)
        _check_new(result, name, goal)
        try:
            members = _consumers(result, name, goal.topic)
            plan = _planned(job, members, name, goal)
        except CannotError as error:
            if not start:
                raise
            raise CannotError("rollout.at", start=start, what=error.message) from error
        return plan, _senders(job, inputs, now, plan, members[0]), job.settings.lang
    finally:
        job.close()


def _senders(
    job: Job, inputs: checkouts.Inputs, now: Result, plan: Plan, member: Consumer
) -> tuple[SentTag, ...]:
    """Who sends what the steps ask senders to begin or stop; nothing where they ask for nothing, or the run sends nothing."""
    steps = [step for way in plan.ways for step in way.steps]
    asked = {tag for step in steps if step.do in (Do.STOP_SENDING, Do.START_SENDING) for tag in step.tags}
    if not asked:
        return ()
    found = checkouts.map_of(job, now, checkouts.sends_of(job, replace(inputs, quiet=True), now))
    if not found.unknown and not any(one.sent for one in found.topics):
        return ()
    namespace = member.namespace.text or ""
    topics = [
        one for one in found.topics if one.namespace == namespace and member.cluster in ("", one.cluster)
    ]
    return tuple(
        sent_tag(
            topic,
            None if tag == EVERY_MESSAGE else tag,
            topics,
            found,
            complete=job.settings.senders_complete,
        )
        for topic, tag in dict.fromkeys(
            pair for each in (plan.now, *(one.after for one in steps)) for pair in each.sent
        )
        if tag in asked
    )


def _check_new(result: Result, name: str, goal: Goal) -> None:
    """Raises `CannotError` where others are in a group that shall be new: cloned offsets would replace theirs."""
    places = {(one.namespace, one.cluster) for one in result.groups if one.name == name}
    for one in result.groups:
        if one.name in goal.moves.values() and one.name != name and (one.namespace, one.cluster) in places:
            users = _members(one)
            listed = ", ".join(short_names(users).values())
            if users:
                raise CannotError("rollout.group-in-use", group=repr(one.name), members=verbatim(listed))


def _all_read(result: Result, job: Job, options: Options) -> None:
    """Raises `CannotError` where a file or repository could not be read: a plan without its members may lose what they want."""
    missing = tuple(lost(result.diagnostics))
    if missing:
        said = checkouts.listed(missing, language_of(options.lang, job.settings.lang))
        raise CannotError("rollout.not-whole", count=len(missing), listed=verbatim(said))


def _consumers(result: Result, name: str, topic: str) -> tuple[Consumer, ...]:
    """The members of a group, of which all that a plan needs is known; at least one. Raises `CannotError`."""
    named = [one for one in result.groups if one.name == name]
    if not named:
        names = ", ".join(sorted({one.name for one in result.groups}))
        known = verbatim(names) if names else say("none-found")
        raise CannotError("rollout.no-group", name=repr(name), known=known)
    if len(named) > 1:
        where = [say("rollout.group-at", namespace=one.namespace, cluster=one.cluster) for one in named]
        raise CannotError("rollout.several-groups", name=repr(name), where=where)
    consumers = _members(named[0])
    _check(consumers, topic)
    return consumers


def _tags_of(consumers: Sequence[Consumer], topic: str) -> str:
    """The tags that all members of the code ask for. Raises `CannotError` where they do not agree."""
    names = short_names(consumers)
    found: dict[object, str] = {}
    for one in consumers:
        for each in one.subscriptions:
            if each.topic.text == topic and each.expression.text is not None:
                if each.filter_type.text != FilterType.TAG.value:
                    raise CannotError("rollout.sql-now", name=names[one.id], topic=repr(topic))
                asked = parse_tags(each.expression.text)
                found.setdefault((asked.is_all, asked.tags), each.expression.text)
    if len(found) != 1:
        said = [quoted(one) for one in found.values()] or say("none-found")
        raise CannotError("rollout.several-goals", said=said, topic=repr(topic))
    return next(iter(found.values()))


def _planned(job: Job, consumers: Sequence[Consumer], name: str, goal: Goal) -> Plan:
    assume = job.settings.assume.of(name)
    topics = {
        text for one in consumers for each in one.subscriptions if (text := each.topic.text) is not None
    }
    if goal.topic:
        _check_topic(goal.topic, topics)
    names = short_names(consumers)
    queues = tuple((topic, assume.queues_of(topic)) for topic in sorted(topics))
    namespace = consumers[0].namespace.text or ""
    setting = Setting(name, clients(consumers, names), queues, namespace)
    found = _plan(
        setting,
        goal,
        _called(consumers, names),
        assume.broker_version,
        assume.client_version,
        assume.property_filter,
    )
    return replace(found, supposed=(*found.supposed, *supposed(consumers, names)))


def _called(consumers: Sequence[Consumer], names: Mapping[str, str]) -> dict[str, str]:
    """What a reader may call each member beside its short name, where it is the only one: repository, code, id."""
    found: dict[str, list[str]] = {}
    for one in consumers:
        for text in dict.fromkeys((one.at.origin.repo, one.deployable, one.symbol, one.id)):
            found.setdefault(text, []).append(names[one.id])
    return {
        **{text: called[0] for text, called in found.items() if len(called) == 1},
        **{name: name for name in names.values()},
    }


def _members(group: ConsumerGroup) -> tuple[Consumer, ...]:
    """The members without a profile, else those of the first one that has any."""
    for environment in group.environments:
        found = group.members(environment)
        if found:
            return found
    return ()


def _check(consumers: Sequence[Consumer], topic: str) -> None:
    """Refuse what is not known: a plan for part of the group would be none. Without a topic all topics count."""
    for one in consumers:
        place = f"{one.at.origin.repo}/{one.at.origin.path}:{one.at.span.line}"
        if one.choice:
            raise CannotError("rollout.conditional", place=place)
        for each in one.subscriptions:
            if each.topic.text is None and not each.topic.not_applicable:
                raise CannotError("rollout.topic-not-known", place=place)
            if (
                each.topic.text in ((topic,) if topic else (each.topic.text,))
                and each.expression.text is None
            ):
                raise CannotError("rollout.tags-not-known", place=place)


def _check_topic(topic: str, known: Collection[str]) -> None:
    """Some members must subscribe to the topic; `known` are all their topics."""
    if topic not in known:
        topics = sorted(known)
        raise CannotError(
            "rollout.no-member-of-topic",
            topic=repr(topic),
            topics=verbatim(", ".join(topics)) if topics else say("none-found"),
        )
