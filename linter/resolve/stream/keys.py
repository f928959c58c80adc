"""Keys of Spring Cloud Stream: which binders a deployable has, and what a binding's keys say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from subdrift.linter.model.consumer import Value
from subdrift.linter.model.expr import Call, Expr, Literal, Unknown, Why
from subdrift.linter.model.facts import Attribute, Setting
from subdrift.linter.model.location import Span
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.configured import Resolver
from subdrift.linter.resolve.environment import Entry, Environment
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.starters import configured, setting
from subdrift.linter.resolve.stream.versions import (
    ARTIFACTS,
    COORDINATES,
    NUMBER,
    OTHER_BINDER,
    binder_version,
)
from subdrift.linter.resolve.world import World

_OF_BINDING = re.compile(r"(.*\.bindings)\.(.+?)\.(destination|group|binder|(?:consumer|producer)\..+)")
STREAM = "spring.cloud.stream"

_OTHER_KEYS = ("kafka", "rabbit", "pulsar", "kinesis", "solace", "redis", "servicebus", "eventhubs", "gcp")


class Keys:
    """What one deployable's configuration says of bindings and binders."""

    def __init__(self, world: World, deployable: Deployable, environment: Environment) -> None:
        self.world = world
        self.deployable = deployable
        self.environment = environment
        artifacts = {
            dependency.coordinate.rpartition(":")[2]
            for key in deployable.takes_in
            for dependency in world.modules.modules[key].dependencies
            if not dependency.test
        }
        self.depends = not artifacts.isdisjoint(ARTIFACTS)
        self.depends_on_other = any(OTHER_BINDER.match(artifact) for artifact in artifacts)
        declared = world.modules.version_of(deployable, COORDINATES)
        self.family, self.anonymous = binder_version(declared[0] if declared else None)
        numbers = NUMBER.findall(declared[0]) if declared else []
        self.is_late = bool(numbers) and 2023 <= int(numbers[0]) < 10_000
        """Whether the binder is one for Spring Cloud Stream 4.1, which reads some keys in another way."""

    def _lookup(self, key: str) -> Entry | None:
        """The entry of a key; the name of a binding is the name of a map's element, which is not relaxed."""
        match = _OF_BINDING.fullmatch(key)
        if match is not None:
            return self.environment.lookup_in_map(match[1], match[2], match[3])
        return self.environment.lookup(key, loosely=True)

    def _children(self, prefix: str) -> tuple[str, ...]:
        return self.environment.children(prefix)

    def _binders(self) -> tuple[str, ...]:
        return self._children(f"{STREAM}.binders")

    def _text(self, key: str) -> str:
        """The text of a key, "" where it is not set or not known."""
        entry = self._lookup(key)
        return "" if entry is None else (self._evaluated(entry).text or "").strip()

    def _evaluated(self, entry: Entry) -> Value:
        value = Resolver(self.world, self.deployable, self.environment).lookup(entry.key, entry.at, 0)
        return value if isinstance(value, Value) else Value(None, Why.DYNAMIC, entry.key)

    def _first(self, *keys: str) -> Entry | None:
        """The entry of the first of some keys that is set to something."""
        for key in keys:
            entry = self._lookup(key)
            if entry is not None and (entry.text.strip() or entry.outside):
                return entry
        return None

    def _consumer_keys(self, name: str, tail: str) -> tuple[str, ...]:
        """Where the RocketMQ binder reads a consumer property of a binding, the first wins."""
        found = [f"{prefix}.bindings.{name}.consumer.{tail}" for prefix in self._prefixes(name)]
        return (*found, f"{STREAM}.rocketmq.default.consumer.{tail}")

    def _prefixes(self, name: str) -> Iterator[str]:
        binder = self._binder(name)
        if binder:
            yield f"{STREAM}.binders.{binder}.environment.{STREAM}.rocketmq"
        yield f"{STREAM}.rocketmq"

    def _binder(self, name: str) -> str:
        """The name of the binder of a binding, "" where nothing names one."""
        named = self._text(f"{STREAM}.bindings.{name}.binder") or self._text(f"{STREAM}.default-binder")
        if named:
            return named
        binders = self._binders()
        return binders[0] if len(binders) == 1 else ""

    def _is_rocketmq(self, name: str) -> bool:
        binder = self._binder(name)
        if binder:
            return (self._text(f"{STREAM}.binders.{binder}.type") or binder).lower() == "rocketmq"
        own = bool(self._children(f"{STREAM}.rocketmq.bindings.{name}"))
        if self._binders():
            types = {self._text(f"{STREAM}.binders.{b}.type") or b for b in self._binders()}
            return own if "rocketmq" in types and len(types) > 1 else types == {"rocketmq"}
        if self.depends != self.depends_on_other:
            return self.depends or own
        others = any(self._children(f"{STREAM}.{other}") for other in _OTHER_KEYS)
        return own if self.depends_on_other or others else True

    def _names(self) -> tuple[str, ...]:
        """Every binding that some key names."""
        named = dict.fromkeys(self._children(f"{STREAM}.bindings"))
        named.update(dict.fromkeys(self._children(f"{STREAM}.rocketmq.bindings")))
        return tuple(named)

    def _keyed(self, name: str) -> bool:
        return name in self._names() or bool(self._children(f"{STREAM}.bindings.{name}"))

    def _place(self, key: str) -> tuple[Placed, Span] | None:
        """Where a key of the stream is written."""
        entry = self._lookup(f"{STREAM}.{key}")
        placed = self.world.files.get(entry.at.origin) if entry is not None else None
        return (placed, entry.at.span) if entry is not None and placed is not None else None

    def _any(self, name: str) -> Entry | None:
        """Some key of a binding that has neither destination nor group of its own."""
        below = self.environment.configuration.below(f"{STREAM}.bindings.{name}")
        return min((e for e in below if self.environment.holds(e)), key=lambda e: e.at, default=None)

    def _setting(self, attribute: Attribute, keys: Sequence[str], at: Span) -> Iterator[Setting]:
        entry = self._first(*keys)
        if entry is not None:
            yield from setting(self.environment, attribute, entry.key, at)

    def _subscription(self, entry: Entry, at: Span) -> tuple[Expr, Expr | None]:
        """`sql:` before the text makes it SQL92."""
        value = self._evaluated(entry)
        expr = configured(entry, at)
        if value.text is None:
            return expr, Unknown(value.why or Why.DYNAMIC, value.detail, at)
        if not value.text.startswith("sql:"):
            return expr, None
        return Call("after", (expr, Literal("4", at)), at), Literal("SQL92", at)
