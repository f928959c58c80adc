"""What Lombok writes into a class: accessors, constructors, builders, `with…`, equality and text, as Java source.

Lombok is an annotation processor: what runs is the class with the members it writes, so that is what is lowered. They
are spelled as Lombok documents them, as far as programs can see, and stand at the name of the class. A member that is
written by hand is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from subdrift.linter.model import ir

MARK = b"lombok"
"""A file without this has nothing of Lombok's."""

Lower = Callable[[str, ir.At], ir.ClassDecl]
"""The lowered form of a class that is written out, all of it at one place."""

_ALL = ("AllArgsConstructor", "RequiredArgsConstructor", "NoArgsConstructor")


def expanded(unit: ir.Unit, lower: Lower) -> ir.Unit:
    """The unit with the members that Lombok writes."""
    names = _Names(unit.imports)
    return replace(unit, types=tuple(_expanded(one, names, lower) for one in unit.types))


def _expanded(decl: ir.ClassDecl, names: _Names, lower: Lower, outer: str = "") -> ir.ClassDecl:
    shown = f"{outer}{decl.name}"
    decl = replace(decl, types=tuple(_expanded(one, names, lower, f"{shown}.") for one in decl.types))
    if decl.kind not in ("class", "enum", "record"):
        return decl
    writer = _Writer(decl, names, shown)
    lines = [*writer.members()]
    if not lines:
        return decl
    added = lower(f"class {decl.name} {{ {' '.join(lines)} }}", decl.name_at)
    methods = [writer.annotated(one) for one in added.methods]
    methods += writer.defaults()
    return replace(decl, methods=(*decl.methods, *methods), types=(*decl.types, *added.types))


class _Names:
    """Which names mean annotations of Lombok in a file."""

    def __init__(self, imports: Iterable[ir.Import]) -> None:
        self._single: dict[str, str] = {}
        self._wild = False
        for one in imports:
            if one.wildcard:
                self._wild = self._wild or one.path in ("lombok", "lombok.experimental")
            else:
                self._single[one.name or one.path.rpartition(".")[2]] = one.path

    def of(self, annotations: Iterable[ir.Annotation]) -> dict[str, dict[str, ir.Expr]]:
        """Simple name -> attributes, of those annotations that are Lombok's."""
        found: dict[str, dict[str, ir.Expr]] = {}
        for one in annotations:
            head, _, rest = one.name.partition(".")
            path = self._single.get(head, f"lombok.{head}" if self._wild else head)
            full = f"{path}.{rest}" if rest else path
            if full.startswith("lombok.") or one.name.startswith("lombok."):
                simple = one.name.removeprefix("lombok.").removeprefix("experimental.")
                found[simple] = {each.name or "value": each.value for each in one.args}
        return found


class _Field(Struct, frozen=True):
    """A field as Lombok sees it."""

    name: str
    type: str
    base: str
    final: bool
    initialised: bool
    has: dict[str, dict[str, ir.Expr]]

    @property
    def title(self) -> str:
        return self.base[:1].upper() + self.base[1:]

    @property
    def is_flag(self) -> bool:
        return self.type == "boolean"

    @property
    def plain(self) -> str:
        """The name that accessors of a truth value leave of `isActive`."""
        is_prefixed = self.is_flag and self.base[:2] == "is" and self.base[2:3].isupper()
        return self.base[2:] if is_prefixed else self.title


