"""Checks of Forwarder of Xanadu for cards, town and boards."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from generator.game.model import Design, Game
from generator.rules.engine.facts import (
    FactReader,
    Outcome,
    check,
    check_each_table,
    count_printed,
    find_kind,
    format_finding,
    is_proposed,
    make_outcome,
)
from generator.rules.xanadu.checks import format_place, name_and_place, short_name
from generator.rules.xanadu.data import (
    PORT,
    ZONE_SIGNS,
    Edge,
    facts_of,
    figure_places,
    find_edges,
    limits_of,
    map_of,
    measure_distances,
    names_of,
    request_facts_of,
    stated_edges,
)
from generator.rules.xanadu.outlook import compute_worth, count_steps

REQUESTS, SKILLS = "request", "skill"
TYPE_LETTERS = {"furniture": "F", "books": "B", "food": "G", "clothing": "C", "entertainment": "E"}
TIER_LETTERS = {"lower": "L", "upper": "U"}
WHITE = "white"


@check
def colours_agree(game: Game) -> Outcome:
    """Check that boards, Daily cards, shares and workers exist for the same companies, equally for each."""
    companies = Counter(dict.fromkeys(names_of(game, "companies"), 1))
    faults, figures = [], []
    for kind in ("company_board", "daily_card", "share", "worker"):
        found = count_printed(game, kind, "company")
        figures.append(f"{kind} {found.total()}")
        if found.keys() != companies.keys() or len({*found.values()}) != 1:
            faults.append(f"{kind}: {', '.join(f'{found[name]} {name}' for name in {**companies, **found})}")
        faults += [
            f"{kind}: misnamed {name_and_place(d)}"
            for d in find_kind(game, kind).designs
            if short_name(d) != d.fields["company"]
        ]
    return make_outcome(f"{len(companies)} companies: {', '.join(figures)}", faults)


@check
def requests_types(game: Game) -> Outcome:
    """Check that each type has the cards of `rules.limits`, half in each tier, with ids from 1 in each: FL1, FL2 ..."""
    stated, types = limits_of(game).of_type, names_of(game, "types")
    cards = find_kind(game, REQUESTS).designs
    found = Counter[tuple[str, str]]()
    for card in cards:
        found[card.fields["type"], card.fields["tier"]] += card.count
    faults = []
    for name in types:
        lower, upper = found[name, "lower"], found[name, "upper"]
        if lower != upper or lower + upper != stated:
            faults.append(f"{name}: {lower} + {upper}, not {stated} in equal parts")
    numbers = {str(number) for number in range(1, stated // 2 + 1)}
    for card in cards:
        letters = TYPE_LETTERS.get(card.fields["type"], "?") + TIER_LETTERS.get(card.fields["tier"], "?")
        if short_name(card)[:2] != letters or short_name(card)[2:] not in numbers or card.count != 1:
            faults.append(f"not foreseen: {name_and_place(card)}")
    return make_outcome(f"{sum(found.values())} cards of {len(types)} types", faults)


@check
def requests_templates(game: Game) -> Outcome:
    """Check that cards of one template ask for the same goods, so that no type is worth more."""
    cards: dict[str, list[Design]] = {}
    for card in find_kind(game, REQUESTS).designs:
        cards.setdefault(short_name(card)[1:], []).append(card)
    faults = []
    for template, alike in cards.items():
        usual = Counter(map(_read_cost, alike)).most_common(1)[0][0]
        faults += [
            f"{name_and_place(card)} asks for {_format_goods(_read_cost(card))}, "
            f"other {template} for {_format_goods(usual)}"
            for card in alike
            if _read_cost(card) != usual
        ]
    return make_outcome(f"{len(cards)} templates", faults)


@check
def requests_formula(game: Game) -> Outcome:
    """Check that each request has the VP of the formula, and that each tier's totals equal `rules.limits`."""
    facts, limits = request_facts_of(game), limits_of(game).decks
    cards = find_kind(game, REQUESTS).designs
    due = {
        card.id: compute_worth(_read_cost(card), facts.worth, facts.further)
        for card in cards
        if len(_read_cost(card)) == len(facts.worth)
    }
    faults = [f"{name_and_place(card)} asks for {len(_read_cost(card))} grades" for card in cards if card.id not in due]
    faults += [
        f"{name_and_place(card)}: {card.fields['vp']} VP, not {due[card.id]}"
        for card in cards
        if card.id in due and due[card.id] != card.fields["vp"]
    ]
    figures = []
    for tier in TIER_LETTERS:
        of_tier = [card for card in cards if card.fields["tier"] == tier and card.id in due]
        vp = sum(card.fields["vp"] * card.count for card in of_tier)
        goods = tuple(
            sum(_read_cost(card)[grade] * card.count for card in of_tier) for grade in range(len(facts.worth))
        )
        figures.append(f"{tier} {_format_goods(goods)} resources, {vp} VP")
        if (goods, vp) != (limits[tier].goods, limits[tier].vp):
            faults.append(f"the limits say {tier} {_format_goods(limits[tier].goods)}, {limits[tier].vp} VP")
    return make_outcome("; ".join(figures), faults)


