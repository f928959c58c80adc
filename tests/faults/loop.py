"""One fault at a time, and what a run makes of it beside what a run from nothing says: equal, or refused in a sentence, or
(of a repository that is damaged) named. Anything else is wrong."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from tests.adopt.scratch import Ran, subdrift
from tests.faults.damages import damage
from tests.faults.network import may_part, parted
from tests.registry.kit import committed, copied, repositories_of

ROOT: Final = Path(__file__).parents[2]
PLAIN: Final = ("--output-format", "json")
SCAN_SECONDS_MAX: Final = 300.0


class Outcome(Struct, frozen=True):
    """What came of one fault: `equal`, `refused`, `named`, or "wrong", with what was done and said."""

    kind: str
    done: str
    said: str = ""


class Place:
    """An organisation whose repositories are committed, with mirrors, a registry, a cache and what runs from nothing say."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        org = copied("shop", folder / "org")
        (folder / "mirrors").mkdir()
        for one in repositories_of(org):
            committed(one)
            to = folder / "mirrors" / f"{one.name}.git"
            subprocess.run(
                ("git", "clone", "-q", "--mirror", "--no-hardlinks", str(one), str(to)), check=True
            )
        self.org = org
        self.one = org / "notify"
        self.registry = folder / "registry.db"
        assert (
            subdrift("check", "--org", org, "--no-cache", "--registry-out", self.registry, *PLAIN).code == 1
        )
        self.expected = {
            "org": subdrift("check", "--org", org, "--no-cache", *PLAIN),
            "mirrors": subdrift("check", "--org", folder / "mirrors", "--no-cache", *PLAIN),
            "against": subdrift("check", self.one, "--against", self.registry, "--no-cache", *PLAIN),
        }
        self.tables = folder / "tables"

    @contextmanager
    def kept(self, name: str) -> Iterator[Path]:
        """A folder or file that is as it was in the end."""
        path, copy = self.folder / name, self.folder / "kept"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        take = shutil.copytree if path.is_dir() else shutil.copy2
        take(path, copy / path.name)
        try:
            yield path
        finally:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
            os.rename(copy / path.name, path)


def content(ran: Ran) -> Any:
    """What a report says, without the time a registry was made."""
    if not ran.out:
        return None
    found = json.loads(ran.out)
    return ran.code, found["findings"], found["diagnostics"]


def beside(ran: Ran, expected: Ran, done: str) -> Outcome:
    """What a run came to beside one from nothing."""
    if "bug in subdrift" in ran.err or "Traceback" in ran.err:
        return Outcome("wrong", done, ran.err)
    if ran.code == 2 and ran.err.startswith("subdrift: ") and not ran.out:
        return Outcome("refused", done, ran.err)
    found = content(ran)
    if found == content(expected):
        return Outcome("equal", done, ran.err)
    if found is not None and any(one["name"] == "unreadable-file" for one in found[2]):
        return Outcome("named", done, ran.out)
    return Outcome("wrong", done, f"exit {ran.code}\n{ran.err}\n{ran.out}")


def files_in(folder: Path) -> list[Path]:
    return sorted(one for one in folder.rglob("*") if one.is_file() and not one.is_symlink())


def of_registry(place: Place, chance: random.Random) -> Outcome:
    """A registry that a check of one repository goes by."""
    with place.kept("registry.db") as file:
        done = damage([file], chance)
        ran = subdrift("check", place.one, "--against", file, "--no-cache", *PLAIN)
        return never_named(beside(ran, place.expected["against"], done))


def of_cache(place: Place, chance: random.Random) -> Outcome:
    """The cache of a run over all, cold or warm."""
    cache = place.folder / "cache"
    arguments = ("check", "--org", place.org, "--cache-dir", cache, *PLAIN)
    if not cache.exists() or chance.random() < 0.2:
        shutil.rmtree(cache, ignore_errors=True)
        subdrift(*arguments)
    done = damage(files_in(cache), chance)
    outcome = beside(subdrift(*arguments), place.expected["org"], done)
    again = beside(subdrift(*arguments), place.expected["org"], f"{done}, once more")
    return always_equal(outcome if outcome.kind != "equal" else again)


def of_mirror(place: Place, chance: random.Random) -> Outcome:
    """A file of git's in one of several mirrors."""
    with place.kept("mirrors") as mirrors:
        one = chance.choice(sorted(mirrors.iterdir()))
        if chance.random() < 0.5:
            subprocess.run(("git", "gc", "-q"), cwd=one, check=True)
        done = f"{one.name} {damage(files_in(one), chance)}"
        return beside(
            subdrift("check", "--org", mirrors, "--no-cache", *PLAIN), place.expected["mirrors"], done
        )


