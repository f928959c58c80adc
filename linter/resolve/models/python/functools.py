"""What native code does not have: https://docs.python.org/3/library/functools.html."""

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__")
WRAPPER_UPDATES = ("__dict__",)
_ORDERINGS = {
    "__lt__": {
        "__gt__": lambda self, other: not (self < other or self == other),
        "__le__": lambda self, other: self < other or self == other,
        "__ge__": lambda self, other: not self < other,
    },
    "__le__": {
        "__ge__": lambda self, other: not self <= other or self == other,
        "__lt__": lambda self, other: self <= other and not self == other,
        "__gt__": lambda self, other: not self <= other,
    },
    "__gt__": {
        "__lt__": lambda self, other: not (self > other or self == other),
        "__ge__": lambda self, other: self > other or self == other,
        "__le__": lambda self, other: not self > other,
    },
    "__ge__": {
        "__le__": lambda self, other: not self >= other or self == other,
        "__gt__": lambda self, other: self >= other and not self == other,
        "__lt__": lambda self, other: not self >= other,
    },
}


def total_ordering(cls):
    """The other comparisons of a class that has one of them."""
    for root, others in _ORDERINGS.items():
        if hasattr(cls, root):
            for name, method in others.items():
                if not hasattr(cls, name):
                    setattr(cls, name, method)
            break
    return cls


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Gives a function or object that stands before another the names of that."""
    for name in assigned:
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return lambda wrapper: update_wrapper(wrapper, wrapped, assigned, updated)
