"""What an object has: https://docs.python.org/3/library/inspect.html. Sources are not told."""

import enum

from _native import hints, kind, parameters


class _empty:
    pass


class _ParameterKind(enum.IntEnum):
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4


class Parameter:
    POSITIONAL_ONLY = _ParameterKind.POSITIONAL_ONLY
    POSITIONAL_OR_KEYWORD = _ParameterKind.POSITIONAL_OR_KEYWORD
    VAR_POSITIONAL = _ParameterKind.VAR_POSITIONAL
    KEYWORD_ONLY = _ParameterKind.KEYWORD_ONLY
    VAR_KEYWORD = _ParameterKind.VAR_KEYWORD
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = {each.name: each for each in parameters or ()}
        self.return_annotation = return_annotation


def signature(callable):
    *told, returns = parameters(callable, _empty)
    written = hints(callable, False)
    found = [
        Parameter(name, _ParameterKind(kind), default=default, annotation=written.get(name, _empty))
        for name, kind, default, _ in told
    ]
    return Signature(found, return_annotation=returns)


def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return kind(object) in ("function", "coroutine function")


def ismethod(object):
    return kind(object) == "method"


def iscoroutinefunction(obj):
    return kind(obj) == "coroutine function"


def iscoroutine(object):
    return kind(object) == "coroutine"


def isgenerator(object):
    return kind(object) == "generator"



def isawaitable(object):
    return kind(object) == "coroutine" or hasattr(object, "__await__")


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        value = getattr(object, name)
        if predicate is None or predicate(value):
            found.append((name, value))
    return found
