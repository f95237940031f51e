"""One game in progress: legal moves, making and undoing moves, observations, scores, saving."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.game.model import Design, Game
from generator.game.rich_text import MarkupError, Words, parse_markup, to_plain_text
from generator.rules.engine.contract import ALL_SEEN, Box, Message, Observation, Rules, VisiblePieces, Zones
from generator.rules.engine.kernel import INTERPRETED, Mode, Record, seed_chance

SAMPLES = 16
"""How often hidden pieces are shuffled to find hidden zones: a zone that is the same each time is not hidden."""


def visible_zones(
    zones: Zones,
    seat: int = ALL_SEEN,
    *,
    closed: Collection[str] = (),
    own: Collection[str] = (),
    known: Collection[str] = (),
) -> dict[str, tuple[VisiblePieces, ...]]:
    """Return the non-empty zones as a seat sees them, with their pieces in order; adjacent hidden pieces form one heap.

    Nobody sees `closed` zones, and only its seat sees one of `own`: `hand` stands for `hand 1`, `hand 2` ... The seat
    sees pieces that are `known` in these, too.
    """
    seen: dict[str, tuple[VisiblePieces, ...]] = {}
    for zone, pieces in zones.items():
        kind, _, owner = zone.partition(" ")
        hides = zone in closed or kind in closed or (kind in own and owner != str(seat + 1))
        heaps: list[VisiblePieces] = []
        for piece, number in pieces.items():
            if not hides or seat == ALL_SEEN or piece in known:
                heaps.append(VisiblePieces(piece, number))
            elif heaps and not heaps[-1].piece:
                heaps[-1] = VisiblePieces("", heaps[-1].number + number)
            else:
                heaps.append(VisiblePieces("", number))
        if heaps:
            seen[zone] = tuple(heaps)
    return seen


def common_observation(zones: Sequence[Zones], points: Sequence[Sequence[int]]) -> Observation:
    """Return what these tables have in common: zones, or their sizes. Seats whose `points` differ are unsure."""
    first = zones[0]
    secret = {
        zone
        for zone, pieces in first.items()
        if any(list(other.get(zone, {}).items()) != list(pieces.items()) for other in zones[1:])
    }
    unsure = frozenset(seat for seat, possible in enumerate(zip(*points, strict=True)) if len(set(possible)) > 1)
    return Observation(visible_zones(first, 0, closed=secret), unsure=unsure)


def move_text(game: Game, said: Message, lang: str) -> str:
    """Return a message's phrase of `moves` with its `{names}` filled in. Raise ProblemsFound if the data lack it."""
    values = {name: _format_value(game, value, lang) for name, value in said.values.items()}
    if said.phrase not in game.moves:
        what = f"the rules make a move '{said.phrase}', which has no words"
        place = game.places.place("moves") or game.places.place("rules_module")
        raise ProblemsFound([Problem(place, what, f"add `{said.phrase}: ...` to `moves`")])
    try:
        return game.moves[said.phrase][lang].format_map(values)
    except KeyError as error:
        what = f"moves.{said.phrase} names '{{{error.args[0]}}}', which the rules don't give for this move"
        place = game.places.place("moves", said.phrase, lang)
        raise ProblemsFound([Problem(place, what, did_you_mean(str(error.args[0]), values))]) from error


def piece_name(game: Game, piece: str, lang: str) -> str:
    """Return the players' name of a copy or design: its kind's `called`, else title or name, else kind and id.

    Raise ProblemsFound for wrong markup, and for `{{ ... }}` in the name, which only templates fill in.
    """
    design = game.design(piece.split("#", maxsplit=1)[0])
    kind = game.kinds[design.kind]
    if kind.called is not None:
        named = {name for _, name, _, _ in Formatter().parse(kind.called[lang])}
        values = {
            name: field_text(game, value, lang, design.source.place(name, lang))
            for name, value in design.fields.items()
            if name in named
        }
        return kind.called[lang].format_map({"id": design.id.split("/")[1], **values})
    for name in ("title", "name"):
        own = design.fields.get(name)
        if isinstance(own, Words):
            return _to_plain_text(own[lang], design.source.place(name, lang))
    kind_name = _to_plain_text(kind.name[lang], game.places.place("components", kind.id, "name", lang))
    return f"{kind_name} {design.id.split('/')[1]}" if len(kind.designs) > 1 else kind_name