@check
def requests_tier_quality(game: Game) -> Outcome:
    """Check that upper requests need better goods: lower ones at most, upper ones at least the stated steps."""
    facts = request_facts_of(game)
    cards = [card for card in find_kind(game, REQUESTS).designs if len(_read_cost(card)) == len(facts.steps)]
    needed = [(card, count_steps(_read_cost(card), facts.steps)) for card in cards]
    lower = [number for card, number in needed if card.fields["tier"] == "lower"]
    upper = [number for card, number in needed if card.fields["tier"] == "upper"]
    faults = [
        f"{name_and_place(card)}: {number} steps"
        for card, number in needed
        if not (number <= facts.lower_most if card.fields["tier"] == "lower" else number >= facts.upper_least)
    ]
    return make_outcome(f"lower {max(lower, default=0)} at most, upper {min(upper, default=0)} at least", faults)


@check
def requests_fit_limit(game: Game) -> Outcome:
    """Check that every request fits a full-grown warehouse, and that as many as stated fit one that never grew."""
    facts = facts_of(game)
    stated = limits_of(game).without_expansion
    growth, cards = facts.growth, find_kind(game, REQUESTS).designs
    largest, smallest = growth.limit[growth.lids["warehouse"]], growth.limit[0]
    faults = [
        f"{name_and_place(card)}: {sum(_read_cost(card))} pieces" for card in cards if sum(_read_cost(card)) > largest
    ]
    first = sum(card.count for card in cards if sum(_read_cost(card)) <= smallest)
    faults += [f"within {smallest}: {format_finding(first, stated)}"] if first != stated else []
    fit = sum(card.count for card in cards if sum(_read_cost(card)) <= largest)
    return make_outcome(f"within {largest}: {fit}, within {smallest}: {first}", faults)


@check
def requests_setup_lower(game: Game) -> Outcome:
    """Check that the lower deck has enough cards for the Market and the Daily rows of any number of players."""
    return _set_up(game, "lower")


@check
def requests_setup_upper(game: Game) -> Outcome:
    """Check that the upper deck has enough cards for the Market and the Daily rows of any number of players."""
    return _set_up(game, "upper")


@check
def requests_market_never_short(game: Game) -> Outcome:
    """Check that the cards left when all Daily rows are dealt can fill the Market, in each tier."""
    facts, cards = facts_of(game), count_printed(game, REQUESTS, "tier")

    def row(players: int) -> tuple[bool, str]:
        rest = {tier: cards[tier] - players * facts.daily_row[tier] for tier in TIER_LETTERS}
        ok = all(rest[tier] >= facts.market[tier] for tier in rest)
        return ok, ", ".join(f"{number} {tier}" for tier, number in rest.items())

    return check_each_table(game, row)


