"""Python expressions -> symbolic values, with imports applied and local names replaced by what they hold.

One call of `Values.expr` visits every node below, so consumers made anywhere in an expression are met exactly
where they stand. What Python computes beyond names, texts and collections is unknown with a reason.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import libcst as cst

from linter.clients import python as clients
from linter.extract.python.scope import (
    EXPRESSION_SIZE_MAX,
    SUBSTITUTED_MAX,
    ClassInfo,
    Scope,
    one_of,
    size,
)
from linter.extract.python.texts import (
    FILE,
    concat,
    either,
    evaluated,
    parent,
    percent,
)
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
    Param,
    This,
    TypeName,
    Unknown,
    Why,
)
from linter.model.facts import (
    Field,
    Problem,
)
from linter.model.location import Span

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

UNROLLED_MAX = 50
"""Elements of a written-out list that a comprehension is computed for one by one."""
"""Elements of a written-out list that a comprehension is computed for one by one."""

WRITTEN_MAX = 256
"""Entries of a local dictionary in which a key is looked up here; larger ones are left to resolution."""

FOLLOWED_MAX = 16
"""Names of this file followed to find out what kind of object a value is."""
"""Names of this file followed to find out what kind of object a value is."""

_ENVIRONMENT = {"os.environ", "environ.Env"}
_DJANGO = ("django.conf.settings", "settings", "settings.base", "settings.common", "settings.prod")


def camel(name: str) -> bool:
    """Whether a name looks like a class by PEP 8: a capital first, and not a constant."""
    bare = name.lstrip("_")
    return bare[:1].isupper() and not bare.isupper() and (len(bare) == 1 or any(c.islower() for c in bare))


class Values:
    """Reads expressions; the subclass knows statements, and what a call of a client library means."""

    def __init__(self, positions: Mapping[cst.CSTNode, CodeRange], once: frozenset[str]) -> None:
        self.positions = positions
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
            cst.Call: self.call,
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

    # -- hooks of the subclasses -----------------------------------------------------------------------------

    def call(self, node: cst.Call, scope: Scope) -> Expr:
        """What a call returns; consumers are made and told things by calls."""
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
            return Call((FILE,), (), at)
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
        dotted = self_attribute(node, scope)
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
        if name == "parent" and (target == Call((FILE,), (), target.at) or isinstance(target, Literal)):
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
        return self.text(evaluated(node.value), self.span(node))

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
                        evaluated(raw + quote + part.value.replace("{{", "{").replace("}}", "}") + quote),
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
                items += spread.items if isinstance(spread, Items) else (self.opaque(value, "*"),)
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
                    entries.append((self.opaque(value, "**"), self.opaque(value, "**")))
        return Entries(tuple(entries), self.span(node))

    def opaque(self, value: Expr, sign: str) -> Expr:
        return Unknown(Why.UNSUPPORTED, f"{sign} of a value from elsewhere", value.at)

    def _subscript(self, node: cst.Subscript, scope: Scope) -> Expr:
        at = self.span(node)
        target = self.expr(node.value, scope)
        if len(node.slice) != 1 or not isinstance(node.slice[0].slice, cst.Index):
            self._visit_slices(node, scope)
            return Unknown(Why.UNSUPPORTED, "a slice", at)
        key = self.expr(node.slice[0].slice.value, scope)
        return self.item(node.value, target, key, None, at, scope)

    def _visit_slices(self, node: cst.Subscript, scope: Scope) -> None:
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
        if self.is_environment(target):
            return EnvVar(key, default, at)
        if isinstance(node, cst.Name) and node.value == scope.kwargs and isinstance(key, Literal):
            scope.keywords.setdefault(key.text, Field(key.text, (), (), default, False, False, (), at))
            return Param(key.text, at)
        if isinstance(target, Entries) and isinstance(key, Literal) and len(target.entries) <= WRITTEN_MAX:
            keys = [k.text for k, _ in target.entries if isinstance(k, Literal)]
            if len(keys) == len(target.entries) and key.text in keys:
                return dict(zip(keys, (value for _, value in target.entries), strict=True))[key.text]
        args = (Argument(target), Argument(key), *((Argument(default),) if default is not None else ()))
        return Call(("builtin:getitem",), args, at)

    def is_environment(self, target: Expr) -> bool:
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


def _join(module: str, member: str) -> str:
    return f"{module}{member}" if module.endswith(".") else f"{module}.{member}"


def _kind(node: cst.CSTNode) -> str:
    return {"Comparison": "a comparison", "UnaryOperation": "an operation", "Yield": "yield"}.get(
        type(node).__name__, "an expression"
    )


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


def self_attribute(node: cst.Attribute, scope: Scope) -> tuple[Scope, str] | None:
    """The scope that may hold `self.x`, and its key there."""
    if not isinstance(node.value, cst.Name):
        return None
    current: Scope | None = scope
    while current is not None:
        if current.self_name and node.value.value == current.self_name:
            return current, f"{current.self_name}.{node.attr.value}"
        current = current.parent
    return None
