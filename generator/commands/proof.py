"""From the project to proofs: each game's designs through other eyes and under their guides, one PDF a language."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.athome.proof import PAPER, proof
from generator.commands.every_game import load_games, make_files, pairs_refused
from generator.commands.printing import Order, Progress, idle_options
from generator.delivery import Delivery
from generator.errors import Problem
from generator.faces.workshop import Workshop
from generator.load.project import Project
from generator.sheets.order import chosen_designs
from generator.sheets.settings import SheetSettings


@dataclass(frozen=True, slots=True)
class ProofOrder:
    """Which designs are proofed: languages (all if empty), folder, ids by pattern."""

    languages: tuple[str, ...]
    out: Path
    only: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The files' name: a selection must not take the place of the whole."""
        return "proof-selection" if self.only else "proof"


def proofs(project: Project, names: tuple[str, ...], order: ProofOrder, progress: Progress) -> tuple[Path, ...]:
    """Write the proofs of the games; ProblemsFound with everything wrong."""
    games, problems = load_games(project, names)
    asked = Order(order.languages, order.out, SheetSettings(PAPER), order.only)

    def make(workshop: Workshop, files: Delivery) -> None:
        game = workshop.game
        designs = chosen_designs(game, order.only)
        if not order.only:
            designs = tuple(design for design in designs if not game.kinds[design.kind].left_out)
        for lang in game.languages if designs else ():
            if order.languages and lang not in order.languages:
                continue
            progress(f"{game.id}: {order.file}.{lang}.pdf")
            with TemporaryDirectory() as folder:
                made = proof(workshop, designs, lang, Path(folder))
                files.write(order.out / game.id / f"{order.file}.{lang}.pdf", partial(workshop.write, made))

    def finish() -> Iterable[Problem]:
        progress("")
        return ()

    found = [*problems, *idle_options(games, asked), *pairs_refused(order.languages, "proofs")]
    return make_files(project, games, found, make, finish)
