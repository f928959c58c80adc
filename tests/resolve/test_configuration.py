"""Configuration as one deployable sees it, from facts made by hand."""

from __future__ import annotations

import pytest

from subdrift.linter.model.facts import BuildFile, ConfigEntry, Dependency, EnvEntry, FileFacts
from subdrift.linter.model.location import START, Origin, Span
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configuration import Configuration, Surroundings
from subdrift.linter.resolve.keys import relaxed, variable_of
from subdrift.linter.resolve.modules import Modules
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.resources import Import, is_test_resource, location, resource_of


def _pom(artifact: str, *dependencies: str, runs: bool = False) -> FileFacts:
    taken = tuple(Dependency(f"com.acme:{name}", "1", START) for name in dependencies)
    build = BuildFile("maven", f"com.acme:{artifact}", "1", None, "", (), taken, (), (), runs, False, START)
    return FileFacts("build", build=build)


def _settings(*pairs: tuple[str, str], profiles: tuple[str, ...] = (), document: int = 0) -> FileFacts:
    entries = tuple(
        ConfigEntry(key, text, profiles, document, Span(line, 1, line, 2))
        for line, (key, text) in enumerate(pairs, 1)
    )
    return FileFacts("config", config=entries)


def _configuration(files: dict[str, FileFacts], folder: str = "") -> Configuration:
    placed = [Placed(Origin("shop", path), facts) for path, facts in sorted(files.items())]
    modules = Modules((p for p in placed if p.facts.build), (), ["shop"])
    deployable = next(d for d in modules.deployables if d.key.folder == folder)
    inside = [p for p in placed if modules.of(p.origin) in deployable.takes_in]
    return Configuration(deployable, modules, inside, {}, None, surroundings=Surroundings.of(placed, set()))


def _text(configuration: Configuration, key: str, environment: str = "") -> str | None:
    found = configuration.environment(environment).lookup(key)
    return found.text if found else None


@pytest.mark.parametrize(
    ("expression", "active", "holds"),
    [
        ("dev", ("dev",), True),
        ("dev", ("prod",), False),
        ("!dev", ("prod",), True),
        ("! dev", ("dev",), False),
        ("dev & eu", ("dev", "eu"), True),
        ("dev & eu", ("dev",), False),
        ("dev | eu", ("eu",), True),
        ("dev & (eu | us)", ("dev", "us"), True),
        ("(dev & !eu) | us", ("dev", "eu"), False),
        ("!(dev | eu)", ("us",), True),
        ("dev &", ("dev",), False),
        ("(", ("dev",), False),
        ("", ("dev",), False),
    ],
)
def test_a_profile_expression_holds_as_spring_reads_it(
    expression: str, active: tuple[str, ...], holds: bool
) -> None:
    assert profile_holds(expression, active) is holds


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mq.consumer-group", "mq.consumerGroup"),
        ("mq.consumer-group", "mq.consumer_group"),
        ("mq.consumer-group", "MQ.CONSUMERGROUP"),
        ("map[a_b].c", "map.a_b.c"),
    ],
)
def test_relaxed_spellings_are_one_key(one: str, other: str) -> None:
    assert relaxed(one) == relaxed(other)


def test_list_items_stay_items_in_relaxed_keys() -> None:
    assert relaxed("mq.topics[0]") != relaxed("mq.topics.0")


def test_the_variable_of_a_key_has_no_dashes() -> None:
    assert variable_of("mq.consumer-group") == "MQ_CONSUMERGROUP"
    assert variable_of("mq.topics[0].name") == "MQ_TOPICS_0_NAME"


def test_a_canonical_key_finds_other_spellings_and_no_other_key_does() -> None:
    made = _configuration({"src/main/resources/application.yml": _settings(("mq.consumerGroup", "g"))})
    assert _text(made, "mq.consumer-group") == "g"
    assert _text(made, "mq.consumerGroup") == "g"
    assert _text(made, "mq.consumer_Group") is None


@pytest.mark.parametrize(
    ("path", "folder", "found"),
    [
        ("src/main/resources/application.yml", "", (1, "application.yml")),
        ("app/src/main/resources/config/application.yml", "app", (1, "config/application.yml")),
        ("app/application.yml", "app", (0, "application.yml")),
        ("app/config/application.yml", "app", (0, "config/application.yml")),
        ("resources/application.yml", "", (1, "application.yml")),
        ("docs/application.yml", "", None),
        ("src/main/resources-dev/application.yml", "", None),
    ],
)
def test_where_a_file_is_found_follows_from_its_path(
    path: str, folder: str, found: tuple[int, str] | None
) -> None:
    assert resource_of(path, folder) == found


