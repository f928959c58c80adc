"""The objects of a repository, read through one `git cat-file` process: contents of files, and the trees of a commit."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import select
import stat
import subprocess
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from subdrift.linter.sources.git import LISTING_BYTES_MAX, ask, is_partial, start, would_wait

OBJECT_SECONDS_MAX: Final = 30.0
"""Git may keep silent for so long when it is asked for an object."""
OBJECT_BYTES_MAX: Final = 64 << 20
"""More than any file that is read, and a folder of a million files."""
AHEAD_MAX = 256
"""Objects that git is asked for ahead of time: their names fit into a pipe, so that nobody waits for the other."""

_CHUNK_BYTES: Final = 1 << 16
_LEADS: Final = re.compile(rb"(?:tree|object) ([0-9a-f]{40,64})\n")
"""How a commit names its tree, and a tag its commit."""
_ENTRY_BYTES: Final = 64
"""What an entry of a tree comes to beside its path."""
_ENTRIES: Final = {size: re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % size, re.DOTALL) for size in (20, 32)}
"""Entries of a tree, by bytes of the ids of objects in it: mode, name, object."""


class TooLargeError(OSError):
    """An object is larger than what may be read of it."""


class Entry(NamedTuple):
    """What a tree has under a name: the path from the root, the object, and the bits of `mode` that say what that is."""

    mode: int
    path: bytes
    oid: str

    @property
    def is_tree(self) -> bool:
        return self.mode == stat.S_IFDIR

    @property
    def is_link(self) -> bool:
        return self.mode == stat.S_IFLNK

    @property
    def is_file(self) -> bool:
        return self.mode == stat.S_IFREG


class _Found(NamedTuple):
    oid: str
    kind: bytes
    content: bytes

    def holds(self) -> bool:
        """Whether it is the object of its name: `cat-file` believes the name of the file that it finds one in."""
        digest = hashlib.sha1 if len(self.oid) == 40 else hashlib.sha256
        whole = b"%b %d\0%b" % (self.kind, len(self.content), self.content)
        return digest(whole, usedforsecurity=False).hexdigest() == self.oid

    def entries(self) -> list[Entry]:
        """What a tree holds under names. Raises `OSError` for what is none."""
        entries = _ENTRIES[len(self.oid) // 2].findall(self.content) if self.kind == b"tree" else []
        if sum(len(mode) + len(name) + len(oid) + 2 for mode, name, oid in entries) != len(self.content):
            raise OSError(f"{self.oid} is not a tree")
        return [Entry(stat.S_IFMT(int(mode, 8)), name, oid.hex()) for mode, name, oid in entries]


class Blobs(Struct):
    """The objects of the repository around `root`. Close it: it keeps a process."""

    root: str
    _reader: subprocess.Popen[bytes] | None = None
    _said: bytearray = field(default_factory=bytearray)
    """What git has said and nobody has taken yet."""
    _there: frozenset[str] | None = None
    """All objects that are here; None as long as none was found missing in a partial clone."""
    _ahead: deque[str] = field(default_factory=deque)
    """What git has been asked for, and nobody has read yet."""

    def expect(self, oids: Sequence[str]) -> None:
        """Ask for objects that will be read next, in this order; any other answer is thrown away first. At most
        `AHEAD_MAX` of them are asked for. Raises `OSError`."""
        if self._there is None:
            self._skip()
            self._ask(oids[:AHEAD_MAX])

    def read(self, oid: str, most: int = OBJECT_BYTES_MAX) -> bytes | None:
        """One object; None where this copy of the repository does not have it. Raises `OSError`; `TooLargeError` for one of
        more than so many bytes."""
        found = self._read(oid, most)
        return None if found is None else found.content

    def entries(self, revision: str) -> Iterator[Entry]:
        """All that the tree of a revision holds, in the order of `git ls-tree -r -t`. Raises `OSError`."""
        trees = self.trees(revision)
        stack = [(b"", iter(next(iter(trees.values()))))]
        size = 0
        while stack:
            above, entries = stack[-1]
            for mode, name, oid in entries:
                one = Entry(mode, above + name, oid)
                size += len(one.path) + _ENTRY_BYTES
                if size > LISTING_BYTES_MAX:
                    raise OSError(f"its listing is larger than {LISTING_BYTES_MAX >> 20} MiB")
                yield one
                if one.is_tree:
                    stack.append((one.path + b"/", iter(trees[oid])))
                    break
            else:
                stack.pop()

    def trees(self, revision: str) -> dict[str, list[Entry]]:
        """The trees of a revision, from the root downwards: what each holds under names. They, and what leads to them, are
        the objects of their names: git lists one that lies in the place of another without a word. Raises `OSError`."""
        if "\n" in revision:  # git takes one name a line
            raise OSError(f"{revision!r} names nothing")
        top = self._present(revision)
        while top.kind in (b"commit", b"tag") and (leads := _LEADS.match(top.content)):
            top = self._present(leads[1].decode())
        trees = {top.oid: top.entries()}
        size = len(top.content)
        level = [top.oid]
        while level:
            inside = dict.fromkeys(one.oid for oid in level for one in trees[oid] if one.is_tree)
            level = [oid for oid in inside if oid not in trees]
            for first in range(0, len(level), AHEAD_MAX):
                batch = level[first : first + AHEAD_MAX]
                self.expect(batch)
                for oid in batch:
                    found = self._present(oid)
                    size += len(found.content)
                    if size > LISTING_BYTES_MAX:
                        raise OSError(f"its listing is larger than {LISTING_BYTES_MAX >> 20} MiB")
                    trees[oid] = found.entries()
        return trees

    def _present(self, oid: str) -> _Found:
        found = self._read(oid, OBJECT_BYTES_MAX)
        if found is None:
            raise OSError(f"{oid} is not in this copy of the repository")
        return found

    def _read(self, oid: str, most: int) -> _Found | None:
        """Git before 2.45 ends where it may not fetch what a partial clone lacks. It is asked then for all it has."""
        if self._there is not None and oid not in self._there:
            return None
        try:
            if not self._ahead or self._ahead[0] != oid:
                self._skip()
                self._ask((oid,))
            return self._next(most)
        except TooLargeError:
            raise
        except OSError:
            if self._there is not None or not is_partial(self.root):
                raise
            listed = ask(
                self.root, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)"
            )
            self._there = frozenset(listed.out.split())
            if listed.reason or oid in self._there:
                raise
            return None

    def _skip(self) -> None:
        while self._ahead:
            with contextlib.suppress(TooLargeError):
                self._next(OBJECT_BYTES_MAX)

    def _ask(self, oids: Sequence[str]) -> None:
        if self._reader is None:
            if waiting := would_wait(self.root):
                raise OSError(f"git would wait on {waiting}")
            self._reader = start(self.root, "cat-file", "--batch", stdin=subprocess.PIPE)
        assert self._reader.stdin is not None
        self._ahead += oids
        self._reader.stdin.write("".join(f"{oid}\n" for oid in oids).encode())
        self._reader.stdin.flush()

    def _next(self, most: int) -> _Found | None:
        """What git says of the first object it was asked for."""
        self._ahead.popleft()
        while b"\n" not in self._said:
            self._listen()
        head = self._take(self._said.index(b"\n") + 1).split()
        if not head[-1].isdigit():  # but a word for why it has none
            return None
        size = int(head[2])
        if size > most:
            self._start_again()
            raise TooLargeError(f"the object is larger than {most >> 20} MiB")
        while len(self._said) <= size:
            self._listen()
        found = _Found(head[0].decode(), head[1], self._take(size + 1)[:size])
        if not found.holds():
            raise OSError("git gave another object than that of this name")
        return found

    def _start_again(self) -> None:
        """Ask another process for what this one has not told yet: it ends before it has read the object it is at."""
        ahead = tuple(self._ahead)
        self.close()
        if ahead:
            self._ask(ahead)

    def _listen(self) -> None:
        """Wait for git to say more. Raises `OSError` where it ends or keeps silent."""
        assert self._reader is not None
        assert self._reader.stdout is not None
        waiting = select.poll()
        waiting.register(self._reader.stdout, select.POLLIN)
        part = b""
        silent = not waiting.poll(OBJECT_SECONDS_MAX * 1000)
        if not silent:
            part = os.read(self._reader.stdout.fileno(), _CHUNK_BYTES)
        if not part:
            self.close()
            raise OSError(f"git said nothing for {OBJECT_SECONDS_MAX:.0f} s" if silent else "git ended")
        self._said += part

    def _take(self, count: int) -> bytes:
        taken = bytes(self._said[:count])
        del self._said[:count]
        return taken

    def close(self) -> None:
        """End the git process."""
        if self._reader is not None:
            with contextlib.suppress(OSError):  # what it was asked last, and did not live to hear
                if self._reader.stdin:
                    self._reader.stdin.close()
            self._reader.terminate()
            self._reader.wait()
            self._reader = None
            self._said.clear()
            self._ahead.clear()
