"""One loop in which time passes where nothing else is due: https://docs.python.org/3/library/asyncio-task.html."""

import builtins
import queue
from contextvars import copy_context
from inspect import iscoroutine, iscoroutinefunction

from _native import awaited, is_known, owned, resumed, soon, unknown

ALL_COMPLETED = "ALL_COMPLETED"
FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"

_THREAD = 0.0001
"""How long a thread takes."""

TimeoutError = builtins.TimeoutError


class CancelledError(BaseException):
    pass


_tasks = {}
"""The tasks that have not ended."""

_running = []
"""The tasks that are under way, the innermost last."""


class Future:
    def __init__(self, *, loop=None):
        self._value = None
        self._error = None
        self._ended = False
        self._outside = False
        self._callbacks = []

    def _end(self, value, error):
        if self._ended:
            return
        self._value = value
        self._error = error
        self._ended = True
        for fn, context in self._callbacks:
            _Handle(fn, (self,), context)

    def _from_outside(self):
        self._outside = True
        self._end(unknown("result"), None)

    def set_result(self, result):
        self._end(result, None)

    def set_exception(self, exception):
        self._end(None, exception() if isinstance(exception, type) else exception)

    def result(self):
        if self._error is not None:
            raise self._error
        return self._value if self._ended else unknown("result")

    def exception(self):
        return self._error

    def done(self):
        return self._ended

    def cancel(self, msg=None):
        if self._ended:
            return False
        self._end(None, CancelledError() if msg is None else CancelledError(msg))
        return True

    def cancelled(self):
        return isinstance(self._error, CancelledError)

    def add_done_callback(self, fn, *, context=None):
        if self._ended:
            _Handle(fn, (self,), context)
        else:
            self._callbacks = [*self._callbacks, (fn, context)]

    def remove_done_callback(self, fn):
        self._callbacks = [each for each in self._callbacks if each[0] != fn]

    def get_loop(self):
        return _loop

    def __await__(self):
        if not self._ended:
            yield self
        return self.result()


class Task(Future):
    def __init__(self, coro, *, loop=None, name=None, context=None):
        super().__init__()
        self._coro = coro
        self._name = "Task-1" if name is None else name
        self._waits = None
        self._cancels = None
        self._pushed = False
        self._context = copy_context() if context is None else context
        _tasks[self] = True
        _Handle(self._step, (), self._context)

    def _step(self, _=None):
        if self._ended:
            return
        error = self._cancels
        self._waits = self._cancels = None
        global _running
        before, _running = _running, [*_running, self]
        try:
            ended, value = resumed(self._coro, error, self._step)
        except BaseException as thrown:
            self._finish(None, thrown)
        else:
            if ended:
                self._finish(value, self._cancels)
            elif value is None:
                _Handle(self._step, (), self._context)
            else:
                self._waits = value
                value.add_done_callback(self._step, context=self._context)
                if self._cancels is not None and value.cancel():
                    self._cancels = None
        finally:
            _running = before

    def _finish(self, value, error):
        del _tasks[self]
        self._end(value, error)

    def cancel(self, msg=None):
        if self._ended:
            return False
        if self._waits is None or not self._waits.cancel(msg):
            self._cancels = CancelledError() if msg is None else CancelledError(msg)
        return True

    def uncancel(self):
        return 0

    def get_name(self):
        return self._name

    def set_name(self, value):
        self._name = value

    def get_coro(self):
        return self._coro


def _stands(waited, wake):
    """A task waits amid a statement."""
    if _running:
        _running[-1]._waits = waited
    waited.add_done_callback(wake)


def _stalled(waited):
    """Nothing is due: what each task waits for comes from outside, once; in the end what all of it waits for."""
    tasks = [each for each in _tasks if type(each._waits) is Future and not each._pushed and each is not waited]
    tasks = [each for each in tasks if each._waits is not waited and not each._waits._ended]
    for each in tasks:
        each._pushed = True
        each._waits._from_outside()
    if tasks:
        return True
    while isinstance(waited, Task) and waited._waits is not None:
        waited = waited._waits
    if not isinstance(waited, Future) or waited._ended:
        return False
    waited._from_outside()
    return True


