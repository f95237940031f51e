"""Sources of templates: their files, places of tags, syntax errors, rendered pieces."""

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias
from zlib import crc32

from markupsafe import Markup

from generator.base.cache import hash_bytes
from generator.base.errors import Place, Problem, ProblemsFound, find_similar_name, locate_fault
from generator.base.files import Resources, read_file
from generator.game.game_cache import ReadLog


def read_template(path: Path, shown: str) -> str:
    """Return the file's text with newlines as line ends. Raise ProblemsFound at `shown` if it can't be read."""
    try:
        with locate_fault(Place(shown)):
            text = read_file(path, "markup").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        what = f"byte 0x{error.object[error.start]:02X} is not UTF-8"
        raise ProblemsFound([Problem(Place(shown, line, column), what, "save the file as UTF-8")]) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


_NUMBERS = 1000
"""Range of the numbers of files."""


class TemplateFiles:
    """The templates of one game. Existing and missing files are noted in `reads`; `numbered` has files by number."""

    def __init__(self, game: str, resources: Resources, reads: ReadLog | None = None):
        self._game, self._resources, self._reads = game, resources, reads
        self.numbered: dict[int, str] = {}
        if reads is not None:
            reads.look["template"] = lambda template: _digest_source(self._find_source(template))

    def read_source(self, template: str) -> tuple[str, str] | None:
        """Return the text and the file of a template, or None. Raise ProblemsFound if it can't be read."""
        try:
            found = self._find_source(template)
        except ProblemsFound:
            self._note_read(template, "")
            raise
        self._note_read(template, _digest_source(found))
        return found

    def number_file(self, file: str) -> int:
        """Return the number of a file in stamps: in each run the same, unless two files hit on one number."""
        number = crc32(file.encode()) % _NUMBERS
        while self.numbered.setdefault(number, file) != file:
            number += 1
        return number

    def list_names(self) -> list[str]:
        """Return the names of the templates, as a template would write them."""
        own, common = f"{self._game}/", "common/"
        known = self._resources.list_names("templates", ".svg")
        return [name.removeprefix(own) for name in known if name.startswith((own, common))]

    def leads_out(self, template: str) -> bool:
        """Return True if this name is a link to a file outside the folder."""
        return any(self._resources.leaves_root("templates", f"{home}/{template}") for home in (self._game, "common"))

    def _find_source(self, template: str) -> tuple[str, str] | None:
        parts = template.replace("\\", "/").split("/")
        if ".." not in parts and not template.startswith("/"):
            direct = parts[0] in ("common", self._game) and len(parts) > 1
            for name in [template] if direct else [f"{self._game}/{template}", f"common/{template}"]:
                path = self._resources.find("templates", name)
                if path is not None:
                    return read_template(path, shown := self._resources.display_path(path)), shown
        return None

    def _note_read(self, template: str, state: str) -> None:
        if self._reads is not None:
            self._reads.note_file("template", template, state)


def _digest_source(found: tuple[str, str] | None) -> str:
    return f"{hash_bytes(found[0].encode())} {found[1]}" if found else ""


DRAWN_SIGNS = re.compile(
    r"shape-inside|inline-size|<(?:svg:)?flowRoot|SVGTextShape|white-space:\s*pre\b|<!--\s*Generator:|Created with"
    r"|xmlns:(?:svg|inkscape|sodipodi|serif|sketch|figma|bx|ooo|xd|vectornator)\b"
    r"|(?:inkscape:label|serif:id|data-name|\bid)=[\"'](?:card(?:\.|_x2E_)|if(?::|_x3A_))"
)
"""What only drawing programs write, or names that bind an object."""

DRAWN = "data-drawn"
"""The attribute of a root element that marks such a layout. It has notes, a line each: `line:text`, `line:!problem`."""

STATIC = "data-static"
"""The attribute of an element that is the same on every card. It may have all that drawings of other programs have."""

STAMP = "_at"
# Outside comments and CDATA a `<` before a letter always opens a tag: XML allows it nowhere else.
_OPENING_TAG = re.compile(r"<!--|<!\[CDATA\[|<!DOCTYPE|<[A-Za-z_][\w:.-]*")
_CLOSING = {"<!--": "-->", "<![CDATA[": "]]>"}
_TAG_BEGINS = re.compile(r"\{[#%{]")
_TAG_ENDS = {"{#": "#}", "{%": "%}", "{{": "}}"}
_NOT_NEWLINE = re.compile(r"[^\n]")


