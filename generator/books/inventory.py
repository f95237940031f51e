"""Inventory: the parts of a game by kind and design, and the paper they lie on."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal

from generator.base.dataclass import dataclass
from generator.base.display_list import Drawing
from generator.base.geometry import Size
from generator.game.model import Design, FaceName, Game, Kind
from generator.game.print_pages import Backs, Lie, Page
from generator.sheets.page_marks import cut_line
from generator.sheets.pieces import lie_of

Sides = Literal["one", "both", "folded", "separate"]
"""How the paper of some sheets is printed on."""

Face = Callable[[Design, FaceName], Drawing | None]


@dataclass(frozen=True, slots=True)
class ListedPart:
    """One design with the picture of its front."""

    design: Design
    front: Drawing


@dataclass(frozen=True, slots=True)
class KindOfParts:
    """A kind with all its designs that are in the box; `back` is the first one's, `backs` how many different there are.

    `alike`: both sides of each piece show the same; then there is no `back` to look at. `lie` is how its pieces lie on
    paper; `tiles` on how many pieces of paper one of them is printed.
    """

    kind: Kind
    parts: tuple[ListedPart, ...]
    back: Drawing | None
    backs: int
    alike: bool
    lie: Lie
    tiles: int

    @property
    def count(self) -> int:
        """Its pieces in the box."""
        return sum(part.design.count for part in self.parts)


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """Sheets from `first` to `last` that are printed and cut alike: what is on them, in which sizes, how much."""

    first: int
    last: int
    kinds: tuple[str, ...]
    sizes: tuple[Size, ...]
    sides: Sides
    count: int


@dataclass(frozen=True, slots=True)
class Inventory:
    """All that a check list tells. `papers` is how many pieces of paper go through the printer."""

    kinds: tuple[KindOfParts, ...]
    groups: tuple[SheetGroup, ...]
    papers: int
    backs: Backs
    digest: str

    @property
    def count(self) -> int:
        """All pieces in the box."""
        return sum(kind.count for kind in self.kinds)

    @property
    def designs(self) -> int:
        """How many different pieces there are."""
        return sum(len(kind.parts) for kind in self.kinds)


def take_stock(
    game: Game, pages: Sequence[Page], backs: Backs, face: Face, digest: Callable[[Drawing], str]
) -> Inventory:
    """What the pages of a game's print sheets hold; `digest` is the hash of what a face shows.

    The numbers of pieces come from the data, those of sheets from the pages: where the two disagree a test fails.
    """
    tiles, lies = _tiles(pages), _lies(game, pages)
    kinds = [_kind(kind, lies[kind.id], tiles.get(kind.id, 1), face, digest) for kind in game.kinds.values()]
    groups = _groups(game, pages, lies, backs)
    return Inventory(
        tuple(kind for kind in kinds if kind.parts),
        groups,
        len(_fronts(pages)) + (0 if backs in ("long", "short") else len(_pages_with_backs(pages))),
        backs,
        _digest(kinds, face, digest),
    )


def _kind(kind: Kind, lie: Lie, tiles: int, face: Face, digest: Callable[[Drawing], str]) -> KindOfParts:
    parts = []
    for design in kind.designs:
        front = face(design, "front") if design.count else None
        if front is not None:
            parts.append(ListedPart(design, front))
    pairs = [(part.front, back) for part in parts if part.design.back and (back := face(part.design, "back"))]
    backs = {digest(back): back for _, back in pairs}
    alike = len(pairs) == len(parts) and all(digest(front) == digest(back) for front, back in pairs)
    first = None if alike else next(iter(backs.values()), None)
    return KindOfParts(kind, tuple(parts), first, len(backs), alike, lie, tiles)


def _lies(game: Game, pages: Sequence[Page]) -> Mapping[str, Lie]:
    """How the pieces of each kind lie: those with a cut line of their own are packed, small boards among them."""
    placements = [placement for page in _fronts(pages) for placement in page.placements]
    lined = {placement.id.split("/")[0] for placement in placements if cut_line(placement.drawing)}
    return {kind.id: "packed" if kind.id in lined else lie_of(kind) for kind in game.kinds.values()}


def _digest(kinds: Iterable[KindOfParts], face: Face, digest: Callable[[Drawing], str]) -> str:
    """Eight hex digits of every design, its count and what it shows: two lists with the same ones are of one print."""
    lines = []
    for kind in kinds:
        for part in kind.parts:
            back = face(part.design, "back") if part.design.back else None
            lines.append(f"{part.design.id} {part.design.count} {digest(part.front)} {digest(back) if back else ''}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def _groups(game: Game, pages: Sequence[Page], lies: Mapping[str, Lie], backs: Backs) -> tuple[SheetGroup, ...]:
    backed = _pages_with_backs(pages)
    seen: set[str] = set()
    sheets = []
    for page in _fronts(pages):
        copies = dict.fromkeys(placement.id for placement in page.placements)
        designs = dict.fromkeys(copy.split("#")[0] for copy in copies)
        there = {name.split("/")[0] for name in designs}
        kinds = tuple(kind for kind in game.kinds if kind in there)
        sizes = tuple(dict.fromkeys(game.kinds[name].size for name in kinds))
        sides = _sides(page, page.sheet in backed, backs)
        sheets.append(SheetGroup(page.sheet, page.sheet, kinds, sizes, sides, len(copies.keys() - seen)))
        seen |= copies.keys()
    return tuple(_sheet_group(game, list(alike)) for _, alike in groupby(sheets, lambda sheet: _alike(lies, sheet)))


def _alike(lies: Mapping[str, Lie], sheet: SheetGroup) -> tuple[Sides, Lie, tuple[Size, ...]]:
    """What sheets of one group have in common; where pieces are packed, sizes mix."""
    lie = lies[sheet.kinds[0]]
    return sheet.sides, lie, () if lie == "packed" else sheet.sizes


def _sheet_group(game: Game, sheets: Sequence[SheetGroup]) -> SheetGroup:
    there = {kind for sheet in sheets for kind in sheet.kinds}
    kinds = tuple(kind for kind in game.kinds if kind in there)
    sizes = tuple(dict.fromkeys(game.kinds[kind].size for kind in kinds))
    count = sum(sheet.count for sheet in sheets)
    return replace(sheets[0], last=sheets[-1].last, kinds=kinds, sizes=sizes, count=count)


def _sides(page: Page, backed: bool, backs: Backs) -> Sides:
    if backed:
        return "both" if backs in ("long", "short") else "separate"
    placed = Counter(placement.id for placement in page.placements)
    return "folded" if backs == "fold" and max(placed.values()) > 1 else "one"


def _tiles(pages: Sequence[Page]) -> Mapping[str, int]:
    """On how many pieces of paper the pieces of a kind are printed."""
    sheets: dict[str, set[int]] = {}
    for page in _fronts(pages):
        for placement in page.placements:
            sheets.setdefault(placement.id, set()).add(page.sheet)
    tiles: dict[str, int] = {}
    for copy, numbers in sheets.items():
        kind = copy.split("/")[0]
        tiles[kind] = max(tiles.get(kind, 1), len(numbers))
    return tiles


def _fronts(pages: Iterable[Page]) -> list[Page]:
    return [page for page in pages if page.side == "front"]


def _pages_with_backs(pages: Iterable[Page]) -> set[int]:
    return {page.sheet for page in pages if page.side == "back" and page.placements}
