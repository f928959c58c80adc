"""Nodes of YAML -> `EnvEntry`s: what compose files, Kubernetes objects and Helm values set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.extract.launches import arguments, of_service, spelled_out
from subdrift.linter.extract.masks import unmask
from subdrift.linter.model.facts import EnvEntry, Launch, Mount
from subdrift.linter.model.location import Span

if TYPE_CHECKING:
    from yaml.nodes import Node

LEVELS_MAX = 40
"""Levels of a deployment file searched for environment settings."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*\Z")
VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?::?([-=?+])([^}]*))?\}|([A-Za-z_]\w*)|(\$))")
_ENV_LISTS = ("env", "extraEnv", "extraEnvs", "extraEnvVars", "environment", "envs", "envVars")
_TEMPLATE = re.compile(r"\{\{.*?\}\}")
_OF_VALUES = re.compile(r"\{\{-?\s*\.Values\.([\w.-]+?)\s*(?:\|\s*(?:quote|squote|toString|trim)\s*)*-?\}\}")
_FILE = re.compile(r"\.(?:ya?ml|properties|json|xml|conf|ini|toml|sh|txt)\Z")


def given(text: str) -> str | None:
    """The text a compose value gives: `${X:-d}` gives d, `${X}` comes from outside, `$$` is a dollar."""
    outside = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal outside
        if match[5]:
            return "$"
        if match[2] == "-" or match[2] == "=":
            return match[3]
        outside = True
        return ""

    result = VARIABLE.sub(replaced, text)
    return None if outside else result


class Deployed(Struct):
    """What one document of a deployment file sets, starts and mounts."""

    environment: list[EnvEntry] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    mounts: list[Mount] = field(default_factory=list)


def deployed(root: Node) -> Deployed:
    """What a compose file, a Kubernetes object or a values file sets, starts and mounts in one document."""
    import yaml

    made = Deployed()
    if not isinstance(root, yaml.MappingNode):
        return made
    top = {key.value: value for key, value in root.value if isinstance(key, yaml.ScalarNode)}
    kind = top["kind"].value if isinstance(top.get("kind"), yaml.ScalarNode) else ""
    if kind == "ConfigMap" and "apiVersion" in top:
        given_here = _map(top.get("data"), compose=False) if "data" in top else ()
        made.environment = [entry for entry in given_here if not _FILE.search(entry.variable)]
        return made
    compose = "services" in top and "apiVersion" not in top
    services = id(top["services"]) if compose else 0
    found: list[EnvEntry] = []
    containers: dict[str, None] = {}
    maps: list[Mount] = []
    stack: list[tuple[Any, int, str]] = [(root, 0, "")]
    seen: set[int] = set()
    while stack:
        node, level, process = stack.pop()
        if level > LEVELS_MAX or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            stack += [(item, level + 1, process) for item in node.value]
        if not isinstance(node, yaml.MappingNode):
            continue
        container = "" if compose else _container(node)
        process = container or process
        if container:
            containers[container] = None
            _start(made, node, process)
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name in _ENV_LISTS:
                if isinstance(value, yaml.SequenceNode):
                    found += (replace(entry, process=process) for entry in _listed(value, compose))
                    continue
                if isinstance(value, yaml.MappingNode) and _looks_like_environment(value):
                    found += (replace(entry, process=process) for entry in _map(value, compose))
                    continue
            if id(node) == services:
                _start(made, value, name)
            elif name == "configMap" and not compose and (holder := _held_name(value)):
                maps.append(Mount(f"configmap:{holder}", "", _around(key, value)))
            stack.append((value, level + 1, name if id(node) == services else process))
    # a pod's volumes stand beside its containers
    made.mounts += [replace(one, process=name) for one in maps for name in containers or ("",)]
    given_by_commands = [entry for launch in made.launches for entry in arguments(launch)]
    made.environment = sorted(spelled_out([*found, *given_by_commands]), key=lambda entry: entry.at)
    return made


def _start(made: Deployed, service: Any, process: str) -> None:
    launches, mounts = of_service(service, process)
    made.launches += launches
    made.mounts += mounts


def _held_name(node: Any) -> str:
    """The name an object refers to another by, "" where a chart makes it."""
    import yaml

    held = node.value if isinstance(node, yaml.MappingNode) else ()
    texts = (unmask(str(value.value)) for key, value in held if getattr(key, "value", "") == "name")
    name = next(texts, "")
    return "" if "{{" in name else name


def _container(node: Any) -> str:
    """The name of a Kubernetes container, "" for another mapping."""
    import yaml

    held = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    name = held.get("name")
    called = unmask(str(name.value)) if isinstance(name, yaml.ScalarNode) and "image" in held else ""
    return "" if "{{" in called else called


def _looks_like_environment(node: Any) -> bool:
    """Names in capitals with plain values: a map of variables, not an `env:` section of something else."""
    import yaml

    return bool(node.value) and all(
        isinstance(key, yaml.ScalarNode) and re.fullmatch(r"[A-Z_][A-Z0-9_.]*|<<", key.value)
        for key, _ in node.value
    )


def _map(node: Any, compose: bool) -> Iterator[EnvEntry]:
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.value == "<<":
            for source in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                yield from _map(source, compose)
        elif NAME.match(key.value) and isinstance(value, yaml.ScalarNode):
            null = value.style not in ("'", '"', "|", ">") and value.value in ("", "~", "null")
            yield EnvEntry(
                key.value,
                None if null and compose else _text(value.value, compose),
                "",
                _around(key, value),
                template="" if compose else _template(value.value),
            )


def _listed(node: Any, compose: bool) -> Iterator[EnvEntry]:
    """`- NAME=value` of compose, `- {name:, value:}` and `valueFrom` of Kubernetes."""
    import yaml

    for item in node.value:
        if isinstance(item, yaml.ScalarNode):
            name, equals, value = item.value.partition("=")
            if NAME.match(name.strip()):
                yield EnvEntry(
                    name.strip(), _text(value, compose) if equals else None, "", _around(item, item)
                )
        elif isinstance(item, yaml.MappingNode):
            held = {key.value: value for key, value in item.value if isinstance(key, yaml.ScalarNode)}
            name_node, value_node = held.get("name"), held.get("value")
            if not isinstance(name_node, yaml.ScalarNode) or not NAME.match(name_node.value):
                continue
            text = _text(value_node.value, compose) if isinstance(value_node, yaml.ScalarNode) else None
            template = _template(value_node.value) if isinstance(value_node, yaml.ScalarNode) else ""
            at = _around(name_node, value_node or name_node)
            yield EnvEntry(name_node.value, text, "", at, template="" if compose else template)


def _template(value: str) -> str:
    """A Helm template of nothing but values of the chart, `${path}` for each; "" for another text."""
    value = unmask(value)
    if "{{" not in value or "${" in value:
        return ""
    plain = _OF_VALUES.sub(r"${\1}", value)
    return "" if "{{" in plain else plain


def _text(value: str, compose: bool) -> str | None:
    value = unmask(value)
    if _TEMPLATE.search(value):
        return None
    return given(value) if compose else value


def _around(first: Any, last: Any) -> Span:
    start, end = first.start_mark, last.end_mark
    if (end.line, end.column) < (start.line, start.column):
        end = first.end_mark
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
