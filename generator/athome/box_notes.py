"""What stands beside a box's net: which box it is, a ruler to hold against, and how it is folded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.athome.letters import GREY, Letters
from generator.athome.tuck_box import Deck, TuckBox
from generator.model.drawing import Item
from generator.model.game import Game
from generator.model.phrases import counted, phrase
from generator.sheets.label import Typeset
from generator.sheets.rulers import METRIC, ruler_items
from generator.sheets.slug import SPOT_DEPTH, Spot
from generator.units import Rect

_SIZE, _LINE = 6.0, 3.0
_INSET = 2.0


@dataclass(frozen=True, slots=True)
class Notes:
    """Sets the notes in one language: above the front what it is, below it what to do."""

    game: Game
    letters: Letters
    typeset: Typeset
    lang: str

    def items(self, names: Sequence[str], deck: Deck, box: TuckBox, net: Rect, end: float) -> Iterator[Item]:
        """All notes; `net` is where the net lies on the page, `end` the y that the printer still reaches.

        Under the front nothing is in their way: they go on below the net where a small box leaves too little room.
        """
        room = box.width - 2 * _INSET
        y = net.y + _LINE
        for at, line in enumerate(self._facts(names, deck, box)):
            if y > net.y + box.tuck + box.depth - _INSET - SPOT_DEPTH:
                break
            yield from self._said(line, net.x, y, room, "ink" if at == 0 else GREY)
            y += _LINE
        foot = net.y + box.tuck + box.depth - _INSET - SPOT_DEPTH
        above = METRIC.room <= room + _INSET and y - _LINE <= foot
        if above:
            yield from self._ruler(net.x, foot)
        y = net.y + box.tuck + box.depth + box.height + _LINE + _INSET
        for step in (1, 2, 3, 4):
            for line in self._wrapped(phrase(f"box_step_{step}", self.lang), room):
                if y <= end:
                    yield from self._said(line, net.x, y, room, "ink")
                y += _LINE
        below = max(y, net.bottom + _INSET)
        if not above and below + SPOT_DEPTH <= end:
            yield from self._ruler(net.x, below)

    def _ruler(self, x: float, y: float) -> tuple[Item, ...]:
        return ruler_items(METRIC, Spot(Rect(x, y, METRIC.room, SPOT_DEPTH), "top"), self.typeset)

    def _facts(self, names: Sequence[str], deck: Deck, box: TuckBox) -> Iterator[str]:
        lang = self.lang
        yield f"{self.game.title[lang]} · {phrase('draft', lang, draft=self.game.draft)}"
        yield ", ".join(names)
        size = f"{deck.card.width:g} × {deck.card.height:g} mm"
        stock = phrase(
            "box_sleeved" if deck.sleeve else "box_stock", lang, stock=f"{deck.stock:g}", film=f"{deck.sleeve:g}"
        )
        yield f"{counted('cards', lang, deck.count)} · {size} · {stock}"
        wide, high, deep = box.inside
        yield phrase("box_inside", lang, width=f"{wide:.1f}", height=f"{high:.1f}", depth=f"{deep:.1f}")

    def _said(self, text: str, x: float, y: float, room: float, paint: str) -> tuple[Item, ...]:
        return self.letters.line(self.letters.cut(text, _SIZE, room), x, y, _SIZE, "start", paint)

    def _wrapped(self, text: str, room: float) -> Iterator[str]:
        """Lines that are no longer than the room: at spaces, or between any two characters where there are none."""
        line = ""
        for part in _parts(text):
            if line and self.letters.width(line + part, _SIZE) > room:
                yield line.rstrip()
                line = part.lstrip()
            else:
                line += part
        if line:
            yield line.rstrip()


def _parts(text: str) -> Iterator[str]:
    """What a line may be broken after: a word with its space, a character of Japanese before one that begins lines."""
    word = ""
    for at, char in enumerate(text):
        word += char
        following = text[at + 1 : at + 2]
        if char == " " or (ord(char) > 0x2E80 and following not in "、。）」"):
            yield word
            word = ""
    if word:
        yield word
