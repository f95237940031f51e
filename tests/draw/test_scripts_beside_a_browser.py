"""Words in other writing as we set them and as a browser does: the same letters, joined, at the same places."""

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter

from generator.base.display_list import Drawing
from generator.drawing.svg_writer import write_svg
from generator.game.model import FontFamily
from generator.game.rich_text import parse_markup
from generator.text.fonts import FontBook
from generator.text.glyph_rows import TextBox
from generator.text.set_text import set_line

FONTS = Path(__file__).parents[2] / "fonts"
SIZE = 32.0  # CSS pixels
LINES = [
    ("ar", "NotoSansArabic_400Regular.ttf", "كوخ الجبل (٣ بطاقات)"),
    ("ar", "NotoSansArabic_400Regular.ttf", "كَلِمَةٌ مُشَكَّلَة لا إله"),
    ("fa", "NotoSansArabic_400Regular.ttf", "می‌خواهم ۱۲ کتاب‌ها را"),
    ("ur", "NotoSansArabic_400Regular.ttf", "پہاڑی جھونپڑی، 15 ٹھنڈے"),
    ("he", "NotoSansHebrew_400Regular.ttf", "שלום (עולם) 12-5, 3.50"),
    ("he", "NotoSansHebrew_400Regular.ttf", "נִקּוּד: שָׁלוֹם"),
    ("th", "NotoSansThai_400Regular.ttf", "น้ำตกที่ภูเขา ปู่ ฎีกา กำ"),
]


def ours(lang: str, file: str, text: str) -> str:
    """The line as an SVG of ours, its letters as outlines."""
    fonts = FontBook({"body": FontFamily({lang: (file,)}, {}, {})}, lambda name: FONTS / name)
    size = SIZE * 0.75
    box = TextBox(x=0, y=0, width=0, height=0, family="body", size=size, min_size=size, lang=lang)
    done = set_line(parse_markup(text), 75, 20, box, "middle", fonts, lambda *_: None)
    assert not done.missing
    return write_svg(Drawing(150, 30, 0, done.items), fonts, lambda _: "#000000")


def shot(folder: Path, body: str, style: str = "") -> Image.Image:
    """A page in Chromium."""
    page, picture = folder / "page.html", folder / "page.png"
    page.write_text(f"<meta charset=utf-8><style>body{{margin:0;background:#fff}}{style}</style>{body}", "utf-8")
    subprocess.run(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--force-device-scale-factor=2", "--window-size=700,200",
         f"--screenshot={picture}", page.as_uri()],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return Image.open(io.BytesIO(picture.read_bytes())).convert("L")


def ink(picture: Image.Image) -> Image.Image:
    """What is black, cut to its edges, on a ground of one size."""
    black = picture.point(lambda grey: 255 if grey < 128 else 0)
    found = black.crop(black.getbbox())
    ground = Image.new("L", (1400, 300))
    ground.paste(found, (20, 20))
    return ground


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "file", "text"), LINES)
def test_a_line_looks_as_in_a_browser(tmp_path: Path, lang: str, file: str, text: str) -> None:
    """But for the edges of the letters, a pixel and a half wide, nothing differs."""
    if shutil.which("chromium") is None:
        pytest.skip("needs chromium")
    style = f"@font-face{{font-family:f;src:url({(FONTS / file).as_uri()})}}p{{font:{SIZE}px f;margin:50px;white-space:nowrap}}"
    theirs = ink(shot(tmp_path, f"<p lang={lang} dir={'ltr' if lang == 'th' else 'rtl'}>{text}</p>", style))
    mine = ink(shot(tmp_path, ours(lang, file, text)))
    assert theirs.getbbox() and mine.getbbox()
    assert abs(theirs.getbbox()[2] - mine.getbbox()[2]) <= 6
    for one, other in ((theirs, mine), (mine, theirs)):
        left = ImageChops.subtract(one, other.filter(ImageFilter.MaxFilter(7)))
        assert sum(left.histogram()[128:]) <= 0.01 * sum(one.histogram()[128:])
