"""Table checks: the plan of the table matches the table that is set up."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from generator.base.errors import Place, did_you_mean
from generator.checks.check_report import Check, format_first_entries
from generator.game.consistency import count_printed, find_designs, resolve_count
from generator.game.data_fields import TablePlan
from generator.game.model import Design, Game
from generator.play.table_positions import PLAYERS, LaidPlace, lay_places
from generator.rules.engine.contract import Rules, Zones
from generator.rules.engine.table import Seed, Table

_SHOWN = 8
_SEED = 1


def check_table_plan(game: Game, rules: Rules | None) -> Iterator[Check]:
    """Check for each number of players that the plan shows every piece of the set-up once, right side up.

    Without rules the plan is compared with the set-up of the data only. The place is that of the first fault.
    """
    plan = game.tabletop
    if plan is None:
        return
    for players in game.players:
        named = plan.example.replace(PLAYERS, str(players))
        example = next((one for one in game.examples if one.id == named and one.players == players), None)
        if rules is None:
            table = None
        elif example is not None:
            table = Table.arrange(rules, rules.box(game, players, example.options), Seed(_SEED), example.given)
        elif not named:
            table = Table.deal(rules, rules.box(game, players, {}), Seed(_SEED))
        else:
            sentence = f"there is no example '{named}', which shows the table for {players} players"
            hint = did_you_mean(named, [example.id for example in game.examples])
            place = game.places.place("tabletop", "example")
            yield Check(f"tabletop.{players}", "set-up", "fail", sentence, hint, place)
            continue
        zones = table.list_zones() if table is not None else {}
        laid = lay_places(game, plan, zones, players)
        faults = [
            *_check_zones_once(plan, laid, zones),
            *_check_zone_names(game, laid, zones),
            *(_check_sides(table, laid, zones) if table is not None else ()),
            *_check_amounts(game, laid, zones, players),
        ]
        number = sum(one.number for one in laid)
        there = sum(1 for one in laid if one.number)
        who = f"{players} players" if players > 1 else "1 player"
        place = next((place for place, _ in faults if place is not None), plan.place)
        if faults:
            sentence = f"the plan of the table is not the one set up for {who}"
            figures = format_first_entries((what for _, what in faults), _SHOWN)
            yield Check(f"tabletop.{players}", "set-up", "fail", sentence, figures, place)
        else:
            sentence = f"the plan of the table is the one set up for {who}"
            figures = f"{number} pieces at {there} places"
            yield Check(f"tabletop.{players}", "set-up", "pass", sentence, figures, plan.place)


Fault = tuple[Place | None, str]


def _check_zones_once(plan: TablePlan, laid: Sequence[LaidPlace], zones: Zones) -> Iterator[Fault]:
    """Yield zones with pieces that have no place or several."""
    at: dict[str, list[LaidPlace]] = {}
    for one in laid:
        for zone in one.zones:
            at.setdefault(zone, []).append(one)
    for zone, pieces in zones.items():
        number, there = sum(pieces.values()), at.get(zone, [])
        if zone in plan.left_out:
            if there:
                yield there[0].place.place, f"the zone '{zone}' is left out, and lies at '{there[0].place.id}'"
        elif number and not there:
            yield None, f"the zone '{zone}' with {number} pieces has no place"
        elif len(there) > 1:
            first, second = there[0].place, there[1].place
            yield second.place, f"the zone '{zone}' lies at '{first.id}' and at '{second.id}'"


def _check_zone_names(game: Game, laid: Sequence[LaidPlace], zones: Zones) -> Iterator[Fault]:
    """Yield zones of places that the rules don't have, even if such a zone is empty at first."""
    known = {*map(_drop_numbers, zones), *game.zones}
    for one in laid:
        for zone in one.place.zone:
            name = _drop_numbers(zone.replace("{seat}", "").partition("*")[0])
            if zones and not any(other == name or other.startswith(f"{name}-") for other in known):
                hint = did_you_mean(name, known)
                yield (
                    one.place.place,
                    f"'{one.place.id}' names the zone '{zone}', but the rules have no such zone; {hint}",
                )


def _drop_numbers(zone: str) -> str:
    """Return a zone's name as in the data, without its numbers."""
    return "-".join(word for word in zone.split() if not word.isdigit())


