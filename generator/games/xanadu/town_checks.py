"""The checks of draft 18 about the town and its boards: figure, zones, neighbours, icons, gauges, landmarks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from generator.games.engine.check import Outcome, against, check
from generator.games.engine.facts import FactReader, kind_of
from generator.games.xanadu.checks import at, name_and_place, outcome, short
from generator.games.xanadu.facts import facts_of, limits_of, names_of
from generator.games.xanadu.town import (
    PORT,
    ZONE_SIGNS,
    Edge,
    distances,
    edges,
    figure_places,
    map_of,
    spot,
    stated_edges,
)
from generator.model.game import Design, Game

BOARDS = "area_board"


@check
def map_figure(game: Game) -> Outcome:
    """Both figures of the draft show the places of the map, the Port among them, and the zones that they have."""
    drawn_map = map_of(game)
    town = drawn_map.town
    drawn = {(row, x): sign for row, x, sign in figure_places(drawn_map.figure)}
    zones = {(row, x): ZONE_SIGNS.get(sign) for row, x, sign in figure_places(drawn_map.zones)}
    lie = {(area.row, area.x): name for name, area in town.items()}
    faults = [
        f"row {row} has nothing at x {x}, where the figure draws {drawn[row, x]}"
        for row, x in sorted(drawn.keys() - lie)
    ]
    faults += [f"{_spot(game, lie[there])} is not in the figure" for there in sorted(lie.keys() - drawn)]
    faults += ["the zones are drawn in other places than the figure"] if zones.keys() != drawn.keys() else []
    for there, name in sorted(lie.items()):
        if (drawn.get(there) == PORT) != (name == drawn_map.port):
            faults.append(f"{_spot(game, name)} is drawn as {drawn.get(there)}")
        if there in zones and zones[there] != town[name].zone:
            faults.append(f"{_spot(game, name)} has zone {town[name].zone}, but is drawn in {zones[there]}")
    return outcome(f"{len(drawn)} squares, {len(town)} places", faults)


@check
def zone_partition(game: Game) -> Outcome:
    """Each zone has the areas of the limits, the Port is in none, and together they are all boards."""
    drawn_map, stated = map_of(game), limits_of(game).areas
    town = drawn_map.town
    found = Counter(area.zone for area in town.values())
    boards = kind_of(game, BOARDS).count
    outside = [name for name, area in town.items() if area.zone == 0]
    faults = [f"outside the zones: {', '.join(outside)}"] if outside != [drawn_map.port] else []
    faults += [f"{boards} boards for {len(town)} places"] if boards != len(town) else []
    zones = {zone: found[zone] for zone in sorted({*found, *stated} - {0})}
    faults += [f"zone {zone}: {against(n, stated.get(zone))}" for zone, n in zones.items() if n != stated.get(zone)]
    return outcome(" + ".join(map(str, [*zones.values(), len(outside)])) + f" = {len(town)}", faults)


@check
def map_edges(game: Game) -> Outcome:
    """Neighbours are stated from both sides, as the places lie in the reading in force, and all can be reached."""
    drawn_map, stated = map_of(game), limits_of(game).edges
    town = drawn_map.town
    said, lie = stated_edges(town), edges(town, facts_of(game).switches["adjacency"])
    pairs = {frozenset(pair) for pair in said}
    faults = [f"{_spot(game, a)} is next to {b}, which is no place" for a, b in sorted(said) if b not in town]
    faults += [
        f"{_spot(game, a)} is next to {_spot(game, b)}, but not the other way round"
        for a, b in sorted(said)
        if b in town and (b, a) not in said
    ]
    faults += [f"{_pair(game, pair)} do not touch" for pair in _sort_edges(pairs - lie) if pair <= town.keys()]
    faults += [f"{_pair(game, pair)} touch" for pair in _sort_edges(lie - pairs)]
    reached = distances(drawn_map.port, pairs)
    faults += [f"{_spot(game, name)} cannot be reached" for name in town if name not in reached]
    faults += [f"{against(len(pairs), stated)} pairs"] if len(pairs) != stated else []
    return outcome(f"{len(pairs)} pairs of neighbours", faults)


@check
def map_zone_equals_distance(game: Game) -> Outcome:
    """The zone of each place is its distance from the Port, as places lie in the reading in force."""
    drawn_map = map_of(game)
    town = drawn_map.town
    away = distances(drawn_map.port, edges(town, facts_of(game).switches["adjacency"]))
    faults = [
        f"{_spot(game, name)}: zone {area.zone}, distance {away.get(name, 'none')}"
        for name, area in town.items()
        if away.get(name) != area.zone
    ]
    counts = Counter(away.values())
    return outcome(", ".join(f"{counts[far]} at distance {far}" for far in sorted(counts)), faults)


@check
def map_example(game: Game) -> Outcome:
    """The example town has each board on one place, the Port on its own."""
    drawn_map = map_of(game)
    town, example = drawn_map.town, drawn_map.example
    boards = {short(design) for design in kind_of(game, BOARDS).designs}
    laid = Counter(example.values())
    faults = [f"no board on {name}" for name in town if name not in example]
    faults += [f"{name} is no place" for name in example if name not in town]
    faults += [f"{board} is laid {laid[board]} times" for board in sorted(boards) if laid[board] != 1]
    faults += [f"{board} is no board" for board in sorted(laid.keys() - boards)]
    ports = {short(design) for design in kind_of(game, BOARDS).designs if design.fields["port"]}
    faults += ["the Port lies elsewhere"] if {example.get(drawn_map.port)} != ports else []
    return outcome(f"{len(example)} boards laid", faults)


@check
def icons_cover_types(game: Game) -> Outcome:
    """Each type of request can be delivered on as many boards as the limits say, and each two types on one of them."""
    limits, types = limits_of(game), names_of(game, "types")
    boards = _areas(game)
    faults = [
        _unlike(boards, name, limits.boards_of_type)
        for name in types
        if _shown_on(boards, name) != limits.boards_of_type
    ]
    known = {*types}
    faults += [
        f"{name_and_place(d)} has {icon}, which is no type"
        for d in boards
        for icon in d.fields["types"]
        if icon not in known
    ]
    faults += [
        f"{name_and_place(d)} has a type twice" for d in boards if len({*d.fields["types"]}) != len(d.fields["types"])
    ]
    faults += [
        f"no board has both {a} and {b}"
        for a, b in combinations(types, 2)
        if not any({a, b} <= {*design.fields["types"]} for design in boards)
    ]
    icons = sum(len(design.fields["types"]) for design in boards)
    faults += [f"{against(icons, limits.icons)} icons"] if icons != limits.icons else []
    return outcome(f"{icons} icons, {', '.join(f'{name} on {_shown_on(boards, name)}' for name in types)}", faults)


@check
def gauges_follow_icons(game: Game) -> Outcome:
    """Each gauge has a box for every icon of its board and the base more; the Port has neither icons nor gauge."""
    reader = FactReader(game)
    base = reader.whole("gauge_base")
    reader.finish()
    faults = []
    for design in kind_of(game, BOARDS).designs:
        icons, boxes = len(design.fields["types"]), design.fields["gauge"]
        wanted = 0 if design.fields["port"] else base + icons
        faults += [f"{name_and_place(design)}: {boxes} boxes for {icons} icons"] if boxes != wanted else []
    boxes = sum(design.fields["gauge"] for design in kind_of(game, BOARDS).designs)
    return outcome(f"{boxes} boxes", faults)


@check
def landmarks_even(game: Game) -> Outcome:
    """Each landmark stands on as many boards as the others, and on every board but the Port stands one."""
    boards, landmarks = _areas(game), names_of(game, "landmarks")
    found = Counter(design.fields["landmark"] for design in boards)
    faults = [
        f"{name_and_place(design)} has no landmark" for design in boards if design.fields["landmark"] not in landmarks
    ]
    even = len({found[name] for name in landmarks}) == 1
    faults += [] if even else [f"uneven: {', '.join(_on(boards, name) for name in landmarks)}"]
    return outcome(", ".join(f"{name} {found[name]}" for name in landmarks), faults)


@check
def landmarks_given(game: Game) -> Outcome:
    """Something that the draft itself states reads landmarks; cards and boards that are our proposals do not count."""
    readers = [
        design
        for design in game.designs()
        if any(effect.op == "score_landmarks" for effect in design.fields.get("effects") or ())
    ]
    given = [design.id for design in readers if not _proposed(game, design)]
    figures = f"read by {', '.join(design.id for design in readers) or 'nothing'}; given by the draft: {len(given)}"
    return Outcome(bool(given), figures)


def _areas(game: Game) -> Sequence[Design]:
    return [design for design in kind_of(game, BOARDS).designs if not design.fields["port"]]


def _shown_on(boards: Sequence[Design], icon: str) -> int:
    return sum(design.count for design in boards if icon in design.fields["types"])


def _unlike(boards: Sequence[Design], icon: str, wanted: int) -> str:
    """A type with a wrong number of boards, and all of these."""
    on = ", ".join(name_and_place(design) for design in boards if icon in design.fields["types"])
    return f"{icon} is on {_shown_on(boards, icon)} boards, not {wanted}: {on or 'none'}"


def _on(boards: Sequence[Design], landmark: str) -> str:
    there = [name_and_place(design) for design in boards if design.fields["landmark"] == landmark]
    return f"{landmark} on {', '.join(there) or 'none'}"


def _proposed(game: Game, design: Design) -> bool:
    """Whether the data mark a design, or anything that holds it, as ours."""
    steps = ("components", design.kind, "designs", short(design), "effects")
    return any(game.marks.get(".".join(steps[:n])) == "provisional" for n in range(1, len(steps) + 1))


def _spot(game: Game, name: str) -> str:
    """A place of the map with its line."""
    return at(name, spot(game, name))


def _pair(game: Game, pair: Edge) -> str:
    return " and ".join(_spot(game, name) for name in sorted(pair))


def _sort_edges(pairs: set[Edge]) -> Iterator[Edge]:
    yield from sorted(pairs, key=sorted)
