"""Squib: Ruby scripts read as text and never run, with the places of their layout files."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import degrees, radians
from typing import Any, NamedTuple

from generator.base.errors import InvalidInput, LineStarts, Place, Problem, ProblemsFound, did_you_mean
from generator.base.geometry import MM_PER_INCH, MM_PER_PT, Rect, Size
from generator.exchange.foreign_project import (
    FORMATS,
    MOST_ITEMS,
    POKER,
    TABLES,
    ForeignFiles,
    FoundLayout,
    FoundProject,
    HeadedColumn,
    LaidItem,
    Part,
    Program,
    add_deck,
    parse_decimal,
    read_colour,
)
from generator.game.data_reader import parse_yaml
from generator.game.source import Map, Seq

_MOST_GENERATIONS = 40
_NUMBER = r"(-?(?:[0-9]{1,9}(?:[.][0-9]{0,9})?|[.][0-9]{1,9}))"
_LENGTH = re.compile(rf"{_NUMBER}\s*(in|mm|cm|pt|px|cells?|c|deg|)", re.ASCII)
_UNITS = {"in": MM_PER_INCH, "mm": 1.0, "cm": 10.0, "pt": MM_PER_PT}
_CELL = 37.5
"""Pixels of Squib's unit `cell`."""

_FROM_SIDE = re.compile(rf"(middle|center|deck)(?:\s*([-+/])\s*{_NUMBER}\s*(in|mm|cm|pt|px|cells?|c|))?", re.ASCII)
_CHANGE = re.compile(r"([-+*/])=\s*(.+)")
_ACROSS = ("x", "width", "x1", "x2", "x_radius")
_LENGTHS = (*_ACROSS, "y", "height", "y1", "y2", "y_radius", "radius", "stroke_width")
_PLAIN = ("font_size", "angle", "alpha")
_AUTOMATIC = ("native", "scale", "auto")


class SquibFrame(NamedTuple):
    """The frame of a deck's cards: dots per inch, sides with bleed, and the bleed that is cut off (mm)."""

    dpi: float
    width: float
    height: float
    trim: float

    def measure(self, text: str, name: str) -> float | None:
        """Return the option `name` in mm, angles in radians, from pixels, units, words (`middle`); None if invalid."""
        side = self.width if name in _ACROSS else self.height
        if word := _FROM_SIDE.fullmatch(text):
            base = side if word[1] == "deck" else side / 2
            by = self._scale(word[3] or "0", word[4] or "")
            share = float(word[3] or 1)
            return base / share if word[2] == "/" and share else base - by if word[2] == "-" else base + by
        if (match := _LENGTH.fullmatch(text)) is None or (name in _PLAIN and match[2] not in ("", "deg")):
            return None
        if name in _PLAIN:
            return radians(float(match[1])) if match[2] else float(match[1])
        return self._scale(match[1], match[2])

    def _scale(self, number: str, unit: str) -> float:
        pixels = _CELL if unit.startswith("c") and unit != "cm" else 1.0
        return float(number) * _UNITS.get(unit, pixels * MM_PER_INCH / self.dpi)


Options = Mapping[str, Part]
"""What is said about a place or in a command: texts and columns by option."""


