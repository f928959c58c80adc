"""Settings files -> `ConfigEntry`s: YAML, `.properties`, JSON, TOML and INI, with the place of every value.

Keys are dotted, lists numbered (`key[0]`); a key in Spring's brackets (`"[a_b]"`) is what stands inside; texts are
as written, placeholders untouched. YAML is read as nodes: aliases cost nothing, tags have no effect, nothing is
constructed. `@x@`, Maven's placeholder, is no YAML at the start of a value and is read as text in its place.
Compose, Kubernetes and Helm files are settings files too; `linter.extract.environment` reads what they set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from subdrift.linter.extract import documents, toml
from subdrift.linter.extract.builds import images
from subdrift.linter.extract.environment import deployed
from subdrift.linter.extract.masks import FORBIDDEN, mask, masked_maven, node_span, unmask
from subdrift.linter.extract.mounted import mounted
from subdrift.linter.extract.suppressions import MARK, suppressions
from subdrift.linter.model.facts import ConfigEntry, FileFacts, Problem, Suppression
from subdrift.linter.model.languages import is_builder
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import Message, say
from subdrift.linter.text.encodings import UTF16_MARKS
from subdrift.linter.text.places import toml_lines

if TYPE_CHECKING:
    from yaml.nodes import Node

FILE_BYTES_MAX = 2 * 1024 * 1024
"""Larger settings files are left out."""

NESTING_MAX = 60
"""Brackets or block levels inside one another; LibYAML's composer recurses in C."""

DOCUMENTS_MAX = 500
"""Documents of one YAML file that are read."""

ENTRIES_MAX = 50_000
"""Values of one file that are kept."""

CHARS_MAX = 16 << 20
"""Characters of all keys and values of one file: of a section, a name that many values have counts for each of them, and
of YAML what an alias stands for."""

_PLAIN_CHARS_MAX = 16 << 10
"""A text of so many characters without aliases cannot stand for more than `CHARS_MAX`."""

TABS_CHARS_MAX = 128 * 1024
"""Characters of a YAML text with tabs that are scanned for those its application would refuse."""

_SERVICE = re.compile(r"(?:[a-z_]\w*\.)+[A-Z][\w$]*")
"""The full name of a type: a file of `META-INF/services`, which lists the classes that provide it."""

_FACTORY_FORMATS = {"spring.factories": "properties"}
_PROFILE_KEYS = ("spring.config.activate.on-profile", "spring.profiles")
_OF_PROFILE = re.compile(r"%([\w-]+)\.(.+)", re.S)
_PLATFORM_KEYS = ("spring.config.activate.on-cloud-platform", "spring.config.activate.onCloudPlatform")
_SPRING_FILE = re.compile(r"(?:application|bootstrap)(?:-.*)?\.ya?ml", re.IGNORECASE)
_INDEX_CHARS = 8
_INDEX = re.compile(r"\[\d+\]$")
_BRACKETS = re.compile(r"[\[\]{}]")
_INDENTED = re.compile(r"(?m)^([ ]*)(?=[^\s#])")
_TAB = re.compile(r"(?m)^ *\t|[:\-?,\[{]\s*\t")
_ASSIGNED = re.compile(rb"(?m)^[\w.\-\[\]]+[ \t]*=")
"""A line of a properties file, told from YAML where a file has no extension."""
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)|\\\Z", re.S)


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
        return _properties_file(content)
    if suffix == "json":
        return _json_file(content)
    if suffix == "toml":
        return _toml_file(content)
    if suffix in ("ini", "cfg", "conf"):
        return _ini_file(content)
    if suffix == "imports" or _SERVICE.fullmatch(name):
        return _imports_file(content)
    return None


def _imports_file(content: bytes) -> FileFacts:
    """A list of class names, one a line; the key of each is the class."""
    found = []
    for number, line in enumerate(decode(content).splitlines(), 1):
        name = line.partition("#")[0].strip()
        if name:
            found.append(ConfigEntry(name, "", (), 0, Span(number, 1, number, len(line) + 1)))
    return FileFacts("config", config=tuple(found[:ENTRIES_MAX]))


