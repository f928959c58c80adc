"""The page: valid HTML in which no text of a source file can become anything but text, small, complete, linkable."""

from __future__ import annotations

import base64
import hashlib
import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Finding
from subdrift.linter.model.known import Known
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import say, verbatim
from subdrift.linter.model.topics import joined
from subdrift.linter.report import page
from subdrift.linter.report.content import Content, Earlier, Texts, nothing
from subdrift.linter.report.language import LANGUAGES, language
from subdrift.linter.report.made import Made, Revision
from subdrift.linter.report.page import BYTES_MAX, overview
from subdrift.linter.report.page.view import view_of
from subdrift.linter.report.terminal import spelled
from tests.report import sample

ROOT = Path(__file__).parent.parent.parent
GOLDEN = ROOT / "fixtures" / "golden" / "formats"
TEMPLATES = ROOT / "linter" / "report" / "page" / "templates"

HOSTILE = (
    "<script>alert(1)</script>",
    '" onload="alert(1)',
    "' onmouseover='alert(1)",
    "</script><img src=x onerror=alert(1)>",
    "</style><svg onload=alert(1)>",
    "<!--",
    "]]>",
    "{{ 7*7 }}{% raw %}",
    "javascript:alert(1)",
    "\u202egnp.exe\u2066",
    "\x1b[31m\x00\ud800",
    "&lt;b&gt; &amp;",
    "`<b>`",
)

EARLIER = Earlier(
    "before.json",
    frozenset((sample.TAGS.identity,)),
    frozenset((sample.WIDE.identity,)),
    (Known.of(replace(sample.TAGS, group="gone-cg")), Known.of(sample.CROPPED)),
)
SHOP = "https://git.example.com/acme/shop"


def revisions(commit: str, address: str, command: str) -> Callable[[Iterable[str]], Made]:
    """What is known of how a report was made, the same of every repository."""
    return lambda names: Made(command, "2026-11-25", dict.fromkeys(names, Revision(commit, address)))


SINCE = replace(
    sample.ORGANISATION,
    earlier=EARLIER,
    owners=lambda origin: ("@acme/team", f"@{origin.repo}"),
    made=revisions("4f1c9e2ab0", SHOP, "subdrift check --org . --output html=report.html"),
)


def hostile(text: str) -> Content:
    """The sample with a hostile text in every place that takes one."""
    origin = Origin(f"evil/{text}", f"src/{text}.java")
    at = Location(origin, Span(1, 1, 1, 9))

    def finding(one: Finding) -> Finding:
        places = tuple(
            replace(each, at=at, value_at=None, label=say("subscribes-to", names=verbatim(text)))
            for each in one.places
        )
        return replace(
            one,
            message=verbatim(f"Text {text}"),
            group=text,
            namespace=text,
            topic=text,
            places=places,
            values=(text, one.rule),
            conditional=verbatim(text),
            help=(verbatim(text),),
            prediction=one.prediction,
        )

    def consumer(one: Consumer) -> Consumer:
        lines = tuple(
            replace(each, topic=sample.value(text), expression=sample.value(text))
            for each in one.subscriptions
        )
        return replace(
            one,
            at=at,
            group=sample.value(text),
            namespace=sample.value(text),
            subscriptions=lines,
            environments=(text,),
            symbol=text,
        )

    def sender(one: Consumer) -> Consumer:
        made = consumer(one)
        sent = replace(made.subscriptions[0], expression=sample.value("PAID"))
        return replace(made, subscriptions=(sent,), deployable=text)

    return replace(
        sample.ORGANISATION,
        findings=tuple(map(finding, sample.ORGANISATION.findings)),
        consumers=tuple(map(consumer, sample.CONSUMERS)),
        diagnostics=tuple(
            replace(one, message=verbatim(text), help=verbatim(text), at=at) for one in sample.DIAGNOSTICS
        ),
        owners=lambda origin: (text,),
        earlier=replace(EARLIER, name=text, gone=(replace(EARLIER.gone[0], group=text, path=text),)),
        version=text,
        made=revisions(text, f"https://example.com/{text}", text),
        map=joined(
            map(consumer, sample.CONSUMERS), (sender(one) for one in sample.CONSUMERS if one.subscriptions)
        ),
    )


def code(text: str) -> Texts:
    return Texts(lambda origin: f"{text}; {text}".encode("utf-8", "surrogatepass"))


