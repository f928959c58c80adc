"""What a scan looks at: the subfolders of an organisation, or the repositories of a manifest; opened in a worker.

Only names and places are handled here by the driver; a repository is opened, configured and listed in an executor.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from msgspec import Struct, field

from subdrift.linter import files
from subdrift.linter import settings as configuration
from subdrift.linter.files import reason_of
from subdrift.linter.model.finding import Diagnostic
from subdrift.linter.model.message import UnusableError
from subdrift.linter.report.language import english
from subdrift.linter.settings import Settings
from subdrift.linter.sources.about import commit_of
from subdrift.linter.sources.checkout import Repository, SourceError, name_of, subfolders
from subdrift.linter.sources.git import is_bare
from subdrift.linter.sources.git_tree import GitTree
from subdrift.linter.sources.listing import Listing, not_read
from subdrift.linter.sources.tree import Tree
from subdrift.linter.text.bounded import BoundedError, check_json

MANIFEST_BYTES_MAX = 256 << 20
_UNFIT = re.compile("[\0\ud800-\udfff]")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|[^/\\\s]+@[^/\\\s:]+:)", re.IGNORECASE)


class ScanError(Exception):
    """The scan cannot be done; the text says why and what helps."""


class Source(Struct, frozen=True):
    """Where a repository is. `repo` "" is named by its configuration or git origin; `head` "" is a checkout, or HEAD of a
    bare repository."""

    repo: str
    root: str
    head: str = ""

    def dumps(self) -> str:
        return json.dumps([self.repo, self.root, self.head])

    @classmethod
    def loads(cls, text: str) -> Source:
        return cls(*json.loads(text))


class Setup(Struct, frozen=True):
    """What a run decides for every repository: its own settings, `--config key=value`, whether files are read, and whether what
    sends is looked for (`sends`), not what consumes."""

    settings: Settings = field(default_factory=Settings)
    overrides: tuple[str, ...] = ()
    isolated: bool = False
    untracked: bool = True
    sends: bool = False


class Opened(Struct, frozen=True):
    """A repository that can be listed and read, with its settings. `root` of a commit is the git folder."""

    name: str
    settings: Settings
    tree: Tree

    def listing(self) -> Listing:
        return self.tree.listing()

    def read(self, path: str) -> bytes | Diagnostic:
        return self.tree.read(path)

    def expected(self, paths: Iterable[str]) -> Iterator[str]:
        """Paths that are read one after the other."""
        return expected(self.tree, paths)

    def content(self, path: str) -> bytes | None:
        found = self.read(path)
        return found if isinstance(found, bytes) else None


def org_sources(org: str) -> tuple[Source, ...]:
    """A source for every immediate subfolder. Raises `ScanError`."""
    try:
        return tuple(Source("", root) for root in subfolders(org))
    except SourceError as error:
        raise ScanError(english().text(error.message)) from error


def manifest_sources(file: str) -> tuple[Source, ...]:
    """The repositories a manifest names: JSON lines `{repo, path, head?}`, a relative path from the manifest's folder.

    Raises `ScanError` for a line that is none, and for two repositories of one name.
    """
    try:
        content = files.read(file, MANIFEST_BYTES_MAX)
        folder = os.path.dirname(os.path.abspath(file))
        if len(content) > MANIFEST_BYTES_MAX:
            raise ScanError(f"{file}: is larger than {MANIFEST_BYTES_MAX >> 20} MiB")
        text = content.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise ScanError(f"{file}: {getattr(error, 'strerror', None) or error}") from error
    found = [
        _manifest_line(line, f"{file}:{number}", folder)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    names: dict[str, Source] = {}
    for source in found:
        other = names.setdefault(source.repo, source)
        if other is not source:
            raise ScanError(_twice(source.repo, other.root, source.root))
    return tuple(found)


def _manifest_line(line: str, place: str, folder: str) -> Source:
    try:
        check_json(line)
        given: Any = json.loads(line)
    except BoundedError as error:
        raise ScanError(f"{place}: {error.message}") from error
    except ValueError as error:
        raise ScanError(f"{place}: is not JSON: {error}") from error
    if not isinstance(given, dict):
        raise ScanError(f"{place}: must be an object with `repo` and `path`")
    unknown = sorted(set(given) - {"repo", "path", "head"})
    if unknown:
        raise ScanError(f"{place}: unknown key `{unknown[0]}`; there are `repo`, `path` and `head`")
    texts = {key: given.get(key) for key in ("repo", "path", "head")}
    if texts["head"] is None:
        texts["head"] = ""
    for key, value in texts.items():
        if not isinstance(value, str) or (key != "head" and not value):
            raise ScanError(f"{place}: `{key}` must be a text")
        if _UNFIT.search(value):
            raise ScanError(f"{place}: `{key}` holds what no name of a file or repository can hold")
    repo, path, head = (str(value) for value in texts.values())
    if head.startswith("-"):
        raise ScanError(f"{place}: `head` must name a commit")
    if _ADDRESS.match(path):
        raise ScanError(
            f"{place}: `path` is an address on a network, and a scan opens no connection: "
            "`git clone --mirror` it to where every executor can read it, and give that folder"
        )
    return Source(repo, os.path.normpath(os.path.join(folder, path)), head)


def check_names(found: dict[str, list[str]]) -> None:
    """Raises `ScanError` where two roots have one name."""
    for name, roots in sorted(found.items()):
        if len(roots) > 1:
            raise ScanError(_twice(name, *sorted(roots)[:2]))


def _twice(name: str, one: str, other: str) -> str:
    return f"two repositories are called {name!r}: {one} and {other}; name one of them otherwise"


def is_commit(head: str) -> bool:
    """Whether a head is the id of a commit, which always means the same."""
    return re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", head) is not None


def commit_read(source: Source) -> str:
    """The commit a source is read at; "" for a work tree, which no commit tells."""
    if is_commit(source.head):
        return source.head
    return commit_of(source.root, source.head).head if source.head or is_bare(source.root) else ""


@contextmanager
def opened(source: Source, setup: Setup) -> Iterator[Opened]:
    """The repository of a source. Raises `SourceError` and `SettingsError`."""
    if source.head or is_bare(source.root):
        head = source.head or "HEAD"
        tree = GitTree(source.repo, source.root, head)
        try:
            own = _overridden(Settings() if setup.isolated else _settings_in(tree), setup)
            if not source.repo:  # its name is part of what it lists
                tree.close()
                tree = GitTree(name_of(source.root, own.repository), source.root, head)
            yield Opened(tree.name, own, tree.narrowed(configuration.excluded(own, setup.settings)))
        finally:
            tree.close()
        return
    if not os.path.isdir(source.root):
        raise SourceError("source.no-folder", root=source.root)
    own = _overridden(Settings() if setup.isolated else configuration.load(source.root), setup)
    name = source.repo or name_of(source.root, own.repository)
    checkout = Repository(
        name, source.root, untracked=setup.untracked, exclude=configuration.excluded(own, setup.settings)
    )
    yield Opened(name, own, checkout)


def _settings_in(tree: GitTree) -> Settings:
    def read(path: str) -> bytes | None:
        content = tree.read(path)
        return content if isinstance(content, bytes) else None

    return configuration.of_tree(tree.name, set(tree.files()), read)


def _overridden(own: Settings, setup: Setup) -> Settings:
    return configuration.with_overrides(own, setup.overrides) if setup.overrides else own


def unreachable(source: Source, error: Exception) -> Diagnostic:
    """The diagnostic of a repository that could not be opened: it costs that repository alone."""
    return not_read(source.repo, error.message if isinstance(error, UnusableError) else reason_of(error))


class Late:
    """A repository that is listed already, opened when something of it is read, and not before. `objects`: what a commit's
    files are, by path."""

    def __init__(
        self, name: str, source: Source, setup: Setup, objects: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self._source = source
        self._setup = setup
        self._objects = objects
        self._stack = ExitStack()
        self._tree: Tree | None = None

    def __enter__(self) -> Late:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def read(self, path: str) -> bytes | Diagnostic:
        return self._opened().read(path)

    def expected(self, paths: Iterable[str]) -> Iterator[str]:
        """Paths that are read one after the other. Raises `SourceError` and `SettingsError`."""
        return expected(self._opened(), paths)

    def content(self, path: str) -> bytes | None:
        found = self.read(path)
        return found if isinstance(found, bytes) else None

    def _opened(self) -> Tree:
        if self._tree is None:
            source = self._source
            if not self._objects:
                self._tree = self._stack.enter_context(opened(source, self._setup)).tree
            elif not os.path.isdir(source.root):
                raise SourceError("source.no-folder", root=source.root)
            else:
                tree = GitTree.listed(self.name, source.root, source.head or "HEAD", self._objects)
                self._stack.callback(tree.close)
                self._tree = tree
        return self._tree


def expected(tree: Tree, paths: Iterable[str]) -> Iterator[str]:
    """Paths that are read one after the other, which git can be told ahead of time."""
    return tree.expected(paths) if isinstance(tree, GitTree) else iter(paths)
