"""What users see and what the wire carries, compared with committed files (`make golden` rewrites them).

Every sample organisation, in every format, through the command line itself; every shipped scenario; the shape of the
wire. Width, colour, version and paths are pinned, so a changed line is a changed behaviour: read it as code.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema  # type: ignore[import-untyped]
import pytest

from subdrift import linter
from subdrift.linter import cli
from subdrift.linter.broker.examples import examples
from subdrift.linter.model import wire
from subdrift.linter.model.answers import Answers
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import FileFacts, Suppression
from subdrift.linter.model.finding import Diagnostic, Finding, Verdict

ROOT = Path(__file__).parent.parent
ORGS = ROOT / "fixtures" / "orgs"
GOLDEN = ROOT / "fixtures" / "golden"
SCHEMAS = ROOT / "linter" / "report" / "schemas"
NAMES = sorted(path.name for path in ORGS.iterdir() if path.is_dir())
EXAMPLES = [one.name for one in examples()]

WRITE = os.environ.get("SUBDRIFT_GOLDEN") == "write"
DIFFERENCE_LINES_MAX = 80
"""Lines of one difference that a failure shows."""

FORMATS = {
    "text": "check.txt",
    "concise": "check-concise.txt",
    "json": "check.json",
    "sarif": "check.sarif",
    "github": "check-github.txt",
}
OUTPUTS = (*FORMATS.values(), "list.jsonl", "list.txt", "unresolved.txt", "unresolved.json")

ALONE = ("shop", "billing")
"""The repository that is also checked by itself, as a pull request of its own would be."""

ALONE_OUTPUTS = ("check.txt", "check.json", "check.sarif", "check-github.txt", "list.jsonl")


# -- running the command line -----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the surroundings takes part, and a release changes no golden file."""
    for name in [name for name in os.environ if name.startswith(("SUBDRIFT_", "GITHUB_"))]:
        monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "PRE_COMMIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(linter, "__version__", "0.0.0")


Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """One command line that succeeds and complains of nothing; what it prints."""

    def command(*arguments: str) -> str:
        code = cli.run(list(arguments))
        printed = capsys.readouterr()
        assert (code, printed.err) == (0, "")
        return printed.out

    return command


def compare(name: str, found: str) -> None:
    """Fails with a readable difference where the committed file says something else; `make golden` writes it."""
    path = GOLDEN / name
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="\n")
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    if found != expected:
        pytest.fail(difference(name, expected, found), pytrace=False)


def difference(name: str, expected: str, found: str) -> str:
    lines = list(
        difflib.unified_diff(
            expected.splitlines(), found.splitlines(), f"committed {name}", f"now {name}", lineterm="", n=2
        )
    )
    left = len(lines) - DIFFERENCE_LINES_MAX
    shown = lines[:DIFFERENCE_LINES_MAX] + ([f"… and {left} more lines"] if left > 0 else [])
    return "\n".join([*shown, "", "If this is meant: `make golden`, then read each changed line."])


def outputs(run: Run, into: Path, *where: str) -> dict[str, str]:
    """Every output of one tree: one run for all formats of `check`, one for each of the other commands."""
    options = (*where, "--no-cache", "--color", "never", "--jobs", "1")
    files = {kind: into / name for kind, name in FORMATS.items()}
    further = [part for kind, file in files.items() for part in ("--output", f"{kind}={file}")]
    shown = run("check", *options, "--exit-zero", *further)
    found = {FORMATS[kind]: file.read_text(encoding="utf-8") for kind, file in files.items()}
    assert found["check.txt"] == shown
    found["list.jsonl"] = run("list", *options, "--output-format", "jsonl")
    found["list.txt"] = run("list", *options)
    found["unresolved.txt"] = run("unresolved", *options)
    found["unresolved.json"] = run("unresolved", *options, "--output-format", "json")
    return found


# -- organisations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("org", NAMES)
def test_an_organisation_is_reported_as_committed(org: str, run: Run, tmp_path: Path) -> None:
    found = outputs(run, tmp_path, "--org", str(ORGS / org))
    assert set(found) == set(OUTPUTS)
    for name, text in found.items():
        compare(f"orgs/{org}/{name}", text)


def test_a_repository_by_itself_is_reported_as_committed(run: Run, tmp_path: Path) -> None:
    org, name = ALONE
    shutil.copytree(ORGS / org / name, tmp_path / name)
    (tmp_path / name / ".subdrift.toml").write_text(f'repository = "acme/{name}"\n')
    found = outputs(run, tmp_path, str(tmp_path / name))
    for output in ALONE_OUTPUTS:
        compare(f"alone/{name}/{output}", found[output])


