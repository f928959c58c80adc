"""Which files a folder holds: git's answer inside a work tree, a walk elsewhere; what is left out is said.

Paths are relative to the root, with forward slashes and valid text: bytes that are no UTF-8 are percent-encoded, and
`Listing.odd` leads back to the name on disk. No folder is left out for its name, except `.git` and our own cache.
"""

from __future__ import annotations

import errno
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from linter.extract.prefilter import language_of
from linter.model.finding import Diagnostic
from linter.model.location import START, Location, Origin
from linter.model.message import Message, say
from linter.sources.ignore import IGNORE_FILE_BYTES_MAX, IgnoreRule, is_ignored, parse_rules

SKIPPED_FOLDERS = frozenset((".git", ".subdrift_cache"))
FOLDER_DEPTH_MAX = 256
"""Levels of folders below the root a walk goes down."""

_WARNING = re.compile(r"^warning: could not open directory '(.*)': (.*)$", re.MULTILINE)
_LINK_MODE = "120000"
_SUBMODULE_MODE = "160000"
LOCAL_GIT_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)


@dataclass(frozen=True, slots=True)
class Listing:
    """Sorted paths of regular files, the odd ones' names on disk, what was left out, and remarks on the listing."""

    paths: tuple[str, ...]
    odd: tuple[tuple[str, str], ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    remark: str = ""


def public_path(name: str) -> str:
    """A name as the system gives it (`os.fsdecode`) as valid text: bytes that are no UTF-8 become `%XX`."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return "".join(f"%{ord(c) - 0xDC00:02X}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in name)
    return name


@dataclass(slots=True)
class GitListing:
    """Two running git processes: what is tracked, and what else is there and not ignored."""

    root: str
    tracked: subprocess.Popen[bytes]
    others: subprocess.Popen[bytes] | None

    @classmethod
    def start(cls, root: str, untracked: bool) -> GitListing | None:
        """Start listing; None where there is no git program."""
        try:
            tracked = _git(root, "ls-files", "-z", "--stage")
            others = None
            if untracked:
                others = _git(root, "ls-files", "-z", "--others", "--exclude-standard")
        except OSError:
            return None
        return cls(root, tracked, others)

    def finish(self, repo: str) -> Listing | str:
        """Wait for both. Text instead of a listing says why git could not."""
        out, errors = self.tracked.communicate()
        other_out, other_errors = self.others.communicate() if self.others else (b"", b"")
        failed = self.tracked.returncode or (self.others.returncode if self.others else 0)
        if failed:
            lines = (errors or other_errors).decode("utf-8", "replace").strip().splitlines()
            return lines[0] if lines else f"git ended with {failed}"
        names: set[str] = set()
        collector = _Collector(self.root, repo)
        for entry in os.fsdecode(out).split("\0"):
            head, tab, name = entry.partition("\t")
            if not tab:
                continue
            if head.startswith(_LINK_MODE):
                collector.link(name)
            elif head.startswith(_SUBMODULE_MODE):
                collector.skip(name, "git-submodule", say("give-as-path"))
            else:
                names.add(name)
        for name in os.fsdecode(other_out).split("\0"):
            if name.endswith("/"):
                collector.skip(name[:-1], "git-repository-inside", say("give-as-path"))
            elif name and os.path.islink(os.path.join(self.root, name)):
                collector.link(name)
            elif name and not name.startswith(".subdrift_cache/"):
                names.add(name)
        for found in _WARNING.finditer(os.fsdecode(other_errors)):
            collector.unreadable(found[1].rstrip("/"), found[2])
        return collector.listing(names)


def ignored_by_git(root: str) -> bool | None:
    """Whether an outer work tree ignores this folder; None where no work tree is around it."""
    try:
        process = _git(root, "check-ignore", "-q", ".")
    except OSError:
        return None
    process.communicate()
    return {0: True, 1: False}.get(process.returncode)


def walk(root: str, repo: str, remark: str = "") -> Listing:
    """List a folder without git, minding `.gitignore` files in it. Symbolic links are not followed."""
    collector = _Collector(root, repo)
    names: list[str] = []
    stack: list[tuple[str, int, tuple[IgnoreRule, ...]]] = [("", 0, ())]
    while stack:
        prefix, depth, rules = stack.pop()
        try:
            entries = list(os.scandir(root + "/" + prefix))
        except OSError as error:
            collector.unreadable(prefix.rstrip("/"), error.strerror or str(error))
            continue
        if any(entry.name == ".gitignore" for entry in entries):
            rules += _read_rules(root, prefix)
        for entry in entries:
            name = prefix + entry.name
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                is_file = entry.is_file(follow_symlinks=False)
            except OSError as error:
                collector.unreadable(name, error.strerror or str(error))
                continue
            if rules and is_ignored(name, is_folder, rules):
                continue
            if is_folder:
                if entry.name in SKIPPED_FOLDERS:
                    continue
                if depth >= FOLDER_DEPTH_MAX:
                    collector.skip(name, "too-deep", most=FOLDER_DEPTH_MAX)
                else:
                    stack.append((name + "/", depth + 1, rules))
            elif is_file:
                names.append(name)
            elif entry.is_symlink():
                collector.link(name)
    return collector.listing(names, remark)


def without(listing: Listing, patterns: tuple[str, ...]) -> Listing:
    """The listing without what the patterns (as in .gitignore, at the root) match, and what lies below it."""
    if not patterns:
        return listing
    rules = parse_rules("\n".join(patterns), "")
    folders = {"": False}

    def folder_is_out(folder: str) -> bool:
        if folder not in folders:
            folders[folder] = folder_is_out(os.path.dirname(folder)) or is_ignored(folder, True, rules)
        return folders[folder]

    def is_out(path: str) -> bool:
        return folder_is_out(os.path.dirname(path)) or is_ignored(path, False, rules)

    return replace(
        listing,
        paths=tuple(path for path in listing.paths if not is_out(path)),
        diagnostics=tuple(one for one in listing.diagnostics if not is_out(one.at.origin.path)),
    )


def _read_rules(root: str, prefix: str) -> tuple[IgnoreRule, ...]:
    try:
        with open(f"{root}/{prefix}.gitignore", "rb", 0) as file:
            text = file.read(IGNORE_FILE_BYTES_MAX).decode("utf-8", "replace")
    except OSError:
        return ()  # the listing goes on with more files rather than fewer
    return parse_rules(text, prefix)


def _git(root: str, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {k: v for k, v in os.environ.items() if k not in LOCAL_GIT_VARIABLES}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    # a checkout may be anybody's: its configuration must not start programs
    command = ("git", "-c", "core.fsmonitor=false", *arguments)
    return subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@dataclass(slots=True)
class _Collector:
    root: str
    repo: str
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def skip(self, name: str, what: str, help_: Message | None = None, **more: str | int) -> None:
        """`what` is a message's code, `more` its parameters besides the path."""
        self._add("skipped-file", name, what, help_, **more)

    def unreadable(self, name: str, reason: str) -> None:
        self._add(
            "unreadable-file", name or ".", "could-not-be-opened", say("check-permissions"), reason=reason
        )

    def link(self, name: str) -> None:
        """A link whose target is listed anyway loses nothing, nor does one to a file nobody would read."""
        suffixed = "." in os.path.basename(name)[1:]
        matters = not suffixed or language_of(name) is not None
        try:
            target = os.path.realpath(os.path.join(self.root, name), strict=True)
        except OSError as error:
            if not matters or (error.errno == errno.ENOENT and language_of(name) is None):
                return
            why = error.strerror or str(error)
            self.skip(name, "symbolic-link-nowhere", say("remove-it"), reason=why)
            return
        if not matters and not os.path.isdir(target):
            return
        here = os.path.realpath(self.root)
        inside = target == here or target.startswith(here + os.sep)
        if not inside:
            self.skip(name, "symbolic-link-out")
        elif (os.path.join(here, name) + os.sep).startswith(target + os.sep):
            self.skip(name, "symbolic-link-around")

    def listing(self, names: set[str] | list[str], remark: str = "") -> Listing:
        odd = self._odd(names)
        if odd:
            there = set(names)
            clash = {public for public, _ in odd if public in there}
            for public in sorted(clash):
                self.skip(public, "same-name-encoded")
            odd = [(public, name) for public, name in odd if public not in clash]
            paths = sorted([n for n in names if public_path(n) == n] + [public for public, _ in odd])
        else:
            paths = sorted(names)
        diagnostics = tuple(sorted(self.diagnostics, key=lambda one: one.at))
        return Listing(tuple(paths), tuple(odd), diagnostics, remark)

    @staticmethod
    def _odd(names: set[str] | list[str]) -> list[tuple[str, str]]:
        try:
            "".join(names).encode()
        except UnicodeEncodeError:
            return sorted((public, name) for name in names if (public := public_path(name)) != name)
        return []

    def _add(self, kind: str, name: str, what: str, help_: Message | None, **more: str | int) -> None:
        path = public_path(name)
        at = Location(Origin(self.repo, path), START)
        self.diagnostics.append(Diagnostic(kind, say(what, path=path, **more), at, help_))


def ancestors(path: str) -> Iterator[str]:
    """The folder and every folder around it, nearest first."""
    while True:
        yield path
        parent = os.path.dirname(path)
        if parent == path:
            return
        path = parent
