"""Whatever writes, stopped where it hurts: killed, no room, a disk that cannot be written, two at once.

Afterwards a file is the old one or the new one, whole; a run gives what a clean run gives; what was lost is said.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from subdrift.linter.model.message import UnusableError
from subdrift.linter.store import baseline, lock
from subdrift.spark_jobs.storage import SUCCESS, Folder, StorageError
from tests.hostile.killer import digest
from tests.hostile.kit import ROOT, SECONDS_MAX, command, environment, listener, neighbours, run
from tests.said import refused

KILLS = int(os.environ.get("SUBDRIFT_KILLS", "100"))


@dataclass(frozen=True, slots=True)
class Writer:
    """A command that writes: `{tree}` is what it reads, `{file}` what it writes; `check` ends with 0 if that is whole.

    `full` is what it says of a disk without room.
    """

    name: str
    arguments: tuple[str, ...]
    check: tuple[str, ...] = ()
    codes: tuple[int, ...] = (0,)
    full: str = "No space left on device"

    def line(self, tree: Path, file: Path, arguments: tuple[str, ...] | None = None) -> list[str]:
        return [
            part.replace("{tree}", str(tree)).replace("{file}", str(file))
            for part in (self.arguments if arguments is None else arguments)
        ]


WRITERS = (
    Writer(
        "a baseline",
        ("baseline", "write", "{tree}", "--no-cache", "--baseline", "{file}"),
        ("baseline", "check", "{tree}", "--no-cache", "--baseline", "{file}"),
    ),
    Writer(
        "a lock file",
        ("lock", "{tree}", "--no-cache", "--file", "{file}"),
        ("lock", "{tree}", "--no-cache", "--check", "--file", "{file}"),
    ),
    Writer("a report", ("check", "{tree}", "--no-cache", "--output", "json={file}"), codes=(1,)),
    Writer(
        "a registry",
        ("check", "--org", "{tree}", "--no-cache", "--registry-out", "{file}"),
        ("check", "{tree}/benign", "--no-cache", "--against", "{file}", "--fail-on", "never"),
        codes=(1,),
        full="database or disk is full",
    ),
    Writer("sources", ("check", "{tree}", "--no-cache", "--fix")),
)
FILES = WRITERS[:4]


@dataclass(frozen=True, slots=True)
class Killed:
    """What killed runs left: how many there were, how many of them were still running, every state of the watched file."""

    runs: int
    hits: int
    states: frozenset[str]


def killed(how: str, times: int, arguments: list[str], watched: Path, dropped: Path | None = None) -> Killed:
    """Runs of a command that are killed (`tests.hostile.killer`), for whatever writes."""
    line = [
        sys.executable,
        "-m",
        "tests.hostile.killer",
        how,
        str(times),
        str(watched),
        str(dropped or ""),
        "--",
    ]
    done = subprocess.run([*line, *arguments], env=environment(), cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    return Killed(len(found), sum(hit for hit, _ in found), frozenset(state for _, state in found))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    neighbours(root)
    return root


def more(tree: Path, count: int = 20) -> None:
    """Sources with more to write down."""
    for number in range(count):
        group = f"{'m' * 60}{number // 2}"  # long names, so that the file takes more than a page
        listener(tree / f"more{number}", f"M{number}", "m", group=group)
        listener(tree / f"more{number}", f"N{number}", "n", group=group)


def reordered(tree: Path) -> Path:
    """Two listeners that write the same tags in different order, which `--fix` mends; the file it changes."""
    listener(tree, "First", "x || y", group="o")
    listener(tree, "Second", "x || y", group="o")
    return listener(tree, "Third", "y || x", group="o")


@pytest.mark.parametrize("writer", WRITERS, ids=lambda one: one.name)
def test_a_kill_before_any_step_leaves_the_old_file_or_the_new(writer: Writer, tree: Path) -> None:
    file = tree.parent / "written"
    if writer.name == "sources":
        file = reordered(tree)
    else:
        assert run(*writer.line(tree, file)).code in writer.codes
        more(tree, 2)
    old = digest(str(file))
    found = killed("step", 0, writer.line(tree, file), file)
    assert found.runs == found.hits + 1, "the last one was let live"
    assert found.hits >= 3
    assert found.states == {old, digest(str(file))}
    assert digest(str(file)) not in ("", old)
    if writer.check:
        assert run(*writer.line(tree, file, writer.check)).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("writer", FILES, ids=lambda one: one.name)
def test_a_file_killed_at_random_while_it_is_written_is_whole(
    writer: Writer, tree: Path, tell: Callable[[str], None]
) -> None:
    file = tree.parent / "written"
    more(tree)
    run(*writer.line(tree, file))
    wanted = digest(str(file))
    file.unlink()
    found = killed("random", KILLS, writer.line(tree, file), file)
    assert found.states <= {"", wanted}, "half a file"
    run(*writer.line(tree, file))
    assert digest(str(file)) == wanted
    tell(f"{writer.name}: killed while running: {found.hits} of {found.runs} runs; whole afterwards")
    assert found.hits == KILLS


@pytest.mark.parametrize("kills", [4, pytest.param(KILLS, marks=pytest.mark.slow)])
def test_a_cache_killed_while_it_is_written_is_never_half_believed(
    kills: int, tree: Path, tell: Callable[[str], None]
) -> None:
    for number in range(60):
        listener(tree / f"more{number}", f"M{number}", f"m{number % 7}", group=f"m{number % 20}")
    report = tree.parent / "report.json"
    arguments = ["check", str(tree), "--output-format", "json", "--output", f"json={report}"]
    wanted = run(*arguments, "--no-cache")
    whole = digest(str(report))
    report.unlink()
    found = killed("random", kills, arguments, report, tree / ".subdrift_cache")
    assert found.states <= {"", whole}, "half a report"
    for _ in range(2):
        after = run(*arguments)
        assert (after.code, after.out) == (wanted.code, wanted.out)
    tell(f"a cache: killed while running: {found.hits} of {found.runs} runs; results equal afterwards")
    assert found.hits == kills


class HadoopPath(str):
    """A path with the calls that Hadoop's paths and listed files are asked by."""

    __slots__ = ()

    def getPath(self) -> HadoopPath:  # noqa: N802 - Hadoop's name
        return self

    def getName(self) -> str:  # noqa: N802 - Hadoop's name
        return os.path.basename(self)


