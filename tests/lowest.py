"""`python -m tests.lowest [PYTHON...]`: the tests with the lowest release of each dependency that pyproject.toml allows.

Each PYTHON (a command; none: this one) gets an environment of its own and runs everything but Spark, the hook and the
pipelines, which install environments themselves. Classifiers name the Pythons this was run with.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LEFT_OUT = (
    "tests/hook", "tests/adopt/test_ci.py", "tests/oracle", "tests/spark", "tests/cli/test_scan.py", "tests/test_imports.py",
    "tests/hostile/test_faults.py",
)  # fmt: skip
TOOLS = ("html5lib", "hypothesis", "jsonschema", "pytest", "pytest-xdist")


def lowest(requirements: list[str]) -> list[str]:
    """`name==lower bound` of each requirement."""
    found = []
    for one in requirements:
        name, bound, version = re.split(r"(>=)", one)
        if not bound or "," in version:
            raise SystemExit(f"pyproject.toml: {one!r} must be written name>=version")
        found.append(f"{name}=={version}")
    return found


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = lowest(project["dependencies"])
    failed = []
    for python in sys.argv[1:] or [sys.executable]:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run((python, "-m", "venv", folder), check=True)
            own = f"{folder}/bin/python"
            pip = (own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
            subprocess.run((*pip, *pins), check=True)
            subprocess.run((*pip, "--no-deps", "--editable", str(ROOT)), check=True)
            subprocess.run((*pip, "--constraint", str(ROOT / "constraints.txt"), *TOOLS), check=True)
            ignored = [f"--ignore={path}" for path in LEFT_OUT]
            tests = (own, "-m", "pytest", "-q", "-m", "not spark", *ignored)
            print(f"{python}: {', '.join(pins)}", flush=True)
            if subprocess.run(tests, cwd=ROOT, check=False).returncode:
                failed.append(python)
    return len(failed)


if __name__ == "__main__":
    raise SystemExit(main())
