"""Beans that code asks a container for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Entry, Guarded, Object, Text, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.jvm import beans
from subdrift.linter.resolve.semantics.jvm.candidates import Maker, presence
from subdrift.linter.resolve.semantics.jvm.managed import AT_HAND, is_application, name_of
from subdrift.linter.resolve.spring.beans import EVERY_BEAN

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java


def _names(run: Interpreter, makers: list[Maker]) -> Object:
    made = run.make(None, "[]", None)
    names = [name_of(run, each) for each in makers]
    run.heap.setdefault(_BY_NAME, {}).update(zip(names, makers, strict=True))
    made.items = list(zip(presence(run, makers), map(text, names), strict=True))
    return made


_BY_NAME = "beans by name"
"""In the heap of a run: what makes the beans whose names code has asked for."""

REGISTERED_AS = "registered by name"
"""In the heap of a run: the objects that code has handed to the container under a name."""


_SINGLETONS = "singletons"
"""In the heap of a run: the objects that code has registered as beans, each with its name and the guard that it has."""


def keep(run: Interpreter, one: Entry) -> None:
    """An object that code hands to the container under a name: `registerSingleton`."""
    run.heap.setdefault(_SINGLETONS, []).append(one)
    if isinstance(one.key, Text) and one.key.known is not None:
        run.heap.setdefault(REGISTERED_AS, {})[one.key.known] = one.value


def _kept(run: Interpreter, wanted: TypeValue) -> list[Entry]:
    """The objects of a type that code has registered."""

    def fits(leaf: Any) -> bool:
        declared = leaf.declared if isinstance(leaf, Object) else None
        if declared is not None and wanted.declared is not None:
            return run.scope.is_a(declared, wanted.declared)
        return isinstance(leaf, Object) and leaf.type == wanted.name

    return [one for one in run.heap.get(_SINGLETONS, ()) if all(fits(leaf) for _, leaf in leaves(one.value))]


def _named_bean(java: Java, run: Interpreter, near: Class | None, leaf: Any) -> Guarded:
    """`getBean("name")`: what is known of it by that name; UNSET where that is nothing."""
    name = leaf.known if isinstance(leaf, Text) else None
    if name in run.heap.get(REGISTERED_AS, ()):
        return run.heap[REGISTERED_AS][name]
    maker = run.heap.get(_BY_NAME, {}).get(name)
    if maker is not None:
        return beans.object_of(java, run, maker)
    found = beans.component_called(java, run, near, name) if near is not None and name else UNSET
    return UNSET if isinstance(found, Unknown) else found


def _type_of(java: Java, run: Interpreter, leaf: Any) -> Guarded:
    """`getType("name")`; UNSET where no bean of that name has been asked for."""
    maker = run.heap.get(_BY_NAME, {}).get(leaf.known if isinstance(leaf, Text) else None)
    declared = maker
    if isinstance(maker, Method):
        made = beans.object_of(java, run, maker)
        declared = made.declared if isinstance(made, Object) else None
    return TypeValue(declared, declared.name) if isinstance(declared, Class) else UNSET


_LOOKING_UP = frozenset(
    {
        "getBean",
        "getBeansOfType",
        "getBeansWithAnnotation",
        "getBeanNamesForType",
        "getBeanNamesForAnnotation",
    }
)
"""What code asks a container for beans with."""


_OBJECT = frozenset({"Object", "java.lang.Object"})


def looked_up(java: Java, run: Interpreter, name: str, arguments: Arguments, near: Class | None) -> Guarded:
    """What code asks the container for by class; UNSET where that is not known. The beans of a container that a program
    starts are made by the container's own run."""
    wanted = [each for each in arguments.values if isinstance(each, TypeValue)]
    if name in EVERY_BEAN and AT_HAND in run.heap and all(each.name in _OBJECT for each in wanted):
        every = [*run.heap[AT_HAND]]
        return _names(run, every) if "Names" in name else beans.gathered(java, run, every, by_name=True)
    if name == "getType" and len(arguments) == len(arguments.values) == 1:
        return run.over(arguments.values[0], partial(_type_of, java, run))
    if name == "getBean" and len(arguments) == len(arguments.values) == 1 and not wanted:
        return run.over(arguments.values[0], partial(_named_bean, java, run, near))
    if name not in _LOOKING_UP or len(wanted) != 1 or run.heap.get("program"):
        return UNSET
    declared, full = wanted[0].declared, wanted[0].name
    if declared is None and run.scope.is_absent(full):
        run.needed.add(full)
    if name != "getBean":
        makers = beans.all_of(run, full if declared is None else declared)
        kept = _kept(run, wanted[0])
        if kept and "Names" not in name:
            found = beans.gathered(java, run, makers, by_name=True)
            found.entries = [*(found.entries or ()), *kept]
            return found
        if makers or (declared is not None and is_application(run)):
            if not makers:
                run.heap.setdefault("absent beans", set()).add(declared)
            return _names(run, makers) if "Names" in name else beans.gathered(java, run, makers, by_name=True)
    else:
        said = next((each.known for each in arguments.values if isinstance(each, Text)), None) or ""
        if said in run.heap.get(REGISTERED_AS, ()):
            return run.heap[REGISTERED_AS][said]
        makers = beans.all_of(run, full if declared is None else declared)
        if said and makers and said not in [name_of(run, each) for each in makers]:
            return UNSET  # code has registered it
        if declared is None:
            found = beans.factory_bean(java, run, full, said, qualified=bool(said))
        else:
            found = beans.bean(java, run, declared, said, qualified=bool(said))
        if found is not UNSET:
            return found
    if declared is not None or not run.scope.is_absent(full):
        return UNSET
    symbol = ("injected", name, full)
    return Unknown(Why.DYNAMIC, phrase("injected", wanted[0].simple), symbol, needs=frozenset({full}))
