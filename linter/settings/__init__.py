"""`.subdrift.toml`, else `[tool.subdrift]` of `pyproject.toml`, in; frozen `Settings` out.

Nothing else is read, but for the files that `extends` names: what those say holds where the configuration is silent.
Mistakes end the run: `SettingsError` names file and line of each, and what was probably meant. `_` and `-` are the same
in key names of ours.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Container, Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from subdrift.linter import files
from subdrift.linter.files import reason_of
from subdrift.linter.model.message import say
from subdrift.linter.settings.data import (
    AS_IN_BASE,
    BLIND_SPOTS_MAX,
    FAIL_ON,
    FILE,
    OFF,
    PYPROJECT,
    SCOPES,
    Answer,
    Settings,
)
from subdrift.linter.settings.mistake import SettingsError, Written, marked, together
from subdrift.linter.settings.opening import FILE_BYTES_MAX, Opening, Read
from subdrift.linter.text.bounded import BoundedError, check_toml
from subdrift.linter.text.places import toml_lines

if TYPE_CHECKING:
    from subdrift.linter.model.answers import Answers

__all__ = (
    "AS_IN_BASE", "BLIND_SPOTS_MAX", "FAIL_ON", "FILE", "OFF", "PYPROJECT", "SCOPES", "Answer", "Settings", "SettingsError",
)  # fmt: skip


def answers_of(repo: str, own: Settings, run: Settings) -> Answers:
    """What `[values]` answers for a repository: its own configuration, and the run's where that is silent."""
    from subdrift.linter.model.answers import Answers
    from subdrift.linter.model.location import Location, Origin, Span

    answers = {(one.module, one.key, one.profile): one.text for one in (*run.values, *own.values)}
    by_module: dict[str, list[tuple[str, str, str]]] = {}
    for (module, key, profile), text in sorted(answers.items()):
        by_module.setdefault(module, []).append((key, profile, text))
    everywhere = by_module.pop("", [])
    line = min((one.line for one in own.values if one.line and not one.file), default=1)
    at = Location(Origin(repo, os.path.basename(own.file or run.file or FILE)), Span(line, 1, line, 1))
    modules = tuple((module, tuple(answered)) for module, answered in by_module.items())
    apis, models = (*own.apis, *run.apis), (*run.models, *own.models)
    apis, models = tuple(dict.fromkeys(apis)), tuple(dict.fromkeys(models))
    return Answers(tuple(everywhere), at, modules, apis, models, (*run.scopes, *own.scopes))


def excluded(own: Settings, run: Settings) -> tuple[str, ...]:
    """What is not read of a repository: by its own configuration and by the run's; a library's model is no program."""
    models = (f"/{path.strip('./')}/" for path in own.model_paths)
    return tuple(dict.fromkeys((*own.exclude, *run.exclude, *models)))


def of_tree(name: str, paths: Container[str], read: Read, rules: Collection[str] = ()) -> Settings:
    """The configuration in a tree that is not on disk, such as a commit's. Raises `SettingsError`."""
    for file in (FILE, PYPROJECT):
        content = read(file) if file in paths else None
        if content is not None and (file == FILE or b"tool.subdrift" in content):
            opening = Opening(f"{name}/{file}", file, file, tree=read, rules=rules)
            return replace(_parsed(content.decode("utf-8-sig", "replace"), opening), file=file)
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


def load(root: str, rules: Collection[str] = ()) -> Settings:
    """The settings of the repository at that root. Raises `SettingsError`."""
    path = find(root)
    if not path:
        return Settings()
    found = load_file(path, root, rules)
    return Settings() if found == Settings(file=path) else found


def load_file(path: str, root: str = "", rules: Collection[str] = ()) -> Settings:
    """The settings a file holds; of a pyproject.toml its `[tool.subdrift]`. `root` as in `Opening`. Raises `SettingsError`."""
    opening = Opening(path, os.path.basename(path), os.path.realpath(path), root, rules=rules)
    return replace(_of_content(_content(path, follow=not root), opening), file=path)


def parse_file(
    content: bytes, name: str, shown: str, root: str, tree: Read | None = None, rules: Collection[str] = ()
) -> Settings | None:
    """The settings of a file that is not on disk: its bytes, its base name, what messages call it, and what reads others.

    None for a pyproject.toml without our table; `root` as in `Opening`. Raises `SettingsError`.
    """
    if name == PYPROJECT and b"tool.subdrift" not in content:
        return None
    opening = Opening(shown, name, name, root, tree, rules)
    return replace(_of_content(content, opening), file=name)


