"""Git repositories made for a test, and the command run in them in this process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from subdrift.linter import cli

LISTENER = """package x;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;

@RocketMQMessageListener(consumerGroup = "{group}", topic = "{topic}", selectorExpression = "{tags}")
@Component
class {name} implements RocketMQListener<String> {{ public void onMessage(String m) {{}} }}
"""


def environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }


class Ran:
    """What one run of the command gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def rules(self) -> list[str]:
        return [one["rule"] for one in self.json["findings"]]


def subdrift(*arguments: str | Path) -> Ran:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run([str(one) for one in arguments])
    return Ran(code, out.getvalue(), err.getvalue())


class Scratch:
    """A git repository."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ("git", *arguments),
            cwd=self.root,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def listener(self, name: str, tags: str, group: str = "g", topic: str = "T", folder: str = "") -> Path:
        text = LISTENER.format(name=name, tags=tags, group=group, topic=topic)
        return self.write(f"{folder}{name}.java", text)

    def commit(self, message: str = "a change") -> str:
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def check(self, *arguments: str) -> Ran:
        return subdrift("check", self.root, "--output-format", "json", "--no-cache", *arguments)