def parsed(text: str) -> Element:
    """The document; raises for what an HTML5 parser calls an error."""
    root: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    for one in root.iter():
        one.tag = one.tag.rpartition("}")[2]  # SVG has a namespace of its own
    return root


MAPPED = replace(
    SINCE,
    map=joined(
        [replace(one, owners=("@acme/reads",)) for one in sample.CONSUMERS[:2]],
        sample.CONSUMERS[1:3],
        organisation=True,
    ),
)
PAGES = {
    "one": lambda lang: page.render(replace(sample.CONTENT, language=language(lang)), sample.texts()),
    "organisation": lambda lang: page.render(replace(SINCE, language=language(lang)), sample.texts()),
    "without-code": lambda lang: page.render(replace(SINCE, language=language(lang)), Texts(nothing)),
    "clean": lambda lang: page.render(replace(sample.CLEAN, language=language(lang)), sample.texts()),
    "messages": lambda lang: page.render(replace(MAPPED, language=language(lang)), sample.texts()),
    "cut": lambda lang: page.render(replace(SINCE, language=language(lang)), sample.texts(), 45_000),
}


@pytest.fixture(params=[(name, lang) for name in PAGES for lang in LANGUAGES], ids="-".join)
def root(request: pytest.FixtureRequest) -> Element:
    name, lang = request.param
    return parsed(PAGES[name](lang))


# -- what is always true of it ----------------------------------------------------------------------------------


def test_every_link_leads_somewhere_and_no_name_is_given_twice(root: Element) -> None:
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    for one in root.iter():
        for attribute in ("href", "aria-labelledby"):
            target = one.get(attribute)
            assert (
                target is None or target.startswith((SHOP, SINCE.project)) or target.removeprefix("#") in ids
            ), target


def test_nothing_is_fetched_and_nothing_runs_but_our_own(root: Element) -> None:
    assert_harmless(root)


def assert_harmless(root: Element) -> None:
    for one in root.iter():
        assert not [
            name for name in one.attrib if name.lower().startswith("on") or name in ("src", "style", "action")
        ]
        assert one.get("href", "#").startswith(("#", "https://"))
        assert one.tag not in ("img", "iframe", "object", "embed", "link", "base")
    scripts = [one.text or "" for one in root.iter("script")]
    styles = [one.text or "" for one in root.iter("style")]
    assert scripts == [(TEMPLATES / "page.js").read_text()]
    assert styles == [(TEMPLATES / "page.css").read_text()]
    (policy,) = [one.get("content") or "" for one in root.iter("meta") if one.get("http-equiv")]
    assert policy.startswith("default-src 'none'; ")
    for text in (*scripts, *styles):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy


def test_the_script_makes_no_markup() -> None:
    script = (TEMPLATES / "page.js").read_text()
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval",
        "Function(",
        "fetch",
        "import",
    ):
        assert word not in script


def test_each_control_has_a_name_and_headings_leave_no_step_out(root: Element) -> None:
    labels = {control for label in root.iter("label") for control in label}
    for one in root.iter():
        if one.tag in ("input", "select"):
            assert one in labels
        if one.tag == "button":
            assert (one.text or "").strip()
        if one.tag == "svg":
            assert one.get("aria-hidden") == "true" or one.get("aria-label")
    steps = [int(one.tag[1]) for one in root.iter() if re.fullmatch(r"h[1-6]", one.tag)]
    assert steps[0] == 1
    assert steps.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(steps))
    assert root.get("lang") in LANGUAGES
    assert root.findtext("./head/title")


def test_filters_and_findings_agree(root: Element) -> None:
    options = {
        str(select.get("name")): {one.get("value") or (one.text or "") for one in select.iter("option")}
        for select in root.iter("select")
    }
    for one in root.iter("article"):
        assert one.get("data-l") in options["l"]
        assert set((one.get("data-u") or "").split()) <= options["u"]
        for name in ("r", "o"):
            numbers = (one.get(f"data-{name}") or "").split()
            assert set(numbers) <= options.get(name, set(numbers) if name == "r" else set())


def test_every_finding_is_there_by_its_identity() -> None:
    for name in ("organisation", "cut"):
        ids = {one.get("id") for one in parsed(PAGES[name]("en")).iter()}
        assert {f"f{part.identity}" for one in SINCE.shown for part in one.all_parts} <= ids


