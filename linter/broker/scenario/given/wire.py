"""JSON of RocketMQ's own requests: heartbeats, subscriptions and the body of request 203 in, sightings out.

So are the answers of the dashboard, which wrap the same in `data` (`consumerConnection.query`), or list who reads
which queue (`queryTopicByConsumer.query`). A `SubscriptionData` by itself is taken for what the broker holds; inside
a heartbeat it is what one client asks for.
"""

import json
from collections.abc import Iterator
from typing import Final

from subdrift.linter.broker.scenario.given.sightings import Beat, Connection, Entry, Owned, Sightings

KEYS: Final = (
    "consumerDataSet",
    "subscriptionDataSet",
    "subscriptionTable",
    "subString",
    "queueStatInfoList",
)
"""One of these is in every document of this kind."""

_WRAPPED: Final = frozenset(("status", "data"))
"""What the dashboard puts around an answer."""


def documents(text: str) -> Iterator[tuple[object, int]]:
    """The JSON documents of a text, one after the other, each with its first line.

    A document may lack the braces around it, as in an excerpt: `"subscriptionDataSet": [...]`. Raises
    json.JSONDecodeError with the line in the text.
    """
    if text.lstrip().startswith('"'):
        before, _, rest = text.partition('"')
        yield json.loads(f'{before}{{"{rest}\n}}'), text.count("\n", 0, len(before)) + 1
        return
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        if text[at].isspace() or text[at] == ",":
            at += 1
            continue
        value, end = decoder.raw_decode(text, at)
        yield value, text.count("\n", 0, at) + 1
        at = end


def is_wire(value: object) -> bool:
    """Whether a document is one of those."""
    if isinstance(value, list):
        return bool(value) and all(is_wire(one) for one in value)
    if not isinstance(value, dict):
        return False
    return any(key in value for key in KEYS) or (value.keys() >= _WRAPPED and is_wire(value["data"]))


def read(value: object, line: int, found: Sightings) -> None:
    """Take what one document says. What it does not have is left out, what is of a wrong kind is a problem."""
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, dict):
            _wrong(found, line, "expected an object")
        elif one.keys() >= _WRAPPED:
            read(one["data"], line, found)
        elif "queueStatInfoList" in one:
            _queues(one, line, found)
        elif "consumerDataSet" in one:
            _heartbeat(one, line, found)
        elif "subscriptionTable" in one:
            _connection_info(one, line, found)
        elif "subscriptionDataSet" in one:
            _group_data(one, None, line, found)
        elif isinstance(one.get("topic"), str):
            entry = _entry(one, line, found)
            if entry is not None:
                found.table[entry.topic] = (entry, line)
        else:
            _wrong(found, line, "the subscription names no topic")


def _heartbeat(value: dict[str, object], line: int, found: Sightings) -> None:
    client = value.get("clientID")
    for one in _objects(value["consumerDataSet"], "consumerDataSet", line, found):
        _group_data(one, client if isinstance(client, str) else None, line, found)


def _group_data(value: dict[str, object], client: str | None, line: int, found: Sightings) -> None:
    group = value.get("groupName")
    if isinstance(group, str) and found.is_other(group):
        return
    if isinstance(group, str):
        found.groups.setdefault(group, line)
    listed = _objects(value.get("subscriptionDataSet", []), "subscriptionDataSet", line, found)
    entries = [entry for one in listed if (entry := _entry(one, line, found)) is not None]
    found.beats.append(Beat(client, tuple(entries), line))


def _queues(value: dict[str, object], line: int, found: Sightings) -> None:
    """Who reads the queues of a topic, as the dashboard lists it; `clientInfo` is a client id, or empty."""
    topic = value.get("topic")
    if not isinstance(topic, str):
        _wrong(found, line, "the list of queues names no topic")
        return
    for one in _objects(value["queueStatInfoList"], "queueStatInfoList", line, found):
        broker, queue, client = one.get("brokerName"), one.get("queueId"), one.get("clientInfo")
        if not isinstance(broker, str) or not isinstance(queue, int):
            _wrong(found, line, "a queue lacks brokerName or queueId")
            continue
        reader = client if isinstance(client, str) and client else None
        found.owned.append(Owned(topic, broker, queue, reader, line))


def _connection_info(value: dict[str, object], line: int, found: Sightings) -> None:
    for one in _objects(value.get("connectionSet", []), "connectionSet", line, found):
        client, address = one.get("clientId"), one.get("clientAddr", "")
        if isinstance(client, str) and isinstance(address, str):
            found.connections.append(Connection(client, address.rpartition(":")[0], line))
        else:
            _wrong(found, line, "a connection has no clientId")
    table = value["subscriptionTable"]
    if not isinstance(table, dict):
        _wrong(found, line, "subscriptionTable is not an object")
        return
    for topic, held in table.items():
        entry = _entry({"topic": topic, **held}, line, found) if isinstance(held, dict) else None
        if entry is not None:
            found.table[str(topic)] = (entry, line)


def _entry(value: dict[str, object], line: int, found: Sightings) -> Entry | None:
    topic, text = value.get("topic"), value.get("subString")
    kind, version = value.get("expressionType", "TAG"), value.get("subVersion")
    if not isinstance(topic, str) or not isinstance(text, str):
        _wrong(found, line, "a subscription lacks topic or subString")
        return None
    if kind not in ("TAG", "SQL92", "", None):
        _wrong(found, line, f"the expression type of topic {topic!r} is not TAG or SQL92")
        return None
    number = version if isinstance(version, int) and not isinstance(version, bool) else None
    return Entry(topic, text, str(kind or "TAG"), number)


def _objects(value: object, name: str, line: int, found: Sightings) -> list[dict[str, object]]:
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return value
    _wrong(found, line, f"{name} is not a list of objects")
    return []


def _wrong(found: Sightings, line: int, message: str) -> None:
    found.wrong(line, message, "copy the whole JSON, as the broker or the client printed it")
