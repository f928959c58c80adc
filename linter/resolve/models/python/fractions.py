"""Rational numbers: https://docs.python.org/3/library/fractions.html"""

import math
import re
from decimal import Decimal

_WRITTEN = r"\s*([-+]?)(\d*)(?:/(\d+)|(?:\.(\d*))?(?:[eE]([-+]?\d+))?)\s*"


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if denominator is None:
            numerator, denominator = _ratio(numerator)
        elif isinstance(numerator, (int, Fraction)) and isinstance(denominator, (int, Fraction)):
            above, below = _ratio(numerator), _ratio(denominator)
            numerator, denominator = above[0] * below[1], above[1] * below[0]
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        common = math.gcd(numerator, denominator) * (-1 if denominator < 0 else 1)
        self.numerator = numerator // common
        self.denominator = denominator // common

    @classmethod
    def from_float(cls, f):
        return cls(*f.as_integer_ratio())

    @classmethod
    def from_decimal(cls, dec):
        return cls(*dec.as_integer_ratio())

    def as_integer_ratio(self):
        return (self.numerator, self.denominator)

    def is_integer(self):
        return self.denominator == 1

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self.denominator <= max_denominator:
            return Fraction(self)
        low, below, high, above = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            whole = n // d
            denominator = below + whole * above
            if denominator > max_denominator:
                break
            low, below, high, above = high, above, low + whole * high, denominator
            n, d = d, n - whole * d
        k = (max_denominator - below) // above
        one, other = Fraction(low + k * high, below + k * above), Fraction(high, above)
        return other if abs(other - self) <= abs(one - self) else one

    def __add__(self, other):
        return _done(self, other, lambda a, b, c, d: (a * d + c * b, b * d), lambda x, y: x + y)

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        return _done(self, other, lambda a, b, c, d: (a * d - c * b, b * d), lambda x, y: x - y)

    def __rsub__(self, other):
        return _done(self, other, lambda a, b, c, d: (c * b - a * d, b * d), lambda x, y: y - x)

    def __mul__(self, other):
        return _done(self, other, lambda a, b, c, d: (a * c, b * d), lambda x, y: x * y)

    def __rmul__(self, other):
        return self.__mul__(other)

    def __truediv__(self, other):
        return _done(self, other, lambda a, b, c, d: (a * d, b * c), lambda x, y: x / y)

    def __rtruediv__(self, other):
        return _done(self, other, lambda a, b, c, d: (c * b, d * a), lambda x, y: y / x)

    def __floordiv__(self, other):
        found = self.__truediv__(other)
        return found if found is NotImplemented else math.floor(found)

    def __mod__(self, other):
        return self - other * self.__floordiv__(other)

    def __pow__(self, other):
        if not isinstance(other, int):
            return float(self) ** float(other)
        if other >= 0:
            return Fraction(self.numerator**other, self.denominator**other)
        return Fraction(self.denominator**-other, self.numerator**-other)

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __pos__(self):
        return self

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return self.__trunc__()

    def __trunc__(self):
        return -(-self.numerator // self.denominator) if self.numerator < 0 else self.numerator // self.denominator

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self.numerator, self.denominator)
            if rest * 2 == self.denominator:
                return floor + floor % 2
            return floor + (rest * 2 > self.denominator)
        shift = 10 ** abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __eq__(self, other):
        return _compared(self, other, lambda x, y: x == y, False)

    def __lt__(self, other):
        return _compared(self, other, lambda x, y: x < y, NotImplemented)

    def __le__(self, other):
        return _compared(self, other, lambda x, y: x <= y, NotImplemented)

    def __gt__(self, other):
        return _compared(self, other, lambda x, y: x > y, NotImplemented)

    def __ge__(self, other):
        return _compared(self, other, lambda x, y: x >= y, NotImplemented)

    def __bool__(self):
        return self.numerator != 0

    def __hash__(self):
        return hash(self.numerator) if self.denominator == 1 else hash((self.numerator, self.denominator))

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"


def _ratio(value):
    if isinstance(value, int):
        return int(value), 1
    if isinstance(value, (Fraction, float, Decimal)):
        return value.as_integer_ratio()
    if not isinstance(value, str):
        raise TypeError("argument should be a string or a Rational instance")
    found = re.fullmatch(_WRITTEN, value.replace("_", ""))
    if found is None or not (found.group(2) or found.group(4)):
        raise ValueError(f"Invalid literal for Fraction: {value!r}")
    sign, whole, below, decimals, exponent = found.groups()
    above = int(whole or "0")
    if below is not None:
        return (-above if sign == "-" else above), int(below)
    places = decimals or ""
    above = above * 10 ** len(places) + int(places or "0")
    shift = int(exponent or "0") - len(places)
    above = -above if sign == "-" else above
    return (above * 10**shift, 1) if shift >= 0 else (above, 10**-shift)


def _done(one, other, exact, inexact):
    if isinstance(other, float):
        return inexact(float(one), other)
    if not isinstance(other, (int, Fraction)):
        return NotImplemented
    return Fraction(*exact(one.numerator, one.denominator, *_ratio(other)))


def _compared(one, other, holds, otherwise):
    if isinstance(other, float):
        return holds(float(one), other)
    if not isinstance(other, (int, Fraction)):
        return otherwise
    above, below = _ratio(other)
    return holds(one.numerator * below, above * one.denominator)
