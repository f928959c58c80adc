"""Names of topics and groups; the recorded cases hold the details."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter.broker.names import (
    DEAD_LETTER_PREFIX,
    RETRY_PREFIX,
    NameVerdict,
    check_broker_topic,
    check_group,
    check_topic,
)
from subdrift.linter.broker.versions import Version


@pytest.mark.parametrize(
    ("version", "verdict"), [("4.9.2", NameVerdict.ILLEGAL), ("4.9.3", NameVerdict.TOO_LONG)]
)
def test_a_topic_wrong_in_two_ways_is_called_by_what_is_checked_first(
    version: str, verdict: NameVerdict
) -> None:
    name = "." * 128
    assert check_topic(name, Version.parse(version)) is verdict
    assert check_broker_topic(name, Version.parse(version)) is NameVerdict.ILLEGAL


@pytest.mark.parametrize(("version", "verdict"), [("4.6.0", NameVerdict.OK), ("4.6.1", NameVerdict.TOO_LONG)])
def test_topics_were_longer_once(version: str, verdict: NameVerdict) -> None:
    assert check_topic("x" * 128, Version.parse(version)) is verdict


@given(st.text(st.characters(), max_size=300))
def test_every_name_gets_a_verdict_and_length_counts_utf_16_units(name: str) -> None:
    verdict = check_group(name)
    assert (verdict is NameVerdict.TOO_LONG) <= (len(name.encode("utf-16-be", "surrogatepass")) > 510)
    assert check_topic(name) in NameVerdict
    assert check_broker_topic(name) in NameVerdict


@given(st.text(st.sampled_from("aZ09_-%|"), min_size=1, max_size=100))
def test_the_topics_of_a_group_are_allowed_names(group: str) -> None:
    for topic in (RETRY_PREFIX + group, DEAD_LETTER_PREFIX + group):
        assert check_topic(topic) is NameVerdict.OK
