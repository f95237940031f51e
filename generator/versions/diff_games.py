"""Diff: compare two named states as pages, text or JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from generator.base.errors import Problem, ProblemsFound, did_you_mean
from generator.base.files import is_file, is_folder, list_folder
from generator.base.geometry import paper_size
from generator.base.languages import phrase, second_language
from generator.base.output_files import open_delivery
from generator.books.rulebook.book_templates import RULEBOOK, VOLUMES, find_volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.load_game import load_game
from generator.game.project import GAME_FILE, Project
from generator.rules.registry import load_rules, trusted_folder
from generator.sheets.settings import SheetSettings
from generator.versions.compare_games import Books, find_difference, find_pairs, keep_languages, make_portraits
from generator.versions.difference_page import make_difference_page
from generator.versions.difference_web import difference_html
from generator.versions.differences import (
    ENTRY_SORTS,
    AbsentValue,
    BookName,
    Difference,
    DifferenceEntry,
    NotCompared,
    ValueChange,
    VersionState,
    alike_words,
    book_name,
    entry_name,
    format_piece_counts,
    format_sides,
    group_changed_looks,
    mark_name,
    mark_words,
    shorten_runs,
    state_name,
    summarise,
    value_label,
    value_runs,
)
from generator.versions.game_version import Version, make_record_workshop, open_version
from generator.versions.sentences import Sentence, SentenceChange, TextPart, read_sentences, word_runs

Progress = Callable[[str], None]


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
    """Two states, still open for pictures, and their difference."""

    since: Version
    until: Version
    found: Difference


@contextmanager
def open_comparison(project: Project, order: DiffOrder, progress: Progress) -> Iterator[OpenComparison]:
    """Open the two states and yield them with their difference. Raise ProblemsFound if one can't be opened."""
    with ExitStack() as opened:
        progress(f"{order.since}")
        since = opened.enter_context(
            open_version(project, order.since, order.game or (order.until if order.until in project.games else ""))
        )
        progress(f"{order.until or since.id}")
        until = opened.enter_context(open_version(project, order.until, _find_second_game(project, order, since.id)))
        _check_languages(order, since, until)
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


def _check_languages(order: DiffOrder, since: Version, until: Version) -> None:
    known = dict.fromkeys([*until.languages, *since.languages])
    problems = [
        Problem(None, f"--lang {lang}: neither state has this language", did_you_mean(lang, known))
        for lang in order.languages
        if lang not in known
    ]
    if problems:
        raise ProblemsFound(problems)


def _read_books(project: Project, order: DiffOrder, state: Version, notes: list[NotCompared]) -> Books:
    """Return the sentences of a state's books. A book that can't be read is skipped with a note."""
    if state.game is None or state.workshop is None:
        return {}
    found: dict[BookName, tuple[Sentence, ...]] = {}
    played = _play_version(project, order, state, state.workshop)
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


def _play_version(project: Project, order: DiffOrder, one: Version, workshop: Workshop) -> RulebookPlay:
    home = _game_folder(project, one)
    folder = trusted_folder(home, order.trusted(home.parent.parent))
    return RulebookPlay(workshop.game, lambda: load_rules(workshop.game, folder))


def _game_folder(project: Project, state: Version) -> Path:
    """Return the folder with the data of a state: a revision's temporary copy, another project, or this one."""
    known = (state.room.name if state.room else "", state.label)
    for root in known:
        if root and is_folder(Path(root) / "data" / state.id):
            return Path(root) / "data" / state.id
    return project.find_folder(state.id)


def write_difference_pages(
    project: Project, states: OpenComparison, form: str, languages: tuple[str, ...], out: Path, progress: Progress
) -> tuple[Path, ...]:
    """Write `diff.<lang>.html` or `.pdf` (A4) in each language for the later state. Raise ProblemsFound."""
    since, until = states.since, states.until
    single = [lang for lang in until.languages if not second_language(lang)]
    with open_delivery() as files:
        workshop = _find_writer(project, states)
        for lang in languages or single:
            found = keep_languages(states.found, (lang,))
            progress(f"{until.id}: diff.{lang}.{form}")
            drawn_there = workshop if form == "pdf" else None
            make_portraits(find_pairs(found, since, until, lang), since, until, lang, drawn_there)
            target = out / until.id / f"diff.{lang}.{form}"
            if form == "html":
                page = difference_html(found, since, until, lang).encode("utf-8")
                files.put(target, page)
            else:
                ink = find_accent(workshop.game.palette)
                document = make_difference_page(found, (since, until), lang, workshop, SheetSettings(_PAPER), ink)
                files.write(target, partial(workshop.write_document, document))
        progress("")
        return files.hand_over()


