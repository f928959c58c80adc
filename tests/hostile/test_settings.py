"""Settings and scenarios that are deep, huge or of wrong types: one sentence with file and line, at once, and two."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from subdrift.linter.settings.mistake import MISTAKES_MAX as SHOWN_MAX
from tests.hostile.kit import bounded, listener, neighbours, run

TIMES = 12.0
"""A mistake may take so many runs over a small tree; it took minutes."""

SETTINGS = {
    "nested lists": "values = " + "[" * 100_000,
    "nested tables": "values = " + "{a = " * 50_000,
    "a number of 5,000 digits": "[assume]\nqueues = " + "9" * 5_000,
    "a key of 5,000 digits": '[values]\n"' + "9" * 5_000 + '" = 1979-05-27\n',
    "a key of 100,000 parts": "[values]\n" + ".".join(["a"] * 100_000) + " = 1\n",
    "a table of 50,000 parts": "[" + ".".join(["a"] * 50_000) + "]\n",
    "thousands of dotted keys": "[values]\n" + "".join(f"a.b.c.k{i} = 1979-05-27\n" for i in range(8_000)),
    "thousands of unknown keys": "".join(f"k{i} = 1\n" for i in range(20_000)),
    "thousands of clusters": "[clusters]\n"
    + "".join(f"c{i} = ['h{i}:1']\n" for i in range(9_000))
    + "z = ['h0:1']\n",
    "20 MB": "# " + "x" * 20_000_000,
    "a text without an end": 'repository = """' + '"" ' * 80_000,
    "a date that does not exist": "repository = 2020-02-30\n",
    "a NUL": "repository = 'a\0b'\n",
    "a wrong type": "repository = 3\n",
    "a list for a table": "values = []\n",
    "a table for a flag": "[strict]\nx = 1\n",
    "a long key": "x" * 200_000 + " = 1\n",
}


def each(names: Iterable[str], fast: Iterable[str]) -> list[ParameterSet]:
    """All names, those that are not fast for `make hostile` only."""
    return [pytest.param(name, marks=[pytest.mark.slow] * (name not in fast)) for name in names]


@pytest.mark.parametrize(
    "name", each(SETTINGS, ("nested lists", "thousands of unknown keys", "a key of 100,000 parts"))
)
def test_settings_that_cannot_be_used_are_a_sentence_with_a_place(name: str, tmp_path: Path) -> None:
    neighbours(tmp_path)
    (tmp_path / ".subdrift.toml").write_text(SETTINGS[name], encoding="utf-8")
    ran = run("check", tmp_path, "--no-cache")
    assert (ran.code, ran.out) == (2, "")
    assert re.match(r"subdrift: .*\.subdrift\.toml(:\d+)?: \S", ran.err), ran.err
    assert (
        ran.err.count("\n") <= 3 * SHOWN_MAX + 1
    )  # a sentence, a line and a caret for each, and the number of the others
    assert len(ran.err) < 3_000 + 300 * SHOWN_MAX
    bounded(ran, TIMES, lambda: run("check", tmp_path, "--no-cache"))


PYPROJECTS = (
    "tool = 3\n",
    "[tool]\nsubdrift = 3\n",
    "[tool]\nsubdrift = ['x']\n",
    "[[tool.subdrift]]\nstrict = true\n",
    "[tool.subdrift]\nstrict = 'yes'\n",
    "[tool.subdrift.values]\na = 1979-05-27\n",
    "[tool.subdrift]\nassume = 1\n",
    "[tool.subdrift.assume.groups]\ng = 1\n",
    "[tool.subdrift.clusters]\na = 1\n",
)


@pytest.mark.parametrize("text", each(PYPROJECTS, PYPROJECTS[:2]))
def test_a_wrong_type_in_pyproject_has_a_place(text: str, tmp_path: Path) -> None:
    neighbours(tmp_path)
    (tmp_path / "pyproject.toml").write_text("# subdrift\n" + text, encoding="utf-8")
    ran = run("check", tmp_path, "--no-cache")
    assert (ran.code, ran.out) == (2, "")
    assert re.match(r"subdrift: .*pyproject\.toml:[23]: \S", ran.err), ran.err


SCENARIOS = {
    "nested objects": '{"a":' * 100_000,
    "a number of 5,000 digits": '{"queues": ' + "9" * 5_000 + "}",
    "nested lists in TOML": "topics = " + "[" * 100_000,
    "20 MB": '{"a": "' + "x" * 20_000_000 + '"}',
    "thousands of unknown keys": "".join(f"k{i} = 1\n" for i in range(20_000)),
    "a long word": '{"topics": {"T": {"queues": "' + "x" * 500_000 + '"}}}',
    "a selector of 100,000 parentheses": '{"topics": {"T": 4}, "members": [{"name": "a", "subscriptions": '
    '[{"topic": "T", "type": "SQL92", "expression": "' + "(" * 100_000 + '"}]}]}',
    "not text": "\ufffe",
}


@pytest.mark.parametrize("name", each(SCENARIOS, ("nested objects", "not text")))
def test_a_scenario_that_cannot_be_used_is_said_with_its_place(name: str, tmp_path: Path) -> None:
    file = tmp_path / "scenario"
    file.write_text(SCENARIOS[name], encoding="utf-8")
    ran = run("predict", file)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"subdrift: {file}:"), ran.err
    assert len(ran.err) < 150_000
    bounded(ran, TIMES, lambda: run("predict", file))


LEADING_OUT = (
    "../out.json",
    "/tmp/out.json",
    ".git/hooks/pre-commit",
    "link/out.json",
    "sub/../../out.json",
    ".GIT/x",
)


@pytest.mark.parametrize("path", each(LEADING_OUT, LEADING_OUT[2:4]))
@pytest.mark.parametrize("key", ["output = ['json={}']", "cache-dir = '{}'"])
def test_a_repository_cannot_have_files_written_outside_of_it(key: str, path: str, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    neighbours(root)
    (tmp_path / "elsewhere").mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere")
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / ".subdrift.toml").write_text(key.format(path))
    before = sorted(tmp_path.rglob("*"))
    ran = run("check", root)
    assert ran.code == 2
    assert "must stay in the repository" in ran.err
    assert ".subdrift.toml:1: " in ran.err
    assert sorted(tmp_path.rglob("*")) == before


def test_settings_that_are_a_link_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    listener(root, "A", "a")
    secret = tmp_path / "secret"
    secret.write_text("password = 'hunter2'\n")
    (root / ".subdrift.toml").symlink_to(secret)
    ran = run("check", root, "--no-cache")
    assert ran.code == 2
    assert "is a symbolic link" in ran.err
    assert "hunter2" not in ran.all
    assert "password" not in ran.all
    (root / ".subdrift.toml").unlink()
    (root / "pyproject.toml").symlink_to(secret)
    assert run("check", root, "--no-cache").code == 0
