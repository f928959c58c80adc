"""Settings files -> `ConfigEntry`s: YAML, `.properties`, JSON, TOML and INI, with the place of every value.

Keys are dotted, lists numbered (`key[0]`); a key in Spring's brackets (`"[a_b]"`) is what stands inside; texts are
as written, placeholders untouched. YAML is read as nodes: aliases cost nothing, tags have no effect, nothing is
constructed. `@x@`, Maven's placeholder, is not YAML at the start of a value and is read as text in its place.
Compose, Kubernetes and Helm files are settings files too; `linter.extract.environment` reads what they set.
"""

from __future__ import annotations

import re

from subdrift.linter.extract import documents
from subdrift.linter.extract.bounded import ENTRIES_MAX, FILE_BYTES_MAX, too_many
from subdrift.linter.extract.builds import images
from subdrift.linter.extract.environment import deployed
from subdrift.linter.extract.flat_files import ini_file, json_file, toml_file
from subdrift.linter.extract.mounted import mounted
from subdrift.linter.extract.properties_files import MalformedError, properties, properties_file
from subdrift.linter.extract.texts import comments_of, decode
from subdrift.linter.extract.yaml_files import compose, document_of, refused_bytes, refused_tab, repeated_key
from subdrift.linter.model.facts import ConfigEntry, FileFacts, Problem
from subdrift.linter.model.languages import is_builder
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say

_SERVICE = re.compile(r"(?:[a-z_]\w*\.)+[A-Z][\w$]*")
"""The full name of a type: a file of `META-INF/services`, which lists the classes that provide it."""

_FACTORY_FORMATS = {"spring.factories": "properties"}

_SPRING_FILE = re.compile(r"(?:application|bootstrap)(?:-.*)?\.ya?ml", re.IGNORECASE)

_ASSIGNED = re.compile(rb"(?m)^[\w.\-\[\]]+[ \t]*=")
"""A line of a properties file, told from YAML where a file has no extension."""


def read_file(name: str, content: bytes) -> FileFacts | None:
    """The facts of a settings file; None where the name belongs to no format that is read here."""
    suffix = _FACTORY_FORMATS.get(name) or name.rpartition(".")[2].lower()
    if len(content) > FILE_BYTES_MAX:
        problem = Problem(
            "skipped-file",
            say("too-many-bytes", count=len(content), most=FILE_BYTES_MAX),
            say("split-or-exclude"),
            START,
        )
        return FileFacts("config", problems=(problem,))
    if is_builder(name):
        return FileFacts("config", mounts=tuple(images(decode(content))))
    if "." not in name and name not in _FACTORY_FORMATS:
        suffix = "properties" if _ASSIGNED.search(content) else "yaml"
    if suffix in ("yml", "yaml"):
        return _yaml_file(content, _SPRING_FILE.fullmatch(name) is not None)
    if suffix == "properties":
        return properties_file(content)
    if suffix == "json":
        return json_file(content)
    if suffix == "toml":
        return toml_file(content)
    if suffix in ("ini", "cfg", "conf"):
        return ini_file(content)
    if suffix == "imports" or _SERVICE.fullmatch(name):
        return _imports_file(content)
    return None


def settings(name: str, text: str) -> list[ConfigEntry]:
    """The settings of a YAML or properties text of that name, up to its first mistake."""
    if name.endswith(".properties"):
        try:
            return properties(text)
        except MalformedError:
            return []
    roots, _ = compose(text)
    return [entry for index, root in enumerate(roots) for entry in document_of(root, index)]


def _yaml_file(content: bytes, spring: bool) -> FileFacts:
    """The facts of a YAML file."""
    text = decode(content)
    refused = refused_bytes(content) or refused_tab(text)
    if refused is not None:
        return FileFacts("config", suppressions=comments_of(text, content), problems=(refused,))
    lines = text.splitlines() if "ConfigMap" in text or "stringData" in text else []
    roots, problems = compose(text)
    entries: list[ConfigEntry] = []
    environment, launches, mounts = [], [], []
    for index, root in enumerate(roots):
        entries += document_of(root, index)
        if spring and not problems:
            problems += repeated_key(root)
        found = deployed(root)
        environment += found.environment
        launches += found.launches
        mounts += found.mounts
        if lines:
            entries += mounted(root, lines, settings)
        if len(entries) > ENTRIES_MAX:
            problems.append(too_many(len(entries)))
            entries = entries[:ENTRIES_MAX]
            break
    if "docker" in text or "kaniko" in text:
        mounts += images(text)
    return FileFacts(
        "config",
        config=tuple(entries),
        environment=tuple(environment),
        suppressions=comments_of(text, content),
        problems=tuple(problems),
        text="" if spring or problems else documents.of_nodes(roots),
        launches=tuple(launches),
        mounts=tuple(mounts),
    )


def _imports_file(content: bytes) -> FileFacts:
    """A list of class names, one a line; the key of each is the class."""
    found = []
    for number, line in enumerate(decode(content).splitlines(), 1):
        name = line.partition("#")[0].strip()
        if name:
            found.append(ConfigEntry(name, "", (), 0, Span(number, 1, number, len(line) + 1)))
    return FileFacts("config", config=tuple(found[:ENTRIES_MAX]))
