"""Expr -> value, bounded, each with a trail of locations or a reason.

What is evaluated here is declared: constants, texts put together from them, placeholders, keys of configuration. What code
computes is executed instead (`linter.resolve.execute`). An alternative (a constant that is a ternary) is not enumerated
here: the first time it is met a `Fork` is raised, and the caller evaluates again under each choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence, TrailStep, Value
from subdrift.linter.model.expr import (
    Call,
    Concat,
    Config,
    Expr,
    Interpolate,
    Items,
    Literal,
    Member,
    Name,
    New,
    OneOf,
    TypeName,
    Unknown,
    Why,
)
from subdrift.linter.model.facts import Field, TypeKind
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configured import BOUNDS, Resolver
from subdrift.linter.resolve.definitions import Ambiguous, Distance, Found, TypeDef
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.execute.deferred import parts_of
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.values import (
    Constant,
    Many,
    Null,
    TypeVal,
    Val,
    describe,
    joined,
    short,
    with_step,
)
from subdrift.linter.resolve.world import Choice, Fork, World

OBJECT_OF = "object-of"
"""How the reason of a value that is an object begins; the class follows."""


class Evaluator(Resolver):
    """Evaluates under one environment of one deployable and one set of choices; `used` are the choices that were met."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        choices: dict[Choice, int] | None = None,
    ) -> None:
        super().__init__(world, deployable, environment)
        self.choices = choices or {}
        self.used: set[Choice] = set()

    def text(self, expr: Expr, near: Placed) -> Value:
        """The text of an expression of a file; a list or type is a reason, not a text."""
        value = self.value(expr, near)
        match value:
            case Value():
                return value
            case Null(trail=trail):
                return Value(None, Why.DYNAMIC, phrase("it-is-null"), trail)
            case Constant(text=text):
                return text
            case _:
                step = TrailStep(near.at(expr.at), phrase("not-a-text"))
                return Value(None, Why.DYNAMIC, describe(value), (step,))

    def value(self, expr: Expr, near: Placed, depth: int = 0) -> Val:
        """What an expression of a file means."""
        at = near.at(expr.at)
        if self.is_spent(depth):
            return _unknown(Why.TOO_MANY, BOUNDS, at, _described(expr))
        match expr:
            case Literal(text=text):
                return Value(text, trail=(TrailStep(at, f'"{text}"'),))
            case Unknown(why=why, detail=detail):
                return _unknown(why, detail, at, _described(expr))
            case Concat(parts=parts):
                return self._concat(parts, near, depth)
            case OneOf(options=options):
                picked = self._choose(Choice(near.origin, expr.at), len(options))
                return self.value(options[picked], near, depth + 1)
            case Items(items=items):
                return Many(tuple(self.value(item, near, depth + 1) for item in items))
            case Name():
                return self._name(expr, near, depth)
            case Config(key=key):
                return self.lookup(key, at, depth + 1)
            case Interpolate(text=inner):
                value = self.value(inner, near, depth + 1)
                return self.declared(value, at, depth) if isinstance(value, Value) else value
            case Member(target=target, name=name):
                return self._attribute(self.value(target, near, depth + 1), name, at, depth)
            case Call():
                return self._call(expr, near, depth)
            case TypeName(candidates=candidates):
                found = self._find(candidates, near)
                if isinstance(found, Found):
                    return TypeVal(found.type, found.type.name, at)
                return TypeVal(None, candidates[0] if candidates else "?", at)
            case New(candidates=candidates):
                shown = short(candidates[0]) if candidates else "?"
                return _unknown(Why.DYNAMIC, phrase(OBJECT_OF, shown), at, _described(expr))

    def _choose(self, choice: Choice, count: int) -> int:
        if count == 1:
            return 0
        self.used.add(choice)
        picked = self.choices.get(choice)
        if picked is None:
            raise Fork(choice, count)
        return picked

    # -- texts ----------------------------------------------------------------------------------------------

    def _concat(self, parts: Sequence[Expr], near: Placed, depth: int) -> Value:
        values: list[Val] = []
        for part in parts:
            value = self.value(part, near, depth + 1)
            if isinstance(value, Value) and not value.known and not value.trail:
                value = replace(value, trail=_step(near.at(part.at), _described(part)))
            values.append(value)
            if isinstance(value, Value) and not value.known and not value.symbol:
                break
        return joined(values)

    def _call(self, call: Call, near: Placed, depth: int) -> Val:
        args = [self.value(argument, near, depth + 1) for argument in call.args]
        at = near.at(call.at)
        match call.function, args:
            case _, [Value(text=None) as missing, *_]:
                return missing
            case "none", []:
                return Null(_step(at, "null"))
            case ("qualified_name" | "simple_name") as what, [TypeVal(name=name)]:
                return Value(
                    short(name) if what == "simple_name" else name,
                    trail=_step(at, phrase("name-of-the-class")),
                )
            case "element", [Value(text=str(text)) as whole, Value(text=str(number))] if int(number) < len(
                parts_of(text, ",")
            ):
                return replace(whole, text=parts_of(text, ",")[int(number)].strip())
            case "after", [Value(text=str(text)) as whole, Value(text=str(count))]:
                return replace(whole, text=text[int(count) :])
        return _unknown(Why.UNSUPPORTED, call.function, at, _described(call))

    # -- names ----------------------------------------------------------------------------------------------

    def _find(self, candidates: Sequence[str], near: Placed) -> Found | Value | None:
        return _defined(lambda: self.world.definitions.first(candidates, near, self.deployable))

    def _holder(self, type_name: str, member: str, near: Placed) -> Found | Value | None:
        """The type that a name stands in: `TYPE`, or `PACKAGE.*` for what stands outside of types."""
        if not type_name.endswith("*"):
            return self._find((type_name,), near)
        name = f"{type_name[:-1]}{member}"
        return _defined(lambda: self.world.definitions.outside(name, near, self.deployable))

    def _name(self, name: Name, near: Placed, depth: int) -> Val:
        at = near.at(name.at)
        gap: Value | None = None
        for candidate in name.candidates:
            type_name, _, member = candidate.partition("#")
            found = self._holder(type_name, member, near)
            if isinstance(found, Value):
                return self._answered(name, at) or replace(found, trail=_step(at, _described(name)))
            if found is None:
                continue
            if not member:
                return TypeVal(found.type, type_name, at)
            value = self._constant(found, member, at, depth)
            if value is not None:
                return value
            lacking = phrase("has-no", short(type_name), member)
            gap = gap or _unknown(Why.UNDEFINED, f"{short(type_name)}.{member}", at, lacking)
        shown = short(name.candidates[0]) if name.candidates else "?"
        nothing = _unknown(Why.UNDEFINED, shown, at, phrase("no-definition-of-in-this-run", shown))
        return self._answered(name, at) or gap or nothing

    def _answered(self, name: Name, at: Location) -> Value | None:
        """What `[values]` says of a symbol that no tracked file defines, or that several define differently."""
        for candidate in name.candidates:
            answer = self.environment.answer(short(candidate))
            if answer is not None:
                where = self.environment.configuration.answers_at or at
                return Value(answer, trail=_step(where, phrase("values-answer", short(candidate))))
        return None

    def _constant(self, found: Found, member: str, at: Location, depth: int) -> Val | None:
        """A constant of a type or of its supertypes, or a type nested in one of them."""
        confidence = _confidence(found.distance)
        for owner in self.world.definitions.supers(found.type, self.deployable):
            field = owner.field(member)
            if field is not None:
                where = owner.placed.at(field.at)
                if owner.type.kind is TypeKind.ENUM and isinstance(field.value, New) and field.static:
                    step = _step(where, phrase("enum-constant-named", member))
                    return Constant(Value(member, trail=step, confidence=confidence))
                name = f"{short(owner.name)}.{member}"
                value = self._initialised(owner, field, name, depth)
                return with_step(value, TrailStep(where, f"{name}{self._far(found, owner)}"), confidence)
            nested = self.world.definitions.own(owner.placed.origin, f"{owner.name}.{member}")
            if nested is not None:
                return TypeVal(nested, nested.name, at)
        return None

    def _initialised(self, owner: TypeDef, field: Field, name: str, depth: int) -> Val:
        """What a field starts with, where it is a constant."""
        at = owner.placed.at(field.at)
        mark = ("field", owner.key, field.name)
        if mark in self._active:
            return _unknown(Why.CYCLE, name, at, phrase("defined-by-itself"))
        if field.value is None:
            return _unknown(Why.DYNAMIC, phrase("field", field.name), at, phrase("not-a-constant"))
        self._active.add(mark)
        try:
            return self.value(field.value, owner.placed, depth + 1)
        finally:
            self._active.discard(mark)

    def _far(self, found: Found, owner: TypeDef) -> str:
        if found.distance < Distance.DEPENDENCY:
            return ""
        repo = owner.placed.origin.repo
        target = self.world.modules.of(owner.placed.origin)
        edge = self.world.modules.edge(self.deployable.key, target)
        if edge is None:
            return phrase("of-repository", repo)
        return phrase("of-pinned", repo, edge.version) if edge.version else phrase("of-managed", repo)

    def _attribute(self, target: Val, name: str, at: Location, depth: int) -> Val:
        if isinstance(target, Value) and not target.known:
            return target
        if isinstance(target, TypeVal) and target.type is not None:
            value = self._constant(Found(target.type, Distance.FILE), name, at, depth)
            if value is not None:
                return value
        return _unknown(Why.DYNAMIC, name, at, phrase("key-of", name, describe(target)))


def _defined(look_up: Callable[[], Found | None]) -> Found | Value | None:
    try:
        return look_up()
    except Ambiguous as error:
        places = ", ".join(f"{place.repo}/{place.path}" for place in error.places[:3])
        return Value(None, Why.AMBIGUOUS, phrase("name-in-file", error.name, places))


def _confidence(distance: Distance) -> Confidence:
    if distance is Distance.ELSEWHERE:
        return Confidence.LOW
    return Confidence.MEDIUM if distance is Distance.DEPENDENCY else Confidence.HIGH


def _step(at: Location, what: str) -> tuple[TrailStep, ...]:
    return (TrailStep(at, what),)


def _unknown(why: Why, detail: str, at: Location, what: str) -> Value:
    return Value(None, why, detail, _step(at, what))


def _described(expr: Expr) -> str:
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
