"""Stub with the names of rocketmq-client-python: it records instead of connecting."""

from enum import Enum

from rocketmq._recorder import Subject, sent


class ConsumeStatus(Enum):
    CONSUME_SUCCESS = 0
    RECONSUME_LATER = 1


class MessageModel(Enum):
    BROADCASTING = 0
    CLUSTERING = 1


class PushConsumer:
    def __init__(self, group_id, orderly=False, message_model=MessageModel.CLUSTERING):
        self._subject = Subject("py-push")
        self._subject.event("group", group_id)
        self._subject.event("model", message_model.name)

    def set_group(self, group_id):
        self._subject.event("group", group_id)

    def set_message_model(self, model):
        self._subject.event("model", model.name)

    def set_name_server_address(self, addr):
        pass

    set_namesrv_addr = set_name_server_address

    def set_thread_count(self, n):
        pass

    def set_instance_name(self, name):
        pass

    def set_session_credentials(self, key, secret, channel):
        pass

    def subscribe(self, topic, callback, expression="*"):
        self._subject.event("subscribe", topic, expression, "TAG")

    def start(self):
        self._subject.event("start")

    def shutdown(self):
        self._subject.event("shutdown")


class Message:
    def __init__(self, topic):
        self._topic, self._tag = topic, None
        self._properties, self._delay = {}, ""

    def set_tags(self, tags):
        self._tag = tags

    def set_keys(self, keys):
        self._properties["KEYS"] = keys

    def set_body(self, body):
        pass

    def set_property(self, key, value):
        self._properties[key] = value

    def set_delay_time_level(self, level):
        self._delay = f"level {level}" if level > 0 else ""


class Producer:
    def __init__(self, group_id, orderly=False):
        self._group = group_id

    def set_name_server_address(self, addr):
        pass

    set_namesrv_addr = set_name_server_address

    def start(self):
        pass

    def shutdown(self):
        pass

    def _send(self, message):
        sent("py-send", self._group, message._topic, message._tag, message._properties, message._delay)

    def send_sync(self, message):
        self._send(message)

    def send_oneway(self, message):
        self._send(message)

    def send_orderly_with_sharding_key(self, message, key):
        self._send(message)


class TransactionMQProducer(Producer):
    def __init__(self, group_id, checker_callback, user_args=None):
        super().__init__(group_id)

    def send_message_in_transaction(self, message, local_execute, user_args=None):
        self._send(message)
        local_execute(message, user_args)