class _PlaceReader:
    """Reads the places of one layout file; `places` also has those of earlier files. Problems are gathered."""

    def __init__(self, file: str, text: str, before: Mapping[str, Options], frame: SquibFrame, problems: list[Problem]):
        self._file, self._frame, self._problems = file, frame, problems
        self.places = dict(before)
        self._raw, self._done = Map(), set[str]()
        try:
            self._raw = _parse_places(text, file)
        except ProblemsFound as stopped:
            problems += [one for one in stopped.problems if one not in problems]
        for name in self._raw:
            self._resolve(name, ())

    def _add(self, owner: Map, key: str, what: str, hint: str) -> None:
        self._problems.append(Problem(Place(self._file, *owner.values_at[key]), what, hint))

    def _resolve(self, name: str, below: tuple[str, ...]) -> Options:
        """Return the options of a place with those that it extends. `below` extend this place (to find circles)."""
        entry = self._raw.get(name)
        if name in self._done or not isinstance(entry, Map):
            return self.places.get(name, {})
        above = dict[str, Part]()
        for merged in _list_values(entry.get("<<")):
            above |= self._take(merged, {}) if isinstance(merged, Map) else {}
        for parent in map(str, _list_values(entry.get("extends"))):
            if parent in (*below, name):
                circle = "', '".join((*below, name)[-3:])
                self._add(entry, "extends", f"'{circle}' extend each other in a circle", "take one `extends` out")
            elif len(below) >= _MOST_GENERATIONS:
                what = f"'{name}' is the end of a chain of more than {_MOST_GENERATIONS} places"
                self._add(entry, "extends", what, "extend one of the first ones")
            elif parent not in self._raw and parent not in self.places:
                known = [str(key) for key in self.places.keys() | self._raw.keys() if key != name]
                hint = did_you_mean(parent, sorted(known)) if known else "write the place"
                self._add(entry, "extends", f"'{name}' extends '{parent}', which does not exist", hint)
            else:
                above |= self._resolve(parent, (*below, name))
        self._done.add(name)
        self.places[name] = found = self._take(entry, above)
        return found

    def _take(self, entry: Map, above: Options) -> dict[str, Part]:
        found = dict(above)
        for key, value in entry.items():
            if key in ("extends", "<<") or value is None or isinstance(value, (Map, Seq)):
                continue
            text = str(value).lower() if isinstance(value, bool) else str(value).strip().removeprefix(":")
            if change := _CHANGE.fullmatch(text):
                text = self._change(entry, key, change, str(above.get(key, "")))
            elif key in (*_LENGTHS, *_PLAIN) and text not in _AUTOMATIC and self._frame.measure(text, key) is None:
                what = f"`{key}` is '{text[:40]}', which is not a number or length"
                self._add(entry, key, what, "write it as 75, 6mm or 0.25in")
                continue
            found[key] = text
        return found

    def _change(self, entry: Map, key: str, change: re.Match[str], base: str) -> str:
        """Return the inherited number `base` of `key` with a change such as `+= 10`, or '0' after noting a problem."""
        old, by = self._frame.measure(base, key), self._frame.measure(change[2].strip(), key)
        share = float(change[2]) if re.fullmatch(_NUMBER, change[2], re.ASCII) else 0.0
        if old is None or by is None or (change[1] in "*/" and not share):
            why = "there is no such number above it" if old is None else "that is no number or length"
            self._add(entry, key, f"`{key}` is '{change[0][:40]}', but {why}", "write the number itself")
            return "0"
        new = {"+": old + by, "-": old - by, "*": old * share, "/": old / (share or 1)}[change[1]]
        return f"{new:.6f}{'' if key in _PLAIN else 'mm'}"


@lru_cache(maxsize=8)
def _parse_places(text: str, file: str) -> Map:
    plain = re.sub(r"!ruby/\w+", lambda tag: " " * len(tag[0]), text)
    return parse_yaml(plain, file) if re.search(r"(?m)^[^#\s-]", plain) else Map()


def _list_values(value: Any) -> Sequence[Any]:
    return value if isinstance(value, Seq) else [] if value is None else [value]


DRAWN = ("background", "circle", "ellipse", "line", "png", "rect", "svg", "text")
"""Commands that become items of a template."""

_COMMAND = re.compile(rf"^[ \t]*({'|'.join(DRAWN)})\b(?=\s*[(\w:])", re.MULTILINE)
_LONGEST_COMMAND = 4_000
_TOKEN = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|\bdo\b|\w+|\s|.")
_OPTION = re.compile(r"(?::?(\w+)\s*=>|[\"']?(\w+)[\"']?:(?!:))\s*(\S.*)", re.DOTALL)
_COLUMN = re.compile(
    r"[a-z_]\w*(?:\[\s*(?:\"([^\"]+)\"|'([^']+)'|:(\w+))\s*\]|\.(?!size|length|map|row|new|each)(\w+))", re.IGNORECASE
)
_WORD = re.compile(
    rf":?\"((?:[^\"\\#]|#(?!\{{)|\\.)*)\"|:?'((?:[^'\\]|\\.)*)'|:(\w+)|{_NUMBER}|([0-9]{{1,6}}\.\.[0-9]{{1,6}})"
)
_STYLES = re.compile(
    r"\b(?:ultra|semi|demi)?[- ]?(bold|heavy|black|italic|oblique|regular|normal|light|medium)\b", re.IGNORECASE
)
_USUAL_FONT = "Arial 12"
_VARIABLE = ("str", "file", "color", "fill_color", "stroke_color")
"""Options that may have a column of the data."""


