"""A registry file is whole or refused, in one sentence; nothing in it is believed because it says so."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.registry import blocks, seal, writer
from subdrift.linter.registry.entries import Members, Shown
from subdrift.linter.registry.reader import Registry
from subdrift.linter.registry.schema import SCHEMA_VERSION, RegistryError
from tests.adopt.scratch import subdrift
from tests.registry.kit import copied, published
from tests.registry.test_lookups import disagreeing

FLIPS = 60


@pytest.fixture(scope="module")
def org(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return disagreeing(tmp_path_factory.mktemp("org"))


@pytest.fixture(scope="module")
def good(org: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return published(org, tmp_path_factory.mktemp("registry") / "registry.db").read_bytes()


@pytest.fixture
def file(good: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "registry.db"
    path.write_bytes(good)
    return path


def refused(org: Path, file: Path) -> str:
    """The one sentence a check says of a file it cannot use."""
    said = subdrift("check", org / "one", "--against", file, "--no-cache")
    assert (said.code, said.out) == (2, "")
    lines = said.err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"subdrift: {file}: ")
    return lines[0]


def changed(file: Path, *statements: str) -> None:
    database = sqlite3.connect(file)
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()
    seal.put(str(file))


def test_what_is_no_file_of_its_own_is_refused(org: Path, file: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link.db").symlink_to(file)

    assert "No such file" in refused(org, tmp_path / "absent.db")
    assert "--registry-out" in refused(org, tmp_path / "absent.db")
    assert "is not a regular file" in refused(org, tmp_path / "pipe")
    assert "is a symbolic link" in refused(org, tmp_path / "link.db")
    assert "is not a regular file" in refused(org, tmp_path)


def test_other_files_and_databases_are_no_registry(org: Path, file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("group,topic\n" * 100)
    (tmp_path / "empty.db").write_bytes(b"")
    changed(tmp_path / "other.db", "CREATE TABLE meta (key TEXT, value TEXT)")
    for name in ("text.db", "empty.db", "other.db"):
        assert "is not a registry of subdrift" in refused(org, tmp_path / name)
    changed(
        file, "DROP TABLE meta", "CREATE VIEW meta AS SELECT 'format' AS key, 'subdrift registry' AS value"
    )
    assert "is not a registry of subdrift" in refused(org, file)


def test_a_registry_of_a_newer_version_says_what_to_do(org: Path, file: Path) -> None:
    changed(
        file, f"UPDATE meta SET value = '{SCHEMA_VERSION + 1}' WHERE key = 'schema'", "CREATE TABLE more (x)"
    )
    assert "newer subdrift" in refused(org, file)


def test_a_registry_whose_facts_are_spelled_otherwise_says_what_to_do(org: Path, file: Path) -> None:
    changed(file, "UPDATE meta SET value = 'other' WHERE key = 'shape'")
    assert "publish it with this one" in refused(org, file)


def test_a_table_or_trigger_more_is_refused(org: Path, file: Path) -> None:
    changed(file, "CREATE TABLE more (x)")
    assert "damaged" in refused(org, file)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95, 0.999])
def test_a_registry_that_is_cut_off_is_refused(org: Path, file: Path, good: bytes, share: float) -> None:
    file.write_bytes(good[: int(len(good) * share)])
    assert "cut off" in refused(org, file)


def test_a_bit_that_is_another_one_is_refused_wherever_it_is(org: Path, file: Path, good: bytes) -> None:
    chance = random.Random(7)
    for number in range(FLIPS):
        content = bytearray(good)
        for _ in range(1 if number % 2 else chance.choice((2, 64))):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        file.write_bytes(content)
        assert content != good
        with pytest.raises(RegistryError, match=re.escape(str(file))):
            Registry(str(file)).close()
    file.write_bytes(good)
    with sqlite3.connect(f"file:{file}?immutable=1", uri=True) as database:
        (entries,) = database.execute("SELECT entries FROM keys WHERE length(entries) < 900").fetchone()
    key = good.index(entries[:64]) + 40  # what a look-up goes by: the row would just not be found
    file.write_bytes(good[:key] + bytes([good[key] ^ 1]) + good[key + 1 :])
    assert "damaged (its checksum is another one)" in refused(org, file)


def test_pages_that_changed_places_are_refused(org: Path, file: Path, good: bytes) -> None:
    page = int.from_bytes(good[16:18], "big")
    pages = [good[start : start + page] for start in range(0, len(good), page)]
    pages[3], pages[4] = pages[4], pages[3]
    file.write_bytes(b"".join(pages))
    assert "damaged" in refused(org, file)


def test_a_registry_without_a_checksum_is_refused_or_of_another_version(
    org: Path, file: Path, good: bytes
) -> None:
    file.write_bytes(good[:60] + bytes(4) + good[64:])
    assert "it has no checksum" in refused(org, file)
    changed(file, "UPDATE meta SET value = '1' WHERE key = 'schema'")
    content = file.read_bytes()
    file.write_bytes(content[:60] + bytes(4) + content[64:])
    assert "publish it with this one" in refused(org, file)


def consumers_changed(file: Path, change: Callable[[str], str]) -> None:
    database = sqlite3.connect(file)
    for first, packed in database.execute("SELECT first, consumers FROM members").fetchall():
        members = blocks.unpack(tuple[Members, ...], packed)
        turned = blocks.pack([(*names, change(text)) for *names, text in members])
        database.execute("UPDATE members SET consumers = ? WHERE first = ?", (turned, first))
    database.commit()
    database.close()
    seal.put(str(file))


def of(change: Callable[[Consumer], Consumer]) -> Callable[[str], str]:
    return lambda text: wire.dumps(change(wire.loads(Consumer, text)))


LONG = Span(1, 1, 1 << 30, 1)
HOSTILE: dict[str, Callable[[str], str]] = {
    "a path out of the repository": of(
        lambda one: replace(one, at=Location(Origin("one", "../../../etc/passwd"), one.at.span))
    ),
    "an absolute path": of(lambda one: replace(one, at=Location(Origin("one", "/etc/passwd"), one.at.span))),
    "a place of a thousand million lines": of(lambda one: replace(one, at=Location(one.at.origin, LONG))),
    "a line before the first": of(lambda one: replace(one, at=Location(one.at.origin, Span(-5, 0, -5, 0)))),
    "a number for a text": lambda text: text.replace('"g"', "7"),
    "no JSON": lambda text: text[:-3],
    "deep nesting": lambda text: "[" * 100_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_row_that_was_written_to_do_harm_is_refused(org: Path, file: Path, kind: str) -> None:
    consumers_changed(file, HOSTILE[kind])
    assert "damaged" in refused(org, file)


def test_a_text_that_unpacks_without_end_is_refused(org: Path, file: Path) -> None:
    bomb = zlib.compress(b"[" + b" " * (80 << 20))
    database = sqlite3.connect(file)
    database.execute("UPDATE members SET consumers = ?", (bomb,))
    database.commit()
    database.close()
    seal.put(str(file))
    assert "damaged" in refused(org, file)


def test_signs_that_steer_a_terminal_or_a_workflow_stay_text(org: Path, file: Path) -> None:
    evil = "::error::x\x1b[31m\r\n##[group]"
    database = sqlite3.connect(file)
    database.execute("UPDATE repositories SET head = ?, owners = ?", (evil, '["\\u001b[2J@evil"]'))
    for repository, path, packed in database.execute("SELECT * FROM shown").fetchall():
        shown = [
            (name, owners, [(line, evil) for line, _ in lines])
            for name, owners, lines in blocks.unpack(tuple[Shown, ...], packed)
        ]
        key = (blocks.pack(shown), repository, path)
        database.execute("UPDATE shown SET lines = ? WHERE repository = ? AND path = ?", key)
    database.commit()
    database.close()
    seal.put(str(file))
    for kind in ("text", "concise", "github", "markdown", "gitlab", "junit"):
        said = subdrift(
            "check", org / "one", "--against", file, "--no-cache", "--output-format", kind, "--color", "never"
        )
        assert said.code == 1
        assert "\x1b" not in said.out
        assert "\r" not in said.out
        assert not [line for line in said.out.splitlines() if line.startswith("::error::x")]


def test_publishing_replaces_an_older_registry_whole_or_leaves_it(
    org: Path, file: Path, good: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(writer._Tables, "fill", broken)
        said = subdrift("check", "--org", org, "--registry-out", file, "--no-cache")
    assert said.code == 2
    assert "the registry could not be written: disk I/O error" in said.err
    assert file.read_bytes() == good
    assert [path.name for path in tmp_path.iterdir()] == ["registry.db"]

    with Registry(str(file)) as reader:  # a reader that is at work keeps what it reads
        assert subdrift("check", "--org", org, "--registry-out", file, "--no-cache", "-q").code == 1
        assert reader.about("one") is not None
    assert [path.name for path in tmp_path.iterdir()] == ["registry.db"]


def test_a_registry_is_not_written_through_a_link(org: Path, file: Path, good: bytes, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(file)
    said = subdrift("check", "--org", org, "--registry-out", tmp_path / "link.db", "--no-cache", "-q")
    assert said.code == 2
    assert "is not a regular file" in said.err
    assert file.read_bytes() == good


def test_two_publications_of_one_state_differ_in_their_time_alone(org: Path, tmp_path: Path) -> None:
    one, other = (published(org, tmp_path / name) for name in ("one.db", "other.db"))

    def rows(file: Path) -> list[object]:
        database = sqlite3.connect(file)
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = [(name, row) for name in names for row in database.execute(f"SELECT * FROM {name}")]
        database.close()
        return [row for row in found if row[0] != "meta" or row[1][0] != "taken"]

    assert rows(one) == rows(other)


def test_options_that_contradict_each_other_are_refused(org: Path, file: Path) -> None:
    for options in (
        ("--org", org, "--against", file),
        (org / "one", "--against", file, "--registry-out", file),
        (org / "one", "--registry-max-age", "7d"),
        (org / "one", "--against", file, "--registry-max-age", "soon"),
    ):
        assert subdrift("check", *options).code == 2


def test_an_old_registry_and_a_repository_it_does_not_know_are_said(
    org: Path, file: Path, tmp_path: Path
) -> None:
    changed(file, "UPDATE meta SET value = '1000000000' WHERE key = 'taken'")
    said = subdrift("check", org / "one", "--against", file, "--no-cache", "--registry-max-age", "7d")
    assert "days old, more than --registry-max-age 7d" in said.err
    assert "registry of 4 repositories" in said.out

    stranger = copied("shop", tmp_path / "shop") / "orders"
    said = subdrift("check", stranger, "--against", file, "--no-cache")
    assert "orders is not in the registry of 2001-09-09" in said.err
