"""Options of a command line (`CommandLineSwitches`): what the models of picocli, Commons CLI and JCommander stand on.

An option is its default unless the command line says otherwise: a key that nobody configures, named as it is written.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import apply
from subdrift.linter.resolve.execute.peers import Effect, constant
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import Guarded, Key, Object, Step, Text, Unknown, text
from subdrift.linter.resolve.semantics.jvm.binding import Binding
from subdrift.linter.resolve.semantics.jvm.binding_policies import Wanted, policy_of
from subdrift.linter.resolve.semantics.jvm.calls import Call, static
from subdrift.linter.resolve.semantics.jvm.natives.reflection import written_by_reflection

OWNER: Final = "CommandLineSwitches"
_OPTIONS: Final = frozenset({"Option", "Parameters", "Parameter"})
_MIXED_IN: Final = frozenset({"Mixin", "ParametersDelegate", "ArgGroup"})
"""Fields whose object has options of its own."""
_GIVEN: Final = frozenset({"ParentCommand", "Spec", "Unmatched", "DynamicParameter", "Argument"})
"""Fields that the library sets to what is not followed."""


@static(OWNER, "overruled", cost=constant)
def _overruled(call: Call) -> Guarded:
    """`overruled(value, name)`: a default, unless the command line says otherwise."""
    value, name = call.args.first(2)
    written = name.known if isinstance(name, Text) else None
    return call.run.over(value, partial(default_of, call, written or "?"))


def default_of(call: Call, name: str, leaf: Any) -> Any:
    """What an option of a name is whose default is `leaf`; None: it has none, and what it is nobody knows."""
    said = phrase("option-of-command-line", name)
    if leaf is None:
        return Unknown(Why.DYNAMIC, said, ("option", name))
    if isinstance(leaf, bool):
        return Test("equal", (_key(call, name, text(str(leaf)), ()), text("True")))
    if isinstance(leaf, Text) and leaf.known is not None:
        return _key(call, name, Text(leaf.parts, leaf.steps), leaf.steps)
    if isinstance(leaf, Object) and leaf.items is not None and leaf.declared is None:
        leaf.items = [(g, apply(partial(default_of, call, name), each)) for g, each in leaf.items]
    return leaf


def _key(call: Call, name: str, default: Text, steps: tuple[Step, ...]) -> Text:
    said = phrase("option-of-command-line", name)
    return Text((Key(text(name), default, "env"),), (Step(call.place, said), *steps))


@static(OWNER, "codeOf")
def _code(call: Call) -> Guarded:
    """With which code the command ends that a command line names."""
    return call.unknown("execute()")


@static(OWNER, "fill", effect=Effect.MUTATES_ARGUMENT | Effect.CALLS_ARGUMENT)
def _fill(call: Call) -> Guarded:
    """`fill(object)`: each field that is an option gets the default of its annotation, or keeps its own."""

    def one(leaf: Any) -> None:
        if isinstance(leaf, Object) and leaf.declared is not None:
            _fill_object(call, leaf, leaf.declared, 0)

    call.run.over(call.args[0], one)
    return None


def _fill_object(call: Call, made: Object, declared: Class, depth: int) -> None:
    for owner in reversed(call.run.scope.supers(declared)):
        for decl in owner.fields.values():
            for one in decl.annotations:
                kind = one.name.rpartition(".")[2]
                if kind in _OPTIONS:
                    _fill_field(call, made, owner, decl, one)
                elif kind in _GIVEN:
                    _put(call, made, owner, decl, Unknown(Why.DYNAMIC, decl.name))
                elif kind in _MIXED_IN and depth < 8:
                    _mix_in(call, made, owner, decl, depth)
        for methods in owner.methods.values():
            for method in methods:
                if any(each.name.rpartition(".")[2] in _OPTIONS for each in method.decl.annotations):
                    written_by_reflection(call.run, made)  # an option is set by a method


def _mix_in(call: Call, made: Object, owner: Class, decl: ir.FieldDecl, depth: int) -> None:
    run, java = call.run, call.java
    held = java.read(run, made, decl.name, owner, decl)
    if held is None and decl.type is not None:  # picocli makes what is not there
        named = run.scope.named(decl.type.name, owner)
        if isinstance(named, Class) and named.concrete:
            held = java.instantiate(run, named, Arguments([]), run.frame(owner, made), call.place)
            _put(call, made, owner, decl, held)
    if isinstance(held, Object) and held.declared is not None:
        _fill_object(call, held, held.declared, depth + 1)


def _fill_field(call: Call, made: Object, owner: Class, decl: ir.FieldDecl, one: ir.Annotation) -> None:
    run, near = call.run, call.run.frame(owner, None)
    given = {each.name or "value": run.value(each.value, near) for each in one.args}
    value = call.java.read(run, made, decl.name, owner, decl)
    default = given.get("defaultValue")
    if isinstance(default, Text) and default.known != "_NULL_":
        value = _converted(call, default, decl, Wanted(decl.type or ir.TypeRef("Object"), near))
    elif given.get("required") is True:
        value = None
    elif (
        value is None
        and decl.type is not None
        and decl.type.name.rpartition(".")[2] in ("boolean", "Boolean")
    ):
        value = False
    name = _written(given.get("names"), decl.name)
    if given.get("help") is True or given.get("usageHelp") is True or given.get("versionHelp") is True:
        return
    _put(call, made, owner, decl, run.over(value, partial(default_of, call, name)))


def _converted(call: Call, default: Text, decl: ir.FieldDecl, kind: Wanted) -> Guarded:
    """The text of a default as the type of its field has it."""
    if default.known is None or "${" in default.known:
        return Unknown(Why.DYNAMIC, decl.name)
    name = kind.ref.name.rpartition(".")[2]
    policy = policy_of("gson", Object(None, "", 0))
    assert policy is not None
    binding = Binding(call, policy)
    if name in ("List", "Collection", "Set", "[]"):
        listed = call.listed("List", [(True, default)])
        return binding.value(listed, kind)
    return binding.value(default, kind)


def _put(call: Call, made: Object, owner: Class, decl: ir.FieldDecl, value: Guarded) -> None:
    near = call.run.frame(owner, None)
    call.java._put(
        call.run, made, decl.name, call.run.typed(value, decl.type, near), call.run.guard, owner, decl
    )


def _written(names: Guarded, name: str) -> str:
    """The longest of the names of an option."""
    if isinstance(names, Object) and names.items:
        found = [each.known or "" for _, each in names.items if isinstance(each, Text)]
        return max(found, key=len, default=name)
    return (names.known or name) if isinstance(names, Text) else name


@static(OWNER, "commands")
def _commands(call: Call) -> Guarded:
    """`commands(object)`: objects of the subcommands that the annotation of its class names."""
    made = call.listed("List")
    leaf = call.args[0]
    declared = leaf.declared if isinstance(leaf, Object) else None
    for one in declared.decl.annotations if declared is not None else ():
        if declared is None or one.name.rpartition(".")[2] != "Command":
            continue
        near = call.run.frame(declared, None)
        given = next((each.value for each in one.args if each.name == "subcommands"), None)
        value = call.run.value(given, near) if given is not None else None
        listed = value.items if isinstance(value, Object) and value.items is not None else [(True, value)]
        for _, kind in listed:
            inner = getattr(kind, "declared", None)
            if isinstance(inner, Class) and inner.concrete:
                sub = call.java.instantiate(call.run, inner, Arguments([]), near, call.place)
                made.items = [*(made.items or ()), (True, sub)]
    return made
