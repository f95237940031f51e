"""Reads the numbers and switches that a game's rules need from its data, and says what is missing or malformed."""

from collections.abc import Mapping
from typing import Any

from generator.errors import EntryNumber, Problem, ProblemsFound, did_you_mean, format_path
from generator.model.game import Game, Kind

_MISSING = object()


class FactReader:
    """Looks facts up by their path below `rules` in the data; `finish` raises every problem at once."""

    def __init__(self, game: Game):
        self._game = game
        self._problems: list[Problem] = []

    def whole(self, *path: Any, least: int = 0) -> int:
        """A whole number, `least` or more."""
        value = self._value(path)
        if _is_whole(value) and value >= least:
            return int(value)
        self._wrong(path, value, f"a whole number, {least} or more", "write digits only")
        return least

    def wholes(self, *path: Any, fewest: int = 0) -> tuple[int, ...]:
        """A list of whole numbers, `fewest` or more of them."""
        value = self._value(path)
        if isinstance(value, (tuple, list)) and len(value) >= fewest and all(map(_is_whole, value)):
            return tuple(value)
        self._wrong(path, value, "a list of whole numbers", "write it as [1, 2, 3]")
        return ()

    def table(self, *path: Any) -> Mapping[str, int]:
        """Whole numbers by name."""
        value = self._value(path)
        if isinstance(value, Mapping) and value and all(map(_is_whole, value.values())):
            return value
        self._wrong(path, value, "whole numbers by name", "write it as {name: 1, other: 2}")
        return {}

    def name(self, *path: Any, known: Mapping[str, Any]) -> str:
        """One of the known names."""
        value = self._value(path)
        if isinstance(value, str) and value in known:
            return value
        if value is not _MISSING:
            self._problem(path, f"{_below_rules(path)} is '{value}'", did_you_mean(str(value), known))
        return ""

    def rows(self, *path: Any, columns: tuple[str, ...]) -> tuple[Mapping[str, int], ...]:
        """A list of rows, each with a whole number in every column."""
        value = self._value(path)
        if not isinstance(value, (tuple, list)):
            self._wrong(path, value, "a list of rows", "write each row as `- {name: 1, other: 2}`")
            return ()
        return tuple(
            {column: self.whole(*path, EntryNumber(n), column) for column in columns} for n in range(len(value))
        )

    def switches(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The value in force of each named switch; the game may have no others."""
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

    def finish(self) -> None:
        """Raise ProblemsFound if anything was wrong; what was read before is good only if this returns."""
        if self._problems:
            raise ProblemsFound(self._problems)

    def _value(self, path: tuple[Any, ...]) -> Any:
        value = self._game.sections.get("rules", {})
        for n, step in enumerate(path):
            if not _has(value, step):
                names = value if isinstance(value, Mapping) else ()
                what = f"{_below_rules(path[: n + 1])} is missing, and the rules of {self._game.id} need it"
                self._problem(path[:n], what, did_you_mean(str(step), names) if names else f"add `{step}: ...`")
                return _MISSING
            value = value[step]
        return value

    def _wrong(self, path: tuple[Any, ...], value: Any, wanted: str, hint: str) -> None:
        if value is not _MISSING:
            self._problem(path, f"{_below_rules(path)} must be {wanted}", hint)

    def _problem(self, path: tuple[Any, ...], what: str, hint: str) -> None:
        self._problems.append(Problem(self._game.places.place("rules", *path), what, hint))


def kind_of(game: Game, name: str) -> Kind:
    """A kind of component that the rules need; ProblemsFound if the box has none of this name."""
    if name not in game.kinds:
        place = game.places.place("components")
        raise ProblemsFound([Problem(place, f"there is no component '{name}'", did_you_mean(name, game.kinds))])
    return game.kinds[name]


def texts_of(game: Game, *path: str, fewest: int = 0) -> tuple[str, ...]:
    """A list of plain texts below `rules`, `fewest` or more of them; ProblemsFound if there is none."""
    value: Any = game.sections.get("rules", {})
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    if isinstance(value, tuple) and len(value) >= fewest and all(isinstance(text, str) for text in value):
        return value
    place = game.places.place("rules", *path) or game.places.place("rules")
    what = f"{_below_rules(path)} must be a list of texts, and the rules of {game.id} need it"
    raise ProblemsFound([Problem(place, what, "write it as [one, other]")])


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _has(value: Any, step: Any) -> bool:
    if isinstance(value, Mapping):
        return step in value
    return isinstance(value, (tuple, list)) and isinstance(step, int) and step < len(value)


def _below_rules(path: tuple[Any, ...]) -> str:
    return format_path(("rules", *path))
