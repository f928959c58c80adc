"""What of the builtins is told as a program: https://docs.python.org/3/library/exceptions.html#exception-groups."""


def _fits(error, condition):
    return isinstance(error, condition) if isinstance(condition, (type, tuple)) else condition(error)


def _part(error, condition):
    """An error, or the part of a group, that fits."""
    if _fits(error, condition):
        return error
    return error.subgroup(condition) if isinstance(error, BaseExceptionGroup) else None


class BaseExceptionGroup(BaseException):
    def __init__(self, message, exceptions):
        super().__init__(message, exceptions)
        self.message = message
        self.exceptions = tuple(exceptions)

    def __str__(self):
        count = len(self.exceptions)
        return f"{self.message} ({count} sub-exception{'' if count == 1 else 's'})"

    def derive(self, excs):
        return ExceptionGroup(self.message, excs)

    def subgroup(self, condition):
        if _fits(self, condition):
            return self
        parts = [_part(each, condition) for each in self.exceptions]
        kept = [each for each in parts if each is not None]
        return self.derive(kept) if kept else None

    def split(self, condition):
        def other(error):
            return not isinstance(error, BaseExceptionGroup) and not _fits(error, condition)

        return self.subgroup(condition), None if _fits(self, condition) else self.subgroup(other)


class ExceptionGroup(BaseExceptionGroup, Exception):
    pass


def parted(error, kinds):
    """What `except*` takes of an error, and what it leaves."""
    if isinstance(error, BaseExceptionGroup):
        return error.split(kinds)
    return (ExceptionGroup("", [error]), None) if isinstance(error, kinds) else (None, error)
