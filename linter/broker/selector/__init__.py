"""SQL92 selectors: the text given to ``MessageSelector.bySql`` in, what the broker makes of it out.

Three things surprise. What the parser cannot use at the end is ignored in silence (``Selector.tail``). Only TRUE
delivers: null, false and every exception drop the message. And NOT binds tighter than a comparison.

Mirrors: SqlFilter#compile, SelectorParser#parse and MessageEvaluationContext, RocketMQ 4.8.0 to 5.3.3, which differ
in the text operators alone.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from subdrift.linter.broker.selector.errors import (
    CastError,
    Cause,
    ConversionError,
    EvaluationError,
    SelectorRejected,
    SelectorTooDeep,
)
from subdrift.linter.broker.selector.parser import Parsed, parse
from subdrift.linter.broker.selector.program import Instruction, run
from subdrift.linter.broker.selector.text import joined
from subdrift.linter.broker.selector.values import joined_units, utf16_units
from subdrift.linter.broker.versions import LATEST, Feature, Version, behaves

__all__ = [
    "CastError",
    "Cause",
    "ConversionError",
    "EvaluationError",
    "Selector",
    "SelectorRejected",
    "SelectorTooDeep",
    "compile_selector",
]

CACHED_SELECTORS_MAX: Final = 4_096

COMPILED_TEXT_UNITS_MAX: Final = 300
"""Longer compiled forms are not printed; a nested BETWEEN doubles its text at every level."""


class Selector(Struct, frozen=True, eq=False):
    """A compiled selector."""

    source: str
    """The whole text it was compiled from."""
    tail: str | None
    """What stands behind the last used token and is ignored; None if that is blanks and comments at most."""
    _parsed: Parsed

    @property
    def text(self) -> str | None:
        """The compiled form as it prints itself; None if longer than COMPILED_TEXT_UNITS_MAX UTF-16 units."""
        units = joined(self._parsed.text, COMPILED_TEXT_UNITS_MAX)
        return None if units is None else joined_units(units)

    @property
    def program(self) -> Sequence[Instruction]:
        """The compiled form, for analyses."""
        return self._parsed.program

    def evaluate(self, properties: Mapping[str, str] | None) -> bool | None:
        """True, false or null (None) for the properties of a message; a message without any may be None.

        The tag is the property TAGS; properties a message does not have are null.
        Raises ConversionError or CastError where RocketMQ throws.
        """
        result = run(self._parsed.program, properties or {})
        if result is None or isinstance(result, bool):
            return result
        raise AssertionError(f"a condition came out as {result!r}")

    def delivers(self, properties: Mapping[str, str] | None) -> bool:
        """Whether the broker lets a message with these properties pass: only where the selector is true.

        Mirrors ExpressionMessageFilter#isMatchedByCommitLog, RocketMQ 4.8.0 to 5.3.3.
        """
        try:
            return self.evaluate(properties) is True
        except EvaluationError:
            return False


def compile_selector(text: str, version: Version = LATEST) -> Selector:
    """Compile a selector as a broker of this version does; repeated texts come from a bounded cache.

    Raises SelectorRejected where it does not compile, SelectorTooDeep where that, or the outcome of its evaluation,
    depends on the virtual machine's stack.
    """
    return _compiled(text, behaves(Feature.TEXT_OPERATORS, version))


@lru_cache(maxsize=CACHED_SELECTORS_MAX)
def _compiled(text: str, text_operators: bool) -> Selector:
    units = utf16_units(text)
    parsed = parse(units, text_operators)
    return Selector(text, joined_units(units[parsed.end :]) if parsed.has_tail else None, parsed)
