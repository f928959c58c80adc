"""The address of this project's own files: as somebody says, else as the installation noted it, else none."""

from __future__ import annotations

import json

import pytest

from subdrift.linter.sources.project import VARIABLE, ProjectError, address, address_of
from tests.said import refused

GIT = {"commit_id": "4f1c9e2", "vcs": "git", "requested_revision": "v0.1.0"}


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://git.example.com/tools/subdrift", "https://git.example.com/tools/subdrift/blob/4f1c9e2"),
        ("https://git.example.com/tools/subdrift.git", "https://git.example.com/tools/subdrift/blob/4f1c9e2"),
        ("https://me:secret@h.example:8443/subdrift/", "https://h.example:8443/subdrift/blob/4f1c9e2"),
        ("ssh://git@git.example.com/tools/subdrift", ""),
        ("file:///srv/git/subdrift", ""),
    ],
)
def test_an_installation_from_a_git_server_knows_its_commit(url: str, said: str) -> None:
    assert address_of(json.dumps({"url": url, "vcs_info": GIT})) == said


@pytest.mark.parametrize(
    "noted",
    ["", "{", "[]", '{"url": "file:///x", "dir_info": {}}', '{"url": 1, "vcs_info": {"commit_id": 2}}'],
)
def test_any_other_installation_knows_nothing(noted: str) -> None:
    assert address_of(noted) == ""


def test_somebody_may_say_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "https://git.example.com/tools/subdrift/blob/main/")
    assert address() == "https://git.example.com/tools/subdrift/blob/main"
    for wrong in ("git.example.com", "javascript:alert(1)", "https://"):
        monkeypatch.setenv(VARIABLE, wrong)
        with refused(ProjectError, "SUBDRIFT_HOME is the https:// address"):
            address()
