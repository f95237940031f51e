"""Arms: the variants that an experiment compares, with other readings of rules, other numbers, or a forbidden card."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean, raise_problems
from generator.base.files import Resources, read_file
from generator.game.data_fields import WISH, format_value
from generator.game.data_reader import parse_yaml, read_yaml
from generator.game.load_game import load_game
from generator.game.model import Design, Game
from generator.game.project import ParsedFiles, parse_all
from generator.game.source import Map, Seq, Spot
from generator.play.series import StepSeries
from generator.play.table_text import find_named_designs
from generator.rules.engine.contract import Box, Message, Rules
from generator.rules.engine.kernel import Mode, Record
from generator.rules.engine.settings import read_choices
from generator.rules.engine.table import Seed


@dataclass(frozen=True, slots=True)
class Restriction:
    """Cards that one seat may not use: a design's id, or a kind's id for all its designs.

    A move uses the cards that the rules' text for it (`say`) names, except moves with the phrases in `may`.
    """

    cards: str
    may: tuple[str, ...] = ()
    bot: ClassVar[str] = ""

    def narrow_moves(self, said: Mapping[int, Message]) -> Sequence[int]:
        """Return the moves in `said` (move: its text) that use none of the cards or have an allowed phrase, or all."""
        return [move for move, one in said.items() if self._allows_move(one)] or list(said)

    def _allows_move(self, said: Message) -> bool:
        kinds = ((design, design.partition("/")[0]) for design in find_named_designs(said))
        return said.phrase in self.may or not any(self.cards in names for names in kinds)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play that one sentence tells: moves that a seat prefers and avoids. A bot chooses among the rest."""

    sentence: str
    prefer: tuple[str, ...]
    avoid: tuple[str, ...]
    bot: str

    def narrow_moves(self, said: Mapping[int, Message]) -> Sequence[int]:
        """Return the moves in `said` (move: text) of the first wish that any meets, else those not avoided, else all.

        Raise ProblemsFound for a wish that compares what is no number.
        """
        for wish in self.prefer:
            if found := _find_wished(wish, said):
                return found
        avoided = {move for wish in self.avoid for move in _find_wished(wish, said)}
        return [move for move in said if move not in avoided] or list(said)


def _find_wished(wish: str, said: Mapping[int, Message]) -> Sequence[int]:
    """Return the moves that a wish means (see `WISH`), without cards that lack the number which it compares.

    Raise ProblemsFound if it compares words.
    """
    read = WISH.fullmatch(wish)
    assert read is not None, wish  # noqa: S101 - the game's data are checked
    name, order, compared, asked, wanted = read.groups()
    found = {move: one.values for move, one in said.items() if one.phrase == name}
    if asked:
        return [move for move, values in found.items() if str(_read_word(values, asked)) == wanted]
    if not order:
        return list(found)
    numbers = {move: _read_word(values, compared) for move, values in found.items()}
    if "." not in compared and (odd := [one for one in numbers.values() if not isinstance(one, int)]):
        what = f"'{wish}' compares numbers, and {compared} is '{odd[0]}'"
        raise ProblemsFound([Problem(None, what, "name a number, or a card's field with numbers, such as card.number")])
    numbers = {move: one for move, one in numbers.items() if isinstance(one, int | float)}
    best = (min if order == "least" else max)(numbers.values(), default=None)
    return [move for move, one in numbers.items() if one == best]


def _read_word(values: Mapping[str, Any], word: str) -> Any:
    """Return a value of a message, of a card its field after the dot or else its own id."""
    name, _, inner = word.partition(".")
    value = values.get(name)
    if not isinstance(value, Design):
        return value
    return value.fields.get(inner) if inner else value.id.partition("/")[2]


