"""The words that everything about a group shares: kinds of clients, message models, filter types, subscriptions."""

from enum import Enum

from msgspec import Struct


class ClientKind(Enum):
    """The client class of a member; GRPC is any consumer of the 5.x clients that talk to a proxy."""

    PUSH = "push"
    LITE_PULL = "litepull"
    PULL = "pull"
    GRPC = "grpc"


class MessageModel(Enum):
    CLUSTERING = "CLUSTERING"
    BROADCASTING = "BROADCASTING"


class FilterType(Enum):
    TAG = "TAG"
    SQL92 = "SQL92"


class Subscription(Struct, frozen=True):
    topic: str
    filter_type: FilterType
    expression: str
    """Verbatim; "" stands for a missing one too."""
