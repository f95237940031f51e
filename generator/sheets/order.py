"""Which pieces are printed, and how many of each: all of the game, or what an order picks by id and copies."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from generator.model.drawing import Drawing
from generator.model.game import Design, FaceName, Form, Game, Kind
from generator.model.sheet import Lie, Piece

LIE: dict[Form, Lie] = {"board": "tiled"}
"""How the forms that don't lie in rows do."""

Draw = Callable[[Design, FaceName], Drawing | None]


def matches(design: Design, patterns: Iterable[str]) -> bool:
    """Whether a design's id fits one of the patterns, as `reel/6-*`; a kind alone stands for all its designs."""
    return any(fnmatchcase(design.id, pattern) or design.kind == pattern for pattern in patterns)


def chosen_designs(game: Game, patterns: Sequence[str]) -> tuple[Design, ...]:
    """The designs that the patterns pick, all of them for no pattern."""
    return tuple(design for design in game.designs() if not patterns or matches(design, patterns))


def idle_patterns(game: Game, patterns: Sequence[str]) -> tuple[str, ...]:
    """The patterns that pick nothing."""
    return tuple(pattern for pattern in patterns if not any(matches(d, [pattern]) for d in game.designs()))


def pieces(kind: Kind, designs: Iterable[Design], draw: Draw, copies: int | None) -> Iterator[Piece]:
    """Every copy to print of a kind's designs; `copies` of each where it is given, else their counts."""
    for design in designs:
        front, back = draw(design, "front"), draw(design, "back") if design.back else None
        if front is None:
            continue
        for n in range(1, (design.count if copies is None else copies) + 1):
            yield Piece(f"{design.id}#{n}", front, back, kind.safe, kind.corner, LIE.get(kind.form, "rows"), kind.shape)
