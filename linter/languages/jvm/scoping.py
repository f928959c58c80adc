"""Local variables by their scopes: one that is declared in a block ends with it.

The interpreter keeps the variables of a function by their names. Where a block of the function declares a name that means
something else outside of it, a parameter, a property, the variable of another block that a lambda keeps, the variable of
the block gets a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from msgspec.structs import replace

from subdrift.linter.model import ir

_NOT_PARTS: Final = frozenset(
    (
        "annotations",
        "at",
        "char",
        "kind",
        "label",
        "long",
        "name",
        "name_at",
        "operator",
        "safe",
        "supers",
        "type",
        "types",
    )
)

_DONE: Final[Any] = object()


class _Variable:
    """One declaration of a name: its nodes, and those that mean it."""

    __slots__ = ("function", "nested", "nodes")

    def __init__(self, function: _Function, *, nested: bool) -> None:
        self.function = function
        self.nested = nested
        self.nodes: list[Any] = []


class _Function:
    """A function whose variables are kept together: what its blocks declare, and what the names in it mean."""

    __slots__ = ("blocks", "meant")

    def __init__(self) -> None:
        self.blocks: dict[str, list[_Variable]] = {}
        self.meant: dict[
            str, list[tuple[_Variable | None, bool]]
        ] = {}  # and whether a function inside means it


class _Reader:
    """Finds what each name means. `members_hide`: Java's members come before the variables around their class, and no
    variable is called."""

    def __init__(self, members_hide: bool) -> None:
        self.members_hide = members_hide
        self.functions: list[_Function] = []
        self.around: list[_Function] = []
        self.scopes: list[dict[str, _Variable]] = []
        self.depths: list[int] = []  # of the scopes that the functions around have begun with

    @contextmanager
    def function(self) -> Iterator[None]:
        made = _Function()
        self.functions.append(made)
        self.around.append(made)
        self.depths.append(len(self.scopes))
        self.scopes.append({})
        yield
        self.scopes.pop()
        self.depths.pop()
        self.around.pop()

    def block(self, *parts: Any) -> Iterator[Any]:
        self.scopes.append({})
        yield from parts
        self.scopes.pop()

    def declare(self, name: str, node: Any, *, nested: bool = False) -> None:
        """`node`: the one that may get another name."""
        nested = nested or (node is not None and len(self.scopes) > self.depths[-1] + 1)
        made = self.scopes[-1][name] = _Variable(self.around[-1], nested=nested)
        made.nodes.append(node)
        if nested:
            self.around[-1].blocks.setdefault(name, []).append(made)

    def targets(self, target: Any) -> None:
        """The names that a loop, pattern or resource declares."""
        stack = [target]
        while stack:
            node = stack.pop()
            if type(node) is ir.Name:
                self.declare(node.name, node)
            elif type(node) is ir.Sequence:
                stack += node.items

    def mean(self, name: str, node: Any) -> None:
        found = next((scope[name] for scope in reversed(self.scopes) if name in scope), None)
        if found is not None:
            found.nodes.append(node)
        inside = False
        for function in reversed(self.around):
            function.meant.setdefault(name, []).append((found, inside))
            if found is not None and found.function is function:
                return
            inside = True

    def read(self, root: Any) -> None:
        """Goes through a node and all inside it, however deep that is."""
        stack: list[Iterator[Any]] = [iter((root,))]
        while stack:
            node = next(stack[-1], _DONE)
            kind = type(node)
            if kind is ir.Name:
                self.mean(node.name, node)
            elif node is _DONE:
                stack.pop()
            elif kind is tuple:
                stack.append(self.statements(node))
            elif (special := _SPECIAL.get(kind)) is not None:
                stack.append(special(self, node))
            elif names := _parts(kind):
                stack.append(iter([getattr(node, name) for name in names]))

    def statements(self, body: tuple[Any, ...]) -> Iterator[Any]:
        declared: list[ir.Let] = []  # of a pattern, whose value is read first
        for node in body:
            if type(node) is ir.Let and node.value is None:
                declared.append(node)
                continue
            taken = node.value if type(node) is ir.Do and type(node.value) is ir.Assign else None
            if declared and taken is not None and type(taken.target) is ir.Sequence:
                before = self._counts(declared)
                yield taken.value
                after = self._counts(declared)
                for each, one, other in zip(declared, before, after, strict=True):
                    self.declare(each.name, each, nested=one != other)
                declared, node = [], taken.target
            for each in declared:
                self.declare(each.name, each)
            declared = []
            yield node
        for each in declared:
            self.declare(each.name, each)

    def _counts(self, declared: Iterable[ir.Let]) -> list[int]:
        """How often the names of some variables mean something so far."""
        return [len(self.around[-1].meant.get(each.name, ())) for each in declared]


def _let(reader: _Reader, node: ir.Let) -> Iterator[Any]:
    yield node.value
    reader.declare(node.name, node)


def _call(reader: _Reader, node: ir.Call | ir.MethodRef) -> Iterator[Any]:
    if node.target is not None:
        yield node.target
    elif not reader.members_hide:
        reader.mean(node.name, node)
    if isinstance(node, ir.Call):
        for each in node.args:
            yield each.value


def _if(reader: _Reader, node: ir.If) -> Iterator[Any]:
    yield node.test
    yield from reader.block(node.then)
    yield from reader.block(node.otherwise)


def _for_each(reader: _Reader, node: ir.ForEach) -> Iterator[Any]:
    yield node.source
    reader.scopes.append({})
    reader.targets(node.target)
    yield node.body
    reader.scopes.pop()


def _while(reader: _Reader, node: ir.While) -> Iterator[Any]:
    first, second = (node.body, node.test) if node.after else (node.test, node.body)
    yield from reader.block(first, second, node.update)


def _switch(reader: _Reader, node: ir.Switch | ir.SwitchValue) -> Iterator[Any]:
    yield node.subject
    for case in node.cases:
        yield from reader.block(case.labels, case.guard, case.body)


def _try(reader: _Reader, node: ir.Try) -> Iterator[Any]:
    yield from reader.block(node.body)
    for each in node.catches:
        reader.scopes.append({})
        reader.declare(each.name, each)
        yield each.body
        reader.scopes.pop()
    yield from reader.block(node.otherwise)
    yield from reader.block(node.final)


def _with(reader: _Reader, node: ir.With) -> Iterator[Any]:
    reader.scopes.append({})
    for each in node.resources:
        yield each.value
        reader.targets(each.target)
    yield node.body
    reader.scopes.pop()


def _block(reader: _Reader, node: ir.Block | ir.BlockValue) -> Iterator[Any]:
    yield from reader.block(node.body)


def _function(reader: _Reader, node: ir.Lambda | ir.MethodDecl) -> Iterator[Any]:
    with reader.function():
        for param in node.params:
            yield param.default
            reader.declare(param.name, None)
            if param.pattern is not None:
                reader.targets(param.pattern)
        yield node.body or ()


def _define(reader: _Reader, node: ir.Define) -> Iterator[Any]:
    if isinstance(node.what, ir.MethodDecl):
        reader.declare(node.what.name, None)
    yield node.what


def _class(reader: _Reader, node: ir.ClassDecl) -> Iterator[Any]:
    """Names in a class inside a function of Kotlin mean what its variables are before they mean members."""
    with reader.function():
        for each in node.fields if reader.members_hide else ():
            reader.declare(each.name, None)
        for param in node.components or ():
            yield param.default
            reader.declare(param.name, None)
        for part in (
            node.super_args,
            node.delegates,
            node.fields,
            node.initialisers,
            node.types,
            node.constants,
        ):
            yield part or ()
        if reader.members_hide:
            yield node.methods
    if not reader.members_hide:
        yield node.methods


def _field(reader: _Reader, node: ir.FieldDecl) -> Iterator[Any]:
    with reader.function():
        for part in (node.value, node.delegate, node.getter, node.setter):
            yield part or ()


_SPECIAL: Final[dict[type, Any]] = {
    ir.Let: _let,
    ir.Call: _call,
    ir.MethodRef: _call,
    ir.If: _if,
    ir.ForEach: _for_each,
    ir.While: _while,
    ir.Switch: _switch,
    ir.SwitchValue: _switch,
    ir.Try: _try,
    ir.With: _with,
    ir.Block: _block,
    ir.BlockValue: _block,
    ir.Lambda: _function,
    ir.MethodDecl: _function,
    ir.Define: _define,
    ir.ClassDecl: _class,
    ir.FieldDecl: _field,
}

_PARTS: Final[dict[type, tuple[str, ...]]] = dict.fromkeys((ir.Const, ir.This, ir.Super, ir.TypeLiteral), ())


def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a node that may hold others."""
    found = _PARTS.get(kind)
    if found is None:
        fields = getattr(kind, "__struct_fields__", ())
        of_class = ("types",) if kind is ir.ClassDecl else ()  # of others they are written types
        found = _PARTS[kind] = tuple(name for name in fields if name not in _NOT_PARTS or name in of_class)
    return found


