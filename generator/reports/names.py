"""What a result's measures, arms and players are called in one language."""

from collections.abc import Mapping
from typing import Any

from generator.errors import Problem
from generator.faces.words import plain
from generator.faces.workshop import Workshop
from generator.games.engine.contract import Rules
from generator.games.engine.phrases import piece_name
from generator.lab.naming import MeasureNames, bot_names, scores
from generator.lab.results import Result
from generator.model.data_fields import value_name
from generator.model.game import Design, Reading
from generator.model.phrases import phrase


class Names:
    """Names for one report; a measure that nobody has named is called as the result calls it."""

    def __init__(self, workshop: Workshop, rules: Rules | None, result: Result, lang: str):
        self._workshop, self._game, self._result, self._lang = workshop, workshop.game, result, lang
        self.problems: list[Problem] = []
        """What is wrong with the texts of the data."""
        self._arms: Mapping[str, Any] = result.about["experiment"]["arms"]
        alone = max(cell.players for cell, _ in result.cells) == 1
        self._measures = MeasureNames(self._game, rules, lang, alone=alone)

    def measure(self, name: str) -> str:
        """What a measure is called where there is room: as the experiment calls it, else in words of ours."""
        return self._result.asked.labels.get(name) or self._measures.called(name, "measure")

    def brief(self, name: str) -> str:
        """What it is called at the head of a narrow column."""
        return self._result.asked.labels.get(name) or self._measures.called(name, "brief")

    def unit(self, name: str) -> str:
        """In what it is counted where its name doesn't say that; percentage points for what is told of shares."""
        if name in self._result.shares:
            return phrase("lab_unit_points_of_share", self._lang)
        return phrase("lab_unit_points", self._lang) if self.scores(name) else ""

    def scores(self, name: str) -> bool:
        """Whether a measure counts points."""
        return scores(name)

    def reading(self, arm: str) -> tuple[Reading, str] | None:
        """The entry that an arm reads otherwise and how, in words; None where it changes anything else."""
        asked = self._arms[arm]
        if len(asked["readings"]) != 1 or asked["values"]:
            return None
        name, value = next(iter(asked["readings"].items()))
        entry = self._game.readings.get(name)
        return (entry, self._means(entry, value)) if entry is not None else None

    def problem(self, reading: Reading) -> str:
        """What is unclear about an entry's passage."""
        return self._filled(reading, "problem", reading.problem[self._lang])

    def in_force(self, reading: Reading) -> str:
        """The reading that an entry has in the data, in words."""
        if reading.means:
            return self._means(reading, reading.value)
        return self._filled(reading, "reading", reading.reading[self._lang])

    def arm(self, name: str) -> tuple[str, str]:
        """An arm by its entry's number and the reading in words, or by its own name alone."""
        found = self.reading(name)
        return (found[0].id, found[1]) if found is not None else ("", name)

    def players(self, bots: tuple[str, ...]) -> str:
        """Who plays at a table, each named once."""
        return bot_names(bots, self._lang)

    def _means(self, reading: Reading, value: object) -> str:
        name = value_name(value)
        if name not in reading.means:
            return f"{reading.switch}: {name}"
        return self._filled(reading, "means", reading.means[name][self._lang])

    def _filled(self, reading: Reading, part: str, words: str) -> str:
        """A text of an entry with its values filled in, in plain characters."""
        views = self._workshop.artist.views
        said = str(views.entry({"says": words}, f"{part}.{reading.id}", self._lang, reading.place)["says"])
        return plain(self._game, said, self._lang, self._called_piece, reading.place, self.problems)

    def _called_piece(self, design: Design, lang: str) -> str:
        return piece_name(self._game, design.id, lang)