def decode(content: bytes) -> str:
    """UTF-8 (with or without mark), UTF-16 by its mark, else Latin-1: never fails, one code point a character."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def comments_of(text: str, content: bytes, marks: str = "#") -> tuple[Suppression, ...]:
    """Suppressions in comments that begin at the start of a line or after a blank."""
    if MARK not in content:
        return ()
    lines = re.split(r"\r\n|\r|\n", text)
    found = []
    for number, line in enumerate(lines, 1):
        for match in re.finditer(rf"(?:^|\s)([{re.escape(marks)}])", line):
            at = Span(number, match.start(1) + 1, number, len(line) + 1)
            found.append((at, line[match.start(1) :]))
            break
    return suppressions(lines, found)


# -- YAML ----------------------------------------------------------------------------------------------------


def _yaml_file(content: bytes, spring: bool) -> FileFacts:
    text = decode(content)
    refused = _refused_bytes(content) or _refused_tab(text)
    if refused is not None:
        return FileFacts("config", suppressions=comments_of(text, content), problems=(refused,))
    lines = text.splitlines() if "ConfigMap" in text or "stringData" in text else []
    roots, problems = compose(text)
    entries: list[ConfigEntry] = []
    environment, launches, mounts = [], [], []
    for index, root in enumerate(roots):
        entries += _document(root, index)
        if spring and not problems:
            problems += _repeated_key(root)
        found = deployed(root)
        environment += found.environment
        launches += found.launches
        mounts += found.mounts
        if lines:
            entries += mounted(root, lines, settings)
        if len(entries) > ENTRIES_MAX:
            problems.append(_too_many(len(entries)))
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


def settings(name: str, text: str) -> list[ConfigEntry]:
    """The settings of a YAML or properties text of that name, up to its first mistake."""
    if name.endswith(".properties"):
        try:
            return _properties(text)
        except _MalformedError:
            return []
    roots, _ = compose(text)
    return [entry for index, root in enumerate(roots) for entry in _document(root, index)]


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
        problems.append(
            Problem(
                "parse-error",
                say("slow-yaml"),
                say("install-pyyaml-wheel"),
                START,
            )
        )
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
            return [], [_too_large()]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = (
            Span(mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 1)
            if mark is not None
            else START
        )
        reason = unmask(error.problem or "not YAML")
        problems.append(
            Problem(
                "parse-error", say("does-not-parse", language="YAML", reason=reason), say("rest-not-read"), at
            )
        )
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problems.append(
            Problem(
                "parse-error",
                say("does-not-parse", language="YAML", reason=type(error).__name__),
                say("file-not-read"),
                START,
            )
        )
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


def _refused(what: Message, text: str, index: int) -> Problem:
    """The problem of a file that its application cannot read either: what it says is worth nothing."""
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    at = Span(line, column, line, column + 1)
    return Problem("parse-error", what, say("mend-the-file"), at)


def _refused_bytes(content: bytes) -> Problem | None:
    """What SnakeYAML's reader stops at: bytes that are not UTF-8 (UTF-16 with a mark), control characters."""
    if content.startswith(UTF16_MARKS):
        text = content.decode("utf-16", "replace")
    else:
        try:
            text = content.removeprefix(b"\xef\xbb\xbf").decode()
        except UnicodeDecodeError as error:
            return _refused(say("yaml.not-utf8"), content[: error.start].decode("latin-1"), error.start)
    found = re.search(FORBIDDEN, text)
    if found is None:
        return None
    return _refused(say("yaml.character", code=f"U+{ord(found[0]):04X}"), text, found.start())


def _refused_tab(text: str) -> Problem | None:
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
            return _refused(say("yaml.tab"), text, mark.index)
    except (yaml.YAMLError, ValueError, RecursionError):
        pass  # another mistake: composing the text says so
    return None


