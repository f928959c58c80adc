"""Findings that one change of a group's members settles are one finding with parts, each with its own cost only."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from subdrift.linter import stages
from subdrift.linter.broker.assume import Assume
from subdrift.linter.cli import run
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Finding, Severity, by_cause
from subdrift.linter.model.prediction import Impact
from subdrift.rules import ALL
from tests.rules.members import group_of, member, value


def ordered(one: Consumer, mode: str) -> Consumer:
    return msgspec.structs.replace(one, consume_mode=value(mode), api="spring-listener")


def judged(*members: Consumer) -> tuple[Finding, ...]:
    return stages.judge(group_of(*members), ALL, Assume()).findings


TWO_TAGS = (member("A", ("T", "x || y"), ("S", "*")), member("B", ("T", "x || z"), ("S", "*")))
GROUPS = {
    "tags-mode-and-a-shared-topic": (ordered(TWO_TAGS[0], "ORDERLY"), ordered(TWO_TAGS[1], "CONCURRENTLY")),
    "tags-and-topics": (member("A", ("T", "x"), ("U", "*")), member("B", ("T", "y"))),
    "tags-and-model": (member("A", ("T", "x"), model="BROADCASTING"), member("B", ("T", "y"))),
    "two-topics": (member("A", ("T", "x"), ("U", "x")), member("B", ("T", "y"), ("U", "y"))),
    "three": (member("A", ("T", "x")), member("B", ("T", "y")), member("C", ("T", "x"), ("U", "*"))),
}


@pytest.mark.parametrize("name", GROUPS)
def test_one_cause_is_one_finding_with_one_way_out(name: str) -> None:
    found = judged(*GROUPS[name])
    (parts,) = by_cause(found)
    assert len(parts) == len(found) > 1
    assert [one.level for one in parts] == sorted((one.level for one in parts), reverse=True)
    assert len({one.help for one in parts if one.level > Severity.NOTE}) == 1


@pytest.mark.parametrize("name", GROUPS)
def test_after_the_advised_split_no_part_is_left(name: str) -> None:
    found = judged(*GROUPS[name])
    (command,) = {
        text for one in found for each in one.help if (text := each.value("command")) and "--split" in text
    }
    moves = dict(re.findall(r"--split (\S+?)=(\S+)", command))
    groups: dict[str, list[Consumer]] = {}
    for one in GROUPS[name]:
        groups.setdefault(moves.get(one.id, ""), []).append(one)
    assert len(groups) > 1
    for members in groups.values():
        assert [one.rule for one in judged(*members) if one.scope.value == "group"] == []


def test_losses_stand_under_the_rule_whose_doing_they_are() -> None:
    for name, doing in (
        ("tags-mode-and-a-shared-topic", {"divergent-tags": Impact.LOST}),
        ("tags-and-topics", {"divergent-tags": Impact.LOST, "divergent-topics": Impact.STUCK}),
        ("tags-and-model", {"divergent-tags": Impact.LOST, "divergent-message-model": Impact.STUCK}),
    ):
        for one in judged(*GROUPS[name]):
            assert one.own is not None
            harm = one.own.impact(one.topic)
            assert harm == doing.get(one.rule, min(harm, Impact.CONSOLE_ONLY)), (name, one.rule)


def test_members_of_one_group_that_have_nothing_to_do_with_each_other_are_two_findings() -> None:
    members = (
        member("A", ("T", "x"), api="grpc-push", model=None),
        member("B", ("T", "y"), api="grpc-push", model=None),
        member("C", ("U", "x"), api="grpc-push", model=None),
        member("D", ("U", "y"), api="grpc-push", model=None),
    )
    found = [one for one in judged(*members) if one.topic is not None]
    assert len(by_cause(found)) == len({one.topic for one in found})


JAVA = """
package com.acme;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class {name} {{
  public static void main(String[] arguments) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("orders");
    consumer.subscribe("ORDER", "{tags}");{comment}
    consumer.subscribe("STOCK", "*");
    consumer.start();
  }}
}}
"""


def organisation(root: Path, comment: str = "") -> None:
    for repo, name, tags in (("billing", "Invoices", "PAID"), ("warehouse", "Parcels", "SENT")):
        folder = root / repo / "src" / "main" / "java"
        folder.mkdir(parents=True)
        text = JAVA.format(name=name, tags=tags, comment=comment)
        (folder / f"{name}.java").write_text(text, encoding="utf-8")


def report(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    run(["check", "--org", str(root), "--no-cache", *options])
    return capsys.readouterr().out


def test_every_format_counts_it_once_and_suppression_goes_by_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organisation(tmp_path)
    text = report(tmp_path, capsys, "--color", "never")
    assert "and with it error[shared-group] topic STOCK" in text
    assert "\n1 error\n" in text
    (finding,) = json.loads(report(tmp_path, capsys, "--output-format", "json"))["findings"]
    assert (finding["rule"], [one["rule"] for one in finding["parts"]]) == (
        "divergent-tags",
        ["shared-group"],
    )
    assert 'tests="1" failures="1"' in report(tmp_path, capsys, "--output-format", "junit")
    (log,) = json.loads(report(tmp_path, capsys, "--output-format", "sarif"))["runs"]
    assert [one["ruleId"] for one in log["results"]] == ["divergent-tags", "shared-group"]
    assert len({one["properties"]["finding"] for one in log["results"]}) == 1
    assert "half lost" not in log["results"][1]["message"]["text"]

    silenced = tmp_path / "silenced"
    organisation(silenced, "  // subdrift: ignore[divergent-tags] known")
    found = json.loads(report(silenced, capsys, "--output-format", "json"))
    assert [(one["rule"], one["parts"]) for one in found["findings"]] == [("shared-group", [])]
    assert found["summary"]["suppressed"] == 1


def test_the_page_shows_the_advised_plan_step_by_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organisation(tmp_path)
    page = report(tmp_path, capsys, "--output-format", "html")
    (plan,) = re.findall(r'<details class="plan">.*?</details>', page, re.DOTALL)
    command = ["rollout", "orders", "--split", "warehouse=orders-warehouse", "--org", str(tmp_path)]
    assert run([*command, "--no-cache", "--output-format", "json"]) == 0
    ways = json.loads(capsys.readouterr().out)["ways"]
    assert plan.count("<li>") == sum(len(one["steps"]) for one in ways if one["order"] != "careless")
    assert plan.count("<svg") == plan.count("<li>")
    assert "nothing is lost" in plan
    assert "usually" not in plan
