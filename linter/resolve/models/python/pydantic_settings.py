"""Settings of pydantic: what the constructor is given, environment variables, a file of such, defaults; in this order."""

import json
import os

from _native import annotated, coerced, is_structured, option, variables
from pydantic import _UNSET, BaseModel, FieldInfo

_FILE = "<file>"


def SettingsConfigDict(**config):
    return config


class BaseSettings(BaseModel):
    def __init__(self, _env_file=_UNSET, **data):
        file = option(type(self), "env_file") if _env_file is _UNSET else _env_file
        object.__setattr__(self, _FILE, variables(file))
        super().__init__(**data)

    def _validate(self, data):
        written = getattr(self, _FILE)
        given = dict(data)
        for name, default in annotated(type(self), _UNSET) if written else ():
            names = default.names if isinstance(default, FieldInfo) else ()
            if name not in data and not [each for each in names if each in data]:
                found = self._written(type(self), name, names, written)
                if found is not _UNSET:
                    given[names[0] if names else name] = found
        super()._validate(given)

    def _written(self, cls, name, names, written):
        """What the file of variables has for a field, with what the environment says in its place."""
        own = f"{option(cls, 'env_prefix') or ''}{name}".upper()
        for variable in [each.upper() for each in names] or [own]:
            if variable in written:
                found = os.environ.get(variable, written[variable])
                return json.loads(found) if is_structured(cls, name) else found
        delimiter = option(cls, "env_nested_delimiter")
        below = {}
        for variable in written if delimiter and is_structured(cls, name) else ():
            if variable.startswith(own + delimiter.upper()):
                path = variable[len(own + delimiter) :].lower().split(delimiter.lower())
                held = below
                for part in path[:-1]:
                    held = held.setdefault(part, {})
                held[path[-1]] = os.environ.get(variable, written[variable])
        return below or _UNSET

    def _default(self, cls, name, default, factory, names):
        prefix = option(cls, "env_prefix") or ""
        own = name in names and names[-1] == name
        variable = (f"{prefix}{name}" if own else names[0]).upper()
        if isinstance(default, str):
            return os.environ.get(variable, default)
        if default is _UNSET and factory is None:
            return coerced(cls, name, os.environ.get(variable), None, None)
        return super()._default(cls, name, default, factory, names)
