"""Rewritings of a program that change no run: the same consumers, at other places or under other names.

Each takes files and gives files, or None where it does not apply. They are textual, at spans of the real parsers, and
careful rather than complete: a name is only renamed where every occurrence is the program's own.
"""

from __future__ import annotations

import ast
import io
import itertools
import keyword
import re
import tokenize
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import tree_sitter_java
from tree_sitter import Language, Node, Parser

from tests.oracle.analyzer import Row
from tests.oracle.program import Files
from tests.oracle.truth import SOURCES, STUBS

Transformation = Callable[[Files], Files | None]
Edit = tuple[int, int, str]
"""Start and end in the text, and the text in its place."""

COMPARED: Final = (
    "api", "group", "topic", "filter_type", "expression", "message_model", "consume_mode", "namespace", "confidence",
)  # fmt: skip

_JAVA = Parser(Language(tree_sitter_java.language()))
_PLATFORM: Final = frozenset(
    {
        *(
            "main",
            "args",
            "run",
            "call",
            "get",
            "set",
            "put",
            "add",
            "remove",
            "of",
            "apply",
            "accept",
            "test",
            "close",
        ),
        *(
            "next",
            "hasNext",
            "iterator",
            "name",
            "value",
            "values",
            "valueOf",
            "ordinal",
            "toString",
            "equals",
            "hashCode",
        ),
        *(
            "compareTo",
            "length",
            "size",
            "isEmpty",
            "key",
            "entry",
            "text",
            "label",
            "it",
            "first",
            "e",
            "getKey",
        ),
        *("getValue", "getName", "execute", "submit", "shutdown"),
    }
)
"""Names that the platform's types have too, or that are too common to be told apart by their text."""


def essence(rows: Sequence[Row]) -> Counter[tuple[object, ...]]:
    """What rows say, without places and ids: the rows of each consumer together."""
    consumers: dict[str, list[tuple[object, ...]]] = {}
    for row in rows:
        said = (
            *(row[name] for name in COMPARED),
            bool(row["choice"]),
            tuple(sorted(row["unresolved"].items())),
        )
        consumers.setdefault(row["consumer"], []).append(said)
    return Counter(tuple(sorted(said, key=repr)) for said in consumers.values())


# -- any language -------------------------------------------------------------------------------------------------


def unrelated_files(files: Files) -> Files | None:
    """Files of another matter beside the program's: constants and helpers of names that the program may know too."""
    java = (
        "package zz.unrelated;\n\nimport java.util.Map;\n\npublic class MqUtil {\n"
        '    public static final String GROUP = "unrelated-cg";\n'
        '    static final Map<String, String> TABLE = Map.of("a", "b");\n\n'
        "    public static String name(String text) {\n        return text + GROUP;\n    }\n\n"
        "    void subscribe(String topic, String tags) {\n        start();\n    }\n\n    void start() {\n    }\n}\n"
    )
    python = (
        'GROUP = "unrelated-cg"\n\n\ndef create(group, topic, tags):\n    return group + topic + tags\n\n\n'
        "class Worker:\n    def start(self):\n        self.subscribe(GROUP)\n\n    def subscribe(self, topic):\n"
        "        return topic\n"
    )
    out = dict(files)
    if any(path.startswith(SOURCES) for path in files):
        out[f"{SOURCES}/zz/unrelated/MqUtil.java"] = java
    elif any(path.endswith(".java") for path in files):
        out["zz/unrelated/MqUtil.java"] = java
    if any(path.endswith(".py") for path in files):
        out["zz_unrelated.py"] = python
    return out


def files_noticed(files: Files) -> Files | None:
    """Every source names the client in a comment: what is read because of others is read at first sight then."""
    marks = {".java": "// org.apache.rocketmq DefaultMQPushConsumer\n", ".py": "# rocketmq PushConsumer\n"}
    out = dict(files)
    for path, text in files.items():
        mark = marks.get(path[path.rfind(".") :])
        if mark and "rocketmq" not in text:
            out[path] = f"{text.rstrip()}\n{mark}"
    return out


