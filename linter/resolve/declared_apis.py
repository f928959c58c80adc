"""Listeners of libraries whose source is not here: those that `[[apis]]` declares, and those that it might.

A starter of one's own brings an annotation, or a class to extend, that carries group and topic. With its source in
the run that is found out; without it `[[apis]]` says what holds what, but for a starter that is public and in wide use.
Uses of such a kind that nobody has declared are told, with the lines that would.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from subdrift.linter.clients.apis import JAVA_ANNOTATIONS
from subdrift.linter.model.answers import DeclaredApi
from subdrift.linter.model.expr import Expr, Interpolate, Items, Unknown, Why
from subdrift.linter.model.facts import AnnotationUse, Attribute, ConsumerSite, SubscriptionSite, Type
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Span
from subdrift.linter.model.message import say
from subdrift.linter.model.placed import Placed, scope_of
from subdrift.linter.resolve.definitions import Ambiguous
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.own_annotations import GROUP, TAGS, TOPIC, site_of
from subdrift.linter.resolve.world import World

_LISTENS = re.compile(r"Consumer|Listener|Subscri|Handler|Receiver|Processor")
_OF_THE_CLIENT = (
    "org.apache.rocketmq.", "com.alibaba.rocketmq.", "com.alibaba.cloud.", "com.aliyun.",
    *(f"{name.rpartition('.')[0]}." for row in JAVA_ANNOTATIONS for name in row.types),
)  # fmt: skip

PUBLIC = (
    DeclaredApi(  # rocketmq-spring-boot-starter of maihaoche, 0.1.0
        "com.maihaoche.starter.mq.annotation.MQConsumer", True, "consumerGroup", "topic", "tag",
        message_model="messageMode", consume_mode="consumeMode",
    ),
)  # fmt: skip
"""Annotations of public starters."""

Site = tuple[Placed, ConsumerSite]


def learned_names(apis: Iterable[DeclaredApi]) -> frozenset[str]:
    """The simple names of declared annotations and classes: files that use them hold no token of the client."""
    return frozenset(api.name.rpartition(".")[2] for api in apis)


def sites(
    world: World, deployable: Deployable, files: Sequence[Placed], apis: Sequence[DeclaredApi]
) -> Iterator[Site]:
    """A site for every use of a declared annotation, or of a public starter's, and for every class below a declared one."""
    for placed in files:
        if not placed.facts.on_jvm:
            continue
        for type_ in placed.facts.types:
            for use, symbol in _uses(type_):
                declared = [api for api in apis if api.is_annotation and _means(api, use.candidates)]
                public = [] if declared else [api for api in PUBLIC if _means(api, use.candidates)]
                if public and not _is_unseen(world, deployable, placed, use.candidates):
                    public = []
                for api in (*declared, *public):
                    yield placed, _annotated(api, use, symbol, type_)
            if not apis:
                continue
            chain = _chain(world, deployable, placed, type_)
            for api in apis:
                if api.is_annotation or not _extends(api, chain):
                    continue
                if type_.abstract:
                    world.definitions.extended.add(type_.name.rpartition(".")[2])
                else:
                    yield placed, _below(api, type_, chain)


def unseen(
    world: World, deployable: Deployable, files: Sequence[Placed], apis: Sequence[DeclaredApi]
) -> Iterator[Diagnostic]:
    """What looks like a listener of a library whose source is not here, and that nobody has declared."""
    for placed in files:
        if not placed.facts.on_jvm or scope_of(placed.origin.path) == "test":
            continue
        for type_ in placed.facts.types:
            for use, _ in _uses(type_):
                names = [name for name, _ in use.args]
                declared = any(api.is_annotation and _means(api, use.candidates) for api in apis)
                foreign = not declared and _is_foreign(world, deployable, placed, use.candidates)
                if foreign and _subscribes(use, names):
                    yield _told(placed, use.at, "annotation", use.candidates[0], names)
            if type_.abstract or any(site.type == type_.name for site in placed.facts.sites):
                continue
            for candidates in type_.supers:
                declared = any(not api.is_annotation and _means(api, candidates) for api in apis)
                listens = _LISTENS.search(candidates[0].rpartition(".")[2]) is not None
                if listens and not declared and _is_foreign(world, deployable, placed, candidates):
                    names = [method.name for method in type_.methods if method.returns is not None]
                    yield _told(placed, type_.at, "class", candidates[0], names)


def _uses(type_: Type) -> Iterator[tuple[AnnotationUse, str]]:
    yield from ((use, type_.name) for use in type_.annotations)
    yield from ((use, f"{type_.name}#{m.name}") for m in type_.methods for use in m.annotations)


def _means(api: DeclaredApi, candidates: Sequence[str]) -> bool:
    if "." in api.name:
        return api.name in candidates
    return any(candidate.rpartition(".")[2] == api.name for candidate in candidates)


