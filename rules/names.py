"""What RocketMQ accepts as the name of a group or topic. Mirrors Validators and TopicValidator, 4.8.0 to 5.3.3."""

from __future__ import annotations

import re
from typing import Final

_ALLOWED: Final = re.compile(r"[%|a-zA-Z0-9_-]+")


def units(name: str) -> int:
    """Its length as Java counts it: in UTF-16 units."""
    return len(name.encode("utf-16-le", "surrogatepass")) // 2


def illegal_character(name: str) -> str | None:
    """The first character that no name may hold."""
    return next((char for char in name if not _ALLOWED.fullmatch(char)), None)
