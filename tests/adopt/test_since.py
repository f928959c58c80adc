"""`--since`: what is new, changed or gone beside a report of before, and nothing is left out for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.adopt.scratch import Scratch, subdrift


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    scratch = Scratch(tmp_path / "work")
    for group in ("kept", "edited", "gone"):
        scratch.listener(f"{group.title()}A", "a", group=group)
        scratch.listener(f"{group.title()}B", "b", group=group)
    return scratch


def change(scratch: Scratch) -> None:
    scratch.listener("EditedB", "c", group="edited")
    scratch.listener("GoneB", "a", group="gone")
    scratch.listener("FreshA", "a", group="fresh")
    scratch.listener("FreshB", "b", group="fresh")


def run(scratch: Scratch, before: Path, *arguments: str) -> tuple[str, str]:
    """The last lines and the page of a run beside a report of before."""
    page = scratch.root.parent / "page.html"
    where: tuple[str | Path, ...] = (
        scratch.root,
        "--no-cache",
        "--since",
        before,
        f"--output=html={page}",
        *arguments,
    )
    ran = subdrift("check", *where)
    assert ran.err == ""
    assert ran.code == 1
    return ran.out, page.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["json", "baseline"])
def test_what_is_new_changed_or_gone_is_told(scratch: Scratch, kind: str) -> None:
    before = scratch.root.parent / "before.json"
    if kind == "json":
        subdrift("check", scratch.root, "--no-cache", f"--output=json={before}")
    else:
        subdrift("baseline", "write", scratch.root, "--no-cache", "--baseline", before)
    change(scratch)
    out, page = run(scratch, before)
    assert "Compared with before.json: 1 new, 1 changed, 1 gone." in out
    assert "3 errors" in out
    assert page.count('data-n="new"') == 1
    assert page.count('data-n="changed"') == 1
    assert "Error · divergent-tags · group gone · topic T" in page


def test_nothing_is_new_beside_itself(scratch: Scratch) -> None:
    before = scratch.root.parent / "before.json"
    subdrift("check", scratch.root, "--no-cache", f"--output=json={before}")
    out, page = run(scratch, before)
    assert "Compared with before.json: 0 new, 0 changed, 0 gone." in out
    assert "Every finding of the earlier run is still there." in page


def test_what_is_suppressed_by_now_is_not_gone(scratch: Scratch) -> None:
    before = scratch.root.parent / "before.json"
    subdrift("check", scratch.root, "--no-cache", f"--output=json={before}")
    for name in ("GoneA", "GoneB"):
        text = (scratch.root / f"{name}.java").read_text()
        scratch.write(
            f"{name}.java", text.replace("@Rocket", "// subdrift: ignore[divergent-tags] known\n@Rocket", 1)
        )
    out, _ = run(scratch, before)
    assert "(1 suppressed)" in out
    assert "0 new, 0 changed, 0 gone." in out


def test_a_narrower_report_calls_nothing_gone(scratch: Scratch) -> None:
    before = scratch.root.parent / "before.json"
    subdrift("check", scratch.root, "--no-cache", f"--output=json={before}")
    out, _ = run(scratch, before, "--select", "divergent-tags", "--select", "divergent-topics")
    assert "0 new, 0 changed, 0 gone." in out


BROKEN = [
    ("", "is not valid JSON"),
    ("[1]", "is not a baseline of this version"),
    ("\xff", "is not UTF-8"),
    (json.dumps({"tool": {}, "schema_version": 9, "findings": []}), "is not a report"),
    (
        json.dumps({"tool": {}, "schema_version": 1, "findings": [{"rule": "x"}]}),
        "finding 1 is not as `check`",
    ),
    (
        json.dumps({"tool": {}, "schema_version": 1, "findings": [{"suppressed": None, "level": 3}]}),
        "finding 1 is not as `check`",
    ),
]


@pytest.mark.parametrize(("text", "says"), BROKEN)
def test_a_report_that_cannot_be_read_is_said_with_its_file(scratch: Scratch, text: str, says: str) -> None:
    before = scratch.root.parent / "before.json"
    before.write_bytes(text.encode("latin-1"))
    ran = subdrift("check", scratch.root, "--no-cache", "--since", before)
    assert ran.code == 2
    assert "before.json" in ran.err
    assert says in ran.err


def test_a_report_that_is_not_there_is_said(scratch: Scratch) -> None:
    ran = subdrift("check", scratch.root, "--no-cache", "--since", "nowhere.json")
    assert (ran.code, ran.err) == (2, "subdrift: nowhere.json: No such file or directory\n")


def test_owners_come_from_codeowners(scratch: Scratch) -> None:
    scratch.write("CODEOWNERS", "* @everyone\nKept* @keepers\n")
    before = scratch.root.parent / "before.json"
    subdrift("baseline", "write", scratch.root, "--no-cache", "--baseline", before)
    _, page = run(scratch, before)
    assert '<option value="0">@everyone</option><option value="1">@keepers</option>' in page
    assert page.count('data-o=" 1 "') == 1
