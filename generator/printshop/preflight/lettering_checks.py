"""Checks of type and fonts."""

from collections.abc import Iterator

from generator.printshop.preflight.look import Found, PageLook, alike, page_check
from generator.printshop.preflight.marks import FontFacts, Mark

_SLACK = 0.06  # points
_SMALL_ROLES = {"RT": 3.5, "RP": 3.5, "Artifact": 4.0}


def _types(look: PageLook) -> Iterator[Mark]:
    return (mark for mark in look.shown if mark.kind == "text")


def _least(look: PageLook, mark: Mark) -> float:
    return min(_SMALL_ROLES.get(mark.tag, look.rules.type), look.rules.type)


@page_check("type-size", "Type is large enough to be read.")
def type_size(look: PageLook) -> Iterator[Found]:
    """Five points; what is tagged as ruby or as no part of the text may be smaller."""
    for where, small in alike(mark for mark in _types(look) if mark.size < _least(look, mark) - _SLACK):
        least = min(small, key=lambda mark: mark.size)
        what, hint = f"type of {least.size:.1f} pt{where}", f"set type in at least {_least(look, least):g} pt"
        yield Found("warning", what, hint, least.box, times=len(small))


@page_check("reversed-type", "Light type on a dark ground is bold or large enough not to fill up with ink.")
def reversed_type(look: PageLook) -> Iterator[Found]:
    """Ink spreads into thin light strokes."""
    for mark in _types(look):
        least = look.rules.reversed_type
        if mark.colour.light and mark.size < least - _SLACK and not _bold(mark.font):
            what = f"light type of {mark.size:.1f} pt that is not bold"
            yield Found("warning", what, f"make it bold or at least {least:g} pt", mark.box)


def _bold(font: FontFacts | None) -> bool:
    return font is not None and font.bold


@page_check("missing-glyphs", "Every character has its glyph.")
def missing_glyphs(look: PageLook) -> Iterator[Found]:
    """Glyph 0 is an empty box."""
    for mark in _types(look):
        if mark.missing and mark.font is not None:
            what = f"a character has no glyph in {_name(mark.font)}"
            yield Found("error", what, "choose a font that has it", mark.box)


@page_check("fonts", "Fonts lie in the file, as outlines of one design.")
def fonts(look: PageLook) -> Iterator[Found]:
    """A font that is not embedded is replaced by whatever the printer has."""
    told: set[FontFacts] = set()
    for mark in _types(look):
        font = mark.font
        if font is None or font in told:
            continue
        told.add(font)
        name = _name(font)
        if not font.embedded:
            yield Found("error", f"the font {name} is not embedded", "embed all fonts when you save the PDF", mark.box)
        elif font.kind == "Type3":
            hint = "save with TrueType or PostScript outlines"
            yield Found("warning", f"the font {name} is of type 3, drawn glyph by glyph", hint, mark.box)
        elif font.variable:
            hint = "embed one instance of it, or outlines: printers show the default weight"
            yield Found("warning", f"the font {name} is embedded as a variable font", hint, mark.box)


def _name(font: FontFacts) -> str:
    head, plus, tail = font.name.partition("+")
    return ascii(tail if plus and len(head) == 6 else font.name)[1:-1]
