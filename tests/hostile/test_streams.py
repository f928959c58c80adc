"""Streams, signals, surroundings: what happens when nobody listens, when there is no room, when somebody says stop."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from tests.hostile.kit import (
    SECONDS_MAX,
    command,
    environment,
    floor,
    git,
    listener,
    neighbours,
    run,
    used,
)

COMMANDS = (
    ("--version",),
    ("--help",),
    ("explain",),
    ("explain", "divergent-tags"),
    ("check", "{root}", "--no-cache"),
)


def slowly(values: Iterable[Any], fast: int = 1) -> list[ParameterSet]:
    """The first values run in `make test` too, the others in `make hostile` only."""
    return [pytest.param(one, marks=[pytest.mark.slow] * (index >= fast)) for index, one in enumerate(values)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    neighbours(root)
    return root


def started(arguments: tuple[str, ...], root: Path, **streams: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        command(*(part.replace("{root}", str(root)) for part in arguments)), env=environment(), **streams
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", slowly(COMMANDS[::-1]), ids=" ".join)
def test_a_full_stdout_is_one_sentence_and_two(arguments: tuple[str, ...], tree: Path) -> None:
    with open("/dev/full", "wb") as full:
        process = started(arguments, tree, stdout=full, stderr=subprocess.PIPE)
        _, said = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode == 2
    assert said.decode().startswith("subdrift: stdout")
    assert said.count(b"\n") == 1, said.decode()


@pytest.mark.parametrize("arguments", slowly(COMMANDS[::-1]), ids=" ".join)
def test_a_reader_that_has_gone_is_no_news(arguments: tuple[str, ...], tree: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = started(arguments, tree, stdout=write_end, stderr=subprocess.PIPE)
    os.close(write_end)
    _, said = process.communicate(timeout=SECONDS_MAX)
    assert said == b""
    assert process.returncode == (
        1 if arguments[0] in ("check", "--help") else 0
    )  # click's own code for help


@pytest.mark.parametrize("closed", slowly([(1,), (0,), (2,), (0, 1, 2)]))
def test_closed_streams_are_no_bug(closed: tuple[int, ...], tree: Path) -> None:
    def close() -> None:
        for one in closed:
            os.close(one)

    assert run("check", tree, "--no-cache", prepare=close).code == (2 if 1 in closed else 1)
    assert run("--help", prepare=close).code == (2 if 1 in closed else 0)


SURROUNDINGS = (
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "COLUMNS": "20"},
    {"HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "TMPDIR": "/nonexistent"},
    {
        "GIT_DIR": "/nonexistent",
        "GIT_WORK_TREE": "/",
        "GIT_INDEX_FILE": "/nonexistent",
        "GIT_TRACE": "/dev/stderr",
    },
)


@pytest.mark.parametrize(
    "arguments",
    slowly(
        [
            ("list", "--output-format", "jsonl"),
            ("check", "--output-format", "json"),
            ("check", "--output-format", "sarif"),
        ]
    ),
    ids=" ".join,
)
def test_results_are_the_same_bytes_in_every_surroundings(arguments: tuple[str, ...], tmp_path: Path) -> None:
    root = tmp_path / "tree"
    neighbours(root)
    listener(root, "Ä中", "größe", topic='"订单"')
    (root / "b.properties").write_bytes(b"k=\xff\n")
    with open(os.fsencode(root) + b"/\xe9.java", "wb") as out:
        out.write((root / "Ä中.java").read_bytes())
    git(root, "init", "-q")
    git(root, "add", "-A")
    plain = run(*arguments, root, "--no-cache")
    assert plain.out.isascii()
    for line in plain.out.splitlines() if arguments[0] == "list" else [plain.out]:
        json.loads(line)
    assert "\\u8ba2\\u5355" in plain.out
    for surroundings in SURROUNDINGS:
        assert run(*arguments, root, "--no-cache", env=surroundings).out == plain.out, surroundings


def test_a_folder_that_has_gone_is_a_sentence(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    for arguments in (
        ("check",),
        ("list", "--org", "."),
        ("clean",),
        ("predict", "x.toml"),
        ("scan", "--org", ".", "--out", "tables"),
        ("scan", "--manifest", "m.jsonl", "--out", "tables"),
    ):
        gone.mkdir()
        ran = run(*arguments, cwd=gone, prepare=lambda: os.rmdir(gone))
        assert ran.code in (0, 2) if arguments == ("clean",) else ran.code == 2
        assert ran.err.startswith("subdrift: ")
        assert ran.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="needs users")
def test_a_root_nobody_may_read_is_a_sentence(tree: Path) -> None:
    tree.chmod(0)
    for folder in (tree.parent, tree.parent.parent, tree.parent.parent.parent):
        folder.chmod(0o755)
    # root becomes nobody, who may not be able to read our own files (in a home folder of mode 0700, say): a run that fails
    # in the same way before that imports all there is to import
    script = (
        "import contextlib, io, os, sys, subdrift.linter.cli\n"
        "with contextlib.redirect_stderr(io.StringIO()):\n"
        f"    assert subdrift.linter.cli.run(['check', {str(tree / 'absent')!r}, '--no-cache']) == 2\n"
        "os.getuid() or os.setuid(65534)\n"
        f"sys.argv = ['subdrift', 'check', {str(tree)!r}, '--no-cache']\n"
        "subdrift.linter.cli.main()\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment(),
            capture_output=True,
            timeout=SECONDS_MAX,
            check=False,
        )
    finally:
        tree.chmod(0o755)
    assert done.returncode == 2
    assert done.stderr.decode() == f"subdrift: {tree}: Permission denied\n"


def test_explaining_nothing_is_a_mistake() -> None:
    ran = run("explain", "")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no rule ''" in ran.err


def large(root: Path) -> Path:
    """A tree that a run over takes many floors."""
    for number in range(400):
        body = "\n".join(f'  void m{index}() {{ String s{index} = "a" + {index}; }}' for index in range(400))
        listener(root / f"p{number}", f"L{number}", f"t{number}", body=body)
    return root


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_at_once_and_leaves_nothing(
    number: signal.Signals, code: int, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """At once: all its processes together use less of the processor than the smallest run does."""
    root = large(tmp_path / "tree")
    hit, told = 0, []
    for begun in (0.5, 1.0, 3.0, 8.0):
        with open(tmp_path / "said", "wb+") as errors:
            process = started(
                ("check", "{root}", "-j", "2"),
                root,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
            while process.poll() is None and spent([process.pid]) < begun * floor() / 2:
                time.sleep(0.005)
            running = process.poll() is None
            children = group_of(process.pid)
            before, sent = spent(children), time.perf_counter()
            process.send_signal(number)
            after = until_gone(children, before + floor())
            told.append(f"{time.perf_counter() - sent:.2f}")
            assert after < before + floor(), "it went on working, or left orphans"
            process.wait(timeout=SECONDS_MAX)
            errors.seek(0)
            said = errors.read()
        if not running or (process.returncode == 1 and not said):  # it had found what there is before
            continue
        hit += 1
        assert process.returncode in (code, -number), said.decode()  # before our first line Python's own end
        assert b"Traceback" not in said or process.returncode == -number
    tell(f"{number.name}: ended after {', '.join(told)} s; the floor of a run is {floor():.2f} s")
    assert hit
    assert not list(root.rglob(".subdrift-*"))


@pytest.mark.slow
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    root = large(tmp_path / "tree")
    process = started(
        ("check", "{root}", "-j", "2"),
        root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    children: list[int] = []
    for _ in range(200):
        children = [one for one in group_of(process.pid) if one != process.pid]
        if len(children) >= 2 or process.poll() is not None:
            break
        time.sleep(0.05)
    process.kill()
    process.wait(timeout=SECONDS_MAX)
    assert children, "no worker was ever seen"
    most = spent(children) + 2 * floor()
    assert until_gone(children, most) < most, "they went on working"


def spent(processes: Iterable[int]) -> float:
    """Seconds of the processor that processes have used, those that are still there."""
    total = 0.0
    for one in processes:
        with contextlib.suppress(OSError):
            total += used(one)
    return total


def until_gone(processes: Iterable[int], most: float) -> float:
    """Waits until processes have ended, or have used so much of the processor together; what they have used."""
    last = dict.fromkeys(processes, 0.0)
    patience = time.monotonic() + SECONDS_MAX
    while any(map(alive, last)) and sum(last.values()) < most:
        assert time.monotonic() < patience, "they wait for something"
        last = {one: max(seconds, spent([one])) for one, seconds in last.items()}
        time.sleep(0.005)
    return sum(last.values())


def group_of(leader: int) -> list[int]:
    """The processes of a session, by /proc."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if name.isdecimal():
            try:
                fields = Path("/proc", name, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] != "Z":
                found.append(int(name))
    return found


def alive(process: int) -> bool:
    try:
        return (
            Path("/proc", str(process), "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            != "Z"
        )
    except OSError:
        return False