class Disk:
    """The calls of Hadoop's file system that put tables in place, on a disk of this machine."""

    def between(self) -> None:
        """Called before each change."""

    def listStatus(self, path: str) -> list[HadoopPath]:  # noqa: N802 - Hadoop's name
        return [HadoopPath(os.path.join(path, name)) for name in os.listdir(path)]

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def delete(self, path: str, _recursive: bool) -> bool:
        self.between()
        if not os.path.lexists(path):
            return False
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        return True

    def rename(self, old: str, new: str) -> bool:
        self.between()
        try:
            os.rename(old, new)
        except FileNotFoundError:
            return False
        return True

    def create(self, path: str, _overwrite: bool) -> IO[bytes]:
        self.between()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return open(path, "wb")


def folder_on(disk: Disk, out: Path) -> Folder:
    """An output folder without Spark; tests/spark has the same with Spark's own file system."""
    folder = Folder.__new__(Folder)
    folder.path, folder.work, folder._system, folder._jvm_path = str(out), f"_work/{id(folder)}", disk, str
    folder._steps, folder._inherited = {}, []
    return folder


TABLES = ("one", "two", "three", "four")
FILES_OF_TABLE = 25


def tables(folder: Path, content: str) -> None:
    """Tables of many files each, so that taking one away is not a moment."""
    for name in TABLES:
        (folder / name).mkdir(parents=True)
        for number in range(FILES_OF_TABLE):
            (folder / name / f"part-{number}").write_text(content)


def killing_before(change: int) -> Callable[[str, tuple[object, ...]], None]:
    """Ends the process just before it changes the file system for that time; never for 0."""
    seen = 0

    def hook(name: str, _given: tuple[object, ...]) -> None:
        nonlocal seen
        if name in ("os.remove", "os.rmdir", "os.rename"):
            seen += 1
            if seen == change:
                os.kill(os.getpid(), signal.SIGKILL)

    return hook


def state_of(out: Path) -> str:
    """What a reader makes of an output folder: the old tables, the new ones, or `refused` without the mark of success."""
    if not (out / SUCCESS).exists():
        return "refused"
    held = {path.read_text() for name in TABLES for path in (out / name).iterdir()}
    assert len(held) == 1, "tables of two runs"
    assert all(len(list((out / name).iterdir())) == FILES_OF_TABLE for name in TABLES), "half a table"
    return held.pop()


