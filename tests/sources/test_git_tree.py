"""A commit read from git objects gives what its checkout gives."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.sources.checkout import SOURCE_BYTES_MAX, Repository, SourceError
from subdrift.linter.sources.git_tree import GitTree
from tests.said import refused
from tests.words import en


def git(folder: Path, *arguments: str) -> str:
    command = ("git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments)
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "a dir 中文").mkdir()
    (tmp_path / "a dir 中文" / "One.java").write_bytes(b"class One {}\n\n")
    (tmp_path / "empty.py").write_bytes(b"")
    (tmp_path / "inside.py").symlink_to("empty.py")
    (tmp_path / "outside.py").symlink_to("/etc/hostname")
    (tmp_path / "large.xml").write_bytes(b"x" * (SOURCE_BYTES_MAX + 1))
    (tmp_path / "lfs.yml").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    with open(os.fsencode(tmp_path) + b"/\xff.py", "wb") as file:
        file.write(b"odd = 1\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    return tmp_path


@pytest.fixture
def tree(root: Path) -> Iterator[GitTree]:
    tree = GitTree("r", str(root), "HEAD")
    yield tree
    tree.close()


def test_a_commit_lists_and_reads_what_its_checkout_holds(root: Path, tree: GitTree) -> None:
    checkout = Repository("r", str(root), untracked=False)
    assert tree.files() == checkout.files()
    assert [en(one.message) for one in tree.listing().diagnostics] == [
        en(one.message) for one in checkout.listing().diagnostics
    ]
    for path in ("a dir 中文/One.java", "empty.py", "%FF.py", "large.xml"):
        assert tree.read(path) == checkout.read(path)


def test_what_is_no_longer_on_disk_is_read_from_the_commit(root: Path, tree: GitTree) -> None:
    (root / "a dir 中文" / "One.java").unlink()
    (root / "new.py").write_text("x = 1\n")
    assert tree.read("a dir 中文/One.java") == b"class One {}\n\n"
    assert "new.py" not in tree.files()


def test_what_cannot_be_read_is_said(tree: GitTree) -> None:
    pointer, missing = tree.read("lfs.yml"), tree.read("none.py")
    assert isinstance(pointer, Diagnostic)
    assert (pointer.name, "Git LFS" in en(pointer.message)) == ("skipped-file", True)
    assert isinstance(missing, Diagnostic)
    assert missing.name == "unreadable-file"


def test_patterns_leave_files_out(root: Path) -> None:
    tree = GitTree("r", str(root), "HEAD", exclude=("a*/",))
    assert "a dir 中文/One.java" not in tree.files()
    assert "empty.py" in tree.files()


@pytest.mark.parametrize("head", ["nothing", "0" * 40])
def test_a_commit_that_is_not_there_is_an_error_that_names_it(root: Path, head: str) -> None:
    with refused(SourceError, head):
        GitTree("r", str(root), head).files()


def test_a_bare_repository_is_read_too(root: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(root, "clone", "-q", "--bare", ".", str(bare))
    tree = GitTree("r", str(bare), "HEAD")
    assert tree.read("empty.py") == b""
    tree.close()
