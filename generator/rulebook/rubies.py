"""Ruby in a book's structure: a line's readings and the characters that they belong to, each under its own tag."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from generator.model.drawing import Group, Item, TextRun
from generator.model.structure import Tag
from generator.model.text import Ruby
from generator.rulebook.book import Inline


def bases(text: Iterable[Inline]) -> list[str]:
    """The characters below each reading of a text, in its order."""
    rubies = (inline for inline in text if isinstance(inline, Ruby))
    groups = (pair for ruby in rubies for pair in zip(ruby.base, ruby.reading, strict=True))
    return [base for base, reading in groups if base and reading]


def with_ruby(
    items: Iterable[Item], size: float, below: Iterator[str], width: Callable[[TextRun], float]
) -> Iterator[Item]:
    """The items of a line whose type is `size` pt, its readings in groups with the characters `below` them.

    A reading comes right behind the run that ends with its base. `width` says how far the pen moves along a run, mm.
    """
    waiting: TextRun | None = None
    readings: list[TextRun] = []
    for item in (*items, None):
        if isinstance(item, TextRun) and item.size < size:
            readings.append(item)
            continue
        if readings:
            yield from _joined(waiting, tuple(readings), next(below, ""), width)
        elif waiting is not None:
            yield waiting
        waiting, readings = None, []
        if isinstance(item, TextRun):
            waiting = item
        elif item is not None:
            yield item


def _joined(
    run: TextRun | None, readings: tuple[TextRun, ...], base: str, width: Callable[[TextRun], float]
) -> Iterator[Item]:
    """A run and its readings; where the run ends with the base, that and the readings as one ruby."""
    start = _start(run, base) if run is not None else -1
    if run is None or start < 0:
        yield from (run, *readings) if run is not None else readings
        return
    before = replace(run, glyphs=run.glyphs[:start], clusters=run.clusters[:start], advances=run.advances[:start])
    if start:
        yield before
    base_run = replace(
        run,
        x=run.x + (width(before) if start else 0.0),
        glyphs=run.glyphs[start:],
        clusters=run.clusters[start:],
        advances=run.advances[start:],
    )
    yield Group((Group((base_run,), tags=(Tag("RB"),)), Group(readings, tags=(Tag("RT"),))), tags=(Tag("Ruby"),))


def _start(run: TextRun, base: str) -> int:
    """The glyph of a run at which its last characters, the base, begin; -1 where it does not end so."""
    for at in range(len(run.clusters) - 1, -1, -1):
        tail = "".join(run.clusters[at:])
        if run.clusters[at] and tail == base:
            return at
        if len(tail) >= len(base):
            break
    return -1