class _Writer:
    """Writes the members of one class."""

    def __init__(self, decl: ir.ClassDecl, names: _Names, shown: str) -> None:
        self.decl = decl
        self.shown = shown
        self.names = names
        self.has = names.of(decl.annotations)
        accessors = self.has.get("Accessors", {})
        self.fluent = _flag(accessors, "fluent")
        self.chain = _flag(accessors, "chain", self.fluent)
        self.prefixes = _texts(accessors.get("prefix"))
        self.value = "Value" in self.has
        self.finals = self.value or _flag(self.has.get("FieldDefaults", {}), "makeFinal")
        self.written = {one.name for one in decl.methods}
        self.fields = [self._field(one) for one in decl.fields if not one.static and one.name[:1] != "$"]
        self.fields += [self._component(one) for one in decl.components or ()]
        self.builds = "Builder" in self.has or "SuperBuilder" in self.has

    def _field(self, one: ir.FieldDecl) -> _Field:
        has = self.names.of(one.annotations)
        final = one.final or (self.finals and "NonFinal" not in has)
        initialised = one.value is not None and "Builder.Default" not in has
        return _Field(one.name, spelled(one.type), self._base(one.name), final, initialised, has)

    def _component(self, one: ir.Param) -> _Field:
        return _Field(one.name, spelled(one.type), one.name, True, False, self.names.of(one.annotations))

    def _base(self, name: str) -> str:
        for prefix in self.prefixes:
            rest = name.removeprefix(prefix)
            if rest != name and (rest[:1].isupper() or not prefix[-1:].isalpha()):
                return rest[:1].lower() + rest[1:]
        return name

    def members(self) -> Iterator[str]:
        if not self.has and not any(each.has for each in self.fields) and not self._on_methods():
            return
        if self.decl.kind != "record":
            for each in self.fields:
                yield from self._accessors(each)
            yield from self._static_accessors()
            yield from self._constructors()
        for each in self.fields:
            if self._asks(each, "With", "Wither"):
                yield from self._with(each)
        yield from self._object_methods()
        if self.builds:
            yield from self._class_builder()
        for method in self._on_methods():
            yield from self._method_builder(method)

    def _on_methods(self) -> list[ir.MethodDecl]:
        return [one for one in self.decl.methods if "Builder" in self.names.of(one.annotations)]

    def _asks(self, one: _Field, *names: str) -> bool:
        for name in names:
            said = one.has.get(name, self.has.get(name))
            if said is not None and not _is_none(said):
                return True
        return False

    # -- accessors ------------------------------------------------------------------------------------------

    def _accessors(self, one: _Field) -> Iterator[str]:
        off = "Getter" in one.has and _is_none(one.has["Getter"])
        if self._asks(one, "Getter", "Data", "Value") and not off:
            name = one.base if self.fluent else f"is{one.plain}" if one.is_flag else f"get{one.title}"
            if self._free(name):
                yield f"public {one.type} {name}() {{ return this.{one.name}; }}"
        off = one.final or ("Setter" in one.has and _is_none(one.has["Setter"]))
        if self._asks(one, "Setter", "Data") and not off:
            name = one.base if self.fluent else f"set{one.plain if one.is_flag else one.title}"
            if self._free(name) or self.fluent:
                returns, back = (self.decl.name, " return this;") if self.chain else ("void", "")
                yield f"public {returns} {name}({one.type} {one.name}) {{ this.{one.name} = {one.name};{back} }}"

    def _static_accessors(self) -> Iterator[str]:
        for one in self.decl.fields:
            has = self.names.of(one.annotations) if one.static else {}
            name, kind = one.name[:1].upper() + one.name[1:], spelled(one.type)
            if "Getter" in has and self._free(f"get{name}"):
                yield f"public static {kind} get{name}() {{ return {one.name}; }}"
            if "Setter" in has and self._free(f"set{name}"):
                yield f"public static void set{name}({kind} value) {{ {one.name} = value; }}"

    def _free(self, name: str) -> bool:
        return name not in self.written

    def _with(self, one: _Field) -> Iterator[str]:
        name = f"with{one.plain if one.is_flag else one.title}"
        if self._free(name):
            given = ", ".join(each.name if each is one else f"this.{each.name}" for each in self._assigned())
            yield (
                f"public {self.decl.name} {name}({one.type} {one.name}) "
                f"{{ return new {self.decl.name}({given}); }}"
            )

    # -- constructors ---------------------------------------------------------------------------------------

    def _assigned(self) -> list[_Field]:
        """The fields that a constructor with all of them takes."""
        return [one for one in self.fields if not (one.final and one.initialised)]

    def _required(self) -> list[_Field]:
        return [one for one in self.fields if not one.initialised and (one.final or "NonNull" in one.has)]

    def _constructors(self) -> Iterator[str]:
        asked = [name for name in _ALL if name in self.has]
        chosen = [(name, self.has[name]) for name in asked]
        by_hand = "<init>" in self.written
        if not asked and not by_hand:
            if self.value or self.builds:
                name = "SuperBuilder" if "SuperBuilder" in self.has else "AllArgsConstructor"
                chosen = [(name, self.has.get("Value", {}))] if name in _ALL else []
            elif "Data" in self.has:
                chosen = [("RequiredArgsConstructor", self.has["Data"])]
        counts: set[int] = set()
        for name, said in chosen:
            taken = {_ALL[0]: self._assigned, _ALL[1]: self._required, _ALL[2]: list}[name]()
            if len(taken) not in counts:
                counts.add(len(taken))
                yield from self._constructor(taken, said)

    def _constructor(self, taken: list[_Field], said: dict[str, ir.Expr]) -> Iterator[str]:
        params = ", ".join(f"{one.type} {one.name}" for one in taken)
        body = " ".join(f"this.{one.name} = {one.name};" for one in taken)
        yield f"public {self.decl.name}({params}) {{ {body} }}"
        for static in _texts(said.get("staticName", said.get("staticConstructor"))):
            given = ", ".join(one.name for one in taken)
            yield (
                f"public static {self.decl.name} {static}({params}) "
                f"{{ return new {self.decl.name}({given}); }}"
            )

    def annotated(self, one: ir.MethodDecl) -> ir.MethodDecl:
        """A constructor whose parameters have the annotations of their fields, as `copyableAnnotations` has Lombok do."""
        if one.name != "<init>":
            return one
        on = {each.name: each.annotations for each in self.decl.fields}
        params = tuple(replace(each, annotations=on.get(each.name, ())) for each in one.params)
        return replace(one, params=params)

    # -- what every object has ------------------------------------------------------------------------------

    def _object_methods(self) -> Iterator[str]:
        name, whole = self.decl.name, "Data" in self.has or self.value
        if (whole or "EqualsAndHashCode" in self.has) and self._free("equals"):
            same = [
                f"java.util.Objects.equals(this.{one.name}, (({name}) o).{one.name})"
                for one in self.fields
                if "EqualsAndHashCode.Exclude" not in one.has
            ]
            yield f"public boolean equals(Object o) {{ return {' && '.join([f'o instanceof {name}', *same])}; }}"
            hashed = ", ".join(one.name for one in self.fields if "EqualsAndHashCode.Exclude" not in one.has)
            if self._free("hashCode"):
                yield f"public int hashCode() {{ return java.util.Objects.hash({hashed}); }}"
        if (whole or "ToString" in self.has) and self._free("toString") and not self.has.get("ToString"):
            shown = [
                f'"{one.name}=" + this.{one.name}' for one in self.fields if "ToString.Exclude" not in one.has
            ]
            text = ' + ", " + '.join(shown)
            yield f'public String toString() {{ return "{self.shown}(" + {text + " + " if text else ""}")"; }}'

    # -- builders -------------------------------------------------------------------------------------------

    def _class_builder(self) -> Iterator[str]:
        is_super = "SuperBuilder" in self.has
        said = self.has["SuperBuilder" if is_super else "Builder"]
        builder = (_texts(said.get("builderClassName")) or [f"{self.decl.name}Builder"])[0]
        fields = self._assigned()
        if is_super:
            above = self.decl.supers[0].name if len(self.decl.supers) > self.decl.interfaces else ""
            extends = f" extends {above}.{above.rpartition('.')[2]}Builder" if above else ""
            sets = " ".join(f"this.{one.name} = {self._built(one, 'b.')};" for one in fields)
            yield f"protected {self.decl.name}({builder} b) {{ {'super(b);' if above else ''} {sets} }}"
            made = f"new {self.decl.name}(this)"
        else:
            extends = ""
            made = f"new {self.decl.name}({', '.join(self._built(one, '') for one in fields)})"
        yield from self._builder(builder, fields, said, f"{self.decl.name} ", made, extends)

    def _built(self, one: _Field, of: str) -> str:
        """The value that a builder hands over for a field."""
        own = f"{of}{one.name}"
        if "Builder.Default" in one.has:
            return f"{of}{one.name}$set ? {own} : {self.decl.name}.$default${one.name}()"
        if "Singular" in one.has:
            head = one.type.partition("<")[0]
            kind = "java.util.LinkedHashMap" if head.endswith("Map") else "java.util.ArrayList"
            kind = "java.util.LinkedHashSet" if head.endswith("Set") else kind
            return f"{own} == null ? new {kind}<>() : new {kind}<>({own})"
        return own

    def _method_builder(self, method: ir.MethodDecl) -> Iterator[str]:
        """`@Builder` on a constructor or a static method: its parameters are what is built from."""
        said = self.names.of(method.annotations)["Builder"]
        made = self.decl.name if method.name == "<init>" else spelled(method.returns)
        name = (_texts(said.get("builderClassName")) or [f"{made.partition('<')[0]}Builder"])[0]
        fields = [self._component(one) for one in method.params]
        given = ", ".join(self._built(one, "") for one in fields)
        call = (
            f"new {made}({given})" if method.name == "<init>" else f"{self.decl.name}.{method.name}({given})"
        )
        yield from self._builder(name, fields, said, made, call, "")

    def _builder(
        self, name: str, fields: list[_Field], said: dict[str, ir.Expr], made: str, call: str, extends: str
    ) -> Iterator[str]:
        start = (_texts(said.get("builderMethodName")) or ["builder"])[0]
        build = (_texts(said.get("buildMethodName")) or ["build"])[0]
        prefix = (_texts(said.get("setterPrefix")) or [""])[0]
        if self._free(start):
            yield f"public static {name} {start}() {{ return new {name}(); }}"
        if _flag(said, "toBuilder"):
            sets = " ".join(
                f"b.{one.name} = this.{one.name};"
                + (f" b.{one.name}$set = true;" if "Builder.Default" in one.has else "")
                for one in fields
            )
            yield f"public {name} toBuilder() {{ {name} b = new {name}(); {sets} return b; }}"
        lines = [line for one in fields for line in _setters(name, one, prefix)]
        hand = next((each for each in self.decl.types if each.name == name), None)
        if hand is None:
            lines.append(f"public {made} {build}() {{ return {call}; }}")
            yield f"public static class {name}{extends} {{ {' '.join(lines)} }}"

    def defaults(self) -> list[ir.MethodDecl]:
        """The initial values of `@Builder.Default`, each as the method that a builder asks for it."""
        found = []
        for one in self.decl.fields:
            if "Builder.Default" in self.names.of(one.annotations) and one.value is not None:
                body = (ir.Return(one.value, one.at),)
                found.append(
                    ir.MethodDecl(f"$default${one.name}", (), one.type, body, one.at, one.at, static=True)
                )
        return found