def literals_held(files: Files) -> Files | None:
    """Texts, numbers and truth values are constants of a class, or module, that has nothing else to do with the client."""
    return _held(files, lambda number: True)


def literal_held(files: Files) -> Files | None:
    """One of them is: nothing else makes anybody read that class."""
    every = sum(len(_literals(path, text)) for path, text in files.items())
    chosen = zlib.crc32(repr(sorted(files.items())).encode()) % max(1, every)
    return _held(files, lambda number: number == chosen)


def _held(files: Files, takes: Callable[[int], bool]) -> Files | None:
    out = dict(files)
    held: dict[str, list[str]] = {}
    numbers = itertools.count()
    for path, text in files.items():
        folder = path.rpartition("/")[0] if path.endswith(".java") else ""
        place = held.setdefault(f"{folder}/ZqHeld.java" if path.endswith(".java") else "zq_held.py", [])
        edits: list[Edit] = []
        for start, end, declared in _literals(path, text):
            if takes(next(numbers)):
                edits.append(
                    (start, end, f"{'ZqHeld' if path.endswith('.java') else 'zq_held'}.V{len(place)}")
                )
                place.append(declared.format(f"V{len(place)}"))
        if edits and path.endswith(".py"):
            edits.append(_import_of("zq_held", text))
        out[path] = _edited(text, edits)
    for path, place in held.items():
        if path.endswith(".java") and place:
            folder = path.rpartition("/")[0]
            near = (t for p, t in files.items() if p.endswith(".java") and p.rpartition("/")[0] == folder)
            package = re.findall(r"^package [\w.]+;", next(near), re.MULTILINE)
            inside = "\n".join(f"    public static final {one};" for one in place)
            out[path] = "\n\n".join([*package, f"public final class ZqHeld {{\n{inside}\n}}\n"])
        elif place:
            out[path] = "\n".join([*place, ""])
    return out if out != files else None


def _literals(path: str, text: str) -> list[tuple[int, int, str]]:
    """Where literals stand, and what declares a constant of such a value."""
    if path.endswith(".java"):
        return list(_java_literals(text))
    return list(_python_literals_in(text)) if path.endswith(".py") else []


# -- Java ---------------------------------------------------------------------------------------------------------


def members_reordered(files: Files) -> Files | None:
    """Methods and constructors of each class in the opposite order; fields and blocks, whose order counts, stay."""
    return _each(files, ".java", _methods_reversed) or _each(files, ".py", _functions_reversed)


def _methods_reversed(text: str) -> str:
    """The innermost classes first, one after the other, since each rewriting moves what stands behind it."""
    done: set[str] = set()
    while True:
        for body in _find(_tree(text), "class_body"):
            kinds = ("method_declaration", "constructor_declaration")
            slots = [node for node in body.named_children if node.type in kinds]
            if len(slots) < 2 or (mark := "".join(sorted(_text(text, node) for node in slots))) in done:
                continue
            done.add(mark)
            source = text.encode()
            moved = [source[node.start_byte : node.end_byte] for node in reversed(slots)]
            for node, new in reversed(list(zip(slots, moved, strict=True))):
                source = source[: node.start_byte] + new + source[node.end_byte :]
            text = source.decode()
            break
        else:
            return text


def packages_renamed(files: Files) -> Files | None:
    """The program's root package under another name, files moved with it."""
    packages = sorted(
        {found[1] for text in files.values() if (found := re.match(r"package ([\w.]+);", text))}, key=len
    )
    if not packages or not all(
        name == packages[0] or name.startswith(packages[0] + ".") for name in packages
    ):
        return None
    root, new = packages[0], "net.renamed.area"
    out: dict[str, str] = {}
    for path, text in files.items():
        if path.endswith(".java"):
            path = path.replace(f"{SOURCES}/{root.replace('.', '/')}/", f"{SOURCES}/{new.replace('.', '/')}/")
            text = re.sub(rf"(?<![\w.\"]){re.escape(root)}(?=[.;])", new, text)
        out[path] = text
    return out


