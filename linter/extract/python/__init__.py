"""The Python reader: bytes of a `.py` file -> `FileFacts`, by LibCST behind a guard.

How Python is put into the vocabulary of `linter.model`:

- The file is the type `~` (kind MODULE), its variables are static fields, its functions static methods; a class
  is `~.Cls`, a nested function `~#outer.inner`. `__init__` is the method `<init>`. Relative imports keep their dots.
- `from app import settings; settings.GROUP`: `settings` may be a module or an object, so it is
  `Member(Name(("app#settings", "app.settings")), "GROUP")`: the name evaluates to a value or to a type, whichever
  is defined. Names that look like classes, and modules imported as such, are joined: `Name(("app.config.Settings#GROUP", …))`.
- `None` is `Call(("builtin:none",))`; `a or b` is `Call(("builtin:or",), (a, b))`; a settings file that the code
  loads is `Call(("builtin:load_file",), (path,))`, read by `builtin:getitem`; the path is relative to the working
  folder, or to the file itself where it begins with `.`. `builtin:getitem` has a default as third argument.
- Filter objects and client configurations of the libraries are `Entries` of their parameters (`expression`,
  `filter_type`; `endpoints`, `namespace`; `consumer_group`, …), so they resolve across files like dictionaries; values of a
  subscription table (`SubscriptionSite.table`) are such entries or bare texts.
- Enumerations, dataclasses, named tuples and pydantic models get the constructor (`<init>` with `assigns`) that they
  have at run time; a constant of an enumeration is a `New` of it with its value.
- A pytest fixture is a function whose `returns` is what it yields; a test's parameter is a `Call` of the fixture.
- Keys taken out of `**kwargs` are further parameters.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter

from linter.clients import python as clients
from linter.extract.python.guard import Source, accept
from linter.extract.suppressions import MARK, suppressions
from linter.model.facts import FileFacts, Problem, Suppression
from linter.model.location import START, Span
from linter.model.message import say


def read_file(name: str, content: bytes, tracked: frozenset[str] = frozenset()) -> FileFacts:
    """The facts of a Python file. Total: what cannot be read is a problem of the file."""
    source = accept(content)
    if isinstance(source, Problem):
        return FileFacts("python", problems=(source,))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of literals with odd escapes
        return _read(source, content, tracked)


def _read(source: Source, content: bytes, tracked: frozenset[str]) -> FileFacts:
    import libcst as cst  # heavy: only where a Python file is read
    from libcst.metadata import MetadataWrapper, PositionProvider

    from linter.extract.python.consumers import Reader

    try:
        wrapper = MetadataWrapper(cst.parse_module(source.text), unsafe_skip_copy=True)
        positions = wrapper.resolve(PositionProvider)
        reader = Reader(positions, tracked, _assigned_once(source.tree))
        reader.read(wrapper.module)
        uses = reader.link()
    except cst.ParserSyntaxError as error:
        at = Span(max(error.raw_line, 1), error.raw_column + 1, max(error.raw_line, 1), error.raw_column + 1)
        return FileFacts("python", problems=(Problem("parse-error", say("libcst-does-not-read"), None, at),))
    except RecursionError:
        problem = Problem(
            "skipped-file", say("nested-too-deeply", language="Python"), say("exclude-the-file"), START
        )
        return FileFacts("python", problems=(problem,))
    return FileFacts(
        "python",
        imports=tuple(dict.fromkeys(reader.imported)),
        types=reader.types(),
        sites=reader.consumer_sites(),
        uses=tuple(uses),
        calls=tuple(sorted(reader.calls, key=lambda call: call.at)),
        suppressions=_suppressions(source.text) if MARK in content else (),
        problems=(
            *reader.problems,
            *_unrecognised(reader.client_imports, reader.client_names_used, source.tree),
        ),
        runs=reader.runs,
    )


def _assigned_once(tree: ast.Module) -> frozenset[str]:
    """Module variables with one plain assignment outside loops: they hold the same everywhere in the file."""
    counts: Counter[str] = Counter()
    stack: list[tuple[ast.AST, bool]] = [(node, False) for node in tree.body]
    while stack:
        node, loop = stack.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            counts[node.id] += 2 if loop else 1
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack += [(part, True) for part in ast.walk(node) if isinstance(part, ast.Global)]
            if not isinstance(node, ast.Lambda):
                counts[node.name] += 1
        elif isinstance(node, ast.Global):
            for name in node.names:
                counts[name] += 2
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            counts[node.target.id] += 2
        else:
            loop = loop or isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.comprehension)
            stack += [(child, loop) for child in ast.iter_child_nodes(node)]
    return frozenset(name for name, count in counts.items() if count == 1)


def _unrecognised(
    imported: list[tuple[str, str, Span]], used: set[str], tree: ast.Module
) -> tuple[Problem, ...]:
    """Consumer classes that are imported and named in code without a consumer being made of them here."""
    found = []
    for local, full, _ in imported:
        if full in used or clients.maker(full) is None:
            continue
        at = _value_use(local, tree)
        if at is not None:
            found.append(
                Problem(
                    "unrecognised-use",
                    say("use-not-understood", name=full),
                    say("call-directly"),
                    at,
                )
            )
    return tuple(found)


def _value_use(name: str, tree: ast.Module) -> Span | None:
    """The first place where a name is used as a value: no annotation, base class, `isinstance` or decorator."""
    stack: list[ast.AST] = [tree]
    found: list[Span] = []
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            found.append(Span(node.lineno, node.col_offset + 1, node.lineno, node.col_offset + 1 + len(name)))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("isinstance", "issubclass", "cast")
        ):
            continue
        for key, value in ast.iter_fields(node):
            if key in ("annotation", "returns", "bases", "decorator_list"):
                continue
            children = value if isinstance(value, list) else [value]
            stack += [child for child in children if isinstance(child, ast.AST)]
    return min(found) if found else None


def _suppressions(text: str) -> tuple[Suppression, ...]:
    """Comments by tokens, so that a text holding the words is none."""
    import tokenize

    lines = re.split(r"\r\n|\r|\n", text)
    comments: list[tuple[Span, str]] = []
    try:
        for token in tokenize.generate_tokens((line + "\n" for line in lines).__next__):
            if token.type == tokenize.COMMENT:
                (line, column), (end_line, end_column) = token.start, token.end
                comments.append((Span(line, column + 1, end_line, end_column + 1), token.string))
    except (tokenize.TokenError, SyntaxError):
        pass
    return suppressions(lines, comments)
