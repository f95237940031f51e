"""Rules of PDF/X about pages, fonts, pictures, colours and transparency."""

from collections.abc import Iterator
from itertools import chain

from pikepdf import Name, Page, Stream

from generator.production.preflight.pdfx_file import (
    Box,
    Found,
    OpenPdf,
    Scope,
    box,
    data,
    figure,
    part,
    parts,
    row,
    rule,
    several,
    value_as_bytes,
    word,
)

_SLACK_PT = 0.01
"""Tolerance (pt): boxes are written with so few decimals that one may exceed another by this much."""


def _inherited_box(page: Page, key: str) -> Box | None:
    """Return the page's own box, or that of the page tree above it."""
    holder: object = page.obj
    for _ in range(50):
        found = part(holder, key)
        if found is not None:
            return box(found)
        holder = part(holder, "/Parent")
    return None


def _own_box(page: Page, key: str) -> Box | None:
    return box(part(page.obj, key))


def _has_area(paper: Box | None) -> bool:
    return paper is not None and paper[0] < paper[2] and paper[1] < paper[3]


def _within(inner: Box, outer: Box) -> bool:
    lower = inner[0] >= outer[0] - _SLACK_PT and inner[1] >= outer[1] - _SLACK_PT
    return lower and inner[2] <= outer[2] + _SLACK_PT and inner[3] <= outer[3] + _SLACK_PT


@rule("media-box", "Every page has a MediaBox with an area.")
def media_box(subject: OpenPdf) -> Iterator[Found]:
    """Check that every page has a paper size."""
    for number, page in subject.pages:
        if not _has_area(_inherited_box(page, "/MediaBox")):
            yield number, "the page has no MediaBox with an area"


@rule("trim-or-art", "Every page has either a TrimBox or an ArtBox.")
def trim_or_art(subject: OpenPdf) -> Iterator[Found]:
    """Check that every page has a TrimBox or an ArtBox, but not both."""
    for number, page in subject.pages:
        trim, art = _own_box(page, "/TrimBox"), _own_box(page, "/ArtBox")
        if (trim is None) == (art is None):
            yield number, "the page has both a TrimBox and an ArtBox" if trim else "the page has no TrimBox"


@rule("boxes-nested", "The cut lies inside the bleed, the bleed inside the paper.")
def boxes_nested(subject: OpenPdf) -> Iterator[Found]:
    """Check that TrimBox (or ArtBox), BleedBox and MediaBox are nested. A CropBox may not cut into the trim."""
    for number, page in subject.pages:
        media, crop = _inherited_box(page, "/MediaBox"), _inherited_box(page, "/CropBox")
        if not _has_area(media):
            continue  # reported by media-box
        bleed = _own_box(page, "/BleedBox")
        inner = [(key, _own_box(page, f"/{key}")) for key in ("TrimBox", "ArtBox")]
        outer = [("BleedBox", bleed), ("CropBox", crop), ("MediaBox", media)]
        pairs = [(small, large) for small in inner for large in outer]
        pairs += [(("BleedBox", bleed), outer[2]), (("CropBox", crop), outer[2])]
        for (name, small), (around, large) in pairs:
            if small and large and not _within(small, large):
                yield number, f"the {name} reaches out of the {around}"


@rule("not-separated", "No page is one ink of a separated page.")
def not_separated(subject: OpenPdf) -> Iterator[Found]:
    """Check that a page holds all its inks."""
    for number, page in subject.pages:
        if part(page.obj, "/SeparationInfo") is not None:
            yield number, "the page is only one ink of a page"


@rule("annotations", "Annotations and form fields lie outside the bleed.")
def annotations(subject: OpenPdf) -> Iterator[Found]:
    """Check annotations: they are not printed. Traps and printer's marks are allowed."""
    for number, page in subject.pages:
        keep_out = _own_box(page, "/BleedBox") or _own_box(page, "/TrimBox") or _own_box(page, "/ArtBox")
        for annotation in row(part(page.obj, "/Annots")):
            kind, place = word(part(annotation, "/Subtype")), box(part(annotation, "/Rect"))
            if kind in {"/TrapNet", "/PrinterMark"} or keep_out is None or place is None:
                continue
            across = place[0] < keep_out[2] and place[2] > keep_out[0]
            if across and place[1] < keep_out[3] and place[3] > keep_out[1]:
                yield number, f"an annotation ({kind[1:] or 'without a kind'}) lies on what is printed"


