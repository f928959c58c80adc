"""SARIF 2.1.0 as GitHub's code scanning reads it.

A rule is a result, so that suppressions and alerts go by it; results of one finding have one `properties.finding`, and
those after the first point at it.

The first location is the side in this repository. Sides in other repositories are told in the message and in
`properties`, never as a location: their paths mean nothing below this source root. In a run over several repositories
every path is led by its repository's name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

from subdrift.linter.model.consumer import Confidence
from subdrift.linter.model.finding import DIAGNOSTICS, Severity
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.report import verdicts
from subdrift.linter.report.content import About, Content, Texts, Trails
from subdrift.linter.report.fingerprint import line_hashes
from subdrift.linter.report.json import compose
from subdrift.linter.report.organisation import as_object, beside
from subdrift.linter.report.sides import cost_of, is_here, notes, smallest
from subdrift.linter.report.told import Told, ToldDiagnostic, ToldPlace

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
TEXT_MAX: Final = 1024
"""Characters code scanning takes of a rule's descriptions."""
STEPS_MAX: Final = 50

_PROBLEM: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
_PRECISION: Final = {Confidence.HIGH: "high", Confidence.MEDIUM: "medium", Confidence.LOW: "low"}


def render(content: Content, texts: Texts) -> str:
    """One SARIF log with one run, and a line end."""
    return compose(document(content, texts), indent=2) + "\n"


def document(content: Content, texts: Texts) -> dict[str, Any]:
    leads = {part.identity: lead for lead in content.shown for part in lead.parts}
    told = {*(one.rule for one in content.entries), *(one.name for one in content.shown_diagnostics)}
    rules = [one for one in content.catalogue if one.name in told and one.name not in DIAGNOSTICS]
    noticed = [name for name in DIAGNOSTICS if name in told]
    index = {about.name: position for position, about in enumerate(rules)}
    trails = content.trails()
    hashes: dict[Origin, dict[int, str]] = {}
    met: Counter[tuple[str, Origin, str]] = Counter()
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "subdrift",
                "semanticVersion": content.version,
                **({"informationUri": f"{content.project}/README.md"} if content.project else {}),
                "rules": [_rule(about, content) for about in rules],
                "notifications": [_notified(name, content) for name in noticed],
            }
        },
        "automationDetails": {"id": f"subdrift/{content.home}/" if content.home else "subdrift/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "the root of the repository"}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    _notification(one, content, noticed) for one in content.shown_diagnostics
                ],
            }
        ],
        "results": [
            _result(one, leads.get(one.identity), content, texts, index, trails, hashes, met)
            for one in content.entries
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(about: About, content: Content) -> dict[str, Any]:
    text = about.markdown or about.summary
    return {
        "id": about.name,
        "name": "".join(part.capitalize() for part in about.name.split("-")),
        "shortDescription": {"text": _cut(about.summary)},
        "fullDescription": {"text": _cut(_first_paragraph(text) or about.summary)},
        "help": {"text": text, "markdown": text},
        **_help_uri(about.name, content),
        "defaultConfiguration": {"level": about.level.text},
        "properties": {
            "tags": ["correctness", "rocketmq"],
            "precision": "high",
            "problem.severity": _PROBLEM[about.level],
        },
    }


def _notified(name: str, content: Content) -> dict[str, Any]:
    text = content.language.word(f"diagnostic.{name}")
    about = next((one.markdown for one in content.catalogue if one.name == name), "") or text
    return {
        "id": name,
        "shortDescription": {"text": text},
        "fullDescription": {"text": _cut(_first_paragraph(about) or text)},
        "help": {"text": about, "markdown": about},
        **_help_uri(name, content),
    }


def _help_uri(name: str, content: Content) -> dict[str, str]:
    page = content.page_about(name)
    return {"helpUri": page} if page else {}


def _result(
    finding: Told,
    lead: Told | None,
    content: Content,
    texts: Texts,
    index: dict[str, int],
    trails: Trails,
    hashes: dict[Origin, dict[int, str]],
    met: Counter[tuple[str, Origin, str]],
) -> dict[str, Any]:
    here = [place for place in finding.places if is_here(place.at, content)]
    away = [place for place in finding.places if not is_here(place.at, content)]
    primary = here[0] if here else finding.places[0]
    related = [place for place in here if place is not primary]
    lead_here = lead if lead is not None and is_here(lead.places[0].at, content) else None
    fingerprints = {"subdrift/v1": finding.identity}
    pointed = smallest(primary, content)
    rolling = _line_hash(pointed, texts, hashes) if here else None
    if rolling is not None:
        # code scanning reads this one only: two findings of one rule on one line must not become one alert
        met[finding.rule, pointed.origin, rolling] += 1
        times = met[finding.rule, pointed.origin, rolling]
        fingerprints["primaryLocationLineHash"] = rolling if times == 1 else f"{rolling}-{times}"
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": finding.level.text,
        "message": {"text": _message(finding, lead_here, related, away, content)},
        "locations": [_location(pointed, content, primary.label)] if here else [],
        "partialFingerprints": fingerprints,
        "properties": _properties(finding, away, content),
    }
    if finding.rule in index:
        result["ruleIndex"] = index[finding.rule]
    beside = [
        {"id": number, **_location(smallest(place, content), content, place.label)}
        for number, place in enumerate(related, 1)
    ]
    if lead_here is not None:
        at = smallest(lead_here.places[0], content)
        beside.append({"id": len(beside) + 1, **_location(at, content, lead_here.message)})
    if beside:
        result["relatedLocations"] = beside
    flows = [flow for place in here for flow in _flows(place, finding, content, trails)]
    if flows:
        result["codeFlows"] = flows
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.suppressed}]
    return result


