"""Compares two states of a game item by item, with old and new pictures."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.base.display_list import Drawing
from generator.base.files import write_in_folder
from generator.books.rulebook.book_templates import RULEBOOK
from generator.books.rulebook.designer_notes import get_value_at
from generator.checks.deck_figures import tabulate_deck
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_fields import collect_values
from generator.game.model import FaceName, Game, Kind
from generator.game.rich_text import Words
from generator.versions.differences import (
    GROUPS,
    MISSING,
    AbsentValue,
    BookName,
    Difference,
    DifferenceEntry,
    FigureChange,
    NotCompared,
    ValueChange,
    VersionState,
    iter_value_changes,
    plain_from_value,
)
from generator.versions.game_version import SHOWN, Version, draw_small_pictures
from generator.versions.records import RECORDED_KIND_FIELDS, VersionDesign, cut_key, match_by_look
from generator.versions.sentences import Sentence, SentenceChange, compare_sentences


@dataclass(frozen=True, slots=True)
class ComparedThing:
    """One item to compare, such as a rule or a term: its values, its name by language, and their data path."""

    values: Any
    name: Words | None = None
    marked_at: str = ""


Things = Mapping[str, ComparedThing]


def collect_things(game: Game) -> dict[str, Things]:
    """Return the items of each group of the game's data, except components and kinds, by id."""

    def collect_section(name: str) -> Things:
        return {name: ComparedThing(game.sections.get(name, {}), marked_at=name)}

    def collect_parts(section: str, parts: Iterable[Any], name: str) -> Things:
        return {
            part.id: ComparedThing(collect_values(part, "takes"), getattr(part, name), f"{section}.{part.id}")
            for part in parts
        }

    setup: dict[str, ComparedThing] = {}
    for item in game.setup:
        name = f"{item.kind} for each player" if item.each_player else item.kind
        known = sum(other == name or other.startswith(f"{name} (") for other in setup)
        setup[f"{name} ({known + 1})" if known else name] = ComparedThing(item.take)
    return {
        "facts": {name: ComparedThing(value, marked_at=name) for name, value in game.facts.items()},
        "rules": collect_section("rules"),
        "switches": {name: ComparedThing(value) for name, value in game.switches.items()},
        "readings": _collect_readings(game),
        "setup": setup,
        "glossary": collect_parts("glossary", game.glossary.values(), "term"),
        "moves": {name: ComparedThing(words, marked_at=f"moves.{name}") for name, words in game.moves.items()},
        "zones": collect_parts("zones", game.zones.values(), "name"),
        "checks": collect_parts("checks", game.checks, "says"),
        "examples": collect_parts("examples", game.examples, "says"),
        "words": collect_section("words"),
        "icons": collect_parts("icons", game.icons.values(), "name"),
        "operations": collect_parts("operations", game.operations.values(), "says"),
        "palette": {
            name: ComparedThing(collect_values(one), marked_at=f"palette.{name}") for name, one in game.palette.items()
        },
        "fonts": {name: ComparedThing(collect_values(family)) for name, family in game.fonts.items()},
        "marks": {path: ComparedThing(status) for path, status in game.marks.items()},
    }


def list_kind_values(kind: Kind) -> dict[str, Any]:
    """Return the values of a kind that are common to all its designs."""
    told = collect_values(kind, "designs", "fields", "front", "back", "two_faced")
    spaces = tuple({"id": space.id, **collect_values(space)} for space in kind.spaces)
    return told | {"size": f"{kind.size.width:g} x {kind.size.height:g} mm", "spaces": spaces}


def _collect_readings(game: Game) -> Things:
    """Return the readings of unclear rules. A switch's value is left out, since switches are a group of their own."""
    return {
        reading.id: ComparedThing(
            collect_values(reading) | ({"value": None} if reading.switch else {}),
            reading.reading,
            f"readings.{reading.id}",
        )
        for reading in game.readings.values()
    }


Books = Mapping[BookName, Sequence[Sentence]]
"""The sentences of a game's books, by book and language."""

_FLAT = ("facts", "rules", "words")
"""Groups in which each value is an item of its own, identified by its path."""


