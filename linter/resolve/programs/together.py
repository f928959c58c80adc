"""Rows that are one consumer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Set
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.facts import Condition
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.assemble import Row
from subdrift.linter.resolve.execute import guards
from subdrift.linter.resolve.execute.clients import Client
from subdrift.linter.resolve.execute.interpreter import Interpreter


class Made(Struct):
    """A row and what it is made under: `born` as far as nothing decides it, `whole` with what an environment decides."""

    row: Row
    born: Any
    whole: Any
    entry: str
    run: Interpreter
    client: Client

    def finished(self) -> Row:
        """The row with the conditions of the program that nothing in sight decides."""
        numbers = [one for one in guards.choices(self.born) if self.run.decisions[one].kind == "condition"]
        one = self.row.consumer
        ways = guards.forced(self.born) if numbers else {}
        at = {number: self.run.decisions[number].at for number in numbers}
        more = dict.fromkeys(_at_condition(self.client, at[number], ways.get(number)) for number in numbers)
        under = spelled(self.entry, self.whole) if one.made_under else ""
        return replace(self.row, consumer=replace(one, conditions=(*one.conditions, *more), made_under=under))


class Together:
    """Rows in their order; objects of one run of which at most one exists, and that are configured in the same way at
    the same places, are one consumer: `if (acl) c = new C(g, hook); else c = new C(g); c.subscribe(...)`."""

    def __init__(self) -> None:
        self.made: list[Made] = []
        self.alike: dict[object, list[Made]] = {}

    def add(self, made: Made) -> None:
        if made.born is not True and made.row.consumer.subscriptions:
            decided = set(guards.choices(made.born))
            others = tuple(
                # each turn asks again what is asked at one place
                (one[0], one[2]) if isinstance(one, tuple) and one[0] is not None else one
                for one in made.row.alternative
                if not (isinstance(one, tuple) and one[1] in decided)
            )
            shape = identity(replace(made.row, alternative=others))[1:]
            alike = self.alike.setdefault((id(made.run), shape), [])
            if any(other.client is not made.client and _joined(other, made) for other in alike):
                return
            alike.append(made)
        self.made.append(made)

    def rows(self) -> Iterator[Row]:
        return (one.finished() for one in self.made)


def _joined(one: Made, other: Made) -> bool:
    """Whether at most one of two exists: then the first stands for both. Where that is too much to tell it does not."""
    try:
        if guards.both(one.born, other.born) is not False:
            return False
        one.born, one.whole = guards.either(one.born, other.born), guards.either(one.whole, other.whole)
    except guards.Overgrown:
        return False
    return True


def open_condition(client: Client, words: str) -> Condition:
    """A condition that nothing in sight decides."""
    return Condition("condition", words, client.at.span)


def _at_condition(client: Client, at: Location | None, way: int | None) -> Condition:
    """The condition of a program, by where it stands and the way it must take (None: any of several)."""
    if at is None:
        return open_condition(client, phrase("only-a-run-decides"))
    place = f"{at.origin.path.rpartition('/')[2]}:{at.span.line}"
    words = phrase("condition-at", place) if not way else phrase("condition-otherwise-at", place)
    return Condition("condition", words, at.span, at.origin)


def unknown_shape(row: Row) -> object:
    """Equal for alternatives of which nothing that is compared is known: one says as much as all; None for others."""
    one = row.consumer
    compared = (one.group, *(value for each in one.subscriptions for value in (each.topic, each.expression)))
    if any(value.text is not None or value.symbol for value in compared):
        return None
    return (
        one.at,
        one.disabled,
        one.message_model.text,
        tuple((each.at, each.topic.why) for each in one.subscriptions),
    )


def is_anyones(row: Row) -> bool:
    """Whether a row may stand for any consumer: neither its group nor a topic is known, nor are any tags."""
    one = row.consumer
    named = (one.group, *(each.topic for each in one.subscriptions))
    return all(value.text is None and not value.symbol for value in named) and all(
        each.expression.text in (None, "", "*") for each in one.subscriptions
    )


def says_nothing(row: Row, run: Interpreter, client: Client, unfollowed: Set[str]) -> bool:
    """Whether a row may stand for any consumer of its place; what comes behind the end of a run that was given up may differ
    in its tags and model, too, and what a call makes that nobody could follow, in the tags and the model that a value says.
    Both may come another way, for which a row at a call that leads to the place does not stand. `unfollowed`: the names of
    such calls, of any run."""
    one = row.consumer
    beside = {client.at, *(event.at for event in client.events if event.frame is client.frame)}
    stands_there = not beside.isdisjoint(each.at for each in one.subscriptions)
    tags = {each.expression.text for each in one.subscriptions}
    said = (one.message_model, *(each.expression for each in one.subscriptions))
    return (
        one.takes_part
        and one.group.text is None
        and all(each.topic.text is None for each in one.subscriptions)
        and not ((run.is_given_up or (run.unread and one.api.startswith("py"))) and any(tags))
        and not (run.is_given_up and one.message_model.text)
        and not (unfollowed and any(value.text and (value.trail or not value.default) for value in said))
        and (stands_there or not (run.is_given_up or unfollowed))
    )


def identity(row: Row) -> tuple[object, ...]:
    """Equal for consumers of equal values at equal places, whatever entry reached them; first what made it."""
    one = row.consumer
    return (
        one.at,
        one.api,
        one.symbol,
        tuple((name, value.text, value.why, value.detail) for name, value in one.values),
        tuple(each.at for each in one.subscriptions),
        one.disabled,
        tuple(condition.kind for condition in one.conditions),
        row.alternative,
        one.scope,
    )


def spelled(entry: str, born: Any) -> str:
    """The guard of a run's entry as a short text, "" for one that always holds: equal for equal guards."""
    if born is True:
        return ""
    done: dict[int, str] = {}

    def text(part: Any) -> str:
        if type(part) is not guards.Diagram:
            return str(part)
        if id(part) not in done:
            inner = f"{entry}:{part.choice}({','.join(map(text, part.branches))})"
            done[id(part)] = hashlib.sha256(inner.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return done[id(part)]

    return text(born)
