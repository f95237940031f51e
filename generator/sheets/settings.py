"""What the exporter decides about print sheets, never a template: paper, margin, gap, backs, guides."""

from dataclasses import dataclass

from generator.model.sheet import Backs
from generator.units import Rect, Size


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """How pieces are put on paper. All lengths are mm; ValueError for a negative one.

    `margin` is the strip at each edge that the printer can't reach, `gap` the distance between neighbours (0: they
    share the cut line). `fold_note` is printed on fold sheets, `part_note` on those of a board in parts (`{part}` of
    `{columns}` x `{rows}`), `glue_note` on the strip of `{part}` that `{next}` is glued on. The paper lies as given:
    turning the cards by 90 degrees holds exactly as many as turning the paper would, and one orientation for all pages
    means one duplex setting.
    """

    paper: Size
    paper_name: str = ""
    margin: float = 5.0
    gap: float = 0.0
    backs: Backs = "long"
    guides: bool = False
    fold_note: str = "fold with the print outside, glue the blank sides, then cut"
    part_note: str = "part {part} of {columns} x {rows}"
    glue_note: str = "{part}: glue {next} here"

    def __post_init__(self) -> None:
        for name in ("margin", "gap"):
            if getattr(self, name) < 0:
                raise ValueError(f"the {name} is {getattr(self, name)} mm; it can't be negative")

    @property
    def printable(self) -> Rect:
        """What the printer reaches, page coordinates."""
        return Rect(0, 0, self.paper.width, self.paper.height).grown(-self.margin)
