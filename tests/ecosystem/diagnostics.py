"""`python -m tests.ecosystem.diagnostics CHECKOUTS [NAME …] [--python PYTHON]`: what a reader is told beside the findings.

For each checkout, and for all of them: findings, entries of diagnostics that the text report prints, places they stand
for, and the ratio of entries to findings. PYTHON is that of another installation, to compare with.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from subdrift.linter.model.finding import DIAGNOSTICS

_ENTRY = re.compile(rf"(?m)^warning\[({'|'.join(DIAGNOSTICS)})\]")


@dataclass(slots=True)
class Told:
    """What one report says: `findings` by their causes, `entries` and `places` of diagnostics by name."""

    findings: int = 0
    entries: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)

    def add(self, other: Told) -> None:
        self.findings += other.findings
        self.entries += other.entries
        self.places += other.places

    def __str__(self) -> str:
        ratio = self.entries.total() / self.findings if self.findings else self.entries.total()
        named = ", ".join(f"{name} {count}" for name, count in self.entries.most_common())
        return (
            f"{self.findings} findings, {self.entries.total()} entries ({self.places.total()} places), "
            f"{ratio:.1f} : 1" + (f"; {named}" if named else "")
        )


def told(text: str, report: dict[str, Any]) -> Told:
    """What the text and the JSON report of one run say."""
    return Told(
        len(report["findings"]),
        Counter(_ENTRY.findall(text)),
        Counter(one["name"] for one in report["diagnostics"]),
    )


def of_checkout(python: str, checkout: Path) -> Told:
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "report.txt"
        command = [python, "-m", "subdrift", "check", "--isolated", "--no-cache", "--fail-on", "never"]
        command += ["--lang", "en", "--output-format", "json", "--output", f"text={written}"]
        done = subprocess.run(command, cwd=checkout, capture_output=True, check=True)
        return told(written.read_text(encoding="utf-8"), json.loads(done.stdout))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    whole = Told()
    for checkout in sorted(path for path in options.checkouts.iterdir() if path.is_dir()):
        if options.names and checkout.name not in options.names:
            continue
        one = of_checkout(options.python, checkout)
        print(f"{checkout.name}: {one}", flush=True)
        whole.add(one)
    print(f"all: {whole}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
