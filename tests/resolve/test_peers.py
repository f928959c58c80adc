"""Native functions are declared, charged before they run, and answered for where an operand is not known."""

from __future__ import annotations

from typing import Any

import pytest

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute import peers
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Cost, Declare, Effect, Peer, Unknowns
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Key, Object, Text, Unknown, text


class _Nothing:
    """A scope in which nothing is absent."""

    costly: frozenset[Any] = frozenset()

    def is_absent(self, name: str) -> bool:
        return False


@pytest.fixture
def run() -> Interpreter:
    return Interpreter(_Nothing(), lambda language: None)  # type: ignore[arg-type,return-value]


def _peer(unknowns: Unknowns = Unknowns.PURE, effect: Effect = Effect.PURE, cost: Any = peers.linear) -> Peer:
    return Peer("java", "Text", "twice", _never, effect, unknowns, cost, peers.LIMIT, False)


def _never(*_: Any) -> Any:
    raise AssertionError("a peer is called by the function it is handed with")


def _twice(receiver: Any, values: list[Any]) -> Any:
    return text(receiver.known * 2)


def test_a_known_operand_is_handed_on(run: Interpreter) -> None:
    assert run.native(_peer(), _twice, text("ab"), Arguments([])).known == "abab"


@pytest.mark.parametrize(
    "operand", [Unknown(Why.DYNAMIC, "n", ("n",)), Text((Key(text("k")),))], ids=["unknown", "key"]
)
def test_equal_operands_that_are_not_known_give_an_equal_result(run: Interpreter, operand: Any) -> None:
    one, other = (run.native(_peer(), _never, operand, Arguments([])) for _ in range(2))
    assert isinstance(one, Unknown)
    assert one.symbol is not None
    assert one.symbol == other.symbol


def test_a_fresh_result_equals_no_other(run: Interpreter) -> None:
    operand = Unknown(Why.DYNAMIC, "n", ("n",))
    one, other = (run.native(_peer(Unknowns.FRESH), _never, operand, Arguments([])) for _ in range(2))
    assert one.symbol != other.symbol


def test_an_operand_is_its_own_result_where_identity_is_kept(run: Interpreter) -> None:
    operand = Unknown(Why.DYNAMIC, "n", ("n",))
    assert run.native(_peer(Unknowns.KEEPS_IDENTITY), _never, operand, Arguments([])) is operand


def test_two_operations_on_one_unknown_are_two_values(run: Interpreter) -> None:
    operand = Unknown(Why.DYNAMIC, "n", ("n",))
    other = Peer(
        "java", "Text", "thrice", _never, Effect.PURE, Unknowns.PURE, peers.linear, peers.LIMIT, False
    )
    found = [run.native(each, _never, operand, Arguments([])).symbol for each in (_peer(), other)]
    assert found[0] != found[1]


def test_what_costs_more_than_the_bound_is_not_run(run: Interpreter) -> None:
    peer = _peer(cost=lambda receiver, values: Cost(characters=10**9))
    found = run.native(peer, _never, text("ab"), Arguments([]))
    assert found.why is Why.TOO_MANY


def test_what_it_costs_counts_before_it_runs(run: Interpreter) -> None:
    before = run.steps
    seen: list[int] = []

    def noting(receiver: Any, values: list[Any]) -> Any:
        seen.append(run.steps)
        return None

    run.native(_peer(cost=lambda receiver, values: Cost(steps=50)), noting, text("ab"), Arguments([]))
    assert seen == [before + 50]


def test_what_is_not_run_has_changed_its_receiver_somehow(run: Interpreter) -> None:
    held = Object(None, "List", 1, items=[(True, text("a"))])
    operand = Unknown(Why.DYNAMIC, "n", ("n",))
    run.native(_peer(effect=Effect.MUTATES_RECEIVER), _never, held, Arguments([operand]))
    assert held.items == []
    assert held.open is not None


def test_a_name_is_declared_once() -> None:
    declare = Declare("a language of this test")
    options: dict[str, Any] = {"effect": Effect.PURE, "unknowns": Unknowns.PURE, "cost": peers.constant}
    try:
        declare("Owner", "name", **options)(_never)
        with pytest.raises(ValueError, match="declared twice"):
            declare("Owner", "name", **options)(_never)
        assert [each.full for each in declare.all()] == ["Owner.name"]
    finally:
        peers.REGISTRY.pop((declare.language, "Owner", "name"))
