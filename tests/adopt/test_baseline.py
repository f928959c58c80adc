"""A baseline: what is written down does not count, what is edited does, and what is gone is named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.adopt.scratch import Scratch, subdrift


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a")
    scratch.listener("B", "b")
    scratch.listener("C", "x|y", group="other")
    scratch.write(".subdrift.toml", 'baseline = "old.json"\n')
    return scratch


def baseline(scratch: Scratch, command: str, *arguments: str) -> str:
    ran = subdrift("baseline", command, scratch.root, "--no-cache", *arguments)
    assert ran.err == "", ran.err
    return ran.out


def test_what_is_written_down_does_not_count(scratch: Scratch) -> None:
    assert baseline(scratch, "write").endswith("old.json: 2 entries\n")
    ran = subdrift("check", scratch.root, "--no-cache")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "Nothing new (2 in the baseline).")
    assert scratch.check("--baseline", str(scratch.root / "old.json")).rules == []


def test_a_baseline_has_no_lines_and_equal_findings_give_equal_bytes(scratch: Scratch) -> None:
    baseline(scratch, "write")
    first = (scratch.root / "old.json").read_bytes()
    assert b'"line"' not in first
    scratch.write("A.java", "\n\n\n" + (scratch.root / "A.java").read_text())
    assert scratch.check().code == 0
    baseline(scratch, "write")
    assert (scratch.root / "old.json").read_bytes() == first
    rows = json.loads(first)["findings"]
    assert [row["rule"] for row in rows] == ["divergent-tags", "wrong-tag-separator"]


def test_an_edited_disagreement_is_new(scratch: Scratch) -> None:
    baseline(scratch, "write")
    scratch.listener("B", "c")
    ran = subdrift("check", scratch.root, "--no-cache")
    assert ran.code == 1
    assert "1 new error (1 in the baseline)" in ran.out
    assert "1 entry of the baseline no longer occurs" in ran.err
    assert "divergent-tags group g topic T" in ran.err


def test_entries_that_no_longer_occur_are_an_error_until_they_are_pruned(scratch: Scratch) -> None:
    baseline(scratch, "write")
    assert subdrift("baseline", "check", scratch.root, "--no-cache").code == 0
    scratch.listener("B", "a")
    scratch.listener("D", "other|thing", group="other")
    ran = subdrift("baseline", "check", scratch.root, "--no-cache")
    assert (ran.code, "divergent-tags group g topic T" in ran.out) == (1, True)
    assert baseline(scratch, "prune").endswith("1 entry removed, 1 left\n")
    assert scratch.check().rules == ["divergent-tags", "wrong-tag-separator"]


def test_diagnostics_are_kept_with_strict_only(scratch: Scratch) -> None:
    scratch.listener("E", "${nowhere.tags}", group="third")
    baseline(scratch, "write")
    assert scratch.check("--strict").code == 1
    baseline(scratch, "write", "--strict")
    assert scratch.check("--strict").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "subdrift baseline write"),
        ("{", "old.json:1: is not valid JSON"),
        ("{}", "not a baseline of this version"),
        ('{"schema_version": 1, "findings": [{"rule": 1}]}', "entry 1: `rule` must be a text"),
        ('{"schema_version": 1, "findings": [{"line": 1}]}', "entry 1: `line` is not a key"),
        ('{"schema_version": 1, "findings": [{"rule": "x"}]}', "entry 1: `level` is missing"),
        ('{"schema_version": 1, "findings": {}}', "must be a list"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_said(scratch: Scratch, text: str | None, said: str) -> None:
    if text is not None:
        scratch.write("old.json", text)
    ran = scratch.check()
    assert ran.code == 2
    assert said in ran.err


def test_a_baseline_and_a_base_are_counted_apart(scratch: Scratch) -> None:
    scratch.commit()
    baseline(scratch, "write")
    scratch.listener("F", "p", group="late")
    scratch.listener("G", "q", group="late")
    scratch.commit()
    scratch.listener("H", "p", group="last")
    scratch.listener("I", "q", group="last")
    ran = subdrift("check", scratch.root, "--no-cache", "--new-from", "HEAD")
    assert ran.code == 1
    assert "(1 old, 2 in the baseline)" in ran.out


def test_after_a_baseline_is_written_the_configuration_goes_by_it(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a")
    scratch.listener("B", "b")
    assert scratch.check().code == 1
    out = baseline(scratch, "write")
    assert out.endswith(
        "so that `check` and the hook use it; commit it with "
        + _named(scratch, ".subdrift-baseline.json")
        + "\n"
    )
    assert (scratch.root / ".subdrift.toml").read_text() == 'baseline = ".subdrift-baseline.json"\n'
    assert scratch.check().code == 0
    assert baseline(scratch, "write").count("\n") == 1


def _named(scratch: Scratch, name: str) -> str:
    return os.path.relpath(scratch.root / name)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (".subdrift.toml", "#:schema x\n\n[values]\na = 'b'\n", "#:schema x\n{}\n\n[values]\na = 'b'\n"),
        (".subdrift.toml", "strict = true\r\n", "{}\r\nstrict = true\r\n"),
        (
            "pyproject.toml",
            "[a]\n[tool.subdrift]\nstrict = true\n",
            "[a]\n[tool.subdrift]\n{}\nstrict = true\n",
        ),
    ],
)
def test_the_line_stands_before_every_table(name: str, before: str, after: str, tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a")
    scratch.listener("B", "b")
    (scratch.root / name).write_bytes(before.encode())
    baseline(scratch, "write")
    assert (scratch.root / name).read_bytes() == after.format('baseline = ".subdrift-baseline.json"').encode()
    assert scratch.check().code == 0


def test_a_configuration_without_a_sure_place_is_left_alone(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a")
    scratch.write("pyproject.toml", "[tool]\nsubdrift = {strict = true}\n")
    assert "this line at the top of .subdrift.toml" in baseline(scratch, "write")
    assert (scratch.root / "pyproject.toml").read_text() == "[tool]\nsubdrift = {strict = true}\n"


def test_a_diagnostic_is_not_new_beside_a_baseline_that_holds_none(tmp_path: Path) -> None:
    work = Scratch(tmp_path / "work")
    work.write("A.java", work.listener("A", "a").read_text().replace('topic = "T"', "topic = Names.TOPIC"))
    assert subdrift("baseline", "write", work.root).code == 0
    said = subdrift("check", work.root).out
    assert "1 diagnostic" in said
    assert "new" not in said
