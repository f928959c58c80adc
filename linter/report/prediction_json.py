"""The answer of `subdrift predict` as JSON (`schemas/predict.schema.json`); only ever added to within one version.

Shares are exact fractions as text, `1/2`, with a low and a high end; times are milliseconds after the scenario began.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from subdrift.linter.broker.fates import Fate
from subdrift.linter.broker.predict import (
    ClassResult,
    End,
    MessageResult,
    PhaseResult,
    PredictResult,
    TopicResult,
    Winner,
)
from subdrift.linter.broker.scenario import Member
from subdrift.linter.broker.simulation.trace import Kind, TraceEvent
from subdrift.linter.model.prediction import Share, Step
from subdrift.linter.report.json import compose
from subdrift.linter.report.language import language as catalogue
from subdrift.linter.report.steps_text import sentence

SCHEMA_VERSION: Final = 1
RETRY_PULL_MS: Final = 3_000


def render(result: PredictResult, language: str = "en") -> str:
    """One JSON object with a line end."""
    return compose(document(result, language), indent=2) + "\n"


def document(result: PredictResult, language: str = "en") -> dict[str, Any]:
    """The object itself."""
    scenario = result.scenario
    delay = scenario.timing.heartbeat_ms + RETRY_PULL_MS
    return {
        "schema_version": SCHEMA_VERSION,
        "scenario": {
            "id": scenario.id,
            "description": scenario.description,
            "versions": {"broker": str(scenario.broker_version), "client": str(scenario.client_version)},
            "topics": dict(scenario.topics),
            "brokers": list(scenario.brokers),
            "members": [_member(one) for one in scenario.members],
            "id_order": list(scenario.id_order),
            "id_order_given": scenario.id_order_given,
        },
        "basis": result.basis.value,
        "spread": "even",
        "fails_to_start": [
            {"member": one.member, **step}
            for one in result.fails_to_start
            for step in _steps((one.why,), language)
        ],
        "phases": [_phase(one, delay, language) for one in result.phases],
        "table": [_event(one) for one in result.timeline if one.kind is Kind.TABLE],
        "timeline": [_event(one) for one in result.timeline if one.kind is not Kind.TABLE],
    }


def _member(member: Member) -> dict[str, Any]:
    return {
        "name": member.name,
        "client_kind": member.kind.value,
        "message_model": member.model.value,
        "subscriptions": [
            {"topic": one.topic, "type": one.filter_type.value, "expression": one.expression}
            for one in member.subscriptions
        ],
    }


def _phase(phase: PhaseResult, delay_ms: int, language: str) -> dict[str, Any]:
    return {
        "phase": phase.phase,
        "at_ms": phase.at_ms,
        "given": phase.given,
        "situations": [catalogue(language).text(one.cause) for one in phase.situations],
        "topics": [_topic(one, delay_ms) for one in phase.topics],
        "messages": [_message(one, language) for one in phase.messages],
        "classes": [_class(one) for one in phase.classes],
    }


def _topic(topic: TopicResult, delay_ms: int) -> dict[str, Any]:
    return {
        "topic": topic.topic,
        "queues": topic.queues,
        "allocation": {member: list(queues) for member, queues in topic.shares},
        "winners": [_winner(one) for one in topic.winners],
        "likely": topic.likely,
        "flaps": topic.flaps,
        "availability": str(topic.availability.low),
        "availability_max": str(topic.availability.high),
        "delay_ms": delay_ms if topic.flaps else 0,
        "delay_bounded": topic.delay_ms is not None,
    }


def _winner(winner: Winner | None) -> dict[str, Any] | None:
    if winner is None:
        return None
    return {
        "member": None if winner.member == "?" else winner.member,
        "expression": winner.expression,
        "applied": winner.applied,
        "departed": winner.departed,
        "version_ms": None if winner.version_ms is None else list(winner.version_ms),
    }


def _message(message: MessageResult, language: str) -> dict[str, Any]:
    return {
        "id": message.id,
        "topic": message.topic,
        "queue": message.queue,
        "offset": message.offset,
        "tag": message.tag,
        "properties": dict(message.properties),
        "wanted_by": list(message.wanted_by),
        "certain": _certain(message),
        "outcomes": [_end(one, language) for one in message.ends],
    }


def _certain(message: MessageResult) -> str | None:
    """Its one fate; of several, that nobody receives it in any of them, or that it is lost in none."""
    if message.certain is not None:
        return message.certain.value
    if message.is_unreceived:
        return "unreceived" if message.wanted_by else "unwanted"
    return "not-lost" if message.is_not_lost else None


def _end(end: End, language: str) -> dict[str, Any]:
    return {
        "fate": end.fate.value,
        "delivered_to": list(end.receivers),
        "unexpected": list(end.unexpected),
        "winner": _winner(end.winner),
        "may_wait": end.delay_ms != 0,
        "delay_ms": end.delay_ms,
        "situation": catalogue(language).text(end.possibility.cause),
        "steps": list(_steps(end.possibility.ending.why, language)),
    }


def _steps(steps: Iterable[Step], language: str) -> Iterable[dict[str, Any]]:
    for one in steps:
        yield {"code": one.code.value, "values": dict(one.values), "text": sentence(one, language)}


def _class(one: ClassResult) -> dict[str, Any]:
    return {
        "topic": one.topic,
        "label": one.label,
        "wanted_by": list(one.wanted_by),
        "winner": _winner(one.winner),
        "count": one.count,
        "shares": {fate.value: _share(one.share(fate)) for fate in Fate},
        "duplicate": _share(one.duplicate),
        "members": [
            {
                "member": each.member,
                "delivered": _share(each.delivered),
                "unexpected": _share(each.unexpected),
            }
            for each in one.members
        ],
    }


def _share(share: Share) -> dict[str, str]:
    return {"low": str(share.low), "high": str(share.high)}


def _event(event: TraceEvent) -> dict[str, Any]:
    return {
        "at_ms": event.at_ms,
        "kind": event.kind.value,
        "member": event.member or None,
        "broker": event.broker or None,
        "topic": event.topic or None,
        "details": dict(event.details),
    }
