"""Which consumers make a group, and who of a group is there at once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from subdrift.linter.model.consumer import Consumer, Value
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.location import Span
from subdrift.linter.stages import membership
from subdrift.linter.stages.membership import COMBINATIONS_MAX, clusters_of, group_key, groups, side_of, views
from tests.rules.members import member, place, value


def at(name: str, server: str | None, repo: str = "r", api: str = "push", default: bool = False) -> Consumer:
    address = Value(server, default=default) if server is not None else value(None)
    return replace(member(name, ("T", "A"), api=api), name_server=address, at=place(repo, 1))


def shown(members: list[Consumer]) -> list[str]:
    """Each view as the names of its members, with the expression of a member that has several."""
    return [
        " ".join(one.id + (one.choice and f"={one.subscriptions[0].expression.text}") for one in view)
        for view in views(members)
    ]


@pytest.mark.parametrize(
    ("consumer", "key"),
    [
        (member("a"), ("", "", "g")),
        (replace(member("a"), cluster="east"), ("east", "", "g")),
        (replace(member("a"), namespace=Value("ns")), ("", "ns", "g")),
        (replace(member("a"), namespace=value(None)), None),
        (member("a", group=None), None),
        (member("a", group=""), None),
        (member("a", group="CID_RMQ_SYS_X"), None),
        (replace(member("a"), group=replace(value(None), symbol="${k} of r:m")), ("", "", "${k} of r:m")),
    ],
)
def test_a_group_is_cluster_namespace_and_name(consumer: Consumer, key: tuple[str, str, str] | None) -> None:
    assert group_key(consumer) == key


def test_groups_and_their_members_have_an_order() -> None:
    late, early = replace(member("x"), at=place("b", 9)), replace(member("y"), at=place("b", 2))
    found = groups([late, member("n", group=None), early, member("z", group="f")])
    assert [(one.name, [each.id for each in one.consumers]) for one in found] == [
        ("f", ["z"]),
        ("g", ["y", "x"]),
    ]


def test_rows_of_one_consumer_are_never_there_at_once() -> None:
    rows = [replace(member("b", ("T", tags)), choice="b") for tags in ("B", "C")]
    assert shown([member("a", ("T", "A")), *rows]) == ["a b=B", "a b=C"]


@pytest.mark.parametrize(
    ("members", "together"),
    [
        ([at("a", "x:1"), at("b", "x:1")], ["a b"]),
        ([at("a", "x:1"), at("b", "y:1")], ["a", "b"]),
        ([at("a", "x:1"), at("b", "x:1;y:1"), at("c", "z:1")], ["a b", "c"]),
        ([at("a", "x:1"), at("b", "y:1"), at("c", None)], ["a c", "b c"]),
        ([at("a", "x:1"), at("b", "y:1"), at("c", "y:1", default=True)], ["a c", "b c"]),
        ([at("a", "x:1"), at("b", "y:1", repo="s")], ["a b"]),
        ([at("a", "x:1"), at("b", "y:1", api="grpc-push")], ["a b"]),
        ([at("a", "x:1"), at("b", "y:1"), at("c", "z:1", repo="s")], ["a c", "b c"]),
    ],
)
def test_addresses_separate_within_a_repository_and_protocol(
    members: list[Consumer], together: list[str]
) -> None:
    assert sorted(shown(members)) == together


def under(name: str, *asked: str, module: str = "m", kind: str = "property") -> Consumer:
    """A member of a module that is there under open conditions."""
    conditions = tuple(Condition(kind, one, Span(1, 1, 1, 1)) for one in asked)
    return replace(member(name, ("T", "A")), conditions=conditions, deployable=module, at=place("r", 1))


@pytest.mark.parametrize(
    ("members", "together"),
    [
        ([under("a", "mq.on=true"), under("b", "mq.on=false")], ["a", "b"]),
        ([under("a", "mq.on=true"), under("b", "mq.on=TRUE")], ["a b"]),
        ([under("a", "mq.on=true"), under("b", "mq.on=false"), under("c")], ["a c", "b c"]),
        ([under("a", "mq.on=true"), under("b", "mq.off=false")], ["a b"]),
        ([under("a", "mq.on=true"), under("b", "mq.on=false", module="n")], ["a b"]),
        ([under("a", "mq.on"), under("b", "mq.on=false")], ["a b"]),
        ([under("a", "mq.on=true", kind="expression"), under("b", "mq.on=false")], ["a b"]),
        (
            [under("a", "mq.on=true", "x=1"), under("b", "mq.on=false", "x=2"), under("c", "x=2")],
            ["a", "b c", "c"],
        ),
    ],
)
def test_a_switch_has_one_value_at_once(members: list[Consumer], together: list[str]) -> None:
    assert sorted(filter(None, shown(members))) == together


def test_views_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [replace(member(f"m{n}", ("T", tags)), choice=f"m{n}") for n in range(7) for tags in "AB"]
    assert len(list(views(rows))) == COMBINATIONS_MAX == 64
    monkeypatch.setattr(membership, "COMBINATIONS_MAX", 3)
    assert len(list(views(rows))) == 3
    apart = [at(f"c{n}", f"h{n}:1") for n in range(5)]
    assert len(list(views(apart))) == 3


def test_a_side_is_repository_and_protocol_and_a_default_address_is_none() -> None:
    assert side_of(at("a", "x:1")) == ("r", "remoting")
    one, other, default = at("a", "x:1"), at("b", "x:1"), at("c", "x:1", default=True)
    found = clusters_of([one, other, default])
    assert (set(found), len(set(found.values()))) == ({id(one), id(other)}, 1)
