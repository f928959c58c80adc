"""One run over checkouts: options and configuration in, everything a report needs out."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subdrift import linter, rules
from subdrift.linter import settings as configuration
from subdrift.linter.cli.output import CannotError, complain, language_of
from subdrift.linter.cli.progress import progress
from subdrift.linter.model.finding import DIAGNOSTICS, Diagnostic, Severity
from subdrift.linter.model.ignore import Ignore
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.model.message import verbatim
from subdrift.linter.model.unknown import lost, unreachable, unread
from subdrift.linter.pipeline import Looked, Options, Policy, Result, Seen, analyse
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.report.content import About, Aside, Content, OwnersOf
from subdrift.linter.report.language import Language
from subdrift.linter.report.made import Made, Revision
from subdrift.linter.settings import OFF, Settings, SettingsError
from subdrift.linter.sources.checkout import SOURCE_BYTES_MAX, Repository, SourceError, discover
from subdrift.linter.sources.git import is_bare, telling
from subdrift.linter.sources.mirror import kind_of, settings_files
from subdrift.linter.sources.owners import owners_of
from subdrift.linter.sources.tree import Tree, begin_listing
from subdrift.linter.stages.ownership import Owners
from subdrift.linter.store.cache import CACHE_FOLDER, Cache, versions_of_package
from subdrift.linter.triage import Cap, Triaged, triage

if TYPE_CHECKING:
    from subdrift.linter.model.topics import Map
    from subdrift.linter.registry.reader import Registry


NAMED_MAX = 10
"""Entries and diagnostics that a sentence names."""


class Inputs(Struct, frozen=True):
    """What `check`, `list` and `unresolved` take alike. `config` holds files and `key=value` in one row; `publishes`: a
    registry is made of the run; `force`: what is kept of the run is kept where not everything was read, too."""

    paths: tuple[str, ...] = (".",)
    org: str | None = None
    config: tuple[str, ...] = ()
    isolated: bool = False
    cache: bool = True
    cache_dir: str = ""
    untracked: bool = True
    jobs: int = 0
    staged: bool = False
    quiet: bool = False
    stdin_filename: str = ""
    against: str = ""
    publishes: bool = False
    lang: str = ""
    force: bool = False
    sends: bool = False


class Job(Struct, frozen=True):
    """The repositories of a run with their settings, and those of the run itself. `registry` holds the others."""

    repositories: tuple[Repository, ...]
    of_repository: dict[str, Settings]
    settings: Settings
    registry: Registry | None = None

    @property
    def own(self) -> frozenset[str]:
        """The names of the repositories."""
        return frozenset(one.name for one in self.repositories)

    @property
    def home(self) -> str:
        """The one repository the run is about, "" where there are several."""
        return self.repositories[0].name if len(self.repositories) == 1 else ""

    def repository(self, name: str) -> Repository | None:
        return next((one for one in self.repositories if one.name == name), None)

    def read(self, origin: Origin) -> bytes | None:
        """The bytes of a file for a report; None where they are gone."""
        repository = self.repository(origin.repo)
        content = None if repository is None else repository.read(origin.path)
        return content if isinstance(content, bytes) else None

    def owners(self) -> OwnersOf:
        """Who owns a file; what a repository says of it is read when it is first asked for."""
        known: dict[str, Owners] = {}

        def of(origin: Origin) -> tuple[str, ...]:
            if origin.repo not in known:
                repository = self.repository(origin.repo)
                known[origin.repo] = Owners() if repository is None else owners_of(repository)
            return known[origin.repo].of(origin.path)

        return of

    def close(self) -> None:
        """End what reading has started."""
        for one in self.repositories:
            one.close()
        if self.registry is not None:
            self.registry.close()

    def is_selected(self, origin: Origin) -> bool:
        repository = self.repository(origin.repo)
        if repository is None:  # what PATHs narrow is told by the sides that lie under them
            return self.registry is None or not any(one.selected for one in self.repositories)
        return repository.is_selected(origin.path)


def prepare(inputs: Inputs) -> Job:
    """Find the repositories and read the configuration. Raises `CannotError`."""
    known: dict[str, Settings] = {}
    files, overrides = split_config(inputs.config)

    def of_root(root: str) -> Settings:
        if root not in known:
            known[root] = Settings() if inputs.isolated else _load(root)
        return known[root]

    try:
        paths = inputs.paths
        if inputs.stdin_filename:
            paths = (os.path.dirname(os.path.abspath(inputs.stdin_filename)),)
        repositories = discover(
            paths, inputs.org, lambda root: of_root(root).repository, inputs.untracked, kind_of
        )
        if inputs.stdin_filename:
            repositories[0].instead_of(inputs.stdin_filename, sys.stdin.buffer.read(SOURCE_BYTES_MAX + 1))
        own = {one.name: of_root(one.root) for one in repositories}
        if files:
            run = configuration.load_file(files[-1], rules=rules.names())
        elif inputs.org is not None:
            run = of_root(os.path.realpath(inputs.org))
        elif len(repositories) == 1:
            run = own[repositories[0].name]
        else:
            run = Settings()
        if files and len(repositories) == 1:
            own = {repositories[0].name: run}
        run = configuration.with_overrides(run, overrides, rules.names())
        own = {name: configuration.with_overrides(each, overrides) for name, each in own.items()}
    except (SettingsError, SourceError) as error:
        raise CannotError(error.message) from error
    for one in repositories:
        one.exclude = configuration.excluded(own[one.name], run)
        one.staged = inputs.staged
    registry = None
    if inputs.against:
        from subdrift.linter.cli.against import opened

        registry = opened(inputs.against)
    return Job(repositories, own, run, registry)


def _load(root: str) -> Settings:
    """The configuration of a repository; of a bare one, that of its HEAD."""
    if not is_bare(root):
        return configuration.load(root, rules.names())

    found = settings_files(root, (configuration.FILE, configuration.PYPROJECT))

    def read(path: str) -> bytes | None:
        return found.get(path) or settings_files(root, (path,)).get(path)

    return configuration.of_tree(root, found, read, rules.names())


def execute(job: Job, inputs: Inputs, looked: Looked | None = None) -> Result:
    """Analyse, and say on stderr what is no finding: odd listings, an unusable cache, a run that saw nothing."""
    result = analysed(job, job.repositories, inputs, looked)
    if inputs.quiet:
        return result
    words = language_of(inputs.lang, job.settings.lang)
    for repository in job.repositories:
        remark = repository.listing().remark
        if remark:
            complain(words.text(remark))
    if nothing_read(result.diagnostics, len(job.repositories)):
        return result
    if not result.files:
        complain(words.word("saw-no-file", place=_named(inputs)))
    elif not result.consumers and not inputs.sends and not asks_of_senders(job):
        complain(words.word("saw-no-consumer", count=result.files, place=_named(inputs)))
    return result


def sends_of(job: Job, inputs: Inputs, consuming: Result, trees: Sequence[Tree] = ()) -> Result:
    """What some trees send, by default the repositories of the job, by what a run before has read of them. Raises
    `CannotError`."""
    return analysed(job, trees or job.repositories, replace(inputs, sends=True), seen=consuming.seen)


def with_senders(job: Job, inputs: Inputs, result: Result, trees: Sequence[Tree] = ()) -> Result:
    """The result with the senders of what its findings lose, and with what rules say of senders. They are looked for where
    there is such a finding, or the configuration asks for those rules."""
    from subdrift.linter.stages import senders

    levelled = job.settings.levelled(rules.ALL) if asks_of_senders(job) else ()
    if not levelled and not senders.is_asked(result.findings):
        return result
    sending = sends_of(job, replace(inputs, quiet=True), result, trees)
    found = map_of(job, result, sending)
    if result.files and not (result.consumers or sending.consumers or inputs.quiet):
        words = language_of(inputs.lang, job.settings.lang)
        complain(words.word("saw-no-consumer", count=result.files, place=_named(inputs)))
    said = senders.with_senders(result.findings, found, complete=job.settings.senders_complete)
    of_topics = senders.judge_topics(found, levelled)
    if job.registry is not None:
        from subdrift.linter.cli.against import concerning

        of_topics = concerning(of_topics, job.own)
    read = {placed.origin for placed in result.suppressions}
    more = (placed for placed in sending.suppressions if levelled and placed.origin not in read)
    return replace(
        result,
        findings=(*said, *of_topics),
        suppressions=(*result.suppressions, *more),
        sending=sending,
        map=found,
    )


def map_of(job: Job, consuming: Result, sending: Result) -> Map:
    """Who sends what to whom, by a run for what consumes and one for what sends; beside them what a registry holds."""
    if job.registry is not None:
        from subdrift.linter.cli.against import around

        return around(job.registry, job.own, consuming, sending, _policy(job).cluster_of)
    from subdrift.linter.model.topics import joined

    is_organisation = job.settings.senders_complete or len(job.repositories) > 1
    return joined(consuming.consumers, sending.consumers, organisation=is_organisation)


def asks_of_senders(job: Job) -> bool:
    """Whether the rules about senders are on."""
    return job.settings.asks_of_senders(rules.ALL)


_versions = cache(versions_of_package)
"""What this process is made of does not change under it."""


def analysed(
    job: Job, trees: Sequence[Tree], inputs: Inputs, looked: Looked | None = None, seen: Seen | None = None
) -> Result:
    """Analyse some trees under the settings of a job. `looked` and `seen` as in `analyse`. Raises `CannotError`."""
    begin_listing(trees)  # while the rest is made ready
    package = os.path.dirname(linter.__file__)
    folder = _cache_folder(job, inputs)
    reading = ("clients", "extract", "languages", "model", "recognise", "text")
    whole, part = _versions(package, reading) if folder else ("", "")
    options = Options(
        workers=inputs.jobs,
        extractor=f"{linter.__version__}:{part}",
        program=f"{linter.__version__}:{whole}{':sends' * inputs.sends}" if folder else "",
        material=inputs.publishes,
        sends=inputs.sends,
    )
    with Cache(folder, linter.__version__, is_ours=not _chosen(inputs)) as cache:
        try:
            with progress(not inputs.quiet) as show, telling(show):
                options = replace(options, progress=show)
                result = _analysed(job, trees, options, cache if folder else None, inputs, looked, seen)
        except (SourceError, RegistryError) as error:
            raise CannotError(error.message) from error
    if cache.remark and not inputs.quiet:
        complain(cache.remark)
    return result


def _analysed(
    job: Job,
    trees: Sequence[Tree],
    options: Options,
    cache: Cache | None,
    inputs: Inputs,
    looked: Looked | None,
    seen: Seen | None,
) -> Result:
    levelled = job.settings.levelled(rules.ALL)
    if job.registry is None:
        return analyse(trees, levelled, _policy(job), options, cache, looked=looked, seen=seen)
    from subdrift.linter.cli.against import of_own
    from subdrift.linter.registry.beyond import Beyond

    beyond = Beyond(job.registry, frozenset(tree.name for tree in trees))
    result = analyse(trees, levelled, _policy(job), options, cache, beyond, looked)
    if beyond.remarks and not inputs.quiet:
        words = language_of(inputs.lang, job.settings.lang)
        for remark in beyond.remarks:
            complain(words.text(remark))
    return of_own(result, job.registry, beyond.own)


def judged(job: Job, result: Result, inputs: Inputs) -> Triaged:
    """Findings and diagnostics with their suppressions."""
    suppressions = [
        (placed.origin, one) for placed in result.suppressions for one in placed.facts.suppressions
    ]
    whole = inputs.org is not None or len(job.repositories) > 1
    ignores = {name: _ignores(name, own, job.settings) for name, own in job.of_repository.items()}
    caps = {name: _caps(own, job.settings) for name, own in job.of_repository.items()}
    return triage(
        result.findings,
        result.diagnostics,
        suppressions,
        result.consumers,
        rules.ALL,
        whole,
        ignores,
        caps={name: given for name, given in caps.items() if given},
    )


def all_read(found: Triaged, job: Job, inputs: Inputs) -> None:
    """Raises `CannotError` where a file or repository could not be read, so that what would be kept of this run would not
    hold of its sources; nothing happens with `--force`."""
    missing = tuple(lost(found.diagnostics))
    if missing and not inputs.force:
        said = listed(missing, language_of(inputs.lang, job.settings.lang))
        raise CannotError("tree.not-whole", count=len(missing), listed=verbatim(said))


def listed(diagnostics: Sequence[Diagnostic], words: Language) -> str:
    """A line for each of the first few diagnostics."""
    lines = [f"{_place(one.at)}: {words.text(one.message)}" for one in diagnostics[:NAMED_MAX]]
    if len(diagnostics) > NAMED_MAX:
        lines.append(words.word("table.more", count=len(diagnostics) - NAMED_MAX).strip())
    return "\n".join(lines)


def _place(at: Location) -> str:
    return "/".join(part for part in (at.origin.repo, at.origin.path) if part not in ("", "."))


def nothing_read(found: Iterable[Diagnostic], repositories: int) -> bool:
    """Whether none of the repositories of a run could be read, so that it cannot answer anything."""
    return 0 < repositories == len(unreachable(found))


def complain_of_unreachable(found: Sequence[Diagnostic], words: Language) -> None:
    """Say which repositories could not be read, where no report does."""
    gone = [one for one in found if one.name == "unreadable-file" and one.at.origin.path == "."]
    if gone:
        complain(listed(gone, words))


def _ignores(name: str, own: Settings, run: Settings) -> tuple[Ignore, ...]:
    """The entries of `[[ignore]]` that speak for a repository, its own and the run's, and the paths where a rule is off."""
    found = dict.fromkeys((*own.ignores, *run.ignores, *map(_off, _by_path(own, run))))
    return tuple(
        replace(one, at=Location(Origin(name, one.at.origin.path), one.at.span)) for one in found if one
    )


