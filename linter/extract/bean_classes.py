"""Spring bean files -> configuration classes: a bean is what a method makes, as a `@Bean` method would say it.

A file is a class of its name, each `beans` inside another one a class in that. What a bean is given by name, or as a text
with placeholders, is a parameter of its method: the container hands it over. Mirrors BeanDefinitionParserDelegate, Spring
Framework 5.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.extract.xml import Element
from subdrift.linter.model import ir
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.walk import nodes

PARENTS_MAX = 16
"""Beans above one bean."""

_CONTEXT = "org.springframework.context.annotation."
_CONFIG = "org.springframework.beans.factory.config."
CONFIGURERS = frozenset(
    {
        "PropertyPlaceholderConfigurer",
        "PropertySourcesPlaceholderConfigurer",
        "PreferencesPlaceholderConfigurer",
    }
)
"""Beans that are there to fill placeholders."""
_INVOKERS = frozenset({"MethodInvokingFactoryBean", "MethodInvokingBean"})
_HELD = {
    "ListFactoryBean": "sourceList",
    "SetFactoryBean": "sourceSet",
    "MapFactoryBean": "sourceMap",
    "PropertiesFactoryBean": "properties",
}
"""Beans that stand for what one of their properties holds."""
_MADE_OF = {
    "list": "java.util.ArrayList",
    "set": "java.util.LinkedHashSet",
    "map": "java.util.LinkedHashMap",
    "props": "java.util.Properties",
    "properties": "java.util.Properties",
}
"""Elements that hold others, with what is made of them."""
_OF_UTIL = frozenset({"list", "set", "map", "properties", "constant"})
"""Elements that are beans by themselves."""
_INHERITED = ("class", "init-method", "factory-bean", "factory-method", "scope", "autowire")
_LISTED = re.compile(r"[,;\s]+")
_TESTED = re.compile(r"[$#]\{")


def lowered(name: str, root: Element, broken: Span | None) -> ir.Unit | None:
    """The class of a bean file with this name; None where it declares nothing. `broken`: where it can not be read."""
    if root.tag not in ("beans", "blueprint"):
        return None
    made = _File(root)
    decl = made.class_of(root, name.rpartition(".")[0].replace(".", "-") or name, ())
    every = list(nodes(decl))
    types = {one.type.name for one in every if isinstance(one, ir.New)} | made.named
    calls = {(one.name, len(one.args)) for one in every if isinstance(one, ir.Call)}
    calls |= {(one.type.name.rpartition(".")[2], len(one.args)) for one in every if isinstance(one, ir.New)}
    imports = (ir.Import(each, each.rpartition(".")[2], _at(START)) for each in sorted(types) if "." in each)
    return ir.Unit(
        "java",
        "",
        tuple(imports),
        (decl,),
        tuple(sorted(calls)),
        tuple(sorted({each.rpartition(".")[2] for each in types})),
        (_at(broken),) if broken is not None else (),
    )


class _Bean(Struct):
    """A bean with what it has from those above it: attributes, arguments and properties by their names."""

    attributes: dict[str, str]
    arguments: list[Element]
    properties: dict[str, Element]


class _Body(Struct):
    """A method on its way: what it does so far, and what it is handed."""

    name: str
    statements: list[ir.Stmt] = field(default_factory=list)
    params: list[ir.Param] = field(default_factory=list)

    def handed(self, at: ir.At, ref: ir.TypeRef | None, annotation: str, value: str) -> ir.Expr:
        name = f"value{len(self.params)}"
        said = ir.Argument(ir.Const(value, at), "name" if annotation == "Resource" else "value")
        self.params.append(ir.Param(name, ref, at, annotations=(ir.Annotation(annotation, (said,), at),)))
        return ir.Name(name, at)

    def bean(self, name: str, at: ir.At) -> ir.Expr:
        """The bean of a name."""
        return self.handed(at, None, "Resource", name)

    def made(self, type_: str, at: ir.At) -> ir.Name:
        """A new object of a library's type, kept in a variable."""
        name = ir.Name(f"made{len(self.statements)}", at)
        self.statements.append(ir.Let(name.name, ir.TypeRef(type_), ir.New(ir.TypeRef(type_), (), at), at))
        return name

    def call(self, target: ir.Expr, name: str, at: ir.At, *values: ir.Expr) -> None:
        self.statements.append(ir.Do(_call(target, name, at, values), at))


