"""The box of a table of draft 18: every number that the kernels read, from the data and the readings in force."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box, Options
from generator.games.engine.facts import FactReader
from generator.games.engine.kernel import INTERPRETED, Record, Value
from generator.games.engine.variants import choices, in_force
from generator.games.xanadu import play_codes as c
from generator.games.xanadu.facts import ACTIONS, LIDS, Facts, facts_of
from generator.games.xanadu.limits import limits_of
from generator.games.xanadu.map_facts import map_of
from generator.games.xanadu.play_skills_data import skill_numbers
from generator.games.xanadu.town import edges
from generator.model.game import Design, Game

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
"""Values of switches and options that can't be played, and why."""


READINGS: Mapping[str, tuple[Any, ...]] = {
    "worker_shortage": ("partial", "recall"),
    "normal_shortage": ("partial", "unlimited"),
    "reset_scope": ("row", "board"),
    "dispatch_fill": ("immediate", "after_turn", "no_complete"),
    "dispatch_rows": ("any", "chosen_row_only"),
    "daily_triggers": (False, True),
    "research_timing": ("own_turn", "before_placement"),
    "research_refill": ("slot", "all_vacant"),
    "impossible_fulfil": ("illegal", "wasted"),
    "port_icons": ("none", "all"),
    "absent_rank": ("next", "players", "ignore"),
    "gain_outside": ("one_per_area", "one_total"),
    "transport_scope": ("action", "turn"),
    "start_player": ("rotate", "once_then_lowest_vp_chooses", "vp_order"),
    "pass_action": ("off", "dispatch_123"),
    "daily_model": ("draft18", "one_shot", "none"),
    "skill_gate": ("none", "vp_threshold"),
    "transport_level2": ("extra_action", "second_office", "restock"),
    "port_limit": ("off", "by_warehouse"),
    "style": ("standard", "advanced"),
}
"""How the kernels number the values of switches and options."""


def settled(game: Game, players: int, options: Options) -> tuple[Game, dict[str, Any]]:
    """The game with the options as its readings, and all values in force; ValueError names every wrong one."""
    known, values = choices(game), {**in_force(game), **options}
    wrong = []
    if players not in game.players:
        wrong.append(f"{players} can't play; there are {game.players.fewest} to {game.players.most} players")
    for name, value in options.items():
        if name not in known:
            wrong.append(f"there is no switch or option '{name}'; {did_you_mean(name, known)}")
        elif not any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in known[name]):
            wrong.append(f"{name} can't be '{value}'; {did_you_mean(str(value), map(str, known[name]))}")
    reasons = (f"{name}: {value}" for name, value in values.items())
    wrong += [f"{setting} can't be played: {UNPLAYABLE[setting]}" for setting in reasons if setting in UNPLAYABLE]
    if wrong:
        raise ValueError("; ".join(wrong))
    readings = {
        key: replace(reading, value=values[reading.switch]) if reading.switch else reading
        for key, reading in game.readings.items()
    }
    return replace(game, readings=readings), values


def box(game: Game, players: int, options: Options) -> Box:
    """What a table plays with; ValueError for options and data that can't be played, in words."""
    game, values = settled(game, players, options)
    facts, _ = facts_of(game)
    numbers: dict[str, Value] = {
        **_course(game, facts, players),
        **_board(facts),
        **_growth(game, facts, values),
        **_town(game, values, facts),
        **_requests(game, facts),
        **skill_numbers(game),
        **_supplies(game, facts),
        **_readings(values),
    }
    wrong = list(_misfits(game, numbers))
    if wrong:
        raise ValueError("; ".join(wrong))
    kinds = ("request", "skill", "area_board", "company_board", "daily_card")
    cards = tuple(copy for kind in kinds for design in game.kinds[kind].designs for copy in design.copies())
    pieces = ("resource", "vp", "share", "worker", "dispatch", "start_marker")
    counted = {design.id: design.count for kind in pieces for design in game.kinds[kind].designs}
    return Box(game, players, options, numbers, cards, counted)


def facts_record(box: Box) -> Record:
    """The numbers as kernels read them, for what is worked out outside of a table."""
    return INTERPRETED.record(box.numbers)


def most_moves(box: Box) -> int:
    """More than any phase offers: all pairs of places, requests in every place, goods to count one by one."""
    stock: Any = box.numbers["goods_total"]
    return max(300, int(max(stock)) + 1)


def request_cards(box: Box) -> tuple[str, ...]:
    """The request cards as the kernels number them."""
    return box.cards[: number_of(box, "cards")]


