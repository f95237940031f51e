"""A person's game at a terminal, line by line: what is shown, and what each line that is typed does."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.games.table import IllegalMove
from generator.model.phrases import phrase
from generator.playtest.showing import empty_line, player_name, result_lines, seen
from generator.playtest.sitting import Sitting
from generator.playtest.transcript import ending, heading, move_line


@dataclass(frozen=True, slots=True)
class Answer:
    """What a typed line leads to: lines to show; whether the game is to be saved now; whether this is the end."""

    lines: tuple[str, ...]
    save: bool = False
    end: bool = False


class Terminal:
    """Shows a sitting in one language and takes what people type. It reads and writes nothing itself."""

    def __init__(self, sitting: Sitting, lang: str):
        self._sitting, self._lang = sitting, lang
        self._shown: dict[int, dict[str, list[str]]] = {}

    def opening(self) -> Answer:
        """The game, what bots do first, and the first choice."""
        table = self._sitting.table
        return self._shows(heading(table.box, table.seed, self._lang))

    def answer(self, typed: str) -> Answer:
        """What a line does: a move by number or notation, or a command; anything else is told and asked again."""
        text = typed.strip()
        command = {"?": self._help, "b": self._board, "u": self._undo, "s": self._save, "q": self._quit}.get(text)
        if command is not None:
            return command()
        move = self._move(text)
        if move is None:
            return Answer((phrase("play_wrong", self._lang, text=text),))
        made = self._sitting.make(move, self._lang)
        return self._shows([move_line(made.seat, made.written, made.text, self._lang)])

    def _help(self) -> Answer:
        return Answer(tuple(phrase("play_help", self._lang).split("\n")))

    def _board(self) -> Answer:
        self._shown.clear()
        return Answer(tuple(self._choice()))

    def _undo(self) -> Answer:
        try:
            self._sitting.undo()
        except IllegalMove:
            return Answer((phrase("play_first", self._lang),))
        self._shown.clear()
        return self._shows([phrase("play_undone", self._lang)])

    def _save(self) -> Answer:
        return Answer((), save=True)

    def _quit(self) -> Answer:
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

    def _shows(self, first: Iterable[str]) -> Answer:
        """Lines, then what bots do, then the next choice or the end."""
        sitting, lang = self._sitting, self._lang
        lines = [*first, *(move_line(one.seat, one.written, one.text, lang) for one in sitting.bots_play(lang))]
        if sitting.waits:
            return Answer((*lines, *self._choice()))
        table = sitting.table
        return Answer((*lines, "", ending(table, lang), *(f"  {line}" for line in result_lines(table, lang))), end=True)

    def _choice(self) -> Iterator[str]:
        """What has changed for the seat since it was last shown, points, and the legal moves with numbers."""
        table, lang = self._sitting.table, self._lang
        yield ""
        sight, shown = seen(table, table.seat, lang), self._shown.setdefault(table.seat, {})
        emptied = [zone for zone, lines in shown.items() if lines and zone not in sight.zones]
        for zone in emptied:
            yield empty_line(table.box.game, zone, lang)
            shown[zone] = []
        for zone, lines in sight.zones.items():
            if shown.get(zone) != lines:
                yield from lines
                shown[zone] = lines
        yield "  " + "  ".join(sight.points)
        yield ""
        moves = table.legal()
        written = [table.write(move) for move in moves]
        width = max(map(len, written))
        for number, (move, short) in enumerate(zip(moves, written, strict=True), 1):
            yield f"{number:>4}  {short:<{width}}  {table.text(move, lang)}".rstrip()
        yield phrase("play_choose", lang, player=player_name(table.seat, lang))
