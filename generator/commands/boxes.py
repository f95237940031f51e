"""Tuck boxes of games: for each deck of each game a net on one page, in each language."""

from collections.abc import Iterable, Sequence
from functools import partial

from generator.athome.boxes import box_settings, boxes, decks, with_boxes
from generator.commands.editions import pair_problems
from generator.commands.order import Job, Made, Order, idle_options
from generator.dataclass import dataclass
from generator.errors import Problem, did_you_mean
from generator.faces.workshop import Workshop
from generator.model.game import Game
from generator.model.sizes import paper_size

LARGER = {"Letter": "Tabloid", "Legal": "Tabloid"}
"""The paper that is taken where the first doesn't hold a net: A3 for any other."""


@dataclass(frozen=True, slots=True)
class BoxOrder(Order):
    """Which boxes are made: the kind of a single deck, all if empty; lengths in mm; `clean` ones name no draft."""

    deck: str = ""
    stock: float = 0.3
    sleeve: float = 0.0
    paper: str = "A4"
    margin: float = 5.0
    clean: bool = False

    @property
    def file(self) -> str:
        """The files' name: a single deck's box must not take the place of all."""
        return f"box-{self.deck}" if self.deck else "boxes"

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """What no game has, and pairs of languages."""
        yield from idle_options(games, self)
        yield from _no_deck(games, self)
        yield from pair_problems(self.languages, "boxes")

    def make(self, job: Job) -> Made:
        """The boxes of one game; ProblemsFound with everything wrong."""
        game = job.workshop.game
        papers = tuple((name, paper_size(name)) for name in dict.fromkeys((self.paper, LARGER.get(self.paper, "A3"))))
        settings = box_settings(job.workshop, self.stock, self.sleeve, papers, self.margin, self.clean)
        contents = decks(game, self.deck)
        dressed = Workshop(with_boxes(game, contents, settings), job.project.resources)
        for lang in game.languages if contents else ():
            if self.languages and lang not in self.languages:
                continue
            job.progress(f"{game.id}: {self.file}.{lang}.pdf")
            made = boxes(dressed, contents, lang, settings)
            job.files.write(self.out / game.id / f"{self.file}.{lang}.pdf", partial(dressed.write, made))
        return Made()


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
