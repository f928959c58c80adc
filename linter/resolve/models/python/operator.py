"""Operators as functions: https://docs.python.org/3/library/operator.html"""


def itemgetter(item, *items):
    if not items:
        return lambda obj: obj[item]
    return lambda obj: tuple([obj[each] for each in (item, *items)])


def _resolved(obj, attr):
    for name in attr.split("."):
        obj = getattr(obj, name)
    return obj


def attrgetter(attr, *attrs):
    if not attrs:
        return lambda obj: _resolved(obj, attr)
    return lambda obj: tuple([_resolved(obj, each) for each in (attr, *attrs)])


def methodcaller(name, /, *args, **kwargs):
    return lambda obj: getattr(obj, name)(*args, **kwargs)


def add(a, b):
    return a + b


def concat(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def neg(a):
    return -a


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def not_(a):
    return not a


def truth(a):
    return bool(a)


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def contains(a, b):
    return b in a


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def index(a):
    if isinstance(a, int):
        return a
    if isinstance(a, (float, str, list, tuple, dict)):
        raise TypeError(f"'{type(a).__name__}' object cannot be interpreted as an integer")
    return a.__index__()


def pow(a, b):
    return a**b


def xor(a, b):
    return a ^ b


def iadd(a, b):
    a += b
    return a


def ior(a, b):
    a |= b
    return a


def indexOf(a, b):
    return list(a).index(b)


def countOf(a, b):
    return sum([1 for each in a if each == b])
