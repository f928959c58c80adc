"""`argparse`: what a parser makes of arguments that the program gives itself. What stands on the command line of the
process is known to nobody, whatever the defaults.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, Final, NoReturn

from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Arguments
from subdrift.linter.resolve.execute.values import Guarded, Object, Text, TypeValue
from subdrift.linter.resolve.semantics.python.concrete import NotKnown, abstract, concrete, steps_of
from subdrift.linter.resolve.semantics.python.natives import Call, native
from subdrift.linter.resolve.semantics.python.standard import METHODS

_PARSER: Final = "argparse.ArgumentParser"
_COMMANDS: Final = "argparse._SubParsersAction"
_OPTIONS: Final = "<options>"
_TYPES: Final = {"builtins.int": int, "builtins.str": str, "builtins.float": float}
_SHOWN: Final = frozenset({"help", "metavar"})


class _Refused(Exception):
    """The arguments are not what the parser takes, or ask for its help."""


class _Quiet(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise _Refused

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise _Refused

    def _print_message(self, message: str, file: Any = None) -> None:
        """Nothing is printed."""


@native(_PARSER)
def _parser(call: Call) -> Guarded:
    made = call.make(_PARSER)
    made.fields[_OPTIONS] = (
        None if call.values or set(call.arguments.names) - {"description", "prog", "epilog"} else ()
    )
    return made


class _Held:
    """A value that argparse only hands on."""

    def __init__(self, value: Guarded) -> None:
        self.value = value


Step = Callable[[argparse.ArgumentParser], object]
"""What is done to a parser, done to a real one. Raises `NotKnown` where that hangs on what nobody knows."""


def _then(call: Call, leaf: Object, step: Step) -> None:
    before = leaf.fields.get(_OPTIONS)
    steps: tuple[Step, ...] | None = before if isinstance(before, tuple) and call.run.guard is True else None
    leaf.fields[_OPTIONS] = None if steps is None else (*steps, step)


def _add_argument(call: Call, leaf: Object) -> Guarded:
    names, keywords = tuple(call.values), dict(call.arguments.names)
    _then(
        call,
        leaf,
        lambda parser: parser.add_argument(
            *map(concrete, names), **{k: _keyword(k, v) for k, v in keywords.items() if k not in _SHOWN}
        ),
    )
    return call.unknown("add_argument()")


def _set_defaults(call: Call, leaf: Object) -> Guarded:
    held = {name: _Held(value) for name, value in call.arguments.names.items()}
    _then(call, leaf, lambda parser: parser.set_defaults(**held))
    return None


def _add_subparsers(call: Call, leaf: Object) -> Guarded:
    made = call.make(_COMMANDS)
    made.fields[_OPTIONS] = ()
    keywords = {k: v for k, v in call.arguments.names.items() if k in ("dest", "required")}

    def step(parser: argparse.ArgumentParser) -> object:
        action = parser.add_subparsers(parser_class=_Quiet, **{k: concrete(v) for k, v in keywords.items()})
        for name, command in made.fields[_OPTIONS]:
            if not isinstance(name, Text) or name.known is None:
                raise NotKnown
            _fill(action.add_parser(name.known), command)
        return action

    _then(call, leaf, step)
    return made


def _add_parser(call: Call, leaf: Object) -> Guarded:
    made = _parser(Call(call.python, call.run, Arguments([]), call.frame, call.at))
    assert isinstance(made, Object)
    if call.run.guard is not True or "aliases" in call.arguments.names or "parents" in call.arguments.names:
        made.fields[_OPTIONS] = None
    leaf.fields[_OPTIONS] = (*leaf.fields[_OPTIONS], (call.get(0, "name"), made))
    return made


def _fill(parser: argparse.ArgumentParser, leaf: Object) -> None:
    steps = leaf.fields.get(_OPTIONS)
    if not isinstance(steps, tuple):
        raise NotKnown
    for step in steps:
        step(parser)


def _something_else(call: Call, leaf: Object) -> Guarded:
    """Groups: not modelled."""
    leaf.fields[_OPTIONS] = None
    return call.unknown(phrase("command-line"))


def _parse_args(call: Call, leaf: Object) -> Guarded:
    given = call.get(0, "args")
    unknown = call.unknown(phrase("command-line"), symbol=("command line", leaf.number))
    if given is UNSET or given is None:
        return unknown
    try:
        parser = _Quiet()
        _fill(parser, leaf)
        words = concrete(given)
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
            return unknown
        found = vars(parser.parse_args(list(words)))
    except _Refused:
        return call.throw("SystemExit")
    except (NotKnown, TypeError, ValueError, argparse.ArgumentError):
        return unknown
    steps = steps_of(*(item for _, item in given.items or ())) if isinstance(given, Object) else ()
    return call.make(
        "types.SimpleNamespace",
        **{
            name: value.value if isinstance(value, _Held) else abstract(call.run, value, call.at, steps)
            for name, value in found.items()
        },
    )


def _keyword(name: str, value: Guarded) -> Any:
    if name == "type":
        if not isinstance(value, TypeValue) or value.name not in _TYPES:
            raise NotKnown
        return _TYPES[value.name]
    return concrete(value)


METHODS[_PARSER, "add_argument"] = _add_argument
METHODS[_PARSER, "parse_args"] = _parse_args
METHODS[_PARSER, "set_defaults"] = _set_defaults
METHODS[_PARSER, "add_subparsers"] = _add_subparsers
METHODS[_COMMANDS, "add_parser"] = _add_parser
for _name in (
    "parse_known_args",
    "add_argument_group",
    "add_mutually_exclusive_group",
):
    METHODS[_PARSER, _name] = _something_else
