"""The box of Forwarder of Xanadu: the numbers that kernels read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.base.errors import Problem, ProblemsFound
from generator.game.model import Game
from generator.rules.engine.contract import Box, Options
from generator.rules.engine.facts import FactReader, encode_facts
from generator.rules.engine.kernel import Value
from generator.rules.engine.settings import apply_options, encode_settings, read_settings
from generator.rules.xanadu import state as m
from generator.rules.xanadu.data import (
    ACTIONS,
    LIDS,
    TIERS,
    Facts,
    facts_of,
    find_edges,
    majority_of,
    map_of,
    measure_distances,
)
from generator.rules.xanadu.state import skill_numbers

_FARTHEST = 4
"""Steps between two places over which bots plan to carry goods."""

UNPLAYABLE = {
    "daily_model: hybrid": "nobody has written the companies' exclusive requests and second Daily cards (N1)",
    "skill_split: 5x6": "each company needs a fifth skill, and five white ones would have to go (E16)",
    "skill_gate: requests": "nobody has set the numbers of requests that skills need (N5)",
    "skill_gate: shares": "nobody has set the numbers of shares that skills need (N5)",
    "skill_gate: dispatch": "nobody has set the dispatch workers that skills cost (N5)",
    "skill_gate: double_lid": "two lids for each skill would take 75 dispatch workers, and there are 60 (N5)",
    "transport_level2: vp": "nobody has set the VP (N6)",
    "transport_level2: exclusive_card": "nobody has written the cards (N6)",
    "transport_level2: majority_bonus": "nobody has set the bonus (N6)",
    "transport_level2: final_skill_up": "nobody has written the better final-scoring skills (N6)",
    "personal_action: on": "nobody has written the companies' personal actions (N12)",
}
"""Values of switches and options that can't be played, with the reason."""


def make_box(game: Game, players: int, options: Options) -> Box:
    """Return the box of a table. Raise ProblemsFound for options and data that can't be played."""
    game = apply_options(game, players, options, unplayable=UNPLAYABLE)
    values, facts = read_settings(game), facts_of(game)
    rows = [[facts.spaces[space] for space in facts.rows[action]] for action in ACTIONS]
    coins = sorted((design.fields["value"], design.count) for design in game.kinds["vp"].designs)
    known: dict[str, Value] = {
        **encode_facts(facts),
        "daily_lower": facts.daily_row["lower"],
        "daily_n": facts.daily_row["lower"] + facts.daily_row["upper"],
        "market_lower": facts.market["lower"],
        "market_n": facts.market["lower"] + facts.market["upper"],
        "draft": facts.skills["draft"],
        "base_restock": facts.restock,
        "row_len": [len(row) for row in rows],
        "row_actions": [_pad_values([space.actions for space in row], m.SPACES) for row in rows],
        "row_normals": [_pad_values([space.normals for space in row], m.SPACES) for row in rows],
        **_number_growth(game, facts, values),
        **_number_town(game, values),
        **_number_majority(game, facts, values),
        **_number_requests(game),
        **skill_numbers(game),
        "goods_total": list(facts.grades.values()),
        "dispatch_total": game.switches["dispatch_total"],
        "coin_kinds": len(coins),
        "coin": [value for value, _ in coins],
        "coin_count": [count for _, count in coins],
        "companies": len(game.kinds["company_board"].designs),
        **encode_settings(game),
    }
    place = game.places.place("rules")
    wrong = [Problem(place, what, hint) for what, hint in _find_misfits(game, players, known)]
    if wrong:
        raise ProblemsFound(wrong)
    kinds = ("request", "skill", "area_board", "company_board", "daily_card")
    cards = tuple(copy for kind in kinds for design in game.kinds[kind].designs for copy in design.copies())
    pieces = ("resource", "vp", "share", "worker", "dispatch", "start_marker")
    counted = {design.id: design.count for kind in pieces for design in game.kinds[kind].designs}
    return Box(game, players, options, known, cards, counted)


