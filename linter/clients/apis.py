"""The subscribe APIs as extraction needs them: tokens for the byte test, classes, argument positions, setters.

`linter.model.api.APIS` holds what comes after extraction. A token missing here means a file that is never
parsed, so the tokens stand beside the API they belong to and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct, field

from subdrift.linter.model.facts import Attribute


class Tokens(Struct, frozen=True):
    """The byte test of one API: a file may declare it if it holds one `library` token (searched in lower-cased
    bytes, so lower case here) and one `sites` token (as written)."""

    api: str
    language: str
    library: tuple[bytes, ...]
    sites: tuple[bytes, ...]


class Action(Enum):
    """What a method call does to a consumer object or its builder."""

    SET = "set"  # attribute := argument
    SUBSCRIBE = "subscribe"  # (topic[, expression | selector][, listener])
    UNSUBSCRIBE = "unsubscribe"  # (topic)
    TABLE = "table"  # (map topic -> expression): adds or replaces what the map names
    TABLE_ALL = "table-all"  # (map topic -> filter): replaces everything
    TOPICS = "topics"  # (set of topics), each with every message; replaces everything
    TOPIC = "topic"  # (topic, …) with every message
    LISTENER = "listener"  # its type decides the consume mode
    PROPERTIES = "properties"  # (map of property -> value)
    CONFIGURATION = "configuration"  # (a gRPC client's settings: namespace and endpoints)
    PART_TOPIC = "part-topic"  # (topic) of an object with a single subscription
    PART_EXPRESSION = "part-expression"
    PART_TYPE = "part-type"
    START = "start"
    STOP = "stop"
    CLEAR = "clear"  # forgets every subscription made before


class Operation(Struct, frozen=True):
    action: Action
    attribute: Attribute | None = None


class JavaConsumer(Struct, frozen=True):
    """Classes whose objects are consumers (or builders of one), by full name.

    `constructors` are (kinds, roles): one letter per argument, kinds S string, H hook, A allocation strategy,
    b boolean, P properties, O other; roles g group, n namespace, a strategy, p properties, - irrelevant. No
    constructors: made by a factory. `interfaces` may hold such an object but are never constructed.
    """

    api: str
    types: tuple[str, ...]
    operations: Mapping[str, Operation]
    constructors: tuple[tuple[str, str], ...] = ()
    interfaces: tuple[str, ...] = ()
    class_filter: bool = False  # subscribe(topic, class name, source) is the class filter
    ignores_type: bool = False  # a table's filter type has no effect (ONS ordered and batch beans)
    mode: str = ""  # the consume mode the class implies
    default_group: str = ""  # the group of a constructor that is given none


class JavaFactory(Struct, frozen=True):
    """A method that makes a consumer or a builder of one, by its simple name and the full names of its class.

    `roles` by argument count as in `JavaConsumer.constructors`, t topic and e expression added.
    """

    method: str
    owners: tuple[str, ...]
    api: str
    roles: Mapping[int, str] = field(default_factory=dict)
    mode: str = ""


class JavaAnnotation(Struct, frozen=True):
    """An annotation that declares a consumer, by full names and the attributes that carry what we read.

    `defaults` are texts with placeholders the library itself declares where the source writes nothing. `is_bean`: it makes,
    or may make, a bean of its class.
    """

    api: str
    types: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    topic: str = "topic"
    expression: tuple[str, ...] = ("selectorExpression",)
    filter_type: str = "selectorType"
    defaults: Mapping[str, str] = field(default_factory=dict)
    is_bean: bool = False


def _set(attribute: Attribute) -> Operation:
    return Operation(Action.SET, attribute)


CLASSIC_ROOTS = (
    "org.apache.rocketmq",
    "com.alibaba.rocketmq",
    "com.aliyun.openservices.shade.com.alibaba.rocketmq",
    "com.aliyun.openservices.shaded.com.alibaba.rocketmq",
)


def _classic(*names: str) -> tuple[str, ...]:
    return tuple(f"{root}.client.consumer.{name}" for root in CLASSIC_ROOTS for name in names)


_COMMON = {
    "setConsumerGroup": _set(Attribute.GROUP),
    "setNamespace": _set(Attribute.NAMESPACE),
    "setNamespaceV2": _set(Attribute.NAMESPACE_V2),
    "setMessageModel": _set(Attribute.MESSAGE_MODEL),
    "setInstanceName": _set(Attribute.INSTANCE_NAME),
    "setUnitName": _set(Attribute.UNIT_NAME),
    "setNamesrvAddr": _set(Attribute.NAME_SERVER),
    "setAllocateMessageQueueStrategy": _set(Attribute.STRATEGY),
    "start": Operation(Action.START),
}
_SUBSCRIBES = {"subscribe": Operation(Action.SUBSCRIBE), "unsubscribe": Operation(Action.UNSUBSCRIBE)}
_PUSH = {
    **_COMMON,
    **_SUBSCRIBES,
    "setConsumeFromWhere": _set(Attribute.CONSUME_FROM),
    "setPostSubscriptionWhenPull": _set(Attribute.POST_SUBSCRIPTION),
    "setSubscription": Operation(Action.TABLE),
    "registerMessageListener": Operation(Action.LISTENER),
    "setMessageListener": Operation(Action.LISTENER),
}
_LITE_PULL = {**_COMMON, **_SUBSCRIBES, "setConsumeFromWhere": _set(Attribute.CONSUME_FROM)}
_PULL = {
    **_COMMON,
    "setRegisterTopics": Operation(Action.TOPICS),
    "registerMessageQueueListener": Operation(Action.TOPIC),
    "addRegisterSubscriptions": Operation(Action.SUBSCRIBE),
    "clearRegisterSubscriptions": Operation(Action.CLEAR),
}
_GRPC = {
    **_SUBSCRIBES,
    "setClientConfiguration": Operation(Action.CONFIGURATION),
    "setConsumerGroup": _set(Attribute.GROUP),
    "setSubscriptionExpressions": Operation(Action.TABLE_ALL),
    "build": Operation(Action.START),
}
_GRPC_LITE = {
    "setClientConfiguration": Operation(Action.CONFIGURATION),
    "setConsumerGroup": _set(Attribute.GROUP),
    "bindTopic": Operation(Action.PART_TOPIC),
    "build": Operation(Action.START),
}
_ONS = {**_SUBSCRIBES, "start": Operation(Action.START)}
_ONS_BEAN = {
    **_ONS,
    "setProperties": Operation(Action.PROPERTIES),
    "setSubscriptionTable": Operation(Action.TABLE_ALL),
}
_CONTAINER = {
    "setConsumerGroup": _set(Attribute.GROUP),
    "setNamespace": _set(Attribute.NAMESPACE),
    "setMessageModel": _set(Attribute.MESSAGE_MODEL),
    "setConsumeMode": _set(Attribute.CONSUME_MODE),
    "setNameServer": _set(Attribute.NAME_SERVER),
    "setTopic": Operation(Action.PART_TOPIC),
    "setSelectorExpression": Operation(Action.PART_EXPRESSION),
    "setSelectorExpress": Operation(Action.PART_EXPRESSION),
    "setSelectorType": Operation(Action.PART_TYPE),
    "start": Operation(Action.START),
}

_PUSH_CONSTRUCTORS = (
    ("", ""), ("H", "-"), ("S", "g"), ("SH", "g-"), ("Sb", "g-"), ("SbS", "g--"), ("SHA", "g-a"),
    ("SHAbS", "g-a--"), ("SS", "ng"), ("SSH", "ng-"), ("SSHA", "ng-a"), ("SSHAbS", "ng-a--"),
)  # fmt: skip
_LITE_CONSTRUCTORS = (("", ""), ("S", "g"), ("H", "-"), ("SH", "g-"), ("SSH", "ng-"))
_PULL_CONSTRUCTORS = (("", ""), ("S", "g"), ("H", "-"), ("SH", "g-"), ("SS", "ng"), ("SSH", "ng-"))

_V5 = "org.apache.rocketmq.client.apis"
_ONS_ROOT = "com.aliyun.openservices.ons.api"
_OMS_ROOT = "io.openmessaging.api"
"""OpenMessaging 2, which has the methods of ONS; its driver for RocketMQ reads the same properties."""
_SPRING = "org.apache.rocketmq.spring"
_STARTER_FORKS = (
    "org.apache.rocketmq.spring.starter",
    "com.qianmi.ms.starter.rocketmq",
    "com.cjie.spring.starter.rocketmq",
)

JAVA_CONSUMERS: tuple[JavaConsumer, ...] = (
    JavaConsumer(
        "push", _classic("DefaultMQPushConsumer"), _PUSH, _PUSH_CONSTRUCTORS,
        interfaces=_classic("MQPushConsumer", "MQConsumer"), class_filter=True, default_group="DEFAULT_CONSUMER",
    ),
    JavaConsumer(
        "lite-pull", _classic("DefaultLitePullConsumer"), _LITE_PULL, _LITE_CONSTRUCTORS,
        interfaces=_classic("LitePullConsumer"), default_group="DEFAULT_CONSUMER",
    ),
    JavaConsumer(
        "pull", _classic("DefaultMQPullConsumer"), _PULL, _PULL_CONSTRUCTORS,
        interfaces=_classic("MQPullConsumer"), default_group="DEFAULT_CONSUMER",
    ),
    JavaConsumer(
        "pull-schedule", _classic("MQPullConsumerScheduleService"),
        {**_PULL, "registerPullTaskCallback": Operation(Action.TOPIC)}, (("S", "g"), ("SH", "g-")),
    ),
    JavaConsumer(
        "grpc-push", (), _GRPC,
        interfaces=(f"{_V5}.consumer.PushConsumerBuilder", f"{_V5}.consumer.PushConsumer"),
    ),
    JavaConsumer(
        "grpc-simple", (), _GRPC,
        interfaces=(f"{_V5}.consumer.SimpleConsumerBuilder", f"{_V5}.consumer.SimpleConsumer"),
    ),
    JavaConsumer(
        "grpc-lite", (), _GRPC_LITE,
        interfaces=tuple(
            f"{_V5}.consumer.Lite{kind}Consumer{tail}" for kind in ("Push", "Simple") for tail in ("Builder", "")
        ),
    ),
    JavaConsumer(
        "ons", (), _ONS,
        interfaces=tuple(
            f"{root}.{name}"
            for root in (_ONS_ROOT, _OMS_ROOT)
            for name in ("Consumer", "PullConsumer", "order.OrderConsumer", "batch.BatchConsumer")
        ),
    ),
    JavaConsumer("ons-bean", (f"{_ONS_ROOT}.bean.ConsumerBean",), _ONS_BEAN, (("", ""),)),
    JavaConsumer(
        "ons-bean", (f"{_ONS_ROOT}.bean.OrderConsumerBean",), _ONS_BEAN, (("", ""),),
        ignores_type=True, mode="ORDERLY",
    ),
    JavaConsumer(
        "ons-bean", (f"{_ONS_ROOT}.bean.BatchConsumerBean",), _ONS_BEAN, (("", ""),), ignores_type=True,
    ),
    JavaConsumer("http", (), {}, interfaces=("com.aliyun.mq.http.MQConsumer",)),
    JavaConsumer(
        "spring-listener",
        (
            f"{_SPRING}.support.DefaultRocketMQListenerContainer",
            *(f"{root}.core.DefaultRocketMQListenerContainer" for root in _STARTER_FORKS),
        ),
        _CONTAINER, (("", ""),),
    ),
)  # fmt: skip

_PROVIDER = (f"{_V5}.ClientServiceProvider", "org.apache.rocketmq.client.java.impl.ClientServiceProviderImpl")
_ONS_FACTORY = (f"{_ONS_ROOT}.ONSFactory", f"{_OMS_ROOT}.MessagingAccessPoint")

JAVA_FACTORIES: tuple[JavaFactory, ...] = (
    JavaFactory("newPushConsumerBuilder", _PROVIDER, "grpc-push", {0: ""}),
    JavaFactory("newSimpleConsumerBuilder", _PROVIDER, "grpc-simple", {0: ""}),
    JavaFactory("newLitePushConsumerBuilder", _PROVIDER, "grpc-lite", {0: ""}),
    JavaFactory("newLiteSimpleConsumerBuilder", _PROVIDER, "grpc-lite", {0: ""}),
    JavaFactory("createConsumer", _ONS_FACTORY, "ons", {1: "p"}),
    JavaFactory("createOrderedConsumer", _ONS_FACTORY, "ons", {1: "p"}, mode="ORDERLY"),
    JavaFactory("createBatchConsumer", _ONS_FACTORY, "ons", {1: "p"}),
    JavaFactory("createPullConsumer", _ONS_FACTORY, "ons", {1: "p"}),
    JavaFactory(
        "getConsumer", ("com.aliyun.mq.http.MQClient",), "http", {2: "tg", 3: "tge", 4: "ntge"},
    ),
)  # fmt: skip

_LISTENER_ATTRIBUTES = {
    "consumerGroup": Attribute.GROUP,
    "namespace": Attribute.NAMESPACE,
    "namespaceV2": Attribute.NAMESPACE_V2,
    "messageModel": Attribute.MESSAGE_MODEL,
    "consumeMode": Attribute.CONSUME_MODE,
    "instanceName": Attribute.INSTANCE_NAME,
    "nameServer": Attribute.NAME_SERVER,
    "consumeFromWhere": Attribute.CONSUME_FROM,
}
_V5_ATTRIBUTES = {
    "consumerGroup": Attribute.GROUP,
    "namespace": Attribute.NAMESPACE,
    "endpoints": Attribute.NAME_SERVER,
}
_EXT_ATTRIBUTES = {
    "group": Attribute.GROUP,
    "namespace": Attribute.NAMESPACE,
    "namespaceV2": Attribute.NAMESPACE_V2,
    "messageModel": Attribute.MESSAGE_MODEL,
    "instanceName": Attribute.INSTANCE_NAME,
    "nameServer": Attribute.NAME_SERVER,
}

JAVA_ANNOTATIONS: tuple[JavaAnnotation, ...] = (
    JavaAnnotation(
        "spring-listener",
        (f"{_SPRING}.annotation.RocketMQMessageListener",),
        _LISTENER_ATTRIBUTES,
        expression=("selectorExpression", "selectorExpress"),
    ),
    JavaAnnotation(
        "spring-listener",
        tuple(f"{root}.annotation.RocketMQMessageListener" for root in _STARTER_FORKS),
        _LISTENER_ATTRIBUTES,
        expression=("selectorExpress", "selectorExpression"),
        is_bean=True,
    ),
    JavaAnnotation(
        "spring-listener-v5",
        ("org.apache.rocketmq.client.annotation.RocketMQMessageListener",),
        _V5_ATTRIBUTES,
        expression=("tag",),
        filter_type="filterExpressionType",
        defaults={
            "topic": "${rocketmq.push-consumer.topic:}",
            "tag": "${rocketmq.push-consumer.tag:}",
            "endpoints": "${rocketmq.push-consumer.endpoints:}",
        },
    ),
    JavaAnnotation(
        "spring-ext",
        (f"{_SPRING}.annotation.ExtRocketMQConsumerConfiguration",),
        _EXT_ATTRIBUTES,
        defaults={"group": "${rocketmq.pull-consumer.group:}", "topic": "${rocketmq.pull-consumer.topic:}"},
        is_bean=True,
    ),
    JavaAnnotation(
        "spring-ext-v5",
        ("org.apache.rocketmq.client.annotation.ExtConsumerResetConfiguration",),
        _V5_ATTRIBUTES,
        expression=("tag",),
        filter_type="filterExpressionType",
        defaults={
            "consumerGroup": "${rocketmq.simple-consumer.consumer-group:}",
            "topic": "${rocketmq.simple-consumer.topic:}",
            "tag": "${rocketmq.simple-consumer.tag:}",
            "filterExpressionType": "${rocketmq.simple-consumer.filter-expression-type:tag}",
            "endpoints": "${rocketmq.simple-consumer.endpoints:}",
            "namespace": "${rocketmq.simple-consumer.namespace:}",
        },
        is_bean=True,
    ),
)

MACHINERY_PACKAGES = (
    "org.apache.rocketmq.client.MQHelper",
    "org.apache.rocketmq.client.annotation.",
    "org.apache.rocketmq.client.apis.",
    "org.apache.rocketmq.client.autoconfigure.",
    "org.apache.rocketmq.client.consumer.",
    "org.apache.rocketmq.client.impl.",
    "org.apache.rocketmq.client.java.impl.",
    "org.apache.rocketmq.client.support.",
    "org.apache.rocketmq.client.trace.",
    "org.apache.rocketmq.spring.autoconfigure.",
    "org.apache.rocketmq.spring.support.",
    "com.alibaba.rocketmq.client.consumer.",
    "com.alibaba.rocketmq.client.impl.",
    "com.alibaba.cloud.stream.binder.rocketmq.",
    "com.aliyun.mq.http.",
    "com.aliyun.openservices.ons.api.",
    "io.openmessaging.rocketmq.",
    "io.openmessaging.api.",
)
"""Packages of the client libraries themselves: consumers made there are those of their users."""

V5_ONLY_ATTRIBUTES = frozenset({"tag", "filterExpressionType", "endpoints", "requestTimeout", "sslEnabled"})
"""Attributes that only the v5 starter's annotation of the shared simple name has."""

