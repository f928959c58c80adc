"""Symbolic values: what a piece of source text says, before anyone knows other files.

Extractors build expressions with imports already applied; `linter.resolve.evaluate` turns them into values.

Names. A type is `com.acme.Topics.Inner` (Java) or a dotted module path, a class in it appended (Python:
`app.config`, `app.config.Settings`). A member is `TYPE#member`. Facts are path-free, so a Python file calls
itself `~` (`~#TOPIC`, `~.Worker#group`) and keeps leading dots of relative imports (`.config#TOPIC`).
Configuration keys are `Config` nodes, never names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from linter.model.location import Span


class Why(Enum):
    """Why a value is not known. The text stands in every public output."""

    DYNAMIC = "dynamic"  # only known at run time: command line, clock, call of something we cannot see into
    UNDEFINED = "undefined"  # no tracked file of the run defines the name or key
    AMBIGUOUS = "ambiguous"  # several definitions disagree and nothing decides
    CYCLE = "cycle"  # defined in terms of itself
    TOO_MANY = "too-many"  # a named bound was reached
    EXTERNAL_CONFIG = "external-config"  # lives in a configuration centre (Nacos, Apollo, …)
    SET_AT_DEPLOY = "set-at-deploy"  # a deployment file takes it from outside
    NEVER_SUBSCRIBED = "never-subscribed"  # a consumer object without any subscription in sight
    NOT_APPLICABLE = "not-applicable"  # this API has no such thing
    UNSUPPORTED = "unsupported"  # a construct the analysis does not evaluate
    BROKEN = "broken"  # stands in a part of a file that does not parse


@dataclass(frozen=True, slots=True)
class Literal:
    """A known text. Numbers and booleans are their source spelling (`true`, `3`)."""

    text: str
    at: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A reference to a constant, field, property or type; candidates nearest first, the first defined wins.

    `exact` means the language leaves no doubt (a single-type import, a name of this file).
    """

    candidates: tuple[str, ...]
    at: Span
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of the enclosing method, constructor or function; call sites supply it."""

    name: str
    at: Span


@dataclass(frozen=True, slots=True)
class This:
    """The object (`this`, `self`) or class (`cls`) the enclosing code runs on."""

    at: Span


@dataclass(frozen=True, slots=True)
class Concat:
    parts: tuple[Expr, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class OneOf:
    """Alternatives that exclude each other: a ternary, a switch, branches, several returns."""

    options: tuple[Expr, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Items:
    """A list, set, tuple or array written out."""

    items: tuple[Expr, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Entries:
    """A map written out: key, value pairs in source order."""

    entries: tuple[tuple[Expr, Expr], ...]
    at: Span


@dataclass(frozen=True, slots=True)
class LoopVar:
    """One element of `source` in a loop. Equal `loop` means the same turn, so values stay paired.

    `path` picks inside the element: (0,) the first of an unpacked tuple or a map entry's key, (1,) the second.
    """

    loop: Span
    source: Expr
    path: tuple[int, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration key: `${key:default}`, `env.getProperty(key, default)`, `@Value`."""

    key: Expr
    default: Expr | None
    at: Span


@dataclass(frozen=True, slots=True)
class EnvVar:
    """An environment variable or system property: `os.getenv(name, default)`, `System.getenv(name)`."""

    name: Expr
    default: Expr | None
    at: Span


@dataclass(frozen=True, slots=True)
class Interpolate:
    """Text in which Spring resolves `${key:default}` after the text itself is known (`@`-attributes, YAML)."""

    text: Expr
    at: Span


@dataclass(frozen=True, slots=True)
class Member:
    """A field read (`args` is None) or a method call on an object-valued expression."""

    target: Expr
    name: str
    args: tuple[Argument, ...] | None
    at: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function named in full: a static or inherited method, a Python function.

    Candidates as in `Name`: `TYPE#method`. Pure functions the evaluator knows by heart are `builtin:` names:
    `builtin:format`, `builtin:percent`, `builtin:join`, `builtin:split`, `builtin:trim`, `builtin:lower`,
    `builtin:upper`, `builtin:replace`, `builtin:simple_name` (of a `TypeName`), `builtin:qualified_name`,
    `builtin:str`, `builtin:keys`, `builtin:values`, `builtin:entries`, `builtin:getitem`, `builtin:filled`
    (a map, and what was put into it afterwards).
    """

    candidates: tuple[str, ...]
    args: tuple[Argument, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class New:
    """An object made by a constructor call (or a Python class call), candidates as in `Name`."""

    candidates: tuple[str, ...]
    args: tuple[Argument, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Created:
    """The consumer object of the site that stands at this span of the same file."""

    site: Span
    at: Span


@dataclass(frozen=True, slots=True)
class Injected:
    """An object somebody else puts here: an injected bean, a typed parameter. Known by its type only."""

    candidates: tuple[str, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as a value: `X.class`, `type(self)`; with no candidates the class of `this`."""

    candidates: tuple[str, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Unknown:
    why: Why
    detail: str
    at: Span


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; `name` is a Python keyword, else empty."""

    value: Expr
    name: str = ""


Expr = (
    Literal
    | Name
    | Param
    | This
    | Concat
    | OneOf
    | Items
    | Entries
    | LoopVar
    | Config
    | EnvVar
    | Interpolate
    | Member
    | Call
    | New
    | Created
    | Injected
    | TypeName
    | Unknown
)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of an expression, in source order."""
    match expr:
        case Concat(parts=parts):
            return parts
        case OneOf(options=options):
            return options
        case Items(items=items):
            return items
        case Entries(entries=entries):
            return tuple(part for entry in entries for part in entry)
        case LoopVar(source=source):
            return (source,)
        case Config(key=key, default=default) | EnvVar(name=key, default=default):
            return (key,) if default is None else (key, default)
        case Interpolate(text=text):
            return (text,)
        case Member(target=target, args=args):
            return (target, *(argument.value for argument in args or ()))
        case Call(args=args) | New(args=args):
            return tuple(argument.value for argument in args)
        case _:
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it."""
    stack = [expr]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))
