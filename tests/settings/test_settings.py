"""Configuration files: what each key means, and that every mistake is named with its line and a suggestion."""

from __future__ import annotations

from pathlib import Path

import pytest

from subdrift.linter.broker.assume import Assume
from subdrift.linter.broker.versions import Version
from subdrift.linter.model.answers import DeclaredApi
from subdrift.linter.report.language import english
from subdrift.linter.settings import (
    Answer,
    Settings,
    SettingsError,
    find,
    load,
    load_file,
    parse,
    with_overrides,
)
from tests.said import refused

WHOLE = """\
repository = "acme/billing"
fail-on = "warning"
strict = true
output-format = "json"
output = ["sarif=out/subdrift.sarif", "github=-"]
exclude = ["generated/"]
cache-dir = "/var/cache/subdrift"

[values]
"audit.topic" = "AUDIT"
audit.group = "audit-cg"
audit.retries = 3
audit.enabled = true
audit.tags = ["A", "B"]

[profiles.prod.values]
"audit.topic" = "AUDIT_PROD"

[clusters]
east = ["mq-east:9876", "10.0.0.1:9876"]
west = ["mq-west:9876"]

[assume]
instances = 2
queues = 8
broker_version = "4.9.7"

[assume.topics.AUDIT]
queues = 16

[assume.groups.audit-cg]
instances = 3
client-version = "4.8.0"

[assume.groups.audit-cg.topics.AUDIT]
queues = 1
"""


def test_every_key_means_what_the_documentation_says() -> None:
    settings = parse(WHOLE, ".subdrift.toml")
    assert settings.repository == "acme/billing"
    assert (settings.fail_on, settings.strict, settings.output_format) == ("warning", True, "json")
    assert settings.outputs == (("sarif", "out/subdrift.sarif"), ("github", "-"))
    assert settings.exclude == ("generated/",)
    assert settings.cache_dir == "/var/cache/subdrift"
    assert settings.cluster_of("10.0.0.1:9876") == "east"
    assert settings.cluster_of("10.0.0.2:9876") == ""


def test_answers_are_text_with_the_line_that_says_so() -> None:
    answers = parse(WHOLE, ".subdrift.toml").answers()
    assert answers == {
        key: Answer(key, text, "", line)
        for key, text, line in [
            ("audit.topic", "AUDIT", 10),
            ("audit.group", "audit-cg", 11),
            ("audit.retries", "3", 12),
            ("audit.enabled", "true", 13),
            ("audit.tags[0]", "A", 14),
            ("audit.tags[1]", "B", 14),
        ]
    }


def test_a_profile_answers_before_the_rest() -> None:
    settings = parse(WHOLE, ".subdrift.toml")
    assert settings.answers("prod")["audit.topic"] == Answer("audit.topic", "AUDIT_PROD", "prod", 17)
    assert settings.answers("prod")["audit.group"].text == "audit-cg"
    assert settings.answers("dev")["audit.topic"].text == "AUDIT"


def test_assumptions_of_a_group_and_a_topic_win_over_wider_ones() -> None:
    assume = parse(WHOLE, ".subdrift.toml").assume
    assert assume.of("other") == Assume(
        instances=2, queues=8, broker_version=Version(4, 9, 7), topic_queues=(("AUDIT", 16),)
    )
    assert assume.of("audit-cg") == Assume(
        instances=3,
        queues=8,
        client_version=Version(4, 8, 0),
        broker_version=Version(4, 9, 7),
        topic_queues=(("AUDIT", 1),),
    )
    assert Settings().assume.of("any") == Assume()


MISTAKES = [
    ('\nfail_onn = "error"', 2, "`fail_onn` is not a setting; did you mean `fail-on`?"),
    ("[asume]\nqueues = 1", 1, "`asume` is not a setting; did you mean `assume`?"),
    ("[assume]\n# how many\nqueus = 1", 3, "`assume.queus` is not a setting; did you mean `queues`?"),
    ("zzz = 1", 1, "`zzz` is not a setting"),
    (
        'fail-on = "eror"',
        1,
        '`fail-on` must be one of error, warning, note, never, not "eror"; did you mean `error`?',
    ),
    ("strict = 1", 1, "`strict` must be true or false, not a number"),
    ("repository = []", 1, "`repository` must be a text, not a list"),
    ("values = 3", 1, "`values` must be a table, not a number"),
    ("[values]\na = 1979-05-27", 2, "`values.a` must be a text, a number or true or false, not a date"),
    ("[values]\na = [[1]]", 2, "`values.a` must be a text, a number or true or false, not a list"),
    ("[profiles.prod]\nvalue.a = 1", 2, "`profiles.prod.value` is not a setting; did you mean `values`?"),
    ("exclude = ['a',\n 1]", 1, "`exclude` must be a text, not a number"),
    ("[assume]\ninstances = 0", 2, "`assume.instances` must be between 1 and 64"),
    ("[assume]\ninstances = true", 2, "`assume.instances` must be a whole number, not true or false"),
    (
        '[assume]\nbroker_version = "5"',
        2,
        '`assume.broker_version` must be a RocketMQ version such as "5.3.3", not "5"',
    ),
    ("[assume.topics.T]\n", 1, "`assume.topics.T` must say `queues`"),
    (
        "[assume.groups.g.topics.T]\nqueue = 1",
        2,
        "`assume.groups.g.topics.T.queue` is not a setting; did you mean `queues`?",
    ),
    ("[clusters]\na = ['x:1']\nb = ['x:1']", 3, "`clusters.b` and `a` both claim the address x:1"),
    ("output = ['sarif']", 1, '`output` must be written "FORMAT=FILE", not "sarif"'),
    ("output = ['saarif=x']", 1, "`output` must be one of"),
    ("a = \nb = 1", 1, "is not valid TOML: Invalid value"),
    ("[values]\na = 'x", 2, "is not valid TOML"),
]