LISTENER_MODES: Mapping[str, str] = {
    "MessageListenerOrderly": "ORDERLY",
    "MessageListenerConcurrently": "CONCURRENTLY",
    "ConsumeOrderlyStatus": "ORDERLY",
    "ConsumeOrderlyContext": "ORDERLY",
    "ConsumeConcurrentlyStatus": "CONCURRENTLY",
    "ConsumeConcurrentlyContext": "CONCURRENTLY",
    "MessageOrderListener": "ORDERLY",
}
"""Simple names of listener, status and context types, and the consume mode each gives away."""

ONS_PROPERTIES: Mapping[str, Attribute] = {
    "GROUP_ID": Attribute.GROUP,
    "ConsumerId": Attribute.GROUP,
    "MessageModel": Attribute.MESSAGE_MODEL,
    "INSTANCE_ID": Attribute.NAMESPACE,
    "NAMESRV_ADDR": Attribute.NAME_SERVER,
    "ONSAddr": Attribute.NAME_SERVER,
    "InstanceName": Attribute.INSTANCE_NAME,
    "PostSubscriptionWhenPull": Attribute.POST_SUBSCRIPTION,
}
"""Keys of an ONS `Properties` object; `GROUP_ID` wins over `ConsumerId`."""


def _enum(*values: str) -> Mapping[str, str]:
    return {value: value for value in values}


