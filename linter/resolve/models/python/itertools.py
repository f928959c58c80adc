"""Iterators: https://docs.python.org/3/library/itertools.html. What has no end is told by the interpreter: count, cycle."""

from itertools import cycle

from _native import bounded, is_known, unknown

_UNSET = object()


def chain(*iterables):
    return _all_of(iterables)


def _all_of(iterables):
    return (item for each in iterables for item in each)


chain.from_iterable = _all_of


def starmap(function, iterable):
    return (function(*arguments) for arguments in iterable)


def filterfalse(function, iterable):
    return (item for item in iterable if not (item if function is None else function(item)))


def dropwhile(predicate, iterable):
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def takewhile(predicate, iterable):
    for item in iterable:
        holds = predicate(item)
        if not is_known(holds):
            yield from unknown("element")
            break
        if not holds:
            break
        yield item


def compress(data, selectors):
    return (item for item, chosen in zip(data, selectors) if chosen)


def accumulate(iterable, func=None, *, initial=None):
    total = _UNSET if initial is None else initial
    if initial is not None:
        yield total
    for item in iterable:
        if total is _UNSET:
            total = item
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def pairwise(iterable):
    items = list(iterable)
    return zip(items, items[1:])


def batched(iterable, n, *, strict=False):
    if n < 1:
        raise ValueError("n must be at least one")
    items = list(iterable)
    return (tuple(items[start : start + n]) for start in range(0, len(items), n))


def _in_turn(iterators, fillvalue):
    """Rows of iterators of which one may stand there twice."""
    left = len(iterators)
    while True:
        row = []
        for place, each in enumerate(iterators):
            try:
                row.append(next(each))
            except StopIteration:
                left -= 1
                if left == 0:
                    return
                iterators[place] = repeat(fillvalue)
                row.append(fillvalue)
        yield tuple(row)


def zip_longest(*iterables, fillvalue=None):
    if any([iter(each) is each for each in iterables]):
        return _in_turn([iter(each) for each in iterables], fillvalue)
    columns = [list(each) for each in iterables]
    longest = max([len(each) for each in columns], default=0)
    return (
        tuple([column[row] if row < len(column) else fillvalue for column in columns]) for row in range(longest)
    )


def tee(iterable, n=2):
    items = list(iterable)
    return tuple([iter(items) for _ in range(n)])


def product(*iterables, repeat=1):
    rows = [()]
    for items in [list(each) for each in iterables] * repeat:
        rows = bounded([(*row, item) for row in rows for item in items])
    return iter(rows)


def _chosen(items, count, again, ordered):
    rows = [()]
    for _ in range(count):
        grown = []
        for row in rows:
            first = 0 if ordered or not row else row[-1] + (0 if again else 1)
            grown += [(*row, place) for place in range(first, len(items)) if again or place not in row]
        rows = bounded(grown)
    return iter([tuple([items[place] for place in row]) for row in rows])


def combinations(iterable, r):
    return _chosen(list(iterable), r, False, False)


def combinations_with_replacement(iterable, r):
    return _chosen(list(iterable), r, True, False)


def permutations(iterable, r=None):
    items = list(iterable)
    return _chosen(items, len(items) if r is None else r, False, True)


def groupby(iterable, key=None):
    groups = []
    for item in iterable:
        own = item if key is None else key(item)
        same = bool(groups) and groups[-1][0] == own
        if not is_known(same):
            return unknown("groupby()")
        if same:
            groups[-1][1].append(item)
        else:
            groups.append((own, [item]))
    return _one_by_one(groups) if is_known(len(groups)) else ((own, iter(held)) for own, held in groups)


def _one_by_one(groups):
    """A group has nothing more once the next one was asked for."""
    for own, held in groups:
        yield own, iter(held)
        held.clear()


def repeat(object, times=None):
    return cycle((object,)) if times is None else iter([object] * times)
