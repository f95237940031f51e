"""A workshop for pages about mere records, whose game may be gone or broken by now."""

from generator.faces.workshop import Workshop
from generator.load.game import INK
from generator.model.edition import first_language
from generator.model.game import Game, Players
from generator.model.resources import Resources
from generator.model.text import Words
from generator.versions.version import Version


def stand_in(resources: Resources, recorded: Version) -> Workshop:
    """It knows a record's title and languages, and has the program's own fonts alone."""
    languages = tuple(dict.fromkeys([*recorded.title, *map(first_language, recorded.languages)]))
    title = Words({lang: recorded.title.get(lang, recorded.id) for lang in languages})
    nobody = Words(dict.fromkeys(languages, ""))
    game = Game(
        id=recorded.id,
        title=title,
        draft=recorded.draft,
        date="",
        languages=languages,
        players=Players(1, 1),
        credit=nobody,
        licence=nobody,
        kinds={},
        palette={"ink": INK},
    )
    return Workshop(game, resources)
