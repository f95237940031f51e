"""Faults, each planted alone in a deck without any: what spoils it, and what must be found where."""

from collections.abc import Callable
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, String
from preflight_samples import MM, Card, Change, Draw, added, plain

from generator.base.geometry import Size
from generator.game.presets import Product
from generator.production.preflight.inspection import GENERAL, PreflightRules


@dataclass(frozen=True)
class Planting:
    """A fault: how it is planted, under which rules, and what is found: check, severity, page, place, words."""

    name: str
    check: str
    severity: str
    page: int
    at: tuple[float, float] | None
    words: str
    draw: Draw | None = None
    change: Change | None = None
    rules: PreflightRules = GENERAL
    pages: int = 2


def _set(key: str, value: object) -> Change:
    return lambda pdf: pdf.pages[1].obj.__setitem__(key, value)


def _root(key: str, value: object) -> Change:
    return lambda pdf: pdf.Root.__setitem__(key, value)


def _larger(pdf: pikepdf.Pdf) -> None:
    """A page whose cut, bleed and paper are 10 mm higher than the first page's, and full of ground."""
    page = pdf.pages[1].obj
    for key in ("/MediaBox", "/BleedBox", "/TrimBox"):
        page[key] = Array([*list(page[key])[:3], float(page[key][3]) + 10 * MM])
    page.Contents = pdf.make_stream(b"0.1 0.1 0.3 0 k -999 -999 9999 9999 re f")


def _covered(x: float, y: float, width: float, height: float) -> Draw:
    return lambda card: card.box(x, y, width, height, (0, 0, 0, 0))


def _state(entries: str, operators: str) -> Change:
    """Operators of the second page under a graphics state."""

    def change(pdf: pikepdf.Pdf) -> None:
        state = pikepdf.Object.parse(entries.encode())
        pdf.pages[1].obj.Resources["/ExtGState"] = Dictionary(Planted=state)
        added(f"q /Planted gs {operators} Q")(pdf)

    return change


def _layer_off(pdf: pikepdf.Pdf) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("notes")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    pdf.pages[1].obj.Resources["/Properties"] = Dictionary(Planted=layer)
    added(f"/OC /Planted BDC {_BOX} EMC")(pdf)


def _spots(*names: str) -> Change:
    """A little box in each of these spot colours."""

    def change(pdf: pikepdf.Pdf) -> None:
        spaces, shown = Dictionary(), []
        tint = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 1, 0], N=1)
        for number, name in enumerate(names):
            spaces[f"/Spot{number}"] = Array([Name.Separation, Name(f"/{name}"), Name.DeviceCMYK, tint])
            shown.append(f"/Spot{number} cs 1 scn {(20 + 10 * number) * MM} {20 * MM} {5 * MM} {5 * MM} re f")
        pdf.pages[1].obj.Resources["/ColorSpace"] = spaces
        added(" ".join(shown))(pdf)

    return change


def _font(entries: dict[str, object], show: str) -> Change:
    """Type in a font of the file's own, its baseline 20 mm from the left and 17 mm from the foot of the trim."""

    def change(pdf: pikepdf.Pdf) -> None:
        fonts = pdf.pages[1].obj.Resources.Font
        fonts["/Planted"] = pdf.make_indirect(Dictionary({"/Type": Name.Font, **entries}))
        added(f"BT 0 0 0 1 k /Planted 9 Tf {23 * MM} {20 * MM} Td {show} Tj ET")(pdf)

    return change


def _type3(pdf: pikepdf.Pdf) -> None:
    glyph = pdf.make_stream(b"700 0 0 0 700 700 d1 0 0 700 700 re f")
    entries: dict[str, object] = {
        "/Subtype": Name.Type3, "/FontBBox": [0, 0, 750, 750], "/FontMatrix": Array([0.001, 0, 0, 0.001, 0, 0]),
        "/CharProcs": Dictionary(box=glyph), "/Encoding": Dictionary(Type=Name.Encoding, Differences=[97, Name.box]),
        "/FirstChar": 97, "/LastChar": 97, "/Widths": [700],
    }  # fmt: skip
    _font(entries, "(a)")(pdf)


