"""The folder that needs no Python says what an installation says, also where Maven and Gradle start it: `make bundle`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from subdrift import linter

BUNDLE = os.environ.get("SUBDRIFT_BUNDLE", "")
ROOT = Path(__file__).parents[2]
SHOP = ROOT / "fixtures" / "orgs" / "shop"
SECONDS_MAX = 600
LISTENER = """package com.acme;

import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;

@Component
@RocketMQMessageListener(consumerGroup = "order-cg", topic = "ORDER", selectorExpression = "TAG")
public class NAME implements RocketMQListener<String> {
    public void onMessage(String message) {}
}
"""
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>com.acme</groupId><artifactId>orders</artifactId><version>1.0</version><packaging>pom</packaging>
<build><plugins>PLUGIN</plugins></build>
</project>
"""

pytestmark = pytest.mark.skipif(
    not BUNDLE, reason="runs in `make bundle`: $SUBDRIFT_BUNDLE names the program"
)


def run(
    *command: str, cwd: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, timeout=SECONDS_MAX, check=False
    )


def bare(*arguments: str) -> tuple[int, str]:
    """The bundle's exit code and output where nothing else is installed."""
    ran = run(BUNDLE, *arguments, env={"PATH": "/nowhere", "LANG": "C.UTF-8"})
    assert "Traceback" not in ran.stderr
    return ran.returncode, ageless(ran.stdout)


def ageless(text: str) -> str:
    """A report without how old its registry is."""
    return re.sub(r"\d+ (?:min|h) old", "some time old", text)


def test_it_says_what_an_installation_says(tmp_path: Path) -> None:
    assert bare("--version") == (0, f"subdrift {linter.__version__}\n")
    registry = str(tmp_path / "registry.db")
    shop = str(shutil.copytree(SHOP, tmp_path / "shop"))  # what lies in a checkout is read with all of it
    for arguments in (
        ("check", "--org", shop, "--no-cache", "--output-format", "json"),
        ("list", "--org", shop, "--no-cache", "--output-format", "jsonl", "--isolated", "-j", "2"),
        ("check", "--org", shop, "--no-cache", "--registry-out", registry, "--output-format", "concise"),
        ("check", f"{shop}/billing", "--no-cache", "--against", registry, "--output-format", "concise"),
        ("explain", "divergent-tags", "--lang", "zh"),
        ("check", "--help"),
    ):
        installed = run(
            sys.executable,
            "-m",
            "subdrift",
            *arguments,
            env=os.environ | {"PATH": "/nowhere", "LANG": "C.UTF-8"},
        )
        assert bare(*arguments) == (installed.returncode, ageless(installed.stdout)), arguments
        assert installed.stdout


def block(page: str, title: str) -> str:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(rf"^## {title}\n.*?^```\w+\n(.*?)^```", text, re.S | re.M)
    assert found is not None
    return found[1]


def write(project: Path, *tags: str) -> None:
    folder = project / "src" / "main" / "java" / "com" / "acme"
    folder.mkdir(parents=True, exist_ok=True)
    for name, tag in zip(("Paid", "Shipped"), tags, strict=True):
        (folder / f"{name}.java").write_text(LISTENER.replace("NAME", name).replace("TAG", tag))


@pytest.mark.parametrize("page", ["java-teams.md", "java-teams.zh.md"])
@pytest.mark.parametrize("tool", ["Maven", "Gradle"])
def test_the_recipe_fails_a_build_that_disagrees_and_no_other(page: str, tool: str, tmp_path: Path) -> None:
    program = shutil.which({"Maven": "mvn", "Gradle": "gradle"}[tool])
    if program is None:
        pytest.skip(f"{tool} is not installed")
    recipe = block(page, tool)
    if tool == "Maven":
        (tmp_path / "pom.xml").write_text(POM.replace("PLUGIN", recipe))
        command = [program, "-B", "-q", f"-Dsubdrift={BUNDLE}", "verify"]
    else:
        (tmp_path / "settings.gradle").write_text("rootProject.name = 'orders'\n")
        (tmp_path / "build.gradle").write_text(f"apply plugin: 'base'\n{recipe}")
        command = [program, "--no-daemon", "-q", f"-PsubdriftProgram={BUNDLE}", "check"]
    write(tmp_path, "PAID", "SHIPPED")
    refused = run(*command, cwd=tmp_path)
    assert (refused.returncode, "order-cg" in refused.stdout) == (1, True), refused.stdout + refused.stderr
    write(tmp_path, "PAID", "PAID")
    passed = run(*command, cwd=tmp_path)
    assert passed.returncode == 0, passed.stdout + passed.stderr
