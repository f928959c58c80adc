"""Command lines of deployment files -> the programs they start, and what they tell them.

A Java process is told by `-Dkey=text` before its class and by `--key=text` behind it, by `SPRING_APPLICATION_JSON`, and by
the options the JVM takes from its environment; all of it becomes `EnvEntry`s whose variable is the key as written.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter.extract.masks import unmask
from subdrift.linter.model.facts import EnvEntry, Launch, Mount, Told
from subdrift.linter.model.location import Span

if TYPE_CHECKING:
    from yaml.nodes import Node

WORDS_MAX = 500
"""Words of one command line."""

VALUES_MAX = 2_000
"""Values of one JSON text that are told a process."""

CHARS_MAX = 1 << 20
"""Characters of their keys."""

_SYSTEM = re.compile(r"-D(%?[\w.\-\[\]]+)=(.*)", re.S)
_ARGUMENT = re.compile(r"--([\w.\-\[\]]+)=(.*)", re.S)
_DASHED = re.compile(r"(-(?!D)[A-Za-z][\w\-]*(?:\.[\w\-\[\]]+)+)=(.*)", re.S)
"""An argument with one dash, which some frameworks read: the dash stays with its key."""
_SHELLS = re.compile(r"(?:.*/)?(?:ba|da|a|z)?sh")
_VARIABLE = re.compile(r"\$\{?[A-Za-z_(]")
_JVM_OPTIONS = frozenset(
    {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "JAVA_OPTIONS", "_JAVA_OPTIONS"}
)


def words_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """The words of a command line; a command handed to a shell is taken apart."""
    words = split(given) if isinstance(given, str) else list(given)
    found: list[str] = []
    handed = False
    for word in words[:WORDS_MAX]:
        found += split(word) if handed else [word]
        handed = word == "-c" and bool(found[:-1]) and _SHELLS.fullmatch(found[-2]) is not None
    return tuple(found[:WORDS_MAX])


def split(text: str) -> list[str]:
    """As a shell splits words, or at blanks where quotes are not closed."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def arguments(launch: Launch) -> Iterator[EnvEntry]:
    """The settings a command line hands to its program: an argument wins over a system property of its name."""
    forms = ((_SYSTEM, Told.PROPERTY), (_ARGUMENT, Told.ARGUMENT), (_DASHED, Told.ARGUMENT))
    for form, told in forms:
        matches = [match for match in map(form.fullmatch, launch.words) if match is not None]
        for key, text in {match[1]: match[2] for match in matches}.items():
            known = None if _VARIABLE.search(text) else text
            yield EnvEntry(key, known, "", launch.at, process=launch.process, told=told)


def spelled_out(entries: Iterable[EnvEntry]) -> Iterator[EnvEntry]:
    """The entries, each with what is inside of it: keys of a JSON text, system properties among options of the JVM."""
    for entry in entries:
        yield entry
        if entry.variable in ("SPRING_APPLICATION_JSON", "spring.application.json"):
            for key, text in _flat(entry.text):
                yield replace(entry, variable=key, text=text, template="", told=Told.JSON)
        elif entry.variable in _JVM_OPTIONS and entry.text:
            launch = Launch(
                tuple(w for w in split(entry.text) if w.startswith("-D")), entry.at, entry.process
            )
            yield from (replace(one, environment=entry.environment) for one in arguments(launch))


def _flat(text: str | None) -> list[tuple[str, str]]:
    """The leaves of a JSON object by their dotted keys."""
    try:
        root = json.loads(text or "")
    except (ValueError, RecursionError):
        return []
    found: list[tuple[str, str]] = []
    stack: list[tuple[str, Any]] = [("", root)] if isinstance(root, dict) else []
    chars = 0
    while stack and len(found) < VALUES_MAX and chars < CHARS_MAX:
        key, value = stack.pop()
        chars += len(key)
        if isinstance(value, dict):
            stack += [(f"{key}.{name}" if key else str(name), inner) for name, inner in value.items()]
        elif isinstance(value, list):
            stack += [(f"{key}[{index}]", inner) for index, inner in enumerate(value)]
        else:
            found.append((key, value if isinstance(value, str) else json.dumps(value)))
    return found


def of_service(service: Node, process: str) -> tuple[list[Launch], list[Mount]]:
    """What a service of a compose file, or a container of a Kubernetes object, starts and what is put into it."""
    import yaml

    if not isinstance(service, yaml.MappingNode):
        return [], []
    held = {key.value: value for key, value in service.value if isinstance(key, yaml.ScalarNode)}
    texts: list[str] = []
    places: list[Span] = []
    for name in ("entrypoint", "command", "args"):
        node = held.get(name)
        if node is not None:
            given = _texts(node)
            texts += words_of(given[0]) if isinstance(node, yaml.ScalarNode) and given else given
            places.append(_span(node))
    launches = [Launch(words_of(texts), places[0], process)] if texts else []
    volumes = held.get("volumes")
    mounts = list(_mounts(volumes, process)) if isinstance(volumes, yaml.SequenceNode) else []
    return launches, [*mounts, *_variables(held, process)]


def _variables(held: dict[str, Any], process: str) -> Iterator[Mount]:
    """The files whose variables a service is handed: those of `env_file`, and the Dockerfile it is built from."""
    import yaml

    named = held.get("env_file")
    items = named.value if isinstance(named, yaml.SequenceNode) else [named] if named is not None else []
    for item in items:
        if isinstance(item, yaml.MappingNode):
            item = dict(_plain(item)).get("path")
        if isinstance(item, yaml.ScalarNode) and "$" not in item.value:
            yield Mount(unmask(item.value), "", _span(item), process, Told.FILE)
    build = held.get("build")
    if build is None:
        return
    given = dict(_plain(build)) if isinstance(build, yaml.MappingNode) else {"context": build}
    context, file = (
        unmask(node.value) if isinstance(node := given.get(name), yaml.ScalarNode) else default
        for name, default in (("context", "."), ("dockerfile", "Dockerfile"))
    )
    if "$" not in context + file and ":" not in context:
        yield Mount(posixpath.join(context, file), context, _span(build), process, Told.IMAGE)


def _plain(node: Any) -> Iterator[tuple[str, Any]]:
    import yaml

    return ((key.value, value) for key, value in node.value if isinstance(key, yaml.ScalarNode))


def _mounts(volumes: Any, process: str) -> Iterator[Mount]:
    """`./conf/application.yml:/app/application.yml:ro`, and the long form with `source` and `target`."""
    import yaml

    for item in volumes.value:
        if isinstance(item, yaml.ScalarNode):
            source, _, rest = unmask(item.value).partition(":")
            target = rest.partition(":")[0]
        elif isinstance(item, yaml.MappingNode):
            held = {key.value: value for key, value in item.value if isinstance(key, yaml.ScalarNode)}
            source, target = (
                unmask(node.value) if isinstance(node := held.get(name), yaml.ScalarNode) else ""
                for name in ("source", "target")
            )
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
