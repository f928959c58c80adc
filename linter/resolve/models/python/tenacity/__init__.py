"""Calls that are tried again: https://tenacity.readthedocs.io. Nothing waits here, and no time passes."""

import inspect
from functools import wraps


class TryAgain(Exception):
    pass


class RetryError(Exception):
    def __init__(self, last_attempt):
        super().__init__(last_attempt)
        self.last_attempt = last_attempt

    def reraise(self):
        raise self.last_attempt.result()


class Future:
    def __init__(self, attempt_number):
        self.attempt_number = attempt_number
        self._value = None
        self._error = None

    @property
    def failed(self):
        return self._error is not None

    def result(self, timeout=None):
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self, timeout=None):
        return self._error


class RetryCallState:
    def __init__(self, retry_object, fn, args, kwargs):
        self.retry_object = retry_object
        self.fn = fn
        self.args = args
        self.kwargs = kwargs
        self.attempt_number = 1
        self.outcome = None
        self.next_action = None
        self.idle_for = 0

    def set(self, value, error):
        self.outcome = Future(self.attempt_number)
        self.outcome._value = value
        self.outcome._error = error


class _Condition:
    """One that `|` and `&` put together with others."""

    def __init__(self, *others, one=False):
        self._others = others
        self._one = one

    def __call__(self, retry_state):
        found = [each(retry_state) for each in self._others]
        return any(found) if self._one else all(found)

    def __or__(self, other):
        return _Condition(self, other, one=True)

    def __and__(self, other):
        return _Condition(self, other)

    def __ror__(self, other):
        return _Condition(other, self, one=True)

    def __rand__(self, other):
        return _Condition(other, self)


def retry_any(*conditions):
    return _Condition(*conditions, one=True)


retry_all = _Condition


class retry_if_exception(_Condition):
    def __init__(self, predicate):
        self.predicate = predicate

    def __call__(self, retry_state):
        return retry_state.outcome.failed and self.predicate(retry_state.outcome.exception())


class retry_if_exception_type(retry_if_exception):
    def __init__(self, exception_types=Exception):
        super().__init__(lambda error: isinstance(error, exception_types))


class retry_if_not_exception_type(retry_if_exception):
    def __init__(self, exception_types=Exception):
        super().__init__(lambda error: not isinstance(error, exception_types))


class retry_if_result(_Condition):
    def __init__(self, predicate):
        self.predicate = predicate

    def __call__(self, retry_state):
        return not retry_state.outcome.failed and self.predicate(retry_state.outcome.result())


class retry_if_not_result(retry_if_result):
    def __call__(self, retry_state):
        return not retry_state.outcome.failed and not self.predicate(retry_state.outcome.result())


def retry_always(retry_state):
    return True


def retry_never(retry_state):
    return False


class stop_after_attempt(_Condition):
    def __init__(self, max_attempt_number):
        self.max_attempt_number = max_attempt_number

    def __call__(self, retry_state):
        return retry_state.attempt_number >= self.max_attempt_number


class stop_after_delay(_Condition):
    def __init__(self, max_delay):
        pass

    def __call__(self, retry_state):
        return False


stop_before_delay = stop_after_delay
stop_any, stop_all = retry_any, retry_all
stop_never = retry_never


class _Wait:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, retry_state):
        return 0

    def __add__(self, other):
        return self

    __radd__ = __add__


class wait_none(_Wait):
    pass


class wait_fixed(_Wait):
    pass


class wait_random(_Wait):
    pass


class wait_exponential(_Wait):
    pass


class wait_random_exponential(_Wait):
    pass


class wait_incrementing(_Wait):
    pass


class wait_chain(_Wait):
    pass


class wait_combine(_Wait):
    pass


class wait_exponential_jitter(_Wait):
    pass


def _nothing(*args, **kwargs):
    pass


def before_log(logger, log_level, *args):
    return _nothing


after_log = before_sleep_log = before_log
sleep = sleep_using_event = before_nothing = after_nothing = _nothing


class AttemptManager:
    def __init__(self, retry_state):
        self.retry_state = retry_state

    def __enter__(self):
        return None

    def __exit__(self, exc_type, exc_value, traceback):
        self.retry_state.set(None, exc_value)
        return exc_type is not None


class BaseRetrying:
    def __init__(
        self,
        sleep=_nothing,
        stop=stop_never,
        wait=None,
        retry=retry_if_exception_type(),
        before=_nothing,
        after=_nothing,
        before_sleep=None,
        reraise=False,
        retry_error_cls=RetryError,
        retry_error_callback=None,
        **others,
    ):
        self.stop = stop
        self.wait = wait
        self.retry = retry
        self.before = before
        self.after = after
        self.before_sleep = before_sleep
        self.reraise = reraise
        self.retry_error_cls = retry_error_cls
        self.retry_error_callback = retry_error_callback
        self.statistics = {}

    def _is_over(self, state):
        """Whether the last attempt is the one that counts; raises what it leaves where there are to be no more."""
        outcome = state.outcome
        again = isinstance(outcome.exception(), TryAgain) or self.retry(state)
        self.statistics["attempt_number"] = state.attempt_number
        if not again:
            return True
        self.after(state)
        if self.stop(state):
            if self.retry_error_callback is not None:
                state.set(self.retry_error_callback(state), None)
                return True
            if self.reraise and outcome.failed:
                raise outcome.exception()
            raise self.retry_error_cls(outcome)
        if self.before_sleep is not None:
            self.before_sleep(state)
        state.attempt_number += 1
        return False

    def begin(self):
        self.statistics = {"attempt_number": 1}

    def __iter__(self):
        self.begin()
        state = RetryCallState(self, None, (), {})
        while True:
            self.before(state)
            yield AttemptManager(state)
            if state.outcome is None or self._is_over(state):
                if state.outcome is not None:
                    state.outcome.result()
                return

    def __call__(self, fn, *args, **kwargs):
        self.begin()
        state = RetryCallState(self, fn, args, kwargs)
        while True:
            self.before(state)
            try:
                state.set(fn(*args, **kwargs), None)
            except BaseException as error:
                state.set(None, error)
            if self._is_over(state):
                return state.outcome.result()

    def wraps(self, f):
        @wraps(f)
        def wrapped(*args, **kwargs):
            return self(f, *args, **kwargs)

        return self._told(wrapped, f)

    def _told(self, wrapped, f):
        wrapped.retry = self
        wrapped.retry_with = lambda **others: retry(**others)(f)
        wrapped.statistics = self.statistics
        return wrapped


Retrying = BaseRetrying


class AsyncRetrying(BaseRetrying):
    async def __aiter__(self):
        for attempt in self:
            yield attempt

    async def __call__(self, fn, *args, **kwargs):
        self.begin()
        state = RetryCallState(self, fn, args, kwargs)
        while True:
            self.before(state)
            try:
                state.set(await fn(*args, **kwargs), None)
            except BaseException as error:
                state.set(None, error)
            if self._is_over(state):
                return state.outcome.result()

    def wraps(self, f):
        @wraps(f)
        async def wrapped(*args, **kwargs):
            return await self(f, *args, **kwargs)

        return self._told(wrapped, f)


def retry(*args, **options):
    if len(args) == 1 and callable(args[0]) and not options:
        return retry()(args[0])

    def decorate(f):
        kind = AsyncRetrying if inspect.iscoroutinefunction(f) else Retrying
        return kind(*args, **options).wraps(f)

    return decorate
