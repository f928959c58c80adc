"""Library modules that are told as programs (`resolve/models/python`): found behind the program's own, one name at a time.

A model need not have all of its module: a name it lacks is what a peer or nobody knows of it. What only the interpreter
can do, a model imports from the module `_native`, which no program has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from subdrift.linter.model.location import Origin
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Guarded

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def is_model(run: Interpreter, origin: Origin) -> bool:
    """Whether a file is a model: nothing in it means a file of the program."""
    return not origin.repo and origin.path.startswith("models/") and run.scope.program.file(origin) is None


def has_module(run: Interpreter, name: str) -> bool:
    return run.scope.models is not None and run.scope.models.module(name) is not None


def member(python: Python, run: Interpreter, module: str, name: str) -> Guarded:
    """What the model of a module says that one of its names is; UNSET without a model, and for a name it lacks."""
    file = run.scope.models.module(module) if run.scope.models is not None else None
    if file is None:
        return UNSET
    steps = run.steps
    frame = python.module(run, file, module)
    run.steps = steps
    return frame.variables.get(name, UNSET)
