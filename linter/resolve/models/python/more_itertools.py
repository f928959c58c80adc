"""Iterators of more kinds: https://more-itertools.readthedocs.io. Those that may be long are drawn as they are asked for."""

from collections import Counter, defaultdict, deque
from functools import reduce
from itertools import chain, groupby, islice, zip_longest

from _native import same

_MISSING = object()


def batched(iterable, n, *, strict=False):
    held = iter(iterable)
    while batch := tuple(islice(held, n)):
        yield batch


def chunked(iterable, n, strict=False):
    if n is None:
        yield list(iterable)
        return
    held = iter(iterable)
    while chunk := list(islice(held, n)):
        if strict and len(chunk) != n:
            raise ValueError("iterable is not divisible by n.")
        yield chunk


ichunked = sliced = chunked


def grouper(iterable, n, incomplete="fill", fillvalue=None):
    if incomplete == "fill":
        return zip_longest(*[iter(iterable)] * n, fillvalue=fillvalue)
    if incomplete == "ignore":
        return zip(*[iter(iterable)] * n)
    return chunked(iterable, n, True)


def divide(n, iterable):
    if n < 1:
        raise ValueError("n must be at least 1")
    items = list(iterable)
    size, more = divmod(len(items), n)
    found = []
    start = 0
    for place in range(n):
        end = start + size + (place < more)
        found.append(iter(items[start:end]))
        start = end
    return found


def distribute(n, iterable):
    if n < 1:
        raise ValueError("n must be at least 1")
    items = list(iterable)
    return [iter(items[place::n]) for place in range(n)]


def first(iterable, default=_MISSING):
    for item in iterable:
        return item
    if same(default, _MISSING):
        raise ValueError("first() was called on an empty iterable, and no default value was provided.")
    return default


def last(iterable, default=_MISSING):
    items = list(iterable)
    if items:
        return items[-1]
    if same(default, _MISSING):
        raise ValueError("last() was called on an empty iterable, and no default was provided.")
    return default


def nth(iterable, n, default=None):
    return next(islice(iterable, n, None), default)


def one(iterable, too_short=None, too_long=None):
    items = list(iterable)
    if not items:
        raise too_short or ValueError("too few items in iterable (expected 1)")
    if len(items) > 1:
        raise too_long or ValueError("Expected exactly one item in iterable")
    return items[0]


def only(iterable, default=None, too_long=None):
    items = list(iterable)
    if len(items) > 1:
        raise too_long or ValueError("Expected exactly one item in iterable")
    return items[0] if items else default


def take(n, iterable):
    return list(islice(iterable, n))


def tail(n, iterable):
    return iter(deque(iterable, maxlen=n))


def flatten(list_of_lists):
    return chain.from_iterable(list_of_lists)


def collapse(iterable, base_type=None, levels=None):
    whole = isinstance(iterable, (str, bytes)) or (base_type is not None and isinstance(iterable, base_type))
    if whole or (levels is not None and levels < 0) or not hasattr(iterable, "__iter__"):
        yield iterable
    else:
        for item in iterable:
            yield from collapse(item, base_type, None if levels is None else levels - 1)


def prepend(value, iterator):
    return chain([value], iterator)


def intersperse(e, iterable, n=1):
    begun = False
    for chunk in chunked(iterable, n):
        if begun:
            yield e
        yield from chunk
        begun = True


def interleave(*iterables):
    return chain.from_iterable(zip(*iterables))


def roundrobin(*iterables):
    held = [iter(each) for each in iterables]
    while held:
        left = []
        for each in held:
            item = next(each, _MISSING)
            if item is not _MISSING:
                left.append(each)
                yield item
        held = left


interleave_longest = roundrobin


def partition(pred, iterable):
    items = [(bool(pred(each)) if pred is not None else bool(each), each) for each in iterable]
    return iter([each for holds, each in items if not holds]), iter([each for holds, each in items if holds])


def unique_everseen(iterable, key=None):
    seen = []
    for item in iterable:
        by = item if key is None else key(item)
        if by not in seen:
            seen.append(by)
            yield item


def unique_justseen(iterable, key=None):
    return map(next, [group for _, group in [(by, iter(list(items))) for by, items in groupby(iterable, key)]])


def duplicates_everseen(iterable, key=None):
    seen = []
    for item in iterable:
        by = item if key is None else key(item)
        if by in seen:
            yield item
        seen.append(by)


