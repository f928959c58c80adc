"""The cache as somebody may leave it: links, pipes, foreign tables, damage, no room, two at once, killed at any moment."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import linter
from tests.hostile.kit import BENIGN, SECONDS_MAX, command, environment, floor, listener, neighbours, run

KILLS = int(os.environ.get("SUBDRIFT_KILLS", "100"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    neighbours(root)
    return root


def home(tree: Path) -> Path:
    return tree / ".subdrift_cache" / linter.__version__


@pytest.mark.parametrize("name", [".subdrift_cache", f".subdrift_cache/{linter.__version__}"])
def test_a_cache_folder_that_is_a_link_is_not_followed(name: str, tree: Path) -> None:
    elsewhere = tree.parent / "elsewhere"
    elsewhere.mkdir()
    (tree / name).parent.mkdir(exist_ok=True)
    (tree / name).symlink_to(elsewhere)
    ran = run("check", tree)
    assert ran.code == 1
    assert BENIGN in ran.out
    assert "is a symbolic link and was not followed" in ran.err
    assert not list(elsewhere.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
def test_a_database_that_is_a_link_or_a_pipe_is_not_opened(suffix: str, tree: Path) -> None:
    target = tree.parent / "target"
    target.write_text("mine")
    run("check", tree)
    path = home(tree) / f"facts.db{suffix}"
    path.unlink(missing_ok=True)
    path.symlink_to(target)
    ran = run("check", tree)
    assert (ran.code, BENIGN in ran.out) == (1, True)
    assert "was not followed" in ran.err
    assert target.read_text() == "mine"
    path.unlink()
    os.mkfifo(path)
    ran = run("check", tree)
    assert (ran.code, BENIGN in ran.out) == (1, True)
    assert "is not a regular file" in ran.err


def test_a_database_with_foreign_tables_computes_nothing(tree: Path) -> None:
    home(tree).mkdir(parents=True)
    with sqlite3.connect(home(tree) / "facts.db") as foreign:
        foreign.execute(
            "CREATE VIEW entry AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
            " SELECT x AS key, x AS used, x AS value FROM c WHERE x < 0"
        )
    ran = run("check", tree)
    assert (ran.code, BENIGN in ran.out) == (1, True)
    assert ran.seconds < 12 * floor()
    assert run("check", tree).err == ""


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "half": lambda content: content[: len(content) // 2],
    "zeros": lambda content: bytes(len(content)),
    "noise": lambda content: random.Random(3).randbytes(len(content)),
    "a flipped page": lambda content: (
        content[:4096] + bytes(byte ^ 0xFF for byte in content[4096:8192]) + content[8192:]
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_cache_costs_nothing_but_time(how: str, tree: Path) -> None:
    plain = run("check", tree, "--output-format", "json")
    for file in home(tree).iterdir():
        content = file.read_bytes()
        file.write_bytes(DAMAGE[how](content))
    for _ in range(2):
        again = run("check", tree, "--output-format", "json")
        assert (again.code, again.out) == (plain.code, plain.out)


def test_what_is_kept_does_not_depend_on_where_the_tree_lies(tree: Path) -> None:
    listener(tree / "src/main/java", "C", "c", group="h")
    (tree / "src/main/resources").mkdir(parents=True)
    (tree / "src/main/resources/application.yml").write_text("rocketmq:\n  name-server: here:9876\n")
    (tree / ".subdrift.toml").write_text('repository = "it"\n')
    cold = run("list", tree, "--output-format", "jsonl")
    warm = run("list", tree, "--output-format", "jsonl")
    moved = tree.parent / "k8s" / "test" / "moved"
    shutil.copytree(tree, moved)
    elsewhere = run("list", moved, "--output-format", "jsonl")
    fresh = run("list", moved, "--output-format", "jsonl", "--no-cache")
    assert cold.out == warm.out == elsewhere.out == fresh.out
    shutil.move(moved / "src/main/java", moved / "src/test/java")
    (moved / "src/main/k8s").mkdir()
    shutil.move(moved / "src/main/resources/application.yml", moved / "src/main/k8s/application.yml")
    warm = run("list", moved, "--output-format", "jsonl")
    assert warm.out == run("list", moved, "--output-format", "jsonl", "--no-cache").out
    assert warm.out != cold.out


@pytest.mark.slow
def test_two_runs_at_once_share_one_cache(tree: Path) -> None:
    plain = run("check", tree, "--no-cache", "--output-format", "json")
    for number in range(30):
        listener(tree / f"more{number}", f"M{number}", "m", group=f"m{number}")
    wanted = run("check", tree, "--no-cache", "--output-format", "json")
    assert wanted.out != plain.out
    for _ in range(5):
        shutil.rmtree(tree / ".subdrift_cache", ignore_errors=True)
        both = [
            subprocess.Popen(
                command("check", tree, "--output-format", "json"),
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for _ in range(3)
        ]
        for process in both:
            out, _ = process.communicate(timeout=SECONDS_MAX)
            assert (process.returncode, out.decode()) == (wanted.code, wanted.out)


def killed(arguments: tuple[str, ...], tree: Path, times: int, reset: Callable[[int], None]) -> int:
    """Kill a run at random moments; how often it was still running. For whatever writes: cache, registry, baseline."""
    choose = random.Random(times)
    begun = time.perf_counter()
    reset(-1)
    subprocess.run(
        command(*arguments), env=environment(), capture_output=True, check=False, timeout=SECONDS_MAX
    )
    whole = time.perf_counter() - begun
    hit = 0
    for number in range(times):
        reset(number)
        process = subprocess.Popen(
            command(*arguments),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(choose.uniform(0.3, 1.1) * whole)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            hit += 1
    return hit


@pytest.mark.slow
def test_a_cache_killed_while_it_is_written_is_never_half_believed(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(60):
        listener(tree / f"more{number}", f"M{number}", f"m{number % 7}", group=f"m{number % 20}")
    arguments = ("check", str(tree), "--output-format", "json", "--output", f"json={tree.parent}/report.json")
    wanted = run(*arguments, "--no-cache")
    report = tree.parent / "report.json"
    report.unlink()

    def reset(number: int) -> None:
        if number % 3 == 0:
            shutil.rmtree(tree / ".subdrift_cache", ignore_errors=True)
        if report.exists():
            assert report.read_text() == wanted.out, "half a report"

    hit = killed(arguments, tree, KILLS, reset)
    for _ in range(2):
        after = run(*arguments)
        assert (after.code, after.out) == (wanted.code, wanted.out)
    assert report.read_text() == wanted.out
    with capsys.disabled():
        print(f"\nkilled while running: {hit} of {KILLS}; results equal afterwards")
    assert hit > KILLS // 4


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with no room for a cache, where this process may make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96k", "none", disk], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("may not mount a small file system")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.slow
def test_a_full_disk_loses_the_cache_and_says_so(small_disk: Path) -> None:
    tree = small_disk / "tree"
    neighbours(tree)
    (small_disk / "filler").write_bytes(b"x" * 1024)
    wanted = run("check", tree, "--no-cache", "--output-format", "json")
    with (small_disk / "filler").open("ab", 0) as filler:
        try:
            while True:
                filler.write(b"x" * 4096)
        except OSError:
            pass
    ran = run("check", tree, "--output-format", "json")
    assert (ran.code, ran.out) == (wanted.code, wanted.out)
    assert "the cache was not used" in ran.err
    report = small_disk / "report.json"
    failed = run("check", tree, "--no-cache", "--output", f"json={report}")
    assert failed.code == 2
    assert "No space left on device" in failed.err
    assert not report.exists()
    assert not list(small_disk.glob(".subdrift-*"))
    (small_disk / "filler").unlink()
    for _ in range(2):
        again = run("check", tree, "--output-format", "json")
        assert (again.code, again.out, again.err) == (wanted.code, wanted.out, "")


@pytest.mark.slow
def test_a_disk_that_cannot_be_written_is_read(small_disk: Path) -> None:
    tree = small_disk / "tree"
    neighbours(tree)
    wanted = run("check", tree, "--no-cache", "--output-format", "json")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    ran = run("check", tree, "--output-format", "json")
    assert (ran.code, ran.out) == (wanted.code, wanted.out)
    assert "the cache was not used" in ran.err
