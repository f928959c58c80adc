"""What a repository tells about itself besides its sources: its commit, and where it comes from. Text from outside, kept
within bounds."""

from __future__ import annotations

import os
import re

from msgspec import Struct

from subdrift.linter.sources import git
from subdrift.linter.sources.checkout import origin_url

_CREDENTIALS = r"^(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]*://)[^/@]*@"
_URL = r"(?:https?|ssh|git)://\S+|[^\s/:]+@[^\s/:]+:\S+"
_URL_CHARS_MAX = 500
_OVER_SSH = r"(?:(?:ssh|git)://)?(?:[\w.-]+@)?(?P<host>[\w.-]+)(?::\d+/|[:/])/?(?P<path>[\w./~-]+)"


class Commit(Struct, frozen=True):
    """A commit and when it was made, in seconds since 1970; "" and None where it is not known."""

    head: str = ""
    time: int | None = None


def commit_of(root: str, head: str = "") -> Commit:
    """The commit of a repository, or the one a head names."""
    if not _has_git(root):
        return Commit()
    name = f"{head or 'HEAD'}^{{commit}}"
    shown = ("show", "-s", "--no-show-signature", "--no-notes", "--format=%H %ct", "--end-of-options", name)
    found = re.fullmatch(r"([0-9a-f]{40,64}) (-?\d*)", git.ask(root, *shown).out.strip())
    if found is None:
        return Commit()
    return Commit(found[1], int(found[2]) if re.fullmatch(r"\d{1,12}", found[2]) else None)


def _has_git(root: str) -> bool:
    """Whether a folder is in a repository of git's, as git itself looks for it; asking git costs a process."""
    folder = os.path.realpath(root)
    while not (os.path.lexists(folder + "/.git") or git.is_bare(folder)):
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def address_of(root: str) -> str:
    """The address under which a browser shows a repository, "" where its url tells none or git's root is elsewhere."""
    if not (os.path.lexists(root + "/.git") or git.is_bare(root)):
        return ""
    url = url_of(root).removesuffix("/").removesuffix(".git")
    if url.startswith(("https://", "http://")):
        return url
    found = re.fullmatch(_OVER_SSH, url)
    return f"https://{found['host']}/{found['path']}" if found is not None else ""


def url_of(root: str) -> str:
    """Where a repository was cloned from, without a name or password in it; "" where that is not a place on a network."""
    url = origin_url(root)
    if not url:
        return ""
    url = re.sub(_CREDENTIALS, r"\g<scheme>", url)
    return url if len(url) <= _URL_CHARS_MAX and re.fullmatch(_URL, url) else ""
