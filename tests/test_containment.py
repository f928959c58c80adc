"""A bug costs the deployable it is met in, and is shown with its place; the run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from subdrift.linter import cli
from subdrift.linter.model.message import phrase
from subdrift.linter.report.language import english
from subdrift.linter.resolve import consumers
from subdrift.linter.resolve.execute.guards import Overgrown
from subdrift.linter.resolve.programs.ways import Choosing
from subdrift.linter.stages import known

WORKER = """from rocketmq.client import PushConsumer
consumer = PushConsumer("{group}")
consumer.subscribe("{group}-topic", print, "a")
consumer.start()
"""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of two modules, of which working out `stock` fails."""
    for name in ("orders", "stock"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(f'[project]\nname = "{name}"\n', encoding="utf-8")
        (tmp_path / name / "worker.py").write_text(WORKER.format(group=name), encoding="utf-8")
    (tmp_path / ".subdrift.toml").touch()
    whole: Callable[..., Any] = consumers.consume

    def broken(world: Any, deployable: Any, *rest: Any) -> Any:
        if deployable.key.folder == "stock":
            raise KeyError("a bug")
        return whole(world, deployable, *rest)

    monkeypatch.setattr(known, "resolve_consumers", broken)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code and the standard output of a command."""
    code = cli.run([*arguments, "--no-cache", "-j", "1"])
    return code, capsys.readouterr().out


def test_a_bug_costs_its_deployable_and_the_run_goes_on(
    modules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = run(capsys, "check", str(modules), "--output-format", "json")
    assert code == 0
    (problem,) = (one for one in json.loads(told)["diagnostics"] if one["name"] == "internal-error")
    assert problem["path"] == "stock/worker.py"
    assert "`stock`" in problem["message"]
    assert "KeyError: 'a bug'" in problem["message"]
    _, listed = run(capsys, "list", str(modules), "--output-format", "jsonl")
    assert [json.loads(line)["group"] for line in listed.splitlines()] == ["orders"]


def test_a_bug_fails_a_strict_run(modules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", str(modules), "--strict")[0] == 1


@pytest.mark.parametrize(
    ("error", "reason"),
    [(KeyError("a bug"), "bug-met-here"), (Overgrown(), "more-alternatives-than-can-be-told-apart")],
)
def test_a_consumer_of_which_nothing_can_be_told_has_a_row(
    error: Exception,
    reason: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise error

    (tmp_path / "worker.py").write_text(WORKER.format(group="stock"), encoding="utf-8")
    monkeypatch.setattr(Choosing, "_choices", broken)
    _, listed = run(capsys, "list", str(tmp_path), "--output-format", "jsonl")
    (row,) = map(json.loads, listed.splitlines())
    assert (row["line"], row["group"], row["unresolved"]["group"]) == (3, None, "too-many")
    _, told = run(capsys, "check", str(tmp_path), "--output-format", "json")
    assert english().detail(phrase(reason)) in told
    assert ("internal-error" in told) == isinstance(error, KeyError)
