"""Which font of the project sets which character of a drawing."""

from collections.abc import Sequence
from functools import lru_cache

from generator.svg.foreign.desk import Desk
from generator.svg.foreign.letters import Char
from generator.svg.foreign.nodes import Node
from generator.text.fonts import Font

_SORTS = {"serif": "serif", "sans-serif": "sans", "monospace": "mono", "cursive": "script", "fantasy": "display"}
_ITSELF = "convert it to paths in the drawing program, or add the font to the project"


class TypeChoice:
    """Finds fonts; tells where the project has none."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def language(self, char: Char) -> str:
        """The language that a character is in."""
        node: Node | None = char.node
        while node is not None:
            if "xml:lang" in node.attributes:
                return node.attributes["xml:lang"]
            node = node.parent
        return self._desk.lang.partition("+")[0] or "en"

    def font(self, char: Char) -> Font | None:
        """The first font that has a character; None where none has it, which is told."""
        fonts = self._chain(char)
        if char.char == " " or not char.char.isprintable():
            return fonts[0] if fonts else None
        for font in fonts:
            if font.glyph(char.char):
                return font
        for family in self._desk.around.families:
            for font in self._desk.around.fonts.chain(family, self._desk.lang.partition("+")[0]):
                if font.glyph(char.char):
                    return font
        self._desk.notes.add(char.node.at, f"no font of the project has '{char.char}': it is left out; {_ITSELF}")
        return None

    def _chain(self, char: Char) -> tuple[Font, ...]:
        style, around = char.spot.style, self._desk.around
        if not around.families:
            return ()
        family, asked = _family(style.families, around.families)
        if not asked and not self._desk.measuring:
            wanted = style.families[0] if style.families else ""
            lacks = f"the project has no font '{wanted}': its text" if wanted else "the text names no font: it"
            self._desk.notes.add(char.node.at, f"{lacks} is set in '{family}'; {_ITSELF} (fonts:)")
        return around.fonts.chain(family, self._desk.lang.partition("+")[0], style.weight >= 600, style.italic)


@lru_cache(maxsize=64)
def _named(wanted: str, families: tuple[str, ...]) -> str:
    plain = {_bare(family): family for family in families}
    return plain.get(_bare(wanted), "")


def _bare(name: str) -> str:
    return "".join([char for char in name.lower() if char.isalnum()])


def _family(wanted: Sequence[str], families: tuple[str, ...]) -> tuple[str, bool]:
    """The project's family for a list of names, and whether it is one that was asked for."""
    for name in wanted:
        found = _named(name, families)
        if found:
            return found, True
    for name in wanted:
        sort = _SORTS.get(name.lower(), "")
        found = next((family for family in families if sort and sort in family.lower()), "")
        if found:
            return found, wanted[0].lower() in _SORTS
    return families[0], False
