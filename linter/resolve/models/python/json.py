"""What is written of objects that JSON has no form for: https://docs.python.org/3/library/json.html. The rest is native code."""

from _native import is_known, json_text


class JSONEncoder:
    def __init__(self, **settings):
        self._settings = settings

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        return json_text(_plain(o, self._settings.get("default") or self.default), **_without_default(self._settings))


def _without_default(settings):
    return {name: value for name, value in settings.items() if name != "default"}


def _plain(value, default):
    """A value with what `default` gives in the place of what JSON has no form for."""
    if not is_known(value) or value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, dict):
        return {key: _plain(each, default) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, default) for each in value]
    return _plain(default(value), default)


def dumps(obj, *, cls=None, default=None, **settings):
    if cls is not None:
        return (cls(**settings) if default is None else cls(default=default, **settings)).encode(obj)
    return json_text(obj if default is None else _plain(obj, default), **settings)
