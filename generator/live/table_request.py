"""The table request: parses players, seed and moves of a game, and replays it with limited effort."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.base.errors import Problem, ProblemsFound
from generator.play.bot_registry import TableBots
from generator.play.human_game import HumanGame
from generator.play.play_setup import Seating, parse_option, parse_seed
from generator.play.series import MOST_MOVES
from generator.play.table_text import MoveReport, common_news
from generator.rules.engine.contract import ALL_SEEN, Rules
from generator.rules.engine.kernel import Record
from generator.rules.engine.table import Table

LARGEST_MOVE = 2**53
"""Largest number for a move: JavaScript can't represent larger ones exactly."""

MOST_PLAYOUTS = 5_000
"""Maximum number of simulated games for each choice of a searching bot: a few seconds of work."""

Query = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A request for the state of a table: the seating, the moves so far, and the viewer.

    `eyes` is the viewer's seat (from 1), 0 for no player. `most` is the largest number of bots' moves before the page
    gets an answer, None for all. `bot` is the bot for a hint. `for_all_seats`: report moves to each seat, not only to
    those of people.
    """

    seating: Seating
    moves: tuple[int, ...]
    lang: str
    eyes: int = 0
    most: int | None = None
    bot: str = "greedy"
    for_all_seats: bool = False


def parse_request(query: Query) -> TableRequest:
    """Parse a request's parameters. Raise ProblemsFound with everything wrong."""
    problems: list[Problem] = []
    moves = _parse_moves(query, problems)
    if len(moves) > MOST_MOVES:
        problems.append(Problem(None, f"{len(moves)} moves are more than a game has", f"{MOST_MOVES} at most"))
    people = _parse_wholes(query, "people", problems, 100)
    single = {name: _parse_wholes(query, name, problems, 100, 1) for name in ("players", "eyes", "most")}
    bots, bot = _get_text(query, "bots", "greedy"), _get_text(query, "bot", "greedy")
    for name in dict.fromkeys(f"{bots},{bot}".split(",")):
        kind, _, number = name.strip().partition(":")
        if kind == "search" and number.isascii() and number.isdigit() and int(number[:9]) > MOST_PLAYOUTS:
            what = f"'{name.strip()[:40]}' takes too long at a table"
            problems.append(Problem(None, what, f"write search:{MOST_PLAYOUTS} or less, or use `pnp play`"))
    seed, options = parse_seed("1/0"), dict[str, Any]()
    try:
        seed = parse_seed(_get_text(query, "seed", "1/0"))
        options = dict(parse_option(text) for text in query.get("option", []))
    except ValueError as error:
        problems.append(Problem(None, str(error)))
    if problems:
        raise ProblemsFound(problems)
    players = single["players"][0] if single["players"] else None
    seating = Seating(players, tuple(people), bots, seed, options)
    eyes = single["eyes"][0] if single["eyes"] else 0
    most = single["most"][0] if single["most"] else None
    return TableRequest(seating, tuple(moves), _get_text(query, "lang", ""), eyes, most, bot)


def _get_text(query: Query, name: str, usual: str) -> str:
    return query.get(name, [usual])[0]


def _parse_moves(query: Query, problems: list[Problem]) -> list[int]:
    """Return the moves, written in base 36 with dots between: so all moves of a game fit into a URL of 64 kB."""
    text = _get_text(query, "moves", "")
    parts = text.split(".") if text else []
    good = all(part.isascii() and part.isalnum() and len(part) < 12 and int(part, 36) <= LARGEST_MOVE for part in parts)
    if not good:
        what = f"moves={text[:40]} is not valid"
        problems.append(Problem(None, what, "write numbers to the base 36 between points"))
    return [int(part, 36) for part in parts] if good else []


def _parse_wholes(query: Query, name: str, problems: list[Problem], most: int, number: int | None = None) -> list[int]:
    """Return the whole numbers (each up to `most`) between commas in a parameter; [] if it is missing.

    If one is invalid, or if there are not `number` of them, add a problem and return [].
    """
    parts = _get_text(query, name, "").split(",")
    if parts == [""]:
        return []
    good = all(part.isascii() and part.isdigit() and len(part) < 17 and int(part) <= most for part in parts)
    if not good or (number is not None and len(parts) != number):
        what = "a whole number" if number == 1 else "whole numbers between commas"
        problems.append(Problem(None, f"{name}={_get_text(query, name, '')[:40]} is not valid", f"write {what}"))
        return []
    return [int(part) for part in parts]


Gone = Callable[[], bool]
"""Returns True once the client has disconnected."""

