"""YAML -> `ConfigEntry`s, read as nodes: aliases cost nothing, tags have no effect, nothing is constructed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from subdrift.linter.extract.bounded import (
    CHARS_MAX,
    DOCUMENTS_MAX,
    ENTRIES_MAX,
    NESTING_MAX,
    refused,
    too_large,
)
from subdrift.linter.extract.masks import FORBIDDEN, mask, masked_maven, node_span, unmask
from subdrift.linter.extract.sections import PROFILE_KEYS, entry_of, on_platform
from subdrift.linter.extract.texts import joined
from subdrift.linter.model.facts import ConfigEntry, Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say
from subdrift.linter.text.encodings import UTF16_MARKS

if TYPE_CHECKING:
    from yaml.nodes import Node


_PLAIN_CHARS_MAX = 16 << 10
"""A text of so many characters without aliases cannot stand for more than `CHARS_MAX`."""

TABS_CHARS_MAX = 128 * 1024
"""Characters of a YAML text with tabs that are scanned for those its application would refuse."""

_INDEX_CHARS = 8

_BRACKETS = re.compile(r"[\[\]{}]")

_INDENTED = re.compile(r"(?m)^([ ]*)(?=[^\s#])")

_TAB = re.compile(r"(?m)^ *\t|[:\-?,\[{]\s*\t")

_INDEX = re.compile(r"\[\d+\]$")

_STRING_TAG = "tag:yaml.org,2002:str"

_TRUE = re.compile(r"yes|Yes|YES|true|True|TRUE|on|On|ON")

_FALSE = re.compile(r"no|No|NO|false|False|FALSE|off|Off|OFF")

_INTEGER = re.compile(
    r"[-+]?(?:0b_*[01][01_]*|0_*[0-7][0-7_]*|0|[1-9][0-9_]*(?::[0-5]?[0-9])*|0x_*[0-9a-fA-F][0-9a-fA-F_]*)"
)

_FLOAT = re.compile(
    r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)"
)


def compose(text: str) -> tuple[list[Node], list[Problem]]:
    """The nodes of all documents of a YAML text up to its first mistake, which is a problem."""
    import yaml

    text = mask(text)
    problem = _bounds(text)
    if problem is not None:
        return [], [problem]
    loader_class: Any = getattr(yaml, "CSafeLoader", None)
    problems: list[Problem] = []
    if loader_class is None:
        loader_class = yaml.SafeLoader
        problems.append(Problem("parse-error", say("slow-yaml"), say("install-pyyaml-wheel"), START))
    documents: list[Node] = []
    try:
        loader = loader_class(text)
        try:
            while loader.check_node():
                node = loader.get_node()
                if node is not None:
                    documents.append(node)
                if len(documents) >= DOCUMENTS_MAX:
                    break
        finally:
            loader.dispose()
        if _stands_for_too_much(text, documents):
            return [], [too_large()]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        message = say("does-not-parse", language="YAML", reason=unmask(error.problem or "not YAML"))
        at = Span(line, column, line, column)
        problems.append(Problem("parse-error", message, say("rest-not-read"), at))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = say("does-not-parse", language="YAML", reason=type(error).__name__)
        problems.append(Problem("parse-error", message, say("file-not-read"), START))
    return documents, problems


def _stands_for_too_much(text: str, roots: Sequence[Node]) -> bool:
    """Whether the keys and values of some documents have more than `CHARS_MAX` characters, where each alias is what it
    stands for and each value has its whole key."""
    if len(text) <= _PLAIN_CHARS_MAX and not ("&" in text and "*" in text):
        return False
    sizes: dict[int, tuple[int, int]] = {}
    return sum(_size(root, sizes)[1] for root in roots) > CHARS_MAX


def _size(root: Any, sizes: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """How many values a node stands for, and how many characters they have with their keys; kept by node, so that the work is
    that of the text. A node inside itself counts once."""
    import yaml

    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        node, is_ready = stack.pop()
        if isinstance(node, yaml.ScalarNode):
            sizes[id(node)] = (1, len(node.value))
            continue
        if not is_ready and id(node) in sizes:
            continue
        if isinstance(node, yaml.SequenceNode):
            below = [(_INDEX_CHARS, each) for each in node.value]
        else:
            below = [
                (len(key.value) + 1 if isinstance(key, yaml.ScalarNode) else 1, each)
                for key, each in node.value
            ]
        if not is_ready:
            sizes[id(node)] = (1, 1)
            stack.append((node, True))
            stack += [(each, False) for _, each in below]
            continue
        values = chars = 1
        for key_chars, each in below:
            its_values, its_chars = sizes[id(each)]
            values += its_values
            chars += its_chars + its_values * key_chars
        sizes[id(node)] = (min(values, CHARS_MAX), min(chars, CHARS_MAX + 1))
    return sizes[id(root)]


def refused_bytes(content: bytes) -> Problem | None:
    """What SnakeYAML's reader stops at: bytes that are not UTF-8 (UTF-16 with a mark), control characters."""
    if content.startswith(UTF16_MARKS):
        text = content.decode("utf-16", "replace")
    else:
        try:
            text = content.removeprefix(b"\xef\xbb\xbf").decode()
        except UnicodeDecodeError as error:
            return refused(say("yaml.not-utf8"), content[: error.start].decode("latin-1"), error.start)
    found = re.search(FORBIDDEN, text)
    if found is None:
        return None
    return refused(say("yaml.character", code=f"U+{ord(found[0]):04X}"), text, found.start())


