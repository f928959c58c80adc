"""The APIs by which programs send messages, as data: classes, methods, and which argument says where a message goes.

`linter.model.api` holds their protocols. They are read where sends are asked for, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from subdrift.linter.clients.apis import CLASSIC_ROOTS, Tokens
from subdrift.linter.model.facts import Attribute

Roles = Mapping[int, str]
"""By number of arguments, 0 for every other, a letter for each of the first of them: d destination (`topic:tag`), D none,
so that the sender's default destination holds, m message or collection of messages, t topic, g tag, y keys, k nothing of
interest; of Spring Cloud Stream b the name of a binding, h what may be a message whose headers hold the tag."""


class JavaSender(Struct, frozen=True):
    """Classes and interfaces whose objects send, by full name; `methods` send, `settings` say what of the sender is known."""

    api: str
    types: tuple[str, ...]
    methods: Mapping[str, Roles]
    settings: Mapping[str, Attribute] = field(default_factory=dict)
    constructors: Mapping[str, str] = field(default_factory=dict)
    """Kinds of arguments, as in `apis.JavaConsumer`, to roles: g group, n namespace."""
    gives: Mapping[str, str] = field(default_factory=dict)
    """Getters of further senders, with the full names of what they give."""
    makers: Mapping[str, Roles] = field(default_factory=dict)
    """Methods of `maker` that make one which sends to one topic: n namespace, t topic."""
    maker: str = ""


class JavaMessage(Struct, frozen=True):
    """Classes whose objects are messages, or builders of one, by full name; `api` sends them. `setters` to roles."""

    api: str
    types: tuple[str, ...]
    constructors: Roles
    setters: Mapping[str, str]
    delays: Mapping[str, str] = field(default_factory=dict)
    """Setters of what a message waits for, with how that is told (`DELAYS`)."""


def _classic(*names: str) -> tuple[str, ...]:
    return tuple(f"{root}.{name}" for root in CLASSIC_ROOTS for name in names)


_MESSAGE: Roles = {0: "m"}
_DESTINATION: Roles = {0: "d"}
_TEMPLATES = (
    "org.apache.rocketmq.spring.core.RocketMQTemplate",
    "org.apache.rocketmq.spring.starter.core.RocketMQTemplate",
    "com.qianmi.ms.starter.rocketmq.core.RocketMQTemplate",
    "com.cjie.spring.starter.rocketmq.core.RocketMQTemplate",
)
_PRODUCER_SETTINGS = {
    "setProducerGroup": Attribute.GROUP,
    "setNamespace": Attribute.NAMESPACE,
    "setNamespaceV2": Attribute.NAMESPACE_V2,
    "setNamesrvAddr": Attribute.NAME_SERVER,
    "setInstanceName": Attribute.INSTANCE_NAME,
}
_TEMPLATE_SENDS = {
    **dict.fromkeys(
        (
            *("syncSend", "syncSendOrderly", "syncSendDelayTimeSeconds", "syncSendDelayTimeMills"),
            *("syncSendDeliverTimeMills", "asyncSend", "asyncSendOrderly", "sendOneWay", "sendOneWayOrderly"),
            "sendAndReceive",
        ),
        _DESTINATION,
    ),
    "sendMessageInTransaction": {0: "d", 4: "kd"},
    "send": {0: "d", 1: "D"},
    "convertAndSend": {0: "d", 1: "D"},
}
_V5 = "org.apache.rocketmq.client"
_STREAM = "org.springframework.cloud.stream"
CHANNEL = "org.springframework.messaging.MessageChannel"
_HTTP = "com.aliyun.mq.http"
_ONS = ("com.aliyun.openservices.ons.api", "io.openmessaging.api")

JAVA_SENDERS: tuple[JavaSender, ...] = (
    JavaSender(
        "send",
        _classic(
            *(
                f"client.producer.{name}"
                for name in ("DefaultMQProducer", "TransactionMQProducer", "MQProducer")
            )
        ),
        {
            **dict.fromkeys(("send", "sendOneway", "sendDirect", "request"), _MESSAGE),
            "sendMessageInTransaction": _MESSAGE,
        },
        _PRODUCER_SETTINGS,
        {"": "", "S": "g", "H": "-", "SH": "g-", "Sb": "g-", "SbS": "g--", "SS": "ng", "SSH": "ng-"},
    ),
    JavaSender(
        "spring-send",
        _TEMPLATES,
        _TEMPLATE_SENDS,
        gives={"getProducer": "org.apache.rocketmq.client.producer.DefaultMQProducer"},
    ),
    JavaSender(
        "spring-send-v5",
        (f"{_V5}.core.RocketMQClientTemplate",),
        {
            **dict.fromkeys(
                (
                    *("syncSendNormalMessage", "syncSendFifoMessage", "syncSendDelayMessage"),
                    *("asyncSendNormalMessage", "asyncSendFifoMessage", "asyncSendDelayMessage"),
                    *("asyncSendWithObjectPayload", "asyncSendWithStringPayload", "asyncSendWithBytePayload"),
                    *("asyncSendWithMessagePayload", "sendMessageInTransaction", "syncSendNormal"),
                    *("sendTransactionMessage", "sendMessageWithTransaction"),
                ),
                _DESTINATION,
            ),
            "send": {0: "d", 1: "D"},
            "convertAndSend": {0: "d", 1: "D"},
        },
    ),
    JavaSender(
        "stream-bridge",
        tuple(f"{_STREAM}.function.{name}" for name in ("StreamBridge", "StreamOperations")),
        {"send": {2: "bh", 3: "bhh", 4: "bkh"}},
    ),
    JavaSender(
        "stream-channel", (CHANNEL, "org.springframework.messaging.SubscribableChannel"), {"send": {0: "h"}}
    ),
    JavaSender("grpc-send", (f"{_V5}.apis.producer.Producer",), {"send": _MESSAGE, "sendAsync": _MESSAGE}),
    JavaSender(
        "ons-send",
        tuple(
            f"{root}.{name}"
            for root in _ONS
            for name in (
                *("Producer", "order.OrderProducer", "transaction.TransactionProducer", "bean.ProducerBean"),
                *("bean.OrderProducerBean", "bean.TransactionProducerBean"),
            )
        ),
        dict.fromkeys(("send", "sendOneway", "sendAsync"), _MESSAGE),
    ),
    JavaSender(
        "http-send",
        tuple(f"{_HTTP}.{name}" for name in ("MQProducer", "MQTransProducer")),
        {"publishMessage": _MESSAGE},
        makers={"getProducer": {1: "t", 2: "nt"}, "getTransProducer": {2: "tk", 3: "ntk"}},
        maker=f"{_HTTP}.MQClient",
    ),
)

TELLING = frozenset(name for row in JAVA_SENDERS if row.api.startswith("spring") for name in row.methods) - {
    "send",
    "convertAndSend",
    "sendAndReceive",
} | {"sendOneway"}
"""Methods that no other library has."""

LEVEL, SECONDS, MILLISECONDS, MOMENT = "level {}", "{} s", "{} ms", "at {}"
"""How it is told what a message waits for: by a level of the broker, for a time, until a moment."""

TEMPLATE_DELAYS: Mapping[str, Mapping[int, tuple[int, str]]] = {
    "syncSend": {4: (3, LEVEL)},
    "syncSendOrderly": {5: (4, LEVEL)},
    "asyncSend": {5: (4, LEVEL)},
    "asyncSendOrderly": {6: (5, LEVEL)},
    "sendAndReceive": {6: (5, LEVEL)},
    "syncSendDelayTimeSeconds": {3: (2, SECONDS)},
    "syncSendDelayTimeMills": {3: (2, MILLISECONDS)},
    "syncSendDeliverTimeMills": {3: (2, MOMENT)},
}
"""Methods of `RocketMQTemplate` that delay what they send: by number of arguments which of them says so, and how."""

PUTS_PROPERTY = frozenset({"putUserProperty", "putUserProperties", "addProperty"})
"""Methods of messages and their builders that set one property."""

SETS_PROPERTIES = frozenset({"setUserProperties", "setProperties"})
"""Methods of messages that set all of them."""

SETS_NO_PROPERTY = frozenset(
    {
        "setBody",
        "setMessageBody",
        "setFlag",
        "setWaitStoreMsgOK",
        "setBuyerId",
        "setInstanceId",
        "setTransactionId",
    }
    | {
        "setMessageGroup",
        "setShardingKey",
        "setPriority",
        "setLiteTopic",
        "setMsgID",
        "setTransCheckImmunityTime",
    }
    | {"build", "setBornTimestamp", "setReconsumeTimes"}
)
"""Methods of messages and their builders that set nothing a program asks for by a name of its own."""

ADDS_PROPERTIES = frozenset({"registerSendMessageHook"})
"""Calls by which a program changes every message on its way."""

_TOPIC_AND_TAG = {"setTopic": "t", "setTag": "g", "setTags": "g", "setKeys": "y", "setKey": "y"}

JAVA_MESSAGES: tuple[JavaMessage, ...] = (
    JavaMessage(
        "send",
        _classic(*(f"common.message.{name}" for name in ("Message", "MessageExt", "MessageClientExt"))),
        {2: "t", 3: "tg", 4: "tgy", 6: "tgy"},
        _TOPIC_AND_TAG,
        {
            "setDelayTimeLevel": LEVEL,
            "setDelayTimeSec": SECONDS,
            "setDelayTimeMs": MILLISECONDS,
            "setDeliverTimeMs": MOMENT,
        },
    ),
    JavaMessage(
        "http-send",
        (f"{_HTTP}.model.TopicMessage",),
        {2: "kg"},
        {"setMessageTag": "g", "setMessageKey": "y"},
        {"setStartDeliverTime": MOMENT},
    ),
    JavaMessage(
        "ons-send",
        tuple(f"{root}.Message" for root in _ONS),
        {3: "tg", 4: "tgy"},
        _TOPIC_AND_TAG,
        {"setStartDeliverTime": MOMENT},
    ),
    JavaMessage(
        "grpc-send",
        tuple(
            f"{_V5}.{name}"
            for name in (
                "apis.message.Message",
                "apis.message.MessageBuilder",
                "java.message.MessageBuilderImpl",
            )
        ),
        {},
        _TOPIC_AND_TAG,
        {"setDeliveryTimestamp": MOMENT},
    ),
)

BUILDERS = {"newMessageBuilder": f"{_V5}.apis.message.MessageBuilder"}
"""Factory methods of the gRPC client that begin a message, with the type of what they give."""

CHANNELS = {"output": tuple(f"{_STREAM}.messaging.{name}" for name in ("Source", "Processor"))}
"""Methods of Spring Cloud Stream's interfaces that give the channel of a binding of their name."""

