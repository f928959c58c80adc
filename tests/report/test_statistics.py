"""`--statistics`: how often each rule was told."""

from __future__ import annotations

from pathlib import Path

from tests.adopt.scratch import Scratch, subdrift


def test_rules_are_counted_the_most_frequent_first(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a|b", group="f")
    scratch.listener("B", "b|c", group="g")
    scratch.listener("C", "a", group="h")
    scratch.listener("D", "b", group="h")
    ran = subdrift("check", scratch.root, "--no-cache", "--statistics")
    first, second, _, last = ran.out.splitlines()
    assert first.split()[:3] == ["2", "error", "wrong-tag-separator"]
    assert second.split()[:3] == ["1", "error", "divergent-tags"]
    assert last.startswith("3 errors")
    assert ran.code == 1


def test_a_table_is_no_machine_s_format(tmp_path: Path) -> None:
    ran = subdrift("check", tmp_path, "--statistics", "--output-format", "json")
    assert (ran.code, "without --output-format json" in ran.err) == (2, True)
