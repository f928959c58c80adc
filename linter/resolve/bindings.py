"""Spring Cloud Stream and property-declared consumers: keys of several files -> consumer sites."""

from __future__ import annotations

from collections.abc import Sequence

from linter.model.facts import ConsumerSite
from linter.resolve.configuration import Environment
from linter.resolve.evaluate import World
from linter.resolve.modules import Deployable
from linter.resolve.place import Placed


def sites(
    world: World, deployable: Deployable, environment: Environment, files: Sequence[Placed]
) -> list[tuple[Placed, ConsumerSite]]:
    """The consumers that configuration alone declares for a deployable in one environment."""
    return []
