"""What a run reports of what it found (`--select`, `--ignore`), and what it must have seen to be believed."""

from __future__ import annotations

import rules
from linter.cli.options import Options
from linter.cli.output import CannotError
from linter.report.content import plural
from linter.settings import AS_IN_BASE, BLIND_SPOTS_MAX, Settings, SettingsError, mistake
from linter.text.near import nearest
from linter.triage import Triaged


def check_names(options: Options, settings: Settings) -> None:
    """Refuse names of rules that do not exist. Raises `CannotError`."""
    for option, names in (("--select", options.select), ("--ignore", options.ignore)):
        for name in names:
            if not _is_known(name):
                near = nearest(name, rules.names())
                hint = f"did you mean `{near}`?" if near else "`subdrift explain` lists all"
                raise CannotError(f"{option}: there is no rule `{name}`; {hint}")
    for name in settings.select:
        if not _is_known(name):
            raise _mistake(name, settings, ("select",))
    check_entries(settings)


def check_entries(settings: Settings) -> None:
    """Refuse `[[ignore]]` entries about rules that do not exist. Raises `CannotError`."""
    for number, one in enumerate(settings.ignores):
        if not _is_known(one.rule):
            raise _mistake(one.rule, settings, ("ignore", str(number), "rule"))


def _is_known(name: str) -> bool:
    return name in rules.names()


def _mistake(name: str, settings: Settings, path: tuple[str, ...]) -> CannotError:
    near = nearest(name, rules.names())
    message = f"names `{name}`, which is not a rule" + ("" if near else "; `subdrift explain` lists all")
    try:
        said = mistake(settings.file, path, message, near, name)
    except OSError:  # it came by --config
        said = SettingsError("--config", 0, f"`{path[0]}` {message}", near)
    return CannotError(str(said))


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
