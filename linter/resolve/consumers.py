"""One deployable -> its consumers, with the environments in which they differ.

Declared consumers are evaluated here in every environment, those that programs make come from `linter.resolve.programs`.
What differs by an alternative is a row that excludes its siblings; what differs by environment is a row of its own, rows
with equal values are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.answers import DeclaredApi
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import ConsumerSite
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import say
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve import bindings, declared_apis, own_annotations
from subdrift.linter.resolve.assemble import Row
from subdrift.linter.resolve.configuration import Configuration
from subdrift.linter.resolve.declared import Builder, TooManyError
from subdrift.linter.resolve.environment import PROFILES_MAX, Environment
from subdrift.linter.resolve.frameworks import SPRING
from subdrift.linter.resolve.merging import merged
from subdrift.linter.resolve.modules import Deployable, Ring
from subdrift.linter.resolve.programs import Programs, Rows, run_programs
from subdrift.linter.resolve.scopes import scoped
from subdrift.linter.resolve.spring.annotations import Annotations
from subdrift.linter.resolve.spring.registration import Registrations, without_application
from subdrift.linter.resolve.world import World

RING_SHOWN_MAX = 6
"""Steps of a ring of modules that are named."""

MANY_PROFILES = 8
EXPLORED_MAX = 2
"""Profiles, and deployments, of which a round that learns what to read tells the consumers where there are many."""


class Consumers(Struct, frozen=True):
    """What `consume` makes of one deployable.

    Of the places that make a consumer in a module which several deployables take in: `followed` are those whose code was
    run here, `unmet` a consumer for each of the others, which is one where nobody has run it.
    """

    consumers: tuple[Consumer, ...]
    diagnostics: tuple[Diagnostic, ...]
    unmet: tuple[Consumer, ...] = ()
    followed: frozenset[Location] = frozenset()


def consume(
    world: World,
    deployable: Deployable,
    files: Sequence[Placed],
    configuration: Configuration,
    apis: Sequence[DeclaredApi] = (),
    scopes: Sequence[tuple[str, str]] = (),
) -> Consumers:
    """The consumers of one deployable; `files` are those of the modules it takes in, `apis` those that are declared,
    `scopes` what `[scope]` says of paths."""
    diagnostics: dict[tuple[str, Location], Diagnostic] = {
        (one.name, one.at): one for one in declared_apis.unseen(world, deployable, files, apis)
    }
    for key in deployable.takes_in[:1] if deployable.known else deployable.takes_in:
        if (ring := ring_named(world.modules.ring_of(key))) is not None:
            diagnostics["ring", ring.at] = ring
    declared = _declared(world, deployable, files, apis)
    programs = run_programs(world, world.program, deployable, files, configuration)
    rows_of = partial(
        _environment_rows,
        world,
        deployable,
        files,
        diagnostics=diagnostics,
        programs=programs,
        declared=declared,
        annotations=Annotations(world.definitions, deployable),
    )
    rows, names = _all_rows(world, deployable, files, configuration, rows_of, diagnostics, programs)

    def is_defined(key: str) -> bool:
        return any(configuration.environment(name).lookup(key) is not None for name in names)

    def program_of(origin: Origin) -> str:
        return world.modules.program(deployable, world.modules.of(origin)).name_in(origin.repo)

    def told(unmet: bool) -> tuple[Consumer, ...]:
        return tuple(merged((row for row in rows if row.unmet is unmet), is_defined, program_of))

    found = told(unmet=False)
    if world.program.marks.telling:
        from subdrift.linter.resolve.sends import told_once

        found = told_once(found)
    return Consumers(
        scoped(world, found, scopes),
        tuple(diagnostics.values()),
        scoped(world, told(unmet=True), scopes),
        frozenset(programs.followed),
    )


def _all_rows(
    world: World,
    deployable: Deployable,
    files: Sequence[Placed],
    configuration: Configuration,
    rows_of: Callable[[Environment], Iterator[Row]],
    diagnostics: dict[tuple[str, Location], Diagnostic],
    programs: Programs,
) -> tuple[list[Row], tuple[str, ...]]:
    """The rows of all environments, profiles, then deployments; and the names of these."""
    profiles = configuration.profiles
    if len(profiles) > PROFILES_MAX:
        first = next(iter(files)).at(Span(1, 1, 1, 1))
        message = say(
            "too-many-profiles",
            deployable=str(deployable),
            count=len(profiles),
            most=PROFILES_MAX,
            left_out=", ".join(profiles[PROFILES_MAX:]),
        )
        diagnostics["", first] = Diagnostic("not-followed", message, first)
    # a round that learns what to read asks for the same files in most environments: the others are told when it settles
    most = PROFILES_MAX
    if world.program.explores and world.program.marks.telling:
        most = 0
    elif world.program.explores and len(profiles) > MANY_PROFILES:
        most = EXPLORED_MAX
    rows: list[Row] = []
    for number, name in enumerate(("", *profiles[:PROFILES_MAX])):
        made = list(rows_of(configuration.environment(name)))
        rows += made
        alike = not any(row.asked for row in made) and not programs.elsewhere and not _profiled(files)
        if name == "" and profiles and alike and configuration.framework is SPRING:
            rows = [_everywhere(row, profiles) for row in rows]
            break
        if world.program.explores and number == most < len(profiles):
            world.program.postponed = True
            break
    asked = sorted(configuration.asked)
    deployments = tuple(asked[:most] if world.program.explores else asked)
    world.program.postponed = world.program.postponed or len(deployments) < len(asked)
    for name in deployments:
        rows += rows_of(configuration.environment(name))
    if deployments:
        rows = [_deployed(row, deployments) for row in rows]
    return rows, ("", *profiles[:PROFILES_MAX], *deployments)


def ring_named(ring: Ring | None) -> Diagnostic | None:
    """What is said of modules that take each other in, where no tool builds them or where that is not followed."""
    if ring is None or ring.at is None or not (ring.refused or ring.cut):
        return None
    way = [str(key) for key in ring.around]
    if len(way) > RING_SHOWN_MAX + 1:
        way[RING_SHOWN_MAX - 1 : -1] = ["..."]
    code = "modules-in-a-ring.cut" if ring.cut else "modules-in-a-ring"
    message = say(code, count=len(ring.modules), ring=" -> ".join(way))
    return Diagnostic("not-followed", message, ring.at, say("break-the-ring"))


def _profiled(files: Sequence[Placed]) -> bool:
    """Whether anything but a looked-up value may differ by profile: conditions, bindings made of keys."""
    if any(entry.key.startswith(_OF_PROFILES) for placed in files for entry in placed.facts.config):
        return True
    types = (type_ for placed in files for type_ in placed.facts.types)
    written = (
        uses for one in types for uses in (one.annotations, *(each.annotations for each in one.methods))
    )
    return any(_is_condition(name) for uses in written for use in uses for name in use.candidates[:1])


_OF_PROFILES = (
    "spring.cloud.stream", "spring.cloud.function", "rocketmq.", "spring.main.lazy-initialization",
)  # fmt: skip
"""Keys that decide which consumers there are, wherever nothing asks for them."""


def _is_condition(name: str) -> bool:
    simple = name.rpartition(".")[2]
    return simple in ("Profile", "Requires") or simple.startswith("Conditional")


def _everywhere(row: Row, profiles: tuple[str, ...]) -> Row:
    return replace(row, consumer=replace(row.consumer, environments=("", *profiles)))


def _deployed(row: Row, deployments: tuple[str, ...]) -> Row:
    """The row of a deployable for which deployment alternatives count as profiles it defines."""
    consumer = row.consumer
    return replace(row, consumer=replace(consumer, profiles=(*consumer.profiles, *deployments)))


def _environment_rows(
    world: World,
    deployable: Deployable,
    files: Sequence[Placed],
    environment: Environment,
    *,
    diagnostics: dict[tuple[str, Location], Diagnostic],
    programs: Programs,
    declared: Sequence[tuple[Placed, ConsumerSite]],
    annotations: Annotations,
) -> Iterator[Row]:
    registrations = (
        Registrations(world, deployable, environment, files, annotations)
        if environment.configuration.applications
        else None
    )
    if world.program.marks.telling:
        from subdrift.linter.resolve.sends import SendRows

        sending = SendRows(world, deployable, environment, programs, diagnostics, registrations)
        sending.sources = files
        yield from sending.rows()
        return
    made = Rows(world, deployable, environment, programs, diagnostics, registrations)
    sites = [
        *((placed, site) for placed in files for site in placed.facts.sites),
        *declared,
        *bindings.sites(world, deployable, environment, files, registrations),
    ]
    for placed, site in sites:
        if site.api == "own-annotation" and (placed.origin, site.type) in made.annotated:
            continue  # what a program has made of it is told
        if registrations is None:
            registered = without_application(world, deployable, environment, annotations, placed, site)
        else:
            registered = registrations.of(placed, site)
        for one in registered or (None,):
            builder = Builder(world, deployable, environment, placed, site, one)
            try:
                yield from list(builder.rows(made.hooks(placed, site)))
            except TooManyError:
                yield builder.crowd()
    taken_over = all(
        file.language != "python" for file in programs.files
    )  # scripts are run again in each round
    if world.program.explores and taken_over and any(programs.executed.clients()):
        world.program.postponed = True  # what is read next hangs on the runs, which have asked for it
    else:
        yield from made.rows()


def _declared(
    world: World, deployable: Deployable, files: Sequence[Placed], apis: Sequence[DeclaredApi]
) -> list[tuple[Placed, ConsumerSite]]:
    """The consumers of own annotations and of declared APIs, the same in all environments; what `[[apis]]` says of an
    annotation or class wins."""
    declared = list(declared_apis.sites(world, deployable, files, apis))
    if world.program.marks.telling:
        return declared
    said = {(placed.origin, site.at) for placed, site in declared}
    own = own_annotations.sites(world, deployable, files)
    return [*((placed, site) for placed, site in own if (placed.origin, site.at) not in said), *declared]
