"""`server`: the results of check in an editor."""

import typer

from subdrift.linter.cli.interface.parameters import READING, taking
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError

app = typer.Typer()


@app.command(short_help="Show the results of check in an editor (Language Server Protocol).")
@taking("org", "against", *READING, "lang")
def server(options: Options) -> None:
    """Answer an editor on stdin and stdout: problems as files change, values and their origin, members of groups, fixes.

    Needs the extra `server`. An editor starts it; no source file is written.
    """
    try:
        from subdrift.linter.server.protocol import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] in ("pygls", "lsprotocol", "cattrs", "attrs", "attr"):
            raise CannotError("server.no-pygls") from error
        raise
    raise typer.Exit(serve(options))
