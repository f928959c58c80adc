"""The report for those who decide: one HTML file with everything in it, for any browser, without a network.

Every text of a source file passes one gate (`_fit`) and Jinja's escaping; script and style are allowed by their hashes
alone, so nothing that a source file says can run. The file stays below `BYTES_MAX` whatever an organisation holds.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from subdrift.linter.report.content import Content, Texts
from subdrift.linter.report.page.view import SECTIONS, Group, view_of
from subdrift.linter.report.terminal import safe, without_commands

BYTES_MAX: Final = 9_500_000
"""Bytes of a page; groups beyond it are shown by their heads, and beyond that counted."""
_HEADS_BYTES: Final = 1_500_000
"""Of these, what is kept for heads."""
OPEN_MAX: Final = 3
"""Groups that are open from the start."""


def render(content: Content, texts: Texts, bytes_max: int = BYTES_MAX) -> str:
    """The page as HTML."""
    environment = _environment()
    view = view_of(content, texts)
    word = content.language.word
    style, script = _asset("page.css"), _asset("page.js")
    group = environment.get_template("group.html")
    whole: dict[str, list[Markup]] = {section: [] for section in SECTIONS}
    heads: list[Group] = []
    left = 0
    frame = environment.get_template("page.html")

    def framed() -> str:
        return frame.render(
            view=view,
            word=word,
            lang=content.language.name,
            style=Markup(style),
            script=Markup(script),
            policy=_policy(style, script),
            whole=whole,
            heads=heads,
            left=left,
        )

    room = bytes_max - len(framed().encode())
    room_for_heads = min(_HEADS_BYTES, room // 6)
    room -= room_for_heads
    for number, one in enumerate(view.groups):
        if not heads:
            text = group.render(group=one, word=word, opened=number < OPEN_MAX, since=view.since)
            size = len(text.encode())
            if size <= room:
                whole[one.section].append(Markup(text))
                room -= size
                continue
        size = len(environment.get_template("head.html").render(group=one, word=word).encode())
        if size <= room_for_heads:
            heads.append(one)
            room_for_heads -= size
        else:
            left += len(one.findings)
    return framed()


def _fit(value: object) -> object:
    """A value as it may stand in the page: what could steer a terminal or a CI or turn the writing is spelled out."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return without_commands(safe(value))


_CODE: Final = re.compile(r"`([^`]+)`")


def _coded(text: str) -> Markup:
    """A sentence in which what stands between backticks is code."""
    parts = _CODE.split(str(_fit(text)))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )


def _placed(text: str) -> Markup:
    """A place that breaks after its slashes, not within a name."""
    return Markup("/<wbr>").join(map(escape, str(_fit(text)).split("/")))


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("subdrift.linter.report.page", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_fit,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["coded"] = _coded
    found.filters["placed"] = _placed
    return found


def _asset(name: str) -> str:
    return (files("subdrift.linter.report.page") / "templates" / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """A content security policy that knows these two texts and no other source of anything."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
