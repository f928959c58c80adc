"""Calls of library functions whose meaning is known by heart, as expressions over their arguments.

Only functions of the JDK and of the usual helper libraries; the class must be that library's by import.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from linter.model.expr import (
    Argument,
    Call,
    Concat,
    Config,
    Entries,
    EnvVar,
    Expr,
    Items,
    Literal,
    Member,
    Name,
    New,
    TypeName,
    Unknown,
    Why,
    walk,
)
from linter.model.location import Span

Args = tuple[Expr, ...]
Function = Callable[[Args, Span], Expr | None]
"""(arguments, span of the call) -> expression; None where this form is not known."""

_TRUSTED = (
    "java.", "com.google.common.", "org.apache.commons.", "cn.hutool.", "org.springframework.util.",
    "org.springframework.core.io.support.",
    "com.baomidou.mybatisplus.", "com.alibaba.fastjson", "org.assertj.", "shade.", "com.aliyun.openservices.shade.",
)  # fmt: skip


def builtin(name: str, args: Args, at: Span) -> Call:
    return Call((f"builtin:{name}",), tuple(Argument(arg) for arg in args), at)


def _items(args: Args, at: Span) -> Expr:
    if len(args) == 1 and isinstance(args[0], Items):
        return args[0]  # Arrays.asList(array): the array itself
    return Items(args, at)


def _entries(args: Args, at: Span) -> Expr | None:
    if len(args) % 2:
        return None
    return Entries(tuple(zip(args[::2], args[1::2], strict=True)), at)


def _of_entries(args: Args, at: Span) -> Expr | None:
    pairs = [arg.items for arg in args if isinstance(arg, Items) and len(arg.items) == 2]
    return Entries(tuple((a, b) for a, b in pairs), at) if len(pairs) == len(args) else None


def _first(args: Args, _at: Span) -> Expr | None:
    return args[0] if args else None


def _either(args: Args, at: Span) -> Expr | None:
    if len(args) != 2:
        return None
    value, default = args
    if isinstance(value, EnvVar | Config) and value.default is None:
        return replace(value, default=default)
    return builtin("or_else", args, at)


def _join(args: Args, at: Span) -> Expr | None:
    if len(args) < 2:
        return None
    separator, *parts = args
    if len(parts) == 1 and not isinstance(parts[0], Literal | Concat):
        return builtin("join", (separator, parts[0]), at)
    return builtin("join", (separator, Items(tuple(parts), at)), at)


def _join_last(args: Args, at: Span) -> Expr | None:
    return _join((args[1], args[0]), at) if len(args) == 2 else None


def _variable(args: Args, at: Span) -> Expr | None:
    if not args or len(args) > 2:
        return None
    return EnvVar(args[0], args[1] if len(args) == 2 else None, at)


def _text(args: Args, at: Span) -> Expr | None:
    return builtin("str", args, at) if len(args) == 1 else None


STATIC: Mapping[str, Function] = {
    "String#format": lambda args, at: builtin("format", args, at) if args else None,
    "String#join": _join,
    "String#valueOf": _text,
    "String#copyValueOf": _first,
    "Integer#toString": _text,
    "Integer#valueOf": _first,
    "Integer#parseInt": _first,
    "Boolean#parseBoolean": _first,
    "Boolean#valueOf": _first,
    "Boolean#getBoolean": _variable,
    "Objects#toString": _text,
    "MessageFormat#format": lambda args, at: builtin("format", args, at) if args else None,
    "StrUtil#format": lambda args, at: builtin("format", args, at) if args else None,
    "StringUtils#join": _join_last,
    "StringUtils#trim": lambda args, at: builtin("trim", args, at),
    "StringUtils#lowerCase": lambda args, at: builtin("lower", args, at),
    "StringUtils#upperCase": lambda args, at: builtin("upper", args, at),
    "StringUtils#split": lambda args, at: builtin("split", args, at) if len(args) == 2 else None,
    "StringUtils#defaultIfBlank": _either,
    "StringUtils#defaultIfEmpty": _either,
    "StringUtils#defaultString": lambda args, at: _either(args, at) if len(args) == 2 else _first(args, at),
    "ObjectUtils#defaultIfNull": _either,
    "StrUtil#blankToDefault": _either,
    "StrUtil#emptyToDefault": _either,
    "Objects#requireNonNull": _first,
    "Objects#requireNonNullElse": _either,
    "Optional#of": _first,
    "Optional#ofNullable": _first,
    "Preconditions#checkNotNull": _first,
    "Arrays#asList": _items,
    "Arrays#stream": _first,
    "Stream#of": _items,
    "List#of": _items,
    "Set#of": _items,
    "List#copyOf": _first,
    "Set#copyOf": _first,
    "Map#copyOf": _first,
    "ImmutableList#of": _items,
    "ImmutableSet#of": _items,
    "ImmutableList#copyOf": _first,
    "ImmutableSet#copyOf": _first,
    "ImmutableMap#copyOf": _first,
    "Lists#newArrayList": _items,
    "Sets#newHashSet": _items,
    "Collections#singletonList": _items,
    "Collections#singleton": _items,
    "Collections#emptyList": lambda args, at: Items((), at),
    "Collections#emptySet": lambda args, at: Items((), at),
    "Collections#emptyMap": lambda args, at: Entries((), at),
    "Collections#unmodifiableList": _first,
    "Collections#unmodifiableSet": _first,
    "Collections#unmodifiableMap": _first,
    "Collections#singletonMap": _entries,
    "Map#of": _entries,
    "Map#entry": lambda args, at: Items(args, at) if len(args) == 2 else None,
    "Map#ofEntries": _of_entries,
    "ImmutableMap#of": _entries,
    "Maps#newHashMap": lambda args, at: Entries((), at) if not args else None,
    "Maps#newLinkedHashMap": lambda args, at: Entries((), at) if not args else None,
    "PropertiesLoaderUtils#loadAllProperties": lambda args, at: (
        builtin("load_file", args[:1], at) if args else None
    ),
    "System#getProperty": _variable,
    "System#getenv": lambda args, at: _variable(args, at) if len(args) == 1 else None,
}
"""`Class#method` of trusted libraries."""

VARIADIC = frozenset({"asList", "newArrayList", "newHashSet", "of"})
"""Methods that take their elements one by one, or an array or collection of them."""

MAPS = frozenset({
    "HashMap", "LinkedHashMap", "TreeMap", "ConcurrentHashMap", "Hashtable", "Properties", "IdentityHashMap",
})  # fmt: skip
LISTS = frozenset({
    "ArrayList", "LinkedList", "HashSet", "LinkedHashSet", "TreeSet", "CopyOnWriteArrayList", "Vector",
    "CopyOnWriteArraySet", "ArrayDeque",
})  # fmt: skip


def static(candidates: tuple[str, ...], method: str, args: Args, at: Span) -> Expr | None:
    """The meaning of `Class.method(args)`, None when it is not one of those known."""
    for candidate in candidates:
        if candidate.startswith(_TRUSTED):
            simple = candidate.rpartition(".")[2]
            function = STATIC.get(f"{simple}#{method}")
            if function is not None:
                return function(args, at)
    return None


_META = set(".*+?()[]{}|^$")


def plain_separator(pattern: Expr) -> Expr | None:
    """The text a `split` pattern splits at, None when it is a regular expression proper."""
    if not isinstance(pattern, Literal):
        return pattern if isinstance(pattern, Name) else None
    text = pattern.text
    if len(text) == 3 and text[0] == "[" and text[2] == "]":
        return Literal(text[1], pattern.at)
    plain = re.sub(r"\\(\W)", "", text)
    if "\\" in plain or any(char in _META for char in plain):
        return None
    return Literal(re.sub(r"\\(\W)", r"\1", text), pattern.at)


def on_text(target: Expr, method: str, args: Args, at: Span) -> Expr | None:
    """A method of `String`, of a collection or of an `Optional` on a value; None for other names."""
    count = len(args)
    if count == 0:
        if method in _TEXT_0:
            return builtin(_TEXT_0[method], (target,), at)
        if method in _SAME:
            return target
    elif method == "concat" and count == 1:
        return Concat((target, args[0]), at)
    elif method == "split":
        separator = plain_separator(args[0])
        if separator is None:
            return Unknown(Why.UNSUPPORTED, "split by a regular expression", at)
        return builtin("split", (target, separator), at)
    elif method == "replace" and count == 2:
        return builtin("replace", (target, *args), at)
    elif method == "replaceAll" and count == 2:
        separator = plain_separator(args[0])
        return builtin("replace", (target, separator, args[1]), at) if separator is not None else None
    elif method == "formatted":
        return builtin("format", (target, *args), at)
    elif method == "orElse" and count == 1:
        return _either((target, args[0]), at)
    elif method == "orElseThrow":
        return target
    return None


_TEXT_0 = {
    "trim": "trim",
    "strip": "trim",
    "toLowerCase": "lower",
    "toUpperCase": "upper",
    "toString": "str",
    "keySet": "keys",
    "entrySet": "entries",
}
_SAME = frozenset({"intern", "stream", "parallelStream", "orElseThrow", "sequential"})


_RESOURCES = frozenset({"getResourceAsStream", "getSystemResourceAsStream", "getResource"})
_FILES = frozenset({"FileInputStream", "FileReader", "File", "ClassPathResource"})


def loaded(source: Expr, at: Span) -> Expr:
    """`Properties.load` of a resource or file named literally: that file; of anything else it is run time."""
    for part in walk(source):
        args: tuple[Argument, ...] = ()
        if isinstance(part, Member) and part.name in _RESOURCES:
            args = part.args or ()
        elif isinstance(part, New) and part.candidates and part.candidates[-1].rpartition(".")[2] in _FILES:
            args = part.args
        if len(args) == 1 and isinstance(args[0].value, Literal):
            return builtin("load_file", (args[0].value,), at)
    return Unknown(Why.DYNAMIC, "properties loaded at run time", at)


def configuration(method: str, args: Args, at: Span) -> Expr | None:
    """`Environment.getProperty` and its kin as a configuration key; None for other methods."""
    if method == "getProperty" and 1 <= len(args) <= 3:
        default = args[-1] if len(args) > 1 and not isinstance(args[-1], TypeName) else None
        return Config(args[0], default, at)
    if method == "getRequiredProperty" and args:
        return Config(args[0], None, at)
    return None
