"""One run over checkouts: options and configuration in, everything a report needs out."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import linter
import rules
from linter import settings as configuration
from linter.cli.output import CannotError, complain
from linter.model.finding import DIAGNOSTICS, Severity
from linter.model.location import Origin
from linter.pipeline import Options, Policy, Result, analyse
from linter.report.content import About, Content, plural
from linter.report.language import Language
from linter.settings import Settings, SettingsError
from linter.sources.checkout import Repository, SourceError, discover
from linter.store.cache import CACHE_FOLDER, Cache, version_of_package
from linter.triage import Triaged, triage, under


@dataclass(frozen=True, slots=True)
class Inputs:
    """What `check`, `list` and `unresolved` take alike. `config` holds files and `key=value` in one row."""

    paths: tuple[str, ...] = (".",)
    org: str | None = None
    config: tuple[str, ...] = ()
    isolated: bool = False
    cache: bool = True
    cache_dir: str = ""
    untracked: bool = True
    jobs: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """The repositories of a run with their settings, and those of the run itself."""

    repositories: tuple[Repository, ...]
    of_repository: dict[str, Settings]
    settings: Settings

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

    def is_selected(self, origin: Origin) -> bool:
        repository = self.repository(origin.repo)
        return repository is None or repository.is_selected(origin.path)


def prepare(inputs: Inputs) -> Job:
    """Find the repositories and read the configuration. Raises `CannotError`."""
    known: dict[str, Settings] = {}
    files, overrides = split_config(inputs.config)

    def of_root(root: str) -> Settings:
        if root not in known:
            known[root] = Settings() if inputs.isolated else configuration.load(root)
        return known[root]

    try:
        repositories = discover(
            inputs.paths, inputs.org, lambda root: of_root(root).repository, inputs.untracked
        )
        own = {one.name: of_root(one.root) for one in repositories}
        if files:
            run = configuration.load_file(files[-1])
        elif inputs.org is not None:
            run = of_root(os.path.realpath(inputs.org))
        elif len(repositories) == 1:
            run = own[repositories[0].name]
        else:
            run = Settings()
        if files and len(repositories) == 1:
            own = {repositories[0].name: run}
        run = configuration.with_overrides(run, overrides)
        own = {name: configuration.with_overrides(each, overrides) for name, each in own.items()}
    except (SettingsError, SourceError) as error:
        raise CannotError(str(error)) from error
    for one in repositories:
        one.exclude = tuple(dict.fromkeys((*own[one.name].exclude, *run.exclude)))
    return Job(repositories, own, run)


def execute(job: Job, inputs: Inputs) -> Result:
    """Analyse, and say on stderr what is no finding: odd listings, an unusable cache, a run that saw nothing."""
    package = os.path.dirname(linter.__file__)
    folder = _cache_folder(job, inputs)
    extractor = version_of_package(os.path.join(package, "extract")) if folder else ""
    options = Options(
        workers=inputs.jobs,
        extractor=f"{linter.__version__}:{extractor}",
        program=f"{linter.__version__}:{version_of_package(package)}" if folder else "",
    )
    with Cache(folder, linter.__version__) as cache:
        result = analyse(job.repositories, rules.ALL, _policy(job), options, cache if folder else None)
    for repository in job.repositories:
        if repository.listing().remark:
            complain(repository.listing().remark)
    if cache.remark:
        complain(cache.remark)
    if not result.files:
        complain(f"no supported file found in {_named(inputs)}; nothing was checked")
    elif not result.consumers:
        complain(
            f"no RocketMQ consumer found in {plural(result.files, 'file')} of {_named(inputs)}; nothing was compared"
        )
    return result


def judged(job: Job, result: Result, inputs: Inputs) -> Triaged:
    """Findings and diagnostics with their suppressions, as far as they concern the given PATHs."""
    suppressions = [
        (placed.origin, one) for placed in result.suppressions for one in placed.facts.suppressions
    ]
    whole = inputs.org is not None or len(job.repositories) > 1
    found = triage(result.findings, result.diagnostics, suppressions, result.consumers, rules.ALL, whole)
    return under(found, job.is_selected)


def content_of(job: Job, result: Result, found: Triaged, show_suppressed: bool) -> Content:
    """What reports are made from."""
    return Content(
        version=linter.__version__,
        findings=found.findings,
        diagnostics=found.diagnostics,
        consumers=result.consumers,
        files=result.files,
        home=job.home,
        show_suppressed=show_suppressed,
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
    clusters = dict(job.settings.clusters)
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
    chosen = inputs.cache_dir or os.environ.get("SUBDRIFT_CACHE_DIR", "")
    if chosen:
        return chosen
    if job.settings.cache_dir:
        return os.path.join(os.path.dirname(job.settings.file), job.settings.cache_dir)
    return default_cache_folder(job.repositories, inputs.org)


def default_cache_folder(repositories: Collection[Repository], org: str | None) -> str | None:
    """Beside what is checked; nowhere for files that belong to no repository."""
    if org is not None:
        return os.path.join(org, CACHE_FOLDER)
    root = next((one.root for one in repositories if not one.only), None)
    return None if root is None else os.path.join(root, CACHE_FOLDER)


def _named(inputs: Inputs) -> str:
    return inputs.org if inputs.org is not None else ", ".join(inputs.paths)
