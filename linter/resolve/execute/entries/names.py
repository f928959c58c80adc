"""What names and annotations say of methods and classes."""

from __future__ import annotations

from collections.abc import Iterable

from subdrift.linter.clients.apis import JAVA_ANNOTATIONS
from subdrift.linter.model import ir
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.budgets import Budget
from subdrift.linter.resolve.execute.declarations import Class, File, Method
from subdrift.linter.resolve.execute.entries.bounds import ROOT, TEST

TEARDOWN = frozenset(
    {"close", "destroy", "stop", "shutdown", "dispose", "disconnect", "unsubscribe", "preDestroy"}
)

LIFE_CYCLE = (
    "PostConstruct",
    "EventListener",
    "BeforeAll",
    "BeforeClass",
    "Before",
    "BeforeEach",
    "Scheduled",
)

_STARTS = frozenset(
    {
        "afterPropertiesSet",
        "run",
        "start",
        "onApplicationEvent",
        "contextInitialized",
        "afterSingletonsInstantiated",
        "init",
    }
)

MAKER = "<maker>"
"""The field of an object that holds the `@Bean` method which has made it."""

_PLAIN = frozenset({"String", "int", "Integer", "long", "Long", "boolean", "Boolean"})

HOOK = "prepareStart"
"""The method by which a listener changes the consumer that the library makes for its annotation."""

LISTENERS = tuple(
    name.rpartition(".")[2] for row in JAVA_ANNOTATIONS if row.api == "spring-listener" for name in row.types
)

TESTS = (
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "Before",
    "BeforeEach",
    "BeforeClass",
    "BeforeAll",
    "BeforeMethod",
)

OF_CLASS = ("BeforeAll", "BeforeClass")


def names_class(file: File, owner: Class) -> bool:
    """Whether a file means a class by its simple name: by its imports, or its package."""
    if owner.simple not in file.unit.names:
        return False
    meant = file.single.get(owner.simple)
    if meant is not None:
        return meant == owner.name
    return owner.file.unit.package in (file.unit.package, *file.wildcards)


def is_callback(method: Method) -> bool:
    """Whether a container may call a method by its name: with nothing, or with an object of its own."""
    params = method.decl.params
    if method.name not in _STARTS or len(params) > 1:
        return False
    return not any(
        one.type is not None and one.type.name in _PLAIN and method.name != "run" for one in params
    )


_PHASES = {"afterPropertiesSet": 0, "afterSingletonsInstantiated": 1, "start": 2, "run": 5}
_OF_EVENTS = {"ContextRefreshedEvent": 3, "ApplicationStartedEvent": 4, "ApplicationReadyEvent": 6}
LAST_PHASE = 6


def phase_of(method: Method) -> int:
    """When a container calls a method back, as it starts: beans one by one, then all that are made, life cycles, those that
    hear of it, runners, and those that hear that all is ready. Mirrors SpringApplication.run, Spring Boot 2.7 to 3.4."""
    told = {param.type.name.rpartition(".")[2] for param in method.decl.params if param.type is not None}
    marks = method.annotation("EventListener")
    for argument in marks.args if marks is not None else ():
        kinds = argument.value.items if isinstance(argument.value, ir.Sequence) else (argument.value,)
        told |= {one.type.name.rpartition(".")[2] for one in kinds if isinstance(one, ir.TypeLiteral)}
    for name in sorted(told & _OF_EVENTS.keys()):
        return _OF_EVENTS[name]
    if marks is not None or method.annotation("Scheduled") is not None or method.name == "onApplicationEvent":
        return 3
    if method.annotation(*LIFE_CYCLE) is not None:
        return 0
    # what others call, if anybody does
    is_own = (
        method.decl.private or not method.owner.decl.supers or (method.name == "start" and method.decl.params)
    )
    return LAST_PHASE if is_own else _PHASES.get(method.name, LAST_PHASE)


def is_mentioned(owner: Class, files: Iterable[File]) -> bool:
    """Whether another file than a class's own names it, tests left out: code that no run came through may use it."""
    return any(
        owner.simple in file.unit.names and scope_of(file.origin.path) != "test"
        for file in files
        if file is not owner.file
    )


def is_root(entry: str) -> bool:
    """Whether an entry of that name is code that nothing in sight calls, on an object that stands for all of its class."""
    return " of " in entry


def is_main(method: Method) -> bool:
    """Whether a method starts a program, in Java as its launcher chooses: one that takes the command line before one that
    takes nothing, and on an object if the class has a constructor without arguments."""
    owner, decl = method.owner, method.decl
    if method.name != "main" or method.abstract or len(decl.params) > 1:
        return False
    if owner.file.language != "java":
        return needs_no_object(method)
    if decl.private or (not decl.params and any(map(_takes_words, owner.methods["main"]))):
        return False
    return decl.static or _makes_itself(owner)


def needs_no_object(method: Method) -> bool:
    """Whether a main method is called on no object."""
    return method.decl.static or method.owner.kind == "module"


def _takes_words(method: Method) -> bool:
    """Whether a main method that others can see takes the words of the command line."""
    return len(method.decl.params) == 1 and not (method.decl.private or method.abstract)


def _makes_itself(owner: Class) -> bool:
    """Whether the launcher of Java can make an object of a class."""
    if not owner.concrete or owner.kind != "class" or (owner.outer is not None and not owner.decl.static):
        return False
    constructors = owner.methods.get("<init>", ())
    return not constructors or any(not one.arity and not one.decl.private for one in constructors)


def budget_of(entry: Method) -> Budget:
    """What a run may cost that begins at a method nothing calls."""
    return TEST if scope_of(entry.owner.origin.path) == "test" else ROOT
