"""The bodies of `check`, `list` and `unresolved`: options in, reports written, an exit code out."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING

from msgspec.structs import replace

from subdrift.linter.cli import job as checkouts
from subdrift.linter.cli import limits
from subdrift.linter.cli.baseline import baseline_entries, baseline_file, gone_sentence
from subdrift.linter.cli.job import Job
from subdrift.linter.cli.news import News, Now, beside, earlier, is_asked, report_before, since
from subdrift.linter.cli.options import FORMATS, Options
from subdrift.linter.cli.output import (
    STDOUT,
    CannotError,
    complain,
    language_of,
    rendered,
    safe_lines,
    stdout_style,
    write,
    write_step_summary,
)
from subdrift.linter.files import reason_of
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.finding import Severity
from subdrift.linter.model.unknown import count_unread, unknown_values
from subdrift.linter.pipeline import Looked
from subdrift.linter.registry.schema import RegistryError
from subdrift.linter.report.content import Aside, Content, Texts, Why
from subdrift.linter.report.detail import Detail
from subdrift.linter.settings import AS_IN_BASE, Settings
from subdrift.linter.sources.git import is_bare
from subdrift.linter.triage import Triaged, exit_code, under

if TYPE_CHECKING:
    from subdrift.linter.cli.watch import Watch

LINKED = frozenset(("sarif", "rdjson"))
"""Formats that link to the text about a rule."""


CANNOT = 2
"""The exit code of what could not be done."""


def run(command: str, options: Options) -> int:
    """Do one of the commands that read source trees. Raises `CannotError`."""
    match command:
        case "check" if options.watch:
            from subdrift.linter.cli.watch import watch

            return watch(options, check)
        case "check":
            return check(options)
        case "list":
            return sends(options) if options.sends else list_(options)
        case "topics":
            return topics(options)
        case _:
            return unresolved(options)


def check(options: Options, watch: Watch | None = None) -> int:
    """One run; `watch` is told of it, and has what the runs before it saw."""
    inputs = inputs_of(options)
    _check_options(options)
    job = checkouts.prepare(inputs)
    if not options.quiet:
        _complain_of_registry(job, options)
    limits.check_names(options, job.settings)
    allowed = limits.blind_spots_allowed(options, job.settings)
    if allowed == AS_IN_BASE and not is_asked(options):
        raise CannotError("option.base-needs-revision")
    before = report_before(options.since) if options.since else ()
    looked = Looked() if is_asked(options) else None
    if watch is not None:
        watch.begins(job)
        looked = watch.warm.again(job)
    result = checkouts.with_senders(job, inputs, checkouts.execute(job, inputs, looked))
    whole = checkouts.judged(job, result, inputs)
    if options.registry_out or (options.fix and not options.diff):
        checkouts.all_read(whole, job, inputs)
    if options.registry_out:
        from subdrift.linter.cli.publish import publish

        publish(options.registry_out, job, result, inputs)
    news = news_of(job, Now(result, whole, looked or Looked()), inputs, options, allowed == AS_IN_BASE)
    found = news.found
    if options.diff or options.fix:
        changes = _fixed(job, found, result.consumers, options)
        if options.diff:
            job.close()
            return int(bool(changes))
    content = replace(
        checkouts.content_of(job, result, found, options.show_suppressed, news.since, news.aside, whole),
        quiet=options.quiet,
        fail_on=_threshold(options, job.settings),
        earlier=earlier(whole, before, options.since) if options.since else watch and watch.beside(found),
    )
    if job.registry is not None:
        from subdrift.linter.cli import against

        content = replace(content, organisation=against.organisation_of(job.registry, result.map, job.own))
    _report(job, content, options)
    if options.timings:
        for stage, seconds in result.timings:
            sys.stderr.write(f"{stage:<10} {seconds * 1000:10.1f} ms\n")
    return _code(job, content, news, allowed, whole, options)


def _check_options(options: Options) -> None:
    """Say a mistake in the options before the work, not after it. Raises `CannotError`."""
    outputs_of(options, Settings())
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise CannotError("option.unsafe-fixes-alone")
    if options.statistics and options.output_format not in ("", "text"):
        raise CannotError("option.statistics-and-format", format=options.output_format)
    _check_registry(options)


def _complain_of_registry(job: Job, options: Options) -> None:
    """Say what the registry at hand does not know, if there is one."""
    if job.registry is None:
        return
    from subdrift.linter.cli import against

    words = language_of(options.lang, job.settings.lang)
    against.complain_of_age(job.registry, options.registry_max_age, words)
    against.complain_of_absence(job.registry, job.own, words)
    if checkouts.asks_of_senders(job):
        against.complain_of_senders(job.registry, words)


def _report(job: Job, content: Content, options: Options) -> None:
    """Write the reports of a run, and be done with its checkouts. Raises `CannotError`."""
    try:
        kept = job.registry.line if job.registry is not None else None
        report(content, Texts(job.read, kept), options, job.settings)
    except RegistryError as error:
        raise CannotError(error.message) from error
    finally:
        job.close()


def _code(
    job: Job, content: Content, news: News, allowed: int | str | None, whole: Triaged, options: Options
) -> int:
    """The exit code, with what is to be said of it: too few consumers, too much that is not known, a commit refused."""
    words = language_of(options.lang, job.settings.lang)
    broken = [
        limits.too_few(content.members, options, job.settings, words),
        limits.too_blind(content.blind_spots().total(), allowed, news.blind_before, news.since, words),
    ]
    for sentence in filter(None, broken):
        complain(sentence)
    failed = any(broken) and not options.exit_zero
    if checkouts.nothing_read(whole.diagnostics, len(job.repositories)):
        return CANNOT
    counted = replace(news.found, diagnostics=content.needed_diagnostics)
    code = int(failed) or verdict(counted, options, job.settings)
    if code and content.shown and (options.staged or os.environ.get("PRE_COMMIT") == "1"):
        complain(words.word("refused", rule=content.shown[0].rule, command=_command()))
    return code


def _command() -> str:
    """How a person types this program: a hook's environment is not on the PATH of those who read what it says."""
    return shlex.quote(os.path.abspath(sys.argv[0])) if os.environ.get("PRE_COMMIT") == "1" else "subdrift"


