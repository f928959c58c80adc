"""`class` statements of Python run: bases, bodies, metaclasses and what a class is told of its names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Entry,
    Frame,
    Function,
    Guarded,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import modelled
from subdrift.linter.resolve.semantics.python.classes import (
    OWN_NAMES,
    READS_ITSELF,
    ClassInfo,
    bind_to,
    class_attribute,
    function_of,
    info_of,
    inherited,
    is_descriptor,
    method_of,
)
from subdrift.linter.resolve.semantics.python.enumerations import find_members, members
from subdrift.linter.resolve.semantics.python.functions import CLASS_BODY, module_frame

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python

_BASES_MAX = 64

BEING_MADE = "python class being made"


def define(python: Python, run: Interpreter, decl: ir.ClassDecl, frame: Frame) -> Guarded:
    """Runs a `class` statement; the class as a value, decorated."""
    assert frame.owner is not None
    bases = [_base(python, run, ref, frame) for ref in decl.supers]
    keywords: dict[str, Guarded] = {}
    for argument in decl.keywords:
        value = run.value(argument.value, frame)
        if argument.name:
            keywords[argument.name] = value
        else:
            bases.append(value)
    return made_of(python, run, decl, bases, keywords, frame)


def made_of(
    python: Python,
    run: Interpreter,
    decl: ir.ClassDecl,
    bases: list[Guarded],
    keywords: dict[str, Guarded],
    frame: Frame,
    space: dict[str, Guarded] | None = None,
) -> Guarded:
    """A class of these bases, decorated; `space`: what it has beside its body, as one that `type` makes."""
    assert frame.owner is not None
    for each in bases:
        modelled.stand_on(run, each, frame.owner)
        if isinstance(each, TypeValue) and each.declared is not None and members(run, each.declared):
            run.throw(run.make(None, "builtins.TypeError", frame.owner.at(decl.at)))
            return UNSET
    local = frame.method is not None and frame.method.name != "<module>"
    declared = Class.of(frame.owner.file, decl, frame.owner, local=local)
    body = run.frame(declared, None, parent=frame, caller=frame, shared=frozenset({CLASS_BODY}))
    info = ClassInfo(declared, body.variables, _order(python, run, declared, bases), frame, _direct(bases))
    run.heap["python class", declared] = info
    made = TypeValue(declared, declared.name)
    body.variables["__qualname__"] = text(decl.name)
    body.variables["__module__"] = module_frame(frame).variables.get("__name__", UNSET)
    meta = keywords.pop("metaclass", None) or _meta_of(run, info)
    info.meta = meta if isinstance(meta, TypeValue) else None
    kept = _prepare(python, run, info, tuple(bases), keywords)
    _run_body(python, run, info, decl, body)
    for name in [each for each in info.attributes if each[:2] != "__"] if kept is not None else ():
        info.attributes[name] = kept
    body.variables.update(space or {})
    if "__getattribute__" in info.attributes:
        run.heap[READS_ITSELF] = True
    if not declared.file.model:
        run.heap.setdefault(OWN_NAMES, set()).update(each for each in info.attributes if each[:2] == "__")
    if info.is_enum:
        find_members(python, run, info)

    def finish(told: dict[str, Guarded]) -> None:
        info.attributes.pop("__qualname__", None)  # a class has its names, its objects have none
        for name, value in list(info.attributes.items()):
            _set_name(python, run, value, made, name, body, decl.at)
        hook = inherited(run, info, "__init_subclass__")
        if isinstance(hook, Function | Object):
            called = bind_to(python, run, hook, made, made, body)
            run.over(called, lambda leaf: run.call(leaf, Arguments([], told), frame, declared.at(decl.at)))
        elif hook is UNSET and told and not info.library and info.meta is None:
            run.throw(run.make(None, "builtins.TypeError", declared.at(decl.at)))

    if info.meta is None or info.meta.declared is None:
        finish(keywords)
    else:
        _made_by(python, run, info, info.meta, tuple(bases), keywords, finish)
    return python.decorated(run, made, decl.annotations, frame)


def _prepare(
    python: Python,
    run: Interpreter,
    info: ClassInfo,
    bases: tuple[Guarded, ...],
    keywords: dict[str, Guarded],
) -> Unknown | None:
    """The names that a metaclass gives the body of a class beforehand (`__prepare__`); why nobody knows what a mapping of
    the program's own makes of those that the body gives it."""
    meta = info.meta
    hook = class_attribute(run, meta.declared, "__prepare__") if meta is not None and meta.declared else UNSET
    if hook is UNSET or meta is None:
        return None
    given = Arguments([text(info.declared.simple), bases], keywords)
    bound = bind_to(python, run, hook, meta, meta, info.frame)
    place = info.declared.at(info.declared.decl.at)
    space = run.over(bound, lambda leaf: run.call(leaf, given, info.frame, place))
    for entry in (space.entries or ()) if isinstance(space, Object) else ():
        if isinstance(entry.key, Text) and entry.key.known is not None:
            info.attributes[entry.key.known] = entry.value
    is_plain = isinstance(space, Object) and space.declared is None
    return None if is_plain else Unknown(Why.DYNAMIC, "__prepare__()")


