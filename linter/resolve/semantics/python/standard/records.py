"""Python's `collections`, `dataclasses`, `enum` and properties."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.guards import UNSET, apply, pick
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, TypeValue, text
from subdrift.linter.resolve.semantics.python import class_definitions, classes, constructors, containers
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.equality import put
from subdrift.linter.resolve.semantics.python.hints import hint
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, METHODS, Call, Method, Native, native


@native("collections.defaultdict")
def _defaultdict(call: Call) -> Guarded:
    made = FUNCTIONS["builtins.dict"](
        Call(call.python, call.run, Arguments(call.values[1:], call.arguments.names), call.frame, call.at)
    )
    if not isinstance(made, Object):
        return made
    made.type = "defaultdict"
    if call.values and call.values[0] is not None:
        made.fields["<default>"] = call.values[0]
    return made


@native("collections.Counter")
def _counter(call: Call) -> Guarded:
    made = call.run.make(None, "Counter", call.at)
    made.entries = []
    made.fields["<default>"] = 0
    for value in call.values:
        if isinstance(value, Object) and value.entries is not None:
            containers.update(call.run, made, value, call.items)
            continue
        for guard, item in call.elements(value):
            old, there = containers.lookup(call.run, made, item)
            more = (
                1
                if old is UNSET
                else apply(lambda n: n + 1 if isinstance(n, int) else n, pick(there, old, 0))
            )
            put(made, item, more, guard)
    for name, count in call.arguments.names.items():
        put(made, text(name), count, True)
    return made


@native("collections.deque")
def _deque(call: Call) -> Guarded:
    items = call.elements(call.values[0]) if call.values else []
    made = containers.made_of(call.run, "deque", items, call.at)
    made.fields["maxlen"] = call.get(1, "maxlen", None)
    containers.shortened(made, 0)
    return made


@native("collections.namedtuple")
def _namedtuple(call: Call) -> Guarded:
    """A class, as one below `typing.NamedTuple`."""
    names, title = call.get(1, "field_names"), call.get(0, "typename")
    if isinstance(names, Text):
        names = tuple(map(text, (names.known or "").replace(",", " ").split()))
    given = call.items(names)
    held = [item.known for _, item in given or () if isinstance(item, Text) and item.known]
    at = call.place
    if (
        call.at is None
        or call.get(9, "rename", default=False) is not False
        or given is None
        or len(held) < len(given)
        or not isinstance(title, Text)
        or not title.known
    ):
        return call.unknown("namedtuple()")
    defaults = [item for _, item in call.items(call.get(9, "defaults", None)) or ()]
    fields = tuple(ir.FieldDecl(name, ir.TypeRef("typing.Any"), None, at) for name in held)
    decl = ir.ClassDecl(title.known, "class", at, at, fields=fields)
    above: list[Guarded] = [TypeValue(None, "collections.namedtuple")]
    space = dict(zip(held[len(held) - len(defaults) :], defaults, strict=False))
    return class_definitions.made_of(call.python, call.run, decl, above, {}, call.frame, space)


def _accessor(field: str) -> Method:
    """`@name.setter`: another property with one more function."""

    def made(call: Call, leaf: Object) -> Guarded:
        return call.make("builtins.property", **{**leaf.fields, field: call.get(0)})

    return made


METHODS["builtins.property.getter"] = _accessor("fget")

METHODS["builtins.property.setter"] = _accessor("fset")

METHODS["builtins.property.deleter"] = _accessor("fdel")


def _decorating(more: dict[str, Guarded]) -> Native:
    """What makes a class one of data: `more` is what its decorator says besides its arguments."""

    def decorate(call: Call) -> Guarded:
        def mark(value: Guarded, options: dict[str, Guarded]) -> Guarded:
            declared = value.declared if isinstance(value, TypeValue) else None
            info = classes.info_of(call.run, declared) if declared is not None else None
            if info is not None:
                info.dataclass = options
            return value

        options = {**more, **call.arguments.names}
        setter = options.get("on_setattr")
        if setter is not None:  # what another one does is not told
            options[constructors.ATTRS] = None
            options["frozen"] = isinstance(setter, TypeValue) and setter.name.endswith(".setters.frozen")
        if call.values:
            return mark(call.values[0], options)
        return call.function("dataclass", lambda inner: mark(inner.get(0), options))

    return decorate


FUNCTIONS["dataclasses.dataclass"] = _decorating({})
for _owner in ("attr", "attrs"):
    for _name in ("define", "mutable"):
        FUNCTIONS[f"{_owner}.{_name}"] = _decorating({constructors.ATTRS: True, "slots": True})
    FUNCTIONS[f"{_owner}.frozen"] = _decorating({constructors.ATTRS: None, "frozen": True, "slots": True})
for _name in ("s", "attrs", "attributes"):
    FUNCTIONS[f"attr.{_name}"] = _decorating({constructors.ATTRS: None, "auto_attribs": False})


@native("dataclasses.field", "attr.ib", "attrs.field", "attr.attrib", "attr.field")
def _field(call: Call) -> Guarded:
    names = dict(call.arguments.names)
    if "factory" in names:
        names["default_factory"] = names.pop("factory")
    if call.values:
        names.setdefault("default", call.values[0])
    return call.make("dataclasses.field", **names)


def _default_of(call: Call, leaf: Object) -> Guarded:
    """`@field.default`: a method makes the default."""
    leaf.fields.update({"default_factory": call.get(0), "takes_self": True})
    return call.get(0)


def _validator_of(call: Call, leaf: Object) -> Guarded:
    """`@field.validator`: a method checks the field."""
    leaf.fields["<validators>"] = (
        *constructors.validators_of({**leaf.fields, "validator": None}),
        call.get(0),
    )
    return call.get(0)


METHODS["dataclasses.field.default"] = _default_of
METHODS["dataclasses.field.validator"] = _validator_of


@native("attr.Factory", "attrs.Factory")
def _factory(call: Call) -> Guarded:
    """What makes the default of a field, as `factory=` does."""
    made = {"default_factory": call.get(0, "factory"), "takes_self": call.get(1, "takes_self", False)}
    return call.make("dataclasses.field", **made)


@native("dataclasses.replace", "copy.replace", "attr.evolve", "attrs.evolve")
def _replace(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Object) or leaf.declared is None:
            return unknown_from((leaf,), "replace()")
        info = classes.info_of(call.run, leaf.declared)
        fields = constructors.dataclass_fields(call.run, info) if info is not None else []
        off = {decl.name for holder, decl in fields if constructors.is_off(holder, decl.name, ("init",))}
        if not off.isdisjoint(call.arguments.names) and constructors.ATTRS not in (info.dataclass or {}):  # type: ignore[union-attr]
            return call.throw("ValueError")
        given = _given(call, leaf)
        given.update(call.arguments.names)
        return call.python.instantiate(call.run, leaf.declared, Arguments([], given), call.frame, call.at)

    return call.each(call.get(0), one)


def _given(call: Call, leaf: Object) -> dict[str, Guarded]:
    """What an object has of its constructor's arguments."""
    info = classes.info_of(call.run, leaf.declared) if leaf.declared is not None else None
    if info is None:
        return {}
    return {
        constructors.argument(holder, decl): leaf.fields.get(decl.name)
        for holder, decl in constructors.dataclass_fields(call.run, info)
        if not constructors.is_off(holder, decl.name, ("init",))
    }