def _fixed(job: Job, found: Triaged, consumers: tuple[Consumer, ...], options: Options) -> int:
    """Make the changes or show them, and say what was not changed; the number of files. Raises `CannotError`."""
    from subdrift.linter.cli.fix import apply, remarks

    if not options.diff and (bare := [one.root for one in job.repositories if is_bare(one.root)]):
        raise CannotError("option.fix-of-bare", bare=bare[0])
    try:
        done = apply(
            job, found.active, consumers, write=options.fix and not options.diff, unsafe=options.unsafe_fixes
        )
    except OSError as error:
        raise CannotError("file.not-written", path=error.filename, reason=reason_of(error)) from error
    if options.diff:
        write(safe_lines(done.diff), STDOUT)
    for one in remarks(done, language_of(options.lang, job.settings.lang), preview=options.diff):
        complain(one)
    return done.files


def _check_registry(options: Options) -> None:
    """Raises `CannotError` for options that contradict each other."""
    if options.against and options.org is not None:
        raise CannotError("option.against-and-org")
    if options.against and options.registry_out:
        raise CannotError("option.publish-and-against")
    if options.registry_max_age:
        from subdrift.linter.cli import against

        against.seconds_of(options.registry_max_age)
        if not options.against:
            raise CannotError("option.max-age-needs-against")


