"""What an organisation sets for all: levels of rules, files that others extend, a schema; and mistakes, all at once."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from subdrift import rules
from subdrift.linter.cli.config import schema
from subdrift.linter.report.language import english
from subdrift.linter.settings import Settings, SettingsError, load, parse
from subdrift.rules import shared_group
from tests.adopt.scratch import Scratch, subdrift
from tests.said import refused
from tests.settings.test_settings import MISTAKES, WHOLE

SCHEMA = Path(__file__).parents[2] / "linter" / "report" / "schemas" / "config.schema.json"

# -- extends ------------------------------------------------------------------------------------------------------


def tree(folder: Path, **files: str) -> str:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".toml").write_text(text, encoding="utf-8")
    (folder / "own.toml").rename(folder / ".subdrift.toml")
    return str(folder)


def test_what_a_configuration_does_not_say_is_what_the_one_it_extends_says(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        own='extends = "lint/team.toml"\nstrict = false\n[values]\na = "own"\n',
        lint__team='extends = "company.toml"\nstrict = true\n[values]\na = "team"\nb = "team"\n',
        lint__company='fail-on = "warning"\n[values]\nb = "company"\nc = "company"\n',
    )
    found = load(root)
    assert (found.strict, found.fail_on) == (False, "warning")
    assert {key: one.text for key, one in found.answers().items()} == {
        "a": "own",
        "b": "team",
        "c": "company",
    }
    assert [Path(one).name for one in found.extended] == ["team.toml", "company.toml"]
    shown = subdrift("config", "show", root).out
    assert "lint/company.toml:1" in shown
    assert "lint/team.toml:5" in shown


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ('strict = true\nextends = "gone.toml"', r":2: `extends` names `gone.toml`, which is not there"),
        ('extends = "../other.toml"', "which is not in this repository"),
        ('extends = "/etc/passwd"', "which is not in this repository"),
        ('extends = ".git/config"', "which is not in this repository"),
        ('extends = ".subdrift.toml"', r"leads back to itself: \.subdrift\.toml → \.subdrift\.toml"),
        ('extends = "round.toml"', r"round\.toml:1: .*: \.subdrift\.toml → round\.toml → \.subdrift\.toml"),
        ('extends = "package:no_such_package_here/a.toml"', "which is not installed beside subdrift"),
        ('extends = "package:json"', "must be written `package:NAME/FILE`"),
        ('extends = "package:json/../os.py"', "must be written `package:NAME/FILE`"),
        ("extends = 3", "`extends` must be a text, not a number"),
    ],
)
def test_what_cannot_be_extended_is_said(own: str, message: str, tmp_path: Path) -> None:
    root = tree(tmp_path, own=own, round='extends = ".subdrift.toml"')
    with refused(SettingsError, message):
        load(root)


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text("strict = true")
    root = tree(tmp_path / "work", own='extends = "standard.toml"')
    (tmp_path / "work" / "standard.toml").symlink_to(tmp_path / "secret.toml")
    with refused(SettingsError, "which is not in this repository"):
        load(root)


def test_the_standard_of_an_installed_package_is_read_and_nothing_of_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "acme_standard"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('imported')")
    (package / "lint.toml").write_text(
        'fail-on = "note"\n[[ignore]]\nrule = "shared-group"\nreason = "ours"\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    root = tree(tmp_path / "work", own='extends = "package:acme_standard/lint.toml"\n')
    found = load(root)
    assert found.fail_on == "note"
    assert [one.shared for one in found.ignores] == [True]
    assert "unused-suppression" not in subdrift("check", root, "--no-cache", "--strict").out


def test_a_standard_as_it_was_at_a_commit_holds_for_that_commit(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a")
    scratch.listener("B", "b")
    scratch.write(".subdrift.toml", 'extends = "standard.toml"\n')
    scratch.write("standard.toml", "exclude = ['B.java']\n")
    scratch.commit()
    scratch.write("standard.toml", "exclude = []\n")
    assert scratch.check("--new-from", "HEAD").rules == ["divergent-tags"]
    scratch.commit()
    assert scratch.check("--new-from", "HEAD").rules == []


def test_extends_is_for_files() -> None:
    ran = subdrift("check", "--config", 'extends = "a.toml"')
    assert (ran.code, "`extends` belongs in a configuration file" in ran.err) == (2, True)


# -- levels of rules ------------------------------------------------------------------------------------------------


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    found = Scratch(tmp_path / "work")
    found.listener("A", "a", folder="new/")
    found.listener("B", "b", folder="old/")
    found.listener("C", "x|y", group="other", folder="old/")
    return found


def levels(scratch: Scratch, configuration: str) -> dict[str, str]:
    scratch.write(".subdrift.toml", configuration)
    return {one["rule"]: one["level"] for one in scratch.check().json["findings"]}


def test_a_rule_has_the_level_it_is_given(scratch: Scratch) -> None:
    assert levels(scratch, "") == {"divergent-tags": "error", "wrong-tag-separator": "error"}
    said = '[rules.divergent-tags]\nlevel = "warning"\n[rules.wrong-tag-separator]\nlevel = "note"\n'
    assert levels(scratch, said) == {"divergent-tags": "warning", "wrong-tag-separator": "note"}
    assert scratch.check().code == 0
    assert levels(scratch, '[rules.divergent-tags]\nlevel = "off"\n') == {"wrong-tag-separator": "error"}
    assert scratch.check("--select", "divergent-tags").rules == ["divergent-tags"]


def test_a_rule_that_warns_may_be_an_error() -> None:
    said = parse('[rules.shared-group]\nlevel = "error"\n', "f").levelled((shared_group.RULE,))
    assert [one.at_most.text for one in said] == ["error"]
    assert Settings().levelled(rules.ALL) == rules.ALL


def test_a_level_by_path_is_that_of_the_sides_that_lie_there(scratch: Scratch) -> None:
    said = '[rules.{}.paths]\n"old/" = "{}"\n'
    assert levels(scratch, said.format("wrong-tag-separator", "note"))["wrong-tag-separator"] == "note"
    assert "wrong-tag-separator" not in levels(scratch, said.format("wrong-tag-separator", "off"))
    # the side in new/ speaks for itself
    assert levels(scratch, said.format("divergent-tags", "note"))["divergent-tags"] == "error"
    both = '[rules.divergent-tags.paths]\n"*" = "warning"\n"new/" = "note"\n'
    assert levels(scratch, both)["divergent-tags"] == "warning"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            '[rules.divergent-tag]\nlevel = "error"',
            "`rules.divergent-tag` is not a rule; did you mean `divergent-tags`?",
        ),
        ('[rules.shared-group]\nlevel = "fatal"', "must be one of error, warning, note, off"),
        ('[rules.unresolved-value]\nlevel = "error"', "has no level"),
        ('select = ["divergent-tag"]', "did you mean `divergent-tags`?"),
    ],
)
def test_a_rule_or_level_that_does_not_exist_is_said(scratch: Scratch, said: str, message: str) -> None:
    scratch.write(".subdrift.toml", said)
    ran = subdrift("config", "check", scratch.root)
    assert (ran.code, message in ran.err) == (2, True), ran.err


# -- every mistake at once ----------------------------------------------------------------------------------------


def test_all_mistakes_are_told_at_once_each_with_its_line(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        own='extends = "standard.toml"\nfail-onn = "error"\nstrict = 1\n[assume]\nqueues = 0\n[clusters]\n'
        "a = ['x:1']\nb = ['x:1']\n[[ignore]]\nrule = 'r'\n[[ignore]]\nreason = 3\n",
        standard='lang = "fr"\n',
    )
    with pytest.raises(SettingsError) as caught:
        load(root)
    said = english().text(caught.value.message).replace(f"{root}/", "")
    places = [line.split(" ")[0] for line in said.splitlines() if "toml:" in line]
    own = [".subdrift.toml:2:", ".subdrift.toml:3:", ".subdrift.toml:5:", ".subdrift.toml:8:"]
    assert places == [
        *own,
        ".subdrift.toml:9:",
        ".subdrift.toml:11:",
        ".subdrift.toml:12:",
        "standard.toml:1:",
    ]


def test_of_very_many_mistakes_the_first_are_told_and_the_others_counted() -> None:
    with pytest.raises(SettingsError) as caught:
        parse("".join(f"x{number} = 1\n" for number in range(50)), "f")
    said = english().text(caught.value.message)
    assert said.count("is not a setting") == 20
    assert said.endswith("\nand 30 further mistakes")


# -- the schema ---------------------------------------------------------------------------------------------------


def refusals(text: str) -> list[str]:
    """What the schema says of a configuration; dates are texts in JSON."""
    value: Any = json.loads(json.dumps(tomllib.loads(text), default=str))
    return [one.message for one in jsonschema.Draft7Validator(json.loads(schema())).iter_errors(value)]


def test_the_schema_that_is_shipped_is_the_one_of_the_settings() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema(), "subdrift config schema > " + str(SCHEMA)
    jsonschema.Draft7Validator.check_schema(json.loads(schema()))


def test_the_schema_takes_what_is_taken() -> None:
    assert refusals(WHOLE) == []
    page = Path(__file__).parents[2] / "docs" / "configuration.md"
    assert refusals(page.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]) == []


SAID_WHERE_IT_IS_READ = (
    "both claim the address",
    "FORMAT=FILE",
    "`output` must be one of",
    "not valid TOML",
    "not a date",
)
"""What a schema cannot say: for editors a date is a text."""


@pytest.mark.parametrize(
    "text", [text for text, _, said in MISTAKES if not any(one in said for one in SAID_WHERE_IT_IS_READ)]
)
def test_the_schema_refuses_what_is_refused(text: str) -> None:
    assert refusals(text) != []