def of_base(place: Place, chance: random.Random) -> Outcome:
    """A file of git's in a checkout that is compared with its commit: nothing is new there."""
    with place.kept("org") as org:
        one = chance.choice(repositories_of(org))
        main = next((each for each in files_in(one) if each.suffix in (".py", ".java")), None)
        if main is not None:
            main.write_bytes(main.read_bytes() + b"\n")
        arguments = ("check", one, "--new-from", "HEAD", "--no-cache", *PLAIN)
        expected = subdrift(*arguments)
        done = f"{one.name} {damage(files_in(one / '.git'), chance)}"
        return beside(subdrift(*arguments), expected, done)


def of_state(place: Place, chance: random.Random) -> Outcome:
    """The state that a later scan goes by."""
    arguments = ("scan", "--org", place.folder / "mirrors", *PLAIN)
    if not place.tables.exists():
        place.expected["scan"] = subdrift(*arguments, "--out", place.tables)
    with place.kept("tables") as tables:
        done = damage([*files_in(tables / "state"), *files_in(tables / "findings")], chance)
        out = place.folder / "again"
        shutil.rmtree(out, ignore_errors=True)
        ran = subdrift(*arguments, "--out", out, "--since", tables)
        return never_named(beside(ran, place.expected["scan"], done))


def of_worker(place: Place, chance: random.Random) -> Outcome:
    """A Python worker of Spark's, killed while it works; Spark tries its share again."""
    out = place.folder / "killed"
    shutil.rmtree(out, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "subdrift",
        "scan",
        "--org",
        str(place.folder / "mirrors"),
        "--out",
        str(out),
    ]
    with open(place.folder / "out", "w+") as stdout, open(place.folder / "err", "w+") as stderr:
        process = subprocess.Popen((*command, *PLAIN), cwd=ROOT, stdout=stdout, stderr=stderr)
        end = time.monotonic() + SCAN_SECONDS_MAX
        wanted, killed = chance.randrange(1, 4), 0
        while process.poll() is None and time.monotonic() < end:
            time.sleep(chance.random())
            workers = [pid for pid in descendants(process.pid) if "pyspark.daemon" in command_of(pid)]
            if workers and killed < wanted:
                killed += 1
                with suppress(ProcessLookupError):  # it has ended meanwhile
                    os.kill(chance.choice(workers), signal.SIGKILL)
        if process.poll() is None:
            process.kill()
            process.wait()
            return Outcome("wrong", f"{killed} workers killed", "the scan did not end")
        stdout.seek(0)
        stderr.seek(0)
        ran = Ran(process.returncode, stdout.read(), stderr.read())
    lines = [line for line in ran.err.splitlines() if line.startswith("subdrift: ")]
    ran.err = "\n".join(lines) if lines else ran.err
    return beside(ran, place.expected["mirrors"], f"{killed} workers killed")


def of_network(place: Place, chance: random.Random) -> Outcome:
    """The network between a worker of Spark's and its master, parted for a while or for good."""
    if not may_part():
        return Outcome("left out", "needs the right to make network namespaces")
    folder = place.folder / "network"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    done, ran = parted(place.folder / "mirrors", folder, chance)
    return beside(ran, place.expected["mirrors"], done)


def descendants(pid: int) -> list[int]:
    """The processes below one, by /proc."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children += (thread / "children").read_text().split()
    except OSError:
        return []
    found = sorted({int(child) for child in children})
    return found + [below for child in found for below in descendants(child)]


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def never_named(found: Outcome) -> Outcome:
    """What is no repository is not named as one."""
    return found if found.kind != "named" else Outcome("wrong", found.done, found.said)


def always_equal(found: Outcome) -> Outcome:
    """A cache decides nothing."""
    return found if found.kind == "equal" else Outcome("wrong", found.done, found.said)


QUICK: Final[dict[str, Callable[[Place, random.Random], Outcome]]] = {
    "registry": of_registry,
    "cache": of_cache,
    "mirror": of_mirror,
    "base": of_base,
}
ON_SPARK: Final[dict[str, Callable[[Place, random.Random], Outcome]]] = {
    "state": of_state,
    "worker": of_worker,
    "network": of_network,
}
