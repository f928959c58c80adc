"""Whether Spring's conditions hold in an environment: each holds, fails for a reason, or is open.

Open is what the files of a run cannot tell (a class of a library that may be absent, a condition class of one's own);
it stays with the consumer as a condition of its row.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from subdrift.linter.model.consumer import Value
from subdrift.linter.model.expr import Expr, Literal, TypeName
from subdrift.linter.model.facts import Condition
from subdrift.linter.model.location import Location
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configured import Resolver
from subdrift.linter.resolve.definitions import Ambiguous
from subdrift.linter.resolve.environment import Environment
from subdrift.linter.resolve.evaluate import Evaluator
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.placeholder import parse
from subdrift.linter.resolve.profiles import profile_holds
from subdrift.linter.resolve.spring.annotations import Meant
from subdrift.linter.resolve.world import Fork, World

BEAN_CONDITIONS = frozenset({
    "ConditionalOnBean", "ConditionalOnMissingBean", "ConditionalOnSingleCandidate",
})  # fmt: skip
"""Conditions on what is registered already; they are asked when a bean is about to be."""

_PRESENT = ("java.", "javax.annotation.", "org.springframework.", "org.apache.rocketmq.", "org.slf4j.")


class Outcome(Struct, frozen=True):
    """What the conditions at one place come to: the first that fails, and those that are open."""

    failed: Condition | None = None
    open: tuple[Condition, ...] = ()

    def and_(self, other: Outcome) -> Outcome:
        return Outcome(self.failed or other.failed, tuple(dict.fromkeys((*self.open, *other.open))))


HOLDS = Outcome()


class Conditions:
    """Asks the conditions of one deployable in one environment."""

    def __init__(self, world: World, deployable: Deployable, environment: Environment) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment

    def asked(
        self,
        annotations: Sequence[Meant],
        on_bean: Callable[[Meant], Outcome] | None = None,
        *,
        beans_only: bool = False,
    ) -> Outcome:
        """All conditions among some annotations; those on beans only where `on_bean` can say."""
        outcome = HOLDS
        for each in annotations:
            if each.simple in BEAN_CONDITIONS:
                if on_bean is not None:
                    outcome = outcome.and_(on_bean(each))
            elif not beans_only:
                outcome = outcome.and_(self._asked(each))
            if outcome.failed:
                return outcome
        return outcome

    def _asked(self, each: Meant) -> Outcome:
        match each.simple:
            case "Profile":
                return self._profile(each)
            case "ConditionalOnProperty":
                return self._property(each)
            case "ConditionalOnClass":
                return self._classes(each, missing=False)
            case "ConditionalOnMissingClass":
                return self._classes(each, missing=True)
            case "ConditionalOnExpression":
                return self._expression(each)
            case "Requires":
                return self._requires(each)
            case "Conditional":
                return Outcome(open=(each.condition("condition", _shown(each)),))
            case _ if each.simple.startswith("ConditionalOn"):
                return Outcome(open=(each.condition("condition", _shown(each)),))
        return HOLDS

    # -- profiles and properties ------------------------------------------------------------------------------

    def _profile(self, each: Meant) -> Outcome:
        texts = [self.text(one, each.placed) for one in each.elements("value")]
        shown = ",".join(text if text is not None else "?" for text in texts)
        condition = each.condition("profile", shown)
        active = self.environment.active or self.environment.default_profiles
        if any(text is not None and profile_holds(text, active) for text in texts):
            return Outcome()
        return Outcome(open=(condition,)) if None in texts else Outcome(condition)

    def _property(self, each: Meant) -> Outcome:
        """Mirrors OnPropertyCondition, Spring Boot 2.7 to 3.4: without `havingValue` any text but false will do."""
        prefix = self._attribute(each, "prefix").strip()
        prefix = prefix + "." if prefix and not prefix.endswith(".") else prefix
        wanted = self._attribute(each, "havingValue")
        if_missing = self._attribute(each, "matchIfMissing").lower() == "true"
        names = [self.text(one, each.placed) for one in each.elements("name", "value")]
        outcome = HOLDS
        for name in names:
            if name is None:
                outcome = outcome.and_(Outcome(open=(each.condition("property", "?"),)))
                continue
            key = prefix + name
            shown = f"{key}={wanted}" if wanted else key
            condition = each.condition("property", shown)
            found = self._configured(key, each)
            if found is None:
                # a file that is mounted, a variable or an argument may set it: only a text that is there, and is no
                # default of something that nobody sets, proves it false
                outcome = outcome.and_(HOLDS if if_missing else Outcome(open=(condition,)))
            elif found.text is None:
                outcome = outcome.and_(Outcome(open=(condition,)))
            elif found.text.lower() != wanted.lower() if wanted else found.text.lower() == "false":
                said = each.condition("property", f"{key}={found.text}")
                outcome = outcome.and_(Outcome(open=(condition,)) if found.default else Outcome(said))
        return outcome

    def _requires(self, each: Meant) -> Outcome:
        """Micronaut's `@Requires`, as recorded with 4.7; open where it asks for anything but properties and environments."""
        known = {"property", "value", "notEquals", "env", "notEnv"}
        if any(name not in known for name, _ in each.use.args):
            return Outcome(open=(each.condition("condition", _shown(each)),))
        outcome = HOLDS
        active, configuration = self.environment.active, self.environment.configuration
        for name in ("env", "notEnv"):
            texts = [self.text(one, each.placed) or "?" for one in each.elements(name)]
            for told in configuration.framework.profile_keys if texts else ():
                configuration.ask(told)
            if texts and any(text in active for text in texts) != (name == "env"):
                shown = ",".join(texts) if name == "env" else f"!({','.join(texts)})"
                outcome = outcome.and_(Outcome(each.condition("profile", shown)))
        key = self._attribute(each, "property")
        if not key:
            return outcome
        wanted, barred = self._attribute(each, "value"), self._attribute(each, "notEquals")
        found = self._configured(key, each)
        if found is None or found.text is None:
            shown = f"{key}={wanted}" if wanted else key
            return outcome.and_(Outcome(open=(each.condition("property", shown),)))
        if (wanted and found.text != wanted) or (barred and found.text == barred):
            said = each.condition("property", f"{key}={found.text}")
            return outcome.and_(Outcome(open=(said,)) if found.default else Outcome(said))
        return outcome

    def _configured(self, key: str, each: Meant) -> Value | None:
        """The configured text of a key, None where nothing sets it."""
        at = Location(each.placed.origin, each.use.at)
        is_set = self.environment.answer(key) is not None or self.environment.lookup(key) is not None
        if not is_set and not self.environment.configuration.centre:
            return None
        found = self._configuration.lookup(key, at, 0)
        return found if isinstance(found, Value) else None

    def _attribute(self, each: Meant, name: str) -> str:
        found = each.use.argument(name)
        return (self.text(found, each.placed) or "") if found is not None else ""

    def _expression(self, each: Meant) -> Outcome:
        written = self._attribute(each, "value")
        condition = each.condition("expression", written or "?")
        at = Location(each.placed.origin, each.use.at)
        plain = written[2:-1] if written.startswith("#{") and written.endswith("}") else written
        if not plain or "#{" in plain:
            return Outcome(open=(condition,))
        found = self._configuration.interpolate(Value(plain), at)
        held = truth(found.text) if isinstance(found, Value) and found.text is not None else None
        if held:
            return HOLDS
        if held is None or not isinstance(found, Value):
            return Outcome(open=(condition,))
        # a default holds where nobody sets the key: only what is set proves the whole false
        is_set = not found.default or truth(self._without_defaults(plain, at)) is False
        return Outcome(condition) if is_set else Outcome(open=(condition,))

    def _without_defaults(self, written: str, at: Location) -> str:
        """An expression with what its placeholders come to, each that is a default as what nobody knows."""
        found = [
            Value(part) if isinstance(part, str) else self._configuration.placeholder(part, at)
            for part in parse(written)
        ]
        return "".join(
            each.text or "" if isinstance(each, Value) and each.known and not each.default else _UNKNOWN
            for each in found
        )

    # -- classes ----------------------------------------------------------------------------------------------

    def _classes(self, each: Meant, *, missing: bool) -> Outcome:
        outcome = HOLDS
        for name, certain in self._class_names(each):
            condition = each.condition("missing-class" if missing else "class", name)
            present = self._is_present(name, each.placed) or (certain and not missing)
            if not present and not self._is_own(name):
                outcome = outcome.and_(Outcome(open=(condition,)))
            elif present == missing:
                outcome = outcome.and_(Outcome(condition))
        return outcome

    def _class_names(self, each: Meant) -> Iterator[tuple[str, bool]]:
        """The classes of a condition, and whether they are written as classes: then the code was compiled with them."""
        for one in (*each.elements("value"), *each.elements("name"), *each.elements("type")):
            if isinstance(one, TypeName):
                yield (one.candidates[0] if one.candidates else "?"), True
            else:
                text = self.text(one, each.placed)
                yield text if text is not None else "?", False

    def _is_present(self, name: str, near: Placed) -> bool:
        if name.startswith(_PRESENT):
            return True
        try:
            found = self.world.definitions.type(name.replace("$", "."), near, self.deployable)
        except Ambiguous:
            return True
        return (
            found is not None and self.world.modules.of(found.type.placed.origin) in self.deployable.takes_in
        )

    def _is_own(self, name: str) -> bool:
        """Whether a class would be the run's own: some module of the deployable has its package or one above."""
        parts = name.split(".")
        stem = ".".join(parts[: min(2, len(parts) - 1)])
        return bool(stem) and stem in self.world.stems

    # -- texts ------------------------------------------------------------------------------------------------

    @property
    def _configuration(self) -> Resolver:
        return Resolver(self.world, self.deployable, self.environment)

    def text(self, expr: Expr, placed: Placed) -> str | None:
        """The text of an attribute as written, placeholders left; None where it is not known."""
        if isinstance(expr, Literal):
            return expr.text
        try:
            return Evaluator(self.world, self.deployable, self.environment).text(expr, placed).text
        except Fork:
            return None

    def resolved(self, text: str, at: Location) -> str | None:
        """A text with its placeholders resolved; None where one cannot be."""
        found = self._configuration.interpolate(Value(text), at)
        return found.text if isinstance(found, Value) else None


