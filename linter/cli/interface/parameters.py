"""What several commands take, each once: its type, its help, its default. A command names those it takes (`taking`)."""

import functools
import inspect
from collections.abc import Callable
from enum import Enum, StrEnum
from typing import Annotated, Any

import typer

from subdrift.linter.cli.interface import completion
from subdrift.linter.cli.options import (
    COLORS,
    FORMATS,
    LANGS,
    LEVELS,
    LIST_FORMATS,
    TOPICS_FORMATS,
    UNRESOLVED_FORMATS,
    Options,
)

KEYWORD = inspect.Parameter.KEYWORD_ONLY
"""So that parameters with and without defaults may follow one another."""


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


class TopicsFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"
    DOT = "dot"
    ASYNCAPI = "asyncapi"


class PlanFormat(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
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
    (TopicsFormat, TOPICS_FORMATS),
    (FailOn, LEVELS),
    (Color, COLORS),
    (Language, LANGS),
)
"""The choices typer shows, and the tuples everything else goes by; a test holds them together."""


def _option(help_: str, metavar: str | None = None, **more: Any) -> Any:
    """An option whose default says nothing to a reader."""
    return typer.Option(help=help_, metavar=metavar, show_default=False, **more)


def _flag(name: str, help_: str, *short: str) -> Any:
    """An option without a value; `--name` alone where there is nothing to take back."""
    return typer.Option(name, *short, help=help_, show_default=False)


