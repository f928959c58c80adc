"""The whole prediction of each pair of members that differ, and of chosen larger groups, as committed.

Whether the closed form is right is held by the recordings and by the event simulation. This holds all of it: each share,
step and name. `make golden` writes it anew; what changes there has to be as true as what it replaces.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from subdrift.linter.broker import topic_form
from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.closed_form import predict_sides
from subdrift.linter.broker.side import Side
from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.model.prediction import NONE, ClassOutcome, Prediction, Share, Step

GOLDEN = Path(__file__).parent.parent.parent / "fixtures" / "golden" / "predictions"

KINDS = {
    "push": ClientKind.PUSH,
    "pull": ClientKind.PULL,
    "lite": ClientKind.LITE_PULL,
    "grpc": ClientKind.GRPC,
}
ALONE = (
    "push T=A||B",
    "push T=A",
    "push T=*",
    "push T=",
    "push T=Aa||BB",
    "push T=AaBB",
    "push T=sql:n > 1",
    "push T=A U=*",
    "push U=A",
    "push",
    "push broadcasting T=B",
    "push broadcasting",
    "push ?model T=A",
    "push post T=B",
    "push x2 T=A",
    "push circle T=A",
    "push machine T=B",
    "push ?strategy T=A",
    "push ?T",
    "push ?more U=*",
    "pull T=A",
    "pull",
    "lite T=B",
    "lite T=sql:n > 1",
    "grpc T=A",
    "grpc T=*",
    "grpc T=sql:n > 5",
)
"""The members that are paired, each with each."""
GROUPS = (
    # at rest with other numbers of queues and clients
    "push x2 T=A / push x3 T=B / queues 4",
    "push T=A / push T=B / queues 1",
    "push x3 T=A / push T=A||B / queues 2",
    "push x2 T=A / push circle T=B / queues 3",
    "push x2 T=A / push circle x2 T=A||B / push hash T=B / queues 5",
    "push hash T=A / push hash T=B / queues 4",
    "push x4 T=A / push circle x4 T=B / push T=* / queues 4",
    "push x2 circle T=A / push x2 circle T=B / queues 5 / T has 7",
    "push T=A / push T=B / push U=A / queues 2 / U has 1",
    # SQL92 that the broker does not allow
    "push T=sql:n > 1 / push T=A / no sql",
    "push T=sql:n > 1 / push post T=sql:n > 1 / no sql",
    "grpc T=sql:n > 1 / push T=A / no sql",
    "lite T=sql:n > 1 / lite T=A / no sql",
    "push U=A T=sql:n > 1 / push U=A / no sql",
    # three and more
    "push T=A / push T=A||B / push T=C",
    "push T=A / push T=A / push T=B",
    "push T=A / push T=sql:TAGS = 'A' / push T=*",
    "push T=A / push post T=B / lite T=*",
    "push T=A / push / push broadcasting T=B",
    "push T=* U=A / push T=* / push U=A||B V=C",
    "push T=A / grpc T=B / grpc T=*",
    "push T=A / pull / pull T=A",
    "push broadcasting T=A / push broadcasting T=B / push T=C",
    "push T=A v4.5.0 / push T=B v5.0.0",
    "push broadcasting v5.0.0 / push broadcasting",
    "push broadcasting v4.8.0 / push broadcasting v4.8.0 / client 4.8.0",
    "push broadcasting / push broadcasting / client 5.3.3",
    "push broadcasting T=A / push broadcasting T=A / client 4.8.0",
    "push / push / client 4.8.0",
    "push T=A / push ?T / push T=B",
    "push T=A / push ?more / push ?model T=A",
    "push ?strategy T=A",
    "push x2 ?strategy T=A / push T=A",
    "push T=sql:n > 1 / push T=sql:n>1",
    " / ".join(("push T=A", *["push"] * 13)),
    "push T=Aa / push T=BB / push T=AaAa||BBBB",
)
CROWDS = (
    "push T=A / push T=B / push T=* / push / grpc T=C",
    "push x2 T=A / push T=A||B / push broadcasting T=C / pull / pull T=A",
    "push T=sql:n > 1 / push T=sql:n > 5 / push T=A / lite T=B",
    "push T=A / push circle T=B / push T=A||B",
    "push T=A / push T=A / push ?T / push T=B",
    "grpc T=A / grpc T=A / grpc T=B",
    "push post T=A / push post T=B / lite T=*",
)
"""Groups that are answered as if they had too many sides to list the winners."""


def side(number: int, text: str) -> Side:
    """`KIND [broadcasting] [post] [xCLIENTS] [circle|machine|hash] [vVERSION] [?T] [?more] [TOPIC=EXPRESSION]…`."""
    kind, _, rest = text.partition(" ")
    subscriptions = []
    for topic, expression in re.findall(r"\b([TUV])=(sql:.*|\S*)", rest):
        sql = expression.startswith("sql:")
        filter_type = FilterType.SQL92 if sql else FilterType.TAG
        subscriptions.append(Subscription(topic, filter_type, expression.removeprefix("sql:")))
    words = re.sub(r"[TUV]=(sql:.*|\S*)", "", rest).split()
    strategies = {"circle": "AVG_BY_CIRCLE", "machine": "MACHINE_ROOM", "hash": "CONSISTENT_HASH"}
    strategy: str | None = next((strategies[word] for word in words if word in strategies), "AVG")
    model: MessageModel | None = MessageModel.CLUSTERING
    if "broadcasting" in words:
        model = MessageModel.BROADCASTING
    dark = {"?T", "?more", "?model"} & set(words)
    return Side(
        f"m{number}",
        next((int(word[1:]) for word in words if word[0] == "x"), 1),
        KINDS[kind],
        None if "?model" in words else model,
        tuple(subscriptions),
        "post" in words,
        None if "?strategy" in words else strategy,
        next((Version.parse(word[1:]) for word in words if word[0] == "v"), None),
        ("T",) if "?T" in words else (),
        "?more" in words,
        "set-at-deploy" if dark else "",
    )


def predicted(text: str) -> Prediction:
    sides: list[Side] = []
    assume = Assume()
    for part in text.split(" / "):
        word, _, value = part.partition(" ")
        if word in KINDS:
            sides.append(side(len(sides) + 1, part))
        elif word == "queues":
            assume = Assume(queues=int(value), topic_queues=assume.topic_queues)
        elif word == "client":
            assume = Assume(client_version=Version.parse(value))
        elif part == "no sql":
            assume = Assume(property_filter=False)
        else:
            topic_queues = ((word, int(value.removeprefix("has "))), ("Q", 9))
            assume = Assume(queues=assume.queues, topic_queues=topic_queues)
    return predict_sides(sides, assume)


def share(one: Share) -> str:
    return str(one.low) if one.is_exact else f"{one.low}..{one.high}"


def steps(why: tuple[Step, ...]) -> str:
    return "; ".join(" ".join((one.code.value, *(value for _, value in one.values))) for one in why)


def of_class(one: ClassOutcome) -> Iterator[str]:
    message = one.message
    named = f"{message.label}{'' if message.tag is None else ' (tag)'}{''.join(f' [{x}]' for x in message.matches)}"
    ends = {
        "delivered": one.delivered,
        "lost": one.lost,
        "stuck": one.stuck,
        "delayed": one.delayed,
        "twice": one.duplicate,
    }
    told = ", ".join(f"{name} {share(part)}" for name, part in ends.items() if part != NONE)
    got = ", ".join(
        f"{each.member} {share(each.delivered)}{f' (unexpected {share(each.unexpected)})' * (each.unexpected != NONE)}"
        for each in one.members
    )
    yield f"    {named} for {','.join(message.wanted_by)}: {told}{' | ' if got else ''}{got}"
    yield f"      {steps(one.why)}"


def told(text: str) -> Iterator[str]:
    found = predicted(text)
    yield text
    supposed = found.assumptions
    clients = ", ".join(f"{member} x{count}" for member, count in supposed.clients)
    yield (
        f"  {found.worst.name.lower()}, certain {found.certain.name.lower()}, console {found.console.value}; {clients}, "
        f"{supposed.queues} queues, clients {supposed.client_version}, broker {supposed.broker_version}, "
        f"{supposed.strategy or '-'}, {supposed.basis.value}, {supposed.id_orders} orders"
    )
    for failure in found.fails_to_start:
        yield f"  {failure.member} fails to start: {steps((failure.why,))}"
    if found.why:
        yield f"  {steps(found.why)}"
    for topic in found.topics:
        lost = f", certainly lost {', '.join(topic.certainly_lost)}" if topic.certainly_lost else ""
        yield (
            f"  {topic.topic}: {topic.possible.name.lower()}, certain {topic.certain.name.lower()}{lost}, there "
            f"{share(topic.availability)}, delay {topic.delay_s} s, retry stuck {share(topic.retry_stuck)}"
        )
        if topic.why:
            yield f"   {steps(topic.why)}"
        for outcome in topic.outcomes:
            also = f" (also {', '.join(outcome.also)})" if outcome.also else ""
            yield f"   {outcome.winner or 'nobody'} wins{also}: {outcome.expression!r}"
            for one in outcome.classes:
                yield from of_class(one)


def pairs() -> Iterator[str]:
    for one, two in combinations_with_replacement(ALONE, 2):
        if one != two or "grpc" in one or "pull" in one:
            yield f"{one} / {two}"


def compare(name: str, groups: Iterator[str]) -> None:
    found = "".join(f"{line.rstrip()}\n" for text in groups for line in told(text))
    path = GOLDEN / name
    if os.environ.get("SUBDRIFT_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="\n")
    committed = path.read_text(encoding="utf-8")
    assert found.split("\n") == committed.split("\n")


def test_each_pair_of_members_ends_as_committed() -> None:
    compare("pairs.txt", pairs())


def test_larger_groups_end_as_committed() -> None:
    compare("groups.txt", iter(GROUPS))


def test_crowds_end_as_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    from subdrift.linter.broker.closed_form import _predict

    monkeypatch.setattr(topic_form, "CELLS_MAX", 0)
    _predict.cache_clear()
    try:
        compare("crowds.txt", iter(CROWDS))
    finally:
        _predict.cache_clear()
