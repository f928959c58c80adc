"""Threads: https://docs.python.org/3/library/threading.html. One runs when something waits for it, or at the end."""

from _native import later, run_later, unknown


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target = target
        self._args = args or ()
        self._kwargs = kwargs or {}
        self._started = None
        self.name = unknown("thread") if name is None else name
        self.daemon = daemon

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        self._started = later(self.run)

    def join(self, timeout=None):
        if self._started is not None:
            run_later(self._started)

    def is_alive(self):
        pass

    def getName(self):
        return self.name

    def setDaemon(self, daemonic):
        self.daemon = daemonic


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(None, function, None, args, kwargs)

    def cancel(self):
        pass


class local:
    pass
