"""The address of this project's own files: as somebody says, else as the installation noted it, else none."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from subdrift.linter.sources.project import VARIABLE, ProjectError, address, address_of, installed
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


ROOT = Path(__file__).parents[2]


def test_a_release_says_where_it_was_made_from(tmp_path: Path) -> None:
    """No home of the project is written down: it is the repository that releases it."""
    made = tmp_path / "pyproject.toml"
    shutil.copy(ROOT / "pyproject.toml", made)
    assert "urls" not in tomllib.loads(made.read_text(encoding="utf-8"))["project"]
    steps = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))["jobs"][
        "build"
    ]["steps"]
    (says,) = [one["run"] for one in steps if "reports link there" in one.get("name", "")]
    home = {"GITHUB_SERVER_URL": "https://git.example.com", "GITHUB_REPOSITORY": "tools/subdrift"}
    subprocess.run(("bash", "-ec", says), cwd=tmp_path, env=home, check=True)
    assert tomllib.loads(made.read_text(encoding="utf-8"))["project"]["urls"] == {
        "Source": "https://git.example.com/tools/subdrift"
    }


def test_a_release_links_to_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "subdrift-1.2.3.dist-info" / "METADATA"
    notes.parent.mkdir()
    lines = ["Metadata-Version: 2.4", "Name: subdrift", "Version: 1.2.3"]
    monkeypatch.syspath_prepend(tmp_path)
    notes.write_text("\n".join(lines), encoding="utf-8")
    assert installed() == ""
    lines.append("Project-URL: Source, https://git.example.com/tools/subdrift")
    notes.write_text("\n".join(lines), encoding="utf-8")
    assert installed() == "https://git.example.com/tools/subdrift/blob/v1.2.3"


def test_somebody_may_say_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "https://git.example.com/tools/subdrift/blob/main/")
    assert address() == "https://git.example.com/tools/subdrift/blob/main"
    for wrong in ("git.example.com", "javascript:alert(1)", "https://"):
        monkeypatch.setenv(VARIABLE, wrong)
        with refused(ProjectError, "SUBDRIFT_HOME is the https:// address"):
            address()
