"""Files of tables as spreadsheet programs write them, made for tests: CSV, workbooks and OpenDocument."""

import csv
import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from openpyxl import Workbook

Cells = Sequence[Sequence[Any]]


def csv_file(rows: Cells, separator: str = ",", encoding: str = "utf-8", ends: str = "\r\n", **more: Any) -> bytes:
    """The rows as text; what `csv.writer` takes, too."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=ends, **more).writerows(rows)
    return text.getvalue().encode(encoding)


def xlsx_file(rows: Cells, change: Callable[[Workbook], Any] | None = None, title: str = "Sheet1") -> bytes:
    """The rows as a workbook, changed at last."""
    book = Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    if change:
        change(book)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text", "style")
)


def ods_cell(value: Any, more: str = "") -> str:
    """A cell as LibreOffice writes it; a text that begins with `<` is one already."""
    if isinstance(value, str) and value.startswith("<table:"):
        return value
    if value is None or value == "":
        return f"<table:table-cell {more}/>"
    if isinstance(value, bool):
        said = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, (int, float)):
        said = f'office:value-type="float" office:value="{value}"'
    else:
        said = 'office:value-type="string"'
    lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in str(value).split("\n"))
    return f"<table:table-cell {said} {more}>{lines}</table:table-cell>"


def ods_sheet(rows: Cells, name: str = "Sheet1", style: str = "ta1", after: str = "") -> str:
    """A sheet of a document; a row that is a text is one already."""
    lines = (
        row if isinstance(row, str) else f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>"
        for row in rows
    )
    return f"<table:table table:name={quoteattr(name)} table:style-name={quoteattr(style)}><table:table-column/>{''.join(lines)}{after}</table:table>"


def ods_file(*sheets: str, before: str = "") -> bytes:
    """A document of these sheets; those of the style `hidden` are."""
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{before}<office:document-content {_SPACES}><office:automatic-styles>'
        '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>'
        '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>'
        f"</office:automatic-styles><office:body><office:spreadsheet>{''.join(sheets)}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
    return stream.getvalue()
