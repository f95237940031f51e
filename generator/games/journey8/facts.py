"""What the rules of draft 8 take from the data: the numbers they name, and the readings they are played by."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Literal

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.games.engine.facts import FactReader, kind_of
from generator.model.game import Effect, Game

KEY, PLAIN = "■", "□"
"""How a row of cards is written: a card that is a key, and one that is none."""

BOOKMARKS, JOKERS, COUNTERS = "bookmark", "joker", "counter"

Mode = Literal["normal", "reverse", "ignored"]
"""How hand numbers count at the end: the lower the better, the higher the better, or not at all."""

MODES: Mapping[str, Mode] = {"normal": "normal", "reverse": "reverse", "ignored": "ignored"}


@dataclass(frozen=True, slots=True)
class Removal:
    """The cards that are laid aside for a number of players: as the draft has it, and for equal turns (E3)."""

    players: int
    cards: int
    level: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by the names that they have in `rules.yaml`, and the counters in the box."""

    numbers: tuple[int, ...]
    colours: Mapping[str, int]
    jokers: int
    removed: Mapping[int, Removal]
    hand: int
    story: int
    sone: int
    counters: int
    draw: int
    gift: int
    extra_plays: int
    hand_limit: int
    run: int

    @property
    def cards(self) -> int:
        """How many cards the box holds."""
        return sum(self.colours.values()) + self.jokers


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage that can be played in more than one way (`readings.yaml`)."""

    events: Literal["provisional", "none"]
    equal_turns: Literal["off", "no_start_card", "remove_fix"]
    key_end: int | Literal["off"]
    end_check: Literal["turn_end", "immediate"]
    run_count: Literal["groups", "adjacent_pairs"]
    joker_colour: Literal["declared", "always_same"]
    event_order: Literal["from_start", "from_next", "by_number"]
    event_optional: bool
    joker_memory: Literal["none", "keep_declared"]
    supply: Literal["infinite", "finite"]
    extra_after_third: bool
    # "pass" is no name in Python; the others are called as in the data.
    passing: Literal["free", "forbidden", "hand_limit"]
    print_start_marker: bool = False


@dataclass(frozen=True, slots=True)
class TableLimits:
    """What follows for one number of players: cards in the game and in the deck, counters at the start, longest row."""

    players: int
    in_game: int
    deck: int
    counters: int
    row: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What the data say follows from the numbers; the checks compute it afresh."""

    table: Mapping[int, TableLimits]
    keys: int


@dataclass(frozen=True, slots=True)
class Worth:
    """What an effect should be worth: its card's number less so much, at a table of so many players."""

    number_less: int
    players: int


@dataclass(frozen=True, slots=True)
class Example:
    """The row that the draft prints: whether each card is a key, and the mode that it leads to."""

    row: tuple[bool, ...]
    mode: Mode


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """The numbers and readings of a game's data; ProblemsFound with all that is missing or of the wrong kind."""
    reader = FactReader(game)
    removed = reader.rows("removed", columns=_columns(Removal))
    facts = Facts(
        numbers=reader.wholes("numbers", fewest=1),
        colours=reader.table("colours"),
        jokers=reader.whole("jokers"),
        removed={row["players"]: Removal(**row) for row in removed},
        hand=reader.whole("hand"),
        story=reader.whole("story"),
        sone=reader.whole("sone"),
        counters=kind_of(game, COUNTERS).count,
        draw=reader.whole("draw", least=1),
        gift=reader.whole("gift"),
        extra_plays=reader.whole("extra_plays"),
        hand_limit=reader.whole("hand_limit"),
        run=reader.whole("run", least=2),
    )
    names = tuple("pass" if name == "passing" else name for name in _columns(Switches))
    switches = reader.switches(names)
    reader.finish()
    _all_players(game, facts.removed, "removed")
    return facts, Switches(passing=switches.pop("pass"), **switches)


def limits_of(game: Game) -> Limits:
    """The limits that the data state; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    rows = reader.rows("limits", "table", columns=_columns(TableLimits))
    limits = Limits({row["players"]: TableLimits(**row) for row in rows}, reader.whole("limits", "keys"))
    reader.finish()
    _all_players(game, limits.table, "limits", "table")
    return limits


def worth_of(game: Game) -> Worth:
    """What the data say effects should be worth; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    worth = Worth(reader.whole("worth", "number_less"), reader.whole("worth", "players", least=2))
    reader.finish()
    return worth


def example_of(game: Game) -> Example:
    """The draft's example row; ProblemsFound for one with other signs, and as for `facts_of`."""
    reader = FactReader(game)
    mode = reader.name("example", "mode", known=MODES)
    reader.finish()
    row = game.sections["rules"]["example"].get("row", "")
    if not isinstance(row, str) or not row or set(row) - {KEY, PLAIN}:
        place = game.places.place("rules", "example", "row")
        what = f"rules.example.row must be a row of {KEY} (a key) and {PLAIN} (another card)"
        raise ProblemsFound([Problem(place, what, f"write it as {PLAIN}{KEY}{KEY}{PLAIN}")])
    return Example(tuple(sign == KEY for sign in row), MODES[mode])


def key_count_modes(game: Game) -> Mapping[int, Mode]:
    """V-KEYCOUNT: the mode from so many keys on; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    keys = [row["keys"] for row in reader.rows("key_count_modes", columns=("keys",))]
    modes = [reader.name("key_count_modes", n, "mode", known=MODES) for n in range(len(keys))]
    reader.finish()
    return {fewest: MODES[mode] for fewest, mode in zip(keys, modes, strict=True)}


def effects_of(game: Game) -> Mapping[str, tuple[Effect, ...]]:
    """The effects of every card, by the ids of their designs."""
    return {design.id: design.fields["effects"] for design in game.designs() if "effects" in design.fields}


def _columns(row: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(row))


def _all_players(game: Game, given: Mapping[int, object], *path: str) -> None:
    """ProblemsFound unless every number of players has its row."""
    place = game.places.place("rules", *path)
    shown = ".".join(("rules", *path))
    missing = [n for n in game.players if n not in given]
    if missing:
        told = (f"{shown} has no row for {players} players" for players in missing)
        hints = (f"add `- {{players: {players}, ...}}`" for players in missing)
        raise ProblemsFound(Problem(place, what, hint) for what, hint in zip(told, hints, strict=True))