def find_jinja_tags(source: str, begins: Container[str] = _TAG_ENDS) -> Iterator[tuple[int, int]]:
    """Yield begin and end of each Jinja tag in order, but only of kinds in `begins`, such as `{{`."""
    position, never = 0, set[str]()  # kinds without an end in the rest: searching again for each would be slow
    while found := _TAG_BEGINS.search(source, position):
        kind = found[0]
        end = source.find(_TAG_ENDS[kind], found.end()) if kind in begins and kind not in never else -1
        if end >= 0:
            position = end + 2
            yield found.start(), position
        else:
            never.add(kind)
            position = found.start() + 1


class SourceMap:
    """A search for the pieces of markup in their template's source. They must come in order."""

    def __init__(self, source: str):
        # Jinja's tags are blanked, since they may contain the same markup.
        self._blanked = blank_tags(source, find_jinja_tags(source))
        self._source = source
        self._starts = [0, *(found.end() for found in re.finditer("\n", source))]
        self._reached = 0

    def find_piece(self, piece: str, line: int) -> int | None:
        """Return the offset of a piece that starts on `line`, or None if it is not in the source."""
        start = max(self._reached, self._starts[min(line, len(self._starts)) - 1])
        for text in (self._blanked, self._source):
            found = text.find(piece, start)
            if found >= 0:
                self._reached = found + len(piece)
                return found
        return None

    def find_position(self, offset: int) -> str:
        """Return `line:column` of a character, both from 1."""
        line = bisect_right(self._starts, offset)
        return f"{line}:{offset - self._starts[line - 1] + 1}"


def blank_tags(source: str, tags: Iterable[tuple[int, int]]) -> str:
    """Return the source with spaces for these tags. Its lines are unchanged."""
    parts, done = [], 0
    for start, end in tags:
        parts += [source[done:start], _NOT_NEWLINE.sub(" ", source[start:end])]
        done = end
    return "".join([*parts, source[done:]])


class TagStamper:
    """A stamper for one template's pieces of markup in order; `number` identifies the file."""

    def __init__(self, number: int, source: str):
        self._number = number
        self._map = SourceMap(source)
        self._inside = ""

    def stamp_tags(self, data: str, line: int, tag_may_end: bool) -> str:
        """Return the piece with ` _at="number:line:column"` after each tag's name, at its end only if `tag_may_end`."""
        base = self._map.find_piece(data, line)
        out: list[str] = []
        position = 0
        while True:
            if self._inside:
                closing = _CLOSING[self._inside]
                end = data.find(closing, position)
                if end < 0:
                    break
                self._inside = ""
                out.append(data[position : end + len(closing)])
                position = end + len(closing)
            match = _OPENING_TAG.search(data, position)
            if match is None:
                break
            out.append(data[position : match.start()])
            position = match.end()
            at = f' {STAMP}="{self._number}:{self._find_position(data, match.start(), base, line)}"'
            if match[0] in _CLOSING:
                self._inside = match[0]
                out.append(match[0])
            elif match[0] == "<!DOCTYPE":
                out.append(f"<!--{at}-->{match[0]}")  # it takes no attributes: a comment before it holds its place
            else:
                out.append(match[0] + (at if position < len(data) or tag_may_end else ""))
        out.append(data[position:])
        return "".join(out)

    def _find_position(self, data: str, offset: int, base: int | None, line: int) -> str:
        if base is not None:
            return self._map.find_position(base + offset)
        return f"{line + data.count(chr(10), 0, offset)}:0"


_BEGINS = re.compile(r"\{[{%#]")
_ENDS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_BLOCK = r"\{%[-+]?\s*(\w+)([^%]*)%\}"
_BLOCKS = ("if", "for", "macro", "call", "filter", "set", "block", "raw")
_TAGS = frozenset(["elif", "else", "from", "import", "include", *_BLOCKS, *(f"end{name}" for name in _BLOCKS)])
_INNERMOST = r"innermost block that needs to be closed is '(\w+)'"
_UNKNOWN = r"Encountered unknown tag '(\w+)'"
_SIGN = r"unexpected char (?P<quote>['\"])(?P<sign>.+)(?P=quote) at"
_BRACKET = r"unexpected '(?:.+)', expected '([)\]}])'"
_EXPECTED = r"expected token '(?P<wanted>[^']+)', got '(?P<got>.+)'"
_UNEXPECTED = r"unexpected '(?P<got>.+)'"
_OPENING_BRACKETS = {")": "(", "]": "[", "}": "{"}
_INSTEAD = {
    **dict.fromkeys("“”„", 'write a straight quote (") instead'),
    **dict.fromkeys("‘’", "write a straight quote (') instead"),
    "?": "write {{ this if condition else that }}",
    "&": "write `and`",
    "!": "write `not`, or != for unequal",
    "$": "write the name without it",
}