SPRING_MESSAGE = "org.springframework.messaging.support.GenericMessage"
SPRING_BUILDERS = (
    "org.springframework.messaging.support.MessageBuilder",
    "org.springframework.integration.support.MessageBuilder",
)
TAG_HEADERS = ("TAGS", "ROCKET_TAGS")
"""The headers that Spring Cloud Stream's binder takes for the tag, the first wins. Mirrors
RocketMQMessageConverterSupport#getAndWrapMessage, spring-cloud-alibaba 2.2.7 to 2023.0; older binders know the first alone."""

_HEADERS = {
    **{name: name for name in ("KEYS", "TAGS", "DELAY", "WAIT")},
    **{f"PROPERTY_{name}": name for name in (
        "KEYS", "TAGS", "RETRY_TOPIC", "REAL_TOPIC", "MIN_OFFSET", "MAX_OFFSET", "BUYER_ID", "ORIGIN_MESSAGE_ID",
        "MAX_RECONSUME_TIMES", "INSTANCE_ID", "CORRELATION_ID", "CLUSTER", "TRACE_CONTEXT", "TIMER_DELAY_SEC",
        "TIMER_DELAY_MS", "TIMER_DELIVER_MS", "BORN_TIMESTAMP",
    )},
    "PROPERTY_DELAY_TIME_LEVEL": "DELAY", "PROPERTY_WAIT_STORE_MSG_OK": "WAIT",
    "PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX": "UNIQ_KEY", "PROPERTY_SHARDING_KEY": "__SHARDINGKEY",
    "PROPERTY_TRANSACTION_ID": "__transactionId__", "USER_TRANSACTIONAL_ARGS": "TRANSACTIONAL_ARGS",
}  # fmt: skip
NOT_SENT: frozenset[str] = frozenset(_HEADERS.values()) - {"KEYS"} | {"FLAG", "WAIT_STORE_MSG_OK"}
"""Headers of Spring's messages that become no properties of their names. Mirrors RocketMQUtil#getAndWrapMessage of
rocketmq-spring 2.x, by MessageConst.STRING_HASH_SET."""
SEND_CONSTANTS: Mapping[str, Mapping[str, str]] = {
    "org.springframework.messaging.MessageHeaders": {
        "ID": "id", "TIMESTAMP": "timestamp", "CONTENT_TYPE": "contentType", "REPLY_CHANNEL": "replyChannel",
        "ERROR_CHANNEL": "errorChannel",
    },
} | dict.fromkeys(
    (
        *_classic("common.message.MessageConst"),
        "org.apache.rocketmq.spring.support.RocketMQHeaders",
        "com.alibaba.cloud.stream.binder.rocketmq.constant.RocketMQConst",
        "com.alibaba.cloud.stream.binder.rocketmq.constant.RocketMQConst.Headers",
    ),
    _HEADERS,
)  # fmt: skip
"""Names of headers and properties, by the full names of the classes that hold them."""

