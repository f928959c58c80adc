"""Messages as English text, for tests of rules, stages and sources."""

from __future__ import annotations

from subdrift.linter.model.message import Message
from subdrift.linter.report.language import english


def en(message: Message | None) -> str:
    return english().text(message)


def en_all(messages: tuple[Message, ...]) -> str:
    return " ".join(map(en, messages))
