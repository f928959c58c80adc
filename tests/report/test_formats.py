"""Every format of the hand-made run, compared with committed files (`make golden` rewrites them), and its promises."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from subdrift.linter.model.finding import Place
from subdrift.linter.model.known import Known
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import verbatim
from subdrift.linter.model.unknown import count_blind
from subdrift.linter.report import (
    concise,
    github,
    gitlab,
    junit,
    listing,
    markdown,
    rdjson,
    sarif,
    summary,
    text,
    unresolved,
)
from subdrift.linter.report import json as json_report
from subdrift.linter.report.content import Content, Texts, nothing
from subdrift.linter.report.detail import Detail
from subdrift.linter.report.frame import frame
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.linter.report.terminal import Style, cells, safe, style_for, wants_color
from subdrift.linter.store import baseline
from tests.report import sample

ROOT = Path(__file__).parent.parent.parent
GOLDEN = ROOT / "fixtures" / "golden" / "formats"
SCHEMAS = ROOT / "linter" / "report" / "schemas"

PLAIN = Style()
SPOTS = unresolved.blind_spots(sample.CONSUMERS, sample.DIAGNOSTICS)
ROWS = listing.rows(sample.CONSUMERS)
BLIND = count_blind(sample.CONSUMERS, sample.DIAGNOSTICS).total()

WIDTHS = (80, 100, 160)


def in_language(lang: str, width: int) -> str:
    content = replace(sample.ORGANISATION, language=language(lang))
    return text.render(content, sample.texts(), Style(width=width), Detail(verbose=True))


OUTPUTS: dict[str, Callable[[], str]] = {
    "check.txt": lambda: text.render(sample.CONTENT, sample.texts(), PLAIN),
    "check-color.txt": lambda: text.render(sample.CONTENT, sample.texts(), Style(color=True)),
    "check-ascii.txt": lambda: text.render(sample.CONTENT, sample.texts(), Style(ascii=True)),
    "check-organisation.txt": lambda: text.render(sample.ORGANISATION, sample.texts(), PLAIN),
    "check-without-code.txt": lambda: text.render(sample.ORGANISATION, Texts(nothing), PLAIN),
    "check-clean.txt": lambda: text.render(sample.CLEAN, sample.texts(), PLAIN),
    "check-concise.txt": lambda: concise.render(sample.CONTENT, PLAIN),
    "check-github.txt": lambda: github.render(sample.CONTENT),
    "check-summary.md": lambda: markdown.render(sample.CONTENT),
    "check-gitlab.json": lambda: gitlab.render(sample.CONTENT),
    "check-organisation-gitlab.json": lambda: gitlab.render(sample.ORGANISATION),
    "check-junit.xml": lambda: junit.render(sample.CONTENT),
    "check-clean-junit.xml": lambda: junit.render(sample.CLEAN),
    "baseline.json": lambda: baseline.render(map(Known.of, sample.CONTENT.findings)),
    "check-rdjson.json": lambda: rdjson.render(sample.CONTENT, sample.texts()),
    "check.json": lambda: json_report.render(sample.CONTENT),
    "check.sarif": lambda: sarif.render(sample.CONTENT, sample.texts()),
    "check-organisation.sarif": lambda: sarif.render(sample.ORGANISATION, sample.texts()),
    "check-all-places.txt": lambda: text.render(
        sample.CONTENT, sample.texts(), PLAIN, Detail(all_places=True, verbose=True)
    ),
    **{
        f"check-{width}.{lang}.txt": lambda width=width, lang=lang: in_language(lang, width)  # type: ignore[misc]
        for width in WIDTHS
        for lang in LANGUAGES
    },
    "list.txt": lambda: listing.table(ROWS, "acme/billing", PLAIN, blind=BLIND),
    "list.zh.txt": lambda: listing.table(ROWS, "acme/billing", Style(width=80), language("zh"), BLIND),
    "unresolved.zh.txt": lambda: unresolved.as_text(SPOTS, "acme/billing", PLAIN, language("zh")),
    "list.jsonl": lambda: listing.jsonl(ROWS),
    "unresolved.txt": lambda: unresolved.as_text(SPOTS, "acme/billing", PLAIN),
    "unresolved.json": lambda: unresolved.as_json(SPOTS),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_output_is_the_committed_one(name: str) -> None:
    found = OUTPUTS[name]()
    path = GOLDEN / name
    if os.environ.get("SUBDRIFT_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="\n")
    assert found == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_but_a_path_is_wider_than_the_terminal(width: int, lang: str) -> None:
    for line in in_language(lang, width).splitlines():
        assert cells(line) <= width or re.search(r"^ *(?:-->|:::)? *\S*(?:  | )?\S+:\d+:\d+$", line), line


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_output_can_steer_a_terminal(name: str) -> None:
    found = OUTPUTS[name]()
    if name == "check-color.txt":
        found = re.sub(r"\x1b\[[0-9;]*m", "", found)
    assert found == "\n".join(safe(line) for line in found.split("\n"))


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_order_of_what_comes_in_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = OUTPUTS[name]()
    for attribute in ("CONTENT", "ORGANISATION", "CLEAN"):
        content: Content = getattr(sample, attribute)
        turned = replace(
            content,
            findings=content.findings[::-1],
            diagnostics=content.diagnostics[::-1],
            consumers=content.consumers[::-1],
        )
        monkeypatch.setattr(sample, attribute, turned)
    assert OUTPUTS[name]() == before


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def test_check_json_keeps_its_schema() -> None:
    validator = jsonschema.Draft202012Validator(_closed(schema("check")))
    for content in (sample.CONTENT, sample.CLEAN, sample.ORGANISATION):
        validator.validate(json.loads(json_report.render(content)))


def test_list_rows_keep_their_schema() -> None:
    validator = jsonschema.Draft202012Validator(_closed(schema("list")))
    rows = [json.loads(line) for line in listing.jsonl(ROWS).splitlines()]
    assert len(rows) == 5
    for row in rows:
        validator.validate(row)


def test_unresolved_json_keeps_its_schema() -> None:
    jsonschema.Draft202012Validator(_closed(schema("unresolved"))).validate(
        json.loads(unresolved.as_json(SPOTS))
    )


def _closed(value: Any) -> Any:
    """The schema with nothing allowed that it does not describe: what we write must all be there."""
    if isinstance(value, dict):
        closed = {key: _closed(one) for key, one in value.items()}
        if closed.get("type") == "object" and "properties" in closed:
            closed["additionalProperties"] = False
        return closed
    return [_closed(one) for one in value] if isinstance(value, list) else value


def test_every_null_of_a_row_has_its_reason() -> None:
    fields = (
        "group",
        "topic",
        "filter_type",
        "expression",
        "message_model",
        "consume_mode",
        "namespace",
        "client_version",
    )
    for row in ROWS:
        assert {name for name in fields if row[name] is None} == set(row["unresolved"])


def test_a_consumer_without_subscriptions_is_one_row() -> None:
    (row,) = [row for row in ROWS if row["consumer"] == "billing:nobody"]
    assert (row["topic"], row["unresolved"]["topic"]) == (None, "never-subscribed")
    assert (row["message_model"], row["unresolved"]["message_model"]) == (None, "not-applicable")
    assert row["deployable"] == "unknown"


# -- SARIF as code scanning takes it ------------------------------------------------------------------------------


def sarif_run(content: Content) -> dict[str, Any]:
    log = json.loads(sarif.render(content, sample.texts()))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_sarif_describes_every_rule_it_uses_within_the_limits() -> None:
    run = sarif_run(sample.CONTENT)
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["semanticVersion"] == "1.2.3"
    for rule in rules:
        assert len(rule["name"]) <= 255
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
        assert rule["properties"]["problem.severity"] in ("recommendation", "warning", "error")
        assert "security-severity" not in rule["properties"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_links_to_the_texts_of_rules_need_an_address_of_the_project() -> None:
    home = sample.CONTENT.project
    driver = sarif_run(sample.CONTENT)["tool"]["driver"]
    assert driver["informationUri"] == f"{home}/README.md"
    for rule in driver["rules"] + driver["notifications"]:
        assert rule["helpUri"] == f"{home}/rules/docs/{rule['id']}.en.md"
    nowhere = replace(sample.CONTENT, project="")
    for report in (sarif.render(nowhere, sample.texts()), rdjson.render(nowhere, sample.texts())):
        for word in ("informationUri", "helpUri", '"url"', home):
            assert word not in report


def test_sarif_locations_lie_in_this_repository_and_foreign_sides_are_told() -> None:
    run = sarif_run(sample.CONTENT)
    for result in run["results"]:
        assert len(result["locations"]) == 1
        for location in (*result["locations"], *result.get("relatedLocations", [])):
            artifact = location["physicalLocation"]["artifactLocation"]
            assert artifact["uriBaseId"] == "%SRCROOT%"
            assert re.fullmatch(r"[A-Za-z0-9/._~%-]+", artifact["uri"])
            assert "shipping" not in artifact["uri"]
    (tags,) = [one for one in run["results"] if one["ruleId"] == "divergent-tags"]
    assert (
        "in acme/shipping, src/main/java/com/acme/shipping/OrderConsumer.java line 3"
        in tags["message"]["text"]
    )
    assert [one["repository"] for one in tags["properties"]["otherRepositories"]] == ["acme/shipping"] * 2


def test_sarif_links_lead_to_related_locations() -> None:
    for content in (sample.CONTENT, sample.ORGANISATION):
        for result in sarif_run(content)["results"]:
            links = {int(one) for one in re.findall(r"(?<!\\)\]\((\d+)\)", result["message"]["text"])}
            assert links == {one["id"] for one in result.get("relatedLocations", [])}


def test_sarif_fingerprints_are_ours_and_github_s() -> None:
    for result in sarif_run(sample.CONTENT)["results"]:
        prints = result["partialFingerprints"]
        assert re.fullmatch(r"[0-9a-f]{16}", prints["subdrift/v1"])
        assert re.fullmatch(r"[0-9a-f]+:\d+", prints["primaryLocationLineHash"])


def test_sarif_shows_how_a_value_reached_its_place() -> None:
    (tags,) = [one for one in sarif_run(sample.CONTENT)["results"] if one["ruleId"] == "divergent-tags"]
    (flow,) = tags["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    lines = [one["location"]["physicalLocation"]["region"]["startLine"] for one in steps]
    assert lines == [2, 3, 3]


def test_sarif_leaves_suppressed_findings_out_until_asked() -> None:
    assert not [one for one in sarif_run(sample.CONTENT)["results"] if "suppressions" in one]
    (result,) = [one for one in sarif_run(sample.ORGANISATION)["results"] if "suppressions" in one]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "known, see the ticket"}]


def test_sarif_reports_diagnostics_as_notifications_of_the_tool() -> None:
    run = sarif_run(sample.CONTENT)
    (invocation,) = run["invocations"]
    names = [one["descriptor"]["id"] for one in invocation["toolExecutionNotifications"]]
    assert sorted(names) == ["skipped-file", "unread-language", "unread-language", "unresolved-value"]
    described = run["tool"]["driver"]["notifications"]
    for one in invocation["toolExecutionNotifications"]:
        assert described[one["descriptor"]["index"]]["id"] == one["descriptor"]["id"]


def test_sarif_names_category_and_columns() -> None:
    run = sarif_run(sample.CONTENT)
    assert run["automationDetails"]["id"] == "subdrift/acme/billing/"
    assert run["columnKind"] == "unicodeCodePoints"


# -- GitLab's Code Quality report ----------------------------------------------------------------------------------

GITLAB_ISSUE = {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "additionalProperties": False,
    "properties": {
        "description": {"type": "string", "minLength": 1},
        "check_name": {"type": "string", "pattern": "^[a-z-]+$"},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "location": {
            "type": "object",
            "required": ["path", "lines"],
            "additionalProperties": False,
            "properties": {
                "path": {"type": "string", "pattern": r"^(?!/|\./)"},
                "lines": {
                    "type": "object",
                    "required": ["begin", "end"],
                    "additionalProperties": False,
                    "properties": {name: {"type": "integer", "minimum": 1} for name in ("begin", "end")},
                },
            },
        },
    },
}
"""What GitLab's documentation of the report and its parser ask of an issue, and nothing beside it."""