def scoped(declared: ir.ClassDecl, *, members_hide: bool = False) -> ir.ClassDecl:
    """A class, or a file's functions, in which a variable of a block has a name of its own where the name means something
    else in its function, too."""
    reader = _Reader(members_hide)
    reader.read(declared)
    names = {
        id(node): f"{name}'{number}"
        for function in reader.functions
        for name, variables in function.blocks.items()
        if _clash(variables, function.meant.get(name, ()))
        for number, variable in enumerate(variables, 1)
        for node in variable.nodes
    }
    return _renamed(declared, names) if names else declared


def _clash(variables: list[_Variable], meant: Iterable[tuple[_Variable | None, bool]]) -> bool:
    """Whether variables of blocks may be taken for something else, or for one another."""
    others = any(each is None or not any(each is one for one in variables) for each, _ in meant)
    return others or (len(variables) > 1 and any(inside for _, inside in meant))


def _renamed(root: Any, names: dict[int, str]) -> Any:
    order: list[Any] = []
    stack = [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += node if type(node) is tuple else [getattr(node, name) for name in _parts(type(node))]
    made: dict[int, Any] = {}
    for node in reversed(order):  # what is inside a node comes behind it
        if type(node) is tuple:
            if any(id(each) in made for each in node):
                made[id(node)] = tuple([made.get(id(each), each) for each in node])
            continue
        changed = {
            name: made[id(part)] for name in _parts(type(node)) if id(part := getattr(node, name)) in made
        }
        if id(node) in names:
            changed["name"] = names[id(node)]
        if changed:
            made[id(node)] = replace(node, **changed)
    return made.get(id(root), root)
