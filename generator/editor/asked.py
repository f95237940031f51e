"""A cursor in a file of a game: what may be written there, what is told of it, and where it is given."""

from generator.dataclass import dataclass
from generator.editor import completing, hovering, jumping
from generator.editor.names import GameNames
from generator.editor.projects import OpenFile, OpenProject


@dataclass(frozen=True, slots=True)
class AskedAt:
    """A cursor in a file of a game: its line and character from 0, and the characters before its line."""

    names: GameNames
    file: OpenFile
    text: str
    line: int
    character: int
    before: int

    @property
    def offset(self) -> int:
        """The characters before the cursor."""
        return self.before + self.character

    def offers(self) -> completing.Offers:
        """What may be written here."""
        if self.file.sort == "table":
            return completing.in_table(self.names, self.file.path, self.text, self.line, self.character)
        if self.file.sort == "data":
            return completing.in_data(self.names, self.text, self.offset)
        return completing.in_template(self.names, self.file.path, self.text, self.offset)

    def shown(self) -> hovering.Hint | None:
        """What is told of what stands here."""
        if self.file.sort == "table":
            return hovering.in_table(self.names, self.file.path, self.text, self.line, self.character)
        if self.file.sort == "data":
            return hovering.in_data(self.names, self.text, self.offset)
        return hovering.in_template(self.names, self.file.path, self.text, self.offset)

    def goals(self) -> list[jumping.Goal]:
        """Where what stands here is given."""
        if self.file.sort == "data":
            return jumping.in_data(self.names, self.text, self.offset)
        if self.file.sort == "table":
            return []
        return jumping.in_template(self.names, self.file.path, self.text, self.offset)


def asked_at(project: OpenProject, file: OpenFile, text: str, offset: int) -> AskedAt | None:
    """A cursor behind so many characters of a file's text; None where no game could be read yet."""
    game = next((game for name in file.games if (game := project.game(name)) is not None), None)
    if game is None:
        return None
    line, before = text.count("\n", 0, offset), text.rfind("\n", 0, offset) + 1
    return AskedAt(GameNames(project, game, project.language(game)), file, text, line, offset - before, before)
