"""Python classes as values: namespaces, method resolution order, attributes and descriptors, dataclasses, enumerations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
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
    under,
)
from subdrift.linter.resolve.execute.havoc import unless_object
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments, Test
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
from subdrift.linter.resolve.semantics.python.concrete import sequence, unknown_from
from subdrift.linter.resolve.semantics.python.functions import (
    CLASS_BODY,
    Code,
    bind,
    enclosing,
    module_frame,
)
from subdrift.linter.resolve.semantics.python.natives import function_key
from subdrift.linter.resolve.semantics.python.operators import OWN_EQUALITY, equal

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python

ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
_MIXED = frozenset({"builtins.str", "builtins.int", "enum.StrEnum", "enum.IntEnum", "enum.IntFlag"})
_SHOWN_AS_VALUE = frozenset({"enum.StrEnum", "enum.IntEnum", "enum.IntFlag"})
TUPLES = frozenset({"typing.NamedTuple", "collections.namedtuple"})
_BASES_MAX = 64
BEING_MADE = "python class being made"
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
    local = frame.method is not None and frame.method.name != "<module>"
    declared = Class.of(frame.owner.file, decl, frame.owner, local=local)
    body = run.frame(declared, None, parent=frame, caller=frame, shared=frozenset({CLASS_BODY}))
    info = ClassInfo(declared, body.variables, _order(run, declared, bases), frame, _direct(bases))
    run.heap["python class", declared] = info
    made = TypeValue(declared, declared.name)
    body.variables["__qualname__"] = text(decl.name)
    body.variables["__module__"] = module_frame(frame).variables.get("__name__", UNSET)
    parts: list[ir.FieldDecl | ir.MethodDecl | ir.ClassDecl | ir.Initialiser] = [
        *decl.fields,
        *decl.methods,
        *decl.types,
        *decl.initialisers,
    ]
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
    body.variables.update(space or {})
    if info.is_enum:
        _enumerate(python, run, info)

    def finish() -> None:
        info.attributes.pop("__qualname__", None)  # a class has its names, its objects have none
        for name, value in list(info.attributes.items()):
            _set_name(python, run, value, made, name, body, decl.at)
        hook = inherited(run, info, "__init_subclass__")
        if isinstance(hook, Function | Object):
            called = bind_to(python, run, hook, made, made, body)
            run.over(
                called, lambda leaf: run.call(leaf, Arguments([], keywords), frame, declared.at(decl.at))
            )

    meta = keywords.pop("metaclass", None) or _meta_of(run, info)
    info.meta = meta if isinstance(meta, TypeValue) else None
    if info.meta is None or info.meta.declared is None:
        finish()
    else:
        _made_by(python, run, info, info.meta, tuple(bases), keywords, finish)
    return python.decorated(run, made, decl.annotations, frame)


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
    finish: Callable[[], None],
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
        finish()
    else:
        run.heap[BEING_MADE, meta.declared] = (made, finish)
        run.over(
            hook,
            lambda leaf: python.call(
                run, function_of(leaf), Arguments([meta, *given], keywords), info.frame, place
            ),
        )
        if run.heap.pop((BEING_MADE, meta.declared), None) is not None:
            finish()
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
    finish()
    assert isinstance(made, TypeValue)
    return made


def function_of(leaf: Any) -> Any:
    """The function inside a `staticmethod` or `classmethod`."""
    if isinstance(leaf, Object) and leaf.type in ("builtins.staticmethod", "builtins.classmethod"):
        return leaf.fields["function"]
    return leaf


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


def _order(run: Interpreter, declared: Class, bases: list[Guarded]) -> list[Class | str]:
    """The method resolution order (C3; left to right and depth first where that has no solution)."""
    chains: list[list[Class | str]] = []
    direct: list[Class | str] = []
    for base in bases:
        for _, leaf in leaves(base):
            if isinstance(leaf, TypeValue):
                info = info_of(run, leaf.declared) if leaf.declared is not None else None
                chain: list[Class | str] = list(info.order) if info else [leaf.declared or leaf.name]
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


def _field(python: Python, run: Interpreter, info: ClassInfo, decl: ir.FieldDecl, body: Frame) -> None:
    if decl.value is not None:
        value = run.value(decl.value, body)
        if isinstance(value, Object) and value.type == "enum.auto" and info.is_enum:
            value = _automatic(python, run, info, decl)
        if run.guard is not False:
            python.assign_name(run, decl.name, value, body, decl.at)
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
        if not name.startswith("_") and not isinstance(value, Function) and not _is_descriptor(value)
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


# -- attributes of objects ------------------------------------------------------------------------------------------


UNSEEN = "behind a decorator"
"""How the symbol of what Python's own decorator makes begins where that is not modelled: it may be a descriptor."""


