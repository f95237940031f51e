"""The command `diff`: compares two named states of a game, as pages, text or JSON."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from generator.base.errors import Problem, ProblemsFound, did_you_mean, raise_problems
from generator.base.files import is_file, is_folder, list_folder
from generator.base.languages import second_language
from generator.base.output_files import open_delivery
from generator.books.rulebook.book_templates import RULEBOOK, VOLUMES, find_volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.commands.command_line import say, say_text
from generator.commands.options import OUT, PROJECT, open_project, path_from_here, progress
from generator.commands.orders import Progress
from generator.commands.settings import REUSE, is_project_trusted
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import GAME_FILE, Project
from generator.rules.registry import load_rules, trusted_folder
from generator.versions.compare_games import Books, find_difference, find_pairs, keep_languages, make_portraits
from generator.versions.difference_report import (
    difference_lines,
    difference_to_data,
    make_difference_book,
    write_report,
)
from generator.versions.differences import BookName, Difference, NotCompared
from generator.versions.game_version import Version, make_record_workshop, open_version
from generator.versions.sentences import Sentence, read_sentences


@click.command()
@click.argument("since", metavar="A")
@click.argument("until", metavar="[B]", default="")
@click.option("--game", default="", metavar="GAME", help="Game to compare, if A and B don't name one.")
@click.option(
    "--lang",
    "languages",
    multiple=True,
    metavar="LANG",
    help="Compare texts in this language (default: all); repeatable.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "pdf"]),
    default="text",
    show_default=True,
    help="Print text or json, or write diff.<lang>.html or diff.<lang>.pdf.",
)
@OUT
@click.option("--all", "whole", is_flag=True, help="Print all differences, without shortening the lists.")
@click.option("--exit-code", is_flag=True, help="Exit with code 1 if anything differs.")
@REUSE
@PROJECT
@click.pass_obj
def diff(obj: Path | None, /, **options: Any) -> None:
    """Compare two versions of a game.

    pnp compares components, numbers, switches and texts. A and B are snapshots, git:REV, games or project folders.
    Without B, pnp compares A with the current project.
    """
    explicit, project = options["trusted"], open_project(obj, options)
    names = (options["since"], options["until"], options["game"])
    order = DiffOrder(
        *names,
        options["languages"],
        lambda root: explicit or is_project_trusted(project.root, root) or is_project_trusted(root),
    )
    with open_comparison(project, order, progress()) as found:
        if options["form"] == "json":
            say_text(json.dumps(difference_to_data(found.found), ensure_ascii=False, indent=2) + "\n")
        elif options["form"] == "text":
            for line in difference_lines(found.found, whole=options["whole"]):
                say(line)
        else:
            for path in write_difference_pages(
                project, found, options["form"], options["languages"], options["out"], progress()
            ):
                say(path_from_here(path))
        differs = not found.found.is_empty
    if differs and options["exit_code"]:
        raise SystemExit(1)


@dataclass(frozen=True, slots=True)
class DiffOrder:
    """The states to compare as the user names them, and the game. An empty `until` is the present project.

    `languages` limits texts and pictures (all if empty). `trusted` returns True for project folders whose own rules may
    run.
    """

    since: str
    until: str = ""
    game: str = ""
    languages: tuple[str, ...] = ()
    trusted: Callable[[Path], bool] = lambda _root: False


@dataclass(frozen=True, slots=True)
class OpenComparison:
    """Two states with their difference, as long as their pictures can still be drawn."""

    since: Version
    until: Version
    found: Difference


@contextmanager
def open_comparison(project: Project, order: DiffOrder, progress: Progress) -> Iterator[OpenComparison]:
    """Yield both opened states with their difference; close them. Raise ProblemsFound for unknown states, languages."""
    with ExitStack() as opened:
        progress(f"{order.since}")
        since = opened.enter_context(
            open_version(project, order.since, order.game or (order.until if order.until in project.games else ""))
        )
        progress(f"{order.until or since.id}")
        until = opened.enter_context(open_version(project, order.until, _find_second_game(project, order, since.id)))
        spoken = dict.fromkeys([*until.languages, *since.languages])
        raise_problems(
            Problem(None, f"--lang {lang}: neither state has this language", did_you_mean(lang, spoken))
            for lang in order.languages
            if lang not in spoken
        )
        progress(f"{until.id}: books")
        notes: list[NotCompared] = []
        known = since.game is not None and until.game is not None
        before, after = (_read_books(project, order, one, notes) if known else {} for one in (since, until))
        unread = {(note.of, note.game) for note in notes}
        notes += [one for one in _missing_books(since, until, (before, after)) if (one.of, one.game) not in unread]
        found = keep_languages(find_difference(since, until, (before, after), notes), order.languages)
        progress("")
        yield OpenComparison(since, until, found)


def _find_second_game(project: Project, order: DiffOrder, first: str) -> str:
    """Return the game of the second state. It is the first one's, unless the second state is a project without it."""
    if not order.game and not order.until:
        return first if is_file(project.find_folder(first) / GAME_FILE) else ""
    if order.game or not is_folder(Path(order.until) / "data") or not order.until:
        return order.game or first
    folders = [path.name for path in list_folder(Path(order.until) / "data") if is_folder(path)]
    return first if first in folders else ""


