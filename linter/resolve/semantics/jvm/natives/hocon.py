"""Settings in HOCON (`HoconDocuments`): what the model of Typesafe Config stands on."""

from __future__ import annotations

import posixpath
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Span
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import settings_of
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.settings import Document
from subdrift.linter.resolve.execute.values import (
    Entry,
    Guarded,
    Key,
    Object,
    Step,
    Text,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.jvm import documents
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.collections import new_list, new_map
from subdrift.linter.text import hocon

OWNER: Final = "HoconDocuments"
_ENDINGS: Final = (".conf", ".json", ".properties")


@static(OWNER, "load")
def _load(call: Call) -> Guarded:
    """`load(base, …)`: the files of base names, earlier ones over later ones, put together and looked up; null where none of
    them is in sight."""
    found = [_read(call, name) for name in call.args]
    if found and found[0] is None:
        return Unknown(Why.EXTERNAL_CONFIG, phrase("settings-file"))
    return _whole(call, [each for each in reversed(found) if each is not None])


@static(OWNER, "parse")
def _parse(call: Call) -> Guarded:
    """`parse(text)`: the tree of a text of the program."""

    def one(leaf: Any) -> Guarded:
        known = leaf.known if isinstance(leaf, Text) else None
        if known is None:
            return Unknown(Why.DYNAMIC, phrase("settings-file"))
        call.run.work(len(known))
        return _whole(call, [_Source(known, None, leaf.steps)])

    return call.run.over(call.args[0], one)


@static(OWNER, "missing", effect=Effect.MAY_RAISE)
def _missing(call: Call) -> Guarded:
    """`missing(path)`: what is at a path that no file in sight has: a library's file may."""
    name = call.args[0].known if isinstance(call.args[0], Text) else None
    unknown = Unknown(Why.UNDEFINED, name or phrase("settings-file"))
    call.run.perhaps(call.made("ConfigException"), unknown)
    return unknown


class _Source:
    """A text with the file it is of, None for a text of the program."""

    def __init__(self, written: str, whole: Document | None, steps: tuple[Step, ...]) -> None:
        self.written = written
        self.whole = whole
        self.steps = steps


def _read(call: Call, name: Guarded) -> _Source | None:
    """The file of a base name, or of a whole name."""
    known = name.known if isinstance(name, Text) else None
    if known is None and name is not None:
        known_path = documents.path_of(name)
        known = known_path.known if isinstance(known_path, Text) else None
    settings = settings_of(call.run)
    if known is None or settings is None:
        return None
    known = known.removeprefix("/")
    names = (known,) if known.endswith(_ENDINGS) else tuple(known + ending for ending in _ENDINGS[:2])
    for each in names:
        whole = settings.document(each, call.place.origin)
        if whole is not None:
            call.run.work(len(whole.text))
            return _Source(whole.text, whole, ())
    return None


def _whole(call: Call, sources: list[_Source]) -> Guarded:
    unknown = Unknown(Why.DYNAMIC, phrase("settings-file"))
    root: dict[str, Any] = {}
    places: dict[int, _Source] = {}
    try:
        for source in sources:
            for key, value in _parsed(call, source).items():
                _note(value, source, places)
                hocon.merge(root, (key,), value)
        return _Lookup(call, root, places).value(root, ())
    except (hocon.HoconError, RecursionError):
        return unknown


def _parsed(call: Call, source: _Source) -> dict[str, Any]:
    folder = posixpath.dirname(source.whole.path) if source.whole is not None else ""

    def include(name: str) -> str | None:
        found = _read(call, text(name)) or _read(call, text(posixpath.join(folder, name)))
        return found.written if found is not None else None

    return hocon.parse(source.written, include)


def _note(value: Any, source: _Source, places: dict[int, _Source], depth: int = 0) -> None:
    """Keeps which source each scalar is of."""
    if depth > hocon.DEPTH_MAX:
        raise hocon.HoconError("too much")
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    elif isinstance(value, hocon.Joined):
        inner = value.parts
    elif isinstance(value, hocon.Over):
        inner = (value.before, value.after)
    else:
        places[id(value)] = source
    for each in inner:
        _note(each, source, places, depth + 1)


class _Lookup:
    """Substitutions of one tree looked up in it, and in the environment where it does not have them."""

    def __init__(self, call: Call, root: dict[str, Any], places: dict[int, _Source]) -> None:
        self.call = call
        self.root = root
        self.places = places
        self.active: list[tuple[str, ...]] = []

    def value(self, value: Any, path: tuple[str, ...]) -> Guarded:
        """A part of the tree as Java's values."""
        self.call.run.work(1)
        if len(path) > hocon.DEPTH_MAX:
            raise hocon.HoconError("too much")
        if isinstance(value, dict):
            made = new_map(self.call.run, "LinkedHashMap", self.call.place)
            for key, each in value.items():
                found = self.value(each, (*path, key))
                if found is not _NOTHING:
                    made.entries = [*(made.entries or ()), Entry(True, text(key), found)]
            return made
        if isinstance(value, list):
            found_items = [self.value(each, (*path, str(index))) for index, each in enumerate(value)]
            return self._listed([each for each in found_items if each is not _NOTHING])
        if isinstance(value, hocon.Scalar):
            return self._scalar(value, path) if isinstance(value.value, str) else value.value
        if isinstance(value, hocon.Over):
            return self._over(value, path)
        if isinstance(value, hocon.Joined):
            return self._joined(value, path)
        assert isinstance(value, hocon.Substitution)
        return self._substituted(value, path, _NOTHING)

    def _listed(self, values: list[Guarded]) -> Object:
        made = new_list(self.call.run, "ArrayList", self.call.place)
        made.items = [(True, each) for each in values]
        return made

    def _scalar(self, value: Any, path: tuple[str, ...]) -> Text:
        source = self.places.get(id(value))
        written = hocon.text_of(value)
        if source is None or source.whole is None:
            return text(written, source.steps if source is not None else ())
        at = self._place(source.whole, value.line)
        return text(written, (Step(at, f"`{'.'.join(path)}`"),) if at is not None else ())

    def _place(self, whole: Document, line: int) -> Location | None:
        """A line of a file: any of its keys says which repository it is in."""
        some = next(iter(whole.places.values()), None)
        return replace(some, span=Span(line, 1, line, 1)) if some is not None else None

    def _over(self, value: Any, path: tuple[str, ...]) -> Guarded:
        before = self.value(value.before, path)
        if isinstance(value.after, hocon.Substitution):
            return self._substituted(value.after, path, before)
        if isinstance(value.after, hocon.Joined):
            return self._joined(value.after, path, before)
        return self.value(value.after, path)

    def _substituted(
        self, value: Any, path: tuple[str, ...], before: Guarded, of: tuple[str, ...] | None = None
    ) -> Guarded:
        if value.path == path:  # what the value was before
            return before
        if value.path in self.active or len(self.active) > hocon.DEPTH_MAX:
            raise hocon.HoconError("a circle")
        at, rest = self._below(value.path)
        if at is not _NOTHING:
            self.active.append(value.path)
            found = _part(self.value(at, value.path[: len(value.path) - len(rest)]), rest)
            self.active.pop()
            if found is not _NOTHING:
                return found
        name = ".".join(value.path)
        default = before if isinstance(before, Text) else None
        steps = (Step(self.call.place, f"${{{name}}}"), *(default.steps if default is not None else ()))
        if before is not _NOTHING and default is None:
            return before  # a number, a list: what a variable would make of it is not followed
        if value.optional and before is _NOTHING:
            return _NOTHING
        return Text((Key(text(name), default, "env"),), steps)

    def _below(self, path: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        """What is at a path, or what has to be looked up first, with the rest of the path."""
        at: Any = self.root
        for index, name in enumerate(path):
            if not isinstance(at, dict):
                return (
                    (at, path[index:])
                    if isinstance(at, hocon.Joined | hocon.Over | hocon.Substitution)
                    else (_NOTHING, ())
                )
            at = at.get(name, _NOTHING)
        return at, ()

    def _joined(self, value: Any, path: tuple[str, ...], before: Guarded = None) -> Guarded:
        parts = [
            self._substituted(each, path, _NOTHING if before is None else before)
            if isinstance(each, hocon.Substitution)
            else text(each)
            if isinstance(each, str)
            else self._text(self.value(each, path))
            for each in value.parts
        ]
        parts = [each for each in parts if each is not _NOTHING]
        objects = [each for each in parts if isinstance(each, Object)]
        if not objects:
            return join([each for each in map(self._text, parts) if isinstance(each, Text)])
        if all(each.items is not None for each in objects):
            return self._listed([item for each in objects for _, item in each.items or ()])
        if any(each.entries is None for each in objects):
            raise hocon.HoconError("values of several kinds")
        made = new_map(self.call.run, "LinkedHashMap", self.call.place)
        entries = {e.key.known: e for each in objects for e in each.entries or ()}
        made.entries = list(entries.values())
        return made

    def _text(self, value: Guarded) -> Guarded:
        if isinstance(value, bool) or value is None:
            return text({True: "true", False: "false", None: "null"}[value])
        return text(f"{value}") if isinstance(value, int | float) else value


def _part(value: Guarded, path: tuple[str, ...]) -> Guarded:
    """What is below a value that has been looked up."""
    for name in path:
        entries = value.entries if isinstance(value, Object) else None
        value = next(
            (e.value for e in entries or () if isinstance(e.key, Text) and e.key.known == name), _NOTHING
        )
    return value


_NOTHING: Final = object()
"""What an optional substitution is that nothing defines."""
