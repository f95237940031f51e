"""At least one planted fault for each rule of PDF/X, in a file that breaks no other."""

import pikepdf
from pdfx_cases import (
    ONLY_X1A,
    ONLY_X4,
    Planting,
    both,
    catalog,
    descriptor,
    drawn,
    drawn_in_form,
    for_press_of,
    form,
    icc,
    intent,
    link,
    packet,
    page,
    picture,
    profile,
    put,
    resource,
    said,
    separation,
    spaces,
    state,
    stream,
)
from pikepdf import Array, Dictionary, Name, String

_LZW = {"Filter": Name.LZWDecode}
_ACTION = Dictionary(S=Name.URI, URI=String("x"))
_SCRIPT = Dictionary(JavaScript=Dictionary(Names=Array([])))
_NO_PASSWORD = pikepdf.Encryption(owner="o", user="", R=3, aes=False, metadata=False)
_ICC_GRAY = stream(profile(space=b"GRAY"), N=1)


def _array(*members: object) -> object:
    """An array whose callable members are made in the file."""
    return lambda pdf: Array([member(pdf) if callable(member) else member for member in members])


def _outline(pdf: pikepdf.Pdf) -> None:
    second = pdf.make_indirect(Dictionary(Title=String("b"), A=_ACTION))
    first = pdf.make_indirect(Dictionary(Title=String("a"), Next=second))
    pdf.Root.Outlines = Dictionary(First=first, Last=second)


def _deep_outline(pdf: pikepdf.Pdf) -> None:
    """An outline whose first entry has one below it that acts."""
    below = pdf.make_indirect(Dictionary(Title=String("b"), A=_ACTION))
    first = pdf.make_indirect(Dictionary(Title=String("a"), First=below, Last=below))
    pdf.Root.Outlines = Dictionary(First=first, Last=first)


FILE = (
    Planting("undamaged", bytes_changed=(b"startxref", b"startxxxx")),
    Planting("undamaged", put(page, MediaBox=None)),
    Planting("encryption", saved={"encryption": _NO_PASSWORD}),
    Planting("file-id", bytes_changed=(b"/ID [", b"/Xx [")),
    Planting("version-1.4", saved={"force_version": "1.5"}, standards=ONLY_X1A),
    Planting("version-1.4", catalog(Version=Name("/1.6")), standards=ONLY_X1A),
    Planting("version-1.6", saved={"force_version": "1.7"}, standards=ONLY_X4),
    Planting(
        "object-streams",
        saved={"object_stream_mode": pikepdf.ObjectStreamMode.generate},
        bytes_changed=(b"%PDF-1.5", b"%PDF-1.4"),
        standards=ONLY_X1A,
    ),
    Planting("outside-data", put(picture, F=String("elsewhere.jpg"))),
    Planting("embedded-files", catalog(Names=Dictionary(EmbeddedFiles=Dictionary())), standards=ONLY_X1A),
    Planting("lzw", put(picture, **_LZW)),
    Planting("lzw", drawn(b"BI /W 1 /H 1 /IM true /F /LZW ID \0 EI"), page=2),
    Planting("jbig2", put(picture, Filter=Name.JBIG2Decode), standards=ONLY_X1A),
    Planting("jpeg2000", put(picture, Filter=Name.JPXDecode), standards=ONLY_X1A),
    Planting(
        "crypt-filter",
        put(picture, Filter=Name.Krypt, DecodeParms=Dictionary(Name=Name.Secret)),
        bytes_changed=(b"/Krypt", b"/Crypt"),  # pikepdf itself takes such filters away
    ),
    Planting("no-layers", catalog(OCProperties=Dictionary(OCGs=Array([]), D=Dictionary())), standards=ONLY_X1A),
    Planting("layers-stay", catalog(OCProperties=Dictionary(D=Dictionary(AS=Array([])))), standards=ONLY_X4),
    Planting(
        "layers-stay",
        catalog(OCProperties=Dictionary(D=Dictionary(), Configs=Array([Dictionary()]))),
        standards=ONLY_X4,
    ),
    Planting("actions", catalog(OpenAction=_ACTION)),
    Planting("actions", catalog(AA=Dictionary(WC=_ACTION))),
    Planting("actions", catalog(Names=_SCRIPT)),
    Planting("actions", put(page, AA=Dictionary(O=_ACTION)), page=2),
    Planting("actions", put(page, Annots=Array([link(**{"/A": _ACTION, "/Rect": Array([0, 0, 5, 5])})])), page=2),
    Planting("actions", put(page, Annots=Array([link(**{"/AA": _ACTION, "/Rect": Array([0, 0, 5, 5])})])), page=2),
    Planting("actions", _outline),
    Planting("actions", _deep_outline),
    *(
        Planting("viewer-boxes", catalog(ViewerPreferences=Dictionary({key: Name.TrimBox})))
        for key in ("/ViewArea", "/ViewClip", "/PrintArea", "/PrintClip")
    ),
    Planting("readable", drawn_in_form(b"BI /W ID 1 EI"), page=2),
    Planting("readable", drawn(b"BI /W ID 1 EI"), page=2),
)