def identifiers_renamed(files: Files) -> Files | None:
    """Classes, methods, fields, parameters and locals of the program's own under other names."""
    if not any(path.endswith(".java") for path in files):
        return _python_renamed(files)
    trees = {path: _tree(text) for path, text in files.items() if path.endswith(".java")}
    fixed, declared = set(_PLATFORM) | _library_names(), set[str]()
    for path, tree in trees.items():
        text = files[path]
        for node in _find(tree, "identifier", "type_identifier"):
            owner = node.parent
            name = _text(text, node)
            if owner is None:
                continue
            if owner.type in (
                "enum_constant",
                "record_declaration",
                "enum_declaration",
                "package_declaration",
            ):
                fixed.add(name)
            elif owner.child_by_field_name("name") == node and owner.type.endswith(_DECLARES):
                declared.add(name)
        for imported in _find(tree, "import_declaration"):
            line = _text(text, imported)
            if "org.apache.rocketmq" in line or "java." in line:
                fixed.update(re.findall(r"\w+", line))
        for package in _find(tree, "package_declaration"):
            fixed.update(re.findall(r"\w+", _text(text, package)))
        fixed.update(_component_names(tree, text))
    renamed = {name: _fresh(name) for name in sorted(declared - fixed)}
    if not renamed:
        return None
    out: dict[str, str] = {}
    for path, text in files.items():
        if path in trees:
            names = _find(trees[path], "identifier", "type_identifier")
            edits = [(n.start_byte, n.end_byte, renamed.get(_text(text, n), _text(text, n))) for n in names]
            folder, _, base = path.rpartition("/")
            stem = base.removesuffix(".java")
            out[f"{folder}/{renamed.get(stem, stem)}.java"] = _edited(text, edits)
        else:
            out[path] = text
    return out


_DECLARES: Final = ("_declaration", "declarator", "formal_parameter", "enhanced_for_statement")


def _component_names(tree: Node, text: str) -> Iterator[str]:
    """Names of record components: their accessors are named alike."""
    for record in _find(tree, "record_declaration"):
        for parameter in _find(record, "formal_parameter"):
            if (name := parameter.child_by_field_name("name")) is not None:
                yield _text(text, name)


def constant_extracted(files: Files) -> Files | None:
    """The string literals in the methods of each class become constants of it."""
    return _each(files, ".java", _java_constants) or _each(files, ".py", _python_constants)


def _java_constants(text: str) -> str:
    return _literals_replaced(text, "EXTRACTED_{}", "private static final String EXTRACTED_{} = {};")


def _java_literals(text: str) -> Iterator[tuple[int, int, str]]:
    types = {
        "string_literal": "String",
        "decimal_integer_literal": "int",
        "true": "boolean",
        "false": "boolean",
    }
    for literal in _find(_tree(text), *types):
        written = _text(text, literal)
        type_ = types[literal.type]
        if type_ == "int" and not (written.isdigit() and int(written) < 128):
            continue  # a `long`, or what is only an `int` with a sign before it
        if not written.startswith('"""') and not _inside(literal, "annotation"):
            shown = written.replace("{", "{{").replace("}", "}}")
            yield literal.start_byte, literal.end_byte, f"{type_} {{}} = {shown}"


def helper_extracted(files: Files) -> Files | None:
    """Each string literal in a method comes from a helper method; read backwards, a helper is inlined."""
    return _each(files, ".java", _java_helpers) or _each(files, ".py", _python_helpers)


def _java_helpers(text: str) -> str:
    return _literals_replaced(
        text, "extracted{}()", "private static String extracted{}() {{\n        return {};\n    }}"
    )


def _literals_replaced(text: str, use: str, declare: str) -> str:
    tree = _tree(text)
    top = next((n for n in tree.named_children if n.type == "class_declaration"), None)
    body = None if top is None else top.child_by_field_name("body")
    if body is None:
        return text
    edits: list[Edit] = []
    declared: list[str] = []
    for method in body.named_children:
        if method.type not in ("method_declaration", "constructor_declaration"):
            continue
        for literal in _find(method, "string_literal"):
            if _text(text, literal).startswith('"""') or _inside(literal, "switch_label", "annotation"):
                continue
            if _inside(literal, "explicit_constructor_invocation", "class_body", stop=method):
                continue
            edits.append((literal.start_byte, literal.end_byte, use.format(len(edits))))
            declared.append("    " + declare.format(len(declared), _text(text, literal)))
    if not edits:
        return text
    return _edited(
        text, [*edits, (body.start_byte + 1, body.start_byte + 1, "\n" + "\n".join(declared) + "\n")]
    )


