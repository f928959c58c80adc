"""Sends and consumers joined by topic: what is said of the sample organisation, and the shapes of the JSON."""

from __future__ import annotations

import io
import json
from contextlib import chdir, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from subdrift.linter import cli
from subdrift.linter.report.language import language

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "linter" / "report" / "schemas"


@cache
def said(*arguments: str) -> str:
    out = io.StringIO()
    with chdir(ROOT), redirect_stdout(out):
        assert cli.run([*arguments, "--org", "fixtures/senders", "--no-cache"]) == 0
    return out.getvalue()


def topics() -> dict[str, dict[str, Any]]:
    return {one["topic"]: one for one in json.loads(said("topics", "--output-format=json"))["topics"]}


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def test_the_json_keeps_its_schemas() -> None:
    jsonschema.validate(json.loads(said("topics", "--output-format=json")), schema("topics"))
    lines = said("list", "--sends", "--output-format=jsonl").splitlines()
    assert len(lines) > 4
    for line in lines:
        jsonschema.validate(json.loads(line), schema("sends"))


def test_what_nobody_sends_or_reads_is_said() -> None:
    found = topics()
    assert {name for name, one in found.items() if one["nobody_sends"]} == {"REFUND"}
    assert {name for name, one in found.items() if one["nobody_reads"]} == {"PARCEL", "REPORT"}
    assert found["PAYMENT"]["tags_nobody_reads"] == ["REFUNDED"]
    assert found["PAYMENT"]["tags_nobody_sends"] == ["CHARGED_BACK"]
    assert found["PAYMENT"]["tags"] == [
        {"tag": "PAID", "groups": ["points", "shipping"]},
        {"tag": "REFUNDED", "groups": []},
    ]


READER = """
from rocketmq.client import PushConsumer
consumer = PushConsumer("points")
consumer.subscribe("PAID", print)
consumer.start()
"""
SENDER = """
import sys
from rocketmq.client import Message, Producer
producer = Producer("p")
producer.start()
producer.send_sync(Message(sys.argv[1]))
"""


def test_who_sends_is_not_known_where_a_send_has_a_topic_that_is_not(tmp_path: Path) -> None:
    def text() -> str:
        out = io.StringIO()
        with redirect_stdout(out):
            assert cli.run(["topics", str(tmp_path), "--isolated", "--no-cache"]) == 0
        return out.getvalue()

    (tmp_path / "reader.py").write_text(READER, "utf-8")
    assert "nobody in this run sends to it" in text()
    (tmp_path / "sender.py").write_text(SENDER, "utf-8")
    assert "nobody in this run" not in text()
    assert "no send to it is known" in text()


def test_a_send_stands_where_its_tag_is_given() -> None:
    places = {
        (one["tag"], one["path"].rpartition("/")[2], one["line"]) for one in topics()["ORDER"]["senders"]
    }
    assert places == {("CREATED", "OrderService.java", 22), ("CANCELLED", "OrderService.java", 26)}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_topic_is_shown_alone(lang: str) -> None:
    text = said("topics", "--topic=PAYMENT", f"--lang={lang}")
    assert f"PAID -> points{language(lang).comma}shipping" in text
    assert "ORDER" not in text


def documents() -> dict[str, dict[str, Any]]:
    lines = map(json.loads, said("topics", "--output-format=asyncapi").splitlines())
    return {one["info"]["title"]: one for one in lines}


def test_an_application_has_a_document_of_what_it_sends_and_reads() -> None:
    found = documents()
    assert list(found) == ["payment", "points", "refund", "report", "shipping", "shop"]
    payment = found["payment"]["operations"]
    assert {(one["action"], key) for key, one in payment.items()} == {
        ("receive", "receive.ORDER.payment-orders"),
        ("send", "send.PAYMENT"),
    }
    assert [one["line"] for one in payment["send.PAYMENT"]["x-places"]] == [12, 16]
    assert payment["receive.ORDER.payment-orders"]["x-rocketmq"]["group"] == "payment-orders"


def test_every_reference_of_a_document_leads_somewhere() -> None:
    def references(node: Any) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if "$ref" in node else []
            return own + [one for each in node.values() for one in references(each)]
        return [one for each in node for one in references(each)] if isinstance(node, list) else []

    for document in documents().values():
        found = references(document)
        assert found
        for one in found:
            held: Any = document
            for key in one.removeprefix("#/").split("/"):
                held = held[key]


def test_the_graph_has_every_topic_and_a_dashed_frame_where_nobody_sends_or_reads() -> None:
    lines = said("topics", "--output-format=dot").splitlines()
    dashed = {line.split('"')[1] for line in lines if "style=dashed" in line}
    assert dashed == {"t PARCEL", "t REFUND", "t REPORT"}
    assert '  "s payment" -> "t PAYMENT" [label="PAID, REFUNDED"];' in lines
