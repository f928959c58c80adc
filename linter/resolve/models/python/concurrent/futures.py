"""Executors that run what they are given at once: https://docs.python.org/3/library/concurrent.futures.html."""

from threading import _as, _Workers
from typing import NamedTuple

from _native import run_later, unknown

ALL_COMPLETED = "ALL_COMPLETED"
FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"


class CancelledError(Exception):
    pass


class InvalidStateError(Exception):
    pass


class Future:
    def __init__(self):
        self._ended = False
        self._running = False
        self._cancelled = False
        self._value = None
        self._error = None
        self._callbacks = []

    def _end(self, value, error):
        if self._ended:
            raise InvalidStateError()
        self._value = value
        self._error = error
        self._ended = True
        for each in self._callbacks:
            each(self)

    def set_result(self, result):
        self._end(result, None)

    def set_exception(self, exception):
        self._end(None, exception)

    def set_running_or_notify_cancel(self):
        if self._cancelled:
            return False
        if self._ended or self._running:
            raise RuntimeError("Future in unexpected state")
        self._running = True
        return True

    def result(self, timeout=None):
        if not self._ended:
            run_later()
        if self._error is not None:
            raise self._error
        return self._value if self._ended else unknown("result")

    def exception(self, timeout=None):
        if not self._ended:
            run_later()
        if self._cancelled:
            raise self._error
        return self._error

    def done(self):
        return self._ended

    def cancel(self):
        if not self._ended and not self._running:
            self._cancelled = True
            self._end(None, CancelledError())
        return self._cancelled

    def cancelled(self):
        return self._cancelled

    def running(self):
        return self._running and not self._ended

    def add_done_callback(self, fn):
        if self._ended:
            fn(self)
        else:
            self._callbacks.append(fn)


class ThreadPoolExecutor:
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        self._initializer = initializer
        self._initargs = initargs
        self._workers = _Workers(max_workers)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        pass

    def submit(self, fn, /, *args, **kwargs):
        return self._run(Future(), fn, args, kwargs)

    def _run(self, made, fn, args, kwargs):
        if self._initializer is not None:
            initializer, self._initializer = self._initializer, None
            _as(self._workers, initializer, *self._initargs)
        self._workers.begin()
        try:
            made.set_result(_as(self._workers, fn, *args, **kwargs))
        except BaseException as error:
            made.set_exception(error)
        return made

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        futures = [self.submit(fn, *each) for each in zip(*iterables)]
        return (each.result() for each in futures)

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass


ProcessPoolExecutor = ThreadPoolExecutor


class DoneAndNotDoneFutures(NamedTuple):
    done: set
    not_done: set


def as_completed(fs, timeout=None):
    return list(fs)


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    return DoneAndNotDoneFutures(set(fs), set())
