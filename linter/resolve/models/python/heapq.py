"""What native code does not have: https://docs.python.org/3/library/heapq.html."""


def merge(*iterables, key=None, reverse=False):
    """The heads of all, least first; of equal ones that of the first iterable."""
    rest = [list(each) for each in iterables]
    while any(rest):
        chosen = None
        for each in rest:
            if not each:
                continue
            if chosen is None:
                chosen = each
                continue
            mine, best = (each[0], chosen[0]) if key is None else (key(each[0]), key(chosen[0]))
            if (best < mine) if reverse else (mine < best):
                chosen = each
        yield chosen.pop(0)


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]
