"""A logger that tells nothing here: https://loguru.readthedocs.io. What it changes of functions is what `catch` does."""

import contextlib
import inspect
import sys
from functools import wraps
from typing import NamedTuple

from _native import is_known, same, unknown


class _Catcher:
    def __init__(self, exception, reraise, onerror, exclude, default):
        self._exception = exception
        self._reraise = reraise
        self._onerror = onerror
        self._exclude = exclude
        self._default = default

    def __enter__(self):
        return None

    def __exit__(self, type_, value, traceback_):
        if type_ is None or not issubclass(type_, self._exception):
            return False
        if self._exclude is not None and issubclass(type_, self._exclude):
            return False
        if self._onerror is not None:
            self._onerror(value)
        return not self._reraise

    async def __aenter__(self):
        return self.__enter__()

    async def __aexit__(self, type_, value, traceback_):
        return self.__exit__(type_, value, traceback_)

    def __call__(self, function):
        if isinstance(function, type):
            raise TypeError("Invalid object decorated with 'catch()'")
        if inspect.iscoroutinefunction(function):

            @wraps(function)
            async def caught(*args, **kwargs):
                with self:
                    return await function(*args, **kwargs)
                return self._default

        else:

            @wraps(function)
            def caught(*args, **kwargs):
                with self:
                    return function(*args, **kwargs)
                return self._default

        return caught


def _is_own(sink):
    """Whether a sink is a function or an object of the program."""
    if not is_known(sink) or isinstance(sink, str) or same(sink, sys.stdout) or same(sink, sys.stderr):
        return False
    return callable(sink) or hasattr(sink, "write")


_LEVELS = {"TRACE": 5, "DEBUG": 10, "INFO": 20, "SUCCESS": 25, "WARNING": 30, "ERROR": 40, "CRITICAL": 50}
_sinks = []
"""The sinks that are called, with their numbers and what is told of them: no other does what a program can tell."""
_count = [0]


class _Level(NamedTuple):
    name: str
    no: int


class Logger:
    def __init__(self, extra=None, lazy=False):
        self._extra = extra or {}
        self._lazy = lazy

    def _log(self, level, message, args, kwargs):
        number = _LEVELS[level] if isinstance(level, str) and level in _LEVELS else level
        if self._lazy:
            args, kwargs = [each() for each in args], {name: kwargs[name]() for name in kwargs}
        record = {"extra": {**self._extra, **kwargs}, "level": _Level(level, number), "name": unknown("name")}
        record["message"] = message.format(*args, **kwargs) if args or kwargs else message
        record["exception"] = record["time"] = record["function"] = record["line"] = unknown("record")
        for _, sink, least, told, shown in list(_sinks):
            if number >= least and (told is None or (told(record) if callable(told) else unknown("filter"))):
                text = unknown("format")
                if isinstance(shown, str) and "<" not in shown:
                    text = shown.format_map(record) + "\n"
                (sink if callable(sink) else sink.write)(text)

    def trace(self, message, *args, **kwargs):
        if _sinks:
            self._log("TRACE", message, args, kwargs)

    def debug(self, message, *args, **kwargs):
        if _sinks:
            self._log("DEBUG", message, args, kwargs)

    def info(self, message, *args, **kwargs):
        if _sinks:
            self._log("INFO", message, args, kwargs)

    def success(self, message, *args, **kwargs):
        if _sinks:
            self._log("SUCCESS", message, args, kwargs)

    def warning(self, message, *args, **kwargs):
        if _sinks:
            self._log("WARNING", message, args, kwargs)

    def error(self, message, *args, **kwargs):
        if _sinks:
            self._log("ERROR", message, args, kwargs)

    exception = error

    def critical(self, message, *args, **kwargs):
        if _sinks:
            self._log("CRITICAL", message, args, kwargs)

    def log(self, level, message, *args, **kwargs):
        if _sinks:
            self._log(level, message, args, kwargs)

    def level(self, name, no=None, color=None, icon=None):
        if no is not None:
            _LEVELS[name] = no
        return _Level(name, _LEVELS[name])

    def add(self, sink, *, level="DEBUG", format=None, filter=None, serialize=False, **options):
        _count[0] += 1
        if _is_own(sink):
            least = _LEVELS[level] if isinstance(level, str) else level
            _sinks.append((_count[0], sink, least, filter, unknown("format") if serialize else format))
        return _count[0]

    def remove(self, handler_id=None):
        _sinks[:] = [each for each in _sinks if handler_id is not None and each[0] != handler_id]

    def complete(self):
        return contextlib.nullcontext()

    def bind(self, **extra):
        return Logger({**self._extra, **extra}, self._lazy)

    def opt(self, *, lazy=False, **options):
        return Logger(self._extra, lazy)

    def patch(self, patcher):
        return self

    def contextualize(self, **extra):
        return contextlib.nullcontext()

    def enable(self, name):
        pass

    disable = enable

    def configure(self, *, handlers=None, levels=None, extra=None, **options):
        if extra:
            self._extra = extra
        if handlers is not None:
            self.remove()
        return [self.add(**each) for each in handlers or []]

    def catch(
        self,
        exception=Exception,
        *,
        level="ERROR",
        reraise=False,
        onerror=None,
        exclude=None,
        default=None,
        message="",
    ):
        if callable(exception) and not isinstance(exception, type):
            return self.catch()(exception)
        return _Catcher(exception, reraise, onerror, exclude, default)


logger = Logger()