_MODEL = _enum("CLUSTERING", "BROADCASTING")
_TYPE = _enum("TAG", "SQL92")
_MODE = _enum("CONCURRENTLY", "ORDERLY")
_FROM = _enum("CONSUME_FROM_LAST_OFFSET", "CONSUME_FROM_FIRST_OFFSET", "CONSUME_FROM_TIMESTAMP")
_EVERYTHING = {"SUB_ALL": "*"}

_MIX_ALL: Mapping[str, str] = {
    "DEFAULT_CONSUMER_GROUP": "DEFAULT_CONSUMER",
    "TOOLS_CONSUMER_GROUP": "TOOLS_CONSUMER",
    "SCHEDULE_CONSUMER_GROUP": "SCHEDULE_CONSUMER",
    "FILTERSRV_CONSUMER_GROUP": "FILTERSRV_CONSUMER",
    "MONITOR_CONSUMER_GROUP": "__MONITOR_CONSUMER",
    "SELF_TEST_CONSUMER_GROUP": "SELF_TEST_C_GROUP",
    "CID_RMQ_SYS_PREFIX": "CID_RMQ_SYS_",
    "RETRY_GROUP_TOPIC_PREFIX": "%RETRY%",
    "DLQ_GROUP_TOPIC_PREFIX": "%DLQ%",
    "LMQ_PREFIX": "%LMQ%",
}
_CREDENTIALS = (
    "AccessKey",
    "SecretKey",
    "SecurityToken",
    "ConsumeThreadNums",
    "SendMsgTimeoutMillis",
    "ProducerId",
)
"""Keys that often stand beside those that name a group; they set nothing that is compared."""