def is_unseen(value: Guarded) -> bool:
    """Whether a value is what such a decorator made, or an attribute of that (`@name.setter`)."""
    symbol = value.symbol if isinstance(value, Unknown) else None
    return isinstance(symbol, tuple) and (
        symbol[0] == UNSEEN or any(isinstance(part, tuple) and part[:1] == (UNSEEN,) for part in symbol)
    )


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
        if isinstance(leaf, Function) and leaf.native is None and this is not owner:
            return _lambda_method(run, leaf, this)
        if isinstance(leaf, Object):
            if leaf.type == "builtins.staticmethod":
                return leaf.fields["function"]
            if leaf.type == "builtins.classmethod":
                inner = leaf.fields["function"]
                if isinstance(inner, Function) and isinstance(inner.native, Code):
                    return inner.native.bound(run, inner, owner)
                return inner
            if this is owner:
                return leaf
            if leaf.type in ("builtins.property", "functools.cached_property"):
                return run.call(leaf.fields["fget"], Arguments([this]), frame, leaf.at)
            if leaf.type == "functools.partialmethod":
                return _partial_method(run, leaf, this)
            if leaf.type in ("functools.singledispatchmethod", "functools.cache", "contextlib.factory"):
                return Function((), (), None, leaf.type, native=partial(_with_self, leaf, this))
            if leaf.declared is not None:
                getter = class_attribute(run, leaf.declared, "__get__")
                if getter is not UNSET:
                    called = bind_to(python, run, getter, leaf, TypeValue(leaf.declared, leaf.type), frame)
                    return run.over(
                        called, lambda each: run.call(each, Arguments([this, owner]), frame, leaf.at)
                    )
        return replace(leaf, symbol=None) if is_unseen(leaf) and this is not owner else leaf

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


def _partial_method(run: Interpreter, leaf: Object, this: Guarded) -> Function:
    def native(run: Interpreter, arguments: Arguments, caller: Frame | None, at: Location | None) -> Guarded:
        values = [this, *leaf.fields["values"], *arguments.values]
        names = {**leaf.fields["names"], **arguments.names}
        return run.call(leaf.fields["function"], Arguments(values, names, arguments.open), caller, at)

    return Function((), (), None, "partialmethod", this, native=native)


def method_of(python: Python, run: Interpreter, made: Object, name: str, frame: Frame) -> Guarded:
    """A special method of an object's class, bound; UNSET where it has none."""
    if made.declared is None:
        return UNSET
    found = class_attribute(run, made.declared, name)
    if found is UNSET or found is None:
        return UNSET
    return bind_to(python, run, found, made, TypeValue(made.declared, made.type), frame)


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
        value = bind_to(python, run, on_class, made, owner, frame)
        if (
            isinstance(on_class, Object)
            and on_class.type == "functools.cached_property"
            and run.guard is not False
        ):
            made.fields[name] = value
        return value
    if name == "__class__":
        return owner
    if name == "__dict__":
        return own_dict(run, made)
    return UNSET


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
            if setter is not None:
                run.call(setter, Arguments([made, value]), frame, at)
            return
        if on_class.declared is not None:
            setter = method_of(python, run, on_class, "__set__", frame)
            if setter is not UNSET:
                run.over(setter, lambda leaf: run.call(leaf, Arguments([made, value]), frame, at))
                return
    made.fields[name] = ite(run.guard, value, made.fields.get(name, UNSET))


# -- instances ------------------------------------------------------------------------------------------------------


