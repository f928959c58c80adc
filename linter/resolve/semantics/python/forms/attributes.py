"""Attributes: of objects, classes, modules and functions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.exceptions import may_fail, may_refuse, may_throw
from subdrift.linter.resolve.execute.guards import UNSET, Diagram, apply, is_partial, ite, or_else, under
from subdrift.linter.resolve.execute.havoc import unless_object
from subdrift.linter.resolve.execute.identity import as_it_is, symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Frame,
    Function,
    Guarded,
    Object,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python import (
    classes,
    constructors,
    containers,
    enumerations,
    escaped,
    library,
    modelled,
    paths,
    types,
)
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.constructors import ATTRS, set_field
from subdrift.linter.resolve.semantics.python.forms import importing
from subdrift.linter.resolve.semantics.python.forms.common import GIVEN, escape, inside, method_frame
from subdrift.linter.resolve.semantics.python.functions import CLASS_BODY, Code, module_frame
from subdrift.linter.resolve.semantics.python.natives import Call, function_key
from subdrift.linter.resolve.semantics.python.standard import system

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


_PLAIN_KINDS = {
    **{each.__name__: each for each in (dict, list, range, set, frozenset)},
    **{name: type(getattr({}, name)()) for name in ("keys", "values", "items")},
}
"""Built-in collections, which have the attributes Python gives them and no others."""

_FROZEN = "dataclasses.FrozenInstanceError"

_SLICE = {"start": "lower", "stop": "upper", "step": "step"}


def attribute(python: Python, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
    found = python.find(run, leaf, name, frame)
    if run.guard is False or (found is not UNSET and not is_partial(found)):
        return found
    return or_else(found, no_attribute(python, run, leaf, name, frame, at))


def no_attribute(python: Python, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
    """What an attribute that nothing has given to a value is."""
    if isinstance(leaf, Unknown):
        whole = as_it_is(run, leaf)
        symbol = None if whole is None else ("field", whole, name)
        found = Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol, steps=leaf.steps)
        importing.lose_called(run, name, leaf, found)
        may_refuse(run, "builtins.AttributeError", found, run.place(frame, at))
        may_fail(run, found)
        return found
    if leaf is None:
        run.throw(run.make(None, "builtins.AttributeError", run.place(frame, at)))
        return UNSET
    if (
        isinstance(leaf, Object)
        and leaf.type == "types.SimpleNamespace"
        and leaf.open is None
        and name[:1] != "_"
    ):
        run.throw(run.make(None, "builtins.AttributeError", run.place(frame, at)))
        return UNSET
    shown = leaf.type.rpartition(".")[2] if isinstance(leaf, Object) else type(leaf).__name__.lower()
    own = symbol_of(leaf)
    found = run.unknown(
        Why.UNDEFINED,
        phrase("attribute", f"{shown}.{name}"),
        frame,
        at,
        symbol=None if own is None else ("field", own, name),
    )
    may_refuse(run, "builtins.AttributeError", found, run.place(frame, at))
    return found


def super_attribute(
    python: Python, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At
) -> Guarded:
    """`super().name`: the attribute as the classes after the one at hand have it."""
    owner = method_frame(frame).owner
    declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
    if declared is None or owner is None:
        return python.attribute(run, leaf, name, frame, at)
    found = classes.class_attribute(run, declared, name, owner)
    if found is UNSET:
        return python.attribute(run, leaf, name, frame, at)
    kind = leaf if isinstance(leaf, TypeValue) else TypeValue(declared, declared.name)
    return classes.bind_to(python, run, found, leaf, kind, frame)


def attribute_as(
    python: Python, run: Interpreter, leaf: Any, view: Class, name: str, frame: Frame, at: ir.At
) -> Guarded:
    return python.attribute(run, leaf, name, frame, at)


def find(python: Python, run: Interpreter, leaf: Any, name: str, frame: Frame) -> Guarded:
    """An attribute of a plain value, UNSET where it has none that is known."""
    if isinstance(leaf, TypeValue):
        return of_type(python, run, leaf, name, frame)
    if isinstance(leaf, Object):
        return of_object(python, run, leaf, name, frame)
    if isinstance(leaf, Function):
        return of_function(python, run, leaf, name)
    if isinstance(leaf, Unknown):
        return of_unknown(python, run, leaf, name, frame)
    if name == "__class__" and not isinstance(leaf, Diagram):
        return library.FUNCTIONS["builtins.type"](Call(python, run, Arguments([leaf]), frame, None))
    if isinstance(leaf, Text | tuple):
        has_it = hasattr(str if isinstance(leaf, Text) else tuple, name)
        return Bound(leaf, name, frame) if has_it else UNSET
    return UNSET


def of_library(python: Python, run: Interpreter, owner: str, name: str) -> Guarded:
    """A name of a library's module or class: what its model says it is, else what is known without one."""
    found = modelled.member(python, run, owner, name)
    if found is UNSET and modelled.has_module(run, f"{owner}.{name}"):
        return TypeValue(None, f"{owner}.{name}")
    return library.constant(run, owner, name) if found is UNSET else found