def _run_body(python: Python, run: Interpreter, info: ClassInfo, decl: ir.ClassDecl, body: Frame) -> None:
    parts: list[ir.FieldDecl | ir.MethodDecl | ir.ClassDecl | ir.Initialiser]
    parts = [*decl.fields, *decl.methods, *decl.types, *decl.initialisers]
    for part in sorted(parts, key=lambda one: one.at[:2]):
        if run.guard is False:
            break
        if isinstance(part, ir.FieldDecl):
            _field(python, run, info, part, body)
        elif isinstance(part, ir.MethodDecl):
            name = "__init__" if part.name == "<init>" else part.name
            python.assign_name(run, name, python.function(run, part, body), body, part.at)
        elif isinstance(part, ir.ClassDecl):
            python.assign_name(run, part.name, define(python, run, part, body), body, part.at)
        else:
            run.run(part.body, body)


def _meta_of(run: Interpreter, info: ClassInfo) -> TypeValue | None:
    """The metaclass that a class has from the classes above it."""
    for each in info.order[1:]:
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is not None and above.meta is not None:
            return above.meta
    return None


def _made_by(
    python: Python,
    run: Interpreter,
    info: ClassInfo,
    meta: TypeValue,
    bases: tuple[Guarded, ...],
    keywords: dict[str, Guarded],
    finish: Callable[[dict[str, Guarded]], None],
) -> None:
    """What the `__new__` and `__init__` of a metaclass do to a class; `type.__new__` in it ends the making (`finish`)."""
    assert meta.declared is not None
    made = TypeValue(info.declared, info.declared.name)
    space = run.make(None, "dict", info.declared.at(info.declared.decl.at))
    space.entries = [
        Entry(True, text(name), value) for name, value in info.attributes.items() if value is not UNSET
    ]
    given = [text(info.declared.simple), bases, space]
    place = info.declared.at(info.declared.decl.at)
    hook = class_attribute(run, meta.declared, "__new__")
    if hook is UNSET:
        finish(keywords)
    else:
        run.heap[BEING_MADE, meta.declared] = (made, finish)
        run.over(
            hook,
            lambda leaf: python.call(
                run, function_of(leaf), Arguments([meta, *given], keywords), info.frame, place
            ),
        )
        if run.heap.pop((BEING_MADE, meta.declared), None) is not None:
            finish(keywords)
    hook = class_attribute(run, meta.declared, "__init__")
    if hook is not UNSET and run.guard is not False:
        bound = bind_to(python, run, hook, made, meta, info.frame)
        run.over(bound, lambda leaf: run.call(leaf, Arguments(given, keywords), info.frame, place))


def made_by_type(run: Interpreter, meta: Any, arguments: Arguments) -> Guarded:
    """`type.__new__(meta, name, bases, namespace)`: the class whose making has begun; UNSET elsewhere."""
    declared = meta.declared if isinstance(meta, TypeValue) else None
    begun = run.heap.pop((BEING_MADE, declared), None) if declared is not None else None
    if begun is None:
        return UNSET
    made, finish = begun
    info = info_of(run, made.declared)
    space = arguments.values[3] if len(arguments.values) > 3 else None
    if info is not None and isinstance(space, Object):
        for entry in space.entries or ():
            if isinstance(entry.key, Text) and entry.key.known is not None:
                info.attributes[entry.key.known] = entry.value
    finish(arguments.names)
    assert isinstance(made, TypeValue)
    return made


