"""The commands and their options, as typer shows and parses them. Bodies import what they need."""

from __future__ import annotations

import errno
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from linter import __version__
from linter.cli.help import language_asked, translate, width_of_wide
from linter.cli.options import COLORS, FORMATS, LANGS, LEVELS, LIST_FORMATS, UNRESOLVED_FORMATS, Options
from linter.cli.output import STDOUT, CannotError, stdout_style, write

if TYPE_CHECKING:
    from linter.cli.job import Inputs


class Format(StrEnum):
    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    RDJSON = "rdjson"
    MARKDOWN = "markdown"
    HTML = "html"


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


CHOICES: tuple[tuple[type[Enum], tuple[str, ...]], ...] = (
    (Format, FORMATS),
    (ListFormat, LIST_FORMATS),
    (PlainFormat, UNRESOLVED_FORMATS),
    (FailOn, LEVELS),
    (Color, COLORS),
    (Language, LANGS),
)
"""The choices typer shows, and the tuples everything else goes by; a test holds them together."""

_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))
"""What help meets, which typer writes, where there is no room for it."""

app = typer.Typer(
    name="subdrift",
    help="Find RocketMQ consumer groups whose members disagree, and say which messages would be lost.",
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
    int,
    typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes at most; 0: one a processor."),
]
ColorChoice = Annotated[Color, typer.Option("--color", help="Colour the output.")]
Lang = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        help="The language of the output. Default: $SUBDRIFT_LANG, the configuration, en.",
        show_default=False,
    ),
]
AllPlaces = Annotated[
    bool, typer.Option("--all-places", help="Show the code of every place, not one of each side.")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", help="Say why, what is compared, and where values come from.")
]


NewFrom = Annotated[
    str,
    typer.Option(
        metavar="REV",
        help="Report only what is new since this commit; what was there is counted.",
        show_default=False,
    ),
]
NewFromMergeBase = Annotated[
    str,
    typer.Option(
        metavar="BRANCH",
        help="Report only what is new since HEAD left this branch.",
        show_default=False,
    ),
]
Staged = Annotated[bool, typer.Option("--staged", help="Judge what is staged, not the work tree.")]
Baseline = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Report only what this file does not hold (subdrift baseline write).",
        show_default=False,
    ),
]
Since = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Mark what is new beside an earlier JSON report or baseline, and say what is gone; nothing is left out.",
        show_default=False,
    ),
]


Against = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Compare with the other repositories of this registry (--registry-out).",
        show_default=False,
    ),
]
RegistryOut = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Write what was found into a registry, for check --against in each repository.",
        show_default=False,
    ),
]
RegistryMaxAge = Annotated[
    str,
    typer.Option(metavar="AGE", help="Warn where the registry is older: 12h, 7d, 2w.", show_default=False),
]


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
    lang: Lang = None,
    all_places: AllPlaces = False,
    verbose: Verbose = False,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Make the changes that cannot change a meaning, and report the rest."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")
    ] = False,
    timings: Annotated[
        bool, typer.Option("--timings", help="Print the time of each stage on stderr.")
    ] = False,
    new_from: NewFrom = "",
    new_from_merge_base: NewFromMergeBase = "",
    staged: Staged = False,
    baseline: Baseline = "",
    since: Since = "",
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="RULE", help="Report this rule or diagnostic only. Repeatable."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="Do not report this one. Repeatable.")
    ] = None,
    expect_consumers: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Exit with 1 where fewer consumers are found.",
            show_default=False,
        ),
    ] = None,
    max_blind_spots: Annotated[
        str,
        typer.Option(
            metavar="N|base",
            help="Exit with 1 where more values are not known; base: than at --new-from.",
            show_default=False,
        ),
    ] = "",
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print findings only: no counts, no remarks.")
    ] = False,
    stdin_filename: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Read the content of FILE from stdin, and report what touches it.",
            show_default=False,
        ),
    ] = "",
    against: Against = "",
    registry_out: RegistryOut = "",
    registry_max_age: RegistryMaxAge = "",
) -> None:
    """Compare the consumers of each group and report where they disagree.

    Exit codes: 0 nothing at or above the threshold, 1 something, 2 the job could not be done.
    """
    _run(
        "check",
        Options(
            paths=tuple(paths or ()),
            org=org,
            output_format=output_format.value if output_format else "",
            output=tuple(output or ()),
            fail_on=fail_on.value if fail_on else "",
            exit_zero=exit_zero,
            strict=strict,
            show_suppressed=show_suppressed,
            config=tuple(config or ()),
            isolated=isolated,
            no_cache=no_cache,
            cache_dir=cache_dir,
            untracked=untracked,
            jobs=jobs,
            color=color.value,
            lang=lang.value if lang else "",
            all_places=all_places,
            verbose=verbose,
            fix=fix,
            diff=diff,
            timings=timings,
            new_from=new_from,
            new_from_merge_base=new_from_merge_base,
            staged=staged,
            baseline=baseline,
            since=since,
            select=tuple(select or ()),
            ignore=tuple(ignore or ()),
            expect_consumers=expect_consumers,
            max_blind_spots=max_blind_spots,
            quiet=quiet,
            stdin_filename=stdin_filename,
            against=against,
            registry_out=registry_out,
            registry_max_age=registry_max_age,
        ),
    )


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
    lang: Lang = None,
) -> None:
    """List every subscription that was found, with what is not known about it and why."""
    _run(
        "list",
        Options(
            paths=tuple(paths or ()),
            org=org,
            output_format=output_format.value,
            config=tuple(config or ()),
            isolated=isolated,
            no_cache=no_cache,
            cache_dir=cache_dir,
            untracked=untracked,
            jobs=jobs,
            color=color.value,
            lang=lang.value if lang else "",
        ),
    )


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
    lang: Lang = None,
) -> None:
    """List the blind spots, most frequent reason first, each with what would answer it."""
    _run(
        "unresolved",
        Options(
            paths=tuple(paths or ()),
            org=org,
            output_format=output_format.value,
            config=tuple(config or ()),
            isolated=isolated,
            no_cache=no_cache,
            cache_dir=cache_dir,
            untracked=untracked,
            jobs=jobs,
            color=color.value,
            lang=lang.value if lang else "",
        ),
    )


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
            metavar="FILE",
            help="What was seen: mqadmin consumerConnection or consumerProgress output, heartbeats, log lines; - for stdin.",
            show_default=False,
        ),
    ] = "",
    simulate: Annotated[
        int,
        typer.Option(
            min=0, max=100_000, metavar="N", help="Run the event model N times and give frequencies."
        ),
    ] = 0,
    output_format: Annotated[
        PlainFormat, typer.Option(help="For people, or one JSON object.")
    ] = PlainFormat.TEXT,
    lang: Lang = None,
    color: ColorChoice = Color.AUTO,
) -> None:
    """Say which messages each member gets, loses or never sees, for every possible winner, and why."""
    from linter.cli.predict import predict as answer

    as_json = output_format is PlainFormat.JSON
    write(answer(file, example, given, simulate, as_json, _lang(lang), stdout_style(color.value)), STDOUT)


