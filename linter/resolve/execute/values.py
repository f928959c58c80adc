"""The plain values execution works on. A variable holds one of them, or a `guards.Diagram` of them.

Numbers, truth values and null are Python's own `int`, `float`, `bool`, `None`; tuples are Python tuples of guarded
values. Texts know where they come from; what is not known is an `Unknown` with a reason; objects have an identity.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, TypeGuard

import msgspec
from msgspec import Struct, field

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase

if TYPE_CHECKING:
    from subdrift.linter.resolve.execute.clients import Client
    from subdrift.linter.resolve.execute.declarations import Class, Method

Guarded = Any
"""A plain value or a diagram of plain values."""


class Value(msgspec.Struct, frozen=True):
    """What is made for almost every step of a run: a record that is cheap to make."""


INT: Final = "int"
LONG: Final = "long"
NUMBERS: Final = frozenset({INT, LONG, "number"})
CONSTANT: Final = "constant"
"""What a text of configuration is made into (`Key.kind`): a whole number or one with a point, or a constant of an
enumeration."""


class Key(Value, frozen=True):
    """A configuration key inside a text, resolved in each environment; `default` where the key is undefined.

    `variable`: an environment variable (`env`) or system property (`system`) instead of a key of Spring's environment.
    `kind` is what a text was made into where that is not a text: one of `NUMBERS`, or a `constant` of an enumeration.
    """

    key: Text
    default: Text | None = None
    variable: str = ""
    kind: str = ""


def as_kind(value: Text, kind: str) -> Text:
    """A text of configuration that was made into something else, as `Key.kind`; itself where it is none."""
    first = value.parts[0] if len(value.parts) == 1 else None
    if not kind or not isinstance(first, Key):
        return value
    return Text((Key(first.key, first.default, first.variable, kind),), value.steps, False, value.frame)


def made_of(value: object) -> str:
    """What a text of configuration was made into (`Key.kind`), "" where it is a text still."""
    first = value.parts[0] if type(value) is Text and len(value.parts) == 1 else None
    return first.kind if type(first) is Key else ""


class Gap(Value, frozen=True, eq=False):
    """A stretch of a text that is not known. `symbol` is equal for what must be equal, `needs` as of `Unknown`."""

    why: Why
    detail: str
    symbol: object = None
    needs: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is Gap
            and self.why is other.why
            and self.detail == other.detail
            and self.symbol == other.symbol
        )

    def __hash__(self) -> int:
        return hash((self.why, self.detail, self.symbol))


Part = str | Key | Gap


class Step(Value, frozen=True):
    """One stop on the way of a value: a place, and what it contributed; `default`: what holds where nothing is configured."""

    at: Location
    what: str
    default: bool = False


class Text(Struct, eq=False):
    """A text: known stretches, configuration keys, gaps. Equal by its parts; `steps` and `supplied` are its history.

    `supplied` is the call (frame number, place) whose arguments brought it in. `char`: a Java character.
    """

    parts: tuple[Part, ...]
    steps: tuple[Step, ...] = ()
    char: bool = False
    frame: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.parts == other.parts and self.char == other.char

    def __hash__(self) -> int:
        return hash(self.parts)

    @property
    def known(self) -> str | None:
        """The text, None where a part of it is not known yet."""
        if not self.parts:
            return ""
        first = self.parts[0]
        return first if len(self.parts) == 1 and isinstance(first, str) else None

    def __repr__(self) -> str:
        return f"Text({self.parts!r})"


def text(value: str, steps: tuple[Step, ...] = (), *, char: bool = False, frame: int = 0) -> Text:
    """A known text."""
    return Text((value,) if value else (), steps, char, frame)


def join(pieces: list[Text]) -> Text:
    """Texts one after the other; the steps of all of them, bounded by `STEPS_KEPT_MAX`, and a gap beyond `TEXT_MAX`."""
    parts: list[Part] = []
    steps: list[Step] = []
    frame = 0
    size = 0
    for piece in pieces:
        for part in piece.parts:
            if isinstance(part, str):
                size += len(part)
                if parts and isinstance(parts[-1], str):
                    parts[-1] += part
                    continue
            parts.append(part)
        if size > TEXT_MAX or len(parts) > PARTS_MAX:
            return Text((TOO_LONG,), tuple(steps[:STEPS_KEPT_MAX]), False, frame)
        for step in piece.steps:
            if step not in steps:
                steps.append(step)
        frame = frame or piece.frame
    return Text(tuple(parts), tuple(steps[:STEPS_KEPT_MAX]), False, frame)


STEPS_KEPT_MAX = 16
"""Places kept of the way of one value."""

TEXT_MAX = 65_536
"""Characters of one text."""

PARTS_MAX = 512
"""Stretches, keys and gaps of one text."""

TOO_LONG = Gap(Why.TOO_MANY, phrase("text-of-more-than-characters", f"{TEXT_MAX:,}"))


class Unknown(Value, frozen=True, eq=False):
    """A value that cannot be known, and why. `symbol` is equal for values that must be equal at run time (None:
    equal to nothing); `type` is its declared type where one is known; `needs` names the types whose source would have
    to be read to know more."""

    why: Why
    detail: str = ""
    symbol: object = None
    type: TypeValue | None = None
    steps: tuple[Step, ...] = ()
    needs: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        """Equal by everything but its way and what it needs."""
        return self is other or (
            type(other) is Unknown
            and self.why is other.why
            and self.detail == other.detail
            and self.symbol == other.symbol
            and self.type == other.type
        )

    def __hash__(self) -> int:
        return hash((self.detail, self.symbol))  # the rest tells few apart, and is dear to hash


OF_A_WIDTH = Unknown(Why.DYNAMIC, phrase("calculation"))
"""A result that differs between 32 and 64 bits, where nobody sees yet which was meant."""

BY_ZERO = Unknown(Why.DYNAMIC, phrase("division-by-zero"))
"""What a division by zero gives where nobody sees yet that it throws."""


OF_A_BOX = Unknown(Why.DYNAMIC, "==")
"""Whether two equal numbers are the same object, where nobody sees yet that one of them is not an object."""


class Single(float):
    """A number of 32 bits with a point, Java's `float`: already rounded to them."""

    @classmethod
    def of(cls, value: float) -> Single:
        """The nearest one."""
        try:
            return cls(struct.unpack("f", struct.pack("f", value))[0])
        except OverflowError:
            return cls(float("inf") if value > 0 else float("-inf"))