def _by_path(own: Settings, run: Settings) -> tuple[tuple[str, str, str], ...]:
    """Levels by path: the run's, then the repository's own, which win."""
    return tuple(dict.fromkeys((*run.path_levels, *own.path_levels)))


def _off(given: tuple[str, str, str]) -> Ignore | None:
    rule, pattern, level = given
    if level != OFF:
        return None
    reason = f'[rules.{rule}.paths] "{pattern}" = "{OFF}"'
    return Ignore(
        rule, reason, Location(Origin("", configuration.FILE), Span(1, 1, 1, 1)), path=pattern, shared=True
    )


def _caps(own: Settings, run: Settings) -> tuple[Cap, ...]:
    levels = {one.text: one for one in Severity}
    return tuple(Cap(rule, at, levels[level]) for rule, at, level in _by_path(own, run) if level != OFF)


def made(job: Job, repositories: Iterable[str]) -> Made:
    """How a report of this run came about, with the commits of some repositories, which git is asked for one by one."""
    import shlex
    import time
    from datetime import UTC, datetime

    from subdrift.linter.sources import about

    roots = {one.name: one.root for one in job.repositories}
    revisions = {
        name: Revision(about.commit_of(roots[name]).head, about.address_of(roots[name]))
        for name in repositories
        if name in roots
    }
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(told) if told.isdigit() else time.time(), UTC)
    is_ours = os.path.basename(sys.argv[0]).partition(".")[0] in ("subdrift", "__main__")
    command = shlex.join(("subdrift", *sys.argv[1:])) if is_ours else ""
    return Made(command, moment.date().isoformat(), revisions)


