"""Library modules that are told as programs (`resolve/models/python`): found behind the program's own, one name at a time.

A model need not have all of its module: a name it lacks is what a peer or nobody knows of it. What only the interpreter
can do, a model imports from the module `_native`, which no program has.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from subdrift.linter.model.location import Origin
from subdrift.linter.resolve.execute.declarations import Class, File
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.protocol import Unmodelled
from subdrift.linter.resolve.execute.values import Frame, Guarded, Object, Text, TypeValue

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.language import Python


def is_model(run: Interpreter, origin: Origin) -> bool:
    """Whether a file is a model: nothing in it means a file of the program."""
    return not origin.repo and origin.path.startswith("models/") and run.scope.program.file(origin) is None


def _file(run: Interpreter, module: str) -> File | None:
    file = run.scope.models.module(module) if run.scope.models is not None else None
    return None if file is None or file.origin in run.scope.unmodelled else file


def _is_given_up(run: Interpreter, module: str) -> bool:
    """Whether a module has a model, of which nobody knows what it does."""
    file = run.scope.models.module(module) if run.scope.models is not None and module else None
    return file is not None and file.origin in run.scope.unmodelled


def has_module(run: Interpreter, name: str) -> bool:
    return _file(run, name) is not None


def demand(run: Interpreter, leaf: Any, frame: Frame | None) -> None:
    """A call that nobody can see into, in a frame, on something: where that is code of a model, and it knows on what, nobody
    knows what the model does.

    Raises `Unmodelled`.
    """
    owner = frame.owner if frame is not None else None
    if owner is None or not owner.file.model:
        return
    if isinstance(leaf, Object):
        plain = leaf.items is not None or leaf.entries is not None
        own = plain if leaf.declared is None else leaf.declared.file.model
    elif isinstance(leaf, TypeValue):  # others the program may have handed in
        root, _, name = leaf.name.partition(".")
        own = root == "_native" or (root == "builtins" and hasattr(builtins, name.partition(".")[0]))
        own = own or _is_given_up(run, leaf.name.rpartition(".")[0])
    else:
        own = isinstance(leaf, Text | tuple)
    if own:
        raise Unmodelled(owner.origin)


def stand_on(run: Interpreter, base: Guarded, owner: Class) -> None:
    """A class below another one: that of a model below one of a module of which nobody knows what it does is not known either.

    Raises `Unmodelled`.
    """
    unseen = isinstance(base, TypeValue) and base.declared is None
    if owner.file.model and unseen and _is_given_up(run, base.name.rpartition(".")[0]):
        raise Unmodelled(owner.origin)


def member(python: Python, run: Interpreter, module: str, name: str) -> Guarded:
    """What the model of a module says that one of its names is; UNSET without a model, and for a name it lacks."""
    file = _file(run, module)
    if file is None:
        return UNSET
    steps = run.steps
    frame = python.module(run, file, module)
    run.steps = steps
    return frame.variables.get(name, UNSET)
