"""The rulebooks of games: pages, a booklet to fold, a web page, in each language."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from generator.cache.store import Store
from generator.checklist.document import accent
from generator.commands.at_once import make_at_once
from generator.commands.every_game import load_games
from generator.commands.printing import Progress, idle_languages
from generator.commands.sheets import Build, progress_for
from generator.delivery import Delivery
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.games.registry import rules_of
from generator.load.project import Project
from generator.model.game import Game
from generator.rulebook.bound import bound
from generator.rulebook.played import Engine, RulebookPlay
from generator.rulebook.source import rulebook_languages


@dataclass(frozen=True, slots=True)
class BookOrder:
    """Which rulebooks are made: languages (all if empty), folder, page format."""

    languages: tuple[str, ...]
    out: Path
    page: str = "A5"


def write_rulebooks(workshop: Workshop, engine: Engine, order: BookOrder, files: Delivery, progress: Progress) -> int:
    """Pages, booklet and web page of a game's rulebook in each language; how many, none where it has no templates.

    ProblemsFound with everything wrong in any language.
    """
    game = workshop.game
    problems: list[Problem] = []
    played = RulebookPlay(game, engine)
    paint = accent(game.palette)
    made = 0
    for lang in rulebook_languages(workshop):
        if order.languages and lang not in order.languages:
            continue
        progress(f"{game.id}: rulebook.{lang}")
        try:
            book = bound(workshop, lang, played, order.page, paint)
        except ProblemsFound as found:
            problems += found.problems
            continue
        folder = order.out / game.id
        files.put(folder / f"rulebook.{lang}.pdf", book.pages)
        files.put(folder / f"rulebook-booklet.{lang}.pdf", book.booklet)
        files.put(folder / f"rulebook.{lang}.html", book.web)
        made += 1
    if problems:
        raise ProblemsFound(problems)
    return made


def rulebooks(
    project: Project,
    names: tuple[str, ...],
    order: BookOrder,
    progress: Progress,
    *,
    trusted: bool,
    store: Store | None = None,
    processes: int = 1,
) -> Build:
    """The games' rulebooks alone; ProblemsFound where there is none to make."""
    games, problems = load_games(project, names)

    def finish(made: list[int]) -> Iterable[Problem]:
        progress("")
        if not any(made):
            what = f"{' and '.join(game.id for game in games)}: there is no rulebook"
            yield Problem(None, what, "write templates/<game>/rulebook.<lang>.md (docs/rulebook.md)")

    make = partial(_books, project, order, progress_for(games, progress, processes), trusted)
    problems += idle_languages(games, order.languages)
    return Build(make_at_once(project, games, problems, make, finish, order.out, store, processes))


def _books(
    project: Project, order: BookOrder, progress: Progress, trusted: bool, workshop: Workshop, files: Delivery
) -> int:
    return write_rulebooks(workshop, engine_of(project, workshop.game, trusted=trusted), order, files, progress)


def engine_of(project: Project, game: Game, *, trusted: bool) -> Engine:
    """The game's rules when somebody asks for them."""
    from generator.commands.rehearsal import trusted_folder

    return cache(lambda: rules_of(game, trusted_folder(project.folder(game.id), trusted)))
