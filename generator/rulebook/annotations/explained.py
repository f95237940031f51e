"""What a block says besides what its figure shows: arrows, highlights, what is faded, callouts with their words."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.errors import Place, Problem, Unfit, did_you_mean
from generator.model.drawing import Paint, Symbol
from generator.pages.blocks import Text
from generator.rulebook.annotations.anchored import Anchored
from generator.rulebook.annotations.callouts import call_out
from generator.rulebook.annotations.composed import parts_of_pieces, words_of_pieces
from generator.rulebook.annotations.leaders import Target
from generator.rulebook.annotations.lettering import WordSetter
from generator.rulebook.annotations.marks import Arrow, faded, highlighted, led_around, with_arrows
from generator.rulebook.annotations.numbers import CalloutNumbers
from generator.rulebook.faces import Faces
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader
from generator.rulebook.layouts import Laid

KEYS = ("callouts", "arrows", "highlight", "dim")
_ARROW_KEYS = ("from", "to", "says", "around")
_REST = "rest"


class Composed(NamedTuple):
    """A figure before it is drawn, what it shows in words, the pieces in it whose parts have names, and their scale."""

    figure: Anchored
    alt: str
    laid: Sequence[Laid] = ()
    scale: float = 1.0


Key = tuple[tuple[Text, Place | None], ...]
"""The words to the numbers of a figure, with their places."""


class Explainer:
    """Draws over figures what their blocks say of them; what can't be is told."""

    def __init__(
        self, faces: Faces, inline: InlineReader, numbers: CalloutNumbers, paint: Paint, problems: list[Problem]
    ):
        """`paint` is the accent of the book."""
        self._faces, self._inline, self._numbers, self._paint = faces, inline, numbers, paint
        self._problems = problems
        self._letterer = WordSetter(faces)

    def explain(self, body: Body, made: Composed) -> tuple[Composed, Key] | None:
        """The figure with all that its block draws over it, and the key to its numbers; None for a problem."""
        before = len(self._problems)
        arrows = self._arrows(body, made)
        lit = self._names(body, "highlight", made)
        pale = [] if body.word("dim") == _REST else self._names(body, "dim", made)
        if len(self._problems) > before:
            return None
        figure = made.figure
        if body.word("dim") == _REST:
            shown = {*lit, *(name for arrow in arrows for name in (arrow.start, arrow.end))}
            if not shown:
                body.problem("`dim: rest` fades all but what is highlighted, and nothing is", "add `highlight`", "dim")
                return None
            kept = {at for name in shown for at in figure.anchors[name].items}
            figure = faded(figure, {at for one in figure.anchors.values() for at in one.items} - kept)
        elif pale:
            figure = faded(figure, {at for name in pale for at in figure.anchors[name].items})
        figure = highlighted(figure, lit, self._paint)
        try:
            place = body.place("arrows") if arrows else None
            figure, arrows = led_around(figure, arrows)
            figure = with_arrows(figure, arrows, lambda words: self._letterer.line(words, place), self._paint)
        except Unfit as mistake:
            body.problem(str(mistake), mistake.hint, "arrows")
            return None
        made = made._replace(figure=figure, alt="; ".join([made.alt, *(arrow.says for arrow in arrows if arrow.says)]))
        return self._call_out(body, made) if "callouts" in body else (made, ())

    def _arrows(self, body: Body, made: Composed) -> list[Arrow]:
        found = []
        for inner in body.bodies("arrows"):
            inner.keys(*_ARROW_KEYS)
            ends = [self._name(inner, key, inner.text(key), made) for key in ("from", "to")]
            if ends[0] is not None and ends[1] is not None:
                found.append(Arrow(ends[0], ends[1], inner.text("says"), self._icon(inner, "around")))
        return found

    def _icon(self, body: Body, key: str) -> Symbol | None:
        """Return the symbol of an icon's name; None where none is named, or for a problem."""
        name, workshop = body.text(key), self._faces.workshop
        symbol = workshop.sign(name, workshop.game.icons[name].colour) if name in workshop.game.icons else None
        if name and symbol is None:
            body.problem(f"there is no icon '{name}'", did_you_mean(name, workshop.game.icons), key)
        return symbol

    def _names(self, body: Body, key: str, made: Composed) -> list[str]:
        named = [self._name(body, key, str(name), made) for name in body.entries(key)]
        return [name for name in named if name is not None]

    def _name(self, body: Body, key: str, name: str, made: Composed) -> str | None:
        """The anchor of a name; None for a problem."""
        known = made.figure.anchors
        if name in known:
            return name
        body.problem(f"the figure has no '{name}'", did_you_mean(name, known), key)
        return None

    def _call_out(self, body: Body, made: Composed) -> tuple[Composed, Key] | None:
        """The picture with its numbers, and the words to each with their places; None for a problem."""
        inner, fonts = body.inner("callouts"), self._faces.workshop.fonts
        parts = parts_of_pieces(made.laid, fonts)
        known = [*parts, *made.figure.anchors]
        names = [str(name) for name in body.mapping("callouts")]
        before = len(self._problems)
        if not names:
            body.problem("there is nothing in callouts", "write `callouts: {part: words}`", "callouts")
        targets = []
        for name in names:
            anchor = made.figure.anchors.get(name)
            if name in parts:
                targets.append(Target(name, *parts[name]))
            elif anchor is not None:
                targets.append(Target(name, anchor.box))
            else:
                what = f"{made.alt} has no part '{name}'"
                hint = did_you_mean(name, known) if parts else 'give an element of its template an id="..."'
                inner.problem(what, hint, name)
        if len(self._problems) > before:
            return None
        words = (*words_of_pieces(made.laid, fonts), *made.figure.words)
        try:
            called = call_out(made.figure, targets, words, self._faces.workshop, self._paint)
        except Unfit as mistake:
            body.problem(str(mistake), mistake.hint, "callouts")
            return None
        self._numbers.figure(called.names)
        key = [
            (self._inline.plain(inner.text(name), inner.place(name)), inner.place(name, begins=True))
            for name in called.names
        ]
        return made._replace(figure=called.figure), tuple(key)
