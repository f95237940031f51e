"""A person's game at a terminal, line by line: what is shown, and what each line that is typed does."""

from collections.abc import Iterable, Iterator, Mapping

from generator.dataclass import dataclass
from generator.games.engine.table import IllegalMove
from generator.model.phrases import phrase
from generator.playtest.inspecting import Inspector, Texts, data_texts
from generator.playtest.showing import common_observation, empty_line, player_name, result_lines, seat_view
from generator.playtest.sitting import MadeMove, Sitting
from generator.playtest.transcript import ending, heading


@dataclass(frozen=True, slots=True)
class Answer:
    """What a typed line leads to: lines to show; whether the game is to be saved now; whether this is the end.

    `clear`: what was shown before is not for who looks next.
    """

    lines: tuple[str, ...]
    save: bool = False
    end: bool = False
    clear: bool = False


class Terminal:
    """Shows a sitting in one language and takes what people type. It reads and writes nothing itself.

    Each person is told what his seat sees. Where several sit at it, the next one is called before anything is shown.
    `texts` gives what cards say; `saves` tells whether there is a file to save to.
    """

    def __init__(self, sitting: Sitting, lang: str, texts: Texts = data_texts, *, saves: bool = True):
        self._sitting, self._lang, self._texts, self._saves = sitting, lang, texts, saves
        self._shown: dict[int, dict[str, tuple[str, ...]]] = {}
        self._unread: dict[int, list[str]] = {seat: [] for seat in sitting.people}
        self._zones_shown = set[str]()
        self._looks: int | None = None
        self._curtain = self._leaving = False

    def opening(self) -> Answer:
        """The game, what bots do first, and the first choice."""
        table = self._sitting.table
        for seat, lines in self._sitting.dealt(self._lang).items():
            self._unread[seat] += lines
        note = () if self._saves else (phrase("play_no_file", self._lang),)
        return self._goes_on((*heading(table.box, table.seed, self._lang), *note))

    def answer(self, typed: str) -> Answer:
        """What a line does: a move by number or notation, or a command; anything else is told and asked again."""
        text, leaving = typed.strip(), self._leaving
        self._leaving = False
        if text == "q":
            return self._quit(sure=leaving or self._saves)
        if self._curtain:
            self._curtain = False
            return Answer(tuple(self._choice()))
        if text.startswith(("? ", "show ")):
            return self._piece(text.split(maxsplit=1)[1])
        command = {"?": self._help, "b": self._board, "u": self._undo, "s": self._save}.get(text)
        if command is not None:
            return command()
        move = self._move(text)
        if move is None:
            return Answer((phrase("play_wrong", self._lang, text=text),))
        self._hear(self._sitting.make(move, self._lang))
        return self._goes_on()

    def leave(self) -> Answer:
        """The end before the end, unasked."""
        return self._quit(sure=True)

    def _help(self) -> Answer:
        return Answer(tuple(phrase("play_help", self._lang).split("\n")))

    def _board(self) -> Answer:
        self._shown.clear()
        return Answer(tuple(self._choice()))

    def _piece(self, asked: str) -> Answer:
        table = self._sitting.table
        return Answer(tuple(Inspector(table, table.seat, self._lang, self._texts).answer(asked.strip())))

    def _undo(self) -> Answer:
        try:
            self._sitting.undo()
        except IllegalMove:
            return Answer((phrase("play_first", self._lang),))
        self._shown.clear()
        for lines in self._unread.values():
            lines[:] = [phrase("play_undone", self._lang)]
        return self._goes_on()

    def _save(self) -> Answer:
        return Answer((), save=True)

    def _quit(self, *, sure: bool) -> Answer:
        if not sure:
            self._leaving = True
            return Answer((phrase("play_leave", self._lang),))
        return Answer((phrase("play_left", self._lang),), save=True, end=True)

    def _move(self, text: str) -> int | None:
        """The legal move that is meant; None for no such one. A notation goes before a number."""
        table = self._sitting.table
        legal = table.legal()
        written = {table.write(move): move for move in legal}
        if text in written:
            return written[text]
        if not text and len(legal) == 1:
            return legal[0]
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
        return legal[number - 1] if 1 <= number <= len(legal) else None

    def _hear(self, made: MadeMove) -> None:
        for seat, told in made.told.items():
            self._unread[seat] += told.lines(self._lang)

    def _goes_on(self, first: Iterable[str] = ()) -> Answer:
        """Some lines, then what bots do, then the next choice or the end; another person is called first."""
        sitting, lang = self._sitting, self._lang
        for made in sitting.bots_play(lang):
            self._hear(made)
        if sitting.waits:
            seat, looks = sitting.table.seat, self._looks
            self._looks = seat
            if looks not in (None, seat):
                self._curtain = True
                return Answer((*first, phrase("play_curtain", lang, player=player_name(seat, lang))), clear=True)
            return Answer((*first, *self._choice()))
        table = sitting.table
        results = (
            f"  {line}"
            for line in result_lines(table, lang, common_observation([table.observed(seat) for seat in sitting.people]))
        )
        return Answer((*first, *self._last_lines(), "", ending(table, lang), *results), end=True)

    def _last_lines(self) -> Iterator[str]:
        """What all people may read at the end."""
        first, *others = self._unread.values()
        return (line for line in first if all(line in other for other in others))

    def _choice(self) -> Iterator[str]:
        """What the seat has not read, what has changed for it, how things stand, and the legal moves with numbers."""
        table, lang = self._sitting.table, self._lang
        yield from self._unread[table.seat]
        self._unread[table.seat] = []
        yield ""
        sight = seat_view(table, table.seat, lang)
        yield from self._changed_zones({**sight.facts, **sight.zones}, sight.zones)
        yield "  " + "  ".join(sight.points)
        yield from sight.status
        yield ""
        moves = table.legal()
        written = [table.write(move) for move in moves]
        width = max(map(len, written))
        for number, (move, short) in enumerate(zip(moves, written, strict=True), 1):
            yield f"{number:>4}  {short:<{width}}  {table.text(move, lang)}".rstrip()
        yield phrase("play_choose", lang, player=player_name(table.seat, lang))

    def _changed_zones(self, now: Mapping[str, tuple[str, ...]], zones: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
        """What the seat has not been shown so; zones in which nothing lies any more first."""
        shown = self._shown.setdefault(self._sitting.table.seat, {})
        for name in [name for name, lines in shown.items() if lines and name not in now]:
            if name in self._zones_shown:
                yield empty_line(self._sitting.table.box.game, name, self._lang)
            shown[name] = ()
        self._zones_shown |= zones.keys()
        for name, lines in now.items():
            if shown.get(name) != lines:
                yield from lines
                shown[name] = lines
