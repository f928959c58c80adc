"""Variables of the environment by their types: https://github.com/sloria/environs"""

import json as _json
import os
from contextlib import contextmanager
from pathlib import Path

from _native import unknown
from dotenv import load_dotenv

_MISSING = object()


class EnvError(ValueError):
    pass


class ValidationError(ValueError):
    pass


class EnvValidationError(EnvError):
    def __init__(self, message, error_messages=()):
        super().__init__(message)
        self.error_messages = error_messages


class EnvSealedError(TypeError):
    pass


class ParserConflictError(ValueError):
    pass


class Env:
    def __init__(self, *, eager=True, expand_vars=False, prefix=None):
        self.eager = eager
        self.expand_vars = expand_vars
        self._prefix = prefix or ""

    @staticmethod
    def read_env(path=None, *, recurse=True, verbose=False, override=False, return_path=False):
        load_dotenv(path, override=override)
        return unknown("read_env()")

    @contextmanager
    def prefixed(self, prefix):
        before = self._prefix
        self._prefix = before + prefix
        yield self
        self._prefix = before

    def _read(self, name, default, convert, said=str, validate=None):
        """A variable as it is written, made what it stands for; else the default, which is checked too."""
        key = self._prefix + name
        if default is _MISSING:
            try:
                value = self._made(key, os.environ[key], convert)
            except KeyError:
                raise EnvError(f'Environment variable "{key}" not set') from None
        elif default is None:
            written = os.environ.get(key)
            value = None if written is None else self._made(key, written, convert)
        else:
            value = self._made(key, os.environ.get(key, said(default)), convert)
        for each in validate if isinstance(validate, (list, tuple)) else [validate] if validate is not None else []:
            try:
                each(value)
            except ValueError as error:
                raise EnvValidationError(f'Environment variable "{key}" invalid: {error}') from error
        return value

    def _made(self, key, written, convert):
        if self.expand_vars:
            written = unknown("expand_vars")
        try:
            return convert(written)
        except ValueError as error:
            raise EnvValidationError(f'Environment variable "{key}" invalid: {error}') from error

    def str(self, name, default=_MISSING, *, validate=None, **others):
        return self._read(name, default, lambda written: written, validate=validate)

    __call__ = str

    def int(self, name, default=_MISSING, *, validate=None, **others):
        return self._read(name, default, int, validate=validate)

    def float(self, name, default=_MISSING, *, validate=None, **others):
        return self._read(name, default, float, validate=validate)

    def bool(self, name, default=_MISSING, *, validate=None, **others):
        return self._read(name, default, _truth, validate=validate)

    def list(self, name, default=_MISSING, subcast=None, *, delimiter=",", validate=None, **others):
        def convert(written):
            parts = [each.strip() for each in written.split(delimiter)] if written else []
            return [each if subcast is None else subcast(each) for each in parts]

        return self._read(name, default, convert, lambda items: delimiter.join([f"{each}" for each in items]), validate)

    def dict(self, name, default=_MISSING, subcast_values=None, subcast_keys=None, *, delimiter=",", **others):
        separator = others.get("key_value_delimiter", "=")

        def convert(written):
            made = {}
            for each in written.split(delimiter) if written else []:
                key, sign, value = each.strip().partition(separator)
                if not sign:
                    raise ValueError("Not a valid mapping")
                key = key.strip() if subcast_keys is None else subcast_keys(key.strip())
                made[key] = value.strip() if subcast_values is None else subcast_values(value.strip())
            return made

        said = lambda items: delimiter.join([f"{key}{separator}{items[key]}" for key in items])
        return self._read(name, default, convert, said, others.get("validate"))

    def json(self, name, default=_MISSING, *, validate=None, **others):
        return self._read(name, default, _json.loads, _json.dumps, validate)

    def path(self, name, default=_MISSING, *, validate=None, **others):
        return self._read(name, default, Path, validate=validate)

    def enum(self, name, default=_MISSING, *, enum=None, by_value=False, validate=None, **others):
        kind = others.get("type", enum)
        convert = kind if by_value is True else lambda written: kind[written]
        return self._read(name, default, convert, lambda one: one.value if by_value is True else one.name, validate)

    def seal(self):
        pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: unknown(name)


def _truth(written):
    said = written.strip().lower()
    if said in ("true", "t", "yes", "y", "on", "1"):
        return True
    if said in ("false", "f", "no", "n", "off", "0"):
        return False
    raise ValueError("Not a valid boolean.")


env = Env()