def _setters(builder: str, one: _Field, prefix: str) -> Iterator[str]:
    """The field of a builder, and the methods that set it."""
    name = f"{prefix}{one.title}" if prefix else one.base
    if "Singular" not in one.has:
        flag = f" this.{one.name}$set = true;" if "Builder.Default" in one.has else ""
        yield f"{one.type} {one.name}; boolean {one.name}$set;"
        yield f"public {builder} {name}({one.type} {one.name}) {{ this.{one.name} = {one.name};{flag} return this; }}"
        return
    single = (_texts(one.has["Singular"].get("value")) or [singular(one.base)])[0]
    single = f"{prefix}{single[:1].upper()}{single[1:]}" if prefix else single
    head, _, inner = one.type.partition("<")
    clear = f"public {builder} clear{one.title}() {{ this.{one.name} = null; return this; }}"
    if head.endswith("Map"):
        key, _, value = inner.removesuffix(">").partition(", ")
        kind, add = "java.util.LinkedHashMap", "putAll"
        one_more = f"{single}({key or 'Object'} key, {value or 'Object'} value)"
        put = f"this.{one.name}.put(key, value);"
    else:
        kind, add = "java.util.ArrayList", "addAll"
        one_more = f"{single}({inner.removesuffix('>') or 'Object'} value)"
        put = f"this.{one.name}.add(value);"
    made = f"if (this.{one.name} == null) this.{one.name} = new {kind}<>();"
    yield f"{kind}{'<' if inner else ''}{inner} {one.name};"
    yield f"public {builder} {one_more} {{ {made} {put} return this; }}"
    yield f"public {builder} {name}(Object values) {{ {made} this.{one.name}.{add}(values); return this; }}"
    yield clear


