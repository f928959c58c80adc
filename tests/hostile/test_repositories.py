"""One answer for a repository that cannot be read, whichever command is asked: `damaged.py` is the table."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from subdrift.linter.registry.reader import Registry
from tests.adopt.scratch import LISTENER, Ran, Scratch, subdrift
from tests.hostile.damaged import DAMAGES, EMPTY, PARTLY, UNREADABLE, WHOLE, damaged, made, mirror, object_of

NAMES = sorted(DAMAGES)
OF = {kind: [name for name in NAMES if DAMAGES[name][1] == kind] for kind in (UNREADABLE, PARTLY)}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("made") / "source")


def checked(*arguments: str | Path) -> tuple[Ran, Any]:
    ran = subdrift("check", *arguments, "--no-cache", "--output-format", "json")
    return ran, json.loads(ran.out) if ran.out else None


def said_of(found: Any, repo: str = "") -> list[tuple[str, str, str]]:
    """The diagnostics of a report: name, path, message."""
    return [
        (one["name"], one["path"], one["message"])
        for one in found["diagnostics"]
        if not repo or one["repo"] == repo
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_repository_is_answered_alike_by_all_commands(
    name: str, source: Path, tmp_path: Path
) -> None:
    org = tmp_path / "org"
    one = damaged(name, source, org / f"{name}.git")
    kind = DAMAGES[name][1]
    alone, found = checked(one)
    expected = said_of(found)
    assert [each[:2] for each in expected] == {
        UNREADABLE: [("unreadable-file", ".")],
        PARTLY: [("unreadable-file", "deep/Two.java")],
    }.get(kind, [])
    assert found["summary"]["unreachable"] == (kind == UNREADABLE)
    assert alone.code == (2 if kind == UNREADABLE else kind not in (EMPTY, PARTLY))
    assert ("without a commit" in alone.err) == (kind == EMPTY)
    # beside others it costs itself
    mirror(source, org / "other.git")
    many, found = checked("--org", org)
    assert said_of(found, name) == expected
    assert len(said_of(found)) == len(expected)
    assert found["summary"]["unreachable"] == (kind == UNREADABLE)
    assert found["findings"]
    assert many.code == 1
    strict, _ = checked("--org", org, "--strict", "--ignore", "divergent-tags", "--fail-on", "error")
    assert strict.code == int(bool(expected))
    listed = subdrift("list", "--org", org, "--no-cache", "--output-format", "jsonl")
    assert listed.code == 0
    assert (f"{name}: This repository could not be read: " in listed.err) == (kind == UNREADABLE)
    alone = subdrift("list", one, "--no-cache")
    assert alone.code == (2 if kind == UNREADABLE else 0)


@pytest.mark.parametrize("name", [*OF[UNREADABLE], *OF[PARTLY]])
def test_nothing_is_kept_of_what_was_not_wholly_read(name: str, source: Path, tmp_path: Path) -> None:
    org = tmp_path / "org"
    one = damaged(name, source, org / f"{name}.git")
    mirror(source, org / "other.git")
    registry, lock = tmp_path / "registry.db", tmp_path / "subscriptions.lock"
    baseline = tmp_path / "baseline.json"
    place = "deep/Two.java" if DAMAGES[name][1] == PARTLY else name
    for write, file in (
        (("lock", "--file", lock), lock),
        (("lock", "--check", "--file", lock), None),
        (("baseline", "write", "--baseline", baseline), baseline),
        (("check", "--registry-out", registry), registry),
        (("check", "--fix"), None),
    ):
        if file is None and write[0] == "lock":
            lock.write_text("")
        ran = subdrift(*write, "--org", org, "--no-cache")
        assert ran.code == 2, (write, ran.out)
        assert "1 file or repository could not be read" in ran.err
        assert place in ran.err
        assert file is None or not file.exists()
    assert subdrift("lock", one, "--no-cache").code == 2
    forced = subdrift("check", "--registry-out", registry, "--org", org, "--no-cache", "--force")
    assert forced.code == 1, forced.err
    with Registry(str(registry)) as found:
        unreadable = DAMAGES[name][1] == UNREADABLE
        assert set(found.repositories) == {"other"} | ({name} if not unreadable else set())


def test_without_git_a_checkout_is_walked_and_a_mirror_is_not_read(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = mirror(source, tmp_path / "bare.git")
    monkeypatch.setenv("PATH", str(tmp_path))
    walked, found = checked(source)
    assert [one["rule"] for one in found["findings"]] == ["divergent-tags"]
    assert "git is not installed or not on the PATH; the folder was walked instead" in walked.err
    unread, found = checked(bare)
    assert unread.code == 2
    assert [one[:2] for one in said_of(found)] == [("unreadable-file", ".")]


def test_a_checkout_whose_index_is_damaged_is_walked_and_says_so(source: Path, tmp_path: Path) -> None:
    copy = made(tmp_path / "copy")
    (copy / ".git/index").write_bytes(b"DIRC\0\0\0\2")
    ran, found = checked(copy)
    assert [one["rule"] for one in found["findings"]] == ["divergent-tags"]
    assert "the folder was walked instead" in ran.err


def test_a_file_in_conflict_is_named_and_not_read(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "app")
    text = "from rocketmq.client import PushConsumer\nc = PushConsumer('g')\nc.subscribe('t', print, '{}')\nc.start()\n"
    for branch, tag in (("main", "a"), ("other", "b")):
        if branch != "main":
            scratch.git("checkout", "-q", "-b", branch, "HEAD~0")
        scratch.write("main.py", text.format(tag))
        scratch.git("add", "-A")
        scratch.git("commit", "-q", "-m", branch)
    scratch.git("checkout", "-q", "main")
    scratch.write("main.py", text.format("c"))
    scratch.git("commit", "-q", "-a", "-m", "three")
    scratch.git("merge", "-q", "other", check=False)

    ran, found = checked(scratch.root)

    assert said_of(found) == [
        ("unreadable-file", "main.py", "main.py holds a merge conflict that is not resolved.")
    ]
    assert found["findings"] == []
    assert subdrift("lock", scratch.root, "--no-cache").code == 2
    # resolved, and not yet added: it is what it says
    scratch.write("main.py", text.format("d"))
    assert said_of(checked(scratch.root)[1]) == []
    assert ran.code == 0


def test_a_missing_file_is_not_promised_about(source: Path, tmp_path: Path) -> None:
    copy = made(tmp_path / "copy")
    (copy / "deep/Two.java").unlink()
    for command in ("lock",), ("baseline", "write"):
        ran = subdrift(*command, copy, "--no-cache")
        assert ran.code == 2
        assert "deep/Two.java is tracked, but missing on disk" in ran.err
        assert subdrift(*command, copy, "--no-cache", "--force").code == 0
    assert os.path.exists(copy / "subscriptions.lock")


BASES: dict[str, str] = {
    "commit": "HEAD",
    "tree": "HEAD^{tree}",
    "file": "HEAD:deep/Two.java",
}


@pytest.mark.parametrize("way", ["gone", "zeros", "empty"])
@pytest.mark.parametrize("what", [*BASES, "branch"])
def test_a_base_that_is_damaged_is_said_and_takes_nothing_for_new(
    what: str, way: str, tmp_path: Path
) -> None:
    """`--new-from` and `rollout --from`, of a checkout whose objects are damaged; what is new is one tag."""
    copy = made(tmp_path / "copy")
    file = copy / "deep/Two.java"
    file.write_text(file.read_text().replace('"b"', '"c"'))
    branch = copy / ".git/refs/heads/main"
    damaged_file = branch if what == "branch" else object_of(copy, BASES[what], ".git/")
    damaged_file.chmod(0o644)
    if way == "gone":
        damaged_file.unlink()
    else:
        damaged_file.write_bytes(b"\0" * len(damaged_file.read_bytes()) * (way == "zeros"))
    for command in (
        ("check", "--new-from", "HEAD"),
        ("check", "--new-from-merge-base", "main"),
        ("rollout", "shared", "ORDERS", "--to", "c", "--from", "HEAD"),
    ):
        ran = subdrift(command[0], *command[1:], copy, "--no-cache")
        if what == "branch" and way == "gone" and command[1:] == ("--new-from", "HEAD"):
            assert ran.code == 1  # nothing tells it from a branch without a commit
            continue
        assert ran.code == 2, (command, ran.out, ran.err)
        assert "--filter" not in ran.err
        assert "bug in subdrift" not in ran.err
        assert ran.err.startswith("subdrift: ")


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_is_not_made_of_a_part_of_the_members(name: str, source: Path, tmp_path: Path) -> None:
    one = damaged(name, source, tmp_path / f"{name}.git")
    ran = subdrift("rollout", "shared", "ORDERS", one, "--to", "a || b", "--no-cache")
    if DAMAGES[name][1] == WHOLE:
        assert (ran.code, ran.err) == (0, "")
        return
    assert (ran.code, ran.out) == (2, "")
    if DAMAGES[name][1] == EMPTY:
        assert "without a commit" in ran.err
        return
    first, second = ran.err.splitlines()
    assert first.startswith("subdrift: 1 file or repository could not be read, and members")
    assert second.strip().startswith(f"{name}/deep/Two.java: " if DAMAGES[name][1] == PARTLY else f"{name}: ")


def test_a_base_with_a_folder_of_another_time_is_said(tmp_path: Path) -> None:
    """The sides differ by one tag, and one of them is compared with a folder in the place of its own."""
    copy = made(tmp_path / "copy")
    scratch = Scratch(copy)
    scratch.write("deep/Two.java", (copy / "deep/Two.java").read_text().replace('"b"', '"c"'))
    folder = object_of(copy, "HEAD:deep", ".git/")
    scratch.git("add", "-A")
    scratch.git("commit", "-q", "-m", "two")
    folder.chmod(0o644)
    shutil.copyfile(object_of(copy, "HEAD:deep", ".git/"), folder)
    ran = subdrift("check", "--new-from", "HEAD~1", copy, "--no-cache")
    assert ran.code == 2
    assert "HEAD~1" in ran.err
    assert "git gave another object than that of this name" in ran.err


def test_head_of_a_branch_without_a_commit_is_an_empty_base(tmp_path: Path) -> None:
    copy = made(tmp_path / "copy")
    Scratch(copy).git("checkout", "-q", "--orphan", "fresh")
    ran, found = checked(copy, "--new-from", "HEAD")
    assert ran.code == 1
    assert len(found["findings"]) == 1


@pytest.mark.parametrize("is_git", [False, True])
def test_a_tree_as_deep_as_paths_can_be_is_read_or_named(is_git: bool, tmp_path: Path) -> None:
    text = LISTENER.format(group="g", topic="t", tags="a", name="A")
    root = tmp_path / "work"
    room = os.pathconf(tmp_path, "PC_PATH_MAX") - len(str(root))
    for name, length in (("fits", room - 300), ("too-long", room + 300)):
        (root / name).mkdir(parents=True)
        here = os.getcwd()
        try:
            os.chdir(root / name)
            for _ in range(length // 200):
                os.mkdir("e" * 199)
                os.chdir("e" * 199)
            Path("A.java").write_text(text)
        finally:
            os.chdir(here)
    if is_git:
        Scratch(root)
    _, found = checked(root)
    assert found["summary"]["consumers"] == 1
    assert [(one[0], one[1].startswith("too-long/")) for one in said_of(found)] == [("unreadable-file", True)]
    shutil.rmtree(root)
