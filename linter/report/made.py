"""How a report came about: by which command, when, and of which commits; and where these can be read in a browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote

from msgspec import Struct, field


class Revision(Struct, frozen=True):
    """The commit a repository was read at ("" unknown), and the address of its host's pages of it ("" none)."""

    commit: str = ""
    address: str = ""

    def link(self, path: str, line: int) -> str:
        """The address of a line, "" where nothing says. The form is GitHub's, GitLab's and Gitee's; Bitbucket has its own."""
        if not self.address or not self.commit:
            return ""
        shown = quote(path, errors="replace")
        if "bitbucket." in self.address.partition("://")[2].partition("/")[0]:
            return f"{self.address}/src/{self.commit}/{shown}#lines-{line}"
        return f"{self.address}/blob/{self.commit}/{shown}#L{line}"


class Made(Struct, frozen=True):
    """`day` is ISO 8601, UTC; `revisions` are by the names of repositories."""

    command: str = ""
    day: str = ""
    revisions: Mapping[str, Revision] = field(default_factory=dict)


def unknown(repositories: Iterable[str]) -> Made:
    """For runs of which nothing is known."""
    return Made()
