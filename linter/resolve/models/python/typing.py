"""What code asks of annotations: https://docs.python.org/3/library/typing.html. The rest is native code."""

from _native import hints


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    return hints(obj, True, include_extras)


def cast(typ, val):
    return val


def assert_type(val, typ, /):
    return val


def overload(func):
    return func


final = override = runtime_checkable = overload


def NewType(name, tp=None, *more, **settings):
    def new(x):
        return x

    new.__name__ = name
    new.__supertype__ = tp
    return new


TypeVar = ParamSpec = NewType
