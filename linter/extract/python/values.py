"""Python expressions -> symbolic values, with imports applied and local names replaced by what they hold.

One call of `Values.expr` visits every node below, so consumers made anywhere in an expression are met exactly
where they stand. What Python computes beyond names, texts and collections is unknown with a reason.
"""

from __future__ import annotations

import ast
import builtins
import string
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from linter.extract.python import clients
from linter.extract.python.scope import (
    EXPRESSION_SIZE_MAX,
    SUBSTITUTED_MAX,
    ClassInfo,
    Scope,
    is_none,
    one_of,
    size,
)
from linter.model.expr import (
    Argument,
    Call,
    Concat,
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
from linter.model.facts import Field, Problem
from linter.model.location import Span

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

UNROLLED_MAX = 50
"""Elements of a written-out list that a comprehension is computed for one by one."""

FOLLOWED_MAX = 16
"""Names of this file followed to find out what kind of object a value is."""

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
_ENVIRONMENT = {"os.environ", "environ.Env"}
_DJANGO = ("django.conf.settings", "settings", "settings.base", "settings.common", "settings.prod")
_FILE = "builtin:file"  # the path of the file itself, as a call without arguments


def camel(name: str) -> bool:
    """Whether a name looks like a class by PEP 8: a capital first, and not a constant."""
    bare = name.lstrip("_")
    return bare[:1].isupper() and not bare.isupper() and (len(bare) == 1 or any(c.islower() for c in bare))


class Values:
    """Reads expressions; the subclass knows statements, and what a call of a client library means."""

    def __init__(
        self, positions: Mapping[cst.CSTNode, CodeRange], tracked: frozenset[str], once: frozenset[str]
    ) -> None:
        self.positions = positions
        self.tracked = tracked
        self.once = once  # module variables with a single plain assignment
        self.imports: dict[str, tuple[str, str]] = {}  # local name -> (module, name in it or "")
        self.stars: list[str] = []
        self.module = Scope("~", "", None, is_module=True)
        self.module_values: dict[str, list[Expr]] = {}
        self.classes: dict[str, ClassInfo] = {}
        self.problems: list[Problem] = []
        self.substituted = 0
        self._readers: dict[type[cst.CSTNode], Callable[..., Expr]] = {
            cst.Name: self._name,
            cst.Attribute: self._attribute,
            cst.SimpleString: self._string,
            cst.ConcatenatedString: self._joined_strings,
            cst.FormattedString: self._fstring,
            cst.Integer: self._number,
            cst.Float: self._number,
            cst.BinaryOperation: self._binary,
            cst.BooleanOperation: self._boolean,
            cst.IfExp: self._conditional,
            cst.List: self._items,
            cst.Tuple: self._items,
            cst.Set: self._items,
            cst.Dict: self._dict,
            cst.Subscript: self._subscript,
            cst.Call: self._call,
            cst.Await: self._await,
            cst.NamedExpr: self._walrus,
            cst.Lambda: self._lambda,
            cst.ListComp: self._comprehension,
            cst.SetComp: self._comprehension,
            cst.GeneratorExp: self._comprehension,
            cst.DictComp: self._comprehension,
        }

    # -- places ----------------------------------------------------------------------------------------------

    def span(self, node: cst.CSTNode) -> Span:
        where = self.positions[node]
        return Span(where.start.line, where.start.column + 1, where.end.line, where.end.column + 1)

    # -- hooks of the subclass -------------------------------------------------------------------------------

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

    def note_call(
        self, node: cst.Call, callee: str, result: Expr, args: tuple[Argument, ...], scope: Scope
    ) -> None:
        """Told of every other call."""
        raise NotImplementedError

    def assign(self, target: cst.BaseExpression, value: Expr, scope: Scope, plain: bool = False) -> None:
        raise NotImplementedError

    # -- names -----------------------------------------------------------------------------------------------

    def expr(self, node: cst.BaseExpression, scope: Scope) -> Expr:
        reader = self._readers.get(type(node))
        if reader is not None:
            return reader(node, scope)
        self.visit(node, scope)
        return Unknown(Why.UNSUPPORTED, _kind(node), self.span(node))

    def visit(self, node: cst.CSTNode, scope: Scope) -> None:
        """Read all expressions below a node for what they call, not for their value."""
        for child in node.children:
            if isinstance(child, cst.BaseExpression):
                self.expr(child, scope)
            elif not isinstance(child, cst.BaseParenthesizableWhitespace):
                self.visit(child, scope)

    def _name(self, node: cst.Name, scope: Scope) -> Expr:
        return self.lookup(node.value, self.span(node), scope)

    def lookup(self, name: str, at: Span, scope: Scope) -> Expr:
        """What a bare name means here: local value, name of this file, imported name, star imports, built in."""
        if name in ("True", "False"):
            return Literal(name, at)
        if name == "None":
            return Call(("builtin:none",), (), at)
        current: Scope | None = scope
        while current is not None and not current.is_module:
            if name == current.self_name and name not in current.globals:
                return This(at)
            if name in current.env and name not in current.globals:
                return self._substitute(current.env[name], name, at)
            if name in current.functions:
                return Name((f"~#{current.functions[name]}",), at, exact=True)
            current = current.parent
        return self._module_name(name, at, scope)

    def _module_name(self, name: str, at: Span, scope: Scope) -> Expr:
        imported = self.imports.get(name)
        if imported is not None and (clients.is_client_module(imported[0]) or name not in self.module_values):
            module, member = imported
            if not member:
                return Name((module,), at, exact=True)
            path = _join(module, member)
            return Name(
                (path, f"{module}#{member}") if camel(member) else (f"{module}#{member}", path),
                at,
                exact=True,
            )
        if name in self.classes and name not in self.module_values:
            return Name((f"~.{name}",), at, exact=True)
        if name in self.module_values:
            if scope.is_module and name not in self.once and name in self.module.env:
                return self._substitute(self.module.env[name], name, at)
            return Name((f"~#{name}",), at, exact=True)
        if name in self.module.functions:
            return Name((f"~#{name}",), at, exact=True)
        if name == "__file__":
            return Call((_FILE,), (), at)
        if hasattr(builtins, name):
            return Name((name,), at, exact=True)
        if self.stars:
            return Name(
                tuple(path for star in self.stars for path in (f"{star}#{name}", _join(star, name))), at
            )
        return Unknown(Why.UNDEFINED, name, at)

    def _substitute(self, value: Expr, name: str, at: Span) -> Expr:
        if isinstance(value, Literal | Param | This):
            return value
        count = size(value, EXPRESSION_SIZE_MAX)
        self.substituted += count
        if count > EXPRESSION_SIZE_MAX or self.substituted > SUBSTITUTED_MAX:
            return Unknown(Why.TOO_MANY, name, at)
        return value

    def full_names(self, value: Expr) -> tuple[str, ...]:
        """The dotted names a callable may have: `rocketmq.client.PushConsumer`."""
        if isinstance(value, Name):
            followed = self.known(value)
            names = [candidate.replace("#", ".") for candidate in value.candidates]
            if isinstance(followed, Name) and followed is not value:
                names += [candidate.replace("#", ".") for candidate in followed.candidates]
            return tuple(dict.fromkeys(names))
        if isinstance(value, Member) and value.args is None:
            return tuple(f"{name}.{value.name}" for name in self.full_names(value.target))
        return ()

    def known(self, value: Expr) -> Expr:
        """The value behind names of this file that hold exactly one; other values as they are."""
        for _ in range(FOLLOWED_MAX):
            if not isinstance(value, Name) or len(value.candidates) < 1:
                return value
            owner, _, member = value.candidates[0].partition("#")
            if owner == "~" and len(self.module_values.get(member, ())) == 1:
                value = self.module_values[member][0]
            elif owner.startswith("~.") and member and owner[2:] in self.classes:
                held = self.classes[owner[2:]].fields.get(member)
                if held is None or held.value is None:
                    return value
                value = held.value
            else:
                return value
        return value

    def _attribute(self, node: cst.Attribute, scope: Scope) -> Expr:
        name = node.attr.value
        at = self.span(node)
        dotted = _self_attribute(node, scope)
        if dotted is not None:
            self_scope, key = dotted
            if key in self_scope.env:
                return self._substitute(self_scope.env[key], key, at)
        return self.member(self.expr(node.value, scope), name, at)

    def member(self, target: Expr, name: str, at: Span) -> Expr:
        """`target.name` as a value: a member of a module or class by its full name, else of an object."""
        if isinstance(target, TypeName):
            if name == "__name__" or name == "__qualname__":
                return Call(("builtin:simple_name",), (Argument(target),), at)
            if not target.candidates:
                return Member(This(target.at), name, None, at)
            return Name(tuple(f"{path}#{name}" for path in target.candidates), at)
        if isinstance(target, This) and name == "__class__":
            return TypeName((), at)
        if name == "parent" and (target == Call((_FILE,), (), target.at) or isinstance(target, Literal)):
            return parent(target, at)
        if name == "name" and isinstance(target, Name) and self._is_constant_of_class(target):
            return Member(target, name, (), at)  # `Enum.name` reads like a call of it
        if isinstance(target, Name):
            paths = tuple(path for path in target.candidates if "#" not in path)
            if any(path in _ENVIRONMENT for path in paths):
                return Member(target, name, None, at)
            if "django.conf.settings" in paths:
                return Name(tuple(f"{module}#{name}" for module in _DJANGO), at)
            if paths:
                if name in ("__name__", "__qualname__"):
                    return Call(("builtin:simple_name",), (Argument(TypeName(paths, target.at)),), at)
                for path in paths:
                    tail = f"{path.rpartition('.')[2]}.{name}"
                    if tail in clients.ENUM_VALUES and clients.is_client_module(path):
                        return Literal(clients.ENUM_VALUES[tail], at)
                if paths[0] == target.candidates[0] or len(paths) == len(target.candidates):
                    # a module or a class: its member may be a value, a class or a submodule
                    values = tuple(f"{path}#{name}" for path in paths)
                    deeper = tuple(f"{path}.{name}" for path in paths)
                    exact = target.exact
                    if paths[0].startswith("~."):
                        inner = deeper[0][2:] in self.classes
                        return Name(deeper if inner else values, at, exact=True)
                    return Name(deeper + values if camel(name) else values + deeper, at, exact=exact)
        return Member(target, name, None, at)

    def _is_constant_of_class(self, name: Name) -> bool:
        owner, _, member = name.candidates[0].partition("#")
        return member.isupper() and camel(owner.rpartition(".")[2])

    # -- texts -----------------------------------------------------------------------------------------------

    def text(self, text: str | bytes, at: Span) -> Expr:
        if isinstance(text, bytes):
            try:
                text = text.decode("utf-8")
            except UnicodeDecodeError:
                return Unknown(Why.UNSUPPORTED, "bytes that are no UTF-8", at)
        if "\ufffd" in text:
            return Unknown(Why.BROKEN, "text that does not decode", at)
        if any("\ud800" <= char <= "\udfff" for char in text):
            return Unknown(Why.UNSUPPORTED, "text with a lone surrogate", at)
        return Literal(text, at)

    def _string(self, node: cst.SimpleString, scope: Scope) -> Expr:
        return self.text(_evaluated(node.value), self.span(node))

    def _number(self, node: cst.Integer | cst.Float, scope: Scope) -> Expr:
        return Literal(node.value, self.span(node))

    def _joined_strings(self, node: cst.ConcatenatedString, scope: Scope) -> Expr:
        return concat([self.expr(node.left, scope), self.expr(node.right, scope)], self.span(node))

    def _fstring(self, node: cst.FormattedString, scope: Scope) -> Expr:
        prefix = node.start.lower()
        quote = "".join(char for char in node.start if char in "'\"")
        raw = "r" if "r" in prefix else ""
        parts: list[Expr] = []
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText):
                parts.append(
                    self.text(
                        _evaluated(raw + quote + part.value.replace("{{", "{").replace("}}", "}") + quote),
                        self.span(part),
                    )
                )
            elif isinstance(part, cst.FormattedStringExpression):
                value = self.expr(part.expression, scope)
                plain = part.format_spec is None and part.equal is None and part.conversion in (None, "s")
                if not plain:
                    self.visit(part, scope)
                    value = Unknown(Why.UNSUPPORTED, "a format specification", self.span(part))
                parts.append(value)
        return concat(parts, self.span(node))

    def _binary(self, node: cst.BinaryOperation, scope: Scope) -> Expr:
        at = self.span(node)
        left = self.expr(node.left, scope)
        right = self.expr(node.right, scope)
        if isinstance(node.operator, cst.Add):
            a, b = self.known(left), self.known(right)
            if isinstance(a, Items) and isinstance(b, Items):
                return Items(a.items + b.items, at)
            if isinstance(node.left, cst.Integer | cst.Float) or isinstance(
                node.right, cst.Integer | cst.Float
            ):
                return Unknown(Why.UNSUPPORTED, "arithmetic", at)
            return concat([left, right], at)
        if isinstance(node.operator, cst.Modulo):
            template = self.known(left)
            if isinstance(template, Literal):
                return percent(template, right, at)
            return Call(("builtin:percent",), (Argument(left), Argument(right)), at)
        if isinstance(node.operator, cst.Divide):
            return concat([left, Literal("/", at), right], at)
        if isinstance(node.operator, cst.BitOr):
            a, b = self.known(left), self.known(right)
            if isinstance(a, Entries) and isinstance(b, Entries):
                return Entries(a.entries + b.entries, at)
        return Unknown(Why.UNSUPPORTED, "arithmetic", at)

    def _boolean(self, node: cst.BooleanOperation, scope: Scope) -> Expr:
        left = self.expr(node.left, scope)
        right = self.expr(node.right, scope)
        at = self.span(node)
        if isinstance(node.operator, cst.And):
            return Unknown(Why.UNSUPPORTED, "and", at)
        return either(left, right, at)

    def _conditional(self, node: cst.IfExp, scope: Scope) -> Expr:
        self.expr(node.test, scope)
        return one_of([self.expr(node.body, scope), self.expr(node.orelse, scope)], self.span(node))

    # -- collections -----------------------------------------------------------------------------------------

    def _items(self, node: cst.List | cst.Tuple | cst.Set, scope: Scope) -> Expr:
        items: list[Expr] = []
        for element in node.elements:
            value = self.expr(element.value, scope)
            if isinstance(element, cst.StarredElement):
                spread = self.known(value)
                items += spread.items if isinstance(spread, Items) else (self._opaque(value, "*"),)
            else:
                items.append(value)
        return Items(tuple(items), self.span(node))

    def _dict(self, node: cst.Dict, scope: Scope) -> Expr:
        entries: list[tuple[Expr, Expr]] = []
        for element in node.elements:
            value = self.expr(element.value, scope)
            if isinstance(element, cst.DictElement):
                entries.append((self.expr(element.key, scope), value))
            else:
                spread = self.known(value)
                if isinstance(spread, Entries):
                    entries += spread.entries
                else:
                    entries.append((self._opaque(value, "**"), self._opaque(value, "**")))
        return Entries(tuple(entries), self.span(node))

    def _opaque(self, value: Expr, sign: str) -> Expr:
        return Unknown(Why.UNSUPPORTED, f"{sign} of a value from elsewhere", value.at)

    def _subscript(self, node: cst.Subscript, scope: Scope) -> Expr:
        at = self.span(node)
        target = self.expr(node.value, scope)
        if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
            self.visit_slices(node, scope)
            return Unknown(Why.UNSUPPORTED, "a slice", at)
        key = self.expr(node.slice[0].slice.value, scope)
        return self.item(node.value, target, key, None, at, scope)

    def visit_slices(self, node: cst.Subscript, scope: Scope) -> None:
        for element in node.slice:
            self.visit(element, scope)

    def item(
        self,
        node: cst.BaseExpression | None,
        target: Expr,
        key: Expr,
        default: Expr | None,
        at: Span,
        scope: Scope,
    ) -> Expr:
        """`target[key]`, or `target.get(key, default)` of something that is a mapping."""
        if self._is_environment(target):
            return EnvVar(key, default, at)
        if isinstance(node, cst.Name) and node.value == scope.kwargs and isinstance(key, Literal):
            scope.keywords.setdefault(key.text, Field(key.text, (), (), default, False, False, (), at))
            return Param(key.text, at)
        held = self.known(target)
        if isinstance(held, Entries) and isinstance(key, Literal):
            found = [value for k, value in held.entries if isinstance(k, Literal) and k.text == key.text]
            if found and all(isinstance(k, Literal) for k, _ in held.entries):
                if not isinstance(target, Name):
                    return found[-1]
                if isinstance(found[-1], Entries | Items):
                    return Call(("builtin:getitem",), (Argument(target), Argument(key)), at)
        args = (Argument(target), Argument(key), *((Argument(default),) if default is not None else ()))
        return Call(("builtin:getitem",), args, at)

    def _is_environment(self, target: Expr) -> bool:
        return "os.environ" in self.full_names(target)

    def _comprehension(
        self, node: cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp, scope: Scope
    ) -> Expr:
        at = self.span(node)
        inner = Scope(scope.symbol, scope.type, scope, kwargs=scope.kwargs, loops=scope.loops + 1)
        clause: cst.CompFor | None = node.for_in
        nested = clause is not None and (clause.inner_for_in is not None or bool(clause.ifs))
        source = self.known(self.expr(node.for_in.iter, scope))
        if (
            not nested
            and isinstance(source, Items)
            and len(source.items) <= UNROLLED_MAX
            and not _makes(node)
        ):
            results: list[Expr] = []
            pairs: list[tuple[Expr, Expr]] = []
            for item in source.items:
                self.assign(node.for_in.target, item, inner)
                if isinstance(node, cst.DictComp):
                    pairs.append((self.expr(node.key, inner), self.expr(node.value, inner)))
                else:
                    results.append(self.expr(node.elt, inner))
            return Entries(tuple(pairs), at) if isinstance(node, cst.DictComp) else Items(tuple(results), at)
        while clause is not None:
            self.bind_loop(clause.target, clause.iter, self.span(clause), inner)
            for test in clause.ifs:
                self.expr(test.test, inner)
            clause = clause.inner_for_in
        if isinstance(node, cst.DictComp):
            return Entries(((self.expr(node.key, inner), self.expr(node.value, inner)),), at)
        value = self.expr(node.elt, inner)
        if isinstance(value, LoopVar) and not value.path and not nested:
            return value.source
        return Items((value,), at)

    def bind_loop(
        self, target: cst.BaseExpression, iterated: cst.BaseExpression, loop: Span, scope: Scope
    ) -> None:
        """Give a loop's names one element of what it runs over; names of one loop stay paired."""
        if isinstance(iterated, cst.Call):
            method = _method_name(iterated)
            function = iterated.func.value if isinstance(iterated.func, cst.Name) else ""
            if (
                function == "enumerate"
                and iterated.args
                and isinstance(target, cst.Tuple)
                and len(target.elements) == 2
            ):
                counter, element = target.elements
                self.assign(counter.value, Unknown(Why.DYNAMIC, "a counter", self.span(target)), scope)
                self.bind_loop(element.value, iterated.args[0].value, loop, scope)
                return
            if (
                function == "zip"
                and isinstance(target, cst.Tuple)
                and len(target.elements) == len(iterated.args)
            ):
                for element, argument in zip(target.elements, iterated.args, strict=True):
                    self.bind_loop(element.value, argument.value, loop, scope)
                return
            if (
                method in ("items", "keys", "values")
                and not iterated.args
                and isinstance(iterated.func, cst.Attribute)
            ):
                kind = {"items": "builtin:entries", "keys": "builtin:keys", "values": "builtin:values"}[
                    method
                ]
                held = self.expr(iterated.func.value, scope)
                source: Expr = Call((kind,), (Argument(held),), self.span(iterated))
                self._bind_element(target, source, (), loop, scope)
                return
            if function == "range":
                self.visit(iterated, scope)
                self.assign(target, Unknown(Why.DYNAMIC, "a counter", self.span(target)), scope)
                return
        self._bind_element(target, self.expr(iterated, scope), (), loop, scope)

    def _bind_element(
        self, target: cst.BaseExpression, source: Expr, path: tuple[int, ...], loop: Span, scope: Scope
    ) -> None:
        if isinstance(target, cst.Tuple | cst.List):
            for index, element in enumerate(target.elements):
                self._bind_element(element.value, source, (*path, index), loop, scope)
            return
        self.assign(target, LoopVar(loop, source, path, self.span(target)), scope)

    # -- the rest --------------------------------------------------------------------------------------------

    def _await(self, node: cst.Await, scope: Scope) -> Expr:
        return self.expr(node.expression, scope)

    def _walrus(self, node: cst.NamedExpr, scope: Scope) -> Expr:
        value = self.expr(node.value, scope)
        self.assign(node.target, value, scope)
        return value

    def _lambda(self, node: cst.Lambda, scope: Scope) -> Expr:
        inner = Scope(scope.symbol, scope.type, scope, kwargs=scope.kwargs)
        for param in (*node.params.params, *node.params.kwonly_params, *node.params.posonly_params):
            inner.env[param.name.value] = Unknown(Why.DYNAMIC, "a parameter of a lambda", self.span(param))
            if param.default is not None:
                self.expr(param.default, scope)
        self.expr(node.body, inner)
        return Unknown(Why.UNSUPPORTED, "a lambda", self.span(node))

    # -- calls -----------------------------------------------------------------------------------------------

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
                result.append(Argument(self._opaque(value, node.star), node.star))
        return tuple(result)

    def _call(self, node: cst.Call, scope: Scope) -> Expr:
        at = self.span(node)
        func = node.func
        target: Expr | None = None
        if isinstance(func, cst.Attribute):
            target = self.expr(func.value, scope)
            held = _self_attribute(func, scope)
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
        result = self._plain_call(callee, target, simple, args, at, scope)
        self.note_call(node, simple, result, args, scope)
        return result

    def _plain_call(
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
                return self._plain_call(self.known(callee), None, simple, args, at, scope)
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
                if self._is_environment(plain[0]):
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
            if self.known(held) != held and self._is_environment(self.known(held)):
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
            if self._is_environment(held):
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
        if simple in ("str", "int", "bool", "list", "json", "url") and plain and self._is_environment(held):
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


def _join(module: str, member: str) -> str:
    return f"{module}{member}" if module.endswith(".") else f"{module}.{member}"


def _kind(node: cst.CSTNode) -> str:
    return {"Comparison": "a comparison", "UnaryOperation": "an operation", "Yield": "yield"}.get(
        type(node).__name__, "an expression"
    )


def _evaluated(source: str) -> str | bytes:
    try:
        value = ast.literal_eval(source)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return "\ufffd"
    return value if isinstance(value, str | bytes) else "\ufffd"


def _makes(node: cst.CSTNode) -> bool:
    """Whether an element of a comprehension holds a call of something that may be a consumer class."""
    stack: list[cst.CSTNode] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, cst.Call):
            name = current.func.attr if isinstance(current.func, cst.Attribute) else current.func
            if isinstance(name, cst.Name) and ("onsumer" in name.value or name.value in clients.METHODS):
                return True
        stack.extend(current.children)
    return False


