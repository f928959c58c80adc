"""Each sentence of docs/security.md, by the interpreter's own audit events and by traps laid in a tree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model.location import Location, Origin
from subdrift.linter.sources import git as ours
from subdrift.linter.sources import objects
from tests.adopt.scratch import subdrift
from tests.conftest import COMPILED
from tests.hostile.kit import BENIGN, ROOT, SECONDS_MAX, environment, git, listener, neighbours, run
from tests.registry.kit import published
from tests.registry.test_files import consumers_changed, of
from tests.registry.test_lookups import disagreeing

AUDIT = """
import json, os, sys
events, log = [], sys.argv[1]
HEARD = ("open", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "socket.connect",
         "socket.bind", "socket.__new__", "socket.getaddrinfo", "pickle.find_class", "compile", "exec", "import",
         "os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.truncate", "sqlite3.connect")
def hear(name, arguments):
    if name in HEARD:
        shown = arguments[1] if name == "subprocess.Popen" else arguments[0] if arguments else ""
        if name == "exec":
            shown = getattr(shown, "co_filename", "")
        if name == "compile":
            shown = arguments[1]
        flags = arguments[2] if name == "open" and len(arguments) > 2 and isinstance(arguments[2], int) else 0
        writes = bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND))
        if not isinstance(shown, (list, int)):
            shown = os.fsdecode(shown) if isinstance(shown, (str, bytes)) else str(shown)
        events.append((name, shown, writes))
sys.addaudithook(hear)
from subdrift.linter.cli import run
code = run(sys.argv[2:])
with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT), "w") as out:
    json.dump(events[:], out)
sys.exit(code)
"""


class Heard(Struct, frozen=True):
    """What one run did, by the interpreter's account."""

    events: tuple[tuple[str, Any, bool], ...]
    code: int

    def of(self, *names: str) -> list[Any]:
        return [shown for name, shown, _ in self.events if name in names]

    @property
    def read(self) -> set[Path]:
        return {
            Path(shown)
            for name, shown, writes in self.events
            if name == "open" and not writes and isinstance(shown, str)
        }

    @property
    def written(self) -> set[Path]:
        made = {
            Path(shown)
            for name, shown, writes in self.events
            if isinstance(shown, str)
            and ((name == "open" and writes) or name in ("os.mkdir", "sqlite3.connect", "os.rename"))
        }
        return made


