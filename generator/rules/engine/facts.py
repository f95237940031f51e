"""Facts, switches, situations and named checks of a game's data, and names for whole numbers."""

from collections import Counter, namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeAlias, TypeVar, cast

from generator.base.errors import EntryNumber, Problem, ProblemsFound, did_you_mean, format_path
from generator.game.model import Design, Game, Kind
from generator.game.rich_text import Words

_MARK = "_is_check"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a check: `ok` if the data keep the rule, and the figures ("3 players: 21 + 7 + 50 = 78")."""

    ok: bool
    figures: str


Check: TypeAlias = Callable[[Game], Outcome]


def check(function: Check) -> Check:
    """Mark a function as a check that the game's `checks.yaml` may call by name; return it unchanged."""
    setattr(function, _MARK, True)
    return function


def find_checks(module: ModuleType) -> Mapping[str, Check]:
    """Return the functions of a module that are marked as checks, by name."""
    return {name: value for name, value in vars(module).items() if hasattr(value, _MARK)}


def format_finding(result: object, stated: object) -> str:
    """Format what a check computed, and the value stated in the limits if it differs."""
    return str(result) if result == stated else f"{result} (the limits say {stated})"


def make_outcome(figures: str, faults: Iterable[str]) -> Outcome:
    """Return the figures followed by all faults; the outcome is good without faults."""
    listed = list(faults)
    return Outcome(not listed, "; ".join([figures, *listed]))


def check_each_table(game: Game, row: Callable[[int], tuple[bool, str]]) -> Outcome:
    """Check a fact for each number of players: `row` returns if it holds, and figures, which the finding joins."""
    found = {players: row(players) for players in game.players}
    figures = "; ".join(f"{players} players: {told}" for players, (_, told) in found.items())
    return Outcome(bool(found) and all(ok for ok, _ in found.values()), figures)


def is_proposed(game: Game, design: Design) -> bool:
    """Return True if a design's effects in the data, or anything around them, are marked as proposed by us."""
    kind, name = design.id.split("/", 1)
    steps = ("components", kind, "designs", name, "effects")
    return any(game.marks.get(".".join(steps[:n])) == "provisional" for n in range(1, len(steps) + 1))


def iter_words(path: str, value: Any) -> Iterator[tuple[str, Words]]:
    """Yield every translated text inside a value with its path."""
    if isinstance(value, Words):
        yield path, value
    elif isinstance(value, (Mapping, tuple)):
        for name, part in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from iter_words(f"{path}.{name}", part)


#     @codes
#     class Phase:
#         DRAW = 0
#         ACTION = 1
#
#     @reading("end_pile_exhausted")  # a name for each choice in readings.yaml
#     class EndPileExhausted:
#         FINISH_TURN = 0
#         IMMEDIATE = 1
#
# Kernels write `s.phase == Phase.DRAW`. `Phase` is one object with a slot for each name, because reading a member of
# an enum or an attribute of a class takes several times as long. Compiled kernels get `to_constants` instead.

_C = TypeVar("_C")
_D = TypeVar("_D")


class Codes:
    """Whole numbers with names in capitals; `SWITCH` names the switch whose choices they are, or is empty."""

    __slots__ = ("SWITCH",)
    SWITCH: str


def codes(names: type[_C]) -> type[_C]:
    """Turn a class that names distinct whole numbers into Codes."""
    return _make_codes(names, "")


def switch_codes(switch: str) -> Callable[[type[_C]], type[_C]]:
    """Return a decorator that makes Codes of a switch: `ON_FAILED_DRAW` means its choice `on_failed_draw`, `IS_7` 7."""
    return lambda names: _make_codes(names, switch)


def _make_codes(names: type[_C], switch: str) -> type[_C]:
    found = {name: value for name, value in vars(names).items() if not name.startswith("_")}
    if not found or len(set(found.values())) < len(found) or not all(type(value) is int for value in found.values()):
        raise TypeError(f"{names.__name__} should name whole numbers, each of them once")
    made = type(names.__name__, (Codes,), {"__slots__": tuple(found), "__doc__": names.__doc__})()
    for name, value in {**found, "SWITCH": switch}.items():
        setattr(made, name, value)
    return cast("type[_C]", made)