def piece_names(game: Game, lang: str, problems: list[Problem]) -> dict[str, str]:
    """Return the players' name of each design by id; on an error, add the problems and use the id as name."""
    names = {}
    for design in game.designs():
        try:
            names[design.id] = piece_name(game, design.id, lang)
        except ProblemsFound as found:
            problems += found.problems
            names[design.id] = design.id
    return names


def zone_name(game: Game, zone: str, lang: str) -> str:
    """Return the players' name of a zone: for `set 2 6 down` the data's name of `set-down`, with `{n}` 2 and `{m}` 6.

    A zone without a name in the data keeps the name that the rules use.
    """
    kind = zone_kind(zone)
    if kind not in game.zones:
        return zone
    numbers = defaultdict(str, zip("nm", re.findall(r"\d+", zone), strict=False))
    return game.zones[kind].name[lang].format_map(numbers)


def zone_kind(zone: str) -> str:
    """Return the data's name of a zone: `set-down` for `set 2 6 down`."""
    return "-".join(re.sub(r"\d", "", zone).split())


def _format_value(game: Game, value: Any, lang: str) -> str:
    if isinstance(value, tuple):
        return ("、" if lang == "ja" else ", ").join(_format_value(game, entry, lang) for entry in value)
    if isinstance(value, Design):
        return piece_name(game, value.id, lang)
    return field_text(game, value, lang)


def field_text(game: Game, value: Any, lang: str, place: Place | None = None) -> str:
    """Return a value as players say it: texts in the language, icons by name. Raise ProblemsFound for wrong markup."""
    if isinstance(value, Words):
        return _to_plain_text(value[lang], place)
    if isinstance(value, str) and value in game.icons:
        return _to_plain_text(game.icons[value].name[lang], game.places.place("icons", value, "name", lang))
    if isinstance(value, Mapping):
        return ""
    return str(value)


def _to_plain_text(text: str, place: Place | None) -> str:
    try:
        return to_plain_text(parse_markup(text)).replace("\n", " ")
    except MarkupError as mistake:
        what, hint = f"wrong markup: {mistake.what}", "mend it"
        if "{{" in text or "{%" in text:
            what = f"players call a piece by '{text}', but names have no placeholders"
            hint = "write it without {{ }}, or give its kind a `called:` of other fields"
        raise ProblemsFound([Problem(place, what, hint)]) from mistake


SAVE_FORMAT = 2


class IllegalMove(ValueError):
    """A move that is not legal in this state; the state stays unchanged."""


@dataclass(frozen=True, slots=True)
class Seed:
    """The number of a run and of a game in it; equal seeds give equal shuffles."""

    run: int
    game: int = 0


