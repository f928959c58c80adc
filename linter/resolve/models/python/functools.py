"""What makes functions of functions: https://docs.python.org/3/library/functools.html."""

from typing import NamedTuple

from _native import is_known, parameters, same, unknown

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__")
WRAPPER_UPDATES = ("__dict__",)
_ABSENT = object()
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


class partial:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, /, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


class partialmethod(partial):
    def __get__(self, instance, owner=None):
        return partial(self.func, instance, *self.args, **self.keywords)


class CacheInfo(NamedTuple):
    hits: int
    misses: int
    maxsize: int
    currsize: int


class _Cached:
    """Equal arguments give the very same object, as long as it is one of those that were asked for last."""

    def __init__(self, function, maxsize=None):
        update_wrapper(self, function, updated=())
        self._most = maxsize
        self.cache_clear()

    def __call__(self, /, *args, **kwargs):
        for each in (*args, *kwargs.values()):
            if is_known(each) and isinstance(each, (list, dict, set)):
                raise TypeError(f"unhashable type: '{type(each).__name__}'")
        for index, (values, names, result) in enumerate(self._memory):
            if same(values, args) and same(names, kwargs):
                self._hits += 1
                if self._most is not None:
                    self._memory.append(self._memory.pop(index))
                return result
        self._misses += 1
        result = self.__wrapped__(*args, **kwargs)
        self._memory.append((args, kwargs, result))
        if self._most is not None and len(self._memory) > self._most:
            del self._memory[0]
        return result

    def __get__(self, instance, owner=None):
        return partial(self, instance)

    def cache_clear(self):
        self._memory = []
        self._hits = 0
        self._misses = 0

    def cache_info(self):
        return CacheInfo(self._hits, self._misses, self._most, len(self._memory))

    def cache_parameters(self):
        return {"maxsize": self._most, "typed": False}


def cache(user_function, /):
    return _Cached(user_function)


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _Cached(maxsize, 128)
    return lambda function: _Cached(function, maxsize if maxsize is None else max(maxsize, 0))


class cached_property:
    def __init__(self, func):
        self.func = func

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, instance, owner=None):
        value = self.func(instance)
        instance.__dict__[self._name] = value
        return value


class singledispatch:
    _place = 0

    def __init__(self, func):
        self._default = func
        self._registry = []

    def register(self, cls, func=None):
        if func is None and isinstance(cls, (type, tuple)):
            return lambda function: self.register(cls, function)
        if func is None:
            cls, func = parameters(cls, object)[self._place][3], cls
        for each in cls if isinstance(cls, tuple) else (cls,):
            self._registry.append((each, func))
        return func

    def _chosen(self, value):
        return self._nearest(lambda cls: isinstance(value, cls))

    def dispatch(self, cls):
        return self._nearest(lambda each: issubclass(cls, each))

    def _nearest(self, fits):
        """What was registered for the lowest of the classes that fit."""
        nearest, found = object, self._default
        for cls, func in self._registry:
            if fits(cls) and issubclass(cls, nearest):
                nearest, found = cls, func
        return found

    def __call__(self, /, *args, **kwargs):
        return self._chosen(args[0])(*args, **kwargs)


class singledispatchmethod(singledispatch):
    _place = 1

    def __get__(self, instance, owner=None):
        return lambda *args, **kwargs: self._chosen(args[0])(instance, *args, **kwargs)


def reduce(function, iterable, initial=_ABSENT):
    items = list(iterable)
    if same(initial, _ABSENT):
        if not items:
            raise TypeError("reduce() of empty iterable with no initial value")
        initial, *items = items
    for item in items:
        initial = function(initial, item)
    return initial


def cmp_to_key(mycmp):
    class K:
        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

    return K
