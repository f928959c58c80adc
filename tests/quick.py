"""`python -m tests.quick`: lint, and the tests of the rooms that differ from main, for a minute's look before the whole gate.

A room is a folder of `linter/`, its tests the folder of that name, all cases where it reads or resolves, what users see
where it prints; a changed test runs itself, a changed case all cases of its area. Those on Spark, the bench and the tests
of tools that install environments are left to `make test`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ("subdrift", "linter", "rules", "spark_jobs", "tests")
ALWAYS = ("tests/test_imports.py",)
OF_RULES = ("tests/rules", "tests/test_models.py")
CASES = "tests/test_cases.py"
OUTPUTS = "tests/test_golden.py"
BESIDE = dict.fromkeys(("clients", "extract", "languages", "recognise", "resolve", "stages", "text"), CASES)
BESIDE |= dict.fromkeys(("cli", "report"), OUTPUTS)
"""What tries a room beside its own tests."""
SECONDS_MAX = 60


def chosen(changed: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tests to run for changed paths, and the areas of cases."""
    tests, areas = set(ALWAYS), set()
    for path in changed:
        first, *rest = Path(path).parts
        if first == "linter" and rest:
            room = f"tests/{rest[0].removesuffix('.py')}"
            tests |= {one for one in (room, f"tests/test_{Path(rest[0]).stem}.py") if (ROOT / one).exists()}
            tests |= {BESIDE[rest[0]]} if rest[0] in BESIDE else set()
        elif first == "rules":
            tests.update(OF_RULES)
            areas.add("rules")
        elif first == "tests" and Path(path).name.startswith("test_") and (ROOT / path).exists():
            tests.add(path)
        elif path.startswith("fixtures/cases/"):
            areas.add(rest[1])
        elif path.endswith(".md"):
            tests.add("tests/test_docs.py")
    return tuple(sorted(tests)), () if CASES in tests else tuple(sorted(areas))


def changes() -> list[str]:
    """What differs from main, committed or not."""

    def git(*arguments: str) -> list[str]:
        ran = subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True)
        return ran.stdout.splitlines()

    (base,) = git("merge-base", "HEAD", "main")
    return [*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")]


def main() -> int:
    begun = time.monotonic()
    tests, areas = chosen(changes())
    python = Path(sys.executable)
    tool = [str(python.parent / name) for name in ("ruff", "mypy", "lint-imports")]
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not spark and not slow"]
    commands: list[Sequence[str]] = [
        (tool[0], "format", "--check", *SOURCES),
        (tool[0], "check", *SOURCES),
        (tool[1],),
        (tool[2],),
        (*pytest, "-n", "2", "--dist", "worksteal", *tests),
    ]
    if areas:
        commands.append((*pytest, CASES, "-k", " or ".join(areas)))
    for command in commands:
        if code := subprocess.run(command, cwd=ROOT, check=False).returncode:
            return code
    seconds = time.monotonic() - begun
    over = (
        ""
        if seconds < SECONDS_MAX
        else f", more than {SECONDS_MAX}: too many rooms at once, or other work on these processors"
    )
    print(f"quick: {' '.join(tests)}: {seconds:.0f} s{over}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