def _read_books(project: Project, order: DiffOrder, state: Version, notes: list[NotCompared]) -> Books:
    """Return the sentences of a state's books. A book that can't be read is skipped with a note."""
    if state.game is None or state.workshop is None:
        return {}
    found: dict[BookName, tuple[Sentence, ...]] = {}
    # A state is played by the rules beside its data: those of a revision's copy, another project, or here.
    roots = filter(None, (state.room.name if state.room else "", state.label))
    homes = (Path(root) / "data" / state.id for root in roots)
    home = next(filter(is_folder, homes), project.find_folder(state.id))
    folder = trusted_folder(home, order.trusted(home.parent.parent))
    game = state.workshop.game
    played = RulebookPlay(game, lambda: load_rules(game, folder))
    for volume in VOLUMES:
        try:
            languages = find_volume_languages(state.workshop, volume)
            if not languages and volume is RULEBOOK:
                notes.append(NotCompared(f"diff_no_{volume.name}", state.label, state.id))
            wanted = [lang for lang in languages if not order.languages or lang in order.languages]
            found |= {
                (volume.name, lang): read_sentences(read_book(state.workshop, lang, played, volume)) for lang in wanted
            }
        except ProblemsFound as wrong:
            more = f" (and {len(wrong.problems) - 1} more)" if len(wrong.problems) > 1 else ""
            why = f"{wrong.problems[0]}{more}"
            notes.append(NotCompared(f"diff_unread_{volume.name}", state.label, state.id, why))
            if volume is RULEBOOK:
                break  # the others take parts of it
    return found


def _missing_books(since: Version, until: Version, books: tuple[Books, Books]) -> Iterator[NotCompared]:
    """Yield a note for each book besides the rulebook that only one of the states has."""
    had = [{name for name, _ in each} for each in books]
    for one, here, there in ((since, had[0], had[1]), (until, had[1], had[0])):
        for volume in VOLUMES:
            if volume is not RULEBOOK and volume.name in there - here and RULEBOOK.name in here:
                yield NotCompared(f"diff_no_{volume.name}", one.label, one.id)


def write_difference_pages(
    project: Project, states: OpenComparison, form: str, languages: tuple[str, ...], out: Path, progress: Progress
) -> tuple[Path, ...]:
    """Write diff.<lang>.html or .pdf (A4; `form`) in these languages, else all of the later state. Return the paths."""
    since, until = states.since, states.until
    single = [lang for lang in until.languages if not second_language(lang)]
    with open_delivery() as files:
        workshop = _find_writer(project, states)
        for lang in languages or single:
            found = keep_languages(states.found, (lang,))
            progress(f"{until.id}: diff.{lang}.{form}")
            used_by = workshop if form == "pdf" else None
            make_portraits(find_pairs(found, since, until, lang), since, until, lang, used_by)
            longest = _LONGEST_ON_PAPER if form == "pdf" else None
            book = make_difference_book(found, (since, until), lang, used_by, longest)
            write_report(files, book, workshop, out / until.id / f"diff.{lang}.{form}")
        progress("")
        return files.hand_over()


_LONGEST_ON_PAPER = 700
"""Maximum number of characters of one value on a page. The JSON has the whole value."""


def _find_writer(project: Project, states: OpenComparison) -> Workshop:
    """Return the workshop that draws the pages: that of a state, else the present game's, else one without a game."""
    known = states.until.workshop or states.since.workshop
    if known is not None:
        return known
    try:
        game = load_game(project.find_folder(states.until.id), project.resources)
    except ProblemsFound:  # nothing is told of the game as it is: it only lends fonts and colours
        return make_record_workshop(project.resources, states.until)
    return Workshop(game, project.resources)
