"""The language server: an editor's messages over standard input, and the answers.

No other module uses the protocol's names. Positions are sent as the editor counts them.
"""

import gc
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition, Lock, Thread
from traceback import format_exception
from typing import cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec

from generator import __version__
from generator.base.errors import LineStarts, Problem, ProblemsFound
from generator.base.files import write_in_folder
from generator.checks.check_report import format_check_line
from generator.commands.rulebook import check_books
from generator.game.project import find_project
from generator.live.cursor import CursorRequest, Hint, make_cursor_request
from generator.live.draft_text import MOST_HEADINGS, read_headings
from generator.live.editor_project import (
    OpenFile,
    OpenProject,
    Span,
    find_span,
    hold_draft,
    read_lines,
    translate_description,
)
from generator.live.file_watch import FOLDERS, ChangeScope
from generator.live.game_show import Show
from generator.live.show_views import run_show_checks

QUIET_SECONDS = 0.15
"""A game is read after this time without typing (seconds), so that half-typed words don't count."""

REST_SECONDS = 1.0
"""Checks and books, which take longer, run after this time without typing (seconds)."""


@dataclass(frozen=True, slots=True)
class EditorProblem:
    """A message about a game for an editor: a problem, or a failed check (its id); `finding`: a known disagreement."""

    problem: Problem
    check: str = ""
    finding: bool = False


PublishProblems = Callable[[OpenProject, str, tuple[EditorProblem, ...]], None]
"""Receives all current messages about a game; they replace all earlier ones."""


