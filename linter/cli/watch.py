"""`check --watch`: the report again, each time a file of the run or of its configuration has changed, until Ctrl-C.

Files are looked at, not waited for: no library, and the same on every file system. What changes while a run goes on is
seen after it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli import output
from subdrift.linter.cli.baseline import baseline_file
from subdrift.linter.cli.job import Job
from subdrift.linter.cli.news import earlier
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError, complain, language_of
from subdrift.linter.cli.warm import Warm, stamp_of
from subdrift.linter.model.known import Known
from subdrift.linter.report.content import Earlier
from subdrift.linter.settings import FILE, PYPROJECT
from subdrift.linter.sources.checkout import subfolders
from subdrift.linter.sources.git import SourceError
from subdrift.linter.triage import Triaged

LOOK_S = 0.5
"""Between two looks at the files."""
LIST_S = 5.0
"""Between two listings, which alone find files in new folders."""
FORMATS = ("text", "concise")
ALONE = ("fix", "diff", "registry_out", "stdin_filename", "staged")
"""What would write, or is one state that does not change."""
_CLEAR = "\x1b[H\x1b[2J"


class Watch:
    """Runs of `check` in a row: what they leave for the next, and which files they went by."""

    def __init__(self, options: Options, check: Check) -> None:
        self.warm: Final = Warm()
        self._options = options
        self._check = check
        self._words = language_of(options.lang, "")
        self._before: tuple[Known, ...] | None = None
        self._job: Job | None = None
        self._files: dict[str, object] = {}
        self._folders: dict[str, object] = {}
        self._listed: object = None

    # -- asked and told by a run -----------------------------------------------------------------------------

    def begins(self, job: Job) -> None:
        """A run over these sources is about to read them."""
        self._job = job
        self._words = language_of(self._options.lang, job.settings.lang)
        self._files = _stamped(_files(job, self._options))
        self._folders = _stamped(_folders(job, self._options))
        self._listed = self._listing(anew=False)

    def beside(self, found: Triaged) -> Earlier | None:
        """What is new beside the run before; None for the first one."""
        before, self._before = self._before, tuple(map(Known.of, found.findings))
        return None if before is None else earlier(found, before, self._words.word("watch.last"))

    # -- the loop --------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Until a signal comes, or the reader of stdout has left. Raises `CannotError` where the first run cannot begin."""
        while True:
            self._report()
            if output.reader_has_left():
                return
            moment = time.strftime("%H:%M:%S")
            complain(self._words.word("watch.waiting", time=moment))
            self._wait()

    def _report(self) -> None:
        if sys.stdout.isatty():
            output.write(_CLEAR, output.STDOUT)
        stamps = _stamped(self._files)
        try:
            self._check(self._options, self)
        except CannotError as error:
            if self._job is None:
                raise
            complain(
                self._words.text(error.message)
            )  # a configuration that is being edited is mended in the end
            self._files, self._listed = stamps, self._listing()

    def _wait(self) -> None:
        """Until a file has changed, has come or has gone, and no more happens to it."""
        listed, seen = time.monotonic(), self._files
        while True:
            time.sleep(LOOK_S)
            files = _stamped(self._files)
            if files != self._files:
                if files == seen:
                    return
                seen = files
                continue
            folders = _stamped(self._folders)
            if folders != self._folders or time.monotonic() - listed > LIST_S:
                listed, self._folders = time.monotonic(), folders
                if self._listing() != self._listed:
                    return

    def _listing(self, *, anew: bool = True) -> object:
        """Equal where a run finds the same files in the same repositories."""
        assert self._job is not None
        repositories = self._job.repositories
        try:
            roots = [one.root for one in repositories]
            if self._options.org is not None:
                roots = subfolders(self._options.org)
            return sorted(roots), [one.listed_anew() if anew else one.files() for one in repositories]
        except SourceError:  # the run that follows says what is wrong
            return None


Check = Callable[[Options, Watch], int]
"""`check` itself."""


def watch(options: Options, check: Check) -> int:
    """Check again and again. Raises `CannotError` for options that do not go with it."""
    for name in ALONE:
        if getattr(options, name):
            raise CannotError("option.watch-alone", option="--" + name.replace("_", "-"))
    if options.output_format not in ("", *FORMATS):
        raise CannotError("option.watch-format", formats=", ".join(FORMATS))
    Watch(options._replace(output_format=options.output_format or FORMATS[0]), check).run()
    return 0


def _stamped(paths: Iterable[str]) -> dict[str, object]:
    return {path: stamp_of(path) for path in paths}


def _files(job: Job, options: Options) -> Iterator[str]:
    """The files of a run, and what its configuration is read from, whether it is there or not."""
    for repository in job.repositories:
        yield from map(repository.path_on_disk, repository.files())
        yield from (f"{repository.root}/{one}" for one in (FILE, PYPROJECT))
    for settings in (job.settings, *job.of_repository.values()):
        yield from filter(None, (settings.file, *settings.extended))
    files, _ = checkouts.split_config(options.config)
    yield from filter(
        None, (*files, baseline_file(options.baseline, job.settings), options.since, options.against)
    )


def _folders(job: Job, options: Options) -> Iterator[str]:
    """The folders files of a run lie in."""
    for repository in job.repositories:
        yield from {os.path.dirname(repository.path_on_disk(one)) for one in repository.files()}
        yield repository.root
    if options.org is not None:
        yield options.org
