"""Deployment files -> `EnvEntry`s and `Launch`es: what a process is told, and which program it is.

Read are compose files, Kubernetes workloads and ConfigMaps, Helm values, `.env` files and Dockerfiles, and what starts
programs elsewhere: Procfiles, units of systemd, supervisor's programs, start scripts. A value that is given visibly is
its text; one from a secret, from another object or from a variable without default is `None`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator

from msgspec.structs import replace

from subdrift.linter.extract import config
from subdrift.linter.extract.builds import images
from subdrift.linter.extract.environment import NAME
from subdrift.linter.extract.scripts import launched
from subdrift.linter.extract.texts import comments_of, decode
from subdrift.linter.model.commands import interpolated, is_shell, split, words_of
from subdrift.linter.model.facts import EnvEntry, FileFacts, Launch, Mount, Problem
from subdrift.linter.model.languages import is_dockerfile, is_env_file, is_launcher
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say

FILE_BYTES_MAX = 1024 * 1024
"""Larger deployment files are left out."""

SOURCES_MAX = 50
"""What one instruction copies; the rest is left out."""


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
    if not is_dockerfile(name) and not is_env_file(name) and not is_launcher(name):
        return None
    if len(content) > FILE_BYTES_MAX:
        message = say("too-many-bytes", count=len(content), most=FILE_BYTES_MAX)
        problem = Problem("skipped-file", message, say("exclude-the-file"), START)
        return FileFacts("deploy", problems=(problem,))
    text = decode(content)
    entries: tuple[EnvEntry, ...] = ()
    launches: tuple[Launch, ...] = ()
    mounts: tuple[Mount, ...] = ()
    if is_dockerfile(name):
        entries, launches, mounts = _dockerfile(text)
    elif is_env_file(name):
        entries = tuple(_env_file(text, name))
    else:
        entries, launches = launched(name.lower(), text)
        mounts = tuple(images(text))
    return FileFacts(
        "deploy",
        environment=entries,
        suppressions=comments_of(text, content),
        launches=launches,
        mounts=mounts,
    )


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
            value_given: str | None = quoted if value[0] == "'" else interpolated(quoted, {})
        else:
            value_given = interpolated(re.sub(r"\s+#.*$", "", value).strip(), {})
        at = Span(number, found.start(1) + 1, number, len(line.rstrip()) + 1)
        yield EnvEntry(found[1], value_given, environment, at)


def _suffix(name: str) -> str:
    """The environment in a file's name: `.env.prod`, `prod.env`; examples and templates stand for none."""
    parts = [part for part in name.lower().split(".") if part not in ("env", "")]
    return parts[-1] if parts and parts[-1] not in ("example", "sample", "template", "dist", "local") else ""


def _dockerfile(text: str) -> tuple[tuple[EnvEntry, ...], tuple[Launch, ...], tuple[Mount, ...]]:
    """What `ENV` sets, what `ENTRYPOINT` and `CMD` of the last stage start, and what is copied into that stage."""
    entries: list[EnvEntry] = []
    starts: dict[str, tuple[tuple[str, ...], Span]] = {}
    copied: list[Mount] = []
    for instruction, rest, at, known in _instructions(text):
        if instruction == "FROM":
            starts.clear()
            copied.clear()
        elif instruction in ("COPY", "ADD"):
            copied += _copied(rest, at)
        elif instruction in ("ENTRYPOINT", "CMD"):
            form = _exec_form(rest)
            starts[instruction] = (words_of(form if isinstance(form, list) else ["sh", "-c", form]), at)
        entries += [EnvEntry(name, value, "", at) for name, value in known.items() if instruction == "ENV"]
    entry, at = starts.get("ENTRYPOINT", ((), START))
    command, place = starts.get("CMD", ((), START))
    words = entry if is_shell(entry) and "$@" not in entry else (*entry, *command)
    launches = (Launch(words, at if entry else place, kept=len(entry)),) if words else ()
    return tuple(entries), launches, tuple(copied)


def _copied(rest: str, at: Span) -> Iterator[Mount]:
    """The files and folders of the repository that a `COPY` or `ADD` names."""
    form = _exec_form(rest)
    words = form if isinstance(form, list) else split(form)
    if any(word.startswith("--from=") for word in words):
        return
    *sources, target = [word for word in words if not word.startswith("--")] or [""]
    for source in sources[:SOURCES_MAX]:
        if not any(char in source + target for char in "$*?:"):
            yield Mount(f"./{source.lstrip('/')}", target, at)


def _exec_form(rest: str) -> list[str] | str:
    """The words of `["java", "-jar", "a.jar"]`, or the line that a shell is handed."""
    try:
        found = json.loads(rest)
    except ValueError:
        return rest
    return [str(one) for one in found] if isinstance(found, list) else rest


def _instructions(text: str) -> Iterator[tuple[str, str, Span, dict[str, str | None]]]:
    """Each instruction with its rest and place, and what variables it sets; a reference to an earlier `ARG` or `ENV`
    with a value is replaced, others come from outside."""
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
        found = re.match(r"\s*(ENV|ARG|FROM|ENTRYPOINT|CMD|COPY|ADD)\s+(.*)$", logical, re.I)
        if found is None:
            continue
        column = len(lines[first]) - len(lines[first].lstrip()) + 1
        at = Span(first + 1, column, number, len(lines[number - 1].rstrip()) + 1)
        instruction = found[1].upper()
        made: dict[str, str | None] = {}
        for variable, value in _pairs(found[2]) if instruction in ("ENV", "ARG") else ():
            made[variable] = known[variable] = interpolated(value, known) if value is not None else None
        yield instruction, found[2], at, made


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
