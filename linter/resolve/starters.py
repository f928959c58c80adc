"""Keys of the rocketmq-spring starters that declare a consumer without any code: lite pull and simple consumers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from subdrift.linter.model.expr import Config, Expr
from subdrift.linter.model.facts import Attribute, ConsumerSite, Setting, SubscriptionSite
from subdrift.linter.model.location import Span
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.environment import Entry, Environment
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.spring.registration import CLASSIC
from subdrift.linter.resolve.world import World

V5 = (
    "org.apache.rocketmq:rocketmq-v5-client-spring-boot-starter",
    "org.apache.rocketmq:rocketmq-v5-client-spring-boot",
)
_NUMBER = re.compile(r"\d+")


def sites(
    world: World, deployable: Deployable, environment: Environment, files: Sequence[Placed]
) -> Iterator[tuple[Placed, ConsumerSite]]:
    """The lite-pull and simple consumers the keys of a known deployable declare."""
    if not deployable.known:
        return
    if _uses(world, deployable, files, CLASSIC, ("org.apache.rocketmq.spring.",)):
        prefix = _lite_pull_prefix(world, deployable)
        if prefix and environment.lookup("rocketmq.name-server", loosely=True) is not None:
            yield from _lite_pull(world, environment, prefix)
    if _uses(
        world,
        deployable,
        files,
        V5,
        ("org.apache.rocketmq.client.annotation.", "org.apache.rocketmq.client.core."),
    ):
        yield from _simple(world, environment)


def _uses(
    world: World,
    deployable: Deployable,
    files: Sequence[Placed],
    artifacts: Sequence[str],
    packages: tuple[str, ...],
) -> bool:
    return any(world.modules.depends_on(deployable, artifact) for artifact in artifacts) or any(
        imported.startswith(packages)
        for placed in files
        if placed.facts.on_jvm
        for imported in placed.facts.imports
    )


def _lite_pull_prefix(world: World, deployable: Deployable) -> str:
    """Where the starter's version reads its lite-pull consumer: nowhere before 2.2.0, two places since.

    Of an unknown version only the newer place is believed; `rocketmq.consumer.*` is also where people keep keys of
    their own. Mirrors RocketMQAutoConfiguration#defaultLitePullConsumer, rocketmq-spring 2.2.0 to 2.3.5.
    """
    declared = world.modules.version_of(deployable, CLASSIC)
    if declared is None:
        return "rocketmq.pull-consumer"
    version = tuple(int(number) for number in _NUMBER.findall(declared[0])[:3])
    if version >= (2, 2, 3):
        return "rocketmq.pull-consumer"
    return "rocketmq.consumer" if version >= (2, 2, 0) else ""


def _lite_pull(world: World, environment: Environment, prefix: str) -> Iterator[tuple[Placed, ConsumerSite]]:
    topic = environment.lookup(f"{prefix}.topic", loosely=True)
    group = environment.lookup(f"{prefix}.group", loosely=True)
    if topic is None or group is None or topic.at.origin not in world.files:
        return
    at = topic.at.span
    settings = [Setting(Attribute.GROUP, configured(group, at), at)]
    for attribute, key in (
        (Attribute.MESSAGE_MODEL, f"{prefix}.message-model"),
        (Attribute.NAMESPACE, f"{prefix}.namespace"),
        (Attribute.NAMESPACE_V2, f"{prefix}.namespace-v2"),
        (Attribute.INSTANCE_NAME, f"{prefix}.instance-name"),
        (Attribute.NAME_SERVER, "rocketmq.name-server"),
    ):
        settings += setting(environment, attribute, key, at)
    subscription = SubscriptionSite(
        at,
        configured(topic, at),
        _optional(environment, f"{prefix}.selector-expression", at),
        _optional(environment, f"{prefix}.selector-type", at),
    )
    yield (
        world.files[topic.at.origin],
        ConsumerSite("spring-lite-pull", at, prefix, "", tuple(settings), (subscription,)),
    )


def _simple(world: World, environment: Environment) -> Iterator[tuple[Placed, ConsumerSite]]:
    """The v5 starter's simple consumer; it has no default tag."""
    prefix = "rocketmq.simple-consumer"
    topic = environment.lookup(f"{prefix}.topic", loosely=True)
    group = environment.lookup(f"{prefix}.consumer-group", loosely=True)
    endpoints = environment.lookup(f"{prefix}.endpoints", loosely=True)
    if topic is None or group is None or endpoints is None or topic.at.origin not in world.files:
        return
    at = topic.at.span
    settings = [
        Setting(Attribute.GROUP, configured(group, at), at),
        Setting(Attribute.NAME_SERVER, configured(endpoints, at), at),
        *setting(environment, Attribute.NAMESPACE, f"{prefix}.namespace", at),
    ]
    tag = _optional(environment, f"{prefix}.tag", at) or Config(f"{prefix}.tag", at)
    kind = _optional(environment, f"{prefix}.filter-expression-type", at)
    subscription = SubscriptionSite(at, configured(topic, at), tag, kind)
    yield (
        world.files[topic.at.origin],
        ConsumerSite("spring-ext-v5", at, prefix, "", tuple(settings), (subscription,)),
    )


def configured(entry: Entry, at: Span) -> Expr:
    """The value of the key of an entry, looked up again where it is evaluated, for its trail and placeholders."""
    return Config(entry.key, at)


def setting(environment: Environment, attribute: Attribute, key: str, at: Span) -> Iterator[Setting]:
    """An attribute set by a key, where some file has it."""
    expr = _optional(environment, key, at)
    if expr is not None:
        yield Setting(attribute, expr, at)


def _optional(environment: Environment, key: str, at: Span) -> Expr | None:
    entry = environment.lookup(key, loosely=True)
    return configured(entry, at) if entry is not None and entry.text.strip() else None