def news_of(job: Job, now: Now, inputs: checkouts.Inputs, options: Options, count: bool) -> News:
    """What is to be reported of a result, and what is set aside."""
    result = now.result
    news = News(now.whole)
    file = baseline_file(options.baseline, job.settings)
    if file:
        words = None if options.quiet else language_of(inputs.lang, job.settings.lang)
        news = beside(news.found, baseline_entries(file, options.baseline, words), news)
        if news.gone and not options.quiet:
            complain(gone_sentence(news.gone, file, language_of(inputs.lang, job.settings.lang)))
    if is_asked(options):
        newer = since(job, inputs, options, news.found, now, count)
        news = replace(newer, aside=(*newer.aside, *news.aside), gone=news.gone)
    chosen = limits.selected(news.found, options, job.settings)
    wanted = {id(one) for one in chosen.findings}
    unselected = tuple(one for one in news.found.active if id(one) not in wanted)
    news = replace(news, aside=(*news.aside, Aside(Why.UNSELECTED, unselected)))
    if job.registry is not None:
        from subdrift.linter.cli import against

        chosen, others = against.parted(chosen, result.consumers, result.foreign, job.own)
        news = replace(news, aside=(*news.aside, Aside(Why.ELSEWHERE, others)))
    inside = under(chosen, job.is_selected)
    left = {id(one) for one in inside.active}
    outside = tuple(one for one in chosen.active if id(one) not in left)
    return replace(news, found=inside, aside=(*news.aside, Aside(Why.OUTSIDE, outside)))


def report(content: Content, texts: Texts, options: Options, settings: Settings) -> None:
    """Write every report that options and configuration ask for; the one on stdout last."""
    chosen = options.output_format or settings.output_format
    outputs = outputs_of(options, settings)
    content = replace(content, language=language_of(options.lang, settings.lang))
    kinds = {chosen, *(kind for kind, _ in outputs)}
    if "sarif" in kinds:
        content = replace(content, catalogue=checkouts.catalogue(content.language))
    if kinds & LINKED:
        content = replace(content, project=_project())
    detail = Detail(options.all_places, options.samples, options.verbose)
    plain = stdout_style("never")
    for kind, file in outputs:
        write(rendered(kind, content, texts, plain, detail), file)
    if options.statistics:
        from subdrift.linter.report import statistics

        write(statistics.render(content), STDOUT)
        return
    write(rendered(chosen, content, texts, stdout_style(options.color), detail), STDOUT)
    if chosen == "github":
        write_step_summary(content)


def _project() -> str:
    from subdrift.linter.sources import project

    try:
        return project.address()
    except project.ProjectError as error:
        raise CannotError(error.message) from error


def _threshold(options: Options, settings: Settings) -> Severity:
    """The level reports take for a failure; where none fails the run, errors stand out all the same."""
    chosen = options.fail_on or settings.fail_on
    return next((level for level in Severity if level.text == chosen), Severity.ERROR)


def verdict(found: Triaged, options: Options, settings: Settings) -> int:
    """The exit code of what was found."""
    threshold = "never" if options.exit_zero else options.fail_on or settings.fail_on
    strict = settings.strict if options.strict is None else options.strict
    return exit_code(found, threshold, strict)


def list_(options: Options) -> int:
    from subdrift.linter.report import listing

    inputs = inputs_of(options)
    job = checkouts.prepare(inputs)
    result = checkouts.execute(job, inputs)
    words = language_of(options.lang, job.settings.lang)
    listed, reasons = result.consumers, None
    if options.disabled:
        from subdrift.linter.report import idle

        listed = tuple(one for one in listed if idle.kinds(one))
        reasons = {(one.id, one.environments): idle.reasons(one, words) for one in listed}
    rows = listing.rows(listed, job.is_selected)
    checkouts.complain_of_unreachable(result.diagnostics, words)
    if options.output_format == "jsonl":
        write(listing.jsonl(rows), STDOUT)
    else:
        found = under(checkouts.judged(job, result, inputs), job.is_selected)
        blind = sum(job.is_selected(one.at.origin) for one in unknown_values(result.consumers))
        blind += count_unread(found.diagnostics).total()
        write(listing.table(rows, job.home, stdout_style(options.color), words, blind, reasons), STDOUT)
    return CANNOT * checkouts.nothing_read(result.diagnostics, len(job.repositories))


def sends(options: Options) -> int:
    from subdrift.linter.report import listing
    from subdrift.linter.report import sends as report_of

    if options.disabled:
        raise CannotError("option.sends-and-disabled")
    inputs = replace(inputs_of(options), sends=True)
    job = checkouts.prepare(inputs)
    result = checkouts.execute(job, inputs)
    words = language_of(options.lang, job.settings.lang)
    checkouts.complain_of_unreachable(result.diagnostics, words)
    found = report_of.sent(result.consumers, job.is_selected)
    if options.output_format == "jsonl":
        write(listing.jsonl(report_of.rows(found)), STDOUT)
    else:
        write(report_of.table(found, job.home, stdout_style(options.color), words), STDOUT)
    return CANNOT * checkouts.nothing_read(result.diagnostics, len(job.repositories))