def protocol_members(run: Interpreter, declared: Class) -> list[str] | None:
    """The names that an object has to have to be an instance of a protocol; None for another class."""
    info = info_of(run, declared)
    if info is None or not any(each == "typing.Protocol" for each in info.bases):
        return None
    return [*(each.name for each in declared.decl.methods), *(each.name for each in info.annotated)]


def has_all(run: Interpreter, made: Object, names: Iterable[str]) -> bool:
    """Whether an object has all these attributes, of its own or of its class."""
    assert made.declared is not None
    return all(
        name in made.fields or class_attribute(run, made.declared, name) is not UNSET for name in names
    )


def _kind(decl: ir.FieldDecl) -> str:
    """The simple name of the type that a field is written with."""
    return "" if decl.type is None else decl.type.name.rpartition(".")[2]


def dataclass_fields(
    run: Interpreter, info: ClassInfo, *, every: bool = False
) -> list[tuple[ClassInfo, ir.FieldDecl]]:
    """The fields of a dataclass or named tuple: those of the classes above first, each name once. `every`: with what is
    written as one and is none (`InitVar`, `KW_ONLY`)."""
    found: dict[str, tuple[ClassInfo, ir.FieldDecl]] = {}
    for each in reversed(info.order):
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is not None and (
            above is info or above.dataclass is not None or above.is_tuple or _open_model(above)
        ):
            for decl in above.annotated:
                if every or _kind(decl) not in ("InitVar", "KW_ONLY"):
                    found[decl.name] = (above, decl)
    return list(found.values())


def _open_model(info: ClassInfo) -> bool:
    return any(each.rpartition(".")[2] in ("BaseModel", "BaseSettings") for each in info.library)


def fills_itself(info: ClassInfo) -> bool:
    """Whether instances get their annotated names from the arguments of the constructor."""
    return info.dataclass is not None or info.is_tuple or _open_model(info)


def filling(run: Interpreter, info: ClassInfo, after: Class | None = None) -> ClassInfo | None:
    """The class whose constructor an instance has, where that is one which fills its fields: its own, or the next above it
    (behind `after` where that is given) if no `__init__` comes before."""
    order = info.order
    if after is not None and after in order:
        order = order[order.index(after) + 1 :]
    for each in order:
        above = info_of(run, each) if isinstance(each, Class) else None
        if above is not None and "__init__" in above.attributes:
            return None
        if above is not None and fills_itself(above):
            return above
    return None


def _is_off(info: ClassInfo, name: str, options: Sequence[str]) -> bool:
    """Whether a field of a dataclass is left out: `field(compare=False)`."""
    written = info.attributes.get(name)
    return (
        isinstance(written, Object)
        and written.type == "dataclasses.field"
        and any(written.fields.get(each) is False for each in options)
    )


