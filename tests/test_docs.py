"""What the documentation says is so: keys, fields, reasons, bounds, paths, links, layers and examples."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from subdrift.linter import cli, settings
from subdrift.linter.cli.options import FORMATS, LEVELS
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import DIAGNOSTICS
from subdrift.linter.report.language import english, language
from subdrift.linter.settings import entries
from subdrift.linter.settings.entries import WHOLE
from subdrift.rules import ALL, LANGUAGES, docs
from tests.test_cases import complaints, read_cases, run

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "README.zh.md", ROOT / "CONTRIBUTING.md"]


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def words(text: str) -> set[str]:
    """Every word of the code spans and code blocks of a page."""
    spans = re.findall(r"```.*?```|`[^`\n]+`", text, re.S)
    return {word for span in spans for word in re.findall(r"[\w-]+", span)}


# -- configuration ----------------------------------------------------------------------------------------------------

SETTINGS = {*WHOLE.keys, *entries._SUPPOSED, "groups", "topics", "level", "paths"}


@pytest.mark.parametrize("key", sorted(SETTINGS))
def test_every_key_of_the_configuration_is_documented(key: str) -> None:
    assert key in words(page("configuration.md"))


def example() -> str:
    (block,) = re.findall(r"^```toml\n(.*?)^```$", page("configuration.md"), re.M | re.S)
    return str(block)


def test_the_example_configuration_is_accepted_and_shows_every_key_but_one() -> None:
    settings.parse(example(), "configuration.md", bare=True)
    assert set(WHOLE.keys) - tomllib.loads(example()).keys() == {"extends"}


def test_every_choice_of_a_setting_is_documented() -> None:
    assert {*LEVELS, *FORMATS} <= words(page("configuration.md")) | set(re.findall(r"\w+", example()))


def test_the_suppression_shown_is_one(tmp_path: Path) -> None:
    from subdrift.linter.extract import read

    blocks = re.findall(r"^```java\n(.*?)^```$", page("configuration.md"), re.M | re.S)
    (block,) = (each for each in blocks if "subdrift: ignore" in each)
    facts = read("Listener.java", f"package app;\n{block}class Listener {{}}\n".encode())
    assert facts is not None
    (suppression,) = facts.suppressions
    assert (suppression.rules, suppression.lines) == (("divergent-tags",), (2, 3))
    assert suppression.reason == "moving to a new group until May"


# -- outputs ----------------------------------------------------------------------------------------------------------


def schema(name: str) -> dict[str, dict[str, object]]:
    path = ROOT / "linter" / "report" / "schemas" / f"{name}.schema.json"
    found = json.loads(path.read_text(encoding="utf-8"))["properties"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("field", sorted(schema("list").keys() - {"schema_version"}))
def test_every_field_of_a_row_is_documented(field: str) -> None:
    assert field in words(page("output.md"))


@pytest.mark.parametrize(
    "field", sorted((schema("sends").keys() | schema("topics").keys()) - {"schema_version"})
)
def test_every_field_of_sends_and_topics_is_documented(field: str) -> None:
    assert field in words(page("output.md") + page("topics.md"))


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_diagram_of_the_readme_is_made_by_the_command_it_names(name: str) -> None:
    readme = (ROOT / name).read_text(encoding="utf-8")
    (diagram,) = re.findall(r"^```mermaid\n(.*?)^```$", readme, re.M | re.S)
    (command,) = re.findall(r"`subdrift (topics --org .* mermaid)`", readme)
    done = subprocess.run(
        [sys.executable, "-m", "subdrift", *command.split(), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == diagram


@pytest.mark.parametrize("why", list(Why))
def test_every_reason_is_documented(why: Why) -> None:
    assert why.value in words(page("output.md"))


def test_every_part_of_check_and_predict_is_documented() -> None:
    known = words(page("output.md"))
    assert schema("check").keys() <= known
    assert schema("predict").keys() <= known
    committed = (ROOT / "fixtures" / "golden" / "orgs" / "shop" / "check.json").read_text(encoding="utf-8")
    found = json.loads(committed)
    assert found["findings"][0].keys() <= known
    assert found["summary"].keys() <= known


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [*(rule.name for rule in ALL), *DIAGNOSTICS])
def test_every_rule_and_diagnostic_is_explained(name: str, lang: str) -> None:
    assert name in docs(name, lang)


# -- architecture -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_is_listed_with_its_level_and_sentence(lang: str) -> None:
    """`make golden` writes the list."""
    word = language(lang).word
    head = {"en": "| rule | level | says |", "zh": "| 规则 | 级别 | 含义 |"}[lang]
    rows = [
        f"| [`{one.name}`](../rules/docs/{one.name}.{lang}.md) | {one.at_most.text} | {word(f'rule.{one.name}')} |"
        for one in ALL
    ]
    path = DOCS / ("rules.md" if lang == "en" else f"rules.{lang}.md")
    text = path.read_text(encoding="utf-8")
    made = re.sub(
        r"(?<=<!-- rules -->\n).*?(?=<!-- /rules -->)",
        lambda _: "\n".join((head, "|---|---|---|", *rows, "")),
        text,
        flags=re.S,
    )
    if os.environ.get("SUBDRIFT_GOLDEN") == "write":
        path.write_text(made, encoding="utf-8", newline="\n")
    assert made == path.read_text(encoding="utf-8")


def test_the_layers_are_those_of_the_contracts() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (layers,) = [
        one["layers"] for one in pyproject["tool"]["importlinter"]["contracts"] if one["id"] == "layers"
    ]
    shown = page("architecture.md").partition("## Who may import whom")[2].split("```")[1]
    found = [re.split(r"\s{2,}", line)[0] for line in shown.splitlines()[1:] if line.strip()]
    assert found == [layer.replace("subdrift.", "") for layer in layers]


def test_the_day_of_a_file_is_as_told() -> None:
    assert doctest.testfile(str(DOCS / "day-of-a-file.md"), module_relative=False).failed == 0


@pytest.mark.parametrize(
    "place", sorted(set(re.findall(r"`(?:linter/)?(\w+/[\w./]+)`", page("day-of-a-file.md"))))
)
def test_every_room_of_the_day_exists(place: str) -> None:
    assert (ROOT / "linter" / place).exists() or (ROOT / place).exists()


def test_every_path_the_architecture_names_exists() -> None:
    named = re.findall(
        r"`((?:linter|rules|spark_jobs|tests|fixtures|extract|resolve|model|broker)/[\w./-]+)`",
        page("architecture.md"),
    )
    assert len(named) > 10
    missing = [one for one in named if not any((base / one).exists() for base in (ROOT, ROOT / "linter"))]
    assert missing == []


def test_every_module_of_the_tree_is_in_the_picture() -> None:
    """A new module of a package that is listed by name belongs into the list."""
    tree = page("architecture.md").partition("## The tree")[2].split("```")[1]
    listed = set(re.findall(r"\w+", tree))
    for package in ("resolve", "model", "extract"):
        modules = {path.stem for path in (ROOT / "linter" / package).glob("*.py")} - {"__init__"}
        assert modules <= listed, package


def test_every_bound_the_documentation_names_exists() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "linter").rglob("*.py"))
    named = {word for path in DOCS.glob("*.md") for word in re.findall(r"`([A-Z_]+_MAX)`", path.read_text())}
    assert len(named) > 5
    assert {one for one in named if not re.search(rf"^{one} = ", code, re.M)} == set()


def test_the_example_case_is_one(tmp_path: Path) -> None:
    (text,) = re.findall(r"^````markdown\n(.*?)^````$", page("architecture.md"), re.M | re.S)
    (tmp_path / "case.md").write_text(text, encoding="utf-8")
    (case,) = read_cases(tmp_path / "case.md")
    assert case.subscribes
    assert list(complaints(case, run(case, tmp_path / "tree"))) == []


# -- every page -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
    links = [link for link in re.findall(r"\]\(([^)#\s]+)\)", text) if "://" not in link]
    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_make_targets_that_are_named_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"`make ([a-z-]+)", path.read_text(encoding="utf-8")))
    assert named <= targets


# -- words ------------------------------------------------------------------------------------------------------------

DIALECT = (
    r"(?<!there )\b(?:is|are|was|were) no\b(?! longer)",
    r"\bsubscrib(?:e|es|ed) (?:a|an|the|one) (?!few)(?:topic|retry)",
    r"\bwhoever\b",
    r"\bin sight\b",
    r"\bthe house\b",
    r"\bone might not expect\b",
)
ENGLISH_PAGES = [
    *(path for path in PAGES if not path.name.endswith(".zh.md")),
    *sorted((ROOT / "rules" / "docs").glob("*.en.md")),
]


@pytest.mark.parametrize("path", ENGLISH_PAGES, ids=lambda path: path.name)
def test_a_page_keeps_to_plain_words(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    for words in DIALECT:
        assert re.findall(words, text, re.I) == []


def test_reports_keep_to_plain_words() -> None:
    for code, text in english().templates.items():
        for words in DIALECT:
            assert not re.search(words, text, re.I), code


@pytest.mark.parametrize(("name", "lang"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_report_of_the_readme_is_how_that_of_the_demo_begins(
    name: str, lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    organisation = str(ROOT / "fixtures" / "orgs" / "shop")
    cli.run(["check", "--org", organisation, "--no-cache", "--fail-on", "never", "--lang", lang])
    block = re.search(r"^```text\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.S | re.M)
    assert block is not None
    assert capsys.readouterr().out.startswith(block[1])


OTHER_WORDS = "消费组|主题|盲区|标签|代理|偏移量|再平衡|(?<![\\w./-])(?:broker|topic|tag)(?![\\w.-])"
"""Words that stand for one of the glossary's and are not the glossary's; in code anything may stand."""
CHINESE_PAGES = [
    ROOT / "README.zh.md",
    *sorted(DOCS.glob("*.zh.md")),
    *sorted((ROOT / "rules" / "docs").glob("*.zh.md")),
]


@pytest.mark.parametrize("path", CHINESE_PAGES, ids=lambda path: path.name)
def test_a_chinese_page_has_one_word_for_each_term(path: Path) -> None:
    prose = re.sub(
        r"```.*?```|`[^`\n]*`|<[^>]*>|\]\([^)]*\)", "", path.read_text(encoding="utf-8"), flags=re.S
    )
    assert re.findall(OTHER_WORDS, prose) == []


def blocks(text: str) -> list[str]:
    """The code of a page without its comments, which are translated."""
    found = re.findall(r"^ *```(?:toml|java|yaml|groovy|lua|sql|sh)\n.*?```", text, re.M | re.S)
    spoken = r"[ \t]*(?:#|--) .*|, '--lang', 'zh'|<argument>--lang</argument>\s*<argument>zh</argument>\s*"
    return [re.sub(spoken, "", one) for one in found]


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.zh.md")), ids=lambda path: path.name)
def test_a_chinese_page_has_the_sections_and_the_code_of_the_english_one(path: Path) -> None:
    own, english_page = (page(name) for name in (path.name, path.name.replace(".zh.", ".")))
    assert blocks(own) == blocks(english_page)
    heads = [
        [len(one) for one in re.findall(r"^(#+) ", re.sub(r"```.*?```", "", text, flags=re.S), re.M)]
        for text in (own, english_page)
    ]
    assert heads[0] == heads[1]
    assert f"]({path.name})" in english_page.split("\n\n")[1]


@pytest.mark.parametrize("path", CHINESE_PAGES[:1] + sorted(DOCS.glob("*.zh.md")), ids=lambda path: path.name)
def test_a_chinese_page_leads_to_chinese_pages_unless_it_says_so(path: Path) -> None:
    led = re.findall(r"\[(?!English|英文)[^\]]*\]\(((?:docs/)?[a-z-]+)\.md", path.read_text(encoding="utf-8"))
    assert [one for one in led if (path.parent / f"{one}.zh.md").exists()] == []


HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,;:!?](?![\w/])|[,;!?]\s?[\u4e00-\u9fff]")
"""Half-width punctuation beside a Chinese character."""


@pytest.mark.parametrize("path", CHINESE_PAGES, ids=lambda path: path.name)
def test_a_chinese_page_has_chinese_punctuation(path: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.S)
    assert HALF_WIDTH.findall(prose) == []


def test_chinese_reports_have_chinese_punctuation() -> None:
    for code, text in language("zh").templates.items():
        prose = re.sub(r"`[^`]*`|\{[^}]*\}", "", text)
        assert not HALF_WIDTH.search(prose), f"{code}: {text}"


def test_no_report_says_not_half() -> None:
    """What reads as "not even half": a denied verb before a share."""
    for code, text in language("zh").templates.items():
        assert not re.search(r"(?:收不到|不会收到|没有收到)[^，。；]*(?:半|之|[0-9]|\{share)", text), (
            f"{code}: {text}"
        )
    for code, text in english().templates.items():
        assert not re.search(r"\b(?:not|never|no)\b[^.,;:]*(?:\b(?:half|quarters?)\b|\{share)", text), (
            f"{code}: {text}"
        )


def test_chinese_reports_have_one_word_for_each_term() -> None:
    for code, text in language("zh").templates.items():
        prose = re.sub(r"`[^`]*`|\{[^}]*\}", "", text)
        assert not re.search(OTHER_WORDS, prose), f"{code}: {text}"
