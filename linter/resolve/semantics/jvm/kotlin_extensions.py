"""Kotlin's extension properties: of files, of objects that are imported, of the classes around."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from subdrift.linter.model import ir
from subdrift.linter.model.expr import Why
from subdrift.linter.resolve.execute.declarations import Class, Method
from subdrift.linter.resolve.execute.guards import UNSET, leaves, under
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Frame, Guarded, Object, Unknown
from subdrift.linter.resolve.semantics.jvm.kotlin_frames import chain, imported_as, receivers
from subdrift.linter.resolve.semantics.jvm.kotlin_functions import Functions
from subdrift.linter.resolve.semantics.jvm.kotlin_types import simple, types_of


class Extensions(Functions):
    """Finds what an extension property gives, and sets it."""

    def _extension_property(
        self, run: Interpreter, leaf: Any, name: str, modules: Iterator[Class], frame: Frame
    ) -> Guarded:
        """An extension property of a file; of several the one for the type that a variable is declared with."""
        for module in modules:
            if name not in module.fields:
                continue
            found = [one for one in module.decl.fields if one.name == name and one.receiver and one.getter]
            fits = [(self._fits(run, leaf, one.receiver, module), one) for one in found if one.receiver]
            told = (
                types_of(run, run.qualifies, frame)
                if len(fits) > 1 and type(run.qualifies) is ir.Name
                else None
            )
            if told is not None:
                fits = [(how, one) for how, one in fits if simple(one.receiver) in told]
            best = max((how for how, _ in fits), default=-1)
            chosen = [one for how, one in fits if how == best >= 0]
            if len(chosen) > 1:
                return run.unknown(Why.DYNAMIC, name, frame, chosen[0].at)
            for one in chosen:
                return self._accessor(run, leaf, module, one, one.getter or ())
        return UNSET

    def _member_extension(self, run: Interpreter, leaf: Any, name: str, frame: Frame) -> Guarded:
        """An extension property that a class around, a receiver or an imported object declares."""
        for home, holder in self._homes(run, name, frame):
            found = run.scope.field(home, imported_as(frame, name))
            if found is None:
                continue
            owner, decl = found
            if (
                decl.receiver is not None
                and decl.getter is not None
                and self._fits(run, leaf, decl.receiver, owner) >= 0
            ):
                return self._accessor(run, leaf, owner, decl, decl.getter, run.frame(owner, holder))
        return UNSET

    def _homes(self, run: Interpreter, name: str, frame: Frame) -> Iterator[tuple[Class, Guarded]]:
        """The classes whose members code in a frame sees without naming them, each with its object."""
        held = [one for receiver in receivers(frame) for _, one in leaves(receiver, run.guard)]
        for one in held:
            if isinstance(one, Object) and one.declared is not None:
                yield one.declared, one
        for current in chain(frame):
            for around in current.owner.lexical() if current.owner is not None else ():
                if around.kind in ("object", "companion"):
                    yield around, self.singleton(run, around)
                for one in self.companion(run, around) if around.kind != "module" else ():
                    assert one.declared is not None
                    yield one.declared, one
        full = frame.owner.file.single.get(name) if frame.owner is not None else None
        declared = run.scope.named(full.rpartition(".")[0], frame.owner) if full and frame.owner else None
        if isinstance(declared, Class) and declared.kind in ("object", "companion"):
            yield declared, self.singleton(run, declared)

    def _extended_setter(
        self, run: Interpreter, leaf: Any, name: str, frame: Frame
    ) -> tuple[Class, ir.FieldDecl] | None:
        """An extension property with a setter that a value has."""
        for module in self._modules(run, name, frame):
            found = module.fields.get(name)
            if found is None or found.receiver is None or found.setter is None:
                continue
            if found.setter.body is not None and self._fits(run, leaf, found.receiver, module) >= 0:
                return module, found
        return None

    def _accessor(
        self,
        run: Interpreter,
        this: Any,
        holder: Class,
        decl: ir.FieldDecl,
        body: Sequence[ir.Stmt],
        around: Frame | None = None,
    ) -> Guarded:
        """Runs a getter; `field` is what the property holds, `around` what the class sees whose member it is beside."""
        method = run.heap.get(("getter", holder, decl.name, decl.at))
        if method is None:
            of = None if around is None else decl.receiver
            written = ir.MethodDecl(
                f"get-{decl.name}", (), decl.type, tuple(body), decl.at, decl.at, receiver=of
            )
            method = run.heap["getter", holder, decl.name, decl.at] = Method(holder, written)
        if run.active(method) > 2:
            return Unknown(Why.CYCLE, decl.name)
        inner = run.frame(holder, this, method=method)
        inner.parent = around or inner.parent
        if isinstance(this, Object):
            inner.variables["field"] = under(this.fields.get(decl.name), run.guard)
        return run.activate(method, inner, body)
