"""A small project with rules, a glossary and a rulebook in two languages, and ways to read and break it."""

from pathlib import Path

from rules_project import RulesProject
from tests_support import project_files

from generator.base.errors import ProblemsFound
from generator.books.page.blocks import Block, Book, Box, Heading, Listing, Paragraph, Text
from generator.books.rulebook.book_templates import RULEBOOK, Volume
from generator.books.rulebook.inline_text import words_from_text
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.rules.registry import load_rules

JA, EN = "templates/higher/rulebook.ja.md", "templates/higher/rulebook.en.md"
GLOSSARY, EXAMPLES, DATA = "data/higher/glossary.yaml", "data/higher/examples.yaml", "data/higher/game.yaml"

WORDS = project_files("book")[GLOSSARY]


class BookProject(RulesProject):
    """The project; tests change one thing in it and look what happens."""

    def __init__(self, root: Path):
        super().__init__(root)
        for name in (JA, EN, GLOSSARY):
            self.write(name, project_files("book")[name])
        fonts = "{ja: {regular: [SourceSans3_400Regular.ttf]}"
        japanese = "{ja: {regular: [SourceSans3_400Regular.ttf, BIZUDPGothic_400Regular.ttf]}"
        self.change(DATA, fonts, japanese)

    def workshop(self) -> tuple[Game, Workshop]:
        project = find_project(self.root)
        game = load_game(project.find_folder("higher"), project.resources)
        return game, Workshop(game, project.resources)

    def book(self, lang: str = "en", volume: Volume = RULEBOOK) -> Book:
        """The rulebook, or another book, as it is now; ProblemsFound."""
        game, workshop = self.workshop()
        played = RulebookPlay(game, lambda: load_rules(game, self.root / "data" / "higher"))
        return read_book(workshop, lang, played, volume)

    def problems(self, lang: str = "en") -> list[str]:
        """What is wrong with it."""
        try:
            self.book(lang)
        except ProblemsFound as found:
            return [str(problem) for problem in found.problems]
        return []

    def body(self, text: str, *, lang: str = "en", free: bool = True) -> None:
        """A rulebook of this text alone; `free` of a glossary, so that no term is unused."""
        self.write(f"templates/higher/rulebook.{lang}.md", text)
        if free:
            self.write(GLOSSARY, "readings:" + WORDS.split("readings:")[1])


def plain(block: Block | Text) -> str:
    """The words of a block."""
    if isinstance(block, tuple):
        return words_from_text(block)
    if isinstance(block, (Heading, Paragraph)):
        return words_from_text(block.text)
    if isinstance(block, Listing):
        return "; ".join(" ".join(map(plain, entry)) for entry in block.entries)
    return " ".join(map(plain, block.blocks)) if isinstance(block, Box) else ""
