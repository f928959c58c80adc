"""Annotations of classes and members as objects, as reflection finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Entry, Frame, Guarded, Object, Text, Unknown, text
from subdrift.linter.resolve.semantics.jvm.collections import array

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.calls import Call


_READ = "annotations read"
"""In the heap of a run: the classes whose annotations code has asked for."""


def class_annotation(run: Interpreter, declared: Class, kind: Class) -> Object | None:
    """The annotation of a type on a class; None where it has none."""
    inherits = kind.annotation("Inherited") is not None
    for owner in run.scope.supers(declared) if inherits else (declared,):
        found = annotation(run, owner, owner.decl.annotations, kind)
        if found is not None:
            return found
    return None


def lacks(run: Interpreter, declared: Class, simple: str) -> bool:
    """Whether a class has no annotation of a name of the library's, nor one above it, nor several that one may hold."""
    written = [
        one.name.rpartition(".")[2] for each in run.scope.supers(declared) for one in each.decl.annotations
    ]
    return simple not in written and len(written) == len(set(written)) and not run.absent_above(declared)


def class_annotations(run: Interpreter, declared: Class, kind: Class, place: Location) -> Object:
    """The annotations of a type on a class, which may be several."""
    inherits = kind.annotation("Inherited") is not None
    for owner in run.scope.supers(declared) if inherits else (declared,):
        found = annotations_of_type(run, owner, owner.decl.annotations, kind)
        if found:
            return array(run, found, place)
    return array(run, [], place)


def merged_annotation(
    run: Interpreter, declared: Class, method: Method | None, kind: Class, *, inherits: bool, merges: bool
) -> Guarded:
    """The annotation of a type on a class, or a method of it, or on one of its annotations; where it `inherits`, on those
    above it too, where it `merges`, as those that carry it override its attributes. None where it is nowhere, and unknown
    where that hangs on a class that nobody has read.

    Mirrors AnnotationUtils and AnnotatedElementUtils, Spring 5.3: a place's own annotations before what those carry.
    """
    for owner in run.scope.supers(declared) if inherits else (declared,):
        for written in _written(declared, method, owner):
            found = annotation(run, owner, written, kind)
            if found is not None:
                return _mirrored(run, found, kind)
            carried = _carried(run, owner, written, kind, merges=merges)
            if carried is not None:
                return carried
    return Unknown(Why.DYNAMIC, f"@{kind.simple}") if inherits and run.absent_above(declared) else None


def _written(declared: Class, method: Method | None, owner: Class) -> list[Sequence[ir.Annotation]]:
    """The annotations of a class, or of the methods of it that are a method or that it overrides."""
    if method is None:
        return [owner.decl.annotations]
    return [
        each.decl.annotations
        for each in owner.methods.get(method.name, ())
        if each is method or (owner is not declared and each.arity == method.arity)
    ]


def _carried(
    run: Interpreter, owner: Class, written: Sequence[ir.Annotation], kind: Class, *, merges: bool
) -> Object | None:
    """The annotation of a type that some annotations carry, or theirs do; None where none does."""
    found = next((made for made, named in meant(run, owner, written, merges) if named is kind), None)
    if found is not None:
        run.heap.setdefault(_READ, set()).add((owner.origin, owner.name))
    return found


def meant(
    run: Interpreter, owner: Class, written: Sequence[ir.Annotation], merges: bool
) -> Iterator[tuple[Object, Class]]:
    """Some annotations and those that they carry, of types of the program, each with its type; outer ones first. None
    counts as read for that."""
    seen: set[Class] = set()
    levels: list[tuple[Object | None, Class, Sequence[ir.Annotation]]] = [(None, owner, written)]
    for outer, near, level in levels:
        for one in level:
            named = run.scope.named(one.name, near)
            if not isinstance(named, Class) or named.kind != "annotation" or named in seen:
                continue
            seen.add(named)
            read = set(run.heap.setdefault(_READ, set()))
            made = _annotated(run, near, one, named)
            run.heap[_READ] = read
            if outer is not None and merges:
                _override(run, outer, near, made, named)
            yield _mirrored(run, made, named), named
            levels.append((made, named, named.decl.annotations))


def _override(run: Interpreter, outer: Object, carrier: Class, made: Object, kind: Class) -> None:
    """Hands the attributes of an annotation to the one that it carries: those that are an alias, or of the same name."""
    for name, decl in carrier.fields.items():
        target, attribute = alias(run, carrier, decl)
        if target in (None, carrier) and name != "value":
            target, attribute = kind, name
        if target is kind and attribute in kind.fields and name in outer.fields:
            value, ref = outer.fields[name], kind.fields[attribute].type
            made.fields[attribute] = _as_array(run, value, made) if _is_array(ref) else value


def _mirrored(run: Interpreter, made: Object, kind: Class) -> Object:
    """An annotation whose attributes that stand for each other say the same."""
    for name, decl in kind.fields.items():
        target, attribute = alias(run, kind, decl)
        if target is kind and attribute in made.fields and name in made.fields:
            plain = _attribute(run, _default(kind, decl), run.frame(kind, None))
            if not _is_same(made.fields[name], plain):
                made.fields[attribute] = made.fields[name]
    return made


def _is_same(one: Guarded, other: Guarded) -> bool:
    if isinstance(one, Object) and isinstance(other, Object):
        return one.items == other.items
    if isinstance(one, Text) and isinstance(other, Text):
        return one.known is not None and one.known == other.known
    return bool(one == other)


