"""A proof of a game: every design through every eye and under its guides, its icons and paints held together."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from generator.athome.eyes import EYES, Sight
from generator.athome.proof_colours import ColourSetter
from generator.athome.proof_strips import FOLD, GAP, ProofSubject, StripSetter
from generator.errors import ProblemsFound
from generator.faces.label import Labeller
from generator.faces.stamp import HASH_SHOWN
from generator.faces.workshop import Workshop
from generator.model.drawing import Group, Item, Shape
from generator.model.game import Design
from generator.model.outline import rectangle
from generator.model.phrases import count_phrase, phrase
from generator.model.sheet import Document, Page, Piece
from generator.pages.blocks import Artwork, Row
from generator.pages.parts import PartSetter
from generator.pages.setter import Setter
from generator.pages.style import GREY, Look, list_format
from generator.sheets.guides import BLEED, FRAME, SAFE, TRIM
from generator.sheets.making import Making
from generator.units import Rect, Size

PAPER = Size(210, 297)
ROOM = Rect(10, 17, 190, 264)
"""mm: where strips and tables stand on A4; head and foot are outside."""


def proof(workshop: Workshop, designs: Sequence[Design], lang: str, folder: Path) -> Document:
    """The proof of the designs in one language; bitmaps as other eyes see them are put into `folder`.

    The pages name those files, so write the document while it exists. ProblemsFound with every face that can't be
    drawn.
    """
    game = workshop.game
    letters = workshop.labeller(lang)
    sights = [Sight(eye, workshop.hex, folder) for eye in EYES]
    names = [phrase(f"sight_{eye.name}", lang) for eye in EYES]
    captions = [phrase("sight_normal", lang), *names, phrase("proof_guides", lang)]
    setter = StripSetter(ROOM.width, letters, sights, captions)
    strips = [setter.strip(subject) for subject in subjects(workshop, designs, lang)]
    if workshop.problems:
        raise ProblemsFound(workshop.problems)
    colours = ColourSetter(workshop, lang, letters, sights, captions[:-1])
    look = Look(list_format("A4", PAPER, 0.0), lang, "ink")
    setting = PartSetter(Setter(workshop, look, "{}"), ROOM.height)
    leaves = [leaf for part in (strips, colours.strips(ROOM.width)) for leaf in setting.pages(_rows(part), ROOM)]
    title = f"{game.title[lang]} – {phrase('proof', lang)}"
    draft = phrase("draft", lang, draft=game.draft)
    pages = []
    for number, things in enumerate(leaves, start=1):
        foot = phrase("page", lang, page=number, of=len(leaves))
        around = (*_head(letters, f"{title} · {draft}", foot), *_legend(letters, lang))
        placed = [Group(thing.items, (1.0, 0.0, 0.0, 1.0, thing.box.x, thing.box.y)) for thing in things]
        pages.append(Page(PAPER, "front", number, (), (*around, *placed)))
    return Document(title, lang, tuple(pages), subject=game.subject(lang), date=game.date)


def subjects(workshop: Workshop, designs: Iterable[Design], lang: str) -> Iterator[ProofSubject]:
    """Each design's front, or the net that it is folded from, and each of a kind's backs after the fronts."""
    game = workshop.game
    by_kind: dict[str, list[Design]] = {}
    for design in designs:
        by_kind.setdefault(design.kind, []).append(design)
    for kind_id, chosen in by_kind.items():
        kind = game.kinds[kind_id]
        making = Making(kind)
        backs: dict[str, tuple[Piece, list[str]]] = {}
        for design in chosen:
            drawn = {face: workshop.printed(lang, design, face) for face in kind.faces(design)}
            faces = {face: drawing for face, drawing in drawn.items() if drawing is not None}
            if len(faces) < len(drawn):
                continue
            piece = making.piece(design.id, faces)
            digest = workshop.digest(faces["front"])[:HASH_SHOWN]
            yield ProofSubject(design.id, f"×{design.count}  {digest}", piece, piece.front.drawn())
            if piece.back is not None:
                backs.setdefault(workshop.digest(faces["back"]), (piece, []))[1].append(design.id)
        for digest, (piece, ids) in backs.items():
            if piece.back is not None:
                name = ids[0] if len(ids) == 1 else f"{ids[0]} …" if len(backs) > 1 else kind_id
                of = count_phrase("designs", lang, len(ids))
                yield ProofSubject(
                    f"{name} · {phrase('back', lang)}", f"{of}  {digest[:HASH_SHOWN]}", piece, piece.back.drawn()
                )


def _rows(strips: Iterable[Artwork]) -> Iterator[Row]:
    """The strips in rows, two of half the width beside each other."""
    left: Artwork | None = None
    for strip in strips:
        if left is not None and left.size.width + strip.size.width <= ROOM.width - GAP:
            yield Row(((0.0, left), (ROOM.width - strip.size.width, strip)), GAP)
            left = None
            continue
        if left is not None:
            yield Row(((0.0, left),), GAP)
        left = strip
    if left is not None:
        yield Row(((0.0, left),), GAP)


def _head(letters: Labeller, title: str, foot: str) -> Iterator[Item]:
    yield from letters.line(title, ROOM.x, 12.0, 8.0)
    yield from letters.line(foot, ROOM.right, 12.0, 6.5, "end", GREY)


def _legend(letters: Labeller, lang: str) -> Iterator[Item]:
    """What the colours of the guides mean, at the foot of the page."""
    x, y = ROOM.x, PAPER.height - 9.0
    guides = (("trim", TRIM), ("safe", SAFE), ("bleed", BLEED), ("frame", FRAME), ("fold", FOLD))
    for name, paint in guides:
        yield Shape(rectangle(Rect(x, y - 1.0, 5.0, 0.5)), fill=paint, role="frame")
        said = phrase(f"guide_{name}", lang)
        yield from letters.line(said, x + 6.0, y, 5.5, "start", GREY)
        x += 6.0 + letters.width(said, 5.5) + 5.0
