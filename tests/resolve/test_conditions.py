"""What is done under a condition that nobody knows is done or not: both are told, or that it is not known.

`conditions.toml` has the code. What it comes to with and without the line is what the analyzer says of a program with it,
and of one without.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.analyzer import rows

FOUND = tomllib.loads((Path(__file__).parent / "conditions.toml").read_text(encoding="utf-8"))

Files = Mapping[str, str]
Way = str
"""`with` the line, `without` it, `if` a condition holds or `else` where it does not."""

_JAVA = """package a;
import java.util.*;
import java.util.stream.*;
import org.apache.commons.lang3.StringUtils;
import org.apache.commons.collections4.MapUtils;
import com.google.common.base.Joiner;
import com.google.common.collect.*;
import cn.hutool.core.collection.CollUtil;
import com.alibaba.fastjson.JSON;
import com.aliyun.openservices.ons.api.*;
import com.aliyun.openservices.ons.api.bean.*;
import org.apache.rocketmq.client.apis.*;
import org.apache.rocketmq.client.apis.consumer.*;
import org.apache.rocketmq.client.consumer.*;
import org.apache.rocketmq.common.protocol.heartbeat.MessageModel;
public class Main {
  enum Color { RED, GREEN, BLUE }
  static void open(String group, String topic) throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
    consumer.subscribe(topic, "*");
    consumer.start();
  }
%s
}
"""
_KOTLIN = """package a
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer
fun open(group: String, topic: String) {
  val consumer = DefaultMQPushConsumer(group)
  consumer.subscribe(topic, "*")
  consumer.start()
}
%s
"""
_PYTHON = """import collections, functools, itertools, json, types
import acme
from rocketmq.client import PushConsumer


def opened(group, topic):
    consumer = PushConsumer(group)
    consumer.subscribe(topic, print, "*")
    consumer.start()


%s
"""


def _under(way: Way, line: str, language: str, number: int = 0) -> str:
    """A line as it is done that way."""
    if way in ("with", "without"):
        return line if way == "with" else "pass" if language == "python" else ""
    if language == "python":
        other = "        pass\n    else:\n" if way == "else" else ""
        return f"if acme.on{number}():\n{other}        {line}"
    other = (
        "{ int none; } else "
        if way == "else" and language == "java"
        else "{ } else "
        if way == "else"
        else ""
    )
    return f"if (com.acme.F.on{number}()) {other}{{ {line} }}"


def _collection(language: str, made: str, written: str, given: Sequence[str], way: Way) -> Files:
    """A program with a consumer for each expression, whose topic is what that gives."""
    done = [_under(way, written, language, number) for number in range(len(given))]
    calls = [f"m{number}()" for number in range(len(given))]
    if language == "java":
        methods = [
            f'  static void m{n}() throws Exception {{ {made} {done[n]} open("g{n}", "t" + ({one})); }}'
            for n, one in enumerate(given)
        ]
        main = f"  public static void main(String[] args) throws Exception {{ {'; '.join(calls)}; }}"
        return {"src/main/java/a/Main.java": _JAVA % "\n".join((*methods, main))}
    if language == "kotlin":
        methods = [
            f'fun m{n}() {{\n  {made}\n  {done[n]}\n  open("g{n}", "t" + ({one}))\n}}'
            for n, one in enumerate(given)
        ]
        return {
            "src/main/kotlin/a/Main.kt": _KOTLIN
            % "\n".join((*methods, f"fun main() {{ {'; '.join(calls)} }}"))
        }
    methods = [
        f'def m{n}():\n    {made}\n    {done[n]}\n    opened("g{n}", "t" + ({one}))\n'
        for n, one in enumerate(given)
    ]
    return {"main.py": _PYTHON % "\n".join((*methods, *calls))}


TOGETHER = 8
"""Expressions of one program: each is one more choice."""


def _parts() -> Iterator[dict[str, Any]]:
    for each in FOUND["collection"]:
        given = each["given"]
        yield from ({**each, "given": given[n : n + TOGETHER]} for n in range(0, len(given), TOGETHER))


@pytest.mark.parametrize("each", _parts(), ids=lambda each: f"{each['language']}: {each['given'][0][:40]}")
def test_what_is_written_perhaps_is_there_or_not(each: dict[str, Any]) -> None:
    told = {way: _topics(_collection(**each, way=way)) for way in ("with", "without", "if", "else")}
    for number, one in enumerate(each["given"]):
        group = f"g{number}"
        either = told["with"].get(group, set()) | told["without"].get(group, set())
        assert either, one
        for way in ("if", "else"):
            found = told[way].get(group, set())
            assert None in found | either or None in told[way] or found == either, (
                f"{one}, {way}: {found} for {either}"
            )


def _topics(files: Files) -> dict[str | None, set[str | None]]:
    found: dict[str | None, set[str | None]] = {}
    for row in rows(files):
        found.setdefault(row["group"], set()).add(row["topic"])
    return found


@pytest.mark.parametrize(
    "each", FOUND["client"], ids=lambda each: f"{each['language']}: {each['code'][0][:40]}"
)
def test_what_is_done_to_a_consumer_perhaps_is_done_or_not(each: dict[str, Any]) -> None:
    code, language = each["code"], str(each["language"])
    for number, line in enumerate(code):
        if not line.startswith("?"):
            continue
        told = {}
        for way in ("with", "without", "if", "else"):
            lines = [one for one in code[:number] if one[:1] != "?"]
            lines.append(_under(way, line[1:], language))
            lines += (one for one in code[number + 1 :] if one[:1] != "?")
            told[way] = _said(_client(language, lines))
        assert told["if"] == told["else"] == told["with"] | told["without"], line


def _client(language: str, lines: Sequence[str]) -> Files:
    if language == "java":
        main = "  public static void main(String[] args) throws Exception {\n%s\n  }"
        return {"src/main/java/a/Main.java": _JAVA % (main % "\n".join(lines))}
    body = "\n".join(line.replace("\n    ", "\n") for line in lines)
    return {"main.py": body}


def _said(files: Files) -> set[tuple[str | None, ...]]:
    names = ("group", "topic", "expression", "filter_type", "message_model", "namespace")
    return {tuple(row[name] for name in names) for row in rows(files)}
