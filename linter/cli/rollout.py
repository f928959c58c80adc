"""`subdrift rollout`: a group, a topic and the tags it shall filter by in, the order of steps that loses nothing out.

What is deployed is what the code says, or said at a revision; the goal is given, or what the code says since then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from subdrift.linter.broker import rollout as engine
from subdrift.linter.broker.members import clients
from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.scenario.document import ScenarioError
from subdrift.linter.broker.scenario.reader import parse_scenario
from subdrift.linter.broker.vocabulary import FilterType
from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli.commands import inputs_of
from subdrift.linter.cli.job import Job
from subdrift.linter.cli.news import at_revision
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError, language_of
from subdrift.linter.cli.predict import read_text
from subdrift.linter.model.consumer import Consumer, ConsumerGroup
from subdrift.linter.model.message import quoted, say, verbatim
from subdrift.linter.model.tags import TagSyntaxError, parse_tags
from subdrift.linter.pipeline import Looked, Result
from subdrift.linter.report import rollouts
from subdrift.linter.report.json import compose
from subdrift.linter.report.names import short_names
from subdrift.linter.report.terminal import Style


def rollout(
    group: str,
    topic: str,
    goal: str,
    start: str,
    scenario: str,
    options: Options,
    as_json: bool,
    style: Style,
) -> str:
    """The answer as text or JSON. Raises `CannotError`."""
    if not goal and (scenario or not start):
        raise CannotError("option.no-goal")
    if scenario and start:
        raise CannotError("option.from-and-scenario")
    try:
        parse_tags(goal or "*")
    except TagSyntaxError as error:
        raise CannotError("option.goal-without-tags", goal=repr(goal)) from error
    try:
        if scenario:
            plan, configured = _of_scenario(topic, goal, scenario, options), ""
        else:
            plan, configured = _of_code(group, topic, goal, start, options)
    except engine.RolloutError as error:
        raise CannotError("rollout.of-group", group=repr(group), what=error.message) from error
    if as_json:
        return compose(rollouts.document(plan, group), indent=2) + "\n"
    return rollouts.render(plan, group, style, language_of(options.lang, configured))


def _of_scenario(topic: str, goal: str, file: str, options: Options) -> engine.Rollout:
    if options.paths or options.org is not None:
        raise CannotError("option.scenario-and-paths")
    try:
        found = parse_scenario(read_text(file), file)
    except ScenarioError as error:
        raise CannotError(verbatim(str(error))) from error
    topics = {each.topic for one in found.members for each in one.subscriptions}
    members = _subscribing(found.members, topic, topics)
    queues = found.queues(topic) or 4
    return engine.plan(topic, members, goal, queues, found.broker_version, found.client_version)


def _of_code(name: str, topic: str, goal: str, start: str, options: Options) -> tuple[engine.Rollout, str]:
    """The plan, and the language the configuration asks for."""
    inputs = inputs_of(options)
    job = checkouts.prepare(inputs)
    try:
        looked = Looked()
        result = checkouts.execute(job, inputs, looked)
        wanted = goal or _tags_of(_consumers(result, name, topic), topic)
        if start:
            result = at_revision(job, inputs, start, looked)
    finally:
        job.close()
    try:
        return _planned(job, _consumers(result, name, topic), name, topic, wanted), job.settings.lang
    except CannotError as error:
        if not start:
            raise
        raise CannotError("rollout.at", start=start, what=error.message) from error


def _consumers(result: Result, name: str, topic: str) -> tuple[Consumer, ...]:
    """The members of a group, of which all that a plan needs is known. Raises `CannotError`."""
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
                tags = parse_tags(each.expression.text)
                found.setdefault((tags.is_all, tags.tags), each.expression.text)
    if len(found) != 1:
        said = [quoted(one) for one in found.values()] or say("none-found")
        raise CannotError("rollout.several-goals", said=said, topic=repr(topic))
    return next(iter(found.values()))


def _planned(job: Job, consumers: Sequence[Consumer], name: str, topic: str, goal: str) -> engine.Rollout:
    assume = job.settings.assume.of(name)
    topics = {
        text for one in consumers for each in one.subscriptions if (text := each.topic.text) is not None
    }
    members = _subscribing(clients(consumers, short_names(consumers)), topic, topics)
    queues = assume.queues_of(topic)
    return engine.plan(topic, members, goal, queues, assume.broker_version, assume.client_version)


def _members(group: ConsumerGroup) -> tuple[Consumer, ...]:
    """The members without a profile, else those of the first one that has any."""
    for environment in group.environments:
        found = group.members(environment)
        if found:
            return found
    return ()


def _check(consumers: Sequence[Consumer], topic: str) -> None:
    """Refuse what is not known: a plan for part of the group would be none."""
    for one in consumers:
        place = f"{one.at.origin.repo}/{one.at.origin.path}:{one.at.span.line}"
        if one.choice:
            raise CannotError("rollout.conditional", place=place)
        for each in one.subscriptions:
            if each.topic.text is None and not each.topic.not_applicable:
                raise CannotError("rollout.topic-not-known", place=place)
            if each.topic.text == topic and each.expression.text is None:
                raise CannotError("rollout.tags-not-known", place=place)


def _subscribing(members: Sequence[Member], topic: str, known: Collection[str]) -> tuple[Member, ...]:
    """The members, some of which subscribe to the topic; `known` are all their topics."""
    if topic not in known:
        topics = sorted(known)
        raise CannotError(
            "rollout.no-member-of-topic",
            topic=repr(topic),
            topics=verbatim(", ".join(topics)) if topics else say("none-found"),
        )
    return tuple(members)
