"""Which library models a repository's programs are run with: those of this project, and those its settings name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from subdrift.linter.extract import models as shipped
from subdrift.linter.extract.candidates import is_candidate
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


def callers_of_clients(models: Iterable[ModelSource]) -> Iterator[tuple[str, str]]:
    """What files are found by (pairs as in `Wanted.callers`) that use a model which makes consumers or sends: they may hold no
    token of a client library."""
    for one in models:
        language, content = shipped.language_of(one.path), one.text.encode()
        if not (is_candidate(language, content) or is_candidate(language, content, sends=True)):
            continue
        if language == "python":
            yield "import", one.path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
            continue
        for type_ in shipped.lower(one.path, content).types:
            names = [each.name for each in type_.methods if each.name != "<init>"]
            if type_.kind == "module":
                yield from ((name, name) for name in names)
            else:
                yield from ((type_.name, name) for name in (type_.name, *names))
