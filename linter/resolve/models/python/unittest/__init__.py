"""Decorators of tests: https://docs.python.org/3/library/unittest.html. What runs tests is not told."""

import types


class SkipTest(Exception):
    pass


def skip(reason):
    """Whether a test is skipped is up to what runs it: a function or class stays what it is."""
    return reason if isinstance(reason, types.FunctionType) else lambda test: test


def skipIf(condition, reason):
    return lambda test: test


def skipUnless(condition, reason):
    return lambda test: test


def expectedFailure(test):
    return test
