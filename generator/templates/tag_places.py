"""Stamps each start tag of a template with its file, line and column, so that drawn elements know their place."""

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator

STAMP = "_at"

# Outside comments and CDATA a `<` before a letter always opens a tag: XML allows it nowhere else.
_OPENING = re.compile(r"<!--|<!\[CDATA\[|<!DOCTYPE|<[A-Za-z_][\w:.-]*")
_CLOSING = {"<!--": "-->", "<![CDATA[": "]]>"}
_TAG_BEGINS = re.compile(r"\{[#%{]")
_TAG_ENDS = {"{#": "#}", "{%": "%}", "{{": "}}"}
_NOT_NEWLINE = re.compile(r"[^\n]")


def jinja_tags(source: str, begins: Container[str] = _TAG_ENDS) -> Iterator[tuple[int, int]]:
    """Where each of Jinja's tags begins and ends, one after another; `begins` says which kinds are looked for."""
    position, never = 0, set[str]()  # what doesn't end once ends no more: to look for it again and again takes for ever
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
    """Finds where the pieces of markup stand in their template's source; they must come in order."""

    def __init__(self, source: str):
        # What Jinja acts on is blanked: it may spell out the same tags.
        self._blanked = blanked(source, jinja_tags(source))
        self._source = source
        self._starts = [0, *(found.end() for found in re.finditer("\n", source))]
        self._reached = 0

    def find(self, piece: str, line: int) -> int | None:
        """The offset of a piece that starts on `line`; None where it is not found as it is."""
        start = max(self._reached, self._starts[min(line, len(self._starts)) - 1])
        for text in (self._blanked, self._source):
            found = text.find(piece, start)
            if found >= 0:
                self._reached = found + len(piece)
                return found
        return None

    def spot(self, offset: int) -> str:
        """`line:column` of a character, both from 1."""
        line = bisect_right(self._starts, offset)
        return f"{line}:{offset - self._starts[line - 1] + 1}"


def blanked(source: str, tags: Iterable[tuple[int, int]]) -> str:
    """The source with spaces for these tags, its lines as they are."""
    parts, done = [], 0
    for start, end in tags:
        parts += [source[done:start], _NOT_NEWLINE.sub(" ", source[start:end])]
        done = end
    return "".join([*parts, source[done:]])


class TagStamper:
    """Goes through one template's pieces of markup in order; `number` stands for the file."""

    def __init__(self, number: int, source: str):
        self._number = number
        self._map = SourceMap(source)
        self._inside = ""

    def stamped(self, data: str, line: int, tag_may_end: bool) -> str:
        """The piece, which starts on `line`, with ` _at="number:line:column"` after each tag's name.

        `tag_may_end` says whether a name that reaches the end of the piece is complete there.
        """
        base = self._map.find(data, line)
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
            match = _OPENING.search(data, position)
            if match is None:
                break
            out.append(data[position : match.start()])
            position = match.end()
            at = f' {STAMP}="{self._number}:{self._spot(data, match.start(), base, line)}"'
            if match[0] in _CLOSING:
                self._inside = match[0]
                out.append(match[0])
            elif match[0] == "<!DOCTYPE":
                out.append(f"<!--{at}-->{match[0]}")  # it has no attributes; a comment before it tells its place
            else:
                out.append(match[0] + (at if position < len(data) or tag_may_end else ""))
        out.append(data[position:])
        return "".join(out)

    def _spot(self, data: str, offset: int, base: int | None, line: int) -> str:
        if base is not None:
            return self._map.spot(base + offset)
        return f"{line + data.count(chr(10), 0, offset)}:0"
