"""Who works on what: repositories that must be consumed together, and shares of work of about one size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

K = TypeVar("K")


class Components:
    """Repositories by the component they are consumed in; a component is named by its first repository."""

    def __init__(self, repos: Iterable[str]) -> None:
        self._above = {repo: repo for repo in repos}

    def of(self, repo: str) -> str:
        """The component of a repository."""
        root = repo
        while self._above[root] != root:
            root = self._above[root]
        while self._above[repo] != root:
            self._above[repo], repo = root, self._above[repo]
        return root

    def join(self, pairs: Iterable[tuple[str, str]]) -> int:
        """Puts the components of each pair together; how many components that made fewer."""
        joined = 0
        for one, other in pairs:
            first, second = sorted((self.of(one), self.of(other)))
            if first != second:
                self._above[second] = first
                joined += 1
        return joined

    def __len__(self) -> int:
        return sum(above == repo for repo, above in self._above.items())


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
