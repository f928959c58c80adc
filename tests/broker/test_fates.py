"""Where one message ends, rule by rule."""

import pytest

from subdrift.linter.broker.fates import Content, Ending, Fate, Reader, ending, sieve
from subdrift.linter.broker.versions import LATEST
from subdrift.linter.broker.vocabulary import FilterType

TAG, SQL92 = FilterType.TAG, FilterType.SQL92


def reader(member: str, expression: str, kind: FilterType = TAG, **more: bool | int) -> Reader:
    own = sieve(kind, expression, LATEST)
    return Reader(
        member, own, bool(more.get("own_filter")), bool(more.get("own_offset")), int(more.get("refused", 0))
    )


def end(
    content: Content, winner: str, *readers: Reader, clustered: bool = True, kind: FilterType = TAG
) -> Ending:
    wanted = [one.member for one in readers if one.own.wants(content)]
    return ending(content, "m", wanted or ["absent"], readers, sieve(kind, winner, LATEST), clustered)


@pytest.mark.parametrize(
    ("tag", "winner", "own", "fate", "receivers"),
    [
        ("a", "a", "a", Fate.DELIVERED, ("X",)),
        ("a", "b", "a", Fate.LOST, ()),
        ("a", "*", "b", Fate.LOST, ()),
        (None, "a", "*", Fate.LOST, ()),
        (None, "*", "*", Fate.DELIVERED, ("X",)),
        (None, "f5a5a608", "f5a5a608", Fate.LOST, ()),  # hash code 0 passes the broker, the client drops it
        (None, "f5a5a608", "*", Fate.DELIVERED, ("X",)),
        ("Aa", "BB", "Aa", Fate.DELIVERED, ("X",)),  # equal hash codes
        ("a", "a", " ", Fate.LOST, ("X",)),  # a blank list keeps what it never asked for
    ],
)
def test_the_broker_tests_hash_codes_and_the_client_tags(
    tag: str | None, winner: str, own: str, fate: Fate, receivers: tuple[str, ...]
) -> None:
    found = end(Content(tag), winner, reader("X", own))
    assert (found.fate, found.receivers) == (fate, receivers)


def test_an_own_filter_ignores_the_winner() -> None:
    assert end(Content("a"), "b", reader("X", "a", own_filter=True)).fate is Fate.DELIVERED


def test_refused_pulls_delay_and_nobody_at_all_sticks() -> None:
    assert end(Content("a"), "a", reader("X", "a", refused=24)).fate is Fate.DELAYED
    assert end(Content("a"), "a").fate is Fate.STUCK


def test_a_broadcasting_reader_does_not_move_the_groups_offset() -> None:
    broadcasting = reader("B", "a", own_offset=True)
    assert end(Content("a"), "a", broadcasting).fate is Fate.STUCK
    assert end(Content("a"), "a", broadcasting, clustered=False).fate is Fate.DELIVERED
    assert end(Content("a"), "a", broadcasting).receivers == ("B",)


def test_sql92_sees_the_tag_as_a_property_and_needs_true() -> None:
    sql = reader("X", "TAGS = 'a' AND k > 1", SQL92)
    assert end(Content("a", (("k", "2"),)), "TAGS = 'a' AND k > 1", sql, kind=SQL92).fate is Fate.DELIVERED
    assert end(Content("a"), "TAGS = 'a' AND k > 1", sql, kind=SQL92).fate is Fate.LOST
