"""Regular files, read and replaced whole: what everybody who reads or writes one file goes by.

A pipe, device or folder under the name of a file is an error at once, never a wait.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from subdrift.linter.model.message import Message, say, verbatim

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CHUNK_BYTES = 1 << 16
_LEFT = re.compile(r"\.subdrift-\d+-[0-9a-f]{16}")


class NotRegularError(OSError):
    """The name stands for a pipe, a socket, a device or a folder: `kind`."""

    def __init__(self, path: str, mode: int) -> None:
        self.kind = next((name for test, name in _KINDS if test(mode)), "special-file")
        super().__init__(errno.EINVAL, f"is a {self.kind.replace('-', ' ')}, not a regular file", path)


_REASONS = {
    errno.ENOENT: "not-there",
    errno.EACCES: "not-allowed",
    errno.EPERM: "not-allowed",
    errno.EISDIR: "a-folder",
    errno.ENOTDIR: "not-a-folder",
    errno.ENOSPC: "disk-full",
    errno.EROFS: "read-only",
    errno.ELOOP: "a-link",
}


def reason_of(error: BaseException) -> Message:
    """Why a file could not be read or written; what is not known is said as the system says it."""
    if isinstance(error, NotRegularError):
        return say(f"os.{error.kind}")
    if isinstance(error, OSError) and error.errno in _REASONS:
        return say(f"os.{_REASONS[error.errno]}")
    return verbatim((error.strerror if isinstance(error, OSError) else None) or str(error))


_KINDS = (
    (stat.S_ISDIR, "folder"),
    (stat.S_ISLNK, "symbolic-link"),
    (stat.S_ISFIFO, "named-pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


def read(path: str, bytes_max: int, follow: bool = True) -> bytes:
    """At most `bytes_max + 1` bytes of a regular file, so that a longer one shows. Raises `OSError`, `ValueError`.

    With `follow` False a symbolic link as the last part of the path is an error (`ELOOP`).
    """
    try:
        handle = os.open(path, _FLAGS | (0 if follow else NO_FOLLOW))
    except OSError as error:
        if error.errno == errno.ELOOP and not follow:
            raise OSError(errno.ELOOP, "is a symbolic link, which is not followed", path) from error
        raise
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise NotRegularError(path, mode)
        content = os.read(handle, min(_CHUNK_BYTES, bytes_max + 1))
        if len(content) < _CHUNK_BYTES:
            return content
        parts = [content]
        size = len(content)
        while size <= bytes_max:
            part = os.read(handle, bytes_max + 1 - size)
            if not part:
                break
            parts.append(part)
            size += len(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def write(path: str, content: bytes, follow: bool = True) -> None:
    """Put a file in place whole: nobody ever sees half of it, a full disk leaves the old one. Raises `OSError`.

    What is there and is not a regular file (a device, a pipe, a link such as /dev/stdout) is written to as it stands;
    with `follow` False, for a place that no person named, it is an error. So is a link that somebody else has put into a
    folder that others may write to.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | (0o666 & ~umask())
    if not stat.S_ISREG(mode):
        if not follow or _is_planted(path):
            raise NotRegularError(path, mode)
        with open(path, "wb") as out:
            out.write(content)
        return
    with beside(path) as (temporary, handle):
        with open(handle, "wb", closefd=False) as out:
            out.write(content)
        os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)


def _is_planted(path: str) -> bool:
    """Whether a link is another user's, in a folder that others may write to (as Linux has it with `protected_symlinks`)."""
    about = os.lstat(path)
    if not stat.S_ISLNK(about.st_mode) or not hasattr(os, "geteuid"):
        return False
    folder = os.stat(os.path.dirname(path) or ".")
    is_shared = bool(folder.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    return is_shared and about.st_uid not in (os.geteuid(), folder.st_uid)


@contextmanager
def beside(path: str) -> Iterator[tuple[str, int]]:
    """A file to write beside a place, and its handle: gone in the end, unless it was put in the place. Raises `OSError`.

    It is locked as long as its writer lives, so those that ended writers have left are known, and are removed.
    """
    folder = os.path.dirname(path)
    _sweep(folder or ".")
    temporary, handle = _made(folder)
    try:
        yield temporary, handle
    finally:
        try:
            if os.fstat(handle).st_nlink and _is_same(temporary, handle):
                os.unlink(temporary)
        finally:
            os.close(handle)


def _made(folder: str) -> tuple[str, int]:
    while True:
        name = os.path.join(folder, f".subdrift-{os.getpid()}-{os.urandom(8).hex()}")
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        _lock(handle, wait=True)
        if os.fstat(handle).st_nlink:
            return name, handle
        os.close(handle)  # somebody has taken it for one that was left, before it was locked


def _is_same(name: str, handle: int) -> bool:
    try:
        return os.path.samestat(os.lstat(name), os.fstat(handle))
    except FileNotFoundError:
        return False


def _sweep(folder: str) -> None:
    """Removes what ended writers have left beside what they were to write. What cannot be removed stays."""
    try:
        names = [name for name in os.listdir(folder) if _LEFT.fullmatch(name)]
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_RDWR | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
            try:
                if stat.S_ISREG(os.fstat(handle).st_mode) and _lock(handle, wait=False):
                    os.unlink(path)
            finally:
                os.close(handle)


def _lock(handle: int, wait: bool) -> bool:
    """Whether a file is ours now; where files cannot be locked, none is ever taken for one that was left."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except (ImportError, OSError):
        return False
    return True


def locks(path: str) -> bool:
    """Whether the file system of a file lets programs lock parts of files; some of networks do not. Of a file that cannot be
    opened it is not known, and True. A lock of this process on the file is gone afterwards, as POSIX has it."""
    try:
        import fcntl

        handle = os.open(path, os.O_RDWR | NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
    except (ImportError, OSError):
        return True
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
    finally:
        os.close(handle)
    return True


def umask() -> int:
    """What this process leaves out of the mode of a new file."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
