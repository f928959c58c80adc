"""The two models against each other, over every small group: members <= 3, queues <= 4, all orders of client ids.

For each group the closed form names a set of end states. Here the races are driven, not hoped for: every member in turn
is the slow one whose version is raised last. Both directions are held: no run ends outside the set, and each
state of the set is where some run ends.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.closed_form import predict_sides
from subdrift.linter.broker.fates import Content, Fate
from subdrift.linter.broker.outcomes import Question, possibilities
from subdrift.linter.broker.scenario import Message, Scenario, Verb
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.simulation.latency import Latency
from subdrift.linter.broker.simulation.result import SimulationResult, Standing
from subdrift.linter.broker.simulation.run import simulate
from subdrift.linter.broker.situations import sendings
from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from tests.broker.decoded import scenario_from

NAMES = ("A", "B", "C")
EXPRESSIONS = ("a", "b", "a||b", "*", " ")
"""Enough to be equal, disjoint, overlapping, everything and nothing; other tags only rename these."""
EXPRESSIONS_OF_THREE = ("a", "b", "a||b", "*")
TAGS = ("a", "b", "z", None)
CALM = Latency(jitter=0.0, stall_chance=0.0)
SLOW_US = 400_000
"""Longer than everything else between a join and the last raise of a version, for clients before 5.2.0."""
SLOW_PACED_US = 1_300_000
"""The same for later clients, whose first rebalance waits for a second."""

Ends = tuple[tuple[str, str, tuple[str, ...]], ...]
State = tuple[str | None, Ends]
"""The expression the broker applies, and for each message what became of it and who received it."""


def messages(queues: int) -> list[dict[str, Any]]:
    return [
        {"id": f"{tag}{queue}", "topic": "T", "queue": queue, "tag": tag, "phase": 1}
        for tag in TAGS
        for queue in range(queues)
    ]


def scenario(
    members: list[dict[str, Any]], queues: int, order: tuple[str, ...], wait_ms: int = 2500, **more: Any
) -> Scenario:
    """The members join one after the other; messages follow when all is quiet."""
    steps: list[dict[str, Any]] = []
    for one in members:
        steps += [{"start": one["name"]}, {"wait": wait_ms}]
    steps += [{"send": 1}, {"judge": 6}]  # in 6 s everything is read, if not committed
    return scenario_from(
        {
            "id": "small",
            "topics": {"T": queues, "U": queues},
            "timing": "fast",
            "members": members,
            "idOrder": list(order),
            "steps": steps,
            "messages": messages(queues),
            "brokerVersion": "4.9.7",
            "clientVersion": "4.9.8",
            **more,
        }
    )


def push(name: str, expression: str, **more: Any) -> dict[str, Any]:
    kind = "SQL92" if " = " in expression else "TAG"
    return {"name": name, "subscriptions": [{"topic": "T", "type": kind, "expression": expression}], **more}


def runs(given: Scenario, slow_us: int) -> Iterator[SimulationResult]:
    """One run for each member that may be the last to raise its version."""
    for name in [one.name for one in given.members]:
        yield simulate(given, latency=replace(CALM, slow_us={name: slow_us}))


def state_of(result: SimulationResult) -> State:
    phase = result.phases[-1]
    applied = phase.winner("T")
    if applied is not None and applied.filter_type == "SQL92":
        (applied,) = phase.sql_filters  # the table names another one's text only while ghosts remain
    ends = []
    for one in result.fates:
        receivers = tuple(sorted(one.members))
        fate = Standing.LOST if one.fate is Standing.PASSED else one.fate
        ends.append((one.message, fate.value, receivers))
    return applied.expression if applied else None, tuple(sorted(ends))


WORD = {
    Fate.DELIVERED: Standing.DELIVERED.value,
    Fate.LOST: Standing.LOST.value,
    Fate.STUCK: Standing.WAITING.value,
    Fate.DELAYED: Standing.WAITING.value,
    Fate.SKIPPED: Standing.UNWANTED.value,
}


def predicted(given: Scenario, unwanted: set[str]) -> set[State]:
    """The closed form's end states: one for each subscription the broker may hold."""
    (sending,) = sendings(given)
    (situation,) = sending.at_send
    assert not sending.later
    topic = situation.topic("T")
    assert topic is not None
    winners = {claim.subscription.expression or "*" for claim in topic.claims}
    ends: dict[str, list[tuple[str, str, tuple[str, ...]]]] = defaultdict(list)
    for message in given.messages:
        for one in possibilities(given, sending, question(message)):
            word = WORD[one.ending.fate]
            if message.id in unwanted:
                word = Standing.UNWANTED.value
            end = (message.id, word, tuple(sorted(one.ending.receivers)))
            for applied in winners if one.applied is None else {one.applied or "*"}:
                ends[applied].append(end)
    return {(applied, tuple(sorted(set(found)))) for applied, found in ends.items()}


