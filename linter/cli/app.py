"""The commands and their options. Bodies import what they need, so that help stays quick."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from linter import __version__
from linter.cli.output import STDOUT, CannotError, rendered, stdout_style, write, write_step_summary

if TYPE_CHECKING:
    from linter.cli.job import Inputs


class Format(StrEnum):
    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


class ListFormat(StrEnum):
    TEXT = "text"
    JSONL = "jsonl"


class PlainFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


class FailOn(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"


class Color(StrEnum):
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Language(StrEnum):
    EN = "en"
    ZH = "zh"


app = typer.Typer(
    name="subdrift",
    help="Find RocketMQ consumer groups whose members disagree, and say which messages would be lost.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help="Files or folders; their whole repository is read. Default: .",
        show_default=False,
    ),
]
Org = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Take every subfolder of DIR as a repository, and compare across them."),
]
Config = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE|KEY=VALUE", help="Another configuration file, or one setting. Repeatable."),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Read no configuration file.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Read every file again and keep nothing.")]
CacheDir = Annotated[
    str, typer.Option(metavar="DIR", help="Where facts are kept between runs.", show_default=False)
]
Untracked = Annotated[
    bool | None,
    typer.Option(
        "--untracked/--no-untracked",
        help="Read files git does not know yet. Default: yes, but no in a pre-commit hook.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes at most; 0: one a processor.")
]
ColorChoice = Annotated[Color, typer.Option("--color", help="Colour the output.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"subdrift {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Only the options before a command."""


@app.command(short_help="Report consumer groups whose members disagree.")
def check(
    paths: Paths = None,
    org: Org = None,
    output_format: Annotated[
        Format | None, typer.Option(help="The report on stdout. Default: text.", show_default=False)
    ] = None,
    output: Annotated[
        list[str] | None,
        typer.Option(metavar="FORMAT=FILE", help="A further report into a file. Repeatable."),
    ] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="Exit with 1 from this level on. Default: error.", show_default=False),
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 whatever is found.")] = False,
    strict: Annotated[
        bool | None,
        typer.Option(
            "--strict/--no-strict", help="Count what could not be analysed as findings.", show_default=False
        ),
    ] = None,
    show_suppressed: Annotated[
        bool, typer.Option("--show-suppressed", help="Report suppressed findings too; they never fail a run.")
    ] = False,
    config: Config = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = "",
    untracked: Untracked = None,
    jobs: Jobs = 0,
    color: ColorChoice = Color.AUTO,
    timings: Annotated[
        bool, typer.Option("--timings", help="Print the time of each stage on stderr.")
    ] = False,
) -> None:
    """Compare the consumers of each group and report where they disagree.

    Exit codes: 0 nothing at or above the threshold, 1 something, 2 the job could not be done.
    """
    from linter.cli import job as jobs_of_checkouts
    from linter.report.content import Texts
    from linter.triage import exit_code

    inputs = _inputs(paths, org, config, isolated, no_cache, cache_dir, untracked, jobs)
    job = jobs_of_checkouts.prepare(inputs)
    chosen = output_format.value if output_format else job.settings.output_format
    outputs = [*_outputs(output or []), *(() if output else job.settings.outputs)]
    result = jobs_of_checkouts.execute(job, inputs)
    found = jobs_of_checkouts.judged(job, result, inputs)
    wants_texts = "sarif" in (chosen, *(kind for kind, _ in outputs))
    content = jobs_of_checkouts.content_of(job, result, found, show_suppressed, wants_texts)
    texts = Texts(job.read)
    plain = stdout_style("never")
    for kind, file in outputs:
        write(rendered(kind, content, texts, plain), file)
    write(rendered(chosen, content, texts, stdout_style(color.value)), STDOUT)
    if chosen == "github":
        write_step_summary(content)
    if timings:
        for stage, seconds in result.timings:
            sys.stderr.write(f"{stage:<10} {seconds * 1000:10.1f} ms\n")
    threshold = "never" if exit_zero else fail_on.value if fail_on else job.settings.fail_on
    counts_all = job.settings.strict if strict is None else strict
    raise typer.Exit(exit_code(found, threshold, counts_all))


@app.command(name="list", short_help="List every subscription found.")
def list_(
    paths: Paths = None,
    org: Org = None,
    output_format: Annotated[
        ListFormat, typer.Option(help="A table, or one JSON object a line.")
    ] = ListFormat.TEXT,
    config: Config = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = "",
    untracked: Untracked = None,
    jobs: Jobs = 0,
    color: ColorChoice = Color.AUTO,
) -> None:
    """List every subscription that was found, with what is not known about it and why."""
    from linter.cli import job as jobs_of_checkouts
    from linter.report import listing

    inputs = _inputs(paths, org, config, isolated, no_cache, cache_dir, untracked, jobs)
    job = jobs_of_checkouts.prepare(inputs)
    result = jobs_of_checkouts.execute(job, inputs)
    rows = listing.rows(result.consumers, job.is_selected)
    if output_format is ListFormat.JSONL:
        write(listing.jsonl(rows), STDOUT)
    else:
        write(listing.table(rows, job.home, stdout_style(color.value)), STDOUT)


