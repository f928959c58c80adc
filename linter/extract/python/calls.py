"""Python calls -> values: functions of the file and of others, built-in functions, settings, and call sites."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from linter.clients import python as clients
from linter.extract.python.scope import (
    Scope,
)
from linter.extract.python.texts import concat_path, either, formatted, parent
from linter.extract.python.values import FOLLOWED_MAX, Values, camel, self_attribute
from linter.model.expr import (
    Argument,
    Call,
    Entries,
    EnvVar,
    Expr,
    Items,
    Literal,
    LoopVar,
    Member,
    Name,
    New,
    Param,
    This,
    TypeName,
    Unknown,
    Why,
)
from linter.model.facts import (
    CallSite,
)
from linter.model.location import Span

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

_TEXT_METHODS = {
    "strip": "builtin:trim",
    "lower": "builtin:lower",
    "upper": "builtin:upper",
    "replace": "builtin:replace",
    "split": "builtin:split",
}
_PASS_THROUGH = {
    "list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "copy.copy", "copy.deepcopy",
    "contextlib.closing", "typing.cast", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath",
    "pathlib.Path", "pathlib.PurePath", "os.path.expanduser", "types.MappingProxyType",
}  # fmt: skip
_LOADERS = {
    "yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load", "json.load", "json.loads", "toml.load",
    "toml.loads", "tomllib.load", "tomllib.loads", "tomli.load", "tomli.loads", "ruamel.yaml.load",
    "ruamel.yaml.safe_load", "configparser.load", "yaml.CLoader",
}  # fmt: skip


class Calls(Values):
    """Reads calls; the subclass knows what a call of a client library means."""

    def __init__(
        self, positions: Mapping[cst.CSTNode, CodeRange], tracked: frozenset[str], once: frozenset[str]
    ) -> None:
        super().__init__(positions, once)
        self.tracked = tracked
        self.calls: list[CallSite] = []

    def client_call(
        self,
        node: cst.Call,
        target: Expr | None,
        names: Sequence[str],
        args: tuple[Argument, ...],
        scope: Scope,
    ) -> Expr | None:
        """The consumer a call makes or acts on, or None when the call is none of a client library's."""
        raise NotImplementedError

    def arguments(self, nodes: Sequence[cst.Arg], scope: Scope) -> tuple[Argument, ...]:
        """The arguments in order; `*xs` and `**xs` are opened where they are written out, else unknown ones named so."""
        result: list[Argument] = []
        for node in nodes:
            value = self.expr(node.value, scope)
            if node.star == "":
                result.append(Argument(value, node.keyword.value if node.keyword is not None else ""))
                continue
            spread = self.known(value)
            if node.star == "*" and isinstance(spread, Items):
                result += [Argument(item) for item in spread.items]
            elif node.star == "*" and isinstance(spread, LoopVar):
                result += [Argument(_deeper(spread, index), "") for index in range(4)]
            elif (
                node.star == "**"
                and isinstance(spread, Entries)
                and all(isinstance(k, Literal) for k, _ in spread.entries)
            ):
                result += [Argument(v, k.text) for k, v in spread.entries if isinstance(k, Literal)]
            elif node.star == "**" and not isinstance(spread, Param | Unknown):
                result.append(Argument(value, "**"))
            else:
                result.append(Argument(self.opaque(value, node.star), node.star))
        return tuple(result)

    def call(self, node: cst.Call, scope: Scope) -> Expr:
        at = self.span(node)
        func = node.func
        target: Expr | None = None
        if isinstance(func, cst.Attribute):
            target = self.expr(func.value, scope)
            held = self_attribute(func, scope)
            callee: Expr = self.member(target, func.attr.value, self.span(func))
            if held is not None and held[1] in held[0].env:
                callee = held[0].env[held[1]]
            simple = func.attr.value
        else:
            callee = self.expr(func, scope)
            simple = func.value if isinstance(func, cst.Name) else ""
        args = self.arguments(node.args, scope)
        names = self.full_names(callee)
        made = self.client_call(node, target, names, args, scope)
        if made is not None:
            return made
        known = self._library(node, target, simple, names, args, at, scope)
        if known is not None:
            self.note_call(node, simple, known, args, scope)
            return known
        result = self.plain_call(callee, target, simple, args, at, scope)
        self.note_call(node, simple, result, args, scope)
        return result

    def plain_call(
        self,
        callee: Expr,
        target: Expr | None,
        simple: str,
        args: tuple[Argument, ...],
        at: Span,
        scope: Scope,
    ) -> Expr:
        if isinstance(callee, Name):
            first = callee.candidates[0]
            owner, _, member = first.partition("#")
            if not member and first.startswith("~."):
                return New(callee.candidates, args, at)
            if owner == "~" and isinstance(self.known(callee), Name) and self.known(callee) is not callee:
                return self.plain_call(self.known(callee), None, simple, args, at, scope)
            if owner.split(".")[0] in sys.stdlib_module_names or (not member and hasattr(builtins, first)):
                return Unknown(Why.DYNAMIC, f"{first.replace('#', '.')}()", at)
            if camel(first.replace("#", ".").rpartition(".")[2]):
                return New(
                    tuple(
                        c.replace("#", ".") for c in callee.candidates if c.startswith("~") or "#" not in c
                    ),
                    args,
                    at,
                )
            return Call(tuple(c for c in callee.candidates if "#" in c) or callee.candidates, args, at)
        if isinstance(callee, Member) and target is not None:
            return Member(callee.target, callee.name, args, at)
        if isinstance(callee, Unknown):
            return Unknown(callee.why, f"{callee.detail}()", at)
        if isinstance(callee, TypeName):
            return (
                New(callee.candidates, args, at) if callee.candidates else Unknown(Why.DYNAMIC, "cls()", at)
            )
        return Unknown(Why.DYNAMIC, f"{simple}()" if simple else "a call", at)

    def _library(
        self, node: cst.Call, target: Expr | None, simple: str, names: Sequence[str], args: tuple[Argument, ...],
        at: Span, scope: Scope,
    ) -> Expr | None:  # fmt: skip
        """What built-in functions and common libraries return, as far as it is a text, a setting or a collection."""
        given = {argument.name: argument.value for argument in args if argument.name}
        plain = [argument.value for argument in args if not argument.name]
        for name in names:
            if name in ("os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop") and plain:
                return EnvVar(plain[0], plain[1] if len(plain) > 1 else given.get("default"), at)
            if (
                name in ("decouple.config", "starlette.config.Config")
                and plain
                and isinstance(plain[0], Literal)
            ):
                return EnvVar(plain[0], given.get("default"), at)
            if name in ("str", "int", "os.fspath") and len(plain) == 1:
                return Call(("builtin:str",), (Argument(plain[0]),), at)
            if name in _PASS_THROUGH and plain:
                return plain[-1] if name == "typing.cast" else concat_path(plain, at)
            if name == "dict":
                return self._dict_call(plain, args, at)
            if name == "type" and len(plain) == 1:
                if isinstance(plain[0], This):
                    return TypeName((), at)
                if isinstance(plain[0], New):
                    return TypeName(plain[0].candidates, at)
            if name == "getattr" and len(plain) >= 2 and isinstance(plain[1], Literal):
                if self.is_environment(plain[0]):
                    return None
                read = self.member(plain[0], plain[1].text, at)
                return read if len(plain) == 2 else either(read, plain[2], at)
            if name == "os.path.join" and plain:
                return concat_path(plain, at)
            if name == "os.path.dirname" and len(plain) == 1:
                return parent(plain[0], at)
            if name == "open" and plain:
                return Call(("builtin:open",), (Argument(plain[0]),), at)
            if name in ("codecs.open", "io.open") and plain:
                return Call(("builtin:open",), (Argument(plain[0]),), at)
            if name in _LOADERS and plain:
                return Call(("builtin:load_file",), (Argument(self.opened(plain[0])),), at)
            if name in ("configparser.ConfigParser", "configparser.RawConfigParser", "ConfigParser.ConfigParser",
                        "configparser.SafeConfigParser", "configobj.ConfigObj"):  # fmt: skip
                return Call(
                    ("builtin:load_file",),
                    tuple(Argument(value) for value in plain[:1] if name.endswith("ConfigObj")),
                    at,
                )
            if name in ("dotenv.dotenv_values",):
                return Call(
                    ("builtin:load_file",), (Argument(plain[0] if plain else Literal(".env", at)),), at
                )
            if name in ("environ.Env", "environs.Env"):
                return Name(("os.environ",), at, exact=True)
            made = clients.record(name)
            if made is not None:
                return self._record(made, args, at)
        if target is None or not isinstance(node.func, cst.Attribute):
            return self._call_of_object(node, plain, given, at, scope)
        return self._method(node.func, target, simple, plain, given, args, at, scope)

    def _call_of_object(
        self, node: cst.Call, plain: list[Expr], given: dict[str, Expr], at: Span, scope: Scope
    ) -> Expr | None:
        """`env("NAME", default="x")` of django-environ and environs."""
        if plain and isinstance(node.func, cst.Name):
            held = self.lookup(node.func.value, at, scope)
            if self.known(held) != held and self.is_environment(self.known(held)):
                return EnvVar(plain[0], plain[1] if len(plain) > 1 else given.get("default"), at)
        return None

    def _method(
        self, func: cst.Attribute, target: Expr, simple: str, plain: list[Expr], given: dict[str, Expr],
        args: tuple[Argument, ...], at: Span, scope: Scope,
    ) -> Expr | None:  # fmt: skip
        held = self.known(target)
        if simple in _TEXT_METHODS and not given and not isinstance(held, Name | This):
            if (
                isinstance(held, Member)
                and isinstance(held.target, This)
                and simple in ("replace", "split")
                and not plain
            ):
                return None
            return Call((_TEXT_METHODS[simple],), (Argument(target), *args), at)
        if simple == "join" and len(plain) == 1 and not given:
            return Call(("builtin:join",), (Argument(target), Argument(plain[0])), at)
        if simple == "format":
            return (
                formatted(held, args, at)
                if isinstance(held, Literal)
                else Call(("builtin:format",), (Argument(target), *args), at)
            )
        if simple in ("get", "pop", "setdefault") and plain:
            kwargs = (
                isinstance(func.value, cst.Name) and func.value.value == scope.kwargs and bool(scope.kwargs)
            )
            if self.is_environment(held):
                return EnvVar(plain[0], plain[1] if len(plain) > 1 else given.get("default"), at)
            if (
                self._is_loaded(held)
                and len(plain) >= 2
                and (not isinstance(held, Call) or held.candidates == ("builtin:load_file",))
            ):
                section = Call(("builtin:getitem",), (Argument(target), Argument(plain[0])), at)
                if _is_parser(held) or "fallback" in given:
                    fallback = given.get("fallback")
                    return self.item(None, section, plain[1], fallback, at, scope)
            if kwargs or isinstance(held, Entries) or self._is_loaded(held) or (isinstance(held, LoopVar)):
                fallback = plain[1] if len(plain) > 1 else given.get("default", given.get("fallback"))
                return self.item(func.value, target, plain[0], fallback, at, scope)
            return None
        if simple in ("str", "int", "bool", "list", "json", "url") and plain and self.is_environment(held):
            return EnvVar(plain[0], plain[1] if len(plain) > 1 else given.get("default"), at)
        if (
            simple in ("items", "keys", "values")
            and not args
            and (isinstance(held, Entries) or self._is_loaded(held))
        ):
            kind = {"items": "builtin:entries", "keys": "builtin:keys", "values": "builtin:values"}[simple]
            return Call((kind,), (Argument(target),), at)
        if simple in (
            "read",
            "read_text",
            "open",
            "encode",
            "decode",
            "resolve",
            "absolute",
            "as_posix",
            "readlines",
        ) and not isinstance(held, Name | This | Member):
            return target
        if (
            simple in ("read", "read_file", "read_string")
            and isinstance(held, Call)
            and _is_parser(held)
            and plain
        ):
            return None
        if simple == "joinpath" and plain:
            return concat_path([target, *plain], at)
        if simple == "append" and isinstance(held, Items):
            return None
        return None

    def _dict_call(self, plain: list[Expr], args: tuple[Argument, ...], at: Span) -> Expr:
        entries: list[tuple[Expr, Expr]] = []
        for value in plain:
            held = self.known(value)
            if isinstance(held, Entries):
                entries += held.entries
            elif isinstance(held, Items) and all(
                isinstance(i, Items) and len(i.items) == 2 for i in held.items
            ):
                entries += [(i.items[0], i.items[1]) for i in held.items if isinstance(i, Items)]
            else:
                return value if len(args) == 1 else Unknown(Why.UNSUPPORTED, "dict()", at)
        entries += [
            (Literal(argument.name, argument.value.at), argument.value) for argument in args if argument.name
        ]
        return Entries(tuple(entries), at)

    def _is_loaded(self, value: Expr) -> bool:
        """Whether a value comes out of a settings file that the code loads."""
        for _ in range(FOLLOWED_MAX):
            value = self.known(value)
            if not isinstance(value, Call) or value.candidates not in (
                ("builtin:load_file",),
                ("builtin:getitem",),
            ):
                return False
            if value.candidates == ("builtin:load_file",):
                return True
            value = value.args[0].value
        return False

    def opened(self, value: Expr) -> Expr:
        """The path behind an opened file."""
        held = self.known(value)
        for _ in range(FOLLOWED_MAX):
            if not isinstance(held, Call) or held.candidates != ("builtin:open",):
                break
            value = held.args[0].value
            held = self.known(value)
        return value

    def _record(
        self, parameters: tuple[tuple[str, str | None], ...], args: tuple[Argument, ...], at: Span
    ) -> Expr:
        """A client library's value object as a map of its parameters, defaults filled in."""
        values: dict[str, Expr] = {
            name: Literal(default, at) for name, default in parameters if default is not None
        }
        names = [name for name, _ in parameters]
        for index, argument in enumerate(args):
            if argument.name:
                values[argument.name] = argument.value
            elif index < len(names):
                values[names[index]] = argument.value
        return Entries(
            tuple((Literal(name, at), value) for name, value in values.items() if name not in ("*", "**")), at
        )

    # -- call sites ------------------------------------------------------------------------------------------

    def note_call(
        self, node: cst.Call, callee: str, result: Expr, args: tuple[Argument, ...], scope: Scope
    ) -> None:
        if not self.tracked:
            return
        self._note_indirect(node, args, scope)
        final = ""
        candidates: tuple[str, ...] = ()
        receiver: Expr | None = None
        match result:
            case New(candidates=names):
                final = names[0].rpartition(".")[2]
                candidates = tuple(f"{name}#<init>" for name in names)
                if final not in self.tracked and callee in self.tracked:
                    final = callee
            case Call(candidates=names):
                final = names[0].rpartition("#")[2].rpartition(".")[2]
                candidates = names
                if final not in self.tracked and callee in self.tracked:
                    final = callee
            case Member(target=target, name=name):
                final = name
                receiver = target
                if isinstance(target, This) and scope.type:
                    candidates = (f"{scope.type}#{name}",)
            case _:
                final = callee
        if final not in self.tracked:
            return
        at = self.span(node.func.attr if isinstance(node.func, cst.Attribute) else node.func)
        self.calls.append(CallSite(final, candidates, receiver, args, at, scope.symbol, scope.type))

    def _note_indirect(self, node: cst.Call, args: tuple[Argument, ...], scope: Scope) -> None:
        """`Thread(target=f, args=(…))`, `submit(f, …)`, `partial(f, …)`: calls of `f` with those arguments."""
        given = {argument.name: argument.value for argument in args if argument.name}
        plain = [argument.value for argument in args if not argument.name]
        target = given.get("target")
        passed: list[Argument] = []
        if target is not None:
            rows = given.get("args")
            if isinstance(rows, Items):
                passed = [Argument(item) for item in rows.items]
            named = given.get("kwargs")
            if isinstance(named, Entries):
                passed += [
                    Argument(value, key.text) for key, value in named.entries if isinstance(key, Literal)
                ]
        else:
            name = (
                node.func.attr.value
                if isinstance(node.func, cst.Attribute)
                else node.func.value
                if isinstance(node.func, cst.Name)
                else ""
            )
            if name not in (
                "submit",
                "partial",
                "to_thread",
                "run_in_executor",
                "apply_async",
                "spawn",
                "add_job",
            ):
                return
            skip = 1 if name == "run_in_executor" else 0
            if len(plain) <= skip:
                return
            target, passed = plain[skip], [Argument(value) for value in plain[skip + 1 :]]
            passed += [argument for argument in args if argument.name]
        at = target.at
        if isinstance(target, Name):
            simple = target.candidates[0].replace("#", ".").rpartition(".")[2]
            if simple in self.tracked:
                self.calls.append(
                    CallSite(simple, target.candidates, None, tuple(passed), at, scope.symbol, scope.type)
                )
        elif isinstance(target, Member) and target.args is None and target.name in self.tracked:
            own = (f"{scope.type}#{target.name}",) if isinstance(target.target, This) and scope.type else ()
            self.calls.append(
                CallSite(target.name, own, target.target, tuple(passed), at, scope.symbol, scope.type)
            )


def _deeper(value: LoopVar, index: int) -> Expr:
    return LoopVar(value.loop, value.source, (*value.path, index), value.at)


def _is_parser(value: Expr) -> bool:
    """Whether a value is a `ConfigParser`: nothing read yet, or marked by a second argument."""
    return isinstance(value, Call) and value.candidates == ("builtin:load_file",) and len(value.args) != 1
