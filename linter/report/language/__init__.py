"""Messages as text in the reader's language: the one place where sentences of findings, diagnostics and help are made.

`en.py` and `zh.py` hold a template for each code. A template names parameters in braces; `{count:file|files}` writes a
number with the noun that fits it, `{count:,}` a number with its thousands parted. A parameter that is a row of
messages is joined as the language joins a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Final

from linter.model.message import Message

LANGUAGES: Final = ("en", "zh")


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """One catalogue. `name` is `en` or `zh`."""

    name: str
    templates: Mapping[str, str]
    comma: str
    last_comma: str
    details: Mapping[str, str] = field(default_factory=dict)
    """Phrases of the engine in this language, `{}` for a name; none where they are in it already."""

    def text(self, message: Message | None) -> str:
        """The message as text; "" for None. Raises KeyError for a code or parameter no template knows."""
        if message is None:
            return ""
        parameters = {
            name: _Text(self.detail(value) if name == "detail" else value) for name, value in message.values
        }
        for name, row in message.rows:
            parameters[name] = _Text(self.joined(map(self.text, row)))
        return self.templates[message.code].format_map(parameters)

    def word(self, code: str, /, **parameters: str | int) -> str:
        """A text of the report itself, in which every parameter is text already."""
        return self.templates[code].format_map({name: _Text(value) for name, value in parameters.items()})

    def detail(self, phrase: str) -> str:
        """What a value hangs on, as the engine says it; names and phrases that are not known stay as they are."""
        if phrase in self.details or not self.details:
            return self.details.get(phrase, phrase)
        for pattern, told in _patterns(self.name):
            found = pattern.fullmatch(phrase)
            if found:
                return told.format(*found.groups())
        return phrase

    def joined(self, texts: Iterable[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        listed = list(texts)
        if len(listed) < 2:
            return "".join(listed)
        return self.comma.join(listed[:-1]) + self.last_comma + listed[-1]


class _Text(str):
    """A parameter that can be written as a count: `{n:file|files}`, `{n:,}`."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        number = int(self)
        if spec == ",":
            return f"{number:,}"
        one, _, many = spec.partition("|")
        return f"{number:,} {one if number == 1 else many}"


@cache
def _patterns(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The phrases with names in them; those with the most words of their own first."""
    listed = sorted(language(name).details.items(), key=lambda pair: -len(pair[0].replace("{}", "")))
    return tuple(
        (re.compile("(.+?)".join(map(re.escape, phrase.split("{}"))), re.DOTALL), told)
        for phrase, told in listed
        if "{}" in phrase
    )


@cache
def language(name: str) -> Language:
    """The language of that name. Raises KeyError for one that is not among `LANGUAGES`."""
    comma, last_comma = {"en": (", ", " and "), "zh": ("、", " 和 ")}[name]
    module = import_module(f"linter.report.language.{name}")  # only the language of the run is loaded
    templates: Mapping[str, str] = module.TEXTS
    details: Mapping[str, str] = {}
    if name == "zh":
        from linter.report.language.details_zh import DETAILS

        details = DETAILS
    return Language(name, templates, comma, last_comma, details)


def english() -> Language:
    return language("en")
