"""What is supposed where source code is silent: instances, queues, versions, broker settings."""

from msgspec import Struct

from subdrift.linter.broker.versions import LATEST, Version


class Assume(Struct, frozen=True):
    """The `[assume]` section, for one group."""

    instances: int = 1
    """Running instances of each deployable."""
    queues: int = 4
    client_version: Version = LATEST
    """For clients whose version the build files do not pin."""
    broker_version: Version = LATEST
    property_filter: bool = True
    """Whether the broker allows SQL92; whoever filters by it is taken to have switched it on."""
    topic_queues: tuple[tuple[str, int], ...] = ()
    """Topics with another number of queues."""

    def queues_of(self, topic: str) -> int:
        return dict(self.topic_queues).get(topic, self.queues)