def skill_cards(box: Box) -> tuple[str, ...]:
    """The skill cards as the kernels number them."""
    first = number_of(box, "cards")
    return box.cards[first : first + number_of(box, "skills")]


def area_boards(box: Box) -> tuple[str, ...]:
    """The area boards as the kernels number them."""
    first = number_of(box, "cards") + number_of(box, "skills")
    return box.cards[first : first + number_of(box, "places")]


def companies(box: Box) -> list[str]:
    """The companies as the kernels number them."""
    return [board.fields["company"] for board in box.game.kinds["company_board"].designs]


def place_names(box: Box) -> list[str]:
    """The places of the town as the kernels number them."""
    return [place["id"] for place in box.game.sections["rules"]["map"]["positions"]]


def number_of(box: Box, name: str) -> int:
    """One of the box's numbers that is no row."""
    number = box.numbers[name]
    assert isinstance(number, int)  # noqa: S101 - it was made so
    return number


def _course(game: Game, facts: Facts, players: int) -> dict[str, Value]:
    most_turns = limits_of(game).turns[1]
    return {
        "rounds": facts.rounds,
        "interim": facts.interim,
        "start_workers": facts.start_workers,
        "start_shares": facts.start_shares,
        "start_goods": list(facts.start_goods),
        "company_workers": facts.company_workers,
        "daily_lower": facts.daily_row["lower"],
        "daily_upper": facts.daily_row["upper"],
        "daily_n": facts.daily_row["lower"] + facts.daily_row["upper"],
        "market_lower": facts.market["lower"],
        "market_n": facts.market["lower"] + facts.market["upper"],
        "draft": facts.skills["draft"],
        "daily_vp": facts.daily_vp,
        "daily_cap": facts.daily_cap,
        "base_restock": facts.restock,
        "seats": players,
        "most_turns": most_turns,
    }


def _board(facts: Facts) -> dict[str, Value]:
    """The action board: what the spaces of each row give, padded to equal lengths."""
    rows = [facts.rows[action] for action in ACTIONS]
    return {
        "row_len": [len(row) for row in rows],
        "row_actions": [_padded([facts.spaces[space].actions for space in row]) for row in rows],
        "row_normals": [_padded([facts.spaces[space].normals for space in row]) for row in rows],
    }


def _growth(game: Game, facts: Facts, values: Mapping[str, Any]) -> dict[str, Value]:
    growth, reader = facts.growth, FactReader(game)
    gates = reader.wholes("skill_gate", "vp", fewest=1)
    numbers: dict[str, Value] = {
        "by_round": _padded(growth.by_round, facts.rounds + 1),
        "lids": [growth.lids[lid] for lid in LIDS],
        "lids_all": growth.handed_out,
        "opens": [1 if lid in growth.opens_worker else 0 for lid in LIDS],
        "limit": list(growth.limit),
        "carry": list(growth.carry),
        "more_transport": list(growth.transport_actions),
        "more_upgrade": list(growth.upgrade_actions),
        "workers": list(growth.workers),
        # E37: either the additions that the data give, or the warehouse's value once a lid is off
        "restock": list(growth.restock) if values["restock"] == "base_plus_lids" else [0, *growth.limit[1:]],
        "gate": [gates[min(n, len(gates) - 1)] for n in range(max(growth.lids["skill"], 1))],
        "rebate": reader.whole("skill_gate", "rebate", least=1),
        "port_limits": list(reader.wholes("port_limits", fewest=growth.lids["warehouse"] + 1)),
        "transport_restock": reader.whole("transport_restock"),
        "research_cost": reader.whole("research"),
        "pass_costs": list(reader.wholes("pass_costs", fewest=1)),
        "passes": len(reader.wholes("pass_costs")),
    }
    reader.finish()
    return numbers


