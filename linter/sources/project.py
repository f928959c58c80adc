"""Where this project's own files can be read in a browser: as somebody says, as pip noted when it installed it, or as its
release does."""

from __future__ import annotations

import json
import os
from typing import Final
from urllib.parse import urlsplit

from subdrift.linter.model.message import UnusableError

VARIABLE: Final = "SUBDRIFT_HOME"
DISTRIBUTION: Final = "subdrift"
SOURCE: Final = "Source, "
"""Before the address of the repository among a release's links."""


class ProjectError(UnusableError):
    """$SUBDRIFT_HOME is not an address; the text says so."""


def address() -> str:
    """The address of the folder that holds README.md, with its version; "" where nothing says. Raises `ProjectError`.

    An installation from a git server knows its repository and commit, a release its repository and version; one from a
    folder knows nothing.
    """
    given = os.environ.get(VARIABLE, "")
    if not given:
        return installed()
    if not given.startswith(("https://", "http://")) or not urlsplit(given).hostname:
        raise ProjectError("option.home", variable=VARIABLE, given=repr(given))
    return given.rstrip("/")


def address_of(noted: str) -> str:
    """The address in what pip noted (PEP 610), in the form GitHub, GitLab and Gitee share; "" where there is none."""
    try:
        found = json.loads(noted or "{}")
        url, commit = urlsplit(str(found["url"])), str(found["vcs_info"]["commit_id"])
    except (ValueError, KeyError, TypeError):
        return ""
    if url.scheme not in ("https", "http") or not url.hostname:
        return ""
    host = url.hostname if url.port is None else f"{url.hostname}:{url.port}"  # without a name or password
    return f"{url.scheme}://{host}{url.path.rstrip('/').removesuffix('.git')}/blob/{commit}"


def installed() -> str:
    """The address as this installation knows it, "" where it knows none."""
    from importlib import metadata

    try:
        found = metadata.distribution(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return ""
    if noted := address_of(found.read_text("direct_url.json") or ""):
        return noted
    links = found.metadata.get_all("Project-URL") or ()
    sources = [link.removeprefix(SOURCE) for link in links if link.startswith(SOURCE)]
    return f"{sources[0].rstrip('/')}/blob/v{found.version}" if sources else ""
