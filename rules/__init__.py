"""The rules: one file each, named as the rule, and the texts that explain them in English and Chinese. Part of subdrift.

A rule looks at resolved consumers and says what is so (`Remark`); how bad it is, where it holds and what it
costs is added by judging. Rules know nothing of the broker model: two judgements of one group, held against
each other by a test.
"""

from __future__ import annotations

from linter.model.finding import DIAGNOSTICS, Rule
from rules import (
    divergent_filter_type,
    divergent_message_model,
    divergent_sql,
    divergent_tags,
    divergent_topics,
    star_in_list,
    tag_order_differs,
    topic_subscribed_twice,
    wrong_tag_separator,
)

ALL: tuple[Rule, ...] = (
    divergent_topics.RULE,
    divergent_tags.RULE,
    divergent_filter_type.RULE,
    divergent_sql.RULE,
    divergent_message_model.RULE,
    tag_order_differs.RULE,
    topic_subscribed_twice.RULE,
    wrong_tag_separator.RULE,
    star_in_list.RULE,
)

LANGUAGES: tuple[str, ...] = ("en", "zh")


class UnknownTextError(LookupError):
    """There is no rule or diagnostic of that name, or no text in that language."""


def names() -> tuple[str, ...]:
    """Everything that has a text: the rules in their order, then the diagnostics."""
    return tuple(rule.name for rule in ALL) + tuple(DIAGNOSTICS)


def docs(name: str, lang: str = "en") -> str:
    """The Markdown text about a rule or diagnostic, in `en` or `zh`. Raises UnknownTextError."""
    if name not in names() or lang not in LANGUAGES:
        raise UnknownTextError(f"no text about {name!r} in {lang!r}")
    from importlib import resources  # brings along what no check needs

    return resources.files("rules").joinpath("docs", f"{name}.{lang}.md").read_text(encoding="utf-8")
