"""What of a game comes to an online table: its kinds with their designs, named, described, counted and drawn."""

from collections.abc import Iterator, Mapping, Sequence

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.faces.words import Called, design_texts, plain
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing
from generator.model.edition import first_language
from generator.model.game import Design, FaceName, Kind

NAMING = ("name", "title")
"""Fields that its name already tells."""


@dataclass(frozen=True, slots=True)
class Article:
    """A design on an online table: what it is called, what it says, its copies, its sides and their hashes (hex)."""

    id: str
    name: str
    says: str
    count: int
    faces: Mapping[FaceName, Drawing]
    digests: Mapping[FaceName, str]

    @property
    def front(self) -> Drawing:
        """The side that every design has."""
        return self.faces["front"]

    @property
    def back(self) -> Drawing | None:
        """The other side; None where it stays blank."""
        return self.faces.get("back")


@dataclass(frozen=True, slots=True)
class ArticleLot:
    """The articles of one kind, in the order of the data, and the kind's name in plain characters."""

    kind: Kind
    name: str
    articles: tuple[Article, ...]


def lots(
    workshop: Workshop, edition: str, designs: Sequence[Design], called: Called, spare: int = 0
) -> list[ArticleLot]:
    """The designs by kind, with their sides in one or two languages; ProblemsFound with everything wrong.

    A design of which the game has no copy is left out, or comes `spare` times.
    """
    problems: list[Problem] = []
    workshop.draw_all(designs, [edition])
    found = list(_lots(workshop, edition, designs, called, spare, problems))
    if workshop.problems or problems:
        raise ProblemsFound([*workshop.problems, *problems])
    return found


def _lots(
    workshop: Workshop, edition: str, designs: Sequence[Design], called: Called, spare: int, problems: list[Problem]
) -> Iterator[ArticleLot]:
    game, lang = workshop.game, first_language(edition)
    for kind in game.kinds.values():
        articles = []
        for design in designs:
            count = design.count or spare
            if design.kind != kind.id or not count:
                continue
            drawn = {face: workshop.face(design, face, edition) for face in kind.faces(design)}
            faces = {face: drawing for face, drawing in drawn.items() if drawing is not None}
            if len(faces) < len(drawn):
                continue  # the workshop's problems say why
            digests = {face: workshop.digest(drawing) for face, drawing in faces.items()}
            texts = design_texts(workshop.artist, game, design, lang, called, problems, without=NAMING)
            says = "\n".join(texts.values())
            articles.append(Article(design.id, called(design, lang), says, count, faces, digests))
        if articles:
            name = plain(game, kind.name[lang], lang, called, kind.place, problems)
            yield ArticleLot(kind, " ".join(name.split()), tuple(articles))
