"""Settings of pydantic: what the constructor is given, environment variables, a file of such, defaults; in this order."""

import os

from _native import coerced, option, variables
from pydantic import _UNSET, BaseModel


def SettingsConfigDict(**config):
    return config


class BaseSettings(BaseModel):
    def _default(self, cls, name, default, factory, names):
        prefix = option(cls, "env_prefix") or ""
        own = name in names and names[-1] == name
        variable = (f"{prefix}{name}" if own else names[0]).upper()
        written = variables(option(cls, "env_file"))
        if variable in written:
            return coerced(cls, name, os.environ.get(variable, written[variable]))
        if isinstance(default, str):
            return os.environ.get(variable, default)
        if default is _UNSET and factory is None:
            return coerced(cls, name, os.environ.get(variable))
        return super()._default(cls, name, default, factory, names)
