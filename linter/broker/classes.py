"""Which messages to ask about: the subscriptions of one topic in, the kinds of messages their filters tell apart out.

Tags are taken from the expressions. For SQL92 a bounded search over the properties and constants that the expressions
name finds messages that really have each combination of results; combinations nobody can send are not invented.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.fates import TAG_PROPERTY, Content, Sieve
from subdrift.linter.model.tags import java_hash

CLASSES_MAX: Final = 64
"""Classes of one topic; beyond, tags that all filters treat alike are shown by one of them."""
SEARCH_MAX: Final = 4096
"""Combinations of property values tried for SQL92 expressions of one topic."""
SEARCH_MIN: Final = 64
"""The same where selectors are many."""
EVALUATIONS_MAX: Final = 131_072
"""Evaluations of selectors for one topic: fewer combinations are tried where there are more than 32 selectors."""
DIRECTED_MAX: Final = 128
"""Selectors for which a message of their own is looked for where not all combinations are tried."""
DIRECTED_TRIES_MAX: Final = 64

ANY_LABEL: Final = "*"
OTHER_LABEL: Final = "(other)"
UNTAGGED_LABEL: Final = "(no tag)"

_TOKEN: Final = re.compile(r"'((?:[^']|'')*)'|([A-Za-z_$][A-Za-z0-9_$]*)|(\d+(?:\.\d+)?)")
_WORDS: Final = frozenset(
    ("NOT", "AND", "OR", "BETWEEN", "IN", "IS", "NULL", "TRUE", "FALSE", "CONTAINS", "STARTSWITH", "ENDSWITH")
)


class Kind(Struct, frozen=True):
    """One class of messages, with a message that belongs to it."""

    label: str
    tag: str | None
    """None where the class is not that of one tag."""
    content: Content
    matches: tuple[str, ...] = ()
    """SQL92 expressions that are true for it."""


def kinds(sieves: Sequence[Sieve], most: int = CLASSES_MAX) -> tuple[tuple[Kind, ...], bool]:
    """The classes of messages of a topic with these subscriptions, at most so many, and whether a bound left some out."""
    selectors = {one.expression: one for one in sieves if one.is_sql}
    if not selectors:
        return _tag_kinds(sieves, most)
    return _sql_kinds(sieves, selectors, most)


def _tag_kinds(sieves: Sequence[Sieve], most: int) -> tuple[tuple[Kind, ...], bool]:
    tags = sorted({tag for one in sieves if one.tags for tag in one.tags.tags})
    found = [Kind(tag, tag, Content(tag)) for tag in tags]
    rest = ANY_LABEL if not found else OTHER_LABEL
    found.append(Kind(rest, None, Content(_unused_tag(sieves))))
    if any(one.tags is not None and 0 in one.tags.codes for one in sieves):
        found.append(Kind(UNTAGGED_LABEL, None, Content(None)))
    if len(found) <= most:
        return tuple(found), False
    told_apart = _by_tags(sieves)
    alike: dict[object, list[Kind]] = {}
    for kind in found:
        alike.setdefault(told_apart(kind.content), []).append(kind)
    merged = [
        Kind(first.label + (f" (+{len(more)})" if more else ""), first.tag, first.content)
        for first, *more in alike.values()
    ]
    return tuple(merged[:most]), len(merged) > most


def _by_tags(sieves: Sequence[Sieve]) -> Callable[[Content], object]:
    """What tag expressions make of a message: equal for messages that none of them can tell apart."""
    tags: dict[str, list[int]] = {}
    codes: dict[int, list[int]] = {}
    for index, one in enumerate(sieves):
        if one.tags is not None:
            for tag in one.tags.tags:
                tags.setdefault(tag, []).append(index)
            for code in one.tags.codes:
                codes.setdefault(code, []).append(index)
    return lambda content: (tuple(tags.get(content.tag or "", ())), tuple(codes.get(content.code, ())))


def _unused_tag(sieves: Iterable[Sieve]) -> str:
    """A tag that no expression names, nor any with the same hash."""
    codes = {code for one in sieves if one.tags for code in one.tags.codes}
    number = 0
    while java_hash(tag := f"other{number or ''}") in codes:
        number += 1
    return tag


def _sql_kinds(
    sieves: Sequence[Sieve], selectors: dict[str, Sieve], most: int
) -> tuple[tuple[Kind, ...], bool]:
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
    tried = min(SEARCH_MAX, max(SEARCH_MIN, EVALUATIONS_MAX // len(selectors)))
    directed = _directed(selectors, properties, tags[0]) if size > tried else ()
    for tag, *given in chain(directed, islice(product(*choices), tried)):
        own = tuple((name, value) for name, value in zip(properties, given, strict=True) if value is not None)
        content = Content(tag, own)
        matches = tuple(text for text, one in selectors.items() if one.wants(content))
        key = (tag, matches)
        if key not in found:
            named = tag if tag in own_tags else None
            found[key] = Kind(_label(tag, tags, properties, own, by_tag), named, content, matches)
    listed = _told_apart(found.values(), sieves)
    return tuple(islice(listed, most)), size > tried or len(found) > most


def _directed(
    selectors: Mapping[str, Sieve], properties: Sequence[str], tag: str | None
) -> Iterator[tuple[str | None, ...]]:
    """For some selectors a message each that they match, as far as their own constants make one.

    The plain search cannot reach them where selectors are many.
    """
    for text, one in islice(selectors.items(), DIRECTED_MAX):
        values, names = _constants([text])
        choices = [[*values, None] if name in names else [None] for name in properties]
        for given in islice(product(*choices), DIRECTED_TRIES_MAX):
            own = tuple((n, v) for n, v in zip(properties, given, strict=True) if v is not None)
            if one.wants(Content(tag, own)):
                yield (tag, *given)
                break


def _told_apart(found: Iterable[Kind], sieves: Sequence[Sieve]) -> Iterator[Kind]:
    """Classes of one tag each, and of the rest one for each way the filters treat it."""
    seen = set()
    by_tags = _by_tags(sieves)
    for kind in found:
        key = (kind.tag, kind.matches, by_tags(kind.content))
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
