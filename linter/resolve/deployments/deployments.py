"""The deployments of one deployable: what each deployment file tells it, and the settings files it is given.

A deployment is an environment of its own, named by its file (`compose:docker-compose.yml`). What is told is ranked as
Spring ranks it: an argument, a JSON text, a system property, a variable, a file of variables, what the image sets.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from subdrift.linter.model import commands
from subdrift.linter.model.facts import ConfigEntry, EnvEntry, Launch, Mount, Told
from subdrift.linter.model.languages import is_dockerfile, is_env_file, is_launcher
from subdrift.linter.model.location import START, Origin
from subdrift.linter.model.placed import Placed, scope_of, spring_file
from subdrift.linter.resolve.deployments.deployment import (
    Deployment,
    Given,
    Heard,
    Said,
    base_name,
    beside,
    folder_of,
    folders_around,
    handed_on,
    told_together,
    undecided,
)
from subdrift.linter.resolve.modules import Deployable, Modules

if TYPE_CHECKING:
    from subdrift.linter.resolve.configuration import Surroundings


DEPLOYMENTS_MAX = 64
"""Deployment files that tell one deployable something; the rest is left out (no repository comes near)."""

EXTENDS_MAX = 8
"""Services that extend one another."""

_MAP = "configmap:"

_BASES = ("docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml")

_SETTINGS = (".yml", ".yaml", ".properties")

_OVERRIDE = r"(?:docker-)?compose\.override\.ya?ml"

_VALUES = "values.yaml"

_BUILDERS = ("Makefile", "Jenkinsfile", "*.sh", "*.yml", "*.yaml")
"""Files that may say where an image is built."""

_COMMON_WORDS = frozenset({
    "app", "application", "boot", "cm", "common", "conf", "config", "configmap", "configs", "configuration", "default", "dev",
    "env", "environment", "global", "k8s", "prod", "production", "properties", "server", "service", "services", "settings",
    "spring", "staging", "test", "uat",
})  # fmt: skip
"""Words in the name of a ConfigMap that tell no application from another."""

_IN_TEMPLATE = r"\{\{([\w.-]+)\}\}"

_TEMPLATE = r"(?:^|[-_.])(?:example|sample|template|dist)(?:$|[-_.])"


class Deployments:
    """Which of the deployment files of a repository speak of one deployable, and what they tell it."""

    def __init__(self, deployable: Deployable, modules: Modules, surroundings: Surroundings) -> None:
        self._deployable = deployable
        self._modules = modules
        self._surroundings = surroundings
        self._env_files: dict[str, Mapping[str, str | None]] = {}

    @cached_property
    def found(self) -> Mapping[str, Deployment]:
        """The deployments by name: one for each file, and where a file starts the deployable in several processes, one for each
        of these."""
        heard: dict[str, Heard] = {}
        for placed in self._files():
            own = f"{kind_of(placed.origin.path)}:{placed.origin.path}"
            groups = self._processes(placed)
            for group in groups:
                for one, source in self._told(placed, group):
                    name = own if len(groups) == 1 else f"{own}#{min(group - {''})}"
                    if isinstance(one, Given) and one.target:
                        heard.setdefault(name, Heard()).mounted[one.target] = one.placed
                    elif isinstance(one, Given):
                        heard.setdefault(name, Heard()).files.append(one)
                    elif isinstance(one, tuple):
                        launch = self._filled_in(one[1], placed, source)
                        heard.setdefault(name, Heard()).lines.append((one[0], launch, source))
                    else:
                        for alternative, entry, at in self._rendered(one, placed, source):
                            heard.setdefault(alternative or name, Heard()).told.append((entry, at))
        for name, placed, given in self._config_maps():
            deployment = heard.setdefault(name, Heard())
            deployment.files += [Given(placed, file, entries) for file, entries in given.items()]
        found = {name: Deployment(told_together(one), one.files, one.mounted) for name, one in heard.items()}
        said = {name: one for name, one in found.items() if one.told or one.files or one.mounted}
        return dict(sorted(said.items())[:DEPLOYMENTS_MAX])

    def _files(self) -> Iterator[Placed]:
        """The deployment files of the repository but examples of them, and files that another one names: of variables, of
        services that others extend, scripts that images start."""
        every = self._surroundings.deployments.get(self._deployable.key.repo, ())
        named = {
            beside(one, mount.source)
            for one in every
            for mount in one.facts.mounts
            if mount.source and mount.told in (None, Told.FILE, Told.BASE)
        }  # a compose file that another one extends is one to start by itself
        for placed in every:
            path = placed.origin.path
            if (
                scope_of(path) == "test"
                or path.startswith(".github/")
                or re.search(_TEMPLATE, base_name(path))
            ):
                continue
            if path not in named or kind_of(path) == "compose":
                yield placed

    def _rendered(
        self, entry: EnvEntry, placed: Placed, source: Placed
    ) -> Iterator[tuple[str, EnvEntry, Placed]]:
        """The alternatives a variable is set in, each with its entry and where it stands: one for each values file of a chart
        where it is made of the chart's values, each laid over the chart's own, else the deployment at hand (""). A compose
        file has its variables filled in from the `.env` file beside it."""
        chart = source.origin.path.rpartition("/templates/")[0] if entry.template else ""
        files = self._surroundings.values.get((source.origin.repo, chart), ())
        if not files:
            if entry.template and "{{" not in entry.template:
                entry = replace(
                    entry, text=commands.interpolated(entry.template, self._beside_compose(placed))
                )
            yield "", entry, source
            return
        own = {one.key: (one, files[0]) for one in files[0].facts.config}
        for values in files:
            held = {**own, **{one.key: (one, values) for one in values.facts.config}}
            names = re.findall(_IN_TEMPLATE, entry.template)
            used = [held[name] for name in names if name in held]
            text = None
            if len(used) == len(names):
                text = re.sub(_IN_TEMPLATE, lambda match: held[match[1]][0].text, entry.template)  # noqa: B023
            at, where = (used[-1][0].at, used[-1][1]) if used else (entry.at, source)
            yield f"helm:{values.origin.path}", replace(entry, text=text, at=at), where

    def _filled_in(self, launch: Launch, placed: Placed, source: Placed) -> Launch:
        """A command line of a compose file with its variables filled in."""
        if kind_of(placed.origin.path) != "compose" or not source.origin.path.endswith((".yml", ".yaml")):
            return launch
        known = self._beside_compose(placed)
        return replace(launch, words=tuple(commands.filled_in(word, known) for word in launch.words))

    def _beside_compose(self, placed: Placed) -> Mapping[str, str | None]:
        """What the `.env` file beside a compose file sets."""
        path = beside(placed, ".env")
        if path not in self._env_files:
            other = self._at(placed.origin.repo, path)
            entries = other.facts.environment if other is not None else ()
            self._env_files[path] = {one.variable: one.text for one in entries}
        return self._env_files[path]

    def _at(self, repo: str, path: str) -> Placed | None:
        """The file at a path; where it was not read it is asked for."""
        found = next(
            (
                p
                for p in self._surroundings.by_name.get(base_name(path), ())
                if p.origin == Origin(repo, path)
            ),
            None,
        )
        if found is None and path:
            self._surroundings.wanted.add(base_name(path))
        return found

    def _processes(self, placed: Placed) -> list[frozenset[str]]:
        """The processes of a deployment file that are this deployable, by name ("": what belongs to none): each by itself
        where they are known, by their name, by the folder they are built in, or because their file starts programs of the
        repository and nothing else; else all in one."""
        said: tuple[EnvEntry | Launch | Mount, ...]
        said = (*placed.facts.environment, *placed.facts.launches, *placed.facts.mounts)
        names = {one.process for one in said if one.process}
        meant = {name for name in names if self._is_called(name)}
        exact = {name for name in meant if name.lower() in self._own_names}
        known = (exact or meant) | {
            mount.process
            for mount in placed.facts.mounts
            if mount.told is Told.IMAGE and self._is_built(placed, mount)
        }
        alone = self._is_alone and not self._is_of_another_module(placed.origin)
        here = frozenset({""}) if alone or self._is_about(placed.origin) else frozenset()
        if not known and alone:
            if not is_launcher(base_name(placed.origin.path)):
                return [frozenset(names) | here]
            known = names
        return [here | {name} for name in sorted(known)] or ([here] if here else [])

    def _is_of_another_module(self, origin: Origin) -> bool:
        """Whether a file stands in the folder of a module that is neither taken in nor around this one."""
        module, own = self._modules.of(origin), self._deployable
        return module not in own.takes_in and not f"{own.key.folder}/".startswith(
            f"{module.folder}/".lstrip("/")
        )

    def _is_built(self, placed: Placed, mount: Mount) -> bool:
        """Whether a service is built from this deployable's folder."""
        file = folder_of(posixpath.normpath(beside(placed, mount.source).rpartition("/")[0] or "."))
        context = folder_of(beside(placed, mount.target))
        return self._deployable.key.folder in ((file, context) if self._is_alone else (file,))

    def _told(self, placed: Placed, group: frozenset[str], level: int = 0) -> Iterator[tuple[Said, Placed]]:
        """What a deployment file tells some processes, by itself and through files that it names."""
        path = placed.origin.path
        named = self._named_maps if any(one.holder for one in placed.facts.environment) else frozenset()
        for one in placed.facts.environment:
            if one.process in group and not (one.holder and one.holder in named):
                yield one, placed
        if is_dockerfile(base_name(path)):
            yield from self._image(placed, self._contexts(placed.origin), Told.VARIABLE)
            return
        for launch in placed.facts.launches:
            if launch.process in group:
                yield (Told.VARIABLE, launch), placed
        mounts = [one for one in placed.facts.mounts if one.process in group and one.told is not Told.CONTEXT]
        if re.fullmatch(_OVERRIDE, base_name(path)):
            mounts += [Mount("", name, START, name, Told.BASE) for name in sorted(group - {""})]
        if kind_of(path) == "helm" and base_name(path) != _VALUES:
            mounts.append(Mount(f"./{_VALUES}", "", START, "", Told.BASE))
        built = any(one.told is Told.IMAGE for one in mounts)
        for mount in mounts:
            if mount.told is None:
                yield from self._given(mount, beside(placed, mount.source))
            elif mount.source.startswith(_MAP):
                yield from self._of_map(mount)
            elif mount.told is Told.BASE:
                if level < EXTENDS_MAX:
                    yield from self._extended(mount, placed, level, built)
            else:
                yield from self._named_variables(mount, placed)

    def _extended(
        self, mount: Mount, placed: Placed, level: int, built: bool
    ) -> Iterator[tuple[Said, Placed]]:
        """What the service that another one extends, or is laid over, is told."""
        for other in self._bases(mount, placed):
            for one, source in self._told(other, frozenset({mount.target}), level + 1):
                if isinstance(one, Given):
                    yield one, source
                elif isinstance(one, tuple):
                    if one[0] is not Told.IMAGE or not built:
                        yield (max(one[0], Told.BASE), one[1]), source
                elif one.told is not Told.IMAGE or not built:
                    yield replace(one, told=max(one.told, Told.BASE)), source

    def _bases(self, mount: Mount, placed: Placed) -> Iterator[Placed]:
        """The file in which the extended service stands: the one that is named, the same one, or, for what is laid over a
        service of its own name, the main compose file beside it."""
        if mount.source or mount.target != mount.process:
            other = self._at(placed.origin.repo, beside(placed, mount.source)) if mount.source else placed
            if other is not None:
                yield other
            return
        for name in _BASES:
            path = beside(placed, name)
            found = self._surroundings.by_name.get(name, ())
            other = next((one for one in found if one.origin == Origin(placed.origin.repo, path)), None)
            if other is not None and other is not placed:
                yield other
                return

    @cached_property
    def _named_maps(self) -> frozenset[str]:
        """The ConfigMaps whose data some container takes for its variables."""
        every = self._surroundings.deployments.get(self._deployable.key.repo, ())
        return frozenset(
            mount.source.removeprefix(_MAP)
            for placed in every
            for mount in placed.facts.mounts
            if mount.told is Told.FILE and mount.source.startswith(_MAP)
        )

    def _of_map(self, mount: Mount) -> Iterator[tuple[EnvEntry, Placed]]:
        """The variables that a container takes from a ConfigMap."""
        for other in self._surroundings.deployments.get(self._deployable.key.repo, ()):
            for one in other.facts.environment:
                if one.holder and one.holder == mount.source.removeprefix(_MAP) and mount.told is not None:
                    variable = mount.target + one.variable
                    yield replace(one, variable=variable, told=mount.told, process=mount.process), other

    def _given(self, mount: Mount, source: str) -> Iterator[tuple[Given, Placed]]:
        """The settings files at a path of the repository that a deployment puts where Spring looks for them."""
        target = mount.target
        if target.endswith(_SETTINGS) and spring_file(base_name(target)) is None:
            other = self._at(self._deployable.key.repo, source)
            if other is not None:
                yield Given(other, base_name(target), (), target), other
            return
        for other in self._settings_at(self._deployable.key.repo, source, base_name(target)):
            path = other.origin.path
            if path == source:
                name = base_name(mount.target)
                name = name if spring_file(name) is not None else base_name(path) if "." not in name else ""
            else:
                name = base_name(path) if path.rpartition("/")[0] in (source, f"{source}/config") else ""
            kind = spring_file(name)
            if kind is not None and kind[0] == "application":
                yield Given(other, name, tuple(one for one in other.facts.config if not one.file)), other

    def _copied(
        self, mount: Mount, dockerfile: Placed, contexts: frozenset[str]
    ) -> Iterator[tuple[Given, Placed]]:
        """The settings files that an image is made with. Where no file says in which folder it is built, that is one in which
        what is copied can be found, the Dockerfile's own or one around it; what two of them say differently is undecided."""
        folders = sorted(contexts) or list(folders_around(dockerfile.origin.path.rpartition("/")[0]))
        found = [
            given
            for folder in folders
            if (given := list(self._given(mount, posixpath.normpath(posixpath.join(folder, mount.source)))))
        ]
        if len(found) > 1 and not contexts:
            self._surroundings.wanted.update(_BUILDERS)
        for number, every in enumerate(found):
            others = [each for other in found[:number] + found[number + 1 :] for each, _ in other]
            for one, placed in every:
                yield replace(one, entries=undecided(one, others)) if len(found) > 1 else one, placed

    def _contexts(self, dockerfile: Origin) -> frozenset[str]:
        """The folders in which a Dockerfile is built, as other files say."""
        found: set[str] = set()
        for placed in self._surroundings.deployments.get(dockerfile.repo, ()):
            here = placed.origin.path.rpartition("/")[0]
            for mount in placed.facts.mounts:
                # a service's is relative to its file, a command's to where it is run
                for start in (
                    (here, "") if mount.told is Told.CONTEXT else (here,) if mount.told is Told.IMAGE else ()
                ):
                    if posixpath.normpath(posixpath.join(start, mount.source)) == dockerfile.path:
                        found.add(folder_of(posixpath.normpath(posixpath.join(start, mount.target))))
        return frozenset(found)

    def _settings_at(self, repo: str, source: str, target: str) -> Iterator[Placed]:
        """What stands at a path, or below it: settings files by their name, and the file that gets such a name there."""
        yield from self._surroundings.settings_at(repo, source)
        if spring_file(target) is not None and spring_file(source) is None:
            self._surroundings.wanted.add(base_name(source))
            for other in self._surroundings.by_name.get(base_name(source), ()):
                if other.origin == Origin(repo, source):
                    yield other

    def _named_variables(self, mount: Mount, placed: Placed) -> Iterator[tuple[Said, Placed]]:
        """What a file of variables sets, or the image that a service is built from."""
        other = self._at(placed.origin.repo, beside(placed, mount.source))
        if other is None:
            return
        told = mount.told or Told.FILE
        for entry in other.facts.environment:
            yield replace(entry, told=told, process=mount.process), other
        if told is Told.IMAGE:
            yield from self._image(other, frozenset((folder_of(beside(placed, mount.target)),)), told)

    def _image(
        self, dockerfile: Placed, contexts: frozenset[str], told: Told
    ) -> Iterator[tuple[Said, Placed]]:
        """What an image starts, by itself or by a script of the repository, and the settings files that it is made with."""
        copied = [one for one in dockerfile.facts.mounts if one.told is None]
        for mount in copied:
            yield from self._copied(mount, dockerfile, contexts)
        for launch in dockerfile.facts.launches:
            at = next((n for n, word in enumerate(launch.words) if word.endswith(".sh")), None)
            script = (
                None
                if at is None
                else self._script(base_name(launch.words[at]), copied, dockerfile, contexts)
            )
            if script is None or at is None:
                yield (told, launch), dockerfile
                continue
            yield from ((entry, script) for entry in script.facts.environment)
            for line in script.facts.launches:
                yield (told, handed_on(line, launch, at)), script

    def _script(
        self, name: str, copied: Sequence[Mount], dockerfile: Placed, contexts: frozenset[str]
    ) -> Placed | None:
        """The script of the repository that an image has under a name."""
        for mount in copied:
            if name in (base_name(mount.target), base_name(mount.source)):
                for folder in sorted(contexts) or folders_around(dockerfile.origin.path.rpartition("/")[0]):
                    path = posixpath.normpath(posixpath.join(folder, mount.source))
                    found = self._at(dockerfile.origin.repo, path)
                    if found is not None and found.facts.launches:
                        return found
        return None

    def _config_maps(self) -> Iterator[tuple[str, Placed, Mapping[str, tuple[ConfigEntry, ...]]]]:
        """The settings files that ConfigMaps hold for this deployable: the deployment each is mounted in, else that of its
        own file.

        A workload that bears its name and mounts one says so; else it is known by the folder or name of the manifest, and a
        data key that only one ConfigMap of the repository has belongs to everybody.
        """
        repo = self._deployable.key.repo
        mounts = self._mounts_of_maps(repo)
        held: dict[str, list[tuple[Placed, str, tuple[ConfigEntry, ...]]]] = {}
        for placed in self._surroundings.mounted.get(repo, ()):
            files: dict[tuple[str, str], list[ConfigEntry]] = {}
            for entry in placed.facts.config:
                if entry.file and not (entry.holder not in mounts and self._is_of_another(entry.holder)):
                    files.setdefault((entry.file, entry.holder), []).append(replace(entry, file=""))
            for (name, holder), inside in files.items():
                held.setdefault(name, []).append((placed, holder, tuple(inside)))
        for name, maps in held.items():
            loose = [each for each in maps if each[1] not in mounts]
            mine = [each for each in loose if self._concerns(each[0].origin)]
            if not mine and len(maps) == 1:
                mine = loose
            mine += [each for each in maps if mounts.get(each[1])]
            kind = spring_file(name)
            folders = [each[0].origin.path.rpartition("/")[0] for each in mine]
            if kind is None or kind[0] != "application" or len(set(folders)) != len(folders):
                continue
            for placed, holder, entries in mine:
                for path in sorted(mounts.get(holder, ())) or [placed.origin.path]:
                    yield f"{kind_of(path)}:{path}", placed, {name: entries}

    def _mounts_of_maps(self, repo: str) -> Mapping[str, frozenset[str]]:
        """The ConfigMaps that workloads of the repository mount, each with the files in which this deployable does."""
        found: dict[str, set[str]] = {}
        for placed in self._surroundings.deployments.get(repo, ()):
            for mount in placed.facts.mounts:
                if mount.source.startswith(_MAP) and mount.told is None:
                    where = found.setdefault(mount.source.removeprefix(_MAP), set())
                    if self._is_alone or not mount.process or self._is_called(mount.process):
                        where.add(placed.origin.path)
        return {holder: frozenset(where) for holder, where in found.items()}

    def _is_of_another(self, holder: str) -> bool:
        """Whether the name of a ConfigMap speaks of another application: of none it speaks where it is a common word, and of
        this one where it bears its name, or that of its repository."""
        words = [word for word in re.split(r"[-_.]", holder.lower()) if word not in _COMMON_WORDS]
        own = {part for name in (*self._own_names, base_name(self._deployable.key.repo).lower()) for part in
               re.split(r"[-_.]", name)}  # fmt: skip
        return bool(words) and own.isdisjoint(words)

    def _concerns(self, origin: Origin) -> bool:
        """Whether a deployment file speaks of this deployable alone: it stands in its folder or bears its name."""
        folder = self._deployable.key.folder
        if not folder:
            return True
        return origin.path.startswith(f"{folder}/") or base_name(folder) in origin.path

    @cached_property
    def _is_alone(self) -> bool:
        """Whether the repository builds nothing else that runs."""
        repo = self._deployable.key.repo
        return not any(
            other.known and other.key.repo == repo and other.key != self._deployable.key
            for other in self._modules.deployables
        )

    def _is_about(self, origin: Origin) -> bool:
        """Whether a deployment file without named processes speaks of this deployable: it stands in its folder, or
        above it and bears its name, or is the `.env` file of everybody."""
        folder = self._deployable.key.folder
        if folder and (origin.path.startswith(f"{folder}/") or base_name(folder) in origin.path):
            return True
        module = self._modules.of(origin)
        if module == self._deployable.key:
            return True
        return kind_of(origin.path) == "env" and f"{folder}/".startswith(f"{module.folder}/".lstrip("/"))

    @cached_property
    def _own_names(self) -> frozenset[str]:
        module = self._modules.modules.get(self._deployable.key)
        names = {
            base_name(self._deployable.key.folder),
            module.coordinate.rpartition(":")[2] if module else "",
        }
        return frozenset(name.lower() for name in names if name)

    def _is_called(self, process: str) -> bool:
        """Whether the name of a service or container means this deployable: equal to its folder or artifact but for
        words before or after."""
        plain = process.lower()
        return any(
            plain == name
            or name.endswith(f"-{plain}")
            or plain.endswith(f"-{name}")
            or name.startswith(f"{plain}-")
            or plain.startswith(f"{name}-")
            for name in self._own_names
        )


def kind_of(path: str) -> str:
    """What kind of deployment file a path is, as the names of deployments begin."""
    base = base_name(path).lower()
    if is_dockerfile(base) or "dockerfile" in base:
        return "dockerfile"
    if is_env_file(base):
        return "env"
    if is_launcher(base):
        return "procfile" if base == "procfile" else "systemd" if base.endswith(".service") else "script"
    if "compose" in base:
        return "compose"
    return "helm" if base.startswith("values") else "kubernetes"