_PAPER = paper_size("A4")


def _find_writer(project: Project, states: OpenComparison) -> Workshop:
    """Return the workshop that writes the pages. For two records this is the present game if it can be loaded."""
    known = states.until.workshop or states.since.workshop
    if known is not None:
        return known
    try:
        game = load_game(project.find_folder(states.until.id), project.resources)
    except ProblemsFound:  # nothing is told of the game as it is: it only lends fonts and colours
        return make_record_workshop(project.resources, states.until)
    return Workshop(game, project.resources)


FORMAT = 1

LIMITS = ((60, 12), (200, 8))
"""Pairs of (differences, items): up to this number of differences, a group shows this number of items of a sort."""

_LEAST_SHOWN = 5
_LONGEST = 160
"""Maximum number of characters of a value or sentence in the text."""

_REPORT_LANGUAGE = "en"
"""Language of the text and of names, if a name has it."""

_SIGNS: Mapping[str, str] = {"added": "+", "removed": "-", "renamed": "=", "changed": "~", "moved": ">"}


def difference_lines(comparison: Difference, *, whole: bool = False) -> Iterator[str]:
    """Yield the lines of the text. Long lists and long values are shortened, unless `whole` is set."""
    limit = None if whole else limit_for(comparison)
    since, until = comparison.since, comparison.until
    first, second = (state_name(*pair, _REPORT_LANGUAGE) for pair in ((since, until), (until, since)))
    head = f"{until.id}: {first} -> {second}"
    if comparison.is_empty:
        yield f"{head}: {phrase('diff_same', _REPORT_LANGUAGE)}"
    else:
        yield head
        lines = summarise(comparison, _REPORT_LANGUAGE)
        wide = max(len(what) for what, _ in lines)
        yield from (f"  {what:<{wide}}  {much}" for what, much in lines)
        counted = format_piece_counts(comparison, _REPORT_LANGUAGE)
        if counted:
            yield f"  {counted.replace('→', '->')}"
        for group, entries in comparison.groups.items():
            yield ""
            yield f"{phrase(f'diff_{group}', _REPORT_LANGUAGE)}:"
            yield from _group_lines(group, entries, limit)
        for book, changes in comparison.books.items():
            if changes:
                yield ""
                yield f"{book_name(book, _REPORT_LANGUAGE)}:"
                yield from _book_lines(changes, limit)
    for note in comparison.not_compared:
        yield f"{phrase('diff_not_compared', _REPORT_LANGUAGE)}: {note.to_sentence(_REPORT_LANGUAGE)}"


def limit_for(found: Difference) -> int:
    """Return how many items of one sort a group may show."""
    number = sum(map(len, (*found.groups.values(), *found.books.values())))
    return next((limit for most, limit in LIMITS if number <= most), _LEAST_SHOWN)


def _group_lines(group: str, entries: Sequence[DifferenceEntry], limit: int | None) -> Iterator[str]:
    alike, others = group_changed_looks(entries)
    for sort in ENTRY_SORTS:
        chosen = [entry for entry in others if entry.sort == sort]
        for entry in chosen[:limit]:
            yield from _entry_lines(group, entry, cut=limit is not None)
        number = len(chosen)
        if limit is not None and number > limit:
            yield f"  {_SIGNS[sort]} … {phrase('diff_more', _REPORT_LANGUAGE, n=number - limit)}"
    for (kind, looks), same in alike.items():
        yield f"  ~ {alike_words(kind, looks, same, _REPORT_LANGUAGE)}"


def _entry_name(entry: DifferenceEntry) -> str:
    name = entry_name(entry, _REPORT_LANGUAGE)
    said = f"{entry.id} ({name})" if name else entry.id
    return f"{entry.was} -> {said}" if entry.was else said


def _entry_lines(group: str, entry: DifferenceEntry, *, cut: bool) -> Iterator[str]:
    """Yield an item with its values. An item with a single value takes one line."""
    sign = _SIGNS[entry.sort]
    copies = max(entry.counts) if entry.counts and entry.sort in ("added", "removed") else 1
    head = f"  {sign} {_entry_name(entry)}{f' x{copies}' if copies != 1 else ''}"
    if len(entry.values) == 1 and not entry.values[0].path and not entry.looks:
        spoken = value_label(entry.values[0])
        yield f"{head}{f' {spoken}' if spoken else ''}: {_format_change(group, entry.values[0], cut=cut)}"
        return
    yield _shorten_text(head) if cut else head
    for value in entry.values:
        yield f"      {value_label(value)}: {_format_change(group, value, cut=cut)}"
    if entry.looks:
        yield f"      {phrase('diff_looks', _REPORT_LANGUAGE, faces=format_sides(entry.looks, _REPORT_LANGUAGE))}"


