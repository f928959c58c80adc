"""Rollouts: the careful order loses nothing, the careless one is shown with its price, what cannot be planned is refused."""

import json
import os
import re
import shlex
from fractions import Fraction
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from subdrift.linter.broker.rollout import Change, Do, RolloutError, plan
from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.vocabulary import ClientKind, FilterType, MessageModel, Subscription
from subdrift.linter.cli import run
from subdrift.linter.model.prediction import Share
from subdrift.linter.report import rollouts
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.linter.report.terminal import Style, cells
from tests.said import refused

ROOT = Path(__file__).parents[2]
HALF_TO_ALL = Share(Fraction(1, 2), Fraction(1))


def member(name: str, expression: str, kind: FilterType = FilterType.TAG) -> Member:
    own = Subscription("T", kind, expression)
    return Member(name, ClientKind.PUSH, MessageModel.CLUSTERING, (own,))


def group(*expressions: str) -> list[Member]:
    return [member(name, text) for name, text in zip("XYZ", expressions, strict=False)]


@pytest.mark.parametrize(
    ("now", "goal", "change", "done"),
    [
        (("A", "A"), "A || B", Change.WIDEN, "restart restart start-sending"),
        (("A || B", "A||B"), "A", Change.NARROW, "stop-sending wait-until-consumed restart restart"),
        (
            ("A", "A"),
            "B",
            Change.REPLACE,
            "restart restart start-sending stop-sending wait-until-consumed restart restart",
        ),
        (
            ("A", "B"),
            "A || B",
            Change.WIDEN,
            "stop-sending wait-until-consumed restart restart start-sending",
        ),
        (("*",), "A", Change.NARROW, "stop-sending wait-until-consumed restart"),
        (("A || B", "B || A"), "A || B", Change.NOTHING, "restart"),
        (("A", "A"), "A", Change.NOTHING, ""),
    ],
)
def test_nothing_that_is_sent_is_lost_in_the_careful_order(
    now: tuple[str, ...], goal: str, change: Change, done: str
) -> None:
    found = plan("T", group(*now), goal, queues=2)
    assert found.change is change
    assert " ".join(one.do.value for one in found.careful) == done
    assert all(one.after.is_safe for one in found.careful)
    final = found.careful[-1].after if found.careful else found.now
    assert {text for _, text in final.expressions} == {goal}


def test_the_careless_order_has_its_price_in_the_states_between() -> None:
    found = plan("T", group("A", "A"), "B", queues=2)
    first, last = found.careless
    assert [(one.tag, one.lost) for one in first.after.losses] == [("A", HALF_TO_ALL), ("B", HALF_TO_ALL)]
    assert all(Fraction(1, 2) <= one.usually <= 1 for one in first.after.losses)
    # nobody wants A any more: what is passed over is not lost
    assert [(one.tag, one.lost.is_possible) for one in last.after.losses] == [("A", False), ("B", False)]
    assert {one.do for one in found.careless} == {Do.RESTART}


def test_what_a_group_loses_today_is_said() -> None:
    now = plan("T", group("A", "B"), "A || B", queues=2).now
    assert [(one.tag, one.lost) for one in now.losses] == [("A", HALF_TO_ALL), ("B", HALF_TO_ALL)]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "no member subscribes"),
        ([member("X", "a = 1", FilterType.SQL92)], "tags only"),
        ([Member("X", ClientKind.PUSH, MessageModel.CLUSTERING, ())], "X does not subscribe to 'T'"),
        ([member(f"M{number}", "A") for number in range(13)], "at most 12"),
        ([member("X", " || ".join(f"T{number}" for number in range(25)))], "at most 24"),
    ],
)
def test_what_cannot_be_planned_says_why(members: list[Member], message: str) -> None:
    with refused(RolloutError, message):
        plan("T", members, "A")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100])
def test_the_text_fits_the_width(width: int, lang: str) -> None:
    text = rollouts.render(
        plan("T", group("A || B", "A || B"), "A || C", queues=2), "g", Style(width=width), language(lang)
    )
    assert max(map(cells, text.splitlines())) <= width
    assert not any(line.lstrip().startswith("%") for line in text.splitlines())
    golden = (
        ROOT / "fixtures" / "golden" / "formats" / f"rollout-{width}{'' if lang == 'en' else f'.{lang}'}.txt"
    )
    if os.environ.get("SUBDRIFT_GOLDEN") == "write":
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def test_the_json_matches_its_schema() -> None:
    path = ROOT / "linter" / "report" / "schemas" / "rollout.schema.json"
    document = rollouts.document(plan("T", group("A", "B"), "A", queues=2), "g")
    jsonschema.validate(document, json.loads(path.read_text("utf-8")))
    assert document["now"]["safe"] is False


def test_the_examples_of_the_page_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "rollout.md").read_text("utf-8")
    ((file, text),) = re.findall(r"^`([\w.]+)`\n```\w+\n(.*?)^```$", page, re.M | re.S)
    (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    examples = re.findall(r"^```console\n\$ subdrift ([^\n]*)\n(.*?)^```$", page, re.M | re.S)
    assert len(examples) == 3
    for command, expected in examples:
        assert run(shlex.split(command)) == 0
        assert capsys.readouterr().out == expected


JAVA = """
package app;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class {name} {{
  public static void main(String[] arguments) throws Exception {{
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("orders");
    consumer.subscribe("ORDERS", {tags});
    consumer.start();
  }}
}}
"""


def test_members_come_from_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("Checkout", "Warehouse"):
        (tmp_path / f"{name}.java").write_text(JAVA.format(name=name, tags='"PAID"'), encoding="utf-8")
    where = [str(tmp_path), "--no-cache", "--output-format", "json"]
    assert run(["rollout", "orders", "ORDERS", "--to", "PAID || SHIPPED", *where]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["member"] for one in found["now"]["members"]] == ["Checkout.main", "Warehouse.main"]
    assert [one["do"] for one in found["careful"]] == ["restart", "restart", "start-sending"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["other", "ORDERS", "--to", "A"], "groups that were found: orders"),
        (["orders", "OTHER", "--to", "A"], "its topics: ORDERS"),
        (["orders", "ORDERS", "--to", "||"], "separators only"),
        (["orders", "ORDERS", "--to", "A"], "the tags of this consumer are not known"),
        (["orders", "ORDERS", "--to", "A", "--scenario", "x.toml"], "give either --scenario FILE"),
    ],
)
def test_a_rollout_that_cannot_be_said_ends_with_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Checkout.java").write_text(
        JAVA.format(name="Checkout", tags='System.getenv("TAGS")'), encoding="utf-8"
    )
    assert run(["rollout", *arguments, str(tmp_path), "--no-cache"]) == 2
    assert message in capsys.readouterr().err
