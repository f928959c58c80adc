"""Python's enumerations: their members, and what an operator or a value makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Function,
    Guarded,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.python.classes import (
    ClassInfo,
    bind_to,
    class_attribute,
    function_of,
    info_of,
    is_descriptor,
)
from subdrift.linter.resolve.semantics.python.concrete import unknown_from
from subdrift.linter.resolve.semantics.python.equality import equal

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python

_MIXED = frozenset({"builtins.str", "builtins.int", "enum.StrEnum", "enum.IntEnum", "enum.IntFlag"})

_SHOWN_AS_VALUE = frozenset({"enum.StrEnum", "enum.IntEnum", "enum.IntFlag"})


def find_members(python: Python, run: Interpreter, info: ClassInfo) -> None:
    """The names of an enumeration's body become its members; equal values are one member."""
    members: list[Object] = []
    decorated = {each.name for each in info.declared.decl.methods}
    mixed = next((each for each in info.library if each in _MIXED), "")
    last: Guarded = 0
    for name, value in list(info.attributes.items()):
        if name in decorated or name.startswith("_") or isinstance(value, Function) or is_descriptor(value):
            continue
        if isinstance(value, Object) and value.type in ("enum.member", "enum.nonmember"):
            info.attributes[name] = held = value.fields["value"]
            if value.type == "enum.nonmember":
                continue
            value = held
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
            found.fields.setdefault("_value_", given[0] if len(given) == 1 else tuple(given))
            return found
    made = run.make(info.declared, info.declared.name, at)
    if hook is not UNSET:
        made.fields["_value_"] = Unknown(Why.UNSUPPORTED, "__new__")
    return made


def _place(value: Guarded) -> Location | None:
    return value.steps[0].at if isinstance(value, Text) and value.steps else None


def members(run: Interpreter, declared: Class) -> tuple[Object, ...] | None:
    """The members of an enumeration in order, None for another class."""
    info = info_of(run, declared)
    found = info.attributes.get("<members>") if info is not None else None
    return found if isinstance(found, tuple) else None


def is_canonical(member: Object) -> bool:
    """Whether going through an enumeration comes to a member: of a `Flag`, to those of one bit."""
    value = member.fields["<value>"]
    return "<flag>" not in member.fields or not isinstance(value, int) or value.bit_count() == 1


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
            shown = python.represented(run, value)
            name = f" is not a valid {declared.name.rpartition('#')[2].rpartition('~.')[2]}"
            said = join([shown, text(name)]) if isinstance(shown, Text) else shown
            fields = {"args": (said,), "<message>": said}
            run.throw(run.make(None, "builtins.ValueError", at, fields=fields))
            return UNSET
        return each

    return UNSET if run.guard is False else run.over(found, chosen)


def shows_value(made: Object) -> bool:
    return made.fields.get("<format>") is True