class Long(int):
    """An integer that is known to have 64 bits: Java's `long` or `Long`. Any other may be of any width."""

    __slots__ = ()


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is an integer, of whatever width."""
    return type(value) is int or type(value) is Long


WIDENING = frozenset({"double", "float", "long", "Long"})
"""The types whose variables make another number of what they take."""


TEXTUAL = frozenset(
    {"String", "CharSequence", "Object", "var", "val", "T", "K", "V", "E", "R", "?", "Any", "char", "Character", "Char",
     "Comparable", "Serializable"}
)  # fmt: skip
"""The types of what may hold a text."""


OF_CHARACTERS = frozenset({"int", "long", "double", "float", "short", "byte"})
"""The types whose variables make a number of a character."""


def widened(value: float, name: str) -> float:
    """A number where a variable takes it that is declared with one of the types `WIDENING`."""
    if name == "double":
        return float(value)
    if name == "float":
        return Single.of(value)
    return Long(value) if name in WIDENING and isinstance(value, int) else value


class TypeValue(Value, frozen=True, eq=False):
    """A type as a value: a declared one, or one of a library by its name as far as it is known. `args` are its type
    arguments as written, `given` those of `Type[…]` in code of Python."""

    declared: Class | None
    name: str
    args: tuple[ir.TypeRef, ...] = ()
    given: tuple[Guarded, ...] = ()
    guessed: bool = False  # `Owner.Name` of an owner nobody sees: may be a constant

    def __eq__(self, other: object) -> bool:
        return self is other or (
            type(other) is TypeValue and self.declared is other.declared and self.name == other.name
        )

    def __hash__(self) -> int:
        return hash((self.declared, self.name))

    @property
    def simple(self) -> str:
        return self.name.rpartition(".")[2]


class LibraryConstant(Value, frozen=True):
    """A constant of a library's class: `MessageModel.BROADCASTING`. `owner` is the full name as far as known."""

    owner: str
    name: str


UNIT = LibraryConstant("kotlin", "Unit")
"""What a function of Kotlin gives that gives nothing: it is not null."""