@pytest.mark.parametrize("content", [sample.CONTENT, sample.ORGANISATION, sample.CLEAN])
def test_gitlab_gets_issues_of_the_shape_it_reads(content: Content) -> None:
    issues = json.loads(gitlab.render(content))
    validator = jsonschema.Draft202012Validator({"type": "array", "items": GITLAB_ISSUE})
    validator.validate(issues)
    prints = [one["fingerprint"] for one in issues]
    assert len(prints) == len(set(prints))
    assert all(one["location"]["lines"]["begin"] <= one["location"]["lines"]["end"] for one in issues)
    assert {one["check_name"] for one in issues} >= {one.rule for one in content.shown}


def test_gitlab_s_shape_is_held_and_not_only_described() -> None:
    (issue, *_) = json.loads(gitlab.render(sample.CONTENT))
    validator = jsonschema.Draft202012Validator(GITLAB_ISSUE)
    for name, wrong in (
        ("severity", "error"),
        ("fingerprint", ""),
        ("location", {"path": "/x"}),
        ("extra", 1),
    ):
        assert not validator.is_valid(issue | {name: wrong})
    del issue["fingerprint"]
    assert not validator.is_valid(issue)


# -- GitHub workflow commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "@everyone",
        "orders@acme/team and #12",
        "https://evil.example/x?a=1&b=2",
        "WWW.evil.example",
        "a | b <b>c</b> [d](http://e) *f* `g` \\\\",
        "plain_group-1",
    ],
)
def test_markdown_shows_a_text_and_links_nothing(text: str) -> None:
    inline = MarkdownIt("commonmark").parseInline(markdown.cell(text))[0].children or []
    shown = [token.content for token in inline if token.type == "text"]
    assert "".join(shown) == text
    assert {token.type for token in inline} <= {"text", "html_inline"}
    assert {token.content for token in inline if token.type == "html_inline"} <= {"<!-- -->"}
    # a page looks for what it links inside one piece of text
    assert not [one for one in shown if re.search(r"@\w|#\d|://|www\.", one, re.IGNORECASE)]


