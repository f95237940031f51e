"""Every PDF that is made has values of the types that the PDF standard asks for: readers differ in what they forgive."""

import io
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import Pnp
from fonts_of_2048 import scaled

Value = Any

INTEGERS = frozenset(
    {
        *("/Length", "/Length1", "/Length2", "/Length3", "/DW", "/Flags", "/FirstChar", "/LastChar", "/Supplement"),
        *("/Width", "/Height", "/BitsPerComponent", "/BitsPerSample", "/Predictor", "/Colors", "/Columns"),
        *("/Count", "/Rotate", "/StructParent", "/StructParents", "/ParentTreeNextKey", "/MCID", "/Size", "/SMaskInData"),
        *("/ShadingType", "/FunctionType", "/PatternType", "/PaintType", "/TilingType", "/FormType", "/CMapType"),
        *("/OPM", "/F", "/Order", "/LC", "/LJ", "/St", "/ColSpan", "/RowSpan", "/StemV", "/Ascent", "/Descent", "/CapHeight"),
    }
)  # fmt: skip
"""Keys whose values are integers. Measures of fonts may be any numbers; whole ones are what old readers expect."""

NUMBERS = frozenset({"/ItalicAngle", "/ca", "/CA", "/LW", "/ML", "/UserUnit", "/N"})

NAMES = frozenset(
    {
        *("/Type", "/Subtype", "/S", "/BaseFont", "/FontName", "/Trapped", "/PageMode", "/PageLayout", "/Tabs", "/Duplex"),
        *("/PrintScaling", "/Scope", "/ListNumbering", "/O", "/CMapName", "/Intent", "/Placement", "/Filter"),
    }
)  # fmt: skip

BOOLEANS = frozenset({"/ImageMask", "/OP", "/op", "/Marked", "/DisplayDocTitle", "/Interpolate", "/AIS", "/SA"})

STRINGS = frozenset(
    {
        *("/Lang", "/Alt", "/ActualText", "/E", "/Author", "/Subject", "/Creator", "/Producer", "/CreationDate"),
        *("/ModDate", "/Registry", "/Ordering", "/OutputConditionIdentifier", "/OutputCondition", "/RegistryName"),
        *("/GTS_PDFXVersion",),
    }
)

BOXES = {"/MediaBox": 4, "/CropBox": 4, "/BleedBox": 4, "/TrimBox": 4, "/ArtBox": 4, "/BBox": 4, "/Rect": 4} | {
    "/FontBBox": 4, "/Matrix": 6, "/Border": 3
}  # fmt: skip

INTEGER_OPERATORS = frozenset({"J", "j", "Tr"})


def is_integer(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Value) -> bool:
    return is_integer(value) or isinstance(value, (Decimal, float))


def wrong(key: str, value: Value, holder: Value) -> bool:
    """Whether a value of a dictionary is not of the type of its key."""
    if key == "/N":  # an exponent in a function, how many inks in a profile
        return not (is_number(value) if "/FunctionType" in holder else is_integer(value))
    if key == "/F" and not is_integer(value):
        return "/Rect" in holder
    if key == "/StemV" and "/FontDescriptor" not in str(holder.get("/Type", "")):
        return False
    if key in INTEGERS:
        return not is_integer(value)
    if key in NUMBERS:
        return not is_number(value)
    if key in NAMES:
        return not isinstance(value, (pikepdf.Name, pikepdf.Array))
    if key in BOOLEANS:
        return not isinstance(value, bool)
    if key in STRINGS:
        return not isinstance(value, pikepdf.String)
    if key in BOXES:
        return len(value) != BOXES[key] or not all(map(is_number, value))
    return False


def walked(value: Value, trail: str) -> Iterator[tuple[str, Value, Value, Value]]:
    """Every entry of dictionaries in an object, not following references: trail, key, value, its dictionary."""
    if isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        entries = value.stream_dict if isinstance(value, pikepdf.Stream) else value
        for key, each in entries.items():
            yield trail, key, each, entries
            if not (isinstance(each, pikepdf.Object) and each.is_indirect):
                yield from walked(each, f"{trail}{key}")
    elif isinstance(value, pikepdf.Array):
        for each in value:
            if not (isinstance(each, pikepdf.Object) and each.is_indirect):
                yield from walked(each, trail)


def widths(array: Value) -> bool:
    """Whether a /W array is `first [width ...]` again and again, with whole glyph numbers."""
    parts = list(array)
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    return len(parts) % 2 == 0 and all(is_integer(first) and all(map(is_number, row)) for first, row in pairs)


def faults(data: bytes) -> Iterator[str]:
    """What in a file is of the wrong type, told with where it stands."""
    with pikepdf.open(io.BytesIO(data)) as made:
        for at, each in enumerate([made.trailer, *made.objects]):
            for trail, key, value, holder in walked(each, ""):
                if wrong(key, value, holder):
                    yield f"object {at}{trail}: {key} is {value!r}"
                if key == "/W" and "/CIDSystemInfo" in holder and not widths(value):
                    yield f"object {at}: /W is no list of whole numbers with widths"
                if key == "/Nums" and not all(map(is_integer, list(value)[::2])):
                    yield f"object {at}: a number tree has a key that is no integer"
                if key == "/K" and not isinstance(value, pikepdf.Object) and not is_integer(value):
                    yield f"object {at}: /K is {value!r}"
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form":
                yield from content_faults(each, f"object {at}")
        for number, page in enumerate(made.pages, 1):
            yield from content_faults(page, f"page {number}")


def content_faults(content: Value, where: str) -> Iterator[str]:
    """Operators of a page or form with operands of the wrong type."""
    for operands, operator in pikepdf.parse_content_stream(content):
        name = str(operator)
        if name in INTEGER_OPERATORS and not all(map(is_integer, operands)):
            yield f"{where}: {name} of {operands}"
        if name == "BDC":
            for trail, key, value, holder in walked(operands[1], ""):
                if wrong(key, value, holder):
                    yield f"{where}, BDC{trail}: {key} is {value!r}"


@pytest.fixture
def everything(room: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> Path:
    """All kinds of PDF of a small game, set in a font of 2048 units."""
    assert pnp("new", "box", "--from", "cards").code == 0
    monkeypatch.chdir(room / "box")
    Path("fonts").mkdir()
    Path("fonts/SourceSans3_400Regular.ttf").write_bytes(scaled())
    orders = [
        *(("shop", "--preset", preset, "--lang", "en") for preset in ("digital", "offset-jp", "manindo")),
        *(("build",), ("boxes",), ("dielines", "--gap", "2mm"), ("proof",), ("calibrate",)),
        *(("record", "before"), ("diff", "before", "--format", "pdf", "--out", "diff")),
    ]
    said = [(order, pnp(*order)) for order in orders]
    assert [(order, ran.err) for order, ran in said if ran.code] == []
    return room


@pytest.mark.slow  # makes all that the program can make
def test_values_have_the_types_of_their_keys(everything: Path) -> None:
    """In each kind of file: integers are integers, names are names, boxes have four numbers, down to the operators."""
    files = sorted(everything.rglob("*.pdf"))
    found = {path.relative_to(everything).as_posix(): list(faults(path.read_bytes()))[:5] for path in files}
    assert len(files) > 15, found.keys()
    assert {name: what for name, what in found.items() if what} == {}
