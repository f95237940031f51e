"""A site: what lies in its folder, and how large it is."""

import hashlib
import json
import re
import subprocess  # nosec - node, by its whole path and without a shell
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from generator import __version__
from generator.commands.order import load_games
from generator.delivery import delivery
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import BOLD_BOOK_FILES, BOOK_FILES, LABEL_FILES
from generator.files import is_folder, read_file
from generator.load.project import Project, bundled_root
from generator.model.game import FontFamily, Game
from generator.programs import program_path
from generator.serve.routes import PAGE as LIVE_PAGE
from generator.site.archive import FOLDERS, MOST_BYTES, MOST_FILES
from generator.site.codemirror import Script
from generator.site.libraries import LEFT_OUT, Library, libraries, program_files, starter_files
from generator.site.packing import packed
from generator.site.runtime import FURTHER, RUNTIME, Runtime

OWN_PAGE = Path(__file__).with_name("page")

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; style-src 'self'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'"
)
"""What the page and its worker may do: ask this site, nobody else, and run no script that stands in a page."""

_MEMORY = "started.bin"
_WORKER = "sw.js"
"""What Python's memory held when the program had begun with the site's games: a start lays it back (start.mjs)."""

_PATIENCE = 600.0
"""Seconds for compiling the program, and for beginning with it."""

_FONT_FILE = re.compile(r"[\w-]+\.(?:ttf|otf)")

_ENTRANCES = (("index.html", "app.js", "site.js"), ("play.html", "play.js", "seat.js"))
"""Pages of the live page, the script with which each begins, and what stands before that in a site."""


class SiteMade(NamedTuple):
    """The files of a site and their sizes in bytes by what they are for; what the user should know."""

    files: tuple[Path, ...]
    sizes: Mapping[str, int]
    notes: tuple[str, ...]


def make_site(
    project: Project, names: tuple[str, ...], out: Path, runtime: Runtime, told: Callable[[str], None]
) -> SiteMade:
    """Write a site of these games (all if none is named) into a folder; ProblemsFound with everything wrong."""
    games, problems = load_games(project, names)
    if problems:
        raise ProblemsFound(problems)
    told("the program")
    found = tuple(libraries(runtime.libraries))
    inside = dict(program_files()) | {path: data for one in found for path, data in one.files.items()}
    starters = dict(starter_files())
    fonts = {f"fonts/{name}": data for name, data in _fonts(project, games, starters)}
    of_games = dict(_game_files(project, games))
    compiled, start = _begun(runtime, inside, of_games, fonts)
    told("the site")
    parts = {
        "runtime": {f"runtime/{name}": data for name, data in runtime.parts.items()},
        "program": {"program.bin": packed(inside | compiled)},
        "fonts": fonts,
        "games": {"games.bin": packed(of_games)},
        "start": start,
        "starters": {"starters.bin": packed(starters)},
        "page": dict(_page()),
        "editor": {f"codemirror/{script.file}": script.text for script in runtime.editor},
        "licences": dict(_licences(found, runtime.editor)),
    }
    every = {path: data for part in parts.values() for path, data in part.items()}
    lacks = [*LEFT_OUT, *sorted(set(FURTHER[:1]) - set(runtime.libraries))]
    every["site.json"] = _about(games, parts, lacks)
    every[_WORKER] = every[_WORKER].replace(b"VERSION_OF_THIS_SITE", _version(every).encode())
    with delivery() as files:
        for path, data in every.items():
            files.put(out / path, data)
        written = files.hand_over()
    told("")
    return SiteMade(
        written, {name: sum(map(len, part.values())) for name, part in parts.items()}, _notes(lacks, compiled, runtime)
    )


def _notes(lacks: Iterable[str], compiled: Mapping[str, bytes], runtime: Runtime) -> tuple[str, ...]:
    pillow = (
        "without Pillow's build for browsers, it reads PNG and JPEG alone and makes no pictures (docs/browser.md)",
    )
    slow = ("without node the program was neither compiled nor begun for the site: each start takes much longer",)
    plain = (f"without CodeMirror texts are edited in a plain field there: {runtime.lacking} (docs/browser.md)",)
    return (
        *(pillow if "pillow" in lacks else ()),
        *(() if compiled else slow),
        *(() if runtime.editor else plain),
    )


def _about(games: Iterable[Game], parts: Mapping[str, Mapping[str, bytes]], lacks: list[str]) -> bytes:
    """What the page reads of its site: files with their sizes by what they are for, and by their SHA-256."""
    sums = {path: hashlib.sha256(data).hexdigest() for part in parts.values() for path, data in part.items()}
    del sums[_WORKER]  # it holds the others against this, and the browser keeps it
    sizes = {name: {path: len(data) for path, data in part.items()} for name, part in parts.items()}
    takes = {"folders": FOLDERS, "files": MOST_FILES, "bytes": MOST_BYTES}
    games_here = [game.id for game in games]
    said = {"program": __version__, "games": games_here, "parts": sizes, "sums": sums, "lacks": lacks, "takes": takes}
    return json.dumps(said, indent=1).encode()


