"""Spring bean files -> the beans they declare, the files they bring in, and consumer sites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from subdrift.linter.clients.apis import CLASSIC_ROOTS, LISTENER_MODES, ONS_PROPERTIES
from subdrift.linter.extract.xml import Element, parse, xml_suppressions
from subdrift.linter.model.expr import Expr, Interpolate, Literal, Name, Unknown, Why
from subdrift.linter.model.facts import (
    Attribute,
    ConfigEntry,
    ConsumerSite,
    FileFacts,
    Problem,
    Setting,
    SubscriptionSite,
    XmlBean,
)
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import phrase

REFERENCES_MAX = 16
"""References from bean to bean followed for one value."""

_PUSH = tuple(f"{root}.client.consumer.DefaultMQPushConsumer" for root in CLASSIC_ROOTS)
_LITE = tuple(f"{root}.client.consumer.DefaultLitePullConsumer" for root in CLASSIC_ROOTS)
_ONS = "com.aliyun.openservices.ons.api.bean."
_ONS_BEANS = {
    f"{_ONS}ConsumerBean": "",
    f"{_ONS}OrderConsumerBean": "ORDERLY",
    f"{_ONS}BatchConsumerBean": "",
}
_PROPERTIES = {
    "consumerGroup": Attribute.GROUP,
    "namespace": Attribute.NAMESPACE,
    "namespaceV2": Attribute.NAMESPACE_V2,
    "messageModel": Attribute.MESSAGE_MODEL,
    "instanceName": Attribute.INSTANCE_NAME,
    "unitName": Attribute.UNIT_NAME,
    "namesrvAddr": Attribute.NAME_SERVER,
    "consumeFromWhere": Attribute.CONSUME_FROM,
    "postSubscriptionWhenPull": Attribute.POST_SUBSCRIPTION,
}


def read_file(name: str, content: bytes) -> FileFacts | None:
    """The consumers a Spring bean file declares; None where it declares no beans."""
    declares = any(each in content for each in (b"<beans", b":beans", b"<blueprint"))
    if not declares and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    parsed = parse(content)
    problems = (parsed.problem,) if parsed.problem is not None else ()
    if parsed.root is None:
        return FileFacts("xml", problems=problems)
    beans = _BeanFile(parsed.root)
    sites = tuple(
        site
        for element in parsed.root.walk()
        if element.tag == "bean"
        for site in beans.site(element, broken=parsed.problem is not None)
    )
    return FileFacts(
        "xml",
        imports=tuple(beans.imports()),
        config=tuple(beans.properties()),
        sites=sites,
        suppressions=xml_suppressions(content, parsed),
        problems=(*problems, *beans.problems),
        beans=tuple(_declared(parsed.root)),
    )


def _declared(root: Element) -> Iterator[XmlBean]:
    """The beans and component scans of a file, those inside other beans left out."""
    stack: list[tuple[Element, tuple[str, ...], bool]] = [(root, (), False)]
    starts = any(each.attributes.get("default-init-method") for each in root.walk() if each.tag == "beans")
    while stack:
        element, profiles, lazily = stack.pop()
        if element.tag == "beans":
            own = element.attributes.get("profile", "").strip()
            profiles = (*profiles, own) if own else profiles
            lazily = element.attributes.get("default-lazy-init") == "true"
            stack += [(child, profiles, lazily) for child in reversed(element.children)]
        elif element.tag == "bean" and element.attributes.get("class"):
            if element.attributes.get("abstract") != "true":
                lazy = element.attributes.get("lazy-init", "")
                yield XmlBean(
                    element.attributes["class"],
                    profiles,
                    element.at,
                    lazy=lazy == "true" or (lazily and lazy != "false"),
                    prototype=element.attributes.get("scope", "singleton") != "singleton",
                    starts=starts or "init-method" in element.attributes,
                )
        elif element.tag == "component-scan":
            yield XmlBean(element.attributes.get("base-package", ""), profiles, element.at, scan=True)


def _is_properties(bean: Element) -> bool:
    """Whether a bean brings settings that placeholders are filled from."""
    return bean.attributes.get("class", "").rpartition(".")[2] in (
        "PropertiesFactoryBean",
        "PropertyPlaceholderConfigurer",
        "PropertySourcesPlaceholderConfigurer",
        "PreferencesPlaceholderConfigurer",
    )


class _BeanFile:
    """The beans of one file, with references among them."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.problems: list[Problem] = []
        self._by_id: dict[str, Element] = {}
        for element in root.walk():
            names = [
                element.attributes.get("id", ""),
                *re.split(r"[,; ]+", element.attributes.get("name", "")),
            ]
            if element.tag in ("bean", "map", "properties", "list", "set", "constant"):
                for name in names:
                    if name:
                        self._by_id.setdefault(name, element)

    def imports(self) -> Iterator[str]:
        """Files this one brings in: `<import resource>`, property placeholders and `util:properties`; those of one
        configurer in one text, parted by commas, with `!` before where they stand above the environment."""
        for element in self.root.walk():
            if element.tag == "import" and "resource" in element.attributes:
                yield element.attributes["resource"]
            elif element.tag in ("property-placeholder", "properties") and "location" in element.attributes:
                above = element.attributes.get("local-override") == "true"
                yield f"{'!' * above}{element.attributes['location']}"
            elif element.tag == "bean" and _is_properties(element):
                held = [each for name in ("location", "locations") for each in self._set(element, name)]
                above = "true" in self._set(element, "localOverride")
                if held:
                    yield f"{'!' * above}{','.join(held)}"

    def properties(self) -> Iterator[ConfigEntry]:
        """Keys that are set inline: `util:properties`, and the properties of a `PropertiesFactoryBean` or a configurer."""
        for element in self.root.walk():
            holders = [element] if element.tag == "properties" else []
            if element.tag == "bean" and _is_properties(element):
                for one in element.all("property"):
                    if one.attributes.get("name") in ("properties", "propertiesArray", "localProperties"):
                        holders += [each for each in one.walk() if each.tag == "props"]
            for holder in holders:
                for one in holder.all("prop"):
                    if one.attributes.get("key"):
                        yield ConfigEntry(one.attributes["key"], one.text.strip(), (), 0, one.at)

    @staticmethod
    def _set(bean: Element, name: str) -> Iterator[str]:
        """The texts a property is set to, alone or in a list."""
        for one in bean.all("property"):
            if one.attributes.get("name") == name:
                if "value" in one.attributes:
                    yield one.attributes["value"]
                yield from (each.text.strip() for each in one.walk() if each.tag == "value")

    def site(self, bean: Element, broken: bool) -> Iterator[ConsumerSite]:
        class_name = self._class(bean, 0)
        if bean.attributes.get("abstract") == "true":
            return
        if class_name in _PUSH or class_name in _LITE:
            yield self._classic(bean, class_name, broken)
        elif class_name in _ONS_BEANS:
            yield self._ons(bean, class_name, broken)

    def _class(self, bean: Element, depth: int) -> str:
        own = bean.attributes.get("class", "")
        parent = bean.attributes.get("parent", "")
        if own or not parent or depth > REFERENCES_MAX or parent not in self._by_id:
            return own
        return self._class(self._by_id[parent], depth + 1)

    def _properties(self, bean: Element, depth: int = 0) -> dict[str, tuple[Element, str]]:
        """Property elements by name (value "" where it is an element inside), own ones over the parent's.

        The short form `p:consumerGroup="g"` is an attribute of the bean itself.
        """
        found: dict[str, tuple[Element, str]] = {}
        parent = self._by_id.get(bean.attributes.get("parent", ""))
        if parent is not None and depth < REFERENCES_MAX:
            found.update(self._properties(parent, depth + 1))
        for name, value in bean.attributes.items():
            if name in _PROPERTIES:
                found[name] = (bean, value)
        for element in bean.all("property"):
            found[element.attributes.get("name", "")] = (element, "")
        return found

    def _classic(self, bean: Element, class_name: str, broken: bool) -> ConsumerSite:
        settings = self._constructor(bean)
        subscriptions: list[SubscriptionSite] = []
        properties = self._properties(bean)
        for name, (element, short) in properties.items():
            attribute = _PROPERTIES.get(name)
            if attribute is not None:
                value = _text(short, element.at) if short else self._value(element)
                settings.append(Setting(attribute, value, element.at))
        if "messageListener" in properties:
            element = properties["messageListener"][0]
            mode = self._listener_mode(element)
            if mode is not None:
                settings.append(Setting(Attribute.CONSUME_MODE, mode, element.at))
        if "subscription" in properties:
            element = properties["subscription"][0]
            table = self._map(element)
            if table is None:
                unknown = Unknown(Why.UNSUPPORTED, phrase("subscription-not-a-map"), element.at)
                subscriptions.append(SubscriptionSite(element.at, unknown, None, None))
            for entry in table or []:
                key, value = self._key(entry), self._value(entry)
                subscriptions.append(SubscriptionSite(entry.at, key, value, None))
        api = "push" if class_name in _PUSH else "lite-pull"
        return ConsumerSite(
            api, bean.at, _symbol(bean, class_name), "", tuple(settings), tuple(subscriptions), broken=broken
        )

    def _constructor(self, bean: Element) -> list[Setting]:
        """(group), (namespace, group) and forms with hooks: texts are the namespace where there are two, then the group."""
        arguments = bean.all("constructor-arg")
        named = [a for a in arguments if a.attributes.get("name") in ("consumerGroup", "namespace")]
        if named:
            return [Setting(_PROPERTIES[a.attributes["name"]], self._value(a), a.at) for a in named]
        ordered = sorted(
            arguments,
            key=lambda a: int(a.attributes["index"]) if a.attributes.get("index", "").isdecimal() else 0,
        )
        texts = [a for a in ordered if "ref" not in a.attributes and not a.all("ref") and not a.all("bean")]
        texts = [a for a in texts if self._plain(a) not in ("true", "false")]
        if len(texts) >= 2 and texts[1] is ordered[1]:
            return [
                Setting(Attribute.NAMESPACE, self._value(texts[0]), texts[0].at),
                Setting(Attribute.GROUP, self._value(texts[1]), texts[1].at),
            ]
        return [Setting(Attribute.GROUP, self._value(texts[0]), texts[0].at)] if texts else []

    def _listener_mode(self, element: Element) -> Expr | None:
        target = self._reference(element)
        name = self._class(target, 0) if target is not None else ""
        if not name:
            return None
        for simple, mode in LISTENER_MODES.items():
            if simple in name.rpartition(".")[2]:
                return Literal(mode, element.at)
        return None

    def _ons(self, bean: Element, class_name: str, broken: bool) -> ConsumerSite:
        properties = self._properties(bean)
        settings: list[Setting] = []
        if _ONS_BEANS[class_name]:
            settings.append(
                Setting(Attribute.CONSUME_MODE, Literal(_ONS_BEANS[class_name], bean.at), bean.at)
            )
        keys: dict[str, Setting] = {}
        if "properties" in properties:
            for key, value, at in self._props(properties["properties"][0]):
                attribute = ONS_PROPERTIES.get(key)
                if attribute is not None:
                    keys[key] = Setting(attribute, value, at)
        if "GROUP_ID" in keys:
            keys.pop("ConsumerId", None)
        settings += keys.values()
        subscriptions: list[SubscriptionSite] = []
        if "subscriptionTable" in properties:
            element = properties["subscriptionTable"][0]
            typed = class_name.endswith(".ConsumerBean")
            subscriptions += [self._subscription(entry, typed) for entry in self._map(element) or []]
        return ConsumerSite(
            "ons-bean",
            bean.at,
            _symbol(bean, class_name),
            "",
            tuple(settings),
            tuple(subscriptions),
            broken=broken,
        )

    def _subscription(self, entry: Element, typed: bool) -> SubscriptionSite:
        """An entry whose key is a `Subscription` bean, inside or referred to."""
        key = entry.child("key")
        target: Element | None = None
        if key is not None:
            target = key.child("bean") or self._reference(key)
        if target is None and "key-ref" in entry.attributes:
            target = self._by_id.get(entry.attributes["key-ref"])
        if target is None:
            unknown = Unknown(
                Why.UNDEFINED, entry.attributes.get("key-ref", phrase("subscription")), entry.at
            )
            return SubscriptionSite(entry.at, unknown, None, None)
        held = {element.attributes.get("name", ""): element for element in target.all("property")}
        short = {name: value for name, value in target.attributes.items() if name in ("topic", "expression")}

        def of(name: str) -> Expr | None:
            if name in held:
                return self._value(held[name])
            return _text(short[name], target.at) if name in short else None

        topic = of("topic") or Unknown(Why.UNDEFINED, "topic", target.at)
        at = held["topic"].at if "topic" in held else target.at
        return SubscriptionSite(at, topic, of("expression"), of("type") if typed else None)

    def _props(self, element: Element) -> Iterator[tuple[str, Expr, Span]]:
        target = element
        if "ref" in element.attributes or element.child("ref") is not None:
            referred = self._reference(element)
            if referred is None:
                return
            target = referred
        holders = [target, *target.all("props"), *target.all("map"), *target.all("value")]
        for argument in target.all("constructor-arg") + [
            p for p in target.all("property") if p.attributes.get("name") in ("properties", "sourceMap")
        ]:
            holders += [*argument.all("props"), *argument.all("map")]
        for holder in holders:
            for prop in holder.all("prop"):
                yield prop.attributes.get("key", ""), _text(prop.text.strip(), _place(prop)), prop.at
            for entry in holder.all("entry"):
                key = self._key(entry)
                text = key.text if isinstance(key, Interpolate) else key
                if isinstance(text, Literal):
                    yield text.text, self._value(entry), entry.at
            if holder.tag == "value":
                for line in holder.text.splitlines():
                    name, equals, value = line.strip().partition("=")
                    if equals:
                        yield name.strip(), _text(value.strip(), holder.at), holder.at

    def _map(self, element: Element) -> list[Element] | None:
        held = element.child("map")
        if held is None:
            target = self._reference(element)
            if target is not None:
                held = target if target.tag == "map" else None
                if held is None:
                    held = next((e for e in target.walk() if e.tag == "map"), None)
        return held.all("entry") if held is not None else None

    def _key(self, entry: Element) -> Expr:
        if "key" in entry.attributes:
            return _text(entry.attributes["key"], entry.at)
        key = entry.child("key")
        return self._value(key) if key is not None else Unknown(Why.UNDEFINED, phrase("key"), entry.at)

    def _reference(self, element: Element) -> Element | None:
        """The bean an element stands for: inside it, or by `ref`."""
        inner = element.child("bean")
        if inner is not None:
            return inner
        name = element.attributes.get("ref") or element.attributes.get("value-ref", "")
        reference = element.child("ref")
        if not name and reference is not None:
            name = reference.attributes.get("bean") or reference.attributes.get("local", "")
        return self._by_id.get(name)

    def _plain(self, element: Element) -> str:
        return (element.attributes.get("value") or element.content("value") or element.text).strip()

    def _value(self, element: Element) -> Expr:
        """The text of a property, entry, key or constructor argument."""
        if "value" in element.attributes:
            return _text(element.attributes["value"], element.at)
        inner = element.child("value")
        if inner is not None:
            return _text(inner.text.strip(), _place(inner))
        constant = next((e for e in element.children if e.tag == "constant"), None)
        if constant is None and ("ref" in element.attributes or element.child("ref") is not None):
            target = self._reference(element)
            constant = target if target is not None and target.tag == "constant" else None
        if constant is not None:
            owner, _, member = constant.attributes.get("static-field", "").rpartition(".")
            return Name((f"{owner}#{member}",), constant.at)
        if element.child("null") is not None:
            return Unknown(Why.UNDEFINED, "null", element.at)
        if element.text.strip():
            return _text(element.text.strip(), _place(element))
        if element.child("bean") is not None:
            return self._made(element.children[0], element.at)
        return Unknown(Why.UNSUPPORTED, phrase("reference-to-another-bean"), element.at)

    def _made(self, bean: Element, at: Span) -> Expr:
        """A text made by a bean: `java.lang.String`, or a field read by FieldRetrievingFactoryBean."""
        class_name = bean.attributes.get("class", "")
        if class_name == "java.lang.String" and bean.all("constructor-arg"):
            return self._value(bean.all("constructor-arg")[0])
        if class_name.endswith("FieldRetrievingFactoryBean"):
            field_name = next(
                (self._plain(p) for p in bean.all("property") if p.attributes.get("name") == "staticField"),
                "",
            )
            owner, _, member = field_name.rpartition(".")
            if member:
                return Name((f"{owner}#{member}",), at)
        return Unknown(Why.UNSUPPORTED, phrase("bean-of", class_name), at)


def _place(element: Element) -> Span:
    return element.text_at if element.text_at != START else element.at


def _text(text: str, at: Span) -> Expr:
    return Interpolate(Literal(text, at), at)


def _symbol(bean: Element, class_name: str) -> str:
    """The bean's id or name, else the simple name of its class."""
    return bean.attributes.get("id") or bean.attributes.get("name") or class_name.rpartition(".")[2]
