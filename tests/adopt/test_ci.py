"""What docs/ci.md tells to paste works: its shell parts are run against a git server on disk, as far as this machine can."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.adopt.scratch import Scratch, environment
from tests.hook.test_pre_commit import LAZILY, TREE, copy_tree

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
SECONDS_MAX = 600


def section(title: str) -> str:
    """The first block of code below a heading."""
    found = re.search(rf"^## {re.escape(title)}\n.*?^```\w+\n(.*?)^```", PAGE, re.S | re.M)
    assert found is not None, title
    return found[1]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project in a git repository of its own, as a git server would serve it."""
    folder = tmp_path_factory.mktemp("server") / "subdrift"
    folder.mkdir()
    for name in (*TREE, "action.yml", "requirements.txt"):
        if (ROOT / name).is_dir():
            copy_tree(ROOT / name, folder / name)
        else:
            shutil.copy(ROOT / name, folder / name)
    scratch = Scratch(folder)
    scratch.commit("the project")
    scratch.git("tag", "v0.1.0")
    return folder


@pytest.fixture(scope="module")
def python(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with subdrift, as an image of the service with pip would be after the first install."""
    folder = tmp_path_factory.mktemp("image") / "venv"
    subprocess.run((sys.executable, "-m", "venv", folder), check=True, timeout=SECONDS_MAX)
    pip = (str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "-q")
    # as a wheel: the snippets install it again and again
    wheel = (*pip, "wheel", "--no-deps", "-w", folder.parent, f"git+file://{project}@v0.1.0")
    subprocess.run(wheel, check=True, timeout=SECONDS_MAX, env=environment())
    install = (*pip, "install", str(next(folder.parent.glob("*.whl"))))
    subprocess.run(install, check=True, timeout=SECONDS_MAX, env=environment() | LAZILY)
    return folder / "bin"


class Pipeline:
    """A clone of a merge request's branch, and how its service would run a script in it."""

    def __init__(self, folder: Path, python: Path) -> None:
        server = Scratch(folder / "server")
        server.listener("A", "a", folder="one/")
        server.listener("Old1", "x", group="old-g")
        server.listener("Old2", "y", group="old-g")
        self.base = server.commit()
        server.git("checkout", "-q", "-b", "topic")
        server.listener("B", "a", folder="two/")
        server.commit()
        self.server = server
        self.folder = folder / "clone"
        self.variables = {
            **LAZILY,
            "PATH": f"{python}:{os.environ['PATH']}",
            "SUBDRIFT": str(next(python.parent.parent.glob("*.whl"))),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def break_it(self) -> None:
        self.server.listener("B", "b", folder="two/")
        self.server.commit()

    def run(self, script: str, *clone: str, **variables: str) -> subprocess.CompletedProcess[str]:
        kept = self.folder.with_name("kept")
        if self.folder.exists():
            if (self.folder / ".venv").exists():  # as on a runner that keeps it
                (self.folder / ".venv").rename(kept)
            shutil.rmtree(self.folder)
        self.server.git(
            "clone", "-q", *clone, "--branch", "topic", f"file://{self.server.root}", str(self.folder)
        )
        if kept.exists():
            kept.rename(self.folder / ".venv")
        return subprocess.run(
            ("bash", "-e", "-c", script),
            cwd=self.folder,
            env=environment() | self.variables | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
        )

    def judge(self, script: str, **variables: str) -> str:
        """A branch that adds nothing passes, one that disagrees is refused; what was said then."""
        calm = self.run(script, **variables)
        assert calm.returncode == 0, calm.stdout
        self.break_it()
        refused = self.run(script, **variables)
        assert refused.returncode == 1, refused.stdout
        return refused.stdout


@pytest.fixture
def pipeline(tmp_path: Path, python: Path) -> Pipeline:
    return Pipeline(tmp_path, python)


def test_the_snippet_for_gitlab(pipeline: Pipeline) -> None:
    job: dict[str, Any] = yaml.safe_load(section("GitLab"))["subdrift"]
    said = pipeline.judge("\n".join(job["script"]), CI_MERGE_REQUEST_DIFF_BASE_SHA=pipeline.base)
    assert "1 new error" in said
    for report in job["artifacts"]["reports"].values():
        assert (pipeline.folder / report).stat().st_size
    assert job["variables"]["GIT_DEPTH"] == "0"
    shallow = pipeline.run(
        "\n".join(job["script"]), "--depth", "1", CI_MERGE_REQUEST_DIFF_BASE_SHA=pipeline.base
    )
    assert shallow.returncode == 2
    assert "GIT_DEPTH: 0" in shallow.stdout


@pytest.mark.parametrize(
    ("title", "variables"), [("Jenkins", {"CHANGE_TARGET": "main"}), ("Tencent CODING", {"TARGET": "main"})]
)
def test_the_snippets_for_jenkinsfiles(pipeline: Pipeline, title: str, variables: dict[str, str]) -> None:
    script = section(title).split("'''")[1]
    # the image of the service has subdrift's dependencies already: its environment stands for a fresh one
    script = script.replace("python3 -m venv .venv", "python3 -m venv --system-site-packages .venv")
    assert "1 new error" in pipeline.judge(script, **variables)
    assert ET.parse(pipeline.folder / "subdrift-junit.xml").getroot().get("failures") == "1"


def test_the_snippet_for_gitee(pipeline: Pipeline) -> None:
    (stage,) = yaml.safe_load(section("Gitee Go"))["stages"]
    (step,) = stage["steps"]
    assert "1 new error" in pipeline.judge("\n".join(step["commands"]), GITEE_BRANCH="main")


def test_the_snippet_for_reviewdog(pipeline: Pipeline) -> None:
    pipeline.break_it()
    ran = pipeline.run(section("Gerrit, Gitea, Bitbucket: reviewdog"))
    assert ran.returncode == 0, ran.stdout
    assert "divergent-tags" in (pipeline.folder / "subdrift.rdjson").read_text()


def test_the_shell_of_the_action(pipeline: Pipeline, project: Path, tmp_path: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    *caches, install, check = action["runs"]["steps"]
    assert all(re.search(r"@[0-9a-f]{40}$", step["uses"]) for step in caches)
    summary = tmp_path / "summary.md"
    summary.write_text("# before\n")
    variables = {
        "RUNNER_TEMP": str(tmp_path),
        "PIP_CACHE_DIR": str(tmp_path / "pip"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "GITHUB_ACTION_PATH": str(project),
        "GITHUB_STEP_SUMMARY": str(summary),
        "SUBDRIFT_PYTHON": sys.executable,
        "SUBDRIFT_PATHS": ".",
        "SUBDRIFT_NEW_FROM": pipeline.base,
        "SUBDRIFT_ARGUMENTS": "--no-untracked --output markdown=comment.md",
        "SUBDRIFT_SARIF": "subdrift.sarif",
        "SERVER": "https://github.example.com",
        "REPOSITORY": "tools/subdrift",
        "REF": "v0.1.0",
    }
    assert set(install["env"]) | set(check["env"]) <= variables.keys()
    installed = pipeline.run(install["run"], **variables)
    assert installed.returncode == 0, installed.stdout
    said = pipeline.judge(check["run"], **variables)
    assert "::error file=two/B.java,line=6," in said
    assert summary.read_text().startswith("# before\n### subdrift")
    (run,) = json.loads((pipeline.folder / "subdrift.sarif").read_text())["runs"]
    pages = {one["helpUri"] for one in run["tool"]["driver"]["rules"]}
    assert "https://github.example.com/tools/subdrift/blob/v0.1.0/rules/docs/divergent-tags.en.md" in pages
    assert (pipeline.folder / "comment.md").stat().st_size
    used = yaml.safe_load(section("GitHub Actions"))["jobs"]["subdrift"]["steps"][1]["with"]
    assert used.keys() <= action["inputs"].keys()


def test_no_input_of_the_action_is_part_of_a_script() -> None:
    for step in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_the_hooks_that_are_named_exist() -> None:
    named = {hook["id"] for repo in yaml.safe_load(section("pre-commit"))["repos"] for hook in repo["hooks"]}
    there = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert named <= there == {"subdrift", "subdrift-full"}


def test_the_image_is_built_from_what_is_there() -> None:
    """Docker itself is run by the test below, where it is there."""
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "Dockerfile").read_text(), re.M)
    for name in " ".join(copied).split():
        assert (ROOT / name).exists(), name


def test_what_the_image_copies_makes_the_whole_package(python: Path, tmp_path: Path) -> None:
    for line in re.findall(r"^COPY (?!--from)(.+)$", (ROOT / "Dockerfile").read_text(), re.M):
        *names, target = line.split()
        for name in names:
            if (ROOT / name).is_dir():
                copy_tree(ROOT / name, tmp_path / "context" / target)
            else:
                (tmp_path / "context").mkdir(exist_ok=True)
                shutil.copy(ROOT / name, tmp_path / "context" / name)
    command = (
        python / "python",
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        tmp_path,
        tmp_path / "context",
    )
    subprocess.run(command, check=True, timeout=SECONDS_MAX, env=environment())
    (made,) = tmp_path.glob("*.whl")
    (whole,) = python.parent.parent.glob("*.whl")
    assert _files_of(made) == _files_of(whole)


def _files_of(wheel: Path) -> dict[str, int]:
    with zipfile.ZipFile(wheel) as archive:
        return {one.filename: one.CRC for one in archive.infolist() if "dist-info" not in one.filename}


def _docker() -> bool:
    return (
        bool(shutil.which("docker"))
        and not subprocess.run(("docker", "info"), capture_output=True).returncode
    )


@pytest.mark.skipif(not _docker(), reason="needs a Docker daemon")
def test_the_image_checks_a_folder_it_cannot_write(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a")
    scratch.listener("B", "b")
    scratch.commit()
    subprocess.run(("docker", "build", "-q", "-t", "subdrift-test", ROOT), check=True, timeout=SECONDS_MAX)
    mount = f"{scratch.root}:/src:ro"
    command = (
        "docker",
        "run",
        "--rm",
        "--read-only",
        "--tmpfs",
        "/tmp",
        "-v",
        mount,
        "subdrift-test",
        "check",
    )
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
    assert ran.returncode == 1, ran.stderr
    assert "divergent-tags" in ran.stdout
