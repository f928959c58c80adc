"""Settings files that Python code opens and loads: where the path is known, what stands in the file is known."""

from __future__ import annotations

import configparser
import csv
import re
import tomllib
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import Setting, settings_of
from subdrift.linter.resolve.execute.guards import UNSET, apply, pick
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Step, Text, Unknown, text
from subdrift.linter.resolve.semantics.python.concrete import (
    NotKnown,
    abstract,
    computed,
    concrete,
    steps_of,
    unknown_from,
)
from subdrift.linter.resolve.semantics.python.containers import made_of
from subdrift.linter.resolve.semantics.python.natives import FUNCTIONS, Call, native
from subdrift.linter.resolve.semantics.python.paths import FILE, joined, path, path_of
from subdrift.linter.resolve.semantics.python.standard import METHODS
from subdrift.linter.text.bounded import BoundedError, check_toml

_INDEX = re.compile(r"\[(\d+)\]")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_WRITING = frozenset("wax")


@native("builtins.open", "io.open", "codecs.open")
def _open(call: Call) -> Guarded:
    mode = call.get(1, "mode", None)
    if isinstance(mode, Text) and _WRITING.intersection(mode.known or ""):
        return call.unknown(phrase("file-that-is-written"))
    found = path_of(call.get(0, "file"))
    return (
        call.make(FILE, path=path(found))
        if found is not None
        else call.unknown(phrase("known-only-at-run-time"))
    )


@native("pathlib.Path", "pathlib.PurePath")
def _path(call: Call) -> Guarded:
    if len(call.values) == 1:
        found = path_of(call.values[0])
        if found is not None:
            return path(found)
    return joined(call.values) or call.unknown(phrase("path"))


@native(
    "yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load", "json.load", "tomllib.load", "tomllib.loads",
    "tomli.load", "tomli.loads", "toml.load", "toml.loads",
)  # fmt: skip
def _load(call: Call) -> Guarded:
    return apply(lambda leaf: _loaded(call, leaf), call.get(0))


_json_loads = FUNCTIONS["json.loads"]


@native("json.loads")
def _loads(call: Call) -> Guarded:
    found = call.get(0)
    if isinstance(found, Unknown) and path_of(found) is not None:
        return _loaded(call, found)
    return _json_loads(call)


def _toml(written: str) -> Any:
    """Raises `NotKnown` for a text that would take long."""
    try:
        check_toml(written)
    except BoundedError as error:
        raise NotKnown from error
    return tomllib.loads(written)


def _loaded(call: Call, leaf: Any) -> Guarded:
    if (
        isinstance(leaf, Text) and leaf.known is not None and "=" in leaf.known
    ):  # `tomllib.loads` of its own text
        return computed(call.run, _toml, call.at, leaf, detail="tomllib.loads()")
    tail = path_of(leaf)
    if tail is None or isinstance(leaf, Text):
        return call.unknown(phrase("settings-file-whose-path-is-not-written"))
    found = _settings(call, tail)
    if found is None:
        return Unknown(Why.UNDEFINED, tail, ("settings", tail))
    return _object(call, _nested(found), typed=not tail.endswith((".ini", ".cfg", ".properties")))


def _settings(call: Call, tail: str) -> list[Setting] | None:
    settings = settings_of(call.run)
    owner = call.frame.owner
    return settings.file(tail, owner.origin) if settings is not None and owner is not None else None


def _nested(found: list[Setting]) -> dict[str | int, Any]:
    """Settings by the parts of their keys; a part that is a number is a place in a list."""
    root: dict[str | int, Any] = {}
    for one in found:
        parts: list[str | int] = []
        for part in re.findall(r"\[[^\]]*\]|[^.\[\]]+", one.key):
            index = _INDEX.fullmatch(part)
            parts.append(int(index[1]) if index is not None else part.strip("[]"))
        current = root
        for part in parts[:-1]:
            inner = current.setdefault(part, {})
            current = inner if isinstance(inner, dict) else {}
        if parts:
            current[parts[-1]] = one
    return root


def _object(call: Call, value: Any, *, typed: bool) -> Guarded:
    if isinstance(value, Setting):
        return _plain(call, value, typed=typed)
    if value and all(isinstance(key, int) for key in value):
        made = call.run.make(None, "list", call.at)
        made.items = [(True, _object(call, value[key], typed=typed)) for key in sorted(value)]
        return made
    made = call.run.make(None, "dict", call.at)
    made.entries = [
        Entry(True, text(str(key)), _object(call, each, typed=typed)) for key, each in value.items()
    ]
    return made


