"""Paths of files in Python code, as far as their ends are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.deferred import told
from subdrift.linter.resolve.execute.guards import UNSET, apply
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Gap, Guarded, Object, Text, Unknown, text

FILE = "io.TextIOWrapper"
"""The kind of an open file."""

WRITING = frozenset("wax+")
"""In the mode of a file: it is written."""

_PATH = phrase("path-of-a-file")
_READING = frozenset(
    {"open", "read", "read_text", "read_bytes", "absolute", "resolve", "expanduser", "__enter__"}
)


def path_of(leaf: Any) -> str | None:
    """The end of the path, as far as it is written, of a path, an open file or its content; None where nothing is."""
    if isinstance(leaf, Text):
        return leaf.known if leaf.known is not None else _written(leaf)
    if isinstance(leaf, Object) and leaf.type == FILE:
        return path_of(leaf.fields["path"])
    return _tail(leaf.symbol) if isinstance(leaf, Unknown) else None


def _written(leaf: Text) -> str | None:
    """The end of `str(path)`, and of `f"{folder}/conf/app.yml"`."""
    first, *rest = leaf.parts
    if not isinstance(first, Gap) or not all(isinstance(part, str) for part in rest):
        return None
    before, after = _tail(first.symbol), "".join(map(str, rest))
    if not after:
        return before
    return f"{before or ''}{after}".removeprefix("/") if after[:1] == "/" else None


def is_usual(leaf: Any) -> bool:
    """Whether a path, an open file or its content is what holds where nothing else is said: a variable may name another."""
    if isinstance(leaf, Text):
        first = leaf.parts[0] if leaf.parts else None
        named = _is_usual(first.symbol) if isinstance(first, Gap) else False
        return named or any(step.default for step in leaf.steps)
    if isinstance(leaf, Object) and leaf.type == FILE:
        return is_usual(leaf.fields["path"])
    return isinstance(leaf, Unknown) and _is_usual(leaf.symbol)


def _is_usual(symbol: object) -> bool:
    while isinstance(symbol, tuple) and symbol[:1] == ("call",) and len(symbol) > 2:
        symbol = symbol[2]
    return isinstance(symbol, tuple) and symbol[:1] == ("usual path",)


def named(run: Interpreter, leaf: Any, at: Location | None) -> Guarded:
    """A path as the texts that it is in the environments."""
    found = told(run, leaf, at) if isinstance(leaf, Text) and leaf.known is None else None
    return leaf if found is None else found


def _tail(symbol: object) -> str | None:
    """The path in the symbol of an unknown: one that was named, what a method gives that reads it, or one beside it."""
    match symbol:
        case ("path" | "usual path", str(tail)):
            return tail
        case ("call", "open", inner, ("text", (str(mode),))):
            return None if WRITING.intersection(mode) else _tail(inner)
        case ("call", "with_name", inner, ("text", (str(name),))):
            return "/".join([*(_tail(inner) or "").split("/")[:-1], name])
        case ("call", "with_suffix", inner, ("text", (str(suffix),))) if _tail(inner):
            return (_tail(inner) or "").rpartition(".")[0] + suffix
        case ("call", "joinpath", inner, *parts):
            named = [
                each[1][0] for each in parts if isinstance(each, tuple) and each[0] == "text" and each[1]
            ]
            before = _tail(inner)
            return "/".join([*([before] if before else []), *named]) if len(named) == len(parts) else None
        case ("call", str(name), inner) if name in _READING:
            return _tail(inner)
    return None


def is_path(leaf: Unknown) -> bool:
    """Whether something unknown is known to be a path, or what came of one."""
    return _tail(leaf.symbol) is not None or _is_usual(leaf.symbol)


def path(tail: str, *of: Any) -> Unknown:
    """A path of which the end is written; `of`: the values it is made of."""
    kind = "usual path" if any(map(is_usual, of)) else "path"
    return Unknown(Why.DYNAMIC, _PATH, (kind, tail.replace("\\", "/").removeprefix("./")))


def part(leaf: Unknown, name: str) -> Guarded:
    """An attribute of a path of which the end is written; UNSET for one that does not hang on that."""
    tail = _tail(leaf.symbol)
    if not tail or name not in ("name", "stem", "suffix", "parent"):
        return UNSET
    if name == "parent":
        return path(tail.rpartition("/")[0], leaf) if "/" in tail else UNSET
    last = tail.rpartition("/")[2]
    before, dot, ending = last.rpartition(".")
    suffix = dot + ending if before and ending else ""
    return text({"name": last, "suffix": suffix, "stem": last.removesuffix(suffix)}[name])


def below(run: Interpreter, left: Unknown, right: Any) -> Guarded:
    """`left / right`; None where it is no path."""

    def one(leaf: Any) -> Any:
        after, before = path_of(leaf), path_of(left)
        if after is None:
            return None
        return path(f"{before}/{after}" if before and after[:1] != "/" else after, left, leaf)

    return apply(one, named(run, right, None))


def joined(values: Sequence[Any]) -> Unknown | None:
    """`os.path.join` where only the last parts are written."""
    written: list[str] = []
    for value in reversed(values):
        part = path_of(value)
        if part is None:
            break
        written.insert(0, part)
    known = all(isinstance(each, Text) and each.known is not None for each in values)
    return path("/".join(written), *values) if written and not known else None
