"""Build files -> `BuildFile`: Maven poms, Python projects; Gradle is in `linter.extract.gradle`.

Texts are as written, `${property}` included; nothing is inherited or resolved here.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from subdrift.linter.extract import gradle, toml, xml
from subdrift.linter.extract.parts import build_file, table
from subdrift.linter.extract.texts import decode
from subdrift.linter.extract.xml import Element
from subdrift.linter.model import ir
from subdrift.linter.model.facts import BOOT_PARENT, Dependency, FileFacts, Problem, ResourceFolder
from subdrift.linter.model.languages import is_build_file
from subdrift.linter.model.location import START, Span
from subdrift.linter.model.message import say

FILE_BYTES_MAX = 2 * 1024 * 1024
"""Larger build files are left out."""

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$")
_STARTED = ("start-class", "main.class", "exec.mainClass", "mainClass")
"""Properties that name the class a program starts with."""

_TEST_GROUPS = re.compile(r"test|dev|lint|doc|type|ci", re.I)


def read_file(name: str, content: bytes) -> FileFacts | None:
    """The facts of a build file; None for other names. A `setup.py` is read as data, never run."""
    lowered = name.lower()
    if not is_build_file(name):
        return None
    if len(content) > FILE_BYTES_MAX:
        message = say("too-many-bytes", count=len(content), most=FILE_BYTES_MAX)
        problem = Problem("skipped-file", message, say("exclude-the-file"), START)
        return FileFacts("build", problems=(problem,))
    if lowered == "pom.xml":
        return _pom(content)
    if lowered.endswith((".gradle", ".gradle.kts", ".versions.toml")):
        return gradle.read_file(lowered, content)
    if lowered in ("pyproject.toml", "pipfile"):
        return _pyproject(content)
    if lowered == "setup.cfg":
        return _setup_cfg(content)
    if lowered == "setup.py":
        return _setup_py(content)
    return _requirements(content, test=_TEST_GROUPS.search(lowered.replace("requirements", "")) is not None)


# -- Maven ---------------------------------------------------------------------------------------------------


def _pom(content: bytes) -> FileFacts:
    parsed = xml.parse(content)
    problems = (parsed.problem,) if parsed.problem is not None else ()
    root = parsed.root
    if root is None or root.tag != "project":
        return FileFacts("build", problems=problems)
    above = root.child("parent")
    parent = None if above is None else _artifact(above)
    profiles = [p for holder in root.all("profiles") for p in holder.all("profile")]
    everywhere = [root, *profiles]
    effective = [root, *(p for p in profiles if _active(p))]
    properties = [(one.tag, one.text.strip()) for one in _held(effective, "properties")]
    modules = [one.text.strip() for one in _held(everywhere, "modules") if one.tag == "module"]
    managed = [
        d for owner in effective for held in owner.all("dependencyManagement") for d in _dependencies(held)
    ]
    packaging = root.content("packaging")
    bound = parent is not None and parent.coordinate == BOOT_PARENT
    runs = packaging == "war" or any(_plugins_run(owner, bound) for owner in effective)
    build = build_file(
        "maven",
        coordinate=f"{root.content('groupId')}:{root.content('artifactId')}",
        version=root.content("version"),
        parent=parent,
        parent_path="" if above is None else above.content("relativePath"),
        modules=dict.fromkeys(filter(None, modules)),
        dependencies=[d for owner in everywhere for d in _dependencies(owner)],
        managed=managed,
        properties=properties,
        runs=runs or any(name in _STARTED and value for name, value in properties),
        aggregates=packaging == "pom",
        at=root.at,
    )
    build = replace(
        build,
        filters=tuple(_filters(root, profiles)),
        resources=tuple(_resources(effective)),
        delimiters=_delimiters(effective),
        name=root.content("name"),
        # what a profile of the build may set otherwise
        varied=tuple(dict.fromkeys(one.tag for one in _held(profiles, "properties"))),
    )
    suppressions = xml.xml_suppressions(content, parsed)
    return FileFacts("build", build=build, suppressions=suppressions, problems=problems)


def _held(owners: Sequence[Element], tag: str) -> Iterator[Element]:
    """What stands in the elements of a name, a project's and its profiles'."""
    return (element for owner in owners for holder in owner.all(tag) for element in holder.children)


def _filters(root: Element, profiles: Sequence[Element]) -> Iterator[tuple[str, str]]:
    """The property files resources are filled from, each with the build profile that brings it in."""
    for owner in (root, *profiles):
        name = "" if owner is root or _active(owner) else owner.content("id")
        for build in owner.all("build"):
            for holder in build.all("filters"):
                for each in holder.all("filter"):
                    if each.text.strip():
                        yield name, each.text.strip()


def _resources(owners: Sequence[Element]) -> Iterator[ResourceFolder]:
    """The resource folders a pom names, with those of profiles that are active by default."""
    for owner in owners:
        for build in owner.all("build"):
            for holder in build.all("resources"):
                for each in holder.all("resource"):
                    directory = re.sub(
                        r"^(?:\$\{(?:project\.)?basedir\}/|\./)", "", each.content("directory")
                    )
                    yield ResourceFolder(
                        directory.rstrip("/"),
                        each.content("filtering") == "true",
                        _patterns(each, "includes", "include"),
                        _patterns(each, "excludes", "exclude"),
                        each.content("targetPath").strip("/"),
                    )


def _patterns(element: Element, holder: str, each: str) -> tuple[str, ...]:
    return tuple(
        one.text.strip() for held in element.all(holder) for one in held.all(each) if one.text.strip()
    )


def _delimiters(owners: Sequence[Element]) -> str:
    """What the resources plugin of a pom writes around build properties, "" where it is not configured."""
    found = ""
    for owner in owners:
        for build in owner.all("build"):
            for plugins in (
                *build.all("plugins"),
                *(p for m in build.all("pluginManagement") for p in m.all("plugins")),
            ):
                for plugin in plugins.all("plugin"):
                    if plugin.content("artifactId") == "maven-resources-plugin":
                        found += _plugin_delimiters(plugin)
    return "".join(dict.fromkeys(found))


def _plugin_delimiters(plugin: Element) -> str:
    found = ""
    for each in plugin.walk():
        text = each.text.strip()
        if each.tag == "useDefaultDelimiters" and text == "true":
            found += "$@"
        elif each.tag == "delimiter":
            found += "$" if text.startswith("${") else "@" if text.startswith("@") else ""
    return found


def _active(profile: Element) -> bool:
    activation = profile.child("activation")
    return activation is not None and activation.content("activeByDefault") == "true"


def _artifact(element: Element) -> Dependency:
    coordinate = f"{element.content('groupId')}:{element.content('artifactId')}"
    return Dependency(coordinate, element.content("version"), element.at, element.content("scope") == "test")


def _dependencies(owner: Element) -> Iterator[Dependency]:
    for holder in owner.all("dependencies"):
        for element in holder.all("dependency"):
            yield _artifact(element)


def _plugins_run(owner: Element, bound: bool) -> bool:
    """Whether the build makes something that runs: such a plugin, or a main class in the manifest. `bound`: the parent has
    Spring Boot's plugin repackage."""
    for build in owner.all("build"):
        for holder in build.all("plugins"):
            for plugin in holder.all("plugin"):
                name = plugin.content("artifactId")
                if name == "spring-boot-maven-plugin" and not _skips(plugin, bound):
                    return True
                if any(e.tag in ("mainClass", "Main-Class") and e.text.strip() for e in plugin.walk()):
                    return True
    return False


