"""One loop without waiting: https://docs.python.org/3/library/asyncio-task.html. A task runs when something waits."""

import builtins
import queue
from concurrent.futures import Future as _Future
from contextvars import copy_context
from inspect import iscoroutine, iscoroutinefunction

from _native import awaited, later, run_later, unknown

ALL_COMPLETED = "ALL_COMPLETED"
FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"


TimeoutError = builtins.TimeoutError


class CancelledError(BaseException):
    pass


_running = []
"""The tasks that are under way, each with how often it has slept: those that begin together go on in turn."""

_limits = [[]]
"""The limits of time that hold, for each task that is under way."""


class Task:
    def __init__(self, coro, *, loop=None, name="Task-1", context=None):
        self._coro = coro
        self._name = name
        self._value = None
        self._error = None
        self._begun = False
        self._slept = 0
        self._waits = None
        self._callbacks = []
        self._context = copy_context() if context is None else context
        later(self._run)

    def _run(self):
        if self._begun:
            return
        self._begun = True
        _running.append(self)
        _limits.append([])
        try:
            self._value = self._context.run(lambda: awaited(self._coro))
        except BaseException as error:
            self._error = error
        _limits.pop()
        _running.pop()
        for each in self._callbacks:
            each(self)

    def result(self):
        self._run()
        if self._error is not None:
            raise self._error
        return self._value

    def __await__(self):
        run_later()
        return self.result()

    def exception(self):
        self._run()
        return self._error

    def done(self):
        return self._begun and (self._waits is None or self._waits._ready())

    def cancelled(self):
        return isinstance(self._error, CancelledError)

    def cancel(self, msg=None):
        if self.done():
            return False
        self._begun = True
        self._waits = None
        self._error = CancelledError() if msg is None else CancelledError(msg)
        return True

    def add_done_callback(self, fn, *, context=None):
        if self._begun:
            fn(self)
        else:
            self._callbacks.append(fn)

    def get_name(self):
        return self._name

    def set_name(self, value):
        self._name = value

    def get_coro(self):
        return self._coro


class Future(_Future):
    def __init__(self, *, loop=None):
        super().__init__()

    def set_exception(self, exception):
        self._end(None, exception() if isinstance(exception, type) else exception)

    def result(self):
        if self._error is not None:
            raise self._error
        return self._value if self._ended else unknown("result")

    def exception(self):
        return self._error

    def __await__(self):
        if not self._ended:
            run_later()
        return self.result()

    def cancel(self, msg=None):
        if self._ended:
            return False
        self._cancelled = True
        self._end(None, CancelledError())
        return True

    def add_done_callback(self, fn, *, context=None):
        super().add_done_callback(fn)


def isfuture(obj):
    return isinstance(obj, (Future, Task))


class _Handle:
    def __init__(self, callback, args, context):
        self._callback = callback
        self._args = args
        self._context = copy_context() if context is None else context
        self._cancelled = False
        later(self._run)

    def _run(self):
        if not self._cancelled:
            self._context.run(self._callback, *self._args)

    def cancel(self):
        self._cancelled = True

    def cancelled(self):
        return self._cancelled


class _Loop:
    def run_until_complete(self, future):
        return awaited(ensure_future(future))

    def run_forever(self):
        run_later()

    def create_task(self, coro, *, name=None, context=None):
        return Task(coro, name=name, context=context)

    def create_future(self):
        return Future()

    def run_in_executor(self, executor, func, *args):
        return Task(to_thread(func, *args))

    def call_soon(self, callback, *args, context=None):
        return _Handle(callback, args, context)

    def call_soon_threadsafe(self, callback, *args, context=None):
        return _Handle(callback, args, context)

    def call_later(self, delay, callback, *args, context=None):
        return _Handle(callback, args, context)

    def call_at(self, when, callback, *args, context=None):
        return _Handle(callback, args, context)

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

    def stop(self):
        pass

    def close(self):
        pass

    def is_closed(self):
        return False

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