class SyntaxFault(NamedTuple):
    """A syntax error: what is wrong, a hint, and its line; column 0 if unknown."""

    what: str
    hint: str
    line: int
    column: int = 0


def explain_syntax(message: str, source: str, line: int) -> SyntaxFault:
    """Return an explanation of Jinja's message for a line of a template's source."""
    innermost, unknown = re.search(_INNERMOST, message), re.match(_UNKNOWN, message)
    if unknown:
        return _unknown_tag(unknown[1], innermost[1] if innermost else "", source, line)
    if innermost:
        return _never_closed(innermost[1], source, line)
    if message.startswith("Missing end of raw"):
        return _never_closed("raw", source, line)
    begin = _open_tag(source, line)
    if begin >= 0:
        sign = source[begin : begin + 2]
        row, column = _find_position(source, begin)
        return SyntaxFault(f"the `{sign}` is never closed", f"write `{_ENDS[sign]}` where it ends", row, column)
    return SyntaxFault(*_within_tag(message), line)


def _find_position(source: str, offset: int) -> tuple[int, int]:
    return source.count("\n", 0, offset) + 1, offset - source.rfind("\n", 0, offset)


def _open_tag(source: str, line: int) -> int:
    """Return the offset of an unclosed tag: the first on this line or the last one before it; -1 if there is none."""
    start = 0
    for _ in range(line - 1):
        start = source.find("\n", start) + 1
    end = source.find("\n", start)
    end = end if end >= 0 else len(source)
    tags = [begin.start() for begin in _BEGINS.finditer(source, 0, end)]
    before = [at for at in tags if at < start][-1:]
    for at in [*before, *(at for at in tags if at >= start)]:
        closed = source.find(_ENDS[source[at : at + 2]], at + 2)
        after = _BEGINS.search(source, at + 2)
        if closed < 0 or (after is not None and after.start() < closed):
            return at
    return -1


def _open_blocks(source: str, line: int) -> list[tuple[str, int]]:
    """Return (name, offset) of the blocks that are open at the end of a line, outermost first."""
    found: list[tuple[str, int]] = []
    for tag in re.finditer(_BLOCK, source):
        name, rest = tag.groups()
        if source.count("\n", 0, tag.start()) >= line:
            break
        if name in _BLOCKS and not (name == "set" and "=" in rest):
            found.append((name, tag.start()))
        elif found and name == f"end{found[-1][0]}":
            found.pop()
    return found


def _never_closed(name: str, source: str, line: int) -> SyntaxFault:
    begin = next((at for block, at in reversed(_open_blocks(source, line)) if block == name), -1)
    spot = _find_position(source, begin) if begin >= 0 else (line, 0)
    return SyntaxFault(f"the `{{% {name} %}}` is never closed", f"write {{% end{name} %}} where it ends", *spot)


def _unknown_tag(name: str, innermost: str, source: str, line: int) -> SyntaxFault:
    tag = f"`{{% {name} %}}`"
    if name not in _TAGS:
        near = find_similar_name(name, _TAGS)
        hint = f"did you mean '{near}'?" if near else "write text outside of {% %}"
        return SyntaxFault(f"there is no tag '{name}'", hint, line)
    if innermost:
        begin = next((at for block, at in reversed(_open_blocks(source, line)) if block == innermost), -1)
        where = f" of line {_find_position(source, begin)[0]}" if begin >= 0 else ""
        what = f"{tag} comes before the `{{% {innermost} %}}`{where} is closed"
        return SyntaxFault(what, f"write {{% end{innermost} %}} before it", line)
    wanted = name.removeprefix("end") if name.startswith("end") else "if"
    return SyntaxFault(
        f"{tag} has no matching tag before it", f"remove it, or write {{% {wanted} ... %}} before it", line
    )


