"""Extension functions of texts."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import apply
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    TEXT_MAX,
    Bound,
    Function,
    Gap,
    Guarded,
    LibraryConstant,
    Object,
    Text,
    is_whole,
    text,
)
from subdrift.linter.resolve.semantics.jvm.calls import Call, Given, peer
from subdrift.linter.resolve.semantics.jvm.formats import AS_IN_ENGLISH, format_text
from subdrift.linter.resolve.semantics.jvm.kotlin_library.values import (
    AS_IN_JAVA,
    ENDS,
    STREAMS,
    as_sequence,
    java,
    negated,
    of_list,
    otherwise,
)
from subdrift.linter.resolve.semantics.jvm.kotlin_texts import TEXTS
from subdrift.linter.resolve.semantics.jvm.library import kinds, texts
from subdrift.linter.resolve.semantics.jvm.texts import computed


def on_text(call: Call, leaf: Text, arguments: Arguments) -> Guarded:
    name, values = call.name, arguments.values
    if values and name in _TO_NUMBERS:
        return NotImplemented  # to a base: a model's
    for answer in (_asked_of_text, _converted):
        found = answer(call, leaf, values)
        if found is not NotImplemented:
            return found
    if len(values) == 1 and isinstance(values[0], LibraryConstant) and name in _IN_A_LOCALE:
        return on_text(call, leaf, replace(arguments, values=Given([])))
    if name in AS_IN_JAVA and not values:
        return java(call, leaf, AS_IN_JAVA[name], [])
    if name in ("trim", "trimStart", "trimEnd"):
        if not values and not (leaf.known and _UNBROKEN & set(leaf.known)):
            return java(call, leaf, {"trim": "strip"}.get(name, AS_IN_JAVA.get(name, name)), [])
        if any(isinstance(one, Function | Bound) for one in values):
            return NotImplemented
        if any(not isinstance(one, Text) for one in values):
            return texts.opaque_call(call.run, leaf, name, Arguments(list(values)))
    if leaf.known is not None and _characters_wanted(name, values):
        letters = [text(each, leaf.steps, char=True, frame=leaf.frame) for each in leaf.known]
        made = call.all_of("List", letters)
        found = of_list(call, made, arguments)
        return _spelled(found, leaf) if name in _SPELLED else found
    every = [*values, *arguments.names.values()]
    return apply(lambda *rest: _computed(call, leaf, name, rest, tuple(arguments.names)), *every)


_UNBROKEN = frozenset("\xa0\u2007\u202f")
"""White space of Kotlin that is none to Java."""

_TO_NUMBERS = frozenset({"toInt", "toLong", "toIntOrNull", "toLongOrNull"})
_IN_A_LOCALE = frozenset({"uppercase", "lowercase", "titlecase", "capitalize"})


def _asked_of_text(call: Call, leaf: Text, values: list[Guarded]) -> Guarded:
    name = call.name
    match name:
        case "toString" if leaf.char:
            return call.java.shown(call.run, leaf)
        case "orEmpty" | "toString" | "asSequence":
            return leaf
        case "substring" if len(values) == 1 and (part := _stretch(values[0])) is not None:
            return java(call, leaf, name, list(part))
        case "isNullOrEmpty":
            return java(call, leaf, "isEmpty", [])
        case "isNullOrBlank":
            return java(call, leaf, "isBlank", [])
        case "isNotEmpty" | "isNotBlank":
            return negated(java(call, leaf, name.replace("Not", ""), []))
        case "ifEmpty" | "ifBlank":
            missing = call.holds(java(call, leaf, name.replace("if", "is"), []))
            return otherwise(call, missing, leaf, values[0])
    return NotImplemented


def _converted(call: Call, leaf: Text, values: list[Guarded]) -> Guarded:
    name = call.name
    match name:
        case "format" if (
            values and isinstance(values[0], LibraryConstant) and values[0].owner.endswith("Locale")
        ):
            if values[0].name not in AS_IN_ENGLISH:
                return Text((Gap(Why.DYNAMIC, phrase("format")),))
            return apply(lambda *rest: format_text(call.java, call.run, leaf, rest[1:]), *values)
        case "format" | "formatted":
            return apply(lambda *rest: format_text(call.java, call.run, leaf, rest), *values)
        case "plus":
            return apply(lambda other: call.java.binary(call.run, "+", leaf, other), values[0])
        case "toBoolean":
            return peer("Boolean", "parseBoolean")(_with_arguments(call, [leaf]))
        case "toInt" | "toLong" if not leaf.char:
            return peer(*_PARSERS[name])(_with_arguments(call, [leaf]))
        case "toInt" | "toLong" if leaf.known:
            return ord(leaf.known)
    return NotImplemented


_PARSERS = {"toInt": ("Integer", "parseInt"), "toLong": ("Long", "parseLong")}

OF_CHARACTERS = frozenset(
    {"count", "first", "filterNot", "forEachIndexed", "firstOrNull", "fold", "mapIndexed", "last", "lastOrNull", "find",
     "partition", "groupBy", "associateWith", "associateBy", "sumOf", "mapNotNull", "single", "reduce", "withIndex"}
)  # fmt: skip
"""Functions of a text that are those of the list of its characters."""

_SPELLED = frozenset({"onEach", "filter", "filterNot", "takeWhile", "dropWhile", "partition"})
"""Functions of characters that give a text, or two."""


def _characters_wanted(name: str, values: list[Guarded]) -> bool:
    if any(isinstance(one, Function | Bound) for one in values):
        return name in (*STREAMS, *ENDS, *OF_CHARACTERS)
    alone = ("toList", "asIterable", "toSet", "toSortedSet", "single", "firstOrNull", "lastOrNull")
    return name in alone and not values


def _spelled(found: Guarded, leaf: Text) -> Guarded:
    if isinstance(found, Object) and found.type == "Pair":
        for part in ("key", "value"):
            found.fields[part] = _spelled(found.fields[part], leaf)
        return found
    held = (found.items or ()) if isinstance(found, Object) and found.open is None else ((False, None),)
    known = [one.known for guard, one in held if guard is True and isinstance(one, Text) and one.known]
    if len(known) == len(held):
        return text("".join(known), leaf.steps, frame=leaf.frame)
    return Text((Gap(Why.DYNAMIC, "characters"),), leaf.steps)


def _stretch(value: Guarded) -> tuple[int, int] | None:
    """A range of whole numbers as a begin and an end, None for anything else."""
    if not isinstance(value, Object) or kinds.SHOWN not in value.fields or not value.items:
        return None
    held = [item for _, item in value.items]
    whole = all(is_whole(one) for one in held) and held == list(range(held[0], held[0] + len(held)))
    return (held[0], held[-1] + 1) if whole else None


def _with_arguments(call: Call, values: list[Guarded]) -> Call:
    return Call(call.java, call.run, None, call.name, values, call.frame, call.place)


def _computed(call: Call, leaf: Text, name: str, rest: tuple[Any, ...], names: tuple[str, ...]) -> Any:
    """A function of a known text with known arguments; NotImplemented where Java has it or it cannot be known."""
    known = leaf.known
    positional = len(rest) - len(names)
    given = [one.known if isinstance(one, Text) else one for one in rest]
    named = dict(zip(names, given[positional:], strict=True))
    if any(isinstance(one, Object) and one.declared is not None for one in rest):
        return NotImplemented
    usable = all(isinstance(one, str | int) for one in given)
    if name == "equals" and rest and rest[0] is None:
        return False
    if known is None or name not in TEXTS or not usable:
        if name in TEXTS or name in AS_IN_JAVA:
            return texts.opaque_call(call.run, leaf, name, Arguments(list(rest)))
        return NotImplemented
    result = computed(TEXTS, name, known, *given[:positional], **named)
    if result is NotImplemented:
        return texts.opaque_call(call.run, leaf, name, Arguments(list(rest)))
    if isinstance(result, str):
        if len(result) > TEXT_MAX:
            return Text(
                (Gap(Why.TOO_MANY, phrase("text-of-more-than-characters", f"{TEXT_MAX:,}")),), leaf.steps
            )
        made = text(result, leaf.steps, char=name in _GIVE_CHARACTERS, frame=leaf.frame)
        return call.run.wrote(made)
    if isinstance(result, list):
        call.run.work(len(result))
        made_of = call.all_of("List", [text(one, leaf.steps, frame=leaf.frame) for one in result])
        return as_sequence(made_of) if name in ("lineSequence", "splitToSequence") else made_of
    return result


_GIVE_CHARACTERS = frozenset({"first", "last", "get", "uppercaseChar", "lowercaseChar", "titlecaseChar"})
