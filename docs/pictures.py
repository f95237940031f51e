"""Makes the pictures in README and in the guides, from real cards: `make pictures`."""

import io
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pypdfium2
from book_pictures import of_books
from edit_picture import make_edit_picture
from guide_projects import GAME, WITH_PROJECTS, begin, follow
from lab_pictures import of_lab
from PIL import Image, ImageDraw
from table_picture import of_table

from generator.commands.new import new_project
from generator.commands.orders import carry_out
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_drawing_png
from generator.exchange.add_pack import install_pack, open_source
from generator.game.load_game import load_game
from generator.game.model import FaceName
from generator.game.packs import LAYOUTS
from generator.game.project import find_project
from generator.library import open_game
from generator.production.showcase import ShowcaseOrder, find_pages
from generator.sheets.raster import encode_png

HERE = Path(__file__).parent
DPI = 130
GROUND = (236, 232, 224)
FAN = (
    ("reel/3-wheat", "en"),
    ("reel/6-helmet", "ja"),
    ("reel/2-goddess", "en"),
    ("reel/5-wheel", "ja"),
    ("reel/1-lightning", "en"),
)
TABLES: dict[str, tuple[tuple[str, FaceName, str], ...]] = {
    "fortuna": (
        ("reel/4-lightning", "front", "ja"), ("reel/5-wheat", "front", "en"), ("reel/6-goddess", "front", "ja"),
        ("reel/1-helmet", "back", "en"), ("aid/start-player", "front", "ja"), ("aid/end-pile", "front", "en"),
        ("aid/summary", "front", "ja"), ("aid/summary", "front", "en"),
    ),
    "journey18": (
        ("location/coastal-road", "front", "ja"), ("location/millennium-tree", "front", "en"),
        ("event/red-3", "front", "ja"), ("event/green-2", "front", "en"), ("event/blue-4", "front", "ja+en"),
        ("story/yellow", "front", "ja"), ("story/red", "back", "en"), ("item/lantern", "front", "ja"),
    ),
    "journey8": (
        ("bookmark/red-1", "front", "ja"), ("bookmark/blue-3", "front", "en"), ("bookmark/yellow-4", "front", "ja+en"),
        ("bookmark/red-6", "front", "ja"), ("bookmark/blue-2", "front", "ja"), ("bookmark/yellow-7", "front", "en"),
        ("joker/storyteller-1", "front", "ja"), ("joker/storyteller-1", "back", "ja"),
    ),
}  # fmt: skip


class Photographer:
    """Pictures of a game's cards, cut out with round corners."""

    def __init__(self, game: str):
        project = find_project(HERE)
        self.workshop = Workshop(load_game(project.find_folder(game), project.resources), project.resources)
        self.designs = {design.id: design for design in self.workshop.game.designs()}

    def card(self, name: str, face: FaceName, lang: str, dpi: float = DPI) -> Image.Image:
        """A printed face as it looks when cut."""
        design = self.designs[name]
        drawing = self.workshop.draw_printed(lang, design, face)
        if drawing is None:
            raise SystemExit("\n".join(map(str, self.workshop.problems)))
        picture = render_drawing_png(drawing, dpi, self.workshop.fonts, self.workshop.rgb_of_paint, Path).convert(
            "RGBA"
        )
        corner = self.workshop.game.kinds[design.kind].corner * dpi / 25.4
        mask = Image.new("L", (picture.width * 4, picture.height * 4))
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), corner * 4, fill=255)
        picture.putalpha(mask.resize(picture.size, Image.Resampling.LANCZOS))
        return picture


