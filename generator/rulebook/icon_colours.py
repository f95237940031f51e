"""The colours in which a book shows icons: their own, with as much black as makes them plain on paper."""

from generator.faces.workshop import Workshop
from generator.model.colour import contrast
from generator.model.drawing import Paint, Shape, Symbol, walk
from generator.pages.web_colours import colours_of, toned

PLAIN = 3.0
"""WCAG 2: the least contrast of a sign with its ground."""


class IconColours:
    """The paints of one game's icons, on white pages and on the paper of its web page alike."""

    def __init__(self, workshop: Workshop):
        self._workshop = workshop
        self._ground = colours_of(workshop.game.palette, "ink").paper
        self._known: dict[str, Paint] = {}

    def __getitem__(self, icon: str) -> Paint:
        """The paint of an icon, a name of the palette or `#rrggbb`; KeyError for an unknown icon."""
        if icon not in self._known:
            self._known[icon] = self._paint(icon)
        return self._known[icon]

    def _paint(self, icon: str) -> Paint:
        own = self._workshop.game.icons[icon].colour
        symbol = self._workshop.artist.icon(icon, own)
        if self._plain(own) or (symbol is not None and self._outlined(symbol, own)):
            return own
        return toned(self._workshop.hex(own), self._ground, PLAIN)

    def _plain(self, paint: Paint) -> bool:
        return contrast(self._workshop.hex(paint), self._ground) >= PLAIN

    def _outlined(self, symbol: Symbol, own: Paint) -> bool:
        """Whether each area in the icon's own colour has a line around it that is plain itself: a white cloud."""
        areas = [leaf for leaf, _ in walk(symbol.items) if isinstance(leaf, Shape) and own in (leaf.fill, leaf.stroke)]
        return all(area.stroke is not None and area.width > 0 and self._plain(area.stroke) for area in areas)
