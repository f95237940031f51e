"""A game of people and bots at one table, and the lines that a terminal shows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from generator.base.errors import did_you_mean
from generator.base.languages import phrase
from generator.game.model import Design, Game
from generator.game.rich_text import Words
from generator.play.bot_registry import TableBots
from generator.play.series import MOST_MOVES
from generator.play.table_text import (
    MoveReport,
    MoveReporter,
    empty_line,
    format_ending,
    format_heading,
    player_name,
    result_lines,
    seat_view,
    share_observation,
)
from generator.rules.engine.table import IllegalMove, Table, field_text, piece_name, zone_name


@dataclass(frozen=True, slots=True)
class MadeMove:
    """A move that was made, and its report for each viewer."""

    move: int
    told: Mapping[int, MoveReport]


class HumanGame:
    """A table and the seats (from 0) of its human players; bots play all other seats.

    `bot` names one kind for all seats, or one for each, separated by commas (`greedy,random,greedy`). `eyes` are the
    viewers who get reports: the players, or spectators.

    Bots choose as in a batch: a game without human players equals the game that a batch plays from the same seed.
    """

    def __init__(self, table: Table, people: Iterable[int], bot: str):
        self.people, self.bot = frozenset(people), bot
        self.eyes = self.people
        self._begin(table)

    def _begin(self, table: Table) -> None:
        self.table = table
        self._bots = TableBots(table.rules, table.box, table.seed, self.bot.split(","))
        self._teller: MoveReporter | None = None

    @property
    def is_stuck(self) -> bool:
        """True if the game is endless, or has no legal move before its end."""
        return not self.table.is_over and (len(self.table.moves) >= MOST_MOVES or not self.table.list_legal_moves())

    @property
    def is_waiting(self) -> bool:
        """True if a human player has to choose."""
        return not self.table.is_over and self.table.seat in self.people and not self.is_stuck

    def describe_deal(self, lang: str) -> Mapping[int, tuple[str, ...]]:
        """Return the report of the deal for each viewer."""
        return MoveReporter(Table(self.table.rules, self.table.box, self.table.seed), self.eyes, lang).report_deal()

    def play_bots(self, lang: str) -> Iterator[MadeMove]:
        """Make and yield moves of bots until a human player has to choose or the game is over."""
        while not (self.table.is_over or self.is_stuck or self.table.seat in self.people):
            legal = self.table.list_legal_moves()
            yield self.make_move(self._bots.choose(self.table.state, legal), lang)

    def make_move(self, move: int, lang: str) -> MadeMove:
        """Make a move for the seat that chooses next. Raise IllegalMove if it is not legal."""
        if move not in self.table.list_legal_moves():
            raise IllegalMove(f"{move} is not a legal move now")
        if self._teller is None or self._teller.lang != lang:
            self._teller = MoveReporter(self.table, self.eyes, lang)
        return MadeMove(move, self._teller.make_move(move))

    def replay_moves(self, moves: Iterable[int]) -> None:
        """Replay a game from its deal. Raise IllegalMove with the number of the first move that is not legal."""
        self._begin(Table(self.table.rules, self.table.box, self.table.seed))
        for number, move in enumerate(moves, 1):
            self._skip_bot_choice()
            try:
                self.table.apply(move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from error

    def redo_move(self, move: int, lang: str) -> MadeMove:
        """Replay the next recorded move. Raise IllegalMove if it is not legal here."""
        if move not in self.table.list_legal_moves():
            raise IllegalMove(f"move {len(self.table.moves) + 1}: {move} is not a legal move now")
        self._skip_bot_choice()
        return self.make_move(move, lang)

    def _skip_bot_choice(self) -> None:
        table = self.table
        if not table.is_over and table.seat not in self.people:
            self._bots.skip_choice(table.state, table.list_legal_moves())

    @property
    def last_choice(self) -> int:
        """The number of moves before the last choice of a human player, or -1 if there is none."""
        last = -1
        for number, seat in enumerate(self.table.seats):
            if seat in self.people:
                last = number
        return last

    def undo(self) -> None:
        """Take back the last choice of a human player and everything after it. Raise IllegalMove if there is none."""
        last = self.last_choice
        if last < 0:
            raise IllegalMove("no human player has chosen yet")
        self.replay_moves(self.table.moves[:last])


Texts: TypeAlias = Callable[[Design, str], Mapping[str, str]]
"""Returns the printed texts of a design in a language, by field."""

MOST_SHOWN = 5
"""The most pieces matching a word that are shown in full; if there are more, only their names are listed."""


def data_texts(design: Design, lang: str) -> dict[str, str]:
    """Return the texts of a design as they are in the data, for callers without templates."""
    return {name: value[lang] for name, value in design.fields.items() if isinstance(value, Words)}


class Inspector:
    """Looks up the texts of the pieces that a seat sees."""

    def __init__(self, table: Table, seat: int, lang: str, texts: Texts):
        self._table, self._game, self._lang, self._texts = table, table.box.game, lang, texts
        self._where: dict[str, list[str]] = {}
        for zone, there in table.observe(seat).zones.items():
            for lying in there:
                if lying.piece:
                    self._where.setdefault(lying.piece.split("#")[0], []).append(zone)

    def answer(self, asked: str) -> Iterator[str]:
        """Yield a description of the pieces that the player asked for by name, or a hint if there is no such piece."""
        found = self._find_matches(asked)
        if not found:
            names = {self._find_name(design): design for design in self._where}
            hint = did_you_mean(asked, names)
            yield phrase("play_unknown_piece", self._lang, text=asked, hint=hint if "?" in hint else "").rstrip()
        elif len(found) > MOST_SHOWN:
            names_of = phrase("and", self._lang).join(f"{self._find_name(one)} ({_short_id(one)})" for one in found)
            yield phrase("play_which_piece", self._lang, names=names_of)
        else:
            for one in found:
                yield from self._design_lines(self._game.design(one))

    def _find_name(self, design: str) -> str:
        return piece_name(self._game, design, self._lang)

    def _find_matches(self, text: str) -> list[str]:
        """Return the designs named by a choice's number, by an id or name, or by its beginning."""
        chosen = self._find_in_choices(text)
        if chosen:
            return chosen
        sought = text.casefold()
        named = {
            one: (one.casefold(), _short_id(one).casefold(), self._find_name(one).casefold()) for one in self._where
        }
        exact = [one for one, names in named.items() if sought in names]
        return exact or [one for one, names in named.items() if any(name.startswith(sought) for name in names)]

    def _find_in_choices(self, text: str) -> list[str]:
        """Return the designs in a legal move, given the move's number, or a design's name in the move's notation."""
        table = self._table
        for number, move in enumerate(table.list_legal_moves(), 1):
            values = table.rules.say(table.state, table.box, move).values.values()
            designs = [value.id for value in values if isinstance(value, Design)]
            words = table.write_move(move).split()[1:2] if len(designs) == 1 else []
            if designs and text in (str(number), *words):
                return designs
        return []

    def _design_lines(self, design: Design) -> Iterator[str]:
        game, lang = self._game, self._lang
        kind = field_text(game, game.kinds[design.kind].name, lang)
        yield f"{self._find_name(design.id)} ({_short_id(design.id)}, {kind})"
        texts = self._texts(design, lang)
        listed = game.sections.get("words", {}).get("fields", {})  # players see all fields unless the data list them
        for name, value in design.fields.items():
            shown = not listed or name in listed
            said = texts.get(name, "") or (format_plain_value(game, value, lang) if shown else "")
            if said and said != self._find_name(design.id):
                label = field_text(game, listed[name], lang) if isinstance(listed.get(name), Words) else name
                head = "  " if name in texts else f"  {label}: "
                yield from (f"{head}{line}" for line in said.split("\n") if line.strip())
        zones = dict.fromkeys(zone_name(game, zone, lang) for zone in self._where.get(design.id, ()))
        if zones:
            yield "  " + phrase("play_where", lang, zones=phrase("and", lang).join(zones))


