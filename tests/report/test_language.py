"""The catalogues: every message the code makes has a template in every language, with the parameters it carries."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from linter.model.expr import Why
from linter.model.finding import DIAGNOSTICS
from linter.model.prediction import ConsoleVerdict, StepCode
from linter.report.language import LANGUAGES, language
from linter.report.terminal import cells, wrapped

ROOT = Path(__file__).parent.parent.parent
CODES = language("en").templates


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
    for folder in ("linter", "rules", "spark_jobs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if function == "say" and "from linter.model.message import" not in text:
                continue
            for node in ast.walk(ast.parse(text)):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                first = node.args[0]
                if name == function and isinstance(first, ast.Constant) and isinstance(first.value, str):
                    given = [one.arg for one in node.keywords]
                    names = None if None in given else frozenset(one for one in given if one)
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", first.value, names


@pytest.mark.parametrize("function", ["say", "word"])
def test_every_message_that_is_made_has_a_template(function: str) -> None:
    found = list(calls(function))
    assert len(found) > 20
    for place, code, given in found:
        assert code in CODES, f"{place}: {code}"
        if given is not None:
            assert fields(CODES[code]) <= given, f"{place}: {code} lacks {fields(CODES[code]) - given}"


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


def test_a_count_takes_the_noun_that_fits_it() -> None:
    english = language("en")
    assert english.word("count.error", count=1) == "1 error"
    assert english.word("count.error", count=1_200) == "1,200 errors"


@pytest.mark.parametrize("width", [20, 33, 60])
@pytest.mark.parametrize(
    "code", ["never-read-by-clustering", "divergent-tags.widen", "wrong-tag-separator.sql"]
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_keep_to_the_width_and_lose_no_letter(lang: str, code: str, width: int) -> None:
    parameters = dict.fromkeys(fields(CODES[code]), "`a || b`")
    text = language(lang).word(code, **parameters)
    lines = wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for line in lines:
        assert cells(line) <= width or len(line.split()) == 1 or "`" in line
        assert line[0] not in "，。；：）、"


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("the command line", "命令行"),
        ("parameter tags of Jobs.start", "Jobs.start 的参数 tags"),
        ("parameter tags", "参数 tags"),
        ("an object of com.acme.Config", "com.acme.Config 的对象"),
        ("more than 10 steps", "超过 10 步"),
        ("mq.order.topic", "mq.order.topic"),
        ("new.key", "new.key"),
    ],
)
def test_what_a_value_hangs_on_is_told_in_the_language_of_the_report(phrase: str, told: str) -> None:
    assert language("zh").detail(phrase) == told
    assert language("en").detail(phrase) == phrase


def test_each_phrase_keeps_its_names() -> None:
    for phrase, told in language("zh").details.items():
        count = phrase.count("{}")
        names = [f"N{number}" for number in range(count)]
        assert all(name in told.format(*names) for name in names), phrase
        assert not re.search(r"[,;:!?]$", told)
