"""Makes the pictures in the README from the real cards: `make pictures`."""

from pathlib import Path

from PIL import Image, ImageDraw

from generator.faces.workshop import Workshop
from generator.load.game import load_game
from generator.load.project import find_project
from generator.model.game import FaceName
from generator.writers.png import drawing_png, save_png

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
TABLES = {
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
        self.workshop = Workshop(load_game(project.folder(game), project.resources), project.resources)
        self.designs = {design.id: design for design in self.workshop.game.designs()}

    def card(self, name: str, face: FaceName, lang: str, dpi: float = DPI) -> Image.Image:
        """A printed face as it looks when cut."""
        design = self.designs[name]
        drawing = self.workshop.printed(lang, design, face)
        if drawing is None:
            raise SystemExit("\n".join(map(str, self.workshop.problems)))
        picture = drawing_png(drawing, dpi, self.workshop.fonts, self.workshop.rgb, Path).convert("RGBA")
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


def main() -> None:
    """Write docs/*.png."""
    save_png(fan(Photographer("fortuna")), HERE / "fortuna-fan.png")
    for game, table in TABLES.items():
        save_png(rows(Photographer(game), table), HERE / f"{game}-cards.png")


if __name__ == "__main__":
    main()
