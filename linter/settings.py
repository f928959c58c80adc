"""`.subdrift.toml`, else `[tool.subdrift]` of `pyproject.toml`, in; frozen `Settings` out.

Nothing else is read, and files are never merged. An unknown key or a wrong type ends the run: `SettingsError` names
file and line and what was probably meant. `_` and `-` are the same in key names of ours.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.message import Message, UnusableError, say
from subdrift.linter.text.bounded import BoundedError, check_toml
from subdrift.linter.text.near import nearest
from subdrift.linter.text.places import Path, toml_lines

if TYPE_CHECKING:
    from subdrift.linter.broker.assume import Assume
    from subdrift.linter.model.answers import Answers, DeclaredApi, ModelSource
    from subdrift.linter.model.ignore import Ignore

FILE = ".subdrift.toml"
PYPROJECT = "pyproject.toml"
INSTANCES_MAX = 64
QUEUES_MAX = 1024
FILE_BYTES_MAX = 256 << 10

FAIL_ON = ("error", "warning", "note", "never")
LANGS = ("en", "zh")
FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson", "markdown", "html")
ARGUMENTS_MAX = 50
"""The number of a constructor's argument that `[[apis]]` may name."""
MODEL_FILES_MAX = 500
"""Source files below one folder of `[models] paths`."""
BLIND_SPOTS_MAX = 1_000_000
AS_IN_BASE = "base"
"""`max-blind-spots`: not more than at the commit a change is compared with."""

_VERSION = re.compile(r"[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}")

KeyPath = tuple[str, ...]


class SettingsError(UnusableError):
    """A configuration that cannot be used: where, what, and what was probably meant ("" if nothing is near).

    `frame` is the line and what marks the place in it, where that is known.
    """

    def __init__(
        self, file: str, line: int, what: Message, suggestion: str = "", frame: tuple[str, ...] = ()
    ) -> None:
        hint = say("or-rather", name=suggestion) if suggestion else say("nowhere")
        place = f"{file}:{line}" if line else file
        marked = "".join(f"\n{one}" for one in frame)
        super().__init__("settings.mistake", place=place, what=what, hint=hint, frame=marked)
        self.file = file
        self.line = line
        self.what = what
        self.suggestion = suggestion
        self.frame = frame


class Answer(Struct, frozen=True):
    """The value of a configuration key or environment variable that the sources do not hold.

    `profile` "" speaks for every profile that has no answer of its own, `module` "" for every module.
    """

    key: str
    text: str
    profile: str
    line: int
    module: str = ""


class Supposed(Struct, frozen=True):
    """What `[assume]` says for one scope; None where it is silent. `instances` count per deployable."""

    instances: int | None = None
    queues: int | None = None
    client_version: str | None = None
    broker_version: str | None = None
    property_filter: bool | None = None
    """Whether the broker allows SQL92 (`enablePropertyFilter`)."""

    def over(self, wider: Supposed) -> Supposed:
        """What this scope says, and the wider one's word where it is silent."""
        return Supposed(
            wider.instances if self.instances is None else self.instances,
            wider.queues if self.queues is None else self.queues,
            wider.client_version if self.client_version is None else self.client_version,
            wider.broker_version if self.broker_version is None else self.broker_version,
            wider.property_filter if self.property_filter is None else self.property_filter,
        )


class Assumed(Struct, frozen=True):
    """`[assume]` with its exceptions for groups, and for topics' queues ("" for a topic of any group)."""

    everywhere: Supposed = Supposed()
    groups: tuple[tuple[str, Supposed], ...] = ()
    topic_queues: tuple[tuple[str, str, int], ...] = ()
    """Group, topic, queues."""

    def of(self, group: str) -> Assume:
        """What the broker model is to suppose for one group."""
        from subdrift.linter.broker.assume import Assume
        from subdrift.linter.broker.versions import Version

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
            property_filter=default.property_filter if said.property_filter is None else said.property_filter,
            topic_queues=tuple(sorted(queues.items())),
        )