def _split_options(text: str, start: int, end: int) -> Iterator[str]:
    """Yield the options of the command whose name ends at `start`: the texts between its commas, before `end`."""
    depth, part = 0, ""
    for match in _TOKEN.finditer(text, start, min(end, start + _LONGEST_COMMAND)):
        sign = match[0]
        depth += (sign in "[({") - (sign in "])}")
        if depth < 0 or (depth == 0 and sign == "do") or (sign == "\n" and depth == 0 and part.strip()):
            break
        if sign == "," and (depth == 0 or (depth == 1 and part.lstrip().startswith("("))):
            yield part
            part, depth = "", 0
        else:
            part += sign
    yield part


def _parse_value(text: str) -> Part | None:
    """Return a word, a number or a column of the data; None for anything that only Ruby can work out."""
    if word := _WORD.fullmatch(text):
        said = next(group for group in word.groups() if group is not None)
        return re.sub(r"\\(.)", lambda sign: "\n" if sign[1] == "n" else sign[1], said)
    column = _COLUMN.fullmatch(text)
    return HeadedColumn(next(group for group in column.groups() if group is not None)) if column else None


class ScriptReader:
    """Reads the commands of one deck of a script as items."""

    def __init__(self, files: ForeignFiles, foreign: FoundProject, script: str, frame: SquibFrame):
        self._files, self._foreign, self._script, self._frame = files, foreign, script, frame
        self._places: Mapping[str, Options] = {}
        self._used = set[str]()
        self._line, self._command, self._looped = 1, "", False

    def read_items(self, text: str, start: int, end: int, lines: LineStarts) -> FoundLayout | None:
        """Return the layout of the deck between two offsets of the script, or None if it draws nothing."""
        self._line = lines.find_position(start)[0]
        named = r"[\"'\s\[(]((?!config\.)[\w./-]+\.ya?ml)\b"
        for name in dict.fromkeys(re.findall(named, text[start:end]) or re.findall(named, text[:start])):
            self._load_places(name)
        items = list[LaidItem]()
        for number, match in enumerate(_COMMAND.finditer(text, start, end)):
            self._line, self._command = lines.find_position(match.start(1))[0], match[1]
            if number == MOST_ITEMS:
                self._note(f"this command and those after it: a layout has at most {MOST_ITEMS} items")
                break
            given = self._read_command(_split_options(text, match.end(), end))
            if given is not None and (item := self._make_item(given)) is not None:
                items.append(item)
        for name in [one for one in self._places if self._looped and one not in self._used]:
            self._command = "place"
            if item := self._make_item({"str": HeadedColumn(name), **self._places[name]}):
                items.append(item)
        return FoundLayout(self._script, tuple(items)) if items else None

    def _note(self, what: str) -> None:
        self._foreign.leave_out(self._script, self._line, f"`{self._command}`: {what}")

    def _load_places(self, name: str) -> None:
        found = self._files.find_file(name, self._script)
        if not found:
            what = f"the layout '{name}' does not exist; if it is one of Squib's own, copy it next to the script"
            self._foreign.leave_out(self._script, self._line, what)
            return
        try:
            text = self._files.load_text(found)
        except InvalidInput as unfit:
            self._foreign.problems.append(Problem(Place(found), str(unfit), unfit.hint))
            return
        self._places = _PlaceReader(found, text, self._places, self._frame, self._foreign.problems).places

    def _read_command(self, options: Iterator[str]) -> Options | None:
        """Return the options of a command with those of its place, or None if it can't be converted."""
        said = dict[str, str]()
        for option in options:
            if match := _OPTION.fullmatch(re.sub(r"^[\s(]+|\s+$", "", option)):
                said[match[1] or match[2]] = match[3]
        given = dict[str, Part]()
        if "layout" in said:
            layout = _parse_value(said.pop("layout"))
            if not isinstance(layout, str):
                self._looped = True
                self._note("its place is computed; a place with the name of a column shows that column")
                return None
            if layout not in self._places:
                self._note(f"no available layout has the place '{layout}'")
            self._used.add(layout)
            given |= self._places.get(layout, {})
        for name, text in said.items():
            value = _parse_value(text)
            if value is None and name in ("str", "file", "range"):
                self._note(f"`{name}: {' '.join(text.split())[:60]}` is computed; write it into the template")
                return None
            if value is None or (isinstance(value, HeadedColumn) and name not in _VARIABLE):
                self._note(f"`{name}` is computed or differs between cards: its default is used")
            else:
                given[name] = value
        return given

    def _measure(self, given: Options, name: str, usual: float) -> float:
        text = str(given.get(name, ""))
        found = self._frame.measure(text, name)
        if found is None and text and text not in _AUTOMATIC:
            self._note(f"`{name}: {text[:40]}` is not a number or length: its default is used")
        return usual if found is None else found

    def _read_stroke(self, given: Options, usual: float) -> dict[str, Any]:
        width = self._measure(given, "stroke_width", usual)
        colour = read_colour(given.get("stroke_color", "black"), self._note) if width > 0 else "none"
        return {"stroke": colour, "stroke_width": width}

    def _make_item(self, given: Options) -> LaidItem | None:
        pixel, trim, command = MM_PER_INCH / self._frame.dpi, self._frame.trim, self._command
        x, y, width, height = (self._measure(given, name, 0.0) for name in ("x", "y", "width", "height"))
        box = Rect(x - trim, y - trim, width, height)
        common: dict[str, Any] = {"line": self._line, "turn": degrees(self._measure(given, "angle", 0.0))}
        common["pivot"] = (box.x, box.y)
        if (number := str(given.get("range", "all"))) != "all":
            cards = re.fullmatch(r"([0-9]{1,6})(?:\.\.([0-9]{1,6}))?", number)
            if cards is None:
                self._note(
                    f"`range: {number[:40]}` is not a card or a range of cards; write `{{% if %}}` into the template"
                )
                return None
            common["cards"] = ((int(cards[1]) + 1, int(cards[2] or cards[1]) + 1),)
        if command in ("text", "place"):
            return self._make_text(box, given, common)
        if command in ("png", "svg"):
            file, alpha = given.get("file", ""), self._measure(given, "alpha", 1.0)
            common |= {"box": box, "native": pixel, "opacity": alpha}
            return LaidItem(tag="picture", parts=(file,), **common) if file else None
        if command == "background":
            colour = read_colour(given.get("color", "black"), self._note)
            return LaidItem(tag="ground", box=box, fill=colour, **common)
        common |= self._read_stroke(given, 2 * pixel)
        common["fill"] = read_colour(given.get("fill_color", "#0000"), self._note)
        if command == "circle":
            r = self._measure(given, "radius", 100 * pixel)
            return LaidItem(tag="ellipse", box=Rect(box.x - r, box.y - r, 2 * r, 2 * r), **common)
        if command == "line":
            usual = {"x1": 0.0, "y1": 0.0, "x2": 50 * pixel, "y2": 50 * pixel}
            x1, y1, x2, y2 = (self._measure(given, name, value) for name, value in usual.items())
            return LaidItem(tag="line", box=Rect(x1 - trim, y1 - trim, x2 - x1, y2 - y1), **common)
        box = Rect(box.x, box.y, width or self._frame.width, height or self._frame.height)
        radius = self._measure(given, "radius", self._measure(given, "x_radius", 0.0))
        return LaidItem(tag="ellipse" if command == "ellipse" else "rect", box=box, radius=radius, **common)

    def _make_text(self, box: Rect, given: Options, common: dict[str, Any]) -> LaidItem | None:
        """Return a text with options `given`, fields `common`; None if empty. A side of 0 is to the card's edge."""
        text, trim = given.get("str", ""), self._frame.trim
        font = str(given.get("font", _USUAL_FONT))[:200]
        name, size = re.fullmatch(r"(.*?)\s*([0-9]{1,3}(?:[.][0-9]+)?)?(?:px)?\s*", font, re.DOTALL).groups()  # type: ignore[union-attr]
        styles = " ".join(style[1].lower() for style in _STYLES.finditer(name))
        width = box.width or self._frame.width - 2 * trim - box.x
        height = box.height or self._frame.height - 2 * trim - box.y
        if width <= 0 or height <= 0 or not text:
            return None
        align = "justify" if given.get("justify") == "true" else str(given.get("align", "left"))
        valign = str(given.get("valign", "top")) if box.height else "top"
        return LaidItem(
            tag="text" if self._command == "text" else "place", box=Rect(box.x, box.y, width, height), parts=(text,),
            family=_STYLES.sub("", name).strip(" ,") or "Arial",
            points=self._measure(given, "font_size", float(size or 12)),
            bold=bool(re.search("bold|heavy|black", styles)), italic=bool(re.search("italic|oblique", styles)),
            fill=read_colour(given.get("color", "black"), self._note),
            align=align if align in ("left", "center", "right", "justify") else "left",
            valign=valign if valign in ("top", "middle", "bottom") else "top",
            swaps=FORMATS if given.get("markup") == "true" else (), **self._read_stroke(given, 0.0), **common,
        )  # fmt: skip


