"""`subdrift rollout`: a group, a topic and the tags it shall filter by in, the order of steps that loses nothing out.

What is deployed is what the code says, or said at a revision; the goal is given, or what the code says since then.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from linter.broker import rollout as engine
from linter.broker.members import clients
from linter.broker.scenario import Member
from linter.broker.scenario.document import ScenarioError
from linter.broker.scenario.reader import parse_scenario
from linter.broker.vocabulary import FilterType
from linter.cli import job as checkouts
from linter.cli.commands import inputs_of
from linter.cli.job import Job
from linter.cli.news import at_revision
from linter.cli.options import Options
from linter.cli.output import CannotError, language_of
from linter.cli.predict import read_text
from linter.model.consumer import Consumer, ConsumerGroup
from linter.model.tags import TagSyntaxError, parse_tags
from linter.pipeline import Looked, Result
from linter.report import rollouts
from linter.report.json import compose
from linter.report.names import short_names
from linter.report.terminal import Style


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
        raise CannotError(
            'say what the members shall ask for: --to "A || B", or --from REV for a change in the code'
        )
    if scenario and start:
        raise CannotError("give either --from REV or --scenario FILE: each says what is deployed")
    try:
        parse_tags(goal or "*")
    except TagSyntaxError as error:
        raise CannotError(f'--to {goal!r} holds separators only; name tags, "A || B", or "*"') from error
    try:
        if scenario:
            plan, configured = _of_scenario(topic, goal, scenario, options), ""
        else:
            plan, configured = _of_code(group, topic, goal, start, options)
    except engine.RolloutError as error:
        raise CannotError(f"group {group!r}: {error}") from error
    if as_json:
        return compose(rollouts.document(plan, group), indent=2) + "\n"
    return rollouts.render(plan, group, style, language_of(options.lang, configured))


def _of_scenario(topic: str, goal: str, file: str, options: Options) -> engine.Rollout:
    if options.paths or options.org is not None:
        raise CannotError("give either --scenario FILE, or PATHs or --org DIR")
    try:
        found = parse_scenario(read_text(file), file)
    except ScenarioError as error:
        raise CannotError(str(error)) from error
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
        raise CannotError(f"{start}: {error}" if start else str(error)) from error


def _consumers(result: Result, name: str, topic: str) -> tuple[Consumer, ...]:
    """The members of a group, of which all that a plan needs is known. Raises `CannotError`."""
    named = [one for one in result.groups if one.name == name]
    if not named:
        known = ", ".join(sorted({one.name for one in result.groups})) or "none"
        raise CannotError(f"there is no group {name!r}; groups that were found: {known}")
    if len(named) > 1:
        where = "; ".join(f"namespace {one.namespace!r}, cluster {one.cluster!r}" for one in named)
        raise CannotError(f"several groups are called {name!r} ({where}); write one of them as a scenario")
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
                    raise CannotError(f"{names[one.id]} filters {topic!r} by SQL92; name the tags with --to")
                tags = parse_tags(each.expression.text)
                found.setdefault((tags.is_all, tags.tags), each.expression.text)
    if len(found) != 1:
        said = " and ".join(f"`{one}`" for one in found.values()) or "nothing"
        raise CannotError(f"the members ask for {said} of {topic!r} now; name one goal with --to")
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
            raise CannotError(
                f"{place}: what this consumer asks for depends on a condition; write the case as --scenario FILE"
            )
        for each in one.subscriptions:
            if each.topic.text is None and not each.topic.not_applicable:
                raise CannotError(
                    f"{place}: a topic of this consumer is not known; `subdrift unresolved` says why"
                )
            if each.topic.text == topic and each.expression.text is None:
                raise CannotError(
                    f"{place}: the tags of this consumer are not known; `subdrift unresolved` says why"
                )


def _subscribing(members: Sequence[Member], topic: str, known: Collection[str]) -> tuple[Member, ...]:
    """The members, some of which subscribe to the topic; `known` are all their topics."""
    if topic not in known:
        topics = sorted(known)
        raise CannotError(f"no member subscribes to {topic!r}; its topics: {', '.join(topics) or 'none'}")
    return tuple(members)
