"""Python classes as values: namespaces, method resolution order, attributes and descriptors."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    apply,
    is_partial,
    is_written,
    ite,
    leaves,
    or_else,
    pick,
    some,
    under,
)
from subdrift.linter.resolve.execute.havoc import assigned, unless_object
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
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
from subdrift.linter.resolve.semantics.python.concrete import sequence, unknown_from
from subdrift.linter.resolve.semantics.python.functions import Code
from subdrift.linter.resolve.semantics.python.natives import function_key

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})

TUPLES = frozenset({"typing.NamedTuple", "collections.namedtuple"})

OWNER = "<of>"
"""The field of a `__dict__` that holds whose it is."""


class ClassInfo(Struct, eq=False):
    """What execution knows of a declared class: its namespace, what it extends (declared classes and full names of
    library ones, in the order in which attributes are looked up), annotated names in order."""

    declared: Class
    attributes: dict[str, Guarded]
    order: list[Class | str]
    frame: Frame
    bases: tuple[Class | str, ...] = ()
    annotated: list[ir.FieldDecl] = field(default_factory=list)
    dataclass: dict[str, Guarded] | None = None  # the arguments of the decorator
    meta: TypeValue | None = None  # its metaclass
    hints: dict[str, Guarded] = field(default_factory=dict)  # of its annotated names, as far as asked for
    unseen: Unknown | None = None  # a decorator of Python's own that is not modelled adds what nobody knows

    @property
    def library(self) -> list[str]:
        return [each for each in self.order if isinstance(each, str)]

    @property
    def is_enum(self) -> bool:
        return any(each in ENUMS for each in self.library)

    @property
    def is_flag(self) -> bool:
        return any(each in ("enum.Flag", "enum.IntFlag") for each in self.library)

    @property
    def is_tuple(self) -> bool:
        return any(each in TUPLES for each in self.library)


def info_of(run: Interpreter, declared: Class) -> ClassInfo | None:
    found = run.heap.get(("python class", declared))
    return found if isinstance(found, ClassInfo) else None


def function_of(leaf: Any) -> Any:
    """The function inside a `staticmethod` or `classmethod`."""
    if isinstance(leaf, Object) and leaf.type in ("builtins.staticmethod", "builtins.classmethod"):
        return leaf.fields["function"]
    return leaf


OF_TYPES = frozenset({"__subclasses__", "__bases__", "__base__", "__mro__", "mro"})
"""What `type` says of a class."""


def of_type(run: Interpreter, info: ClassInfo, leaf: TypeValue, name: str) -> Guarded:
    """An attribute of `OF_TYPES`: classes, or a function that gives them."""

    def value(one: Class | str) -> TypeValue:
        return TypeValue(one, one.name) if isinstance(one, Class) else TypeValue(None, one)

    if name in ("__bases__", "__base__"):
        bases = tuple(value(one) for one in info.bases) or (TypeValue(None, "builtins.object"),)
        return bases if name == "__bases__" else bases[0]
    order = (*map(value, info.order), TypeValue(None, "builtins.object"))
    if name == "__mro__":
        return order

    def classes_of(run: Interpreter, inner: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        if name == "mro":
            return sequence(run, "list", order, at)
        below = [
            value(each.declared)
            for key, each in list(run.heap.items())
            if isinstance(each, ClassInfo)
            and info.declared in each.bases
            and isinstance(key, tuple)
            and key[0] == "python class"
        ]
        return sequence(run, "list", below, at)

    return Function((), (), None, name, native=classes_of)


def inherited(run: Interpreter, info: ClassInfo, name: str) -> Guarded:
    """An attribute of the classes above one."""
    found: Guarded = UNSET
    for each in info.order[1:]:
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is not None and name in above.attributes:
            found = or_else(found, above.attributes[name])
            if not is_partial(found):
                break
    return found


def class_attribute(run: Interpreter, declared: Class, name: str, after: Class | None = None) -> Guarded:
    """An attribute as a class holds it, not bound; of the classes behind `after` where that is given."""
    info = info_of(run, declared)
    if info is None:
        return UNSET
    order = info.order
    if after is not None and after in order:
        order = order[order.index(after) + 1 :]
    found: Guarded = UNSET
    for each in order:
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is not None and name in above.attributes:
            found = or_else(found, under(above.attributes[name], run.guard))
            if not is_partial(found):
                break
    return found


def is_own(run: Interpreter, declared: Class, name: str, value: Guarded) -> bool:
    """Whether an instance, nobody knows which, of a class or of one below it may have another value than that of the class:
    a field of its own, or what another class gives it. Methods and descriptors are what they are."""
    if all(type(leaf) is Function or (type(leaf) is Object and _binds(run, leaf)) for leaf in some(value, 8)):
        return False
    every = [each for each in run.heap.values() if isinstance(each, ClassInfo) and declared in each.order]
    return any(
        (each.declared is not declared and name in each.attributes)
        or any(decl.name == name for decl in each.annotated)
        or any(name in assigned(one) for methods in each.declared.methods.values() for one in methods)
        for each in every
    )


def _binds(run: Interpreter, leaf: Object) -> bool:
    """Whether an attribute of a class gives something else to its instances."""
    if leaf.declared is not None:
        return class_attribute(run, leaf.declared, "__get__") is not UNSET
    return leaf.type.startswith("builtins.") or leaf.type == "contextlib.factory"


def unseen(run: Interpreter, declared: Class) -> Unknown | None:
    """Why nobody knows all that instances of a class have: what stands behind a decorator that is not modelled."""
    info = info_of(run, declared)
    every = (
        info_of(run, each) for each in (info.order if info is not None else ()) if isinstance(each, Class)
    )
    return next((one.unseen for one in every if one is not None and one.unseen is not None), None)


def set_class_attribute(run: Interpreter, declared: Class, name: str, value: Guarded) -> None:
    info = info_of(run, declared)
    if info is not None:
        info.attributes[name] = ite(run.guard, value, info.attributes.get(name, UNSET))


def is_subclass(run: Interpreter, declared: Class, other: Class | str) -> bool:
    info = info_of(run, declared)
    return other == declared or (info is not None and other in info.order)


_ABSTRACT = frozenset({"abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"})


def is_abstract(run: Interpreter, declared: Class) -> bool:
    """Whether Python refuses to make an instance of a class: it has an abstract method that nothing below has."""
    info = info_of(run, declared)
    if info is None or "<unknown>" in info.library or unseen(run, declared) is not None:
        return False
    if "abc.ABC" not in info.library and (info.meta is None or info.meta.name != "abc.ABCMeta"):
        return False
    had: set[str] = set()
    for each in info.order:
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is None:
            continue
        for method in above.declared.decl.methods:
            if method.name not in had and any(
                one.name.rpartition(".")[2] in _ABSTRACT for one in method.annotations
            ):
                return True
        had |= above.attributes.keys()
    return False


UNSEEN = "behind a decorator"
"""How the symbol of what Python's own decorator makes begins where that is not modelled: it may be a descriptor."""


