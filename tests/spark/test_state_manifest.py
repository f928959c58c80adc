"""A state is believed where each of its files is as it was written; no Spark is needed to see that."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from subdrift.spark_jobs.state_manifest import FILE, LocalFiles, Manifest

NAMES = ("findings", "state")
PARTS = {
    "findings/part-00000.zstd.parquet": b"PAR1 findings",
    "findings/_SUCCESS": b"",
    "state/read/part-00000-a.parquet": b"PAR1 rows of reading",
    "state/read/part-00001-a.parquet": b"PAR1 more rows read",
    "state/read/.part-00000-a.parquet.crc": b"crc of the first",
    "state/consumed/part-00000-b.parquet": b"PAR1 rows of consuming",
    "state/consumed/_SUCCESS": b"",
    "state/told/part-00000.zstd.parquet": b"PAR1 what was told",
}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Tables as a scan leaves them, as far as a later one goes by them."""
    for name, content in PARTS.items():
        file = tmp_path / "out" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    files = LocalFiles(str(tmp_path / "out"))
    (tmp_path / "out/state" / FILE).write_text(Manifest.of("scan", "made", files, NAMES).dumps())
    return tmp_path / "out"


def differing(out: Path) -> str:
    """What a later scan says of the tables: "" where it goes by them."""
    file = out / "state" / FILE
    manifest = Manifest.loads(file.read_bytes()) if file.exists() else None
    if manifest is None:
        return "nothing proves them whole"
    return next(filter(None, (manifest.differing(LocalFiles(str(out)), name) for name in NAMES)), "")


def deleted(file: Path) -> None:
    file.unlink()


def shortened(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def lengthened(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\0")


def flipped(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def damaged(out: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Each file with each damage it can have."""
    for file in sorted(one for one in out.rglob("*") if one.is_file()):
        name = str(file.relative_to(out))
        for damage in (deleted, lengthened, *((shortened, flipped) if file.stat().st_size else ())):
            yield f"{damage.__name__} {name}", lambda damage=damage, file=file: damage(file)  # type: ignore[misc]


def test_tables_as_they_were_written_are_whole(out: Path) -> None:
    assert differing(out) == ""
    shutil.copytree(out, out.parent / "copy")
    assert differing(out.parent / "copy") == ""


def test_each_file_deleted_shortened_lengthened_or_flipped_is_noticed(out: Path, tmp_path: Path) -> None:
    shutil.copytree(out, tmp_path / "kept")
    believed = []
    count = 0
    for what, damage in list(damaged(out)):
        damage()
        count += 1
        if not differing(out):
            believed.append(what)
        shutil.rmtree(out)
        shutil.copytree(tmp_path / "kept", out)
    assert count > 4 * len(PARTS) - 6
    # Hadoop's checksums are not copied by everything, and nobody misses them; another one would be an error
    assert believed == ["deleted state/read/.part-00000-a.parquet.crc"]


@pytest.mark.parametrize("one", sorted(PARTS))
def test_two_files_that_changed_places_are_noticed(one: str, out: Path) -> None:
    for other in sorted(PARTS):
        if other != one and PARTS[other] != PARTS[one]:
            swap(out / one, out / other)
            assert differing(out), (one, other)
            swap(out / one, out / other)
    assert differing(out) == ""


def swap(one: Path, other: Path) -> None:
    kept = one.with_name("kept")
    os.rename(one, kept)
    os.rename(other, one)
    os.rename(kept, other)


def test_what_was_added_is_noticed_unless_no_reader_sees_it(out: Path) -> None:
    (out / "state/read/.nfs0001").write_bytes(b"of the system")
    assert differing(out) == ""
    (out / "state/read/part-00002-a.parquet").write_bytes(b"PAR1 of another scan")
    assert differing(out) == "state/read/part-00002-a.parquet was added"


def test_the_state_of_another_scan_is_not_believed_with_these_findings(out: Path, tmp_path: Path) -> None:
    """What `--replace` leaves where it is ended between two tables."""
    shutil.copytree(out, tmp_path / "other")
    (tmp_path / "other/findings/part-00000.zstd.parquet").write_bytes(b"PAR1 other findings")
    files = LocalFiles(str(tmp_path / "other"))
    (tmp_path / "other/state" / FILE).write_text(Manifest.of("other", "made", files, NAMES).dumps())
    shutil.rmtree(out / "state")
    shutil.copytree(tmp_path / "other/state", out / "state")
    assert differing(out).startswith("findings/part-00000")


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b'{"schema_version": 1}\nabc\n', b"\xff\xfe", b"null\n" * 3]
)
def test_what_is_not_a_manifest_proves_nothing(content: bytes) -> None:
    assert Manifest.loads(content) is None
