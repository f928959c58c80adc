"""The shape of a configuration as data: what is wrong with a TOML value, and the same as a JSON schema.

Both are made of the same shapes, so an editor accepts what `subdrift` accepts. What a shape cannot say (a path must lie in
the repository, an address belongs to one cluster) is said where the value is read.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

from msgspec import Struct

from subdrift.linter.model.message import Message, say
from subdrift.linter.settings.mistake import KeyPath
from subdrift.linter.text.near import nearest


class Mistake(Struct, frozen=True):
    """A value that does not have its shape; `wrong` is the text to mark, "" for the key."""

    path: KeyPath
    what: Message
    suggestion: str = ""
    wrong: str = ""


class Text(Struct, frozen=True):
    """Any text."""


class Version(Struct, frozen=True):
    """A release of RocketMQ, as `5.3.3`."""


class Flag(Struct, frozen=True):
    """True or false."""


class Day(Struct, frozen=True):
    """A date without a time."""


class Number(Struct, frozen=True):
    """A whole number between two bounds."""

    at_least: int
    at_most: int


class Choice(Struct, frozen=True):
    """One of a few words."""

    known: tuple[str, ...]


class RuleName(Struct, frozen=True):
    """The name of a rule or diagnostic; which there are is known to those who run them."""


class NumberOr(Struct, frozen=True):
    """A number, or one word."""

    number: Number
    word: str


class Holder(Struct, frozen=True):
    """A name, or the number of an argument."""

    most: int


class ListOf(Struct, frozen=True):
    """A list of texts or names."""

    item: Text | RuleName


class Key(Struct, frozen=True):
    """A key of ours: what it holds, and what that means, in one sentence for editors."""

    shape: Shape
    meaning: str = ""


class Table(Struct, frozen=True):
    """A table with keys of ours; `needs` must be there, and exactly one of `either`, of two."""

    keys: Mapping[str, Key]
    needs: tuple[str, ...] = ()
    either: tuple[str, ...] = ()


class TableOf(Struct, frozen=True):
    """A table whose keys are the user's own names."""

    shape: Shape
    is_rule: bool = False
    """Whether the names are those of rules."""


class Tables(Struct, frozen=True):
    """`[[name]]`: a list of tables. `how` is the code of the sentence that says so."""

    item: Table
    how: str


class Answers(Struct, frozen=True):
    """Texts under dotted names: tables in tables, with lists of texts."""


Shape = (
    Text | Version | Flag | Day | Number | Choice | RuleName | NumberOr | Holder | ListOf | Table | TableOf | Tables | Answers
)  # fmt: skip

_VERSION = r"[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}"


def spelled(key: str) -> str:
    """A key of ours, however it is written: `_` and `-` are the same."""
    return key.replace("_", "-")


def mistakes(shape: Shape, value: Any, path: KeyPath, rules: Iterable[str]) -> Iterator[Mistake]:
    """Everything that is wrong with a value. `rules` are the names there are; none where that is not checked."""
    match shape:
        case Table():
            yield from _of_table(shape, value, path, rules)
        case TableOf():
            if not isinstance(value, dict):
                yield Mistake(path, say("settings.table-not", kind=kind(value)))
                return
            for name, one in value.items():
                if shape.is_rule:
                    yield from _of_rule(name, (*path, name), rules, is_key=True)
                yield from mistakes(shape.shape, one, (*path, name), rules)
        case Tables():
            if not isinstance(value, list):
                yield Mistake(path, say(shape.how))
                return
            for number, one in enumerate(value):
                yield from mistakes(shape.item, one, (*path, str(number)), rules)
        case Answers():
            if isinstance(value, dict):
                yield from _of_answers(value, path)
            else:
                yield Mistake(path, say("settings.table-not", kind=kind(value)))
        case ListOf():
            if not isinstance(value, list):
                yield Mistake(path, say("settings.texts-not", kind=kind(value)))
                return
            for one in value:
                yield from mistakes(shape.item, one, path, rules)
        case _:
            found = _of_plain(shape, value, path, rules)
            if found is not None:
                yield found


NEAREST_MAX = 100
"""Unknown keys of one table for which a known one is looked for."""


def _of_table(shape: Table, value: Any, path: KeyPath, rules: Iterable[str]) -> Iterator[Mistake]:
    if not isinstance(value, dict):
        yield Mistake(path, say("settings.table-not", kind=kind(value)))
        return
    there = {spelled(key) for key, one in value.items() if one != ""}
    unknown = 0
    for key, one in value.items():
        known = shape.keys.get(spelled(key))
        if known is None:
            unknown += 1
            meant = nearest(spelled(key), shape.keys) if unknown <= NEAREST_MAX else ""
            there.add(meant)  # what is misspelled is not missing too
            yield Mistake((*path, key), say("settings.unknown"), meant)
        else:
            yield from mistakes(known.shape, one, (*path, key), rules)
    for key in shape.needs:
        if key not in there:
            yield Mistake(path, say("settings.must-say", key=key))
    if shape.either and len(there.intersection(shape.either)) != 1:
        one, other = shape.either
        yield Mistake(path, say("settings.either", one=one, other=other))


def _of_answers(value: Mapping[str, Any], path: KeyPath) -> Iterator[Mistake]:
    for key, one in value.items():
        here = (*path, key)
        if isinstance(one, dict):
            yield from _of_answers(one, here)
        else:
            for each in one if isinstance(one, list) else (one,):
                if not isinstance(each, bool | str | int | float):
                    yield Mistake(here, say("settings.scalar-not", kind=kind(each)))


