"""Packs of looks, icons, presets or a starter: those that come with pnp, and those that a project has installed."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Literal, NamedTuple

from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    gather_problems,
    raise_problems,
    sort_problems,
    to_one_line,
)
from generator.base.files import Resources, is_file, is_folder, list_files, read_file, to_relative_path
from generator.game.data_fields import About, FieldSpec
from generator.game.data_reader import read_yaml
from generator.game.data_shapes import TEXT, ChoiceShape, KeyedShape, KeyEntry, ListShape, MapShape, PlainShape
from generator.game.model import FontFamily
from generator.game.schema import ID, shape_from_class
from generator.game.source import Map, Source
from generator.game.value_faults import read_source

PACK_FOLDER, PACK_FILE, LOCK_FILE = "packs", "pack.yaml", "packs.lock"
LOOK_FILE = "look.svg"
"""The template of a look."""

MOST_FILES, MOST_BYTES = 2_000, 64 * 1024 * 1024
"""Largest number and total size of a pack's files."""
TOO_LARGE = f"a pack has at most {MOST_FILES:,} files and {MOST_BYTES >> 20} MB", "split it into several packs"

_PLACES = {
    "look": (
        r"look\.svg|fonts/.+\.(ttf|otf|ttc)|templates/common/.+\.(svg|png|jpe?g|webp)",
        "look.svg, fonts/ and templates/common/ (SVG and pictures)",
    ),
    "icons": (r"templates/common/icons/.+\.(svg|png)", "templates/common/icons/"),
    "presets": (r"presets/[^/]+\.yaml|profiles/.+\.ic[cm]", "presets/ and profiles/"),
    "starter": (r"starter/((data|templates|fonts)/.+|README\.md|\.gitignore)", "starter/data/, templates/ and fonts/"),
}
"""The paths that each kind of pack may use: those of a project, where pnp finds the files, or copies a starter to."""

_BESIDE = r"preview\.png|README\.md|LICENSE|licences/.+\.txt"

_IGNORED = re.compile(r"(^|/)\.(?!gitignore$)|^\.|(^|/)__pycache__/")
"""Files that are no part of a pack: hidden ones, and what Python leaves beside the rules of a starter."""

LAYOUT = "layout"
"""The pack that layouts are based on. An import adds the rest."""
LAYOUTS = ("fantasy", "economy", "stats", "tarot", "domino", "hexagons", "mat", "dice", "standee")
STARTERS = ("cards", "tricks", "board", "csv", "blank", *LAYOUTS)
"""The starters that come with pnp, in the order of lists."""

LICENCES = (
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-3.0", "CC-BY-4.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0",
    "CC-BY-NC-3.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-3.0", "CC-BY-NC-SA-4.0", "CC0-1.0", "ISC", "MIT", "OFL-1.1",
    "Unlicense",
)  # fmt: skip
"""Licences that allow printing, changing and sharing, by their SPDX names."""

_FREE = ("0BSD", "CC0-1.0", "Unlicense")
"""Licences that ask for no credit."""


