"""Pictures in a site, whose Pillow has no compiled part: what is shown, what is written, and what is said of the rest."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from PIL import Image

from generator.live.site import collect_libraries

_SCRIPT = """
import hashlib, json, sys
from pathlib import Path
from generator.base.errors import InvalidInput
from generator.base.picture_files import read_checked_picture
from generator.drawing.pdf.resources import ScreenInks
from generator.drawing.pdf.pdf_pictures import write_picture
from generator.drawing.svg_writer import encode_data_uri

class Written:
    def __init__(self): self.told = hashlib.sha256()
    def reserve(self): return 1
    def fill(self, number, body): self.told.update(body)

def made(path):
    try:
        measures = read_checked_picture(path, path.name)[1]
    except InvalidInput as unfit:
        return f"{unfit}; {unfit.hint}"
    written = Written()
    write_picture(written, path, ScreenInks({}))
    return [*measures, hashlib.sha256(encode_data_uri(path).encode()).hexdigest(), written.told.hexdigest()]

print(json.dumps([made(Path(path)) for path in sys.argv[1:]]))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pillow as a site has it."""
    home = tmp_path_factory.mktemp("libraries")
    (pillow,) = [one for one in collect_libraries({}) if one.name.lower() == "pillow"]
    for path, data in pillow.files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(data)
    return home


def _made(paths: list[Path], library: Path | None) -> list[Any]:
    above = os.pathsep.join([str(library), str(ROOT)] if library else [str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, *map(str, paths)],
        env={**os.environ, "PYTHONPATH": above},
        capture_output=True,
        check=True,
    )
    return list(json.loads(done.stdout))


def _samples(folder: Path) -> list[Path]:
    """A PNG of each kind that designers save, with and without transparency."""
    ramp = Image.linear_gradient("L").resize((40, 30))
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA"):
        picture = ramp.convert(mode)
        if mode in ("LA", "RGBA"):
            picture.putalpha(ramp)
        picture.save(folder / f"{mode}.png")
    ramp.quantize(9).save(folder / "hidden.png", transparency=2)
    return sorted(folder.iterdir())


@pytest.mark.slow
def test_pictures_have_the_bytes_of_the_desktop(library: Path, tmp_path: Path) -> None:
    """Every picture of every starter, and PNG of all kinds: the same SVG and the same PDF, though nothing is decoded."""
    pictures = sorted(path for path in (ROOT / "starters").rglob("pictures/*") if path.suffix in (".png", ".jpg"))
    pictures += _samples(tmp_path)
    assert len(pictures) > 20
    ours = _made(pictures, library)
    assert not [one for one in ours if isinstance(one, str)]
    assert ours == _made(pictures, None)


def test_what_a_site_cannot_read_is_not_called_damaged(library: Path, tmp_path: Path) -> None:
    """WebP, four inks, 16 bits and turned photographs say that the site can't; only what is damaged is damaged."""
    plain = Image.linear_gradient("L").convert("RGB")
    plain.save(tmp_path / "a.webp")
    plain.convert("CMYK").save(tmp_path / "b.jpg")
    Image.new("I;16", (4, 4), 300).save(tmp_path / "c.png")
    turned = Image.Exif()
    turned[0x0112] = 6
    plain.save(tmp_path / "d.jpg", exif=turned)
    plain.save(tmp_path / "e.png", exif=turned)
    out = io.BytesIO()
    plain.save(out, format="JPEG")
    (tmp_path / "f.jpg").write_bytes(out.getvalue()[:-300])
    said = _made(sorted(tmp_path.iterdir()), library)

    assert all("this site can't" in one for one in said[:-1]), said
    assert not any("damaged" in one for one in said[:-1])
    assert "damaged: it ends before its last row" in said[-1]
