"""The members of a class of Kotlin, as they are met."""

from __future__ import annotations

from subdrift.linter.languages.jvm.lowering import Body
from subdrift.linter.model import ir


class Members(Body):
    """What a body of Kotlin declares besides: what its type delegates to, and hands to the class above it."""

    __slots__ = ("delegates", "super_args", "supers")

    def __init__(self, owner: str, of: str) -> None:
        super().__init__(owner, of)
        self.supers: tuple[ir.TypeRef, ...] = ()
        self.super_args: tuple[ir.Argument, ...] | None = None
        self.delegates: list[ir.Delegate] = []

    def __bool__(self) -> bool:
        return bool(self.fields or self.methods or self.initialisers)

    def declared(
        self,
        at: ir.At,
        name_at: ir.At,
        annotations: tuple[ir.Annotation, ...] = (),
        components: tuple[ir.Param, ...] | None = None,
        parameters: tuple[tuple[str, ir.TypeRef | None], ...] = (),
        abstract: bool = False,
        static: bool = False,
        data: bool = False,
    ) -> ir.ClassDecl:
        """The type with these members."""
        return ir.ClassDecl(
            self.owner,
            self.kind,
            at,
            name_at,
            self.supers,
            self.interfaces,
            self.super_args,
            annotations,
            tuple(self.fields),
            tuple(self.methods),
            tuple(self.types),
            tuple(self.constants),
            components,
            tuple(self.initialisers),
            tuple(self.delegates),
            parameters,
            abstract,
            static,
            data=data,
        )
