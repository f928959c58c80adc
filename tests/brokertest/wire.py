"""The two administrative requests the proof needs, in RocketMQ's remoting protocol (JSON header), standard library only."""

import json
import socket
import struct

UPDATE_AND_CREATE_TOPIC = 17
GET_ROUTE = 105
TIMEOUT_S = 5.0


class WireError(Exception):
    """The server answered a code other than 0."""


def call(port: int, code: int, fields: dict[str, str]) -> None:
    """Sends one request to a local server and awaits its answer."""
    header = {"code": code, "language": "PYTHON", "version": 373, "opaque": 1, "flag": 0, "extFields": fields}
    data = json.dumps(header).encode()
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S) as connection:
        connection.sendall(struct.pack(">ii", 4 + len(data), len(data)) + data)
        stream = connection.makefile("rb")
        (length,) = struct.unpack(">i", stream.read(4))
        answer = stream.read(length)
    (mark,) = struct.unpack(">i", answer[:4])
    response = json.loads(answer[4 : 4 + (mark & 0xFFFFFF)])
    if response["code"] != 0:
        raise WireError(f"request {code}: {response['code']} {response.get('remark')}")


def create_topic(port: int, topic: str, queues: int) -> None:
    """Creates or changes a topic with as many read as write queues."""
    number = str(queues)
    fields = {"topic": topic, "defaultTopic": "TBW102", "readQueueNums": number, "writeQueueNums": number}
    fields |= {"perm": "6", "topicFilterType": "SINGLE_TAG", "topicSysFlag": "0", "order": "false"}
    call(port, UPDATE_AND_CREATE_TOPIC, fields)