def topics(options: Options) -> int:
    """Who sends what to whom: a run for what consumes, and one for what sends."""
    from subdrift.linter.report import topics as report_of

    _check_registry(options)
    inputs = inputs_of(options)
    job = checkouts.prepare(inputs)
    words = language_of(options.lang, job.settings.lang)
    if job.registry is not None:
        from subdrift.linter.cli import against

        against.complain_of_senders(job.registry, words)
    consuming = checkouts.execute(job, inputs)
    sending = checkouts.sends_of(job, inputs, consuming)
    checkouts.complain_of_unreachable(sending.diagnostics, words)
    found = checkouts.map_of(job, consuming, sending)
    if options.topic:
        found = replace(found, topics=tuple(one for one in found.topics if one.name == options.topic))
        if not found.topics:
            complain(words.word("topics.no-such-topic", topic=options.topic))
    if options.output_format == "json":
        write(report_of.as_json(found), STDOUT)
    elif options.output_format == "asyncapi":
        from subdrift.linter.report.asyncapi import as_asyncapi

        write(as_asyncapi(found), STDOUT)
    elif options.output_format in ("mermaid", "dot"):
        from subdrift.linter.report import diagrams

        draw = diagrams.as_dot if options.output_format == "dot" else diagrams.as_mermaid
        write(draw(found, words), STDOUT)
    else:
        write(report_of.as_text(found, job.home, stdout_style(options.color), words), STDOUT)
    return CANNOT * checkouts.nothing_read(sending.diagnostics, len(job.repositories))


def unresolved(options: Options) -> int:
    from subdrift.linter.report import unresolved as blind

    inputs = inputs_of(options)
    job = checkouts.prepare(inputs)
    result = checkouts.execute(job, inputs)
    found = under(checkouts.judged(job, result, inputs), job.is_selected)
    spots = blind.blind_spots(result.consumers, found.active_diagnostics, job.is_selected)
    words = language_of(options.lang, job.settings.lang)
    if options.output_format == "json":
        write(blind.as_json(spots, words), STDOUT)
    else:
        write(blind.as_text(spots, job.home, stdout_style(options.color), words), STDOUT)
    return CANNOT * checkouts.nothing_read(result.diagnostics, len(job.repositories))


def inputs_of(options: Options) -> checkouts.Inputs:
    """What to analyse. Raises `CannotError` for inputs that exclude each other."""
    if options.org is not None and options.paths:
        raise CannotError("option.paths-and-org")
    if options.stdin_filename and (options.paths or options.org is not None or options.staged):
        raise CannotError("option.stdin-alone")
    return checkouts.Inputs(
        paths=options.paths or (".",),
        org=options.org,
        config=options.config,
        isolated=options.isolated,
        cache=not options.no_cache,
        cache_dir=options.cache_dir,
        untracked=reads_untracked(options),
        jobs=options.jobs,
        staged=options.staged,
        quiet=options.quiet,
        stdin_filename=options.stdin_filename,
        against=options.against,
        publishes=bool(options.registry_out),
        lang=options.lang,
        force=options.force,
    )


def reads_untracked(options: Options) -> bool:
    """Whether files git does not know take part: what is not staged is no part of the commit a hook judges."""
    return os.environ.get("PRE_COMMIT") != "1" if options.untracked is None else options.untracked


def outputs_of(options: Options, settings: Settings) -> list[tuple[str, str]]:
    """Format and file of the further reports. Raises `CannotError`."""
    outputs = []
    for one in options.output:
        kind, equals, file = one.partition("=")
        if kind not in FORMATS or not equals or not file:
            raise CannotError("option.output", formats=", ".join(FORMATS), one=repr(one))
        outputs.append((kind, file))
    return outputs or list(settings.outputs)
