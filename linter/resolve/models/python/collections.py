"""Containers: https://docs.python.org/3/library/collections.html. The others are told by the interpreter."""

from _native import lacks


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    @property
    def parents(self):
        return ChainMap(*self.maps[1:])

    def new_child(self, m=None, **kwargs):
        child = {} if m is None else m
        child.update(kwargs)
        return ChainMap(child, *self.maps)

    def _merged(self):
        found = {}
        for each in reversed(self.maps):
            found.update(each)
        return found

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for each in self.maps:
            if not lacks(each, key) if isinstance(each, dict) else key in each:
                return each[key]
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        del self.maps[0][key]

    def __contains__(self, key):
        return any([key in each for each in self.maps])

    def __iter__(self):
        return iter(self._merged())

    def __len__(self):
        return len(self._merged())

    def __bool__(self):
        return bool(self._merged())

    def keys(self):
        return self._merged().keys()

    def values(self):
        return self._merged().values()

    def items(self):
        return self._merged().items()

    def pop(self, key, *default):
        return self.maps[0].pop(key, *default)

    def popitem(self):
        return self.maps[0].popitem()

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=(), **more):
        self.maps[0].update(other, **more)

    def clear(self):
        self.maps[0].clear()

    def copy(self):
        return ChainMap(dict(self.maps[0]), *self.maps[1:])
