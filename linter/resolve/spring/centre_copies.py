"""Copies of what a configuration centre serves, kept in the repository of the application that asks for them.

What the centre really has may differ, so a value of a copy is never certain; two copies of one name are none. Names as Spring
Cloud Alibaba 2021 to 2023 (NacosPropertySourceLocator), Apollo 2 and Spring Cloud Config 3 make them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.resources import is_test_resource

_PROFILE = re.compile(r"\$\{spring\.profiles\.active(?::[^}]*)?\}")
_LISTED = re.compile(r"(shared|ext|extension)-?configs?\[(\d+)\]\.data-?id", re.IGNORECASE)
_SUFFIXES = ("properties", "yml", "yaml")

Text = Callable[[str], str]
"""The text of a key, "" where no file without a profile has one."""


class Kept(Struct, frozen=True):
    """A copy; a lower `rank` wins. `profile` is that of its name, "" for none."""

    placed: Placed
    profile: str
    rank: tuple[int, ...]


def names(centre: str, text: Text, below: Mapping[str, str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The base names an application asks for, each with its rank; `*` stands for a profile. `below` has the keys under the
    centre's own, with their texts."""
    application = text("spring.application.name")
    if centre == "nacos":
        stem = "spring.cloud.nacos.config"
        prefix = text(f"{stem}.prefix") or text(f"{stem}.name") or application
        suffix = text(f"{stem}.file-extension") or "properties"
        if prefix:
            yield f"{prefix}-*.{suffix}", (0, 0)
            yield f"{prefix}.{suffix}", (0, 1)
        for key, name in below.items():
            found = _LISTED.fullmatch(key)
            if found is not None:
                yield name, (2 if found[1].lower() == "shared" else 1, -int(found[2]))
            elif key in ("shared-dataids", "refreshable-dataids"):
                yield from ((part.strip(), (2, -number)) for number, part in enumerate(name.split(",")))
    elif centre == "apollo":
        for number, each in enumerate(text("apollo.bootstrap.namespaces").split(",")):
            name = each.strip()
            if name and name != "application":
                yield name if name.rpartition(".")[2] in _SUFFIXES else f"{name}.properties", (number,)
    else:
        for number, each in enumerate(filter(None, (application, "application"))):
            for suffix in _SUFFIXES:
                yield f"{each}-*.{suffix}", (0, number)
                if each != "application":  # a file of that name is every module's own
                    yield f"{each}.{suffix}", (1, number)


def kept(
    asked: Iterator[tuple[str, tuple[int, ...]]],
    repo: str,
    by_name: Mapping[str, Sequence[Placed]],
    wanted: Callable[[str], None],
) -> Iterator[Kept]:
    """The copies a repository has of what is asked for; `wanted` takes the names of those that are not read yet."""
    for written, rank in asked:
        name = _PROFILE.sub("*", written).rpartition("/")[2]
        if not name or "$" in name or name.count("*") > 1:
            continue
        wanted(name)
        before, star, after = name.partition("*")
        fitting = [name] if not star else [o for o in by_name if o.startswith(before) and o.endswith(after)]
        for base in fitting:
            copies = [one for one in by_name.get(base, ()) if _is_copy(one, repo)]
            if len(copies) == 1:
                yield Kept(copies[0], base[len(before) : len(base) - len(after)] if star else "", rank)


def _is_copy(placed: Placed, repo: str) -> bool:
    path = placed.origin.path
    if placed.origin.repo != repo or "src/main/" in path or is_test_resource(path):
        return False
    keys = [one.key for one in placed.facts.config]
    return bool(keys) and not any(key == "apiVersion" or key.startswith("services.") for key in keys)
