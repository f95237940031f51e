"""A project of one game for two players: a draw from an urn, again and again (`known/urn.py`)."""

from pathlib import Path

from tests_support import TinyProject, project_files

HERE = Path(__file__).parent


class UrnProject(TinyProject):
    """The project; tests change one thing in it and look what happens."""

    def __init__(self, root: Path):
        self.root = root
        for name, text in project_files("urn").items():
            self.write(name, text)
        self.write("data/urn/rules.py", (HERE / "known" / "urn.py").read_text(encoding="utf-8"))
