"""Spring bean files -> a configuration class, the settings they hold, and the files they bring in."""

from __future__ import annotations

from collections.abc import Iterator

from subdrift.linter.extract.bean_classes import CONFIGURERS, lowered
from subdrift.linter.extract.xml import Element, parse, xml_suppressions
from subdrift.linter.model.facts import ConfigEntry, FileFacts
from subdrift.linter.recognise import facts as recognised


def read_file(name: str, content: bytes) -> FileFacts | None:
    """What a Spring bean file declares, lowered to a configuration class; None where it declares no beans."""
    declares = any(each in content for each in (b"<beans", b":beans", b"<blueprint"))
    if not declares and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    parsed = parse(content)
    problems = (parsed.problem,) if parsed.problem is not None else ()
    if parsed.root is None:
        return FileFacts("xml", problems=problems)
    unit = lowered(name, parsed.root, parsed.problem.at if parsed.problem is not None else None)
    return FileFacts(
        "xml",
        imports=tuple(_imports(parsed.root)),
        types=recognised(unit).types if unit is not None else (),
        config=tuple(_properties(parsed.root)),
        suppressions=xml_suppressions(content, parsed),
        problems=problems,
        unit=unit,
    )


def _is_properties(bean: Element) -> bool:
    """Whether a bean brings settings that placeholders are filled from."""
    return bean.attributes.get("class", "").rpartition(".")[2] in ("PropertiesFactoryBean", *CONFIGURERS)


def _imports(root: Element) -> Iterator[str]:
    """Files this one brings in: `<import resource>`, property placeholders and `util:properties`; those of one configurer in
    one text, parted by commas, with `!` before where they stand above the environment."""
    for element in root.walk():
        if element.tag == "import" and "resource" in element.attributes:
            yield element.attributes["resource"]
        elif element.tag in ("property-placeholder", "properties") and "location" in element.attributes:
            above = element.attributes.get("local-override") == "true"
            yield f"{'!' * above}{element.attributes['location']}"
        elif element.tag == "bean" and _is_properties(element):
            held = [each for name in ("location", "locations") for each in _set(element, name)]
            above = "true" in _set(element, "localOverride")
            if held:
                yield f"{'!' * above}{','.join(held)}"


def _properties(root: Element) -> Iterator[ConfigEntry]:
    """Keys that are set inline: `util:properties`, and the properties of a `PropertiesFactoryBean` or a configurer."""
    for element in root.walk():
        holders = [element] if element.tag == "properties" else []
        if element.tag == "bean" and _is_properties(element):
            for one in element.all("property"):
                if one.attributes.get("name") in ("properties", "propertiesArray", "localProperties"):
                    holders += [each for each in one.walk() if each.tag == "props"]
        for holder in holders:
            for one in holder.all("prop"):
                if one.attributes.get("key"):
                    yield ConfigEntry(one.attributes["key"], one.text.strip(), (), 0, one.at)


def _set(bean: Element, name: str) -> Iterator[str]:
    """The texts a property is set to, alone or in a list."""
    for one in bean.all("property"):
        if one.attributes.get("name") == name:
            if "value" in one.attributes:
                yield one.attributes["value"]
            yield from (each.text.strip() for each in one.walk() if each.tag == "value")
