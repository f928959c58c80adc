"""Stub with the names of pyrocketmq: it records instead of connecting."""


class Message:
    def __init__(self, topic, body=b"", flag=0):
        self.topic, self.body, self.tags = topic, body, None

    def set_tags(self, tags):
        self.tags = tags

    def set_keys(self, keys):
        pass
