"""The page in a real headless Chromium: it works by keyboard, complains of nothing, and nothing hostile runs.

`SUBDRIFT_SCREENSHOTS=DIR` keeps pictures of it. `make validate` has axe-core look at it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift.linter.model.topics import joined
from subdrift.linter.report import page
from subdrift.linter.report.language import language
from tests.report import sample
from tests.report.browser import ENTER, TAB, Browser, browser, missing
from tests.report.test_page import HOSTILE, SINCE, code, hostile, many

pytestmark = [
    pytest.mark.skipif(
        bool(missing()), reason=f"the page is not tried in a browser: no {missing()} on this machine"
    ),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("chromium")) as found:
        yield found


@pytest.fixture
def opened(chromium: Browser, tmp_path: Path) -> Iterator[Browser]:
    """The organisation's page; afterwards the console must have been silent."""
    chromium.emulate()
    chromium.open(written(tmp_path, page.render(SINCE, sample.texts())))
    yield chromium
    assert chromium.complaints() == []


def written(folder: Path, text: str) -> Path:
    file = folder / "report.html"
    file.write_text(text, encoding="utf-8")
    return file


def shown(chromium: Browser) -> list[str]:
    script = "return [...document.querySelectorAll('article.finding')].filter(e => !e.hidden).map(e => e.id)"
    return list(chromium.run(script))


def choose(chromium: Browser, name: str, value: str) -> None:
    chromium.run(
        "const f = document.getElementById('filters').elements.namedItem(arguments[0]);"
        "f.type === 'checkbox' ? f.checked = Boolean(arguments[1]) : f.value = arguments[1];"
        "f.dispatchEvent(new Event('input', {bubbles: true}))",
        name,
        value,
    )


def focused(chromium: Browser) -> str:
    script = "const e = document.activeElement; return e.id || e.name || e.tagName.toLowerCase()"
    return str(chromium.run(script))


# -- filters and links ------------------------------------------------------------------------------------------


def test_filters_leave_what_matches_and_say_how_much(opened: Browser) -> None:
    every = shown(opened)
    assert len(every) == len(SINCE.shown)
    for name, value in (("l", "note"), ("u", "divergent-tags"), ("q", "GROUP ORDER-CG"), ("n", "yes")):
        choose(opened, name, value)
        some = shown(opened)
        assert 0 < len(some) < len(every), name
        count = opened.run("return document.getElementById('count').textContent")
        assert count == f"{len(some)} of {len(every)} findings shown"
        hidden = "return [...document.querySelectorAll('details.group')].filter(e => !e.hidden).length"
        assert opened.run(hidden) <= len(some)
        choose(opened, name, "")
    assert shown(opened) == every


def test_every_repository_and_owner_is_found_by_its_filter(opened: Browser) -> None:
    every = set(shown(opened))
    for name in ("r", "o"):
        values = opened.run(
            "return [...document.getElementById('filters').elements.namedItem(arguments[0]).options].map(o => o.value)",
            name,
        )
        found = set()
        for value in values[1:]:
            choose(opened, name, value)
            some = shown(opened)
            assert some or value == "-"
            found |= set(some)
        assert found == every
        choose(opened, name, "")