def test_test_resources_are_told_by_the_folder_below_src() -> None:
    assert is_test_resource("app/src/test/resources/application.yml")
    assert not is_test_resource("mq-test/src/main/resources/application.yml")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("classpath:mq.yml", Import("mq.yml", scheme="classpath")),
        ("optional:classpath:/conf/mq.yml", Import("/conf/mq.yml", scheme="classpath")),
        ("file:./mq.yml", Import("./mq.yml", scheme="file")),
        ("mq[.yaml]", Import("mq")),
        ("optional:nacos:shop.yaml?group=G", Import("shop.yaml", "nacos")),
        ("configserver:http://host", None),
        ("classpath:conf/", Import("conf/", scheme="classpath")),
    ],
)
def test_an_import_is_a_file_or_belongs_to_a_centre(text: str, found: Import | None) -> None:
    assert location(text) == found


def test_the_first_file_of_a_name_on_the_class_path_hides_the_others() -> None:
    files = {
        "app/pom.xml": _pom("app", "lib", runs=True),
        "lib/pom.xml": _pom("lib"),
        "app/src/main/resources/application.yml": _settings(("a", "app")),
        "lib/src/main/resources/application.yml": _settings(("a", "lib"), ("b", "lib")),
        "lib/src/main/resources/application-dev.yml": _settings(("b", "dev")),
    }
    made = _configuration(files, "app")
    assert (_text(made, "a"), _text(made, "b"), _text(made, "b", "dev")) == ("app", None, "dev")


def test_one_name_twice_in_a_module_is_undecided_where_texts_differ() -> None:
    files = {
        "one/src/main/resources/application.yml": _settings(("a", "1"), ("same", "s")),
        "two/src/main/resources/application.yml": _settings(("a", "2"), ("same", "s")),
    }
    made = _configuration(files)
    found, same = (made.environment("").lookup(key) for key in ("a", "same"))
    assert found is not None
    assert found.undecided
    assert same is not None
    assert not same.undecided


def test_a_profile_set_from_outside_replaces_those_that_files_name() -> None:
    files = {
        "src/main/resources/application.yml": _settings(("spring.profiles.active", "common, dev")),
        "src/main/resources/application-common.yml": _settings(("a", "common"), ("b", "common")),
        "src/main/resources/application-dev.yml": _settings(("a", "dev")),
    }
    made = _configuration(files)
    said = {name: (_text(made, "a", name), _text(made, "b", name)) for name in ("", "dev", "common")}
    assert said == {"": ("dev", "common"), "dev": ("dev", None), "common": ("common", "common")}


def test_the_default_profile_holds_only_where_no_other_is_active() -> None:
    files = {
        "src/main/resources/application-default.yml": _settings(("a", "default")),
        "src/main/resources/application-dev.yml": _settings(("b", "dev")),
    }
    made = _configuration(files)
    assert _text(made, "a") == "default"
    assert _text(made, "a", "dev") is None


def test_the_name_of_the_active_profile_is_no_entry_of_its_own_environment() -> None:
    files = {
        "src/main/resources/application.yml": _settings(("spring.profiles.active", "dev")),
        "src/main/resources/application-prod.yml": _settings(("b", "prod")),
    }
    made = _configuration(files)
    assert _text(made, "spring.profiles.active") == "dev"
    assert _text(made, "spring.profiles.active", "prod") is None
    assert made.environment("prod").active == ("prod",)


def test_a_cycle_of_imports_ends() -> None:
    files = {
        "src/main/resources/application.yml": _settings(("spring.config.import", "classpath:a.yml")),
        "src/main/resources/a.yml": _settings(("spring.config.import[0]", "classpath:b.yml"), ("k", "a")),
        "src/main/resources/b.yml": _settings(("spring.config.import", "classpath:a.yml"), ("k", "b")),
    }
    assert _text(_configuration(files), "k") == "b"


