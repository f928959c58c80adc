"""Deployment files -> `EnvEntry`s: what sets an environment variable of the process, or takes it from outside.

Read are compose files, Kubernetes workloads and ConfigMaps, Helm values, `.env` files and Dockerfiles. A value that
is given visibly is its text; one from a secret, from another object or from a variable without default is `None`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from msgspec.structs import replace

from subdrift.linter.extract import config
from subdrift.linter.extract.config import comments_of, decode
from subdrift.linter.extract.environment import NAME, VARIABLE, given
from subdrift.linter.model.facts import EnvEntry, FileFacts, Problem
from subdrift.linter.model.languages import is_dockerfile, is_env_file
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say

FILE_BYTES_MAX = 1024 * 1024
"""Larger deployment files are left out."""


def read_file(name: str, content: bytes) -> FileFacts | None:
    """The facts of a Dockerfile, `.env` or YAML file; None for other names.

    YAML gives settings too, as `linter.extract.config` reads them.
    """
    if name.lower().endswith((".yml", ".yaml")):
        facts = config.read_file(name, content)
        if facts is not None and b"{{" in content:  # a template need not be YAML before it is filled in
            problems = tuple(one for one in facts.problems if one.name != "parse-error")
            facts = replace(facts, problems=problems)
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
        if NAME.match(name):
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

    result = VARIABLE.sub(replaced, value)
    return None if outside else result
