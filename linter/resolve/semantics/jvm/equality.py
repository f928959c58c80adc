"""When two values are equal, or the same object, as Java has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import copysign
from typing import Any, Final

from subdrift.linter.clients.apis import WORDS
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import apply, leaves
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.protocol import Test
from subdrift.linter.resolve.execute.values import (
    OF_A_BOX,
    Gap,
    LibraryConstant,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    is_whole,
)
from subdrift.linter.resolve.semantics.jvm import views


def undefined(owner: str, detail: str) -> Unknown:
    """A value that a class nobody sees would tell."""
    return Unknown(Why.UNDEFINED, detail, ("constant", detail), needs=frozenset({owner}))


def unseen(value: Any) -> Any:
    """What is known of a constant whose class nobody sees where more counts than that it is the same one: nothing, but for
    the enumerations of client libraries. Any other value as it is."""
    if isinstance(value, LibraryConstant) and value.name not in WORDS:
        return undefined(value.owner, f"{value.owner}.{value.name}")
    if isinstance(value, TypeValue) and value.guessed:
        return undefined(value.name.rpartition(".")[0], value.name)
    return value


def is_text(value: Any) -> bool:
    return isinstance(value, Text) and not value.char


def is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def number_of(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, Text) and value.char and value.known and len(value.known) == 1:
        return ord(value.known)
    return None


def identical(left: Any, right: Any) -> bool | Test | Unknown:
    """`==`: by identity for objects, by value for numbers, truth values and (interned) texts; `OF_A_BOX` where a number may
    be an object."""
    if left is None or right is None:
        other = right if left is None else left
        return absent(other)
    if isinstance(left, Object) and isinstance(right, Object):
        return left is right
    if is_number(left) and is_number(right):
        return left == right and (OF_A_BOX if left not in _CACHED else True)
    found = same_value(left, right)
    if found is not True or left is right or not isinstance(left, Text) or not isinstance(right, Text):
        return found
    if not (left.char or right.char or (_is_literal(left) and _is_literal(right))):
        return Test("true", (Unknown(Why.DYNAMIC, "=="),))
    return found


COPIED: Final = "new String()"
"""The step of a text that is another object than the one it is a copy of."""


def _is_literal(value: Text) -> bool:
    """Whether a text is one that the sources write out, which is the same object wherever they do."""
    written = [step.what for step in value.steps if step.what.startswith('"')]
    return written == [f'"{value.known}"'] and all(step.what != COPIED for step in value.steps)


def copied(value: Text, place: Location) -> Text:
    """An equal text that is another object; only of a literal this makes a difference."""
    if not _is_literal(value):
        return value
    return Text(value.parts, (*value.steps, Step(place, COPIED)), value.char, value.frame)


_NULL_IF_UNSET: Final = frozenset({"env", "system", "property", ""})
"""What a variable or key without a default is asked by where code gets null for it; a placeholder ends the start."""


def absent(value: Any) -> bool | Test:
    """Whether a value is null."""
    if value is None:
        return True
    if isinstance(value, Unknown):
        if value.symbol is None:
            return Test("present", (value,), True)
        if isinstance(value.symbol, tuple) and value.symbol[:1] == ("injected",):
            return False  # what a container injects is there
        return Test("present", (value,), True)
    if isinstance(value, Text) and len(value.parts) == 1:
        part = value.parts[0]
        if not isinstance(part, str | Gap) and part.default is None and part.variable in _NULL_IF_UNSET:
            return Test("present", (value,), True)
    return False


def equal(left: Any, right: Any) -> bool | Test:
    """`equals`: by value."""
    if left is right and not isinstance(left, Unknown):
        return True
    if (left is None and isinstance(right, Text)) or (right is None and isinstance(left, Text)):
        return absent(right if left is None else left)
    if isinstance(left, Text) and isinstance(right, Text):
        a, b = left.known, right.known
        if a is not None and b is not None:
            return a == b
        if left.parts == right.parts and symbol_of(left) is not None:
            return True
        return Test("equal", _ordered(left, right))
    if isinstance(left, bool) and isinstance(right, bool):
        return left == right
    if isinstance(left, Test) or isinstance(right, Test):
        return _equal_tests(left, right)
    if number_of(left) is not None and number_of(right) is not None:
        return _equal_boxes(left, right)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return _equal_unknown(left, right)
    if isinstance(left, Object) and isinstance(right, Object):
        if left.constant or right.constant:
            return left is right
        own = left.fields.get(OWN_EQUALITY) or (
            right.fields.get(OWN_EQUALITY) if right.declared is None else None
        )
        return same_content(left, right) if own is None else own(left, right)
    if isinstance(left, LibraryConstant | TypeValue) or isinstance(right, LibraryConstant | TypeValue):
        if isinstance(left, LibraryConstant) and isinstance(right, LibraryConstant):
            same = left.owner.rpartition(".")[2] == right.owner.rpartition(".")[2]
            if same and (left.name == right.name or left.owner.startswith("java.")):
                return left.name == right.name
        if isinstance(left, TypeValue) and isinstance(right, TypeValue) and left == right:
            return True
        word, other = (left, right) if isinstance(left, LibraryConstant) else (right, left)
        if isinstance(word, LibraryConstant) and isinstance(other, Text) and word.name in WORDS:
            return other.known == word.name
        one, two = unseen(left), unseen(right)
        if one is not left or two is not right:
            return equal(one, two)
    if isinstance(right, Text):
        left, right = right, left
    if isinstance(left, Text) and left.known is None:  # a number or truth value of the configuration
        if isinstance(right, bool):
            return Test("true", (left,), negated=not right)
        if isinstance(right, int | float):
            return Test("equal", (left, right))
        if isinstance(right, Object) and right.constant:  # an enumeration that configuration is bound to
            return Test("equal", (left, right))
    return False


def _equal_boxes(left: Any, right: Any) -> bool | Test:
    """`equals` of numbers and characters: those of two types are not equal. Of most it is not known whether they are `long`."""
    one, other = (int if is_whole(each) else type(each) for each in (left, right))
    if one is not other:
        return False
    if isinstance(left, float) and isinstance(right, float):  # by their bits
        same = left == right and copysign(1, left) == copysign(1, right)
        return type(left) is type(right) and (same or (left != left and right != right))
    if number_of(left) != number_of(right):
        return False
    return type(left) is type(right) or Test("true", (Unknown(Why.DYNAMIC, "equals()"),))


def same_value(left: Any, right: Any) -> bool | Test:
    """`==` of numbers and characters, by value; `equal` of anything else."""
    one, other = number_of(left), number_of(right)
    return equal(left, right) if one is None or other is None else one == other


_CACHED: Final = range(-128, 128)
"""The numbers of which there is one object each."""


def _equal_unknown(left: Any, right: Any) -> bool | Test:
    """Two values of which nobody knows one; a size that is 0 is what is empty."""
    one, other = symbol_of(left), symbol_of(right)
    if one is not None and one == other:
        return True
    if isinstance(left, int) and not isinstance(left, bool):
        left, right = right, left
    if isinstance(right, int) and not isinstance(right, bool) and right == 0 and one is not None:
        length = left.symbol if isinstance(left, Unknown) else None
        if isinstance(length, tuple) and length[:1] == ("size",):
            return Test("true", (Unknown(left.why, left.detail, (">=", length, 1)),), True)
    return Test("equal", _ordered(left, right))


OWN_EQUALITY = "<equal>"
"""The field of an object of the program that holds what its class says `equals` is, a function of it and the other."""


def same_content(left: Object, right: Object) -> bool | Test:
    """Records and collections of plain values are equal by what they hold; other objects by identity."""
    if left.declared is not right.declared:
        return False
    if left.declared is not None and (left.declared.kind == "record" or left.declared.decl.data):
        found: bool | Test = True
        for name in [each.name for each in left.declared.decl.components or ()]:
            same = apply(equal, left.fields.get(name), right.fields.get(name))
            if same is False:
                return False
            if same is not True:
                found = same if isinstance(same, Test) else Test("true", (Unknown(Why.DYNAMIC, "equals()"),))
        return found
    if (
        left.declared is None
        and left.type == right.type
        and "<arguments>" in left.fields
        and not _holds(left)
    ):
        same = left.fields["<arguments>"] == () or left.type.rpartition(".")[2] in _BY_IDENTITY
        return False if same or left.client is not None else Test("true", (Unknown(Why.DYNAMIC, "equals()"),))
    return _same_elements(left, right)


_BY_IDENTITY: Final = frozenset(
    {"Object", "Thread", "StringBuilder", "StringBuffer", "CountDownLatch", "Semaphore"}
)
"""Classes of the library of which an object equals itself alone."""


def _same_elements(left: Object, right: Object) -> bool | Test:
    """Lists, sets, maps and entries are equal by what they hold; a test where nobody knows."""
    shape = views.shape_of(left)
    if left.type == right.type == "Pair":
        names = ("key", "value", "third")
        return _all_same((left.fields.get(each), right.fields.get(each)) for each in names)
    if views.is_entry(left) and views.is_entry(right):
        parts = [(views.entry_part(one, "key"), views.entry_part(one, "value")) for one in (left, right)]
        return _all_same(zip(*parts, strict=True))
    if shape != views.shape_of(right) or shape not in ("list", "set", "map") or not _holds(left):
        return False
    views.refresh(left)
    views.refresh(right)
    one, other = views.pairs(left), views.pairs(right)
    if (
        left.open is not None
        or right.open is not None
        or any(guard is not True for guard, *_ in (*one, *other))
    ):
        return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))
    if len(one) != len(other):
        return False
    if shape == "list":
        return _all_same((a[1], b[1]) for a, b in zip(one, other, strict=True))
    return _all_in(one, other)


def _holds(leaf: Object) -> bool:
    return leaf.items is not None or leaf.entries is not None


def _all_in(one: Sequence[tuple[Any, ...]], other: Sequence[tuple[Any, ...]]) -> bool | Test:
    """Whether each of some elements or entries equals one of the others."""
    for _, *parts in one:
        answers = [_all_same(zip(parts, others, strict=True)) for _, *others in other]
        if True not in answers:
            return next((each for each in answers if isinstance(each, Test)), False)
    return True


def _all_same(pairs: Iterable[tuple[Any, Any]]) -> bool | Test:
    unsure: bool | Test = True
    for one, other in pairs:
        for _, answer in leaves(apply(equal, one, other)):
            if answer is False:
                return False
            if isinstance(answer, Test):
                unsure = answer
    return unsure


def _equal_tests(left: Any, right: Any) -> bool | Test:
    for known, other in ((left, right), (right, left)):
        if isinstance(known, bool) and isinstance(other, Test):
            return other if known else other.negate()
    return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))


def _ordered(left: Any, right: Any) -> tuple[Any, Any]:
    """Operands of a symmetrical test in one order, so that `a.equals(b)` and `b.equals(a)` are one choice."""
    return (right, left) if isinstance(left, Text) and left.known is not None else (left, right)