def of_type(python: Python, run: Interpreter, leaf: TypeValue, name: str, frame: Frame) -> Guarded:
    real = types.real(leaf.name) if leaf.declared is None else None
    if real is not None and name == "__mro__":
        return tuple(TypeValue(None, f"{each.__module__}.{each.__name__}") for each in real.__mro__)
    if real is not None and real.__module__ == "builtins" and name[:2] != "__" and not hasattr(real, name):
        return UNSET
    if name == "__dict__":
        return library.FUNCTIONS["builtins.vars"](Call(python, run, Arguments([leaf]), frame, None))
    if leaf.declared is None:
        return python.of_library(run, leaf.name, name)
    found = classes.class_attribute(run, leaf.declared, name)
    if isinstance(found, Object) and found.type == "dataclasses.field":
        whole = info_of(run, leaf.declared)
        found = (
            found.fields.get("default", UNSET) if whole is not None and whole.dataclass is not None else found
        )
    if found is not UNSET:
        return classes.bind_to(python, run, found, leaf, leaf, frame)
    if name in ("__name__", "__qualname__"):
        return text(leaf.declared.simple)
    if name == "__module__":
        return module_frame(frame).variables.get("__name__", UNSET)
    if name == "__members__" and enumerations.members(run, leaf.declared) is not None:
        made = run.make(None, "dict", None)
        made.entries = [
            Entry(True, text(each), member)
            for each, member in info_of(run, leaf.declared).attributes.items()  # type: ignore[union-attr]
            if isinstance(member, Object) and member.constant
        ]
        return made
    info = info_of(run, leaf.declared)
    if info is not None:
        found = python.of_metaclass(run, info, name, leaf, frame)
        if found is not UNSET:
            return found
        if name in classes.OF_TYPES:
            return classes.of_type(run, info, leaf, name)
        getter = python.of_metaclass(run, info, "__getattr__", leaf, frame)
        if getter is not UNSET:
            return run.over(getter, lambda each: run.call(each, Arguments([text(name)]), frame, None))
        if info.is_tuple and name in ("_fields", "_field_defaults"):
            return constructors.shape(run, info, name)
        for above in info.library:
            found = library.class_method(above, name)
            if found:
                return Bound(leaf, name, frame)
    return UNSET


def of_metaclass(
    python: Python, run: Interpreter, info: classes.ClassInfo, name: str, leaf: TypeValue, frame: Frame
) -> Guarded:
    """A special method of the metaclass of a class, bound to the class."""
    meta = info.meta
    if meta is None or meta.declared is None:
        return UNSET
    found = classes.class_attribute(run, meta.declared, name)
    return UNSET if found is UNSET else classes.bind_to(python, run, found, leaf, meta, frame)