class _File:
    """The beans of one file."""

    def __init__(self, root: Element) -> None:
        self.named: set[str] = set()  # types that are named, and not made
        self._names: set[str] = set()
        self._inner: list[tuple[Element, str]] = []
        self._by_name: dict[str, Element] = {}
        self._aliases: dict[str, list[str]] = {}
        for element in root.walk():
            if element.tag == "bean":
                for name in _names(element):
                    self._by_name.setdefault(name, element)
            elif element.tag == "alias":
                told = self._aliases.setdefault(element.attributes.get("name", ""), [])
                told.append(element.attributes.get("alias", ""))

    def class_of(self, beans: Element, name: str, profiles: tuple[str, ...]) -> ir.ClassDecl:
        """The class of a `beans` element."""
        at = _at(beans.at)
        own = beans.attributes.get("profile", "").strip()
        imports = [each.attributes.get("resource", "") for each in beans.all("import")]
        scans = [each.attributes.get("base-package", "") for each in beans.all("component-scan")]
        said = [("Configuration", ()), ("Profile", _LISTED.split(own)), ("ImportResource", imports)]
        said.append(("ComponentScan", [each for text in scans for each in _LISTED.split(text)]))
        annotations = tuple(
            ir.Annotation(f"{_CONTEXT}{kind}", _listed(values, at), at)
            for kind, values in said
            if kind == "Configuration" or any(values)
        )
        methods: list[ir.MethodDecl] = []
        for element in beans.children:
            if element.tag in ("bean", *_OF_UTIL):
                methods += self._methods(element, beans.attributes)
        inside = [each for each in beans.children if each.tag == "beans"]
        types = tuple(self.class_of(each, f"beans{n}", ()) for n, each in enumerate(inside))
        return ir.ClassDecl(
            name, "class", at, at, annotations=annotations, methods=tuple(methods), types=types, static=True
        )

    def _methods(self, element: Element, defaults: Mapping[str, str]) -> Iterator[ir.MethodDecl]:
        """The method of a bean, and those of the beans inside it."""
        names = _names(element) or [self._numbered(element)]
        first = self._method(element, names, defaults, inner=False)
        if first is None:
            return
        yield first
        while self._inner:
            bean, name = self._inner.pop(0)
            one = self._method(bean, [name], defaults, inner=True)
            if one is not None:
                yield one

    def _numbered(self, element: Element) -> str:
        """The name of a bean that says none."""
        stem = element.attributes.get("class") or element.attributes.get("parent") or element.tag
        number = 0
        while f"{stem}#{number}" in self._names:
            number += 1
        self._names.add(f"{stem}#{number}")
        return f"{stem}#{number}"

    def _method(
        self, element: Element, names: list[str], defaults: Mapping[str, str], *, inner: bool
    ) -> ir.MethodDecl | None:
        at = _at(element.at)
        body = _Body(names[0])
        init, returns = "", None
        if element.tag != "bean":
            value: ir.Expr | None = self._element(element, body)
            returns = ir.TypeRef(_MADE_OF[element.tag]) if element.tag in _MADE_OF else None
        elif element.attributes.get("abstract") == "true":
            return None
        else:
            bean = self._whole(element, 0)
            init = bean.attributes.get("init-method", defaults.get("default-init-method", ""))
            for name in _LISTED.split(element.attributes.get("depends-on", "").strip()):
                if name:
                    body.bean(name, at)
            value, returns = self._object(bean, body, at, defaults)
        if value is None:
            return None
        body.statements.append(ir.Return(value, at))
        lazy = element.attributes.get("lazy-init", "default")
        said = {
            "Lazy": lazy == "true" or (lazy == "default" and defaults.get("default-lazy-init") == "true"),
            "Primary": element.attributes.get("primary") == "true",
        }
        hidden = inner or element.attributes.get("autowire-candidate") == "false"
        every = [*names, *(alias for each in names for alias in self._aliases.get(each, ()))]
        arguments = [*_listed(every, at, "name")]
        if init:
            arguments.append(ir.Argument(ir.Const(init, at), "initMethod"))
        if hidden:
            arguments.append(ir.Argument(ir.Const(False, at), "autowireCandidate"))
        annotations = [ir.Annotation(f"{_CONTEXT}Bean", tuple(arguments), at)]
        annotations += [ir.Annotation(f"{_CONTEXT}{name}", (), at) for name, holds in said.items() if holds]
        scope = bean.attributes.get("scope", "") if element.tag == "bean" else ""
        if scope and scope != "singleton":
            annotations.append(ir.Annotation(f"{_CONTEXT}Scope", _listed([scope], at), at))
        return ir.MethodDecl(
            names[0],
            tuple(body.params),
            returns,
            tuple(body.statements),
            at,
            at,
            annotations=tuple(annotations),
        )

    # -- beans ------------------------------------------------------------------------------------------------

    def _whole(self, element: Element, depth: int) -> _Bean:
        """A bean with what those above it give it."""
        above = self._by_name.get(element.attributes.get("parent", ""))
        found = _Bean({}, [], {})
        if above is not None and depth < PARENTS_MAX:
            found = self._whole(above, depth + 1)
        found.attributes = {name: found.attributes[name] for name in _INHERITED if name in found.attributes}
        found.attributes.update(element.attributes)
        arguments = [*element.all("constructor-arg"), *_short(element, "c:", "constructor-arg")]
        found.arguments = arguments or found.arguments
        for one in (*element.all("property"), *_short(element, "p:", "property")):
            name = one.attributes.get("name", "")
            found.properties[name] = _merged(found.properties.get(name), one)
        return found

    def _object(
        self, bean: _Bean, body: _Body, at: ir.At, defaults: Mapping[str, str]
    ) -> tuple[ir.Expr | None, ir.TypeRef | None]:
        """What a bean is, and the type it is known to have; None for one that nobody follows."""
        name = bean.attributes.get("class", "").strip().replace("$", ".")
        simple = name.rpartition(".")[2]
        factory = bean.attributes.get("factory-method", "")
        maker = bean.attributes.get("factory-bean", "")
        if _TESTED.search(name) or simple in CONFIGURERS or not (name or maker):
            return None, None
        if simple in _INVOKERS and name.startswith(_CONFIG):
            return self._invoked(bean, body, at), None
        if simple in _HELD and name.startswith(_CONFIG):
            held = bean.properties.get(_HELD[simple])
            return (self._value(held, body) if held is not None else None), None
        if name == f"{_CONFIG}FieldRetrievingFactoryBean":
            held = bean.properties.get("staticField")
            return (_dotted(_plain(held), at) if held is not None else None), None
        arguments = self._arguments(bean, body)
        if name == "java.lang.String" and not factory:
            return (arguments[0].value if arguments else ir.Const("", at)), ir.TypeRef("String")
        ref = ir.TypeRef(name)
        if maker:
            value: ir.Expr = ir.Call(body.bean(maker, at), factory, tuple(arguments), at, at)
        elif factory:
            self.named.add(name)
            value = ir.Call(_dotted(name, at), factory, tuple(arguments), at, at)
        else:
            value = ir.New(ref, tuple(arguments), at)
        known = None if maker or factory else ref
        it = ir.Name("it", at)
        body.statements.append(ir.Let(it.name, known, value, at))
        wiring = bean.attributes.get("autowire", "default")
        wiring = defaults.get("default-autowire", "no") if wiring == "default" else wiring
        if wiring in ("byName", "byType"):  # what the file itself gives comes later
            body.call(ir.Name("BeanFile", at), "autowired", at, it, ir.Const(wiring, at))
        for path, one in bean.properties.items():
            *way, last = path.split(".")
            place = _at(one.at)
            target: ir.Expr = it
            for part in way:
                target = _call(target, f"get{_capital(part)}", place, ())
            given = self._value(one, body)
            body.call(target, f"set{_capital(last)}", place, given)
        return it, known

    def _arguments(self, bean: _Bean, body: _Body) -> list[ir.Argument]:
        """The arguments of a constructor or a factory method, by their places or their names."""
        given = [(self._value(one, body), one.attributes) for one in bean.arguments]
        indexed = {int(said["index"]): value for value, said in given if said.get("index", "").isdecimal()}
        rest = [ir.Argument(value, said.get("name", "")) for value, said in given if "index" not in said]
        found: list[ir.Argument] = []
        while indexed or rest:
            at_hand = indexed.pop(len(found), None)
            if at_hand is not None:
                found.append(ir.Argument(at_hand))
            elif rest:
                found.append(rest.pop(0))
            else:
                break  # one is missing: such a bean is not made
        return sorted(found, key=lambda each: bool(each.name))

    def _invoked(self, bean: _Bean, body: _Body, at: ir.At) -> ir.Expr | None:
        """What a bean gives that calls a method."""
        held = bean.properties.get("arguments")
        inside = (
            next((each for each in held.children if each.tag in ("list", "array")), None) if held else None
        )
        if inside is not None:
            values = [self._element(each, body) for each in inside.children]
        else:
            values = [self._value(held, body)] if held is not None else []
        static = bean.properties.get("staticMethod")
        if static is not None:
            owner, _, name = _plain(static).rpartition(".")
        else:
            name = _plain(bean.properties["targetMethod"]) if "targetMethod" in bean.properties else ""
            owner = _plain(bean.properties["targetClass"]) if "targetClass" in bean.properties else ""
        if not name:
            return None
        if owner:
            self.named.add(owner)
            return _call(_dotted(owner, at), name, at, values)
        on = bean.properties.get("targetObject")
        return _call(self._value(on, body), name, at, values) if on is not None else None

    # -- values -----------------------------------------------------------------------------------------------

    def _value(self, element: Element, body: _Body) -> ir.Expr:
        """What a property, an argument or an entry is given."""
        at = _at(element.at)
        for name in ("ref", "value-ref"):
            if name in element.attributes:
                return body.bean(element.attributes[name], at)
        if "value" in element.attributes:
            return self._text(element.attributes["value"], at, body)
        inside = [each for each in element.children if each.tag not in ("key", "description", "meta")]
        lines = (_plain(element) if element.tag == "property" else "").splitlines()
        if lines and element.attributes.get("name", "").lower().endswith(
            "properties"
        ):  # written as in a file
            made = body.made(_MADE_OF["props"], at)
            for key, equals, value in (line.partition("=") for line in lines):
                if equals:
                    given = (self._text(key.strip(), at, body), self._text(value.strip(), at, body))
                    body.call(made, "setProperty", at, *given)
            return made
        if inside:
            return self._element(inside[0], body)
        return self._text(element.text.strip(), _place(element), body)

    def _element(self, element: Element, body: _Body) -> ir.Expr:
        at = _at(element.at)
        match element.tag:
            case "value":
                return self._text(element.text.strip(), _place(element), body)
            case "null":
                return ir.Const(None, at)
            case "ref" | "idref":
                said = element.attributes
                name = said.get("bean") or said.get("local") or said.get("parent") or ""
                return ir.Const(name, at) if element.tag == "idref" else body.bean(name, at)
            case "bean":
                name = self._numbered(element)
                self._inner.append((element, name))
                return body.bean(name, at)
            case "constant":
                return _dotted(element.attributes.get("static-field", ""), at)
            case "array":
                return ir.Sequence("array", tuple(self._element(each, body) for each in element.children), at)
            case "list" | "set":
                made = body.made(_MADE_OF[element.tag], at)
                for each in element.children:
                    body.call(made, "add", _at(each.at), self._element(each, body))
                return made
            case "map":
                made = body.made(_MADE_OF[element.tag], at)
                for entry in element.all("entry"):
                    key = self._key(entry, body)
                    body.call(made, "put", _at(entry.at), key, self._value(entry, body))
                return made
            case "props" | "properties" if "location" not in element.attributes:
                made = body.made(_MADE_OF[element.tag], at)
                for one in element.all("prop"):
                    key = self._text(one.attributes.get("key", ""), _at(one.at), body)
                    text = self._text(one.text.strip(), _place(one), body)
                    body.call(made, "setProperty", _at(one.at), key, text)
                return made
            case _:
                return ir.Opaque(element.tag, at)

    def _key(self, entry: Element, body: _Body) -> ir.Expr:
        at = _at(entry.at)
        if "key-ref" in entry.attributes:
            return body.bean(entry.attributes["key-ref"], at)
        inside = entry.child("key")
        return self._value(inside, body) if inside else self._text(entry.attributes.get("key", ""), at, body)

    def _text(self, text: str, at: ir.At, body: _Body) -> ir.Expr:
        """A text, which the container resolves where it has placeholders or expressions."""
        if _TESTED.search(text):
            return body.handed(at, ir.TypeRef("String"), "Value", text)
        return ir.Const(text, at)


