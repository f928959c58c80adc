"""Spring's expression language in `@Value`: a template of texts and expressions -> expressions of the program, which run.

Placeholders are resolved before, as Spring does; `environment['k']` is one here. What is read: literals, lists, operators,
`?:`, methods and properties, beans by name, `T(...)`. Mirrors SpelExpressionParser, Spring Framework 5.3 to 6.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.declarations import Class
from subdrift.linter.resolve.execute.deferred import told
from subdrift.linter.resolve.execute.guards import UNSET
from subdrift.linter.resolve.execute.interpreter import Interpreter
from subdrift.linter.resolve.execute.values import Guarded, Key, Object, Step, Text, Unknown, text

Bean = Callable[[str], Guarded]
"""The bean of a name; `Unknown` where none is in sight."""

DEPTH_MAX = 50
"""Levels of one expression; a deeper one is not known."""

_ABSENT = "\2"
"""The text of a key that the environment does not have."""
_MASK = "\1{"
_AT: ir.At = (1, 1, 1, 1)
_ENVIRONMENT = r"@?\benvironment(?:\.getProperty\(\s*'([\w.\-\[\]]+)'\s*(?:,\s*'([^']*)'\s*)?\)|\[\s*'([\w.\-\[\]]+)'\s*\])"
_TOKEN = re.compile(
    r"\s*(?:('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")|(\d+(?:\.\d+)?[lLfFdD]?)|([A-Za-z_$][\w$]*)"
    r"|(\?\.|\?:|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()\[\]{}@]))"
)
_WORDS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "and": "&&", "or": "||", "not": "!", "div": "/",
    "mod": "%",
}  # fmt: skip
_BINARY = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">=", "matches"), ("+", "-"), ("*", "/", "%"))

_SPLIT = r"#\{\s*'((?:[^']|'')*)'\.split\('((?:[^'])*)'\)\s*\}"


def taken_apart(written: str, step: Step) -> tuple[Text, str] | None:
    """The text and the separator of `#{'${k}'.split(',')}`, a list whose parts an environment knows."""
    match = re.fullmatch(_SPLIT, written.strip())
    if match is None:
        return None
    inner = match[1].replace("''", "'")
    found = Text((Key(text(inner), None, "value"),), (step,)) if "${" in inner else text(inner, (step,))
    return found, match[2]


class _UnreadError(Exception):
    """A form that is not read here."""


def evaluated(run: Interpreter, written: str, owner: Class, step: Step, bean: Bean) -> Guarded:
    """The value of a text with expressions; UNSET for forms that are not read, or keys that no environment knows."""
    plain = re.sub(_ENVIRONMENT, _as_key, written)
    if "${" not in plain:
        return _template(run, owner, step, bean, plain)
    masked = Text((Key(text(plain.replace("#{", _MASK)), None, "value"),), (step,))
    found = told(run, masked, step.at)
    if found is None:
        return UNSET
    whole = Text((Key(text(plain), None, "value"),), (step,))
    return run.over(found, partial(_resolved, run, owner, step, bean, whole))


def _as_key(match: re.Match[str]) -> str:
    default = match[2] if match[2] is not None else _ABSENT
    return f"'${{{match[1] or match[3]}:{default}}}'"


def _resolved(run: Interpreter, owner: Class, step: Step, bean: Bean, whole: Text, leaf: Text) -> Guarded:
    """What one environment makes of it; `whole` stays where that is not known, or not read."""
    if leaf.known is None:
        return whole
    found = _template(run, owner, step, bean, leaf.known.replace(_MASK, "#{"))
    return whole if found is UNSET else found


def _template(run: Interpreter, owner: Class, step: Step, bean: Bean, plain: str) -> Guarded:
    """A text whose `#{…}` are evaluated; one alone keeps its type. UNSET for a form that is not read."""
    frame = run.frame(owner, None)
    parts: list[ir.Expr] = []
    try:
        for literal, inner in _parts(plain):
            if literal:
                parts.append(ir.Const(literal, _AT))
            if inner is not None:
                parts.append(_Reader(inner, frame.variables, run, owner, bean).whole())
    except _UnreadError:
        return UNSET
    if len(parts) > 1 and isinstance(parts[-1], ir.Const) and parts[-1].value == "":
        parts.pop()
    made = parts[0] if parts else ir.Const("", _AT)
    for part in parts[1:]:
        made = ir.Binary("+", made, part, _AT)
    return run.over(run.value(made, frame), partial(_shown, step))


def _shown(step: Step, leaf: Guarded) -> Guarded:
    """A value as it is put into a field of a text type."""
    if isinstance(leaf, bool):
        return text("true" if leaf else "false", (step,))
    if isinstance(leaf, int):
        return text(str(leaf), (step,))
    if isinstance(leaf, Text) and not leaf.steps:
        return Text(leaf.parts, (step,), False, leaf.frame)
    return leaf


def _parts(plain: str) -> Iterator[tuple[str, str | None]]:
    """The literal texts of a template, each with the expression behind it."""
    position = 0
    while (start := plain.find("#{", position)) >= 0:
        level, quote, end = 1, "", start + 2
        while end < len(plain) and level:
            char = plain[end]
            if quote:
                quote = "" if char == quote else quote
            elif char in "'\"":
                quote = char
            else:
                level += {"{": 1, "}": -1}.get(char, 0)
            end += 1
        if level:
            raise _UnreadError
        yield plain[position:start], plain[start + 2 : end - 1]
        position = end
    yield plain[position:], None


class _Reader:
    """One expression read as one of the program; beans are put into `variables`."""

    def __init__(
        self, source: str, variables: dict[str, Guarded], run: Interpreter, owner: Class, bean: Bean
    ) -> None:
        self._variables = variables
        self._run = run
        self._owner = owner
        self._bean = bean
        self._tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(source.rstrip()):
            match = _TOKEN.match(source, position)
            if match is None:
                raise _UnreadError
            kind = ("text", "number", "name", "sign")[(match.lastindex or 1) - 1]
            word = match[match.lastindex or 1]
            if kind == "name" and word.lower() in _WORDS:
                kind, word = "sign", _WORDS[word.lower()]
            self._tokens.append((kind, word))
            position = match.end()
        self._position = 0
        self._depth = 0

    def whole(self) -> ir.Expr:
        found = self._choice()
        if self._position < len(self._tokens):
            raise _UnreadError
        return found

    def _sees(self, sign: str) -> bool:
        return self._position < len(self._tokens) and self._tokens[self._position] == ("sign", sign)

    def _takes(self, sign: str) -> bool:
        seen = self._sees(sign)
        self._position += seen
        return seen

    def _need(self, sign: str) -> None:
        if not self._takes(sign):
            raise _UnreadError

    def _next(self) -> tuple[str, str]:
        if self._position >= len(self._tokens):
            raise _UnreadError
        self._position += 1
        return self._tokens[self._position - 1]

    def _choice(self) -> ir.Expr:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise _UnreadError
        test = self._binary(0)
        if self._takes("?"):
            then = self._choice()
            self._need(":")
            test = ir.Conditional(test, then, self._choice(), _AT)
        elif self._takes("?:"):
            test = self._elvis(test, self._choice())
        self._depth -= 1
        return test

    def _elvis(self, value: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
        """SpEL's takes the other value for an empty text too; of a system property it is the default."""
        if isinstance(value, ir.Call) and value.name == "getProperty" and len(value.args) == 1:
            return _call(value.target, value.name, value.args[0].value, otherwise)
        null = ir.Binary("==", value, ir.Const(None, _AT), _AT)
        empty = _call(ir.Const("", _AT), "equals", value)
        return ir.Conditional(ir.Binary("||", null, empty, _AT), otherwise, value, _AT)

    def _binary(self, level: int) -> ir.Expr:
        if level == len(_BINARY):
            return self._unary()
        left = self._binary(level + 1)
        while self._position < len(self._tokens) and self._tokens[self._position][1] in _BINARY[level]:
            kind, operator = self._tokens[self._position]
            if kind == "text":
                break
            self._position += 1
            left = _operation(operator, left, self._binary(level + 1))
        return left

    def _unary(self) -> ir.Expr:
        for sign in ("!", "-"):
            if self._takes(sign):
                return ir.Unary(sign, self._unary(), _AT)
        found = self._primary()
        while True:
            if self._takes("."):
                found = self._member(found, safe=False)
            elif self._takes("?."):
                found = self._member(found, safe=True)
            elif self._takes("["):
                index = self._choice()
                self._need("]")
                found = _indexed(found, index)
            else:
                return found

    def _member(self, target: ir.Expr, *, safe: bool) -> ir.Expr:
        kind, name = self._next()
        if kind != "name":
            raise _UnreadError
        if self._takes("("):
            return ir.Call(target, name, tuple(map(ir.Argument, self._arguments(")"))), _AT, _AT, safe=safe)
        holder = self._variables.get(target.name) if isinstance(target, ir.Name) else None
        if isinstance(holder, Object) and holder.declared is not None:
            getter = f"get{name[:1].upper()}{name[1:]}"
            if self._run.scope.has_method(holder.declared, getter):
                return _call(target, getter)
        return ir.Attribute(target, name, _AT)

    def _arguments(self, closing: str) -> list[ir.Expr]:
        found: list[ir.Expr] = []
        if self._takes(closing):
            return found
        found.append(self._choice())
        while self._takes(","):
            found.append(self._choice())
        self._need(closing)
        return found

    def _primary(self) -> ir.Expr:
        kind, word = self._next()
        if kind == "text":
            inner = word[1:-1].replace(word[0] * 2, word[0])
            return ir.Const(None if inner == _ABSENT else inner, _AT)
        if kind == "number":
            plain = word.rstrip("lLfFdD")
            return ir.Const(float(plain) if "." in plain else int(plain), _AT)
        if kind == "name":
            return self._named(word)
        if word == "(":
            inside = self._choice()
            self._need(")")
            return inside
        if word == "{":
            return (
                self._map() if self._holds_keys() else ir.Sequence("array", tuple(self._arguments("}")), _AT)
            )
        if word == "@":
            kind, word = self._next()
            if kind in ("name", "text"):
                return self._of_bean(word.strip("'\""))
        raise _UnreadError

    def _holds_keys(self) -> bool:
        """Whether what stands in braces is a map: `{:}`, `{key: value}`."""
        behind = self._tokens[self._position : self._position + 2]
        return ("sign", ":") in (behind if behind[:1] != [("sign", "}")] else ())

    def _map(self) -> ir.Expr:
        found: list[tuple[ir.Expr | None, ir.Expr]] = []
        if not self._takes(":"):
            while True:
                kind, word = self._next()
                if kind == "sign":
                    raise _UnreadError
                key = word[1:-1].replace(word[0] * 2, word[0]) if kind == "text" else word
                self._need(":")
                found.append((ir.Const(key, _AT), self._choice()))
                if not self._takes(","):
                    break
        self._need("}")
        return ir.Mapping(tuple(found), _AT)

    def _named(self, word: str) -> ir.Expr:
        if word in ("true", "false", "null"):
            return ir.Const({"true": True, "false": False, "null": None}[word], _AT)
        if word == "T" and self._takes("("):
            names = [self._next()[1]]
            while self._takes("."):
                names.append(self._next()[1])
            self._need(")")
            found: ir.Expr = ir.Name(names[0], _AT)
            for name in names[1:]:
                found = ir.Attribute(found, name, _AT)
            return found
        if word == "new":
            return self._array()
        if word in ("systemProperties", "systemEnvironment") and self._takes("["):
            key = self._choice()
            self._need("]")
            return _call(
                ir.Name("System", _AT), "getProperty" if word == "systemProperties" else "getenv", key
            )
        return self._of_bean(word)

    def _array(self) -> ir.Expr:
        """`new String[0]`, `new String[] {'a'}`."""
        self._next()
        self._need("[")
        if self._takes("]"):
            self._need("{")
            return ir.Sequence("array", tuple(self._arguments("}")), _AT)
        if self._next() != ("number", "0"):
            raise _UnreadError
        self._need("]")
        return ir.Sequence("array", (), _AT)

    def _of_bean(self, name: str) -> ir.Expr:
        found = self._bean(name)
        if isinstance(found, Unknown) and not found.needs:
            raise _UnreadError
        self._variables[f"@{name}"] = found
        return ir.Name(f"@{name}", _AT)


