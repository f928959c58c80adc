"""Expressions of Kotlin as a run answers them; a sample of `python -m tests.oracle.kotlin_calls --show`."""

from __future__ import annotations

from zlib import crc32

from tests.oracle import kotlin_calls
from tests.oracle.calls import differences, load

SHARE = 24

KNOWN = (
    "emptyList<Int>().sumOf",  # of which type the sum of nothing is
    "emptyList<String>().sumOf",
    "emptyList<String>().toList() ===",
    "run { val s = sequenceOf(1, 2).constrainOnce()",
    '"%s".format(null)',
    '"\U0001f600',  # letters of two units
    'Regex("[").pattern',
    "Double.NaN ==",
    'runCatching { "".single()',
    "0u - 1u",  # numbers without a sign
    "(5u as",
    "when (val o: Any? = 5u)",
    "(1 as Any) == 1L",
    '(listOf("a").withIndex() as',
    'when (val o: Any? = listOf("a").withIndex()',
    "(buildList { ",
    "(compareBy<String>",
    "when (val o: Any? = compareBy",
    '(java.util.ArrayDeque(listOf("a")) as?',
    '(mapOf("a" to 1).values as?',
)
"""How questions begin to which something false is said."""


def test_what_is_said_of_an_expression_is_what_a_run_gives() -> None:
    asked = [one for one in load(kotlin_calls.RECORDED) if crc32(one.call.encode()) % SHARE == 0]
    assert len(asked) > 200
    found = [each for each in differences(asked, kotlin_calls.files) if not each[0].call.startswith(KNOWN)]
    assert not found, "\n".join(f"{one.call}  is {one.answer!r}  told {told}" for one, told in found)


def test_questions_are_recorded_of_each_section() -> None:
    asked = {one.call for one in load(kotlin_calls.RECORDED)}
    assert {"Lane.entries.size", "1.5.hours", 'Regex("a+").pattern', "7 / 2"} <= asked
