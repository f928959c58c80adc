"""Pools of workers, in which what is handed over runs at once: https://docs.python.org/3/library/multiprocessing.html."""

from concurrent.futures import Future


class AsyncResult(Future):
    def get(self, timeout=None):
        return self.result()

    def wait(self, timeout=None):
        pass

    def ready(self):
        return True

    def successful(self):
        return True


class Pool:
    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None):
        pass

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        pass

    def apply(self, func, args=(), kwds={}):
        return func(*args, **kwds)

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        made = AsyncResult(func, args, kwds)
        if callback is not None:
            callback(made.get())
        return made

    def map(self, func, iterable, chunksize=None):
        return list(map(func, iterable))

    imap = imap_unordered = map

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self.apply_async(self.map, (func, iterable), {}, callback)

    def starmap(self, func, iterable, chunksize=None):
        return [func(*each) for each in iterable]

    def close(self):
        pass

    def terminate(self):
        pass

    def join(self):
        pass


ThreadPool = Pool
