"""What a name means at one point of a Python file: scopes with the value each name holds there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from linter.clients.python import Maker
from linter.model.expr import Call, Expr, OneOf, Param, children, walk
from linter.model.facts import AnnotationUse, Field, Method
from linter.model.location import Span

EXPRESSION_SIZE_MAX = 2_000
"""Nodes of a value that is put in the place of a local name; beyond, the name is unknown (`too-many`)."""

SUBSTITUTED_MAX = 300_000
"""Nodes put in the place of local names in a whole file."""

OPTIONS_MAX = 20
"""Alternatives kept for one name."""


@dataclass(slots=True)
class Scope:
    """A function body, a class body or the module while it runs, in source order.

    `env` holds local names, and attributes of `self` as `self.x`. `type` is the class whose instances run the
    code. `keywords` are the names taken out of `**kwargs`, which callers may give like any parameter.
    """

    symbol: str
    type: str
    parent: Scope | None
    env: dict[str, Expr] = field(default_factory=dict)
    self_name: str = ""
    kwargs: str = ""
    is_module: bool = False
    loops: int = 0
    globals: set[str] = field(default_factory=set)
    returns: list[Expr] = field(default_factory=list)
    keywords: dict[str, Field] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class ClassInfo:
    """A class of this file while it is read; `attributes` are all values its methods give to `self.x`."""

    name: str
    bases: tuple[tuple[str, ...], ...]
    maker: Maker | None
    annotations: tuple[AnnotationUse, ...]
    at: Span
    fields: dict[str, Field] = field(default_factory=dict)
    methods: list[Method] = field(default_factory=list)
    method_names: set[str] = field(default_factory=set)
    attributes: dict[str, list[Expr]] = field(default_factory=dict)
    own_sites: list[Span] = field(default_factory=list)
    env_prefix: str = ""


def size(expr: Expr, limit: int) -> int:
    """The number of nodes of an expression, counted no further than the limit."""
    count = 0
    stack = [expr]
    while stack and count <= limit:
        count += 1
        stack.extend(children(stack.pop()))
    return count


def is_none(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.candidates == ("builtin:none",)


def one_of(options: Iterable[Expr], at: Span) -> Expr:
    """The alternatives without repetition and without `None` (a name that is still None is not used)."""
    flat: list[Expr] = []
    for option in options:
        for part in option.options if isinstance(option, OneOf) else (option,):
            if part not in flat:
                flat.append(part)
    flat = [part for part in flat if not is_none(part)] or flat
    return flat[0] if len(flat) == 1 else OneOf(tuple(flat[:OPTIONS_MAX]), at)


def has_param(expr: Expr | None) -> bool:
    return expr is not None and any(isinstance(part, Param) for part in walk(expr))
