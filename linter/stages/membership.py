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
    """Who is in the group at once: one row of each choice, and one cluster for each repository and protocol.

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
        yield from islice(product(*inside), COMBINATIONS_MAX)


def side_of(member: Consumer) -> tuple[str, str]:
    """What a member's address is compared within: its repository and the protocol it speaks."""
    return (member.at.origin.repo, member.traits.client.value)


def clusters_of(members: Iterable[Consumer]) -> dict[int, int]:
    """`id` of each member whose address is known -> the number of its cluster."""
    known = [one for one in members if one.name_server.text and not one.name_server.default]
    numbers = clusters(one.name_server.text or "" for one in known)
    return {id(one): numbers[one.name_server.text or ""] for one in known}
