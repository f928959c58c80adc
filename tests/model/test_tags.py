"""Tag expressions mean what RocketMQ's FilterAPI makes of them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subdrift.linter.model.tags import (
    CACHED_EXPRESSIONS_MAX,
    TagFilter,
    TagSyntaxError,
    java_hash,
    java_order,
    java_trim,
    parse_tags,
)

any_text = st.text(st.characters(), max_size=30)
"""Unpaired surrogates included."""
expressions = st.one_of(any_text, st.text(st.sampled_from("ab* |\t\u3000订😀\ud800"), max_size=20))


def parsed_or_none(expression: str | None) -> TagFilter | None:
    try:
        return parse_tags(expression)
    except TagSyntaxError:
        return None


@pytest.mark.parametrize("expression", [None, "", "*"])
def test_a_missing_or_empty_expression_means_every_tag(expression: str | None) -> None:
    parsed = parse_tags(expression)
    assert parsed.is_all
    assert parsed.matches_code(0)
    assert parsed.matches_tag(None)


@pytest.mark.parametrize(
    ("expression", "tags"),
    [
        ("a||b", {"a", "b"}),
        (" a || b ", {"a", "b"}),
        ("||a", {"a"}),
        ("a||||b||", {"a", "b"}),
        ("a|||b", {"a", "|b"}),
        ("a|b", {"a|b"}),
        ("a,b", {"a,b"}),
        (" * ", {"*"}),
        ("a||*", {"a", "*"}),
        ("\u3000a\u3000", {"\u3000a\u3000"}),
        ("a\0", {"a"}),
        (" ", set()),
        ("|| ||", set()),
    ],
)
def test_an_expression_names_these_tags_and_is_kept_verbatim(expression: str, tags: set[str]) -> None:
    parsed = parse_tags(expression)
    assert (parsed.text, set(parsed.tags)) == (expression, tags)
    assert not parsed.is_all


@pytest.mark.parametrize("expression", ["||", "||||", "||||||"])
def test_separators_alone_are_rejected(expression: str) -> None:
    with pytest.raises(TagSyntaxError):
        parse_tags(expression)


def test_a_blank_list_passes_nothing_at_the_broker_and_everything_at_the_client() -> None:
    blank = parse_tags(" ")
    assert not blank.matches_code(java_hash("a"))
    assert blank.matches_tag("a")
    assert blank.matches_tag(None)


def test_tags_of_one_hash_pass_the_broker_and_are_told_apart_by_the_client() -> None:
    parsed = parse_tags("Aa")
    assert parsed.matches_code(java_hash("BB"))
    assert not parsed.matches_tag("BB")


def test_an_untagged_message_passes_the_broker_where_a_tag_hashes_to_zero() -> None:
    parsed = parse_tags("f5a5a608")
    assert parsed.matches_code(0)
    assert not parsed.matches_tag(None)


@pytest.mark.parametrize(
    ("text", "code"),
    [("", 0), ("tagA", 3552231), ("*", 42), ("Aa", 2112), ("BB", 2112), ("订单", 1129459), ("😀", 1772899)],
)
def test_hashes_are_those_of_java(text: str, code: int) -> None:
    assert java_hash(text) == code


def test_a_pair_of_surrogates_hashes_like_the_character_it_spells() -> None:
    assert java_hash("\ud83d\ude00") == java_hash("😀")


def test_the_cache_has_a_bound_and_is_used() -> None:
    parse_tags.cache_clear()
    assert parse_tags("cached || twice") is parse_tags("cached || twice")
    assert parse_tags.cache_info().hits == 1
    assert parse_tags.cache_info().maxsize == CACHED_EXPRESSIONS_MAX


@given(expressions)
@example("||")
@example(" * ")
def test_parsing_is_total_and_repeats_on_what_it_printed(expression: str) -> None:
    parsed = parsed_or_none(expression)
    if parsed is None:
        assert expression
        assert not expression.strip("|")
    else:
        assert parse_tags(parsed.text) == parsed
        assert parsed.codes == {java_hash(tag) for tag in parsed.tags}
        assert "" not in parsed.tags
        assert all(java_trim(tag) == tag and "||" not in tag for tag in parsed.tags)


@given(expressions, expressions)
def test_joining_two_expressions_joins_their_tags(left: str, right: str) -> None:
    both, first, second = (parsed_or_none(text) for text in (f"{left} || {right}", left, right))
    if both is None or first is None or second is None or first.is_all or second.is_all:
        return
    if left.endswith("|") or right.startswith("|"):
        return
    assert both.tags == first.tags | second.tags


@given(expressions, any_text)
def test_the_broker_never_skips_what_the_client_would_keep_by_its_tags(expression: str, tag: str) -> None:
    parsed = parsed_or_none(expression)
    if parsed is not None and tag in parsed.tags:
        assert parsed.matches_code(java_hash(tag))


@given(any_text)
def test_a_hash_fits_32_bits_and_adds_up_unit_by_unit(text: str) -> None:
    assert -(2**31) <= java_hash(text) < 2**31
    assert java_hash(text + "a") == (31 * java_hash(text) + ord("a") + 2**31) % 2**32 - 2**31


@given(any_text, any_text)
def test_java_order_is_that_of_utf_16_units(left: str, right: str) -> None:
    units = [text.encode("utf-16-be", "surrogatepass") for text in (left, right)]
    assert (java_order(left) < java_order(right)) == (units[0] < units[1])


def test_an_astral_character_sorts_before_a_private_one() -> None:
    assert java_order("😀") < java_order("\ue000")
