"""Symbolic values: what a piece of source text says, before anyone knows other files.

Recognition builds expressions of what is declared, with imports already applied; `linter.resolve.evaluate` turns them
into values. What code computes is in `linter.model.ir`, and is executed.

Names. A type is `com.acme.Topics.Inner`, a member is `TYPE#member`, what a Kotlin file declares outside of types
`PACKAGE.*#member`. Configuration keys are `Config` nodes, never names.
"""

from __future__ import annotations

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
    """A reference to a constant, field, property or type; candidates nearest first, the first defined wins."""

    candidates: tuple[str, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Concat:
    parts: tuple[Expr, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class OneOf:
    """Alternatives that exclude each other: a ternary, several returns."""

    options: tuple[Expr, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Items:
    """A list, set, tuple or array written out."""

    items: tuple[Expr, ...]
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
    """A constant of what another expression names."""

    target: Expr
    name: str
    at: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A pure function that the evaluator knows by heart: `none` (null); of a `TypeName` its `simple_name` and
    `qualified_name`; of texts `split` (at a separator), `trim`, `after` (without so many first characters); `load_file` (a
    settings file by its path); `item` (of a list by number, of a settings file by key, with a default)."""

    function: str
    args: tuple[Expr, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class New:
    """An object made by a constructor call, candidates as in `Name`; an annotation inside another."""

    candidates: tuple[str, ...]
    args: tuple[Argument, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as a value: `X.class`."""

    candidates: tuple[str, ...]
    at: Span


@dataclass(frozen=True, slots=True)
class Unknown:
    why: Why
    detail: str
    at: Span


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; `name` is the attribute of an annotation, else empty."""

    value: Expr
    name: str = ""


Expr = (
    Literal
    | Name
    | Concat
    | OneOf
    | Items
    | Config
    | EnvVar
    | Interpolate
    | Member
    | Call
    | New
    | TypeName
    | Unknown
)
