"""The Spring applications that the methods of a file start, and what they set on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.facts import Application
from subdrift.linter.model.location import Span
from subdrift.linter.model.walk import PARTS, nodes
from subdrift.linter.recognise.names import Names, Scope
from subdrift.linter.recognise.values import dotted

_APPLICATIONS = frozenset({"SpringApplication", "SpringApplicationBuilder"})
_RUN = "runApplication"
"""Kotlin's function that starts an application, of the type in its brackets."""
_AT_ONCE = frozenset({_RUN, "apply", "also"})
"""Functions of Kotlin that run the lambda they are given, once."""
_UNDECIDED = (
    ir.If, ir.Switch, ir.SwitchValue, ir.ForEach, ir.While, ir.Catch, ir.Conditional, ir.Lambda,
)  # fmt: skip
"""What stands inside these may not happen."""
_DEFAULTS = frozenset({"setDefaultProperties", "properties"})
_PROFILES = frozenset({"setAdditionalProfiles", "profiles", "additionalProfiles"})
_SOURCES = frozenset({"MapPropertySource", "PropertiesPropertySource"})
"""Types of which code makes property sources of its own."""
_LOADERS = frozenset({"YamlPropertySourceLoader", "PropertiesPropertySourceLoader", "ResourcePropertySource"})
"""Types by which code makes property sources of settings files."""
_ADDING = frozenset({"addFirst", "addLast", "addBefore", "addAfter"})
_OF_FILES = frozenset(
    {"ClassPathXmlApplicationContext", "FileSystemXmlApplicationContext", "GenericXmlApplicationContext"}
)
"""Types of contexts that bean files fill."""
_CONFIGURERS = frozenset({"PropertySourcesPlaceholderConfigurer", "PropertyPlaceholderConfigurer"})
"""Beans that fill placeholders from files of their own."""
_COLLECTED = frozenset({"of", "asList", "listOf", "setOf", "singleton", "singletonList", "arrayOf"})
_LAZY = frozenset({"setLazyInitialization", "lazyInitialization"})
_PREPARES = frozenset({"initialize", "postProcessEnvironment", "environmentPrepared"})
"""Methods by which Spring Boot lets code change an environment before it is used."""
_PREPARED = frozenset({"ConfigurableApplicationContext", "ConfigurableEnvironment"})

_OF_PROCESS = frozenset({"getenv", "getProperty", "getOrDefault"})

_Setting = tuple[str, str, str | None]


def applications(unit: ir.Unit, names: Names) -> tuple[Application, ...]:
    """One for each method that starts a Spring application, or adds properties to the environment of one."""
    named = {*unit.names, *(name for name, _ in unit.calls)}
    sets = "System" in named and "setProperty" in named
    if (
        not sets
        and not {*_APPLICATIONS, _RUN, *_SOURCES, *_LOADERS, *_OF_FILES, *_CONFIGURERS, *_PREPARED} & named
    ):
        return ()
    found = []
    for scope in names.scopes:
        for method in scope.decl.methods:
            one = _Method(names, scope, method)
            made = one.application(f"{scope.name}#{method.name}")
            added = one.added() if sets or _SOURCES & named else ()
            if made is not None or method.name in _PREPARES:
                added = (*added, *one.uses())
            added = (*added, *one.bean_files()) if _OF_FILES & named else added
            added = (*added, *one.files()) if (_CONFIGURERS | _LOADERS) & named else added
            if made is None and added:
                made = Application((), added, f"{scope.name}#{method.name}", Span(*method.at))
            elif made is not None:
                known = {key for _, key, _ in made.settings}
                made = replace(
                    made, settings=(*made.settings, *(each for each in added if each[1] not in known))
                )
            if made is not None:
                found.append(made)
    return tuple(found)


