"""Deployment files -> `EnvEntry`s: what sets an environment variable of the process, or takes it from outside.

Read are compose files, Kubernetes workloads and ConfigMaps, Helm values, `.env` files and Dockerfiles. A value that
is given visibly is its text; one from a secret, from another object or from a variable without default is `None`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from linter.extract.prefilter import is_dockerfile, is_env_file
from linter.model.facts import EnvEntry, FileFacts, Problem
from linter.model.location import START, Span
from linter.model.message import say

if TYPE_CHECKING:
    from yaml.nodes import Node

FILE_BYTES_MAX = 1024 * 1024
"""Larger deployment files are left out."""

LEVELS_MAX = 40
"""Levels of a deployment file searched for environment settings."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*\Z")
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)(?::?([-=?+])([^}]*))?\}|([A-Za-z_]\w*)|(\$))")
_ENV_LISTS = ("env", "extraEnv", "extraEnvs", "extraEnvVars", "environment", "envs", "envVars")
_TEMPLATE = re.compile(r"\{\{.*?\}\}")
_FILE = re.compile(r"\.(?:ya?ml|properties|json|xml|conf|ini|toml|sh|txt)\Z")


def read_file(name: str, content: bytes) -> FileFacts | None:
    """The facts of a Dockerfile, `.env` or YAML file; None for other names.

    YAML gives settings too, as `linter.extract.config` reads them; that module also calls `yaml_environment`.
    """
    from linter.extract import config
    from linter.extract.config import comments_of, decode

    if name.lower().endswith((".yml", ".yaml")):
        facts = config.read_file(name, content)
        suffix = re.fullmatch(r"(?:values|docker-compose|compose)[._-](.+)\.ya?ml", name.lower())
        if facts is None or suffix is None:
            return facts if facts is None else replace(facts, language="deploy")
        rows = tuple(replace(entry, environment=suffix[1]) for entry in facts.environment)
        return replace(facts, language="deploy", environment=rows)
    if not is_dockerfile(name) and not is_env_file(name):
        return None
    if len(content) > FILE_BYTES_MAX:
        message = say("too-many-bytes", count=len(content), most=FILE_BYTES_MAX)
        problem = Problem("skipped-file", message, say("exclude-the-file"), START)
        return FileFacts("deploy", problems=(problem,))
    text = decode(content)
    entries = tuple(_dockerfile(text) if is_dockerfile(name) else _env_file(text, name))
    return FileFacts("deploy", environment=entries, suppressions=comments_of(text, content))


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

    result = _VARIABLE.sub(replaced, text)
    return None if outside else result


# -- .env and Dockerfile -------------------------------------------------------------------------------------


def _env_file(text: str, name: str) -> Iterator[EnvEntry]:
    environment = _suffix(name)
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r"\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*[=:]\s?(.*)$", line)
        if found is None:
            continue
        value = found[2].strip()
        if value[:1] in ("'", '"') and value.find(value[0], 1) > 0:
            quoted = value[1 : value.index(value[0], 1)]
            value_given: str | None = quoted if value[0] == "'" else given(quoted)
        else:
            value_given = given(re.sub(r"\s+#.*$", "", value).strip())
        at = Span(number, found.start(1) + 1, number, len(line.rstrip()) + 1)
        yield EnvEntry(found[1], value_given, environment, at)


def _suffix(name: str) -> str:
    """The environment in a file's name: `.env.prod`, `prod.env`; examples and templates stand for none."""
    parts = [part for part in name.lower().split(".") if part not in ("env", "")]
    return parts[-1] if parts and parts[-1] not in ("example", "sample", "template", "dist", "local") else ""


def _dockerfile(text: str) -> Iterator[EnvEntry]:
    """`ENV` instructions; a reference to an earlier `ARG` or `ENV` with a value is replaced, others come from outside."""
    known: dict[str, str | None] = {}
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        first = number
        logical = lines[number].rstrip()
        number += 1
        while logical.endswith("\\") and number < len(lines):
            following = lines[number].rstrip()
            number += 1
            if following.lstrip().startswith("#"):
                continue
            logical = logical[:-1] + " " + following
        found = re.match(r"\s*(ENV|ARG)\s+(.*)$", logical, re.I)
        if found is None:
            continue
        column = len(lines[first]) - len(lines[first].lstrip()) + 1
        at = Span(first + 1, column, number, len(lines[number - 1].rstrip()) + 1)
        for variable, value in _pairs(found[2]):
            text_given = _expanded(value, known) if value is not None else None
            known[variable] = text_given
            if found[1].upper() == "ENV":
                yield EnvEntry(variable, text_given, "", at)


