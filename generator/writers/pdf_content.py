"""The operators of one form or page: items in mm, y down, drawn in order with as few state changes as possible."""

from collections.abc import Mapping
from itertools import islice
from math import cos, radians, sin

from generator.model.drawing import Group, Item, Picture, Placed, Shape, TextRun
from generator.model.geometry import IDENTITY, Matrix
from generator.units import MM_PER_PT
from generator.writers.pdf_asked import Asked, Choice, Resource, Steps, Supplies, flat
from generator.writers.pdf_objects import number, numbers, path, text_string, transform
from generator.writers.pdf_tags import Here, Marks

_ASIDE, _APART = 0.6, 2.5  # em at most between the pens of neighbours in one column: across, and down beside their own


class Content:
    """Draws items; `operators()` and `resources` are what the form or page is made of.

    With `marks` all that is painted stands in marked sequences, as the tags of groups say.
    """

    def __init__(self, stock: Supplies, marks: Marks | None = None):
        self.resources: dict[str, Resource] = {}
        self._stock, self._known = stock, stock.known
        self._out: list[str] = []
        self._in_text = False
        # What is set now, by operator. Nothing at first: a form starts with the state of the place that calls it.
        self._state: dict[Choice, str] = {}
        self._saved: list[dict[Choice, str]] = []
        self._marks = marks
        self._marked: Here | None = None  # what the open sequence belongs to

    def operators(self) -> bytes:
        """Everything drawn so far."""
        self._end_mark()
        self._end_text()
        return "\n".join(self._out).encode("ascii")

    def draw(self, items: tuple[Item, ...]) -> None:
        """Draw items one over the other."""
        done = 0
        for at, item in enumerate(items):
            if at < done:
                continue
            if self._marks is not None and not isinstance(item, Group):
                self._begin_mark(self._marks)
            if isinstance(item, TextRun):
                if item.stands or item.angle == 90:
                    done = self._column(items, at)
                else:
                    self._text(item)
            elif isinstance(item, (Shape, Placed)):
                asked = self._known.asked(item)
                if asked is not None:
                    self._end_text()
                    self._follow(asked)
            elif isinstance(item, Group):
                self._group(item)
            else:
                self._picture(item)

    def place(self, resource: Resource, by: Matrix, clip: str = "") -> None:
        """Draw a form or an image through a matrix, inside `clip` (path operators) of the coordinates around it."""
        if self._marks is not None:
            self._begin_mark(self._marks)
        self._end_text()
        self.resources[resource.name] = resource
        cut = f"{clip} W n " if clip else ""
        self._out.append(f"q {cut}{transform(by)} /{resource.name} Do Q")

    def insert(self, operators: str, resources: Mapping[str, Resource], by: Matrix, clip: str) -> None:
        """Draw what another content has drawn, through a matrix, as `place` would a form of it."""
        if self._marks is not None:
            self._begin_mark(self._marks)
        self._end_text()
        self.resources.update(resources)
        self._out.append(f"q {clip} W n {transform(by)}\n{operators}\nQ")

    def mark(self, operators: str) -> None:
        """Operators that mark or move what follows (BDC, EMC, cm)."""
        self._end_text()
        self._out.append(operators)

    def _begin_mark(self, marks: Marks) -> None:
        """What is painted next belongs to what the groups around it say, in a tagged document."""
        if self._marked is not marks.here:
            self._end_mark()
            self.mark(marks.begin())
            self._marked = marks.here

    def _end_mark(self) -> None:
        if self._marked is not None:
            self.mark("EMC")
            self._marked = None

    def _set(self, key: Choice, operator: str) -> None:
        if self._state.get(key) != operator:
            self._state[key] = operator
            self._out.append(operator)

    def _follow(self, asked: Asked) -> None:
        """Choose what isn't chosen yet, and paint."""
        state, out = self._state, self._out
        for resource in asked.resources:
            self.resources[resource.name] = resource
        for key, operator in asked.steps:
            if not key:
                out.append(operator)
            elif state.get(key) != operator:
                state[key] = operator
                out.append(operator)

    def _end_text(self) -> None:
        if self._in_text:
            self._out.append("ET")
            self._in_text = False

    def _column(self, items: tuple[Item, ...], at: int) -> int:
        """Draw the runs of a column from item `at` on, and say where it ends.

        A reader cannot tell from their places that glyphs below each other are a line: the text is spelled out.
        """
        runs = column_from(items, at)
        if not any(run.stands for run in runs):
            self._text(runs[0])
            return at + 1
        if not self._in_text:
            self._out.append("BT")
            self._in_text = True
        self._out.append(f"/Span<</ActualText{text_string(''.join([run.text for run in runs]))}>>BDC")
        for run in runs:
            self._text(run)
        self._out.append("EMC")
        return at + len(runs)

    def _text(self, run: TextRun) -> None:
        x, y, size, key, glyphs, clusters, advances, paint, angle, role, places = run
        if not glyphs:
            return
        font, height, asked = self._known.look(key, size, paint, role)
        if not self._in_text:
            self._out.append("BT")
            self._in_text = True
        self._follow(asked)
        if places:
            show = font.show_leftward if advances else font.show_apart
            self._out.append(show(glyphs, clusters, [(x + right, y + down) for right, down in places]))
            return
        spacing, shown = font.show(glyphs, clusters, advances)
        self._set("spacing", f"{number(spacing * height / 1000, 5)} Tc" if spacing else "0 Tc")
        turn = "1 0 0 -1"
        if angle:
            along, across = cos(radians(angle)), sin(radians(angle))
            turn = numbers((along, across, across, -along), 5)
        self._out.append(f"{turn} {number(x)} {number(y)} Tm {shown}")

    def _group(self, group: Group) -> None:
        if not group.tags:
            self._moved(group)
            return
        if self._marks is None:
            # A page without structure says no more than what is a picture, whose type nobody has to read.
            pictured = any(tag.kind == "Figure" for tag in group.tags)
            if pictured:
                self.mark("/Figure BMC")
            self._moved(group)
            if pictured:
                self.mark("EMC")
            return
        self._marks.enter(group.tags)
        self._moved(group)
        self._marks.leave()

    def _moved(self, group: Group) -> None:
        if group.matrix == IDENTITY and not group.clip and not group.as_one:
            self.draw(group.items)
            return
        if flat(group.matrix):
            return
        self._end_mark()  # a sequence ends on the level where it began
        self._end_text()
        self._out.append("q")
        self._saved.append(self._state.copy())
        if group.matrix != IDENTITY:
            self._out.append(transform(group.matrix))
        if group.clip:
            self._out.append(f"{path(group.clip)} W{'*' if group.clip_even_odd else ''} n")
        if group.as_one:
            self._mixed(group)
        else:
            self.draw(group.items)
        self._end_mark()
        self._end_text()
        self._out.append("Q")
        self._state = self._saved.pop()

    def _mixed(self, group: Group) -> None:
        """Paint what a group holds as one, within the state that was saved for it."""
        steps = Steps(self._stock)  # what small black type before it has asked for is not for all of a group
        steps.overprint(False, False)
        self._follow(steps.asked())
        state, form = self._stock.mixing(group), self._stock.as_one(group)
        self.resources[state.name] = state
        self._out.append(f"/{state.name} gs")
        if form is None:
            self.draw(group.items)
            return
        if self._marks is not None:
            self._begin_mark(self._marks)
        self.resources[form.name] = form
        self._out.append(f"/{form.name} Do")

    def _picture(self, picture: Picture) -> None:
        x, y, width, height = picture.x, picture.y, picture.width, picture.height
        steps = Steps(self._stock)
        steps.overprint(False, False)
        self._follow(steps.asked())
        self.place(self._stock.picture(picture), (width, 0.0, 0.0, -height, x, y + height))


def column_from(items: tuple[Item, ...], at: int) -> list[TextRun]:
    """The runs from item `at` on that continue its column: each stands closely below the one before it."""
    column: list[TextRun] = []
    for item in islice(items, at, None):
        if not isinstance(item, TextRun) or not (item.stands or item.angle == 90):
            break
        if column and not _continues(column[-1], item):
            break
        column.append(item)
    return column


def _continues(above: TextRun, below: TextRun) -> bool:
    """Whether a run is the next of a column; a reading stands too far aside, another text too far down."""
    x, y = above.places[-1] if above.places else (0.0, 0.0)
    em = max(above.size, below.size) * MM_PER_PT
    length = 1 if above.places else len(above.glyphs)
    return abs(below.x - above.x - x) <= _ASIDE * em and 0 < below.y - above.y - y <= (length + _APART) * em
