"""The spellings of one configuration key: as Spring Boot relaxes them, as variables, as keys of maps."""

from __future__ import annotations

import re
from functools import lru_cache

RELAXED_MAX = 65_536
"""Keys whose relaxed form is kept; the deployables of a run share most of them."""

_CANONICAL = re.compile(r"[a-z0-9.\[\]-]+")
_BRACKETED = re.compile(r"\[([^\[\]]*[^\[\]\d][^\[\]]*)\]")


@lru_cache(maxsize=RELAXED_MAX)
def relaxed(key: str) -> str:
    """The form in which Spring's relaxed spellings of one key are equal."""
    if "[" in key:
        key = _BRACKETED.sub(r".\1", key)
    return key.replace("-", "").replace("_", "").lower()


def variable_of(key: str) -> str:
    """The environment variable that sets a key, as Spring Boot derives it."""
    plain = key.replace("-", "").replace("[", "_").replace("]", "").replace(".", "_")
    return plain.upper()


def variables_of(key: str) -> tuple[str, ...]:
    """The variables that set a key: as Spring Boot derives them, and with the dashes as underscores.

    Mirrors SystemEnvironmentPropertyMapper, Spring Boot 2.0 to 3.4.
    """
    dashed = key.replace("-", "_").replace("[", "_").replace("]", "").replace(".", "_").upper()
    return tuple(dict.fromkeys((variable_of(key), dashed)))


def map_keys(key: str, prefix: str) -> list[str]:
    """What Spring Boot makes of the part of a key below a prefix when it binds maps of maps: in brackets as written,
    else without what is no letter, digit or dash."""
    depth = relaxed(prefix).count(".") + 1
    parts = re.findall(r"\[([^\]]*)\]|([^.\[\]]+)", key)[depth:]
    return [bracketed or re.sub(r"[^A-Za-z0-9-]", "", plain) for bracketed, plain in parts]


def of_profile(key: str) -> tuple[str, str]:
    """(`prod`, `key`) of `%prod.key`, ("", key) of another."""
    profile, dot, rest = key[1:].partition(".") if key[:1] == "%" else ("", "", "")
    return (profile, rest) if dot else ("", key)


def is_canonical(key: str) -> bool:
    """Whether a key is written so that Spring finds its relaxed spellings too."""
    return _CANONICAL.fullmatch(key) is not None


def strip_prefix(key: str, prefix: str) -> str | None:
    """What follows a relaxed prefix in a key as written, without the dot; None when it is not below."""
    want = relaxed(prefix)
    for index in range(len(key) + 1):
        if (index == len(key) or key[index] in ".[") and relaxed(key[:index]) == want:
            return key[index + 1 :] if index < len(key) and key[index] == "." else key[index:]
    return None
