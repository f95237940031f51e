"""Measures `pnp site` as a reader feels it: from opening the page to the first face, from a saved edit to its picture.

    python bench/site.py [--site FOLDER] [--visits 3] [--edits 5] [--write]

A site of all games (or the one that lies in FOLDER) is served on loopback to a headless Chromium with no other line: a
first visit, then visits with everything kept by the browser and the server gone. A face counts when its picture stands
in the page: it is drawn by the program in the browser, none is stored. Each edit changes a number of a card in the
site's editor. Two figures for each: the processor's seconds of all the browser's processes, and the clock's, which a
machine that is busy with other things lengthens (`chrt -r 10` before the command helps). Then the memory of the tab,
before and after it makes a game's sheets and books, what a browser without anything kept loads before the first face,
and the size of the site. Prints tables; `--write` puts them into docs/browser.md. Needs Chromium, Linux, npm and node.
"""

import argparse
import functools
import http.server
import json
import os
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "serve"))

import browser  # noqa: E402 - the tests' driver
from report import replace_tables  # noqa: E402

from generator.commands.settings import cache_folder  # noqa: E402
from generator.game.project import find_project  # noqa: E402
from generator.live.site import make_site  # noqa: E402
from generator.live.site_runtime import load_runtime, open_runtime_folder  # noqa: E402

START_AIM = 4.0
"""Seconds of the clock, on a machine with nothing else to do, until the first face of a later visit."""

EDIT_AIM = 1.0
"""The same from the save of an edit to its picture."""

PATIENCE = 1800.0
"""Seconds that a busy machine may take for one step."""

REST = 3.0
"""Seconds without work before the next step: by then what goes on behind the page is over, or goes on all the time."""

TICKS = 100
"""Of the kernel's clock a second."""

FACE = "document.querySelector('[data-key=\"en:front:reel/1-wheat\"]')"
OPEN = "document.documentElement?.dataset.site === 'open'"
KEPT = "/works offline/.test(document.querySelector('.note')?.textContent)"
FAILED = "document.querySelector('.failed')?.textContent"
DATA = "data/fortuna/components.yaml"
MADE = (("sheets", "fortuna"), ("rulebook", "fortuna"))
COMMAND = """(async () => {{
  await (await import("./editor.js")).finishTyping();
  return (await (await import("./machine.js")).runCommand({words}, () => {{}})).code;
}})()"""

DOCUMENT = ROOT / "docs" / "browser.md"
STARTER = "stats"
BUTTON = f"document.querySelector('.fans.small [data-word=starter_{STARTER}]')?.closest('button')"
DRAWN = f"document.querySelector('.face.drawn') !== null || {FAILED}"
WORDS = ("number: 1, icon: wheat", "number: 2, icon: wheat")

EDIT = """(async () => {{
  const {{ EditorView }} = await import("./codemirror/codemirror-view.js");
  const view = EditorView.findFromDOM(document.getElementById("text").shadowRoot.querySelector(".cm-editor"));
  const text = view.state.doc.toString(), face = {face}, before = face.dataset.version;
  const [old, fresh] = text.includes({first!r}) ? [{first!r}, {second!r}] : [{second!r}, {first!r}];
  const from = text.indexOf(old);
  if (from < 0) throw new Error("the words are not there");
  performance.clearMarks("pnp-store");
  const typed = performance.now();
  view.dispatch({{ changes: {{ from, to: from + old.length, insert: fresh }} }});
  const picture = () => face.querySelector("img.picture");
  const pictured = () => face.dataset.version !== before && picture()?.src.endsWith(face.dataset.version);
  while (!pictured()) await new Promise((then) => setTimeout(then, 5));
  await picture().decode();
  const saved = performance.getEntriesByName("pnp-store").at(-1).startTime;
  return [(performance.now() - typed) / 1000, (performance.now() - saved) / 1000];
}})()""".format(face=FACE, first=WORDS[0], second=WORDS[1])
"""Seconds from the typed and from the saved text to the picture."""