def most_moves(box: Box) -> int:
    """Return a bound for the moves of any choice: pairs of places, requests by place, or goods counted one by one."""
    return max(300, max(box.get_row("goods_total")) + 1)


# What the kernels' numbers stand for


def request_cards(box: Box) -> tuple[str, ...]:
    """Return the request cards as the kernels number them."""
    return box.cards[: box.get_number("cards")]


def skill_cards(box: Box) -> tuple[str, ...]:
    """Return the skill cards as the kernels number them."""
    first = box.get_number("cards")
    return box.cards[first : first + box.get_number("skills")]


def area_boards(box: Box) -> tuple[str, ...]:
    """Return the area boards as the kernels number them."""
    first = box.get_number("cards") + box.get_number("skills")
    return box.cards[first : first + m.PLACES]


def list_companies(box: Box) -> list[str]:
    """Return the companies as the kernels number them."""
    return [board.fields["company"] for board in box.game.kinds["company_board"].designs]


def place_names(box: Box) -> list[str]:
    """Return the places of the town as the kernels number them."""
    return [place["id"] for place in box.game.sections["rules"]["map"]["positions"]]


# The numbers


def _number_growth(game: Game, facts: Facts, values: Mapping[str, Any]) -> dict[str, Value]:
    growth, reader = facts.growth, FactReader(game)
    gates = reader.read_wholes("skill_gate", "vp", fewest=1)
    pass_costs = reader.read_wholes("pass_costs", fewest=1)
    found: dict[str, Value] = {
        "most_turns": reader.read_whole("limits", "turns", "most"),
        "by_round": _pad_values(growth.by_round, facts.rounds + 1),
        "lids": [growth.lids[lid] for lid in LIDS],
        "lids_all": growth.handed_out,
        "opens": [int(lid in growth.opens_worker) for lid in LIDS],
        "limit": growth.limit,
        "carry": growth.carry,
        "more_transport": growth.transport_actions,
        "more_upgrade": growth.upgrade_actions,
        "workers": growth.workers,
        # E37: either the additions that the data give, or the warehouse's value once a lid is off
        "restock": growth.restock if values["restock"] == "base_plus_lids" else [0, *growth.limit[1:]],
        "gate": [gates[min(n, len(gates) - 1)] for n in range(max(growth.lids["skill"], 1))] if gates else [],
        "rebate": reader.read_whole("skill_gate", "rebate", least=1),
        "port_limits": reader.read_wholes("port_limits", fewest=growth.lids["warehouse"] + 1),
        "transport_restock": reader.read_whole("transport_restock"),
        "research_cost": reader.read_whole("research"),
        "pass_costs": pass_costs,
        "passes": len(pass_costs),
    }
    reader.raise_problems()
    return found


def _number_town(game: Game, values: Mapping[str, Any]) -> dict[str, Value]:
    """Return places by number, neighbours by the readings in `values`, and icons (bits), gauge, landmark of boards."""
    town = map_of(game)
    names = list(town.town)
    pairs = [{names.index(name) for name in edge} for edge in find_edges(town.town, values["adjacency"])]
    steps = [measure_distances(name, find_edges(town.town, values["adjacency"])) for name in names]
    beside = [sorted(other for pair in pairs if n in pair for other in pair - {n}) for n in range(len(names))]
    away = [[far.get(other, len(names)) for other in names] for far in steps]
    types, landmarks = (list(game.sections["rules"][name]) for name in ("types", "landmarks"))
    boards = [board.fields for board in game.kinds["area_board"].designs]
    port_types = types if values["port_icons"] == "all" else ()
    return {
        "places": len(names),
        "port": names.index(town.port),
        "port_board": next((n for n, board in enumerate(boards) if board["port"]), 0),
        "zone": [area.zone for area in town.town.values()],
        "around_n": [len(row) for row in beside],
        "around": [_pad_values(row, m.PLACES) for row in beside],
        "away": away,
        "nearest": [_list_nearest(row) for row in away],
        "icons": [_to_bits(types, port_types if board["port"] else board["types"]) for board in boards],
        "gauge": [board["gauge"] for board in boards],
        "landmark": [_to_bits(landmarks, [board["landmark"]] if board["landmark"] else ()) for board in boards],
        "landmarks": len(landmarks),
    }


