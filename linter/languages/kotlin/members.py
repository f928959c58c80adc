"""The members of a class of Kotlin, as they are met."""

from __future__ import annotations

from subdrift.linter.model import ir


class Members:
    """What a body declares, while it is read."""

    __slots__ = (
        "constants",
        "delegates",
        "fields",
        "initialisers",
        "interfaces",
        "kind",
        "methods",
        "owner",
        "super_args",
        "supers",
        "types",
    )

    def __init__(self, owner: str, of: str) -> None:
        self.owner = owner
        self.kind = of
        self.supers: tuple[ir.TypeRef, ...] = ()
        self.interfaces = 0
        self.super_args: tuple[ir.Argument, ...] | None = None
        self.delegates: list[ir.Delegate] = []
        self.fields: list[ir.FieldDecl] = []
        self.methods: list[ir.MethodDecl] = []
        self.types: list[ir.ClassDecl] = []
        self.constants: list[ir.EnumConstant] = []
        self.initialisers: list[ir.Initialiser] = []

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
