"""The administrative requests the proof needs, in RocketMQ's remoting protocol (JSON header), standard library only."""

import json
import socket
import struct

UPDATE_AND_CREATE_TOPIC = 17
GET_ROUTE = 105
GET_GROUPS = 201
SET_MESSAGE_REQUEST_MODE = 401
TIMEOUT_S = 5.0


class WireError(Exception):
    """The server answered a code other than 0."""


def call(port: int, code: int, fields: dict[str, str], body: bytes = b"") -> bytes:
    """Sends one request to a local server, awaits its answer and returns the body."""
    header = {"code": code, "language": "PYTHON", "version": 373, "opaque": 1, "flag": 0, "extFields": fields}
    data = json.dumps(header).encode()
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S) as connection:
        connection.sendall(struct.pack(">ii", 4 + len(data) + len(body), len(data)) + data + body)
        stream = connection.makefile("rb")
        (length,) = struct.unpack(">i", stream.read(4))
        answer = stream.read(length)
    (mark,) = struct.unpack(">i", answer[:4])
    end = 4 + (mark & 0xFFFFFF)
    response = json.loads(answer[4:end])
    if response["code"] != 0:
        raise WireError(f"request {code}: {response['code']} {response.get('remark')}")
    return answer[end:]


def create_topic(port: int, topic: str, queues: int) -> None:
    """Creates or changes a topic with as many read as write queues."""
    number = str(queues)
    fields = {"topic": topic, "defaultTopic": "TBW102", "readQueueNums": number, "writeQueueNums": number}
    fields |= {"perm": "6", "topicFilterType": "SINGLE_TAG", "topicSysFlag": "0", "order": "false"}
    call(port, UPDATE_AND_CREATE_TOPIC, fields)


def pop(port: int, topic: str, group: str) -> None:
    """Members of the group that leave rebalancing to the broker pop this topic."""
    settings = {"topic": topic, "consumerGroup": group, "mode": "POP", "popShareQueueNum": -1}
    call(port, SET_MESSAGE_REQUEST_MODE, {}, json.dumps(settings).encode())
