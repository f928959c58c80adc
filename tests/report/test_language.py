"""The catalogues: every message the code makes has a template in every language, with the parameters it carries."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from subdrift import rules
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import DIAGNOSTICS
from subdrift.linter.model.message import phrase, say
from subdrift.linter.model.prediction import ConsoleVerdict, StepCode
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.linter.report.language.spacing import beside
from subdrift.linter.report.terminal import cells, wrapped
from subdrift.linter.resolve.evaluate import OBJECT_OF

ROOT = Path(__file__).parent.parent.parent
CODES = language("en").templates
MESSAGES = "from subdrift.linter.model.message import"


MAKERS = ("Unknown", "Gap", "Missing", "Value", "Step", "TrailStep", "Condition", "unknown", "note", "cut")
"""What carries a text into a row or a diagnostic."""

Called = tuple[Path, str, ast.Call]
"""File, name and node of a call."""


def sources(*folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


@cache
def refusals() -> frozenset[str]:
    """The names of the exceptions that carry a message; not SettingsError, which takes one."""
    found = set()
    for _, text in sources("linter"):
        if "UnusableError" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ClassDef):
                    bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                    found |= {node.name} if "UnusableError" in bases else set()
    return frozenset(found - {"SettingsError"})


@cache
def every_call() -> tuple[Called, ...]:
    """Every call that makes a text, in all of the product; it is parsed once."""
    wanted = {"say", "word", "phrase", "fail", "SettingsError", *MAKERS, *refusals()}
    return tuple(
        (path, name, node)
        for path, text in sources("linter", "rules", "spark_jobs")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        for name in (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""),
        )
        if name in wanted
    )


def calls_in_the_analysis() -> Iterator[tuple[str, str, ast.Call]]:
    """Place, name and node of the calls in the code that reads, resolves and judges; models are programs that are read."""
    for path, name, node in every_call():
        if path.parts[0] == "linter" and not {"report", "cli", "models"} & set(path.parts):
            yield f"{path}:{node.lineno}", name, node


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_messages_with_the_same_parameters(lang: str) -> None:
    templates = language(lang).templates
    assert set(templates) == set(CODES)
    assert {code: fields(text) for code, text in templates.items()} == {
        code: fields(text) for code, text in CODES.items()
    }


def calls(function: str) -> Iterator[tuple[str, str, frozenset[str] | None]]:
    """Place, code and parameters of every call with a literal code; parameters None where some are handed on."""
    own = {path for path, text in sources("linter", "rules", "spark_jobs") if MESSAGES in text}
    for path, name, node in every_call():
        first = node.args[0] if node.args else None
        if name == function and isinstance(first, ast.Constant) and isinstance(first.value, str):
            given = [one.arg for one in node.keywords]
            names = None if None in given else frozenset(one for one in given if one)
            if function != "say" or path in own:
                yield f"{path}:{node.lineno}", first.value, names


@pytest.mark.parametrize("function", ["say", "word"])
def test_every_message_that_is_made_has_a_template(function: str) -> None:
    found = list(calls(function))
    assert len(found) > 20
    for place, code, given in found:
        assert code in CODES, f"{place}: {code}"
        if given is not None:
            assert fields(CODES[code]) <= given, f"{place}: {code} lacks {fields(CODES[code]) - given}"


def test_every_refusal_has_a_template() -> None:
    assert "CannotError" in refusals()
    for name in refusals():
        for place, code, given in calls(name):
            assert code in CODES, f"{place}: {code}"
            assert given is None or fields(CODES[code]) == given, f"{place}: {code} with {sorted(given)}"


def test_no_refusal_is_worded_where_it_is_made() -> None:
    names = {*refusals(), "SettingsError", "fail"}
    for place, name, node in calls_in_the_analysis():
        if name in names:
            worded = [one for one in node.args if isinstance(one, ast.JoinedStr)]
            assert not worded or (name == "SettingsError" and worded == node.args[:1]), place


def test_what_has_a_name_has_words() -> None:
    wanted = {f"why.{why.value}" for why in Why}
    wanted |= {f"step.{code.value}" for code in StepCode}
    wanted |= {f"console.{one.value}" for one in ConsoleVerdict}
    wanted |= {f"diagnostic.{name}" for name in DIAGNOSTICS} | {f"rule.{rule.name}" for rule in rules.ALL}
    assert wanted - set(CODES) == set()


def test_chinese_punctuation_is_full_width() -> None:
    for code, text in language("zh").templates.items():
        bare = "".join(part for part, *_ in string.Formatter().parse(text))
        for index, char in enumerate(bare):
            before = bare[index - 1 : index]
            assert not (char in ",;:!?()" and before and "\u4e00" <= before <= "\u9fff"), f"{code}: {text}"


@pytest.mark.parametrize(
    ("left", "right", "together"),
    [
        ("无法确定", "Topic", "无法确定 Topic"),
        ("无法确定", "过滤类型", "无法确定过滤类型"),
        ("全部 Tag（`*`）", " 和 ", "全部 Tag（`*`）和 "),
        ("订阅 ", "`A`", "订阅 `A`"),
        ("`A`", "的", "`A` 的"),
        ("50 %", "丢失", "50 % 丢失"),
        ("  ", "Topic", "  Topic"),
        ("、", "Topic", "、Topic"),
        ("共", "", "共"),
    ],
)
def test_chinese_and_latin_are_set_apart_where_they_meet(left: str, right: str, together: str) -> None:
    assert beside(left, right) == together


def test_what_is_filled_in_stays_as_it_is() -> None:
    chinese = language("zh")
    assert chinese.text(say("quoted", text="a， b订单x")) == "`a， b订单x`"
    assert chinese.text(say("quoted", text="订单")) == "`订单`"
    assert chinese.text(say("illegal-topic.illegal", topic="主题", character="主")).startswith(
        "Topic `主题` 含有不允许的字符 `主`："
    )


def test_a_count_takes_the_noun_that_fits_it() -> None:
    english = language("en")
    assert english.word("count.error", count=1) == "1 error"
    assert english.word("count.error", count=1_200) == "1,200 errors"


@pytest.mark.parametrize("width", [20, 33, 60])
@pytest.mark.parametrize("code", ["never-read-by-clustering", "remedy.widen", "wrong-tag-separator.sql"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_keep_to_the_width_and_lose_no_letter(lang: str, code: str, width: int) -> None:
    parameters = dict.fromkeys(fields(CODES[code]), "`a || b`")
    text = language(lang).word(code, **parameters)
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert cells(line) <= width or len(line.split()) == 1 or "`" in line
        assert line[0] not in "，。；：）、"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "code", [one for one in CODES if one.startswith("remedy.") and "command" in fields(CODES[one])]
)
def test_a_command_that_is_to_be_copied_stands_in_one_line(code: str, lang: str) -> None:
    command = (
        "subdrift rollout orders --split billing-of-everything=orders-billing --split stock=orders-stock"
    )
    text = language(lang).word(code, **{**dict.fromkeys(fields(CODES[code]), "x"), "command": command})
    for width in (60, 80, 100):
        assert sum(f"`{command}`" in line for line in wrapped(text, width)) == 1


@pytest.mark.parametrize(
    "text", ["Take `{long}` and `{long}` away: `{command}` prints", "让`{long}`和`{long}`离开：`{command}`会"]
)
def test_code_that_is_too_long_for_a_line_hides_no_command(text: str) -> None:
    command, long = (
        "subdrift rollout orders --split 'stock Jobs.run=orders-stock'",
        "a/folder/of/modules " * 5,
    )
    lines = wrapped(text.format(long=long, command=command), 60)
    assert sum(f"`{command}`" in line for line in lines) == 1
    assert all(cells(line) <= 60 for line in lines if command not in line)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_line_of_configuration_that_is_to_be_copied_is_not_broken(lang: str) -> None:
    key = "spring.cloud.stream.bindings.a-binding-of-a-long-name.group"
    text = language(lang).text(say("answer-in-values", key=say("key-and-text", key=key)))
    assert sum(f'"{key}" = "…"' in line for line in wrapped(text, 60)) == 1


@pytest.mark.parametrize(
    ("text", "english", "chinese"),
    [
        (phrase("command-line"), "the command line", "命令行"),
        (
            phrase("parameter-of", "tags", "Jobs.start"),
            "parameter tags of Jobs.start",
            "Jobs.start 的参数 tags",
        ),
        (f"{phrase('injected', 'Env')}.topic()", "an injected Env.topic()", "注入的 Env.topic()"),
        (phrase("element-of", phrase("injected", "Env")), "element of an injected Env", "注入的 Env 的元素"),
        (phrase("more-than-steps", "4,000"), "more than 4,000 steps", "超过 4,000 步"),
        ("mq.order.topic", "mq.order.topic", "mq.order.topic"),
        ("‹of a source file›", "‹of a source file›", "‹of a source file›"),
        ("‹call‖‹", "‹call‖‹", "‹call‖‹"),
    ],
)
def test_what_a_value_hangs_on_is_told_in_the_language_of_the_report(
    text: str, english: str, chinese: str
) -> None:
    assert language("en").detail(text) == english
    assert language("zh").detail(text) == chinese


def test_a_phrase_in_a_name_is_a_name() -> None:
    assert language("en").text(say("in-group", group="‹call›")) == " in group `‹call›`"


def test_every_language_has_the_same_phrases_with_the_same_names() -> None:
    words = language("en").phrases
    assert set(language("zh").phrases) == set(words)
    for code, chinese in language("zh").phrases.items():
        assert fields(chinese) == fields(words[code]), code
        assert not re.search(r"[,;:!?.]$", chinese)


def test_every_phrase_that_is_made_has_words_and_every_one_with_words_is_made() -> None:
    made = {
        node.args[0].value: (place, len(node.args) - 1)
        for place, name, node in calls_in_the_analysis()
        if name == "phrase" and isinstance(node.args[0], ast.Constant)
    }
    assert set(made) | {OBJECT_OF} == set(language("en").phrases)
    for code, (place, count) in made.items():
        assert len(fields(language("en").phrases[str(code)])) == count, place


def test_no_stage_makes_a_sentence() -> None:
    """What a value hangs on is a name, code of the program, or a phrase: English words in a row are none of these."""
    texts = [
        (place, part.value)
        for place, name, node in calls_in_the_analysis()
        if name in MAKERS
        for each in node.args
        for part in ast.walk(each)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    assert len(texts) > 100
    assert [one for one in texts if re.search(r"\b(a|an|the|no|not|more|of) [a-z]", one[1])] == []
