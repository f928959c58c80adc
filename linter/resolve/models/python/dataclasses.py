"""What is written where nothing is: https://docs.python.org/3/library/dataclasses.html. The rest is native code."""


class _MISSING_TYPE:
    pass


MISSING = _MISSING_TYPE()
