"""`predict` and `rollout`: what becomes of messages, and in which order to change a group."""

from typing import Annotated

import typer

from subdrift.linter.cli.interface import completion
from subdrift.linter.cli.interface.parameters import LOOK, READING, SOURCES, PlainFormat, PlanFormat, taking
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import STDOUT, language_of, stdout_style, write

app = typer.Typer()

Split = Annotated[
    list[str] | None,
    typer.Option(
        metavar="MEMBER=GROUP",
        help="Give this member, or these, a group of its own; may be repeated.",
        show_default=False,
    ),
]


@app.command(short_help="Say what becomes of the messages of a what-if scenario.")
@taking("verbose", *LOOK)
def predict(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A scenario in TOML or JSON; - for stdin.", show_default=False),
    ] = "",
    example: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="A scenario that ships with subdrift.",
            show_default=False,
            autocompletion=completion.examples,
        ),
    ] = "",
    given: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Observed state: mqadmin consumerConnection, consumerProgress, consumerStatus; heartbeats, logs; - for stdin.",
            show_default=False,
        ),
    ] = "",
    group: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Read what --given says of this group alone, as in a broker's log.",
            show_default=False,
        ),
    ] = "",
    simulate: Annotated[
        int,
        typer.Option(
            min=0, max=100_000, metavar="N", help="Run the event model N times and give frequencies."
        ),
    ] = 0,
    output_format: Annotated[
        PlainFormat, typer.Option(help="For people, or one JSON object.")
    ] = PlainFormat.TEXT,
    *,
    options: Options,
) -> None:
    """Say which messages each member gets, loses or never sees, for every possible winner, and why."""
    from subdrift.linter.cli.predict import predict as answer

    words, style = language_of(options.lang, "").name, stdout_style(options.color)
    as_json = output_format is PlainFormat.JSON
    write(answer(file, example, given, group, simulate, as_json, words, style, options.verbose), STDOUT)


@app.command(short_help="Say in which order to change a group without loss.")
@taking(*SOURCES, *READING, *LOOK)
def rollout(
    group: Annotated[str, typer.Argument(metavar="GROUP", help="The consumer group.")],
    topic: Annotated[
        str, typer.Argument(metavar="TOPIC", help="The topic whose tags change.", show_default=False)
    ] = "",
    to: Annotated[
        str,
        typer.Option(
            metavar="TAGS",
            help='What every member shall ask for, "A || B". Default with --from: what the code says.',
            show_default=False,
        ),
    ] = "",
    split: Split = None,
    union: Annotated[
        bool, typer.Option("--union", help="Let every member subscribe to every topic of the group.")
    ] = False,
    start: Annotated[
        str,
        typer.Option(
            "--from", metavar="REV", help="Take what is deployed from this revision.", show_default=False
        ),
    ] = "",
    scenario: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Take the members from a scenario, not from code.", show_default=False
        ),
    ] = "",
    output_format: Annotated[
        PlanFormat, typer.Option(help="For people, for a change ticket, or one JSON object.")
    ] = PlanFormat.TEXT,
    *,
    options: Options,
) -> None:
    """Say step by step how a group comes to other tags, to groups of their own or to the same topics, and what that costs."""
    from subdrift.linter.cli.rollout import Goal
    from subdrift.linter.cli.rollout import rollout as answer

    if topic and (split or union):  # these have no topic: what was read as one is the first path
        options, topic = options._replace(paths=(topic, *options.paths)), ""
    goal = Goal(topic, to, tuple(split or ()), union)
    style = stdout_style(options.color)
    write(answer(group, goal, start, scenario, options, output_format.value, style), STDOUT)