def _programs(pdf: pikepdf.Pdf) -> list[pikepdf.Object]:
    return [thing.FontFile2 for thing in pdf.objects if isinstance(thing, Dictionary) and "/FontFile2" in thing]


def _composite(pdf: pikepdf.Pdf) -> None:
    """Glyph 0 of a font by glyph numbers."""
    inner = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.ABCDEFPlanted,
        FontDescriptor=Dictionary(Type=Name.FontDescriptor, FontFile2=_programs(pdf)[0]), DW=600,
    )  # fmt: skip
    entries: dict[str, object] = {
        "/Subtype": Name.Type0, "/BaseFont": Name.ABCDEFPlanted, "/Encoding": Name("/Identity-H"),
        "/DescendantFonts": Array([pdf.make_indirect(inner)]),
    }  # fmt: skip
    _font(entries, "<000300000005>")(pdf)


def _axes(pdf: pikepdf.Pdf) -> None:
    """Call a table of each embedded font program `fvar`."""
    for program in _programs(pdf):
        data = bytearray(program.read_bytes())
        data[12 : 12 + 4] = b"fvar"
        program.write(bytes(data))


def _annotation(pdf: pikepdf.Pdf) -> None:
    note = Dictionary(
        Type=Name.Annot, Subtype=Name.Text, Contents=String("?"), Rect=[23 * MM, 71 * MM, 30 * MM, 78 * MM]
    )
    pdf.pages[1].obj.Annots = Array([pdf.make_indirect(note)])


def _self_drawn(pdf: pikepdf.Pdf) -> None:
    form = pdf.make_stream(b"/Self Do")
    form.update({"/Type": Name.XObject, "/Subtype": Name.Form, "/BBox": Array([0, 0, 9, 9])})
    form["/Resources"] = Dictionary(XObject=Dictionary(Self=form))
    pdf.pages[1].obj.Resources.XObject["/Planted"] = form
    added("/Planted Do")(pdf)


def _bitmap(pdf: pikepdf.Pdf) -> None:
    """One bit a pixel, 10 mm wide."""
    image = pdf.make_stream(b"\xaa" * 1300)
    entries = {"/Subtype": Name.Image, "/Width": 100, "/Height": 100, "/BitsPerComponent": 1, "/ColorSpace": Name.DeviceGray}  # fmt: skip
    image.update(entries)
    pdf.pages[1].obj.Resources.XObject["/Planted"] = image
    added(f"q {10 * MM} 0 0 {10 * MM} {23 * MM} {15 * MM} cm /Planted Do Q")(pdf)


def _scaled_type(pdf: pikepdf.Pdf) -> None:
    """The deck's own font in a size of 1, four times as large by its matrix."""
    name = next(name for name, font in pdf.pages[1].obj.Resources.Font.items() if font.Subtype == "/TrueType")
    added(f"BT 0 0 0 1 k {name} 1 Tf 4 0 0 4 {23 * MM} {21 * MM} Tm (\001\002) Tj ET")(pdf)


def _rgb_type(card: Card) -> None:
    card.canvas.setFillColorRGB(0.5, 0, 0)
    card.canvas.drawString(card.x(20), card.y(70), "Red")


def _mixed(pdf: pikepdf.Pdf) -> None:
    pdf.Root.OutputIntents[0].DestOutputProfile["/N"] = 3
    added(f"0.5 0 0 rg {23 * MM} {21 * MM} {5 * MM} {5 * MM} re f")(pdf)


POKER = Product("poker", "Poker card", Size(63.5, 88.9), Size(69.85, 95.25), 3.0)
JAPANESE = Product("small", "Small card", Size(63, 88), Size(69, 94), 3.0)


def _shop(**more: object) -> PreflightRules:
    return PreflightRules(name="shop", shop=True, cmyk=True, **more)  # type: ignore[arg-type]


_BOX = (
    f"{23 * MM} {21 * MM} {5 * MM} {5 * MM} re f"  # its upper left corner is 20 mm right of and 65 mm below the trim's
)

_R: Callable[..., Planting] = Planting

