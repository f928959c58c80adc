"""Own annotations: `@interface`s of the tree that carry a group and a topic -> consumer sites at their uses.

About one repository in eight wraps the client in an annotation of its own and reads it by reflection. An
annotation type counts when it has attributes for group and topic, is not named for another broker, and a file that
reads it, in the repository that declares it or in one the deployable is made of, also uses a RocketMQ client, and not
to send alone; its defaults hold where a use leaves an attribute out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from subdrift.linter.model.expr import Expr, Interpolate, Literal, Unknown, Why
from subdrift.linter.model.facts import (
    AnnotationUse,
    Attribute,
    ConsumerSite,
    Setting,
    SubscriptionSite,
    Type,
    TypeKind,
)
from subdrift.linter.model.location import Span
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.definitions import Ambiguous, TypeDef
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.resolve.world import World

GROUP = r"(?i)(?:consumer_?)?group(?:_?(?:id|name))?|consumer_?id|gid|cid"
TOPIC = r"(?i)topics?(?:_?name)?"
TAGS = r"(?i)tags?|selector_?express(?:ion)?|sub_?expression|expression"
_TYPE = r"(?i)selector_?type|filter_?type|expression_?type"
_MODEL = r"(?i)message_?mode(?:l)?"
_MODE = r"(?i)consume(?:r)?_?mode"
_OF_THE_MODEL = r"(?i).*(?:mode(?:l)?|broadcast(?:ing)?|cluster(?:ing)?)"
"""What code may read that sets the message model."""
_OF_ANOTHER_BROKER = r"(?i)kafka|rabbit|amqp|pulsar|active_?mq|artemis|mqtt|jms"

_CLIENT = ("org.apache.rocketmq", "com.alibaba.rocketmq", "com.aliyun.openservices.ons")


def is_subscription_annotation(type_: Type) -> bool:
    """Whether an annotation type has attributes for a group and a topic."""
    if type_.kind is not TypeKind.ANNOTATION:
        return False
    names = [field.name for field in type_.fields]
    return any(re.fullmatch(GROUP, name) for name in names) and any(
        re.fullmatch(TOPIC, name) for name in names
    )


def learned_names(files: Sequence[Placed]) -> frozenset[str]:
    """The simple names of own annotations, whose uses hold no token of the client."""
    return frozenset(
        type_.name.rpartition(".")[2]
        for placed in files
        for type_ in placed.facts.types
        if is_subscription_annotation(type_)
    )


def sites(world: World, deployable: Deployable, files: Sequence[Placed]) -> list[tuple[Placed, ConsumerSite]]:
    """A site for every use of an own annotation in the files of a deployable."""
    found: list[tuple[Placed, ConsumerSite]] = []
    for placed in files:
        if not placed.facts.on_jvm:
            continue
        for type_ in placed.facts.types:
            uses = [(use, type_.name) for use in type_.annotations]
            uses += [(use, f"{type_.name}#{m.name}") for m in type_.methods for use in m.annotations]
            for use, symbol in uses:
                own = _own(world, deployable, placed, use)
                if own is not None:
                    given = use.declared_as([field.name for field in own.type.fields])
                    found.append((placed, _site(own, given, symbol, type_)))
    return found


def _own(world: World, deployable: Deployable, placed: Placed, use: AnnotationUse) -> TypeDef | None:
    try:
        defined = world.definitions.first(use.candidates, placed, deployable)
    except Ambiguous:
        return None
    if defined is None or not is_subscription_annotation(defined.type.type):
        return None
    name = defined.type.name
    if re.search(_OF_ANOTHER_BROKER, name):
        return None
    if any(use.candidates[0].startswith(prefix) for prefix in _CLIENT):
        return None  # the client's own annotation, read by extraction
    near = {key.repo for key in deployable.takes_in} | {defined.type.placed.origin.repo}
    package = defined.type.placed.facts.package
    sights = {name, f"{name.rpartition('.')[0]}.*", f"{package}.*"}
    read = _consumes(placed) or any(
        _consumes(other) and (other.facts.package == package or not sights.isdisjoint(other.facts.imports))
        for other in world.files.values()
        if other.facts.on_jvm and other.origin.repo in near
    )
    return defined.type if read else None


def _consumes(placed: Placed) -> bool:
    """Whether a file uses a client, and not its producers alone."""
    used = [one for one in placed.facts.imports if one.startswith(_CLIENT)]
    return any(".producer." not in one for one in used)


def _site(own: TypeDef, use: AnnotationUse, symbol: str, type_: Type) -> ConsumerSite:
    def value(pattern: str) -> Expr | None:
        for field in own.type.fields:
            if re.fullmatch(pattern, field.name):
                written = use.argument(field.name)
                expr = written if written is not None else field.value
                return Interpolate(expr, expr.at) if expr is not None else None
        return None

    names = [field.name for field in own.type.fields]
    other = [one for one in names if re.fullmatch(_OF_THE_MODEL, one) and not re.fullmatch(_MODE, one)]
    model = value(_MODEL)
    if other and model is None:
        model = Unknown(Why.DYNAMIC, f"@{own.type.name.rpartition('.')[2]}.{other[0]}", use.at)
    given = {
        Attribute.GROUP: value(GROUP),
        Attribute.MESSAGE_MODEL: model,
        Attribute.CONSUME_MODE: value(_MODE),
    }
    subscription = SubscriptionSite(use.at, value(TOPIC) or Literal("", use.at), value(TAGS), value(_TYPE))
    return site_of(use.at, symbol, type_.name, given, subscription)


def site_of(
    at: Span, symbol: str, type_: str, given: Mapping[Attribute, Expr | None], subscription: SubscriptionSite
) -> ConsumerSite:
    """The site of an annotation or class of one's own with what it is given."""
    settings = tuple(Setting(attribute, expr, at) for attribute, expr in given.items() if expr is not None)
    return ConsumerSite("own-annotation", at, symbol, type_, settings, (subscription,))