def is_unseen(value: Guarded) -> bool:
    """Whether a value is what such a decorator made, or an attribute of that (`@name.setter`)."""
    return isinstance(value, Unknown) and _is_behind(value.symbol)


def _is_behind(symbol: object) -> bool:
    return isinstance(symbol, tuple) and (symbol[:1] == (UNSEEN,) or any(map(_is_behind, symbol)))


def _run_unseen(run: Interpreter, on_class: Guarded, made: Object) -> None:
    """What stands behind a decorator that is not modelled may run where its attribute of an object is read or written."""
    function = run.heap.get((UNSEEN, on_class.symbol)) if isinstance(on_class, Unknown) else None
    if isinstance(function, Function) and isinstance(function.native, Code) and isinstance(on_class, Unknown):
        run.hand_over((function.native.bound(run, function, made),), on_class)


def bind_to(
    python: Python, run: Interpreter, value: Guarded, this: Guarded, owner: TypeValue, frame: Frame
) -> Guarded:
    """What an attribute found on a class is through an object (`this`; the class itself for access on the class)."""

    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Function) and isinstance(leaf.native, Code):
            if this is owner or leaf.native.this is not UNSET:
                return leaf
            return leaf.native.bound(run, leaf, this)
        is_method = isinstance(leaf, Function) and (
            leaf.native is None or getattr(leaf.native, "is_method", False)
        )
        if is_method and this is not owner:
            return _lambda_method(run, leaf, this)
        if isinstance(leaf, Object):
            if leaf.type == "builtins.staticmethod":
                return leaf.fields["function"]
            if leaf.type == "builtins.classmethod":
                inner = leaf.fields["function"]
                if isinstance(inner, Function) and isinstance(inner.native, Code):
                    return inner.native.bound(run, inner, owner)
                if isinstance(inner, Function) and inner.native is None:
                    return _lambda_method(run, inner, owner)
                return inner
            if this is owner:
                return leaf
            if leaf.type == "builtins.property":
                return run.call(leaf.fields["fget"], Arguments([this]), frame, leaf.at)
            if leaf.type == "contextlib.factory":
                return Function((), (), None, leaf.type, native=partial(_with_self, leaf, this))
            if leaf.declared is not None:
                getter = class_attribute(run, leaf.declared, "__get__")
                if getter is not UNSET:
                    called = bind_to(python, run, getter, leaf, TypeValue(leaf.declared, leaf.type), frame)
                    return run.over(
                        called, lambda each: run.call(each, Arguments([this, owner]), frame, leaf.at)
                    )
        if not is_unseen(leaf) or this is owner:
            return leaf
        return replace(
            leaf, symbol=("element", leaf.symbol, ("once", run.unique()))
        )  # each time another value

    return run.over(value, one)


