"""What gives objects: https://python-dependency-injector.ets-labs.org/providers/"""

import json
import os
import re

import yaml

from _native import is_known, kind, same, unknown

_UNSET = object()


class Provider:
    """`_held`: what is given to what it makes; `_over`: the providers that stand in its place, the last one first."""

    def __init__(self, *args, **kwargs):
        self._args = list(args)
        self._kwargs = dict(kwargs)
        self._over = []

    def __call__(self, *args, **kwargs):
        if self._over:
            return self._over[-1](*args, **kwargs)
        return self._give(args, kwargs)

    def _give(self, args, kwargs):
        return unknown("provider")

    def _filled(self, args, kwargs):
        """What is called with: what it was told of, behind what it is told now."""
        return [*[_given(each) for each in self._args], *args], {**_all_given(self._kwargs, kwargs), **kwargs}

    def _copy(self, memo):
        """The same for another container: `memo` has the pairs of what is copied."""
        for old, new in memo:
            if old is self:
                return new
        made = object.__new__(type(self))
        memo.append((self, made))
        for name in self.__dict__:
            made.__dict__[name] = _copied(self.__dict__[name], memo)
        return made

    @property
    def provider(self):
        return Object(self)

    @property
    def provided(self):
        return _Provided(self, ())

    def add_args(self, *args):
        self._args += args
        return self

    def add_kwargs(self, **kwargs):
        self._kwargs.update(kwargs)
        return self

    def override(self, provider):
        self._over.append(provider if isinstance(provider, Provider) else Object(provider))
        return _Overriding(self)

    def reset_last_overriding(self):
        self._over.pop()

    def reset_override(self):
        self._over = []


class _Overriding:
    def __init__(self, provider):
        self._provider = provider

    def __enter__(self):
        return self._provider

    def __exit__(self, kind, error, trace):
        self._provider.reset_last_overriding()


class Object(Provider):
    def _give(self, args, kwargs):
        return self._args[0]

    def _copy(self, memo):
        return super()._copy(memo) if isinstance(self._args[0], Provider) else self


