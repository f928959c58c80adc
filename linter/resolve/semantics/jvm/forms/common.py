"""What the forms share."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from subdrift.linter.model import ir
from subdrift.linter.model.location import Location
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Frame, Guarded, Object


class Making(NamedTuple):
    """An object that is being made: as one of a class, with the arguments of what makes it, and from where."""

    run: Interpreter
    made: Object
    declared: Class
    arguments: Arguments
    frame: Frame
    at: Location


ZERO: dict[str, Guarded] = {
    **dict.fromkeys(("int", "long", "short", "byte"), 0),
    **dict.fromkeys(("float", "double"), 0.0),
    "boolean": False,
}


def is_static(holder: Class, decl: ir.FieldDecl) -> bool:
    """Whether a field is one of its class: in an interface each is, but for the properties of Kotlin."""
    return decl.static or (holder.is_interface and holder.file.language != "kotlin")


def anonymous(
    run: Interpreter,
    decl: ir.ClassDecl,
    owner: Class,
    above: Class | str | None = None,
    ref: ir.TypeRef | None = None,
    near: Frame | None = None,
) -> Class:
    """The class of a body inside other code, the same for the same declaration; what is declared `near` it has a name in it."""
    key = ("class", id(decl))
    found = run.heap.get(key)
    if found is None:
        written = decl
        if above is not None and ref is not None and not decl.supers:
            interfaces = 1 if isinstance(above, Class) and above.is_interface else 0
            written = with_supers(decl, ref, interfaces)
        found = Class.of(owner.file, written, owner, local=True)
        if above is not None and not found.decl.name:
            found.name = f"{owner.name}.<anonymous>"
        current = near
        while current is not None:
            for name, beside in current.types.items():
                found.beside.setdefault(name, beside)
            current = current.parent
        run.heap[key] = found
        run.heap["kept", id(decl)] = decl
    assert isinstance(found, Class)
    return found


def with_supers(decl: ir.ClassDecl, ref: ir.TypeRef, interfaces: int) -> ir.ClassDecl:

    return replace(decl, supers=(ref,), interfaces=interfaces)


def local_frame(run: Interpreter, declared: Class) -> Frame | None:
    """The frame a local class was declared in."""
    current: Class | None = declared
    while current is not None:
        found = run.heap.get(("frame", current))
        if isinstance(found, Frame):
            return found
        current = current.outer if current.local else None
    return None
