"""Mistakes on the command line and in what it names: exit 2, and a sentence in the language of the run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.adopt.scratch import Ran, subdrift

MISTAKES = (
    ("check --foo", "没有选项 --foo"),
    ("chek", "没有命令 `chek`"),
    ("check --jobs x", "必须是整数"),
    ("check --lang", "选项 --lang 需要一个值"),
    ("check --fail-on x", "`x` 不是 'error', 'warning', 'note', 'never' 之一"),
    ("rollout", "缺少参数 GROUP"),
    ("explain a b", "多余的参数（b）"),
    ("explain nope", "没有规则 'nope'"),
    ("check nowhere", "nowhere：没有这个文件或文件夹"),
    ("check . --baseline nowhere.json", "没有这个基线文件"),
    ("check . --since nowhere.json", "没有这个文件或文件夹"),
    ("check . --against nowhere.db", "用 `subdrift check --org DIR --registry-out FILE` 生成"),
    ("check . --config fail-onn=1", "`fail-onn` 不是配置项；是否想写 `fail-on`？"),
    ("check . --config strict=1", "`strict` 必须是 true 或 false，而不是数字"),
    ("check . --select nope", "没有规则 `nope`"),
    ("check . --org .", "PATH 与 --org DIR 只能给出一个"),
    ("check . --new-from HEAD", "不是 git 工作区"),
    ("check . --max-blind-spots many", "--max-blind-spots 的取值是一个数字或 `base`"),
    ("lock . --check", "没有 lock 文件"),
    ("rollout g T .", "请说明成员今后订阅什么"),
    ("rollout g T . --to A", "没有消费者组 'g'；找到的消费者组：无"),
    ("predict nowhere.toml", "没有这个文件或文件夹"),
)


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, command: str, lang: str) -> Ran:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SUBDRIFT_LANG", lang)
    return subdrift(*command.split())


@pytest.mark.parametrize(("command", "expected"), MISTAKES)
def test_a_mistake_is_told_in_chinese(
    command: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run(monkeypatch, tmp_path, command, "zh")
    assert ran.code == 2
    assert expected in ran.err
    assert not re.search(r"\b(is|not|the|must|give|there|Invalid|Try|Error)\b", ran.err), ran.err


@pytest.mark.parametrize("command", [command for command, _ in MISTAKES])
def test_the_same_mistake_is_told_in_english(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run(monkeypatch, tmp_path, command, "en")
    assert ran.code == 2
    assert ran.err.strip()
    assert not re.search(r"[\u4e00-\u9fff]|Value error", ran.err), ran.err


def test_the_configuration_chooses_the_language_of_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".subdrift.toml").write_text('lang = "zh"\n', encoding="utf-8")
    assert "没有规则" in run(monkeypatch, tmp_path, "check --select nope", "").err


def test_a_configuration_that_is_the_mistake_is_told_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".subdrift.toml").write_text('lang = "zh"\nstrict = 1\n', encoding="utf-8")
    assert "must be true or false" in run(monkeypatch, tmp_path, "check", "").err