def _message(
    finding: Told, lead: Told | None, related: list[ToldPlace], away: list[ToldPlace], content: Content
) -> str:
    """One complete sentence first; then links to the other sides, what becomes of the messages, and the finding that it is
    a part of."""
    word = content.language.word
    parts = [_plain(finding.message)]
    for number, place in enumerate(related, 1):
        parts.append(word("sarif.compare", link=f"[{_bracket(place.label)}]({number})"))
    for place in away:
        at = place.at
        parts.append(
            word(
                "sarif.away",
                label=_plain(place.label),
                repo=_plain(at.origin.repo),
                path=_plain(at.origin.path),
                line=at.span.line,
                beside=_plain(beside(at.origin, content)),
            )
        )
    if finding.more_places:
        parts.append(word("sarif.more", count=finding.more_places))
    parts += [_plain(text) for text in (cost_of(finding, content), *notes(finding)) if text]
    if lead is not None:
        parts.append(word("part-of", rule=f"[{lead.rule}]({len(related) + 1})"))
    elif finding.lead:
        parts.append(word("part-of", rule=finding.lead))
    return content.language.sentences(parts)


def _properties(finding: Told, away: list[ToldPlace], content: Content) -> dict[str, Any]:
    prediction = finding.prediction
    return {
        "group": finding.group,
        "namespace": finding.namespace,
        "topic": finding.topic,
        "environments": list(finding.environments),
        "confidence": _PRECISION[finding.confidence],
        "state": finding.state,
        "finding": finding.lead_identity or finding.identity,
        "otherRepositories": [
            {
                "repository": place.at.origin.repo,
                "path": place.at.origin.path,
                "line": place.at.span.line,
                "column": place.at.span.column,
                "label": place.label,
                **(as_object(place.at.origin, content) or {}),
            }
            for place in away
        ],
        "verdict": None
        if prediction is None
        else {
            "console": prediction.console.value,
            "messages": verdicts.messages_word(finding.own, finding.topic),
        },
    }


def _flows(place: ToldPlace, finding: Told, content: Content, trails: Trails) -> list[dict[str, Any]]:
    """How a value that does not stand at its place got there: from its text to the subscription."""
    flows = []
    for origins in trails.get(place.at, ()):
        trail = origins.trail
        if not origins.concerns(finding.environments):
            continue
        told = content.language.detail
        steps = [(step.at, told(step.what)) for step in reversed(trail) if is_here(step.at, content)]
        steps = steps[-STEPS_MAX:]
        if len(steps) < len(trail) or not steps:
            continue
        steps.append((place.at, place.label))
        field = content.language.word(f"field.{origins.field}")
        locations = [{"location": _location(at, content, what)} for at, what in steps]
        flows.append(
            {
                "message": {"text": content.language.word("where-from", field=field)},
                "threadFlows": [{"locations": locations}],
            }
        )
    return flows


def _notification(one: ToldDiagnostic, content: Content, noticed: Sequence[str]) -> dict[str, Any]:
    text = f"{_plain(one.message)} ({_plain(one.help)})" if one.help else _plain(one.message)
    found: dict[str, Any] = {
        "descriptor": {"id": one.name, "index": noticed.index(one.name)},
        "level": "warning",
        "message": {"text": text},
    }
    if is_here(one.at, content):
        found["locations"] = [_location(one.at, content, "")]
    return found


def _location(at: Location, content: Content, label: str) -> dict[str, Any]:
    path = at.origin.path if content.home else f"{at.origin.repo}/{at.origin.path}"
    location: dict[str, Any] = {
        "physicalLocation": {
            # a name that was percent-encoded for want of valid text keeps its signs, encoded once more
            "artifactLocation": {"uri": quote(path, safe="/"), "uriBaseId": "%SRCROOT%"},
            "region": _region(at.span),
        }
    }
    if label:
        location["message"] = {"text": _plain(label)}
    return location


def _region(span: Span) -> dict[str, int]:
    """What is longer than a line is told by the first: a pull request shows only what lies in the diff as a whole."""
    start = {"startLine": span.line, "startColumn": span.column}
    return (
        start if span.line != span.end_line else start | {"endLine": span.line, "endColumn": span.end_column}
    )


def _line_hash(at: Location, texts: Texts, hashes: dict[Origin, dict[int, str]]) -> str | None:
    if at.origin not in hashes:
        content = texts.read(at.origin)
        hashes[at.origin] = {} if content is None else line_hashes(content)
    return hashes[at.origin].get(at.span.line)


def _plain(text: str) -> str:
    """Text in which nothing reads as a link to a related location."""
    return re.sub(r"[\\\[\]]", lambda found: "\\" + found[0], text)


def _bracket(text: str) -> str:
    return _plain(text.replace("\n", " ")) or "the other side"


def _first_paragraph(markdown: str) -> str:
    for block in markdown.split("\n\n"):
        text = " ".join(block.split())
        if text and not text.startswith(("#", "```", "|")):
            return text
    return ""


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_MAX else text[: TEXT_MAX - 1] + "…"