def isfuture(obj):
    return isinstance(obj, Future)


class _Handle:
    def __init__(self, callback, args, context, delay=0):
        self._callback = callback
        self._args = args
        self._context = copy_context() if context is None else context
        self._cancelled = False
        soon(self._run, delay)

    def _run(self):
        if not self._cancelled:
            self._context.run(self._callback, *self._args)

    def cancel(self):
        self._cancelled = True

    def cancelled(self):
        return self._cancelled


class _Loop:
    def __init__(self):
        self._stopped = None

    def run_until_complete(self, future):
        found = awaited(ensure_future(future), _tasks)  # and with it what the others do meanwhile
        owned()
        return found

    def run_forever(self):
        self._stopped = Future()
        awaited(self._stopped, _tasks)
        owned()

    def stop(self):
        if self._stopped is not None:
            self._stopped._end(None, None)

    def create_task(self, coro, *, name=None, context=None):
        return Task(coro, name=name, context=context)

    def create_future(self):
        return Future()

    def run_in_executor(self, executor, func, *args):
        return _in_thread(func, args, {})

    def call_soon(self, callback, *args, context=None):
        return _Handle(callback, args, context)

    def call_soon_threadsafe(self, callback, *args, context=None):
        return _Handle(callback, args, context)

    def call_later(self, delay, callback, *args, context=None):
        return _Handle(callback, args, context, delay)

    def call_at(self, when, callback, *args, context=None):
        return _Handle(callback, args, context, unknown("time"))

    def time(self):
        return unknown("time")

    def add_signal_handler(self, sig, callback, *args):
        pass

    def remove_signal_handler(self, sig):
        return True

    def set_exception_handler(self, handler):
        pass

    def set_default_executor(self, executor):
        pass

    def set_debug(self, enabled):
        pass

    def close(self):
        pass

    def is_closed(self):
        return False

    def is_running(self):
        return len(_running) > 0

    async def shutdown_asyncgens(self):
        pass

    async def shutdown_default_executor(self, timeout=None):
        pass


_loop = _Loop()


def get_running_loop():
    return _loop


get_event_loop = new_event_loop = get_running_loop


def set_event_loop(loop):
    pass


def current_task(loop=None):
    return _running[-1] if _running else None


def all_tasks(loop=None):
    return set(_tasks)


async def _wait_in(waiters):
    """Waits among others; whether that came to its end in sight."""
    future = Future()
    waiters[:] = [*waiters, future]
    try:
        await future
    finally:
        waiters[:] = [each for each in waiters if each is not future]
    return not future._outside


def _wake(waiters):
    for each in waiters:
        if not each._ended:
            each._end(True, None)
            return True
    return False


class Event:
    def __init__(self):
        self._set = False
        self._waiters = []

    def is_set(self):
        return self._set

    def set(self):
        self._set = True
        while _wake(self._waiters):
            pass

    def clear(self):
        self._set = False

    async def wait(self):
        if not self._set:
            await _wait_in(self._waiters)
        return True


class Timeout:
    def __init__(self, when):
        self._delay = when
        self._expired = False
        self._handle = None

    def _expire(self):
        self._expired = True
        self._task.cancel()

    def when(self):
        return unknown("time")

    def reschedule(self, when):
        if self._handle is not None:
            self._handle.cancel()
        self._handle = None if when is None else _loop.call_at(when, self._expire)

    def expired(self):
        return self._expired

    async def __aenter__(self):
        self._task = current_task()
        if self._delay is not None:
            self._handle = _loop.call_later(self._delay, self._expire)
        return self

    async def __aexit__(self, kind, error, trace):
        if self._handle is not None:
            self._handle.cancel()
        if self._expired and isinstance(error, CancelledError):
            raise TimeoutError from error


timeout = Timeout


