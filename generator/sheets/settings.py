"""What the exporter decides about print sheets, never a template: paper, margin, gap, backs, guides."""

from generator.dataclass import dataclass
from generator.model.printer import Printer
from generator.model.sheet import Backs
from generator.sheets.imposition import MARK_ROOM
from generator.sheets.perforated import Perforation
from generator.sheets.registration import Registration, mark_boxes
from generator.sheets.slug import Slug
from generator.units import Rect, Size


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """How pieces are put on paper. All lengths are mm; ValueError for a negative one.

    `margin` is the strip at each edge that the printer can't reach, `gap` the distance between neighbours (0: they
    share the cut line). `fold_note` is printed on fold sheets, `part_note` on those of a board in parts (`{part}` of
    `{columns}` x `{rows}`), `glue_note` on the strip of `{part}` that `{next}` is glued on, `cut_note` where there is
    room for it (cuts `{first}`, cuts `{then}`, cut `{last}` that leaves `{size}` mm). `printer` is what is done to the
    back pages of a duplex print. `registration` prints the marks by which that cutting machine finds its way, and keeps
    their places free. On `stock`, a perforated sheet, every card lies in a cell of its own. The paper lies as given:
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
    cut_note: str = "cut {first}; stack strips, first on top; {then}; {last} leaves {size} mm"
    printer: Printer | None = None
    registration: Registration | None = None
    stock: Perforation | None = None

    def __post_init__(self) -> None:
        for name in ("margin", "gap"):
            if getattr(self, name) < 0:
                raise ValueError(f"the {name} is {getattr(self, name)} mm; it can't be negative")

    @property
    def reserved(self) -> tuple[Rect, ...]:
        """What stays free for the registration marks of a cutting machine, page coordinates; empty without them."""
        return mark_boxes(self.paper) if self.registration else ()

    def clear(self, art: Rect, room: float = MARK_ROOM) -> bool:
        """Whether art comes no nearer than `room` mm to what is reserved."""
        return not any(art.meets(box.grown(room)) for box in self.reserved)

    def slug(self, art: Rect) -> Slug:
        """The strips around art on this paper, without regard to cut marks."""
        return Slug(art, self.printable, plain=True).keep_free(self.reserved)

    @property
    def printable(self) -> Rect:
        """What the printer reaches, page coordinates."""
        return Rect(0, 0, self.paper.width, self.paper.height).grown(-self.margin)
