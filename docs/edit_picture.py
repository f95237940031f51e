"""The moving picture of docs/browser.md: a card's name is written in the file, and the card follows."""

import io
import shutil
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "serve")]

import browser  # noqa: E402
from serve_cases import served  # noqa: E402

from generator.commands.new import new_project  # noqa: E402

WIDTH, HEIGHT = 1200, 560
BEFORE, AFTER, CARD = "Long Noon", "High Noon", "kite/sun-3"
KEY, LOOK = 220, 2500
"""Time of a frame: between two keys, and before the first and after the last (ms)."""

FILE = "data/my-game/components.yaml"
FACE = f"document.querySelector('.design[data-design=\"{CARD}\"] .face')"
OPENER = "document.querySelector('button[data-word=open_files]')"
CHANGE = """(() => {{ const field = document.getElementById("text"), from = field.value.indexOf({before!r});
    field.focus(); field.setRangeText({after!r}, from, from + {length}, "end"); field.scrollLeft = 260;
    field.dispatchEvent(new Event("input")); }})()"""


def make_edit_picture() -> bytes:
    """Return an animated WebP: each key of the edit, and the page once it shows the new card."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("docs/guides/edit.webp: no chromium is installed; install it")
    browser.PATIENCE = 120.0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as room:
        folder = Path(room)
        new_project(folder, "my-game", "cards", ("en",))
        with browser.chromium(program, folder) as new, served(folder / "my-game", editable=True) as client:
            tab = new()
            tab.size(WIDTH, HEIGHT)
            tab.open(f"{client.server.url}#my-game")
            line = (folder / "my-game" / FILE).read_text(encoding="utf-8").partition(BEFORE)[0].count("\n") + 1
            tab.wait(f"{OPENER} !== null", "the workbench")
            tab.run(f"{OPENER}.click()")
            tab.run("document.querySelector('details.tree').open = false")
            tab.wait("document.getElementById('text') !== null", "the editor")
            tab.run(f"import('./editor.js').then((editor) => editor.go({FILE!r}, {line}))")
            tab.wait(f"{FACE}?.classList.contains('drawn')", "the card")
            tab.run("document.getElementById('text').scrollLeft = 260")
            version = tab.run(f"{FACE}.dataset.version")
            frames = [_take(tab, folder)]
            for count, (old, fresh) in enumerate(zip(BEFORE, AFTER, strict=True)):
                if old != fresh:
                    typed = AFTER[:count] + BEFORE[count:]
                    now = AFTER[: count + 1] + BEFORE[count + 1 :]
                    tab.run(CHANGE.format(before=typed, after=now, length=len(typed)))
                    frames.append(_take(tab, folder))
            tab.wait(f"{FACE}.dataset.version !== {version!r} && {FACE}.classList.contains('drawn')", "the new card")
            tab.run(f"{FACE}.querySelector('img.picture').decode()")
            time.sleep(1)
            frames.append(_take(tab, folder))
    out = io.BytesIO()
    times = [LOOK, *[KEY] * (len(frames) - 2), LOOK]
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], duration=times, loop=3, quality=60, method=6)
    return out.getvalue()


def _take(tab: browser.Tab, folder: Path) -> Image.Image:
    tab.shot(folder / "frame.png")
    return Image.open(folder / "frame.png").convert("RGB")


if __name__ == "__main__":
    (Path(__file__).parent / "guides" / "edit.webp").write_bytes(make_edit_picture())