def test_every_line_for_github_is_one_well_formed_command() -> None:
    lines = github.render(sample.CONTENT).splitlines()
    command = re.compile(
        r"::(error|warning|notice) (?:[a-zA-Z]+=[^,:%\r\n]*(?:%[0-9A-F]{2}[^,:%\r\n]*)*,?)+::.*"
    )
    assert [line for line in lines if not command.fullmatch(line)] == []
    assert len(lines) == len(sample.CONTENT.shown) + len(sample.CONTENT.shown_diagnostics) + 1
    levels = [line.split(" ")[0] for line in lines[: len(sample.CONTENT.shown)]]
    assert levels == sorted(levels, key=["::error", "::warning", "::notice"].index)


def test_columns_are_left_out_where_a_place_has_several_lines() -> None:
    lines = github.render(_without_values(sample.CONTENT)).splitlines()
    (listener,) = [line for line in lines if "title=divergent-tags" in line]
    assert "line=3,endLine=6,title" in listener


def _without_values(content: Content) -> Content:
    """The same places, of values that were written nowhere."""
    findings = (
        replace(one, places=tuple(replace(place, value_at=None) for place in one.places))
        for one in content.findings
    )
    return replace(content, findings=tuple(findings))


@pytest.mark.parametrize(("content", "line"), [(sample.CONTENT, 5), (_without_values(sample.CONTENT), 3)])
def test_every_format_points_at_the_value_that_was_written(content: Content, line: int) -> None:
    of_rule = "divergent-tags"
    gitlab_lines = [
        one["location"]["lines"]["begin"] for one in gitlab.document(content) if one["check_name"] == of_rule
    ]
    rdjson_lines = [
        one["location"]["range"]["start"]["line"]
        for one in rdjson.document(content, sample.texts())["diagnostics"]
        if one["code"]["value"] == of_rule
    ]
    github_lines = [
        int(one.partition(",line=")[2].partition(",")[0])
        for one in github.render(content).splitlines()
        if f"title={of_rule}" in one
    ]
    assert (gitlab_lines[0], rdjson_lines, github_lines) == (line, [line], [line])