_TEXTS = ("Author", "Subject", "Creator", "Producer", "Keywords")

SAID = (
    Planting("x1a-version", said(GTS_PDFXVersion=String("PDF/X-3:2003")), standards=ONLY_X1A),
    Planting("info-title", said(Title=String(" ")), standards=ONLY_X1A),
    Planting("info-dates", said(ModDate=String("yesterday")), standards=ONLY_X1A),
    Planting("info-dates", said(CreationDate=String("D:20260231")), standards=ONLY_X1A),
    Planting("info-trapped", said(Trapped=Name.Unknown), standards=ONLY_X1A),
    Planting("xmp", catalog(Metadata=None), standards=ONLY_X4),
    Planting("xmp", packet("</rdf:RDF>", ""), standards=ONLY_X4),
    Planting("x4-version", packet("PDF/X-4<", "PDF/X-3<"), standards=ONLY_X4),
    Planting("xmp-title", lambda pdf: (_untitled(pdf), packet("見本 &amp; sample", "")(pdf)), standards=ONLY_X4),
    Planting("xmp-dates", packet("MetadataDate>2", "MetadataDate>x"), standards=ONLY_X4),
    Planting("xmp-identity", packet("RenditionClass>default", "RenditionClass>"), standards=ONLY_X4),
    Planting("xmp-trapped", packet("Trapped>False", "Trapped>Unknown"), standards=ONLY_X4),
    Planting("xmp-agrees", said(Title=String("another")), standards=ONLY_X4),
    Planting("xmp-agrees", said(ModDate=String("D:20260101")), standards=ONLY_X4),
    Planting("xmp-agrees", said(Trapped=Name("/True")), standards=ONLY_X4),
    Planting("xmp-agrees", said(CreationDate=String("D:20260101")), standards=ONLY_X4),
    Planting("xmp-agrees", said(CreationDate=String("yesterday")), standards=ONLY_X4),
    *(Planting("xmp-agrees", said(**{key: String("another")}), standards=ONLY_X4) for key in _TEXTS),
    Planting("output-intent", catalog(OutputIntents=None)),
    Planting("output-intent", lambda pdf: pdf.Root.OutputIntents.append(intent(pdf))),
    Planting("condition", put(intent, OutputConditionIdentifier=String(""))),
    Planting("condition-known", put(intent, RegistryName=None, Info=None), standards=ONLY_X4),
    Planting("registered-or-profile", put(intent, RegistryName=None), standards=ONLY_X1A),
    Planting("profile", put(intent, DestOutputProfile=None), standards=ONLY_X4),
    Planting("profile-kind", icc(kind=b"scnr")),
    Planting("profile-kind", icc(space=b"Lab ")),
    Planting("profile-cmyk", icc(space=b"GRAY"), standards=ONLY_X1A),
    Planting("profile-components", lambda pdf: (icc()(pdf), intent(pdf).DestOutputProfile.__setitem__("/N", 3))),
    Planting("profile-age", icc(version=4), standards=ONLY_X1A),
)


def _untitled(pdf: pikepdf.Pdf) -> None:
    del pdf.trailer.Info["/Title"]


PAGES = (
    Planting("media-box", put(page, MediaBox=Array([0, 0, 0, 400])), page=2),
    Planting("media-box", put(page, MediaBox=Array([0, 0, 300, 0])), page=2),
    Planting("trim-or-art", put(page, TrimBox=None), page=2),
    Planting("trim-or-art", put(page, TrimBox=Array([20, Name.x, 280, 380])), page=2),
    Planting("trim-or-art", put(page, TrimBox=Array([20, 20, 280, 380, Name.x])), page=2),
    Planting("trim-or-art", put(page, ArtBox=Array([20, 20, 280, 380])), page=2),
    Planting("boxes-nested", put(page, BleedBox=Array([25, 12, 288, 388])), page=2),
    Planting("boxes-nested", put(page, BleedBox=Array([12, 12, 301, 388])), page=2),
    Planting("boxes-nested", put(page, CropBox=Array([30, 30, 250, 350])), page=2),
    Planting("not-separated", put(page, SeparationInfo=Dictionary(DeviceColorant=Name.Cyan)), page=2),
    Planting("annotations", put(page, Annots=Array([link()])), page=2),
    Planting("annotations", put(page, Annots=Array([link(**{"/Rect": Array([0, 0, 13, 13])})])), page=2),
)


