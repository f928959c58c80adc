"""JSON, TOML and INI -> `ConfigEntry`s."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from subdrift.linter.extract import documents, toml
from subdrift.linter.extract.bounded import CHARS_MAX, ENTRIES_MAX, NESTING_MAX, bounded
from subdrift.linter.extract.texts import comments_of, decode, joined
from subdrift.linter.extract.yaml_files import compose, document_of
from subdrift.linter.model.facts import ConfigEntry, FileFacts, Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.text.places import toml_lines


def json_file(content: bytes) -> FileFacts:
    """JSON is read as YAML, of which it is a part, so that every value has its place."""
    text = decode(content)
    roots, problems = compose(text)
    entries = [entry for index, root in enumerate(roots[:1]) for entry in document_of(root, index)]
    whole = ""
    if not problems or (not roots and problems[0].name == "parse-error"):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            whole = documents.of_data(data)
            if problems:  # escapes that YAML does not know: no places, but all values
                problems = []
                flat = (ConfigEntry(key, value, (), 0, START) for key, value in _flat("", data, 0) if key)
                some, beyond = bounded(flat)
                entries, problems = list(some), list(beyond)
    return FileFacts("config", config=tuple(entries[:ENTRIES_MAX]), problems=tuple(problems), text=whole)


def toml_file(content: bytes) -> FileFacts:
    """The facts of a TOML file."""
    text = decode(content)
    data = toml.load(text)
    if isinstance(data, Problem):
        return FileFacts("config", problems=(data,))
    places = _toml_places(text)
    entries, problems = bounded(
        ConfigEntry(key, value, (), 0, places.get(re.sub(r"\[\d+\]", "", key), START))
        for key, value in _flat("", data, 0)
    )
    return FileFacts(
        "config",
        config=entries,
        suppressions=comments_of(text, content),
        problems=problems,
        text=documents.of_data(data),
    )


def _flat(key: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    if depth > NESTING_MAX:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(joined(key, str(name)), inner, depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _flat(f"{key}[{index}]", inner, depth + 1)
    elif isinstance(value, bool):
        yield key, "true" if value else "false"
    else:
        yield key, str(value)


def _toml_places(text: str) -> dict[str, Span]:
    """Where keys stand, by lines; a value inside a table written in one line has the place of its line."""
    lines = text.splitlines()
    places: dict[str, Span] = {}
    chars = 0
    for path, line in toml_lines(text).items():
        chars += sum(len(part) for part in path if isinstance(part, str))
        if chars > CHARS_MAX:
            break
        key = ""
        for part in path:
            key = key if isinstance(part, int) else joined(key, part)
        shown = lines[line - 1] if line <= len(lines) else ""
        start = len(shown) - len(shown.lstrip()) + 1
        places.setdefault(key, Span(line, start, line, max(start, len(shown.rstrip()) + 1)))
    return places


def ini_file(content: bytes) -> FileFacts:
    """The facts of an INI file."""
    text = decode(content)
    entries, problems = bounded(ini_entries(text))
    return FileFacts(
        "config",
        config=entries,
        suppressions=comments_of(text, content, "#;"),
        problems=problems,
        text=documents.text_of(text),
    )


def ini_entries(text: str) -> Iterator[ConfigEntry]:
    """INI as configparser reads it: `section.option`, options in lower case, DEFAULT for every section."""
    section = ""
    sections: dict[str, dict[str, tuple[str, Span]]] = {}
    last: tuple[str, str] | None = None
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        body = line.strip()
        if not body or body[0] in "#;":
            continue
        if body.startswith("[") and "]" in body:
            section = body[1 : body.index("]")].strip()
            sections.setdefault(section, {})
            last = None
            continue
        if line[:1] in " \t" and last is not None:
            value, at = sections[last[0]][last[1]]
            sections[last[0]][last[1]] = (
                f"{value}\n{body}",
                Span(at.line, at.column, number, len(line.rstrip()) + 1),
            )
            continue
        sign = re.search("[=:]", line)
        option = line[: sign.start()].strip().lower() if sign is not None else ""
        if sign is None or not option:
            continue
        value = re.sub(r"\s[#;].*$", "", line[sign.end() :]).strip()
        start = len(line) - len(line.lstrip())
        sections.setdefault(section, {})[option] = (
            value,
            Span(number, start + 1, number, len(line.rstrip()) + 1),
        )
        last = (section, option)
    defaults = sections.get("DEFAULT", {})
    for name, options in sections.items():
        held = options if name == "DEFAULT" else {**defaults, **options}
        for option, (value, at) in held.items():
            yield ConfigEntry(joined(name, option), value, (), 0, at)
