"""What a file's properties say of its game beside the title: the draft, whose it is, what others may do with it."""

from generator.model.game import Game
from generator.model.phrases import phrase


def subject_of(game: Game, lang: str) -> str:
    """One line in the language."""
    return phrase("subject", lang, draft=game.draft, credit=game.credit[lang], licence=game.licence[lang]).rstrip()