class RestrictedGames:
    """Plays games in which one seat (`game % players`) goes without a card or plays by a strategy.

    A strategy's seat has the bot that it names. Choices use the same random numbers as in a game of equal bots, so both
    games are equal until the seat would have chosen otherwise.
    """

    def __init__(self, rules: Rules, box: Box, bots: Sequence[str], mode: Mode, within: Restriction | Strategy):
        self._rules, self._box, self._within = rules, box, within
        seated = {
            seat: [within.bot if at == seat and within.bot else bot for at, bot in enumerate(bots)]
            for seat in range(box.players)
        }
        self._steps = {seat: StepSeries(rules, box, mode, names) for seat, names in seated.items()}
        self.columns = ("digest", "broken", *(f"place {seat + 1}" for seat in range(box.players)))

    def figures(self, run: int, first: int, games: int) -> list[int]:
        """Return in a list for each game: a digest of its moves, the first broken law (0: none), and each seat's place.

        A place is 1 for winners and 2 for all others.
        """
        told: list[int] = []
        for game in range(first, first + games):
            kept = game % self._box.players

            def restrict_moves(state: Record, seat: int, moves: Sequence[int], kept: int = kept) -> Sequence[int]:
                if seat != kept:
                    return moves
                return self._within.narrow_moves({move: self._rules.say(state, self._box, move) for move in moves})

            steps = self._steps[kept]
            for _ in steps.play_game(Seed(run, game), restrict_moves):
                pass
            winners = steps.find_winners() if steps.state.over else ()
            told += [steps.digest, steps.broken]
            told += [1 if seat in winners else 2 for seat in range(self._box.players)]
        return told


Value: TypeAlias = int | float | bool | str
_Spot: TypeAlias = tuple[int, int, Value]

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+ +")
"""Pattern of an anchor before a value that is used again elsewhere."""

_PLAIN = re.compile(r"(?:[^\s,\[\]{}#:]|:(?!\s|$)|(?<!\s)#| +(?![\s#]))+")
"""Pattern of an unquoted value up to the end of its line, list entry or mapping entry."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One variant of a game: `readings` by E-number or switch, `values` by data path such as `rules.draw_hand`.

    `without` names cards that one seat may not use, `strategy` is how it plays; the seat changes from game to game.
    `place` is the arm's place in a file, if any. `places` has the places of its readings and values by name.
    """

    name: str
    readings: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)
    place: Place | None = None
    places: Mapping[str, Place] = field(default_factory=dict)
    without: Restriction | None = None
    strategy: Strategy | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the changes as plain values for a file."""
        told: dict[str, Any] = {"readings": dict(self.readings), "values": dict(self.values)}
        told |= {"without": asdict(self.without)} if self.without is not None else {}
        return told | ({"strategy": asdict(self.strategy)} if self.strategy is not None else {})

    def place_of(self, name: str) -> Place | None:
        """Return the place of a reading or a value in the file."""
        return self.places.get(name, self.place)


class _ChangedFiles(ParsedFiles):
    """The game's files with an arm's values typed into their text, so that YAML anchors and checks still apply."""

    def __init__(self, arm: Arm):
        super().__init__()
        self._arm, self.left = arm, dict(arm.values)
        self.problems: list[Problem] = []

    def read(self, path: Path, shown: str) -> Map:
        """Return the mapping in a file, read again after the arm's values were typed into it."""
        root = read_yaml(path, shown)
        found = {
            dotted: spot
            for dotted in self._arm.values
            if (spot := next((found for _, found in _find_values(root, dotted.split("."))), None)) is not None
        }
        if not found:
            return root
        lines = read_file(path, "data").decode("utf-8-sig").split("\n")
        for dotted, (line, column, was) in sorted(found.items(), key=lambda one: one[1][:2], reverse=True):
            self.left.pop(dotted, None)
            text = lines[line - 1]
            anchor = _ANCHOR.match(text, column - 1)
            begin = anchor.end() if anchor else column - 1
            plain = _PLAIN.match(text, begin)
            if plain is None or not _is_same_value(plain[0].rstrip(), was):
                what = f"'{dotted}' is not a plain value at {shown}:{line}:{column}"
                hint = "an arm can change plain numbers and words; change the value that an anchor or a table gives"
                self.problems.append(Problem(self._arm.place_of(dotted), what, hint))
                continue
            end = begin + len(plain[0].rstrip())
            lines[line - 1] = text[:begin] + _value_as_yaml(self._arm.values[dotted]) + text[end:]
        return parse_yaml("\n".join(lines), shown)