def _within_tag(message: str) -> tuple[str, str]:
    if found := re.match(_SIGN, message):
        if found["sign"] in "'\"":
            return "a quote is not closed in this tag", f"write a second {found['sign']} where the text ends"
        return f"the character '{found['sign']}' is not allowed here", _INSTEAD.get(found["sign"], "remove it")
    if found := re.match(_BRACKET, message):
        return f"a `{_OPENING_BRACKETS[found[1]]}` is not closed in this tag", f"write `{found[1]}` where it ends"
    found = re.match(_EXPECTED, message)
    if found and found["got"] == "=":
        return "a single = does not compare", "write =="
    if found and found["wanted"].startswith("end of"):
        if found["got"].startswith("end of"):
            return "the tag ends with the wrong bracket", "write {{ ... }} or {% ... %}"
        return f"'{found['got']}' can't follow the value before it", "put a dot, an operator or a comma between them"
    if found and not found["got"].startswith("end of"):
        return f"'{found['got']}' is here, but `{found['wanted']}` is expected", f"write `{found['wanted']}`"
    if "end of print statement" in message or "end of statement block" in message:
        return "a value is missing before the end of this tag", "write it, or remove the tag"
    if found := re.match(_UNEXPECTED, message):
        return f"'{found['got']}' is not expected here", "check the brackets and operators of this tag"
    plain = message.rstrip(".")
    return f"this tag can't be read ({plain[:1].lower()}{plain[1:]})", "check its names, brackets and operators"


Pieces: TypeAlias = tuple[str, ...]
"""The template's own text, with `SLOT` for each value between."""

Values: TypeAlias = Sequence[str]
"""The values of the slots, as text."""

SLOT = ""

_MARKUP = re.compile("[<>\"']")
_TAGGED = "[&<>'\"\x00-\x1f\x7f-\x9f]"
"""Characters of tags, and characters that markup readers interpret. Numbers and words have none."""

_ENTITY = "&(?:amp|lt|gt|#34|#39);"
_CHARACTERS = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'"}
_ODD = "[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
"""Characters that XML rejects or changes, and invalid ones."""


class Rendered(NamedTuple):
    """The markup of a face and its template file; whether it uses the card and a second language.

    The markup is in pieces: text that the template contains is `str`, values that it outputs are `Markup`.
    """

    pieces: tuple[str, ...]
    file: str
    by_card: bool
    bilingual: bool

    @property
    def markup(self) -> str:
        """The pieces joined."""
        return "".join(self.pieces)


class WovenText(Markup):
    """The result of a macro, with its pieces: text that the template contains is `str`."""

    pieces: tuple[str, ...] = ()


def unweave_parts(parts: Iterable[str]) -> tuple[str, ...]:
    """Return the parts, with macros' results in pieces, so that template text (`str`) and values (`Markup`) differ."""
    parts = tuple(parts)
    if WovenText not in map(type, parts):
        return parts
    pieces: list[str] = []
    for part in parts:
        if type(part) is WovenText and part.pieces:
            pieces += part.pieces
        else:
            pieces.append(part)
    return tuple(pieces)


def weave_text(given: Markup, parts: Iterable[str]) -> Markup:
    """Return a macro's result with its parts. A text without tags, as a path's data, is an ordinary value."""
    if not re.search(_TAGGED, given):
        return given
    done = str.__new__(WovenText, given)
    done.pieces = unweave_parts(parts)
    return done


def split_slots(pieces: Sequence[str]) -> tuple[Pieces, list[str]]:
    """Return the template's own text with slots between, and the values in them, which are not markup."""
    written, values = [], []
    for piece in pieces:
        if type(piece) is str:
            written.append(piece)
        elif piece.isspace() or _MARKUP.search(piece):
            written.append(str(piece))
        elif piece:
            written.append(SLOT)
            values.append(piece)
    return tuple(written), values


def resolve_values(values: Sequence[str]) -> list[str] | None:
    """Return the values as the characters that a markup reader sees, or None if only the reader can tell."""
    plain = []
    for value in values:
        if "&" in value:
            if value.count("&") != len(re.findall(_ENTITY, value)):
                return None
            value = re.sub(_ENTITY, lambda found: _CHARACTERS[found[0]], value)  # noqa: PLW2901
        if not value.isprintable() and re.search(_ODD, value):
            return None
        plain.append(str(value))
    return plain