class Settings(Struct, frozen=True):
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
    select: tuple[str, ...] = ()
    """The rules and diagnostics that are reported; empty: all."""
    ignores: tuple[Ignore, ...] = ()
    """Entries of `[[ignore]]`; their places name no repository yet."""
    apis: tuple[DeclaredApi, ...] = ()
    """Annotations and classes of `[[apis]]`."""
    model_paths: tuple[str, ...] = ()
    """Folders of `[models] paths`, as written."""
    models: tuple[ModelSource, ...] = ()
    """The sources below them."""
    scopes: tuple[tuple[str, str], ...] = ()
    """Patterns of `[scope]`, each with the scope of what matches it."""
    baseline: str = ""
    expect_consumers: int = 0
    max_blind_spots: int | str | None = None
    """A number, or `AS_IN_BASE`."""
    file: str = ""
    """The file it came from, as given or found; "" where there was none."""

    def answers(self, profile: str = "") -> dict[str, Answer]:
        """What `[values]` answers in one profile, by key, for modules without answers of their own."""
        values = [one for one in self.values if not one.module]
        found = {one.key: one for one in values if one.profile == ""}
        if profile:
            found |= {one.key: one for one in values if one.profile == profile}
        return found

    def cluster_of(self, address: str) -> str:
        """The cluster a name-server address belongs to, "" where none claims it."""
        return next((name for name, addresses in self.clusters if address in addresses), "")


def answers_of(repo: str, own: Settings, run: Settings) -> Answers:
    """What `[values]` answers for a repository: its own configuration, and the run's where that is silent."""
    from subdrift.linter.model.answers import Answers
    from subdrift.linter.model.location import Location, Origin, Span

    answers = {(one.module, one.key, one.profile): one.text for one in (*run.values, *own.values)}
    by_module: dict[str, list[tuple[str, str, str]]] = {}
    for (module, key, profile), text in sorted(answers.items()):
        by_module.setdefault(module, []).append((key, profile, text))
    everywhere = by_module.pop("", [])
    line = min((one.line for one in own.values if one.line), default=1)
    at = Location(Origin(repo, os.path.basename(own.file or run.file or FILE)), Span(line, 1, line, 1))
    modules = tuple((module, tuple(answered)) for module, answered in by_module.items())
    apis, models = (*own.apis, *run.apis), (*run.models, *own.models)
    apis, models = tuple(dict.fromkeys(apis)), tuple(dict.fromkeys(models))
    return Answers(tuple(everywhere), at, modules, apis, models, (*run.scopes, *own.scopes))


def excluded(own: Settings, run: Settings) -> tuple[str, ...]:
    """What is not read of a repository: by its own configuration and by the run's; a library's model is no program."""
    models = (f"/{path.strip('./')}/" for path in own.model_paths)
    return tuple(dict.fromkeys((*own.exclude, *run.exclude, *models)))


def of_tree(name: str, paths: Container[str], read: Callable[[str], bytes | None]) -> Settings:
    """The configuration in a tree that is not on disk, such as a commit's. Raises `SettingsError`."""
    for file in (FILE, PYPROJECT):
        content = read(file) if file in paths else None
        if content is not None and (file == FILE or b"tool.subdrift" in content):
            prefix = ("tool", "subdrift") if file == PYPROJECT else ()
            text = content.decode("utf-8-sig", "replace").replace("\r\n", "\n")
            return replace(parse(text, f"{name}/{file}", prefix, bare=True), file=file)
    return Settings()


def find(root: str) -> str:
    """The configuration file of a repository: `.subdrift.toml`, else a pyproject.toml with our table, else ""."""
    path = os.path.join(root, FILE)
    if os.path.lexists(path):
        return path
    path = os.path.join(root, PYPROJECT)
    try:
        content = files.read(path, FILE_BYTES_MAX, follow=False)
    except OSError:
        return ""
    # however the table is spelled: `[tool.subdrift]`, `[tool] subdrift = {…}`
    return path if b"subdrift" in content and b"tool" in content else ""


def load(root: str) -> Settings:
    """The settings of the repository at that root. Raises `SettingsError`."""
    path = find(root)
    if not path:
        return Settings()
    found = load_file(path, root)
    return Settings() if found == Settings(file=path) else found


def load_file(path: str, root: str = "") -> Settings:
    """The settings a file holds; of a pyproject.toml its `[tool.subdrift]`. Raises `SettingsError`.

    With `root` they are a repository's own, which may be anybody's: a symbolic link is a mistake then, and so is a
    path to write to that leads out of the repository or into its `.git`; other such paths are relative to the root.
    """
    try:
        content = files.read(path, FILE_BYTES_MAX, follow=not root)
    except (OSError, ValueError) as error:
        is_link = isinstance(error, OSError) and error.errno == errno.ELOOP
        raise SettingsError(path, 0, say("settings.link") if is_link else reason_of(error)) from error
    return _parse_content(content, os.path.basename(path), path, root)


