"""A logger that tells nothing here: https://loguru.readthedocs.io. What it changes of functions is what `catch` does."""

import contextlib
import inspect
from functools import wraps


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


class Logger:
    def trace(self, message, *args, **kwargs):
        pass

    debug = info = success = warning = error = critical = exception = trace

    def log(self, level, message, *args, **kwargs):
        pass

    def add(self, sink, **options):
        return 1

    def remove(self, handler_id=None):
        pass

    def complete(self):
        return contextlib.nullcontext()

    def bind(self, **extra):
        return self

    def opt(self, **options):
        return self

    def patch(self, patcher):
        return self

    def contextualize(self, **extra):
        return contextlib.nullcontext()

    def enable(self, name):
        pass

    disable = enable

    def configure(self, **options):
        return []

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
