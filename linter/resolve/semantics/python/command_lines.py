"""`argparse`: what a parser makes of arguments that the program gives itself. What stands on the command line of the
process is known to nobody, whatever the defaults.
"""

from __future__ import annotations

import argparse
from typing import Any, Final, NoReturn

from linter.model.message import phrase
from linter.resolve.execute.guards import UNSET
from linter.resolve.execute.values import Guarded, Object, TypeValue
from linter.resolve.semantics.python.concrete import NotKnown, abstract, concrete, steps_of
from linter.resolve.semantics.python.natives import Call, native
from linter.resolve.semantics.python.standard import METHODS

_PARSER: Final = "argparse.ArgumentParser"
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


def _add_argument(call: Call, leaf: Object) -> Guarded:
    before = leaf.fields.get(_OPTIONS)
    options: tuple[Any, ...] | None = before if isinstance(before, tuple) and call.run.guard is True else None
    added = (tuple(call.values), dict(call.arguments.names))
    leaf.fields[_OPTIONS] = None if options is None else (*options, added)
    return call.unknown("add_argument()")


def _something_else(call: Call, leaf: Object) -> Guarded:
    """Groups, subcommands, defaults set apart: not modelled."""
    leaf.fields[_OPTIONS] = None
    return call.unknown(phrase("command-line"))


def _parse_args(call: Call, leaf: Object) -> Guarded:
    given, options = call.get(0, "args"), leaf.fields.get(_OPTIONS)
    unknown = call.unknown(phrase("command-line"), symbol=("command line", leaf.number))
    if given is UNSET or given is None or not isinstance(options, tuple):
        return unknown
    try:
        parser = _Quiet()
        given_options: tuple[Any, ...] = options
        for names, keywords in given_options:
            parser.add_argument(
                *map(concrete, names), **{k: _keyword(k, v) for k, v in keywords.items() if k not in _SHOWN}
            )
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
        **{name: abstract(call.run, value, call.at, steps) for name, value in found.items()},
    )


def _keyword(name: str, value: Guarded) -> Any:
    if name == "type":
        if not isinstance(value, TypeValue) or value.name not in _TYPES:
            raise NotKnown
        return _TYPES[value.name]
    return concrete(value)


METHODS[_PARSER, "add_argument"] = _add_argument
METHODS[_PARSER, "parse_args"] = _parse_args
for _name in (
    "parse_known_args",
    "add_argument_group",
    "add_mutually_exclusive_group",
    "add_subparsers",
    "set_defaults",
):
    METHODS[_PARSER, _name] = _something_else