def _method_name(node: cst.Call) -> str:
    return node.func.attr.value if isinstance(node.func, cst.Attribute) else ""


def _self_attribute(node: cst.Attribute, scope: Scope) -> tuple[Scope, str] | None:
    """The scope that may hold `self.x`, and its key there."""
    if not isinstance(node.value, cst.Name):
        return None
    current: Scope | None = scope
    while current is not None:
        if current.self_name and node.value.value == current.self_name:
            return current, f"{current.self_name}.{node.attr.value}"
        current = current.parent
    return None


def _deeper(value: LoopVar, index: int) -> Expr:
    return LoopVar(value.loop, value.source, (*value.path, index), value.at)


def _is_parser(value: Expr) -> bool:
    """Whether a value is a `ConfigParser`: nothing read yet, or marked by a second argument."""
    return isinstance(value, Call) and value.candidates == ("builtin:load_file",) and len(value.args) != 1


def concat(parts: Sequence[Expr], at: Span) -> Expr:
    """Texts one after the other; neighbouring literals become one when they are all there is."""
    flat: list[Expr] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Concat) else (part,))
    if not flat:
        return Literal("", at)
    texts = [part.text for part in flat if isinstance(part, Literal)]
    if len(texts) == len(flat):
        return Literal("".join(texts), at)
    return flat[0] if len(flat) == 1 else Concat(tuple(flat), at)


