"""The version of RocketMQ's Java client that a consumer runs with, for rules about what a version does."""

from __future__ import annotations

import re

from subdrift.linter.model.consumer import Consumer


def client_version(member: Consumer) -> tuple[int, ...] | None:
    """Its three numbers, None where it is not known; other artifacts number theirs differently."""
    if not any(one.endswith(":rocketmq-client") for one in member.traits.artifacts[:1]):
        return None
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", member.version or "")
    return tuple(map(int, numbers.groups())) if numbers else None
