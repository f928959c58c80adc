"""What configuration says in one environment: keys, variables, and placeholders in texts, each with a trail or a reason."""

from __future__ import annotations

import re

from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence, TrailStep, Value
from subdrift.linter.model.expr import Why
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.environment import Entry, Environment, Layer
from subdrift.linter.resolve.execute.deferred import parts_of
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.placeholder import Parts, Placeholder, parse
from subdrift.linter.resolve.values import Many, Val, joined, merged, shown
from subdrift.linter.resolve.world import World

DEPTH_MAX = 80
"""Expressions inside expressions."""

STEPS_MAX = 20_000
"""Expressions evaluated and keys looked up for one consumer under one set of choices."""

BOUNDS = phrase("more-than-levels-or-steps", DEPTH_MAX, f"{STEPS_MAX:,}")

_PROPERTY = re.compile(r"@[\w.-]+@")

_PROPERTIES = re.compile(r"@([\w.-]+)@|\$\{([\w.-]+)")

_ENCRYPTED = re.compile(r"\s*(?:ENC\(.*\)|\{cipher\})", re.S)
"""Jasypt's texts, and those of Spring Cloud Config."""

_FILLED_IN = re.compile(r"\{\{.*?\}\}", re.S)
"""A template of Helm, Ansible or Jinja."""

NOT_SET = (Why.UNDEFINED, Why.EXTERNAL_CONFIG)


def symbol_of(key: str) -> str:
    """What stands for the text of a key that nothing in sight answers (`Value.symbol`): wherever a process asks for it, it
    gets the same."""
    return f"${{{key}}}"