class Figures(NamedTuple):
    """Seconds of the processor and of the clock."""

    cpu: float
    wall: float


class Quiet(http.server.SimpleHTTPRequestHandler):
    """What any web server does, without a word. `sent` counts the bytes of files."""

    sent = 0

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Count, too."""
        Quiet.sent += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *_said: Any) -> None:
        """Silent."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--site", type=Path, help="a folder that `pnp site` has written; without, one is made")
    parser.add_argument("--visits", type=int, default=3, help="after the first")
    parser.add_argument("--edits", type=int, default=5)
    parser.add_argument("--write", action="store_true", help=f"the tables into {DOCUMENT.relative_to(ROOT)}, too")
    asked = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        parser.error("there is no Chromium here")
    browser.PATIENCE = PATIENCE
    browser.connect = functools.partial(browser.connect, open_timeout=PATIENCE)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        site = asked.site or _made(Path(folder, "site"))
        Path(folder, "room").mkdir()
        with browser.chromium(program, Path(folder, "room")) as new:
            for line in _measured(new(), Path(folder, "room"), site, asked):
                print(line, flush=True)
                lines.append(f"{line}\n")
        for line in _loaded(program, Path(folder), site):
            print(line, flush=True)
            lines.append(f"{line}\n")
        for line in _sizes(site):
            print(line)
            lines.append(f"{line}\n")
    if asked.write:
        text = replace_tables(DOCUMENT.read_text(encoding="utf-8"), "bench/site.py --write", "".join(lines))
        DOCUMENT.write_text(text, encoding="utf-8")


def _made(out: Path) -> Path:
    """Make the site of all games."""
    kept = open_runtime_folder(cache_folder())
    make_site(find_project(ROOT, ROOT), (), out, load_runtime(None, kept, print), print)
    return out


def _loaded(program: str, folder: Path, site: Path) -> Iterator[str]:
    """Yield the lines of a table: what a first visit loads before its first face."""
    yield "\n| loaded before the first card | MB |\n|---|---|"
    for what in ("fortuna", STARTER):
        (room := folder / what).mkdir()
        with browser.chromium(program, room) as new, _served(site) as address:
            tab, Quiet.sent = new(), 0
            tab.size(1300, 850)
            tab.call("Page.navigate", url=address if what == "fortuna" else address.partition("#")[0])
            if what == STARTER:
                tab.wait(f"Boolean({BUTTON})", "the start page")
                tab.run(f"{BUTTON}.click()")
            tab.wait(DRAWN, "the first face")
            told = f"the starter `{what}`, in English" if what == STARTER else "Fortuna"
            yield f"| {told} | {Quiet.sent / 1e6:.1f} |"


def _sizes(site: Path) -> Iterator[str]:
    """Yield the lines of a table: how large a site is."""
    sizes = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    yield "\n| part of the site | MB |\n|---|---|"
    for name, files in json.loads((site / "site.json").read_text(encoding="utf-8"))["parts"].items():
        yield f"| {name} | {sum(files.values()) / 1e6:.1f} |"
    yield f"| together, {len(sizes)} files | {sum(sizes) / 1e6:.1f} |"


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The address of the folder, until nobody answers there any more."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/#fortuna/components"
    finally:
        server.shutdown()
        server.server_close()


