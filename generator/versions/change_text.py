"""What changed as lines for a terminal and as JSON; languages in which the same changed are told together."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.versions.changes import SORTS, Change, Changes, Sort

FORMAT = 1

TITLES: Mapping[Sort, str] = {
    "removed": "removed: take these out of the box",
    "changed": "changed: take the old ones out, put the new ones in",
    "added": "added: put these in",
    "more": "more copies: only the missing ones are printed",
    "fewer": "fewer copies: take out what is too many",
    "renamed": "renamed: the pieces look as before",
}

_TELLING = "en"
"""In which language names are told, as the program's own words are; a game without it speaks its first."""


def change_lines(game: Sequence[Changes]) -> Iterator[str]:
    """The lines about one game; `game` has its changes in each language."""
    together: dict[tuple[object, ...], list[Changes]] = {}
    for changes in game:
        together.setdefault(_signature(changes), []).append(changes)
    for alike in together.values():
        first = next((changes for changes in alike if changes.lang == _TELLING), alike[0])
        head = f"{first.until.id} {_span(first)} ({', '.join(changes.lang for changes in alike)})"
        if not first.all:
            yield f"{head}: nothing has changed"
            continue
        sums = [f"print {first.printed}"] * bool(first.printed) + [f"take out {first.taken_out}"] * bool(
            first.taken_out
        )
        yield f"{head}: {', '.join(sums) or 'nothing to print or to take out'}"
        for sort in SORTS:
            if first.of(sort):
                yield f"  {TITLES[sort]}"
                yield from (f"    {_line(first, change)}" for change in first.of(sort))


def as_data(games: Sequence[Sequence[Changes]]) -> dict[str, Any]:
    """The same as plain values for JSON."""
    return {"format": FORMAT, "games": [_game(game) for game in games if game]}


def _span(changes: Changes) -> str:
    until = changes.until.label
    return f"from {changes.since.label} to {until}" if until else f"since {changes.since.label}"


def _signature(changes: Changes) -> tuple[object, ...]:
    """What is told of changes, but for names."""
    return tuple(
        (one.sort, one.id, one.before.id if one.before else "", one.faces, one.to_print, one.take_out)
        for one in changes.all
    )


def _line(changes: Changes, change: Change) -> str:
    name = changes.name(change)
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


def _game(game: Sequence[Changes]) -> dict[str, Any]:
    since, until = game[0].since, game[0].until
    return {
        "id": until.id,
        "since": {"name": since.label, "draft": since.draft},
        "until": {"name": until.label, "draft": until.draft},
        "languages": {changes.lang: _language(changes) for changes in game},
    }


def _language(changes: Changes) -> dict[str, Any]:
    listed: dict[str, Any] = {sort: [_design(changes, one) for one in changes.of(sort)] for sort in SORTS}
    return {"print": changes.printed, "take_out": changes.taken_out} | listed


def _design(changes: Changes, change: Change) -> dict[str, Any]:
    told: dict[str, Any] = {"id": change.id, "name": changes.name(change)}
    if change.sort == "renamed" and change.before:
        told["was"] = change.before.id
    if change.faces:
        told["faces"] = list(change.faces)
    told["before"] = change.before.count if change.before else 0
    told["after"] = change.after.count if change.after else 0
    return told | {"print": change.to_print, "take_out": change.take_out}
