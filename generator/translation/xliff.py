"""Translations as XLIFF 1.2, for translators' programs that read no PO: written, and read with all that is wrong."""

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from xml.parsers import expat

from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import MalformedXml, parse_xml, read_file
from generator.load.po import MOST_ENTRIES, MOST_PROBLEMS, MOST_TEXT, Catalogue, Translation
from generator.load.translated import SOURCE

_SPACE = "urn:oasis:names:tc:xliff:document:1.2"
_UNDONE = ("needs-", "new")
"""How states of a translation begin that is to be looked at."""

_TEXTS = ("source", "target", "note")


def xliff_text(catalogue: Catalogue, source: str, lang: str) -> str:
    """A catalogue as an XLIFF file; what is obsolete has no place there, and stays in the game's own file."""
    name = _attribute(catalogue.header.get("Project-Id-Version", ""))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<xliff version="1.2" xmlns="{_SPACE}">',
        f'<file original="{name}" datatype="plaintext" source-language="{source}" target-language="{lang}">',
        "<body>",
    ]
    for number, entry in enumerate((one for one in catalogue.entries if not one.obsolete), 1):
        lines += _unit_lines(number, entry)
    return "\n".join([*lines, "</body>", "</file>", "</xliff>", ""])


def _unit_lines(number: int, entry: Translation) -> Iterator[str]:
    yield f'<trans-unit id="{number}" resname="{_attribute(entry.key)}" xml:space="preserve">'
    yield f"<source>{_content(entry.source)}</source>"
    state = "needs-review-translation" if entry.fuzzy else "translated" if entry.text else "new"
    yield f'<target state="{state}">{_content(entry.text)}</target>'
    yield from (f'<note from="pnp">{_content(note)}</note>' for note in (*entry.references, *entry.notes))
    yield from (f'<note from="translator">{_content(note)}</note>' for note in entry.remarks)
    yield "</trans-unit>"


def _content(text: str) -> str:
    return escape(text, quote=False).replace("\r", "&#13;")


def _attribute(text: str) -> str:
    return escape(text).replace("\n", "&#10;").replace("\t", "&#9;")


def read_xliff(path: Path, shown: str) -> Catalogue:
    """A file's translations; ProblemsFound with what is wrong with it."""
    try:
        raw = read_file(path, "markup")
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), unfit.hint)]) from unfit
    return parse_xliff(raw, shown)


def parse_xliff(raw: bytes, shown: str) -> Catalogue:
    """The translations of an XLIFF file's bytes; `shown` is its name in messages. ProblemsFound."""
    return _Reader(shown).catalogue(raw)


class _Reader:
    """Hears what an XML parser tells, element by element; a text's own marks of a translator's program are dropped."""

    def __init__(self, shown: str):
        self._shown = shown
        self._problems: list[Problem] = []
        self._header: dict[str, str] = {}
        self._found: dict[tuple[str, str], Translation] = {}
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._begins
        self._parser.EndElementHandler = self._ends
        self._parser.CharacterDataHandler = self._says
        self._parser.EntityDeclHandler = self._declares
        self._parser.buffer_text = True
        self._text: list[str] | None = None
        self._length = 0
        self._unit: dict[str, str] | None = None
        self._remarks: list[str] = []
        self._spot = (0, 0)
        self._aside = 0

    def catalogue(self, raw: bytes) -> Catalogue:
        """All that the bytes say."""
        try:
            parse_xml(self._parser, raw)
        except MalformedXml as error:
            hint = error.hint or "export it anew, or mend what an editor has broken"
            self._wrong(error.line, error.column, f"this is no XML: {error}", hint)
        if not self._found and not self._problems:
            self._wrong(1, 1, "there is no text in this file", "name a file that `pnp translate export` has written")
        if self._problems:
            raise ProblemsFound(self._problems)
        return Catalogue(self._header, tuple(self._found.values()))

    def _wrong(self, line: int, column: int, what: str, hint: str) -> None:
        self._problems.append(Problem(Place(self._shown, line, column), what, hint))
        if len(self._problems) >= MOST_PROBLEMS:
            raise ProblemsFound(self._problems)

    def _here(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _declares(self, *_entity: object) -> None:
        self._wrong(*self._here(), "an entity of its own, as no XLIFF file has", "take the DOCTYPE out")
        raise ProblemsFound(self._problems)

    def _begins(self, element: str, attributes: Mapping[str, str]) -> None:
        name = element.rpartition(" ")[2]
        if name == "xliff" and not attributes.get("version", "").startswith("1."):
            what = f"XLIFF {attributes.get('version', '')} is not read"
            self._wrong(*self._here(), what, "save the file as XLIFF 1.2, or take a PO file")
        elif name == "file":
            self._header.setdefault("Language", attributes.get("target-language", ""))
            if attributes.get("source-language"):
                self._header.setdefault(SOURCE, attributes["source-language"])
        elif name == "trans-unit":
            self._unit = {"key": attributes.get("resname", ""), "state": ""}
            self._remarks, self._spot, self._length = [], self._here(), 0
            if len(self._found) >= MOST_ENTRIES:
                self._wrong(*self._spot, f"the file has more than {MOST_ENTRIES:,} texts", "export the file again")
                raise ProblemsFound(self._problems)
        elif name == "alt-trans":
            self._aside += 1
        elif name in _TEXTS and self._unit is not None and not self._aside:
            self._text = []
            self._unit["note from"] = attributes.get("from", "")
            if name == "target":
                self._unit["state"] = attributes.get("state", "")
                self._spot = self._here()

    def _says(self, text: str) -> None:
        if self._text is not None:
            self._length += len(text)
            if self._length > MOST_TEXT:
                what = f"the texts of this entry have more than {MOST_TEXT:,} characters"
                self._wrong(*self._here(), what, "shorten them, or export the file again")
                raise ProblemsFound(self._problems)
            self._text.append(text)

    def _ends(self, element: str) -> None:
        name = element.rpartition(" ")[2]
        if name == "alt-trans":
            self._aside -= 1
        elif name in _TEXTS and self._text is not None and self._unit is not None and not self._aside:
            said, self._text = "".join(self._text), None
            if name != "note":
                self._unit[name] = said
            elif self._unit["note from"] != "pnp":
                self._remarks.append(" ".join(said.split()))
        elif name == "trans-unit" and self._unit is not None:
            self._take(self._unit)
            self._unit = None

    def _take(self, unit: Mapping[str, str]) -> None:
        key, source, text = unit["key"], unit.get("source"), unit.get("target", "")
        if source is None:
            self._wrong(*self._spot, "a text without <source>", "take the whole of it out, or export it anew")
            return
        if (key, source) in self._found:
            first = self._found[key, source].line
            self._wrong(*self._spot, f"'{key}' is here a second time: first in line {first}", "keep one of them")
        fuzzy = bool(text) and unit["state"].startswith(_UNDONE)
        remarks = tuple(self._remarks)
        line, column = self._spot
        self._found[key, source] = Translation(key, source, text, fuzzy, remarks=remarks, line=line, column=column)