def singular(name: str) -> str:
    """What `@Singular` calls one of several."""
    for end, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", "")):
        if name.endswith(end) and len(name) > len(end):
            return name.removesuffix(end) + one
    return name


def spelled(ref: ir.TypeRef | None) -> str:
    """A type as Java source has it."""
    if ref is None:
        return "Object"
    if ref.name == "[]":
        return f"{spelled(ref.args[0])}[]" if ref.args else "Object[]"
    if ref.name.startswith("?"):
        how = "super" if "super" in ref.name else "extends"
        return f"? {how} {spelled(ref.args[0])}" if ref.args else "?"
    return f"{ref.name}<{', '.join(spelled(one) for one in ref.args)}>" if ref.args else ref.name


def _flag(said: dict[str, ir.Expr], name: str, other: bool = False) -> bool:
    value = said.get(name)
    return bool(value.value) if isinstance(value, ir.Const) else other


def _texts(value: ir.Expr | None) -> list[str]:
    if isinstance(value, ir.Const) and isinstance(value.value, str) and value.value:
        return [value.value]
    if isinstance(value, ir.Sequence):
        return [
            text for one in value.items for text in _texts(one if not isinstance(one, ir.Spread) else None)
        ]
    return []


def _is_none(said: dict[str, ir.Expr]) -> bool:
    """`AccessLevel.NONE`: no such member."""
    value = said.get("value")
    return isinstance(value, ir.Attribute | ir.Name) and value.name == "NONE"
