"""Consumers that do not run, or not always: switched off, started by nothing, or under a condition that is open."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from subdrift.linter.model.consumer import SWITCHES, Consumer
from subdrift.linter.report.language import Language

KINDS = ("disabled", "never-started", "conditional")
"""What may be of a consumer, in the order in which it is counted."""

HANGS_TOLD_MAX = 3
"""Conditions of a program that are named of one consumer."""

_UNSTARTED = frozenset(("not-a-bean", "never-started", "not-reached"))


def kinds(consumer: Consumer) -> tuple[str, ...]:
    """Those of `KINDS` that a row of a consumer is; none where it runs as far as can be seen."""
    if consumer.disabled:
        return KINDS[:1]
    unstarted = any(one.kind in _UNSTARTED for one in consumer.conditions)
    return (*KINDS[1:2] * unstarted, *KINDS[2:] * bool(consumer.switches))


def reasons(consumer: Consumer, language: Language) -> str:
    """Why it does not run, or not always, as a sentence's end."""
    word = language.word
    said: dict[str, None] = {}
    hangs: dict[str, None] = {}
    for one in consumer.conditions:
        detail = language.detail(one.text)
        if one.kind in SWITCHES or one.kind == "profile":
            off = "idle.switched-off-by" if one.kind == "property" else "idle.switched-off"
            if consumer.disabled or one.written:
                said[word(off if consumer.disabled else "idle.only-if", text=detail)] = None
            else:
                hangs[detail.strip()] = None
        elif one.kind in (*_UNSTARTED, "disabled"):
            said[word(f"idle.{one.kind}") + (word("idle.detail", detail=detail) if detail else "")] = None
    if hangs:
        told = [*islice(hangs, HANGS_TOLD_MAX)]
        more = [word("idle.depends-more", count=len(hangs) - len(told))] if len(hangs) > len(told) else []
        said[word("idle.depends", text=language.joined((*told, *more)))] = None
    kinds = language.comma.join(dict.fromkeys(one.kind for one in consumer.conditions))
    return language.comma.join(said) or word("idle.disabled") + (
        word("idle.detail", detail=kinds) if kinds else ""
    )


def counted(consumers: Iterable[Consumer], language: Language) -> str:
    """`Not all consumers run: 2 switched off, 3 that nothing starts, 4 under a condition (subdrift list --disabled).`, or "".

    A consumer counts once: as switched off where every row of it is.
    """
    rows: dict[str, list[tuple[str, ...]]] = {}
    for one in consumers:
        if one.scope == "main":
            rows.setdefault(one.id, []).append(kinds(one))
    found = dict.fromkeys(KINDS, 0)
    for every in rows.values():
        for kind in KINDS:
            if all(kind in each for each in every):
                found[kind] += 1
                break
    parts = [language.word(f"idle.count.{kind}", count=found[kind]) for kind in KINDS if found[kind]]
    return language.word("idle.counted", listed=language.comma.join(parts)) if parts else ""
