"""Who works on what: shares of work of about one size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

K = TypeVar("K")


def balanced(weights: Mapping[K, int], shares: int) -> dict[K, int]:
    """Each key's share (from 0), largest first into the lightest share; at most as many shares as keys."""
    import heapq

    count = max(1, min(shares, len(weights)))
    loads = [(0, share) for share in range(count)]
    found: dict[K, int] = {}
    for key, weight in sorted(weights.items(), key=lambda item: (-item[1], str(item[0]))):
        load, share = heapq.heappop(loads)
        found[key] = share
        # even an empty repository costs something to open
        heapq.heappush(loads, (load + weight + 1, share))
    return found
