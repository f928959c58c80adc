"""`check`, `list`, `topics` and `unresolved`."""

from typing import Annotated

import typer

from subdrift.linter.cli.interface.parameters import (
    LOOK,
    READING,
    REPORT,
    SOURCES,
    ListFormat,
    PlainFormat,
    TopicsFormat,
    taking,
)
from subdrift.linter.cli.interface.sections import Brief
from subdrift.linter.cli.options import Options

app = typer.Typer()


@app.command(cls=Brief, short_help="Report consumer groups whose members disagree.")
@taking(
    *SOURCES,
    *REPORT,
    *READING,
    *LOOK,
    *("all_places", "samples", "verbose", "fix", "unsafe_fixes", "diff", "timings"),
    *("new_from", "new_from_merge_base", "staged", "baseline", "since"),
    *("select", "ignore", "expect_consumers", "max_blind_spots", "quiet", "stdin_filename"),
    *("against", "registry_out", "registry_max_age", "force", "statistics", "watch"),
)
def check(options: Options) -> None:
    """Compare the consumers of each group and report where they disagree.

    Exit codes: 0 nothing at or above the threshold, 1 something, 2 the job could not be done.
    """
    _run("check", options)


@app.command(name="list", short_help="List every subscription found.")
@taking(*SOURCES, *READING, *LOOK, "disabled", "sends")
def list_(
    output_format: Annotated[
        ListFormat, typer.Option(help="A table, or one JSON object a line.")
    ] = ListFormat.TEXT,
    *,
    options: Options,
) -> None:
    """List every subscription that was found, with what is not known about it and why."""
    _run("list", options._replace(output_format=output_format.value))


@app.command(short_help="Show who sends what to whom, topic by topic.")
@taking(*SOURCES, *READING, *LOOK, "topic", "against")
def topics(
    output_format: Annotated[
        TopicsFormat, typer.Option(help="For people, one JSON object, a diagram, or AsyncAPI documents.")
    ] = TopicsFormat.TEXT,
    *,
    options: Options,
) -> None:
    """Join what is sent and what is read by topic: senders, tags, groups, and what nobody sends or reads."""
    _run("topics", options._replace(output_format=output_format.value))


@app.command(short_help="List what is not known, and what would answer it.")
@taking(*SOURCES, *READING, *LOOK)
def unresolved(
    output_format: Annotated[
        PlainFormat, typer.Option(help="For people, or one JSON object.")
    ] = PlainFormat.TEXT,
    *,
    options: Options,
) -> None:
    """List the blind spots, most frequent reason first, each with what would answer it."""
    _run("unresolved", options._replace(output_format=output_format.value))


def _run(command: str, options: Options) -> None:
    from subdrift.linter.cli.commands import run

    raise typer.Exit(run(command, options))