class ProjectUpdater:
    """Reads, draws and checks changed games. `run` needs a thread of its own.

    `failed` gets unexpected exceptions; the work then continues with the next change. Games are read `quiet` seconds
    after the last change, and checked after `rest` seconds.
    """

    def __init__(
        self,
        tell: PublishProblems,
        failed: Callable[[Exception], None],
        quiet: float = QUIET_SECONDS,
        rest: float = REST_SECONDS,
    ):
        self._tell, self._failed = tell, failed
        self._quiet, self._rest = quiet, rest
        self._change = Condition()
        self._stopped = False
        self._since = 0.0
        self._pending: dict[tuple[OpenProject, str], ChangeScope] = {}
        self._unchecked: dict[tuple[OpenProject, str], Show] = {}

    def note_change(self, project: OpenProject, game: str, scope: ChangeScope) -> None:
        """Record what has changed in a game (`scope`), and wake the thread that waits for changes."""
        with self._change:
            known = self._pending.get((project, game), scope)
            self._pending[project, game] = ChangeScope(
                known.games | scope.games,
                known.everything or scope.everything,
                known.data or scope.data,
                known.templates or scope.templates,
                known.fonts or scope.fonts,
            )
            self._since = time.monotonic()
            self._change.notify_all()

    def stop(self) -> None:
        """End `run`."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def run(self) -> None:
        """Do the work after each change until `stop` is called."""
        while not self._stopped:
            try:
                for _ in self._do_next_job():
                    pass
            except Exception as error:  # noqa: BLE001 - an editor must not lose its server; it is told
                self._failed(error)

    def _do_next_job(self) -> Iterator[None]:
        """Wait for the next change; yield after each step of the work that it requires."""
        job = self._wait_for_job()
        if job is None:
            return
        (project, name), what = job
        with project.turns.take_now():
            show = project.read_game(name, what)
        self._unchecked.pop((project, name), None)
        self._tell(project, name, _list_problems(show))
        yield
        if self._draw_faces(project, show):
            self._tell(project, name, _list_problems(show))
            self._unchecked[project, name] = show
            gc.collect()  # Python doesn't do it by itself: the program's other runs are short

    def _wait_for_job(self) -> tuple[tuple[OpenProject, str], ChangeScope] | None:
        """Return the next changed game once typing stops. If none is left, check a game and return None."""
        with self._change:
            while not self._stopped:
                quiet = time.monotonic() - self._since
                if self._pending and quiet >= self._quiet:
                    key = next(iter(self._pending))
                    return key, self._pending.pop(key)
                if not self._pending and self._unchecked and quiet >= self._rest:
                    break
                waits = self._quiet - quiet if self._pending else self._rest - quiet if self._unchecked else None
                self._change.wait(waits)
        if not self._stopped:
            key = next(iter(self._unchecked))
            self._check_game(*key, self._unchecked.pop(key))
        return None

    def _draw_faces(self, project: OpenProject, show: Show) -> bool:
        """Draw every face. Return False if that was interrupted by a change."""
        while not show.is_stale and not self._stopped:
            with self._change:
                if self._pending:
                    self._pending.setdefault((project, show.name), ChangeScope(frozenset()))  # draw the rest then
                    return False
            with project.turns.take_when_idle():
                key = show.next_ahead()
                if key is None:
                    return True
                show.peek_picture(key)
        return False

    def _check_game(self, project: OpenProject, name: str, show: Show) -> None:
        """Report the results of `pnp validate`, except checks that play games."""
        if show.workshop is None or show.is_stale:
            return
        told = list(_list_problems(show))
        for look in (run_show_checks, check_books):
            with project.turns.take_when_idle():
                try:
                    for check in look(project.project, show.workshop, trusted=False):
                        if check.status in ("fail", "finding"):
                            problem = Problem(check.place, format_check_line(check))
                            told.append(EditorProblem(problem, check.id, check.status == "finding"))
                except ProblemsFound as found:
                    told += [EditorProblem(problem) for problem in found.problems]
            if self._pending:
                self._unchecked[project, name] = show  # after the next rest
                return
        self._tell(project, name, tuple(dict.fromkeys(told)))


def _list_problems(show: Show) -> tuple[EditorProblem, ...]:
    return tuple(EditorProblem(problem) for problem in show.problems)


NAME = "pnp"

PICTURES = ("data", "file", "none")
"""How pictures are shown: in the text itself, as a file beside it, or not at all."""


class EditorServer(LanguageServer):
    """Projects by folder, open files, and the published problems of each."""

    def __init__(self) -> None:
        super().__init__(NAME, __version__)
        self.upkeep = ProjectUpdater(self.publish_problems, self.report_failure)
        self._projects: dict[Path, OpenProject] = {}
        self._addresses: dict[Path, str] = {}
        self._told: dict[str, dict[tuple[Path, str], list[types.Diagnostic]]] = {}
        self._telling = Lock()
        self.languages: tuple[str, ...] = ()
        self.pictures = "file"
        self.folder = TemporaryDirectory(prefix="pnp-")

    def read_client(self, params: types.InitializeParams) -> None:
        """Read the client's parameters: the user's languages, and how pictures are shown.

        Visual Studio Code and its derivatives show pictures that are in the text; others may show files.
        """
        locale = params.locale or ""
        self.languages = tuple(dict.fromkeys([locale, locale.split("-")[0].split("_")[0].lower()]))
        wish = params.initialization_options if isinstance(params.initialization_options, dict) else {}
        name = params.client_info.name if params.client_info else ""
        given = wish.get("pictures")
        self.pictures = given if given in PICTURES else "data" if "code" in name.lower() else "file"

    # Open files.

    def hold_document(self, address: str, text: str) -> None:
        """Use the editor's text of a file that was opened or changed in place of the saved one."""
        path = real_path(address)
        if path is None:
            return
        self._addresses[path] = address
        hold_draft(path, text)
        self._note_change(path)

    def close_document(self, address: str) -> None:
        """Use the file on disk again, after its document was closed."""
        path = real_path(address)
        if path is not None:
            hold_draft(path, None)
            self._addresses.pop(path, None)
            self._note_change(path)

    def note_saved(self, addresses: Iterable[str]) -> None:
        """Record that the editor or another program wrote these files, so that their games are read again."""
        for address in addresses:
            path = real_path(address)
            if path is not None:
                self._note_change(path)

    def _note_change(self, path: Path) -> None:
        found = self.find_file(path)
        if found is not None:
            project, file = found
            for game in file.games:
                self.upkeep.note_change(project, game, file.change_scope)

    def find_file(self, path: Path) -> tuple[OpenProject, OpenFile] | None:
        """Return the project of a path and the file in it, or None if no game reads it."""
        try:
            root = find_project(path.parent, links=True).root
        except ProblemsFound:
            return None
        project = self._projects.get(root)
        if project is None:
            try:
                project = self._projects[root] = OpenProject(root)
            except ProblemsFound as found:
                self._show_message(types.MessageType.Error, "\n".join(map(str, found.problems)))
                return None
        project.languages = self.languages
        file = project.find_file(path)
        return (project, file) if file is not None else None

    # Problems.

    def publish_problems(self, project: OpenProject, game: str, problems: Sequence[EditorProblem]) -> None:
        """Publish the problems of a game at their lines. Clear lines without problems."""
        by_file: dict[str, list[types.Diagnostic]] = {}
        texts: dict[Path, list[str]] = {}
        for one in problems:
            place = one.problem.place
            path = project.root / place.file if place else project.project.find_folder(game)
            if path.is_dir():
                path /= "game.yaml"
            lines = texts.get(path)
            if lines is None:
                lines = texts[path] = read_lines(path)
            problem = one.problem
            what = f"{problem.what}; {problem.hint}" if problem.hint else problem.what
            span = find_span(path, problem.place, lines) if problem.place else Span(0, 0, 0, 0)
            severity = types.DiagnosticSeverity.Information if one.finding else types.DiagnosticSeverity.Error
            by_file.setdefault(self.find_address(path), []).append(
                types.Diagnostic(self.span_to_range(span, lines), what, severity, one.check or None, source=NAME)
            )
        key = (project.root, game)
        with self._telling:
            changed = [name for name, of in self._told.items() if of.get(key, []) != by_file.get(name, [])]
            changed += [name for name in by_file if name not in self._told]
            for address in changed:
                self._told.setdefault(address, {})[key] = by_file.get(address, [])
                every = [one for found in self._told[address].values() for one in found]
                unlike = [one for number, one in enumerate(every) if one not in every[:number]]  # games share a file
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(address, unlike))

    def find_address(self, path: Path) -> str:
        """Return a file's address as the editor named it, or would name it."""
        known = self._addresses.get(path.resolve())
        return known or from_fs_path(str(path)) or path.as_uri()

    def report_failure(self, error: Exception) -> None:
        """Report an error of the program itself: shown to the user, and in full in the editor's log."""
        text = "".join(format_exception(error))
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))
        self._show_message(types.MessageType.Error, f"pnp: internal error: {error!r} (its log says where)")

    def _show_message(self, sort: types.MessageType, text: str) -> None:
        self.window_show_message(types.ShowMessageParams(sort, text))

    # Requests.

    def find_cursor(self, address: str, position: types.Position) -> CursorRequest | None:
        """Return the cursor in a document, or None if there is no game that could be read yet."""
        path = real_path(address)
        found = self.find_file(path) if path is not None else None
        if path is None or found is None:
            return None
        project, file = found
        lines = self.workspace.get_text_document(address).source.splitlines(keepends=True)
        spot = self.codec.position_from_client_units(lines, position)
        before = sum(len(line) for line in lines[: spot.line])
        return make_cursor_request(project, file, "".join(lines), before + spot.character)

    def make_range_finder(self, text: str) -> Callable[[int, int], types.Range]:
        """Return a function from two offsets of a text to a range as the editor counts. Lines are counted once."""
        starts, lines = LineStarts(text), text.split("\n")

        def span(start: int, end: int) -> types.Range:
            (line, first), (last, after) = starts.find_position(start), starts.find_position(end)
            return self.span_to_range(Span(line - 1, first - 1, last - 1, after - 1), lines)

        return span

    def hint_to_markdown(self, cursor: CursorRequest, hint: Hint) -> str:
        """Return a hint in Markdown, with its picture in the form that this editor shows."""
        data = cursor.names.project.draw_picture(cursor.names.game.id, hint.face) if hint.face else None
        if data is None or hint.face is None or self.pictures == "none":
            return hint.text
        name = hint.face[0]
        if self.pictures == "data":
            picture = f"![{name}](data:image/png;base64,{b64encode(data).decode()})"
        else:
            path = Path(self.folder.name, f"{sha256(data).hexdigest()[:16]}.png")
            write_in_folder(path.parent, path.name, data)
            picture = f"![{name}]({path.as_uri()})"
        return f"{hint.text}\n\n{picture}" if hint.text else picture

    # Lines and characters as the editor counts them.

    @property
    def codec(self) -> PositionCodec:
        """Return the codec that counts characters as agreed with the editor."""
        return self.workspace.position_codec

    def span_to_range(self, span: Span, lines: Sequence[str]) -> types.Range:
        """Return a part of a text in the editor's lines and characters; `lines` are those of the text."""
        start, end = (span.line, span.start), (span.last, span.end)
        return types.Range(self._make_position(start, lines), self._make_position(end, lines))

    def _make_position(self, spot: tuple[int, int], lines: Sequence[str]) -> types.Position:
        line, character = spot
        before = lines[line][:character] if line < len(lines) else ""
        return types.Position(line, self.codec.client_num_units(before))


