"""Expr -> value, bounded, each with a trail of locations or a reason.

Evaluation is a small interpreter over the summaries in facts. What is open (a ternary, a loop, the callers of a
method) is not enumerated here: the first time it is met a `Fork` is raised, and the caller evaluates again under
each choice. So one evaluation runs under fixed choices and values met together stay together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from linter.model.consumer import Confidence, TrailStep
from linter.model.expr import (
    Argument,
    Call,
    Concat,
    Config,
    Created,
    Entries,
    EnvVar,
    Expr,
    Injected,
    Interpolate,
    Items,
    Literal,
    LoopVar,
    Member,
    Name,
    New,
    OneOf,
    Param,
    This,
    TypeName,
    Unknown,
    Why,
)
from linter.model.facts import AnnotationUse, Field, Method, TypeKind
from linter.model.location import Location, Origin, Span
from linter.resolve import builtins
from linter.resolve.callers import CALLERS_MAX, Callers
from linter.resolve.configuration import Entry, Environment
from linter.resolve.definitions import Ambiguous, Definitions, Distance, Found, TypeDef
from linter.resolve.execute.program import Program
from linter.resolve.modules import Deployable, Modules
from linter.resolve.place import Placed, scope_of
from linter.resolve.placeholder import Parts, Placeholder, parse
from linter.resolve.resources import filled_in
from linter.resolve.values import (
    FileVal,
    Frame,
    Many,
    Mapping,
    Missing,
    Null,
    Obj,
    SiteVal,
    Text,
    TypeVal,
    Val,
    with_step,
)

DEPTH_MAX = 80
"""Expressions inside expressions, calls inside calls."""

STEPS_MAX = 20_000
"""Expressions evaluated and keys looked up for one consumer under one set of choices."""

CALLERS_DEPTH_MAX = 6
"""Calls followed from a parameter outwards."""

LOOP_MAX = 256
"""Elements of one list that a loop runs over."""

_BOUNDS = f"more than {DEPTH_MAX} levels or {STEPS_MAX:,} steps"
_PROPERTY = re.compile(r"\$\{([A-Za-z0-9._-]+)\}")

PROPERTIES_ANNOTATIONS = ("ConfigurationProperties",)
_LOMBOK_CONSTRUCTORS = ("AllArgsConstructor", "RequiredArgsConstructor", "Data", "Value")


class Open(Enum):
    """What kind of choice a fork is."""

    ALTERNATIVE = "alternative"  # one of them holds: rows that exclude each other
    LOOP = "loop"  # all of them happen, one after the other
    CALLER = "caller"  # each caller makes a consumer of its own
    SUBTYPE = "subtype"  # each concrete type makes a consumer of its own


@dataclass(frozen=True, slots=True)
class Choice:
    """A point at which evaluation can go several ways: its place, and the loop's span where it is one."""

    kind: Open
    origin: Origin
    span: Span
    detail: str = ""


class Fork(Exception):
    """Evaluation met a choice that is not made yet."""

    def __init__(self, choice: Choice, count: int) -> None:
        super().__init__(choice)
        self.choice = choice
        self.count = count


@dataclass(slots=True)
class World:
    """Everything resolution looks things up in; the same for all deployables of a run."""

    modules: Modules
    definitions: Definitions
    callers: Callers
    files: dict[Origin, Placed]
    by_name: dict[str, list[Placed]]
    program: Program
    wanted_files: set[str] = field(default_factory=set)
    imported_files: set[str] = field(default_factory=set)


