"""Stub with the names of pyrocketmq: it records instead of connecting."""

from rocketmq._recorder import sent


class Producer:
    def __init__(self, group):
        self._group = group

    def start(self):
        pass

    def shutdown(self):
        pass

    def send(self, message):
        sent("pyrocketmq-send", self._group, message.topic, message.tags)

    def send_oneway(self, message):
        self.send(message)

    def send_batch(self, *messages):
        for message in messages:
            self.send(message)


def create_producer(producer_group="DEFAULT_PRODUCER", namesrv_addr="localhost:9876", **kwargs):
    return Producer(producer_group)