def refused_tab(text: str) -> Problem | None:
    """A tab where a token should start, as PyYAML's own scanner, the ancestor of SnakeYAML's, finds it.

    LibYAML lets such tabs pass. The scanner is slow, so larger files than `TABS_CHARS_MAX` are believed.
    """
    if "\t" not in text or len(text) > TABS_CHARS_MAX or _TAB.search(text) is None:
        return None
    import yaml

    try:
        for _ in yaml.scan(masked_maven(text), Loader=yaml.SafeLoader):
            pass
    except yaml.scanner.ScannerError as error:
        mark = error.problem_mark
        if mark is not None and "\\t" in (error.problem or ""):
            return refused(say("yaml.tab"), text, mark.index)
    except (yaml.YAMLError, ValueError, RecursionError):
        pass  # another mistake: composing the text says so
    return None


def repeated_key(root: Node) -> list[Problem]:
    """The first key that one mapping has twice: an exception of SnakeYAML's as Spring Boot sets it up since 2.0.

    Spring Boot 1 takes the last one, as is done here. What `<<` brings in may be given again.
    """
    import yaml

    stack: list[Any] = [root]
    seen_nodes: set[int] = set()  # of what aliases name again
    while stack:
        node = stack.pop()
        if isinstance(node, yaml.ScalarNode) or id(node) in seen_nodes:
            continue
        seen_nodes.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            stack += reversed(node.value)
            continue
        keys = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and (key.style or key.value != "<<"):
                identity = _key_identity(key)
                if identity in keys:
                    what = say("yaml.repeated-key", key=unmask(key.value))
                    return [Problem("parse-error", what, say("mend-the-file"), node_span(key))]
                keys.add(identity)
        stack += [value for _, value in reversed(node.value)]
    return []


def _key_identity(key: Any) -> tuple[bool, str]:
    """What makes two keys equal for SnakeYAML: `a` is `"a"`, `1` is `01` and not `"1"`, `yes` is `true`."""
    if _is_null(key):
        return False, ""
    text = str(key.value)
    typed = not key.style and any(form.fullmatch(text) for form in (_TRUE, _FALSE, _INTEGER, _FLOAT))
    return (False, _plain(key)) if typed else (True, text)


def _bounds(text: str) -> Problem | None:
    """Refuse by a scan what would make LibYAML's composer recurse or run too long; cheap counts come first."""
    deepest = 0
    if text.count("[") + text.count("{") > NESTING_MAX:
        depth = 0
        for char in _BRACKETS.findall(text):
            depth = depth + 1 if char in "[{" else max(depth - 1, 0)
            deepest = max(deepest, depth)
    for sign in "-?":
        if f"{sign} {sign}" in text or f"{sign}{sign}" in text:
            runs = re.findall(rf"(?m)^[ ]*(?:\{sign} ?){{2,}}", text)
            deepest = max([deepest, *(run.count(sign) for run in runs)])
    if deepest <= NESTING_MAX and " " * NESTING_MAX in text:
        indents: list[int] = []
        for match in _INDENTED.finditer(text):
            width = len(match[1])
            while indents and indents[-1] >= width:
                indents.pop()
            indents.append(width)
            deepest = max(deepest, len(indents))
    if deepest > NESTING_MAX:
        return Problem(
            "skipped-file", say("nested-too-deeply", language="YAML"), say("flatten-or-exclude"), START
        )
    documents = text.count("\n---")
    if documents > DOCUMENTS_MAX:
        return Problem(
            "skipped-file",
            say("too-many-documents", count=documents, most=DOCUMENTS_MAX),
            say("split-the-file"),
            START,
        )
    return None