def parse_file(content: bytes, name: str, shown: str, root: str) -> Settings | None:
    """The settings of a file that is not on disk: its bytes, its base name, and what messages call it.

    None for a pyproject.toml without our table; `root` as in `load_file`. Raises `SettingsError`.
    """
    if name == PYPROJECT and b"tool.subdrift" not in content:
        return None
    return replace(_parse_content(content, name, shown, root), file=name)


def _parse_content(content: bytes, name: str, path: str, root: str) -> Settings:
    if len(content) > FILE_BYTES_MAX:
        raise SettingsError(path, 0, say("settings.too-large", most=FILE_BYTES_MAX >> 10))
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(path, line, say("settings.not-utf8")) from error
    prefix = ("tool", "subdrift") if name == PYPROJECT else ()
    return replace(parse(text, path, prefix, root), file=path)


def parse(text: str, file: str, prefix: KeyPath = (), root: str = "", *, bare: bool = False) -> Settings:
    """The settings a TOML text holds below `prefix`; `root` as in `load_file`. Raises `SettingsError`.

    `file` is for messages. `bare`: the files it names are not on disk.
    """
    import tomllib  # most trees have no configuration

    try:
        check_toml(text)
        table: Any = tomllib.loads(text)
    except BoundedError as error:
        raise SettingsError(file, error.line, say(f"nested.{error.kind}", most=error.most)) from error
    except ValueError as error:  # also a date that does not exist
        raise _syntax_error(error, text, file) from error
    for part in prefix:
        table = table.get(part, {}) if isinstance(table, dict) else table
    reader = _Reader(file, text, prefix, root, bare)
    if not isinstance(table, dict):
        reader.fail((), say("settings.table"))
    return _settings(reader, table, Settings())


def keys() -> tuple[str, ...]:
    """Every key of the top level, in the order of the documentation."""
    return tuple(_KEYS)


def places_of(path: str) -> dict[str, int]:
    """The keys a file sets, with the line of each. Raises `OSError`."""
    text = files.read(path, FILE_BYTES_MAX).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    prefix = ("tool", "subdrift") if os.path.basename(path) == PYPROJECT else ()
    found: dict[str, int] = {}
    for key, line in toml_lines(text).items():
        if key[: len(prefix)] == prefix and len(key) > len(prefix):
            name = str(key[len(prefix)]).replace("_", "-")
            found[name] = min(line, found.get(name, line))
    return found


def mistake(file: str, path: KeyPath, what: Message, suggestion: str, wrong: str) -> SettingsError:
    """An error about a value that can be read and means nothing; `wrong` is the text to mark. Raises `OSError`."""
    prefix = ("tool", "subdrift") if os.path.basename(file) == PYPROJECT else ()
    text = files.read(file, FILE_BYTES_MAX).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return _Reader(file, text, prefix).error(path, what, suggestion, wrong)


def keys_of(option: str) -> frozenset[str]:
    """The keys a `--config 'key = value'` sets."""
    return frozenset(str(key[0]).replace("_", "-") for key in toml_lines(option))


def with_overrides(settings: Settings, options: Iterable[str]) -> Settings:
    """The settings with `--config 'key = value'` options laid over them. Raises `SettingsError`."""
    for option in options:
        import tomllib

        try:
            check_toml(option)
            table = tomllib.loads(option)
        except BoundedError as error:
            raise SettingsError("--config", 0, say(f"nested.{error.kind}", most=error.most)) from error
        except ValueError as error:
            raise SettingsError(
                "--config", 0, say("settings.option", option=option, what=str(error))
            ) from error
        settings = _settings(_Reader("--config", option, ()), table, settings)
    return settings


