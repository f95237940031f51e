"""What a rulebook's template may ask of the data besides what cards may: counts, names, amounts, readings, examples."""

from fnmatch import fnmatchcase
from typing import Any

from generator.errors import Unfit, did_you_mean
from generator.games.engine.phrases import piece_name
from generator.model.game import Design, Example, Game, Kind, Reading
from generator.rulebook.designer import reading_words
from generator.rulebook.provisional import open_values
from generator.templates.view import GameViews, View


class Values:
    """The variables of one game's rulebook in one language; Unfit, in words, for what does not exist."""

    def __init__(self, game: Game, lang: str, views: GameViews):
        self._game, self._lang, self._views = game, lang, views

    def variables(self) -> dict[str, Any]:
        """All names that the template knows."""
        game, lang = self._game, self._lang
        return {
            **self._views.of_game(lang),
            "switches": self._views.entry(game.switches, "switches", lang),
            "count": self.count,
            "name": self.name,
            "design": lambda name: self._component(self._design(name)),
            "designs": lambda name: tuple(self._component(design) for design in self._chosen(name)),
            "setup": self.setup,
            "reading": lambda name: self._reading(self._found(name, game.readings, "reading"))["reading"],
            "readings": tuple(self._reading(reading) for reading in game.readings.values()),
            "example": lambda name: self._example(self._found(name, {one.id: one for one in game.examples}, "example")),
            "operations": tuple(game.operations),
            "provisional": tuple(
                self._views.entry({"path": path, "value": value}, "provisional", lang)
                for path, value in open_values(game, lang)
            ),
        }

    def count(self, name: str) -> int:
        """How many pieces of a kind or pattern are printed."""
        return sum(design.count for design in self._chosen(name))

    def name(self, name: str) -> str:
        """What a kind or a component is called."""
        if name in self._game.kinds:
            return self._game.kinds[name].name[self._lang]
        return piece_name(self._game, self._design(name).id, self._lang)

    def setup(self, players: int) -> tuple[View, ...]:
        """What set-up takes for so many players."""
        if players not in tuple(self._game.players):
            most = self._game.players
            raise Unfit(f"there is no set-up for {players} players", f"this game is for {most.fewest} to {most.most}")
        return tuple(
            self._views.entry(
                {
                    "kind": item.kind,
                    "name": self._game.kinds[item.kind].name[self._lang],
                    "take": item.take,
                    "each_player": item.each_player,
                    "amount": item.take * (players if item.each_player else 1),
                },
                "setup",
                self._lang,
            )
            for item in self._game.setup
        )

    def _component(self, design: Design) -> View:
        more = {"name": piece_name(self._game, design.id, self._lang), "kind": design.kind}
        return self._views.component(design, self._lang, more)

    def _design(self, name: str) -> Design:
        found: Design = self._found(name, {design.id: design for design in self._game.designs()}, "component")
        return found

    def _chosen(self, name: str) -> list[Design]:
        kind: Kind | None = self._game.kinds.get(name)
        if kind is not None:
            return list(kind.designs)
        chosen = [design for design in self._game.designs() if fnmatchcase(design.id, str(name))]
        if not chosen:
            known = [*self._game.kinds, *(design.id for design in self._game.designs())]
            raise Unfit(f"unknown component '{name}'", did_you_mean(str(name), known))
        return chosen

    def _found(self, name: str, among: Any, what: str) -> Any:
        if name not in among:
            raise Unfit(f"unknown {what} '{name}'", did_you_mean(str(name), map(str, among)))
        return among[name]

    def _reading(self, reading: Reading) -> View:
        raw = {
            "id": reading.id,
            "passage": reading.passage,
            "problem": reading.problem,
            "reading": reading_words(reading, self._lang),
            "switch": reading.switch,
            "value": reading.value,
            "choices": reading.choices,
        }
        return self._views.entry(raw, f"reading {reading.id}", self._lang, reading.place)

    def _example(self, example: Example) -> View:
        raw = {"id": example.id, "players": example.players, "moves": example.moves, "given": example.given}
        more = {"says": example.says} if example.says is not None else {}
        return self._views.entry({**raw, **more}, f"example {example.id}", self._lang, example.place)