def _skips(plugin: Element, bound: bool) -> bool:
    """`<skip>true</skip>`, or a plugin that only writes `build-info`: a library that inherits the plugin."""
    if any(element.tag == "skip" and element.text.strip() == "true" for element in plugin.walk()):
        return True
    goals = {element.text.strip() for element in plugin.walk() if element.tag == "goal"}
    return goals == {"build-info"} and not bound


# -- Python --------------------------------------------------------------------------------------------------


def distribution(name: str) -> str:
    """The normalised name of a distribution (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _requirement(text: str, at: Span, test: bool = False) -> Dependency | None:
    """One PEP 508 requirement; `==` gives its version, another specifier stays as written."""
    text = text.split(";")[0].split(" #")[0].strip()
    if text.startswith(("-", "#", "git+", "http:", "https:", ".", "/")):
        egg = re.search(r"#egg=([\w.-]+)", text)
        return Dependency(distribution(egg[1]), "", at, test) if egg else None
    found = _REQUIREMENT.match(text)
    if found is None or found[2][:1] not in ("", "=", "<", ">", "!", "~", "(", "@"):
        return None
    specifier = found[2].strip().strip("()").strip()
    pinned = re.fullmatch(r"={2,3}\s*([^,*\s]+)", specifier)
    version = pinned[1] if pinned else "" if specifier.startswith("@") else specifier
    return Dependency(distribution(found[1]), version, at, test)


def _requirements(content: bytes, test: bool) -> FileFacts:
    dependencies = []
    for number, line in enumerate(decode(content).splitlines(), 1):
        at = Span(number, 1, number, max(len(line), 1) + 1)
        found = _requirement(line.strip().removeprefix("-e ").strip(), at, test)
        if found is not None:
            dependencies.append(found)
    return FileFacts("build", build=build_file("python", dependencies=dependencies))


def _pyproject(content: bytes) -> FileFacts:
    text = decode(content)
    data = toml.load(text)
    if isinstance(data, Problem):
        return FileFacts("build", problems=(data,))
    lines = text.splitlines()
    project = table(data, "project")
    poetry = table(data, "tool", "poetry")
    dependencies = [
        *_named(_texts(project.get("dependencies")), lines),
        *_versions(table(poetry, "dependencies"), lines),
        *_versions(table(poetry, "dev-dependencies"), lines, test=True),
        *_versions(table(data, "packages"), lines),
        *_versions(table(data, "dev-packages"), lines, test=True),
    ]
    for groups in (table(project, "optional-dependencies"), table(data, "dependency-groups")):
        for name, group in groups.items():
            dependencies += _named(_texts(group), lines, _TEST_GROUPS.search(name) is not None)
    for name, group in table(poetry, "group").items():
        if isinstance(group, dict):
            test = _TEST_GROUPS.search(name) is not None
            dependencies += _versions(table(group, "dependencies"), lines, test=test)
    named = project.get("name") or poetry.get("name") or ""
    version = project.get("version") or poetry.get("version") or ""
    runs = any(
        table(owner, key)
        for owner, key in ((project, "scripts"), (project, "gui-scripts"), (poetry, "scripts"))
    )
    build = build_file(
        "python",
        coordinate=distribution(named) if isinstance(named, str) else "",
        version=version if isinstance(version, str) else "",
        dependencies=dependencies,
        runs=runs,
        at=Span(1, 1, max(len(lines), 1), 1),
    )
    return FileFacts("build", build=build)


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _named(requirements: list[str], lines: list[str], test: bool = False) -> Iterator[Dependency]:
    for text in requirements:
        found = _requirement(text, _line_of(text, lines), test)
        if found is not None:
            yield found


def _line_of(text: str, lines: list[str]) -> Span:
    for number, line in enumerate(lines, 1):
        column = line.find(text)
        if column >= 0:
            return Span(number, column + 1, number, column + 1 + len(text))
    return START


def _versions(table: dict[str, object], lines: list[str], test: bool = False) -> Iterator[Dependency]:
    """Poetry's and Pipenv's tables: name = "version" or {version = …}."""
    for name, value in table.items():
        if name == "python":
            continue
        written = (
            value if isinstance(value, str) else value.get("version", "") if isinstance(value, dict) else ""
        )
        version = written if isinstance(written, str) else ""
        plain = (
            version.removeprefix("==").strip()
            if version.startswith("==")
            else ""
            if version == "*"
            else version
        )
        yield Dependency(distribution(name), plain, _line_of(name, lines), test)


def _setup_cfg(content: bytes) -> FileFacts:
    from subdrift.linter.extract.bounded import bounded
    from subdrift.linter.extract.flat_files import ini_entries

    entries = {entry.key: entry for entry in bounded(ini_entries(decode(content)))[0]}
    dependencies = []
    for key, entry in entries.items():
        test = (
            key.startswith("options.extras_require.")
            and _TEST_GROUPS.search(key.rpartition(".")[2]) is not None
        )
        if key == "options.install_requires" or key.startswith("options.extras_require."):
            found = (_requirement(line, entry.at, test) for line in entry.text.splitlines() if line.strip())
            dependencies += [d for d in found if d is not None]
    name = entries.get("metadata.name")
    version = entries.get("metadata.version")
    if name is None and not dependencies:
        return FileFacts("build")
    build = build_file(
        "python",
        coordinate=distribution(name.text) if name is not None else "",
        version=version.text if version is not None and ":" not in version.text else "",
        dependencies=dependencies,
        runs=any(key.startswith("options.entry_points.console_scripts") for key in entries),
    )
    return FileFacts("build", build=build)


def _setup_py(content: bytes) -> FileFacts:
    from subdrift.linter.languages.python import lower

    unit = lower(content)
    if unit.skipped is not None:
        problem = Problem("skipped-file", unit.skipped, say("split-or-exclude"), START)
        return FileFacts("build", problems=(problem,))
    held: dict[str, ir.Expr] = {}
    call: ir.Call | None = None
    for node in _nodes(unit.types):
        if isinstance(node, ir.Assign) and not node.operator and isinstance(node.target, ir.Name):
            held[node.target.name] = node.value
        if isinstance(node, ir.Call) and call is None and node.name == "setup":
            call = node
    if call is None:
        problem = Problem("parse-error", say("not-python-3"), say("file-not-read"), START)
        return FileFacts("build", problems=(problem,) if unit.broken else ())
    arguments = {argument.name: argument.value for argument in call.args if argument.name}

    def literal(node: ir.Expr | None) -> object:
        if isinstance(node, ir.Name):
            node = held.get(node.name)
        try:
            return None if node is None else _literal(node)
        except ValueError:
            return None

    dependencies = []
    for key in ("install_requires", "tests_require"):
        argument = arguments.get(key)
        at = Span(*argument.at) if argument is not None else START
        found = (_requirement(text, at, key == "tests_require") for text in _texts(literal(argument)))
        dependencies += [d for d in found if d is not None]
    name, version = literal(arguments.get("name")), literal(arguments.get("version"))
    build = build_file(
        "python",
        coordinate=distribution(name) if isinstance(name, str) else "",
        version=version if isinstance(version, str) else "",
        dependencies=dependencies,
        runs="entry_points" in arguments or "scripts" in arguments,
        at=Span(*call.at),
    )
    return FileFacts("build", build=build)


def _nodes(part: object) -> Iterator[object]:
    """What a lowered file holds, the outer before the inner."""
    queue = deque([part])
    while queue:
        item = queue.popleft()
        if isinstance(item, tuple):
            queue.extend(item)
        elif isinstance(item, ir.Record):
            yield item
            queue.extend(getattr(item, name) for name in item.__struct_fields__)


def _literal(node: ir.Expr) -> object:
    """The value that is written out. Raises ValueError for what would have to be computed."""
    if isinstance(node, ir.Const) and not node.binary:
        return node.value
    if isinstance(node, ir.Sequence):
        return [_literal(item) for item in node.items]
    if isinstance(node, ir.Mapping):
        return {_key(key): _literal(value) for key, value in node.entries}
    raise ValueError(type(node).__name__)


def _key(node: ir.Expr | None) -> object:
    if isinstance(node, ir.Const):
        return node.value
    raise ValueError("not a key")
