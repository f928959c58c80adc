"""The examples of docs/predict.md and its Chinese twin, run as they stand there."""

import re
from pathlib import Path

import pytest

from subdrift.linter.cli import run

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["predict.md", "predict.zh.md"])
def test_the_command_prints_what_the_page_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    files = re.findall(r"^`([\w.]+)`\n```\w+\n(.*?)^```$", page, re.M | re.S)
    assert [file for file, _ in files] == ["orders.toml", "seen.txt"]
    for file, text in files:
        (tmp_path / file).write_text(text, encoding="utf-8")
    ((command, expected),) = re.findall(r"^```console\n\$ subdrift ([^\n]*)\n(.*?)^```$", page, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert run(command.split()) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert expected in shown.out
