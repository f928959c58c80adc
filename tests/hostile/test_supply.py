"""What an installation brings along: what is declared and nothing else; two builds of one state are equal."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.hostile.kit import ROOT, environment

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINNED = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split())


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_everything_declared_is_pinned_at_or_above_its_lower_bound() -> None:
    pinned = {canonical(name): version for name, version in PINNED.items()}
    for requirement in (
        *PROJECT["dependencies"],
        *(one for extra in PROJECT["optional-dependencies"].values() for one in extra),
    ):
        name, _, bound = requirement.partition(">=")
        assert canonical(name) in pinned, requirement
        if bound:
            at_least, have = (
                tuple(map(int, re.findall(r"\d+", text))) for text in (bound, pinned[canonical(name)])
            )
            assert have >= at_least, requirement


def test_every_pin_has_its_hashes_and_the_gate_asks_for_them() -> None:
    text = (ROOT / "hashes.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    hashed: dict[str, str] = {}
    for line in text.splitlines():
        name, _, version = line.split()[0].partition("==")
        hashes = re.findall(r"--hash=(\S+)", line)
        assert hashes, line
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", one) for one in hashes), line
        hashed[canonical(name)] = version
    missing = {name for name, version in PINNED.items() if hashed.get(canonical(name)) != version}
    assert not missing, f"{missing}: run `make hashes`"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"^\$\(VENV\)/\.dev:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert "--require-hashes --requirement hashes.txt" in recipe
    assert recipe.count("$(PIP)") == recipe.count("--no-deps") + 1, "nothing else is fetched"


def test_a_parser_that_dies_of_garbage_is_not_allowed() -> None:
    (bound,) = (one for one in PROJECT["dependencies"] if re.match(r"tree-sitter\b(?!-)", one))
    assert bound == "tree-sitter>=0.26.1"


@pytest.mark.slow
def test_an_installation_brings_only_what_is_declared(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    copy = tmp_path / "source"
    shutil.copytree(
        ROOT,
        copy,
        ignore=shutil.ignore_patterns(".git", ".venv", "fixtures", "*.egg-info", "build", ".*_cache"),
    )
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--constraint",
        str(ROOT / "constraints.txt"),
        str(copy),
    ]
    subprocess.run(install, check=True, env=environment({"PYTHONPATH": ""}))
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=freeze"],
        check=True,
        capture_output=True,
        text=True,
        env=environment({"PYTHONPATH": ""}),
    ).stdout
    brought = {canonical(line.partition("==")[0]) for line in listed.split()} - {"pip", "setuptools", "wheel"}
    declared = {canonical(re.split(r"[><=\[]", one)[0]) for one in PROJECT["dependencies"]}
    below = {
        "annotated-doc", "annotated-types", "click", "markdown-it-py", "markupsafe", "mdurl", "pydantic", "pydantic-core",
        "pygments", "shellingham", "typing-extensions", "typing-inspection",
    }  # fmt: skip
    assert brought - declared - below == {"subdrift"}
    done = subprocess.run(
        [tmp_path / "venv" / "bin" / "subdrift", "explain", "divergent-tags"], capture_output=True, check=False,
        env=environment({"PYTHONPATH": ""}),
    )  # fmt: skip
    assert done.returncode == 0


@pytest.mark.slow
def test_two_builds_of_one_state_are_the_same_bytes(tmp_path: Path) -> None:
    wheels = []
    for number, folder in enumerate(("one", "another/place")):
        copy = tmp_path / folder
        shutil.copytree(
            ROOT,
            copy,
            ignore=shutil.ignore_patterns(".git", ".venv", "fixtures", "*.egg-info", "build", ".*_cache"),
        )
        out = tmp_path / f"dist{number}"
        subprocess.run(
            [sys.executable, "-m", "build", "--wheel", "--outdir", out, copy], check=True, capture_output=True,
            env=environment({"SOURCE_DATE_EPOCH": "1700000000", "PYTHONPATH": "", "PYTHONHASHSEED": str(number)}),
        )  # fmt: skip
        wheels.append(next(out.glob("*.whl")))
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    names = zipfile.ZipFile(wheels[0]).namelist()
    assert all(name.startswith(("subdrift/", "subdrift-")) for name in names)


@pytest.mark.slow
def test_an_audit_without_a_registry_is_said() -> None:
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_RETRIES": "0",
        "PIP_NO_CACHE_DIR": "1",
        "PIP_CONFIG_FILE": "/dev/null",
    }
    done = subprocess.run(
        [str(ROOT / ".ci" / "audit")], env=environment(nowhere), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr.startswith("not audited: the registry does not answer")


AUDITOR = """#!/bin/sh
# stands for a Python whose environments have a pip-audit that answers
mkdir -p "$3/bin"
printf '#!/bin/sh\\n[ "$1" = -m ] && exit 0\\nexec {python} "$@"\\n' > "$3/bin/python"
printf '#!/bin/sh\\nwhile [ "$1" != --output ]; do shift; done\\ncp {answer} "$2"\\n' > "$3/bin/pip-audit"
chmod +x "$3/bin/python" "$3/bin/pip-audit"
"""
KNOWN = {"name": "a", "version": "1", "vulns": []}
SKIPPED = {"name": "b", "skip_reason": "not there"}
BAD = {"name": "c", "version": "2", "vulns": [{"id": "CVE-1"}]}


@pytest.mark.parametrize(
    ("answer", "code", "out", "err"),
    [
        (
            [KNOWN, SKIPPED],
            0,
            "audited 1 packages, 0 known vulnerabilities; not known to the registry: ['b']\n",
            "",
        ),
        ([KNOWN, BAD], 1, "c 2: CVE-1\naudited 2 packages, 1 known", ""),
        ([SKIPPED], 0, "", "not audited: the registry knows no vulnerabilities"),
    ],
)
def test_what_an_audit_has_found_is_said(
    answer: list[dict[str, object]], code: int, out: str, err: str, tmp_path: Path
) -> None:
    file, stub = tmp_path / "answer.json", tmp_path / "python"
    file.write_text(json.dumps({"dependencies": answer}))
    stub.write_text(AUDITOR.format(python=sys.executable, answer=file))
    stub.chmod(0o755)
    done = subprocess.run(
        [ROOT / ".ci" / "audit"],
        env=environment({"PYTHON": str(stub)}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.startswith(out), done.stderr.startswith(err)) == (
        code,
        True,
        True,
    ), done
    assert bool(done.stdout) == bool(out)
