"""Versions are ordered, and every feature has its row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter.broker.versions import CHANGES, Feature, Version, VersionError, behaves

numbers = st.integers(0, 9999)


def test_every_feature_has_a_row() -> None:
    assert set(CHANGES) == set(Feature)


def test_every_row_tells_some_versions_apart() -> None:
    bare = [f for f, c in CHANGES.items() if c.since is None and c.until is None and not c.except_in]
    assert bare == []


@pytest.mark.parametrize("text", ["", "5", "5.3", "5.3.3.1", "v5.3.3", "5.3.3-SNAPSHOT", " 5.3.3", "５.3.3"])
def test_what_is_no_version_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(VersionError, match=r"4\.9\.8"):
        Version.parse(text)


@given(numbers, numbers, numbers)
def test_a_version_reads_back_as_it_prints(major: int, minor: int, patch: int) -> None:
    version = Version(major, minor, patch)
    assert Version.parse(str(version)) == version


def test_versions_compare_by_number_and_not_by_text() -> None:
    assert Version.parse("4.9.8") < Version.parse("4.10.0") < Version.parse("5.0.0")


@pytest.mark.parametrize(
    ("feature", "without", "with_it"),
    [
        (Feature.TEXT_OPERATORS, "5.1.2", "5.1.3"),
        (Feature.MACHINE_ROOM_CHECKS_INPUT, "4.9.3", "4.9.4"),
        (Feature.BROADCASTING_GROUP_NOTIFIED, "5.3.1", "5.3.0"),
        (Feature.UNREGISTER_TAKES_HEARTBEAT_LOCK, "4.9.1", "4.9.0"),
        (Feature.FLOW_CONTROL_HANDLED, "5.0.0", "4.9.7"),
        (Feature.FLOW_CONTROL_HANDLED, "5.0.0", "5.1.0"),
        (Feature.WHO_CONSUMES_ANSWERED_CORRECTLY, "5.3.3", "5.3.4"),
        (Feature.FIRST_PULL_DELAYED, "4.9.8", "5.3.4"),
    ],
)
def test_a_version_without_a_row_of_its_own_is_compared(feature: Feature, without: str, with_it: str) -> None:
    assert not behaves(feature, Version.parse(without))
    assert behaves(feature, Version.parse(with_it))
