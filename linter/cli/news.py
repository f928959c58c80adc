"""What of a run's findings is new: beside an earlier state of the same sources, or beside a baseline file.

Both states are analysed whole, because a change can set something at odds with a file it does not touch. The base is
not looked at where its answer cannot matter.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift import rules
from subdrift.linter import settings as configuration
from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli.job import Inputs, Job
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError
from subdrift.linter.model.finding import DIAGNOSTICS, Finding, Place, Scope
from subdrift.linter.model.known import Known, split
from subdrift.linter.model.location import Location, Origin
from subdrift.linter.model.unknown import count_blind
from subdrift.linter.pipeline import Looked, Result, Sight
from subdrift.linter.report.content import Aside, Earlier, Why
from subdrift.linter.settings import Settings, SettingsError
from subdrift.linter.sources.base import Base, BaseTree, commit, merge_base
from subdrift.linter.sources.git import SourceError
from subdrift.linter.store import earlier as reports
from subdrift.linter.store.baseline import BaselineError
from subdrift.linter.triage import Triaged

LINES_COMPARED_MAX = 5_000
"""Lines of a file in which changed ones are looked for."""


class News(Struct, frozen=True):
    """What is left of a run's findings, what was set aside, and what a reader calls the base ("" for none)."""

    found: Triaged
    since: str = ""
    aside: tuple[Aside, ...] = ()
    blind_before: int | None = None
    """Blind spots of the base, where it was asked for."""
    gone: tuple[Known, ...] = ()
    """Entries of the baseline that no longer occur."""


class Now(Struct, frozen=True):
    """A run, and all that was found in it."""

    result: Result
    whole: Triaged
    looked: Looked = field(default_factory=Looked)


def is_asked(options: Options) -> bool:
    return bool(options.new_from or options.new_from_merge_base)


def since(job: Job, inputs: Inputs, options: Options, found: Triaged, now: Now, count: bool) -> News:
    """The findings that were not there at the commit the options name. Raises `CannotError`.

    `count`: the blind spots of the base are wanted; `found` is what is left of those of `now`.
    """
    if options.new_from and options.new_from_merge_base:
        raise CannotError("option.two-bases")
    trees: list[BaseTree] = []
    try:
        for repository in job.repositories:
            base = _base(repository.root, options)
            trees.append(BaseTree(repository, base, repository.exclude))
        name = trees[0].base.name if len(trees) == 1 else options.new_from or options.new_from_merge_base
        if not count and not found.active and not found.active_diagnostics:
            return News(found, name)
        same_standard = not any(_touched(tree, job.of_repository[tree.name]) for tree in trees)
        if same_standard and _comes_to_the_same(trees, now.result.sight):
            return replace(_parted(found, found, name), blind_before=_blind(now))
        before, blind = _before(job, inputs, trees, now.looked)
        news = _parted(found, before, name)
        pointed = _pointed(news.found, {tree.name: tree for tree in trees})
        return replace(news, found=pointed, blind_before=blind)
    except (SourceError, SettingsError) as error:
        raise CannotError(error.message) from error
    finally:
        for tree in trees:
            tree.close()


def _comes_to_the_same(trees: Iterable[BaseTree], sight: Sight | None) -> bool:
    """Whether the base needs no look: nothing has changed, or nothing that the run looks at before or after the change."""
    for tree in trees:
        edits = tree.edits()
        if edits is None or not all(
            sight is not None and sight.passes_over(one.origin, one.now, one.before) for one in edits
        ):
            return False
    return True


def _base(root: str, options: Options) -> Base:
    if options.new_from:
        return commit(root, options.new_from)
    return merge_base(root, options.new_from_merge_base)


def _blind(run: Now) -> int:
    return count_blind(run.result.consumers, run.whole.diagnostics).total()


def at_revision(job: Job, inputs: Inputs, revision: str, looked: Looked) -> Result:
    """What a run over the trees of a job was at a commit. Raises `CannotError`."""
    trees: list[BaseTree] = []
    try:
        trees.extend(BaseTree(one, commit(one.root, revision), one.exclude) for one in job.repositories)
        return _analysed(job, inputs, trees, looked)[1]
    except (SourceError, SettingsError) as error:
        raise CannotError(error.message) from error
    finally:
        for tree in trees:
            tree.close()


def _before(job: Job, inputs: Inputs, trees: Iterable[BaseTree], looked: Looked) -> tuple[Triaged, int]:
    """The findings of the base, and how many blind spots it has."""
    earlier, result = _analysed(job, inputs, trees, looked)
    found = checkouts.judged(earlier, result, inputs)
    return found, _blind(Now(result, found))


def _analysed(job: Job, inputs: Inputs, trees: Iterable[BaseTree], looked: Looked) -> tuple[Job, Result]:
    """A run over the base, under its own answers and exclusions."""
    read = tuple(trees)
    own = {tree.name: _settings(tree, job, inputs) for tree in read}
    files, _ = checkouts.split_config(inputs.config)
    run = own[job.home] if job.home and not files and inputs.org is None else job.settings
    for tree in read:
        tree.leave_out(configuration.excluded(own[tree.name], run))
    earlier = replace(job, of_repository=own, settings=run)
    trees_of = {tree.name: tree for tree in read}
    # what this run sees is the base's: runs after it go by what stands now
    looked = Looked(
        dict(looked.files),
        dict(looked.placed),
        looked.verdicts,
        lambda origin: not trees_of[origin.repo].touches(origin.path),
    )
    result = checkouts.analysed(earlier, read, inputs, looked)
    if checkouts.asks_of_senders(earlier):
        result = checkouts.with_senders(earlier, inputs, result, read)
    return earlier, result


