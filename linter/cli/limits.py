"""What a run reports of what it found (`--select`, `--ignore`), and what it must have seen to be believed."""

from __future__ import annotations

import rules
from linter.cli.options import Options
from linter.cli.output import CannotError
from linter.model.ignore import Ignore
from linter.report.content import plural
from linter.settings import AS_IN_BASE, BLIND_SPOTS_MAX, Settings
from linter.triage import Triaged


def check_names(options: Options, settings: Settings) -> None:
    """Refuse names of rules that do not exist. Raises `CannotError`."""
    for option, names in (("--select", options.select), ("--ignore", options.ignore)):
        for name in names:
            _check(name, option)
    for name in settings.select:
        _check(name, f"{settings.file or '--config'}: `select`")
    for one in settings.ignores:
        check_entry(one, settings)


def check_entry(one: Ignore, settings: Settings) -> None:
    """Refuse an entry about a rule that does not exist. Raises `CannotError`."""
    _check(one.rule, f"{settings.file or '--config'}:{one.at.span.line}: `ignore`")


def _check(name: str, where: str) -> None:
    if name in rules.names():
        return
    from difflib import get_close_matches

    near = get_close_matches(name, rules.names(), 1)
    hint = f"; did you mean `{near[0]}`?" if near else "; `subdrift explain` lists all names"
    raise CannotError(f"{where}: there is no rule {name!r}{hint}")


def selected(found: Triaged, options: Options, settings: Settings) -> Triaged:
    """What is selected and not ignored by name. The command line's selection replaces the configuration's."""
    chosen = frozenset(options.select or settings.select)
    out = frozenset(options.ignore)

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
        raise CannotError(f"--max-blind-spots takes a number or `{AS_IN_BASE}`, not {text!r}")
    return int(text)


def too_few(consumers: int, options: Options, settings: Settings) -> str:
    """A sentence where fewer consumers were found than expected, else ""."""
    expected = settings.expect_consumers if options.expect_consumers is None else options.expect_consumers
    if consumers >= expected:
        return ""
    return f"{plural(consumers, 'consumer')} found, at least {expected:,} expected (--expect-consumers)"


def too_blind(spots: int, allowed: int | str | None, before: int | None, base: str) -> str:
    """A sentence where more is not known than allowed, else ""."""
    if allowed is None:
        return ""
    limit = before if isinstance(allowed, str) else allowed
    if limit is None or spots <= limit:
        return ""
    bound = f"{limit:,} in {base}" if isinstance(allowed, str) else f"at most {limit:,} allowed"
    return f"{plural(spots, 'blind spot')}, {bound} (--max-blind-spots); `subdrift unresolved` lists them"