def _list_nearest(away: Sequence[int]) -> list[int]:
    """Return the places up to four steps away, the nearest first, then -1s; `away` has the steps to every place."""
    places = sorted((steps, place) for place, steps in enumerate(away) if 1 <= steps <= _FARTHEST)
    return [place for _, place in places] + [-1] * (len(away) - len(places))


def _number_majority(game: Game, facts: Facts, values: Mapping[str, Any]) -> dict[str, Value]:
    """Return the pay of ranks in each place, at both scorings, by the readings in `values`; zeros without pay."""
    table = facts.majority
    if values["majority_table"] == "plus":
        reader = FactReader(game)
        table = majority_of(reader, "majority_plus", fewest=1)
        reader.raise_problems()
    zones = [area.zone for area in map_of(game).town.values()]
    return {
        "pay_interim": [_pad_values(table[zone].interim if zone in table else (), m.SEATS) for zone in zones],
        "pay_final": [_pad_values(table[zone].final if zone in table else (), m.SEATS) for zone in zones],
    }


def _number_requests(game: Game) -> dict[str, Value]:
    """Return requests by number: type as a bit, tier, VP, and goods needed of each grade and above."""
    types = list(game.sections["rules"]["types"])
    cards = [design.fields for design in game.kinds["request"].designs for _ in range(design.count)]
    return {
        "cards": len(cards),
        "type": [_to_bits(types, [card["type"]]) for card in cards],
        "tier": [TIERS.index(card["tier"]) for card in cards],
        "vp": [card["vp"] for card in cards],
        "asks_superb": [card["cost"][2] for card in cards],
        "asks_fine": [card["cost"][1] + card["cost"][2] for card in cards],
        "asks": [sum(card["cost"]) for card in cards],
    }


def _find_misfits(game: Game, players: int, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (problem, hint) for data beyond the capacity of these rules; `known` contains the box's numbers."""
    handed, total = players * known["lids_all"], known["dispatch_total"]
    coins, boards = m.SUPPLIES - m.Piece.COIN, len(game.kinds["area_board"].designs)
    if handed > total:
        yield f"{players} players need {handed} dispatch workers as lids, and there are {total}", "set dispatch_total"
    if known["places"] != m.PLACES or boards != m.PLACES:
        yield f"the rules are played on {m.PLACES} places with a board on each", f"give {m.PLACES} of both"
    if known["companies"] != m.SEATS or game.players.most > m.SEATS:
        yield f"the rules are played with {m.SEATS} companies", f"give {m.SEATS}"
    if len(known["goods_total"]) != m.GRADES:
        yield f"the rules are played with {m.GRADES} grades of goods", f"give {m.GRADES}"
    if len(known["coin"]) != coins:
        yield f"VP are paid in {coins} kinds of tokens", f"give {coins}"
    if max(known["gauge"]) > m.SPACES or max(known["row_len"]) > m.SPACES:
        yield f"gauges and rows have at most {m.SPACES} spaces", "take some out"
    if max(known["asks"]) > m.PACKED or max(known["carry"]) + known["carry_more"] > m.PACKED:
        yield f"requests and loads have at most {m.PACKED} resources", "make them smaller"
    if known["daily_n"] > m.DAILY_MOST or known["market_n"] > m.MARKET_MOST:
        what = f"there are at most {m.DAILY_MOST} requests in a Daily row and {m.MARKET_MOST} in the Market"
        yield what, "lay out fewer"
    if known["skills"] > m.SKILLS:
        yield f"there are at most {m.SKILLS} skills", "take some out"


def _to_bits(known: list[str], names: Any) -> int:
    return sum(1 << known.index(name) for name in names)


def _pad_values(values: Any, length: int) -> list[int]:
    return [*values, *[0] * (length - len(values))]