def factory_wrapped(files: Files) -> Files | None:
    """Clients are made by a factory of the program's own instead of where they are used."""
    if any(path.endswith(".java") for path in files):
        return _java_factory(files)
    return _python_factory(files)


def _java_factory(files: Files) -> Files | None:
    kinds = ("DefaultMQPushConsumer", "DefaultLitePullConsumer")
    out = dict(files)
    used: set[tuple[str, int]] = set()
    for path, text in files.items():
        if not path.endswith(".java"):
            continue
        edits = []
        for node in _find(_tree(text), "object_creation_expression"):
            made, arguments = node.child_by_field_name("type"), node.child_by_field_name("arguments")
            if made is None or arguments is None or any(n.type == "class_body" for n in node.children):
                continue
            if _text(text, made) in kinds and len(arguments.named_children) <= 1:
                edits.append((node.start_byte, arguments.start_byte, f"Wrapped.make{_text(text, made)}"))
                used.add((_text(text, made), len(arguments.named_children)))
        if edits:
            imported = r"\1\nimport zz.made.Wrapped;\n"
            out[path] = re.sub(r"^(package .*;\n)", imported, _edited(text, edits), count=1)
    if not used:
        return None
    lines = ["package zz.made;", ""]
    lines += sorted({f"import org.apache.rocketmq.client.consumer.{kind};" for kind, _ in used})
    lines += ["", "public final class Wrapped {"]
    for kind, count in sorted(used):
        parameter, argument = ("String group", "group") if count else ("", "")
        lines += [
            f"    public static {kind} make{kind}({parameter}) {{",
            f"        return new {kind}({argument});",
            "    }",
            "",
        ]
    return {**out, f"{SOURCES}/zz/made/Wrapped.java": "\n".join([*lines[:-1], "}"]) + "\n"}


def class_moved(files: Files) -> Files | None:
    """A class moves into the file of another one of its package, or a Python module gets another name."""
    java = [path for path in files if path.endswith(".java")]
    if not java:
        return _python_module_moved(files)
    if any(".*;" in files[path] or "import static" in files[path] for path in java):
        return None
    for path in java:
        name = path.rpartition("/")[2].removesuffix(".java")
        users = [other for other in java if other != path and re.search(rf"\b{name}\b", files[other])]
        folder = path.rpartition("/")[0]
        if (
            "void main(" in files[path]
            or not users
            or any(user.rpartition("/")[0] != folder for user in users)
        ):
            continue
        merged = _merged(files[users[0]], files[path])
        if merged:
            return {**{p: t for p, t in files.items() if p != path}, users[0]: merged}
    return None


def _merged(target: str, moved: str) -> str:
    imports = [sorted(set(re.findall(r"^import ([\w.]+);", text, re.MULTILINE))) for text in (target, moved)]
    simple: dict[str, str] = {}
    for name in (*imports[0], *imports[1]):
        if simple.setdefault(name.rpartition(".")[2], name) != name:
            return ""
    own = {
        found
        for text in (target, moved)
        for found in re.findall(r"\b(?:class|interface|enum|record) (\w+)", text)
    }
    if own & set(simple):
        return ""
    head = re.match(r"package [\w.]+;\n", target)
    if head is None:
        return ""
    body = [
        re.sub(r"^(package|import) [\w.]+;\n", "", text, flags=re.MULTILINE).strip()
        for text in (target, moved)
    ]
    body[1] = body[1].removeprefix("public ")
    lines = "".join(f"import {name};\n" for name in sorted(simple.values()))
    return f"{head[0]}\n{lines}\n{body[0]}\n\n{body[1]}\n"