def _lambda_method(run: Interpreter, leaf: Function, this: Guarded) -> Function:
    """A lambda kept on a class is a method too."""

    def native(run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        return run.call(
            leaf, Arguments([this, *arguments.values], arguments.names, arguments.open), caller, at
        )

    return Function(leaf.params, leaf.body, None, leaf.name, this, native=native)


def _with_self(
    leaf: Object, this: Guarded, run: Interpreter, given: Arguments, caller: Frame | None, at: Location | None
) -> Guarded:
    return run.call(leaf, Arguments([this, *given.values], given.names, given.open), caller, at)


def gives(run: Interpreter, declared: Class, name: str) -> bool:
    """Whether a collection of Python's own that a class extends has a method of a name."""
    info = info_of(run, declared)
    above = (_COLLECTIONS.get(each) for each in (info.library if info is not None else ()))
    return any(each is not None and hasattr(each, name) for each in above)


_COLLECTIONS = {
    **{f"builtins.{each.__name__}": each for each in (list, dict, set, frozenset, tuple, str)},
    **{f"collections.{each.__name__}": each for each in (OrderedDict, defaultdict, deque, Counter)},
}


def method_of(
    python: Python, run: Interpreter, made: Object, name: str | tuple[str, ...], frame: Frame
) -> Guarded:
    """A special method of an object's class, bound, the first of several names; UNSET where it has none."""
    if made.declared is None:
        return UNSET
    found: Guarded = UNSET
    for each in (name,) if isinstance(name, str) else name:
        found = class_attribute(run, made.declared, each)
        if found is not UNSET:
            break
    if found is UNSET or found is None:
        return UNSET
    return bind_to(python, run, found, made, TypeValue(made.declared, made.type), frame)


OWN_NAMES = "python special methods"
"""In the heap: the names in double underscores that classes of the program have."""

READS_ITSELF = "python classes that read themselves"
"""Whether a run has a class with `__getattribute__`."""


def own_reading(python: Python, run: Interpreter, made: Object, frame: Frame) -> Guarded:
    """The `__getattribute__` that the class of an object has, bound; UNSET for that of `object`."""
    if READS_ITSELF not in run.heap:
        return UNSET
    return method_of(python, run, made, "__getattribute__", frame)


def _is_data_descriptor(run: Interpreter, value: Guarded) -> bool:
    if not isinstance(value, Object):
        return False
    if value.type == "builtins.property":
        return True
    return value.declared is not None and class_attribute(run, value.declared, "__set__") is not UNSET


def read(python: Python, run: Interpreter, made: Object, name: str, frame: Frame) -> Guarded:
    """An attribute of an object of a declared class; UNSET where it has none of that name."""
    assert made.declared is not None
    owner = TypeValue(made.declared, made.declared.name)
    on_class = class_attribute(run, made.declared, name)
    if on_class is not UNSET and (is_unseen(on_class) or _is_data_descriptor(run, on_class)):
        _run_unseen(run, on_class, made)
        return bind_to(python, run, on_class, made, owner, frame)
    own = under(made.fields.get(name, UNSET), run.guard)
    if own is not UNSET:
        if not is_partial(own):
            return own
        return or_else(
            own, on_class if on_class is UNSET else bind_to(python, run, on_class, made, owner, frame)
        )
    if on_class is not UNSET:
        return bind_to(python, run, on_class, made, owner, frame)
    if name == "__class__":
        return owner
    return own_dict(run, made) if name == "__dict__" and not has_slots(run, made.declared) else UNSET


def has_slots(run: Interpreter, declared: Class) -> bool:
    """Whether the objects of a class have no attributes but those that it names."""
    info = info_of(run, declared)
    if info is None or (info.library and not info.is_tuple):
        return False
    every = [info_of(run, each) for each in info.order if isinstance(each, Class)]
    return info.is_tuple or all(each is not None and _names_slots(each) for each in every)


def _names_slots(info: ClassInfo) -> bool:
    slots = info.attributes.get("__slots__")
    if isinstance(slots, tuple):
        return all(isinstance(one, Text) and one.known not in (None, "__dict__") for one in slots)
    return bool(info.dataclass and info.dataclass.get("slots") is True)


def own_dict(run: Interpreter, made: Object) -> Object:
    """`made.__dict__`: what is put into it is put into the object (`put_back`)."""
    shown = run.make(None, "dict", made.at)
    shown.entries = [
        Entry(is_written(value), text(each), value)
        for each, value in made.fields.items()
        if each[:1] != "<" and value is not UNSET
    ]
    shown.fields[OWNER], shown.born = made, True  # what is written goes to an older object
    shown.open = made.open
    return shown


def function_dict(run: Interpreter, function: Function) -> Object:
    """`function.__dict__`."""
    shown = run.make(None, "dict", None)
    kept = run.heap.setdefault(function_key(function), {})
    shown.entries = [
        Entry(is_written(value), text(name), value) for name, value in kept.items() if name[:2] != "__"
    ]
    shown.fields[OWNER], shown.born = kept, True
    return shown


def forget_fields(made: Object, reason: Unknown) -> None:
    """A field of an object, nobody knows which, was written: any may hold something else; objects stay in sight."""
    for name, value in made.fields.items():
        if name[:1] != "<" and not any(isinstance(leaf, Object | Function) for _, leaf in leaves(value)):
            made.fields[name] = Unknown(reason.why, f"{reason.detail}.{name}", steps=reason.steps)


def put_back(shown: Object) -> None:
    """The object or function whose `__dict__` was changed holds what that holds."""
    made = shown.fields.get(OWNER)
    unsure = next(
        (e.key for e in shown.entries or () if not isinstance(e.key, Text) or e.key.known is None), None
    )
    if isinstance(made, Object) and (unsure is not None or shown.open is not made.open):
        reason = shown.open or unknown_from((unsure,), "__dict__")
        forget_fields(made, reason)
        made.open = made.open or reason
        return
    if isinstance(made, dict):
        for entry in shown.entries or ():
            if isinstance(entry.key, Text) and entry.key.known is not None:
                made[entry.key.known] = ite(entry.guard, entry.value, made.get(entry.key.known, UNSET))
        return
    if not isinstance(made, Object):
        return
    held = {
        e.key.known: e for e in shown.entries or () if isinstance(e.key, Text) and e.key.known is not None
    }
    for name in [each for each in made.fields if each[:1] != "<" and each not in held]:
        made.fields[name] = UNSET
    for name, entry in held.items():
        made.fields[name] = ite(entry.guard, entry.value, UNSET)
    made.open = made.open or shown.open


def write(
    python: Python, run: Interpreter, made: Object, name: str, value: Guarded, frame: Frame, at: Location
) -> None:
    """`made.name = value` on the path that is being run."""
    on_class = class_attribute(run, made.declared, name) if made.declared is not None else UNSET
    if isinstance(on_class, Unknown) and is_unseen(on_class):  # a setter may write any of them
        _run_unseen(run, on_class, made)
        for each, held in made.fields.items():
            unknown = replace(on_class, symbol=None)
            made.fields[each] = pick(run.guard, apply(partial(unless_object, unknown), held), held)
        return
    if isinstance(on_class, Object):
        if on_class.type == "builtins.property":
            setter = on_class.fields.get("fset")
            if setter is None:
                run.throw(run.make(None, "builtins.AttributeError", at))
            else:
                run.call(setter, Arguments([made, value]), frame, at)
            return
        if on_class.declared is not None:
            setter = method_of(python, run, on_class, "__set__", frame)
            if setter is not UNSET:
                run.over(setter, lambda leaf: run.call(leaf, Arguments([made, value]), frame, at))
                return
    made.fields[name] = ite(run.guard, value, made.fields.get(name, UNSET))


def deleter(python: Python, run: Interpreter, made: Object, name: str, frame: Frame) -> Guarded:
    """What `del made.name` calls with the object: of a property, or of a descriptor; UNSET for a field."""
    on_class = class_attribute(run, made.declared, name) if made.declared is not None else UNSET
    if not isinstance(on_class, Object):
        return UNSET
    if on_class.type == "builtins.property":
        own = on_class.fields.get("fdel", None)
        if own is None:
            run.throw(run.make(None, "builtins.AttributeError", made.at))
        return UNSET if own is None else own
    return method_of(python, run, on_class, "__delete__", frame)


def delete(run: Interpreter, made: Object, name: str) -> None:
    """`del made.name` on the path that is being run."""
    if name in made.fields:
        made.fields[name] = pick(run.guard, UNSET, made.fields[name])


def protocol_members(run: Interpreter, declared: Class) -> list[str] | None:
    """The names that an object has to have to be an instance of a protocol; None for another class."""
    info = info_of(run, declared)
    if info is None or not _is_protocol(info):
        return None
    above = [info_of(run, each) for each in info.order if isinstance(each, Class)]
    return [
        name
        for each in above
        if each is not None and _is_protocol(each)
        for name in (*each.attributes, *(one.name for one in each.annotated))
        if not name.startswith("_abc_") and name not in _OF_EVERY_CLASS
    ]


_OF_EVERY_CLASS = frozenset({"__doc__", "__module__", "__qualname__", "__init__", "<init>", "__slots__"})


def _is_protocol(info: ClassInfo) -> bool:
    return any(each in ("typing.Protocol", "typing_extensions.Protocol") for each in info.bases)


def has_all(run: Interpreter, made: Object, names: Iterable[str]) -> bool:
    """Whether an object has all these attributes, of its own or of its class."""
    assert made.declared is not None
    return all(
        name in made.fields or class_attribute(run, made.declared, name) is not UNSET for name in names
    )


def asks_metaclass(run: Interpreter, kind: TypeValue, name: str, value: Guarded) -> Guarded:
    """What the metaclass of a class says of a value, where one of the program does (`__instancecheck__`); UNSET where not."""
    info = info_of(run, kind.declared) if kind.declared is not None else None
    if info is None or info.meta is None or info.meta.declared is None:
        return UNSET
    hook = class_attribute(run, info.meta.declared, name)
    if hook is UNSET:
        return UNSET
    return run.over(hook, lambda leaf: run.call(leaf, Arguments([kind, value]), info.frame, None))


def is_descriptor(value: Guarded) -> bool:
    if not isinstance(value, Object):
        return isinstance(value, TypeValue)
    if value.declared is not None:
        return "__get__" in value.declared.methods
    return value.type.startswith("builtins.")
