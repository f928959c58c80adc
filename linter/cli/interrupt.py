"""SIGINT and SIGTERM: the run ends within a second with 130 or 143, and takes its processes along.

A signal becomes an exception in the main thread, so that what is half done is undone. Where the main thread does not
come to handle it (a parser in C, a wait without end), a watching thread ends the process all the same.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

INTERRUPTED = 130
TERMINATED = 143
GRACE_S = 0.5
"""What the main thread has to clean up after a signal."""

_CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
_received: list[int] = []
"""The code of the signal that came, once one has."""


class Interrupted(BaseException):
    """A signal ends the run; not an `Exception`, so that nobody who guards against bugs takes it for one."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def install() -> None:
    """From now on signals end the run. A signal that the caller ignores (`nohup`) stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    watched = [one for one in _CODES if signal.getsignal(one) is not signal.SIG_IGN]
    if not watched:
        return
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    for one in watched:
        signal.signal(one, _raise)
    threading.Thread(target=_watch, args=(read_end, os.getpid()), daemon=True).start()


def received() -> int | None:
    """The exit code of the signal that has come, None where none has."""
    return _received[0] if _received else None


def uninstall() -> None:
    """The work is done; what remains is the interpreter's own end."""
    if threading.current_thread() is not threading.main_thread():
        return
    signal.set_wakeup_fd(-1)
    for one in _CODES:
        if signal.getsignal(one) in (_raise, _ignore):
            signal.signal(one, signal.SIG_DFL)


def end(code: int) -> None:
    """End this process now, its children first. Returns only where no signal was waited for (in tests)."""
    if any(signal.getsignal(one) in (_raise, _ignore) for one in _CODES):
        _leave(code)


def _raise(number: int, frame: FrameType | None) -> None:
    for one in _CODES:
        if signal.getsignal(one) is _raise:
            signal.signal(one, _ignore)  # one exception is enough; the watching thread does the rest
    code = _CODES[signal.Signals(number)]
    _received.append(code)
    raise Interrupted(code)


def _ignore(number: int, frame: FrameType | None) -> None:
    """A second signal while the first is obeyed."""


def _watch(read_end: int, process: int) -> None:
    code = None
    while code is None:  # other signals are told here too: the one of the last net among them
        received = os.read(read_end, 1)
        if not received or os.getpid() != process:
            return
        code = _CODES.get(signal.Signals(received[0]))
    threading.Event().wait(GRACE_S)
    _leave(code)


def _leave(code: int) -> None:
    from subdrift.linter.sources import git

    git.stop()
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None:
        for child in multiprocessing.active_children():
            child.kill()
    os._exit(code)
