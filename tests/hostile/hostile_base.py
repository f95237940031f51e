"""A small game that has something of everything, in an empty folder: what bad inputs begin from."""

import io
import random
import zipfile
from collections.abc import Mapping

from conftest import ROOT
from PIL import Image
from tests_support import project_files

LANTERNS = project_files("lanterns")
UNPLAYABLE = "unplayable={'at_least: false': 'nobody has said how'}"
RULES = (
    (ROOT / "tests" / "games" / "higher.py")
    .read_text(encoding="utf-8")
    .replace("Rules(\n", f"Rules(\n    {UNPLAYABLE},\n")
)


def picture(form: str, size: tuple[int, int] = (140, 100), mode: str = "RGB") -> bytes:
    """A picture file of noise and colour, the same each time."""
    noise = random.Random(7)
    made = Image.new(mode, size)
    made.putdata([tuple(noise.randrange(256) for _ in made.getbands()) for _ in range(size[0] * size[1])])
    out = io.BytesIO()
    made.save(out, form)
    return out.getvalue()


def font() -> bytes:
    """A font of the user's own: one that comes with the program."""
    return (ROOT / "fonts" / "Cinzel_700Bold.ttf").read_bytes()


def workbook(cells: Mapping[str, Mapping[str, str]], *, extra: str = "") -> bytes:
    """A workbook of inline texts: by sheet's name, cells by address; `extra` is markup at the end of the first sheet."""
    out = io.BytesIO()
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    part = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    names = list(cells)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        types = "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{part}.worksheet+xml"/>'
            for n in range(1, len(names) + 1)
        )
        book.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{part}.sheet.main+xml"/>{types}</Types>',
        )
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        sheets = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(names, 1))
        book.writestr(
            "xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{sheets}</sheets></workbook>'
        )
        links = "".join(
            f'<Relationship Id="r{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in range(1, len(names) + 1)
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">{links}</Relationships>'
        )
        for n, name in enumerate(names, 1):
            rows: dict[int, list[str]] = {}
            for address, value in cells[name].items():
                row = int("".join(sign for sign in address if sign.isdecimal()))
                rows.setdefault(row, []).append(f'<c r="{address}" t="inlineStr"><is><t>{value}</t></is></c>')
            body = "".join(f'<row r="{row}">{"".join(found)}</row>' for row, found in rows.items())
            more = extra if n == 1 else ""
            book.writestr(
                f"xl/worksheets/sheet{n}.xml",
                f'<worksheet xmlns="{main}"><sheetData>{body}{more}</sheetData></worksheet>',
            )
    return out.getvalue()


def base() -> dict[str, bytes]:
    """All files of the game by name."""
    texts = {**LANTERNS, "data/lanterns/rules.py": RULES}
    files = {name: text.encode() for name, text in texts.items()}
    files["templates/lanterns/art/photo.png"] = picture("PNG", mode="RGBA")
    files["templates/lanterns/art/photo.jpg"] = picture("JPEG")
    files["fonts/own.ttf"] = font()
    return files
