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

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.model.facts import ConfigEntry, EnvEntry, Mount, Told
from subdrift.linter.model.languages import is_dockerfile, is_env_file, is_launcher
from subdrift.linter.model.location import Origin
from subdrift.linter.model.placed import Placed, scope_of, spring_file
from subdrift.linter.resolve.modules import Deployable, Modules

if TYPE_CHECKING:
    from subdrift.linter.resolve.configuration import Surroundings

DEPLOYMENTS_MAX = 64
"""Deployment files that tell one deployable something; the rest is left out (no repository comes near)."""

_MAP = "configmap:"
_BUILDERS = ("Makefile", "Jenkinsfile", "*.sh", "*.yml", "*.yaml")
"""Files that may say where an image is built."""

UNDECIDED = "\0"
"""The text of a variable on which deployment files disagree."""

_COMMON_WORDS = frozenset({
    "app", "application", "boot", "cm", "common", "conf", "config", "configmap", "configs", "configuration", "default", "dev",
    "env", "environment", "global", "k8s", "prod", "production", "properties", "server", "service", "services", "settings",
    "spring", "staging", "test", "uat",
})  # fmt: skip
"""Words in the name of a ConfigMap that tell no application from another."""
_IN_TEMPLATE = re.compile(r"\$\{([\w.-]+)\}")
_TEMPLATE = re.compile(r"(?:^|[-_.])(?:example|sample|template|dist)(?:$|[-_.])")


class Given(Struct, frozen=True):
    """A settings file that a deployment puts where Spring looks for it: `name` is its name there."""

    placed: Placed
    name: str
    entries: tuple[ConfigEntry, ...]


class Deployment(Struct):
    """What one deployment tells a deployable: the variables and keys it sets, each with what sets it, and its files."""

    told: dict[str, tuple[EnvEntry, Placed]] = field(default_factory=dict)
    files: list[Given] = field(default_factory=list)