@native("dataclasses.asdict", "attr.asdict", "attrs.asdict")
def _asdict(call: Call) -> Guarded:
    return call.each(call.get(0), lambda leaf: as_dict(call, leaf))


def as_dict(call: Call, leaf: Any, depth: int = 0) -> Guarded:
    """An object of a dataclass, and those in what it holds, as mappings."""
    if depth > _DICTS_MAX:
        return unknown_from((leaf,), "asdict()")

    if "value_serializer" in call.arguments.names:
        return unknown_from((leaf,), "asdict()")

    def inner(value: Guarded) -> Guarded:
        return apply(lambda each: as_dict(call, each, depth + 1), value)

    if isinstance(leaf, tuple):
        return tuple(map(inner, leaf))
    if isinstance(leaf, Object) and leaf.declared is None and leaf.type in ("list", "dict"):
        made = call.run.make(None, leaf.type, call.at, open=leaf.open)
        if leaf.items is not None:
            made.items = [(guard, inner(item)) for guard, item in leaf.items]
        else:
            made.entries = [replace(each, value=inner(each.value)) for each in leaf.entries or ()]
        return made
    if not isinstance(leaf, Object) or "<compare>" not in leaf.fields or (leaf.items is not None and depth):
        return leaf if depth else unknown_from((leaf,), "asdict()")
    pairs = [(text(name), inner(leaf.fields.get(name))) for name in leaf.fields["<compare>"]]
    factory = call.arguments.names.get("dict_factory")
    if factory is not None:
        rows = containers.made_of(call.run, "list", [(True, pair) for pair in pairs], call.at)
        return call.run.over(
            factory, lambda one: call.python.call(call.run, one, Arguments([rows]), call.frame, call.at)
        )
    made = call.run.make(None, "dict", call.at)
    made.entries = []
    for name, value in pairs:
        put(made, name, value, True)
    return made


_DICTS_MAX = 10
"""Objects inside one another that are made mappings."""


@native("dataclasses.astuple", "attr.astuple", "attrs.astuple")
def _astuple(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Object) or "<compare>" not in leaf.fields:
            return unknown_from((leaf,), "astuple()")
        return tuple(
            apply(one, each) if isinstance(each, Object) and "<compare>" in each.fields else each
            for each in (leaf.fields.get(name) for name in leaf.fields["<compare>"])
        )

    return call.each(call.get(0), one)