# -- declared ---------------------------------------------------------------------------------------------------


def _annotated(api: DeclaredApi, use: AnnotationUse, symbol: str, type_: Type) -> ConsumerSite:
    simple = api.name.rpartition(".")[2]

    def value(name: str) -> Expr | None:
        written = use.argument(name) if name else None
        return None if written is None else Interpolate(written, written.at)

    def needed(name: str) -> Expr:
        return value(name) or Unknown(Why.UNDEFINED, f"{simple}.{name}", use.at)

    return _site(api, use.at, symbol, type_.name, value, needed)


def _below(api: DeclaredApi, type_: Type, chain: Sequence[Type]) -> ConsumerSite:
    def value(name: str) -> Expr | None:
        if name.isdecimal():
            return _argument(chain, int(name))
        if not name:
            return None
        found = (m.returns for one in chain for m in one.methods if m.name == name and not m.abstract)
        return next(found, None)

    def needed(name: str) -> Expr:
        what = f"argument {name}" if name.isdecimal() else f"{name}()"
        return value(name) or Unknown(Why.DYNAMIC, f"{type_.name.rpartition('.')[2]}: {what}", type_.at)

    def optional(name: str) -> Expr | None:
        return (
            needed(name)
            if name and any(m.name == name for one in chain for m in one.methods)
            else value(name)
        )

    return _site(api, type_.at, type_.name, type_.name, optional, needed)


def _argument(chain: Sequence[Type], number: int) -> Expr | None:
    """What the constructor of a class hands to that of its superclass; none where constructors differ in it."""
    for one in chain:
        given = [m.returns for m in one.methods if m.name == "<init>"]
        if given:
            items = given[0].items if len(given) == 1 and isinstance(given[0], Items) else ()
            return items[number - 1] if number <= len(items) else None
    return None


def _site(api: DeclaredApi, at: Span, symbol: str, type_: str, value, needed) -> ConsumerSite:  # type: ignore[no-untyped-def]
    given = {
        Attribute.GROUP: needed(api.group),
        Attribute.MESSAGE_MODEL: value(api.message_model),
        Attribute.CONSUME_MODE: value(api.consume_mode),
        Attribute.NAMESPACE: value(api.namespace),
    }
    subscription = SubscriptionSite(at, needed(api.topic), value(api.expression), value(api.filter_type))
    return site_of(at, symbol, type_, given, subscription)


def _chain(world: World, deployable: Deployable, placed: Placed, type_: Type) -> list[Type]:
    """A type and the supertypes that were read, nearest first."""
    own = world.definitions.own(placed.origin, type_.name)
    return [type_] if own is None else [each.type for each in world.definitions.supers(own, deployable)]


def _extends(api: DeclaredApi, chain: Sequence[Type]) -> bool:
    return any(_means(api, candidates) for one in chain for candidates in one.supers)


# -- not declared -----------------------------------------------------------------------------------------------


def _is_foreign(world: World, deployable: Deployable, placed: Placed, candidates: Sequence[str]) -> bool:
    """Whether a name is that of a RocketMQ library which is neither the client's own nor has its source here."""
    if len(candidates) != 1 or "rocketmq" not in candidates[0].lower():
        return False
    if candidates[0].startswith(_OF_THE_CLIENT):
        return False
    return _is_unseen(world, deployable, placed, candidates)


def _is_unseen(world: World, deployable: Deployable, placed: Placed, candidates: Sequence[str]) -> bool:
    """Whether no source here declares a name."""
    try:
        return world.definitions.first(candidates, placed, deployable) is None
    except Ambiguous:
        return False


def _subscribes(use: AnnotationUse, names: Sequence[str]) -> bool:
    simple = use.candidates[0].rpartition(".")[2]
    return any(re.fullmatch(TOPIC, name) for name in names) and (
        any(re.fullmatch(GROUP, name) for name in names) or _LISTENS.search(simple) is not None
    )


def _told(placed: Placed, at: Span, kind: str, name: str, names: Sequence[str]) -> Diagnostic:
    def holder(pattern: str) -> str:
        plain = {one: re.sub(r"^get(?=[A-Z])", "", one) for one in names}
        return next((one for one, short in plain.items() if re.fullmatch(pattern, short)), "…")

    said = ((kind, name), ("group", holder(GROUP)), ("topic", holder(TOPIC)), ("expression", holder(TAGS)))
    return Diagnostic(
        "unrecognised-use",
        say("kind-not-seen", kind=say(f"kind-not-seen.{kind}"), name=name),
        placed.at(at),
        say("declare-api", declaration="\n".join(("[[apis]]", *(f'{key} = "{text}"' for key, text in said)))),
    )