class Event:
    def __init__(self):
        self._set = False

    def is_set(self):
        return self._set

    def _ready(self):
        return self._set

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    async def wait(self):
        run_later()
        if not self._set:
            _stand(self)
        return True


def _stand(event):
    """Nothing in sight sets an event: the innermost limit of time ends the wait for it."""
    if _limits[-1]:
        _limits[-1][-1].end()
    if _running:
        _running[-1]._waits = event


class Timeout:
    def __init__(self, when):
        self._left = when
        self._expired = False

    def end(self):
        self._expired = True
        raise CancelledError

    def spend(self, delay):
        if self._left is not None:
            self._left -= delay
            if self._left < 0:
                self.end()

    def when(self):
        return unknown("time")

    def reschedule(self, when):
        self._left = unknown("time")

    def expired(self):
        return self._expired

    async def __aenter__(self):
        _limits[-1].append(self)
        return self

    async def __aexit__(self, kind, error, trace):
        _limits[-1].remove(self)
        if self._expired and isinstance(error, CancelledError):
            raise TimeoutError from error


timeout = Timeout


class Semaphore:
    def __init__(self, value=1):
        self._held = 0
        self._most = value

    async def acquire(self):
        if self.locked():
            run_later()
        self._held += 1
        return True

    def release(self):
        self._held -= 1

    def locked(self):
        return self._held >= self._most

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, error, trace):
        self.release()


BoundedSemaphore = Semaphore


class Lock(Semaphore):
    def __init__(self):
        super().__init__(1)


QueueEmpty = queue.Empty


class _Awaited:
    async def put(self, item):
        self.put_nowait(item)

    async def get(self):
        if self.empty():
            run_later()
        if self.empty() and _running:
            _running[-1]._waits = self
        return super().get()

    def _ready(self):
        return not self.empty()

    async def join(self):
        run_later()


class Queue(_Awaited, queue.Queue):
    pass


class LifoQueue(_Awaited, queue.LifoQueue):
    pass


class PriorityQueue(_Awaited, queue.PriorityQueue):
    pass


class TaskGroup:
    def __init__(self):
        self._tasks = []

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        run_later()
        errors = [each.exception() for each in self._tasks]
        errors = [each for each in errors if each is not None]
        if errors:
            raise ExceptionGroup("unhandled errors in a TaskGroup", errors)

    def create_task(self, coro, *, name=None, context=None):
        made = Task(coro, name=name, context=context)
        self._tasks.append(made)
        return made


def create_task(coro, *, name=None, context=None):
    return Task(coro, name=name, context=context)


def ensure_future(coro_or_future, *, loop=None):
    return coro_or_future if isinstance(coro_or_future, (Task, Future)) else Task(coro_or_future)


def run(main, *, debug=None, loop_factory=None):
    return awaited(main)


async def gather(*aws, return_exceptions=False):
    tasks = [ensure_future(each) for each in aws]
    run_later()
    found = []
    for each in tasks:
        error = each.exception()
        if error is None:
            found.append(each.result())
        elif return_exceptions:
            found.append(error)
        else:
            raise error
    return found


async def wait(aws, *, timeout=None, return_when=ALL_COMPLETED):
    run_later()
    done = {each for each in aws if each.done()}
    if return_when == FIRST_COMPLETED and len(done) > 1:
        return unknown("task"), unknown("task")
    return done, {each for each in aws if not each.done()}


async def wait_for(fut, timeout=None):
    if timeout is None:
        return await fut
    async with Timeout(timeout):
        return await fut


def as_completed(fs, *, timeout=None):
    tasks = [ensure_future(each) for each in fs]
    run_later()
    return iter(tasks)


def run_coroutine_threadsafe(coro, loop):
    return Task(coro)


async def shield(arg):
    return await arg


async def sleep(delay, result=None):
    for limit in reversed(_limits[-1]):
        limit.spend(delay)
    if _running:
        _running[-1]._slept += 1
    if not _running or _running[-1]._slept > 1:
        run_later()
    return result


async def to_thread(func, /, *args, **kwargs):
    return func(*args, **kwargs)
