"""One definition of a blind spot: every command that counts them counts the same ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter import pipeline
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.finding import DIAGNOSTICS, Diagnostic
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import say
from subdrift.linter.model.unknown import count_blind, count_unread, unknown_values, unread
from subdrift.linter.report import unresolved
from subdrift.linter.report.content import Content
from subdrift.linter.report.language import english
from subdrift.linter.sources.checkout import Repository
from tests.cli.test_cli import run

CODE = """package a;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
class Programs {
    public static void main(String[] args) throws Exception {
        DefaultMQPushConsumer spare = new DefaultMQPushConsumer(args[0]);
        DefaultMQPushConsumer one = new DefaultMQPushConsumer("g");
        one.subscribe(args[1], System.getenv("TAGS"));
        one.start();
        DefaultMQPushConsumer two = new DefaultMQPushConsumer("h");
        two.start();
    }
}
@RocketMQMessageListener(topic = "${no.topic}", consumerGroup = "${no.group}")
class NotABean implements RocketMQListener<String> { public void onMessage(String m) { } }
"""
"""Unknown: a topic, an expression, and whatever `two` subscribes to. What is never started or no bean lacks nothing."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "blind"
    (root / "src" / "test").mkdir(parents=True)
    (root / "Programs.java").write_text(CODE, encoding="utf-8")
    tests = CODE.replace("Programs", "ProgramsTest").replace("NotABean", "Other")
    (root / "src" / "test" / "ProgramsTest.java").write_text(tests, encoding="utf-8")
    (root / "broken.py").write_text("from rocketmq.client import PushConsumer\nPushConsumer('g'\n", "utf-8")
    return root


def test_values_that_nobody_needs_are_no_blind_spots(tree: Path) -> None:
    result = pipeline.analyse([Repository("r", str(tree))], rules.ALL, options=pipeline.Options(workers=1))
    spots = list(unknown_values(result.consumers))
    assert sorted((one.field, one.at.span.line, one.why.value) for one in spots) == [
        ("expression", 9, "set-at-deploy"),
        ("topic", 9, "dynamic"),
        ("topic", 11, "never-subscribed"),
    ]
    content = Content("", (), (), result.consumers, 0, "", unread=result.diagnostics)
    every = {"topic": 2, "expression": 1, "place": 1}
    assert content.blind_spots() == count_blind(result.consumers, result.diagnostics) == every
    assert sum(one.count for one in content.unknowns()) == 3
    said = [one for one in result.diagnostics if one.name == "unresolved-value"]
    assert sorted(one.at.span.line for one in said) == [9, 9, 11]
    listed = unresolved.blind_spots(result.consumers, result.diagnostics)
    assert sum(len(one.places) for one in listed if one.field) == 3
    assert [one.reason for one in listed if not one.field] == ["parse-error"]


def test_what_was_not_read_or_not_understood_is_a_blind_spot_until_it_is_suppressed() -> None:
    at = Location(Origin("r", "A.java"), Span(1, 1, 1, 2))
    every = [Diagnostic(name, say("x"), at) for name in DIAGNOSTICS]
    of_values, of_comments = {"unresolved-value"}, {"unused-suppression", "expired-ignore"}
    assert {one.name for one in unread(every)} == {*DIAGNOSTICS} - of_values - of_comments
    assert count_unread([*every, *every]) == {"file": 3, "place": 4}
    assert count_unread([replace(one, suppressed="looked at") for one in every]) == {}


def test_the_commands_print_one_number(tree: Path) -> None:
    options = ("--isolated", "--no-cache")
    checked, listed, spots = (run(name, tree, *options) for name in ("check", "list", "unresolved"))
    assert "blind spots: 2 topics, 1 expression, 1 place not understood (subdrift unresolved)" in " ".join(
        checked.out.split()
    )
    assert re.search(r"; 4 blind spots$", listed.out.strip())
    assert "4 blind spots in 4 kinds" in spots.out


def test_a_key_that_one_profile_lacks_is_not_called_undefined_everywhere(tmp_path: Path) -> None:
    resources = tmp_path / "src" / "main" / "resources"
    resources.mkdir(parents=True)
    (resources / "application-dev.yml").write_text("mq.group: g\n", "utf-8")
    (resources / "application-prod.yml").write_text("x: 1\n", "utf-8")
    (tmp_path / "Listener.java").write_text(
        "package a;\nimport org.apache.rocketmq.spring.annotation.RocketMQMessageListener;\n"
        "@org.springframework.stereotype.Component\n"
        '@RocketMQMessageListener(topic = "t", consumerGroup = "${mq.group}")\n'
        "class Listener implements org.apache.rocketmq.spring.core.RocketMQListener<String> {"
        " public void onMessage(String m) { } }\n",
        "utf-8",
    )
    result = pipeline.analyse(
        [Repository("r", str(tmp_path))], rules.ALL, options=pipeline.Options(workers=1)
    )
    (said,) = (one for one in result.diagnostics if one.name == "unresolved-value")
    assert english().text(said.message) == (
        "The group could not be determined: not defined in prod (mq.group)."
    )


def test_a_consumer_that_no_run_came_to_says_why_also_where_its_group_is_written(tree: Path) -> None:
    result = pipeline.analyse([Repository("r", str(tree))], rules.ALL, options=pipeline.Options(workers=1))
    one = next(each for each in result.consumers if each.group.text == "g" and each.scope != "test")
    missed = Condition("not-reached", "no-run-came-through", one.at.span)
    (spot,) = unknown_values([replace(one, conditions=(missed,))])
    assert (spot.field, spot.why.value, spot.value.detail) == ("consumer", "dynamic", "no-run-came-through")


TAKEN_APART = """package app;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import javax.annotation.PostConstruct;
@SpringBootApplication
public class Application {
  @Value("${mq.groups}") private String groups;
  public static void main(String[] args) { SpringApplication.run(Application.class, args); }
  @PostConstruct
  public void consume() throws Exception {
    for (String group : groups.split(",")) {
      DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
      consumer.subscribe("ORDER", "*");
      consumer.start();
    }
  }
}
"""


def test_an_element_of_a_text_of_configuration_is_told_with_its_key(tmp_path: Path) -> None:
    (tmp_path / "Application.java").write_text(TAKEN_APART, encoding="utf-8")
    result = pipeline.analyse(
        [Repository("r", str(tmp_path))], rules.ALL, options=pipeline.Options(workers=1)
    )
    (spot,) = unknown_values(result.consumers)
    assert (spot.field, spot.why.value) == ("group", "dynamic")
    assert "mq.groups" in spot.value.detail
