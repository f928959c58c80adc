"""Caches that hold so much: https://cachetools.readthedocs.io. No time passes here."""

from cachetools import keys

from _native import unknown

_MISSING = object()


class Cache:
    def __init__(self, maxsize, getsizeof=None):
        self.maxsize = maxsize
        self.getsizeof = getsizeof or _one
        self._held = {}

    def _next(self):
        """The key that is dropped first."""
        return next(iter(self._held))

    def _used(self, key):
        pass

    def _dropped(self, key):
        pass

    @property
    def currsize(self):
        return sum([self.getsizeof(self._held[key]) for key in self._held])

    def __getitem__(self, key):
        if key not in self._held:
            return self.__missing__(key)
        self._used(key)
        return self._held[key]

    def __missing__(self, key):
        raise KeyError(key)

    def __setitem__(self, key, value):
        if self.getsizeof(value) > self.maxsize:
            raise ValueError("value too large")
        if key not in self._held:
            while self._held and self.currsize + self.getsizeof(value) > self.maxsize:
                self.popitem()
        self._held[key] = value
        self._used(key)

    def __delitem__(self, key):
        del self._held[key]
        self._dropped(key)

    def __contains__(self, key):
        return key in self._held

    def __iter__(self):
        return iter(self._held)

    def __len__(self):
        return len(self._held)

    def get(self, key, default=None):
        return self[key] if key in self._held else default

    def setdefault(self, key, default=None):
        if key not in self._held:
            self[key] = default
        return self[key]

    def pop(self, key, default=_MISSING):
        if key not in self._held and default is not _MISSING:
            return default
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        if not self._held:
            raise KeyError("cache is empty")
        key = self._next()
        return key, self.pop(key)

    def keys(self):
        return self._held.keys()

    def values(self):
        return self._held.values()

    def items(self):
        return self._held.items()

    def update(self, *others, **names):
        for key, value in dict(*others, **names).items():
            self[key] = value

    def clear(self):
        self._held = {}


class FIFOCache(Cache):
    pass


class LRUCache(Cache):
    def _used(self, key):
        self._held[key] = self._held.pop(key)


class TTLCache(LRUCache):
    def __init__(self, maxsize, ttl, timer=None, getsizeof=None):
        super().__init__(maxsize, getsizeof)
        self.ttl = ttl
        self.timer = timer
        self._until = {}

    def _used(self, key):
        super()._used(key)
        if self.timer is not None and key not in self._until:
            self._until[key] = self.timer() + self.ttl

    def _dropped(self, key):
        self._until.pop(key, None)

    def expire(self, time=None):
        if self.timer is not None:
            now = self.timer() if time is None else time
            for key in [each for each in self._held if not now < self._until[each]]:
                del self[key]

    def __getitem__(self, key):
        self.expire()
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self.expire()
        self._until.pop(key, None)
        super().__setitem__(key, value)

    def __contains__(self, key):
        self.expire()
        return super().__contains__(key)

    def get(self, key, default=None):
        self.expire()
        return super().get(key, default)

    def __len__(self):
        self.expire()
        return super().__len__()

    def __iter__(self):
        self.expire()
        return super().__iter__()


class LFUCache(Cache):
    def __init__(self, maxsize, getsizeof=None):
        super().__init__(maxsize, getsizeof)
        self._uses = {}

    def _used(self, key):
        self._uses[key] = self._uses.get(key, 0) + 1

    def _dropped(self, key):
        self._uses.pop(key, None)

    def _next(self):
        return min(self._held, key=lambda key: self._uses.get(key, 0))


class RRCache(Cache):
    def _next(self):
        return unknown("choice")


def _one(value):
    return 1


class _Cached:
    def __init__(self, function, cache, key):
        self.__wrapped__ = function
        self.__name__ = function.__name__
        self.cache = cache
        self.cache_key = key

    def __call__(self, *args, **kwargs):
        key = self.cache_key(*args, **kwargs)
        if key in self.cache:
            return self.cache[key]
        value = self.__wrapped__(*args, **kwargs)
        try:
            self.cache[key] = value
        except ValueError:
            pass
        return value

    def __get__(self, instance, owner=None):
        return lambda *args, **kwargs: self(instance, *args, **kwargs)

    def cache_clear(self):
        self.cache.clear()


def cached(cache, key=keys.hashkey, lock=None, condition=None, info=False):
    return lambda function: function if cache is None else _Cached(function, cache, key)


def cachedmethod(cache, key=keys.methodkey, lock=None, condition=None):
    def decorate(method):
        def wrapper(self, *args, **kwargs):
            held = cache(self)
            if held is None:
                return method(self, *args, **kwargs)
            by = key(self, *args, **kwargs)
            if by in held:
                return held[by]
            value = method(self, *args, **kwargs)
            held[by] = value
            return value

        return wrapper

    return decorate