def windowed(seq, n, fillvalue=None, step=1):
    items = list(seq)
    if not items:
        return
    for start in range(0, max(len(items) - n, 0) + step, step):
        window = items[start : start + n]
        if start and start + n - step >= len(items):
            return
        yield tuple(window + [fillvalue] * (n - len(window)))


def sliding_window(iterable, n):
    items = list(iterable)
    for start in range(len(items) - n + 1):
        yield tuple(items[start : start + n])


def pairwise(iterable):
    return sliding_window(iterable, 2)


def split_at(iterable, pred, maxsplit=-1, keep_separator=False):
    found = []
    for item in iterable:
        if pred(item) and maxsplit != 0:
            yield found
            if keep_separator:
                yield [item]
            maxsplit -= 1
            found = []
        else:
            found.append(item)
    yield found


def split_before(iterable, pred, maxsplit=-1):
    found = []
    for item in iterable:
        if pred(item) and found and maxsplit != 0:
            yield found
            maxsplit -= 1
            found = []
        found.append(item)
    if found:
        yield found


def split_after(iterable, pred, maxsplit=-1):
    found = []
    for item in iterable:
        found.append(item)
        if pred(item) and maxsplit != 0:
            yield found
            maxsplit -= 1
            found = []
    if found:
        yield found


class bucket:
    def __init__(self, iterable, key, validator=None):
        self._held = {}
        for item in iterable:
            name = key(item)
            if validator is None or validator(name):
                self._held.setdefault(name, []).append(item)

    def __contains__(self, value):
        return value in self._held

    def __iter__(self):
        return iter(list(self._held))

    def __getitem__(self, value):
        return iter(self._held.get(value, []))


def map_reduce(iterable, keyfunc, valuefunc=None, reducefunc=None):
    found = defaultdict(None)
    for item in iterable:
        found.setdefault(keyfunc(item), []).append(item if valuefunc is None else valuefunc(item))
    if reducefunc is not None:
        for key in found:
            found[key] = reducefunc(found[key])
    return found


def groupby_transform(iterable, keyfunc=None, valuefunc=None, reducefunc=None):
    for key, items in groupby(iterable, keyfunc):
        values = items if valuefunc is None else [valuefunc(each) for each in items]
        yield key, values if reducefunc is None else reducefunc(values)


def always_iterable(obj, base_type=(str, bytes)):
    if obj is None:
        return iter(())
    if isinstance(obj, base_type) or not hasattr(obj, "__iter__"):
        return iter((obj,))
    return iter(obj)


def ilen(iterable):
    return len(list(iterable))


def quantify(iterable, pred=bool):
    return len([each for each in iterable if pred(each)])


def consume(iterator, n=None):
    if n is None:
        for _ in iterator:
            pass
    else:
        next(islice(iterator, n, n), None)


def all_equal(iterable, key=None):
    return len(list(groupby(iterable, key))) <= 1


def all_unique(iterable, key=None):
    items = [each if key is None else key(each) for each in iterable]
    return ilen(unique_everseen(items)) == len(items)


def first_true(iterable, default=None, pred=None):
    return next(filter(pred, iterable), default)


def before_and_after(predicate, it):
    items = list(it)
    place = 0
    while place < len(items) and predicate(items[place]):
        place += 1
    return iter(items[:place]), iter(items[place:])


def locate(iterable, pred=bool):
    return (place for place, item in enumerate(iterable) if pred(item))


def minmax(iterable, *, key=None, default=_MISSING):
    items = list(iterable)
    if not items and not same(default, _MISSING):
        return default
    return (min(items), max(items)) if key is None else (min(items, key=key), max(items, key=key))


class peekable:
    def __init__(self, iterable):
        self._source = iter(iterable)
        self._cache = deque()

    def __iter__(self):
        return self

    def __bool__(self):
        if not self._cache:
            item = next(self._source, _MISSING)
            if item is _MISSING:
                return False
            self._cache.append(item)
        return True

    def peek(self, default=_MISSING):
        if self.__bool__():
            return self._cache[0]
        if default is _MISSING:
            raise StopIteration
        return default

    def prepend(self, *items):
        self._cache.extendleft(reversed(items))

    def __next__(self):
        return self._cache.popleft() if self._cache else next(self._source)