class _Method:
    """One method of a file that mentions Spring's application class."""

    def __init__(self, names: Names, scope: Scope, method: ir.MethodDecl) -> None:
        self.names = names
        self.scope = scope
        self.method = method
        self.sources: list[tuple[str, ...]] = []
        self.settings: list[_Setting] = []
        self.starts = False
        self.has_run = False

    def application(self, symbol: str) -> Application | None:
        self._before()
        for node, certain in self._calls():
            if isinstance(node, ir.New):
                self._created(node)
            else:
                self._called(node, certain)
                self.has_run |= self.starts and certain and node.name in ("run", _RUN)
        if not self.starts:
            return None
        sources = tuple(dict.fromkeys(self.sources))
        return Application(sources, tuple(self.settings), symbol, Span(*self.method.at))

    def _before(self) -> None:
        """The system properties that the class of a program sets when it is loaded."""
        for block in self.scope.decl.initialisers if self.method.name == "main" else ():
            for node, certain in self._calls(block.body) if block.static else ():
                if isinstance(node, ir.Call) and node.name == "setProperty":
                    self._called(node, certain)

    def added(self) -> tuple[_Setting, ...]:
        """The keys of a property source that the method adds to an environment, and of system properties that it sets.
        Whether the method runs is decided elsewhere, so their texts are not known."""
        calls = [node for node, _ in self._calls()]
        adds = any(isinstance(node, ir.Call) and node.name in _ADDING for node in calls)
        found: list[_Setting] = []
        for node in calls:
            if not isinstance(node, ir.Call) or len(node.args) < 2:
                continue
            given = [each.value for each in node.args]
            if node.name == "setProperty" and _is_system(node):
                given = given[: 0 if self.starts else 1]  # those of the method that starts are told
            elif not adds:
                continue
            elif node.name in ("put", "setProperty", "singletonMap"):
                given = given[:1]
            elif node.name == "of":
                given = given[::2]
            else:
                continue
            found += [("added", key, None) for each in given if (key := _key(each)).strip()]
        return tuple(dict.fromkeys(found))

    def uses(self) -> Iterator[_Setting]:
        """The types of which the method calls or makes something: they may change the environment, too."""
        for node, _ in self._calls():
            name = node.type.name if isinstance(node, ir.New) else ""
            if isinstance(node, ir.Call) and isinstance(node.target, ir.Name):
                name = node.target.name
            if name[:1].isupper() and name not in _APPLICATIONS:
                named = self.names.types(name, self.scope)
                yield from (("uses", each, None) for each in named if not each.startswith("java"))

    def bean_files(self) -> Iterator[_Setting]:
        """The bean files of the contexts that the method makes."""
        for node, _ in self._calls():
            if isinstance(node, ir.New) and node.type.name.rpartition(".")[2] in _OF_FILES:
                for each in node.args:
                    given = each.value.items if isinstance(each.value, ir.Sequence) else (each.value,)
                    yield from (("beans", text, None) for one in given if (text := _text(one)))

    def files(self) -> Iterator[_Setting]:
        """The settings files of a bean that fills placeholders, and those of which the method makes property sources."""
        returns = self.method.returns
        fills = returns is not None and returns.name.rpartition(".")[2] in _CONFIGURERS
        calls = [node for node, _ in self._calls()]
        if not fills and not any(isinstance(node, ir.Call) and node.name in _ADDING for node in calls):
            return
        for node in calls:
            made = node.type.name.rpartition(".")[2] if isinstance(node, ir.New) else ""
            if made in ("ClassPathResource", "ResourcePropertySource"):
                texts = [text for one in node.args if (text := _text(one.value))]
                yield from (("file", text, None) for text in texts[-1:])

    def _calls(self, body: Any = None) -> Iterator[tuple[ir.Call | ir.New, bool]]:
        """Every call and creation in the order of evaluation, and whether it surely happens; of the method itself, unless
        another body is given."""
        stack: list[tuple[Any, bool, bool]] = [(body or self.method.body or (), True, False)]
        while stack:
            node, certain, done = stack.pop()
            if done:
                yield node, certain
            elif type(node) is tuple:
                stack += [(child, certain, False) for child in reversed(node)]
            elif isinstance(node, ir.Record):
                certain = certain and not isinstance(node, _UNDECIDED)
                if isinstance(node, ir.Call | ir.New):
                    stack.append((node, certain, True))
                if isinstance(node, ir.Call) and node.name in _AT_ONCE and self.names.kotlin:
                    values = [one.value for one in node.args]
                    inner = [
                        one.body if isinstance(one, ir.Lambda) else one for one in (node.target, *values)
                    ]
                    stack += [(one, certain, False) for one in reversed(inner)]
                    continue
                stack += [(getattr(node, name), certain, False) for name in reversed(PARTS[type(node)])]

    def _created(self, node: ir.New) -> None:
        if node.type.name.rpartition(".")[2] not in _APPLICATIONS:
            return
        self.starts = True
        for each in node.args:
            self._source(each.value)

    def _called(self, node: ir.Call, certain: bool) -> None:
        name, given = node.name, [each.value for each in node.args]
        owner = dotted(node.target)[-1:] if node.target is not None else []
        if self.names.kotlin and node.target is None and name in _APPLICATIONS:
            self.starts = True
            for each in given:
                self._source(each)
        elif self.names.kotlin and name == _RUN:
            self.starts = True
            self.sources += [self.names.of_type(ref, self.scope) for ref in node.types]
            self._command_line(given)
        elif name == "run" and owner == ["SpringApplication"]:
            self.starts = True
            if given:
                self._source(given[0])
            self._command_line(given[1:])
        elif name == "run":
            self._command_line(given)
        elif name in ("sources", "child", "setSources", "addPrimarySources"):
            for each in given:
                self._source(each)
        elif name == "setProperty" and _is_system(node) and len(given) == 2:
            if not self.has_run:
                self._pair("system", given, certain)
        elif name in _PROFILES:
            for each in given:
                self.settings.append(("profiles", "", self._of_process(each) if certain else None))
        elif name in _LAZY and given:
            self._pair_of("default", "spring.main.lazy-initialization", _text(given[0]), certain)
        elif name in _DEFAULTS:
            self._defaults(given, certain)

    def _of_process(self, node: ir.Expr) -> str | None:
        """The text of a literal, or a placeholder for a variable or property of the process that is asked for one, also
        where a variable holds it that is set once."""
        if isinstance(node, ir.Name):
            set_here = [one for one in nodes(self.method.body or ()) if _sets(one, node.name)]
            one = set_here[0] if len(set_here) == 1 else None
            return self._of_process(one.value) if isinstance(one, ir.Let) and one.value is not None else None
        if not isinstance(node, ir.Call) or node.name not in _OF_PROCESS:
            return _text(node)
        texts = [_text(each.value) for each in node.args]
        on = node.target
        if node.name == "getOrDefault":
            asks = isinstance(on, ir.Call) and on.name == "getenv"
        else:
            asks = on is not None and dotted(on)[-1:] == ["System"]
        if not asks or not texts or None in texts:
            return None
        return "${" + ":".join(each or "" for each in texts) + "}"

    def _source(self, node: ir.Expr) -> None:
        """The classes an argument names: `X.class`, an array or a collection of them."""
        if isinstance(node, ir.TypeLiteral):
            self.sources.append(self.names.types(node.type.name, self.scope))
        elif isinstance(node, ir.Sequence):
            for child in node.items:
                self._source(child)
        elif isinstance(node, ir.Call) and node.name == "lookupClass" and not node.args:
            self.sources.append((self.scope.name,))
        elif isinstance(node, ir.Call) and node.name in _COLLECTED:
            for each in node.args:
                self._source(each.value)

    def _command_line(self, given: list[ir.Expr]) -> None:
        for each in given:
            for inner in each.items if isinstance(each, ir.Sequence) else (each,):
                text = _text(inner)
                if text is not None and text.startswith("--"):
                    key, _, value = text[2:].partition("=")
                    self.settings.append(("argument", key, value))

    def _pair(self, kind: str, given: list[ir.Expr], certain: bool) -> None:
        key = _text(given[0])
        if key is not None:
            self._pair_of(kind, key, _text(given[1]), certain)

    def _pair_of(self, kind: str, key: str, text: str | None, certain: bool) -> None:
        self.settings.append((kind, key, text if certain else None))

    def _defaults(self, given: list[ir.Expr], certain: bool) -> None:
        """`key=value` texts, maps written out, and a variable that is filled in the same method."""
        for each in given:
            text = _text(each)
            if text is not None:
                key, _, value = re.sub(r"^([^=:]*):", r"\1=", text).partition("=")
                self._pair_of("default", key.strip(), value.strip(), certain)
            elif isinstance(each, ir.Call):
                inner = [
                    part
                    for one in each.args
                    for part in (_pair(one.value) if self.names.kotlin else (one.value,))
                ]
                for position in range(0, len(inner) - 1, 2):
                    self._pair("default", inner[position : position + 2], certain)
            elif isinstance(each, ir.Name):
                self._filled(each.name)

    def _filled(self, name: str) -> None:
        for node, certain in self._calls():
            if (
                not isinstance(node, ir.Call)
                or node.name not in ("put", "setProperty")
                or len(node.args) != 2
            ):
                continue
            if isinstance(node.target, ir.Name) and node.target.name == name:
                self._pair("default", [one.value for one in node.args], certain)


def _sets(node: ir.Record, name: str) -> bool:
    """Whether code gives a variable its value."""
    if isinstance(node, ir.Let):
        return node.name == name
    return isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.target.name == name


def _key(node: ir.Expr) -> str:
    """The text of a key, with `*` for a rest that is put together; empty where nothing is known of it."""
    if isinstance(node, ir.Binary) and node.operator == "+":
        start = _key(node.left)
        return start if start.endswith("*") or not start else f"{start}*"
    return _text(node) or ""


def _is_system(node: ir.Call) -> bool:
    return node.target is not None and dotted(node.target)[-1:] == ["System"]


def _pair(node: ir.Expr) -> tuple[ir.Expr, ...]:
    """The key and the value of `key to value`."""
    if isinstance(node, ir.Call) and node.name == "to" and node.target is not None and len(node.args) == 1:
        return node.target, node.args[0].value
    return (node, node)


def _text(node: ir.Expr) -> str | None:
    """The text of a literal; None for anything else."""
    if not isinstance(node, ir.Const) or node.value is None or isinstance(node.value, float):
        return None
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    return str(node.value)
