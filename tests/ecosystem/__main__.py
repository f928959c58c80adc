"""`python -m tests.ecosystem CHECKOUTS [NAME …] [--held-out]`: scores, and every row that is not simply right.

CHECKOUTS holds one folder `owner+name` for each label file, at the commit of its header. `--held-out` scores the
repositories that are kept for the end too.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from subdrift.linter.pipeline import analyse
from subdrift.linter.sources.checkout import discover
from subdrift.rules import ALL
from tests.ecosystem.score import HELD_OUT, Score, load, rows, score

FOLDER = Path(__file__).parents[2] / "fixtures" / "ecosystem"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ecosystem", description=__doc__)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--held-out", action="store_true")
    options = parser.parse_args()
    scores: list[Score] = []
    for path in sorted((FOLDER / "labels").glob("*.jsonl")):
        labels = load(path)
        if options.names and path.stem not in options.names:
            continue
        if labels.repo in HELD_OUT and not options.held_out:
            continue
        checkout = options.checkouts / path.stem
        if not _at(checkout, labels.commit):
            print(f"{labels.repo}: no checkout at {labels.commit[:12]} in {checkout}, not scored")
            continue
        start = time.perf_counter()
        result = analyse(discover([str(checkout)]), ALL)
        seconds = time.perf_counter() - start
        one = score(labels, rows(result.consumers))
        scores.append(one)
        counts = Counter(diagnostic.name for diagnostic in result.diagnostics)
        print(
            f"{labels.repo}: sites {one.found}/{one.labelled} found, {one.false} false; "
            f"values {one.right}/{one.knowable} right, {one.invented} invented; {seconds:.1f} s; "
            + ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        )
        if one.lines:
            print("\n".join(one.lines))
    _summary(scores)
    return 0


def _at(checkout: Path, commit: str) -> bool:
    if not checkout.is_dir():
        return False
    head = subprocess.run(
        ["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return head.stdout.strip() == commit


def _summary(scores: list[Score]) -> None:
    labelled = sum(s.labelled * s.weight for s in scores)
    found = sum(s.found * s.weight for s in scores)
    reported = sum(s.reported * s.weight for s in scores)
    knowable = sum(s.knowable * s.weight for s in scores)
    right = sum(s.right * s.weight for s in scores)
    if not labelled:
        print("nothing was scored")
        return
    print(
        f"\n{len(scores)} repositories, {sum(s.labelled for s in scores)} labelled rows\n"
        f"sites: recall {found / labelled:.3f}, precision {found / max(reported, 1e-9):.3f}\n"
        f"values: {right / max(knowable, 1e-9):.3f} of the knowable right, {sum(s.invented for s in scores)} invented"
    )


if __name__ == "__main__":
    sys.exit(main())
