"""What a clean run tells beside its counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter import pipeline
from subdrift.linter.report import summary
from subdrift.linter.report.content import Aside, Content, Why
from subdrift.linter.sources.checkout import Repository
from tests.report import sample

CODE = """import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class {name} {{ public static void main(String[] x) throws Exception {{
  DefaultMQPushConsumer c = new DefaultMQPushConsumer("g");
  c.setNamesrvAddr("{address}");
  c.subscribe("t", "{tag}");
  c.start();
}} }}
"""


@pytest.mark.parametrize(
    ("addresses", "told"),
    [
        (
            ("h1:9876", "h2:9876"),
            [
                "A.java:3:29: members of group `g` at different addresses are not compared: `h1:9876`, `h2:9876`"
            ],
        ),
        (("h1:9876;h2:9876", "h2:9876"), []),
        (("localhost:9876", "127.0.0.1:9876"), []),
    ],
)
def test_members_at_different_addresses_are_named(
    tmp_path: Path, addresses: tuple[str, str], told: list[str]
) -> None:
    for name, address in zip("AB", addresses, strict=True):
        code = CODE.format(name=name, address=address, tag="same")
        (tmp_path / f"{name}.java").write_text(code, encoding="utf-8")
    result = pipeline.analyse(
        [Repository("r", str(tmp_path))], rules.ALL, options=pipeline.Options(workers=1)
    )
    assert summary.idle(Content("", (), (), result.consumers, 2, "r")) == told


def test_the_verdict_comes_first_also_where_no_group_disagrees() -> None:
    calm = replace(sample.CONTENT, findings=(sample.CROPPED,))
    assert summary.headline(calm) == "2 groups, no disagreement found."
    assert summary.headline(replace(calm, findings=(), diagnostics=())) == "", "the last line says it"
    assert summary.headline(replace(calm, findings=(replace(sample.TOPIC_ONLY, suppressed="known"),))) == ""
    assert summary.headline(replace(calm, aside=(Aside(Why.OLD, (sample.TAGS,)),))) == ""


def test_groups_of_tests_are_counted_beside_the_others() -> None:
    test = replace(sample.CONSUMERS[3], group=sample.value("test-cg"))
    content = replace(sample.CONTENT, consumers=(*sample.CONSUMERS[:3], test))
    assert "3 groups (1 in test or sample code alone); " in summary.scope(content)
    assert "2 groups; " in summary.scope(replace(content, consumers=content.consumers[:3]))
    assert "1 group; " in summary.scope(replace(content, consumers=(test,)))