def find_difference(
    since: Version, until: Version, books: tuple[Books, Books] = ({}, {}), not_compared: Sequence[NotCompared] = ()
) -> Difference:
    """Return all differences between two states. A book is compared only if both states have it.

    A record knows only designs and kinds. `not_compared` says what is missing because of that.
    """
    groups = {"kinds": tuple(_compare_kinds(since, until)), "components": tuple(_compare_components(since, until))}
    notes = list(not_compared)
    if since.game is not None and until.game is not None:
        old, new = collect_things(since.game), collect_things(until.game)
        groups |= {name: tuple(_iter_entries(name, old[name], new[name], since.game, until.game)) for name in old}
        told = {value.where for entries in groups.values() for entry in entries for value in entry.values}
        groups["marks"] = tuple(
            entry
            for entry in groups["marks"]
            if entry.id not in told and all(_has_value(game, entry.id) for game in (since.game, until.game))
        )
    notes += [NotCompared("diff_of_record", one.label, one.id) for one in (since, until) if one.game is None]
    before, after = _count_pieces(since), _count_pieces(until)
    kinds = dict.fromkeys([*after, *before])
    return Difference(
        _state_of(since),
        _state_of(until),
        {group: groups[group] for group in GROUPS if groups.get(group)},
        (before.total(), after.total()),
        {kind: (before[kind], after[kind]) for kind in kinds if before[kind] != after[kind]},
        _compare_books(*books),
        tuple(dict.fromkeys(notes)),
        tuple(_compare_figures(since.game, until.game)) if since.game and until.game else (),
    )


_COMPARED = {"spread": "mean", "values": "pieces"}
"""The column of each table of figures that is compared. Other tables and columns follow from these."""


def _compare_figures(since: Game, until: Game) -> Iterator[FigureChange]:
    before, after = (
        {
            (table.topic, table.of, row[0]): row[table.head.index(_COMPARED[table.topic])]
            for table in tabulate_deck(game, None)
            if table.topic in _COMPARED
            for row in table.rows
        }
        for game in (since, until)
    )
    for key in dict.fromkeys([*after, *before]):
        if before.get(key, 0) != after.get(key, 0):
            yield FigureChange(*key, _COMPARED[key[0]], before.get(key, 0), after.get(key, 0))


def _compare_books(before: Books, after: Books) -> dict[BookName, tuple[SentenceChange, ...]]:
    """Return the changed sentences by book. Sentences that other books take from the rulebook are listed only there."""
    found = {book: compare_sentences(before[book], after[book]) for book in after if book in before}
    for (name, lang), changes in found.items():
        if name != RULEBOOK.name:
            told = {_wording_key(change) for change in found.get((RULEBOOK.name, lang), ())}
            found[name, lang] = tuple(change for change in changes if _wording_key(change) not in told)
    return found


def _wording_key(change: SentenceChange) -> tuple[str, str, str]:
    return change.sort, change.old.text if change.old else "", change.new.text if change.new else ""


def keep_languages(comparison: Difference, languages: Sequence[str]) -> Difference:
    """Return the difference limited to these languages, or unchanged if there are none."""
    if not languages:
        return comparison
    groups = {
        group: tuple(kept for entry in entries if (kept := _filter_entry(entry, languages)))
        for group, entries in comparison.groups.items()
    }
    books = {book: changes for book, changes in comparison.books.items() if book[1] in languages}
    return replace(comparison, groups={group: entries for group, entries in groups.items() if entries}, books=books)


def _filter_entry(entry: DifferenceEntry, languages: Sequence[str]) -> DifferenceEntry | None:
    """Return the entry without values and looks of other languages, or None if nothing is left."""
    values = tuple(value for value in entry.values if not value.lang or value.lang in languages)
    looks = tuple(side for side in entry.looks if side[1] in languages)
    if (entry.values or entry.looks) and not values and not looks and not entry.was:
        return None
    return replace(entry, values=values, looks=looks)


def _has_value(game: Game, path: str) -> bool:
    """Return True if the data have a value at a path."""
    section, *steps = path.split(".")
    return section in game.places and get_value_at(game.places[section].value, steps) is not None


def _iter_entries(group: str, before: Things, after: Things, since: Game, until: Game) -> Iterator[DifferenceEntry]:
    for name in dict.fromkeys([*after, *before]):
        then, now = before.get(name), after.get(name)
        old, new = (one.values if one else MISSING for one in (then, now))
        thing = now or then
        at = thing.marked_at if thing else ""
        values = tuple(_add_marks(value, at, since, until) for value in iter_value_changes(old, new))
        if group in _FLAT:
            yield from _iter_value_entries(values, at)
        elif then is None or now is None:
            kept = tuple(value for value in values if not value.path)
            yield DifferenceEntry("removed" if now is None else "added", name, _name_by_language(thing), kept)
        elif values:
            yield DifferenceEntry("changed", name, _name_by_language(thing), values)


