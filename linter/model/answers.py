"""What settings answer for a repository."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from subdrift.linter.model.location import Location

Answered = tuple[tuple[str, str, str], ...]
"""Key, profile ("" for all of them) and text of each answer."""


class DeclaredApi(Struct, frozen=True):
    """A kind of listener whose source is not here, as `[[apis]]` declares it: an annotation, or a class to extend.

    The others name what holds a value: an attribute of the annotation; a method of the class without arguments, or the
    number of an argument of its constructor, from 1. "" where the kind has no such thing.
    """

    name: str
    is_annotation: bool
    group: str
    topic: str
    expression: str = ""
    filter_type: str = ""
    message_model: str = ""
    consume_mode: str = ""
    namespace: str = ""


class ModelSource(Struct, frozen=True):
    """Source code that says what a library does, from a folder that `[models]` names; `path` is that below the folder."""

    path: str
    text: str


class Answers(Struct, frozen=True):
    """What the configuration of a repository settles: `values` for all of it, `modules` for the modules below a
    folder, `apis` it declares, and where it stands; `models` of the libraries its programs use; `scopes`: patterns of
    paths, each with the scope of what stands there."""

    values: Answered = ()
    at: Location | None = None
    modules: tuple[tuple[str, Answered], ...] = ()
    apis: tuple[DeclaredApi, ...] = ()
    models: tuple[ModelSource, ...] = ()
    scopes: tuple[tuple[str, str], ...] = ()

    def of(self, folder: str) -> Mapping[tuple[str, str], str]:
        """What is answered for the module in a folder ("" the repository's root), by key and profile. The nearest
        folder that answers a key answers it in every profile."""
        found = {(key, profile): text for key, profile, text in self.values}
        for above, answered in sorted(self.modules, key=lambda one: len(one[0])):
            if folder == above or folder.startswith(f"{above}/"):
                nearer = {key for key, _, _ in answered}
                found = {both: text for both, text in found.items() if both[0] not in nearer}
                found |= {(key, profile): text for key, profile, text in answered}
        return found