@pytest.mark.slow
@pytest.mark.parametrize("kills", [KILLS])
def test_tables_killed_while_they_are_put_in_place_are_old_or_new_or_refused(
    kills: int, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    out = tmp_path / "out"
    folder = folder_on(Disk(), out)
    seen: list[str] = []
    hits, choose = 0, random.Random(5)
    changes = len(TABLES) * (FILES_OF_TABLE + 2)
    for number in range(kills + 1):
        shutil.rmtree(out, ignore_errors=True)
        tables(out, "old")
        (out / SUCCESS).touch()
        folder.take()
        tables(out / folder.staged, "new")
        left = choose.randint(1, changes) if number else 0  # the first one is let live
        pid = os.fork()
        if not pid:
            try:
                sys.addaudithook(killing_before(left))
                folder.put_in_place(TABLES)
            finally:
                os._exit(0)
        hits += os.WIFSIGNALED(os.waitpid(pid, 0)[1])
        seen.append(state_of(out))
    assert seen[0] == "new"
    assert set(seen) <= {"old", "refused", "new"}
    tell(f"tables: killed while they were put in place: {hits} of {kills}; refused: {seen.count('refused')}")
    assert hits == kills


class Overtaken(Disk):
    """Another scan into the same folder begins, writes and ends just before a change of this one."""

    def __init__(self, second: Folder) -> None:
        self.second = second
        self.left = -1
        """Changes until then; never for a negative number."""

    def between(self) -> None:
        self.left -= 1
        if self.left == -1:
            self.second.take()
            tables(Path(self.second.path) / self.second.staged, "second")
            self.second.put_in_place(TABLES)
            self.second.leave()


def test_two_that_put_tables_in_place_leave_those_of_the_later_or_none(
    tmp_path: Path, tell: Callable[[str], None]
) -> None:
    seen: Counter[str] = Counter()
    given_up = 0
    for change in range(100):
        out = tmp_path / f"out{change}"
        tables(out, "old")
        (out / SUCCESS).touch()
        disk = Overtaken(folder_on(Disk(), out))
        first = folder_on(disk, out)
        first.take()
        tables(out / first.staged, "first")
        disk.left = change
        try:
            first.put_in_place(TABLES)
        except StorageError as error:
            given_up += "another scan has begun" in str(error)
        seen[state_of(out)] += 1
        if disk.left >= 0:
            break
    tell(f"tables: two at once, by {change} changes of the first: {dict(seen)}; given up: {given_up}")
    assert seen["first"] == 1
    assert given_up == change - 1, "where all but the mark of success is done, nothing is lost"
    assert set(seen) == {"first", "second", "refused"}


@pytest.mark.parametrize(
    "writer",
    [pytest.param(one, id=one.name, marks=[pytest.mark.slow] * (one.name != "a baseline")) for one in FILES],
)
def test_several_that_write_one_file_leave_that_of_one(writer: Writer, tree: Path) -> None:
    file = tree.parent / "written"
    more(tree, 4)
    run(*writer.line(tree, file))
    wanted = digest(str(file))
    for _ in range(10 if os.environ.get("SUBDRIFT_HOSTILE") else 1):
        file.unlink()
        several = [
            subprocess.Popen(
                command(*writer.line(tree, file)),
                env=environment(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            for _ in range(3)
        ]
        for process in several:
            _, said = process.communicate(timeout=SECONDS_MAX)
            assert process.returncode in writer.codes, said.decode()
        assert digest(str(file)) == wanted
        assert not list(file.parent.glob(".subdrift-*"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with little room, where this process may make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "none", disk], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("may not mount a small file system")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def fill(disk: Path) -> Path:
    """Takes all that is left of a disk; the file that does."""
    filler = disk / "filler"
    filler.write_bytes(b"x" * 1024)
    with filler.open("ab", 0) as out:
        try:
            while True:
                out.write(b"x" * 4096)
        except OSError:
            pass
    return filler


@pytest.mark.slow
def test_a_full_disk_loses_the_cache_and_says_so(small_disk: Path) -> None:
    tree = small_disk / "tree"
    neighbours(tree)
    wanted = run("check", tree, "--no-cache", "--output-format", "json")
    filler = fill(small_disk)
    ran = run("check", tree, "--output-format", "json")
    assert (ran.code, ran.out) == (wanted.code, wanted.out)
    assert "the cache was not used" in ran.err
    filler.unlink()
    for _ in range(2):
        again = run("check", tree, "--output-format", "json")
        assert (again.code, again.out, again.err) == (wanted.code, wanted.out, "")


@pytest.mark.parametrize(
    ("writer", "room"),
    [
        pytest.param(one, room, id=f"{one.name}, {room} pages left", marks=[pytest.mark.slow] * (room > 0))
        for one in FILES
        for room in (0, 1)
    ],
)
def test_a_full_disk_leaves_the_old_file_and_says_so(
    writer: Writer, room: int, tree: Path, small_disk: Path
) -> None:
    file = small_disk / "written"
    run(*writer.line(tree, file))
    old = file.read_bytes()
    more(tree, 60)
    filler = fill(small_disk)
    os.truncate(filler, filler.stat().st_size - 4096 * room)  # room for a part of it
    failed = run(*writer.line(tree, file))
    assert failed.code == 2
    assert writer.full in failed.err
    assert str(file) in failed.err
    assert file.read_bytes() == old
    assert not list(small_disk.glob(".subdrift-*"))
    filler.unlink()
    assert run(*writer.line(tree, file)).code in writer.codes
    assert file.read_bytes() != old


@pytest.mark.slow
def test_a_cache_that_fills_the_disk_midway_costs_nothing_but_time(tree: Path, small_disk: Path) -> None:
    more(tree, 40)
    wanted = run("check", tree, "--no-cache", "--output-format", "json")
    for room in (4, 10, 16, 20):
        cache = small_disk / f"cache{room}"
        filler = fill(small_disk)
        os.truncate(filler, max(0, filler.stat().st_size - 4096 * room))
        for _ in range(2):
            ran = run("check", tree, "--cache-dir", cache, "--output-format", "json")
            assert (ran.code, ran.out) == (wanted.code, wanted.out)
            assert "the cache was not used" in ran.err
        filler.unlink()
        shutil.rmtree(cache, ignore_errors=True)


@pytest.mark.slow
def test_a_disk_that_cannot_be_written_is_read(small_disk: Path, tree: Path) -> None:
    inside = small_disk / "tree"
    neighbours(inside)
    wanted = run("check", inside, "--no-cache", "--output-format", "json")
    for writer in FILES:
        run(*writer.line(tree, small_disk / "written"))
        os.replace(small_disk / "written", small_disk / writer.name)
    kept = {writer.name: (small_disk / writer.name).read_bytes() for writer in FILES}
    more(tree, 2)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    ran = run("check", inside, "--output-format", "json")
    assert (ran.code, ran.out) == (wanted.code, wanted.out)
    assert "the cache was not used" in ran.err
    for writer in FILES:
        failed = run(*writer.line(tree, small_disk / writer.name))
        assert failed.code == 2
        assert "Read-only file system" in failed.err
        assert (small_disk / writer.name).read_bytes() == kept[writer.name]


def test_a_baseline_or_lock_of_the_tree_that_is_a_link_or_a_pipe_is_refused(tree: Path) -> None:
    target = tree.parent / "target"
    target.write_text("mine")
    (tree / baseline.FILE).symlink_to(target)
    ran = run("baseline", "write", tree, "--no-cache")
    assert (ran.code, ran.out) == (2, "")
    assert "is a symbolic link" in ran.err
    (tree / "link").symlink_to(target)
    os.mkfifo(tree / "pipe")
    for file in (tree / "link", tree / "pipe"):
        for call in (
            lambda path: baseline.read(path, follow=False),
            lambda path: baseline.write(path, (), follow=False),
            lambda path: lock.read(path, follow=False),
            lambda path: lock.write(path, (), follow=False),
        ):
            with refused(UnusableError, r"is a (symbolic link|named pipe)"):
                call(str(file))
    assert target.read_text() == "mine"


def test_a_person_may_write_through_a_link(tree: Path) -> None:
    target = tree.parent / "target"
    (tree.parent / "link").symlink_to(target)
    assert run("lock", tree, "--no-cache", "--file", tree.parent / "link").code == 0
    assert target.read_text().startswith("# Every")