def _pairs(rest: str) -> list[tuple[str, str | None]]:
    """`A=b C="d e"`, the old form `A b c`, and `ARG A` without a value."""
    head = re.match(r"([A-Za-z_]\w*)\s+([^=].*)$", rest.strip())
    if head is not None and "=" not in head[1] and not re.match(r"[A-Za-z_]\w*=", rest.strip()):
        return [(head[1], head[2].strip())]
    try:
        words = shlex.split(rest)
    except ValueError:
        words = rest.split()
    result: list[tuple[str, str | None]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if _NAME.match(name):
            result.append((name, value if equals else None))
    return result


def _expanded(value: str, known: dict[str, str | None]) -> str | None:
    outside = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal outside
        if match[5]:
            return "$"
        held = known.get(match[1] or match[4])
        if held is not None:
            return held
        if match[2] == "-":
            return match[3]
        outside = True
        return ""

    result = _VARIABLE.sub(replaced, value)
    return None if outside else result


# -- YAML ----------------------------------------------------------------------------------------------------


def yaml_environment(root: Node) -> list[EnvEntry]:
    """The environment variables a compose file, a Kubernetes object or a values file sets in one document."""
    import yaml

    if not isinstance(root, yaml.MappingNode):
        return []
    top = {key.value: value for key, value in root.value if isinstance(key, yaml.ScalarNode)}
    kind = top["kind"].value if isinstance(top.get("kind"), yaml.ScalarNode) else ""
    if kind == "ConfigMap" and "apiVersion" in top:
        given_here = _map(top.get("data"), compose=False) if "data" in top else ()
        return [entry for entry in given_here if not _FILE.search(entry.variable)]
    compose = "services" in top and "apiVersion" not in top
    services = id(top["services"]) if compose else 0
    found: list[EnvEntry] = []
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
        if not compose:
            process = _container(node) or process
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name in _ENV_LISTS:
                if isinstance(value, yaml.SequenceNode):
                    found += (replace(entry, process=process) for entry in _listed(value, compose))
                    continue
                if isinstance(value, yaml.MappingNode) and _looks_like_environment(value):
                    found += (replace(entry, process=process) for entry in _map(value, compose))
                    continue
            stack.append((value, level + 1, name if id(node) == services else process))
    return sorted(found, key=lambda entry: entry.at)


def _container(node: Any) -> str:
    """The name of a Kubernetes container, "" for another mapping."""
    import yaml

    held = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
    name = held.get("name")
    return str(name.value) if isinstance(name, yaml.ScalarNode) and "image" in held else ""


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
        elif _NAME.match(key.value) and isinstance(value, yaml.ScalarNode):
            null = value.style not in ("'", '"', "|", ">") and value.value in ("", "~", "null")
            yield EnvEntry(
                key.value, None if null and compose else _text(value.value, compose), "", _around(key, value)
            )


def _listed(node: Any, compose: bool) -> Iterator[EnvEntry]:
    """`- NAME=value` of compose, `- {name:, value:}` and `valueFrom` of Kubernetes."""
    import yaml

    for item in node.value:
        if isinstance(item, yaml.ScalarNode):
            name, equals, value = item.value.partition("=")
            if _NAME.match(name.strip()):
                yield EnvEntry(
                    name.strip(), _text(value, compose) if equals else None, "", _around(item, item)
                )
        elif isinstance(item, yaml.MappingNode):
            held = {key.value: value for key, value in item.value if isinstance(key, yaml.ScalarNode)}
            name_node, value_node = held.get("name"), held.get("value")
            if not isinstance(name_node, yaml.ScalarNode) or not _NAME.match(name_node.value):
                continue
            text = _text(value_node.value, compose) if isinstance(value_node, yaml.ScalarNode) else None
            yield EnvEntry(name_node.value, text, "", _around(name_node, value_node or name_node))


def _text(value: str, compose: bool) -> str | None:
    from linter.extract.config import unmask

    value = unmask(value)
    if _TEMPLATE.search(value):
        return None
    return given(value) if compose else value


def _around(first: Any, last: Any) -> Span:
    start, end = first.start_mark, last.end_mark
    if (end.line, end.column) < (start.line, start.column):
        end = first.end_mark
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
