"""Findings and diagnostics in the reader's language: what every format prints, with nothing left to translate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.consumer import Confidence
from subdrift.linter.model.counts import Cause, cause_id, cause_of
from subdrift.linter.model.finding import Diagnostic, Finding, Place, Rollout, Scope, SentTag, Severity
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import Message
from subdrift.linter.model.prediction import Impact, Prediction
from subdrift.linter.report.language import Language
from subdrift.linter.report.together import together


class ToldPlace(Struct, frozen=True):
    """A place with its label as text; `shown` is the smallest region that says it."""

    at: Location
    label: str
    scope: str
    shown: Location
    side: int


class Told(Struct, frozen=True):
    """A finding whose sentences are text: `message`, `cost`, `help` (all of `steps`), `evidence`, `conditional`,
    `suppressed_on`.

    `said` is the message as code and parameters, for machines. `own` is the prediction with what is this rule's doing
    alone, None where that is nothing and something else goes wrong. `parts` are the further findings of one cause, of
    which this is the worst: they are counted with it; each names it in `lead` (its rule). The other fields are those of
    `Finding`.
    """

    rule: str
    level: Severity
    scope: Scope
    message: str
    said: Message
    group: str | None
    namespace: str
    cluster: str
    topic: str | None
    places: tuple[ToldPlace, ...]
    values: tuple[str, ...]
    environments: tuple[str, ...]
    confidence: Confidence
    evidence: str
    conditional: str
    help: str
    steps: tuple[str, ...]
    symbol: str
    ordinal: int
    more_places: int
    counts: tuple[int, ...]
    prediction: Prediction | None
    suppressed: str | None
    suppressed_on: str
    cost: str
    identity: str
    state: str
    cause: str = ""
    own: Prediction | None = None
    parts: tuple[Told, ...] = ()
    lead: str = ""
    lead_identity: str = ""
    rollout: Rollout | None = None
    senders: tuple[SentTag, ...] = ()
    sent: tuple[str, ...] = ()
    """The same in sentences."""

    @property
    def all_parts(self) -> tuple[Told, ...]:
        """Itself, then the others of its cause."""
        return (self, *self.parts)

    @property
    def is_aside(self) -> bool:
        """Whether no part of it is about main code."""
        return all(place.scope != "main" for part in self.all_parts for place in part.places)


class ToldDiagnostic(Struct, frozen=True):
    """A diagnostic whose sentences are text. Those of one `cause` are counted once; `cause_id` names it for machines.
    `needed`: something depends on what it tells (`report/needed.py`); others are not counted. `remedy` is `help` before it has
    a language."""

    name: str
    message: str
    at: Location
    help: str
    suppressed: str | None
    said: Message
    cause: Cause
    cause_id: str
    needed: bool = True
    remedy: Message | None = None


def told_cause(findings: Sequence[Finding], language: Language) -> Told:
    """The findings of one cause in that language, as one with parts; the worst comes first."""
    first, *others = (told(one, language) for one in findings)
    parts = (replace(one, lead=first.rule, lead_identity=first.identity) for one in others)
    return replace(first, parts=tuple(parts))


def told(finding: Finding, language: Language) -> Told:
    """One finding in that language, without the others of its cause."""
    steps = tuple(language.text(one) for one in finding.help)
    return Told(
        rule=finding.rule,
        level=finding.level,
        scope=finding.scope,
        message=language.text(finding.message),
        said=finding.message,
        group=finding.group,
        namespace=finding.namespace,
        cluster=finding.cluster,
        topic=finding.topic,
        places=tuple(_place(one, language) for one in finding.places),
        values=finding.values,
        environments=finding.environments,
        confidence=finding.confidence,
        evidence=_evidence(finding, language) if finding.scope is Scope.GROUP else "",
        conditional=language.text(finding.conditional),
        help=" ".join(steps),
        steps=steps,
        symbol=finding.symbol,
        ordinal=finding.ordinal,
        more_places=finding.more_places,
        counts=finding.counts,
        prediction=finding.prediction,
        suppressed=finding.suppressed,
        suppressed_on=language.text(finding.suppressed_on),
        cost=language.text(finding.cost),
        identity=finding.identity,
        state=finding.state,
        cause=finding.cause,
        own=_own(finding),
        rollout=finding.rollout,
        senders=finding.senders,
        sent=tuple(sent_by(finding.senders, finding.places[0].at.origin.repo, language)),
    )


PLACES_OF_SENDERS_MAX: Final = 2
"""Places a sentence about one tag names."""


def sent_by(senders: Iterable[SentTag], home: str, language: Language) -> Iterator[str]:
    """Who sends tags, a sentence each; one for all that nobody is seen to send. Places in the repository `home` go without
    its name."""
    every = tuple(senders)
    for one in every:
        if not one.places:
            continue
        shown = [
            language.word("sent.place", application=application, place=_shown(at, home, application))
            for application, at in one.places[:PLACES_OF_SENDERS_MAX]
        ]
        if len(one.places) > PLACES_OF_SENDERS_MAX:
            shown.append(language.word("more", count=len(one.places) - PLACES_OF_SENDERS_MAX))
        yield language.word("sent.by", tag=one.tag or one.topic, places=language.joined(shown))
    rest = [one for one in every if not one.places]
    if rest:
        may_be = max(one.may_be for one in rest)
        code = "sent.perhaps" if may_be else "sent.nobody" if rest[0].complete else "sent.not-seen"
        yield language.word(code, tags=language.joined(one.tag or one.topic for one in rest), count=may_be)


def _shown(at: Location, *said: str) -> str:
    lead = "" if at.origin.repo in said else f"{at.origin.repo} "
    return f"{lead}{at.origin.path}:{at.span.line}"


def _own(finding: Finding) -> Prediction | None:
    own, every = finding.own, finding.prediction
    if own is None or every is None:
        return None
    harmless = own.impact(finding.topic) <= Impact.CONSOLE_ONLY
    return None if harmless and every.impact(finding.topic) > Impact.CONSOLE_ONLY else own


def told_diagnostic(one: Diagnostic, language: Language, needed: bool = True) -> ToldDiagnostic:
    """The diagnostic in that language."""
    return ToldDiagnostic(
        one.name,
        language.text(one.message),
        one.at,
        language.text(one.help),
        one.suppressed,
        one.message,
        cause_of(one),
        cause_id(one),
        needed,
        one.help,
    )


def told_together(every: Sequence[ToldDiagnostic], language: Language) -> tuple[str, str]:
    """The sentence for diagnostics of one cause, and what to do about them."""
    helps = [one.remedy for one in every if one.remedy is not None]
    return language.text(together(one.said for one in every)), language.text(
        together(helps) if helps else None
    )


def _place(place: Place, language: Language) -> ToldPlace:
    return ToldPlace(
        place.at, language.text(place.label), place.scope, place.value_at or place.at, place.side
    )


def _evidence(finding: Finding, language: Language) -> str:
    """What makes the members comparable: the names they share, and the environments they share them in."""
    parts = [language.word("same-group", group=finding.group or "")]
    if finding.namespace:
        parts.append(language.word("in-namespace", namespace=finding.namespace))
    if finding.cluster:
        parts.append(language.word("on-cluster", cluster=finding.cluster))
    shown = language.comma.join(name or language.word("without-profile") for name in finding.environments)
    text = language.word("evidence", shared="".join(parts), environments=shown)
    if finding.left_out:
        text += language.word("not-compared", places=language.comma.join(finding.left_out))
    return text
