"""`argparse` options whose action is a class of the program."""

from __future__ import annotations

import argparse
from typing import Any

from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Function, Object, text
from subdrift.linter.resolve.semantics.python import classes
from subdrift.linter.resolve.semantics.python.command_lines import Ended, Held, made_of_words
from subdrift.linter.resolve.semantics.python.concrete import NotKnown
from subdrift.linter.resolve.semantics.python.natives import Call


def action_of(call: Call, parser: Object, declared: Class) -> type[argparse.Action]:
    """An action that calls the one of the program. Raises `NotKnown` for one that says how it is made."""
    if not isinstance(classes.info_of(call.run, declared), classes.ClassInfo) or _makes_itself(
        call, declared
    ):
        raise NotKnown

    class Own(argparse.Action):
        def __call__(
            self,
            _: argparse.ArgumentParser,
            namespace: argparse.Namespace,
            values: Any,
            option: str | None = None,
        ) -> None:
            _act(call, parser, declared, self, namespace, values, option)

    return Own


def _makes_itself(call: Call, declared: Class) -> bool:
    return any(
        isinstance(classes.class_attribute(call.run, declared, name), Function)
        for name in ("__init__", "__new__")
    )


def _act(
    call: Call,
    parser: Object,
    declared: Class,
    action: argparse.Action,
    namespace: argparse.Namespace,
    values: Any,
    option: str | None,
) -> None:
    run = call.run
    made = call.python.raw(run, declared, call.at)
    made.fields["dest"] = text(action.dest)
    for name in ("const", "default", "nargs"):
        made.fields[name] = made_of_words(call, getattr(action, name), ())
    held = {name: made_of_words(call, value, ()) for name, value in vars(namespace).items()}
    space = call.make("types.SimpleNamespace", **held)
    given = [parser, space, made_of_words(call, values, ()), None if option is None else text(option)]
    before = run.guard
    call.python.method(run, made, "__call__", Arguments(given), call.frame, call.at)
    if run.guard is False:
        raise Ended
    if run.guard != before or space.open is not None:
        raise NotKnown
    for name, value in space.fields.items():
        setattr(namespace, name, Held(value))
