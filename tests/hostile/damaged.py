"""A table of repositories that git cannot read, or not wholly: each damage of one bare repository, and what is left of it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.adopt.scratch import environment

LISTENERS: Final = {
    "One.java": ("shared", "ORDERS", "a"),
    "deep/Two.java": ("shared", "ORDERS", "b"),
}
STRANGER: Final = 54_321
"""Somebody who is not the one who runs the tests."""

UNREADABLE = "unreadable"
"""Nothing can be listed: `unreadable-file` for `.`."""
PARTLY = "partly"
"""It is listed, and some of its files cannot be read."""
WHOLE = "whole"
"""What is damaged is not needed."""
EMPTY = "empty"
"""Nothing was ever pushed to it."""


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ("git", *arguments), cwd=folder, env=environment(), check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def objects_of(bare: Path) -> list[Path]:
    return sorted(one for one in (bare / "objects").rglob("*") if one.is_file())


def object_of(root: Path, name: str, folder: str = "") -> Path:
    """The file of an object that lies by itself; `folder` is git's own one in a checkout."""
    oid = git(root, "rev-parse", name)
    return root / f"{folder}objects" / oid[:2] / oid[2:]


def no_objects(bare: Path) -> None:
    shutil.rmtree(bare / "objects")
    (bare / "objects").mkdir()


def pack_damaged(bare: Path) -> None:
    git(bare, "repack", "-q", "-a", "-d")
    (pack,) = (bare / "objects/pack").glob("*.pack")
    pack.chmod(0o644)
    content = bytearray(pack.read_bytes())
    content[12:] = bytes(byte ^ 0xFF for byte in content[12:])
    pack.write_bytes(content)


def pack_gone(bare: Path) -> None:
    git(bare, "repack", "-q", "-a", "-d")
    for pack in (bare / "objects/pack").glob("*.pack"):
        pack.unlink()


def alternates_gone(bare: Path) -> None:
    """As after `git clone --shared` of a repository that was removed since."""
    no_objects(bare)
    (bare / "objects/info").mkdir()
    (bare / "objects/info/alternates").write_text(f"{bare.parent}/gone/objects\n")


def head_to_nothing(bare: Path) -> None:
    git(bare, "symbolic-ref", "HEAD", "refs/heads/gone")


def head_is_garbage(bare: Path) -> None:
    (bare / "HEAD").write_bytes(b"\0\0\0\0")


def head_gone(bare: Path) -> None:
    (bare / "HEAD").unlink()


def refs_folder_gone(bare: Path) -> None:
    """As after a copy that leaves out empty folders: what refs there are is packed."""
    git(bare, "pack-refs", "--all")
    shutil.rmtree(bare / "refs")


def objects_folder_gone(bare: Path) -> None:
    shutil.rmtree(bare / "objects")


def branch_is_garbage(bare: Path) -> None:
    """As after a crash of the system: the name is there, its content never reached the disk."""
    (bare / "packed-refs").unlink(missing_ok=True)
    (bare / "refs/heads/main").write_bytes(b"")


def refs_gone(bare: Path) -> None:
    (bare / "packed-refs").unlink(missing_ok=True)
    for one in (bare / "refs").rglob("*"):
        if one.is_file():
            one.unlink()


def commit_gone(bare: Path) -> None:
    object_of(bare, "HEAD").unlink()


def tree_gone(bare: Path) -> None:
    object_of(bare, "HEAD^{tree}").unlink()


def folder_gone(bare: Path) -> None:
    object_of(bare, "HEAD:deep").unlink()


def partial_without_promisor(bare: Path) -> None:
    """As a clone with `--filter=blob:none` whose configuration was lost."""
    object_of(bare, "HEAD:deep/Two.java").unlink()


def blob_damaged(bare: Path) -> None:
    blob = object_of(bare, "HEAD:deep/Two.java")
    blob.chmod(0o644)
    blob.write_bytes(b"\0" * len(blob.read_bytes()))


def blob_swapped(bare: Path) -> None:
    """Under the name of a file's content lies that of another: git itself gives it without a word."""
    _swap(bare, "HEAD:deep/Two.java", "HEAD:One.java")


