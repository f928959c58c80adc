"""Models of pydantic 2, and the names that version 1 has for the same: https://docs.pydantic.dev"""

import json

from _native import annotated, bound, coerced, option, validators

_UNSET = object()


class ValidationError(ValueError):
    pass


class FieldInfo:
    def __init__(self, default, default_factory, names):
        self.default = default
        self.default_factory = default_factory
        self.names = names


class AliasChoices:
    def __init__(self, *choices):
        self.choices = choices


def Field(default=_UNSET, default_factory=None, alias=None, validation_alias=None, **others):
    given = alias if validation_alias is None else validation_alias
    names = given.choices if isinstance(given, AliasChoices) else () if given is None else (given,)
    return FieldInfo(_UNSET if default is ... else default, default_factory, names)


def ConfigDict(**config):
    return config


class Validator:
    """A method that checks fields (`fields`), or the whole of a model, in a `mode`."""

    def __init__(self, function, fields, mode):
        self.function = function
        self.fields = fields
        self.mode = mode


def field_validator(*fields, mode="after", check_fields=None):
    return lambda function: Validator(function, fields, mode)


def validator(*fields, pre=False, always=False, **others):
    return lambda function: Validator(function, fields, "before" if pre else "after")


def model_validator(mode):
    return lambda function: Validator(function, (), mode)


class BaseModel:
    model_config = {}

    def __init__(self, **data):
        self._validate(data)

    def _validate(self, data):
        cls = type(self)
        checks = validators(cls, Validator)
        for each in checks:
            if not each.fields and each.mode == "before":
                data = bound(each.function, None, cls)(data)
        for name, default in annotated(cls, _UNSET):
            setattr(self, name, self._value(cls, name, default, data, checks))
        if option(cls, "extra") == "allow":
            for key in data:
                if not hasattr(self, key):
                    setattr(self, key, data[key])
        for each in checks:
            if not each.fields and each.mode == "after":
                bound(each.function, self, cls)()
        self.model_post_init(None)

    def model_post_init(self, context):
        pass

    def _value(self, cls, name, default, data, checks):
        names, factory = (), None
        if isinstance(default, FieldInfo):
            names, factory, default = default.names, default.default_factory, default.default
        if not names or option(cls, "populate_by_name") is True:
            names = (*names, name)
        for key in names:
            if key in data:
                return self._checked(cls, name, data[key], checks)
        return self._default(cls, name, default, factory, names)

    def _default(self, cls, name, default, factory, names):
        if factory is not None:
            return factory()
        if default is not _UNSET:
            return default.copy() if isinstance(default, (list, dict, set)) else default
        raise ValidationError(name)

    def _checked(self, cls, name, value, checks):
        own = [each for each in checks if name in each.fields or "*" in each.fields]
        for each in own:
            if each.mode == "before":
                value = bound(each.function, None, cls)(value)
        value = coerced(cls, name, value)
        for each in own:
            if each.mode != "before":
                value = bound(each.function, None, cls)(value)
        return value

    @classmethod
    def model_validate(cls, value, **others):
        return value if isinstance(value, cls) else cls(**value)

    @classmethod
    def parse_obj(cls, value):
        return cls(**value)

    @classmethod
    def model_validate_json(cls, value, **others):
        return cls(**json.loads(value))

    @classmethod
    def parse_raw(cls, value):
        return cls(**json.loads(value))

    @classmethod
    def model_construct(cls, **data):
        return cls(**data)

    def model_copy(self, update=None, deep=False):
        made = type(self)(**{name: getattr(self, name) for name, _ in annotated(type(self), _UNSET)})
        for name in update or {}:
            setattr(made, name, update[name])
        return made

    def copy(self, update=None, deep=False):
        return self.model_copy(update=update)

    def model_dump(self, **others):
        return {name: _dumped(getattr(self, name)) for name, _ in annotated(type(self), _UNSET)}

    def dict(self, **others):
        return self.model_dump()

    def __iter__(self):
        return iter([(name, getattr(self, name)) for name, _ in annotated(type(self), _UNSET)])

    def __eq__(self, other):
        return type(self) is type(other) and self.model_dump() == other.model_dump()


def _dumped(value):
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, (list, tuple)):
        return [_dumped(each) for each in value]
    if isinstance(value, dict):
        return {key: _dumped(value[key]) for key in value}
    return value
