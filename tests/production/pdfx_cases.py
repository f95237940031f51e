"""Two-page files to PDF/X-4 and X-1a that break no rule, made by another writer than ours, and ways to break each."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf
from reportlab.lib.colors import CMYKColor, CMYKColorSep
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from generator.production.finish_pdf import Intent, Standard, finish_pdf
from generator.production.preflight.pdfx_rules import BOTH

FONT = Path(__file__).parent.parent.parent / "fonts" / "SourceSans3_400Regular.ttf"

ONLY_X4: tuple[Standard, ...] = ("pdfx4",)
ONLY_X1A: tuple[Standard, ...] = ("pdfx1a",)


def profile(kind: bytes = b"prtr", space: bytes = b"CMYK", version: int = 2) -> bytes:
    """The head of an ICC profile, which is all that the rules look at."""
    return b"\0\0\0\x80lcms" + bytes((version, 0, 0, 0)) + kind + space + b"Lab " + b"\0" * 12 + b"acsp" + b"\0" * 88


@cache
def plain() -> bytes:
    """Two pages with text, a ground, a spot colour and a picture, with true boxes, to no standard yet."""
    pdfmetrics.registerFont(TTFont("Sans", FONT))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(300, 400), initialFontName="Sans", invariant=1)
    canvas.setTitle("見本 & sample")
    canvas.setAuthor("Nobody")
    for number in (1, 2):
        canvas.setTrimBox((20, 20, 280, 380))
        canvas.setBleedBox((12, 12, 288, 388))
        canvas.setFont("Sans", 12)
        canvas.setFillColor(CMYKColor(0.2, 0, 0.5, 0))
        canvas.rect(12, 12, 276, 376, fill=1, stroke=0)
        canvas.setFillColor(CMYKColorSep(0, 1, 1, 0, spotName="DIC 156"))
        canvas.rect(50, 50, 100, 100, fill=1, stroke=0)
        canvas.setFillColor(CMYKColor(0, 0, 0, 1))
        canvas.drawString(50, 200, f"Office {number}")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _own(pdf: Pdf, font: pikepdf.Object) -> pikepdf.Object:
    """The font once more, with a descriptor of its own."""
    copy = Dictionary(font)
    copy.FontDescriptor = pdf.make_indirect(Dictionary(font.FontDescriptor))
    return pdf.make_indirect(copy)


@cache
def good(standard: Standard) -> bytes:
    """A file that breaks no rule; each page with a form, a picture and a graphics state."""
    with pikepdf.open(io.BytesIO(plain())) as pdf:
        for page in pdf.pages:
            page.Resources = Dictionary(page.Resources)  # ReportLab's pages share theirs
            page.Resources.Font = Dictionary({name: _own(pdf, font) for name, font in page.Resources.Font.items()})
            picture = pdf.make_stream(b"\0\0\0\xff", Type=Name.XObject, Subtype=Name.Image, Width=1, Height=1)
            picture.ColorSpace, picture.BitsPerComponent = Name.DeviceCMYK, 8
            form = pdf.make_stream(b"0 0 0 1 k 0 0 1 1 re f", Type=Name.XObject, Subtype=Name.Form)
            form.BBox, form.Resources = Array([0, 0, 1, 1]), Dictionary()
            page.Resources.XObject = Dictionary(Picture=picture, Form=form)
            page.Resources.ExtGState = Dictionary(State=Dictionary(Type=Name.ExtGState, op=True, OP=True, OPM=1))
            page.contents_add(b"q /State gs /Picture Do /Form Do Q")
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True)
    intent = Intent("FOGRA39", profile() if standard == "pdfx4" else None)
    return finish_pdf(out.getvalue(), standard, intent)


@dataclass(frozen=True)
class Planting:
    """A way to break a rule: a change of the file, how it is saved, a change of its bytes; the page of the fault."""

    rule: str
    change: Callable[[Pdf], object] = lambda pdf: None
    page: int = 0
    standards: tuple[Standard, ...] = BOTH
    saved: Mapping[str, object] = field(default_factory=dict)
    bytes_changed: tuple[bytes, bytes] = (b"", b"")

    def broken(self, standard: Standard) -> bytes:
        """The good file with this fault."""
        out = io.BytesIO()
        with pikepdf.open(io.BytesIO(good(standard))) as pdf:
            self.change(pdf)
            mode = {"object_stream_mode": pikepdf.ObjectStreamMode.disable, "fix_metadata_version": False}
            pdf.save(out, **{**mode, **self.saved})
        old, new = self.bytes_changed
        assert old in out.getvalue(), "the planting must find its place"
        return out.getvalue().replace(old, new)


def page(pdf: Pdf) -> pikepdf.Object:
    return pdf.pages[1].obj


def picture(pdf: Pdf) -> pikepdf.Object:
    return page(pdf).Resources.XObject.Picture


def form(pdf: Pdf) -> pikepdf.Object:
    return page(pdf).Resources.XObject.Form


def font(pdf: Pdf) -> pikepdf.Object:
    (only,) = page(pdf).Resources.Font.values()
    return only


def intent(pdf: Pdf) -> pikepdf.Object:
    return pdf.Root.OutputIntents[0]


def put(of: Callable[[Pdf], pikepdf.Object], **entries: object) -> Callable[[Pdf], None]:
    """Sets entries of a dictionary or stream; None takes one away."""

    def change(pdf: Pdf) -> None:
        holder = of(pdf)
        for key, value in entries.items():
            if value is None:
                del holder[f"/{key}"]
            else:
                holder[f"/{key}"] = value(pdf) if callable(value) else value

    return change


def catalog(**entries: object) -> Callable[[Pdf], None]:
    return put(lambda pdf: pdf.Root, **entries)


def said(**entries: object) -> Callable[[Pdf], None]:
    return put(lambda pdf: pdf.trailer.Info, **entries)


def state(**entries: object) -> Callable[[Pdf], None]:
    return put(lambda pdf: page(pdf).Resources.ExtGState.State, **entries)


def packet(old: str, new: str) -> Callable[[Pdf], None]:
    """Replaces words of the XMP packet."""

    def change(pdf: Pdf) -> None:
        text = pdf.Root.Metadata.read_bytes()
        assert old.encode() in text
        pdf.Root.Metadata.write(text.replace(old.encode(), new.encode()))

    return change


def drawn(operators: bytes) -> Callable[[Pdf], None]:
    return lambda pdf: pdf.pages[1].contents_add(operators)


def drawn_in_form(operators: bytes) -> Callable[[Pdf], None]:
    return lambda pdf: form(pdf).write(operators)


def icc(**more: object) -> Callable[[Pdf], None]:
    components = {b"CMYK": 4, b"RGB ": 3, b"GRAY": 1}.get(more.get("space", b"CMYK"), 4)
    return lambda pdf: intent(pdf).__setitem__("/DestOutputProfile", pdf.make_stream(profile(**more), N=components))


def stream(data: bytes = b"", **entries: object) -> Callable[[Pdf], pikepdf.Object]:
    return lambda pdf: pdf.make_stream(data, **entries)


def descriptor(pdf: Pdf) -> pikepdf.Object:
    return font(pdf).FontDescriptor


def link(**more: object) -> Dictionary:
    """A link on what is printed, or wherever its Rect says."""
    return Dictionary({"/Type": Name.Annot, "/Subtype": Name.Link, "/Rect": Array([50, 50, 60, 60]), **more})


def separation(tint: tuple[int, ...]) -> Array:
    way = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=list(tint), N=1)
    return Array([Name.Separation, Name("/DIC 156"), Name.DeviceCMYK, way])


def spaces(**named: object) -> Callable[[Pdf], None]:
    """Adds colour spaces to the second page's form, which has resources of its own."""
    made = {f"/{name}": value for name, value in named.items()}

    def change(pdf: Pdf) -> None:
        given = {name: value(pdf) if callable(value) else value for name, value in made.items()}
        form(pdf).Resources.ColorSpace = Dictionary(given)

    return change


def resource(kind: str, make: Callable[[Pdf], object]) -> Callable[[Pdf], None]:
    """Adds a resource named X to the second page."""

    def change(pdf: Pdf) -> None:
        of_kind = page(pdf).Resources.get(f"/{kind}", Dictionary())
        page(pdf).Resources[f"/{kind}"] = Dictionary({**dict(of_kind.items()), "/X": make(pdf)})

    return change


def both(*changes: Callable[[Pdf], object]) -> Callable[[Pdf], None]:
    """One change after another."""

    def change(pdf: Pdf) -> None:
        for each in changes:
            each(pdf)

    return change


def for_press_of(space: bytes, content: bytes) -> Callable[[Pdf], None]:
    """Makes the file one for a press of RGB or grey, with this content on its pages and nothing else."""

    def change(pdf: Pdf) -> None:
        icc(space=space)(pdf)
        for each in pdf.pages:
            each.Contents = pdf.make_stream(content)
            each.Resources = Dictionary()

    return change
