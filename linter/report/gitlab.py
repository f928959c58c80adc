"""GitLab's Code Quality report: one JSON array, an issue for each side that lies in this repository.

GitLab shows an issue at one place only and merges equal fingerprints, so each side has one of its own: the
finding's identity and the path of the side.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, Final

from subdrift.linter.model.finding import Severity
from subdrift.linter.model.location import Location
from subdrift.linter.report.content import Content
from subdrift.linter.report.json import compose
from subdrift.linter.report.sides import path_of, shown_places, smallest, whole
from subdrift.linter.report.told import Told

SEVERITY: Final = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(content: Content) -> str:
    """The array with a line end; no byte-order mark, which GitLab refuses."""
    return compose(document(content), indent=2) + "\n"


def document(content: Content) -> list[dict[str, Any]]:
    met: Counter[str] = Counter()
    issues = [issue for one in content.entries for issue in _issues(one, content, met)]
    for one in content.shown_diagnostics:
        fingerprint = _fingerprint(f"{one.name}:{one.at.origin.repo}:{one.at.origin.path}:{one.message}", met)
        issues.append(_issue(one.name, one.message, SEVERITY[Severity.WARNING], fingerprint, one.at, content))
    return issues


def _fingerprint(key: str, met: Counter[str]) -> str:
    """The print of a key and of how often it was met before in this report."""
    met[key] += 1
    text = f"{key}:{met[key]}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]


def _issues(finding: Told, content: Content, met: Counter[str]) -> list[dict[str, Any]]:
    found = []
    for place in shown_places(finding, content):
        text = whole(finding, place, content)
        fingerprint = _fingerprint(f"{finding.identity}:{path_of(place.at, content)}", met)
        at = smallest(place, content)
        found.append(_issue(finding.rule, text, SEVERITY[finding.level], fingerprint, at, content))
    return found


def _issue(
    name: str, text: str, severity: str, fingerprint: str, at: Location, content: Content
) -> dict[str, Any]:
    return {
        "description": text,
        "check_name": name,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": path_of(at, content), "lines": {"begin": at.span.line, "end": at.span.end_line}},
    }
