"""Python's `json`, `ast`, `shlex`, `urllib.parse` and bytes."""

from __future__ import annotations

import ast
import base64
import binascii
import csv
import difflib
import fnmatch
import hashlib
import html
import json
import keyword
import re
import shlex
import statistics
import textwrap
import unicodedata
import urllib.parse
import uuid
import zlib
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from subdrift.linter.resolve.execute.guards import apply
from subdrift.linter.resolve.execute.values import Guarded, Object
from subdrift.linter.resolve.semantics.python.concrete import NotKnown, computed
from subdrift.linter.resolve.semantics.python.natives import METHODS, Call, Method, pure
from subdrift.linter.text.bounded import BoundedError, check_json, check_toml


def loads(call: Call) -> Guarded:
    """`json.loads` of a known text."""
    return apply(lambda leaf: computed(call.run, _json, call.at, leaf, detail="json.loads()"), call.get(0))


def _json(written: str | bytes) -> object:
    """Raises `NotKnown` for a text that would take long."""
    if isinstance(written, bytes):
        written = written.decode()
    try:
        check_json(written)
    except BoundedError as error:
        raise NotKnown from error
    return json.loads(written)


def _literal(written: str) -> object:
    """Raises `NotKnown` for a text that would take long."""
    if _SIGNS.search(written):
        raise NotKnown
    try:
        check_toml(written)
    except BoundedError as error:
        raise NotKnown from error
    return ast.literal_eval(written)


_SIGNS = re.compile(r"[-+~(\s]{100}")
"""More signs than anyone writes: a parser recurses with them."""


def _digest(name: str, parts: Sequence[bytes]) -> str:
    return hashlib.new(name, b"".join(parts), usedforsecurity=False).hexdigest()


pure("ast.literal_eval", _literal)
pure("_native.quoted", urllib.parse.quote)
pure("_native.unquoted", urllib.parse.unquote)
pure("_native.digest", lambda name, *parts: _digest(name, parts))
for _name in (
    "b64encode",
    "b64decode",
    "urlsafe_b64encode",
    "urlsafe_b64decode",
    "b32encode",
    "b16encode",
    "b16decode",
):
    pure(f"base64.{_name}", getattr(base64, _name))
for _name in ("hexlify", "unhexlify", "b2a_hex", "a2b_hex"):
    pure(f"binascii.{_name}", getattr(binascii, _name))
for _name in ("normalize", "category", "name", "combining", "is_normalized"):
    pure(f"unicodedata.{_name}", getattr(unicodedata, _name))
pure("zlib.crc32", zlib.crc32)
pure("binascii.crc32", zlib.crc32)


def _dumps(value: object, **settings: Any) -> str:
    """Raises `NotKnown` for a deep indent."""
    indent = settings.get("indent")
    if (len(indent) if isinstance(indent, str) else indent or 0) > _INDENT_MAX:
        raise NotKnown
    return json.dumps(value, **settings)


_INDENT_MAX = 64
pure("_native.json_text", _dumps, "json.dumps()", ("sort_keys", "ensure_ascii", "separators", "indent"))


class _Written:
    @staticmethod
    def write(line: str) -> str:
        return line


def _csv_line(row: Sequence[object], **settings: Any) -> str:
    written: str = csv.writer(_Written, **settings).writerow(row)  # what `write` gives
    return written


_FORMS = ("dialect", "delimiter", "lineterminator", "quotechar", "quoting", "escapechar", "doublequote")
pure("_native.csv_line", _csv_line, "csv", _FORMS)
pure("shlex.split", shlex.split, "shlex.split()", ("comments", "posix"))
for _each in (
    shlex.quote,
    shlex.join,
    html.unescape,
    keyword.iskeyword,
    urllib.parse.urljoin,
    fnmatch.translate,
):
    pure(f"{_each.__module__}.{_each.__name__}", _each)
pure("html.escape", html.escape, names=("quote",))
pure("keyword.iskeyword", keyword.iskeyword)
_WRAPPING = (
    "width",
    "placeholder",
    "initial_indent",
    "subsequent_indent",
    "break_long_words",
    "break_on_hyphens",
    "max_lines",
)
for _name in ("wrap", "fill", "shorten"):
    pure(f"textwrap.{_name}", getattr(textwrap, _name), names=_WRAPPING)
for _name in (
    "mean", "fmean", "median", "median_low", "median_high", "mode", "multimode", "stdev", "pstdev", "variance", "pvariance",
):  # fmt: skip
    pure(f"statistics.{_name}", getattr(statistics, _name))


def _close(word: str, possibilities: Sequence[str], *more: Any, **named: Any) -> list[str]:
    """Raises `NotKnown` for what would take long."""
    if len(word) * sum(map(len, possibilities)) > _COMPARED_MAX:
        raise NotKnown
    return difflib.get_close_matches(word, possibilities, *more, **named)


_COMPARED_MAX = 100_000
pure("difflib.get_close_matches", _close, "get_close_matches()", ("n", "cutoff"))
pure("_native.named_uuid", lambda version, space, name: _named(version, uuid.UUID(space), name))


def _named(version: int, space: uuid.UUID, name: str) -> str:
    return (uuid.uuid3 if version == 3 else uuid.uuid5)(space, name).hex


def _tree(written: str | bytes) -> Any:
    """A document of XML as tags with attributes, texts and what stands in them; None for what is not one. Raises `NotKnown` for
    one that may have entities, and for a very deep one."""
    readable = written if isinstance(written, str) else written.decode("latin-1")
    if "<!" in readable.replace("<!--", "") or "\0" in readable:  # in UTF-16 it would not be seen
        raise NotKnown
    try:
        return _part(ElementTree.fromstring(written), 0)
    except ElementTree.ParseError:
        return None


def _part(one: ElementTree.Element, depth: int) -> Any:
    if depth > _TREE_MAX:
        raise NotKnown
    return one.tag, dict(one.attrib), one.text, one.tail, tuple(_part(each, depth + 1) for each in one)


_TREE_MAX = 16
pure("_native.document_tree", _tree)


def _of_bytes(name: str) -> Method:
    def run(call: Call, leaf: Object) -> Guarded:
        return computed(
            call.run,
            lambda own, *given: getattr(own, name)(*given),
            call.at,
            leaf,
            *call.values,
            detail=f"{name}()",
        )

    return run


for _name in ("hex", "strip", "upper", "lower", "startswith", "endswith", "replace", "split"):
    METHODS[f"bytes.{_name}"] = _of_bytes(_name)
