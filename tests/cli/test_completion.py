"""Completion as the shells ask for it: in bash by the function it defines, in fish by its own command, zsh by what it runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


def shell(name: str, script: str, home: Path, **environment: str) -> str:
    """What a shell of that name prints; skips where there is none."""
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    given = {**os.environ, "PATH": path, "HOME": str(home), "TERM": "dumb", **environment}
    # the shell is found by its process, so it must still be there: hence the last command
    done = subprocess.run(
        (program, "-c", f"{script}\ntrue"),
        env=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.stderr == "", done.stderr
    return done.stdout


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for file in (".bashrc", ".zshrc"):
        (tmp_path / file).touch()
    return tmp_path


LINES = {
    ("subdrift", "unre"): {"unresolved"},
    ("subdrift", "check", "--new-from-m"): {"--new-from-merge-base"},
    ("subdrift", "check", "--output-format", "js"): {"json"},
    ("subdrift", "check", "--select", "divergent-t"): {"divergent-tags", "divergent-topics"},
    ("subdrift", "explain", "star-"): {"star-in-list"},
    ("subdrift", "predict", "--example", "O-004"): {"O-004a", "O-004b"},
    ("subdrift", "baseline", "pr"): {"prune"},
}


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_bash_completes(line: tuple[str, ...], home: Path) -> None:
    script = (
        "source <(subdrift --show-completion)\n"
        f"COMP_WORDS=({' '.join(line)}); COMP_CWORD={len(line) - 1}\n"
        "_subdrift_completion subdrift\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    assert set(shell("bash", script, home).split()) == LINES[line]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_fish_completes(line: tuple[str, ...], home: Path) -> None:
    script = f"subdrift --install-completion >/dev/null\ncomplete -C '{' '.join(line)}'"
    found = shell("fish", script, home).splitlines()
    assert {one.partition("\t")[0] for one in found} == LINES[line]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_zsh_is_told_what_completes(line: tuple[str, ...], home: Path) -> None:
    """The script zsh installs evaluates what this prints."""
    script = "autoload -Uz compinit; compinit -u; subdrift --install-completion >/dev/null; source ~/.zfunc/_subdrift"
    shell("zsh", script.replace("source", "zsh -n"), home)
    said = shell(
        "zsh", "subdrift", home, _SUBDRIFT_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS=" ".join(line)
    )
    assert said.startswith(("_arguments", "_files"))
    for one in LINES[line]:
        assert f'"{one}"' in said
