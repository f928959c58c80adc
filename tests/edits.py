"""Random edits of a tree under a warm cache: each answer is that of a run without one.

    python -m tests.edits CHECKOUT --edits 40 --seed 1

works on a copy and prints each edit whose answers differ, and how many deployables were taken over. Exit code 1 where
any differed.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from subdrift.linter import stages
from subdrift.linter.pipeline import Options, Result, analyse
from subdrift.linter.sources.checkout import discover
from subdrift.linter.store.cache import Cache
from subdrift.rules import ALL

SUFFIXES = (".java", ".kt", ".py", ".yml", ".yaml", ".properties", ".xml")
ROUND = 6
"""Edits on top of each other before the tree is put back."""


def said(result: Result) -> tuple[object, ...]:
    """Everything a report is made of."""
    return (result.consumers, result.findings, result.diagnostics, result.files)


def _comment(one: random.Random, text: str) -> str:
    return text + "\n"


def _line_above(one: random.Random, text: str) -> str:
    return "\n" + text


def _literal(one: random.Random, text: str) -> str:
    found = list(re.finditer(r'"[\w-]*"', text))
    if not found:
        return text + "\n"
    at = one.choice(found)
    return f'{text[: at.start()]}"x{one.randrange(9)}{at[0][1:]}{text[at.end() :]}'


def _without_line(one: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[one.randrange(len(lines))]
    return "".join(lines)


def _line_twice(one: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = one.randrange(len(lines))
        lines.insert(at, lines[at])
    return "".join(lines)


def _renamed(one: random.Random, text: str) -> str:
    names = sorted(set(re.findall(r"\b[a-zA-Z]\w{3,}\b", text)))
    if not names:
        return text
    name = one.choice(names)
    return re.sub(rf"\b{name}\b", f"{name}X", text, count=one.choice((0, 1)))


EDITS: tuple[Callable[[random.Random, str], str], ...] = (
    _comment,
    _line_above,
    _literal,
    _without_line,
    _line_twice,
    _renamed,
)


def edited(tree: Path, one: random.Random, files: list[Path]) -> str:
    """Does one edit, which the text tells."""
    path = one.choice(files)
    name = path.relative_to(tree)
    if not path.exists() or one.random() < 0.03:
        path.write_text("") if not path.exists() else path.unlink()
        return f"{name}: removed or emptied"
    how = one.choice(EDITS)
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    path.write_bytes(how(one, text).encode("utf-8", "surrogateescape"))
    return f"{name}: {how.__name__.strip('_')}"


def differences(tree: Path, store: Path, edits: int, seed: int, relevant: bool = True) -> Iterator[str]:
    """Edits files of a tree, which is changed, and tells each edit after which a warm run came to something else.

    `relevant`: three of four edits are of files that a run parses.
    """
    one = random.Random(seed)
    options = Options(workers=1)

    def run(warm: bool) -> Result:
        if not warm:
            return analyse(discover([], str(tree)), ALL, options=options)
        with Cache(str(store), "v") as cache:
            return analyse(discover([], str(tree)), ALL, options=options, cache=cache)

    first = analyse(discover([], str(tree)), ALL, options=options).material
    assert first is not None
    run(True)
    folders = {repository.name: Path(repository.root) for repository in discover([], str(tree))}
    parsed = [
        folders[placed.origin.repo] / placed.origin.path
        for placed in first.files
        if placed.origin.path.endswith(SUFFIXES)
    ]
    every = [path for path in sorted(tree.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
    if not every:
        return
    before: dict[Path, bytes] = {}
    for number in range(edits):
        if number % ROUND == 0:
            for path, content in before.items():
                path.write_bytes(content)
        files = parsed if relevant and parsed and one.random() < 0.75 else every
        for path in files:
            if path not in before and path.exists():
                before[path] = path.read_bytes()
        what = edited(tree, one, files)
        if said(run(True)) != said(run(False)):
            yield f"edit {number} of seed {seed}: {what}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    taken = [0, 0]
    carried = stages.Known._carried

    def counted(known: stages.Known, one: object) -> object:
        found = carried(known, one)  # type: ignore[arg-type]
        taken[known.recalled.get(one.key) is found and found is not None] += 1  # type: ignore[attr-defined]
        return found

    stages.Known._carried = counted  # type: ignore[method-assign, assignment]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / arguments.checkout.name
        shutil.copytree(arguments.checkout, tree, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        wrong = 0
        for told in differences(tree, Path(folder) / "cache", arguments.edits, arguments.seed):
            print(told, flush=True)
            wrong += 1
    print(f"{arguments.edits} edits, {wrong} differ; {taken[1]} of {sum(taken)} deployables taken over")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
