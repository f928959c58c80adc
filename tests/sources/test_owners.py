"""CODEOWNERS as GitHub and GitLab document it."""

from __future__ import annotations

import pytest

from subdrift.linter.extract.owners import FILE_BYTES_MAX
from subdrift.linter.stages.ownership import find
from subdrift.linter.stages.ownership import owners_in as parse

GITHUB = b"""\
# the default
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
**/logs @octo
/apps/github
/with\\ blank/ @blank
!/build/ @never
"""

CASES = [
    ("README.md", ("@global-owner1", "@global-owner2")),
    ("src/a.js", ("@js-owner",)),
    ("src/deep/x.go", ("docs@example.com",)),
    ("build/logs/a/b.txt", ("@octo",)),
    ("deep/apps/one.txt", ("@octocat",)),
    ("docs/a.md", ("@doctocat",)),
    ("docs/deep/a.md", ("@doctocat",)),
    ("deeply/nested/logs/x", ("@octo",)),
    ("apps/github", ()),
    ("apps/github/x.java", ()),
    ("apps/gitlab/x.java", ("@octocat",)),
    ("with blank/x", ("@blank",)),
]


@pytest.mark.parametrize(("path", "owners"), CASES)
def test_the_last_line_that_matches_decides(path: str, owners: tuple[str, ...]) -> None:
    assert parse(GITHUB).of(path) == owners


def test_a_star_after_a_folder_means_its_own_files() -> None:
    found = parse(b"docs/* docs@example.com\n")
    assert found.of("docs/getting-started.md") == ("docs@example.com",)
    assert found.of("docs/build-app/troubleshooting.md") == ()


def test_a_section_gives_its_owners_to_lines_without() -> None:
    found = parse(b"* @all\n[Database][2] @db\nmodel/\n^[Docs]\n*.md @writers\n*.txt\n")
    assert found.of("model/a.sql") == ("@db",)
    assert found.of("a.md") == ("@writers",)
    assert found.of("a.txt") == ()


def test_nothing_is_owned_by_what_cannot_be_read() -> None:
    assert parse(b"\xff\xfe[ @x\n***/[z-a @y\n").of("a") == ()
    assert parse(b"* @x\n".ljust(FILE_BYTES_MAX + 1)).of("a") == ()


def test_the_first_place_counts() -> None:
    assert find(["CODEOWNERS", ".github/CODEOWNERS", "src/CODEOWNERS"]) == ".github/CODEOWNERS"
    assert find(["src/CODEOWNERS"]) == ""