class Evaluator:
    """Evaluates under one environment of one deployable and one set of choices."""

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        choices: dict[Choice, int],
    ) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        self.choices = choices
        self.used: set[Choice] = set()
        self.asked_configuration = False
        self.undefined_keys: set[str] = set()
        self.called: list[Frame] = []
        self.root: Frame | None = None
        self.unreached = False
        self.through: set[Origin] = set()
        self._steps = 0
        self._active: set[tuple[object, ...]] = set()

    # -- entry points ---------------------------------------------------------------------------------------

    def text(self, expr: Expr, frame: Frame) -> Text | Missing | Null:
        """The text of an expression; an object or list is a reason, not a text."""
        value = self.value(expr, frame, 0)
        match value:
            case Text() | Missing() | Null():
                return value
            case Obj(constant=constant, at=at) if constant:
                return Text(constant, (TrailStep(at, f"enum constant {constant}"),))
            case _:
                return Missing(Why.DYNAMIC, _describe(value), (TrailStep(frame.at(_span(expr)), "no text"),))

    def value(self, expr: Expr, frame: Frame, depth: int = 0) -> Val:
        if self._is_spent(depth):
            return Missing(Why.TOO_MANY, _BOUNDS, self._here(expr, frame))
        match expr:
            case Literal(text=text):
                return Text(text, (TrailStep(frame.at(expr.at), f'"{text}"'),))
            case Unknown(why=why, detail=detail):
                return Missing(why, detail, self._here(expr, frame))
            case Concat(parts=parts):
                return self._concat(parts, frame, depth)
            case OneOf(options=options):
                if not options:
                    return Missing(Why.DYNAMIC, "no value", self._here(expr, frame))
                if len(options) == 1:
                    return self.value(options[0], frame, depth + 1)
                picked = self._choose(Choice(Open.ALTERNATIVE, frame.file.origin, expr.at), len(options))
                return self.value(options[picked], frame, depth + 1)
            case Items(items=items):
                return Many(tuple(self.value(item, frame, depth + 1) for item in items))
            case Entries(entries=entries):
                return Mapping(
                    tuple(
                        (self.value(key, frame, depth + 1), self.value(item, frame, depth + 1))
                        for key, item in entries
                    )
                )
            case Name():
                return self._name(expr, frame, depth)
            case Param():
                return self._param(expr, frame, depth)
            case This():
                return frame.this or Missing(Why.DYNAMIC, "this", self._here(expr, frame))
            case LoopVar():
                return self._loop(expr, frame, depth)
            case Config(key=key, default=default):
                return self._config(key, default, frame, expr.at, depth)
            case EnvVar(name=name, default=default):
                return self._variable(name, default, frame, expr.at, depth)
            case Interpolate(text=inner):
                value = self.value(inner, frame, depth + 1)
                return self.interpolate(value, frame.at(expr.at), depth) if isinstance(value, Text) else value
            case Member():
                return self._member(expr, frame, depth)
            case Call():
                return self._call(expr, frame, depth)
            case New(candidates=candidates, args=args):
                found = self._find(candidates, frame)
                if isinstance(found, Missing):
                    return found
                return Obj(found.type if found else None, candidates, args, frame, frame.at(expr.at))
            case Created(site=site):
                return SiteVal(frame.file.origin, site, frame)
            case Injected(candidates=candidates):
                return self._injected(candidates, frame, expr.at)
            case TypeName(candidates=candidates):
                return self._type_name(candidates, frame, expr.at)

    def _is_spent(self, depth: int) -> bool:
        """Counts one step; whether that was one too many."""
        self._steps += 1
        return depth > DEPTH_MAX or self._steps > STEPS_MAX

    # -- texts ----------------------------------------------------------------------------------------------

    def _concat(self, parts: Sequence[Expr], frame: Frame, depth: int) -> Val:
        values: list[Val] = []
        for part in parts:
            value = self.value(part, frame, depth + 1)
            if isinstance(value, Obj) and value.constant:
                value = Text(value.constant, (TrailStep(value.at, f"enum constant {value.constant}"),))
            gap = builtins.missing_in([value])
            if gap:
                return gap if gap.trail else replace(gap, trail=self._here(part, frame))
            values.append(value)
        return builtins.merged(values, "".join(builtins.plain(value) for value in values))

    def interpolate(self, value: Text, at: Location, depth: int = 0) -> Val:
        """Spring's placeholders in a known text."""
        if "#{" in value.text:
            return self._spel(value, at, depth)
        if "${" not in value.text:
            return value
        result = self._parts(parse(value.text), at, depth, value.confidence)
        return result if isinstance(result, Missing) else replace(result, trail=value.trail + result.trail)

    def _spel(self, value: Text, at: Location, depth: int) -> Val:
        """`#{'${k}'.split(',')}` is the one SpEL form that is read; any other is run-time code."""
        text = value.text.strip()
        if text.startswith("#{'") and text.endswith("'.split(',')}"):
            inner = self.interpolate(replace(value, text=text[3 : -len("'.split(',')}")]), at, depth + 1)
            return builtins.split(inner, ",") if isinstance(inner, Text) else inner
        return Missing(Why.DYNAMIC, "SpEL", (*value.trail, TrailStep(at, "a SpEL expression")))

    def _parts(self, parts: Parts, at: Location, depth: int, confidence: Confidence) -> Text | Missing:
        values: list[Val] = []
        for part in parts:
            if isinstance(part, str):
                values.append(Text(part))
                continue
            value = self._placeholder(part, at, depth + 1)
            if not isinstance(value, Text):
                return value if isinstance(value, Missing) else Missing(Why.UNSUPPORTED, "a list in a text")
            values.append(value)
        made = builtins.merged(values, "".join(builtins.plain(value) for value in values))
        return replace(made, confidence=min(made.confidence, confidence)) if isinstance(made, Text) else made

    def _placeholder(self, placeholder: Placeholder, at: Location, depth: int) -> Val:
        key = self._parts(placeholder.key, at, depth, Confidence.HIGH)
        if isinstance(key, Missing):
            return key
        found = self.lookup(key.text, at, depth)
        if placeholder.default is None or not self._takes_default(found, key.text):
            return found
        default = self._parts(placeholder.default, at, depth, Confidence.MEDIUM)
        if isinstance(default, Missing):
            return default
        step = TrailStep(at, f"default of `{key.text}`")
        return replace(
            default,
            default=True,
            confidence=min(default.confidence, Confidence.MEDIUM),
            trail=(step, *default.trail),
        )

    # -- configuration --------------------------------------------------------------------------------------

    def lookup(self, key: str, at: Location, depth: int, *, loosely: bool = False) -> Val:
        """The configured text of a key, placeholders and build filters applied."""
        self.asked_configuration = True
        if self._is_spent(depth):
            return Missing(Why.TOO_MANY, _BOUNDS, (TrailStep(at, f"`{key}`"),))
        answer = self.environment.answer(key)
        if answer is not None:
            where = self.environment.configuration.answers_at or at
            return Text(answer, (TrailStep(where, f"[values] answers `{key}`"),))
        entry = self.environment.lookup(key, loosely=loosely)
        if entry is None:
            return self._not_configured(key, at)
        mark = ("config", key)
        if mark in self._active:
            return Missing(Why.CYCLE, key, (TrailStep(entry.at, f"`{key}` refers to itself"),))
        self._active.add(mark)
        try:
            return self._entry_text(entry, depth)
        finally:
            self._active.discard(mark)

    def _entry_text(self, entry: Entry, depth: int) -> Val:
        confidence = Confidence.MEDIUM if entry.profile or entry.copied else Confidence.HIGH
        note = f" (profile {entry.profile})" if entry.profile else ""
        step = TrailStep(entry.at, f"`{entry.key}`{note}")
        if entry.outside:
            return Missing(Why.SET_AT_DEPLOY, entry.key, (step,))
        if entry.undecided:
            return Missing(Why.AMBIGUOUS, f"`{entry.key}` has several values", (step,))
        text = self._filtered(entry.text, entry.at.origin)
        if isinstance(text, Missing):
            return replace(text, trail=(step, *text.trail))
        value = self.interpolate(Text(text, (), confidence), entry.at, depth + 1)
        return with_step(value, step, confidence)

    def _filtered(self, text: str, origin: Origin) -> str | Missing:
        """Maven's filtering of resources: `@property@`, and `${property}` where a filter file has it, as far as the
        build files of the run tell."""
        filtered, resources = self.environment.configuration.is_filtered(origin)
        if not filtered:
            return text
        if resources.known:
            properties = dict(resources.properties)

            def known(name: str) -> str | None:
                filled = self.environment.filled(name)
                return properties.get(name) if filled is None else filled.text

            return filled_in(text, resources.delimiters, known)
        text = _PROPERTY.sub(
            lambda match: found.text if (found := self.environment.filled(match[1])) else match[0], text
        )
        if text.count("@") < 2:
            return text
        properties = dict(self.world.modules.modules[self.world.modules.of(origin)].properties)
        parts = text.split("@")
        for index in range(1, len(parts) - 1, 2):
            name = parts[index]
            if not name or not all(ch.isalnum() or ch in "._-" for ch in name):
                return text
            filled = self.environment.filled(name)
            if filled is not None:
                parts[index] = filled.text
            elif name in properties:
                parts[index] = properties[name]
            else:
                return Missing(Why.UNDEFINED, f"@{name}@")
        return "".join(parts) if len(parts) % 2 else text

    def _not_configured(self, key: str, at: Location) -> Val:
        if key == "spring.profiles.active" and self.environment.active:
            return Text(self.environment.active[0], (TrailStep(at, "the active profile"),), Confidence.MEDIUM)
        self.undefined_keys.add(key)
        centre = self.environment.configuration.centre
        if centre:
            return Missing(Why.EXTERNAL_CONFIG, key, (TrailStep(at, f"`{key}` may live in {centre}"),))
        return Missing(Why.UNDEFINED, key, (TrailStep(at, f"no value for `{key}`"),))

    def _config(self, key: Expr, default: Expr | None, frame: Frame, span: Span, depth: int) -> Val:
        name = self.text(key, frame)
        if not isinstance(name, Text):
            return name if isinstance(name, Missing) else Missing(Why.DYNAMIC, "a key that is null")
        found = self.lookup(name.text, frame.at(span), depth + 1)
        if default is not None and self._takes_default(found, name.text):
            return self._default(default, name.text, frame, depth)
        return found

    def _takes_default(self, found: Val, key: str) -> bool:
        """Whether a default holds: only where nothing defines the key, not where its text cannot be resolved."""
        if not isinstance(found, Missing) or found.why not in (Why.UNDEFINED, Why.EXTERNAL_CONFIG):
            return False
        if self.environment.lookup(key) is not None:
            return False
        self.undefined_keys.discard(key)
        return True

    def _variable(self, name: Expr, default: Expr | None, frame: Frame, span: Span, depth: int) -> Val:
        variable = self.text(name, frame)
        if not isinstance(variable, Text):
            return variable if isinstance(variable, Missing) else Missing(Why.DYNAMIC, "a variable")
        found = self.lookup(variable.text, frame.at(span), depth + 1)
        if isinstance(found, Missing) and found.why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG):
            if default is not None:
                return self._default(default, variable.text, frame, depth)
            return Missing(
                Why.SET_AT_DEPLOY,
                variable.text,
                (TrailStep(frame.at(span), f"`{variable.text}` is set where it runs"),),
            )
        return found

    def _default(self, default: Expr, key: str, frame: Frame, depth: int) -> Val:
        value = self.value(default, frame, depth + 1)
        if isinstance(value, Text):
            step = TrailStep(frame.at(_span(default)), f"default of `{key}`")
            return replace(
                value,
                default=True,
                confidence=min(value.confidence, Confidence.MEDIUM),
                trail=(step, *value.trail),
            )
        return value

    # -- names ----------------------------------------------------------------------------------------------

    def _find(self, candidates: Sequence[str], frame: Frame) -> Found | Missing | None:
        try:
            return self.world.definitions.first(candidates, frame.file, self.deployable)
        except Ambiguous as error:
            places = ", ".join(f"{place.repo}/{place.path}" for place in error.places[:3])
            return Missing(Why.AMBIGUOUS, f"{error.name} in {places}")

    def _name(self, name: Name, frame: Frame, depth: int) -> Val:
        gap: Missing | None = None
        for candidate in name.candidates:
            type_name, _, member = candidate.partition("#")
            found = self._find((type_name,), frame)
            if isinstance(found, Missing):
                return self._answered(name, frame) or replace(found, trail=self._here(name, frame))
            if found is None:
                continue
            if not member:
                return TypeVal(found.type, type_name, frame.at(name.at))
            value = self._member_of_type(found, member, frame, name.at, depth)
            if value is not None:
                return value
            gap = gap or Missing(
                Why.UNDEFINED,
                f"{_short(type_name)}.{member}",
                (TrailStep(frame.at(name.at), f"{_short(type_name)} has no `{member}`"),),
            )
        answered = self._answered(name, frame)
        if answered is not None:
            return answered
        if gap:
            return gap
        shown = _short(name.candidates[0]) if name.candidates else "?"
        return Missing(
            Why.UNDEFINED, shown, (TrailStep(frame.at(name.at), f"no definition of `{shown}` in this run"),)
        )

    def _answered(self, name: Name, frame: Frame) -> Text | None:
        """What `[values]` says of a symbol that no tracked file defines, or that several define differently."""
        for candidate in name.candidates:
            answer = self.environment.answer(_short(candidate))
            if answer is not None:
                where = self.environment.configuration.answers_at or frame.at(name.at)
                return Text(answer, (TrailStep(where, f"[values] answers `{_short(candidate)}`"),))
        return None

    def _member_of_type(self, found: Found, member: str, frame: Frame, span: Span, depth: int) -> Val | None:
        """A field of a type or its supertypes; on an object of a subtype its own redefinition wins."""
        start = found.type
        this = frame.this
        if this and this.type and self.world.definitions.is_a(this.type, start, self.deployable):
            start = this.type
        elif this and this.type is None:
            this = None
        else:
            this = None
        confidence = _confidence(found.distance)
        for owner in self.world.definitions.supers(start, self.deployable):
            field = owner.field(member)
            if field is not None:
                step = TrailStep(
                    Location(owner.placed.origin, field.at),
                    f"{_short(owner.name)}.{member}{self._far(found, owner)}",
                )
                return with_step(self._field(owner, field, this, depth + 1), step, confidence)
            nested = self.world.definitions.own(owner.placed.origin, f"{owner.name}.{member}")
            if nested is not None:
                return TypeVal(nested, nested.name, frame.at(span))
        if start.placed.facts.language == "python" and start.type.kind is TypeKind.MODULE:
            imported = self._imported_member(start, member, depth)
            if imported is not None:
                return imported
        return None

    def _imported_member(self, module: TypeDef, member: str, depth: int) -> Val | None:
        """`from settings import *` and re-exports: a name another module brought in."""
        mark = ("import", module.key, member)
        if mark in self._active:
            return Missing(
                Why.CYCLE, member, (TrailStep(module.placed.at(module.type.at), "modules import each other"),)
            )
        self._active.add(mark)
        try:
            return self._brought_in(module, member, depth)
        finally:
            self._active.discard(mark)

    def _brought_in(self, module: TypeDef, member: str, depth: int) -> Val | None:
        inner = Frame(module.placed, "~", "~")
        for imported in module.placed.facts.imports:
            stem, _, last = imported.rpartition(".")
            if last not in (member, "*"):
                continue
            found = self._find((stem or imported,), inner)
            if isinstance(found, Found):
                value = self._member_of_type(found, member, inner, module.type.at, depth + 1)
                if value is not None:
                    return value
        return None

    def _far(self, found: Found, owner: TypeDef) -> str:
        if found.distance < Distance.DEPENDENCY:
            return ""
        version = ""
        target = self.world.modules.of(owner.placed.origin)
        edge = self.world.modules.edge(self.deployable.key, target)
        if edge is not None:
            version = f"; the build pins {edge.version or 'a managed version'}, the current sources were read"
        return f" of {owner.placed.origin.repo}{version}"

    def _field(self, owner: TypeDef, field: Field, this: Obj | None, depth: int) -> Val:
        mark = ("field", owner.key, field.name, id(this), id(this.frame) if this else 0)
        if mark in self._active:
            return Missing(
                Why.CYCLE,
                f"{_short(owner.name)}.{field.name}",
                (TrailStep(owner.placed.at(field.at), "defined by itself"),),
            )
        self._active.add(mark)
        try:
            return self._field_value(owner, field, this, depth)
        finally:
            self._active.discard(mark)

    def _field_value(self, owner: TypeDef, field: Field, this: Obj | None, depth: int) -> Val:
        frame = Frame(owner.placed, owner.name, f"{owner.name}#{field.name}", this)
        at = owner.placed.at(field.at)
        injected = self._annotated(field.annotations, frame, depth)
        if injected is not None:
            return injected
        if owner.type.kind is TypeKind.ENUM and isinstance(field.value, New) and field.static:
            return Obj(owner, (owner.name,), field.value.args, frame, at, constant=field.name)
        prefix = self._prefix(owner, this)
        if prefix is not None and not field.static:
            bound = self._bound_field(f"{prefix}.{field.name}", field, owner, frame, depth)
            if bound is not None:
                return bound
        if this is not None and not field.static:
            made = self._from_constructor(owner, field, this, depth)
            if made is not None:
                return made
        setter = self._setter(owner, field)
        if prefix is not None and setter is not None and field.value is not None and not field.static:
            return self.value(field.value, frame, depth + 1)  # the binder sets only what some key says
        if field.value is not None and setter is None:
            return self.value(field.value, frame, depth + 1)
        if setter is not None and field.value is not None:
            return self._set_later(owner, field, setter, this, depth)
        assigned = self._assigned(owner, field, this, depth)
        if assigned is not None:
            return assigned
        if field.type:
            return self._injected_all(field, frame) or self._injected(field.type, frame, field.at)
        return Missing(Why.DYNAMIC, f"field {field.name}", (TrailStep(at, "never set where it can be seen"),))

    def _annotated(self, annotations: Sequence[AnnotationUse], frame: Frame, depth: int) -> Val | None:
        """`@Value` and its kin of configuration centres; None when there is none."""
        for annotation in annotations:
            simple = _short(annotation.candidates[0]) if annotation.candidates else ""
            if simple not in ("Value", "NacosValue", "ApolloJsonValue"):
                continue
            text = annotation.argument("value")
            if text is None:
                continue
            value = self.text(text, frame)
            if isinstance(value, Text):
                found = self.interpolate(value, frame.at(annotation.at), depth + 1)
                if simple != "Value" and isinstance(found, Missing) and found.why is Why.UNDEFINED:
                    return replace(found, why=Why.EXTERNAL_CONFIG)
                return found
            return value
        return None

    # -- configuration properties ---------------------------------------------------------------------------

    def _prefix(self, owner: TypeDef, this: Obj | None) -> str | None:
        """The key below which an object's fields are bound, None when they are not."""
        if this is not None and this.prefix is not None:
            return this.prefix
        for annotation in owner.type.annotations:
            if annotation.candidates and _short(annotation.candidates[0]) in PROPERTIES_ANNOTATIONS:
                expr = annotation.argument("prefix") or annotation.argument("value")
                if isinstance(expr, Literal):
                    return expr.text
        return self.world.callers.bean_prefix(owner.name, self.deployable)

    def _bound_field(self, key: str, field: Field, owner: TypeDef, frame: Frame, depth: int) -> Val | None:
        found = self.environment.lookup(key, loosely=True)
        self.asked_configuration = True
        answer = self.environment.answer(key)
        if found is not None or answer is not None:
            value = self.lookup(key, owner.placed.at(field.at), depth + 1, loosely=True)
            if field.element and isinstance(value, Text):
                return builtins.split(value, ",")
            return self._through_setter(value, owner, field, frame, depth)
        names = self.environment.children(key)
        if names and names[0].startswith("["):
            items = tuple(
                self._bound_item(f"{key}{name}", field.element, frame, field, depth)
                for name in names[:LOOP_MAX]
            )
            return Many(items)
        if names and _short(field.type[0] if field.type else "") in ("Map", "HashMap", "LinkedHashMap"):
            return Mapping(
                tuple(
                    (
                        Text(name, (TrailStep(owner.placed.at(field.at), f"`{key}`"),)),
                        self._bound_item(f"{key}.{name}", field.element, frame, field, depth),
                    )
                    for name in names[:LOOP_MAX]
                )
            )
        inner = self._find(field.type, frame) if field.type else None
        if isinstance(inner, Found) and inner.type.type.kind is not TypeKind.ENUM:
            return Obj(inner.type, field.type, (), frame, owner.placed.at(field.at), prefix=key)
        if field.value is None and not names:
            return self._not_configured(key, owner.placed.at(field.at))
        return None

    def _through_setter(self, value: Val, owner: TypeDef, field: Field, frame: Frame, depth: int) -> Val:
        """What a setter written by hand makes of the text that is bound."""
        setter = self._setter(owner, field)
        if setter is None or not isinstance(value, Text) or len(setter.params) != 1:
            return value
        made = next(expr for name, expr in setter.assigns if name == field.name)
        if isinstance(made, Param):
            return value
        inside = Frame(owner.placed, owner.name, f"{owner.name}#{setter.name}", frame.this)
        inside.params[setter.params[0].name] = value
        return self.value(made, inside, depth + 1)

    def _bound_item(self, key: str, element: Sequence[str], frame: Frame, field: Field, depth: int) -> Val:
        if self.environment.lookup(key, loosely=True) is not None:
            return self.lookup(key, frame.at(field.at), depth + 1, loosely=True)
        inner = self._find(element, frame) if element else None
        found = inner.type if isinstance(inner, Found) else None
        return Obj(found, tuple(element), (), frame, frame.at(field.at), prefix=key)

    # -- constructors and assignments -----------------------------------------------------------------------

    def _from_constructor(self, owner: TypeDef, field: Field, this: Obj, depth: int) -> Val | None:
        """A field that a constructor of the object's class (or a superclass) fills from its parameters."""
        constructors = owner.methods("<init>") or owner.methods("__init__")
        assigning = [
            (method, value) for method in constructors for name, value in method.assigns if name == field.name
        ]
        if assigning:
            chosen = self._constructor_for(assigning, this)
            frame = self._constructor_frame(owner, chosen[0], this)
            return self.value(chosen[1], frame, depth + 1)
        if not constructors and this.type is owner and self._lombok_constructor(owner):
            fields = [f for f in owner.type.fields if not f.static and (f.value is None or not f.final)]
            if this.args and len(fields) != len(this.args):
                fields = [f for f in fields if f.final]
            names = [f.name for f in fields]
            if field.name in names and names.index(field.name) < len(this.args) and this.frame:
                return self.value(this.args[names.index(field.name)].value, this.frame, depth + 1)
        if owner.type.kind is TypeKind.RECORD and this.type is owner and this.args and this.frame:
            names = [f.name for f in owner.type.fields if not f.static]
            if field.name in names and names.index(field.name) < len(this.args):
                return self.value(this.args[names.index(field.name)].value, this.frame, depth + 1)
        return None

    @staticmethod
    def _constructor_for(assigning: list[tuple[Method, Expr]], this: Obj) -> tuple[Method, Expr]:
        for method, value in assigning:
            if len(method.params) == len(this.args):
                return method, value
        return assigning[0]

    def _constructor_frame(self, owner: TypeDef, method: Method, this: Obj) -> Frame:
        frame = Frame(owner.placed, owner.name, f"{owner.name}#{method.name}", this)
        if this.type is owner and this.frame is not None and (this.args or not method.params):
            bind(frame, method, this.args, this.frame)
        return frame

    @staticmethod
    def _lombok_constructor(owner: TypeDef) -> bool:
        return owner.type.kind is TypeKind.ENUM or any(
            annotation.candidates and _short(annotation.candidates[0]) in _LOMBOK_CONSTRUCTORS
            for annotation in owner.type.annotations
        )

    @staticmethod
    def _setter(owner: TypeDef, field: Field) -> Method | None:
        """The setter that may replace an instance field's initialiser."""
        if field.static or field.final or owner.placed.facts.language != "java":
            return None
        name = f"set{field.name[:1].upper()}{field.name[1:]}"
        return next(
            (m for m in owner.methods(name) if any(assigned == field.name for assigned, _ in m.assigns)), None
        )

    def _set_later(self, owner: TypeDef, field: Field, setter: Method, this: Obj | None, depth: int) -> Val:
        """A field with an initialiser and a setter: what the setter's callers pass, else what it starts with.

        Where nobody calls the setter in sight but the object is handed around as configuration, something else
        (a binder, reflection) may: then the initialiser is not the value.
        """
        frame = Frame(owner.placed, owner.name, f"{owner.name}#{setter.name}", this)
        value = next(value for name, value in setter.assigns if name == field.name)
        found = self.value(value, frame, depth + 1)
        if isinstance(found, Text):
            return found
        at = owner.placed.at(setter.at)
        return Missing(
            Why.DYNAMIC,
            f"{_short(owner.name)}.{setter.name}()",
            (TrailStep(at, f"`{setter.name}` may replace it"),),
        )

    def _assigned(self, owner: TypeDef, field: Field, this: Obj | None, depth: int) -> Val | None:
        """A field that a constructor or method sets: the only assignment, or several as alternatives."""
        found = [
            (method, value)
            for method in owner.type.methods
            for name, value in method.assigns
            if name == field.name
        ]
        if not found:
            return None
        frames: list[tuple[Frame, Expr]] = []
        for method, value in found:
            frame = Frame(owner.placed, owner.name, f"{owner.name}#{method.name}", this)
            frame.params.update(self._annotated_params(method, frame, depth))
            frames.append((frame, value))
        if len(frames) > 1:
            picked = self._choose(
                Choice(Open.ALTERNATIVE, owner.placed.origin, field.at, "assigned"), len(frames)
            )
            return self.value(frames[picked][1], frames[picked][0], depth + 1)
        return self.value(frames[0][1], frames[0][0], depth + 1)

    def _annotated_params(self, method: Method, frame: Frame, depth: int) -> dict[str, Val]:
        values: dict[str, Val] = {}
        for param in method.params:
            value = self._annotated(param.annotations, frame, depth)
            if value is None and len(method.params) == 1:
                value = self._annotated(method.annotations, frame, depth)
            if value is not None:
                values[param.name] = value
        return values

    # -- parameters -----------------------------------------------------------------------------------------

    def _param(self, param: Param, frame: Frame, depth: int) -> Val:
        bound = frame.params.get(param.name)
        if bound is not None:
            if isinstance(bound, tuple):
                return self.value(bound[0], bound[1], depth + 1)
            return bound
        method = self._method_of(frame, param.at)
        declared = next((p for p in method.params if p.name == param.name), None) if method else None
        if method and declared:
            annotated = self._annotated_params(method, frame, depth).get(param.name)
            if annotated is not None:
                return annotated
        called = self._from_callers(param, frame, depth)
        if called is not None:
            return called
        if declared is not None and declared.value is not None:
            return self._default(declared.value, param.name, frame, depth)
        if declared is not None and declared.type:
            injected = self._injected_all(declared, frame) or self._injected(declared.type, frame, param.at)
            if not isinstance(injected, Missing):
                return injected
        shown = frame.symbol.rpartition("#")[2] or frame.symbol
        return Missing(
            Why.DYNAMIC,
            f"parameter {param.name} of {shown}",
            (TrailStep(frame.at(param.at), f"parameter `{param.name}`, no call of `{shown}` in sight"),),
        )

    def _from_callers(self, param: Param, frame: Frame, depth: int) -> Val | None:
        """The argument at the call sites of the enclosing method; each call makes a consumer of its own."""
        if frame.depth >= CALLERS_DEPTH_MAX:
            return Missing(Why.TOO_MANY, f"more than {CALLERS_DEPTH_MAX} calls outwards")
        method = self._method_of(frame, param.at)
        calls = self.world.callers.of(frame, method, self) if method else ()
        if not calls or method is None:
            if method is not None and self._leads_here(frame, method):
                self.unreached |= self.world.callers.only_elsewhere(frame, method, self)
            return None
        if len(calls) > CALLERS_MAX:
            at = frame.at(param.at)
            return Missing(
                Why.TOO_MANY,
                f"more than {CALLERS_MAX} calls of {method.name}",
                (TrailStep(at, f"parameter `{param.name}`"),),
            )
        # every parameter of one method is bound by the same call
        choice = Choice(Open.CALLER, frame.file.origin, method.at, f"{frame.symbol}|{_this_key(frame)}")
        picked = self._choose(choice, len(calls)) if len(calls) > 1 else 0
        call, placed = calls[picked]
        outer = Frame(
            placed, call.type, call.symbol, self._caller_this(call.type, placed, frame), depth=frame.depth + 1
        )
        if self._leads_here(frame, method):
            self.through.add(placed.origin)
        bind(frame, method, call.args, outer)
        frame.outer, frame.called_at = outer, placed.at(call.at)
        bound = frame.params.get(param.name)
        if bound is None:
            return None
        value = self.value(bound[0], bound[1], depth + 1) if isinstance(bound, tuple) else bound
        if self._is_root(frame) and _is_supplied(value, method, param.name):
            self.called.append(frame)
        return value

    def enter(self, frame: Frame, at: Span) -> None:
        """Binds a method's frame to one of its callers: its parameters, and the object the caller calls it on.

        Nothing happens where no caller is known, or where callers do not say on which object.
        """
        method = self._method_of(frame, at)
        if method is None or method.static or method.name in ("<init>", "__init__"):
            return
        calls = [each for each in self.world.callers.of(frame, method, self) if each[0].receiver is not None]
        if not calls or len(calls) > CALLERS_MAX:
            return
        choice = Choice(Open.CALLER, frame.file.origin, method.at, f"{frame.symbol}|{_this_key(frame)}")
        call, placed = calls[self._choose(choice, len(calls)) if len(calls) > 1 else 0]
        outer = Frame(placed, call.type, call.symbol, self._caller_this(call.type, placed, frame), depth=1)
        assert call.receiver is not None
        receiver = self.value(call.receiver, outer)
        if isinstance(receiver, Obj) and receiver.type is not None:
            bind(frame, method, call.args, outer)
            frame.this, frame.entered = receiver, True
            frame.outer, frame.called_at = outer, placed.at(call.at)

    def _leads_here(self, frame: Frame, method: Method) -> bool:
        """Whether what is evaluated exists only where a method is called: it stands there, or is built by it."""
        return frame is self.root or frame.depth > 0 or method.name in ("<init>", "__init__")

    def _is_root(self, frame: Frame) -> bool:
        """Whether a frame is the one the declaration stands in, or builds the object it runs on."""
        root = self.root
        return root is not None and (frame is root or (frame.this is not None and frame.this is root.this))

    def _caller_this(self, type_name: str, placed: Placed, frame: Frame) -> Obj | None:
        own = self.world.definitions.own(placed.origin, type_name)
        if own is None:
            return None
        if (
            frame.this
            and frame.this.type
            and self.world.definitions.is_a(frame.this.type, own, self.deployable)
        ):
            return frame.this
        return Obj(own, (own.name,), (), None, placed.at(own.type.at))

    def _method_of(self, frame: Frame, at: Span) -> Method | None:
        """The method a frame runs in; of several of one name the one whose declaration begins last before a place."""
        type_name, _, name = frame.symbol.partition("#")
        own = self.world.definitions.own(frame.file.origin, type_name)
        found = own.methods(name) if own else ()
        before = [method for method in found if method.at <= at]
        return max(before, key=lambda method: method.at) if before else next(iter(found), None)

    # -- members and calls ----------------------------------------------------------------------------------

    def _member(self, member: Member, frame: Frame, depth: int) -> Val:
        target = self.value(member.target, frame, depth + 1)
        if isinstance(target, Missing):
            return target
        step = frame.at(member.at)
        if member.args is None:
            return self._attribute(target, member.name, frame, step, depth)
        args = [self.value(argument.value, frame, depth + 1) for argument in member.args if not argument.name]
        keywords = {a.name: self.value(a.value, frame, depth + 1) for a in member.args if a.name}
        known = builtins.method(member.name, target, args, keywords)
        if known is not None:
            return known
        match target:
            case Obj():
                return self._method_on(target, member, frame, depth)
            case TypeVal(type=TypeDef() as type_):
                return self._static_call(type_, member.name, member.args, frame, member.at, depth)
            case FileVal() if member.name in ("get", "getProperty", "getOrDefault"):
                return self._file_item(target, args)
        return Missing(Why.DYNAMIC, f"{member.name}()", (TrailStep(step, f"result of `{member.name}()`"),))

    def _file_item(self, target: FileVal, args: Sequence[Val]) -> Val:
        key = args[0] if args else Missing(Why.DYNAMIC, "a key")
        if not isinstance(key, Text):
            return key if isinstance(key, Missing) else Missing(Why.DYNAMIC, "a key")
        full = f"{target.prefix}.{key.text}" if target.prefix else key.text
        if key.text.isdigit():
            full = f"{target.prefix}[{key.text}]"
        for entry in target.file.facts.config:
            if entry.key == full:
                step = TrailStep(target.file.at(entry.at), f"`{full}`")
                text = self._filtered(entry.text, target.file.origin)
                return replace(text, trail=(step,)) if isinstance(text, Missing) else Text(text, (step,))
        if any(entry.key.startswith((full + ".", full + "[")) for entry in target.file.facts.config):
            return FileVal(target.file, full)
        if len(args) > 1:
            return args[1]
        return Missing(Why.UNDEFINED, full)

    def _attribute(self, target: Val, name: str, frame: Frame, at: Location, depth: int) -> Val:
        match target:
            case Obj(type=None, candidates=(first, *_)) if _short(first) == "FilterExpression":
                return self._filter_part(target, name, depth)
            case Obj(type=None) if target.prefix is not None:
                return self.lookup(f"{target.prefix}.{name}", at, depth + 1, loosely=True)
            case Obj(type=TypeDef() as type_):
                value = self._object_field(target, type_, name, depth)
                if value is not None:
                    return value
            case TypeVal(type=TypeDef() as type_):
                inner = Frame(type_.placed, type_.name, type_.name)
                value = self._member_of_type(Found(type_, Distance.FILE), name, inner, type_.type.at, depth)
                if value is not None:
                    return value
            case Mapping():
                found = builtins.method("get", target, [Text(name)], {})
                if found is not None:
                    return found
            case FileVal():
                return self._file_item(target, [Text(name)])
            case Text() if name in ("value", "name"):
                return target
        return Missing(Why.DYNAMIC, name, (TrailStep(at, f"`{name}` of {_describe(target)}"),))

    def _filter_part(self, target: Obj, name: str, depth: int) -> Val:
        """The expression or type of a gRPC client's `FilterExpression`, as its constructor got it."""
        index = {"expression": 0, "type": 1}.get(name, len(target.args))
        if index < len(target.args) and target.frame is not None:
            return self.value(target.args[index].value, target.frame, depth + 1)
        if target.args or target.frame is not None:
            return Text({"expression": "*", "type": "TAG"}.get(name, ""), default=True)
        return Missing(Why.DYNAMIC, "a filter expression", (TrailStep(target.at, "made elsewhere"),))

    def _object_field(self, target: Obj, type_: TypeDef, name: str, depth: int) -> Val | None:
        for owner in self.world.definitions.supers(type_, self.deployable):
            field = owner.field(name)
            if field is not None:
                step = TrailStep(owner.placed.at(field.at), f"{_short(owner.name)}.{name}")
                return with_step(self._field(owner, field, target, depth + 1), step)
        return None

    def _method_on(self, target: Obj, member: Member, frame: Frame, depth: int) -> Val:
        name = member.name
        assert member.args is not None
        at = frame.at(member.at)
        plain = name == "name" or target.type is None or not target.type.methods("toString")
        if target.constant and name in ("name", "toString") and not member.args and plain:
            return Text(target.constant, (TrailStep(target.at, f"enum constant {target.constant}"),))
        if name == "getClass":
            return TypeVal(target.type, target.candidates[0] if target.candidates else "", at)
        if target.type is not None:
            found = self._dispatch(target, name, len(member.args))
            if found is not None:
                owner, method = found
                return self._run(owner, method, member.args, frame, member.at, target, depth)
            field = _property_name(name)
            if not member.args:
                for candidate in (field, name):
                    if candidate:
                        value = self._object_field(target, target.type, candidate, depth)
                        if value is not None:
                            return value
        elif target.prefix is not None and _property_name(name):
            return self.lookup(f"{target.prefix}.{_property_name(name)}", at, depth + 1, loosely=True)
        shown = _short(target.type.name if target.type else (target.candidates or ("?",))[0])
        return Missing(Why.DYNAMIC, f"{shown}.{name}()", (TrailStep(at, f"result of `{shown}.{name}()`"),))

    def _dispatch(self, target: Obj, name: str, count: int) -> tuple[TypeDef, Method] | None:
        """The method that runs on an object: its own class first, abstract declarations skipped."""
        assert target.type is not None
        for owner in self.world.definitions.supers(target.type, self.deployable):
            methods = owner.methods(name)
            fitting = [m for m in methods if len(m.params) == count] or [
                m for m in methods if m.params and m.params[-1].name.startswith("*")
            ]
            for method in fitting or methods:
                if not method.abstract:
                    return owner, method
        return None

    def _run(
        self,
        owner: TypeDef,
        method: Method,
        args: Sequence[Argument],
        frame: Frame,
        span: Span,
        this: Obj | None,
        depth: int,
    ) -> Val:
        at = owner.placed.at(method.at)
        if method.returns is None:
            return Missing(
                Why.DYNAMIC,
                f"{method.name}()",
                (TrailStep(at, f"`{method.name}` returns nothing that is read"),),
            )
        mark = ("call", owner.key, method.at, id(this), depth // 4 if args else 0)
        if mark in self._active and not args:
            return Missing(Why.CYCLE, f"{method.name}()", (TrailStep(at, "calls itself"),))
        calls = (*frame.calls, frame.at(span))
        inner = Frame(owner.placed, owner.name, f"{owner.name}#{method.name}", this, calls=calls)
        bind(inner, method, args, frame)
        self._active.add(mark)
        try:
            return with_step(
                self.value(method.returns, inner, depth + 1),
                TrailStep(at, f"{_short(owner.name)}.{method.name}()"),
            )
        finally:
            self._active.discard(mark)

    def _static_call(
        self, type_: TypeDef, name: str, args: Sequence[Argument], frame: Frame, span: Span, depth: int
    ) -> Val:
        if type_.type.kind is TypeKind.ENUM and name == "values" and not args:
            return Many(
                tuple(
                    Obj(
                        type_,
                        (type_.name,),
                        field.value.args,
                        Frame(type_.placed, type_.name, type_.name),
                        type_.placed.at(field.at),
                        constant=field.name,
                    )
                    for field in type_.type.fields
                    if field.static and isinstance(field.value, New)
                )
            )
        if type_.type.kind is TypeKind.ENUM and name == "valueOf" and len(args) == 1:
            constant = self.text(args[0].value, frame)
            if isinstance(constant, Text):
                value = self._member_of_type(Found(type_, Distance.FILE), constant.text, frame, span, depth)
                if value is not None:
                    return value
        for owner in self.world.definitions.supers(type_, self.deployable):
            methods = [m for m in owner.methods(name) if len(m.params) == len(args)] or list(
                owner.methods(name)
            )
            if methods and not methods[0].abstract:
                return self._run(owner, methods[0], args, frame, span, None, depth)
        return Missing(
            Why.DYNAMIC,
            f"{_short(type_.name)}.{name}()",
            (TrailStep(frame.at(span), f"result of `{name}()`"),),
        )

    def _call(self, call: Call, frame: Frame, depth: int) -> Val:
        if call.candidates and call.candidates[0].startswith("builtin:"):
            return self._builtin(call.candidates[0][len("builtin:") :], call, frame, depth)
        selector = self._selector(call, frame, depth)
        if selector is not None:
            return selector
        for candidate in call.candidates:
            type_name, _, name = candidate.partition("#")
            found = self._find((type_name,), frame)
            if isinstance(found, Missing):
                return replace(found, trail=self._here(call, frame))
            if found is None:
                continue
            this = frame.this
            if this and this.type and self.world.definitions.is_a(this.type, found.type, self.deployable):
                chosen = self._dispatch(this, name, len(call.args))
                if chosen is not None:
                    return self._run(chosen[0], chosen[1], call.args, frame, call.at, this, depth)
                member = Member(This(call.at), name, call.args, call.at)
                return self._method_on(this, member, frame, depth)
            return self._static_call(found.type, name, call.args, frame, call.at, depth)
        shown = _short(call.candidates[0]) if call.candidates else "?"
        return Missing(
            Why.DYNAMIC,
            f"{shown}()",
            (TrailStep(frame.at(call.at), f"result of `{shown}()`, which no tracked file defines"),),
        )

    def _selector(self, call: Call, frame: Frame, depth: int) -> Val | None:
        """`MessageSelector.byTag(…)` and `bySql(…)` as an expression with its type; None for other calls."""
        kinds = {"MessageSelector.byTag": "TAG", "MessageSelector.bySql": "SQL92"}
        kind = kinds.get(_short(call.candidates[0])) if call.candidates else None
        if kind is None or len(call.args) != 1:
            return None
        expression = self.value(call.args[0].value, frame, depth + 1)
        return Mapping(((Text("expression"), expression), (Text("type"), Text(kind))))

    def _builtin(self, name: str, call: Call, frame: Frame, depth: int) -> Val:
        args = [self.value(argument.value, frame, depth + 1) for argument in call.args if not argument.name]
        keywords = {a.name: self.value(a.value, frame, depth + 1) for a in call.args if a.name}
        if name in ("or", "or_else") and len(args) == 2 and _is_unset(args[0]) and isinstance(args[1], Text):
            step = TrailStep(frame.at(call.args[1].value.at), "where nothing else is set")
            return replace(
                args[1],
                default=True,
                confidence=min(args[1].confidence, Confidence.MEDIUM),
                trail=(step, *args[1].trail),
            )
        if name == "filled" and len(args) == 2 and isinstance(args[1], Mapping):
            return _overlaid(args[0], args[1])
        for arg in args[: 1 if name in ("or", "or_else") else None]:
            if isinstance(arg, Missing):
                return arg
        first = args[0] if args else Missing(Why.UNSUPPORTED, name)
        match name:
            case "none":
                return Null((TrailStep(frame.at(call.at), "null"),))
            case "or" | "or_else" if len(args) == 2:
                return (
                    args[1]
                    if isinstance(first, Null) or (isinstance(first, Text) and not first.text)
                    else first
                )
            case "format":
                if isinstance(first, Text) and frame.file.facts.language == "python":
                    return builtins.python_format(first, args[1:], keywords)
                return builtins.java_format(first, args[1:])
            case "percent":
                return builtins.percent(first, args[1]) if len(args) > 1 else first
            case "join":
                return builtins.join(first, args[1:])
            case "str":
                if isinstance(first, Obj) and first.constant:
                    return Text(first.constant, (TrailStep(first.at, f"enum constant {first.constant}"),))
                return first
            case "simple_name" | "qualified_name":
                return self._class_name(first, name == "simple_name", frame, call.at)
            case "getitem":
                return self._item(args, frame, call.at, depth)
            case "load_file":
                return self._load(first, frame, call.at)
            case "keys" | "values" | "entries" | "split" | "trim" | "lower" | "upper" | "replace":
                method = {"keys": "keys", "values": "values", "entries": "entrySet"}.get(name, name)
                found = builtins.method(method, first, args[1:], keywords)
                if found is not None:
                    return found
        return Missing(Why.UNSUPPORTED, name, self._here(call, frame))

    def _item(self, args: Sequence[Val], frame: Frame, span: Span, depth: int) -> Val:
        if len(args) < 2:
            return Missing(Why.UNSUPPORTED, "[]", (TrailStep(frame.at(span), "an item"),))
        match args[0]:
            case FileVal() as target:
                return self._file_item(target, args[1:])
            case Mapping() | Many():
                found = builtins.method("__getitem__", args[0], args[1:], {})
                if found is not None and not isinstance(found, Null):
                    return found
            case Obj() as target if isinstance(args[1], Text):
                return self._attribute(target, args[1].text, frame, frame.at(span), depth)
        return Missing(Why.DYNAMIC, "an item", (TrailStep(frame.at(span), "an item that is not known"),))

    def _load(self, path: Val, frame: Frame, span: Span) -> Val:
        """A settings file named by a literal path: on a Java class path in the deployable's own modules, in their
        order; else the nearest one of that name."""
        if not isinstance(path, Text):
            return Missing(
                Why.DYNAMIC, "a file", (TrailStep(frame.at(span), "a file that is not named literally"),)
            )
        tail = path.text.replace("\\", "/").removeprefix("./").lstrip("/")
        self.world.wanted_files.add(tail.rpartition("/")[2])
        named = [
            placed
            for placed in self.world.by_name.get(tail.rpartition("/")[2], ())
            if f"/{placed.origin.path}".endswith(f"/{tail.removeprefix('../')}")
        ]
        here = frame.file.origin.path.split("/")[:-1]
        if frame.file.facts.language == "java":
            order = {key: index for index, key in enumerate(self.deployable.takes_in)}
            ranked = [(order[key], p) for p in named if (key := self.world.modules.of(p.origin)) in order]
            tested = scope_of(frame.file.origin.path) == "test"
            ranked = [(rank, p) for rank, p in ranked if tested or scope_of(p.origin.path) != "test"]
            named = [p for _, p in sorted(ranked, key=lambda pair: (pair[0], pair[1].origin))]
        else:
            named = [placed for placed in named if placed.origin.repo == frame.file.origin.repo]
            named.sort(key=lambda p: (-_shared(here, p.origin.path.split("/")[:-1]), p.origin))
        if not named:
            return Missing(Why.UNDEFINED, tail, (TrailStep(frame.at(span), f"no tracked file `{tail}`"),))
        return FileVal(named[0], "")

    # -- types, injected objects, loops -----------------------------------------------------------------------

    def _type_name(self, candidates: Sequence[str], frame: Frame, span: Span) -> Val:
        if not candidates:
            if frame.this and frame.this.type:
                return TypeVal(frame.this.type, frame.this.type.name, frame.at(span))
            return TypeVal(None, frame.type, frame.at(span))
        found = self._find(candidates, frame)
        if isinstance(found, Found):
            return TypeVal(found.type, found.type.name, frame.at(span))
        return TypeVal(None, candidates[0], frame.at(span))

    def _class_name(self, value: Val, simple: bool, frame: Frame, span: Span) -> Val:
        match value:
            case TypeVal(name=name) if name:
                return Text(
                    _short(name) if simple else name, (TrailStep(frame.at(span), "name of the class"),)
                )
            case Obj(type=TypeDef() as type_):
                return Text(
                    _short(type_.name) if simple else type_.name,
                    (TrailStep(frame.at(span), "name of the class"),),
                )
        return Missing(Why.DYNAMIC, "a class name", (TrailStep(frame.at(span), "the class is not known"),))

    def _injected(self, candidates: Sequence[str], frame: Frame, span: Span) -> Val:
        """An object known by its type: a bean; an interface with one implementation is that one."""
        found = self._find(candidates, frame)
        at = frame.at(span)
        if isinstance(found, Missing):
            return replace(found, trail=(TrailStep(at, "injected"),))
        if found is None:
            site = self.world.callers.bean_site(candidates, self.deployable)
            if site is not None:
                return site
            shown = _short(candidates[0]) if candidates else "?"
            if shown in ("String", "int", "Integer", "long", "Long", "boolean", "Boolean", "str", "bool"):
                return Missing(
                    Why.DYNAMIC,
                    f"a {shown} set at run time",
                    (TrailStep(at, f"a {shown} nobody sets in sight"),),
                )
            return Obj(None, tuple(candidates), (), None, at)
        type_ = found.type
        if type_.type.abstract or type_.type.kind is TypeKind.INTERFACE:
            below = self.world.definitions.subtypes(type_, self.deployable)
            if len(below) > 1:
                return Obj(type_, (type_.name,), (), None, at)
            type_ = below[0] if below else type_
        made = self.world.callers.bean(type_.name, self.deployable)
        if made is not None:
            expr, placed, symbol = made
            return self.value(expr, Frame(placed, symbol.partition("#")[0], symbol), DEPTH_MAX // 2)
        return Obj(type_, (type_.name,), (), None, at)

    def _injected_all(self, field: Field, frame: Frame) -> Val | None:
        """A list of beans Spring collects: one object for each class of the deployable that is one.

        None where the element type is no type of the run that several classes implement.
        """
        if not field.element or _short(field.type[0]) not in ("List", "Set", "Collection"):
            return None
        found = self._find(field.element, frame)
        if not isinstance(found, Found):
            return None
        inside = self.deployable.takes_in
        beans = [
            each
            for each in self.world.definitions.subtypes(found.type, self.deployable)
            if self.world.modules.of(each.placed.origin) in inside and _is_bean(each)
        ]
        if not beans:
            return None
        return Many(
            tuple(
                Obj(each, (each.name,), (), None, each.placed.at(each.type.at)) for each in beans[:LOOP_MAX]
            ),
            (TrailStep(frame.at(field.at), f"every bean that is a {_short(found.type.name)}"),),
        )

    def _loop(self, loop: LoopVar, frame: Frame, depth: int) -> Val:
        source = self.value(loop.source, frame, depth + 1)
        items: tuple[Val, ...]
        match source:
            case Many(items=found):
                items = found
            case Mapping(entries=entries):
                if frame.file.facts.language == "python":
                    items = tuple(key for key, _ in entries)
                else:
                    items = tuple(Many((key, value)) for key, value in entries)
            case Text(text=text) if frame.file.facts.language != "python" and "," in text:
                items = (source,)
            case Missing():
                return source
            case _:
                return Missing(Why.DYNAMIC, "a loop over what is not known", self._here(loop, frame))
        if not items:
            return Missing(Why.DYNAMIC, "a loop over nothing", self._here(loop, frame))
        if len(items) > LOOP_MAX:
            return Missing(
                Why.TOO_MANY, f"a loop over more than {LOOP_MAX} elements", self._here(loop, frame)
            )
        choice = Choice(Open.LOOP, frame.file.origin, loop.loop)
        picked = self._choose(choice, len(items))
        if picked >= len(items):
            return Missing(Why.UNSUPPORTED, "loops of different lengths", self._here(loop, frame))
        value = items[picked]
        for index in loop.path:
            value = self._unpack(value, index, frame, loop, depth)
        return value

    def _unpack(self, value: Val, index: int, frame: Frame, loop: LoopVar, depth: int) -> Val:
        match value:
            case Many(items=items) if index < len(items):
                return items[index]
            case Missing():
                return value
            case Obj(type=TypeDef() as type_):
                names = [field.name for field in type_.type.fields if not field.static]
                if index < len(names):
                    found = self._object_field(value, type_, names[index], depth)
                    if found is not None:
                        return found
        return Missing(Why.UNSUPPORTED, "unpacking", self._here(loop, frame))

    def _choose(self, choice: Choice, count: int) -> int:
        if count == 1:
            return 0
        self.used.add(choice)
        picked = self.choices.get(choice)
        if picked is None:
            raise Fork(choice, count)
        return picked

    def _here(self, expr: Expr, frame: Frame) -> tuple[TrailStep, ...]:
        return (TrailStep(frame.at(_span(expr)), _describe_expr(expr)),)


def bind(frame: Frame, method: Method, args: Sequence[Argument], outer: Frame) -> None:
    """Binds the parameters of a method to the arguments of a call, which live in the outer frame."""
    positional = [argument for argument in args if not argument.name]
    for index, param in enumerate(method.params):
        name = param.name
        if name.startswith("*") or (index == len(method.params) - 1 and len(positional) > len(method.params)):
            rest = tuple(argument.value for argument in positional[index:])
            frame.params[name.lstrip("*")] = (Items(rest, param.at), outer)
            break
        if index < len(positional):
            frame.params[name] = (positional[index].value, outer)
        elif param.value is not None:
            frame.params[name] = (param.value, Frame(frame.file, frame.type, frame.symbol, frame.this))
    for argument in args:
        if argument.name:
            frame.params[argument.name] = (argument.value, outer)


def _overlaid(below: Val, above: Mapping) -> Mapping:
    """A map with what was put into it afterwards; of one that is not known the rest of the keys is not known."""
    if isinstance(below, Mapping):
        return Mapping((*below.entries, *above.entries), below.trail)
    gap = below if isinstance(below, Missing) else Missing(Why.DYNAMIC, _describe(below))
    return Mapping(((gap, gap), *above.entries))


_STEREOTYPES = frozenset(
    ["Component", "Service", "Repository", "Controller", "RestController", "Configuration", "Named"]
)


def _is_bean(type_: TypeDef) -> bool:
    """Whether a class carries a stereotype that makes Spring create it."""
    return any(a.candidates and _short(a.candidates[0]) in _STEREOTYPES for a in type_.type.annotations)


def _is_unset(value: Val) -> bool:
    """Whether a value is one that a deployment may set and no file does, so that a fall-back written beside it holds."""
    return isinstance(value, Missing) and value.why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG, Why.SET_AT_DEPLOY)


_CARRIERS = frozenset(
    [
        "String",
        "CharSequence",
        "Object",
        "List",
        "Set",
        "Collection",
        "Iterable",
        "Map",
        "MessageSelector",
        "FilterExpression",
        "Properties",
    ]
)


def _is_supplied(value: Val, method: Method, name: str) -> bool:
    """Whether an argument carries a value itself; an object only leads to where values are."""
    if not isinstance(value, Missing):
        return isinstance(value, Text | Many | Mapping)
    declared = next((param.type for param in method.params if param.name == name), ())
    if declared and _short(declared[0]).removesuffix("[]") not in _CARRIERS:
        return False
    return not (value.why is Why.DYNAMIC and value.detail.startswith("parameter "))


def _span(expr: Expr) -> Span:
    return expr.at


def _short(name: str) -> str:
    """The part of a full name a reader would say."""
    plain = name.partition("#")
    tail = plain[0].rpartition(".")[2]
    return f"{tail}.{plain[2]}" if plain[2] else tail


def _property_name(getter: str) -> str:
    """The property a getter reads, "" when the name is no getter's."""
    for prefix in ("get", "is"):
        rest = getter.removeprefix(prefix)
        if rest != getter and rest[:1].isupper():
            return rest[:1].lower() + rest[1:]
    return ""


def _confidence(distance: Distance) -> Confidence:
    if distance is Distance.ELSEWHERE:
        return Confidence.LOW
    return Confidence.MEDIUM if distance is Distance.DEPENDENCY else Confidence.HIGH


def _this_key(frame: Frame) -> str:
    if frame.this is None or frame.this.type is None:
        return ""
    return f"{frame.this.type.placed.origin.path}:{frame.this.type.name}"


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _describe(value: Val) -> str:
    match value:
        case Obj(candidates=candidates):
            return f"an object of {_short(candidates[0])}" if candidates else "an object"
        case Many():
            return "a list"
        case Mapping():
            return "a map"
        case TypeVal(name=name):
            return f"the class {_short(name)}"
        case SiteVal():
            return "a consumer"
        case FileVal():
            return "a settings file"
        case Null():
            return "null"
        case Text(text=text):
            return f'"{text}"'
        case Missing(detail=detail):
            return detail


def _describe_expr(expr: Expr) -> str:
    match expr:
        case Unknown(detail=detail):
            return detail or "not read"
        case Member(name=name) | Param(name=name):
            return f"`{name}`"
        case Call(candidates=candidates) | Name(candidates=candidates) | New(candidates=candidates):
            return f"`{_short(candidates[0])}`" if candidates else "a call"
        case _:
            return "this expression"
