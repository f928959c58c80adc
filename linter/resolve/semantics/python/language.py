"""Python's names, objects, calls and operators (`interpreter.Semantics`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from subdrift.linter.clients.python import is_client_module, maker
from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import scope_of
from subdrift.linter.resolve.execute.deferred import told
from subdrift.linter.resolve.execute.guards import (
    UNSET,
    Diagram,
    Overgrown,
    apply,
    both,
    either,
    instead,
    is_partial,
    ite,
    leaves,
    negate,
    or_else,
    pick,
    some,
    under,
)
from subdrift.linter.resolve.execute.havoc import assigned_in, forget_contents, unless_object
from subdrift.linter.resolve.execute.identity import symbol_of
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.loops import LOOP_MAX, ending, fail
from subdrift.linter.resolve.execute.program import Class, File, Method
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.state import READERS
from subdrift.linter.resolve.execute.values import (
    OF_A_WIDTH,
    Bound,
    Entry,
    Frame,
    Function,
    Gap,
    Guarded,
    Key,
    LibraryConstant,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    join,
    text,
)
from subdrift.linter.resolve.semantics.python import (
    classes,
    consumers,
    containers,
    library,
    modelled,
    operators,
    standard,
    texts,
)
from subdrift.linter.resolve.semantics.python.classes import info_of
from subdrift.linter.resolve.semantics.python.concrete import computed, unknown_from
from subdrift.linter.resolve.semantics.python.functions import (
    CLASS_BODY,
    Code,
    Suspended,
    awaited,
    enclosing,
    module_frame,
    resume,
    suspend,
    yields,
)
from subdrift.linter.resolve.semantics.python.names import Ambiguous, ModuleIndex, is_declared
from subdrift.linter.resolve.semantics.python.natives import Call, drawn_later, function_key

_WRITTEN_BY_TOOLS = ("_pb2", "_pb2_grpc", "version")
_BINARY_METHODS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "|": "__or__",
    "&": "__and__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "@": "__matmul__",
    "==": "__eq__",
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
}


_KEPT = (Object, Function, Bound, TypeValue)
"""What is the same thing after any number of turns of a loop."""


_PLAIN_KINDS = {"dict": dict, "list": list, "set": set, "frozenset": frozenset}
"""Built-in collections, which have the attributes Python gives them and no others."""


_REPRESENTED_MAX = 8
"""Objects inside one another that `repr` shows."""


_READING = frozenset(
    {
        "get",
        "keys",
        "values",
        "items",
        "copy",
        "index",
        "count",
        "union",
        "intersection",
        "difference",
        *READERS,
    }
)
"""Methods that change nothing in what they are called on."""

_IN_PLACE = {"list": "*", "deque": "*", "set": "&-^"}
"""Operators that change a collection, beside those that add to it."""

_SLICE = {"start": "lower", "stop": "upper", "step": "step"}


ALONE = "python alone"
"""Set in the heap of a run that loads no modules but those that import nothing."""


GIVEN = "python given"
"""With the symbol of what a function gave that nobody knows in the heap: the classes of the objects it got."""


class Python:
    """The semantics of Python sources."""

    def __init__(self) -> None:
        self._index: ModuleIndex | None = None
        self._indexed: object = None

    # -- modules --------------------------------------------------------------------------------------------

    def module(self, run: Interpreter, file: File, name: str = "") -> Frame:
        """The frame of a module, its body run once; `name` "" : it is the program that was started."""
        key = ("python module", file.origin)
        found = run.heap.get(key)
        if isinstance(found, Frame):
            return found
        owner = file.classes["~"]
        (method,) = owner.methods["<module>"]
        frame = run.frame(owner, None, method=method)
        run.heap[key] = frame
        value = run.make(None, "module", None)
        value.fields = frame.variables
        run.heap["python module value", file.origin] = value
        run.heap["python module origin", value] = (file.origin, name)
        frame.variables["__name__"] = text(name or "__main__")
        frame.variables["__file__"] = Text((Gap(Why.DYNAMIC, "__file__", ("file", file.origin)),))
        before, raised = run.guard, run.raised
        run.guard, run.raised = True, []
        if not file.model:
            run.ran.add(method)
        running = run.heap.setdefault("python running", set())
        running.add(value)
        depth = run.depth
        for statement in method.decl.body or ():
            try:
                run.run((statement,), frame)
            except Overgrown:  # costs what the statement binds, not what the rest of the program does
                run.cut(phrase("more-alternatives-than-can-be-told-apart"))
                run.guard, run.raised, run.depth = True, [], depth
                for name in assigned_in(statement):
                    frame.variables[name] = Unknown(Why.TOO_MANY, name)
        running.discard(value)
        if not name:
            run.came_back()
        run.guard, run.raised = before, raised
        return frame

    def modules(self, run: Interpreter) -> ModuleIndex:
        """The index of the program's modules, built once for a program."""
        if self._index is None or self._indexed is not run.scope.program:
            self._indexed = run.scope.program
            self._index = ModuleIndex(run.scope.program.origins())
        return self._index

    def module_value(self, run: Interpreter, origin: Origin, name: str) -> Guarded:
        """A module as a value; its attributes are the variables of its frame."""
        key = ("python module value", origin)
        found = run.heap.get(key)
        if found is None:
            file = run.scope.program.file(origin)
            if file is None:
                return Unknown(Why.UNDEFINED, name)
            if run.heap.get(ALONE) and file.unit.imports:
                return Unknown(Why.DYNAMIC, name, ("module", origin))
            self.module(run, file, name)
            found = run.heap[key]
        assert isinstance(found, Object)
        return found

    def import_(self, run: Interpreter, node: ir.Import, frame: Frame) -> None:
        """`import …`, `from … import …`: binds what it says in the frame."""
        assert frame.owner is not None
        near = frame.owner.file.origin
        if node.tried and not node.level and not self._installed(run, near, node.path, frame, node.at):
            return
        if not node.member:
            if node.name:
                value = self.absolute(run, near, node.path)
            else:
                for end in range(2, node.path.count(".") + 2):
                    self.absolute(run, near, ".".join(node.path.split(".")[:end]))
                value = self.absolute(run, near, node.path.split(".")[0])
            self.assign_name(run, node.name or node.path.split(".")[0], value, frame, node.at)
            return
        if node.level:
            value = self._relative(run, near, node.level, node.path)
        else:
            value = self.absolute(run, near, node.path)
        if node.wildcard:
            self._star(run, value, frame, node.at)
            return
        member = self.member(run, value, node.member, frame, node.at)
        self.assign_name(run, node.name, member, frame, node.at)

    def _installed(self, run: Interpreter, near: Origin, path: str, frame: Frame, at: ir.At) -> bool:
        """A module that is neither here nor Python's own may be missing: where the code handles that, both happen."""
        index = self.modules(run)
        top = path.split(".")[0]
        if (
            self.is_known(run, near, path)
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

    def is_known(self, run: Interpreter, near: Origin, path: str) -> bool:
        """Whether a module is here, a client's or Python's own."""
        own = (
            path.split(".")[0] in library.STANDARD or is_client_module(path) or modelled.has_module(run, path)
        )
        return own or self.modules(run).absolute(near, path) is not None

    def member(self, run: Interpreter, module: Guarded, name: str, frame: Frame, at: ir.At) -> Guarded:
        """`from module import name`."""
        return run.over(module, lambda leaf: self.attribute(run, leaf, name, frame, at))

    def _relative(self, run: Interpreter, near: Origin, level: int, path: str) -> Guarded:
        origin = self.modules(run).relative(near, level, path)
        if origin is None:
            run.scope.definitions.missing.add("." * (level + 1) + path)
            self._lacks(run, path or ".")
            folder = near.path.split("/")[:-1]
            base = folder[: len(folder) - (level - 1)]
            return self._namespace(run, near, ".".join([*base, path] if path else base))
        return self.module_value(run, origin, path or origin.path.split("/")[-2])

    def absolute(self, run: Interpreter, near: Origin, path: str) -> Guarded:
        """A module by its full name, seen from a file."""
        if modelled.is_model(run, near):
            return TypeValue(None, path)
        index = self.modules(run)
        found = index.absolute(near, path)
        if isinstance(found, Ambiguous):
            return Unknown(Why.AMBIGUOUS, path)
        if found is not None and is_client_module(path):
            file = run.scope.program.file(found)
            if file is not None and run.scope.program.is_machinery(file):
                return TypeValue(None, path)  # what the tables say, also where its source is here
        if found is not None:
            return self.module_value(run, found, path)
        if index.is_package(near, path):
            run.scope.definitions.missing.add(f".{path}")  # its `__init__.py` may be one nobody has read
            return self._namespace(run, near, path)
        if path.split(".")[0] not in library.STANDARD:
            run.scope.definitions.missing.add(f".{path}")
            if index.is_package(near, path.split(".")[0]) or self._may_be_own(run, near, path):
                self._lacks(run, path)
        return TypeValue(None, path)

    def _may_be_own(self, run: Interpreter, near: Origin, path: str) -> bool:
        """Whether a module that is not here may be one beside the program: its build, which declares what it takes in, names
        no library that it can be of."""
        if is_client_module(path) or modelled.has_module(run, path) or scope_of(near.path) == "test":
            return False
        modules = run.scope.definitions.modules
        module = modules.modules.get(modules.of(near))
        taken = [one.coordinate for one in module.dependencies] if module is not None else []
        return bool(taken) and not is_declared(path.split(".")[0], taken)

    def _namespace(self, run: Interpreter, near: Origin, path: str) -> Object:
        """A folder without `__init__.py` as a module."""
        key = ("python namespace", near.repo, path)
        made = run.heap.get(key)
        if made is None:
            made = run.heap[key] = run.make(None, "module", None)
            run.heap["python module origin", made] = (Origin(near.repo, near.path), path)
        assert isinstance(made, Object)
        return made

    def _star(self, run: Interpreter, module: Guarded, frame: Frame, at: ir.At) -> None:
        for _, leaf in leaves(module, run.guard):
            if isinstance(leaf, TypeValue):
                known = frame.variables.get("<stars>", ())
                frame.variables["<stars>"] = (*known, leaf.name)
            if not isinstance(leaf, Object) or leaf.type != "module":
                continue
            chosen = containers.pairs(leaf.fields.get("__all__"))
            names = [item.known for _, item in chosen or () if isinstance(item, Text) and item.known]
            for name in (
                names if chosen is not None else [each for each in leaf.fields if each[0] not in "_<"]
            ):
                self.assign_name(run, name, self.attribute(run, leaf, name, frame, at), frame, at)

    def _submodule(self, run: Interpreter, module: Object, name: str) -> Guarded:
        """A module inside a package that nobody has imported by itself; importing the package brings it in here."""
        origin, dotted = run.heap["python module origin", module]
        index = self.modules(run)
        inner = index.inside(origin, name) if origin.path.endswith("__init__.py") else None
        if inner is None:
            found = index.absolute(origin, f"{dotted}.{name}") if dotted else None
            inner = found if isinstance(found, Origin) else None
        if inner is not None:
            return self.module_value(run, inner, f"{dotted}.{name}")
        run.scope.definitions.missing.add(f".{dotted}.{name}" if dotted else f".{name}")
        self._lacks(run, f"{dotted}.{name}" if dotted else name)
        return Unknown(Why.CYCLE, name) if module in run.heap.get("python running", ()) else UNSET

    @staticmethod
    def _lacks(run: Interpreter, path: str) -> None:
        """A module of the program's own is not here: its code may call any function of the program, unless it is one that is
        written by a tool, or a constant that is asked for."""
        if not path.endswith(_WRITTEN_BY_TOOLS) and not path.rpartition(".")[2].isupper():
            run.unread.add(path)

    # -- names ----------------------------------------------------------------------------------------------

    def name(self, run: Interpreter, node: ir.Name, frame: Frame) -> Guarded:
        found = self.variable(frame, node.name)
        if found is not UNSET:
            value = under(found, run.guard)
            return self._seen(value, frame) if node.name not in frame.variables else value
        if node.name in library.BUILTINS:
            return TypeValue(None, f"builtins.{node.name}")
        stars = module_frame(frame).variables.get("<stars>", ())
        if stars:  # a library's names: the last one that may have it
            chosen = next((each for each in reversed(stars) if maker(f"{each}.{node.name}")), stars[-1])
            return TypeValue(None, f"{chosen}.{node.name}")
        return run.unknown(Why.UNDEFINED, node.name, frame, node.at)

    def variable(self, frame: Frame, name: str) -> Guarded:
        """A variable of the frame or of the code around it, UNSET where there is none."""
        current: Frame | None = frame
        if f"global {name}" in frame.shared:
            return module_frame(frame).variables.get(name, UNSET)
        while current is not None:
            if (current is frame or CLASS_BODY not in current.shared) and name in current.variables:
                return current.variables[name]
            current = current.parent
        return UNSET

    def _seen(self, value: Guarded, frame: Frame) -> Guarded:
        """A constant used in a frame counts as brought in there."""
        if isinstance(value, Text) and not _is_modelled(frame):
            return Text(value.parts, value.steps, value.char, frame.number)
        return value

    def assign_name(self, run: Interpreter, name: str, value: Guarded, frame: Frame, at: ir.At) -> None:
        target = frame
        if f"global {name}" in frame.shared:
            target = module_frame(frame)
        elif f"nonlocal {name}" in frame.shared:
            outer = enclosing(frame.parent) if frame.parent is not None else None
            while outer is not None and name not in outer.variables:
                outer = outer.parent
            target = outer or frame
        in_module = target.method is None or target.method.name == "<module>" or CLASS_BODY in target.shared
        if in_module and not _is_modelled(frame):
            value = self._stamped(run, value, name, frame, at)
        target.variables[name] = pick(run.guard, value, target.variables.get(name, UNSET))

    def _stamped(self, run: Interpreter, value: Guarded, name: str, frame: Frame, at: ir.At) -> Guarded:
        """A constant of a module or class: the place of its name joins its way."""
        step = Step(run.place(frame, at), name)

        def one(leaf: Any) -> Any:
            if isinstance(leaf, Text) and step not in leaf.steps:
                return Text(leaf.parts, (step, *leaf.steps), leaf.char, leaf.frame)
            return leaf

        return apply(one, value) if isinstance(value, Text | Diagram) else value

    def type_of(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> TypeValue | None:
        """The class that an annotation names, seen from a frame."""
        head, *rest = ref.name.split(".")
        value = self.variable(frame, head)
        if value is UNSET and head in library.BUILTINS:
            value = TypeValue(None, f"builtins.{head}")
        for name in rest:
            if isinstance(value, Object) and value.type == "module":
                value = value.fields.get(name, UNSET)
            elif isinstance(value, TypeValue) and value.declared is None:
                value = self.of_library(run, value.name, name)
            elif isinstance(value, TypeValue) and value.declared is not None:
                value = classes.class_attribute(run, value.declared, name)
        return replace(value, args=ref.args) if isinstance(value, TypeValue) else None

    def typed(self, run: Interpreter, value: Guarded, ref: ir.TypeRef | None, frame: Frame) -> Guarded:
        """An unknown value gets the type it is annotated with."""
        if type(value) is Unknown and value.type is None and ref is not None:
            found = self.type_of(run, ref, frame)
            return value if found is None else replace(value, type=found)
        return value

    def family(self, run: Interpreter, declared: Class) -> Sequence[Class]:
        """A class, and those of the program above it."""
        info = info_of(run, declared)
        return [declared] if info is None else [each for each in info.order if isinstance(each, Class)]

    def namespace(self, run: Interpreter, declared: Class) -> dict[str, Guarded] | None:
        """The attributes of a class, which any code may write."""
        info = info_of(run, declared)
        return None if info is None else info.attributes

    # -- declarations ---------------------------------------------------------------------------------------

    def define(self, run: Interpreter, what: ir.ClassDecl | ir.MethodDecl | ir.Import, frame: Frame) -> None:
        if isinstance(what, ir.Import):
            self.import_(run, what, frame)
        elif isinstance(what, ir.MethodDecl):
            name = "__init__" if what.name == "<init>" else what.name
            self.assign_name(run, name, self.function(run, what, frame), frame, what.name_at)
        else:
            value = classes.define(self, run, what, frame)
            self.assign_name(run, what.name, value, frame, what.name_at)

    def function(self, run: Interpreter, decl: ir.MethodDecl, frame: Frame) -> Guarded:
        """What a `def` binds: the function, decorated."""
        assert frame.owner is not None
        known = frame.owner.methods.get(decl.name, ())
        method = next((each for each in known if each.decl is decl), None)
        if method is None:
            method = run.heap.get(("python method", id(decl)))
        if method is None:
            method = Method(frame.owner, decl)
            run.heap["python method", id(decl)] = method
        defaults = {
            param.name: run.value(param.default, frame) for param in decl.params if param.default is not None
        }
        code = Code(self, decl, frame, frame.owner, method, defaults)
        made = Function(decl.params, decl.body or (), None, decl.name, None, method, code, defaults=defaults)
        if CLASS_BODY in frame.shared and decl.name in ("__init_subclass__", "__class_getitem__"):
            held = run.make(None, "builtins.classmethod", run.place(frame, decl.name_at))
            held.fields["function"] = made
            return self.decorated(run, held, decl.annotations, frame)
        return self.decorated(run, made, decl.annotations, frame)

    def decorated(
        self, run: Interpreter, value: Guarded, annotations: Sequence[ir.Annotation], frame: Frame
    ) -> Guarded:
        """A function or class behind its decorators; one that nobody can see into is taken to give back what it gets,
        and may call it later."""
        for annotation in reversed(annotations):
            if annotation.value is None or run.guard is False:
                continue
            decorator = run.value(annotation.value, frame)
            before = value
            place = run.place(frame, annotation.at)
            value = run.over(
                decorator,
                lambda leaf: (
                    self._inside_of(run, leaf, before, frame)  # noqa: B023
                    if isinstance(leaf, Object) and _decorates(run, leaf)
                    else self.call(run, leaf, Arguments([before]), frame, place)  # noqa: B023
                ),
            )
            unknown = next((leaf for leaf in some(value, 8) if isinstance(leaf, Unknown)), None)
            if unknown is not None and (
                _is_python_s_own(self._maker_of(run, annotation.value, decorator, frame))
                or classes.is_unseen(decorator)
            ):
                run.defer(before)
                value = replace(unknown, symbol=(classes.UNSEEN, run.unique()))
                run.heap[classes.UNSEEN, value.symbol] = before
                info = (
                    info_of(run, before.declared)
                    if isinstance(before, TypeValue) and before.declared
                    else None
                )
                if info is not None:
                    info.unseen, value = unknown, before
                continue
            if isinstance(value, Unknown) or value is None or value is UNSET:
                fixture = annotation.name.startswith("pytest.") or annotation.name.endswith("fixture")
                if isinstance(value, Unknown) and isinstance(before, Function) and not fixture:
                    run.defer(before)
                value = before
        return value

    def _maker_of(self, run: Interpreter, node: ir.Expr, decorator: Guarded, frame: Frame) -> Guarded:
        """What gives a decorator: itself, or what was called for it (`@dataclass(frozen=True)`)."""
        if isinstance(decorator, Unknown) and isinstance(node, ir.Attribute):  # `@name.setter`
            of = run.value(node.target, frame)
            return Bound(of, node.name, frame) if isinstance(of, Object) else decorator
        if not isinstance(decorator, Unknown) or not isinstance(node, ir.Call):
            return decorator
        if node.target is None:
            return self.name(run, ir.Name(node.name, node.name_at), frame)
        return run.value(ir.Attribute(node.target, node.name, node.at), frame)

    def _inside_of(self, run: Interpreter, manager: Object, value: Guarded, frame: Frame) -> Guarded:
        """A function behind a context manager: each call runs inside it."""
        assert frame.owner is not None
        at = frame.owner.decl.name_at

        def native(
            run: Interpreter, given: Arguments, caller: Frame | None, place: Location | None
        ) -> Guarded:
            made = manager
            if manager.type == "contextlib.contextmanager":
                made = run.make(None, manager.type, place, fields=dict(manager.fields))
            self.enter(run, made, frame, at)
            found = run.over(value, lambda each: run.call(each, given, caller, place))
            self.exit(run, made, frame, place)
            return found

        return Function((), (), None, getattr(value, "name", ""), native=native)

    # -- attributes -----------------------------------------------------------------------------------------

    def attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
        found = self.find(run, leaf, name, frame)
        if run.guard is False or (found is not UNSET and not is_partial(found)):
            return found
        return or_else(found, self._no_attribute(run, leaf, name, frame, at))

    def _no_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
        """What an attribute that nothing has given to a value is."""
        if isinstance(leaf, Unknown):
            symbol = None if leaf.symbol is None else ("field", leaf.symbol, name)
            return Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol, steps=leaf.steps)
        if leaf is None:
            run.throw(run.make(None, "builtins.AttributeError", run.place(frame, at)))
            return UNSET
        shown = leaf.type.rpartition(".")[2] if isinstance(leaf, Object) else type(leaf).__name__.lower()
        own = symbol_of(leaf)
        return run.unknown(
            Why.UNDEFINED,
            phrase("attribute", f"{shown}.{name}"),
            frame,
            at,
            symbol=None if own is None else ("field", own, name),
        )

    def super_attribute(self, run: Interpreter, leaf: Any, name: str, frame: Frame, at: ir.At) -> Guarded:
        """`super().name`: the attribute as the classes after the one at hand have it."""
        owner = _method_frame(frame).owner
        declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
        if declared is None or owner is None:
            return self.attribute(run, leaf, name, frame, at)
        found = classes.class_attribute(run, declared, name, owner)
        if found is UNSET:
            return self.attribute(run, leaf, name, frame, at)
        kind = leaf if isinstance(leaf, TypeValue) else TypeValue(declared, declared.name)
        return classes.bind_to(self, run, found, leaf, kind, frame)

    def attribute_as(
        self, run: Interpreter, leaf: Any, view: Class, name: str, frame: Frame, at: ir.At
    ) -> Guarded:
        return self.attribute(run, leaf, name, frame, at)

    def find(self, run: Interpreter, leaf: Any, name: str, frame: Frame) -> Guarded:
        """An attribute of a plain value, UNSET where it has none that is known."""
        if isinstance(leaf, TypeValue):
            return self._of_type(run, leaf, name, frame)
        if isinstance(leaf, Object):
            return self._of_object(run, leaf, name, frame)
        if isinstance(leaf, Function):
            return self._of_function(run, leaf, name)
        if isinstance(leaf, Unknown):
            return self._of_unknown(run, leaf, name, frame)
        if name == "__class__" and not isinstance(leaf, Diagram):
            return library.FUNCTIONS["builtins.type"](Call(self, run, Arguments([leaf]), frame, None))
        if isinstance(leaf, Text | tuple):
            has_it = hasattr(str if isinstance(leaf, Text) else tuple, name)
            return Bound(leaf, name, frame) if has_it else UNSET
        return UNSET

    def of_library(self, run: Interpreter, owner: str, name: str) -> Guarded:
        """A name of a library's module or class: what its model says it is, else what is known without one."""
        found = modelled.member(self, run, owner, name)
        if found is UNSET and modelled.has_module(run, f"{owner}.{name}"):
            return TypeValue(None, f"{owner}.{name}")
        return library.constant(run, owner, name) if found is UNSET else found

    def _of_type(self, run: Interpreter, leaf: TypeValue, name: str, frame: Frame) -> Guarded:
        if leaf.declared is None:
            return self.of_library(run, leaf.name, name)
        found = classes.class_attribute(run, leaf.declared, name)
        if found is not UNSET:
            return classes.bind_to(self, run, found, leaf, leaf, frame)
        if name in ("__name__", "__qualname__"):
            return text(leaf.declared.simple)
        if name == "__module__":
            return module_frame(frame).variables.get("__name__", UNSET)
        if name == "__members__" and classes.members(run, leaf.declared) is not None:
            made = run.make(None, "dict", None)
            made.entries = [
                Entry(True, text(each), member)
                for each, member in info_of(run, leaf.declared).attributes.items()  # type: ignore[union-attr]
                if isinstance(member, Object) and member.constant
            ]
            return made
        info = info_of(run, leaf.declared)
        if info is not None:
            found = self.of_metaclass(run, info, name, leaf, frame)
            if found is not UNSET:
                return found
            if name in classes.OF_TYPES:
                return classes.of_type(run, info, leaf, name)
            getter = self.of_metaclass(run, info, "__getattr__", leaf, frame)
            if getter is not UNSET:
                return run.over(getter, lambda each: run.call(each, Arguments([text(name)]), frame, None))
            for above in info.library:
                found = library.class_method(above, name)
                if found:
                    return Bound(leaf, name, frame)
        return UNSET

    def of_metaclass(
        self, run: Interpreter, info: classes.ClassInfo, name: str, leaf: TypeValue, frame: Frame
    ) -> Guarded:
        """A special method of the metaclass of a class, bound to the class."""
        meta = info.meta
        if meta is None or meta.declared is None:
            return UNSET
        found = classes.class_attribute(run, meta.declared, name)
        return UNSET if found is UNSET else classes.bind_to(self, run, found, leaf, meta, frame)

    def _of_object(self, run: Interpreter, leaf: Object, name: str, frame: Frame) -> Guarded:
        if leaf.type == "module":
            if name in leaf.fields:
                return under(leaf.fields[name], run.guard)
            origin, _ = run.heap.get(("python module origin", leaf), (None, ""))
            if name == "__path__" and origin is not None and origin.path.endswith("__init__.py"):
                path = containers.made_of(run, "list", [(True, Unknown(Why.DYNAMIC, name))], None)
                path.fields[standard.PACKAGE] = origin
                return path
            found = self._submodule(run, leaf, name)
            if found is UNSET and "__getattr__" in leaf.fields:
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
            found = classes.read(self, run, leaf, name, frame)
            if found is not UNSET:
                return found
            if run.guard is False:
                return UNSET
            if name[:2] != "__":
                getter = classes.method_of(self, run, leaf, "__getattr__", frame)
                if getter is not UNSET:
                    return run.over(getter, lambda each: run.call(each, Arguments([text(name)]), frame, None))
        elif name in leaf.fields:
            return under(leaf.fields[name], run.guard)
        elif name == "default_factory" and leaf.type == "defaultdict":
            return leaf.fields.get("<default>", None)
        if leaf.open is not None and leaf.items is None and leaf.entries is None:
            return Unknown(leaf.open.why, f"{leaf.open.detail}.{name}")
        plain = _PLAIN_KINDS.get(leaf.type) if leaf.declared is None else None
        if plain is not None and not hasattr(plain, name):
            return UNSET
        if leaf.items is not None or leaf.entries is not None or library.has_method(self, run, leaf, name):
            return Bound(leaf, name, frame)
        return UNSET

    def _of_function(self, run: Interpreter, leaf: Function, name: str) -> Guarded:
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

    def _of_unknown(self, run: Interpreter, leaf: Unknown, name: str, frame: Frame) -> Guarded:
        """Methods and constants of the class that an unknown value is known to have."""
        declared = leaf.type.declared if leaf.type is not None else None
        if declared is None or leaf.type is None:
            return UNSET
        found = classes.class_attribute(run, declared, name)
        if found is UNSET:
            info = info_of(run, declared)
            decl = (
                next((each for each in info.annotated if each.name == name), None)
                if info is not None
                else None
            )
            if info is None or decl is None:
                return UNSET
            symbol = None if leaf.symbol is None else ("field", leaf.symbol, name)
            made = Unknown(leaf.why, f"{leaf.detail}.{name}".lstrip("."), symbol, steps=leaf.steps)
            return self.typed(run, made, decl.type, info.frame)
        return classes.bind_to(self, run, found, leaf, leaf.type, frame)

    def set_attribute(
        self, run: Interpreter, leaf: Any, name: str, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        if isinstance(leaf, Object):
            if leaf.declared is not None:
                hook = classes.method_of(self, run, leaf, "__setattr__", frame)
                if hook is not UNSET and not _inside(frame, "__setattr__"):
                    given = Arguments([text(name), value])
                    run.over(hook, lambda each: run.call(each, given, frame, run.place(frame, at)))
                    return
                classes.write(self, run, leaf, name, value, frame, run.place(frame, at))
            else:
                leaf.fields[name] = ite(run.guard, value, leaf.fields.get(name, UNSET))
        elif isinstance(leaf, Unknown) or (isinstance(leaf, TypeValue) and leaf.declared is None):
            escape(run, (value,))
            held_by = run.heap.get((GIVEN, leaf.symbol), ()) if isinstance(leaf, Unknown) else ()
            for declared in held_by:
                held = classes.class_attribute(run, declared, name)
                lost = Unknown(Why.DYNAMIC, name)
                classes.set_class_attribute(run, declared, name, apply(partial(unless_object, lost), held))
        elif isinstance(leaf, TypeValue) and leaf.declared is not None:
            classes.set_class_attribute(run, leaf.declared, name, value)
        elif isinstance(leaf, Function):
            kept = run.heap.setdefault(function_key(leaf), {})
            kept[name] = ite(run.guard, value, kept.get(name, UNSET))

    # -- calls ----------------------------------------------------------------------------------------------

    def call_name(self, run: Interpreter, node: ir.Call, arguments: Arguments, frame: Frame) -> Guarded:
        value = self.name(run, ir.Name(node.name, node.name_at), frame)
        place = run.place(frame, node.at)
        return run.over(value, lambda leaf: self.call(run, leaf, arguments, frame, place))

    def call_method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: ir.At
    ) -> Guarded:
        onto_client = isinstance(leaf, Object) and leaf.client is not None
        return self.method(
            run, leaf, name, arguments, frame, run.place(frame, run.called if onto_client else at)
        )

    def method(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, frame: Frame, at: Location | None
    ) -> Guarded:
        """`leaf.name(…)`."""
        if isinstance(leaf, Text):
            return self._text_method(run, leaf, name, arguments, frame, at)
        found = self.find(run, leaf, name, frame)
        if run.guard is False:
            return UNSET
        if is_partial(found):
            found = or_else(found, Unknown(Why.UNDEFINED, name))
        if found is not UNSET and not (isinstance(found, Bound) and found.target is leaf):
            return run.over(found, lambda each: self.call(run, each, arguments, frame, at))
        plain = operators.plain(leaf)
        if plain is not leaf and isinstance(plain, Text):
            return self._text_method(run, plain, name, arguments, frame, at)
        result = library.method(self, run, leaf, name, arguments, frame, at)
        if result is not UNSET or run.guard is False:
            return result
        if leaf is None:
            run.throw(run.make(None, "builtins.AttributeError", at))
            return UNSET
        return self.unseen(run, leaf, name, arguments, at)

    def unseen(
        self, run: Interpreter, leaf: Any, name: str, arguments: Arguments, at: Location | None
    ) -> Guarded:
        """A call nobody can see into: functions it is given may run later, and its result is not known."""
        why = leaf.why if isinstance(leaf, Unknown) else Why.DYNAMIC
        detail = leaf.detail if isinstance(leaf, Unknown) else ""
        symbols = [symbol_of(leaf), *(symbol_of(value) for value in arguments.values)]
        symbol = None if None in symbols or library.changes(name) else ("call", name, *symbols)
        steps = () if at is None else (Step(at, f"{name}()"),)
        unknown = Unknown(why, f"{detail}.{name}()".lstrip("."), symbol, steps=steps)
        escape(run, (*arguments.values, *arguments.names.values(), arguments.open))
        if isinstance(leaf, TypeValue) and leaf.name.startswith("builtins."):
            self._touches(run, arguments, unknown)
        if isinstance(leaf, Object) and standard.LATER in leaf.fields:  # as a `join` does
            run.hand_over((leaf.fields[standard.LATER],), unknown)
        if isinstance(leaf, Unknown):
            run.misses_call(name, leaf)
            if not name:
                consumers.may_set(Call(self, run, arguments, run.frame(None, None), at))
        elif not name:
            run.loses_call(name)
        found = run.havoc(name, unknown, leaf, arguments)
        for value in (leaf, *arguments.values, *arguments.names.values()):
            if value is not leaf or name not in _READING:
                containers.forget_aliases(run, value, unknown)
        return found

    def _touches(self, run: Interpreter, arguments: Arguments, unknown: Unknown) -> None:
        """A function of Python's own that is not modelled may write what it gets, as `setattr` does, or give its class."""
        for value in (*arguments.values, *arguments.names.values()):
            for _, leaf in leaves(value, run.guard):
                if isinstance(leaf, Object) and leaf.declared is not None:
                    classes.forget_fields(leaf, unknown)
                    leaf.open = leaf.open or unknown
                    run.heap.setdefault((GIVEN, unknown.symbol), []).append(leaf.declared)
                elif isinstance(leaf, Function):
                    kept = run.heap.setdefault(function_key(leaf), {})
                    for name in {*kept, "__name__", "__qualname__"}:
                        kept[name] = pick(run.guard, Unknown(Why.DYNAMIC, name), kept.get(name, UNSET))

    def _text_method(
        self, run: Interpreter, leaf: Text, name: str, arguments: Arguments, frame: Frame, at: Location | None
    ) -> Guarded:
        values = [*arguments.values, *arguments.names.values()]
        names = list(arguments.names)
        count = len(arguments.values)
        if name == "join" and len(values) == 1:
            pairs = self.items(run, values[0], frame) if not isinstance(values[0], Diagram) else None
            if pairs is not None:
                made = run.make(None, "list", at)
                made.items = pairs
                values = [made]

        known = library.METHODS.get(f"builtins.str.{name}")
        if known is None:
            return self.unseen(run, leaf, name, arguments, at)

        def one(*given: Any) -> Guarded:
            named = dict(zip(names, given[count:], strict=True))
            inner = Arguments(list(given[:count]), named, arguments.open)
            return known(Call(self, run, inner, frame, at), leaf)

        return apply(one, *values)

    def read_field(
        self, run: Interpreter, value: Any, key: str | int, is_attribute: bool, frame: Frame
    ) -> Guarded:
        """What a format's `{0.name}` or `{0[key]}` reads."""
        at = frame.owner.decl.name_at if frame.owner is not None else (1, 1, 1, 1)
        if is_attribute:
            return self.attribute(run, value, str(key), frame, at)
        return self.index(run, value, key if isinstance(key, int) else text(key), frame, at)

    def call(
        self, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
    ) -> Guarded:
        """Calls any plain value."""
        if isinstance(leaf, Function):
            return run.call(leaf, arguments, frame, at)
        return self.call_value(run, leaf, arguments, frame, at)

    def call_value(
        self, run: Interpreter, leaf: Any, arguments: Arguments, frame: Frame | None, at: Location | None
    ) -> Guarded:
        if frame is None:
            frame = (
                leaf.frame if isinstance(leaf, Bound) and leaf.frame is not None else run.frame(None, None)
            )
        if isinstance(leaf, TypeValue):
            if leaf.declared is not None:
                return self.instantiate(run, leaf.declared, arguments, frame, at)
            found = library.call(self, run, leaf.name, arguments, frame, at)
            if found is not UNSET or run.guard is False:
                return found
            found = self.unseen(run, leaf, leaf.simple, arguments, at)
            if not leaf.simple[:1].isupper() or type(found) is not Unknown:
                return found
            return replace(found, detail=f"{leaf.name.removeprefix('builtins.')}()", symbol=None, type=leaf)
        if isinstance(leaf, Bound):
            own = leaf.frame or frame
            return run.over(leaf.target, lambda each: self.method(run, each, leaf.name, arguments, own, at))
        if isinstance(leaf, Object):
            if leaf.declared is not None:
                hook = classes.method_of(self, run, leaf, "__call__", frame)
                if hook is not UNSET:
                    return run.over(hook, lambda each: run.call(each, arguments, frame, at))
            found = library.call_object(self, run, leaf, arguments, frame, at)
            if found is not UNSET:
                return found
        return self.unseen(run, leaf, "", arguments, at)

    def construct(self, run: Interpreter, node: ir.New, arguments: Arguments, frame: Frame) -> Guarded:
        return run.unknown(Why.UNSUPPORTED, "new", frame, node.at)

    def instantiate(
        self, run: Interpreter, declared: Class, arguments: Arguments, frame: Frame, at: Location | None
    ) -> Guarded:
        """`Class(…)`."""
        info = info_of(run, declared)
        if info is None:
            return Unknown(Why.UNDEFINED, declared.simple)
        leaf = TypeValue(declared, declared.name)
        if info.is_enum and classes.members(run, declared):
            value = arguments.values[0] if arguments.values else None
            return run.over(value, lambda each: classes.member_of(self, run, declared, each, at))
        hook = self.of_metaclass(run, info, "__call__", leaf, frame)
        if hook is not UNSET and not _inside(frame, "__call__"):
            return run.over(hook, lambda each: run.call(each, arguments, frame, at))
        return self.make(run, declared, arguments, frame, at)

    def make(
        self, run: Interpreter, declared: Class, arguments: Arguments, frame: Frame, at: Location | None
    ) -> Guarded:
        """`type.__call__`: `__new__`, then `__init__`."""
        maker = classes.class_attribute(run, declared, "__new__")
        if maker is UNSET:
            made: Guarded = self.raw(run, declared, at)
            self._filled(run, made, arguments.values, at)
        else:
            given = Arguments(
                [TypeValue(declared, declared.name), *arguments.values], arguments.names, arguments.open
            )
            made = run.over(maker, lambda each: self.call(run, classes.function_of(each), given, frame, at))
        if run.guard is False:
            return UNSET

        def initialise(each: Any) -> Guarded:
            if (
                isinstance(each, Object)
                and each.declared is not None
                and classes.is_subclass(run, each.declared, declared)
            ):
                self.initialise(run, each, declared, arguments, frame, at)
            return each

        return run.over(made, initialise)

    def raw(self, run: Interpreter, declared: Class, at: Location | None) -> Object:
        """`object.__new__`: an instance nothing has been done to."""
        made = run.make(declared, declared.name, at)
        info = info_of(run, declared)
        unseen = classes.unseen(run, declared)
        if unseen is not None:
            made.open = unseen
            for each in info.annotated if info is not None else ():
                made.fields[each.name] = replace(unseen, symbol=("field", ("object", made.number), each.name))
        if unseen is not None or classes.class_attribute(run, declared, "__eq__") is not UNSET:
            made.fields[operators.OWN_EQUALITY] = partial(self._own_equality, run)
        for above in info.library if info is not None else ():
            library.become(run, made, above)
        return made

    def _filled(self, run: Interpreter, made: Any, values: Sequence[Guarded], at: Location | None) -> None:
        """What `str.__new__`, `int.__new__` and `tuple.__new__` make of their argument."""
        info = info_of(run, made.declared) if isinstance(made, Object) and made.declared is not None else None
        if info is None or info.is_enum or info.is_tuple:
            return
        for above in info.library:
            if above in ("builtins.str", "builtins.int", "builtins.float") and len(values) < 2:
                frame = info.frame
                plain = library.FUNCTIONS[above](Call(self, run, Arguments(list(values)), frame, at))
                if not isinstance(plain, Diagram):
                    made.fields["<plain>"] = plain
            elif above == "builtins.tuple" and values:
                made.items = self.items(run, values[0], info.frame) or []

    def initialise(
        self,
        run: Interpreter,
        made: Object,
        declared: Class,
        arguments: Arguments,
        frame: Frame,
        at: Location | None,
    ) -> None:
        info = info_of(run, declared)
        filling = None if info is None else classes.filling(run, info)
        hook = UNSET if filling is not None else classes.class_attribute(run, declared, "__init__")
        if hook is not UNSET:
            bound = classes.bind_to(self, run, hook, made, TypeValue(declared, declared.name), frame)
            run.over(bound, lambda each: self.call(run, each, arguments, frame, at))
        elif filling is not None:
            place = at or declared.at(declared.decl.at)
            classes.fill(self, run, filling, made, arguments, frame, place)
        elif info is not None:
            for above in info.library:
                library.initialise(self, run, made, above, arguments, frame, at)
            unseen = classes.unseen(run, declared)
            after = (
                classes.method_of(self, run, made, "__post_init__", frame) if unseen is not None else UNSET
            )
            if unseen is not None and after is not UNSET:
                run.hand_over((after,), unseen)

    def _super_call(self, run: Interpreter, node: ir.Call, frame: Frame) -> Guarded:
        """`super().name(…)`: the next class in the order of the receiver's."""
        arguments = run.arguments(node.args, frame)
        if run.guard is False:
            return UNSET
        at = run.place(frame, node.at)
        holder = _method_frame(frame)
        owner = holder.owner
        assert owner is not None
        receiver = holder.this
        if node.name == "__new__" and arguments.values:
            receiver = arguments.values[0]

        def one(leaf: Any) -> Guarded:
            declared = leaf.declared if isinstance(leaf, Object | TypeValue) else None
            if isinstance(leaf, Unknown) and leaf.type is not None:
                declared = leaf.type.declared
            if declared is None:
                return self.unseen(run, leaf, node.name, arguments, at)
            if node.name == "__new__":
                given = arguments.values[0] if arguments.values else leaf
                found = classes.class_attribute(run, declared, "__new__", owner)
                if found is UNSET:
                    begun = classes.made_by_type(run, given, arguments)
                    if begun is not UNSET:
                        return begun
                    target = given.declared if isinstance(given, TypeValue) else None
                    made = self.raw(run, target or declared, at)
                    self._filled(run, made, arguments.values[1:], at)
                    return made
                return run.over(
                    found, lambda each: self.call(run, classes.function_of(each), arguments, frame, at)
                )
            found = classes.class_attribute(run, declared, node.name, owner)
            kind = leaf if isinstance(leaf, TypeValue) else TypeValue(declared, declared.name)
            if found is not UNSET:
                bound = classes.bind_to(self, run, found, leaf, kind, frame)
                return run.over(bound, lambda each: self.call(run, each, arguments, frame, at))
            info = info_of(run, declared)
            if node.name == "__call__" and isinstance(leaf, TypeValue):
                return self.make(run, declared, arguments, frame, at)
            if node.name == "__init__" and isinstance(leaf, Object) and info is not None:
                filling = classes.filling(run, info, owner)
                if filling is not None:
                    classes.fill(self, run, filling, leaf, arguments, frame, at)
                for above in info.library:
                    library.initialise(self, run, leaf, above, arguments, frame, at)
                return None
            if node.name == "__setattr__" and isinstance(leaf, Object) and len(arguments.values) == 2:
                key = arguments.values[0]
                if isinstance(key, Text) and key.known is not None:
                    classes.write(self, run, leaf, key.known, arguments.values[1], frame, at)
                return None
            if node.name == "__getattribute__" and isinstance(leaf, Object):
                key = arguments.values[0] if arguments.values else None
                if isinstance(key, Text) and key.known is not None:
                    return classes.read(self, run, leaf, key.known, frame)
            if isinstance(leaf, Object):
                result = library.method(self, run, leaf, node.name, arguments, frame, at)
                if result is not UNSET:
                    return result
            if node.name in (
                "__init_subclass__",
                "__post_init__",
                "__enter__",
                "__exit__",
                "__del__",
                "__set_name__",
            ):
                return None
            return self.unseen(run, leaf, node.name, arguments, at)

        return run.over(receiver, one)

    # -- elements -------------------------------------------------------------------------------------------

    def index(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> Guarded:
        place = run.place(frame, at)
        return texts.of_key(run, key, place, lambda each: self.element(run, leaf, each, frame, place))

    def element(self, run: Interpreter, leaf: Any, key: Any, frame: Frame, at: Location | None) -> Guarded:
        """`leaf[key]`."""
        if isinstance(leaf, TypeValue):
            return self._element_of_type(run, leaf, key, frame, at)
        if isinstance(leaf, Object) and leaf.declared is not None:
            hook = classes.method_of(self, run, leaf, "__getitem__", frame)
            if hook is not UNSET:
                return run.over(hook, lambda each: run.call(each, Arguments([key]), frame, at))
        if isinstance(leaf, Object):
            own = library.item(self, run, leaf, key, frame, at)
            if own is not UNSET:
                return own
        if isinstance(key, Object) and key.type == "slice":
            bounds = containers.bounds_of(key)
            if bounds is not None:
                return containers.sliced(run, leaf, bounds, at)
            return unknown_from((leaf,), phrase("slice"))
        if isinstance(leaf, Text):
            if isinstance(key, int):
                return computed(run, lambda own, place: own[place], at, leaf, key, detail=phrase("character"))
            return unknown_from((leaf, key), phrase("character"))
        plain = operators.plain(key) if isinstance(key, Object) else key
        found = containers.index(run, leaf, plain, at)
        if found is not UNSET:
            if isinstance(found, Unknown) and isinstance(leaf, Object) and containers.may_lack(leaf, plain):
                containers.fails(run, "IndexError" if leaf.entries is None else "KeyError", found, at)
            return found
        if isinstance(leaf, Object):
            factory = leaf.fields.get("<default>", UNSET)
            if factory is not UNSET:
                value = (
                    factory if isinstance(factory, int) else self.call(run, factory, Arguments([]), frame, at)
                )
                if not isinstance(factory, int):  # a Counter does not keep what it is asked for
                    containers.set_index(run, leaf, key, value)
                return value
            missing = classes.method_of(self, run, leaf, "__missing__", frame)
            if missing is not UNSET:
                return run.over(missing, lambda each: run.call(each, Arguments([key]), frame, at))
        missed = isinstance(leaf, Object) and leaf.entries is not None
        error = run.make(None, "builtins.KeyError" if missed else "builtins.IndexError", at)
        error.fields["args"] = (key,) if missed else (text("list index out of range"),)
        error.fields["<message>"] = error.fields["args"][0]
        run.throw(error)
        return UNSET

    def _element_of_type(
        self, run: Interpreter, leaf: TypeValue, key: Any, frame: Frame, at: Location | None
    ) -> Guarded:
        if leaf.declared is not None:
            known = key.known if isinstance(key, Text) else None
            every = classes.members(run, leaf.declared)
            if every is not None:
                found = next((each for each in every if each.constant == known), None)
                if found is None and known is not None:
                    alias = classes.class_attribute(run, leaf.declared, known)
                    found = alias if isinstance(alias, Object) and alias.constant else None
                if found is not None:
                    return found
                if known is not None:
                    run.throw(run.make(None, "builtins.KeyError", at))
                    return UNSET
                made = unknown_from((key,), f"{leaf.declared.simple}[…]")
                return replace(made, type=leaf)
            info = info_of(run, leaf.declared)
            if info is not None:
                hook = self.of_metaclass(run, info, "__getitem__", leaf, frame)
                if hook is UNSET:
                    hook = classes.class_attribute(run, leaf.declared, "__class_getitem__")
                    hook = UNSET if hook is UNSET else classes.bind_to(self, run, hook, leaf, leaf, frame)
                if hook is not UNSET:
                    return run.over(hook, lambda each: run.call(each, Arguments([key]), frame, at))
            return leaf
        if leaf.name == "sys.modules":
            return self._loaded(run, key, frame)
        found = library.element(run, leaf.name, key, at)
        return leaf if found is UNSET else found

    def _loaded(self, run: Interpreter, key: Any, frame: Frame) -> Guarded:
        """`sys.modules[name]`: most often the module of the code itself."""
        known = key.known if isinstance(key, Text) else None
        module = module_frame(frame)
        if known is None or module.owner is None:
            return unknown_from((key,), "sys.modules")
        origin = module.owner.file.origin
        own = module.variables.get("__name__", UNSET)
        if isinstance(own, Text) and own.known == known:
            return run.heap.get(("python module value", origin), unknown_from((key,), "sys.modules"))
        return self.absolute(run, origin, known)

    def set_index(
        self, run: Interpreter, leaf: Any, key: Guarded, value: Guarded, frame: Frame, at: ir.At
    ) -> None:
        if isinstance(leaf, Object) and leaf.declared is not None:
            hook = classes.method_of(self, run, leaf, "__setitem__", frame)
            if hook is not UNSET:
                place = run.place(frame, at)
                run.over(hook, lambda each: run.call(each, Arguments([key, value]), frame, place))
                return
        if not isinstance(leaf, Object):
            escape(run, (value,))
        if isinstance(leaf, Unknown):
            containers.forget_aliases(run, leaf, unknown_from((leaf, key), phrase("element")))
        if isinstance(leaf, Object) and (leaf.entries is not None or leaf.items is not None):
            containers.set_index(run, leaf, key, value, run.place(frame, at))
            classes.put_back(leaf)
        elif isinstance(leaf, TypeValue) and leaf.name == "os.environ":
            for guard, name in leaves(key, run.guard):
                if guard is not False:
                    standard.set_variable(run, name, value)

    def delete(self, run: Interpreter, leaf: Any, key: Guarded, frame: Frame, at: ir.At) -> None:
        """`del leaf[key]`."""
        if not isinstance(leaf, Object):
            return
        if leaf.declared is not None:
            hook = classes.method_of(self, run, leaf, "__delitem__", frame)
            if hook is not UNSET:
                place = run.place(frame, at)
                run.over(hook, lambda each: run.call(each, Arguments([key]), frame, place))
                return
        containers.delete(run, leaf, key, run.place(frame, at))
        classes.put_back(leaf)

    def delete_attribute(self, run: Interpreter, leaf: Any, name: str) -> None:
        """`del leaf.name`."""
        if isinstance(leaf, Object) and name in leaf.fields:
            leaf.fields[name] = pick(run.guard, UNSET, leaf.fields[name])

    # -- operators ------------------------------------------------------------------------------------------

    def operate(
        self, run: Interpreter, operator: str, left: Guarded, right: Guarded, frame: Frame, at: ir.At
    ) -> Guarded:
        """What an operator gives that a class of the program may say the meaning of, called where it is written; UNSET for
        others."""
        if right is UNSET or operator not in _BINARY_METHODS or not (_has_class(left) or _has_class(right)):
            return UNSET
        near = (frame, run.place(frame, at))
        return apply(lambda a, b: self.binary(run, operator, a, b, near), left, right)

    def binary(
        self,
        run: Interpreter,
        operator: str,
        left: Any,
        right: Any,
        near: tuple[Frame, Location] | None = None,
    ) -> Any:
        if isinstance(left, Object | Unknown | TypeValue) or isinstance(right, Object):
            found = self._operator_method(run, operator, left, right, near)
            if found is not UNSET:
                return found
        if operator == "|" and isinstance(left, TypeValue):
            return left
        found = operators.binary(
            run, operator, left, right, lambda value: self.shown(run, value), partial(self.binary, run)
        )
        of = left if isinstance(left, Object) and "<flag>" in left.fields else right
        if operator in ("|", "&", "^") and isinstance(of, Object) and "<flag>" in of.fields and of.declared:
            return classes.flags(run, of.declared, found)
        return found

    def _operator_method(
        self,
        run: Interpreter,
        operator: str,
        left: Any,
        right: Any,
        near: tuple[Frame, Location] | None = None,
    ) -> Any:
        """What a class of the program says an operator means that is written at a place, where that is known."""
        if operator in ("in", "!in"):
            return self._contains(run, left, right, operator == "!in")
        negated = operator == "!="
        name = _BINARY_METHODS.get("==" if negated else operator)
        for own, other, method in ((left, right, name), (right, left, f"__r{name[2:]}" if name else None)):
            if not isinstance(own, Object) or own.declared is None or method is None:
                continue
            info = info_of(run, own.declared)
            frame = info.frame if info is not None else None
            if frame is None:
                continue
            hook = classes.method_of(self, run, own, method, frame)
            if hook is UNSET and classes.unseen(run, own.declared) is not None:
                return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))
            if isinstance(hook, Function):
                value = run.call(hook, Arguments([other]), *(near or (frame, own.at)))
                if negated:
                    return apply(lambda leaf: operators.unary("!", leaf, self.truth), value)
                return value
        return UNSET

    def _own_equality(self, run: Interpreter, left: Any, right: Any) -> bool | Test:
        """What the class of an object says of it and another value; a collection asks for it."""
        found = self._operator_method(run, "==", left, right)
        if isinstance(found, bool | Test):
            return found
        return Test("true", (Unknown(Why.DYNAMIC, phrase("comparison")),))

    def _contains(self, run: Interpreter, item: Any, holder: Any, negated: bool) -> Any:
        found: Any = UNSET
        if isinstance(holder, Object) and isinstance(item, Object) and "<flag>" in holder.fields:
            one, other = item.fields.get("<value>"), holder.fields["<value>"]
            if isinstance(one, int) and isinstance(other, int):
                found = one & other == one
        elif isinstance(holder, Object) and holder.declared is not None:
            info = info_of(run, holder.declared)
            frame = info.frame if info is not None else None
            hook = classes.method_of(self, run, holder, "__contains__", frame) if frame is not None else UNSET
            if isinstance(hook, Function):
                found = run.call(hook, Arguments([item]), frame, holder.at)
        elif isinstance(holder, TypeValue):
            if holder.declared is not None and (every := classes.members(run, holder.declared)) is not None:
                found = operators.contains(run, (*every, *(each.fields["<value>"] for each in every)), item)
            elif holder.declared is None:
                found = library.contains(run, holder.name, item)
        if found is UNSET or not negated:
            return found
        return apply(lambda leaf: operators.unary("!", leaf, self.truth), found)

    def unary(self, run: Interpreter, operator: str, operand: Any) -> Any:
        if isinstance(operand, Object) and operand.declared is not None:
            if operator == "!":
                return apply(lambda leaf: operators.unary("!", leaf, self.truth), self.truth_in(run, operand))
            name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}.get(operator)
            hook = self._own_method(run, operand, name) if name else UNSET
            if isinstance(hook, Function):
                return run.call(hook, Arguments([]), None, operand.at)
        if (
            operator == "~"
            and isinstance(operand, Object)
            and "<flag>" in operand.fields
            and operand.declared
        ):
            bits = operand.fields["<value>"]
            rest = classes.all_flags(run, operand.declared) & ~bits if isinstance(bits, int) else bits
            return classes.flags(run, operand.declared, rest)
        return operators.unary(operator, operand, self.truth)

    def _own_method(self, run: Interpreter, leaf: Object, name: str) -> Guarded:
        """A special method that the class of an object has, bound; UNSET where there is none."""
        info = info_of(run, leaf.declared) if leaf.declared is not None else None
        return UNSET if info is None else classes.method_of(self, run, leaf, name, info.frame)

    def truth_in(self, run: Interpreter, leaf: Any) -> Guarded:
        """`bool(leaf)`, also where the class of an object decides it."""
        if isinstance(leaf, Object) and leaf.declared is not None:
            info = info_of(run, leaf.declared)
            if info is not None:
                return self.truth_of(run, leaf, info.frame)
        return self.truth(leaf)

    def fallback(self, run: Interpreter, left: Guarded, right: ir.Expr, frame: Frame) -> Guarded:
        """`os.getenv(X) or default` is an environment variable with a default; UNSET for any other `or`."""
        if not (isinstance(left, Text) and len(left.parts) == 1 and isinstance(left.parts[0], Key)):
            return UNSET
        key = left.parts[0]
        if key.default is not None or not isinstance(
            right, ir.Const | ir.Name | ir.Attribute | ir.Join | ir.Call
        ):
            return UNSET
        if isinstance(right, ir.Call) and right.name not in ("getenv", "get"):
            return UNSET
        value = run.value(right, frame)
        if not isinstance(value, Text):
            return UNSET
        whole = Text((Key(key.key, value, key.variable),), left.steps, left.char, left.frame)
        texts_there = told(run, left, None)  # a variable that is set, to nothing, is false too
        if texts_there is None or all(leaf.known != "" for _, leaf in leaves(texts_there)):
            return whole
        return apply(
            lambda leaf: value if leaf.known == "" else whole if leaf.known is None else leaf, texts_there
        )

    def truth(self, leaf: Any) -> Guarded:
        return operators.truth(leaf)

    def truth_of(self, run: Interpreter, leaf: Object, frame: Frame) -> Guarded:
        """`bool(leaf)` where its class has a method that decides it."""
        if not leaf.constant:
            for name in ("__bool__", "__len__"):
                hook = classes.method_of(self, run, leaf, name, frame)
                if hook is not UNSET:
                    found = run.over(hook, lambda each: run.call(each, Arguments([]), frame, None))
                    return operators.truth(found) if not isinstance(found, Diagram) else self.truth(leaf)
        return self.truth(leaf)

    def captured(self, frame: Frame) -> Frame:
        return frame

    def narrowed(
        self, run: Interpreter, node: ir.Assign, before: Guarded, added: Guarded, value: Guarded, frame: Frame
    ) -> Guarded:
        return value

    def of_width(
        self, run: Interpreter, node: ir.Binary, left: Guarded, right: Guarded, frame: Frame
    ) -> Guarded:
        return OF_A_WIDTH

    def augment(self, run: Interpreter, before: Any, operator: str, value: Guarded) -> bool:
        """`before += value` of a collection, which changes it in place."""
        if not isinstance(before, Object) or before.declared is not None or isinstance(value, Diagram):
            return False
        if operator in _IN_PLACE.get(before.type, ""):
            made = self.binary(run, operator, before, value)
            if isinstance(made, Object) and made.items is not None and before.items is not None:
                before.items = instead(run.guard, made.items, before.items)
                before.open = before.open or made.open
            else:
                reason = (
                    made
                    if isinstance(made, Unknown)
                    else unknown_from((value,), phrase("operation-on-values", operator))
                )
                forget_contents(run, reason, (before,))
            return True
        kind = {"+": ("list", "deque"), "|": ("set", "dict", "defaultdict", "OrderedDict")}.get(operator, ())
        if before.type not in kind:
            return False
        name = "extend" if operator == "+" else "update"
        found: Guarded = UNSET
        if containers.pairs(value) is not None:
            found = containers.method(run, before, name, Arguments([value]), before.at, containers.pairs)
        if found is UNSET:
            forget_contents(run, unknown_from((value,), f"{name}()"), (before,))
        return True

    def items(self, run: Interpreter, leaf: Any, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
        if isinstance(leaf, Diagram):
            found: list[tuple[Guarded, Guarded]] = []
            for guard, each in leaves(leaf, run.guard):
                inner = self.items(run, each, frame)
                if inner is None:
                    return None
                found += [(both(guard, more), item) for more, item in inner]
            return found
        if isinstance(leaf, TypeValue) and leaf.declared is not None:
            every = classes.members(run, leaf.declared)
            if every is not None:
                return [(True, each) for each in every]
            info = info_of(run, leaf.declared)
            hook = self.of_metaclass(run, info, "__iter__", leaf, frame) if info is not None else UNSET
            if hook is not UNSET:
                return self.items(
                    run, run.over(hook, lambda each: run.call(each, Arguments([]), frame, None)), frame
                )
            return None
        if isinstance(leaf, Object) and leaf.declared is not None and not leaf.constant:
            hook = classes.method_of(self, run, leaf, "__iter__", frame)
            if hook is not UNSET:
                made = run.over(hook, lambda each: run.call(each, Arguments([]), frame, leaf.at))
                if isinstance(made, Object) and (made is leaf or made.declared is not None):
                    return self._drawn(run, made, frame)
                return self.items(run, made, frame)
            hook = classes.method_of(self, run, leaf, "__next__", frame)
            if hook is not UNSET:
                return self._drawn(run, leaf, frame)
            hook = classes.method_of(self, run, leaf, "__getitem__", frame)
            if hook is not UNSET and leaf.items is None and leaf.entries is None:
                return self._counted(run, hook, leaf, frame)
        if isinstance(leaf, Object) and f"{leaf.type}.__iter__" in library.METHODS:
            lines = library.METHODS[f"{leaf.type}.__iter__"](
                Call(self, run, Arguments([]), frame, leaf.at), leaf
            )
            return containers.pairs(lines)
        found_items = containers.pairs(leaf)
        if isinstance(leaf, Object) and leaf.type == "generator" and leaf.open is None:
            containers.drain(run, leaf)
            fail(run, ending(leaf))
        return found_items

    def _drawn(self, run: Interpreter, leaf: Object, frame: Frame) -> list[tuple[Guarded, Guarded]] | None:
        """What an iterator of the program gives until it stops."""

        def turn(_: int) -> Guarded:
            hook = classes.method_of(self, run, leaf, "__next__", frame)
            return run.over(hook, lambda each: run.call(each, Arguments([]), frame, leaf.at))

        return self._until_stopped(run, leaf, turn, _STOPS)

    def _counted(
        self, run: Interpreter, hook: Guarded, leaf: Object, frame: Frame
    ) -> list[tuple[Guarded, Guarded]]:
        """What an object of the program has under 0, 1, 2 and so on."""

        def turn(number: int) -> Guarded:
            return run.over(hook, lambda each: run.call(each, Arguments([number]), frame, leaf.at))

        return self._until_stopped(run, leaf, turn, ("builtins.IndexError",))

    def _until_stopped(
        self, run: Interpreter, leaf: Object, turn: Callable[[int], Guarded], stops: tuple[str, ...]
    ) -> list[tuple[Guarded, Guarded]]:
        found: list[tuple[Guarded, Guarded]] = []
        before, outer = run.guard, run.raised
        run.raised = []
        for number in range(LOOP_MAX):
            value = turn(number)
            if run.guard is False:
                break
            found.append((run.guard if run.guard != before else True, value))
        else:
            run.note(phrase("more-than-turns-of-a-loop", LOOP_MAX), leaf.at)
        kept = [pair for pair in run.raised if not _is_of(pair[1], stops)]
        run.guard, run.raised = before, [*outer, *kept]
        return found

    def shown(self, run: Interpreter, leaf: Any) -> Text:
        """`str(leaf)`."""
        if isinstance(leaf, Object):
            if leaf.constant and classes.shows_value(leaf):
                return self.shown(run, leaf.fields["<value>"])
            if leaf.type == "builtins.KeyError" and len(leaf.fields.get("args", ())) == 1:
                return self.represented(run, leaf.fields["args"][0])
            if leaf.declared is not None:
                for name in ("__str__", "__repr__"):
                    info = info_of(run, leaf.declared)
                    hook = classes.method_of(self, run, leaf, name, info.frame) if info is not None else UNSET
                    if isinstance(hook, Function) and run.guard is not False:
                        value = run.call(hook, Arguments([]), info.frame if info else None, leaf.at)
                        return (
                            value
                            if isinstance(value, Text)
                            else self.shown(run, unknown_from((value,), "str()"))
                        )
                if leaf.constant:
                    steps = (Step(leaf.at, leaf.constant),) if leaf.at is not None else ()
                    return text(f"{leaf.declared.simple}.{leaf.constant}", steps)
                if "<message>" in leaf.fields:
                    return self.shown(run, leaf.fields["<message>"])
                if "<flag>" in leaf.fields:
                    return Text(
                        (Gap(Why.UNSUPPORTED, phrase("python-versions-format-this-enumeration-differently")),)
                    )
                if "<plain>" in leaf.fields and not leaf.constant:
                    return self.shown(run, leaf.fields["<plain>"])
                if "<compare>" in leaf.fields:
                    return self.represented(run, leaf)
            elif "<message>" in leaf.fields:
                return self.shown(run, leaf.fields["<message>"])
        if isinstance(leaf, Diagram):
            return Text((Gap(Why.UNSUPPORTED, phrase("text-of-alternatives")),))
        found = texts.shown_plain(leaf)
        if found is not None:
            return found
        kind = leaf.type if isinstance(leaf, Object) else type(leaf).__name__
        return Text((Gap(Why.DYNAMIC, phrase("str-of", kind.rpartition(".")[2])),))

    def represented(self, run: Interpreter, leaf: Any, depth: int = 0) -> Text:
        """`repr(leaf)`."""
        unknown = Text((Gap(Why.DYNAMIC, "repr()"),))
        if isinstance(leaf, Text):
            return unknown if leaf.known is None else text(repr(leaf.known), leaf.steps)
        if depth > _REPRESENTED_MAX or isinstance(leaf, Diagram | Unknown | Test):
            return unknown
        if isinstance(leaf, Object) and leaf.declared is not None:
            hook = self._own_method(run, leaf, "__repr__")
            if isinstance(hook, Function) and run.guard is not False:
                value = run.call(hook, Arguments([]), None, leaf.at)
                return value if isinstance(value, Text) else unknown
            kind = text(leaf.declared.simple)
            if leaf.constant:
                value = self.represented(run, leaf.fields.get("<value>"), depth + 1)
                return (
                    unknown
                    if leaf.fields.get("<format>")
                    else join([text("<"), kind, text(f".{leaf.constant}: "), value, text(">")])
                )
            names = leaf.fields.get("<shown>", leaf.fields.get("<compare>"))
            if names is None:
                return unknown
            parts = [kind, text("(")]
            for number, name in enumerate(names):
                parts.append(text(f"{', ' if number else ''}{name}="))
                parts.append(self.represented(run, leaf.fields.get(name), depth + 1))
            return join([*parts, text(")")])
        plain = texts.shown_plain(leaf)
        return unknown if plain is None or (isinstance(leaf, Object) and leaf.type == "bytes") else plain

    def is_instance(self, run: Interpreter, leaf: Any, type_: ir.TypeRef, frame: Frame) -> bool | Test:
        found = self.type_of(run, type_, frame)
        if found is None:
            return Test("true", (Unknown(Why.DYNAMIC, phrase("isinstance", type_.name)),))
        return library.is_instance(run, leaf, found)

    def literal(self, run: Interpreter, node: ir.Const, frame: Frame) -> Guarded:
        if isinstance(node.value, str) and _is_modelled(frame) and not node.binary:
            return text(node.value)
        if isinstance(node.value, str):
            step = Step(run.place(frame, node.at), f'"{node.value}"')
            made = text(node.value, (step,), frame=frame.number)
            if node.binary:
                held = run.make(None, "bytes", run.place(frame, node.at))
                held.fields["<text>"] = made
                return held
            return made
        return node.value

    def sequence(
        self, run: Interpreter, kind: str, items: list[tuple[Guarded, Guarded]], at: Location
    ) -> Any:
        if kind == "tuple" and all(guard is True for guard, _ in items):
            return tuple(item for _, item in items)
        return containers.made_of(run, kind, items, at)

    def mapping(self, run: Interpreter, entries: list[Entry], at: Location) -> Any:
        made = run.make(None, "dict", at)
        made.entries = []
        for one in entries:
            containers.put(made, one.key, one.value, one.guard, one.at)
        return made

    # -- exceptions, context managers -----------------------------------------------------------------------

    def catches(self, run: Interpreter, leaf: Any, types: Sequence[ir.TypeRef], frame: Frame) -> bool:
        if not types:
            return True
        return any(library.is_exception(run, leaf, self.type_of(run, ref, frame), ref.name) for ref in types)

    def enter(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> Guarded:
        place = run.place(frame, at)
        if isinstance(leaf, Object):
            if leaf.declared is not None:
                for name in ("__enter__", "__aenter__"):
                    hook = classes.method_of(self, run, leaf, name, frame)
                    if hook is not UNSET:
                        found = run.over(hook, lambda each: run.call(each, Arguments([]), frame, place))
                        return awaited(self, run, found, frame, place)
            if leaf.type == "contextlib.contextmanager":
                code = leaf.fields["code"]
                made = suspend(run, code, leaf.fields["arguments"], frame, leaf.at)
                run.heap["python suspended", leaf] = made
                return made.value
            if leaf.type == "contextlib.nullcontext":
                return leaf.fields["value"]
            if leaf.type == "contextlib.closing":
                return leaf.fields["value"]
        return leaf

    def leave(self, run: Interpreter, leaf: Any, frame: Frame, at: ir.At) -> None:
        self.exit(run, leaf, frame, run.place(frame, at))

    def exit(self, run: Interpreter, leaf: Any, frame: Frame, at: Location | None) -> None:
        """The end of a `with`."""
        if not isinstance(leaf, Object):
            return
        if leaf.declared is not None:
            for name in ("__exit__", "__aexit__"):
                hook = classes.method_of(self, run, leaf, name, frame)
                if hook is not UNSET:
                    given = Arguments([None, None, None])
                    found = run.over(hook, lambda each: run.call(each, given, frame, at))  # noqa: B023
                    awaited(self, run, found, frame, at)
                    return
        made = run.heap.get(("python suspended", leaf))
        if isinstance(made, Suspended):
            resume(run, made)
        elif leaf.type == "contextlib.closing":
            run.over(
                leaf.fields["value"], lambda each: self.method(run, each, "close", Arguments([]), frame, at)
            )
        elif leaf.type == "contextlib.ExitStack":
            library.unwind(self, run, leaf, frame, at)

    def _leave(self, run: Interpreter, given: Arguments, frame: Frame, place: Location, hook: Any) -> Guarded:
        return run.call(hook, given, frame, place)

    def _perhaps_swallowed(
        self, run: Interpreter, value: Guarded, thrown: Any, frame: Frame, at: ir.At
    ) -> bool:
        """Whether the program goes on behind a `with`, by what its end gave: both ways where nobody knows that."""
        before = run.guard
        taken = run.guard_of(value, frame, at)
        if taken is True or taken is False or before is False:
            return taken is True
        run.raised.append((both(before, negate(taken)), thrown))
        run.guard = both(before, taken)
        return run.guard is not False

    def swallows(self, run: Interpreter, leaf: Any, thrown: Any, frame: Frame, at: ir.At) -> bool:
        if isinstance(leaf, Unknown):  # nobody knows whether it does
            asked = Unknown(leaf.why, phrase("exception"), ("swallows", leaf.symbol or run.unique(), at))
            return self._perhaps_swallowed(run, asked, thrown, frame, at)
        if not isinstance(leaf, Object):
            return False
        place = run.place(frame, at)
        if leaf.type == "contextlib.suppress":
            kinds = [kind for kind in leaf.fields["types"] if isinstance(kind, TypeValue)]
            return any(library.is_exception(run, thrown, kind, kind.name) for kind in kinds)
        if leaf.declared is not None:
            for name in ("__exit__", "__aexit__"):
                hook = classes.method_of(self, run, leaf, name, frame)
                if hook is not UNSET:
                    kind = (
                        TypeValue(thrown.declared, thrown.declared.name if thrown.declared else thrown.type)
                        if isinstance(thrown, Object)
                        else thrown
                    )
                    call = partial(self._leave, run, Arguments([kind, thrown, None]), frame, place)
                    kept = awaited(self, run, run.over(hook, call), frame, place)
                    return self._perhaps_swallowed(run, kept, thrown, frame, at)
        made = run.heap.get(("python suspended", leaf))
        if isinstance(made, Suspended):
            return resume(run, made, thrown)
        self.exit(run, leaf, frame, place)
        return False

    # -- the rest of expressions ----------------------------------------------------------------------------

    def expression(self, run: Interpreter, node: ir.Expr, frame: Frame) -> Guarded:
        match node:
            case ir.Call(target=ir.Super()):
                return self._super_call(run, node, frame)
            case ir.Super():
                return _method_frame(frame).this
            case ir.Comprehension():
                return self._comprehension(run, node, frame)
            case ir.Slice(lower=lower, upper=upper, step=step):
                made = run.make(None, "slice", None)
                for name, part in (("lower", lower), ("upper", upper), ("step", step)):
                    made.fields[name] = None if part is None else run.value(part, frame)
                return made
            case ir.Format(value=value, conversion=conversion, spec=spec):
                shown = run.value(value, frame)
                given = text("") if spec is None else run.value(spec, frame)
                return apply(lambda leaf, how: self._format(run, leaf, conversion, how), shown, given)
            case ir.Await(value=inner):
                return awaited(self, run, run.value(inner, frame), frame, run.place(frame, node.at))
            case ir.YieldPoint():
                return yields(run, node, frame, self)
            case ir.Spread(value=inner):
                return run.value(inner, frame)
            case _:
                return run.unknown(Why.UNSUPPORTED, type(node).__name__.lower(), frame, node.at)

    def _format(self, run: Interpreter, leaf: Any, conversion: str, spec: Any) -> Text:
        if not isinstance(spec, Text) or spec.known is None:
            return Text((Gap(Why.DYNAMIC, phrase("format")),))
        if conversion == "r":
            return texts.format_value(
                self.represented(run, leaf), "", spec.known, lambda value: self.shown(run, value)
            )
        if isinstance(leaf, Object) and leaf.declared is not None:
            hook = UNSET if conversion else self._own_method(run, leaf, "__format__")
            if isinstance(hook, Function):
                value = run.call(hook, Arguments([spec]), None, leaf.at)
                return value if isinstance(value, Text) else self.shown(run, value)
            if conversion:
                return texts.format_value(
                    self.shown(run, leaf), "", spec.known, lambda value: self.shown(run, value)
                )
        return texts.format_value(leaf, conversion, spec.known, lambda value: self.shown(run, value))

    def _comprehension(self, run: Interpreter, node: ir.Comprehension, frame: Frame) -> Guarded:
        inner = run.frame(
            frame.owner,
            frame.this,
            method=frame.method,
            parent=frame,
            caller=frame.caller,
            called_at=frame.called_at,
        )
        inner.yielded = frame.yielded
        found: list[tuple[Guarded, Guarded]] = []
        start = run.guard
        unsure: list[Unknown] = []
        sources: list[tuple[Guarded, Any]] = []

        def clause(number: int) -> None:
            if number == len(node.clauses):
                run.step()
                key = run.value(node.element, inner)
                value = None if node.value is None else run.value(node.value, inner)
                if run.guard is not False:
                    found.append((run.guard, (key, value) if node.kind == "dict" else key))
                return
            written = node.clauses[number]
            source = run.value(written.source, frame if number == 0 else inner)
            before = run.guard
            after: Guarded = False
            sources.extend(leaves(source, before))
            for outer, leaf in leaves(source, before):
                open_ = leaf.open if isinstance(leaf, Object) else leaf
                if isinstance(open_, Unknown):
                    unsure.append(open_)
                for guard, item in run.elements(leaf, inner, node.at):
                    run.guard = both(outer, guard)
                    if run.guard is False:
                        continue
                    run.step()
                    run.assign(written.target, item, inner, node.at)
                    for condition in written.conditions:
                        if run.guard is not False:
                            holds = run.guard_of(run.value(condition, inner), inner, node.at)
                            run.guard = both(run.guard, holds)
                    if run.guard is not False:
                        clause(number + 1)
                    after = either(after, run.guard)
            run.guard = before

        clause(0)
        run.guard = start
        place = run.place(frame, node.at)
        items = [(True if guard == start else guard, item) for guard, item in found]
        if node.kind == "dict":
            made = self.mapping(run, [Entry(guard, item[0], item[1], place) for guard, item in items], place)
        else:
            made = containers.made_of(run, node.kind, items, place)
        if node.kind == "generator":
            for _, leaf in sources:
                drawn_later(leaf, phrase("element"))
        if unsure:
            made.open = made.open or unknown_from(unsure[:1], phrase("element"))
        return made

    def forget(self, run: Interpreter, names: frozenset[str], frame: Frame, at: ir.At) -> None:
        """Variables that a loop writes, after as many turns as nobody knows: nobody knows them either."""
        for name in sorted(names):
            value = self.variable(frame, name)
            if value is UNSET:
                continue
            unknown = run.unknown(Why.DYNAMIC, name, frame, at, symbol=("loop", name, frame.number, at))
            for _, leaf in leaves(value, run.guard):
                plain = isinstance(leaf, Object) and leaf.declared is None
                if plain and (leaf.items is not None or leaf.entries is not None):
                    leaf.open = leaf.open or unknown
            kept = apply(lambda leaf: leaf if isinstance(leaf, _KEPT) else unknown, value)  # noqa: B023
            self.assign_name(run, name, kept, frame, at)

    # -- match ----------------------------------------------------------------------------------------------

    def match(self, run: Interpreter, leaf: Any, label: Any, frame: Frame) -> Guarded:
        if isinstance(label, ir.Pattern):
            return self._pattern(run, leaf, label, frame)
        value = run.value(label, frame)
        if isinstance(label, ir.Const) and (label.value is None or isinstance(label.value, bool)):
            return apply(operators.identical, leaf, value)
        return apply(lambda one, other: self.binary(run, "==", one, other), leaf, value)

    def _pattern(self, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
        if isinstance(leaf, Diagram):
            return Test("true", (Unknown(Why.UNSUPPORTED, phrase("pattern")),))
        if pattern.kind == "capture":
            if pattern.name != "_":
                self.assign_name(run, pattern.name, leaf, frame, pattern.at)
            return True
        if pattern.kind == "value":
            return self.match(run, leaf, pattern.parts[0], frame)
        if pattern.kind == "as":
            holds = self.match(run, leaf, pattern.parts[0], frame)
            if holds is not False:
                self.assign_name(run, pattern.name, leaf, frame, pattern.at)
            return holds
        if pattern.kind == "or":
            return _any(self.match(run, leaf, part, frame) for part in pattern.parts)
        if isinstance(leaf, Unknown | Test):
            for name in _captured(pattern):
                self.assign_name(
                    run, name, unknown_from((leaf,), phrase("part-of-a-match")), frame, pattern.at
                )
            symbol = symbol_of(leaf)
            key = None if symbol is None else ("matches", symbol, pattern.at)
            return Test("true", (Unknown(Why.DYNAMIC, phrase("match"), key),))
        if pattern.kind == "sequence":
            return self._match_sequence(run, leaf, pattern, frame)
        if pattern.kind == "mapping":
            return self._match_mapping(run, leaf, pattern, frame)
        if pattern.kind == "class":
            return self._match_class(run, leaf, pattern, frame)
        return False

    def _match_sequence(self, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
        if isinstance(leaf, Text) or (
            isinstance(leaf, Object) and (leaf.items is None or leaf.type in containers.SETS)
        ):
            return False
        pairs = containers.pairs(leaf)
        if pairs is None:
            return False
        if any(guard is not True for guard, _ in pairs):
            return Test("true", (Unknown(Why.DYNAMIC, phrase("match")),))
        items = [item for _, item in pairs]
        star = next(
            (
                i
                for i, part in enumerate(pattern.parts)
                if isinstance(part, ir.Pattern) and part.kind == "star"
            ),
            None,
        )
        if star is None:
            if len(items) != len(pattern.parts):
                return False
            return _all(
                self.match(run, item, part, frame) for item, part in zip(items, pattern.parts, strict=True)
            )
        tail = len(pattern.parts) - star - 1
        if len(items) < star + tail:
            return False
        rest = pattern.parts[star]
        assert isinstance(rest, ir.Pattern)
        if rest.name != "_":
            middle = containers.made_of(
                run, "list", [(True, each) for each in items[star : len(items) - tail]], None
            )
            self.assign_name(run, rest.name, middle, frame, rest.at)
        parts = (*pattern.parts[:star], *pattern.parts[star + 1 :])
        chosen = (*items[:star], *items[len(items) - tail :]) if tail else tuple(items[:star])
        return _all(self.match(run, item, part, frame) for item, part in zip(chosen, parts, strict=True))

    def _match_mapping(self, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
        if not isinstance(leaf, Object) or leaf.entries is None:
            return False
        found: list[Guarded] = []
        for key, part in zip(pattern.keys, pattern.parts, strict=True):
            if isinstance(part, ir.Pattern) and part.kind == "star":
                rest = run.make(None, "dict", leaf.at)
                rest.open = leaf.open
                rest.entries = [
                    Entry(each.guard, each.key, each.value, each.at)
                    for each in leaf.entries
                    if not (isinstance(each.key, Text) and each.key.known in pattern.keys)
                ]
                self.assign_name(run, part.name, rest, frame, part.at)
                continue
            value, there = containers.lookup(run, leaf, text(key))
            if there is False:
                return False
            found += [there, self.match(run, value, part, frame)]
        return _all(found)

    def _match_class(self, run: Interpreter, leaf: Any, pattern: ir.Pattern, frame: Frame) -> Guarded:
        named = self.type_of(run, ir.TypeRef(pattern.name), frame)
        if named is None:
            return Test("true", (Unknown(Why.DYNAMIC, phrase("match")),))
        holds = library.is_instance(run, leaf, named)
        if holds is not True:
            return holds
        names: list[str] = []
        if named.declared is not None:
            listed = containers.pairs(classes.class_attribute(run, named.declared, "__match_args__"))
            info = info_of(run, named.declared)
            if listed is not None:
                names = [item.known or "" for _, item in listed if isinstance(item, Text)]
            elif info is not None:
                names = [decl.name for _, decl in classes.dataclass_fields(run, info)]
        found: list[Guarded] = []
        for place, (key, part) in enumerate(zip(pattern.keys, pattern.parts, strict=True)):
            if not key and named.declared is None:
                found.append(self.match(run, leaf, part, frame))  # str(x), int(x): the value itself
                continue
            name = key or (names[place] if place < len(names) else "")
            found.append(self.match(run, self.attribute(run, leaf, name, frame, pattern.at), part, frame))
        return _all(found)


ESCAPED_MAX = 256
"""Values that are followed from what is handed to code that nobody sees."""


def escape(run: Interpreter, values: Iterable[Guarded]) -> None:
    """What code that nobody sees gets hold of it may call or start: functions, methods and consumers inside collections,
    partial calls and objects too."""
    seen: set[int] = set()
    stack: list[Guarded] = list(values)
    while stack and len(seen) < ESCAPED_MAX:
        for _, leaf in leaves(stack.pop(), run.guard):
            if isinstance(leaf, tuple):
                stack += leaf
            if id(leaf) in seen or not isinstance(leaf, Object | Function | Bound):
                continue
            seen.add(id(leaf))
            if isinstance(leaf, Bound):
                stack.append(leaf.target)
            elif isinstance(leaf, Function):
                run.defer(leaf)
                stack.append(leaf.this)
            elif leaf.client is not None:
                leaf.client.escaped = True
            else:
                stack += [value for _, value in leaf.items or ()]
                stack += [entry.value for entry in leaf.entries or ()]
                if leaf.type != "module":
                    stack += [value for value in leaf.fields.values() if _may_hold(value)]


def _may_hold(value: Any) -> bool:
    return isinstance(value, Object | Function | Bound | tuple | Diagram)


def _is_python_s_own(value: Guarded) -> bool:
    """Whether a decorator is one of Python's own, or a method of what one made: what it makes of a function is not that
    function."""
    if isinstance(value, Bound) and isinstance(value.target, Object) and value.target.declared is None:
        return value.target.type.split(".")[0] in library.STANDARD | {"builtins"}
    return (
        isinstance(value, TypeValue)
        and value.declared is None
        and value.name.split(".")[0] in library.STANDARD | {"builtins"}
    )


def _decorates(run: Interpreter, leaf: Object) -> bool:
    """Whether a context manager can stand in front of a function."""
    if leaf.declared is None:
        return leaf.type == "contextlib.contextmanager"
    info = info_of(run, leaf.declared)
    return info is not None and "contextlib.ContextDecorator" in info.library


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


def _has_class(value: Guarded) -> bool:
    """Whether a value may be an object of a class of the program."""
    return any(isinstance(leaf, Object) and leaf.declared is not None for _, leaf in leaves(value))


def _is_modelled(frame: Frame) -> bool:
    """Whether the code of a frame is a library's model: no reader looks at its places."""
    return frame.owner is not None and frame.owner.file.model


def _method_frame(frame: Frame) -> Frame:
    """The frame of the method around a comprehension, lambda or nested function."""
    current: Frame | None = frame
    while current is not None:
        if current.this is not None:
            return current
        current = current.parent
    return frame


def _inside(frame: Frame | None, name: str) -> bool:
    """Whether code runs inside a method of a name: its own use of the operation is the plain one."""
    current = frame
    for _ in range(4):
        if current is None:
            return False
        if current.method is not None and current.method.name == name:
            return True
        current = current.caller
    return False


_STOPS = ("builtins.StopIteration", "builtins.StopAsyncIteration")


def _is_of(value: Any, names: tuple[str, ...]) -> bool:
    """Whether what was thrown is an exception of one of some names."""
    name = value.type if isinstance(value, Object) else value.name if isinstance(value, TypeValue) else ""
    return name in names


def _captured(pattern: ir.Pattern) -> Iterable[str]:
    """The names a pattern binds."""
    if pattern.kind in ("capture", "star", "as") and pattern.name != "_":
        yield pattern.name
    for part in pattern.parts:
        if isinstance(part, ir.Pattern):
            yield from _captured(part)


def _all(found: Iterable[Guarded]) -> Guarded:
    """Whether all parts hold; a part that nobody knows makes the whole a test."""
    unsure: Guarded = True
    for each in found:
        if each is False:
            return False
        if each is not True:
            unsure = each if unsure is True or isinstance(unsure, Test) else both(unsure, each)
    return unsure


def _any(found: Iterable[Guarded]) -> Guarded:
    unsure: Guarded = False
    for each in found:
        if each is True:
            return True
        if each is not False:
            unsure = each
    return unsure


__all__ = ["Key", "LibraryConstant", "Python", "module_frame"]
