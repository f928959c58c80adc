"""A command with many options: its help shows those of every day, and `--help-all` all of them, by purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from typer.core import TyperCommand

from subdrift.linter.cli.help import language_asked
from subdrift.linter.report.language import language

ALL: Final = "--help-all"
EVERY_DAY: Final = frozenset(
    (
        *("org", "config", "output_format", "output", "fail_on", "select", "ignore", "new_from_merge_base"),
        *("baseline", "against", "fix", "diff", "watch", "verbose", "quiet", "lang", "help"),
    )
)
SECTIONS: Final = (
    (
        "read",
        (
            "org",
            "config",
            "isolated",
            "no_cache",
            "cache_dir",
            "untracked",
            "jobs",
            "stdin_filename",
            "staged",
        ),
    ),
    (
        "reported",
        (
            *(
                "output_format",
                "output",
                "fail_on",
                "exit_zero",
                "strict",
                "select",
                "ignore",
                "show_suppressed",
            ),
            *("all_places", "samples", "verbose", "quiet", "statistics", "watch", "timings", "color", "lang"),
        ),
    ),
    ("changed", ("fix", "unsafe_fixes", "diff")),
    (
        "beside",
        (
            *("new_from", "new_from_merge_base", "baseline", "since"),
            *("against", "registry_out", "registry_max_age", "force"),
        ),
    ),
    ("believed", ("expect_consumers", "max_blind_spots")),
)
"""The headings of `--help-all`, by the codes of their words; a test holds them complete."""


class Brief(TyperCommand):
    """See the module."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ALL in args:
            ctx.meta[ALL] = True
            args = ["--lang=zh", "--help"] if language_asked(args) == "zh" else ["--help"]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        word = language("zh" if type(formatter).__name__ == "Chinese" else "en").word
        rows = {one.name: one.get_help_record(ctx) for one in self.get_params(ctx)}
        arguments = [
            row
            for one in self.get_params(ctx)
            if one.param_type_name == "argument" and (row := rows[one.name])
        ]
        options = {name: row for name, row in rows.items() if row and row not in arguments}
        _section(formatter, "Arguments", arguments)
        if not ctx.meta.get(ALL):
            _section(formatter, "Options", [row for name, row in options.items() if name in EVERY_DAY])
            formatter.write(f"\n{word('help.all', count=len(options), command=ctx.command_path)}\n")
            return
        for code, names in SECTIONS:
            _section(formatter, word(f"help.{code}"), [options.pop(name) for name in names])
        _section(formatter, word("help.other"), list(options.values()))


def _section(formatter: Any, heading: str, rows: Sequence[tuple[str, str]]) -> None:
    with formatter.section(heading):
        formatter.write_dl(rows)