def alias(run: Interpreter, holder: Class, decl: ir.FieldDecl) -> tuple[Class | str | None, str]:
    """The annotation and the attribute of it that `@AliasFor` says an attribute stands for."""
    for use in decl.annotations:
        if use.name.rpartition(".")[2] != "AliasFor":
            continue
        said = {each.name or "value": each.value for each in use.args}
        kind, named = said.get("annotation"), said.get("attribute", said.get("value"))
        attribute = str(named.value) if isinstance(named, ir.Const) else decl.name
        return (
            run.scope.named(kind.type.name, holder) if isinstance(kind, ir.TypeLiteral) else holder
        ), attribute
    return None, ""


def annotation(
    run: Interpreter, owner: Class, written: Sequence[ir.Annotation], kind: Class
) -> Object | None:
    """The one of some annotations of a type, as an object with its attributes; None where none is. Several of one type
    stand in an annotation that holds them."""
    found = [one for one in written if run.scope.named(one.name, owner) is kind]
    if len(found) == 1:
        return _annotated(run, owner, found[0], kind)
    if found:
        return None
    for one in written:
        named = run.scope.named(one.name, owner)
        if isinstance(named, Class) and holder_of(run, named) is kind:
            several = [each for each in written if run.scope.named(each.name, owner) is named]
            if len(several) > 1:
                held = [_annotated(run, owner, each, named) for each in several]
                made = run.make(None, "Annotation", owner.at(one.at))
                made.fields["value"] = array(run, held, made.at)
                return made
    return None


def annotations_of_type(
    run: Interpreter, owner: Class, written: Sequence[ir.Annotation], kind: Class
) -> list[Guarded]:
    """All of some annotations that are of a type, also those that one holds which is written out."""
    found = [one for one in written if run.scope.named(one.name, owner) is kind]
    holder = None if found else holder_of(run, kind)
    held = annotation(run, owner, written, holder) if holder is not None else None
    value = held.fields.get("value") if held is not None else None
    if isinstance(value, Object) and value.items is not None:
        return [item for _, item in value.items]
    return [_annotated(run, owner, one, kind) for one in found]


def holder_of(run: Interpreter, kind: Class) -> Class | None:
    """The annotation that holds those of a type where there are several, as `@Repeatable` says."""
    repeatable = kind.annotation("Repeatable")
    said = repeatable.args[0].value if repeatable is not None and repeatable.args else None
    if not isinstance(said, ir.TypeLiteral):
        return None
    named = run.scope.named(said.type.name, kind)
    return named if isinstance(named, Class) else None


def _annotated(run: Interpreter, owner: Class, one: ir.Annotation, kind: Class) -> Object:
    """An annotation that is written, as an object with its attributes."""
    run.heap.setdefault(_READ, set()).add((owner.origin, owner.name))
    near = run.frame(owner, None)
    given = _in_order(kind.decl.components or (), one)
    made = run.make(None, "Annotation", owner.at(one.at))
    for name, decl in kind.fields.items():
        said = given.get(name)
        frame = near if said is not None else run.frame(kind, None)
        said = said if said is not None else _default(kind, decl)
        value = _attribute(run, said, frame)
        made.fields[name] = _as_array(run, value, made) if _is_array(decl.type) else value
    return made


def _is_array(ref: ir.TypeRef | None) -> bool:
    return ref is not None and ref.name == "[]"


def _as_array(run: Interpreter, value: Guarded, made: Object) -> Guarded:
    """What an attribute that is an array is given, which may be one element."""
    alone = not (isinstance(value, Object) and value.items is not None)
    return array(run, [value], made.at) if alone else value


def _attribute(run: Interpreter, said: ir.Expr | None, frame: Frame) -> Guarded:
    """What an attribute of an annotation is written as, which may be annotations again."""
    owner = frame.owner
    if isinstance(said, ir.Sequence) and owner is not None:
        held = [_attribute(run, one, frame) for one in said.items]
        return array(run, held, owner.at(said.at))
    if not isinstance(said, ir.New) or owner is None:
        return None if said is None else run.value(said, frame)
    named = run.scope.named(said.type.name, owner)
    if isinstance(named, str):
        run.needed.add(named)
    elif named.kind == "annotation":
        return _annotated(run, owner, ir.Annotation(said.type.name, said.args, said.at), named)
    return run.value(said, frame)


def _in_order(components: Sequence[ir.Param], written: ir.Annotation) -> dict[str, ir.Expr]:
    """The arguments of an annotation by name. Those of Kotlin stand in the order of its constructor too, of which one may
    take the rest."""
    if not components:
        return {each.name or "value": each.value for each in written.args}
    rest = next((each.name for each in components if each.kind == "..."), "")
    given: dict[str, ir.Expr] = {}
    several: list[ir.Expr] = []
    left = list(components)
    for place, each in enumerate(written.args):
        name = "" if each.name == "value" and not place else each.name
        if not name and left:
            name = left[0].name if left[0].kind == "..." else left.pop(0).name
        if name == rest and not isinstance(each.value, ir.Sequence):
            several.append(each.value)
        else:
            given[name] = each.value
            left = [other for other in left if other.name != name]
    if rest:
        given.setdefault(rest, ir.Sequence("array", tuple(several), written.at))
    return given


def _default(kind: Class, decl: ir.FieldDecl) -> ir.Expr | None:
    component = next((each for each in kind.decl.components or () if each.name == decl.name), None)
    return decl.value if component is None else component.default


def as_table(call: Call, found: Guarded) -> Guarded:
    """An annotation as a map of its attributes, as Spring hands them out."""
    if isinstance(found, Object) and found.type == "Annotation":
        entries = [Entry(True, text(name), as_table(call, value)) for name, value in found.fields.items()]
        return call.table("LinkedHashMap", entries)
    if isinstance(found, Object) and found.items is not None:
        return call.listed(
            found.type, [(guard, as_table(call, one)) for guard, one in found.items], found.open
        )
    return found
