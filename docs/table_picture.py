"""The picture of docs/table.md: Fortuna at the table after some moves, in the browser that the page's tests drive."""

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "serve")]

from browser import chromium  # noqa: E402
from serve_cases import served  # noqa: E402
from table_tabs import DRAWN, choices_on, sit_down  # noqa: E402

GAME, CHOICES = "fortuna", 5
WIDTH, HEIGHT, COLOURS = 1280, 800, 256


def of_table() -> bytes:
    """A PNG of the game on a screen of 1280 by 800 pixels."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("docs/guides/table.png: no chromium is installed; install it")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        chromium(program, Path(folder)) as new,
        served(ROOT, GAME) as client,
    ):
        tab = new()
        tab.size(WIDTH, HEIGHT)
        sit_down(tab, client.server.url, GAME, moves=choices_on(GAME, CHOICES))
        tab.wait(DRAWN, "all faces")
        tab.shot(path := Path(folder) / "table.png")
        content = io.BytesIO()
        # The usual choice of colours spends them all on the cloth, and leaves the cards without theirs.
        few = Image.open(path).convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, kmeans=1)
        few.save(content, "PNG", optimize=True)
    return content.getvalue()
