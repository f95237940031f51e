"""Inventory: the parts of a game by kind and design, and the paper they are printed on."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from generator.base.display_list import Drawing
from generator.base.geometry import Size
from generator.game.model import Design, FaceName, Game, Kind
from generator.game.print_pages import Backs, Lie, Page
from generator.sheets.page_marks import find_cut_line
from generator.sheets.pieces import choose_lie

Sides = Literal["one", "both", "folded", "separate"]
"""How sheets are printed: on one side, on both, folded, or with separate backs."""

Face = Callable[[Design, FaceName], Drawing | None]


@dataclass(frozen=True, slots=True)
class ListedPart:
    """One design with the picture of its front."""

    design: Design
    front: Drawing


@dataclass(frozen=True, slots=True)
class KindOfParts:
    """A kind with all its designs; `back` is the back of the first design, `backs` the number of different backs.

    `alike`: front and back look the same, so `back` is None. `lie` is how the pieces are placed on sheets; `tiles` is
    the number of sheets for one piece, more than 1 for boards that are split.
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
        """Return the number of pieces of this kind."""
        return sum(part.design.count for part in self.parts)


@dataclass(frozen=True, slots=True)
class SheetGroup:
    """Consecutive sheets (`first` to `last`) that are printed and cut in the same way, with their contents.

    `cuts` is the largest number of straight cuts through one of them. It is 0 if pieces are cut out one by one, and
    for parts of boards.
    """

    first: int
    last: int
    kinds: tuple[str, ...]
    sizes: tuple[Size, ...]
    sides: Sides
    count: int
    cuts: int = 0


@dataclass(frozen=True, slots=True)
class Inventory:
    """The contents of a check list; `papers` is the number of pieces of paper that go through the printer."""

    kinds: tuple[KindOfParts, ...]
    groups: tuple[SheetGroup, ...]
    papers: int
    backs: Backs
    digest: str

    @property
    def count(self) -> int:
        """Return the number of pieces of all kinds."""
        return sum(kind.count for kind in self.kinds)

    @property
    def designs(self) -> int:
        """Return the number of designs of all kinds."""
        return sum(len(kind.parts) for kind in self.kinds)


def make_inventory(
    game: Game, pages: Sequence[Page], backs: Backs, face: Face, digest: Callable[[Drawing], str]
) -> Inventory:
    """Return the contents of a game's print sheets `pages`; `face` draws a side of a design, `digest` hashes a drawing.

    The numbers of pieces come from the data, those of sheets from the pages; a test checks that they agree.
    """
    tiles, placements = _count_tiles(pages), [copy for page in _select_fronts(pages) for copy in page.placements]
    lined = {copy.id.split("/")[0] for copy in placements if find_cut_line(copy.drawing)}
    lies: dict[str, Lie] = {kind.id: "packed" if kind.id in lined else choose_lie(kind) for kind in game.kinds.values()}
    kinds = [_describe_kind(kind, lies[kind.id], tiles.get(kind.id, 1), face, digest) for kind in game.kinds.values()]
    groups = _group_sheets(game, pages, lies, tiles, backs)
    lines = []
    for kind in kinds:
        for part in kind.parts:
            back = face(part.design, "back") if part.design.back else None
            lines.append(f"{part.design.id} {part.design.count} {digest(part.front)} {digest(back) if back else ''}")
    return Inventory(
        tuple(kind for kind in kinds if kind.parts),
        groups,
        len(_select_fronts(pages)) + (0 if backs in ("long", "short") else len(_find_pages_with_backs(pages))),
        backs,
        hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8],
    )


def _describe_kind(kind: Kind, lie: Lie, tiles: int, face: Face, digest: Callable[[Drawing], str]) -> KindOfParts:
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


def _group_sheets(
    game: Game, pages: Sequence[Page], lies: Mapping[str, Lie], tiles: Mapping[str, int], backs: Backs
) -> tuple[SheetGroup, ...]:
    backed = _find_pages_with_backs(pages)
    seen: set[str] = set()
    sheets = []
    for page in _select_fronts(pages):
        copies = dict.fromkeys(placement.id for placement in page.placements)
        designs = dict.fromkeys(copy.split("#")[0] for copy in copies)
        there = {name.split("/")[0] for name in designs}
        kinds = tuple(kind for kind in game.kinds if kind in there)
        sizes = tuple(dict.fromkeys(game.kinds[name].size for name in kinds))
        sides: Sides = "one"
        if page.sheet in backed:
            sides = "both" if backs in ("long", "short") else "separate"
        elif backs == "fold" and len(copies) < len(page.placements):
            sides = "folded"
        count, cuts = len(copies.keys() - seen), 0
        if lies[kinds[0]] != "packed" and tiles[kinds[0]] == 1:
            # The fronts come first; a fold has their backs beside them.
            trims = [one.trim for one in page.placements[: len(copies)]]
            cuts = len({round(x, 3) for one in trims for x in (one.x, one.right)})
            cuts += len({round(y, 3) for one in trims for y in (one.y, one.bottom)})
        sheets.append(SheetGroup(page.sheet, page.sheet, kinds, sizes, sides, count, cuts))
        seen |= copies.keys()

    def make_key(sheet: SheetGroup) -> tuple[Sides, Lie, tuple[Size, ...]]:
        lie = lies[sheet.kinds[0]]  # packed pieces may have mixed sizes
        return sheet.sides, lie, () if lie == "packed" else sheet.sizes

    groups = []
    for _, alike in groupby(sheets, make_key):
        group = list(alike)
        there = {kind for sheet in group for kind in sheet.kinds}
        kinds = tuple(kind for kind in game.kinds if kind in there)
        sizes = tuple(dict.fromkeys(game.kinds[kind].size for kind in kinds))
        count, cuts = sum(sheet.count for sheet in group), max(sheet.cuts for sheet in group)
        groups.append(replace(group[0], last=group[-1].last, kinds=kinds, sizes=sizes, count=count, cuts=cuts))
    return tuple(groups)


def _count_tiles(pages: Sequence[Page]) -> Mapping[str, int]:
    sheets: dict[str, set[int]] = {}
    for page in _select_fronts(pages):
        for placement in page.placements:
            sheets.setdefault(placement.id, set()).add(page.sheet)
    tiles: dict[str, int] = {}
    for copy, numbers in sheets.items():
        kind = copy.split("/")[0]
        tiles[kind] = max(tiles.get(kind, 1), len(numbers))
    return tiles


def _select_fronts(pages: Iterable[Page]) -> list[Page]:
    return [page for page in pages if page.side == "front"]


def _find_pages_with_backs(pages: Iterable[Page]) -> set[int]:
    return {page.sheet for page in pages if page.side == "back" and page.placements}