_DECK = re.compile(r"\bSquib::Deck\.new\b|\bDeck\.new\b")
_REQUIRED = re.compile(r"""^[ \t]*require[ \t]*\(?["']squib""", re.MULTILINE)
_UP_TO = r"(?:(?!\b(?:csv|xlsx)\b)[^\n])*?"
"""The rest of a line up to the next table. A pattern that starts again at each word would take hours on a long line."""

_TABLE = re.compile(
    rf"""\b(csv|xlsx)\b\s*+(?:\(\s*+)?+{_UP_TO}file:\s*+(["'])((?:(?!\2)[^\n])+)\2"""
    rf"""(?:{_UP_TO}\bsheet:\s*+(?:(["'])((?:(?!\4)[^\n])+)\4|([0-9]{{1,4}})))?"""
)
_PAIR = re.compile(
    r"""\b(width|height|dpi|trim):\s*+(["']?)\s*+([0-9.][\w.]*?)\s*+(in|mm|cm|pt)?\s*+\2(?=[\s,)}]|$)""", re.ASCII
)
_UNREAD = re.compile(
    r"^[ \t]*(build|cut_zone|curve|grid|hand|polygon|safe_zone|save|save_json|save_pdf|save_png|save_sheet|showcase|"
    r"star|triangle)\b(?=\s*[\(\w:])",
    re.MULTILINE,
)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_DPI, _SIZE = 300.0, (825.0, 1125.0)
_BLEED = 37.5
"""Default bleed (pixels): Squib's default deck is 2.75 x 3.75 inches, 1/8 inch more than a poker card at each edge."""


