"""What a finding advises depends on who the members are; after the wrong remedy the check is not green."""

import re
from pathlib import Path

import pytest

from subdrift.linter.broker.rollout import regroup
from subdrift.linter.broker.rollout.plan import Order, Setting
from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.cli import run
from subdrift.linter.report.language import LANGUAGES, language

JAVA = """
package com.acme;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class {name} {{
  public static void main(String[] arguments) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("orders");
    consumer.subscribe("{topic}", "{tags}");
    consumer.start();
  }}
}}
"""
POM = (
    "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId>"
    "<artifactId>{name}</artifactId><version>1</version></project>"
)


def service(root: Path, repo: str, name: str, tags: str, topic: str = "ORDER") -> None:
    folder = root / repo / "src" / "main" / "java"
    folder.mkdir(parents=True)
    (root / repo / "pom.xml").write_text(POM.format(name=repo), encoding="utf-8")
    (folder / f"{name}.java").write_text(JAVA.format(name=name, tags=tags, topic=topic), encoding="utf-8")


def checked(root: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = run(["check", "--org", str(root), "--no-cache", "--color", "never"])
    return code, " ".join(capsys.readouterr().out.split())


def test_different_listeners_get_groups_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service(tmp_path, "billing", "Invoices", "PAID || REFUNDED")
    service(tmp_path, "warehouse", "Parcels", "PAID || SHIPPED")
    code, out = checked(tmp_path, capsys)
    assert code == 1
    first, second = (
        out.index("Give `warehouse` a group of its own"),
        out.index("Do not give them all the same tags"),
    )
    assert first < second
    assert "50 % of the messages that one listener alone handles" in out
    (command,) = re.findall(r"`subdrift (rollout orders --split warehouse=\S+?)`", out)
    assert run([*command.split(), "--org", str(tmp_path), "--no-cache"]) == 0
    assert "nothing that is sent is lost" in capsys.readouterr().out


def test_one_listener_asks_for_the_same_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service(tmp_path, "north", "Invoices", "PAID")
    service(tmp_path, "south", "Invoices", "PAID || REFUNDED")
    _, out = checked(tmp_path, capsys)
    assert out.index("They run one listener: let all subscribe to `PAID || REFUNDED`") < out.index(
        "group of its own"
    )
    assert "subdrift rollout orders ORDER --to 'PAID || REFUNDED'" in out
    assert "Do not give" not in out


LISTENER = """
package com.acme;
import java.util.List;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;
@Component
@RocketMQMessageListener(consumerGroup = "orders", topic = "ORDER", selectorExpression = "{tags}")
class Invoices implements RocketMQListener<MessageExt> {{
  static final String PAID = "PAID";
  public void onMessage(MessageExt message) {{
    {body}
  }}
  void pay(MessageExt message) {{}}
}}
"""
APPLICATION = """
package com.acme;
@org.springframework.boot.autoconfigure.SpringBootApplication
public class App {
  public static void main(String[] args) { org.springframework.boot.SpringApplication.run(App.class, args); }
}
"""


@pytest.mark.parametrize(
    ("body", "lacks"),
    [
        ('switch (message.getTags()) { case "PAID": pay(message); break; default: }', True),
        ('if ("PAID".equals(message.getTags())) { pay(message); }', True),
        ("if (message.getTags().equals(PAID)) { pay(message); }", True),
        ("String tag = message.getTags(); if (!PAID.equals(tag)) return; pay(message);", True),
        ("if (java.util.Objects.equals(message.getTags(), PAID)) { pay(message); }", True),
        ('switch (message.getTags()) { case PAID -> pay(message); case "REFUNDED" -> { } }', False),
        (
            'if (PAID.equals(message.getTags()) || List.of("REFUNDED").contains(message.getTags())) pay(message);',
            False,
        ),
        ("if (PAID.equals(message.getTopic())) { pay(message); }", False),
        ("System.out.println(message.getTags()); pay(message);", False),
    ],
)
def test_widening_asks_for_a_listener_that_handles_the_tags(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, lacks: bool
) -> None:
    for repo, tags in (("north", "PAID"), ("south", "PAID || REFUNDED")):
        service(tmp_path, repo, "Unused", "PAID", "OTHER")
        folder = tmp_path / repo / "src" / "main" / "java"
        (folder / "Unused.java").write_text(APPLICATION.replace("App", "Unused"), encoding="utf-8")
        (folder / "Invoices.java").write_text(LISTENER.format(tags=tags, body=body), encoding="utf-8")
    _, out = checked(tmp_path, capsys)
    assert "let all subscribe to `PAID || REFUNDED`" in out
    said = "First let `Invoices` handle `REFUNDED`: its code looks at tags (src/main/java/Invoices.java:13)"
    assert (said in out) is lacks
    assert lacks or "looks at tags" not in out


def test_after_the_wrong_remedy_the_check_is_not_green(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Recorded (F01): both ask for everything, and half of what one of them handles goes to the other, for good."""
    service(tmp_path, "billing", "Invoices", "PAID || REFUNDED || SHIPPED")
    service(tmp_path, "warehouse", "Parcels", "PAID || REFUNDED || SHIPPED")
    code, out = checked(tmp_path, capsys)
    assert code == 1
    assert "error[shared-group]" in out
    assert "Each of them handles about half of the messages and never sees the rest." in out
    assert "Give `warehouse` a group of its own" in out


def test_members_with_other_topics_are_told_to_stop_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service(tmp_path, "billing", "Invoices", "*")
    service(tmp_path, "warehouse", "Parcels", "*", "STOCK")
    _, out = checked(tmp_path, capsys)
    assert "All members stop together, and nothing is lost from then on." in out
    assert "Do not let all subscribe to the same topics" in out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_says_that_a_group_as_a_whole_loses_nothing(lang: str) -> None:
    told = " ".join(language(lang).templates.values())
    assert "as a whole loses nothing" not in told
    assert "整个组不会丢失" not in told


@pytest.mark.parametrize("second", ["x || z", "x", "*"])
@pytest.mark.parametrize("topic", ["T", "U"])
@pytest.mark.parametrize("model", MessageModel)
def test_what_findings_promise_of_a_split_is_what_its_judged_plan_says(
    second: str, topic: str, model: MessageModel
) -> None:
    own = Subscription("T", FilterType.TAG, "x || y")
    other = Subscription(topic, FilterType.TAG, second)
    members = (
        Member("A", ClientKind.PUSH, MessageModel.CLUSTERING, (own,)),
        Member("B", ClientKind.PUSH, model, (other,)),
    )
    setting = Setting("g", members, tuple((name, 4) for name in sorted({"T", topic})))
    plan = regroup.split(setting, {"B": "g-B"}, runs=0)
    assert {one.order for one in plan.ways} == set(regroup.orders_of_split(setting, {"B": "g-B"}))
    paused = plan.way(Order.PAUSE)
    assert paused is not None
    assert paused.is_once is (model is MessageModel.CLUSTERING)
    assert paused.steps[-1].after.is_safe
    if paused.is_once:
        assert paused.is_safe


def test_what_another_strategy_costs_these_members_is_in_the_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service(tmp_path, "billing", "Invoices", "*")
    service(tmp_path, "warehouse", "Parcels", "*")
    code = tmp_path / "billing" / "src" / "main" / "java" / "Invoices.java"
    strategy = "new org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragelyByCircle()"
    text = code.read_text(encoding="utf-8").replace('("orders")', f'("orders", null, {strategy})')
    code.write_text(text, encoding="utf-8")
    found = checked(tmp_path, capsys)[1]
    assert "up to 25 % of the messages wait and 25 % come twice" in found
    assert "`subdrift rollout orders --split warehouse=orders-warehouse`" in found
