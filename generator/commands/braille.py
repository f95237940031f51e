"""Texts in braille: by liblouis' program where it is installed; which languages go without is said."""

from collections.abc import Sequence

from generator.errors import Problem, ProblemsFound
from generator.model.game import Game
from generator.pages.braille.brf import TABLES, translated
from generator.programs import program_path


def braille_notes(game: Game, asked: Sequence[str]) -> tuple[str, ...]:
    """A note for each language of a game that is asked for (all if none is) and gets no braille.

    ProblemsFound where that is all of them.
    """
    without = [lang for lang in game.languages if lang not in TABLES and (not asked or lang in asked)]
    if not any(lang in TABLES for lang in asked or game.languages):
        what = f"--braille: no language of {game.id} that is asked for has a braille table here"
        raise ProblemsFound([Problem(None, what, f"braille is made in {' and '.join(TABLES)}: add --lang en")])
    return tuple(f"{game.id}: no braille in {lang}: it is made in {' and '.join(TABLES)}" for lang in without)


def in_braille(lines: Sequence[str], lang: str) -> tuple[str, ...]:
    """Each line in braille ASCII; ProblemsFound where liblouis' program is missing or fails."""
    program = program_path("lou_translate")
    if program is None:
        hint = "install liblouis (Debian: liblouis-bin), or leave --braille out"
        raise ProblemsFound([Problem(None, "--braille: lou_translate is not installed", hint)])
    try:
        return translated(lines, lang, program)
    except ValueError as error:
        raise ProblemsFound([Problem(None, f"--braille: {error}", "look whether liblouis is whole")]) from error
