"""The configuration one deployable runs with in one environment: key -> text, with Spring's precedence.

Highest first: answers of `.subdrift.toml`, visible deployment variables, mounted files and the working directory over
the class path, a later active profile over an earlier one over none, a `config/` folder over its parent,
`.properties` over YAML, a later document over an earlier one, what a file imports over the file itself;
`application` over `@PropertySource` over `bootstrap`. Of two files of one name on the class path only the first is
loaded: the deployable's own, then those of the modules it takes in. A key is found as written; a key in Spring's
canonical form (lower case, dashes) also finds its relaxed spellings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from subdrift.linter.model.facts import Told
from subdrift.linter.model.location import Location
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.configuration.loading import Loading
from subdrift.linter.resolve.configuration.lookups import BY_PROFILE
from subdrift.linter.resolve.configuration.surroundings import Surroundings, base_name
from subdrift.linter.resolve.deployments import Deployment
from subdrift.linter.resolve.environment import Entry, Environment, listed
from subdrift.linter.resolve.frameworks import Framework, framework_of
from subdrift.linter.resolve.keys import of_profile, relaxed, strip_prefix, variables_of
from subdrift.linter.resolve.modules import Deployable, Modules
from subdrift.linter.resolve.profiles import names_in
from subdrift.linter.resolve.resources import is_test_resource, literals
from subdrift.linter.resolve.spring.applications import Started
from subdrift.linter.resolve.spring.locations import locations

DEPLOYMENTS_MAX = 64
"""Deployment files that set variables of one deployable; the rest is left out (no repository comes near)."""


class Configuration(Loading):
    """All configuration of one deployable; `Environment` views apply profiles.

    `tests`: seen from its test code, whose resources come first on the class path. `applications`: what starts in it,
    where that is known; then beans, not this, say which property sources are read. `under`: as one deployment has it, which
    says itself which files are read.
    """

    def __init__(
        self,
        deployable: Deployable,
        modules: Modules,
        files: Iterable[Placed],
        answers: Mapping[tuple[str, str], str],
        answers_at: Location | None,
        surroundings: Surroundings | None = None,
        *,
        tests: bool = False,
        applications: Sequence[Started] = (),
        under: Deployment | None = None,
    ) -> None:
        self.answers = answers
        self.answers_at = answers_at
        self.asked = set()
        self._looked_up = set()
        self._under = under
        self._deployable = deployable
        self._modules = modules
        self._files = tuple(files)
        self._surroundings = surroundings or Surroundings()
        self._tests = tests
        self.applications = tuple(applications)
        told = under.of_files if under is not None else {}
        self.locations = locations(
            self.applications, {key: each.text or "" for key, (each, _) in told.items()}
        )
        self._entries = {}
        self._relaxed = {}
        self._environments = {}
        self._resources = {}
        self._names = []
        self.fills = {}
        self._load()
        self.profiles = self._profiles()

    @cached_property
    def named(self) -> frozenset[str]:
        """The profiles that the conditions of the code, and of XML files, name."""
        found: set[str] = set()
        for placed in self._files:
            if scope_of(placed.origin.path) == "test":
                continue
            for type_ in placed.facts.types:
                for use in (*type_.annotations, *(a for method in type_.methods for a in method.annotations)):
                    if use.candidates and use.candidates[0].rpartition(".")[2] == "Profile":
                        for text in literals(use.argument("value")):
                            found.update(names_in(text))
        return frozenset(name.lstrip("!") for name in found if name.lstrip("!"))

    @cached_property
    def framework(self) -> Framework:
        """What reads the settings files of the deployable."""
        modules = (self._modules.modules.get(key) for key in self._deployable.takes_in)
        return framework_of(
            each.coordinate for module in modules if module for each in module.dependencies if not each.test
        )

    def _profiles(self) -> tuple[str, ...]:
        names: set[str] = set()
        for entries in (*self._entries.values(), *self.fills.values()):
            for entry in entries:
                for group in entry.when:
                    for expression in group:
                        names.update(names_in(expression))
        for name in self._children_names("spring.profiles.group"):
            names.add(name)
        names.update(self.named)
        names.update(self._of_property_sources())
        keys = self.framework.profile_keys
        active = {part for key in keys for e in self.candidates(key, loosely=True) for part in listed(e.text)}
        return (*sorted(names - {"default"}), *sorted(self._without(active)))

    def _without(self, active: Collection[str]) -> set[str]:
        """`!dev` where a file holds without a profile that files make active: what runs when another one is named."""
        found: set[str] = set()
        for entries in self._entries.values() if active else ():
            for entry in entries:
                found.update(each.strip() for group in entry.when for each in group)
        return {each for each in found if each[:1] == "!" and each[1:] in active}

    def _of_property_sources(self) -> Iterator[str]:
        """The profiles for which there is a file that a `@PropertySource` names by the active profile."""
        for placed in self._files:
            if not placed.facts.on_jvm or scope_of(placed.origin.path) == "test":
                continue
            for type_ in placed.facts.types:
                for use in type_.annotations:
                    if not any(name.rpartition(".")[2] == "PropertySource" for name in use.candidates):
                        continue
                    for written in literals(use.argument("value")):
                        yield from self._profiles_of_name(written)

    def _profiles_of_name(self, written: str) -> Iterator[str]:
        around = BY_PROFILE.split(written.partition(":")[2] or written)
        if len(around) != 2:
            return
        before, after = (each.lstrip("/") for each in around)
        self._surroundings.wanted.add(f"{base_name(before + 'x')[:-1]}*{after}")
        for resource in self._resources:
            name = resource[len(before) : len(resource) - len(after)]
            if resource.startswith(before) and resource.endswith(after) and re.fullmatch(r"[\w-]+", name):
                yield name

    def _children_names(self, prefix: str) -> Iterator[str]:
        for entry in self.below(prefix):
            rest = strip_prefix(entry.key, prefix)
            if rest:
                yield re.split(r"[.\[]", rest, maxsplit=1)[0]

    def environment(self, name: str) -> Environment:
        """The view with one profile active, with none (""), or under one of `deployments`."""
        found = self._environments.get(name)
        if found is None:
            deployment = self.deployments.get(name) if ":" in name else None
            apart = deployment is not None and self._under is None and self._reads_otherwise(deployment)
            found = Environment(self._as_under(deployment) if apart else self, name)
            self._environments[name] = found
        return found

    def _reads_otherwise(self, deployment: Deployment) -> bool:
        """Whether under a deployment other files are read than without it."""
        return bool(deployment.of_files) or any(
            entry.text.endswith(base_name(target))
            for target in deployment.mounted
            for entry in self.below_or_at("spring.config.import")
        )

    def _as_under(self, deployment: Deployment | None) -> Configuration:
        """The configuration as a deployment has it that says which files are read."""
        made = self._like(tests=self._tests, under=deployment)
        made.asked, made._looked_up = self.asked, self._looked_up
        return made

    @cached_property
    def for_tests(self) -> Configuration:
        """What the test code of the deployable sees."""
        if self._tests or not any(is_test_resource(placed.origin.path) for placed in self._files):
            return self
        return self._like(tests=True)

    def _like(self, *, tests: bool, under: Deployment | None = None) -> Configuration:
        """Another one of the same deployable and files."""
        return Configuration(
            self._deployable,
            self._modules,
            self._files,
            self.answers,
            self.answers_at,
            self._surroundings,
            tests=tests,
            applications=self.applications,
            under=under,
        )

    def given(self, name: str) -> Iterator[Entry]:
        """The entries of the settings files that a deployment puts where Spring looks for them."""
        for source in self._given(name):
            yield from self._entries_of(source)

    def ask(self, key: str) -> None:
        """Notes which deployment alternatives set a key that was looked up."""
        if not self.deployments or key in self._looked_up:
            return
        if not self._looked_up:
            self.asked |= self._everywhere
        self._looked_up.add(key)
        variables = variables_of(key)
        for variable in (key, *variables):
            self.asked.update(self._set_by.get(variable, ()))
        start = relaxed(key)
        numbered = re.compile(rf"(?:{'|'.join(map(re.escape, variables))})_\d+_?(?:_.*)?")
        for told, names in self._set_by.items():
            if (told.startswith(start) and (told == start or told[len(start)] in ".[")) or numbered.fullmatch(
                told
            ):
                self.asked |= names

    @cached_property
    def _everywhere(self) -> frozenset[str]:
        """The deployments that may say something of any key: they make profiles active, or say which files are read."""
        return frozenset(
            name
            for name, one in self.deployments.items()
            if self._reads_otherwise(one)
            or (
                self.profiles
                and any(
                    relaxed(key).startswith("spring.profiles.") or key.startswith("SPRING_PROFILES_")
                    for key in one.told
                )
            )
        )

    @cached_property
    def _set_by(self) -> Mapping[str, set[str]]:
        """The deployments that set a variable as it is written, or a key in its relaxed form."""
        found: dict[str, set[str]] = {}
        for name, deployment in self.deployments.items():
            told = {
                relaxed(of_profile(one)[1]) if entry.told < Told.VARIABLE else one
                for one, (entry, _) in deployment.told.items()
            }
            told |= {one for one in deployment.told if "." in one}
            for one in (*told, *(relaxed(each.key) for file in deployment.files for each in file.entries)):
                found.setdefault(one, set()).add(name)
        return found
