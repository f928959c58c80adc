"""Scripts and jobs that build images -> `Mount`s that say which folder the Dockerfile's `COPY` starts at.

Read are `docker build`, `docker buildx build`, `podman build` and `buildah` in any text, kaniko's executor, and the action
`docker/build-push-action`. A path is relative to where the command is run.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from subdrift.linter.model.commands import split
from subdrift.linter.model.facts import Mount, Told
from subdrift.linter.model.location import Span

BUILDS_MAX = 100
"""Builds of one file; of one with more nothing is said, so that no folder is taken for the only one."""

STEP_MAX = 4_000
"""Characters of a step that runs an action."""

_WORKPLACE = re.compile(
    r"\$\{\{\s*github\.workspace\s*\}\}|\$\{?(?:CI_PROJECT_DIR|GITHUB_WORKSPACE|WORKSPACE|PWD)\}?|\$\(pwd\)|\$\(CURDIR\)"
)
_COMMAND = re.compile(
    r"(?:\b(?:docker|podman|buildah)(?:[ \t]+(?:image|buildx))?[ \t]+(?:build|bud)|/kaniko/executor)[ \t](.*)$",
    re.MULTILINE,
)
_ACTION = re.compile(r"^([ \t]*)(?:- )?uses:[ \t]*docker/build-push-action\S*", re.MULTILINE)
_NEXT_STEP = re.compile(r"^[ \t]*- ", re.MULTILINE)
_GIVEN = re.compile(r"^[ \t]+(context|file):[ \t]*[\"']?([^\"'\s#]+)", re.MULTILINE)
_TAKES_A_WORD = re.compile(
    r"-[tmchf]|--(?:tag|file|build-arg|label|target|platform|progress|network|cache-from|cache-to|output|secret|ssh|add-host|"
    r"build-context|builder|memory|cpuset-cpus|ulimit|isolation|context|dockerfile|destination|metadata-file|iidfile|pull)"
)


def images(text: str) -> Iterator[Mount]:
    """What each build of a text takes for its Dockerfile (`source`) and its context (`target`)."""
    plain = _WORKPLACE.sub(".", text)
    joined = re.sub(r"\\\r?\n", lambda match: " " * len(match[0]), plain)
    found: list[tuple[int, str, str]] = []
    for match in islice(_COMMAND.finditer(joined), BUILDS_MAX + 1):
        words = split(re.split(r"&&|\|\||[;|]", match[1])[0])
        found.append((match.start(), *_named(words)))
    for match in islice(_ACTION.finditer(plain), BUILDS_MAX + 1):
        step = _NEXT_STEP.split(plain[match.end() : match.end() + STEP_MAX], maxsplit=1)[0]
        given = dict(_GIVEN.findall(step))
        found.append((match.start(), given.get("file", ""), given.get("context", ".")))
    for start, file, context in found if len(found) <= BUILDS_MAX else ():
        if context and not any(char in file + context for char in "$`:{"):
            line = plain.count("\n", 0, start) + 1
            source = file or posixpath.join(context, "Dockerfile")
            yield Mount(source, context, Span(line, 1, line, 1), told=Told.CONTEXT)


def _named(words: Sequence[str]) -> tuple[str, str]:
    """Dockerfile and context of a command's words, "" where they do not say."""
    named = {"file": "", "context": ""}
    rest = iter(words)
    for word in rest:
        option, equals, text = word.partition("=")
        if not option.startswith("-"):
            named["context"] = named["context"] or word
            continue
        if not equals and _TAKES_A_WORD.fullmatch(option):
            text = next(rest, "")
        name = {"-f": "file", "--file": "file", "--dockerfile": "file", "--context": "context"}.get(
            option, ""
        )
        if name:
            named[name] = text.removeprefix("dir://")
    return named["file"], named["context"]
