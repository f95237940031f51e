"""Rules of PDF/X about pages, fonts, pictures, colours and transparency."""

from collections.abc import Iterator
from itertools import chain

from pikepdf import Name, Page, Stream

from generator.production.preflight.pdfx_file import (
    OpenPdf,
    PointsBox,
    RuleFinding,
    Scope,
    decode_data,
    get_box,
    get_entries,
    get_entry,
    get_name,
    get_number,
    list_members,
    list_pdf_values,
    pdfx_rule,
    value_to_bytes,
)

_SLACK_PT = 0.01
"""Tolerance (pt): boxes are written with so few decimals that one may exceed another by this much."""


def _find_inherited_box(page: Page, key: str) -> PointsBox | None:
    """Return the page's own box, or that of the page tree above it."""
    holder: object = page.obj
    for _ in range(50):
        found = get_entry(holder, key)
        if found is not None:
            return get_box(found)
        holder = get_entry(holder, "/Parent")
    return None


def _own_box(page: Page, key: str) -> PointsBox | None:
    return get_box(get_entry(page.obj, key))


def _has_area(paper: PointsBox | None) -> bool:
    return paper is not None and paper[0] < paper[2] and paper[1] < paper[3]


def _is_within(inner: PointsBox, outer: PointsBox) -> bool:
    lower = inner[0] >= outer[0] - _SLACK_PT and inner[1] >= outer[1] - _SLACK_PT
    return lower and inner[2] <= outer[2] + _SLACK_PT and inner[3] <= outer[3] + _SLACK_PT


