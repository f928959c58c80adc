"""`scan`: an organisation on Apache Spark."""

from typing import Annotated

import typer

from subdrift.linter.cli.interface.parameters import CONFIGURED, LOOK, REPORT, taking
from subdrift.linter.cli.options import Options

app = typer.Typer()


@app.command(short_help="Run check on Apache Spark, and write tables.")
@taking("org", *REPORT, "registry_out", "force", *CONFIGURED, "untracked", *LOOK)
def scan(
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Where the tables go, as Parquet.", show_default=False)
    ],
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
            help="Mark what is new beside the tables of an earlier scan; what is at the same commit is not read again.",
            show_default=False,
        ),
    ] = "",
    *,
    options: Options,
) -> None:
    """Check an organisation on Apache Spark: the findings of check --org, and tables to query.

    Needs the extra `spark` and Java 17. Exit codes as for check.
    """
    from subdrift.linter.cli.scan import scan as on_spark

    raise typer.Exit(on_spark(options, manifest, out, master, replace, since))
