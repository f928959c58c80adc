"""Random histories of the sample organisation: `--new-from` gives the difference of two full runs, and nothing less."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.adopt.scratch import Ran, Scratch, subdrift

SHOP = Path(__file__).parents[2] / "fixtures" / "orgs" / "shop"
HISTORIES = 240 if "SUBDRIFT_HOSTILE" in os.environ else 24
STEPS = 4
EDITS = (
    (r'"PAID \|\| SHIPPED"', '"PAID || LOST"'),
    (r'"PAID \|\| LOST"', '"PAID | LOST"'),
    (r'byTag\("HIGH"\)', 'byTag("HIGH,LOW")'),
    (r"amount > 1000", "amount > 7"),
    (r"BROADCASTING", "CLUSTERING"),
    (r'"order-cg"', '"promotion-cg"'),
    (r'"points-cg"', '"order-cg"'),
    (r'"promotion-cg"', '"points-cg"'),
    (r'= "ORDER"', '= "ORDERS"'),
    (r'SHIPPED = "SHIPPED"', 'SHIPPED = "SENT"'),
    (r'\("PAID", "SHIPPED"\)', '("PAID", "*")'),
    (r"group: order-cg\n", "group: price-cg\n"),
)


def files(scratch: Scratch) -> list[str]:
    names = scratch.git("ls-files").splitlines()
    return sorted(n for n in names if n.endswith((".java", ".py", ".yml", ".properties")))


def step(scratch: Scratch, chance: random.Random) -> str:
    """One change of the work tree; what it was, for the message of a failure."""
    kind = chance.choice(("edit",) * 8 + ("delete", "move", "move", "lines", "merge", "restore"))
    path = chance.choice(files(scratch))
    file = scratch.root / path
    match kind:
        case "edit":
            there = [
                (name, edit)
                for name in files(scratch)
                for edit in EDITS
                if re.search(edit[0], (scratch.root / name).read_text())
            ]
            path, (old, new) = chance.choice(there)
            text = (scratch.root / path).read_text()
            scratch.write(path, re.sub(old, lambda _: new, text, count=1))
        case "delete":
            scratch.git("rm", "-q", "-f", path)
        case "move":
            folder = file.parent / f"moved{chance.randrange(3)}"
            folder.mkdir(exist_ok=True)
            shutil.move(file, folder / file.name)
        case "lines":
            file.write_text("\n" * chance.randrange(1, 4) + file.read_text())
        case "restore":
            scratch.git("checkout", "-q", "start", "--", ".")
        case "merge":
            scratch.commit("before the merge")
            scratch.git("checkout", "-q", "-B", "side", "HEAD~1", check=False)
            scratch.write(f"side{chance.randrange(99)}.properties", "a = 1\n")
            step_edit = chance.choice(files(scratch))
            text = (scratch.root / step_edit).read_text()
            scratch.write(step_edit, text.replace("SHIPPED", "SENT"))
            scratch.commit("on the side")
            scratch.git("checkout", "-q", "main")
            scratch.git("merge", "-q", "-X", "ours", "-m", "merged", "side", check=False)
            scratch.git("add", "--all")
            return "merge"
    scratch.git("add", "--all")
    return f"{kind} {path}"


def fact(one: dict[str, Any]) -> tuple[Any, ...]:
    """What a finding says, apart from where; a level it may have."""
    if one["scope"] == "group":
        return (one["identity"], one["state"], one["level"])
    return (one["rule"], one["namespace"], one["group"], one["topic"], one["state"], one["level"])


def facts(ran: Ran) -> Counter[tuple[Any, ...]]:
    assert ran.code in (0, 1), ran.err
    return Counter(fact(part) for one in ran.json["findings"] for part in (one, *one["parts"]))


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_what_is_new_is_the_difference_of_two_full_runs(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    scratch = Scratch(tmp_path / "work")
    shutil.copytree(SHOP, scratch.root, dirs_exist_ok=True)
    scratch.write(".subdrift.toml", 'repository = "shop"\n')
    scratch.commit("start")
    scratch.git("tag", "start")
    said = []
    for _ in range(STEPS):
        said.append(step(scratch, chance))
        if chance.random() < 0.6:
            scratch.commit()
    base = chance.choice(["start", "start", "HEAD", *scratch.git("rev-list", "HEAD").splitlines()])
    earlier = tmp_path / "earlier"
    scratch.git("worktree", "add", "-q", "--detach", str(earlier), base)
    now, before = (
        facts(scratch.check()),
        facts(subdrift("check", earlier, "--output-format", "json", "--no-cache")),
    )
    found = facts(scratch.check("--new-from", base))
    assert found == _difference(now, before), said
    OBSERVED["new"] += sum(found.values())
    OBSERVED["old"] += sum((now & before).values())


OBSERVED: Counter[str] = Counter()


def _difference(now: Counter[tuple[Any, ...]], before: Counter[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    """More of a fact, or the same at a higher level: both are new."""
    order = {"note": 0, "warning": 1, "error": 2}
    left = before.copy()
    new: Counter[tuple[Any, ...]] = Counter()
    for one in sorted(now.elements(), key=lambda each: -order[each[-1]]):
        held = [
            each
            for each in left
            if each[:-1] == one[:-1] and order[each[-1]] >= order[one[-1]] and left[each]
        ]
        if held:
            left[min(held, key=lambda each: order[each[-1]])] -= 1
        else:
            new[one] += 1
    return new


def test_the_histories_showed_new_findings_and_old_ones() -> None:
    if not OBSERVED:
        pytest.skip("the histories ran in other processes")
    assert OBSERVED["new"] > HISTORIES // 2
    assert OBSERVED["old"] > HISTORIES
