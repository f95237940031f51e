"""A complete project whose game brings its rules: twenty cards, of which the highest takes the trick."""

from pathlib import Path

from tests_support import ProjectFolder, project_files

RULES = (Path(__file__).parent / "games" / "higher.py").read_text(encoding="utf-8")
TEMPLATE = project_files("higher")["templates/higher/card.svg"]


class RulesProject(ProjectFolder):
    """The project; tests change one thing in it and look what happens."""

    def __init__(self, root: Path):
        super().__init__(root, "higher")
        self.write("data/higher/rules.py", RULES)
