"""Build files, and what each inherits from those above it: parents, properties, managed versions, catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from subdrift.linter.model.facts import BuildFile, Dependency
from subdrift.linter.model.location import START, Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.modules.parts import (
    ModuleKey,
    applied,
    coordinates_of,
    folder_of,
    is_gradle,
    joined,
)

INHERITANCE_MAX = 20
"""Parents followed from one pom."""

_IN_SOURCES = re.compile(r"(?:^|/)src/(?:main|test)/(?:java|kotlin|resources)/")
_CATALOGUED_VERSION = "libs.versions."


class Builds:
    """The build files of a run, by the module they are of."""

    def __init__(self, builds: Iterable[Placed]) -> None:
        self.builds = tuple(builds)
        self._builds: dict[ModuleKey, list[tuple[Origin, BuildFile]]] = {}
        self._settings: dict[ModuleKey, BuildFile] = {}
        self._settings_files: dict[ModuleKey, Origin] = {}
        self._catalogues: dict[str, BuildFile] = {}
        for placed in self.builds:
            build = placed.facts.build
            if build is None or self._is_packed(placed.origin):
                continue
            key = ModuleKey(placed.origin.repo, folder_of(placed.origin.path))
            if build.kind == "gradle-catalogue":
                self._catalogues[placed.origin.repo] = build
            elif build.kind == "gradle-settings":
                self._settings[key] = build
                self._settings_files[key] = placed.origin
            else:
                self._builds.setdefault(key, []).append((placed.origin, build))
        self._poms: dict[str, list[ModuleKey]] = {}
        for key, files in self._builds.items():
            for _, build in files:
                if build.coordinate and not build.coordinate.endswith(":"):
                    self._poms.setdefault(build.coordinate.rpartition(":")[2], []).append(key)

    def _is_packed(self, origin: Origin) -> bool:
        """Whether a build file lies among the sources or resources of another build, which packs it as it is: a template."""
        match = _IN_SOURCES.search(origin.path)
        if match is None:
            return False
        return any(
            each.origin.repo == origin.repo and folder_of(each.origin.path) == origin.path[: match.start()]
            for each in self.builds
        )

    def _inherited_dependencies(
        self,
        key: ModuleKey,
        build: BuildFile,
        properties: Mapping[str, str],
        managed: Mapping[str, str],
        own: Sequence[Dependency],
    ) -> Iterable[Dependency]:
        """What the build files above declare for every module below them; placed at the start of the module's own."""
        seen = {dependency.coordinate for dependency in own}
        for parent in self._parents(key, build):
            for entry in parent.inherited if is_gradle(build) else parent.dependencies:
                for coordinate in coordinates_of(entry.coordinate, properties):
                    if coordinate not in seen:
                        seen.add(coordinate)
                        version = applied(entry.version, properties) or managed.get(coordinate, "")
                        yield Dependency(coordinate, version, START, entry.test)

    def _catalogued(self, repo: str) -> dict[str, str]:
        """The names a version catalogue gives: `libs.a.b` for coordinates, also plain for versions."""
        found = self._catalogues.get(repo)
        named = dict(found.properties) if found else {}
        for name, text in tuple(named.items()):
            if name.startswith(_CATALOGUED_VERSION):
                named.setdefault(name.removeprefix(_CATALOGUED_VERSION), text)
        return named

    def _catalogue(self, repo: str) -> tuple[Dependency, ...]:
        found = self._catalogues.get(repo)
        return found.managed if found else ()

    def _coordinate(self, key: ModuleKey, build: BuildFile) -> str:
        group, _, artifact = build.coordinate.rpartition(":")
        if is_gradle(build):
            above = (parent.coordinate.rpartition(":")[0] for parent in self._parents(key, build))
            group = group or next(filter(None, above), "")
            settings = self._settings.get(key)
            named = settings.coordinate.rpartition(":")[2] if settings else ""
            artifact = artifact or named or (key.folder or key.repo).rpartition("/")[2]
            return f"{group}:{artifact}" if group else ""
        if not group and build.parent and build.kind == "maven":
            group = build.parent.coordinate.partition(":")[0]
        return f"{group}:{artifact}" if group else artifact

    def _version(self, key: ModuleKey, build: BuildFile) -> str:
        if is_gradle(build):
            return build.version or next((p.version for p in self._parents(key, build) if p.version), "")
        return build.version or (build.parent.version if build.parent else "")

    def _gradle_root(self, key: ModuleKey) -> ModuleKey:
        """The root project of a Gradle build: the nearest folder with settings, else the repository's root."""
        folder = key.folder
        while folder:
            if ModuleKey(key.repo, folder) in self._settings:
                return ModuleKey(key.repo, folder)
            folder = folder_of(folder)
        return ModuleKey(key.repo, "")

    def _unwritten(self, key: ModuleKey) -> list[tuple[Origin, BuildFile]]:
        """A Gradle subproject that settings include and only the root's script configures."""
        root = self._gradle_root(key)
        settings = self._settings.get(root)
        if settings is None or root == key or key not in self._included(root, settings):
            return []
        above = self._builds.get(root)
        origin = above[0][0] if above else self._settings_files[root]
        return [(origin, BuildFile("gradle", ":", "", None, "", (), (), (), (), False, False, START))]

    @staticmethod
    def _included(root: ModuleKey, settings: BuildFile) -> frozenset[ModuleKey]:
        """The folders a Gradle build's settings include."""
        folders = (module.strip(":").replace(":", "/") for module in settings.modules)
        return frozenset(ModuleKey(root.repo, f"{root.folder}/{folder}".strip("/")) for folder in folders)

    def _parents(self, key: ModuleKey, build: BuildFile) -> Iterable[BuildFile]:
        """The poms above one, nearest first, as far as they are tracked; of a Gradle project the root project."""
        current_key, current = key, build
        for _ in range(INHERITANCE_MAX):
            if is_gradle(current):
                found_key: ModuleKey | None = self._gradle_root(current_key)
            elif current.parent is None:
                return
            else:
                found_key = self._parent_key(current_key, current)
            files = self._builds.get(found_key, []) if found_key else []
            if not files or found_key is None or found_key == current_key:
                return
            if is_gradle(current) != is_gradle(files[0][1]):
                return
            current_key, current = found_key, files[0][1]
            yield current

    def _parent_key(self, key: ModuleKey, build: BuildFile) -> ModuleKey | None:
        path = build.parent_path or ".."
        folder = joined(key.folder, path.removesuffix("pom.xml").rstrip("/") or ".")
        assert build.parent is not None
        artifact = build.parent.coordinate.rpartition(":")[2]
        if folder is not None:
            direct = ModuleKey(key.repo, folder)
            for _, candidate in self._builds.get(direct, []):
                if candidate.coordinate.rpartition(":")[2] == artifact:
                    return direct
        same = [k for k in self._poms.get(artifact, []) if k != key]
        near = [k for k in same if k.repo == key.repo] or same
        return near[0] if len(near) == 1 else None

    def _inherited(self, key: ModuleKey, build: BuildFile) -> dict[str, str]:
        chain = [build, *self._parents(key, build)]
        merged = self._catalogued(key.repo) if is_gradle(build) else {}
        for each in reversed(chain):
            merged.update(each.properties)
        versions = [each.version for each in chain if each.version]
        if versions:
            merged.setdefault("project.version", versions[0])
        return merged

    def _managed(self, key: ModuleKey, build: BuildFile) -> list[Dependency]:
        """Managed versions, farthest first, so that the nearest wins; BOMs of the run are followed once."""
        chain = [build, *self._parents(key, build)]
        found: list[Dependency] = []
        for each in reversed(chain):
            properties = dict(self._inherited(key, build))
            for entry in each.managed:
                for bom in self._poms.get(entry.coordinate.rpartition(":")[2], []):
                    for _, imported in self._builds[bom]:
                        inner = self._inherited(bom, imported)
                        found += [
                            Dependency(applied(m.coordinate, inner), applied(m.version, inner), m.at)
                            for m in imported.managed
                        ]
                found.append(
                    Dependency(
                        applied(entry.coordinate, properties), applied(entry.version, properties), entry.at
                    )
                )
        return found
