"""What is named at a cursor in a template or an expression of the data: by a chain of names, or an icon, a file."""

import re
from typing import Literal, TypeAlias

from generator.dataclass import dataclass

Aim: TypeAlias = Literal["chain", "colour", "icon", "file", "font", "text icon"]
"""What is named: a value by its names, or a thing of a sort."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name at the cursor: what it names, the whole of it, and where the part begins that is being written."""

    aim: Aim
    name: str
    before: str
    start: int
    end: int

    @property
    def chain(self) -> tuple[str, ...]:
        """The names up to that at the cursor: `words.end_pile` as two."""
        return tuple(self.name.split("."))


_CHAIN = re.compile(r"[A-Za-z_]\w*(?:\.\w*)*")
_ATTRIBUTE = re.compile(r"""([\w:-]+)="([^"<>]*)$""")
_COLOURED = frozenset({"fill", "stroke", "color", "stop-color", "flood-color"})
_QUOTED = re.compile(r"""["']([^"'\n]*)$""")
_IN_TEXT = re.compile(r"(?<!\{)\{([\w-]*)$")


def named_at(text: str, offset: int) -> Named | None:
    """The name at an offset of a template; None where nothing is named."""
    line = text.rfind("\n", 0, offset) + 1
    before = text[line:offset]
    if _in_expression(text, offset):
        asked = _QUOTED.search(before)
        if asked and re.search(r"(?:import|include|from)\s+$", before[: asked.start()]):
            return _whole("file", text, line + asked.start(1), offset, r"[^\"'\n]*")
        return _chain(text, line, offset)
    attribute = _ATTRIBUTE.search(before)
    if attribute:
        return _attribute(attribute[1], text, line + attribute.start(2), offset)
    shown = _IN_TEXT.search(before)
    return _whole("text icon", text, line + shown.start(1), offset, r"[\w-]*") if shown else None


def expression_at(text: str, offset: int) -> Named | None:
    """The same in a text or expression of the data, which has no attributes."""
    line = text.rfind("\n", 0, offset) + 1
    if _in_expression(text, offset):
        return _chain(text, line, offset)
    shown = _IN_TEXT.search(text[line:offset])
    return _whole("text icon", text, line + shown.start(1), offset, r"[\w-]*") if shown else None


def _attribute(name: str, text: str, start: int, offset: int) -> Named | None:
    value = text[start:offset]
    if name in ("href", "xlink:href"):
        if value.startswith("icon:"):
            return _whole("icon", text, start + 5, offset, r"[\w-]*")
        return None if value.startswith("#") else _whole("file", text, start, offset, r"[^\"{}\n]*")
    if name in _COLOURED:
        return _whole("colour", text, start, offset, r"[\w-]*")
    return _whole("font", text, start, offset, r"[\w-]*") if name == "font-family" else None


def _whole(aim: Aim, text: str, start: int, offset: int, form: str) -> Named:
    found = re.compile(form).match(text, start)
    end = max(found.end() if found else offset, offset)
    return Named(aim, text[start:end], text[start:offset], start, end)


def _in_expression(text: str, offset: int) -> bool:
    """Whether the last brackets before an offset are open yet: `{{ card.` or `{% if `."""
    opened = max(text.rfind("{{", 0, offset), text.rfind("{%", 0, offset))
    return opened >= 0 and max(text.find("}}", opened, offset), text.find("%}", opened, offset)) < 0


def _chain(text: str, line: int, offset: int) -> Named | None:
    end = text.find("\n", offset)
    stop = len(text) if end < 0 else end
    for found in _CHAIN.finditer(text, line, stop):
        if found.start() <= offset <= found.end():
            last = text.find(".", offset, found.end())
            upto = found.end() if last < 0 else last
            chain = text[found.start() : upto]
            begin = text.rfind(".", found.start(), offset) + 1 or found.start()
            return Named("chain", chain, text[begin:offset], begin, upto)
    return Named("chain", "", "", offset, offset)