class Deployments:
    """Which of the deployment files of a repository speak of one deployable, and what they tell it."""

    def __init__(self, deployable: Deployable, modules: Modules, surroundings: Surroundings) -> None:
        self._deployable = deployable
        self._modules = modules
        self._surroundings = surroundings

    @cached_property
    def found(self) -> Mapping[str, Deployment]:
        """The deployments by name.

        A variable that one file sets to different texts in the same way, for processes that may all be this
        deployable, is undecided.
        """
        found: dict[str, Deployment] = {}
        told: dict[tuple[str, str], list[tuple[EnvEntry, Placed]]] = {}
        for placed in self._files():
            path = placed.origin.path
            for one, source in self._told(placed):
                if isinstance(one, Given):
                    found.setdefault(f"{kind_of(path)}:{path}", Deployment()).files.append(one)
                    continue
                for name, entry, where in self._rendered(one, placed):
                    at = where if source is placed else source
                    told.setdefault((name, entry.variable), []).append((entry, at))
        for name, placed, given in self._config_maps():
            deployment = found.setdefault(name, Deployment())
            deployment.files += [Given(placed, file, entries) for file, entries in given.items()]
        for (name, variable), entries in told.items():
            first = min(entry.told for entry, _ in entries)
            entries = [each for each in entries if each[0].told == first]
            same = len({entry.text for entry, _ in entries}) == 1
            entry, at = entries[-1] if same else (replace(entries[0][0], text=UNDECIDED), entries[0][1])
            found.setdefault(name, Deployment()).told[variable] = (entry, at)
        return dict(sorted(found.items())[:DEPLOYMENTS_MAX])

    def _files(self) -> Iterator[Placed]:
        """The deployment files of the repository but examples of them, and files of variables that another names."""
        every = self._surroundings.deployments.get(self._deployable.key.repo, ())
        named = {_beside(one, mount.source) for one in every for mount in one.facts.mounts}
        for placed in every:
            path = placed.origin.path
            if scope_of(path) == "test" or path.startswith(".github/") or _TEMPLATE.search(_base(path)):
                continue
            if not (is_env_file(_base(path)) and path in named):
                yield placed

    def _rendered(self, entry: EnvEntry, placed: Placed) -> Iterator[tuple[str, EnvEntry, Placed]]:
        """The alternatives a variable is set in, each with its entry: one for each values file of a chart where it is
        made of the chart's values, each laid over the chart's own, else the file itself."""
        path = placed.origin.path
        chart = path.rpartition("/templates/")[0] if entry.template else ""
        files = self._surroundings.values.get((placed.origin.repo, chart), ())
        if not files:
            yield f"{kind_of(path)}:{path}", entry, placed
            return
        own = {one.key: (one, files[0]) for one in files[0].facts.config}
        for values in files:
            held = {**own, **{one.key: (one, values) for one in values.facts.config}}
            names = _IN_TEMPLATE.findall(entry.template)
            used = [held[name] for name in names if name in held]
            text = None
            if len(used) == len(names):
                text = _IN_TEMPLATE.sub(lambda match: held[match[1]][0].text, entry.template)  # noqa: B023
            at, where = (used[-1][0].at, used[-1][1]) if used else (entry.at, placed)
            yield f"helm:{values.origin.path}", replace(entry, text=text, at=at), where

    def _told(self, placed: Placed) -> Iterator[tuple[EnvEntry | Given, Placed]]:
        """What a deployment file tells this deployable, by itself and through files that it names: by the name of the
        process, else by where the file is."""
        told: tuple[EnvEntry | Mount, ...] = (*placed.facts.environment, *placed.facts.mounts)
        meant = {name for name in {one.process for one in told} if name and self._is_called(name)}
        exact = {name for name in meant if name.lower() in self._own_names}
        lonely = self._is_alone
        here = lonely or self._is_about(placed.origin)
        for one in told:
            if one.told is Told.CONTEXT:
                continue
            if not (one.process in (exact or meant) if one.process and (meant or not lonely) else here):
                continue
            if isinstance(one, EnvEntry):
                yield one, placed
            elif one.told is None and is_dockerfile(_base(placed.origin.path)):
                yield from self._copied(one, placed, self._contexts(placed.origin))
            elif one.told is None:
                yield from self._given(one, _beside(placed, one.source))
            else:
                yield from self._named_variables(one, one.told, placed)

    def _given(self, mount: Mount, source: str) -> Iterator[tuple[Given, Placed]]:
        """The settings files at a path of the repository that a deployment puts where Spring looks for them."""
        for other in self._settings_at(self._deployable.key.repo, source, _base(mount.target)):
            path = other.origin.path
            if path == source:
                name = _base(mount.target)
                name = name if spring_file(name) is not None else _base(path) if "." not in name else ""
            else:
                name = _base(path) if path.rpartition("/")[0] in (source, f"{source}/config") else ""
            kind = spring_file(name)
            if kind is not None and kind[0] == "application":
                yield Given(other, name, tuple(one for one in other.facts.config if not one.file)), other

    def _copied(
        self, mount: Mount, dockerfile: Placed, contexts: frozenset[str]
    ) -> Iterator[tuple[Given, Placed]]:
        """The settings files that an image is made with. Where no file says in which folder it is built, that is one in which
        what is copied can be found, the Dockerfile's own or one around it; what two of them say differently is undecided."""
        folders = sorted(contexts) or list(_around(dockerfile.origin.path.rpartition("/")[0]))
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
                yield replace(one, entries=_undecided(one, others)) if len(found) > 1 else one, placed

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
                        found.add(_folder(posixpath.normpath(posixpath.join(start, mount.target))))
        return frozenset(found)

    def _settings_at(self, repo: str, source: str, target: str) -> Iterator[Placed]:
        """What stands at a path, or below it: settings files by their name, and the file that gets such a name there."""
        yield from self._surroundings.settings_at(repo, source)
        if spring_file(target) is not None and spring_file(source) is None:
            self._surroundings.wanted.add(_base(source))
            for other in self._surroundings.by_name.get(_base(source), ()):
                if other.origin == Origin(repo, source):
                    yield other

    def _named_variables(
        self, mount: Mount, told: Told, placed: Placed
    ) -> Iterator[tuple[EnvEntry | Given, Placed]]:
        """What a file of variables sets, or the image that a service is built from; its command line too, unless the
        service says another."""
        path = _beside(placed, mount.source)
        lines = [each.words for each in placed.facts.launches if each.process == mount.process]
        started = any(words and not words[0].startswith("-") for words in lines)
        for other in self._surroundings.by_name.get(_base(path), ()):
            if other.origin != Origin(placed.origin.repo, path):
                continue
            for entry in other.facts.environment:
                if entry.told is Told.VARIABLE or told is Told.FILE:
                    yield replace(entry, told=told), other
                elif entry.told is Told.JSON or not started:
                    yield entry, other
            context = _folder(_beside(placed, mount.target)) if told is Told.IMAGE else ""
            for each in other.facts.mounts:
                if each.told is None:
                    yield from self._copied(each, other, frozenset((context,)))

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
                if mount.source.startswith(_MAP):
                    where = found.setdefault(mount.source.removeprefix(_MAP), set())
                    if self._is_alone or not mount.process or self._is_called(mount.process):
                        where.add(placed.origin.path)
        return {holder: frozenset(where) for holder, where in found.items()}

    def _is_of_another(self, holder: str) -> bool:
        """Whether the name of a ConfigMap speaks of another application: of none it speaks where it is a common word, and of
        this one where it bears its name, or that of its repository."""
        words = [word for word in re.split(r"[-_.]", holder.lower()) if word not in _COMMON_WORDS]
        own = {part for name in (*self._own_names, _base(self._deployable.key.repo).lower()) for part in
               re.split(r"[-_.]", name)}  # fmt: skip
        return bool(words) and own.isdisjoint(words)

    def _concerns(self, origin: Origin) -> bool:
        """Whether a deployment file speaks of this deployable alone: it stands in its folder or bears its name."""
        folder = self._deployable.key.folder
        if not folder:
            return True
        return origin.path.startswith(f"{folder}/") or _base(folder) in origin.path

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
        if folder and (origin.path.startswith(f"{folder}/") or _base(folder) in origin.path):
            return True
        module = self._modules.of(origin)
        if module == self._deployable.key:
            return True
        return kind_of(origin.path) == "env" and f"{folder}/".startswith(f"{module.folder}/".lstrip("/"))

    @cached_property
    def _own_names(self) -> frozenset[str]:
        module = self._modules.modules.get(self._deployable.key)
        names = {_base(self._deployable.key.folder), module.coordinate.rpartition(":")[2] if module else ""}
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
    base = _base(path).lower()
    if is_dockerfile(base) or "dockerfile" in base:
        return "dockerfile"
    if is_env_file(base):
        return "env"
    if is_launcher(base):
        return "procfile" if base == "procfile" else "systemd" if base.endswith(".service") else "script"
    if "compose" in base:
        return "compose"
    return "helm" if base.startswith("values") else "kubernetes"


def _beside(placed: Placed, source: str) -> str:
    """The path a deployment file means by a relative one."""
    return posixpath.normpath(posixpath.join(placed.origin.path.rpartition("/")[0], source))


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _folder(path: str) -> str:
    """A normalised path as the start of others: "" for the root of the repository."""
    return "" if path == "." else path


def _around(folder: str) -> Iterator[str]:
    """A folder and those around it, the root of the repository last."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _undecided(one: Given, others: Sequence[Given]) -> tuple[ConfigEntry, ...]:
    """The entries of a file, without the text of those that one of the others says differently or not at all."""
    said = [{entry.key: entry.text for entry in other.entries} for other in others if other.name == one.name]
    return tuple(
        entry if all(each.get(entry.key) == entry.text for each in said) else replace(entry, text=UNDECIDED)
        for entry in one.entries
    )
