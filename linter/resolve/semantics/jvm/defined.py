"""Bean definitions that code of a program hands to its container, and the annotations that such code is told of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import UNSET, both, under
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import (
    Bound,
    Entry,
    Function,
    Guarded,
    Key,
    Object,
    Text,
    TypeValue,
    Unknown,
)
from subdrift.linter.resolve.semantics.jvm import beans, looked_up, managed
from subdrift.linter.resolve.semantics.jvm.calls import Call, at_of, static
from subdrift.linter.resolve.semantics.jvm.natives import declared_annotations

REGISTERED = "registered beans"
"""In the heap of a run: the objects that the container is still to call back, each with its guard."""


def asked(call: Call, leaf: Unknown) -> Guarded:
    """What a registry, or what is told of the class that brings a registrar in, answers; UNSET for anything else."""
    name, args, simple = call.name, call.args, leaf.type.simple if leaf.type is not None else ""
    if name == "registerBeanDefinition" and len(args) == 2:
        call.run.over(args[1], partial(_register, call))
        return None
    if name == "registerBean" and simple.endswith("ApplicationContext"):
        return _register_class(call)
    if name == "registerSingleton" and len(args) == 2:
        looked_up.keep(call.run, Entry(call.run.guard, args[0], args[1], call.place))
        return None
    if (
        name == "getAnnotationAttributes"
        and simple in ("AnnotationMetadata", "AnnotatedTypeMetadata")
        and args
    ):
        return call.run.over(args[0], partial(_attributes, call))
    return UNSET


def _register(call: Call, leaf: Any) -> Guarded:
    """Makes the bean of a definition."""
    if not isinstance(leaf, Object) or leaf.declared is None or not leaf.declared.file.model:
        return None
    supplier, kind = _field(call, leaf, "supplier"), _field(call, leaf, "type")
    if isinstance(supplier, Function | Bound):
        _made(call, call.invoke(supplier))
        return None
    declared = kind.declared if isinstance(kind, TypeValue) else None
    if isinstance(kind, Text) and kind.known is not None and call.frame.owner is not None:
        named = call.run.scope.named(kind.known, call.frame.owner)
        declared = named if isinstance(named, Class) else None
    if declared is None or not declared.concrete:
        return None
    given = [_resolved(value) for _, _, value in _values(call, leaf, "arguments")]
    made = _object(call, declared, given)
    for guard, name, value in _values(call, leaf, "properties"):
        before, call.run.guard = call.run.guard, both(call.run.guard, guard)
        setter = f"set{name[:1].upper()}{name[1:]}"
        call.java.call_method(
            call.run, made, setter, Arguments([_resolved(value)]), call.frame, at_of(call.place)
        )
        call.run.guard = before
    init = _field(call, leaf, "initMethod")
    _made(call, made, init.known if isinstance(init, Text) else None)
    return None


def _register_class(call: Call) -> Guarded:
    """`registerBean(name, type, supplier)`."""
    supplier = next((each for each in call.args if isinstance(each, Function | Bound)), None)
    kind = next((each for each in call.args if isinstance(each, TypeValue)), None)
    name = call.args[0].known if isinstance(call.args[0], Text) else None
    if supplier is not None:
        made = call.invoke(supplier)
        _made(call, made)
        if name is not None:
            call.run.heap.setdefault(looked_up.REGISTERED_AS, {})[name] = made
    elif kind is not None and kind.declared is not None and kind.declared.concrete:
        _made(call, _object(call, kind.declared, []))
    return None


def _object(call: Call, declared: Class, given: list[Guarded]) -> Guarded:
    chosen = managed.constructor_of(declared)
    if not given and chosen is not None:
        given = [beans.parameter(call.java, call.run, chosen, one) for one in chosen.decl.params]
    return call.java.instantiate(call.run, declared, Arguments(given), call.frame, call.place)


def _made(call: Call, value: Guarded, init: str | None = None) -> None:
    def one(leaf: Any) -> Guarded:
        if isinstance(leaf, Object) and leaf.declared is not None:
            leaf.bean = True
            call.run.heap.setdefault(REGISTERED, []).append((call.run.guard, leaf, init))
        return None

    call.run.over(value, one)


def _field(call: Call, leaf: Object, name: str) -> Guarded:
    return under(leaf.fields.get(name), call.run.guard)


def _values(call: Call, leaf: Object, name: str) -> Iterator[tuple[Guarded, str, Guarded]]:
    """The arguments or properties of a definition, each with its guard and name."""
    held = _field(call, leaf, name)
    held = _field(call, held, "values") if isinstance(held, Object) else None
    for entry in held.entries or () if isinstance(held, Object) else ():
        known = entry.key.known if isinstance(entry.key, Text) else None
        yield entry.guard, known or "", entry.value


def _resolved(value: Guarded) -> Guarded:
    """A text of a definition as the container resolves it."""
    if isinstance(value, Text) and value.known is not None and "${" in value.known:
        return Text((Key(value, None, "placeholders"),), value.steps)
    return value


def _attributes(call: Call, leaf: Any) -> Guarded:
    """The attributes of an annotation of a type by its full name, on the one class that carries it."""
    known = leaf.known if isinstance(leaf, Text) else None
    owner = call.frame.owner
    kind = call.run.scope.named(known, owner) if known is not None and owner is not None else None
    carriers = call.run.scope.implementations(kind) if isinstance(kind, Class) else ()
    if not isinstance(kind, Class) or len(carriers) != 1:
        return call.unknown()
    found = declared_annotations.class_annotation(call.run, carriers[0], kind)
    return declared_annotations.as_table(call, found)


@static("PrototypeBeans", "again")
def _again(call: Call) -> Guarded:
    """What a container gives for a bean it is asked for again: of a prototype another one."""
    leaf = call.args[0]
    declared = leaf.declared if isinstance(leaf, Object) and leaf.bean else None
    if declared is None or not managed.is_prototype(declared):
        return leaf
    return beans.instance(call.java, call.run, declared)


@static("BeanFile", "autowired")
def _autowired(call: Call) -> Guarded:
    """Hands a bean of a file the beans that its setters take, by their names or types. What is there already stays where the
    container has none. Mirrors AbstractAutowireCapableBeanFactory, Spring 5.3."""
    leaf, kind = call.args
    declared = leaf.declared if isinstance(leaf, Object) else None
    by_type = isinstance(kind, Text) and kind.known == "byType"
    for owner in call.run.scope.supers(declared) if declared is not None else ():
        for name, methods in owner.methods.items():
            ref = methods[0].decl.params[0].type if methods[0].arity == 1 else None
            if ref is None or not name.startswith("set") or len(methods) > 1 or methods[0].abstract:
                continue
            place = beans.Place(f"{name[3:4].lower()}{name[4:]}", (), owner)
            makers = beans.all_of(call.run, call.run.scope.named(ref.name, owner)) if by_type else ()
            value = beans.bean_named(call.java, call.run, place.name)
            if len(makers) == 1:
                value = beans.injected(call.java, call.run, ref, place)
            if makers or (not by_type and not isinstance(value, Unknown)):
                call.run.invoke(methods[0], leaf, Arguments([value]), None, None)
    return None
