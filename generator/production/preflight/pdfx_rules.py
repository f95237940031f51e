"""Rules of PDF/X: a table of what the standards require of files, pages, fonts, pictures and metadata."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from pikepdf import Array, Stream

from generator.drawing.pdf.objects import parse_pdf_date
from generator.production.finish_pdf import Standard
from generator.production.preflight.inspection import CheckFinding, Rule
from generator.production.preflight.pdf_document import PageBox, find_inherited_entry, is_box_within
from generator.production.preflight.pdfx_file import (
    Breaches,
    OpenPdf,
    Part,
    decode_data,
    find_device_colours,
    find_different_spots,
    find_repeated_profile,
    find_unprinted_colours,
    get_box,
    get_entries,
    get_entry,
    get_name,
    get_number,
    get_text,
    iter_descriptors,
    iter_states,
    iter_xobjects,
    list_members,
    list_names,
)

# This is no certified preflight: it doesn't look into font programs or the tables of profiles (veraPDF looks into
# fonts).

_X1A: tuple[Standard, ...] = ("pdfx1a",)
_X4: tuple[Standard, ...] = ("pdfx4",)
BOTH: tuple[Standard, ...] = ("pdfx4", "pdfx1a")


def _rule(name: str, standards: tuple[Standard, ...], find: Callable[[OpenPdf], Breaches], check: str = "") -> Rule:
    """Return a rule that reports each (page, what) from `find`. `check` names the general rule for the same fault."""

    def iter_errors(pdf: OpenPdf) -> Iterator[CheckFinding]:
        return (CheckFinding("error", what, page=page) for page, what in find(pdf))

    return Rule(name, iter_errors, standards=standards, check=check)


def _iter_files(pdf: OpenPdf) -> Iterator[Part]:
    yield 0, "", pdf


def _iter_pages(pdf: OpenPdf) -> Iterator[Part]:
    return ((number, "", page.obj) for number, page in pdf.pages)


def _iter_scopes(pdf: OpenPdf) -> Iterator[Part]:
    return ((scope.page, "", scope) for scope in pdf.scopes)


def _iter_streams(pdf: OpenPdf) -> Iterator[Part]:
    return ((0, str(stream.objgen[0]), stream) for stream in pdf.streams)


def _iter_intents(pdf: OpenPdf) -> Iterator[Part]:
    return ((0, "", intent) for intent in pdf.intents)


def _iter_xmp(space: str, *keys: str) -> Callable[[OpenPdf], list[Part]]:
    """Return a function that lists (0, key, text) for these keys of the XMP namespace `space`; a missing text is ''."""
    return lambda pdf: [] if pdf.metadata is None else [(0, key, pdf.metadata.get(space + key, "")) for key in keys]


def _each(
    name: str,
    standards: tuple[Standard, ...],
    list_parts: Callable[[OpenPdf], Iterable[tuple[int, str, Any]]],
    test: Callable[[Any], object],
    what: str,
    check: str = "",
) -> Rule:
    """Return a rule that reports each listed (page, name, part) for which `test` returns a true value.

    The message is `what`, with the part's name for {0} and the test's result for {1}. For `check`, see `Rule`.
    """

    def find(pdf: OpenPdf) -> Breaches:
        for page, part_name, part in list_parts(pdf):
            if found := test(part):
                yield page, what.format(part_name, found)

    return _rule(name, standards, find, check)


def _has(*path: str) -> Callable[[object], bool]:
    return lambda part: get_entry(part, *path) is not None


def _has_filter(name: str) -> Callable[[object], bool]:
    return lambda stream: name in list_names(stream, "/Filter")


def _find_lzw(pdf: OpenPdf) -> Breaches:
    is_packed = _has_filter("/LZWDecode")
    yield from (
        (0, f"object {number} uses LZW compression") for _, number, stream in _iter_streams(pdf) if is_packed(stream)
    )
    for scope in pdf.scopes:
        if any(map(is_packed, scope.content.images)):
            yield scope.page, "an inline image uses LZW compression"


def _lacks_id(pdf: OpenPdf) -> bool:
    names = list_members(pdf.pdf.trailer.get("/ID"))
    return len(names) != 2 or not all(get_text(name) for name in names)


def _is_newer_than(*least: int) -> Callable[[OpenPdf], str]:
    """Return a function that returns a file's PDF version (`1.7`) if it is higher than `least` (1, 6), else ''."""

    def find_version(pdf: OpenPdf) -> str:
        said = [pdf.pdf.pdf_version, get_name(pdf.root, "/Version").strip("/")]
        numbers = [tuple(int(digit) for digit in version.split(".")) for version in said if version[:1].isdigit()]
        version = max(numbers, default=(0,))
        return ".".join(map(str, version)) if version > least else ""

    return find_version