@pdfx_rule("media-box", "Every page has a MediaBox with an area.")
def require_media_box(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that every page has a paper size."""
    for number, page in subject.pages:
        if not _has_area(_find_inherited_box(page, "/MediaBox")):
            yield number, "the page has no MediaBox with an area"


@pdfx_rule("trim-or-art", "Every page has either a TrimBox or an ArtBox.")
def require_trim_or_art(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that every page has a TrimBox or an ArtBox, but not both."""
    for number, page in subject.pages:
        trim, art = _own_box(page, "/TrimBox"), _own_box(page, "/ArtBox")
        if (trim is None) == (art is None):
            yield number, "the page has both a TrimBox and an ArtBox" if trim else "the page has no TrimBox"


@pdfx_rule("boxes-nested", "The cut lies inside the bleed, the bleed inside the paper.")
def require_nested_boxes(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that TrimBox (or ArtBox), BleedBox and MediaBox are nested. A CropBox may not cut into the trim."""
    for number, page in subject.pages:
        media, crop = _find_inherited_box(page, "/MediaBox"), _find_inherited_box(page, "/CropBox")
        if not _has_area(media):
            continue  # reported by media-box
        bleed = _own_box(page, "/BleedBox")
        inner = [(key, _own_box(page, f"/{key}")) for key in ("TrimBox", "ArtBox")]
        outer = [("BleedBox", bleed), ("CropBox", crop), ("MediaBox", media)]
        pairs = [(small, large) for small in inner for large in outer]
        pairs += [(("BleedBox", bleed), outer[2]), (("CropBox", crop), outer[2])]
        for (name, small), (around, large) in pairs:
            if small and large and not _is_within(small, large):
                yield number, f"the {name} reaches out of the {around}"


@pdfx_rule("not-separated", "No page is one ink of a separated page.")
def forbid_separations(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that a page holds all its inks."""
    for number, page in subject.pages:
        if get_entry(page.obj, "/SeparationInfo") is not None:
            yield number, "the page is only one ink of a page"


@pdfx_rule("annotations", "Annotations and form fields lie outside the bleed.")
def forbid_printed_annotations(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check annotations: they are not printed. Traps and printer's marks are allowed."""
    for number, page in subject.pages:
        keep_out = _own_box(page, "/BleedBox") or _own_box(page, "/TrimBox") or _own_box(page, "/ArtBox")
        for annotation in list_members(get_entry(page.obj, "/Annots")):
            kind, place = get_name(get_entry(annotation, "/Subtype")), get_box(get_entry(annotation, "/Rect"))
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


def iter_forms(subject: OpenPdf) -> Iterator[tuple[Scope, str, object]]:
    """Yield every form and picture of every scope, with its name."""
    for scope in subject.scopes:
        yield from ((scope, name[1:], thing) for name, thing in get_entries(scope.resources, "/XObject").items())


def iter_states(subject: OpenPdf) -> Iterator[tuple[Scope, str, object]]:
    """Yield every graphics state of every scope, with its name."""
    for scope in subject.scopes:
        yield from ((scope, name[1:], state) for name, state in get_entries(scope.resources, "/ExtGState").items())


def _iter_descriptors(subject: OpenPdf) -> Iterator[tuple[int, str, object]]:
    """Yield page, name and descriptor of each font that isn't drawn by operators."""
    for scope in subject.scopes:
        for font in get_entries(scope.resources, "/Font").values():
            if get_name(get_entry(font, "/Subtype")) == "/Type3":
                continue
            descendants = list_members(get_entry(font, "/DescendantFonts"))
            holder = descendants[0] if descendants else font
            yield (
                scope.page,
                get_name(get_entry(font, "/BaseFont")).strip("/") or "?",
                get_entry(holder, "/FontDescriptor"),
            )


@pdfx_rule("fonts-embedded", "Every font is embedded.")
def require_embedded_fonts(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that all fonts are embedded: a shop doesn't have them."""
    for page, name, descriptor in _iter_descriptors(subject):
        if not any(isinstance(get_entry(descriptor, key), Stream) for key in ("/FontFile", "/FontFile2", "/FontFile3")):
            yield page, f"the font {name} is not embedded"


@pdfx_rule("no-opentype", "No font is a whole OpenType file.", ("pdfx1a",))
def forbid_opentype(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that no font is OpenType: PDF 1.4 doesn't know such fonts."""
    for page, name, descriptor in _iter_descriptors(subject):
        if get_name(get_entry(get_entry(descriptor, "/FontFile3"), "/Subtype")) == "/OpenType":
            yield page, f"the font {name} is a whole OpenType file, which PDF 1.4 doesn't know"


@pdfx_rule("operators", "Content uses no operator that PDF doesn't define.")
def require_known_operators(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the operators, also between BX and EX."""
    for scope in subject.scopes:
        for operator in sorted(scope.content.operators - _OPERATORS):
            yield scope.page, f"content uses the unknown operator {operator[:20]!r}"


@pdfx_rule("postscript", "Nothing is drawn by PostScript.")
def forbid_postscript(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there is no PostScript, neither as an object nor by the operator PS."""
    for scope, name, thing in iter_forms(subject):
        if "/PS" in {get_name(get_entry(thing, "/Subtype")), get_name(get_entry(thing, "/Subtype2"))}:
            yield scope.page, f"{name} is drawn by PostScript"
    for scope in subject.scopes:
        if "PS" in scope.content.operators:
            yield scope.page, "content holds PostScript"


@pdfx_rule("no-opi", "No picture stands for a finer one elsewhere.")
def forbid_opi(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there are no OPI comments: in a complete file they are gone."""
    for scope, name, thing in iter_forms(subject):
        if get_entry(thing, "/OPI") is not None:
            yield scope.page, f"{name} stands for a picture elsewhere (OPI)"


@pdfx_rule("no-references", "No form stands for a page of another file.")
def forbid_references(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there are no reference forms (/Ref)."""
    for scope, name, thing in iter_forms(subject):
        if get_entry(thing, "/Ref") is not None:
            yield scope.page, f"{name} stands for a page of another file"


@pdfx_rule("no-alternates", "No picture is replaced by another in print.")
def forbid_alternates(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the printed picture is the one on the screen."""
    for scope, name, thing in iter_forms(subject):
        if any(
            get_entry(other, "/DefaultForPrinting") is True for other in list_members(get_entry(thing, "/Alternates"))
        ):
            yield scope.page, f"{name} is replaced by another picture in print"


@pdfx_rule("depth-8", "No picture has 16 bits a colour.", ("pdfx1a",))
def require_depth_8(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check the depth of pictures: PDF 1.4 allows at most 8 bits."""
    for scope, name, thing in iter_forms(subject):
        if get_number(get_entry(thing, "/BitsPerComponent")) == 16:
            yield scope.page, f"the picture {name} has 16 bits a colour, which PDF 1.4 doesn't know"


@pdfx_rule("no-transfer", "No transfer curves.")
def forbid_transfer_curves(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there are no transfer curves: they change tones unnoticed. TR2 may be Default."""
    for scope, name, state in iter_states(subject):
        curve = get_entry(state, "/TR2")
        if get_entry(state, "/TR") is not None or (curve is not None and get_name(curve) != "/Default"):
            yield scope.page, f"the state {name} has a transfer curve"


@pdfx_rule("halftones", "Screens are of type 1 or 5, and none is named or moved.")
def require_plain_halftones(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that no screens are set: the press chooses them."""
    for scope, name, state in iter_states(subject):
        if get_entry(state, "/HTP") is not None:
            yield scope.page, f"the state {name} moves the screen"
        for screen in _iter_screens(get_entry(state, "/HT")):
            if get_number(get_entry(screen, "/HalftoneType")) not in {1.0, 5.0}:
                yield scope.page, f"the state {name} has a screen that is not of type 1 or 5"
            if get_entry(screen, "/HalftoneName") is not None:
                yield scope.page, f"the state {name} names its screen"


def _iter_screens(screen: object) -> Iterator[object]:
    """Yield a screen, and those of each ink if it is of type 5."""
    if screen is None or get_name(screen) == "/Default":
        return
    yield screen
    if get_number(get_entry(screen, "/HalftoneType")) == 5:
        yield from (inner for inner in get_entries(screen).values() if get_entries(inner))


_PRINTED = {"/DeviceGray", "/DeviceCMYK", "/Separation", "/DeviceN", "/Indexed", "/Pattern"}
_DEVICES = {"/DeviceRGB": "/DefaultRGB", "/DeviceCMYK": "/DefaultCMYK"}
"""Spaces that need the output intent to explain them, and the default spaces that replace it. Grey always prints."""

_OWN_DEVICE = {b"RGB ": "/DeviceRGB", b"GRAY": ""}
"""The device space that a profile's press prints directly. All other presses print CMYK."""

SpaceUse = tuple[Scope, str, object]
"""Where a colour space is used, what uses it, and the space."""

_DEEPEST = 8
"""Largest depth of nested colour spaces; deeper ones are ignored."""


def _iter_uses(subject: OpenPdf) -> Iterator[SpaceUse]:
    """Yield every colour space in use. Resources count as used."""
    for scope in subject.scopes:
        for name in sorted(scope.content.spaces & _DEVICES.keys()):
            yield scope, "content", Name(name)
        yield from ((scope, "content", space) for space in get_entries(scope.resources, "/ColorSpace").values())
        yield from ((scope, "an inline image", get_entry(image, "/ColorSpace")) for image in scope.content.images)
        yield from ((scope, "a picture", space) for space in _iter_picture_spaces(scope))
        yield from ((scope, "a gradient", space) for space in _iter_gradient_spaces(scope))
        group = get_entry(get_entry(scope.source, "/Group"), "/CS")
        if group is not None:
            yield scope, "a transparency group", group


def _iter_picture_spaces(scope: Scope) -> Iterator[object]:
    for thing in get_entries(scope.resources, "/XObject").values():
        if get_name(get_entry(thing, "/Subtype")) == "/Image":
            yield get_entry(thing, "/ColorSpace")


def _iter_gradient_spaces(scope: Scope) -> Iterator[object]:
    shadings = list(get_entries(scope.resources, "/Shading").values())
    patterns = get_entries(scope.resources, "/Pattern").values()
    for shading in chain(shadings, (get_entry(pattern, "/Shading") for pattern in patterns)):
        yield get_entry(shading, "/ColorSpace")


def _iter_families(space: object, resources: object, depth: int = 0) -> Iterator[tuple[str, object]]:
    """Yield the kinds of a colour space and of its base spaces, each with the space itself."""
    members = list_members(space)
    family = get_name(members[0] if members else space)
    if depth > _DEEPEST or not family:
        return
    local = get_entry(get_entry(resources, "/ColorSpace"), family) if not members else None
    if local is not None and family not in _PRINTED | _DEVICES.keys():
        yield from _iter_families(local, resources, depth + 1)
        return
    yield family, space
    base = {"/Indexed": 1, "/Pattern": 1, "/Separation": 2, "/DeviceN": 2}.get(family)
    if base and len(members) > base:
        yield from _iter_families(members[base], resources, depth + 1)


def _iter_used_spaces(subject: OpenPdf) -> Iterator[tuple[Scope, str, str, object]]:
    for scope, user, space in _iter_uses(subject):
        for family, inner in _iter_families(space, scope.resources):
            yield scope, user, family, inner


@pdfx_rule("printed-colours", "All colours are grey, CMYK or spot colours.", ("pdfx1a",))
def require_printed_colours(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that there is no RGB, no Lab and no ICC profile."""
    for scope, user, family, _ in _iter_used_spaces(subject):
        if family not in _PRINTED:
            yield scope.page, f"{user} is in {family[1:]}"


@pdfx_rule("device-colours", "Colours without a profile are those of the output intent.", ("pdfx4",))
def require_known_devices(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check device colours: DeviceRGB has no meaning on a CMYK press unless a default space replaces it."""
    own = _OWN_DEVICE.get(subject.profile[16:20], "/DeviceCMYK")
    for scope, user, family, _ in _iter_used_spaces(subject):
        if family not in _DEVICES or family == own:
            continue
        if get_entry(get_entry(scope.resources, "/ColorSpace"), _DEVICES[family]) is None:
            yield scope.page, f"{user} is in {family[1:]}, which the output intent doesn't explain"


@pdfx_rule("profile-not-twice", "No colour has the output intent's own profile.", ("pdfx4",))
def forbid_repeated_profile(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that no colour has the output intent's profile: converting would change only black and overprint."""
    if not subject.profile:
        return
    for scope, user, family, space in _iter_used_spaces(subject):
        if family == "/ICCBased" and any(decode_data(member) == subject.profile for member in list_members(space)[1:2]):
            yield scope.page, f"{user} has the same profile as the output intent"


@pdfx_rule("spots-alike", "A spot colour is described alike wherever it is used.", ("pdfx4",))
def require_equal_spots(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that equal spot colours have the same alternate space and conversion."""
    known, read = dict[str, object](), dict[tuple[int, int, int], bytes]()
    for scope, _, family, space in _iter_used_spaces(subject):
        members = list_members(space)
        if family != "/Separation" or len(members) < 4:
            continue
        name, described = get_name(members[1]), (value_to_bytes(members[2], read), value_to_bytes(members[3], read))
        if known.setdefault(name, described) != described:
            yield scope.page, f"the spot colour {name[1:]} is described in two ways"


_PLAIN = {"/Normal", "/Compatible"}
_BLENDS = _PLAIN | {f"/{name}" for name in ("Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge")}
_BLENDS |= {f"/{name}" for name in ("ColorBurn", "HardLight", "SoftLight", "Difference", "Exclusion")}
_BLENDS |= {"/Hue", "/Saturation", "/Color", "/Luminosity"}


@pdfx_rule("opaque", "Everything is opaque.", ("pdfx1a",))
def require_opacity(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the alpha of fills and strokes is 1."""
    for scope, name, state in iter_states(subject):
        if any(
            (get_number(get_entry(state, key)) or 0.0) < 1
            for key in ("/ca", "/CA")
            if get_entry(state, key) is not None
        ):
            yield scope.page, f"the state {name} is translucent"


@pdfx_rule("no-soft-masks", "Nothing has a soft mask.", ("pdfx1a",))
def forbid_soft_masks(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that neither states nor pictures have soft masks."""
    for scope, name, state in iter_states(subject):
        if get_entry(state, "/SMask") is not None and get_name(get_entry(state, "/SMask")) != "/None":
            yield scope.page, f"the state {name} has a soft mask"
    for scope, name, thing in iter_forms(subject):
        if get_entry(thing, "/SMask") is not None or (get_number(get_entry(thing, "/SMaskInData")) or 0) > 0:
            yield scope.page, f"the picture {name} has a soft mask"


@pdfx_rule("no-blending", "Colours do not blend.", ("pdfx1a",))
def forbid_blending(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that the blend mode is Normal."""
    for scope, name, state in iter_states(subject):
        modes = [get_name(mode) for mode in list_pdf_values(get_entry(state, "/BM"))]
        if modes and modes[0] not in _PLAIN:
            yield scope.page, f"the state {name} blends by {modes[0][1:] or 'something unknown'}"


@pdfx_rule("no-groups", "There are no transparency groups.", ("pdfx1a",))
def forbid_groups(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that neither pages nor forms are transparency groups."""
    for scope in subject.scopes:
        if get_name(get_entry(get_entry(scope.source, "/Group"), "/S")) == "/Transparency":
            yield scope.page, "the page or a form on it is a transparency group"


@pdfx_rule("blend-modes", "Colours blend only in ways that PDF defines.", ("pdfx4",))
def require_blend_modes(subject: OpenPdf) -> Iterator[RuleFinding]:
    """Check that every blend mode is one of PDF's sixteen."""
    for scope, name, state in iter_states(subject):
        for mode in list_pdf_values(get_entry(state, "/BM")):
            if get_name(mode) not in _BLENDS:
                yield scope.page, f"the state {name} blends by {get_name(mode)[1:] or 'something unknown'}"
