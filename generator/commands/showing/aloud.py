"""What every piece of a game says, as a text and a web page for those who hear rather than see it."""

from collections.abc import Iterable, Sequence
from functools import partial

from generator.athome.code_labels import CodeLabel, code_labels
from generator.commands.braille import braille_notes, in_braille
from generator.commands.editions import pair_problems
from generator.commands.export.online import player_names
from generator.commands.order import Job, Made, Order, idle_options
from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.export.aloud import Spoken, as_page, as_text, spoken
from generator.model.game import Game
from generator.model.phrases import phrase
from generator.pages.braille.brf import TABLES, as_brf
from generator.sheets.order import pick_designs


@dataclass(frozen=True, slots=True)
class AloudOrder(Order):
    """Where the page will lie (`url`, the folder): each piece has a code that leads to its place there, and a label.

    `braille`: the text is also written for embossers, in the languages that have a table for it.
    """

    url: str = ""
    braille: bool = False

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """What no game has, and pairs of languages."""
        yield from idle_options(games, self)
        yield from pair_problems(self.languages, "texts to be read aloud")

    def make(self, job: Job) -> Made:
        """The texts of one game; ProblemsFound with everything wrong."""
        workshop, game = job.workshop, job.workshop.game
        designs, called = tuple(pick_designs(game, self.only)), player_names(workshop)
        made = []
        notes = braille_notes(game, self.languages) if self.braille else ()
        for lang in game.languages if designs else ():
            if self.languages and lang not in self.languages:
                continue
            job.progress(f"{game.id}: read-aloud.{lang}")
            problems: list[Problem] = []
            said = tuple(spoken(workshop, designs, lang, called, problems))
            if problems or workshop.problems:
                raise ProblemsFound([*problems, *workshop.problems])
            title, name = phrase("aloud_title", lang, title=game.title[lang]), f"read-aloud.{lang}"
            address = f"{self.url}/{name}.html" if self.url else ""
            try:
                page = as_page(title, said, lang, address)
                labels = code_labels(workshop, lang, title, _labels(said, address))
            except ValueError as error:
                raise ProblemsFound(
                    [Problem(None, f"--url {self.url}: {error}", "choose a shorter address")]
                ) from error
            text = as_text(title, said, lang)
            job.files.put(self.out / game.id / f"{name}.txt", text)
            job.files.put(self.out / game.id / f"{name}.html", page)
            if labels.pages:
                job.files.write(self.out / game.id / f"read-aloud-labels.{lang}.pdf", partial(workshop.write, labels))
            if self.braille and lang in TABLES:
                job.files.put(self.out / game.id / f"{name}.brf", as_brf(in_braille(text.decode().splitlines(), lang)))
            made.append(lang)
        return Made(tuple(made), notes=notes)


def _labels(said: Sequence[Spoken], address: str) -> list[CodeLabel]:
    """What stands on the labels, one for each design; none without an address."""
    return [CodeLabel(one.name, one.kind, f"{address}#{one.anchor}") for one in said if address]
