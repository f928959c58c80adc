"""Regular files, read and replaced whole: what everybody who reads or writes one file goes by.

A pipe, device or folder under the name of a file is an error at once, never a wait.
"""

from __future__ import annotations

import errno
import os
import stat

from subdrift.linter.model.message import Message, say, verbatim

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CHUNK_BYTES = 1 << 16


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
    with `follow` False, for a place that no person named, it is an error.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | (0o666 & ~_umask())
    if not stat.S_ISREG(mode):
        if not follow:
            raise NotRegularError(path, mode)
        with open(path, "wb") as out:
            out.write(content)
        return
    temporary = os.path.join(os.path.dirname(path), f".subdrift-{os.getpid()}-{os.urandom(8).hex()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with open(handle, "wb") as out:
            out.write(content)
        os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
