"""Scenarios and observations from JSON that is decoded already."""

from __future__ import annotations

import json

from subdrift.linter.broker.scenario import Scenario
from subdrift.linter.broker.scenario.given import Given
from subdrift.linter.broker.scenario.given.reader import parse_given
from subdrift.linter.broker.scenario.reader import parse_scenario


def scenario_from(value: object, name: str = "scenario") -> Scenario:
    """The scenario of a document. Raises ScenarioError."""
    return parse_scenario(json.dumps(value), name)


def given_from(value: object, name: str, scenario: Scenario) -> Given:
    """The observations of one document. Raises ScenarioError."""
    return parse_given(json.dumps(value), name, scenario)
