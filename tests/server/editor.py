"""An editor without a window: pygls's own client, which starts `subdrift server` and talks to it over stdio."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.client import LanguageClient

WAIT_S = 120.0
"""For an answer, on a machine that has other things to do."""


class Editor:
    """One open workspace."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.client = LanguageClient("test", "1")
        self.problems: dict[str, list[lsp.Diagnostic]] = {}
        self.messages: list[str] = []
        self._news = asyncio.Condition()
        self._version = 0

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def _(params: lsp.PublishDiagnosticsParams) -> None:
            async with self._news:
                self.problems[params.uri] = list(params.diagnostics)
                self._news.notify_all()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        async def _(params: lsp.ShowMessageParams) -> None:
            async with self._news:
                self.messages.append(params.message)
                self._news.notify_all()

    def uri(self, path: str) -> str:
        return str(uris.from_fs_path(str(self.root / path)))

    def open(self, path: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        item = lsp.TextDocumentItem(self.uri(path), "java", 0, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def type(self, path: str, text: str) -> None:
        """Replace the text of an open document, without saving it."""
        self._version += 1
        document = lsp.VersionedTextDocumentIdentifier(self._version, self.uri(path))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def rules(self, path: str) -> list[str]:
        return [str(one.code) for one in self.problems.get(self.uri(path), [])]

    async def until(self, path: str, *rules: str) -> None:
        """Wait until exactly these are reported in a file."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: self.rules(path) == list(rules)), WAIT_S)

    async def until_told(self, words: str) -> None:
        """Wait for a message with these words."""
        async with self._news:
            await asyncio.wait_for(
                self._news.wait_for(lambda: any(words in one for one in self.messages)), WAIT_S
            )


@asynccontextmanager
async def editing(root: Path, *arguments: str) -> AsyncIterator[Editor]:
    """An editor with a server that is running, and is told to end."""
    editor = Editor(root)
    await editor.client.start_io(sys.executable, "-m", "subdrift", "server", *arguments, cwd=str(root))
    folder = lsp.WorkspaceFolder(str(uris.from_fs_path(str(root))), root.name)
    await asyncio.wait_for(
        editor.client.initialize_async(
            lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), workspace_folders=[folder])
        ),
        WAIT_S,
    )
    editor.client.initialized(lsp.InitializedParams())
    try:
        yield editor
    finally:
        await asyncio.wait_for(editor.client.shutdown_async(None), WAIT_S)
        editor.client.exit(None)
        await asyncio.wait_for(editor.client.stop(), WAIT_S)
