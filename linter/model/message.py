"""A sentence before it has a language: a code and parameters, as rules and stages say it.

Reports turn it into text (`linter.report.language`). A parameter is a text that stands as it is (a name, a number,
code), or a row of messages (the sides of a disagreement), which a report joins as its language does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

PHRASE_BEGINS: Final = "‹"
PHRASE_ENDS: Final = "›"
PHRASE_PARTS: Final = "‖"


class Message(Struct, frozen=True, order=True):
    """`code` names a template of every language; a test holds the parameters against the templates."""

    code: str
    values: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, tuple[Message, ...]], ...] = ()

    def value(self, name: str) -> str:
        """The text of a parameter, "" where there is none of that name."""
        return dict(self.values).get(name, "")

    def row(self, name: str) -> tuple[Message, ...]:
        """The messages of a parameter, none where there is none of that name."""
        return dict(self.rows).get(name, ())


def say(code: str, /, **parameters: str | int | Message | Iterable[Message]) -> Message:
    """The message of that code. A single message as a parameter is a row of one."""
    values: list[tuple[str, str]] = []
    rows: list[tuple[str, tuple[Message, ...]]] = []
    for name, given in parameters.items():
        if isinstance(given, str | int):
            values.append((name, str(given)))
        else:
            rows.append((name, (given,) if isinstance(given, Message) else tuple(given)))
    return Message(code, tuple(values), tuple(rows))


class UnusableError(Exception):
    """Input that cannot be used. `message` says what is wrong with it, where, and what helps."""

    def __init__(self, said: str | Message, /, **parameters: str | int | Message | Iterable[Message]) -> None:
        """A message, or its code with the parameters."""
        self.message = say(said, **parameters) if isinstance(said, str) else said
        super().__init__(self.message)


def verbatim(text: str) -> Message:
    """Text that is the same in every language: names and code."""
    return Message("verbatim", (("text", text),))


def quoted(text: str) -> Message:
    """A name or a piece of code, in the quotes that reports give to code."""
    return Message("quoted", (("text", text),))


def phrase(code: str, /, *names: str | int) -> str:
    """Words of the analysis inside a text of the program: a code and names, which reports put into words.

    What a value hangs on is mostly code (`args[0]`), and code may follow such words (`an injected Config.topic()`), so a
    phrase is a piece of text. A name may hold phrases.
    """
    return f"{PHRASE_BEGINS}{PHRASE_PARTS.join((code, *map(str, names)))}{PHRASE_ENDS}"


def names_of(text: str, code: str) -> tuple[str, ...]:
    """The names in a text that is this phrase and nothing else; none where it is not."""
    inner = text.removeprefix(PHRASE_BEGINS).removesuffix(PHRASE_ENDS)
    first, *names = inner.split(PHRASE_PARTS)
    return tuple(names) if first == code and text == phrase(code, *names) else ()
