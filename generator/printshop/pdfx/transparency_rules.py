"""Rules of PDF/X about transparency: none for X-1a, only what PDF 1.6 defines for X-4."""

from collections.abc import Iterator

from generator.printshop.pdfx.content_rules import forms_and_pictures, states
from generator.printshop.pdfx.rule import Found, rule
from generator.printshop.pdfx.subject import OpenPdf
from generator.printshop.pdfx.values import figure, part, several, word

_PLAIN = {"/Normal", "/Compatible"}
_BLENDS = _PLAIN | {f"/{name}" for name in ("Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge")}
_BLENDS |= {f"/{name}" for name in ("ColorBurn", "HardLight", "SoftLight", "Difference", "Exclusion")}
_BLENDS |= {"/Hue", "/Saturation", "/Color", "/Luminosity"}


@rule("opaque", "Everything is opaque.", ("pdfx1a",))
def opaque(subject: OpenPdf) -> Iterator[Found]:
    """The alpha of fills and strokes is 1."""
    for scope, name, state in states(subject):
        if any((figure(part(state, key)) or 0.0) < 1 for key in ("/ca", "/CA") if part(state, key) is not None):
            yield scope.page, f"the state {name} is translucent"


@rule("no-soft-masks", "Nothing has a soft mask.", ("pdfx1a",))
def no_soft_masks(subject: OpenPdf) -> Iterator[Found]:
    """Neither states nor pictures."""
    for scope, name, state in states(subject):
        if part(state, "/SMask") is not None and word(part(state, "/SMask")) != "/None":
            yield scope.page, f"the state {name} has a soft mask"
    for scope, name, thing in forms_and_pictures(subject):
        if part(thing, "/SMask") is not None or (figure(part(thing, "/SMaskInData")) or 0) > 0:
            yield scope.page, f"the picture {name} has a soft mask"


@rule("no-blending", "Colours do not blend.", ("pdfx1a",))
def no_blending(subject: OpenPdf) -> Iterator[Found]:
    """The blend mode is Normal."""
    for scope, name, state in states(subject):
        modes = [word(mode) for mode in several(part(state, "/BM"))]
        if modes and modes[0] not in _PLAIN:
            yield scope.page, f"the state {name} blends by {modes[0][1:] or 'something unknown'}"


@rule("no-groups", "There are no transparency groups.", ("pdfx1a",))
def no_groups(subject: OpenPdf) -> Iterator[Found]:
    """Neither pages nor forms."""
    for scope in subject.scopes:
        if word(part(part(scope.source, "/Group"), "/S")) == "/Transparency":
            yield scope.page, "the page or a form on it is a transparency group"


@rule("blend-modes", "Colours blend only in ways that PDF defines.", ("pdfx4",))
def blend_modes(subject: OpenPdf) -> Iterator[Found]:
    """Every mode that is named is one of PDF's sixteen."""
    for scope, name, state in states(subject):
        for mode in several(part(state, "/BM")):
            if word(mode) not in _BLENDS:
                yield scope.page, f"the state {name} blends by {word(mode)[1:] or 'something unknown'}"
