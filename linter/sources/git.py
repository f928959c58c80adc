"""Git, the only program that is ever run: which commands, in which surroundings, for how long.

A checkout may be anybody's, and its `.git` names programs to start: hooks, a file system monitor, filters, an external
diff, an ssh command, a helper for credentials, a remote to fetch missing objects from. Only commands that need none of
them are run: `ls-files`, `check-ignore`, `cat-file`, `rev-parse`, `merge-base`, `symbolic-ref`, `hash-object`, `config`,
and of comparisons the plumbing, `diff-files` and `diff-index`, which looks into a file where its times say nothing. Each
is switched off besides (`no_filters` for what compares), and nothing of the caller's `GIT_*` is passed on.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import stat
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from subdrift.linter import files
from subdrift.linter.model.message import UnusableError

LISTING_SECONDS_MAX: Final = 120.0
"""Git may take this long to list a work tree; after that the folder is walked instead."""

LISTING_BYTES_MAX: Final = 256 << 20
"""And say so much: a few objects are enough for a commit of more paths than there are atoms."""

SLOW_SECONDS: Final = 10.0
"""After so long a silence of git's it is said that it is waited for."""

_CHUNK_BYTES: Final = 1 << 16
_FILE_BYTES_MAX: Final = 1 << 16
_OF_TREE: Final = (".git", ".gitignore", ".gitattributes", ".gitmodules")
_OF_FOLDER: Final = (
    *("HEAD", "config", "config.worktree", "commondir", "packed-refs", "index", "shallow"),
    *("info/exclude", "info/attributes", "info/grafts", "info/sparse-checkout"),
    *(
        "objects/info/alternates",
        "objects/info/commit-graph",
        "objects/info/commit-graphs/commit-graph-chain",
    ),
    "objects/pack/multi-pack-index",
)
"""Files git opens before it lists or reads anything."""
_PATHS: Final = re.compile(
    r"^[^#;\n]*?\b(?:path|excludesfile|attributesfile)[ \t]*=[ \t]*([^\n]+)", re.IGNORECASE | re.MULTILINE
)
"""Other files that a configuration has git open."""
_OFF: Final = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.pager=cat",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "uploadpack.packObjectsHook=",
    "gc.auto=0",
    "maintenance.auto=false",
)
"""Of a repository's configuration, whatever starts a program or a connection."""

_PROCESSES: Final[dict[subprocess.Popen[bytes], str]] = {}
"""Those that may still run, each with the folder it was started in."""
_LISTENERS: Final[list[Callable[[str], None]]] = []
_STUCK: Final[dict[str, str]] = {}
"""Repositories in which git took too long, or said too much, and how so; nothing is asked there again."""


class SourceError(UnusableError):
    """A source cannot be opened as it was asked for; the text says why and what helps."""


def start(
    root: str, *arguments: str, stdin: int = subprocess.DEVNULL, index: str = "", switches: Iterable[str] = ()
) -> subprocess.Popen[bytes]:
    """Git with these arguments in a folder, its output to be read. Raises `OSError` where there is no git.

    `index` is another index file than the repository's own, `switches` more of its configuration to overrule.
    """
    overruled = [part for one in (*_OFF, *switches) for part in ("-c", one)]
    process = subprocess.Popen(
        ("git", "--no-pager", "--no-replace-objects", *overruled, *arguments),
        cwd=root,
        env=environment(os.environ) | ({"GIT_INDEX_FILE": index} if index else {}),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if stdin == subprocess.DEVNULL else subprocess.DEVNULL,
    )
    for ended in [one for one in _PROCESSES if one.returncode is not None]:
        del _PROCESSES[ended]
    _PROCESSES[process] = root
    return process


def environment(of: Mapping[str, str]) -> dict[str, str]:
    """The caller's variables without `GIT_*`, and those that keep git from waiting, fetching and writing."""
    kept = {key: value for key, value in of.items() if not key.upper().startswith("GIT_")}
    return kept | {
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
    }


