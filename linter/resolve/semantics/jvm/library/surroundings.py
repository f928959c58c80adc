"""What a program asks its surroundings for: variables, system properties, Spring's and others' configuration."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import PROFILES, elements, parts, present
from subdrift.linter.resolve.execute.guards import UNSET, apply, ite, leaves, pick, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.peers import Effect
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Guarded, Key, Object, Step, Text, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.jvm import documents
from subdrift.linter.resolve.semantics.jvm.bound import made_into_type
from subdrift.linter.resolve.semantics.jvm.calls import Call, of_type, static
from subdrift.linter.resolve.semantics.jvm.library.statics import PROPERTIES_LOST


@static("System", "getenv")
def _getenv(call: Call) -> Guarded:
    if not call.args:
        return call.made("Environment")
    return apply(lambda leaf: variable(call.run, leaf, None, "env", call.place), call.args[0])


SYSTEM_PROPERTIES = "system properties"
"""In the heap of a run: what the program has set, by name; UNSET where it has not."""


@static("System", "getProperty")
def _get_property(call: Call) -> Guarded:
    default = call.args[1] if len(call.args) > 1 else UNSET
    if PROPERTIES_LOST in call.run.heap:
        return Unknown(Why.DYNAMIC, "System.getProperty()")
    name = call.args[0].known if isinstance(call.args[0], Text) else None
    put = call.run.heap.get(SYSTEM_PROPERTIES, {}).get(name, UNSET)
    if put is UNSET:
        return _from_outside(call, default)
    if all(leaf is not UNSET for _, leaf in leaves(put, call.run.guard)):
        return under(put, call.run.guard)
    outside = _from_outside(call, default)
    return apply(lambda leaf, other: other if leaf is UNSET else leaf, put, outside)


def _from_outside(call: Call, default: Guarded) -> Guarded:
    if default is UNSET:
        return apply(lambda leaf: variable(call.run, leaf, None, "system", call.place), call.args[0])
    return apply(
        lambda leaf, other: variable(call.run, leaf, other, "system", call.place), call.args[0], default
    )


def variable(run: Interpreter, name: Any, default: Any, kind: str, place: Location) -> Any:
    """A text taken from the environment, with the default a program gives where it is not set."""
    if not isinstance(name, Text) or name.known is None:
        why = name.why if isinstance(name, Unknown) else Why.DYNAMIC
        return Unknown(why, phrase("environment-variable"))
    run_default = default if isinstance(default, Text) else None
    step = Step(place, f"{'environment variable' if kind == 'env' else 'system property'} {name.known}")
    return Text((Key(name, run_default, kind),), (step,))


@static("System", "setProperty", "clearProperty", effect=Effect.MUTATES_RECEIVER)
def _set_property(call: Call) -> Guarded:
    name = call.args[0].known if isinstance(call.args[0], Text) else None
    if name is not None:
        known: dict[str, Guarded] = call.run.heap.setdefault(SYSTEM_PROPERTIES, {})
        value = call.args[1] if call.name == "setProperty" else UNSET
        known[name] = ite(call.run.guard, value, known.get(name, UNSET))
    return None


@static("ConfigProvider", "getConfig")
def _microprofile(call: Call) -> Guarded:
    return _configuration("ConfigProvider.getConfig()", "org.eclipse.microprofile.config.Config")


@static("ConfigService", "getAppConfig")
def _apollo(call: Call) -> Guarded:
    return _configuration("ConfigService.getAppConfig()", "com.ctrip.framework.apollo.Config")


def _configuration(shown: str, name: str) -> Guarded:
    return Unknown(Why.DYNAMIC, shown, ("injected", name), TypeValue(None, name))


@static("Binder", "get")
def _binder(call: Call) -> Guarded:
    return call.made("Binder")


@static("Bindable", "of", "listOf", "setOf", "mapOf")
def _bindable(call: Call) -> Guarded:

    from subdrift.linter.resolve.semantics.jvm import bound

    found = bound.bindable(call.run, call.name, Arguments(call.args), call.place)
    return Unknown(Why.DYNAMIC, "Bindable") if found is UNSET else found


@static("ClassLoader", "getSystemResourceAsStream")
@static("ResourceUtil", "getStream")
def _resource(call: Call) -> Guarded:
    return documents.resource(call.run, call.args[0], call.place)


@of_type("Binder")
def _bound_by(call: Call, leaf: Object) -> Guarded:
    from subdrift.linter.resolve.semantics.jvm import bound

    found: Guarded = UNSET
    if call.name in ("bind", "bindOrCreate"):
        found = bound.binder(call.java, call.run, Arguments(call.args[:2]), call.frame, call.place)
    if found is UNSET:
        return NotImplemented
    return found.fields["value"] if call.name == "bindOrCreate" and isinstance(found, Object) else found


@of_type("Environment")
def _environment(call: Call, leaf: Object) -> Guarded:
    run, place = call.run, call.place
    match call.name:
        case "get":
            return apply(lambda name: variable(run, name, None, "env", place), call.args[0])
        case "getOrDefault":
            return apply(lambda name, other: variable(run, name, other, "env", place), *call.args.first(2))
        case "containsKey":
            return apply(
                lambda name: Test("present", (variable(run, name, None, "env", place),)), call.args[0]
            )
    return NotImplemented


@of_type("InputStream", "ClassPathResource", "FileSystemResource", "URL")
def _opened_file(call: Call, leaf: Object) -> Guarded:
    """A file that is named: what is opened of it is of the same file."""
    match call.name:
        case "close" | "reset" | "mark" | "skip":
            return None
        case "getInputStream" | "openStream" | "getFile" | "toURI" | "getURL":
            return leaf
        case "exists" | "isReadable":
            path = leaf.fields.get(documents.PATH)
            known = path.known if isinstance(path, Text) else None
            there = known is not None and documents.entries_of(call.run, known, call.place) is not None
            return True if there else NotImplemented
        case "getPath" | "getFilename":
            return leaf.fields.get(documents.PATH) if call.name == "getPath" else NotImplemented
    return NotImplemented


ENVIRONMENTS = frozenset(
    (
        "Environment",
        "ConfigurableEnvironment",
        "StandardEnvironment",
        "PropertyResolver",
        "ConfigurablePropertyResolver",
    )
)

ENVIRONMENT_METHODS = frozenset(
    ("getProperty", "getRequiredProperty", "containsProperty", "resolvePlaceholders", "resolveRequiredPlaceholders",
     "getActiveProfiles", "acceptsProfiles", "matchesProfiles")
)  # fmt: skip


@static("Profiles", "of")
def _profiles(call: Call) -> Guarded:
    return call.all_of("Profiles", _expressions(call))


def _expressions(call: Call) -> list[Guarded]:
    """The profile expressions among arguments that are texts, arrays of them, or `Profiles`."""
    held = [each.items if isinstance(each, Object) else [(True, each)] for each in call.args]
    return [item for items in held for _, item in items or ((True, None),)]


_ELEMENT = re.compile(r"([^\[\]]+)\[(\d+)\]")


def _contains(call: Call, leaf: Any) -> Guarded:
    """Whether something sets a key; of an element, whether a list that configuration has is so long."""
    known = leaf.known if isinstance(leaf, Text) else None
    match = _ELEMENT.fullmatch(known or "")
    there = elements(call.run, match[1], call.place) if match is not None else None
    if match is not None and there is not None:
        return there[int(match[2])] if int(match[2]) < len(there) else False
    return Test("present", (Text((Key(leaf, None, "property"),)),)) if known is not None else call.unknown()


def _of_profiles(call: Call) -> Guarded:
    """What Spring's `Environment` says of the profiles that are active."""
    if call.name == "getActiveProfiles":
        active = Text((Key(text("spring.profiles.active"), None, PROFILES),), (Step(call.place, call.name),))
        items = parts(call.run, active, "", call.place)
        return call.unknown() if items is None else call.listed("[]", items)
    asked = _expressions(call)
    known = all(isinstance(one, Text) and one.known is not None for one in asked)
    return Test("profiles", tuple(asked)) if known else call.unknown()


