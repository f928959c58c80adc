"""Decimal numbers: https://docs.python.org/3/library/decimal.html"""

import math
import re
from typing import NamedTuple

from _native import unknown

ROUND_DOWN = "ROUND_DOWN"
ROUND_UP = "ROUND_UP"
ROUND_HALF_UP = "ROUND_HALF_UP"
ROUND_HALF_DOWN = "ROUND_HALF_DOWN"
ROUND_HALF_EVEN = "ROUND_HALF_EVEN"
ROUND_CEILING = "ROUND_CEILING"
ROUND_FLOOR = "ROUND_FLOOR"
ROUND_05UP = "ROUND_05UP"
_WRITTEN = r"\s*([-+]?)(?:(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?|(inf(?:inity)?)|(s?nan)\d*)\s*"
_FORMAT = r"(?:(.)?([<>=^]))?([-+ ]?)(0)?(\d+)?(,)?(?:\.(\d+))?([f%]?)"


class DecimalTuple(NamedTuple):
    sign: int
    digits: tuple
    exponent: int


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class Inexact(DecimalException):
    pass


class Rounded(DecimalException):
    pass


class Overflow(Inexact):
    pass


class Context:
    def __init__(self, prec=28, rounding=ROUND_HALF_EVEN, **others):
        self.prec = prec
        self.rounding = rounding

    def copy(self):
        return Context(self.prec, self.rounding)

    def create_decimal(self, num="0"):
        return _within(Decimal(num), self)

    def quantize(self, a, b):
        return a.quantize(b, context=self)


_contexts = [Context()]


def getcontext():
    return _contexts[-1]


def setcontext(context):
    _contexts[-1] = context


class localcontext:
    def __init__(self, ctx=None, **settings):
        self._context = (ctx or getcontext()).copy()
        for name in settings:
            setattr(self._context, name, settings[name])

    def __enter__(self):
        _contexts.append(self._context)
        return self._context

    def __exit__(self, kind, error, trace):
        _contexts.pop()


