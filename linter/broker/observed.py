"""A situation with what was observed in it in place of what was predicted."""

from collections.abc import Iterable

from msgspec.structs import replace

from subdrift.linter.broker.fates import Content, sieve_of
from subdrift.linter.broker.scenario.given import Observation, Passed
from subdrift.linter.broker.states import AT_TIMES, Claim, Situation, TopicState
from subdrift.linter.broker.versions import LATEST, Version
from subdrift.linter.broker.vocabulary import FilterType, Subscription


def observed_in(situation: Situation, seen: Observation, broker: Version = LATEST) -> Situation:
    """The situation with the observations put in; `broker` decides how SQL92 texts are read."""
    topics = tuple(_observed(one, seen, broker) for one in situation.topics)
    unknown = situation.owners_unknown and seen.shares is None
    return replace(situation, topics=topics, owners_unknown=unknown)


def _observed(state: TopicState, seen: Observation, broker: Version) -> TopicState:
    claims, sql_claims = state.claims, state.sql_claims
    if seen.winner is not None and (subscription := seen.winner.get(state.topic)) is not None:
        held = [one.member for one in claims if one.subscription == subscription]
        claims = (Claim(held[0] if held else "?", subscription, 0, 0),)
        sql_claims = tuple(one for one in sql_claims if one.subscription == subscription)
    else:
        passed = [one for one in seen.passed if one.topic == state.topic]
        # what contradicts every candidate was seen under another table: then it says nothing about this one
        claims = tuple(_letting_pass(claims, passed, broker)) or claims
    if seen.sql is not None and (expression := seen.sql.get(state.topic)) is not None:
        sql_claims = (Claim("?", Subscription(state.topic, FilterType.SQL92, expression), 0, 0),)
    shares = state.shares
    if seen.shares is not None and (seen.looked_at is None or state.topic in seen.looked_at):
        shares = tuple((member, tuple(topics.get(state.topic, ()))) for member, topics in seen.shares.items())
    state = replace(state, claims=claims, sql_claims=sql_claims, shares=shares)
    if state.topic in seen.refused and not state.flaps:
        return replace(state, flaps=True, presence=AT_TIMES)
    return state


def _letting_pass(claims: Iterable[Claim], passed: Iterable[Passed], broker: Version) -> Iterable[Claim]:
    messages = [Content(one.tag, one.properties) for one in passed]
    return (
        one for one in claims if all(sieve_of(one.subscription, broker).passes(each) for each in messages)
    )
