"""A commit read from git objects gives what its checkout gives."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.sources import objects
from subdrift.linter.sources.checkout import PYTHON_BYTES_MAX, SOURCE_BYTES_MAX, Repository, SourceError
from subdrift.linter.sources.git_tree import GitTree
from subdrift.linter.sources.objects import Blobs
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


NAMES = (b"a", b"a.b", b"a-b", b"ab", b"a\xff", b"%FF", b"\xe4\xb8\xad", b"n\nl", b" ", b"a0", b"tree 1")
MODES = ("100644", "100755", "100664", "120000", "160000", "40000", "040000")


def put(root: Path, kind: str, content: bytes) -> str:
    command = ("git", "hash-object", "-t", kind, "-w", "--literally", "--stdin")
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, input=content)
    return done.stdout.decode().strip()


def grown(root: Path, draw: random.Random, trees: list[str], blobs: list[str]) -> str:
    """A tree of some entries, whose folders are any of those there are."""
    content = b""
    for name in sorted(draw.sample(NAMES, draw.randrange(len(NAMES)))):
        mode = draw.choice(MODES)
        oid = draw.choice(trees if mode.endswith("40000") else blobs)
        content += mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid)
    return put(root, "tree", content)


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_trees_are_listed_as_git_lists_them(algorithm: str, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", f"--object-format={algorithm}")
    draw = random.Random(algorithm)
    trees = [put(tmp_path, "tree", b"")]
    blobs = [put(tmp_path, "blob", b"%d" % number) for number in range(3)]
    blobs_of = Blobs(str(tmp_path))
    for _ in range(25):
        trees.append(grown(tmp_path, draw, trees[-4:], blobs))
        head = trees[-1]
        if draw.random() < 0.5:
            head = git(tmp_path, "commit-tree", "-m", "one", head).strip()
        if draw.random() < 0.3:
            git(tmp_path, "tag", "-f", "-a", "-m", "one", "tagged", head)
            head = "tagged"
        command = ("git", "ls-tree", "-r", "-t", "-z", "--full-tree", head)
        listed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True).stdout
        said = [entry.partition(b"\t") for entry in listed.split(b"\0") if entry]
        expected = [(about.split()[0][:2], path, about.split()[2].decode()) for about, _, path in said]
        assert [(b"%02o" % (one.mode >> 12), one.path, one.oid) for one in blobs_of.entries(head)] == expected
    blobs_of.close()


def test_a_tree_of_more_paths_than_anybody_can_list_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objects, "LISTING_BYTES_MAX", 1 << 20)
    git(tmp_path, "init", "-q")
    oid = put(tmp_path, "tree", b"")
    for _ in range(60):
        oid = put(
            tmp_path, "tree", b"".join(b"40000 %b\0" % name + bytes.fromhex(oid) for name in (b"a", b"b"))
        )
    with refused(SourceError, "larger than 1 MiB"):
        GitTree("r", str(tmp_path), oid).files()


@pytest.mark.parametrize(
    "content", [b"100644 a", b"100644 a\0short", b"9 a\0" + bytes(20), b"100644 \0" + bytes(20), b"x"]
)
def test_what_is_not_a_tree_is_not_listed(tmp_path: Path, content: bytes) -> None:
    git(tmp_path, "init", "-q")
    with refused(SourceError, "is not a tree"):
        GitTree("r", str(tmp_path), put(tmp_path, "tree", content)).files()
    with refused(SourceError, "is not a tree"):
        GitTree("r", str(tmp_path), put(tmp_path, "blob", b"tree " + b"0" * 40 + b"\n")).files()


@pytest.mark.parametrize("head", ["a b", "a\nHEAD", "HEAD\n", "HEAD\nHEAD"])
def test_a_head_of_several_words_or_lines_is_no_commit(root: Path, head: str) -> None:
    with pytest.raises(SourceError):
        GitTree("r", str(root), head).files()


def test_files_after_one_that_is_too_large_are_read(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    content = {f"{number:02}.py": b"x = %d\n" % number for number in range(30)}
    content |= {f"{number:02}.py": b"#" * (PYTHON_BYTES_MAX + 1) for number in (3, 4, 17, 29)}
    for path, text in content.items():
        (tmp_path / path).write_bytes(text)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    tree = GitTree("r", str(tmp_path), "HEAD")
    for path in tree.expected(tree.files()):
        found = tree.read(path)
        assert (
            isinstance(found, Diagnostic) if len(content[path]) > PYTHON_BYTES_MAX else found == content[path]
        )
    tree.close()