def _touched(tree: BaseTree, own: Settings) -> bool:
    """Whether a configuration that a repository's own extends is another than in the base."""
    return any(tree.touches(os.path.relpath(one, tree.now.root)) for one in own.extended)


def _settings(tree: BaseTree, job: Job, inputs: Inputs) -> Settings:
    """The configuration as it was; as it is where it has not changed, or was given on the command line."""
    files, overrides = checkouts.split_config(inputs.config)
    own = job.of_repository[tree.name]
    names = (configuration.FILE, configuration.PYPROJECT)
    if inputs.isolated or files or not (any(tree.touches(name) for name in names) or _touched(tree, own)):
        return own

    def read(path: str) -> bytes | None:
        content = tree.read(path) if path in tree.files() else None
        return content if isinstance(content, bytes) else None

    for name in names:
        content = read(name)
        if content is not None:
            shown = f"{tree.base.tree[:10]}:{name}"
            found = configuration.parse_file(content, name, shown, tree.now.root, read, rules.names())
            if found is not None:
                return configuration.with_overrides(found, overrides)
    return configuration.with_overrides(Settings(), overrides)


def _parted(found: Triaged, before: Triaged, name: str) -> News:
    """What `found` has and `before` has not; only active findings are compared, for only they count."""
    return _aside(
        found,
        [Known.of(one) for one in before.active],
        [Known.of_diagnostic(one) for one in before.active_diagnostics],
        Why.OLD,
        name,
    )


def beside(found: Triaged, entries: tuple[Known, ...], news: News) -> News:
    """The findings that are not in a baseline; its entries about rules say nothing about diagnostics."""
    of_rules = [one for one in entries if one.rule not in DIAGNOSTICS]
    others = [one for one in entries if one.rule in DIAGNOSTICS]
    left = _aside(found, of_rules, others, Why.BASELINE, news.since)
    return replace(news, found=left.found, aside=(*news.aside, *left.aside), gone=left.gone)


def report_before(file: str) -> tuple[Known, ...]:
    """What an earlier report or baseline holds about rules. Raises `CannotError`."""
    try:
        return tuple(one for one in reports.read(file) if one.rule not in DIAGNOSTICS)
    except BaselineError as error:
        raise CannotError(error.message) from error


def earlier(found: Triaged, before: Collection[Known], file: str) -> Earlier:
    """What is new, changed or gone beside `before`, of everything a run has found.

    A finding that is suppressed by now is neither new nor gone.
    """
    were = {one.identity for one in before}
    there = {one.identity for one in found.findings}
    parted = split([Known.of(one) for one in found.findings], before)
    other = [found.findings[position] for position in parted.new]
    return Earlier(
        os.path.basename(file),
        frozenset(one.identity for one in other if one.suppressed is None and one.identity not in were),
        frozenset(one.identity for one in other if one.suppressed is None and one.identity in were),
        tuple(one for one in parted.gone if one.identity not in there),
    )


def remembered(found: Triaged, diagnostics: bool) -> tuple[Known, ...]:
    """What a baseline holds of a run."""
    said = [Known.of_diagnostic(one) for one in found.active_diagnostics] if diagnostics else []
    return (*map(Known.of, found.active), *said)


def _aside(
    found: Triaged, findings: Iterable[Known], diagnostics: Iterable[Known], why: Why, name: str
) -> News:
    active, said = found.active, found.active_diagnostics
    known = split([Known.of(one) for one in active], findings)
    past = split([Known.of_diagnostic(one) for one in said], diagnostics)
    hidden = tuple(active[position] for position in known.old)
    out = {id(one) for one in hidden} | {id(said[position]) for position in past.old}
    left = Triaged(
        tuple(one for one in found.findings if id(one) not in out),
        tuple(one for one in found.diagnostics if id(one) not in out),
    )
    return News(left, name, (Aside(why, hidden),), gone=(*known.gone, *past.gone))


def _pointed(found: Triaged, trees: dict[str, BaseTree]) -> Triaged:
    """The findings with a side on a changed line first, where reviewers look."""
    lines: dict[Origin, frozenset[int] | None] = {}

    def distance(place: Place) -> int:
        """0 on a changed line, 1 in a changed file, 2 elsewhere; by the place or by the text that says it."""
        return min(away(at) for at in (place.at, place.value_at) if at is not None)

    def away(at: Location) -> int:
        origin = at.origin
        if origin not in lines:
            tree = trees.get(origin.repo)
            lines[origin] = frozenset() if tree is None else _changed_lines(tree, origin.path)
        changed = lines[origin]
        span = at.span
        if changed is None or any(line in changed for line in range(span.line, span.end_line + 1)):
            return 0
        return 1 if changed else 2

    def pointed(finding: Finding) -> Finding:
        if finding.scope is Scope.CONSUMER or finding.suppressed is not None:
            return finding
        places = tuple(sorted(finding.places, key=distance))
        return finding if places == finding.places else replace(finding, places=places)

    return Triaged(tuple(map(pointed, found.findings)), found.diagnostics)


def _changed_lines(tree: BaseTree, path: str) -> frozenset[int] | None:
    """The lines of a file that are not in the base; None for all of them."""
    if not tree.touches(path):
        return frozenset()
    now, before = tree.now.read(path), tree.read(path)
    if not isinstance(now, bytes) or not isinstance(before, bytes):
        return None
    new, old = now.split(b"\n"), before.split(b"\n")
    if len(new) + len(old) > LINES_COMPARED_MAX:
        there = set(old)
        return frozenset(number for number, line in enumerate(new, 1) if line not in there)
    from difflib import SequenceMatcher  # a run that is not beside another one needs none

    kept = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    same = {line for block in kept for line in range(block.b + 1, block.b + block.size + 1)}
    return frozenset(range(1, len(new) + 1)) - same
