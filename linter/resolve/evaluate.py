"""Expr -> value, bounded, each with a trail of locations or a reason.

What is evaluated here is declared: constants, texts put together from them, placeholders, keys of configuration,
variables of the environment. What code computes is executed instead (`linter.resolve.execute`). An alternative (a constant
that is a ternary) is not enumerated here: the first time it is met a `Fork` is raised, and the caller evaluates again
under each choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence, TrailStep
from subdrift.linter.model.expr import (
    Call,
    Concat,
    Config,
    EnvVar,
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
from subdrift.linter.model.facts import TypeKind
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve import texts
from subdrift.linter.resolve.definitions import Ambiguous, Distance, Found, TypeDef
from subdrift.linter.resolve.described import OBJECT_OF, confidence, describe, here, shared, short
from subdrift.linter.resolve.environment import Entry, Environment, Layer
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.placeholder import Parts, Placeholder, parse
from subdrift.linter.resolve.resources import filled_in
from subdrift.linter.resolve.values import (
    Constant,
    FileVal,
    Many,
    Missing,
    Null,
    Text,
    TypeVal,
    Val,
    with_step,
)
from subdrift.linter.resolve.world import Choice, Fork, World

DEPTH_MAX = 80
"""Expressions inside expressions."""

STEPS_MAX = 20_000
"""Expressions evaluated and keys looked up for one consumer under one set of choices."""

_BOUNDS = phrase("more-than-levels-or-steps", DEPTH_MAX, f"{STEPS_MAX:,}")

_TEMPLATE = re.compile(r"\{\{.+?\}\}")

_PROPERTY = re.compile(r"\$\{([A-Za-z0-9._-]+)\}")

_PROPERTIES = re.compile(r"@([\w.-]+)@|\$\{([\w.-]+)")

_ENCRYPTED = re.compile(r"\s*(?:ENC\(.*\)|\{cipher\})", re.S)
"""Jasypt's texts, and those of Spring Cloud Config."""

_FILLED_IN = re.compile(r"\{\{.*?\}\}", re.S)
"""A template of Helm, Ansible or Jinja."""


