"""The gallery: the games that the live page shows. It reads changed files and draws faces in advance."""

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from threading import Condition, Event, Lock
from typing import Any, TypeVar

from generator.base.errors import ProblemsFound
from generator.base.files import no_progress
from generator.checks.check_report import Check
from generator.commands.schema import update_schemas
from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.faces.game_drawing import Workshop
from generator.game.project import Project
from generator.live import show_views
from generator.live.element_boxes import TemplateEdit, list_element_boxes, write_edit
from generator.live.file_watch import (
    Feed,
    Moment,
    changed_paths,
    compare_moments,
    has_changed,
    scan_files,
    wait_for_rest,
)
from generator.live.game_show import DesignProblems, Show, ShownFace
from generator.live.table_answers import LentGame


class WorkshopLock:
    """Lets one thread at a time use the workshops; requests come before work in advance. It is not reentrant."""

    def __init__(self) -> None:
        self._change = Condition()
        self._taken = False
        self._waiting = 0

    @contextmanager
    def take_now(self) -> Iterator[None]:
        """Hold the lock for a request that a user waits for."""
        with self._change:
            self._waiting += 1
            try:
                self._change.wait_for(lambda: not self._taken)
            finally:
                self._waiting -= 1
            self._taken = True
        yield from self._release_after()

    @contextmanager
    def take_when_idle(self) -> Iterator[None]:
        """Hold the lock for work in advance, once no request waits for it."""
        with self._change:
            self._change.wait_for(lambda: not self._taken and not self._waiting)
            self._taken = True
        yield from self._release_after()

    def _release_after(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._change:
                self._taken = False
                self._change.notify_all()


POLL = 0.08
"""Seconds between two checks of the folders; between them, faces are drawn in advance."""

GLANCE = 0.01
"""Seconds between checks of the files changed last: authors save the same file again and again."""

ANSWERING = 0.05
"""Seconds in which pages fetch the pictures that changed, before other faces are drawn."""

FEW_FILES = 10
"""Maximum number of files that are checked that often."""

MOST_EDITED_FACES = 12
"""Maximum number of faces of edited designs that are drawn before all others."""

FEW_GAMES = 3
"""Number of games that the page's button `play a few` plays for each number of players."""
TurnResult = TypeVar("TurnResult")


class Gallery:
    """The named games of a project, by default all. Raises ProblemsFound for unknown names.

    `run` needs a thread of its own; without threads call `work` repeatedly. Everything else may be called from any
    thread. `say` gets messages about files that were read again.
    """

    def __init__(
        self,
        project: Project,
        names: tuple[str, ...],
        *,
        trusted: bool = False,
        say: Callable[[str], object] = no_progress,
    ):
        self._say = say
        self.feed = Feed()
        self.failure: Exception | None = None
        self._project, self._names, self._trusted = project, names, trusted
        self._turns = WorkshopLock()
        self._stop = Event()
        self._at_work: tuple[str, ...] = ()
        self._fresh = self._used = True
        self._making = Lock()
        self._made: dict[tuple[str, ...], tuple[Workshop, Any]] = {}
        self._told: dict[str, DesignProblems] = {}
        self._moment = scan_files(project.root)
        self._shows = {name: Show(project, name) for name in project.choose_games(names)}
        for show in self._shows.values():
            show.read()

    @property
    def root(self) -> Path:
        """Return the project's folder."""
        return self._project.root

    def reset_baseline(self) -> None:
        """Treat the current files as known, so that only later changes count."""
        self._moment = scan_files(self._project.root)

    def run(self) -> None:
        """Watch files and draw until `stop` is called. Store an unexpected exception as `failure` and end."""
        try:
            while not self._stop.is_set():
                if not self.work():
                    until = time.monotonic() + POLL
                    while not self._stop.wait(GLANCE) and time.monotonic() < until and not self._is_changed_again():
                        pass
        except Exception as error:
            self.failure = error
            raise

    def work(self, *, changed: bool = True, settled: bool = False) -> bool:
        """Read changes, if there may be any, and draw until the next check is due. Return True if more is to be drawn.

        Files are `settled` if no other program writes them.
        """
        now = scan_files(self.root) if changed else self._moment
        if now != self._moment:
            self._read_changes(now if settled else wait_for_rest(self.root))
            if not settled:
                self._stop.wait(ANSWERING)
        return self._prefetch()

    def prepare(self) -> None:
        """Compile the templates of all games without drawing."""
        for show in self._shows.values():
            show.prepare()

    def _prefetch(self) -> bool:
        more = self._draw_ahead()
        if self._fresh and not gc.isenabled():
            gc.collect()
            gc.freeze()  # later it looks only at what is new: hundreds of faces at once would take half a second
        self._fresh, self._used = self._fresh and more, self._used or more
        if self._used and not more:
            # Everything is drawn and no request waits: now is the time to free old objects, which would take longer
            # than a card in between, and to write what only editors read.
            gc.collect()
            self._keep_schemas()
            self._used = False
        return more

    def _keep_schemas(self) -> None:
        for show in self._shows.values():
            try:
                written = update_schemas(self._project, [show.game] if show.game else [])
                said = [f"{self._project.resources.display_path(path)}: updated" for path in written]
            except ProblemsFound as found:
                said = [str(problem) for problem in found.problems]
            for line in said:
                self._say(line)

    def stop(self) -> None:
        """End `run` and the event streams of all open pages."""
        self._stop.set()
        self.feed.close()

    def list_games(self) -> list[dict[str, Any]]:
        """Return an entry for each game, for the page's list."""
        with self._turns.take_now():
            return [show_views.make_list_entry(show) for show in self._shows.values()]

    def get_game(self, name: str) -> dict[str, Any] | None:
        """Return a game's kinds, designs, filters and problems for the page, or None for an unknown game."""
        with self._turns.take_now():
            show = self._shows.get(name)
            return show_views.make_game_entry(show) if show else None

    def draw_faces(self, name: str, keys: Iterable[FaceKey]) -> list[dict[str, Any]] | None:
        """Return an entry with its version for each face of these, drawn if necessary; None for an unknown game."""
        show = self._shows.get(name)
        if show is None:
            return None
        found = []
        for key in keys:
            with self._turns.take_now():
                if show.has_face(key):
                    show.get_picture(key)
                    found.append(_describe_face(show, key))
        self._tell_changes(show)
        return found

    def draw_picture(self, name: str, key: FaceKey, write: Callable[[ShownFace], str]) -> tuple[str, str] | None:
        """Return the version of a face's picture and what `write` makes of the picture, or None if there is none."""
        with self._turns.take_now():
            show = self._shows.get(name)
            picture = show.get_picture(key) if show and show.has_face(key) else None
            return (picture.version, write(picture)) if picture else None

    def list_boxes(self, name: str, key: FaceKey) -> dict[str, Any] | None:
        """Return the elements of a face that can be moved, or None for an unknown face. Raise ProblemsFound."""
        with self._turns.take_now():
            show = self._shows.get(name)
            if show is None or show.workshop is None or not show.has_face(key):
                return None
            return list_element_boxes(self._project, show.workshop, key)

    def edit_template(self, order: TemplateEdit) -> dict[str, Any]:
        """Change numbers of a template. Return its digest and an undo. Raise ProblemsFound if its file has changed."""
        with self._turns.take_now():
            return write_edit(self._project, order)

    def keep_note(self, note: Mapping[str, Any]) -> str | None:
        """Store a note of a reader. Return the path of its file, or None for an unknown game. Raise ProblemsFound."""
        with self._turns.take_now():
            workshop = self._shows[note["game"]].workshop if note["game"] in self._shows else None
            return show_views.keep_page_note(self._project, workshop, note, trusted=self._trusted) if workshop else None

    def read_words(self, name: str, design_id: str = "") -> dict[str, dict[str, str]] | None:
        """Return the words on faces by design (all, or `design_id`) and language; None for an unknown game."""
        show = self._shows.get(name)
        if show is None:
            return None
        said: dict[str, dict[str, list[str]]] = {}
        with self._turns.take_now():
            keys = [key for key in show.iter_faces() if not design_id or key[0] == design_id]
        for key in keys:
            # All of them take long, and pictures on the screen come first.
            with self._turns.take_now() if design_id else self._turns.take_when_idle():
                picture = show.peek_picture(key)
                if picture is not None:
                    said.setdefault(key[0], {}).setdefault(key[2], []).append(picture.read_words())
        self._tell_changes(show)
        return {design: {lang: _join_lines(texts) for lang, texts in by.items()} for design, by in said.items()}

    def make_sheets(self, name: str, lang: str, paper: str = show_views.PAPER) -> show_views.Sheets | None:
        """Return sheets in a language or two (`ja+en`); None if game or language is unknown. Raise ProblemsFound."""
        return self._make_once(("sheets", name, lang, paper), lambda it: show_views.lay_show_sheets(it, lang, paper))

    def make_book(self, name: str, lang: str, volume: str = "rulebook", page: str = "") -> bytes | None:
        """Return a game's book as a web page, or as a PDF of size `page`; None if it has none. Raise ProblemsFound."""
        project, trusted, book = self._project, self._trusted, show_views.BOOKS[volume]
        return self._make_once(
            (f"book {volume} {page}", name, lang),
            lambda shop: show_views.write_book(project, shop, lang, book, page, trusted=trusted),
        )

    def make_figures(self, name: str, lang: str) -> bytes | None:
        """Return the figures of a game as a web page, or None without the game. Raise ProblemsFound."""
        project, trusted = self._project, self._trusted
        return self._make_once(
            ("figures", name, lang), lambda shop: show_views.write_figures(project, shop, lang, trusted=trusted)
        )

    def run_checks(self, name: str, lang: str, *, play: bool) -> Any:
        """Return the report of a game's checks, with a few games if `play`, or None for an unknown game."""
        project, trusted = self._project, self._trusted
        game = self._shows[name].game if name in self._shows else None
        shown = lang if game and lang in game.languages else show_views.LANGUAGE
        checks: tuple[Check, ...] | None = self._make_once(
            (f"findings {shown}", name), lambda shop: show_views.run_show_checks(project, shop, shown, trusted=trusted)
        )
        if checks is None or game is None:
            return None
        if play:
            checks = show_views.play_checks(project, game, checks, FEW_GAMES, trusted=trusted)
        return show_views.report_checks(game, checks, shown)

    def lend_game(self, name: str) -> LentGame | None:
        """Return what the page's table needs to play a game, or None if it is unknown or was never readable."""
        show = self._shows.get(name)
        workshop = show.workshop if show else None
        if workshop is None:
            return None
        return LentGame(workshop, self._project.find_folder(name), self._trusted, self._in_turn)

    def _in_turn(self, do: Callable[[], TurnResult]) -> TurnResult:
        with self._turns.take_now():
            return do()

    def _make_once(self, cache_key: tuple[str, ...], make: Callable[[Workshop], TurnResult]) -> TurnResult | None:
        """Return `make(workshop)` for the game named in the key, cached until the game changes.

        Return None if the game is unknown, can't be loaded, or lacks a language of the key.
        """
        name, languages = cache_key[1], cache_key[2].split("+") if len(cache_key) > 2 else []
        with self._making:  # a second request waits for the first result
            show = self._shows.get(name)
            workshop = show.workshop if show else None
            if show is None or workshop is None or not set(languages) <= set(workshop.game.languages):
                return None
            self._made = {key: made for key, made in self._made.items() if key[1] != name or made[0] is workshop}
            known = self._made.get(cache_key)
            if known is None:
                with self._turns.take_now():
                    known = self._made[cache_key] = (workshop, make(workshop))
            made: TurnResult = known[1]
            return made

    def _read_changes(self, now: Moment) -> None:
        """Read what changed since the last check, given the files' state now; draw edited faces and tell the pages."""
        what, changed = compare_moments(self._moment, now), changed_paths(self._moment, now)
        self._used = True
        self._moment, self._at_work = now, tuple([path for path in sorted(changed) if path in now][:FEW_FILES])
        if self._update_games():
            self.feed.send_event("games", {})
        for show in list(self._shows.values()):
            if what.concerns_game(show.name):
                with self._turns.take_now():
                    show.read(what)
                for key in show.changed_faces[:MOST_EDITED_FACES]:
                    with self._turns.take_now():
                        show.get_picture(key)
                    self._tell_changes(show)
                with self._turns.take_now():
                    told = show.design_problems
                self._tell_game(show, told)

    def _update_games(self) -> bool:
        """Load new games and drop deleted ones. Return True if there were any."""
        try:
            names = self._project.choose_games(self._names)
        except (ProblemsFound, OSError):  # a folder is being renamed: keep the games on show
            return False
        if list(names) == list(self._shows):
            return False
        shows = {name: self._shows.get(name) or Show(self._project, name) for name in names}
        for show in shows.values():
            if show.name not in self._shows:
                with self._turns.take_now():
                    show.read()
        self._shows = shows
        return True

    def _is_changed_again(self) -> bool:
        return has_changed(self._project.root, self._moment, self._at_work)

    def _draw_ahead(self) -> bool:
        """Draw faces that no page has requested yet, until the next check is due. Return True if some are left."""
        until = time.monotonic() + POLL
        for show in self._shows.values():
            late = False
            while not late:
                with self._turns.take_when_idle():
                    key = show.next_ahead()
                    if key is None:
                        break
                    show.peek_picture(key)
                late = time.monotonic() >= until or self._stop.is_set() or self._is_changed_again()
            self._tell_changes(show)
            with self._turns.take_now():
                told = show.design_problems
            if self._told.get(show.name, ()) != told:
                self._tell_game(show, told)
            if late:
                return True
        return False

    def _tell_changes(self, show: Show) -> None:
        with self._turns.take_now():  # sent in the same turn: later news of a face never overtake earlier ones
            faces = [_describe_face(show, key) for key in show.take_changes()]
            if faces:
                self.feed.send_event("faces", {"id": show.name, "generation": show.generation, "faces": faces})

    def _tell_game(self, show: Show, told: DesignProblems) -> None:
        self._told[show.name] = told
        self.feed.send_event("game", {"id": show.name, "generation": show.generation})


def _join_lines(texts: Iterable[str]) -> str:
    """Join texts line by line. Join adjacent numbers and signs, such as those in corners, to one line."""
    lines = [line for text in texts for line in text.split("\n")]
    runs = groupby(lines, key=lambda line: any(map(str.isalpha, line)))
    return "\n".join(("\n" if worded else " ").join(run) for worded, run in runs)


def _describe_face(show: Show, key: FaceKey) -> dict[str, Any]:
    where = dict(zip(("design", "face", "lang"), key, strict=True))
    return {**where, "version": show.get_version(key), "well": show.is_up_to_date(key)}
