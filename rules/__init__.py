"""The rules: one file each, named as the rule, and the texts that explain them in English and Chinese.

A rule looks at resolved consumers and says what is so (`Remark`); how bad it is, where it holds and what it
costs is added by judging. Rules know nothing of the broker model: two judgements of one group, held against
each other by a test.
"""

from __future__ import annotations

from subdrift.linter.model.finding import DIAGNOSTICS, Rule
from subdrift.rules import (
    almost_equal_tags,
    breaks_readers,
    consumer_never_started,
    divergent_allocation_strategy,
    divergent_consume_from,
    divergent_consume_mode,
    divergent_filter_type,
    divergent_message_model,
    divergent_sql,
    divergent_tags,
    divergent_topics,
    ghost_of_a_failed_sql_start,
    group_of_another_service,
    illegal_topic,
    mixed_client_generations,
    order_not_kept,
    own_system_topic,
    property_nobody_sets,
    reserved_group,
    same_client_id,
    sample_group_name,
    selector_always_false,
    selector_always_true,
    selector_ignored_tail,
    selector_null_rejects,
    selector_refused,
    sent_to_wrong_topic,
    shared_group,
    star_in_list,
    subscribe_after_start,
    tag_hash_collision,
    tag_nobody_reads,
    tag_order_differs,
    topic_nobody_reads,
    topic_nobody_sends,
    topic_subscribed_twice,
    transaction_group_shared,
    unsubscribed_topic_still_listed,
    wrong_tag_separator,
)

ALL: tuple[Rule, ...] = (
    divergent_topics.RULE,
    divergent_tags.RULE,
    divergent_filter_type.RULE,
    divergent_sql.RULE,
    divergent_message_model.RULE,
    divergent_consume_mode.RULE,
    divergent_allocation_strategy.RULE,
    divergent_consume_from.RULE,
    ghost_of_a_failed_sql_start.RULE,
    unsubscribed_topic_still_listed.RULE,
    shared_group.RULE,
    group_of_another_service.RULE,
    mixed_client_generations.RULE,
    same_client_id.RULE,
    tag_order_differs.RULE,
    almost_equal_tags.RULE,
    tag_hash_collision.RULE,
    topic_subscribed_twice.RULE,
    wrong_tag_separator.RULE,
    star_in_list.RULE,
    selector_refused.RULE,
    selector_ignored_tail.RULE,
    selector_always_false.RULE,
    selector_always_true.RULE,
    selector_null_rejects.RULE,
    reserved_group.RULE,
    sample_group_name.RULE,
    illegal_topic.RULE,
    own_system_topic.RULE,
    subscribe_after_start.RULE,
    consumer_never_started.RULE,
    tag_nobody_reads.RULE,
    property_nobody_sets.RULE,
    topic_nobody_sends.RULE,
    topic_nobody_reads.RULE,
    breaks_readers.RULE,
    sent_to_wrong_topic.RULE,
    order_not_kept.RULE,
    transaction_group_shared.RULE,
)

LANGUAGES: tuple[str, ...] = ("en", "zh")


class UnknownTextError(LookupError):
    """There is no rule or diagnostic of that name, or no text in that language."""


def names() -> tuple[str, ...]:
    """Everything that has a text: the rules in their order, then the diagnostics."""
    return tuple(rule.name for rule in ALL) + tuple(DIAGNOSTICS)


def docs(name: str, lang: str = "en") -> str:
    """The Markdown text about a rule or diagnostic, in `en` or `zh`. Raises UnknownTextError.

    What the examples tell the tests, such as what they expect, is left out.
    """
    if name not in names() or lang not in LANGUAGES:
        raise UnknownTextError(f"no text about {name!r} in {lang!r}")
    import re  # neither is needed by a check
    from importlib import resources

    text = resources.files(__name__).joinpath("docs", f"{name}.{lang}.md").read_text(encoding="utf-8")
    announced = r"(?://|#) (?:subscribes|finds|problem): .*"
    return re.sub(rf"(?m)^[ \t]*{announced}\n|^organisation\n\n|[ \t]+{announced}$", "", text)
