"""Models of libraries: a folder of sources that says what a library does whose source is not here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.test_cli import run

MODEL = """package com.acme.config;
public final class Settings {
    private final String prefix;
    public Settings(String prefix) { this.prefix = prefix; }
    public String topic(String name) { return prefix + name; }
    public static String tags() { return System.getenv("TAGS"); }
}
"""

PROGRAM = """package app;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import com.acme.config.Settings;
public class Main {
  public static void main(String[] args) throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    consumer.subscribe(new Settings("prod-").topic("orders"), Settings.tags());
    consumer.start();
  }
}
"""


def _rows(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def _repository(root: Path, model: str = MODEL) -> Path:
    for path, content in {
        "lint/models/com/acme/config/Settings.java": model,
        "src/main/java/app/Main.java": PROGRAM,
        ".subdrift.toml": '[models]\npaths = ["lint/models"]\n',
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    return root


def test_a_library_does_what_its_model_says(tmp_path: Path) -> None:
    found = run("list", "--no-cache", "--output-format", "jsonl", _repository(tmp_path))
    (row,) = _rows(found.out)
    assert (row["group"], row["topic"], row["expression"]) == ("g", "prod-orders", None)
    assert row["unresolved"]["expression"] == "set-at-deploy"
    assert {step["path"] for step in row["trail"]} == {"src/main/java/app/Main.java"}


def test_without_its_model_what_a_library_gives_is_unknown(tmp_path: Path) -> None:
    root = _repository(tmp_path)
    (root / ".subdrift.toml").write_text('exclude = ["lint"]\n')
    (row,) = _rows(run("list", "--no-cache", "--output-format", "jsonl", root).out)
    assert row["group"] == "g"
    assert row["topic"] is None


def test_a_changed_model_is_seen_with_a_cache(tmp_path: Path) -> None:
    root = _repository(tmp_path)
    run("list", root)
    (root / "lint/models/com/acme/config/Settings.java").write_text(MODEL.replace("prefix + name", "name"))
    (row,) = _rows(run("list", "--output-format", "jsonl", root).out)
    assert row["topic"] == "orders"


def test_a_model_that_is_not_there_or_not_source_code_is_a_mistake_with_its_place(tmp_path: Path) -> None:
    root = _repository(tmp_path, f"{MODEL}class {{")
    broken = run("check", root)
    assert broken.code == 2
    assert ".subdrift.toml:2" in broken.err
    assert "lint/models/com/acme/config/Settings.java" in broken.err
    (root / ".subdrift.toml").write_text('[models]\npaths = ["lint/nowhere"]\n')
    missing = run("check", root)
    assert missing.code == 2
    assert "`lint/nowhere`" in missing.err
