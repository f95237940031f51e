"""What exports for online tables share: which designs in which editions, by which names, every problem said."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from generator.commands.every_game import load_games, make_files
from generator.commands.printing import Order, Progress, editions_of, idle_options, unmade_editions
from generator.delivery import Delivery
from generator.errors import Problem, ProblemsFound
from generator.export.articles import ArticleLot, lots
from generator.faces.words import Called
from generator.faces.workshop import Workshop
from generator.games.engine.phrases import piece_name
from generator.load.project import Project
from generator.model.edition import second_language
from generator.model.game import Design
from generator.model.sizes import paper_size
from generator.record.naming import names_of
from generator.sheets.order import chosen_designs
from generator.sheets.settings import SheetSettings


class OnlineOrder(Protocol):
    """What every export is told: languages (all if empty), folder, ids by pattern."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages, or two joined by `+`."""

    @property
    def out(self) -> Path:
        """Files go to its folders by game."""

    @property
    def only(self) -> tuple[str, ...]:
        """Patterns of ids; none is all."""


Make = Callable[[Workshop, str, list[ArticleLot], Delivery], None]
"""Makes the files of a game in one edition."""


def export(
    project: Project, names: tuple[str, ...], order: OnlineOrder, progress: Progress, make: Make
) -> tuple[Path, ...]:
    """The files of every game in every edition; ProblemsFound with everything wrong, and then nothing is written."""
    games, problems = load_games(project, names)
    printing = Order(order.languages, order.out, SheetSettings(paper_size("A4"), paper_name="A4"), order.only)
    made: set[str] = set()

    def each(workshop: Workshop, files: Delivery) -> None:
        for edition, found in _editions(workshop, order, progress):
            make(workshop, edition, found, files)
            made.add(edition)

    def finish() -> Iterable[Problem]:
        progress("")
        return unmade_editions(games, printing, frozenset(made))

    return make_files(project, games, [*problems, *idle_options(games, printing)], each, finish)


def _editions(workshop: Workshop, order: OnlineOrder, progress: Progress) -> Iterator[tuple[str, list[ArticleLot]]]:
    """A game's editions with what they show; a single copy of a design that is not counted where it is asked for."""
    game = workshop.game
    designs = chosen_designs(game, order.only)
    if not designs:
        return
    called = _called(workshop)
    for edition in editions_of(game, order.languages):
        progress(f"{game.id}: faces ({edition})")
        found = lots(workshop, edition, designs, called, spare=1 if order.only else 0)
        if found and (not second_language(edition) or workshop.offers(edition)):
            yield edition, found


def _called(workshop: Workshop) -> Called:
    """What players call a design, else its own name, else its kind and id."""
    problems: list[Problem] = []
    names = names_of(workshop, problems)
    if problems:
        raise ProblemsFound(problems)

    def called(design: Design, lang: str) -> str:
        own = names[design.id].get(lang, "")
        if own and workshop.game.kinds[design.kind].called is None:
            return own
        return piece_name(workshop.game, design.id, lang)

    return called
