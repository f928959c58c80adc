"""Findings with the senders of what they lose, over whole checkouts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift.linter.cli import job as checkouts
from subdrift.linter.model.finding import Finding, Severity
from subdrift.linter.pipeline import Result
from subdrift.linter.report.language import english
from subdrift.linter.report.told import told

ROOT = Path(__file__).parents[2]

CONSUMER = """package app;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class {name} {{
  public static void main(String[] a) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    consumer.subscribe("ORDER", "{tags}");
    consumer.start();
  }}
}}
"""
SENDER = """package app;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
class Sender {{
  public static void main(String[] a) throws Exception {{
    DefaultMQProducer p = new DefaultMQProducer("pg");
    {body}
  }}
}}
"""


def found(folder: Path, body: str, config: str = "", tags: str = "PAID || SHIPPED") -> Finding:
    """The one finding of two consumers at odds, beside a sender."""
    (folder / "One.java").write_text(CONSUMER.format(name="One", tags=tags))
    (folder / "Two.java").write_text(CONSUMER.format(name="Two", tags="REFUNDED"))
    if body:
        (folder / "Sender.java").write_text(SENDER.format(body=body))
    (folder / ".subdrift.toml").write_text(config)
    inputs = checkouts.Inputs(paths=(str(folder),), cache=False, quiet=True, jobs=1)
    job = checkouts.prepare(inputs)
    (finding,) = checkouts.with_senders(job, inputs, checkouts.execute(job, inputs)).findings
    return finding


def said(finding: Finding) -> tuple[str, ...]:
    return told(finding, english()).sent


SEND = 'p.send(new Message("{topic}", "{tag}", new byte[0]));'


def test_tags_that_are_lost_are_told_with_those_who_send_them(tmp_path: Path) -> None:
    finding = found(tmp_path, SEND.format(topic="ORDER", tag="REFUNDED"))
    name = tmp_path.name
    assert said(finding) == (
        f"REFUNDED is sent by {name} (Sender.java:7).",
        "No sender of PAID and SHIPPED in this run.",
    )
    assert finding.level is Severity.ERROR


def test_of_messages_that_nobody_asks_for_by_tag_it_is_the_tags_that_are_sent(tmp_path: Path) -> None:
    body = "\n    ".join(SEND.format(topic="ORDER", tag=tag) for tag in ("REFUNDED", "VOID", "LATE"))
    name = tmp_path.name
    assert said(found(tmp_path, body, tags="*")) == (
        f"LATE is sent by {name} (Sender.java:9).",
        f"VOID is sent by {name} (Sender.java:8).",
    )


def test_a_send_that_may_be_of_any_topic_may_be_the_one(tmp_path: Path) -> None:
    finding = found(
        tmp_path,
        'p.send(new Message(System.getenv("T"), "PAID", new byte[0]));',
        "[senders]\ncomplete = true\n",
    )
    assert said(finding) == (
        "No sender of PAID, REFUNDED and SHIPPED is seen in this run; 1 send whose topic or tag is not known may be one.",
    )
    assert finding.level is Severity.ERROR


def test_where_all_senders_take_part_what_nobody_sends_is_no_error(tmp_path: Path) -> None:
    finding = found(tmp_path, SEND.format(topic="OTHER", tag="PAID"), "[senders]\ncomplete = true\n")
    assert len(said(finding)) == 1
    assert said(finding)[0].startswith("Nobody sends PAID, REFUNDED and SHIPPED: the configuration says")
    assert finding.level is Severity.WARNING
    assert finding.conditional is not None


def test_where_nothing_says_that_all_take_part_it_stays_an_error(tmp_path: Path) -> None:
    finding = found(tmp_path, SEND.format(topic="OTHER", tag="PAID"))
    assert said(finding) == ("No sender of PAID, REFUNDED and SHIPPED in this run.",)
    assert finding.level is Severity.ERROR
    assert finding.conditional is None


def test_nothing_is_said_of_senders_in_a_run_that_has_none(tmp_path: Path) -> None:
    assert found(tmp_path, "").senders == ()


def test_sends_are_not_read_where_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("One", "Two"):
        (tmp_path / f"{name}.java").write_text(CONSUMER.format(name=name, tags="PAID"))
    (tmp_path / "Sender.java").write_text(SENDER.format(body=SEND.format(topic="ORDER", tag="PAID")))

    def refused(*given: object) -> Result:
        raise AssertionError("sends were read")

    monkeypatch.setattr(checkouts, "sends_of", refused)
    inputs = checkouts.Inputs(paths=(str(tmp_path),), cache=False, quiet=True, jobs=1)
    job = checkouts.prepare(inputs)
    result = checkouts.execute(job, inputs)
    assert checkouts.with_senders(job, inputs, result) is result


def test_what_is_surely_sent_comes_first(tmp_path: Path) -> None:
    from subdrift.linter.model.finding import sent_order

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    sent = found(tmp_path / "a", SEND.format(topic="ORDER", tag="REFUNDED"))
    unsent = found(tmp_path / "b", SEND.format(topic="OTHER", tag="REFUNDED"))
    assert sent_order(sent) < sent_order(replace(sent, senders=())) < sent_order(unsent)


def test_what_rules_say_of_senders_is_not_new_where_the_base_has_it(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        subprocess.run(("git", *identity, *arguments), cwd=tmp_path, check=True, capture_output=True)

    def check(*arguments: str) -> str:
        command = (
            sys.executable,
            "-m",
            "subdrift",
            "check",
            "--no-cache",
            "-j",
            "1",
            "--output-format",
            "concise",
            *arguments,
        )
        return subprocess.run(
            command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
        ).stdout

    (tmp_path / "One.java").write_text(CONSUMER.format(name="One", tags="PAID || CANCELED"))
    body = SEND.format(topic="ORDER", tag="PAID") + SEND.format(topic="ORDER", tag="CANCELLED")
    (tmp_path / "Sender.java").write_text(SENDER.format(body=body))
    (tmp_path / ".subdrift.toml").write_text("[senders]\ncheck = true\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    assert "tag-nobody-reads" in check()
    assert "tag-nobody-reads" not in check("--new-from", "HEAD")
