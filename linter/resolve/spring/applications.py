"""What starts in a deployable: the applications that code runs, else the application classes it holds."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.facts import Application, Type
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.modules import Deployable, ModuleKey, Modules

_ROOTS = frozenset({"SpringBootApplication", "EnableAutoConfiguration", "SpringCloudApplication"})

_ANYWHERE = frozenset({"added", "beans", "file", "uses"})
"""Settings that count for every application of a module, whatever method says them."""


class Started(Struct, frozen=True):
    """One application of a deployable: its configuration classes, and what the code sets before it runs."""

    placed: Placed
    sources: tuple[tuple[str, ...], ...]
    at: Span = START
    settings: tuple[tuple[str, str, str | None], ...] = ()


def started(deployable: Deployable, modules: Modules, files: Sequence[Placed]) -> tuple[Started, ...]:
    """The Spring applications of a deployable, none where it has none that is seen.

    Those of its own module; of the modules it takes in only where its own has none.
    """
    if not deployable.known or deployable.tests_only:
        return ()
    held: dict[ModuleKey, list[Placed]] = {}
    for placed in files:
        if placed.facts.on_jvm and scope_of(placed.origin.path) != "test":
            held.setdefault(modules.of(placed.origin), []).append(placed)
    for key in deployable.takes_in:
        found = _in_module(held.get(key, ()))
        if found:
            return found
    return ()


def _in_module(files: Sequence[Placed]) -> tuple[Started, ...]:
    run = [(placed, one) for placed in files for one in placed.facts.applications]
    made = [Started(placed, _sources(placed, one), one.at, one.settings) for placed, one in run]
    added = tuple(each for _, one in run for each in one.settings if each[0] in _ANYWHERE)
    made = [replace(one, settings=(*one.settings, *added)) for one in made if one.sources]
    named = {name for one in made for candidates in one.sources for name in candidates}
    for placed in files:
        for type_ in placed.facts.types:
            if _is_root(type_) and type_.name not in named:
                made.append(Started(placed, ((type_.name,),), settings=added))
    return tuple(made)


def _sources(placed: Placed, one: Application) -> tuple[tuple[str, ...], ...]:
    if one.sources:
        return one.sources
    owner = one.symbol.partition("#")[0]
    return ((owner,),) if any(t.name == owner and _is_root(t) for t in placed.facts.types) else ()


def _is_root(type_: Type) -> bool:
    return any(use.candidates and use.candidates[0].rpartition(".")[2] in _ROOTS for use in type_.annotations)
