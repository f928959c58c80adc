"""What a run reports of what it found (`--select`, `--ignore`), and what it must have seen to be believed."""

from __future__ import annotations

from subdrift import rules
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError
from subdrift.linter.model.finding import DIAGNOSTICS
from subdrift.linter.model.message import say
from subdrift.linter.report.language import Language
from subdrift.linter.settings import AS_IN_BASE, BLIND_SPOTS_MAX, OFF, Settings
from subdrift.linter.text.near import nearest
from subdrift.linter.triage import Triaged


def check_names(options: Options, settings: Settings) -> None:
    """Refuse names of rules that do not exist, and levels that diagnostics do not have. Raises `CannotError`."""
    for option, names in (("--select", options.select), ("--ignore", options.ignore)):
        for name in names:
            if not _is_known(name):
                near = nearest(name, rules.names())
                hint = say("or-rather", name=near) if near else say("or-list-rules")
                raise CannotError("option.no-rule", option=option, name=name, hint=hint)
    for name, level in settings.levels:
        if name in DIAGNOSTICS and level != OFF:
            raise CannotError("settings.level-of-diagnostic", name=name, level=level, off=OFF)


def _is_known(name: str) -> bool:
    return name in rules.names()


def selected(found: Triaged, options: Options, settings: Settings) -> Triaged:
    """What is selected and not ignored by name. The command line's selection replaces the configuration's."""
    chosen = frozenset(options.select or settings.select)
    silent = () if options.select else (name for name, level in settings.levels if level == OFF)
    out = frozenset((*options.ignore, *silent))

    def is_wanted(name: str) -> bool:
        return (not chosen or name in chosen) and name not in out

    return Triaged(
        tuple(one for one in found.findings if is_wanted(one.rule)),
        tuple(one for one in found.diagnostics if is_wanted(one.name)),
    )


def blind_spots_allowed(options: Options, settings: Settings) -> int | str | None:
    """A number, `AS_IN_BASE`, or None for any number. Raises `CannotError`."""
    text = options.max_blind_spots
    if not text:
        return settings.max_blind_spots
    if text == AS_IN_BASE:
        return text
    if not (text.isascii() and text.isdecimal() and int(text) <= BLIND_SPOTS_MAX):
        raise CannotError("option.max-blind-spots", as_in_base=AS_IN_BASE, text=repr(text))
    return int(text)


def too_few(consumers: int, options: Options, settings: Settings, words: Language) -> str:
    """A sentence where fewer consumers were found than expected, else ""."""
    expected = settings.expect_consumers if options.expect_consumers is None else options.expect_consumers
    if consumers >= expected:
        return ""
    return words.word("limit.too-few", count=consumers, expected=expected)


def too_blind(spots: int, allowed: int | str | None, before: int | None, base: str, words: Language) -> str:
    """A sentence where more is not known than allowed, else ""."""
    if allowed is None:
        return ""
    limit = before if isinstance(allowed, str) else allowed
    if limit is None or spots <= limit:
        return ""
    if isinstance(allowed, str):
        return words.word("limit.more-blind", count=spots, most=limit, base=words.detail(base))
    return words.word("limit.too-blind", count=spots, most=limit)
