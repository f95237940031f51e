"""Parses the markup of localised strings (bold, emphasis, ruby, icons, colours, references) into rich text."""

import re
from typing import NoReturn

from generator.model.text import Icon, Inline, LineBreak, Plain, Reference, RichText, Ruby

_SPECIAL = re.compile(r"[\\*{}\n]")
_MARKED = re.compile(r"[\\*{}\n\r]")
_COLOUR = re.compile(r"([A-Za-z_][\w.-]*):")
_NAME = re.compile(r"[\w.-]+")
_MARKS = "[\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_CHARACTERS = re.compile(f"[\\s\\S]{_MARKS}*")


class MarkupError(ValueError):
    """Markup that can't be read: `what` is wrong, in words, at character `offset` of the text."""

    def __init__(self, what: str, offset: int):
        super().__init__(what)
        self.what, self.offset = what, offset


def parse_markup(text: str) -> RichText:
    """The tree of `**bold**`, `*emphasis*`, `{漢字|かんじ}`, `{wheat}`, `{bronze:text}`, `{@reel/6-wheat}` and lines.

    A backslash takes the next character literally. Line ends at the very end of the text count for nothing (YAML's
    block texts have one). Raises `MarkupError`.
    """
    return (Plain(text),) if is_plain(text) else _Reader(text).read()


def is_plain(text: str) -> bool:
    """Whether a text is one plain run, as most titles and numbers are: there is nothing in it to parse."""
    return bool(text) and not _MARKED.search(text)


def plain_text(rich: RichText) -> str:
    """The characters alone: no readings of ruby, an icon's name in braces, a reference's id, line ends as they are."""
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


class _Reader:
    """One pass over the text; bold, emphasis and colour are states that runs of characters take on."""

    def __init__(self, text: str):
        self._text = text
        self._at = 0
        self._out: list[Inline] = []
        self._run: list[str] = []
        self._bold = self._emphasis = -1  # where they were opened; -1: not open
        self._colours: list[tuple[str, int]] = []

    def read(self) -> RichText:
        text = self._text
        while self._at < len(text):
            match = _SPECIAL.search(text, self._at)
            stop = match.start() if match else len(text)
            self._run.append(text[self._at : stop].replace("\r", ""))
            self._at = stop
            if match:
                self._special(match[0])
        self._close_run()
        self._check_closed()
        while self._out and isinstance(self._out[-1], LineBreak):
            self._out.pop()
        return tuple(self._out)

    def _special(self, char: str) -> None:
        if char == "\\":
            self._escape()
        elif char == "*":
            self._asterisk()
        elif char == "{":
            self._brace()
        elif char == "}":
            self._close_colour()
        else:
            self._check_closed()  # a forgotten mark must not reach into the next line
            self._add(LineBreak())
            self._at += 1

    def _escape(self) -> None:
        escaped = self._text[self._at + 1 : self._at + 2]
        self._at += 1
        if escaped != "\n":
            self._run.append(escaped or "\\")
            self._at += 1

    def _asterisk(self) -> None:
        """`**` and `*` switch bold and emphasis; an asterisk before a space, with nothing to close, is itself."""
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

    def _brace(self) -> None:
        start = self._at
        if colour := _COLOUR.match(self._text, start + 1):
            self._close_run()
            self._colours.append((colour[1], start))
            self._at = colour.end()
            return
        parts = self._braced(start)
        if len(parts) > 1:
            self._add(self._ruby(parts, start))
        elif parts[0].startswith("@"):
            self._add(self._reference(parts[0][1:], start))
        elif _NAME.fullmatch(parts[0]):
            self._add(Icon(parts[0]))
        else:
            what = f"'{{{parts[0]}}}' is neither an icon {{name}} nor ruby {{漢字|かんじ}} nor coloured {{colour:text}}"
            _fail(what + "; write \\{ for a brace", start)

    def _braced(self, start: int) -> list[str]:
        """What stands between the braces, split at `|`; moves behind the closing brace."""
        parts, at, text = [""], start + 1, self._text
        while at < len(text) and text[at] not in "}{\n":
            if text[at] == "|":
                parts.append("")
            else:
                at += text[at] == "\\" and at + 1 < len(text)
                parts[-1] += text[at]
            at += 1
        if at >= len(text) or text[at] != "}":
            _fail("'{' is not closed on its line; write \\{ for a brace", start)
        self._at = at + 1
        return parts

    def _ruby(self, parts: list[str], start: int) -> Ruby:
        base, readings = parts[0], tuple(parts[1:])
        if not base or not any(readings):
            _fail("ruby needs characters and a reading: {漢字|かんじ}", start)
        groups = (base,) if len(readings) == 1 else tuple(_CHARACTERS.findall(base))
        if len(groups) != len(readings):
            what = f"ruby has {len(readings)} readings for the {len(groups)} characters of '{base}'"
            _fail(what + "; give one for all or one for each", start)
        return Ruby(groups, readings, self._bold >= 0, self._emphasis >= 0, self._colour())

    def _reference(self, component: str, start: int) -> Reference:
        if not component:
            _fail("'{@}' names no component; write {@kind/design}", start)
        return Reference(component, self._bold >= 0, self._emphasis >= 0, self._colour())

    def _close_colour(self) -> None:
        if not self._colours:
            _fail("'}' closes nothing; write \\} for a brace", self._at)
        self._close_run()
        self._colours.pop()
        self._at += 1

    def _colour(self) -> str:
        return self._colours[-1][0] if self._colours else ""

    def _add(self, inline: Inline) -> None:
        self._close_run()
        self._out.append(inline)

    def _close_run(self) -> None:
        text = "".join(self._run)
        self._run.clear()
        if text:
            self._out.append(Plain(text, self._bold >= 0, self._emphasis >= 0, self._colour()))

    def _check_closed(self) -> None:
        if self._colours:
            colour, offset = self._colours[-1]
            _fail(f"'{{{colour}:' is not closed on its line; write \\{{ for a brace", offset)
        for mark, offset in (("**", self._bold), ("*", self._emphasis)):
            if offset >= 0:
                _fail(f"'{mark}' is not closed on its line; write \\* for an asterisk", offset)


def _fail(what: str, offset: int) -> NoReturn:
    raise MarkupError(what, offset)