@check
def skills_named(game: Game) -> Outcome:
    """Check that each skill's id has its colour, and that its requirements and costs suit its timing."""
    faults = []
    for card in find_kind(game, SKILLS).designs:
        fields = card.fields
        if not short_name(card).startswith(fields["colour"][0].upper()):
            faults.append(f"misnamed {name_and_place(card)}")
        if (
            any(fields[name] is not None for name in fields if name.startswith("on_"))
            and fields["timing"] != "on_fulfil"
        ):
            faults.append(f"{name_and_place(card)} looks for requests, but is {fields['timing']}")
        if fields["cost"] and fields["timing"] not in {"activated", "on_fulfil"}:
            faults.append(f"{name_and_place(card)} has a cost, but is {fields['timing']}")
        if fields["cost"] and fields["timing"] == "on_fulfil" and not fields["optional"]:
            faults.append(f"{name_and_place(card)} has a cost that cannot be refused")
        if not fields["effects"]:
            faults.append(f"{name_and_place(card)} does nothing")
    return make_outcome(f"{find_kind(game, SKILLS).count} skills", faults)


@check
def skills_split(game: Game) -> Outcome:
    """Check that each company has the skills that Standard deals or, by another reading (E16), an equal part of all."""
    facts = facts_of(game)
    colours = (*names_of(game, "companies"), WHITE)
    found = count_printed(game, SKILLS, "colour")
    equal = find_kind(game, SKILLS).count // len(colours)
    own = facts.skills["standard"] if facts.switches["skill_split"] == "4x5+10" else equal
    faults = [f"{name}: {found[name]}, not {own}" for name in colours if name != WHITE and found[name] != own]
    faults += [f"{name} is no company" for name in found if name not in colours]
    return make_outcome(", ".join(f"{name} {found[name]}" for name in colours), faults)


@check
def skills_even_split(game: Game) -> Outcome:
    """Check that there are as many skills as if each company and white had those that Standard deals."""
    facts = facts_of(game)
    colours, stated = len(names_of(game, "companies")) + 1, find_kind(game, SKILLS).stated
    dealt = facts.skills["standard"]
    figures = f"{colours} x {dealt} = {colours * dealt} of {stated}"
    return Outcome(colours * dealt == stated, figures)


@check
def skills_draft_supply(game: Game) -> Outcome:
    """Check that there are skills enough for every hand of the Advanced draft."""
    facts = facts_of(game)
    cards = find_kind(game, SKILLS).count

    def row(players: int) -> tuple[bool, str]:
        dealt = players * facts.skills["draft"]
        return dealt <= cards, f"{dealt} of {cards}, {cards - dealt} left over"

    return check_each_table(game, row)


def _set_up(game: Game, tier: str) -> Outcome:
    facts, cards = facts_of(game), count_printed(game, REQUESTS, "tier")[tier]

    def row(players: int) -> tuple[bool, str]:
        dealt = players * facts.daily_row[tier] + facts.market[tier]
        return dealt <= cards, f"{dealt} of {cards}"

    return check_each_table(game, row)


def _read_cost(card: Design) -> tuple[int, ...]:
    return tuple(card.fields["cost"])


def _format_goods(goods: Sequence[int]) -> str:
    return "/".join(map(str, goods))


BOARDS = "area_board"


@check
def map_figure(game: Game) -> Outcome:
    """Check that both figures of the draft show the map's places, with the Port, and their zones."""
    drawn_map = map_of(game)
    town = drawn_map.town
    drawn = {(row, x): sign for row, x, sign in figure_places(drawn_map.figure)}
    zones = {(row, x): ZONE_SIGNS.get(sign) for row, x, sign in figure_places(drawn_map.zones)}
    lie = {(area.row, area.x): name for name, area in town.items()}
    faults = [
        f"row {row} has nothing at x {x}, where the figure draws {drawn[row, x]}"
        for row, x in sorted(drawn.keys() - lie)
    ]
    faults += [f"{_format_spot(game, lie[there])} is not in the figure" for there in sorted(lie.keys() - drawn)]
    faults += ["the zones are drawn in other places than the figure"] if zones.keys() != drawn.keys() else []
    for there, name in sorted(lie.items()):
        if (drawn.get(there) == PORT) != (name == drawn_map.port):
            faults.append(f"{_format_spot(game, name)} is drawn as {drawn.get(there)}")
        if there in zones and zones[there] != town[name].zone:
            faults.append(f"{_format_spot(game, name)} has zone {town[name].zone}, but is drawn in {zones[there]}")
    return make_outcome(f"{len(drawn)} squares, {len(town)} places", faults)


