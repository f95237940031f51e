"""The command `rulebook`: writes the books of games in each language, and checks them."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click

from generator.base.errors import Problem, ProblemsFound, raise_problems
from generator.base.extensions import find_additions
from generator.books.page.book_pages import find_setting_problems, set_book_on_sheet
from generator.books.rulebook.book_files import CHECKED, BookFiles, BookOptions, make_book_files
from generator.books.rulebook.book_templates import VOLUMES, Volume, find_volume_languages
from generator.books.rulebook.read_book import count_blocks, read_book
from generator.books.rulebook.rulebook_play import Engine, RulebookPlay
from generator.checks.check_report import Check
from generator.commands.options import (
    GAMES,
    LANG,
    OUT,
    PROJECT,
    open_project,
    order_from_options,
    progress,
    say_done,
    say_notes,
)
from generator.commands.orders import GameOutput, Job, Order, carry_out
from generator.commands.settings import REUSE
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import Game
from generator.game.project import Project
from generator.rules.registry import load_rules, trusted_folder

PAGES = ("A5", "B5", "A4", "Letter")
USUAL = BookOptions()


@click.command()
@GAMES
@LANG
@OUT
@click.option("--page", type=click.Choice(PAGES, case_sensitive=False), default="A5", show_default=True,
              help="Size of the pages.")  # fmt: skip
@click.option("--leaflet", is_flag=True,
              help="Also write a leaflet: A4 or Letter pages in two columns, without a cover.")  # fmt: skip
@click.option("--epub", is_flag=True, help="Also write an EPUB for e-readers.")
@click.option("--large-print", is_flag=True,
              help="Write only pages that are 1.4 times as large, on the next paper size.")  # fmt: skip
@click.option("--high-contrast", is_flag=True,
              help="Write only pages with black text and dark icons on pale backgrounds.")  # fmt: skip
@click.option(
    "--braille",
    is_flag=True,
    help="Also write <book>.<lang>.brf for braille embossers, in English and German (needs liblouis).",
)
@click.option("--proof", is_flag=True, help="List layout faults: empty page ends, split boxes, stray lines.")
@REUSE
@PROJECT
@click.pass_obj
def rulebook(obj: Path | None, /, **options: Any) -> None:
    """Build the rulebooks and quick starts.

    pnp writes pages, a booklet to fold, a web page and a quick start in each language.
    """
    if options["large_print"] and (options["page"] == "Letter" or options["leaflet"] or options["epub"]):
        raise click.UsageError(
            "--large-print writes only pages of --page A5, B5 or A4; leave --leaflet, --epub and Letter out"
        )
    if options["high_contrast"] and (options["leaflet"] or options["epub"]):
        raise click.UsageError("--high-contrast writes only pages; leave --leaflet and --epub out")
    project = open_project(obj, options)
    order = order_from_options(BookOrder, options)
    done = carry_out(project, options["games"], order, progress(), os.cpu_count() or 1)
    say_done(done)
    say_package_notes(project, options)


def say_package_notes(project: Project, options: dict[str, Any]) -> None:
    """Print the notes that other packages have about the games' books."""
    for addition in find_additions("notes").entries.values():
        say_notes(addition.load(Callable)(project, options["games"], options["languages"]))


@dataclass(frozen=True, slots=True)
class BookOrder(Order):
    """Order for rulebooks on a page size. With `trusted`, the game's own rules may run for the examples.

    `leaflet` and `epub` ask for these files too. `proof` adds notes on page layout. `large_print` makes pages on the
    next larger paper, scaled up, and no other files; `high_contrast` likewise makes pages only. `braille` adds files
    for embossers in languages that have a table.
    """

    page: str = "A5"
    leaflet: bool = False
    epub: bool = False
    trusted: bool = False
    proof: bool = False
    large_print: bool = False
    high_contrast: bool = False
    braille: bool = False

    def make(self, job: Job) -> GameOutput:
        """Make the books of one game."""
        wanted = BookOptions(self.page, self.leaflet, self.epub, self.large_print, self.high_contrast, self.braille)
        notes: list[str] | None = [] if self.proof else None
        made = write_books(job, self.languages, self.out, wanted, trusted=self.trusted, notes=notes)
        if not self.braille:
            return GameOutput(made, notes=tuple(notes or ()))
        from generator.books.braille import list_braille_notes

        return GameOutput(made, notes=(*list_braille_notes(job.workshop.game, self.languages), *(notes or ())))

    def missing_problems(self, games: Sequence[Game], made: Sequence[GameOutput]) -> Iterable[Problem]:
        """Yield one problem, about all `games`, if no edition of a book was made."""
        if not any(one.editions for one in made):
            what = f"{' and '.join(game.id for game in games)}: there is no rulebook"
            yield Problem(None, what, "write templates/<game>/rulebook.<lang>.md (docs/rulebook.md)")


