"""Command lines for typer: the program, put together of its commands, and one run of it."""

from __future__ import annotations

import errno
import sys
from typing import Annotated, Any

import typer

from subdrift.linter import __version__
from subdrift.linter.cli.help import language_asked, name_arguments, translate, width_of_terminal
from subdrift.linter.cli.interface import (
    checking,
    configuring,
    explaining,
    foretelling,
    keeping,
    scanning,
    serving,
)
from subdrift.linter.cli.output import CannotError
from subdrift.linter.files import reason_of
from subdrift.linter.report.language import language
from subdrift.linter.report.terminal import safe

_FULL = (errno.ENOSPC, errno.EFBIG, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))
"""What help meets, which typer writes, where there is no room for it."""

_HELP = frozenset(("-h", "--help"))
_UsageError: Any = typer.BadParameter.__base__
"""A mistake in the command line; where typer has it from depends on its version."""

app = typer.Typer(
    name="subdrift",
    help="Find RocketMQ consumer groups whose members disagree, and say which messages would be lost.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": sorted(_HELP), "max_content_width": 110},
)
for commands in (checking, foretelling, scanning, explaining, keeping, configuring, serving):
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


def _complain(error: Any, is_chinese: bool) -> None:
    """Say what is wrong with a command line; a command that takes another one shows its help instead."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return
    said = error.format_message().replace("Value error, ", "")  # the library's own name for it
    if is_chinese:
        from subdrift.linter.report.language.help_zh import mistake

        said = mistake(said)
    word = language("zh" if is_chinese else "en").word
    text = word("usage.mistake", what=said)
    if error.ctx is not None:
        text = f"{error.ctx.get_usage()}\n{word('usage.help', command=error.ctx.command_path)}\n\n{text}"
    sys.stderr.write("".join(f"{safe(line)}\n" for line in text.split("\n")))


def dispatch(arguments: list[str]) -> int:
    """Run one command line; the exit code. Mistakes in it are said on stderr and are 2."""
    if sys.stdout is None and (not arguments or not _HELP.isdisjoint(arguments)):
        raise CannotError("output.no-stdout-for-help")
    command = typer.main.get_command(app)
    name_arguments(command)
    is_chinese = language_asked(arguments) == "zh"
    width: dict[str, Any] = {}
    if is_chinese:
        from subdrift.linter.report.language.help_zh import HELP

        translate(command, HELP)
        width = {"terminal_width": width_of_terminal()}
    try:
        code = command.main(args=arguments, prog_name="subdrift", standalone_mode=False, **width)
        return code if isinstance(code, int) else 0
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except _UsageError as error:
        _complain(error, is_chinese)
        return int(error.exit_code)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise CannotError("output.stdout", reason=reason_of(error)) from error
