"""The cache gives back what was put, and nothing that happens to its files can change or fail a run."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from subdrift.linter.model.expr import Literal
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.model.location import START
from subdrift.linter.store import cache as module
from subdrift.linter.store.cache import CACHE_FOLDER, Cache, key_of, remove, versions_of_package


def facts(text: str) -> FileFacts:
    return FileFacts("java", imports=(text,), functional=((text, "consumer", START),))


def key(text: str) -> bytes:
    return key_of(text.encode(), "java", "1")


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "deep" / CACHE_FOLDER)


def fill(folder: str, *names: str, bytes_max: int = module.CACHE_BYTES_MAX) -> None:
    with Cache(folder, "0.1", bytes_max) as cache:
        cache.put({key(name): facts(name) for name in names})
        assert cache.remark == ""


def found(folder: str, *names: str, version: str = "0.1") -> set[str]:
    with Cache(folder, version) as cache:
        entries = cache.get(key(name) for name in names)
    assert all(entries[key(name)] == facts(name) for name in names if key(name) in entries)
    return {name for name in names if key(name) in entries}


def database(folder: str) -> Path:
    return Path(folder, "0.1", "facts.db")


def test_what_was_put_is_found_and_counted(folder: str) -> None:
    fill(folder, "a", "b")
    with Cache(folder, "0.1") as cache:
        assert cache.get([key("a"), key("b"), key("c"), key("a")]) == {
            key("a"): facts("a"),
            key("b"): facts("b"),
        }
        assert (cache.hits, cache.misses) == (2, 1)


def test_a_file_that_holds_nothing_is_remembered_as_such(folder: str) -> None:
    with Cache(folder, "0.1") as cache:
        cache.put({key("a"): None})
        assert cache.get([key("a")]) == {key("a"): None}


def test_more_keys_than_one_query_takes(folder: str) -> None:
    names = [str(n) for n in range(2 * module.KEYS_PER_QUERY + 3)]
    fill(folder, *names)
    assert found(folder, *names) == set(names)


@pytest.mark.parametrize(
    "other",
    [
        key_of(b"b", "java", "1"),
        key_of(b"a", "python", "1"),
        key_of(b"a", "java", "2"),
    ],
)
def test_content_language_and_extractor_make_the_key(other: bytes) -> None:
    assert other != key_of(b"a", "java", "1")


def test_another_version_starts_empty(folder: str) -> None:
    fill(folder, "a")
    assert found(folder, "a", version="0.2") == set()


def test_nothing_is_made_until_there_is_something_to_keep(folder: str) -> None:
    assert found(folder, "a") == set()
    assert not Path(folder).exists()


def test_a_run_that_finds_everything_writes_nothing(folder: str) -> None:
    fill(folder, "a")
    before = [(p, p.stat().st_mtime_ns) for p in sorted(Path(folder).rglob("*"))]
    assert found(folder, "a") == {"a"}
    assert [(p, p.stat().st_mtime_ns) for p in sorted(Path(folder).rglob("*")) if p.is_file()] == [
        (p, t) for p, t in before if p.is_file()
    ]


def test_the_folder_is_marked_as_a_cache_and_ignores_itself(folder: str) -> None:
    fill(folder, "a")
    assert Path(folder, ".gitignore").read_text() == "*\n"
    assert (
        Path(folder, "CACHEDIR.TAG").read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55")
    )


def test_a_folder_of_somebody_else_is_used_but_not_marked(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("keep")
    fill(str(tmp_path), "a")
    assert found(str(tmp_path), "a") == {"a"}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["0.1", "precious.txt"]
    assert not remove(str(tmp_path))


def test_a_damaged_entry_is_a_miss_and_is_replaced(folder: str) -> None:
    fill(folder, "a", "b", "c", "d")
    with sqlite3.connect(database(folder)) as connection:
        change = "UPDATE entry SET value = ? WHERE key = ?"
        connection.execute(change, (b"", key("a")))
        connection.execute(change, (b'\0\0\0\0["java"]', key("b")))
        connection.execute(change, ("text", key("c")))
    connection.close()
    assert found(folder, "a", "b", "c", "d") == {"d"}
    fill(folder, "a", "b", "c")
    assert found(folder, "a", "b", "c", "d") == {"a", "b", "c", "d"}


def test_an_entry_of_another_shape_is_a_miss(folder: str) -> None:
    fill(folder, "a")
    text = b'["not","facts"]'
    value = zlib.crc32(text).to_bytes(4, "big") + text
    with sqlite3.connect(database(folder)) as connection:
        connection.execute("UPDATE entry SET value = ?", (value,))
    connection.close()
    assert found(folder, "a") == set()


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 8192])
def test_a_damaged_database_is_a_miss_and_is_replaced(folder: str, content: bytes) -> None:
    fill(folder, "a")
    database(folder).write_bytes(content)
    assert found(folder, "a") == set()
    fill(folder, "a")
    assert found(folder, "a") == {"a"}


def test_a_database_damaged_in_the_middle_never_fails_a_run(folder: str) -> None:
    names = [str(n) for n in range(2000)]
    fill(folder, *names)
    content = bytearray(database(folder).read_bytes())
    for at in range(4096, len(content), 4096):
        content[at : at + 64] = b"\xa5" * 64
    database(folder).write_bytes(content)
    assert found(folder, *names) == set()
    fill(folder, *names)
    fill(folder, *names)
    assert found(folder, *names) == set(names)


def test_a_folder_that_cannot_be_made_is_said_and_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Cache(str(tmp_path / "file" / CACHE_FOLDER), "0.1") as cache:
        cache.put({key("a"): facts("a")})
        assert cache.get([key("a")]) == {}
    assert "the cache was not used" in cache.remark


def test_a_folder_that_cannot_be_written_is_read(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(folder, "a")
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and real(path, mode))
    with Cache(folder, "0.1") as cache:
        assert set(cache.get([key("a"), key("b")])) == {key("a")}
        cache.put({key("b"): facts("b")})
        assert cache.remark == ""
    assert found(folder, "a", "b") == {"a"}


def test_without_a_folder_nothing_is_kept() -> None:
    with Cache(None, "0.1") as cache:
        cache.put({key("a"): facts("a")})
        assert cache.get([key("a")]) == {}


KINDS = (("old", 100), ("used", 100), ("new", 30))


def test_the_least_recently_used_entries_go_first(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old, used, new = ([f"{kind}{n}" + "x" * 200 for n in range(count)] for kind, count in KINDS)
    monkeypatch.setattr(module, "_today", lambda: 100)
    fill(folder, *old, *used)
    size = database(folder).stat().st_size
    monkeypatch.setattr(module, "_today", lambda: 200)
    assert found(folder, *used) == set(used)
    fill(folder, *new, bytes_max=size)
    left = found(folder, *old, *used, *new)
    assert left >= set(used) | set(new)
    assert len(left & set(old)) < len(old)


def test_runs_at_the_same_time_share_one_folder(folder: str) -> None:
    script = (
        "import sys\n"
        "from subdrift.linter.model.facts import FileFacts\n"
        "from subdrift.linter.store.cache import Cache, key_of\n"
        "for n in range(30):\n"
        "    with Cache(sys.argv[1], '0.1') as cache:\n"
        "        cache.put({key_of(f'{sys.argv[2]}{n}'.encode(), 'java', '1'): FileFacts('java')})\n"
        "        assert not cache.remark, cache.remark\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", script, folder, name]) for name in "abc"]
    assert [run.wait() for run in runs] == [0, 0, 0]
    with Cache(folder, "0.1") as cache:
        assert len(cache.get(key(f"{name}{n}") for name in "abc" for n in range(30))) == 90


def test_only_a_folder_with_our_mark_is_removed(folder: str, tmp_path: Path) -> None:
    fill(folder, "a")
    (tmp_path / "precious").mkdir()
    assert remove(folder)
    assert not Path(folder).exists()
    assert not remove(str(tmp_path / "precious"))
    assert not remove(str(tmp_path / "nowhere"))


def test_the_version_of_a_package_changes_with_its_sources_alone(tmp_path: Path) -> None:
    package = tmp_path / "extract"
    (package / "java").mkdir(parents=True)
    (package / "java" / "reader.py").write_text("A = 1\n")
    first = versions_of_package(str(package))
    (package / "java" / "reader.pyc").write_text("compiled")
    os.utime(package / "java" / "reader.py", (1, 1))
    assert versions_of_package(str(package)) == first
    (package / "java" / "reader.py").write_text("A = 2\n")
    assert versions_of_package(str(package)) != first
    assert versions_of_package(str(tmp_path / "nowhere")) == ("", "")


def test_names_with_unpaired_surrogates_survive(folder: str) -> None:
    odd = FileFacts("java", imports=("\ud800",), package=Literal("订单", START).text)
    with Cache(folder, "0.1") as cache:
        cache.put({key("a"): odd})
        assert cache.get([key("a")]) == {key("a"): odd}


def test_odd_characters_in_the_path_do_no_harm(tmp_path: Path) -> None:
    fill(str(tmp_path / "a?b#c%20 订单" / CACHE_FOLDER), "a")
    assert found(str(tmp_path / "a?b#c%20 订单" / CACHE_FOLDER), "a") == {"a"}
