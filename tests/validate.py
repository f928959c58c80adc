"""`python -m tests.validate`: the reports of the sample organisations before the tools that are to read them.

SARIF: Microsoft's SARIF Multitool with GitHub's rules, from npm. `rdjson`: reviewdog itself, built by Go, and the JSON
schema of its format where `RDF_SCHEMA` names the file (`proto/rdf/jsonschema/DiagnosticResult.json` of its repository);
what cannot be done is said and left out. JUnit: junitparser, from the package index. `gitlab`: GitLab has no validator to
run; its shape is tested in tests/report. The page: axe-core, from npm, in a headless Chromium, dark and light, wide and
narrow, English and Chinese; where there is no browser it is said and left out. AsyncAPI: its official parser, from npm,
over the documents of the organisation that sends. The extension of `editors/vscode`: VS Code (tests/server/vscode.py).
Everything is installed into a folder that goes away.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]

from tests.report.browser import browser, missing
from tests.server import vscode

ROOT = Path(__file__).parent.parent
MULTITOOL = "@microsoft/sarif-multitool@5.7.0"
REVIEWDOG = "github.com/reviewdog/reviewdog/cmd/reviewdog@v0.20.3"
JUNITPARSER = "junitparser==3.2.0"
AXE = "axe-core@4.14.1"
ASYNCAPI = "@asyncapi/parser@3.6.6"
FORMATS = ("sarif", "rdjson", "junit", "html")
LANGUAGES = {"en": FORMATS, "zh": ("zh.html",)}

COUNT = """
import sys
from junitparser import JUnitXml
report = JUnitXml.fromfile(sys.argv[1])
told = (report.tests, report.failures, report.errors)
report.update_statistics()
counted = (report.tests, report.failures, report.errors)
sys.exit(f"says {told}, holds {counted}" if told != counted else 0)
"""

PARSE = """
const { Parser } = require("@asyncapi/parser");
const lines = require("fs").readFileSync(0, "utf8").split("\\n").filter(Boolean);
(async () => {
  for (const line of lines) {
    const { document, diagnostics } = await new Parser().parse(line);
    if (!document) console.log(`${JSON.parse(line).info.title}: not read`);
    for (const one of diagnostics.filter((one) => one.severity <= 1))
      console.log(`${JSON.parse(line).info.title}: ${one.code} ${one.message}`);
  }
  console.log(lines.length);
})();
"""


def reports(folder: Path) -> Iterator[tuple[str, dict[str, Path]]]:
    """The reports of every organisation, and of one repository by itself."""
    orgs = sorted((ROOT / "fixtures" / "orgs").iterdir())
    inputs: dict[str, tuple[str, ...]] = {org.name: ("--org", str(org)) for org in orgs}
    inputs["alone"] = (str(orgs[-1] / "billing"),)
    inputs["senders"] = ("--org", str(ROOT / "fixtures" / "senders"), "--config=senders.check=true")
    # as where the project has an address: the multitool warns of a tool without
    environment = os.environ | {"SUBDRIFT_HOME": "https://git.example.com/tools/subdrift/blob/v0.1.0"}
    check = (sys.executable, "-m", "subdrift", "check", "--no-cache", "--fail-on=never")
    for name, given in inputs.items():
        files = {kind: folder / f"{name}.{kind}" for kinds in LANGUAGES.values() for kind in kinds}
        for lang, kinds in LANGUAGES.items():
            outputs = [f"--output={kind.rpartition('.')[2]}={files[kind]}" for kind in kinds]
            command = (*check, *given, f"--lang={lang}", *outputs)
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env=environment)
        yield name, files


def multitool(folder: Path) -> Path:
    install = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), MULTITOOL)
    subprocess.run(install, check=True)
    tool = next(path for path in (folder / "node_modules").rglob("Sarif.Multitool") if path.is_file())
    tool.chmod(0o755)
    return tool


def sarif(tool: Path, file: Path) -> list[str]:
    """What the multitool calls an error or a warning."""
    report = file.with_suffix(".report.sarif")
    command = (
        tool,
        "validate",
        file,
        "--rule-kind",
        "Sarif;Ghas",
        "--output",
        report,
        "--log",
        "ForceOverwrite",
    )
    environment = os.environ | {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if not report.exists():
        return [done.stdout + done.stderr]
    runs = json.loads(report.read_text(encoding="utf-8-sig"))["runs"]
    found = [one for run in runs for one in run.get("results", [])]
    serious = [one for one in found if one.get("level", "warning") in ("error", "warning")]
    return [f"{one['ruleId']}: {json.dumps(one['message'])}" for one in serious]


def reviewdog(tool: Path, file: Path) -> list[str]:
    """What reviewdog cannot read, or reads as something else."""
    command = (tool, "-f=rdjson", "-reporter=local", "-filter-mode=nofilter", "-fail-level=none")
    with file.open("rb") as report:
        done = subprocess.run(command, stdin=report, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        return [done.stderr.strip()]
    wanted = json.loads(file.read_text(encoding="utf-8"))["diagnostics"]
    return [
        f"reviewdog does not show {one['message']!r}" for one in wanted if one["message"] not in done.stdout
    ]


def misshapen(schema: Path, file: Path) -> list[str]:
    """Where a report is not as the JSON schema says."""

    rules = json.loads(schema.read_text(encoding="utf-8"))
    check = jsonschema.validators.validator_for(rules)(rules)
    found = check.iter_errors(json.loads(file.read_text(encoding="utf-8")))
    return [f"{one.json_path}: {one.message}" for one in found]


def junit(folder: Path, file: Path) -> list[str]:
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = (sys.executable, "-c", COUNT, file)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return [done.stderr.strip()] if done.returncode else []


def accessible(folder: Path) -> Callable[[Path], list[str]] | None:
    """What says which barriers and console messages a page has; None, and a line that says so, without a browser."""
    lacks = missing()
    if lacks:
        print(f"the page is not checked in a browser: no {lacks} on this machine")
        return None
    install = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), AXE)
    subprocess.run(install, check=True)
    axe = (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")

    def barriers(file: Path) -> list[str]:
        found: list[str] = []
        with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as window:
            for scheme, width in product(("light", "dark"), (1160, 420)):
                window.emulate(prefers_color_scheme=scheme)
                window.resize(width, 900)
                window.open(file)
                window.run("for (const one of document.querySelectorAll('details')) one.open = true")
                found += [f"{scheme}, {width}: {one}" for one in window.barriers(axe)]
                found += window.complaints()
        return found

    return barriers


def asyncapi(folder: Path) -> list[str]:
    """What AsyncAPI's parser calls an error or a warning in the documents of the applications that send and read."""
    install = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts")
    subprocess.run((*install, "--prefix", str(folder), ASYNCAPI), check=True)
    command = (sys.executable, "-m", "subdrift", "topics", "--output-format=asyncapi", "--no-cache")
    org = ROOT / "fixtures" / "senders"
    done = subprocess.run((*command, "--org", org), cwd=ROOT, check=True, capture_output=True, text=True)
    script = folder / "parse.cjs"
    script.write_text(PARSE, encoding="utf-8")
    run = subprocess.run(("node", script), input=done.stdout, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    if run.returncode or lines[-1:] != [str(len(done.stdout.splitlines()))]:
        return [run.stderr.strip() or "the parser did not read every document", *lines]
    return lines[:-1]


def built(folder: Path) -> Path | None:
    """Reviewdog; None, and a line that says so, where it cannot be built here."""
    reason = "Go is not installed"
    if shutil.which("go"):
        environment = os.environ | {"GOBIN": str(folder), "GOFLAGS": "-modcacherw"}
        install = ("go", "install", REVIEWDOG)
        done = subprocess.run(install, check=False, env=environment, capture_output=True, text=True)
        if done.returncode == 0:
            return folder / "reviewdog"
        reason = done.stderr.strip().splitlines()[-1]
    print(f"reviewdog does not read the reports, because it cannot be built: {reason}")
    return None


def told(name: str, kind: str, complaints: list[str]) -> bool:
    """Whether there are complaints; says so."""
    print(f"{name}: {kind} {'is not right' if complaints else 'is right'}")
    print("".join(f"  {one}\n" for one in complaints), end="", flush=True)
    return bool(complaints)


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        tool = multitool(folder)
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
        subprocess.run((*pip, "--target", str(folder / "pip"), JUNITPARSER), check=True)
        dog = built(folder)
        schema = os.environ.get("RDF_SCHEMA", "")
        if not schema:
            print("rdjson is not held against a schema: RDF_SCHEMA names none")
        look = accessible(folder)
        failed += told("senders", "asyncapi", asyncapi(folder))
        if lacks := vscode.lacking():
            print(f"the extension is not tried in VS Code: no {lacks} on this machine")
        else:
            failed += told("editors/vscode", "VS Code", vscode.complaints(folder / "vscode"))
        for name, files in reports(folder):
            said = {"sarif": sarif(tool, files["sarif"]), "junit": junit(folder / "pip", files["junit"])}
            if schema:
                said["rdjson (schema)"] = misshapen(Path(schema), files["rdjson"])
            if dog is not None:
                said["rdjson"] = reviewdog(dog, files["rdjson"])
            if look is not None:
                said |= {kind: look(file) for kind, file in files.items() if kind.endswith("html")}
            for kind, complaints in said.items():
                failed += told(name, kind, complaints)
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
