"""The baseline file: findings a team lives with for now, one line each, sorted; what is not in it is new.

An entry is known by what the finding is about and by what its sides say, never by a line or a place: moved code stays
known, an edited disagreement is new.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any, Final

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.finding import Scope, Severity
from subdrift.linter.model.known import Known
from subdrift.linter.model.message import UnusableError, say
from subdrift.linter.text.bounded import BoundedError, check_json

SCHEMA_VERSION: Final = 1
FILE: Final = ".subdrift-baseline.json"
"""Where it lies unless told otherwise, at the root of the repository."""
FILE_BYTES_MAX: Final = 16 << 20
_DIGEST_DIGITS: Final = 16

_TEXTS: Final = ("rule", "level", "scope", "namespace", "repo", "path", "symbol", "identity", "state")
_OPTIONAL: Final = ("group", "topic")


class BaselineError(UnusableError):
    """A baseline that cannot be read or written; the text names the file, the place and what to do."""


def write(path: str, entries: Iterable[Known], follow: bool = True) -> None:
    """Put a baseline in place whole; `follow` as in `files.write`. Raises `BaselineError`."""
    try:
        files.write(path, render(entries).encode(), follow)
    except OSError as error:
        raise BaselineError("file.not-written", path=path, reason=reason_of(error)) from error


def render(entries: Iterable[Known]) -> str:
    """The text of a baseline: equal entries give equal bytes, whatever their order. `digest` tells whether they are as they
    were written."""
    objects = [_object(one) for one in sorted(entries, key=_order)]
    lines = [json.dumps(one, ensure_ascii=True, separators=(", ", ": ")) for one in objects]
    body = ",\n".join(f"    {line}" for line in lines)
    return (
        f'{{\n  "schema_version": {SCHEMA_VERSION},\n  "findings": [\n{body}{chr(10) * bool(lines)}  ],\n'
        f'  "digest": "{_digest(objects)}"\n}}\n'
    )


def is_edited(content: bytes) -> bool:
    """Whether a baseline that can be parsed was changed since it was written, by hand or by a merge; of one without a digest
    nothing tells."""
    table = json.loads(content)
    return "digest" in table and table["digest"] != _digest(table["findings"])


def _digest(objects: object) -> str:
    """However the entries are laid out."""
    text = json.dumps(objects, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_DIGITS]


def read(path: str, follow: bool = True) -> tuple[Known, ...]:
    """The entries of a baseline; `follow` as in `files.read`. Raises `BaselineError`, also where the file is not there."""
    return parse(content_of(path, follow), path)


def content_of(path: str, follow: bool = True) -> bytes:
    """The bytes of a baseline; otherwise as `read`."""
    try:
        content = files.read(path, FILE_BYTES_MAX, follow)
    except FileNotFoundError as error:
        raise BaselineError("baseline.none", path=path) from error
    except OSError as error:
        raise BaselineError("file.cannot", path=path, reason=reason_of(error)) from error
    if len(content) > FILE_BYTES_MAX:
        raise BaselineError("file.larger-than-mib", path=path, most=FILE_BYTES_MAX >> 20)
    return content


def parse(content: bytes, path: str) -> tuple[Known, ...]:
    """The entries of a baseline of these bytes; `path` is what errors name. Raises `BaselineError`."""
    try:
        text = content.decode()
        check_json(text)
        table: Any = json.loads(text)
    except UnicodeDecodeError as error:
        raise BaselineError("file.not-utf8", path=path) from error
    except BoundedError as error:
        raise BaselineError(
            "file.line-cannot", path=path, line=error.line, what=say(f"nested.{error.kind}", most=error.most)
        ) from error
    except json.JSONDecodeError as error:
        raise BaselineError("file.not-json", path=path, line=error.lineno, reason=error.msg) from error
    if not isinstance(table, dict) or table.get("schema_version") != SCHEMA_VERSION:
        raise BaselineError("baseline.other-version", path=path)
    found = table.get("findings")
    if not isinstance(found, list):
        raise BaselineError("baseline.findings", path=path)
    return tuple(_known(one, f"{path}: entry {number}") for number, one in enumerate(found, 1))


def _object(one: Known) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": one.rule, "group": one.group, "topic": one.topic}
    found |= {"namespace": one.namespace} if one.namespace else {}
    found |= {"repo": one.repo, "path": one.path, "symbol": one.symbol} if one.path else {}
    return found | {
        "scope": one.scope.value,
        "level": one.level.text,
        "identity": one.identity,
        "state": one.state,
    }


def _known(one: Any, where: str) -> Known:
    if not isinstance(one, dict):
        raise BaselineError("baseline.object", where=where)
    unknown = sorted(set(one) - {*_TEXTS, *_OPTIONAL})
    if unknown:
        raise BaselineError("baseline.unknown-key", where=where, key=unknown[0])
    for key in _TEXTS:
        if not isinstance(one.get(key, ""), str):
            raise BaselineError("baseline.text", where=where, key=key)
    for key in _OPTIONAL:
        if one.get(key) is not None and not isinstance(one[key], str):
            raise BaselineError("baseline.text-or-null", where=where, key=key)
    levels = {level.text: level for level in Severity}
    scopes = {scope.value: scope for scope in Scope}
    missing = next((key for key in ("rule", "level", "scope", "identity", "state") if not one.get(key)), "")
    if missing or one["level"] not in levels or one["scope"] not in scopes:
        raise BaselineError("baseline.missing", where=where, key=missing or "level or scope")
    return Known(
        rule=one["rule"],
        level=levels[one["level"]],
        scope=scopes[one["scope"]],
        namespace=one.get("namespace", ""),
        group=one.get("group"),
        topic=one.get("topic"),
        identity=one["identity"],
        state=one["state"],
        repo=one.get("repo", ""),
        path=one.get("path", ""),
        symbol=one.get("symbol", ""),
    )


def _order(one: Known) -> tuple[str, ...]:
    return (
        one.rule,
        one.namespace,
        one.group or "",
        one.topic or "",
        one.repo,
        one.path,
        one.symbol,
        one.identity,
        one.state,
        one.level.text,
    )
