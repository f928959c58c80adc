"""A configuration as one environment sees it: a profile, a deployment, or neither; and the entries it chooses among."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.facts import EnvEntry, Told
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.deployments import UNDECIDED
from subdrift.linter.resolve.keys import (
    is_canonical,
    map_keys,
    of_profile,
    relaxed,
    strip_prefix,
    variable_of,
    variables_of,
)
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.spring.applications import Started

if TYPE_CHECKING:
    from subdrift.linter.resolve.configuration import Configuration

_OF_PROCESS = re.compile(r"\$\{([^:}]+)(?::([^}]*))?\}")

PROFILES_MAX = 24
"""Profiles of one deployable that are evaluated; more are left out with a diagnostic."""


class Layer(IntEnum):
    """Where a file stands among the sources of an application; a lower one wins."""

    PROGRAM = 0  # the command line and system properties that the code sets itself
    CENTRE = 1  # an exported copy of what a configuration centre serves
    APPLICATION = 2
    PROPERTY_SOURCE = 3
    DEFAULTS = 4  # the default properties that the code sets itself
    BOOTSTRAP = 5
    ELSEWHERE = 6  # named like a configuration file, in a folder nothing loads by itself
    LATER = 7  # of a configurer of bean files behind the first, which sees what that one leaves: no key with a default


class Entry(Struct, frozen=True):
    """One configured text and where it stands.

    `profile` is "" unless it depends on profiles; `when`: of every group at least one expression must hold.
    `file_profile` is that of the file's name. `copied`: that this file is loaded is not seen, only likely.
    `outside`: a deployment takes it from outside; `undecided`: another file says something else and neither wins.
    `lifted`: the variant of an imported file for its `file_profile`, which stands above the application's own files.
    """

    key: str
    text: str
    at: Location
    profile: str
    when: tuple[tuple[str, ...], ...] = ()
    layer: Layer = Layer.APPLICATION
    location: int = 1
    file_profile: str = ""
    rank: tuple[int, ...] = ()
    copied: bool = False
    outside: bool = False
    undecided: bool = False
    lifted: bool = False


class Environment:
    """A configuration with one profile active ("" for what runs when nobody names one), or under one deployment."""

    __slots__ = (
        "_active",
        "_below",
        "_children",
        "_found",
        "_holding",
        "_open",
        "_own",
        "_told",
        "_variables",
        "configuration",
        "name",
    )

    def __init__(self, configuration: Configuration, name: str) -> None:
        self.configuration = configuration
        self.name = name
        deployment = configuration.deployments.get(name) if ":" in name else None
        self._variables = deployment.told if deployment is not None else None
        self._active: tuple[str, ...] | None = None
        self._open: bool | None = None
        self._found: dict[tuple[str, bool], Entry | None] = {}
        self._children: dict[str, tuple[str, ...]] = {}
        self._holding: dict[tuple[tuple[str, ...], ...], bool] = {}
        self._own: dict[str, list[Entry]] = {}
        self._below: list[
            tuple[str, Entry]
        ] = []  # prefixes of keys that code sets, by names that are not written out
        for application in configuration.applications[:1] if len(configuration.applications) == 1 else ():
            self._program(application)
        if deployment is not None:
            for entry in configuration.given(name):
                self._hold(entry)
            for told, placed in deployment.told.values():
                if told.variable[:1] == "-":
                    if not configuration.framework.dashed:
                        continue
                    told = replace(told, variable=told.variable[1:])
                if told.told < Told.VARIABLE:
                    rank = (0, told.told) if told.told < Told.PROPERTY else (1, 1)
                    entry = self._as_told(told, placed)
                    self._hold(replace(entry, layer=Layer.PROGRAM, rank=rank))

    def _as_told(self, told: EnvEntry, placed: Placed) -> Entry:
        """A setting that a deployment tells, as an entry of its environment."""
        undecided = told.text is not None and told.text == UNDECIDED
        text, at = told.text or "", placed.at(told.at)
        profile, key = of_profile(told.variable)
        when = ((profile,),) if profile else ()
        return Entry(key, text, at, self.name, when, outside=told.text is None, undecided=undecided)

    def _program(self, application: Started) -> None:
        """What the code of an application sets before it runs."""
        at = application.placed.at(application.at)
        for number, (kind, key, text) in enumerate(application.settings):
            if not key or kind in ("beans", "file", "uses"):
                continue
            layer = Layer.DEFAULTS if kind == "default" else Layer.PROGRAM
            rank = (0 if kind == "argument" else 1, -number)
            entry = Entry(key, text or "", at, "", (), layer, rank=rank, outside=text is None)
            if kind == "added" and key.endswith("*"):
                self._below.append((relaxed(key[:-1]), entry))
            else:
                self._hold(entry)

    def _hold(self, entry: Entry) -> None:
        """An entry of this environment alone."""
        self._own.setdefault(relaxed(entry.key), []).append(entry)

    def add_property_source(self, path: str, *, yaml: bool, name: str) -> None:
        """Loads the file a `@PropertySource` names; what is added later wins over what was added before."""
        number = sum(len(entries) for entries in self._own.values())
        for placed, entry in self.configuration.property_source(path, yaml=yaml):
            rank = (-number, -entry.document)
            self._hold(
                Entry(entry.key, entry.text, placed.at(entry.at), "", (), Layer.PROPERTY_SOURCE, rank=rank)
            )
        self._found.clear()
        self._children.clear()

    def seen_from(self, origin: Origin) -> Environment:
        """The environment as the code of a file sees it: test code has test resources first."""
        if scope_of(origin.path) != "test":
            return self
        tests = self.configuration.for_tests
        return self if tests is self.configuration else tests.environment(self.name)

    def candidates(self, key: str, *, loosely: bool) -> tuple[Entry, ...]:
        """Every entry for a key, those of this environment alone among them."""
        found = self.configuration.candidates(key, loosely=loosely)
        if not self._own and not self._below:
            return found
        name = relaxed(key)
        own = (e for e in self._own.get(name, ()) if loosely or e.key == key or is_canonical(key))
        below = (e for prefix, e in self._below if name.startswith(prefix))
        return (*own, *below, *found)

    @property
    def active(self) -> tuple[str, ...]:
        """The active profiles, the one that wins first: the last of a list, members of a group over the group,
        included ones below the others. A profile set from outside replaces those that files name.

        Mirrors Profiles and ConfigDataEnvironment, Spring Boot 2.4 to 3.4.
        """
        if self._active is None:
            pending = [*self._additional(), *self._included(), *self.named()]
            order: list[str] = []
            while pending and len(order) < PROFILES_MAX:
                current = pending.pop(0)
                if current not in order:
                    order.append(current)
                    pending = self._plain(f"spring.profiles.group.{current}") + pending
            self._active = tuple(reversed(order))
        return self._active

    @property
    def default_profiles(self) -> tuple[str, ...]:
        """What holds while no profile is active."""
        return tuple(reversed(self._plain("spring.profiles.default"))) or (
            self.configuration.framework.default,
        )

    @property
    def is_lazy(self) -> bool:
        """Whether beans are made only when somebody asks for them."""
        found = self.lookup("spring.main.lazy-initialization", loosely=True)
        return found is not None and found.text.strip().lower() == "true"

    def named(self) -> list[str]:
        """The profiles named as active: by the code itself, from outside, else by files."""
        keys = self.configuration.framework.profile_keys
        written = [e for key in keys for e in self._own.get(relaxed(key), ()) if e.layer is Layer.PROGRAM]
        if written:
            return listed(min(written, key=lambda entry: entry.rank).text)
        if self.name and self._variables is None:
            return [self.name]
        for variable in (name for key in keys for name in (key, variable_of(key))):
            if self._variables is not None and variable in self._variables:
                return listed(self._variables[variable][0].text or "")
        return next((named for key in keys if (named := self._plain(key))), [])

    def _additional(self) -> list[str]:
        """Profiles that the code of the application adds."""
        return [part for text in self._added() if text for part in listed(text)]

    def _added(self) -> list[str | None]:
        """The profiles that the code adds as it names them, None for one that is not known here."""
        applications = self.configuration.applications
        settings = applications[0].settings if len(applications) == 1 else ()
        return [self._of_process(text) for kind, _, text in settings if kind == "profiles"]

    def _of_process(self, text: str | None) -> str | None:
        """A text that code takes from a variable or property of its process: what the deployment says, else the default."""
        match = _OF_PROCESS.fullmatch(text or "")
        if match is None:
            return text
        told = (self._variables or {}).get(match[1])
        if told is not None:
            return None if told[0].text == UNDECIDED else told[0].text
        return match[2]

    @property
    def is_open(self) -> bool:
        """Whether code makes a profile active that is not known here."""
        if self._open is None:
            self._open = None in self._added()
        return self._open

    def _included(self) -> list[str]:
        """What every file without profile includes, and the process: what the strongest of them does first.

        Mirrors ConfigDataEnvironment.getIncludedProfiles, Spring Boot 2.4 to 3.4.
        """
        key = "spring.profiles.include"
        entries = self._without_profile(key)
        for index in range(PROFILES_MAX):
            inside = self._without_profile(f"{key}[{index}]")
            if not inside:
                break
            entries += inside
        entries.sort(key=lambda each: (each.layer, each.location, each.rank))
        return [*(self._told_plainly(key) or ()), *(name for each in entries for name in self._names(each))]

    def _plain(self, key: str) -> list[str]:
        """A comma list written in a file without profile; what cannot be resolved gives nothing."""
        told = self._told_plainly(key)
        if told is not None:
            return told
        for entry in self._without_profile(key):
            return self._names(entry)
        found: list[str] = []
        for index in range(PROFILES_MAX):
            inside = self._without_profile(f"{key}[{index}]")
            if not inside:
                break
            found += self._names(inside[0])
        return found

    def _told_plainly(self, key: str) -> list[str] | None:
        """A comma list that a deployment gives; None where it gives none."""
        told = self._variable(key)
        if told is None:
            return None
        return [] if told.outside or told.undecided else listed(told.text)

    def _without_profile(self, key: str) -> list[Entry]:
        """What files that are read whatever is active say of a key, the strongest first."""
        return [
            each
            for each in self.candidates(key, loosely=True)
            if not each.when and self.configuration.is_loaded(each)
        ]

    def _names(self, entry: Entry) -> list[str]:
        """The names in a comma list, without those that cannot be resolved."""
        texts = self.configuration.plain(self.configuration.filtered(entry.text, entry.at.origin)).split(",")
        return [text.strip() for text in texts if text.strip() and "$" not in text and "@" not in text]

    def answer(self, key: str) -> str | None:
        """What `[values]` answers for a key here: for an active profile, else for every one."""
        answers = self.configuration.answers
        for profile in (*self.active, ""):
            if (key, profile) in answers:
                return answers[key, profile]
        return None

    def lookup(self, key: str, *, loosely: bool = False) -> Entry | None:
        """The entry that holds for a key here, None when no file without or with an active profile has it."""
        if key in self.configuration.framework.profile_keys and self.name and self._variables is None:
            return None  # the environment itself answers it
        mark = (key, loosely)
        if mark not in self._found:
            self.configuration.ask(key)
            best = self._best(key, loosely)
            above = best is not None and best.layer is Layer.PROGRAM
            self._found[mark] = best if above else self._variable(key) or best
        return self._found[mark]

    def lookup_in_map(self, prefix: str, name: str, tail: str) -> Entry | None:
        """The entry of a property of one element of a map that Spring Boot binds, whose names are not relaxed; large and
        small letters are one, as in BindingServiceProperties of spring-cloud-stream 3.2."""
        key = f"{prefix}.{name}.{tail}"
        self.configuration.ask(key)
        return self._variable(key) or self._best(
            key,
            True,
            lambda entry: [each.lower() for each in map_keys(entry.key, prefix)[:1]] == [name.lower()],
        )

    def _best(
        self, key: str, loosely: bool, accepts: Callable[[Entry], bool] = lambda entry: True
    ) -> Entry | None:
        best: Entry | None = None
        best_rank: tuple[object, ...] = ()
        rival: Entry | None = None
        perhaps = False
        for entry in self.candidates(key, loosely=loosely):
            if not self.configuration.is_loaded(entry) or not accepts(entry):
                continue
            if not self.holds(entry):
                perhaps = True
                continue
            # as written before relaxed spellings of one file
            spelt = 0 if entry.key == key else 1
            rank = (*self._rank(entry), spelt)
            if best is None or rank < best_rank:
                best, best_rank, rival = entry, rank, None
            elif rank == best_rank and entry.at.origin != best.at.origin and entry.text != best.text:
                rival = entry
            elif rank == best_rank and entry.at.origin == best.at.origin and entry.key == best.key:
                best = entry  # written twice in one document: the later one wins; of several spellings the first does
        if best is not None and (
            rival is not None or (perhaps and best.layer is not Layer.PROGRAM and self.is_open)
        ):
            return replace(best, undecided=True)
        return best

    def list_source(self, prefix: str) -> tuple[Entry, ...] | None:
        """The entries of the one source that Spring Boot binds the list below a key from; None where there is none.

        Mirrors IndexedElementsBinder, Spring Boot 2.0 to 3.4: lists of several sources are not merged, and a text with commas
        in a source above is the list. What lies below an element comes from the source of the element.
        """
        self.configuration.ask(prefix)
        stem = f"{relaxed(prefix)}["
        around = self._list_around(prefix)
        if around is not None:
            return tuple(entry for entry in around if relaxed(entry.key).startswith(stem)) or None
        own = [e for key, held in self._own.items() if key.startswith(stem) for e in held]
        found = [
            entry
            for entry in (*own, *self.configuration.below(prefix))
            if relaxed(entry.key).startswith(stem)
            and self.holds(entry)
            and self.configuration.is_loaded(entry)
        ]
        best = min(found, key=self._rank, default=None)
        if best is None or best.layer is not Layer.PROGRAM:
            numbered = self._numbered(prefix)
            if numbered or best is None or self._variable(prefix) is not None:
                return numbered or None
        whole = self._best(prefix, True)
        if whole is not None and self._rank(whole) < self._rank(best):
            return None
        return tuple(e for e in found if self._rank(e) == self._rank(best) and e.at.origin == best.at.origin)

    def _list_around(self, key: str) -> tuple[Entry, ...] | None:
        """The entries of the source of the outermost list that a key lies in, None where it lies in none."""
        index = re.search(r"\[\d+\]", key)
        return self.list_source(key[: index.start()]) if index is not None else None

    def _numbered(self, prefix: str) -> tuple[Entry, ...]:
        """The elements of a list that variables of the deployment set: `MQ_TOPICS_0_`, `MQ_LISTENERS_1_GROUP`."""
        found: list[Entry] = []
        for name in variables_of(prefix) if self._variables is not None else ():
            form = re.compile(rf"{re.escape(name)}_(\d+)_?(?:_(.+))?")
            for variable, told in (self._variables or {}).items():
                match = form.fullmatch(variable)
                if match is not None and told[0].told >= Told.VARIABLE:
                    rest = f".{match[2].lower().replace('_', '.')}" if match[2] else ""
                    found.append(replace(self._as_told(*told), key=f"{prefix}[{int(match[1])}]{rest}"))
        return tuple(dict.fromkeys(found))

    def lookup_among(self, entries: Sequence[Entry], key: str) -> Entry | None:
        """The entry for a key among those of one source."""
        wanted = relaxed(key)
        return next((entry for entry in reversed(entries) if relaxed(entry.key) == wanted), None)

    def _rank(self, entry: Entry) -> tuple[object, ...]:
        """Where an entry stands among others, the best first."""
        active = self.active or self.default_profiles
        position = active.index(entry.file_profile) if entry.file_profile in active else len(active)
        if entry.lifted:
            position -= len(active) + 1
        return (entry.layer, entry.location, position, *entry.rank)

    def filled(self, name: str) -> str | None:
        """What the build fills in for a `@name@` or `${name}` of a resource, None where no filter file has it."""
        found = self.configuration.fills.get(name, ())
        return next((entry.text for entry in found if self.holds(entry)), None)

    def _variable(self, key: str) -> Entry | None:
        """What a variable of the deployment sets."""
        if self._variables is None:
            return None
        for name in (key, *variables_of(key)):
            found = self._variables.get(name)
            if found is not None and found[0].told >= Told.VARIABLE:
                return self._as_told(*found)
        return None

    def holds(self, entry: Entry) -> bool:
        """Whether the profiles an entry depends on are active."""
        if not entry.when:
            return True
        known = self._holding.get(entry.when)
        if known is None:
            active = self.active or self.default_profiles
            known = all(any(profile_holds(each, active) for each in group) for group in entry.when)
            self._holding[entry.when] = known
        return known

    def children(self, prefix: str) -> tuple[str, ...]:
        """The names directly below a prefix in files that hold here, as written: those of the source that wins first, in
        order of their places, as MapBinder of Spring Boot 2.0 to 3.4 takes them."""
        if prefix not in self._children:
            found: dict[str, _Place] = {}
            own = [e for held in self._own.values() for e in held if strip_prefix(e.key, prefix)]
            around = self._list_around(prefix)
            for entry in (*own, *self.configuration.below(prefix)) if around is None else around:
                if not self.holds(entry) or not self.configuration.is_loaded(entry):
                    continue
                rest = strip_prefix(entry.key, prefix)
                if not rest:
                    continue
                if rest.startswith("["):
                    name = rest[: rest.find("]") + 1]
                    if not name[1:-1].isdigit():
                        name = name[1:-1]
                else:
                    name = re.split(r"[.\[]", rest, maxsplit=1)[0]
                at = entry.at
                place = (self._rank(entry), at.origin.repo, at.origin.path, at.span.line, at.span.column)
                if name and (name not in found or place < found[name]):
                    found[name] = place
            self._children[prefix] = tuple(sorted(found, key=lambda name: _natural(name, found[name])))
        return self._children[prefix]


_Place = tuple[tuple[object, ...], str, str, int, int]


def _natural(name: str, place: _Place) -> tuple[int, int, _Place]:
    """List items by number, names by place."""
    if name.startswith("[") and name[1:-1].isdigit():
        return (0, int(name[1:-1]), place)
    return (1, 0, place)


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
