"""Models of pydantic 2, and the names that version 1 has for the same: https://docs.pydantic.dev"""

import json
from copy import deepcopy

from _native import annotated, bound, coerced, coerced_as, option, parameters, unknown, validators

_UNSET = object()
_SET = "<set>"
"""The attribute that holds the names of the fields which were given; it does not show."""


class ValidationError(ValueError):
    def __init__(self, title, errors):
        super().__init__(unknown("ValidationError"))
        self.title = title
        self._errors = errors

    def errors(self, *, include_url=True, include_context=True, include_input=True):
        return [
            {"type": kind, "loc": place, "msg": unknown("msg"), "input": given, "ctx": unknown("ctx")}
            for place, kind, given in self._errors
        ]

    def error_count(self):
        return len(self._errors)


class FieldInfo:
    """What is told of a field: `Field(…)`."""

    def __init__(self, default, default_factory, names, written, limits, exclude, discriminator):
        self.default = default
        self.default_factory = default_factory
        self.names = names
        self.alias = written
        self.limits = limits
        self.exclude = exclude
        if discriminator is not None:
            self.discriminator = discriminator

    def is_required(self):
        return self.default is _UNSET and self.default_factory is None


class AliasChoices:
    def __init__(self, *choices):
        self.choices = choices


class AliasPath:
    def __init__(self, *path):
        self.path = path


def Field(
    default=_UNSET,
    *,
    default_factory=None,
    alias=None,
    validation_alias=None,
    serialization_alias=None,
    exclude=None,
    discriminator=None,
    **others,
):
    given = alias if validation_alias is None else validation_alias
    names = given.choices if isinstance(given, AliasChoices) else () if given is None else (given,)
    written = alias if serialization_alias is None else serialization_alias
    made = _UNSET if default is ... else default
    return FieldInfo(made, default_factory, names, written, others, exclude, discriminator)


class PrivateAttr:
    def __init__(self, default=None, *, default_factory=None, init=True):
        self.default = default
        self.default_factory = default_factory

    def _made(self):
        return deepcopy(self.default) if self.default_factory is None else self.default_factory()


def ConfigDict(**config):
    return config


class BeforeValidator:
    mode = "before"

    def __init__(self, func):
        self.func = func
        self.mode = type(self).mode


class AfterValidator(BeforeValidator):
    mode = "after"


class PlainValidator(BeforeValidator):
    mode = "plain"


class Validator:
    """A method that checks fields (`fields`), or the whole of a model, in a `mode`."""

    def __init__(self, function, fields, mode):
        self.function = function
        self.fields = fields
        self.mode = mode


class ValidationInfo:
    def __init__(self, data, field_name):
        self.data = data
        self.field_name = field_name
        self.context = None
        self.mode = "python"


def field_validator(*fields, mode="after", check_fields=None):
    return lambda function: Validator(function, fields, mode)


def validator(*fields, pre=False, always=False, **others):
    return lambda function: Validator(function, fields, "before" if pre else "after")


def model_validator(*, mode):
    return lambda function: Validator(function, (), mode)


def root_validator(*given, pre=False, **others):
    made = lambda function: Validator(function, (), "before" if pre else "data")
    return made(given[0]) if given else made


class _Computed:
    """What a model shows beside its fields."""

    def __init__(self, function, alias):
        self._function = function.fget if isinstance(function, property) else function
        self.alias = alias

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return self if instance is None else self._function(instance)


def computed_field(func=None, *, alias=None, **others):
    return _Computed(func, alias) if func is not None else lambda function: _Computed(function, alias)


class SecretStr:
    def __init__(self, secret_value):
        self._secret_value = secret_value

    def get_secret_value(self):
        return self._secret_value

    def __str__(self):
        return "**********" if self._secret_value else ""

    def __repr__(self):
        return f"SecretStr('{self}')"

    def __eq__(self, other):
        return isinstance(other, SecretStr) and self._secret_value == other._secret_value

    def __len__(self):
        return len(self._secret_value)


