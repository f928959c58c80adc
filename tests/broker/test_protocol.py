"""``python -m subdrift.linter.broker`` answers every line, and says which lines are no cases."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter.broker.__main__ import answer_lines
from subdrift.linter.broker.protocol import CaseError, answer


def answered(*lines: str) -> tuple[list[dict[str, object]], int]:
    done = subprocess.run(
        [sys.executable, "-m", "subdrift.linter.broker"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def test_cases_are_answered_in_order_and_blank_lines_skipped() -> None:
    answers, status = answered(
        '{"id": "1", "kind": "hash", "version": "5.3.3", "text": "a"}',
        "",
        '{"id": 2, "kind": "tags", "version": "4.8.0", "expr": "a || b"}',
    )
    assert answers == [
        {"id": "1", "hash": 97},
        {"id": 2, "subString": "a || b", "tagsSet": ["a", "b"], "codeSet": [97, 98]},
    ]
    assert status == 0


def test_a_bad_line_is_named_by_number_and_the_rest_is_answered() -> None:
    answers, status = answered(
        '{"id": "broken", ',
        '{"id": "no version", "kind": "hash", "text": "a"}',
        '{"id": "fine", "kind": "hash", "version": "5.3.3", "text": "a"}',
    )
    assert [(a.get("id"), a.get("line")) for a in answers] == [(None, 1), ("no version", 2), ("fine", None)]
    assert answers[1]["problem"] == "the case has no field 'version'"
    assert status == 1


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ({"kind": "hash", "version": "5.3", "text": "a"}, "no RocketMQ version"),
        ({"kind": "hash", "version": "5.3.3"}, "no field 'text'"),
        ({"kind": "hash", "version": "5.3.3", "text": 1}, "field 'text' of the case is not a text"),
        ({"kind": "sql", "version": "5.3.3", "expr": "a", "props": [{"a": 1}]}, "'props'"),
        ({"kind": "register", "version": "5.3.3", "steps": [{"op": "x", "channel": "c"}]}, "unknown op 'x'"),
        ({"kind": "register", "version": "5.3.3", "steps": [1]}, "steps 1 is no JSON object"),
        ([], "no JSON object"),
    ],
)
def test_a_malformed_case_is_explained(case: object, problem: str) -> None:
    with pytest.raises(CaseError, match=problem):
        answer(case)


@pytest.mark.parametrize(
    "case",
    [
        {"kind": "weather"},
        {"kind": "sql", "expr": "(" * 1000 + "a = 1" + ")" * 1000, "props": []},
        {"kind": "allocate", "strategy": "MINE", "topic": "T", "queues": [], "clients": []},
        {
            "kind": "allocate",
            "strategy": "CONSISTENT_HASH",
            "topic": "T",
            "queues": [],
            "clients": ["a"],
            "virtualNodes": 2**31 - 1,
        },
    ],
)
def test_what_is_not_judged_is_unsupported(case: dict[str, object]) -> None:
    assert answer({"id": 1, "version": "5.3.3", **case}) == {"id": 1, "unsupported": True}


scalars = st.none() | st.booleans() | st.integers(-1, 2**40) | st.sampled_from([1.5, "", "a = 1", "\ud800"])
json_values = (
    scalars
    | st.lists(scalars, max_size=3)
    | st.lists(
        st.dictionaries(st.sampled_from(["op", "channel", "subs", "a"]), scalars, max_size=3), max_size=2
    )
)
fields = st.sampled_from(
    ["id", "expr", "topic", "type", "props", "text", "name", "steps", "queues", "clients", "strategy", "self"]
)
kinds = st.sampled_from(["tags", "build", "sql", "hash", "allocate", "validate", "register"])


@given(st.binary(max_size=60))
def test_any_bytes_get_an_answer_in_ascii(line: bytes) -> None:
    for text, _ in answer_lines([line]):
        assert text.isascii()
        assert "\n" not in text


@given(kinds, st.dictionaries(fields, json_values, max_size=6))
def test_any_fields_get_an_answer_or_a_problem(kind: str, given_fields: dict[str, object]) -> None:
    line = json.dumps({**given_fields, "kind": kind, "version": "5.3.3"}).encode()
    [(text, fine)] = answer_lines([line])
    assert fine is ("problem" not in json.loads(text))
