"""Values taken for types, as pydantic does: https://docs.pydantic.dev/latest/concepts/conversion_table/."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.guards import UNSET, Diagram
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Entry,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import classes, enumerations, equality
from subdrift.linter.resolve.semantics.python.concrete import sequence
from subdrift.linter.resolve.semantics.python.hints import hint, parts_of
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, Call
from subdrift.linter.resolve.semantics.python.paths import path

_LISTS: Final = frozenset(
    {"list", "Sequence", "Iterable", "Collection", "MutableSequence", "tuple", "set", "frozenset", "Set"}
)
_MAPS: Final = frozenset({"dict", "Mapping", "MutableMapping"})
_ANY: Final = frozenset({"Any", "object", "Hashable"})
_TRUE: Final = frozenset({"true", "1", "yes", "on", "t", "y"})
_FALSE: Final = frozenset({"false", "0", "no", "off", "f", "n"})
_DEPTH_MAX: Final = 24
_INTEGER: Final = r"\s*([+-]?[0-9]+(?:_[0-9]+)*)(?:\.0*)?\s*"
_DIGITS_MAX: Final = 300
_NARROWED: Final[dict[str, tuple[str, dict[str, Guarded]]]] = {
    "PositiveInt": ("int", {"gt": 0}), "NonNegativeInt": ("int", {"ge": 0}), "NegativeInt": ("int", {"lt": 0}),
    "NonPositiveInt": ("int", {"le": 0}), "PositiveFloat": ("float", {"gt": 0}),
    "NonNegativeFloat": ("float", {"ge": 0}), "EmailStr": ("str", {}), "StrictStr": ("str", {"strict": True}),
    "StrictInt": ("int", {"strict": True}), "StrictBool": ("bool", {"strict": True}),
}  # fmt: skip
"""Types of pydantic's own that are one of Python's within limits."""

_COMPARED: Final[dict[str, tuple[str, Callable[[Any, Any], bool]]]] = {
    "gt": ("greater_than", lambda value, limit: value > limit),
    "ge": ("greater_than_equal", lambda value, limit: value >= limit),
    "lt": ("less_than", lambda value, limit: value < limit),
    "le": ("less_than_equal", lambda value, limit: value <= limit),
    "multiple_of": ("multiple_of", lambda value, limit: value % limit == 0),
}
Errors = list[tuple[tuple[Guarded, ...], str]]
"""Where something is refused, and by what name."""


class RefusedError(Exception):
    """A value is surely not taken."""

    def __init__(self, *errors: tuple[tuple[Guarded, ...], str]) -> None:
        self.errors: Errors = list(errors)


def fields_of(
    call: Call, info: classes.ClassInfo, *, private: bool = False
) -> dict[str, tuple[classes.ClassInfo, ir.FieldDecl]]:
    """The annotated names of a class and of those above it that are no model's of ours, each name once; `private`: of those
    that begin with an underscore, none of which is a field."""
    found: dict[str, tuple[classes.ClassInfo, ir.FieldDecl]] = {}
    for each in reversed(info.order):
        above = classes.info_of(call.run, each) if not isinstance(each, str) else None
        if above is not None and not above.declared.file.model:
            found.update(
                {
                    decl.name: (above, decl)
                    for decl in above.annotated
                    if decl.name != "model_config"
                    and decl.name.startswith("_") is private
                    and not _of_class(decl)
                }
            )
    return found


def _of_class(decl: ir.FieldDecl) -> bool:
    return decl.type is not None and decl.type.name.rpartition(".")[2] == "ClassVar"


def hint_of(call: Call, holder: classes.ClassInfo, decl: ir.FieldDecl) -> Guarded:
    """The annotation of a field, made once in a run."""
    if decl.name not in holder.hints:
        holder.hints[decl.name] = hint(call, decl, holder.frame, resolved=True, extras=True)
    return holder.hints[decl.name]


def _refused(kind: str) -> RefusedError:
    return RefusedError(((), kind))


class Coercion:
    """Values taken for the types of fields. `settings`: what the model says of all of them."""

    def __init__(self, call: Call, settings: dict[str, Guarded]) -> None:
        self.call = call
        self.run = call.run
        self.settings = settings
        self.strict = settings.get("strict") is True

    def taken(
        self, value: Guarded, written: Guarded, limits: Guarded, errors: Guarded, name: Guarded
    ) -> Guarded:
        """A value as a type has it; what is refused goes into a list of the model."""
        known = {
            entry.key.known or "": entry.value
            for entry in (limits.entries or () if isinstance(limits, Object) else ())
            if isinstance(entry.key, Text) and entry.guard is True
        }
        if isinstance(value, Diagram):
            return self.run.over(value, lambda leaf: self._perhaps(leaf, written, known))
        try:
            return self._within(self.one(value, written, 0), known)
        except RefusedError as refused:
            if not isinstance(errors, Object):
                return self._doubtful(value)
            for place, kind in refused.errors:
                where = place if name is UNSET else (name, *place)
                given = Arguments([(where, text(kind), value)])
                self.call.python.method(self.run, errors, "append", given, self.call.frame, self.call.at)
            return None

    def _perhaps(self, leaf: Any, written: Guarded, limits: dict[str, Guarded]) -> Guarded:
        try:
            return self._within(self.one(leaf, written, 0), limits)
        except RefusedError:
            return self._doubtful(leaf)

    def _doubtful(self, value: Guarded) -> Unknown:
        """What may be refused, nobody knows whether."""
        shown = value.simple if isinstance(value, TypeValue) else "pydantic"
        unknown = Unknown(Why.DYNAMIC, shown, ("refused", self.run.unique()))
        kind = self.call.python.of_library(self.run, "pydantic", "ValidationError")
        declared = kind.declared if isinstance(kind, TypeValue) else None
        error = self.run.make(declared, "builtins.ValueError", self.call.at)
        error.open = unknown
        self.run.perhaps(error, unknown)
        return unknown

    def one(self, leaf: Any, written: Guarded, depth: int) -> Guarded:
        """Raises `RefusedError`."""
        if isinstance(leaf, Diagram):
            return self.run.over(leaf, lambda each: self._perhaps(each, written, {}))
        origin, args = parts_of(written)
        simple = origin.simple if isinstance(origin, TypeValue) else ""
        if simple == "Annotated" and args:
            return self._annotated(leaf, args[0], args[1:], depth)
        if simple in ("Union", "UnionType") and args is not None:
            return self._united(leaf, list(args), depth)
        if isinstance(leaf, Unknown):
            known = isinstance(origin, TypeValue) and leaf.type is None
            return replace(leaf, type=origin) if known else leaf
        if depth > _DEPTH_MAX or isinstance(written, Unknown) or simple in _ANY:
            return leaf
        if written is None or simple == "NoneType":
            return self._exactly(leaf, leaf is None, "none_required")
        if simple == "Literal" and args is not None:
            return self._literal(leaf, args)
        if simple in ("Final", "Required", "NotRequired") and args:
            return self.one(leaf, args[0], depth + 1)
        if isinstance(origin, TypeValue) and origin.declared is not None:
            return self._declared(origin.declared, leaf)
        if simple in _LISTS:
            return self._listed(simple, args or (), depth, leaf)
        if simple in _MAPS:
            return self._mapped(args or (), depth, leaf)
        if simple in _NARROWED:
            simple, limits = _NARROWED[simple]
            return self._within(self._plain(simple, leaf, limits.get("strict") is True), limits)
        return self._plain(simple, leaf, self.strict)

    def _exactly(self, leaf: Any, fits: bool, kind: str) -> Guarded:
        if fits:
            return leaf
        raise _refused(kind)

    def _literal(self, leaf: Any, args: Sequence[Guarded]) -> Guarded:
        same = [equality.equal(leaf, each) for each in args]
        if any(one is True for one in same):
            return args[same.index(True)]
        if any(not isinstance(each, bool) for each in same):
            return leaf
        raise _refused("literal_error")

    def _annotated(self, leaf: Any, inner: Guarded, marks: Sequence[Guarded], depth: int) -> Guarded:
        """A type with what `Annotated` says of it besides: limits, functions that change the value."""
        held = [each for each in marks if isinstance(each, Object)]
        functions = [(one.fields.get("mode"), one.fields["func"]) for one in held if "func" in one.fields]
        limits = [one.fields["limits"] for one in held if isinstance(one.fields.get("limits"), Object)]
        merged = {
            e.key.known or "": e.value for one in limits for e in one.entries or () if isinstance(e.key, Text)
        }
        for mode, function in functions:
            if isinstance(mode, Text) and mode.known in ("before", "plain"):
                leaf = self._called(function, leaf)
        chooser = next((one.fields["discriminator"] for one in held if "discriminator" in one.fields), None)
        plain = any(isinstance(mode, Text) and mode.known == "plain" for mode, _ in functions)
        if isinstance(chooser, Text) and chooser.known:
            found = self._chosen(leaf, inner, chooser.known, depth)
        else:
            found = leaf if plain else self.one(leaf, inner, depth + 1)
        found = self._within(found, merged)
        for mode, function in functions:
            if isinstance(mode, Text) and mode.known == "after":
                found = self._called(function, found)
        return found

    def _called(self, function: Guarded, value: Guarded) -> Guarded:
        """What a function of the program makes of a value. Raises `RefusedError` where it refuses it."""
        if not isinstance(function, Function | TypeValue | Object):
            return self._doubtful(value)
        return self._guarded(lambda: self.call.apply(function, value))

    def _guarded(self, action: Callable[[], Guarded]) -> Guarded:
        """What code of the program gives. Raises `RefusedError` where it surely raises what stands for a refusal."""
        run = self.run
        before, raised = run.guard, list(run.raised)
        found = action()
        if run.guard is not False or len(run.raised) != len(raised) + 1:
            return found
        error = run.raised[-1][1]
        kind = error.type.rpartition(".")[2] if isinstance(error, Object) else ""
        own = error.fields.get("_errors") if isinstance(error, Object) else None
        if kind not in ("ValueError", "AssertionError", "ValidationError") and own is None:
            return found
        run.guard, run.raised = before, raised
        inner: Errors = []
        for _, each in own.items or () if isinstance(own, Object) else ():
            where = each[0] if isinstance(each, tuple) else ()
            name = each[1].known if isinstance(each, tuple) and isinstance(each[1], Text) else ""
            inner.append((where if isinstance(where, tuple) else (), name or ""))
        raise RefusedError(
            *(inner or [((), "assertion_error" if kind == "AssertionError" else "value_error")])
        )

    # -- unions -------------------------------------------------------------------------------------------------------

    def _united(self, leaf: Any, args: list[Guarded], depth: int) -> Guarded:
        """The first type that has a value of this very type; else the only one that takes it."""
        if isinstance(leaf, Unknown):
            kinds = [each for each in args if each is not None and _simple(each) != "NoneType"]
            return self.one(leaf, kinds[0], depth + 1) if len(kinds) == 1 else leaf
        strict = self.strict
        for lax in (False, True) if not strict else (False,):
            found: list[Guarded] = []
            errors: Errors = []
            for each in args:
                self.strict = strict or not lax
                try:
                    found.append(self.one(leaf, each, depth + 1))
                except RefusedError as refused:
                    errors += [((text(_simple(each)), *where), kind) for where, kind in refused.errors]
                finally:
                    self.strict = strict
                if found and not (lax and isinstance(leaf, Object) and leaf.entries is not None):
                    return found[0]
            if len(found) == 1:
                return found[0]
            if found:
                return self._doubtful(leaf)
        raise RefusedError(*errors)

    def _chosen(self, leaf: Any, union: Guarded, name: str, depth: int) -> Guarded:
        """The model of a union whose field of that name says what the value says."""
        _, args = parts_of(union)
        if isinstance(leaf, Unknown) or args is None:
            return leaf if isinstance(leaf, Unknown) else self.one(leaf, union, depth + 1)
        entries = leaf.entries if isinstance(leaf, Object) else None
        said = next(
            (e.value for e in entries or () if isinstance(e.key, Text) and e.key.known == name), UNSET
        )
        if entries is None:
            return self.one(leaf, union, depth + 1)
        if said is UNSET:
            raise _refused("union_tag_not_found")
        for each in args:
            info = (
                classes.info_of(self.run, each.declared)
                if isinstance(each, TypeValue) and each.declared is not None
                else None
            )
            tags = self._tags(info, name) if info is not None else None
            if tags is None:
                return self._doubtful(leaf)
            same = [equality.equal(said, tag) for tag in tags]
            if any(one is True for one in same):
                try:
                    return self.one(leaf, each, depth + 1)
                except RefusedError as refused:
                    raise RefusedError(*[((said, *where), kind) for where, kind in refused.errors]) from None
            if any(not isinstance(one, bool) for one in same):
                return self._doubtful(leaf)
        raise _refused("union_tag_invalid")

    def _tags(self, info: classes.ClassInfo, name: str) -> Sequence[Guarded] | None:
        found = fields_of(self.call, info).get(name)
        origin, args = parts_of(None if found is None else hint_of(self.call, *found))
        return args if isinstance(origin, TypeValue) and origin.simple == "Literal" else None

    # -- classes and collections --------------------------------------------------------------------------------------

    def _declared(self, declared: Any, leaf: Any) -> Guarded:
        info = classes.info_of(self.run, declared)
        own = leaf.declared if isinstance(leaf, Object) else None
        if own is not None and classes.is_subclass(self.run, own, declared):
            return leaf
        if info is not None and info.is_enum:
            return self._member(declared, leaf)
        if info is None or any(each.endswith((".TypedDict", ".Protocol")) for each in info.library):
            return leaf
        model = classes.class_attribute(self.run, declared, "model_validate") is not UNSET
        if declared.file.model and not model:
            return self._of_library(declared, leaf)
        if not model and info.dataclass is None:
            if isinstance(leaf, Object) and info.is_tuple:
                return self._doubtful(leaf)
            raise _refused("is_instance_of")
        if not isinstance(leaf, Object) or leaf.entries is None:
            if isinstance(leaf, Object) and leaf.declared is None and leaf.items is None:
                return self._doubtful(leaf)
            raise _refused("model_type" if model else "dataclass_type")
        if self.strict:
            raise _refused("model_type")
        return self._made(declared, leaf)

    def _member(self, declared: Any, leaf: Any) -> Guarded:
        """The member of an enumeration that has a value, which may be written as another type has it."""
        if self.strict:
            return self._other(leaf, "is_instance_of")
        try:
            return self._guarded(
                lambda: enumerations.member_of(self.call.python, self.run, declared, leaf, self.call.at)
            )
        except RefusedError:
            values = [one.fields["<value>"] for one in enumerations.members(self.run, declared) or ()]
            if any(all(isinstance(each, kind) for each in (leaf, *values)) for kind in (Text, int)):
                raise
            return self._other(leaf, "enum")

    def _of_library(self, declared: Any, leaf: Any) -> Guarded:
        """An object of a class that we have a model of, out of a text."""
        known = leaf.known if isinstance(leaf, Text) else None
        number = r"\s*[+-]?[0-9]{1,30}(\.[0-9]{1,30})?\s*"
        plain = declared.simple == "Decimal" and known is not None and re.fullmatch(number, known)
        if isinstance(leaf, Text) and (plain or declared.simple == "SecretStr"):
            given = Arguments([leaf])
            return self.call.python.instantiate(self.run, declared, given, self.call.frame, self.call.at)
        return self._other(leaf, "is_instance_of")

    def _other(self, leaf: Any, kind: str) -> Guarded:
        """What is not a value of a type: nothing, a tuple and a collection are surely refused; of what else there is, much
        converts."""
        holds = isinstance(leaf, Object) and (leaf.items is not None or leaf.entries is not None)
        if leaf is None or isinstance(leaf, tuple) or (holds and leaf.declared is None):
            raise _refused(kind)
        return self._doubtful(leaf)

    def _made(self, declared: Any, leaf: Object) -> Guarded:
        names = {
            e.key.known: e.value
            for e in leaf.entries or ()
            if isinstance(e.key, Text) and e.key.known and e.guard is True
        }
        if len(names) < len(leaf.entries or ()):
            return self._doubtful(leaf)
        given = Arguments([], {**names}, leaf.open)
        return self._guarded(
            lambda: self.call.python.instantiate(self.run, declared, given, self.call.frame, self.call.at)
        )

    def _listed(self, simple: str, args: Sequence[Guarded], depth: int, leaf: Any) -> Guarded:
        items = (
            leaf.items
            if isinstance(leaf, Object)
            else [(True, each) for each in leaf]
            if isinstance(leaf, tuple)
            else None
        )
        if items is None or (self.strict and (simple == "tuple") is not isinstance(leaf, tuple)):
            if isinstance(leaf, Object) and leaf.entries is None and not self.strict:
                return self._doubtful(leaf)
            raise _refused(f"{simple.lower()}_type")
        inner: list[Guarded] = list(args[:1] or [Unknown(Why.DYNAMIC, simple)]) * len(items)
        if simple == "tuple" and args and not _is_endless(args):
            if len(args) != len(items):
                raise _refused("missing" if len(args) > len(items) else "too_long")
            inner = list(args)
        errors: Errors = []
        found: list[tuple[Guarded, Guarded]] = []
        for place, ((guard, each), kind) in enumerate(zip(items, inner, strict=True)):
            try:
                found.append((guard, self.one(each, kind, depth + 1)))
            except RefusedError as refused:
                errors += [((place, *where), name) for where, name in refused.errors]
        if errors:
            raise RefusedError(*errors)
        if simple == "tuple" and all(guard is True for guard, _ in found):
            return tuple(each for _, each in found)
        if simple in ("set", "frozenset", "Set"):
            made = self.call.python.of_library(
                self.run, "builtins", "set" if simple != "frozenset" else simple
            )
            return self.call.apply(made, self._of(leaf, found))
        return self._of(leaf, found)

    def _of(self, leaf: Any, found: list[tuple[Guarded, Guarded]]) -> Object:
        made = sequence(self.run, "list", [], self.call.at)
        assert isinstance(made, Object)
        made.items, made.open = found, leaf.open if isinstance(leaf, Object) else None
        return made

    def _mapped(self, args: Sequence[Guarded], depth: int, leaf: Any) -> Guarded:
        if not isinstance(leaf, Object) or leaf.entries is None:
            if isinstance(leaf, Object) and leaf.items is None:
                return self._doubtful(leaf)
            raise _refused("dict_type")
        key, inner = args if len(args) == 2 else (Unknown(Why.DYNAMIC, "dict"),) * 2
        made = self.run.make(None, "dict", self.call.at)
        made.open = leaf.open
        made.entries = []
        errors: Errors = []
        for each in leaf.entries:
            try:
                name, value = self.one(each.key, key, depth + 1), self.one(each.value, inner, depth + 1)
                made.entries.append(Entry(each.guard, name, value))
            except RefusedError as refused:
                errors += [((each.key, *where), kind) for where, kind in refused.errors]
        if errors:
            raise RefusedError(*errors)
        return made

    # -- plain values -------------------------------------------------------------------------------------------------

    def _plain(self, simple: str, leaf: Any, strict: bool) -> Guarded:
        known = leaf.known if isinstance(leaf, Text) else None
        unknown_text = isinstance(leaf, Text) and known is None
        if simple == "int":
            return self._int(leaf, known, strict)
        if simple == "bool":
            if isinstance(leaf, bool) or unknown_text:
                return leaf
            if not isinstance(leaf, int | float) and known is None:
                return self._other(leaf, "bool_type")
            said = f"{leaf:g}" if isinstance(leaf, int | float) else (known or "").lower()
            if strict or said not in _TRUE | _FALSE:
                raise _refused("bool_parsing")
            return said in _TRUE
        if simple == "str":
            # version 1 takes numbers
            return self._text(leaf) if isinstance(leaf, Text) else self._other(leaf, "string_type")
        if simple == "float":
            return self._float(leaf, known, strict)
        if simple == "Path" and known is not None and not strict:
            return path(known)
        if isinstance(leaf, Object) and simple and leaf.type.rpartition(".")[2] == simple:
            return leaf
        if strict and (leaf is None or isinstance(leaf, Text | int | float | tuple)):
            raise _refused("is_instance_of")
        return leaf if not simple else self._doubtful(leaf)

    def _int(self, leaf: Any, known: str | None, strict: bool) -> Guarded:
        if isinstance(leaf, bool):
            return self._exactly(int(leaf), not strict, "int_type")
        if isinstance(leaf, int) or (isinstance(leaf, Text) and known is None):
            return leaf
        if not strict and isinstance(leaf, float) and leaf.is_integer():
            return int(leaf)
        if known is None:
            return self._other(leaf, "int_type")
        if strict or not (match := re.fullmatch(_INTEGER, known)):
            raise _refused("int_parsing")
        return int(match[1]) if len(known) <= _DIGITS_MAX else self._doubtful(leaf)

    def _float(self, leaf: Any, known: str | None, strict: bool) -> Guarded:
        if isinstance(leaf, float) or (isinstance(leaf, Text) and known is None):
            return leaf
        if isinstance(leaf, int) and not strict:
            return float(leaf)
        if known is None:
            return self._other(leaf, "float_type")
        try:
            found = float(known)
        except ValueError:
            raise _refused("float_parsing") from None
        if strict:
            raise _refused("float_parsing")
        return found if math.isfinite(found) else self._doubtful(leaf)

    def _text(self, value: Guarded) -> Guarded:
        """A text as the settings of the model want it."""
        for name, change in (
            ("str_strip_whitespace", "strip"),
            ("str_to_lower", "lower"),
            ("str_to_upper", "upper"),
        ):
            if self.settings.get(name) is True:
                given = Arguments([])
                value = self.call.python.method(self.run, value, change, given, self.call.frame, self.call.at)
        return value

    def _within(self, value: Guarded, limits: dict[str, Guarded]) -> Guarded:
        """A value that is within its limits. Raises `RefusedError`."""
        if isinstance(value, bool | Unknown | Diagram) or not limits or value is None:
            return value
        for name, limit in limits.items():
            if name in _COMPARED and isinstance(value, int | float) and isinstance(limit, int | float):
                kind, holds = _COMPARED[name]
                self._exactly(value, holds(value, limit), kind)
            elif name in ("min_length", "max_length") and isinstance(limit, int):
                count, kind = _length(value)
                fits = count is None or (count >= limit if name == "min_length" else count <= limit)
                self._exactly(value, fits, f"{kind}too_{'short' if name == 'min_length' else 'long'}")
            elif name == "pattern" and isinstance(value, Text):
                fits = FUNCTIONS["re.search"](self.call.given(limit, value)) is not None
                self._exactly(value, fits, "string_pattern_mismatch")
        return value


def structured(call: Call, written: Guarded) -> bool:
    """Whether a type is one of collections or models, or may be."""
    origin, args = parts_of(written)
    if not isinstance(origin, TypeValue):
        return False
    if origin.simple in ("Annotated", "Union", "UnionType", "Optional"):
        return any(structured(call, each) for each in args or ())
    if origin.declared is not None:
        info = classes.info_of(call.run, origin.declared)
        model = classes.class_attribute(call.run, origin.declared, "model_validate") is not UNSET
        return model or (info is not None and info.dataclass is not None)
    return origin.simple in _LISTS | _MAPS


def _simple(written: Guarded) -> str:
    origin, _ = parts_of(written)
    return origin.simple if isinstance(origin, TypeValue) else ""


def _is_endless(args: Sequence[Guarded]) -> bool:
    """`tuple[str, ...]`."""
    last = args[-1]
    return len(args) == 2 and isinstance(last, Unknown) and last.detail in ("...", "Ellipsis")


def _length(value: Guarded) -> tuple[int | None, str]:
    """How long a value is, and how errors begin that say so."""
    if isinstance(value, Text):
        return (None if value.known is None else len(value.known)), "string_"
    if isinstance(value, tuple):
        return len(value), ""
    if isinstance(value, Object) and value.open is None:
        held = value.items if value.items is not None else value.entries
        if held is not None and all((e.guard if isinstance(e, Entry) else e[0]) is True for e in held):
            return len(held), ""
    return None, ""