class Table:
    """One game in progress with the pieces of a box; its seed and all its `moves` are enough to replay it."""

    def __init__(self, rules: Rules, box: Box, seed: Seed, mode: Mode = INTERPRETED):
        self._open(rules, box, seed, mode)
        mode.prepare_kernel(rules.set_up)(self.state, self._facts)

    @classmethod
    def deal(cls, rules: Rules, box: Box, seed: Seed, mode: Mode = INTERPRETED) -> "Table":
        """Return the table as dealt, before play begins; it can't be saved. Play begins from it with the same seed."""
        table = object.__new__(cls)
        table._open(rules, box, seed, mode)
        mode.prepare_kernel(rules.deal or rules.set_up)(table.state, table._facts)
        return table

    @classmethod
    def arrange(cls, rules: Rules, box: Box, seed: Seed, given: Mapping[str, Any], mode: Mode = INTERPRETED) -> "Table":
        """Return a table with a given situation; it can't be saved. Raise ValueError if the situation is impossible."""
        table = object.__new__(cls)
        table._open(rules, box, seed, mode)
        rules.arrange(table.state, box, given)
        return table

    def _open(self, rules: Rules, box: Box, seed: Seed, mode: Mode) -> None:
        self.rules, self.box, self.seed = rules, box, seed
        self._mode = mode
        self._facts = mode.make_record(box.numbers)
        self._row = mode.make_row(rules.most(box))
        self._seats = mode.make_row(box.players)
        self._states: list[Record] = []
        self.moves: list[int] = []
        self.state = fresh_state(rules, box, seed, mode)

    @property
    def seat(self) -> int:
        """The seat that chooses next, from 0."""
        return int(self.state.seat)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seat that made each of the moves."""
        return tuple([int(state.seat) for state in self._states])

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return bool(self.state.over)

    @property
    def previous_state(self) -> Record | None:
        """The state before the last move, or None before the first move."""
        return self._states[-1] if self._states else None

    def list_legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves in ascending order, or nothing after the end."""
        if self.is_over:
            return ()
        number = self._mode.prepare_kernel(self.rules.legal)(self.state, self._facts, self._row)
        return tuple([int(self._row[i]) for i in range(number)])

    def apply(self, move: int) -> None:
        """Make a legal move. Raise IllegalMove for any other move."""
        if move not in self.list_legal_moves():
            raise IllegalMove(f"{move} is not a legal move now")
        self._states.append(self._mode.copy(self.state))
        self.moves.append(move)
        self._mode.prepare_kernel(self.rules.apply)(self.state, self._facts, move)

    def undo(self) -> None:
        """Take back the last move. Raise IllegalMove if there is none, or if the seat must not see what was before."""
        if not self._states:
            raise IllegalMove("no move has been made")
        self.state = self._mode.copy(self._states.pop())  # a clone may return to the same state
        self.moves.pop()

    def clone(self) -> "Table":
        """Return an independent copy of the table."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.state = self._mode.copy(self.state)
        twin.moves, twin._states = self.moves[:], self._states[:]
        twin._row, twin._seats = self._mode.make_row(len(self._row)), self._mode.make_row(len(self._seats))
        return twin

    def compute_scores(self) -> tuple[int, ...]:
        """Return each seat's points at this moment."""
        return self._compute_by_seat(self.rules.score)

    def compute_places(self) -> tuple[int, ...]:
        """Return each seat's place at the end; a single player who loses is second."""
        return self._compute_by_seat(self.rules.place)

    def list_zones(self) -> Zones:
        """Return the zones with every printed piece."""
        return self.rules.zones(self.state, self.box)

    def copy_as_seen(self, seat: int, chance: int = 0) -> "Table":
        """Return the table with everything hidden from the seat shuffled; each `chance` gives another shuffle.

        The copy has no earlier states, which would show what the seat can't know.
        """
        seen = self.clone()
        seen._states = []
        seed_chance(seen.state.rng, chance, seat)
        self._mode.prepare_kernel(self.rules.blind)(seen.state, self._facts, seat)
        return seen

    def observe(self, seat: int) -> Observation:
        """Return what the seat can know of the table now, or everything for ALL_SEEN."""
        if self.rules.observe is not None:
            return self.rules.observe(self.state, self.box, seat)
        if seat == ALL_SEEN:
            return Observation(visible_zones(self.list_zones()))
        samples = [self.copy_as_seen(seat, chance) for chance in range(SAMPLES)]
        return common_observation(
            [sample.list_zones() for sample in samples], [sample.compute_scores() for sample in samples]
        )

    def list_consequences(self, seat: int) -> tuple[Message, ...]:
        """Return the consequences of the last move (or the deal) that no player chose, if the seat knows them."""
        return tuple(self.rules.follow(self.previous_state, self.state, self.box, seat)) if self.rules.follow else ()

    def write_move(self, move: int) -> str:
        """Return a move in the game's short notation."""
        return self.rules.write(self.state, self.box, move)

    def describe_move(self, move: int, lang: str) -> str:
        """Return a move in words."""
        return move_text(self.box.game, self.rules.say(self.state, self.box, move), lang)

    def save(self) -> dict[str, Any]:
        """Return everything that `resume` needs, as plain values for JSON."""
        return {
            "format": SAVE_FORMAT,
            "game": self.box.game.id,
            "draft": self.box.game.draft,
            "players": self.box.players,
            "options": dict(self.box.options),
            "seed": [self.seed.run, self.seed.game],
            "moves": list(self.moves),
        }

    def _compute_by_seat(self, kernel: Any) -> tuple[int, ...]:
        for seat in range(self.box.players):
            self._seats[seat] = 0
        self._mode.prepare_kernel(kernel)(self.state, self._facts, self._seats)
        return tuple([int(self._seats[seat]) for seat in range(self.box.players)])


def fresh_state(rules: Rules, box: Box, seed: Seed, mode: Mode) -> Record:
    """Return a state before set-up: players and random numbers set, all other fields 0."""
    state = mode.make_record(rules.state(box))
    state.players = box.players
    seed_chance(state.rng, seed.run, seed.game)
    return state


def replay_game(rules: Rules, box: Box, seed: Seed, moves: Sequence[int], mode: Mode = INTERPRETED) -> Table:
    """Return the table after these moves. Raise IllegalMove with the number of the first move that is not legal."""
    table = Table(rules, box, seed, mode)
    for number, move in enumerate(moves, 1):
        try:
            table.apply(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from error
    return table