@app.command(short_help="List what is not known, and what would answer it.")
def unresolved(
    paths: Paths = None,
    org: Org = None,
    output_format: Annotated[
        PlainFormat, typer.Option(help="For people, or one JSON object.")
    ] = PlainFormat.TEXT,
    config: Config = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = "",
    untracked: Untracked = None,
    jobs: Jobs = 0,
    color: ColorChoice = Color.AUTO,
) -> None:
    """List the blind spots, most frequent reason first, each with what would answer it."""
    from linter.cli import job as jobs_of_checkouts
    from linter.report import unresolved as report

    inputs = _inputs(paths, org, config, isolated, no_cache, cache_dir, untracked, jobs)
    job = jobs_of_checkouts.prepare(inputs)
    result = jobs_of_checkouts.execute(job, inputs)
    found = jobs_of_checkouts.judged(job, result, inputs)
    spots = report.blind_spots(result.consumers, found.active_diagnostics, job.is_selected)
    if output_format is PlainFormat.JSON:
        write(report.as_json(spots), STDOUT)
    else:
        write(report.as_text(spots, job.home, stdout_style(color.value)), STDOUT)


@app.command(short_help="Say what becomes of the messages of a what-if scenario.")
def predict(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A scenario in TOML or JSON; - for stdin.", show_default=False),
    ] = "",
    example: Annotated[
        str, typer.Option(metavar="NAME", help="A scenario that ships with subdrift.", show_default=False)
    ] = "",
    given: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Observed winners, id order and allocation (JSON).", show_default=False
        ),
    ] = "",
    simulate: Annotated[
        int,
        typer.Option(min=0, max=100_000, metavar="N", help="Run the event model N times, give frequencies."),
    ] = 0,
    output_format: Annotated[
        PlainFormat, typer.Option(help="For people, or one JSON object.")
    ] = PlainFormat.TEXT,
    lang: Annotated[Language, typer.Option(help="The language of the text.")] = Language.EN,
    color: ColorChoice = Color.AUTO,
) -> None:
    """Say which messages each member gets, loses or never sees, for every possible winner, and why."""
    from linter.cli.predict import predict as answer

    as_json = output_format is PlainFormat.JSON
    write(answer(file, example, given, simulate, as_json, lang.value, stdout_style(color.value)), STDOUT)


@app.command(short_help="Explain a rule.")
def explain(
    rule: Annotated[
        str,
        typer.Argument(metavar="RULE", help="A rule or diagnostic; none: all names.", show_default=False),
    ] = "",
    lang: Annotated[Language, typer.Option(help="The language of the text.")] = Language.EN,
    color: ColorChoice = Color.AUTO,
) -> None:
    """Explain a rule: what, why in terms of the broker, bad and good, how to suppress."""
    from linter.cli.explain import overview, text_of

    write(text_of(rule, lang.value, stdout_style(color.value)) if rule else overview(), STDOUT)


@app.command(short_help="Delete what earlier runs have kept.")
def clean(
    paths: Paths = None,
    org: Org = None,
    cache_dir: CacheDir = "",
) -> None:
    """Delete what earlier runs have kept."""
    from linter.cli.clean import clean as remove_caches

    write(remove_caches(tuple(paths or (".",)), org, cache_dir), STDOUT)


def dispatch(arguments: list[str]) -> int:
    """Run one command line; the exit code. Mistakes in it are said on stderr and are 2."""
    try:
        app(args=arguments, prog_name="subdrift")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def _inputs(
    paths: list[str] | None,
    org: str | None,
    config: list[str] | None,
    isolated: bool,
    no_cache: bool,
    cache_dir: str,
    untracked: bool | None,
    jobs: int,
) -> Inputs:
    import os

    from linter.cli.job import Inputs

    if org is not None and paths:
        raise CannotError("give either PATHs or --org DIR, not both")
    return Inputs(
        paths=tuple(paths or (".",)),
        org=org,
        config=tuple(config or ()),
        isolated=isolated,
        cache=not no_cache,
        cache_dir=cache_dir,
        # what is not staged is no part of the commit a hook judges
        untracked=os.environ.get("PRE_COMMIT") != "1" if untracked is None else untracked,
        jobs=jobs,
    )


def _outputs(given: list[str]) -> list[tuple[str, str]]:
    known = [one.value for one in Format]
    outputs = []
    for one in given:
        kind, equals, file = one.partition("=")
        if kind not in known or not equals or not file:
            raise CannotError(f"--output takes FORMAT=FILE with a format of {', '.join(known)}, not {one!r}")
        outputs.append((kind, file))
    return outputs
