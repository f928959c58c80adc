"""What the models of pydantic ask of classes: their annotated fields, and values taken for the types of these."""

from __future__ import annotations

from typing import Final

from subdrift.linter.resolve.execute.deferred import settings_of
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.values import Function, Guarded, Object, Step, Text, TypeValue, text
from subdrift.linter.resolve.semantics.python import classes, equality
from subdrift.linter.resolve.semantics.python.coercion import Coercion, fields_of, hint_of, structured
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.hints import parts_of
from subdrift.linter.resolve.semantics.python.natives import Call, native
from subdrift.linter.resolve.semantics.python.paths import path_of


def _info(call: Call, value: Guarded) -> classes.ClassInfo | None:
    declared = value.declared if isinstance(value, TypeValue) else None
    return classes.info_of(call.run, declared) if declared is not None else None


@native("_native.annotated")
def _annotated(call: Call) -> Guarded:
    """`annotated(cls, missing, private=False)`: names and defaults of the fields of a class, or of what is private in it."""
    info = _info(call, call.get(0))
    if info is None:
        return call.unknown("annotated()")
    every = []
    for name, (holder, decl) in fields_of(call, info, private=call.get(2) is True).items():
        default = holder.attributes.get(name, UNSET)
        if default is UNSET and decl.annotations:  # `Annotated[str, Field(alias="…")]`
            _, marks = parts_of(hint_of(call, holder, decl))
            given = [each for each in marks or () if isinstance(each, Object) and "default" in each.fields]
            default = given[0] if given else UNSET
        every.append((text(name), call.get(1) if default is UNSET else default))
    return tuple(every)


@native("_native.validators")
def _validators(call: Call) -> Guarded:
    """`validators(cls, kind)`: what the bodies of a class and of those above it hold of a kind."""
    info, kind = _info(call, call.get(0)), call.get(1)
    found: dict[str, Guarded] = {}
    for each in reversed(info.order) if info is not None else ():
        above = classes.info_of(call.run, each) if not isinstance(each, str) else None
        found.update(above.attributes if above is not None else {})
    wanted = kind.declared if isinstance(kind, TypeValue) else None
    return tuple(
        one for one in found.values() if isinstance(one, Object) and one.declared is wanted is not None
    )


@native("_native.bound")
def _bound(call: Call) -> Guarded:
    """`bound(function, object, cls)`: what a class body holds as a method of an object, of the class where that is None."""
    function, value, kind = call.get(0), call.get(1), call.get(2)
    if value is None:
        value = kind
        if isinstance(function, Function):
            function = call.make("builtins.classmethod", function=function)
    return classes.bind_to(call.python, call.run, function, value, kind, call.frame)


@native("_native.option")
def _option(call: Call) -> Guarded:
    """`option(cls, name)`: what a class is configured with, by `model_config`, its inner `Config` or its keywords."""
    value, name = call.get(0), call.get(1)
    return _setting(call, value, name.known or "") if isinstance(name, Text) else None


def _setting(call: Call, value: Guarded, known: str) -> Guarded:
    info = _info(call, value)
    if info is None:
        return None
    for each in info.order:
        above = classes.info_of(call.run, each) if not isinstance(each, str) else None
        held = above.attributes if above is not None else {}
        config, inner = held.get("model_config", UNSET), held.get("Config", UNSET)
        for entry in config.entries or () if isinstance(config, Object) else ():
            if isinstance(entry.key, Text) and entry.key.known == known:
                return entry.value
        if isinstance(inner, TypeValue) and inner.declared is not None:
            found = classes.class_attribute(call.run, inner.declared, _OLD.get(known, known))
            if found is not UNSET:
                return found
    return None


_OLD: Final = {
    "populate_by_name": "allow_population_by_field_name",
    "str_strip_whitespace": "anystr_strip_whitespace",
    "str_to_lower": "anystr_lower",
    "str_to_upper": "anystr_upper",
}
"""Names that version 1 of pydantic has for the same."""


@native("_native.variables")
def _variables(call: Call) -> Guarded:
    """`variables(paths, written=False)`: what the files of variables that are in sight set, in capitals or as written; not
    known where it is not known which files these are."""
    made = call.run.make(None, "dict", call.at)
    made.entries = []
    settings, owner = settings_of(call.run), call.program_frame.owner
    given = call.get(0)
    listed = given if isinstance(given, tuple) else (given,)
    for each in listed:
        tail = path_of(each)
        if tail is None and each is not None:
            return unknown_from((each,), "variables()")
        if not tail or settings is None or owner is None:
            continue
        for one in settings.variables(tail, owner.origin) or ():
            name = text(one.name if call.get(1, default=False) is True else one.name.upper())
            known = text(one.text or "", (Step(one.at, f"`{one.name}`"),))
            equality.put(made, name, call.unknown(one.name) if one.text is None else known, True)
    return made


@native("_native.coerced")
def _coerced(call: Call) -> Guarded:
    """`coerced(cls, name, value, limits, errors)`: a value as the type of a field has it, within the limits that the field has;
    what is refused goes into `errors`."""
    info, name = _info(call, call.get(0)), call.get(1)
    found = (
        fields_of(call, info).get(name.known or "") if info is not None and isinstance(name, Text) else None
    )
    if found is None:
        return call.get(2)
    settings = {each: _setting(call, call.get(0), each) for each in _TEXTS}
    written = hint_of(call, *found)
    return Coercion(call, settings).taken(call.get(2), written, call.get(3), call.get(4), name)


_TEXTS: Final = ("str_strip_whitespace", "str_to_lower", "str_to_upper", "strict")
"""What a model says of all its fields."""


@native("_native.coerced_as")
def _coerced_as(call: Call) -> Guarded:
    """`coerced_as(hint, value, errors)`: a value as a type has it."""
    return Coercion(call, {}).taken(call.get(1), call.get(0), None, call.get(2), UNSET)


@native("_native.is_structured")
def _is_structured(call: Call) -> Guarded:
    """`is_structured(cls, name)`: whether a field is a collection or a model: settings have it as JSON."""
    info, name = _info(call, call.get(0)), call.get(1)
    found = (
        fields_of(call, info).get(name.known or "") if info is not None and isinstance(name, Text) else None
    )
    return found is not None and structured(call, hint_of(call, *found))
