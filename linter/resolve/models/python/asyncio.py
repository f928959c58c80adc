"""One loop without waiting: https://docs.python.org/3/library/asyncio-task.html. A task runs when something waits."""

from _native import awaited, later, run_later


class CancelledError(BaseException):
    pass


class Task:
    def __init__(self, coro, *, loop=None, name="Task-1", context=None):
        self._coro = coro
        self._name = name
        self._value = None
        self._error = None
        self._begun = False
        self._callbacks = []
        later(self._run)

    def _run(self):
        if self._begun:
            return
        self._begun = True
        try:
            self._value = awaited(self._coro)
        except BaseException as error:
            self._error = error
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
        return self._begun

    def cancelled(self):
        return isinstance(self._error, CancelledError)

    def cancel(self, msg=None):
        if self._begun:
            return False
        self._begun = True
        self._error = CancelledError()
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
        made = Task(coro, name=name)
        self._tasks.append(made)
        return made


def create_task(coro, *, name=None, context=None):
    return Task(coro, name=name)


def ensure_future(coro_or_future, *, loop=None):
    return coro_or_future if isinstance(coro_or_future, Task) else Task(coro_or_future)


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


async def wait(aws, *, timeout=None, return_when="ALL_COMPLETED"):
    run_later()
    return set(aws), set()


async def wait_for(fut, timeout=None):
    return await fut


async def shield(arg):
    return await arg


async def sleep(delay, result=None):
    run_later()
    return result


async def to_thread(func, /, *args, **kwargs):
    return func(*args, **kwargs)