@app.command(short_help="Say in which order to change the tags of a group without loss.")
def rollout(
    group: Annotated[str, typer.Argument(metavar="GROUP", help="The consumer group.")],
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="The topic whose tags change.")],
    to: Annotated[str, typer.Option(metavar="TAGS", help='What every member shall ask for, "A || B".')],
    paths: Paths = None,
    org: Org = None,
    scenario: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Take the members from a scenario, not from code.", show_default=False
        ),
    ] = "",
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
    lang: Lang = None,
) -> None:
    """Say step by step how a group comes to filter a topic by other tags, and what a careless order would lose."""
    from linter.cli.rollout import rollout as answer

    options = Options(
        paths=tuple(paths or ()),
        org=org,
        config=tuple(config or ()),
        isolated=isolated,
        no_cache=no_cache,
        cache_dir=cache_dir,
        untracked=untracked,
        jobs=jobs,
        lang=lang.value if lang else "",
    )
    as_json = output_format is PlainFormat.JSON
    write(answer(group, topic, to, scenario, options, as_json, stdout_style(color.value)), STDOUT)


@app.command(short_help="Do the job of check on Apache Spark, and write tables.")
def scan(
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Where the tables go, as Parquet.", show_default=False)
    ],
    org: Org = None,
    manifest: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Repositories as JSON lines {repo, path, head?}.", show_default=False
        ),
    ] = None,
    master: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Spark's master. Default: this machine.", show_default=False),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace what DIR holds.")] = False,
    since: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="The tables of an earlier scan: what is at the same commit is not read again.",
            show_default=False,
        ),
    ] = "",
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
    registry_out: RegistryOut = "",
    config: Config = None,
    isolated: Isolated = False,
    untracked: Untracked = None,
    color: ColorChoice = Color.AUTO,
    lang: Lang = None,
) -> None:
    """Check an organisation on Apache Spark: the findings of check --org, and tables to query.

    Needs the extra `spark` and Java 17. Exit codes as for check.
    """
    from linter.cli.scan import scan as on_spark

    options = Options(
        org=org,
        output_format=output_format.value if output_format else "",
        output=tuple(output or ()),
        fail_on=fail_on.value if fail_on else "",
        exit_zero=exit_zero,
        strict=strict,
        registry_out=registry_out,
        show_suppressed=show_suppressed,
        config=tuple(config or ()),
        isolated=isolated,
        untracked=untracked,
        color=color.value,
        lang=lang.value if lang else "",
    )
    raise typer.Exit(on_spark(options, manifest, out, master, replace, since))


@app.command(short_help="Explain a rule.")
def explain(
    rule: Annotated[
        str | None,
        typer.Argument(metavar="RULE", help="A rule or diagnostic; none: all names.", show_default=False),
    ] = None,
    lang: Lang = None,
    color: ColorChoice = Color.AUTO,
) -> None:
    """Explain a rule: what, why in terms of the broker, bad and good, how to suppress."""
    from linter.cli.explain import overview, text_of

    chosen = _lang(lang)
    write(text_of(rule, chosen, stdout_style(color.value)) if rule is not None else overview(chosen), STDOUT)


