"""Pools of workers, in which what is handed over runs at once: https://docs.python.org/3/library/multiprocessing.html."""

from concurrent.futures import Future, ThreadPoolExecutor


class AsyncResult(Future):
    def get(self, timeout=None):
        return self.result()

    def wait(self, timeout=None):
        pass

    ready = successful = Future.done


class Pool(ThreadPoolExecutor):
    def apply(self, func, args=(), kwds={}):
        return func(*args, **kwds)

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        made = AsyncResult(func, args, kwds)
        if callback is not None:
            callback(made.get())
        return made

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self.apply_async(self.map, (func, iterable), {}, callback)

    def starmap(self, func, iterable, chunksize=None):
        return [func(*each) for each in iterable]

    imap = imap_unordered = ThreadPoolExecutor.map
    close = terminate = join = ThreadPoolExecutor.shutdown


ThreadPool = Pool