PYTHON_TELLING = frozenset(
    {"send_sync", "send_oneway", "send_orderly_with_sharding_key", "send_message_in_transaction"}
) | {"send_batch", "publish_message"}
"""Methods of Python's producers that nothing else has."""

PYTHON_SENDS = PYTHON_TELLING | {"send", "send_async"}
"""Methods of Python's producers by which a message is sent: it is the first argument, in a batch every argument."""

PYTHON_PUTS_PROPERTY = frozenset({"set_property", "put_property", "add_property", "putUserProperty"})
PYTHON_SETS_KEYS = frozenset({"set_keys", "set_message_key"})
PYTHON_SETS_NO_PROPERTY = frozenset(
    {"set_body", "set_message_body", "set_trans_check_immunity_time", "set_sharding_key"}
)
PYTHON_DELAYS = {"set_delay_time_level": LEVEL, "set_start_deliver_time": MOMENT}
"""Methods of Python's messages, as those of the JVM's above."""

PYTHON_MAKERS = {
    "get_producer": ("instance_id", "topic_name"),
    "get_trans_producer": ("instance_id", "topic_name"),
}
"""Methods of the HTTP client that make a producer of one topic: the parameters of namespace and topic."""

_PYTHON = {
    "rocketmq.client": "py-send",
    "rocketmq": "py-grpc-send",
    "pyrocketmq": "pyrocketmq-send",
    "mq_http_sdk": "py-http-send",
}
_PYTHON_PRODUCERS = frozenset(
    {"Producer", "TransactionMQProducer", "AsyncProducer", "TransactionProducer", "AsyncTransactionProducer"}
    | {"create_producer", "create_async_producer", "create_transaction_producer"}
    | {"create_transactional_producer", "create_async_transaction_producer"}
)