@check
def zone_partition(game: Game) -> Outcome:
    """Check that each zone has the areas of `rules.limits`, without the Port, and that together they are all boards."""
    drawn_map, stated = map_of(game), limits_of(game).areas
    town = drawn_map.town
    found = Counter(area.zone for area in town.values())
    boards = find_kind(game, BOARDS).count
    outside = [name for name, area in town.items() if area.zone == 0]
    faults = [f"outside the zones: {', '.join(outside)}"] if outside != [drawn_map.port] else []
    faults += [f"{boards} boards for {len(town)} places"] if boards != len(town) else []
    zones = {zone: found[zone] for zone in sorted({*found, *stated} - {0})}
    faults += [
        f"zone {zone}: {format_finding(n, stated.get(zone))}" for zone, n in zones.items() if n != stated.get(zone)
    ]
    return make_outcome(" + ".join(map(str, [*zones.values(), len(outside)])) + f" = {len(town)}", faults)


@check
def map_edges(game: Game) -> Outcome:
    """Check that neighbours are stated from both sides by the reading in force, and that all can be reached."""
    drawn_map, stated = map_of(game), limits_of(game).edges
    town = drawn_map.town
    said, lie = stated_edges(town), find_edges(town, facts_of(game).switches["adjacency"])
    pairs = {frozenset(pair) for pair in said}
    faults = [f"{_format_spot(game, a)} is next to {b}, which is no place" for a, b in sorted(said) if b not in town]
    faults += [
        f"{_format_spot(game, a)} is next to {_format_spot(game, b)}, but not the other way round"
        for a, b in sorted(said)
        if b in town and (b, a) not in said
    ]
    faults += [f"{_format_pair(game, pair)} do not touch" for pair in _sort_edges(pairs - lie) if pair <= town.keys()]
    faults += [f"{_format_pair(game, pair)} touch" for pair in _sort_edges(lie - pairs)]
    reached = measure_distances(drawn_map.port, pairs)
    faults += [f"{_format_spot(game, name)} cannot be reached" for name in town if name not in reached]
    faults += [f"{format_finding(len(pairs), stated)} pairs"] if len(pairs) != stated else []
    return make_outcome(f"{len(pairs)} pairs of neighbours", faults)


@check
def map_zone_equals_distance(game: Game) -> Outcome:
    """Check that the zone of each place is its distance from the Port by the reading in force."""
    drawn_map = map_of(game)
    town = drawn_map.town
    away = measure_distances(drawn_map.port, find_edges(town, facts_of(game).switches["adjacency"]))
    faults = [
        f"{_format_spot(game, name)}: zone {area.zone}, distance {away.get(name, 'none')}"
        for name, area in town.items()
        if away.get(name) != area.zone
    ]
    counts = Counter(away.values())
    return make_outcome(", ".join(f"{counts[far]} at distance {far}" for far in sorted(counts)), faults)


@check
def map_example(game: Game) -> Outcome:
    """Check that the example town has each board on one place, with the Port on its own."""
    drawn_map = map_of(game)
    town, example = drawn_map.town, drawn_map.example
    boards = {short_name(design) for design in find_kind(game, BOARDS).designs}
    laid = Counter(example.values())
    faults = [f"no board on {name}" for name in town if name not in example]
    faults += [f"{name} is no place" for name in example if name not in town]
    faults += [f"{board} is laid {laid[board]} times" for board in sorted(boards) if laid[board] != 1]
    faults += [f"{board} is no board" for board in sorted(laid.keys() - boards)]
    ports = {short_name(design) for design in find_kind(game, BOARDS).designs if design.fields["port"]}
    faults += ["the Port lies elsewhere"] if {example.get(drawn_map.port)} != ports else []
    return make_outcome(f"{len(example)} boards laid", faults)