_GRAPHICS = "b B b* B* c cm d f F f* gs h i j J l m M n q Q re ri s S sh v w W W* y Do BI ID EI"
_COLOURS = "cs CS g G k K rg RG sc SC scn SCN"
_TEXTS = "BT ET T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz ' \" d0 d1"
_MARKS = "BDC BMC BX DP EMC EX MP"
_OPERATORS = frozenset((*_GRAPHICS.split(), *_COLOURS.split(), *_TEXTS.split(), *_MARKS.split(), "INLINE IMAGE", "PS"))
"""The operators of PDF 1.4 and 1.6. PS has a rule of its own."""


def forms_and_pictures(subject: OpenPdf) -> Iterator[tuple[Scope, str, object]]:
    """Yield every form and picture of every scope, with its name."""
    for scope in subject.scopes:
        yield from ((scope, name[1:], thing) for name, thing in parts(scope.resources, "/XObject").items())


def states(subject: OpenPdf) -> Iterator[tuple[Scope, str, object]]:
    """Yield every graphics state of every scope, with its name."""
    for scope in subject.scopes:
        yield from ((scope, name[1:], state) for name, state in parts(scope.resources, "/ExtGState").items())


def _descriptors(subject: OpenPdf) -> Iterator[tuple[int, str, object]]:
    """Yield page, name and descriptor of each font that isn't drawn by operators."""
    for scope in subject.scopes:
        for font in parts(scope.resources, "/Font").values():
            if word(part(font, "/Subtype")) == "/Type3":
                continue
            descendants = row(part(font, "/DescendantFonts"))
            holder = descendants[0] if descendants else font
            yield scope.page, word(part(font, "/BaseFont")).strip("/") or "?", part(holder, "/FontDescriptor")


@rule("fonts-embedded", "Every font is embedded.")
def fonts_embedded(subject: OpenPdf) -> Iterator[Found]:
    """Check that all fonts are embedded: a shop doesn't have them."""
    for page, name, descriptor in _descriptors(subject):
        if not any(isinstance(part(descriptor, key), Stream) for key in ("/FontFile", "/FontFile2", "/FontFile3")):
            yield page, f"the font {name} is not embedded"


@rule("no-opentype", "No font is a whole OpenType file.", ("pdfx1a",))
def no_opentype(subject: OpenPdf) -> Iterator[Found]:
    """Check that no font is OpenType: PDF 1.4 doesn't know such fonts."""
    for page, name, descriptor in _descriptors(subject):
        if word(part(part(descriptor, "/FontFile3"), "/Subtype")) == "/OpenType":
            yield page, f"the font {name} is a whole OpenType file, which PDF 1.4 doesn't know"


@rule("operators", "Content uses no operator that PDF doesn't define.")
def operators(subject: OpenPdf) -> Iterator[Found]:
    """Check the operators, also between BX and EX."""
    for scope in subject.scopes:
        for operator in sorted(scope.content.operators - _OPERATORS):
            yield scope.page, f"content uses the unknown operator {operator[:20]!r}"


@rule("postscript", "Nothing is drawn by PostScript.")
def postscript(subject: OpenPdf) -> Iterator[Found]:
    """Check that there is no PostScript, neither as an object nor by the operator PS."""
    for scope, name, thing in forms_and_pictures(subject):
        if "/PS" in {word(part(thing, "/Subtype")), word(part(thing, "/Subtype2"))}:
            yield scope.page, f"{name} is drawn by PostScript"
    for scope in subject.scopes:
        if "PS" in scope.content.operators:
            yield scope.page, "content holds PostScript"


@rule("no-opi", "No picture stands for a finer one elsewhere.")
def no_opi(subject: OpenPdf) -> Iterator[Found]:
    """Check that there are no OPI comments: in a complete file they are gone."""
    for scope, name, thing in forms_and_pictures(subject):
        if part(thing, "/OPI") is not None:
            yield scope.page, f"{name} stands for a picture elsewhere (OPI)"


@rule("no-references", "No form stands for a page of another file.")
def no_references(subject: OpenPdf) -> Iterator[Found]:
    """Check that there are no reference forms (/Ref)."""
    for scope, name, thing in forms_and_pictures(subject):
        if part(thing, "/Ref") is not None:
            yield scope.page, f"{name} stands for a page of another file"


@rule("no-alternates", "No picture is replaced by another in print.")
def no_alternates(subject: OpenPdf) -> Iterator[Found]:
    """Check that the printed picture is the one on the screen."""
    for scope, name, thing in forms_and_pictures(subject):
        if any(part(other, "/DefaultForPrinting") is True for other in row(part(thing, "/Alternates"))):
            yield scope.page, f"{name} is replaced by another picture in print"


@rule("depth-8", "No picture has 16 bits a colour.", ("pdfx1a",))
def depth_8(subject: OpenPdf) -> Iterator[Found]:
    """Check the depth of pictures: PDF 1.4 allows at most 8 bits."""
    for scope, name, thing in forms_and_pictures(subject):
        if figure(part(thing, "/BitsPerComponent")) == 16:
            yield scope.page, f"the picture {name} has 16 bits a colour, which PDF 1.4 doesn't know"


