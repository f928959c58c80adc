"""`subdrift server` as an editor meets it: a real client over stdio, on files that are half written too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from subdrift.linter.server.protocol import MEMBERS_COMMAND
from tests.adopt.scratch import LISTENER
from tests.server.editor import Editor, editing

TAGS = "divergent-tags"
ORDER = "tag-order-differs"
CONSTANT = 'package x;\nclass Names { static final String GROUP = "订单-cg"; }\n'


def listener(name: str, tags: str, group: str = "g") -> str:
    return LISTENER.format(name=name, tags=tags, group=group, topic="T")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two listeners of one group with different tags."""
    (tmp_path / ".subdrift.toml").write_text('repository = "shop"\n', encoding="utf-8")
    for name, tags in (("A", "PAID"), ("B", "SHIPPED")):
        (tmp_path / f"{name}.java").write_text(listener(name, tags), encoding="utf-8")
    return tmp_path


def edit(root: Path, story: Callable[[Editor], Awaitable[None]], *arguments: str) -> None:
    """Play a story in an editor; it leaves every file as it was."""

    async def play() -> None:
        async with editing(root, "--no-cache", *arguments) as editor:
            await story(editor)

    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    asyncio.run(play())
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_problems_follow_what_is_typed(project: Path) -> None:
    async def story(editor: Editor) -> None:
        await editor.until("A.java", TAGS)
        (problem,) = editor.problems[editor.uri("A.java")]
        assert (problem.range.start.line, problem.severity) == (5, lsp.DiagnosticSeverity.Error)
        assert [one.location.uri for one in problem.related_information or []] == [editor.uri("B.java")]
        editor.open("A.java")
        editor.type("A.java", listener("A", "SHIPPED"))
        await editor.until("A.java")
        await editor.until("B.java")
        editor.type("A.java", "\n" + listener("A", "PAID"))
        await editor.until("A.java", TAGS)
        assert editor.problems[editor.uri("A.java")][0].range.start.line == 6

    edit(project, story)


def test_half_written_code_ends_nothing(project: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("A.java")
        await editor.until("A.java", TAGS)
        whole = listener("A", "SHIPPED")
        for length in range(0, len(whole), 37):
            editor.type("A.java", whole[:length])
            await asyncio.sleep(0.2)
            await editor.client.text_document_hover_async(lsp.HoverParams(*_at(editor, "A.java", 5, 30)))
        editor.type("A.java", "\ud83d\ude00" * 3 + whole.replace("class", "cl\u2028ass", 1))
        editor.type("A.java", whole)
        await editor.until("B.java")
        assert editor.messages == []

    edit(project, story)


def test_hover_lens_definition_and_references(project: Path) -> None:
    (project / "x").mkdir()
    (project / "x" / "Names.java").write_text(CONSTANT, encoding="utf-8")
    for name in "AB":
        code = listener(name, "PAID").replace('"g"', "Names.GROUP")
        (project / f"{name}.java").write_text(code, encoding="utf-8")

    async def story(editor: Editor) -> None:
        editor.open("A.java")
        at = _at(editor, "A.java", 5, 45)
        found = None
        while found is None:
            await asyncio.sleep(0.1)
            found = await editor.client.text_document_hover_async(lsp.HoverParams(*at))
        assert isinstance(found.contents, lsp.MarkupContent)
        assert "group: 订单-cg (confidence: high)" in found.contents.value
        assert "Names.java:2" in found.contents.value
        (lens,) = await editor.client.text_document_code_lens_async(lsp.CodeLensParams(at[0])) or ()
        assert lens.command is not None
        assert (lens.command.title, lens.command.command) == (
            "订单-cg: 2 members, 1 repository",
            MEMBERS_COMMAND,
        )
        written = await editor.client.text_document_definition_async(lsp.DefinitionParams(*at))
        assert isinstance(written, list)
        assert [one.uri for one in written if isinstance(one, lsp.Location)] == [editor.uri("x/Names.java")]
        members = await editor.client.text_document_references_async(
            lsp.ReferenceParams(lsp.ReferenceContext(include_declaration=True), *at)
        )
        assert [one.uri for one in members or ()] == [editor.uri("A.java"), editor.uri("B.java")]

    edit(project, story)


def test_a_quick_fix_is_what_fix_writes(project: Path) -> None:
    for name, tags in (("A", "X || Y"), ("B", "Y || X"), ("C", "X || Y")):
        (project / f"{name}.java").write_text(f"// 😀\n{listener(name, tags)}", encoding="utf-8")

    async def story(editor: Editor) -> None:
        editor.open("B.java")
        await editor.until("B.java", ORDER)
        (problem,) = editor.problems[editor.uri("B.java")]
        wanted = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(editor.uri("B.java")), problem.range, lsp.CodeActionContext([problem])
        )
        (action,) = await editor.client.text_document_code_action_async(wanted) or ()
        assert isinstance(action, lsp.CodeAction)
        assert action.edit is not None
        assert action.edit.changes is not None
        (change,) = action.edit.changes[editor.uri("B.java")]
        lines = (project / "B.java").read_text(encoding="utf-8").split("\n")
        lines[change.range.start.line : change.range.end.line] = change.new_text.removesuffix("\n").split(
            "\n"
        )
        assert "\n".join(lines) == f"// 😀\n{listener('B', 'X || Y')}"

    edit(project, story)


def test_a_mistake_in_the_configuration_is_told_once(project: Path) -> None:
    (project / ".subdrift.toml").write_text('lang = "xx"\n', encoding="utf-8")

    async def story(editor: Editor) -> None:
        await editor.until_told("xx")
        editor.open("A.java")
        await asyncio.sleep(1)
        assert len(editor.messages) == 1

    edit(project, story)


def _at(
    editor: Editor, path: str, line: int, character: int
) -> tuple[lsp.TextDocumentIdentifier, lsp.Position]:
    return lsp.TextDocumentIdentifier(editor.uri(path)), lsp.Position(line, character)
