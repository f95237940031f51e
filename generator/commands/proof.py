"""Proofs of games: each design through other eyes and under its guides, one PDF a language."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from generator.athome.proof import proof
from generator.commands.editions import pair_problems
from generator.commands.order import Job, Made, Order, idle_options
from generator.dataclass import dataclass
from generator.errors import Problem
from generator.model.game import Game
from generator.sheets.order import pick_designs


@dataclass(frozen=True, slots=True)
class ProofOrder(Order):
    """Which designs are proofed."""

    @property
    def file(self) -> str:
        """The files' name: a selection must not take the place of the whole."""
        return "proof-selection" if self.only else "proof"

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """What no game has, and pairs of languages."""
        return (*idle_options(games, self), *pair_problems(self.languages, "proofs"))

    def make(self, job: Job) -> Made:
        """The proofs of one game; ProblemsFound with everything wrong."""
        game = job.workshop.game
        designs = pick_designs(game, self.only)
        if not self.only:
            designs = tuple(design for design in designs if not game.kinds[design.kind].left_out)
        for lang in game.languages if designs else ():
            if self.languages and lang not in self.languages:
                continue
            job.progress(f"{game.id}: {self.file}.{lang}.pdf")
            with TemporaryDirectory() as folder:
                pages = proof(job.workshop, designs, lang, Path(folder))
                target = self.out / game.id / f"{self.file}.{lang}.pdf"
                job.files.write(target, partial(job.workshop.write, pages))
        return Made()