def question(message: Message) -> Question:
    return Question(message.topic, message.queue, Content(message.tag, message.properties), message.id)


def small_groups(size: int) -> Iterator[tuple[str, ...]]:
    """Every assignment of expressions, one of each pair that differs only in the names of the tags."""
    swap = {"a": "b", "b": "a"}
    for chosen in product(EXPRESSIONS if size < 3 else EXPRESSIONS_OF_THREE, repeat=size):
        if chosen <= tuple(swap.get(one, one) for one in chosen):
            yield chosen


def differences(given: Scenario, simulated: set[State], expected: set[State]) -> str:
    members = "; ".join(f"{m.name} {[s.expression for s in m.subscriptions]}" for m in given.members)
    lines = [f"{members}; {given.queues('T')} queues; order {given.id_order}"]
    for title, states in (("only simulated", simulated - expected), ("only predicted", expected - simulated)):
        for winner, ends in sorted(states, key=str):
            lines.append(
                f"{title}: {winner!r} " + " ".join(f"{m}:{fate}{','.join(by)}" for m, fate, by in ends)
            )
    return "\n".join(lines)


@cache
def push_states(chosen: tuple[str, ...], order: tuple[str, ...], queues: int) -> frozenset[State]:
    """The end states of push members that start in the order of their names."""
    members = [push(*pair) for pair in zip(NAMES, chosen, strict=False)]
    return frozenset(map(state_of, runs(scenario(members, queues, order), SLOW_US)))


def both(given: Scenario, slow_us: int) -> tuple[set[State], set[State]]:
    """The end states of the simulation, and those of the closed form."""
    found = list(runs(given, slow_us))
    unwanted = {one.message for one in found[0].fates if one.fate is Standing.UNWANTED}
    return {state_of(one) for one in found}, predicted(given, unwanted)


def hold_together(given: Scenario, slow_us: int) -> int:
    """Fails unless both models have the same set of end states; the number of states."""
    simulated, expected = both(given, slow_us)
    assert simulated == expected, differences(given, simulated, expected)
    return len(simulated)


