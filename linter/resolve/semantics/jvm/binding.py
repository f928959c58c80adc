"""The tree of a document bound to a declared type, as mappers do it: Jackson, Gson, SnakeYAML and those like them.

Properties are found by name among setters and fields, annotations rename them, objects are made by their constructors,
elements are bound by the type arguments they are declared with. What a mapper would refuse, or does by a way that is not
followed here, is an unknown object of the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Guarded,
    Long,
    Object,
    Text,
    Unknown,
    is_whole,
    text,
)
from subdrift.linter.resolve.semantics.jvm import binding_subtypes
from subdrift.linter.resolve.semantics.jvm.binding_policies import (
    DEPTH_MAX,
    OBJECT,
    OF_JACKSON,
    SPELLED,
    Policy,
    Wanted,
    separator_of,
)
from subdrift.linter.resolve.semantics.jvm.calls import Call
from subdrift.linter.resolve.semantics.jvm.collections import LISTS, MAPS, array, new_list, new_map

_OPAQUE: Final = frozenset(
    {"JsonDeserialize", "JsonTypeInfo", "JsonAdapter", "JsonUnwrapped", "JsonFormat", "JsonAnySetter", "JsonAutoDetect",
     "JsonRootName", "JsonIdentityInfo", "Jacksonized", "JsonIgnoreType", "JsonManagedReference", "Since", "Until", "JSONType"}
)  # fmt: skip
"""Annotations that decide how an object is made, and are not followed."""

_INTEGERS: Final = frozenset({"int", "long", "short", "byte", "Integer", "Long", "Short", "Byte"})

_FLOATS: Final = frozenset({"double", "float", "Double", "Float"})

_PRIMITIVE: Final[Mapping[str, Guarded]] = {
    "int": 0, "long": 0, "short": 0, "byte": 0, "double": 0.0, "float": 0.0, "boolean": False,
}  # fmt: skip

_TRUTH: Final = frozenset({"boolean", "Boolean"})

_ANY: Final = frozenset({"Object", "Serializable", "Comparable"})

_NODES: Final = {
    **dict.fromkeys(("JsonNode", "ObjectNode", "ArrayNode"), "com.fasterxml.jackson.databind.JsonNode"),
    **dict.fromkeys(("JsonElement", "JsonObject", "JsonArray"), "com.google.gson.JsonElement"),
}

_PARTS: Final = frozenset({"JSONObject", "JSONArray"})

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def plain(run: Interpreter, leaf: Any, doubles: bool = False) -> Guarded:
    """A tree as a mapper gives it that is asked for no type."""
    if is_whole(leaf) and doubles:
        return float(leaf)
    if not isinstance(leaf, Object) or leaf.declared is not None:
        return leaf
    if leaf.type == SPELLED:
        return plain(run, leaf.fields["value"], doubles)
    run.work(1)
    for entry in leaf.entries or ():
        entry.value = run.over(entry.value, lambda one: plain(run, one, doubles))
    if leaf.items is not None:
        leaf.items = [(g, run.over(each, lambda one: plain(run, one, doubles))) for g, each in leaf.items]
    return leaf


class Binding:
    """One call of a mapper."""

    def __init__(self, call: Call, policy: Policy) -> None:
        self.call = call
        self.run = call.run
        self.policy = policy
        self.depth = 0

    def value(self, value: Guarded, kind: Wanted) -> Guarded:
        self.depth += 1
        try:
            if self.depth > DEPTH_MAX:
                return self._unknown(kind)
            return self.run.over(value, lambda leaf: self._one(leaf, kind.resolved()))
        finally:
            self.depth -= 1

    def _unknown(self, kind: Wanted) -> Unknown:
        """An object that the mapper may have made, or refused to make."""
        found = self.run.with_type(Unknown(Why.DYNAMIC, phrase("settings-file")), kind.ref, kind.frame)
        self.run.perhaps(self.run.make(None, self.policy.error, self.call.place), found)
        return found

    def _one(self, leaf: Any, kind: Wanted) -> Guarded:
        named = self.run.type_named(kind.ref.name, kind.frame)
        simple = kind.ref.name.rpartition(".")[2]
        node = _NODES.get(simple)
        if node is not None and (not isinstance(named, Class) or named.file.model):
            return self.call.modelled(node, "of", plain(self.run, leaf))
        if leaf is None or (isinstance(leaf, Object) and _last(leaf.type) == "JSONNull"):
            return _PRIMITIVE.get(simple)
        if self.policy.parts and (simple in _PARTS or (simple in _ANY and not isinstance(named, Class))):
            return self.call.modelled(self.policy.parts, "of", plain(self.run, leaf))
        if simple in _ANY and not isinstance(named, Class):
            return plain(self.run, leaf, self.policy.numbers_are_doubles)
        if isinstance(leaf, Unknown):
            return self.run.with_type(leaf, kind.ref, kind.frame)
        if isinstance(leaf, Object) and leaf.entries is not None and _is_tree(leaf):
            if isinstance(named, Class):
                return self._object(leaf, named, kind)
            return self._map(leaf, simple, kind) if simple in MAPS else self._unknown(kind)
        if isinstance(leaf, Object) and leaf.items is not None and _is_tree(leaf):
            is_list = not isinstance(named, Class) and (simple in LISTS or simple == "[]")
            return self._list(leaf, simple, kind) if is_list else self._unknown(kind)
        if isinstance(named, Class):
            return self._constant(leaf, named, kind)
        return self._scalar(leaf, simple, kind)

    # -- scalars ------------------------------------------------------------------------------------------------------

    def _constant(self, leaf: Any, named: Class, kind: Wanted) -> Guarded:
        known = leaf.known if isinstance(leaf, Text) else None
        if named.kind != "enum" or known is None:
            return self._delegated(leaf, named, kind)
        near = self.run.frame(named, None)
        for name, decl in named.constants.items():
            renamed = self._spellings(decl.annotations, near)
            if known in renamed or (known == name and (self.policy.lenient_enums or not renamed)):
                return self.call.java.constant(self.run, named, name)
        return None if self.policy.lenient_enums else self._unknown(kind)

    def _delegated(self, leaf: Any, named: Class, kind: Wanted) -> Guarded:
        """An object that Jackson makes of a text by the only constructor that takes one."""
        makers = [one for one in named.methods.get("<init>", ()) if len(one.decl.params) == 1]
        of_text = [
            one for one in makers if (ref := one.decl.params[0].type) is not None and ref.name == "String"
        ]
        if (
            not isinstance(leaf, Text)
            or not self.policy.marks & OF_JACKSON
            or len(makers) != 1
            or not of_text
        ):
            return self._unknown(kind)
        if (
            any(_has(one.decl.annotations, "JsonCreator") for ms in named.methods.values() for one in ms)
            or not named.concrete
        ):
            return self._unknown(kind)
        near = self.run.frame(named, None)
        return self.call.java.instantiate(self.run, named, Arguments([leaf]), near, self.call.place)

    def _scalar(self, leaf: Any, simple: str, kind: Wanted) -> Guarded:
        spelled = leaf if isinstance(leaf, Object) and leaf.type == SPELLED else None
        if spelled is not None:
            leaf = spelled.fields["text" if simple in ("String", "CharSequence") else "value"]
        known = leaf.known if isinstance(leaf, Text) else None
        if simple in ("String", "CharSequence"):
            if isinstance(leaf, bool) or is_whole(leaf):
                return text(str(leaf).lower())
            if isinstance(leaf, Text):
                return leaf
        elif simple in _TRUTH:
            if isinstance(leaf, bool):
                return leaf
            if known in ("true", "false"):
                return known == "true"
        elif simple in _INTEGERS:
            if is_whole(leaf):
                return leaf
            if known is not None and re.fullmatch(r"-?[0-9]{1,9}", known):
                return int(known)
        elif simple in _FLOATS and type(leaf) in (int, Long, float):
            return float(leaf)
        elif simple == "Number" and type(leaf) in (int, Long, float):
            return leaf
        return self._unknown(kind)

    # -- collections --------------------------------------------------------------------------------------------------

    def _map(self, leaf: Object, simple: str, kind: Wanted) -> Guarded:
        name = self.policy.maps.get(
            simple,
            {"Map": "LinkedHashMap", "SortedMap": "TreeMap", "NavigableMap": "TreeMap"}.get(simple, simple),
        )
        of_key = kind.argument(0).resolved().ref.name.rpartition(".")[2]
        if leaf.open is not None or len(kind.ref.args) not in (0, 2):
            return self._unknown(kind)
        made = new_map(self.run, name, self.call.place)
        for entry in leaf.entries or ():
            key = entry.key if of_key in ("String", "Object") else self.value(entry.key, kind.argument(0))
            value = self.value(entry.value, kind.argument(1))
            if entry.guard is not True:
                return self._unknown(kind)
            self._call(made, "put", key, value)
        return made

    def _list(self, leaf: Object, simple: str, kind: Wanted) -> Guarded:
        if leaf.open is not None or any(guard is not True for guard, _ in leaf.items or ()):
            return self._unknown(kind)
        found = [self.value(each, kind.argument(0)) for _, each in leaf.items or ()]
        if simple == "[]":
            return array(self.run, found, self.call.place)
        usual = {
            "List": "ArrayList",
            "Collection": "ArrayList",
            "Iterable": "ArrayList",
            "SortedSet": "TreeSet",
        }
        made = new_list(self.run, {**usual, **self.policy.collections}.get(simple, simple), self.call.place)
        for each in found:
            self._call(made, "add", each)
        return made

    def _call(self, made: Object, name: str, *values: Guarded) -> None:
        frame = self.call.frame
        assert frame.owner is not None
        self.call.java.call_method(self.run, made, name, Arguments(list(values)), frame, frame.owner.decl.at)

    # -- objects ------------------------------------------------------------------------------------------------------

    def _object(self, leaf: Object, declared: Class, kind: Wanted) -> Guarded:
        entries = {e.key.known: e for e in leaf.entries or () if isinstance(e.key, Text) and e.guard is True}
        whole = leaf.open is None and len(entries) == len(leaf.entries or ()) and None not in entries
        if not whole or declared.file.model or declared.file.language != "java":
            return self._unknown(kind)
        meant = binding_subtypes.meant(self, declared, entries)
        if meant is None:
            return self._unknown(kind)
        held = [part for owner in self.run.scope.supers(meant.declared) for part in _annotated_parts(owner)]
        if any(self._is_opaque(one) for part in held for one in part):
            return self._unknown(kind)
        return _ObjectBinding(self, meant.declared, kind, meant.entries).made()

    def _is_opaque(self, one: ir.Annotation) -> bool:
        """Whether an annotation decides how an object is made in a way that is not followed."""
        name = _last(one.name)
        more = name == "JSONField" and any((each.name or "name") != "name" for each in one.args)
        followed = name == binding_subtypes.TYPE_INFO and bool(self.policy.marks & OF_JACKSON)
        return (name in _OPAQUE and not followed) or more

    def spelled(self, name: str, marks: tuple[ir.Annotation, ...], near: Frame, separator: str) -> list[str]:
        """The keys by which a document may name a property, the last of them the one that counts most."""
        own = self._spellings(marks, near)
        first = [name] if not separator else [_HUMP.sub(separator, name).lower()]
        only = [one for one in marks if _last(one.name) in self.policy.marks - {"JsonAlias"}]
        return own if own and only else [*own, *first]

    def _spellings(self, marks: tuple[ir.Annotation, ...], near: Frame) -> list[str]:
        named = [one for one in marks if _last(one.name) in self.policy.marks]
        return [
            each
            for one in named
            for each in self.texts(one, ("value", "alternate", "name", "alternateNames"), near)
        ]

    def texts(self, one: ir.Annotation, names: tuple[str, ...], near: Frame) -> list[str]:
        """The texts that some arguments of an annotation are, or list."""
        found: list[str] = []
        for argument in one.args:
            value = self.run.value(argument.value, near) if (argument.name or "value") in names else None
            listed = (
                [each for _, each in value.items] if isinstance(value, Object) and value.items else [value]
            )
            found += [each.known for each in listed if isinstance(each, Text) and each.known]
        return found


class Property(NamedTuple):
    """One property of a class: how it is named in a document, its type, and how it is set (`setter`, else `field`)."""

    names: list[str]
    type: ir.TypeRef | None
    owner: Class
    field: str
    setter: Method | None


class _ObjectBinding:
    """One object of a declared class."""

    def __init__(
        self, binding: Binding, declared: Class, kind: Wanted, entries: Mapping[str | None, Entry]
    ) -> None:
        self.binding = binding
        self.run = binding.run
        self.declared = declared
        self.kind = kind
        self.near = self.run.frame(declared, None)
        variables = [name for name, _ in declared.decl.parameters]
        self.variables = (
            {name: kind.argument(index) for index, name in enumerate(variables)} if kind.ref.args else {}
        )
        left_out = self._left_out()
        self.entries = {key: each for key, each in entries.items() if key not in left_out}
        self.ignores = self._ignores()
        self.separator = self._naming()
        self.taken: set[str] = set()

    def _left_out(self) -> set[str]:
        """The keys that annotations say to pass over."""
        marks = self._marks("JsonIgnoreProperties")
        return {each for one in marks for each in self.binding.texts(one, ("value",), self.near)}

    def _marks(self, name: str) -> Iterator[ir.Annotation]:
        """The annotations of a name on the class and those above it, for a mapper that reads them."""
        if not self.binding.policy.marks & OF_JACKSON:
            return
        for owner in self.run.scope.supers(self.declared):
            yield from (one for one in owner.decl.annotations if _last(one.name) == name)

    def _ignores(self) -> bool | None:
        """Whether keys without a property are passed over."""
        for one in self._marks("JsonIgnoreProperties"):
            for argument in one.args:
                if argument.name == "ignoreUnknown":
                    return self.run.value(argument.value, self.near) is True
        strict = self.binding.policy.strict
        return None if strict is None else not strict

    def _naming(self) -> str | None:
        separator: str | None = self.binding.policy.separator
        for one in self._marks("JsonNaming"):
            separator = separator_of(self.run.value(one.args[0].value, self.near)) if one.args else None
        return separator

    def made(self) -> Guarded:
        declared, call = self.declared, self.binding.call
        java, place = call.java, call.place
        if self.separator is None or not declared.concrete or declared.kind == "enum":
            return self.binding._unknown(self.kind)
        constructors = declared.methods.get("<init>", [])
        creators = [one for one in constructors if _has(one.decl.annotations, "JsonCreator")]
        factories = [
            m
            for ms in declared.methods.values()
            for m in ms
            if m.decl.static and _has(m.decl.annotations, "JsonCreator")
        ]
        empty = [one for one in constructors if not one.decl.params]
        policy = self.binding.policy
        params: tuple[ir.Param, ...] | None = None
        if declared.kind == "record":
            params = declared.decl.components or ()
            extra = [one for one in constructors if not one.decl.compact]
            if creators or factories or (extra and policy.setters):
                return self.binding._unknown(self.kind)
        elif policy.setters and (creators or factories):
            if len(creators) != 1 or factories:
                return self.binding._unknown(self.kind)
            params = creators[0].decl.params
        if params is not None:
            given = [self._parameter(each) for each in params]
            if declared.kind != "record":
                properties = self._properties()
            else:
                properties = []
            if not self._is_whole(properties):
                return self.binding._unknown(self.kind)
            made = java.instantiate(self.run, declared, Arguments(given), self.near, place)
        elif constructors and not empty:
            if not policy.without_constructor:
                return self.binding._unknown(self.kind)
            properties = self._properties()
            made = self.run.make(declared, declared.name, place)
        else:
            properties = self._properties()
            if not self._is_whole(properties):
                return self.binding._unknown(self.kind)
            made = java.instantiate(self.run, declared, Arguments([]), self.near, place)
        for each in properties:
            self._set(made, each)
        return made

    def _parameter(self, param: ir.Param) -> Guarded:
        names = self.binding.spelled(param.name, param.annotations, self.near, self.separator or "")
        entry = self._entry(names)
        self.taken.update(names)
        kind = Wanted(param.type or OBJECT, self.near, self.variables)
        return self.binding.value(entry.value if entry is not None else None, kind)

    def _is_whole(self, properties: list[Property]) -> bool:
        """Whether each key of the document has a property, or may be passed over."""
        known = self.taken | {name for each in properties for name in each.names}
        if self.binding.policy.similar:
            settable = {name for each in properties if self._is_settable(each) for name in each.names}
            like = {_letters(name) for name in known}
            return not any(_letters(name) in like for name in self.entries if name not in settable)
        return self.ignores is True or not any(name not in known for name in self.entries)

    def _is_settable(self, each: Property) -> bool:
        return each.setter is not None or each.owner.fields[each.field].public

    def _entry(self, names: list[str]) -> Entry | None:
        found = [self.entries[each] for each in names if each in self.entries]
        return max(found, key=list(self.entries.values()).index, default=None)

    def _properties(self) -> list[Property]:
        """The properties of the class and of those above it."""
        scope, policy = self.run.scope, self.binding.policy
        found: dict[str, Property] = {}
        for owner in scope.supers(self.declared):
            near = self.run.frame(owner, None)
            for name, decl in owner.fields.items():
                accessors = self._accessors(name) if policy.setters else []
                setter = next((one for one in accessors if one.decl.params), None)
                if decl.static or name in found or (decl.transient and setter is None):
                    continue
                marks = (*decl.annotations, *(mark for one in accessors for mark in one.decl.annotations))
                visible = (
                    decl.public
                    or accessors
                    or any(_last(one.name) in policy.marks - {"JsonAlias"} for one in marks)
                )
                if "JsonProperty" in policy.marks and _has(marks, "JsonIgnore"):
                    found[name] = Property([], None, owner, "", None)
                    self.taken.add(name)
                elif visible or not policy.only_accessible:
                    named = _property_of(f"set{name}") if accessors and not decl.public else name
                    names = self.binding.spelled(named, marks, near, self.separator or "")
                    kind = setter.decl.params[0].type if setter is not None else decl.type
                    found[name] = Property(names, kind, owner, name, setter)
            if policy.setters:
                for setter in _setters(owner):
                    name = _property_of(setter.name)
                    if name not in found:
                        names = self.binding.spelled(
                            name, setter.decl.annotations, near, self.separator or ""
                        )
                        found[name] = Property(names, setter.decl.params[0].type, owner, "", setter)
        return [each for each in found.values() if each.names]

    def _accessors(self, name: str) -> list[Method]:
        capital = f"{name[:1].upper()}{name[1:]}"
        found: list[Method] = []
        for prefix, count in (("set", 1), ("get", 0), ("is", 0)):
            methods = self.run.scope.methods(self.declared, prefix + capital, count)
            found += [one for one in methods if not one.decl.static and not one.decl.private]
        return found

    def _set(self, made: Object, each: Property) -> None:
        entry = self._entry(each.names)
        if entry is None:
            return
        java, place = self.binding.call.java, self.binding.call.place
        near = self.run.frame(each.owner, None)
        simple = each.type.name if each.type is not None else ""
        if entry.value is None and simple in _PRIMITIVE and self.binding.policy.null_keeps_primitive:
            return
        variables = self.variables if each.owner is self.declared else {}
        value = self.binding.value(entry.value, Wanted(each.type or OBJECT, near, variables))
        if each.setter is not None:
            java._dispatch(self.run, [each.setter], made, Arguments([value]), near, place)
            return
        decl = each.owner.fields[each.field]
        if not java._is_constant(self.run, each.owner, decl):
            made.fields[java.slot(self.run, made, each.field, each.owner)] = value


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _is_tree(leaf: Object) -> bool:
    return leaf.declared is None or leaf.declared.file.model


def _letters(name: str | None) -> str:
    """A name without what mappers pass over that look for one like it."""
    return re.sub(r"[_-]", "", name or "").lower().removeprefix("is")


def _has(marks: tuple[ir.Annotation, ...], name: str) -> bool:
    return any(_last(one.name) == name for one in marks)


def _annotated_parts(owner: Class) -> Iterator[tuple[ir.Annotation, ...]]:
    yield owner.decl.annotations
    for field in owner.decl.fields:
        yield field.annotations
    for method in owner.decl.methods:
        yield method.annotations


def _setters(owner: Class) -> Iterator[Method]:
    for name, methods in owner.methods.items():
        for method in methods:
            decl = method.decl
            if (
                name.startswith("set")
                and len(name) > 3
                and len(decl.params) == 1
                and not decl.static
                and not decl.private
            ):
                yield method


def _property_of(setter: str) -> str:
    """`setGroup` sets `group`, `setURL` sets `url`: the capitals it begins with are small."""
    rest = setter[3:4].upper() + setter[4:]
    capitals = re.match(r"[A-Z]*", rest)
    count = len(capitals[0]) if capitals else 0
    return rest[:count].lower() + rest[count:]
