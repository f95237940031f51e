"""Compares two states of a game: everything that a player or a designer would call a difference, each thing once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from generator.model.game import Game, Kind
from generator.model.text import Words
from generator.rulebook.volumes import RULEBOOK
from generator.versions.differences import GROUPS, BookName, Difference, Entry, NotCompared, Side, State
from generator.versions.parts import KEPT_OF_A_KIND, VersionDesign, cut_key, one_for_one
from generator.versions.sentences import Sentence, SentenceChange, sentence_changes
from generator.versions.things import Described, Things, kind_values, things_of
from generator.versions.values import MISSING, NothingThere, ValueChange, plain, value_changes
from generator.versions.version import Version

Books = Mapping[BookName, Sequence[Sentence]]
"""The sentences of a game's books."""

_FLAT = ("facts", "rules", "words")
"""Groups of which each value is a thing of its own, told by its path."""


def difference(
    since: Version, until: Version, books: tuple[Books, Books] = ({}, {}), not_compared: Sequence[NotCompared] = ()
) -> Difference:
    """All that differs between two states; `books` are theirs, of which those that both have are compared.

    Of a mere record designs and kinds alone are known; what that leaves out is told in `not_compared`.
    """
    groups = {"kinds": tuple(_kinds(since, until)), "components": tuple(_components(since, until))}
    notes = list(not_compared)
    if since.game is not None and until.game is not None:
        groups |= _of_games(since.game, until.game)
        told = {value.where for entries in groups.values() for entry in entries for value in entry.values}
        groups["marks"] = tuple(entry for entry in groups["marks"] if entry.id not in told)
    notes += [NotCompared("diff_of_record", one.label, one.id) for one in (since, until) if one.game is None]
    before, after = _totals(since), _totals(until)
    kinds = dict.fromkeys([*after, *before])
    return Difference(
        _state(since),
        _state(until),
        {group: groups[group] for group in GROUPS if groups.get(group)},
        (before.total(), after.total()),
        {kind: (before[kind], after[kind]) for kind in kinds if before[kind] != after[kind]},
        _of_books(*books),
        tuple(dict.fromkeys(notes)),
    )


def _of_books(before: Books, after: Books) -> dict[BookName, tuple[SentenceChange, ...]]:
    """How the sentences of the books differ; what others take from the rulebook is told there alone."""
    found = {book: sentence_changes(before[book], after[book]) for book in after if book in before}
    for (name, lang), changes in found.items():
        if name != RULEBOOK.name:
            told = {_wording(change) for change in found.get((RULEBOOK.name, lang), ())}
            found[name, lang] = tuple(change for change in changes if _wording(change) not in told)
    return found


def _wording(change: SentenceChange) -> tuple[str, str, str]:
    return change.sort, change.old.text if change.old else "", change.new.text if change.new else ""


def only_languages(found: Difference, languages: Sequence[str]) -> Difference:
    """The difference with texts, pictures and books in these languages alone; as it is for none."""
    if not languages:
        return found
    groups = {
        group: tuple(kept for entry in entries if (kept := _in_languages(entry, languages)))
        for group, entries in found.groups.items()
    }
    books = {book: changes for book, changes in found.books.items() if book[1] in languages}
    return replace(found, groups={group: entries for group, entries in groups.items() if entries}, books=books)


def _in_languages(entry: Entry, languages: Sequence[str]) -> Entry | None:
    """The entry without other languages' texts; None where nothing is left of it."""
    values = tuple(value for value in entry.values if not value.lang or value.lang in languages)
    looks = tuple(side for side in entry.looks if side[1] in languages)
    if (entry.values or entry.looks) and not values and not looks and not entry.was:
        return None
    return replace(entry, values=values, looks=looks)


def _of_games(since: Game, until: Game) -> dict[str, tuple[Entry, ...]]:
    """Every group that needs the data themselves."""
    before, after = things_of(since), things_of(until)
    groups = {group: tuple(_entries(group, before[group], after[group], since, until)) for group in before}
    groups["marks"] = tuple(entry for entry in groups["marks"] if _has(since, entry.id) and _has(until, entry.id))
    return groups


def _has(game: Game, path: str) -> bool:
    """Whether the data have a value at a mark's path; entries of lists go by their id, or by number from 0."""
    section, *steps = path.split(".")
    value = game.places[section].value if section in game.places else None
    for step in steps:
        if isinstance(value, list):
            named = {str(entry.get("id", n)): entry for n, entry in enumerate(value) if isinstance(entry, Mapping)}
            value = named.get(step, value[int(step)] if step.isdigit() and int(step) < len(value) else None)
        elif isinstance(value, Mapping):
            value = value.get(step, value.get(int(step)) if step.isdigit() else None)
        else:
            return False
    return value is not None


def _entries(group: str, before: Things, after: Things, since: Game, until: Game) -> Iterator[Entry]:
    for name in dict.fromkeys([*after, *before]):
        then, now = before.get(name), after.get(name)
        old, new = (one.values if one else MISSING for one in (then, now))
        thing = now or then
        at = thing.marked_at if thing else ""
        values = tuple(_with_statements(value, at, since, until) for value in value_changes(old, new))
        if group in _FLAT:
            yield from map(_flat, _by_path(values, at))
        elif then is None or now is None:
            kept = tuple(value for value in values if not value.path)
            yield Entry("removed" if now is None else "added", name, _name(thing), kept)
        elif values:
            yield Entry("changed", name, _name(thing), values)


def _by_path(values: Iterable[ValueChange], at: str) -> Iterator[tuple[str, tuple[ValueChange, ...]]]:
    """Values with their whole path from the section's name; a text is one value in several languages."""
    together: dict[str, list[ValueChange]] = {}
    for value in values:
        together.setdefault(f"{at}.{value.path}" if value.path else at, []).append(replace(value, path=""))
    for path, found in together.items():
        yield path, tuple(found)