JAVA_CONSTANTS: Mapping[str, Mapping[str, str]] = {
    **{
        f"{root}.{package}.protocol.heartbeat.MessageModel": _MODEL
        for root in CLASSIC_ROOTS
        for package in ("common", "remoting")
    },
    **{f"{root}.common.consumer.ConsumeFromWhere": _FROM for root in CLASSIC_ROOTS},
    **{f"{root}.common.filter.ExpressionType": _TYPE for root in CLASSIC_ROOTS},
    **{f"{root}.common.MixAll": _MIX_ALL for root in CLASSIC_ROOTS},
    **{
        f"{root}.{package}.{name}": values
        for root in (_SPRING, *_STARTER_FORKS)
        for package in ("annotation", "enums")
        for name, values in (("MessageModel", _MODEL), ("SelectorType", _TYPE), ("ConsumeMode", _MODE))
    },
    **{
        f"{root}.{package}.protocol.heartbeat.SubscriptionData": _EVERYTHING
        for root in CLASSIC_ROOTS
        for package in ("common", "remoting")
    },
    f"{_V5}.consumer.FilterExpression": _EVERYTHING,
    f"{_V5}.consumer.FilterExpressionType": _TYPE,
    **{f"{root}.ExpressionType": _TYPE for root in (_ONS_ROOT, _OMS_ROOT)},
    f"{_ONS_ROOT}.PropertyKeyConst": _enum(*ONS_PROPERTIES, *_CREDENTIALS),
    f"{_ONS_ROOT}.PropertyValueConst": _MODEL,
}
"""Constants of the client libraries themselves, whose sources are in no tree."""

