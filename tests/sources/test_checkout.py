"""Repositories found, named, listed and read: every odd thing a disk can hold costs a diagnostic, never a run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from subdrift.linter.model.finding import DIAGNOSTICS, Diagnostic
from subdrift.linter.report.language import english, language
from subdrift.linter.sources.checkout import (
    PYTHON_BYTES_MAX,
    SOURCE_BYTES_MAX,
    Repository,
    SourceError,
    discover,
)
from subdrift.linter.sources.listing import public_path
from tests.said import refused
from tests.words import en

FILES = {
    "src/A.java": "class A {}",
    "build/B.java": "class B {}",
    "target/com/acme/build/C.java": "class C {}",
    "with space/D.java": "class D {}",
    "订单/消费者.java": "class E {}",
    "ignored/F.java": "class F {}",
    "ignored/kept/G.java": "class G {}",
    "_private/__init__.py": "",
    ".github/app.yml": "a: 1",
    ".gitignore": "/ignored/*\n!/ignored/kept\n*.log\n",
    "x.log": "",
}
LISTED = sorted(set(FILES) - {"ignored/F.java", "x.log"})


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def only(paths: tuple[Repository, ...]) -> Repository:
    (repository,) = paths
    return repository


def messages(repository: Repository) -> list[str]:
    return [en(one.message) for one in repository.listing().diagnostics]


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return write(tmp_path / "plain", FILES)


@pytest.fixture
def tree(plain: Path) -> Path:
    git(plain, "init")
    git(plain, "add", "src", ".gitignore")
    git(plain, "commit", "-m", "start")
    return plain


@contextmanager
def without_privileges(root: Path) -> Iterator[None]:
    """Permissions mean nothing to the superuser, so become somebody else for a while."""
    if os.getuid() != 0:
        yield
        return
    for part in (root, *root.parents[:-2]):
        part.chmod(part.stat().st_mode | 0o055)
    for part in (root, *root.rglob("*")):
        os.chown(part, 65534, 65534, follow_symlinks=False)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_git_lists_tracked_and_untracked_files_but_no_ignored_ones(tree: Path) -> None:
    assert list(only(discover([str(tree)])).files()) == LISTED


def test_a_walk_lists_what_git_would_list(plain: Path) -> None:
    assert list(only(discover([str(plain)])).files()) == LISTED


def test_untracked_files_take_no_part_when_told_so(tree: Path) -> None:
    repository = only(discover([str(tree)], untracked=False))
    assert repository.files() == (".gitignore", "src/A.java")


def test_a_listing_survives_the_variables_git_sets_for_a_hook(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    repository = only(discover([str(tree)]))
    assert list(repository.files()) == LISTED
    assert repository.listing().remark is None


def test_what_git_cannot_list_is_walked_and_said(plain: Path) -> None:
    (plain / ".git").mkdir()
    repository = only(discover([str(plain)]))
    assert list(repository.files()) == LISTED
    assert "was walked instead" in language("en").text(repository.listing().remark)


def test_excluded_files_are_not_listed(tree: Path) -> None:
    repository = only(discover([str(tree)]))
    repository.exclude = ("/build", "*.yml", "target/**/C.java")
    left = [one for one in LISTED if not one.startswith(("build", "target", ".github"))]
    assert list(repository.files()) == left


def test_a_repository_inside_a_work_tree_that_ignores_it_is_walked(tree: Path) -> None:
    write(tree / "ignored" / "inner", {".subdrift.toml": "", "H.java": "class H {}"})
    repository = only(discover([str(tree / "ignored" / "inner" / "H.java")]))
    assert repository.files() == (".subdrift.toml", "H.java")


def test_the_repository_of_a_path_is_the_nearest_marked_folder(tree: Path) -> None:
    write(tree, {"services/a/.subdrift.toml": "", "services/a/src/X.java": ""})
    inner, outer = discover([str(tree / "services/a/src"), str(tree / "src/A.java")])
    assert (inner.name, inner.selected) == ("a", ("src",))
    assert (outer.name, outer.selected) == ("plain", ("src/A.java",))
    assert inner.is_selected("src/X.java")
    assert not inner.is_selected("src2/X.java")


def test_the_whole_repository_is_reported_once_its_root_is_given(tree: Path) -> None:
    repository = only(discover([str(tree / "src"), str(tree)]))
    assert repository.selected == ()
    assert repository.is_selected("build/B.java")


def test_a_file_without_a_repository_stands_for_itself(plain: Path) -> None:
    repository = only(discover([str(plain / "src" / "A.java")]))
    assert repository.files() == ("A.java",)
    assert repository.read("A.java") == b"class A {}"


def test_a_missing_path_is_named() -> None:
    with refused(SourceError, "no/such: No such file or directory"):
        discover(["no/such"])


ORIGINS = [
    ("https://example.org/acme/billing.git", "acme/billing"),
    ("git@example.org:acme/billing.git", "acme/billing"),
    ("ssh://git@example.org:2222/acme/billing", "acme/billing"),
    ("https://example.org/group/sub/billing/", "sub/billing"),
    ("/srv/git/acme/billing.git", "plain"),
    ("file:///srv/git/acme/billing.git", "plain"),
]


@pytest.mark.parametrize(("url", "name"), ORIGINS)
def test_a_repository_is_called_as_its_origin(tree: Path, url: str, name: str) -> None:
    git(tree, "remote", "add", "origin", url)
    assert only(discover([str(tree)])).name == name


def test_a_linked_work_tree_has_the_name_of_its_origin(tree: Path, tmp_path: Path) -> None:
    git(tree, "remote", "add", "origin", "https://example.org/acme/billing.git")
    git(tree, "worktree", "add", "-b", "other", str(tmp_path / "other"))
    assert only(discover([str(tmp_path / "other")])).name == "acme/billing"


def test_a_configured_name_wins(tree: Path) -> None:
    assert only(discover([str(tree)], configured_name=lambda root: "acme/orders")).name == "acme/orders"


def test_every_subfolder_of_an_organisation_is_a_repository_whatever_git_says(tmp_path: Path) -> None:
    write(tmp_path, {"b/X.java": "", "a/deep/Y.java": "", ".hidden/Z.java": "", "loose.java": ""})
    git(tmp_path, "init")
    assert [(one.name, one.files()) for one in discover([], org=str(tmp_path))] == [
        ("a", ("deep/Y.java",)),
        ("b", ("X.java",)),
    ]


def test_two_repositories_of_one_name_are_refused_by_both_paths(tmp_path: Path) -> None:
    write(tmp_path, {"x/a/.subdrift.toml": "", "y/a/.subdrift.toml": ""})
    with pytest.raises(SourceError) as caught:
        discover([str(tmp_path / "x" / "a"), str(tmp_path / "y" / "a")])
    assert str(tmp_path / "x" / "a") in english().text(caught.value.message)
    assert str(tmp_path / "y" / "a") in english().text(caught.value.message)


@pytest.mark.parametrize("kind", ["tree", "plain"])
def test_links_that_lose_something_are_said_and_never_followed(
    kind: str, request: pytest.FixtureRequest
) -> None:
    root: Path = request.getfixturevalue(kind)
    outside = write(root.parent / "outside", {"Z.java": "class Z {}"})
    (root / "loop").symlink_to(".")
    (root / "self").symlink_to("self")
    (root / "gone.java").symlink_to("nowhere.java")
    (root / "out").symlink_to(outside)
    (root / "harmless.java").symlink_to("src/A.java")
    (root / "harmless.proto").symlink_to("nowhere.proto")
    (root / "harmless.txt").symlink_to(outside / "Z.java")
    if kind == "tree":
        git(root, "add", "loop", "self")
    repository = only(discover([str(root)]))
    assert list(repository.files()) == LISTED
    assert messages(repository) == [
        "gone.java is a symbolic link that leads nowhere: No such file or directory.",
        "loop is a symbolic link to a folder around it and was not followed.",
        "out is a symbolic link out of the repository and was not followed.",
        "self is a symbolic link that leads nowhere: Too many levels of symbolic links.",
    ]


def test_submodules_and_nested_repositories_are_said(tree: Path) -> None:
    write(tree, {"nested/N.java": ""})
    git(tree / "nested", "init")
    git(tree / "nested", "add", ".")
    git(tree / "nested", "commit", "-m", "n")
    assert messages(only(discover([str(tree)]))) == [
        "nested is a git repository inside this one and was not read."
    ]
    git(tree, "add", "nested")
    (message,) = messages(only(discover([str(tree)])))
    assert message.startswith("nested is a git submodule")


@pytest.mark.parametrize("kind", ["tree", "plain"])
def test_a_folder_without_permission_costs_that_folder(kind: str, request: pytest.FixtureRequest) -> None:
    root: Path = request.getfixturevalue(kind)
    with without_privileges(root):
        (root / "build").chmod(0)
        repository = only(discover([str(root)]))
        assert list(repository.files()) == [one for one in LISTED if one != "build/B.java"]
        assert messages(repository) == ["build could not be opened: Permission denied."]
    (root / "build").chmod(0o755)


def diagnostic(found: bytes | Diagnostic) -> Diagnostic:
    assert isinstance(found, Diagnostic)
    assert found.name in DIAGNOSTICS
    return found


def test_a_file_without_permission_costs_that_file(plain: Path) -> None:
    with without_privileges(plain):
        (plain / "src/A.java").chmod(0)
        found = diagnostic(only(discover([str(plain)])).read("src/A.java"))
    assert (found.name, en(found.message)) == (
        "unreadable-file",
        "src/A.java could not be opened: Permission denied.",
    )


def test_a_tracked_file_that_is_gone_and_a_link_cost_that_file(tree: Path) -> None:
    repository = only(discover([str(tree)]))
    repository.files()
    (tree / "src/A.java").unlink()
    assert (
        en(diagnostic(repository.read("src/A.java")).message) == "src/A.java is tracked, but missing on disk."
    )
    (tree / "src/A.java").symlink_to("../build/B.java")
    assert diagnostic(repository.read("src/A.java")).name == "skipped-file"
    assert en(diagnostic(repository.read("src")).message) == "src is not a regular file and was not read."


def test_what_a_sparse_checkout_leaves_out_is_read_from_git(tree: Path, tmp_path: Path) -> None:
    git(tree, "add", "订单", "with space")
    git(tree, "commit", "-m", "more")
    git(tree, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--sparse", tree.as_uri(), "sparse")
    git(tmp_path, "clone", "--sparse", "--filter=blob:none", tree.as_uri(), "partial")
    for name in ("sparse", "partial"):
        git(tmp_path / name, "sparse-checkout", "set", "src")
        assert not (tmp_path / name / "订单").exists()
    repository = only(discover([str(tmp_path / "sparse")]))
    assert {"src/A.java", "订单/消费者.java"} <= set(repository.files())
    assert repository.read("订单/消费者.java") == b"class E {}"
    repository.close()
    partial = only(discover([str(tmp_path / "partial")]))
    assert partial.read("src/A.java") == b"class A {}"
    assert en(diagnostic(partial.read("订单/消费者.java")).message) == (
        "订单/消费者.java is outside the sparse checkout, and this clone does not hold its content."
    )
    partial.close()


@pytest.mark.parametrize(("name", "limit"), [("big.java", SOURCE_BYTES_MAX), ("big.py", PYTHON_BYTES_MAX)])
def test_a_file_is_read_up_to_its_limit(tmp_path: Path, name: str, limit: int) -> None:
    (tmp_path / name).write_bytes(b"x" * limit)
    (tmp_path / f"too-{name}").write_bytes(b"x" * (limit + 1))
    repository = only(discover([str(tmp_path)]))
    assert repository.read(name) == b"x" * limit
    found = diagnostic(repository.read(f"too-{name}"))
    assert found.name == "skipped-file"
    assert f"{limit >> 10} KiB" in en(found.message)


def test_a_pipe_does_not_stop_the_run(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.java")
    repository = only(discover([str(tmp_path)]))
    assert repository.files() == ()
    skipped = repository.listing().diagnostics
    assert [en(one.message) for one in skipped] == [
        "pipe.java is a pipe, socket or device and was not opened."
    ]
    assert diagnostic(repository.read("pipe.java")).name == "skipped-file"


def test_names_that_are_no_utf8_are_percent_encoded_and_still_read(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path)
    with open(root + b"/caf\xe9.java", "wb") as file:
        file.write(b"class Cafe {}")
    repository = only(discover([str(tmp_path)]))
    assert repository.files() == ("caf%E9.java",)
    assert repository.read("caf%E9.java") == b"class Cafe {}"
    assert public_path("订单") == "订单"


def test_two_names_that_look_alike_after_encoding_are_said(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path)
    for name in (b"/caf\xe9.java", b"/caf%E9.java"):
        with open(root + name, "wb") as file:
            file.write(name)
    repository = only(discover([str(tmp_path)]))
    assert repository.read("caf%E9.java") == b"/caf%E9.java"
    assert len(messages(repository)) == 1


def test_an_empty_folder_lists_nothing(tmp_path: Path) -> None:
    assert only(discover([str(tmp_path)])).files() == ()
