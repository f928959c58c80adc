"""What functions are given: https://python-dependency-injector.ets-labs.org/wiring.html"""

from functools import wraps
from typing import get_args, get_type_hints

from dependency_injector.containers import _wired
from dependency_injector.providers import ConfigurationOption

from _native import parameters, unknown


class _Marker:
    def __init__(self, provider, whole=False):
        self._provider = provider
        self._whole = whole

    def _found(self):
        """What it stands for: nobody knows it without a container."""
        for container in _wired[::-1]:
            provider = self._in(container)
            if provider is not None:
                return provider if self._whole else provider()
        return unknown("Provide")

    def _in(self, container):
        wanted = self._provider
        if isinstance(wanted, str):
            found = container
            for part in wanted.split("."):
                found = getattr(found, part)
            return found
        own = container._own(wanted)
        if own is None and isinstance(wanted, ConfigurationOption):
            root = container._own(wanted._root)
            return None if root is None else ConfigurationOption(root, wanted._path, wanted._convert)
        return own


class _Form:
    def __init__(self, whole):
        self._whole = whole

    def __getitem__(self, provider):
        if isinstance(provider, tuple):
            return _Marker(unknown("Provide"))
        return provider if isinstance(provider, _Marker) else _Marker(provider, self._whole)

    __call__ = __getitem__


Provide = _Form(False)
Provider = _Form(True)
Closing = _Form(False)


def inject(fn):
    told = []
    hints = get_type_hints(fn, include_extras=True)
    for place, (name, _, default, _) in enumerate(parameters(fn, None)[:-1]):
        marks = [default, *get_args(hints.get(name))[1:]]
        found = [each for each in marks if isinstance(each, _Marker)]
        if found:
            told.append((place, name, found[0]))

    @wraps(fn)
    def wrapper(*args, **kwargs):
        for place, name, marker in told:
            if place >= len(args) and name not in kwargs:
                kwargs[name] = marker._found()
        return fn(*args, **kwargs)

    return wrapper