def _iter_value_entries(values: Iterable[ValueChange], base_path: str) -> Iterator[DifferenceEntry]:
    """Yield an item for each data path. A text is added or removed only if that is so in all its languages."""
    together: dict[str, list[ValueChange]] = {}
    for value in values:
        path = f"{base_path}.{value.path}" if value.path else base_path
        together.setdefault(path, []).append(replace(value, path=""))
    for path, found in together.items():
        came = all(isinstance(value.old, AbsentValue) for value in found)
        went = all(isinstance(value.new, AbsentValue) for value in found)
        yield DifferenceEntry("added" if came else "removed" if went else "changed", path, {}, tuple(found))


def _add_marks(value: ValueChange, base_path: str, since: Game, until: Game) -> ValueChange:
    """Return the value with its marks (provisional, derived ...) in old and new data at its path below `base_path`."""
    if not base_path:
        return value
    path = ".".join(filter(None, [base_path, value.path, value.lang]))
    old = "" if isinstance(value.old, AbsentValue) else mark_of(since, path)
    new = "" if isinstance(value.new, AbsentValue) else mark_of(until, path)
    return replace(value, where=path, old_mark=old, new_mark=new)


def mark_of(game: Game, path: str) -> str:
    """Return the mark (provisional, derived ...) of a data path or the nearest one above it; '' without a mark."""
    steps = path.split(".")
    marks = (game.marks.get(".".join(steps[:count]), "") for count in range(len(steps), 0, -1))
    return next(filter(None, marks), "")


def _name_by_language(thing: ComparedThing | None) -> Mapping[str, str]:
    return dict(thing.name.items()) if thing and isinstance(thing.name, Words) else {}


def _compare_kinds(since: Version, until: Version) -> Iterator[DifferenceEntry]:
    for name in dict.fromkeys([*until.kinds, *since.kinds]):
        then, now = since.kinds.get(name), until.kinds.get(name)
        kind = now or then
        if then is None or now is None or kind is None:
            yield DifferenceEntry("removed" if now is None else "added", name, dict(kind.name.items()) if kind else {})
            continue
        if since.game is not None and until.game is not None:
            found = iter_value_changes(list_kind_values(then), list_kind_values(now))
            values = tuple(_add_marks(value, f"components.{name}", since.game, until.game) for value in found)
        else:
            both = {*then.name} & {*now.name}
            values = tuple(iter_value_changes(_kept_values(then, both), _kept_values(now, both)))
        if values:
            yield DifferenceEntry("changed", name, dict(now.name.items()), values)


def _kept_values(kind: Kind, languages: Iterable[str]) -> dict[str, object]:
    """Return the values of a kind that a record stores, with its name in these languages."""
    kept = {name: value for name, value in list_kind_values(kind).items() if name in RECORDED_KIND_FIELDS}
    return kept | {"name": Words({lang: kind.name[lang] for lang in sorted(languages)})}


def _compare_components(since: Version, until: Version) -> Iterator[DifferenceEntry]:
    gone = [design for name, design in since.designs.items() if name not in until.designs]
    new = [design for name, design in until.designs.items() if name not in since.designs]
    renamed = _match_renames(since, until, gone, new)
    for name, now in until.designs.items():
        then = since.designs.get(renamed.get(name, name))
        if then is None:
            yield DifferenceEntry("added", name, now.name, counts=(0, now.count))
            continue
        values = tuple(_design_values(since, until, then, now))
        known = set(since.languages) & set(until.languages)
        sides = dict.fromkeys(side for side in (*now.faces, *then.faces) if side[1] in known)
        looks = tuple(side for side in sides if then.faces.get(side) != now.faces.get(side))
        counts = (then.count, now.count)
        if name in renamed:
            yield DifferenceEntry("renamed", name, now.name, values, looks, then.id, counts)
        elif values or looks:
            yield DifferenceEntry("changed", name, now.name, values, looks, "", counts)
    for design in gone:
        if design.id not in renamed.values():
            yield DifferenceEntry("removed", design.id, design.name, counts=(design.count, 0))