# -- text ---------------------------------------------------------------------------------------------------------

LINES = [
    ('s.subscribe("订单", "甲");', 19, 22, "  |                     ^^^^ x"),
    ("\tint a\u0301b = 1;", 6, 9, "  |         ^^ x"),
    ("plain", 1, 6, "  | ^^^^^ x"),
    ("plain", 6, 6, "  |      ^ x"),
    ("plain", 90, 99, "  |      ^ x"),
    ("\x1b[31mred", 6, 9, "  |         ^^^ x"),
]


@pytest.mark.parametrize(("line", "column", "end", "carets"), LINES)
def test_carets_stand_below_what_they_mean(line: str, column: int, end: int, carets: str) -> None:
    origin = Origin("r", "A.java")
    place = Location(origin, Span(1, column, 1, end))
    shown = list(frame(place, "x", Texts(lambda _: line.encode()), PLAIN, "r", 1))
    assert shown[-1] == carets


@given(st.text(min_size=1, max_size=400), st.integers(1, 450), st.integers(0, 50), st.booleans())
def test_a_frame_never_shows_more_than_a_line_of_code_and_never_steers(
    line: str, column: int, length: int, ascii_only: bool
) -> None:
    origin = Origin("r", "A.java")
    place = Location(origin, Span(1, column, 1, column + length))
    texts = Texts(lambda _: line.encode("utf-8", "surrogatepass"))
    shown = list(frame(place, "label", texts, Style(ascii=ascii_only), "r", 1))
    for one in shown:
        assert safe(one) == one
        assert cells(one) <= Style().width + 8


