"""The outcomes of a selector hold whatever a message can bring about, and are told apart where the text decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter.broker.selector import SelectorRejected, SelectorTooDeep, compile_selector
from subdrift.linter.broker.selector.errors import EvaluationError
from subdrift.linter.broker.selector.outcomes import Outcome, negated, outcomes, properties

T, F, N, E = Outcome.TRUE, Outcome.FALSE, Outcome.NULL, Outcome.ERROR

KNOWN = {
    "TRUE": {T},
    "1 = 2": {F},
    "a": {F, N},
    "NOT a": {T, N},
    "NOT a = 1": {F, N},
    "TRUE = a": {E, F},
    "a IS NULL": {T, F},
    "a IN ('x')": {T, F, N},
    "a IN ('x') OR TRUE": {T},
    "a = 'x'": {T, F, N, E},
    "a > 5": {T, F, N, E},
    "a BETWEEN 1 AND 5": {T, F, N, E},
    "a > 5 AND b": {F, N, E},
    "s CONTAINS 'b'": {T, F},
}


@pytest.mark.parametrize("text", KNOWN)
def test_what_can_come_of_it(text: str) -> None:
    assert outcomes(compile_selector(text)) == frozenset(KNOWN[text])


def test_a_property_that_is_missing_is_null() -> None:
    selector = compile_selector("a <> 'x' AND (b = 'y' OR c = 'z')")
    assert properties(selector) == ("a", "b", "c")
    found = {name: outcomes(selector, missing=(name,)) for name in properties(selector)}
    assert T not in (found["a"] or ())
    assert T in (found["b"] or ())


NEGATED = {
    "a <> 1": "a",
    "1 <> a": "a",
    "NOT (a = 1)": "a",
    "a NOT IN ('x')": "a",
    "a NOT BETWEEN 1 AND 2": "a",
    "a NOT BETWEEN b AND c": "ab",
    "a NOT CONTAINS 'x'": "a",
    "a IS NOT NULL": "a",
    "a = 1 AND b IN ('x')": "",
    "a > 1 AND b <> 'x' AND c = 2": "b",
    "a BETWEEN 1 AND 2 AND NOT (b = 1 OR -c = 2)": "bc",
    "NOT (a = 1) OR b CONTAINS 'x'": "a",
}


@pytest.mark.parametrize("text", NEGATED)
def test_what_is_negated(text: str) -> None:
    assert negated(compile_selector(text)) == frozenset(NEGATED[text])


def test_too_many_states_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subdrift.linter.broker.selector.outcomes.STATES_MAX", 3)
    assert outcomes(compile_selector("a = 1 OR b = 2 OR c = 3")) is None


OPERANDS = st.sampled_from(["a", "b", "1", "2.5", "'x'", "TRUE", "FALSE", "NULL", "-3"])
COMPARED = st.builds(
    "{} {} {}".format, OPERANDS, st.sampled_from(["=", "<>", ">", ">=", "<", "<="]), OPERANDS
)
SIMPLE = st.one_of(
    OPERANDS,
    COMPARED,
    st.builds("{} {} ('x', '1')".format, OPERANDS, st.sampled_from(["IN", "NOT IN"])),
    st.builds("{} BETWEEN 1 AND 3".format, OPERANDS),
    st.builds("{} NOT BETWEEN 1 AND 3".format, OPERANDS),
    st.builds("{} IS {}".format, OPERANDS, st.sampled_from(["NULL", "NOT NULL"])),
    st.builds("{} {} 'x'".format, OPERANDS, st.sampled_from(["CONTAINS", "NOT STARTSWITH", "ENDSWITH"])),
)
SELECTORS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds("({}) AND ({})".format, inner, inner),
        st.builds("({}) OR ({})".format, inner, inner),
        st.builds("NOT ({})".format, inner),
    ),
    max_leaves=5,
)
MESSAGES = st.dictionaries(
    st.sampled_from(["a", "b"]), st.sampled_from(["", "x", "1", "2", "2.5", "-3", "9e9", "y"])
)


@given(SELECTORS, MESSAGES)
def test_nothing_comes_of_a_message_that_was_not_foreseen(text: str, message: dict[str, str]) -> None:
    try:
        selector = compile_selector(text)
    except (SelectorRejected, SelectorTooDeep):
        return
    try:
        came = {True: T, False: F, None: N}[selector.evaluate(message)]
    except EvaluationError:
        came = E
    foreseen = outcomes(selector)
    assert foreseen is not None
    assert came in foreseen, text
    for name in {"a", "b"} - message.keys():
        without = outcomes(selector, missing=(name,))
        assert without is not None
        assert came in without, (text, name)
