"""Modules and what they import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from subdrift.linter.clients.python import is_client_module
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.declarations import File
from subdrift.linter.resolve.execute.given_up import lose_filled, lose_global
from subdrift.linter.resolve.execute.guards import UNSET, Overgrown, both, leaves, negate
from subdrift.linter.resolve.execute.havoc import assigned_in
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Frame, Gap, Guarded, Object, Text, TypeValue, Unknown, text
from subdrift.linter.resolve.semantics.python import containers, escaped, library, modelled
from subdrift.linter.resolve.semantics.python.functions import MODULES, module_frame, own_modules
from subdrift.linter.resolve.semantics.python.names import Ambiguous, ModuleIndex, is_declared

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


_WRITTEN_BY_TOOLS = ("_pb2", "_pb2_grpc", "version")

ALONE = "python alone"
"""Set in the heap of a run that loads no modules but those that import nothing."""


def module(python: Python, run: Interpreter, file: File, name: str = "") -> Frame:
    """The frame of a module, its body run once; `name` "" : it is the program that was started."""
    loaded: dict[Origin, Frame] = run.heap.setdefault(MODULES, {})
    if file.origin in loaded:
        return loaded[file.origin]
    owner = file.classes["~"]
    (method,) = owner.methods["<module>"]
    frame = run.frame(owner, None, method=method)
    loaded[file.origin] = frame
    value = run.make(None, "module", None)
    value.fields = frame.variables
    run.heap["python module value", file.origin] = value
    run.heap["python module origin", value] = (file.origin, name)
    frame.variables["__name__"] = text(name or "__main__")
    inside = file.origin.path.endswith("__init__.py")
    frame.variables["__package__"] = text(name if inside else name.rpartition(".")[0]) if name else None
    frame.variables["__file__"] = Text((Gap(Why.DYNAMIC, "__file__", ("file", file.origin)),))
    before, raised = run.guard, run.raised
    run.guard, run.raised = True, []
    if not file.model:
        run.enters(method)
    running = run.heap.setdefault("python running", set())
    running.add(value)
    depth = run.depth
    for statement in method.decl.body or ():
        try:
            run.run((statement,), frame)
        except Overgrown:  # costs what the statement binds, not what the rest of the program does
            run.outgrow()
            run.guard, run.raised, run.depth = True, [], depth
            for name in assigned_in(statement):
                frame.variables[name] = Unknown(Why.TOO_MANY, name)
    running.discard(value)
    if not name:
        run.came_back()
    run.guard, run.raised = before, raised
    return frame


def import_any(python: Python, run: Interpreter, reason: Unknown) -> None:
    """A module of which nobody knows the name is loaded: it may call any function of those that are, and so put something
    into what they hold (`@handler("topic")`)."""
    for frame in own_modules(run):
        assert frame.owner is not None
        lose_filled(run, frame.owner.file, frame.variables, reason)


def lose_called(run: Interpreter, name: str, leaf: Unknown, reason: Unknown) -> None:
    """A method or property of a name is asked for on what nobody knows, and may be one of the program's own."""
    if not run.brief and leaf.type is None:
        own = {each.owner.file: each.variables for each in own_modules(run) if each.owner is not None}
        lose_global(run, name, own, reason)
        if name:
            escaped.lose(run, reason, name)


def modules(python: Python, run: Interpreter) -> ModuleIndex:
    """The index of the program's modules, built once for a program."""
    if python._index is None or python._indexed is not run.scope.program:
        python._indexed = run.scope.program
        python._index = ModuleIndex(run.scope.program.origins())
    return python._index


def module_value(python: Python, run: Interpreter, origin: Origin, name: str) -> Guarded:
    """A module as a value; its attributes are the variables of its frame."""
    key = ("python module value", origin)
    found = run.heap.get(key)
    if found is None:
        file = run.scope.program.file(origin)
        if file is None:
            return Unknown(Why.UNDEFINED, name)
        if run.heap.get(ALONE) and file.unit.imports:
            return Unknown(Why.DYNAMIC, name, ("module", origin))
        python.module(run, file, name)
        found = run.heap[key]
    assert isinstance(found, Object)
    return found


def import_(python: Python, run: Interpreter, node: ir.Import, frame: Frame) -> None:
    """`import …`, `from … import …`: binds what it says in the frame."""
    assert frame.owner is not None
    near = frame.owner.file.origin
    if node.tried and not node.level and not installed(python, run, near, node.path, frame, node.at):
        return
    if not node.member:
        if node.name:
            value = python.absolute(run, near, node.path)
        else:
            for end in range(2, node.path.count(".") + 2):
                python.absolute(run, near, ".".join(node.path.split(".")[:end]))
            value = python.absolute(run, near, node.path.split(".")[0])
        python.assign_name(run, node.name or node.path.split(".")[0], value, frame, node.at)
        return
    if node.level:
        value = relative(python, run, frame, node.level, node.path)
    else:
        value = python.absolute(run, near, node.path)
    if node.wildcard:
        star(python, run, value, frame, node.at)
        return
    member = python.member(run, value, node.member, frame, node.at)
    python.assign_name(run, node.name, member, frame, node.at)


def installed(python: Python, run: Interpreter, near: Origin, path: str, frame: Frame, at: ir.At) -> bool:
    """A module that is neither here nor Python's own may be missing: where the code handles that, both happen."""
    index = python.modules(run)
    top = path.split(".")[0]
    if (
        python.is_known(run, near, path)
        or index.is_package(near, top)
        or index.absolute(near, top) is not None
    ):
        return True
    question = Unknown(Why.DYNAMIC, phrase("whether-is-installed", top), ("installed", top))
    there = run.guard_of(question, frame, at)
    before = run.guard
    run.guard = both(before, negate(there))
    run.throw(run.make(None, "builtins.ModuleNotFoundError", run.place(frame, at)))
    run.guard = both(before, there)
    return run.guard is not False