def _check_sides(table: Table, laid: Sequence[LaidPlace], zones: Zones) -> Iterator[Fault]:
    """Yield places with the wrong side up: public pieces lie face up, secret ones face down, private ones `own`."""
    players = table.box.players
    views = [table.observe(eyes).zones for eyes in range(players)]
    for one in laid:
        for zone in one.zones:
            if not any(zones.get(zone, {}).values()):
                continue
            blind = [seat + 1 for seat in range(players) if any(not lying.piece for lying in views[seat].get(zone, ()))]
            wanted = "up" if not blind else "down" if len(blind) == players else "own"
            if players == 1 and one.place.face == "own":
                continue
            if one.place.face != wanted:
                who = {"up": "all players may see them", "down": "no player may see them"}.get(
                    wanted, f"players {', '.join(map(str, blind))} may not see them"
                )
                what = f"the pieces of '{zone}' lie `face: {one.place.face}` at '{one.place.id}', but {who}"
                yield one.place.place, f"{what}: write `face: {wanted}`"


def _check_amounts(game: Game, laid: Sequence[LaidPlace], zones: Zones, players: int) -> Iterator[Fault]:
    """Yield kinds with more pieces than printed, or with another number than set-up takes."""
    lying = Counter[str]()
    placed = {zone for one in laid for zone in one.zones}
    for one in laid:
        for cell in one.cells:
            lying.update(dict(cell.pieces))
        for name, count in one.place.pieces.items():
            if (number := resolve_count(game, name, count)) > count_printed(game, name):
                yield _make_count_fault(game, one, name, number)
    for zone, pieces in zones.items():
        if zone not in placed:
            for piece, number in pieces.items():
                lying[piece.split("#")[0]] += number
    for design in game.designs():
        if lying[design.id] > design.count:
            what = f"{lying[design.id]} of '{design.id}' lie on the table, and {design.count} are printed"
            hint = "place fewer, or say with `out_of` whose pieces they are"
            yield _find_last_count(game, laid, design), f"{what}: {hint}"
    yield from _check_setup_amounts(game, laid, zones, players, lying)


def _check_setup_amounts(
    game: Game, laid: Sequence[LaidPlace], zones: Zones, players: int, lying: Mapping[str, int]
) -> Iterator[Fault]:
    """Yield kinds unknown to the rules whose number is neither that of set-up nor all of them."""
    by_rules = {name.partition("/")[0] for pieces in zones.values() for name in pieces}
    taken, have = Counter[str](), Counter[str]()
    for name, number in lying.items():
        have[name.partition("/")[0]] += number
    for item in game.setup:
        taken[item.kind] += item.take * (players if item.each_player else 1)
    for kind, number in taken.items():
        known = kind not in by_rules and kind in game.kinds
        if known and have[kind] not in (number, max(number, game.kinds[kind].count)):
            takes = f"set-up takes {number} of '{kind}' for {players} players"
            yield _make_amount_fault(game, laid, kind, have[kind], takes)


def _make_amount_fault(game: Game, laid: Sequence[LaidPlace], kind: str, have: int, takes: str) -> Fault:
    """Return the fault for a wrong number of a kind, placed at the largest number in the plan."""
    numbers = [
        (resolve_count(game, name, count), one, name)
        for one in laid
        for name, count in one.place.pieces.items()
        if name.partition("/")[0] == kind and isinstance(count, int)
    ]
    if not numbers:
        return None, f"{takes}, and {have} lie on the table"
    number, one, name = max(numbers, key=lambda entry: entry[0])
    where, what = _make_count_fault(game, one, name, have if name == kind else number)
    return where, f"{what}; {takes}, and {have} lie on the table"


def _make_count_fault(game: Game, cell: LaidPlace, name: str, number: int) -> Fault:
    """Return the fault for a number in the plan that differs from the print, with the line to change."""
    where = game.places.place("tabletop", "places", cell.place.id, "pieces", name)
    designs = find_designs(game, name)
    plan, parts = (place.file.rpartition("/")[2] if place else "" for place in (where, designs[0].place))
    what = f"{plan} places {number} of '{name}', but {parts} has {count_printed(game, name)}"
    line = f" on line {where.line}" if where else ""
    return where, f"{what}: change `{name}: {cell.place.pieces[name]}`{line}, or write `{name}: all`"


def _find_last_count(game: Game, laid: Sequence[LaidPlace], design: Design) -> Place | None:
    found = [(one.place.id, name) for one in laid for name in one.place.pieces if design in find_designs(game, name)]
    return game.places.place("tabletop", "places", found[-1][0], "pieces", found[-1][1]) if found else None