def finish(
    process: subprocess.Popen[bytes], seconds: float = LISTING_SECONDS_MAX, bytes_max: int = LISTING_BYTES_MAX
) -> tuple[bytes, bytes]:
    """What a process said, or `TimeoutError` once it was killed for taking too long or saying too much."""
    assert process.stdout is not None
    assert process.stderr is not None
    if process.stdin is not None:
        process.stdin.close()
    said = {process.stdout.fileno(): bytearray(), process.stderr.fileno(): bytearray()}
    out, errors = said.values()
    waiting = select.poll()
    for handle in said:
        waiting.register(handle, select.POLLIN)
    end = time.monotonic() + seconds
    try:
        while said:
            left = end - time.monotonic()
            ready = waiting.poll(max(0.0, min(left, SLOW_SECONDS)) * 1000)
            if not ready and left <= SLOW_SECONDS:
                raise TimeoutError(f"git took longer than {seconds:.0f} s")
            if not ready:
                _tell_of(process, seconds - left + SLOW_SECONDS)
            for handle, _ in ready:
                part = os.read(handle, _CHUNK_BYTES)
                said[handle] += part
                if not part:
                    waiting.unregister(handle)
                    del said[handle]
            if len(out) + len(errors) > bytes_max:
                raise TimeoutError(f"git said more than {bytes_max >> 20} MiB")
    except TimeoutError:
        process.kill()
        raise
    finally:
        process.stdout.close()
        process.stderr.close()
        process.wait()
    return bytes(out), bytes(errors)


def _tell_of(process: subprocess.Popen[bytes], seconds: float) -> None:
    if _LISTENERS:
        folder = _PROCESSES.get(process, "")
        _LISTENERS[-1](f"git has not answered in {folder} for {seconds:.0f} s")


@contextlib.contextmanager
def telling(listener: Callable[[str], None] | None) -> Iterator[None]:
    """Somebody who is told where git is waited for, as long as this lasts."""
    if listener is None:
        yield
        return
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


def stop() -> None:
    """End every git process that still runs."""
    for process in _PROCESSES:
        if process.poll() is None:
            process.kill()


def would_wait(root: str) -> str:
    """The first of the files git opens that it would wait on for ever, "" where there is none.

    What lies further down is bounded by `LISTING_SECONDS_MAX`.
    """
    top = _top(root)
    candidates = [f"{folder}/{name}" for folder in dict.fromkeys((root, top)) for name in _OF_TREE]
    for folder in _folders(top):
        candidates += [f"{folder}/{name}" for name in _OF_FOLDER]
        branch = _text(f"{folder}/HEAD").partition("ref:")[2].strip()
        candidates += [f"{folder}/{branch}"] * bool(branch)
        candidates += [_named(one, folder) for one in _PATHS.findall(_text(f"{folder}/config"))]
    return next((os.path.relpath(path, root) for path in candidates if _waits(path)), "")


def lists_elsewhere(root: str) -> bool:
    """Whether the repository's configuration says that its work tree is another folder than the one it lies in."""
    said = [f"{folder}/{name}" for folder in _folders(_top(root)) for name in ("config", "config.worktree")]
    if not any(word in _text(path).lower() for path in said for word in ("worktree", "include")):
        return False
    return ask(root, "rev-parse", "--is-inside-work-tree").out.strip() == "false"


def _top(root: str) -> str:
    """The nearest folder with a `.git` from here upwards; the folder itself where there is none."""
    folder = root
    while not os.path.lexists(folder + "/.git"):
        above = os.path.dirname(folder)
        if above == folder:
            return root
        folder = above
    return folder


def _folders(top: str) -> tuple[str, ...]:
    """Where git keeps what it knows of a repository: two folders for a linked work tree."""
    if is_bare(top):
        return (top,)
    own, common = _own_folder(top), git_folder(top)
    return (own,) if own == common else (own, common)


