"""What `argparse` makes of words, and options whose action is a class of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.guards import apply
from subdrift.linter.resolve.execute.protocol import Arguments
from subdrift.linter.resolve.execute.values import Function, Guarded, Object, Step, text
from subdrift.linter.resolve.semantics.python import classes
from subdrift.linter.resolve.semantics.python.concrete import NotKnown, abstract, sequence
from subdrift.linter.resolve.semantics.python.equality import equal
from subdrift.linter.resolve.semantics.python.natives import Call

if TYPE_CHECKING:
    import argparse


class Held:
    """A value that argparse only hands on."""

    def __init__(self, value: Guarded) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        """Whether it is one of the choices. Raises `NotKnown`."""
        its = other.value if isinstance(other, Held) else text(other) if isinstance(other, str) else other
        found = apply(equal, self.value, its)
        if not isinstance(found, bool):
            raise NotKnown
        return found

    __hash__ = None  # type: ignore[assignment]


class Ended(Exception):
    """Code of the program that argparse calls has thrown."""


def made_of_words(call: Call, value: Any, steps: tuple[Step, ...]) -> Guarded:
    """What argparse has made of words."""
    if isinstance(value, Held):
        return value.value
    if isinstance(value, list):
        return sequence(call.run, "list", [made_of_words(call, each, steps) for each in value], call.at)
    return abstract(call.run, value, call.at, steps)


def action_of(call: Call, parser: Object, declared: Class) -> type[argparse.Action]:
    """An action that calls the one of the program. Raises `NotKnown` for one that says how it is made."""
    if not isinstance(classes.info_of(call.run, declared), classes.ClassInfo) or _makes_itself(
        call, declared
    ):
        raise NotKnown

    import argparse  # takes long to load

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