def _measured(tab: Any, room: Path, site: Path, asked: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the tables."""
    tab.size(1300, 850)
    group = _group(room)
    spent = functools.partial(_spent, group)
    yield "| step | processor s | clock s | aim (clock, idle machine) |\n|---|---|---|---|"
    with _served(site) as address:
        yield _row("first visit, until the first face", [_visit(tab, address, spent)])
        tab.wait(KEPT, "the site to be kept")
    time.sleep(REST)
    later = []
    for _ in range(asked.visits):
        later.append(_visit(tab, address, spent))
        time.sleep(REST)
    yield _row(f"later visit without a connection ({asked.visits}), until the first face", later, START_AIM)
    opened = _memory(group)
    for words in MADE:
        yield _row(f"`pnp {' '.join(words)}` in the page, all languages", [_command(tab, words, spent)])
    used = _memory(group)
    tab.run(f"import('./editor.js').then((editor) => editor.go({DATA!r}, 1))")
    typed, saved = [], []
    for _ in range(asked.edits):
        before = spent()
        from_typed, from_saved = tab.run(EDIT)
        cpu = spent() - before
        typed.append(Figures(cpu, from_typed))
        saved.append(Figures(cpu, from_saved))
        time.sleep(REST)
    yield _row(f"from the last keystroke of an edit ({asked.edits}) to its picture", typed)
    yield _row("from its save to its picture", saved, EDIT_AIM)
    yield f"\n| memory of the tab | MB |\n|---|---|\n| when it is open | {opened:.0f} |"
    yield f"| after both commands | {used:.0f} |"
    cores, load = os.cpu_count(), os.getloadavg()[1]
    yield f"\nMeasured on {cores} cores with {load:.0f} processes at work, those of the browser included."


def _command(tab: Any, words: tuple[str, ...], spent: Callable[[], float]) -> Figures:
    """Run a command in the page."""
    cpu, begin = spent(), time.perf_counter()
    code = tab.run(COMMAND.format(words=list(words)))
    if code:
        raise RuntimeError(f"pnp {' '.join(words)} ended with {code}")
    return Figures(spent() - cpu, time.perf_counter() - begin)


def _visit(tab: Any, address: str, spent: Callable[[], float]) -> Figures:
    """From the call of the address to the first face, and on until the workbench is there."""
    tab.call("Page.navigate", url="about:blank")
    cpu, begin = spent(), time.perf_counter()
    tab.call("Page.navigate", url=address)
    tab.wait(DRAWN, "the first face")
    figures = Figures(spent() - cpu, time.perf_counter() - begin)
    failed = tab.run(FAILED)
    if failed:
        raise RuntimeError(f"the site does not open: {failed}")
    tab.wait(f"{OPEN} && {FACE}?.classList.contains('drawn')", "the site to be open")
    return figures


def _row(step: str, figures: list[Figures], aim: float | None = None) -> str:
    cpu, wall = [sorted(column) for column in zip(*figures, strict=True)]
    told = "" if aim is None else f"{aim:.0f}, {'met' if statistics.median(wall) < aim else 'MISSED'}"
    return f"| {step} | {_range(cpu)} | {_range(wall)} | {told} |"


def _range(figures: list[float]) -> str:
    median = f"{statistics.median(figures):.2f}"
    return median if len(figures) == 1 else f"{median} ({figures[0]:.2f} to {figures[-1]:.2f})"


def _group(room: Path) -> int:
    """The group of processes of the browser that lives in a folder."""
    profile = f"--user-data-dir={room / 'profile'}".encode()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if profile in (path / "cmdline").read_bytes().split(b"\0"):
                return int(_fields(path)[2])
        except OSError:
            continue
    raise RuntimeError("the browser's processes are not to be found")


def _spent(group: int) -> float:
    """Seconds of the processor that the processes of a group have taken, and those of their children that ended."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = _fields(path)
        except OSError:
            continue
        if int(fields[2]) == group:
            ticks += sum(map(int, fields[11:15]))
    return ticks / TICKS


def _memory(group: int) -> float:
    """Megabytes of the largest of the browser's processes that show pages: it is the tab's."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if int(_fields(path)[2]) == group and b"--type=renderer" in (path / "cmdline").read_bytes():
                found.append(int((path / "statm").read_text(encoding="utf-8").split()[1]))
        except OSError:
            continue
    return max(found) * resource.getpagesize() / 1e6


def _fields(process: Path) -> list[str]:
    """What the kernel tells of a process, from its state on."""
    return (process / "stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()


if __name__ == "__main__":
    main()
