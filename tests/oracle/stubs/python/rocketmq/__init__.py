"""Stub with the names of rocketmq-python-client (5.x): it records instead of connecting."""

from enum import Enum

from rocketmq._recorder import Subject, sent


class FilterType(Enum):
    TAG = "TAG"
    SQL = "SQL92"


class FilterExpression:
    def __init__(self, expression="*", filter_type=FilterType.TAG):
        self.expression, self.filter_type = expression, filter_type


class Credentials:
    def __init__(self, ak="", sk=""):
        pass


class ClientConfiguration:
    def __init__(self, endpoints, credentials=None, namespace="", request_timeout=3):
        self.namespace = namespace


class ConsumeResult(Enum):
    SUCCESS = 0
    FAILURE = 1


class MessageListener:
    def consume(self, message):
        return ConsumeResult.SUCCESS


class _Consumer:
    _api = ""

    def _init(self, configuration, group, subscription):
        self._subject = Subject(self._api)
        self._subject.event("group", group)
        if configuration is not None and configuration.namespace:
            self._subject.event("namespace", configuration.namespace)
        for topic, f in (subscription or {}).items():
            self.subscribe(topic, f)

    def subscribe(self, topic, filter_expression=None):
        f = filter_expression or FilterExpression()
        self._subject.event("subscribe", topic, f.expression, f.filter_type.value)
        return self

    def unsubscribe(self, topic):
        self._subject.event("unsubscribe", topic)
        return self

    def startup(self):
        self._subject.event("start")
        return self

    def shutdown(self):
        self._subject.event("shutdown")


class SimpleConsumer(_Consumer):
    _api = "py-grpc-simple"

    def __init__(self, client_configuration, consumer_group, subscription=None, await_duration=20):
        self._init(client_configuration, consumer_group, subscription)


class PushConsumer(_Consumer):
    _api = "py-grpc-push"

    def __init__(self, client_configuration, consumer_group, message_listener=None, subscription=None):
        self._init(client_configuration, consumer_group, subscription)


class Message:
    topic = tag = body = keys = None


class Producer:
    def __init__(self, client_configuration, topics=None):
        pass

    def startup(self):
        pass

    def shutdown(self):
        pass

    def send(self, message):
        sent("py-grpc-send", None, message.topic, message.tag)

    send_async = send