def _base(python: Python, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> Guarded:
    """The value of a base class written as a dotted name."""
    head, *rest = ref.name.split(".")
    at = frame.owner.decl.name_at if frame.owner else (1, 1, 1, 1)
    value = python.name(run, ir.Name(head, at), frame)
    for name in rest:
        value = run.over(value, lambda leaf: python.attribute(run, leaf, name, frame, at))  # noqa: B023
    declared = value.declared if isinstance(value, TypeValue) and ref.args else None
    if declared is not None and class_attribute(run, declared, "__class_getitem__") is not UNSET:
        keys = [_base(python, run, each, frame) for each in ref.args]
        key = keys[0] if len(keys) == 1 else tuple(keys)
        return python.element(run, value, key, frame, run.place(frame, at))
    return value


def _direct(bases: list[Guarded]) -> tuple[Class | str, ...]:
    """The classes that are named as bases."""
    found = (leaf for base in bases for _, leaf in leaves(base))
    return tuple(leaf.declared or leaf.name for leaf in found if isinstance(leaf, TypeValue))


def _order(python: Python, run: Interpreter, declared: Class, bases: list[Guarded]) -> list[Class | str]:
    """The method resolution order (C3; left to right and depth first where that has no solution)."""
    chains: list[list[Class | str]] = []
    chain: list[Class | str]
    direct: list[Class | str] = []
    for base in bases:
        for _, leaf in leaves(base):
            if isinstance(leaf, TypeValue):
                info = info_of(run, leaf.declared) if leaf.declared is not None else None
                chain = list(info.order) if info else _told(python, run, leaf)
            else:
                chain = ["<unknown>"]
            chains.append(chain)
            direct.append(chain[0])
    pending = [chain[:] for chain in (*chains, direct) if chain]
    order: list[Class | str] = [declared]
    while pending and len(order) < _BASES_MAX:
        for chain in pending:
            head = chain[0]
            if not any(head in other[1:] for other in pending):
                break
        else:
            head = pending[0][0]
        order.append(head)
        pending = [rest for chain in pending if (rest := [each for each in chain if each != head])]
    return order


_COLLECTIONS = ("collections", "collections.abc", "typing")


def _told(python: Python, run: Interpreter, leaf: TypeValue) -> list[Class | str]:
    """A base class of a library, behind what it gives the classes below it where that is told as a program."""
    module, _, name = leaf.name.rpartition(".")
    given = modelled.member(python, run, "_mixins", name) if module in _COLLECTIONS else UNSET
    info = (
        info_of(run, given.declared) if isinstance(given, TypeValue) and given.declared is not None else None
    )
    return [*(info.order if info is not None else ()), leaf.declared or leaf.name]


def _field(python: Python, run: Interpreter, info: ClassInfo, decl: ir.FieldDecl, body: Frame) -> None:
    if decl.value is not None:
        value = run.value(decl.value, body)
        if isinstance(value, Object) and value.type == "enum.auto" and info.is_enum:
            value = _automatic(python, run, info, decl)
        if run.guard is not False:
            python.assign_name(run, decl.name, value, body, decl.at)
        if decl.type is None and isinstance(value, Object) and value.type == "dataclasses.field":
            info.annotated.append(decl)  # `attr.ib()`
    if not decl.static and decl.type is not None:
        info.annotated.append(decl)


def _automatic(python: Python, run: Interpreter, info: ClassInfo, decl: ir.FieldDecl) -> Guarded:
    """What `auto()` is for the next member."""
    own = class_attribute(run, info.declared, "_generate_next_value_")
    if own is not UNSET:
        return _generated(python, run, info, decl, own)
    if "enum.StrEnum" in info.library:
        return text(decl.name.lower(), (Step(info.declared.at(decl.at), decl.name),))
    before = _before(info)
    if not all(isinstance(value, int) for value in before):
        return Unknown(Why.UNSUPPORTED, "auto()")
    numbers = [value for value in before if isinstance(value, int)]
    if info.is_flag:
        return 1 << max((number.bit_length() for number in numbers), default=0)
    return max(numbers, default=0) + 1


def _before(info: ClassInfo) -> list[Guarded]:
    """The values of the members that an enumeration has up to here."""
    return [
        value
        for name, value in info.attributes.items()
        if not name.startswith("_") and not isinstance(value, Function) and not is_descriptor(value)
    ]


def _generated(
    python: Python, run: Interpreter, info: ClassInfo, decl: ir.FieldDecl, own: Guarded
) -> Guarded:
    """What an enumeration's own `_generate_next_value_` says, which is a static method even where that is not written."""
    owner, place = TypeValue(info.declared, info.declared.name), info.declared.at(decl.at)
    before = _before(info)
    listed = run.make(None, "list", place)
    listed.items = [(True, each) for each in before]
    given = Arguments([text(decl.name), 1, len(before), listed])
    return run.over(
        bind_to(python, run, own, owner, owner, info.frame),
        lambda leaf: run.call(leaf, given, info.frame, place),
    )


def _set_name(
    python: Python, run: Interpreter, value: Guarded, owner: TypeValue, name: str, frame: Frame, at: ir.At
) -> None:
    """Descriptors of the program learn their name."""
    if isinstance(value, Object) and value.declared is not None:
        hook = method_of(python, run, value, "__set_name__", frame)
        if hook is not UNSET:
            run.over(
                hook, lambda leaf: run.call(leaf, Arguments([owner, text(name)]), frame, run.place(frame, at))
            )
