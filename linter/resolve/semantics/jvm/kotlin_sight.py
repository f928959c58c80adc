"""Kotlin's objects and companions, and which declarations of files, models and receivers are in sight of a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.given_up import lose_earlier
from subdrift.linter.resolve.execute.guards import leaves
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Bound, Frame, Function, Guarded, Object, TypeValue
from subdrift.linter.resolve.semantics.jvm.forms.common import Making
from subdrift.linter.resolve.semantics.jvm.java import Java
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import ALWAYS
from subdrift.linter.resolve.semantics.jvm.kotlin_library import members

_OF_LIBRARY = frozenset({"setOf", "setOfNotNull", "getOrElse"})
"""Functions of Kotlin whose names begin as those of a property's methods."""


ALIASES_MAX = 16
"""Names of types that stand for one another, one after the other."""


def _is_inside(frame: Frame, named: Class) -> bool:
    """Whether code stands in a class, or in one nested in it."""
    return frame.owner is not None and any(each is named for each in frame.owner.lexical())


class Sight(Java):
    """Finds objects, and what may be meant by a name."""

    def type_value(self, run: Interpreter, named: Class) -> Guarded:
        """What the name of a class is as a value: the one object of an `object`, else the class."""
        if named.kind == "alias" and named.decl.supers:
            above = run.scope.named(named.decl.supers[0].name, named)
            return self.type_value(run, above) if isinstance(above, Class) else TypeValue(None, above)
        if named.kind in ("object", "companion"):
            return self.singleton(run, named)
        return TypeValue(named, named.name)

    def meant(self, run: Interpreter, ref: ir.TypeRef, frame: Frame) -> ir.TypeRef:
        """The type that a name stands for: another one's, if it is an alias of that."""
        named = run.type_named(ref.name, frame)
        for _ in range(ALIASES_MAX):
            if not isinstance(named, Class) or named.kind != "alias" or not named.decl.supers:
                break
            above = named.decl.supers[0]
            named = run.scope.named(above.name, named)
            ref = ir.TypeRef(named.name if isinstance(named, Class) else above.name, above.args)
        return ref

    def singleton(self, run: Interpreter, declared: Class) -> Object:
        """The one object of an `object` or companion, made when it is first asked for."""
        found = run.heap.get(("object", declared))
        if isinstance(found, Object):
            return found
        made = run.make(declared, declared.name, declared.at(declared.decl.name_at))
        run.heap["object", declared] = made
        before, raised = run.guard, run.raised
        run.guard, run.raised = True, []
        at = declared.at(declared.decl.name_at)
        self.initialise(Making(run, made, declared, Arguments([]), run.frame(declared, None), at))
        run.guard, run.raised = before, raised
        lose_earlier(run, declared)
        return made

    def companion(self, run: Interpreter, declared: Class) -> Iterator[Object]:
        """The companion objects of a class and of those above it."""
        for each in run.scope.supers(declared):
            for inner in each.nested.values():
                if inner.kind == "companion":
                    yield self.singleton(run, inner)

    def _is_made(self, run: Interpreter, named: Class, arguments: Arguments, frame: Frame) -> bool:
        """Whether a constructor that code in a frame may call takes arguments; enums and what is abstract have none."""
        return (
            named.concrete
            and named.kind != "enum"
            and any(
                m.accepts(len(arguments))
                and (not m.decl.private or _is_inside(frame, named))
                and self._fit(run, m, arguments.values) >= 0
                for m in named.methods.get("<init>", ())
            )
        )

    def as_value(self, run: Interpreter, value: Guarded) -> Guarded:
        """What the name of a class is where no member of it is named: its companion object, if it has one."""
        if isinstance(value, TypeValue) and value.declared is not None:
            inside = value.declared.nested.values()
            return next((self.singleton(run, one) for one in inside if one.kind == "companion"), value)
        return value

    def _modules(self, run: Interpreter, name: str, frame: Frame) -> Iterator[Class]:
        """The top levels of files that a name may come from: this file, what is imported, the package, wildcards."""
        assert frame.owner is not None
        file = frame.owner.file
        program = run.scope.program
        yield from (one for one in file.classes.values() if one.kind == "module")
        packages = [file.unit.package, *file.wildcards]
        full = file.single.get(name)
        if full is not None:
            packages.insert(0, full.rpartition(".")[0])
        for package in packages:
            found = [one for one in program.modules(package) if one.file is not file]
            yield from sorted(found, key=lambda one: (run.scope.distance(file, one.origin), one.origin))
            if package:
                run.scope.definitions.missing.add(f"{package}.{name}")

    def _has_member(self, run: Interpreter, leaf: Any, name: str, count: int) -> bool:
        if isinstance(leaf, Object):
            if leaf.declared is not None and any(
                name in each.nested and each.nested[name].kind == "class"
                for each in run.scope.supers(leaf.declared)
            ):
                return True
            if leaf.declared is not None and run.scope.methods(leaf.declared, name, count):
                return True
            if leaf.declared is not None and leaf.declared.decl.data and name == "copy":
                return True
            if leaf.client is not None:
                return name in leaf.client.operations or (
                    name.startswith(("set", "get")) and name not in _OF_LIBRARY
                )
        if isinstance(leaf, Bound):  # a property that is picked by its name
            return (name, count) in (("get", 0), ("set", 1)) and self.is_property(run, leaf)  # type: ignore[attr-defined]
        if isinstance(leaf, Function) and leaf.type is not None and run.scope.methods(leaf.type, name, count):
            return True
        return members.has_member(leaf, name)

    def _is_out_of_sight(
        self, run: Interpreter, receiver: Guarded, name: str, frame: Frame, count: int | None = None
    ) -> bool:
        """Whether the property, or the method of so many arguments, that a receiver has is private to other code."""
        assert frame.owner is not None
        around = list(frame.owner.lexical())
        for _, leaf in leaves(receiver, run.guard):
            declared = leaf.declared if isinstance(leaf, Object) else None
            if declared is None:
                return False
            if count is not None:
                methods = run.scope.methods(declared, name, count)
                if not methods or not all(m.decl.private and m.owner not in around for m in methods):
                    return False
                continue
            field = run.scope.field(declared, name)
            if field is None or not field[1].private or field[0] in around:
                return False
        return True

    def _models(self, run: Interpreter, name: str, frame: Frame) -> Iterator[Class]:
        """The top levels of the library's models that a name may come from."""
        models = run.scope.models
        if models is None or frame.owner is None:
            return
        file = frame.owner.file
        full = file.single.get(name)
        packages = [] if full is None else [full.rpartition(".")[0]]
        packages += [*([file.unit.package] if file.model else ()), *file.wildcards, *ALWAYS]
        for package in dict.fromkeys(packages):
            yield from models.package(package)
