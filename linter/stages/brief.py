"""The facts of a source file without what its unit tells, and whole again.

A unit tells most of them (`recognise`), in less time than they take to be read as text: what is kept for long is kept brief.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict, replace

from subdrift.linter.model.facts import FileFacts

if TYPE_CHECKING:
    from subdrift.linter.model import ir


def brief(facts: FileFacts) -> FileFacts | None:
    """The facts without those that their unit tells; None where nothing would make them whole again."""
    if facts.unit is None:
        return None
    told = _recognised(facts.unit)
    given = _given(facts)
    more = {
        name: value for name, value in given.items() if name != "language" and value != getattr(told, name)
    }
    if _given(told).keys() - given.keys():
        return None  # something that the unit tells is not among the facts
    return FileFacts(
        facts.language, unit=facts.unit, **{name: more[name] for name in more if name != "language"}
    )


def whole(facts: FileFacts) -> FileFacts:
    """The facts that `brief` left out added. Its argument has a unit."""
    assert facts.unit is not None
    return replace(_recognised(facts.unit), **_given(facts))


def _recognised(unit: ir.Unit) -> FileFacts:
    from subdrift.linter.recognise import facts

    return facts(unit)


def _given(facts: FileFacts) -> dict[str, Any]:
    """The fields that are not what they are without any facts."""
    return {name: value for name, value in asdict(facts).items() if value}
