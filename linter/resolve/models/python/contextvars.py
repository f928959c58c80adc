"""Variables of a context, of which there is one here: https://docs.python.org/3/library/contextvars.html."""

_ABSENT = object()


class Token:
    MISSING = _ABSENT

    def __init__(self, var, old_value):
        self.var = var
        self.old_value = old_value


class ContextVar:
    def __init__(self, name, *, default=_ABSENT):
        self.name = name
        self._default = default
        self._value = _ABSENT

    def get(self, default=_ABSENT):
        if self._value is not _ABSENT:
            return self._value
        if default is not _ABSENT:
            return default
        if self._default is not _ABSENT:
            return self._default
        raise LookupError(self.name)

    def set(self, value):
        token = Token(self, self._value)
        self._value = value
        return token

    def reset(self, token):
        self._value = token.old_value