def _of_rule(name: str, path: KeyPath, rules: Iterable[str], is_key: bool = False) -> Iterator[Mistake]:
    known = tuple(rules)
    if known and name not in known:
        near = nearest(name, known)
        hint = say("nowhere") if near else say("or-list-rules")
        if is_key:
            yield Mistake(path, say("settings.no-such-rule", hint=hint), near)
        else:
            yield Mistake(path, say("settings.no-rule", name=name, hint=hint), near, name)


def _of_plain(shape: Shape, value: Any, path: KeyPath, rules: Iterable[str]) -> Mistake | None:
    """What is wrong with a value that holds no others."""
    match shape:
        case Flag():
            return (
                None if isinstance(value, bool) else Mistake(path, say("settings.flag-not", kind=kind(value)))
            )
        case Day():
            is_day = isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)
            return None if is_day else Mistake(path, say("settings.day-not", kind=kind(value)))
        case Number():
            return _of_number(shape, value, path)
        case NumberOr():
            if value == shape.word:
                return None
            if isinstance(value, str):
                said = say("settings.number-or-base-not", as_in_base=shape.word, text=value)
                return Mistake(path, said, wrong=value)
            return _of_number(shape.number, value, path)
        case Holder():
            if isinstance(value, int) and not isinstance(value, bool):
                return _of_number(Number(1, shape.most), value, path)
    if not isinstance(value, str):
        return Mistake(path, say("settings.text-not", kind=kind(value)))
    match shape:
        case Version() if not re.fullmatch(_VERSION, value):
            return Mistake(path, say("settings.version-not", text=value), wrong=value)
        case Choice() if value not in shape.known:
            said = say("settings.choice-not", known=", ".join(shape.known), text=value)
            return Mistake(path, said, nearest(value, shape.known), value)
        case RuleName():
            return next(_of_rule(value, path, rules), None)
    return None


def _of_number(shape: Number, value: Any, path: KeyPath) -> Mistake | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return Mistake(path, say("settings.number-not", kind=kind(value)))
    if not shape.at_least <= value <= shape.at_most:
        return Mistake(path, say("settings.between", at_least=shape.at_least, at_most=shape.at_most))
    return None


def kind(value: Any) -> Message:
    """What a TOML value is, in words."""
    match value:
        case bool():
            return say("kind.flag")
        case str():
            return say("kind.text")
        case int() | float():
            return say("kind.number")
        case list():
            return say("kind.list")
        case dict():
            return say("kind.table")
        case _:
            return say("kind.date")


def schema(shape: Shape, rules: tuple[str, ...]) -> dict[str, Any]:
    """The JSON schema of a shape; `$defs/answers` is that of `Answers`."""
    match shape:
        case Text():
            return {"type": "string"}
        case Version():
            return {"type": "string", "pattern": f"^{_VERSION}$"}
        case Flag():
            return {"type": "boolean"}
        case Day():
            return {"type": "string", "format": "date"}
        case Number():
            return {"type": "integer", "minimum": shape.at_least, "maximum": shape.at_most}
        case Choice():
            return {"enum": list(shape.known)}
        case RuleName():
            return {"enum": list(rules)}
        case NumberOr():
            return {"anyOf": [schema(shape.number, rules), {"const": shape.word}]}
        case Holder():
            return {"anyOf": [{"type": "string"}, schema(Number(1, shape.most), rules)]}
        case ListOf():
            return {"type": "array", "items": schema(shape.item, rules)}
        case Tables():
            return {"type": "array", "items": schema(shape.item, rules)}
        case TableOf():
            names: dict[str, Any] = {"propertyNames": {"enum": list(rules)}} if shape.is_rule else {}
            return {"type": "object", **names, "additionalProperties": schema(shape.shape, rules)}
        case Answers():
            return {"$ref": "#/$defs/answers"}
        case Table():
            return _schema_of_table(shape, rules)
        case _:
            assert_never(shape)


def _schema_of_table(shape: Table, rules: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    for name, key in shape.keys.items():
        one = schema(key.shape, rules)
        found["properties"][name] = {"description": key.meaning, **one} if key.meaning else one
        if "-" in name:  # `_` means the same, and is not proposed
            found.setdefault("patternProperties", {})[f"^{name.replace('-', '[-_]')}$"] = one
    if shape.either:
        found["oneOf"] = [{"required": [name]} for name in shape.either]
    if shape.needs:
        found["required"] = list(shape.needs)
        for name in shape.needs:
            if schema(shape.keys[name].shape, rules) == {"type": "string"}:
                found["properties"][name]["minLength"] = 1
    return found


def document(shape: Shape, rules: tuple[str, ...]) -> dict[str, Any]:
    """The JSON schema of a whole file; `rules` are the names of rules there are."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": ".subdrift.toml",
        **schema(shape, rules),
        "$defs": {"answers": ANSWERS},
    }


ANSWERS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {
        "anyOf": [
            {"type": ["string", "number", "boolean"]},
            {"type": "array", "items": {"type": ["string", "number", "boolean"]}},
            {"$ref": "#/$defs/answers"},
        ]
    },
}
"""The schema of `Answers`, which hold themselves."""