def _is_encrypted(stream: object) -> bool:
    """Return True if a stream has a Crypt filter that isn't the identity."""
    settings = get_entry(stream, "/DecodeParms")
    methods = list_members(settings) or [settings]
    return any(
        name == "/Crypt" and at < len(methods) and get_name(methods[at], "/Name") not in ("", "/Identity")
        for at, name in enumerate(list_names(stream, "/Filter"))
    )


def _find_switching_layers(pdf: OpenPdf) -> Breaches:
    layers = get_entry(pdf.root, "/OCProperties")
    others = list_members(layers, "/Configs")
    for settings in (get_entry(layers, "/D"), *others):
        if get_entry(settings, "/AS") is not None:
            yield 0, "a layer configuration switches layers automatically (/AS)"
    for settings in others:
        if not get_text(settings, "/Name"):
            yield 0, "a layer configuration has no name"


def _find_actions(pdf: OpenPdf) -> Breaches:
    opens = get_entry(pdf.root, "/OpenAction")
    if opens is not None and not isinstance(opens, Array):  # an array is only the first page to show
        yield 0, "the file has an action on opening"
    if get_entry(pdf.root, "/AA") is not None:
        yield 0, "the file has actions"
    if get_entry(pdf.root, "/Names", "/JavaScript") is not None:
        yield 0, "the file has JavaScript"
    if any("/A" in get_entries(entry) for entry in _iter_outline(pdf)):
        yield 0, "the outline has actions"
    for number, page in pdf.pages:
        if get_entry(page.obj, "/AA") is not None:
            yield number, "the page has actions"
        for annotation in list_members(page.obj, "/Annots"):
            if get_entries(annotation).keys() & {"/A", "/AA"}:
                yield number, "an annotation has actions"


def _iter_outline(pdf: OpenPdf) -> Iterator[object]:
    waiting = [get_entry(pdf.root, "/Outlines", "/First")]
    seen: set[tuple[int, int]] = set()
    while waiting:
        entry = waiting.pop()
        number = getattr(entry, "objgen", (0, 0))
        if entry is None or number in seen:
            continue
        seen.add(number)
        yield entry
        waiting += [get_entry(entry, "/Next"), get_entry(entry, "/First")]


def _find_viewer_boxes(pdf: OpenPdf) -> Breaches:
    wishes = get_entries(pdf.root, "/ViewerPreferences")
    for key in ("/ViewArea", "/ViewClip", "/PrintArea", "/PrintClip"):
        if key in wishes and get_name(wishes[key]) not in {"/MediaBox", "/BleedBox"}:
            yield 0, f"the viewer preference {key} is neither MediaBox nor BleedBox"


_DC = "{http://purl.org/dc/elements/1.1/}"
_XMP = "{http://ns.adobe.com/xap/1.0/}"
_MM = "{http://ns.adobe.com/xap/1.0/mm/}"
_PDF = "{http://ns.adobe.com/pdf/1.3/}"
_PDFX = "{http://www.npes.org/pdfx/ns/id/}"
_TEXTS = {
    "/Title": f"{_DC}title", "/Author": f"{_DC}creator", "/Subject": f"{_DC}description",
    "/Creator": f"{_XMP}CreatorTool", "/Producer": f"{_PDF}Producer", "/Keywords": f"{_PDF}Keywords",
}  # fmt: skip
_SPACES = {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4}


