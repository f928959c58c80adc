"""Stub with the names of mq-http-sdk: it records instead of connecting."""

from mq_http_sdk.mq_producer import MQProducer


class MQClient:
    def __init__(self, host, access_id, access_key):
        pass

    def get_producer(self, instance_id, topic_name):
        return MQProducer(instance_id, topic_name)

    def get_trans_producer(self, instance_id, topic_name, group_id):
        return MQProducer(instance_id, topic_name)
