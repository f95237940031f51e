"""Texts by language, and their markup as rich text: bold, ruby, icons, references."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, NoReturn, TypeAlias


class Words:
    """One text in each language: `words["ja"]` is "稲妻". `heard` has those that were read (see `hear_languages`)."""

    __slots__ = ("_languages", "_texts")
    heard: ClassVar[set[str]] = set()

    def __init__(self, by_language: Mapping[str, str]):
        languages = (*by_language,)
        self._languages = _KNOWN.setdefault(languages, languages)  # shared by all texts of a game
        self._texts = (*by_language.values(),)

    def __getitem__(self, language: str) -> str:
        if language not in self._languages:
            raise KeyError(language)
        self.heard.add(language)
        return self._texts[self._languages.index(language)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._languages)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(tuple(sorted(self.items())))

    def __repr__(self) -> str:
        return f"Words({dict(self.items())!r})"

    def items(self) -> Iterable[tuple[str, str]]:
        """Return (language, text) pairs in the order of the data."""
        self.heard.update(self._languages)
        return zip(self._languages, self._texts, strict=True)


@contextmanager
def hear_languages() -> Iterator[set[str]]:
    """Yield the languages of the texts that are read until the end of the `with` statement, complete at its end."""
    before, heard = set(Words.heard), Words.heard
    heard.clear()
    mine: set[str] = set()
    try:
        yield mine
    finally:
        mine |= heard
        heard |= before


_KNOWN: dict[tuple[str, ...], tuple[str, ...]] = {}


class RunStyle(NamedTuple):
    """How a run differs from the type around it, beside bold, emphasis and colour.

    `size` is relative to its text; `rise` is its height above the line, in ems of the text (negative: below). An empty
    `family` and a `weight` of 0 mean those of the text.
    """

    size: float = 1.0
    rise: float = 0.0
    family: str = ""
    weight: int = 0
    small_capitals: bool = False
    underlined: bool = False
    struck: bool = False


DEFAULT_STYLE = RunStyle()
"""The style of a run that doesn't differ."""


class Plain(NamedTuple):
    """A run of characters; may be bold, emphasised or in a palette colour."""

    text: str
    bold: bool = False
    emphasis: bool = False
    colour: str = ""
    manner: RunStyle = DEFAULT_STYLE


@dataclass(frozen=True, slots=True)
class Ruby:
    """Base characters with their reading; `base` and `reading` are parallel groups of equal number."""

    base: tuple[str, ...]
    reading: tuple[str, ...]
    bold: bool = False
    emphasis: bool = False
    colour: str = ""
    manner: RunStyle = DEFAULT_STYLE


RING = "ring:"
"""Before a number, instead of an icon's name: the number in a ring, as in pictures."""


@dataclass(frozen=True, slots=True)
class Icon:
    """An inline icon by name, as tall as the text around it and in its colour, unless these are given (height: mm)."""

    name: str
    colour: str = ""
    height: float = 0.0
    manner: RunStyle = DEFAULT_STYLE


