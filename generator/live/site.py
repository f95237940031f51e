"""The command `site`: writes a folder of static files with the program, libraries, fonts and games."""

import hashlib
import io
import json
import lzma
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator import __version__
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.extensions import OWN
from generator.base.files import is_folder, list_files, list_folder, read_file, write_in_folder
from generator.base.geometry import MM_PER_INCH
from generator.base.output_files import open_delivery
from generator.base.processes import find_program
from generator.commands.command_line import say
from generator.commands.new import open_starter, pick_first_designs
from generator.commands.options import GAMES, PROJECT, open_project, progress, say_notes
from generator.commands.orders import load_games
from generator.commands.settings import cache_folder
from generator.commands.starters import LANGUAGES
from generator.drawing.faces.game_drawing import BOLD_BOOK_FILES, BOOK_FILES, LABEL_FILES, Workshop
from generator.game.model import Design, FontFamily, Game
from generator.game.packs import LAYOUT, PACK_FOLDER, STARTERS, read_pack
from generator.game.project import PACKAGE, Project, find_bundled_root
from generator.live.browser_bridge import MOST_BYTES, MOST_FILES
from generator.live.project_files import FOLDERS, is_shown
from generator.live.routes import PAGE as LIVE_PAGE
from generator.live.site_runtime import DECODERS, FURTHER, RUNTIME, Runtime, Script, load_runtime, open_runtime_folder
from generator.sheets.raster import draw_fronts, encode_webp


@click.command()
@GAMES
@click.option("--out", type=click.Path(path_type=Path), default="site", show_default=True, help="Folder to write.")
@click.option(
    "--runtime",
    "named",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Folder with the files that pnp would download from npm and PyPI (see docs/browser.md).",
)
@click.option("--docs", metavar="ADDRESS", default="", help="Documentation to link on the start page.")
@PROJECT
@click.pass_obj
def site(obj: Path | None, /, out: Path, named: Path | None, docs: str, **options: Any) -> None:
    """Build a website that runs the program in the browser.

    Visitors don't need to install anything, and their files stay on their computer. Any web server can host the
    folder. After the first visit the site works offline.
    """
    found, tell = open_project(obj, options), progress()
    runtime = load_runtime(named, named or open_runtime_folder(cache_folder()), tell)
    made = make_site(found, options["games"], out, runtime, tell, docs)
    for name, size in made.sizes.items():
        say(f"{name:<10} {size / 1e6:6.1f} MB")
    say(f"{'together':<10} {sum(made.sizes.values()) / 1e6:6.1f} MB in {len(made.files)} files: {out.as_posix()}")
    say_notes(made.notes)


