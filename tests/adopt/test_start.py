"""An installation its neighbours cannot break: a package that takes our name is refused in a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import linter
from tests import lowest

ROOT = Path(__file__).parents[2]


def start(
    *arguments: str, path: Path | None = None, variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    places = [str(path)] if path else []
    return subprocess.run(
        (sys.executable, *arguments),
        cwd=path or ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([*places, str(ROOT)])} | (variables or {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_module_is_the_command() -> None:
    ran = start("-m", "subdrift", "--version")
    assert (ran.returncode, ran.stdout) == (0, f"subdrift {linter.__version__}\n")


@pytest.mark.parametrize("name", ["linter", "rules"])
@pytest.mark.parametrize("content", [None, "raise SystemExit('executed')\n", ""])
def test_a_package_that_takes_our_name_is_refused(tmp_path: Path, name: str, content: str | None) -> None:
    folder = tmp_path / name
    folder.mkdir()
    if content is not None:
        (folder / "__init__.py").write_text(content)
    ran = start("-m", "subdrift", "check", path=tmp_path)
    if content is None and ran.returncode == 0:
        return  # a folder without __init__.py gives way to a package further down the path
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"subdrift: the package `{name}` at {folder} is not subdrift's own")
    assert ran.stderr.count("\n") == 1


def test_a_package_whose_files_were_overwritten_is_refused(tmp_path: Path) -> None:
    """`pip install rules` beside an installed subdrift writes into the same folder."""
    for name in ("linter", "rules"):
        (tmp_path / name).mkdir()
    (tmp_path / "linter" / "__init__.py").write_text((ROOT / "linter" / "__init__.py").read_text())
    (tmp_path / "rules" / "__init__.py").write_text('"""django rules"""\n')
    (tmp_path / "subdrift.py").write_text((ROOT / "subdrift.py").read_text())
    ran = start("-m", "subdrift", "check", path=tmp_path)
    assert (ran.returncode, "the package `rules`" in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    ("shell", "variables", "said"),
    [
        ("bash", {"COMP_WORDS": "subdrift ba", "COMP_CWORD": "1"}, "baseline"),
        ("bash", {"COMP_WORDS": "subdrift check --new", "COMP_CWORD": "2"}, "--new-from-merge-base"),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "subdrift lo"}, "lock"),
        ("fish", {"_TYPER_COMPLETE_ARGS": "subdrift lo", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "lock"),
    ],
)
def test_shells_complete_commands_and_options(shell: str, variables: dict[str, str], said: str) -> None:
    ran = start("-m", "subdrift", variables=variables | {"_SUBDRIFT_COMPLETE": f"complete_{shell}"})
    assert said in ran.stdout, ran.stderr


def test_the_lowest_release_of_each_dependency_can_be_named() -> None:
    assert lowest.lowest(["a-b>=1.2", "C>=3"]) == ["a-b==1.2", "C==3"]
    with pytest.raises(SystemExit):
        lowest.lowest(["a>=1,<2"])
