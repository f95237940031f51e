"""The gallery: all games on show, read again when files change, drawn ahead."""

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from threading import Condition, Event, Lock
from typing import Any, TypeVar

from generator.base.errors import ProblemsFound
from generator.base.files import untold
from generator.checks.check_report import Check
from generator.commands.schema_files import keep_schemas
from generator.drawing.faces.game_drawing import FaceKey, Workshop
from generator.game.project import Project
from generator.live import show_views
from generator.live.file_watch import Feed, Moment, changed_paths, compare_moments, has_changed, look, wait_for_rest
from generator.live.game_show import Show, ShownFace, Told
from generator.live.table_answers import LentGame


class Turns:
    """Gives turns at a workshop, which one thread at a time may use. Don't request a turn within a turn."""

    def __init__(self) -> None:
        self._change = Condition()
        self._taken = False
        self._waiting = 0

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Hold a turn for a request that somebody waits for."""
        with self._change:
            self._waiting += 1
            try:
                self._change.wait_for(lambda: not self._taken)
            finally:
                self._waiting -= 1
            self._taken = True
        yield from self._given_back()

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Hold a turn for work done ahead, when no request waits."""
        with self._change:
            self._change.wait_for(lambda: not self._taken and not self._waiting)
            self._taken = True
        yield from self._given_back()

    def _given_back(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._change:
                self._taken = False
                self._change.notify_all()


POLL = 0.08
"""Seconds between two looks at the folders, and of drawing ahead between them."""

GLANCE = 0.01
"""Seconds between two glances at the files that changed last: an author saves the same file again and again."""

FEW_FILES = 10
"""Number of files to glance at."""

AT_ONCE = 12
"""Number of faces of edited designs that are drawn before anything else."""

FEW_GAMES = 3
"""Number of games for each number of players that `play a few` plays."""
Made = TypeVar("Made")


class Gallery:
    """The games of a project by name, by default all. Raises ProblemsFound for unknown names.

    `run` needs a thread of its own; without threads call `work` repeatedly. Everything else may be called from any
    thread. `say` gets messages about files written again.
    """

    def __init__(
        self,
        project: Project,
        names: tuple[str, ...],
        *,
        trusted: bool = False,
        say: Callable[[str], object] = untold,
    ):
        self._say = say
        self.feed = Feed()
        self.failure: Exception | None = None
        self._project, self._names, self._trusted = project, names, trusted
        self._turns = Turns()
        self._stop = Event()
        self._at_work: tuple[str, ...] = ()
        self._used = True
        self._making = Lock()
        self._made: dict[tuple[str, ...], tuple[Workshop, Any]] = {}
        self._told: dict[str, Told] = {}
        self._moment = look(project.root)
        self._shows = {name: Show(project, name) for name in project.choose(names)}
        for show in self._shows.values():
            show.read()

    def take_as_read(self) -> None:
        """Take the current files as read. Later changes are news."""
        self._moment = look(self._project.root)

    def run(self) -> None:
        """Watch and draw until `stop`. An error of the program ends it and is stored as `failure`."""
        try:
            while not self._stop.is_set():
                if not self.work():
                    self._rest()
        except Exception as error:
            self.failure = error
            raise

    def work(self) -> bool:
        """Read changes and draw until the next look. Return True if there is more to draw."""
        now = look(self._project.root)
        if now != self._moment:
            self._read(wait_for_rest(self._project.root))
        return self._ahead()

    def work_on(self, *, changed: bool) -> bool:
        """Do the same if no other program writes: files are complete, and need no look unless one was `changed`."""
        if changed:
            now = look(self._project.root)
            if now != self._moment:
                self._read(now)
        return self._ahead()

    def prepare(self) -> None:
        """Compile the templates of all games, without drawing a face."""
        for show in self._shows.values():
            show.prepare()

    def _ahead(self) -> bool:
        if self._draw_ahead():
            self._used = True
            return True
        if self._used:
            # Everything is drawn and no request waits: now is the time to free old objects, which would take longer
            # than a card in between, and to write what only editors read.
            gc.collect()
            self._keep_schemas()
            self._used = False
        return False

    def _keep_schemas(self) -> None:
        """Update the schemas of games as last read."""
        for show in self._shows.values():
            try:
                written = keep_schemas(self._project, [show.game] if show.game else [])
                said = [f"{self._project.resources.shown(path)}: brought up to date" for path in written]
            except ProblemsFound as found:
                said = [str(problem) for problem in found.problems]
            for line in said:
                self._say(line)

    def stop(self) -> None:
        """End `run`, and every open page's news."""
        self._stop.set()
        self.feed.close()

    def games(self) -> list[dict[str, Any]]:
        """Return the list of games."""
        with self._turns.asked():
            return [show_views.list_entry(show) for show in self._shows.values()]

    def game(self, name: str) -> dict[str, Any] | None:
        """Return a game's kinds, designs, filters and problems, or None for an unknown game."""
        with self._turns.asked():
            show = self._shows.get(name)
            return show_views.game_entry(show) if show else None

    def faces(self, name: str, keys: Iterable[FaceKey]) -> list[dict[str, Any]] | None:
        """Return the version of each existing face; draw it if necessary. None for an unknown game."""
        show = self._shows.get(name)
        if show is None:
            return None
        found = []
        for key in keys:
            with self._turns.asked():
                if show.has(key):
                    show.picture(key)
                    found.append(_face(show, key))
        self._tell_changes(show)
        return found

    def picture(self, name: str, key: FaceKey, write: Callable[[ShownFace], str]) -> tuple[str, str] | None:
        """Return the version of a face and the result of `write` for its picture, or None without a picture."""
        with self._turns.asked():
            show = self._shows.get(name)
            picture = show.picture(key) if show and show.has(key) else None
            return (picture.version, write(picture)) if picture else None

    def words(self, name: str, of: str = "") -> dict[str, dict[str, str]] | None:
        """Return the words on faces by design (or of `of` alone) and language, or None for an unknown game."""
        show = self._shows.get(name)
        if show is None:
            return None
        said: dict[str, dict[str, list[str]]] = {}
        with self._turns.asked():
            keys = [key for key in show.every_face() if not of or key[0] == of]
        for key in keys:
            # All of them take long, and pictures on the screen come first.
            with self._turns.asked() if of else self._turns.ahead():
                picture = show.look_ahead(key)
                if picture is not None:
                    said.setdefault(key[0], {}).setdefault(key[2], []).append(picture.words())
        self._tell_changes(show)
        return {
            design: {lang: _in_lines(texts) for lang, texts in by_language.items()}
            for design, by_language in said.items()
        }

    def sheets(self, name: str, lang: str, on: str = show_views.PAPER) -> show_views.Sheets | None:
        """Return a game's print sheets on a paper, in one or two languages (`ja+en`).

        Return None for an unknown game or language. Raise ProblemsFound with everything wrong.
        """
        return self._once(("sheets", name, lang, on), lambda workshop: show_views.sheets_of(workshop, lang, on))

    def book(self, name: str, lang: str) -> str | None:
        """Return a game's rulebook, or None without one. Raise ProblemsFound with everything wrong."""
        project, trusted = self._project, self._trusted
        return self._once(("book", name, lang), lambda shop: show_views.book_of(project, shop, lang, trusted=trusted))

    def findings(self, name: str, *, play: bool) -> Any:
        """Return the report of a game's checks, with a few games if `play`, or None for an unknown game."""
        project, trusted = self._project, self._trusted
        checks: tuple[Check, ...] | None = self._once(
            ("findings", name), lambda workshop: show_views.findings_of(project, workshop, trusted=trusted)
        )
        game = self._shows[name].game if name in self._shows else None
        if checks is None or game is None:
            return None
        if play:
            checks = show_views.play_checks(project, game, checks, FEW_GAMES, trusted=trusted)
        return show_views.report(game, checks)

    def lend(self, name: str) -> LentGame | None:
        """Return what a table needs of a game, or None if it is unknown or never could be read."""
        show = self._shows.get(name)
        workshop = show.workshop if show else None
        if workshop is None:
            return None
        return LentGame(workshop, self._project.folder(name), self._trusted, self._in_turn)

    def _in_turn(self, do: Callable[[], Made]) -> Made:
        with self._turns.asked():
            return do()

    def _once(self, what: tuple[str, ...], make: Callable[[Workshop], Made]) -> Made | None:
        """Return what `make` returns for the current game. Keep it until the game changes."""
        name, languages = what[1], what[2].split("+") if len(what) > 2 else []
        with self._making:  # a second request waits for the first result
            show = self._shows.get(name)
            workshop = show.workshop if show else None
            if show is None or workshop is None or not set(languages) <= set(workshop.game.languages):
                return None
            self._made = {key: made for key, made in self._made.items() if key[1] != name or made[0] is workshop}
            known = self._made.get(what)
            if known is None:
                with self._turns.asked():
                    known = self._made[what] = (workshop, make(workshop))
            made: Made = known[1]
            return made

    def _read(self, now: Moment) -> None:
        """Read again what changed since the last look."""
        what, changed = compare_moments(self._moment, now), changed_paths(self._moment, now)
        self._moment, self._at_work = now, tuple([path for path in sorted(changed) if path in now][:FEW_FILES])
        if self._come_and_gone():
            self.feed.tell("games", {})
        for show in list(self._shows.values()):
            if what.concerns(show.name):
                with self._turns.asked():
                    show.read(what)
                for key in show.changed[:AT_ONCE]:
                    with self._turns.asked():
                        show.picture(key)
                    self._tell_changes(show)
                with self._turns.asked():
                    told = show.told
                self._tell_game(show, told)

    def _come_and_gone(self) -> bool:
        """Return True if games were added or removed. Read new ones, and drop the others."""
        try:
            names = self._project.choose(self._names)
        except (ProblemsFound, OSError):  # a folder is being renamed: keep the games on show
            return False
        if list(names) == list(self._shows):
            return False
        shows = {name: self._shows.get(name) or Show(self._project, name) for name in names}
        for show in shows.values():
            if show.name not in self._shows:
                with self._turns.asked():
                    show.read()
        self._shows = shows
        return True

    def _rest(self) -> None:
        """Wait for the next look, or for another change of a file that changed last."""
        until = time.monotonic() + POLL
        while not self._stop.wait(GLANCE) and time.monotonic() < until and not self._is_changed_again():
            pass

    def _is_changed_again(self) -> bool:
        return has_changed(self._project.root, self._moment, self._at_work)

    def _draw_ahead(self) -> bool:
        """Draw faces not requested yet until the next look. Return True if there was one."""
        until = time.monotonic() + POLL
        for show in self._shows.values():
            late = False
            for _ in self._drawn_ahead(show):
                late = time.monotonic() >= until or self._stop.is_set() or self._is_changed_again()
                if late:
                    break
            self._tell_changes(show)
            self._tell_problems(show)
            if late:
                return True
        return False

    def _drawn_ahead(self, show: Show) -> Iterator[None]:
        while True:
            with self._turns.ahead():
                key = show.next_ahead()
                if key is None:
                    return
                show.look_ahead(key)
            yield

    def _tell_changes(self, show: Show) -> None:
        with self._turns.asked():  # sent in the same turn: later news of a face never overtake earlier ones
            faces = [_face(show, key) for key in show.take_changes()]
            if faces:
                self.feed.tell("faces", {"id": show.name, "generation": show.generation, "faces": faces})

    def _tell_problems(self, show: Show) -> None:
        """Report problems while other faces are still drawn, if they have changed."""
        with self._turns.asked():
            told = show.told
        if self._told.get(show.name, ()) != told:
            self._tell_game(show, told)

    def _tell_game(self, show: Show, told: Told) -> None:
        self._told[show.name] = told
        self.feed.tell("game", {"id": show.name, "generation": show.generation})


def _in_lines(texts: Iterable[str]) -> str:
    """Join texts line by line. Put neighbouring figures and signs, such as those in corners, on one line."""
    lines = [line for text in texts for line in text.split("\n")]
    runs = groupby(lines, key=lambda line: any(map(str.isalpha, line)))
    return "\n".join(("\n" if worded else " ").join(run) for worded, run in runs)


def _face(show: Show, key: FaceKey) -> dict[str, Any]:
    design, face, lang = key
    return {"design": design, "face": face, "lang": lang, "version": show.version(key), "well": show.well(key)}
