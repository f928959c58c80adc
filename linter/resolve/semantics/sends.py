"""What a language means where sends are looked for, by its name."""

from __future__ import annotations

from typing import Any


def semantics(language: str) -> Any:
    """The semantics of a language that notes what its code sends; its library is imported where code of it runs."""
    if language == "python":
        from subdrift.linter.resolve.semantics.python.sends import SendingPython

        return SendingPython()
    from subdrift.linter.resolve.semantics.jvm.sends import SendingJava, SendingKotlin

    return SendingKotlin() if language == "kotlin" else SendingJava()
