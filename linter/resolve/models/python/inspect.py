"""What an object has: https://docs.python.org/3/library/inspect.html. Signatures and sources are not told."""


def isclass(object):
    return isinstance(object, type)


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        value = getattr(object, name)
        if predicate is None or predicate(value):
            found.append((name, value))
    return found
