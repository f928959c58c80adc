"""Owners, commits and urls, as a repository tells them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from subdrift.linter.sources.about import address_of, commit_of, url_of
from subdrift.linter.sources.checkout import Repository
from subdrift.linter.sources.owners import owners_of
from tests.adopt.scratch import environment
from tests.registry.kit import committed

CODEOWNERS = """\
# a comment
*               @acme/all
*.py            @acme/python someone@example.org # and a remark
/src/main/      @acme/main
/src/main/gen/
docs/*          not-an-owner
[Section] @acme/section
/section/
^[Optional][2] @acme/optional
/optional/x     @acme/x
!/negated       @acme/negated
with\\ blank    @acme/blank
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.java", ("@acme/all",)),
        ("deep/down/a.py", ("@acme/python", "someone@example.org")),
        ("src/main/a.py", ("@acme/main",)),
        ("src/main/gen/a.py", ()),
        ("other/src/main/a.java", ("@acme/all",)),
        ("docs/a.md", ()),
        ("section/a", ("@acme/section",)),
        ("optional/x", ("@acme/x",)),
        ("negated", ("@acme/all",)),
        ("with blank", ("@acme/blank",)),
    ],
)
def test_the_last_line_that_matches_names_the_owners(
    path: str, owners: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "CODEOWNERS").write_text(CODEOWNERS)
    found = owners_of(Repository("r", str(tmp_path)))
    assert found.of(path) == owners
    assert found.whole == ("@acme/all",)


def test_a_catalogue_speaks_where_no_line_does(tmp_path: Path) -> None:
    (tmp_path / "catalog-info.yaml").write_text("kind: Component\nspec:\n  owner: team-a\n")
    assert owners_of(Repository("r", str(tmp_path))).whole == ("team-a",)
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "CODEOWNERS").write_text("/src/ @acme/src\n")
    found = owners_of(Repository("s", str(tmp_path)))
    assert (found.of("src/a"), found.of("b")) == (("@acme/src",), ("team-a",))
    (tmp_path / "catalog-info.yaml").write_text("spec: [")
    assert owners_of(Repository("t", str(tmp_path))).whole == ()


def test_a_commit_has_a_time_and_a_folder_has_none(tmp_path: Path) -> None:
    assert (commit_of(str(tmp_path)).head, commit_of(str(tmp_path)).time) == ("", None)
    (tmp_path / "a").write_text("a")
    head = committed(tmp_path)
    found = commit_of(str(tmp_path))
    assert found.head == head
    assert found.time is not None
    assert commit_of(str(tmp_path), "nowhere").head == ""


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("https://user:secret@example.org/a/b.git", "https://example.org/a/b.git"),
        ("git@example.org:a/b.git", "git@example.org:a/b.git"),
        ("/srv/git/a.git", ""),
        ("../a", ""),
        ("ext::sh -c x", ""),
    ],
)
def test_a_url_is_told_without_credentials(written: str, told: str, tmp_path: Path) -> None:
    for command in (("init", "-q"), ("config", "remote.origin.url", written)):
        subprocess.run(("git", *command), cwd=tmp_path, env=environment(), check=True)
    assert url_of(str(tmp_path)) == told


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("https://user:secret@git.example.org:8443/a/b.git", "https://git.example.org:8443/a/b"),
        ("git@example.org:a/b.git", "https://example.org/a/b"),
        ("ssh://git@example.org:2222/a/b.git", "https://example.org/a/b"),
        ("/srv/git/a.git", ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_the_address_of_a_repository_is_one_that_a_browser_opens(
    written: str, told: str, tmp_path: Path
) -> None:
    for command in (("init", "-q"), ("config", "remote.origin.url", written)):
        subprocess.run(("git", *command), cwd=tmp_path, env=environment(), check=True)
    assert address_of(str(tmp_path)) == told
    (tmp_path / "below").mkdir()
    assert address_of(str(tmp_path / "below")) == ""
