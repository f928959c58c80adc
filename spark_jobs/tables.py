"""Results as tables: consumers, verdicts, findings and diagnostics in, typed rows out. docs/spark.md has the columns.

The rows are those of the public JSON outputs (`list`, `check`), so one description serves both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Diagnostic, Verdict, by_cause
from subdrift.linter.model.location import Location
from subdrift.linter.model.prediction import Prediction
from subdrift.linter.model.topics import Topic
from subdrift.linter.report import json as report
from subdrift.linter.report import listing, verdicts
from subdrift.linter.report import sends as report_of_sends
from subdrift.linter.report import topics as report_of_topics
from subdrift.linter.report.content import Content
from subdrift.linter.report.json import place
from subdrift.linter.report.language import english
from subdrift.spark_jobs.rows import Row

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

SCHEMA_VERSION = 2
"""2: `consumer_group` in place of the reserved word `group`."""
ROWS_PER_FILE = 1_000_000

NAMES = (
    *("subscriptions", "groups", "findings", "diagnostics", "repositories", "blind_spots", "sends", "topics"),
    "runs",
)

Record = dict[str, Any]

_TEXTS = "array<string>"
_PLACE = "repo string, path string, line int, column int, end_line int, end_column int"

SUBSCRIPTIONS = (
    f"schema_version int, {_PLACE}, api string, client string, client_version string, deployable string, "
    "consumer string, choice string, consumer_group string, topic string, filter_type string, expression string, "
    f"message_model string, consume_mode string, namespace string, environments {_TEXTS}, scope string, "
    "conditions array<struct<kind:string,text:string,repo:string,path:string,line:int>>, "
    "disabled boolean, symbol string, "
    f"cluster string, confidence string, unresolved map<string,string>, defaults {_TEXTS}, "
    "trail array<struct<field:string,repo:string,path:string,line:int,what:string>>"
)
GROUPS = (
    "schema_version int, cluster string, namespace string, consumer_group string, consumers int, errors int, "
    "warnings int, notes int, console string, worst string"
)
FINDINGS = (
    "schema_version int, rule string, level string, scope string, consumer_group string, namespace string, "
    f"topic string, message string, help string, confidence string, environments {_TEXTS}, evidence string, "
    f"conditional string, identity string, state string, `values` {_TEXTS}, "
    "places array<struct<repo:string,path:string,line:int,column:int,end_line:int,end_column:int,"
    "label:string,role:string,scope:string>>, more_places int, suppressed string, suppressed_on string, "
    "prediction string, console string, messages string, sentence string, lost double, stuck double, finding string"
)
DIAGNOSTICS = (
    f"schema_version int, name string, level string, message string, help string, {_PLACE}, "
    "suppressed string, cause string"
)
REPOSITORIES = (
    f"schema_version int, repo string, commit string, committed timestamp, url string, owners {_TEXTS}, "
    "files int, consumers int, blind_spots int, findings int"
)
BLIND_SPOTS = (
    f"schema_version int, {_PLACE}, field string, reason string, detail string, consumer_group string, "
    "consumer string, deployable string"
)
SENDS = (
    f"schema_version int, {_PLACE}, api string, client string, client_version string, deployable string, send string, "
    "topic string, tag string, namespace string, producer_group string, "
    f"properties array<struct<name:string,sure:boolean>>, delay string, environments {_TEXTS}, scope string, "
    "conditions array<struct<kind:string,text:string,repo:string,path:string,line:int>>, "
    "disabled boolean, symbol string, cluster string, confidence string, unresolved map<string,string>, "
    "reasons map<string,string>, trail array<struct<field:string,repo:string,path:string,line:int,what:string>>"
)
_SIDE = (
    "repo:string,path:string,line:int,column:int,end_line:int,end_column:int,deployable:string,symbol:string,api:string,"
    f"topic:string,environments:{_TEXTS},scope:string,owners:{_TEXTS},unresolved:map<string,string>"
)
TOPICS = (
    f"schema_version int, namespace string, cluster string, topic string, "
    f"tags array<struct<tag:string,groups:{_TEXTS}>>, senders array<struct<{_SIDE},tag:string>>, "
    f"readers array<struct<{_SIDE},group:string,filter_type:string,expression:string>>, "
    f"tags_nobody_reads {_TEXTS}, tags_nobody_sends {_TEXTS}, nobody_sends boolean, nobody_reads boolean"
)
RUNS = (
    "schema_version int, started timestamp, finished timestamp, version string, repositories int, unreachable int, "
    "files int, parsed int, consumers int, groups int, blind_spots int, errors int, warnings int, notes int, "
    "suppressed int, diagnostics int"
)


def subscriptions(rows: Iterable[Row]) -> Iterator[Record]:
    """In: (text of a consumer)."""
    for (text,) in rows:
        for row in listing.rows([wire.loads(Consumer, text)]):
            named = {"schema_version": SCHEMA_VERSION, "consumer_group": row.pop("group")}
            yield {**row, **named, "unresolved": list(row["unresolved"].items())}


def blind_spot(
    at: Location, field: str, why: str, detail: str, group: str | None, consumer: str, deployable: str
) -> Record:
    """A value that is not known, with the first consumer that has it."""
    return {
        "schema_version": SCHEMA_VERSION,
        **place(at),
        "field": field,
        "reason": why,
        "detail": english().detail(detail),
        "consumer_group": group,
        "consumer": consumer,
        "deployable": deployable,
    }


def unread(diagnostics: Iterable[Diagnostic]) -> Iterator[Record]:
    """What was not read or not understood, as rows of the same table: no field, and no consumer."""
    for one in diagnostics:
        yield {
            "schema_version": SCHEMA_VERSION,
            **place(one.at),
            "field": None,
            "reason": one.name,
            "detail": english().text(one.message),
            "consumer_group": None,
            "consumer": None,
            "deployable": None,
        }


def group(verdict: Verdict) -> Record:
    """What became of a group."""
    levels = [parts[0].level.text for parts in by_cause(verdict.findings)]
    prediction = verdict.prediction
    return {
        "schema_version": SCHEMA_VERSION,
        "cluster": verdict.cluster,
        "namespace": verdict.namespace,
        "consumer_group": verdict.group,
        "consumers": verdict.consumers,
        "errors": levels.count("error"),
        "warnings": levels.count("warning"),
        "notes": levels.count("note"),
        "console": None if prediction is None else prediction.console.value,
        "worst": None if prediction is None else verdicts.messages_word(prediction, None),
    }


def findings(content: Content) -> Iterator[Record]:
    """The parts of the findings of a run, suppressed ones too: a row for each rule and topic."""
    whole = replace(content, diagnostics=(), show_suppressed=True)
    for told in whole.entries:
        found = report.finding_object(told, whole)
        found["finding"] = told.lead_identity or told.identity
        found["consumer_group"] = found.pop("group")
        verdict = found.pop("verdict") or {"console": None, "messages": None, "sentence": None}
        prediction = found.pop("prediction")
        kept = None if prediction is None else json.dumps(prediction, ensure_ascii=True)
        shares: dict[str, float | None] = dict.fromkeys(("lost", "stuck"))
        if told.prediction is not None:
            shares = {name: 0.0 if told.own is None else most(told.own, told.topic, name) for name in shares}
        yield {"schema_version": SCHEMA_VERSION, **found, **verdict, **shares, "prediction": kept}


def most(prediction: Prediction, topic: str | None, name: str) -> float:
    """The largest share of a kind of messages that can be lost (or stuck), over all winners: from 0 to 1."""
    return max(
        (
            float(getattr(one, name).high)
            for each in prediction.topics
            if topic in (None, each.topic)
            for outcome in each.outcomes
            for one in outcome.classes
        ),
        default=0.0,
    )


def diagnostics(found: Iterable[Diagnostic]) -> Iterator[Record]:
    """The diagnostics of a run, suppressed ones too."""
    whole = Content("", (), tuple(found), (), 0, "", show_suppressed=True)
    for one in report.document(whole)["diagnostics"]:
        yield {"schema_version": SCHEMA_VERSION, **one}


def sends(found: Sequence[Consumer]) -> Iterator[Record]:
    """What programs send, as rows of `list --sends`."""
    for row in report_of_sends.rows(report_of_sends.sent(found)):
        named = {name: list(row[name].items()) for name in ("unresolved", "reasons")}
        yield {**row, **named, "schema_version": SCHEMA_VERSION}


def topics(found: Iterable[Topic]) -> Iterator[Record]:
    """Topics with those who send to them and read them, as in the JSON of `topics`."""
    for one in found:
        row = report_of_topics.as_object(one)
        sides = {
            side: [{**each, "unresolved": list(each["unresolved"].items())} for each in row[side]]
            for side in ("senders", "readers")
        }
        yield {"schema_version": SCHEMA_VERSION, **row, **sides}


def batches(records: Iterable[Record], schema: pa.Schema, rows_max: int = 1_000) -> Iterator[pa.RecordBatch]:
    """Records as Arrow batches of a table's schema; text no column can hold is escaped."""
    import pyarrow as pa  # few tasks need it, and each would pay for it

    rows = iter(records)
    while held := list(islice(rows, rows_max)):
        try:
            yield pa.RecordBatch.from_pylist(held, schema=schema)
        except UnicodeEncodeError:
            yield pa.RecordBatch.from_pylist(clean(held), schema=schema)


def clean(value: Any) -> Any:
    """A record with text that any column can hold: lone surrogates as escapes."""
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case list():
            return [clean(one) for one in value]
        case tuple():
            return tuple(clean(one) for one in value)
        case dict():
            return {key: clean(one) for key, one in value.items()}
        case _:
            return value