def _flat(told: tuple[str, tuple[ValueChange, ...]]) -> Entry:
    """A value as a thing of its own: it came or went where each of its languages did."""
    path, values = told
    came = all(isinstance(value.old, NothingThere) for value in values)
    went = all(isinstance(value.new, NothingThere) for value in values)
    return Entry("added" if came else "removed" if went else "changed", path, {}, values)


def _with_statements(value: ValueChange, at: str, since: Game, until: Game) -> ValueChange:
    """The value with what its draft says of it, on each side that has it."""
    if not at:
        return value
    path = ".".join(filter(None, [at, value.path, value.lang]))
    old = "" if isinstance(value.old, NothingThere) else mark_of(since, path)
    new = "" if isinstance(value.new, NothingThere) else mark_of(until, path)
    return replace(value, where=path, old_mark=old, new_mark=new)


def mark_of(game: Game, path: str) -> str:
    """The mark of a value, or of the nearest part of the data around it that has one; empty for what is stated."""
    steps = path.split(".")
    marks = (game.marks.get(".".join(steps[:count]), "") for count in range(len(steps), 0, -1))
    return next(filter(None, marks), "")


def _name(thing: Described | None) -> Mapping[str, str]:
    return dict(thing.name.items()) if thing and isinstance(thing.name, Words) else {}


def _kinds(since: Version, until: Version) -> Iterator[Entry]:
    for name in dict.fromkeys([*until.kinds, *since.kinds]):
        then, now = since.kinds.get(name), until.kinds.get(name)
        kind = now or then
        if then is None or now is None or kind is None:
            yield Entry("removed" if now is None else "added", name, dict(kind.name.items()) if kind else {})
            continue
        if since.game is not None and until.game is not None:
            found = value_changes(kind_values(then), kind_values(now))
            values = tuple(_with_statements(value, f"components.{name}", since.game, until.game) for value in found)
        else:
            both = {*then.name} & {*now.name}
            values = tuple(value_changes(_kept_values(then, both), _kept_values(now, both)))
        if values:
            yield Entry("changed", name, dict(now.name.items()), values)


def _kept_values(kind: Kind, languages: Iterable[str]) -> dict[str, object]:
    """What a record keeps of a kind, with its name in these languages."""
    kept = {name: value for name, value in kind_values(kind).items() if name in KEPT_OF_A_KIND}
    return kept | {"name": Words({lang: kind.name[lang] for lang in sorted(languages)})}


def _components(since: Version, until: Version) -> Iterator[Entry]:
    gone = [design for name, design in since.designs.items() if name not in until.designs]
    new = [design for name, design in until.designs.items() if name not in since.designs]
    renamed = _match_renames(since, until, gone, new)
    for name, now in until.designs.items():
        then = since.designs.get(renamed.get(name, name))
        if then is None:
            yield Entry("added", name, now.name, counts=(0, now.count))
            continue
        values = tuple(_design_values(since, until, then, now))
        looks = _looks(since, until, then, now)
        counts = (then.count, now.count)
        if name in renamed:
            yield Entry("renamed", name, now.name, values, looks, then.id, counts)
        elif values or looks:
            yield Entry("changed", name, now.name, values, looks, "", counts)
    for design in gone:
        if design.id not in renamed.values():
            yield Entry("removed", design.id, design.name, counts=(design.count, 0))


def _design_values(since: Version, until: Version, then: VersionDesign, now: VersionDesign) -> Iterator[ValueChange]:
    """The fields of a design that are others; of a mere record its count and its name."""
    if since.game is None or until.game is None:
        names = (Words({k: v for k, v in one.name.items() if k in then.name and k in now.name}) for one in (then, now))
        old_name, new_name = names
        yield from value_changes({"count": then.count, "name": old_name}, {"count": now.count, "name": new_name})
        return
    old, new = since.game.design(then.id), until.game.design(now.id)
    at = f"components.{now.kind}.designs.{now.id.partition('/')[2]}"
    for value in value_changes(
        {"count": old.count, "front": old.front, "back": old.back, **old.fields},
        {"count": new.count, "front": new.front, "back": new.back, **new.fields},
    ):
        yield _with_statements(value, at, since.game, until.game)


def _looks(since: Version, until: Version, then: VersionDesign, now: VersionDesign) -> tuple[Side, ...]:
    """The faces that show something else, in languages that both states know."""
    known = set(since.languages) & set(until.languages)
    sides = dict.fromkeys(side for side in (*now.faces, *then.faces) if side[1] in known)
    return tuple(side for side in sides if then.faces.get(side) != now.faces.get(side))


def _match_renames(
    since: Version, until: Version, gone: Sequence[VersionDesign], new: Sequence[VersionDesign]
) -> dict[str, str]:
    """New id -> old id of designs that look exactly as one that is gone, one for one."""
    known = set(since.languages) & set(until.languages)
    if not known:
        return {}
    old_looks, new_looks = (
        [(design.id, _look_of(version, design, known)) for design in designs]
        for version, designs in ((since, gone), (until, new))
    )
    return one_for_one(old_looks, new_looks)


def _look_of(version: Version, design: VersionDesign, languages: Iterable[str]) -> tuple[object, ...]:
    sides = sorted((side, digest) for side, digest in design.faces.items() if side[1] in languages)
    return (cut_key(version.kinds[design.kind]), tuple(sides))


def _totals(version: Version) -> Counter[str]:
    found: Counter[str] = Counter(dict.fromkeys(version.kinds, 0))
    for design in version.designs.values():
        found[design.kind] += design.count
    return found


def _state(version: Version) -> State:
    return State(version.label, version.id, version.draft, plain(version.title))
