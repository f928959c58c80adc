"""The help in Chinese: complete, shown when it is asked for, and no wider than the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from subdrift.linter import cli
from subdrift.linter.cli.app import app
from subdrift.linter.cli.interface.sections import SECTIONS
from subdrift.linter.report.language.help_zh import HELP
from subdrift.linter.report.terminal import cells


def texts(command: Any) -> Iterator[str]:
    yield from (text for text in (command.help, command.short_help) if text)
    yield from (text for one in command.params if (text := getattr(one, "help", None)))
    for one in getattr(command, "commands", {}).values():
        yield from texts(one)


def test_every_help_text_has_its_chinese_and_no_other_is_kept() -> None:
    found = {*texts(typer.main.get_command(app)), "Show this message and exit."}
    assert found == set(HELP)


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("check", "-h"), ("baseline",), ("rollout", "-h"), ("scan", "--help", "--lang", "zh")],
)
def test_help_is_chinese_where_that_is_asked_for(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    if "--lang" not in arguments:
        monkeypatch.setenv("SUBDRIFT_LANG", "zh")
    cli.run(list(arguments))
    printed = capsys.readouterr()
    said = printed.out + printed.err
    assert "-h, --help" in said
    assert "显示本帮助并退出。" in said
    assert said.startswith("用法：subdrift ")
    assert "\n选项：\n" in said
    assert not re.search(r"Usage|Options|Arguments|Commands|\[default|\[required|COMMAND|pre-\n", said)
    assert max(map(cells, said.splitlines())) <= 100


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("command", ["check", "list", "rollout", "explain", "predict"])
def test_arguments_are_shown_by_their_names(
    command: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.run([command, "--help", "--lang", lang])
    assert not re.search(r"<(list|str)", capsys.readouterr().out)


def test_help_is_english_otherwise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SUBDRIFT_LANG", raising=False)
    cli.run(["check", "--help"])
    assert "Show this message and exit." in capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_help_of_check_fits_a_screen_and_all_of_it_is_a_word_away(
    lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.run(["check", "--help", "--lang", lang]) == 0
    brief = capsys.readouterr().out
    assert len(brief.splitlines()) <= 40
    assert "check --help-all" in brief
    assert "--timings" not in brief
    assert cli.run(["check", "--help-all", "--lang", lang]) == 0
    whole = capsys.readouterr().out
    check: Any = typer.main.get_command(app)
    spelled = {one.opts[-1] for one in check.commands["check"].params if one.param_type_name == "option"}
    assert {one for one in spelled if one not in whole} == set()
    assert spelled > set(re.findall(r"^  (--[a-z-]+)", brief, re.M)) | {"--fix"}
    placed = {name for _, names in SECTIONS for name in names}
    assert placed == {one.name for one in check.commands["check"].params} - {"paths"}
