"""Public libraries that make RocketMQ consumers in their own words and are not read: a file that uses one is told.

What is read stands in `linter.clients.apis` and `linter.clients.python`; annotations of starters whose names tell what
they are, in `linter.resolve.declared_apis`.
"""

from __future__ import annotations

import re

from msgspec import Struct


class Wrapper(Struct, frozen=True):
    """`uses` is the pattern of how a file names the library, `makes` of how it makes a consumer, `own` the package of its own
    sources. A file without any of the `words` does not: they are found in a hundredth of the time."""

    name: str
    words: tuple[bytes, ...]
    uses: bytes
    makes: bytes
    own: bytes = b""


WRAPPERS = (
    Wrapper(
        "OpenMessaging 1",
        (b"io.openmessaging.",),
        rb"\bio\.openmessaging\.(?!api\b)",
        rb"\.create(?:Push|Pull|Streaming)Consumer\s*\(",
        b"package io.openmessaging",
    ),
    Wrapper(
        "Apache Camel",
        (b"rocketmq:",),
        rb"rocketmq:",
        rb"\bfrom\w*\(\s*\"rocketmq:",
        b"package org.apache.camel",
    ),
    Wrapper(
        "Flink's connector",
        (b"RocketMQSource",),
        rb"\borg\.apache\.(?:flink\.connector\.rocketmq|rocketmq\.flink)\.",
        rb"\bnew\s+RocketMQSource\w*\b|\bRocketMQSource\s*\.\s*(?:<[^>]*>\s*)?builder\b",
        b"package org.apache.",
    ),
    Wrapper(
        "RocketMQ for Spark",
        (b".rocketmq.spark.",),
        rb"\borg\.apache\.rocketmq\.spark\.",
        rb"\bRocketMqUtils\s*\.\s*create\w*Stream\b|\bnew\s+\w*RocketMQReceiver\b",
        b"package org.apache.",
    ),
    Wrapper(
        "RocketMQ for Storm",
        (b".storm.rocketmq.", b".rocketmq.storm."),
        rb"\borg\.apache\.(?:storm\.rocketmq|rocketmq\.storm)\.",
        rb"\bnew\s+\w*Rocket(?:MQ|Mq)Spout\b",
        b"package org.apache.",
    ),
    Wrapper(
        "RocketMQ Streams",
        (b".rocketmq.streams.",),
        rb"\borg\.apache\.rocketmq\.streams\.",
        rb"\bnew\s+StreamBuilder\b|\.from[rR]ocketmq\s*\(",
        b"package org.apache.",
    ),
    Wrapper(
        "the starter of thierrysquirrel",
        (b"@RocketListener",),
        rb"\bcom\.github\.thierrysquirrel\.",
        rb"@RocketListener\b",
        b"package com.github.thierrysquirrel",
    ),
    Wrapper(
        "the starter of hiwepy",
        (b"@Rocketmq",),
        rb"\borg\.apache\.rocketmq\.spring\.boot\.annotation\.",
        rb"@Rocketmq(?:Push|Pull)\w+",
        b"package org.apache.",
    ),
    Wrapper(
        "funboost",
        (b"BrokerEnum.",),
        rb"\bfunboost\b|\bfunction_scheduling_distributed_framework\b",
        rb"=\s*BrokerEnum\.\w*ROCKETMQ\w*",
    ),
    Wrapper(
        "a bridge to the JVM",
        (b"jpype", b"jnius", b"py4j"),
        rb"\b(?:jpype|jnius|py4j)\b",
        rb"\borg\.apache\.rocketmq\.client\.\w+\.\w*Consumer\b",
    ),
)

_WORDS = (b"ocket", b"ROCKETMQ", b"openmessaging")
"""A file without any of them uses none."""


def wrapper_in(content: bytes) -> tuple[str, int]:
    """The library that a file makes a consumer with, and the line, "" where it uses none of them."""
    if any(word in content for word in _WORDS):
        for row in WRAPPERS:
            made = re.search(row.makes, content) if any(word in content for word in row.words) else None
            if made is not None and re.search(row.uses, content) and not (row.own and row.own in content):
                return row.name, content.count(b"\n", 0, made.start()) + 1
    return "", 1
