"""What games between bots said of a passage's other readings, for the designer's book."""

from collections.abc import Iterable

from generator.errors import Problem
from generator.lab.naming import MeasureNames, bot_names, is_share, scores
from generator.lab.numbers import Interval, change_with_margin
from generator.model.data_fields import LabFinding, LabFindings, value_name
from generator.model.game import Game, Reading
from generator.model.phrases import phrase
from generator.rulebook.played import RulebookPlay


class FoundLines:
    """Tells it for one book. What was found in another state of the game is not told, but that it was.

    `problems` gets what keeps the rules from being opened.
    """

    def __init__(self, game: Game, lang: str, played: RulebookPlay, problems: list[Problem]):
        self._game, self._lang, self._played, self._problems = game, lang, played, problems

    def lines(self, reading: Reading) -> Iterable[str]:
        """A line for each table at which the entry's other readings were played."""
        for table in self._game.findings:
            found = [one for one in table.entries if one.reading == reading.id]
            if not found:
                continue
            if not self._holds(table):
                yield phrase("found_before", self._lang, game=self._game.id)
                continue
            several = len(found) > 1
            told = phrase("found_next", self._lang).join(self._told(one, table, several=several) for one in found)
            if len(self._game.findings) > 1:
                yield phrase("found_by", self._lang, who=bot_names(table.bots, self._lang), what=told)
            else:
                yield phrase("found", self._lang, what=told)

    def tables(self) -> Iterable[str]:
        """Of each table how many games were played, and by whom."""
        for table in self._game.findings:
            if self._holds(table):
                seats = phrase("players" if table.players > 1 else "lab_alone", self._lang, n=table.players)
                who = phrase("lab_at_table", self._lang, players=seats, bots=bot_names(table.bots, self._lang))
                yield phrase("found_in", self._lang, games=f"{table.games:,}", who=who, run=table.run)
            else:
                yield phrase("found_before", self._lang, game=self._game.id)

    def _holds(self, table: LabFindings) -> bool:
        rules = self._played.rules(self._problems)
        return rules is not None and self._played.state(table.players) == table.state

    def _told(self, found: LabFinding, table: LabFindings, *, several: bool) -> str:
        """What one reading changes; its value before it where there are several."""
        rules = self._played.rules(self._problems)
        names = MeasureNames(self._game, rules, self._lang, alone=table.players == 1)
        changes = [self._change(names, measure, Interval(*by)) for measure, by in found.changes.items()]
        said = phrase("and", self._lang).join(changes) or phrase("found_nothing", self._lang, same=f"{found.same:g}")
        return phrase("found_of", self._lang, value=value_name(found.value), what=said) if several else said

    def _change(self, names: MeasureNames, measure: str, by: Interval) -> str:
        told, unit = change_with_margin(by), ""
        if is_share(measure) or scores(measure):
            unit = phrase("lab_unit_points_of_share" if is_share(measure) else "lab_unit_points", self._lang)
        told = phrase("lab_with_unit", self._lang, n=told, unit=unit) if unit else told
        return f"{names.called(measure, 'brief')}\u00a0{told}"
