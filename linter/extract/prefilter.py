"""File name and bytes -> is it worth parsing. The tokens come from `linter.extract.apis`, never from a list here."""

from __future__ import annotations

from functools import cache

from linter.extract.apis import TOKENS

_SUFFIXES = {
    "java": "java",
    "py": "python",
    "yml": "config",
    "yaml": "config",
    "properties": "config",
    "xml": "xml",
}

_OTHER = {
    "kt": "Kotlin",
    "scala": "Scala",
    "groovy": "Groovy",
    "go": "Go",
    "cs": "C#",
    "cpp": "C++",
    "cc": "C++",
    "rs": "Rust",
    "js": "JavaScript",
    "mjs": "JavaScript",
    "ts": "TypeScript",
    "php": "PHP",
    "clj": "Clojure",
    "jsp": "JSP",
}

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def base_name(path: str) -> str:
    return path.rpartition("/")[2]


def language_of(path: str) -> str | None:
    """The language a file is read as, by its name alone; None for what is not read."""
    return _SUFFIXES.get(base_name(path).rpartition(".")[2].lower())


def other_language(path: str) -> str | None:
    """The name of a language RocketMQ clients exist for and which is not read, by file name."""
    return _OTHER.get(base_name(path).rpartition(".")[2].lower())


@cache
def _tests(language: str | None) -> tuple[tuple[bytes, tuple[bytes, ...]], ...]:
    sites: dict[bytes, dict[bytes, None]] = {}
    for row in TOKENS:
        if language is None or row.language == language:
            for library in row.library:
                sites.setdefault(library, {}).update(dict.fromkeys(row.sites))
    return tuple((library, tuple(found)) for library, found in sites.items())


def is_candidate(language: str | None, content: bytes) -> bool:
    """Whether the bytes may declare a consumer: a library token (any case), then a site token of that library.

    With language None the tokens of all languages are tried (for files of languages that are not read).
    UTF-16 is decoded first; an escape inside an identifier is not seen.
    """
    if content.startswith(UTF16_MARKS):
        content = content.decode("utf-16", "replace").encode()
    lowered = content.lower()
    return any(
        library in lowered and any(site in content for site in sites) for library, sites in _tests(language)
    )
