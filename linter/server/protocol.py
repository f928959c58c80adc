"""The Language Server Protocol: what an editor says in, and problems, hovers, lenses, places and edits out.

Runs go on in a thread of their own, one at a time; what changes meanwhile is looked at by the next one. A run that
fails leaves the answers of the one before it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from subdrift.linter import __version__, files
from subdrift.linter.cli.options import Options
from subdrift.linter.cli.output import CannotError, language_of
from subdrift.linter.model.finding import Severity
from subdrift.linter.model.location import Location, Origin, Span
from subdrift.linter.server.answers import Answers, Named
from subdrift.linter.server.project import Project
from subdrift.linter.sources.checkout import bytes_max
from subdrift.linter.stages.fixes import Fix
from subdrift.linter.stages.rewriting import rewrite

_T = TypeVar("_T")

TYPING_S: Final = 0.15
"""Seconds without a change after which what was typed is looked at."""
MEMBERS_COMMAND: Final = "subdrift.members"
"""What a client may offer on a code lens: uri, position, places. An editor without it shows the text alone."""
_SOURCE: Final = "subdrift"
_WATCHED: Final = "**/*"
_SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
    None: lsp.DiagnosticSeverity.Information,
}


class Server(LanguageServer):
    """One editor's server: its project, the last answers, and the run that is under way."""

    def __init__(self, options: Options) -> None:
        super().__init__("subdrift", __version__)
        self.options = options
        self.project: Project | None = None
        self.answers: Answers | None = None
        self.told: set[str] = set()
        self.runs = 0
        self._wanted = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._complaint = ""

    # -- runs ------------------------------------------------------------------------------------------------

    def begin(self, folders: Sequence[str]) -> None:
        """Start to look after these folders."""
        paths = () if self.options.org is not None else tuple(folders) or (os.getcwd(),)
        self.project = Project(self.options._replace(paths=paths))
        self._running = asyncio.create_task(self._run())

    def look(self) -> None:
        """Something may have changed."""
        self._wanted.set()

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            while self._wanted.is_set():
                self._wanted.clear()
                await asyncio.sleep(TYPING_S)
            await self._check()

    async def _check(self) -> None:
        assert self.project is not None
        texts = {path: one.source.encode() for one in self._documents() if (path := _path_of(one.uri))}
        try:
            checked = await _apart(partial(self.project.check, texts))
        except CannotError as error:
            self._complain(language_of(self.options.lang, "").text(error.message))
            return
        except Exception as error:  # noqa: BLE001  an editor is told, and keeps its server
            self._complain(f"internal error: {type(error).__name__}: {error}")
            return
        self._complaint = ""
        self.answers = Answers(checked)
        self.runs += 1
        self._publish()
        if _refreshes(self.client_capabilities):
            self.workspace_code_lens_refresh(None)

    def _complain(self, text: str) -> None:
        """Said once, until something else is wrong."""
        if text != self._complaint:
            self._complaint = text
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"subdrift: {text}"))

    def _documents(self) -> Iterable[TextDocument]:
        return tuple(self.workspace.text_documents.values())

    # -- places ----------------------------------------------------------------------------------------------

    def document_at(self, path: str) -> TextDocument | None:
        """The open document of a file."""
        return next((one for one in self._documents() if _path_of(one.uri) == path), None)

    def origin_of(self, uri: str) -> Origin | None:
        """The file of the last run that a document stands for."""
        return self.answers.checked.origin_of(_path_of(uri)) if self.answers else None

    def lines_of(self, origin: Origin) -> list[str]:
        """A file's lines, as the editor has it, else as it lies on disk; none where it cannot be read."""
        path = self.answers.checked.path_of(origin) if self.answers else ""
        document = self.document_at(path)
        if document is not None:
            return document.source.split("\n")
        try:
            content = files.read(path, bytes_max(path), follow=False) if path else b""
        except (OSError, ValueError):
            content = b""
        return content.decode("utf-8", "replace").split("\n")

    def range_of(self, span: Span, lines: Sequence[str]) -> lsp.Range:
        """A place in the units of the client."""

        def position(line: int, column: int) -> lsp.Position:
            if line > len(lines):
                return lsp.Position(max(0, len(lines) - 1), 0)
            return self.workspace.position_codec.position_to_client_units(
                lines, lsp.Position(line - 1, column - 1)
            )

        return lsp.Range(position(span.line, span.column), position(span.end_line, span.end_column))

    def place_of(self, at: Location) -> lsp.Location | None:
        """A place as a link; None for one in a repository that is not here."""
        path = self.answers.checked.path_of(at.origin) if self.answers else ""
        if not path:
            return None
        document = self.document_at(path)
        uri = document.uri if document is not None else uris.from_fs_path(path)
        return lsp.Location(uri, self.range_of(at.span, self.lines_of(at.origin))) if uri else None

    def places_of(self, every: Iterable[Location]) -> list[lsp.Location]:
        return [place for at in every if (place := self.place_of(at)) is not None]

    def named_at(self, uri: str, position: lsp.Position) -> tuple[Named, ...]:
        """The values at a position of a document."""
        origin = self.origin_of(uri)
        if origin is None or self.answers is None:
            return ()
        found = self.workspace.position_codec.position_from_client_units(self.lines_of(origin), position)
        return self.answers.at(origin, found.line + 1, found.character + 1)

    # -- problems --------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        """The problems of every file that has some, or had."""
        assert self.answers is not None
        now: dict[str, list[lsp.Diagnostic]] = {}
        for origin in self.answers.problems:
            if origin.path == ".":  # a repository that could not be read
                continue
            place = self.place_of(Location(origin, Span(1, 1, 1, 1)))
            if place is not None:
                now[place.uri] = list(self._diagnostics(origin))
        for uri in self.told - now.keys():
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        for uri, found in now.items():
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))
        self.told = set(now)

    def _diagnostics(self, origin: Origin) -> Iterator[lsp.Diagnostic]:
        assert self.answers is not None
        lines = self.lines_of(origin)
        for one in self.answers.problems[origin]:
            related = [
                lsp.DiagnosticRelatedInformation(place, text)
                for at, text in one.others
                if (place := self.place_of(at)) is not None
            ]
            yield lsp.Diagnostic(
                range=self.range_of(one.at.span, lines),
                message=one.text,
                severity=_SEVERITIES[one.level],
                code=one.name,
                code_description=lsp.CodeDescription(one.url) if one.url else None,
                source=_SOURCE,
                related_information=related or None,
            )

    # -- fixes -----------------------------------------------------------------------------------------------

    def actions(self, uri: str, wanted: lsp.Range) -> Iterator[lsp.CodeAction]:
        """The edits that touch some lines of a document, as long as it is what the last run has read."""
        origin = self.origin_of(uri)
        if origin is None or self.answers is None:
            return
        checked = self.answers.checked
        before = checked.before.get(origin)
        document = self.workspace.text_documents.get(uri)
        if before is None or document is None or document.source.encode() != before:
            return
        for one in checked.fixes:
            span = one.edit.at
            inside = span.line - 1 <= wanted.end.line and wanted.start.line <= span.end_line - 1
            if one.origin == origin and one.left is None and inside:
                edit = self._edit(one, document)
                if edit is not None:
                    word = self.answers.language.word
                    yield lsp.CodeAction(
                        title=word("server.fix" if one.safe else "server.fix.unsafe", rule=one.rule),
                        kind=lsp.CodeActionKind.QuickFix,
                        edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
                        is_preferred=one.safe,
                    )

    def _edit(self, fix: Fix, document: TextDocument) -> lsp.TextEdit | None:
        """The lines that a fix changes; None where it cannot be made."""
        made = rewrite(fix.origin.path, document.source, [fix.edit])
        if made.left or made.text == document.source:
            return None
        old, new = document.source.split("\n"), made.text.split("\n")
        head = next((n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), 0)
        most = min(len(old), len(new)) - head
        tail = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
        end = len(old) - tail
        whole = lsp.Range(lsp.Position(head, 0), lsp.Position(end, 0))
        text = "".join(f"{line}\n" for line in new[head : len(new) - tail])
        if tail == 0:  # the last line has no end
            last = self.workspace.position_codec.client_num_units(old[-1])
            whole = lsp.Range(lsp.Position(head, 0), lsp.Position(len(old) - 1, last))
            text = text.removesuffix("\n")
        return lsp.TextEdit(whole, text)