class _Making(Provider):
    def __init__(self, provides=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.cls = self._provides = provides

    def _give(self, args, kwargs):
        values, names = self._filled(args, kwargs)
        return _given(self._provides)(*values, **names)


class Factory(_Making):
    pass


class Callable(_Making):
    pass


Coroutine = AbstractFactory = DelegatedFactory = Callable


class Singleton(_Making):
    def __init__(self, provides=None, *args, **kwargs):
        super().__init__(provides, *args, **kwargs)
        self._made = _UNSET

    def _give(self, args, kwargs):
        if self._made is _UNSET:
            self._made = super()._give(args, kwargs)
        return self._made

    def _copy(self, memo):
        made = super()._copy(memo)
        made._made = _UNSET
        return made

    def reset(self):
        self._made = _UNSET


ThreadSafeSingleton = ThreadLocalSingleton = ContextLocalSingleton = Singleton


class Resource(Singleton):
    def _give(self, args, kwargs):
        if self._made is _UNSET:
            made = super()._give(args, kwargs)
            if same(kind(made), "generator"):
                made = next(made)
            self._made = made.init(*args) if hasattr(made, "init") and hasattr(made, "shutdown") else made
        return self._made

    def init(self):
        return self()

    def shutdown(self):
        self._made = _UNSET


class List(Provider):
    def _give(self, args, kwargs):
        return self._filled(args, {})[0]


class Dict(Provider):
    def __init__(self, mapping=None, **kwargs):
        super().__init__(**{**(mapping or {}), **kwargs})

    def _give(self, args, kwargs):
        return self._filled((), kwargs)[1]


class Selector(Provider):
    def __init__(self, selector=None, **providers):
        super().__init__(**providers)
        self._selector = selector

    def _give(self, args, kwargs):
        return self._kwargs[self._selector()](*args, **kwargs)


class Aggregate(Provider):
    def __init__(self, mapping=None, **providers):
        super().__init__(**{**(mapping or {}), **providers})

    def _give(self, args, kwargs):
        return self._kwargs[args[0]](*args[1:], **kwargs)

    def __getattr__(self, name):
        if name not in self.__dict__.get("_kwargs", {}):
            raise AttributeError(name)
        return self._kwargs[name]


FactoryAggregate = Aggregate


class Dependency(Provider):
    def __init__(self, instance_of=object, default=_UNSET):
        super().__init__()
        self._default = default

    def _give(self, args, kwargs):
        return unknown("dependency") if self._default is _UNSET else _given(self._default)


class Container(Provider):
    def __init__(self, container_cls=None, **overriding):
        super().__init__(**overriding)
        self._class = container_cls
        self._made = None

    def _held(self):
        if self._made is None:
            self._made = self._class(**self._kwargs)
        return self._made

    def _give(self, args, kwargs):
        return self._held()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Inside(self, name)

    def _copy(self, memo):
        made = super()._copy(memo)
        made._made = None
        return made


class _Inside(Provider):
    """A provider of a container that another one holds."""

    def __init__(self, holder, name):
        super().__init__()
        self._holder = holder
        self._name = name

    def _there(self):
        return getattr(self._holder._held(), self._name)

    @property
    def provider(self):
        return _Itself(self)

    def _give(self, args, kwargs):
        return self._there()(*args, **kwargs)


class _Itself(Provider):
    """Gives a provider of a container that another one holds, not what that gives."""

    def _copy(self, memo):
        return _Itself(self._args[0]._copy(memo))

    def _give(self, args, kwargs):
        return self._args[0]._there()


class _Provided(Provider):
    """What an object that is provided has, by the steps to it."""

    def __init__(self, provider, steps):
        super().__init__()
        self._of = provider
        self._steps = steps

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Provided(self._of, (*self._steps, (True, name)))

    def __getitem__(self, key):
        return _Provided(self._of, (*self._steps, (False, key)))

    def call(self, *args, **kwargs):
        return Callable(self, *args, **kwargs)

    def _give(self, args, kwargs):
        value = self._of()
        for is_attribute, key in self._steps:
            value = getattr(value, key) if is_attribute else value[key]
        return value


class ConfigurationOption(Provider):
    """A value of a configuration by its path, as it is when it is asked for."""

    def __init__(self, root, path, convert=None):
        super().__init__()
        self._root = root
        self._path = path
        self._convert = convert

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return ConfigurationOption(self._root, (*self._path, name))

    def __getitem__(self, key):
        return ConfigurationOption(self._root, (*self._path, key))

    def _give(self, args, kwargs):
        value = self._root._found(self._path)
        return value if self._convert is None else self._convert(value)

    def as_(self, callback, *args, **kwargs):
        return ConfigurationOption(self._root, self._path, lambda value: callback(value, *args, **kwargs))

    def as_int(self):
        return self.as_(int)

    def as_float(self):
        return self.as_(float)

    def required(self):
        return self

    def from_value(self, value):
        self._root._set(self._path, value)

    override = update = from_dict = from_value

    def from_env(self, name, default=None, required=False, as_=None):
        value = os.environ.get(name, default)
        self.from_value(value if as_ is None else as_(value))


class Configuration(ConfigurationOption):
    def __init__(self, name="config", default=None, strict=False, yaml_files=(), json_files=(), ini_files=(), **others):
        super().__init__(self, ())
        self._data = default or {}
        for each in yaml_files:
            self.from_yaml(each)
        for each in json_files:
            self.from_json(each)
        if ini_files or others:
            self._data = unknown("configuration")

    def _found(self, path):
        value = self._over[-1]() if self._over else self._data
        for key in path:
            if value is None or key not in value:
                return None
            value = value[key]
        return value

    def _give(self, args, kwargs):
        return self._data

    def _set(self, path, value):
        held = self._data
        if not path:
            self._data = _merged(held, value)
            return
        for key in path[:-1]:
            held = held.setdefault(key, {})
        held[path[-1]] = value

    def set(self, selector, value):
        self._set(selector.split("."), value)

    def get(self, selector, required=False):
        return self._found(selector.split("."))

    def from_dict(self, options, required=False):
        self._data = _merged(self._data, options)

    update = from_dict

    def override(self, provider):
        if isinstance(provider, Provider):
            return super().override(provider)
        self.from_dict(provider)

    def from_yaml(self, filepath, required=False, loader=None, envs_required=False):
        with open(filepath) as file:
            self.from_dict(_filled_in(yaml.safe_load(file)))

    def from_json(self, filepath, required=False, envs_required=False):
        with open(filepath) as file:
            self.from_dict(_filled_in(json.load(file)))

    def from_ini(self, filepath, required=False, envs_required=False):
        self._data = unknown("configuration")

    from_pydantic = from_ini


def _given(value):
    return value() if isinstance(value, Provider) else value


def _all_given(kwargs, instead):
    return {name: _given(kwargs[name]) for name in kwargs if name not in instead}


def _copied(value, memo):
    if isinstance(value, Provider):
        return value._copy(memo)
    if isinstance(value, list):
        return [_copied(each, memo) for each in value]
    if isinstance(value, dict):
        return {key: _copied(value[key], memo) for key in value}
    return value


def _merged(one, other):
    """A mapping with what another one says, deep."""
    if not is_known(one) or not is_known(other):
        return unknown("configuration")
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other
    made = dict(one)
    for key in other:
        made[key] = _merged(one[key], other[key]) if key in one else other[key]
    return made


def _filled_in(value):
    """Settings with variables of the environment in the place of `${NAME:default}`."""
    if not is_known(value):
        return value
    if isinstance(value, dict):
        return {key: _filled_in(value[key]) for key in value}
    if isinstance(value, list):
        return [_filled_in(each) for each in value]
    if isinstance(value, str) and "${" in value:
        whole = re.fullmatch(r"\$\{([^}:]+):([A-Za-z_][^}]*)\}", value)
        return os.environ.get(whole.group(1), whole.group(2)) if whole else unknown("configuration")
    return value
