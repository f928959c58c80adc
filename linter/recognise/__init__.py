"""What a lowered file declares, by itself: types with their constants, annotated listeners, applications it starts.

Nothing here knows a parser, a path or another file. What code does is not read but run, see `linter.resolve.execute`.
"""

from __future__ import annotations

from subdrift.linter.model import ir
from subdrift.linter.model.facts import FileFacts, Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say
from subdrift.linter.recognise import python
from subdrift.linter.recognise.applications import applications
from subdrift.linter.recognise.names import Names
from subdrift.linter.recognise.spring import Spring
from subdrift.linter.recognise.types import Types

_APPLICATION_CLASSES = frozenset({"SpringBootApplication", "SpringCloudApplication"})


def facts(unit: ir.Unit) -> FileFacts:
    """The facts of a file as its unit tells them."""
    return python.facts(unit) if unit.language == "python" else _jvm(unit)


def _jvm(unit: ir.Unit) -> FileFacts:
    names = Names(unit)
    types = Types(names).all()
    spring = Spring(unit, names, types)
    return FileFacts(
        unit.language,
        names.package,
        names.imports,
        types,
        tuple(spring.sites()),
        functional=tuple(spring.functional()),
        problems=problems(unit),
        runs=_is_compact(unit) or _runs(names),
        applications=applications(unit, names),
        unit=unit,
    )


def problems(unit: ir.Unit) -> tuple[Problem, ...]:
    """What was lost in reading: the file as a whole, or the first place that is not of the language."""
    if unit.skipped:
        return (Problem("skipped-file", unit.skipped, say("split-or-exclude"), START),)
    if unit.broken:
        return (Problem("parse-error", say("syntax-error"), None, Span(*unit.broken[0])),)
    return ()


def _is_compact(unit: ir.Unit) -> bool:
    """Whether it is a compact source file, whose class has no name and a main method."""
    nameless = (one for one in unit.types if not one.name and not unit.broken and not unit.package)
    return any(method.name == "main" for one in nameless for method in one.methods)


def _runs(names: Names) -> bool:
    """Whether the file has a main method or an application class."""
    return any(
        any(method.name == "main" for method in scope.decl.methods)
        or any(each.name.rpartition(".")[2] in _APPLICATION_CLASSES for each in scope.decl.annotations)
        for scope in names.scopes
    )
