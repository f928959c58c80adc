"""What of a stack of contexts may wait: https://docs.python.org/3/library/contextlib.html. The interpreter tells the rest."""


async def _enter_async(stack, context):
    entered = await context.__aenter__()
    stack.push_async_exit(context)
    return entered


class _Stepped:
    """What `contextmanager` makes of a function with several places to stop at, or with one in a branch or a loop."""

    def __init__(self, make):
        self._make = make

    def __enter__(self):
        self._made = self._make()
        try:
            return next(self._made)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, value, traceback):
        if kind is None:
            try:
                next(self._made)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self._made.throw(value)
        except StopIteration:
            return True
        raise RuntimeError("generator didn't stop after throw()")

    def __call__(self, func):
        def inner(*args, **kwds):
            with self:
                return func(*args, **kwds)

        return inner