@dataclass(frozen=True, slots=True)
class Pack:
    """What pack.yaml says. `wants` are the values that a look shows, `columns` other headings for them.

    `palette` and `fonts` are those of a look, `tags` other words for each icon. `files` has the SHA-256 of each file.
    A starter has the files of its `base`, too; `guides` are the guides that its comments mention.
    """

    name: Annotated[str, About(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
    version: str
    kind: Literal["look", "icons", "presets", "starter"]
    title: str
    licence: str
    files: Mapping[str, str]
    credit: str = ""
    wants: Mapping[str, FieldSpec] | None = None
    columns: Mapping[str, str] | None = None
    palette: Mapping[str, str] | None = None
    fonts: Mapping[str, FontFamily] | None = None
    tags: Mapping[str, list[str]] | None = None
    base: str = ""
    guides: tuple[Literal["data", "rulebook", "rules", "spreadsheets", "templates"], ...] = ()

    @property
    def notice(self) -> str:
        """The line of a book's imprint that names the pack, its author and its licence."""
        return f"{self.label}: {', '.join(filter(None, (self.credit, self.licence)))}"

    @property
    def label(self) -> str:
        """The title and version as one line, which is safe in comments of templates and YAML."""
        return to_one_line(f"{self.title} {self.version}").replace("}", ")")


_SHA = PlainShape("text", {"pattern": r"^[0-9a-f]{64}$"})
_BASE = shape_from_class(Pack, "Pack")
_OWN = {
    "files": KeyEntry("files", MapShape(TEXT, _SHA, {"min_length": 1})),
    "columns": KeyEntry("columns", MapShape(TEXT, TEXT), {}),
    "palette": KeyEntry("palette", MapShape(ID, TEXT), {}),
    "tags": KeyEntry("tags", MapShape(ID, ListShape(TEXT)), {}),
    "base": KeyEntry("base", ChoiceShape((LAYOUT, *STARTERS)), ""),
}
_SHAPE = KeyedShape("Pack", "A pack.", [_OWN.get(name, entry) for name, entry in _BASE.entries.items()])


class PackFiles(NamedTuple):
    """A pack, its pack.yaml with places, and the bytes of all its files by path."""

    pack: Pack
    source: Source
    contents: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        """The SHA-256 of pack.yaml, which holds those of all other files."""
        return sha256(self.contents[PACK_FILE]).hexdigest()


def read_pack(folder: Path, shown: str) -> PackFiles:
    """Return the pack in a folder. Raise ProblemsFound with all faults of pack.yaml and of the files."""
    file = f"{shown}/{PACK_FILE}"
    root = read_yaml(folder / PACK_FILE, file)
    source = Source(file, root)
    problems = list(_check_licence(root, source))
    values: Any = None
    with gather_problems(problems):
        values = read_source(_SHAPE, source)
        problems += _check_look(values, source)
        problems += (Problem(source.key_place("files", name), *fault) for name, fault in _check_names(values))
    contents = dict(_iter_files(folder, shown, problems))
    listed = {PACK_FILE: "", **values.files} if values else dict.fromkeys(contents, "")
    for name in contents.keys() - listed.keys():
        what = f"'{name}' is not listed under `files`"
        hint = f"add `{name}: {sha256(contents[name]).hexdigest()}`, or remove it"
        problems.append(Problem(source.key_place("files"), what, hint))
    for name, digest in listed.items():
        if name not in contents:
            problems.append(Problem(source.key_place("files", name), f"the file '{name}' is missing", "add it"))
        elif digest and (seen := sha256(contents[name]).hexdigest()) != digest:
            what = f"the file '{name}' differs from its checksum: it is {seen}"
            problems.append(Problem(source.place("files", name), what, "get the pack again from its author"))
    if problems:
        raise ProblemsFound(sort_problems(problems))
    return PackFiles(Pack(**vars(values)), source, contents)


def read_pack_file(file: Path) -> Pack:
    """Return what a pack.yaml says, without a look at the other files. Raise ProblemsFound if it is wrong."""
    return Pack(**vars(read_source(_SHAPE, Source(PACK_FILE, read_yaml(file, PACK_FILE)))))


def _check_licence(root: Map, source: Source) -> Iterator[Problem]:
    licence = root.get("licence")
    if not isinstance(licence, str) or licence in LICENCES:
        if licence in LICENCES and licence not in _FREE and not root.get("credit"):
            what = f"the licence {licence} asks for a credit, but 'credit' is missing"
            yield Problem(source.place("licence"), what, "add `credit: ...`, the author's name")
        return
    if re.search(r"\bND\b", licence):
        what = f"the licence {licence} forbids changes, but pnp fits a pack to your cards"
        yield Problem(source.place("licence"), what, "ask the author for another licence, or use another pack")
    else:
        what = f"pnp does not know the licence '{licence}' as one that allows printing and sharing"
        yield Problem(source.place("licence"), what, did_you_mean(licence, LICENCES))


def _check_look(values: Any, source: Source) -> Iterator[Problem]:
    """Yield problems of keys for looks or starters. A look's names begin with the pack's, so that looks don't clash."""
    if values.kind == "look" and LOOK_FILE not in values.files:
        yield Problem(source.key_place("files"), f"a look needs the file {LOOK_FILE}", "add it")
    for kind, keys in (("look", ("wants", "columns", "palette", "fonts")), ("starter", ("base", "guides"))):
        for key in keys if values.kind != kind else ():
            if getattr(values, key):
                yield Problem(source.key_place(key), f"only a {kind} has '{key}'", "remove it")
    for want in values.wants or ():
        if not want.isidentifier():  # templates set a variable of this name
            hint = f"write letters, digits and _, also in {LOOK_FILE}"
            yield Problem(source.key_place("wants", want), f"'{want}' can't be the name of a value", hint)
    prefix = values.name.replace("-", "_")
    for key in ("palette", "fonts"):
        for name in getattr(values, key) or ():
            if not name.startswith(prefix):
                what = f"the name '{name}' in {key} can be one of the game's"
                yield Problem(source.key_place(key, name), what, f"write `{prefix}_{name}`, also in {LOOK_FILE}")


def _check_names(values: Any) -> Iterator[tuple[str, tuple[str, str]]]:
    seen = set[str]()
    for name in values.files:
        try:
            to_relative_path(name)
        except InvalidInput as unfit:
            yield name, (f"'{name}': {unfit}", unfit.hint)
            continue
        if name.casefold() in seen:
            yield name, (f"'{name}' is given twice, if upper and lower case count as equal", "rename one of them")
        seen.add(name.casefold())
        if not re.fullmatch(f"{_PLACES[values.kind][0]}|{_BESIDE}", name):
            hint = f"files belong in {_PLACES[values.kind][1]}"
            yield name, (f"'{name}' has no place in a pack of kind {values.kind}", hint)


def _iter_files(folder: Path, shown: str, problems: list[Problem]) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder but hidden ones. Add links and too large files to the problems."""
    left = MOST_BYTES
    inners = (path.relative_to(folder).as_posix() for path in list_files(folder, links=True))
    for count, inner in enumerate((inner for inner in inners if not _IGNORED.search(inner)), 1):
        path = folder / inner
        try:
            if path.is_symlink():
                raise InvalidInput("this is a link, and packs hold none", "replace it with the file")  # noqa: TRY301
            data = read_file(path, "picture")
        except InvalidInput as unfit:
            problems.append(Problem(Place(f"{shown}/{inner}"), str(unfit), unfit.hint))
            continue
        left -= len(data)
        if left < 0 or count > MOST_FILES:
            problems.append(Problem(Place(shown), *TOO_LARGE))
            return
        yield inner, data


class LockedPack(NamedTuple):
    """An entry of packs.lock: version, digest and source of a pack."""

    version: str
    sha256: str
    source: str


class PackLock(NamedTuple):
    """The contents of packs.lock: the packs by name, and the look of each `game/kind`."""

    packs: Mapping[str, LockedPack]
    looks: Mapping[str, str]


_LOCKED = KeyedShape("Locked", "", [KeyEntry("version", TEXT), KeyEntry("sha256", _SHA), KeyEntry("source", TEXT)])
_LOCK = KeyedShape(
    "Lock", "", [KeyEntry("packs", MapShape(ID, _LOCKED), {}), KeyEntry("looks", MapShape(TEXT, TEXT), {})]
)


def read_lock(root: Path, shown: str = f"{PACK_FOLDER}/{LOCK_FILE}") -> tuple[PackLock, Source]:
    """Return a project's lock (empty if none), and its data with places. Raise ProblemsFound if it is damaged."""
    path = root / PACK_FOLDER / LOCK_FILE
    written = read_yaml(path, shown) if is_file(path) else Map()
    source = Source(shown, written)
    values = read_source(_LOCK, source)
    packs = {name: LockedPack(entry.version, entry.sha256, entry.source) for name, entry in values.packs.items()}
    return PackLock(packs, values.looks), source


def format_lock(lock: PackLock) -> bytes:
    """Return the contents of packs.lock, sorted."""
    lines = ["# `pnp add` writes this file. Keep it and its folder with your project.", "packs:"]
    for name, entry in sorted(lock.packs.items()):
        lines.append(f"  {json.dumps(name)}: {json.dumps(entry._asdict(), ensure_ascii=False)}")
    lines += ["looks:"] if lock.looks else []
    lines += [f"  {kind}: {json.dumps(name)}" for kind, name in sorted(lock.looks.items())]
    return "\n".join([*lines, ""]).encode()


def find_packs(root: Path, resources: Resources) -> tuple[PackFiles, ...]:
    """Return the installed packs of a project. Raise ProblemsFound for each that differs from packs.lock."""
    lock, source = read_lock(root, resources.display_path(root / PACK_FOLDER / LOCK_FILE))
    problems, packs = list[Problem](), list[PackFiles]()
    for name, entry in lock.packs.items():
        folder, again = root / PACK_FOLDER / name, f"`pnp add {quote(entry.source)} --replace` installs it again"
        if not is_folder(folder):
            problems.append(Problem(source.key_place("packs", name), f"the pack '{name}' is missing", again))
            continue
        try:
            found = read_pack(folder, resources.display_path(folder))
        except ProblemsFound as unfit:
            problems += (Problem(one.place, one.what, again) for one in unfit.problems)
            continue
        if found.digest != entry.sha256 or found.pack.name != name:
            what = f"the pack '{name}' differs from packs.lock: {PACK_FILE} is {found.digest}"
            problems.append(Problem(source.place("packs", name, "sha256"), what, again))
        packs.append(found)
    problems += find_shared_files(one.pack for one in packs)
    raise_problems(problems)
    return tuple(packs)


def find_shared_files(packs: Iterable[Pack]) -> Iterator[Problem]:
    """Yield a problem for each file that two packs contain, because only one of them could be used."""
    owners = dict[str, str]()
    for pack, name in ((one, name) for one in packs for name in one.files):
        first = owners.setdefault(name, pack.name)
        if first != pack.name and not re.fullmatch(rf"{_BESIDE}|{re.escape(LOOK_FILE)}|starter/.*", name):
            what = f"the packs '{first}' and '{pack.name}' both contain {name}"
            yield Problem(Place(f"{PACK_FOLDER}/{pack.name}"), what, "remove one of them")


def list_pack_notices(resources: Resources, game: str) -> Iterable[str]:
    """Return the lines that a book of a game owes to its packs: icons, and looks of its kinds."""
    root = resources.roots[0]
    if not is_file(root / PACK_FOLDER / LOCK_FILE):
        return ()
    lock = read_lock(root)[0]
    looks = {name for kind, name in lock.looks.items() if kind.partition("/")[0] == game}
    files = [root / PACK_FOLDER / name / PACK_FILE for name in lock.packs]
    packs = map(read_pack_file, files)
    return [pack.notice for pack in packs if pack.kind == "icons" or pack.name in looks]