def _find_disagreement(pdf: OpenPdf) -> Breaches:
    """Report document information that differs from the XMP metadata: texts, dates or trapping."""
    packet = pdf.metadata
    if packet is None:
        return
    for key, name in _TEXTS.items():
        said = get_text(pdf.info, key)
        if said and said != packet.get(name, ""):
            yield 0, f"{key[1:]} differs between the document information and the XMP packet"
    for key, name in (("/CreationDate", "CreateDate"), ("/ModDate", "ModifyDate")):
        said, meant = get_text(pdf.info, key), _parse_moment(packet.get(f"{_XMP}{name}", ""))
        if said and meant and parse_pdf_date(said) != meant:
            yield 0, f"{key[1:]} differs between the document information and the XMP packet"
    trapped, meant_trapped = get_name(pdf.info, "/Trapped").strip("/"), packet.get(f"{_PDF}Trapped", "")
    if trapped and meant_trapped in {"True", "False"} and trapped != meant_trapped:
        yield 0, "Trapped differs between the document information and the XMP packet"


def _parse_moment(date: str) -> datetime | None:
    """Return the moment of an XMP date, or None if it is no date. A date without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(date)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _is_blank(text: str) -> bool:
    return not text.strip()


def _count_missing_components(pdf: OpenPdf) -> int:
    """Return the number of colours that the output intent's profile has but its stream doesn't state, or 0."""
    wanted = _SPACES.get(pdf.profile[16:20], 0)
    return wanted if wanted and get_number(pdf.intents[0], "/DestOutputProfile", "/N") != wanted else 0


_SLACK_PT = 0.01
"""Tolerance (pt): boxes are written with so few decimals that one may exceed another by this much."""


def _has_area(paper: PageBox | None) -> bool:
    return paper is not None and paper[0] < paper[2] and paper[1] < paper[3]


def _find_missing_trim(pdf: OpenPdf) -> Breaches:
    for number, page in pdf.pages:
        trim, art = get_box(page.obj, "/TrimBox"), get_box(page.obj, "/ArtBox")
        if (trim is None) == (art is None):
            yield number, "the page has both a TrimBox and an ArtBox" if trim else "the page has no TrimBox"


def _find_boxes_outside(pdf: OpenPdf) -> Breaches:
    """Report boxes that are not nested: TrimBox (or ArtBox), BleedBox, MediaBox; a CropBox may not cut the trim."""
    for number, page in pdf.pages:
        media, crop = (get_box(find_inherited_entry(page.obj, key)) for key in ("/MediaBox", "/CropBox"))
        if not _has_area(media):
            continue  # reported by media-box
        bleed = get_box(page.obj, "/BleedBox")
        inner = [(key, get_box(page.obj, f"/{key}")) for key in ("TrimBox", "ArtBox")]
        outer = [("BleedBox", bleed), ("CropBox", crop), ("MediaBox", media)]
        pairs = [(small, large) for small in inner for large in outer]
        pairs += [(("BleedBox", bleed), outer[2]), (("CropBox", crop), outer[2])]
        for (name, small), (around, large) in pairs:
            if small and large and not is_box_within(small, large, _SLACK_PT):
                yield number, f"the {name} extends beyond the {around}"


def _find_printed_annotations(pdf: OpenPdf) -> Breaches:
    """Report annotations inside the printed area. Trap networks and printer's marks are allowed."""
    for number, page in pdf.pages:
        keep_out = get_box(page.obj, "/BleedBox") or get_box(page.obj, "/TrimBox") or get_box(page.obj, "/ArtBox")
        for annotation in list_members(page.obj, "/Annots"):
            kind, place = get_name(annotation, "/Subtype"), get_box(annotation, "/Rect")
            if kind in {"/TrapNet", "/PrinterMark"} or keep_out is None or place is None:
                continue
            across = place[0] < keep_out[2] and place[2] > keep_out[0]
            if across and place[1] < keep_out[3] and place[3] > keep_out[1]:
                yield number, f"an annotation ({kind[1:] or 'without a kind'}) is inside the printed area"


