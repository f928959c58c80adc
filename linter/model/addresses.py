"""Name-server addresses and gRPC endpoints: which of them lead to one cluster.

A client is given a list of addresses; two lists with an address in common lead to one cluster. `localhost` is
127.0.0.1, a scheme and the order do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_SCHEME = r"^[a-zA-Z][a-zA-Z0-9+.-]*://"


def addresses(text: str) -> frozenset[str]:
    """The single addresses of a list as a client is given it."""
    parts = (re.sub(_SCHEME, "", part.strip()).rstrip("/").lower() for part in re.split(r"[;,]", text))
    return frozenset(re.sub(r"^(?:localhost|\[::1\])(?=:|$)", "127.0.0.1", part) for part in parts if part)


def clusters(texts: Iterable[str]) -> Mapping[str, int]:
    """Each list of addresses -> the number of its cluster, from 0 in the order of the sorted texts."""
    leader: dict[str, str] = {}

    def root(address: str) -> str:
        while leader.setdefault(address, address) != address:
            address = leader[address]
        return address

    listed = sorted(set(texts))
    for text in listed:
        first, *others = sorted(addresses(text)) or [text]
        for other in others:
            leader[root(other)] = root(first)
    numbers: dict[str, int] = {}
    return {text: numbers.setdefault(root(min(addresses(text) or {text})), len(numbers)) for text in listed}