class Shared:
    """Fields of `Options` as typer takes them: type, help, and the default on the command line."""

    # what is read
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files or folders (default: .); their whole repository is read.",
            show_default=False,
        ),
    ] = None
    org: Annotated[
        str | None, _option("Every subfolder of DIR is a repository; compare them all.", "DIR")
    ] = None
    config: Annotated[
        list[str] | None, _option("A configuration file, or one setting. Repeatable.", "FILE|KEY=VALUE")
    ] = None
    isolated: Annotated[bool, _flag("--isolated", "Read no configuration file.")] = False
    no_cache: Annotated[bool, _flag("--no-cache", "Read every file again and keep nothing.")] = False
    cache_dir: Annotated[str, _option("Where facts are kept between runs.", "DIR")] = ""
    untracked: Annotated[
        bool | None,
        _flag(
            "--untracked/--no-untracked",
            "Read files git does not know yet. Default: yes, but no in a pre-commit hook.",
        ),
    ] = None
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes at most; 0: one a processor.")
    ] = 0
    stdin_filename: Annotated[
        str, _option("Read the content of FILE from stdin, and report what touches it.", "FILE")
    ] = ""

    # what is reported, and how
    output_format: Annotated[
        Format | None,
        _option(
            "The report: text, concise, json, sarif, github, gitlab, junit, rdjson, markdown, html.", "FORMAT"
        ),
    ] = None
    output: Annotated[
        list[str] | None, _option("A further report into a file. Repeatable.", "FORMAT=FILE")
    ] = None
    fail_on: Annotated[
        FailOn | None, _option("Exit with 1 from here on: error (default), warning, note, never.", "LEVEL")
    ] = None
    exit_zero: Annotated[bool, _flag("--exit-zero", "Exit with 0 whatever is found.")] = False
    strict: Annotated[
        bool | None, _flag("--strict/--no-strict", "Count what could not be analysed as findings.")
    ] = None
    show_suppressed: Annotated[
        bool, _flag("--show-suppressed", "Report suppressed findings too; they never fail a run.")
    ] = False
    color: Annotated[Color, typer.Option(help="Colour the output.")] = Color.AUTO
    lang: Annotated[
        Language | None, _option("en or zh. Default: $SUBDRIFT_LANG, the configuration, en.", "LANG")
    ] = None
    all_places: Annotated[
        bool, _flag("--all-places", "Show the code of every place, not one of each side.")
    ] = False
    samples: Annotated[
        bool, _flag("--samples", "Show findings of sample and test code beside others too.")
    ] = False
    verbose: Annotated[bool, _flag("--verbose", "Say why, and where values come from.")] = False
    disabled: Annotated[
        bool,
        _flag(
            "--disabled", "Only what is switched off, never started or under a condition, with the reason."
        ),
    ] = False
    sends: Annotated[bool, _flag("--sends", "List what is sent, in place of what is subscribed.")] = False
    topic: Annotated[str, _option("Only the topic of this name.", "NAME")] = ""
    statistics: Annotated[
        bool, _flag("--statistics", "Count the findings of each rule, in place of the report.")
    ] = False
    watch: Annotated[bool, _flag("--watch", "Check again whenever a file has changed, until Ctrl-C.")] = False
    timings: Annotated[bool, _flag("--timings", "Print the time of each stage on stderr.")] = False
    quiet: Annotated[bool, _flag("--quiet", "Print findings only: no counts, no remarks.", "-q")] = False
    select: Annotated[
        list[str] | None,
        _option("This rule or diagnostic only. Repeatable.", "RULE", autocompletion=completion.rules),
    ] = None
    ignore: Annotated[
        list[str] | None,
        _option("Do not report this one. Repeatable.", "RULE", autocompletion=completion.rules),
    ] = None

    # what is changed
    fix: Annotated[bool, _flag("--fix", "Make the changes that change no meaning; report the rest.")] = False
    unsafe_fixes: Annotated[
        bool,
        _flag("--unsafe-fixes", "With --fix or --diff: also the changes by which other messages arrive."),
    ] = False
    force: Annotated[bool, _flag("--force", "Write it although a file or repository could not be read.")] = (
        False
    )
    diff: Annotated[bool, _flag("--diff", "Show what --fix would change, and change nothing.")] = False

    # beside what the findings are seen
    new_from: Annotated[
        str, _option("Report only what is new since this commit; what was there is counted.", "REV")
    ] = ""
    new_from_merge_base: Annotated[
        str, _option("Only what is new since HEAD left this branch.", "BRANCH")
    ] = ""
    staged: Annotated[bool, _flag("--staged", "Check what is staged, not the work tree.")] = False
    baseline: Annotated[str, _option("Only what this file does not hold (baseline write).", "FILE")] = ""
    since: Annotated[
        str,
        _option(
            "Mark what is new beside an earlier JSON report or baseline, and say what is gone; nothing is left out.",
            "FILE",
        ),
    ] = ""
    against: Annotated[str, _option("Compare with the repositories in a registry.", "FILE")] = ""
    registry_out: Annotated[
        str, _option("Write what was found into a registry, for check --against in each repository.", "FILE")
    ] = ""
    registry_max_age: Annotated[str, _option("Warn where the registry is older: 12h, 7d, 2w.", "AGE")] = ""

    # what a run must have seen to be believed
    expect_consumers: Annotated[
        int | None, _option("Exit with 1 where fewer consumers are found.", "N", min=0)
    ] = None
    max_blind_spots: Annotated[
        str, _option("Exit with 1 where more values are not known; base: than at --new-from.", "N|base")
    ] = ""


SOURCES = ("paths", "org")
CONFIGURED = ("config", "isolated")
CACHED = ("no_cache", "cache_dir")
READING = (*CONFIGURED, *CACHED, "untracked", "jobs")
LOOK = ("color", "lang")
REPORT = ("output_format", "output", "fail_on", "exit_zero", "strict", "show_suppressed")


def taking(*shared: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The function as typer is to see it: these fields of `Options`, in this order, in place of its `options`."""

    def wrap(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for one in signature.parameters.values():
            parameters += map(_parameter, shared) if one.name == "options" else [one.replace(kind=KEYWORD)]

        @functools.wraps(function)
        def command(**given: Any) -> None:
            options = options_of({name: given.pop(name) for name in shared})
            function(options=options, **given)

        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        return command

    return wrap


def _parameter(name: str) -> inspect.Parameter:
    default = getattr(Shared, name)
    return inspect.Parameter(name, KEYWORD, default=default, annotation=Shared.__annotations__[name])


def options_of(fields: dict[str, Any]) -> Options:
    """The options typer has read; what was not given has the default of `Options`."""
    return Options(**{name: _plain(value) for name, value in fields.items() if value is not None})


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return tuple(value) if isinstance(value, list) else value
