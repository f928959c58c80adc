"""What the models of pydantic ask of classes: their annotated fields, and values taken for the types of these."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.deferred import settings_of
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Entry,
    Function,
    Guarded,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, enumerations, equality
from subdrift.linter.resolve.semantics.python.concrete import sequence
from subdrift.linter.resolve.semantics.python.natives import Call, native
from subdrift.linter.resolve.semantics.python.paths import path, path_of

_LISTS: Final = frozenset({"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence"})
_MAPS: Final = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_TRUE: Final = frozenset({"true", "1", "yes", "on", "t", "y"})
_FALSE: Final = frozenset({"false", "0", "no", "off", "f", "n"})
_DEPTH_MAX: Final = 24
ERROR: Final = "pydantic.ValidationError"


def _info(call: Call, value: Guarded) -> classes.ClassInfo | None:
    declared = value.declared if isinstance(value, TypeValue) else None
    return classes.info_of(call.run, declared) if declared is not None else None


def _fields(call: Call, info: classes.ClassInfo) -> dict[str, tuple[classes.ClassInfo, ir.FieldDecl]]:
    """The annotated names of a class and of those above it that are no model's of ours, each name once."""
    found: dict[str, tuple[classes.ClassInfo, ir.FieldDecl]] = {}
    for each in reversed(info.order):
        above = classes.info_of(call.run, each) if not isinstance(each, str) else None
        if above is not None and not above.declared.file.model:
            found.update(
                {decl.name: (above, decl) for decl in above.annotated if decl.name != "model_config"}
            )
    return found


@native("_native.annotated")
def _annotated(call: Call) -> Guarded:
    """`annotated(cls, missing)`: names and defaults of the fields of a class."""
    info = _info(call, call.get(0))
    if info is None:
        return call.unknown("annotated()")
    every = []
    for name, (holder, decl) in _fields(call, info).items():
        default = holder.attributes.get(name, UNSET)
        if default is UNSET and decl.annotations:  # `Annotated[str, Field(alias="…")]`
            default = (
                call.run.value(decl.annotations[0].value, holder.frame)
                if decl.annotations[0].value
                else UNSET
            )
            default = default if isinstance(default, Object) else UNSET
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
    known = name.known if isinstance(name, Text) else None
    if not isinstance(value, TypeValue) or value.declared is None or known is None:
        return None
    config = classes.class_attribute(call.run, value.declared, "model_config")
    for entry in config.entries or () if isinstance(config, Object) else ():
        if isinstance(entry.key, Text) and entry.key.known == known:
            return entry.value
    inner = classes.class_attribute(call.run, value.declared, "Config")
    if isinstance(inner, TypeValue) and inner.declared is not None:
        found = classes.class_attribute(call.run, inner.declared, _OLD.get(known, known))
        return None if found is UNSET else found
    return None


_OLD: Final = {"populate_by_name": "allow_population_by_field_name"}
"""Names that version 1 of pydantic has for the same."""


@native("_native.variables")
def _variables(call: Call) -> Guarded:
    """`variables(paths, written=False)`: what the files of variables that are in sight set, in capitals or as written."""
    made = call.run.make(None, "dict", call.at)
    made.entries = []
    settings, owner = settings_of(call.run), call.program_frame.owner
    given = call.get(0)
    listed = given if isinstance(given, tuple) else (given,)
    for tail in map(path_of, listed):
        if not tail or settings is None or owner is None:
            continue
        for one in settings.variables(tail, owner.origin) or ():
            name = text(one.name if call.get(1, default=False) is True else one.name.upper())
            known = text(one.text or "", (Step(one.at, f"`{one.name}`"),))
            equality.put(made, name, call.unknown(one.name) if one.text is None else known, True)
    return made


@native("_native.coerced")
def _coerced(call: Call) -> Guarded:
    """`coerced(cls, name, value)`: a value as the type of a field has it; unknown where that is refused or not followed."""
    info, name = _info(call, call.get(0)), call.get(1)
    found = _fields(call, info).get(name.known or "") if info is not None and isinstance(name, Text) else None
    if found is None:
        return call.get(2)
    holder, decl = found
    if any(
        each.name.rpartition(".")[2] in ("BeforeValidator", "AfterValidator", "PlainValidator")
        for each in decl.annotations
    ):
        return call.unknown(decl.name)
    return _Coercion(call, holder).value(call.get(2), decl.type, 0)


