"""What PDF/X allows although it looks like something forbidden: no rule may find fault with it."""

import zlib

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

_AS_THEY_ARE = {"compress_streams": False, "stream_decode_level": pikepdf.StreamDecodeLevel.none}
_TINT = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 1, 0], N=1)


def _icc(space: bytes, components: int) -> object:
    return lambda pdf: Array([Name.ICCBased, pdf.make_stream(profile(space=space), N=components)])


def _explained(name: str, space: bytes, components: int, content: bytes) -> object:
    """A form in colours that the output intent doesn't explain but the form's resources do."""
    return both(spaces(**{name: _icc(space, components)}), drawn_in_form(content))


def _round_outline(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """An outline that leads nowhere and never ends."""
    entry = pdf.make_indirect(Dictionary(Title=String("x")))
    entry.Next = entry.First = entry
    return pdf.make_indirect(Dictionary(First=entry, Last=entry))


def _inline_spot(pdf: pikepdf.Pdf) -> None:
    """A picture in the form's content, in a colour space that the form's resources name."""
    spaces(Gold=Array([Name.Separation, Name.Gold, Name.DeviceCMYK, _TINT]))(pdf)
    drawn_in_form(b"BI /W 1 /H 1 /CS /Gold /BPC 8 ID a EI")(pdf)


def _split_spot(pdf: pikepdf.Pdf) -> None:
    """A spot colour twice, the way to its alternate once open and once packed."""
    ways = [pdf.make_stream(b"{0 exch 0 exch 0}", Domain=[0, 1], Range=[0, 1] * 4, FunctionType=4) for _ in (1, 2)]
    ways[1].write(zlib.compress(b"{0 exch 0 exch 0}"), filter=Name.FlateDecode, decode_parms=Dictionary(Predictor=1))
    spots = [Array([Name.Separation, Name.Gold, Name.DeviceCMYK, way]) for way in ways]
    spaces(One=spots[0], Two=spots[1])(pdf)


_MODES = (
    "Normal Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue "
    "Saturation Color Luminosity Compatible"
)

_rgb_press = for_press_of(b"RGB ", b"1 0 0 rg 0 g 0 0 9 9 re f")


def _cmyk_form(pdf: pikepdf.Pdf) -> None:
    """The second page's form, in CMYK that its resources explain."""
    form = pdf.make_stream(b"0 0 0 1 k", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 1, 1]))
    page(pdf).Resources.XObject = Dictionary(Form=form)
    form.Resources = Dictionary()
    _explained("DefaultCMYK", b"CMYK", 4, b"0 0 0 1 k")(pdf)


