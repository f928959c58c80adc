"""Symbolic values: what a piece of source text says, before anyone knows other files.

Recognition builds expressions of what is declared, with imports already applied; `linter.resolve.evaluate` turns them
into values. What code computes is in `linter.model.ir`, and is executed.

Names. A type is `com.acme.Topics.Inner`, a member is `TYPE#member`, what a Kotlin file declares outside of types
`PACKAGE.*#member`. Configuration keys are `Config` nodes, never names.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from subdrift.linter.model.location import Span


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


class Literal(Struct, frozen=True):
    """A known text. Numbers and booleans are their source spelling (`true`, `3`)."""

    text: str
    at: Span


class Name(Struct, frozen=True):
    """A reference to a constant, field, property or type; candidates nearest first, the first defined wins."""

    candidates: tuple[str, ...]
    at: Span


class Concat(Struct, frozen=True):
    parts: tuple[Expr, ...]
    at: Span


class OneOf(Struct, frozen=True):
    """Alternatives that exclude each other: a ternary, several returns."""

    options: tuple[Expr, ...]
    at: Span


class Items(Struct, frozen=True):
    """A list, set, tuple or array written out."""

    items: tuple[Expr, ...]
    at: Span


class Config(Struct, frozen=True):
    """A key of configuration."""

    key: str
    at: Span


class Interpolate(Struct, frozen=True):
    """Text in which Spring resolves `${key:default}` after the text itself is known (`@`-attributes, YAML)."""

    text: Expr
    at: Span


class Member(Struct, frozen=True):
    """A constant of what another expression names."""

    target: Expr
    name: str
    at: Span


class Call(Struct, frozen=True):
    """A pure function that the evaluator knows by heart: `none` (null); of a `TypeName` its `simple_name` and
    `qualified_name`; of texts `element` (of a list with commas, by number), `after` (without so many first characters)."""

    function: str
    args: tuple[Expr, ...]
    at: Span


class New(Struct, frozen=True):
    """An object made by a constructor call, candidates as in `Name`; an annotation inside another, with its attributes."""

    candidates: tuple[str, ...]
    args: tuple[tuple[str, Expr], ...]
    at: Span


class TypeName(Struct, frozen=True):
    """A type as a value: `X.class`."""

    candidates: tuple[str, ...]
    at: Span


class Unknown(Struct, frozen=True):
    why: Why
    detail: str
    at: Span


Expr = (
    Literal | Name | Concat | OneOf | Items | Config | Interpolate | Member | Call | New | TypeName | Unknown
)
