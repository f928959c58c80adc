"""The synthetic repository is the same every time, and keeps its promise."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from subdrift import rules
from subdrift.linter.pipeline import Options, analyse
from subdrift.linter.sources.checkout import discover
from tests.bench import organisation
from tests.bench.generator import Knobs, generate
from tests.bench.organisation import Organisation

SMALL = Knobs(files=150, sites=24, modules=3, group=4, drift_every=3, unknown_every=5)


def test_the_same_knobs_give_the_same_bytes(tmp_path: Path) -> None:
    first = generate(tmp_path / "a", SMALL)
    assert generate(tmp_path / "b", SMALL) == first
    assert generate(tmp_path / "c", replace(SMALL, seed=2)).digest != first.digest
    assert first.files == 150


@pytest.mark.parametrize("knobs", [SMALL, replace(SMALL, chain=5), replace(SMALL, group=3, python_every=2)])
def test_a_run_finds_what_was_promised(knobs: Knobs, tmp_path: Path) -> None:
    made = generate(tmp_path, knobs)
    result = analyse(discover([str(tmp_path)]), rules.ALL, options=Options(workers=1))
    found = Counter(finding.rule for finding in result.findings if finding.rule != "shared-group")
    unknown = sum(1 for c in result.consumers for s in c.subscriptions if s.topic.text is None)
    assert found == Counter({"divergent-tags": made.promise.findings})
    assert made.promise.findings > 0
    assert len({one.id for one in result.consumers}) == made.promise.consumers
    assert len(result.groups) == made.promise.groups
    assert unknown == made.promise.unknown
    assert unknown > 0


def test_an_organisation_keeps_its_promise(tmp_path: Path) -> None:
    knobs = Organisation(repositories=14, fillers=1)
    assert organisation.generate(tmp_path / "a", knobs) == 2 + 14 * 4
    organisation.generate(tmp_path / "b", knobs)
    for path in (tmp_path / "a").rglob("*.java"):
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()
    result = analyse(discover([], org=str(tmp_path / "a")), rules.ALL, options=Options(workers=1))
    found = Counter(finding.rule for finding in result.findings if finding.rule != "shared-group")
    assert found == Counter({"divergent-tags": knobs.promise.findings})
    assert knobs.promise.findings > 0
    assert len(result.consumers) == knobs.promise.consumers
    assert len(result.groups) == knobs.promise.groups
