"""The ways of declaring a subscription, as far as resolution, rules and model need to know them.

Extraction has its own table on top (`linter.clients.apis`): tokens, classes, argument positions.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Client(Enum):
    """The protocol a member speaks; it decides how the broker filters for it."""

    REMOTING = "remoting"
    GRPC = "grpc"
    HTTP = "http"


class ConsumerKind(Enum):
    PUSH = "push"
    LITE_PULL = "lite-pull"
    PULL = "pull"
    SIMPLE = "simple"


class Api(Struct, frozen=True):
    """One row: identity, protocol, kind, what is absent in it, and the artifacts whose version is the client's.

    `artifacts`: Maven `group:artifact` or Python distribution names, the client itself first; `bundles` maps a
    starter's version to the client it brings (versions as written in its build files), newest last.
    """

    name: str
    client: Client
    kind: ConsumerKind
    has_model: bool
    has_mode: bool
    artifacts: tuple[str, ...]
    starter: str = ""


_CLASSIC = ("org.apache.rocketmq:rocketmq-client", "com.alibaba.rocketmq:rocketmq-client")
_V5 = ("org.apache.rocketmq:rocketmq-client-java", "org.apache.rocketmq:rocketmq-client-java-noshade")
_SPRING = "org.apache.rocketmq:rocketmq-spring-boot-starter"
_STREAM = "com.alibaba.cloud:spring-cloud-starter-stream-rocketmq"
_ONS = ("com.aliyun.openservices:ons-client",)

_ROWS = (
    Api("push", Client.REMOTING, ConsumerKind.PUSH, True, True, _CLASSIC),
    Api("lite-pull", Client.REMOTING, ConsumerKind.LITE_PULL, True, False, _CLASSIC),
    Api("pull", Client.REMOTING, ConsumerKind.PULL, True, False, _CLASSIC),
    Api("pull-schedule", Client.REMOTING, ConsumerKind.PULL, True, False, _CLASSIC),
    Api("spring-listener", Client.REMOTING, ConsumerKind.PUSH, True, True, _CLASSIC, _SPRING),
    Api("spring-ext", Client.REMOTING, ConsumerKind.LITE_PULL, True, False, _CLASSIC, _SPRING),
    Api("spring-lite-pull", Client.REMOTING, ConsumerKind.LITE_PULL, True, False, _CLASSIC, _SPRING),
    Api(
        "spring-listener-v5",
        Client.GRPC,
        ConsumerKind.PUSH,
        False,
        False,
        _V5,
        "org.apache.rocketmq:rocketmq-v5-client-spring-boot-starter",
    ),
    Api(
        "spring-ext-v5",
        Client.GRPC,
        ConsumerKind.SIMPLE,
        False,
        False,
        _V5,
        "org.apache.rocketmq:rocketmq-v5-client-spring-boot-starter",
    ),
    Api("grpc-push", Client.GRPC, ConsumerKind.PUSH, False, False, _V5),
    Api("grpc-simple", Client.GRPC, ConsumerKind.SIMPLE, False, False, _V5),
    Api("grpc-lite", Client.GRPC, ConsumerKind.PUSH, False, False, _V5),
    Api("stream", Client.REMOTING, ConsumerKind.PUSH, True, True, _CLASSIC, _STREAM),
    Api("ons", Client.REMOTING, ConsumerKind.PUSH, True, True, _ONS),
    Api("ons-bean", Client.REMOTING, ConsumerKind.PUSH, True, True, _ONS),
    Api("http", Client.HTTP, ConsumerKind.SIMPLE, False, False, ("com.aliyun.mq:mq-http-sdk",)),
    Api("own-annotation", Client.REMOTING, ConsumerKind.PUSH, True, True, _CLASSIC, _SPRING),
    Api("py-push", Client.REMOTING, ConsumerKind.PUSH, True, True, ("rocketmq-client-python", "rocketmq")),
    Api("py-pull", Client.REMOTING, ConsumerKind.PULL, False, False, ("rocketmq-client-python", "rocketmq")),
    Api("py-grpc-push", Client.GRPC, ConsumerKind.PUSH, False, False, ("rocketmq-python-client",)),
    Api("py-grpc-simple", Client.GRPC, ConsumerKind.SIMPLE, False, False, ("rocketmq-python-client",)),
    Api("py-grpc-lite", Client.GRPC, ConsumerKind.PUSH, False, False, ("rocketmq-python-client",)),
    Api("py-http", Client.HTTP, ConsumerKind.SIMPLE, False, False, ("mq-http-sdk",)),
    Api("pyrocketmq", Client.REMOTING, ConsumerKind.PUSH, True, True, ("pyrocketmq",)),
)

APIS: dict[str, Api] = {row.name: row for row in _ROWS}


def _sender(name: str, client: Client, artifacts: tuple[str, ...], starter: str = "") -> Api:
    return Api(name, client, ConsumerKind.PUSH, False, False, artifacts, starter)


SENDERS: dict[str, Api] = {
    row.name: row
    for row in (
        _sender("send", Client.REMOTING, _CLASSIC),
        _sender("spring-send", Client.REMOTING, _CLASSIC, _SPRING),
        _sender(
            "spring-send-v5", Client.GRPC, _V5, "org.apache.rocketmq:rocketmq-v5-client-spring-boot-starter"
        ),
        *(
            _sender(f"stream-{one}", Client.REMOTING, _CLASSIC, _STREAM)
            for one in ("bridge", "channel", "output")
        ),
        _sender("grpc-send", Client.GRPC, _V5),
        _sender("ons-send", Client.REMOTING, _ONS),
        _sender("py-send", Client.REMOTING, ("rocketmq-client-python", "rocketmq")),
        _sender("http-send", Client.HTTP, ("com.aliyun.mq:mq-http-sdk",)),
        _sender("py-grpc-send", Client.GRPC, ("rocketmq-python-client",)),
        _sender("py-http-send", Client.HTTP, ("mq-http-sdk",)),
        _sender("pyrocketmq-send", Client.REMOTING, ("pyrocketmq",)),
    )
}
"""The ways of sending a message; what is said of kinds of consumers means nothing of them."""
