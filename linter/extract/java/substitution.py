"""Expressions with parameters replaced by the arguments of a call of the same file."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from linter.model.expr import Argument, Expr, Param

Bindings = tuple[tuple[str, Expr], ...]


def substituted(expr: Expr, bindings: Bindings) -> Expr:
    """The expression with parameters replaced by what a call hands them."""
    if not bindings:
        return expr
    if isinstance(expr, Param):
        return next((value for name, value in bindings if name == expr.name), expr)
    changed: dict[str, Any] = {}
    for each in fields(expr):
        value = getattr(expr, each.name)
        new = _substituted_part(value, bindings)
        if new is not value:
            changed[each.name] = new
    return replace(expr, **changed) if changed else expr


def _substituted_part(value: object, bindings: Bindings) -> object:
    if isinstance(value, tuple):
        parts = tuple(_substituted_part(part, bindings) for part in value)
        return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
    if isinstance(value, Argument):
        inner = substituted(value.value, bindings)
        return value if inner is value.value else Argument(inner, value.name)
    if isinstance(value, Expr):
        return substituted(value, bindings)
    return value