_DEFINED = (
    "b B b* B* BDC BI BMC BT BX c cm cs CS d d0 d1 Do DP EI EMC ET EX f F f* g G gs h i ID j J k K l m M MP n q Q re "
    "rg RG ri s S sc SC scn SCN sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \""
)
_OPERATORS = {*_DEFINED.split(), "INLINE IMAGE", "PS"}
"""The content operators that PDF 1.4 and 1.6 allow. PS is included because a rule of its own reports it."""


_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")


def _find_postscript(pdf: OpenPdf) -> Breaches:
    for page, name, thing in iter_xobjects(pdf):
        if "/PS" in {get_name(thing, "/Subtype"), get_name(thing, "/Subtype2")}:
            yield page, f"{name} is drawn by PostScript"
    for scope in pdf.scopes:
        if "PS" in scope.content.operators:
            yield scope.page, "content contains PostScript"


def _has_transfer(state: object) -> bool:
    """Return True if a graphics state has a transfer curve other than the default one."""
    curve = get_entry(state, "/TR2")
    return get_entry(state, "/TR") is not None or (curve is not None and get_name(curve) != "/Default")


def _find_halftones(pdf: OpenPdf) -> Breaches:
    for page, name, state in iter_states(pdf):
        if get_entry(state, "/HTP") is not None:
            yield page, f"the graphics state {name} moves the halftone"
        for screen in _iter_screens(get_entry(state, "/HT")):
            if get_number(screen, "/HalftoneType") not in {1.0, 5.0}:
                yield page, f"the graphics state {name} has a halftone that is not of type 1 or 5"
            if get_entry(screen, "/HalftoneName") is not None:
                yield page, f"the graphics state {name} names its halftone"


def _iter_screens(screen: object) -> Iterator[object]:
    """Yield a halftone screen, and for type 5 also the screen of each ink."""
    if screen is None or get_name(screen) == "/Default":
        return
    yield screen
    if get_number(screen, "/HalftoneType") == 5:
        yield from (inner for inner in get_entries(screen).values() if get_entries(inner))


_PLAIN = {"/Normal", "/Compatible"}
_MODES = (
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference "
    "Exclusion Hue Saturation Color Luminosity"
)
_BLENDS = {f"/{name}" for name in _MODES.split()}


def _is_translucent(state: object) -> bool:
    alphas = (get_entry(state, key) for key in ("/ca", "/CA"))
    return any((get_number(alpha) or 0.0) < 1 for alpha in alphas if alpha is not None)


def _find_soft_masks(pdf: OpenPdf) -> Breaches:
    for page, name, state in iter_states(pdf):
        if get_entry(state, "/SMask") is not None and get_name(state, "/SMask") != "/None":
            yield page, f"the graphics state {name} has a soft mask"
    for page, name, thing in iter_xobjects(pdf):
        if get_entry(thing, "/SMask") is not None or (get_number(thing, "/SMaskInData") or 0) > 0:
            yield page, f"the picture {name} has a soft mask"


