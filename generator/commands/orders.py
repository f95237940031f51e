"""Orders: make files of all games of a project, in the languages (editions) that the user asks for."""

import gc
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, NamedTuple

from generator.base.errors import Problem, ProblemsFound, did_you_mean, gather_problems, raise_problems
from generator.base.languages import find_missing_phrases, second_language
from generator.base.output_files import Delivery, PendingFiles, open_delivery
from generator.checks.check_report import Check
from generator.drawing.faces.game_drawing import Workshop
from generator.game.game_cache import has_shape
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import Project
from generator.sheets.pieces import find_idle_patterns


def editions_of(game: Game, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the wanted languages (default: all) in the game's order, then wanted pairs. Invalid ones are left out."""
    single = [lang for lang in game.languages if not wanted or lang in wanted]
    pairs = [edition for edition in wanted if second_language(edition) and not _wrong_language(game, edition)]
    return tuple(dict.fromkeys([*single, *pairs]))


def unused_languages(games: Sequence[Game], languages: Iterable[str]) -> Iterable[Problem]:
    """Yield a problem for each requested language that no game has."""
    for edition in languages:
        wrong = [(game, found) for game in games if (found := _wrong_language(game, edition))]
        if games and len(wrong) == len(games):
            game, (what, hint) = wrong[0]
            yield Problem(game.places.place("languages"), f"--lang {edition}: {what}", hint)


def missing_editions(games: Sequence[Game], languages: Iterable[str], editions: Iterable[str]) -> Iterable[Problem]:
    """Yield a problem for each pair in `languages` that is not in `editions`, those that templates offer."""
    found = frozenset(editions)
    for edition in languages:
        if second_language(edition) and edition not in found:
            of = f"of {games[0].id}" if len(games) == 1 else "of any game"
            what = f"--lang {edition}: no template {of} offers two languages"
            yield Problem(None, what, "use {{ second... }} in one")


def gaps_of(game: Game, wanted: Sequence[str]) -> Iterable[str]:
    """Yield a note for each text that lacks a translation in a wanted language, of the game and of the program."""
    yield from game.places.gaps
    for lang in dict.fromkeys(part for edition in editions_of(game, wanted) for part in edition.split("+")):
        lacking = find_missing_phrases(lang)
        if lacking:
            names = f"{', '.join(lacking[:3])} ..." if len(lacking) > 3 else ", ".join(lacking)
            what = f"{len(lacking)} words of pnp ({names}) have no translation in '{lang}' and appear in English"
            yield f"{what}; add them as generator/words/{lang}.yaml (docs/translation.md)"


def _wrong_language(game: Game, edition: str) -> tuple[str, str] | None:
    languages = edition.split("+")
    for lang in languages:
        if lang not in game.languages:
            whose = "not a language of this game" if lang == edition else f"'{lang}' is not a language of this game"
            return whose, did_you_mean(lang, game.languages)
    if len(languages) > 2:
        return "a card has room for two languages", "name two of them"
    if len(set(languages)) < len(languages):
        return "the same language twice", "name two different ones"
    return None


# A command is an `Order` with its own fields and a `make` method. Its files depend only on the game and on these
# fields. All fields together are the cache key, so that none can be forgotten.

Progress = Callable[[str], None]
"""Function that receives the name of the current step, and an empty string at the end."""


class GameOutput(NamedTuple):
    """The result of an order for one game, besides its files: editions, failed checks, notes.

    `more` is data for the command itself. `doubtful` are checks that found something or are undecided. `passed` is the
    number of checks that passed.
    """

    editions: tuple[str, ...] = ()
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    more: Any = None
    doubtful: tuple[Check, ...] = ()
    passed: int = 0


class Job(NamedTuple):
    """What an order needs to make one game's files. Its rules may be played in `processes` parallel processes."""

    project: Project
    workshop: Workshop
    files: Delivery
    progress: Progress
    processes: int = 1

    def write_edition(self, path: Path, edition: str, writer: Callable[[BinaryIO], object], *key: Any) -> None:
        """Write a file of an edition with `writer`, or take it from an earlier run if what it shows is unchanged.

        What decides it besides the game is in `key`.
        """
        kept = self.workshop.kept
        if kept is None:
            self.files.write(path, writer)
            return
        data = kept.find("file", bytes, edition, path.name, *key)
        if data is None:
            out = io.BytesIO()
            with kept.listen(edition):
                writer(out)
            data = out.getvalue()
            if not self.workshop.problems:  # what is missing has not been noted
                kept.keep("file", data, edition, path.name, *key)
        self.files.put(path, data)

    @contextmanager
    def share(self, parts: Sequence[Callable[["Job"], object]]) -> Iterator[Callable[[], object]]:
        """Let a copy of this process begin to store what `parts` make. Yield a function that does all the work here.

        That function first takes parts that the copy hasn't begun, and waits for the rest. Then it does the whole work
        with the results from the store. It makes what isn't there, because there is no store, a process can't be copied
        here, or the copy has failed. A stranger's rules run only once.
        """
        import multiprocessing  # these import much that other orders don't need

        from generator.base.processes import SideProcess
        from generator.rules.registry import load_rules

        helped = self.processes > 1 and self.workshop.kept is not None and not self.workshop.game.has_own_rules
        if not helped or multiprocessing.get_start_method() != "fork":
            yield partial(_do_parts, parts, self)
            return

        def finish() -> None:
            _prepare_results(parts, self, waiting)
            with suppress(EOFError):
                copy.wait()
            _do_parts(parts, self)

        with suppress(ProblemsFound):  # the checks report them
            load_rules(self.workshop.game)  # once for both processes
        waiting, numbers = os.pipe()
        try:
            os.write(numbers, bytes(range(len(parts))))
            os.close(numbers)
            with SideProcess(_prepare_results, parts, self, waiting) as copy:
                yield finish
        finally:
            os.close(waiting)


def _do_parts(parts: Sequence[Callable[[Job], object]], job: Job) -> None:
    problems: list[Problem] = []
    for part in parts:
        with gather_problems(problems):
            part(job)
    raise_problems(problems)


def _prepare_results(parts: Sequence[Callable[[Job], object]], job: Job, waiting: int) -> None:
    """Store the results of the parts whose indices are read from the pipe `waiting`, a byte each, until it is empty."""
    with open_delivery() as files:
        own = job._replace(files=files, progress=lambda _doing: None, processes=1)
        while number := os.read(waiting, 1):
            with suppress(ProblemsFound):  # the work itself reports them
                parts[number[0]](own)
        job.workshop.save_faces()


@dataclass(frozen=True, slots=True)
class Order:
    """What to make of games: languages (default: all), output folder, patterns of ids to select (default: all)."""

    languages: tuple[str, ...]
    out: Path
    only: tuple[str, ...] = ()

    one_language: ClassVar[str] = ""
    """What the files are called if each has one language; then pairs of languages are problems."""

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """Yield a problem for each option that fits none of the games, or not this command."""
        yield from unused_languages(games, self.languages)
        idle = [set(find_idle_patterns(game, self.only)) for game in games]
        ids = [design.id for game in games for design in game.designs()]
        for pattern in sorted(set.intersection(*idle)) if idle else ():
            of = f"of {games[0].id}" if len(games) == 1 else "of any game"
            yield Problem(None, f"--only '{pattern}' matches no component {of}", did_you_mean(pattern, ids))
        for edition in filter(second_language, self.languages) if self.one_language else ():
            hint = f"write --lang {' --lang '.join(edition.split('+', 1))} for one of each"
            yield Problem(None, f"--lang {edition}: each of the {self.one_language} has one language", hint)

    def pick_languages(self, game: Game) -> tuple[str, ...]:
        """Return the requested languages of a game (default: all), for files with one language each."""
        return tuple(lang for lang in game.languages if not self.languages or lang in self.languages)

    def for_cache(self, _game: Game) -> "Order | None":
        """Return the order without what files don't depend on (such as `out`), as cache key; here None: no cache."""
        return None

    def make(self, job: Job) -> GameOutput:
        """Make the files of one game. Raise ProblemsFound with all problems."""
        raise NotImplementedError

    def finish_game(self, _work: Job, _made: GameOutput) -> None:
        """Finish the work on one game. This also runs if its files came from the cache."""

    def missing_problems(self, games: Sequence[Game], made: Sequence[GameOutput]) -> Iterable[Problem]:
        """Yield a problem for each request that no game could fulfil. Runs only if no game had a problem."""
        return missing_editions(games, self.languages, (edition for one in made for edition in one.editions))


class RunOutput(NamedTuple):
    """The files made of all games, each game's result, and notes on missing translations."""

    files: tuple[Path, ...]
    made: tuple[GameOutput, ...]
    gaps: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes for the user: on missing translations, then those of each game."""
        return (*self.gaps, *(note for made in self.made for note in made.notes))


def carry_out(
    project: Project, names: tuple[str, ...], order: Order, progress: Progress, processes: int = 1
) -> RunOutput:
    """Make the ordered files of the named games, or of all games if no name is given.

    All files are delivered together. If anything is wrong, no file is delivered, and ProblemsFound lists all problems
    in the order of the games. Results in the project's store are reused. The number of processes affects only the time.
    """
    games, problems = load_games(project, names)
    problems += order.option_problems(games)
    with open_delivery() as files:
        results = []
        if processes > 1 and len(games) > 1:
            results = _make_in_parallel(project, games, order, progress, processes, files)
        else:
            for workshop in iter_workshops(project, games):
                results.append(_make_game(order, Job(project, workshop, files, progress, processes)))
                del workshop
        problems += (problem for result in results for problem in result.problems)
        if project.store is not None:
            project.store.remove_oldest()
        made = tuple(result.made for result in results)
        if not problems:
            progress("")
            problems += order.missing_problems(games, made)
        raise_problems(problems)
        gaps = tuple(gap for game in games for gap in gaps_of(game, order.languages))
        return RunOutput(files.hand_over(), made, gaps)


def load_games(project: Project, names: tuple[str, ...]) -> tuple[list[Game], list[Problem]]:
    """Load the named games (all if none is named). Return those that could be loaded and the problems of the others."""
    games: list[Game] = []
    problems: list[Problem] = []
    for name in project.choose_games(names):
        with gather_problems(problems):
            games.append(load_game(project.find_folder(name), project.resources))
    return games, problems


def iter_workshops(project: Project, games: Sequence[Game]) -> Iterator[Workshop]:
    """Yield a workshop for each game in turn. Each stores its drawings and frees its memory before the next.

    Automatic garbage collection is off, because a game creates hardly any garbage before it is done. Objects that
    existed at the start are exempt.
    """
    if len(games) > 1:
        gc.freeze()
    try:
        for game in games:
            workshop = Workshop(game, project.resources, store=project.store)
            yield workshop
            workshop.save_faces()
            del workshop
            if len(games) > 1:
                gc.collect()
    finally:
        if len(games) > 1:
            gc.unfreeze()


# Games are made one after another or in parallel.


class _GameResult(NamedTuple):
    made: GameOutput
    problems: tuple[Problem, ...] = ()
    waiting: PendingFiles | None = None


def _make_in_parallel(
    project: Project, games: Sequence[Game], order: Order, progress: Progress, processes: int, files: Delivery
) -> list[_GameResult]:
    """Make each game in its own process; `files` collects the files. Steps aren't shown, as lines would overlap."""
    from concurrent.futures import as_completed

    from generator.base.processes import start_helpers  # imports much that a single game doesn't need

    progress(f"{len(games)} games")
    with start_helpers(min(processes, len(games)), _disable_garbage_collection) as pool:
        largest = sorted(games, key=lambda game: -sum(1 for _ in game.designs()))  # the last to end begins first
        begun = {game.id: pool.submit(_make_in_process, project, order, game.id) for game in largest}
        try:
            for number, _ in enumerate(as_completed(begun.values()), 1):
                progress(f"{len(games)} games, {number} done")
            return [begun[game.id].result() for game in games]
        finally:
            for future in begun.values():  # collect the files of all finished games, so that no temporary file remains
                done = future.result() if not future.cancel() and future.exception() is None else None
                if done is not None and done.waiting is not None:
                    files.take_over(done.waiting)


def _disable_garbage_collection() -> None:
    """Prepare a helper process: disable automatic garbage collection and exempt the present objects from it."""
    gc.disable()
    gc.freeze()


def _make_in_process(project: Project, order: Order, name: str) -> _GameResult:
    try:
        game = load_game(project.find_folder(name), project.resources)
    except ProblemsFound as found:
        return _GameResult(GameOutput(), tuple(found.problems))
    with open_delivery() as files:
        workshop = Workshop(game, project.resources, store=project.store)
        part = _make_game(order, Job(project, workshop, files, lambda _doing: None))
        workshop.save_faces()
        part = part._replace(waiting=files.release())
    del game, workshop
    gc.collect()
    return part


# A game's files from an earlier run are reused if none of their inputs has changed.

_FILES = tuple[list[tuple[str, bytes]], Any]
"""Cached files of a game (name and bytes), and the rest of its result."""

_PLAIN = r"[a-z]+(-[a-z]+)*(\.[A-Za-z0-9+-]+)?\.(pdf|html|txt)"
"""File names that the program itself uses. Others in the cache are rejected, as they might lead elsewhere."""


def _make_game(order: Order, job: Job) -> _GameResult:
    """Return the result of one game, from the cache or newly made with notes about its art."""
    workshop, files, folder = job.workshop, job.files, order.out / job.workshop.game.id
    asked = order.for_cache(workshop.game)
    kept = workshop.kept if asked is not None else None
    key = replace(asked, out=Path()) if asked is not None else None
    try:
        contents, known = (kept.get("files", _FILES, kept.game, key) if kept is not None else None) or ([], ())
        if has_shape(known, GameOutput) and all(re.fullmatch(_PLAIN, name) for name, _ in contents):
            for name, data in contents:
                files.put(folder / name, data)
            made = GameOutput(*known)
        else:
            before = files.count
            made = order.make(job)
            made = made._replace(notes=(*made.notes, *workshop.collect_notes()))
            if kept is not None and not workshop.problems:  # what is missing has not been noted
                contents = [(path.relative_to(folder).as_posix(), data) for path, data in files.read_contents(before)]
                kept.put("files", (contents, tuple(made)), kept.game, key)
        order.finish_game(job, made)
    except ProblemsFound as found:
        return _GameResult(GameOutput(), tuple(found.problems))
    return _GameResult(made)
