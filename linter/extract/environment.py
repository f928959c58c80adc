"""Nodes of YAML -> `EnvEntry`s: what compose files, Kubernetes objects and Helm values set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.extract.launches import of_service, pairs
from subdrift.linter.extract.masks import unmask
from subdrift.linter.model.commands import interpolated
from subdrift.linter.model.facts import EnvEntry, Launch, Mount
from subdrift.linter.model.location import Span

if TYPE_CHECKING:
    from yaml.nodes import Node

LEVELS_MAX = 40
"""Levels of a deployment file searched for environment settings."""

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*\Z")
_ENV_LISTS = ("env", "extraEnv", "extraEnvs", "extraEnvVars", "environment", "envs", "envVars")
_OF_SERVICES = ("image", "build", "extends", "environment", "env_file", "command", "entrypoint", "volumes")
_TEMPLATE = re.compile(r"\{\{.*?\}\}")
_OF_VALUES = re.compile(r"\{\{-?\s*\.Values\.([\w.-]+?)\s*(?:\|\s*(?:quote|squote|toString|trim)\s*)*-?\}\}")
_PLAIN_VALUE = re.compile(r"\{\{[\w.-]+\}\}")
_FILE = re.compile(r"\.(?:ya?ml|properties|json|xml|conf|ini|toml|sh|txt)\Z")


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
    if kind in ("ConfigMap", "Secret") and "apiVersion" in top:
        made.environment = _data(top, kind)
    elif "apiVersion" not in top and _is_compose(top.get("services")):
        _composed(top["services"], made)
    else:
        _nested(root, made)
    made.environment.sort(key=lambda entry: entry.at)
    return made


def _data(top: dict[str, Any], kind: str) -> list[EnvEntry]:
    """The variables that a ConfigMap keeps, or a Secret whose texts are not encoded."""
    data = top.get("data" if kind == "ConfigMap" else "stringData")
    holder = _held_name(top.get("metadata"))
    return [
        replace(entry, holder=holder)
        for entry in _map(data, compose=False)
        if not _FILE.search(entry.variable)
    ]


def _is_compose(services: Any) -> bool:
    return any(key.value in _OF_SERVICES for _, service in pairs(services) for key, _ in pairs(service))


def _composed(services: Any, made: Deployed) -> None:
    """What each service of a compose file is told."""
    import yaml

    for key, service in pairs(services):
        _start(made, service, key.value, compose=True)
        for name, value in pairs(service):
            if name.value == "environment":
                found = _listed(value, True) if isinstance(value, yaml.SequenceNode) else _map(value, True)
                made.environment += (replace(entry, process=key.value) for entry in found)


def _nested(root: Any, made: Deployed) -> None:
    """What containers are told, at whatever depth; of a values file the lists of variables."""
    import yaml

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
        container = _container(node)
        process = container or process
        if container:
            containers[container] = None
            _start(made, node, process, compose=False)
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name == "initContainers":
                continue  # they end before the application starts
            if name in _ENV_LISTS:
                if isinstance(value, yaml.SequenceNode):
                    made.environment += (replace(entry, process=process) for entry in _listed(value, False))
                    continue
                if isinstance(value, yaml.MappingNode) and _looks_like_environment(value):
                    made.environment += (replace(entry, process=process) for entry in _map(value, False))
                    continue
            if name in ("configMap", "secret") and (holder := _held_name(value)):
                maps.append(Mount(f"configmap:{holder}", "", _around(key, value)))
            stack.append((value, level + 1, process))
    # a pod's volumes stand beside its containers
    made.mounts += [replace(one, process=name) for one in maps for name in containers or ("",)]


def _start(made: Deployed, service: Any, process: str, *, compose: bool) -> None:
    launches, mounts = of_service(service, process, compose)
    made.launches += launches
    made.mounts += mounts


def _held_name(node: Any) -> str:
    """The name an object refers to another by, "" where a chart makes it."""
    import yaml

    held = node.value if isinstance(node, yaml.MappingNode) else ()
    texts = (
        unmask(str(value.value)) for key, value in held if getattr(key, "value", "") in ("name", "secretName")
    )
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

    for key, value in pairs(node):
        if NAME.match(key.value) and isinstance(value, yaml.ScalarNode):
            null = value.style not in ("'", '"', "|", ">") and value.value in ("", "~", "null")
            text = None if null and compose else _text(value.value, compose)
            yield EnvEntry(key.value, text, "", _around(key, value), template=_template(value.value, compose))


def _listed(node: Any, compose: bool) -> Iterator[EnvEntry]:
    """`- NAME=value` of compose, `- {name:, value:}` and `valueFrom` of Kubernetes."""
    import yaml

    for item in node.value:
        if isinstance(item, yaml.ScalarNode):
            name, equals, value = item.value.partition("=")
            if NAME.match(name.strip()):
                text = _text(value, compose) if equals else None
                at = _around(item, item)
                yield EnvEntry(name.strip(), text, "", at, template=_template(value, compose))
        elif isinstance(item, yaml.MappingNode):
            held = {key.value: value for key, value in item.value if isinstance(key, yaml.ScalarNode)}
            name_node, value_node = held.get("name"), held.get("value")
            if not isinstance(name_node, yaml.ScalarNode) or not NAME.match(name_node.value):
                continue
            text, template = None, ""
            if isinstance(value_node, yaml.ScalarNode):
                text = _text(value_node.value, compose)
                template = _template(value_node.value, compose)
            at = _around(name_node, value_node or name_node)
            yield EnvEntry(name_node.value, text, "", at, template=template)


def _template(value: str, compose: bool) -> str:
    """What a text is made of: a Helm template of nothing but values of the chart, `{{path}}` for each; a text of a compose
    file with variables in it; "" for another text."""
    value = unmask(value)
    if compose:
        return value if "$" in value else ""
    plain = _OF_VALUES.sub(r"{{\1}}", value)
    return plain if plain != value and "{{" not in _PLAIN_VALUE.sub("", plain) else ""


def _text(value: str, compose: bool) -> str | None:
    value = unmask(value)
    if _TEMPLATE.search(value):
        return None
    return interpolated(value, {}) if compose else value


def _around(first: Any, last: Any) -> Span:
    start, end = first.start_mark, last.end_mark
    if (end.line, end.column) < (start.line, start.column):
        end = first.end_mark
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