def document_of(root: Node, index: int) -> list[ConfigEntry]:
    """The entries of one document."""
    leaves = list(leaves_of(root))
    profiles: tuple[str, ...] = ()
    for key, text, _ in leaves:
        if key.startswith(PROFILE_KEYS) and _INDEX.sub("", key) in PROFILE_KEYS:
            profiles += tuple(part.strip() for part in text.split(",") if part.strip())
    profiles = on_platform(profiles, ((key, text) for key, text, _ in leaves))
    return [entry_of(key, text, profiles, index, at) for key, text, at in leaves]


def leaves_of(root: Node) -> Iterator[tuple[str, str, Span]]:
    """Every scalar below a node with its dotted key and the span of key and value. Merge keys are followed."""
    import yaml

    stack: list[tuple[str, Node, Span | None, int]] = [("", root, None, 0)]
    count = 0
    while stack:
        key, node, at, depth = stack.pop()
        count += 1
        if count > ENTRIES_MAX * 4 or depth > NESTING_MAX:
            continue
        if isinstance(node, yaml.ScalarNode):
            if key:
                value = node_span(node)
                whole = value if at is None else Span(at.line, at.column, value.end_line, value.end_column)
                text = "" if _is_null(node) else unmask(_plain(node))
                yield key, text, whole
        elif isinstance(node, yaml.SequenceNode):
            children = [(f"{key}[{i}]", item, None, depth + 1) for i, item in enumerate(node.value)]
            stack.extend(reversed(children))
        elif isinstance(node, yaml.MappingNode):
            inner: list[tuple[str, Node, Span | None, int]] = []
            for key_node, value_node in _pairs(node, depth):
                if isinstance(key_node, yaml.ScalarNode):
                    name = unmask(_key_text(key_node))
                    inner.append((joined(key, name), value_node, node_span(key_node), depth + 1))
            stack.extend(reversed(inner))


def _pairs(node: Any, depth: int) -> list[tuple[Node, Node]]:
    """Key and value nodes; what `<<` brings in comes first, so that own keys win."""
    import yaml

    own: list[tuple[Node, Node]] = []
    merged: list[tuple[Node, Node]] = []
    for key_node, value_node in node.value:
        if isinstance(key_node, yaml.ScalarNode) and key_node.value == "<<" and depth < NESTING_MAX:
            sources = value_node.value if isinstance(value_node, yaml.SequenceNode) else [value_node]
            for source in sources:
                if isinstance(source, yaml.MappingNode) and source is not node:
                    merged += [pair for pair in source.value if pair[0].value != "<<"]
        else:
            own.append((key_node, value_node))
    return merged + own


def _plain(node: Any) -> str:
    """The text of a scalar as Java sees the typed value of YAML 1.1: `on` is true, `010` is 8, `1_000` is 1000.

    Mirrors SnakeYAML 1.30 to 2.2 as Spring Boot sets it up: dates stay as they are written.
    """
    text: str = node.value
    if node.style or not text:
        return text
    if _TRUE.fullmatch(text):
        return "true"
    if _FALSE.fullmatch(text):
        return "false"
    try:
        if _INTEGER.fullmatch(text):
            return text if node.tag == _STRING_TAG else str(_integer(text.replace("_", "")))
        if _FLOAT.fullmatch(text):
            return _java_double(float(text.replace("_", "")))
    except ValueError:
        return text
    return text


def _integer(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if ":" in digits:
        found = 0
        for part in digits.split(":"):
            found = found * 60 + int(part)
        return sign * found
    if digits.startswith(("0x", "0b")):
        return sign * int(digits, 0)
    return sign * int(digits, 8 if digits.startswith("0") else 10)


def _java_double(number: float) -> str:
    """A number as `Double.toString` writes it: `12.5`, `1.0E10`."""
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        shown = f"{Decimal(repr(number)):f}"
        return shown if "." in shown else f"{shown}.0"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    if not isinstance(exponent, int):  # 1e999
        return "-Infinity" if sign else "Infinity"
    written = "".join(map(str, digits))
    power = exponent + len(written) - 1
    return f"{'-' if sign else ''}{written[0]}.{written[1:] or '0'}E{power}"


def _key_text(node: Any) -> str:
    """The text of a key; a key that YAML takes for a truth value is one."""
    return (
        _plain(node)
        if not node.style and (_TRUE.fullmatch(node.value) or _FALSE.fullmatch(node.value))
        else str(node.value)
    )


def _is_null(node: Any) -> bool:
    return node.style not in ("'", '"', "|", ">") and node.value in ("", "~", "null", "Null", "NULL")