@pytest.mark.parametrize("org", NAMES)
def test_no_output_knows_where_the_tree_lies(org: str) -> None:
    for name in OUTPUTS:
        assert str(ROOT) not in committed(f"orgs/{org}/{name}")


def committed(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8")


# -- the public shapes ------------------------------------------------------------------------------------------------


@cache
def validator(name: str) -> Any:
    """The committed schema, closed: what is written must all be described."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema))


def closed(value: Any) -> Any:
    if isinstance(value, dict):
        result = {key: closed(one) for key, one in value.items()}
        if result.get("type") == "object" and "properties" in result:
            result.setdefault("additionalProperties", False)
        return result
    return [closed(one) for one in value] if isinstance(value, list) else value


def trees() -> list[str]:
    return [*(f"orgs/{org}" for org in NAMES), f"alone/{ALONE[1]}"]


@pytest.mark.parametrize("tree", trees())
def test_json_outputs_keep_their_committed_schemas(tree: str) -> None:
    validator("check").validate(json.loads(committed(f"{tree}/check.json")))
    rows = [json.loads(line) for line in committed(f"{tree}/list.jsonl").splitlines()]
    assert rows
    for row in rows:
        validator("list").validate(row)
    if tree.startswith("orgs/"):
        validator("unresolved").validate(json.loads(committed(f"{tree}/unresolved.json")))


@pytest.mark.parametrize("tree", trees())
def test_every_null_of_a_row_has_its_reason_and_no_other_field_has_one(tree: str) -> None:
    fields = {"group", "topic", "filter_type", "expression", "message_model", "consume_mode", "namespace"}
    fields |= {"client_version"}
    for line in committed(f"{tree}/list.jsonl").splitlines():
        row = json.loads(line)
        assert {name for name in fields if row[name] is None} == set(row["unresolved"])
        assert row["end_line"] >= row["line"] >= 1


@pytest.mark.parametrize("tree", trees())
def test_every_format_of_check_tells_the_same_findings(tree: str) -> None:
    findings = json.loads(committed(f"{tree}/check.json"))["findings"]
    parts = [part for one in findings for part in (one, *one["parts"])]
    told = [(one["rule"], one["level"]) for one in parts]
    results = json.loads(committed(f"{tree}/check.sarif"))["runs"][0]["results"]
    assert [(one["ruleId"], one["level"]) for one in results] == told
    levels = {"error": "error", "warning": "warning", "notice": "note"}
    commands = re.findall(
        r"^::(error|warning|notice) [^:\n]*title=([a-z-]+)", committed(f"{tree}/check-github.txt"), re.M
    )
    named = {rule for rule, _ in told}
    github = [(rule, levels[level]) for level, rule in commands if rule in named]
    assert sorted(github) == sorted(told)
    text = re.findall(
        r"^(?:and with it )?(error|warning|note)\[([a-z-]+)\]", committed(f"{tree}/check.txt"), re.M
    )
    assert sorted((rule, level) for level, rule in text if rule in named) == sorted(told)


# -- SARIF ------------------------------------------------------------------------------------------------------------

RESULTS_MAX = 25_000
LOCATIONS_MAX = 100
DESCRIPTION_MAX = 1024
LEVELS = ("note", "warning", "error")


@dataclass
class Sarif:
    """The complaints about one log, as code scanning would have them: required fields, links, limits."""

    run: dict[str, Any]

    def complaints(self) -> Iterator[str]:
        driver = self.run["tool"]["driver"]
        if not re.fullmatch(r"\d+\.\d+\.\d+.*", driver.get("semanticVersion", "")):
            yield "the driver has no semanticVersion"
        if self.run.get("columnKind") != "unicodeCodePoints":
            yield "columns are not said to be code points"
        if not re.fullmatch(r"subdrift/(?:.+/)?", self.run["automationDetails"]["id"]):
            yield "the category is not ours"
        if len(self.run["results"]) > RESULTS_MAX:
            yield "too many results"
        for rule in driver["rules"]:
            yield from self._rule(rule)
        for result in self.run["results"]:
            yield from (f"{result.get('ruleId')}: {text}" for text in self._result(result, driver["rules"]))
        for note in self.run["invocations"][0]["toolExecutionNotifications"]:
            if driver["notifications"][note["descriptor"]["index"]]["id"] != note["descriptor"]["id"]:
                yield f"a notification points at another descriptor: {note['descriptor']}"
            for location in note.get("locations", ()):
                yield from self._location(location)

    @staticmethod
    def _rule(rule: dict[str, Any]) -> Iterator[str]:
        for field in ("shortDescription", "fullDescription"):
            if not 0 < len(rule[field]["text"]) <= DESCRIPTION_MAX:
                yield f"{rule['id']}: {field} is empty or too long"
        if not rule["help"]["text"] or not rule["help"]["markdown"]:
            yield f"{rule['id']}: no help"
        if rule["defaultConfiguration"]["level"] not in LEVELS:
            yield f"{rule['id']}: no level"
        if rule["properties"]["problem.severity"] not in ("recommendation", "warning", "error"):
            yield f"{rule['id']}: no severity"
        if "security-severity" in rule["properties"]:
            yield f"{rule['id']}: would be filed as a vulnerability"

    def _result(self, result: dict[str, Any], rules: list[dict[str, Any]]) -> Iterator[str]:
        if result["level"] not in LEVELS or not result["message"]["text"]:
            yield "no level or message"
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield "ruleIndex points at another rule"
        if len(result["locations"]) != 1:
            yield f"{len(result['locations'])} locations; code scanning reads the first"
        related = result.get("relatedLocations", [])
        if len(related) >= LOCATIONS_MAX:
            yield "too many related locations"
        links = [int(one) for one in re.findall(r"(?<!\\)\]\((\d+)\)", result["message"]["text"])]
        if sorted(links) != sorted(one["id"] for one in related):
            yield f"links {links} are not the ids of the related locations"
        steps = [
            step["location"]
            for flow in result.get("codeFlows", ())
            for thread in flow["threadFlows"]
            for step in thread["locations"]
        ]
        for location in (*result["locations"], *related, *steps):
            yield from self._location(location)
        prints = result["partialFingerprints"]
        if not re.fullmatch(r"[0-9a-f]{16}", prints.get("subdrift/v1", "")):
            yield "no fingerprint of ours"
        if not re.fullmatch(r"[0-9a-f]+:\d+", prints.get("primaryLocationLineHash", "")):
            yield "no line hash"
        if "suppressions" in result and not result["suppressions"][0].get("justification"):
            yield "suppressed without a reason"

    @staticmethod
    def _location(location: dict[str, Any]) -> Iterator[str]:
        artifact = location["physicalLocation"]["artifactLocation"]
        uri, region = artifact["uri"], location["physicalLocation"]["region"]
        if artifact.get("uriBaseId") != "%SRCROOT%":
            yield f"{uri}: not below the source root"
        parts = unquote(uri).split("/")
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|/|\\", uri) or ".." in parts or "" in parts:
            yield f"{uri}: not a plain relative path"
        start = (region["startLine"], region["startColumn"])
        # without an end it is the rest of the line
        if min(start) < 1 or ("endColumn" in region and (region["endLine"], region["endColumn"]) < start):
            yield f"{uri}: region {region}"


def sarif_complaints(log: dict[str, Any]) -> list[str]:
    if log["version"] != "2.1.0" or not log["$schema"].endswith("sarif-2.1.0.json") or len(log["runs"]) != 1:
        return ["not one run of SARIF 2.1.0"]
    return list(Sarif(log["runs"][0]).complaints())


@pytest.mark.parametrize("tree", trees())
def test_sarif_is_what_code_scanning_takes(tree: str) -> None:
    log = json.loads(committed(f"{tree}/check.sarif"))
    assert sarif_complaints(log) == []


@pytest.mark.parametrize("org", NAMES)
def test_sarif_places_exist_in_the_tree(org: str) -> None:
    """A path of a run over an organisation leads with the repository, so it is one below the organisation."""
    (run,) = json.loads(committed(f"orgs/{org}/check.sarif"))["runs"]
    for result in run["results"]:
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            place = location["physicalLocation"]
            file = ORGS / org / unquote(place["artifactLocation"]["uri"])
            region = place["region"]
            lines = len(file.read_text(encoding="utf-8").splitlines())
            assert region.get("endLine", region["startLine"]) <= lines + 1


SPOILED: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
    ("no semanticVersion", lambda run: run["tool"]["driver"].pop("semanticVersion")),
    ("code points", lambda run: run.pop("columnKind")),
    ("another rule", lambda run: run["results"][0].update(ruleIndex=run["results"][0]["ruleIndex"] - 1)),
    ("reads the first", lambda run: run["results"][0]["locations"].clear()),
    ("are not the ids", lambda run: run["results"][0]["relatedLocations"][0].update(id=99)),
    ("no line hash", lambda run: run["results"][0]["partialFingerprints"].pop("primaryLocationLineHash")),
    ("relative", lambda run: _artifact(run).update(uri="https://example.org/A.java")),
    ("relative", lambda run: _artifact(run).update(uri="/srv/A.java")),
    ("relative", lambda run: _artifact(run).update(uri="../A.java")),
    ("source root", lambda run: _artifact(run).pop("uriBaseId")),
]


def _artifact(run: dict[str, Any]) -> dict[str, Any]:
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert isinstance(artifact, dict)
    return artifact


@pytest.mark.parametrize(("complaint", "spoil"), SPOILED)
def test_a_spoiled_log_is_complained_about(complaint: str, spoil: Callable[[dict[str, Any]], None]) -> None:
    log = json.loads(committed("orgs/shop/check.sarif"))
    spoil(log["runs"][0])
    assert any(complaint in one for one in sarif_complaints(log))


# -- scenarios --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_shipped_scenario_is_predicted_as_committed(name: str, run: Run) -> None:
    compare(f"predict/{name}.txt", run("predict", "--example", name, "--color", "never"))
    found = run("predict", "--example", name, "--output-format", "json")
    validator("predict").validate(json.loads(found))
    compare(f"predict/{name}.json", found)


def test_a_prediction_in_chinese_is_the_committed_one(run: Run) -> None:
    text = run("predict", "--example", "O-000", "--lang", "zh", "--color", "never")
    compare("predict/O-000.zh.txt", text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_shipped_scenario_keeps_the_committed_schema(name: str) -> None:
    (one,) = [one for one in examples() if one.name == name]
    validator("scenario").validate(tomllib.loads(one.text))


# -- the wire ---------------------------------------------------------------------------------------------------------

CARRIED = (FileFacts, Consumer, Verdict, Finding, Diagnostic, Suppression, Answers)
"""Everything that is kept or sent as wire text."""


def test_the_wire_has_the_committed_shape() -> None:
    """A change here makes what a release has kept unreadable; it needs another `wire.SCHEMA_VERSION`."""
    shapes: dict[str, list[str]] = {}
    for carried in CARRIED:
        for name, fields in wire.shape(carried).items():
            assert shapes.setdefault(name, fields) == fields, f"two classes are called {name}"
    document = {"schema_version": wire.SCHEMA_VERSION, "classes": dict(sorted(shapes.items()))}
    compare("schema.json", json.dumps(document, indent=1) + "\n")


# -- the files themselves ---------------------------------------------------------------------------------------------


def test_no_golden_file_is_left_over() -> None:
    expected = {f"orgs/{org}/{name}" for org in NAMES for name in OUTPUTS}
    expected |= {f"alone/{ALONE[1]}/{name}" for name in ALONE_OUTPUTS}
    expected |= {f"predict/{name}.{kind}" for name in EXAMPLES for kind in ("txt", "json")}
    expected |= {"predict/O-000.zh.txt", "schema.json"}
    found = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()}
    assert {name for name in found if not name.startswith(("formats/", "costs/", "predictions/"))} == expected


def test_a_difference_is_told_line_by_line() -> None:
    told = difference("x.txt", "a\nb\nc\n", "a\nB\nc\n").splitlines()
    assert told[:2] == ["--- committed x.txt", "+++ now x.txt"]
    assert "-b" in told
    assert "+B" in told
    assert "make golden" in told[-1]
    many = difference("x.txt", "", "line\n" * 500)
    assert len(many.splitlines()) <= DIFFERENCE_LINES_MAX + 3


@pytest.mark.parametrize(("name", "lang"), [("README.md", "en"), ("README.zh.md", "zh")])
def test_the_finding_a_readme_shows_is_what_the_demo_prints(name: str, lang: str, run: Run) -> None:
    blocks = re.findall(r"^```text\n(.*?)^```$", (ROOT / name).read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    options = ("--no-cache", "--color", "never", "--jobs", "1", "--exit-zero", "--lang", lang)
    printed = run("check", "--org", str(ORGS / "shop"), *options)
    for block in blocks:
        assert block in printed
