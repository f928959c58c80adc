"""`subdrift scan`: the organisation on Spark; the one place that imports what needs pyspark."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from subdrift import rules
from subdrift.linter import settings as configuration
from subdrift.linter.cli.commands import CANNOT, outputs_of, reads_untracked, report, verdict
from subdrift.linter.cli.job import listed, split_config
from subdrift.linter.cli.news import earlier
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError, complain, language_of
from subdrift.linter.cli.progress import progress
from subdrift.linter.files import reason_of
from subdrift.linter.model.message import say, verbatim
from subdrift.linter.report.content import Texts, nothing
from subdrift.linter.settings import Settings, SettingsError

if TYPE_CHECKING:
    from subdrift.spark_jobs.pipeline import ScanReport


def scan(
    options: Options, manifest: str | None, out: str, master: str | None, replace: bool, since: str = ""
) -> int:
    """Scan and report; the exit code. Raises `CannotError`, also where pyspark or Java is missing."""
    outputs_of(options, Settings())
    settings, overrides = _settings(options)
    done = _scanned(options, settings, overrides, manifest, out, master, replace, since)
    words = language_of(options.lang, settings.lang)
    for remark in done.remarks:
        complain(remark)
    place = options.org or manifest or ""
    if not done.counts.files and not done.nothing_read:
        complain(words.word("saw-no-file", place=place))
    elif done.counts.files and not done.counts.consumers:
        complain(words.word("saw-no-consumer", count=done.counts.files, place=place))
    content = done.content
    if done.before is not None:
        content = msgspec.structs.replace(content, earlier=earlier(done.triaged, done.before, since))
    # the code of the places is with the executors; reports name the places without it
    report(content, Texts(nothing), options, settings)
    if done.unpublished:
        said = listed(done.unpublished, words)
        raise CannotError("tree.not-whole", count=len(done.unpublished), listed=verbatim(said))
    if done.nothing_read:
        return CANNOT
    return verdict(done.triaged, options, settings)


def _scanned(
    options: Options,
    settings: Settings,
    overrides: list[str],
    manifest: str | None,
    out: str,
    master: str | None,
    replace: bool,
    since: str,
) -> ScanReport:
    """The scan; what stands in its way as `CannotError`."""
    try:
        from subdrift.spark_jobs.pipeline import ScanError
        from subdrift.spark_jobs.pipeline import scan as run
    except ImportError as error:
        if error.name == "pyspark.version":
            raise CannotError(verbatim(str(error))) from error
        if (error.name or "").partition(".")[0] in ("pyspark", "pyarrow", "py4j"):
            raise CannotError("scan.no-spark") from error
        raise
    try:
        with progress() as show:
            return run(
                org=options.org,
                manifest=manifest,
                out=out,
                master=master,
                replace=replace,
                settings=settings,
                overrides=overrides,
                isolated=options.isolated,
                untracked=reads_untracked(options),
                show_suppressed=options.show_suppressed,
                progress=show,
                registry_out=options.registry_out,
                since=since,
                force=options.force,
            )
    except ScanError as error:
        raise CannotError(verbatim(str(error))) from error
    except SettingsError as error:
        raise CannotError(error.message) from error
    except Exception as error:
        # Spark's own exceptions, told by where they are defined: only spark_jobs imports pyspark
        if not type(error).__module__.startswith(("pyspark.", "py4j.")):
            raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        hint = say("scan.java" if "JAVA_GATEWAY" in reason else "nowhere")
        raise CannotError("scan.gave-up", reason=reason, hint=hint) from error


def _settings(options: Options) -> tuple[Settings, list[str]]:
    """The settings of the run, and what every repository's settings are overlaid with."""
    files, overrides = split_config(options.config)
    try:
        if files:
            found = configuration.load_file(files[-1], rules=rules.names())
        elif options.org is not None and not options.isolated:
            found = configuration.load(os.path.realpath(options.org), rules.names())
        else:
            found = Settings()
        return configuration.with_overrides(found, overrides, rules.names()), overrides
    except SettingsError as error:
        raise CannotError(error.message) from error
    except OSError as error:  # the folder this runs in has gone
        raise CannotError("file.cannot", path=options.org or ".", reason=reason_of(error)) from error
