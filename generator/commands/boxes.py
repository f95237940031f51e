"""From the project to tuck boxes: for each deck of each game a net on one page, in each language."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generator.athome.boxes import BoxSettings, boxes, decks, with_boxes
from generator.checklist.document import accent
from generator.commands.every_game import load_games, make_files, pairs_refused
from generator.commands.printing import Progress, idle_languages
from generator.delivery import Delivery
from generator.errors import Problem, did_you_mean
from generator.faces.workshop import Workshop
from generator.load.project import Project
from generator.model.colour import contrast
from generator.model.game import Game
from generator.model.sizes import paper_size

LARGER = {"Letter": "Tabloid", "Legal": "Tabloid"}
"""The paper that is taken where the first doesn't hold a net: A3 for any other."""


@dataclass(frozen=True, slots=True)
class BoxOrder:
    """Which boxes are made: languages (all if empty), folder, the kind of a single deck; lengths in mm."""

    languages: tuple[str, ...]
    out: Path
    deck: str = ""
    stock: float = 0.3
    sleeve: float = 0.0
    paper: str = "A4"
    margin: float = 5.0

    @property
    def file(self) -> str:
        """The files' name: a single deck's box must not take the place of all."""
        return f"box-{self.deck}" if self.deck else "boxes"


def make_boxes(project: Project, names: tuple[str, ...], order: BoxOrder, progress: Progress) -> tuple[Path, ...]:
    """Write the boxes of the games; ProblemsFound with everything wrong."""
    games, problems = load_games(project, names)
    problems += [*idle_languages(games, order.languages), *_no_deck(games, order)]
    problems += pairs_refused(order.languages, "boxes")
    papers = tuple(dict.fromkeys((order.paper, LARGER.get(order.paper, "A3"))))

    def make(workshop: Workshop, files: Delivery) -> None:
        game = workshop.game
        paint = accent(game.palette)
        settings = BoxSettings(
            order.stock,
            order.sleeve,
            tuple((name, paper_size(name)) for name in papers),
            order.margin,
            paint,
            "#ffffff"
            if contrast(workshop.hex(paint), "#ffffff") >= contrast(workshop.hex(paint), "#000000")
            else "ink",
        )
        contents = decks(game, order.deck)
        dressed = Workshop(with_boxes(game, contents, settings), project.resources)
        for lang in game.languages if contents else ():
            if order.languages and lang not in order.languages:
                continue
            progress(f"{game.id}: {order.file}.{lang}.pdf")
            made = boxes(dressed, contents, lang, settings)
            files.write(order.out / game.id / f"{order.file}.{lang}.pdf", partial(dressed.write, made))

    def finish() -> Iterable[Problem]:
        progress("")
        return ()

    return make_files(project, games, problems, make, finish)


def _no_deck(games: Iterable[Game], order: BoxOrder) -> Iterable[Problem]:
    """A deck that no game has, or no cards at all."""
    games = list(games)
    if not games or any(decks(game, order.deck) for game in games):
        return
    of = f"{games[0].id} has" if len(games) == 1 else "no game has"
    if not order.deck:
        yield Problem(None, f"{of} no cards to put into a box" if len(games) == 1 else f"{of} cards to put into a box")
        return
    kinds = [kind.id for game in games for content in decks(game) for kind in content.kinds]
    what = f"--deck {order.deck}: {of}{' no' if len(games) == 1 else ''} such kind of cards"
    yield Problem(None, what, did_you_mean(order.deck, kinds))