def fill(
    python: Python,
    run: Interpreter,
    info: ClassInfo,
    made: Object,
    arguments: Arguments,
    frame: Frame,
    at: Location,
) -> None:
    """What the constructor of a dataclass, named tuple or pydantic model does."""
    fields = dataclass_fields(run, info)
    params: list[ir.Param] = []
    defaults: dict[str, Guarded] = {}
    later: dict[str, Guarded] = {}
    converters: dict[str, Guarded] = {}
    keywords_only = info.dataclass is not None and info.dataclass.get("kw_only") is True
    written = dataclass_fields(run, info, every=True)
    for holder, decl in written:
        if _kind(decl) == "KW_ONLY":
            keywords_only = True
            continue
        default = holder.attributes.get(decl.name, UNSET)
        kind = "*" if keywords_only else ""
        takes = True
        if isinstance(default, Object) and default.type == "dataclasses.field":
            options = default.fields
            takes = options.get("init", True) is not False
            kind = "*" if options.get("kw_only") is True else kind
            factory = options.get("default_factory", UNSET)
            default = options.get("default", UNSET)
            if isinstance(default, Object) and default.type == "dataclasses.field":  # `default=Factory(list)`
                factory, default = default.fields.get("default_factory", UNSET), UNSET
            if factory is not UNSET:
                later[decl.name] = factory
            if options.get("converter", None) is not None:
                converters[decl.name] = options["converter"]
        if default is not UNSET:
            defaults[decl.name] = default
        if takes:
            params.append(ir.Param(decl.name, None, decl.at, None, kind))
        elif default is not UNSET:
            made.fields[decl.name] = default
        if decl.name in later:
            defaults[decl.name] = UNSET
    inner = run.frame(info.declared, made, caller=frame, called_at=at)
    bind(python, run, params, arguments, defaults, inner)
    for _, decl in fields:
        value = inner.variables.get(decl.name, made.fields.get(decl.name, UNSET))
        if value is UNSET and decl.name in later:
            value = run.over(later[decl.name], lambda leaf: run.call(leaf, Arguments([]), inner, at))
        if decl.name in converters and value is not UNSET:
            given = Arguments([value])
            value = run.over(converters[decl.name], lambda leaf: run.call(leaf, given, inner, at))  # noqa: B023
        if isinstance(value, Unknown) and decl.type is not None:
            value = python.typed(run, value, decl.type, inner)
        made.fields[decl.name] = value
    made.fields["<compare>"] = tuple(decl.name for _, decl in fields)
    for name, kept in (("<compared>", ("compare", "eq")), ("<shown>", ("repr",))):
        off = any((info.dataclass or {}).get(each) is False for each in kept)
        left = tuple(decl.name for each, decl in fields if not _is_off(each, decl.name, kept))
        made.fields[name] = None if off else left
    if any(isinstance(holder.attributes.get(decl.name), Unknown) for holder, decl in fields):
        reason = Unknown(Why.DYNAMIC, f"{info.declared.simple}()")  # nobody knows which fields count
        made.fields[OWN_EQUALITY] = lambda one, other: Test("true", (reason,))
        made.fields["<shown>"] = None
    elif info.dataclass is not None and info.dataclass.get("order") is True:
        made.fields["<ordered>"] = True
    if info.is_tuple:
        made.items = [(True, made.fields[decl.name]) for _, decl in fields]
    handed = [inner.variables.get(decl.name, None) for _, decl in written if _kind(decl) == "InitVar"]
    for name in ("__post_init__", "__attrs_post_init__"):
        hook = method_of(python, run, made, name, inner)
        if hook is UNSET:
            continue
        run.over(hook, lambda leaf: run.call(leaf, Arguments(list(handed)), inner, at))


# -- enumerations ---------------------------------------------------------------------------------------------------


def _enumerate(python: Python, run: Interpreter, info: ClassInfo) -> None:
    """The names of an enumeration's body become its members; equal values are one member."""
    members: list[Object] = []
    decorated = {each.name for each in info.declared.decl.methods}
    mixed = next((each for each in info.library if each in _MIXED), "")
    last: Guarded = 0
    for name, value in list(info.attributes.items()):
        if name in decorated or name.startswith("_") or isinstance(value, Function) or _is_descriptor(value):
            continue
        if isinstance(value, Object) and value.type == "enum.auto":
            if "enum.StrEnum" in info.library:
                value = text(name.lower(), (Step(info.declared.at(info.declared.decl.at), name),))
            else:
                value = last + 1 if isinstance(last, int) else Unknown(Why.UNSUPPORTED, "auto()")
        last = value
        given = list(value) if isinstance(value, tuple) else [value]
        made = _member(python, run, info, given, _place(value))
        made.constant = name
        value = made.fields.get("_value_", value)
        same = (
            None
            if isinstance(value, Unknown)
            else next((each for each in members if equal(each.fields["<value>"], value) is True), None)
        )
        if same is not None:
            info.attributes[name] = same
            continue
        hook = class_attribute(run, info.declared, "__init__")
        made.fields["<value>"] = made.fields["_value_"] = value
        made.fields["<name>"] = text(name)
        if mixed or info.is_flag:
            made.fields["<plain>"] = value
        if info.is_flag:
            made.fields["<flag>"] = True
        if any(each in _SHOWN_AS_VALUE for each in info.library):
            made.fields["<format>"] = True
        if hook is not UNSET:
            called = bind_to(
                python, run, hook, made, TypeValue(info.declared, info.declared.name), info.frame
            )
            place = info.declared.at(info.declared.decl.name_at)
            run.over(called, lambda leaf: run.call(leaf, Arguments(given), info.frame, place))  # noqa: B023
            made.fields["<value>"] = made.fields["_value_"]
        members.append(made)
        info.attributes[name] = made
    info.attributes["<members>"] = tuple(members)


