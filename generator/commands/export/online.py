"""What exports for online tables share: which designs in which editions, by which names, every problem said."""

from collections.abc import Iterator

from generator.commands.editions import editions_of
from generator.commands.order import Job, Order
from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.export.articles import ArticleLot, lots
from generator.faces.words import Called
from generator.faces.workshop import Workshop
from generator.games.engine.phrases import piece_name
from generator.model.edition import second_language
from generator.model.game import Design
from generator.sheets.order import pick_designs
from generator.versions.naming import names_of


@dataclass(frozen=True, slots=True)
class OnlineOrder(Order):
    """What every export is told; `dpi` is the most pixels that a face gets to the inch."""

    dpi: int = 300


def online_editions(job: Job, order: OnlineOrder) -> Iterator[tuple[str, list[ArticleLot]]]:
    """A game's editions with what they show; a single copy of a design that is not counted where it is asked for."""
    workshop, game = job.workshop, job.workshop.game
    designs = pick_designs(game, order.only)
    if not designs:
        return
    called = player_names(workshop)
    for edition in editions_of(game, order.languages):
        job.progress(f"{game.id}: faces ({edition})")
        found = lots(workshop, edition, designs, called, spare=1 if order.only else 0)
        if found and (not second_language(edition) or workshop.offers(edition)):
            yield edition, found


def player_names(workshop: Workshop) -> Called:
    """What players call a design, else its own name, else its kind and id."""
    problems: list[Problem] = []
    names = names_of(workshop, problems)
    if problems:
        raise ProblemsFound(problems)

    def name_of(design: Design, lang: str) -> str:
        own = names[design.id].get(lang, "")
        if own and workshop.game.kinds[design.kind].called is None:
            return own
        return piece_name(workshop.game, design.id, lang)

    return name_of
