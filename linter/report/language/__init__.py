"""Messages as text in the reader's language: the one place where sentences of findings, diagnostics and help are made.

`en.py` and `zh.py` hold a template for each code. A template names parameters in braces; `{count:file|files}` writes a
number with the noun that fits it, `{count:,}` a number with its thousands parted. A parameter that is a row of
messages is joined as the language joins a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Final

from msgspec import Struct

from subdrift.linter.model.message import PHRASE_BEGINS, PHRASE_ENDS, PHRASE_PARTS, Message
from subdrift.linter.report.language.spacing import beside, filled

LANGUAGES: Final = ("en", "zh")
PHRASED: Final = ("detail", "what")
"""The parameters that hold phrases; a phrase in any other is a name that happens to look like one."""
PHRASE_DEPTH_MAX: Final = 16

_PHRASE: Final = re.compile(f"{PHRASE_BEGINS}([^{PHRASE_BEGINS}{PHRASE_ENDS}]*){PHRASE_ENDS}")


class Language(Struct, frozen=True, eq=False):
    """One catalogue. `name` is `en` or `zh`."""

    name: str
    templates: Mapping[str, str]
    comma: str
    last_comma: str
    phrases: Mapping[str, str]
    """The words for phrases inside texts of the program, `{0}` for the first name."""
    spaced: bool = False
    """Whether blanks between the language's own letters and Latin ones are set where pieces meet."""

    def text(self, message: Message | None) -> str:
        """The message as text; "" for None. Raises KeyError for a code or parameter no template knows."""
        if message is None:
            return ""
        parameters = {
            name: _Text(self.detail(value) if name in PHRASED else value) for name, value in message.values
        }
        for name, row in message.rows:
            parameters[name] = _Text(self.joined(map(self.text, row)))
        return self._filled(self.templates[message.code], parameters)

    def word(self, code: str, /, **parameters: str | int) -> str:
        """A text of the report itself, in which every parameter is text already."""
        return self._filled(self.templates[code], {name: _Text(value) for name, value in parameters.items()})

    def _filled(self, template: str, parameters: Mapping[str, str]) -> str:
        return filled(template, parameters) if self.spaced else template.format_map(parameters)

    def detail(self, text: str) -> str:
        """A text of the program, with the phrases in it in words; codes that are not known stay as they are."""
        for _ in range(PHRASE_DEPTH_MAX if PHRASE_BEGINS in text else 0):
            text, count = _PHRASE.subn(self._phrase, text)
            if not count:
                break
        return text

    def _phrase(self, found: re.Match[str]) -> str:
        code, *names = found[1].split(PHRASE_PARTS)
        template = self.phrases.get(code)
        return found[0] if template is None else template.format(*names)

    def sentences(self, texts: Iterable[str]) -> str:
        """Whole sentences one after the other."""
        told = ""
        for text in filter(None, texts):
            led = f" {text}" if told else text
            told = beside(told, led) if self.spaced else told + led
        return told

    def joined(self, texts: Iterable[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        listed = list(texts)
        if len(listed) < 2:
            return "".join(listed)
        most = self.comma.join(listed[:-1])
        if not self.spaced:
            return most + self.last_comma + listed[-1]
        return beside(beside(most, self.last_comma), listed[-1])


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
def language(name: str) -> Language:
    """The language of that name. Raises KeyError for one that is not among `LANGUAGES`."""
    comma, last_comma = {"en": (", ", " and "), "zh": ("、", "和")}[name]
    module = import_module(
        f"subdrift.linter.report.language.{name}"
    )  # only the language of the run is loaded
    phrases = import_module(f"subdrift.linter.report.language.phrases_{name}")
    return Language(name, module.TEXTS, comma, last_comma, phrases.PHRASES, spaced=name == "zh")


def english() -> Language:
    return language("en")