def either(left: Expr, right: Expr, at: Span) -> Expr:
    """`left or right`: a fallback for a setting that is absent, a choice otherwise."""
    if isinstance(left, EnvVar) and left.default is None:
        return EnvVar(left.name, right, left.at)
    if isinstance(left, Call) and left.candidates == ("builtin:getitem",) and len(left.args) == 2:
        return Call(left.candidates, (*left.args, Argument(right)), left.at)
    if is_none(left):
        return right
    if isinstance(left, Literal) and left.text:
        return left
    return Call(("builtin:or",), (Argument(left), Argument(right)), at)


def percent(template: Literal, right: Expr, at: Span) -> Expr:
    """`"…%s…" % values` for plain `%s` and `%d`."""
    parts: list[Expr] = []
    given = list(right.items) if isinstance(right, Items) else [right]
    named = (
        {key.text: value for key, value in right.entries if isinstance(key, Literal)}
        if isinstance(right, Entries)
        else {}
    )
    text = template.text
    position = index = 0
    literal = ""
    while position < len(text):
        char = text[position]
        if char != "%":
            literal += char
            position += 1
            continue
        if text[position : position + 2] == "%%":
            literal += "%"
            position += 2
            continue
        value: Expr | None = None
        if text[position + 1 : position + 2] == "(":
            end = text.find(")", position)
            value = named.get(text[position + 2 : end]) if end > 0 else None
            kind = text[end + 1 : end + 2]
            position = end + 2
        else:
            kind = text[position + 1 : position + 2]
            value = given[index] if index < len(given) else None
            index += 1
            position += 2
        if value is None or kind not in ("s", "d", "i"):
            return Unknown(Why.UNSUPPORTED, "a % format", at)
        parts += [Literal(literal, at), value]
        literal = ""
    parts.append(Literal(literal, at))
    return concat([part for part in parts if not (isinstance(part, Literal) and not part.text)], at)