class Resolver:
    """Looks keys up in one environment of one deployable.

    `undefined_keys` are the keys that nothing sets; `asked_configuration`: whether any key was asked for. `speaks`: whether
    Spring's expression language is evaluated in texts; rocketmq-spring resolves the placeholders of its annotation alone.
    """

    def __init__(self, world: World, deployable: Deployable, environment: Environment) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        self.asked_configuration = False
        self.undefined_keys: set[str] = set()
        self.speaks = True
        self._steps = 0
        self._active: set[tuple[object, ...]] = set()

    def is_spent(self, depth: int) -> bool:
        """Counts one step; whether that was one too many."""
        self._steps += 1
        return depth > DEPTH_MAX or self._steps > STEPS_MAX

    # -- placeholders ---------------------------------------------------------------------------------------

    def declared(self, value: Value, at: Location, depth: int) -> Value | Many:
        """Placeholders in the text of a declaration; a bean file is first copied by the build."""
        if value.known and at.origin.path.endswith(".xml"):
            built = self.filtered(value.text or "", at.origin)
            value = replace(value if built.known else built, text=built.text, trail=value.trail)
        return self.interpolate(value, at, depth)

    def interpolate(self, value: Value, at: Location, depth: int = 0) -> Value | Many:
        """Spring's placeholders in a known text."""
        text = value.text or ""
        if "#{" in text and self.speaks:
            return self._spel(value, text.strip(), at, depth)
        if "${" not in text:
            return value
        found = self._parts(parse(text), at, depth, value.confidence)
        return replace(found, trail=value.trail + found.trail) if found.known else found

    def _spel(self, value: Value, text: str, at: Location, depth: int) -> Value | Many:
        """`#{'${k}'.split(',')}` is the one SpEL form that is read; any other is run-time code."""
        if not text.startswith("#{'") or not text.endswith("'.split(',')}"):
            return Value(None, Why.DYNAMIC, "SpEL", (*value.trail, TrailStep(at, phrase("spel-expression"))))
        inner = self.interpolate(replace(value, text=text[3 : -len("'.split(',')}")]), at, depth + 1)
        if not isinstance(inner, Value) or inner.text is None:
            return inner
        return Many(tuple(merged([inner], part) for part in parts_of(inner.text, ",")), inner.trail)

    def _parts(self, parts: Parts, at: Location, depth: int, confidence: Confidence) -> Value:
        values: list[Value] = []
        for part in parts:
            value = Value(part) if isinstance(part, str) else self.placeholder(part, at, depth + 1)
            if not isinstance(value, Value):
                return Value(None, Why.UNSUPPORTED, phrase("list-in-a-text"))
            values.append(value)
            if not value.known and not value.symbol:
                break
        made = joined(values)
        return replace(made, confidence=min(made.confidence, confidence)) if made.known else made

    def placeholder(self, placeholder: Placeholder, at: Location, depth: int = 0) -> Value | Many:
        """What a placeholder comes to."""
        key = self._parts(placeholder.key, at, depth, Confidence.HIGH)
        if key.text is None:
            return replace(key, symbol=symbol_of(key.symbol)) if key.symbol else key
        found = self.lookup(key.text, at, depth)
        if placeholder.default is None:
            return found
        entry = self.environment.lookup(key.text)
        later = entry is not None and entry.layer is Layer.LATER
        if not later and not self.takes_default(found, key.text):
            return found
        return as_default(self._parts(placeholder.default, at, depth, Confidence.MEDIUM), key.text, at)

    # -- keys -----------------------------------------------------------------------------------------------

    def lookup(self, key: str, at: Location, depth: int, *, loosely: bool = False) -> Value | Many:
        """The configured text of a key."""
        self.asked_configuration = True
        if self.is_spent(depth):
            return Value(None, Why.TOO_MANY, BOUNDS, (TrailStep(at, f"`{key}`"),))
        answer = self.environment.answer(key)
        if answer is not None:
            where = self.environment.configuration.answers_at or at
            return Value(answer, trail=(TrailStep(where, phrase("values-answer", key)),))
        entry = self.environment.lookup(key, loosely=loosely)
        if entry is None:
            return self._not_configured(key, at)
        mark = ("config", key)
        if mark in self._active:
            self.undefined_keys.add(key)  # nothing starts with it: a build was to put a text in its place
            return Value(None, Why.CYCLE, key, (TrailStep(entry.at, phrase("refers-to-itself", key)),))
        self._active.add(mark)
        try:
            return self.text_of(entry, key, depth)
        finally:
            self._active.discard(mark)

    def text_of(self, entry: Entry, key: str, depth: int = 0) -> Value | Many:
        """The text of the entry that a key has, placeholders and build filters applied."""
        self.asked_configuration = True
        overruled = self._may_be_overruled(entry)
        confidence = (
            Confidence.MEDIUM if entry.profile or entry.copied or overruled is not None else Confidence.HIGH
        )
        note = f" (profile {entry.profile})" if entry.profile else ""
        step = TrailStep(entry.at, overruled if overruled is not None else f"`{entry.key}`{note}")
        text = self.filtered(self._expanded(entry.text, entry.at.origin), entry.at.origin)
        outside = entry.key if entry.outside else ""
        if _ENCRYPTED.match(entry.text):
            outside = outside or phrase("is-encrypted", entry.key)
        if _FILLED_IN.search(entry.text) or _FILLED_IN.search(text.text or ""):
            outside = outside or phrase("is-a-template", entry.key)
        if outside:
            return Value(None, Why.SET_AT_DEPLOY, outside, (step,), symbol=symbol_of(key))
        if entry.undecided:
            return Value(None, Why.AMBIGUOUS, phrase("has-several-values", entry.key), (step,))
        if not text.known:
            return replace(text, trail=(step,))
        value = self.interpolate(replace(text, confidence=confidence), entry.at, depth + 1)
        return replace(value, trail=(step, *value.trail))

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

    def filtered(self, text: str, origin: Origin) -> Value:
        """A text as the build copies its file to the class path; a property that nothing sets is not known where the build
        files of the run do not tell of its resources."""
        configuration = self.environment.configuration
        filtered, resources = configuration.is_filtered(origin)
        text = configuration.filtered(text, origin, self.environment.filled)
        left = _PROPERTY.search(text) if filtered and not resources.known else None
        return Value(text) if left is None else Value(None, Why.UNDEFINED, left[0])

    def _not_configured(self, key: str, at: Location) -> Value:
        if key == "spring.profiles.active" and (named := self.environment.named()):
            step = TrailStep(at, phrase("active-profile"))
            return Value(",".join(named), trail=(step,), confidence=Confidence.MEDIUM)
        self.undefined_keys.add(key)
        centre = self.environment.configuration.centre
        why, said = Why.UNDEFINED, phrase("no-value-for", key)
        if centre:
            why, said = Why.EXTERNAL_CONFIG, phrase("may-live-in", key, centre)
        return Value(None, why, key, (TrailStep(at, said),), symbol=symbol_of(key))

    def set_to(self, key: str, at: Location) -> Value | None:
        """The text of a key however it is spelled, None where nothing sets it."""
        if self.environment.lookup(key, loosely=True) is None:
            return None
        found = self.lookup(key, at, 0, loosely=True)
        return shown(found) if isinstance(found, Value) else Value(None, Why.DYNAMIC, phrase("not-a-text"))

    def takes_default(self, found: Val, key: str, *, of_process: bool = False) -> bool:
        """Whether a default holds: only where nothing defines the key, not where its text cannot be resolved; of a variable
        of the process wherever it has none."""
        if not isinstance(found, Value) or found.why not in NOT_SET:
            return False
        if of_process:
            return True
        if self.environment.lookup(key) is not None:
            return False
        self.undefined_keys.discard(key)
        return True


def as_default(value: Value, key: str, at: Location) -> Value:
    """A text that holds where nothing sets a key."""
    if not value.known:
        return value
    trail = (TrailStep(at, phrase("default-of", key)), *value.trail)
    return replace(value, default=True, confidence=min(value.confidence, Confidence.MEDIUM), trail=trail)