def _plain(call: Call, one: Setting, *, typed: bool) -> Guarded:
    steps = (Step(one.at, f"`{one.key}`"),)
    if typed and one.text in ("true", "false"):
        return one.text == "true"
    if typed and _INTEGER.fullmatch(one.text):
        return abstract(call.run, int(one.text), call.at, steps)
    return text(one.text, steps)


# -- texts as files, CSV ----------------------------------------------------------------------------------------------

STRING_IO: Final = "io.StringIO"


@native("io.StringIO")
def _string_io(call: Call) -> Guarded:
    given = call.get(0, "initial_value", text(""))
    return call.make(STRING_IO, **{"<text>": text("") if given is None else given})


def _lines(call: Call, leaf: Object) -> Guarded:
    return apply(
        lambda whole: computed(call.run, lambda own: own.splitlines(keepends=True), call.at, whole),
        leaf.fields["<text>"],
    )


def _written(call: Call, leaf: Object) -> Guarded:
    before, more = leaf.fields["<text>"], call.get(0)
    made = apply(lambda one, other: call.python.binary(call.run, "+", one, other), before, more)
    leaf.fields["<text>"] = pick(call.run.guard, made, before)
    return None


METHODS[STRING_IO, "getvalue"] = METHODS[STRING_IO, "read"] = lambda call, leaf: leaf.fields["<text>"]
METHODS[STRING_IO, "readlines"] = METHODS[STRING_IO, "__iter__"] = _lines
METHODS[STRING_IO, "write"] = _written
METHODS[STRING_IO, "close"] = METHODS[STRING_IO, "seek"] = lambda call, leaf: None


def _rows(call: Call, read: Callable[[list[str], str], Any], takes: frozenset[str]) -> Guarded:
    """What a reader of `csv` gives for lines that are known, with at most another separator."""
    source = call.get(0, "csvfile")
    if isinstance(source, Object) and source.type == STRING_IO:
        source = _lines(call, source)
    given = call.arguments.names
    delimiter = given.get("delimiter", text(","))
    if len(call.values) > 1 or set(given) - takes or not isinstance(delimiter, Text):
        return call.unknown(phrase("settings-file"))
    return apply(
        lambda lines, sign: computed(call.run, read, call.at, lines, sign, detail="csv"), source, delimiter
    )


@native("csv.reader")
def _csv_reader(call: Call) -> Guarded:
    return _rows(call, lambda lines, sign: list(csv.reader(lines, delimiter=sign)), frozenset({"delimiter"}))


@native("csv.DictReader")
def _csv_dicts(call: Call) -> Guarded:
    return _rows(
        call, lambda lines, sign: list(csv.DictReader(lines, delimiter=sign)), frozenset({"delimiter"})
    )


# -- INI files ------------------------------------------------------------------------------------------------------


@native("configparser.ConfigParser", "configparser.RawConfigParser", "configparser.SafeConfigParser")
def _parser(call: Call) -> Guarded:
    made = call.make("configparser.ConfigParser")
    made.entries = []
    return made


def _read(call: Call, leaf: Object) -> Guarded:
    tail = path_of(call.get(0, "filenames"))
    found = _settings(call, tail) if tail is not None else None
    if found is None:
        leaf.open = Unknown(
            Why.UNDEFINED if tail else Why.DYNAMIC, tail or phrase("settings-file"), ("settings", tail)
        )
        return call.unknown(phrase("files-that-were-read"))
    for section, values in _nested(found).items():
        if isinstance(values, dict):
            assert leaf.entries is not None
            made = _object(call, values, typed=False)
            assert isinstance(made, Object)
            made.type = "configparser.SectionProxy"
            leaf.entries.append(Entry(True, text(str(section)), made))
    return call.unknown(phrase("files-that-were-read"))