def fan(photographer: Photographer) -> Image.Image:
    """Five cards held in a hand."""
    table = Image.new("RGBA", (1400, 590), (*GROUND, 255))
    for place, (name, lang) in enumerate(FAN):
        card = photographer.card(name, "front", lang)
        sheet = Image.new("RGBA", (1700, 1700))
        sheet.alpha_composite(card, (850 - card.width // 2, 850 - card.height - 500 + 260))
        turned = sheet.rotate((2 - place) * 10, Image.Resampling.BICUBIC, center=(850, 1650))
        table.alpha_composite(turned.crop((150, 130, 1550, 720)))
    return table.convert("RGB")


def rows(photographer: Photographer, table_of: tuple[tuple[str, FaceName, str], ...]) -> Image.Image:
    """Fronts, backs and aids side by side."""
    gap, cards = 24, [photographer.card(name, face, lang, 120) for name, face, lang in table_of]
    width, height = cards[0].size
    table = Image.new("RGBA", (4 * (width + gap) + gap, 2 * (height + gap) + gap), (*GROUND, 255))
    for n, card in enumerate(cards):
        table.alpha_composite(card, (gap + n % 4 * (width + gap), gap + n // 4 * (height + gap)))
    return table.convert("RGB")


SHEETS = ("two-sided", "shapes", "outlines")
"""Pictures of guides that show sheets; the others show faces."""


def of_sheet(root: Path) -> Image.Image:
    """The first page of a project's print sheets, and the page behind it if there is one."""
    (pdf,) = (path for path in open_game(root).write_sheets(root / "output") if path.name == "sheets.en.pdf")
    document = pypdfium2.PdfDocument(pdf)
    pages = [document[n].render(scale=60 / 72).to_pil() for n in range(min(len(document), 2))]
    return _beside(pages)


def of_faces(root: Path) -> Image.Image:
    """The fronts of a project's designs."""
    game = open_game(root)
    return _beside([Image.open(io.BytesIO(game.face(design).png(90))).convert("RGB") for design in game.designs])


def _beside(pictures: Sequence[Image.Image]) -> Image.Image:
    gap = 14
    width = sum(picture.width + gap for picture in pictures) + gap
    table = Image.new("RGB", (width, max(picture.height for picture in pictures) + 2 * gap), GROUND)
    at = gap
    for picture in pictures:
        table.paste(picture, (at, gap))
        at += picture.width + gap
    return table


def of_guides() -> None:
    """The pictures in the guides, from the projects that they build up."""
    for guide in WITH_PROJECTS:
        with tempfile.TemporaryDirectory() as folder:
            root = begin(Path(folder))
            for name in follow(guide, root):
                if name:
                    made = of_sheet(root) if Path(name).stem in SHEETS else of_faces(root)
                    made.quantize(128).save(HERE / name, optimize=True)


LIGHTHOUSE = "Lighthouse,Lights the way home. Draw two cards and keep one of them.,3"


def of_drawing() -> None:
    """The first card that the tutorial's drawing makes, and one with words of the reader."""
    (markup,) = re.findall(r"```svg card.svg\n(.*?)```", (HERE / "tutorial-drawing.md").read_text("utf-8"), re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        drawing = Path(folder) / "card.svg"
        drawing.write_text(markup, encoding="utf-8")
        new_project(Path(folder), GAME, "drawing", ("en",), drawing)
        table = Path(folder) / GAME / "data" / GAME / "cards.csv"
        head, example, *_ = table.read_text("utf-8-sig").splitlines()
        table.write_text(f"{head}\n{example}\nlight,1,sea.jpg,{LIGHTHOUSE}\n", encoding="utf-8")
        sea = HERE.parent / "packs/hexagons/starter/templates/game/pictures/sea.jpg"
        shutil.copy(sea, Path(folder) / GAME / "templates" / GAME / sea.name)
        of_faces(Path(folder) / GAME).quantize(128).save(HERE / "guides/drawing.png", optimize=True)


LOOKS = ("classic", "full-art", "minimal", "storybook", "sci-fi")


def of_packs() -> None:
    """The card of the guide in each look, and the sixty signs."""
    page = (HERE / "packs.md").read_text("utf-8")
    (table,) = re.findall(r"```csv\n(.*?)```", page, re.DOTALL)
    data = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0]
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        new_project(Path(folder), GAME, "blank", ("en",))
        root = Path(folder) / GAME
        (root / "data" / GAME / "components.yaml").write_text(data, encoding="utf-8")
        (root / "data" / GAME / "cards.csv").write_text(table, encoding="utf-8")
        shutil.copy(HERE.parent / "packs/fantasy/starter/templates/game/pictures/stag.png", root / "templates" / GAME)
        for look in LOOKS:
            options = {"source": look, "kind": "card", "game": None, "replace": True}
            list(install_pack(find_project(root), open_source(look, root), options, {}))
            shown.append(Image.open(io.BytesIO(open_game(root).face("card/stag-of-the-mist").png(90))).convert("RGB"))
    _beside(shown).quantize(256, Image.Quantize.MAXCOVERAGE).save(HERE / "guides/packs.png", optimize=True)
    with tempfile.TemporaryDirectory() as folder:
        new_project(Path(folder), GAME, "blank", ("en",))
        root = Path(folder) / GAME
        options = {"source": "signs", "kind": None, "game": None, "replace": False}
        list(install_pack(find_project(root), open_source("signs", root), options, {}))
        names = sorted(path.name for path in (HERE.parent / "packs/signs/templates/common/icons").iterdir())
        uses = "".join(
            f'<use href="icons/{name}" x="{3 + n % 15 * 8}" y="{3 + n // 15 * 8}" width="5" height="5" color="ink"/>'
            for n, name in enumerate(names)
        )
        ground = '<rect x="-3" y="-3" width="130" height="50" fill="#ffffff"/>'
        template = f'<svg xmlns="http://www.w3.org/2000/svg">{ground}{uses}<stamp x="0" y="-2" font-size="4pt"/></svg>'
        (root / "templates" / GAME / "card.svg").write_text(template, encoding="utf-8")
        data = root / "data" / GAME / "components.yaml"
        data.write_text(re.sub(r"size: .*", "size: [123, 35]", data.read_text("utf-8")), encoding="utf-8")
        of_faces(root).quantize(32).save(HERE / "guides/packs-signs.png", optimize=True)


GALLERY = ("fortuna", "journey8", "journey18", "wayfaring", "xanadu")
COLOURS = 96


def of_showcases() -> None:
    """Each game's cover for a shop page, as `pnp showcase` makes it, and one game's hand, table and box."""
    project = find_project(HERE)
    with tempfile.TemporaryDirectory() as folder:
        pages = find_pages(project, ("itch-page", "bgg-page"))
        for game in GALLERY:
            wanted = {"cover": "cover"} if game != "wayfaring" else {"cover": "cover", "hand": "hand", "box": "box"}
            chosen = tuple(
                replace(page, pictures=tuple(one for one in page.pictures if one.id in wanted)) for page in pages
            )
            order = ShowcaseOrder(("en",), Path(folder), pages=chosen)
            for path in carry_out(project, (game,), order, lambda _doing: None).files:
                with Image.open(path) as picture:
                    name = path.name.split(".")[0].rpartition("-")[2]
                    small = picture.convert("RGB").resize((540, 540 * picture.height // picture.width))
                    small.quantize(COLOURS).save(HERE / "gallery" / f"{game}-{name}.png", optimize=True)


SHOWN = 8
"""Pieces of a layout in its picture."""


def of_layouts() -> None:
    """The pieces of each layout that a project can begin from, beside each other."""
    for layout in LAYOUTS:
        with tempfile.TemporaryDirectory() as folder:
            new_project(Path(folder), GAME, layout, ("en",))
            game = open_game(Path(folder) / GAME)
            kinds = dict.fromkeys(name.split("/")[0] for name in game.designs)
            first = [next(name for name in game.designs if name.startswith(f"{kind}/")) for kind in kinds]
            chosen = [*first, *(name for name in game.designs if name not in first)][:SHOWN]
            faces = [Image.open(io.BytesIO(game.face(name).png(60))).convert("RGB") for name in chosen]
            made = _beside(
                [face if face.height < 400 else face.resize((face.width // 2, face.height // 2)) for face in faces]
            )
            made.thumbnail((720, 420))
            made.quantize(COLOURS).save(HERE / "gallery" / f"layout-{layout}.png", optimize=True)


OTHERS: dict[str, tuple[tuple[str, FaceName], ...]] = {
    "orrery": (
        ("sky/sun-3", "front"), ("sky/moon-6", "front"), ("sky/comet-10", "front"), ("sky/ring-8", "front"),
        ("sky/sun-3", "back"),
    ),
    "ebb": (
        ("coast/delta", "front"), ("coast/delta", "back"), ("coast/fork", "front"), ("coast/sound", "back"),
        ("coast/headland", "front"),
    ),
    "bienen": (("blatt/wiese", "front"), ("blatt/waldrand", "front")),
}  # fmt: skip
"""What of the games of docs/gallery/games/ is in their pictures."""


def of_others() -> None:
    """Pieces of the games that lie beside the gallery, as they are when cut."""
    gap, high = 16, 330
    for name, shown in OTHERS.items():
        game = open_game(HERE / "gallery" / "games" / name)
        faces = []
        for design, side in shown:
            face = Image.open(io.BytesIO(game.face(design, side).png(180))).convert("RGBA")
            shape = Image.new("L", face.size)
            width, height = face.size
            pen = ImageDraw.Draw(shape)
            if name == "ebb":
                half = ((width / 2, 0), (width, height / 4), (width, height * 3 / 4))
                pen.polygon([*half, *((width - x, height - y) for x, y in half)], fill=255)
            else:
                pen.rounded_rectangle((0, 0, width - 1, height - 1), 21 if name == "orrery" else 0, fill=255)
            face.putalpha(shape)
            scale = (high if name != "bienen" else 560) / height
            faces.append(face.resize((round(width * scale), round(height * scale)), Image.Resampling.LANCZOS))
        table = Image.new(
            "RGB", (sum(face.width + gap for face in faces) + gap, max(face.height for face in faces) + 2 * gap), GROUND
        )
        at = gap
        for face in faces:
            table.paste(face, (at, gap), face)
            at += face.width + gap
        few = table.quantize(256, Image.Quantize.MAXCOVERAGE)  # small signs keep their colours
        few.save(HERE / "gallery" / f"game-{name}.png", optimize=True)


def main() -> None:
    """Write docs/*.png, docs/gallery/*.png and docs/guides/*.png."""
    of_guides()
    of_drawing()
    of_packs()
    of_books()
    of_showcases()
    of_layouts()
    of_others()
    (HERE / "guides" / "table.png").write_bytes(of_table())
    (HERE / "guides" / "edit.webp").write_bytes(make_edit_picture())
    for name, content in of_lab().items():
        (HERE / "guides" / name).write_bytes(content)
    (HERE / "fortuna-fan.png").write_bytes(encode_png(fan(Photographer("fortuna")), DPI))
    for game, table in TABLES.items():
        (HERE / f"{game}-cards.png").write_bytes(encode_png(rows(Photographer(game), table), DPI))


if __name__ == "__main__":
    main()