@pytest.mark.parametrize("queues", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_push_groups_end_in_exactly_the_states_of_the_closed_form(size: int, queues: int) -> None:
    names = NAMES[:size]
    races = 0
    for chosen in small_groups(size):
        members = [push(*pair) for pair in zip(names, chosen, strict=True)]
        for order in permutations(names):
            simulated = push_states(chosen, order, queues)
            unwanted = {m for _, ends in simulated for m, word, _ in ends if word == Standing.UNWANTED.value}
            given = scenario(members, queues, order)
            expected = predicted(given, unwanted)
            assert simulated == expected, differences(given, set(simulated), expected)
            races += len(simulated) > 1
    assert races or size == 1, "no group had an open race"


POST = {"options": {"postSubscriptionWhenPull": True}}
KINDS: dict[str, dict[str, Any]] = {
    "push": {},
    "posts its filter": POST,
    "lite pull": {"clientKind": "litepull"},
    "orderly": {"options": {"orderly": True}},
    "broadcasting": {"messageModel": "BROADCASTING"},
    "by circle": {"options": {"strategy": "AVG_BY_CIRCLE"}},
    "by hash": {"options": {"strategy": "CONSISTENT_HASH"}},
}


WAITS_FOR_UNLOCK = (
    "a new owner cannot lock a queue before the old one gave it up, so it raises its version later"
)
CLOSED_FORM_IS_COARSER = {
    ("orderly", "orderly"): WAITS_FOR_UNLOCK,
}
"""First and second member, and why a winner that the closed form leaves possible never comes about."""


def _named(name: str, kinds: tuple[str, str], order: tuple[str, ...]) -> dict[str, str]:
    """Client ids in that order where one is hashed: without them nobody knows who owns a queue."""
    return {"clientId": f"{order.index(name):03d}-{name}"} if "by hash" in kinds else {}


@pytest.mark.parametrize("kinds", list(product(KINDS, repeat=2)), ids=" and ".join)
def test_pairs_of_all_kinds_end_in_exactly_the_states_of_the_closed_form(kinds: tuple[str, str]) -> None:
    finer = 0
    for chosen in (("a", "b"), ("a", "*"), (" ", "b")):
        for queues, order in product((1, 2, 3, 4), permutations(NAMES[:2])):
            members = [
                push(name, expression, **KINDS[kind], **_named(name, kinds, order))
                for name, expression, kind in zip(NAMES, chosen, kinds, strict=False)
            ]
            given = scenario(
                members, queues, order, wait_ms=9000 if kinds == ("orderly", "orderly") else 4000
            )
            simulated, expected = both(given, SLOW_US)
            if kinds in CLOSED_FORM_IS_COARSER:
                assert simulated <= expected, differences(given, simulated, expected)
                finer += simulated < expected
            else:
                assert simulated == expected, differences(given, simulated, expected)
    assert finer or kinds not in CLOSED_FORM_IS_COARSER, "the exception is no longer needed"


@pytest.mark.parametrize("queues", [1, 2, 3, 4])
def test_sql_beside_tags_ends_in_exactly_the_states_of_the_closed_form(queues: int) -> None:
    pool = ("a", "TAGS = 'b'", "TAGS = 'a'", "*")
    config: dict[str, Any] = {"brokerConfig": {"enablePropertyFilter": "true"}}
    for chosen in product(pool, repeat=2):
        members = [push(*pair) for pair in zip(NAMES, chosen, strict=False)]
        for order in permutations(NAMES[:2]):
            hold_together(scenario(members, queues, order, **config), SLOW_US)


@pytest.mark.parametrize("queues", [1, 2, 3, 4])
def test_pairs_of_paced_clients_end_in_exactly_the_states_of_the_closed_form(queues: int) -> None:
    versions: dict[str, Any] = {"brokerVersion": "5.3.3", "clientVersion": "5.3.3"}
    for chosen in small_groups(2):
        members = [push(*pair) for pair in zip(NAMES, chosen, strict=False)]
        for order in permutations(NAMES[:2]):
            hold_together(scenario(members, queues, order, wait_ms=4000, **versions), SLOW_PACED_US)


@pytest.mark.parametrize("queues", [1, 2, 3, 4])
@pytest.mark.parametrize("leaver", NAMES)
def test_groups_that_a_member_left_end_in_exactly_the_states_of_the_closed_form(
    leaver: str, queues: int
) -> None:
    """With the ghosts: a subscription stays in force after its member has gone."""
    for chosen in (("a", "b", "*"), ("a", "a", "b"), ("a", "b", "a"), ("*", "a", "b")):
        members = [push(*pair) for pair in zip(NAMES, chosen, strict=True)]
        for order in permutations(NAMES):
            given = scenario(members, queues, order)
            joined = len(given.steps) - 2
            gone = scenario_from(
                {
                    "id": "x",
                    "topics": {"T": 1},
                    "members": members,
                    "steps": [{"stop": leaver}, {"wait": 6000}],
                }
            )
            given = replace(given, steps=(*given.steps[:joined], *gone.steps, *given.steps[joined:]))
            hold_together(given, SLOW_US)


HEARTBEAT_MS = 5000
OFFSETS_MS = (0, 900, 1800, 2700, 3600, 4500)
"""When in the cycle of heartbeats the messages are sent."""
GAPS_MS = ((1700, 1700), (3400, 3400), (3400, 700))
"""Between the starts: they order the heartbeats within a cycle in different ways."""
NEWER_PULLS_ARE_REFUSED = """
Where two expressions and a member without the topic meet, the closed form lets every subscriber hold the topic in turn.
But a pull that is newer than what the table holds at the time is refused with code 25, so an owner whose version is the
newest is never served by another's subscription, and what the closed form calls possible need not come about.
"""

End = tuple[str, tuple[str, ...]]


def flapping() -> Iterator[tuple[str | None, ...]]:
    """What three members ask for, one of them without the topic, one of each pair that differs only in the names of tags."""
    for lists in product(("a", "b", None), repeat=3):
        if None in lists and "a" in lists[: lists.index("b") if "b" in lists else None]:
            yield lists


@pytest.mark.parametrize("queues", [1, 2, 4])
@pytest.mark.parametrize("lists", list(flapping()))
def test_messages_of_a_flapping_topic_end_as_the_closed_form_says(
    lists: tuple[str | None, ...], queues: int
) -> None:
    """Members without the topic delete it; who holds it changes all the time, so messages are compared one by one."""
    members = [
        {"name": name, "subscriptions": [{"topic": "T" if one else "U", "expression": one or "*"}]}
        for name, one in zip(NAMES, lists, strict=True)
    ]
    for order in permutations(NAMES):
        given = scenario(members, queues, order)
        possible: dict[str, set[End]] = defaultdict(set)
        seen: dict[str, set[End]] = defaultdict(set)
        for gaps, slow, offset in product(GAPS_MS, NAMES, OFFSETS_MS):
            run = with_waits(given, *gaps, 2 * HEARTBEAT_MS + offset)
            result = simulate(run, latency=replace(CALM, slow_us={slow: SLOW_US}))
            unwanted = {one.message for one in result.fates if one.fate is Standing.UNWANTED}
            for message, end in possible_ends(run, unwanted):
                possible[message].add(end)
            for message, end in ends_of(result):
                seen[message].add(end)
            assert all(seen[message] <= possible[message] for message in seen), (members, order)
            if reached(possible, seen, missed := without_bound(run)):
                break
        contended = "a" in lists and "b" in lists
        assert reached(possible, seen, missed) or contended, (members, order, NEWER_PULLS_ARE_REFUSED)


STILL_WAITING: End = (Standing.WAITING.value, ())


def without_bound(given: Scenario) -> set[str]:
    """The messages that may wait for ever, as the topic is there too briefly: few runs show that it comes to it."""
    (sending,) = sendings(given)
    return {
        m.id
        for m in given.messages
        if any(way.delay_ms is None for way in possibilities(given, sending, question(m)))
    }


def reached(possible: dict[str, set[End]], seen: dict[str, set[End]], missed: set[str]) -> bool:
    """Whether all that was called possible was seen, but for the waits without a bound."""
    return all(
        ends - seen[message] <= ({STILL_WAITING} if message in missed else set())
        for message, ends in possible.items()
    )


def with_waits(given: Scenario, *waits_ms: int) -> Scenario:
    waits = iter(waits_ms)
    return replace(
        given,
        steps=tuple(
            replace(step, ms=next(waits)) if step.verb is Verb.WAIT else step for step in given.steps
        ),
    )


def ends_of(result: SimulationResult) -> Iterator[tuple[str, End]]:
    for one in result.fates:
        fate = Standing.LOST if one.fate is Standing.PASSED else one.fate
        yield one.message, (fate.value, one.members)


def possible_ends(given: Scenario, unwanted: set[str]) -> Iterator[tuple[str, End]]:
    (sending,) = sendings(given)
    for message in given.messages:
        for way in possibilities(given, sending, question(message)):
            word = Standing.UNWANTED.value if message.id in unwanted else WORD[way.ending.fate]
            yield message.id, (word, tuple(sorted(way.ending.receivers)))


def test_popping_members_take_what_the_closed_form_says_they_may() -> None:
    """Nobody owns a queue: each message is compared by itself, over many seeds."""
    pop: dict[str, Any] = {"options": {"clientRebalance": False}}
    grpc: dict[str, Any] = {"clientKind": "grpc"}
    for kinds in ((pop, pop), (grpc, grpc)):
        for expressions in (("a", "b"), ("a", "*")):
            members = [push(n, e, **kind) for n, e, kind in zip(NAMES, expressions, kinds, strict=False)]
            versions: dict[str, Any] = {
                "requestMode": "POP",
                "brokerVersion": "5.3.3",
                "clientVersion": "5.3.3",
            }
            given = scenario(members, 2, NAMES[:2], **versions)
            possible: dict[str, set[End]] = defaultdict(set)
            seen: dict[str, set[End]] = defaultdict(set)
            for seed in range(40):
                result = simulate(given, seed)
                unwanted = {one.message for one in result.fates if one.fate is Standing.UNWANTED}
                for message, end in ends_of(result):
                    seen[message].add(end)
                for message, end in possible_ends(given, unwanted):
                    possible[message].add(end)
            assert seen == possible, members


def static_sides(chosen: tuple[str, ...]) -> tuple[Side, ...]:
    return tuple(
        Side(
            name,
            1,
            ClientKind.PUSH,
            MessageModel.CLUSTERING,
            (Subscription("T", FilterType.TAG, expression),),
        )
        for name, expression in zip(NAMES, chosen, strict=False)
    )


@pytest.mark.parametrize("queues", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_shares_of_a_group_at_rest_span_what_is_simulated(size: int, queues: int) -> None:
    """Nothing known of start order and ids: the ends of each range are reached, and nothing lies outside it."""
    assume = Assume(queues=queues, client_version=Version(4, 9, 8), broker_version=Version(4, 9, 7))
    pool = EXPRESSIONS if size < 3 else ("a", "b", "*")
    for chosen in combinations_with_replacement(pool, size):
        prediction = predict_sides(static_sides(chosen), assume).topic("T")
        assert prediction is not None
        seen: dict[tuple[str, str, str], set[Fraction]] = defaultdict(set)
        got: dict[tuple[str, str, str], set[Fraction]] = defaultdict(set)
        for started in set(permutations(chosen)):
            for order in permutations(NAMES[:size]):
                for winner, ends in push_states(started, order, queues):
                    for (tag, word), count in ends_by_tag(ends).items():
                        seen[str(winner), tag, word].add(Fraction(count, queues))
                    for name, expression in zip(NAMES, started, strict=False):
                        for tag, count in received_by(name, ends).items():
                            got[str(winner), tag, expression].add(Fraction(count, queues))
        for outcome in prediction.outcomes:
            for one in outcome.classes:
                tag = "z" if one.message.tag is None else one.message.tag
                for each in one.members:
                    expression = chosen[NAMES.index(each.member)]
                    asked = expression == "*" or tag in map(str.strip, expression.split("||"))
                    share = each.delivered if asked else each.unexpected
                    received = got[str(outcome.expression), tag, expression]
                    assert (min(received), max(received)) == (share.low, share.high), (chosen, each)
                for word, share in (("delivered", one.delivered), ("lost", one.lost), ("waiting", one.stuck)):
                    found = seen[str(outcome.expression), tag, word]
                    assert (min(found), max(found)) == (share.low, share.high), (
                        chosen,
                        outcome.expression,
                        tag,
                        word,
                    )
        assert {expression for expression, _, _ in seen} == set(chosen)


def received_by(name: str, ends: Ends) -> dict[str, int]:
    """How many of the messages of each tag that anybody wants a member received."""
    counts = dict.fromkeys(map(str, TAGS), 0)
    for message, word, receivers in ends:
        counts[message.rstrip("0123456789")] += word != Standing.UNWANTED.value and name in receivers
    return counts


def ends_by_tag(ends: Ends) -> dict[tuple[str, str], int]:
    """How many of the messages of each tag ended so; 0 is counted too."""
    counts = {(str(tag), word): 0 for tag in TAGS for word in ("delivered", "lost", "waiting")}
    for message, word, _ in ends:
        if word != Standing.UNWANTED.value:
            counts[message.rstrip("0123456789"), word] += 1
    return counts
