"""`python -m tests.fuzz`: every surface in turn, for some minutes. Exits with 1 if anything was found.

A process of its own for each surface, so that a parser that dies is a finding too. What is found is written to
`tests/fuzz/corpus/<surface>/`, where it stays as a case once it is mended.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
import time

from tests.fuzz.engine import fuzz
from tests.fuzz.surfaces import CORPUS, SURFACES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--surface", choices=[one.name for one in SURFACES])
    options = parser.parse_args()
    seed = time.time_ns() % 1_000_000 if options.seed is None else options.seed
    if options.surface:
        return one(options.surface, options.minutes * 60, seed)
    bad = []
    for surface in SURFACES:
        minutes = options.minutes / len(SURFACES)
        command = [
            sys.executable,
            "-m",
            "tests.fuzz",
            "--surface",
            surface.name,
            "--minutes",
            str(minutes),
            "--seed",
            str(seed),
        ]
        code = subprocess.run(command, check=False).returncode
        if code not in (0, 1):
            print(f"{surface.name}: the process ended with {code} (seed {seed})", flush=True)
        bad += [surface.name] * (code != 0)
    print(f"seed {seed}: {', '.join(bad) if bad else 'nothing found'}")
    return bool(bad)


def one(name: str, seconds: float, seed: int) -> int:
    (surface,) = (each for each in SURFACES if each.name == name)
    tried, found = fuzz(surface, seconds, random.Random(seed))
    print(f"{name}: {tried:,} inputs, {len(found)} findings", flush=True)
    for trouble in found:
        folder = CORPUS / name
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / hashlib.sha256(trouble.content).hexdigest()[:12]
        file.write_bytes(trouble.content)
        print(f"  {trouble.what}\n  kept as {file} (seed {seed})", flush=True)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