def format_plain_value(game: Game, value: Any, lang: str) -> str:
    """Return the text of a number, an icon, or a list of them; empty for values that only templates read."""
    if value is None or isinstance(value, (bool, Mapping)):
        return ""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return phrase("and", lang).join(filter(None, (format_plain_value(game, part, lang) for part in value)))
    return field_text(game, value, lang) if isinstance(value, (int, str)) else ""


def _short_id(design: str) -> str:
    return design.split("/")[1]


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a line that a player typed: lines to show, and whether to save the game and to end.

    `clear` means that the next player must not see the earlier output.
    """

    lines: tuple[str, ...]
    save: bool = False
    end: bool = False
    clear: bool = False


class Terminal:
    """The dialogue of a game at a terminal, in one language: takes typed lines and returns lines to show.

    Each person sees what their seat sees. If several people share the terminal, the next one is called before anything
    is shown. `texts` returns the texts of cards; `saves` says if there is a file to save to.
    """

    def __init__(self, sitting: HumanGame, lang: str, texts: Texts = data_texts, *, saves: bool = True):
        self._sitting, self._lang, self._texts, self._saves = sitting, lang, texts, saves
        self._shown: dict[int, dict[str, tuple[str, ...]]] = {}
        self._unread: dict[int, list[str]] = {seat: [] for seat in sitting.people}
        self._zones_shown = set[str]()
        self._looks: int | None = None
        self._curtain = self._leaving = False

    def show_opening(self) -> Answer:
        """Return the game, the first moves of bots, and the first choice."""
        table = self._sitting.table
        for seat, lines in self._sitting.describe_deal(self._lang).items():
            self._unread[seat] += lines
        note = () if self._saves else (phrase("play_no_file", self._lang),)
        return self._continue_game((*format_heading(table.box, table.seed, self._lang), *note))

    def answer(self, typed: str) -> Answer:
        """Carry out a line: a move by number or notation, or a command. Report anything else and ask again."""
        text, leaving = typed.strip(), self._leaving
        self._leaving = False
        if text == "q":
            return self._quit(sure=leaving or self._saves)
        if self._curtain:
            self._curtain = False
            return Answer(tuple(self._describe_choice()))
        if text.startswith(("? ", "show ")):
            table, asked = self._sitting.table, text.split(maxsplit=1)[1]
            return Answer(tuple(Inspector(table, table.seat, self._lang, self._texts).answer(asked.strip())))
        if text == "?":
            return Answer(tuple(phrase("play_help", self._lang).split("\n")))
        if text == "b":
            self._shown.clear()
            return Answer(tuple(self._describe_choice()))
        if text == "u":
            try:
                self._sitting.undo()
            except IllegalMove:
                return Answer((phrase("play_first", self._lang),))
            self._shown.clear()
            for lines in self._unread.values():
                lines[:] = [phrase("play_undone", self._lang)]
            return self._continue_game()
        if text == "s":
            return Answer((), save=True)
        move = self._find_move(text)
        if move is None:
            return Answer((phrase("play_wrong", self._lang, text=text),))
        self._add_news(self._sitting.make_move(move, self._lang))
        return self._continue_game()

    def leave(self) -> Answer:
        """Leave before the end without asking for confirmation."""
        return self._quit(sure=True)

    def _quit(self, *, sure: bool) -> Answer:
        if not sure:
            self._leaving = True
            return Answer((phrase("play_leave", self._lang),))
        return Answer((phrase("play_left", self._lang),), save=True, end=True)

    def _find_move(self, text: str) -> int | None:
        """Return the legal move for a text, or None. A notation takes precedence over a number."""
        table = self._sitting.table
        legal = table.list_legal_moves()
        written = {table.write_move(move): move for move in legal}
        if text in written:
            return written[text]
        if not text and len(legal) == 1:
            return legal[0]
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
        return legal[number - 1] if 1 <= number <= len(legal) else None

    def _add_news(self, made: MadeMove) -> None:
        for seat, told in made.told.items():
            self._unread[seat] += told.format_lines(self._lang)

    def _continue_game(self, first: Iterable[str] = ()) -> Answer:
        """Return the given lines, then moves of bots, and the next choice or the end. First call the next person."""
        sitting, lang = self._sitting, self._lang
        for made in sitting.play_bots(lang):
            self._add_news(made)
        if sitting.is_waiting:
            seat, looks = sitting.table.seat, self._looks
            self._looks = seat
            if looks not in (None, seat):
                self._curtain = True
                return Answer((*first, phrase("play_curtain", lang, player=player_name(seat, lang))), clear=True)
            return Answer((*first, *self._describe_choice()))
        table = sitting.table
        shared = share_observation([table.observe(seat) for seat in sitting.people])
        results = [f"  {line}" for line in result_lines(table, lang, shared)]
        mine, *others = self._unread.values()
        last = [line for line in mine if all(line in other for other in others)]  # all people may read these
        return Answer((*first, *last, "", format_ending(table, lang), *results), end=True)

    def _describe_choice(self) -> Iterator[str]:
        """Yield the seat's unread lines, its changed zones, the status, and the numbered legal moves."""
        table, lang = self._sitting.table, self._lang
        yield from self._unread[table.seat]
        self._unread[table.seat] = []
        yield ""
        sight = seat_view(table, table.seat, lang)
        yield from self._changed_zones({**sight.facts, **sight.zones}, sight.zones)
        yield "  " + "  ".join(sight.points)
        yield from sight.status
        yield ""
        moves = table.list_legal_moves()
        written = [table.write_move(move) for move in moves]
        width = max(map(len, written))
        for number, (move, short) in enumerate(zip(moves, written, strict=True), 1):
            yield f"{number:>4}  {short:<{width}}  {table.describe_move(move, lang)}".rstrip()
        yield phrase("play_choose", lang, player=player_name(table.seat, lang))

    def _changed_zones(self, now: Mapping[str, tuple[str, ...]], zones: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
        """Yield the lines of zones (`now`, by name) that the seat was not yet shown so. Newly empty ones come first."""
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
