"""What `--fix` changes, what it shows, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from subdrift.linter import cli

SOURCE = """import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class {name} {{
  void start() throws Exception {{
    DefaultMQPushConsumer c = new DefaultMQPushConsumer("g");
    c.subscribe("t", {tags}); // {tags}
    c.start();
  }}
}}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, tags in (("A", '"a || b"'), ("B", '"a || b"'), ("C", '"b||a"'), ("D", '"b " + "|| a"')):
        (tmp_path / f"{name}.java").write_text(SOURCE.format(name=name, tags=tags))
    (tmp_path / ".subdrift.toml").write_text("")
    return tmp_path


def test_the_spelling_of_most_becomes_that_of_the_others(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["check", str(tree), "--fix", "--no-cache"]) == 0
    assert "changed 1 file" in capsys.readouterr().err
    assert 'c.subscribe("t", "a || b"); // "b||a"' in (tree / "C.java").read_text()
    assert (tree / "D.java").read_text() == SOURCE.format(
        name="D", tags='"b " + "|| a"'
    )  # put together: left alone
    assert cli.run(["check", str(tree), "--fix", "--no-cache"]) == 0
    assert "changed" not in capsys.readouterr().err


def test_a_preview_changes_nothing(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (tree / "C.java").read_text()
    assert cli.run(["check", str(tree), "--diff", "--no-cache"]) == 1
    shown = capsys.readouterr().out
    assert '-    c.subscribe("t", "b||a"); // "b||a"' in shown
    assert '+    c.subscribe("t", "a || b"); // "b||a"' in shown
    assert (tree / "C.java").read_text() == before


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        (("a||b", "b || a || a"), "a||b"),
        (("b || a || a", "b || a || a", "a||b"), "b || a"),
        (("a||b||a", "b||a||b"), "b||a"),
    ],
)
def test_no_tag_is_repeated(tmp_path: Path, written: tuple[str, ...], fixed: str) -> None:
    (tmp_path / ".subdrift.toml").write_text("")
    for name, tags in zip("ABC", written, strict=False):
        (tmp_path / f"{name}.java").write_text(SOURCE.format(name=name, tags=f'"{tags}"'))
    assert cli.run(["check", str(tmp_path), "--fix", "--no-cache"]) == 0
    for file in tmp_path.glob("*.java"):
        assert f'c.subscribe("t", "{fixed}");' in file.read_text()
    assert cli.run(["check", str(tmp_path), "--diff", "--no-cache"]) == 0


def test_other_tags_are_not_touched(tmp_path: Path) -> None:
    for name, tags in (("A", '"a || b"'), ("B", '"a || c"')):
        (tmp_path / f"{name}.java").write_text(SOURCE.format(name=name, tags=tags))
    (tmp_path / ".subdrift.toml").write_text("")
    assert cli.run(["check", str(tmp_path), "--fix", "--no-cache"]) == 1
    assert (tmp_path / "B.java").read_text() == SOURCE.format(name="B", tags='"a || c"')


LISTENER = """import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
@org.springframework.stereotype.Component
@RocketMQMessageListener(topic = "t", consumerGroup = "g", selectorExpression = "${{mq.{name}}}")
class {name} implements RocketMQListener<String> {{ public void onMessage(String m) {{}} }}
"""


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        (
            "application.yml",
            "mq:\r\n  A: a || b # one\r\n  B: \"b||a\"\r\n  C: 'a || b'\r\n  D: b || a\r\n",
            "mq:\r\n  A: a || b # one\r\n  B: \"a || b\"\r\n  C: 'a || b'\r\n  D: a || b\r\n",
        ),
        (
            "application.properties",
            "mq.A = a || b\nmq.B=b||a\nmq.C: a || b\nmq.D=b \\u007c| a\n",
            "mq.A = a || b\nmq.B=a || b\nmq.C: a || b\nmq.D=b \\u007c| a\n",
        ),
    ],
)
def test_values_of_keys_are_spelled_alike(tmp_path: Path, file: str, before: str, after: str) -> None:
    (tmp_path / ".subdrift.toml").write_text("")
    code, settings = tmp_path / "src/main/java", tmp_path / "src/main/resources"
    code.mkdir(parents=True)
    settings.mkdir()
    for name in "ABCD":
        (code / f"{name}.java").write_text(LISTENER.format(name=name))
    (settings / file).write_text(before, newline="")
    assert cli.run(["check", str(tmp_path), "--fix", "--no-cache"]) == 0
    assert (settings / file).read_text().split("\n") == after.replace("\r\n", "\n").split("\n")
    assert (settings / file).read_bytes().count(b"\r") == after.count("\r")


def test_a_constant_of_several_groups_stays_and_the_others_follow(tmp_path: Path) -> None:
    (tmp_path / ".subdrift.toml").write_text("")
    names = 'class Names { static final String MINE = "a || b"; static final String OURS = "b || a"; }\n'
    (tmp_path / "Names.java").write_text(names)
    for name, group, tags in (
        ("A", "g", "Names.MINE"),
        ("B", "g", "Names.MINE"),
        ("C", "g", "Names.OURS"),
        ("D", "h", "Names.OURS"),
        ("E", "h", '"b || a"'),
    ):
        (tmp_path / f"{name}.java").write_text(
            SOURCE.format(name=name, tags=tags).replace('"g"', f'"{group}"')
        )
    assert cli.run(["check", str(tmp_path), "--fix", "--no-cache"]) == 0
    assert (tmp_path / "Names.java").read_text() == names.replace("a || b", "b || a")
    assert cli.run(["check", str(tmp_path), "--diff", "--no-cache"]) == 0
