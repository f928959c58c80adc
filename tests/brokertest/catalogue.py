"""All plans and remedies that are carried out on a broker's version."""

from typing import Final

from . import cases, drawn, fresh, rarer, unlike
from .cases import OLD, OLD_4, case, tagged
from .hosts import Json

OLD_TOOLS: Final = "4.8.0"
"""Its `cloneGroupOffset` copies the end of a queue."""
OTHER_CLIENT: Final = {"4.8.0": "5.3.3", "4.9.7": "5.3.3", "5.3.3": "4.9.8"}
"""The client that is mixed with the broker's own in one group."""


def all_cases(broker: str) -> list[Json]:
    """The cases of one version of brokers."""
    modern = broker.startswith("5.")
    found = [
        *cases.tag_cases(),
        *cases.split_cases(),
        *cases.more_cases(),
        *cases.orderly_cases(),
        *cases.remedy_cases(),
        *cases.settled_cases(),
        *cases.said_alike_cases(broker),
        *cases.interrupted_cases(),
        *cases.given_up_cases(),
        *rarer.rarer_cases(broker, OTHER_CLIENT[broker]),
        *drawn.drawn_cases(OTHER_CLIENT[broker]),
        *drawn.again({"from" if modern else "to": OTHER_CLIENT[broker]}),
        *fresh.fresh_cases(OTHER_CLIENT[broker]),
        *unlike.unlike_cases(modern),
        *(drawn.second_heartbeat() if modern else []),
        *([*cases.proxied_cases("cluster"), *cases.proxied_cases("local")] if modern else []),
        *([*cases.grpc_cases("cluster"), *cases.grpc_cases("local")] if modern else []),
        *cases.wider_cases({"from": "4.9.8"} if modern else {"to": "5.3.3"}),
    ]
    if broker == OLD_TOOLS:
        two = tagged("x || y", "x || z")
        found.append(
            case(
                "split/tags/mqadmin-of-4.8.0/old",
                two,
                "pause",
                split={"B": "2"},
                tools=OLD_TOOLS,
                brokerConfig=OLD,
            )
        )
    if broker.startswith("4."):
        found = [{**one, "brokerConfig": OLD_4} if one.get("brokerConfig") == OLD else one for one in found]
    return found
