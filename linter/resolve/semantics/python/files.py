"""Settings files that Python code opens and loads: where the path is known, what stands in the file is known."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import settings_of
from subdrift.linter.resolve.execute.exceptions import may_refuse
from subdrift.linter.resolve.execute.guards import UNSET, apply, negate, pick
from subdrift.linter.resolve.execute.havoc import forget_contents
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.settings import Document, Setting
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Step, Text, Unknown, join, text
from subdrift.linter.resolve.semantics.python.concrete import (
    NotKnown,
    abstract,
    computed,
    concrete,
    sequence,
    unknown_from,
)
from subdrift.linter.resolve.semantics.python.containers import lookup
from subdrift.linter.resolve.semantics.python.natives import METHODS, Call, native
from subdrift.linter.resolve.semantics.python.paths import (
    FILE,
    WRITING,
    is_usual,
    joined,
    named,
    path,
    path_of,
)
from subdrift.linter.resolve.semantics.python.standard.texts import loads
from subdrift.linter.resolve.semantics.python.texts import as_text
from subdrift.linter.text.bounded import BoundedError, check_toml

_INDEX = re.compile(r"\[(\d+)\]")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLAT: Final = (".ini", ".cfg", ".conf", ".properties")
"""Files whose values are texts, whoever reads them."""


@native("builtins.open", "io.open", "codecs.open")
def _open(call: Call) -> Guarded:
    mode = call.get(1, "mode", None)
    if isinstance(mode, Text) and WRITING.intersection(mode.known or ""):
        return call.unknown(phrase("file-that-is-written"))
    if call.get(0, "file") is None:
        return call.throw("TypeError")

    def one(leaf: Any) -> Guarded:
        found = path_of(leaf)
        if found is None:
            return call.unknown(phrase("known-only-at-run-time"))
        may_refuse(
            call.run, "builtins.FileNotFoundError", call.unknown(phrase("known-only-at-run-time")), call.at
        )
        return call.make(FILE, path=path(found, leaf))

    return call.each(call.each(call.get(0, "file"), partial(named, call.run, at=call.at)), one)


@native("pathlib.Path", "pathlib.PurePath")
def _path(call: Call) -> Guarded:
    def one(*parts: Any) -> Guarded:
        found = path_of(parts[0]) if len(parts) == 1 else None
        if found is not None:
            return path(found, *parts)
        symbols = tuple(map(symbol_of, parts))
        symbol = None if None in symbols else ("call", "Path", *symbols)
        return joined(parts) or call.unknown(phrase("path"), symbol=symbol)

    return apply(one, *(call.each(value, partial(named, call.run, at=call.at)) for value in call.values))


@native("os.path.exists", "os.path.isfile")
def _exists(call: Call) -> Guarded:
    """Whether a file is there: a settings file in sight is. Another may be put there."""

    def one(leaf: Any) -> Guarded:
        return True if is_in_sight(call, leaf) else unknown_from((leaf,), "exists()")

    return call.each(call.each(call.get(0, "path"), partial(named, call.run, at=call.at)), one)


def is_in_sight(call: Call, leaf: Any) -> bool:
    """Whether a path is that of a settings file that is read."""
    tail = path_of(leaf)
    return tail is not None and _document(call, tail) is not None


@native(
    "yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load", "json.load", "tomllib.load", "tomllib.loads",
    "tomli.load", "tomli.loads", "toml.load", "toml.loads",
)  # fmt: skip
def _load(call: Call) -> Guarded:
    return _hooked(call, apply(lambda leaf: _loaded(call, leaf), call.get(0)))


@native("json.loads")
def _loads(call: Call) -> Guarded:
    found = call.get(0)
    if isinstance(found, Unknown) and path_of(found) is not None:
        return _hooked(call, _loaded(call, found))
    return _hooked(call, loads(call))


_PARSED = frozenset({"cls", "parse_float", "parse_int", "parse_constant"})
"""Arguments of `json.loads` that decide what a part of it is made into."""


def _hooked(call: Call, value: Guarded) -> Guarded:
    """What `object_hook` and `object_pairs_hook` make of the objects in a document, the inner ones first."""
    names = call.arguments.names
    of_object, of_pairs = names.get("object_hook"), names.get("object_pairs_hook")
    if names.keys() & _PARSED:
        return unknown_from((value,), "json.loads()")
    if of_object is None and of_pairs is None:
        return value

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Unknown):
            return unknown_from((leaf,), "json.loads()")
        if isinstance(leaf, Object) and leaf.items is not None:
            leaf.items = [(guard, call.each(item, one)) for guard, item in leaf.items]
        if not isinstance(leaf, Object) or leaf.entries is None:
            return leaf
        for entry in leaf.entries:
            entry.value = call.each(entry.value, one)
        if of_pairs is None:
            return call.apply(of_object, leaf)
        return call.apply(
            of_pairs, sequence(call.run, "list", [(e.key, e.value) for e in leaf.entries], call.at)
        )

    return call.each(value, one)


def _toml(written: str) -> Any:
    """Raises `NotKnown` for a text that would take long."""
    import tomllib  # takes long to load

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
    found = _of_file(call, tail)
    return _usually(call, found) if is_usual(leaf) else found


def _of_file(call: Call, tail: str) -> Guarded:
    """What stands in a settings file."""
    whole = _document(call, tail)
    if whole is not None and whole.text and not tail.endswith(_FLAT):
        try:
            roots = json.loads(whole.text)
        except ValueError:
            return Unknown(Why.DYNAMIC, tail, ("settings", tail))
        if len(roots) == 1:
            return _value(call, roots[0], whole, "")
        return Unknown(Why.DYNAMIC, tail, ("settings", tail))
    found = _settings(call, tail)
    if found is None:
        return Unknown(Why.UNDEFINED, tail, ("settings", tail))
    return _object(call, _nested(found), typed=not tail.endswith(_FLAT))


def _document(call: Call, tail: str) -> Document | None:
    settings = settings_of(call.run)
    owner = call.program_frame.owner
    return settings.document(tail, owner.origin) if settings is not None and owner is not None else None


def _value(call: Call, value: Any, whole: Document, key: str) -> Guarded:
    """A part of a document as a value, with the place of its key as its way."""
    if isinstance(value, dict):
        if value.keys() == {"!"}:
            return Unknown(Why.DYNAMIC, key, ("settings", whole.path, key))
        if value.keys() == {"!", "="}:
            return _value(call, value["="], whole, key)
        made = call.run.make(None, "dict", call.at)
        made.entries = [
            Entry(True, text(name), _value(call, each, whole, f"{key}.{name}" if key else name))
            for name, each in value.items()
        ]
        call.run.work(len(made.entries))
        return made
    if isinstance(value, list):
        items = [_value(call, each, whole, f"{key}[{index}]") for index, each in enumerate(value)]
        return sequence(call.run, "list", items, call.at)
    at = whole.places.get(key)
    return abstract(call.run, value, call.at, () if at is None else (Step(at, f"`{key}`"),))


def _settings(call: Call, tail: str) -> list[Setting] | None:
    settings = settings_of(call.run)
    owner = call.program_frame.owner
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


METHODS[f"{STRING_IO}.getvalue"] = METHODS[f"{STRING_IO}.read"] = lambda call, leaf: leaf.fields["<text>"]
METHODS[f"{STRING_IO}.readlines"] = METHODS[f"{STRING_IO}.__iter__"] = _lines
METHODS[f"{STRING_IO}.write"] = _written
METHODS[f"{STRING_IO}.close"] = METHODS[f"{STRING_IO}.seek"] = lambda call, leaf: None


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

DOCUMENT: Final = "<document>"


@native("_native.document")
def _read(call: Call) -> Guarded:
    """A settings file that is read: None where there is none in sight of that path."""

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and leaf.type == STRING_IO:
            return leaf.fields["<text>"]
        if isinstance(leaf, Object) and leaf.items is not None:
            return call.python.method(call.run, text(""), "join", Arguments([leaf]), call.frame, call.at)
        tail = path_of(leaf)
        if tail is None:
            return call.unknown(phrase("settings-file-whose-path-is-not-written"))
        whole = _document(call, tail)
        if whole is None:
            return None
        fields = {"<document>": whole, "<usual>": is_usual(leaf)}
        return call.make(DOCUMENT, **fields) if whole.text else Unknown(Why.DYNAMIC, tail)

    return call.each(call.get(0), one)


@native("_native.ini")
def _ini(call: Call) -> Guarded:
    """The sections of an INI file or text, each a dict of its options as they are written; the name of the
    error where it is malformed."""

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and leaf.type == DOCUMENT:
            whole = leaf.fields["<document>"]
            found = _sections(call, whole.text, whole, ())
            return _usually(call, found) if leaf.fields["<usual>"] else found
        known = leaf.known if isinstance(leaf, Text) else None
        if known is None:
            return unknown_from((leaf,), phrase("settings-file"))
        return _sections(call, known, None, leaf.steps)

    return call.each(call.get(0), one)


def _sections(call: Call, written: str, whole: Document | None, steps: tuple[Step, ...]) -> Guarded:
    import configparser  # takes long to load

    try:
        if max(map(len, written.split("\n"))) > LINE_MAX:
            raise NotKnown  # the parser's pattern takes time by the square of a line
        keywords = {name: _keyword(call.arguments.names[name]) for name in call.arguments.names}
        parser = configparser.RawConfigParser(**keywords)
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read_string(written)
    except configparser.Error as error:
        return text(type(error).__name__)
    except (NotKnown, TypeError, ValueError):
        return call.unknown(phrase("settings-file"))
    made = call.run.make(None, "dict", call.at)
    made.entries = []
    for name in (parser.default_section, *parser.sections()):
        inner = call.run.make(None, "dict", call.at)
        held = parser.defaults() if name == parser.default_section else parser._sections[name]  # type: ignore[attr-defined]
        inner.entries = [
            Entry(True, text(option, steps), _ini_value(call, value, whole, f"{name}.{option}", steps))
            for option, value in held.items()
        ]
        made.entries.append(Entry(True, text(name, steps), inner))
        call.run.work(len(inner.entries))
    return made


def _keyword(value: Guarded) -> Any:
    found = concrete(value)
    return tuple(found) if isinstance(found, list) else found


def _ini_value(
    call: Call, value: str | None, whole: Document | None, key: str, steps: tuple[Step, ...]
) -> Guarded:
    if value is None:
        return None
    section, _, option = key.rpartition(".")
    at = whole.places.get(f"{section}.{option.lower()}") if whole is not None else None
    return text(value, steps if at is None else (Step(at, f"`{key}`"),))


_REFERENCES: Final = {
    "%": re.compile(r"%(?:(?P<plain>%)|\((?P<name>[^)]+)\)s|(?P<wrong>))"),
    "$": re.compile(r"\$(?:(?P<plain>\$)|\{(?P<name>[^}]+)\}|(?P<wrong>))"),
}
REFERENCES_MAX: Final = 200
"""References that are followed for one value: each may hold as many again."""

LINE_MAX: Final = 1_000
"""Characters of a line of an INI file."""

_DEPTH_MAX: Final = 10
"""`configparser.MAX_INTERPOLATION_DEPTH`."""


@native("_native.interpolated")
def _interpolated(call: Call) -> Guarded:
    """`interpolated(sign, value, look_up, fail)`: a value with what its references say, as far as they are known."""
    sign, value, look_up, fail = call.values
    form = _REFERENCES["$" if isinstance(sign, Text) and sign.known == "$" else "%"]
    return _expanded(call, form, value, look_up, fail, 1, [REFERENCES_MAX])


def _expanded(
    call: Call,
    form: re.Pattern[str],
    value: Guarded,
    look_up: Guarded,
    fail: Guarded,
    depth: int,
    left: list[int],
) -> Guarded:
    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Text) or not any(isinstance(p, str) and form.search(p) for p in leaf.parts):
            return leaf
        if leaf.known is None:
            return unknown_from((leaf,), phrase("settings-file"))
        if depth > _DEPTH_MAX:
            return call.apply(fail, text("depth"))
        made: Guarded = text("", leaf.steps)
        position = 0
        for match in form.finditer(leaf.known):
            before = text(leaf.known[position : match.start()])
            position = match.end()
            name = match["name"]
            if not match["plain"] and name is None:
                return call.apply(fail, text("syntax"))
            left[0] -= 1
            if left[0] < 0:
                return call.unknown(phrase("settings-file"), Why.TOO_MANY)
            if name is None:
                part: Guarded = text(match["plain"] or "")
            else:
                found = call.apply(look_up, tuple(map(text, name.split(":"))))
                if call.run.guard is False:
                    return UNSET
                part = _expanded(call, form, found, look_up, fail, depth + 1, left)
            made = apply(partial(_put_together, before), made, part)
        rest = text(leaf.known[position:])
        return apply(lambda so_far: _put_together(rest, so_far, text("")), made)

    return call.each(value, one)


def _put_together(between: Text, made: Any, part: Any) -> Any:
    one, other = as_text(made), as_text(part)
    if one is None or other is None:
        return unknown_from((made, part), phrase("settings-file"))
    return join([one, between, other])


@native("_native.lacks")
def _lacks(call: Call) -> Guarded:
    """`lacks(mapping, key)`: whether a key is certainly not in a dict; what nobody knows may be in it."""

    def one(leaf: Any) -> Guarded:
        if not isinstance(leaf, Object) or leaf.entries is None:
            return False
        _, there = lookup(call.run, leaf, call.get(1))
        return negate(there)

    return call.each(call.get(0), one)


@native("_native.several")
def _several(call: Call) -> Guarded:
    """`several(names)`: a collection of names as it is; one name, a path too, in a list."""

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, tuple) or (isinstance(leaf, Object) and leaf.items is not None):
            return leaf
        return sequence(call.run, "list", [leaf], call.at)

    return call.each(call.get(0), one)


@native("_native.forget")
def _forget(call: Call) -> Guarded:
    """`forget(reason, …)`: what some collections hold may be anything from here on."""
    reason = call.get(0)
    known = reason if isinstance(reason, Unknown) else unknown_from((reason,), phrase("settings-file"))
    forget_contents(call.run, known, call.values[1:])
    return None


@native("_native.usual")
def _usual(call: Call) -> Guarded:
    """`usual(tree)`: its texts as what holds where nothing else is said, such as another environment."""
    return _usually(call, call.get(0))


def _usually(call: Call, tree: Guarded) -> Guarded:

    def one(leaf: Any) -> Any:
        if isinstance(leaf, Text) and leaf.steps:
            return Text(leaf.parts, (replace(leaf.steps[0], default=True), *leaf.steps[1:]), frame=leaf.frame)
        if isinstance(leaf, Object) and leaf.declared is None:
            call.run.work(1)
            for entry in leaf.entries or ():
                entry.value = apply(one, entry.value)
            if leaf.items is not None:
                leaf.items = [(guard, apply(one, item)) for guard, item in leaf.items]
        return leaf

    return apply(one, tree)


METHODS[f"{FILE}.read"] = lambda call, leaf: leaf.fields["path"]
