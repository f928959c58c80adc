"""A broker's table of one group: who wins, who is deleted, who is told."""

from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter.broker.filter import SubscriptionData, build_subscription
from subdrift.linter.broker.group import (
    CHANNEL_EXPIRED_MS,
    Change,
    ConsumerGroupInfo,
    Heartbeat,
    close,
    expire,
    register,
    unregister,
)
from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import MessageModel


def sub(topic: str, expression: str, version: int) -> SubscriptionData:
    return build_subscription(topic, expression, version=version)


def beat(
    channel: str, *subscriptions: SubscriptionData, model: MessageModel = MessageModel.CLUSTERING
) -> Heartbeat:
    return Heartbeat(channel, f"id-{channel}", subscriptions, model)


def after(*heartbeats: Heartbeat) -> ConsumerGroupInfo:
    group: ConsumerGroupInfo | None = None
    for heartbeat in heartbeats:
        group = register(group, heartbeat, now_ms=0).group
    assert group is not None
    return group


def texts(group: ConsumerGroupInfo | None) -> dict[str, str]:
    assert group is not None
    return {s.topic: s.text for s in group.subscriptions}


def test_a_greater_version_replaces_silently_and_an_equal_one_does_not() -> None:
    group = after(beat("x", sub("T", "a", 5)), beat("y", sub("T", "b", 5)))
    assert texts(group) == {"T": "a"}
    replaced = register(group, beat("y", sub("T", "b", 6)), now_ms=0)
    assert texts(replaced.group) == {"T": "b"}
    assert (replaced.changed, replaced.notified) == (False, None)


def test_a_heartbeat_deletes_the_topics_it_does_not_mention_for_the_whole_group() -> None:
    group = after(beat("x", sub("A", "*", 9)), beat("y", sub("B", "*", 3)))
    assert texts(group) == {"B": "*"}


def test_deleting_a_topic_forgets_its_version() -> None:
    group = after(beat("x", sub("T", "a", 9)), beat("y"), beat("x", sub("T", "old", 1)))
    assert texts(group) == {"T": "old"}


def test_the_subscription_of_a_departed_member_stays_in_force() -> None:
    group = after(beat("x", sub("T", "a", 1)), beat("y", sub("T", "b", 9)))
    left = close(group, "y")
    assert left.notified == ("x",)
    assert left.group is not None
    assert texts(register(left.group, beat("x", sub("T", "a", 1)), now_ms=0).group) == {"T": "b"}


def test_the_last_departure_takes_the_table_with_it() -> None:
    group = after(beat("x", sub("T", "a", 1)))
    assert unregister(group, "x") == Change(None, ())
    assert close(group, "x") == Change(None, ())


def test_goodbye_of_a_stranger_is_told_to_all_and_its_lost_connection_to_nobody() -> None:
    group = after(beat("x", sub("T", "a", 1)))
    assert unregister(group, "stranger") == Change(group, ("x",))
    assert close(group, "stranger") == Change(group)
    assert unregister(None, "x") == Change(None)


def test_a_silent_connection_expires_after_its_limit_and_nobody_is_told() -> None:
    group = after(beat("x", sub("T", "a", 1)))
    joined = register(group, beat("y", sub("T", "a", 1)), now_ms=1000).group
    assert expire(joined, CHANNEL_EXPIRED_MS) == Change(joined)
    later = expire(joined, CHANNEL_EXPIRED_MS + 1)
    assert later.notified is None
    assert later.group is not None
    assert later.group.client_ids() == ("id-y",)
    assert expire(later.group, CHANNEL_EXPIRED_MS + 1001) == Change(None)


def test_broadcasting_groups_are_told_until_5_3_1() -> None:
    heartbeat = beat("x", sub("T", "a", 1), model=MessageModel.BROADCASTING)
    assert register(None, heartbeat, 0, Version.parse("5.3.0")).notified == ("x",)
    assert register(None, heartbeat, 0, Version.parse("5.3.1")).notified is None


def test_an_id_is_listed_once_for_each_connection() -> None:
    twice = after(Heartbeat("x", "same", ()), Heartbeat("y", "same", ()))
    assert twice.client_ids() == ("same", "same")


subscription_lists = st.dictionaries(
    st.sampled_from(["A", "B", "C"]), st.tuples(st.sampled_from(["*", "a", "b"]), st.integers(0, 4))
).map(lambda chosen: tuple(sub(topic, text, version) for topic, (text, version) in chosen.items()))
heartbeats = st.builds(Heartbeat, st.sampled_from("xyz"), st.sampled_from(["c1", "c2"]), subscription_lists)


@given(st.lists(heartbeats, min_size=1, max_size=12))
def test_after_a_heartbeat_the_table_holds_exactly_its_topics_at_its_versions_or_later(
    sent: list[Heartbeat],
) -> None:
    group = after(*sent)
    mentioned = {s.topic: s.version for s in sent[-1].subscriptions}
    assert set(texts(group)) == set(mentioned)
    assert all(s.version >= mentioned[s.topic] for s in group.subscriptions)


@given(st.lists(heartbeats, min_size=1, max_size=8))
def test_repeating_a_heartbeat_changes_nothing(sent: list[Heartbeat]) -> None:
    group = after(*sent)
    assert register(group, sent[-1], now_ms=0) == Change(group)