def _version(files: Mapping[str, bytes]) -> str:
    summed = hashlib.sha256()
    for path in sorted(files):
        summed.update(path.encode() + b"\0" + hashlib.sha256(files[path]).digest())
    return summed.hexdigest()[:16]


def _begun(
    runtime: Runtime, program: Mapping[str, bytes], games: Mapping[str, bytes], fonts: Mapping[str, bytes]
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The modules compiled, and the memory of the program begun with these games, by the runtime itself in node.

    Nothing without node. ProblemsFound where it fails.
    """
    node = program_path("node")
    if node is None:
        return {}, {}
    with tempfile.TemporaryDirectory() as room:
        for path, data in {
            **{f"program/{path}": data for path, data in program.items()},
            **{f"runtime/{name}": data for name, data in runtime.parts.items()},
            **{f"project/{path}": data for path, data in games.items()},
            **fonts,
        }.items():
            target = Path(room, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        script = str(Path(__file__).with_name("prepare.mjs"))
        done = subprocess.run([node, script, room], capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").splitlines()
            said = next((line for line in lines if "Error: " in line), "it ended without a word")
            what = f"the program does not begin in {RUNTIME.name} {RUNTIME.version}: {said[:300]}"
            raise ProblemsFound([Problem(None, what, "install the versions of constraints.txt, and try again")])
        made = Path(room, "program")
        modules = {
            path.relative_to(made).as_posix(): read_file(path, "own")
            for path in sorted(made.rglob("__pycache__/*.pyc"))
        }
        return modules, {_MEMORY: read_file(Path(room, _MEMORY), "own")}


def _fonts(project: Project, games: Iterable[Game], starters: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The font files that the games and starters name, and those of the program's own words."""
    wanted = {*LABEL_FILES, *BOOK_FILES, *BOLD_BOOK_FILES}
    wanted |= {name for game in games for family in game.fonts.values() for name in _names(family)}
    texts = [data.decode("utf-8") for path, data in starters.items() if path.endswith(".yaml")]
    wanted |= {name for text in texts for name in _FONT_FILE.findall(text)}
    for name in sorted(wanted):
        path = project.resources.find("fonts", name)
        if path is not None:
            yield name, read_file(path, "font")


def _names(family: FontFamily) -> Iterator[str]:
    chains = [*family.regular.values(), *family.bold.values(), *family.italic.values()]
    chains += [chain for weights in family.weights.values() for chain in weights.values()]
    for chain in chains:
        yield from chain


def _game_files(project: Project, games: Iterable[Game]) -> Iterator[tuple[str, bytes]]:
    """What the page opens as its project: data and templates of the games, and what they share."""
    folders = [project.folder(game.id) for game in games]
    folders += [project.root / "templates" / game.id for game in games]
    if project.root.resolve() != bundled_root().resolve():
        folders += [project.root / name for name in ("templates/common", "presets", "profiles", "records")]
    for folder in folders:
        for path in sorted(folder.rglob("*")) if is_folder(folder) else ():
            inner = path.relative_to(project.root)
            if path.is_file() and not any(part.startswith((".", "__")) for part in inner.parts):
                yield inner.as_posix(), read_file(path, "picture")


def _page() -> Iterator[tuple[str, bytes]]:
    """The live page with this site's own entrance: the same page, and what stands for its server."""
    for home in (LIVE_PAGE, OWN_PAGE):
        for path in sorted(home.iterdir()):
            yield path.name, read_file(path, "own")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    for page, begins, own in _ENTRANCES:
        text = read_file(LIVE_PAGE / page, "own").decode("utf-8")
        entry = '<script type="module" src="{}"></script>'
        if entry.format(begins) not in text:
            raise LookupError(f"{page}: {begins}")
        looks = f'{policy}\n<link rel="stylesheet" href="site.css">\n'
        yield page, text.replace(entry.format(begins), looks + entry.format(own)).encode()


def _licences(found: Iterable[Library], editor: Iterable[Script]) -> Iterator[tuple[str, bytes]]:
    """The licence of everything in the folder, and a list of it."""
    lines = [
        "What this folder is made of, and under which licence each part stands.",
        "",
        f"print-and-play-generator {__version__}: MIT",
        f"{RUNTIME.name} {RUNTIME.version} (runtime/): MPL-2.0; its source is in its registry under that name",
        "CPython (in runtime/): PSF-2.0",
    ]
    for one in found:
        lines.append(f"{one.name} {one.version}: {' '.join(one.licence.split())[:80] or 'see its folder'}")
        for path, data in one.licences.items():
            yield f"licences/{one.name}/{re.sub('[^A-Za-z0-9./_-]', '_', path)}", data
    for script in editor:
        lines.append(f"{script.name} {script.version} (codemirror/{script.file}): {script.licence}")
        yield f"licences/codemirror/{script.file.removesuffix('.js')}.txt", script.terms
    for text in sorted((bundled_root() / "fonts" / "licences").iterdir()):
        yield f"licences/fonts/{text.name}", read_file(text, "own")
    yield "licences/README.txt", ("\n".join(lines) + "\n").encode()