PLANTINGS = (
    _R("no trim", "boxes", "warning", 2, None, "no TrimBox",
       change=lambda pdf: pdf.pages[1].obj.__delitem__("/TrimBox")),
    _R("trim beyond bleed", "boxes", "error", 2, None, "the TrimBox extends beyond the BleedBox",
       change=_set("/BleedBox", Array([20, 20, 100, 100]))),
    _R("bleed beyond paper", "boxes", "error", 2, None, "the BleedBox extends beyond the MediaBox",
       change=_set("/BleedBox", Array([-20, 0, 300, 300]))),
    _R("trim cropped away", "boxes", "warning", 2, None, "the TrimBox extends beyond the CropBox",
       change=_set("/CropBox", Array([20, 20, 100, 100]))),
    _R("trim of no size", "boxes", "error", 2, None, "the TrimBox has no area",
       change=_set("/TrimBox", Array([20, 20, 20, 100]))),
    _R("trim of three numbers", "boxes", "error", 2, None, "the TrimBox is not a valid box",
       change=_set("/TrimBox", Array([0, 0, 100]))),
    _R("no bleed by its box", "boxes", "warning", 2, None, "the BleedBox equals the TrimBox",
       change=lambda pdf: _set("/BleedBox", pdf.pages[1].obj.TrimBox)(pdf)),
    _R("no bleed by its box for a shop", "boxes", "error", 2, None, "the BleedBox equals the TrimBox",
       change=lambda pdf: _set("/BleedBox", pdf.pages[1].obj.TrimBox)(pdf), rules=_shop()),
    _R("turned", "boxes", "note", 1, None, "rotated by 180 degrees", pages=1,
       change=lambda pdf: pdf.pages[0].obj.__setitem__("/Rotate", 180)),
    _R("turned for a shop", "boxes", "warning", 2, None, "rotated by 180 degrees", change=_set("/Rotate", 180),
       rules=_shop()),
    _R("invisible type", "content", "warning", 2, None, "invisible type", draw=lambda c: c.unseen(20, 70)),
    _R("white type on paper", "content", "warning", 2, (20, 67.5), "white type on bare paper",
       draw=lambda c: (c.box(18, 60, 30, 20, (0, 0, 0, 0)), c.text(20, 70, cmyk=(0, 0, 0, 0)))),
    _R("layer that is off", "content", "warning", 2, None, "content on a hidden layer", change=_layer_off),
    _R("transfer curve", "content", "warning", 2, None, "a transfer curve",
       change=_state("<</TR <</FunctionType 2 /N 2 /Domain [0 1]>>>>", "")),
    _R("white hairline", "hairlines", "warning", 2, (20, 35), "a white line of 0.10 pt, which ink may fill",
       change=added(f"0 0 0 0 K 0.1 w {23 * MM} {56 * MM} m {43 * MM} {56 * MM} l S")),
    _R("small type in four inks", "rich-black-type", "warning", 2, (20, 68.5), "5.0 pt in 4 inks (C54 M55 Y78 K33)",
       lambda c: c.text(20, 70, size=5, cmyk=(0.54, 0.55, 0.78, 0.33))),
    _R("small type in two inks", "rich-black-type", "note", 2, (20, 68.5), "5.0 pt in 2 inks (C80 M60 Y0 K0)",
       lambda c: c.text(20, 70, size=5, cmyk=(0.8, 0.6, 0, 0))),
    _R("is transparent at home", "transparency", "note", 2, (20, 65), "an area is transparent",
       change=_state("<</ca 0.5>>", f"0 0.5 0 0 k {_BOX}")),
    _R("spot ink at home", "spots", "note", 2, (17, 66), "the spot colour 'Gold' needs a separate plate",
       change=_spots("Gold")),
    _R("two sizes", "sizes", "warning", 0, None, "2 sizes: 63 x 88 mm (page 1), 63 x 98 mm (page 2)", change=_larger),
    _R("odd deck", "count", "error", 0, None, "3 pages", pages=3, rules=_shop(alternating=True)),
    _R("odd duplex", "count", "note", 0, None, "3 pages", pages=3,
       change=_root("/ViewerPreferences", Dictionary(Duplex=Name.DuplexFlipLongEdge))),
    _R("not the shop's size", "size", "error", 1, None, "has no product of 63.0 x 88.0 mm", pages=1,
       rules=_shop(products=(POKER,))),
    _R("paper around", "size", "error", 2, None, "the page is 79.6 x 104.6 mm, not 69.0 x 94.0 mm with bleed",
       change=_set("/MediaBox", Array([-15, -15, 69 * MM + 15, 94 * MM + 15])),
       rules=_shop(products=(JAPANESE,), marks=False)),
    _R("no bleed left", "bleed", "error", 2, (0, 0), "the left cut for 88 mm, but has 0 mm", _covered(-3, -3, 3, 94)),
    _R("no bleed right", "bleed", "error", 2, (63, 0), "the right cut for 88 mm, but has 0 mm", _covered(63, -3, 3, 94)),
    _R("no bleed above", "bleed", "error", 2, (0, 0), "the top cut for 63 mm, but has 0 mm", _covered(-3, -3, 69, 3)),
    _R("too little bleed below", "bleed", "error", 2, (0, 88), "the bottom cut for 63 mm, but has 1.5 mm",
       _covered(-3, 89.5, 69, 3)),
    _R("bleed missing in part", "bleed", "error", 2, (0, 33), "the left cut for 14 mm, but has 0 mm", _covered(-3, 30, 3, 20)),
    _R("type near the cut", "safe-text", "warning", 2, (1, 78.2), "1.0 mm from the cut", lambda c: c.text(1, 80.7)),
    _R("type cut through", "safe-text", "error", 2, (55, 78.2), "the cut goes through type",
       lambda c: c.text(55, 80.7, "Victory points")),
    _R("line beside the cut", "safe-line", "warning", 2, (5, 87.3), "a line is 0.4 mm from the bottom cut",
       lambda c: c.line(5, 87.4, 58, 87.4, 1)),
    _R("round frame beside the cut", "safe-line", "warning", 2, (0.7, -3), "a line is 0.7 mm from the left cut",
       lambda c: c.rounded(0.9, -9, 90, 9, 1)),
    _R("coarse picture", "resolution", "error", 2, (20, 66), "40 x 40 pixels has 102 dpi",
       lambda c: c.picture(20, 66, 10, plain(40))),
    _R("poor picture", "resolution", "warning", 2, (20, 66), "80 x 80 pixels has 203 dpi",
       lambda c: c.picture(20, 66, 10, plain(80))),
    _R("wasteful picture", "resolution", "note", 2, (20, 66), "400 x 400 pixels has 1016 dpi",
       lambda c: c.picture(20, 66, 10, plain(400))),
    _R("coarse bitmap", "resolution", "error", 2, (20, 66), "100 x 100 pixels has 254 dpi", change=_bitmap),
    _R("inky picture", "ink", "warning", 2, (20, 66), "361 % of ink",
       lambda c: c.picture(20, 66, 10, plain(120, (230, 230, 230, 230)))),
    _R("inky box", "ink", "error", 2, (20, 66), "280 % of ink", lambda c: c.box(20, 66, 10, 10, (0.6, 0.6, 0.6, 1)),
       rules=_shop(ink_limit=240.0, ink_stated=True)),
    _R("all plates", "registration", "error", 2, (17, 66), "an area in the registration colour", change=_spots("All")),
    _R("four times full", "registration", "error", 2, (20, 66), "registration", lambda c: c.box(20, 66, 9, 9, (1, 1, 1, 1))),
    _R("rich black type", "rich-black-type", "warning", 2, (20, 67.5), "C60 M40 Y40 K100",
       lambda c: c.text(20, 70, cmyk=(0.6, 0.4, 0.4, 1))),
    _R("dark type in four inks", "rich-black-type", "note", 2, (20, 67.5), "dark type of 9.0 pt in C85 M63 Y9 K83",
       lambda c: c.text(20, 70, cmyk=(0.85, 0.63, 0.09, 0.83))),
    _R("white overprints", "white-overprint", "error", 2, (20, 65), "an area in white overprints",
       change=_state("<</op true /OPM 1>>", f"0 0 0 0 k {_BOX}")),
    _R("type in RGB", "rgb", "error", 2, (20, 67.5), "type in RGB", _rgb_type),
    _R("picture in RGB", "rgb", "error", 2, (20, 66), "a picture in RGB",
       lambda c: c.picture(20, 66, 10, plain(120, (200, 0, 0), "RGB"))),
    _R("hairline", "hairlines", "warning", 2, (20, 70), "a line of 0.10 pt", lambda c: c.line(20, 70, 40, 70, 0.1)),
    _R("no width", "hairlines", "error", 2, (20, 70), "no width", lambda c: c.line(20, 70, 40, 70, 0)),
    _R("filled hairline", "hairlines", "warning", 2, (20, 70), "a line of 0.14 pt",
       lambda c: c.box(20, 70, 20, 0.05, (0, 0, 0, 1))),
    _R("hairline by scale", "hairlines", "warning", 2, (20, 65), "a line of 0.20 pt",
       change=added(f"q 0.2 0 0 0.2 {23 * MM} {26 * MM} cm 1 w 0 0 m 200 0 l S Q")),
    _R("small type", "type-size", "warning", 2, (20, 68.9), "type of 4.0 pt", lambda c: c.text(20, 70, size=4)),
    _R("small by scale", "type-size", "warning", 2, (20, 68.9), "type of 4.0 pt", change=_scaled_type),
    _R("light type", "reversed-type", "warning", 2, (20, 68.4), "light type of 5.5 pt",
       lambda c: c.text(20, 70, size=5.5, cmyk=(0, 0, 0, 0))),
    _R("missing glyph", "missing-glyphs", "error", 2, (20, 68.5), "no glyph in ABCDEFPlanted", change=_composite),
    _R("font not embedded", "fonts", "error", 2, (20, 68.5), "the font Times-Roman is not embedded",
       change=_font({"/Subtype": Name.Type1, "/BaseFont": Name("/Times-Roman")}, "(abc)")),
    _R("font of type 3", "fonts", "warning", 2, (20, 68.5), "type 3", change=_type3),
    _R("variable font", "fonts", "warning", 1, (10, 17.5), "variable font", change=_axes, pages=1),
    _R("is transparent", "transparency", "error", 2, (20, 65), "an area is transparent",
       change=_state("<</ca 0.5>>", f"0 0.5 0 0 k {_BOX}"), rules=_shop(flat=True)),
    _R("multiplies", "transparency", "error", 2, (20, 65), "an area is transparent",
       change=_state("<</BM /Multiply>>", f"0 0.5 0 0 k {_BOX}"), rules=_shop(flat=True)),
    _R("note stuck on", "annotations", "warning", 2, (20, 13), "an annotation (Text)", change=_annotation),
    _R("script", "scripts", "error", 0, None, "a script",
       change=_root("/OpenAction", Dictionary(S=Name.JavaScript, JS=String("app.alert(1)")))),
    _R("attachment", "scripts", "warning", 0, None, "attached",
       change=lambda pdf: pdf.attachments.__setitem__("notes.txt", b"notes")),
    _R("empty page", "empty", "note", 2, None, "the page is empty",
       change=lambda pdf: pdf.pages[1].obj.__setitem__("/Contents", pdf.make_stream(b"q Q"))),
    _R("broken operator", "content", "warning", 2, None, "the operator 'cm' fails", change=added("1 0 0 cm")),
    _R("unknown operator", "content", "warning", 2, None, "unknown operator 'frob'", change=added("frob")),
    _R("form in itself", "content", "error", 2, None, "a form draws itself", change=_self_drawn),
    _R("two names of a spot", "spots", "warning", 2, (27, 66), "'PANTONE 185 C' and 'Pantone185' have almost the same name",
       change=_spots("PANTONE 185 C", "Pantone185")),
    _R("spot without plate", "spots", "error", 2, (17, 66), "needs a separate plate", change=_spots("Gold"),
       rules=_shop(spots=False)),
    _R("RGB and CMYK", "mixed-colours", "warning", 2, (20, 65), "mixes RGB and CMYK", change=_mixed),
    _R("no intent", "intent", "note", 1, (-3, -3), "CMYK without an output intent",
       change=lambda pdf: pdf.Root.__delitem__("/OutputIntents")),
    _R("pictures only", "upload", "warning", 0, None, "accepts PNG pictures", rules=_shop(pictures_only=True)),
)  # fmt: skip