def of_object(python: Python, run: Interpreter, leaf: Object, name: str, frame: Frame) -> Guarded:
    if leaf.type == "module":
        if name in leaf.fields:
            return under(leaf.fields[name], run.guard)
        origin, _ = run.heap.get(("python module origin", leaf), (None, ""))
        if name == "__path__" and origin is not None and origin.path.endswith("__init__.py"):
            path = containers.made_of(run, "list", [(True, Unknown(Why.DYNAMIC, name))], None)
            path.fields[system.PACKAGE] = origin
            return path
        found = python._submodule(run, leaf, name)
        if found is UNSET and "__getattr__" in leaf.fields and name[:2] != "__":
            getter = leaf.fields["__getattr__"]
            return run.over(getter, lambda each: run.call(each, Arguments([text(name)]), frame, None))
        return found
    if leaf.type == "slice" and name in _SLICE:
        return leaf.fields[_SLICE[name]]
    if (leaf.constant or "<flag>" in leaf.fields) and name in ("value", "name", "_name_"):
        hidden = leaf.fields.get("<value>" if name == "value" else "<name>", UNSET)
        if hidden is not UNSET:
            return hidden
    if leaf.declared is not None:
        hook = classes.own_reading(python, run, leaf, frame)
        if hook is not UNSET:
            return run.over(hook, lambda each: run.call(each, Arguments([text(name)]), frame, None))
        found = classes.read(python, run, leaf, name, frame)
        if found is not UNSET:
            return found
        if run.guard is False:
            return UNSET
        if name[:2] != "__" and not classes.gives(run, leaf.declared, name):
            getter = classes.method_of(python, run, leaf, "__getattr__", frame)
            if getter is not UNSET:
                return run.over(getter, lambda each: run.call(each, Arguments([text(name)]), frame, None))
    elif name in leaf.fields:
        return under(leaf.fields[name], run.guard)
    elif name == "__dict__" and leaf.type == "types.SimpleNamespace":
        return library.FUNCTIONS["builtins.vars"](Call(python, run, Arguments([leaf]), frame, None))
    elif name == "default_factory" and leaf.type == "defaultdict":
        return leaf.fields.get("<default>", None)
    if name in ("__cause__", "__context__") and "<message>" in leaf.fields:
        return None
    if leaf.open is not None and leaf.items is None and leaf.entries is None:
        return Unknown(leaf.open.why, f"{leaf.open.detail}.{name}")
    plain = _PLAIN_KINDS.get(leaf.type) if leaf.declared is None else None
    if plain is not None and not hasattr(plain, name):
        return UNSET
    if leaf.items is not None or leaf.entries is not None or library.has_method(python, run, leaf, name):
        return Bound(leaf, name, frame)
    return UNSET


def of_function(python: Python, run: Interpreter, leaf: Function, name: str) -> Guarded:
    kept = run.heap.get(function_key(leaf))
    if isinstance(kept, dict) and name in kept:
        return under(kept[name], run.guard)
    if name in ("__name__", "__qualname__"):
        return text(_qualified(leaf) if name == "__qualname__" else leaf.name or "<lambda>")
    if name == "__module__" and isinstance(leaf.native, Code):
        return module_frame(leaf.native.frame).variables.get("__name__", UNSET)
    if name == "__dict__":
        return classes.function_dict(run, leaf)
    if name == "__wrapped__":
        return leaf
    if name == "__self__":
        return leaf.this
    return UNSET


def of_unknown(python: Python, run: Interpreter, leaf: Unknown, name: str, frame: Frame) -> Guarded:
    """Methods and constants of the class that an unknown value is known to have."""
    declared = leaf.type.declared if leaf.type is not None else None
    if declared is None or leaf.type is None:
        return paths.part(leaf, name)
    found = classes.class_attribute(run, declared, name)
    if found is not UNSET and not classes.is_own(run, declared, name, found):
        return classes.bind_to(python, run, found, leaf, leaf.type, frame)
    info = info_of(run, declared)
    decl = next((each for each in info.annotated if each.name == name), None) if info is not None else None
    if found is UNSET and decl is None:
        return UNSET
    symbol = None if leaf.symbol is None else ("field", leaf.symbol, name)
    made = Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol, steps=leaf.steps)
    return made if info is None or decl is None else python.typed(run, made, decl.type, info.frame)


def set_attribute(
    python: Python, run: Interpreter, leaf: Any, name: str, value: Guarded, frame: Frame, at: ir.At
) -> None:
    if isinstance(leaf, Object):
        if leaf.declared is not None:
            hook = classes.method_of(python, run, leaf, "__setattr__", frame)
            if hook is not UNSET and not inside(frame, "__setattr__"):
                given = Arguments([text(name), value])
                run.over(hook, lambda each: run.call(each, given, frame, run.place(frame, at)))
                return
            if leaf.constant and name in ("name", "value"):
                run.throw(run.make(None, "builtins.AttributeError", run.place(frame, at)))
                return
            if is_frozen(run, leaf):
                run.throw(_refusal(python, run, leaf, run.place(frame, at)))
                return
            info = info_of(run, leaf.declared)
            if info is not None and _has_no_place(run, info, name):
                run.throw(run.make(None, "builtins.AttributeError", run.place(frame, at)))
                return
            if info is not None and (info.dataclass or {}).get(ATTRS) is True:
                value = set_field(run, info, leaf, name, value, frame, run.place(frame, at))
            classes.write(python, run, leaf, name, value, frame, run.place(frame, at))
        else:
            held = "<default>" if leaf.type == "defaultdict" and name == "default_factory" else name
            leaf.fields[held] = ite(run.guard, value, leaf.fields.get(held, UNSET))
    elif isinstance(leaf, Unknown) or (isinstance(leaf, TypeValue) and leaf.declared is None):
        escape(run, (value,))
        held_by = run.heap.get((GIVEN, leaf.symbol), ()) if isinstance(leaf, Unknown) else ()
        for declared in held_by:
            held = classes.class_attribute(run, declared, name)
            lost = Unknown(Why.DYNAMIC, name)
            classes.set_class_attribute(run, declared, name, apply(partial(unless_object, lost), held))
        _changed(run, name)
    elif isinstance(leaf, TypeValue) and leaf.declared is not None:
        if any(each.constant == name for each in enumerations.members(run, leaf.declared) or ()):
            run.throw(run.make(None, "builtins.AttributeError", run.place(frame, at)))
            return
        classes.set_class_attribute(run, leaf.declared, name, value)
    elif isinstance(leaf, Function):
        kept = run.heap.setdefault(function_key(leaf), {})
        kept[name] = ite(run.guard, value, kept.get(name, UNSET))


