"""Variables of contexts: https://docs.python.org/3/library/contextvars.html. A thread begins in that of who started it."""

_ABSENT = object()


class Context:
    def __init__(self):
        self._values = {}

    def run(self, callable, *args, **kwargs):
        global _entered
        before, _entered = _entered, [*_entered, self]
        try:
            return callable(*args, **kwargs)
        finally:
            _entered = before

    def copy(self):
        made = Context()
        made._values = self._values
        return made

    def get(self, var, default=None):
        return self._values.get(var, default)

    def __getitem__(self, var):
        return self._values[var]

    def __contains__(self, var):
        return var in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def keys(self):
        return self._values.keys()

    def items(self):
        return self._values.items()


_entered = [Context()]


def copy_context():
    return _entered[-1].copy()


class Token:
    MISSING = _ABSENT

    def __init__(self, var, old_value):
        self.var = var
        self.old_value = old_value


class ContextVar:
    def __init__(self, name, *, default=_ABSENT):
        self.name = name
        self._default = default

    def get(self, default=_ABSENT):
        value = _entered[-1].get(self, _ABSENT)
        if value is not _ABSENT:
            return value
        if default is not _ABSENT:
            return default
        if self._default is not _ABSENT:
            return self._default
        raise LookupError(self.name)

    def set(self, value):
        context = _entered[-1]
        token = Token(self, context._values.get(self, _ABSENT))
        context._values = {**context._values, self: value}
        return token

    def reset(self, token):
        context = _entered[-1]
        context._values = {each: value for each, value in context._values.items() if each is not self}
        if token.old_value is not _ABSENT:
            context._values[self] = token.old_value