def timeout_at(when):
    return Timeout(None if when is None else unknown("time"))


class Semaphore:
    def __init__(self, value=1):
        self._value = value
        self._waiters = []

    def locked(self):
        return self._value == 0 or any(not each.cancelled() for each in self._waiters)

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        future = Future()
        self._waiters = [*self._waiters, future]
        try:
            await future
        except CancelledError:
            if not future.cancelled():
                self.release()
            raise
        finally:
            self._waiters = [each for each in self._waiters if each is not future]
        return True

    def release(self):
        if not _wake(self._waiters):
            self._value += 1

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()


BoundedSemaphore = Semaphore


class Lock(Semaphore):
    def __init__(self):
        super().__init__(1)


class Condition:
    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self._waiters = []
        self.acquire = self._lock.acquire
        self.release = self._lock.release
        self.locked = self._lock.locked

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()

    async def wait(self):
        self.release()
        try:
            await _wait_in(self._waiters)
        finally:
            await self.acquire()
        return True

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        while n > 0 and _wake(self._waiters):
            n -= 1

    def notify_all(self):
        self.notify(len(self._waiters))


class Barrier:
    def __init__(self, parties):
        self.parties = parties
        self.n_waiting = 0
        self._waiters = []

    async def wait(self):
        place = self.n_waiting
        self.n_waiting += 1
        if self.n_waiting < self.parties:
            await _wait_in(self._waiters)
        else:
            self.n_waiting = 0
            while _wake(self._waiters):
                pass
        return place


QueueEmpty = queue.Empty


class QueueFull(Exception):
    pass


class _Awaited:
    def __init__(self, maxsize=0):
        super().__init__()
        self.maxsize = maxsize
        self._getters = []
        self._putters = []
        self._unfinished = 0
        self._finished = Event()
        self._finished.set()

    def full(self):
        return 0 < self.maxsize <= self.qsize()

    async def put(self, item):
        while self.full():
            if not await _wait_in(self._putters):
                return
        self.put_nowait(item)

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        super().put_nowait(item)
        self._unfinished += 1
        self._finished.clear()
        _wake(self._getters)

    async def get(self):
        while True:
            empty = self.empty()
            if is_known(empty) and not empty:
                return self.get_nowait()
            if not await _wait_in(self._getters) or not is_known(empty):
                return unknown("element")

    def get_nowait(self):
        item = super().get_nowait()
        _wake(self._putters)
        return item

    def task_done(self):
        self._unfinished -= 1
        if self._unfinished == 0:
            self._finished.set()

    async def join(self):
        if self._unfinished > 0:
            await self._finished.wait()


class Queue(_Awaited, queue.Queue):
    pass


class LifoQueue(_Awaited, queue.LifoQueue):
    pass


class PriorityQueue(_Awaited, queue.PriorityQueue):
    pass


class TaskGroup:
    def __init__(self):
        self._tasks = []
        self._errors = []
        self._parent = None
        self._aborting = False
        self._interrupts = False

    async def __aenter__(self):
        self._parent = current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        made = Task(coro, name=name, context=context)
        self._tasks = [*self._tasks, made]
        made.add_done_callback(self._ended)
        return made

    def _ended(self, task):
        if task.cancelled() or task._error is None:
            return
        self._errors = [*self._errors, task._error]
        if not self._aborting:
            self._abort()
            if not self._interrupts and self._parent is not None:
                self._interrupts = True
                self._parent.cancel()

    def _abort(self):
        self._aborting = True
        for each in self._tasks:
            each.cancel()

    async def __aexit__(self, kind, error, trace):
        inside = self._interrupts
        self._interrupts = True
        if error is not None and not self._aborting:
            self._abort()
        for each in self._tasks:
            while not each.done():
                await wait([each])
        if error is not None and not isinstance(error, CancelledError):
            self._errors = [*self._errors, error]
        if self._errors:
            raise ExceptionGroup("unhandled errors in a TaskGroup", self._errors)