# -- hostile texts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("bytes_max", [BYTES_MAX, 45_000, 0])
def test_a_name_of_a_source_file_stays_text(text: str, bytes_max: int) -> None:
    found = page.render(hostile(text), code(text), bytes_max)
    assert not re.search("[\x00-\x08\x0b-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", found)
    root = parsed(found)
    assert_harmless(root)
    shape = [one.tag for one in root.iter()]
    plain = [one.tag for one in parsed(page.render(hostile("plain"), code("plain"), bytes_max)).iter()]
    if bytes_max == BYTES_MAX and "`" not in text:
        # the same elements as with a harmless name; what is too long for the picture has a tip with the whole, and a
        # place may break behind each slash
        kept = ("title", "wbr")
        assert [tag for tag in shape if tag not in kept] == [tag for tag in plain if tag not in kept]


# -- size -------------------------------------------------------------------------------------------------------


def many(count: int) -> Content:
    """An organisation of many repositories in which every group of four disagrees."""

    def findings() -> Iterator[Finding]:
        for number in range(count // 4):
            places = tuple(
                replace(
                    place,
                    at=replace(
                        place.at, origin=Origin(f"acme/service-{number * 4 + side}", place.at.origin.path)
                    ),
                    value_at=None,
                )
                for side, place in enumerate(sample.TAGS.places)
            )
            yield replace(sample.TAGS, group=f"group-{number}", places=places)

    def consumers() -> Iterator[Consumer]:
        for number in range(count):
            made = sample.CONSUMERS[number % 4 > 0]
            where = Location(Origin(f"acme/service-{number}", made.at.origin.path), made.at.span)
            group = sample.value(f"group-{number // 4}")
            yield replace(made, id=f"{made.id}-{number}", at=where, group=group)

    return replace(
        sample.ORGANISATION,
        findings=tuple(findings()),
        consumers=tuple(consumers()),
        diagnostics=(),
        repositories=count,
    )


def test_ten_thousand_repositories_are_less_than_ten_megabytes() -> None:
    content = many(10_000)
    found = page.render(content, sample.texts())
    assert 1_000_000 < len(found.encode()) < 10_000_000
    ids = set(re.findall(r'id="(f[0-9a-f]{16})"', found))
    assert len(ids) == len(content.findings)


@pytest.mark.parametrize("bytes_max", [60_000, 100_000, 200_000])
def test_what_does_not_fit_is_said_in_short_and_then_counted(bytes_max: int) -> None:
    content = many(400)
    found = page.render(content, sample.texts(), bytes_max)
    assert len(found.encode()) < bytes_max * 1.02
    whole = found.count("<article ")
    heads = len(re.findall(r'<a id="f', found))
    left = re.search(r"and (\d+) more findings", found)
    assert 0 < whole < 100
    assert whole + heads + (int(left[1]) if left else 0) == 100


# -- colours ----------------------------------------------------------------------------------------------------

TEXT_ON = [
    *(("text", back) for back in ("back", "panel", "mark", "blue-back")),
    *(("dim", back) for back in ("back", "panel")),
    *(("link", back) for back in ("back", "panel")),
    *((color, back) for color in ("red", "amber", "green") for back in ("back", "panel")),
    *((color, f"{color}-back") for color in ("red", "amber", "blue")),
    ("back", "link"),
]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "back"), TEXT_ON)
def test_text_stands_out_from_what_is_behind_it(text: str, back: str, theme: int) -> None:
    roots = re.findall(r":root \{([^}]*)\}", (TEMPLATES / "page.css").read_text())
    colors = dict(re.findall(r"--([\w-]+): (#\w+)", roots[theme]))
    assert contrast(colors[text], colors[back]) >= 4.5


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 computes it."""

    def luminance(color: str) -> float:
        digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
        parts = [int(digits[index : index + 2], 16) / 255 for index in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# -- what it says -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_body_is_the_committed_one(lang: str) -> None:
    found = PAGES["organisation"](lang).partition("</head>\n")[2].partition("<script>")[0]
    path = GOLDEN / f"check-page.{lang}.html"
    if os.environ.get("SUBDRIFT_GOLDEN") == "write":
        path.write_text(found, encoding="utf-8", newline="\n")
    assert found == path.read_text(encoding="utf-8")


def test_new_changed_and_gone_are_said() -> None:
    root = parsed(PAGES["organisation"]("en"))
    status = {one.get("id"): one.get("data-n") for one in root.iter("article")}
    assert status[f"f{sample.TAGS.identity}"] == "new"
    assert status[f"f{sample.WIDE.identity}"] == "changed"
    text = "".join(root.itertext())
    assert "No longer there since before.json" in text
    assert "gone-cg" in text


def test_places_lead_to_the_lines_of_their_commits() -> None:
    found = PAGES["organisation"]("en")
    assert f'href="{SHOP}/blob/4f1c9e2ab0/' in found
    assert Revision("c", "https://bitbucket.example/a").link("x y.java", 3) == (
        "https://bitbucket.example/a/src/c/x%20y.java#lines-3"
    )
    assert Revision("c").link("x", 1) == Revision("", SHOP).link("x", 1) == ""


def test_groups_in_order_are_listed_and_no_disputed_one_is() -> None:
    calm = replace(sample.CONSUMERS[0], id="calm", group=sample.value("calm-cg"))
    view = view_of(replace(SINCE, consumers=(*SINCE.consumers, calm)), sample.texts())
    assert "calm-cg" not in {one.name for one in view.groups}
    assert [(one.name, one.consumers) for one in view.orderly] == [("calm-cg", 1)]
    assert not view_of(SINCE, sample.texts()).orderly


def test_findings_stand_under_what_they_are_about() -> None:
    root = parsed(PAGES["organisation"]("en"))
    found = {
        one.findtext("h3"): [span.text for span in one.iter("span") if span.get("class") == "name"]
        for one in root.iter("div")
        if one.get("class") == "kind"
    }
    assert found == {
        "By consumer group": ["order-cg", "g\\u202e", "audit-cg", "order-cg"],
        "By topic": ["ORDER"],
    }
    numbers = {
        one.findtext("dt"): one.findtext("dd") for one in root.iter("div") if one.find("dt") is not None
    }
    assert (numbers["Groups with findings"], numbers["Topics with findings"]) == ("4", "1")
    nameless = replace(SINCE, findings=(replace(sample.CROPPED, topic=None),))
    assert [one.kind for one in view_of(nameless, sample.texts()).groups] == ["repository"]
    alone = view_of(replace(SINCE, findings=(sample.CROPPED,)), sample.texts())
    tested = replace(sample.WIDE, places=(replace(sample.WIDE.places[0], scope="test"),))
    beside = view_of(replace(SINCE, findings=(tested, sample.CROPPED)), sample.texts())
    assert [(one.name, one.section) for one in beside.groups] == [("ORDER", "topic"), ("audit-cg", "aside")]
    assert [one.section for one in view_of(replace(SINCE, findings=(tested,)), sample.texts()).groups] == [
        "group"
    ]
    assert "Groups with findings" not in {one.words for one in alone.numbers}


def test_messages_are_shown_where_they_were_looked_for() -> None:
    reading, sending = sample.CONSUMERS[:2], sample.CONSUMERS[1:2]
    content = replace(SINCE, map=joined(reading, sending))
    first = next(one for one in overview.exchanges(content) if one.senders)
    assert first.senders[0][1] == sending[0].subscriptions[0].expression.text
    assert {group for group, _ in first.readers} <= {one.group.text for one in reading}
    assert 'id="messages"' in page.render(content, sample.texts())
    assert 'id="messages"' not in page.render(SINCE, sample.texts())


def test_each_topic_is_drawn_with_its_senders_and_readers() -> None:
    root = parsed(PAGES["messages"]("en"))
    rows = [one for one in root.iter("tbody") if one.get("class") == "exchange"]
    assert rows
    assert MAPPED.map is not None
    for row, topic in zip(rows, MAPPED.map.topics, strict=True):
        (drawn,) = row.iter("svg")
        said = drawn.get("aria-label") or ""
        assert said.startswith(f"Topic {spelled(topic.name)}: sent by ")
        assert all(group in said for group in topic.groups)
        assert row.get("data-o", "").strip() == ("0" if topic.read else "")


def test_blind_spots_by_repository_add_up() -> None:
    found = overview.spots(SINCE)
    assert sum(one.values + one.files + one.places for one in found) == SINCE.blind_spots().total()


def test_blind_spots_come_most_frequent_first() -> None:
    counts = [one.count for one in view_of(SINCE, sample.texts()).blind]
    assert len(counts) > 2
    assert counts == sorted(counts, reverse=True)
