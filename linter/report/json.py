"""Findings as JSON of a committed shape (`schemas/check.schema.json`); only ever added to within one version."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from subdrift.linter.model.finding import SentTag
from subdrift.linter.model.location import Location
from subdrift.linter.model.message import Message
from subdrift.linter.report import verdicts
from subdrift.linter.report.content import Content
from subdrift.linter.report.organisation import as_object, instant
from subdrift.linter.report.sides import cost_of
from subdrift.linter.report.told import Told, ToldDiagnostic, ToldPlace

SCHEMA_VERSION: Final = 1

_COMMAND: Final = re.compile(r"##(?=\w{0,32}\[)")


def render(content: Content) -> str:
    """One JSON object with a line end."""
    return compose(document(content), indent=2) + "\n"


def compose(value: Any, indent: int | None = None) -> str:
    """JSON in ASCII: the same bytes in every locale, and nothing in it steers a terminal or a CI."""
    separators = (",", ": ") if indent else (",", ":")
    text = json.dumps(value, ensure_ascii=True, indent=indent, separators=separators)
    # `##[` and `##vso[` are commands wherever they stand in a line; neither sign can follow a lone backslash
    return _COMMAND.sub(r"\\u0023\\u0023", text.replace("\x7f", "\\u007f"))


def document(content: Content) -> dict[str, Any]:
    """The object itself, for tests and for reports that embed it."""
    counts = content.tally
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "subdrift", "version": content.version},
        "summary": {
            "files": content.files,
            "consumers": content.members,
            "groups": content.groups,
            "blind_spots": content.blind_spots().total(),
            "errors": counts.errors,
            "warnings": counts.warnings,
            "notes": counts.notes,
            "diagnostics": counts.diagnostics,
            "suppressed": counts.suppressed,
            "skipped_files": content.skipped_files,
            "unreachable": content.unreachable,
            **_registry(content),
        },
        "findings": [
            finding_object(one, content) | {"parts": [finding_object(part, content) for part in one.parts]}
            for one in content.shown
        ],
        "diagnostics": [_diagnostic(one) for one in content.every_diagnostic],
    }


def place(at: Location) -> dict[str, Any]:
    """A location as every JSON output spells it: lines and columns from 1 in code points, ends exclusive."""
    return {
        "repo": at.origin.repo,
        "path": at.origin.path,
        "line": at.span.line,
        "column": at.span.column,
        "end_line": at.span.end_line,
        "end_column": at.span.end_column,
    }


def finding_object(finding: Told, content: Content) -> dict[str, Any]:
    """A finding without the parts of its cause."""
    prediction = finding.prediction
    names = {} if prediction is None else content.names(prediction)
    return {
        "rule": finding.rule,
        "level": finding.level.text,
        "scope": finding.scope.value,
        "group": finding.group,
        "namespace": finding.namespace,
        "topic": finding.topic,
        "message": finding.message,
        "code": message(finding.said),
        "cost": cost_of(finding, content),
        "help": finding.help,
        "steps": list(finding.steps),
        "confidence": finding.confidence.text,
        "environments": list(finding.environments),
        "evidence": finding.evidence,
        "conditional": finding.conditional,
        "identity": finding.identity,
        "cause": finding.cause,
        "state": finding.state,
        "values": list(finding.values),
        "places": [_place(one, index, content) for index, one in enumerate(finding.places)],
        "more_places": finding.more_places,
        "counts": list(finding.counts),
        "suppressed": finding.suppressed,
        "suppressed_on": finding.suppressed_on,
        "senders": [sent_object(one) for one in finding.senders],
        "prediction": None
        if prediction is None
        else verdicts.prediction_object(prediction, finding.topic, names, content.language),
        "verdict": None
        if prediction is None
        else {
            "console": prediction.console.value,
            "messages": verdicts.messages_word(finding.own, finding.topic),
            "sentence": cost_of(finding, content),
        },
    }


def sent_object(one: SentTag) -> dict[str, Any]:
    """Who sends a tag."""
    return {
        "topic": one.topic,
        "tag": one.tag,
        "senders": [{"application": name, **place(at)} for name, at in one.places],
        "may_be": one.may_be,
        "complete": one.complete,
    }


def _registry(content: Content) -> dict[str, Any]:
    known = content.organisation
    if known is None:
        return {}
    about: dict[str, Any] = {"repositories": known.repositories, "taken": instant(known.taken)}
    if known.readers is not None:
        about["readers"] = dict(zip(("groups", "repositories"), known.readers, strict=True))
    return {"registry": about}


def _place(one: ToldPlace, index: int, content: Content) -> dict[str, Any]:
    role = "related" if index else "primary"
    foreign = as_object(one.at.origin, content)
    return {
        **place(one.at),
        "label": one.label,
        "role": role,
        "scope": one.scope,
        "side": one.side,
        "value_at": place(one.shown),
        **({"foreign": foreign} if foreign is not None else {}),
    }


def message(said: Message) -> dict[str, Any]:
    """A message as code and parameters, for programs that word it themselves."""
    rows = {name: [message(one) for one in row] for name, row in said.rows}
    return {"code": said.code, "parameters": dict(said.values) | rows}


def _diagnostic(one: ToldDiagnostic) -> dict[str, Any]:
    return {
        "name": one.name,
        "level": "warning",
        "message": one.message,
        "code": message(one.said),
        "help": one.help,
        "cause": one.cause_id,
        "needed": one.needed,
        **place(one.at),
        "suppressed": one.suppressed,
    }
