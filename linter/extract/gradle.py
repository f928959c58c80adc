"""Gradle files -> `BuildFile`, by a tolerant reader of the words that matter in Groovy and Kotlin alike.

A build script is a program; nothing of it is run. Read are plugins, group and version, dependencies, platforms, properties
with literal values, included projects, and version catalogues. A dependency by catalogue (`libs.rocketmq.client`) is the
coordinate `${libs.rocketmq.client}`, which the catalogue's properties define.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from subdrift.linter.extract import toml
from subdrift.linter.extract.parts import build_file, table
from subdrift.linter.extract.texts import decode
from subdrift.linter.model.facts import Dependency, FileFacts, Problem
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say

BLOCKS_MAX = 100
"""Blocks inside one another; a script nested deeper is read no further."""

TOKENS_MAX = 200_000
"""Words and signs of one script that are read."""

_TOKEN = re.compile(
    r"""(?P<skip>[ \t\f\r]+|//[^\n]*|/\*.*?(?:\*/|\Z)|\#![^\n]*)
      |(?P<newline>\n|;)
      |(?P<string>\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
      |(?P<word>[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|`[^`\n]*`)
      |(?P<number>\d[\w.]*)
      |(?P<sign>.)""",
    re.X | re.S,
)
_BOOT = (
    "org.springframework.boot",
    "application",
    "war",
    "com.google.cloud.tools.jib",
    "io.quarkus",
    "io.micronaut.application",
    "org.jetbrains.kotlin.application",
)
_BOOT_JAR = ("bootJar.enabled", "tasks.bootJar.enabled")
_OF_PROJECT = {
    "group": "coordinate_group",
    "project.group": "coordinate_group",
    "version": "version",
    "project.version": "version",
    "archivesBaseName": "name",
    "rootProject.name": "name",
}
"""What a script says of its project, as `_Script` holds it: a name is the last one said, the others are the first."""

_CONFIGURATIONS = re.compile(
    r"(?:\w*(?:[iI]mplementation|[aA]pi|[cC]ompile|[rR]untime|[cC]ompileOnly|[rR]untimeOnly|[aA]nnotationProcessor|provided\w*|optional|kapt)|developmentOnly)$"
)

_BESIDE = re.compile(r"test|jmh|bench", re.IGNORECASE)
"""Configurations of source sets beside the program: tests and benchmarks."""


class _Token(Struct, frozen=True):
    kind: str
    text: str
    at: Span


class _Script(Struct):
    coordinate_group: str = ""
    name: str = ""
    version: str = ""
    dependencies: list[Dependency] = field(default_factory=list)
    managed: list[Dependency] = field(default_factory=list)
    inherited: list[Dependency] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    folders: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[_Token]] = field(default_factory=dict)
    runs: bool = False
    boot_jar_off: bool = False


def read_file(name: str, content: bytes) -> FileFacts:
    """The facts of `build.gradle(.kts)`, `settings.gradle(.kts)`, another script, or `libs.versions.toml`."""
    text = decode(content)
    if name.endswith(".toml"):
        return _catalogue(text)
    tokens = list(_tokens(text))
    problems: tuple[Problem, ...] = ()
    if len(tokens) > TOKENS_MAX:
        message = say("too-many-words", most=TOKENS_MAX)
        problems = (Problem("skipped-file", message, say("exclude-the-file"), START),)
        tokens = tokens[:TOKENS_MAX]
    script = _Script()
    if not _read(tokens, script):
        nested = say("nested-too-deeply", language="Gradle")
        problems = (Problem("skipped-file", nested, say("rest-not-read"), START),)
    settings = name.startswith("settings.")
    modules = [script.folders.get(module, module.strip(":").replace(":", "/")) for module in script.modules]
    build = build_file(
        "gradle-settings" if settings else "gradle",
        coordinate=f"{script.coordinate_group}:{script.name}",
        version=script.version,
        modules=dict.fromkeys(modules) if settings else (),
        dependencies=() if settings else script.dependencies,
        managed=script.managed,
        properties=script.properties.items(),
        runs=script.runs and not script.boot_jar_off and not settings,
        at=Span(1, 1, max(text.count("\n") + 1, 1), 1),
    )
    words = {token.text for token in tokens if token.kind == "word"}
    expands = "expand" in words and not words.isdisjoint(("processResources", "ProcessResources"))
    build = replace(build, inherited=tuple(script.inherited), delimiters="$" if expands else "")
    return FileFacts("build", build=build, problems=problems)


def _tokens(text: str) -> Iterator[_Token]:
    line, start = 1, 0
    count = 0
    for match in _TOKEN.finditer(text):
        value = match[0]
        kind = match.lastgroup or "sign"
        column = match.start() - start + 1
        newlines = value.count("\n")
        end_line = line + newlines
        if newlines:
            start = match.start() + value.rfind("\n") + 1
        end_column = match.end() - start + 1
        if kind != "skip":
            count += 1
            if count > TOKENS_MAX + 1:
                return
            yield _Token(kind, value, Span(line, column, end_line, end_column))
        line = end_line


def _string(token: _Token) -> str:
    """The text of a string; `$name` and `${name}` become `${name}`, `${rootProject.ext.x}` loses its prefixes."""
    text = token.text
    quote = text[:3] if text[:3] in ('"""', "'''") else text[:1]
    body = text[len(quote) :].removesuffix(quote)
    if quote.startswith("'"):
        return body.replace("\\'", "'")
    body = re.sub(
        r"\$\{([^}]*)\}|\$([A-Za-z_][\w.]*)", lambda m: "${" + _property(m[1] or m[2] or "") + "}", body
    )
    return body.replace('\\"', '"').replace("\\$", "$")


def _property(expression: str) -> str:
    expression = expression.strip().removesuffix(".get()")
    called = re.fullmatch(r"(?:[\w.]+\.)?(?:property|get|getProperty)\(?[\"']([\w.-]+)[\"']\)?.*", expression)
    indexed = re.fullmatch(r"[\w.]*\[[\"']([\w.-]+)[\"']\].*", expression)
    if called or indexed:
        return (called or indexed)[1]  # type: ignore[index]
    expression = re.sub(r"^(?:rootProject|project|extra|ext|libs\.versions)\.", "", expression)
    return re.sub(r"^(?:ext|extra)\.", "", expression)


def _read(tokens: list[_Token], script: _Script) -> bool:
    """One pass with a stack of block names; each statement is looked at where its first word stands.

    False when the nesting bound stopped it.
    """
    blocks: list[str] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.text == "{" and token.kind == "sign":
            blocks.append(_block_name(tokens, index))
            if len(blocks) > BLOCKS_MAX:
                return False
        elif token.text == "}" and token.kind == "sign":
            if blocks:
                blocks.pop()
        elif token.kind == "word":
            _statement(tokens, index, blocks, script)
        index += 1
    return True


def _block_name(tokens: list[_Token], brace: int) -> str:
    """The word a block belongs to: `dependencies {`, `subprojects {`, `register("x") {`, `named('bootJar') {`."""
    index = brace - 1
    depth = 0
    steps = 0
    while index >= 0 and steps < 40:
        token = tokens[index]
        steps += 1
        if token.text == ")":
            depth += 1
        elif token.text == "(":
            depth -= 1
        elif depth <= 0 and token.kind == "word":
            return token.text
        elif depth <= 0 and (token.kind == "newline" or token.text in "{}"):
            return ""
        index -= 1
    return ""


def _rest(tokens: list[_Token], index: int) -> list[_Token]:
    """The tokens of a statement after its first word: to the end of the line, over open parentheses."""
    result: list[_Token] = []
    depth = 0
    for token in tokens[index + 1 : index + 200]:
        if token.text in "([" and token.kind == "sign":
            depth += 1
        elif token.text in ")]" and token.kind == "sign":
            depth -= 1
            if depth < 0:
                break
        if depth <= 0 and (token.kind == "newline" or token.text in "{}"):
            if token.kind == "newline" and result and result[-1].text in (",", "=", "("):
                continue
            break
        if token.kind != "newline":
            result.append(token)
    return result


def _statement(tokens: list[_Token], index: int, blocks: list[str], script: _Script) -> None:
    word = tokens[index].text
    begins = not index or tokens[index - 1].kind == "newline" or tokens[index - 1].text in "{}"
    if not begins and (word != "mavenBom" or "dependencies" in blocks):
        return
    inner = blocks[-1] if blocks else ""
    rest = _rest(tokens, index)
    if inner == "plugins" and begins:
        _plugin(word, rest, script)
    elif word == "apply" and begins:
        if not any(t.text == "from" for t in rest[:2]):
            script.runs = script.runs or any(t.kind == "string" and _string(t) in _BOOT for t in rest)
    elif "dependencies" in blocks:
        _dependency(tokens[index], rest, blocks, script)
    elif inner in ("imports", "dependencyManagement") and word == "mavenBom":
        script.managed += _first(rest, False)
    elif begins:
        _setting(word, rest, blocks, script)


def _setting(word: str, rest: list[_Token], blocks: list[str], script: _Script) -> None:
    """What a statement outside of dependencies and plugins says: of the project, of those it includes, of what starts."""
    texts = [_string(t) for t in rest if t.kind == "string"]
    if word in _OF_PROJECT and not set(blocks) - {"allprojects", "subprojects"}:
        part = _OF_PROJECT[word]
        if texts and (rest[0].text == "=" or rest[0].kind == "string"):
            setattr(script, part, texts[0] if part == "name" else getattr(script, part) or texts[0])
    elif word in ("include", "includeFlat") and texts:
        script.modules += map(_path, texts)
    elif word == "project" and texts and any(t.text.endswith("projectDir") for t in rest):
        if len(texts) >= 2:
            script.folders[_path(texts[0])] = re.sub(r"^(?:\$\{rootDir\}/|\./)", "", texts[-1]).strip("/")
    elif word in ("mainClass", "mainClassName", "application.mainClass", "mainClass.set") and texts:
        script.runs = True
    elif (word == "enabled" and blocks and blocks[-1] == "bootJar") or word in _BOOT_JAR:
        script.boot_jar_off = script.boot_jar_off or any(t.text == "false" for t in rest)
    else:
        _definition(word, rest, texts, blocks, script)


def _path(project: str) -> str:
    """The path of a project, from the root."""
    return f":{project.removeprefix(':')}"


def _definition(word: str, rest: list[_Token], texts: list[str], blocks: list[str], script: _Script) -> None:
    """Properties with a literal value: in `ext { }`, `ext.x =`, `ext['x'] =`, `set("x", …)`, `def x =`, `val x by …`."""
    if not texts:
        return
    listed = next((n for n, t in enumerate(rest[:3]) if t.text == "["), None)
    if listed is not None and listed and rest[listed - 1].text == "=" and all(":" in text for text in texts):
        owner = rest[listed - 2].text if listed >= 2 else word
        script.lists[owner] = [t for t in rest if t.kind == "string"]
        return
    name = ""
    signs = [t.text for t in rest[:2]]
    lone = rest[-1].kind == "string" and len(texts) == 1
    if word in ("def", "val", "var", "String") and rest[0].kind == "word":
        if (signs[1:] == ["="] and lone and len(rest) == 3) or signs[1:] == ["by"]:
            name = rest[0].text
    elif word.startswith(("ext.", "extra.", "project.ext.", "rootProject.ext.")) and signs[0] == "=" and lone:
        name = word.rpartition(".")[2]
    elif (word in ("ext", "extra") and signs[0] == "[" and len(texts) >= 2) or (
        word in ("set", "extra.set", "ext.set") and len(texts) >= 2
    ):
        name, texts = texts[0], texts[1:]
    elif blocks and blocks[-1] in ("ext", "extra") and signs[0] == "=" and lone:
        name = word
    if name:
        script.properties.setdefault(name, texts[0])
        return
    if rest and rest[0].text == "=" and len(rest) > 1 and rest[1].text == "[":
        # a map of versions: versions = [rocketmq: '4.9.4', …]
        pairs = rest[2:]
        for position, token in enumerate(pairs[:-2]):
            if pairs[position + 1].text == ":" and pairs[position + 2].kind == "string":
                key = _string(token) if token.kind == "string" else token.text
                script.properties.setdefault(
                    f"{word.removeprefix('ext.')}.{key}", _string(pairs[position + 2])
                )


def _plugin(word: str, rest: list[_Token], script: _Script) -> None:
    applied = not any(a.text == "apply" and b.text == "false" for a, b in pairwise(rest))
    if not applied:
        return
    if word in ("application", "war"):
        script.runs = True
    elif word == "id":
        script.runs = script.runs or any(t.kind == "string" and _string(t) in _BOOT for t in rest)
    elif word == "alias":
        script.runs = script.runs or any(
            re.search(r"(?i)spring\.?boot$|springframework\.boot$|\.jib$", t.text)
            for t in rest
            if t.kind == "word"
        )


def _dependency(first: _Token, rest: list[_Token], blocks: list[str], script: _Script) -> None:
    word = first.text
    if "buildscript" in blocks or "pluginManagement" in blocks:
        return
    if word in ("mavenBom", "dependency") or blocks[-1] == "dependencySet":
        script.managed += _first(rest, False)
    elif rest and _CONFIGURATIONS.match(word):
        test = _BESIDE.search(word) is not None
        if any(t.kind == "word" and t.text in ("platform", "enforcedPlatform") for t in rest):
            literal = any(t.kind == "string" for t in rest)
            script.managed += _first(rest, test) if literal else _catalogued(rest, test)
        elif "constraints" in blocks or "dependencyManagement" in blocks:
            script.managed += _taken(rest, first.at, script, test)
        elif "subprojects" in blocks or "allprojects" in blocks:
            script.inherited += _taken(rest, first.at, script, test)
        else:
            script.dependencies += _taken(rest, first.at, script, test)


def _taken(rest: list[_Token], at: Span, script: _Script, test: bool) -> Iterator[Dependency]:
    """What a configuration takes: a project, a coordinate whole or in parts, a list of them, an alias of a catalogue."""
    strings = [t for t in rest if t.kind == "string"]
    words = [t for t in rest if t.kind == "word"]
    accessor = next((t for t in words if t.text.startswith("projects.")), None)
    if strings and any(t.text == "project" for t in words):
        yield Dependency(_path(_string(strings[0])), "", strings[0].at, test)
    elif accessor is not None:
        path = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda m: "-" + m[1].lower(), accessor.text)
        yield Dependency(path.removeprefix("projects").replace(".", ":"), "", accessor.at, test)
    elif (named := _named(rest)) is not None:
        yield Dependency(f"{named[0]}:{named[1]}", named[2], at, test)
    elif whole := [t for t in strings if ":" in _string(t)]:
        for token in whole:
            text = _string(token)
            position = rest.index(token)
            if text.endswith(":") and position + 2 < len(rest) and rest[position + 1].text == "+":
                text += _value(rest[position + 2])  # "g:a:" + version
            yield from _of_text(text, token.at, test)
    elif len(strings) >= 2:  # implementation("g", "a", "v")
        group, artifact, version = [*map(_string, strings), ""][:3]
        yield Dependency(f"{group}:{artifact}", version, strings[0].at, test)
    else:
        for held in words:
            for token in script.lists.get(held.text, ()):
                yield from _of_text(_string(token), token.at, test)
        yield from _catalogued(rest, test)


def _catalogued(rest: list[_Token], test: bool) -> Iterator[Dependency]:
    for token in rest:
        if (
            token.kind == "word"
            and token.text.startswith("libs.")
            and not token.text.startswith("libs.versions")
        ):
            alias = token.text.removesuffix(".get")
            yield Dependency("${" + alias + "}", "", token.at, test)


def _named(rest: list[_Token]) -> tuple[str, str, str] | None:
    """`group: 'g', name: 'a', version: 'v'` and `group = "g", …`."""
    held: dict[str, str] = {}
    for token, sign, value in zip(rest, rest[1:], rest[2:], strict=False):
        if token.kind == "word" and token.text in ("group", "name", "version") and sign.text in (":", "="):
            held[token.text] = _value(value)
    if "group" in held and "name" in held:
        return held["group"], held["name"], held.get("version", "")
    return None


def _value(token: _Token) -> str:
    """A text, or the property that a word stands for."""
    return _string(token) if token.kind == "string" else "${" + _property(token.text) + "}"


def _first(rest: list[_Token], test: bool) -> Iterator[Dependency]:
    """The coordinate that the first text of a statement is."""
    for token in [t for t in rest if t.kind == "string"][:1]:
        yield from _of_text(_string(token), token.at, test)


def _of_text(text: str, at: Span, test: bool) -> Iterator[Dependency]:
    """The coordinate that a text is, if it is one."""
    parts = re.split(r":(?![^{]*\})", text.partition("@")[0])
    if len(parts) >= 2 and parts[0] and parts[1]:
        yield Dependency(f"{parts[0]}:{parts[1]}", parts[2] if len(parts) > 2 else "", at, test)


def _catalogue(text: str) -> FileFacts:
    """`libs.versions.toml`: coordinates and versions as `managed`, aliases as properties `libs.<alias>`."""
    data = toml.load(text)
    if isinstance(data, Problem):
        return FileFacts("build", problems=(data,))
    versions = {name: _version(value) for name, value in table(data, "versions").items()}
    properties: dict[str, str] = {
        f"libs.versions.{_alias(name)}": version for name, version in versions.items()
    }
    managed = []
    lines = text.splitlines()
    for alias, value in table(data, "libraries").items():
        coordinate = version = ""
        if isinstance(value, str):
            group, _, rest = value.partition(":")
            artifact, _, version = rest.partition(":")
            coordinate = f"{group}:{artifact}"
        elif isinstance(value, dict):
            module = value.get("module")
            coordinate = (
                module if isinstance(module, str) else f"{value.get('group', '')}:{value.get('name', '')}"
            )
            written = value.get("version")
            if isinstance(written, dict) and isinstance(written.get("ref"), str):
                version = versions.get(written["ref"], "")
            else:
                version = _version(written)
        if coordinate.strip(":"):
            number = next((n for n, line in enumerate(lines, 1) if _declares(line, alias)), 1)
            at = Span(number, 1, number, len(lines[number - 1]) + 1 if lines else 1)
            managed.append(Dependency(coordinate, version, at))
            properties[f"libs.{_alias(alias)}"] = coordinate
    for alias, members in table(data, "bundles").items():
        if isinstance(members, list):
            held = [properties.get(f"libs.{_alias(str(member))}", "") for member in members]
            properties[f"libs.bundles.{_alias(alias)}"] = ",".join(
                coordinate for coordinate in held if coordinate
            )
    build = build_file("gradle-catalogue", managed=managed, properties=properties.items())
    return FileFacts("build", build=build)


def _declares(line: str, alias: str) -> bool:
    """Whether a line of a catalogue begins with an alias, quoted or not, and says something of it."""
    written = _unquoted(line.lstrip())
    return written.startswith(alias) and _unquoted(written[len(alias) :]).lstrip().startswith(("=", "."))


def _unquoted(text: str) -> str:
    return text[1:] if text.startswith(("'", '"')) else text


def _alias(name: str) -> str:
    return re.sub(r"[-_]", ".", name)


def _version(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for key in ("strictly", "require", "prefer"):
            if isinstance(value.get(key), str):
                return str(value[key])
    return ""
