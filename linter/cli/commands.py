"""The bodies of `check`, `list` and `unresolved`: options in, reports written, an exit code out."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from linter.cli import job as checkouts
from linter.cli.options import FORMATS, Options
from linter.cli.output import (
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
from linter.report.content import Content, Texts
from linter.report.detail import Detail
from linter.settings import Settings
from linter.triage import Triaged, exit_code


def run(command: str, options: Options) -> int:
    """Do one of the three commands. Raises `CannotError`."""
    match command:
        case "check":
            return check(options)
        case "list":
            return list_(options)
        case _:
            return unresolved(options)


def check(options: Options) -> int:
    inputs = _inputs(options)
    outputs_of(options, Settings())  # a mistake in the options is said before the work, not after it
    job = checkouts.prepare(inputs)
    result = checkouts.execute(job, inputs)
    found = checkouts.judged(job, result, inputs)
    if options.diff or options.fix:
        from linter.cli.fix import apply

        try:
            shown, count = apply(job, found.active, write=options.fix and not options.diff)
        except OSError as error:
            raise CannotError(f"{error.filename}: could not be written: {error.strerror}") from error
        if options.diff:
            write(safe_lines(shown), STDOUT)
            return int(bool(count))
        if count:
            complain(f"changed {count} file{'s' * (count != 1)}; what follows was found before")
    content = checkouts.content_of(job, result, found, options.show_suppressed)
    report(content, Texts(job.read), options, job.settings)
    if options.timings:
        for stage, seconds in result.timings:
            sys.stderr.write(f"{stage:<10} {seconds * 1000:10.1f} ms\n")
    return verdict(found, options, job.settings)


def report(content: Content, texts: Texts, options: Options, settings: Settings) -> None:
    """Write every report that options and configuration ask for; the one on stdout last."""
    chosen = options.output_format or settings.output_format
    outputs = outputs_of(options, settings)
    content = replace(content, language=language_of(options.lang, settings.lang))
    if "sarif" in (chosen, *(kind for kind, _ in outputs)):
        content = replace(content, catalogue=checkouts.catalogue(content.language))
    detail = Detail(options.all_places, options.verbose) if options.all_places or options.verbose else None
    plain = stdout_style("never")
    for kind, file in outputs:
        write(rendered(kind, content, texts, plain, detail), file)
    write(rendered(chosen, content, texts, stdout_style(options.color), detail), STDOUT)
    if chosen == "github":
        write_step_summary(content)


def verdict(found: Triaged, options: Options, settings: Settings) -> int:
    """The exit code of what was found."""
    threshold = "never" if options.exit_zero else options.fail_on or settings.fail_on
    strict = settings.strict if options.strict is None else options.strict
    return exit_code(found, threshold, strict)


def list_(options: Options) -> int:
    from linter.report import listing

    inputs = _inputs(options)
    job = checkouts.prepare(inputs)
    result = checkouts.execute(job, inputs)
    rows = listing.rows(result.consumers, job.is_selected)
    if options.output_format == "jsonl":
        write(listing.jsonl(rows), STDOUT)
    else:
        words = language_of(options.lang, job.settings.lang)
        write(listing.table(rows, job.home, stdout_style(options.color), words), STDOUT)
    return 0


def unresolved(options: Options) -> int:
    from linter.report import unresolved as blind

    inputs = _inputs(options)
    job = checkouts.prepare(inputs)
    result = checkouts.execute(job, inputs)
    found = checkouts.judged(job, result, inputs)
    spots = blind.blind_spots(result.consumers, found.active_diagnostics, job.is_selected)
    words = language_of(options.lang, job.settings.lang)
    if options.output_format == "json":
        write(blind.as_json(spots, words), STDOUT)
    else:
        write(blind.as_text(spots, job.home, stdout_style(options.color), words), STDOUT)
    return 0


def _inputs(options: Options) -> checkouts.Inputs:
    if options.org is not None and options.paths:
        raise CannotError("give either PATHs or --org DIR, not both")
    return checkouts.Inputs(
        paths=options.paths or (".",),
        org=options.org,
        config=options.config,
        isolated=options.isolated,
        cache=not options.no_cache,
        cache_dir=options.cache_dir,
        untracked=reads_untracked(options),
        jobs=options.jobs,
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
            raise CannotError(
                f"--output takes FORMAT=FILE with a format of {', '.join(FORMATS)}, not {one!r}"
            )
        outputs.append((kind, file))
    return outputs or list(settings.outputs)
