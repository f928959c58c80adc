"""What the abstract collections give the classes below them: https://docs.python.org/3/library/collections.abc.html."""

from _native import unknown


class Iterator:
    def __iter__(self):
        return self


class AsyncIterator:
    def __aiter__(self):
        return self


class Mapping:
    def __iter__(self):
        return iter(())

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return dict.fromkeys(self).keys()

    def items(self):
        return {key: self[key] for key in self}.items()

    def values(self):
        return [self[key] for key in self]

    def __eq__(self, other):
        return hasattr(other, "keys") and dict(self) == dict(other)


class MutableMapping(Mapping):
    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if not default:
                raise
            return default[0]
        del self[key]
        return value

    def popitem(self):
        for key in self:
            value = self[key]
            del self[key]
            return key, value
        raise KeyError

    def clear(self):
        for key in list(self):
            del self[key]

    def update(self, other=(), /, **more):
        for key, value in dict(other).items():
            self[key] = value
        for key, value in more.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


class Sequence:
    def __iter__(self):
        for place in range(len(self)):
            yield self[place]

    def __contains__(self, value):
        return value in list(self)

    def __reversed__(self):
        for place in reversed(range(len(self))):
            yield self[place]

    def index(self, value, start=0, stop=None):
        return list(self).index(value, start, len(self) if stop is None else stop)

    def count(self, value):
        return list(self).count(value)


class MutableSequence(Sequence):
    def append(self, value):
        self.insert(len(self), value)

    def extend(self, values):
        for value in list(values):
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def reverse(self):
        turned = list(reversed(self))
        for place, value in enumerate(turned):
            self[place] = value

    def clear(self):
        while len(self):
            self.pop()

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set:
    @classmethod
    def _from_iterable(cls, values):
        return cls(values)

    def isdisjoint(self, other):
        return not any([value in self for value in other])

    def __and__(self, other):
        return self._from_iterable([value for value in other if value in self])

    __rand__ = __and__

    def __or__(self, other):
        return self._from_iterable([*self, *other])

    __ror__ = __or__

    def __sub__(self, other):
        return self._from_iterable([value for value in self if value not in other])

    def __xor__(self, other):
        return (self - other) | [value for value in other if value not in self]

    def __le__(self, other):
        return len(self) <= len(other) and all([value in other for value in self])

    def __lt__(self, other):
        return len(self) < len(other) and all([value in other for value in self])

    def __ge__(self, other):
        return len(self) >= len(other) and all([value in self for value in other])

    def __gt__(self, other):
        return len(self) > len(other) and all([value in self for value in other])

    def __eq__(self, other):
        return len(self) == len(other) and all([value in other for value in self])


class MutableSet(Set):
    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        for value in list(self):
            self.discard(value)

    def __ior__(self, other):
        for value in list(other):
            self.add(value)
        return self

    def __iand__(self, other):
        for value in list(self):
            if value not in other:
                self.discard(value)
        return self

    def __isub__(self, other):
        for value in list(other):
            self.discard(value)
        return self


class UserDict(MutableMapping):
    def __init__(self, dict=None, /, **more):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if more:
            self.update(more)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self, "__missing__"):
            return self.__missing__(key)
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.data[key] = value

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def get(self, key, default=None):
        """What `__missing__` gives was asked for up to 3.11."""
        if key in self:
            return self[key]
        return unknown("element") if hasattr(self, "__missing__") else default

    def __repr__(self):
        return repr(self.data)

    def __or__(self, other):
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

    def copy(self):
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        made.data = self.data.copy()
        return made


class UserList(MutableSequence):
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, place):
        return self.__class__(self.data[place]) if isinstance(place, slice) else self.data[place]

    def __setitem__(self, place, value):
        self.data[place] = value

    def __delitem__(self, place):
        del self.data[place]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, value):
        return value in self.data

    def __eq__(self, other):
        return self.data == list(other)

    def __repr__(self):
        return repr(self.data)

    def __add__(self, other):
        return self.__class__([*self.data, *other])

    def insert(self, place, value):
        self.data.insert(place, value)

    def append(self, value):
        self.data.append(value)

    def extend(self, values):
        self.data.extend(values)

    def sort(self, /, *, key=None, reverse=False):
        self.data.sort(key=key, reverse=reverse)

    def copy(self):
        return self.__class__(self)