@rule("no-transfer", "No transfer curves.")
def no_transfer(subject: OpenPdf) -> Iterator[Found]:
    """Check that there are no transfer curves: they change tones unnoticed. TR2 may be Default."""
    for scope, name, state in states(subject):
        curve = part(state, "/TR2")
        if part(state, "/TR") is not None or (curve is not None and word(curve) != "/Default"):
            yield scope.page, f"the state {name} has a transfer curve"


@rule("halftones", "Screens are of type 1 or 5, and none is named or moved.")
def halftones(subject: OpenPdf) -> Iterator[Found]:
    """Check that no screens are set: the press chooses them."""
    for scope, name, state in states(subject):
        if part(state, "/HTP") is not None:
            yield scope.page, f"the state {name} moves the screen"
        for screen in _screens(part(state, "/HT")):
            if figure(part(screen, "/HalftoneType")) not in {1.0, 5.0}:
                yield scope.page, f"the state {name} has a screen that is not of type 1 or 5"
            if part(screen, "/HalftoneName") is not None:
                yield scope.page, f"the state {name} names its screen"


def _screens(screen: object) -> Iterator[object]:
    """Yield a screen, and those of each ink if it is of type 5."""
    if screen is None or word(screen) == "/Default":
        return
    yield screen
    if figure(part(screen, "/HalftoneType")) == 5:
        yield from (inner for inner in parts(screen).values() if parts(inner))


_PRINTED = {"/DeviceGray", "/DeviceCMYK", "/Separation", "/DeviceN", "/Indexed", "/Pattern"}
_DEVICES = {"/DeviceRGB": "/DefaultRGB", "/DeviceCMYK": "/DefaultCMYK"}
"""Spaces that need the output intent to explain them, and the default spaces that replace it. Grey always prints."""

_OWN_DEVICE = {b"RGB ": "/DeviceRGB", b"GRAY": ""}
"""The device space that a profile's press prints directly. All other presses print CMYK."""

Use = tuple[Scope, str, object]
"""Where a colour space is used, what uses it, and the space."""

_DEEPEST = 8
"""Largest depth of nested colour spaces; deeper ones are ignored."""


def _uses(subject: OpenPdf) -> Iterator[Use]:
    """Yield every colour space in use. Resources count as used."""
    for scope in subject.scopes:
        for name in sorted(scope.content.spaces & _DEVICES.keys()):
            yield scope, "content", Name(name)
        yield from ((scope, "content", space) for space in parts(scope.resources, "/ColorSpace").values())
        yield from ((scope, "an inline image", part(image, "/ColorSpace")) for image in scope.content.images)
        yield from ((scope, "a picture", space) for space in _of_pictures(scope))
        yield from ((scope, "a gradient", space) for space in _of_gradients(scope))
        group = part(part(scope.source, "/Group"), "/CS")
        if group is not None:
            yield scope, "a transparency group", group


def _of_pictures(scope: Scope) -> Iterator[object]:
    for thing in parts(scope.resources, "/XObject").values():
        if word(part(thing, "/Subtype")) == "/Image":
            yield part(thing, "/ColorSpace")


def _of_gradients(scope: Scope) -> Iterator[object]:
    shadings = list(parts(scope.resources, "/Shading").values())
    patterns = parts(scope.resources, "/Pattern").values()
    for shading in chain(shadings, (part(pattern, "/Shading") for pattern in patterns)):
        yield part(shading, "/ColorSpace")