class Entry(Struct, eq=False):
    """One key and value of a map, present under a guard."""

    guard: Guarded
    key: Guarded
    value: Guarded
    at: Location | None = None


class Object(Struct, eq=False):
    """An object of the heap. `declared` is its class where its source is here, `type` the name of its type.

    `fields` by name. Collections: `items` of a list, set, queue or array as (guard, value) pairs; `entries` of a map.
    `client` is what the object is to RocketMQ. `outer` is the enclosing instance, `captured` the frame whose variables
    the body of an anonymous or local class sees. `constant` names an enum constant. `bean`: made by a framework, which
    also fills its fields; `handed`: to a library, whose methods it has: they may be called and fill its fields. `number` is
    the order of making, `born` the guard it was made under: what is put into it is there under what a guard says beyond that.
    """

    declared: Class | None
    type: str
    number: int
    at: Location | None = None
    fields: dict[str, Guarded] = field(default_factory=dict)
    items: list[tuple[Guarded, Guarded]] | None = None
    entries: list[Entry] | None = None
    client: Client | None = None
    outer: Object | None = None
    captured: Frame | None = None
    constant: str = ""
    bean: bool = False
    handed: bool = False
    born: Guarded = True
    open: Unknown | None = None  # elements or members nobody can know were added

    def __repr__(self) -> str:
        return f"{self.type}@{self.number}" + (f".{self.constant}" if self.constant else "")


class Function(Struct, eq=False):
    """A function value: a lambda, a local or module function, or `native` behaviour. `frame` is where it was made,
    `this` what a bound method runs on. `type` is the functional interface it stands for, where that is known."""

    params: tuple[ir.Param, ...]
    body: tuple[ir.Stmt, ...]
    frame: Frame | None
    name: str = ""
    this: Guarded = None
    method: Method | None = None
    native: Any = None
    type: Class | None = None
    interface: str = ""  # the name of a library's functional interface it was cast to
    implicit: bool = False  # its parameter is Kotlin's `it`: called with nothing, it has none
    ran: bool = False
    handed: bool = False  # code that nobody sees has got hold of it, and it was run once for that
    defaults: dict[str, Guarded] = field(default_factory=dict)  # of parameters, evaluated where it was made
    gives: tuple[ir.TypeRef, Frame] | None = None  # the type of its result, where it is declared with one

    def __repr__(self) -> str:
        return f"Function({self.name or 'lambda'})"


class Bound(Struct, eq=False):
    """A method picked by name on a value, not called yet: `target::name`, Python's `object.method`. `type` and `interface`
    as of a function."""

    target: Guarded
    name: str
    frame: Frame | None
    type: Class | None = None
    interface: str = ""
    handed: bool = False  # as of a function


class Loop(Struct, eq=False):
    """What `break` and `continue` did inside a loop, switch or labelled block: the guards that left."""

    label: str = ""
    turns: bool = True
    known: bool = False  # its turns are those of elements that are seen
    left: bool = False  # a handler that was left out may leave it
    broken: Guarded = False
    continued: Guarded = False


class Frame(Struct, eq=False):
    """One activation: of a method, lambda, initialiser or module.

    `owner` is the class whose names are in scope, `this` the object it runs on, `parent` the frame of the enclosing
    code for lambdas and local classes. `returned` is the guard under which it has returned `result`. `called_at` is the
    place of the call, `caller` the frame it stands in, `number` the order of making.
    """

    owner: Class | None
    this: Guarded
    number: int
    method: Method | None = None
    parent: Frame | None = None
    caller: Frame | None = None
    called_at: Location | None = None
    variables: dict[str, Guarded] = field(default_factory=dict)
    types: dict[str, Class] = field(default_factory=dict)
    declared: dict[str, ir.TypeRef] = field(default_factory=dict)
    result: Guarded = None
    returned: Guarded = False
    wrote: bool = False
    loops: list[Loop] = field(default_factory=list)
    value: Guarded = None  # of the enclosing switch or block used as a value
    yielded: list[tuple[Guarded, Guarded]] | None = None  # of a generator
    inlined: bool = False  # a lambda's: its call is not one a reader would look at
    function: Function | None = None  # the lambda it is a call of
    shared: frozenset[str] = frozenset()  # Python: names declared global or nonlocal
    closures: tuple[
        Frame, ...
    ] = ()  # Kotlin: frames of lambdas that were made in turns of a loop and see its variables