PDFX_RULES = (
    _each("undamaged", BOTH, _iter_files, lambda pdf: "; ".join(pdf.repairs), "the file is damaged: {1}"),
    _each("encryption", BOTH, _iter_files, lambda pdf: pdf.pdf.is_encrypted, "the file is encrypted", "encryption"),
    _each("file-id", BOTH, _iter_files, _lacks_id, "the file has no ID"),
    _each("version-1.4", _X1A, _iter_files, _is_newer_than(1, 4), "the file is PDF {1}, not 1.4"),
    _each("version-1.6", _X4, _iter_files, _is_newer_than(1, 6), "the file is PDF {1}, not 1.6"),
    _each("object-streams", _X1A, _iter_files, lambda pdf: get_name(pdf.pdf.trailer.get("/Type")) == "/XRef",
          "the file has a cross-reference stream, which PDF 1.4 doesn't support"),
    _each("outside-data", BOTH, _iter_streams, _has("/F"), "object {0} has its data in another file"),
    _each("embedded-files", _X1A, _iter_files, lambda pdf: get_entry(pdf.root, "/Names", "/EmbeddedFiles") is not None,
          "the file has attachments", "scripts"),
    _rule("lzw", BOTH, _find_lzw),
    _each("jbig2", _X1A, _iter_streams, _has_filter("/JBIG2Decode"), "object {0} uses JBIG2 compression"),
    _each("jpeg2000", _X1A, _iter_streams, _has_filter("/JPXDecode"), "object {0} is a JPEG 2000"),
    _each("crypt-filter", BOTH, _iter_streams, _is_encrypted, "object {0} is encrypted separately"),
    _each("no-layers", _X1A, _iter_files, lambda pdf: _has("/OCProperties")(pdf.root), "the file has layers"),
    _rule("layers-stay", _X4, _find_switching_layers),
    _rule("actions", BOTH, _find_actions, "scripts"),
    _rule("viewer-boxes", BOTH, _find_viewer_boxes),
    _each("readable", BOTH, _iter_scopes, lambda scope: scope.content.broken, "content can't be read: {1}", "content"),
    _each("x1a-version", _X1A, _iter_files, lambda pdf: get_text(pdf.info, "/GTS_PDFXVersion") != "PDF/X-1a:2003",
          "the document information doesn't name PDF/X-1a:2003"),
    _each("info-title", _X1A, _iter_files, lambda pdf: not get_text(pdf.info, "/Title").strip(),
          "the document information has no title"),
    _each("info-dates", _X1A,
          lambda pdf: ((0, key, get_text(pdf.info, f"/{key}")) for key in ("CreationDate", "ModDate")),
          lambda date: parse_pdf_date(date) is None, "the document information has no valid {0}"),
    _each("info-trapped", _X1A, _iter_files, lambda pdf: get_name(pdf.info, "/Trapped") not in {"/True", "/False"},
          "the document information doesn't say whether the file is trapped"),
    _each("xmp", _X4, _iter_files, lambda pdf: pdf.metadata is None, "the file has no readable XMP packet"),
    _each("x4-version", _X4, _iter_xmp(_PDFX, "GTS_PDFXVersion"), lambda text: text != "PDF/X-4",
          "the XMP packet doesn't name PDF/X-4"),
    _each("xmp-title", _X4, _iter_xmp(_DC, "title"), _is_blank, "the XMP packet has no {0}"),
    _each("xmp-dates", _X4, _iter_xmp(_XMP, "CreateDate", "ModifyDate", "MetadataDate"),
          lambda date: _parse_moment(date) is None, "the XMP packet has no valid {0}"),
    _each("xmp-identity", _X4, _iter_xmp(_MM, "DocumentID", "VersionID", "RenditionClass"), _is_blank,
          "the XMP packet has no {0}"),
    _each("xmp-trapped", _X4, _iter_xmp(_PDF, "Trapped"), lambda text: text not in {"True", "False"},
          "the XMP packet doesn't say whether the file is trapped"),
    _rule("xmp-agrees", _X4, _find_disagreement),
    _each("output-intent", BOTH, _iter_files, lambda pdf: len(pdf.intents) != 1 and (len(pdf.intents) or "no"),
          "the file has {1} output intents for PDF/X"),
    _each("condition", BOTH, _iter_intents, lambda intent: not get_text(intent, "/OutputConditionIdentifier").strip(),
          "the output intent names no printing condition"),
    _each("condition-known", BOTH, _iter_intents,
          lambda intent: not get_text(intent, "/RegistryName") and not get_text(intent, "/Info"),
          "the output intent neither names a registry nor describes its condition"),
    _each("registered-or-profile", _X1A, _iter_intents,
          lambda intent: get_entry(intent, "/DestOutputProfile") is None and not get_text(intent, "/RegistryName"),
          "the output intent has no profile and names no registry"),
    _each("profile", _X4, _iter_intents, lambda intent: not decode_data(intent, "/DestOutputProfile"),
          "the output intent has no readable profile"),
    _each("profile-kind", BOTH, _iter_files,
          lambda pdf: pdf.profile and (pdf.profile[12:16] != b"prtr" or pdf.profile[16:20] not in _SPACES),
          "the output intent's profile is not for a printing press"),
    _each("profile-cmyk", _X1A, _iter_files, lambda pdf: pdf.profile[16:20] in {b"GRAY", b"RGB "},
          "the output intent's profile is not for CMYK"),
    _each("profile-components", BOTH, _iter_files, _count_missing_components,
          "the output intent's profile doesn't state its {1} colours"),
    _each("profile-age", _X1A, _iter_files, lambda pdf: max(pdf.profile[8:9], default=0) > 2 and pdf.profile[8],
          "the output intent's profile has version {1}, which PDF 1.4 doesn't support"),
    _each("media-box", BOTH, _iter_pages, lambda page: not _has_area(get_box(find_inherited_entry(page, "/MediaBox"))),
          "the page has no MediaBox with an area", "boxes"),
    _rule("trim-or-art", BOTH, _find_missing_trim, "boxes"),
    _rule("boxes-nested", BOTH, _find_boxes_outside, "boxes"),
    _each("not-separated", BOTH, _iter_pages, _has("/SeparationInfo"), "the page is one plate of a separated page"),
    _rule("annotations", BOTH, _find_printed_annotations, "annotations"),
    _each("fonts-embedded", BOTH, iter_descriptors,
          lambda facts: not any(isinstance(get_entry(facts, key), Stream) for key in _PROGRAMS),
          "the font {0} is not embedded", "fonts"),
    _each("no-opentype", _X1A, iter_descriptors, lambda facts: get_name(facts, "/FontFile3", "/Subtype") == "/OpenType",
          "the font {0} is a whole OpenType file, which PDF 1.4 doesn't support"),
    _each("operators", BOTH, lambda pdf: (
        (one.page, repr(name[:20]), name) for one in pdf.scopes for name in sorted(one.content.operators - _OPERATORS)
    ), bool, "content uses the unknown operator {0}", "content"),
    _rule("postscript", BOTH, _find_postscript),
    _each("no-opi", BOTH, iter_xobjects, _has("/OPI"), "{0} is a placeholder for a picture in another file (OPI)"),
    _each("no-references", BOTH, iter_xobjects, _has("/Ref"), "{0} is a placeholder for a page of another file"),
    _each("no-alternates", BOTH, iter_xobjects,
          lambda part: any(get_entry(one, "/DefaultForPrinting") is True for one in list_members(part, "/Alternates")),
          "{0} is replaced by another picture in print"),
    _each("depth-8", _X1A, iter_xobjects, lambda thing: get_number(thing, "/BitsPerComponent") == 16,
          "the picture {0} has 16 bits per colour, which PDF 1.4 doesn't support"),
    _each("no-transfer", BOTH, iter_states, _has_transfer, "the graphics state {0} has a transfer curve"),
    _rule("halftones", BOTH, _find_halftones),
    _rule("printed-colours", _X1A, find_unprinted_colours, "rgb"),
    _rule("device-colours", _X4, find_device_colours, "rgb"),
    _rule("profile-not-twice", _X4, find_repeated_profile),
    _rule("spots-alike", _X4, find_different_spots),
    _each("opaque", _X1A, iter_states, _is_translucent, "the graphics state {0} is transparent", "transparency"),
    _rule("no-soft-masks", _X1A, _find_soft_masks, "transparency"),
    _each("no-blending", _X1A, iter_states,
          lambda state: [mode[1:] or "?" for mode in list_names(state, "/BM")[:1] if mode not in _PLAIN],
          "the graphics state {0} uses the blend mode {1[0]}", "transparency"),
    _each("no-groups", _X1A, _iter_scopes, lambda scope: get_name(scope.source, "/Group", "/S") == "/Transparency",
          "the page or a form on it is a transparency group"),
    _each("blend-modes", _X4,
          lambda pdf: ((page, name, mode) for page, name, one in iter_states(pdf) for mode in list_names(one, "/BM")),
          lambda mode: mode not in _BLENDS and (mode[1:] or "?"), "the graphics state {0} uses the blend mode {1}"),
)  # fmt: skip
"""All rules of PDF/X, in the order of the findings."""
