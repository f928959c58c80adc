"""Providers of services: what `ServiceLoader` finds, by the files of the class path that list them."""

from __future__ import annotations

from typing import Final

from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.deferred import settings_of
from subdrift.linter.resolve.execute.guards import choose
from subdrift.linter.resolve.execute.havoc import alike
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.natives.reflection import binary_name, owner_of

_REGISTERED: Final = ("AutoService", "MetaInfServices")
"""Annotations by which a tool writes the file that lists a class."""


@static("ServiceLoader", "load")
def _services(call: Call) -> Guarded:
    """The providers of a type that a file of the class path lists, an object of each; one that a library may bring besides."""
    run, declared, settings = call.run, owner_of(call.args[0]), settings_of(call.run)
    if declared is None or settings is None or call.frame.owner is None:
        return NotImplemented
    made = call.listed("ArrayList")
    listed = settings.file(f"META-INF/services/{binary_name(declared)}", call.place.origin)
    if listed is not None:
        made.items = [(True, _named_provider(call, declared, one.key)) for one in listed]
        return made
    below = run.scope.implementations(declared, demand=False)
    providers = [each for each in below if each.annotation(*_REGISTERED) is not None]
    made.items = [(True, _provided(call, provider)) for provider in providers]
    if not providers:
        needs = frozenset({f"<{declared.simple}"})
        unseen = Unknown(Why.DYNAMIC, f"{declared.simple}.load()", ("provider", declared), needs=needs)
        is_there = choose(run.decide(("provided", declared), 2, "condition", call.place), 2, 0)
        made.items = [(is_there, _stand_in(call, declared, unseen))]
        made.open = made.open or alike(unseen, made)
    return made


def _named_provider(call: Call, declared: Class, name: str) -> Guarded:
    """An object of a class that a file lists; where nobody has read it, of one below the declared type."""
    assert call.frame.owner is not None
    found = call.run.scope.full(name.replace("$", "."), call.frame.owner.file)
    if found is not None:
        return _provided(call, found)
    call.run.scope.definitions.missing.add(name)
    return _stand_in(call, declared, Unknown(Why.UNDEFINED, name, ("provider", name)))


def _stand_in(call: Call, declared: Class, unseen: Unknown) -> Object:
    provider = call.run.make(declared, declared.name, call.place)
    provider.open = unseen
    return provider


def _provided(call: Call, provider: Class) -> Guarded:
    return call.java.instantiate(call.run, provider, Arguments([]), call.frame, call.place)
