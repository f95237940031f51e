"""What the designs of a game are called, by language and in plain characters: their own names, no kind's."""

from collections.abc import Mapping

from generator.checklist.document import NAME_FIELDS
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.game import Design
from generator.model.markup import MarkupError, parse_markup, plain_text


def names_of(workshop: Workshop, problems: list[Problem]) -> Mapping[str, Mapping[str, str]]:
    """Each design's name in each language of the game; nothing for one without. What is wrong goes to `problems`."""
    languages = workshop.game.languages
    found = {}
    for design in workshop.game.designs():
        names = {lang: _name(workshop, design, lang, problems) for lang in languages}
        found[design.id] = {lang: name for lang, name in names.items() if name}
    return found


def _name(workshop: Workshop, design: Design, lang: str, problems: list[Problem]) -> str:
    """A field that says it, else an id of numbers and icons in words: `6-wheat` is `6 Wheat`."""
    for field in NAME_FIELDS:
        try:
            said = workshop.artist.says(design, lang, "card", field)
            if isinstance(said, str) and said.strip():
                return " ".join(plain_text(parse_markup(said)).split())
        except ProblemsFound as found:
            problems += found.problems
        except MarkupError as mistake:
            problems.append(Problem(design.source.place(field, lang), f"wrong markup: {mistake.what}", "mend it"))
    icons = workshop.game.icons
    parts = design.id.split("/", 1)[1].split("-")
    if any(part not in icons and not part.isdigit() for part in parts):
        return ""
    return " ".join(icons[part].name[lang] if part in icons else part for part in parts)
