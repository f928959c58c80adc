"""`clean`, `lock` and `baseline`: the files of ours beside what is checked."""

from typing import Annotated

import typer

from subdrift.linter.cli.interface.parameters import CACHED, CONFIGURED, SOURCES, taking
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import STDOUT, write

app = typer.Typer()


@app.command(short_help="Delete the cache.")
@taking(*SOURCES, "cache_dir")
def clean(options: Options) -> None:
    """Delete the cache."""
    from subdrift.linter.cli.clean import clean as remove_caches

    write(remove_caches(options.paths or (".",), options.org, options.cache_dir), STDOUT)


@app.command(short_help="Keep every subscription in a file that shows each change in review.")
@taking(*SOURCES, *CONFIGURED, *CACHED, "force", "lang")
def lock(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say in words what has changed, and exit with 1.")
    ] = False,
    file: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Default: subscriptions.lock in the repository.", show_default=False
        ),
    ] = "",
    *,
    options: Options,
) -> None:
    """Write every subscription into a file: group, topic, filter, model, deployable, environments.

    With code owners on that file each change of a subscription is seen by the team that owns the group.
    """
    from subdrift.linter.cli.commands import inputs_of
    from subdrift.linter.cli.lock import lock as keep

    text, code = keep(inputs_of(options), file, check)
    write(text, STDOUT)
    raise typer.Exit(code)


baseline = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(
    baseline, name="baseline", short_help="Save current findings in a file, so that only new ones count."
)
_BASELINE = (*SOURCES, "baseline", "staged", *CONFIGURED, *CACHED, "force", "lang")


@baseline.callback()
def _baseline() -> None:
    """Save current findings in a file (check --baseline FILE), so that only new ones count."""


@baseline.command("write", short_help="Write the current findings.")
@taking(*_BASELINE)
def baseline_write(
    strict: Annotated[
        bool | None,
        typer.Option(
            "--strict/--no-strict", help="Keep what could not be analysed too, as check --strict counts it."
        ),
    ] = None,
    *,
    options: Options,
) -> None:
    """Write the current findings into the baseline, replacing what it held."""
    from subdrift.linter.cli.baseline import write as keep
    from subdrift.linter.cli.commands import inputs_of

    write(keep(inputs_of(options), options.baseline, strict), STDOUT)


@baseline.command("prune", short_help="Remove the entries that no longer occur.")
@taking(*_BASELINE)
def baseline_prune(options: Options) -> None:
    """Remove the entries that no longer occur. Nothing is added."""
    from subdrift.linter.cli.baseline import prune
    from subdrift.linter.cli.commands import inputs_of

    write(prune(inputs_of(options), options.baseline), STDOUT)


@baseline.command("check", short_help="Name the entries that no longer occur.")
@taking(*_BASELINE)
def baseline_check(options: Options) -> None:
    """Name the entries that no longer occur; exit with 1 where there are any."""
    from subdrift.linter.cli.baseline import check as compare
    from subdrift.linter.cli.commands import inputs_of

    text, code = compare(inputs_of(options), options.baseline)
    write(text, STDOUT)
    raise typer.Exit(code)
