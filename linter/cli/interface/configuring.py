"""`config`: what is configured, and whether it can be used."""

import typer

from subdrift.linter.cli.interface.parameters import CONFIGURED, SOURCES, taking
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import STDOUT, write

app = typer.Typer()
config = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(config, name="config", short_help="Show what is configured, and where it comes from.")


@config.callback()
def _config() -> None:
    """Show what is configured, and where it comes from."""


@config.command(short_help="Print every setting with where it comes from.")
@taking(*SOURCES, *CONFIGURED)
def show(options: Options) -> None:
    """Print every setting that holds for a run, with the file and line it comes from."""
    from subdrift.linter.cli.commands import inputs_of
    from subdrift.linter.cli.config import show as lines

    write(lines(inputs_of(options)), STDOUT)


@config.command(short_help="Say whether the configuration can be used.")
@taking(*SOURCES, *CONFIGURED)
def check(options: Options) -> None:
    """Say whether the configuration can be used; a mistake is told with file and line, and exits with 2."""
    from subdrift.linter.cli.commands import inputs_of
    from subdrift.linter.cli.config import check as confirm

    write(confirm(inputs_of(options)), STDOUT)


@config.command(short_help="Print the JSON schema of a configuration.")
def schema() -> None:
    """Print the JSON schema of a configuration, by which editors complete and check .subdrift.toml."""
    from subdrift.linter.cli.config import schema as text

    write(text(), STDOUT)