def is_known(python: Python, run: Interpreter, near: Origin, path: str) -> bool:
    """Whether a module is here, a client's or Python's own."""
    own = path.split(".")[0] in library.STANDARD or is_client_module(path) or modelled.has_module(run, path)
    return own or python.modules(run).absolute(near, path) is not None


def member(python: Python, run: Interpreter, module: Guarded, name: str, frame: Frame, at: ir.At) -> Guarded:
    """`from module import name`."""
    return run.over(module, lambda leaf: python.attribute(run, leaf, name, frame, at))


def relative(python: Python, run: Interpreter, frame: Frame, level: int, path: str) -> Guarded:
    """A module by its name from the package of a frame's code."""
    assert frame.owner is not None
    near = frame.owner.file.origin
    origin = python.modules(run).relative(near, level, path)
    if origin is None:
        run.scope.definitions.missing.add("." * (level + 1) + path)
        lacks(run, path or ".")
        folder = near.path.split("/")[:-1]
        base = folder[: len(folder) - (level - 1)]
        return namespace(python, run, near, ".".join([*base, path] if path else base))
    package = module_frame(frame).variables.get("__package__")
    known = package.known if isinstance(package, Text) else None
    above = known.split(".") if known else []
    above = above[: len(above) - (level - 1)]
    return python.module_value(
        run, origin, ".".join([*above, path] if path else above) or path or origin.path.split("/")[-2]
    )


def absolute(python: Python, run: Interpreter, near: Origin, path: str) -> Guarded:
    """A module by its full name, seen from a file."""
    if modelled.is_model(run, near):
        return TypeValue(None, path)
    index = python.modules(run)
    found = index.absolute(near, path)
    if isinstance(found, Ambiguous):
        return Unknown(Why.AMBIGUOUS, path)
    if found is not None and is_client_module(path):
        file = run.scope.program.file(found)
        if file is not None and run.scope.program.is_machinery(file):
            return TypeValue(None, path)  # what the tables say, also where its source is here
    if found is not None:
        return python.module_value(run, found, path)
    if index.is_package(near, path):
        run.scope.definitions.missing.add(f".{path}")  # its `__init__.py` may be one nobody has read
        return namespace(python, run, near, path)
    if path.split(".")[0] not in library.STANDARD:
        run.scope.definitions.missing.add(f".{path}")
        beside = index.is_package(near, path.split(".")[0]) and not is_client_module(path)
        if beside or may_be_own(python, run, near, path):
            lacks(run, path)
    return TypeValue(None, path)


def may_be_own(python: Python, run: Interpreter, near: Origin, path: str) -> bool:
    """Whether a module that is not here may be one beside the program: its build, which declares what it takes in, names
    no library that it can be of."""
    if is_client_module(path) or modelled.has_module(run, path) or scope_of(near.path) == "test":
        return False
    modules = run.scope.definitions.modules
    module = modules.modules.get(modules.of(near))
    taken = [one.coordinate for one in module.dependencies] if module is not None else []
    return bool(taken) and not is_declared(path.split(".")[0], taken)


def namespace(python: Python, run: Interpreter, near: Origin, path: str) -> Object:
    """A folder without `__init__.py` as a module."""
    key = ("python namespace", near.repo, path)
    made = run.heap.get(key)
    if made is None:
        made = run.heap[key] = run.make(None, "module", None)
        run.heap["python module origin", made] = (Origin(near.repo, near.path), path)
    assert isinstance(made, Object)
    return made


def star(python: Python, run: Interpreter, module: Guarded, frame: Frame, at: ir.At) -> None:
    for _, leaf in leaves(module, run.guard):
        if isinstance(leaf, TypeValue):
            known = frame.variables.get("<stars>", ())
            frame.variables["<stars>"] = (*known, leaf.name)
        if not isinstance(leaf, Object) or leaf.type != "module":
            continue
        chosen = containers.pairs(leaf.fields.get("__all__"))
        names = [item.known for _, item in chosen or () if isinstance(item, Text) and item.known]
        for name in names if chosen is not None else [each for each in leaf.fields if each[0] not in "_<"]:
            python.assign_name(run, name, python.attribute(run, leaf, name, frame, at), frame, at)


def submodule(python: Python, run: Interpreter, module: Object, name: str) -> Guarded:
    """A module inside a package that nobody has imported by itself; importing the package brings it in here."""
    origin, dotted = run.heap["python module origin", module]
    index = python.modules(run)
    inner = index.inside(origin, name) if origin.path.endswith("__init__.py") else None
    if inner is None:
        found = index.absolute(origin, f"{dotted}.{name}") if dotted else None
        inner = found if isinstance(found, Origin) else None
    if inner is not None:
        return python.module_value(run, inner, f"{dotted}.{name}")
    run.scope.definitions.missing.add(f".{dotted}.{name}" if dotted else f".{name}")
    if "__getattr__" in module.fields:
        return UNSET
    lacks(run, f"{dotted}.{name}" if dotted else name)
    return Unknown(Why.CYCLE, name) if module in run.heap.get("python running", ()) else UNSET


def lacks(run: Interpreter, path: str) -> None:
    """A module of the program's own is not here: its code may call any function of the program, unless it is one that is
    written by a tool, or a constant that is asked for."""
    if not path.endswith(_WRITTEN_BY_TOOLS) and not path.rpartition(".")[2].isupper():
        run.unread.add(path)
