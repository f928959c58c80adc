"""Expressions put together: alternatives, stand-ins for what is missing, filters, constants of client libraries."""

from __future__ import annotations

import re
from dataclasses import replace

from linter.clients.apis import CLASSIC_ROOTS, JAVA_CONSTANTS
from linter.extract.java import functions
from linter.model.expr import Config, Entries, EnvVar, Expr, Literal, OneOf
from linter.model.location import Span

EXPRESSION, TYPE = "expression", "type"
FILTER_EXPRESSION = "org.apache.rocketmq.client.apis.consumer.FilterExpression"
SELECTORS = {"byTag": "TAG", "bySql": "SQL92"}
SELECTOR_TYPES = frozenset(
    [f"{root}.client.consumer.MessageSelector" for root in CLASSIC_ROOTS]
    + ["com.aliyun.openservices.ons.api.MessageSelector"]
)

_PRESENCE = re.compile(r"null|[Bb]lank|[Ee]mpty|hasText|hasLength|isPresent|length\(\)|\"\"")


def one_of(options: list[Expr], at: Span) -> Expr | None:
    """Alternatives without repetition; a single one is itself, none is None."""
    distinct = list(dict.fromkeys(options))
    if len(distinct) > 1:
        return OneOf(tuple(distinct), at)
    return distinct[0] if distinct else None


def asks_presence(condition: str) -> bool:
    """Whether the text of a condition asks if a value is there at all."""
    return _PRESENCE.search(condition) is not None


def alternatives(options: list[Expr], at: Span) -> Expr | None:
    """Alternatives where some come from outside: what is asked of the environment first, the rest its default."""
    asked = [option for option in options if isinstance(option, EnvVar | Config) and option.default is None]
    rest = [option for option in options if option not in asked]
    if not asked or not rest:
        return one_of(options, at)
    found = one_of(rest, at)
    for option in reversed(asked):
        found = replace(option, default=found)
    return found


def or_else(value: Expr, default: Expr, at: Span) -> Expr:
    """A value that gives way to another where it is null or blank."""
    if isinstance(value, EnvVar | Config) and value.default is None:
        return replace(value, default=default)
    if isinstance(value, Literal) and value.text.strip():
        return value
    return functions.builtin("or_else", (value, default), at)


def selector(expression: Expr | None, kind: Expr | None, at: Span) -> Entries:
    """A `MessageSelector` or `FilterExpression` as the record of its two parts."""
    parts = ((EXPRESSION, expression or Literal("*", at)), (TYPE, kind or Literal("TAG", at)))
    return Entries(tuple((Literal(name, at), value) for name, value in parts), at)


def library_constant(candidates: tuple[str, ...], at: Span) -> Expr | None:
    """A constant of a client library (`MessageModel.BROADCASTING`) as the text it stands for."""
    for candidate in candidates:
        owner, _, member = candidate.partition("#")
        if owner == FILTER_EXPRESSION and member == "SUB_ALL":
            return selector(None, None, at)
        text = JAVA_CONSTANTS.get(owner, {}).get(member)
        if text is not None:
            return Literal(text, at)
    return None