def change_game(arm: Arm, game: Game, folder: Path, resources: Resources) -> Game:
    """Return the game, loaded again if the arm has values (readings: `arm_options`). Raise ProblemsFound if invalid."""
    if not arm.values:
        return game
    retyped = _ChangedFiles(arm)
    try:
        changed = load_game(folder, resources, retyped)
    except ProblemsFound as found:
        raise ProblemsFound([*retyped.problems, *found.problems]) from found
    for dotted in retyped.left:
        what, hint = f"the data have no value '{dotted}'", "write its path, as `rules.hand`; tables stay as they are"
        retyped.problems.append(Problem(arm.place_of(dotted), what, hint))
    raise_problems(retyped.problems)
    return changed


def arm_options(arm: Arm, game: Game) -> dict[str, Any]:
    """Return the arm's readings as switches of the rules. Raise ProblemsFound for a reading that has no switch."""
    options: dict[str, Any] = {}
    problems = []
    known = {one.id: one.switch for one in game.readings.values() if one.switch}
    known |= {name: name for name in read_choices(game)}
    for name, value in arm.readings.items():
        if name not in known:
            there = name in game.readings
            what = f"{name} has no switch" if there else f"{game.id} has no reading '{name}'"
            hint = "leave it out, because it has no other choice" if there else did_you_mean(name, known)
            problems.append(Problem(arm.place_of(name), what, hint))
            continue
        switch = known[name]
        possible = read_choices(game)[switch]
        if possible and not any(_value_as_yaml(value) == _value_as_yaml(choice) for choice in possible):
            what = f"the option {switch} does not allow '{format_value(value)}'"
            problems.append(Problem(arm.place_of(name), what, f"it can be {', '.join(map(format_value, possible))}"))
            continue
        if switch in options and _value_as_yaml(options[switch]) != _value_as_yaml(value):
            what = f"{switch} has two values: {_value_as_yaml(options[switch])} and {_value_as_yaml(value)}"
            problems.append(Problem(arm.place_of(name), what, "write two arms"))
        options[switch] = value
    raise_problems(problems)
    return options


def _value_as_yaml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _is_same_value(written: str, value: Value) -> bool:
    """Return True if an unquoted YAML text has this value: `1.50` is 1.5, but `yes` is not the string."""
    if isinstance(value, bool | str):
        return written == (str(value).lower() if isinstance(value, bool) else value)
    try:
        return float(written) == value
    except ValueError:
        return False


def find_values(path: str, folder: Path, resources: Resources) -> dict[str, Value]:
    """Return the single values (no lists or mappings) at data paths that match `path`; a `*` matches any name."""
    steps = path.split(".")
    files = parse_all(folder, resources)
    return {dotted: found[2] for _, root in files for dotted, found in _find_values(root, steps)}


def _find_values(value: Any, steps: list[str], spot: Spot = (0, 0), way: str = "") -> Iterator[tuple[str, _Spot]]:
    if not steps:
        if isinstance(value, bool | int | float | str):
            yield way.removeprefix("."), (*spot, value)
        return
    for name, inner, at in _iter_children(value):
        if name == steps[0] or ("*" in steps[0] and fnmatchcase(name, steps[0].replace("[", "[[]"))):
            yield from _find_values(inner, steps[1:], at, f"{way}.{name}")


def _iter_children(value: Any) -> Iterator[tuple[str, Any, Spot]]:
    """Yield a mapping's children by key, or the entries of a list that have an id by it, and where each is."""
    if isinstance(value, Map):
        for key, one in value.items():
            yield str(key), one, value.values_at[key]
    elif isinstance(value, Seq):
        for at, one in enumerate(value):
            if isinstance(one, Map) and "id" in one:
                yield str(one["id"]), one, value.values_at[at]
