"""What was observed, put in place of what is predicted: the `observed` object of a recorded trace, or parts of it.

Mistakes are reported like those of a scenario, with place and remedy.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from linter.broker.scenario import (
    FilterType,
    Scenario,
    ScenarioError,
    ScenarioProblem,
    Subscription,
)
from linter.broker.situations import Claim, Situation, TopicState
from linter.text.bounded import BoundedError, check_json

Shares = Mapping[str, Mapping[str, tuple[int, ...]]]
"""Member -> topic -> queues."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What was seen at one judgement; None for what was not looked at."""

    winner: Mapping[str, Subscription] | None = None
    """Topic -> what the broker's table held; a topic that is missing was not in it at that moment."""
    sql: Mapping[str, str] | None = None
    """Topic -> the SQL92 expression in the broker's separate store."""
    shares: Shares | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """Observations by phase; those under "" hold for every phase."""

    id_order: tuple[str, ...] | None
    phases: Mapping[str, Observation]

    def of(self, phase: str) -> Observation | None:
        return self.phases.get(phase) or self.phases.get("")


def observed_in(situation: Situation, seen: Observation) -> Situation:
    """The situation with what was observed in it in place of what was predicted."""
    return replace(situation, topics=tuple(_observed(one, seen) for one in situation.topics))


def _observed(state: TopicState, seen: Observation) -> TopicState:
    claims, sql_claims = state.claims, state.sql_claims
    if seen.winner is not None and (subscription := seen.winner.get(state.topic)) is not None:
        held = [one.member for one in claims if one.subscription == subscription]
        claims = (Claim(held[0] if held else "?", subscription, 0, 0),)
        sql_claims = tuple(one for one in sql_claims if one.subscription == subscription)
    if seen.sql is not None and (expression := seen.sql.get(state.topic)) is not None:
        sql_claims = (Claim("?", Subscription(state.topic, FilterType.SQL92, expression), 0, 0),)
    shares = state.shares
    if seen.shares is not None:
        shares = tuple((member, tuple(topics.get(state.topic, ()))) for member, topics in seen.shares.items())
    return replace(state, claims=claims, sql_claims=sql_claims, shares=shares)


def parse_given(text: str, name: str, scenario: Scenario) -> Given:
    """The observations a JSON file holds: an `observed` object, a whole record, or one phase of it.

    Raises ScenarioError.
    """
    try:
        check_json(text)
        value = json.loads(text)
    except BoundedError as error:
        problem = ScenarioProblem("the file", error.line, error.message, "no observation needs that")
        raise ScenarioError(name, (problem,)) from error
    except json.JSONDecodeError as error:
        problem = ScenarioProblem(
            "the file", error.lineno, error.msg, f"mend the JSON at column {error.colno}"
        )
        raise ScenarioError(name, (problem,)) from error
    return given_from(value, name, scenario)


def given_from(value: object, name: str, scenario: Scenario) -> Given:
    """The observations of a decoded JSON document. Raises ScenarioError."""
    reader = _Reader(scenario)
    table = reader.table(value, "the file")
    if "observed" in table:
        table = reader.table(table["observed"], "observed")
    phases: dict[str, Observation] = {}
    listed = table.get("phases")
    if listed is None:
        if any(key in table for key in ("winner", "allocation", "sqlFilter")):
            phases[""] = reader.observation(table, "the file")
    elif isinstance(listed, list):
        for index, one in enumerate(listed):
            phase = reader.table(one, f"phases[{index}]")
            phases[str(phase.get("phase", ""))] = reader.observation(phase, f"phases[{index}]")
    else:
        reader.wrong("phases", "expected a list", "give the phases of the recording")
    order = reader.order(table.get("clientIds", table.get("idOrder")))
    if not phases and order is None and not reader.problems:
        reader.wrong(
            "the file", "nothing was observed", "give clientIds, or phases with winner and allocation"
        )
    if reader.problems:
        raise ScenarioError(name, tuple(reader.problems))
    return Given(order, phases)


class _Reader:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.problems: list[ScenarioProblem] = []

    def wrong(self, path: str, message: str, remedy: str) -> None:
        self.problems.append(ScenarioProblem(path, None, message, remedy))

    def table(self, value: object, path: str) -> dict[str, object]:
        if isinstance(value, dict):
            return value
        self.wrong(path, "expected a table", "give the `observed` object of a recording or parts of it")
        return {}

    def observation(self, table: dict[str, object], path: str) -> Observation:
        return Observation(
            self._winner(table["winner"], f"{path}.winner") if "winner" in table else None,
            self._sql(table["sqlFilter"], f"{path}.sqlFilter") if "sqlFilter" in table else None,
            self._shares(table["allocation"], f"{path}.allocation") if "allocation" in table else None,
        )

    def _winner(self, value: object, path: str) -> dict[str, Subscription]:
        found = {}
        for topic, entry in self.table(value, path).items():
            held = self.table(entry, f"{path}.{topic}")
            expression, kind = held.get("expression"), held.get("type", "TAG")
            if not isinstance(expression, str) or kind not in ("TAG", "SQL92"):
                self.wrong(
                    f"{path}.{topic}", "expected expression and type", "copy the entry from the recording"
                )
                continue
            found[topic] = Subscription(topic, FilterType(kind), expression)
        return found

    def _sql(self, value: object, path: str) -> dict[str, str]:
        found = {}
        for topic, entry in self.table(value, path).items():
            expression = self.table(entry, f"{path}.{topic}").get("expression")
            if isinstance(expression, str):
                found[topic] = expression
        return found

    def _shares(self, value: object, path: str) -> dict[str, dict[str, tuple[int, ...]]]:
        known = {one.name for one in self.scenario.members}
        found: dict[str, dict[str, tuple[int, ...]]] = {}
        for member, entry in self.table(value, path).items():
            if member not in known:
                self.wrong(
                    f"{path}.{member}", f"there is no member {member!r}", "use the names of the scenario"
                )
                continue
            found[member] = {}
            for topic, queues in self.table(entry, f"{path}.{member}").items():
                if not isinstance(queues, list) or not all(isinstance(one, int) for one in queues):
                    self.wrong(f"{path}.{member}.{topic}", "expected a list of queue numbers", "write [0, 1]")
                    continue
                found[member][topic] = tuple(queues)
        return found

    def order(self, value: object) -> tuple[str, ...] | None:
        if value is None:
            return None
        known = {one.name for one in self.scenario.members}
        if not isinstance(value, list) or set(map(str, value)) != known or len(value) != len(known):
            self.wrong(
                "clientIds", "it does not list every member once", "list the members in client id order"
            )
            return None
        return tuple(map(str, value))