@dataclass(frozen=True, slots=True)
class Reference:
    """The name of a component, by its id (`reel/6-wheat`)."""

    component: str
    bold: bool = False
    emphasis: bool = False
    colour: str = ""
    manner: RunStyle = DEFAULT_STYLE


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A forced break; two in a row start a new paragraph."""


Inline: TypeAlias = Plain | Ruby | Icon | Reference | LineBreak
RichText: TypeAlias = tuple[Inline, ...]

_SEAM = r"(?<=[、，,:：])\s*|\s*(?=[（(])"
"""The best places to split a title: after a mark, before a bracket."""


def split_title(title: str) -> list[str]:
    """Return the two lines of a title that has a mark between its words, else the title alone."""
    return [part for part in re.split(_SEAM, title, maxsplit=1) if part]


_WITHIN = r"(?<=[^\x00-\x7f])(?=[^\x00-\x7f])"


def forbid_breaks(words: str) -> str:
    """Return Japanese words joined so that no line ends inside; other languages end lines only at spaces."""
    return re.sub(_WITHIN, "\u2060", words)


_SPECIAL = re.compile(r"[\\*{}\n]")
_MARKED = re.compile(r"[\\*{}\n\r]")
_COLOUR = re.compile(r"([A-Za-z_][\w.-]*)(?:=([^:{}|\n]*))?:")
_NAME = re.compile(r"[\w.-]+")
_MARKS = "[\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_CHARACTERS = f"[\\s\\S]{_MARKS}*"

_SCRIPT, _RAISED, _LOWERED = 0.65, 0.36, 0.14
"""Super- and subscript: the size, and the height above or below the line, in ems of the type around it."""

MARKS: dict[str, Callable[[RunStyle], RunStyle]] = {
    "underline": lambda manner: manner._replace(underlined=True),
    "strike": lambda manner: manner._replace(struck=True),
    "super": lambda manner: _scale_style(manner._replace(rise=manner.rise + _RAISED * manner.size), _SCRIPT),
    "sub": lambda manner: _scale_style(manner._replace(rise=manner.rise - _LOWERED * manner.size), _SCRIPT),
    "small": lambda manner: _scale_style(manner, 0.8),
    "large": lambda manner: _scale_style(manner, 1.25),
    "caps": lambda manner: manner._replace(small_capitals=True),
}
"""The effect of `{name:text}` on the style of its text, unless a palette colour has that name."""

VALUED = {"size": "{size=120%:text}", "weight": "{weight=600:text}", "font": "{font=title:text}"}
"""Marks with a value, each with an example."""

_LEAST_SIZE, _MOST_SIZE = 0.25, 4.0
_LIGHTEST, _HEAVIEST = 100, 900
_PERCENT = r"(\d{1,4}(?:\.\d{1,3})?)%"


class MarkupError(ValueError):
    """A fault in markup: `what` is the message, `offset` the character in the text."""

    def __init__(self, what: str, offset: int):
        super().__init__(what)
        self.what, self.offset = what, offset


def parse_markup(text: str, colours: Container[str] = ()) -> RichText:
    """Return the parts of `**bold**`, `*emphasis*`, `{漢字|かんじ}`, `{wheat}`, `{bronze:text}`, `{@reel/6-wheat}`.

    `{underline:text}` and others of `MARKS` set the style, as do those with a value, such as `{size=120%:text}`. A
    backslash makes the next character literal. Line ends at the end of the text are dropped (YAML's block texts have
    one). A name in the palette's `colours` takes precedence over a mark of that name. Raise `MarkupError`.
    """
    return (Plain(text),) if is_plain(text) else _Reader(text, colours).read()


def is_plain(text: str) -> bool:
    """Return True if a text has no markup, like most titles and numbers."""
    return bool(text) and not _MARKED.search(text)


def escape_markup(text: str) -> str:
    """Return markup that shows a text literally; templates fill nothing into it."""
    return re.sub(r"[\\*{}%]", r"\\\g<0>", text)


def to_plain_text(rich: RichText) -> str:
    """Return the characters alone: ruby without readings, an icon's name in braces, a reference's id, line ends."""
    parts = []
    for inline in rich:
        if isinstance(inline, Plain):
            parts.append(inline.text)
        elif isinstance(inline, Ruby):
            parts.extend(inline.base)
        elif isinstance(inline, Icon):
            parts.append(f"{{{inline.name}}}")
        elif isinstance(inline, Reference):
            parts.append(inline.component)
        else:
            parts.append("\n")
    return "".join(parts)


class _OpenMark(NamedTuple):
    """An open mark: its text, its offset, and the colour and style inside it."""

    written: str
    offset: int
    colour: str
    manner: RunStyle


class _Reader:
    """One pass over the text. Bold, emphasis, colour and style are states that new runs take on."""

    def __init__(self, text: str, colours: Container[str]):
        self._text, self._colours = text, colours
        self._at = 0
        self._out: list[Inline] = []
        self._run: list[str] = []
        self._bold = self._emphasis = -1  # offsets of the opening marks; -1: not open
        self._opened: list[_OpenMark] = []
        self._colour = ""
        self._manner = DEFAULT_STYLE

    def read(self) -> RichText:
        text = self._text
        while self._at < len(text):
            match = _SPECIAL.search(text, self._at)
            stop = match.start() if match else len(text)
            self._run.append(text[self._at : stop].replace("\r", ""))
            self._at = stop
            if match:
                self._read_special(match[0])
        self._close_run()
        self._check_closed()
        while self._out and isinstance(self._out[-1], LineBreak):
            self._out.pop()
        return tuple(self._out)

    def _read_special(self, char: str) -> None:
        if char == "\\":
            escaped = self._text[self._at + 1 : self._at + 2]
            self._at += 1
            if escaped != "\n":
                self._run.append(escaped or "\\")
                self._at += 1
        elif char == "*":
            self._read_asterisk()
        elif char == "{":
            self._read_brace()
        elif char == "}":
            if not self._opened:
                _raise_error("'}' closes nothing; write \\} for a brace", self._at)
            self._close_run()
            self._opened.pop()
            around = self._opened[-1] if self._opened else None
            self._colour, self._manner = (around.colour, around.manner) if around else ("", DEFAULT_STYLE)
            self._at += 1
        else:
            self._check_closed()  # a forgotten mark must not reach into the next line
            self._add_inline(LineBreak())
            self._at += 1

    def _read_asterisk(self) -> None:
        """Switch bold with `**`, emphasis with `*`. Before a space, with nothing to close, an asterisk is literal."""
        at, text = self._at, self._text
        width = 2 if text.startswith("**", at) else 1
        opened = self._bold if width == 2 else self._emphasis
        after = text[at + width : at + width + 1]
        self._at += width
        if opened < 0 and (not after or after.isspace()):
            self._run.append("*" * width)
            return
        self._close_run()
        now = -1 if opened >= 0 else at
        if width == 2:
            self._bold = now
        else:
            self._emphasis = now

    def _read_brace(self) -> None:
        start = self._at
        if mark := _COLOUR.match(self._text, start + 1):
            self._close_run()
            self._open_mark(mark, start)
            self._at = mark.end()
            return
        parts = self._split_braces(start)
        if len(parts) > 1:
            self._add_inline(self._make_ruby(parts, start))
        elif parts[0].startswith("@"):
            component = parts[0][1:]
            if not component:
                _raise_error("'{@}' names no component; write {@kind/design}", start)
            self._add_inline(Reference(component, self._bold >= 0, self._emphasis >= 0, self._colour, self._manner))
        elif _NAME.fullmatch(parts[0]):
            self._add_inline(Icon(parts[0], manner=self._manner))
        else:
            what = f"'{{{parts[0]}}}' is neither an icon {{name}} nor ruby {{漢字|かんじ}} nor coloured {{colour:text}}"
            _raise_error(what + "; write \\{ for a brace", start)

    def _split_braces(self, start: int) -> list[str]:
        """Return the text between the braces, split at `|`; move past the closing brace."""
        parts, at, text = [""], start + 1, self._text
        while at < len(text) and text[at] not in "}{\n":
            if text[at] == "|":
                parts.append("")
            else:
                at += text[at] == "\\" and at + 1 < len(text)
                parts[-1] += text[at]
            at += 1
        if at >= len(text) or text[at] != "}":
            _raise_error("'{' is not closed on its line; write \\{ for a brace", start)
        self._at = at + 1
        return parts

    def _make_ruby(self, parts: list[str], start: int) -> Ruby:
        base, readings = parts[0], tuple(parts[1:])
        if not base or not any(readings):
            _raise_error("ruby needs characters and a reading: {漢字|かんじ}", start)
        groups = (base,) if len(readings) == 1 else tuple(re.findall(_CHARACTERS, base))
        if len(groups) != len(readings):
            what = f"ruby has {len(readings)} readings for the {len(groups)} characters of '{base}'"
            _raise_error(what + "; give one for all or one for each", start)
        return Ruby(groups, readings, self._bold >= 0, self._emphasis >= 0, self._colour, self._manner)

    def _open_mark(self, mark: re.Match[str], start: int) -> None:
        name, value = mark.groups()
        if value is not None:
            self._manner = _apply_value(self._manner, name, value.strip(), start)
        elif name in MARKS and name not in self._colours:
            self._manner = MARKS[name](self._manner)
        else:
            self._colour = name
        if not _LEAST_SIZE <= self._manner.size <= _MOST_SIZE:
            what = f"'{{{mark[0]}' makes the type {self._manner.size:.0%} of the size of the surrounding text"
            _raise_error(f"{what}; write {_LEAST_SIZE:.0%} to {_MOST_SIZE:.0%}", start)
        self._opened.append(_OpenMark(mark[0], start, self._colour, self._manner))

    def _add_inline(self, inline: Inline) -> None:
        self._close_run()
        self._out.append(inline)

    def _close_run(self) -> None:
        text = "".join(self._run)
        self._run.clear()
        if text:
            self._out.append(Plain(text, self._bold >= 0, self._emphasis >= 0, self._colour, self._manner))

    def _check_closed(self) -> None:
        if self._opened:
            last = self._opened[-1]
            _raise_error(f"'{{{last.written}' is not closed on its line; write \\{{ for a brace", last.offset)
        for mark, offset in (("**", self._bold), ("*", self._emphasis)):
            if offset >= 0:
                _raise_error(f"'{mark}' is not closed on its line; write \\* for an asterisk", offset)


def _scale_style(manner: RunStyle, size: float) -> RunStyle:
    return manner._replace(size=manner.size * size)


def _apply_value(manner: RunStyle, name: str, value: str, offset: int) -> RunStyle:
    wanted = ""
    if name == "font":
        if value:
            return manner._replace(family=value)
        wanted = "a font family"
    elif name == "size":
        if percent := re.fullmatch(_PERCENT, value):
            return _scale_style(manner, float(percent[1]) / 100)
        wanted = "a size in percent"
    elif name == "weight":
        if value.isascii() and value.isdigit() and _LIGHTEST <= int(value[:5]) <= _HEAVIEST:
            return manner._replace(weight=int(value[:5]))
        wanted = f"a weight from {_LIGHTEST} to {_HEAVIEST}"
    if wanted:
        return _raise_error(f"'{value}' is not {wanted}; write {VALUED[name]}", offset)
    known = ", ".join(VALUED.values())
    return _raise_error(f"there is no mark '{{{name}=...:'; known: {known}; write \\{{ for a brace", offset)


def _raise_error(what: str, offset: int) -> NoReturn:
    raise MarkupError(what, offset)


LISTED = re.compile(r"^[ \t]*(?:(?:[-*]|[0-9]{1,3}[.)])[ \t]+\S|\|.*\|[ \t]*$)", re.MULTILINE)
"""A line of a list or a table (`generator.drawing.svg.text_forms`)."""


def make_emoji_replacer(icons: Iterable[tuple[str, Iterable[str]]]) -> Callable[[str], str]:
    """Return a function that replaces emoji by their icons in a text. A backslash before one keeps it."""
    known = {emoji.removesuffix("\ufe0f"): name for name, all_of_it in icons for emoji in all_of_it}
    if not known:
        return str
    longest = sorted(known, key=len, reverse=True)
    pattern = re.compile(f"(?<!\\\\)({'|'.join(map(re.escape, longest))})\ufe0f?")
    return lambda text: pattern.sub(lambda found: f"{{{known[found[1]]}}}", text)
