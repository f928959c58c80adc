"""Executors that run what they are given at once: https://docs.python.org/3/library/concurrent.futures.html."""


class Future:
    def __init__(self, fn, args, kwargs):
        self._value = None
        self._error = None
        try:
            self._value = fn(*args, **kwargs)
        except BaseException as error:
            self._error = error

    def result(self, timeout=None):
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self, timeout=None):
        return self._error

    def done(self):
        return True

    def cancel(self):
        return False

    cancelled = cancel

    def add_done_callback(self, fn):
        fn(self)


class ThreadPoolExecutor:
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        pass

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        pass

    def submit(self, fn, /, *args, **kwargs):
        return Future(fn, args, kwargs)

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        return map(fn, *iterables)

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass


ProcessPoolExecutor = ThreadPoolExecutor


def as_completed(fs, timeout=None):
    return list(fs)


def wait(fs, timeout=None, return_when="ALL_COMPLETED"):
    return set(fs), set()
