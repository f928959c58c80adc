"""Configuration of several files -> the consumers that configuration alone declares, and those it switches off."""

from __future__ import annotations

from collections.abc import Sequence

from subdrift.linter.model.facts import ConsumerSite
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve import starters
from subdrift.linter.resolve.environment import Entry, Environment
from subdrift.linter.resolve.keys import map_keys
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.spring.registration import Registrations
from subdrift.linter.resolve.stream import inputs
from subdrift.linter.resolve.world import World

LISTENERS = "rocketmq.consumer.listeners"
"""The enable map of rocketmq-spring, 2.0.4 and later: group -> topic -> boolean."""


def sites(
    world: World,
    deployable: Deployable,
    environment: Environment,
    files: Sequence[Placed],
    registrations: Registrations | None = None,
) -> list[tuple[Placed, ConsumerSite]]:
    """The consumers that configuration alone declares for a deployable in one environment; `registrations` say which
    functions and channels are beans, where that is known."""
    return [
        *inputs.sites(world, deployable, environment, files, registrations),
        *starters.sites(world, deployable, environment, files),
    ]


def switched_off(environment: Environment, group: str, topic: str) -> Entry | None:
    """The entry of the enable map that switches a listener off; None where it runs.

    Names are compared as Spring Boot binds map keys: in brackets as written, else without what is no letter, digit
    or dash. Mirrors ListenerContainerConfiguration#registerContainer, rocketmq-spring 2.0.4 to 2.3.5.
    """
    for entry in environment.configuration.below(LISTENERS):
        named = map_keys(entry.key, LISTENERS)
        if (named[:1], ".".join(named[1:])) != ([group], topic):
            continue
        holding = environment.lookup(entry.key, loosely=False)
        if holding is not None and holding.text.strip().lower() == "false":
            return holding
    return None