def _member(
    python: Python, run: Interpreter, info: ClassInfo, given: list[Guarded], at: Location | None
) -> Object:
    """A member of an enumeration, made by the `__new__` that it has of its own, which also says its value."""
    hook = class_attribute(run, info.declared, "__new__")
    if hook is not UNSET:
        arguments = Arguments([TypeValue(info.declared, info.declared.name), *given])
        found = run.over(hook, lambda leaf: python.call(run, function_of(leaf), arguments, info.frame, at))
        if isinstance(found, Object):
            return found
    made = run.make(info.declared, info.declared.name, at)
    if hook is not UNSET:
        made.fields["_value_"] = Unknown(Why.UNSUPPORTED, "__new__")
    return made


def _place(value: Guarded) -> Location | None:
    return value.steps[0].at if isinstance(value, Text) and value.steps else None


def _is_descriptor(value: Guarded) -> bool:
    return (isinstance(value, Object) and value.type.startswith(("builtins.", "functools."))) or isinstance(
        value, TypeValue
    )


def members(run: Interpreter, declared: Class) -> tuple[Object, ...] | None:
    """The members of an enumeration in order, None for another class."""
    info = info_of(run, declared)
    found = info.attributes.get("<members>") if info is not None else None
    return found if isinstance(found, tuple) else None


def flags(run: Interpreter, declared: Class, number: Guarded) -> Guarded:
    """The member of a `Flag` with these bits, or the members in one that these bits are. What the latter is called hangs on
    Python's version."""
    if not isinstance(number, int):
        return unknown_from((number,), declared.simple)
    every = members(run, declared) or ()
    found = next((each for each in every if each.fields["<value>"] == number), None)
    if found is None:
        found = run.heap.get(("flags", declared, number))
    if not isinstance(found, Object):
        found = run.heap["flags", declared, number] = run.make(declared, declared.name, None)
        found.fields |= dict.fromkeys(("<value>", "_value_", "<plain>"), number)
        found.fields |= {"<flag>": True, "<name>": Unknown(Why.UNSUPPORTED, "name")}
    return found


def all_flags(run: Interpreter, declared: Class) -> int:
    """The bits that have a member of their own."""
    numbers = [each.fields["<value>"] for each in members(run, declared) or ()]
    return sum(number for number in numbers if isinstance(number, int) and number.bit_count() == 1)


def member_of(python: Python, run: Interpreter, declared: Class, value: Any, at: Location | None) -> Guarded:
    """`Enumeration(value)`."""
    info = info_of(run, declared)
    if info is not None and info.is_flag and isinstance(value, int) and not value & ~all_flags(run, declared):
        return flags(run, declared, value)
    for each in members(run, declared) or ():
        same = equal(each.fields["<value>"], value)
        if same is True or each is value:
            return each
        if not isinstance(same, bool):
            unsure = unknown_from((value,), f"{declared.simple}()")
            return Unknown(unsure.why, unsure.detail, unsure.symbol, TypeValue(declared, declared.name))
    hook = UNSET if info is None else class_attribute(run, declared, "_missing_")
    found: Guarded = None
    if info is not None and hook is not UNSET:
        leaf = TypeValue(declared, declared.name)
        bound = bind_to(python, run, hook, leaf, leaf, info.frame)
        frame = info.frame
        found = run.over(bound, lambda each: run.call(each, Arguments([value]), frame, at))

    def chosen(each: Any) -> Guarded:
        if each is None:
            run.throw(run.make(None, "builtins.ValueError", at))
            return UNSET
        return each

    return UNSET if run.guard is False else run.over(found, chosen)


def shows_value(made: Object) -> bool:
    return made.fields.get("<format>") is True


__all__ = [
    "ClassInfo",
    "bind_to",
    "class_attribute",
    "define",
    "enclosing",
    "fill",
    "info_of",
    "members",
    "read",
    "sequence",
    "write",
]
