"""A project as an editor has it: runs of `check` over texts that may not be saved, each cheaper by those before it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.cli import against, commands
from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli.job import Job
from subdrift.linter.cli.news import Now
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import language_of
from subdrift.linter.cli.warm import Warm
from subdrift.linter.model.location import Origin
from subdrift.linter.pipeline import Result
from subdrift.linter.report.content import Content, Organisation
from subdrift.linter.sources.checkout import Repository
from subdrift.linter.sources.listing import public_path
from subdrift.linter.stages.fixes import Fix, plan


class Checked(Struct, frozen=True):
    """What a run came to. `files` are the paths on disk of what may be asked for, by origin; `texts` the editor's contents
    that were read in place of files; `fixes` the edits that settle findings, `before` the files they would change."""

    content: Content
    result: Result
    fixes: tuple[Fix, ...]
    before: dict[Origin, bytes]
    roots: dict[str, str]
    texts: Mapping[str, bytes]

    def path_of(self, origin: Origin) -> str:
        """Where a file lies on disk, "" where that is another repository's of a registry."""
        root = self.roots.get(origin.repo)
        return f"{root}/{origin.path}" if root else ""

    def origin_of(self, path: str) -> Origin | None:
        """The file of the run at a path on disk; None outside of it."""
        for repo, root in self.roots.items():
            if path.startswith(root + "/"):
                return Origin(repo, public_path(path[len(root) + 1 :]))
        return None


class Project:
    """The folders an editor has opened, or an organisation. Not for several threads at once."""

    def __init__(self, options: Options) -> None:
        """`options` as `check` takes them; its paths are the folders."""
        # a process with threads must not be forked
        self.options = options._replace(quiet=True, jobs=1)
        self._warm = Warm()

    def check(self, texts: Mapping[str, bytes]) -> Checked:
        """Run over the project, with the editor's contents in place of files, by path. Raises `CannotError`."""
        inputs = commands.inputs_of(self.options)
        job = checkouts.prepare(inputs)
        try:
            return self._check(job, inputs, texts)
        finally:
            job.close()

    def _check(self, job: Job, inputs: checkouts.Inputs, texts: Mapping[str, bytes]) -> Checked:
        for repository in job.repositories:
            _type(repository, texts)
        looked = self._warm.again(job)
        result = checkouts.analysed(job, job.repositories, inputs, looked)
        whole = checkouts.judged(job, result, inputs)
        news = commands.news_of(job, Now(result, whole, looked), inputs, self.options, False)
        content = checkouts.content_of(job, result, news.found, False, news.since, news.aside, whole)
        about = None if job.registry is None else _kept(against.organisation_of(job.registry), result)
        language = language_of(self.options.lang, job.settings.lang)
        fixes = tuple(plan(news.found.active, result.consumers))
        before = {one.origin: job.read(one.origin) or b"" for one in fixes}
        return Checked(
            content=replace(content, organisation=about, language=language),
            result=result,
            fixes=fixes,
            before=before,
            roots={one.name: one.root for one in job.repositories},
            texts=dict(texts),
        )


def _kept(told: Organisation, result: Result) -> Organisation:
    """What a registry tells of the files of the other repositories, for when it is closed again."""
    places = {place.at.origin for one in result.findings for place in one.places}
    for one in result.consumers:
        if one.id in result.foreign:
            places.add(one.at.origin)
            places.update(step.at.origin for _, value in one.values for step in value.trail)
    known = {origin: told.side(origin) for origin in places}
    return replace(told, side=known.get)


def _type(repository: Repository, texts: Mapping[str, bytes]) -> None:
    """Let the editor's contents stand for the files of a repository; what is not listed stays out."""
    listed = frozenset(repository.files())
    for path, content in texts.items():
        if path.startswith(repository.root + "/"):
            public = public_path(path[len(repository.root) + 1 :])
            if public in listed:
                repository.typed[public] = content
