"""A run of before: a JSON report of `check` or `scan`, or a baseline, in; the findings it holds out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.finding import Scope, Severity
from subdrift.linter.model.known import Known
from subdrift.linter.store import baseline
from subdrift.linter.store.baseline import BaselineError

REPORT_BYTES_MAX: Final = 512 << 20
SCHEMA_VERSION: Final = 1
"""That of the reports (`schemas/check.schema.json`) this module reads."""


def read(path: str) -> tuple[Known, ...]:
    """The active findings of a run of before. Raises `BaselineError`."""
    try:
        content = files.read(path, REPORT_BYTES_MAX)
    except OSError as error:
        raise BaselineError("file.cannot", path=path, reason=reason_of(error)) from error
    if len(content) > REPORT_BYTES_MAX:
        raise BaselineError("file.larger-than-mib", path=path, most=REPORT_BYTES_MAX >> 20)
    return parse(content, path)


def parse(content: bytes, path: str) -> tuple[Known, ...]:
    """The active findings of a report or baseline of these bytes; `path` is what errors name. Raises `BaselineError`."""
    try:
        table: Any = json.loads(content)
    except UnicodeDecodeError as error:
        raise BaselineError("file.not-utf8", path=path) from error
    except (ValueError, RecursionError) as error:  # also a number of more digits than Python converts
        line = getattr(error, "lineno", 1)
        raise BaselineError("since.not-json", path=path, line=line) from error
    if not isinstance(table, dict) or "tool" not in table:
        return baseline.parse(content, path)
    if table.get("schema_version") != SCHEMA_VERSION or not isinstance(table.get("findings"), list):
        raise BaselineError("since.other-version", path=path)
    found = []
    for number, one in enumerate(table["findings"], 1):
        try:
            found += [known(part) for part in (one, *one.get("parts", ())) if part["suppressed"] is None]
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            raise BaselineError("since.finding", path=path, number=number, what=str(error)) from error
    return tuple(found)


def known(one: Mapping[str, Any]) -> Known:
    """What is remembered of a finding as reports write it. Raises what a wrong shape raises: `KeyError`, `ValueError`, ..."""
    scope = Scope(one["scope"])
    first = one["places"][0]
    texts = [one[name] for name in ("rule", "namespace", "identity", "state")]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("rule, namespace, identity and state are texts")
    if not all(isinstance(one[name], str | None) for name in ("group", "topic")):
        raise ValueError("group and topic are texts or null")
    alone = scope is Scope.CONSUMER
    return Known(
        one["rule"],
        Severity[one["level"].upper()],
        scope,
        one["namespace"],
        one["group"],
        one["topic"],
        one["identity"],
        one["state"],
        str(first["repo"]) if alone else "",
        str(first["path"]) if alone else "",
    )
