"""`.subdrift.toml`, else `[tool.subdrift]` of `pyproject.toml`, in; frozen `Settings` out.

Nothing else is read, and files are never merged. An unknown key or a wrong type ends the run: `SettingsError` names
file and line and what was probably meant. `_` and `-` are the same in key names of ours.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from linter.broker.assume import Assume
    from linter.stages import Answers

FILE = ".subdrift.toml"
PYPROJECT = "pyproject.toml"
INSTANCES_MAX = 64
QUEUES_MAX = 1024
FILE_BYTES_MAX = 1 << 20

FAIL_ON = ("error", "warning", "note", "never")
LANGS = ("en", "zh")
FORMATS = ("text", "concise", "json", "sarif", "github")

_VERSION = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}")

KeyPath = tuple[str, ...]


class SettingsError(Exception):
    """A configuration that cannot be used: where, what, and what was probably meant ("" if nothing is near)."""

    def __init__(self, file: str, line: int, message: str, suggestion: str = "") -> None:
        super().__init__(file, line, message, suggestion)
        self.file = file
        self.line = line
        self.message = message
        self.suggestion = suggestion

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        hint = f"; did you mean `{self.suggestion}`?" if self.suggestion else ""
        return f"{place}: {self.message}{hint}"


@dataclass(frozen=True, slots=True)
class Answer:
    """The value of a configuration key or environment variable that the sources do not hold.

    `profile` "" speaks for every profile that has no answer of its own.
    """

    key: str
    text: str
    profile: str
    line: int


@dataclass(frozen=True, slots=True)
class Supposed:
    """What `[assume]` says for one scope; None where it is silent. `instances` count per deployable."""

    instances: int | None = None
    queues: int | None = None
    client_version: str | None = None
    broker_version: str | None = None

    def over(self, wider: Supposed) -> Supposed:
        """What this scope says, and the wider one's word where it is silent."""
        return Supposed(
            wider.instances if self.instances is None else self.instances,
            wider.queues if self.queues is None else self.queues,
            wider.client_version if self.client_version is None else self.client_version,
            wider.broker_version if self.broker_version is None else self.broker_version,
        )