def _design_values(since: Version, until: Version, then: VersionDesign, now: VersionDesign) -> Iterator[ValueChange]:
    """Yield the changed fields of a design. For records these are only its count and its name."""
    if since.game is None or until.game is None:
        names = (Words({k: v for k, v in one.name.items() if k in then.name and k in now.name}) for one in (then, now))
        old_name, new_name = names
        yield from iter_value_changes({"count": then.count, "name": old_name}, {"count": now.count, "name": new_name})
        return
    old, new = since.game.design(then.id), until.game.design(now.id)
    at = f"components.{now.kind}.designs.{now.id.partition('/')[2]}"
    before, after = ({"count": one.count, "front": one.front, "back": one.back, **one.fields} for one in (old, new))
    for value in iter_value_changes(before, after):
        yield _add_marks(value, at, since.game, until.game)


def _match_renames(
    since: Version, until: Version, gone: Sequence[VersionDesign], new: Sequence[VersionDesign]
) -> dict[str, str]:
    """Return new id -> old id for designs that look exactly like a removed one."""
    known = set(since.languages) & set(until.languages)
    if not known:
        return {}

    def find_look(version: Version, design: VersionDesign) -> tuple[str, tuple[object, ...]]:
        sides = sorted((side, digest) for side, digest in design.faces.items() if side[1] in known)
        return design.id, (cut_key(version.kinds[design.kind]), tuple(sides))

    return match_by_look([find_look(since, one) for one in gone], [find_look(until, one) for one in new])


def _count_pieces(version: Version) -> Counter[str]:
    found: Counter[str] = Counter(dict.fromkeys(version.kinds, 0))
    for design in version.designs.values():
        found[design.kind] += design.count
    return found


def _state_of(version: Version) -> VersionState:
    return VersionState(version.label, version.id, version.draft, plain_from_value(version.title))


@dataclass(frozen=True, slots=True)
class FacePair:
    """One side of a design before and after. `also` lists other designs with the same change.

    A hash is empty if the design had or has no such side.
    """

    entry: DifferenceEntry
    face: FaceName
    old: str
    new: str
    also: tuple[str, ...] = ()

    @property
    def old_id(self) -> str:
        """The design's id in the earlier state."""
        return self.entry.was or self.entry.id


def find_pairs(comparison: Difference, since: Version, until: Version, lang: str) -> tuple[FacePair, ...]:
    """Return every side that looks different in a language. Identical changes, as of backs, are listed once."""
    first: dict[tuple[str, str, str], FacePair] = {}
    also: dict[tuple[str, str, str], list[str]] = {}
    for entry in comparison.groups.get("components", ()):
        for face, language in entry.looks:
            if language != lang:
                continue
            old = since.designs[entry.was or entry.id].faces.get((face, lang), "")
            new = until.designs[entry.id].faces.get((face, lang), "")
            key = (entry.id.partition("/")[0], old, new)
            if key in first:
                also[key] += [entry.id] if entry.id not in (first[key].entry.id, *also[key]) else []
            else:
                first[key], also[key] = FacePair(entry, face, old, new), []
    return tuple(FacePair(pair.entry, pair.face, pair.old, pair.new, tuple(also[key])) for key, pair in first.items())


def make_portraits(
    face_pairs: Sequence[FacePair], since: Version, until: Version, lang: str, used_by: Workshop | None
) -> None:
    """Draw the small pictures of all pairs together, which is much faster than one by one.

    States whose workshop writes the document are skipped, because their faces are drawn there.
    """
    if since.workshop is not used_by:
        _save_pictures(since, ((pair.old_id, pair.face) for pair in face_pairs if pair.old), lang)
    if until.workshop is not used_by:
        _save_pictures(until, ((pair.entry.id, pair.face) for pair in face_pairs if pair.new), lang)


def _save_pictures(version: Version, sides: Iterable[tuple[str, FaceName]], lang: str) -> None:
    if version.game is None or version.workshop is None:
        return
    wanted: dict[Path, Drawing] = {}
    for design, face in sides:
        drawing = version.workshop.draw_face(version.game.design(design), face, lang)
        if drawing is not None:
            path = version.pictures / f"{version.workshop.digest_face(drawing)}.png"
            if not path.exists():
                wanted.setdefault(path, drawing)
    for path, png in zip(wanted, draw_small_pictures(version.workshop, wanted.values(), SHOWN), strict=True):
        write_in_folder(version.pictures, path.name, png)