def _tree(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return pdf.Root.Pages


def _first(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return pdf.pages[0].obj


_WITHIN = Array([link(**{"/Rect": Array([13, 13, 21, 21])})])
_PAPER = Array([0, 0, 300, 400])
_NARROW = Array([30, 30, 250, 350])
_TRIM = Array([20, 20, 280, 380])
PAGES += (
    Planting("annotations", put(page, Annots=_WITHIN, BleedBox=None), page=2),
    Planting("annotations", put(page, Annots=_WITHIN, BleedBox=None, TrimBox=None, ArtBox=_TRIM), page=2),
    Planting("boxes-nested", both(put(_tree, CropBox=_NARROW), put(_first, CropBox=_PAPER)), page=2),
)


def _composite(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """A font of many characters that is only named."""
    named = Dictionary(Subtype=Name.CIDFontType2, FontDescriptor=Dictionary(FontName=Name.Ryumin))
    return Dictionary(Subtype=Name.Type0, BaseFont=Name.Ryumin, DescendantFonts=Array([named]))


CONTENT = (
    Planting("fonts-embedded", put(descriptor, FontFile2=None), page=2),
    Planting("fonts-embedded", resource("Font", lambda pdf: Dictionary(Subtype=Name.Type1)), page=2),
    Planting("fonts-embedded", resource("Font", _composite), page=2),
    Planting("no-opentype", put(descriptor, FontFile3=stream(b"x", Subtype=Name.OpenType)), 2, ONLY_X1A),
    Planting("operators", drawn(b"1 frobnicate"), page=2),
    Planting("operators", drawn_in_form(b"BX 1 frobnicate EX"), page=2),
    Planting("postscript", put(form, Subtype2=Name.PS), page=2),
    Planting("postscript", put(form, Subtype=Name.PS), page=2),
    Planting("postscript", drawn(b"(showpage) PS"), page=2),
    Planting("no-opi", put(picture, OPI=Dictionary()), page=2),
    Planting("no-references", put(form, Ref=Dictionary(F=String("x.pdf"), Page=0)), page=2),
    Planting("no-alternates", put(picture, Alternates=Array([Dictionary(DefaultForPrinting=True)])), page=2),
    Planting("depth-8", put(picture, BitsPerComponent=16), 2, ONLY_X1A),
    Planting("no-transfer", state(TR=Name.Identity), page=2),
    Planting("no-transfer", state(TR2=Name.Identity), page=2),
    Planting("no-transfer", state(TR2=stream(b"{}", FunctionType=4)), page=2),
    Planting("halftones", state(HT=Dictionary(HalftoneType=6)), page=2),
    Planting("halftones", state(HT=Dictionary(HalftoneType=1, HalftoneName=String("round"))), page=2),
    Planting("halftones", state(HT=Dictionary(HalftoneType=5, Cyan=Dictionary(HalftoneType=10))), page=2),
    Planting("halftones", state(HTP=Array([0, 0])), page=2),
)

_SHADING = Dictionary(ShadingType=2, ColorSpace=Name.DeviceRGB)
_RED = b"1 0 0 rg 0 0 1 1 re f"


def _spot_on(alternate: Name) -> Array:
    return Array([Name.Separation, Name.Gold, alternate, Dictionary(FunctionType=2, N=1)])


def _inks_on(alternate: Name) -> Array:
    return Array([Name.DeviceN, Array([Name.Gold, Name.Silver]), alternate, Dictionary(FunctionType=4)])


def _tile(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return pdf.make_stream(_RED, PatternType=1, PaintType=1)


def _drawn_font(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """A font with one character, which is drawn in red."""
    return Dictionary(Subtype=Name.Type3, CharProcs=Dictionary(a=pdf.make_stream(b"1 0 d0 " + _RED)))


_LAB = Dictionary(ColorSpace=Dictionary(One=Array([Name.Lab, Dictionary(WhitePoint=[1, 1, 1])])))


def _font_with_colours(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """A font with one character, which has a colour space of the font's own at hand."""
    return Dictionary(Subtype=Name.Type3, CharProcs=Dictionary(a=pdf.make_stream(b"1 0 d0")), Resources=_LAB)


def _looking(pdf: pikepdf.Pdf) -> pikepdf.Object:
    look = Dictionary(N=Dictionary(On=pdf.make_stream(_RED, Subtype=Name.Form)))
    return Array([Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=[0, 0, 5, 5], AP=look)])


def _mask(pdf: pikepdf.Pdf) -> pikepdf.Object:
    return Dictionary(S=Name.Luminosity, G=pdf.make_stream(_RED, Subtype=Name.Form))


COLOURS = (
    Planting("printed-colours", drawn(b"1 0 0 rg"), 2, ONLY_X1A),
    Planting("printed-colours", drawn(b"/DeviceRGB CS"), 2, ONLY_X1A),
    Planting("printed-colours", drawn_in_form(b"1 0 0 RG"), 2, ONLY_X1A),
    Planting("printed-colours", put(picture, ColorSpace=Name.DeviceRGB), 2, ONLY_X1A),
    Planting("printed-colours", put(picture, ColorSpace=_array(Name.ICCBased, _ICC_GRAY)), 2, ONLY_X1A),
    Planting("printed-colours", spaces(One=Array([Name.CalGray, Dictionary(WhitePoint=[1, 1, 1])])), 2, ONLY_X1A),
    Planting("printed-colours", spaces(One=Array([Name.Indexed, Name.DeviceRGB, 0, String("abc")])), 2, ONLY_X1A),
    Planting("printed-colours", spaces(One=_spot_on(Name.DeviceRGB)), 2, ONLY_X1A),
    Planting("printed-colours", spaces(One=_inks_on(Name.DeviceRGB)), 2, ONLY_X1A),
    Planting("printed-colours", spaces(One=Array([Name.Pattern, Name.DeviceRGB])), 2, ONLY_X1A),
    Planting("printed-colours", resource("Shading", lambda pdf: _SHADING), 2, ONLY_X1A),
    Planting(
        "printed-colours", resource("Pattern", lambda pdf: Dictionary(PatternType=2, Shading=_SHADING)), 2, ONLY_X1A
    ),
    Planting("printed-colours", resource("Pattern", _tile), 2, ONLY_X1A),
    Planting("printed-colours", resource("Font", _drawn_font), 2, ONLY_X1A),
    Planting("printed-colours", resource("Font", _font_with_colours), 2, ONLY_X1A),
    Planting("printed-colours", both(put(_tree, Resources=_LAB), put(page, Resources=None)), 2, ONLY_X1A),
    Planting("printed-colours", put(page, Annots=_looking), 2, ONLY_X1A),
    Planting("printed-colours", drawn(b"BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI"), 2, ONLY_X1A),
    Planting("device-colours", drawn(b"1 0 0 rg"), 2, ONLY_X4),
    Planting("device-colours", drawn_in_form(b"1 0 0 RG"), 2, ONLY_X4),
    Planting("device-colours", both(for_press_of(b"RGB ", b"0 g"), drawn(b"0 0 0 1 k")), 2, ONLY_X4),
    Planting("device-colours", both(for_press_of(b"GRAY", b"0 g"), drawn(b"0 0 0 1 K")), 2, ONLY_X4),
    Planting("device-colours", put(picture, ColorSpace=Name.DeviceRGB), 2, ONLY_X4),
    Planting("device-colours", state(SMask=_mask), 2, ONLY_X4),
    Planting("device-colours", drawn(b"BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI"), 2, ONLY_X4),
    Planting("device-colours", put(page, Group=Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)), 2, ONLY_X4),
    Planting("profile-not-twice", spaces(One=_array(Name.ICCBased, stream(profile(), N=4))), 2, ONLY_X4),
    Planting("spots-alike", spaces(One=separation((0, 1, 0, 0))), 2, ONLY_X4),
)

TRANSPARENCY = (
    Planting("opaque", state(ca=0.5), 2, ONLY_X1A),
    Planting("opaque", state(CA=0.5), 2, ONLY_X1A),
    Planting("opaque", state(ca=0), 2, ONLY_X1A),
    Planting("opaque", state(ca=Name.x), 2, ONLY_X1A),
    Planting("no-soft-masks", state(SMask=Dictionary(S=Name.Alpha)), 2, ONLY_X1A),
    Planting("no-soft-masks", put(picture, SMaskInData=1), 2, ONLY_X1A),
    Planting("no-soft-masks", put(picture, SMask=stream(b"\0")), 2, ONLY_X1A),
    Planting("no-blending", state(BM=Name.Multiply), 2, ONLY_X1A),
    Planting("no-blending", state(BM=Array([Name.Multiply, Name.Normal])), 2, ONLY_X1A),
    Planting("no-groups", put(page, Group=Dictionary(S=Name.Transparency)), 2, ONLY_X1A),
    Planting("no-groups", put(form, Group=Dictionary(S=Name.Transparency)), 2, ONLY_X1A),
    Planting("blend-modes", state(BM=Name.Frobnicate), 2, ONLY_X4),
)

PLANTINGS = (*FILE, *SAID, *PAGES, *CONTENT, *COLOURS, *TRANSPARENCY)
"""Every planted fault, each for one rule."""

CASES = [(planting, standard) for planting in PLANTINGS for standard in planting.standards]

IDS = [f"{planting.rule}-{standard}" for planting, standard in CASES]
