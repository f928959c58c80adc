"""JUnit's XML: a suite for each consumer group, a case for each rule about it, so that test reports show the rest too.

A finding that fails the run is a failure, a file that could not be read completely an error; a finding below the
threshold and a suppressed one are skipped. A group without findings is a case that passed: servers that take an empty
report for a failed one see what was looked at.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from subdrift.linter.report.content import Content
from subdrift.linter.report.sides import cost_of, notes, where
from subdrift.linter.report.terminal import safe, settled
from subdrift.linter.report.told import Told, ToldDiagnostic

_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BROKEN = frozenset(("parse-error", "unreadable-file", "internal-error"))
FILES = "files"
"""The suite of what is not about a group."""


class _Case(Struct, frozen=True):
    suite: str
    name: str
    kind: str = ""
    """`failure`, `error`, `skipped`, or "" where it passed."""
    about: str = ""
    lines: tuple[str, ...] = ()


def render(content: Content) -> str:
    """The document with a line end."""
    suites: dict[str, list[_Case]] = {}
    for case in _cases(content):
        suites.setdefault(case.suite, []).append(case)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    every = [case for cases in suites.values() for case in cases]
    lines.append(f'<testsuites name="subdrift" {_counts(every)}>')
    for name, cases in sorted(suites.items()):
        skipped = sum(case.kind == "skipped" for case in cases)
        lines.append(f'  <testsuite name={_attribute(name)} {_counts(cases)} skipped="{skipped}" time="0">')
        lines += [_xml(case) for case in sorted(cases, key=lambda one: one.name)]
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return settled("\n".join(lines) + "\n")


def _cases(content: Content) -> list[_Case]:
    cases: dict[tuple[str, str], _Case] = {}
    for finding in content.shown:
        _add(cases, _of_finding(finding, content))
    for one in content.shown_diagnostics:
        _add(cases, _of_diagnostic(one, content))
    told = {finding.group for finding in content.shown}
    names = sorted({c.group.text for c in content.consumers if c.group.text is not None} - told)
    for name in names:
        _add(cases, _Case(_suite(name), "consumers agree"))
    if not cases:
        _add(cases, _Case(FILES, "nothing to compare"))
    return list(cases.values())


def _add(cases: dict[tuple[str, str], _Case], case: _Case) -> None:
    """Cases of one suite have names of their own; servers keep the last of two equal ones only."""
    number, name = 1, case.name
    while (case.suite, name) in cases:
        number += 1
        name = f"{case.name} ({number})"
    cases[case.suite, name] = _Case(case.suite, name, case.kind, case.about, case.lines)


def _of_finding(finding: Told, content: Content) -> _Case:
    name = finding.rule + (f" topic {finding.topic}" if finding.topic else "")
    text: list[str] = []
    for part in finding.all_parts:
        text.append(f"{part.rule}: {part.message}" if part.lead else part.message)
        text += [f"{where(place.at, content)}: {place.label}" for place in part.places]
        text += filter(None, (cost_of(part, content), *notes(part)))
    if finding.suppressed is not None:
        return _Case(_suite(finding.group), name, "skipped", f"suppressed: {finding.suppressed}")
    if finding.level < content.fail_on:
        return _Case(_suite(finding.group), name, "skipped", f"{finding.level.text}: {finding.message}")
    return _Case(_suite(finding.group), name, "failure", finding.message, tuple(text))


def _of_diagnostic(one: ToldDiagnostic, content: Content) -> _Case:
    name = f"{one.name} {where(one.at, content)}"
    if one.suppressed is not None:
        return _Case(FILES, name, "skipped", f"suppressed: {one.suppressed}")
    if one.name in _BROKEN:
        return _Case(FILES, name, "error", one.message, (f"{where(one.at, content)}: {one.message}",))
    return _Case(FILES, name, "skipped", one.message)


def _suite(group: str | None) -> str:
    return "group not known" if group is None else f"group {group}"


def _counts(cases: list[_Case]) -> str:
    failures = sum(case.kind == "failure" for case in cases)
    errors = sum(case.kind == "error" for case in cases)
    return f'tests="{len(cases)}" failures="{failures}" errors="{errors}"'


def _xml(case: _Case) -> str:
    head = f'    <testcase classname={_attribute(case.suite)} name={_attribute(case.name)} time="0"'
    if not case.kind:
        return head + "/>"
    about = _attribute(case.about)
    if case.kind == "skipped":
        return f"{head}>\n      <skipped message={about}/>\n    </testcase>"
    text = escape("\n".join(map(_plain, case.lines)))
    return (
        f'{head}>\n      <{case.kind} message={about} type="subdrift">{text}</{case.kind}>\n    </testcase>'
    )


def _attribute(text: str) -> str:
    return quoteattr(_plain(text))


def _plain(text: str) -> str:
    """A text that XML 1.0 can hold: what is no character of it is spelled."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", safe(text))
