"""Spring Cloud Stream: the output bindings by which an application sends, and the topics they have.

A binding's topic is its `destination`, else its own name; a list of several is one name. Mirrors StreamBridge and
BindingService of spring-cloud-stream 3.2 to 4.1, as runs of 4.1 were seen to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from subdrift.linter.model.consumer import Value
from subdrift.linter.model.expr import Expr, Literal, Unknown, Why
from subdrift.linter.model.facts import Attribute, Condition, ConsumerSite, Setting, SubscriptionSite
from subdrift.linter.model.location import Span
from subdrift.linter.model.message import phrase
from subdrift.linter.model.placed import Placed
from subdrift.linter.resolve.environment import Entry
from subdrift.linter.resolve.starters import configured, setting
from subdrift.linter.resolve.stream.inputs import INPUTS_MAX, Reader
from subdrift.linter.resolve.stream.keys import STREAM

_INTEGRATION = "org.springframework.integration.annotation."
_SEND_TO = "org.springframework.messaging.handler.annotation.SendTo"


class Outputs(Reader):
    """Reads the output bindings of one deployable in one environment."""

    def topic(self, binding: str) -> Value | None:
        """The topic of a binding; None where it is none of RocketMQ's."""
        if not self.is_of_rocketmq(binding):
            return None
        entry = self._destination(binding)
        if entry is not None:
            return self._evaluated(entry)
        if self.environment.configuration.centre:
            return Value(None, Why.EXTERNAL_CONFIG, f"{STREAM}.bindings.{binding}.destination")
        if self.registrations is None and not self._keyed(binding):  # a library: applications configure it
            return Value(None, Why.UNDEFINED, f"{STREAM}.bindings.{binding}.destination")
        return Value(binding)

    def settings(self, binding: str) -> dict[Attribute, Value]:
        """Name server and namespace of what sends by a binding."""
        found: dict[Attribute, Value] = {}
        for attribute, keys in self._keys(binding):
            entry = self._first(*keys)
            if entry is not None:
                found[attribute] = self._evaluated(entry)
        return found

    def is_of_rocketmq(self, binding: str) -> bool:
        return self.concerned and self._is_rocketmq(binding)

    def sites(self) -> Iterator[tuple[Placed, ConsumerSite]]:
        """What is sent by declarations alone: by functions and suppliers, and by methods whose result goes to a channel."""
        if not self.concerned:
            return
        for binding, placed, at, opened in (*self._of_functions(), *self._of_methods()):
            if self.is_of_rocketmq(binding):
                yield placed, self._site(binding, placed, at, opened)

    # -- keys -------------------------------------------------------------------------------------------------

    def _destination(self, binding: str) -> Entry | None:
        return self._first(f"{STREAM}.bindings.{binding}.destination", f"{STREAM}.default.destination")

    def _keys(self, binding: str) -> Iterator[tuple[Attribute, tuple[str, ...]]]:
        prefixes = tuple(self._prefixes(binding))
        namespaces = tuple(f"{one}.bindings.{binding}.producer.namespace" for one in prefixes)
        yield Attribute.NAMESPACE, (*namespaces, *(f"{one}.binder.namespace" for one in prefixes))
        yield Attribute.NAME_SERVER, tuple(f"{one}.binder.name-server" for one in prefixes)

    def _site(self, binding: str, placed: Placed, at: Span, opened: tuple[Condition, ...]) -> ConsumerSite:
        entry = self._destination(binding)
        topic: Expr = Literal(binding, at)
        if entry is not None:
            topic = configured(entry, at)
        elif self.environment.configuration.centre:
            topic = Unknown(Why.EXTERNAL_CONFIG, f"{STREAM}.bindings.{binding}.destination", at)
        settings: list[Setting] = []
        for attribute, keys in self._keys(binding):
            first = self._first(*keys)
            if first is not None:
                settings += setting(self.environment, attribute, first.key, at)
        tag = Unknown(Why.DYNAMIC, phrase("message-of-a-function"), at)
        sent = SubscriptionSite(at, topic, tag, None)
        return ConsumerSite("stream-output", at, binding, "", tuple(settings), (sent,), opened)

    # -- declarations -----------------------------------------------------------------------------------------

    def _of_functions(self) -> Iterator[tuple[str, Placed, Span, tuple[Condition, ...]]]:
        """The outputs of function beans; an application of the annotation model binds none."""
        if self.registrations is not None and self._channels({}) is not None:
            return
        beans = self._beans()
        definition = self._text("spring.cloud.function.definition")
        if not self.is_late:
            definition = self._text(f"{STREAM}.function.definition") or definition
        items = [item.strip() for item in definition.split(";") if item.strip()]
        alone = len(beans) == 1
        for item in items or sorted(beans):
            composed = [part.strip() for part in re.split(r"[|,]", item) if part.strip()]
            last = beans.get(composed[-1]) if composed else None
            if last is None or last[0] == "consumer" or not beans.keys() >= set(composed):
                continue
            _, placed, at = last
            opened = tuple(one for part in composed for one in self._open.get(part, ()))
            for index in range(INPUTS_MAX):
                implicit = f"{''.join(composed)}-out-{index}"
                name = self._text(f"{STREAM}.function.bindings.{implicit}") or implicit
                keyed = self._keyed(name)
                if not (items or alone) and (self.registrations is not None or not keyed):
                    break  # of several functions none is picked without a definition
                if index and not keyed:
                    break
                if items or keyed or self._alone():
                    yield name, placed, at, opened

    def _of_methods(self) -> Iterator[tuple[str, Placed, Span, tuple[Condition, ...]]]:
        """The channels that annotations of methods name for their results."""
        for placed in self.files:
            for type_ in placed.facts.types:
                for method in type_.methods:
                    for use in method.annotations:
                        expr = None
                        if _SEND_TO in use.candidates and any(
                            each.candidates and each.candidates[0].endswith(".StreamListener")
                            for each in method.annotations
                        ):
                            expr = use.argument("value")
                        elif use.candidates and use.candidates[0].startswith(_INTEGRATION):
                            source = use.candidates[0].endswith(".InboundChannelAdapter")
                            expr = use.argument("outputChannel") or (
                                use.argument("value") if source else None
                            )
                        name = self._annotated(expr, placed, type_.name, otherwise="output")
                        if name and (_SEND_TO in use.candidates or self._keyed(name)):
                            yield name, placed, use.at, ()