def test_a_missing_import_is_asked_for() -> None:
    placed = Placed(
        Origin("shop", "src/main/resources/application.yml"),
        _settings(("spring.config.import", "optional:classpath:mq.yml")),
    )
    modules = Modules((), (), ["shop"])
    wanted: set[str] = set()
    Configuration(
        modules.deployables[0], modules, [placed], {}, None, surroundings=Surroundings.of([placed], wanted)
    )
    assert wanted == {"mq.yml"}


@pytest.mark.parametrize(
    ("pairs", "centre"),
    [
        ([("spring.cloud.nacos.config.server-addr", "n:1")], "nacos"),
        (
            [
                ("spring.cloud.nacos.config.server-addr", "n:1"),
                ("spring.cloud.nacos.config.enabled", "false"),
            ],
            "",
        ),
        ([("spring.cloud.nacos.discovery.server-addr", "n:1")], ""),
        ([("apollo.meta", "http://a")], "apollo"),
        ([("spring.cloud.config.uri", "http://c")], "the config server"),
        ([("spring.cloud.config.server.git.uri", "http://c")], ""),
        ([("spring.config.import", "optional:consul:")], "consul"),
        ([("a", "b")], ""),
    ],
)
def test_a_configuration_centre_is_told_by_its_keys(pairs: list[tuple[str, str]], centre: str) -> None:
    made = _configuration({"src/main/resources/bootstrap.yml": _settings(*pairs)})
    assert made.centre == centre


def _variables(*rows: tuple[str, str | None, str]) -> FileFacts:
    return FileFacts(
        "deploy",
        environment=tuple(EnvEntry(name, text, "", START, process) for name, text, process in rows),
    )


def test_deployments_are_environments_only_where_their_variable_is_asked_for() -> None:
    made = _configuration({"docker-compose.yml": _variables(("MQ_GROUP", "g", "shop"))})
    assert _text(made, "other.key") is None
    assert made.asked == set()
    assert _text(made, "mq.group") is None
    assert made.asked == {"compose:docker-compose.yml"}
    assert _text(made, "mq.group", "compose:docker-compose.yml") == "g"
    assert _text(made, "MQ_GROUP", "compose:docker-compose.yml") == "g"


def test_a_deployment_chooses_the_profile_it_names() -> None:
    files = {
        "docker-compose.yml": _variables(("SPRING_PROFILES_ACTIVE", "prod", "shop"), ("X", "1", "shop")),
        "src/main/resources/application-prod.yml": _settings(("a", "prod")),
    }
    assert _text(_configuration(files), "a", "compose:docker-compose.yml") == "prod"


def test_a_variable_goes_to_the_service_that_bears_the_name_of_the_module() -> None:
    files = {
        "orders/pom.xml": _pom("orders", runs=True),
        "bills/pom.xml": _pom("bills", runs=True),
        "docker-compose.yml": _variables(("G", "o", "orders"), ("G", "b", "bills"), ("H", "x", "mysql")),
    }
    name = "compose:docker-compose.yml"
    assert _text(_configuration(files, "orders"), "G", name) == "o"
    assert _text(_configuration(files, "bills"), "G", name) == "b"
    assert _text(_configuration(files, "bills"), "H", name) is None


def test_a_variable_with_several_texts_for_nobody_in_particular_is_undecided() -> None:
    made = _configuration({"docker-compose.yml": _variables(("G", "1", "one"), ("G", "2", "two"))})
    found = made.environment("compose:docker-compose.yml").lookup("G")
    assert found is not None
    assert found.undecided


def test_a_variable_from_outside_is_known_to_be() -> None:
    made = _configuration({"docker-compose.yml": _variables(("G", None, "shop"))})
    found = made.environment("compose:docker-compose.yml").lookup("G")
    assert found is not None
    assert found.outside


def test_templates_of_deployment_files_deploy_nothing() -> None:
    made = _configuration({".env.example": _variables(("G", "g", ""))})
    assert made.deployments == {}


def test_children_are_named_as_written_in_order_of_their_places() -> None:
    pairs = [
        ("mq.b-c.x", "1"),
        ("mq.a.x", "2"),
        ("mq.list[1]", "3"),
        ("mq.list[10]", "4"),
        ("mq.list[2]", "5"),
    ]
    made = _configuration({"src/main/resources/application.yml": _settings(*pairs)}).environment("")
    assert made.children("mq") == ("b-c", "a", "list")
    assert made.children("mq.list") == ("[1]", "[2]", "[10]")
    assert made.children("mq.none") == ()
