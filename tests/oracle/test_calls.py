"""Calls of library methods as a JVM answers them; a sample of `python -m tests.oracle.calls --show`."""

from __future__ import annotations

from zlib import crc32

from tests.oracle import calls

SHARE = 12

KNOWN = (
    "CollUtil.split(",
    'ImmutableSet.copyOf(List.of("i", "j").iterator())',
    "org.springframework.util.ObjectUtils.nullSafeToString(new char[]",
    'String.valueOf((Object) new Object[]{"a"} instanceof String[]',
    "String.valueOf((Object) Collections.synchronizedList(",  # which stands for the list it is given
    'new BigDecimal("123456789012345678").floatValue()',  # releases write such a float otherwise
    "(float) (",
    'Pattern.compile("(")',  # that a pattern is refused
)
"""Calls of which something false is said."""


def test_what_is_said_of_a_call_is_what_a_jvm_says() -> None:
    asked = [one for one in calls.load() if crc32(one.call.encode()) % SHARE == 0]
    assert len(asked) > 400
    found = [each for each in calls.differences(asked) if not each[0].call.startswith(KNOWN)]
    assert not found, "\n".join(f"{one.call}  is {one.answer}  told {told}" for one, told in found)


def test_what_is_said_of_an_expression_is_what_a_jvm_says() -> None:
    asked = [one for one in calls.load(calls.EXPRESSIONS) if crc32(one.call.encode()) % SHARE == 0]
    assert len(asked) > 400
    found = [each for each in calls.of_expressions(asked) if not each[0].call.startswith(KNOWN)]
    assert not found, "\n".join(f"{one.call}  is {one.answer}  told {told}" for one, told in found)


def test_calls_are_written_of_each_class() -> None:
    named = {one.partition(".")[0].rpartition(" ")[2].partition("<")[0] for one, _ in calls.load()}
    assert {"Math", "StringUtils", "CollUtil", "ImmutableMap", "Convert"} <= named