@pytest.mark.parametrize(("text", "line", "message"), MISTAKES)
def test_a_mistake_is_named_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse(text, ".subdrift.toml")
    assert english().text(caught.value.message).startswith(f".subdrift.toml:{line}: ")
    assert message in english().text(caught.value.message)


def test_a_mistake_in_a_pyproject_is_found_below_other_tables(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[project]\nname = 'x'\nstrict = 'of others'\n[tool.subdrift]\nrepository = 'x'\nstrict = 'yes'\n"
    )
    with refused(SettingsError, r"pyproject\.toml:6: `strict` must be true or false"):
        load(str(tmp_path))


def test_the_own_file_wins_over_a_pyproject_and_they_are_never_merged(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.subdrift]\nrepository = 'p'\nstrict = true\n")
    assert (load(str(tmp_path)).repository, load(str(tmp_path)).strict) == ("p", True)
    (tmp_path / ".subdrift.toml").write_text("repository = 's'\n")
    assert (load(str(tmp_path)).repository, load(str(tmp_path)).strict) == ("s", False)
    assert load(str(tmp_path)).file == str(tmp_path / ".subdrift.toml")


def test_a_pyproject_without_our_table_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("this is [not even toml")
    assert find(str(tmp_path)) == ""
    assert load(str(tmp_path)) == Settings()


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / ".subdrift.toml").write_bytes(b"\xef\xbb\xbfstrict = true\r\n\r\nnope = 1\r\n")
    with refused(SettingsError, r"toml:3: `nope`"):
        load(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"a = '\xff'", r":1: is not UTF-8"), (b"#" * (1 << 20) + b"\n", "is larger than 256 KiB")],
)
def test_a_file_that_cannot_be_used_is_said(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / ".subdrift.toml").write_bytes(content)
    with refused(SettingsError, message):
        load(str(tmp_path))


def test_a_file_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    with refused(SettingsError, "No such file"):
        load_file(str(tmp_path / "gone.toml"))
    (tmp_path / ".subdrift.toml").mkdir()
    with refused(SettingsError, "is a folder, not a regular file"):
        load(str(tmp_path))


def test_options_lie_over_the_file() -> None:
    settings = with_overrides(
        parse(WHOLE, "f"), ["assume.queues = 2", 'values."audit.topic" = "X"', "strict=false"]
    )
    assert settings.assume.of("other").queues == 2
    assert settings.assume.of("other").instances == 2
    assert settings.answers()["audit.topic"].text == "X"
    assert settings.answers()["audit.group"].text == "audit-cg"
    assert not settings.strict


@pytest.mark.parametrize("option", ["strict", "nope=1", "strict=maybe"])
def test_a_mistake_in_an_option_is_said(option: str) -> None:
    with refused(SettingsError, r"^--config"):
        with_overrides(Settings(), [option])


def test_a_module_has_answers_of_its_own() -> None:
    text = (
        '[values]\na = "1"\n[modules."x/y/".values]\na = "2"\n[modules."x/y".profiles.prod.values]\na = "3"\n'
    )
    settings = parse(text, ".subdrift.toml")
    assert settings.answers()["a"].text == "1"
    assert [(one.module, one.profile, one.text, one.line) for one in settings.values if one.module] == [
        ("x/y", "", "2", 4),
        ("x/y", "prod", "3", 6),
    ]


@pytest.mark.parametrize("folder", ["/etc", "../other", ".", "a\\\\b"])
def test_a_module_is_a_folder_of_the_repository(folder: str) -> None:
    with refused(SettingsError, "must be a folder of the repository"):
        parse(f'[modules."{folder}".values]\na = "1"\n', ".subdrift.toml")


def test_a_kind_of_listener_is_declared() -> None:
    text = (
        '[[apis]]\nannotation = "@com.x.MqConsumer"\ngroup = "groupId"\ntopic = "topic"\nfilter-type = "type"\n'
        '[[apis]]\nclass = "BaseConsumer"\ngroup = "getGroup()"\ntopic = 2\n'
    )
    assert parse(text, ".subdrift.toml").apis == (
        DeclaredApi("com.x.MqConsumer", True, "groupId", "topic", filter_type="type"),
        DeclaredApi("BaseConsumer", False, "getGroup", "2"),
    )


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('group = "g"\ntopic = "t"', "must say either `annotation` or `class`"),
        (
            'annotation = "A"\nclass = "B"\ngroup = "g"\ntopic = "t"',
            "must say either `annotation` or `class`",
        ),
        ('annotation = "A"\ngroup = "g"', "must say `topic`"),
        ('annotation = "A"\ngroup = 1\ntopic = "t"', "must be a text"),
        ('class = "A"\ngroup = 0\ntopic = "t"', "must be"),
        ('class = "A b"\ngroup = "g"\ntopic = "t"', "must be a name"),
        ('annotation = "A"\ngruop = "g"\ntopic = "t"', "gruop"),
    ],
)
def test_a_declaration_that_says_too_little_or_nonsense_is_refused(entry: str, message: str) -> None:
    with refused(SettingsError, message):
        parse(f"[[apis]]\n{entry}\n", ".subdrift.toml")


def test_brokers_without_sql92_can_be_assumed_for_all_groups_or_one() -> None:
    text = "[assume]\nenable-property-filter = false\n[assume.groups.g]\nenable-property-filter = true\n"
    assumed = parse(text, ".subdrift.toml").assume
    assert not assumed.of("other").property_filter
    assert assumed.of("g").property_filter
    assert parse("", ".subdrift.toml").assume.of("g").property_filter