def modules_split(files: Files) -> Files | None:
    """The classes without a main move to a Maven module of their own, which the module of the mains takes in."""
    java = [path for path in files if path.endswith(".java")]
    mains = [path for path in java if "void main(" in files[path]]
    library = [path for path in java if path not in mains]
    names = [path.rpartition("/")[2].removesuffix(".java") for path in mains]
    if not library or any(re.search(rf"\b{name}\b", files[path]) for name in names for path in library):
        return None
    if "pom.xml" not in files or not all(path.startswith(SOURCES) for path in java):
        return None
    pom = files["pom.xml"]
    parent = pom.replace(
        "<version>1.0.0</version>", "<version>1.0.0</version>\n  <packaging>pom</packaging>", 1
    )
    modules = "  <modules>\n    <module>library</module>\n    <module>program</module>\n  </modules>\n  <dependencies>"
    out = {"pom.xml": parent.replace("  <dependencies>", modules, 1)}
    name = re.search(r"<artifactId>(.*?)</artifactId>", pom)
    assert name is not None
    for module, paths in (("library", library), ("program", mains)):
        dependency = (
            "<dependency>\n        <groupId>com.acme</groupId>\n        <artifactId>library</artifactId>\n"
        )
        dependency += "        <version>1.0.0</version>\n      </dependency>"
        taken = (
            f"\n    <dependencies>\n      {dependency}\n    </dependencies>" if module == "program" else ""
        )
        out[f"{module}/pom.xml"] = (
            '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n'
            f"  <parent>\n    <groupId>com.acme</groupId>\n    <artifactId>{name[1]}</artifactId>\n"
            f"    <version>1.0.0</version>\n  </parent>\n  <artifactId>{module}</artifactId>{taken}\n</project>\n"
        )
        out |= {f"{module}/{path}": files[path] for path in paths}
    return out


# -- Python -------------------------------------------------------------------------------------------------------


def _functions_reversed(text: str) -> str:
    """Plain methods of each class in the opposite order."""
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            defs = [n for n in node.body if isinstance(n, ast.FunctionDef)]
            if (
                len(defs) < 2
                or any(n.decorator_list for n in defs)
                or len({n.name for n in defs}) < len(defs)
            ):
                continue
            if any(isinstance(n, ast.ClassDef) for n in ast.walk(node) if n is not node):
                continue
            spans = [(n.lineno - 1, n.end_lineno or n.lineno) for n in defs]
            blocks = [lines[a:b] for a, b in spans]
            if sum(map(len, blocks)) != sum(b - a for a, b in spans):
                continue
            return _functions_reversed_at(lines, spans, blocks)
    return text


def _functions_reversed_at(lines: list[str], spans: list[tuple[int, int]], blocks: list[list[str]]) -> str:
    out, last = [], 0
    for (start, end), block in zip(spans, reversed(blocks), strict=True):
        out += lines[last:start] + block
        last = end
    return "\n".join(out + lines[last:])


def _python_renamed(files: Files) -> Files | None:
    trees = {path: ast.parse(text) for path, text in files.items() if path.endswith(".py")}
    declared: set[str] = set()
    fixed = set(_PLATFORM) | _library_names()
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                declared.add(node.name)
        for inner in ast.walk(tree):
            if isinstance(inner, ast.keyword | ast.arg):
                fixed.add(inner.arg or "")
            elif isinstance(inner, ast.Attribute):
                fixed.add(inner.attr) if not isinstance(inner.value, ast.Name) else None
            elif isinstance(inner, ast.JoinedStr):
                fixed.update(n.id for n in ast.walk(inner) if isinstance(n, ast.Name))
            elif isinstance(inner, ast.ClassDef):
                fixed.update(n.name for n in inner.body if isinstance(n, ast.FunctionDef | ast.ClassDef))
            if (
                isinstance(inner, ast.Name) and inner.id == "globals"
            ):  # what it declares is looked up as a text
                fixed.update(n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef))
    stems = {path.rpartition("/")[2].removesuffix(".py") for path in trees}
    enums = {
        n
        for text in files.values()
        for n in re.findall(r"class (\w+)\([\w, ]*Enum\)|(\w+) = namedtuple", text)
        for n in n
    }
    renamed = {n: _fresh(n) for n in sorted(declared - fixed - stems - enums) if not n.startswith("__")}
    if not renamed:
        return None
    return {path: _tokens_renamed(text, renamed) if path in trees else text for path, text in files.items()}


