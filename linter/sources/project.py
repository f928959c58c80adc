"""Where this project's own files can be read in a browser: as somebody says, or as pip noted when it installed it."""

from __future__ import annotations

import json
import os
from typing import Final
from urllib.parse import urlsplit

from subdrift.linter.model.message import UnusableError

VARIABLE: Final = "SUBDRIFT_HOME"
DISTRIBUTION: Final = "subdrift"


class ProjectError(UnusableError):
    """$SUBDRIFT_HOME is not an address; the text says so."""


def address() -> str:
    """The address of the folder that holds README.md, with its version; "" where nothing says. Raises `ProjectError`.

    An installation from a git server knows its repository and commit; one from a folder or a wheel knows nothing.
    """
    given = os.environ.get(VARIABLE, "")
    if not given:
        return address_of(_noted())
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


def _noted() -> str:
    from importlib import metadata

    try:
        return metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or ""
    except metadata.PackageNotFoundError:
        return ""