def _waits(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and not os.path.samefile(path, os.devnull)
    except (OSError, ValueError):
        return False


def _named(value: str, folder: str) -> str:
    """The path that a value of the configuration in a folder stands for."""
    return os.path.join(folder, os.path.expanduser(value.strip().strip('"')))


def is_bare(root: str) -> bool:
    """Whether a folder is a repository without a work tree: a bare one, or a mirror. One that has lost one of its three
    signs (copies leave out empty folders) is a damaged one, where git's configuration tells it from other folders."""
    if os.path.lexists(root + "/.git"):
        return False
    signs = os.path.isfile(root + "/HEAD") + os.path.isdir(root + "/objects")
    if not signs:
        return False
    signs += os.path.isdir(root + "/refs")
    return signs == 3 or (signs == 2 and "[core]" in _text(root + "/config"))


def is_empty(root: str) -> bool:
    """Whether a bare repository has neither a branch nor an object: nothing was ever pushed to it.

    Anything else without a commit to list has lost it.
    """
    if ask(root, "rev-parse", "--all") != Answer(""):
        return False
    packed = any(line and not line.startswith("#") for line in _text(f"{root}/packed-refs").splitlines())
    if packed or _text(f"{root}/objects/info/alternates"):
        return False
    folders = ["objects"] + ["refs"] * (not os.path.isdir(f"{root}/reftable"))
    return not any(names for folder in folders for _, _, names in os.walk(f"{root}/{folder}"))


def is_unborn(root: str) -> bool:
    """Whether HEAD is a branch that has no commit yet; one whose name is there and leads nowhere has lost it."""
    branch = ask(root, "symbolic-ref", "-q", "HEAD").out.strip()
    if not branch or not ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", branch).is_silent:
        return False
    return not os.path.lexists(f"{git_folder(_top(root))}/{branch}")


def git_folder(root: str) -> str:
    """The folder with the configuration: `.git`, or what a `.git` file of a work tree or submodule leads to."""
    folder = _own_folder(root)
    common = _text(f"{folder}/commondir").strip()
    return os.path.join(folder, common) if common else folder


def _own_folder(root: str) -> str:
    """The folder with HEAD and index."""
    folder = root + "/.git"
    return (
        os.path.join(root, _text(folder).partition("gitdir:")[2].strip())
        if os.path.isfile(folder)
        else folder
    )


def _text(path: str) -> str:
    """The beginning of a file of git's own; "" for what is not a file."""
    try:
        return files.read(path, _FILE_BYTES_MAX).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


class Answer(Struct, frozen=True):
    """What one command gave. `reason` is the first line of its complaint where it failed, else ""; `is_silent`: it failed
    without a complaint, which some commands answer by."""

    out: str
    reason: str = ""
    is_silent: bool = False


def ask(root: str, *arguments: str, index: str = "", switches: Iterable[str] = ()) -> Answer:
    """The answer of one git command; a git that cannot be started is a reason too."""
    waiting = would_wait(root)
    if waiting or root in _STUCK:
        return Answer("", f"git would wait on {waiting}" if waiting else _STUCK[root])
    try:
        process = start(root, *arguments, switches=switches, index=index)
    except OSError as error:
        return Answer("", f"git could not be started: {error.strerror or error}")
    try:
        out, errors = finish(process)
    except TimeoutError as error:
        _STUCK[root] = str(error)
        return Answer("", str(error))
    if not process.returncode:
        return Answer(os.fsdecode(out))
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return Answer("", lines[0] if lines else f"git ended with {process.returncode}", not lines)


def no_filters(root: str) -> tuple[str, ...]:
    """What overrules every filter that is configured, so that git can compare contents without starting one.

    Git looks into a file whose times say nothing, and passes what it finds through `filter.NAME.clean`: a file and an
    index that say they are of tomorrow are enough. Raises `SourceError` for a name that cannot be overruled.
    """
    found = ask(root, "config", "--includes", "--name-only", "-z", "--get-regexp", r"^filter\.")
    names = sorted({key.rpartition(".")[0] for key in found.out.split("\0") if key})
    if odd := [name for name in names if "=" in name]:
        raise SourceError("git.filter", root=root, name=odd[0])
    return tuple(f"{name}.{key}" for name in names for key in ("clean=", "process=", "required=false"))


def is_partial(root: str) -> bool:
    """Whether the repository around `root` was cloned without some of its objects (`--filter`)."""
    return bool(ask(root, "config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$").out)
