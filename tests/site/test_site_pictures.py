"""Pictures in a site, whose Pillow has no compiled part: the bytes of the desktop, and what is said of the rest.

Python runs here, with the site's Pillow. What a browser does for it, node does.
"""

import io
import json
import os
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from PIL import Image

from generator.commands.settings import cache_folder
from generator.live.site import OWN_PAGE, collect_libraries
from generator.live.site_runtime import DECODERS, fetch_missing, open_runtime_folder, read_package_file

_SCRIPT = """
import base64, hashlib, json, subprocess, sys, types
from pathlib import Path

node = json.loads(sys.argv[1])
if node:
    helper = subprocess.Popen(node, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    class JsException(Exception):
        message = ""
    class Codecs:
        def __getattr__(self, name):
            def ask(data, *values):
                said = {"name": name, "data": base64.b64encode(data).decode(), "values": values}
                helper.stdin.write(json.dumps(said) + chr(10))
                helper.stdin.flush()
                answer = json.loads(helper.stdout.readline())
                if "wrong" in answer:
                    error = JsException()
                    error.message = answer["wrong"]
                    raise error
                made = base64.b64decode(answer["made"])
                return types.SimpleNamespace(to_bytes=lambda: made)
            return ask
    sys.modules["js"] = types.SimpleNamespace(codecs=Codecs())
    sys.modules["pyodide"] = types.ModuleType("pyodide")
    sys.modules["pyodide.ffi"] = types.SimpleNamespace(JsException=JsException, to_js=bytes)

from generator.base.errors import InvalidInput
from generator.base.picture_files import has_decoders, read_checked_picture
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

assert has_decoders() is not bool(node)
print(json.dumps({path: made(Path(path)) for path in sys.argv[2:]}))
"""


@pytest.fixture(scope="module")
def site_pillow(tmp_path_factory: pytest.TempPathFactory, tool: Callable[[str], str]) -> tuple[Path, list[str]]:
    """Pillow as a site has it, and the command of what stands for the browser."""
    for program in ("npm", "node"):
        tool(program)
    home = tmp_path_factory.mktemp("libraries")
    (pillow,) = [one for one in collect_libraries({}) if one.name.lower() == "pillow"]
    for path, data in pillow.files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(data)
    cache = open_runtime_folder(cache_folder())
    decoders = {name: DECODERS[name] for name in ("webp", "jpeg-turbo")}
    fetch_missing(cache, decoders.values(), print)
    for name, pinned in decoders.items():
        (home / f"{name}.wasm").write_bytes(read_package_file((cache / pinned.file).read_bytes(), f"{name}.wasm"))
    server = str(Path(__file__).with_name("codecs_server.mjs"))
    wasm = [str(home / f"{name}.wasm") for name in decoders]
    return home, [tool("node"), server, str(OWN_PAGE / "codecs.js"), *wasm]


