"""What a shell offers where a name is to be typed; asked for by the shell alone, so everything is imported then."""

from __future__ import annotations


def rules(incomplete: str) -> list[str]:
    """Names of rules and diagnostics."""
    from subdrift.rules import names

    return [one for one in sorted(names()) if one.startswith(incomplete)]


def examples(incomplete: str) -> list[str]:
    """Scenarios that ship with subdrift."""
    from subdrift.linter.broker.examples import examples as shipped

    return [one.name for one in shipped() if one.name.startswith(incomplete)]
