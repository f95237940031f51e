"""The books that a game may have, each a template for each of its languages."""

import re

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.faces.workshop import Workshop


@dataclass(frozen=True, slots=True)
class Volume:
    """One of a game's books; `name` is that of its templates and files.

    `called`: what problems call it. `title`: the phrase that stands below the game's title in place of its overview.
    `folded`: it has a booklet too. `defines`: each term of the glossary is marked in it. `sheet`: it is one sheet, set
    as large as fits, and no web page is made of it. `states`: it says in which state the game's data are, to designers.
    """

    name: str
    called: str
    title: str = ""
    folded: bool = False
    defines: bool = False
    sheet: bool = False
    states: bool = False

    def template(self, lang: str) -> str:
        """The file of templates/<game>/ that holds it in a language."""
        return f"{self.name}.{lang}.md"


RULEBOOK = Volume("rulebook", "rulebook", folded=True, defines=True)
NOTES = Volume("notes", "book of notes", "notes_for_designer", states=True)
QUICK_START = Volume("quickstart", "quick start", "quick_start", sheet=True)
VOLUMES = (RULEBOOK, NOTES, QUICK_START)

_TEMPLATE = re.compile(rf"/(?:{'|'.join(volume.name for volume in VOLUMES)})\.[\w-]+\.md$")


def is_volume(file: str) -> bool:
    """Whether a template is a book: not one that books include."""
    return _TEMPLATE.search(file) is not None


def volume_languages(workshop: Workshop, volume: Volume = RULEBOOK) -> tuple[str, ...]:
    """The languages in which a game has a book: all or none; ProblemsFound where some are missing."""
    game = workshop.game
    found = {lang: workshop.artist.templates.source(f"{game.id}/{volume.template(lang)}") for lang in game.languages}
    there = [known for known in found.values() if known is not None]
    if not there:
        return ()
    missing = [lang for lang, known in found.items() if known is None]
    if missing:
        folder, have = there[0][1].rsplit("/", 1)
        raise ProblemsFound(
            Problem(
                Place(f"{folder}/{volume.template(lang)}"),
                f"the {volume.called} is missing, and there is {have}",
                "write it",
            )
            for lang in missing
        )
    return game.languages
