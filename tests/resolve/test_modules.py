"""What a module takes in, as the build files of a run say it."""

from __future__ import annotations

from linter.model.facts import BuildFile, Dependency, FileFacts
from linter.model.location import START, Origin
from linter.resolve.modules import Deployable, ModuleKey, Modules
from linter.resolve.place import Placed


def _pom(
    path: str,
    artifact: str,
    *dependencies: tuple[str, str],
    parent: str = "",
    runs: bool = False,
    managed: tuple[tuple[str, str], ...] = (),
) -> Placed:
    build = BuildFile(
        "maven",
        f"com.acme:{artifact}",
        "1",
        Dependency(f"com.acme:{parent}", "1", START) if parent else None,
        "",
        (),
        tuple(Dependency(f"com.acme:{name}", version, START) for name, version in dependencies),
        tuple(Dependency(f"com.acme:{name}", version, START) for name, version in managed),
        (("mq.version", "2"),),
        runs,
        False,
        START,
    )
    return Placed(Origin("shop", path), FileFacts("build", build=build))


def test_the_dependencies_of_a_parent_are_those_of_every_module_below() -> None:
    poms = [
        _pom("pom.xml", "parent", ("mq", "${mq.version}"), ("own", "1"), managed=(("other", "3"),)),
        _pom("app/pom.xml", "app", ("own", "7"), ("other", ""), parent="parent", runs=True),
    ]
    modules = Modules(poms, (), ["shop"])
    found = {d.coordinate: d.version for d in modules.modules[ModuleKey("shop", "app")].dependencies}
    assert found == {"com.acme:own": "7", "com.acme:other": "3", "com.acme:mq": "2"}


def test_a_library_that_is_taken_in_remains_for_its_tests_alone() -> None:
    poms = [
        _pom("app/pom.xml", "app", ("lib", "1"), runs=True),
        _pom("lib/pom.xml", "lib"),
        _pom("free/pom.xml", "free"),
    ]
    found = {d.key.folder: d for d in Modules(poms, (), ["shop"]).deployables}
    app, lib, free = ModuleKey("shop", "app"), ModuleKey("shop", "lib"), ModuleKey("shop", "free")
    assert found["app"] == Deployable(app, (app, lib))
    assert found["lib"] == Deployable(lib, (lib,), known=False, tests_only=True)
    assert found["free"] == Deployable(free, (free,), known=False)
