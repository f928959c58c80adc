"""Binders of Spring Cloud Stream: what each version of them does with a binding."""

from __future__ import annotations

import re
from enum import Enum

ARTIFACTS = ("spring-cloud-starter-stream-rocketmq", "spring-cloud-stream-binder-rocketmq")

COORDINATES = tuple(
    f"{group}:{artifact}"
    for group in ("com.alibaba.cloud", "org.springframework.cloud")
    for artifact in ARTIFACTS
)

OTHER_BINDER = re.compile(r"spring-cloud-(?:starter-stream|stream-binder)-(?!rocketmq)[a-z]")

NUMBER = re.compile(r"\d+")


class Family(Enum):
    """Which keys a binder reads."""

    OLD = "old"  # tags, sql, broadcasting, orderly
    NEW = "new"  # subscription, messageModel, push.orderly
    UNKNOWN = "unknown"


class Anonymous(Enum):
    """What a binder does for an input without a group."""

    REFUSED = "refused"  # it does not start
    PUSH_ONLY = "push-only"  # a name made of the destination, but not for polled inputs
    NAMED = "named"
    UNKNOWN = "unknown"


def binder_version(text: str | None) -> tuple[Family, Anonymous]:
    """What the version of the binder decides; everything is unknown without one.

    Mirrors the RocketMQ binder of spring-cloud-alibaba: RocketMQConsumerProperties and
    RocketMQMessageChannelBinder#createConsumerEndpoint, 2.0.x to 2023.0.x.
    """
    number = tuple(int(part) for part in NUMBER.findall(text or "")[:4])
    if not number or text is None:
        return Family.UNKNOWN, Anonymous.UNKNOWN
    if "RocketMQ-RC" in text:
        return Family.NEW, Anonymous.UNKNOWN
    if number[0] >= 2022:
        return Family.NEW, Anonymous.NAMED
    if number[0] == 2021:
        if number[1:2] != (0,):
            return Family.OLD, Anonymous.REFUSED  # 2021.1
        if number[:4] <= (2021, 0, 1, 0):
            return Family.NEW, Anonymous.REFUSED
        return Family.NEW, Anonymous.NAMED if number >= (2021, 0, 4) else Anonymous.UNKNOWN
    if number[0] >= 2020:
        return Family.OLD, Anonymous.REFUSED
    if number < (2, 2, 7):
        return Family.OLD, Anonymous.REFUSED
    if number[:3] == (2, 2, 7):
        return Family.NEW, Anonymous.REFUSED
    return Family.NEW, Anonymous.PUSH_ONLY if number[:3] == (2, 2, 8) else Anonymous.NAMED