def code_numbers(named: Any) -> Mapping[str, int]:
    """Return the number of each name of Codes, in the order of their definition."""
    return {name: getattr(named, name) for name in type(named).__slots__}


def find_code_name(named: Any, number: int) -> str:
    """Return the name of a number among these codes, in lower case. Raise LookupError if it has none."""
    for name, value in code_numbers(named).items():
        if value == number:
            return name.lower()
    raise LookupError(f"{type(named).__name__} has no name for {number}")


def find_range_start(named: Any, number: int) -> int:
    """Return the start of the range that a number belongs to, where the codes name the starts of ranges."""
    return max(begin for begin in code_numbers(named).values() if begin <= number)


def code_name_from_choice(choice: Any) -> str:
    """Return the name that a choice in the data has among the codes of its switch."""
    name = str(choice).upper()
    return name if name.isidentifier() else f"IS_{name}"


def to_constants(named: Codes) -> Any:
    """Return the same names and numbers in a form that numba compiles."""
    return namedtuple(type(named).__name__, code_numbers(named))(**code_numbers(named))


def pack_members(chosen: Iterable[bool]) -> int:
    """Return the set of the indexes of true values, as bits: see `kernel.iter_members`."""
    return sum(1 << at for at, is_in in enumerate(chosen) if is_in)


_MISSING = object()


