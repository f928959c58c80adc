"""Files that Java programs load by name: which one is meant, and what `Properties` and the like make of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import known_texts, settings_of
from subdrift.linter.resolve.execute.guards import apply, both, leaves
from subdrift.linter.resolve.execute.havoc import again, forget_elements
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.settings import Setting
from subdrift.linter.resolve.execute.values import Guarded, Key, Object, Step, Text, Unknown, text
from subdrift.linter.resolve.semantics.jvm import readers
from subdrift.linter.resolve.semantics.jvm.maps import put

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call

PATH = "path"
"""The field of a file, stream or reader that says which file it is of."""

_FILTERED = ("@", "${")
"""Texts with these a build may have filled in: their value waits for the environment."""


def entries_of(run: Interpreter, path: str, place: Location) -> list[Setting] | None:
    """What stands in the settings file that code at a place names; None where no such file is read (yet)."""
    settings = settings_of(run)
    return settings.file(path, place.origin) if settings is not None else None


def resource(run: Interpreter, path: Guarded, place: Location) -> Guarded:
    """A file of the class path, opened: a stream where the file is in sight, else nobody knows whether it is there."""
    return apply(partial(_opened, run, place), known_texts(run, path, place))


def _opened(run: Interpreter, place: Location, leaf: Any) -> Any:
    known = leaf.known if isinstance(leaf, Text) else None
    if known is None:
        return Unknown(Why.DYNAMIC, phrase("settings-file"))
    name = text(known.removeprefix("/"), leaf.steps)
    if entries_of(run, name.known or "", place) is None:
        return Unknown(Why.DYNAMIC, phrase("settings-file"), ("resource", name))
    return run.make(None, "InputStream", place, fields={PATH: name})


def path_of(source: Any) -> Guarded:
    """The path of what a program reads from, None where it is not one that was opened by its name."""
    if isinstance(source, Text):
        return source
    if isinstance(source, Object):
        return source.fields.get(PATH)
    if (
        isinstance(source, Unknown)
        and isinstance(source.symbol, tuple)
        and source.symbol[:1] == ("resource",)
    ):
        return source.symbol[1]
    return None


def load(call: Call, target: Object, source: Guarded) -> None:
    """`Properties.load`: each key of the file or text is put; what nobody can read may hold any key."""
    run = call.run
    before = run.guard
    for guard, one in leaves(source, before):
        read = readers.rest(one)
        if isinstance(read, Text) and read.known is not None:
            run.guard = guard
            run.work(len(read.known))
            for key, value in readers.properties(read.known):
                put(run, target, text(key), text(value, read.steps), call.place)
            continue
        path = path_of(one)
        for inner, named in leaves(known_texts(run, path, call.place), guard):
            run.guard = both(guard, inner)
            if run.guard is not False:
                _put_all(call, target, named)
    run.guard = before


def _put_all(call: Call, target: Object, path: Any) -> None:
    known = path.known if isinstance(path, Text) else None
    found = entries_of(call.run, known, call.place) if known is not None else None
    if known is None or found is None:
        unnamed = phrase("settings-file-whose-path-is-not-written") if known is None else known
        reason = Unknown(Why.DYNAMIC if known is None else Why.EXTERNAL_CONFIG, unnamed)
        forget_elements(call.run, target, call.run.guard)
        target.open = again(call.run, target, target.open or reason)
        return
    for key, value, at in values_of(found, known, call.place):
        put(call.run, target, text(key), value, at)


def values_of(found: list[Setting], path: str, place: Location) -> Iterator[tuple[str, Text, Location]]:
    """Keys, values and places of the entries of a file; of a key that stands there twice the last one counts."""
    last = {one.key: one for one in found}
    for key, one in last.items():
        yield key, setting(one.text, key, path, one.at, place), one.at


def setting(written: str, key: str, path: str, at: Location, place: Location) -> Text:
    """What stands at a key of a settings file that is read at a place."""
    if any(mark in written for mark in _FILTERED):
        return Text((Key(text(key), None, f"file:{path}"),), (Step(place, f"{path}: {key}"),))
    return text(written, (Step(at, f"`{key}`"),))
