"""Pictures that show games on shop pages: for each page the sizes that it asks for, in each language."""

from collections.abc import Iterable, Sequence
from functools import partial

from generator.commands.editions import pair_problems
from generator.commands.order import Job, Made, Order, idle_options
from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.load.presets import find_preset, load_presets
from generator.load.project import Project
from generator.model.game import Game
from generator.model.preset import PictureSize, ShopPictures
from generator.model.sheet import Document
from generator.printshop.raster import exact_image, face_page_of, png
from generator.sheets.order import pick_designs
from generator.showcase.choice import Selection
from generator.showcase.pictures import SCREEN_DPI, Showcase, with_grounds


@dataclass(frozen=True, slots=True)
class ShowcaseOrder(Order):
    """The pages that pictures are for; with `pdf` each is also written in vectors.

    `only` says which things are shown: of cards the first in its order.
    """

    pages: tuple[ShopPictures, ...] = ()
    pdf: bool = False

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """What no game has, and pairs of languages."""
        yield from idle_options(games, self)
        yield from pair_problems(self.languages, "pictures for shop pages")

    def make(self, job: Job) -> Made:
        """The pictures of one game; ProblemsFound with everything wrong."""
        game, folder = job.workshop.game, self.out / job.workshop.game.id / "showcase"
        wanted = {f"{page.id}-{one.id}": one for page in self.pages for one in page.pictures}
        workshop = Workshop(with_grounds(game, tuple(wanted.values()), job.workshop), job.project.resources)
        designs = tuple(pick_designs(game, self.only))
        made = []
        for lang in game.languages if designs else ():
            if self.languages and lang not in self.languages:
                continue
            choice = Selection(workshop, game, designs, lang, asked=bool(self.only))
            shown = Showcase(workshop, choice, lang)
            for name, picture in wanted.items():
                job.progress(f"{game.id}: {name}.{lang}.png")
                self._write(job, shown, picture, f"{folder}/{name}.{lang}")
            made.append(lang)
        return Made(tuple(made))

    def _write(self, job: Job, shown: Showcase, picture: PictureSize, path: str) -> None:
        drawing = shown.picture(picture)
        if drawing is None or shown.workshop.problems:
            raise ProblemsFound(shown.workshop.problems)
        page = face_page_of(drawing, bleed=False)
        image = exact_image(shown.workshop, page, picture.pixels, shown.lang)
        job.files.put(type(self.out)(f"{path}.png"), png(image, SCREEN_DPI))
        if self.pdf:
            title = shown.choice.game.title[shown.lang]
            document = Document(title, shown.lang, (page,), subject=shown.choice.game.subject(shown.lang))
            job.files.write(type(self.out)(f"{path}.pdf"), partial(shown.workshop.write, document))


def find_pages(project: Project, names: Sequence[str]) -> tuple[ShopPictures, ...]:
    """The presets of these names, all of their kind without any; ProblemsFound for a broken or unknown one."""
    if names:
        found = [find_preset(project.resources, name, "pictures") for name in names]
    else:
        found = list(load_presets(project.resources))
    return tuple(preset for preset in found if isinstance(preset, ShopPictures))