def _call(target: ir.Expr | None, name: str, *arguments: ir.Expr) -> ir.Expr:
    return ir.Call(target, name, tuple(map(ir.Argument, arguments)), _AT, _AT)


def _indexed(target: ir.Expr, index: ir.Expr) -> ir.Expr:
    """An element by its number, a value of a map by its name."""
    if isinstance(index, ir.Const) and isinstance(index.value, str):
        return _call(target, "get", index)
    return ir.Index(target, index, _AT)


def _operation(operator: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Texts are compared by what they say."""
    operands = [each.value for each in (left, right) if isinstance(each, ir.Const)]
    if operator == "matches":
        return _call(left, "matches", right)
    if operator in ("==", "!=") and not any(
        each is None or isinstance(each, int | float) for each in operands
    ):
        objects = ir.Attribute(ir.Attribute(ir.Name("java", _AT), "util", _AT), "Objects", _AT)
        equal = _call(objects, "equals", left, right)
        return equal if operator == "==" else ir.Unary("!", equal, _AT)
    if operator in ("<", "<=", ">", ">=") and any(isinstance(each, str) for each in operands):
        return ir.Binary(operator, _call(left, "compareTo", right), ir.Const(0, _AT), _AT)
    return ir.Binary(operator, left, right, _AT)
