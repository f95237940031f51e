"""From two names to the difference between two states of a game: data, designs and books; and its pages."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from generator.dataclass import dataclass
from generator.delivery import delivery
from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.faces.accent import accent
from generator.faces.workshop import Workshop
from generator.files import entries_of, is_file, is_folder
from generator.games.registry import rules_of, trusted_folder
from generator.load.game import load_game
from generator.load.project import Project
from generator.load.sections import GAME_FILE
from generator.model.edition import second_language
from generator.model.sizes import paper_size
from generator.rulebook.played import RulebookPlay
from generator.rulebook.source import read_book
from generator.rulebook.volumes import RULEBOOK, VOLUMES, volume_languages
from generator.sheets.settings import SheetSettings
from generator.versions.compare import Books, difference, only_languages
from generator.versions.difference_page import difference_page
from generator.versions.difference_web import difference_html
from generator.versions.differences import BookName, Difference, NotCompared
from generator.versions.portraits import make_portraits, pairs
from generator.versions.sentences import Sentence, sentences
from generator.versions.stand_in import stand_in
from generator.versions.version import Version, version

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class DiffOrder:
    """Which states are compared, as the user names them (`until` empty for the project as it is), and of which game.

    `languages` are those whose texts and pictures are told, all if empty. `trusted` tells of a
    project's folder whether rules of its own may run.
    """

    since: str
    until: str = ""
    game: str = ""
    languages: tuple[str, ...] = ()
    trusted: Callable[[Path], bool] = lambda _root: False


@dataclass(frozen=True, slots=True)
class Compared:
    """Two states, still open for pictures, and their difference."""

    since: Version
    until: Version
    found: Difference


@contextmanager
def open_comparison(project: Project, order: DiffOrder, progress: Progress) -> Iterator[Compared]:
    """The two states and how they differ; ProblemsFound where one can't be had, or with everything wrong with it."""
    with ExitStack() as opened:
        progress(f"{order.since}")
        since = opened.enter_context(version(project, order.since, _game(project, order)))
        progress(f"{order.until or since.id}")
        until = opened.enter_context(version(project, order.until, _second_game(project, order, since.id)))
        _check_languages(order, since, until)
        progress(f"{until.id}: books")
        notes: list[NotCompared] = []
        known = since.game is not None and until.game is not None
        before, after = (_books(project, order, one, notes) if known else {} for one in (since, until))
        unread = {(note.of, note.game) for note in notes}
        notes += [one for one in _missing_books(since, until, (before, after)) if (one.of, one.game) not in unread]
        found = only_languages(difference(since, until, (before, after), notes), order.languages)
        progress("")
        yield Compared(since, until, found)


def _game(project: Project, order: DiffOrder) -> str:
    """The game that is meant, if the words say so: by --game, or by the other state's being a game."""
    return order.game or (order.until if order.until in project.games else "")


def _second_game(project: Project, order: DiffOrder, first: str) -> str:
    """The game of the second state: the first one's, unless it is a project, this or another, that lacks it."""
    if not order.game and not order.until:
        return first if is_file(project.folder(first) / GAME_FILE) else ""
    if order.game or not is_folder(Path(order.until) / "data") or not order.until:
        return order.game or first
    folders = [path.name for path in entries_of(Path(order.until) / "data") if is_folder(path)]
    return first if first in folders else ""


def _check_languages(order: DiffOrder, since: Version, until: Version) -> None:
    known = dict.fromkeys([*until.languages, *since.languages])
    problems = [
        Problem(None, f"--lang {lang}: neither state has this language", did_you_mean(lang, known))
        for lang in order.languages
        if lang not in known
    ]
    if problems:
        raise ProblemsFound(problems)


def _books(project: Project, order: DiffOrder, one: Version, notes: list[NotCompared]) -> Books:
    """The sentences of a state's books; one that can't be read is told in the notes and left out."""
    if one.game is None or one.workshop is None:
        return {}
    found: dict[BookName, tuple[Sentence, ...]] = {}
    played = _play_version(project, order, one, one.workshop)
    for volume in VOLUMES:
        try:
            languages = volume_languages(one.workshop, volume)
            if not languages and volume is RULEBOOK:
                notes.append(NotCompared(f"diff_no_{volume.name}", one.label, one.id))
            wanted = [lang for lang in languages if not order.languages or lang in order.languages]
            found |= {(volume.name, lang): sentences(read_book(one.workshop, lang, played, volume)) for lang in wanted}
        except ProblemsFound as wrong:
            more = f" (and {len(wrong.problems) - 1} more)" if len(wrong.problems) > 1 else ""
            why = f"{wrong.problems[0]}{more}"
            notes.append(NotCompared(f"diff_unread_{volume.name}", one.label, one.id, why))
            if volume is RULEBOOK:
                break  # the others take parts of it
    return found


def _missing_books(since: Version, until: Version, books: tuple[Books, Books]) -> Iterator[NotCompared]:
    """The books besides the rulebook that one state alone has."""
    had = [{name for name, _ in each} for each in books]
    for one, here, there in ((since, had[0], had[1]), (until, had[1], had[0])):
        for volume in VOLUMES:
            if volume is not RULEBOOK and volume.name in there - here and RULEBOOK.name in here:
                yield NotCompared(f"diff_no_{volume.name}", one.label, one.id)


def _play_version(project: Project, order: DiffOrder, one: Version, workshop: Workshop) -> RulebookPlay:
    home = _folder(project, one)
    folder = trusted_folder(home, order.trusted(home.parent.parent))
    return RulebookPlay(workshop.game, lambda: rules_of(workshop.game, folder))


def _folder(project: Project, one: Version) -> Path:
    """Where the data of a state lie: a revision's in its own room, those of another project there."""
    known = (one.room.name if one.room else "", one.label)
    for root in known:
        if root and is_folder(Path(root) / "data" / one.id):
            return Path(root) / "data" / one.id
    return project.folder(one.id)


def write_pages(
    project: Project, states: Compared, form: str, languages: tuple[str, ...], out: Path, progress: Progress
) -> tuple[Path, ...]:
    """`diff.<lang>.html` or `.pdf` in each language, A4, into the later state's folder; ProblemsFound."""
    since, until = states.since, states.until
    single = [lang for lang in until.languages if not second_language(lang)]
    with delivery() as files:
        workshop = _writer(project, states)
        for lang in languages or single:
            found = only_languages(states.found, (lang,))
            progress(f"{until.id}: diff.{lang}.{form}")
            drawn_there = workshop if form == "pdf" else None
            make_portraits(pairs(found, since, until, lang), since, until, lang, drawn_there)
            target = out / until.id / f"diff.{lang}.{form}"
            if form == "html":
                page = difference_html(found, since, until, lang).encode("utf-8")
                files.put(target, page)
            else:
                ink = accent(workshop.game.palette)
                document = difference_page(found, (since, until), lang, workshop, SheetSettings(_PAPER), ink)
                files.write(target, partial(workshop.write, document))
        progress("")
        return files.hand_over()


_PAPER = paper_size("A4")


def _writer(project: Project, states: Compared) -> Workshop:
    """The workshop that writes the pages: for two mere records the game as it is, where there is one and it is well."""
    known = states.until.workshop or states.since.workshop
    if known is not None:
        return known
    try:
        game = load_game(project.folder(states.until.id), project.resources)
    except ProblemsFound:  # nothing is told of the game as it is: it only lends fonts and colours
        return stand_in(project.resources, states.until)
    return Workshop(game, project.resources)
