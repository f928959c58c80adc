"""Build files of Maven, Gradle and Python: what a module is, takes in, and whether it runs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract.build import read_file
from subdrift.linter.model.facts import BuildFile, FileFacts
from tests.extract.files import GRADLE, POM, assert_sound, mutations


def facts(name: str, text: str) -> FileFacts:
    found = read_file(name, text.encode())
    assert found is not None
    return found


def build(name: str, text: str) -> BuildFile:
    found = facts(name, text).build
    assert found is not None
    return found


def deps(found: BuildFile) -> list[tuple[str, str, bool]]:
    return [(each.coordinate, each.version, each.test) for each in found.dependencies]


def managed(found: BuildFile) -> list[tuple[str, str]]:
    return [(each.coordinate, each.version) for each in found.managed]


def test_a_pom_says_what_it_is_and_takes_in() -> None:
    found = build("pom.xml", POM)
    assert (found.kind, found.coordinate, found.version) == ("maven", ":orders", "")
    assert found.parent is not None
    assert (found.parent.coordinate, found.parent.version, found.parent_path) == ("com.acme:parent", "1", "")
    assert deps(found) == [("org.apache.rocketmq:rocketmq-client", "${rocketmq.version}", False)]
    assert found.properties == (("rocketmq.version", "4.9.4"),)
    assert found.dependencies[0].at.line == 6
    assert not found.runs


def test_a_pom_that_aggregates_manages_and_has_profiles() -> None:
    found = build(
        "pom.xml",
        "<project><groupId>g</groupId><artifactId>a</artifactId><packaging>pom</packaging>"
        "<modules><module>x</module><module>y/z</module></modules>"
        "<dependencyManagement><dependencies><dependency><groupId>b</groupId><artifactId>bom</artifactId>"
        "<version>1</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>"
        "<dependencies><dependency><groupId>j</groupId><artifactId>junit</artifactId><scope>test</scope></dependency></dependencies>"
        "<profiles><profile><activation><activeByDefault>true</activeByDefault></activation>"
        "<modules><module>p</module></modules><properties><k>v</k></properties></profile>"
        "<profile><properties><k>other</k></properties></profile></profiles></project>",
    )
    assert found.coordinate == "g:a"
    assert found.aggregates
    assert found.modules == ("x", "y/z", "p")
    assert managed(found) == [("b:bom", "1")]
    assert deps(found) == [("j:junit", "", True)]
    assert found.properties == (("k", "v"),)


@pytest.mark.parametrize(
    ("plugin", "configuration", "runs"),
    [
        ("spring-boot-maven-plugin", "", True),
        ("spring-boot-maven-plugin", "<skip>true</skip>", False),
        ("maven-jar-plugin", "<archive><manifest><mainClass>A</mainClass></manifest></archive>", True),
        ("maven-compiler-plugin", "", False),
    ],
)
def test_a_module_runs_by_its_plugins(plugin: str, configuration: str, runs: bool) -> None:
    inner = f"<artifactId>{plugin}</artifactId><configuration>{configuration}</configuration>"
    plugins = f"<plugins><plugin>{inner}</plugin></plugins>"
    assert build("pom.xml", f"<project><build>{plugins}</build></project>").runs is runs
    managed_only = f"<project><build><pluginManagement>{plugins}</pluginManagement></build></project>"
    assert not build("pom.xml", managed_only).runs


def test_a_broken_pom_is_a_diagnostic_with_what_was_read() -> None:
    found = facts("pom.xml", "<project><artifactId>a</artifactId><dependencies>")
    assert [problem.name for problem in found.problems] == ["parse-error"]
    assert found.build is not None
    assert found.build.coordinate == ":a"


def test_groovy_build_script() -> None:
    found = build("build.gradle", GRADLE)
    assert (found.kind, found.coordinate, found.runs) == ("gradle", "com.acme:", True)
    assert deps(found) == [
        ("org.apache.rocketmq:rocketmq-client-java", "${mqVersion}", False),
        (":common", "", False),
    ]
    assert found.properties == (("mqVersion", "5.1.0"),)


def test_kotlin_build_script() -> None:
    found = build(
        "build.gradle.kts",
        """
        plugins { application; id("org.springframework.boot") version "3.2.0" apply false }
        val mq by extra("5.0.4")
        dependencies {
            implementation(platform("org.springframework.boot:spring-boot-dependencies:3.2.0"))
            implementation("org.apache.rocketmq:rocketmq-client:$mq") { exclude(group = "x", module = "y") }
            api(project(":lib:core"))
            implementation(projects.lib.orderApi)
            implementation(libs.rocketmq.client)
            testImplementation(group = "org.junit", name = "junit", version = "5")
            jmhImplementation(project(":lib:bench"))
            "custom"("a:b:1")
        }
        application { mainClass.set("com.acme.Main") }
        """,
    )
    assert found.runs
    assert deps(found) == [
        ("org.apache.rocketmq:rocketmq-client", "${mq}", False),
        (":lib:core", "", False),
        (":lib:order-api", "", False),
        ("${libs.rocketmq.client}", "", False),
        ("org.junit:junit", "5", True),
        (":lib:bench", "", True),
    ]
    assert managed(found) == [("org.springframework.boot:spring-boot-dependencies", "3.2.0")]
    assert found.properties == (("mq", "5.0.4"),)


def test_gradle_comments_and_texts_are_no_dependencies() -> None:
    found = build(
        "build.gradle",
        "// dependencies { implementation 'a:b:1' }\n/* dependencies { implementation 'a:b:2' } */\n"
        "def text = '''dependencies { implementation 'a:b:3' }'''\ndependencies {\n  // implementation 'a:b:4'\n}\n",
    )
    assert found.dependencies == ()


def test_gradle_forms_of_one_dependency() -> None:
    for line in (
        "implementation 'a:b:1'",
        'implementation("a:b:1")',
        "implementation group: 'a', name: 'b', version: '1'",
        "implementation(\n  'a:b:1'\n)",
        "compile 'a:b:1@aar'",
        "runtimeOnly('a:b:1') { transitive = false }",
        "implementation 'a:b:' + '1'",
    ):
        assert deps(build("build.gradle", f"dependencies {{\n  {line}\n}}\n")) == [("a:b", "1", False)], line


def test_gradle_lists_of_dependencies() -> None:
    found = build(
        "build.gradle", "List mq = [\n 'a:b:1',\n 'a:c:1',\n]\ndependencies {\n implementation mq\n}\n"
    )
    assert deps(found) == [("a:b", "1", False), ("a:c", "1", False)]


def test_a_switched_off_boot_jar_is_a_library() -> None:
    plugins = "plugins { id 'org.springframework.boot' }\n"
    assert build("build.gradle", plugins).runs
    assert not build("build.gradle", plugins + "bootJar { enabled = false }\n").runs
    assert not build("build.gradle", plugins + "bootJar.enabled = false\n").runs
    assert not build("build.gradle", "plugins { id 'org.springframework.boot' apply false }\n").runs


def test_gradle_settings_list_their_projects() -> None:
    found = build(
        "settings.gradle.kts",
        'rootProject.name = "shop"\ninclude(":a", ":b:c")\ninclude("d")\nproject(":d").projectDir = file("other/d")\n',
    )
    assert (found.kind, found.coordinate) == ("gradle-settings", ":shop")
    assert found.modules == ("a", "b/c", "other/d")


def test_a_version_catalogue_gives_coordinates_and_versions() -> None:
    found = build(
        "libs.versions.toml",
        '[versions]\nmq = "5.1.0"\n[libraries]\n'
        'rocketmq-client = { module = "org.apache.rocketmq:rocketmq-client", version.ref = "mq" }\n'
        'two = "a:b:1"\nthree = { group = "a", name = "c" }\n[bundles]\nall = ["two", "three"]\n',
    )
    assert found.kind == "gradle-catalogue"
    assert managed(found) == [("org.apache.rocketmq:rocketmq-client", "5.1.0"), ("a:b", "1"), ("a:c", "")]
    properties = dict(found.properties)
    assert properties["libs.rocketmq.client"] == "org.apache.rocketmq:rocketmq-client"
    assert properties["libs.bundles.all"] == "a:b,a:c"
    assert found.managed[0].at.line == 4


def test_python_projects() -> None:
    found = build(
        "pyproject.toml",
        '[project]\nname = "My_App"\nversion = "1"\n'
        'dependencies = ["rocketmq-client-python==2.0.0", "PyYAML>=6; python_version>\'3\'"]\n'
        '[project.optional-dependencies]\ntest = ["pytest"]\n[project.scripts]\nrun = "a:b"\n',
    )
    assert (found.kind, found.coordinate, found.version, found.runs) == ("python", "my-app", "1", True)
    assert deps(found) == [
        ("rocketmq-client-python", "2.0.0", False),
        ("pyyaml", ">=6", False),
        ("pytest", "", True),
    ]
    poetry = build(
        "pyproject.toml",
        '[tool.poetry]\nname = "a"\n[tool.poetry.dependencies]\npython = "^3.11"\n'
        'rocketmq = {version = "0.4.4", optional = true}\n'
        '[tool.poetry.group.dev.dependencies]\nruff = "*"\n',
    )
    assert deps(poetry) == [("rocketmq", "0.4.4", False), ("ruff", "", True)]


def test_setup_files_and_requirements() -> None:
    cfg = build(
        "setup.cfg",
        "[metadata]\nname = a_b\n[options]\ninstall_requires =\n  mq_http_sdk==1.0.3\n  requests\n",
    )
    assert cfg.coordinate == "a-b"
    assert deps(cfg) == [("mq-http-sdk", "1.0.3", False), ("requests", "", False)]
    setup = build(
        "setup.py",
        "from setuptools import setup\nREQ = ['rocketmq>=0.4']\n"
        "setup(name='a', install_requires=REQ, entry_points={})\n",
    )
    assert deps(setup) == [("rocketmq", ">=0.4", False)]
    assert setup.runs
    requirements = build(
        "requirements.txt",
        "# c\nrocketmq-client-python == 2.0.0  # why\n-r base.txt\ngit+https://h/x.git#egg=own-lib\n\n",
    )
    assert deps(requirements) == [("rocketmq-client-python", "2.0.0", False), ("own-lib", "", False)]
    assert deps(build("requirements-dev.txt", "pytest\n")) == [("pytest", "", True)]


def test_other_names_are_not_read() -> None:
    assert read_file("pom.txt", b"<project/>") is None


NAMES = [
    "pom.xml", "build.gradle", "settings.gradle.kts", "libs.versions.toml", "pyproject.toml", "setup.cfg", "setup.py",
    "requirements.txt",
]  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(
    st.one_of(
        mutations(POM).map(lambda content: ("pom.xml", content)),
        mutations(GRADLE).map(lambda content: ("build.gradle", content)),
        st.tuples(st.sampled_from(NAMES), st.binary(max_size=120)),
        st.tuples(
            st.sampled_from(NAMES),
            st.text("ab:=-[]{}()'\"\n\t \\#,.$<>/" + "dependencies", max_size=80).map(str.encode),
        ),
    )
)
def test_any_bytes_give_facts_with_sound_places(case: tuple[str, bytes]) -> None:
    assert_sound(read_file(*case))


def test_hostile_build_files_are_bounded() -> None:
    for name, text in (
        ("build.gradle", "dependencies {" * 50_000),
        ("build.gradle", "((((" * 100_000),
        ("build.gradle", "implementation " * 100_000),
        ("build.gradle", '"' * 300_000),
        ("pyproject.toml", "a = " + "[" * 50_000),
        ("libs.versions.toml", "a = " + "{a=" * 50_000),
        ("setup.py", "(" * 50_000),
    ):
        assert_sound(read_file(name, text.encode()))


def test_truncations_sometimes_find_the_dependency() -> None:
    for name, text in (("pom.xml", POM), ("build.gradle", GRADLE)):
        counts = [
            len(build(name, text[:end]).dependencies)
            for end in range(10, len(text), 5)
            if facts(name, text[:end]).build
        ]
        assert 0 in counts
        assert max(counts) >= 1