def _tokens_renamed(text: str, renamed: dict[str, str]) -> str:
    lines = text.split("\n")
    found = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.NAME]
    for token in reversed(found):
        if token.string in renamed:
            row, start = token.start[0] - 1, token.start[1]
            lines[row] = lines[row][:start] + renamed[token.string] + lines[row][token.end[1] :]
    return "\n".join(lines)


def _python_constants(text: str) -> str:
    return _python_literals(text, "EXTRACTED_{}", "EXTRACTED_{} = {}")


def _python_helpers(text: str) -> str:
    return _python_literals(text, "extracted_{}()", "def extracted_{}():\n    return {}\n\n")


def _python_literals(text: str, use: str, declare: str) -> str:
    """String literals that are arguments of calls inside functions, replaced; declared after the imports."""
    tree = ast.parse(text)
    offsets = [0]
    for line in text.split("\n"):
        offsets.append(offsets[-1] + len(line.encode()) + 1)
    edits: list[Edit] = []
    declared: list[str] = []
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        inside = [n for n in ast.walk(function) if isinstance(n, ast.JoinedStr)]
        if inside or function.decorator_list:
            continue
        for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
            for argument in call.args:
                if (
                    isinstance(argument, ast.Constant)
                    and isinstance(argument.value, str)
                    and argument.end_lineno
                ):
                    start = offsets[argument.lineno - 1] + argument.col_offset
                    end = offsets[argument.end_lineno - 1] + (argument.end_col_offset or 0)
                    edits.append((start, end, use.format(len(edits))))
                    declared.append(declare.format(len(declared), ast.unparse(argument)))
    if not edits:
        return text
    imports = [n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    at = offsets[imports[-1].end_lineno or 0] if imports else 0
    return _edited(text, [*edits, (at, at, "\n".join(["", *declared, ""]))])


def _offsets(text: str) -> list[int]:
    """The byte at which each line begins."""
    return [0, *itertools.accumulate(len(line.encode()) + 1 for line in text.split("\n"))]


def _python_literals_in(text: str) -> Iterator[tuple[int, int, str]]:
    offsets = _offsets(text)
    tree = ast.parse(text)
    fixed: set[int] = set()  # parts of other texts, patterns, docstrings
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr():
                fixed.update(map(id, ast.walk(node)))
            case ast.match_case():
                fixed.update(map(id, ast.walk(node.pattern)))
            case ast.Expr():
                fixed.add(id(node.value))
    for top in (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)):
        for one in ast.walk(top):
            if not isinstance(one, ast.Constant) or id(one) in fixed or one.end_lineno is None:
                continue
            if isinstance(one.value, str | bool | int):
                start = offsets[one.lineno - 1] + one.col_offset
                end = offsets[one.end_lineno - 1] + (one.end_col_offset or 0)
                shown = repr(one.value).replace("{", "{{").replace("}", "}}")
                yield start, end, f"{{}} = {shown}"


def _import_of(module: str, text: str) -> Edit:
    """The import of a module where imports may stand."""
    offsets, tree = _offsets(text), ast.parse(text)
    first = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    if not first and isinstance(tree.body[0], ast.Expr):
        first = [tree.body[0]]  # type: ignore[list-item]
    at = offsets[first[-1].end_lineno or 0] if first else 0
    return at, at, f"import {module}\n"