def test_a_long_place_is_shown_by_its_first_and_last_lines() -> None:
    body = "\n".join(f"line {n}" for n in range(1, 41))
    place = Location(Origin("r", "A.java"), Span(3, 1, 30, 5))
    shown = list(frame(place, "x", Texts(lambda _: body.encode()), PLAIN, "r", 2))
    numbers = [line[:2].strip() for line in shown if line[:2].strip().isdigit()]
    assert numbers == ["3", "4", "5", "6", "7", "29", "30"]


def test_files_that_changed_since_cost_the_code_and_nothing_else() -> None:
    place = replace(
        sample.TAGS, places=(Place(Location(sample.BILLING, Span(99, 1, 99, 4)), verbatim("gone")),)
    )
    content = replace(sample.CONTENT, findings=(place,), diagnostics=())
    assert "OrderListener.java:99:1" in text.render(content, sample.texts(), PLAIN)
    assert sarif.render(content, sample.texts())


SUMMARIES = [
    (sample.CONTENT, "3 errors, 1 warning, 1 note, 3 diagnostics (2 suppressed)"),
    (sample.CLEAN, "Only suppressed findings (1)."),
    (replace(sample.CLEAN, findings=()), "1 group consistent (2 consumers, 1,412 files; 0 blind spots)."),
    (replace(sample.CLEAN, findings=(), consumers=(), files=3), "No consumers found in 3 files."),
]


@pytest.mark.parametrize(("content", "line"), SUMMARIES)
def test_the_last_line_counts_what_was_found(content: Content, line: str) -> None:
    assert summary.verdict(content) == line


COLORS = [
    ("auto", True, {}, True),
    ("auto", False, {}, False),
    ("auto", True, {"NO_COLOR": "1"}, False),
    ("auto", True, {"NO_COLOR": ""}, True),
    ("auto", False, {"FORCE_COLOR": "1"}, True),
    ("auto", False, {"FORCE_COLOR": ""}, False),
    ("auto", True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ("auto", True, {"TERM": "dumb"}, False),
    ("always", False, {"NO_COLOR": "1"}, True),
    ("never", True, {"FORCE_COLOR": "1"}, False),
]


@pytest.mark.parametrize(("choice", "is_terminal", "environment", "color"), COLORS)
def test_colour_follows_the_option_then_the_environment_then_the_terminal(
    choice: str, is_terminal: bool, environment: dict[str, str], color: bool
) -> None:
    assert wants_color(choice, is_terminal, environment) is color


@pytest.mark.parametrize(
    ("encoding", "ascii_only"), [("utf-8", False), ("ascii", True), ("cp1252", True), ("nope", True)]
)
def test_an_encoding_that_cannot_show_our_signs_gets_ascii(encoding: str, ascii_only: bool) -> None:
    assert style_for("never", False, encoding, {}).ascii is ascii_only


@pytest.mark.parametrize(("columns", "width"), [("132", 132), ("10", 60), ("", 100), ("wide", 100)])
def test_the_width_is_that_of_the_environment_or_a_fixed_one(columns: str, width: int) -> None:
    assert style_for("never", False, "utf-8", {"COLUMNS": columns}).width == width


@pytest.mark.parametrize(("shown", "width"), [("abc", 3), ("订单", 4), ("e\u0301", 1), ("ｗ", 2), ("", 0)])
def test_width_is_counted_in_cells(shown: str, width: int) -> None:
    assert cells(shown) == width


def test_junit_is_xml_for_every_character() -> None:
    codes = (
        *range(0x3000),
        *range(0xD700, 0xE010),
        *range(0xFD00, 0x10010),
        *range(0x1FFF0, 0x20010),
        0x10FFFF,
    )
    for start in range(0, len(codes), 512):
        text = "".join(map(chr, codes[start : start + 512]))
        ElementTree.fromstring(f"<a b={junit._attribute(text)}>{escape(junit._plain(text))}</a>".encode())