def _made(paths: list[Path], site: tuple[Path, list[str]] | None) -> dict[str, Any]:
    above = os.pathsep.join([str(site[0]), str(ROOT)] if site else [str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, json.dumps(site[1] if site else []), *map(str, paths)],
        env={**os.environ, "PYTHONPATH": above},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return dict(json.loads(done.stdout))


def _noise(mode: str, size: tuple[int, int]) -> Image.Image:
    """Half noise, half a plain field, so that every filter of rows is used."""
    picture = Image.frombytes("RGB", size, random.Random(5).randbytes(3 * size[0] * size[1]))
    picture.paste((90, 20, 200), (0, 0, size[0] // 2, size[1]))
    picture.putpixel((size[0] // 2, size[1] // 2), (255, 255, 255))
    if mode in ("RGBA", "LA"):
        picture.putalpha(Image.linear_gradient("L").resize(size))
    return picture.quantize(40) if mode == "P" else picture.convert(mode)


_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def _packed_by_hand(size: tuple[int, int], colour: int, pixel: int, *, deep: bool, interlaced: bool) -> bytes:
    """A PNG of noise that Pillow can't write: with 16 bits, or in seven passes. `pixel`: bytes of one."""
    noise, rows = random.Random(7), bytearray()
    for x, y, dx, dy in _PASSES if interlaced else ((0, 0, 1, 1),):
        across = len(range(x, size[0], dx))
        for _ in range(y, size[1], dy) if across else ():
            rows += bytes([noise.randrange(5)]) + noise.randbytes(across * pixel)
    head = struct.pack(">IIBBBBB", *size, 16 if deep else 8, colour, 0, 0, int(interlaced))
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


def _write_samples(folder: Path) -> list[Path]:
    """A picture of each kind that designers save: PNG of all depths, WebP, JPEG in three spaces, photographs turned."""
    hidden: list[tuple[str, dict[str, Any]]] = [
        ("P", {"transparency": 3}), ("P", {"transparency": bytes([0, 40, 200])}), ("L", {"transparency": 90}),
        ("RGB", {"transparency": (90, 20, 200)}), ("1", {"transparency": 0}), ("P", {"bits": 4}),
    ]  # fmt: skip
    for size in ((1, 1), (7, 5), (61, 33)):
        there = f"{size[0]}x{size[1]}"
        for mode in ("1", "L", "LA", "P", "RGB", "RGBA"):
            _noise(mode, size).save(folder / f"{mode}-{there}.png")
        for at, (mode, how) in enumerate(hidden):
            made = _noise(mode, size)
            (made.quantize(16) if "bits" in how else made).save(folder / f"hidden{at}-{there}.png", **how)
        for colour, channels in ((0, 1), (2, 3), (4, 2), (6, 4)):
            for deep, interlaced in ((True, False), (False, True), (True, True)):
                data = _packed_by_hand(size, colour, channels * (1 + deep), deep=deep, interlaced=interlaced)
                (folder / f"hand{colour}{deep:d}{interlaced:d}-{there}.png").write_bytes(data)
        for mode in ("RGB", "RGBA"):
            _noise(mode, size).save(folder / f"{mode}-whole-{there}.webp", lossless=True)
            _noise(mode, size).save(folder / f"{mode}-{there}.webp", quality=70)
        for mode in ("L", "RGB", "CMYK"):
            _noise(mode, size).save(folder / f"{mode}-{there}.jpg", quality=80)
    for mark in range(2, 9):
        turned = Image.Exif()
        turned[0x0112] = mark
        for name, mode in (("a.png", "RGBA"), ("b.png", "L"), ("c.jpg", "RGB"), ("d.jpg", "L"), ("e.webp", "RGBA")):
            _noise(mode, (20, 13)).save(folder / f"{mark}{name}", exif=turned)
        _noise("CMYK", (20, 13)).save(folder / f"{mark}f.jpg", exif=turned, progressive=True)
    return sorted(folder.iterdir())


@pytest.mark.slow
def test_pictures_have_the_bytes_of_the_desktop(site_pillow: tuple[Path, list[str]], tmp_path: Path) -> None:
    """Every picture of every starter, and all kinds of PNG, JPEG and WebP: the same SVG, the same PDF, the same size."""
    pictures = sorted(path for path in (ROOT / "packs").rglob("pictures/*") if path.suffix in (".png", ".jpg"))
    assert pictures, "the test must see the starters' pictures"
    pictures += _write_samples(tmp_path)
    ours = _made(pictures, site_pillow)
    assert not [one for one in ours.values() if isinstance(one, str)]
    assert ours == _made(pictures, None)


def test_what_a_site_cannot_read_is_not_called_damaged(site_pillow: tuple[Path, list[str]], tmp_path: Path) -> None:
    """Formats without a decoder say that the site can't read them; only what is damaged is damaged."""
    plain = _noise("RGB", (40, 30))
    plain.save(tmp_path / "a.gif")
    plain.save(tmp_path / "b.tif")
    plain.save(tmp_path / "c.webp", save_all=True, append_images=[_noise("L", (40, 30)).convert("RGB")])
    out = io.BytesIO()
    plain.save(out, format="JPEG")
    (tmp_path / "d.jpg").write_bytes(out.getvalue()[:-300])
    out = io.BytesIO()
    plain.save(out, format="WEBP")
    (tmp_path / "e.webp").write_bytes(out.getvalue()[:-300])
    (tmp_path / "f.webp").write_bytes(b"RIFF\x04\0\0\0WEBPVP8 ")
    said = list(_made(sorted(tmp_path.iterdir()), site_pillow).values())

    assert ["this site can't read" in one for one in said] == [True, True, True, False, False, False], said
    assert ["damaged" in one for one in said] == [False, False, False, True, True, True], said
