"""The everyday command lines parsed without typer, which with what it imports costs more than a small check.

Only what is beyond doubt is parsed here; for everything else, help and mistakes among it, the answer is None and typer
decides. A test holds the tables below against typer's own commands.
"""

from __future__ import annotations

from typing import Any

from subdrift.linter.cli.options import (
    COLORS,
    FORMATS,
    LANGS,
    LEVELS,
    LIST_FORMATS,
    UNRESOLVED_FORMATS,
    Options,
)

FLAGS: dict[str, tuple[str, bool]] = {
    "--exit-zero": ("exit_zero", True),
    "--strict": ("strict", True),
    "--no-strict": ("strict", False),
    "--show-suppressed": ("show_suppressed", True),
    "--isolated": ("isolated", True),
    "--no-cache": ("no_cache", True),
    "--untracked": ("untracked", True),
    "--no-untracked": ("untracked", False),
    "--timings": ("timings", True),
    "--all-places": ("all_places", True),
    "--samples": ("samples", True),
    "--verbose": ("verbose", True),
    "--statistics": ("statistics", True),
    "--fix": ("fix", True),
    "--unsafe-fixes": ("unsafe_fixes", True),
    "--diff": ("diff", True),
    "--disabled": ("disabled", True),
    "--sends": ("sends", True),
    "--staged": ("staged", True),
    "--force": ("force", True),
    "--quiet": ("quiet", True),
    "-q": ("quiet", True),
    "--watch": ("watch", True),
}
VALUES: dict[str, str] = {
    "--org": "org",
    "--output-format": "output_format",
    "--output": "output",
    "--fail-on": "fail_on",
    "--config": "config",
    "--cache-dir": "cache_dir",
    "--jobs": "jobs",
    "-j": "jobs",
    "--color": "color",
    "--lang": "lang",
    "--new-from": "new_from",
    "--new-from-merge-base": "new_from_merge_base",
    "--baseline": "baseline",
    "--since": "since",
    "--select": "select",
    "--ignore": "ignore",
    "--expect-consumers": "expect_consumers",
    "--max-blind-spots": "max_blind_spots",
    "--stdin-filename": "stdin_filename",
    "--against": "against",
    "--registry-out": "registry_out",
    "--registry-max-age": "registry_max_age",
}
REPEATABLE = frozenset(("output", "config", "select", "ignore"))
ONLY: dict[str, str] = dict.fromkeys(
    (
        *("output", "fail_on", "exit_zero", "strict", "show_suppressed", "timings"),
        *("all_places", "samples", "verbose", "fix", "unsafe_fixes", "diff"),
        *("new_from", "new_from_merge_base", "staged", "baseline", "since", "select", "ignore"),
        *("expect_consumers", "max_blind_spots", "quiet", "stdin_filename"),
        *("against", "registry_out", "registry_max_age", "force", "statistics", "watch"),
    ),
    "check",
) | {"disabled": "list", "sends": "list"}
"""The one command that takes a field, where not all do."""
CHOICES: dict[str, tuple[str, ...]] = {"fail_on": LEVELS, "color": COLORS, "lang": LANGS}
FORMATS_OF: dict[str, tuple[str, ...]] = {
    "check": FORMATS,
    "list": LIST_FORMATS,
    "unresolved": UNRESOLVED_FORMATS,
}


def takes(command: str, field: str) -> bool:
    """Whether a command takes the option of that field."""
    return ONLY.get(field, command) == command


def parse(arguments: list[str]) -> tuple[str, Options] | None:
    """The command and its options, or None where this is a case for typer."""
    if not arguments or arguments[0] not in FORMATS_OF:
        return None
    command, *rest = arguments
    found: dict[str, Any] = {}
    paths: list[str] = []
    waiting = iter(rest)
    for argument in waiting:
        if not argument.startswith("-"):
            paths.append(argument)
            continue
        name, equals, value = argument.partition("=")
        if argument in FLAGS:
            field, flag = FLAGS[argument]
            if not takes(command, field):
                return None
            found[field] = flag
            continue
        field = VALUES.get(name, "")
        if not field or (equals and not name.startswith("--")) or not takes(command, field):
            return None
        given = value if equals else next(waiting, None)
        converted = None if given is None else _value(command, field, given)
        if converted is None:
            return None
        found[field] = (*found.get(field, ()), converted) if field in REPEATABLE else converted
    return command, Options(paths=tuple(paths), **found)


def _value(command: str, field: str, text: str) -> str | int | None:
    if field in ("jobs", "expect_consumers"):
        return int(text) if text.isascii() and text.isdecimal() else None
    choices = FORMATS_OF[command] if field == "output_format" else CHOICES.get(field)
    return text if choices is None or text in choices else None