def _families(space: object, resources: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield the kinds of a colour space and of its base spaces, each with the space itself."""
    members = row(space)
    family = word(members[0] if members else space)
    if depth > _DEEPEST or not family:
        return
    local = part(part(resources, "/ColorSpace"), family) if not members else None
    if local is not None and family not in _PRINTED | _DEVICES.keys():
        yield from _families(local, resources, depth + 1)
        return
    yield family, space
    base = {"/Indexed": 1, "/Pattern": 1, "/Separation": 2, "/DeviceN": 2}.get(family)
    if base and len(members) > base:
        yield from _families(members[base], resources, depth + 1)


def _used(subject: OpenPdf) -> Iterator[tuple[Scope, str, str, object]]:
    for scope, user, space in _uses(subject):
        for family, inner in _families(space, scope.resources):
            yield scope, user, family, inner


@rule("printed-colours", "All colours are grey, CMYK or spot colours.", ("pdfx1a",))
def printed_colours(subject: OpenPdf) -> Iterator[Found]:
    """Check that there is no RGB, no Lab and no ICC profile."""
    for scope, user, family, _ in _used(subject):
        if family not in _PRINTED:
            yield scope.page, f"{user} is in {family[1:]}"


@rule("device-colours", "Colours without a profile are those of the output intent.", ("pdfx4",))
def device_colours(subject: OpenPdf) -> Iterator[Found]:
    """Check device colours: DeviceRGB has no meaning on a CMYK press unless a default space replaces it."""
    own = _OWN_DEVICE.get(subject.profile[16:20], "/DeviceCMYK")
    for scope, user, family, _ in _used(subject):
        if family not in _DEVICES or family == own:
            continue
        if part(part(scope.resources, "/ColorSpace"), _DEVICES[family]) is None:
            yield scope.page, f"{user} is in {family[1:]}, which the output intent doesn't explain"


@rule("profile-not-twice", "No colour has the output intent's own profile.", ("pdfx4",))
def profile_not_twice(subject: OpenPdf) -> Iterator[Found]:
    """Check that no colour has the output intent's profile: converting would change only black and overprint."""
    if not subject.profile:
        return
    for scope, user, family, space in _used(subject):
        if family == "/ICCBased" and any(data(member) == subject.profile for member in row(space)[1:2]):
            yield scope.page, f"{user} has the same profile as the output intent"


@rule("spots-alike", "A spot colour is described alike wherever it is used.", ("pdfx4",))
def spots_alike(subject: OpenPdf) -> Iterator[Found]:
    """Check that equal spot colours have the same alternate space and conversion."""
    known, read = dict[str, object](), dict[tuple[int, int, int], bytes]()
    for scope, _, family, space in _used(subject):
        members = row(space)
        if family != "/Separation" or len(members) < 4:
            continue
        name, described = word(members[1]), (value_as_bytes(members[2], read), value_as_bytes(members[3], read))
        if known.setdefault(name, described) != described:
            yield scope.page, f"the spot colour {name[1:]} is described in two ways"


_PLAIN = {"/Normal", "/Compatible"}
_BLENDS = _PLAIN | {f"/{name}" for name in ("Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge")}
_BLENDS |= {f"/{name}" for name in ("ColorBurn", "HardLight", "SoftLight", "Difference", "Exclusion")}
_BLENDS |= {"/Hue", "/Saturation", "/Color", "/Luminosity"}


@rule("opaque", "Everything is opaque.", ("pdfx1a",))
def opaque(subject: OpenPdf) -> Iterator[Found]:
    """Check that the alpha of fills and strokes is 1."""
    for scope, name, state in states(subject):
        if any((figure(part(state, key)) or 0.0) < 1 for key in ("/ca", "/CA") if part(state, key) is not None):
            yield scope.page, f"the state {name} is translucent"


@rule("no-soft-masks", "Nothing has a soft mask.", ("pdfx1a",))
def no_soft_masks(subject: OpenPdf) -> Iterator[Found]:
    """Check that neither states nor pictures have soft masks."""
    for scope, name, state in states(subject):
        if part(state, "/SMask") is not None and word(part(state, "/SMask")) != "/None":
            yield scope.page, f"the state {name} has a soft mask"
    for scope, name, thing in forms_and_pictures(subject):
        if part(thing, "/SMask") is not None or (figure(part(thing, "/SMaskInData")) or 0) > 0:
            yield scope.page, f"the picture {name} has a soft mask"


@rule("no-blending", "Colours do not blend.", ("pdfx1a",))
def no_blending(subject: OpenPdf) -> Iterator[Found]:
    """Check that the blend mode is Normal."""
    for scope, name, state in states(subject):
        modes = [word(mode) for mode in several(part(state, "/BM"))]
        if modes and modes[0] not in _PLAIN:
            yield scope.page, f"the state {name} blends by {modes[0][1:] or 'something unknown'}"


@rule("no-groups", "There are no transparency groups.", ("pdfx1a",))
def no_groups(subject: OpenPdf) -> Iterator[Found]:
    """Check that neither pages nor forms are transparency groups."""
    for scope in subject.scopes:
        if word(part(part(scope.source, "/Group"), "/S")) == "/Transparency":
            yield scope.page, "the page or a form on it is a transparency group"


@rule("blend-modes", "Colours blend only in ways that PDF defines.", ("pdfx4",))
def blend_modes(subject: OpenPdf) -> Iterator[Found]:
    """Check that every blend mode is one of PDF's sixteen."""
    for scope, name, state in states(subject):
        for mode in several(part(state, "/BM")):
            if word(mode) not in _BLENDS:
                yield scope.page, f"the state {name} blends by {word(mode)[1:] or 'something unknown'}"
