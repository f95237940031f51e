"""What the designs of a game are called, by language and in plain characters: their own names, no kind's."""

from collections.abc import Mapping

from generator.checklist.document import OwnWords
from generator.errors import Problem
from generator.faces.workshop import Workshop
from generator.model.markup import plain_text


def names_of(workshop: Workshop, problems: list[Problem]) -> Mapping[str, Mapping[str, str]]:
    """Each design's name in each language of the game; nothing for one without. What is wrong goes to `problems`."""
    words = {lang: OwnWords(workshop, lang, problems) for lang in workshop.game.languages}
    found = {}
    for design in workshop.game.designs():
        names = {lang: own.name(design) for lang, own in words.items()}
        found[design.id] = {lang: " ".join(plain_text(name[0]).split()) for lang, name in names.items() if name}
    return found