@dataclass(frozen=True, slots=True)
class Assumed:
    """`[assume]` with its exceptions for groups, and for topics' queues ("" for a topic of any group)."""

    everywhere: Supposed = Supposed()
    groups: tuple[tuple[str, Supposed], ...] = ()
    topic_queues: tuple[tuple[str, str, int], ...] = ()
    """Group, topic, queues."""

    def of(self, group: str) -> Assume:
        """What the broker model is to suppose for one group."""
        from linter.broker.assume import Assume
        from linter.broker.versions import Version

        said = dict(self.groups).get(group, Supposed()).over(self.everywhere)
        default = Assume()
        queues = {topic: count for owner, topic, count in self.topic_queues if owner == ""}
        queues |= {topic: count for owner, topic, count in self.topic_queues if owner == group}
        return Assume(
            instances=said.instances or default.instances,
            queues=said.queues or default.queues,
            client_version=Version.parse(said.client_version)
            if said.client_version
            else default.client_version,
            broker_version=Version.parse(said.broker_version)
            if said.broker_version
            else default.broker_version,
            topic_queues=tuple(sorted(queues.items())),
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """One configuration. The first block belongs to a repository, the second to a run."""

    repository: str = ""
    values: tuple[Answer, ...] = ()
    exclude: tuple[str, ...] = ()
    """Patterns as in .gitignore; matching files are not read."""

    clusters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Name of a cluster and name-server addresses that belong to it."""
    assume: Assumed = Assumed()
    fail_on: str = "error"
    strict: bool = False
    lang: str = ""
    """The language of the output, "" where it is not said."""
    output_format: str = "text"
    outputs: tuple[tuple[str, str], ...] = ()
    """Format and file of further reports."""
    cache_dir: str = ""
    file: str = ""
    """The file it came from, as given or found; "" where there was none."""

    def answers(self, profile: str = "") -> dict[str, Answer]:
        """What `[values]` answers in one profile, by key."""
        found = {one.key: one for one in self.values if one.profile == ""}
        if profile:
            found |= {one.key: one for one in self.values if one.profile == profile}
        return found

    def cluster_of(self, address: str) -> str:
        """The cluster a name-server address belongs to, "" where none claims it."""
        return next((name for name, addresses in self.clusters if address in addresses), "")


def answers_of(repo: str, own: Settings, run: Settings) -> Answers:
    """What `[values]` answers for a repository: its own configuration, and the run's where that is silent."""
    from linter.model.location import Location, Origin, Span
    from linter.stages import Answers

    answers = {(one.key, one.profile): one.text for one in (*run.values, *own.values)}
    line = min((one.line for one in own.values if one.line), default=1)
    at = Location(Origin(repo, os.path.basename(own.file or run.file or FILE)), Span(line, 1, line, 1))
    return Answers(tuple((key, profile, text) for (key, profile), text in sorted(answers.items())), at)


def find(root: str) -> str:
    """The configuration file of a repository: `.subdrift.toml`, else a pyproject.toml with our table, else ""."""
    path = os.path.join(root, FILE)
    if os.path.exists(path):
        return path
    path = os.path.join(root, PYPROJECT)
    try:
        with open(path, "rb") as file:
            mentioned = b"tool.subdrift" in file.read(FILE_BYTES_MAX)
    except OSError:
        return ""
    return path if mentioned else ""


def load(root: str) -> Settings:
    """The settings of the repository at that root. Raises `SettingsError`."""
    path = find(root)
    return load_file(path) if path else Settings()


def load_file(path: str) -> Settings:
    """The settings a file holds; of a pyproject.toml its `[tool.subdrift]`. Raises `SettingsError`."""
    try:
        with open(path, "rb") as file:
            content = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise SettingsError(path, 0, error.strerror or str(error)) from error
    if len(content) > FILE_BYTES_MAX:
        raise SettingsError(path, 0, f"is larger than {FILE_BYTES_MAX >> 10} KiB")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(path, line, "is not UTF-8") from error
    prefix = ("tool", "subdrift") if os.path.basename(path) == PYPROJECT else ()
    return replace(parse(text, path, prefix), file=path)


def parse(text: str, file: str, prefix: KeyPath = ()) -> Settings:
    """The settings a TOML text holds below `prefix`. `file` is for messages. Raises `SettingsError`."""
    import tomllib  # most trees have no configuration

    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(error, text, file) from error
    for part in prefix:
        table = table.get(part, {}) if isinstance(table, dict) else table
    reader = _Reader(file, text, prefix)
    if not isinstance(table, dict):
        reader.fail((), "must be a table")
    return _settings(reader, table, Settings())


def with_overrides(settings: Settings, options: Iterable[str]) -> Settings:
    """The settings with `--config 'key = value'` options laid over them. Raises `SettingsError`."""
    for option in options:
        import tomllib

        try:
            table = tomllib.loads(option)
        except tomllib.TOMLDecodeError as error:
            raise SettingsError("--config", 0, f"`{option}` is no TOML `key = value`: {error}") from error
        settings = _settings(_Reader("--config", option, ()), table, settings)
    return settings


@dataclass(frozen=True, slots=True)
class _Reader:
    """The text of one configuration, for messages that name a line."""

    file: str
    text: str
    prefix: KeyPath

    def fail(self, path: KeyPath, message: str, suggestion: str = "") -> NoReturn:
        name = ".".join(path)
        raise SettingsError(
            self.file, self.line(path), f"`{name}` {message}" if name else message, suggestion
        )

    def line(self, path: KeyPath) -> int:
        """The line on which a key is set, by asking the parser where it first appears; 0 if nothing says."""
        full = self.prefix + path
        lines = self.text.split("\n")
        if not path:
            return 0
        for start, line in enumerate(lines):
            if path[-1] not in line:
                continue
            before = _parsed("\n".join(lines[:start]))
            if before is None or _holds(before, full):
                continue
            for end in range(start + 1, len(lines) + 1):
                table = _parsed("\n".join(lines[:end]))
                if table is not None:
                    if _holds(table, full):
                        return start + 1
                    break
        return 0

    def names(
        self, table: Mapping[str, Any], path: KeyPath, known: Iterable[str]
    ) -> dict[str, tuple[KeyPath, Any]]:
        """Known key -> its path as written and its value; an unknown key fails."""
        found = {}
        for key, value in table.items():
            name = key.replace("_", "-")
            if name not in known:
                self.fail((*path, key), "is no setting", _nearest(name, known))
            found[name] = ((*path, key), value)
        return found

    def text_of(self, path: KeyPath, value: Any) -> str:
        if not isinstance(value, str):
            self.fail(path, f"must be a text, not {_kind(value)}")
        return value

    def flag(self, path: KeyPath, value: Any) -> bool:
        if not isinstance(value, bool):
            self.fail(path, f"must be true or false, not {_kind(value)}")
        return value

    def number(self, path: KeyPath, value: Any, at_most: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(path, f"must be a whole number, not {_kind(value)}")
        if not 1 <= value <= at_most:
            self.fail(path, f"must be between 1 and {at_most}")
        return value

    def version(self, path: KeyPath, value: Any) -> str:
        text = self.text_of(path, value)
        if not _VERSION.fullmatch(text):
            self.fail(path, f'must be a RocketMQ version such as "5.3.3", not "{text}"')
        return text

    def choice(self, path: KeyPath, value: Any, known: tuple[str, ...]) -> str:
        text = self.text_of(path, value)
        if text not in known:
            self.fail(path, f'must be one of {", ".join(known)}, not "{text}"', _nearest(text, known))
        return text

    def texts(self, path: KeyPath, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            self.fail(path, f"must be a list of texts, not {_kind(value)}")
        return tuple(self.text_of(path, one) for one in value)

    def table(self, path: KeyPath, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.fail(path, f"must be a table, not {_kind(value)}")
        return value


_Parser = Callable[[_Reader, KeyPath, Any, Settings], Settings]


def _settings(reader: _Reader, table: Mapping[str, Any], settings: Settings) -> Settings:
    for name, (path, value) in reader.names(table, (), _KEYS).items():
        settings = _KEYS[name](reader, path, value, settings)
    return settings


def _read_values(
    reader: _Reader, path: KeyPath, value: Any, settings: Settings, profile: str = ""
) -> Settings:
    answers = {(one.profile, one.key): one for one in settings.values}
    for key, spelled, text in _flat(reader, path, reader.table(path, value), ""):
        answers[profile, key] = Answer(key, text, profile, reader.line(spelled))
    return replace(settings, values=tuple(answers.values()))


def _flat(
    reader: _Reader, path: KeyPath, table: Mapping[str, Any], above: str
) -> Iterable[tuple[str, KeyPath, str]]:
    """`a.b = "x"` and `"a.b" = "x"` mean the same; a list gives `a[0]`, as Spring counts."""
    for key, value in table.items():
        name = f"{above}.{key}" if above else key
        here = (*path, key)
        if isinstance(value, dict):
            yield from _flat(reader, here, value, name)
        elif isinstance(value, list):
            for index, one in enumerate(value):
                yield f"{name}[{index}]", here, _scalar(reader, here, one)
        else:
            yield name, here, _scalar(reader, here, value)


def _scalar(reader: _Reader, path: KeyPath, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    reader.fail(path, f"must be a text, a number or true or false, not {_kind(value)}")


def _read_profiles(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    for profile, content in reader.table(path, value).items():
        here = (*path, profile)
        for inner, values in reader.names(reader.table(here, content), here, ("values",)).values():
            settings = _read_values(reader, inner, values, settings, profile)
    return settings


def _read_clusters(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    found = dict(settings.clusters)
    for name, addresses in reader.table(path, value).items():
        here = (*path, name)
        found[name] = reader.texts(here, addresses)
        for other, known in found.items():
            both = set(known) & set(found[name])
            if other != name and both:
                reader.fail(here, f"and `{other}` both claim the address {min(both)}")
    return replace(settings, clusters=tuple(found.items()))


_SUPPOSED = ("instances", "queues", "client-version", "broker-version")


def _read_assume(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    old = settings.assume
    names = reader.names(reader.table(path, value), path, (*_SUPPOSED, "groups", "topics"))
    groups = dict(old.groups)
    queues = {(group, topic): count for group, topic, count in old.topic_queues}
    for key in ("topics", "groups"):
        if key not in names:
            continue
        inner, tables = names.pop(key)
        for name, content in reader.table(inner, tables).items():
            here = (*inner, name)
            if key == "topics":
                queues["", name] = _read_topic(reader, here, content)
                continue
            said = reader.names(reader.table(here, content), here, (*_SUPPOSED, "topics"))
            topics_at, topics = said.pop("topics", (here, {}))
            groups[name] = _read_supposed(reader, said).over(groups.get(name, Supposed()))
            for topic, about in reader.table(topics_at, topics).items():
                queues[name, topic] = _read_topic(reader, (*topics_at, topic), about)
    assumed = Assumed(
        _read_supposed(reader, names).over(old.everywhere),
        tuple(groups.items()),
        tuple((group, topic, count) for (group, topic), count in queues.items()),
    )
    return replace(settings, assume=assumed)


def _read_supposed(reader: _Reader, names: Mapping[str, tuple[KeyPath, Any]]) -> Supposed:
    found = Supposed()
    for name, (path, value) in names.items():
        match name:
            case "instances":
                found = replace(found, instances=reader.number(path, value, INSTANCES_MAX))
            case "queues":
                found = replace(found, queues=reader.number(path, value, QUEUES_MAX))
            case "client-version":
                found = replace(found, client_version=reader.version(path, value))
            case _:
                found = replace(found, broker_version=reader.version(path, value))
    return found


def _read_topic(reader: _Reader, path: KeyPath, value: Any) -> int:
    names = reader.names(reader.table(path, value), path, ("queues",))
    if "queues" not in names:
        reader.fail(path, "must say `queues`")
    return reader.number(*names["queues"], QUEUES_MAX)


def _read_output(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    outputs = []
    for one in reader.texts(path, value):
        kind, equals, file = one.partition("=")
        reader.choice(path, kind, FORMATS)
        if not equals or not file:
            reader.fail(path, f'must be written "FORMAT=FILE", not "{one}"')
        outputs.append((kind, file))
    return replace(settings, outputs=tuple(outputs))


_KEYS: dict[str, _Parser] = {
    "repository": lambda r, p, v, s: replace(s, repository=r.text_of(p, v)),
    "values": lambda r, p, v, s: _read_values(r, p, v, s),
    "profiles": _read_profiles,
    "exclude": lambda r, p, v, s: replace(s, exclude=r.texts(p, v)),
    "clusters": _read_clusters,
    "assume": _read_assume,
    "fail-on": lambda r, p, v, s: replace(s, fail_on=r.choice(p, v, FAIL_ON)),
    "strict": lambda r, p, v, s: replace(s, strict=r.flag(p, v)),
    "lang": lambda r, p, v, s: replace(s, lang=r.choice(p, v, LANGS)),
    "output-format": lambda r, p, v, s: replace(s, output_format=r.choice(p, v, FORMATS)),
    "output": _read_output,
    "cache-dir": lambda r, p, v, s: replace(s, cache_dir=r.text_of(p, v)),
}


def _kind(value: Any) -> str:
    match value:
        case bool():
            return "true or false"
        case str():
            return "a text"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date"


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, list(known), 1, 0.6)), "")


def _parsed(text: str) -> dict[str, Any] | None:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _holds(table: Any, path: KeyPath) -> bool:
    for part in path:
        if not isinstance(table, dict) or part not in table:
            return False
        table = table[part]
    return True


def _syntax_error(error: Exception, text: str, file: str) -> SettingsError:
    found = re.search(r"\(at line (\d+), column \d+\)|\(at end of document\)", str(error))
    if found is None or found[1] is None:
        line = text.count("\n") + 1
    else:
        line = int(found[1])
    message = str(error)[: found.start()].rstrip() if found else str(error)
    return SettingsError(file, line, f"is no valid TOML: {message}")