def create_task(coro, *, name=None, context=None):
    return Task(coro, name=name, context=context)


def ensure_future(coro_or_future, *, loop=None):
    if not is_known(coro_or_future):
        return Future()
    return coro_or_future if isinstance(coro_or_future, Future) else Task(coro_or_future)


def run(main, *, debug=None, loop_factory=None):
    try:
        return awaited(Task(main), _tasks)
    finally:
        owned()
        left = list(_tasks)
        for each in left:
            each.cancel()
        awaited(gather(*left, return_exceptions=True), left)


class _Gathering(Future):
    def __init__(self, futures):
        super().__init__()
        self._futures = futures
        self._cancelling = False

    def cancel(self, msg=None):
        cancelled = [each.cancel(msg) for each in self._futures]
        self._cancelling = not self._ended and any(cancelled)
        return self._cancelling


def gather(*aws, return_exceptions=False):
    futures = [ensure_future(each) for each in aws]
    left = len(futures)
    if not is_known(left):
        return Future()
    outer = _Gathering(futures)

    def ended(future):
        nonlocal left
        left -= 1
        if not return_exceptions and future._error is not None:
            outer._end(None, future._error)
        elif left == 0 and outer._cancelling:
            outer._end(None, CancelledError())
        elif left == 0:
            outer._end([each._value if each._error is None else each._error for each in futures], None)

    for each in futures:
        each.add_done_callback(ended)
    if not futures:
        outer._end([], None)
    return outer


async def wait(fs, *, timeout=None, return_when=ALL_COMPLETED):
    futures = list(fs)
    left = sum(not each.done() for each in futures)
    waiter = Future()
    if not is_known(left):
        await waiter
        return unknown("task"), unknown("task")

    def ended(future):
        nonlocal left
        left -= 1
        failed = future._error is not None and not future.cancelled()
        if left <= 0 or return_when == FIRST_COMPLETED or (return_when == FIRST_EXCEPTION and failed):
            waiter._end(None, None)

    enough = left < len(futures) if return_when == FIRST_COMPLETED else left == 0
    if not enough:
        for each in futures:
            if not each.done():
                each.add_done_callback(ended)
        handle = None if timeout is None else _loop.call_later(timeout, waiter._end, None, None)
        try:
            await waiter
        finally:
            if handle is not None:
                handle.cancel()
            for each in futures:
                each.remove_done_callback(ended)
    return {each for each in futures if each.done()}, {each for each in futures if not each.done()}


async def wait_for(fut, timeout=None):
    if timeout is None:
        return await fut
    async with Timeout(timeout):
        return await fut


def as_completed(fs, *, timeout=None):
    ended = Queue()

    async def following():
        future = await ended.get()
        return future.result()

    futures = [ensure_future(each) for each in fs]
    for each in futures:
        each.add_done_callback(ended.put_nowait)
    return iter([following() for _ in futures])


class _OfThread(Task):
    def result(self, timeout=None):
        return super().result() if self._ended else awaited(self)


def run_coroutine_threadsafe(coro, loop):
    return _OfThread(coro)


def shield(arg):
    inner, outer = ensure_future(arg), Future()
    inner.add_done_callback(lambda future: outer._end(future._value, future._error))
    return outer


class _Turn:
    def __await__(self):
        yield None


class _Sleep(Future):
    pass


class _Never(Future):
    """What a loop waits for that goes on for ever."""


async def sleep(delay, result=None):
    if is_known(delay) and delay <= 0:
        await _Turn()
        return result
    future = _Sleep()
    handle = _loop.call_later(delay, future._end, result, None)
    try:
        return await future
    finally:
        handle.cancel()


def _in_thread(func, args, kwargs):
    future = Future()
    try:
        _loop.call_later(_THREAD, future._end, func(*args, **kwargs), None)
    except BaseException as error:
        _loop.call_later(_THREAD, future._end, None, error)
    return future


async def to_thread(func, /, *args, **kwargs):
    return await _in_thread(func, args, kwargs)
