"""Fonts: opens, measures and shapes; finds the fonts of a game; sets variable fonts to a weight."""

import hashlib
import re
import struct
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import uharfbuzz as hb

from generator.base.cache import RecentValues
from generator.base.errors import InvalidInput, Place, Problem, did_you_mean
from generator.game.game_cache import ReadLog
from generator.game.model import FontFamily
from generator.text.font_files import (
    BROKEN,
    FontData,
    Numerals,
    ShapedColumn,
    ShapedText,
    can_be_subset,
    check_face,
    check_font,
    check_kind,
    hash_font,
    is_own_font,
    is_variable,
    open_font_file,
    read_features,
    split_clusters,
)

_LAYOUT_TABLES = ("GSUB", "GPOS", "GDEF", "BASE", "JSTF", "DSIG", "kern", "vhea", "vmtx", "VORG")
_COLUMN_SCRIPTS = {"zh": "Hani", "ko": "Hang"}
_IDEOGRAPH_TOP = 880.0  # 1/1000 em: the top of the em square over the baseline, if a font does not state it

_LOOKS = {
    "mono": "mono|courier|consol|menlo|typewriter",
    "sans": "sans|gothic|ゴシック|arial|helvetica|verdana|tahoma|myriad|segoe|calibri|roboto|futura|lato",
    "serif": "serif|mincho|明朝|roman|times|georgia|garamond|minion|baskerville|caslon|palatino|cambria",
    "script": "script|cursive|hand|brush|comic",
    "display": "display|fantasy|title",
}
"""Words in the name of a typeface that describe its look. The first match counts."""
_GENERIC = frozenset(["serif", "sans-serif", "monospace", "cursive", "fantasy"])


def _find_look(name: str) -> str:
    return next((look for look, words in _LOOKS.items() if re.search(words, name.lower())), "")


def _normalise_name(name: str) -> str:
    """Return the name of a typeface without its style, spaces and case."""
    return "".join([char for char in re.split("[-_]", name)[0].lower() if char.isalnum()])


Chain: TypeAlias = tuple[str, str, bool, bool, int]
"""Key of a list of fonts to try: family, language, bold, italic, explicit weight (0: according to bold)."""