_NOTES = dict.fromkeys(
    ("save", "save_pdf", "save_png", "save_sheet", "save_json", "hand", "showcase", "build"),
    "how the deck is written: `pnp sheets`, `pnp images` and `pnp shop` do that",
)
_OTHER_NOTE = "a shape that the script draws; draw it in the template with SVG"


def is_squib(files: ForeignFiles) -> bool:
    """Return True if a Ruby script makes a deck with Squib."""
    return any(_DECK.search(text) or _REQUIRED.search(text) for _, text in _iter_scripts(files))


def read_squib(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add a deck for each table that a script reads, in the script's size, else for each table of the project."""
    dpi = _read_config_dpi(files, foreign)
    seen: set[tuple[str, str]] = set()
    for script, text in _iter_scripts(files):
        lines = LineStarts(text)
        commands: dict[str, list[int]] = {}
        for match in _UNREAD.finditer(text):
            commands.setdefault(match[1], []).append(lines.find_position(match.start(1))[0])
        foreign.add_unread(script, commands, _NOTES, _OTHER_NOTE)
        # A table that is read before the first deck belongs to that deck.
        starts = [match.start() for match in _DECK.finditer(text)] or [0]
        decks: dict[int, tuple[Size, FoundLayout | None]] = {}
        for match in _TABLE.finditer(text):
            table, sheet = files.find_file(match[3], script), match[5] or match[6] or ""
            if not table:
                foreign.leave_out(script, lines.find_position(match.start())[0], f"there is no table '{match[3]}'")
            elif (table, sheet) not in seen:
                seen.add((table, sheet))
                deck = max(bisect_right(starts, match.start()) - 1, 0)
                if deck not in decks:
                    start, end = starts[deck], starts[deck + 1] if deck + 1 < len(starts) else len(text)
                    check = partial(foreign.check_card_size, script, lines.find_position(start)[0])
                    size, frame = _read_size(text[start:end], dpi, check)
                    reader = ScriptReader(files, foreign, script, frame)
                    decks[deck] = size, reader.read_items(text, start, end, lines)
                size, drawn = decks[deck]
                add_deck(files, foreign, table, sheet=sheet, size=size, layout=drawn)
    named = {table for table, _ in seen}
    for table in files.find_by_suffix(*TABLES):
        if not foreign.decks and table not in named:
            add_deck(files, foreign, table)
        elif table not in named:
            foreign.leave_out(table, 0, "a table that no script reads by its name")


def _iter_scripts(files: ForeignFiles) -> Iterator[tuple[str, str]]:
    for name in files.find_by_suffix(".rb", "rakefile"):
        try:
            yield name, _COMMENT.sub("", files.load_text(name))
        except InvalidInput:
            continue


def _read_size(
    part: str, dpi: float, usable: Callable[[float | None, float | None, Size], Size]
) -> tuple[Size, SquibFrame]:
    """Return the cut card's size (mm) and its frame from a deck's script; `usable` replaces an impossible size."""
    head = re.split(r"\bdo\b|\{", part, maxsplit=1)[0]
    usual = {"width": (_SIZE[0], ""), "height": (_SIZE[1], ""), "dpi": (dpi, ""), "trim": (0.0, "")}
    said = {match[1]: (parse_decimal(match[3].replace("_", "")), match[4] or "") for match in _PAIR.finditer(head)}
    trims = [match for match in _PAIR.finditer(part) if match[1] == "trim"]
    if trims:
        said["trim"] = (parse_decimal(trims[0][3].replace("_", "")), trims[0][4] or "")
    known = usual | said
    sides = known["width"], known["height"]
    if not trims and sides in ((usual["width"], usual["height"]), (usual["height"], usual["width"])):
        known["trim"] = (_BLEED, "")
    dots = known["dpi"][0]

    def mm(name: str) -> float | None:
        number, unit = known[name]
        return number and (number * (_UNITS[unit] if unit else MM_PER_INCH / (dots or dpi)))

    width, height, trim = mm("width"), mm("height"), mm("trim")
    if width is None or height is None or trim is None or dots is None:
        size = usable(None, None, POKER)
        return size, SquibFrame(dots or dpi, size.width, size.height, 0.0)
    return usable(width - 2 * trim, height - 2 * trim, POKER), SquibFrame(dots, width, height, trim)


def _read_config_dpi(files: ForeignFiles, foreign: FoundProject) -> float:
    """Return the dots per inch of the configuration; report a value that is no number."""
    for name in files.find_by_suffix("config.yml"):
        text = files.load_text(name)
        match = re.search(r"^dpi:[ \t]*([^\s#]+)", text, re.MULTILINE)
        if match and not (dpi := parse_decimal(match[1])):
            line = LineStarts(text).find_position(match.start())[0]
            foreign.leave_out(name, line, f"`dpi` is not a number above zero: {_DPI:g} is used")
        elif match:
            return dpi or _DPI
    return _DPI


SQUIB = Program("Squib", is_squib, read_squib)
