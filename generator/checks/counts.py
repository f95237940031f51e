"""Whether the box holds what it should: the numbers that the draft states, ids that are unique, enough for set-up."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator.checks.record import Check, first_entries
from generator.errors import did_you_mean
from generator.model.game import Design, Game

if TYPE_CHECKING:
    from generator.checks.context import Context


def stated_counts(game: Game, _context: "Context | None" = None) -> Iterator[Check]:
    """Each kind whose number the draft states has as many pieces; the place is that of the stated number."""
    for kind in game.kinds.values():
        if kind.stated is None:
            continue
        place = game.places.place("components", kind.id, "stated") or kind.place
        if kind.left_out:
            sentence = f"{kind.id}: none are printed while the switch {kind.option} is off"
            yield Check(f"count.{kind.id}", "count", "pass", sentence, f"the draft states {kind.stated}", place)
            continue
        agrees = kind.count == kind.stated
        sentence = (
            f"{kind.id}: the data hold as many as the draft states"
            if agrees
            else f"{kind.id}: the data hold {kind.count}, the draft states {kind.stated}"
        )
        figures = f"{kind.count} of {kind.stated} in {len(kind.designs)} designs"
        yield Check(f"count.{kind.id}", "count", "pass" if agrees else "fail", sentence, figures, place)


def unique_ids(game: Game, _context: "Context | None" = None) -> Iterator[Check]:
    """No two designs and copies share an id (`card/a#1` may not be a design's); the place is that of the second one."""
    designs = list(game.designs())
    first: dict[str, Design] = {}
    twice: dict[str, Design] = {}
    for design in designs:
        for name in (design.id, *design.copies()):
            if first.setdefault(name, design) is not design:
                twice.setdefault(name, design)
    sentence = "every design and every piece has an id of its own"
    if not designs:
        yield Check("ids", "count", "undecided", sentence, "there are no designs")
    elif twice:
        place = next(iter(twice.values())).place
        yield Check("ids", "count", "fail", "several designs or pieces share an id", first_entries(twice), place)
    else:
        figures = f"{sum(design.count for design in designs)} pieces of {len(designs)} designs"
        yield Check("ids", "count", "pass", sentence, figures)


def setup_affordable(game: Game, _context: "Context | None" = None) -> Iterator[Check]:
    """For each number of players: all that set-up takes of a kind is in the box; the place is set-up's first line."""
    unknown = [item for item in game.setup if item.kind not in game.kinds]
    for item in unknown:
        hint = did_you_mean(item.kind, game.kinds)
        sentence = f"set-up takes from '{item.kind}', which is no component"
        yield Check(f"setup.{item.kind}", "set-up", "fail", sentence, hint, item.place)
    known = [item for item in game.setup if item.kind in game.kinds]
    for players in game.players if known else ():
        taken = Counter[str]()
        for item in known:
            taken[item.kind] += item.take * (players if item.each_player else 1)
        short = [kind for kind, number in taken.items() if number > game.kinds[kind].count]
        sentence = (
            f"set-up for {players} players takes more than there is: {', '.join(short)}"
            if short
            else f"set-up for {players} players is in the box"
        )
        parts = (f"{number} of {game.kinds[kind].count} {kind}" for kind, number in taken.items())
        figures = f"{players} players: {', '.join(parts)}"
        place = next((item.place for item in known if item.kind in short), known[0].place)
        yield Check(f"setup.{players}", "set-up", "fail" if short else "pass", sentence, figures, place)
