"""Which library models a repository's programs are run with: those of this project, and those its settings name."""

from __future__ import annotations

from functools import lru_cache

from subdrift.linter.extract import models as shipped
from subdrift.linter.model.answers import Answers, ModelSource
from subdrift.linter.resolve.models import Models


def models_of(answers: Answers | None) -> Models:
    """The models for the programs of a repository, the same object for the same settings."""
    return _models(answers.models if answers is not None else ())


@lru_cache(maxsize=64)
def _models(own: tuple[ModelSource, ...]) -> Models:
    units = [(one.path, shipped.lower(one.path, one.text.encode())) for one in own]
    return Models(shipped.paths(), shipped.lowered, units)


def broken_line(source: ModelSource) -> int:
    """The first line of a model that is not source code of its language, 0 where all of it is."""
    unit = shipped.lower(source.path, source.text.encode())
    return unit.broken[0][0] if unit.broken else 0


def is_model(path: str) -> bool:
    """Whether a file is source code that a model may be written in."""
    return bool(shipped.language_of(path))
