"""Observations in the form of the recordings: the `observed` object of a recorded trace, or parts of it, in; `Given` out.

Mistakes are reported like those of a scenario, with place and remedy.
"""

from subdrift.linter.broker.scenario import Scenario
from subdrift.linter.broker.scenario.document import ScenarioError, ScenarioProblem
from subdrift.linter.broker.scenario.given import Given, Observation
from subdrift.linter.broker.vocabulary import FilterType, Subscription


def recorded_from(value: object, name: str, scenario: Scenario) -> Given:
    """The observations of a decoded JSON document: an `observed` object, a whole record, or one phase of it.

    Raises ScenarioError.
    """
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
