"""Stub with the names of mq-http-sdk: it records instead of connecting."""

from rocketmq._recorder import sent


class TopicMessage:
    def __init__(self, message_body="", message_tag=""):
        self.message_body, self.message_tag = message_body, message_tag

    def set_message_tag(self, message_tag):
        self.message_tag = message_tag

    def put_property(self, key, value):
        pass


class MQProducer:
    def __init__(self, instance_id, topic_name):
        self.topic_name = topic_name

    def publish_message(self, message):
        sent("py-http-send", None, self.topic_name, message.message_tag)
        return message
