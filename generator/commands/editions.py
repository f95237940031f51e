"""The editions of games that an order means: languages, and pairs of them that share a card (`ja+en`)."""

from collections.abc import Iterable, Sequence

from generator.errors import Problem, did_you_mean
from generator.model.edition import second_language
from generator.model.game import Game
from generator.model.phrases import lacking_phrases


def editions_of(game: Game, asked: Sequence[str]) -> tuple[str, ...]:
    """Languages in the order of the game, then pairs of them in that of the command; wrong ones are left out."""
    single = [lang for lang in game.languages if not asked or lang in asked]
    pairs = [edition for edition in asked if second_language(edition) and not _wrong_language(game, edition)]
    return tuple(dict.fromkeys([*single, *pairs]))


def idle_languages(games: Sequence[Game], languages: Iterable[str]) -> Iterable[Problem]:
    """Languages that were asked for and that no game has."""
    for edition in languages:
        wrong = [(game, found) for game in games if (found := _wrong_language(game, edition))]
        if games and len(wrong) == len(games):
            game, (what, hint) = wrong[0]
            yield Problem(game.places.place("languages"), f"--lang {edition}: {what}", hint)


def pair_problems(languages: Iterable[str], what: str) -> Iterable[Problem]:
    """A problem for each pair of languages, for files that are made in one language each."""
    for edition in languages:
        if second_language(edition):
            first, second = edition.split("+", 1)
            hint = f"write --lang {first} --lang {second} for one of each"
            yield Problem(None, f"--lang {edition}: {what} are in one language each", hint)


def unmade_editions(games: Sequence[Game], languages: Iterable[str], made: Iterable[str]) -> Iterable[Problem]:
    """Pairs of languages that were asked for and that no template offers."""
    found = frozenset(made)
    for edition in languages:
        if second_language(edition) and edition not in found:
            of = f"of {games[0].id}" if len(games) == 1 else "of any game"
            what = f"--lang {edition}: no template {of} offers two languages"
            yield Problem(None, what, "use {{ second... }} in one")


def gaps_of(game: Game, asked: Sequence[str]) -> Iterable[str]:
    """What is said in another language than the one asked for: texts without a translation, the program's own words."""
    yield from game.places.gaps
    for lang in dict.fromkeys(part for edition in editions_of(game, asked) for part in edition.split("+")):
        lacking = lacking_phrases(lang)
        if lacking:
            names = f"{', '.join(lacking[:3])} ..." if len(lacking) > 3 else ", ".join(lacking)
            what = (
                f"{len(lacking)} of the program's own words ({names}) are not there in '{lang}', and stand in English"
            )
            yield f"{what}; add them as generator/words/{lang}.yaml (docs/translation.md)"


def _wrong_language(game: Game, edition: str) -> tuple[str, str] | None:
    """What is wrong with a language or pair of languages that was asked for, and a way out."""
    languages = edition.split("+")
    for lang in languages:
        if lang not in game.languages:
            whose = "no language of this game" if lang == edition else f"'{lang}' is no language of this game"
            return whose, did_you_mean(lang, game.languages)
    if len(languages) > 2:
        return "a card has room for two languages", "join two of them"
    if len(set(languages)) < len(languages):
        return "the same language twice", "join two different ones"
    return None