class BaseModel:
    model_config = {}
    model_extra = None

    def __init__(self, **data):
        self._validate(data)

    def _validate(self, data):
        cls = type(self)
        checks = validators(cls, Validator)
        whole = [each for each in checks if not each.fields]
        for each in whole:
            if each.mode == "before":
                data = self._asked(each, None, data)
        errors = []
        taken = []
        fields = annotated(cls, _UNSET)
        for name, default in fields:
            value = self._value(cls, name, default, data, checks, errors, taken)
            if value is not _UNSET:
                self.__dict__[name] = value
        self._others(cls, data, taken, errors)
        if errors:
            raise ValidationError(cls.__name__, errors)
        for name, default in annotated(cls, None, True):
            self.__dict__[name] = default._made() if isinstance(default, PrivateAttr) else deepcopy(default)
        object.__setattr__(self, _SET, [name for name, _ in fields if name in taken])
        self.model_post_init(None)
        for each in whole:
            if each.mode == "after":
                self._asked(each, self)
            elif each.mode == "data":
                for name, value in self._asked(each, None, dict(self)).items():
                    self.__dict__[name] = value

    def _asked(self, check, on, *given):
        """What a method that checks the whole of a model gives: what it refuses is an error of the model."""
        try:
            return bound(check.function, on, type(self))(*given)
        except (ValueError, AssertionError) as error:
            if isinstance(error, ValidationError):
                raise
            raise ValidationError(type(self).__name__, [((), _kind(error), unknown("input"))]) from error

    def _others(self, cls, data, taken, errors):
        """What is given and names no field."""
        extra = option(cls, "extra")
        if extra == "forbid":
            for key in data:
                if key not in taken:
                    errors.append(((key,), "extra_forbidden", data[key]))
        elif extra == "allow":
            for key in data:
                if key not in taken:
                    self.__dict__[key] = data[key]

    def model_post_init(self, context):
        pass

    def _value(self, cls, name, default, data, checks, errors, taken):
        names, factory, limits = (), None, None
        if isinstance(default, FieldInfo):
            names, factory, limits, default = default.names, default.default_factory, default.limits, default.default
        if not names and option(cls, "alias_generator") is not None:
            names = (option(cls, "alias_generator")(name),)
        if not names or option(cls, "populate_by_name") is True or option(cls, "validate_by_name") is True:
            names = (*names, name)
        for key in names:
            if isinstance(key, AliasPath):
                return unknown("AliasPath")
            if key in data:
                taken += [key, name]
                place = key if key == names[0] else unknown("loc")  # releases differ
                return self._checked(cls, name, data[key], checks, limits, errors, place)
        found = self._default(cls, name, default, factory, names)
        if found is _UNSET:
            errors.append(((names[0],), "missing", data))
        return found

    def _default(self, cls, name, default, factory, names):
        if factory is not None:
            return factory()
        return deepcopy(default) if isinstance(default, (list, dict, set, BaseModel)) else default

    def _checked(self, cls, name, value, checks, limits, errors, place):
        own = [each for each in checks if name in each.fields or "*" in each.fields]
        found = []
        if not own:
            value = coerced(cls, name, value, limits, found)
        else:
            value = self._changed(cls, name, value, own, limits, found)
        for where, kind, given in found:
            errors.append(((place, *where[1:]), kind, given))
        return _UNSET if found else value

    def _changed(self, cls, name, value, own, limits, found):
        """A value of a field that methods check."""
        try:
            for each in own[::-1]:
                if each.mode in ("before", "plain"):
                    value = _call(each.function, cls, value, name, self)
            if not [each for each in own if each.mode == "plain"]:
                value = coerced(cls, name, value, limits, found)
            for each in own if not found else ():
                if each.mode == "wrap":
                    value = unknown("wrap")
                elif each.mode == "after":
                    value = _call(each.function, cls, value, name, self)
        except (ValueError, AssertionError) as error:
            found.append(((name,), _kind(error), value))
        return value

    def __setattr__(self, name, value):
        cls = type(self)
        if option(cls, "frozen") is True or option(cls, "allow_mutation") is False:
            raise ValidationError(cls.__name__, [((name,), "frozen_instance", value)])
        if option(cls, "validate_assignment") is True and name in self.__dict__:
            errors, checks = [], validators(cls, Validator)
            default = [each for key, each in annotated(cls, _UNSET) if key == name and isinstance(each, FieldInfo)]
            value = self._checked(cls, name, value, checks, default[0].limits if default else None, errors, name)
            if errors:
                raise ValidationError(cls.__name__, errors)
        object.__setattr__(self, name, value)

    @property
    def model_fields_set(self):
        return set(getattr(self, _SET))

    @classmethod
    def model_validate(cls, obj, **others):
        return obj if isinstance(obj, cls) else cls(**obj)

    @classmethod
    def parse_obj(cls, obj):
        return cls(**obj)

    @classmethod
    def model_validate_json(cls, json_data, **others):
        return cls(**json.loads(json_data))

    @classmethod
    def parse_raw(cls, value):
        return cls(**json.loads(value))

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        made = object.__new__(cls)
        for name, default in annotated(cls, _UNSET):
            made.__dict__[name] = values.get(name, unknown("default"))
        object.__setattr__(made, _SET, list(values))
        return made

    def model_copy(self, *, update=None, deep=False):
        made = object.__new__(type(self))
        for name in self.__dict__:
            made.__dict__[name] = deepcopy(self.__dict__[name]) if deep else self.__dict__[name]
        for name in update or {}:
            made.__dict__[name] = update[name]
        object.__setattr__(made, _SET, [*getattr(self, _SET), *(update or {})])
        return made

    def copy(self, *, update=None, deep=False, include=None, exclude=None):
        return self.model_copy(update=update, deep=deep)

    def model_dump(self, **settings):
        return _dumped(self, settings)

    def dict(self, **settings):
        return _dumped(self, settings)

    def model_dump_json(self, *, indent=None, **settings):
        shown = _dumped(self, {**settings, "mode": "json"})
        return json.dumps(shown, indent=indent) if indent else json.dumps(shown, separators=(",", ":"))

    def __iter__(self):
        return iter([(name, getattr(self, name)) for name, _ in annotated(type(self), _UNSET)])

    def __eq__(self, other):
        return type(self) is type(other) and dict(self) == dict(other)

    def __str__(self):
        return " ".join([f"{name}={value!r}" for name, value in self])

    def __repr__(self):
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in self])})"