@check
def icons_cover_types(game: Game) -> Outcome:
    """Check that each type can be delivered on the stated number of boards, and each two types on one."""
    limits, types = limits_of(game), names_of(game, "types")
    boards = _list_areas(game)
    faults = [
        _find_unlike(boards, name, limits.boards_of_type)
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
    faults += [f"{format_finding(icons, limits.icons)} icons"] if icons != limits.icons else []
    return make_outcome(f"{icons} icons, {', '.join(f'{name} on {_shown_on(boards, name)}' for name in types)}", faults)


@check
def gauges_follow_icons(game: Game) -> Outcome:
    """Check that each gauge has a box per icon of its board plus the base; the Port has neither."""
    reader = FactReader(game)
    base = reader.read_whole("gauge_base")
    reader.raise_problems()
    faults = []
    for design in find_kind(game, BOARDS).designs:
        icons, boxes = len(design.fields["types"]), design.fields["gauge"]
        wanted = 0 if design.fields["port"] else base + icons
        faults += [f"{name_and_place(design)}: {boxes} boxes for {icons} icons"] if boxes != wanted else []
    boxes = sum(design.fields["gauge"] for design in find_kind(game, BOARDS).designs)
    return make_outcome(f"{boxes} boxes", faults)


@check
def landmarks_even(game: Game) -> Outcome:
    """Check that landmarks are on equally many boards, and that every board but the Port has one."""
    boards, landmarks = _list_areas(game), names_of(game, "landmarks")
    found = Counter(design.fields["landmark"] for design in boards)
    faults = [
        f"{name_and_place(design)} has no landmark" for design in boards if design.fields["landmark"] not in landmarks
    ]
    even = len({found[name] for name in landmarks}) == 1
    faults += [] if even else [f"uneven: {', '.join(_boards_with_landmark(boards, name) for name in landmarks)}"]
    return make_outcome(", ".join(f"{name} {found[name]}" for name in landmarks), faults)


@check
def landmarks_given(game: Game) -> Outcome:
    """Check that an effect in the draft itself scores landmarks; cards and boards that we propose do not count."""
    given = any(
        effect.op == "score_landmarks" and not is_proposed(game, design)
        for design in game.designs()
        for effect in design.fields.get("effects") or ()
    )
    return Outcome(given, "the draft uses them" if given else "only what we propose uses them")


def _list_areas(game: Game) -> Sequence[Design]:
    return [design for design in find_kind(game, BOARDS).designs if not design.fields["port"]]


def _shown_on(boards: Sequence[Design], icon: str) -> int:
    return sum(design.count for design in boards if icon in design.fields["types"])


def _find_unlike(boards: Sequence[Design], icon: str, wanted: int) -> str:
    """Return a text for a fault: the type, on how many boards it is instead of `wanted`, and on which."""
    on = ", ".join(name_and_place(design) for design in boards if icon in design.fields["types"])
    return f"{icon} is on {_shown_on(boards, icon)} boards, not {wanted}: {on or 'none'}"


def _boards_with_landmark(boards: Sequence[Design], landmark: str) -> str:
    there = [name_and_place(design) for design in boards if design.fields["landmark"] == landmark]
    return f"{landmark} on {', '.join(there) or 'none'}"


def _format_spot(game: Game, name: str) -> str:
    """Return the id of a place on the map with the file and line that describe it."""
    entries = game.sections["rules"]["map"]["positions"]
    number = next((n for n, entry in enumerate(entries) if entry.get("id") == name), len(entries))
    return format_place(name, game.places.place("rules", "map", "positions", number))


def _format_pair(game: Game, pair: Edge) -> str:
    return " and ".join(_format_spot(game, name) for name in sorted(pair))


def _sort_edges(pairs: set[Edge]) -> Iterator[Edge]:
    yield from sorted(pairs, key=sorted)