def parse(
    text: str, file: str, root: str = "", rules: Collection[str] = (), *, bare: bool = False
) -> Settings:
    """The settings a TOML text holds; `file` is for messages. `bare`: the files it names are not on disk.

    Raises `SettingsError`."""
    tree = (lambda path: None) if bare else None
    return _parsed(text, Opening(file, FILE, os.path.realpath(file), root, tree, rules))


def _content(path: str, follow: bool) -> bytes:
    try:
        return files.read(path, FILE_BYTES_MAX, follow=follow)
    except (OSError, ValueError) as error:
        is_link = isinstance(error, OSError) and error.errno == errno.ELOOP
        raise SettingsError(path, 0, say("settings.link") if is_link else reason_of(error)) from error


def _of_content(content: bytes, opening: Opening) -> Settings:
    if len(content) > FILE_BYTES_MAX:
        raise SettingsError(opening.shown, 0, say("settings.too-large", most=FILE_BYTES_MAX >> 10))
    try:
        return _parsed(content.decode("utf-8-sig"), opening)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(opening.shown, line, say("settings.not-utf8")) from error


def _parsed(text: str, opening: Opening) -> Settings:
    import tomllib  # most trees have no configuration

    from subdrift.linter.settings import entries

    file, text = opening.shown, text.replace("\r\n", "\n")
    try:
        check_toml(text)
        table: Any = tomllib.loads(text)
    except BoundedError as error:
        raise SettingsError(file, error.line, say(f"nested.{error.kind}", most=error.most)) from error
    except ValueError as error:  # also a date that does not exist
        raise _syntax_error(error, text, file) from error
    for part in opening.prefix:
        table = table.get(part, {}) if isinstance(table, dict) else table
    written = Written(file, text, opening.prefix)
    if not isinstance(table, dict):
        raise written.error((), say("settings.table"))
    source = entries.Source(
        written, opening.root, opening.tree is not None, bool(opening.above), opening.folder, opening.inside
    )
    found: list[SettingsError] = []
    settings = Settings()
    if isinstance(table.get("extends"), str):
        try:
            settings = _extended(table["extends"], written, opening)
        except SettingsError as error:
            found.append(error)
    try:
        settings = entries.read(source, table, settings, opening.rules)
    except SettingsError as error:
        found.insert(0, error)
    if found:
        raise together(found)
    return settings


def _extended(named: str, written: Written, opening: Opening) -> Settings:
    """What the configuration says that `extends` names. Raises `SettingsError`."""
    from subdrift.linter.settings.opening import CannotExtendError, extended

    try:
        content, found = extended(named, opening)
    except CannotExtendError as error:
        raise written.error(("extends",), error.message, wrong=named) from error
    settings = _of_content(content, found)
    return replace(settings, extended=(found.shown, *settings.extended))


def keys() -> tuple[str, ...]:
    """Every key of the top level, in the order of the documentation."""
    from subdrift.linter.settings.entries import WHOLE

    return tuple(WHOLE.keys)


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


def keys_of(option: str) -> frozenset[str]:
    """The keys a `--config 'key = value'` sets."""
    return frozenset(str(key[0]).replace("_", "-") for key in toml_lines(option))


def with_overrides(settings: Settings, options: Iterable[str], rules: Collection[str] = ()) -> Settings:
    """The settings with `--config 'key = value'` options laid over them. Raises `SettingsError`."""
    for option in options:
        import tomllib

        from subdrift.linter.settings import entries

        try:
            check_toml(option)
            table = tomllib.loads(option)
        except BoundedError as error:
            raise SettingsError("--config", 0, say(f"nested.{error.kind}", most=error.most)) from error
        except ValueError as error:
            raise SettingsError(
                "--config", 0, say("settings.option", option=option, what=str(error))
            ) from error
        written = Written("--config", option, ())
        if "extends" in table:
            raise written.error(("extends",), say("settings.extends-in-file"))
        settings = entries.read(entries.Source(written), table, settings, rules)
    return settings


def _syntax_error(error: Exception, text: str, file: str) -> SettingsError:
    found = re.search(r"\(at line (\d+), column (\d+)\)|\(at end of document\)", str(error))
    lines = text.split("\n")
    line = int(found[1]) if found is not None and found[1] else len(lines)
    frame: tuple[str, ...] = ()
    if found is not None and found[1] and line <= len(lines):
        frame = marked(lines[line - 1], int(found[2]) - 1, 1)
    message = str(error)[: found.start()].rstrip() if found else str(error)
    return SettingsError(file, line, say("settings.not-toml", reason=message), frame=frame)
