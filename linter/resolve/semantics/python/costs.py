"""What Python's library functions cost, and make, before they run: by full name, for what is not linear in its operands.

Each is asked with the receiver (None of a function) and the arguments, those given by name behind the others. Characters
and elements are what the result may hold; steps are statements of a program that take about as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from subdrift.linter.resolve.execute.guards import some
from subdrift.linter.resolve.execute.peers import LEAVES_MAX, Cost, Costs, characters, elements, number
from subdrift.linter.resolve.execute.values import Guarded, Object, Text
from subdrift.linter.text.patterns import COST_MAX, LENGTH_MAX, estimate

_SLOW: Final = 64
"""Characters that a parser written in Python reads in the time of one statement."""

PATTERN_STEPS: Final = 10_000
"""Steps of the engine of `re` in the time of one statement."""

_DIGITS_MAX: Final = 4_096
_TOO_MUCH: Final = Cost(0, 1 << 40, 0)


def slow(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """A parser written in Python: as many elements as there are characters, at most."""
    count = characters(receiver) + sum(map(characters, arguments))
    return Cost(count // _SLOW, count, 0)


def _width(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """`text.center(width)`."""
    return Cost(0, characters(receiver) + max(map(number, arguments), default=0), 0)


def _tabs(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    size = number(arguments[0]) if arguments else 8
    return Cost(0, characters(receiver) + _count(receiver, "\t") * size, 0)


def _count(value: Guarded, part: str) -> int:
    return max(
        (
            sum(one.count(part) for one in leaf.parts if isinstance(one, str))
            for leaf in some(value, LEAVES_MAX)
            if isinstance(leaf, Text)
        ),
        default=0,
    )


def _replaced(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """`text.replace(old, new)`."""
    whole = characters(_text_of(receiver))
    if len(arguments) < 2:
        return Cost(0, whole, 0)
    old = max(characters(_text_of(arguments[0])), 1)
    return Cost(0, whole + (whole // old + 1) * characters(_text_of(arguments[1])), 0)


def _text_of(value: Guarded) -> Guarded:
    """The text in bytes."""
    return value.fields["<text>"] if isinstance(value, Object) and value.type == "bytes" else value


def _translated(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    longest = max((_longest(leaf) for one in arguments for leaf in some(one, LEAVES_MAX)), default=1)
    return Cost(0, characters(receiver) * max(longest, 1), 0)


def _longest(leaf: Any) -> int:
    if not isinstance(leaf, Object):
        return characters(leaf)
    return max((characters(entry.value) for entry in leaf.entries or ()), default=1)


def _indented(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """`textwrap.indent(text, prefix)`: a prefix a line."""
    if len(arguments) < 2:
        return Cost()
    lines = _count(arguments[0], "\n") + 1
    return Cost(0, characters(arguments[0]) + lines * characters(arguments[1]), 0)


def _split(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """A list of parts: one more than there are separators, which are told by their first character."""
    own = _text_of(receiver)
    sign = next((leaf for one in arguments[:1] for leaf in some(one, 1)), None)
    whole = characters(own)
    known = sign.known if isinstance(sign, Text) else None
    return Cost(0, whole, _count(own, known) + 1 if known else whole // 2 + 1)


def _lines(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    return Cost(0, characters(receiver), _count(receiver, "\n") + _count(receiver, "\r") + 1)


def _digits(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """`int(text, base)`: time by the square of the digits; more than are ever read are not."""
    count = max(map(characters, arguments[:1]), default=0)
    return Cost(0, count, 0) if count <= _DIGITS_MAX else _TOO_MUCH


def _places(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """`round(number, digits)` calculates with as many digits."""
    count = max(map(number, arguments[1:]), default=0)
    return Cost(0, count, 0) if count <= _DIGITS_MAX else _TOO_MUCH


def _pattern(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """A search: by the pattern and the length of the longest text. One that would take too long is not made."""
    given = receiver if receiver is not None else next(iter(arguments), None)
    length, steps = max(map(characters, arguments), default=0), 0.0
    for leaf in some(given, LEAVES_MAX):
        pattern = leaf.fields.get("pattern") if isinstance(leaf, Object) else leaf
        if isinstance(pattern, Text) and pattern.known is not None and len(pattern.known) <= LENGTH_MAX:
            steps = max(steps, min(estimate(pattern.known, length), COST_MAX))
    return Cost(int(steps // PATTERN_STEPS), length, 0)


def _copies(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    """An argument for each of some elements."""
    return Cost(0, 0, sum(map(elements, arguments)) * 2)


def _sorted(receiver: Guarded, arguments: Sequence[Guarded]) -> Cost:
    count = elements(receiver) + sum(map(elements, arguments))
    return Cost(0, 0, min(count * max(count.bit_length(), 1), 4_096))


_TEXT: Final = "builtins.str"
COSTS: Final[dict[str, Costs]] = {
    **{f"{_TEXT}.{name}": _width for name in ("center", "ljust", "rjust", "zfill")},
    f"{_TEXT}.expandtabs": _tabs,
    f"{_TEXT}.replace": _replaced,
    "bytes.replace": _replaced,
    f"{_TEXT}.translate": _translated,
    f"{_TEXT}.split": _split,
    f"{_TEXT}.rsplit": _split,
    "bytes.split": _split,
    f"{_TEXT}.splitlines": _lines,
    "textwrap.indent": _indented,
    "builtins.int": _digits,
    "builtins.round": _places,
    "builtins.sorted": _sorted,
    "list.sort": _sorted,
    "itertools.tee": _copies,
    **{
        f"{owner}.{name}": _pattern
        for owner in ("re", "re.Pattern")
        for name in ("match", "search", "fullmatch", "findall", "finditer", "split", "sub")
    },
    **dict.fromkeys(
        (
            "shlex.split",
            "shlex.join",
            "_native.document_tree",
            "textwrap.wrap",
            "textwrap.fill",
            "textwrap.shorten",
            "html.unescape",
            "csv.reader",
            "csv.DictReader",
            "_native.ini",
            "tomllib.loads",
            "inspect.cleandoc",
            "ast.literal_eval",
        ),
        slow,
    ),
}
"""Full name -> the cost, for those for which `peers.linear` is not right."""
