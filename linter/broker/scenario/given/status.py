"""`mqadmin consumerStatus`: the list of clients, and what each of them answers, in.

The list names the files that hold the answers; several of them are told apart by the lines that `tail -n +1 FILES` puts
between them (`==> 1795478908402/10.0.0.5@1#2 <==`). Whether it calls the subscriptions the same says nothing of what the
broker holds: it compares texts, and nothing in the first two minutes.

Mirrors: ConsumerStatusSubCommand of the tools, ConsumerRunningInfo#formatString, RocketMQ 4.8.0 to 5.3.3.
"""

import re
from collections.abc import Callable
from typing import Final

from subdrift.linter.broker.scenario.given.sightings import Beat, Connection, Entry, Owned, Sightings

_LISTED: Final = re.compile(r"\d+\s+(?P<id>\S+@\S+)\s+(?:V\d\w*|HIGHER_VERSION)\s+\S+/(?P=id)")
_FILE: Final = re.compile(r"==> (?:\S*/)?(?P<id>[^/\s]+@[^/\s]+) <==")
_SUBSCRIBED: Final = re.compile(
    r"\d{3}\s+Topic: (?P<topic>\S+)\s+ClassFilter: \S+\s+SubExpression: (?P<text>.*)"
)
_SECTION: Final = re.compile(r"#Consumer (?P<name>[A-Z][^#]*)#|#(?P<stack>[^# ]*stack[^#]*)#")
_GROUP: Final = re.compile(r"consumerGroup\s+: (?P<group>\S+)")
_VERDICTS: Final = ("Same subscription in the same group", "WARN: Different subscription in the same group")
_OTHERS: Final = ("#ClientId  ", "#SubExpression", "#Diff", "Below is subscription:")
"""Heads of the tables of other commands, which may follow."""
_QUEUE: Final = re.compile(r"(?P<topic>\S+)\s+(?P<broker>\S+)\s+(?P<queue>\d{1,9})\s+ProcessQueueInfo \[.*")


class Status:
    """Reads line by line; knows whose answer it is in, and in which part of it."""

    def __init__(self, found: Sightings) -> None:
        self._found = found
        self._client: str | None = None
        self._part: Callable[[str, int], None] | None = None
        self._other = False
        """Whether the answer is about another group than the one that is asked about."""

    def line(self, text: str, number: int) -> bool:
        """Whether the line is one of that command."""
        stripped = text.strip()
        if listed := _LISTED.fullmatch(stripped):
            client = listed["id"]
            self._found.connections.append(Connection(client, client.partition("@")[0], number))
            return True
        if file := _FILE.fullmatch(stripped):
            self._client, self._part = file["id"], None
            return True
        if stripped.startswith(_VERDICTS):
            self._found.skip(
                number,
                "consumerStatus compares the texts that clients ask for, not what the broker holds",
                "add the output of mqadmin consumerConnection",
            )
            return True
        if section := _SECTION.fullmatch(stripped):
            self._begin(section["name"] or "", number)
            return True
        if any(word in stripped for word in _OTHERS):
            self._part = None
        if self._part is not None:
            self._part(text.rstrip(), number)
            return True
        return stripped.startswith(("#Index", "Rebalance "))

    def _begin(self, name: str, number: int) -> None:
        parts = {"Properties": self._property, "Subscription": self._subscribed, "MQ Detail": self._queue}
        self._part = parts.get(name, lambda _text, _number: None)
        if name == "Properties":
            self._other = False
        if name == "Subscription" and not self._other:
            self._found.beats.append(Beat(self._client, (), number))

    def _property(self, text: str, number: int) -> None:
        if row := _GROUP.fullmatch(text):
            self._other = self._found.is_other(row["group"])
            if not self._other:
                self._found.groups.setdefault(row["group"], number)

    def _subscribed(self, text: str, number: int) -> None:
        row = _SUBSCRIBED.fullmatch(text)
        if row is not None and not self._other:
            last = self._found.beats[-1]
            entry = Entry(row["topic"], row["text"], None)
            self._found.beats[-1] = Beat(last.client_id, (*last.entries, entry), last.line)

    def _queue(self, text: str, number: int) -> None:
        row = _QUEUE.fullmatch(text)
        if row is None or self._other or "droped=true" in text:
            return
        if self._client is None:
            self._found.skip(
                number,
                f"queue {row['queue']} of {row['topic']} is read by a client that is not named",
                "put `==> CLIENT-ID <==` above what it answered, as tail -n +1 does for several files",
            )
            return
        queue = Owned(row["topic"], row["broker"], int(row["queue"]), self._client, number, own=True)
        self._found.owned.append(queue)