def _read_string(call: Call, leaf: Object) -> Guarded:
    """`parser.read_string(text)`, `parser.read_dict(sections)`: settings of the program itself."""
    parser = configparser.ConfigParser()
    given = call.get(0)
    try:
        known = concrete(given)
        if isinstance(known, str):
            parser.read_string(known)
        else:
            parser.read_dict(known)
        found = {name: dict(parser[name]) for name in parser.sections()}
    except NotKnown:
        leaf.open = unknown_from((given,), phrase("settings-file"))
        return None
    except (configparser.Error, AttributeError, TypeError, ValueError):
        return call.throw("ValueError")
    assert leaf.entries is not None
    for name, values in found.items():
        made = abstract(call.run, values, call.at, steps_of(given))
        assert isinstance(made, Object)
        made.type = "configparser.SectionProxy"
        leaf.entries = [entry for entry in leaf.entries if concrete(entry.key) != name]
        leaf.entries.append(Entry(call.run.guard, text(name), made))
    return None


def _sections(call: Call, leaf: Object) -> Guarded:
    if leaf.open is not None:
        return leaf.open
    found = [(entry.guard, entry.key) for entry in leaf.entries or ()]
    return made_of(call.run, "list", found, call.at)


def _has(call: Call, leaf: Object) -> Guarded:
    """`parser.has_section(section)`, `parser.has_option(section, option)`."""
    if leaf.open is not None:
        return leaf.open
    section = _under(leaf, call.get(0, "section"))
    if section is None or call.get(1, "option") is UNSET:
        return section is not None
    return _under(section, call.get(1, "option")) is not None


def _section_items(call: Call, leaf: Object, named: bool = True) -> Guarded:
    """`parser.items(section)`, and its names alone: `parser.options(section)`."""
    section = _under(leaf, call.get(0, "section"))
    if not isinstance(section, Object):
        return leaf.open if leaf.open is not None else call.throw("KeyError")
    found: list[tuple[Guarded, Guarded]] = [
        (entry.guard, (entry.key, entry.value)) if named else (entry.guard, entry.key)
        for entry in section.entries or ()
    ]
    return made_of(call.run, "list", found, call.at)


def _typed(call: Call, leaf: Object, read: Callable[[str], Any]) -> Guarded:
    """`getint`, `getfloat`, `getboolean` of a parser or a section."""
    found = (_option if leaf.type == "configparser.SectionProxy" else _get)(call, leaf)
    return computed(call.run, read, call.at, found) if isinstance(found, Text) else found


def _truth(known: str) -> bool:
    return configparser.ConfigParser.BOOLEAN_STATES[known.lower()]


def _get(call: Call, leaf: Object) -> Guarded:
    """`parser.get(section, option, fallback=…)`."""
    fallback = call.get(4, "fallback")
    section = _under(leaf, call.get(0, "section"))
    found = _under(section, call.get(1, "option")) if section is not None else None
    if found is not None:
        return found
    if leaf.open is not None:
        return leaf.open
    return fallback if fallback is not UNSET else call.throw("KeyError")


def _option(call: Call, leaf: Object) -> Guarded:
    """`section.get(option, fallback)`."""
    found = _under(leaf, call.get(0, "option"))
    return found if found is not None else call.get(1, "fallback", None)


def _under(holder: Any, key: Guarded) -> Any:
    known = key.known if isinstance(key, Text) else None
    if known is None or not isinstance(holder, Object):
        return None
    for entry in holder.entries or ():
        name = entry.key.known if isinstance(entry.key, Text) else None
        if name is not None and name in (known, known.lower()):
            return entry.value
    return None


METHODS[FILE, "read"] = lambda call, leaf: leaf.fields["path"]
METHODS["configparser.ConfigParser", "read"] = _read
METHODS["configparser.ConfigParser", "read_file"] = _read
METHODS["configparser.ConfigParser", "read_string"] = _read_string
METHODS["configparser.ConfigParser", "read_dict"] = _read_string
METHODS["configparser.ConfigParser", "sections"] = _sections
METHODS["configparser.ConfigParser", "has_section"] = _has
METHODS["configparser.ConfigParser", "has_option"] = _has
METHODS["configparser.ConfigParser", "items"] = _section_items
METHODS["configparser.ConfigParser", "options"] = partial(_section_items, named=False)
for _kind in ("configparser.ConfigParser", "configparser.SectionProxy"):
    for _type, _read_as in (("int", int), ("float", float), ("boolean", _truth)):
        METHODS[_kind, f"get{_type}"] = partial(_typed, read=_read_as)
METHODS["configparser.ConfigParser", "get"] = _get
METHODS["configparser.SectionProxy", "get"] = _option
