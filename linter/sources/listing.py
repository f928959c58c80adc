"""Which files a folder holds: git's answer inside a work tree, a walk elsewhere; what is left out is said.

Paths are relative to the root, with forward slashes and valid text: bytes that are no UTF-8 are percent-encoded, and
`Listing.odd` leads back to the name on disk. Where git lists, no folder is left out for its name, except `.git` and our
own cache; a walk also leaves out what tools install or build (`is_made_by_tools`).
"""

from __future__ import annotations

import codecs
import errno
import os
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter import files
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.languages import language_of
from subdrift.linter.model.location import START, Location, Origin
from subdrift.linter.model.message import Message, say
from subdrift.linter.sources import git
from subdrift.linter.sources.ignore import IGNORE_FILE_BYTES_MAX, IgnoreRule, is_ignored, parse_rules

SKIPPED_FOLDERS = frozenset((".git", ".subdrift_cache"))
TOOLS_FOLDERS = frozenset(
    (
        *(
            ".eggs",
            ".gradle",
            ".hg",
            ".idea",
            ".mypy_cache",
            ".nox",
            ".pytest_cache",
            ".ruff_cache",
            ".settings",
        ),
        *(".svn", ".tox", ".venv", ".vscode", "__pycache__", "node_modules", "site-packages"),
    )
)
"""Folders whose name alone says that no source of the project lies in them."""
BUILT_BESIDE = {
    "target": ("pom.xml", "build.sbt"),
    "build": ("build.gradle", "build.gradle.kts"),
    "out": ("build.gradle", "build.gradle.kts"),
}
"""Folders that hold what a build made where one of these files lies beside them."""
FOLDER_DEPTH_MAX = 256
"""Levels of folders below the root a walk goes down."""

_FILE_SYSTEM_IS_UTF8 = codecs.lookup(sys.getfilesystemencoding()).name == "utf-8"
_WARNING = re.compile(r"^warning: could not open directory '(.*?)(?:': (.*))?$", re.MULTILINE)
"""Git cuts the line of a path that is too long, and with it the reason."""
_LINK_MODE = "120000"
_SUBMODULE_MODE = "160000"
_SPARSE = "S"
"""The mark of an entry of the index that a sparse checkout leaves out of the work tree."""