def hear(tmp_path: Path, *arguments: str | Path) -> Heard:
    log = tmp_path / "heard.json"
    log.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-c", AUDIT, str(log), *map(str, arguments)],
        cwd=tmp_path, env=environment({"PYTHONDONTWRITEBYTECODE": "1"}), capture_output=True, timeout=SECONDS_MAX, check=False,
    )  # fmt: skip
    assert log.exists(), done.stderr.decode()
    return Heard(tuple((one[0], one[1], one[2]) for one in json.loads(log.read_text())), done.returncode)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with everything that could lead out of it."""
    root = tmp_path / "work" / "tree"
    neighbours(root)
    outside = tmp_path / "outside"
    listener(outside, "Secret", "secret")
    (outside / "pom.xml").write_text("<project><groupId>a</groupId><artifactId>parent</artifactId></project>")
    (outside / "application.yml").write_text("k: v\n")
    (root / "pom.xml").write_text(
        "<project><parent><groupId>a</groupId><artifactId>parent</artifactId><version>1</version>"
        "<relativePath>../../outside/pom.xml</relativePath></parent><artifactId>b</artifactId>"
        "<modules><module>../../outside</module></modules></project>"
    )
    (root / "settings.gradle").write_text("include ':x'\nproject(':x').projectDir = file('../../outside')\n")
    (root / "application.yml").write_text("spring.config.import: file:../../outside/application.yml\n")
    (root / "worker.py").write_text(
        "import sys\nsys.path.insert(0, '../../outside')\nfrom rocketmq.client import PushConsumer\n"
        "import yaml\nconf = yaml.safe_load(open('../../outside/application.yml'))\n"
        "raise SystemExit(open('/etc/passwd').read())\n"
        "consumer = PushConsumer('g')\nconsumer.subscribe('T', print, 'p')\n"
    )
    (root / "conftest.py").write_text("raise SystemExit('ran')\n")
    (root / "link.java").symlink_to(outside / "Secret.java")
    (root / "folder").symlink_to(outside)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    return root


def own(path: Path) -> bool:
    """Whether a file belongs to the interpreter, its packages, or us."""
    text = str(path)
    near = (sys.prefix, sys.base_prefix, str(ROOT), "/usr", "/lib", "/dev", "/proc", "<", "/etc/localtime")
    return text.startswith((*near, os.environ.get(COMPILED, "<"))) or not path.is_absolute()


def test_every_sentence_has_a_test() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    known = set()
    for file in (ROOT / "tests").rglob("test_*.py"):
        known |= set(re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE))
    sentences = [line for line in page.splitlines() if line.startswith("- ")]
    assert len(sentences) > 15
    for line in sentences:
        named = re.findall(r"test_\w+", line.partition("<!--")[2])
        assert named, line
        assert set(named) <= known, line


def test_a_person_may_name_any_place(tree: Path, tmp_path: Path) -> None:
    settings = tmp_path / "mine.toml"
    settings.write_text(f"output = ['json={tmp_path}/out/../report.json']\n")
    (tmp_path / "out").mkdir()
    ran = run("check", tree, "--config", settings, "--cache-dir", tmp_path / "kept")
    assert ran.code == 1
    assert (tmp_path / "report.json").exists()
    assert (tmp_path / "kept").is_dir()


def test_a_cache_is_believed_and_can_be_left_out(tree: Path) -> None:
    run("check", tree)
    kept = tree / ".subdrift_cache"
    assert kept.is_dir()
    before = sorted((path, path.stat().st_mtime_ns) for path in kept.rglob("*"))
    assert BENIGN in run("check", tree, "--no-cache").out
    assert sorted((path, path.stat().st_mtime_ns) for path in kept.rglob("*")) == before


def test_isolated_leaves_a_repositorys_settings_out(tree: Path) -> None:
    (tree / ".subdrift.toml").write_text("exclude = ['benign/']\nfail-on = 'never'\n")
    assert run("check", tree, "--no-cache").code == 0
    assert run("check", tree, "--no-cache", "--isolated").code == 1


def test_only_git_is_started(tree: Path, tmp_path: Path) -> None:
    heard = hear(tmp_path, "check", tree)
    started = heard.of("subprocess.Popen")
    assert started
    assert all(command[0] == "git" for command in started)
    assert not heard.of("os.system", "os.exec", "os.posix_spawn", "os.spawn")


def test_the_commands_of_git_are_these() -> None:
    found = set()
    for file in [*(ROOT / "linter").rglob("*.py"), *(ROOT / "spark_jobs").rglob("*.py")]:
        text = file.read_text(encoding="utf-8")
        if file != ROOT / "linter" / "sources" / "git.py":
            assert not re.search(
                r"subprocess\.(run|Popen|call|check_\w+)\(|os\.(system|popen|exec\w*|spawn\w*)\(", text
            ), file
        found |= set(re.findall(r'\b(?:start|ask|differences)\(\s*[\w.]+,\s*"([a-z-]+)"', text))
    assert found == {
        "ls-files", "check-ignore", "cat-file", "rev-parse", "symbolic-ref", "hash-object", "merge-base",
        "diff-files", "diff-index", "config",
    }  # fmt: skip
    (sentence,) = (
        line
        for line in (ROOT / "docs" / "security.md").read_text("utf-8").splitlines()
        if "Git, and nothing else" in line
    )
    assert found <= set(re.findall(r"`([a-z-]+)`", sentence))


def test_a_registry_cannot_lead_out_of_the_tree(tmp_path: Path) -> None:
    # tests/registry/test_files.py has the other ways in which one is refused
    org = disagreeing(tmp_path / "org")
    file = published(org, tmp_path / "registry.db")
    (tmp_path / "secret.txt").write_text("SECRET\n" * 20)
    away = Origin("one", "../../secret.txt")
    consumers_changed(file, of(lambda one: replace(one, at=Location(away, one.at.span))))

    said = subdrift("check", org / "one", "--against", file, "--no-cache", "--all-places")

    assert said.code == 2
    assert "SECRET" not in said.out + said.err


def test_nothing_a_repository_configures_is_started(tree: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor", "core.sshCommand", "core.askPass", "core.pager", "core.editor", "diff.external", "filter.x.clean",
        "filter.x.smudge", "filter.x.process", "diff.x.textconv", "credential.helper",
        "core.gitProxy", "core.alternateRefsCommand",
    ):  # fmt: skip
        git(tree, "config", key, str(trap))
    git(tree, "config", "core.hooksPath", str(tmp_path / "hooks"))
    (tmp_path / "hooks").mkdir()
    for hook in (
        "post-index-change",
        "pre-auto-gc",
        "reference-transaction",
        "fsmonitor-watchman",
        "post-checkout",
    ):
        (tmp_path / "hooks" / hook).symlink_to(trap)
    (tree / ".gitattributes").write_text("* filter=x diff=x\n")
    listener(tree / "benign", "A", "changed")
    ran = run("check", tree, "--no-cache")
    assert BENIGN in ran.out
    assert not (tmp_path / "sprung").exists()
    git(tree, "-c", f"core.fsmonitor={trap}", "status")
    assert (tmp_path / "sprung").exists(), "the trap works where it is let"


def test_no_filter_is_started_to_compare(tmp_path: Path) -> None:
    """A file and an index of one moment make git look into the file, through the filter that is configured."""
    root = tmp_path / "tree"
    neighbours(root)
    (root / ".gitattributes").write_text("* filter=x\n")
    tomorrow = time.time() + 86_400
    for path in root.rglob("*"):
        os.utime(path, (tomorrow, tomorrow))
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    git(root, "config", "filter.x.clean", str(trap))
    git(root, "config", "filter.x.required", "true")
    for options in (("--staged",), ("--new-from", "HEAD"), ("--staged", "--new-from", "HEAD")):
        os.utime(root / ".git" / "index", (tomorrow, tomorrow))
        assert run("check", root, "--no-cache", *options).code in (0, 1)
    assert not (tmp_path / "sprung").exists()
    os.utime(root / ".git" / "index", (tomorrow, tomorrow))
    git(root, "diff-files")
    assert (tmp_path / "sprung").exists(), "the trap works where it is let"

    git(root, "config", "filter.a=b.clean", str(trap))
    ran = run("check", root, "--no-cache", "--staged")
    assert (ran.code, ran.out) == (2, "")
    assert "a filter that cannot be switched off: filter.a=b" in ran.err


WAITED_FOR = (
    *("HEAD", "config", "packed-refs", "refs/heads/main", "index", "shallow", "commondir", "config.worktree"),
    *(
        "info/exclude",
        "objects/info/alternates",
        "objects/info/commit-graph",
        "objects/pack/multi-pack-index",
    ),
    "named",
)


@pytest.mark.parametrize("bare", [False, True])
def test_git_is_not_asked_where_it_would_wait(bare: bool, tmp_path: Path) -> None:
    org = tmp_path / "org"
    neighbours(org / "other")
    listener(org / "one", "P", "p", group="piped")
    git(org / "one", "init", "-q")
    git(org / "one", "add", "-A")
    git(org / "one", "commit", "-qm", "all")
    root, folder = org / "one", org / "one" / ".git"
    if bare:
        git(org, "clone", "-q", "--bare", "one", "bare.git")
        root = folder = org / "bare.git"
        shutil.rmtree(org / "one")
    for name in WAITED_FOR[bare:]:  # without HEAD it is not a repository
        aside = folder / "aside"
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            path.rename(aside)
        os.mkfifo(path)
        if name == "named":
            git_config = (folder / "config").read_text()
            (folder / "config").write_text(git_config + f"[include]\n\tpath = {path}\n")
        assert ours.would_wait(str(root)).endswith(name)
        if name in ("packed-refs", "named"):
            ran = run("check", "--org", org, "--no-cache")
            assert BENIGN in ran.out
            said = (
                ran.out if bare else ran.err
            )  # a bare one cannot be read: a diagnostic; of a work tree it is a remark
            assert "git would wait on" in said
            assert name in said
            assert ("piped" in run("list", "--org", org, "--no-cache").out) is not bare, "it is walked"
        path.unlink()
        if aside.exists():
            aside.rename(path)


def test_a_work_tree_elsewhere_is_not_listed(tree: Path, tmp_path: Path) -> None:
    git(tree, "config", "core.worktree", str(tmp_path / "outside"))
    ran = run("check", tree, "--no-cache")
    assert BENIGN in ran.out
    assert "the work tree that .git names is another folder" in ran.err
    assert "secret" not in ran.all.lower()


def test_an_object_that_git_keeps_to_itself_is_given_up(
    tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    huge = tmp_path / "huge"
    huge.write_bytes(b" " * (objects.OBJECT_BYTES_MAX + 1))
    oid = git(tree, "hash-object", "-w", str(huge)).strip()
    blobs = objects.Blobs(str(tree))
    with pytest.raises(OSError, match="larger than 64 MiB"):
        blobs.read(oid)
    known = git(tree, "rev-parse", "HEAD:benign/A.java").strip()
    assert b"class A" in (blobs.read(known) or b"")
    blobs.close()
    silent = tmp_path / "bin" / "git"
    silent.parent.mkdir()
    silent.write_text("#!/bin/sh\nexec sleep 60\n")
    silent.chmod(0o755)
    monkeypatch.setenv("PATH", f"{silent.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(objects, "OBJECT_SECONDS_MAX", 0.2)
    with pytest.raises(OSError, match="git said nothing"):
        blobs.read(known)


def test_git_fetches_nothing(tree: Path, tmp_path: Path) -> None:
    git(tree, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{tree}", "partial")
    process = ours.start(str(tmp_path / "partial"), "cat-file", "--batch", stdin=subprocess.PIPE)
    oid = git(tree, "rev-parse", "HEAD:benign/A.java").strip()
    out, _ = process.communicate(oid.encode() + b"\n", timeout=SECONDS_MAX)
    assert b"class A" not in out
    fetch = ours.start(str(tmp_path / "partial"), "fetch", "origin")
    _, errors = ours.finish(fetch)
    assert fetch.returncode != 0
    assert b"not allowed" in errors


def test_no_variable_of_git_is_passed_on() -> None:
    given = {"GIT_DIR": "/x", "GIT_CONFIG_COUNT": "1", "GIT_SSH_COMMAND": "x", "git_trace": "1", "HOME": "/h"}
    passed = ours.environment(given)
    assert passed["HOME"] == "/h"
    assert {key: value for key, value in passed.items() if key in given} == {"HOME": "/h"}


def test_git_that_takes_too_long_is_left(tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    with pytest.raises(TimeoutError, match="git took longer"):
        ours.finish(ours.start(str(tree), "ls-files"), 0.2)


def test_git_that_is_waited_for_is_said(tree: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nsleep 0.5\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(ours, "SLOW_SECONDS", 0.1)
    said: list[str] = []
    with ours.telling(said.append):
        assert ours.finish(ours.start(str(tree), "ls-files"), 20.0) == (b"", b"")
    assert said[0] == f"git has not answered in {tree} for 0 s"
    assert len(said) > 1


def test_git_that_says_too_much_is_left(tmp_path: Path) -> None:
    """Folders in folders, each twice: sixty objects are a commit of more paths than anybody can list."""
    git(tmp_path, "init", "-q")
    (tmp_path / "tree").write_bytes(b"")
    oid = git(tmp_path, "hash-object", "-t", "tree", "-w", "tree").strip()
    (tmp_path / "tree").write_bytes(b"100644 A.java\0" + bytes.fromhex(oid))
    for _ in range(60):
        oid = git(tmp_path, "hash-object", "-t", "tree", "-w", "--literally", "tree").strip()
        (tmp_path / "tree").write_bytes(
            b"".join(b"40000 " + name + b"\0" + bytes.fromhex(oid) for name in (b"a", b"b"))
        )
    listing = ours.start(str(tmp_path), "ls-tree", "-r", "-z", oid)
    with pytest.raises(TimeoutError, match="git said more than 1 MiB"):
        ours.finish(listing, SECONDS_MAX, 1 << 20)
    assert listing.returncode


def test_no_code_of_the_tree_runs(tree: Path, tmp_path: Path) -> None:
    heard = hear(tmp_path, "check", tree, "--no-cache")
    assert heard.code == 1
    for shown in heard.of("exec", "import"):
        assert str(tree) not in str(shown)
    compiled = [shown for shown in heard.of("compile") if str(tree) in str(shown)]
    assert not compiled


def test_nothing_outside_of_the_tree_is_read(tree: Path, tmp_path: Path) -> None:
    heard = hear(tmp_path, "check", tree, "--no-cache")
    foreign = {path for path in heard.read if not own(path) and not path.is_relative_to(tree)}
    assert any(path.is_relative_to(tree) for path in heard.read)
    assert {path for path in foreign if path != tmp_path / "heard.json"} == set()
    assert "secret" not in run("list", tree, "--no-cache").out


def test_only_cache_and_reports_are_written(tree: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    heard = hear(tmp_path, "check", tree, "--output", f"json={report}")
    assert report.exists()
    cache = tree / ".subdrift_cache"
    for path in heard.written - {tmp_path / "heard.json"}:
        name = str(path).removeprefix("file:").partition("?")[0]
        inside = Path(name).is_relative_to(cache)
        temporary = path.parent == tmp_path and path.name.startswith(".subdrift-")
        assert inside or temporary or str(path).startswith("/dev/"), path
    assert cache.is_dir()


def test_without_a_cache_nothing_is_written(tree: Path, tmp_path: Path) -> None:
    before = {path: path.lstat().st_mtime_ns for path in tmp_path.rglob("*")}
    heard = hear(tmp_path, "check", tree, "--no-cache")
    assert {path for path in heard.written if not str(path).startswith("/dev/")} <= {tmp_path / "heard.json"}
    (tmp_path / "heard.json").unlink()
    assert {path: path.lstat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_no_socket_is_opened(tree: Path, tmp_path: Path) -> None:
    assert not hear(tmp_path, "check", tree).of(
        "socket.connect", "socket.bind", "socket.__new__", "socket.getaddrinfo"
    )


def test_no_pickle_is_read(tree: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert not hear(tmp_path, "check", tree).of("pickle.find_class")
    for file in (ROOT / "linter").rglob("*.py"):
        assert not re.search(
            r"^\s*(import|from) (pickle|marshal|shelve|dill)\b",
            file.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
