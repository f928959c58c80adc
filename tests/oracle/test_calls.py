"""Calls of library methods as a JVM answers them; a sample of `python -m tests.oracle.calls --show`."""

from __future__ import annotations

from zlib import crc32

from tests.oracle import calls

SHARE = 12

KNOWN = (
    "CollUtil.split(",
    'ImmutableSet.copyOf(List.of("i", "j").iterator())',
    "IntStream.of(3, 1, 2)",  # what it finds is an `OptionalInt`
    'new TreeMap<>(Map.of("abc", "1", "b", "2", "x", "3")).subMap("o"',  # an end before its beginning is refused
    'new TreeSet<>(List.of("b", "a", "x")).subSet("o"',
    "org.springframework.util.ObjectUtils.nullSafeToString(new char[]",
    "String.valueOf((Object) new int[]{1} instanceof",  # of which type an array's elements are
    'String.valueOf((Object) new Object[]{"a"} instanceof String[]',
    "String.valueOf((Object) Collections.synchronizedList(",  # which stands for the list it is given
)
"""Calls of which something false is said."""


def test_what_is_said_of_a_call_is_what_a_jvm_says() -> None:
    asked = [one for one in calls.load() if crc32(one.call.encode()) % SHARE == 0]
    assert len(asked) > 400
    found = [each for each in calls.differences(asked) if not each[0].call.startswith(KNOWN)]
    assert not found, "\n".join(f"{one.call}  is {one.answer}  told {told}" for one, told in found)


def test_calls_are_written_of_each_class() -> None:
    named = {one.partition(".")[0].rpartition(" ")[2].partition("<")[0] for one, _ in calls.load()}
    assert {"Math", "StringUtils", "CollUtil", "ImmutableMap", "Convert"} <= named