def _python_factory(files: Files) -> Files | None:
    out, used = dict(files), False
    for path, text in files.items():
        if not path.endswith(".py"):
            continue
        tree = ast.parse(text)
        if not re.search(r"^from rocketmq.client import .*PushConsumer", text, re.MULTILINE):
            continue
        offsets = [0]
        for line in text.split("\n"):
            offsets.append(offsets[-1] + len(line.encode()) + 1)
        calls = [
            n.func
            for n in ast.walk(tree)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "PushConsumer"
            and len(n.args) == 1
        ]  # fmt: skip
        if calls:
            edits = [
                (
                    offsets[n.lineno - 1] + n.col_offset,
                    offsets[n.lineno - 1] + (n.end_col_offset or 0),
                    "zz_made.wrapped",
                )
                for n in calls
            ]
            out[path] = "import zz_made\n" + _edited(text, edits)
            used = True
    if not used:
        return None
    out["zz_made.py"] = (
        "from rocketmq.client import MessageModel, PushConsumer\n\n\n"
        "def wrapped(group, message_model=MessageModel.CLUSTERING):\n"
        "    return PushConsumer(group, message_model=message_model)\n"
    )
    return out


def _python_module_moved(files: Files) -> Files | None:
    """A module that is not run gets another name."""
    for path in sorted(files):
        folder, _, base = path.rpartition("/")
        stem = base.removesuffix(".py")
        if not path.endswith(".py") or stem == "__init__" or "__main__" in files[path]:
            continue
        words = re.compile(rf"\b{re.escape(stem)}\b")
        uses = [line for text in files.values() for line in text.split("\n") if words.search(line)]
        plain = re.compile(rf"^(from [\w.]*\b{stem} import (?!.*\b{stem}\b)|import {stem}$)")
        if not uses or not all(plain.match(line) or f"{stem}." in line for line in uses):
            continue
        if any(
            re.search(rf"[\"'.]{stem}\b|\b{stem}\b(?! import|\.|$)", line) and not plain.match(line)
            for line in uses
        ):
            continue
        new = _fresh(stem)
        moved = {p: words.sub(new, text) if p.endswith(".py") else text for p, text in files.items()}
        moved[f"{folder}/{new}.py".lstrip("/")] = moved.pop(path)
        return moved
    return None


# -- tools --------------------------------------------------------------------------------------------------------


def _each(files: Files, suffix: str, rewrite: Callable[[str], str]) -> Files | None:
    out = {path: rewrite(text) if path.endswith(suffix) else text for path, text in files.items()}
    return out if out != files else None


def _tree(text: str) -> Node:
    return _JAVA.parse(text.encode()).root_node


def _find(node: Node, *kinds: str) -> list[Node]:
    found, open_ = [], [node]
    while open_:
        one = open_.pop()
        if one.type in kinds:
            found.append(one)
        open_ += reversed(one.children)
    return found


def _text(text: str, node: Node) -> str:
    return (node.text or b"").decode()


def _inside(node: Node, *kinds: str, stop: Node | None = None) -> bool:
    above = node.parent
    while above is not None and above != stop:
        if above.type in kinds:
            return True
        above = above.parent
    return False


def _edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with all edits, whose places are bytes."""
    source = text.encode()
    for start, end, new in sorted(edits, reverse=True):
        source = source[:start] + new.encode() + source[end:]
    return source.decode()


def _fresh(name: str) -> str:
    """Another name of the same sort: classes stay capitalised, constants in capitals."""
    new = f"{name}_ZQ" if name.isupper() else f"{name}Renamed" if name[0].isupper() else f"{name}_renamed"
    return new if not keyword.iskeyword(new) else new + "_"


def _library_names() -> set[str]:
    texts = [
        path.read_text(encoding="utf-8") for path in STUBS.rglob("*.*") if path.suffix in (".java", ".py")
    ]
    return {name for text in texts for name in re.findall(r"[A-Za-z_]\w*", text)}


ALL: Final[dict[str, Transformation]] = {
    "unrelated files": unrelated_files,
    "files noticed": files_noticed,
    "literals held": literals_held,
    "literal held": literal_held,
    "members reordered": members_reordered,
    "packages renamed": packages_renamed,
    "identifiers renamed": identifiers_renamed,
    "constant extracted": constant_extracted,
    "helper extracted": helper_extracted,
    "factory wrapped": factory_wrapped,
    "class moved": class_moved,
    "modules split": modules_split,
}
