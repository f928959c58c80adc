"""The accessors of records, and of interfaces that configuration is mapped to, which nobody writes."""

from __future__ import annotations

from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Object

MAPPED = "<mapped>"
"""Among the fields of an object: each of them is what the method of its name gives."""


def is_component(leaf: Object, name: str, arguments: Arguments) -> bool:
    """Whether a call means a record's own accessor, before anything its interfaces say under that name."""
    declared = leaf.declared
    return (
        declared is not None
        and (declared.kind == "record" or MAPPED in leaf.fields)
        and not arguments.values
        and name in leaf.fields
        and not any(one.arity == 0 and not one.abstract for one in declared.methods.get(name, ()))
    )
