"""Services of compose files and containers of Kubernetes -> what they start, and the files that are put into them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from subdrift.linter.extract.masks import unmask
from subdrift.linter.model.commands import split, words_of
from subdrift.linter.model.facts import Launch, Mount, Told
from subdrift.linter.model.location import Span

if TYPE_CHECKING:
    from yaml.nodes import Node


def of_service(service: Node, process: str, compose: bool) -> tuple[list[Launch], list[Mount]]:
    """What a service of a compose file, or a container of a Kubernetes object, starts and what is put into it."""
    import yaml

    held = _plain(service)
    starting, adding = ("entrypoint", "command") if compose else ("command", "args")
    texts: list[str] = []
    places: list[Span] = []
    for name in (starting, adding):
        node = held.get(name)
        if node is not None:
            given = _texts(node)
            texts += split(given[0]) if isinstance(node, yaml.ScalarNode) and given else given
            places.append(_span(node))
    launches = [Launch(words_of(texts), places[0], process, added=starting not in held)] if texts else []
    volumes = held.get("volumes")
    mounts = list(_mounts(volumes, process)) if isinstance(volumes, yaml.SequenceNode) else []
    return launches, [*mounts, *(_variables(held, process) if compose else _maps(held, process))]


def _variables(held: dict[str, Any], process: str) -> Iterator[Mount]:
    """Where else the variables of a service come from: the files of `env_file`, the service it extends, and the Dockerfile it
    is built from. A service without an image of its own is laid over that of the same name in another file."""
    import yaml

    named = held.get("env_file")
    items = named.value if isinstance(named, yaml.SequenceNode) else [named] if named is not None else []
    for item in items:
        if isinstance(item, yaml.MappingNode):
            item = _plain(item).get("path")
        if isinstance(item, yaml.ScalarNode) and "$" not in item.value:
            yield Mount(unmask(item.value), "", _span(item), process, Told.FILE)
    extended = held.get("extends")
    if extended is not None:
        file, service = _named(extended, file="", service="")
        if isinstance(extended, yaml.ScalarNode):
            service = unmask(extended.value)
        yield Mount(file, service, _span(extended), process, Told.BASE)
    build = held.get("build")
    if build is None:
        if extended is None and "image" not in held and held:
            yield Mount("", process, _span(next(iter(held.values()))), process, Told.BASE)
        return
    context, file = _named(build, context=".", dockerfile="Dockerfile")
    if isinstance(build, yaml.ScalarNode):
        context = unmask(build.value)
    if "$" not in context + file and ":" not in context:
        yield Mount(posixpath.join(context, file), context, _span(build), process, Told.IMAGE)


def _maps(held: dict[str, Any], process: str) -> Iterator[Mount]:
    """The ConfigMaps whose data become variables of a container, each with what their names begin with."""
    import yaml

    listed = held.get("envFrom")
    for item in listed.value if isinstance(listed, yaml.SequenceNode) else ():
        if not isinstance(item, yaml.MappingNode):
            continue
        given = _plain(item)
        prefix = given.get("prefix")
        for (name,) in [
            _named(given[kind], name="") for kind in ("configMapRef", "secretRef") if kind in given
        ]:
            if name and "{{" not in name:
                start = unmask(prefix.value) if isinstance(prefix, yaml.ScalarNode) else ""
                yield Mount(f"configmap:{name}", start, _span(item), process, Told.FILE)


def _named(node: Any, **defaults: str) -> tuple[str, ...]:
    """The texts of some keys of a mapping, each with what holds without it."""
    import yaml

    held = _plain(node)
    return tuple(
        unmask(value.value) if isinstance(value := held.get(name), yaml.ScalarNode) else default
        for name, default in defaults.items()
    )


def pairs(node: Any) -> list[tuple[Any, Any]]:
    """The keys and values of a mapping, with those that it merges in (`<<`) and does not have itself."""
    import yaml

    own: dict[str, tuple[Any, Any]] = {}
    pending = [node]
    seen: set[int] = set()
    while pending:
        current = pending.pop(0)
        if isinstance(current, yaml.SequenceNode):
            pending = [*current.value, *pending]
        if not isinstance(current, yaml.MappingNode) or id(current) in seen:
            continue
        seen.add(id(current))
        for key, value in current.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value == "<<":
                pending.append(value)
            else:
                own.setdefault(key.value, (key, value))
    return list(own.values())


def _plain(node: Any) -> dict[str, Any]:
    return {key.value: value for key, value in pairs(node)}


def _mounts(volumes: Any, process: str) -> Iterator[Mount]:
    """`./conf/application.yml:/app/application.yml:ro`, and the long form with `source` and `target`."""
    import yaml

    for item in volumes.value:
        if isinstance(item, yaml.ScalarNode):
            source, _, rest = unmask(item.value).partition(":")
            target = rest.partition(":")[0]
        elif isinstance(item, yaml.MappingNode):
            source, target = _named(item, source="", target="")
        else:
            continue
        if source.startswith(("./", "../")) and target.startswith("/"):
            yield Mount(source, target, _span(item), process)


def _texts(node: Any) -> list[str]:
    import yaml

    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    return [unmask(one.value) for one in nodes if isinstance(one, yaml.ScalarNode)]


def _span(node: Any) -> Span:
    start, end = node.start_mark, node.end_mark
    return Span(start.line + 1, start.column + 1, end.line + 1, max(end.column, 0) + 1)
