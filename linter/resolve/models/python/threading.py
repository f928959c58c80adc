"""Threads: https://docs.python.org/3/library/threading.html. One runs when something waits for it, or at the end."""

from _native import later, run_later, same, unknown

_running = []
"""The threads that are under way, beside the main one."""


def _as(thread, function, *args, **kwargs):
    """Runs a function as a thread does."""
    _running.append(thread)
    try:
        return function(*args, **kwargs)
    finally:
        _running.pop()


class Thread:
    _task = None

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target = target
        self._args = args or ()
        self._kwargs = kwargs or {}
        self._started = None
        self._ended = False
        self.name = unknown("thread") if name is None else name
        self.daemon = bool(daemon)

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def _bootstrap(self):
        try:
            _as(self, self.run)
        finally:
            self._ended = True

    def start(self):
        self._started = later(self._bootstrap)

    def join(self, timeout=None):
        if self._started is not None:
            run_later(self._started)

    def is_alive(self):
        """One that waits to be run may have ended all the same."""
        return self._started is not None and not self._ended and unknown("thread")

    def getName(self):
        return self.name

    def setDaemon(self, daemonic):
        self.daemon = daemonic


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(None, function, None, args, kwargs)
        self._cancelled = False

    def run(self):
        if not self._cancelled:
            super().run()

    def cancel(self):
        self._cancelled = True


_main = Thread(name="MainThread")


def main_thread():
    return _main


def current_thread():
    return _running[-1] if _running else _main


class Event:
    def __init__(self):
        self._set = False

    def is_set(self):
        return self._set

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    def wait(self, timeout=None):
        if not self._set:
            run_later()
        return timeout is None or self._set


class Lock:
    def __init__(self):
        self._held = 0

    def acquire(self, blocking=True, timeout=-1):
        if self._held:
            run_later()
        if self._held and not blocking:
            return False
        self._held = 1
        return True

    def release(self):
        self._held = 0

    def locked(self):
        return self._held > 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, kind, error, trace):
        self.release()


class RLock(Lock):
    def acquire(self, blocking=True, timeout=-1):
        self._held += 1
        return True

    def release(self):
        self._held -= 1


class Semaphore(RLock):
    def __init__(self, value=1):
        super().__init__()
        self._most = value

    def acquire(self, blocking=True, timeout=None):
        if self._held >= self._most:
            run_later()
        if self._held >= self._most and not blocking:
            return False
        return super().acquire()

    def release(self, n=1):
        self._held -= n


BoundedSemaphore = Semaphore


class Condition(RLock):
    def __init__(self, lock=None):
        super().__init__()

    def wait(self, timeout=None):
        run_later()
        return timeout is None or unknown("wait")

    def wait_for(self, predicate, timeout=None):
        if not predicate():
            run_later()
        return predicate()

    def notify(self, n=1):
        pass

    def notify_all(self):
        pass


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        self.parties = parties
        self._action = action
        self.n_waiting = 0

    def wait(self, timeout=None):
        place = self.n_waiting
        self.n_waiting = (place + 1) % self.parties
        if self.n_waiting == 0 and self._action is not None:
            self._action()
        return self.parties - 1 - place


class _Workers(Thread):
    """Those of a pool: of several, nobody knows which one a task is run by."""

    def __init__(self, count):
        super().__init__()
        self._several = not same(count, 1)

    def begin(self):
        if self._several:
            self._task = (self._task or 0) + 1


class local:
    """What each thread sets by itself, and the task of a pool by which it was set."""

    def __new__(cls, /, *args, **kwargs):
        self = object.__new__(cls)
        self.__dict__["_spaces"] = [(current_thread(), {})]
        self.__dict__["_given"] = (args, kwargs)
        return self

    def __init__(self, /, *args, **kwargs):
        pass

    def _space(self):
        thread = current_thread()
        for each, space in self._spaces:
            if each is thread:
                return thread, space
        space = {}
        self._spaces.append((thread, space))
        task, thread._task = thread._task, None
        self.__init__(*self._given[0], **self._given[1])
        thread._task = task
        return thread, space

    def __getattr__(self, name):
        if name in ("_spaces", "_given"):
            raise AttributeError(name)
        thread, space = self._space()
        if name not in space:
            raise AttributeError(name)
        value, task = space[name]
        if task is not None and task != thread._task:
            if unknown("thread"):
                raise AttributeError(name)
            return unknown("thread")
        return value

    def __setattr__(self, name, value):
        thread, space = self._space()
        space[name] = (value, thread._task)

    def __delattr__(self, name):
        getattr(self, name)
        del self._space()[1][name]
