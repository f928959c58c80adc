"""Where a reader finds the project and the page about a rule."""

from __future__ import annotations

from typing import Final

HOME: Final = "https://subdrift.example"
"""The address of the project's repository. It has none that is public yet: set it here, and nowhere else."""


def page_of(name: str, language: str = "en") -> str:
    """The page about a rule or diagnostic in the repository."""
    return f"{HOME}/blob/main/rules/docs/{name}.{language}.md"