class FactReader:
    """Reader for facts by their path below `rules` in the data; `raise_problems` raises all problems at once."""

    def __init__(self, game: Game):
        self._game = game
        self._problems: list[Problem] = []

    def read_whole(self, *path: Any, least: int = 0) -> int:
        """Return a whole number that is at least `least`. Note a problem, and return `least`, for anything else."""
        value = self._find_value(path)
        if _is_whole(value) and value >= least:
            return int(value)
        self._add_wrong_value(path, value, f"a whole number, {least} or more", "write digits only")
        return least

    def read_wholes(self, *path: Any, fewest: int = 0) -> tuple[int, ...]:
        """Return a list of at least `fewest` whole numbers. Note a problem, and return (), for anything else."""
        value = self._find_value(path)
        if isinstance(value, (tuple, list)) and len(value) >= fewest and all(map(_is_whole, value)):
            return tuple(value)
        self._add_wrong_value(path, value, "a list of whole numbers", "write it as [1, 2, 3]")
        return ()

    def read_table(self, *path: Any) -> Mapping[str, int]:
        """Return whole numbers by name."""
        value = self._find_value(path)
        if isinstance(value, Mapping) and value and all(map(_is_whole, value.values())):
            return value
        self._add_wrong_value(path, value, "whole numbers by name", "write it as {name: 1, other: 2}")
        return {}

    def read_name(self, *path: Any, known: Collection[str]) -> str:
        """Return one of the known names. Note a problem, and return '', for anything else."""
        value = self._find_value(path)
        if isinstance(value, str) and value in known:
            return value
        if value is not _MISSING:
            self._add_problem(path, f"{_format_rules_path(path)} is '{value}'", did_you_mean(str(value), known))
        return ""

    def read_rows(self, *path: Any, columns: tuple[str, ...]) -> tuple[Mapping[str, int], ...]:
        """Return rows with a whole number in every column; in a column `players`, each number that can play must be."""
        value = self._find_value(path)
        if not isinstance(value, (tuple, list)):
            self._add_wrong_value(path, value, "a list of rows", "write each row as `- {name: 1, other: 2}`")
            return ()
        rows = tuple(
            {column: self.read_whole(*path, EntryNumber(n), column) for column in columns} for n in range(len(value))
        )
        for players in self._game.players if "players" in columns else ():
            if all(row["players"] != players for row in rows):
                what = f"{_format_rules_path(path)} has no row for {players} players"
                self._add_problem(path, what, f"add `- {{players: {players}, ...}}`")
        return rows

    def read_facts(self, kind: type[_D], *path: str, **given: Any) -> _D:
        """Return a `kind` (a dataclass); fields that are not given are read by their names and types below the path."""
        readers: dict[Any, Callable[..., Any]] = {int: self.read_whole, tuple[int, ...]: self.read_wholes}
        readers[Mapping[str, int]] = self.read_table
        names = {name: readers[wanted] for name, wanted in kind.__annotations__.items() if name not in given}
        return kind(**given, **{name: read(*path, name) for name, read in names.items()})

    def read_player_rows(self, kind: type[_D], *path: str) -> dict[int, _D]:
        """Return the rows of a table as dataclasses of type `kind`, by their number of players."""
        rows = self.read_rows(*path, columns=tuple(kind.__annotations__))
        return {row["players"]: kind(**row) for row in rows}

    def read_readings(self, kind: type[_D]) -> _D:
        """Return a dataclass of type `kind` with the value in force of the switch that each field names."""
        return kind(**self.read_switches(tuple(kind.__annotations__)))

    def read_switches(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the value in force of each named switch; report switches of the game that are not named."""
        given = self._game.switches
        for reading in self._game.readings.values():
            if reading.switch and reading.switch not in names:
                what = f"{reading.id} has the switch '{reading.switch}', which these rules do not know"
                self._problems.append(Problem(reading.place, what, did_you_mean(reading.switch, names)))
        for name in names:
            if name not in given:
                what = f"no reading has the switch '{name}', which these rules need"
                place = self._game.places.place("readings") or self._game.places.place("title")
                self._problems.append(Problem(place, what, f"add `switch: {name}` to its reading"))
        return {name: given.get(name) for name in names}

    def raise_problems(self) -> None:
        """Raise ProblemsFound if any fact was missing or wrong; facts are valid only after this call."""
        if self._problems:
            raise ProblemsFound(self._problems)

    def _find_value(self, path: tuple[Any, ...]) -> Any:
        value = self._game.sections.get("rules", {})
        for n, step in enumerate(path):
            if isinstance(value, tuple | list):
                there = isinstance(step, int) and step < len(value)
            else:
                there = isinstance(value, Mapping) and step in value
            if not there:
                names = value if isinstance(value, Mapping) else ()
                what = f"{_format_rules_path(path[: n + 1])} is missing, and the rules of {self._game.id} need it"
                self._add_problem(path[:n], what, did_you_mean(str(step), names) if names else f"add `{step}: ...`")
                return _MISSING
            value = value[step]
        return value

    def _add_wrong_value(self, path: tuple[Any, ...], value: Any, wanted: str, hint: str) -> None:
        if value is not _MISSING:
            self._add_problem(path, f"{_format_rules_path(path)} must be {wanted}", hint)

    def _add_problem(self, path: tuple[Any, ...], what: str, hint: str) -> None:
        self._problems.append(Problem(self._game.places.place("rules", *path), what, hint))


def encode_facts(facts: Any) -> dict[str, Any]:
    """Return the whole numbers of a dataclass, and rows of them, as kernels read them."""
    names = [name for name, wanted in type(facts).__annotations__.items() if wanted in (int, tuple[int, ...])]
    return {name: getattr(facts, name) for name in names}


def find_kind(game: Game, name: str) -> Kind:
    """Return a kind of component. Raise ProblemsFound if the box has no kind of this name."""
    if name not in game.kinds:
        place = game.places.place("components")
        raise ProblemsFound([Problem(place, f"there is no component '{name}'", did_you_mean(name, game.kinds))])
    return game.kinds[name]


def count_printed(game: Game, kind: str, field: str) -> Counter[Any]:
    """Return how many cards of a kind are printed with each value of a field."""
    found = Counter[Any]()
    for design in find_kind(game, kind).designs:
        found[design.fields[field]] += design.count
    return found


def find_card_faults(designs: Iterable[Design], name: str, wanted: Mapping[str, int]) -> Iterator[str]:
    """Yield what differs from the wanted number of each card; `name` is made of a card's fields: `{suit}-{number}`."""
    found, misnamed = Counter[str](), []
    for design in designs:
        card = name.format_map(design.fields)
        found[card] += design.count
        misnamed += [design.id] if design.id.partition("/")[2] != card else []
    faults = {"missing": Counter(wanted) - found, "too many": found - Counter(wanted), "misnamed": misnamed}
    yield from (f"{fault}: {', '.join(cards)}" for fault, cards in faults.items() if cards)


def read_rule_texts(game: Game, *path: str, fewest: int = 0) -> tuple[str, ...]:
    """Return a list of at least `fewest` plain texts below `rules`. Raise ProblemsFound if there is no such list."""
    value: Any = game.sections.get("rules", {})
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    if isinstance(value, tuple) and len(value) >= fewest and all(isinstance(text, str) for text in value):
        return value
    place = game.places.place("rules", *path) or game.places.place("rules")
    what = f"{_format_rules_path(path)} must be a list of texts, and the rules of {game.id} need it"
    raise ProblemsFound([Problem(place, what, "write it as [one, other]")])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _format_rules_path(path: tuple[Any, ...]) -> str:
    return format_path(("rules", *path))


# All of these raise ValueError with a message for the user.

_K = TypeVar("_K", bound=str)


def require_known_names(given: Iterable[Any], names: Collection[str]) -> None:
    """Raise ValueError if anything other than these names is given."""
    for name in given:
        if name not in names:
            raise ValueError(f"'{name}' can't be given; {did_you_mean(str(name), names)}")


def find_known_name(name: Any, known: Collection[_K], what: str) -> _K:
    """Return the known name that equals `name`. Raise ValueError if there is none; `what` says what it names."""
    for one in known:
        if one == name:
            return one
    raise ValueError(f"there is no {what} '{name}'; {did_you_mean(str(name), known)}")


def read_number(value: Any, name: str, least: int, most: int | None = None) -> int:
    """Return a number, also one in digits, as YAML keys are. Raise ValueError with `name` for other values."""
    number = int(value) if str(value).isdecimal() and not isinstance(value, bool) else -1
    if number < least or (most is not None and number > most):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is '{value}'; it should be a number {bounds}")
    return number


def read_seat(value: Any, players: int) -> int:
    """Return a user's seat (from 1) counted from 0. Raise ValueError if it is not within 1 to `players`."""
    return read_number(value, "a seat", 1, players) - 1


def read_list(value: Any, name: str) -> Sequence[Any]:
    """Return the value if it is a list. Raise ValueError, which calls it `name`, if it is not."""
    if isinstance(value, (list, tuple)):
        return value
    raise ValueError(f"{name} is '{value}'; it should be a list, such as [6L1, 5H]")


def read_entries(value: Any, name: str) -> Iterable[tuple[Any, Any]]:
    """Return the (key, value) pairs of a mapping such as {1: ..., 2: ...}. Raise ValueError for any other value."""
    if isinstance(value, Mapping):
        return value.items()
    raise ValueError(f"{name} should be given as {{1: ..., 2: ...}}")


class CardPool:
    """Cards without a place yet; each card can be taken once.

    `cards` lists the cards that a name may mean, in the order of preference: one card for the name of a copy, all
    copies for the name of a design. A copy listed in `named` is never taken for its design.
    """

    def __init__(self, cards: Mapping[str, Sequence[int]], named: Collection[str] = ()):
        self._cards = cards
        self._kept = {card for name in named for card in cards.get(name, ()) if len(cards[name]) == 1}
        self.free = sorted({card for copies in cards.values() for card in copies})

    def take(self, names: Any, where: str) -> list[int]:
        """Take the named cards and return them in this order; `where` names the list in errors."""
        return [self.take_one(str(name)) for name in read_list(names, where)]

    def take_one(self, name: str) -> int:
        """Take and return a card of this name. Raise ValueError if no such card is left."""
        copies = self._cards[find_known_name(name, self._cards, "card")]
        left = [card for card in copies if card in self.free and (len(copies) == 1 or card not in self._kept)]
        if not left:
            raise ValueError(f"the card {name} is named more often than it exists")
        self.free.remove(left[0])
        return left[0]

    def take_any(self, number: int, fitting: Collection[int] | None = None, *, last: bool = False) -> list[int]:
        """Take the first or last `number` cards that are left, or that fit. Raise ValueError if there are too few."""
        there = [card for card in self.free if fitting is None or card in fitting]
        if number > len(there):
            raise ValueError(f"{number} cards are wanted, and only {len(there)} are left")
        found = there[len(there) - number :] if last else there[:number]
        self.free = [card for card in self.free if card not in found]
        return found


def iter_texts(value: Any) -> Iterable[str]:
    """Yield every text inside a value, including names of cards."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, list, tuple)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from iter_texts(part)
