"""The Python client libraries as a table: which full name makes a consumer, and which argument says what.

`rocketmq-client-python` (rocketmq.client) and `rocketmq-python-client` (rocketmq, rocketmq.v5) share one package
name, so rows are found by the full name a file imports, never by the class name alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

from subdrift.linter.model.facts import Attribute


class Shape(Enum):
    """How `subscribe` takes its arguments."""

    CALLBACK = "callback"  # (topic, callback, expression='*')
    FILTER = "filter"  # (topic, filter_expression=None)
    SELECTOR = "selector"  # (topic, selector, listener)
    EXPRESSION = "expression"  # (topic, expression)


class Maker(Struct, frozen=True):
    """A call that makes a consumer. `roles` by position and by keyword: g group, o orderly, m message model,
    c client configuration, s subscription map, b bound topic, n name server, t topic, e expression, i instance
    (HTTP), k a configuration object, - nothing of interest; `mode` when the name fixes it."""

    api: str
    shape: Shape
    parameters: tuple[tuple[str, str], ...]
    mode: str = ""
    pulls: bool = False


_V5 = (("client_configuration", "c"), ("consumer_group", "g"))
_CLASSIC_PUSH = Maker(
    "py-push", Shape.CALLBACK, (("group_id", "g"), ("orderly", "o"), ("message_model", "m"))
)
_CLASSIC_PULL = Maker("py-pull", Shape.CALLBACK, (("group_id", "g"),), pulls=True)
_V5_SIMPLE = Maker("py-grpc-simple", Shape.FILTER, (*_V5, ("subscription", "s")))
_V5_PUSH = Maker("py-grpc-push", Shape.FILTER, (*_V5, ("message_listener", "-"), ("subscription", "s")))
_V5_LITE = Maker("py-grpc-lite", Shape.FILTER, (*_V5, ("bind_topic", "b"), ("message_listener", "-")))
_PORT = Maker("py-push", Shape.EXPRESSION, (("consumer_group", "g"),))
_BOOST = Maker("py-push", Shape.EXPRESSION, (("group_id", "g"),))
HTTP = Maker(
    "py-http",
    Shape.EXPRESSION,
    (("instance_id", "i"), ("topic_name", "t"), ("consumer", "g"), ("message_tag", "e")),
)

_MODELS = "message_model"
_PURE = (("consumer_group", "g"), ("namesrv_addr", "n"), (_MODELS, "m"))


def _pure(mode: str, config: bool) -> Maker:
    return Maker("pyrocketmq", Shape.SELECTOR, (("config", "k"),) if config else _PURE, mode)


_PURE_MAKERS = {
    "create_consumer": _pure("", False),
    "create_concurrent_consumer": _pure("CONCURRENTLY", False),
    "create_orderly_consumer": _pure("ORDERLY", False),
    "create_async_consumer": _pure("", False),
    "create_async_concurrent_consumer": _pure("CONCURRENTLY", False),
    "create_async_orderly_consumer": _pure("ORDERLY", False),
    "ConcurrentConsumer": _pure("CONCURRENTLY", True),
    "OrderlyConsumer": _pure("ORDERLY", True),
    "AsyncConcurrentConsumer": _pure("CONCURRENTLY", True),
    "AsyncOrderlyConsumer": _pure("ORDERLY", True),
}
_V5_MAKERS = {"SimpleConsumer": _V5_SIMPLE, "PushConsumer": _V5_PUSH, "LitePushConsumer": _V5_LITE}
_CLASSIC_MAKERS = {"PushConsumer": _CLASSIC_PUSH, "PullConsumer": _CLASSIC_PULL}


def maker(full_name: str) -> Maker | None:
    """The row of the callable a file knows by this full name (`rocketmq.client.PushConsumer`)."""
    module, _, name = full_name.rpartition(".")
    root = module.partition(".")[0]
    if root == "rocketmq":
        if module == "rocketmq.client":
            return _CLASSIC_MAKERS.get(name)
        if module == "rocketmq" or module.startswith("rocketmq.v5"):
            return _V5_MAKERS.get(name)
    if root == "pyrocketmq":
        return _PURE_MAKERS.get(name)
    if full_name == "librocketmqclientpython.CreatePushConsumer":
        return _BOOST
    if name == "DefaultMQPushConsumer" and "rocketmq" in module.lower():
        return _PORT
    return None


def is_client_module(module: str) -> bool:
    """Whether importing this module brings one of the client libraries into a file."""
    root = module.partition(".")[0]
    return root in PACKAGES or root == "librocketmqclientpython"


PACKAGES = frozenset({"rocketmq", "pyrocketmq", "mq_http_sdk"})
"""The folders that hold the sources of the client libraries."""


def declares_client(module: str, names: Iterable[str]) -> bool:
    """Whether a module that declares these names is one of a client library's own."""
    return any(
        maker(f"{module}.{name}") not in (None, _PORT) or f"{module}.{name}" in HTTP_CLIENT for name in names
    )


HTTP_CLIENT = ("mq_http_sdk.mq_client.MQClient", "mq_http_sdk.MQClient")


def record(full_name: str) -> tuple[tuple[str, str | None], ...] | None:
    """A value object of a client library as (parameter, default): it is read as a map of its parameters.

    `FilterExpression("a")` and `create_tag_selector("a")` become {expression, filter_type}, client
    configurations {endpoints, namespace}; so they may be defined in another file like any dictionary.
    """
    module, _, name = full_name.rpartition(".")
    root = module.partition(".")[0]
    if root == "rocketmq":
        if name == "FilterExpression":
            return (("expression", "*"), ("filter_type", "TAG"))
        if name == "ClientConfiguration":
            return (("endpoints", None), ("credentials", None), ("namespace", ""), ("request_timeout", "3"))
        if name == "Credentials":
            return (("ak", ""), ("sk", ""))
        if name == "MessageListener":
            return ()
    if root == "pyrocketmq":
        if name == "ConsumerConfig":
            return (("consumer_group", None), ("namesrv_addr", None), ("message_model", "CLUSTERING"))
        if name in ("create_tag_selector", "by_tag"):
            return (("expression", "*"), ("filter_type", "TAG"))
        if name in ("create_sql_selector", "by_sql"):
            return (("expression", None), ("filter_type", "SQL92"))
    return None


ENUM_VALUES = {
    "MessageModel.BROADCASTING": "BROADCASTING",
    "MessageModel.CLUSTERING": "CLUSTERING",
    "FilterType.TAG": "TAG",
    "FilterType.SQL": "SQL92",
}
"""Enumerations of the client libraries in the words of the model."""

SETTERS = {
    "set_group": Attribute.GROUP,
    "set_message_model": Attribute.MESSAGE_MODEL,
    "set_instance_name": Attribute.INSTANCE_NAME,
    "set_name_server_address": Attribute.NAME_SERVER,
    "set_namesrv_addr": Attribute.NAME_SERVER,
}
METHODS = frozenset({*SETTERS, "subscribe", "unsubscribe", "subscribe_lite"})
"""What a call on a consumer object can do to its subscriptions."""

FUNCTIONS = {
    "Subscribe": "subscribe",
    "SetPushConsumerInstanceName": "set_instance_name",
    "SetPushConsumerMessageModel": "set_message_model",
    "SetPushConsumerNameServerAddress": "set_name_server_address",
}
"""The functions of `librocketmqclientpython`: the consumer is their first argument."""
