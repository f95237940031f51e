"""Columns with their strips at their heights, set as they are wanted, tighter or looser."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from generator.dataclass import dataclass
from generator.pages.strips import Frame, Sized, Strip, on_grid

SLACK = 1e-4
"""mm: what rounding may add to a full column."""


@dataclass(frozen=True, slots=True)
class Put:
    """A strip at its height in a column, mm from its top; `again`: it is repeated from another column."""

    strip: Strip
    y: float
    again: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """How far a column is filled, mm, and the frame of what stands lowest; `begun` is False at its very top."""

    y: float = 0.0
    frame: Frame | None = None
    begun: bool = False

    def top(self, strip: Strip, unit: float, more: float = 0.0) -> float:
        """Where a strip stands below it, on a grid of `unit` mm, with so much `more` room above it (mm)."""
        y, frame, own = self.y, self.frame, strip.frame
        if frame is not None and frame is not own:
            y += frame.pad
        if self.begun:
            y += strip.above + more
        if own is not None and frame is not own:
            y = (on_grid(y, unit) if strip.snap else y) + own.pad
        return on_grid(y, unit) if strip.snap else y

    def below(self, strip: Strip, unit: float, more: float = 0.0) -> "Level":
        """The level with a strip set below it, and above that, at a column's top, what is repeated there.

        The place of what stands across the columns takes no room.
        """
        level = self
        if strip.wide is not None:
            return level
        if strip.again and not self.begun:
            for head in strip.again:
                level = Level(level.top(head, unit) + head.height, head.frame, True)
        return Level(level.top(strip, unit, more) + strip.height, strip.frame, True)

    @property
    def bottom(self) -> float:
        """Where it ends with the ground of a box, mm."""
        return self.y + (self.frame.pad if self.frame is not None else 0.0)


class Column:
    """A column with its strips, so many mm high, on a grid of `unit` mm.

    `more` is the room above each strip that it gets beside its own, in grid lines. It begins `top` mm below its page's
    text, where strips stand across the columns: the first column has these as its `wides`.
    """

    def __init__(self, height: float, unit: float, strips: Iterable[Strip] = (), more: Sequence[int] = ()):
        self.puts: list[Put] = []
        self.top = 0.0
        self.wides: tuple[Strip, ...] = ()
        self._height, self._unit = height, unit
        self._level = Level()
        for at, strip in enumerate(strips):
            if strip.wide is not None:
                continue
            for head in strip.again if not self.puts else ():
                self._put(head, 0.0, again=True)
            self._put(strip, more[at] * unit if more else 0.0)

    @property
    def used(self) -> float:
        """How much of it is full, 0 to 1."""
        return self._level.y / self._height

    @property
    def bottom(self) -> float:
        """Where it ends with the ground of a box, mm."""
        return self._level.bottom

    def _put(self, strip: Strip, more: float, again: bool = False) -> None:
        self.puts.append(Put(strip, self._level.top(strip, self._unit, more), again))
        self._level = Level(self.puts[-1].y + strip.height, strip.frame, True)


def level_of(strips: Iterable[Strip], unit: float, more: Sequence[int] = ()) -> Level:
    """How far strips fill a column, with so many lines of the grid more above each."""
    level = Level()
    for at, strip in enumerate(strips):
        level = level.below(strip, unit, more[at] * unit if more else 0.0)
    return level


def fits(strips: Sequence[Strip], height: float, unit: float) -> bool:
    """Whether strips find room in an empty column, set as tightly as they allow."""
    return level_of(map(tightest, strips), unit, [-strip.shrink for strip in strips]).bottom <= height + SLACK


def at_size(strip: Strip, size: Sized) -> Strip:
    """A strip as it is at another size."""
    return replace(strip, height=size.height, things=size.things)


def tightest(strip: Strip) -> Strip:
    """A strip at its smallest size."""
    return at_size(strip, strip.sizes[0]) if strip.sizes and strip.sizes[0].height < strip.height else strip


def loosest(strip: Strip) -> Strip:
    """A strip at its largest size."""
    return at_size(strip, strip.sizes[-1]) if strip.sizes and strip.sizes[-1].height > strip.height else strip


def made_up(strips: Sequence[Strip], height: float, unit: float, *, full: bool = True) -> Column:
    """A column in which strips too high for it are set tighter, and others looser until they fill it if it is `full`.

    Room above the blocks goes first, a little everywhere before more anywhere, then the sizes of figures. What can't
    be filled so stays empty at its foot.
    """
    shown, more = list(strips), [0] * len(strips)
    if level_of(shown, unit).bottom > height + SLACK:
        for at, strip in _tighter(strips):
            shown[at], more[at] = (strip or shown[at]), more[at] - (strip is None)
            if level_of(shown, unit, more).bottom <= height + SLACK:
                break
    elif full:
        for at, strip in _looser(strips):
            was = shown[at], more[at]
            shown[at], more[at] = (strip or shown[at]), more[at] + (strip is None)
            if level_of(shown, unit, more).bottom > height + SLACK:
                shown[at], more[at] = was
    return Column(height, unit, shown, more)


def _tighter(strips: Sequence[Strip]) -> Iterator[tuple[int, Strip | None]]:
    """One step after the other in which strips give way: a smaller strip, or None for a line less above it."""
    for at, strip in enumerate(strips):
        if at and strip.shrink:
            yield from ((at, None) for _ in range(strip.shrink))
    smaller = [[size for size in strip.sizes if size.height < strip.height][::-1] for strip in strips]
    for step in range(max(map(len, smaller), default=0)):
        yield from ((at, at_size(strips[at], sizes[step])) for at, sizes in enumerate(smaller) if step < len(sizes))


def _looser(strips: Sequence[Strip]) -> Iterator[tuple[int, Strip | None]]:
    """One step after the other in which strips take room: None for a line more above one, or a larger strip."""
    most = max((strip.stretch for strip in strips), default=0)
    for round_ in range(most):
        wanting = [at for at, strip in enumerate(strips) if at and strip.stretch > max(round_, 1)]
        yield from ((at, None) for at in sorted(wanting, key=lambda at: (-strips[at].stretch, at)))
    for at, strip in enumerate(strips):
        yield from ((at, at_size(strip, size)) for size in strip.sizes if size.height > strip.height)
    yield from ((at, None) for at, strip in enumerate(strips) if at and strip.stretch == 1)
