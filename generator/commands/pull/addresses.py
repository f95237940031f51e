"""The address of a table as people copy it, and the one where its cells can be fetched."""

import re
from urllib.parse import parse_qs, urlsplit

_GOOGLE = "docs.google.com"
_SHEETS = re.compile(r"/spreadsheets(?:/u/[0-9]+)?/d/(e/)?([A-Za-z0-9_-]+)(?:/|\Z)")
_NUMBER = re.compile(r"[0-9]+\Z")


def table_address(address: str) -> str:
    """Where the table of an address lies: of a Google Sheet that somebody looks at, the CSV of its sheet."""
    parts = urlsplit(address)
    found = _SHEETS.match(parts.path) if parts.hostname == _GOOGLE else None
    asked = parse_qs(parts.query) | parse_qs(parts.fragment)
    if not found or "output" in asked or "format" in asked:
        return address
    gid = next((number for number in asked.get("gid", []) if _NUMBER.match(number)), "")
    published, sheet = found[1], found[2]
    form = f"e/{sheet}/pub?output=csv&single=true" if published and gid else f"e/{sheet}/pub?output=csv"
    form = form if published else f"{sheet}/export?format=csv"
    return f"https://{_GOOGLE}/spreadsheets/d/{form}{f'&gid={gid}' if gid else ''}"
