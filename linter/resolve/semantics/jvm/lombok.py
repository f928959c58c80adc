"""Members that Lombok writes: accessors, constructors, builders; and the accessors of records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.guards import UNSET, pick
from subdrift.linter.resolve.execute.interpreter import Arguments, Interpreter
from subdrift.linter.resolve.execute.program import Class
from subdrift.linter.resolve.execute.values import Frame, Guarded, Object

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.jvm.java import Java

_READS = ("Getter", "Data", "Value")
_WRITES = ("Setter", "Data")
_CONSTRUCTS = ("AllArgsConstructor", "RequiredArgsConstructor", "Data", "Value", "Builder", "SuperBuilder")


def known(name: str) -> bool:
    """Whether a name looks like an accessor."""
    return name.startswith(("get", "set", "is"))


def field_of(run: Interpreter, declared: Class, name: str) -> tuple[Class, ir.FieldDecl] | None:
    """The field an accessor's name means, where the class or the field asks for accessors."""
    for prefix, asking in (("get", _READS), ("is", _READS), ("set", _WRITES)):
        if name.startswith(prefix) and len(name) > len(prefix):
            rest = name[len(prefix) :]
            for each in (rest[0].lower() + rest[1:], rest, f"is{rest}"):
                found = run.scope.field(declared, each)
                if found is not None and _asked(found, asking):
                    return found
    return None


def _asked(found: tuple[Class, ir.FieldDecl], annotations: tuple[str, ...]) -> bool:
    holder, decl = found
    return any(
        one.name.rpartition(".")[2] in annotations for one in (*holder.decl.annotations, *decl.annotations)
    )


def is_component(leaf: Object, name: str, arguments: Arguments) -> bool:
    """Whether a call means a record's own accessor, before anything its interfaces say under that name."""
    declared = leaf.declared
    return (
        declared is not None
        and declared.kind == "record"
        and not arguments.values
        and name in leaf.fields
        and not any(len(one.decl.params) == 0 for one in declared.methods.get(name, ()))
    )


def accessor(java: Java, run: Interpreter, leaf: Object, name: str, arguments: Arguments) -> Guarded:
    """An accessor nobody wrote: of Lombok, or a record's; UNSET where there is none."""
    declared = leaf.declared
    if declared is None:
        return UNSET
    values = arguments.values
    if declared.kind == "record" and not values and name in leaf.fields:
        return leaf.fields[name]
    found = field_of(run, declared, name)
    if found is None:
        builder = leaf.fields.get("<builds>")
        if isinstance(builder, Object):
            return _build(run, leaf, builder, name, values)
        fluent = run.scope.field(declared, name)
        if fluent is not None and not values and _fluent(fluent[0]) and _asked(fluent, _READS):
            return java.read(run, leaf, name, *fluent)
        if fluent is not None and len(values) == 1 and _fluent(fluent[0]) and _asked(fluent, _WRITES):
            leaf.fields[name] = pick(run.guard, values[0], java.read(run, leaf, name, *fluent))
            return leaf
        if fluent is not None and name.startswith("with") is False:
            return UNSET
        return UNSET
    holder, decl = found
    if name.startswith("set"):
        if len(values) != 1:
            return UNSET
        java._put(run, leaf, decl.name, values[0], run.guard, holder, decl)
        return leaf if _chained(holder) else None
    return UNSET if values else java.read(run, leaf, decl.name, holder, decl)


def _fluent(holder: Class) -> bool:
    accessors = holder.annotation("Accessors")
    return accessors is not None and any(
        a.name == "fluent" and isinstance(a.value, ir.Const) and a.value.value is True for a in accessors.args
    )


def _chained(holder: Class) -> bool:
    accessors = holder.annotation("Accessors")
    return accessors is not None and any(a.name in ("chain", "fluent") for a in accessors.args)


def construct(java: Java, run: Interpreter, made: Object, declared: Class, arguments: Arguments) -> None:
    """A constructor of Lombok's: the fields in order, all of them or those that must be set."""
    names = {one.name.rpartition(".")[2] for one in declared.decl.annotations}
    if not names & set(_CONSTRUCTS):
        return
    every = [one for one in declared.decl.fields if not one.static]
    required = [one for one in every if (one.final and one.value is None) or _non_null(one)]
    for chosen in (every, required):
        if len(chosen) == len(arguments.values):
            for one, value in zip(chosen, arguments.values, strict=True):
                made.fields[one.name] = value
            return


def _non_null(one: ir.FieldDecl) -> bool:
    return any(a.name.rpartition(".")[2] == "NonNull" for a in one.annotations) and one.value is None


def static_call(
    java: Java, run: Interpreter, declared: Class, name: str, arguments: Arguments, frame: Frame, at: Location
) -> Guarded:
    """`Type.builder()` and `Type.of(…)` of Lombok's."""
    if name == "builder" and declared.annotation("Builder", "SuperBuilder") is not None:
        built = java.instantiate(run, declared, Arguments([]), frame, at)
        made = run.make(declared, f"{declared.name}.Builder", at)
        made.fields["<builds>"] = built
        return made
    for annotation in declared.decl.annotations:
        for one in annotation.args:
            if one.name == "staticName" and isinstance(one.value, ir.Const) and one.value.value == name:
                return java.instantiate(run, declared, arguments, frame, at)
    return UNSET


def _build(run: Interpreter, leaf: Object, built: Object, name: str, values: list[Any]) -> Guarded:
    if name == "build" and not values:
        return built
    if len(values) == 1:
        built.fields[name] = pick(run.guard, values[0], built.fields.get(name))
        return leaf
    return UNSET