class Evaluator:
    """Evaluates under one environment of one deployable and one set of choices.

    `used` are the choices that were met, `undefined_keys` the keys that nothing sets, `through` the files that what is
    evaluated came through; `asked_configuration`: whether any key was asked for. `speaks`: whether Spring's expression
    language is evaluated in texts; rocketmq-spring resolves the placeholders of its annotation alone.
    """

    def __init__(
        self,
        world: World,
        deployable: Deployable,
        environment: Environment,
        choices: dict[Choice, int] | None = None,
    ) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        self.choices = choices or {}
        self.used: set[Choice] = set()
        self.asked_configuration = False
        self.undefined_keys: set[str] = set()
        self.through: set[Origin] = set()
        self.speaks = True
        self._steps = 0
        self._active: set[tuple[object, ...]] = set()

    # -- entry points ---------------------------------------------------------------------------------------

    def text(self, expr: Expr, near: Placed) -> Text | Missing | Null:
        """The text of an expression of a file; a list or type is a reason, not a text."""
        value = self.value(expr, near)
        match value:
            case Text() | Missing() | Null():
                return value
            case Constant():
                return value.text
            case _:
                return Missing(
                    Why.DYNAMIC, describe(value), (TrailStep(near.at(expr.at), phrase("not-a-text")),)
                )

    def value(self, expr: Expr, near: Placed, depth: int = 0) -> Val:
        """What an expression of a file means."""
        if self._is_spent(depth):
            return Missing(Why.TOO_MANY, _BOUNDS, here(expr, near))
        match expr:
            case Literal(text=text):
                return Text(text, (TrailStep(near.at(expr.at), f'"{text}"'),))
            case Unknown(why=why, detail=detail):
                return Missing(why, detail, here(expr, near))
            case Concat(parts=parts):
                return self._concat(parts, near, depth)
            case OneOf(options=options):
                picked = self._choose(Choice(near.origin, expr.at), len(options))
                return self.value(options[picked], near, depth + 1)
            case Items(items=items):
                return Many(tuple(self.value(item, near, depth + 1) for item in items))
            case Name():
                return self._name(expr, near, depth)
            case Config(key=key, default=default):
                return self._config(key, default, near, expr.at, depth)
            case EnvVar(name=name, default=default):
                return self._variable(name, default, near, expr.at, depth)
            case Interpolate(text=inner):
                value = self.value(inner, near, depth + 1)
                if isinstance(value, Text) and near.origin.path.endswith(".xml"):
                    value = self._as_built(value, near.origin)
                return self.interpolate(value, near.at(expr.at), depth) if isinstance(value, Text) else value
            case Member(target=target, name=name):
                return self._attribute(self.value(target, near, depth + 1), name, near.at(expr.at), depth)
            case Call():
                return self._call(expr, near, depth)
            case TypeName(candidates=candidates):
                return self._type_name(candidates, near, expr.at)
            case New(candidates=candidates):
                shown = short(candidates[0]) if candidates else "?"
                return Missing(Why.DYNAMIC, phrase(OBJECT_OF, shown), here(expr, near))

    def _choose(self, choice: Choice, count: int) -> int:
        if count == 1:
            return 0
        self.used.add(choice)
        picked = self.choices.get(choice)
        if picked is None:
            raise Fork(choice, count)
        return picked

    def _is_spent(self, depth: int) -> bool:
        """Counts one step; whether that was one too many."""
        self._steps += 1
        return depth > DEPTH_MAX or self._steps > STEPS_MAX

    # -- texts ----------------------------------------------------------------------------------------------

    def _concat(self, parts: Sequence[Expr], near: Placed, depth: int) -> Val:
        values: list[Val] = []
        for part in parts:
            value = self.value(part, near, depth + 1)
            if isinstance(value, Missing):
                return value if value.trail else replace(value, trail=here(part, near))
            values.append(value)
        return texts.joined(values)

    def interpolate(self, value: Text, at: Location, depth: int = 0) -> Val:
        """Spring's placeholders in a known text."""
        if "#{" in value.text and self.speaks:
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
            return texts.split(inner, ",") if isinstance(inner, Text) else inner
        return Missing(Why.DYNAMIC, "SpEL", (*value.trail, TrailStep(at, phrase("spel-expression"))))

    def _parts(self, parts: Parts, at: Location, depth: int, confidence: Confidence) -> Text | Missing:
        values: list[Val] = []
        for part in parts:
            if isinstance(part, str):
                values.append(Text(part))
                continue
            value = self.placeholder(part, at, depth + 1)
            if not isinstance(value, Text):
                return (
                    value
                    if isinstance(value, Missing)
                    else Missing(Why.UNSUPPORTED, phrase("list-in-a-text"))
                )
            values.append(value)
        made = texts.joined(values)
        return replace(made, confidence=min(made.confidence, confidence)) if isinstance(made, Text) else made

    def placeholder(self, placeholder: Placeholder, at: Location, depth: int = 0) -> Val:
        key = self._parts(placeholder.key, at, depth, Confidence.HIGH)
        if isinstance(key, Missing):
            return key
        found = self.lookup(key.text, at, depth)
        if placeholder.default is None:
            return found
        entry = self.environment.lookup(key.text)
        later = entry is not None and entry.layer is Layer.LATER
        if not later and not self._takes_default(found, key.text):
            return found
        default = self._parts(placeholder.default, at, depth, Confidence.MEDIUM)
        if isinstance(default, Missing):
            return default
        step = TrailStep(at, phrase("default-of", key.text))
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
            return Text(answer, (TrailStep(where, phrase("values-answer", key)),))
        entry = self.environment.lookup(key, loosely=loosely)
        if entry is None:
            return self._not_configured(key, at)
        mark = ("config", key)
        if mark in self._active:
            self.undefined_keys.add(key)  # nothing starts with it: a build was to put a text in its place
            return Missing(Why.CYCLE, key, (TrailStep(entry.at, phrase("refers-to-itself", key)),))
        self._active.add(mark)
        try:
            return self._entry_text(entry, depth)
        finally:
            self._active.discard(mark)

    def _entry_text(self, entry: Entry, depth: int) -> Val:
        overruled = self._may_be_overruled(entry)
        confidence = (
            Confidence.MEDIUM if entry.profile or entry.copied or overruled is not None else Confidence.HIGH
        )
        note = f" (profile {entry.profile})" if entry.profile else ""
        step = TrailStep(entry.at, overruled if overruled is not None else f"`{entry.key}`{note}")
        if entry.outside:
            return Missing(Why.SET_AT_DEPLOY, entry.key, (step,))
        if _ENCRYPTED.match(entry.text):
            return Missing(Why.SET_AT_DEPLOY, phrase("is-encrypted", entry.key), (step,))
        if _FILLED_IN.search(entry.text):
            return Missing(Why.SET_AT_DEPLOY, phrase("is-a-template", entry.key), (step,))
        if entry.undecided:
            return Missing(Why.AMBIGUOUS, phrase("has-several-values", entry.key), (step,))
        text = self._filtered(self._expanded(entry.text, entry.at.origin), entry.at.origin)
        if isinstance(text, Missing):
            return replace(text, trail=(step, *text.trail))
        if (
            _TEMPLATE.search(text) is not None
        ):  # of Helm, Ansible, Jinja, confd: filled in before anything reads it
            return Missing(Why.SET_AT_DEPLOY, entry.key, (step,))
        value = self.interpolate(Text(text, (), confidence), entry.at, depth + 1)
        return with_step(value, step, confidence)

    def _expanded(self, text: str, origin: Origin) -> str:
        """The text of a resource that Gradle's `expand` copies: `\\${x}` is left to Spring, `${x}` is the build's own, here
        written as Maven does."""
        if "${" not in text or not self.world.modules.expands(self.world.modules.of(origin)):
            return text

        def own(match: re.Match[str]) -> str:
            return "@project.version@" if match[1] == "version" else f"@{match[1]}@"

        return re.sub(r"(?<!\\)\$\{([\w.]+)\}", own, text).replace("\\${", "${")

    def _may_be_overruled(self, entry: Entry) -> str | None:
        """What may set a key otherwise than the file that holds it, None where nothing in sight does."""
        centre = self.environment.configuration.centre
        if centre and entry.layer is Layer.CENTRE:
            return phrase("is-in-a-copy-of", entry.key, centre)
        if centre and entry.layer is not Layer.PROGRAM:
            return phrase("may-be-overruled-in", entry.key, centre)
        if "@" in entry.text or "${" in entry.text:
            filtered, resources = self.environment.configuration.is_filtered(entry.at.origin)
            names = {one for pair in _PROPERTIES.findall(entry.text) for one in pair}
            if filtered and names & resources.varied:
                return phrase("may-be-set-by-a-build-profile", entry.key)
        return None

    def _as_built(self, value: Text, origin: Origin) -> Val:
        """A text of a bean file as the build copies the file to the class path."""
        text = self._filtered(value.text, origin)
        return replace(text, trail=value.trail) if isinstance(text, Missing) else replace(value, text=text)

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
        if key == "spring.profiles.active" and (named := self.environment.named()):
            return Text(",".join(named), (TrailStep(at, phrase("active-profile")),), Confidence.MEDIUM)
        self.undefined_keys.add(key)
        centre = self.environment.configuration.centre
        if centre:
            return Missing(Why.EXTERNAL_CONFIG, key, (TrailStep(at, phrase("may-live-in", key, centre)),))
        return Missing(Why.UNDEFINED, key, (TrailStep(at, phrase("no-value-for", key)),))

    def _config(self, key: Expr, default: Expr | None, near: Placed, span: Span, depth: int) -> Val:
        name = self.text(key, near)
        if not isinstance(name, Text):
            return name if isinstance(name, Missing) else Missing(Why.DYNAMIC, phrase("key-that-is-null"))
        found = self.lookup(name.text, near.at(span), depth + 1)
        if default is not None and self._takes_default(found, name.text):
            return self._default(default, name.text, near, depth)
        return found

    def _takes_default(self, found: Val, key: str) -> bool:
        """Whether a default holds: only where nothing defines the key, not where its text cannot be resolved."""
        if not isinstance(found, Missing) or found.why not in (Why.UNDEFINED, Why.EXTERNAL_CONFIG):
            return False
        if self.environment.lookup(key) is not None:
            return False
        self.undefined_keys.discard(key)
        return True

    def _variable(self, name: Expr, default: Expr | None, near: Placed, span: Span, depth: int) -> Val:
        variable = self.text(name, near)
        if not isinstance(variable, Text):
            return variable if isinstance(variable, Missing) else Missing(Why.DYNAMIC, phrase("variable"))
        found = self.lookup(variable.text, near.at(span), depth + 1)
        if isinstance(found, Missing) and found.why in (Why.UNDEFINED, Why.EXTERNAL_CONFIG):
            if default is not None:
                return self._default(default, variable.text, near, depth)
            return Missing(
                Why.SET_AT_DEPLOY,
                variable.text,
                (TrailStep(near.at(span), phrase("set-where-it-runs", variable.text)),),
            )
        return found

    def _default(self, default: Expr, key: str, near: Placed, depth: int) -> Val:
        value = self.value(default, near, depth + 1)
        if isinstance(value, Text):
            step = TrailStep(near.at(default.at), phrase("default-of", key))
            return replace(
                value,
                default=True,
                confidence=min(value.confidence, Confidence.MEDIUM),
                trail=(step, *value.trail),
            )
        return value

    # -- names ----------------------------------------------------------------------------------------------

    def _find(self, candidates: Sequence[str], near: Placed) -> Found | Missing | None:
        return self._defined(lambda: self.world.definitions.first(candidates, near, self.deployable))

    def _holder(self, type_name: str, member: str, near: Placed) -> Found | Missing | None:
        """The type that a name stands in: `TYPE`, or `PACKAGE.*` for what stands outside of types."""
        if not type_name.endswith("*"):
            return self._find((type_name,), near)
        name = f"{type_name[:-1]}{member}"
        return self._defined(lambda: self.world.definitions.outside(name, near, self.deployable))

    def _defined(self, look_up: Callable[[], Found | None]) -> Found | Missing | None:
        try:
            return look_up()
        except Ambiguous as error:
            places = ", ".join(f"{place.repo}/{place.path}" for place in error.places[:3])
            return Missing(Why.AMBIGUOUS, phrase("name-in-file", error.name, places))

    def _name(self, name: Name, near: Placed, depth: int) -> Val:
        gap: Missing | None = None
        for candidate in name.candidates:
            type_name, _, member = candidate.partition("#")
            found = self._holder(type_name, member, near)
            if isinstance(found, Missing):
                return self._answered(name, near) or replace(found, trail=here(name, near))
            if found is None:
                continue
            if not member:
                return TypeVal(found.type, type_name, near.at(name.at))
            value = self._constant(found, member, near.at(name.at), depth)
            if value is not None:
                return value
            gap = gap or Missing(
                Why.UNDEFINED,
                f"{short(type_name)}.{member}",
                (TrailStep(near.at(name.at), phrase("has-no", short(type_name), member)),),
            )
        answered = self._answered(name, near)
        if answered is not None:
            return answered
        if gap:
            return gap
        shown = short(name.candidates[0]) if name.candidates else "?"
        return Missing(
            Why.UNDEFINED,
            shown,
            (TrailStep(near.at(name.at), phrase("no-definition-of-in-this-run", shown)),),
        )

    def _answered(self, name: Name, near: Placed) -> Text | None:
        """What `[values]` says of a symbol that no tracked file defines, or that several define differently."""
        for candidate in name.candidates:
            answer = self.environment.answer(short(candidate))
            if answer is not None:
                where = self.environment.configuration.answers_at or near.at(name.at)
                return Text(answer, (TrailStep(where, phrase("values-answer", short(candidate))),))
        return None

    def _constant(self, found: Found, member: str, at: Location, depth: int) -> Val | None:
        """A constant of a type or of its supertypes, or a type nested in one of them."""
        for owner in self.world.definitions.supers(found.type, self.deployable):
            field = owner.field(member)
            if field is not None:
                where = owner.placed.at(field.at)
                step = TrailStep(where, f"{short(owner.name)}.{member}{self._far(found, owner)}")
                if owner.type.kind is TypeKind.ENUM and isinstance(field.value, New) and field.static:
                    named = Text(member, (TrailStep(where, phrase("enum-constant-named", member)),))
                    return Constant(replace(named, confidence=confidence(found.distance)))
                return with_step(self._initialised(owner, member, depth), step, confidence(found.distance))
            nested = self.world.definitions.own(owner.placed.origin, f"{owner.name}.{member}")
            if nested is not None:
                return TypeVal(nested, nested.name, at)
        return None

    def _initialised(self, owner: TypeDef, member: str, depth: int) -> Val:
        """What a field starts with, where it is a constant."""
        field = owner.field(member)
        assert field is not None
        at = owner.placed.at(field.at)
        mark = ("field", owner.key, member)
        if mark in self._active:
            return Missing(
                Why.CYCLE, f"{short(owner.name)}.{member}", (TrailStep(at, phrase("defined-by-itself")),)
            )
        if field.value is None:
            return Missing(Why.DYNAMIC, phrase("field", member), (TrailStep(at, phrase("not-a-constant")),))
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
        if isinstance(target, Missing):
            return target
        if isinstance(target, TypeVal) and target.type is not None:
            value = self._constant(Found(target.type, Distance.FILE), name, at, depth)
            if value is not None:
                return value
        return Missing(Why.DYNAMIC, name, (TrailStep(at, phrase("key-of", name, describe(target))),))

    def _type_name(self, candidates: Sequence[str], near: Placed, span: Span) -> Val:
        found = self._find(candidates, near)
        if isinstance(found, Found):
            return TypeVal(found.type, found.type.name, near.at(span))
        return TypeVal(None, candidates[0] if candidates else "?", near.at(span))

    # -- what reading and execution put into expressions ----------------------------------------------------

    def _call(self, call: Call, near: Placed, depth: int) -> Val:
        args = [self.value(argument, near, depth + 1) for argument in call.args]
        first = args[0] if args else None
        if isinstance(first, Missing):
            return first
        match call.function, args:
            case "none", []:
                return Null((TrailStep(near.at(call.at), "null"),))
            case ("qualified_name" | "simple_name") as what, [TypeVal(name=name)]:
                shown = short(name) if what == "simple_name" else name
                return Text(shown, (TrailStep(near.at(call.at), phrase("name-of-the-class")),))
            case "load_file", [Text() as path]:
                return self._load(path, near, call.at)
            case "split", [Text() as text, Text(text=separator)]:
                return texts.split(text, separator)
            case "trim", [Text() as text]:
                return texts.merged([text], text.text.strip())
            case "after", [Text() as text, Text(text=count)]:
                return texts.merged([text], text.text[int(count) :])
            case "item", [FileVal() as file, key, *default]:
                return self._file_item(file, key, default[0] if default else None)
            case "item", [Many(items=items), Text(text=number)] if int(number) < len(items):
                return items[int(number)]
        return Missing(Why.UNSUPPORTED, call.function, here(call, near))

    def _file_item(self, target: FileVal, key: Val, default: Val | None) -> Val:
        if not isinstance(key, Text):
            return key if isinstance(key, Missing) else Missing(Why.DYNAMIC, phrase("key"))
        for entry in target.file.facts.config:
            if entry.key == key.text:
                step = TrailStep(target.file.at(entry.at), f"`{key.text}`")
                text = self._filtered(entry.text, target.file.origin)
                return replace(text, trail=(step,)) if isinstance(text, Missing) else Text(text, (step,))
        return default or Missing(Why.UNDEFINED, key.text)

    def _load(self, path: Val, near: Placed, span: Span) -> Val:
        """A settings file named by a literal path: on a Java class path in the deployable's own modules, in their
        order; else the nearest one of that name."""
        if not isinstance(path, Text):
            return Missing(
                Why.DYNAMIC,
                phrase("file"),
                (TrailStep(near.at(span), phrase("file-that-is-not-named-literally")),),
            )
        tail = path.text.replace("\\", "/").removeprefix("./").lstrip("/")
        self.world.wanted_files.add(tail.rpartition("/")[2])
        named = [
            placed
            for placed in self.world.by_name.get(tail.rpartition("/")[2], ())
            if f"/{placed.origin.path}".endswith(f"/{tail.removeprefix('../')}")
        ]
        here = near.origin.path.split("/")[:-1]
        if near.facts.on_jvm:
            order = {key: index for index, key in enumerate(self.deployable.takes_in)}
            ranked = [(order[key], p) for p in named if (key := self.world.modules.of(p.origin)) in order]
            tested = scope_of(near.origin.path) == "test"
            ranked = [(rank, p) for rank, p in ranked if tested or scope_of(p.origin.path) != "test"]
            named = [p for _, p in sorted(ranked, key=lambda pair: (pair[0], pair[1].origin))]
        else:
            named = [placed for placed in named if placed.origin.repo == near.origin.repo]
            named.sort(key=lambda p: (-shared(here, p.origin.path.split("/")[:-1]), p.origin))
        if not named:
            return Missing(Why.UNDEFINED, tail, (TrailStep(near.at(span), phrase("no-tracked-file", tail)),))
        return FileVal(named[0])
