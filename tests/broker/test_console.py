"""The console compares texts, of running push members, and nothing else."""

import pytest

from subdrift.linter.broker.console import YOUNG_MS, RunningMember, analyze_subscription
from subdrift.linter.broker.group import ConsumeType
from subdrift.linter.broker.versions import Version
from subdrift.linter.model.prediction import ConsoleVerdict


def running(
    client_id: str,
    *texts: tuple[str, str],
    consume_type: ConsumeType = ConsumeType.PASSIVELY,
    running_ms: int = YOUNG_MS + 1,
) -> RunningMember:
    return RunningMember(client_id, consume_type, running_ms, frozenset(texts))


def test_equal_texts_are_the_same() -> None:
    members = [running("1", ("T", "a||b")), running("2", ("T", "a||b"))]
    assert analyze_subscription(members) is ConsoleVerdict.SAME


@pytest.mark.parametrize("text", ["b||a", "a || b", "a||b||a", "a"])
def test_another_spelling_is_different(text: str) -> None:
    members = [running("1", ("T", "a||b")), running("2", ("T", text))]
    assert analyze_subscription(members) is ConsoleVerdict.DIFFERENT


def test_the_first_by_id_decides_whether_anything_is_compared() -> None:
    young = running("1", ("T", "a"), running_ms=YOUNG_MS)
    pull = running("1", ("T", "a"), consume_type=ConsumeType.ACTIVELY)
    other = running("2", ("T", "b"))
    assert analyze_subscription([other, young]) is ConsoleVerdict.NOT_COMPARED
    assert analyze_subscription([other, pull]) is ConsoleVerdict.NOT_COMPARED
    late = running("3", ("T", "a"), running_ms=0)
    assert analyze_subscription([late, other]) is ConsoleVerdict.DIFFERENT


def test_of_members_with_one_id_the_console_sees_one() -> None:
    assert analyze_subscription([running("1", ("T", "a")), running("1", ("T", "b"))]) is ConsoleVerdict.SAME


def test_members_without_subscriptions_were_called_different_until_5_0_0() -> None:
    members = [running("1"), running("2")]
    assert analyze_subscription(members, Version.parse("4.9.8")) is ConsoleVerdict.DIFFERENT
    assert analyze_subscription(members, Version.parse("5.0.0")) is ConsoleVerdict.SAME


def test_a_group_without_members_is_not_online() -> None:
    with pytest.raises(ValueError, match="not online"):
        analyze_subscription([])
