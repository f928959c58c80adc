"""Frameworks beside Spring that read settings files: by which keys profiles are named, and which one holds by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

_MICROPROFILE = ("smallrye.config.profile", "mp.config.profile")


class Framework(Struct, frozen=True):
    """`groups`: how the groups of its artifacts begin. `default`: the profile of a packaged application that names none.
    `dashed`: an argument of its programs may have one dash."""

    groups: tuple[str, ...]
    profile_keys: tuple[str, ...]
    default: str = "default"
    dashed: bool = False


SPRING = Framework((), ("spring.profiles.active",))
FRAMEWORKS = (
    Framework(("io.quarkus",), ("quarkus.profile", *_MICROPROFILE), "prod"),
    Framework(("io.micronaut",), ("micronaut.environments",), dashed=True),
    Framework(("io.smallrye", "io.helidon", "org.eclipse.microprofile"), _MICROPROFILE),
)
"""As recorded with Quarkus 3.8, Micronaut 4.7 and SmallRye Config 3.5."""


def framework_of(coordinates: Iterable[str]) -> Framework:
    """The first framework that one of some artifacts belongs to; Spring where none does."""
    groups: Sequence[str] = [each.partition(":")[0] for each in coordinates]
    return next((one for one in FRAMEWORKS if any(each.startswith(one.groups) for each in groups)), SPRING)
