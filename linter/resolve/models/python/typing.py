"""What code asks of annotations: https://docs.python.org/3/library/typing.html. Those of classes are not told."""

from _native import parameters

_MISSING = object()


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    *told, returns = parameters(obj, _MISSING)
    found = {name: annotation for name, kind, default, annotation in told if annotation is not _MISSING}
    if returns is not _MISSING:
        found["return"] = returns
    return found


def cast(typ, val):
    return val


def assert_type(val, typ, /):
    return val


def overload(func):
    return func


final = override = runtime_checkable = overload


def NewType(name, tp=None, *more, **settings):
    return overload


TypeVar = ParamSpec = NewType