def test_topics_are_found_by_their_owners(chromium: Browser, tmp_path: Path) -> None:
    readers = [replace(one, owners=("@acme/reads",)) for one in sample.CONSUMERS[:1]]
    content = replace(SINCE, map=joined(readers, sample.CONSUMERS[1:3]))
    assert content.map is not None
    chromium.emulate()
    chromium.open(written(tmp_path, page.render(content, sample.texts())))
    count = "return [...document.querySelectorAll('tbody.exchange')].filter(e => !e.hidden).length"
    choice = (
        "const one = document.querySelector('#exchange-owners select'); one.value = arguments[0];"
        "one.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    read = sum(bool(topic.read) for topic in content.map.topics)
    for value, expected in (
        ("0", read),
        ("-", len(content.map.topics) - read),
        ("", len(content.map.topics)),
    ):
        chromium.run(choice, value)
        assert chromium.run(count) == expected, value
    assert chromium.complaints() == []


def test_a_link_opens_its_finding_whatever_is_filtered_or_closed(opened: Browser, tmp_path: Path) -> None:
    target = f"f{sample.CROPPED.identity}"
    opened.run("document.getElementById('close').click()")
    choose(opened, "u", "divergent-tags")
    opened.run("location.hash = arguments[0]", target)
    opened.wait_for("return document.activeElement.id === arguments[0]", target)
    assert opened.run("return document.getElementById(arguments[0]).closest('details').open", target)
    assert len(shown(opened)) == len(SINCE.shown)
    # and the same from outside
    opened.open(tmp_path / "report.html", f"f{sample.WIDE.identity}")
    opened.wait_for("return document.activeElement.id === arguments[0]", f"f{sample.WIDE.identity}")


# -- keyboard and paper -----------------------------------------------------------------------------------------


def test_all_of_it_is_reached_by_keyboard(opened: Browser) -> None:
    opened.press(TAB)
    assert opened.run("return document.activeElement.className") == "skip"
    opened.press(ENTER)
    opened.wait_for("return document.activeElement.id === 'findings'")
    reached = []
    for _ in range(12):
        opened.press(TAB)
        reached.append(focused(opened))
    assert reached[:6] == ["q", "l", "u", "r", "o", "n"]
    assert {"open", "close", "summary"} <= set(reached)
    opened.run("document.querySelector('summary').focus()")
    before = opened.run("return document.querySelector('details').open")
    opened.press(ENTER)
    opened.wait_for("return document.querySelector('details').open !== arguments[0]", before)


def test_what_has_focus_is_seen(opened: Browser) -> None:
    opened.press(TAB, TAB)
    assert opened.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_paper_gets_every_group_open_and_no_controls(opened: Browser) -> None:
    opened.run("document.getElementById('close').click()")
    opened.run("dispatchEvent(new Event('beforeprint'))")
    assert opened.run("return [...document.querySelectorAll('details.group')].every(e => e.open)")
    opened.emulate("print")
    assert opened.run("return getComputedStyle(document.getElementById('filters')).display") == "none"
    opened.run("dispatchEvent(new Event('afterprint'))")
    assert not opened.run("return [...document.querySelectorAll('details.group')].some(e => e.open)")


def test_a_narrow_window_scrolls_down_only(opened: Browser) -> None:
    for width in (360, 800):
        opened.resize(width, 800)
        opened.run("document.getElementById('open').click()")
        assert opened.run("return document.documentElement.scrollWidth") <= width
        stuck = "e.scrollWidth > e.clientWidth && getComputedStyle(e).overflowX === 'auto' && e.tabIndex < 0"
        assert opened.run(f"return [...document.querySelectorAll('div')].filter(e => {stuck}).length") == 0
    opened.resize(1200, 900)


def test_dark_is_dark_and_light_is_light(opened: Browser) -> None:
    for scheme, low, high in (("dark", 0, 60), ("light", 200, 255)):
        opened.emulate(prefers_color_scheme=scheme)
        color = opened.run(
            "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        )
        assert all(low <= part <= high for part in color)


# -- hostile texts ----------------------------------------------------------------------------------------------


def test_nothing_hostile_runs(chromium: Browser, tmp_path: Path) -> None:
    for number, text in enumerate(HOSTILE):
        (tmp_path / str(number)).mkdir()
        chromium.open(written(tmp_path / str(number), page.render(hostile(text), code(text))))
        # an alert would make this call fail
        assert chromium.run("return document.querySelectorAll('script').length") == 1
        chromium.run(
            "document.querySelectorAll('article, summary, svg *').forEach(e => e.dispatchEvent(new Event('mouseover')))"
        )
        assert chromium.complaints() == []


def test_the_policy_refuses_what_would_be_injected(chromium: Browser, tmp_path: Path) -> None:
    text = page.render(sample.CONTENT, sample.texts())
    text = text.replace(
        "</main>",
        "<script>document.title = 'taken'</script><img src='x' onerror='document.title = 1'></main>",
    )
    chromium.open(written(tmp_path, text))
    assert chromium.run("return document.title") != "taken"
    assert any("Content Security Policy" in one for one in chromium.complaints())


# -- size, looks and accessibility ------------------------------------------------------------------------------


def test_an_organisation_of_a_thousand_repositories_can_be_filtered(
    chromium: Browser, tmp_path: Path
) -> None:
    chromium.open(written(tmp_path, page.render(many(1_000), sample.texts())))
    assert len(shown(chromium)) == 250
    choose(chromium, "q", "group-17")
    assert len(shown(chromium)) == 11  # it, and group-170 to group-179
    assert chromium.complaints() == []


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_of_it(chromium: Browser, tmp_path: Path, lang: str, scheme: str) -> None:
    chromium.open(written(tmp_path, page.render(replace(SINCE, language=language(lang)), sample.texts())))
    chromium.emulate(prefers_color_scheme=scheme)
    chromium.run("document.getElementById('open').click()")
    folder = Path(os.environ.get("SUBDRIFT_SCREENSHOTS") or tmp_path)
    chromium.screenshot(folder / f"page-{lang}-{scheme}.png")
    assert (folder / f"page-{lang}-{scheme}.png").stat().st_size > 20_000