def _changed(run: Interpreter, name: str) -> None:
    """An attribute of what nobody knows is set or deleted, if it lets that be done."""
    unknown = Unknown(Why.DYNAMIC, name)
    escaped.lose_field(run, name, unknown)
    run.unseen += 1
    may_throw(run, unknown)


def _has_no_place(run: Interpreter, info: classes.ClassInfo, name: str) -> bool:
    """Whether objects of a class have no such attribute, and can be given none: a named tuple, a class with `__slots__`."""
    if len(info.order) > 1 + len(info.library) or name in info.attributes:
        return False
    slots = info.attributes.get("__slots__")
    if isinstance(slots, tuple) and not info.library:
        return all(isinstance(one, Text) and one.known not in (None, name, "__dict__") for one in slots)
    if ATTRS in (info.dataclass or {}) and classes.unseen(run, info.declared) is not None:
        return False
    if info.dataclass is not None and info.dataclass.get("slots") is True and not info.library:
        return name not in [decl.name for decl in info.annotated]
    return info.is_tuple


def is_frozen(run: Interpreter, leaf: Object) -> bool:
    """Whether the attributes of an object are as its constructor has set them: a dataclass with `frozen=True`."""
    info = info_of(run, leaf.declared) if leaf.declared is not None else None
    return info is not None and info.dataclass is not None and info.dataclass.get("frozen") is True


def _refusal(python: Python, run: Interpreter, leaf: Object, at: Location) -> Object:
    """What an object throws whose attributes stay as they are."""
    info = info_of(run, leaf.declared) if leaf.declared is not None else None
    if info is None or ATTRS not in (info.dataclass or {}):
        return run.make(None, _FROZEN, at)
    kind = python.of_library(run, "attr.exceptions", "FrozenInstanceError")
    declared = kind.declared if isinstance(kind, TypeValue) else None
    return run.make(declared, "builtins.AttributeError", at)


def read_field(
    python: Python, run: Interpreter, value: Any, key: str | int, is_attribute: bool, frame: Frame
) -> Guarded:
    """What a format's `{0.name}` or `{0[key]}` reads."""
    at = frame.owner.decl.name_at if frame.owner is not None else (1, 1, 1, 1)
    if is_attribute:
        return python.attribute(run, value, str(key), frame, at)
    return python.index(run, value, key if isinstance(key, int) else text(key), frame, at)


def delete_attribute(python: Python, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> None:
    """`del leaf.name`."""
    if isinstance(leaf, Unknown):
        _changed(run, name)
    if not isinstance(leaf, Object):
        return
    hook = classes.method_of(python, run, leaf, "__delattr__", frame)
    if hook is not UNSET and not inside(frame, "__delattr__"):
        run.over(hook, lambda each: run.call(each, Arguments([text(name)]), frame, run.place(frame, at)))
    elif is_frozen(run, leaf):
        run.throw(_refusal(python, run, leaf, run.place(frame, at)))
    elif (deleter := classes.deleter(python, run, leaf, name, frame)) is not UNSET:
        run.over(deleter, lambda each: run.call(each, Arguments([leaf]), frame, run.place(frame, at)))
    else:
        classes.delete(run, leaf, name)


def _qualified(leaf: Function) -> str:
    """The name of a function with those of the classes and functions it stands in."""
    parts = [leaf.name or "<lambda>"]
    current = leaf.native.frame if isinstance(leaf.native, Code) else leaf.frame
    while current is not None and current.parent is not None:
        if CLASS_BODY in current.shared and current.owner is not None:
            parts.append(current.owner.simple)
        elif current.method is not None:
            parts += ["<locals>", current.method.name]
        current = current.parent
    return ".".join(reversed(parts))