_FIRST_ATTRIBUTES = tuple(
    f"({name}{equals}".encode()
    for name in (
        "topic",
        "topics",
        "topicName",
        "group",
        "groupId",
        "groupName",
        "consumerGroup",
        "tag",
        "tags",
    )
    for equals in (" =", "=")
)
_SUPERCLASSES = tuple(
    f"extends {lead}{name}".encode()
    for lead in ("Abstract", "Base", "")
    for name in ("Rocket", "MQConsumer", "MqConsumer", "MQListener", "MqListener", "MQMessage", "MqMessage")
)

WORDS = frozenset(
    {
        "TAG", "SQL92", "CLASS", "CLUSTERING", "BROADCASTING", "CONCURRENTLY", "ORDERLY", "CONSUME_FROM_LAST_OFFSET",
        "CONSUME_FROM_FIRST_OFFSET", "CONSUME_FROM_TIMESTAMP",
    }
)  # fmt: skip
"""Constants of the client libraries' enumerations, known by their names."""

JAVA_TOKENS: tuple[Tokens, ...] = (
    Tokens(
        "push",
        "java",
        (b"rocketmq",),
        (b"MQPushConsumer", b"client.consumer.MQConsumer", b"client.consumer.*"),
    ),
    Tokens("lite-pull", "java", (b"rocketmq",), (b"LitePullConsumer",)),
    Tokens("pull", "java", (b"rocketmq",), (b"DefaultMQPullConsumer", b"consumer.MQPullConsumer")),
    Tokens("pull-schedule", "java", (b"rocketmq",), (b"MQPullConsumerScheduleService",)),
    Tokens(
        "grpc-push",
        "java",
        (b"rocketmq",),
        (b"PushConsumerBuilder", b"apis.consumer.PushConsumer", b"apis.consumer.*"),
    ),
    Tokens(
        "grpc-simple", "java", (b"rocketmq",), (b"SimpleConsumerBuilder", b"apis.consumer.SimpleConsumer")
    ),
    Tokens("grpc-lite", "java", (b"rocketmq",), (b"LitePushConsumerBuilder", b"LiteSimpleConsumerBuilder")),
    Tokens(
        "spring-listener", "java", (b"rocketmq",), (b"RocketMQMessageListener", b"RocketMQListenerContainer")
    ),
    Tokens("spring-ext", "java", (b"rocketmq",), (b"ExtRocketMQConsumerConfiguration",)),
    Tokens("spring-ext-v5", "java", (b"rocketmq",), (b"ExtConsumerResetConfiguration",)),
    Tokens("own-annotation", "java", (b"rocketmq",), (b"subscribe(", b"RocketMQListener")),
    Tokens("own-annotation", "java", (b"rocketmq",), _FIRST_ATTRIBUTES),  # of a starter's annotation
    Tokens("own-annotation", "java", (b"rocketmq",), _SUPERCLASSES),
    Tokens("own-annotation", "java", (b"maihaoche.starter.mq",), (b"@MQConsumer",)),
    Tokens(
        "ons",
        "java",
        (b"openservices.ons", b"io.openmessaging.api"),
        (
            b"ONSFactory",
            b"MessagingAccessPoint",
            b"ConsumerBean",
            b"OrderConsumer",
            b"BatchConsumer",
            b"PullConsumer",
            b"subscribe(",
        ),
    ),
    Tokens("http", "java", (b"aliyun.mq.http",), (b"getConsumer", b"MQConsumer")),
    Tokens(
        "stream",
        "java",
        (b"cloud.stream",),
        (b"StreamListener", b"EnableBinding", b"@Input", b"PollableMessageSource"),
    ),
    Tokens("stream", "java", (b"springframework.integration",), (b"ServiceActivator",)),
    Tokens(
        "stream",
        "java",
        (b"java.util.function",),
        (b"@Bean", b"implements Consumer<", b"implements Function<", b"implements Supplier<"),
    ),
)

