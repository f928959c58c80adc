"""A text that is not known, as a symbol: what is known of it, and `${key}` for each key that nothing in sight answers.

Two values of one deployable and environment with one symbol are the same, whatever the answer is.
"""

from __future__ import annotations

from subdrift.linter.model.expr import Concat, Config, EnvVar, Expr, Interpolate, Literal, Why
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.placeholder import Parts, parse

SAME_UNKNOWN = frozenset({Why.UNDEFINED, Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY})
"""Reasons for which one key has one answer wherever it is asked for in a process."""

DEPTH_MAX = 20
"""Keys followed from one to the next."""


def symbol_of(expr: Expr, environment: Environment) -> str:
    """The symbol of an expression, "" where something but configuration is unknown in it."""
    found = _of(expr, environment)
    return found if found is not None and "${" in found else ""


def _of(expr: Expr, environment: Environment) -> str | None:
    match expr:
        case Literal(text=text):
            return text
        case Concat(parts=parts):
            found = [_of(part, environment) for part in parts]
            return None if None in found else "".join(part or "" for part in found)
        case Interpolate(text=inner):
            raw = _of(inner, environment)
            return None if raw is None or "#{" in raw else _in_text(parse(raw), environment, 0)
        case Config(key=Literal(text=key)):
            return _of_key(key, environment, 0)
        case EnvVar(name=Literal(text=name)):
            return _of_key(name, environment, 0)
    return None


def _in_text(parts: Parts, environment: Environment, depth: int) -> str:
    made = ""
    for part in parts:
        if isinstance(part, str):
            made += part
            continue
        key = _in_text(part.key, environment, depth + 1)
        if part.default is not None and environment.lookup(key) is None:
            made += _in_text(part.default, environment, depth + 1)
        else:
            made += _of_key(key, environment, depth + 1)
    return made


def _of_key(key: str, environment: Environment, depth: int) -> str:
    entry = environment.lookup(key)
    if entry is None or entry.outside or entry.undecided or depth > DEPTH_MAX:
        return f"${{{key}}}"
    return _in_text(parse(environment.configuration.filtered(entry)), environment, depth + 1)