class Listing(Struct, frozen=True):
    """Sorted paths of regular files, the odd ones' names on disk, what was left out, and remarks on the listing."""

    paths: tuple[str, ...]
    odd: tuple[tuple[str, str], ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    remark: Message | None = None
    others: frozenset[str] = frozenset()
    """Those of the paths that git does not track."""
    sparse: Mapping[str, str] = field(default_factory=dict)
    """The objects of those of the paths that a sparse checkout leaves out of the work tree."""
    unmerged: frozenset[str] = frozenset()
    """Those of the paths that a merge has left in conflict."""


def not_read(repo: str, reason: Message) -> Diagnostic:
    """What a repository that cannot be opened or listed gives in place of its files: it costs that repository alone."""
    at = Location(Origin(repo, "."), START)
    return Diagnostic("unreadable-file", say("repository-not-read", reason=reason), at, say("check-its-path"))


def public_path(name: str) -> str:
    """A name as the system gives it (`os.fsdecode`) as valid text: bytes that are no UTF-8 become `%XX`.

    The same in every locale: names are bytes, and what `os.fsdecode` makes of them is not.
    """
    if not _FILE_SYSTEM_IS_UTF8:
        name = os.fsencode(name).decode("utf-8", "surrogateescape")
    try:
        name.encode()
    except UnicodeEncodeError:
        return "".join(f"%{ord(c) - 0xDC00:02X}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in name)
    return name


class GitListing(Struct):
    """Two running git processes: what is tracked, and what else is there and not ignored."""

    root: str
    tracked: subprocess.Popen[bytes]
    others: subprocess.Popen[bytes] | None

    @classmethod
    def start(cls, root: str, untracked: bool, index: str = "") -> GitListing | None:
        """Start listing; None where there is no git program. `index` as in `git.start`. Raises `OSError` where the system
        does not let it start: too many open files, or processes."""
        try:
            tracked = git.start(root, "ls-files", "-z", "--stage", "-t", index=index)
        except FileNotFoundError:
            return None
        others = None
        if untracked:
            try:
                others = git.start(root, "ls-files", "-z", "--others", "--exclude-standard")
            except OSError:
                tracked.kill()
                raise
        return cls(root, tracked, others)

    def finish(self, repo: str) -> Listing | str:
        """Wait for both. Text instead of a listing says why git could not."""
        try:
            out, errors = git.finish(self.tracked)
            other_out, other_errors = git.finish(self.others) if self.others else (b"", b"")
        except TimeoutError as error:
            for process in filter(None, (self.tracked, self.others)):
                process.kill()
            return str(error)
        failed = self.tracked.returncode or (self.others.returncode if self.others else 0)
        if failed:
            lines = (errors or other_errors).decode("utf-8", "replace").strip().splitlines()
            return lines[0] if lines else f"git ended with {failed}"
        names: set[str] = set()
        others: set[str] = set()
        sparse: dict[str, str] = {}
        unmerged: set[str] = set()
        collector = _Collector(self.root, repo)
        for entry in os.fsdecode(out).split("\0"):
            head, tab, name = entry.partition("\t")
            if not tab:
                continue
            mark, mode, oid, stage = head.split(" ")
            if mode == _LINK_MODE:
                if mark != _SPARSE:
                    collector.link(name)
            elif mode == _SUBMODULE_MODE:
                collector.skip(name, "git-submodule", say("give-as-path"))
            elif _stays_inside(name):
                names.add(name)
                if stage != "0":
                    unmerged.add(public_path(name))
                if mark == _SPARSE:
                    sparse[public_path(name)] = oid
        for name in os.fsdecode(other_out).split("\0"):
            if name.endswith("/"):
                collector.skip(name[:-1], "git-repository-inside", say("give-as-path"))
            elif name and os.path.islink(os.path.join(self.root, name)):
                collector.link(name)
            elif name and not name.startswith(".subdrift_cache/"):
                others.add(name)
        for found in _WARNING.finditer(os.fsdecode(other_errors)):
            collector.unreadable(found[1].rstrip("/"), found[2] or "File name too long")
        listing = collector.listing(names | others)
        untracked = frozenset(map(public_path, others - names))
        return replace(listing, others=untracked, sparse=sparse, unmerged=frozenset(unmerged))


def ignored_by_git(root: str) -> bool | None:
    """Whether an outer work tree ignores this folder; None where no work tree is around it."""
    try:
        process = git.start(root, "check-ignore", "-q", ".")
        git.finish(process)
    except OSError:  # no git, or one that took too long
        return None
    return {0: True, 1: False}.get(process.returncode)


def walk(root: str, repo: str, remark: Message | None = None) -> Listing:
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
        beside = {entry.name for entry in entries}
        if prefix and "pyvenv.cfg" in beside:
            continue  # a virtual environment, whatever it is called
        if ".gitignore" in beside:
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
                if entry.name in SKIPPED_FOLDERS or is_made_by_tools(entry.name, beside):
                    continue
                if depth >= FOLDER_DEPTH_MAX:
                    collector.skip(name, "too-deep", most=FOLDER_DEPTH_MAX)
                else:
                    stack.append((name + "/", depth + 1, rules))
            elif is_file:
                names.append(name)
            elif entry.is_symlink():
                collector.link(name)
            elif language_of(name) is not None:
                collector.special(name)
    return collector.listing(names, remark)


def is_made_by_tools(name: str, beside: Collection[str]) -> bool:
    """Whether a folder of that name, beside those files, holds what tools installed or built."""
    return name in TOOLS_FOLDERS or any(mark in beside for mark in BUILT_BESIDE.get(name, ()))


def _stays_inside(name: str) -> bool:
    """Whether an entry of the index is a path below the root; git itself writes no other."""
    return not name.startswith("/") and ".." not in name.split("/")


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
        content = files.read(f"{root}/{prefix}.gitignore", IGNORE_FILE_BYTES_MAX, follow=False)
    except OSError:
        return ()  # the listing goes on with more files rather than fewer
    text = content.decode("utf-8", "replace")
    return parse_rules(text, prefix)


class _Collector(Struct):
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

    def special(self, name: str) -> None:
        """A pipe, socket or device under the name of a file that would be read."""
        self.skip(name, "special-file")

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

    def listing(self, names: set[str] | list[str], remark: Message | None = None) -> Listing:
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
        joined = "".join(names)
        if public_path(joined) == joined:
            return []
        return sorted((public, name) for name in names if (public := public_path(name)) != name)

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
