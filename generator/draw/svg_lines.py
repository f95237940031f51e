"""Stamps each start tag of a template with the file and line it stands on, so that drawn elements know their place."""

import re

STAMP = "_at"

# Outside comments and CDATA a `<` before a letter always opens a tag: XML allows it nowhere else.
_OPENING = re.compile(r"<!--|<!\[CDATA\[|<[A-Za-z_][\w:.-]*")
_CLOSING = {"<!--": "-->", "<![CDATA[": "]]>"}


class TagStamper:
    """Goes through one template's pieces of markup in order; `number` stands for the file."""

    def __init__(self, number: int):
        self._number = number
        self._inside = ""

    def stamped(self, data: str, line: int, tag_may_end: bool) -> str:
        """The piece, which starts on `line`, with ` _at="number:line"` after each tag's name.

        `tag_may_end` says whether a name that reaches the end of the piece is complete there.
        """
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
            out.append(data[position : match.end()])
            line_here = line + data.count("\n", 0, match.start())
            position = match.end()
            if match[0] in _CLOSING:
                self._inside = match[0]
            elif position < len(data) or tag_may_end:
                out.append(f' {STAMP}="{self._number}:{line_here}"')
        out.append(data[position:])
        return "".join(out)