MOST_TRIES = 1_000_000
"""Number of moves that a bot may try for one choice, each counted as the rules' `effort`: 10 to 15 seconds."""

ENOUGH_TRIES = 250_000
"""After this many tried moves a response shows the bots' moves so far, and the page requests the rest."""


def is_never_gone() -> bool:
    """Return False: used if it can't be detected that a client disconnects."""
    return False


class CountingRules:
    """Rules that count the moves tried and fail above MOST_TRIES, or when `gone` returns True."""

    def __init__(self, rules: Rules):
        self._given = rules
        self.gone: Gone = is_never_gone
        self.rules = replace(rules, apply=self._apply_move, blind=self._blind_seat)
        self.begin_choice()

    def begin_choice(self) -> None:
        """Set the moves tried and the bot's looks to 0, as MOST_TRIES is for one choice."""
        self.tries = self._looks = 0

    def _apply_move(self, s: Record, f: Record, move: int) -> None:
        self.tries += self._given.effort
        if self.tries > MOST_TRIES:
            playouts = self._looks - 2  # one look is the bot's own, one playout is unfinished
            effort = self._given.effort
            each = f" (each counts {effort} times in this game)" if effort > 1 else ""
            what = f"this choice takes too long at a table: the bot has tried more than {MOST_TRIES:,} moves{each}"
            bot = f"search:{playouts // 2} or less" if playouts > 1 else "another bot, such as greedy"
            raise ProblemsFound([Problem(None, what, f"take {bot}, or use `pnp play`")])
        self._given.apply(s, f, move)

    def _blind_seat(self, s: Record, f: Record, seat: int) -> None:
        """Shuffle what a bot's seat can't see, as the rules do; first stop if the client has disconnected."""
        self._looks += 1
        if self.gone():
            raise ProblemsFound([Problem(None, "the page no longer waits for this answer", "ask again")])
        self._given.blind(s, f, seat)


class Party:
    """A game in progress that can jump to any point of its moves; it keeps the messages about them.

    Eyes are the seats of people (from 0); if only bots play there is one viewer who sees everything.
    """

    def __init__(self, sitting: HumanGame, lang: str, patience: CountingRules):
        self.sitting, self.lang, self.patience = sitting, lang, patience
        if not sitting.people:
            sitting.eyes = frozenset([ALL_SEEN])
        self._dealt = sitting.describe_deal(lang)
        self._told: list[Mapping[int, MoveReport]] = []

    @property
    def table(self) -> Table:
        """Return the current table."""
        return self.sitting.table

    def go_to(self, moves: Sequence[int]) -> None:
        """Replay the game up to these moves. Raise IllegalMove, with its number, for a move that isn't legal."""
        now, common = self.table.moves, 0
        for before, wanted in zip(now, moves, strict=False):
            if before != wanted:
                break
            common += 1
        if common < len(now):
            self.sitting.replay_moves(now[:common])
            del self._told[common:]
        for move in moves[common:]:
            self._told.append(self.sitting.redo_move(move, self.lang).told)

    def play_bots(self, most: int | None) -> None:
        """Let bots move until a person has to choose or the game ends; stop after `most` moves or enough tries."""
        tries = 0
        self.patience.begin_choice()
        for made in self.sitting.play_bots(self.lang) if most != 0 else ():
            self._told.append(made.told)
            most = most - 1 if most is not None else None
            tries += self.patience.tries
            if most == 0 or tries > ENOUGH_TRIES:
                return
            self.patience.begin_choice()

    @property
    def is_bots_turn(self) -> bool:
        """Return True if a bot has to choose."""
        table = self.table
        return not (table.is_over or self.sitting.is_stuck or table.seat in self.sitting.people)

    def choose_hint(self, bot: str) -> int:
        """Return `bot`'s move for the current person, by what that seat sees. Raise ValueError for an unknown bot."""
        table = self.table
        self.patience.begin_choice()
        return TableBots(table.rules, table.box, table.seed, (bot,)).choose(table.state, table.list_legal_moves())

    def iter_log(self, readers: Sequence[int]) -> Iterator[tuple[int, MoveReport]]:
        """Yield messages with the number of moves before each; for several readers, only what all of them may read."""
        for at, told in enumerate(self._told):
            one = common_news([told[eye] for eye in readers])
            if one.text or one.then:
                yield at, one

    def read_deal(self, readers: Sequence[int]) -> tuple[str, ...]:
        """Return the messages about the deal that all readers may read."""
        first, *others = (self._dealt[eye] for eye in readers)
        return tuple(line for line in first if all(line in other for other in others))