class _Coercion:
    def __init__(self, call: Call, holder: classes.ClassInfo) -> None:
        self.call = call
        self.run = call.run
        self.holder = holder

    def value(self, value: Guarded, ref: ir.TypeRef | None, depth: int) -> Guarded:
        if ref is None or depth > _DEPTH_MAX:
            return value
        return self.run.over(value, partial(self._one, ref, depth))

    def _refused(self, ref: ir.TypeRef) -> Unknown:
        unknown = Unknown(Why.DYNAMIC, ref.name, ("refused", self.run.unique()))
        self.run.perhaps(self.run.make(None, "builtins.ValueError", self.call.at), unknown)
        return unknown

    def _one(self, ref: ir.TypeRef, depth: int, leaf: Any) -> Guarded:
        if isinstance(leaf, Unknown) or leaf is None:
            return self.call.python.typed(self.run, leaf, ref, self.holder.frame)
        kind = self.call.python.type_of(self.run, ref, self.holder.frame)
        if kind is not None and kind.declared is not None:
            return self._declared(kind.declared, ref, leaf)
        simple = ref.name.rpartition(".")[2]
        if simple in _LISTS or simple in ("tuple", "Tuple"):
            return self._listed(ref, simple, depth, leaf)
        if simple in _MAPS and isinstance(leaf, Object) and leaf.entries is not None:
            inner = ref.args[1] if len(ref.args) == 2 else None
            key = ref.args[0] if ref.args else None
            made = self.run.make(None, "dict", self.call.at)
            made.open = leaf.open
            made.entries = [
                Entry(e.guard, self.value(e.key, key, depth + 1), self.value(e.value, inner, depth + 1))
                for e in leaf.entries
            ]
            return made
        return self._plain(ref, simple, leaf)

    def _declared(self, declared: Any, ref: ir.TypeRef, leaf: Any) -> Guarded:
        info = classes.info_of(self.run, declared)
        if (
            isinstance(leaf, Object)
            and leaf.declared is not None
            and classes.is_subclass(self.run, leaf.declared, declared)
        ):
            return leaf
        if info is not None and info.is_enum:
            return enumerations.member_of(self.call.python, self.run, declared, leaf, self.call.at)
        if not isinstance(leaf, Object) or leaf.entries is None:
            return self._refused(ref)
        names = {
            e.key.known: e.value
            for e in leaf.entries
            if isinstance(e.key, Text) and e.key.known and e.guard is True
        }
        if len(names) < len(leaf.entries):
            return self._refused(ref)
        given = Arguments([], {**names}, leaf.open)
        return self.call.python.instantiate(self.run, declared, given, self.call.frame, self.call.at)

    def _listed(self, ref: ir.TypeRef, simple: str, depth: int, leaf: Any) -> Guarded:
        items = (
            leaf.items
            if isinstance(leaf, Object)
            else [(True, each) for each in leaf]
            if isinstance(leaf, tuple)
            else None
        )
        if items is None:
            return self._refused(ref)
        inner = ref.args[0] if ref.args else None
        found = [(guard, self.value(each, inner, depth + 1)) for guard, each in items]
        if simple in ("tuple", "Tuple") and all(guard is True for guard, _ in found):
            return tuple(each for _, each in found)
        made = sequence(self.run, "list", [], self.call.at)
        assert isinstance(made, Object)
        made.items, made.open = found, leaf.open if isinstance(leaf, Object) else None
        return made

    def _plain(self, ref: ir.TypeRef, simple: str, leaf: Any) -> Guarded:
        known = leaf.known if isinstance(leaf, Text) else None
        if simple == "int":
            if isinstance(leaf, bool | int):
                return int(leaf)
            if isinstance(leaf, float) and leaf.is_integer():
                return int(leaf)
            if known is not None and re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", known):
                return int(known)
            return leaf if known is None and isinstance(leaf, Text) else self._refused(ref)
        if simple == "bool":
            if isinstance(leaf, bool):
                return leaf
            said = str(leaf) if isinstance(leaf, int) else (known or "").lower()
            return True if said in _TRUE else False if said in _FALSE else self._refused(ref)
        if simple == "str":
            return leaf if isinstance(leaf, Text) else self._refused(ref)
        if simple == "float" and isinstance(leaf, int | float):
            return float(leaf)
        if simple == "Path" and known is not None:
            return path(known)
        return leaf
