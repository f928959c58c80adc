"""The quick parser and typer agree: same options, same choices, same result for the same command line."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from subdrift.linter.cli import app, commands, quick
from subdrift.linter.cli.interface.parameters import CHOICES
from subdrift.linter.cli.options import Options


def parameters(command: str) -> dict[str, Any]:
    """Every spelling of a command's options, as typer knows them, with the parameter."""
    group: Any = typer.main.get_command(app.app)
    return {
        spelling: parameter
        for parameter in group.commands[command].params
        if parameter.param_type_name == "option"
        for spelling in (*parameter.opts, *parameter.secondary_opts)
        if parameter.name != "help"
    }


@pytest.mark.parametrize("command", quick.FORMATS_OF)
def test_both_know_the_same_options(command: str) -> None:
    known = {name: field for name, (field, _) in quick.FLAGS.items()} | quick.VALUES
    expected = {name for name, field in known.items() if quick.takes(command, field)}
    found = parameters(command)
    assert set(found) == expected
    assert {name: found[name].name for name in found} == {name: known[name] for name in expected}
    repeatable = {field for field in quick.REPEATABLE if quick.takes(command, field)}
    assert {found[name].name for name in found if found[name].multiple} == repeatable
    assert {name for name in found if found[name].is_flag} == set(quick.FLAGS) & expected


def test_typer_shows_the_choices_everything_goes_by() -> None:
    for shown, known in CHOICES:
        assert tuple(one.value for one in shown) == known


LINES = [
    ["check"],
    ["check", "a", "b c"],
    ["check", "--org", "dir", "--fail-on=note", "--output-format", "sarif"],
    ["check", "--output", "json=a", "--output", "sarif=b", "--exit-zero", "--strict", "--timings"],
    ["check", "--no-strict", "--untracked", "--no-cache", "--isolated", "--show-suppressed"],
    ["check", "--config", "a = 1", "--config=b.toml", "--cache-dir", "x", "-j", "3", "--color", "never"],
    ["check", "--jobs=0", "--no-untracked", "x", "--fail-on", "never"],
    ["list", "a", "--output-format", "jsonl", "--org", "x"],
    ["list", "--color=always", "--no-cache", "--disabled"],
    ["unresolved", "--output-format=json", "p"],
]


@pytest.mark.parametrize("line", LINES)
def test_both_parse_alike(line: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[str, Options]] = []

    def run(command: str, options: Options) -> int:
        taken.append((command, options))
        return 0

    monkeypatch.setattr(commands, "run", run)
    assert app.dispatch(line) == 0
    quickly = quick.parse(line)
    assert quickly is not None
    ((command, options),) = taken
    if command != "check" and not quickly[1].output_format:
        options = options._replace(output_format="")
    assert (command, options) == quickly


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["--help"],
        ["explain", "x"],
        ["check", "--help"],
        ["check", "--nope"],
        ["check", "--"],
        ["check", "-"],
        ["check", "-j3"],
        ["check", "--jobs", "-1"],
        ["check", "--jobs"],
        ["check", "--fail-on", "fatal"],
        ["check", "--output-format", "jsonl"],
        ["check", "--strict=yes"],
        ["list", "--strict"],
        ["list", "--fail-on", "error"],
        ["list", "--output-format", "sarif"],
    ],
)
def test_whatever_is_in_doubt_is_left_to_typer(line: list[str]) -> None:
    assert quick.parse(line) is None