def _format_change(group: str, value: ValueChange, *, cut: bool) -> str:
    if group == "marks":
        return f"{mark_name(value.old, _REPORT_LANGUAGE)} -> {mark_name(value.new, _REPORT_LANGUAGE)}"
    runs = value_runs(value, _REPORT_LANGUAGE)
    if cut:
        runs = tuple(TextPart(run.sort, _shorten_text(run.text)) for run in runs)
    plain = [run.sort for run in runs] in (["old", "new"], ["old"], ["new"])
    said = " -> ".join(run.text for run in runs) if plain else mark_text(runs)
    mark = mark_words(value, _REPORT_LANGUAGE).replace("→", "->")
    return f"{said} ({mark})" if mark else said


def _shorten_text(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def mark_text(runs: Sequence[TextPart]) -> str:
    """Return the text with differences in brackets: `take [-5-]{+6+} cards`."""
    signs = {"same": ("", ""), "old": ("[-", "-]"), "new": ("{+", "+}")}
    return "".join(f"{signs[run.sort][0]}{run.text}{signs[run.sort][1]}" for run in runs)


def _book_lines(changes: Sequence[SentenceChange], limit: int | None) -> Iterator[str]:
    """Yield changed sentences below their headings. Moved sentences are only counted."""
    heading = None
    left: dict[str, int] = {}
    for change in changes:
        left[change.sort] = left.get(change.sort, 0) + 1
        if change.sort == "moved" or (limit is not None and left[change.sort] > limit):
            continue
        if change.heading != heading:
            heading = change.heading
            if heading:
                yield f"  {heading}"
        sentence = _format_sentence(change)
        yield f"    {_SIGNS[change.sort]} {sentence if limit is None else _shorten_text(sentence)}"
    for sort, number in left.items():
        over = number if sort == "moved" else number - limit if limit is not None else 0
        if over > 0:
            words = "diff_moved" if sort == "moved" else "diff_more"
            yield f"  {_SIGNS[sort]} {phrase(words, _REPORT_LANGUAGE, n=over)}"


def _format_sentence(change: SentenceChange) -> str:
    if change.old and change.new:
        return mark_text(shorten_runs(word_runs(change.old.text, change.new.text)))
    sentence = change.new or change.old
    return sentence.text if sentence else ""


def difference_to_data(comparison: Difference) -> dict[str, Any]:
    """Return everything as plain values. Keys and meanings stay the same for one `format`."""
    return {
        "format": FORMAT,
        "since": _state_data(comparison.since),
        "until": _state_data(comparison.until),
        "different": not comparison.is_empty,
        "pieces": list(comparison.pieces),
        "totals": {kind: list(numbers) for kind, numbers in comparison.totals.items()},
        "groups": {group: [_entry_data(entry) for entry in entries] for group, entries in comparison.groups.items()},
        **{
            volume.name: {
                book[1]: [*map(_change_data, changes)]
                for book, changes in comparison.books.items()
                if book[0] == volume.name
            }
            for volume in VOLUMES
        },
        "not_compared": [note.to_sentence(_REPORT_LANGUAGE) for note in comparison.not_compared],
    }


def _state_data(state: VersionState) -> dict[str, Any]:
    return {"name": state.label, "game": state.id, "draft": state.draft, "title": dict(state.title)}


def _entry_data(entry: DifferenceEntry) -> dict[str, Any]:
    data: dict[str, Any] = {"sort": entry.sort, "id": entry.id, "name": dict(entry.name)}
    if entry.was:
        data["was"] = entry.was
    if entry.counts is not None:
        data["counts"] = list(entry.counts)
    data["values"] = [_value_data(value) for value in entry.values]
    if entry.looks:
        data["looks"] = [{"face": face, "language": lang} for face, lang in entry.looks]
    return data


def _value_data(value: ValueChange) -> dict[str, Any]:
    """Return a change as plain values. A missing value has no key, because null can be a value."""
    data: dict[str, Any] = {"path": value.path, "language": value.lang}
    for side, what, mark in (("old", value.old, value.old_mark), ("new", value.new, value.new_mark)):
        if not isinstance(what, AbsentValue):
            data[side] = what
        if mark:
            data[f"{side}_mark"] = mark
    return data


def _change_data(change: SentenceChange) -> dict[str, Any]:
    data: dict[str, Any] = {"sort": change.sort, "heading": change.heading}
    if change.old:
        data["old"] = change.old.text
    if change.new:
        data["new"] = change.new.text
    if change.old and change.new and change.sort == "changed":
        data["words"] = [[run.sort, run.text] for run in word_runs(change.old.text, change.new.text)]
    return data