class Decimal:
    def __init__(self, value="0", context=None):
        self._special = ""
        if isinstance(value, Decimal):
            self._negative, self._digits, self._exp = value._negative, value._digits, value._exp
            self._special = value._special
        elif isinstance(value, int):
            self._negative, self._digits, self._exp = value < 0, abs(int(value)), 0
        elif isinstance(value, float):
            above, below = value.as_integer_ratio()
            places = below.bit_length() - 1
            self._negative, self._digits, self._exp = above < 0, abs(above) * 5**places, -places
        elif isinstance(value, str):
            self._read(value)
        else:
            sign, digits, self._exp = value
            self._negative, self._digits = sign == 1, int("".join([str(each) for each in digits]) or "0")

    def _read(self, value):
        found = re.fullmatch(_WRITTEN, value.replace("_", "").lower())
        if found is None or not (found[2] or found[3] or found[5] or found[6]):
            raise InvalidOperation("[<class 'decimal.ConversionSyntax'>]")
        self._negative = found[1] == "-"
        places = found[3] or ""
        self._digits = int((found[2] or "") + places or "0")
        self._exp = int(found[4] or "0") - len(places)
        self._special = "Infinity" if found[5] else "NaN" if found[6] else ""

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def _signed(self):
        return -self._digits if self._negative else self._digits

    def is_nan(self):
        return self._special == "NaN"

    def is_infinite(self):
        return self._special == "Infinity"

    def is_finite(self):
        return not self._special

    def is_zero(self):
        return not self._special and self._digits == 0

    def is_signed(self):
        return self._negative

    def adjusted(self):
        return self._exp + len(str(self._digits)) - 1

    def as_tuple(self):
        return DecimalTuple(int(self._negative), tuple([int(each) for each in str(self._digits)]), self._exp)

    def as_integer_ratio(self):
        if self._exp >= 0:
            return self._signed() * 10**self._exp, 1
        above, below = self._signed(), 10**-self._exp
        common = math.gcd(above, below)
        return above // common, below // common

    def __add__(self, other):
        return _done(self, other, _sum)

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        return _done(self, other, lambda one, another: _sum(one, -another))

    def __rsub__(self, other):
        return _done(self, other, lambda one, another: _sum(another, -one))

    def __mul__(self, other):
        return _done(self, other, _product)

    def __rmul__(self, other):
        return self.__mul__(other)

    def __truediv__(self, other):
        return _done(self, other, _quotient)

    def __rtruediv__(self, other):
        return _done(self, other, lambda one, another: _quotient(another, one))

    def __floordiv__(self, other):
        return _done(self, other, lambda one, another: _divided(one, another)[0])

    def __rfloordiv__(self, other):
        return _done(self, other, lambda one, another: _divided(another, one)[0])

    def __mod__(self, other):
        return _done(self, other, lambda one, another: _divided(one, another)[1])

    def __rmod__(self, other):
        return _done(self, other, lambda one, another: _divided(another, one)[1])

    def __divmod__(self, other):
        return self // other, self % other

    def __pow__(self, other):
        if not isinstance(other, int) or other < 0 or self._special:
            return unknown("Decimal")
        return _within(_of(self._negative and other % 2 == 1, self._digits**other, self._exp * other))

    def __neg__(self):
        return _within(_of(not self._negative and self._digits != 0, self._digits, self._exp, self._special))

    def __pos__(self):
        return _within(_of(self._negative and self._digits != 0, self._digits, self._exp, self._special))

    def __abs__(self):
        return _within(self.copy_abs())

    def copy_abs(self):
        return _of(False, self._digits, self._exp, self._special)

    def copy_negate(self):
        return _of(not self._negative, self._digits, self._exp, self._special)

    def quantize(self, exp, rounding=None, context=None):
        exp = Decimal(exp)
        if self._special or exp._special:
            return unknown("Decimal")
        found = _of(self._negative, _shifted(self, exp._exp, rounding or (context or getcontext()).rounding), exp._exp)
        if len(str(found._digits)) > (context or getcontext()).prec:
            raise InvalidOperation("[<class 'decimal.InvalidOperation'>]")
        return found

    def to_integral_value(self, rounding=None, context=None):
        if self._exp >= 0:
            return Decimal(self)
        return _of(self._negative, _shifted(self, 0, rounding or getcontext().rounding), 0)

    to_integral = to_integral_exact = to_integral_value

    def normalize(self, context=None):
        found = _within(self)
        digits, exp = found._digits, found._exp
        if digits == 0:
            return _of(found._negative, 0, 0)
        while digits % 10 == 0:
            digits, exp = digits // 10, exp + 1
        return _of(found._negative, digits, exp)

    def sqrt(self, context=None):
        if self._negative or self._special:
            return unknown("Decimal")
        shift = 2 * getcontext().prec + self._exp % 2
        scaled = self._digits * 10**shift
        root = math.isqrt(scaled)
        if root * root != scaled:
            return _within(_of(False, root * 10 + 1, (self._exp - shift) // 2 - 1))
        exp, ideal = (self._exp - shift) // 2, self._exp // 2
        while exp < ideal and root % 10 == 0:
            root, exp = root // 10, exp + 1
        return _within(_of(False, root, exp))

    def compare(self, other):
        return Decimal((self > other) - (self < other))

    def max(self, other):
        return self if self >= other else Decimal(other)

    def min(self, other):
        return self if self <= other else Decimal(other)

    def __eq__(self, other):
        return _compared(self, other, lambda one, another: one == another, False)

    def __lt__(self, other):
        return _compared(self, other, lambda one, another: one < another, NotImplemented)

    def __le__(self, other):
        return _compared(self, other, lambda one, another: one <= another, NotImplemented)

    def __gt__(self, other):
        return _compared(self, other, lambda one, another: one > another, NotImplemented)

    def __ge__(self, other):
        return _compared(self, other, lambda one, another: one >= another, NotImplemented)

    def __bool__(self):
        return bool(self._special) or self._digits != 0

    def __hash__(self):
        return hash(self.as_integer_ratio()) if self._exp < 0 else hash(int(self))

    def __int__(self):
        found = self._digits * 10**self._exp if self._exp >= 0 else self._digits // 10**-self._exp
        return -found if self._negative else found

    __trunc__ = __int__

    def __float__(self):
        return float(str(self))

    def __floor__(self):
        above, below = self.as_integer_ratio()
        return above // below

    def __ceil__(self):
        above, below = self.as_integer_ratio()
        return -(-above // below)

    def __round__(self, n=None):
        if n is None:
            found = _shifted(self, 0, ROUND_HALF_EVEN)
            return -found if self._negative else found
        return self.quantize(_of(False, 1, -n), ROUND_HALF_EVEN)

    def __str__(self):
        sign = "-" if self._negative else ""
        if self._special:
            return sign + self._special
        digits = str(self._digits)
        left = self._exp + len(digits)
        if self._exp <= 0 and left > -6:
            if self._exp == 0:
                return sign + digits
            if left <= 0:
                return f"{sign}0.{'0' * -left}{digits}"
            return f"{sign}{digits[:left]}.{digits[left:]}"
        rest = "." + digits[1:] if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{rest}E{left - 1:+d}"

    def __repr__(self):
        return f"Decimal('{self}')"

    def __format__(self, spec):
        if not spec:
            return str(self)
        found = re.fullmatch(_FORMAT, spec)
        if found is None or self._special:
            return unknown("format")
        fill, align, sign, zero, width, comma, places, kind = found.groups()
        value = _of(self._negative, self._digits, self._exp + (2 if kind == "%" else 0))
        if places is not None:
            if not kind:
                return unknown("format")
            value = _of(value._negative, _shifted(value, -int(places), getcontext().rounding), -int(places))
        elif value._exp > 0:
            if not kind:
                return unknown("format")
            value = _of(value._negative, value._digits * 10**value._exp, 0)
        whole, dot, rest = str(value.copy_abs()).partition(".")
        if zero or "E" in rest or "E" in whole:
            return unknown("format")
        if comma:
            whole = f"{int(whole):,}"
        shown = ("-" if value._negative else "" if sign == "-" else sign) + whole + dot + rest + ("%" if kind == "%" else "")
        return f"{shown:{fill or ' '}{align or '>'}{width}}" if width else shown


def _of(negative, digits, exp, special=""):
    made = Decimal()
    made._negative, made._digits, made._exp, made._special = negative, digits, exp, special
    return made


def _shifted(value, exp, rounding):
    """The digits of a number that ends at an exponent."""
    if value._exp >= exp:
        return value._digits * 10 ** (value._exp - exp)
    shift = 10 ** (exp - value._exp)
    whole, rest = divmod(value._digits, shift)
    if rest and _goes_up(rounding, whole, rest * 2 - shift, value._negative):
        return whole + 1
    return whole


def _goes_up(rounding, whole, half, negative):
    """Whether a number is rounded away from zero that is more than `whole`; `half`: by how much it is above a half."""
    if rounding == ROUND_HALF_EVEN:
        return half > 0 or (half == 0 and whole % 2 == 1)
    if rounding in (ROUND_HALF_UP, ROUND_HALF_DOWN):
        return half > 0 or (half == 0 and rounding == ROUND_HALF_UP)
    if rounding == ROUND_05UP:
        return whole % 5 == 0
    return rounding == ROUND_UP or rounding == (ROUND_FLOOR if negative else ROUND_CEILING)


def _within(value, context=None):
    """A number with no more digits than the context has."""
    context = context or getcontext()
    length = len(str(value._digits))
    if value._special or length <= context.prec:
        return value
    exp = value._exp + length - context.prec
    digits = _shifted(value, exp, context.rounding)
    if len(str(digits)) > context.prec:
        digits, exp = digits // 10, exp + 1
    return _of(value._negative, digits, exp)


def _done(one, other, operation):
    if not isinstance(other, (int, Decimal)):
        return NotImplemented
    other = Decimal(other)
    if one._special or other._special:
        return unknown("Decimal")
    return _within(operation(one, other))


def _sum(one, other):
    exp = min(one._exp, other._exp)
    total = one._signed() * 10 ** (one._exp - exp) + other._signed() * 10 ** (other._exp - exp)
    negative = total < 0 or (total == 0 and one._negative and other._negative)
    return _of(negative, abs(total), exp)


def _product(one, other):
    return _of(one._negative != other._negative, one._digits * other._digits, one._exp + other._exp)


def _quotient(one, other):
    if other._digits == 0:
        raise (DivisionByZero if one._digits else InvalidOperation)("[<class 'decimal.DivisionByZero'>]")
    ideal = one._exp - other._exp
    negative = one._negative != other._negative
    if one._digits == 0:
        return _of(negative, 0, ideal)
    shift = max(len(str(other._digits)) - len(str(one._digits)) + getcontext().prec + 1, 0)
    digits, rest = divmod(one._digits * 10**shift, other._digits)
    exp = ideal - shift
    if rest:
        return _of(negative, digits + 1 if digits % 5 == 0 else digits, exp)
    while exp < ideal and digits % 10 == 0:
        digits, exp = digits // 10, exp + 1
    return _of(negative, digits, exp)


def _divided(one, other):
    """The whole quotient, towards zero, and what is left."""
    if other._digits == 0:
        raise (DivisionByZero if one._digits else InvalidOperation)("[<class 'decimal.DivisionByZero'>]")
    exp = min(one._exp, other._exp)
    above, below = one._digits * 10 ** (one._exp - exp), other._digits * 10 ** (other._exp - exp)
    whole, rest = divmod(above, below)
    return _of(one._negative != other._negative, whole, 0), _of(one._negative, rest, exp)


def _compared(one, other, holds, otherwise):
    if isinstance(other, float):
        other = Decimal(other)
    if not isinstance(other, (int, Decimal)):
        return otherwise
    other = Decimal(other)
    if one._special or other._special:
        return unknown("Decimal")
    exp = min(one._exp, other._exp)
    return holds(one._signed() * 10 ** (one._exp - exp), other._signed() * 10 ** (other._exp - exp))
