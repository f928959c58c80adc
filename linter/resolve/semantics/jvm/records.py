"""The accessors of records, which nobody writes."""

from __future__ import annotations

from subdrift.linter.resolve.execute.interpreter import Arguments
from subdrift.linter.resolve.execute.values import Object


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
