"""The pieces of what execution knows of libraries, listed, watched and taken away while a program is analysed.

A piece is a model (`models java/java/util/Optional.java`), a peer (`peer java Objects.hash`), or one name of a table or
of a handler that answers for many (`java String.trim`). Taking it away makes a call of it a call of an unknown.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Callable, Iterator, Set
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch

from subdrift.linter.extract import models
from subdrift.linter.model import ir
from subdrift.linter.resolve import semantics
from subdrift.linter.resolve.execute import peers
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.values import Object, Text
from subdrift.linter.resolve.semantics.jvm.kotlin_library import extended, functions
from subdrift.linter.resolve.semantics.jvm.library import instances as java
from subdrift.linter.resolve.semantics.jvm.library import texts
from subdrift.linter.resolve.semantics.python import collection_methods
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.stages import models as staged

Piece = str

for _each in pkgutil.walk_packages(semantics.__path__, f"{semantics.__name__}."):
    import_module(
        _each.name
    )  # one that is imported later would fill, and keep, a table that is there for a while only


class Watch:
    """What is taken away, and what of the rest was asked for."""

    def __init__(self, gone: Set[Piece] = frozenset()) -> None:
        self.gone = gone
        self.used: set[Piece] = set()

    def lacks(self, piece: Piece) -> bool:
        """Whether it is taken away; it is written down either way."""
        self.used.add(piece)
        return piece in self.gone


class _Table(dict[Any, Any]):
    """A table of functions that misses what is gone."""

    def __init__(self, watch: Watch, table: dict[Any, Any], label: str) -> None:
        super().__init__(table)
        self._watch = watch
        self._label = label

    def get(self, key: Any, default: Any = None) -> Any:
        if not dict.__contains__(self, key) or self._watch.lacks(_piece(self._label, key)):
            return default
        return dict.__getitem__(self, key)

    def __contains__(self, key: Any) -> bool:
        return dict.__contains__(self, key) and not self._watch.lacks(_piece(self._label, key))


def _piece(label: str, key: Any) -> Piece:
    return f"{label} {'.'.join(filter(None, key)) if isinstance(key, tuple) else key}"


TABLES: dict[str, Callable[[], dict[Any, Any]]] = {
    "peer": lambda: peers.REGISTRY,
}


def listed() -> Iterator[Piece]:
    """The pieces that stand in a table or a folder; handlers of many names list none."""
    yield from (f"models {path}" for path in models.paths())
    for label, table in TABLES.items():
        yield from (_piece(label, key) for key in table())


@contextmanager
def without(gone: Set[Piece] = frozenset()) -> Iterator[Watch]:
    """Analyses inside it lack these pieces."""
    watch = Watch(gone)
    with ExitStack() as stack:
        for label, table in TABLES.items():
            _replace(stack, table(), _Table(watch, table(), label))
        for target, name, made in _handlers(watch):
            stack.enter_context(patch.object(target, name, made))
        paths = tuple(path for path in models.paths() if f"models {path}" not in gone)
        stack.enter_context(patch.object(models, "paths", lambda: paths))
        stack.enter_context(patch.object(models, "lowered", _lowered(watch, models.lowered)))
        stack.callback(staged._models.cache_clear)
        staged._models.cache_clear()
        yield watch


def _lowered(watch: Watch, lower: Callable[[str], ir.Unit]) -> Callable[[str], ir.Unit]:
    def lowered(path: str) -> ir.Unit:
        watch.used.add(f"models {path}")
        return lower(path)

    return lowered


def _replace(stack: ExitStack, old: dict[Any, Any], new: dict[Any, Any]) -> None:
    """Puts one table in the place of another in every module that holds it."""
    for name, module in list(sys.modules.items()):
        if "linter." in name:
            for attribute in [key for key, value in vars(module).items() if value is old]:
                stack.enter_context(patch.object(module, attribute, new))


def _handlers(watch: Watch) -> Iterator[tuple[Any, str, Any]]:
    """Functions that answer for many names, each with one in its place that does not answer for what is gone."""

    def of_call(handler: Callable[..., Any], target: str) -> Callable[..., Any]:
        def handle(call: Any, leaf: Any, *rest: Any) -> Any:
            simple = leaf.type.rpartition(".")[2] if isinstance(leaf, Object) else target
            return NotImplemented if watch.lacks(f"java {simple}.{call.name}") else handler(call, leaf, *rest)

        return handle

    yield java, "_wrapper_method", of_call(java._wrapper_method, "")
    yield java, "collection_method", of_call(vars(java)["collection_method"], "")
    yield java, "_number_method", _number(watch, java._number_method)
    yield java, "object_method", _object(watch, java.object_method)
    yield java, "method", _method(watch, java.method)
    yield extended, "method", _kotlin(watch, extended.method)
    yield functions, "function", _kotlin(watch, functions.function)
    yield collection_methods, "method", _container(watch, collection_methods.method)


def _number(watch: Watch, handler: Callable[..., Any]) -> Callable[..., Any]:
    def handle(call: Any, leaf: Any) -> Any:
        gone = watch.lacks(f"java {type(leaf).__name__}.{call.name}")
        return unknown_from((leaf,), f"{call.name}()") if gone else handler(call, leaf)

    return handle


def _object(watch: Watch, handler: Callable[..., Any]) -> Callable[..., Any]:
    def handle(owner: Any, run: Any, leaf: Any, name: str, *rest: Any) -> Any:
        simple = leaf.type.rpartition(".")[2]
        return UNSET if watch.lacks(f"java {simple}.{name}") else handler(owner, run, leaf, name, *rest)

    return handle


def _method(watch: Watch, handler: Callable[..., Any]) -> Callable[..., Any]:
    def handle(owner: Any, run: Any, leaf: Any, name: str, arguments: Any, *rest: Any) -> Any:
        if isinstance(leaf, Text) and watch.lacks(f"java String.{name}"):
            return texts.opaque_call(run, leaf, name, arguments)
        return handler(owner, run, leaf, name, arguments, *rest)

    return handle


def _kotlin(watch: Watch, handler: Callable[..., Any]) -> Callable[..., Any]:
    def handle(owner: Any, call: Any, arguments: Any) -> Any:
        leaf = call.target
        of = leaf.type.rpartition(".")[2] if isinstance(leaf, Object) else type(leaf).__name__
        gone = watch.lacks(f"kotlin {of}.{call.name}")
        return NotImplemented if gone else handler(owner, call, arguments)

    return handle


def _container(watch: Watch, handler: Callable[..., Any]) -> Callable[..., Any]:
    def handle(run: Any, leaf: Any, name: str, *rest: Any) -> Any:
        return UNSET if watch.lacks(f"python {leaf.type}.{name}") else handler(run, leaf, name, *rest)

    return handle