def write_books(
    job: Job,
    languages: Sequence[str],
    out: Path,
    wanted: BookOptions = USUAL,
    *,
    volumes: Sequence[Volume] = VOLUMES,
    trusted: bool,
    notes: list[str] | None = None,
) -> tuple[str, ...]:
    """Write a game's books, or some volumes, in each language (all if empty). Return the languages that have one.

    Layout notes are appended to `notes`. Raise ProblemsFound with the problems of all languages.
    """
    game, folder = job.workshop.game, out / job.workshop.game.id
    problems: list[Problem] = []
    played = RulebookPlay(game, find_engine(job.project, game, trusted=trusted))
    paint = find_accent(game.palette)
    made: list[str] = []
    for volume in volumes:
        for lang in find_volume_languages(job.workshop, volume):
            if languages and lang not in languages:
                continue
            job.progress(f"{game.id}: {volume.name}.{lang}")
            try:
                book = make_book_files(job.workshop, lang, played, wanted, paint, volume)
            except ProblemsFound as found:
                problems += found.problems
                continue
            contents = {
                f"{wanted.suffix}.{lang}.pdf": book.pages,
                f"-booklet.{lang}.pdf": book.booklet,
                f"-leaflet.{lang}.pdf": book.leaflet,
                f".{lang}.html": book.web,
                f".{lang}.epub": book.epub,
                f".{lang}.brf": _make_braille(book, lang) if wanted.braille else b"",
            }
            for ending, content in contents.items():
                if content:
                    job.files.put(folder / f"{volume.name}{ending}", content)
            if notes is not None:
                notes += [f"{game.id}: {volume.name}.{lang}: {line}" for line in book.proof]
            made.append(lang)
    raise_problems(problems)
    return tuple(made)


def _make_braille(book: BookFiles, lang: str) -> bytes:
    """Return a book in braille, or nothing if the language has no table. Raise ProblemsFound if liblouis fails."""
    from generator.books import braille  # few books are made in braille

    if lang not in braille.TABLES:
        return b""
    passages = [braille.BraillePassage(*one) for one in book.linear]
    lines = braille.lines_to_braille([one.words for one in passages], lang)
    return braille.brf_from_passages([one._replace(words=words) for one, words in zip(passages, lines, strict=True)])


def find_engine(project: Project, game: Game, *, trusted: bool) -> Engine:
    """Return a function that loads the game's rules on the first call, its own ones only if `trusted`."""
    return cache(lambda: load_rules(game, trusted_folder(project.find_folder(game.id), trusted)))


def check_books(project: Project, workshop: Workshop, *, trusted: bool) -> tuple[Check, ...]:
    """Return one check for each book, or one for each problem in it.

    The book is read, its examples are played and its lines are set. Page breaks are checked only in the quick start,
    which has one page. A book that was made or checked before is not read again.
    """
    game = workshop.game
    played = RulebookPlay(game, find_engine(project, game, trusted=trusted))
    return tuple(check for volume in VOLUMES for check in _check_volume(workshop, volume, played))


def _check_volume(workshop: Workshop, volume: Volume, played: RulebookPlay) -> Iterator[Check]:
    try:
        languages = find_volume_languages(workshop, volume)
    except ProblemsFound as found:
        yield from _failed_book_checks(f"book.{volume.name}", found.problems)
        return
    game, kept = workshop.game, workshop.kept
    if game.has_own_rules:
        kept = None  # they may be any program
    counts = dict[str, Counter[str]]()
    for lang in languages:
        name, called = f"book.{volume.name}.{lang}", f"{volume.called} ({lang})"
        counted = kept.find(CHECKED, Counter[str], lang, volume.name) if kept is not None else None
        if counted is not None:
            counts[lang] = counted
            yield _passed_book_check(name, called, counted["blocks"])
            continue
        told = tuple(workshop.problems)
        try:
            with kept.listen(lang) if kept is not None else nullcontext():
                book = read_book(workshop, lang, played, volume)
            if volume.sheet:
                set_book_on_sheet(book, workshop)
            problems = [] if volume.sheet else find_setting_problems(book, workshop)
        except ProblemsFound as found:
            problems = list(found.problems)
        of_book = [problem for problem in problems if problem not in told]
        if of_book:
            yield from _failed_book_checks(name, of_book)
        elif problems:
            yield Check(name, "book", "undecided", f"the {called} shows faces that could not be drawn")
        else:
            counts[lang] = count_blocks(book)
            if kept is not None and not played.has_added_blocks:
                kept.keep(CHECKED, counts[lang], lang, volume.name)
            yield _passed_book_check(name, called, counts[lang]["blocks"])
    if len(counts) > 1:
        yield _compare_languages(volume, counts)


def _compare_languages(volume: Volume, counts: Mapping[str, Counter[str]]) -> Check:
    """Return a check that chapters have as many blocks of each sort in each language (`counts`), undecided if not."""
    places = sorted(set().union(*counts.values()) - {"blocks"})
    apart = [
        f"{place}: " + ", ".join(f"{counts[lang][place]} in {lang}" for lang in counts)
        for place in places
        if len({counted[place] for counted in counts.values()}) > 1
    ]
    sentence = f"every language of the {volume.called} shows as much in each chapter"
    return Check(f"book.{volume.name}.languages", "book", "undecided" if apart else "pass", sentence, "; ".join(apart))


def _passed_book_check(name: str, called: str, blocks: int) -> Check:
    return Check(name, "book", "pass", f"the {called} can be made", f"{blocks} blocks")


def _failed_book_checks(name: str, problems: Sequence[Problem]) -> Iterator[Check]:
    for number, problem in enumerate(dict.fromkeys(problems), start=1):
        yield Check(f"{name}.{number}", "book", "fail", problem.what, problem.hint, problem.place)
