"""Which pieces are printed, and how many of each: all of the game, or what an order picks by id and copies."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from generator.model.game import Design, FaceName, Game, Kind
from generator.model.sheet import Face, Piece
from generator.sheets.making import FOLDED, Making, lie_of

__all__ = ["Draw", "idle_patterns", "lie_of", "matches", "pick_designs", "pieces"]

Draw = Callable[[Design, FaceName], Face | None]


def matches(design: Design, patterns: Iterable[str]) -> bool:
    """Whether a design's id fits one of the patterns, as `reel/6-*`; a kind alone stands for all its designs."""
    return any(fnmatchcase(design.id, pattern) or design.kind == pattern for pattern in patterns)


def pick_designs(game: Game, patterns: Sequence[str]) -> tuple[Design, ...]:
    """The designs that the patterns pick, all of them for no pattern."""
    return tuple(design for design in game.designs() if not patterns or matches(design, patterns))


def idle_patterns(game: Game, patterns: Sequence[str]) -> tuple[str, ...]:
    """The patterns that pick nothing."""
    return tuple(pattern for pattern in patterns if not any(matches(d, [pattern]) for d in game.designs()))


def pieces(
    kind: Kind,
    designs: Iterable[Design],
    draw: Draw,
    copies: int | None,
    lined_backs: bool = False,
    parts: Mapping[str, range] | None = None,
    behind: Callable[[Design], Face | None] = lambda _design: None,
) -> Iterator[Piece]:
    """Every copy to print of a kind's designs; `copies` of each where it is given, else their counts.

    A design with a side that could not be drawn is left out. `lined_backs`: backs are cut out by themselves. `parts`
    are the numbers of the copies by a design's id, where not all of them are wanted. `behind` is what a flat piece with
    a blank other side shows there.
    """
    making = Making(kind, lined_backs)
    for design in designs:
        drawn = {face: draw(design, face) for face in kind.faces(design)}
        faces = {face: drawing for face, drawing in drawn.items() if drawing is not None}
        if len(faces) < len(drawn):
            continue
        other = behind(design) if "back" not in faces and kind.form not in FOLDED else None
        if other is not None:
            faces["back"] = other
        every = range(1, (design.count if copies is None else copies) + 1)
        for n in every if parts is None else parts.get(design.id, ()):
            yield making.piece(f"{design.id}#{n}", faces)
