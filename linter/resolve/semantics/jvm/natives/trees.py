"""Documents as maps, lists and values: what the models of Jackson, Gson, SnakeYAML and the like stand on (`TypedDocuments`)."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import known_texts, settings_of
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.settings import Document
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Step, Text, Unknown, text
from subdrift.linter.resolve.semantics.jvm import binding, binding_policies, documents, readers
from subdrift.linter.resolve.semantics.jvm.calls import Call, static

OWNER = "TypedDocuments"
"""What the models call these functions by; no class of any library has that name."""

_SUFFIXES = {"json": (".json",), "yaml": (".yml", ".yaml", ".json"), "toml": (".toml",)}


@static(OWNER, "read")
def _read(call: Call) -> Guarded:
    """`read(source, format)`: the tree of a file or text, whose format the reader takes it for."""
    source, kind = call.args.first(2)
    known = kind.known if isinstance(kind, Text) else None
    return call.run.over(source, partial(_tree_of, call, known or ""))


def _tree_of(call: Call, kind: str, source: Any) -> Guarded:
    read = readers.rest(source)
    written = read if isinstance(read, Text) else source if isinstance(source, Text) else None
    if written is not None:
        return _parsed(call, kind, written)
    if source is None:
        return Unknown(Why.DYNAMIC, phrase("settings-file"))
    path = documents.path_of(source)
    return call.run.over(known_texts(call.run, path, call.place), partial(_file, call, kind))


def _parsed(call: Call, kind: str, written: Text) -> Guarded:
    """The tree of a text of the program, which is followed in JSON alone."""
    unknown = Unknown(Why.DYNAMIC, phrase("settings-file"), steps=written.steps)
    if written.known is None or kind not in ("json", "yaml"):
        return unknown
    call.run.work(len(written.known))
    try:
        data = json.loads(written.known)
    except (ValueError, RecursionError):
        return unknown
    return tree(call, data, None, "", written.steps)


def _file(call: Call, kind: str, path: Any) -> Guarded:
    known = path.known if isinstance(path, Text) else None
    settings = settings_of(call.run)
    if known is None or settings is None:
        return Unknown(Why.DYNAMIC, phrase("settings-file-whose-path-is-not-written"))
    whole = settings.document(known.removeprefix("/"), call.place.origin)
    unknown = Unknown(Why.EXTERNAL_CONFIG if whole is None else Why.DYNAMIC, known)
    if whole is None or not whole.path.endswith(_SUFFIXES.get(kind, ())):
        return unknown
    try:
        roots = json.loads(whole.text)
    except ValueError:
        return unknown
    return tree(call, roots[0], whole, "", ()) if len(roots) == 1 else unknown


def tree(call: Call, value: Any, whole: Document | None, key: str, steps: tuple[Step, ...]) -> Guarded:
    """A part of a document as Java's values, with the place of its key as its way."""
    run = call.run
    run.work(1)
    if isinstance(value, dict):
        if "!" in value and value.keys() <= {"!", "="}:
            return _scalar(call, value, key)
        below = f"{key}.".lstrip(".")
        found = {name: tree(call, each, whole, below + name, steps) for name, each in value.items()}
        return call.table(
            "LinkedHashMap", [Entry(True, text(name, steps), one) for name, one in found.items()]
        )
    if isinstance(value, list):
        parts = [tree(call, each, whole, f"{key}[{index}]", steps) for index, each in enumerate(value)]
        return call.all_of("ArrayList", parts)
    if not isinstance(value, str):
        return value
    at = whole.places.get(key) if whole is not None else None
    if whole is None or at is None:
        return text(value, steps)
    return documents.setting(value, key, whole.path, at, call.place)


def _scalar(call: Call, value: dict[str, Any], key: str) -> Guarded:
    """What JSON has no value for; of what it has one for that is written otherwise (`yes`), that and the text."""
    if "=" not in value:
        return Unknown(Why.DYNAMIC, key)
    return call.made(binding_policies.SPELLED, value=value["="], text=text(value["!"]))


@static(OWNER, "lines")
def _lines(call: Call) -> Guarded:
    """`lines(source)`: the values of a properties file by their keys, all of those that a key has, as they are written."""
    path = documents.path_of(call.args[0])
    return call.run.over(known_texts(call.run, path, call.place), partial(_lines_of, call))


def _lines_of(call: Call, path: Any) -> Guarded:
    known = path.known if isinstance(path, Text) else None
    found = documents.entries_of(call.run, known, call.place) if known is not None else None
    if found is None:
        return Unknown(Why.EXTERNAL_CONFIG, known or phrase("settings-file-whose-path-is-not-written"))
    held: dict[str, list[Guarded]] = {}
    for one in found:
        held.setdefault(one.key, []).append(text(one.text, (Step(one.at, f"`{one.key}`"),)))
    first = {one.key: one.at for one in reversed(found)}
    listed = {key: call.all_of("ArrayList", values) for key, values in held.items()}
    return call.table(
        "LinkedHashMap", [Entry(True, text(key), one, first[key]) for key, one in listed.items()]
    )


@static(OWNER, "plain")
def _plain(call: Call) -> Guarded:
    """`plain(tree)`: the tree with each scalar as the value it stands for, however it is written."""
    return call.run.over(call.args[0], lambda leaf: binding.plain(call.run, leaf))


@static(OWNER, "parts")
def _parts(call: Call) -> Guarded:
    """`parts(tree, package)`: the tree as the `JSONObject` and `JSONArray` of a package. Of a number with a point nobody
    knows how it was written."""
    value, package = call.args.first(2)
    known = package.known if isinstance(package, Text) else None
    return call.run.over(value, partial(_part, call, known or ""))


def _part(call: Call, package: str, leaf: Any) -> Guarded:
    run = call.run
    run.work(1)
    if isinstance(leaf, float):
        return Unknown(Why.DYNAMIC, phrase("settings-file"))
    if leaf is None and package == "cn.hutool.json":
        return call.constructed(f"{package}.JSONNull")
    if not isinstance(leaf, Object) or leaf.declared is not None:
        return leaf
    made = call.constructed(f"{package}.{'JSONObject' if leaf.entries is not None else 'JSONArray'}")
    for entry in leaf.entries or ():
        call.method(made, "put", entry.key, run.over(entry.value, partial(_part, call, package)))
    for _, each in leaf.items or ():
        call.method(made, "add", run.over(each, partial(_part, call, package)))
    return made


@static(OWNER, "bind", effect=Effect.MAY_RAISE | Effect.CALLS_ARGUMENT)
def _bind(call: Call) -> Guarded:
    """`bind(library, tree, type, mapper)`: what the mapper of a library makes of a tree that is taken for a type."""
    library, value, kind, mapper = call.args.first(4)
    name = library.known if isinstance(library, Text) else None
    policy = binding_policies.policy_of(name or "", mapper) if isinstance(mapper, Object) else None
    return call.run.over(kind, lambda leaf: _bound(call, policy, value, leaf))


def _bound(call: Call, policy: binding_policies.Policy | None, value: Guarded, kind: Any) -> Guarded:
    wanted = binding_policies.wanted(call, kind)
    if wanted is None:
        return Unknown(Why.DYNAMIC, phrase("settings-file"))
    if policy is None:
        return call.run.with_type(Unknown(Why.DYNAMIC, phrase("settings-file")), wanted.ref, wanted.frame)
    return binding.Binding(call, policy).value(value, wanted)
