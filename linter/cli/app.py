"""Command lines for typer: the program, put together of its commands, and one run of it."""

from __future__ import annotations

import errno
import sys
from typing import Annotated

import typer

from linter import __version__
from linter.cli.help import language_asked, translate, width_of_terminal
from linter.cli.interface import checking, configuring, explaining, foretelling, keeping, scanning
from linter.cli.output import CannotError
from linter.files import reason_of

_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))
"""What help meets, which typer writes, where there is no room for it."""

_HELP = frozenset(("-h", "--help"))

app = typer.Typer(
    name="subdrift",
    help="Find RocketMQ consumer groups whose members disagree, and say which messages would be lost.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": sorted(_HELP), "max_content_width": 110},
)
for commands in (checking, foretelling, scanning, explaining, keeping, configuring):
    app.add_typer(commands.app)


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


def dispatch(arguments: list[str]) -> int:
    """Run one command line; the exit code. Mistakes in it are said on stderr and are 2."""
    if sys.stdout is None and (not arguments or not _HELP.isdisjoint(arguments)):
        raise CannotError("output.no-stdout-for-help")
    try:
        if language_asked(arguments) == "zh":
            from linter.report.language.help_zh import HELP

            command = typer.main.get_command(app)
            translate(command, HELP)
            command(args=arguments, prog_name="subdrift", terminal_width=width_of_terminal())
        else:
            app(args=arguments, prog_name="subdrift")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise CannotError("output.stdout", reason=reason_of(error)) from error
    return 0