def formatted(template: Literal, args: tuple[Argument, ...], at: Span) -> Expr:
    """`"…{}…".format(…)` for fields without format specification."""
    plain = [argument.value for argument in args if not argument.name]
    named = {argument.name: argument.value for argument in args if argument.name}
    parts: list[Expr] = []
    index = 0
    try:
        fields = list(string.Formatter().parse(template.text))
    except ValueError:
        return Unknown(Why.UNSUPPORTED, "a format", at)
    for literal, name, spec, conversion in fields:
        if literal:
            parts.append(Literal(literal, at))
        if name is None:
            continue
        value: Expr | None
        if name == "":
            value = plain[index] if index < len(plain) else None
            index += 1
        elif name.isdecimal():
            value = plain[int(name)] if len(name) < 4 and int(name) < len(plain) else None
        else:
            value = named.get(name)
        if value is None or spec or conversion:
            return Unknown(Why.UNSUPPORTED, "a format", at)
        parts.append(value)
    return concat(parts, at)


def concat_path(parts: list[Expr], at: Span) -> Expr:
    """`os.path.join`."""
    joined: list[Expr] = []
    for index, part in enumerate(parts):
        if index:
            joined.append(Literal("/", at))
        joined.append(part)
    return concat(joined, at)


def parent(path: Expr, at: Span) -> Expr:
    """`os.path.dirname`: of the file itself `.`, of that `..`."""
    if isinstance(path, Call) and path.candidates == (_FILE,):
        return Literal(".", at)
    if isinstance(path, Literal):
        if path.text == ".":
            return Literal("..", at)
        if path.text.endswith(".."):
            return Literal(path.text + "/..", at)
        return Literal(path.text.rpartition("/")[0], at)
    return Unknown(Why.UNSUPPORTED, "a path", at)