def real_path(address: str) -> Path | None:
    """Return the file of an address, or None for a text without a file."""
    name = to_fs_path(address) if address.startswith("file:") else None
    return Path(name).resolve() if name else None


def make_server() -> EditorServer:
    """Return a server with its handlers, not yet started."""
    server = EditorServer()
    _handle_documents(server)
    _handle_requests(server)
    return server


def _handle_documents(server: EditorServer) -> None:
    @server.feature(types.INITIALIZE)
    def meet(server: EditorServer, params: types.InitializeParams) -> None:
        server.read_client(params)

    @server.feature(types.INITIALIZED)
    def begin(server: EditorServer, _params: types.InitializedParams) -> None:
        Thread(target=server.upkeep.run, daemon=True).start()
        of_files = (
            server.client_capabilities.workspace and server.client_capabilities.workspace.did_change_watched_files
        )
        if of_files and of_files.dynamic_registration:
            watched = [types.FileSystemWatcher(f"**/{folder}/**") for folder in FOLDERS]
            options = types.DidChangeWatchedFilesRegistrationOptions(watched)
            asked = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(types.RegistrationParams([asked]))

    @server.feature(types.SHUTDOWN)
    def end(server: EditorServer, _params: None) -> None:
        server.upkeep.stop()
        server.folder.cleanup()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def open_document(server: EditorServer, params: types.DidOpenTextDocumentParams) -> None:
        server.hold_document(params.text_document.uri, params.text_document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def change_document(server: EditorServer, params: types.DidChangeTextDocumentParams) -> None:
        address = params.text_document.uri
        server.hold_document(address, server.workspace.get_text_document(address).source)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def close_document(server: EditorServer, params: types.DidCloseTextDocumentParams) -> None:
        server.close_document(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def save_document(server: EditorServer, params: types.DidSaveTextDocumentParams) -> None:
        server.note_saved([params.text_document.uri])

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def note_written_files(server: EditorServer, params: types.DidChangeWatchedFilesParams) -> None:
        server.note_saved(change.uri for change in params.changes)


def _handle_requests(server: EditorServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=list('.:"{ /')))
    def complete(server: EditorServer, params: types.CompletionParams) -> list[types.CompletionItem]:
        asked = server.find_cursor(params.text_document.uri, params.position)
        if asked is None:
            return []
        offers = asked.find_offers()
        place = server.make_range_finder(asked.text)(offers.start, offers.end)
        sorts = types.CompletionItemKind
        kinds = {"icon": sorts.EnumMember, "colour": sorts.Color, "key": sorts.Property, "template": sorts.File}
        return [
            types.CompletionItem(
                known.name,
                kind=kinds.get(known.sort, sorts.Value),
                detail=translate_description(known.about, server.languages) or None,
                documentation=known.about if known.sort == "colour" else None,
                text_edit=types.TextEdit(place, known.name),
            )
            for known in offers.names
        ]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    @server.thread()
    def hover(server: EditorServer, params: types.HoverParams) -> types.Hover | None:
        asked = server.find_cursor(params.text_document.uri, params.position)
        shown = asked.find_hint() if asked else None
        if asked is None or shown is None:
            return None
        text = server.hint_to_markdown(asked, shown)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text)) if text else None

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def jump(server: EditorServer, params: types.DefinitionParams) -> list[types.Location]:
        asked = server.find_cursor(params.text_document.uri, params.position)
        found = []
        for goal in asked.find_goals() if asked else ():
            lines = read_lines(goal.path)
            found.append(
                types.Location(
                    server.find_address(goal.path), server.span_to_range(find_span(goal.path, goal.place, lines), lines)
                )
            )
        return found

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(server: EditorServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        path, text = real_path(params.text_document.uri), server.workspace.get_text_document(params.text_document.uri)
        found = server.find_file(path) if path else None
        if found is None or found[1].sort != "data":
            return []
        every: list[types.DocumentSymbol] = []
        span = server.make_range_finder(text.source)
        for one in read_headings(text.source)[:MOST_HEADINGS]:
            place = span(one.start, one.end)
            sort = types.SymbolKind.Object if one.design else types.SymbolKind.Class
            symbol = types.DocumentSymbol(one.name, sort, place, place, children=[])
            inside = every[-1].children if one.design and every else None
            (every if inside is None else cast("list[types.DocumentSymbol]", inside)).append(symbol)
        return every
