"""What libraries that bind documents to objects differ in, and the type that is wanted of a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from subdrift.linter.model import ir
from subdrift.linter.resolve.execute.values import Frame, Guarded, LibraryConstant, Object, TypeValue
from subdrift.linter.resolve.semantics.jvm.calls import Call

SPELLED: Final = "<spelled>"
"""A scalar that is written otherwise than JSON writes it: its `value` and its `text`."""

OF_JACKSON: Final = frozenset({"JsonProperty", "JsonAlias", "JsonSetter"})

_SEPARATORS: Final = {
    "SNAKE_CASE": "_", "LOWER_CASE_WITH_UNDERSCORES": "_", "SnakeCaseStrategy": "_", "KEBAB_CASE": "-",
    "LOWER_CASE_WITH_DASHES": "-", "KebabCaseStrategy": "-", "IDENTITY": "", "LOWER_CAMEL_CASE": "",
    "CAMEL_CASE_TO_LOWER_CASE_WITH_UNDERSCORES": "_",
}  # fmt: skip
"""Naming strategies: what stands between the words of a name; "" leaves names as they are."""

OBJECT: Final = ir.TypeRef("Object")

DEPTH_MAX: Final = 40


class Policy(NamedTuple):
    """What a mapper does. `strict`: a key without a property is an `error` (None: nobody knows). `collections` and `maps`:
    the classes it takes for interfaces. `marks`: the annotations that name a property. `similar`: it may take a key for a
    property whose name is like it, and sets none that has a getter alone; `parts`: the model whose `of` gives a part of a
    document for which no type is wanted."""

    error: str
    marks: frozenset[str]
    setters: bool
    strict: bool | None
    separator: str
    collections: Mapping[str, str]
    maps: Mapping[str, str]
    numbers_are_doubles: bool = False
    null_keeps_primitive: bool = False
    without_constructor: bool = False
    lenient_enums: bool = False
    only_accessible: bool = False
    similar: bool = False
    parts: str = ""


_QUEUES: Final = {"Queue": "ArrayDeque", "Deque": "ArrayDeque"}

_ALIBABA: Final = Policy(
    "JSONException", frozenset({"JSONField"}), True, False, "", {"Set": "HashSet"}, {"Map": "HashMap"},
    only_accessible=True, similar=True,
)  # fmt: skip

_OF: Final[Mapping[str, Policy]] = {
    "jackson": Policy(
        "JsonMappingException", OF_JACKSON, True, True, "", {"Set": "HashSet", **dict.fromkeys(_QUEUES, "LinkedList")}, {},
        only_accessible=True,
    ),
    "gson": Policy(
        "JsonSyntaxException", frozenset({"SerializedName"}), False, False, "", {"Set": "LinkedHashSet", **_QUEUES},
        {"ConcurrentMap": "ConcurrentHashMap"}, numbers_are_doubles=True, null_keeps_primitive=True,
        without_constructor=True, lenient_enums=True,
    ),
    "fastjson": _ALIBABA._replace(parts="com.alibaba.fastjson.JSON", null_keeps_primitive=True),
    "fastjson2": _ALIBABA._replace(parts="com.alibaba.fastjson2.JSON"),
    "hutool": _ALIBABA._replace(parts="cn.hutool.json.JSONUtil", marks=frozenset({"Alias"}), maps={}),
    "snakeyaml": Policy("YAMLException", frozenset(), True, True, "", {"Set": "LinkedHashSet"}, {}, only_accessible=True),
}  # fmt: skip


def policy_of(library: str, mapper: Object) -> Policy | None:
    """The policy of a mapper as it is set up; None where that is not known."""
    fields = mapper.fields
    policy, style, strict = _OF.get(library), fields.get("style"), fields.get("strict")
    separator = separator_of(style)
    if policy is None or separator is None or fields.get("opaque", False) is not False:
        return None
    if policy.strict:
        policy = policy._replace(strict=strict if type(strict) is bool else None)
    return policy._replace(separator=separator)


def separator_of(style: Guarded) -> str | None:
    if style is None:
        return ""
    if isinstance(style, LibraryConstant):
        return _SEPARATORS.get(style.name)
    if isinstance(style, Object | TypeValue):
        name = style.name if isinstance(style, TypeValue) else style.type
        return _SEPARATORS.get(name.rpartition(".")[2])
    return None


class Wanted(NamedTuple):
    """A type as written, where it is written, and what type variables stand for there."""

    ref: ir.TypeRef
    frame: Frame
    variables: Mapping[str, Wanted] = {}

    def at(self, ref: ir.TypeRef | None) -> Wanted:
        """Another type that is written in the same place."""
        return Wanted(ref or OBJECT, self.frame, self.variables)

    def argument(self, index: int) -> Wanted:
        args = self.ref.args
        return self.at(args[index] if index < len(args) else None)

    def resolved(self) -> Wanted:
        """The type itself: a wildcard is its bound, a variable what it stands for."""
        current = self
        for _ in range(DEPTH_MAX):
            if current.ref.name == "?":
                current = current.argument(0)
            elif current.ref.name in current.variables and not current.ref.args:
                current = current.variables[current.ref.name]
            else:
                break
        return current


def _outside(frame: Frame) -> Frame:
    """The frame of the program that a library's model was called from."""
    while frame.owner is not None and frame.owner.file.model and frame.caller is not None:
        frame = frame.caller
    return frame


def wanted(call: Call, kind: Guarded) -> Wanted | None:
    """The type a program asks for: a class, the argument of what an anonymous `TypeReference<T>() {}` extends, or a
    type put together from classes (`raw`, `arguments`)."""
    run = call.run
    if isinstance(kind, TypeValue):
        if kind.declared is not None:
            return Wanted(ir.TypeRef(kind.declared.simple, kind.args), run.frame(kind.declared, None))
        return Wanted(ir.TypeRef(kind.name, kind.args), _outside(call.frame))
    if not isinstance(kind, Object) or kind.declared is None:
        return None
    if kind.declared.kind == "anonymous":
        supers = kind.declared.decl.supers
        args = supers[0].args if supers else ()
        return Wanted(args[0] if args else OBJECT, kind.captured or run.frame(kind.declared, kind))
    raw, arguments = kind.fields.get("raw"), kind.fields.get("arguments")
    outer = wanted(call, raw) if isinstance(raw, TypeValue) else None
    inner = [wanted(call, each) for _, each in arguments.items or ()] if isinstance(arguments, Object) else []
    if outer is None or any(each is None for each in inner):
        return None
    names = [f"<{index}>" for index in range(len(inner))]
    variables = {name: each for name, each in zip(names, inner, strict=True) if each is not None}
    ref = ir.TypeRef(outer.ref.name, tuple(map(ir.TypeRef, names)))
    return Wanted(ref, outer.frame, variables)
