"""What checks fields: https://www.attrs.org/en/stable/api.html#module-attrs.validators"""

import re


def instance_of(type):
    def check(instance, attribute, value):
        if not isinstance(value, type):
            raise TypeError(f"'{attribute.name}' must be {type!r}", attribute, type, value)

    return check


def in_(options):
    def check(instance, attribute, value):
        if value not in options:
            raise ValueError(f"'{attribute.name}' must be in {options!r} (got {value!r})", attribute, options, value)

    return check


def _compared(sign, holds):
    def make(val):
        def check(instance, attribute, value):
            if not holds(value, val):
                raise ValueError(f"'{attribute.name}' must be {sign} {val}: {value}")

        return check

    return make


lt = _compared("<", lambda value, limit: value < limit)
le = _compared("<=", lambda value, limit: value <= limit)
ge = _compared(">=", lambda value, limit: value >= limit)
gt = _compared(">", lambda value, limit: value > limit)


def max_len(length):
    def check(instance, attribute, value):
        if len(value) > length:
            raise ValueError(f"Length of '{attribute.name}' must be <= {length}: {len(value)}")

    return check


def min_len(length):
    def check(instance, attribute, value):
        if len(value) < length:
            raise ValueError(f"Length of '{attribute.name}' must be >= {length}: {len(value)}")

    return check


def matches_re(regex, flags=0, func=None):
    def check(instance, attribute, value):
        if not (func or re.fullmatch)(regex, value):
            raise ValueError(f"'{attribute.name}' must match regex {regex!r} ({value!r} doesn't)")

    return check


def is_callable():
    def check(instance, attribute, value):
        if not callable(value):
            raise TypeError(f"'{attribute.name}' must be callable")

    return check


def subclass_of(type):
    def check(instance, attribute, value):
        if not issubclass(value, type):
            raise TypeError(f"'{attribute.name}' must be a subclass of {type!r} (got {value!r}).")

    return check


def and_(*validators):
    def check(instance, attribute, value):
        for each in validators:
            each(instance, attribute, value)

    return check


def or_(*validators):
    def check(instance, attribute, value):
        for each in validators:
            try:
                each(instance, attribute, value)
            except Exception:
                continue
            return
        raise ValueError(f"None of {validators!r} satisfied for value {value!r}")

    return check


def not_(validator, *, msg=None, exc_types=(ValueError, TypeError)):
    def check(instance, attribute, value):
        try:
            validator(instance, attribute, value)
        except exc_types:
            return
        raise ValueError("not_ validator child did not raise a captured error")

    return check


def _all(validator):
    return and_(*validator) if isinstance(validator, (list, tuple)) else validator


def optional(validator):
    def check(instance, attribute, value):
        if value is not None:
            _all(validator)(instance, attribute, value)

    return check


def deep_iterable(member_validator, iterable_validator=None):
    def check(instance, attribute, value):
        if iterable_validator is not None:
            iterable_validator(instance, attribute, value)
        for each in value:
            _all(member_validator)(instance, attribute, each)

    return check


def deep_mapping(key_validator=None, value_validator=None, mapping_validator=None):
    def check(instance, attribute, value):
        if mapping_validator is not None:
            mapping_validator(instance, attribute, value)
        for key in value:
            if key_validator is not None:
                key_validator(instance, attribute, key)
            if value_validator is not None:
                value_validator(instance, attribute, value[key])

    return check
