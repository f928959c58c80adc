"""`explain`: what a rule means."""

from typing import Annotated

import typer

from subdrift.linter.cli.interface import completion
from subdrift.linter.cli.interface.parameters import LOOK, taking
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import STDOUT, language_of, stdout_style, write

app = typer.Typer()


@app.command(short_help="Explain a rule.")
@taking(*LOOK)
def explain(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE",
            help="A rule or diagnostic; none: all names.",
            show_default=False,
            autocompletion=completion.rules,
        ),
    ] = None,
    *,
    options: Options,
) -> None:
    """Explain a rule: what, why in terms of the broker, bad and good, how to suppress."""
    from subdrift.linter.cli.explain import overview, text_of

    words = language_of(options.lang, "").name
    write(overview(words) if rule is None else text_of(rule, words, stdout_style(options.color)), STDOUT)