PYTHON_TOKENS: tuple[Tokens, ...] = (
    Tokens("py-push", "python", (b"rocketmq",), (b"PushConsumer", b".subscribe(", b".Subscribe(")),
    Tokens("py-pull", "python", (b"rocketmq",), (b"PullConsumer",)),
    Tokens("py-grpc-push", "python", (b"rocketmq",), (b"PushConsumer", b".subscribe(")),
    Tokens("py-grpc-simple", "python", (b"rocketmq",), (b"SimpleConsumer", b".subscribe(")),
    Tokens("py-grpc-lite", "python", (b"rocketmq",), (b"LitePushConsumer",)),
    Tokens("py-http", "python", (b"mq_http_sdk",), (b"get_consumer",)),
    Tokens("pyrocketmq", "python", (b"pyrocketmq",), (b"create_", b"ConcurrentConsumer", b"OrderlyConsumer")),
)

CONFIG_TOKENS: tuple[Tokens, ...] = (
    Tokens("stream", "config", (b"rocketmq",), (b"bindings", b"binders", b"input-bindings")),
    Tokens("spring-lite-pull", "config", (b"rocketmq",), (b"consumer", b"pullConsumer", b"pull_consumer")),
)

XML_TOKENS: tuple[Tokens, ...] = (
    Tokens("push", "xml", (b"rocketmq",), (b"DefaultMQPushConsumer",)),
    Tokens("ons-bean", "xml", (b"openservices.ons",), (b"ConsumerBean",)),
)

TOKENS: tuple[Tokens, ...] = (*JAVA_TOKENS, *PYTHON_TOKENS, *CONFIG_TOKENS, *XML_TOKENS)
"""The byte tests of every language; Python and configuration rows are appended by their sections."""