class Font:
    """One static TrueType or OpenType file; `InvalidFont` if the bytes are no font, or may not be embedded.

    `ascent`, `descent` (negative below the baseline) and `cap_height` are fractions of an em.
    """

    def __init__(self, path: Path, data: FontData):
        self.path, self.data = path, data
        # The directory has a checksum of every table. Hashing it is enough, and takes no milliseconds as outlines do.
        count = int.from_bytes(data[4:6], "big")
        self.key = f"{path.stem}-{hashlib.sha256(data[: 12 + 16 * count]).hexdigest()[:8]}"
        check_kind(data)
        self._face = hb.Face(hb.Blob(data) if isinstance(data, bytes) else hb.Blob.from_file_path(str(path)))
        check_face(self._face)
        self._font = hb.Font(self._face)
        self.upem: int = self._face.upem
        self.is_cff = "CFF " in self._face.table_tags
        self._scale = 1000 / self.upem
        self._glyphs: dict[str, int] = {}
        self._advances: dict[int, float] = {}
        self._ink: dict[int, tuple[float, float, float, float] | None] = {}
        self._reaching: set[int] = set()
        self._reach = (0.0, 0.0, 0.0, 0.0)
        self._shaped: RecentValues[tuple[str, str, bool], ShapedText] = RecentValues()
        self._numerals = Numerals(self._shape_text, self.find_glyph, self.measure_advance)
        self._tops: dict[int, tuple[float, float]] = {}
        self._stood: RecentValues[tuple[str, str], ShapedColumn] = RecentValues()
        self._has_columns = {"vhea", "vmtx"} <= set(self._face.table_tags)
        extents = self._font.get_font_extents("ltr")
        self.ascent: float = extents.ascender / self.upem
        self.descent: float = extents.descender / self.upem
        self.cap_height = self._read_cap_height()

    def find_glyph(self, char: str) -> int:
        """Return the glyph of one character, 0 if the font has none."""
        found = self._glyphs.get(char)
        if found is None:
            found = self._glyphs[char] = self._font.get_nominal_glyph(ord(char)) or 0
        return found

    def measure_advance(self, glyph: int) -> float:
        """Return the pen's movement after a single glyph, 1/1000 em."""
        found = self._advances.get(glyph)
        if found is None:
            found = self._advances[glyph] = self._font.get_glyph_h_advance(glyph) * self._scale
        return found

    def measure_ink(self, glyph: int) -> tuple[float, float, float, float] | None:
        """Return the box around a glyph's outline in 1/1000 em: left, bottom, right, top; None for a blank one."""
        if glyph not in self._ink:
            box = self._font.get_glyph_extents(glyph)
            if box is None or not (box.width and box.height):
                self._ink[glyph] = None
            else:
                left, top, right = box.x_bearing, box.y_bearing, box.x_bearing + box.width
                self._ink[glyph] = tuple(edge * self._scale for edge in (left, top + box.height, right, top))
        return self._ink[glyph]

    def measure_ink_along(
        self, glyphs: Sequence[int], advances: Sequence[float]
    ) -> tuple[float, float, float, float] | None:
        """Return the box around glyphs side by side (1/1000 em), as `measure_ink` does for one, or None if blank."""
        pens = accumulate(advances or map(self.measure_advance, glyphs), initial=0.0)
        inks = [
            (pen + ink[0], ink[1], pen + ink[2], ink[3])
            for pen, ink in zip(pens, map(self.measure_ink, glyphs), strict=False)
            if ink is not None
        ]
        if not inks:
            return None
        lefts, lows, rights, highs = zip(*inks, strict=True)
        return min(lefts), min(lows), max(rights), max(highs)

    def measure_reach(self, glyphs: Iterable[int]) -> tuple[float, float, float, float]:
        """Return a box (1/1000 em) around all glyphs that were ever passed to this method."""
        if not self._reaching.issuperset(glyphs):
            new = set(glyphs) - self._reaching
            self._reaching |= new
            inks = [ink for ink in map(self.measure_ink, new) if ink is not None]
            lefts, lows, rights, highs = zip(self._reach, *inks, strict=True)
            self._reach = min(lefts), min(lows), max(rights), max(highs)
        return self._reach

    def draw_outline(self, glyph: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """Return a glyph's outline in units of the font (`upem` to the em), y up: M, L, Q, C and Z with points."""
        steps: _Steps = []
        # No class of its own: that would make reference cycles, which the garbage collector has to free.
        pen = SimpleNamespace(**{name: partial(_add_step, steps, letter) for name, letter in _PEN.items()})
        self._font.draw_glyph_with_pen(glyph, pen)
        return tuple(steps)

    def shape(
        self, text: str, lang: str = "und", ligatures: bool = True, features: tuple[tuple[str, int], ...] = ()
    ) -> ShapedText:
        """Return glyphs and advances of a word, left to right. Results with further `features` are not cached."""
        if features:
            return self._shape_text(text, lang, ligatures, more=features)
        key = (text, lang, ligatures)
        found = self._shaped.get(key)
        if found is None:
            found = self._numerals.compose_number(text, lang, ligatures) or self._shape_text(text, lang, ligatures)
            self._shaped.put(key, found)
        return found

    def has_feature(self, tag: str) -> bool:
        """Return True if the font has an OpenType feature for substitution, such as `smcp`."""
        return tag in read_features(bytes(self._face.reference_table("GSUB").data))

    def find_variant(self, char: str, selector: str) -> int:
        """Return the glyph of a character with a variation selector, 0 if the font doesn't have that variant."""
        return self._font.get_variation_glyph(ord(char), ord(selector)) or 0

    def shape_narrow(self, text: str, lang: str = "und") -> ShapedText:
        """Return glyphs half an em wide, if the font has them, to be set side by side in a column."""
        return self._shape_text(text, lang, ligatures=False, more=(("hwid", 1),))

    def shape_column(self, text: str, lang: str = "und", features: tuple[tuple[str, int], ...] = ()) -> ShapedColumn:
        """Return upright glyphs one below the other, in the font's forms for columns, with further `features`."""
        if features:
            return self._shape_column_text(text, lang, features)
        key = (text, lang)
        found = self._stood.get(key)
        if found is None:
            found = self._shape_column_text(text, lang)
            self._stood.put(key, found)
        return found

    def find_top(self, glyph: int) -> tuple[float, float]:
        """Return where the pen starts for an upright glyph in a column: the middle of its top (1/1000 em)."""
        found = self._tops.get(glyph)
        if found is None:
            found = self.measure_advance(glyph) / 2, _IDEOGRAPH_TOP
            if self._has_columns:
                x, y = self._font.get_glyph_v_origin(glyph)
                found = x * self._scale, y * self._scale
            self._tops[glyph] = found
        return found

    def shape_leftward(
        self, text: str, start: int, end: int, lang: str, ligatures: bool
    ) -> list[tuple[int, int, float, float, float]]:
        """Return the glyphs of a right-to-left part of a text, joined to its neighbours, from left to right.

        Each has the start of its characters in the text, its advance, and its shift right and up, 1/1000 em.
        """
        buffer = hb.Buffer()
        buffer.add_str(text, start, end - start)
        buffer.language, buffer.direction = lang, "rtl"
        buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS  # readers treat a mark as a separate character
        buffer.guess_segment_properties()
        buffer.flags |= hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
        hb.shape(self._font, buffer, {"kern": True, "liga": ligatures, "clig": ligatures, "dlig": False})
        scale = self._scale
        return [
            (info.codepoint, info.cluster, place.x_advance * scale, place.x_offset * scale, place.y_offset * scale)
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        ]

    def subset(self, glyphs: Iterable[int]) -> bytes:
        """Return a font file with only these glyphs, numbered as before, and their parts; all if its licence says."""
        if not can_be_subset(self._face):  # its licence allows only the whole file
            return self.data[:]
        wanted = hb.SubsetInput()
        wanted.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE
        wanted.glyph_set.update(set(glyphs))
        tags = {int.from_bytes(table.ljust(4).encode("ascii"), "big") for table in _LAYOUT_TABLES}
        wanted.drop_table_tag_set.update(tags)
        return bytes(hb.subset(self._face, wanted).blob.data)

    def _shape_text(self, text: str, lang: str, ligatures: bool, more: tuple[tuple[str, int], ...] = ()) -> ShapedText:
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.language, buffer.direction = lang, "ltr"  # HarfBuzz would guess the computer's locale
        buffer.guess_segment_properties()
        buffer.flags |= hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
        features = {"kern": 1, "liga": ligatures, "clig": ligatures, "lnum": 1, "dlig": 0, "hwid": 0, **dict(more)}
        hb.shape(self._font, buffer, features)
        infos, positions, scale = buffer.glyph_infos, buffer.glyph_positions, self._scale
        starts = [info.cluster for info in infos]
        glyphs = tuple([info.codepoint for info in infos])
        clusters = split_clusters(text, starts)
        advances = [position.x_advance * scale for position in positions]
        for index, position in enumerate(positions):
            if position.x_offset:  # runs have no offsets: the pen moves there and back
                advances[index] -= position.x_offset * scale
                if index:
                    advances[index - 1] += position.x_offset * scale
        rises = tuple([position.y_offset * scale for position in positions])
        moves = zip(advances, glyphs, strict=True)
        natural = not any(rises) and all(abs(move - self.measure_advance(glyph)) < 0.01 for move, glyph in moves)
        return ShapedText(glyphs, clusters, tuple(advances), rises, sum(advances), natural)

    def _shape_column_text(self, text: str, lang: str, more: tuple[tuple[str, int], ...] = ()) -> ShapedColumn:
        glyphs: list[tuple[int, ...]] = []
        for columns in (False, True):
            buffer = hb.Buffer()
            buffer.add_str(text)
            buffer.direction, buffer.language = "ttb", lang
            buffer.script = _COLUMN_SCRIPTS.get(lang.split("-", 1)[0], "Kana")  # marks alone have no script
            buffer.flags |= hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
            hb.shape(self._font, buffer, {"vert": columns, "vrt2": 0, "liga": 0, "clig": 0, "dlig": 0, **dict(more)})
            glyphs.append(tuple(info.codepoint for info in buffer.glyph_infos))
        if self._has_columns:
            advances = tuple(-position.y_advance * self._scale for position in buffer.glyph_positions)
        else:
            advances = (1000.0,) * len(glyphs[1])
        clusters = split_clusters(text, [info.cluster for info in buffer.glyph_infos])
        return ShapedColumn(glyphs[1], clusters, advances, glyphs[1] != glyphs[0])

    def _read_cap_height(self) -> float:
        table = bytes(self._face.reference_table("OS/2").data)
        if len(table) >= 90 and struct.unpack_from(">H", table)[0] >= 2:
            stated: int = struct.unpack_from(">h", table, 88)[0]
            if stated > 0:
                return stated / self.upem
        box = self.measure_ink(self.find_glyph("H")) if self.find_glyph("H") else None
        return box[3] / 1000 if box else 0.7


_Steps: TypeAlias = list[tuple[str, tuple[float, ...]]]

_PEN = {"moveTo": "M", "lineTo": "L", "qCurveTo": "Q", "curveTo": "C", "closePath": "Z"}
"""The letter of each step, by HarfBuzz's name for it."""


def _add_step(steps: _Steps, letter: str, *points: tuple[float, float]) -> None:
    steps.append((letter, tuple(value for point in points for value in point)))


class FontChain(Sequence[Font]):
    """Fonts to try for each character, the preferred first. A search opens those that it reaches."""

    def __init__(self, fonts: Iterable[Font | None]):
        self._opened: list[Font] = []
        self._further = filter(None, fonts)

    def __getitem__(self, at: Any) -> Any:
        """Return the font of a number from 0 on. Raise IndexError if there are fewer."""
        while at >= len(self._opened):
            font = next(self._further, None)
            if font is None:
                raise IndexError(at)
            if font not in self._opened:
                self._opened.append(font)
        return self._opened[at]

    def find(self, char: str) -> Font | None:
        """Return the first font that has a character, or None."""
        for font in self._opened:
            if font.find_glyph(char):
                return font
        return next((font for font in self if font.find_glyph(char)), None)

    def __len__(self) -> int:
        """Open all fonts and return their number."""
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        """Return True if there is a font."""
        return any(True for _ in self)


class FontBook:
    """The fonts of a game's families. Files are opened on first use, and their faults are recorded.

    `find` returns the path of a file name, None if there is no such file; `names` lists the files, for hints.
    `problems` and `notes` grow as files are opened; `varying` has the lightest and heaviest weight of each variable
    one. `memo` is a cache for values that later stages derive from the fonts. `reads` records the files.
    """

    def __init__(
        self,
        families: Mapping[str, FontFamily],
        find: Callable[[str], Path | None],
        names: Callable[[], Iterable[str]] = lambda: (),
        reads: ReadLog | None = None,
    ) -> None:
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self.memo: dict[Hashable, Any] = {}
        self.families, self._find, self._names, self._reads = families, find, names, reads
        if reads is not None:
            reads.look["font"] = lambda name: hash_font(open_font_file(path)) if (path := find(name)) else ""
        self._by_name: dict[tuple[str, int], Font | None] = {}
        self.varying: dict[str, tuple[int, int]] = {}
        self._paths: dict[str, Path | None] = {}
        self._by_key: dict[str, Font] = {}
        self._chains: dict[Chain, FontChain] = {}
        self._matches: dict[tuple[str, ...], tuple[str, bool]] = {}

    def get_chain(self, family: str, lang: str, bold: bool = False, italic: bool = False, weight: int = 0) -> FontChain:
        """Return the fonts to try for each character, the preferred first; bold takes precedence over italic.

        An explicit `weight` takes precedence over both and sets that of variable fonts. Without such fonts, return the
        regular ones. Unusable files are left out. A project's own files are opened at once, to report all faults.
        Raise KeyError for an unknown family.
        """
        key = (family, lang, bold, italic, weight)
        found = self._chains.get(key)
        if found is None:
            found = self._chains[key] = self._open_chain(self.families[family], key)
        return found

    def match_family(self, wanted: Sequence[str]) -> tuple[str, bool]:
        """Return the family for the font names of a drawing, and whether one of the names means it.

        A name means the family that is called so, or that has a file of that name. For other names, return the first
        family that looks similar, or else the first of all. Without families, return an empty name.
        """
        found = self._matches.get(tuple(wanted))
        if found is None:
            found = self._matches[tuple(wanted)] = self._search_family(wanted)
        return found

    def _search_family(self, wanted: Sequence[str]) -> tuple[str, bool]:
        files = {
            family: [name for names in entry.regular.values() for name in names]
            for family, entry in self.families.items()
        }
        known = {_normalise_name(name): family for family, names in reversed(files.items()) for name in names}
        known |= {_normalise_name(family): family for family in files}
        for name in wanted:
            if found := known.get(_normalise_name(name)):
                return found, True
        for name in wanted:
            look = _find_look(name)
            for family, names in files.items():
                if look and look == (_find_look(family) or _find_look("".join(names[:1]))):
                    return family, wanted[0].lower() in _GENERIC
        return next(iter(files), ""), False

    @property
    def chains(self) -> tuple[Chain, ...]:
        """Keys of all lists of fonts requested so far; requesting them again opens the same fonts in the same order."""
        return tuple(self._chains)

    def get_font(self, key: str) -> Font:
        """Return the font with this key, as in a text run. Raise KeyError if no requested list has such a font."""
        try:
            return self._by_key[key]
        except KeyError:  # an earlier process has set the run
            any(font.key == key for chain in self._chains.values() for font in chain)
            return self._by_key[key]

    def measure_ink(self, font: str, glyph: int) -> tuple[float, float, float, float] | None:
        """Return left, bottom, right, top of a glyph of the font with key `font` (1/1000 em, y up); None if blank."""
        return self.get_font(font).measure_ink(glyph)

    def measure_advance(self, font: str, glyph: int) -> float:
        """Return the pen's movement after a glyph of the font with key `font`, 1/1000 em."""
        return self.get_font(font).measure_advance(glyph)

    def _open_chain(self, entry: FontFamily, asked: Chain) -> FontChain:
        family, lang, bold, italic, weight = asked
        files = entry.weights.get(lang, {}).get(weight, ())
        for wanted, cut in ((bold, entry.bold), (italic, entry.italic), (True, entry.regular)):
            if wanted and not files:
                files = tuple(cut.get(lang, ()))
        if not files:
            hint = did_you_mean(lang, entry.regular)
            what = f"the font family '{family}' has no files for the language '{lang}'"
            self._add_problem(Problem(entry.place, what, hint))
        weight = weight or (700 if bold else 400)
        for name in files:
            if name not in self._paths:
                self._paths[name] = self._find(name)
            if (path := self._paths[name]) is None or not is_own_font(path):
                self._open_font(name, entry.place, weight)
        return FontChain(self._open_font(name, entry.place, weight) for name in files)

    def _open_font(self, name: str, place: Place | None, weight: int) -> Font | None:
        key = (name, weight if name in self.varying else 0)
        if key not in self._by_name:
            font = self._read_font(name, place, weight)
            key = (name, weight if name in self.varying else 0)
            self._by_name[key] = font
        return self._by_name[key]

    def _read_font(self, name: str, place: Place | None, weight: int) -> Font | None:
        path = self._paths[name]
        if path is None:
            self._add_problem(Problem(place, f"there is no font file '{name}'", did_you_mean(name, self._names())))
            return None
        try:
            data = open_font_file(path)
            if self._reads is not None:
                self._reads.note_file("font", name, hash_font(data))
            if isinstance(data, bytes) and is_variable(data):
                axis = _find_weight_axis(hb.Face(hb.Blob(data)))
                self.varying[name] = (round(axis.min_value), round(axis.max_value)) if axis else (400, 400)
                data = make_instance(data, weight)
            font = Font(path, data)
            if isinstance(data, bytes) and (wrong := check_font(font)):  # a test checks the program's own fonts
                said = f"the checksum of '{wrong[0]}' in the font file '{name}' is wrong: the font is used as it is"
                self.notes.append(f"{said}; copy the file anew if letters look wrong")
        except InvalidInput as unfit:
            self._add_problem(Problem(place, f"the font file '{name}' can't be used: {unfit}", unfit.hint))
            return None
        except BROKEN:
            what = f"the font file '{name}' can't be used: it is damaged"
            self._add_problem(Problem(place, what, "copy the file anew"))
            return None
        return self._by_key.setdefault(font.key, font)

    def _add_problem(self, problem: Problem) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


_WEIGHT = "wght"


def make_instance(data: bytes, weight: int) -> bytes:
    """Return a static font made from a variable one: at the nearest possible weight, other axes at their defaults."""
    face = hb.Face(hb.Blob(data))
    if "glyf" not in face.table_tags:
        what = "it is a variable font with PostScript outlines; use the TrueType one, or a file for each weight"
        raise InvalidInput(what)
    wanted = hb.SubsetInput()
    wanted.keep_everything()
    wanted.pin_all_axes_to_default(face)
    if axis := _find_weight_axis(face):
        wanted.pin_axis_location(face, _WEIGHT, min(max(float(weight), axis.min_value), axis.max_value))
    return bytes(hb.subset(face, wanted).blob.data)


def _find_weight_axis(face: Any) -> Any:
    return next((axis for axis in face.axis_infos if axis.tag == _WEIGHT), None)