def _as_text(call: Call, value: Guarded) -> Text | None:
    """A default as configuration would spell it, None for what is none of its own."""
    if isinstance(value, Object):
        return text(value.constant) if value.constant else None
    return call.java.shown(call.run, value) if isinstance(value, Text | int | float) else None


def environment_property(call: Call) -> Guarded:
    """Spring's `Environment`."""
    if call.name.endswith("Profiles"):
        return _of_profiles(call)
    if call.name == "containsProperty":
        return call.run.over(call.args[0], partial(_contains, call))
    if call.name in ("resolvePlaceholders", "resolveRequiredPlaceholders"):
        return apply(
            lambda leaf: (
                Text((Key(leaf, None, "placeholders"),), leaf.steps) if isinstance(leaf, Text) else leaf
            ),
            call.args[0],
        )
    asked = next((one for one in call.args[1:] if isinstance(one, TypeValue)), None)
    kind = made_into_type(asked.declared, asked.name) if asked is not None else ""
    given = next((value for value in call.args[1:] if not isinstance(value, TypeValue)), UNSET)
    given = UNSET if given is None else given  # as if none were given
    default = None if given is UNSET else _as_text(call, given)

    def look_up(name: Any, other: Any) -> Any:
        if not isinstance(name, Text) or name.known is None:
            return Unknown(Why.DYNAMIC, phrase("configuration-key"))
        key = Key(name, other if isinstance(other, Text) else None, "", kind)
        return Text((key,), (Step(call.place, name.known),))

    found = apply(look_up, call.args[0], default)
    told = _as_asked(call, found, asked.name if asked is not None else "")
    if given is UNSET or default is not None:
        return told
    if not isinstance(found, Text):  # and something that no text stands for
        return Unknown(Why.DYNAMIC, "getProperty()")
    return pick(present(call.run, found, call.place), told, given)


def _as_asked(call: Call, found: Guarded, kind: str) -> Guarded:
    """What configuration has, as a value of the kind that is asked for."""
    if not kind.endswith(("[]", "List", "Set", "Collection")):
        return found
    items = parts(call.run, found, "", call.place) if isinstance(found, Text) else None
    open_ = None if items else Unknown(Why.DYNAMIC, phrase("list-of-configuration"))
    return call.listed("List", items or (), open_)  # taken apart as Spring converts a text