class _Reader(Struct, frozen=True):
    """The text of one configuration, for messages that name a line."""

    file: str
    text: str
    prefix: KeyPath
    root: str = ""
    bare: bool = False
    counted: dict[Path, int] = field(default_factory=dict)
    """The line of every path, filled when a line is first asked for."""
    lines: dict[KeyPath, int] = field(default_factory=dict)
    """Those of the paths without the indexes of lists, filled likewise."""

    def fail(self, path: KeyPath, what: Message, suggestion: str = "", wrong: str = "") -> NoReturn:
        raise self.error(path, what, suggestion, wrong)

    def error(self, path: KeyPath, what: Message, suggestion: str, wrong: str) -> SettingsError:
        """What is wrong about a path; `wrong` is the text to mark, where that is not the key."""
        # the line says which entry of a list of tables it is
        name = ".".join(part for position, part in enumerate(path) if not (position == 1 and _counts(path)))
        line = self.line(path)
        said = say("settings.of-key", key=name, what=what) if name else what
        return SettingsError(self.file, line, said, suggestion, self._frame(line, path, wrong))

    def _frame(self, line: int, path: KeyPath, wrong: str) -> tuple[str, ...]:
        if not line or not path:
            return ()
        text = self.text.split("\n")[line - 1]
        words = (json.dumps(wrong, ensure_ascii=False), wrong) if wrong else ()
        word = next((part for part in (*words, *reversed(path)) if part in text), "")
        return _marked(text, text.index(word), len(word)) if word else ()

    def line(self, path: KeyPath) -> int:
        """The line on which a key, or else what is around it, is first set; 0 where nothing says."""
        full = self.prefix + path
        # the parts of a list of tables are counted: `ignore`, `1`, `rule`
        counted = self._counted().get(tuple(_index(one) for one in full), 0)
        if counted:
            return counted
        while full and full not in self._first():
            full = full[:-1]
        return self._first().get(full, 0)

    def _counted(self) -> Mapping[Path, int]:
        if not self.counted:
            self.counted.update(toml_lines(self.text))
        return self.counted

    def _first(self) -> Mapping[tuple[str, ...], int]:
        if not self.lines:
            for key, line in self._counted().items():
                named = tuple(part for part in key if isinstance(part, str))
                for end in range(len(named), 0, -1):
                    if self.lines.setdefault(named[:end], line) != line:
                        break
        return self.lines

    def names(
        self, table: Mapping[str, Any], path: KeyPath, known: Iterable[str]
    ) -> dict[str, tuple[KeyPath, Any]]:
        """Known key -> its path as written and its value; an unknown key fails."""
        found = {}
        for key, value in table.items():
            name = key.replace("_", "-")
            if name not in known:
                self.fail((*path, key), say("settings.unknown"), nearest(name, known))
            found[name] = ((*path, key), value)
        return found

    def text_of(self, path: KeyPath, value: Any) -> str:
        if not isinstance(value, str):
            self.fail(path, say("settings.text-not", kind=_kind(value)))
        return value

    def path_of(self, path: KeyPath, value: Any) -> str:
        """A path to write to; below the root where the settings are a repository's own."""
        text = self.text_of(path, value)
        if "\0" in text:
            self.fail(path, say("settings.path"))
        if not self.root or not text:
            return text
        home = os.path.realpath(self.root)
        target = os.path.realpath(os.path.join(home, text))
        parts = os.path.relpath(target, home).split(os.sep)
        if (
            parts[0] in (os.pardir, os.curdir)
            or os.path.isabs(text)
            or ".git" in (part.lower() for part in parts)
        ):
            self.fail(path, say("settings.path-inside", text=text))
        return target

    def flag(self, path: KeyPath, value: Any) -> bool:
        if not isinstance(value, bool):
            self.fail(path, say("settings.flag-not", kind=_kind(value)))
        return value

    def number(self, path: KeyPath, value: Any, at_most: int, at_least: int = 1) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(path, say("settings.number-not", kind=_kind(value)))
        if not at_least <= value <= at_most:
            self.fail(path, say("settings.between", at_least=at_least, at_most=at_most))
        return value

    def version(self, path: KeyPath, value: Any) -> str:
        text = self.text_of(path, value)
        if not _VERSION.fullmatch(text):
            self.fail(path, say("settings.version-not", text=text), wrong=text)
        return text

    def choice(self, path: KeyPath, value: Any, known: tuple[str, ...]) -> str:
        text = self.text_of(path, value)
        if text not in known:
            self.fail(
                path,
                say("settings.choice-not", known=", ".join(known), text=text),
                nearest(text, known),
                text,
            )
        return text

    def texts(self, path: KeyPath, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list):
            self.fail(path, say("settings.texts-not", kind=_kind(value)))
        return tuple(self.text_of(path, one) for one in value)

    def table(self, path: KeyPath, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.fail(path, say("settings.table-not", kind=_kind(value)))
        return value


_Parser = Callable[[_Reader, KeyPath, Any, Settings], Settings]


def _settings(reader: _Reader, table: Mapping[str, Any], settings: Settings) -> Settings:
    for name, (path, value) in reader.names(table, (), _KEYS).items():
        settings = _KEYS[name](reader, path, value, settings)
    return settings


def _read_values(
    reader: _Reader, path: KeyPath, value: Any, settings: Settings, profile: str = "", module: str = ""
) -> Settings:
    answers = {(one.module, one.profile, one.key): one for one in settings.values}
    for key, spelled, text in _flat(reader, path, reader.table(path, value), ""):
        answers[module, profile, key] = Answer(key, text, profile, reader.line(spelled), module)
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
    reader.fail(path, say("settings.scalar-not", kind=_kind(value)))


def _read_profiles(
    reader: _Reader, path: KeyPath, value: Any, settings: Settings, module: str = ""
) -> Settings:
    for profile, content in reader.table(path, value).items():
        here = (*path, profile)
        for inner, values in reader.names(reader.table(here, content), here, ("values",)).values():
            settings = _read_values(reader, inner, values, settings, profile, module)
    return settings


def _read_modules(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    for folder, content in reader.table(path, value).items():
        here = (*path, folder)
        module = folder.removeprefix("./").rstrip("/")
        if not module or module == "." or module.startswith(("/", "../")) or "\\" in module:
            reader.fail(here, say("settings.folder", folder=folder))
        for name, (inner, said) in reader.names(
            reader.table(here, content), here, ("values", "profiles")
        ).items():
            read = _read_values if name == "values" else _read_profiles
            settings = read(reader, inner, said, settings, module=module)
    return settings


def _read_clusters(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    found = dict(settings.clusters)
    owner = {address: name for name, addresses in settings.clusters for address in addresses}
    for name, addresses in reader.table(path, value).items():
        here = (*path, name)
        for address in found.get(name, ()):
            del owner[address]
        found[name] = reader.texts(here, addresses)
        for address in found[name]:
            other = owner.setdefault(address, name)
            if other != name:
                reader.fail(here, say("settings.address-twice", other=other, address=address))
    return replace(settings, clusters=tuple(found.items()))


SCOPES = ("test", "sample", "main")
"""What `[scope]` may say of paths; of a path that matches several the last counts."""

_APIS = (
    "annotation", "class", "group", "topic", "expression", "filter-type", "message-model", "consume-mode", "namespace",
)  # fmt: skip


def _read_apis(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    from subdrift.linter.model.answers import DeclaredApi

    if not isinstance(value, list):
        reader.fail(path, say("settings.apis"))
    found = []
    for number, one in enumerate(value):
        here = (*path, str(number))
        said = reader.names(reader.table(here, one), here, _APIS)
        if ("annotation" in said) == ("class" in said):
            reader.fail(here, say("settings.annotation-or-class"))
        for key in ("group", "topic"):
            if key not in said:
                reader.fail(here, say("settings.must-say", key=key))
        is_annotation = "annotation" in said
        texts = {key: _holder(reader, at, text, is_annotation) for key, (at, text) in said.items()}
        name = texts.pop("annotation" if is_annotation else "class")
        fields = {key.replace("-", "_"): text for key, text in texts.items()}
        found.append(DeclaredApi(name=name, is_annotation=is_annotation, **fields))
    return replace(settings, apis=(*settings.apis, *found))


def _read_scope(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    """`[scope]`: patterns of paths whose consumers are main code, tests or samples, whatever their folders are called."""
    said = reader.names(reader.table(path, value), path, SCOPES)
    found = tuple((text, scope) for scope in SCOPES if scope in said for text in reader.texts(*said[scope]))
    return replace(settings, scopes=(*settings.scopes, *found))


def _read_models(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    """`[models] paths`: folders of sources that say what libraries do, relative to the configuration."""
    listed: list[str] = []
    found: list[ModelSource] = []
    for here, given in reader.names(reader.table(path, value), path, ("paths",)).values():
        for text in reader.texts(here, given):
            listed.append(text)
            found += _models_below(reader, here, text)
    return replace(settings, model_paths=(*settings.model_paths, *listed), models=(*settings.models, *found))


def _models_below(reader: _Reader, path: KeyPath, text: str) -> list[ModelSource]:
    """The models of one folder, by their path below it."""
    from subdrift.linter.model.answers import ModelSource
    from subdrift.linter.stages.models import broken_line, is_model  # parsers are heavy, most runs have none

    if reader.bare:
        return []
    top = os.path.realpath(os.path.join(reader.root or os.path.dirname(reader.file), text))
    if reader.root and os.path.commonpath((os.path.realpath(reader.root), top)) != os.path.realpath(
        reader.root
    ):
        reader.fail(path, say("settings.path-inside", text=text), wrong=text)
    names = sorted(
        os.path.relpath(os.path.join(above, name), top)
        for above, _, inside in os.walk(top)
        for name in inside
        if is_model(name)
    )
    if not names:
        reader.fail(path, say("settings.no-models", text=text), wrong=text)
    if len(names) > MODEL_FILES_MAX:
        reader.fail(path, say("settings.too-many-models", text=text, most=MODEL_FILES_MAX), wrong=text)
    found = []
    for name in names:
        shown = f"{text}/{name}".replace(os.sep, "/")
        try:
            content = files.read(os.path.join(top, name), FILE_BYTES_MAX, follow=not reader.root)
            one = ModelSource(name.replace(os.sep, "/"), content.decode("utf-8-sig"))
        except (OSError, ValueError) as error:
            reader.fail(path, say("settings.model-unread", path=shown, why=reason_of(error)), wrong=text)
        if len(content) > FILE_BYTES_MAX:
            reader.fail(path, say("settings.model-large", path=shown, most=FILE_BYTES_MAX >> 10), wrong=text)
        line = broken_line(one)
        if line:
            reader.fail(path, say("settings.model-broken", path=shown, line=line), wrong=text)
        found.append(one)
    return found


def _holder(reader: _Reader, path: KeyPath, value: Any, is_annotation: bool) -> str:
    """What holds a value: a name, or the number of an argument of a class's constructor."""
    if isinstance(value, int) and not isinstance(value, bool) and not is_annotation:
        return str(reader.number(path, value, ARGUMENTS_MAX))
    text = reader.text_of(path, value).removeprefix("@").removesuffix("()")
    if not all(part.isidentifier() for part in text.split(".")):
        reader.fail(path, say("settings.name-not", text=text))
    return text


_IGNORE = ("rule", "group", "topic", "path", "reason", "until")


def _read_ignore(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    import datetime

    from subdrift.linter.model.ignore import Ignore
    from subdrift.linter.model.location import Location, Origin, Span

    if not isinstance(value, list):
        reader.fail(path, say("settings.ignore"))
    found = []
    for number, one in enumerate(value):
        here = (*path, str(number))
        said = reader.names(reader.table(here, one), here, _IGNORE)
        texts = {key: reader.text_of(at, text) for key, (at, text) in said.items() if key != "until"}
        for key in ("rule", "reason"):
            if not texts.get(key):
                reader.fail(here, say("settings.must-say", key=key))
        until = None
        if "until" in said:
            at, day = said["until"]
            if not isinstance(day, datetime.date) or isinstance(day, datetime.datetime):
                reader.fail(at, say("settings.day-not", kind=_kind(day)))
            until = day
        line = reader.line(here) or reader.line(path) or 1
        where = Location(Origin("", os.path.basename(reader.file)), Span(line, 1, line, 1))
        found.append(
            Ignore(
                rule=texts["rule"],
                reason=texts["reason"],
                at=where,
                group=texts.get("group"),
                topic=texts.get("topic"),
                path=texts.get("path", ""),
                until=until,
            )
        )
    return replace(settings, ignores=(*settings.ignores, *found))


def _read_blind_spots(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    if value == AS_IN_BASE:
        return replace(settings, max_blind_spots=AS_IN_BASE)
    if isinstance(value, str):
        reader.fail(path, say("settings.number-or-base-not", as_in_base=AS_IN_BASE, text=value))
    return replace(settings, max_blind_spots=reader.number(path, value, BLIND_SPOTS_MAX, at_least=0))


_SUPPOSED = ("instances", "queues", "client-version", "broker-version", "enable-property-filter")


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
            case "broker-version":
                found = replace(found, broker_version=reader.version(path, value))
            case _:
                found = replace(found, property_filter=reader.flag(path, value))
    return found


def _read_topic(reader: _Reader, path: KeyPath, value: Any) -> int:
    names = reader.names(reader.table(path, value), path, ("queues",))
    if "queues" not in names:
        reader.fail(path, say("settings.must-say", key="queues"))
    return reader.number(*names["queues"], QUEUES_MAX)


def _read_output(reader: _Reader, path: KeyPath, value: Any, settings: Settings) -> Settings:
    outputs = []
    for one in reader.texts(path, value):
        kind, equals, file = one.partition("=")
        reader.choice(path, kind, FORMATS)
        if not equals or not file:
            reader.fail(path, say("settings.output-not", text=one))
        outputs.append((kind, file if file == "-" else reader.path_of(path, file)))
    return replace(settings, outputs=tuple(outputs))


_KEYS: dict[str, _Parser] = {
    "repository": lambda r, p, v, s: replace(s, repository=r.text_of(p, v)),
    "values": lambda r, p, v, s: _read_values(r, p, v, s),
    "profiles": lambda r, p, v, s: _read_profiles(r, p, v, s),
    "modules": _read_modules,
    "exclude": lambda r, p, v, s: replace(s, exclude=r.texts(p, v)),
    "clusters": _read_clusters,
    "assume": _read_assume,
    "fail-on": lambda r, p, v, s: replace(s, fail_on=r.choice(p, v, FAIL_ON)),
    "strict": lambda r, p, v, s: replace(s, strict=r.flag(p, v)),
    "lang": lambda r, p, v, s: replace(s, lang=r.choice(p, v, LANGS)),
    "output-format": lambda r, p, v, s: replace(s, output_format=r.choice(p, v, FORMATS)),
    "output": _read_output,
    "cache-dir": lambda r, p, v, s: replace(s, cache_dir=r.path_of(p, v)),
    "select": lambda r, p, v, s: replace(s, select=r.texts(p, v)),
    "ignore": _read_ignore,
    "apis": _read_apis,
    "models": _read_models,
    "scope": _read_scope,
    "baseline": lambda r, p, v, s: replace(s, baseline=r.path_of(p, v)),
    "expect-consumers": lambda r, p, v, s: replace(s, expect_consumers=r.number(p, v, 1_000_000, at_least=0)),
    "max-blind-spots": _read_blind_spots,
}


def _index(part: str) -> int | str:
    """The index of a list's entry that a part of a key path stands for; any other part as it is."""
    return int(part) if part.isdecimal() and len(part) <= len(str(FILE_BYTES_MAX)) else part


def _kind(value: Any) -> Message:
    match value:
        case bool():
            return say("kind.flag")
        case str():
            return say("kind.text")
        case int() | float():
            return say("kind.number")
        case list():
            return say("kind.list")
        case dict():
            return say("kind.table")
        case _:
            return say("kind.date")


def _counts(path: KeyPath) -> bool:
    """Whether the second part of a path is the number of a table in a list, and no key."""
    return path[0] == "ignore" and len(path) > 1 and path[1].isdecimal()


def _marked(text: str, column: int, length: int) -> tuple[str, str]:
    """A line and the marks below a part of it; a tab above stays a tab below."""
    if column > _MARKED_MAX // 2:
        text, column = f"…{text[column - _MARKED_MAX // 4 :]}", _MARKED_MAX // 4 + 1
    if len(text) > _MARKED_MAX:
        text = f"{text[:_MARKED_MAX]}…"
    lead = "".join("\t" if one == "\t" else " " * _cells(one) for one in text[:column])
    return text, lead + "^" * max(1, _cells(text[column : column + length]))


_MARKED_MAX = 160
"""Characters of a line that are shown above the marks."""


def _cells(text: str) -> int:
    import unicodedata  # mistakes alone need it

    return sum(1 + (unicodedata.east_asian_width(one) in "WF") for one in text)


def _syntax_error(error: Exception, text: str, file: str) -> SettingsError:
    found = re.search(r"\(at line (\d+), column (\d+)\)|\(at end of document\)", str(error))
    lines = text.split("\n")
    line = int(found[1]) if found is not None and found[1] else len(lines)
    frame: tuple[str, ...] = ()
    if found is not None and found[1] and line <= len(lines):
        frame = _marked(lines[line - 1], int(found[2]) - 1, 1)
    message = str(error)[: found.start()].rstrip() if found else str(error)
    return SettingsError(file, line, say("settings.not-toml", reason=message), frame=frame)
