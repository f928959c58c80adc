"""How the steps of an evaluation are told: places, short texts, confidence."""

from __future__ import annotations

from collections.abc import Sequence

from subdrift.linter.model.consumer import Confidence, TrailStep
from subdrift.linter.model.expr import Call, Expr, Member, Name, New, Unknown
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.definitions import Distance
from subdrift.linter.resolve.values import Constant, FileVal, Many, Missing, Null, Text, TypeVal, Val

OBJECT_OF = "object-of"
"""How the reason of a value that is an object begins; the class follows."""


def here(expr: Expr, near: Placed) -> tuple[TrailStep, ...]:
    return (TrailStep(near.at(expr.at), _describe_expr(expr)),)


def short(name: str) -> str:
    """The part of a full name a reader would say."""
    plain = name.partition("#")
    tail = plain[0].rpartition(".")[2]
    if tail == "*":
        return plain[2]
    return f"{tail}.{plain[2]}" if plain[2] else tail


def confidence(distance: Distance) -> Confidence:
    if distance is Distance.ELSEWHERE:
        return Confidence.LOW
    return Confidence.MEDIUM if distance is Distance.DEPENDENCY else Confidence.HIGH


def shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def describe(value: Val) -> str:
    match value:
        case Many():
            return phrase("list")
        case TypeVal(name=name):
            return phrase("class", short(name))
        case Constant(text=Text(text=text)):
            return phrase("constant", text)
        case FileVal():
            return phrase("settings-file")
        case Null():
            return "null"
        case Text(text=text):
            return f'"{text}"'
        case Missing(detail=detail):
            return detail


def _describe_expr(expr: Expr) -> str:
    match expr:
        case Unknown(detail=detail):
            return detail or phrase("not-read")
        case Member(name=name):
            return f"`{name}`"
        case Call(function=function):
            return f"`{function}`"
        case Name(candidates=candidates) | New(candidates=candidates):
            return f"`{short(candidates[0])}`" if candidates else phrase("name")
        case _:
            return phrase("expression")
