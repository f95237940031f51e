"""The command `changed`: prints the cards changed since a snapshot, the change list, and lines for the terminal."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import click

from generator.base.errors import Problem, ProblemsFound, did_you_mean, raise_problems
from generator.base.languages import second_language
from generator.base.output_files import Delivery, open_delivery
from generator.commands.command_line import say, say_text
from generator.commands.options import FORMAT, open_project, path_from_here, progress, say_notes
from generator.commands.orders import Job, Progress
from generator.commands.print_sheets import PrintOrder, impose_sheets, write_sheets
from generator.commands.settings import REUSE
from generator.commands.sheets import PRINTING, print_order_from_options
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.project import UNFINISHED, Project
from generator.versions.change_list import SORTS, Change, Sort, VersionChanges, compare_versions, make_change_list
from generator.versions.game_version import (
    GameNotInState,
    Version,
    game_of_revision,
    make_record_workshop,
    open_version,
    require_version,
)
from generator.versions.records import FOLDER, find_gone_games, newest_record, record_names


@click.command("changed")
@PRINTING
@click.option(
    "--since",
    default="",
    metavar="A",
    help="Old version: a snapshot, git:REV or another game (default: newest snapshot).",
)
@click.option(
    "--until",
    default="",
    metavar="B",
    help="New version: a snapshot, git:REV or another game (default: current project).",
)
@FORMAT
@REUSE
@click.pass_obj
def print_changed(obj: Path | None, /, **options: Any) -> None:
    """Print only the cards changed since a snapshot.

    pnp prints all copies of new and changed designs, and the missing copies of the others. A changed template or
    palette counts as a change; a comment or the draft number does not. changed-list.<lang>.pdf lists what to take out
    of the box.
    """
    if options["copies"] is not None:
        raise click.UsageError("pnp changed counts the missing copies itself; leave --copies out")
    project = open_project(obj, options)
    asked = ChangeOrder(options["since"], options["until"], print_order_from_options(options, project, PrintOrder))
    found = make_changes(project, options["games"], asked, progress())
    files, gone = ([path_from_here(path) for path in paths] for paths in (found.files, found.removed))
    if options["form"] == "json":
        data = changes_to_data(found.games) | {"files": files, "removed_files": gone}
        say_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        for line in (line for game in found.games for line in change_lines(game)):
            say(line)
        for path in files:
            say(path)
        for path in gone:
            say(f"{path}: removed, it no longer holds")
    say_notes(found.notes)


@dataclass(frozen=True, slots=True)
class ChangeOrder:
    """The two states to compare (defaults: the newest record, the present project), and how to print."""

    since: str
    until: str
    order: PrintOrder


@dataclass(frozen=True, slots=True)
class ChangeOutput:
    """Changes of each game by language, the files made, outdated files that were removed, and notes."""

    games: tuple[tuple[VersionChanges, ...], ...]
    files: tuple[Path, ...]
    removed: tuple[Path, ...]
    notes: tuple[str, ...]


def make_changes(project: Project, names: tuple[str, ...], order: ChangeOrder, progress: Progress) -> ChangeOutput:
    """Make sheets of new and changed designs and a list of all changes for each changed game (of `names`, if any).

    Raise ProblemsFound with all problems; then no file is written.
    """
    with open_delivery() as files:
        comparer = _Comparer(project, order, progress, files)
        for game in _games_to_compare(project, names, order):
            comparer.add_game(game.removeprefix(UNFINISHED), named=bool(names))
        if not names:
            for game in find_gone_games(project):
                folder = project.resources.display_path(project.root / FOLDER / game)
                what = f"{folder} has records of a game that is gone; if the game was renamed, rename this folder too"
                comparer.notes.append(what)
        progress("")
        comparer.raise_problems()
        made = files.hand_over()
    stale = tuple(path for path in comparer.targets if path not in made and path.is_file())
    for path in stale:
        path.unlink()
    return ChangeOutput(tuple(comparer.games), made, stale, tuple(comparer.notes))


def _games_to_compare(project: Project, names: tuple[str, ...], order: ChangeOrder) -> tuple[str, ...]:
    """Return the games to compare: those named, the game of a state, else all. Raise ProblemsFound if that is unclear.

    A game without data may be named if both states are given.
    """
    if names:
        gone = find_gone_games(project) if order.until else ()
        here = tuple(name for name in names if name not in gone)
        if here:
            project.choose_games(here)
        return tuple(dict.fromkeys(names))
    for text in (order.since, order.until):
        require_version(project, text)
        game = game_of_revision(project, text)
        if game in project.games:
            return (game,)
        of_one = game or (
            text in project.games and not any(text in record_names(project.root, game) for game in project.games)
        )
        if of_one and len(project.games) > 1:
            what = f"'{text}' contains one game, but this project has several: {', '.join(project.games)}"
            raise ProblemsFound([Problem(None, what, "name the game to compare")])
    return project.choose_games(())


@dataclass(slots=True)
class _Comparer:
    project: Project
    asked: ChangeOrder
    progress: Progress
    files: Delivery
    games: list[tuple[VersionChanges, ...]] = field(default_factory=list)
    targets: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)

    def add_game(self, game: str, *, named: bool) -> None:
        """Compare one game. Missing data is a problem if the user named the game, else a note."""
        try:
            since = self.asked.since or newest_record(self.project.root, game, before=self.asked.until)
            holders = [name for name in self.project.games if since in record_names(self.project.root, name)]
            if not since or (not named and self.asked.since and holders and game not in holders):
                what = f"{game} has no record {self.asked.since}".rstrip()
                if self.asked.until in record_names(self.project.root, game) and not self.asked.since:
                    what += f" before {self.asked.until}"
                if named:
                    self.problems.append(Problem(None, what, _WAYS))
                else:
                    self.notes.append(what)
                return
            with ExitStack() as opened:
                self._compare_states(game, since, opened)
        except ProblemsFound as found:
            if named or not isinstance(found, GameNotInState):
                self.problems += found.problems
            else:
                self.notes += [problem.what for problem in found.problems]

    def raise_problems(self) -> None:
        """Raise ProblemsFound with all problems, or if there was nothing to compare."""
        for pattern in self.asked.order.only:
            if self.ids and not any(_matches_patterns(name, [pattern]) for name in self.ids):
                hint = did_you_mean(pattern, self.ids)
                self.problems.append(Problem(None, f"--only '{pattern}' matches no component", hint))
        if not self.games and not self.problems:
            self.problems.append(Problem(None, "; ".join(self.notes) or "there is nothing to compare", _WAYS))
        raise_problems(self.problems)

    def _compare_states(self, game: str, label: str, opened: ExitStack) -> None:
        order, project = self.asked.order, self.project
        self.progress(f"{game}: since {label}")
        since = opened.enter_context(open_version(project, label, game, order.languages))
        until = opened.enter_context(open_version(project, self.asked.until, game, order.languages or since.languages))
        self.ids |= since.designs.keys() | until.designs.keys()
        found = []
        for lang in self._common_languages(since, until):
            changes = compare_versions(since, until, lang, partial(_matches_patterns, patterns=order.only))
            self._write_files(changes, until.workshop or make_record_workshop(project.resources, until))
            found.append(changes)
        if since.program != until.program and any(changes.all for changes in found):
            versions = f"version {since.program}, {until.label or 'the faces now'} by {until.program}"
            self.notes.append(f"{game}: {since.label} was drawn by {versions}: the program may have changed them too")
        if found:
            self.games.append(tuple(found))

    def _common_languages(self, since: Version, until: Version) -> Sequence[str]:
        """Return the common languages. A missing one is a problem if it was requested, else a note."""
        asked = self.asked.order.languages
        both = [lang for lang in until.languages if lang in since.languages and (lang in asked or not asked)]
        for lang in asked:
            lacking = [one for one in (since, until) if lang not in one.languages]
            for one in lacking:
                label = one.label or f"{one.id} as it is"
                hint = did_you_mean(lang, one.game.languages if one.game else one.languages)
                self.problems.append(Problem(None, f"--lang {lang}: {label} does not have it", hint))
        if not asked:
            now = until.game.languages if until.game else until.languages
            single = [lang for lang in since.languages if not second_language(lang)]
            for lang in now if single else ():
                if lang not in since.languages:
                    self.notes.append(
                        f"{until.id}: {lang} is not in {since.label}; `pnp sheets --lang {lang}` prints it"
                    )
            self.notes += [f"{until.id}: {lang} is gone" for lang in since.languages if lang not in until.languages]
        return both

    def _write_files(self, changes: VersionChanges, workshop: Workshop) -> None:
        """Write the sheets if something can be printed, and the list if anything changed."""
        until, order = changes.until, self.asked.order
        folder = order.out / until.id
        sheets, listed = (folder / f"{name}.{changes.lang}.pdf" for name in ("changed", "changed-list"))
        self.targets += [sheets, listed]
        if not changes.all:
            return
        prints = bool(changes.parts) and until.workshop is workshop
        if prints:
            wanted = replace(order, languages=(changes.lang,), parts=changes.parts)
            job = Job(self.project, workshop, self.files, self.progress)
            write_sheets(job, wanted, impose_sheets(workshop, wanted, self.progress))
        elif changes.parts:
            self.notes.append(f"{until.id}: nothing can be printed from a record; the list says what is missing")
        self.progress(f"{until.id}: {listed.name}")
        paint = find_accent(workshop.game.palette)
        document = make_change_list(changes, workshop, order.sheets, sheets.name if prints else "", paint)
        self.files.write(listed, partial(workshop.write_document, document))


_WAYS = "make a record with `pnp record NAME`, or name what to compare with: --since git:REV"


def _matches_patterns(name: str, patterns: Iterable[str]) -> bool:
    """Return True if an id matches one of the patterns, or if there are none."""
    patterns = tuple(patterns)
    kind = name.split("/", maxsplit=1)[0]
    return not patterns or any(fnmatchcase(name, pattern) or kind == pattern for pattern in patterns)


TITLES: Mapping[Sort, str] = {
    "removed": "removed: take these out of the box", "changed": "changed: take the old ones out, put the new ones in",
    "added": "added: put these in", "more": "more copies: only the missing ones are printed",
    "fewer": "fewer copies: take out what is too many", "renamed": "renamed: the pieces look as before",
}  # fmt: skip

_REPORT_LANGUAGE = "en"
"""Language of names in the text output. A game without it uses its first language."""


def change_lines(game: Sequence[VersionChanges]) -> Iterator[str]:
    """Yield the lines about one game, given its changes in each language."""
    together: dict[tuple[object, ...], list[VersionChanges]] = {}
    for changes in game:
        told = [
            (one.sort, one.id, one.before.id if one.before else "", one.faces, one.to_print, one.take_out)
            for one in changes.all
        ]
        together.setdefault(tuple(told), []).append(changes)
    for alike in together.values():
        first = next((changes for changes in alike if changes.lang == _REPORT_LANGUAGE), alike[0])
        until = f" to {first.until.label}" if first.until.label else ""
        since = f"{'from' if until else 'since'} {first.since.label}{until}"
        head = f"{first.until.id} {since} ({', '.join(changes.lang for changes in alike)})"
        if not first.all:
            yield f"{head}: nothing has changed"
            continue
        sums = [f"print {first.copies_to_print}"] if first.copies_to_print else []
        sums += [f"take out {first.copies_to_take_out}"] if first.copies_to_take_out else []
        yield f"{head}: {', '.join(sums) or 'nothing to print or to take out'}"
        for sort in SORTS:
            if first.changes_of_sort(sort):
                yield f"  {TITLES[sort]}"
                yield from (f"    {_change_line(first, change)}" for change in first.changes_of_sort(sort))


def changes_to_data(games: Sequence[Sequence[VersionChanges]]) -> dict[str, Any]:
    """Return the changes of all games as plain values for JSON."""
    found = [
        {
            "id": game[0].until.id,
            "since": {"name": game[0].since.label, "draft": game[0].since.draft},
            "until": {"name": game[0].until.label, "draft": game[0].until.draft},
            "languages": {
                changes.lang: {"print": changes.copies_to_print, "take_out": changes.copies_to_take_out}
                | {sort: [_design_data(changes, one) for one in changes.changes_of_sort(sort)] for sort in SORTS}
                for changes in game
            },
        }
        for game in games
        if game
    ]
    return {"format": 1, "games": found}


def _change_line(changes: VersionChanges, change: Change) -> str:
    name = changes.design_name(change)
    about = f"{change.id} ({name})" if name else change.id
    if change.sort == "renamed" and change.before:
        about = f"{change.before.id} is now {about}"
    parts = [", ".join(change.faces)] if change.faces and change.faces != ("front",) else []
    before, after = change.before, change.after
    if before and after and before.count != after.count:
        parts.append(f"{before.count} -> {after.count}")
    parts += [f"take out {change.take_out}"] if change.take_out else []
    parts += [f"print {change.to_print}"] if change.to_print else []
    return f"{about}: {', '.join(parts)}" if parts else about


def _design_data(changes: VersionChanges, change: Change) -> dict[str, Any]:
    told: dict[str, Any] = {"id": change.id, "name": changes.design_name(change)}
    if change.sort == "renamed" and change.before:
        told["was"] = change.before.id
    if change.faces:
        told["faces"] = list(change.faces)
    told["before"] = change.before.count if change.before else 0
    told["after"] = change.after.count if change.after else 0
    return told | {"print": change.to_print, "take_out": change.take_out}
