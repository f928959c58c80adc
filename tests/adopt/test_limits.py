"""What a run reports and what it must have seen: selection, entries of `[[ignore]]`, expectations, editors."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.adopt.scratch import LISTENER, Scratch, subdrift


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a")
    scratch.listener("B", "b")
    scratch.listener("C", "x|y", group="other")
    return scratch


def test_rules_are_selected_and_left_out_by_name(scratch: Scratch) -> None:
    assert scratch.check("--select", "divergent-tags").rules == ["divergent-tags"]
    assert scratch.check("--ignore", "divergent-tags").rules == ["wrong-tag-separator"]
    assert scratch.check("--select", "divergent-tags", "--ignore", "divergent-tags").code == 0
    scratch.write(".subdrift.toml", 'select = ["wrong-tag-separator"]\n')
    assert scratch.check().rules == ["wrong-tag-separator"]
    assert scratch.check("--select", "divergent-tags").rules == ["divergent-tags"]


def test_what_is_not_selected_is_counted_and_never_called_consistent(scratch: Scratch) -> None:
    for arguments, count in (
        (("--select", "star-in-list"), 2),
        (("--ignore", "divergent-tags", "--ignore", "wrong-tag-separator"), 2),
        (("--select", "divergent-tags", "--ignore", "divergent-tags"), 2),
    ):
        ran = subdrift("check", scratch.root, "--no-cache", *arguments)
        said = f"Nothing to report here ({count} of rules not selected).\n"
        assert (ran.code, ran.out) == (0, said)
    ran = subdrift(
        "check", scratch.root, "--no-cache", "--ignore", "divergent-tags", "--output-format", "concise"
    )
    assert ran.out.splitlines()[-1] == "1 error (1 of rules not selected)"


def test_a_rule_that_does_not_exist_is_refused_with_the_one_that_was_meant(scratch: Scratch) -> None:
    ran = scratch.check("--ignore", "divergent-tag")
    assert (ran.code, "did you mean `divergent-tags`?" in ran.err) == (2, True)
    scratch.write(".subdrift.toml", '\n[[ignore]]\nrule = "divergent-tgs"\nreason = "x"\n')
    ran = scratch.check()
    assert ran.code == 2
    assert ".subdrift.toml:3: `ignore.rule` names `divergent-tgs`, which is not a rule" in ran.err


ENTRY = '[[ignore]]\nrule = "divergent-tags"\nreason = "moving"\n'


@pytest.mark.parametrize(
    ("more", "silent"),
    [
        ("", True),
        ('group = "g"\ntopic = "T"\n', True),
        ('group = "h"\n', False),
        ('path = "."\n', False),
        ('path = "*.java"\n', True),
        ('path = "A.java"\n', False),
        ("until = 2999-01-31\n", True),
        ("until = 2020-01-31\n", False),
    ],
)
def test_an_entry_silences_what_it_names_while_it_holds(scratch: Scratch, more: str, silent: bool) -> None:
    scratch.write(".subdrift.toml", ENTRY + more)
    ran = scratch.check("--ignore", "wrong-tag-separator")
    if "A.java" in more:
        assert ran.rules == []  # both sides lie in one repository, and one of them is spoken for
        return
    assert (ran.rules == []) is silent
    assert ran.json["summary"]["suppressed"] == int(silent)


def test_an_entry_whose_day_has_passed_or_that_ignores_nothing_is_named(scratch: Scratch) -> None:
    scratch.write(
        ".subdrift.toml", ENTRY + "until = 2020-01-31\n" + ENTRY.replace("divergent-tags", "divergent-sql")
    )
    said = {one["name"]: one for one in scratch.check().json["diagnostics"]}
    assert said["expired-ignore"]["line"] == 1
    assert "ended on 2020-01-31" in said["expired-ignore"]["message"]
    assert said["unused-suppression"]["line"] == 5
    assert said["unused-suppression"]["path"] == ".subdrift.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('rule = "divergent-tags"\n', "must say `reason`"),
        ('reason = "x"\n', "must say `rule`"),
        (ENTRY[11:] + 'until = "2027-01-31"\n', "must be a day such as 2027-01-31"),
        (ENTRY[11:] + "unitl = 2027-01-31\n", "did you mean `until`?\n  unitl = 2027-01-31\n  ^^^^^"),
    ],
)
def test_a_wrong_entry_is_told_with_its_line(scratch: Scratch, text: str, said: str) -> None:
    scratch.write(".subdrift.toml", "[[ignore]]\n" + text)
    ran = scratch.check()
    assert (ran.code, said in ran.err) == (2, True), ran.err


def test_a_run_that_saw_too_little_is_red(scratch: Scratch) -> None:
    assert scratch.check("--expect-consumers", "3", "--fail-on", "never").code == 0
    ran = scratch.check("--expect-consumers", "4", "--fail-on", "never")
    assert (ran.code, "3 consumers found, at least 4 expected" in ran.err) == (1, True)
    assert scratch.check("--expect-consumers", "4", "--exit-zero").code == 0
    scratch.write(".subdrift.toml", "expect-consumers = 5\n")
    assert "at least 5 expected" in scratch.check().err


def test_blind_spots_have_a_limit_or_may_not_grow(scratch: Scratch) -> None:
    scratch.listener("D", "${nowhere}", group="third")
    scratch.commit()
    never = ("--fail-on", "never", "--new-from", "HEAD")
    assert scratch.check("--max-blind-spots", "1", *never).code == 0
    assert scratch.check("--max-blind-spots", "0", *never).code == 1
    assert scratch.check("--max-blind-spots", "base", *never).code == 0
    scratch.listener("E", "${not.there}", group="third")
    ran = scratch.check("--max-blind-spots", "base", *never)
    assert (ran.code, "2 blind spots, 1 in HEAD" in ran.err) == (1, True)
    scratch.commit()
    scratch.write("broken.py", "from rocketmq.client import PushConsumer\nPushConsumer('g'\n")
    assert "3 blind spots, 2 in HEAD" in scratch.check("--max-blind-spots", "base", *never).err
    old = str(scratch.root / "old.json")
    assert subdrift("baseline", "write", scratch.root, "--strict", "--baseline", old).code == 0
    scratch.commit()
    known = ("--baseline", old, *never)
    assert "3 blind spots, at most 2" in scratch.check("--max-blind-spots", "2", *known).err
    assert scratch.check("--max-blind-spots", "base", *known).code == 0  # known ones count on both sides
    assert scratch.check("--max-blind-spots", "base").code == 2
    assert scratch.check("--max-blind-spots", "few").code == 2


def test_quiet_prints_findings_and_nothing_else(scratch: Scratch) -> None:
    ran = subdrift("check", scratch.root, "--no-cache", "--quiet", "--output-format", "concise")
    assert len(ran.out.splitlines()) == 2
    ran = subdrift(
        "check",
        scratch.root,
        "--no-cache",
        "-q",
        "--ignore",
        "divergent-tags",
        "--ignore",
        "wrong-tag-separator",
    )
    assert (ran.out, ran.err) == ("", "")


def test_an_editor_asks_about_a_file_it_has_not_written(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch.listener("B", "a")

    def ask(file: Path, text: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return subdrift("check", "--stdin-filename", file, "--output-format", "json", "--no-cache").rules

    other = LISTENER.format(name="B", group="g", topic="T", tags="other")
    assert ask(scratch.root / "B.java", other) == ["divergent-tags"]
    assert ask(scratch.root / "B.java", (scratch.root / "B.java").read_text()) == []
    fresh = LISTENER.format(name="New", group="g", topic="T", tags="fresh")
    assert ask(scratch.root / "New.java", fresh) == ["divergent-tags"]
    assert subdrift("check", scratch.root, "--stdin-filename", "x.java").code == 2


def test_findings_outside_the_given_path_are_counted(scratch: Scratch) -> None:
    scratch.listener("D", "a", group="calm", folder="deep/")
    ran = subdrift("check", scratch.root / "deep", "--no-cache")
    assert ran.code == 0
    assert "2 outside the given paths" in ran.out
    assert "consistent" not in ran.out
