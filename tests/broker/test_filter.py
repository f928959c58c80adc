"""What passes the broker's two stages and the client, and what the broker keeps of SQL92 expressions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subdrift.linter.broker.filter import (
    MissingExpressionError,
    SubscriptionData,
    build_subscription,
    client_keeps,
    passes_commit_log,
    passes_consume_queue,
    tags_code,
)
from subdrift.linter.broker.filter_data import PURGED_AFTER_MS, FilterStore
from subdrift.linter.broker.selector import compile_selector


def sql(expression: str, version: int, topic: str = "T") -> SubscriptionData:
    return build_subscription(topic, expression, "SQL92", version)


def effective(store: FilterStore) -> str | None:
    found = store.find("T", "g")
    return None if found is None else found.expression


@pytest.mark.parametrize(
    ("expression", "tag", "broker", "client"),
    [
        ("*", None, True, True),
        ("a||b", "a", True, True),
        ("a||b", "c", False, False),
        ("a", None, False, False),
        ("a", "", False, False),
        ("a||b", "a||b", False, False),
        ("Aa", "BB", True, False),
        ("f5a5a608", None, True, False),
        (" ", "a", False, True),
    ],
)
def test_a_tag_subscription_passes_by_code_at_the_broker_and_by_tag_at_the_client(
    expression: str, tag: str | None, broker: bool, client: bool
) -> None:
    subscription = build_subscription("T", expression)
    assert passes_consume_queue(subscription, tags_code(tag)) is broker
    assert passes_commit_log(subscription, None, {})
    assert client_keeps(subscription, tag) is client


def test_a_selector_is_asked_at_the_second_stage_alone() -> None:
    subscription = sql("a = 1", 0)
    assert passes_consume_queue(subscription, tags_code("x"))
    selector = compile_selector("a = 1")
    assert passes_commit_log(subscription, selector, {"a": "1"})
    assert not passes_commit_log(subscription, selector, {"a": "x"})
    assert passes_commit_log(subscription, None, {"a": "x"})
    assert client_keeps(subscription, "x")


def test_the_empty_type_counts_as_tag_and_has_no_codes() -> None:
    subscription = build_subscription("T", "a", "")
    assert not passes_consume_queue(subscription, tags_code("a"))


@pytest.mark.parametrize("expression", [None, ""])
def test_another_type_than_tag_needs_an_expression(expression: str | None) -> None:
    with pytest.raises(MissingExpressionError):
        build_subscription("T", expression, "SQL92")


def test_the_greatest_version_ever_registered_filters() -> None:
    store = FilterStore().registered("g", [sql("a = 1", 5)], 0)
    assert effective(store.registered("g", [sql("a = 2", 5)], 0)) == "a = 1"
    assert effective(store.registered("g", [sql("a = 2", 4)], 0)) == "a = 1"
    assert effective(store.registered("g", [sql("a = 2", 6)], 0)) == "a = 2"


def test_an_entry_outlives_its_topic_and_its_group_for_a_day() -> None:
    store = FilterStore().registered("g", [sql("a = 1", 5)], 0)
    dead = store.registered("g", [build_subscription("T2", "*")], 10)
    assert dead == store.unregistered("g", 10)
    assert effective(dead.purged(PURGED_AFTER_MS + 9)) == "a = 1"
    assert effective(dead.purged(PURGED_AFTER_MS + 10)) is None


def test_an_equal_version_revives_a_dead_entry_with_its_old_expression() -> None:
    dead = FilterStore().registered("g", [sql("a = 1", 5)], 0).unregistered("g", 1)
    found = dead.registered("g", [sql("a = 2", 5)], 2).find("T", "g")
    assert found is not None
    assert (found.expression, found.dead_since_ms) == ("a = 1", None)
    still_dead = dead.registered("g", [sql("a = 1", 4)], 2).find("T", "g")
    assert still_dead is not None
    assert still_dead.dead_since_ms == 1


def test_an_expression_that_does_not_compile_takes_the_old_one_away() -> None:
    store = FilterStore().registered("g", [sql("a = 1", 5)], 0)
    assert effective(store.registered("g", [sql("a !", 6)], 0)) is None
    assert FilterStore().registered("g", [build_subscription("T", "a", "sql92")], 0) == FilterStore()


@given(st.lists(st.tuples(st.sampled_from(["a = 1", "a = 2", "a !"]), st.integers(0, 5)), max_size=8))
def test_the_stored_version_only_grows_while_an_entry_lives(registered: list[tuple[str, int]]) -> None:
    store = FilterStore()
    for expression, version in registered:
        before = store.find("T", "g")
        store = store.registered("g", [sql(expression, version)], 0)
        found = store.find("T", "g")
        if before is not None and found is not None:
            assert found.version >= before.version
        assert len(store.entries) <= 1