HARMLESS = (
    Planting("grey", drawn(b"0.5 g /DeviceGray cs")),
    Planting("cmyk by name", drawn(b"/DeviceCMYK CS 0 0 0 1 SC")),
    Planting("a pattern", drawn(b"/Pattern cs")),
    Planting("a spot of another name", spaces(One=Array([Name.Separation, Name.Gold, Name.DeviceCMYK, _TINT]))),
    Planting("several inks", spaces(One=Array([Name.DeviceN, Array([Name.Gold]), Name.DeviceGray, _TINT]))),
    Planting("a table of colours", spaces(One=Array([Name.Indexed, Name.DeviceCMYK, 0, String("abcd")]))),
    Planting("an inline picture", drawn(b"BI /W 1 /H 1 /CS /CMYK /BPC 8 ID abcd EI")),
    Planting("an inline picture in a spot colour", _inline_spot),
    Planting("a stencil", drawn(b"BI /W 1 /H 1 /IM true ID \0 EI")),
    Planting("rgb on a press of rgb", _rgb_press, standards=ONLY_X4),
    Planting("grey on a press of black", for_press_of(b"GRAY", b"0 g 0 0 9 9 re f"), standards=ONLY_X4),
    Planting("rgb explained", _explained("DefaultRGB", b"RGB ", 3, b"1 0 0 rg"), standards=ONLY_X4),
    Planting("cmyk explained", both(_rgb_press, _cmyk_form), standards=ONLY_X4),
    Planting("rgb by profile", put(picture, ColorSpace=_icc(b"RGB ", 3)), standards=ONLY_X4),
    Planting("lab", spaces(One=Array([Name.Lab, Dictionary(WhitePoint=[1, 1, 1])])), standards=ONLY_X4),
    Planting(
        "two spots", spaces(One=Array([Name.Separation, Name.Gold, Name.DeviceCMYK, separation((0, 1, 0, 0))[3]]))
    ),
    Planting("a spot in two objects", _split_spot, saved=_AS_THEY_ARE),
    *(Planting(f"blending by {mode}", state(BM=Name(f"/{mode}")), standards=ONLY_X4) for mode in _MODES.split()),
    Planting("opaque", state(ca=1, CA=1.0, SMask=Name("/None"), BM=Name.Normal)),
    Planting("no masks", state(SMask=Name("/None"))),
    Planting("no mask within", put(picture, SMaskInData=0)),
    Planting("old name of normal", state(BM=Array([Name.Compatible, Name.Multiply]))),
    Planting("translucent", state(ca=0.5, CA=0.5, BM=Name.Multiply, SMask=Dictionary(S=Name.Alpha)), standards=ONLY_X4),
    Planting("a picture with a mask", put(picture, SMask=stream(b"\0")), standards=ONLY_X4),
    Planting("a group", put(form, Group=Dictionary(S=Name.Transparency, CS=Name.DeviceCMYK)), standards=ONLY_X4),
    Planting("16 bits", put(picture, BitsPerComponent=16), standards=ONLY_X4),
    Planting("layers", catalog(OCProperties=Dictionary(OCGs=Array([]), D=Dictionary())), standards=ONLY_X4),
    Planting(
        "other layers", catalog(OCProperties=Dictionary(Configs=Array([Dictionary(Name=String("x"))]))), 0, ONLY_X4
    ),
    Planting("default curve", state(TR2=Name.Default)),
    Planting("a screen", state(HT=Dictionary(HalftoneType=1))),
    Planting("the press's screen", state(HT=Name.Default)),
    Planting("screens by ink", state(HT=Dictionary(HalftoneType=5, Default=Dictionary(HalftoneType=1)))),
    Planting("an alternate for screens", put(picture, Alternates=Array([Dictionary(DefaultForPrinting=False)]))),
    Planting("a Type 1 font", put(descriptor, FontFile2=None, FontFile=stream(b"x"))),
    Planting("a bare CFF font", put(descriptor, FontFile2=None, FontFile3=stream(b"x", Subtype=Name.CIDFontType0C))),
    Planting("a drawn font", resource("Font", lambda pdf: Dictionary(Subtype=Name.Type3, CharProcs=Dictionary()))),
    *(
        Planting(f"a link {where} what is printed", put(page, Annots=Array([link(**{"/Rect": Array(rect)})])))
        for where, rect in (
            ("left of", [0, 50, 12, 60]),
            ("right of", [288, 50, 300, 60]),
            ("below", [50, 0, 60, 12]),
            ("above", [50, 388, 60, 400]),
        )
    ),
    Planting("traps", put(page, Annots=Array([link(**{"/Subtype": Name.TrapNet})]))),
    Planting("printers' marks", put(page, Annots=Array([link(**{"/Subtype": Name.PrinterMark})]))),
    Planting("opens at a page", catalog(OpenAction=Array([0, Name.Fit]))),
    Planting("an outline", catalog(Outlines=_round_outline)),
    Planting("viewers' other wishes", catalog(ViewerPreferences=Dictionary(PrintClip=Name.BleedBox, HideMenubar=True))),
    Planting("rounding", put(page, BleedBox=Array([20.005, 12, 288, 388]))),
    Planting("no bleed", put(page, BleedBox=None)),
    Planting("a crop around the bleed", put(page, CropBox=Array([12, 12, 288, 388]))),
    Planting("art instead of trim", put(page, TrimBox=None, ArtBox=Array([20, 20, 280, 380]))),
    Planting("a described condition", put(intent, RegistryName=None), standards=ONLY_X4),
    Planting("a registered condition without words", put(intent, Info=None)),
    Planting("a profile instead of the registry", both(icc(), put(intent, RegistryName=None)), standards=ONLY_X1A),
    Planting("an operator without its name", drawn(b"cs")),
    Planting("trapped", said(Trapped=Name("/True")), standards=ONLY_X1A),
    Planting(
        "dates without seconds", said(ModDate=String("D:2026013112Z"), CreationDate=String("D:2026")), 0, ONLY_X1A
    ),
    Planting("a profile besides the registry", icc(), standards=ONLY_X1A),
    Planting("a profile of version 4", icc(version=4), standards=ONLY_X4),
    Planting(
        "a filter that encrypts nothing",
        put(picture, Filter=Name.Krypt, DecodeParms=Dictionary(Name=Name.Identity)),
        bytes_changed=(b"/Krypt", b"/Crypt"),
    ),
)
"""Changes that break no rule; `rule` says what each is."""
