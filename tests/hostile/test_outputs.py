"""What a CI reads in our output: no source text is ever a command, in any format; text formats do not flood."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.hostile.kit import listener, run

COMMANDS = (
    "::error::x",
    "::add-mask::x",
    "##[error]x",
    "##vso[task.setvariable variable=x]y",
    "##teamcity[x]",
    "\u3000::debug::x",
    "\n::error::y",
    "\r::error::z",
)
FORMATS = (
    ("check", "--output-format", "text"),
    ("check", "--output-format", "text", "--color", "always"),
    ("check", "--output-format", "concise"),
    ("check", "--output-format", "json"),
    ("check", "--output-format", "sarif"),
    ("check", "--output-format", "github"),
    ("check", "--output-format", "gitlab"),
    ("check", "--output-format", "junit"),
    ("check", "--output-format", "rdjson"),
    ("check", "--output-format", "markdown"),
    ("check", "--output-format", "html"),
    ("list",),
    ("list", "--output-format", "jsonl"),
    ("unresolved",),
    ("unresolved", "--output-format", "json"),
)
ANYWHERE = re.compile(r"##\w*\[")
AT_START = re.compile(r"^(?:\s|\x1b\[[0-9;]*m)*::", re.MULTILINE)


@pytest.fixture(scope="module")
def steering(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree in which every name, value, path and comment is a command."""
    root = tmp_path_factory.mktemp("steering")
    for number, command in enumerate(COMMANDS):
        name = command.replace("/", "_")
        for tags in ("a", f"b || {json.dumps(command)[1:-1]}"):
            path = listener(
                root / name,
                f"L{number}{tags[0]}",
                tags,
                topic=json.dumps(command),
                group=json.dumps(command)[1:-1],
            )
            path.rename(path.with_name(f"{name} {path.name}"))
        (root / f"{name}.java").write_text(
            "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\nclass Z { void m(String t) {\n"
            f'DefaultMQPushConsumer c = new DefaultMQPushConsumer("{command}"); c.subscribe(t,\n{command}\n"a"); }} }}\n'
        )
        (root / f"{name}.yml").write_text("\ta: b\n")
    return root


@pytest.mark.parametrize("arguments", FORMATS, ids=" ".join)
def test_no_text_of_the_tree_is_a_command(arguments: tuple[str, ...], steering: Path) -> None:
    ran = run(*arguments, steering, "--no-cache")
    assert any(word in ran.out for word in ("add-mask", "error", "set-output", "teamcity"))
    assert not ANYWHERE.search(ran.all)
    if "github" in arguments:
        for line in ran.out.splitlines():
            assert re.match(r"::(error|warning|notice) [^\n]*?::", line)
            assert not re.match(r"::(?!error |warning |notice )", line)
    else:
        assert not AT_START.search(ran.all)


def test_a_scenario_is_no_command_either(tmp_path: Path) -> None:
    file = tmp_path / "scenario.json"
    members = [
        {"name": command, "subscriptions": [{"topic": "::T::", "expression": f"a{number} || {command}"}]}
        for number, command in enumerate(COMMANDS)
    ]
    file.write_text(
        json.dumps(
            {
                "id": "::stop-commands::x",
                "description": "##[error]d",
                "topics": {"::T::": 4},
                "members": members,
            }
        )
    )
    for form in ("text", "json"):
        ran = run("predict", file, "--output-format", form)
        assert "stop-commands" in ran.all or ran.code == 2
        assert not ANYWHERE.search(ran.all)
        assert not AT_START.search(ran.all)


def test_what_floods_is_shortened_for_people_and_whole_for_programs(tmp_path: Path) -> None:
    long = "||".join(f"tag{number}" for number in range(20_000))
    listener(tmp_path, "A", long)
    listener(tmp_path, "B", "b")
    for arguments in (("check",), ("check", "--output-format", "concise"), ("list",), ("unresolved",)):
        ran = run(*arguments, tmp_path, "--no-cache")
        assert len(ran.out) < 100_000, arguments
    assert "more characters]" in run("list", tmp_path, "--no-cache").out
    rows = [
        json.loads(line)
        for line in run("list", "--output-format", "jsonl", tmp_path, "--no-cache").out.splitlines()
    ]
    assert long in [row["expression"] for row in rows]
