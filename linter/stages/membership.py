"""Which consumers meet whom: the groups, and who of a group is there at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from subdrift.linter.model.addresses import clusters
from subdrift.linter.model.consumer import Consumer, ConsumerGroup

COMBINATIONS_MAX = 64
"""Combinations of alternatives and views of one group in one environment that are judged."""


def groups(consumers: Iterable[Consumer]) -> tuple[ConsumerGroup, ...]:
    """Consumers by (cluster, namespace, group); those whose group or namespace is unknown are in none, but for groups
    that are the same unknown inside one deployable."""
    found: dict[tuple[str, str, str], list[Consumer]] = {}
    for consumer in consumers:
        key = group_key(consumer)
        if key is not None:
            found.setdefault(key, []).append(consumer)
    return tuple(
        ConsumerGroup(namespace, name, cluster, tuple(sorted(members, key=_order)))
        for (cluster, namespace, name), members in sorted(found.items())
    )


def group_key(consumer: Consumer) -> tuple[str, str, str] | None:
    """Cluster, namespace and group of a consumer; None where group or namespace is not known, or the group is one of
    RocketMQ's own tools."""
    from subdrift.linter.broker.names import is_system_group

    if consumer.namespace.text is None:
        return None
    name = consumer.group.text or consumer.group.symbol
    if not name or is_system_group(name):
        return None
    return (consumer.cluster, consumer.namespace.text, name)


def _order(consumer: Consumer) -> tuple[tuple[str | int, ...], str, tuple[str, ...]]:
    return (consumer.at.order, consumer.id, consumer.environments)


def views(members: Sequence[Consumer]) -> Iterator[tuple[Consumer, ...]]:
    """Who is in the group at once: one row of each choice, one cluster for each repository and protocol, and one value of
    each open switch of a deployable.

    Within a repository two lists of name servers that have no address in common separate; a member whose address is
    not known is in every view.
    """
    rows: dict[str, list[Consumer]] = {}
    for member in members:
        rows.setdefault(member.id, []).append(member)
    cluster = clusters_of(members)
    found: dict[tuple[str, str], set[int]] = {}
    for member in members:
        if id(member) in cluster:
            found.setdefault(side_of(member), set()).add(cluster[id(member)])
    split = {side: sorted(numbers) for side, numbers in found.items() if len(numbers) > 1}
    for picked in islice(product(*split.values()), COMBINATIONS_MAX):
        chosen = dict(zip(split, picked, strict=True))
        inside = [
            options
            for options in rows.values()
            if (side := side_of(options[0])) not in chosen
            or cluster.get(id(options[0]), chosen[side]) == chosen[side]
        ]
        for switched in _switched(inside):
            yield from islice(product(*switched), COMBINATIONS_MAX)


Switch = tuple[str, str, str]
"""Repository, deployable and key of a property that an open condition asks for."""


def _switched(members: Sequence[list[Consumer]]) -> Iterator[list[list[Consumer]]]:
    """Who is there for each way to set the open switches: of members that ask for different values of one, those of one
    value. A row that asks for nothing is always there."""
    asked: dict[Switch, set[str]] = {}
    for options in members:
        for member in options:
            for switch, wanted in _wanted(member).items():
                asked.setdefault(switch, set()).add(wanted)
    split = {switch: sorted(values) for switch, values in asked.items() if len(values) > 1}
    for picked in islice(product(*split.values()), COMBINATIONS_MAX):
        chosen = dict(zip(split, picked, strict=True))
        rows = [
            [
                member
                for member in options
                if all(chosen.get(switch, wanted) == wanted for switch, wanted in _wanted(member).items())
            ]
            for options in members
        ]
        yield [options for options in rows if options]


def _wanted(member: Consumer) -> dict[Switch, str]:
    """The value each open switch must have for a member to be there; only switches that ask for a value."""
    found = {}
    for one in member.switches:
        key, equals, wanted = one.text.partition("=")
        if one.kind == "property" and equals:
            found[member.at.origin.repo, member.deployable, key] = wanted.lower()
    return found


def side_of(member: Consumer) -> tuple[str, str]:
    """What a member's address is compared within: its repository and the protocol it speaks."""
    return (member.at.origin.repo, member.traits.client.value)


def clusters_of(members: Iterable[Consumer]) -> dict[int, int]:
    """`id` of each member whose address is known -> the number of its cluster."""
    known = [one for one in members if one.name_server.text and not one.name_server.default]
    numbers = clusters(one.name_server.text or "" for one in known)
    return {id(one): numbers[one.name_server.text or ""] for one in known}