@app.command(short_help="Delete what earlier runs have kept.")
def clean(
    paths: Paths = None,
    org: Org = None,
    cache_dir: CacheDir = "",
) -> None:
    """Delete what earlier runs have kept."""
    from linter.cli.clean import clean as remove_caches

    write(remove_caches(tuple(paths or (".",)), org, cache_dir), STDOUT)


baseline_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(
    baseline_app,
    name="baseline",
    short_help="Keep the findings of now in a file, so that only new ones count.",
)
Strict = Annotated[
    bool | None,
    typer.Option(
        "--strict/--no-strict", help="Keep what could not be analysed too, as check --strict counts it."
    ),
]


@baseline_app.callback()
def _baseline() -> None:
    """Keep the findings of now in a file (check --baseline FILE), so that only new ones count."""


@baseline_app.command("write", short_help="Write the findings of now.")
def baseline_write(
    paths: Paths = None,
    org: Org = None,
    baseline: Baseline = "",
    strict: Strict = None,
    config: Config = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = "",
) -> None:
    """Write the findings of now into the baseline, in place of what it held."""
    from linter.cli.baseline import write as keep

    write(keep(_inputs(paths, org, config, isolated, no_cache, cache_dir), baseline, strict), STDOUT)


@baseline_app.command("prune", short_help="Remove the entries that no longer occur.")
def baseline_prune(
    paths: Paths = None,
    org: Org = None,
    baseline: Baseline = "",
    config: Config = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = "",
) -> None:
    """Remove the entries that no longer occur. Nothing is added."""
    from linter.cli.baseline import prune

    write(prune(_inputs(paths, org, config, isolated, no_cache, cache_dir), baseline), STDOUT)


@baseline_app.command("check", short_help="Name the entries that no longer occur.")
def baseline_check(
    paths: Paths = None,
    org: Org = None,
    baseline: Baseline = "",
    config: Config = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = "",
) -> None:
    """Name the entries that no longer occur; exit with 1 where there are any."""
    from linter.cli.baseline import check as compare

    text, code = compare(_inputs(paths, org, config, isolated, no_cache, cache_dir), baseline)
    write(text, STDOUT)
    raise typer.Exit(code)


@app.command(short_help="Keep every subscription in a file that shows each change in review.")
def lock(
    paths: Paths = None,
    org: Org = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say in words what has changed, and exit with 1.")
    ] = False,
    file: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Default: subscriptions.lock in the repository.", show_default=False
        ),
    ] = "",
    config: Config = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = "",
) -> None:
    """Write every subscription into a file: group, topic, filter, model, deployable, environments.

    With code owners on that file each change of a subscription is seen by the team that owns the group.
    """
    from linter.cli.lock import lock as keep

    text, code = keep(_inputs(paths, org, config, isolated, no_cache, cache_dir), file, check)
    write(text, STDOUT)
    raise typer.Exit(code)


config_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(config_app, name="config", short_help="Show what is configured, and where it comes from.")


@config_app.callback()
def _config() -> None:
    """Show what is configured, and where it comes from."""


@config_app.command("show", short_help="Print every setting with where it comes from.")
def config_show(
    paths: Paths = None, org: Org = None, config: Config = None, isolated: Isolated = False
) -> None:
    """Print every setting that holds for a run, with the file and line it comes from."""
    from linter.cli.config import show

    write(show(_inputs(paths, org, config, isolated, True, "")), STDOUT)


@config_app.command("check", short_help="Say whether the configuration can be used.")
def config_check(
    paths: Paths = None, org: Org = None, config: Config = None, isolated: Isolated = False
) -> None:
    """Say whether the configuration can be used; a mistake is told with file and line, and exits with 2."""
    from linter.cli.config import check as confirm

    write(confirm(_inputs(paths, org, config, isolated, True, "")), STDOUT)


def _inputs(
    paths: list[str] | None,
    org: str | None,
    config: list[str] | None,
    isolated: bool,
    no_cache: bool,
    cache_dir: str,
) -> Inputs:
    from linter.cli.commands import inputs_of

    return inputs_of(
        Options(
            paths=tuple(paths or ()),
            org=org,
            config=tuple(config or ()),
            isolated=isolated,
            no_cache=no_cache,
            cache_dir=cache_dir,
        )
    )


def dispatch(arguments: list[str]) -> int:
    """Run one command line; the exit code. Mistakes in it are said on stderr and are 2."""
    try:
        if language_asked(arguments) == "zh":
            from linter.report.language.help_zh import HELP

            command = typer.main.get_command(app)
            translate(command, HELP)
            command(args=arguments, prog_name="subdrift", terminal_width=width_of_wide())
        else:
            app(args=arguments, prog_name="subdrift")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise CannotError(f"stdout could not be written: {error.strerror}") from error
    return 0


def _lang(chosen: Language | None) -> str:
    """The language of a command that reads no configuration."""
    from linter.cli.output import language_of

    return language_of(chosen.value if chosen else "", "").name


def _run(command: str, options: Options) -> None:
    from linter.cli.commands import run

    raise typer.Exit(run(command, options))
