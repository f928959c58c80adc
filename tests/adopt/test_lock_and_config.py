"""The lock file shows every change of a subscription in words; `config` shows what holds and where it comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from subdrift.linter import settings
from subdrift.linter.cli import config
from subdrift.linter.store.lock import HEAD, Row, changes, read, render
from tests.adopt.scratch import Scratch, subdrift
from tests.words import en


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "PAID || REFUNDED", group="order-cg", topic="ORDER")
    return scratch


def lock(scratch: Scratch, *arguments: str) -> tuple[int, str]:
    ran = subdrift("lock", scratch.root, "--no-cache", *arguments)
    return ran.code, ran.out + ran.err


def test_a_lock_holds_no_line_and_no_path_of_a_file(scratch: Scratch) -> None:
    assert lock(scratch)[0] == 0
    file = scratch.root / "subscriptions.lock"
    before = file.read_text()
    assert before.startswith(
        HEAD + "order-cg\tORDER\tTAG PAID || REFUNDED\tCLUSTERING\t.\tdefault\n# digest "
    )
    text = "\n\n" + (scratch.root / "A.java").read_text()
    (scratch.root / "A.java").unlink()
    scratch.write("deep/A.java", text)
    assert lock(scratch, "--check")[0] == 0
    lock(scratch)
    assert file.read_text() == before


def test_a_lock_that_is_out_of_date_is_told_in_words(scratch: Scratch) -> None:
    lock(scratch)
    before = (scratch.root / "subscriptions.lock").read_text()
    scratch.listener("A", "PAID || SHIPPED", group="order-cg", topic="ORDER")
    code, said = lock(scratch, "--check")
    assert code == 1
    assert "`order-cg` will no longer receive REFUNDED of ORDER; deployed instances still do" in said
    assert "`order-cg` will also receive SHIPPED of ORDER" in said
    assert (scratch.root / "subscriptions.lock").read_text() == before


def test_a_lock_or_baseline_that_was_edited_says_so(scratch: Scratch) -> None:
    for number in (1, 2):
        scratch.listener(f"B{number}", "a", group="more", topic=f"T{number}")
    scratch.listener("C", "x || y", group="odd", topic="T")
    scratch.listener("D", "y", group="odd", topic="T")
    lock(scratch)
    file = scratch.root / "subscriptions.lock"
    written = file.read_text()
    said = "was changed since subdrift wrote it"
    assert said not in lock(scratch, "--check")[1]
    lines = written.splitlines(keepends=True)
    for edited in (
        written.replace("T1", "T9"),
        "".join(lines[:2] + lines[3:]),
        "".join([*lines[:3], *lines[2:]]),
    ):
        file.write_text(edited)
        code, told = lock(scratch, "--check")
        assert (code, said in told) == (1, True)
    file.write_text(written.replace("\n", "\r\n"))
    code, told = lock(scratch, "--check")
    assert (code, said in told) == (0, False)
    file.write_text("".join(lines[:-1]))  # of a version that wrote no digest
    assert lock(scratch, "--check")[0] == 0

    baseline = scratch.root / "b.json"
    assert subdrift("baseline", "write", scratch.root, "--no-cache", "--baseline", baseline).code == 0
    kept = baseline.read_text()
    for edited in (kept.replace('"error"', '"note"'), kept.replace('"group": "odd"', '"group": "other"')):
        assert edited != kept
        for text, is_said in ((kept, False), (edited, True)):
            baseline.write_text(text)
            for command in (("check",), ("baseline", "check")):
                ran = subdrift(*command, scratch.root, "--no-cache", "--baseline", baseline)
                assert (said in ran.err) == is_said
    baseline.write_text(json.dumps(json.loads(kept), indent=8))  # laid out by another tool
    assert said not in subdrift("check", scratch.root, "--no-cache", "--baseline", baseline).err


def row(topic: str = "T", filter_: str = "TAG a", model: str = "CLUSTERING", deployable: str = ".") -> Row:
    return Row("g", topic, filter_, model, deployable, "default")


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ([], [row()], "`g` will subscribe to T (`TAG a`)"),
        ([row()], [], "`g` will no longer subscribe to T (`TAG a`); deployed instances still do"),
        ([row()], [row(filter_="SQL92 a = 1")], "will filter T by `SQL92 a = 1` instead of `TAG a`"),
        ([row()], [row(filter_="TAG *")], "will filter T by `TAG *` instead of `TAG a`"),
        ([row(filter_="TAG a||b")], [row(filter_="TAG b || a")], "writes the same tags of T differently"),
        ([row()], [row(model="BROADCASTING")], "will read T BROADCASTING instead of CLUSTERING"),
        (
            [row(deployable="x")],
            [row(deployable="x", filter_="TAG b")],
            "`g` in x will no longer receive a of T",
        ),
        ([], [row(topic="-", filter_="-")], "`g` now has no subscription at all"),
        ([row()], [row(filter_="?undefined mq.tags")], "instead of `TAG a`"),
    ],
)
def test_each_kind_of_change_has_its_words(before: list[Row], now: list[Row], said: str) -> None:
    assert said in "\n".join(map(en, changes(before, now)))


def under(environments: str, filter_: str = "TAG a", topic: str = "T", group: str = "g") -> Row:
    return Row(group, topic, filter_, "CLUSTERING", ".", environments)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ([under("default,test")], [under("default")], []),
        ([under("default")], [under("default"), under("stage")], []),
        (
            [under("default,test")],
            [under("default,test", "TAG b")],
            ["`g` will no longer receive a", "`g` will also"],
        ),
        (
            [under("default"), under("test", "TAG a || z")],
            [under("default")],
            ["`g` (test) will no longer receive z of T"],
        ),
        (
            [under("default")],
            [under("default"), under("stage", topic="S")],
            [
                "`g` (stage) will subscribe to S (`TAG a`)",
                "`g` (stage) will no longer subscribe to T (`TAG a`)",
            ],
        ),
        (
            [under("default,prod,test")],
            [under("default"), under("prod,test", "TAG a || b")],
            ["`g` (prod and test) will also receive b of T"],
        ),
        ([under("default,test")], [], ["`g` will no longer subscribe to T"]),
    ],
)
def test_each_environment_is_compared_by_itself(before: list[Row], now: list[Row], said: list[str]) -> None:
    found = list(map(en, changes(before, now)))
    assert len(found) == len(said)
    assert all(one.startswith(begin) for one, begin in zip(found, said, strict=True)), found


def test_a_change_of_environments_alone_is_told(scratch: Scratch) -> None:
    lock(scratch)
    file = scratch.root / "subscriptions.lock"
    file.write_text(file.read_text().replace("\tdefault", "\tdefault,gone"))
    code, said = lock(scratch, "--check")
    assert (code, "The environments that are listed have changed" in said) == (1, True)
    code, said = lock(scratch, "--check", "--lang", "zh")
    assert (code, "列出的环境有变化" in said) == (1, True)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)


@hypothesis_settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a busy machine is not a fault
@given(st.lists(st.builds(Row, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS), max_size=5))
def test_any_text_survives_a_lock_file(tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    rows = sorted({one for one in rows if not one.line.startswith("#")})
    file = tmp_path_factory.getbasetemp() / "any.lock"
    file.write_text(render(rows), encoding="utf-8", newline="\n")
    assert list(read(str(file))) == rows


def test_a_lock_that_cannot_be_read_is_said(scratch: Scratch) -> None:
    assert lock(scratch, "--check")[0] == 2
    scratch.write("subscriptions.lock", "# x\n<<<<<<< HEAD\n")
    code, said = lock(scratch, "--check")
    assert (code, "subscriptions.lock:2: has 1 fields, not 6" in said) == (2, True)


def test_tests_and_what_is_switched_off_are_not_locked(scratch: Scratch) -> None:
    scratch.listener("T", "x", group="test-cg", folder="src/test/java/")
    lock(scratch)
    assert "test-cg" not in (scratch.root / "subscriptions.lock").read_text()


# -- config ---------------------------------------------------------------------------------------------------------


def test_every_setting_is_shown_with_its_place(scratch: Scratch) -> None:
    scratch.write(
        ".subdrift.toml",
        'strict = true\nexclude = ["x/"]\n\n[values]\n"a.b" = "c"\n\n[profiles.prod.values]\nd = 1\n\n'
        '[clusters]\neast = ["a:1"]\n\n[assume.groups.g]\ninstances = 2\n\n[assume.topics.T]\nqueues = 16\n\n'
        '[[ignore]]\nrule = "divergent-tags"\nreason = "later"\nuntil = 2030-01-01\n'
        '[[ignore]]\nrule = "divergent-sql"\nreason = "old"\n',
    )
    out = subdrift("config", "show", scratch.root, "--config", "fail-on = 'note'").out
    found = {line.partition("  # ")[0].rstrip(): line.rpartition("# ")[2] for line in out.splitlines()}
    assert found["strict = true"].endswith(".subdrift.toml:1")
    assert found['values."a.b" = "c"'].endswith(".subdrift.toml:5")
    assert found['fail-on = "note"'] == "--config \"fail-on = 'note'\""
    assert found['output-format = "text"'] == "default"
    assert found['assume.groups."g".instances = 2'].endswith(".subdrift.toml:13")
    assert found['assume.topics."T".queues = 16']
    assert found['ignore: rule = "divergent-tags", reason = "later", until = 2030-01-01'].endswith(":19")
    assert found['ignore: rule = "divergent-sql", reason = "old"'].endswith(".subdrift.toml:23")
    assert found['profiles."prod".values."d" = "1"'].endswith(".subdrift.toml:8")
    assert found['clusters."east" = ["a:1"]']


def test_no_key_is_left_out() -> None:
    assert set(config._SHOWN) == set(settings.keys())


def test_a_configuration_is_checked_without_a_run(scratch: Scratch) -> None:
    assert "no configuration file" in subdrift("config", "check", scratch.root).out
    scratch.write(".subdrift.toml", "strict = true\n")
    assert subdrift("config", "check", scratch.root).out.endswith(".subdrift.toml: 1 setting, no mistake\n")
    scratch.write(".subdrift.toml", "stict = true\n")
    ran = subdrift("config", "check", scratch.root)
    assert (ran.code, "did you mean `strict`?" in ran.err) == (2, True)
    scratch.write(".subdrift.toml", '[[ignore]]\nrule = "nope"\nreason = "x"\n')
    assert subdrift("config", "check", scratch.root).code == 2


def test_an_answer_of_an_option_is_told_from_those_of_the_file(scratch: Scratch) -> None:
    scratch.write(".subdrift.toml", '[values]\na = "x"\nb = "y"\n')
    given = 'values.b = "z"'
    first, second, *_ = subdrift("config", "show", scratch.root, "--config", given).out.splitlines()
    assert first.startswith('values."a" = "x"')
    assert first.endswith(".subdrift.toml:2")
    assert second.startswith('values."b" = "z"')
    assert second.endswith(f"# --config {given!r}")


MISTAKES = {
    'fail-onn = "error"': ("1: `fail-onn` is not a setting; did you mean `fail-on`?", "^^^^^^^^"),
    'fail-on = "warn"': (
        '1: `fail-on` must be one of error, warning, note, never, not "warn"; did you mean `warning`?',
        "          ^^^^^^",
    ),
    'select = ["star-in-list", "divergent-tag"]': (
        "1: `select` names `divergent-tag`, which is not a rule; did you mean `divergent-tags`?",
        "                          ^^^^^^^^^^^^^^^",
    ),
    '[[ignore]]\nrule = "star-in-list"\nreason = "x"\n[[ignore]]\nreason = "x"\nrule = "star-in-lists"': (
        "6: `ignore.rule` names `star-in-lists`, which is not a rule; did you mean `star-in-list`?",
        "       ^^^^^^^^^^^^^^^",
    ),
    '[[ignore]]\nrule = "star-in-list"': ("1: `ignore` must say `reason`", "  ^^^^^^"),
    'x = "订单" y': (
        "1: is not valid TOML: Expected newline or end of document after a statement",
        "           ^",
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_shown_with_its_line_and_marked(text: str, scratch: Scratch) -> None:
    scratch.write(".subdrift.toml", text + "\n")
    for command in ("config", "check"), ("check",):
        ran = subdrift(*command, scratch.root)
        message, _, marks = ran.err.splitlines()
        said, below = MISTAKES[text]
        assert ran.code == 2
        assert message.endswith(f".subdrift.toml:{said}")
        assert marks == "  " + below
