"""Members of a group that behave alike: what the closed form takes in."""

from msgspec import Struct

from subdrift.linter.broker.versions import Version
from subdrift.linter.broker.vocabulary import ClientKind, MessageModel, Subscription


class Side(Struct, frozen=True):
    """Members of a group that behave alike, as far as the model can tell."""

    label: str
    clients: int
    """Running instances of all its members, at least 1."""
    kind: ClientKind
    model: MessageModel | None
    """None: not known."""
    subscriptions: tuple[Subscription, ...]
    """Those whose topic and expression are known, at most one for a topic."""
    post_subscription: bool = False
    strategy: str | None = "AVG"
    """None: not known."""
    version: Version | None = None
    """None: the assumed one."""
    dark_topics: tuple[str, ...] = ()
    """Topics it subscribes with an expression or filter type that is not known."""
    more_topics: bool = False
    """Whether it subscribes topics that are not known."""
    why_dark: str = ""
    """The reason for what is not known."""

    def subscription(self, topic: str) -> Subscription | None:
        return next((one for one in self.subscriptions if one.topic == topic), None)

    def may_have(self, topic: str) -> bool:
        """Whether it may subscribe the topic in a way that is not known."""
        return topic in self.dark_topics or self.more_topics

    def lacks(self, topic: str) -> bool:
        """Whether its heartbeats surely leave the topic out; a pull consumer's name no topic it has not registered."""
        return self.kind is ClientKind.PULL or (self.subscription(topic) is None and not self.may_have(topic))

    @property
    def own_filter(self) -> bool:
        """Whether its pulls carry its own expression."""
        return self.post_subscription or self.kind is not ClientKind.PUSH

    @property
    def pops(self) -> bool:
        return self.kind is ClientKind.GRPC