def tree_swapped(bare: Path) -> None:
    _swap(bare, "HEAD^{tree}", "HEAD:deep")


def folder_swapped(bare: Path) -> None:
    """Git lists what was in the folder at another time, without a word."""
    other = bare / "other"
    other.write_bytes(b"100644 One.java\0" + bytes.fromhex(git(bare, "rev-parse", "HEAD:One.java")))
    oid = git(bare, "hash-object", "-t", "tree", "-w", other.name)
    other.unlink()
    _swap(bare, "HEAD:deep", oid)


def tree_in_itself(bare: Path) -> None:
    """Git lists without end."""
    _swap(bare, "HEAD:deep", "HEAD^{tree}")


def commit_swapped(bare: Path) -> None:
    _swap(bare, "HEAD", git(bare, "commit-tree", "-m", "another", "HEAD:deep"))


def _swap(bare: Path, name: str, other: str) -> None:
    there, found = object_of(bare, name), object_of(bare, other)
    there.chmod(0o644)
    shutil.copyfile(found, there)


def grafted(bare: Path) -> None:
    (bare / "info").mkdir(exist_ok=True)
    (bare / "info/grafts").write_text(f"{git(bare, 'rev-parse', 'HEAD')} {'1' * 40}\n")


def configuration_damaged(bare: Path) -> None:
    (bare / "config").write_bytes(b"[core\n")


def of_another(bare: Path) -> None:
    for one in (bare, *bare.rglob("*")):
        os.chown(one, STRANGER, STRANGER)


def empty(bare: Path) -> None:
    shutil.rmtree(bare)
    bare.mkdir()
    git(bare, "init", "-q", "--bare", "-b", "main")


DAMAGES: Final[dict[str, tuple[Callable[[Path], None], str]]] = {
    "no-objects": (no_objects, UNREADABLE),
    "pack-damaged": (pack_damaged, UNREADABLE),
    "pack-gone": (pack_gone, UNREADABLE),
    "alternates-gone": (alternates_gone, UNREADABLE),
    "head-to-nothing": (head_to_nothing, UNREADABLE),
    "branch-is-garbage": (branch_is_garbage, UNREADABLE),
    "refs-gone": (refs_gone, UNREADABLE),
    "commit-gone": (commit_gone, UNREADABLE),
    "tree-gone": (tree_gone, UNREADABLE),
    "folder-gone": (folder_gone, UNREADABLE),
    "configuration-damaged": (configuration_damaged, UNREADABLE),
    "head-is-garbage": (head_is_garbage, UNREADABLE),
    "head-gone": (head_gone, UNREADABLE),
    "refs-folder-gone": (refs_folder_gone, UNREADABLE),
    "objects-folder-gone": (objects_folder_gone, UNREADABLE),
    "partial-without-promisor": (partial_without_promisor, PARTLY),
    "blob-damaged": (blob_damaged, PARTLY),
    "blob-swapped": (blob_swapped, PARTLY),
    "tree-swapped": (tree_swapped, UNREADABLE),
    "folder-swapped": (folder_swapped, UNREADABLE),
    "tree-in-itself": (tree_in_itself, UNREADABLE),
    "commit-swapped": (commit_swapped, UNREADABLE),
    "grafted": (grafted, WHOLE),
    "empty": (empty, EMPTY),
}
if os.geteuid() == 0:
    DAMAGES["of-another"] = (of_another, UNREADABLE)


def made(root: Path) -> Path:
    """A checkout with two listeners that disagree, committed."""
    from tests.adopt.scratch import LISTENER

    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for name, (group, topic, tags) in LISTENERS.items():
        file = root / name
        file.parent.mkdir(exist_ok=True)
        text = LISTENER.format(group=group, topic=topic, tags=tags, name=file.stem)
        file.write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "one")
    return root


def mirror(of: Path, to: Path) -> Path:
    """A bare copy whose objects lie by themselves."""
    to.mkdir(parents=True)
    git(to, "init", "-q", "--bare", "-b", "main")
    git(of, "push", "-q", str(to), "main")
    return to


def damaged(name: str, of: Path, to: Path) -> Path:
    """A mirror with one of the damages."""
    found = mirror(of, to)
    DAMAGES[name][0](found)
    return found