def _town(game: Game, values: Mapping[str, Any], facts: Facts) -> dict[str, Value]:
    """Places by number, neighbours, and for each board its icons as bits of the types, its gauge and landmark."""
    town = map_of(game)
    names = list(town.town)
    beside = [[] for _ in names]  # type: list[list[int]]
    for a, b in sorted(sorted(names.index(name) for name in edge) for edge in edges(town.town, values["adjacency"])):
        beside[a].append(b)
        beside[b].append(a)
    types = list(game.sections["rules"]["types"])
    landmarks = list(game.sections["rules"]["landmarks"])
    boards = game.kinds["area_board"].designs
    open_port = (1 << len(types)) - 1 if values["port_icons"] == "all" else 0
    pays = {zone: (pay.interim, pay.final) for zone, pay in facts.majority.items()}
    if values["majority_table"] == "plus":
        reader = FactReader(game)
        zones = reader.rows("majority_plus", columns=("zone",))
        pays = {
            row["zone"]: (
                reader.wholes("majority_plus", n, "interim", fewest=1),
                reader.wholes("majority_plus", n, "final", fewest=1),
            )
            for n, row in enumerate(zones)
        }
        reader.finish()
    zones_of = [town.town[name].zone for name in names]
    return {
        "places": len(names),
        "port": names.index(town.port),
        "port_board": next((n for n, board in enumerate(boards) if board.fields["port"]), 0),
        "zone": zones_of,
        "around_n": [len(row) for row in beside],
        "around": [_padded(row, c.PLACES) for row in beside],
        "icons": [open_port if board.fields["port"] else _bits(board, types) for board in boards],
        "gauge": [board.fields["gauge"] for board in boards],
        "landmark": [
            1 << landmarks.index(board.fields["landmark"]) if board.fields["landmark"] else 0 for board in boards
        ],
        "landmarks": len(landmarks),
        "pay_interim": [_padded(pays[zone][0] if zone in pays else (), c.SEATS) for zone in zones_of],
        "pay_final": [_padded(pays[zone][1] if zone in pays else (), c.SEATS) for zone in zones_of],
    }


def _requests(game: Game, facts: Facts) -> dict[str, Value]:
    """Requests by number: type as a bit, tier, VP, and what they ask for of a grade and all above it."""
    types = list(game.sections["rules"]["types"])
    designs = [design for design in game.kinds["request"].designs for _ in range(design.count)]
    fields = [design.fields for design in designs]
    return {
        "cards": len(designs),
        "type": [1 << types.index(card["type"]) for card in fields],
        "tier": [1 if card["tier"] == "upper" else 0 for card in fields],
        "vp": [card["vp"] for card in fields],
        "asks_superb": [card["cost"][2] for card in fields],
        "asks_fine": [card["cost"][1] + card["cost"][2] for card in fields],
        "asks": [sum(card["cost"]) for card in fields],
    }


def _supplies(game: Game, facts: Facts) -> dict[str, Value]:
    coins = sorted((design.fields["value"], design.count) for design in game.kinds["vp"].designs)
    total = game.switches["dispatch_total"]
    return {
        "goods_total": [facts.grades[grade] for grade in facts.grades],
        "dispatch_total": total,
        "coin": [value for value, _ in coins],
        "coin_count": [count for _, count in coins],
        "companies": len(game.kinds["company_board"].designs),
    }


def _readings(values: Mapping[str, Any]) -> dict[str, Value]:
    """The number of the value in force of each switch and option that kernels look at."""
    return {name: known.index(values[name]) for name, known in READINGS.items()}


def _misfits(game: Game, numbers: Mapping[str, Any]) -> Iterator[str]:
    """Data that these rules have no room for."""
    handed, total = numbers["seats"] * numbers["lids_all"], numbers["dispatch_total"]
    if handed > total:
        yield f"{numbers['seats']} players need {handed} dispatch workers as lids, and there are {total}"
    if numbers["places"] != c.PLACES or len(game.kinds["area_board"].designs) != c.PLACES:
        yield f"the rules are played on {c.PLACES} places with a board on each"
    if numbers["companies"] != c.SEATS or game.players.most > c.SEATS:
        yield f"the rules are played with {c.SEATS} companies"
    if len(numbers["goods_total"]) != c.GRADES:
        yield f"the rules are played with {c.GRADES} grades of goods"
    if len(numbers["coin"]) != c.SUPPLIES - c.SUP_COINS:
        yield f"VP are paid in {c.SUPPLIES - c.SUP_COINS} kinds of tokens"
    if max(numbers["gauge"]) > c.SPACES or max(numbers["row_len"]) > c.SPACES:
        yield f"gauges and rows have at most {c.SPACES} spaces"
    if max(numbers["asks"]) > 7 or max(numbers["carry"]) + numbers["carry_more"] > 7:
        yield "requests and loads have at most 7 resources"
    if numbers["daily_n"] > 3 or numbers["market_n"] > 20:
        yield "there are at most 3 requests in a Daily row and 20 in the Market"
    if numbers["skills"] > 40:
        yield "there are at most 40 skills"


def _bits(board: Design, types: list[str]) -> int:
    return sum(1 << types.index(name) for name in board.fields["types"])


def _padded(values: Any, length: int = c.SPACES) -> list[int]:
    return [*values, *[0] * (length - len(values))]
