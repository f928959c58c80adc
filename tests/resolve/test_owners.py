"""Who owns a file by CODEOWNERS: patterns as GitHub reads them, sections as GitLab does."""

from __future__ import annotations

import pytest

from subdrift.linter.extract.owners import read_file
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.owners import Owners


def owners(text: str, path: str = "CODEOWNERS") -> Owners:
    facts = read_file("CODEOWNERS", text.encode()) or FileFacts("owners")
    return Owners.among([Placed(Origin("app", path), facts)])


@pytest.mark.parametrize(
    ("pattern", "owned", "others"),
    [
        ("*", ("a.java", "src/main/A.java"), ()),
        ("*.java", ("A.java", "src/A.java"), ("A.kt", "A.java.txt")),
        ("/src", ("src/A.java", "src/x/A.java"), ("lib/src/A.java", "src2/A.java")),
        ("src/", ("src/A.java", "lib/src/A.java"), ("lib/src",)),
        ("docs/*", ("docs/a.md",), ("docs/x/a.md", "lib/docs/a.md")),
        ("/apps/**/orders", ("apps/orders/A.java", "apps/x/y/orders/A.java"), ("apps/x/order/A.java",)),
        ("**/orders", ("orders/A.java", "x/orders/A.java"), ("x/orders2/A.java",)),
        ("/apps/**", ("apps/a", "apps/x/a"), ("app/a",)),
        ("/**/a/**/b", ("a/b", "a/b/a/c", "x/a/y/b"), ("a/c/a/d",)),
        ("a/", ("a/x/a", "a/b"), ("x/a",)),
        ("a*b*c", ("abc", "axbxbxc"), ("ab", "acb", "abcd")),
        ("a?.java", ("ab.java",), ("a.java", "a/.java")),
        (r"with\ blank.java", ("with blank.java",), ("with",)),
        ("a.b", ("a.b",), ("axb",)),
    ],
)
def test_a_pattern_owns_what_it_matches(
    pattern: str, owned: tuple[str, ...], others: tuple[str, ...]
) -> None:
    found = owners(f"{pattern} @us")
    assert [path for path in (*owned, *others) if found.of(path)] == list(owned)


def test_the_last_line_that_matches_counts_even_where_it_names_nobody() -> None:
    found = owners("* @all\n/src @b @a # not @c\n/src/free\n")
    assert found.of("x") == ("@all",)
    assert found.of("src/A.java") == ("@a", "@b")
    assert found.of("src/free/A.java") == ()


def test_the_owners_of_a_section_hold_where_a_line_names_none() -> None:
    found = owners("[Code][2] @code\n/src\n/lib lib@acme.com\n^[Other]\n/doc\n")
    assert (found.of("src/a"), found.of("lib/a"), found.of("doc/a")) == (("@code",), ("lib@acme.com",), ())


def test_the_first_folder_that_has_the_file_counts() -> None:
    text = read_file("CODEOWNERS", b"* @root")
    hidden = read_file("CODEOWNERS", b"* @github")
    assert text is not None
    assert hidden is not None
    placed = [
        Placed(Origin("app", "CODEOWNERS"), text),
        Placed(Origin("app", ".github/CODEOWNERS"), hidden),
        Placed(Origin("app", "sub/CODEOWNERS"), text),
    ]
    assert Owners.among(placed).of("a") == ("@github",)
    assert Owners.among(placed[2:]).of("a") == ()


def test_a_file_without_lines_owns_nothing() -> None:
    assert read_file("CODEOWNERS", b"# nobody\n\n") is None


def test_a_pattern_of_many_stars_is_decided_at_once() -> None:
    """A regular expression would try more ways than there is time for."""
    assert owners("a*" * 1_000 + "b @us").of("a" * 4_000) == ()
    assert owners("/**/a" * 50 + "/b @us").of("/".join("a" * 400)) == ()
    assert owners("a*" * 1_000 + "b @us").of("a" * 2_000 + "b") == ("@us",)
