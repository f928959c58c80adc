"""The Spring applications that the methods of a file start, and what they set on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from linter.extract.java.literals import string
from linter.extract.java.names import Names, Scope
from linter.extract.java.source import Source
from linter.extract.java.syntax import arguments, code
from linter.model.facts import Application

_TOKEN = b"SpringApplication"
_APPLICATIONS = frozenset({"SpringApplication", "SpringApplicationBuilder"})
_UNDECIDED = frozenset({
    "if_statement", "switch_expression", "for_statement", "enhanced_for_statement", "while_statement",
    "catch_clause", "ternary_expression", "lambda_expression",
})  # fmt: skip
_DEFAULTS = frozenset({"setDefaultProperties", "properties"})
_PROFILES = frozenset({"setAdditionalProfiles", "profiles", "additionalProfiles"})
_LAZY = frozenset({"setLazyInitialization", "lazyInitialization"})

_Setting = tuple[str, str, str | None]


def applications(source: Source, names: Names) -> tuple[Application, ...]:
    """One for each method that starts a Spring application."""
    if _TOKEN not in source.data:
        return ()
    found = []
    for scope in names.scopes:
        for name, methods in scope.methods.items():
            for method in methods:
                if source.data.find(_TOKEN, method.start_byte, method.end_byte) >= 0:
                    made = _Method(source, names, scope, method).application(f"{scope.name}#{name}")
                    if made is not None:
                        found.append(made)
    return tuple(found)


class _Method:
    """One method that mentions Spring's application class."""

    def __init__(self, source: Source, names: Names, scope: Scope, method: Node) -> None:
        self.source = source
        self.names = names
        self.scope = scope
        self.method = method
        self.sources: list[tuple[str, ...]] = []
        self.settings: list[_Setting] = []
        self.starts = False

    def application(self, symbol: str) -> Application | None:
        for node, certain in self._calls():
            if node.type == "object_creation_expression":
                self._created(node)
            else:
                self._called(node, certain)
        if not self.starts:
            return None
        sources = tuple(dict.fromkeys(self.sources))
        return Application(sources, tuple(self.settings), symbol, self.source.span(self.method))

    def _calls(self) -> Iterator[tuple[Node, bool]]:
        """Every call and creation in the order of evaluation, and whether it surely happens."""
        stack: list[tuple[Node, bool, bool]] = [(self.method, True, False)]
        while stack:
            node, certain, done = stack.pop()
            if done:
                yield node, certain
                continue
            certain = certain and node.type not in _UNDECIDED
            if node.type in ("method_invocation", "object_creation_expression"):
                stack.append((node, certain, True))
            stack += [(child, certain, False) for child in reversed(node.named_children)]

    def _created(self, node: Node) -> None:
        kind = node.child_by_field_name("type")
        if kind is None or self.source.text(kind).rpartition(".")[2] not in _APPLICATIONS:
            return
        self.starts = True
        for each in arguments(node):
            self._source(each)

    def _called(self, node: Node, certain: bool) -> None:
        named, target = node.child_by_field_name("name"), node.child_by_field_name("object")
        name = self.source.text(named) if named is not None else ""
        owner = self.source.text(target) if target is not None else ""
        given = arguments(node)
        if name == "run" and owner.rpartition(".")[2] == "SpringApplication":
            self.starts = True
            if given:
                self._source(given[0])
            self._command_line(given[1:])
        elif name == "run":
            self._command_line(given)
        elif name in ("sources", "child", "setSources", "addPrimarySources"):
            for each in given:
                self._source(each)
        elif name == "setProperty" and owner == "System" and len(given) == 2:
            self._pair("system", given, certain)
        elif name in _PROFILES:
            self._profiles(given, certain)
        elif name in _LAZY and given:
            self._pair_of("default", "spring.main.lazy-initialization", self.source.text(given[0]), certain)
        elif name in _DEFAULTS:
            self._defaults(given, certain)

    def _source(self, node: Node) -> None:
        """The classes an argument names: `X.class`, an array of them."""
        if node.type == "class_literal":
            inside = code(node)
            text = self.source.text(inside[0]) if inside else ""
            self.sources.append(self.names.types(text, self.scope)[0])
        elif node.type in ("array_creation_expression", "array_initializer"):
            for child in code(node):
                self._source(child)
        elif node.type == "method_invocation" and self.source.text(node).endswith("lookupClass()"):
            self.sources.append((self.scope.name,))

    def _text(self, node: Node) -> str | None:
        """The text of a literal; None for anything else."""
        if node.type == "string_literal":
            return string(self.source.text(node))
        if node.type in ("true", "false", "decimal_integer_literal"):
            return self.source.text(node)
        return None

    def _command_line(self, given: list[Node]) -> None:
        for each in given:
            for inner in code(each) if each.type.startswith("array") else [each]:
                text = self._text(inner)
                if text is not None and text.startswith("--"):
                    key, _, value = text[2:].partition("=")
                    self.settings.append(("argument", key, value))

    def _profiles(self, given: list[Node], certain: bool) -> None:
        for each in given:
            text = self._text(each)
            self.settings.append(("profiles", "", text if certain else None))

    def _pair(self, kind: str, given: list[Node], certain: bool) -> None:
        key = self._text(given[0])
        if key is not None:
            self._pair_of(kind, key, self._text(given[1]), certain)

    def _pair_of(self, kind: str, key: str, text: str | None, certain: bool) -> None:
        self.settings.append((kind, key, text if certain else None))

    def _defaults(self, given: list[Node], certain: bool) -> None:
        """`key=value` texts, maps written out, and a variable that is filled in the same method."""
        for each in given:
            text = self._text(each)
            if text is not None:
                key, _, value = re.sub(r"^([^=:]*):", r"\1=", text).partition("=")
                self._pair_of("default", key.strip(), value.strip(), certain)
            elif each.type == "method_invocation":
                inner = arguments(each)
                for position in range(0, len(inner) - 1, 2):
                    self._pair("default", inner[position : position + 2], certain)
            elif each.type == "identifier":
                self._filled(self.source.text(each))

    def _filled(self, name: str) -> None:
        for node, certain in self._calls():
            if node.type != "method_invocation":
                continue
            target, named = node.child_by_field_name("object"), node.child_by_field_name("name")
            if target is None or named is None or self.source.text(target) != name:
                continue
            given = arguments(node)
            if self.source.text(named) in ("put", "setProperty") and len(given) == 2:
                self._pair("default", given, certain)
