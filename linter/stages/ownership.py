"""Who owns the files of a repository, for whoever reports it: the reader of CODEOWNERS that rules compare by, and the
catalogue that speaks where no line does."""

from __future__ import annotations

from typing import Final

from subdrift.linter.extract.owners import OWNER_CHARS_MAX, lines_of
from subdrift.linter.resolve.owners import Owners as Owners
from subdrift.linter.resolve.owners import find as find

CATALOG_FILE: Final = "catalog-info.yaml"


def owners_in(content: bytes, catalogue: bytes = b"") -> Owners:
    """The owners that a CODEOWNERS file names, and `spec.owner` of a catalogue."""
    return Owners(lines_of(content), _catalogued(catalogue) if catalogue else ())


def _catalogued(content: bytes) -> tuple[str, ...]:
    from subdrift.linter.extract.config import (
        settings,  # few repositories have a catalogue, and it takes a YAML parser
    )

    text = content.decode("utf-8", "replace")
    for entry in settings(CATALOG_FILE, text):
        if entry.key == "spec.owner" and entry.text:
            return (entry.text[:OWNER_CHARS_MAX],)
    return ()
