"""The real pre-commit installs this project from a git repository, refuses a disagreement, and lets the rest pass."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS_MAX = 600
"""For installing the hook's environment from the package index."""
LAZILY = {"PIP_COMPILE": "0"}
"""What is installed for a test is compiled when it is imported: most of it never is."""

TREE = (
    "subdrift",
    "linter",
    "rules",
    "spark_jobs",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
)

LISTENER = """\
from rocketmq.client import PushConsumer

consumer = PushConsumer("order-cg")
consumer.subscribe("ORDER", print, "{tags}")
consumer.start()
"""


def copy_tree(source: Path, target: Path) -> None:
    """A folder as git has it: with its links, without what Python leaves."""
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))


class Scratch:
    """A repository that uses the hook, and the home of pre-commit."""

    def __init__(self, folder: Path, hook: Path) -> None:
        self.folder = folder
        self.home = folder.parent / "home"
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))
        } | {
            **LAZILY,
            "PRE_COMMIT_HOME": str(self.home),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@b",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@b",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        self.environment.pop("PYTHONPATH", None)
        self.run("git", "init", "-q", cwd=hook)
        self.run("git", "add", "--all", cwd=hook)
        self.run("git", "commit", "-q", "-m", "the project", cwd=hook)
        head = self.run("git", "rev-parse", "HEAD", cwd=hook).stdout.strip()
        folder.mkdir()
        self.run("git", "init", "-q")
        self.write(
            ".pre-commit-config.yaml",
            f"repos:\n  - repo: {hook}\n    rev: {head}\n    hooks:\n      - id: subdrift\n"
            "        args: [--fail-on, warning]\n",  # four programs in one module are demos: a warning
        )
        self.run("pre-commit", "install", "--install-hooks")

    def run(
        self, *command: str, cwd: Path | None = None, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command,
            cwd=cwd or self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS_MAX,
        )
        assert not check or done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"
        return done

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, *paths: str) -> subprocess.CompletedProcess[str]:
        self.run("git", "add", *paths)
        return self.run("git", "commit", "-m", "a change", check=False)

    def commits(self) -> int:
        return len(self.run("git", "log", "--oneline", "--all", check=False).stdout.splitlines())


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    folder = tmp_path_factory.mktemp("hook")
    hook = folder / "project"
    hook.mkdir()
    for name in TREE:
        if (ROOT / name).is_dir():
            copy_tree(ROOT / name, hook / name)
        else:
            shutil.copy(ROOT / name, hook / name)
    return Scratch(folder / "work", hook)


def test_a_commit_that_makes_two_listeners_disagree_is_refused_and_others_pass(scratch: Scratch) -> None:
    scratch.write("one/main.py", LISTENER.format(tags="PAID"))
    scratch.write("two/main.py", LISTENER.format(tags="PAID"))
    agreed = scratch.commit("one", "two", ".pre-commit-config.yaml")
    assert agreed.returncode == 0, agreed.stdout
    before = scratch.commits()

    scratch.write("two/main.py", LISTENER.format(tags="REFUNDED"))
    refused = scratch.commit("two")
    assert refused.returncode == 1
    for way_out in (
        "subdrift explain divergent-tags",
        "subdrift: ignore[divergent-tags]",
        "subdrift baseline write --staged",
    ):
        assert way_out in refused.stdout
    assert "divergent-tags" in refused.stdout, refused.stdout
    assert "one/main.py" in refused.stdout
    assert scratch.commits() == before

    scratch.write("one/main.py", LISTENER.format(tags="REFUNDED"))
    again = scratch.commit("one")
    assert again.returncode == 0, again.stdout
    assert scratch.commits() == before + 1


def test_a_file_that_is_not_staged_takes_no_part(scratch: Scratch) -> None:
    scratch.write("three/main.py", LISTENER.format(tags="OTHER"))
    scratch.write("notes.py", "x = 1\n")
    passed = scratch.commit("notes.py")
    assert passed.returncode == 0, passed.stdout
    assert "Passed" in passed.stdout


def test_an_old_disagreement_blocks_nobody_and_a_deletion_is_judged(scratch: Scratch) -> None:
    scratch.write("four/main.py", LISTENER.format(tags="OLD"))
    scratch.run("git", "add", "four")
    scratch.run("git", "commit", "-q", "--no-verify", "-m", "in a hurry")
    scratch.write("notes.py", "x = 2\n")
    passed = scratch.commit("notes.py")
    assert passed.returncode == 0, passed.stdout
    scratch.run("git", "rm", "-q", "notes.py")
    deleted = scratch.run("git", "commit", "-m", "only a deletion", check=False)
    assert deleted.returncode == 0, deleted.stdout
    assert "Passed" in deleted.stdout
    scratch.write("four/main.py", LISTENER.format(tags="WORSE"))
    assert scratch.commit("four").returncode == 1
    scratch.run("git", "checkout", "-q", "HEAD", "--", "four")


def test_a_partially_staged_file_is_judged_as_staged(scratch: Scratch) -> None:
    scratch.write("one/main.py", LISTENER.format(tags="STAGED"))
    scratch.run("git", "add", "one")
    scratch.write("one/main.py", scratch.run("git", "show", "HEAD:one/main.py").stdout)
    refused = scratch.run("git", "commit", "-m", "half of it", check=False)
    assert refused.returncode == 1, refused.stdout
    assert "STAGED" in refused.stdout
    scratch.run("git", "checkout", "-q", "HEAD", "--", "one")


def test_the_hook_for_pipelines_looks_at_everything(scratch: Scratch) -> None:
    config = (scratch.folder / ".pre-commit-config.yaml").read_text()
    scratch.write("full.yaml", config.replace("id: subdrift", "id: subdrift-full"))
    ran = scratch.run("pre-commit", "run", "--config", "full.yaml", "--all-files", check=False)
    assert ran.returncode == 1
    assert "divergent-tags" in ran.stdout


def test_the_hook_s_environment_holds_subdrift_and_no_pyspark(scratch: Scratch) -> None:
    installed = {path.name.partition("-")[0].lower() for path in scratch.home.rglob("*.dist-info")}
    assert "subdrift" in installed
    assert not installed & {"pyspark", "pyarrow", "py4j", "pandas"}


def test_the_way_out_that_is_printed_lets_the_commit_pass(scratch: Scratch) -> None:
    """It is run as it is printed, by somebody who has no subdrift of their own."""
    scratch.write("five/main.py", LISTENER.format(tags="LATE"))
    refused = scratch.commit("five")
    assert refused.returncode == 1, refused.stdout
    (line,) = (one for one in refused.stdout.splitlines() if " baseline write --staged: " in one)
    command = line.partition(":")[0].split()
    assert command[0].startswith(str(scratch.home))
    written = scratch.run(*command)
    assert "commit it with" in written.stdout, written.stdout
    passed = scratch.commit("five", ".subdrift.toml", ".subdrift-baseline.json")
    assert passed.returncode == 0, passed.stdout
