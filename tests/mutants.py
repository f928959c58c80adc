"""`python -m tests.mutants FILE TESTS…`: changes one thing at a time in a module, and counts the changes the tests notice.

A small runner of its own: mutmut 3 runs the tests inside a copied tree with trampolines around each function, which the
import contracts and the golden files of this project take for changes; cosmic-ray keeps a session database and needs a
worker. This one parses a module, applies one mutation of the kinds below, runs the given tests until the first failure,
and puts the file back. What survives is printed with its line: a test is missing there, or the code says too much.

Changes that nobody could notice are listed in `mutants.toml` beside it, each with the reason: these are not made.
"""

from __future__ import annotations

import argparse
import ast
import copy
import random
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

EQUIVALENT = Path(__file__).with_suffix(".toml")

_COMPARE = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def mutations(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """A word for the change, and the node that takes the place of this one."""
    changed = copy.deepcopy(node)
    match changed:
        case ast.Compare(ops=[op]) if type(op) in _COMPARE:
            changed.ops = [_COMPARE[type(op)]()]
            yield f"{type(op).__name__} becomes {type(changed.ops[0]).__name__}", changed
        case ast.BoolOp(op=op):
            changed.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"{type(op).__name__} becomes the other", changed
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not is left out", operand
        case ast.Constant(value=bool(value)):
            changed.value = not value
            yield f"{value} becomes {not value}", changed
        case ast.Constant(value=int(value)):
            changed.value = value + 1
            yield f"{value} becomes {value + 1}", changed
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            changed.func = ast.Name(_CALLS[name], ast.Load())
            yield f"{name} becomes {_CALLS[name]}", changed
        case ast.BinOp(op=ast.Add()):
            changed.op = ast.Sub()
            yield "+ becomes -", changed
        case ast.BinOp(op=ast.Sub()):
            changed.op = ast.Add()
            yield "- becomes +", changed
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):  # type: ignore[attr-defined]
            changed.value = ast.Constant(None)
            yield "nothing is returned", changed
        case ast.Continue():
            yield "continue becomes pass", ast.Pass()


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, change and text of every mutant of a module; docstrings and annotations stay."""
    tree = ast.parse(source)
    lines = source.split("\n")
    for node in ast.walk(tree):
        start, end = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
        if start is None or start != end:
            continue
        for change, other in mutations(node):
            column, stop = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
            line = lines[start - 1].encode()
            text = ast.unparse(ast.fix_missing_locations(other))
            if not isinstance(other, ast.stmt):
                text = f"({text})"
            found = [*lines]
            found[start - 1] = (line[:column] + text.encode() + line[stop:]).decode()
            yield start, change, "\n".join(found)


def equivalent(file: Path) -> set[tuple[str, str]]:
    """Line (its text) and change of the mutants of a file that are the same program."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    here = [one for one in listed if one["file"] == file.as_posix()]
    lines = {line.strip() for line in file.read_text(encoding="utf-8").split("\n")}
    if gone := [one["line"] for one in here if one["line"] not in lines]:
        raise SystemExit(f"{EQUIVALENT.name}: {file} has no such line: {gone[0]}")
    return {(one["line"], change) for one in here for change in one["changes"]}


def survives(tests: list[str], keyword: str, seconds: int) -> bool:
    """Whether the tests pass all the same; one that hangs has noticed."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    if keyword:
        command += ["-k", keyword]
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("file", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--most", type=int, default=60, help="mutants that are tried, picked with --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keyword", default="", help="the tests whose names fit, as `pytest -k` has it")
    parser.add_argument("--seconds", type=int, default=300, help="time the tests may take")
    options = parser.parse_args()
    source = options.file.read_text(encoding="utf-8")
    lines, same = source.split("\n"), equivalent(options.file)
    every = [
        one for one in mutants(source) if one[2] != source and (lines[one[0] - 1].strip(), one[1]) not in same
    ]
    picked = sorted(random.Random(options.seed).sample(every, min(options.most, len(every))))
    if not survives(options.tests, options.keyword, options.seconds):
        print("The tests fail as they are; nothing can be said of what they notice.", file=sys.stderr)
        return 2
    alive = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the file is put back
    try:
        for line, change, text in picked:
            options.file.write_text(text, encoding="utf-8")
            if survives(options.tests, options.keyword, options.seconds):
                alive.append(f"{options.file}:{line}: {change}")
                print(alive[-1], flush=True)
    finally:
        options.file.write_text(source, encoding="utf-8")
    killed = len(picked) - len(alive)
    print(
        f"{killed} of {len(picked)} mutants noticed ({100 * killed // max(1, len(picked))} %), {len(every)} in all"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