def content_of(
    job: Job,
    result: Result,
    found: Triaged,
    show_suppressed: bool,
    since: str = "",
    aside: tuple[Aside, ...] = (),
    whole: Triaged | None = None,
) -> Content:
    """What reports are made from. `whole`: everything there was, where `found` is what is new or under a path."""
    every = (whole or found).diagnostics
    return Content(
        version=linter.__version__,
        findings=found.findings,
        diagnostics=found.diagnostics,
        consumers=result.consumers,
        files=result.files,
        home=job.home,
        show_suppressed=show_suppressed,
        since=since,
        aside=aside,
        unread=tuple(one for one in unread(every) if job.registry is None or one.at.origin.repo in job.own),
        foreign=result.foreign,
        repositories=len(job.repositories),
        owners=job.owners(),
        is_selected=job.is_selected,
        made=partial(made, job),
        map=result.map if asks_of_senders(job) else None,
    )


def catalogue(language: Language) -> tuple[About, ...]:
    """Every rule and diagnostic with its text."""
    word = language.word
    about = [
        About(rule.name, word(f"rule.{rule.name}"), rule.at_most, _text(rule.name, language.name))
        for rule in rules.ALL
    ]
    about += [
        About(name, word(f"diagnostic.{name}"), Severity.WARNING, _text(name, language.name))
        for name in DIAGNOSTICS
    ]
    return tuple(about)


