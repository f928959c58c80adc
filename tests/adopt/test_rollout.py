"""`rollout --from`: what is deployed is the code of a revision, the goal is the code of now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.adopt.scratch import Scratch, subdrift


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    """Two members that ask for more since the first commit."""
    scratch = Scratch(tmp_path / "work")
    for tags in ("a || b", "b || c||a"):
        scratch.listener("A", tags)
        scratch.listener("B", tags)
        scratch.commit()
    return scratch


def test_the_way_leads_from_a_revision_to_the_code(scratch: Scratch) -> None:
    ran = subdrift("rollout", "g", "T", scratch.root, "--from", "HEAD~1", "--output-format", "json")
    plan = json.loads(ran.out)
    assert (plan["change"], plan["to"]) == ("widen", "b || c||a")
    members = plan["now"]["members"]
    assert {each["expression"] for one in members for each in one["subscriptions"]} == {"a || b"}
    other = subdrift("rollout", "g", "T", scratch.root, "--from", "HEAD~1", "--to", "a")
    assert "to `a` (fewer tags)" in other.out


def test_what_cannot_be_planned_is_said(scratch: Scratch) -> None:
    def said(*arguments: str) -> str:
        ran = subdrift("rollout", "g", "T", scratch.root, *arguments)
        assert ran.code == 2
        return ran.err

    assert "say what the members are to subscribe to" in said()
    assert "does not know the revision 'nope'" in said("--from", "nope")
    assert "give either --from REV or --scenario FILE" in said(
        "--from", "HEAD", "--scenario", "x.toml", "--to", "a"
    )
    scratch.listener("B", "x")
    assert "the members subscribe to `b || c||a` and `x` of 'T'; say which" in said("--from", "HEAD")
    scratch.listener("A", "a", group="h")
    scratch.listener("B", "a", group="h")
    scratch.commit()
    assert "HEAD: there is no group 'g'" in said("--from", "HEAD", "--to", "a")
