"""Constructors that fill fields: of dataclasses, named tuples and pydantic models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python.classes import ClassInfo, info_of, method_of
from subdrift.linter.resolve.semantics.python.equality import OWN_EQUALITY
from subdrift.linter.resolve.semantics.python.functions import bind

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def _kind(decl: ir.FieldDecl) -> str:
    """The simple name of the type that a field is written with."""
    return "" if decl.type is None else decl.type.name.rpartition(".")[2]


def dataclass_fields(
    run: Interpreter, info: ClassInfo, *, every: bool = False
) -> list[tuple[ClassInfo, ir.FieldDecl]]:
    """The fields of a dataclass or named tuple: those of the classes above first, each name once. `every`: with what is
    written as one and is none (`InitVar`, `KW_ONLY`)."""
    found: dict[str, tuple[ClassInfo, ir.FieldDecl]] = {}
    for each in reversed(info.order):
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is not None and (
            above is info or above.dataclass is not None or above.is_tuple or _open_model(above)
        ):
            for decl in above.annotated:
                if (above.dataclass or {}).get("auto_attribs") is False and not _is_field(above, decl):
                    continue
                if every or _kind(decl) not in ("InitVar", "KW_ONLY"):
                    found[decl.name] = (above, decl)
    return list(found.values())


def _is_field(info: ClassInfo, decl: ir.FieldDecl) -> bool:
    written = info.attributes.get(decl.name)
    return isinstance(written, Object) and written.type == "dataclasses.field"


def shape(run: Interpreter, info: ClassInfo, name: str) -> Guarded:
    """What a named tuple says of its fields: `_fields` and `_field_defaults`."""
    fields = dataclass_fields(run, info)
    if name == "_fields":
        return tuple(text(decl.name) for _, decl in fields)
    made = run.make(None, "dict", None)
    held = [(decl.name, holder.attributes.get(decl.name, UNSET)) for holder, decl in fields]
    made.entries = [Entry(True, text(each), value) for each, value in held if value is not UNSET]
    return made


def _open_model(info: ClassInfo) -> bool:
    return any(each.rpartition(".")[2] in ("BaseModel", "BaseSettings") for each in info.library)


def fills_itself(info: ClassInfo) -> bool:
    """Whether instances get their annotated names from the arguments of the constructor."""
    return info.dataclass is not None or info.is_tuple or _open_model(info)


def filling(run: Interpreter, info: ClassInfo, after: Class | None = None) -> ClassInfo | None:
    """The class whose constructor an instance has, where that is one which fills its fields: its own, or the next above it
    (behind `after` where that is given) if no `__init__` comes before."""
    order = info.order
    if after is not None and after in order:
        order = order[order.index(after) + 1 :]
    for each in order:
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is not None and "__init__" in above.attributes:
            return None
        if above is not None and fills_itself(above):
            return above
    return None


def is_off(info: ClassInfo, name: str, options: Sequence[str]) -> bool:
    """Whether a field of a dataclass is left out: `field(compare=False)`."""
    written = info.attributes.get(name)
    return (
        isinstance(written, Object)
        and written.type == "dataclasses.field"
        and any(written.fields.get(each) is False for each in options)
    )


def fill(
    python: Python,
    run: Interpreter,
    info: ClassInfo,
    made: Object,
    arguments: Arguments,
    frame: Frame,
    at: Location,
) -> None:
    """What the constructor of a dataclass, named tuple or pydantic model does."""
    fields, written = dataclass_fields(run, info), dataclass_fields(run, info, every=True)
    taken = _taken(info, written, made)
    inner = run.frame(info.declared, made, caller=frame, called_at=at)
    settings = any(each.rpartition(".")[2] == "BaseSettings" for each in info.library)
    if CHECKED in (info.dataclass or {}):
        taken.defaults = {**{each.name: UNSET for each in taken.params}, **taken.defaults}
    bind(python, run, taken.params, arguments, taken.defaults, inner, strict=not _open_model(info))
    if run.guard is False:
        return
    for holder, decl in fields:
        value = inner.variables.get(argument(holder, decl), made.fields.get(decl.name, UNSET))
        if value is UNSET and decl.name in taken.later:
            given = Arguments([made] if decl.name in taken.of_self else [])
            value = run.over(taken.later[decl.name], lambda leaf: run.call(leaf, given, inner, at))  # noqa: B023
        if settings and argument(holder, decl) not in arguments.names:
            value = Unknown(Why.DYNAMIC, decl.name)  # what is set at deploy, or in a file, comes before
        value = _converted(run, taken, decl.name, value, inner, at)
        if isinstance(value, Unknown) and decl.type is not None:
            value = python.typed(run, value, decl.type, inner)
        made.fields[decl.name] = value
    if CHECKED in (info.dataclass or {}):
        _check(run, info, made, fields, inner, at)
    _compare(info, made, fields)
    for name in taken.validators:
        _validated(run, taken, made, name, made.fields.get(name, None), inner, at)
    handed = [inner.variables.get(decl.name, None) for _, decl in written if _kind(decl) == "InitVar"]
    for name in ("__post_init__", "__attrs_post_init__"):
        hook = method_of(python, run, made, name, inner)
        if hook is UNSET:
            continue
        run.over(hook, lambda leaf: run.call(leaf, Arguments(list(handed)), inner, at))


def argument(info: ClassInfo, decl: ir.FieldDecl) -> str:
    """What the constructor calls a field: classes of attrs leave out underscores in front."""
    written = info.attributes.get(decl.name)
    alias = written.fields.get("alias") if isinstance(written, Object) else None
    if ATTRS in (info.dataclass or {}) and isinstance(alias, Text) and alias.known is not None:
        return alias.known
    return decl.name.lstrip("_") if ATTRS in (info.dataclass or {}) else decl.name


def _converted(
    run: Interpreter, taken: _Taken, name: str, value: Guarded, frame: Frame, at: Location
) -> Guarded:
    if name not in taken.converters or value is UNSET:
        return value
    for _, each in several(taken.converters[name]):
        given = Arguments([value])
        value = run.over(each, lambda leaf: run.call(leaf, given, frame, at))  # noqa: B023
    return value


def several(value: Guarded) -> list[tuple[Guarded, Guarded]]:
    """A function, or the functions of a list of them."""
    held = value.items if isinstance(value, Object) and value.declared is None else None
    return held if held is not None else [(True, value)]


def _validated(
    run: Interpreter, taken: _Taken, made: Object, name: str, value: Guarded, frame: Frame, at: Location
) -> None:
    """What the validators of a field of attrs do with a value of it."""
    attribute = run.make(None, "attr.Attribute", at, fields={"name": text(name)})
    for each in taken.validators.get(name, ()):
        given = Arguments([made, attribute, value])
        run.over(each, lambda leaf: run.call(leaf, given, frame, at))  # noqa: B023


def set_field(
    run: Interpreter, info: ClassInfo, made: Object, name: str, value: Guarded, frame: Frame, at: Location
) -> Guarded:
    """What a field of a class of attrs holds that is given a value later."""
    taken = _taken(info, dataclass_fields(run, info), run.make(None, "", at))
    value = _converted(run, taken, name, value, frame, at)
    _validated(run, taken, made, name, value, frame, at)
    return value


ATTRS: Final = "<attrs>"
"""Among the arguments of a decorator: it is one of attrs. True: what is set later is taken as by the constructor."""


CHECKED: Final = "<checked>"
"""Among the arguments of a decorator: a function of the class and of the values of its fields by name, those that it has,
which gives what the fields hold."""


def _check(
    run: Interpreter,
    info: ClassInfo,
    made: Object,
    fields: Sequence[tuple[ClassInfo, ir.FieldDecl]],
    frame: Frame,
    at: Location,
) -> None:
    """The fields hold what the decorator of their class makes of the values that they got."""
    names = [decl.name for _, decl in fields]
    held = run.make(None, "dict", at)
    given = [(name, made.fields.get(name, UNSET)) for name in names]
    held.entries = [Entry(True, text(name), value) for name, value in given if value is not UNSET]
    told = Arguments([TypeValue(info.declared, info.declared.name), held])
    checks = (info.dataclass or {})[CHECKED]
    found = run.over(checks, lambda leaf: run.call(leaf, told, frame, at))
    kept = found.entries if isinstance(found, Object) else None
    known = {each.key.known: each.value for each in kept or () if isinstance(each.key, Text)}
    for name in names if run.guard is not False else ():
        made.fields[name] = known.get(name, Unknown(Why.DYNAMIC, name))


class _Taken(Struct):
    """What a constructor that fills fields takes: parameters, what is given where one is not, what makes a value of what
    is given."""

    params: list[ir.Param] = field(default_factory=list)
    defaults: dict[str, Guarded] = field(default_factory=dict)
    later: dict[str, Guarded] = field(default_factory=dict)
    converters: dict[str, Guarded] = field(default_factory=dict)
    validators: dict[str, list[Guarded]] = field(default_factory=dict)
    of_self: set[str] = field(default_factory=set)
    """Of which fields the default is made of the object as far as it is there."""


def _taken(info: ClassInfo, written: Sequence[tuple[ClassInfo, ir.FieldDecl]], made: Object) -> _Taken:
    taken = _Taken()
    keywords_only = info.dataclass is not None and info.dataclass.get("kw_only") is True
    for holder, decl in written:
        if _kind(decl) == "KW_ONLY":
            keywords_only = True
            continue
        default = holder.attributes.get(decl.name, UNSET)
        kind = "*" if keywords_only else ""
        takes = True
        if isinstance(default, Object) and default.type == "dataclasses.field":
            options = default.fields
            takes = options.get("init", True) is not False
            kind = "*" if options.get("kw_only") is True else kind
            default = options.get("default", UNSET)
            making = options
            if isinstance(default, Object) and default.type == "dataclasses.field":  # `default=Factory(list)`
                making, default = default.fields, UNSET
            factory = making.get("default_factory", UNSET)
            if factory is not UNSET:
                taken.later[decl.name] = factory
            if making.get("takes_self", False) is not False:
                taken.of_self.add(decl.name)
            if options.get("converter", None) is not None:
                taken.converters[decl.name] = options["converter"]
            taken.validators[decl.name] = validators_of(options)
        if default is not UNSET:
            taken.defaults[argument(holder, decl)] = default
        if takes:
            taken.params.append(ir.Param(argument(holder, decl), None, decl.at, None, kind))
        elif default is not UNSET:
            made.fields[decl.name] = default
        if decl.name in taken.later:
            taken.defaults[argument(holder, decl)] = UNSET
    return taken


def validators_of(options: dict[str, Guarded]) -> list[Guarded]:
    """The validators of a field: one, a list of them, and those that decorators say."""
    given = options.get("validator")
    every = list(given) if isinstance(given, tuple) else [each for _, each in several(given)]
    more = options.get("<validators>", ())
    return [*(each for each in every if each is not None), *(more if isinstance(more, tuple) else ())]


def _compare(info: ClassInfo, made: Object, fields: Sequence[tuple[ClassInfo, ir.FieldDecl]]) -> None:
    """Which fields count where an instance is compared and shown."""
    made.fields["<compare>"] = tuple(decl.name for _, decl in fields)
    for name, kept in (("<compared>", ("compare", "eq")), ("<shown>", ("repr",))):
        off = any((info.dataclass or {}).get(each) is False for each in kept)
        left = tuple(decl.name for each, decl in fields if not is_off(each, decl.name, kept))
        made.fields[name] = None if off else left
    if any(isinstance(holder.attributes.get(decl.name), Unknown) for holder, decl in fields):
        reason = Unknown(Why.DYNAMIC, f"{info.declared.simple}()")  # nobody knows which fields count
        made.fields[OWN_EQUALITY] = lambda one, other: Test("true", (reason,))
        made.fields["<shown>"] = None
    elif info.dataclass is not None and info.dataclass.get("order") is True:
        made.fields["<ordered>"] = True
    if info.is_tuple:
        made.items = [(True, made.fields[decl.name]) for _, decl in fields]
