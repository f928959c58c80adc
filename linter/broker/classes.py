"""Which messages to ask about: the subscriptions of one topic in, the kinds of messages their filters tell apart out.

Tags are taken from the expressions. For SQL92 a bounded search over the properties and constants that the expressions
name finds messages that really have each combination of results; combinations nobody can send are not invented.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from linter.broker.fates import TAG_PROPERTY, Content, Sieve
from linter.model.tags import java_hash

CLASSES_MAX: Final = 64
"""Classes of one topic; beyond, tags that all filters treat alike are shown by one of them."""
SEARCH_MAX: Final = 4096
"""Combinations of property values tried for SQL92 expressions of one topic."""

ANY_LABEL: Final = "*"
OTHER_LABEL: Final = "(other)"
UNTAGGED_LABEL: Final = "(no tag)"

_TOKEN: Final = re.compile(r"'((?:[^']|'')*)'|([A-Za-z_$][A-Za-z0-9_$]*)|(\d+(?:\.\d+)?)")
_WORDS: Final = frozenset(
    ("NOT", "AND", "OR", "BETWEEN", "IN", "IS", "NULL", "TRUE", "FALSE", "CONTAINS", "STARTSWITH", "ENDSWITH")
)


@dataclass(frozen=True, slots=True)
class Kind:
    """One class of messages, with a message that belongs to it."""

    label: str
    tag: str | None
    """None where the class is not that of one tag."""
    content: Content
    matches: tuple[str, ...] = ()
    """SQL92 expressions that are true for it."""


def kinds(sieves: Sequence[Sieve]) -> tuple[tuple[Kind, ...], bool]:
    """The classes of messages of a topic with these subscriptions, and whether a bound left some out."""
    selectors = {one.expression: one for one in sieves if one.is_sql}
    if not selectors:
        return _tag_kinds(sieves)
    return _sql_kinds(sieves, selectors)


def _tag_kinds(sieves: Sequence[Sieve]) -> tuple[tuple[Kind, ...], bool]:
    tags = sorted({tag for one in sieves if one.tags for tag in one.tags.tags})
    found = [Kind(tag, tag, Content(tag)) for tag in tags]
    rest = ANY_LABEL if not found else OTHER_LABEL
    found.append(Kind(rest, None, Content(_unused_tag(sieves))))
    if any(one.tags is not None and 0 in one.tags.codes for one in sieves):
        found.append(Kind(UNTAGGED_LABEL, None, Content(None)))
    if len(found) <= CLASSES_MAX:
        return tuple(found), False
    alike: dict[tuple[tuple[bool, bool], ...], list[Kind]] = {}
    for kind in found:
        alike.setdefault(tuple((s.passes(kind.content), s.wants(kind.content)) for s in sieves), []).append(
            kind
        )
    merged = [
        Kind(first.label + (f" (+{len(more)})" if more else ""), first.tag, first.content)
        for first, *more in alike.values()
    ]
    return tuple(merged[:CLASSES_MAX]), len(merged) > CLASSES_MAX


def _unused_tag(sieves: Iterable[Sieve]) -> str:
    """A tag that no expression names, nor any with the same hash."""
    codes = {code for one in sieves if one.tags for code in one.tags.codes}
    number = 0
    while java_hash(tag := f"other{number or ''}") in codes:
        number += 1
    return tag


def _sql_kinds(sieves: Sequence[Sieve], selectors: dict[str, Sieve]) -> tuple[tuple[Kind, ...], bool]:
    values, names = _constants(selectors)
    by_tag = TAG_PROPERTY in names or any(one.tags is not None and not one.tags.is_all for one in sieves)
    own_tags = {tag for one in sieves if one.tags for tag in one.tags.tags}
    texts = {value for value in values if not value.lstrip("-").replace(".", "").isdigit()}
    tags: list[str | None] = [_unused_tag(sieves)]
    if by_tag:
        tags = [*sorted(own_tags | (texts if TAG_PROPERTY in names else set())), _unused_tag(sieves), None]
    properties = sorted(names - {TAG_PROPERTY})
    choices: list[list[str | None]] = [tags, *([None, *values, "?"] for _ in properties)]
    size = 1
    for one in choices:
        size *= len(one)
    found: dict[tuple[str | None, tuple[str, ...]], Kind] = {}
    for tag, *given in islice(product(*choices), SEARCH_MAX):
        own = tuple((name, value) for name, value in zip(properties, given, strict=True) if value is not None)
        content = Content(tag, own)
        matches = tuple(text for text, one in selectors.items() if one.wants(content))
        key = (tag, matches)
        if key not in found:
            named = tag if tag in own_tags else None
            found[key] = Kind(_label(tag, tags, properties, own, by_tag), named, content, matches)
    listed = _told_apart(found.values(), sieves)
    return tuple(islice(listed, CLASSES_MAX)), size > SEARCH_MAX or len(found) > CLASSES_MAX


def _told_apart(found: Iterable[Kind], sieves: Sequence[Sieve]) -> Iterator[Kind]:
    """Classes of one tag each, and of the rest one for each way the filters treat it."""
    seen = set()
    for kind in found:
        key = (kind.tag, tuple((one.passes(kind.content), one.keeps(kind.content)) for one in sieves))
        if key not in seen:
            seen.add(key)
            yield kind


def _constants(selectors: Iterable[str]) -> tuple[list[str], set[str]]:
    """Values worth trying for a property, and the properties the expressions name."""
    values: dict[str, None] = {}
    names: set[str] = set()
    for text in selectors:
        for quoted, name, number in _TOKEN.findall(text):
            if name:
                if name.upper() not in _WORDS:
                    names.add(name)
            elif number:
                whole = int(float(number))
                values |= dict.fromkeys((number, str(whole + 1), str(whole - 1)))
            else:
                values[quoted.replace("''", "'")] = None
    return list(values), names


def _label(
    tag: str | None,
    tags: Sequence[str | None],
    properties: Sequence[str],
    own: tuple[tuple[str, str], ...],
    by_tag: bool,
) -> str:
    """The message in words: its tag where tags matter, and what it has of the properties that are named."""
    parts = []
    if by_tag:
        parts.append(UNTAGGED_LABEL if tag is None else OTHER_LABEL if tag == tags[-2] else tag)
    given = dict(own)
    parts += [f"{name}={given[name]}" if name in given else f"no {name}" for name in properties]
    return ", ".join(parts) or ANY_LABEL