class RootModel(BaseModel):
    def __init__(self, root=_UNSET, /, **data):
        super().__init__(root=data if root is _UNSET else root)

    @classmethod
    def model_validate(cls, obj, **others):
        return cls(obj)

    def model_dump(self, **settings):
        return _plain(self.root, settings)


class TypeAdapter:
    def __init__(self, type, *, config=None):
        self._type = type

    def validate_python(self, object, /, **others):
        errors = []
        value = coerced_as(self._type, object, errors)
        if errors:
            raise ValidationError(unknown("title"), errors)
        return value

    def validate_json(self, data, /, **others):
        return self.validate_python(json.loads(data))

    def dump_python(self, instance, /, **settings):
        return _plain(instance, settings)


def validate_call(*given, **settings):
    return given[0] if given else lambda function: function


def _kind(error):
    return "assertion_error" if isinstance(error, AssertionError) else "value_error"


def _call(function, cls, value, name, model):
    """What a method gives that checks a field: some want to know more."""
    wanted = [each[0] for each in parameters(function, _UNSET)[:-1]]
    if isinstance(function, staticmethod):
        return function(value)
    if "values" in wanted:
        return bound(function, None, cls)(value, values=dict(model.__dict__))
    if len(wanted) > 2:
        return bound(function, None, cls)(value, ValidationInfo(dict(model.__dict__), name))
    return bound(function, None, cls)(value)


def _plain(value, settings):
    """A value as a dump has it."""
    if isinstance(value, BaseModel):
        return value.model_dump(**settings)
    if isinstance(value, (list, tuple)):
        made = [_plain(each, inner) for each, inner in _parts(value, range(len(value)), settings)]
        return tuple(made) if isinstance(value, tuple) and settings.get("mode") != "json" else made
    if isinstance(value, dict):
        return {key: _plain(value[key], inner) for key, (_, inner) in zip(value, _parts(value.values(), value, settings))}
    if settings.get("mode") == "json" and not isinstance(value, (str, int, float, bool)) and value is not None:
        return value.value if hasattr(value, "value") else unknown("mode")
    return value


def _rule(rules, key):
    """What `include` or `exclude` says of a field: whether all of it, and what of what it holds."""
    if not isinstance(rules, dict):
        return rules is not None and key in rules, None
    told = rules.get(key, rules.get("__all__", False))
    return (told is not False, None) if isinstance(told, bool) or told is ... else (False, told)


def _below(settings, key):
    """The settings for what a field holds."""
    inner = {name: _rule(settings.get(name), key)[1] for name in ("include", "exclude")}
    return {**settings, **inner}


def _parts(values, keys, settings):
    """Elements with the settings for each; nobody tells which of them are left out."""
    made = []
    for value, key in zip(values, keys):
        left = _rule(settings.get("exclude"), key)[0] or (
            settings.get("include") is not None and not any(_rule(settings["include"], key))
        )
        made.append((unknown("exclude") if left else value, _below(settings, key)))
    return made


def _dumped(model, settings):
    cls = type(model)
    include, exclude = settings.get("include"), settings.get("exclude")
    known = getattr(model, _SET)
    made = {}
    for name, default in annotated(cls, _UNSET):
        told = default if isinstance(default, FieldInfo) else None
        written = default.default if told is not None else default
        value = getattr(model, name)
        left = _rule(exclude, name)[0] or (include is not None and not any(_rule(include, name)))
        left = left or (told is not None and told.exclude)
        left = left or (settings.get("exclude_none") and value is None)
        left = left or (settings.get("exclude_unset") and name not in known)
        left = left or (settings.get("exclude_defaults") and written is not _UNSET and value == written)
        if left:
            continue
        key = name
        if settings.get("by_alias") and told is not None and told.alias is not None:
            key = told.alias
        elif settings.get("by_alias") and option(cls, "alias_generator") is not None:
            key = option(cls, "alias_generator")(name)
        made[key] = _plain(value, _below(settings, name))
    for each in validators(cls, _Computed):
        if not _rule(exclude, each.name)[0] and (include is None or any(_rule(include, each.name))):
            made[each.name] = _plain(each.__get__(model), _below(settings, each.name))
    return made
