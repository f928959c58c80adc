"""`argparse`, `click` and `typer`: options of the command line have their defaults, unless the command line says otherwise.

An option with a text as default is a key that nobody configures, named as it is written (`--group`), so that its
default is of medium confidence and the row says where it comes from; a flag is a test of such a key. What has no
default, and every positional argument, is known to nobody. Arguments that the program gives itself are parsed.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from subdrift.linter.model.message import phrase
from subdrift.linter.resolve.execute.guards import UNSET, apply, choose, leaves, pick
from subdrift.linter.resolve.execute.protocol import Arguments, Test
from subdrift.linter.resolve.execute.values import (
    Function,
    Guarded,
    Key,
    Object,
    Step,
    Text,
    TypeValue,
    Unknown,
    text,
)
from subdrift.linter.resolve.semantics.python.concrete import NotKnown, abstract, concrete, steps_of
from subdrift.linter.resolve.semantics.python.natives import METHODS, Call, native
from subdrift.linter.resolve.semantics.python.own_actions import Ended, Held, action_of, made_of_words
from subdrift.linter.resolve.semantics.python.types import any_instance

if TYPE_CHECKING:
    from subdrift.linter.resolve.semantics.python.quiet import Quiet

_PARSER: Final = "argparse.ArgumentParser"
_GROUP: Final = "argparse._ArgumentGroup"
_COMMANDS: Final = "argparse._SubParsersAction"
_OPTIONS: Final = "<options>"
_OF: Final = "<parser>"
_TYPES: Final = {"builtins.int": int, "builtins.str": str, "builtins.float": float}
_SHOWN: Final = frozenset({"help", "metavar"})
_OPEN: Final = frozenset({"argument_default", "fromfile_prefix_chars", "prefix_chars"})
"""Arguments of a parser that bring in options or defaults which are not followed."""


class Option(Struct):
    """One option or positional argument: the field it fills, how it is written, and how it is declared."""

    dest: str
    names: tuple[str, ...]
    keywords: dict[str, Guarded]
    guard: Guarded
    group: Object | None = None  # of options that exclude one another

    @property
    def written(self) -> str:
        """Its longest name."""
        return next((name for name in self.names if name.startswith("--")), self.names[0])

    @property
    def positional(self) -> bool:
        return not self.written.startswith("-")


def default_of(call: Call, option: Option) -> Guarded:
    """What an option is where the command line does not name it."""
    given = option.keywords
    unknown = call.unknown(
        phrase("option-of-command-line", option.written), symbol=("option", option.written, option.dest)
    )
    action = given.get("action", text("store"))
    action = action.known if isinstance(action, Text) else ""
    if action in ("store_true", "store_false"):
        return _flag(call, option, bool(given.get("default", action == "store_false")))
    if given.get("required", False) is not False:
        return unknown
    if option.positional and _known(given.get("nargs")) not in ("?", "*"):
        return unknown
    if "default" not in given:
        return unknown
    return apply(lambda leaf: _configured(call, option, leaf), given["default"])


def _known(value: Guarded) -> str | None:
    return value.known if isinstance(value, Text) else None


def _configured(call: Call, option: Option, default: Any) -> Guarded:
    """The default of an option as something that the command line may overrule."""
    kind = option.keywords.get("type")
    if isinstance(default, bool):
        return _flag(call, option, default)
    if isinstance(default, Text):
        if (isinstance(kind, TypeValue) and kind.name != "builtins.str") or isinstance(kind, Function):
            return call.apply(kind, default)
        return _overruled(call, option, default)
    return default


def _overruled(call: Call, option: Option, default: Text) -> Text:
    """A text with the option as a key: a default already configured elsewhere (`os.environ`) keeps its own key."""
    if default.known is None:
        return default
    steps = default.steps
    if call.at is not None:
        steps = (Step(call.at, phrase("option-of-command-line", option.written)), *steps)
    inner = Text(default.parts, default.steps)  # the command line supplies it, no call of the program
    return Text((Key(text(option.written), inner, "env"),), steps)


def _flag(call: Call, option: Option, default: bool) -> Test:
    """A switch, as the test whether its option is set."""
    return Test("equal", (_overruled(call, option, text(str(default))), text("True")))


def _option(call: Call, guard: Guarded) -> Option | None:
    """The option that a call of `add_argument` declares; None where its names are not known."""
    names = tuple(value.known for value in call.values if isinstance(value, Text) and value.known)
    if not names or len(names) != len(call.values) or call.arguments.open is not None:
        return None
    keywords = {name: value for name, value in call.arguments.names.items() if name not in _SHOWN}
    made = Option("", names, keywords, guard)
    dest = keywords.get("dest", text(made.written.lstrip("-").replace("-", "_")))
    if not isinstance(dest, Text) or not dest.known:
        return None
    made.dest = dest.known
    return made


# -- argparse -------------------------------------------------------------------------------------------------------


@native(_PARSER)
def _parser(call: Call) -> Guarded:
    made = _inheriting(call)
    if call.values[4:] or _OPEN.intersection(call.arguments.names) or call.arguments.open is not None:
        made.open = call.unknown(phrase("command-line"))
    return made


def _inheriting(call: Call) -> Object:
    """A parser with the options of its parents."""
    made = call.make(_PARSER, **{_OPTIONS: ()})
    parents = call.items(call.arguments.names.get("parents", ()))
    for guard, each in parents or ():
        if guard is not True or not isinstance(each, Object) or _OPTIONS not in each.fields or each.open:
            parents = None
            break
        made.fields[_OPTIONS] += tuple(one for one in each.fields[_OPTIONS] if not isinstance(one, Object))
    if parents is None:
        made.open = call.unknown(phrase("command-line"))
    return made


def _parser_of(leaf: Object) -> Object:
    """The parser of a group of options; of a parser itself."""
    found = leaf.fields.get(_OF, leaf)
    assert isinstance(found, Object)
    return found


def _declare(leaf: Object, one: Any) -> None:
    held = _parser_of(leaf)
    held.fields[_OPTIONS] = (*held.fields[_OPTIONS], one)


def _add_argument(call: Call, leaf: Object) -> Guarded:
    option = _option(call, call.run.guard)
    made = call.make("argparse.Action")
    made.open = call.unknown("add_argument()")
    if option is None:
        held = _parser_of(leaf)
        held.open = held.open or call.unknown(phrase("command-line"))
        return made.open
    option.group = leaf if "required" in leaf.fields else None
    _declare(leaf, option)
    made.fields["dest"] = text(option.dest)
    return made


def _set_defaults(call: Call, leaf: Object) -> Guarded:
    _declare(leaf, dict(call.arguments.names))
    return None


def _group(call: Call, leaf: Object) -> Guarded:
    return call.make(_GROUP, **{_OF: _parser_of(leaf)})


def _exclusive(call: Call, leaf: Object) -> Guarded:
    return call.make(
        _GROUP, **{_OF: _parser_of(leaf), "required": call.arguments.names.get("required", False)}
    )


def _add_subparsers(call: Call, leaf: Object) -> Guarded:
    made = call.make(_COMMANDS, **{_OPTIONS: ()})
    made.fields["dest"] = call.arguments.names.get("dest")
    made.fields["required"] = call.arguments.names.get("required", False)
    _declare(leaf, made)
    return made


def _add_parser(call: Call, leaf: Object) -> Guarded:
    made = _inheriting(call)
    if call.run.guard is not True:
        made.open = call.unknown(phrase("command-line"))
    names = (call.get(0, "name"), call.arguments.names.get("aliases", ()))
    leaf.fields[_OPTIONS] = (*leaf.fields[_OPTIONS], (names, made))
    return made


def _parse_args(call: Call, leaf: Object) -> Guarded:
    return _parsed(call, leaf)[0]


def _parsed(call: Call, leaf: Object, *, strict: bool = True) -> tuple[Guarded, Guarded]:
    """What a parser makes of words, and those that it does not know; `strict`: it refuses them."""
    space, rest = call.get(1, "namespace", None), call.unknown(phrase("command-line"))
    if space is not None:
        return _into(call, leaf, space, strict=strict), rest
    given = call.get(0, "args")
    if given is UNSET or given is None or isinstance(given, Unknown | TypeValue):
        return _namespace(call, leaf), rest
    from subdrift.linter.resolve.semantics.python.quiet import (
        Quiet,
        RefusedError,
    )  # argparse takes long to load

    try:
        parser = Quiet()
        _fill(call, parser, leaf)
        words = concrete(given)
        if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
            raise NotKnown
        known, more = parser.parse_known_args(list(words))
        if more and strict:
            raise RefusedError
    except Ended:
        return UNSET, rest
    except RefusedError as refused:
        if leaf.declared is None:
            return call.throw("SystemExit", refused.status), rest
        said = Arguments([call.unknown(phrase("command-line"))])  # its class may say what an error does
        return call.python.method(call.run, leaf, "error", said, call.frame, call.at), rest
    except (NotKnown, TypeError, ValueError):
        unknown = call.unknown(phrase("command-line"), symbol=("command line", leaf.number))
        call.run.hand_over(_defaults_of(leaf), unknown)
        return unknown, rest
    steps = steps_of(*(item for _, item in given.items or ())) if isinstance(given, Object) else ()
    values = {name: made_of_words(call, value, steps) for name, value in vars(known).items()}
    return call.make("types.SimpleNamespace", **values), abstract(call.run, more, call.at, steps)


def _into(call: Call, leaf: Object, space: Guarded, *, strict: bool) -> Guarded:
    """What a parser puts into an object that it is given, where that does not have it: what comes to stand there is told of
    an empty one alone."""
    rest = Arguments(call.values[:1], {k: v for k, v in call.arguments.names.items() if k != "namespace"})
    made = _parsed(Call(call.python, call.run, rest, call.frame, call.at), leaf, strict=strict)[0]
    if call.run.guard is False:
        return UNSET
    found = made.fields if isinstance(made, Object) else {}
    for _, one in leaves(space, call.run.guard):
        if isinstance(one, Object):
            reason = call.unknown(phrase("command-line"))
            for name, value in found.items():
                one.fields[name] = value if one.fields.get(name, UNSET) is UNSET else reason
            one.open = one.open or (reason if not isinstance(made, Object) else made.open)
    return space


def _namespace(call: Call, leaf: Object) -> Object:
    """What a parser makes of the command line of the process."""
    made = call.make("types.SimpleNamespace")
    made.open = call.unknown(phrase("command-line"))
    _defaults(call, leaf, made)
    return made


def _defaults(call: Call, leaf: Object, made: Object) -> None:
    for one in leaf.fields[_OPTIONS]:
        if isinstance(one, dict):
            made.fields.update(one)
        elif isinstance(one, Option):
            value = default_of(call, one)
            known = made.fields.get(one.dest, UNSET)
            made.fields[one.dest] = value if known is UNSET or "default" in one.keywords else known
        else:
            _commanded(call, one, made)


def _commanded(call: Call, commands: Object, made: Object) -> None:
    """What one of several commands says, nobody knows which; or none, where that is allowed."""
    spaces: list[dict[Any, Guarded]] = []
    dest = commands.fields["dest"]
    for names, command in commands.fields[_OPTIONS]:
        inner = call.make("types.SimpleNamespace")
        if isinstance(dest, Text) and dest.known:
            inner.fields[dest.known] = names[0]
        _defaults(call, command, inner)
        spaces.append(inner.fields)
    every = dict.fromkeys(name for space in spaces for name in space)
    unknown = call.unknown(phrase("command-line"), symbol=("command", commands.number))
    if commands.fields["required"] is not True:
        spaces.append({dest.known: None} if isinstance(dest, Text) and dest.known else {})
    number = call.run.decide(("command", commands.number), len(spaces), "condition", call.at) if spaces else 0
    for name in every:
        before = made.fields.get(name, unknown)
        value: Guarded = UNSET
        for index, space in enumerate(spaces):
            found = space.get(name, before)
            value = found if value is UNSET else pick(choose(number, len(spaces), index), found, value)
        made.fields[name] = value


def _parse_known(call: Call, leaf: Object) -> Guarded:
    return _parsed(call, leaf, strict=False)


def _defaults_of(leaf: Object) -> list[Guarded]:
    """What `set_defaults` of a parser and of its commands hold: code that reads them may call it."""
    found: list[Guarded] = []
    for one in leaf.fields[_OPTIONS]:
        if isinstance(one, dict):
            found += one.values()
        elif isinstance(one, Object):
            found += [value for _, command in one.fields[_OPTIONS] for value in _defaults_of(command)]
    return found


def _fill(call: Call, parser: Quiet, leaf: Object) -> None:
    """A real parser of what a parser of the program was told. Raises `NotKnown`."""
    if leaf.open is not None:
        raise NotKnown
    groups: dict[int, Any] = {}
    for one in leaf.fields[_OPTIONS]:
        if isinstance(one, dict):
            parser.set_defaults(**{name: Held(value) for name, value in one.items()})
        elif isinstance(one, Option):
            if one.guard is not True:
                raise NotKnown
            taking: Any = parser
            if one.group is not None:
                required = concrete(one.group.fields["required"]) is True
                taking = groups.get(one.group.number) or parser.add_mutually_exclusive_group(
                    required=required
                )
                groups[one.group.number] = taking
            taking.add_argument(
                *one.names, **{name: _keyword(call, leaf, one, name) for name in one.keywords}
            )
        else:
            keywords = {k: concrete(one.fields[k]) for k in ("dest", "required") if one.fields[k] is not None}
            action = parser.add_subparsers(parser_class=type(parser), **keywords)
            for names, command in one.fields[_OPTIONS]:
                name, aliases = map(concrete, names)
                _fill(call, action.add_parser(name, aliases=aliases), command)


def _keyword(call: Call, leaf: Object, option: Option, name: str) -> Any:
    value = option.keywords[name]
    if name == "type":
        if isinstance(value, TypeValue) and value.name in _TYPES:
            return _TYPES[value.name]
        return partial(_converted, call, value)
    if name == "choices":
        items = call.items(value)
        if items is None or any(guard is not True for guard, _ in items):
            raise NotKnown
        return [_choice(each) for _, each in items]
    if name == "action" and isinstance(value, TypeValue) and value.declared is not None:
        return action_of(call, leaf, value.declared)
    if name == "action" and isinstance(value, TypeValue) and value.simple == "BooleanOptionalAction":
        from argparse import BooleanOptionalAction

        return BooleanOptionalAction
    try:
        return concrete(value)
    except NotKnown:
        made = isinstance(value, Object)  # only of texts a value of the type is made
        if name != "const" and (name != "default" or ("type" in option.keywords and not made)):
            raise
        return Held(value)


def _choice(value: Guarded) -> Any:
    try:
        return concrete(value)
    except NotKnown:
        return Held(value)


def _converted(call: Call, function: Guarded, word: str) -> Held:
    """What a function of the program makes of a word: one that refuses it ends the program as the parser does."""
    run = call.run
    before, raised = run.guard, list(run.raised)
    found = call.apply(function, text(word))
    if run.guard is not False:
        if run.guard != before:
            raise NotKnown
        return Held(found)
    refuses = [call.python.of_library(run, *name) for name in _REFUSES]
    if any(any_instance(run, one, refuses) is not True for _, one in run.raised[len(raised) :]):
        raise Ended
    run.guard, run.raised = before, raised
    raise ValueError(word)


_REFUSES: Final = (("builtins", "ValueError"), ("builtins", "TypeError"), ("argparse", "ArgumentTypeError"))


METHODS[f"{_PARSER}.add_argument"] = METHODS[f"{_GROUP}.add_argument"] = _add_argument
METHODS[f"{_PARSER}.parse_args"] = METHODS[f"{_PARSER}.parse_intermixed_args"] = _parse_args
METHODS[f"{_PARSER}.parse_known_args"] = _parse_known
METHODS[f"{_PARSER}.set_defaults"] = _set_defaults
METHODS[f"{_PARSER}.add_subparsers"] = _add_subparsers
METHODS[f"{_COMMANDS}.add_parser"] = _add_parser
for _kind in (_PARSER, _GROUP):
    METHODS[f"{_kind}.add_argument_group"] = _group
    METHODS[f"{_kind}.add_mutually_exclusive_group"] = _exclusive
for _name in ("print_help", "print_usage"):
    METHODS[f"{_PARSER}.{_name}"] = lambda call, leaf: None
METHODS[f"{_PARSER}.error"] = lambda call, leaf: call.throw("SystemExit", 2)
METHODS[f"{_PARSER}.exit"] = lambda call, leaf: call.throw("SystemExit", call.get(0, "status", 0))


@native("_native.option_of")
def _option_of(call: Call) -> Guarded:
    """`option_of(names, dest, settings)`: what an option is where the command line does not name it."""
    names, dest, settings = call.values
    keywords = {e.key.known: e.value for e in settings.entries or ()} if isinstance(settings, Object) else {}
    written = (
        [each.known or "" for each in names if isinstance(each, Text)] if isinstance(names, tuple) else []
    )
    known = dest.known if isinstance(dest, Text) else None
    if not written or not known or None in keywords:
        return call.unknown(phrase("command-line"))
    return default_of(call, Option(known, tuple(written), keywords, True))