def python_api(module: str) -> str:
    """The API by which code sends that knows a module of a client library, "" for another module."""
    return _PYTHON.get(module) or _PYTHON.get(module.partition(".")[0], "")


def python_message(full_name: str) -> str:
    """The API that sends what a class of this full name makes, "" for one that makes no messages."""
    module, _, name = full_name.rpartition(".")
    return python_api(module) if name in ("Message", "TopicMessage") else ""


def python_producer(full_name: str) -> str:
    """The API of the producer that a class or function of this full name makes, "" for another one."""
    module, _, name = full_name.rpartition(".")
    return python_api(module) if name in _PYTHON_PRODUCERS else ""


_SITES = tuple(
    sorted(
        f"{name}(".encode()
        for name in {name for row in JAVA_SENDERS for name in row.methods} | set(BUILDERS) | ADDS_PROPERTIES
    )
)

TOKENS: tuple[Tokens, ...] = (
    Tokens("send", "java", (b"rocketmq", b"openservices.ons", b"io.openmessaging", b"aliyun.mq"), _SITES),
    Tokens("send", "java", (b"send",), tuple(sorted(f".{name}(".encode() for name in TELLING))),
    Tokens("stream-bridge", "java", (b"streambridge",), (b".send(",)),
    Tokens(
        "stream-channel", "java", (b"cloud.stream",), (b"@Output", b"@SendTo", b"EnableBinding", b".send(")
    ),
    Tokens("stream-channel", "java", (b"springframework.messaging",), (b"().send(",)),
    Tokens(
        "stream-output",
        "java",
        (b"java.util.function",),
        (b"@Bean", b"implements Function<", b"implements Supplier<"),
    ),
    Tokens("py-send", "python", (b"rocketmq", b"mq_http_sdk"), (b"Producer", b"producer")),
)
"""The byte tests of files that may send."""
