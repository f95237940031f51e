"""What contradicts itself in a plan of the table: places that nothing names or that stand twice, numbers of players."""

from collections.abc import Iterator
from typing import Any

from generator.errors import Problem, did_you_mean, nearest
from generator.model.game import Game
from generator.model.table.counts import matching, number_of
from generator.model.table.plan import TablePlace, TablePlan, arranged

_MOST_PLACES = 200
_ARRANGEMENTS = ("rows", "seat", "others")


def plan_faults(game: Game) -> Iterator[Problem]:
    """All that is wrong with the plan itself; whether it is the rules' table, a check asks."""
    plan = game.tabletop
    if plan is None:
        return
    at = game.places.place
    if len(plan.places) > _MOST_PLACES:
        what = f"the table has {len(plan.places)} places, more than {_MOST_PLACES}"
        yield Problem(at("tabletop", "places"), what, "join some of them")
    if plan.usual not in tuple(game.players):
        what = f"tabletop.usual is {plan.usual}, but the game is for {game.players.fewest} to {game.players.most}"
        yield Problem(at("tabletop", "usual"), what, "name one of these numbers of players")
    yield from _arranged_once(game, plan)
    for place in plan.places.values():
        yield from _place_faults(game, plan, place)


def _arranged_once(game: Game, plan: TablePlan) -> Iterator[Problem]:
    """Each place stands once in the middle or among a seat's, or on another; the others' are some of a seat's."""
    seen: set[str] = set()
    for part in _ARRANGEMENTS:
        for name, path in _names(getattr(plan, part), ("tabletop", part)):
            where = game.places.place(*path)
            if name not in plan.places:
                yield Problem(where, f"unknown place '{name}'", did_you_mean(name, plan.places))
            elif part == "others":
                if name not in tuple(arranged(plan.seat)):
                    hint = "write it into `seat` too, or leave it out here"
                    yield Problem(where, f"'{name}' is none of the places of a seat", hint)
            elif plan.places[name].on:
                hint = "take it out of the arrangement, or `on` away"
                yield Problem(where, f"'{name}' lies on '{plan.places[name].on}', and has no place of its own", hint)
            elif name in seen:
                yield Problem(where, f"'{name}' stands twice in the arrangement", "remove it once")
            seen.add(name)
    unknown = seen - set(plan.places)
    for name, place in plan.places.items():
        if name not in seen and not place.on and not any(nearest(one, frozenset([name])) for one in unknown):
            where = game.places.key_place("tabletop", "places", name)
            yield Problem(where, f"the place '{name}' is in no arrangement", "write it into `rows` or `seat`")


def _names(arrangement: tuple[Any, ...], path: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for number, entry in enumerate(arrangement):
        if isinstance(entry, tuple):
            yield from _names(entry, (*path, number))
        else:
            yield str(entry), (*path, number)


def _place_faults(game: Game, plan: TablePlan, place: TablePlace) -> Iterator[Problem]:
    path = ("tabletop", "places", place.id)
    at = game.places.place
    if not place.zone and not place.pieces:
        hint = "write `zone:` or `pieces:`"
        yield Problem(place.place, f"nothing is said of what lies at '{place.id}'", hint)
    for name, count in place.pieces.items():
        if not matching(game, name):
            known = [*game.kinds, *(design.id for design in game.designs())]
            yield Problem(at(*path, "pieces", name), f"unknown component '{name}'", did_you_mean(name, known))
        try:
            number_of(game, name, count)
        except LookupError:
            numbers = [f"rules.{key}" for key in game.sections["rules"]]
            what = f"the rules have no whole number '{count}'"
            yield Problem(at(*path, "pieces", name), what, did_you_mean(str(count), numbers))
    if place.turned % 90:
        what = f"'{place.id}' is turned by {place.turned} degrees"
        yield Problem(at(*path, "turned"), what, "write 0, 90, 180 or 270")
    for number in place.players:
        if number not in tuple(game.players):
            yield Problem(at(*path, "players"), f"the game is not for {number} players", "remove the number")
    yield from _laid_on(game, plan, place)


def _laid_on(game: Game, plan: TablePlan, place: TablePlace) -> Iterator[Problem]:
    """What a place says of others."""
    path = ("tabletop", "places", place.id)
    at = game.places.place
    if place.room and place.room not in game.kinds:
        yield Problem(at(*path, "room"), f"unknown component '{place.room}'", did_you_mean(place.room, game.kinds))
    if place.out_of and place.out_of not in plan.places:
        yield Problem(at(*path, "out_of"), f"unknown place '{place.out_of}'", did_you_mean(place.out_of, plan.places))
    if place.on and place.on not in plan.places:
        yield Problem(at(*path, "on"), f"unknown place '{place.on}'", did_you_mean(place.on, plan.places))
    elif place.on and plan.places[place.on].on:
        what = f"'{place.id}' lies on '{place.on}', which lies on '{plan.places[place.on].on}'"
        yield Problem(at(*path, "on"), what, "let it lie on what lies on the table")
    if place.spaces and not place.on:
        yield Problem(
            at(*path, "spaces"), f"'{place.id}' has spaces of nothing", "say `on: ...`, which place they are of"
        )
    if place.lines and place.lies != "row":
        hint = "write `lies: row`, or take the lines away"
        yield Problem(at(*path, "lines"), f"the pieces at '{place.id}' are no row", hint)
