"""Messages of one cause -> the one message that says it for all of them: what they name is listed, once each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from subdrift.linter.model.message import Message, say, verbatim

NAMED_MAX: Final = 3
"""Names, keys or reasons that a sentence lists; of further ones it says how many."""

_FIELDS: Final = tuple(
    f"field.{name}"
    for name in (
        "consumer", "group", "namespace", "topic", "filter_type", "expression", "message_model", "consume_mode",
    )
)  # fmt: skip
"""What is not known of a consumer, in the order of a sentence."""
_OF_GROUP: Final = ".of-group"


def together(every: Iterable[Message]) -> Message:
    """One of them where they are equal. A group is named where it is one; numbers are added up."""
    distinct = tuple(dict.fromkeys(every))
    first = distinct[0]
    if len(distinct) == 1:
        return first
    code = first.code
    if len({(one.code, one.value("group")) for one in distinct}) > 1:
        code = code.removesuffix(_OF_GROUP)
    values: list[tuple[str, str]] = []
    rows: list[tuple[str, tuple[Message, ...]]] = []
    for name, text in first.values:
        texts = tuple(dict.fromkeys(one.value(name) for one in distinct))
        if name == "count":
            values.append((name, str(sum(int(one.value(name)) for one in distinct))))
        elif len(texts) == 1 or name == "path":
            values.append((name, text))
        elif name != "group":
            rows.append((name, _listed(_as_it_is(name, each) for each in texts)))
    rows += [(name, _joined(name, [one.row(name) for one in distinct])) for name, _ in first.rows]
    return Message(code, tuple(values), tuple(rows))


def _joined(name: str, every: Sequence[tuple[Message, ...]]) -> tuple[Message, ...]:
    found = tuple(dict.fromkeys(one for row in every for one in row))
    if name == "field":
        return tuple(sorted(found, key=lambda one: _FIELDS.index(one.code)))
    telling = tuple(one for one in found if one.values or one.rows) or found
    alike = name in ("reason", "help") and len({one.code for one in telling}) == 1
    return (together(telling),) if alike else _listed(found)


def _listed(every: Iterable[Message]) -> tuple[Message, ...]:
    found = tuple(dict.fromkeys(every))
    left = len(found) - NAMED_MAX
    return (*found[:NAMED_MAX], say("more", count=left)) if left > 0 else found


def _as_it_is(name: str, text: str) -> Message:
    return say("hangs-on", detail=text) if name == "detail" else verbatim(text)
