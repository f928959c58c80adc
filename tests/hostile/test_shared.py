"""What several share: locks that another run holds, file systems without locks, folders that other users write to, a full
disk with the cache of four users."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from subdrift.linter import files
from tests.adopt.scratch import subdrift
from tests.hostile.kit import command, environment, listener, neighbours, run
from tests.hostile.test_faults import FILES, Writer, fill, small_disk, tree

__all__ = ["small_disk", "tree"]

USERS = (54_321, 54_322, 54_323, 54_324)
JSON = ("--output-format", "json")


@pytest.fixture(scope="module")
def no_locks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that lets every lock fail, for LD_PRELOAD."""
    if not shutil.which("cc") or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler and Linux")
    made = tmp_path_factory.mktemp("nolock") / "nolock.so"
    source = Path(__file__).with_name("nolock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", made, source], check=True)
    return made


@pytest.fixture(params=[errno.ENOLCK, errno.EOPNOTSUPP], ids=lambda number: errno.errorcode[number])
def without_locks(request: pytest.FixtureRequest, no_locks: Path) -> dict[str, str]:
    return {"LD_PRELOAD": str(no_locks), "NOLOCK_ERRNO": str(request.param)}


@pytest.mark.parametrize("writer", FILES, ids=lambda one: one.name)
def test_where_files_cannot_be_locked_they_are_written_nevertheless(
    writer: Writer, tree: Path, without_locks: dict[str, str]
) -> None:
    file = tree.parent / "written"
    subdrift(*writer.line(tree, file))
    wanted = file.read_bytes()
    file.unlink()
    ran = run(*writer.line(tree, file), env=without_locks)
    assert ran.code in writer.codes, ran.err
    if writer.name != "a registry":  # that one tells the time
        assert file.read_bytes() == wanted
    if writer.check:
        assert run(*writer.line(tree, file, writer.check), env=without_locks).code == 0
    assert not list(file.parent.glob(".subdrift-*"))


def test_a_cache_where_files_cannot_be_locked_is_left_out_and_said(
    tree: Path, without_locks: dict[str, str]
) -> None:
    wanted = subdrift("check", tree, "--no-cache", *JSON)
    for _ in range(2):
        ran = run("check", tree, *JSON, env=without_locks)
        assert (ran.code, ran.out) == (wanted.code, wanted.out)
        assert "does not lock files; --cache-dir names a folder of this machine" in ran.err


def test_a_cache_that_another_run_holds_is_left_out_and_said(tree: Path) -> None:
    wanted = run("check", tree, *JSON)
    listener(tree / "more", "M", "m", group="m")
    (database,) = tree.rglob("facts.db")
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        ran = run("check", tree, *JSON)
    finally:
        holder.close()
    assert ran.code == wanted.code
    assert "another run has held the lock of" in ran.err
    assert "this run read everything itself" in ran.err
    assert run("check", tree, *JSON).err == ""


def planted(folder: Path, user: int) -> tuple[Path, Path]:
    """A link that a user has put into a folder, and the file it leads to."""
    target, link = folder.parent / "target", folder / "report.json"
    target.write_text("mine")
    link.symlink_to(target)
    os.chown(link, user, user, follow_symlinks=False)
    return target, link


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    if os.geteuid():
        pytest.skip("needs the right to give files to other users")
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


def test_a_link_that_another_user_has_put_into_a_shared_folder_is_not_followed(
    tree: Path, shared: Path
) -> None:
    target, link = planted(shared, USERS[0])
    for line in (
        ("check", tree, "--no-cache", "--output", f"json={link}"),
        ("lock", tree, "--no-cache", "--file", link),
        ("baseline", "write", tree, "--no-cache", "--baseline", link),
        ("check", "--org", tree, "--no-cache", "--registry-out", link),
    ):
        ran = run(*line)
        assert ran.code == 2, (line, ran.err)
        assert str(link) in ran.err
    assert target.read_text() == "mine"


@pytest.mark.parametrize(("user", "mode"), [(0, 0o777), (USERS[0], 0o755)], ids=["own link", "own folder"])
def test_a_link_that_nobody_else_could_have_put_there_is_followed(
    user: int, mode: int, tree: Path, shared: Path
) -> None:
    shared.chmod(mode)
    target, link = planted(shared, user)
    assert run("check", tree, "--no-cache", "--output", f"json={link}").code == 1
    assert target.read_text().startswith("{")


def test_a_link_that_comes_while_a_file_is_written_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the place and the writing, as somebody who races would."""
    target, place = tmp_path / "target", tmp_path / "report"
    target.write_text("mine")
    replace: Callable[[str, str], None] = os.replace

    def raced(old: str, new: str) -> None:
        place.symlink_to(target)
        replace(old, new)

    monkeypatch.setattr(os, "replace", raced)
    files.write(str(place), b"report")
    assert not place.is_symlink()
    assert (place.read_bytes(), target.read_text()) == (b"report", "mine")


@pytest.fixture
def cache_of_four(small_disk: Path) -> Path:
    if os.geteuid():
        pytest.skip("needs the right to run as other users")
    cache = small_disk / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    return cache


AS_USER = """
import contextlib, io, os, sys
from subdrift.linter import cli
line = sys.argv[1:]
with contextlib.redirect_stdout(io.StringIO()):
    cli.run([*line, "--cache-dir", {1!r}])  # loads all modules, which may lie where only their owner reads
os.setgid({0})
os.setuid({0})
sys.exit(cli.run(line))
"""


@pytest.mark.slow
def test_a_cache_that_four_users_share_on_a_full_disk_costs_nothing_but_time(
    cache_of_four: Path, small_disk: Path, tmp_path: Path
) -> None:
    root = tmp_path / "tree"
    neighbours(root)
    for number in range(30):
        listener(root / f"more{number}", f"M{number}", "m", group=f"m{number}")
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o005:
            folder.chmod(0o755)  # pytest's own ones
    arguments = ("check", str(root), "--cache-dir", str(cache_of_four), *JSON)
    wanted = subdrift("check", root, "--no-cache", *JSON)
    for room in (0, 4, 12):
        filler = fill(small_disk)
        os.truncate(filler, max(0, filler.stat().st_size - 4096 * room))
        several = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    AS_USER.format(user, str(tmp_path / f"loading-{user}-{room}")),
                    *arguments,
                ],
                env=environment({"HOME": str(tmp_path)}),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for user in USERS
        ]
        for process in several:
            out, err = process.communicate()
            assert (process.returncode, out.decode()) == (wanted.code, wanted.out), err.decode()
            assert b"Traceback" not in err
            assert b"bug in subdrift" not in err
        filler.unlink()
        shutil.rmtree(cache_of_four)
        cache_of_four.mkdir()
        cache_of_four.chmod(0o777)
    after = subprocess.run(command(*arguments), env=environment(), capture_output=True, check=False)
    assert (after.returncode, after.stdout.decode()) == (wanted.code, wanted.out)
