"""Diagnostics that somebody needs: those on which a consumer, or what is said of it, may depend."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.expr import Why
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.placed import scope_of
from subdrift.linter.model.unknown import unknown_values

_ALWAYS = frozenset(("unreadable-file", "internal-error", "unused-suppression", "expired-ignore"))
"""What went wrong in the run itself, or in what somebody asked of it."""

_GIVEN_UP = frozenset(("program-not-followed", "tests-not-run"))
_NOTHING_THERE = "symbolic-link-nowhere"
_OTHER_REPOSITORY = "git-submodule"
_MAY_LIE_ELSEWHERE = (Why.UNDEFINED, Why.DYNAMIC)

_NOT_COMPILED = re.compile(r"(?:^|/)src/\w+/resources/.*\.(?:java|kt|py)$|(?:^|/)archetype-resources/")
"""Sources that a build copies: templates of generators and archetypes."""


def needed(diagnostics: Iterable[Diagnostic], consumers: Collection[Consumer]) -> Iterator[Diagnostic]:
    """Those on which something depends: of tests and samples nothing does beside consumers in main code, of a program
    that was given up nothing where no value of a consumer comes from its file, of a template or a link to nothing nothing; of
    a submodule nothing where every consumer's values are here."""
    scopes: dict[Origin, set[str]] = {}
    met: set[Origin] = set()
    for one in consumers:
        scopes.setdefault(one.at.origin, set()).add(one.scope)
        if one.scope != "test":
            met.update(at.origin for at in _places(one))
    has_main = any("main" in each for each in scopes.values())
    complete = bool(scopes) and not any(one.why in _MAY_LIE_ELSEWHERE for one in unknown_values(consumers))
    for each in diagnostics:
        origin = each.at.origin
        given_up = each.message.code in _GIVEN_UP and origin not in met
        copied = each.name == "parse-error" and _NOT_COMPILED.search(origin.path) is not None
        aside = has_main and "main" not in scopes.get(origin, {scope_of(origin.path)})
        nothing = each.message.code == _NOTHING_THERE or (complete and each.message.code == _OTHER_REPOSITORY)
        if each.name in _ALWAYS or not (given_up or copied or aside or nothing):
            yield each


def _places(consumer: Consumer) -> Iterator[Location]:
    """Where a consumer and its values come from."""
    yield consumer.at
    for one in consumer.subscriptions:
        yield one.at
    for _, value in consumer.values:
        yield from (step.at for step in value.trail)