@native("dataclasses.is_dataclass")
def _is_dataclass(call: Call) -> Guarded:
    def one(leaf: Any) -> Guarded:
        declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
        info = classes.info_of(call.run, declared) if declared is not None else None
        return info is not None and info.dataclass is not None

    return call.each(call.get(0), one)


@native("dataclasses.fields")
def _fields(call: Call) -> Guarded:
    value = call.get(0)
    declared = value.declared if isinstance(value, Object | TypeValue) else None
    info = classes.info_of(call.run, declared) if declared is not None else None
    if info is None or declared is None or classes.unseen(call.run, declared) is not None:
        return unknown_from((value,), "fields()")

    def shown(holder: classes.ClassInfo, decl: ir.FieldDecl) -> Object:
        written = holder.attributes.get(decl.name, UNSET)
        missing = call.python.of_library(call.run, "dataclasses", "MISSING")
        known: dict[str, Guarded] = dict.fromkeys(("default", "default_factory"), missing)
        known |= dict.fromkeys(("init", "repr", "compare"), True)
        known |= {
            "metadata": call.python.mapping(call.run, [], call.at),
            "type": hint(call, decl, holder.frame, resolved=False),
        }
        if isinstance(written, Object) and written.type == "dataclasses.field":
            known |= written.fields
        elif written is not UNSET:
            known["default"] = written
        return call.make("dataclasses.Field", **known, name=text(decl.name))

    return tuple(shown(*each) for each in constructors.dataclass_fields(call.run, info))


@native("attr.fields", "attrs.fields")
def _attributes(call: Call) -> Guarded:
    value = call.get(0)
    info = (
        classes.info_of(call.run, value.declared) if isinstance(value, TypeValue) and value.declared else None
    )
    if info is None or classes.unseen(call.run, info.declared) is not None:
        return unknown_from((value,), "fields()")

    def shown(holder: classes.ClassInfo, decl: ir.FieldDecl) -> Object:
        made = call.make("attr.Attribute", name=text(decl.name))
        made.fields["alias"] = text(constructors.argument(holder, decl))
        made.fields["init"] = not constructors.is_off(holder, decl.name, ("init",))
        return made

    return tuple(shown(*each) for each in constructors.dataclass_fields(call.run, info))


@native("types.SimpleNamespace", "argparse.Namespace")
def _namespace(call: Call) -> Guarded:
    made = call.make("types.SimpleNamespace", **call.arguments.names)
    made.open = call.arguments.open
    return made


def _functional(call: Call, kind: str) -> Guarded:
    """`Enum("Color", "RED GREEN")`: an enumeration out of names, or of names with values."""
    title, names, start = call.get(0, "value"), call.get(1, "names"), call.get(9, "start", 1)
    known = title.known if isinstance(title, Text) else None
    listed = _members(call, names, start, kind)
    mixed = call.get(9, "type", None)
    if known is None or not known.isidentifier() or listed is None or call.at is None:
        return call.unknown(f"{kind}()")
    bases: list[Guarded] = [TypeValue(None, kind)] if mixed is None else [mixed, TypeValue(None, kind)]
    decl = ir.ClassDecl(known, "class", call.place, call.place)
    return class_definitions.made_of(call.python, call.run, decl, bases, {}, call.frame, listed)


def _members(call: Call, names: Guarded, start: Guarded, kind: str) -> dict[str, Guarded] | None:
    """Names with their values; None where they are not known."""
    if isinstance(names, Object) and names.entries is not None and names.open is None:
        pairs = [(entry.key, entry.value) for entry in names.entries if entry.guard is True]
        return _named(pairs) if len(pairs) == len(names.entries) else None
    words = names.known.replace(",", " ").split() if isinstance(names, Text) and names.known else None
    items = [(True, text(word)) for word in words] if words is not None else call.items(names)
    if items is None or not isinstance(start, int) or any(guard is not True for guard, _ in items):
        return None
    if all(isinstance(item, tuple) and len(item) == 2 for _, item in items):
        return _named([item for _, item in items])  # type: ignore[misc]
    counted = kind in ("enum.Enum", "enum.IntEnum")
    return _named(
        [(item, start + place if counted else _auto(call)) for place, (_, item) in enumerate(items)]
    )


def _named(pairs: list[tuple[Guarded, Guarded]]) -> dict[str, Guarded] | None:
    found = {name.known: value for name, value in pairs if isinstance(name, Text) and name.known}
    return found if len(found) == len(pairs) else None


for _kind in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"):
    FUNCTIONS[f"enum.{_kind}"] = lambda call, kind=f"enum.{_kind}": _functional(call, kind)


@native("enum.member")
def _member(call: Call) -> Guarded:
    return call.make("enum.member", value=call.get(0))


@native("enum.nonmember")
def _nonmember(call: Call) -> Guarded:
    return call.make("enum.nonmember", value=call.get(0))


@native("enum.auto")
def _auto(call: Call) -> Guarded:
    return call.make("enum.auto")
