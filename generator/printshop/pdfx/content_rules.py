"""Rules of PDF/X about what is drawn: fonts, pictures, screens and what is not a drawing at all."""

from collections.abc import Iterator

from pikepdf import Stream

from generator.printshop.pdfx.rule import Found, rule
from generator.printshop.pdfx.subject import OpenPdf, Scope
from generator.printshop.pdfx.values import figure, part, parts, row, word

_GRAPHICS = "b B b* B* c cm d f F f* gs h i j J l m M n q Q re ri s S sh v w W W* y Do BI ID EI"
_COLOURS = "cs CS g G k K rg RG sc SC scn SCN"
_TEXTS = "BT ET T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz ' \" d0 d1"
_MARKS = "BDC BMC BX DP EMC EX MP"
_OPERATORS = frozenset((*_GRAPHICS.split(), *_COLOURS.split(), *_TEXTS.split(), *_MARKS.split(), "INLINE IMAGE", "PS"))
"""What PDF 1.4 and 1.6 define; PS has a rule of its own."""


def forms_and_pictures(subject: OpenPdf) -> Iterator[tuple[Scope, str, object]]:
    """Every form and picture of every scope, with its name."""
    for scope in subject.scopes:
        yield from ((scope, name[1:], thing) for name, thing in parts(scope.resources, "/XObject").items())


def states(subject: OpenPdf) -> Iterator[tuple[Scope, str, object]]:
    """Every graphics state of every scope, with its name."""
    for scope in subject.scopes:
        yield from ((scope, name[1:], state) for name, state in parts(scope.resources, "/ExtGState").items())


def _descriptors(subject: OpenPdf) -> Iterator[tuple[int, str, object]]:
    """Each font that isn't drawn by operators: its page, its name and its descriptor."""
    for scope in subject.scopes:
        for font in parts(scope.resources, "/Font").values():
            if word(part(font, "/Subtype")) == "/Type3":
                continue
            descendants = row(part(font, "/DescendantFonts"))
            holder = descendants[0] if descendants else font
            yield scope.page, word(part(font, "/BaseFont")).strip("/") or "?", part(holder, "/FontDescriptor")


@rule("fonts-embedded", "Every font is embedded.")
def fonts_embedded(subject: OpenPdf) -> Iterator[Found]:
    """A shop has none of ours."""
    for page, name, descriptor in _descriptors(subject):
        if not any(isinstance(part(descriptor, key), Stream) for key in ("/FontFile", "/FontFile2", "/FontFile3")):
            yield page, f"the font {name} is not embedded"


@rule("no-opentype", "No font is a whole OpenType file.", ("pdfx1a",))
def no_opentype(subject: OpenPdf) -> Iterator[Found]:
    """Such fonts are younger than PDF 1.4."""
    for page, name, descriptor in _descriptors(subject):
        if word(part(part(descriptor, "/FontFile3"), "/Subtype")) == "/OpenType":
            yield page, f"the font {name} is a whole OpenType file, which PDF 1.4 doesn't know"


@rule("operators", "Content uses no operator that PDF doesn't define.")
def operators(subject: OpenPdf) -> Iterator[Found]:
    """Not between BX and EX either."""
    for scope in subject.scopes:
        for operator in sorted(scope.content.operators - _OPERATORS):
            yield scope.page, f"content uses the unknown operator {operator[:20]!r}"


@rule("postscript", "Nothing is drawn by PostScript.")
def postscript(subject: OpenPdf) -> Iterator[Found]:
    """Neither as an object nor by the operator PS."""
    for scope, name, thing in forms_and_pictures(subject):
        if "/PS" in {word(part(thing, "/Subtype")), word(part(thing, "/Subtype2"))}:
            yield scope.page, f"{name} is drawn by PostScript"
    for scope in subject.scopes:
        if "PS" in scope.content.operators:
            yield scope.page, "content holds PostScript"


@rule("no-opi", "No picture stands for a finer one elsewhere.")
def no_opi(subject: OpenPdf) -> Iterator[Found]:
    """OPI comments are gone by the time a file is complete."""
    for scope, name, thing in forms_and_pictures(subject):
        if part(thing, "/OPI") is not None:
            yield scope.page, f"{name} stands for a picture elsewhere (OPI)"


@rule("no-references", "No form stands for a page of another file.")
def no_references(subject: OpenPdf) -> Iterator[Found]:
    """Reference forms (/Ref)."""
    for scope, name, thing in forms_and_pictures(subject):
        if part(thing, "/Ref") is not None:
            yield scope.page, f"{name} stands for a page of another file"


@rule("no-alternates", "No picture is replaced by another in print.")
def no_alternates(subject: OpenPdf) -> Iterator[Found]:
    """What is seen is what is printed."""
    for scope, name, thing in forms_and_pictures(subject):
        if any(part(other, "/DefaultForPrinting") is True for other in row(part(thing, "/Alternates"))):
            yield scope.page, f"{name} is replaced by another picture in print"


@rule("depth-8", "No picture has 16 bits a colour.", ("pdfx1a",))
def depth_8(subject: OpenPdf) -> Iterator[Found]:
    """PDF 1.4 knows at most 8."""
    for scope, name, thing in forms_and_pictures(subject):
        if figure(part(thing, "/BitsPerComponent")) == 16:
            yield scope.page, f"the picture {name} has 16 bits a colour, which PDF 1.4 doesn't know"


@rule("no-transfer", "No transfer curves.")
def no_transfer(subject: OpenPdf) -> Iterator[Found]:
    """They change tones behind everybody's back; TR2 may say Default."""
    for scope, name, state in states(subject):
        curve = part(state, "/TR2")
        if part(state, "/TR") is not None or (curve is not None and word(curve) != "/Default"):
            yield scope.page, f"the state {name} has a transfer curve"


@rule("halftones", "Screens are of type 1 or 5, and none is named or moved.")
def halftones(subject: OpenPdf) -> Iterator[Found]:
    """The press chooses its screens."""
    for scope, name, state in states(subject):
        if part(state, "/HTP") is not None:
            yield scope.page, f"the state {name} moves the screen"
        for screen in _screens(part(state, "/HT")):
            if figure(part(screen, "/HalftoneType")) not in {1.0, 5.0}:
                yield scope.page, f"the state {name} has a screen that is not of type 1 or 5"
            if part(screen, "/HalftoneName") is not None:
                yield scope.page, f"the state {name} names its screen"


def _screens(screen: object) -> Iterator[object]:
    """A screen, and those of each ink where it is of type 5."""
    if screen is None or word(screen) == "/Default":
        return
    yield screen
    if figure(part(screen, "/HalftoneType")) == 5:
        yield from (inner for inner in parts(screen).values() if parts(inner))