def _text(name: str, lang: str) -> str:
    try:
        return rules.docs(name, lang)
    except (rules.UnknownTextError, FileNotFoundError):
        return ""


def split_config(config: Iterable[str]) -> tuple[list[str], list[str]]:
    """`--config` takes a file or `key = value`; what exists is a file."""
    files: list[str] = []
    overrides: list[str] = []
    for one in config:
        (overrides if "=" in one and not os.path.exists(one) else files).append(one)
    return files, overrides


def _policy(job: Job) -> Policy:
    clusters = job.registry.clusters(job.own) if job.registry is not None else {}
    clusters |= dict(job.settings.clusters)
    for each in job.of_repository.values():
        for name, addresses in each.clusters:
            clusters[name] = tuple(dict.fromkeys((*clusters.get(name, ()), *addresses)))
    merged = replace(job.settings, clusters=tuple(clusters.items()))
    return Policy(
        answers={
            name: configuration.answers_of(name, each, job.settings)
            for name, each in job.of_repository.items()
        },
        assume=job.settings.assume.of,
        cluster_of=merged.cluster_of,
    )


def _cache_folder(job: Job, inputs: Inputs) -> str | None:
    if not inputs.cache:
        return None
    chosen = _chosen(inputs)
    if chosen:
        return chosen
    if job.settings.cache_dir:
        return os.path.join(os.path.dirname(job.settings.file), job.settings.cache_dir)
    return default_cache_folder(job.repositories, inputs.org)


def _chosen(inputs: Inputs) -> str:
    """The cache folder a person named, "" where none did."""
    return inputs.cache_dir or os.environ.get("SUBDRIFT_CACHE_DIR", "")


def default_cache_folder(repositories: Collection[Repository], org: str | None) -> str | None:
    """Beside what is checked; nowhere for files that belong to no repository."""
    if org is not None:
        return os.path.join(org, CACHE_FOLDER)
    root = next((one.root for one in repositories if not one.only), None)
    return None if root is None else os.path.join(root, CACHE_FOLDER)


def _named(inputs: Inputs) -> str:
    return inputs.org if inputs.org is not None else ", ".join(inputs.paths)