def _repeated_key(root: Node) -> list[Problem]:
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
            "skipped-file",
            say("nested-too-deeply", language="YAML"),
            say("flatten-or-exclude"),
            START,
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


def _document(root: Node, index: int) -> list[ConfigEntry]:
    leaves = list(leaves_of(root))
    profiles: tuple[str, ...] = ()
    for key, text, _ in leaves:
        if key.startswith(_PROFILE_KEYS) and _INDEX.sub("", key) in _PROFILE_KEYS:
            profiles += tuple(part.strip() for part in text.split(",") if part.strip())
    profiles = _on_platform(profiles, ((key, text) for key, text, _ in leaves))
    return [_entry(key, text, profiles, index, at) for key, text, at in leaves]


def _entry(key: str, text: str, profiles: tuple[str, ...], document: int, at: Span) -> ConfigEntry:
    """`%prod.key` (MicroProfile, Quarkus) is the key in that profile, above the one without: a later document."""
    own = _OF_PROFILE.fullmatch(key)
    if own is None:
        return ConfigEntry(key, text, profiles, document, at)
    return ConfigEntry(own[2], text, (own[1],), document + 1, at)


def _on_platform(profiles: tuple[str, ...], leaves: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The profiles of a document, which a cloud platform has to be one of where the document names one."""
    platform = next((text.strip().lower() for key, text in leaves if key in _PLATFORM_KEYS), "none")
    if platform in ("none", ""):
        return profiles
    return tuple(f"({each}) & {platform}-platform" for each in profiles) or (f"{platform}-platform",)


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
                    inner.append((_joined(key, name), value_node, node_span(key_node), depth + 1))
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


_TRUE = re.compile(r"yes|Yes|YES|true|True|TRUE|on|On|ON")
_FALSE = re.compile(r"no|No|NO|false|False|FALSE|off|Off|OFF")
_INTEGER = re.compile(
    r"[-+]?(?:0b_*[01][01_]*|0_*[0-7][0-7_]*|0|[1-9][0-9_]*(?::[0-5]?[0-9])*|0x_*[0-9a-fA-F][0-9a-fA-F_]*)"
)
_FLOAT = re.compile(
    r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)"
)
_STRING_TAG = "tag:yaml.org,2002:str"


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


def _joined(prefix: str, key: str) -> str:
    """A key below a prefix; Spring's brackets stay where they protect more than letters, digits and dashes."""
    if len(key) > 2 and key.startswith("[") and key.endswith("]"):
        if prefix and re.search(r"[^A-Za-z0-9-]", key[1:-1]):
            return f"{prefix}{key}"
        key = key[1:-1]
    return f"{prefix}.{key}" if prefix else key


def _too_many(count: int) -> Problem:
    return Problem(
        "skipped-file",
        say("too-many-settings", most=ENTRIES_MAX),
        say("split-the-file"),
        START,
    )


def _too_large() -> Problem:
    return Problem(
        "skipped-file", say("settings-too-large", most=CHARS_MAX >> 20), say("split-the-file"), START
    )


def bounded(entries: Iterable[ConfigEntry]) -> tuple[tuple[ConfigEntry, ...], tuple[Problem, ...]]:
    """As many entries as one file may have; no more of them are made."""
    found: list[ConfigEntry] = []
    chars = 0
    for entry in entries:
        chars += len(entry.key) + len(entry.text)
        if len(found) == ENTRIES_MAX:
            return tuple(found), (_too_many(ENTRIES_MAX),)
        if chars > CHARS_MAX:
            return (), (_too_large(),)
        found.append(entry)
    return tuple(found), ()


# -- properties ----------------------------------------------------------------------------------------------


def _properties_file(content: bytes) -> FileFacts:
    text = decode(content)
    try:
        entries = _properties(text)
    except _MalformedError as error:
        problem = _refused(say("properties.unicode"), error.text, len(error.text))
        return FileFacts("config", suppressions=comments_of(text, content, "#!"), problems=(problem,))
    problems: tuple[Problem, ...] = ()
    if len(entries) > ENTRIES_MAX:
        problems = (_too_many(len(entries)),)
        del entries[ENTRIES_MAX:]
    return FileFacts(
        "config", config=tuple(entries), suppressions=comments_of(text, content, "#!"), problems=problems
    )


def _properties(text: str) -> list[ConfigEntry]:
    entries: list[ConfigEntry] = []
    document = 0
    pending: list[tuple[str, str, Span]] = []

    def flush() -> None:
        profiles: tuple[str, ...] = ()
        for key, value, _ in pending:
            if re.sub(r"\[\d+\]$", "", key) in _PROFILE_KEYS:
                profiles += tuple(part.strip() for part in value.split(",") if part.strip())
        profiles = _on_platform(profiles, ((key, value) for key, value, _ in pending))
        entries.extend(_entry(key, value, profiles, document, at) for key, value, at in pending)
        pending.clear()

    for line in properties_lines(text):
        if line is None:
            flush()
            document += 1
        else:
            pending.append(line)
    flush()
    return entries


def properties_lines(text: str) -> Iterator[tuple[str, str, Span] | None]:
    """(key, value, span) of each property as java.util.Properties reads them; None where `#---` ends a document."""
    lines = re.split(r"\r\n|\r|\n", text)
    number = 0
    while number < len(lines):
        raw = lines[number]
        number += 1
        body = raw.lstrip(" \t\f")
        if not body or body[0] in "#!":
            if raw.rstrip() in ("#---", "!---"):
                yield None
            continue
        start = Span(number, len(raw) - len(body) + 1, number, len(raw) + 1)
        logical = [body]
        while _continues(logical[-1]) and number < len(lines):
            logical[-1] = logical[-1][:-1]
            logical.append(lines[number].lstrip(" \t\f"))
            number += 1
        end = len(lines[number - 1]) + 1
        key, value = _split_property("".join(logical))
        if "\\" not in raw:
            yield key, value, Span(start.line, start.column, number, end)
        elif _malformed("".join(logical)):
            raise _MalformedError("\n" * (start.line - 1) + raw)
        else:
            yield _unescape(key), _unescape(value), Span(start.line, start.column, number, end)


def _continues(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _split_property(line: str) -> tuple[str, str]:
    index = 0
    while index < len(line):
        char = line[index]
        if char == "\\":
            index += 2
            continue
        if char in "=: \t\f":
            break
        index += 1
    key, rest = line[:index], line[index:].lstrip(" \t\f")
    if rest[:1] in ("=", ":"):
        rest = rest[1:].lstrip(" \t\f")
    return key, rest


class _MalformedError(Exception):
    """A `\\u` that java.util.Properties refuses, and the file with it; `text` is the file up to it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def _malformed(line: str) -> bool:
    return any(found[1] == "u" for found in _ESCAPE.finditer(line))


def _unescape(text: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        escape = match[1] or ""
        if len(escape) == 5:
            return chr(int(escape[1:], 16))
        return {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}.get(escape, escape)

    text = _ESCAPE.sub(replaced, text)
    if any("\ud800" <= char <= "\udfff" for char in text):  # pairs written as two escapes
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


# -- JSON, TOML, INI -----------------------------------------------------------------------------------------


def _json_file(content: bytes) -> FileFacts:
    """JSON is read as YAML, of which it is a part, so that every value has its place."""
    text = decode(content)
    roots, problems = compose(text)
    entries = [entry for index, root in enumerate(roots[:1]) for entry in _document(root, index)]
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


def _toml_file(content: bytes) -> FileFacts:
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
            yield from _flat(_joined(key, str(name)), inner, depth + 1)
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
            key = key if isinstance(part, int) else _joined(key, part)
        shown = lines[line - 1] if line <= len(lines) else ""
        start = len(shown) - len(shown.lstrip()) + 1
        places.setdefault(key, Span(line, start, line, max(start, len(shown.rstrip()) + 1)))
    return places


def _ini_file(content: bytes) -> FileFacts:
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
            yield ConfigEntry(_joined(name, option), value, (), 0, at)
