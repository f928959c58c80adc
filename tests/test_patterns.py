"""Patterns of programs that are run: which of them can take long is told beforehand."""

from __future__ import annotations

import pytest

from subdrift.linter.text.patterns import affordable

PLAIN = (
    r"_([a-z])",
    r"^(?P<group>\w+)\s*=\s*(?P<topic>[A-Z]+)(?:\s*:\s*(?P<tags>.+))?$",
    r"(?<group>[\w-]+)@(?<topic>\w+)(?:#(?<tags>\S+))?",
    r"\s*\|\s*",
    r"(?<!^)(?=[A-Z])",
)
COSTLY = (
    r"(a+)+b",
    r"\w+\w+\w+\w+\w+x",
    r"[^a-z]*[a-z]*[^a-z]*[a-z]*[^a-z]*!",
    r"(?:x|xx)+y",
    r"(?:a?){30}",
    r".*.*.*.*x",
)


@pytest.mark.parametrize("pattern", PLAIN)
def test_a_pattern_whose_parts_tell_each_other_apart_is_affordable(pattern: str) -> None:
    assert affordable(pattern, 60)


@pytest.mark.parametrize("pattern", COSTLY)
def test_a_pattern_that_can_share_out_a_text_in_many_ways_is_not(pattern: str) -> None:
    assert not affordable(pattern, 100)


def test_a_text_that_has_few_places_to_begin_at_affords_more() -> None:
    block = r"{%\s*(?P<tag>\w+)\s*(?P<rest>.*?)\s*%}|{{\s*(?P<expr>.*?)\s*}}"
    text = "{% if tags %}{{ tags | join }}{% endif %}{% if user.admin %} admin{% endif %} and more of it"
    assert affordable(block, len(text), text=text)
    assert not affordable(block, 4000, text="{% " * 1000 + " " * 1000)
    assert not affordable(block, len(text))
