"""Which profile the settings of a section, or one of them, are for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from subdrift.linter.model.facts import ConfigEntry
from subdrift.linter.model.location import Span

PROFILE_KEYS = ("spring.config.activate.on-profile", "spring.profiles")

_PLATFORM_KEYS = ("spring.config.activate.on-cloud-platform", "spring.config.activate.onCloudPlatform")

_OF_PROFILE = re.compile(r"%([\w-]+)\.(.+)", re.S)


def entry_of(key: str, text: str, profiles: tuple[str, ...], document: int, at: Span) -> ConfigEntry:
    """`%prod.key` (MicroProfile, Quarkus) is the key in that profile, above the one without: a later document."""
    own = _OF_PROFILE.fullmatch(key)
    if own is None:
        return ConfigEntry(key, text, profiles, document, at)
    return ConfigEntry(own[2], text, (own[1],), document + 1, at)


def on_platform(profiles: tuple[str, ...], leaves: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The profiles of a document, which a cloud platform has to be one of where the document names one."""
    platform = next((text.strip().lower() for key, text in leaves if key in _PLATFORM_KEYS), "none")
    if platform in ("none", ""):
        return profiles
    return tuple(f"({each}) & {platform}-platform" for each in profiles) or (f"{platform}-platform",)
