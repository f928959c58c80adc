"""The cache as somebody may leave it: links, pipes, foreign tables, damage, two at once; `test_faults` kills and fills."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from subdrift import linter
from tests.hostile.kit import (
    BENIGN,
    SECONDS_MAX,
    Ran,
    bounded,
    command,
    environment,
    listener,
    neighbours,
    run,
)


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
    def over_foreign_tables() -> Ran:
        shutil.rmtree(home(tree), ignore_errors=True)
        home(tree).mkdir(parents=True)
        with contextlib.closing(sqlite3.connect(home(tree) / "facts.db")) as foreign:
            foreign.execute(
                "CREATE VIEW entry AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
                " SELECT x AS key, x AS used, x AS value FROM c WHERE x < 0"
            )
        return run("check", tree)

    ran = over_foreign_tables()
    assert (ran.code, BENIGN in ran.out) == (1, True)
    bounded(ran, 12.0, over_foreign_tables)
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


def entries(tree: Path, *statements: tuple[str, tuple[object, ...]]) -> list[tuple[bytes, bytes]]:
    """The rows of a cache, after these changes to it."""
    with contextlib.closing(sqlite3.connect(home(tree) / "facts.db")) as database:
        for statement, values in statements:
            database.execute(statement, values)
        database.commit()
        return database.execute("SELECT key, value FROM entry ORDER BY key").fetchall()


def test_values_that_have_come_under_other_keys_are_not_believed(tree: Path) -> None:
    before = run("check", tree)
    rows = entries(tree)
    assert len(rows) > 2
    turned = zip(rows, rows[1:] + rows[:1], strict=True)
    entries(
        tree, *(("UPDATE entry SET value = ? WHERE key = ?", (other[1], one[0])) for one, other in turned)
    )
    after = run("check", tree)
    assert (after.code, after.out, after.err) == (before.code, before.out, before.err)


def opened_up(path: Path) -> None:
    path.chmod(0o777)


def of_another(path: Path) -> None:
    os.chown(path, 54_321, 54_321)


@pytest.mark.parametrize("change", [opened_up, of_another])
@pytest.mark.parametrize("part", ["folder", "version", "database"])
def test_a_cache_that_others_can_write_is_not_believed_unless_a_person_says_so(
    part: str, change: Callable[[Path], None], tree: Path
) -> None:
    if change is of_another and os.geteuid():
        pytest.skip("only root can give a file away")
    run("check", tree)
    folder = home(tree).parent
    path = {"folder": folder, "version": home(tree), "database": home(tree) / "facts.db"}[part]
    change(path)
    ran = run("check", tree)
    assert (ran.code, BENIGN in ran.out) == (1, True)
    why = "can be written by others" if change is opened_up else "belongs to another user"
    assert f"the cache was not used: {path} {why}" in ran.err
    assert run("check", tree, "--cache-dir", folder).err == ""
    assert run("check", tree, "--no-cache").err == ""


def test_a_cache_is_ours_whatever_the_umask_is(tree: Path) -> None:
    before = os.umask(0)
    try:
        run("check", tree)
        assert run("check", tree).err == ""
    finally:
        os.umask(before)
    for path in (home(tree).parent, home(tree), home(tree) / "facts.db"):
        assert not path.stat().st_mode & 0o022, path
