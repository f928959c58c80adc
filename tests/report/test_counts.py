"""Every output counts in one way: what one says of a run is compared with what the others say of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from subdrift.linter.report import concise, github, markdown, page, sarif, statistics, text
from subdrift.linter.report import json as report
from subdrift.linter.report.content import Content
from subdrift.linter.report.terminal import Style
from tests.adopt.scratch import subdrift
from tests.report import sample
from tests.test_golden import NAMES, ORGS

PLAIN = Style(ascii=False, color=False, width=100)
LEVELS = ("error", "warning", "note")


def said(line: str) -> Counter[str]:
    """The numbers of a last line by what they count: `2 errors, 1 diagnostic (3 suppressed)`."""
    found = re.findall(r"(\d[\d,]*) (error|warning|note|diagnostic|suppressed)", line)
    return Counter({name: int(count.replace(",", "")) for count, name in found})


def agreed(document: Mapping[str, Any]) -> Counter[str]:
    """The numbers of a JSON report, after they were held against what it lists."""
    summary = document["summary"]
    counts = Counter({name: summary[f"{name}s"] for name in (*LEVELS, "diagnostic")})
    active = [one for one in document["findings"] if one["suppressed"] is None]
    listed = Counter(one["level"] for one in active)
    assert {name: counts[name] for name in LEVELS} == {name: listed[name] for name in LEVELS}
    causes = {one["cause"] for one in document["diagnostics"] if one["needed"] and one["suppressed"] is None}
    assert counts["diagnostic"] == len(causes)
    return counts + Counter({"suppressed": summary["suppressed"]})


def rules_of(document: Mapping[str, Any]) -> Counter[str]:
    """In how many findings each rule has a part, and how many causes each diagnostic has."""
    told: Counter[str] = Counter()
    for one in document["findings"]:
        told.update({part["rule"] for part in (one, *one["parts"])})
    told.update(
        name for name, _ in {(one["name"], one["cause"]) for one in document["diagnostics"] if one["needed"]}
    )
    return told


def table(lines: list[str]) -> Counter[str]:
    """The rows of `--statistics`."""
    found: Counter[str] = Counter()
    for row in lines:
        count, *words = row.split()
        found[words[1] if words[0] in LEVELS else words[0]] += int(count)
    return found


def results(text_: str) -> set[str]:
    """The findings that SARIF's results belong to."""
    (run,) = json.loads(text_)["runs"]
    active = [one for one in run["results"] if "suppressions" not in one]
    return {one["properties"]["finding"] for one in active}


@pytest.mark.parametrize("org", NAMES)
def test_the_outputs_of_an_organisation_agree(org: str, tmp_path: Path) -> None:
    files = {kind: tmp_path / kind for kind in ("json", "sarif", "markdown", "html", "github", "concise")}
    outputs = [f"--output={kind}={file}" for kind, file in files.items()]
    ran = subdrift("check", "--org", ORGS / org, "--no-cache", "--samples", "--exit-zero", *outputs)
    told = {kind: file.read_text(encoding="utf-8") for kind, file in files.items()}
    document = json.loads(told["json"])
    counts = agreed(document)
    verdict = next((line for line in ran.out.splitlines() if said(line)), "")
    assert said(verdict) == counts
    for kind in ("markdown", "html", "github", "concise"):
        assert verdict in told[kind], kind
    assert len(results(told["sarif"])) == sum(counts[name] for name in LEVELS)
    rows = subdrift(
        "check", "--org", ORGS / org, "--no-cache", "--exit-zero", "--statistics"
    ).out.splitlines()
    assert (table(rows[:-2]), said(rows[-1])) == (rules_of(document), counts)


@pytest.mark.parametrize("content", [sample.CONTENT, sample.CLEAN], ids=["mixed", "clean"])
def test_the_reports_of_one_run_agree(content: Content) -> None:
    counts = agreed(report.document(content))
    texts = sample.texts()
    lines = {
        "text": text.render(content, texts, PLAIN),
        "concise": concise.render(content, PLAIN),
        "github": github.render(content),
        "markdown": markdown.render(content),
    }
    for kind, shown in lines.items():
        last = [one for one in shown.replace("%0A", "\n").splitlines() if "suppressed" in one][-1]
        if counts - Counter({"suppressed": counts["suppressed"]}):
            assert said(last) == counts, kind
    assert said(statistics.render(content).splitlines()[-1])["diagnostic"] == counts["diagnostic"]
    numbers = re.findall(r"<dt>(Errors?|Warnings?|Notes?)</dt><dd>([\d,]+)</dd>", page.render(content, texts))
    assert [int(count) for _, count in numbers] == [counts[name] for name in LEVELS]
    assert len(results(sarif.render(content, texts))) == sum(counts[name] for name in LEVELS)
