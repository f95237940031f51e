"""Faces that helping processes draw, hash and write; they come in the order of the document, and the same as ever.

Whatever is not sure to come to the same is drawn by the process that asks: faces with problems, and all the rest once
a helper has died or has seen a font stand for other texts.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

from generator.cache.reads import File
from generator.cache.recent import Recent
from generator.faces.workshop import AT_HAND, Printing, Workshop
from generator.model.drawing import Drawing
from generator.model.edition import first_language
from generator.model.game import Design, FaceName
from generator.model.sheet import Face, Finished, Undrawn
from generator.processes import helpers
from generator.text.fonts import Chain
from generator.writers.pdf_apart import FaceApart, Openings, StockApart
from generator.writers.pdf_stock import FaceContent, PdfStock

LOT = 36
"""Faces that a helper is given at a time."""

AHEAD = 4
"""Lots for each helper that may be under way, or wait for their pages."""

Opener: TypeAlias = Callable[[], Workshop]
"""Opens the workshop where a helper does not have this process's own: a module's function or a partial of one."""

Asked: TypeAlias = tuple[str, FaceName]
"""Design and face."""


class _Sent(NamedTuple):
    """A face from a helper: its hash, what it is called, and what it comes to."""

    digest: str
    lang: str
    title: str
    description: str
    apart: FaceApart


class _Lot(NamedTuple):
    """What a helper made of a lot: None of faces that the asking process must draw. Fonts opened, files read for it."""

    faces: tuple[_Sent | None, ...]
    chains: tuple[Chain, ...]
    read: tuple[tuple[File, str], ...]


# In a helper.


class _Drawer:
    """Draws lots."""

    def __init__(self, workshop: Workshop):
        self._workshop = workshop
        self._designs = {design.id: design for design in workshop.game.designs()}
        self._stocks: dict[str, StockApart] = {}
        self._chains = self._read = 0

    def lot(self, wanted: Printing, asked: Sequence[Asked]) -> _Lot:
        edition = wanted.edition
        stock, book = self._stocks.get(edition), self._workshop.fonts
        if stock is None:
            lang, palette = first_language(edition), self._workshop.rgb
            stock = self._stocks[edition] = StockApart(f"{os.getpid()}", lang, book, palette, Path)
        faces = tuple([self._sent(stock, wanted, self._designs[one], face) for one, face in asked])
        chains, self._chains = book.chains[self._chains :], len(book.chains)
        kept = self._workshop.kept
        read = kept.reads.since(self._read) if kept is not None else ()
        self._read += len(read)
        return _Lot(faces, chains, read)

    def _sent(self, stock: StockApart, wanted: Printing, design: Design, face: FaceName) -> _Sent | None:
        said = self._said()
        drawing = self._workshop.printed_in_passing(wanted, design, face)
        if drawing is None or self._said() != said:
            return None
        digest, apart = self._workshop.digest(drawing), stock.apart(drawing)
        return _Sent(digest, drawing.lang, drawing.title, drawing.description, apart)

    def _said(self) -> tuple[int, int]:
        return len(self._workshop.problems), len(self._workshop.notes())


@cache
def _desk() -> dict[str, Workshop]:
    """Where a process that is forked finds the workshop of the one that it helps."""
    return {}


@cache
def _drawers() -> dict[str, _Drawer]:
    """Where a helper keeps its drawer from its start on."""
    return {}


def _start(opener: Opener) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that it helps ends it
    _drawers()["drawer"] = _Drawer(_desk().get("workshop") or opener())


def _draw(wanted: Printing, asked: Sequence[Asked]) -> _Lot:
    return _drawers()["drawer"].lot(wanted, asked)


# In the process that asks.


@contextmanager
def helping(workshop: Workshop, opener: Opener, processes: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes that draw faces of this workshop."""
    _desk()["workshop"] = workshop
    pool = helpers(processes, _start, opener)
    try:
        yield pool
    finally:
        del _desk()["workshop"]
        pool.shutdown(cancel_futures=True)


class HelpedFaces:
    """The faces that are wanted, drawn by so many helpers of a pool."""

    def __init__(self, workshop: Workshop, pool: ProcessPoolExecutor, helping: int, wanted: Printing):
        self._workshop, self._pool, self._most = workshop, pool, helping * AHEAD
        self._wanted = wanted
        self._coming: Iterator[tuple[Asked, _Sent | None]] = iter(())
        self._helped = False
        self._at_hand: Recent[Asked, tuple[Drawing | None]] = Recent(AT_HAND)
        self._openings = Openings()

    def expect(self, faces: Iterable[Face]) -> None:
        """These will be asked for, in this order; the helpers begin with them."""
        self._at_hand = Recent(AT_HAND)
        self._coming = self._arriving(_once_each(faces))
        self._helped = True

    def face(self, design: Design, face: FaceName) -> Drawing | None:
        """A face as it is printed; None where it had problems."""
        known = self._at_hand.get((design.id, face))
        if known is None:
            known = (self._sent(design, face) or self._drawn(design, face),)
            self._at_hand.keep((design.id, face), known)
        return known[0]

    def _drawn(self, design: Design, face: FaceName) -> Drawing | None:
        return self._workshop.printed_in_passing(self._wanted, design, face)

    def _sent(self, design: Design, face: FaceName) -> Finished | None:
        """A face from a helper; None where there is none that can be used."""
        if not self._helped:
            return None
        try:
            asked, sent = next(self._coming)
        except Exception:  # noqa: BLE001 - a helper that died, or met what this process then meets and tells
            self._helped = False
            return None
        if asked != (design.id, face):
            self._helped = False
        if sent is None or not self._helped:
            return None
        kind = self._workshop.game.kinds[design.kind]
        return Finished(
            kind.size.width,
            kind.size.height,
            kind.bleed,
            (),
            sent.lang,
            sent.title,
            sent.description,
            digest=sent.digest,
            content=lambda stock: self._content(stock, sent.apart) or stock.face_content(self._drawn(design, face)),
        )

    def _content(self, stock: PdfStock, apart: FaceApart) -> FaceContent | None:
        """What a face comes to; None where no helper's faces can be used any more."""
        content = self._openings.filled(apart, stock) if self._helped else None
        self._helped = content is not None
        return content

    def _arriving(self, asked: Iterator[Asked]) -> Iterator[tuple[Asked, _Sent | None]]:
        waiting: deque[tuple[tuple[Asked, ...], Future[_Lot]]] = deque()
        lots = iter(lambda: tuple(islice(asked, LOT)), ())
        while True:
            for lot in islice(lots, self._most - len(waiting)):
                waiting.append((lot, self._pool.submit(_draw, self._wanted, lot)))
            if not waiting:
                return
            lot, done = waiting.popleft()
            made = done.result()
            for chain in made.chains:
                self._workshop.fonts.chain(*chain)
            for (what, name), state in made.read:
                self._workshop.kept.reads.note(what, name, state)  # type: ignore[union-attr]  # it has some, too
            yield from zip(lot, made.faces, strict=True)


def _once_each(faces: Iterable[Face]) -> Iterator[Asked]:
    """The faces that are not at hand when they are asked for."""
    at_hand: Recent[Asked, bool] = Recent(AT_HAND)
    for face in faces:
        if isinstance(face, Undrawn):
            asked = face.design.id, face.name
            if at_hand.get(asked) is None:
                at_hand.keep(asked, value=True)
                yield asked
