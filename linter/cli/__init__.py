"""The command line: arguments in, reports and an exit code out.

0: nothing at or above the threshold. 1: something. 2: the job could not be done. 130, 143: ended by SIGINT, SIGTERM.
No traceback ever reaches a user; a bug ends with 2 and a request to report it (`SUBDRIFT_DEBUG=1` shows the traceback instead).
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from typing import TYPE_CHECKING

from subdrift.linter import __version__
from subdrift.linter.cli import interrupt
from subdrift.linter.garbage import look_seldom
from subdrift.linter.model.message import UnusableError

if TYPE_CHECKING:
    from subdrift.linter.report.language import Language

CANNOT = 2


def main() -> None:
    """The `subdrift` command."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        # typer alone costs several times this
        sys.exit(_version())
    look_seldom()
    interrupt.install()
    try:
        code = run(arguments)
    except interrupt.Interrupted as error:  # between the lines of `run` that expect one
        code = _interrupted(error.code)
    interrupt.uninstall()
    gc.freeze()  # the interpreter looks for cycles once more before it ends
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """The exit code of one command line; everything that can go wrong is said on stderr."""
    from subdrift.linter.cli.output import CannotError, complain
    from subdrift.linter.room import with_room

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # a path or a topic in a script the terminal does not know must not end the run
            stream.reconfigure(errors="backslashreplace")
    try:
        return with_room(_dispatch, arguments)
    except CannotError as error:
        complain(_language(arguments).text(error.message))
        return CANNOT
    except interrupt.Interrupted as error:
        return _interrupted(error.code)
    except KeyboardInterrupt:
        return _interrupted(interrupt.INTERRUPTED)
    except Exception as error:
        if (code := interrupt.received()) is not None:
            # the interpreter, and libraries, turn what is raised at some places into exceptions of their own
            return _interrupted(code)
        # the last guard: a bug is said in a sentence and never exits 0 or 1
        if os.environ.get("SUBDRIFT_DEBUG"):
            raise
        complain(
            f"internal error: {type(error).__name__}: {error} ({_place(error)})\n"
            "This is a bug in subdrift. Please report it with the command line and the file it happened on."
        )
        return CANNOT


def _interrupted(code: int) -> int:
    from subdrift.linter.cli.output import complain

    complain("interrupted")
    interrupt.end(code)
    return code


def _language(arguments: list[str]) -> Language:
    """The language a mistake is told in: of the command line or $SUBDRIFT_LANG, else of the configuration here.

    English where the configuration cannot be read, or the language is what is wrong.
    """
    from subdrift.linter import settings
    from subdrift.linter.cli.help import language_asked
    from subdrift.linter.report.language import LANGUAGES, language
    from subdrift.linter.sources.checkout import discover

    chosen = language_asked(arguments)
    if not chosen:
        with contextlib.suppress(UnusableError, OSError):  # that may be the very mistake that is being told
            chosen = settings.load(discover(["."])[0].root).lang
    return language(chosen if chosen in LANGUAGES else "en")


def _version() -> int:
    try:
        os.write(1, f"subdrift {__version__}\n".encode())
    except BrokenPipeError:
        return 0  # whoever asked has gone
    except OSError as error:
        os.write(2, f"subdrift: stdout: the version could not be written: {error.strerror}\n".encode())
        return CANNOT
    return 0


def _dispatch(arguments: list[str]) -> int:
    from subdrift.linter.cli.quick import parse

    parsed = parse(arguments)
    if parsed is None:
        from subdrift.linter.cli.app import dispatch

        return dispatch(arguments)
    from subdrift.linter.cli.commands import run as run_command

    gc.freeze()  # code lives to the end too
    return run_command(*parsed)


def _place(error: BaseException) -> str:
    """The last place in our own code, short enough to be typed into a report."""
    place = "unknown place"
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{os.path.basename(code.co_filename)}:{trace.tb_lineno} in {code.co_name}"
        trace = trace.tb_next
    return place
