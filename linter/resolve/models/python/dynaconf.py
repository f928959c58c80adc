"""Settings of dynaconf: files in their order, each by environments or not, keys in any case: https://www.dynaconf.com"""

from pathlib import Path

import yaml
from _native import document, usual


class Box:
    """A mapping whose keys are found in any case, also as attributes."""

    def __init__(self, values):
        self._values = values

    def _find(self, name):
        for key in self._values:
            if key.lower() == name.lower():
                return True, self._values[key]
        return False, None

    def __getattr__(self, name):
        there, value = self._find(name)
        if not there:
            raise AttributeError(name)
        return _boxed(value)

    def __getitem__(self, name):
        there, value = self._find(name)
        if not there:
            raise KeyError(name)
        return _boxed(value)

    def get(self, name, default=None, **others):
        there, value = self._find(name)
        if there:
            return _boxed(value)
        head, _, rest = name.replace("__", ".").partition(".")
        there, value = self._find(head)
        return Box(value).get(rest, default) if rest and there and isinstance(value, dict) else default

    def __call__(self, name, default=None, **others):
        return self.get(name, default)

    def __contains__(self, name):
        return self._find(name)[0]

    def exists(self, name):
        return self._find(name)[0]

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def keys(self):
        return self._values.keys()

    def values(self):
        return [_boxed(value) for value in self._values.values()]

    def items(self):
        return [(key, _boxed(value)) for key, value in self._values.items()]

    def to_dict(self):
        return self._values


def _boxed(value):
    if isinstance(value, dict):
        return Box(value)
    return [_boxed(each) for each in value] if isinstance(value, list) else value


class LazySettings(Box):
    def __init__(self, settings_files=(), settings_file=(), environments=False, env=None, merge_enabled=False, **others):
        listed = settings_files or settings_file
        self._files = [listed] if isinstance(listed, str) else listed
        self._environments = environments
        self._merges = merge_enabled
        self._load(env)

    def _load(self, env):
        self._values = {}
        for each in self._files:
            path = Path(each)
            if document(path) is None:
                continue
            held = yaml.safe_load(path)
            if self._environments and env is None:
                held = usual(held)
            for name in ("default", env or "development", "global") if self._environments else ("",):
                self._take(held.get(name, {}) if name else held)

    def _take(self, values):
        for key in values:
            before = self._values.get(key.upper())
            if self._merges and isinstance(before, dict) and isinstance(values[key], dict):
                self._values[key.upper()] = {**before, **values[key]}
            else:
                self._values[key.upper()] = values[key]

    def from_env(self, env):
        made = LazySettings(self._files, environments=self._environments, env=env, merge_enabled=self._merges)
        return made

    def as_dict(self):
        return self._values


Dynaconf = LazySettings