def make_tar(files: Mapping[str, bytes]) -> bytes:
    """Return the files as an archive in the order of their paths."""
    out = io.BytesIO()
    with tarfile.TarFile(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo(path)
            entry.size = len(files[path])
            archive.addfile(entry, io.BytesIO(files[path]))
    return out.getvalue()


LIBRARIES = (
    "budoux", "click", "cssselect2", "jinja2", "markdown-it-py", "markupsafe", "mdurl", "pillow", "pyphen", "pyyaml",
    "reportlab", "tinycss2", "webencodings",
)  # fmt: skip
"""Python libraries that the program needs in the browser, except compiled ones (see site_runtime.py)."""

WORKBOOKS = ("openpyxl", "et_xmlfile")
"""Libraries that read .xlsx; a site has them if they are installed."""

LEFT_OUT = ("pikepdf", "numba", "numpy", "resvg_py", "scipy")
"""Libraries without a build for browsers. docs/browser.md lists what needs them."""

_LICENCE = re.compile(r"(?i)LICEN|COPYING|NOTICE|AUTHORS")
_NOT_NEEDED = re.compile(r"\.\.|.*(__pycache__/|\.libs/|reportlab/fonts/|\.(so|pyd|dll|pyi|c|h|pyx|pyc)$)")
"""Files that a site does not need: programs, and files for this machine's platform, compilers or ReportLab."""

_BUNDLED = ("presets", "profiles", "templates/common")
"""Folders of the program that commands read, in addition to games and fonts."""


class Library(NamedTuple):
    """A Python library: name, version, licence, its files by path, and its licence files by path."""

    name: str
    version: str
    licence: str
    files: Mapping[str, bytes]
    licences: Mapping[str, bytes]


def collect_libraries(compiled: Mapping[str, tuple[str, Mapping[str, bytes]]]) -> Iterator[Library]:
    """Yield each library that a site needs: compiled for browsers if available, else as installed."""
    for name in sorted({*LIBRARIES, *compiled, *(name for name in WORKBOOKS if _has_distribution(name))}):
        found = _find_distribution(name)
        version, files = compiled.get(name) or (found.version, dict(_iter_library_files(found)))
        if name == "pillow" and name not in compiled:
            text = read_file(Path(__file__).with_name("pillow_stand_in.py"), "own").replace(
                b'"VERSION"', f'"{version}"'.encode()
            )
            files = {**files, "PIL/_imaging.py": text, "PIL/_webp.py": text}
        inner = {path: data for path, data in files.items() if ".dist-info/" not in path}
        beside = {path.partition(".dist-info/")[2]: data for path, data in files.items()}
        licences = {path: data for path, data in beside.items() if _LICENCE.match(path)}
        said: Any = found.metadata
        licence = said.get("License-Expression") or said.get("License") or ""
        yield Library(said["Name"], version, licence, inner, licences)


def collect_program_files() -> Iterator[tuple[str, bytes]]:
    """Yield the program's files by path: its modules, and what it bundles for all games."""
    for path in list_files(PACKAGE):
        inner = path.relative_to(PACKAGE)
        if "__pycache__" not in inner.parts and inner.parts[0] != "bundled":
            yield f"generator/{inner.as_posix()}", read_file(path, "own")
    for file in _find_distribution(OWN).files or ():
        if file.name in ("METADATA", "entry_points.txt"):  # by which the optional packages are found
            yield file.as_posix(), read_file(Path(str(file.locate())), "own")
    for folder in _BUNDLED:
        for path in list_files(find_bundled_root() / folder):
            yield f"generator/bundled/{path.relative_to(find_bundled_root()).as_posix()}", read_file(path, "own")


def collect_starter_files() -> Iterator[tuple[str, bytes]]:
    """Yield the starters for new projects and their guides, by path below the program."""
    root = find_bundled_root()
    packs = {name: read_pack(root / PACK_FOLDER / name, name) for name in sorted((LAYOUT, *STARTERS))}
    for name, found in packs.items():
        yield from ((f"{PACK_FOLDER}/{name}/{path}", data) for path, data in found.contents.items())
    for guide in sorted({guide for found in packs.values() for guide in found.pack.guides}):
        yield f"docs/{guide}.md", read_file(root / "docs" / f"{guide}.md", "own")


_LATER = (("hyphens", "pyphen/dictionaries/hyph_"), ("pdf", "pypdfium2_raw/libpdfium"))
"""Archives of files that few visitors need, by the beginning of their paths."""


def split_program(
    program: Mapping[str, bytes], compiled: Mapping[str, bytes], loaded: Iterable[str]
) -> dict[str, dict[str, bytes]]:
    """Return the program's files by archive: `program` is needed for each start, the others as soon as they are read.

    A module goes without its source if it is `compiled`. Those `loaded` in the memory of the start need no compiled
    module. Rules keep their sources, because reports state their hash.
    """
    parts: dict[str, dict[str, bytes]] = {"program": {}, "modules": {}, "sources": {}, **{n: {} for n, _ in _LATER}}
    in_memory = frozenset(loaded)
    for path, data in program.items():
        folder, _, name = path.rpartition("/")
        made = f"{folder}/__pycache__/{name.removesuffix('.py')}.{_TAG}.pyc"
        if made not in compiled:
            parts[next((part for part, begins in _LATER if path.startswith(begins)), "program")][path] = data
        elif path in in_memory:
            parts["sources"][path] = data
        elif path.startswith("generator/rules/"):
            parts["sources"][path] = data
            parts["modules"][made] = compiled[made]
        else:
            parts["modules"][f"{path}c"] = compiled[made]
    return {name: files for name, files in parts.items() if files}


def _has_distribution(name: str) -> bool:
    try:
        return bool(distribution(name))
    except PackageNotFoundError:
        return False


def _find_distribution(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        what = f"the library {name} is not installed as a package, so pnp can't copy it"
        raise ProblemsFound([Problem(None, what, "install pnp with pip")]) from error


def _iter_library_files(found: Distribution) -> Iterator[tuple[str, bytes]]:
    for file in found.files or ():
        path = file.as_posix()
        if not _NOT_NEEDED.match(path):
            yield path, read_file(Path(str(found.locate_file(file))), "own")


OWN_PAGE = Path(__file__).with_name("site_page")

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; style-src 'self'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'"
)
"""Content security policy of the page and its worker: only this site, and no inline scripts."""

_TAG = "cpython-314"
"""The runtime's mark in the names of compiled modules."""

_MEMORY, _WORKER = "started.bin", "sw.js"
"""Two files of a site: Python's memory with the site's games loaded (start.mjs restores it), the service worker."""

_PACKED = ("runtime", "program", "games", "start", "later", "fonts", "starters", "editor")
_ENDING = ".bin"
"""Purposes of files that are stored compressed, whatever the server does, and the ending of their names."""

_UNPACKER = "xz.wasm"
"""Decoder by which the service worker unpacks them: xz packs a quarter tighter than gzip, which browsers know."""

_PATIENCE = 600.0
"""Time limit for compiling and for starting the program (seconds)."""

_ABOUT = "Write a game's cards as text, print them, play them. ゲームのカードを文章で書き、印刷して、遊べます。"

_FONT_FILE = re.compile(r"[\w-]+\.(?:ttf|otf)")

_ENTRANCES = (("index.html", "app.js", "site.js"), ("play.html", "play.js", "seat.js"))
"""Pages of the live page, the first script of each, and the script that the site loads before it."""


class SiteFiles(NamedTuple):
    """The files of a site, their total size by purpose (bytes), and notes for the user."""

    files: tuple[Path, ...]
    sizes: Mapping[str, int]
    notes: tuple[str, ...]


def make_site(
    project: Project, names: tuple[str, ...], out: Path, runtime: Runtime, tell: Callable[[str], None], docs: str = ""
) -> SiteFiles:
    """Write a site of these games (none: all) into `out`; `tell` gets the steps. Raise ProblemsFound with all."""
    games, problems = load_games(project, names)
    if problems:
        raise ProblemsFound(problems)
    tell("the program")
    found = tuple(collect_libraries(runtime.libraries))
    inside = dict(collect_program_files()) | {path: data for one in found for path, data in one.files.items()}
    starters = dict(collect_starter_files())
    fonts = {f"fonts/{name}": data for name, data in _collect_fonts(project, games, starters)}
    of_games = dict(collect_game_files(project, games))
    compiled, loaded, start = _begin_program(runtime, inside, of_games, fonts)
    tell("the site")
    program, shown = split_program(inside, compiled, loaded), make_start_page(project, games)
    parts = {
        "runtime": {f"runtime/{name}": data for name, data in runtime.parts.items() if name != _UNPACKER},
        "program": {"program.tar": make_tar(program.pop("program"))}, "games": {"games.tar": make_tar(of_games)},
        "start": start, "later": {f"{name}.tar": make_tar(files) for name, files in program.items()},
        "fonts": fonts, "starters": {"starters.tar": make_tar(starters)},
        "page": {**dict(_collect_page(next(iter(shown.files), ""))), **shown.files,
                 _UNPACKER: runtime.parts[_UNPACKER]},
        "editor": {f"codemirror/{script.file}": script.text for script in runtime.editor},
        "licences": dict(_collect_licences(found, runtime.editor)),
    }  # fmt: skip
    lacks = [*LEFT_OUT, *sorted(set(FURTHER[:1]) - set(runtime.libraries))]
    sums = {path: hashlib.sha256(data).hexdigest() for part in parts.values() for path, data in part.items()}
    later = {f"{name}.tar": {path: len(data) for path, data in files.items()} for name, files in program.items()}
    about = {
        "program": __version__, "games": shown.games, "from": shown.starters, "lacks": lacks, "docs": docs,
        "takes": {"folders": FOLDERS, "files": MOST_FILES, "bytes": MOST_BYTES},
        "later": {**later, **{path: len(data) for path, data in fonts.items()}},
    }  # fmt: skip
    with ThreadPoolExecutor() as pool:
        for part in _PACKED:
            packed = pool.map(lzma.compress, parts[part].values())
            parts[part] = {f"{path}{_ENDING}": data for path, data in zip(parts[part], packed, strict=True)}
    every = {path: data for part in parts.values() for path, data in part.items()}
    every["site.json"] = _describe_site(about, parts, sums)
    every[_WORKER] = every[_WORKER].replace(b"VERSION_OF_THIS_SITE", _hash_files(every).encode())
    with open_delivery() as files:
        for path, data in every.items():
            files.put(out / path, data)
        written = files.hand_over()
    tell("")
    return SiteFiles(
        written,
        {name: sum(map(len, part.values())) for name, part in parts.items()},
        _make_notes(lacks, compiled, runtime),
    )


def _make_notes(lacks: Iterable[str], compiled: Mapping[str, bytes], runtime: Runtime) -> tuple[str, ...]:
    pillow = ("without Pillow's build for browsers, it reads only PNG, JPEG and WebP (docs/browser.md)",)
    slow = ("without node the site can't be precompiled: each start takes much longer",)
    plain = (f"without CodeMirror texts are edited in a plain field there: {runtime.lacking} (docs/browser.md)",)
    return (*(pillow if "pillow" in lacks else ()), *(() if compiled else slow), *(() if runtime.editor else plain))


def _describe_site(about: Mapping[str, Any], parts: Mapping[str, Mapping[str, bytes]], sums: dict[str, str]) -> bytes:
    """Return the JSON in which the page finds `about`, sizes by purpose, and `sums` (SHA-256 of unpacked files).

    Names of files are those that the page asks for: its service worker unpacks what is packed.
    """
    del sums[_WORKER]  # it compares the others with this, and the browser stores it
    sizes = {
        name: {path.removesuffix(_ENDING) if name in _PACKED else path: len(data) for path, data in part.items()}
        for name, part in parts.items()
    }
    packed = [path for name in _PACKED for path in sizes[name]]
    return json.dumps({**about, "parts": sizes, "sums": sums, "packed": packed}, indent=1).encode()


def _hash_files(files: Mapping[str, bytes]) -> str:
    summed = hashlib.sha256()
    for path in sorted(files):
        summed.update(path.encode() + b"\0" + hashlib.sha256(files[path]).digest())
    return summed.hexdigest()[:16]


def _begin_program(
    runtime: Runtime, program: Mapping[str, bytes], games: Mapping[str, bytes], fonts: Mapping[str, bytes]
) -> tuple[dict[str, bytes], list[str], dict[str, bytes]]:
    """Start the program in node. Return its compiled modules, the paths of those that run, and its memory then.

    The memory has `games` loaded. Without node all three are empty. Raise ProblemsFound if the program fails.
    """
    node = find_program("node")
    if node is None:
        return {}, [], {}
    with tempfile.TemporaryDirectory() as room:
        for path, data in {
            **{f"program/{path}": data for path, data in program.items()},
            **{f"runtime/{name}": data for name, data in runtime.parts.items()},
            **{f"project/{path}": data for path, data in games.items()},
            **fonts,
        }.items():
            write_in_folder(Path(room), path, data)
        script = str(Path(__file__).with_name("prepare.mjs"))
        done = subprocess.run([node, script, room], capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").splitlines()
            said = next((line for line in lines if "Error: " in line), "it ended without a message")
            what = f"the program does not start in {RUNTIME.name} {RUNTIME.version}: {said[:300]}"
            raise ProblemsFound([Problem(None, what, "install the versions of constraints.txt, and try again")])
        made = Path(room, "program")
        modules = {
            path.relative_to(made).as_posix(): read_file(path, "own")
            for path in list_files(made)
            if path.suffix == ".pyc" and path.parent.name == "__pycache__"
        }
        loaded = json.loads(read_file(Path(room, "loaded.json"), "own"))
        return modules, loaded, {_MEMORY: read_file(Path(room, _MEMORY), "own")}


def _collect_fonts(
    project: Project, games: Iterable[Game], starters: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes]]:
    """Yield the font files that the games, the starters and the program itself use."""
    wanted = {*LABEL_FILES, *BOOK_FILES, *BOLD_BOOK_FILES}
    wanted |= {name for game in games for family in game.fonts.values() for name in _iter_font_names(family)}
    texts = [data.decode("utf-8") for path, data in starters.items() if path.endswith(".yaml")]
    wanted |= {name for text in texts for name in _FONT_FILE.findall(text)}
    for name in sorted(wanted):
        path = project.resources.find("fonts", name)
        if path is not None:
            yield name, read_file(path, "font")


def _iter_font_names(family: FontFamily) -> Iterator[str]:
    chains = [*family.regular.values(), *family.bold.values(), *family.italic.values()]
    chains += [chain for weights in family.weights.values() for chain in weights.values()]
    for chain in chains:
        yield from chain


def collect_game_files(project: Project, games: Iterable[Game]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the site's project: data and templates of its games, and shared files."""
    folders = [project.find_folder(game.id) for game in games]
    folders += [project.root / "templates" / game.id for game in games]
    if project.root.resolve() != find_bundled_root().resolve():
        folders += [project.root / name for name in ("templates/common", "presets", "profiles", "packs", "records")]
    problems = []
    for path in (path for folder in folders for path in list_files(folder, links=True)):
        inner = path.relative_to(project.root)
        if any(part.startswith((".", "__")) for part in inner.parts) or is_folder(path):
            continue
        place = Place(project.resources.display_path(path))
        if not project.links and not is_shown(path, project.root):
            problems.append(
                Problem(place, "this link leads out of the site's folders", "replace the link with the file")
            )
            continue
        try:
            yield inner.as_posix(), read_file(path, "picture")
        except InvalidInput as unfit:
            problems.append(Problem(place, str(unfit), unfit.hint))
    if problems:
        raise ProblemsFound(problems)


def _collect_page(picture: str) -> Iterator[tuple[str, bytes]]:
    """Yield the live page's files, with scripts that replace its server. `picture` is the address for link previews."""
    for home in (LIVE_PAGE, OWN_PAGE):
        for path in list_folder(home):
            yield path.name, read_file(path, "own")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    said = {'name="description"': _ABOUT, 'property="og:description"': _ABOUT, 'property="og:image"': picture}
    shown = "\n".join(f'<meta {name} content="{value}">' for name, value in said.items())
    for page, begins, own in _ENTRANCES:
        text = read_file(LIVE_PAGE / page, "own").decode("utf-8")
        entry = '<script type="module" src="{}"></script>'
        if entry.format(begins) not in text:
            raise LookupError(f"{page}: {begins}")
        looks = f'{policy}\n{shown}\n<link rel="manifest" href="manifest.webmanifest">\n'
        looks += '<link rel="apple-touch-icon" href="icon-512.png">\n<link rel="stylesheet" href="site.css">\n'
        yield page, text.replace(entry.format(begins), looks + entry.format(own)).encode()


def _collect_licences(installed: Iterable[Library], editor: Iterable[Script]) -> Iterator[tuple[str, bytes]]:
    """Yield path and text of the licences of everything in the folder, and last a list of all parts."""
    lines = [
        "The parts of this folder and their licences.",
        "",
        f"print-and-play-generator {__version__}: MIT",
        f"{RUNTIME.name} {RUNTIME.version} (runtime/): MPL-2.0; its source is in its registry under that name",
        *(f"{one.name} {one.version} ({name}.wasm): see decoders.txt" for name, one in DECODERS.items()),
        "CPython (in runtime/): PSF-2.0",
    ]
    for one in installed:
        lines.append(f"{one.name} {one.version}: {' '.join(one.licence.split())[:80] or 'see its folder'}")
        for path, data in one.licences.items():
            yield f"licences/{one.name}/{re.sub('[^A-Za-z0-9./_-]', '_', path)}", data
    for script in editor:
        lines.append(f"{script.name} {script.version} (codemirror/{script.file}): {script.licence}")
        yield f"licences/codemirror/{script.file.removesuffix('.js')}.txt", script.terms
    for text in list_files(find_bundled_root() / "fonts" / "licences"):
        yield f"licences/fonts/{text.name}", read_file(text, "own")
    yield "licences/decoders.txt", read_file(Path(__file__).with_name("decoder_licences.txt"), "own")
    yield "licences/README.txt", ("\n".join(lines) + "\n").encode()


_FAN = 3
"""Number of pieces in the picture of a game or starter."""

_BOX = (300, 240)
"""Largest size of a piece (px): it is shown at half of it, so that it is sharp on fine screens."""


class StartPage(NamedTuple):
    """What the start page shows: games and starters as entries for the page, and the files of their pictures."""

    games: list[dict[str, Any]]
    starters: list[dict[str, Any]]
    files: Mapping[str, bytes]


def make_start_page(project: Project, games: Iterable[Game]) -> StartPage:
    """Return the start page's games and starters, with pictures. Raise ProblemsFound if a piece can't be drawn."""
    files: dict[str, bytes] = {}
    shown, starters = [], []
    for game in games:
        kind = max(game.kinds.values(), key=lambda kind: (kind.form == "card", len(kind.designs)))
        step = max(1, len(kind.designs) // _FAN)
        pictures = _draw_fan(Workshop(game, project.resources), kind.designs[::step][:_FAN], f"game-{game.id}", files)
        players = [game.players.fewest, game.players.most]
        shown.append({"id": game.id, "title": dict(game.title.items()), "players": players, "pictures": pictures})
    for name in STARTERS:
        with open_starter(name) as workshop:
            pictures = _draw_fan(workshop, pick_first_designs(workshop.game)[:_FAN], f"starter-{name}", files)
        starters.append({"id": name, "pictures": pictures})
    return StartPage(shown, starters, files)


def _draw_fan(workshop: Workshop, designs: Sequence[Design], name: str, files: dict[str, bytes]) -> Any:
    """Add a picture of each design to `files`, with `name` in its path. Return the paths by language."""
    paths: dict[str, list[str]] = {}
    for lang in [lang for lang in workshop.game.languages if lang in LANGUAGES] or workshop.game.languages[:1]:
        dpi = lambda face: MM_PER_INCH * min(_BOX[0] / face.width, _BOX[1] / face.height)  # noqa: E731
        for _, image in draw_fronts(workshop, designs, lang, dpi):
            path = f"start/{name}-{len(paths.setdefault(lang, []))}.{lang}.webp"
            files[path] = encode_webp(image)
            paths[lang].append(path)
    return paths