def serve(options: Options) -> int:
    """Answer one editor on stdin and stdout until it ends; the exit code."""
    server = Server(options)
    for name, handler in _HANDLERS.items():
        server.feature(name, _OPTIONS.get(name))(handler)
    server.start_io()
    return 0


def _initialized(ls: Server, params: lsp.InitializedParams) -> None:
    folders = [path for one in ls.workspace.folders.values() if (path := _path_of(one.uri))]
    ls.begin(folders or [one for one in (ls.workspace.root_path,) if one])
    watched = ls.client_capabilities.workspace and ls.client_capabilities.workspace.did_change_watched_files
    if watched and watched.dynamic_registration:
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_WATCHED)])
        one = lsp.Registration("watch", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        ls.client_register_capability(lsp.RegistrationParams([one]))
    ls.look()


def _changed(ls: Server, params: object) -> None:
    ls.look()


def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    named = ls.named_at(params.text_document.uri, params.position)
    if not named or ls.answers is None:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, ls.answers.hover(named)))


def _definition(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    uri = params.text_document.uri
    named, origin = ls.named_at(uri, params.position), ls.origin_of(uri)
    if not named or origin is None or ls.answers is None:
        return []
    return ls.places_of(ls.answers.written(origin, named))


def _references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    named = ls.named_at(params.text_document.uri, params.position)
    return ls.places_of(ls.answers.members(named)) if ls.answers else []


def _lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    uri = params.text_document.uri
    origin = ls.origin_of(uri)
    if origin is None or ls.answers is None:
        return []
    lines, found = ls.lines_of(origin), []
    for one in ls.answers.lenses(origin):
        at = ls.range_of(one.at, lines)
        command = lsp.Command(one.text, MEMBERS_COMMAND, arguments=[uri, at.start, ls.places_of(one.members)])
        found.append(lsp.CodeLens(at, command))
    return found


def _actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    return list(ls.actions(params.text_document.uri, params.range))


_HANDLERS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    lsp.INITIALIZED: _initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: _changed,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _changed,
    lsp.TEXT_DOCUMENT_DID_SAVE: _changed,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _changed,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: _changed,
    lsp.TEXT_DOCUMENT_HOVER: _hover,
    lsp.TEXT_DOCUMENT_DEFINITION: _definition,
    lsp.TEXT_DOCUMENT_REFERENCES: _references,
    lsp.TEXT_DOCUMENT_CODE_LENS: _lenses,
    lsp.TEXT_DOCUMENT_CODE_ACTION: _actions,
}
_OPTIONS: Final = {
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
}


async def _apart(work: Callable[[], _T]) -> _T:
    """The result of a function run in a thread that the end of the program does not wait for."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def told(settle: Callable[[Any], None], value: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(lambda: None if future.done() else settle(value))

    def run() -> None:
        try:
            done = work()
        except BaseException as error:  # noqa: BLE001  it is raised where it is awaited
            told(future.set_exception, error)
        else:
            told(future.set_result, done)

    threading.Thread(target=run, name="check", daemon=True).start()
    return await future


def _path_of(uri: str) -> str:
    """Where a document lies on disk, links resolved in its folder; "" for one that is not a file."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    if not path:
        return ""
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


def _refreshes(capabilities: lsp.ClientCapabilities) -> bool:
    workspace = capabilities.workspace
    return bool(workspace and workspace.code_lens and workspace.code_lens.refresh_support)
