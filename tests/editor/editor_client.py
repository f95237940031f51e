"""An editor as the language server sees it: a real client over the pipes of a process, for tests that wait for answers."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 120.0
"""Seconds after which a server that says nothing is ended, so that a fault is no hang; no test that passes waits for it."""

_MARK = "not_read_yet"


class Editor:
    """Starts the server and speaks with it; `told` has the latest problems of each file."""

    def __init__(self, locale: str = "en", options: dict[str, Any] | None = None, name: str = "tests"):
        self.told: dict[Path, list[types.Diagnostic]] = {}
        self.tellings: list[tuple[Path, list[str]]] = []
        self.messages: list[str] = []
        self._news = Condition()
        self._versions: dict[Path, int] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._client = LanguageClient("tests", "1")
        hear = self._hear  # a method can't be marked as what answers
        self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: hear(params))  # noqa: PLW0108
        self._client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))
        self._client.feature(types.WINDOW_LOG_MESSAGE)(lambda params: self.messages.append(params.message))
        self._do(self._client.start_io(sys.executable, "-m", "generator", "language-server"))
        params = types.InitializeParams(
            capabilities=types.ClientCapabilities(),
            client_info=types.ClientInfo(name),
            locale=locale,
            initialization_options=options,
        )
        self.capabilities = self._do(self._client.initialize_async(params)).capabilities
        self._call(self._client.initialized, types.InitializedParams())

    def close(self) -> None:
        """End the server as editors do."""
        try:
            self._do(self._client.shutdown_async(None))
            self._call(self._client.exit, None)
            self._do(self._client.stop())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(_awaited(work), self._loop).result(PATIENCE)

    def _call(self, say: Callable[[Any], object], params: Any) -> None:
        async def said() -> None:
            say(params)

        self._do(said())

    def _hear(self, params: types.PublishDiagnosticsParams) -> None:
        path = Path(params.uri.removeprefix("file://"))
        with self._news:
            self.told[path] = list(params.diagnostics)
            self.tellings.append((path, [one.message for one in params.diagnostics]))
            self._news.notify_all()

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file; its text."""
        said = path.read_text(encoding="utf-8") if text is None else text
        self._versions[path] = 1
        language = {".yaml": "yaml", ".csv": "csv"}.get(path.suffix, "xml")
        item = types.TextDocumentItem(path.as_uri(), language, 1, said)
        self._call(self._client.text_document_did_open, types.DidOpenTextDocumentParams(item))
        return said

    def write(self, path: Path, text: str) -> None:
        """Change the text of an open file without saving it."""
        self._versions[path] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[path], path.as_uri())
        change = types.TextDocumentContentChangeWholeDocument(text)
        self._call(self._client.text_document_did_change, types.DidChangeTextDocumentParams(document, [change]))

    def settle(self, path: Path, text: str) -> None:
        """Write a text and wait until the game was read with it: a mistake in it is told, and is told to be gone."""
        self.write(path, f"{text.rstrip()}\n{_MARK}: 1\n")
        self.wait_for_word(path, _MARK)
        self.write(path, text)
        self.wait(path, lambda told: all(_MARK not in one.message for one in told))

    def shut(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(path.as_uri())
        self._call(self._client.text_document_did_close, types.DidCloseTextDocumentParams(document))

    def save(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(path.as_uri())
        self._call(self._client.text_document_did_save, types.DidSaveTextDocumentParams(document))

    def wait(self, path: Path, fits: Callable[[list[types.Diagnostic]], bool]) -> list[types.Diagnostic]:
        """The problems of a file once they are such."""
        with self._news:
            fitting = self._news.wait_for(lambda: fits(self.told.get(path, [])), PATIENCE)
            assert fitting, (path, self.told.get(path), self.messages)
            return self.told.get(path, [])

    def wait_for_word(self, path: Path, word: str) -> types.Diagnostic:
        """The problem of a file that has this word, once there is one."""
        found = self.wait(path, lambda told: any(word in one.message for one in told))
        return next(one for one in found if word in one.message)

    def _at(self, sort: Any, path: Path, spot: tuple[int, int]) -> Any:
        return sort(types.TextDocumentIdentifier(path.as_uri()), types.Position(*spot))

    def hover(self, path: Path, spot: tuple[int, int]) -> str:
        """What is shown at a line and character from 0; empty where nothing is."""
        found = self._do(self._client.text_document_hover_async(self._at(types.HoverParams, path, spot)))
        return found.contents.value if found else ""

    def complete(self, path: Path, spot: tuple[int, int]) -> dict[str, types.CompletionItem]:
        """What may be written at a line and character from 0, by its name."""
        found = self._do(self._client.text_document_completion_async(self._at(types.CompletionParams, path, spot)))
        return {one.label: one for one in found or ()}

    def jump(self, path: Path, spot: tuple[int, int]) -> list[tuple[Path, int]]:
        """The files and lines (from 0) where what stands at a line and character is given."""
        found = self._do(self._client.text_document_definition_async(self._at(types.DefinitionParams, path, spot)))
        return [(Path(one.uri.removeprefix("file://")), one.range.start.line) for one in found or ()]

    def outline(self, path: Path) -> dict[str, list[str]]:
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(path.as_uri()))
        found = self._do(self._client.text_document_document_symbol_async(params))
        return {one.name: [inner.name for inner in one.children] for one in found or ()}


async def _awaited(work: Any) -> Any:
    return await work


def spot_of(text: str, piece: str, into: int = 0) -> tuple[int, int]:
    """The line and character (from 0) of a piece of a text, or so many characters into it."""
    at = text.index(piece) + into
    return text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