def _names(element: Element) -> list[str]:
    """The names a bean says it has, its `id` first."""
    said = [element.attributes.get("id", ""), *_LISTED.split(element.attributes.get("name", ""))]
    return list(dict.fromkeys(each for each in said if each))


def _short(element: Element, prefix: str, tag: str) -> Iterator[Element]:
    """What the short form says, as the elements it stands for: `p:topic="t"`, `p:listener-ref="l"`, `c:_0="v"`."""
    for name, value in element.prefixed.items():
        if not name.startswith(prefix):
            continue
        name = name.removeprefix(prefix)
        kind = "ref" if name.endswith("-ref") else "value"
        name = name.removesuffix("-ref")
        place = ("index", name[1:]) if name[:1] == "_" else ("name", name)
        yield Element(tag, dict((place, (kind, value))), element.at)


def _merged(above: Element | None, own: Element) -> Element:
    """A property over that of the bean above: a collection that says so holds the elements of both."""
    inside = own.children[0] if own.children else None
    before = next(iter(above.children), None) if above is not None else None
    if inside is None or before is None or inside.attributes.get("merge") != "true":
        return own
    both = replace(inside, children=[*before.children, *inside.children])
    return replace(own, children=[both])


def _listed(values: Iterable[str], at: ir.At, name: str = "value") -> tuple[ir.Argument, ...]:
    items = tuple(ir.Const(each, at) for each in values if each)
    if not items:
        return ()
    return (ir.Argument(items[0] if len(items) == 1 else ir.Sequence("array", items, at), name),)


def _dotted(name: str, at: ir.At) -> ir.Expr:
    """A full name of a type, or of what it declares, as an expression."""
    first, *rest = name.strip().replace("$", ".").split(".")
    found: ir.Expr = ir.Name(first, at)
    for each in rest:
        found = ir.Attribute(found, each, at)
    return found


def _call(target: ir.Expr, name: str, at: ir.At, values: Iterable[ir.Expr]) -> ir.Call:
    return ir.Call(target, name, tuple(map(ir.Argument, values)), at, at)


def _plain(element: Element) -> str:
    """The text of a property as it is written."""
    return (element.attributes.get("value") or element.content("value") or element.text).strip()


def _capital(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}"


def _at(span: Span) -> ir.At:
    return span.line, span.column, span.end_line, span.end_column


def _place(element: Element) -> ir.At:
    return _at(element.text_at if element.text_at != START else element.at)
