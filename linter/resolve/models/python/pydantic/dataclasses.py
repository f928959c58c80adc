"""Classes of data that take and refuse values as models do: https://docs.pydantic.dev/latest/concepts/dataclasses/"""

import dataclasses

from _native import annotated, coerced, unknown, validators
from pydantic import FieldInfo, ValidationError, Validator

_MISSING = object()


def dataclass(_cls=None, *, config=None, init=True, validate_on_init=None, **options):
    def make(cls):
        limits = {}
        for name, default in annotated(cls, _MISSING):
            if isinstance(default, FieldInfo):
                limits[name] = default.limits
                given = {} if default.is_required() else {"default": default.default}
                given = given if default.default_factory is None else {"default_factory": default.default_factory}
                setattr(cls, name, dataclasses.field(**given))

        def checked(cls, values):
            errors = []
            found = {}
            for name, default in annotated(cls, _MISSING):
                if name in values:
                    found[name] = coerced(cls, name, values[name], limits.get(name), errors)
                else:
                    errors.append(((name,), "missing", values))
            if errors:
                raise ValidationError(cls.__name__, errors)
            return {name: unknown("validator") for name in found} if validators(cls, Validator) else found

        return dataclasses.dataclass(cls, **{"<checked>": checked, **options})

    return make if _cls is None else make(_cls)
