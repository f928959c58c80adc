"""The tables of RocketMQ's console: lines of `mqadmin consumerConnection` and `consumerProgress` in, sightings out.

Column widths, headers and line breaks differ between 4.x and 5.x; both are read. Mirrors: ConsumerConnectionSubCommand,
ConsumerProgressSubCommand of the tools, RocketMQ 4.3.0 to 5.3.3.
"""

import re
from collections.abc import Callable
from typing import Final

from subdrift.linter.broker.scenario.given.sightings import Connection, Entry, Owned, Sightings

_CONNECTION: Final = re.compile(
    r"(?:\d{3}\s+)?(?P<id>\S+)\s+(?P<ip>\S+):\d+\s+[A-Z_]+\s+(?:V\d\w*|HIGHER_VERSION)\s*"
)
_NUMBERED: Final = re.compile(
    r"(?:Below is subscription:)?\d{3}\s+Topic: (?P<topic>\S+)\s*SubExpression: (?P<text>.*)"
)
_BELOW: Final = "Below is subscription:"
_TOPIC_WIDTH: Final = 20
_ENDS: Final = ("ConsumeType:", "MessageModel:", "ConsumeFromWhere:")
_CUTS: Final = (32, 64)
"""`consumerProgress` cuts longer topic names off; the width differs between versions."""
_NOBODY: Final = ("NA", "N/A", "null")


class Console:
    """Reads line by line; knows in which table it is."""

    def __init__(self, found: Sightings) -> None:
        self._found = found
        self._row: Callable[[str, int], bool] | None = None
        self._has_ip = False

    def line(self, text: str, number: int) -> bool:
        """Whether the line is one of a console table, or belongs to one."""
        stripped = text.strip()
        if numbered := _NUMBERED.fullmatch(stripped):
            self._row = None
            self._entry(numbered["topic"], numbered["text"], number)
            return True
        if stripped.startswith(_BELOW):
            self._row = None
            return True
        if header := self._header(stripped, number):
            self._row = header
            return True
        if stripped.startswith(_ENDS):
            self._row = None
            return True
        if not stripped:
            self._row = None
            return False
        if self._row is not None:
            return self._row(text, number)
        if connection := _CONNECTION.fullmatch(stripped):
            return self._connected(connection, number)
        return False

    def _header(self, text: str, number: int) -> Callable[[str, int], bool] | None:
        """The reader of the rows below a header line, None for other lines."""
        if text.startswith("#ClientId"):
            return self._connection
        if text.startswith("#Topic") and "#SubExpression" in text:
            return self._subscription
        if text.startswith("#Topic") and "#QID" in text:
            self._has_ip = "#Client IP" in text
            if not self._has_ip:
                self._found.skip(
                    number,
                    "the table does not say who reads which queue",
                    "run consumerProgress with -s true (5.x), or with tools that print #Client IP",
                )
            return self._progress
        if text.startswith("#Group"):
            self._found.skip(
                number, "this is the overview of all groups", "run consumerProgress with -g GROUP"
            )
            return lambda _text, _number: True
        return None

    def _connected(self, row: re.Match[str], number: int) -> bool:
        self._found.connections.append(Connection(row["id"], row["ip"], number))
        return True

    def _connection(self, text: str, number: int) -> bool:
        row = _CONNECTION.fullmatch(text.strip())
        if row is None:
            self._found.wrong(
                number,
                "expected client id, address, language and version",
                "give the line as mqadmin printed it",
            )
            return True
        return self._connected(row, number)

    def _subscription(self, text: str, number: int) -> bool:
        topic, *rests = text.lstrip().split(None, 1)
        rest = rests[0] if rests else ""
        # an expression may begin with a space: the column tells, where the line was not shifted
        column = max(_TOPIC_WIDTH, len(topic)) + 1
        between = text[len(topic) : column]
        shifted = text[:1].isspace() or between.strip(" ") != ""
        self._entry(topic, rest.strip() if shifted else text[column:], number)
        return True

    def _entry(self, topic: str, expression: str, number: int) -> None:
        self._found.table[topic] = (Entry(topic, expression, None), number)

    def _progress(self, text: str, number: int) -> bool:
        parts = text.split()
        if len(parts) < (7 if self._has_ip else 6) or not all(_is_number(one) for one in parts[2:5]):
            self._found.wrong(
                number,
                "expected topic, broker, queue number and offsets",
                "give the line as mqadmin printed it; names with spaces cannot be read",
            )
            return True
        if self._has_ip:
            client = None if parts[5] in _NOBODY else parts[5]
            cut = len(parts[0]) in _CUTS
            self._found.owned.append(Owned(parts[0], parts[1], int(parts[2]), client, number, cut))
        return True


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 20
