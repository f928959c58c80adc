"""Pools of workers, in which what is handed over runs at once: https://docs.python.org/3/library/multiprocessing.html."""

from concurrent.futures import Future, ThreadPoolExecutor


class AsyncResult(Future):
    def get(self, timeout=None):
        return self.result()

    def wait(self, timeout=None):
        pass

    ready = Future.done

    def successful(self):
        return self._error is None


class Pool(ThreadPoolExecutor):
    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None):
        super().__init__(processes, "", initializer, initargs)

    def apply(self, func, args=(), kwds={}):
        return self.apply_async(func, args, kwds).get()

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        made = self._run(AsyncResult(), func, args, kwds)
        if callback is not None and made._error is None:
            callback(made._value)
        if error_callback is not None and made._error is not None:
            error_callback(made._error)
        return made

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self.apply_async(self.map, (func, iterable), {}, callback)

    def starmap(self, func, iterable, chunksize=None):
        return [self.apply(func, each) for each in iterable]

    imap = imap_unordered = ThreadPoolExecutor.map
    close = terminate = join = ThreadPoolExecutor.shutdown


ThreadPool = Pool
