"""What a module takes in, as the build files of a run say it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from subdrift.linter.extract import gradle
from subdrift.linter.model.api import APIS
from subdrift.linter.model.facts import BuildFile, Dependency, FileFacts
from subdrift.linter.model.location import START, Origin
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.modules import Deployable, ModuleKey, Modules
from subdrift.linter.resolve.versions import client_version


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


def _gradle(path: str, text: str) -> Placed:
    name = path.rpartition("/")[2]
    return Placed(Origin("shop", path), gradle.read_file(name, text.encode()))


def _taken(modules: Modules, folder: str) -> dict[str, str]:
    module = modules.modules[ModuleKey("shop", folder)]
    return {dependency.coordinate: dependency.version for dependency in module.dependencies}


CATALOGUE = """
[versions]
rocketmq = "4.9.4"
[libraries]
rocketmq-client = { module = "org.apache.rocketmq:rocketmq-client", version.ref = "rocketmq" }
rocketmq-acl = { module = "org.apache.rocketmq:rocketmq-acl", version.ref = "rocketmq" }
[bundles]
mq = ["rocketmq-client", "rocketmq-acl"]
"""


def test_of_modules_that_nobody_runs_those_that_nobody_takes_in_hold_the_others() -> None:
    chain = [_pom(f"m{n}/pom.xml", f"m{n}", (f"m{n + 1}", "1")) for n in range(4)]
    others = [
        _pom("top/pom.xml", "top", ("m2", "1")),
        _pom("x/pom.xml", "x", ("y", "1")),
        _pom("y/pom.xml", "y", ("x", "1")),
    ]
    found = {d.key.folder: d for d in Modules([*chain, *others], (), ["shop"]).deployables}
    assert [name for name, one in found.items() if not one.tests_only] == ["", "m0", "top", "x", "y"]
    assert not any(one.known for one in found.values())
    assert [key.folder for key in found["m0"].takes_in] == ["m0", "m1", "m2", "m3"]


def test_a_catalogue_s_names_are_coordinates_with_its_versions() -> None:
    modules = Modules(
        [
            _gradle("gradle/libs.versions.toml", CATALOGUE),
            _gradle("build.gradle", "dependencies { implementation libs.rocketmq.client }"),
            _gradle("all/build.gradle.kts", "dependencies { implementation(libs.bundles.mq) }"),
            _gradle(
                "plain/build.gradle",
                'dependencies { implementation "org.apache.rocketmq:rocketmq-client:${libs.versions.rocketmq.get()}" }',
            ),
        ],
        (),
        ["shop"],
    )
    client, acl = "org.apache.rocketmq:rocketmq-client", "org.apache.rocketmq:rocketmq-acl"
    assert _taken(modules, "") == {client: "4.9.4"}
    assert _taken(modules, "all") == {client: "4.9.4", acl: "4.9.4"}
    assert _taken(modules, "plain") == {client: "4.9.4"}


def test_what_a_root_script_declares_for_subprojects_is_theirs_and_a_constraint_is_not() -> None:
    modules = Modules(
        [
            _gradle("settings.gradle", "rootProject.name = 'shop'\ninclude 'app', ':lib:core'"),
            _gradle(
                "build.gradle",
                """
                allprojects { group = 'com.acme'; version = '3' }
                subprojects {
                    dependencies { implementation 'com.acme:everywhere:1' }
                    dependencyManagement { dependencies { dependency 'com.acme:only-managed:2' } }
                }
                dependencies { implementation 'com.acme:root-only:1' }
                """,
            ),
            _gradle("app/build.gradle", "dependencies { implementation 'com.acme:only-managed' }"),
        ],
        (),
        ["shop"],
    )
    assert _taken(modules, "app") == {"com.acme:everywhere": "1", "com.acme:only-managed": "2"}
    assert _taken(modules, "lib/core") == {"com.acme:everywhere": "1"}
    assert _taken(modules, "") == {"com.acme:root-only": "1"}
    core = modules.modules[ModuleKey("shop", "lib/core")]
    assert (core.coordinate, core.version, core.build) == (
        "com.acme:core",
        "3",
        Origin("shop", "build.gradle"),
    )


def test_a_gradle_artifact_is_called_as_its_folder_or_as_settings_call_the_root() -> None:
    modules = Modules(
        [
            _gradle("settings.gradle.kts", 'rootProject.name = "storefront"\ninclude("worker")'),
            _gradle("build.gradle.kts", 'group = "com.acme"'),
            _gradle("worker/build.gradle.kts", ""),
            _gradle("named/build.gradle", "group = 'com.acme.other'\narchivesBaseName = 'other-name'"),
        ],
        (),
        ["shop"],
    )
    names = {key.folder: module.coordinate for key, module in modules.modules.items()}
    assert names == {
        "": "com.acme:storefront",
        "worker": "com.acme:worker",
        "named": "com.acme.other:other-name",
    }


def test_a_gradle_build_in_a_folder_has_a_root_of_its_own() -> None:
    modules = Modules(
        [
            _gradle("build.gradle", "group = 'com.elsewhere'"),
            _gradle("backend/settings.gradle", "include 'app'"),
            _gradle("backend/build.gradle", "group = 'com.acme'"),
            _gradle("backend/app/build.gradle", ""),
        ],
        (),
        ["shop"],
    )
    assert modules.modules[ModuleKey("shop", "backend/app")].coordinate == "com.acme:app"


def test_a_gradle_library_of_another_repository_is_taken_in_by_coordinate() -> None:
    library = Placed(
        Origin("common", "mq/build.gradle"), gradle.read_file("build.gradle", b"group = 'com.acme'")
    )
    app = _gradle("build.gradle", "plugins { id 'application' }\ndependencies { api 'com.acme:mq:7' }")
    modules = Modules([library, app], (), ["shop", "common"])
    (deployable,) = [one for one in modules.deployables if one.known]
    assert deployable.takes_in == (ModuleKey("shop", ""), ModuleKey("common", "mq"))
    edge = modules.edge(ModuleKey("shop", ""), ModuleKey("common", "mq"))
    assert edge is not None
    assert edge.version == "7"


def test_a_plugin_in_a_parent_makes_only_those_run_that_have_a_main_class() -> None:
    poms = [
        _aggregating(_pom("pom.xml", "parent", runs=True)),
        _pom("app/pom.xml", "app", parent="parent"),
        _pom("lib/pom.xml", "lib", parent="parent"),
    ]
    start = Origin("shop", "app/src/main/java/Main.java")
    found = {d.key.folder: d.known for d in Modules(poms, [start], ["shop"]).deployables}
    assert found == {"app": True, "lib": False, "": False}


def _aggregating(placed: Placed) -> Placed:
    build = placed.facts.build
    assert build is not None
    return replace(placed, facts=replace(placed.facts, build=replace(build, aggregates=True)))


# -- client versions ------------------------------------------------------------------------------------------------


def _maven(
    repo: str,
    group: str,
    artifact: str,
    *dependencies: tuple[str, str],
    managed: tuple[tuple[str, str], ...] = (),
) -> Placed:
    build = BuildFile(
        "maven",
        f"{group}:{artifact}",
        "9",
        None,
        "",
        (),
        tuple(Dependency(name, version, START) for name, version in dependencies),
        tuple(Dependency(name, version, START) for name, version in managed),
        (),
        repo == "shop",
        False,
        START,
    )
    return Placed(Origin(repo, "pom.xml"), FileFacts("build", build=build))


CLIENT = "org.apache.rocketmq:rocketmq-client"
STARTER = "org.apache.rocketmq:rocketmq-spring-boot-starter"
HEADS = (
    _maven("spring", "org.apache.rocketmq", "rocketmq-spring-boot-starter", (CLIENT, "5.3.2")),
    _maven("common", "com.acme", "common", (CLIENT, "5.1.0")),
)


@pytest.mark.parametrize(
    ("dependencies", "managed", "expected"),
    [
        (((STARTER, "2.2.2"),), (), "4.9.3"),
        (((STARTER, "2.2.2"),), ((CLIENT, "4.9.7"),), "4.9.7"),
        (((STARTER, ""),), ((STARTER, "2.1.0"),), "4.6.0"),
        ((("com.acme:common", "1"), (STARTER, "2.2.2")), (), "4.9.3"),
        ((("com.acme:common", "1"),), (), "5.1.0"),
        (((STARTER, ""),), (), "5.3.2"),
        (((CLIENT, "4.8.0"), (STARTER, "2.2.2")), (), "4.8.0"),
    ],
)
def test_what_a_repository_pins_beats_the_head_of_a_library_in_the_same_run(
    dependencies: tuple[tuple[str, str], ...], managed: tuple[tuple[str, str], ...], expected: str
) -> None:
    poms = [_maven("shop", "com.acme", "app", *dependencies, managed=managed), *HEADS]
    modules = Modules(poms, (), ["common", "shop", "spring"])
    (app,) = [one for one in modules.deployables if one.key.repo == "shop"]
    assert client_version(APIS["spring-listener"], modules, app) == expected
