"""An installation that harms nobody: all of it lies under one import package."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from subdrift import linter
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


NEIGHBOURS = ("linter", "rules", "spark_jobs", "tests", "fixtures", "docs")
"""Import packages of other distributions: the names of this repository's folders."""


def wheel_of(name: str, folder: Path) -> Path:
    """The smallest distribution that has an import package of this name, with the file names of ours."""
    path = folder / f"{name}_neighbour-1.0-py3-none-any.whl"
    inside = f"{name}_neighbour-1.0.dist-info"
    content = {
        f"{name}/{each}.py": f"OWNER = {name!r}\n" for each in ("__init__", "settings", "divergent_tags")
    }
    content[f"{inside}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}-neighbour\nVersion: 1.0\n"
    content[f"{inside}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = f"{inside}/RECORD"
    content[record] = "".join(f"{each},,\n" for each in (*content, record))
    with zipfile.ZipFile(path, "w") as archive:
        for each, text in content.items():
            archive.writestr(each, text)
    return path


def files_of(site: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(site)): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and "subdrift" not in path.parts[len(site.parts)]
    }


def test_no_neighbour_is_touched_by_installing_and_uninstalling(tmp_path: Path) -> None:
    wheel = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(wheel, check=True, capture_output=True, timeout=300)
    (ours,) = tmp_path.glob("subdrift-*.whl")
    names = zipfile.ZipFile(ours).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"subdrift"}
    for path in ("linter/cli/app.py", "rules/docs/divergent-tags.zh.md", "spark_jobs/__main__.py"):
        assert f"subdrift/{path}" in names

    venv.create(tmp_path / "venv")
    python = str(tmp_path / "venv" / "bin" / "python")
    site = next((tmp_path / "venv" / "lib").glob("python*/site-packages"))
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "-q"]
    install = [*pip, "install", "--no-index", "--no-deps", "--no-compile"]
    subprocess.run(
        [*install, *(str(wheel_of(name, tmp_path)) for name in NEIGHBOURS)], check=True, timeout=300
    )
    before = files_of(site)
    subprocess.run([*install, str(ours)], check=True, timeout=300)
    assert {name: text for name, text in files_of(site).items() if not name.startswith("subdrift")} == before
    beside = [
        python,
        "-c",
        "import rules, importlib.util; print(rules.OWNER, importlib.util.find_spec('subdrift.rules').origin)",
    ]
    ran = subprocess.run(beside, capture_output=True, text=True, check=True, cwd=tmp_path, timeout=60)
    assert ran.stdout == f"rules {site / 'subdrift' / 'rules' / '__init__.py'}\n"
    subprocess.run([*pip, "uninstall", "--yes", "subdrift"], check=True, timeout=300)
    assert files_of(site) == before


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