def _shown(each: Meant) -> str:
    """An annotation as a reader knows it: its name and the classes or texts it names."""
    words = [each.simple]
    for _, value in each.use.args:
        for one in getattr(value, "items", (value,)):
            if isinstance(one, TypeName) and one.candidates:
                words.append(one.candidates[0].rpartition(".")[2])
            elif isinstance(one, Literal):
                words.append(one.text)
    return " ".join(words)


_UNKNOWN = "\0"
"""In an expression: what nobody knows."""


def truth(text: str) -> bool | None:
    """Whether a SpEL text of comparisons, `and`, `or`, `not` holds; None for anything else."""
    return _Spel(text).truth()


_ORDERS: tuple[tuple[tuple[str, str], Callable[[float, float], bool]], ...] = (
    ((">", "gt"), operator.gt),
    ((">=", "ge"), operator.ge),
    (("<", "lt"), operator.lt),
    (("<=", "le"), operator.le),
)


class _Spel:
    """Literals, comparisons, `!`, `&&`, `||` and parentheses; `T(...)` and method calls are not read."""

    def __init__(self, text: str) -> None:
        self._tokens = re.findall(r"'(?:[^']|'')*'|[=!<>]=|&&|\|\||[()!<>]|[^\s()!=&|'<>]+", text)
        self._whole = "".join(self._tokens).replace(" ", "") == re.sub(
            r"\s+(?=(?:[^']*'[^']*')*[^']*$)", "", text
        )
        self._position = 0

    def truth(self) -> bool | None:
        if not self._whole:
            return None
        found = self._either()
        if self._position != len(self._tokens) or not isinstance(found, bool):
            return None
        return found

    def _peek(self) -> str:
        return self._tokens[self._position] if self._position < len(self._tokens) else ""

    def _take(self, *words: str) -> bool:
        if self._peek().lower() in words:
            self._position += 1
            return True
        return False

    def _either(self) -> object:
        found = self._both()
        while self._take("||", "or"):
            found = _either(found, self._both())
        return found

    def _both(self) -> object:
        found = self._compared()
        while self._take("&&", "and"):
            found = _negated(_either(_negated(found), _negated(self._compared())))
        return found

    def _compared(self) -> object:
        left = self._single()
        for sign, equal in (("==", True), ("!=", False)):
            if self._take(sign):
                right = self._single()
                return None if left is None or right is None else (left == right) is equal
        for signs, holds in _ORDERS:
            if self._take(*signs):
                right = self._single()
                return holds(left, right) if isinstance(left, float) and isinstance(right, float) else None
        return left

    def _single(self) -> object:
        if self._take("!", "not"):
            return _negated(self._single())
        if self._take("("):
            found = self._either()
            return found if self._take(")") else None
        token = self._peek()
        self._position += 1
        if _UNKNOWN in token:
            return None
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if token.lower() in ("true", "false"):
            return token.lower() == "true"
        try:
            return float(token)
        except ValueError:
            return None


def _either(left: object, right: object) -> bool | None:
    """Whether one of two holds, each of which is true, false or not known."""
    if left is True or right is True:
        return True
    return False if left is False and right is False else None


def _negated(value: object) -> bool | None:
    return not value if isinstance(value, bool) else None
